#ifndef RETROPOSE_TESTS_GOLDEN_MODELS_H
#define RETROPOSE_TESTS_GOLDEN_MODELS_H

#include <stdint.h>

/* Prints digests of what formats/ computes from every `step`th model of the synthetic corpus: the
 * model as glTF and OBJ, and as it comes back from glTF; the model turned, animated anew, checked,
 * and described for the viewer; also spheres around points. Every build on every machine prints the
 * same. */
void GoldenModels_Print(uint32_t step);

#endif
