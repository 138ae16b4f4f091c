/* Tests pairs of DLLs in machines that a program makes: they are opened, called, run over traces,
 * and compared. */
#include "retropose/machine.h"

#include "core/digest.h"
#include "core/pe/pe.h"
#include "tests/bits.h"
#include "tests/test.h"

#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GAMES_CONTROL 0x007F
#define GAMES_MXCSR   0x1F80
#define INT3          0xCC
#define SLOT          17 /* InterpolateQuaternions, fastcall: q0, q1, t, result */
#define SLOT_KEY      "ngi32.slot17"

typedef struct Bytes {
    uint8_t *bytes;
    size_t size;
} Bytes;

typedef struct Files {
    Bytes ngi32, animesh;
} Files;

static Files standin, replacement, exits, rogue;

static Bytes Read(const char *path) {
    Bytes read = {0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return read;
    fseek(file, 0, SEEK_END);
    read.size = (size_t)ftell(file);
    rewind(file);
    read.bytes = malloc(read.size + 1);
    if (!read.bytes || fread(read.bytes, 1, read.size, file) != read.size)
        read.size = 0;
    fclose(file);
    return read;
}

static bool ReadPair(const char *folder, Files *files) {
    char path[1024];
    const char *set = getenv("RETROPOSE_HOME"), *home = set ? set : WINDOWS_BUILD;
    snprintf(path, sizeof path, "%s/%s/Ngi32.dll", home, folder);
    files->ngi32 = Read(path);
    snprintf(path, sizeof path, "%s/%s/AniMesh.dll", home, folder);
    files->animesh = Read(path);
    if (files->ngi32.size && files->animesh.size)
        return true;
    printf("skipped: %s is not there; build the preset windows first\n", path);
    return false;
}

static void Free(Files *files) {
    free(files->ngi32.bytes);
    free(files->animesh.bytes);
}

static Bytes ReadTrace(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.rptrace", TRACES, name);
    Bytes trace = Read(path);
    assert_true(trace.size > 0);
    return trace;
}

static RpPair *Open(const Files *files, const RpPairOptions *options) {
    RpPair *pair;
    RpError error = {0};
    if (RpPair_Open(files->ngi32.bytes, files->ngi32.size, files->animesh.bytes,
                    files->animesh.size, options, &pair, &error))
        print_error("%s, at %s: %s\n", error.what, error.where, error.found);
    assert_non_null(pair);
    return pair;
}

static RpBuffer Run(RpPair *pair, Bytes trace) {
    RpBuffer executed;
    RpError error = {0};
    RpBuffer_Init(&executed, NULL);
    if (RpPair_Run(pair, trace.bytes, trace.size, NULL, NULL, &executed, &error))
        fail_msg("%s, at %s: %s", error.what, error.where, error.found);
    return executed;
}

/* ---- opening --------------------------------------------------------------------------------- */

TEST(APairSaysWhatItIs) {
    RpPairFacts facts;
    char digest[DIGEST_HEX_BYTES];
    RpPair *pair = Open(&standin, NULL);
    RpPair_Facts(pair, &facts);
    assert_string_equal(facts.kind, "stand-in");
    assert_string_equal(facts.engine, "interpreter");
    assert_string_equal(facts.processor, "this");
    assert_false(facts.is_published);
    Digest_OfBytes(standin.animesh.bytes, standin.animesh.size, digest);
    assert_string_equal(facts.animesh_sha256, digest);
    RpPair_Close(pair);

    RpPairOptions options = RpPairOptions_Default();
    options.engine = RP_PAIR_TRANSLATOR;
    options.processor = "pentium3";
    pair = Open(&replacement, &options);
    RpPair_Facts(pair, &facts);
    assert_string_equal(facts.kind, "replacement");
    assert_string_equal(facts.processor, "pentium3");
#if defined(__x86_64__) && defined(__linux__)
    assert_string_equal(facts.engine, "machine");
#endif
    RpPair_Close(pair);
    RpPair_Close(NULL);
}

TEST(FilesThatAreNoPairAreRefused) {
    RpPair *pair;
    RpError error = {0};
    RpPairOptions options = RpPairOptions_Default();
    assert_int_equal(
        RpPair_Open("text", 4, standin.animesh.bytes, standin.animesh.size, NULL, &pair, &error),
        RP_TRUNCATED);
    assert_string_equal(error.where, "Ngi32.dll");
    assert_null(pair);
    assert_int_equal(RpPair_Open(standin.ngi32.bytes, standin.ngi32.size, standin.animesh.bytes,
                                 0x400, NULL, &pair, &error),
                     RP_TRUNCATED);
    assert_string_equal(error.where, "AniMesh.dll");
    options.processor = "pentium9";
    assert_int_equal(RpPair_Open(standin.ngi32.bytes, standin.ngi32.size, standin.animesh.bytes,
                                 standin.animesh.size, &options, &pair, &error),
                     RP_INVALID);
    assert_int_equal(RpPair_Open(exits.ngi32.bytes, exits.ngi32.size, exits.animesh.bytes,
                                 exits.animesh.size, NULL, &pair, &error),
                     RP_CRASHED);
    assert_string_equal(error.where, "AniMesh.dll");
    options = RpPairOptions_Default();
    options.most_memory = 0x100000; /* less than the two images */
    assert_int_not_equal(RpPair_Open(standin.ngi32.bytes, standin.ngi32.size, standin.animesh.bytes,
                                     standin.animesh.size, &options, &pair, &error),
                         RP_OK);
    assert_null(pair);
}

/* ---- calling --------------------------------------------------------------------------------- */

/* Makes every call of one slot in a trace with arguments of this program's own, which must give the
 * results that the trace holds. */
TEST(ACallHasTheResultsOfTheTrace) {
    RpTrace *trace;
    RpTraceCall recorded;
    bool found;
    unsigned compared = 0;
    Bytes bytes = ReadTrace("slots");
    RpPair *pair = Open(&standin, NULL);
    const uint32_t memory = RpPair_Allocate(pair, 48);
    assert_int_not_equal(memory, 0);
    assert_int_equal(memory % 16, 0);
    assert_int_equal(RpTrace_Open(bytes.bytes, bytes.size, "slots", &trace, NULL), RP_OK);
    while (compared < 100 && RpTrace_Next(trace, &recorded, &found, NULL) == RP_OK && found) {
        float values[12] = {0}, t, expected[4], result[4];
        if (strcmp(recorded.function, SLOT_KEY) != 0 || recorded.outcome != RP_TRACE_RETURNED)
            continue;
        assert_true(RpTraceCall_Input(&recorded, "q0", values, 4));
        assert_true(RpTraceCall_Input(&recorded, "q1", values + 4, 4));
        assert_true(RpTraceCall_Input(&recorded, "t", &t, 1));
        assert_true(RpTraceCall_Result(&recorded, "result", expected, 4));
        assert_int_equal(RpPair_Write(pair, memory, values, sizeof values, NULL), RP_OK);
        const uint32_t arguments[] = {Bits(t), memory + 32};
        RpPairCall call = {.function = RpPair_Slot(pair, SLOT),
                           .arguments = arguments,
                           .argument_count = 2,
                           .ecx = memory,
                           .edx = memory + 16,
                           .control_word = recorded.control_word,
                           .mxcsr = recorded.mxcsr};
        assert_int_equal(RpPair_Call(pair, &call, NULL), RP_OK);
        assert_int_equal(call.outcome, RP_TRACE_RETURNED);
        assert_int_equal(call.popped, 8);
        assert_int_equal(call.control_word_after, recorded.control_word_after);
        assert_int_equal(call.mxcsr_after & ~0x3Fu, recorded.mxcsr_after & ~0x3Fu);
        assert_int_equal(RpPair_Read(pair, memory + 32, result, sizeof result, NULL), RP_OK);
        assert_memory_equal(result, expected, sizeof result);
        compared++;
    }
    assert_int_equal(compared, 100);
    RpTrace_Close(trace);
    RpPair_Close(pair);
    free(bytes.bytes);
}

/* Divides one by the root of zero, under a control word that lets this exception through. Only the
 * next x87 instruction would raise it, and the function has none. */
TEST(AnExceptionThatWaitsBelongsToItsCall) {
    RpPairOptions options = RpPairOptions_Default();
    options.processor = "pentium-mmx"; /* a processor without SSE */
    RpPair *pair = Open(&standin, &options);
    const uint32_t zero = 0;
    RpPairCall call = {.function = RpPair_Slot(pair, 11),
                       .arguments = &zero,
                       .argument_count = 1,
                       .control_word = 0x007B,
                       .mxcsr = GAMES_MXCSR};
    assert_int_equal(RpPair_Call(pair, &call, NULL), RP_OK);
    assert_int_equal(call.outcome, RP_TRACE_CRASHED);
    assert_int_equal(call.exception, 0xC000008E);
    call.control_word = GAMES_CONTROL;
    assert_int_equal(RpPair_Call(pair, &call, NULL), RP_OK);
    assert_int_equal(call.outcome, RP_TRACE_RETURNED);
    RpPair_Close(pair);
}

/* Both engines reach the same code with the same calls, and a second run adds to the first one. */
TEST(WhatCallsHaveReachedIsCounted) {
    RpPairCoverage counts[2], all;
    RpError error;
    for (int engine = RP_PAIR_INTERPRETER; engine <= RP_PAIR_TRANSLATOR; engine++) {
        RpPairOptions options = RpPairOptions_Default();
        options.engine = (RpPairEngine)engine;
        options.coverage = true;
        RpPair *pair = Open(&standin, &options);
        const char *const traces[] = {"stubs", "classes-7"};
        for (int i = 0; i < 2; i++) {
            Bytes trace = ReadTrace(traces[i]);
            RpBuffer executed = Run(pair, trace);
            assert_int_equal(RpPair_Coverage(pair, SLOT_KEY, &counts[engine], NULL), RP_OK);
            assert_int_equal(counts[engine].blocks > 0, i);
            RpBuffer_Free(&executed);
            free(trace.bytes);
        }
        assert_true(counts[engine].blocks_reached > 1);
        assert_true(counts[engine].blocks_reached <= counts[engine].blocks);
        assert_true(counts[engine].sides_reached <= counts[engine].sides);
        assert_int_equal(RpPair_Coverage(pair, NULL, &all, NULL), RP_OK);
        assert_true(all.blocks > counts[engine].blocks);
        assert_true(all.blocks_reached > counts[engine].blocks_reached);
        RpPair_Close(pair);
    }
    assert_memory_equal(&counts[0], &counts[1], sizeof counts[0]);
    RpPair *pair = Open(&standin, NULL);
    assert_int_equal(RpPair_Coverage(pair, NULL, &all, &error), RP_INVALID);
    assert_int_equal(all.blocks, 0);
    RpPair_Close(pair);
}

TEST(MemoryIsAsThePairHasIt) {
    uint8_t bytes[8];
    RpError error = {0};
    RpPair *pair = Open(&standin, NULL);
    const uint32_t large = RpPair_Allocate(pair, 100000);
    assert_int_equal(RpPair_Write(pair, large + 99992, "12345678", 8, NULL), RP_OK);
    assert_int_equal(RpPair_Read(pair, large + 99992, bytes, 8, NULL), RP_OK);
    assert_memory_equal(bytes, "12345678", 8);
    assert_int_equal(RpPair_Read(pair, 16, bytes, 8, &error), RP_INVALID);
    assert_string_equal(error.where, "address 0x00000010");
    const uint32_t code = RpPair_Export(pair, RP_MODULE_NGI32, "niGetProcAddress");
    assert_int_not_equal(code, 0);
    assert_int_equal(RpPair_Read(pair, code, bytes, 8, NULL), RP_OK);
    assert_int_equal(RpPair_Write(pair, code, bytes, 8, NULL), RP_INVALID);
    assert_int_equal(RpPair_Export(pair, RP_MODULE_NGI32, "noSuchFunction"), 0);
    assert_int_equal(RpPair_Export(pair, (RpModule)7, "niGetProcAddress"), 0);
    assert_int_equal(RpPair_Slot(pair, 68), 0);
    RpPair_Close(pair);
}

/* The stand-in chooses slot 17's build by what `cpuid` answers; its addresses are the original's
 * (docs/facts/ngi32.md B.3). */
TEST(ThePairFindsTheProcessorThatIsAskedFor) {
    static const struct {
        const char *processor;
        uint32_t slot17;
    } expected[] = {{"pentium-mmx", 0x14630},
                    {"pentium2", 0x17F50},
                    {"k6-2", 0x14630},
                    {"pentium3", 0x15D80},
                    {"athlon", 0x15D80}};
    PeFile file;
    RpPairOptions options = RpPairOptions_Default();
    assert_int_equal(Pe_Open(standin.ngi32.bytes, standin.ngi32.size, "Ngi32.dll", &file, NULL),
                     RP_OK);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        options.processor = expected[i].processor;
        RpPair *pair = Open(&standin, &options);
        assert_int_equal(RpPair_Slot(pair, SLOT) - file.image_base, expected[i].slot17);
        RpPair_Close(pair);
    }
    Pe_Close(&file);
}

