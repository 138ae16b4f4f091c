/* Declarations that the two files of the library's mesh objects share (mesh_api.c,
 * mesh_api_query.c). */
#ifndef RETROPOSE_ANIMESH_MESH_API_H
#define RETROPOSE_ANIMESH_MESH_API_H

#include "animesh/mesh.h"
#include "ngi32/processor/scope.h"
#include "retropose/mesh_object.h"

/* `counters` must be null in functions that several threads may call at the same time. */
MeshContext MeshApi_Context(const RpMeshObject *mesh, RpPoseCounters *counters);

#endif
