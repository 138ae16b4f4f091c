/* Finds what the references in a call's inputs lead to, for people who look at a difference: the
 * model or object that a piece belongs to, as it stands at the call's time, and the corners of a
 * polygon. The result is copied while the trace is open, and has a fixed greatest size. */
#ifndef RETROPOSE_REPLAY_COMPARE_FOLLOW_H
#define RETROPOSE_REPLAY_COMPARE_FOLLOW_H

#include "tracefile/tracefile.h"

enum { FOLLOW_MOST_NODES = 48, FOLLOW_MOST_VERTICES = 64 };

typedef struct FollowedNode {
    int32_t parent;      /* an index among the nodes that were kept, or -1 */
    float origin[3];     /* in the model's space, or for an object in the world's */
    bool has_box;        /* it has a slot of level 0 in the state of variant 0 */
    float corners[8][3]; /* the box of that slot at the node's place, in the game's order (E.11) */
} FollowedNode;

typedef struct Followed {
    bool has_model;
    bool is_object; /* `nodes` are the pieces of an object, as side a has left them */
    /* the node that the call is about; -1 if it is about all, or about one that was not kept */
    int32_t node;
    uint32_t node_count; /* the number of nodes of the model */
    uint32_t kept;
    uint32_t frame_count, key_count; /* numbers of frames and keys of the model; 0 for an object */
    float time;                      /* the time at which the model stands, in frames */
    FollowedNode nodes[FOLLOW_MOST_NODES];
    uint32_t vertex_count; /* the number of corners of the polygon that the call names */
    float vertices[FOLLOW_MOST_VERTICES][3];
    float point[3]; /* the point that the call asks about */
} Followed;

/* Follows the references of a call that `a` has answered. `path` names the element that differs,
 * and so the piece of an object. Returns null where there is nothing to follow, where a reference
 * leads nowhere, and where memory is short; the caller frees it. */
Followed *Follow_Call(const TraceReader *reader, const TraceCall *a, const char *path);

#endif
