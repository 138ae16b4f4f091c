/* Modules of the game as far as an agent reaches them. They record what was called with which
 * arguments. */
#ifndef RETROPOSE_TESTS_DLL_ANIMESH_FAKE_H
#define RETROPOSE_TESTS_DLL_ANIMESH_FAKE_H

#include <stdint.h>

enum { FAKE_MAX_CALLS = 64 };

typedef struct FakeCall {
    char what[24];         /* name of the function, or of the object that received a message */
    uint32_t arguments[8]; /* for a message its number and its payload */
    char names[6][33];     /* names of LoadControlSystem, LoadMatManager or an append message */
    uint32_t part;
    int32_t base;
} FakeCall;

typedef struct FakeLog {
    FakeCall calls[FAKE_MAX_CALLS];
    uint32_t count;
} FakeLog;

/* Both fakes export this function. */
typedef FakeLog *(*FakeLogFunction)(void);

#endif
