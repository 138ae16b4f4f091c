/* The sums that a census is made of. */
#ifndef RETROPOSE_FORMATS_CENSUS_TALLY_H
#define RETROPOSE_FORMATS_CENSUS_TALLY_H

#include "formats/census/census.h"
#include "retropose/corpus.h"
#include "retropose/memory.h"
#include "retropose/msh.h"
#include "retropose/nres.h"

#include <stdbool.h>

/* The two RsLi libraries, gamefont.rlb and sprites.lib. */
enum { CENSUS_LIBRARIES = 2 };

enum { CENSUS_LEVELS = 5, CENSUS_STATES = 3, CENSUS_WORDS = 64 };

/* How far posed geometry leaves a box, by how much it does not reach the box's faces, and how far
 * the two boxes differ, in diagonals of the box; negative where a model has no such geometry. */
typedef struct CensusFit {
    double outside, short_of, gap;
} CensusFit;

/* Rows of one model that has a name (named.c). */
enum { CENSUS_NAMED = 15, CENSUS_TEXT = 64 };

/* What fparkan makes of sampled poses (digest.c). */
typedef struct CensusDigest {
    uint64_t hash; /* FNV-1a-64 */
    uint32_t samples;
    char refused[RP_NRES_NAME_BYTES + 1]; /* the first model that its reader refuses; empty: none */
} CensusDigest;

typedef struct CensusTally {
    /* Every member is summed in merge.c, too, but for the digest. */
    /* archives */
    uint32_t archives, entries, damaged;
    uint32_t odd_offsets, wide_gaps; /* payloads not at a multiple of 8, gaps that are no padding */
    uint32_t repacked;               /* archives that are the same when they are written anew */
    bool has_system, system_permutes; /* system.rlb, and its sort table */
    uint64_t sums[CENSUS_LIBRARIES], unpacked[CENSUS_LIBRARIES]; /* 0: there is no such library */
    /* models, in their streams */
    uint32_t models, animated_models, legacy, lit, paths, interiors;
    uint32_t nodes, animated, cockpits, most_nodes;
    /* of one model */
    uint32_t fewest_slots, most_slots, fewest_batches, most_batches, fewest_vertices, most_vertices;
    uint32_t timed_models; /* whose frame count is one more than the last key's time */
    /* of state 0, cockpits left out */
    uint32_t level_slots[CENSUS_LEVELS], exact_slots[CENSUS_LEVELS];
    uint32_t state_nodes[CENSUS_STATES];
    uint32_t batches, bits[16], word_count, words[CENSUS_WORDS], lit_batches;
    uint32_t keys, unit_keys, zero_keys, animated_keys, placed_keys, last_fallbacks;
    uint32_t triangles;
    /* models, through the runtime */
    uint32_t posed;                                                    /* models that could be */
    uint32_t level_models[CENSUS_LEVELS], level_inside[CENSUS_LEVELS]; /* cockpits left out */
    uint64_t level_triangles[CENSUS_LEVELS], cockpit_triangles;
    uint32_t inside_with_cockpits, animated_inside, animated_with_cockpits;
    uint32_t reached, reached_unposed, exact_boxes, exact_with_all, bounded;
    RpBuffer errors[2]; /* of double: the gap of each model's level 0, conjugate and plain */
    char named[CENSUS_NAMED][CENSUS_TEXT]; /* empty: there is no such model */
    CensusDigest digest;
} CensusTally;

/* A box in double. */
typedef struct CensusBox {
    double low[3], high[3];
    bool any;
} CensusBox;
void CensusBox_Extend(CensusBox *box, const double point[3]);
void CensusBox_Join(CensusBox *box, const CensusBox *other);
/* Gives the box of a model's header. False where it has none. */
bool CensusBox_OfHeader(const RpMsh *msh, CensusBox *box);
/* Gives the place of a model's point by a matrix of a piece. */
void CensusBox_Place(const double matrix[16], const float point[3], double placed[3]);

/* Gives the box of a slot's vertices. False where it has none or they are not all there. */
bool CensusSlot_Bound(const RpMsh *msh, const RpMshSlot *slot, float low[3], float high[3]);

struct Census {
    CensusTally tally;
    RpReadings readings;
    bool asks_for_digest;
};

/* Adds a flag word unless it is there; those beyond CENSUS_WORDS are not counted. */
void CensusTally_Word(CensusTally *tally, uint32_t word);
void CensusTally_Streams(CensusTally *tally, const RpMsh *msh, const RpReadings *readings);
RpStatus CensusTally_Poses(CensusTally *tally, const RpNRes *model, const RpMsh *msh,
                           const RpReadings *readings, RpError *error);

/* A row of one model: what is measured of it and what was published. */
typedef struct CensusNamed {
    const char *model; /* in small letters, without ".msh" */
    const char *id, *what, *source, *expected;
} CensusNamed;
const CensusNamed *CensusNamed_Row(size_t index);
/* Measures what is published of the model of this name, if anything is, as the runtime has it. What
 * the runtime refuses is not measured. RP_NO_MEMORY. */
RpStatus CensusTally_Named(CensusTally *tally, const char *name, const RpNRes *model,
                           const RpMsh *msh, const RpReadings *readings, RpError *error);

void CensusDigest_Begin(CensusDigest *digest);
/* Adds a model under the name that its archive gives it. The order of the models counts. */
void CensusDigest_Add(CensusDigest *digest, const char *name, const RpMsh *msh);

#endif
