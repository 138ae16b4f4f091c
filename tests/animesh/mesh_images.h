/* Images of models made of boxes (examples/model_boxes.h), and functions to damage them. */
#ifndef RETROPOSE_TESTS_ANIMESH_MESH_IMAGES_H
#define RETROPOSE_TESTS_ANIMESH_MESH_IMAGES_H

#include "core/bytes.h"
#include "model_boxes.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Image {
    uint8_t *bytes;
    size_t size;
} Image;

Image Image_Make(const ModelBox *boxes, uint32_t count, uint32_t frames);
Image Image_Copy(const Image *image);
void Image_Free(Image *image);
/* Return the directory record and the payload of a type. */
uint8_t *Image_Record(const Image *image, uint32_t type);
uint8_t *Image_Stream(const Image *image, uint32_t type);

/* A body from (-2,-2,0) to (2,2,1). On it, at (0,0,1), is a head from (-1,-1,0) to (1,1,2), which
 * has the label "a central socket" and moves by (0,0,4) in 8 frames. On the head, at (0,1,2), is an
 * eye of half a unit each way. The three nodes have three stages, one and none. */
Image Image_Body(void);
/* Node 0 is a socket. In it, at (0,2,0), is a barrel from (0,0,0) to (1,6,1) with flags 0x800. At
 * the barrel's end, at (0,6,0), is a muzzle without geometry. */
Image Image_Gun(void);

#endif
