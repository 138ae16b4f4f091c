/* Makes random models to ask questions about: trees of nodes with triangles of every awkward kind.
 *
 * An exact model has small whole coordinates, faces along the axes, and turns of 180 degrees only.
 * What its queries compute is exact in binary32, so that ties are true ties and do not depend on
 * rounding. */
#ifndef RETROPOSE_REPLAY_COMPOSED_RANDOM_MODEL_H
#define RETROPOSE_REPLAY_COMPOSED_RANDOM_MODEL_H

#include "replay/scenario/values.h"
#include "retropose/error.h"
#include "retropose/memory.h"

enum { RANDOM_MODEL_VARIANTS = 3, RANDOM_MODEL_LIMIT = 400 };

typedef struct RandomTriangle {
    uint32_t node, variant;
    float corners[3][3]; /* in the node's space */
} RandomTriangle;

typedef struct RandomModel {
    RpBuffer image;
    uint32_t node_count, frame_count;
    /* All triangles of the model, so that questions can aim at them. */
    RandomTriangle triangles[RANDOM_MODEL_LIMIT];
    uint32_t triangle_count;
} RandomModel;

typedef struct RandomModelSpec {
    bool exact;
    uint32_t nodes;
} RandomModelSpec;

/* Makes a model, which is to be freed whatever the status. A status other than RP_OK means that
 * memory is short. */
RpStatus RandomModel_Make(Random *random, const RandomModelSpec *spec, RandomModel *model);
void RandomModel_Free(RandomModel *model);

/* Returns a multiple of one half if `exact` is set, otherwise any number. */
float Random_Coordinate(Random *random, bool exact, int32_t reach);

#endif
