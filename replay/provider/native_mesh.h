/* Serves the functions of AniMesh's mesh object for the native provider: those whose signature has
 * a `state`, and the functions of numbers that belong to them. */
#ifndef RETROPOSE_REPLAY_PROVIDER_NATIVE_MESH_H
#define RETROPOSE_REPLAY_PROVIDER_NATIVE_MESH_H

#include "replay/image/mesh_image.h"

typedef struct MeshFunction MeshFunction;

/* Returns the function of a row, or null if the library has no such function. */
const MeshFunction *MeshFunction_Find(const AbiFunction *function);

/* The conditions under which calls run. */
typedef struct MeshCalls {
    MeshStates *states; /* null where there is no memory of a trace */
    const TraceReader *reader;
    const RpArithmetic *settings; /* the settings of the slots that poses use */
    /* the settings of slots 26 and 28, whose builds `settings` does not distinguish */
    RpArithmetic product;
    /* Takes the place of slots 17 and 22; null stands for the library's own. Its context has
     * `settings`. */
    void (*interpolate)(const PoseContext *context, const float q0[4], const float q1[4], float t,
                        float result[4]);
} MeshCalls;

/* Makes a call. `in` and `out` are its checked inputs and its outputs, as a trace lays them out.
 * Returns false if such a call is not possible here. *outside says that the call changed something
 * that no output shows. */
bool MeshFunction_Call(const MeshFunction *function, const MeshCalls *calls, const float *in,
                       float *out, bool *outside);

#endif