/* Makes calls with each kind of end in one engine. */
static void Ends(RpPairEngine engine) {
    RpPairOptions options = RpPairOptions_Default();
    options.engine = engine;
    RpPair *pair = Open(&standin, &options);
    RpPairCall call = {.function = 0x00001000, .control_word = GAMES_CONTROL, .mxcsr = GAMES_MXCSR};
    assert_int_equal(RpPair_Call(pair, &call, NULL), RP_OK);
    assert_int_equal(call.outcome, RP_TRACE_CRASHED);
    assert_int_equal(call.exception, 0xC0000005);
    assert_int_equal(call.module, RP_MODULE_COUNT);
    assert_int_equal(call.offset, 0x1000);

    call.function = RpPair_Slot(pair, SLOT); /* with null pointers */
    assert_int_equal(RpPair_Call(pair, &call, NULL), RP_OK);
    assert_int_equal(call.outcome, RP_TRACE_CRASHED);
    assert_int_equal(call.module, RP_MODULE_NGI32);
    assert_true(call.offset > 0x1000 && call.offset < 0x100000);
    RpPair_Close(pair);

    options.most_instructions = 10; /* the limit of a call; loading has its own limit */
    pair = Open(&standin, &options);
    const uint32_t memory = RpPair_Allocate(pair, 48), arguments[] = {Bits(0.5f), memory + 32};
    call.ecx = memory;
    call.edx = memory + 16;
    call.arguments = arguments;
    call.argument_count = 2;
    assert_int_equal(RpPair_Call(pair, &call, NULL), RP_OK);
    assert_int_equal(call.outcome, RP_TRACE_TIMED_OUT);
    assert_string_equal(call.reason, "a call executed 10 instructions without an end");
    assert_int_equal(RpPair_Call(pair, &call, NULL), RP_INVALID);
    assert_int_equal(RpPair_Restore(pair, NULL), RP_OK);
    assert_int_equal(RpPair_Allocate(pair, 48), memory); /* it is as it was */
    call.argument_count = RP_PAIR_MOST_ARGUMENTS + 1;
    assert_int_equal(RpPair_Call(pair, &call, NULL), RP_INVALID);
    RpPair_Close(pair);

    const uint32_t code[] = {5, 0};
    pair = Open(&rogue, NULL);
    call.arguments = code;
    call.argument_count = 2;
    call.function = RpPair_Export(pair, RP_MODULE_NGI32, "n3dSetLighting");
    assert_int_not_equal(call.function, 0);
    assert_int_equal(RpPair_Call(pair, &call, NULL), RP_OK);
    assert_int_equal(call.outcome, RP_TRACE_EXITED);
    assert_int_equal(call.exit_code, 5);
    RpPair_Close(pair);
}

