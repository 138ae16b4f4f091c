/* Gives a model to pose, which is read from a file, or built here for those who have no game at
 * hand.
 *
 * A `.msh` model is an NRes image: a header, some streams, and a directory that tells them apart by
 * type. Poses need three of them: Res1 has the nodes, Res8 the keys, and Res19 the frame map. */
#ifndef RETROPOSE_EXAMPLES_MODEL_IMAGE_H
#define RETROPOSE_EXAMPLES_MODEL_IMAGE_H

#include <stddef.h>
#include <stdint.h>

typedef struct ModelStream {
    uint32_t type;
    /* the element count, the frame count in Res19, and the stride, depending on the type */
    uint32_t attr1, attr2, attr3;
    const void *data;
    uint32_t size;
} ModelStream;

/* All three functions return bytes to be released with free(), or null. */

/* Writes an NRes image of these streams. */
uint8_t *ModelImage_Write(const ModelStream *streams, uint32_t count, size_t *size);
/* Makes a tiny model of three nodes and frames 0 to 8: a body that walks and turns, an arm that
 * swings, and a hand. */
uint8_t *ModelImage_Tiny(size_t *size);
/* Reads a file as it is. */
uint8_t *ModelImage_Read(const char *path, size_t *size);

#endif
