/* Makes traces of one mesh object: its pose walk over a range of phases, and at each phase its
 * bounds and what segments hit, with this library's outcomes, so that other engines can compare
 * themselves with it. */
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
    uint32_t steps; /* the phases are 0, 1 / steps, ... 1 */
    /* the readings with which the object was made, as in a trace's header */
    const char *readings;
} MeshTraceOptions;

/* Writes the trace, and leaves the object at the last phase. *calls gets the number of calls in the
 * trace. After a failure there is no trace at `path`. */
RpStatus MeshTrace_Write(RpMeshObject *mesh, const MeshTraceModel *models, size_t model_count,
                         const MeshTraceOptions *options, const char *path, uint64_t *calls,
                         RpError *error);

#endif
