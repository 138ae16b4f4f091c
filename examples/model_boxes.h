/* Models made of boxes, with every stream that the game's loader asks for: something to pose, to
 * measure and to shoot at for those who have no game at hand. */
#ifndef RETROPOSE_EXAMPLES_MODEL_BOXES_H
#define RETROPOSE_EXAMPLES_MODEL_BOXES_H

#include <stddef.h>
#include <stdint.h>

#define MODEL_BOXES_NO_PARENT 0xFFFF

typedef struct ModelBox {
    uint16_t parent; /* a box before this one, or MODEL_BOXES_NO_PARENT */
    uint16_t flags;
    const char *label; /* null: none */
    float position[3]; /* in the parent, at frame 0 */
    float moved[3];    /* added to it at the last frame */
    /* At the last frame, x, y, z, w times 32767; all zero: none. The game turns the other way. */
    int16_t turned[4];
    float low[3], high[3]; /* of the box, in its own space */
    uint16_t stages;       /* 0 to 3: states of damage with geometry, all the same */
} ModelBox;

/* An NRes image to free(), or null. The header's box holds the boxes as they stand at frame 0. Each
 * box has 8 vertices, 12 triangles, one batch and one slot, in its order; the tops are walkable
 * (triangle flag 2). `frames`: 1 for a model in which nothing moves. At most 64 boxes. */
uint8_t *ModelBoxes_Write(const ModelBox *boxes, uint32_t count, uint32_t frames, size_t *size);

#endif
