/* Helpers that the tests of poses share: models built in memory, a PoseMath that records its
 * arguments, memory that ends at a forbidden page, and random numbers. */
#ifndef RETROPOSE_TESTS_ANIMESH_FIXTURE_H
#define RETROPOSE_TESTS_ANIMESH_FIXTURE_H

#include "animesh/records.h"
#include "animesh/sample.h"
#include "retropose/pose.h"
#include "tests/bits.h"
#include "tests/model/model.h"
#include "tests/test.h"

#include <stddef.h>

enum { MODEL_NODES = 16, MODEL_KEYS = 64, MODEL_MAP_WORDS = 4096 };

typedef struct TestModel {
    uint8_t nodes[MODEL_NODES * NODE_BYTES];
    uint8_t keys[MODEL_KEYS * KEY_BYTES];
    uint8_t frame_map[MODEL_MAP_WORDS * MAP_WORD_BYTES];
    RpSkeleton model; /* views the three arrays and grows with them */
} TestModel;

void TestModel_Begin(TestModel *test, uint32_t frame_count);
/* Each of these returns the index of what it added. */
uint32_t TestModel_AddNode(TestModel *test, uint16_t parent, uint16_t map_start, uint16_t fallback);
uint32_t TestModel_AddKey(TestModel *test, const float position[3], float time,
                          const int16_t rotation[4]);
uint32_t TestModel_AddMapWord(TestModel *test, uint16_t key);

/* Makes one node over three keys at frames 0, 4 and 10. frame_count is 11, and frame 10 names the
 * fallback. */
void TestModel_MakeTrack(TestModel *test);
/* Makes a tree of nodes with random tracks. Of every 1000 map words, `odd_words` are not as the
 * game would write them. */
void TestModel_MakeRandom(TestModel *test, uint64_t *seed, uint32_t odd_words);

/* ---- recorded calls of g_FastProc ------------------------------------------------------------ */

typedef struct Recorded {
    int interpolations, blends, matrices;
    float q0[4], q1[4], t; /* arguments of the last interpolation or blend */
    float q[4];            /* argument of the last matrix */
} Recorded;

extern Recorded recorded;
/* Interpolation gives 2, 3, 4, 5, blending gives 6, 7, 8, 9, and a matrix has the elements 100 to
 * 115. */
extern const PoseMath recording_math;

/* Fails the test if the text names no readings of the runtime. */
RpReadings ReadingsOf(const char *text);

/* ---- the model of the arithmetic (tests/model), on the processor's numbers ------------------- */

/* The model computes as the game does, under GAME_WORD. */
Model GameModel(RpBuild build, const RpReadings *readings);

/* ---- numbers --------------------------------------------------------------------------------- */

void AssertBits(float actual, float expected);
void AssertAllBits(const float *actual, const float *expected, int count);

/* ---- control word ---------------------------------------------------------------------------- */

uint16_t ControlWord_Set(uint16_t word);
enum { GAME_WORD = 0x007F };

/* ---- memory ---------------------------------------------------------------------------------- */

/* A copy whose last byte is followed by memory that must not be touched. */
typedef struct Guarded {
    uint8_t *bytes;
    void *pages;
    size_t page_bytes;
} Guarded;

Guarded Guarded_Copy(const void *bytes, size_t size);
void Guarded_Free(Guarded *guarded);

#endif
