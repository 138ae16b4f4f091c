/* An object in a state, from words as a command line has them: a model, what is attached to it, and
 * what is set. The grammar of each word is in docs/reference/mesh.md, "The command". */
#ifndef RETROPOSE_FORMATS_MSH_SCENE_SCENE_H
#define RETROPOSE_FORMATS_MSH_SCENE_SCENE_H

#include "formats/msh/file/model_source.h"
#include "retropose/mesh_object.h"

enum { MESH_SCENE_MOST_MODELS = 64 };

typedef struct MeshScene {
    RpMeshObject *mesh;
    uint32_t model_count; /* part 0, then what is attached: part 1, 2, ... */
    ModelSource sources[MESH_SCENE_MOST_MODELS];
    RpModel *models[MESH_SCENE_MOST_MODELS];
    RpMsh streams[MESH_SCENE_MOST_MODELS]; /* for names */
} MeshScene;

/* `settings` may be null: the defaults of the SSE build. */
RpStatus MeshScene_Open(MeshScene *scene, const char *root, const RpPoseSettings *settings,
                        RpError *error);
void MeshScene_Close(MeshScene *scene); /* also after an error of Open */

/* "FILE[::MEMBER]@PIECE": the next part. */
RpStatus MeshScene_Attach(MeshScene *scene, const char *word, RpError *error);

typedef enum MeshSetting {
    MESH_SET_FRAMES,    /* A0,A1[,B0,B1] */
    MESH_SET_PHASE,     /* PHASE[,WEIGHT] */
    MESH_SET_OWN,       /* PIECE=A0,A1,B0,B1,PHASE,WEIGHT */
    MESH_SET_STAGE,     /* PIECE=STAGE */
    MESH_SET_FLAGS,     /* PIECE=hidden+flying+own+tilted[+subtree], or PIECE=NUMBER */
    MESH_SET_SCALE,     /* X,Y,Z or one number */
    MESH_SET_PLACEMENT, /* X,Y,Z[,DEGREES about z], or 16 numbers */
    MESH_SET_TILT,      /* PIECE=X,Y,Z,X,Y,Z: from, to */
    MESH_SETTINGS
} MeshSetting;
/* RP_INVALID with the word, and what was expected. Poses nothing. */
RpStatus MeshScene_Set(MeshScene *scene, MeshSetting setting, const char *word, RpError *error);

void MeshScene_Pose(MeshScene *scene); /* under the game's control word */

/* The node's name (Res9) or text (Res10), or an empty string. */
void MeshScene_Name(const MeshScene *scene, int32_t piece, char *name, size_t size);

/* Exactly `count` numbers, separated by commas; false for anything else. */
bool MeshScene_Numbers(const char *text, float *numbers, uint32_t count);

#endif
