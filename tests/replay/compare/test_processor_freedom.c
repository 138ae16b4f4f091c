/* Tests what processors of other makers may answer, on a processor of any maker: the recorded
 * answers of the bundled traces lie in the bounds, and answers that are one unit further do not. */
#include "tests/replay/fixture.h"

#include "replay/compare/compare.h"
#include "replay/compare/condition.h"
#include "replay/compare/processor_freedom.h"
#include "replay/provider/provider.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTEL "GenuineIntel family 6 model 167 stepping 1"
#define AMD   "AuthenticAMD family 23 model 49 stepping 0"

/* ---- through a comparison -------------------------------------------------------------------- */

typedef struct Side {
    const char *processor;
    TraceCall call;
} Side;

/* Returns what is in the trace of a side, whose header has one additional line. */
static FixtureTrace TraceOf(const Side *side, const char *key, const char *value,
                            const char *lines[5]) {
    size_t count = 0;
    if (side->processor) {
        lines[count++] = "processor";
        lines[count++] = side->processor;
    }
    lines[count] = key;
    lines[count + 1] = value;
    lines[count + (key ? 2 : 0)] = NULL;
    return (FixtureTrace){.header = lines, .calls = &side->call, .call_count = 1};
}

static void WriteSide(const char *path, const Side *side, const char *key, const char *value) {
    Fixture_Put(path, TraceOf(side, key, value, (const char *[5]){NULL}));
}

/* Compares two traces of one call whose headers have one additional line. */
static CompareCounts CompareUnder(const char *key, const char *value, const Side *a,
                                  const Side *b) {
    CompareTotals totals;
    Comparison *comparison = Fixture_Compare(TraceOf(a, key, value, (const char *[5]){NULL}),
                                             TraceOf(b, key, value, (const char *[5]){NULL}),
                                             &(CompareOptions){0}, "test", RP_OK, NULL);
    Comparison_Totals(comparison, &totals);
    Comparison_Destroy(comparison);
    assert_int_equal(totals.counts.compared, 1);
    return totals.counts;
}

static void AssertProcessor(const Side *a, const Side *b) {
    CompareCounts counts = CompareUnder(NULL, NULL, a, b);
    assert_int_equal(counts.processor, 1);
    assert_int_equal(counts.different, 0);
}

static void AssertDifferent(const Side *a, const Side *b) {
    CompareCounts counts = CompareUnder(NULL, NULL, a, b);
    assert_int_equal(counts.processor, 0);
    assert_int_equal(counts.different, 1);
}

/* Call 38 of the bundled trace classes-2, on an Intel and on an AMD processor. */
static TraceCall SegmentPlane(uint32_t x, uint32_t y, uint32_t z) {
    return Fixture_Call("ngi32.slot45", 38,
                        FIXTURE_WORDS(0x3F500000, 0x3F240000, 0x3ED80000, 0xBE500000, 0x3EB00000,
                                      0x3F7C0000, 0x40800000, 0x40800000, 0, 0xC04BFFFF),
                        FIXTURE_WORDS(1, x, y, z));
}

TEST(TheEstimateOfAReciprocalIsTheProcessors) {
    Side a = {INTEL, SegmentPlane(0x3E9C0000, 0x3EFC0000, 0x3F340000)};
    Side b = {AMD, SegmentPlane(0x3E9BFFFE, 0x3EFC0000, 0x3F340000)};
    AssertProcessor(&a, &b);
    b.call = SegmentPlane(0x3E9BFFFC, 0x3EFBFFFF, 0x3F340001);
    AssertProcessor(&a, &b);
    /* The first number follows from an estimate with an error of 2 * 2^-12. No single estimate
     * gives the other three together. */
    b.call = SegmentPlane(0x3E9C0004, 0x3EFC0001, 0x3F33FFFF);
    AssertDifferent(&a, &b);
    AssertDifferent(&b, &a);
    b.call = SegmentPlane(0x3E9BFFFC, 0x3EFBFFFF, 0x3F340000);
    AssertDifferent(&a, &b);
    /* The builds for the x87 divide, so that no estimate excuses a difference. */
    b.call = SegmentPlane(0x3E9BFFFE, 0x3EFC0000, 0x3F340000);
    assert_int_equal(CompareUnder("slot-build", "generic", &a, &b).different, 1);
    assert_int_equal(CompareUnder("slot-build", "sse", &a, &b).processor, 1);
    assert_int_equal(CompareUnder("force-cpu", "7", &a, &b).different, 1);
}

