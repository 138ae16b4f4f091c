/* The structs behind the types of the public header retropose/mesh_object.h. */
#ifndef RETROPOSE_ANIMESH_MESH_STRUCTS_H
#define RETROPOSE_ANIMESH_MESH_STRUCTS_H

#include "animesh/mesh.h"
#include "retropose/mesh_object.h"

/* The reader is the first member, so that a piece, which points to the reader, also points to the
 * whole model. */
struct RpModel {
    Reader reader; /* as the game's loader fills it */
    MeshModel model;
    const RpAllocator *allocator;
};

struct RpMeshObject {
    Mesh mesh;
    RpArithmetic arithmetic;
    RpPoseCounters counters;
    const RpAllocator *allocator;
};

static inline const RpModel *MeshObject_ModelOf(const Reader *reader) {
    return (const RpModel *)(const void *)reader;
}
_Static_assert(offsetof(struct RpModel, reader) == 0, "a reader is found by its address");

#endif