TEST(ACallEndsInOneOfFourWays) {
    Ends(RP_PAIR_INTERPRETER);
    Ends(RP_PAIR_TRANSLATOR);
}

/* ---- traces ---------------------------------------------------------------------------------- */

static RpComparisonCounts Compare(const RpBuffer *a, const RpBuffer *b) {
    RpComparisonCounts totals;
    RpError error = {0};
    RpComparison *comparison = RpComparison_Create(0);
    assert_non_null(comparison);
    if (RpComparison_Add(comparison, a->bytes, a->size, b->bytes, b->size, "the trace", &error))
        fail_msg("%s, at %s: %s", error.what, error.where, error.found);
    RpComparison_Totals(comparison, &totals);
    RpComparison_Destroy(comparison);
    return totals;
}

TEST(BothEnginesAndBothPairsAreTheSame) {
    RpPairOptions translated = RpPairOptions_Default();
    translated.engine = RP_PAIR_TRANSLATOR;
    RpPair *original = Open(&standin, NULL), *ours = Open(&replacement, NULL),
           *fast = Open(&replacement, &translated);
    static const struct {
        const char *name;
        uint64_t calls;
    } traces[] = {{"classes-3", 2000}, {"models", 4000}, {"table", 68}, {"stubs", 600}};
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        Bytes trace = ReadTrace(traces[i].name);
        RpBuffer a = Run(original, trace), b = Run(ours, trace), c = Run(fast, trace),
                 again = Run(ours, trace);
        const RpComparisonCounts totals = Compare(&a, &b), engines = Compare(&b, &c);
        assert_int_equal(totals.different, 0);
        assert_int_equal(engines.different, 0);
        assert_int_equal(totals.compared + totals.failed_alike + totals.wrote_outside +
                             totals.not_comparable + totals.not_called + totals.unsupported,
                         traces[i].calls);
        assert_int_equal(engines.compared >= totals.compared, true);
        assert_int_equal(b.size, again.size);
        assert_memory_equal(b.bytes, again.bytes, b.size);
        RpBuffer_Free(&a);
        RpBuffer_Free(&b);
        RpBuffer_Free(&c);
        RpBuffer_Free(&again);
        free(trace.bytes);
    }
    RpPair_Close(original);
    RpPair_Close(ours);
    RpPair_Close(fast);
}

