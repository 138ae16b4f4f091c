/* Finds out where a sphere touches a face. These are the routines 0x1000E900 and 0x1000EB70, which
 * here also give the nearest point, because a push needs it for its direction. */
#ifndef RETROPOSE_ANIMESH_MESH_TOUCH_H
#define RETROPOSE_ANIMESH_MESH_TOUCH_H

#include "animesh/mesh.h"

typedef struct Touch {
    float distance;
    float direction[3]; /* from the nearest point to the centre */
} Touch;

/* Returns false and writes nothing if the sphere does not touch the face from its front. */
bool Touch_Face(const MeshFace *face, const float centre[3], float radius, Touch *touch);

#endif
