/* Tests of calls that change an object in the trace's memory in place (type `state`), with a pair
 * of DLLs whose methods do so, some of them wrongly. On Linux they run through Wine, on Windows
 * directly. */
#include "script.h"
#include "tests/engine.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PHASE        0x1F4u
#define PIECE_BYTES  0x130u
#define PIECE(i)     (0x240u + PIECE_BYTES * (i))
#define FLAGS        0x14u
#define STAGE        0x1Cu
#define TILT         0xF0u
#define PIECE_COUNT  3u
#define OBJECT_BYTES (PIECE(PIECE_COUNT))

enum { OBJECT = 4, OTHER = 5, READER = 6, VECTORS = 7 };

static char host[600], pair[600];

static const char set_phase[] = "animesh.IAnimation.25", node_flags[] = "animesh.IAnimation.7",
                  change_flags[] = "animesh.IAnimation.8", node_phase[] = "animesh.IAnimation.9",
                  write_at[] = "animesh.IAnimation.17", tilt_node[] = "animesh.IAnimation.31",
                  sphere[] = "animesh.IJointMesh.3", walk_face[] = "animesh.IMesh2.7";

/* ---- writing --------------------------------------------------------------------------------- */

/* Writes an object of three pieces whose words say where they are. */
static void WriteObject(Script *script, uint32_t id) {
    static uint32_t words[OBJECT_BYTES / 4];
    TraceRelocation links[PIECE_COUNT + 1] = {{0x1A8, id, PIECE(0)}};
    for (uint32_t i = 0; i < OBJECT_BYTES / 4; i++)
        words[i] = id << 24 | i;
    words[0x1A8 / 4] = 0;
    words[0x1AC / 4] = PIECE_COUNT;
    for (uint32_t i = 0; i < PIECE_COUNT; i++) {
        links[1 + i] = (TraceRelocation){PIECE(i) + 0x12C, READER, 0};
        words[(PIECE(i) + 0x12C) / 4] = 0;
    }
    Script_Memory(script, id, words, OBJECT_BYTES, links, PIECE_COUNT + 1);
}

static uint32_t Word(uint32_t id, uint32_t offset) {
    return id << 24 | offset / 4;
}

static void WriteMemories(Script *script) {
    static const uint32_t reader[41] = {0}, vectors[6] = {1, 2, 3, 4, 5, 6};
    WriteObject(script, OBJECT);
    WriteObject(script, OTHER);
    Script_Memory(script, READER, reader, sizeof reader, NULL, 0);
    Script_Memory(script, VECTORS, vectors, sizeof vectors, NULL, 0);
}

typedef struct Inputs {
    uint32_t words[64], count;
} Inputs;

static void Put(Inputs *inputs, const uint32_t *words, uint32_t count) {
    if (count > 0)
        memcpy(inputs->words + inputs->count, words, 4 * count);
    inputs->count += count;
}

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4

/* Writes patches and ranges, which are pairs of words. */
static Inputs State(uint32_t memory, uint32_t offset, const uint32_t *patches, uint32_t patch_words,
                    const uint32_t *ranges, uint32_t range_words) {
    Inputs inputs = {.count = 0};
    Put(&inputs, WORDS(memory, offset, patch_words / 2, range_words / 2));
    Put(&inputs, patches, patch_words);
    Put(&inputs, ranges, range_words);
    return inputs;
}

static void Call(Script *script, const char *key, Inputs state, const uint32_t *rest,
                 uint32_t rest_words) {
    Put(&state, rest, rest_words);
    Script_Call(script, key, state.words, 4 * state.count);
}

static ScriptResults results; /* of the present test */

TEST_AROUND(FreeResults) {
    Script_Free(&results);
    memset(&results, 0, sizeof results);
    return 0;
}

static void Run(void (*write)(Script *script)) {
    Script script;
    Provider provider;
    ProviderOptions options = {.host = host, .timeout_seconds = 20, .trust = true};
    RpError error = {0};
    assert_int_equal(Provider_Open(pair, &provider, &error), RP_OK);
    Script_Begin(&script, "states", NULL);
    WriteMemories(&script);
    write(&script);
    Script_End(&script);
    results = Script_Run(&script, &provider, &options);
}

static void Returned(const ScriptResult *result, uint8_t violations, uint32_t words) {
    assert_int_equal(result->outcome, TRACE_RETURNED);
    assert_int_equal(result->violations, violations);
    assert_int_equal(result->size, 4 * words);
}

/* ---- calls that behave ----------------------------------------------------------------------- */

static void WriteRanges(Script *script) {
    Call(script, set_phase, State(OBJECT, 0, NULL, 0, WORDS(PHASE - 4, 4)),
         WORDS(Bits(2), Bits(3)));
    Call(script, change_flags,
         State(OBJECT, 0, NULL, 0,
               WORDS(PIECE(0) + FLAGS, 1, PIECE(1) + FLAGS, 1, PIECE(2) + FLAGS, 2)),
         WORDS(0, 0x10, 0, 0));
}

