/* Tests of the host process from end to end, with pairs of DLLs that misbehave on purpose and one
 * that reports what it was handed. On Linux they run through Wine, on Windows directly. */
#include "orphan.h"
#include "script.h"

#include "core/digest.h"
#include "tests/engine.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ACCESS_VIOLATION     0xC0000005u
#define DIVIDE_BY_ZERO       0xC0000094u
#define FLOAT_DIVIDE_BY_ZERO 0xC000008Eu
#define FLOAT_OVERFLOW       0xC0000091u
#define BREAKPOINT           0x80000003u
#define STACK_OVERFLOW       0xC00000FDu

#define ONE   0x3F800000u
#define TWO   0x40000000u
#define THREE 0x40400000u
#define UNSET 0xA5A5A5A5u

static char home[512], host[600], pairs[600];

/* Of the present test: the trace, who runs it and how, and what came of it. */
static Script script;
static Provider provider;
static ProviderOptions options;
static ScriptResults results;
static RpError error;

TEST_AROUND(SetOptions) {
    options = (ProviderOptions){.host = host, .timeout_seconds = 2, .trust = true};
    return 0;
}

TEST_AROUND(FreeResults) {
    Script_Free(&results);
    memset(&results, 0, sizeof results);
    return 0;
}

static void OpenPair(const char *name) {
    char path[700];
    snprintf(path, sizeof path, "%s/%s", pairs, name);
    if (Provider_Open(path, &provider, &error))
        fail_msg("%s: %s", error.what, error.where);
}

static void Begin(const char *pair, const char *name, const char *const *headers) {
    OpenPair(pair);
    Script_Begin(&script, name, headers);
}

static void Run(void) {
    Script_End(&script);
    Script_Free(&results);
    results = Script_Run(&script, &provider, &options);
}

/* Demands that the run of a script that has ended fails, and that it leaves no output. */
static void Fails(RpStatus status) {
    memset(&error, 0, sizeof error);
    assert_int_equal(Provider_Run(&provider, script.input, script.output, &options, &error),
                     status);
    assert_int_not_equal(access(script.output, F_OK), 0);
    remove(script.input);
}

/* Calls the function that obeys the rules, which returns 1/v0 in ST0 and v1 doubled. */
static uint64_t Reciprocal(uint32_t v0) {
    uint32_t vector[3] = {v0, THREE, ONE};
    return Script_Call(&script, "ngi32.slot38", vector, sizeof vector);
}

static void IsReciprocalOfTwo(const ScriptResult *result) {
    static const uint32_t expected[] = {0, 0x80000000u, 0x3FFE, TWO, 0x40C00000u, ONE};
    assert_int_equal(result->outcome, TRACE_RETURNED);
    assert_int_equal(result->violations, 0);
    assert_int_equal(result->size, sizeof expected);
    assert_memory_equal(result->words, expected, sizeof expected);
}

/* Makes a call between two others, which must come out right whatever the call does. */
static ScriptResult RunOne(const char *pair, const char *key, const uint32_t *inputs,
                           uint32_t size) {
    Begin(pair, "one", NULL);
    Reciprocal(TWO);
    uint64_t sequence = Script_Call(&script, key, inputs, size);
    Reciprocal(TWO);
    Run();
    IsReciprocalOfTwo(&results.calls[0]);
    IsReciprocalOfTwo(&results.calls[2]);
    ScriptResult result = results.calls[sequence];
    return result;
}

static const uint32_t numbers[64] = {ONE, TWO, THREE};

/* ---- broken rules ---------------------------------------------------------------------------- */

TEST(EachBrokenRuleIsItsViolation) {
    static const struct {
        const char *key;
        uint32_t words;
        uint8_t violation;
    } cases[] = {{"ngi32.slot4", 24, TRACE_STACK_POINTER},
                 {"ngi32.slot7", 19, TRACE_SAVED_REGISTER},
                 {"ngi32.vrtTextOut", 6, TRACE_SAVED_REGISTER},
                 {"ngi32.slot14", 4, TRACE_X87_STACK},
                 {"ngi32.slot11", 1, TRACE_X87_STACK},
                 {"ngi32.slot35", 19, TRACE_DIRECTION_FLAG},
                 {"ngi32.slot15", 4, TRACE_OUTSIDE_WRITE}, /* into what is beside an output */
                 {"ngi32.ngiGetSinCos", 1, TRACE_OUTSIDE_WRITE},
                 {"ngi32.slot17", 9, TRACE_OUTSIDE_WRITE}}; /* into an input */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const ScriptResult result = RunOne("rogue", cases[i].key, numbers, 4 * cases[i].words);
        if (result.outcome != TRACE_RETURNED || result.violations != cases[i].violation)
            fail_msg("%s: outcome %u, violations %u", cases[i].key, result.outcome,
                     result.violations);
    }
}

