/* Counts how the differing calls of one function are spread: over distances, over the run, over its
 * inputs, and over traces and scenarios. A tally has a fixed size, whatever the number of calls,
 * and does not depend on the order in which calls are added. */
#ifndef RETROPOSE_REPLAY_COMPARE_TALLY_H
#define RETROPOSE_REPLAY_COMPARE_TALLY_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TALLY_BUCKETS = 65,   /* ranges of distances: 0, 1, 2, up to 4, up to 8, ... up to 2^63 */
    TALLY_STRETCHES = 32, /* parts of the run */
    TALLY_INPUTS = 6,     /* parameters of a function that calls are told apart by */
    TALLY_RANGES = 31,    /* ranges of an input's values (tally_inputs.h) */
    TALLY_ORIGINS = 33    /* traces and scenarios; the last one stands for all others */
};

/* The parts of a run, by position. A position is a call's sequence number, which is its place in
 * its trace or scenario. Stretch i holds the positions from (first + i) << shift on, up to the next
 * stretch. Stretches are as short as their number allows. */
typedef struct TallyRun {
    bool any;
    uint32_t shift;
    uint64_t first, last; /* stretches in use, counted from position 0 */
    uint64_t compared[TALLY_STRETCHES], different[TALLY_STRETCHES];
} TallyRun;

/* Adds calls at a position of which only `position >> shift` is known. */
void TallyRun_Add(TallyRun *run, uint64_t stretch, uint32_t shift, uint64_t compared,
                  uint64_t different);
/* Returns the least shift by which all positions of `count` calls from `first` on fall into at most
 * TALLY_STRETCHES stretches. */
uint32_t TallyRun_Shift(uint64_t first, uint64_t count);

/* The elements of differing calls that differ. */
typedef struct TallyUlps {
    uint64_t buckets[TALLY_BUCKETS]; /* numbers, by their distance in units in the last place */
    uint64_t no_distance;            /* pairs of numbers of which one is a NaN */
    uint64_t no_number;              /* whole numbers, references, the machine's state */
    uint64_t above;                  /* numbers that are larger on side b */
} TallyUlps;

/* Adds an element. `is_number` says that it is an f32; `ulps` is then b - a, or
 * VALUE_NO_DISTANCE. */
void TallyUlps_Add(TallyUlps *tally, bool is_number, int64_t ulps);
void TallyUlps_Merge(TallyUlps *tally, const TallyUlps *other);
/* Return the least and the greatest distance of a bucket. */
uint64_t TallyUlps_Least(uint32_t bucket);
uint64_t TallyUlps_Most(uint32_t bucket);

/* Calls by the range that each of their inputs lies in. */
typedef struct TallyInputs {
    uint64_t calls[TALLY_INPUTS][TALLY_RANGES];
} TallyInputs;

typedef struct Tally {
    TallyUlps ulps;
    TallyRun run;
    TallyInputs inputs_compared, inputs_different;
    uint64_t compared[TALLY_ORIGINS], different[TALLY_ORIGINS]; /* indexed by origin */
} Tally;

#endif
