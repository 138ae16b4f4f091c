/* A model to pose: read from a file, or built here for those who have no game at hand.
 *
 * A `.msh` model is an NRes image: a header, some streams, and a directory that tells them apart by
 * type. Poses need three of them: Res1 the nodes, Res8 the keys, Res19 the frame map.
 */
#ifndef RETROPOSE_EXAMPLES_MODEL_IMAGE_H
#define RETROPOSE_EXAMPLES_MODEL_IMAGE_H

#include <stddef.h>
#include <stdint.h>

typedef struct ModelStream {
    uint32_t type;
    uint32_t attr1, attr2, attr3; /* element count, frame count of Res19, stride: by type */
    const void *data;
    uint32_t size;
} ModelStream;

/* All three return bytes to free(), or null. */

/* An NRes image of these streams. */
uint8_t *ModelImage_Write(const ModelStream *streams, uint32_t count, size_t *size);
/* A body that walks and turns, an arm that swings, a hand: three nodes, frames 0 to 8. */
uint8_t *ModelImage_Tiny(size_t *size);
/* A file as it is. */
uint8_t *ModelImage_Read(const char *path, size_t *size);

#endif
