/* Inside of calibration: which combinations of choices give all answers of a function, and which
 * of these are possible together for all functions. */
#ifndef RETROPOSE_GAME_CALIBRATE_SEARCH_H
#define RETROPOSE_GAME_CALIBRATE_SEARCH_H

#include "game/calibrate/bench.h"

#define SEARCH_MOST_COMBINATIONS 1048576u /* that are considered at once, for one function */
/* up to this number, every case is tried against all of them */
#define SEARCH_MOST_EXACT 65536u
#define SEARCH_MOST_JOINT 65536u /* that are kept for all functions together */

/* For each hypothesis a bit for every alternative that is still possible. */
typedef struct Domains {
    uint32_t possible[RP_READING_MAX];
} Domains;

void Domains_All(Domains *domains);

/* A list of combinations. Hypotheses that were not decided have their defaults. */
typedef struct Combinations {
    RpReadings *list;
    size_t count, capacity;
} Combinations;

RpStatus Combinations_Add(Combinations *combinations, const RpReadings *choices, RpError *error);
void Combinations_Free(Combinations *combinations);

/* Returns how many combinations of the hypotheses in `set` the domains allow, or the greatest
 * number where there are more. */
uint64_t Search_Product(HypothesisSet set, const Domains *domains);

/* Combinations of the hypotheses on which some answered case depends. Hypotheses that are not
 * `held` are open. */
typedef struct Relation {
    Combinations fitting;
    HypothesisSet held;
} Relation;

RpStatus Relation_Init(Relation *relation, RpError *error); /* begins with everything possible */
void Relation_Free(Relation *relation);
/* Keeps the combinations that explain the answered cases from `first` on, too. Cases that depend
 * on little are taken first, so that what they refute is never combined with what others depend
 * on. `too_many` says that more than SEARCH_MOST_COMBINATIONS would have to be considered at
 * once; the relation then is as the cases before left it. */
RpStatus Search_Explain(Bench *bench, const Subject *subject, size_t first, const Domains *domains,
                        Relation *relation, bool *too_many, RpError *error);
/* Removes hypotheses of which every alternative fits whatever else is chosen. */
void Relation_DropFree(Relation *relation);
/* Climbs from several beginnings to a combination that explains the most cases, and returns how
 * many. */
uint64_t Search_Nearest(Bench *bench, const Subject *subject, uint64_t seed, RpReadings *nearest);

/* What is possible for all functions so far together. `known` is what its combinations decide. */
typedef struct Joint {
    Combinations combinations;
    HypothesisSet known;
} Joint;

RpStatus Joint_Init(Joint *joint, RpError *error); /* begins with everything possible */
void Joint_Free(Joint *joint);
/* `added` says that the function's combinations agree with it and are now in it. Otherwise they
 * contradict it, or there would be too many (`too_many`), and it stays as it was. */
RpStatus Joint_Add(Joint *joint, HypothesisSet reaches, const Combinations *fitting, bool *added,
                   bool *too_many, RpError *error);
void Joint_Domains(const Joint *joint, Domains *domains);
/* Returns the combination with the fewest alternatives other than the defaults. */
const RpReadings *Joint_Plainest(const Joint *joint);

#endif
