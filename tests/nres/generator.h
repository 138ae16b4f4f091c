/* Random small archives, sound and damaged. */
#ifndef RETROPOSE_TESTS_NRES_GENERATOR_H
#define RETROPOSE_TESTS_NRES_GENERATOR_H

#include "image.h"

enum { GENERATOR_NAMES = 16, GENERATOR_MEMBERS = 12 };
extern const char *const generator_names[GENERATOR_NAMES];

/* As the game writes, with names of the list above. */
TestImage Generator_Sound(uint64_t *seed);
/* With up to three damages; the header stays sound. */
TestImage Generator_Any(uint64_t *seed);
/* Of two entries. */
void Generator_SwapPayloads(TestImage *image, uint64_t *seed);

#endif
