/* What the references in a call's inputs lead to, for people who look at a difference: the model
 * or object that a piece belongs to, as it stands, and the corners of a polygon. It is copied while
 * the trace is open, and has a fixed greatest size. */
#ifndef RETROPOSE_REPLAY_COMPARE_FOLLOW_H
#define RETROPOSE_REPLAY_COMPARE_FOLLOW_H

#include "tracefile/trace.h"

enum { FOLLOW_MOST_NODES = 48, FOLLOW_MOST_VERTICES = 64 };

typedef struct FollowedNode {
    int32_t parent;      /* among those that were kept, or -1 */
    float origin[3];     /* in the model's space; of an object in the world's */
    bool has_box;        /* it has a slot of level 0 in the state of variant 0 */
    float corners[8][3]; /* of that slot, at the node's place; the game's order (E.11) */
} FollowedNode;

typedef struct Followed {
    bool has_model;
    bool is_object;      /* nodes are the pieces of an object, as side a has left them */
    int32_t node;        /* the one that the call is about; -1: all, or one that was not kept */
    uint32_t node_count; /* of the model */
    uint32_t kept;
    uint32_t frame_count, key_count; /* of the model; 0 for an object */
    float time;                      /* at which the model stands, in frames */
    FollowedNode nodes[FOLLOW_MOST_NODES];
    uint32_t vertex_count; /* that the call names */
    float vertices[FOLLOW_MOST_VERTICES][3];
    float point[3]; /* that is asked about */
} Followed;

/* Follows the references of a call that `a` has answered. `path` names the element that differs,
 * and so the piece of an object. Returns null where there is nothing to follow, where a reference
 * leads nowhere, and where memory is short; the caller frees it. */
Followed *Follow_Call(const TraceReader *reader, const TraceCall *a, const char *path);

#endif
