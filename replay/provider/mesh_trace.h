/* Traces of one mesh object: its pose walk over a range of phases, and at each its bounds and what
 * segments hit, with the outcomes of this library, for other engines to compare themselves with. */
#ifndef RETROPOSE_REPLAY_PROVIDER_MESH_TRACE_H
#define RETROPOSE_REPLAY_PROVIDER_MESH_TRACE_H

#include "retropose/mesh_object.h"

/* A model of the object, and the image that it was made from. */
typedef struct MeshTraceModel {
    const RpModel *model;
    const uint8_t *image;
    size_t size;
} MeshTraceModel;

typedef struct MeshTraceOptions {
    uint32_t steps;         /* phases 0, 1 / steps, ... 1 */
    const char *hypotheses; /* that the object was made with, as a trace's header has them */
} MeshTraceOptions;

/* The object is left at the last phase. *calls is how many the trace has. On failure there is no
 * trace at `path`. */
RpStatus MeshTrace_Write(RpMeshObject *mesh, const MeshTraceModel *models, size_t model_count,
                         const MeshTraceOptions *options, const char *path, uint64_t *calls,
                         RpError *error);

#endif
