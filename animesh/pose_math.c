/* The library's functions for posing, under the arithmetic of their caller. AniMesh.dll also uses
 * them as long as the entries of g_FastProc are our own. */
#include "animesh/sample.h"

#include "ngi32/arc_readings.h"

void Pose_Interpolate(const PoseContext *context, const float q0[4], const float q1[4], float t,
                      float result[4]) {
    const ArcWay way = Arc_Interpolate(context->arithmetic, q0, q1, t, result);
    RpPoseCounters *counters = context->counters;
    if (counters)
        (*(way == ARC_BY_CORE  ? &counters->by_core
           : way == ARC_BY_X87 ? &counters->by_x87
                               : &counters->refused))++;
}

void Pose_ToMatrix(const PoseContext *context, const float q[4], float m[16]) {
    RpQuaternion_ToMatrix(context->arithmetic, q, m);
}

const PoseMath Pose_LibraryMath = POSE_LIBRARY_MATH;
