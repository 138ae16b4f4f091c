/* The images of models in the game's memory: which bytes a reader's pointers belong to.
 *
 * An image is found by its NRes header, where an archive object says it begins or 16 bytes before
 * the lowest stream, and is believed when its size, its directory and the pointers agree. It is
 * hashed once; each use then compares its header and one block more, in turn. Up to IMAGE_COUNT are
 * known at a time. */
#ifndef RETROPOSE_LIVE_DLL_OBSERVE_IMAGE_H
#define RETROPOSE_LIVE_DLL_OBSERVE_IMAGE_H

#include "live/dll/observe/hash.h"

enum { IMAGE_COUNT = 256, IMAGE_BLOCK_BYTES = 256, IMAGE_MOST_BYTES = 0x2000000 };

typedef struct Image {
    uint32_t address, size;
    Hash hash;
} Image;

void Images_Close(void);

/* The image at this address; false when there is none that can be believed. */
bool Images_At(uint32_t address, Image *image);
/* The image that all these pointers (not null) lead into. */
bool Images_Around(const uint32_t *pointers, uint32_t count, Image *image);
/* Something was loaded: whatever is known of these bytes may be wrong. */
void Images_Forget(uint32_t address);
/* A copy with `before` bytes of room in front, and the padding to 4 behind; null when the bytes are
 * no longer those of `image`. */
uint8_t *Images_Fetch(const Image *image, uint32_t before);

/* Parses what stands at `address` in the game: the size of the image there, or 0. `pointers` must
 * lie between header and directory, and the lowest must begin an entry. */
uint32_t Image_Measure(uint32_t address, const uint32_t *pointers, uint32_t count);

#endif
