/* What bench_mesh compares with: poses and queries of mesh objects as a C++ programmer with glm
 * would write them, on arrays decoded beforehand, for the compiler to round as it likes. Only what
 * is measured is there: side A, level 0, no parts, no scale. */
#ifndef RETROPOSE_BENCH_MESH_GLM_H
#define RETROPOSE_BENCH_MESH_GLM_H

#include "retropose/msh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GlmModel GlmModel;
typedef struct GlmObject GlmObject;

GlmModel *Glm_Load(const RpMsh *msh);
void Glm_FreeModel(GlmModel *model);
GlmObject *Glm_NewObject(const GlmModel *model);
void Glm_FreeObject(GlmObject *object);
size_t Glm_ObjectBytes(const GlmObject *object);
void Glm_Pose(GlmObject *object, float frame);
const float *Glm_World(const GlmObject *object, uint32_t node); /* 16 numbers, column by column */
bool Glm_Segment(const GlmObject *object, const float start[3], const float end[3],
                 float *squared_distance);
bool Glm_PushOut(const GlmObject *object, const float centre[3], float radius, float push[3]);
/* Gives the height of the nearest walkable face straight above or below. */
bool Glm_WalkFace(const GlmObject *object, const float point[3], float *height);
bool Glm_IsInside(const GlmObject *object, const float point[3]);
/* Gives the corners of a node's box in the world. With `subtree`, the box also surrounds the nodes
 * below it. */
void Glm_Box(const GlmObject *object, uint32_t node, bool subtree, float corners[8][3]);

#ifdef __cplusplus
}
#endif

#endif