TEST(AWriteIntoTheTracesMemoryIsAViolationAndIsUndone) {
    uint32_t vertices[] = {THREE, ONE, ONE, TWO, ONE, ONE};
    /* The inputs are the plane, two references, the count and the point. */
    uint32_t inputs[12] = {0, 0, 0, 0, 7, 0, 7, 0, 2};
    Begin("rogue", "memory", NULL);
    Script_Memory(&script, 7, vertices, sizeof vertices, NULL, 0);
    for (int i = 0; i < 3; i++)
        Script_Call(&script, "ngi32.mrnPointInPoly", inputs, sizeof inputs);
    Run();
    for (int i = 0; i < 3; i++) {
        assert_int_equal(results.calls[i].outcome, TRACE_RETURNED);
        assert_int_equal(results.calls[i].violations, TRACE_OUTSIDE_WRITE);
        assert_int_equal(results.calls[i].words[0], 3); /* what the function read before it wrote */
    }
}

/* ---- exceptions ------------------------------------------------------------------------------ */

TEST(EachExceptionIsTheCallsCrash) {
    static const uint32_t plain[] = {0xE0001234u, 0};
    static const uint32_t final[] = {0xE0001235u, 1}; /* nobody may continue after this one */
    /* Windows raises it within a DLL of its own; in a machine it is raised where the function is
     * called */
    const uint32_t raised_in = TestEngine_IsMachine() ? 0 : 2;
    const struct {
        const char *key;
        const uint32_t *inputs;
        uint32_t words, code, module;
    } cases[] = {{"ngi32.slot20", numbers, 9, ACCESS_VIOLATION, 0},
                 {"ngi32.slot22", numbers, 9, DIVIDE_BY_ZERO, 0},
                 {"ngi32.slot23", numbers, 32, BREAKPOINT, 0},
                 {"ngi32.ngiAlloc", numbers, 1, ACCESS_VIOLATION, 2}, /* it calls nothing */
                 {"ngi32.vrtPutDib", plain, 2, plain[0], raised_in},
                 {"ngi32.vrtPutDib", final, 2, final[0], raised_in},
                 {"ngi32.slot45", numbers, 10, STACK_OVERFLOW, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const ScriptResult result =
            RunOne("rogue", cases[i].key, cases[i].inputs, 4 * cases[i].words);
        if (result.outcome != TRACE_CRASHED || result.size != 12 ||
            result.words[0] != cases[i].code || result.words[2] != cases[i].module)
            fail_msg("%s: outcome %u, code %X in module %u", cases[i].key, result.outcome,
                     (unsigned)result.words[0], (unsigned)result.words[2]);
        if (cases[i].module == 0) /* an offset in the code of a small DLL */
            assert_in_range(result.words[1], 0x1000, 0x8000);
    }
}

/* The rogue's ngiAlloc crashes, so a crash would show that it was called. */
TEST(WithoutTrustNothingIsCalledThatMakesObjects) {
    options.trust = false;
    Begin("rogue", "stranger", NULL);
    Script_Call(&script, "ngi32.ngiAlloc", numbers, 4);
    Script_Call(&script, "ngi32.DestroyArchives", NULL, 0);
    /* This call is allowed by --trust, but the function is not present. */
    Script_Call(&script, "ngi32.rsLoadBitmap", numbers, 12);
    Reciprocal(TWO);
    Run();
    assert_int_equal(results.header.minor, TRACE_VERSION_MINOR_RUN);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(results.calls[i].outcome, TRACE_NOT_CALLED);
        assert_int_equal(results.calls[i].size, 0);
    }
    assert_int_equal(results.calls[2].outcome, TRACE_UNSUPPORTED);
    IsReciprocalOfTwo(&results.calls[3]);
}

TEST(AFunctionPointerIsTheTablesEntry) {
    for (uint32_t slot = 0; slot < 68; slot += 23) {
        ScriptResult result = RunOne("rogue", "ngi32.niGetProcAddress", &slot, sizeof slot);
        assert_int_equal(result.outcome, TRACE_RETURNED);
        assert_int_equal(result.size, 4);
        assert_true(result.words[0] == slot || result.words[0] == SIGNATURE_SLOT_NULL);
    }
    static const uint32_t known = 38;
    ScriptResult result = RunOne("rogue", "ngi32.niGetProcAddress", &known, sizeof known);
    assert_int_equal(result.words[0], known);
}

TEST(AFaultThatTheFunctionHandlesIsItsOwnBusiness) {
    static const uint32_t text[] = {6, 0x65766966, 0x21}; /* "five!" */
    ScriptResult result = RunOne("rogue", "ngi32.niOutputDebugString", text, sizeof text);
    assert_int_equal(result.outcome, TRACE_RETURNED);
    assert_int_equal(result.violations, 0);
}

/* An x87 exception waits for the next x87 instruction, which the function may not have. */
TEST(AnUnmaskedX87ExceptionIsTheCallsCrash) {
    Begin("rogue", "unmasked", NULL);
    script.control = 0x007B;
    Reciprocal(0);
    Reciprocal(TWO);
    script.control = 0x007F;
    Reciprocal(0);
    script.control = 0x0077;
    const uint32_t doubled_last[3] = {TWO, 0x7F7FFFFF, ONE};
    Script_Call(&script, "ngi32.slot38", doubled_last, sizeof doubled_last);
    Run();
    assert_int_equal(results.calls[0].outcome, TRACE_CRASHED);
    assert_int_equal(results.calls[0].words[0], FLOAT_DIVIDE_BY_ZERO);
    IsReciprocalOfTwo(&results.calls[1]);
    assert_int_equal(results.calls[2].outcome, TRACE_RETURNED);
    assert_int_equal(results.calls[2].words[2], 0x7FFF);
    assert_int_equal(results.calls[3].outcome, TRACE_CRASHED);
    assert_int_equal(results.calls[3].words[0], FLOAT_OVERFLOW);
}

