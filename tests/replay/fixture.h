/* Helpers that the tests of replay/ share: temporary files, small calls and traces. */
#ifndef RETROPOSE_TESTS_REPLAY_FIXTURE_H
#define RETROPOSE_TESTS_REPLAY_FIXTURE_H

/* cmocka needs these before itself. */
#include <stddef.h>
#include <stdint.h>

#include "replay/compare/report.h"
#include "tests/test.h"
#include "tracefile/tracefile.h"

/* Returns a path of this process in the system's folder for temporary files. The same name gives
 * the same path. What is there when the program ends is removed. */
const char *Fixture_Path(const char *name);

uint8_t *Fixture_Read(const char *path, size_t *size); /* returns bytes that the caller frees */
void Fixture_Write(const char *path, const void *bytes, size_t size);

const Signature *Fixture_Signature(const char *key);
/* Demands that a row with these parameters is refused, and that the error names the column. */
void Fixture_Malformed(const char *params, uint64_t column);

/* Writes words as bytes. Floats are given by their bits. */
#define FIXTURE_WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__})

/* Returns a call that came back (control word 0x003F, MXCSR 0x1F80). Its data stays until the test
 * ends. */
TraceCall Fixture_Call(const char *key, uint64_t sequence, const uint32_t *inputs,
                       size_t input_size, const uint32_t *outputs, size_t output_size);
/* Returns a call of slot 17 with t = 0.5 and the four given output words. */
TraceCall Fixture_Slerp(uint64_t sequence, const uint32_t outputs[4]);

/* Makes a folder to work in, which Fixture_DropFolder removes, if it is empty; else it returns an
 * error. */
const char *Fixture_MakeFolder(const char *name);
int Fixture_DropFolder(const char *path);

/* Returns what a writer of reports writes, which the caller frees. */
char *Fixture_Written(RpStatus (*write)(const Report *, RpBuffer *, RpError *),
                      const Report *report);
/* Demands that from here on every element is closed in order, that attributes are quoted, and that
 * special characters are escaped. */
void Fixture_WellFormed(const char *text);

/* What a trace holds. All of it may be left out. */
typedef struct FixtureTrace {
    const char *const *header; /* keys and values, and a null at the end */
    const TraceMemory *memories;
    size_t memory_count;
    const TraceCall *calls;
    size_t call_count;
    bool compress;
} FixtureTrace;

/* Writes a trace and demands that it works. */
void Fixture_Put(const char *path, FixtureTrace trace);
/* Writes calls that `native` has answered. */
void Fixture_Trace(const char *path, const TraceCall *calls, size_t count, bool compress);
/* Opens a trace that is there. */
TraceReader *Fixture_Open(const char *path);
/* Reads the next call, which must be there. */
TraceCall Fixture_Next(TraceReader *reader);

/* Writes two traces and compares them, with the expected status. The caller destroys the
 * comparison. */
Comparison *Fixture_Compare(FixtureTrace a, FixtureTrace b, const CompareOptions *options,
                            const char *name, RpStatus expected, RpError *error);
/* Compares as many calls of both sides, without options. */
Comparison *Fixture_CompareCalls(const TraceCall *a, const TraceCall *b, size_t count,
                                 const char *name);

#endif
