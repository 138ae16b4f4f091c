/* The sums that a census is made of. */
#ifndef RETROPOSE_FORMATS_CENSUS_TALLY_H
#define RETROPOSE_FORMATS_CENSUS_TALLY_H

#include "retropose/corpus.h"
#include "retropose/memory.h"
#include "retropose/msh.h"
#include "retropose/nres.h"

#include <stdbool.h>

enum { CENSUS_LEVELS = 5, CENSUS_STATES = 3, CENSUS_WORDS = 64 };

/* How far posed geometry leaves a box, and how far the two boxes differ, in diagonals of the box;
 * negative where a model has no such geometry. */
typedef struct CensusFit {
    double outside, gap;
} CensusFit;

typedef struct CensusTally {
    /* Every member is summed in merge.c, too. */
    /* archives */
    uint32_t archives, entries, damaged;
    bool has_system, system_permutes;   /* system.rlb, and its sort table */
    uint64_t gamefont_sum, sprites_sum; /* 0: there is no such library */
    /* models, in their streams */
    uint32_t models, animated_models, legacy, lit, paths, interiors;
    uint32_t nodes, animated, cockpits, most_nodes;
    uint32_t slots, level_slots[CENSUS_LEVELS], exact_slots[CENSUS_LEVELS];
    uint32_t state_nodes[CENSUS_STATES];
    uint32_t batches, bits[16], word_count, words[CENSUS_WORDS], lit_batches;
    uint32_t keys, unit_keys, zero_keys, animated_keys, placed_keys, last_fallbacks;
    uint32_t triangles;
    /* models, through the runtime */
    uint32_t posed; /* models that could be */
    uint32_t level_models[CENSUS_LEVELS], level_inside[CENSUS_LEVELS];
    uint64_t level_triangles[CENSUS_LEVELS];
    uint32_t inside_with_cockpits, inside_unposed, animated_inside, exact_boxes, exact_with_all;
    RpBuffer errors[2]; /* of double: the gap of each model's level 0, conjugate and plain */
} CensusTally;

/* Adds a flag word unless it is there; those beyond CENSUS_WORDS are not counted. */
void CensusTally_Word(CensusTally *tally, uint32_t word);
void CensusTally_Streams(CensusTally *tally, const RpMsh *msh, const RpReadings *readings);
RpStatus CensusTally_Poses(CensusTally *tally, const RpNRes *model, const RpMsh *msh,
                           const RpReadings *readings, RpError *error);

#endif