TEST(OneProcessorIsNoExcuse) {
    static const char *const pairs[][2] = {{INTEL, INTEL},
                                           {INTEL, "GenuineIntel family 6 model 167 stepping 9"},
                                           {INTEL, NULL},
                                           {NULL, AMD},
                                           {NULL, NULL}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        Side a = {pairs[i][0], SegmentPlane(0x3E9C0000, 0x3EFC0000, 0x3F340000)};
        Side b = {pairs[i][1], SegmentPlane(0x3E9BFFFE, 0x3EFC0000, 0x3F340000)};
        AssertDifferent(&a, &b);
    }
    assert_true(Provider_OtherProcessor(INTEL, "GenuineIntel family 6 model 16 stepping 1"));
    assert_true(Provider_OtherProcessor("GenuineIntel family 6 model 16", INTEL));
    /* Software has the same bits wherever it runs, and it has Intel's estimates. */
    static const char *const software[2] = {"software arithmetic on x86",
                                            "software arithmetic on aarch64 (implementer 0x41, "
                                            "part 0xd0c)"};
    assert_false(Provider_OtherProcessor(software[0], software[1]));
    assert_true(Provider_OtherProcessor(software[0], INTEL));
    assert_true(Provider_OtherProcessor(AMD, software[1]));
    assert_int_equal(Provider_Measured(software[0]), RP_ESTIMATES_INTEL);
}

/* Makes a call for the angle 1e-10. */
static TraceCall SineAndCosine(uint16_t control, uint32_t cosine) {
    TraceCall call = Fixture_Call("ngi32.ngiGetSinCos", 471, FIXTURE_WORDS(0x2EDBE6FF),
                                  FIXTURE_WORDS(0x2EDBE6FE, cosine));
    call.control_in = call.control_out = control;
    return call;
}

/* Processors that were compared with their maker's model, and answers given by one model, excuse no
 * other estimate. Other differences between the processors stay excused. */
TEST(TheSameEstimatesAreHeldToEveryBit) {
    static const char *const other_intel = "GenuineIntel family 6 model 207 stepping 2";
    static const char *const measured_amd = "AuthenticAMD family 25 model 17 stepping 1";
    Side a = {INTEL, SegmentPlane(0x3E9C0000, 0x3EFC0000, 0x3F340000)};
    Side b = {other_intel, SegmentPlane(0x3E9BFFFE, 0x3EFC0000, 0x3F340000)};
    AssertDifferent(&a, &b);
    b.processor = measured_amd;
    AssertProcessor(&a, &b);
    assert_int_equal(CompareUnder("estimates", "intel", &a, &b).different, 1);
    assert_int_equal(CompareUnder("estimates", "amd", &a, &b).different, 1);
    assert_int_equal(CompareUnder("estimates", "this", &a, &b).processor, 1);
    b.processor = AMD;
    assert_int_equal(CompareUnder("estimates", "amd", &a, &b).different, 1);
    a.call = SineAndCosine(0x0F7F, 0x3F800000);
    b.call = SineAndCosine(0x0F7F, 0x3F7FFFFF);
    assert_int_equal(CompareUnder("estimates", "amd", &a, &b).processor, 1);
}

/* Both traces are from one processor, but their outcomes have two makers' estimates. */
TEST(OtherEstimatesAreOtherProcessors) {
    static const char *const lines[2] = {"intel", "amd"};
    TraceHeader headers[2];
    CompareCondition condition;
    for (int side = 0; side < 2; side++) {
        TraceHeader_Init(&headers[side]);
        assert_int_equal(TraceHeader_Set(&headers[side], "processor", AMD, NULL), RP_OK);
    }
    assert_int_equal(Condition_Read(&headers[0], &headers[1], false, "", &condition, NULL), RP_OK);
    assert_false(condition.other_processor || condition.same_estimates);
    assert_string_equal(condition.processor_a, AMD);
    free(condition.readings);
    for (int side = 0; side < 2; side++)
        assert_int_equal(TraceHeader_Set(&headers[side], "estimates", lines[side], NULL), RP_OK);
    assert_int_equal(Condition_Read(&headers[0], &headers[1], false, "", &condition, NULL), RP_OK);
    assert_true(condition.other_processor);
    assert_false(condition.same_estimates);
    assert_string_equal(condition.processor_a, AMD ", estimates: intel");
    free(condition.readings);
}