/* ---- ends of the process --------------------------------------------------------------------- */

TEST(AnExitIsTheCallsOutcome) {
    static const uint32_t codes[] = {5, 0};
    ScriptResult result = RunOne("rogue", "ngi32.slot26", numbers, 4 * 19);
    assert_int_equal(result.outcome, TRACE_EXITED);
    assert_int_equal(result.size, 4);
    assert_int_equal(result.words[0], 7);
    result = RunOne("rogue", "ngi32.n3dSetLighting", codes, sizeof codes);
    assert_int_equal(result.outcome, TRACE_EXITED);
    assert_int_equal(result.words[0], 5);
}

TEST(AHangIsTheCallsOutcome) {
    ScriptResult result = RunOne("rogue", "ngi32.slot28", numbers, 4 * 32);
    assert_int_equal(result.outcome, TRACE_TIMED_OUT);
    assert_int_equal(result.size, 0);
}

/* There are enough calls that some are in the file and some are not when the process ends. */
TEST(NoCompletedCallIsLostWithTheProcess) {
    enum { EACH = 30000 };
    static const char *const fatal[] = {"ngi32.slot26", "ngi32.slot28", "ngi32.slot26"};
    static const uint8_t outcomes[] = {TRACE_EXITED, TRACE_TIMED_OUT, TRACE_EXITED};
    static const uint32_t sizes[] = {4 * 19, 4 * 32, 4 * 19};
    Begin("rogue", "lost", NULL);
    for (int part = 0; part < 3; part++) {
        for (int i = 0; i < EACH; i++)
            Reciprocal(TWO);
        Script_Call(&script, fatal[part], numbers, sizes[part]);
    }
    Run();
    for (uint64_t i = 0; i < results.count; i++)
        if (i % (EACH + 1) == EACH)
            assert_int_equal(results.calls[i].outcome, outcomes[i / (EACH + 1)]);
        else
            IsReciprocalOfTwo(&results.calls[i]);
}

/* Each of these calls costs the start of a host. A trace of nothing else must still come to its
 * end. */
TEST(BehindTooManyEndingsNothingIsCalled) {
    options.most_endings = 2;
    Begin("rogue", "endings", NULL);
    for (int i = 0; i < 3; i++) {
        Reciprocal(TWO);
        Script_Call(&script, "ngi32.slot26", numbers, 4 * 19);
    }
    Run();
    for (int i = 0; i < 4; i += 2) {
        IsReciprocalOfTwo(&results.calls[i]);
        assert_int_equal(results.calls[i + 1].outcome, TRACE_EXITED);
    }
    for (int i = 4; i < 6; i++) {
        assert_int_equal(results.calls[i].outcome, TRACE_NOT_CALLED);
        assert_int_equal(results.calls[i].size, 0);
    }
    assert_int_equal(results.count, 6);
}

/* ---- state ----------------------------------------------------------------------------------- */

TEST(ControlWordAndMxcsrAreSetAndRecorded) {
    static const uint32_t words[] = {0x0C7F, 0x7FA0, 0};
    Begin("rogue", "words", NULL);
    script.control = 0x0F7F;
    script.mxcsr = 0xFFFF3F80; /* reserved bits would fault */
    Reciprocal(TWO);
    Script_Call(&script, "ngi32.ngiSetPalette", words, sizeof words);
    Reciprocal(TWO);
    Run();
    for (int i = 0; i < 3; i += 2) {
        IsReciprocalOfTwo(&results.calls[i]);
        assert_int_equal(results.calls[i].control_out, 0x0F7F);
        assert_int_equal(results.calls[i].mxcsr_out, 0x3F80);
    }
    assert_int_equal(results.calls[1].outcome, TRACE_RETURNED);
    assert_int_equal(results.calls[1].violations, 0);
    assert_int_equal(results.calls[1].control_out, 0x0C7F);
    assert_int_equal(results.calls[1].mxcsr_out, 0x7FA0);
}

TEST(TheStackIsAsBadlyAlignedAsTheGames) {
    static const uint32_t arguments[4];
    ScriptResult result = RunOne("rogue", "ngi32.rsLoadMultiTexture", arguments, sizeof arguments);
    assert_int_equal(result.outcome, TRACE_RETURNED);
    assert_int_equal(result.words[0], 0);
}

TEST(WhatAPairLacksIsUnsupported) {
    static const uint32_t piece[8] = {TRACE_NO_MEMORY};
    static const struct {
        const char *key;
        uint32_t words;
    } absent[] = {
        {"ngi32.rsLoadBitmap", 3},      /* a function that is not exported */
        {"ngi32.DirectionalCosine", 6}, /* an entry for which no address is published */
        {"ngi32.SetFpuControlWord", 0}, /* its address is published, but for another build */
        {"animesh.SampleNode", 3},      /* for the same reason */
    };
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        ScriptResult result = RunOne("rogue", absent[i].key, piece, 4 * absent[i].words);
        assert_int_equal(result.outcome, TRACE_UNSUPPORTED);
        assert_int_equal(result.size, 0);
    }
}

