/* The functions of AniMesh's mesh object for the native provider: those whose signature has a
 * `state`, and those of numbers that go with them. */
#ifndef RETROPOSE_REPLAY_PROVIDER_MESH_H
#define RETROPOSE_REPLAY_PROVIDER_MESH_H

#include "replay/image/mesh_image.h"

typedef struct MeshFunction MeshFunction;

/* Null when there is none. */
const MeshFunction *MeshFunction_Find(const AbiFunction *function);

/* What calls run under. */
typedef struct MeshCalls {
    MeshStates *states; /* null: no memory for any */
    const TraceReader *reader;
    const RpPoseSettings *settings; /* of the slots that poses reach */
    RpBuild product_build;          /* of slots 26 and 28, whose builds are not told apart there */
} MeshCalls;

/* `in` and `out`: a call's checked inputs and its outputs, as a trace lays them out. False: such a
 * call is not possible here. *outside: it changed what no output shows. */
bool MeshFunction_Call(const MeshFunction *function, const MeshCalls *calls, const float *in,
                       float *out, bool *outside);

#endif