TEST(AHeaderTellsWhoseEstimates) {
    char own[64];
    Provider_Processor(own, sizeof own);
    const struct {
        const char *processor, *estimates;
        RpEstimates expected;
    } cases[] = {
        {NULL, NULL, RP_ESTIMATES_OF_THIS},
        {own, NULL, RP_ESTIMATES_OF_THIS},
        {own, "amd", RP_ESTIMATES_AMD},
        {own, "intel", RP_ESTIMATES_INTEL},
        {own, "this", RP_ESTIMATES_OF_THIS},
        {"GenuineIntel family 6 model 8 stepping 1", NULL, RP_ESTIMATES_INTEL},
        {"GenuineIntel family 6 model 8 stepping 1", "amd", RP_ESTIMATES_AMD},
        {"GenuineIntel family 6 model 8 stepping 1", "this", RP_ESTIMATES_INTEL},
        {"AuthenticAMD family 15 model 5 stepping 1", NULL, RP_ESTIMATES_AMD},
        {"CentaurHauls family 6 model 9 stepping 1", NULL, RP_ESTIMATES_OF_THIS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TraceHeader header;
        TraceHeader_Init(&header);
        if (cases[i].processor)
            assert_int_equal(TraceHeader_Set(&header, "processor", cases[i].processor, NULL),
                             RP_OK);
        if (cases[i].estimates)
            assert_int_equal(TraceHeader_Set(&header, "estimates", cases[i].estimates, NULL),
                             RP_OK);
        assert_int_equal(Provider_EstimatesIn(&header), cases[i].expected);
    }
}

/* Runs `input` natively, and gives what slot 45 wrote and the header's line about estimates. */
static void RunNatively(const char *input, const char *output, const ProviderOptions *options,
                        uint8_t hit[12], char line[16]) {
    static const Provider native = {.kind = PROVIDER_NATIVE};
    assert_int_equal(Provider_Run(&native, input, output, options, NULL), RP_OK);
    TraceReader *reader = Fixture_Open(output);
    TraceHeader_Get(TraceReader_Header(reader), "estimates", line, 16);
    const TraceCall call = Fixture_Next(reader);
    assert_int_equal(call.output_size, 16);
    memcpy(hit, call.outputs + 4, 12);
    TraceReader_Close(reader);
}

TEST(NativeAnswersAsEitherMaker) {
    const char *const paths[2] = {Fixture_Path("a"), Fixture_Path("b")};
    char line[16];
    uint8_t intel[12], amd[12], hit[12];
    Side side = {INTEL, SegmentPlane(0x3E9C0000, 0x3EFC0000, 0x3F340000)};
    WriteSide(paths[0], &side, "slot-build", "sse");
    RunNatively(paths[0], paths[1], &(ProviderOptions){.estimates = RP_ESTIMATES_INTEL}, intel,
                line);
    assert_string_equal(line, "intel");
    assert_memory_equal(intel, side.call.outputs + 4, 12);
    RunNatively(paths[0], paths[1], &(ProviderOptions){.recorded_estimates = true}, hit, line);
    assert_memory_equal(hit, intel, 12);
    RunNatively(paths[0], paths[1], &(ProviderOptions){.estimates = RP_ESTIMATES_AMD}, amd, line);
    assert_string_equal(line, "amd");
    assert_memory_not_equal(amd, intel, 12);
    /* A trace that was made with AMD's estimates is compared with these, and the new trace says
     * so. */
    RunNatively(paths[1], paths[0], &(ProviderOptions){.recorded_estimates = true}, hit, line);
    assert_string_equal(line, "amd");
    assert_memory_equal(hit, amd, 12);
    RunNatively(paths[1], paths[0], &(ProviderOptions){.trust = false}, hit, line);
    assert_string_equal(line, "this");
}

TEST(StateIsNeverTheProcessors) {
    Side a = {INTEL, SegmentPlane(0x3E9C0000, 0x3EFC0000, 0x3F340000)};
    Side b = {AMD, SegmentPlane(0x3E9BFFFE, 0x3EFC0000, 0x3F340000)};
    b.call.control_out = 0x027F;
    AssertDifferent(&a, &b);
}

/* The cosine of 1e-10 is just below 1. One maker's fcos gives 1, the other's the next number
 * below. */
TEST(TheLastBitOfACosineIsTheProcessors) {
    Side a = {INTEL, SineAndCosine(0x0F7F, 0x3F800000)};
    Side b = {AMD, SineAndCosine(0x0F7F, 0x3F7FFFFF)};
    AssertProcessor(&a, &b);
    AssertProcessor(&b, &a);
    b.call = SineAndCosine(0x0F7F, 0x3F7FFFFE);
    AssertDifferent(&a, &b);
    /* Rounded to nearest it is 1 on every processor, and so it is under the game's control word. */
    a.call = SineAndCosine(0x027F, 0x3F800000);
    b.call = SineAndCosine(0x027F, 0x3F7FFFFF);
    AssertDifferent(&a, &b);
    a.call = SineAndCosine(0x007F, 0x3F800000);
    b.call = SineAndCosine(0x007F, 0x3F7FFFFF);
    AssertDifferent(&a, &b);
}

/* There are no bounds, whatever the last bits of the instructions may be. */
TEST(TheGamesWordHasNoBounds) {
    const char *path = Fixture_Path("a");
    const Side side = {INTEL, SineAndCosine(0x0F7F, 0x3F800000)};
    ProcessorBounds bounds;
    WriteSide(path, &side, NULL, NULL);
    TraceReader *reader = Fixture_Open(path);
    Processor *processor = Processor_Create(TraceReader_Header(reader), reader);
    assert_non_null(processor);
    static const uint16_t words[] = {0x0F7F, 0x027F, 0x037F, 0x047F, 0x087F, 0x0C7F};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const TraceCall call = SineAndCosine(words[i], 0x3F800000);
        assert_true(Processor_Bounds(processor, &call, &bounds));
    }
    const TraceCall game = SineAndCosine(0x007F, 0x3F800000);
    assert_false(Processor_Bounds(processor, &game, &bounds));
    const TraceCall unmasked = SineAndCosine(0x0F7E, 0x3F800000);
    assert_false(Processor_Bounds(processor, &unmasked, &bounds));
    Processor_Destroy(processor);
    TraceReader_Close(reader);
}