/* ---- every convention, every type ------------------------------------------------------------ */

static void RunConventions(void (*write)(void)) {
    Begin("conventions", "conventions", NULL);
    assert_int_equal(provider.kind, PROVIDER_REPLACEMENT);
    write();
    Run();
    for (uint64_t i = 0; i < results.count; i++) {
        assert_int_equal(results.calls[i].outcome, TRACE_RETURNED);
        assert_int_equal(results.calls[i].violations, 0);
    }
}

static void WritePlainCalls(void) {
    float vertices[] = {0, 0, 0, 0, 0, 7};
    uint32_t polygon[] = {0, 0, 0, Bits(5), 3, 0, 3, 12, 2, 0, Bits(3), 0};
    uint32_t four[] = {1, 2, 3, 4}, angle = Bits(1.5f);
    uint32_t text[] = {6, 0x65766966, 0x21};
    uint32_t highlight[11] = {Bits(1), 0, 0, Bits(2), 0, 0, Bits(3), 0, 0, Bits(4), 5};
    float point[19] = {[9] = 9, [11] = 11, [15] = 15, [16] = 100, [17] = 200, [18] = 300};
    uint32_t lights[6 * 2 + 7] = {[11] = Bits(11), [12] = 2, [14] = Bits(14), [18] = Bits(18)};
    float slerp[9] = {1, 0, 0, 0, 0, 2, 0, 0, 3};
    uint32_t nan = 0x7FA00001; /* a signalling NaN keeps its bits if it is a stack argument */
    Script_Memory(&script, 3, vertices, sizeof vertices, NULL, 0);
    Script_Call(&script, "ngi32.mrnPointInPoly", polygon, sizeof polygon);
    Script_Call(&script, "ngi32.rsLoadMultiTexture", four, sizeof four);
    Script_Call(&script, "ngi32.ngiGetSinCos", &angle, sizeof angle);
    Script_Call(&script, "ngi32.niOutputDebugString", text, sizeof text);
    Script_Call(&script, "ngi32.SetFpuControlWord", NULL, 0);
    script.control = 0x037F;
    Script_Call(&script, "ngi32.Highlight", highlight, sizeof highlight);
    Script_Call(&script, "ngi32.PointLight", point, sizeof point);
    Script_Call(&script, "ngi32.DirectionalLights", lights, sizeof lights);
    Script_Call(&script, "ngi32.slot17", slerp, sizeof slerp);
    Script_Call(&script, "ngi32.slot11", &nan, sizeof nan);
}

TEST(ArgumentsAndResultsPassInEveryConvention) {
    RunConventions(WritePlainCalls);
    assert_int_equal(results.calls[0].words[0], 5000 + 700 + 30 + 2);
    assert_int_equal(results.calls[1].words[0], 1234);
    SCRIPT_BEGINS(results.calls[2], Bits(1.5f), Bits(-1.5f));
    assert_int_equal(results.calls[4].control_out, 0x0E7F);
    const uint32_t highlight[] = {0, 0xD4310000u, 0x400E}; /* the 80-bit number 54321 */
    assert_memory_equal(results.calls[5].words, highlight, 10);
    assert_int_equal(results.calls[5].words[2] >> 16, 0);
    SCRIPT_BEGINS(results.calls[6], Bits(109), Bits(211), Bits(315));
    SCRIPT_BEGINS(results.calls[7], Bits(11), Bits(14), Bits(18));
    SCRIPT_BEGINS(results.calls[8], Bits(1), Bits(2), Bits(3));
    assert_int_equal(results.calls[8].words[3], UNSET); /* not written */
    assert_int_equal(results.calls[9].words[2], 0x7FFF);
}

enum { READER = 20, PIECES = 21, IMAGE = 22, READER_SIZE = 40 };

static void PutEntry(uint8_t *entry, uint32_t type, const char *name, uint32_t offset) {
    memcpy(entry, &type, 4);
    memcpy(entry + 20, name, strlen(name));
    memcpy(entry + 56, &offset, 4);
}

