/* What the files of the public library share. */
#ifndef RETROPOSE_ANIMESH_MESH_API_H
#define RETROPOSE_ANIMESH_MESH_API_H

#include "animesh/mesh.h"
#include "retropose/mesh.h"

/* Without counters for whatever several threads may do at a time. */
MeshContext MeshApi_Context(const RpMesh *mesh, RpPoseCounters *counters);

#endif
