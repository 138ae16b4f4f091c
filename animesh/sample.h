/* Samples one node at one time, and blends it between two times: AniMesh 0x10012880 and 0x10012560
 * over streams. The library and AniMesh.dll share this. */
#ifndef RETROPOSE_ANIMESH_SAMPLE_H
#define RETROPOSE_ANIMESH_SAMPLE_H

#include "ngi32/exact/sum.h"
#include "retropose/pose.h"

#include <stdbool.h>

typedef struct PoseContext PoseContext;

/* The entries of g_FastProc that posing calls. The DLL calls them through the table of Ngi32.dll.
 * The library calls those of the build that its caller chose. */
typedef struct PoseMath {
    void (*interpolate)(const PoseContext *context, const float q0[4], const float q1[4], float t,
                        float result[4]); /* slot 17 */
    void (*blend)(const PoseContext *context, const float q0[4], const float q1[4], float t,
                  float result[4]);                                               /* slot 22 */
    void (*to_matrix)(const PoseContext *context, const float q[4], float m[16]); /* slot 14 */
    bool is_librarys; /* all of them are the library's: the exact core may be used instead of
                         calling them */
} PoseMath;

/* The library's function for interpolation. Slots 17 and 22 of the table are one routine. */
void Pose_Interpolate(const PoseContext *context, const float q0[4], const float q1[4], float t,
                      float result[4]);
void Pose_ToMatrix(const PoseContext *context, const float q[4], float m[16]);
#define POSE_LIBRARY_MATH                                                                          \
    {                                                                                              \
        .interpolate = Pose_Interpolate, .blend = Pose_Interpolate, .to_matrix = Pose_ToMatrix,    \
        .is_librarys = true                                                                        \
    }
extern const PoseMath Pose_LibraryMath;

struct PoseContext {
    const RpSkeleton *skeleton;
    bool bounded; /* false: the streams' sizes are unknown, and reads go where the original's go */
    const RpArithmetic *arithmetic; /* the build in it counts for the library's PoseMath only */
    const PoseMath *math;
    RpPoseCounters *counters; /* may be null */
    const RpClip *clip; /* the skeleton's clip, or null; only functions that pose whole skeletons
                           look at it */
};

/* Returns the context with which the library samples under these settings. `skeleton` and
 * `counters` may be null. */
PoseContext Pose_Context(const RpSkeleton *skeleton, const RpArithmetic *settings,
                         RpPoseCounters *counters);

void Pose_Sample(const PoseContext *context, uint32_t node, float t, float quaternion[4],
                 float position[3]);

/* Checks that every parent comes before its child (otherwise RP_INVALID), and gives the parents of
 * the first `room` nodes; -1 means none. */
RpStatus Pose_ReadParents(const RpSkeleton *skeleton, int32_t *parents, uint32_t room,
                          RpError *error);

/* A key of Res8, with its members as in the file. */
typedef struct PoseKey {
    float position[3];
    float time;
    int16_t rotation[4];
} PoseKey;

/* Returns the frame whose word of the frame map leads to the keys around a time: the low dword of a
 * 64-bit FISTP of t - 0.5, which is 0 for NaN, infinities and all else that 64 bits cannot hold. */
uint32_t Pose_FrameAt(float t);
/* Returns whether the core takes all steps of a sample except for the interpolation of rotations.
 */
bool Pose_IsExact(const RpArithmetic *arithmetic);
/* Returns whether the core takes all steps of a blend of two samples except for the interpolation
 * of rotations. */
bool Pose_BlendsExactly(const RpArithmetic *arithmetic);
/* Returns whether the core may also be used instead of the context's functions, and in which order
 * it adds up dot products. */
bool Pose_IsByCore(const PoseContext *context, ExactSum *order);
/* Samples between two keys, of which the first one begins the segment that t is in. If `second` is
 * null, the first key is the track's last one, and its pose holds. No stream is read. */
void Pose_SampleKeys(const PoseContext *context, const PoseKey *first, const PoseKey *second,
                     float t, float quaternion[4], float position[3]);

/* Blends two times of a node. If neither side's condition holds, the result is the identity and is
 * counted as undefined. */
void Pose_Blend(const PoseContext *context, uint32_t node, float t_a, float t_b, float weight,
                float matrix[16]);

#endif
