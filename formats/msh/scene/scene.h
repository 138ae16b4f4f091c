/* Makes an object in a state from words of the command line: a model, the models that are attached
 * to it, and its settings. docs/reference/mesh.md, "The command", has the grammar of each word. */
#ifndef RETROPOSE_FORMATS_MSH_SCENE_SCENE_H
#define RETROPOSE_FORMATS_MSH_SCENE_SCENE_H

#include "formats/msh/file/model_source.h"
#include "retropose/mesh_object.h"

enum { MESH_SCENE_MOST_MODELS = 64 };

typedef struct MeshScene {
    RpMeshObject *mesh;
    uint32_t model_count; /* part 0, and parts 1, 2 and so on, which are attached */
    ModelSource sources[MESH_SCENE_MOST_MODELS];
    RpModel *models[MESH_SCENE_MOST_MODELS];
    RpMsh streams[MESH_SCENE_MOST_MODELS]; /* for the names of nodes */
} MeshScene;

/* `settings` may be null for the defaults of the SSE build. */
RpStatus MeshScene_Open(MeshScene *scene, const char *root, const RpArithmetic *settings,
                        RpError *error);
void MeshScene_Close(MeshScene *scene); /* needed after an error of MeshScene_Open, too */

/* Attaches "FILE[::MEMBER]@PIECE" as the next part. */
RpStatus MeshScene_Attach(MeshScene *scene, const char *word, RpError *error);

typedef enum MeshSetting {
    MESH_SET_FRAMES,    /* A0,A1[,B0,B1] */
    MESH_SET_PHASE,     /* PHASE[,WEIGHT] */
    MESH_SET_OWN,       /* PIECE=A0,A1,B0,B1,PHASE,WEIGHT */
    MESH_SET_STAGE,     /* PIECE=STAGE or all=STAGE */
    MESH_SET_FLAGS,     /* PIECE=hidden+flying+own+tilted[+subtree], or PIECE=NUMBER */
    MESH_SET_SCALE,     /* X,Y,Z or one number */
    MESH_SET_PLACEMENT, /* X,Y,Z[,DEGREES about z], or 16 numbers */
    MESH_SET_TILT,      /* PIECE=X,Y,Z,X,Y,Z: the two directions */
    MESH_SETTINGS
} MeshSetting;
/* Returns RP_INVALID with the word and what was expected. Does not pose. */
RpStatus MeshScene_Set(MeshScene *scene, MeshSetting setting, const char *word, RpError *error);

void MeshScene_Pose(MeshScene *scene); /* poses under the game's control word */

enum { MESH_NAME_BYTES = 256 };
/* Writes the node's name (Res9) or text (Res10) as UTF-8, or an empty string. For a terminal, bytes
 * that are no letters in Windows-1251 become \xNN. A text that is too long is cut. */
void MeshScene_Name(const MeshScene *scene, int32_t piece, bool for_terminal,
                    char name[MESH_NAME_BYTES]);

/* Reads exactly `count` numbers separated by commas. Returns false for any other text. */
bool MeshScene_Numbers(const char *text, float *numbers, uint32_t count);

#endif
