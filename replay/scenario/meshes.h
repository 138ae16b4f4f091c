/* The mesh objects that scenarios call: models in the shape of the game's, merged into objects by
 * the library, in states of every kind. No matrix in them is computed: an object's bytes are the
 * same whatever the processor. */
#ifndef RETROPOSE_REPLAY_SCENARIO_MESHES_H
#define RETROPOSE_REPLAY_SCENARIO_MESHES_H

#include "replay/image/mesh_image.h"
#include "replay/scenario/values.h"

#define MESH_MODELS  40
#define MESH_OBJECTS 160
/* One more, which no scenario draws: without keys that any reading could turn, so that what is left
 * open of poses shows alone (docs/use/calibrate.md). */
#define MESH_STILL_MODEL  MESH_MODELS
#define MESH_STILL_OBJECT MESH_OBJECTS
#define MESH_ALL_MODELS   (MESH_MODELS + 1)
#define MESH_ALL_OBJECTS  (MESH_OBJECTS + 1)
#define MESH_VECTOR_POOLS 4
#define MESH_POOL_VECTORS 64
#define MESH_MOST_PARTS   6

struct ScenarioContext;

/* What a maker of calls has to know of a piece. */
typedef struct MeshObject {
    Mesh mesh;
    uint32_t part_tags[MESH_MOST_PARTS]; /* [0] is 0, the root's */
    uint32_t parts;
} MeshObject;

/* Where an object spends its time; quarters of a frame are exact whatever the steps. */
typedef struct MeshTimes {
    int32_t a_first, a_last, b_first, b_last;
    uint32_t phase, weight; /* bits */
    int32_t quarters;       /* of the phase; -1: it is none */
} MeshTimes;
/* Some side counts at each phase between 0 and 1 (docs/reference/arithmetic.md, BlendPoses). */
void MeshTimes_Draw(Random *random, uint32_t frames, MeshTimes *times);
/* A time of side A or B, as bits; quarters must not be -1. */
uint32_t MeshTimes_A(const MeshTimes *times);
uint32_t MeshTimes_B(const MeshTimes *times);

/* A turn and a translation, row by row. */
void Placement_Draw(Random *random, uint32_t matrix[16]);
/* Flag +0x154 and the three numbers. */
void Scale_Draw(Random *random, uint32_t scaled[4]);

/* Null with context->status set. */
const MeshObject *Meshes_Object(struct ScenarioContext *context, uint32_t object);
void Meshes_Free(struct ScenarioContext *context);

/* The memories of all this; `write` is called for each of those that it points to first. */
RpStatus Meshes_Memory(struct ScenarioContext *context, uint32_t id, TraceWriter *writer,
                       RpStatus (*write)(void *user, uint32_t id), void *user);

#endif
