/* Finds the images of models in the game's memory, to know which bytes a reader's pointers belong
 * to.
 *
 * An image is found by its NRes header, which is where an archive object says that it begins, or 16
 * bytes before the lowest stream. It is accepted when its size, its directory and the pointers
 * agree. It is hashed once. Each later use then compares its header and one other block, a
 * different one each time. Up to IMAGE_COUNT images are known at a time. */
#ifndef RETROPOSE_DLL_OBSERVE_IMAGE_H
#define RETROPOSE_DLL_OBSERVE_IMAGE_H

#include "dll/observe/fingerprint.h"

enum { IMAGE_COUNT = 256, IMAGE_BLOCK_BYTES = 256, IMAGE_MOST_BYTES = 0x2000000 };

typedef struct Image {
    uint32_t address, size;
    Fingerprint hash;
} Image;

/* Gives the image at this address. Returns false when there is none that can be accepted. */
bool Images_At(uint32_t address, Image *image);
/* Gives the image that all these pointers point into. None of them may be null. */
bool Images_Around(const uint32_t *pointers, uint32_t count, Image *image);
/* Call it when something was loaded, because what is known of these bytes may no longer be true. */
void Images_Forget(uint32_t address);
/* Returns a copy of the image, with room for `before` bytes before it and padding to a multiple of
 * 4 after it. Returns null when the bytes are no longer those of `image`. */
uint8_t *Images_Fetch(const Image *image, uint32_t before);

/* Parses what is at `address` in the game, and returns the size of the image there, or 0. All
 * `pointers` must lie between its header and its directory, and the lowest must be the beginning of
 * an entry. */
uint32_t Image_Measure(uint32_t address, const uint32_t *pointers, uint32_t count);

#endif
