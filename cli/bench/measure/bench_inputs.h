/* Inputs that the benches of poses share, the same in every run. */
#ifndef RETROPOSE_CLI_BENCH_MEASURE_BENCH_INPUTS_H
#define RETROPOSE_CLI_BENCH_MEASURE_BENCH_INPUTS_H

#include "ngi32/processor/state.h"
#include "retropose/pose.h"

#include <stdint.h>

enum {
    BENCH_MOST_JOINTS = 64,
    BENCH_KEYS = 121, /* keys of each joint */
    BENCH_KEY_DISTANCE = 4,
    BENCH_FRAMES = (BENCH_KEYS - 1) * BENCH_KEY_DISTANCE + 1
};

/* Under an MXCSR that rounds toward zero, or what the processor has in its place, the exact core
 * refuses, and the x87 gives the same bits. */
enum {
    BENCH_MXCSR_STANDARD = MXCSR_STANDARD,
    BENCH_MXCSR_TOWARD_ZERO = MXCSR_STANDARD | MXCSR_ROUNDING
};

/* Begins the numbers anew, so that a bench draws the same ones whatever was measured before it. */
void Bench_Restart(void);
/* Draws a number from -1 to 1, without 1 itself. */
float Bench_Draw(void);
/* A quaternion near (1, 0, 0, 0), because neighbouring keys are less than a right angle apart. */
void Bench_DrawQuaternion(float q[4]);
/* Makes a tree of joints in which each has two joints below it, with a key every BENCH_KEY_DISTANCE
 * frames. The next call overwrites this skeleton. */
RpSkeleton Bench_MakeSkeleton(unsigned joints);

uint32_t Bench_SwapMxcsr(uint32_t wanted);

#endif