TEST(RangesAreTheOutputs) {
    Run(WriteRanges);
    const uint32_t phase[] = {Word(OBJECT, PHASE - 4), Bits(2), Bits(3), Word(OBJECT, PHASE + 8)};
    const uint32_t flags[] = {
        Word(OBJECT, PIECE(0) + FLAGS) + 0x10, Word(OBJECT, PIECE(1) + FLAGS) + 0x10,
        Word(OBJECT, PIECE(2) + FLAGS) + 0x10, Word(OBJECT, PIECE(2) + FLAGS + 4)};
    Returned(&results.calls[0], 0, 4);
    assert_memory_equal(results.calls[0].words, phase, sizeof phase);
    Returned(&results.calls[1], 0, 4);
    assert_memory_equal(results.calls[1].words, flags, sizeof flags);
}

/* Makes the same call twenty times, with another object and a call without a state in between. */
static void WriteRuns(Script *script) {
    const uint32_t ranges[] = {PIECE(0) + FLAGS, 1, PIECE(1) + FLAGS, 1, PIECE(2) + FLAGS, 1};
    for (uint32_t i = 0; i < 20; i++) {
        const uint32_t patch[] = {PIECE(1) + FLAGS, i};
        const uint32_t memory = i % 3 == 2 ? OTHER : OBJECT;
        Call(script, change_flags, State(memory, 0, patch, i % 2 ? 2 : 0, ranges, 6),
             WORDS(0, 1, 0, 0));
        if (i % 5 == 4)
            Script_Call(script, "animesh.SampleNode", (const uint32_t[]){memory, PIECE(0), 0}, 12);
    }
}

TEST(EachCallBeginsWithTheTracesBytesAndItsPatches) {
    Run(WriteRuns);
    const ScriptResult *result = results.calls;
    for (uint32_t i = 0; i < 20; i++, result++) {
        const uint32_t memory = i % 3 == 2 ? OTHER : OBJECT;
        Returned(result, 0, 3);
        assert_int_equal(result->words[0], Word(memory, PIECE(0) + FLAGS) + 1);
        assert_int_equal(result->words[1], (i % 2 ? i : Word(memory, PIECE(1) + FLAGS)) + 1);
        assert_int_equal(result->words[2], Word(memory, PIECE(2) + FLAGS) + 1);
        if (i % 5 == 4) { /* other memories are read-only for that call, and are restored */
            Returned(++result, TRACE_OUTSIDE_WRITE, 7);
            assert_int_equal(result->words[0], Bits((float)Word(memory, PIECE(0) + STAGE)));
        }
    }
}

static void WriteInterfaces(Script *script) {
    Call(script, sphere, State(OBJECT, 8, WORDS(PIECE(2), 42), WORDS(PHASE, 1)),
         WORDS(2, 9, 1, 2, 3, 4));
    const uint32_t point_query_hit[] = {Bits(1), Bits(2), Bits(3), 0,  0,  0,  0,  0,  0,  0,
                                        1000,    500,     11,      12, 13, 14, 15, 16, 17, 18};
    Call(script, walk_face, State(OBJECT, 4, WORDS(PHASE, 7), NULL, 0), point_query_hit, 20);
    Call(script, node_phase, State(OBJECT, 0, WORDS(PIECE(1) + 0x114, Bits(5)), NULL, 0), WORDS(1));
    Call(script, node_flags, State(OBJECT, 0, NULL, 0, NULL, 0), WORDS(2));
}

TEST(OtherParametersPassBesideAState) {
    Run(WriteInterfaces);
    const ScriptResult *calls = results.calls;
    const uint32_t sphere_words[] = {9, Bits(4), Bits(42), 0xA5A5A5A5u, 0xA5A5A5A5u};
    Returned(&calls[0], 0, 5);
    assert_memory_equal(calls[0].words, sphere_words, sizeof sphere_words);
    Returned(&calls[1], 0, 1 + 9);
    SCRIPT_BEGINS(calls[1], 11, 500 + 7 + 1000, 11);
    assert_int_equal(calls[1].words[9], Bits(3));
    Returned(&calls[2], 0, 3);
    const uint32_t half[] = {0, 0x80000000u, 0x3FFE}; /* 5 * 0.1 with 64 bits */
    assert_memory_equal(calls[2].words, half, 10);
    Returned(&calls[3], 0, 1);
    assert_int_equal(calls[3].words[0], Word(OBJECT, PIECE(2) + FLAGS));
}

