/* Arithmetic under whatever control word and MXCSR a test has set for its thread. */
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

/* Points to such a value, which lives as long as the block that it stands in. */
#define OF_THREAD_WITH(build, readings) ((const RpArithmetic[]){OfThread((build), (readings))})
#define OF_THREAD(build)                OF_THREAD_WITH(build, NULL)

#endif
