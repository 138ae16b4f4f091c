/* Arithmetic under the control word and MXCSR that a test has set for its thread. */
#ifndef RETROPOSE_TESTS_OF_THREAD_H
#define RETROPOSE_TESTS_OF_THREAD_H

#include "retropose/arithmetic.h"

#include <stddef.h>

static inline RpArithmetic OfThread(RpBuild build, const RpReadings *readings) {
    RpArithmetic arithmetic = {.build = build, .control_word = RP_THREADS_CONTROL_WORD};
    if (readings)
        arithmetic.readings = *readings;
    return arithmetic;
}

/* Points to such a value, which lives as long as the block in which it is used. */
#define OF_THREAD_WITH(build, readings) ((const RpArithmetic[]){OfThread((build), (readings))})
#define OF_THREAD(build)                OF_THREAD_WITH(build, NULL)

#endif
