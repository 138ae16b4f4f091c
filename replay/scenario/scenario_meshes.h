/* Makes the mesh objects that scenarios call: models in the shape of the game's, merged into
 * objects by the library, in states of every kind. No matrix in them is computed, so an object has
 * the same bytes on every processor. */
#ifndef RETROPOSE_REPLAY_SCENARIO_SCENARIO_MESHES_H
#define RETROPOSE_REPLAY_SCENARIO_SCENARIO_MESHES_H

#include "replay/image/mesh_image.h"
#include "replay/scenario/values.h"

#define MESH_MODELS  40
#define MESH_OBJECTS 160
/* The number of one more model, which no scenario uses. Under no reading do its keys turn anything,
 * so calls with it show only the other open readings of poses (docs/use/calibrate.md). */
#define MESH_STILL_MODEL  MESH_MODELS
#define MESH_STILL_OBJECT MESH_OBJECTS
#define MESH_ALL_MODELS   (MESH_MODELS + 1)
#define MESH_ALL_OBJECTS  (MESH_OBJECTS + 1)
#define MESH_VECTOR_POOLS 4
#define MESH_POOL_VECTORS 64
#define MESH_MOST_PARTS   6

struct ScenarioContext;
struct ScenarioSink;

/* What a maker of calls needs to know of an object. */
typedef struct MeshObject {
    Mesh mesh;
    uint32_t part_tags[MESH_MOST_PARTS]; /* part_tags[0] is 0, that of the root */
    uint32_t parts;
} MeshObject;

/* The times of an object. Quarters of a frame are exact in every order of operations. */
typedef struct MeshTimes {
    int32_t a_first, a_last, b_first, b_last;
    uint32_t phase, weight; /* as bits of binary32 */
    /* the phase in quarters, or -1 if it is not a whole number of quarters */
    int32_t quarters;
} MeshTimes;
/* Draws times such that at least one side counts at each phase between 0 and 1
 * (docs/reference/arithmetic.md, BlendPoses). */
void MeshTimes_Draw(Random *random, uint32_t frames, MeshTimes *times);
/* Return a time of side A or B at the phase, as bits of binary32. `quarters` must not be -1. */
uint32_t MeshTimes_A(const MeshTimes *times);
uint32_t MeshTimes_B(const MeshTimes *times);

/* Draws a rotation and a translation, row by row. */
void Placement_Draw(Random *random, uint32_t matrix[16]);
/* Draws the flag at +0x154 of an object and the three numbers after it. */
void Scale_Draw(Random *random, uint32_t scaled[4]);

/* Returns an object, or null with context->status set if it cannot be made. */
const MeshObject *Meshes_Object(struct ScenarioContext *context, uint32_t object);
void Meshes_Free(struct ScenarioContext *context);

/* Hands out one of the memories of these objects. First calls `write` for each memory to which it
 * points. */
RpStatus Meshes_Memory(struct ScenarioContext *context, uint32_t id,
                       const struct ScenarioSink *sink, RpStatus (*write)(void *user, uint32_t id),
                       void *user);

#endif
