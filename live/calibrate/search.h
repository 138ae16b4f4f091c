/* Inside calibration: which combinations of choices give all answers of a function, and which of
 * these go together over all functions. */
#ifndef RETROPOSE_LIVE_CALIBRATE_SEARCH_H
#define RETROPOSE_LIVE_CALIBRATE_SEARCH_H

#include "live/calibrate/bench.h"

#define SEARCH_MOST_COMBINATIONS 1048576u /* thought of at once, for one function */
#define SEARCH_MOST_EXACT        65536u   /* up to here every case is held against everything */
#define SEARCH_MOST_JOINT        65536u   /* kept over all functions */

/* Bits: alternatives of each hypothesis that are still thought of. */
typedef struct Domains {
    uint32_t possible[RP_READING_MAX];
} Domains;

void Domains_All(Domains *domains);

/* Combinations; outside of what was decided they hold defaults. */
typedef struct Combinations {
    RpReadings *list;
    size_t count, capacity;
} Combinations;

RpStatus Combinations_Add(Combinations *combinations, const RpReadings *choices, RpError *error);
void Combinations_Free(Combinations *combinations);

/* How many the domains leave of the hypotheses in `set`; saturates. */
uint64_t Search_Product(HypothesisSet set, const Domains *domains);

/* Combinations of the hypotheses that some answered case depends on; what is not `held` is open. */
typedef struct Relation {
    Combinations fitting;
    HypothesisSet held;
} Relation;

RpStatus Relation_Init(Relation *relation, RpError *error); /* everything fits */
void Relation_Free(Relation *relation);
/* Keeps what explains the answered cases from `first` on, too. Cases that depend on little come
 * first, so that what they refute is never combined with what others depend on. `too_many`: more
 * than SEARCH_MOST_COMBINATIONS would have to be thought of at once; the relation is then as the
 * cases before that left it. */
RpStatus Search_Explain(Bench *bench, const Subject *subject, size_t first, const Domains *domains,
                        Relation *relation, bool *too_many, RpError *error);
/* Lets go of hypotheses of which every alternative fits whatever else is chosen. */
void Relation_DropFree(Relation *relation);
/* Climbs from several starts to a combination that explains most cases; returns how many. */
uint64_t Search_Nearest(Bench *bench, const Subject *subject, uint64_t seed, RpReadings *nearest);

/* What goes together over all functions so far: `known` is what its combinations decide. */
typedef struct Joint {
    Combinations combinations;
    HypothesisSet known;
} Joint;

RpStatus Joint_Init(Joint *joint, RpError *error); /* everything goes */
void Joint_Free(Joint *joint);
/* `added`: the function's combinations agree with it and are in it now. Otherwise they contradict
 * it, or there would be too many (`too_many`), and it stays as it was. */
RpStatus Joint_Add(Joint *joint, HypothesisSet reaches, const Combinations *fitting, bool *added,
                   bool *too_many, RpError *error);
void Joint_Domains(const Joint *joint, Domains *domains);
/* The one that uses the fewest alternatives other than the defaults. */
const RpReadings *Joint_Plainest(const Joint *joint);

#endif