/* A run over a trace comes to its end even if calls exit, hang and crash. */
TEST(ARunGoesOnAfterACallThatEndsThePair) {
    RpPairOptions options = RpPairOptions_Default();
    RpTrace *trace;
    RpTraceCall call;
    bool found;
    unsigned endings = 0, crashes = 0, not_called = 0, calls = 0;
    options.most_instructions = 100000;
    Bytes bytes = ReadTrace("classes-4");
    RpPair *pair = Open(&rogue, &options);
    RpBuffer executed = Run(pair, bytes);
    assert_int_equal(RpTrace_Open(executed.bytes, executed.size, "", &trace, NULL), RP_OK);
    for (; RpTrace_Next(trace, &call, &found, NULL) == RP_OK && found; calls++) {
        endings += call.outcome == RP_TRACE_EXITED || call.outcome == RP_TRACE_TIMED_OUT;
        crashes += call.outcome == RP_TRACE_CRASHED;
        if (call.outcome == RP_TRACE_EXITED)
            assert_string_equal(call.function, "ngi32.slot26");
        if (call.outcome == RP_TRACE_NOT_CALLED) {
            assert_int_equal(endings, 16);
            not_called++;
        }
    }
    assert_int_equal(calls, 2000);
    assert_int_equal(endings, 16);
    assert_true(crashes > 0);
    assert_true(not_called > 0);
    assert_string_equal(RpPair_Reason(pair, "ngi32.slot28"),
                        "a call executed 100000 instructions without an end");
    assert_string_equal(RpPair_Reason(pair, "ngi32.slot26"), "");
    assert_string_equal(RpPair_Reason(pair, "no.function"), "");
    RpTrace_Close(trace);
    RpBuffer_Free(&executed);
    RpPair_Close(pair);
    free(bytes.bytes);
}