static void WriteModelCalls(void) {
    static const uint8_t reader[READER_SIZE];
    static uint8_t pieces[2 * 0x130], image[16 + 8 + 3 * 64];
    static const TraceRelocation links[] = {{0x12C, READER, 8}, {0x130 + 0x12C, READER, 0}};
    uint32_t count = 3, magic = 0x7365524E, payload = 0x600DF00D;
    uint32_t node[2] = {17, 18};
    memcpy(pieces + 8, &node[0], 4);
    memcpy(pieces + 0x130 + 8, &node[1], 4);
    memcpy(image, &magic, 4);
    memcpy(image + 8, &count, 4);
    memcpy(image + 16, &payload, 4);
    PutEntry(image + 24, 1, "first", 20);
    PutEntry(image + 88, 19, "Second", 16);
    PutEntry(image + 152, 1, "third", 16);
    /* defined before the memory that it points to */
    Script_Memory(&script, PIECES, pieces, sizeof pieces, links, 2);
    Script_Memory(&script, READER, reader, sizeof reader, NULL, 0);
    Script_Memory(&script, IMAGE, image, sizeof image, NULL, 0);
    uint32_t sample[] = {PIECES, 0x130, Bits(2.5f)};
    Script_Call(&script, "animesh.SampleNode", sample, sizeof sample);
    static const uint32_t slots[][4] = {
        {PIECES, 0, 12, 0}, {PIECES, 0, READER_SIZE - 8, 0}, {PIECES, 0, 0, 1}, {PIECES, 0, 0, 2}};
    for (int i = 0; i < 4; i++)
        Script_Call(&script, "animesh.FindSlot", slots[i], sizeof slots[i]);
    uint32_t null[] = {TRACE_NO_MEMORY, 0}, piece[] = {PIECES, 0x130}, archive = IMAGE;
    Script_Call(&script, "animesh.NodeString", null, sizeof null);
    Script_Call(&script, "animesh.NodeString", piece, sizeof piece);
    Script_Call(&script, "animesh.LoadReader", &archive, sizeof archive);
    float column[20] = {[0] = 1, [18] = 77};
    uint32_t index = 2;
    memcpy(&column[16], &index, 4);
    Script_Call(&script, "animesh.SetColumn", column, sizeof column);
}

static void IsReference(const ScriptResult *result, uint32_t id, uint32_t offset) {
    assert_int_equal(result->size, 8);
    assert_int_equal(result->words[0], id);
    assert_int_equal(result->words[1], offset);
}

TEST(ReferencesStructuresAndArchivesPass) {
    RunConventions(WriteModelCalls);
    const ScriptResult *calls = results.calls;
    SCRIPT_BEGINS(calls[0], Bits(2.5f), Bits(18), UNSET);
    assert_int_equal(calls[0].words[6], Bits(-2.5f));
    IsReference(&calls[1], READER, 8 + 12);
    IsReference(&calls[2], READER, READER_SIZE); /* just behind it */
    IsReference(&calls[3], TRACE_FOREIGN_MEMORY, 0);
    IsReference(&calls[4], TRACE_NO_MEMORY, 0);
    IsReference(&calls[5], TRACE_NO_MEMORY, 0);
    IsReference(&calls[6], PIECES, 0x130);
    /* One reference needs two words of a reader's record, and any other needs one. */
    const uint32_t *reader = calls[7].words;
    assert_int_equal(reader[0], IMAGE);
    assert_int_equal(reader[1], 16);
    assert_int_equal(reader[2], IMAGE);
    assert_int_equal(reader[3], 24);
    assert_int_equal(reader[4], TRACE_FOREIGN_MEMORY); /* not written */
    assert_int_equal(reader[32], 1);                   /* +0x40: type 19 */
    assert_int_equal(reader[35], UINT32_MAX);          /* +0x48: no type 77 */
    assert_int_equal(reader[38], 1);                   /* +0x50: "SECOND" */
    assert_int_equal(reader[41], 2);                   /* +0x58: "third" */
    assert_int_equal(reader[calls[7].size / 4 - 1], 0x600DF00D);
    assert_int_equal(calls[8].words[0], Bits(2));
    assert_int_equal(calls[8].words[2], Bits(77));
}

/* ---- internal functions of an original ------------------------------------------------------- */

static const char disguise[] = TEST_FOLDER "/disguise";

/* A byte of a module's image that is to be replaced. An rva of 0 means none. */
typedef struct Patch {
    AbiModule module;
    uint32_t rva;
    uint8_t byte;
} Patch;

static void DisguiseModule(AbiModule module, const Patch *patch) {
    char path[700];
    PeFile pe;
    snprintf(path, sizeof path, "%s/standin/%s", home, AbiModule_File(module));
    assert_int_equal(Pe_Load(path, &pe, &error), RP_OK);
    for (size_t i = 0; i + 8 <= pe.headers_size; i++)
        if (memcmp(pe.owned + i, ".standin", 8) == 0)
            pe.owned[i + 1] = 'S';
    if (patch->rva && patch->module == module)
        pe.owned[Pe_At(&pe, patch->rva, 1) - pe.bytes] = patch->byte;
    snprintf(path, sizeof path, "%s/%s", disguise, AbiModule_File(module));
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(pe.owned, 1, pe.size, file), pe.size);
    fclose(file);
    Pe_Close(&pe);
}

/* Opens the stand-in without its mark, which the host takes for the user's original. */
static void OpenDisguised(Patch patch) {
#ifdef _WIN32
    mkdir(disguise);
#else
    mkdir(disguise, 0755);
#endif
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        DisguiseModule((AbiModule)i, &patch);
    assert_int_equal(Provider_Open(disguise, &provider, &error), RP_OK);
    assert_int_equal(provider.kind, PROVIDER_ORIGINAL);
}

enum { ENTRY_READ, ENTRY_UNPUBLISHED, IN_ANIMESH, SLOT, INTERNAL_CALLS };

