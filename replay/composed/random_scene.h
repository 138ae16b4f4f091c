/* Makes random objects: models of random_model.h, attached to each other, scaled, placed, tilted
 * and flying, and questions that are aimed at their faces. What was done to an object is written
 * down as JSON, so that another implementation can do the same (tests/animesh/brute). */
#ifndef RETROPOSE_REPLAY_COMPOSED_RANDOM_SCENE_H
#define RETROPOSE_REPLAY_COMPOSED_RANDOM_SCENE_H

#include "replay/composed/random_model.h"
#include "retropose/mesh_object.h"

enum { RANDOM_SCENE_MODELS = 4, RANDOM_SCENE_AIMS = 4000 };

typedef struct RandomAim {
    float corners[3][3], normal[3]; /* in world space */
} RandomAim;

typedef struct RandomScene {
    Random random;
    bool exact;
    RpStatus status;
    RpArithmetic settings;
    RandomModel models[RANDOM_SCENE_MODELS];
    RpModel *loaded[RANDOM_SCENE_MODELS];
    uint32_t model_count, next_part;
    RpMeshObject *mesh;
    float scale[3], phase[2];
    int32_t frames[4];
    RpBuffer text; /* a JSON text of what was done */
    RandomAim aims[RANDOM_SCENE_AIMS];
    uint32_t aim_count;
} RandomScene;

/* Makes the scene of this number, whose contents are to be freed whatever the status. A status
 * other than RP_OK means that memory is short. If `settings` is null, they are drawn, too. */
RpStatus RandomScene_Make(uint64_t seed, uint64_t index, const RpArithmetic *settings,
                          RandomScene *scene);
void RandomScene_Free(RandomScene *scene);

/* Changes all times, those of side B alone, or the weight alone. */
void RandomScene_ChangeTimes(RandomScene *scene);

/* Finds all faces as they are posed now, for the questions below. */
void RandomScene_CollectAims(RandomScene *scene);
int32_t RandomScene_Piece(RandomScene *scene);
RpMeshFilter RandomScene_Filter(RandomScene *scene);
void RandomScene_Point(RandomScene *scene, float point[3]);
void RandomScene_Segment(RandomScene *scene, float start[3], float end[3]);
void RandomScene_Stand(RandomScene *scene, float point[3]);
/* Chooses a sphere and returns its radius. */
float RandomScene_Sphere(RandomScene *scene, float centre[3]);

#endif