/* If one instruction of one function is changed, a stand-in differs in that function and nowhere
 * else. */
TEST(AChangedFunctionIsFound) {
    PeFile file;
    RpPairFacts facts;
    RpComparisonDifference difference;
    RpComparisonFunction function;
    RpBuffer text;
    Files changed = standin;
    changed.ngi32.bytes = malloc(standin.ngi32.size);
    memcpy(changed.ngi32.bytes, standin.ngi32.bytes, standin.ngi32.size);
    RpPairOptions options = RpPairOptions_Default();
    options.force_cpu = 7; /* the class that the trace asks for, which chooses the build */
    RpPair *original = Open(&standin, &options);

    assert_int_equal(Pe_Open(standin.ngi32.bytes, standin.ngi32.size, "", &file, NULL), RP_OK);
    const uint32_t rva = RpPair_Slot(original, SLOT) - file.image_base;
    const uint8_t *code = Pe_At(&file, rva, 1);
    assert_non_null(code);
    changed.ngi32.bytes[code - standin.ngi32.bytes] = INT3;
    Pe_Close(&file);

    RpPair *modified = Open(&changed, NULL);
    RpPair_Facts(modified, &facts);
    assert_string_equal(facts.kind, "modified stand-in");
    Bytes trace = ReadTrace("classes-7");
    RpBuffer a = Run(original, trace), b = Run(modified, trace);
    RpComparison *comparison = RpComparison_Create(0);
    assert_int_equal(
        RpComparison_Add(comparison, a.bytes, a.size, b.bytes, b.size, "classes-7", NULL), RP_OK);
    unsigned different = 0;
    for (size_t i = 0; RpComparison_FunctionAt(comparison, i, &function); i++) {
        /* Slot 22 has the same routine, and functions of AniMesh.dll call it. */
        const bool is_changed = strcmp(function.key, SLOT_KEY) == 0 ||
                                strcmp(function.key, "ngi32.slot22") == 0 ||
                                strcmp(function.key, "animesh.SampleNode") == 0 ||
                                strcmp(function.key, "animesh.BlendPoses") == 0;
        different += function.counts.different > 0;
        assert_int_equal(function.counts.crashed > 0, is_changed);
        assert_string_equal(function.standing, is_changed ? "CRASHED" : "equal");
    }
    assert_int_equal(different, 4);
    assert_true(RpComparison_FirstDifference(comparison, SLOT_KEY, &difference));
    assert_string_equal(difference.trace, "classes-7");
    assert_string_equal(difference.field, "outcome");
    assert_string_equal(difference.text_a, "returned");
    assert_non_null(strstr(difference.text_b, "crashed with 80000003"));
    assert_false(RpComparison_FirstDifference(comparison, "ngi32.slot14", &difference));

    RpBuffer_Init(&text, NULL);
    assert_int_equal(RpComparison_Json(comparison, &text, NULL), RP_OK);
    RpBuffer_AppendU16(&text, 0);
    assert_non_null(strstr((char *)text.bytes, "\"format\":\t\"retropose report 1\""));
    assert_non_null(strstr((char *)text.bytes, "a modified stand-in"));
    RpBuffer_Free(&text);
    RpComparison_Destroy(comparison);
    RpBuffer_Free(&a);
    RpBuffer_Free(&b);
    RpPair_Close(original);
    RpPair_Close(modified);
    free(trace.bytes);
    free(changed.ngi32.bytes);
}

