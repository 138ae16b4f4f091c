/* For calibration only: finds the combinations of choices that give all answers of a function, and
 * those that are possible for all functions together. */
#ifndef RETROPOSE_GAME_CALIBRATE_SEARCH_H
#define RETROPOSE_GAME_CALIBRATE_SEARCH_H

#include "game/calibrate/workbench.h"

#define SEARCH_MOST_COMBINATIONS 1048576u /* most that one function may have at once */
/* up to this number, every case is tried against all of them */
#define SEARCH_MOST_EXACT 65536u
#define SEARCH_MOST_JOINT 65536u /* most to keep for all functions together */

/* For each reading a bit for every alternative that is still possible. */
typedef struct Domains {
    uint32_t possible[RP_READING_MAX];
} Domains;

void Domains_All(Domains *domains);

/* A list of combinations. Readings that were not decided have their defaults. */
typedef struct Combinations {
    RpReadings *list;
    size_t count, capacity;
} Combinations;

RpStatus Combinations_Add(Combinations *combinations, const RpReadings *choices, RpError *error);
void Combinations_Free(Combinations *combinations);

/* Returns how many combinations of the readings in `set` the domains allow. A result above
 * UINT32_MAX is only a lower bound. */
uint64_t Search_Product(ReadingSet set, const Domains *domains);

/* The combinations that fit a function's answers. They decide the readings in `held`, on which
 * some answered case depends. All other readings are open. */
typedef struct Relation {
    Combinations fitting;
    ReadingSet held;
} Relation;

RpStatus Relation_Init(Relation *relation, RpError *error); /* everything is possible at first */
void Relation_Free(Relation *relation);
/* Keeps the combinations that explain the answered cases from `first` on, too. Cases that depend
 * on little are taken first, so that what they refute is never combined with what others depend
 * on. `too_many` says that more than SEARCH_MOST_COMBINATIONS would have to be considered at
 * once; the relation then is as the cases before left it. */
RpStatus Search_Explain(Bench *bench, const Subject *subject, size_t first, const Domains *domains,
                        Relation *relation, bool *too_many, RpError *error);
/* Removes readings of which every alternative fits, whatever the others are. */
void Relation_DropFree(Relation *relation);
/* Searches from several beginnings for a combination that explains the most cases. Returns their
 * number. */
uint64_t Search_Nearest(Bench *bench, const Subject *subject, uint64_t seed, RpReadings *nearest);

/* The combinations that are possible for all functions added so far. They decide the readings in
 * `known`. */
typedef struct Joint {
    Combinations combinations;
    ReadingSet known;
} Joint;

RpStatus Joint_Init(Joint *joint, RpError *error); /* everything is possible at first */
void Joint_Free(Joint *joint);
/* Adds a function. `added` says that its combinations agree with those so far. Otherwise they
 * contradict them, or there would be too many (`too_many`), and nothing has changed. */
RpStatus Joint_Add(Joint *joint, ReadingSet reaches, const Combinations *fitting, bool *added,
                   bool *too_many, RpError *error);
void Joint_Domains(const Joint *joint, Domains *domains);
/* Returns the combination that differs from the defaults in the fewest readings. */
const RpReadings *Joint_Plainest(const Joint *joint);

#endif
