/* The library's functions for posing, by the arithmetic of their caller. AniMesh.dll takes them,
 * too, while the entries of g_FastProc are our own. */
#include "animesh/sample.h"

void Pose_Interpolate(const PoseContext *context, const float q0[4], const float q1[4], float t,
                      float result[4]) {
    RpQuaternion_Interpolate(context->arithmetic, q0, q1, t, result);
}

void Pose_ToMatrix(const PoseContext *context, const float q[4], float m[16]) {
    RpQuaternion_ToMatrix(context->arithmetic, q, m);
}

const PoseMath Pose_LibraryMath = POSE_LIBRARY_MATH;