static void WriteInternalCalls(void) {
    uint32_t column[20] = {[16] = 3, [17] = 7};
    Script_Begin(&script, "internals", NULL);
    Script_Call(&script, "ngi32.SetFpuControlWord", NULL, 0);
    Script_Call(&script, "ngi32.DirectionalCosine", numbers, 4 * 6);
    Script_Call(&script, "animesh.SetColumn", column, sizeof column);
    Script_Call(&script, "ngi32.slot14", numbers, 4 * 4);
}

static void InternalsRun(Patch patch, const char *overlay, const uint8_t outcomes[INTERNAL_CALLS]) {
    OpenDisguised(patch);
    options.overlay = overlay;
    WriteInternalCalls();
    Run();
    for (int i = 0; i < INTERNAL_CALLS; i++)
        assert_int_equal(results.calls[i].outcome, outcomes[i]);
    if (outcomes[IN_ANIMESH] == TRACE_RETURNED)
        assert_int_equal(results.calls[IN_ANIMESH].words[3], 7);
}

static const uint8_t all_published[] = {TRACE_RETURNED, TRACE_UNSUPPORTED, TRACE_RETURNED,
                                        TRACE_RETURNED};
static const uint8_t not_in_animesh[] = {TRACE_RETURNED, TRACE_UNSUPPORTED, TRACE_UNSUPPORTED,
                                         TRACE_RETURNED};

TEST(AnOriginalsInternalsAreCalledWhereTheirEntryIsPublished) {
    InternalsRun((Patch){0}, NULL, all_published);
}

TEST(AnOriginalOfAnotherBuildHasNoInternals) {
    InternalsRun((Patch){ABI_ANIMESH, 0x2096E, 0}, NULL, not_in_animesh);
}

TEST(WhereNoFunctionStartsNothingIsCalled) {
    InternalsRun((Patch){ABI_ANIMESH, 0x0B8DF, 0x55}, NULL, not_in_animesh);
}

static void WithBuildsOfTheHeader(Patch patch, TraceOutcome expected) {
    static const char *const headers[] = {"slot-build", "fxch", NULL};
    OpenDisguised(patch);
    Script_Begin(&script, "builds", headers);
    Script_Call(&script, "ngi32.slot14", numbers, 4 * 4);
    Script_Call(&script, "ngi32.slot7", numbers, 4 * 19);
    Run();
    assert_int_equal(results.calls[0].outcome, expected);
    assert_int_equal(results.calls[1].outcome, expected);
}

TEST(AnOriginalsBuildsAreChosenByAddressOrNothingIsCalled) {
    WithBuildsOfTheHeader((Patch){0}, TRACE_RETURNED);
    WithBuildsOfTheHeader((Patch){ABI_NGI32, 0x17E5F, 0x55}, TRACE_UNSUPPORTED);
}

#define OVERLAY "retropose-overlay 1\n"

static const char *WriteOverlay(const char *text) {
    static const char path[] = TEST_FOLDER "/overlay.txt";
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

TEST(AnOverlayDecidesByTheFunctionsBytes) {
    PeFile pe;
    char path[700], line[200], sum[DIGEST_HEX_BYTES];
    OpenDisguised((Patch){0});
    snprintf(path, sizeof path, "%s/AniMesh.dll", disguise);
    assert_int_equal(Pe_Load(path, &pe, NULL), RP_OK);
    Digest_OfBytes(Pe_At(&pe, 0x0B8E0, 16), 16, sum);
    Pe_Close(&pe);
    snprintf(line, sizeof line, OVERLAY "function animesh.SetColumn signature 16 %s\r\n", sum);
    InternalsRun((Patch){0}, WriteOverlay(line), all_published);
    InternalsRun((Patch){ABI_ANIMESH, 0x0B8E4, 0x90}, WriteOverlay(line), not_in_animesh);
}

TEST(AMalformedOverlayIsAnError) {
    static const char *const texts[] = {
        OVERLAY "animesh.SetColumn 16\n",
        OVERLAY "function animesh.SetColumn signature 16 abc\n",
        OVERLAY "function animesh.SetColumn call stdcall(matrix)\n",
        OVERLAY "function animesh.Nothing at 0x1000\n",
    };
    OpenDisguised((Patch){0});
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        options.overlay = WriteOverlay(texts[i]);
        WriteInternalCalls();
        Script_End(&script);
        Fails(RP_INVALID);
        assert_string_equal(error.where, "line 2");
    }
}

/* ---- what the header asks for ---------------------------------------------------------------- */

static void IsSurroundedBy(const char *const *headers, uint32_t force_cpu, uint32_t readings) {
    Begin("conventions", "around", headers);
    Script_Call(&script, "ngi32.ngiFixedMemMaxBlock", NULL, 0);
    Script_Call(&script, "ngi32.ngiGetPalette", NULL, 0);
    Run();
    assert_int_equal(results.calls[0].words[0], force_cpu);
    assert_int_equal(results.calls[1].words[0], readings);
}

TEST(ThePairFindsWhatTheHeaderAsksFor) {
    static const char *const headers[] = {"force-cpu", "5", "hypotheses", "key-order=wxyz", NULL};
    IsSurroundedBy(headers, 5, 14);
    /* there is no key at all, and nothing is left of the run before */
    IsSurroundedBy(NULL, UINT32_MAX, 0);
}