static void WriteTilts(Script *script) {
    const uint32_t range[] = {PIECE(1) + TILT, 2};
    Call(script, tilt_node, State(OBJECT, 0, NULL, 0, range, 2), WORDS(1, VECTORS, 0, VECTORS, 12));
    Call(script, tilt_node, State(OBJECT, 0, NULL, 0, range, 2),
         WORDS(1, TRACE_NO_MEMORY, 0, VECTORS, 0));
    Call(script, tilt_node, State(OBJECT, 0, NULL, 0, range, 2),
         WORDS(1, VECTORS, 4, TRACE_NO_MEMORY, 0));
}

TEST(ReferencesMayBeNull) {
    static const uint32_t expected[][2] = {{1, 6}, {0xF0000000u, 3}, {2, 0x70000000u}};
    Run(WriteTilts);
    for (int i = 0; i < 3; i++) {
        Returned(&results.calls[i], 0, 2);
        assert_memory_equal(results.calls[i].words, expected[i], sizeof expected[i]);
    }
}

/* ---- calls that do not ----------------------------------------------------------------------- */

/* The place to which each call writes, and whether it is outside of the one range that the call
 * has. */
static const struct {
    int32_t at;
    uint32_t node; /* 1 means that the place is in the reader */
    uint8_t violations;
} writes[] = {
    {PHASE, 0, 0},
    {PHASE + 12, 0, 0},
    {PHASE - 4, 0, TRACE_OUTSIDE_WRITE},
    {PHASE + 16, 0, TRACE_OUTSIDE_WRITE},
    {0, 0, TRACE_OUTSIDE_WRITE},
    {OBJECT_BYTES - 4, 0, TRACE_OUTSIDE_WRITE},
    {PIECE(1) + FLAGS, 0, TRACE_OUTSIDE_WRITE}, /* a patched dword */
    {-4, 0, TRACE_OUTSIDE_WRITE},               /* in front of the object, but in its pages */
    {8, 1, TRACE_OUTSIDE_WRITE},                /* in another memory */
    {PHASE, 0, 0},
};

enum { WRITES = sizeof writes / sizeof *writes };

static void WriteWrites(Script *script) {
    for (int i = 0; i < WRITES; i++)
        Call(script, write_at, State(OBJECT, 0, WORDS(PIECE(1) + FLAGS, 99), WORDS(PHASE, 4)),
             WORDS(writes[i].node, (uint32_t)writes[i].at));
}

TEST(AWriteOutsideOfTheRangesIsAViolationAndIsUndone) {
    Run(WriteWrites);
    for (int i = 0; i < WRITES; i++) {
        Returned(&results.calls[i], writes[i].violations, 4);
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(results.calls[i].words[k],
                             Word(OBJECT, PHASE + 4 * k) +
                                 (writes[i].node == 0 && writes[i].at == (int32_t)(PHASE + 4 * k)));
    }
}

static void WriteCrashes(Script *script) {
    Inputs state = State(OBJECT, 0, WORDS(PIECE(1) + FLAGS, 99), WORDS(PHASE, 4));
    Call(script, write_at, state, WORDS(0, 0x10000)); /* there is no memory after the object */
    Call(script, write_at, state, WORDS(0, PHASE));
}

TEST(ACrashIsTheCallsAndTheNextIsWell) {
    Run(WriteCrashes);
    assert_int_equal(results.calls[0].outcome, TRACE_CRASHED);
    assert_int_equal(results.calls[0].words[0], 0xC0000005u);
    Returned(&results.calls[1], 0, 4);
    assert_int_equal(results.calls[1].words[0], Word(OBJECT, PHASE) + 1);
}

static void WriteAbsent(Script *script) {
    static const uint32_t matrix[16], message[2] = {0, 0};
    Inputs state = State(OBJECT, 0, NULL, 0, NULL, 0);
    /* this pair does not have the function */
    Call(script, "animesh.IAnimation.16", state, WORDS(1));
    Inputs with_node = state;
    Put(&with_node, WORDS(1));
    /* the function has no published address */
    Call(script, "animesh.IAnimation.5", with_node, matrix, 16);
    /* the function has an opaque `self` */
    Script_Call(script, "animesh.IAnimation.27", message, sizeof message);
    Call(script, node_flags, state, WORDS(0));
}

TEST(MethodsThatThePairLacksAreUnsupported) {
    Run(WriteAbsent);
    for (int i = 0; i < 3; i++)
        assert_int_equal(results.calls[i].outcome, TRACE_UNSUPPORTED);
    Returned(&results.calls[3], 0, 1);
}

AROUND_EACH(NULL, FreeResults)

int main(void) {
    char home[512];
    if (!TestEngine_Find("tests/replay/host/objects", home, host))
        return SKIPPED;
    snprintf(pair, sizeof pair, "%s/tests/replay/host/objects", home);
    return Tests_Run();
}
