/* The sections of the program `digests` (digests.c). Each function prints the lines of one, for
 * both builds where it has lines of builds. */
#ifndef RETROPOSE_TESTS_GOLDEN_SECTIONS_H
#define RETROPOSE_TESTS_GOLDEN_SECTIONS_H

#include <stdint.h>

/* What the library computes from fixed inputs, special values among them: slots; samples, blends
 * and skeletons; queries. */
void Slots_Print(const char *section);
void Poses_Print(const char *section);
void Queries_Print(const char *section);

/* This number of random objects under the game's control word: their poses, tilts, strides and
 * bounds, with every choice of the readings about posing. */
void Objects_Print(const char *section, int objects);

/* What the sampler of LEGO Island and the sequencer of Asheron's Call compute. */
void Siblings_Print(const char *section);

/* What formats/ computes from every `step`th model of the synthetic corpus: the model as glTF and
 * OBJ, and as it comes back from glTF; the model turned, animated anew, checked, and described for
 * the viewer. */
void Models_Print(const char *section, uint32_t step);
/* Spheres around points. */
void Spheres_Print(const char *section);

/* The processor, and all outputs of every scenario, run by the native provider in this process:
 * one line for each function and processor class. */
void Scenarios_Print(const char *section);

#endif