/* Windows finds a variable whatever the case of its letters. */
TEST(ThePairFindsNoSettingsOfTheShell) {
    static char set[][40] = {"RETROPOSE_RECORD=on", "retropose_watch=on",
                             "RETROPOSE_READINGS=key-order=wxyz"};
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        assert_int_equal(putenv(set[i]), 0);
    IsSurroundedBy(NULL, UINT32_MAX, 0);
#ifdef _WIN32
    static char unset[][40] = {"RETROPOSE_RECORD=", "retropose_watch=", "RETROPOSE_READINGS="};
#else
    static char unset[][40] = {"RETROPOSE_RECORD", "retropose_watch", "RETROPOSE_READINGS"};
#endif
    for (size_t i = 0; i < sizeof unset / sizeof *unset; i++)
        assert_int_equal(putenv(unset[i]), 0);
}

/* ---- what cannot be run ---------------------------------------------------------------------- */

TEST(APairThatEndsTheProcessWhileLoadingIsAnError) {
    Begin("exits", "fails", NULL);
    Reciprocal(TWO);
    Script_End(&script);
    Fails(RP_CRASHED);
    /* A machine is not the guest's own process, and so it can say what happened. */
    assert_non_null(strstr(error.what, TestEngine_IsMachine() ? "entry point failed"
                                                              : "broke outside of a call"));
}

/* Removes the last chunk, END, which has 24 bytes and a payload of 16. */
static void CutEnd(const char *path) {
    uint8_t bytes[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > 40 && size < sizeof bytes);
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size - 40, file), size - 40);
    fclose(file);
}

TEST(ACutTraceIsAnError) {
    Begin("rogue", "cut", NULL);
    Reciprocal(TWO);
    Script_End(&script);
    CutEnd(script.input);
    Fails(RP_TRUNCATED);
}

TEST(AMissingHostIsAnError) {
    OpenPair("rogue");
    options = (ProviderOptions){.host = "no/such/host.exe"};
    assert_int_equal(Provider_Run(&provider, "in", "out", &options, &error), RP_NOT_FOUND);
    assert_string_equal(error.where, "no/such/host.exe");
}

TEST(AHostThatIsNoProgramIsAnError) {
    Begin("rogue", "no-program", NULL);
    Reciprocal(TWO);
    Script_End(&script);
    options.host = script.input;
    RpStatus status = Provider_Run(&provider, script.input, script.output, &options, &error);
    /* Wine starts, and then reports the error */
    assert_true(status == RP_CRASHED || status == RP_IO);
    assert_int_not_equal(access(script.output, F_OK), 0);
    remove(script.input);
}

/* Keeps the first report, which comes while the call hangs. A process that ends slowly may cause a
 * second one. */
static void KeepFirstReport(void *context, uint64_t calls) {
    uint64_t *reported = context;
    if (*reported == UINT64_MAX)
        *reported = calls;
}

TEST(TheOutputSaysWhoRanIt) {
    uint64_t reported = UINT64_MAX;
    char value[128], processor[128];
    static const char *const headers[] = {"scenario", "who", "force-cpu", "3", NULL};
    options.progress = KeepFirstReport;
    options.context = &reported;
    Begin("rogue", "who", headers);
    /* this call hangs long enough for a report */
    Script_Call(&script, "ngi32.slot28", numbers, 4 * 32);
    Run();
    Provider_Processor(processor, sizeof processor);
    const char *const told[][2] = {{"provider", "original"},
                                   {"ngi32.sha256", provider.sha256[ABI_NGI32]},
                                   {"animesh.sha256", provider.sha256[ABI_ANIMESH]},
                                   {"processor", processor},
                                   {"scenario", "who"}};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        assert_true(TraceHeader_Get(&results.header, told[i][0], value, sizeof value));
        assert_string_equal(value, told[i][1]);
    }
    assert_true(TraceHeader_Get(&results.header, "system", value, sizeof value));
    assert_true(strlen(value) > 5);
    assert_int_equal(reported, 0);
}

#ifndef _WIN32
/* Only a machine can pretend to be another processor. */
TEST(AMachineIsTheProcessorThatItIsAskedFor) {
    static const struct {
        const char *processor, *estimates;
    } expected[] = {{"pentium-mmx", "intel"},
                    {"pentium2", "intel"},
                    {"k6-2", "amd"},
                    {"pentium3", "intel"},
                    {"athlon", "amd"}};
    char folder[600], value[64];
    options.engine = PROVIDER_ENGINE_MACHINE;
    options.host = BUILD_FOLDER "/retropose-host";
    snprintf(folder, sizeof folder, "%s/standin", home);
    assert_int_equal(Provider_Open(folder, &provider, NULL), RP_OK);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        options.processor = expected[i].processor;
        Script_Begin(&script, "as", NULL);
        Reciprocal(TWO);
        Run();
        assert_true(TraceHeader_Get(&results.header, "engine", value, sizeof value));
        assert_string_equal(strchr(value, ':') + 1, expected[i].processor);
        assert_true(TraceHeader_Get(&results.header, "estimates", value, sizeof value));
        assert_string_equal(value, expected[i].estimates);
    }
}
#endif

