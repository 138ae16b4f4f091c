/* What the files of the public library share. */
#ifndef RETROPOSE_ANIMESH_MESH_API_H
#define RETROPOSE_ANIMESH_MESH_API_H

#include "animesh/mesh.h"
#include "retropose/mesh_object.h"

/* Without counters for whatever several threads may do at a time. */
MeshContext MeshApi_Context(const RpMeshObject *mesh, RpPoseCounters *counters);

#endif
