/* Modules of the game, as far as an agent reaches them: what was called with what. */
#ifndef RETROPOSE_TESTS_MESH_VTABLES_FAKE_H
#define RETROPOSE_TESTS_MESH_VTABLES_FAKE_H

#include <stdint.h>

enum { FAKE_MAX_CALLS = 64 };

typedef struct FakeCall {
    char what[24];         /* function, or the object that got a message */
    uint32_t arguments[8]; /* a message: number, payload */
    char names[6][33];     /* of LoadControlSystem, LoadMatManager, or an append message */
    uint32_t part;
    int32_t base;
} FakeCall;

typedef struct FakeLog {
    FakeCall calls[FAKE_MAX_CALLS];
    uint32_t count;
} FakeLog;

/* Exported by each of the fakes. */
typedef FakeLog *(*FakeLogFunction)(void);

#endif
