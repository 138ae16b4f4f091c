/* The images of models in the game's memory: which bytes a reader's pointers belong to.
 *
 * An image is found by its NRes header, where an archive object says it begins or 16 bytes before
 * the lowest stream, and is believed when its size, its directory and the pointers agree. It is
 * hashed once; each use then compares its header and one block more, in turn. Up to IMAGE_COUNT are
 * known at a time. */
#ifndef RETROPOSE_DLL_OBSERVE_IMAGE_H
#define RETROPOSE_DLL_OBSERVE_IMAGE_H

#include "dll/observe/hash.h"

enum { IMAGE_COUNT = 256, IMAGE_BLOCK_BYTES = 256, IMAGE_MOST_BYTES = 0x2000000 };

typedef struct Image {
    uint32_t address, size;
    Hash hash;
} Image;

/* Gives the image at this address. Returns false where none can be believed. */
bool Images_At(uint32_t address, Image *image);
/* Gives the image into which all these pointers, none of them null, lead. */
bool Images_Around(const uint32_t *pointers, uint32_t count, Image *image);
/* To be called when something was loaded: what is known of these bytes may be wrong now. */
void Images_Forget(uint32_t address);
/* Returns a copy with `before` bytes of room in front and padding to 4 behind, or null where the
 * bytes are not those of `image` any more. */
uint8_t *Images_Fetch(const Image *image, uint32_t before);

/* Parses what is at `address` in the game and returns the size of the image there, or 0. All
 * `pointers` must lie between header and directory, and the lowest must be the beginning of an
 * entry. */
uint32_t Image_Measure(uint32_t address, const uint32_t *pointers, uint32_t count);

#endif
