/* Animations of models: taken out of the streams, edited, put back (seed 000 sections 5 to 8).
 *
 * A model has one timeline, counted in frames. An RpMshAnimation holds one track of keys a node: a
 * track of one key is static; of more, animated. Editing changes tracks; installing writes Res8,
 * Res19 and the two words of every node that name them, and leaves everything else as it was.
 *
 * Whatever needs a pose between keys takes it from RpPose_Sample under the game's control word, so
 * that a new key has the game's own pose; its rotation is then rounded to 16 bits as every key's
 * is. Calls that fail leave the animation as it was.
 */
#ifndef RETROPOSE_MSH_ANIM_H
#define RETROPOSE_MSH_ANIM_H

#include "api.h"
#include "msh.h"

RP_API_BEGIN

typedef struct RpMshTrack {
    RpMshKey *keys; /* times in frames: the first 0, then ascending */
    uint32_t key_count;
} RpMshTrack;

typedef struct RpMshAnimation {
    RpMshTrack *tracks; /* one a node */
    uint32_t node_count;
    uint32_t frame_count;
    const RpAllocator *allocator;
} RpMshAnimation;

void RpMshAnimation_Init(RpMshAnimation *animation, const RpAllocator *allocator);
void RpMshAnimation_Free(RpMshAnimation *animation);

/* ---- in and out ------------------------------------------------------------------------------ */

typedef enum RpMshExtract {
    RP_MSH_EXTRACT_EXACT, /* RP_UNSUPPORTED for a node that is not in canonical form, saying why */
    RP_MSH_EXTRACT_SAMPLE /* such a node gets one key a frame, as the game poses it then         */
} RpMshExtract;

/* Into an initialised, empty animation. Canonical is a track of its own (seed 000 section 5.1) that
 * begins at frame 0 and whose map block is the one that follows from its times (section 5.4). Of a
 * node without a map, the fallback key is the track. `sampled` (may be null): how many nodes were.
 * RP_UNSUPPORTED for nodes of the legacy stride; RP_CORRUPT for a fallback that does not exist. */
RpStatus RpMshAnimation_Extract(RpMshAnimation *animation, const RpMsh *msh, RpMshExtract mode,
                                uint32_t *sampled, RpError *error);
/* Into a model of as many nodes. Its tracks tile Res8 in node order, its map blocks are canonical,
 * attributes are set; missing streams are added. RP_INVALID, and nothing changed, for more than
 * 65535 keys, a map block that would start past word 65534, a track that outlasts frame_count. */
RpStatus RpMshAnimation_Install(const RpMshAnimation *animation, RpNResArchive *model,
                                RpError *error);
/* Into an initialised, empty animation. */
RpStatus RpMshAnimation_Copy(RpMshAnimation *copy, const RpMshAnimation *animation, RpError *error);

/* One node's pose at a time in frames, as the game would have it from the installed tracks:
 * w, x, y, z as in memory (seed 000 section 3.4), and the position in its parent. */
RpStatus RpMshAnimation_Sample(const RpMshAnimation *animation, uint32_t node, float time,
                               float quaternion[4], float position[3], RpError *error);

/* ---- tracks ---------------------------------------------------------------------------------- */

/* Copies keys as a node's new track; the timeline grows when they need more frames. */
RpStatus RpMshAnimation_SetTrack(RpMshAnimation *animation, uint32_t node, const RpMshKey *keys,
                                 uint32_t key_count, RpError *error);
/* One key: the pose at that time. */
RpStatus RpMshAnimation_ClearTrack(RpMshAnimation *animation, uint32_t node, float time,
                                   RpError *error);
/* Tracks whose keys are all the same, bit for bit, become static; returns how many did. */
uint32_t RpMshAnimation_MakeStatic(RpMshAnimation *animation);

/* ---- time ------------------------------------------------------------------------------------ */

/* Every time, and the timeline's last frame, times `ratio`, rounded to whole frames. Of keys that
 * fall on one frame the track's first and last win, then the one that was nearest to it; `dropped`
 * (may be null) counts the others. RP_INVALID for a ratio that is not positive. */
RpStatus RpMshAnimation_Retime(RpMshAnimation *animation, double ratio, uint32_t *dropped,
                               RpError *error);
/* The same, to a number of frames. RP_INVALID to stretch a single frame. */
RpStatus RpMshAnimation_RetimeTo(RpMshAnimation *animation, uint32_t frame_count, uint32_t *dropped,
                                 RpError *error);
/* Frame f becomes frame_count - 1 - f. A track that ended early holds its first pose instead. */
RpStatus RpMshAnimation_Reverse(RpMshAnimation *animation, RpError *error);
/* Frames 0 on of `other` follow the last frame. nodes[n] is the node of `other` that node n goes on
 * as, or RP_MSH_NONE: it holds its last pose. Null: node by node, RP_INVALID for another number. */
RpStatus RpMshAnimation_Append(RpMshAnimation *animation, const RpMshAnimation *other,
                               const uint32_t *nodes, RpError *error);
/* Which node of `other` has each node's name (Res9), for Append; returns how many found one. Of
 * several nodes of a name, the first goes with the first, and so on. Nameless nodes: none. */
uint32_t RpMsh_MatchNodes(const RpMsh *msh, const RpMsh *other, uint32_t *nodes);
/* Only frames first to last, renumbered from 0. */
RpStatus RpMshAnimation_Range(RpMshAnimation *animation, uint32_t first, uint32_t last,
                              RpError *error);

/* ---- keys ------------------------------------------------------------------------------------ */

/* Drops keys that are not needed to stay, at every frame and eight times in between, within
 * `position` units and `degrees` of what the track was; the first and last keys stay. A track that
 * stays so near its first pose throughout becomes static. Numbers from 0 up; 0 asks for no more
 * than rounding. `dropped` may be null. */
RpStatus RpMshAnimation_Simplify(RpMshAnimation *animation, double position, double degrees,
                                 uint32_t *dropped, RpError *error);
/* A key at every `step`-th frame from 0 on, and at the track's last: the game's pose there. */
RpStatus RpMshAnimation_Resample(RpMshAnimation *animation, uint32_t step, RpError *error);

RP_API_END

#endif
