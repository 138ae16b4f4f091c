/* Random animations, motion tables and commands, which are the same for the same seed on every
 * machine. print_ac_runs, the property tests and the benchmark use them. */
#ifndef RETROPOSE_TESTS_SIBLINGS_SEQUENCER_RANDOM_AC_H
#define RETROPOSE_TESTS_SIBLINGS_SEQUENCER_RANDOM_AC_H

#include "retropose/sequencer.h"

typedef struct RandomAc {
    uint64_t state;
} RandomAc;

uint32_t RandomAc_Below(RandomAc *random, uint32_t count);
bool RandomAc_Chance(RandomAc *random, uint32_t percent);
float RandomAc_Float(RandomAc *random, float low, float high);
/* Returns a frame rate: often 30, now and then 0, tiny or negative. */
float RandomAc_Rate(RandomAc *random);
/* Returns a command's speed: mostly 1, sometimes 0 or negative. */
float RandomAc_Speed(RandomAc *random);
/* Returns the time of a tick: mostly thirtieths of a second, sometimes zero, tiny, long or
 * negative. */
double RandomAc_Quantum(RandomAc *random);

enum { RANDOM_ANIMATIONS = 12 };

typedef struct RandomAcWorld {
    RpBuffer images[RANDOM_ANIMATIONS]; /* files of the animations */
    RpBuffer table_image;
    RpAcAnimation animations[RANDOM_ANIMATIONS];
    RpAcMotionTable table;
} RandomAcWorld;

/* Returns false if a reader refuses what was made. */
bool RandomAcWorld_Make(RandomAcWorld *world, RandomAc *random);
void RandomAcWorld_Free(RandomAcWorld *world);
RpAcLibrary RandomAcWorld_Library(RandomAcWorld *world);
/* Refers to one of the world's animations or, rarely, to none. */
RpAcAnimRef RandomAc_Ref(RandomAc *random);
/* Returns a motion that the tables know. */
uint32_t RandomAc_Motion(RandomAc *random);

#endif
