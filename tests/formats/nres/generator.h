/* Random small archives, both sound and damaged. */
#ifndef RETROPOSE_TESTS_FORMATS_NRES_GENERATOR_H
#define RETROPOSE_TESTS_FORMATS_NRES_GENERATOR_H

#include "image.h"

enum { GENERATOR_NAMES = 16, GENERATOR_MEMBERS = 12 };
extern const char *const generator_names[GENERATOR_NAMES];

/* Makes an archive as the game writes it, with names from a fixed list. */
Image Generator_Sound(uint64_t *seed);
/* Makes an archive with up to three damages, whose header is sound. */
Image Generator_Any(uint64_t *seed);
/* Exchanges the payloads of two entries. */
void Generator_SwapPayloads(Image *image, uint64_t *seed);

#endif