/* ---- pairs that meddle with the process around them ------------------------------------------ */

static const char strays[] = TEST_FOLDER "/strays";

static void StrayFile(const char *name, char path[700]) {
    snprintf(path, 700, "%s/%s", strays, name);
}

static bool StrayExists(const char *name) {
    char path[700];
    StrayFile(name, path);
    return access(path, F_OK) == 0;
}

static void ClearStrays(void) {
    static const char *const names[] = {"entered", "go", "stays"};
    static char variable[] = "STRAYS_FOLDER=" TEST_FOLDER "/strays";
    char path[700];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        StrayFile(names[i], path);
        remove(path);
    }
    rmdir(strays);
    putenv(variable);
}

/* Lets the first call return when the run has seen it twice. Then it keeps the run from looking
 * again until the first call's time is over and the second call is running. */
static void LetGoTooLate(void *context, uint64_t calls) {
    uint32_t *seen = context;
    char path[700];
    (void)calls;
    if (!StrayExists("entered") || ++*seen != 2)
        return;
    StrayFile("go", path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fclose(file);
    for (int i = 0; i < 1000 && !StrayExists("stays"); i++)
        usleep(20000);
    usleep(2500000); /* longer than the time-out */
}

/* The call that was found stuck returns before the host is ended, and another call begins. In a
 * machine it never returns, because it cannot see the file that lets it go. */
TEST(ATimeOutIsOfTheCallThatWasFoundStuck) {
    uint32_t seen = 0;
    options.progress = LetGoTooLate;
    options.context = &seen;
    ClearStrays();
#ifdef _WIN32
    mkdir(strays);
#else
    mkdir(strays, 0777);
#endif
    Begin("strays", "late", NULL);
    Script_Call(&script, "ngi32.slot15", numbers, 4 * 4);
    Script_Call(&script, "ngi32.slot17", numbers, 4 * 9);
    Script_Call(&script, "ngi32.slot17", numbers, 4 * 9);
    Run();
    /* the second call had begun; code in a machine makes no files */
    assert_int_equal(StrayExists("stays"), !TestEngine_IsMachine());
    assert_int_equal(results.calls[0].outcome, TRACE_TIMED_OUT);
    assert_int_equal(results.calls[1].outcome, TRACE_RETURNED);
    assert_int_equal(results.calls[2].outcome, TRACE_RETURNED);
    ClearStrays();
}

static void ProgressIsRefused(const uint32_t said[4], const char *what) {
    Begin("strays", "progress", NULL);
    Script_Call(&script, "ngi32.slot28", numbers, 4 * 32);
    Script_Call(&script, "ngi32.slot14", said, 4 * 4);
    if (TestEngine_IsMachine()) {
        Run();
        for (int i = 0; i < 2; i++)
            assert_int_equal(results.calls[i].outcome, TRACE_RETURNED);
        return;
    }
    Script_End(&script);
    Fails(RP_CRASHED);
    assert_int_equal(error.status, RP_CRASHED);
    assert_non_null(strstr(error.what, what));
}

/* The pair can write anything into the progress file. In a machine it cannot, and does not find the
 * file. */
TEST(NothingInTheProgressIsBelieved) {
    static const uint32_t failed_well[4] = {4, 0}, failed_oddly[4] = {4, 77};
    static const uint32_t beyond[4] = {2, 0, 1000, 2}, too_many[4] = {2, 0, 1, 5};
    ProgressIsRefused(failed_well, "xxx");
    ProgressIsRefused(failed_oddly, "xxx");
    ProgressIsRefused(beyond, "in a call it cannot have");
    ProgressIsRefused(too_many, "in a call it cannot have");
}

#ifndef _WIN32
static void RunBeats(const char *folder) {
    const bool machine = TestEngine_IsMachine();
    options.timeout_seconds = 60;
    Begin(machine ? "rogue" : "strays", "beats", NULL);
    if (machine) {
        /* the interpreter is too slow to use up the instructions that a call may take */
        options.engine = PROVIDER_ENGINE_INTERPRETER;
        Script_Call(&script, "ngi32.slot28", numbers, 4 * 32); /* this call hangs */
    } else
        Script_Call(&script, "ngi32.slot4", numbers, 4 * 24);
    Script_End(&script);
    snprintf(script.output, sizeof script.output, "%s/output", folder);
    Provider_Run(&provider, script.input, script.output, &options, NULL);
}

TEST(AHostEndsWithItsParentInTheMiddleOfACall) {
    assert_false(
        (TestEngine_IsMachine() ? Orphan_Stays : Orphan_GoesOn)(RunBeats, TEST_FOLDER "/orphan"));
    remove(TEST_FOLDER "/beats.in.rptrace");
}
#endif

AROUND_EACH(SetOptions, FreeResults)

int main(void) {
    if (!TestEngine_Find("tests/replay/host", home, host))
        return SKIPPED;
    snprintf(pairs, sizeof pairs, "%s/tests/replay/host", home);
    return Tests_Run();
}
