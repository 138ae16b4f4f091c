/* Makes models of boxes with every stream that the game's loader asks for. They give those who have
 * no game at hand something to pose, to measure and to shoot at. */
#ifndef RETROPOSE_EXAMPLES_MODEL_BOXES_H
#define RETROPOSE_EXAMPLES_MODEL_BOXES_H

#include <stddef.h>
#include <stdint.h>

#define MODEL_BOXES_NO_PARENT 0xFFFF

typedef struct ModelBox {
    uint16_t parent; /* the index of a box before this one, or MODEL_BOXES_NO_PARENT */
    uint16_t flags;
    const char *label; /* null where the box has none */
    float position[3]; /* its place in the parent at frame 0 */
    float moved[3];    /* what is added to the position at the last frame */
    /* The rotation at the last frame as x, y, z, w times 32767; all zero means none. The game turns
     * the other way. */
    int16_t turned[4];
    float low[3], high[3]; /* the ends of the box in its own space */
    /* 0 to 3: the number of states of damage with geometry, which are all the same */
    uint16_t stages;
} ModelBox;

/* Returns an NRes image, to be released with free(), or null. The header's box surrounds the boxes
 * as they stand at frame 0. Each box has 8 vertices, 12 triangles, one batch and one slot, in the
 * order of the boxes; the tops are walkable (triangle flag 2). `frames` is 1 for a model in which
 * nothing moves. There are at most 64 boxes. */
uint8_t *ModelBoxes_Write(const ModelBox *boxes, uint32_t count, uint32_t frames, size_t *size);

#endif
