/* Where a sphere touches a face: the routines 0x1000E900 and 0x1000EB70 with the nearest point,
 * which a push needs for its direction. */
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
