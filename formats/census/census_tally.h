/* The counts of a census. */
#ifndef RETROPOSE_FORMATS_CENSUS_CENSUS_TALLY_H
#define RETROPOSE_FORMATS_CENSUS_CENSUS_TALLY_H

#include "formats/census/census.h"
#include "retropose/corpus.h"
#include "retropose/memory.h"
#include "retropose/msh.h"
#include "retropose/nres.h"

#include <stdbool.h>

/* The two RsLi libraries, gamefont.rlb and sprites.lib. */
enum { CENSUS_LIBRARIES = 2 };

enum { CENSUS_LEVELS = 5, CENSUS_STATES = 3, CENSUS_WORDS = 64 };

/* How far posed geometry extends beyond a box, how far it stays away from the box's faces, and how
 * far the two boxes differ, in diagonals of the box. The numbers are negative if a model has no
 * such geometry. */
typedef struct CensusFit {
    double outside, short_of, gap;
} CensusFit;

/* Rows of one model that has a name (named.c). */
enum { CENSUS_NAMED = 15, CENSUS_TEXT = 64 };

/* The digest of sampled poses that fparkan keeps (census_digest.c). */
typedef struct CensusDigest {
    uint64_t hash; /* FNV-1a-64 */
    uint32_t samples;
    char refused[RP_NRES_NAME_BYTES + 1]; /* the first model that its reader refuses; empty: none */
} CensusDigest;

typedef struct CensusTally {
    /* census_merge.c adds up every member except for the digest. */
    /* archives */
    uint32_t archives, entries, damaged;
    uint32_t odd_offsets, wide_gaps; /* payloads not at a multiple of 8, gaps that are no padding */
    uint32_t repacked;               /* archives that are the same when they are written anew */
    bool has_system, system_permutes; /* system.rlb, and its sort table */
    uint64_t sums[CENSUS_LIBRARIES], unpacked[CENSUS_LIBRARIES]; /* 0: there is no such library */
    /* counts in the streams of models */
    uint32_t models, animated_models, legacy, lit, paths, interiors;
    uint32_t nodes, animated, cockpits, most_nodes;
    /* The following numbers are those of a single model. */
    uint32_t fewest_slots, most_slots, fewest_batches, most_batches, fewest_vertices, most_vertices;
    uint32_t timed_models; /* models whose frame count is one more than the time of the last key */
    /* for state 0, without cockpits */
    uint32_t level_slots[CENSUS_LEVELS], exact_slots[CENSUS_LEVELS];
    uint32_t state_nodes[CENSUS_STATES];
    uint32_t batches, bits[16], word_count, words[CENSUS_WORDS], lit_batches;
    uint32_t keys, unit_keys, zero_keys, animated_keys, placed_keys, last_fallbacks;
    uint32_t triangles;
    /* counts of models in the runtime */
    uint32_t posed;                                                    /* how many were posed */
    uint32_t level_models[CENSUS_LEVELS], level_inside[CENSUS_LEVELS]; /* without cockpits */
    uint64_t level_triangles[CENSUS_LEVELS], cockpit_triangles;
    uint32_t inside_with_cockpits, animated_inside, animated_with_cockpits;
    uint32_t reached, reached_unposed, exact_boxes, exact_with_all, bounded;
    RpBuffer errors[2]; /* doubles: the gap of each model's level 0, conjugate and plain */
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
/* Transforms a point of a model by the matrix of a piece. */
void CensusBox_Place(const double matrix[16], const float point[3], double placed[3]);

/* Writes the box of a slot's vertices. Returns false if it has none, or if some of them do not
 * exist. */
bool CensusSlot_Bound(const RpMsh *msh, const RpMshSlot *slot, float low[3], float high[3]);

struct Census {
    CensusTally tally;
    RpReadings readings;
    bool asks_for_digest;
};

/* Counts a flag word if it is a new one. More than CENSUS_WORDS different words are not counted. */
void CensusTally_Word(CensusTally *tally, uint32_t word);
void CensusTally_Streams(CensusTally *tally, const RpMsh *msh, const RpReadings *readings);
RpStatus CensusTally_Poses(CensusTally *tally, const RpNRes *model, const RpMsh *msh,
                           const RpReadings *readings, RpError *error);

/* A row about a single model: what is measured, and what was published. */
typedef struct CensusNamed {
    const char *model; /* in small letters, without ".msh" */
    const char *id, *what, *source, *expected;
} CensusNamed;
const CensusNamed *CensusNamed_Row(size_t index);
/* If anything was published about the model of this name, measures it in the runtime. Does nothing
 * if the runtime refuses the model. Can return RP_NO_MEMORY. */
RpStatus CensusTally_Named(CensusTally *tally, const char *name, const RpNRes *model,
                           const RpMsh *msh, const RpReadings *readings, RpError *error);

void CensusDigest_Begin(CensusDigest *digest);
/* Adds a model under the name that it has in its archive. The digest depends on the order of the
 * models. */
void CensusDigest_Add(CensusDigest *digest, const char *name, const RpMsh *msh);

#endif
