/* The functions of AniMesh's mesh object for the native provider: those whose signature has a
 * `state`, and those with numbers that belong to them. */
#ifndef RETROPOSE_REPLAY_PROVIDER_MESH_H
#define RETROPOSE_REPLAY_PROVIDER_MESH_H

#include "replay/image/mesh_image.h"

typedef struct MeshFunction MeshFunction;

/* Returns null where the library has no such function. */
const MeshFunction *MeshFunction_Find(const AbiFunction *function);

/* The conditions under which calls run. */
typedef struct MeshCalls {
    MeshStates *states; /* null: there is no memory for any */
    const TraceReader *reader;
    const RpArithmetic *settings; /* for the slots that poses use */
    RpArithmetic product; /* for slots 26 and 28, whose builds the settings do not distinguish */
    /* Takes the place of slots 17 and 22; null: the library's. Its context has `settings`. */
    void (*interpolate)(const PoseContext *context, const float q0[4], const float q1[4], float t,
                        float result[4]);
} MeshCalls;

/* `in` and `out` are a call's checked inputs and its outputs, as a trace lays them out. Returns
 * false where such a call is not possible here. *outside says that the call changed something
 * that no output shows. */
bool MeshFunction_Call(const MeshFunction *function, const MeshCalls *calls, const float *in,
                       float *out, bool *outside);

#endif
