/* Random animations, motion tables and commands, the same for the same seed on every machine: what
 * print_ac_runs, the property tests and the benchmark's objects are made of. */
#ifndef RETROPOSE_TESTS_SEQUENCER_RANDOM_AC_H
#define RETROPOSE_TESTS_SEQUENCER_RANDOM_AC_H

#include "retropose/sequencer.h"

typedef struct RandomAc {
    uint64_t state;
} RandomAc;

uint32_t RandomAc_Below(RandomAc *random, uint32_t count);
bool RandomAc_Chance(RandomAc *random, uint32_t percent);
float RandomAc_Float(RandomAc *random, float low, float high);
/* A usual frame rate: often 30, now and then 0, tiny or negative. */
float RandomAc_Rate(RandomAc *random);
/* A speed of a command: mostly 1, sometimes 0 or negative. */
float RandomAc_Speed(RandomAc *random);
/* A tick: mostly thirtieths, sometimes none, tiny, long or negative. */
double RandomAc_Quantum(RandomAc *random);

enum { RANDOM_ANIMATIONS = 12 };

typedef struct RandomAcWorld {
    RpBuffer images[RANDOM_ANIMATIONS]; /* of the animations */
    RpBuffer table_image;
    RpAcAnimation animations[RANDOM_ANIMATIONS];
    RpAcMotionTable table;
} RandomAcWorld;

/* False when a reader refuses what was made. */
bool RandomAcWorld_Make(RandomAcWorld *world, RandomAc *random);
void RandomAcWorld_Free(RandomAcWorld *world);
RpAcLibrary RandomAcWorld_Library(RandomAcWorld *world);
/* Of the world's animations, or (rarely) none. */
RpAcAnimRef RandomAc_Ref(RandomAc *random);
/* One that the tables know of. */
uint32_t RandomAc_Motion(RandomAc *random);

#endif