/* with the x87 in software, the library leaves alone the x87 that the C library looks at */
#ifndef RETROPOSE_SOFT_X87

/* Appends everything that a comparison says as text, computed while the thread rounds in this
 * direction. */
static void SayUnder(int rounding, const RpBuffer *a, const RpBuffer *b, RpBuffer *text) {
    RpComparisonFunction function;
    RpComparisonDifference difference;
    const int before = fegetround();
    assert_int_equal(fesetround(rounding), 0);
    RpComparison *comparison = RpComparison_Create(0);
    RpStatus status = RpComparison_Add(comparison, a->bytes, a->size, b->bytes, b->size, "", NULL);
    if (!status)
        status = RpComparison_Json(comparison, text, NULL);
    for (size_t i = 0; RpComparison_FunctionAt(comparison, i, &function); i++)
        if (RpComparison_FirstDifference(comparison, function.key, &difference)) {
            RpBuffer_AppendText(text, difference.text_a);
            RpBuffer_AppendText(text, difference.text_b);
        }
    const int after = fegetround();
    fesetround(before);
    assert_int_equal(status, RP_OK);
    assert_int_equal(after, rounding);
    RpComparison_Destroy(comparison);
}

TEST(AComparisonSaysTheSameHoweverItsThreadRounds) {
    static const int roundings[] = {FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    Files other;
    RpBuffer expected, found;
    assert_true(ReadPair("standin-wxyz", &other));
    RpPair *pairs[2] = {Open(&standin, NULL), Open(&other, NULL)};
    Bytes trace = ReadTrace("poses");
    RpBuffer a = Run(pairs[0], trace), b = Run(pairs[1], trace);
    RpBuffer_Init(&expected, NULL);
    SayUnder(FE_TONEAREST, &a, &b, &expected);
    for (int i = 0; i < 3; i++) {
        RpBuffer_Init(&found, NULL);
        SayUnder(roundings[i], &a, &b, &found);
        assert_int_equal(found.size, expected.size);
        assert_memory_equal(found.bytes, expected.bytes, found.size);
        RpBuffer_Free(&found);
    }
    RpBuffer_Free(&expected);
    RpBuffer_Free(&a);
    RpBuffer_Free(&b);
    RpPair_Close(pairs[0]);
    RpPair_Close(pairs[1]);
    Free(&other);
    free(trace.bytes);
}

#endif

typedef struct Watch {
    uint64_t last, total;
    unsigned times, most;
} Watch;

static bool OnProgress(void *context, uint64_t done, uint64_t total) {
    Watch *watch = context;
    assert_true(watch->times == 0 || done > watch->last);
    watch->last = done;
    watch->total = total;
    return ++watch->times < watch->most;
}

TEST(ARunTellsHowFarItIsAndCanBeStopped) {
    Watch watch = {.most = 1000}, stopped = {.most = 3};
    RpBuffer executed;
    RpError error = {0};
    Bytes trace = ReadTrace("classes-2");
    RpPair *pair = Open(&replacement, NULL);
    RpBuffer_Init(&executed, NULL);
    assert_int_equal(RpPair_Run(pair, trace.bytes, trace.size, OnProgress, &watch, &executed, NULL),
                     RP_OK);
    assert_int_equal(watch.total, 2000);
    assert_true(watch.times > 3);
    executed.size = 0;
    assert_int_equal(
        RpPair_Run(pair, trace.bytes, trace.size, OnProgress, &stopped, &executed, &error),
        RP_INVALID);
    assert_string_equal(error.what, "the run was stopped");
    executed.size = 0;
    assert_int_equal(RpPair_Run(pair, trace.bytes, trace.size - 100, NULL, NULL, &executed, &error),
                     RP_TRUNCATED);
    assert_int_equal(RpPair_Run(pair, "no trace", 8, NULL, NULL, &executed, &error), RP_CORRUPT);
    RpBuffer_Free(&executed);
    RpPair_Close(pair);
    free(trace.bytes);
}

/* ---- several pairs --------------------------------------------------------------------------- */

typedef struct Job {
    const Files *files;
    RpPairEngine engine;
    Bytes trace;
    RpBuffer executed;
    pthread_t thread;
} Job;

static void *RunJob(void *context) {
    Job *job = context;
    RpPairOptions options = RpPairOptions_Default();
    options.engine = job->engine;
    RpPair *pair = Open(job->files, &options);
    job->executed = Run(pair, job->trace);
    RpPair_Close(pair);
    return NULL;
}

TEST(ThreadsHavePairsOfTheirOwn) {
    Job jobs[6];
    Bytes traces[2] = {ReadTrace("classes-4"), ReadTrace("models")};
    for (int i = 0; i < 6; i++) {
        jobs[i] = (Job){.files = i % 2 ? &standin : &replacement,
                        .engine = i < 4 ? RP_PAIR_TRANSLATOR : RP_PAIR_INTERPRETER,
                        .trace = traces[i / 2 % 2]};
        assert_int_equal(pthread_create(&jobs[i].thread, NULL, RunJob, &jobs[i]), 0);
    }
    for (int i = 0; i < 6; i++)
        assert_int_equal(pthread_join(jobs[i].thread, NULL), 0);
    for (int i = 0; i < 6; i += 2) {
        const RpComparisonCounts totals = Compare(&jobs[i].executed, &jobs[i + 1].executed);
        assert_int_equal(totals.different, 0);
        assert_true(totals.compared > 0);
    }
    for (int i = 0; i < 6; i++)
        RpBuffer_Free(&jobs[i].executed);
    free(traces[0].bytes);
    free(traces[1].bytes);
}

/* Uses two pairs on one thread, one of them while the other is in use. */
TEST(OnePairDoesNotTouchAnother) {
    RpPair *a = Open(&standin, NULL), *b = Open(&standin, NULL);
    uint32_t word = 1, read;
    const uint32_t in_a = RpPair_Allocate(a, 16), in_b = RpPair_Allocate(b, 16);
    assert_int_equal(in_a, in_b); /* the same address in two address spaces */
    assert_int_equal(RpPair_Write(a, in_a, &word, 4, NULL), RP_OK);
    assert_int_equal(RpPair_Read(b, in_b, &read, 4, NULL), RP_OK);
    assert_int_equal(read, 0);
    Bytes trace = ReadTrace("table");
    RpBuffer executed = Run(a, trace);
    assert_int_equal(RpPair_Read(a, in_a, &read, 4, NULL), RP_OK);
    assert_int_equal(read, 1);
    RpBuffer_Free(&executed);
    free(trace.bytes);
    RpPair_Close(a);
    assert_int_equal(RpPair_Write(b, in_b, &word, 4, NULL), RP_OK);
    RpPair_Close(b);
}

int main(void) {
    int failed = SKIPPED;
    if (ReadPair("standin", &standin) && ReadPair("replacement", &replacement) &&
        ReadPair("tests/replay/host/exits", &exits) && ReadPair("tests/replay/host/rogue", &rogue))
        failed = Tests_Run();
    Free(&standin);
    Free(&replacement);
    Free(&exits);
    Free(&rogue);
    return failed;
}