/* The function uses neither a transcendental instruction nor an estimate. */
TEST(ExactFunctionsAreHeldToEveryBit) {
    uint32_t quaternion[4] = {0x3F000000, 0x3F000000, 0x3F000000, 0x3F000000}, m[16] = {0};
    Side a = {INTEL, Fixture_Call("ngi32.slot14", 1, quaternion, sizeof quaternion, m, sizeof m)};
    a.call.control_in = a.call.control_out = 0x0F7F;
    m[1] = 1;
    Side b = {AMD, Fixture_Call("ngi32.slot14", 1, quaternion, sizeof quaternion, m, sizeof m)};
    b.call.control_in = b.call.control_out = 0x0F7F;
    AssertDifferent(&a, &b);
}

#ifdef RETROPOSE_TRACES /* only where a program of this system reads the traces */

/* ---- over the bundled traces ----------------------------------------------------------------- */

typedef struct BoundTally {
    /* The numbers of calls with bounds, of calls that leave no room, and of faults that were
     * noticed. */
    uint64_t bounded, exact, planted;
} BoundTally;

static uint32_t Beside(float number, int step) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits >> 31 ? bits - (uint32_t)step : bits + (uint32_t)step;
}

/* An answer one unit outside of the bounds must be a difference, and one at an end of them must
 * not. */
static void PlantFaults(Processor *processor, const TraceCall *call, const ProcessorBounds *bounds,
                        BoundTally *tally) {
    uint8_t outputs[64];
    TraceCall other = *call;
    assert_true(call->output_size <= sizeof outputs);
    other.outputs = outputs;
    for (uint32_t i = 0; i < bounds->count; i++) {
        uint8_t *at = outputs + 4 * bounds->element[i];
        for (int side = 0; side < 2; side++) {
            float end = side ? bounds->high[i] : bounds->low[i];
            uint32_t beyond = Beside(end, side ? 1 : -1);
            memcpy(outputs, call->outputs, call->output_size);
            memcpy(at, &end, sizeof end);
            assert_true(Processor_Explains(processor, call, &other));
            if (end == 0) /* the next number is the other zero, or has the other sign */
                continue;
            memcpy(at, &beyond, sizeof beyond);
            assert_false(Processor_Explains(processor, call, &other));
            assert_false(Processor_Explains(processor, &other, call));
            tally->planted++;
        }
    }
    /* These elements, a position or a column of a matrix, depend on no such instruction. */
    if (call->output_size > 4 * bounds->count) {
        memcpy(outputs, call->outputs, call->output_size);
        outputs[call->output_size == 64 ? 12 : call->output_size - 4] ^= 1;
        assert_false(Processor_Explains(processor, call, &other));
    }
}

