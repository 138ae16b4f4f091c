#include "exports/call_graph.h"

#include <string.h>

/* X(caller, callee, source). There is no row between slots 17 and 22, because they are one routine.
 * Setters and getters that only copy have no row either. The steps are those of
 * docs/reference/arithmetic.md. */
/* clang-format off */
#define ABI_CALLS(X) \
    X("ngi32.DirectionalLights", "ngi32.DirectionalCosine", "facts/ngi32.md B.3") \
    X("animesh.SampleNode", "ngi32.slot17", "facts/animesh.md E.4") \
    X("animesh.BlendPoses", "animesh.SampleNode", "facts/animesh.md E.5") \
    X("animesh.BlendPoses", "ngi32.slot22", "facts/animesh.md E.5") \
    X("animesh.BlendPoses", "ngi32.slot14", "facts/animesh.md E.5") \
    X("animesh.BlendPoses", "animesh.SetColumn", "facts/animesh.md E.5") \
    X("animesh.PoseWalk", "animesh.BlendPoses", "facts/animesh.md E.7") \
    X("animesh.PoseWalk", "ngi32.slot28", "facts/animesh.md E.7") \
    X("animesh.PoseWalk", "ngi32.slot17", "facts/animesh.md E.7") \
    X("animesh.PoseWalk", "ngi32.slot14", "facts/animesh.md E.7") \
    X("animesh.MeshBounds", "animesh.PoseWalk", "facts/animesh.md E.11") \
    X("animesh.MeshBounds", "animesh.FillBoxCorners", "facts/animesh.md E.11") \
    X("animesh.SphereTouchesFace", "animesh.SphereTouchesEdge", "facts/animesh.md E.16") \
    X("animesh.IAnimation.4", "animesh.PoseWalk", "facts/animesh.md E.7") \
    X("animesh.IAnimation.8", "animesh.ClearPoseCache", "facts/animesh.md E.9") \
    X("animesh.IAnimation.18", "animesh.FindSlot", "facts/animesh.md C.5") \
    X("animesh.IAnimation.31", "ngi32.slot17", "facts/animesh.md E.10") \
    X("animesh.IAnimation.32", "animesh.BlendPoses", "facts/animesh.md C.5") \
    X("animesh.IMesh2.6", "animesh.IJointMesh.10", "facts/animesh.md E.14") \
    X("animesh.IMesh2.7", "animesh.PointOverTriangle", "facts/animesh.md E.15") \
    X("animesh.IMesh2.15", "animesh.ClearPoseCache", "facts/animesh.md E.12") \
    X("animesh.IMesh2.15", "animesh.PoseWalk", "facts/animesh.md E.12") \
    X("animesh.IJointMesh.3", "animesh.IJointMesh.4", "facts/animesh.md E.11") \
    X("animesh.IJointMesh.4", "animesh.FillBoxCorners", "facts/animesh.md E.11") \
    X("animesh.IJointMesh.4", "animesh.FindSlot", "facts/animesh.md E.11") \
    X("animesh.IJointMesh.5", "animesh.IJointMesh.4", "facts/animesh.md E.11") \
    X("animesh.IJointMesh.10", "animesh.FindSlot", "facts/animesh.md E.14") \
    X("animesh.IJointMesh.10", "ngi32.slot26", "facts/animesh.md E.14") \
    X("animesh.IJointMesh.10", "ngi32.slot45", "facts/animesh.md E.14") \
    X("animesh.IJointMesh.10", "ngi32.mrnPointInPoly", "facts/animesh.md E.14") \
    X("animesh.ICollisionMesh.2", "animesh.PointOverTriangle", "facts/animesh.md E.15") \
    X("animesh.ICollisionMesh.3", "animesh.SphereTouchesFace", "facts/animesh.md E.16") \
    X("animesh.ICollisionMesh.3", "ngi32.slot45", "facts/animesh.md E.16")
/* clang-format on */

#define CALL_ROW(caller_, callee_, source_)                                                        \
    {.caller = caller_, .callee = callee_, .source = source_},
const AbiCall abi_calls[] = {ABI_CALLS(CALL_ROW)};
const size_t abi_call_count = sizeof abi_calls / sizeof *abi_calls;

static bool Reaches(const char *caller, const char *callee) {
    for (size_t i = 0; i < abi_call_count; i++)
        if (strcmp(abi_calls[i].caller, caller) == 0 &&
            (strcmp(abi_calls[i].callee, callee) == 0 || Reaches(abi_calls[i].callee, callee)))
            return true;
    return false;
}

bool Abi_Reaches(const AbiFunction *caller, const AbiFunction *callee) {
    return caller != callee && Reaches(caller->key, callee->key);
}
