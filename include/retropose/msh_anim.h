/* Animations of models: taken out of the streams, edited, and put back (seed 000 sections 5 to 8).
 *
 * A model has one timeline, which is counted in frames. An RpMshAnimation holds one track of keys
 * for each node: a track of one key is static, a track of more keys is animated. Editing changes
 * tracks. Installing writes Res8, Res19 and the two words of every node that refer to them, and
 * leaves everything else as it was.
 *
 * Whatever needs a pose between keys takes it from RpPose_Sample under the game's control word, so
 * that a new key has the game's own pose. The rotation of a new key is then rounded to 16 bits, as
 * that of every key is. Calls that fail leave the animation as it was.
 */
#ifndef RETROPOSE_MSH_ANIM_H
#define RETROPOSE_MSH_ANIM_H

#include "api.h"
#include "msh.h"

RP_API_BEGIN

typedef struct RpMshTrack {
    RpMshKey *keys; /* times in frames: 0 for the first key, then ascending */
    uint32_t key_count;
} RpMshTrack;

typedef struct RpMshAnimation {
    RpMshTrack *tracks; /* one for each node */
    uint32_t node_count;
    uint32_t frame_count;
    const RpAllocator *allocator;
} RpMshAnimation;

/* Makes an empty animation. A null allocator is the C library's heap. */
void RpMshAnimation_Init(RpMshAnimation *animation, const RpAllocator *allocator);
/* Frees the tracks, and leaves the animation empty. */
void RpMshAnimation_Free(RpMshAnimation *animation);

/* ---- in and out ------------------------------------------------------------------------------ */

typedef enum RpMshExtract {
    /* a node that is not in canonical form is RP_UNSUPPORTED; the error says why */
    RP_MSH_EXTRACT_EXACT,
    /* a node that is not in canonical form gets one key a frame, posed as the game does */
    RP_MSH_EXTRACT_SAMPLE
} RpMshExtract;

/* Fills an initialised, empty animation. A node is in canonical form when it has a track of its own
 * (seed 000 section 5.1) that begins at frame 0, and a map block that is the one which follows from
 * its times (section 5.4). The track of a node without a map is its fallback key. `sampled`, which
 * may be null, receives how many nodes were sampled. RP_UNSUPPORTED also stands for nodes of stride
 * 24, RP_CORRUPT for a fallback that does not exist. */
RpStatus RpMshAnimation_Extract(RpMshAnimation *animation, const RpMsh *msh, RpMshExtract mode,
                                uint32_t *sampled, RpError *error);
/* Writes the tracks into a model with as many nodes. The tracks lie in Res8 one after another in
 * node order, the map blocks are canonical, the attributes are set, and missing streams are added.
 * RP_INVALID is returned, and nothing is changed, for more than 65535 keys, for a map block that
 * would start past word 65534, and for a track that outlasts frame_count. */
RpStatus RpMshAnimation_Install(const RpMshAnimation *animation, RpNResArchive *model,
                                RpError *error);
/* Copies into an initialised, empty animation. The error is RP_NO_MEMORY, and leaves the copy
 * empty. */
RpStatus RpMshAnimation_Copy(RpMshAnimation *copy, const RpMshAnimation *animation, RpError *error);

/* Poses one node at a time in frames, as the game would pose it from the installed tracks. The
 * quaternion is w, x, y, z as in memory (seed 000 section 3.4); the position is in the parent.
 * RP_INVALID stands for a node that does not exist, and for a track that RpMshAnimation_SetTrack
 * would not take. */
RpStatus RpMshAnimation_Sample(const RpMshAnimation *animation, uint32_t node, float time,
                               float quaternion[4], float position[3], RpError *error);

/* ---- tracks ---------------------------------------------------------------------------------- */

/* Copies `keys` as a node's new track. The timeline grows when the keys need more frames.
 * RP_INVALID stands for a node that does not exist, and for keys that do not begin at time 0, do
 * not ascend, are not finite, or reach past frame 16777215; also for none at all. */
RpStatus RpMshAnimation_SetTrack(RpMshAnimation *animation, uint32_t node, const RpMshKey *keys,
                                 uint32_t key_count, RpError *error);
/* Replaces a track by one key: the pose at `time`. Errors are those of RpMshAnimation_Sample. */
RpStatus RpMshAnimation_ClearTrack(RpMshAnimation *animation, uint32_t node, float time,
                                   RpError *error);
/* Makes every track static whose keys are all the same bit for bit, and returns how many it made
 * so. */
uint32_t RpMshAnimation_MakeStatic(RpMshAnimation *animation);

/* ---- time ------------------------------------------------------------------------------------ */

/* Multiplies every time, and the timeline's last frame, by `ratio`, and rounds them to whole
 * frames. When several keys fall on one frame, the track's first and last key win, and else the key
 * that was nearest to the frame. `dropped`, which may be null, counts the others. RP_INVALID stands
 * for a ratio that is not positive. */
RpStatus RpMshAnimation_Retime(RpMshAnimation *animation, double ratio, uint32_t *dropped,
                               RpError *error);
/* Does the same, to a given number of frames. Stretching a single frame is RP_INVALID. */
RpStatus RpMshAnimation_RetimeTo(RpMshAnimation *animation, uint32_t frame_count, uint32_t *dropped,
                                 RpError *error);
/* Reverses time: frame f becomes frame_count - 1 - f. A track that ended early then begins by
 * holding what was its last pose. The error is RP_NO_MEMORY. */
RpStatus RpMshAnimation_Reverse(RpMshAnimation *animation, RpError *error);
/* Adds the frames of `other` behind the last frame. nodes[n] is the node of `other` that node n
 * continues as; with RP_MSH_NONE node n holds its last pose. A null `nodes` pairs the nodes by
 * number, and another node count is then RP_INVALID. */
RpStatus RpMshAnimation_Append(RpMshAnimation *animation, const RpMshAnimation *other,
                               const uint32_t *nodes, RpError *error);
/* Fills `nodes` for RpMshAnimation_Append: for each node the node of `other` with the same name
 * (Res9). Of several nodes with one name, the first goes with the first, and so on. Nodes without a
 * name get RP_MSH_NONE. *matched becomes the number of nodes that found a partner. This takes
 * n log n steps, and memory out of `allocator` (null: malloc) that is given back. The error is
 * RP_NO_MEMORY. */
RpStatus RpMsh_MatchNodes(const RpMsh *msh, const RpMsh *other, const RpAllocator *allocator,
                          uint32_t *nodes, uint32_t *matched, RpError *error);
/* Keeps only the frames first to last and renumbers them from 0. RP_INVALID stands for a range that
 * is empty or reaches past the timeline. */
RpStatus RpMshAnimation_Range(RpMshAnimation *animation, uint32_t first, uint32_t last,
                              RpError *error);

/* ---- keys ------------------------------------------------------------------------------------ */

/* Drops the keys without which the track stays within `position` units and `degrees` of what it
 * was, at every frame and at eight times between two frames. The first and the last key stay. A
 * track that stays so near its first pose throughout becomes static. Both limits are 0 or more; 0
 * allows no more than rounding. `dropped` may be null. RP_INVALID stands for a limit below 0. */
RpStatus RpMshAnimation_Simplify(RpMshAnimation *animation, double position, double degrees,
                                 uint32_t *dropped, RpError *error);
/* Replaces every track by the game's poses at every `step`-th frame from 0 on and at the track's
 * last frame. RP_INVALID stands for a step of 0, and for a track that would have more than 65535
 * keys. */
RpStatus RpMshAnimation_Resample(RpMshAnimation *animation, uint32_t step, RpError *error);

RP_API_END

#endif