static void CheckRecorded(Processor *processor, const TraceCall *call, BoundTally *tally) {
    ProcessorBounds bounds;
    if (!Processor_Bounds(processor, call, &bounds))
        return;
    tally->bounded++;
    bool exact = true;
    for (uint32_t i = 0; i < bounds.count; i++)
        exact &= memcmp(&bounds.low[i], &bounds.high[i], sizeof(float)) == 0;
    tally->exact += exact;
    if (!Processor_Explains(processor, call, call))
        fail_msg("call %llu of %s is outside of its bounds", (unsigned long long)call->sequence,
                 call->function->key);
    if (tally->bounded % 16 == 0)
        PlantFaults(processor, call, &bounds, tally);
}

/* The two traces have four calls of mesh objects, of scenario mesh@cpu7 and seed 1: by the library,
 * and by a build of it of which fsin, fcos and fpatan give the other one of the two numbers of 64
 * bits beside the true value. */
TEST(MeshObjectsAnswerAsTheirInterpolationsMay) {
    TraceReader *readers[2];
    TraceCall calls[2];
    bool found = true;
    int count = 0;
    static const char *const paths[2] = {
        RETROPOSE_TRACES "/../tests/replay/compare/mesh-here.rptrace",
        RETROPOSE_TRACES "/../tests/replay/compare/mesh-elsewhere.rptrace"};
    for (int side = 0; side < 2; side++)
        readers[side] = Fixture_Open(paths[side]);
    Processor *processor = Processor_Create(TraceReader_Header(readers[0]), readers[0]);
    assert_non_null(processor);
    for (;; count++) {
        for (int side = 0; side < 2; side++)
            assert_int_equal(TraceReader_Next(readers[side], &calls[side], &found, NULL), RP_OK);
        if (!found)
            break;
        assert_memory_not_equal(calls[0].outputs, calls[1].outputs, calls[0].output_size);
        assert_true(Processor_Explains(processor, &calls[0], &calls[1]));
        assert_true(Processor_Explains(processor, &calls[1], &calls[0]));
        uint8_t *outputs = malloc(calls[1].output_size);
        assert_non_null(outputs);
        TraceCall other = calls[1];
        other.outputs = outputs;
        for (uint32_t at = 0; at < calls[1].output_size; at += 128) {
            memcpy(outputs, calls[1].outputs, calls[1].output_size);
            outputs[at] ^= 1;
            assert_false(Processor_Explains(processor, &calls[0], &other));
        }
        free(outputs);
    }
    assert_int_equal(count, 4);
    Processor_Destroy(processor);
    for (int side = 0; side < 2; side++)
        TraceReader_Close(readers[side]);
}

/* Not even a right answer is explained, because nothing that is not asked for needs an
 * explanation. */
TEST(MeshObjectsAreNotExplainedUnderTheGamesWord) {
    TraceCall call;
    bool found = true;
    int games = 0, others = 0;
    TraceReader *reader = Fixture_Open(RETROPOSE_TRACES "/mesh.rptrace");
    Processor *processor = Processor_Create(TraceReader_Header(reader), reader);
    assert_non_null(processor);
    while (TraceReader_Next(reader, &call, &found, NULL) == RP_OK && found) {
        bool game = call.control_in == 0x007F;
        if (strcmp(call.function->key, "animesh.PoseWalk") != 0 || call.outcome != TRACE_RETURNED)
            continue;
        assert_int_equal(Processor_Explains(processor, &call, &call), !game);
        games += game;
        others += !game;
    }
    assert_true(games > 100 && others > 5);
    Processor_Destroy(processor);
    TraceReader_Close(reader);
}

/* The answers were recorded on an Intel processor. This processor may have another maker. */
TEST(RecordedAnswersAreInsideAndOneUnitMoreIsNot) {
    TraceCall call;
    bool found = false;
    BoundTally tally = {0};
    TraceReader *reader = Fixture_Open(RETROPOSE_TRACES "/words.rptrace");
    Processor *processor = Processor_Create(TraceReader_Header(reader), reader);
    assert_non_null(processor);
    while (TraceReader_Next(reader, &call, &found, NULL) == RP_OK && found)
        if (call.outcome == TRACE_RETURNED)
            CheckRecorded(processor, &call, &tally);
    Processor_Destroy(processor);
    TraceReader_Close(reader);
    assert_true(tally.bounded > 12000);
    /* Most calls leave the processor no room at all. */
    assert_true(tally.exact > tally.bounded * 9 / 10);
    assert_true(tally.planted > 5000);
}

#endif
