/* Tests of scenarios as traces: they have the same bytes everywhere, are complete, and only contain
 * calls that can be compared. */
#include "model_check.h"
#include "replay/scenario/calls.h"
#include "replay/scenario/scenario.h"
#include "tests/test.h"
#include "tracefile/select.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char path[] = TEST_FOLDER "/test_scenario.rptrace";

static ScenarioOptions Options(uint64_t seed, uint64_t first, uint64_t count) {
    return (ScenarioOptions){.seed = seed, .first = first, .count = count, .force_cpu = -1};
}

static TraceReader *Write(const char *name, const ScenarioOptions *options) {
    RpError error = {0};
    TraceReader *reader = NULL;
    const Scenario *scenario = Scenario_Find(name);
    assert_non_null(scenario);
    RpStatus status = Scenario_Write(scenario, options, path, &error);
    if (status == RP_OK)
        status = TraceReader_Open(path, &reader, &error);
    if (status != RP_OK)
        print_error("%s: %s, %s\n", name, error.what, error.found);
    assert_int_equal(status, RP_OK);
    return reader;
}

static TraceReader *Calls(const char *name, uint64_t seed, uint64_t first, uint64_t count) {
    const ScenarioOptions options = Options(seed, first, count);
    return Write(name, &options);
}

static void Close(TraceReader *reader) {
    TraceReader_Close(reader);
    remove(path);
}

static bool Next(TraceReader *reader, TraceCall *call) {
    bool found = false;
    assert_int_equal(TraceReader_Next(reader, call, &found, NULL), RP_OK);
    return found;
}

/* ---- determinism ----------------------------------------------------------------------------- */

static uint32_t Crc(uint32_t crc, const void *bytes, size_t size) {
    return (uint32_t)crc32(crc, bytes, (uInt)size);
}

static uint32_t CrcWord(uint32_t crc, uint32_t word) {
    const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                              (uint8_t)(word >> 24)};
    return Crc(crc, bytes, sizeof bytes);
}

static uint32_t CrcOfCall(uint32_t crc, const TraceCall *call) {
    crc = Crc(crc, call->function->key, strlen(call->function->key));
    crc = CrcWord(crc, (uint32_t)call->sequence);
    crc = CrcWord(crc, call->control_in);
    crc = CrcWord(crc, call->mxcsr_in);
    return Crc(crc, call->inputs, call->input_size);
}

static uint32_t CrcOfMemories(uint32_t crc, const TraceReader *reader) {
    for (uint32_t i = 0; i < TraceReader_MemoryCount(reader); i++) {
        const TraceMemory *memory = TraceReader_MemoryAt(reader, i);
        crc = CrcWord(crc, memory->id);
        crc = Crc(crc, memory->bytes, memory->size);
        for (uint32_t k = 0; k < memory->relocation_count; k++) {
            crc = CrcWord(crc, memory->relocations[k].offset);
            crc = CrcWord(crc, memory->relocations[k].target);
            crc = CrcWord(crc, memory->relocations[k].target_offset);
        }
    }
    return crc;
}

static uint32_t CrcOfScenario(const char *name, uint64_t seed, uint64_t first, uint64_t count) {
    TraceReader *reader = Calls(name, seed, first, count);
    TraceCall call;
    uint32_t crc = 0;
    while (Next(reader, &call))
        crc = CrcOfCall(crc, &call);
    crc = CrcOfMemories(crc, reader);
    Close(reader);
    return crc;
}

/* The checksums are of the calls and memories of the first 3000 calls with seed 1, and of 1000 much
 * later ones. If one changes, a seed has another meaning, and bundled traces and reports of users
 * are wrong. */
TEST(BytesAreTheSameEverywhere) {
    static const struct {
        const char *name;
        uint32_t crc;
    } golden[] = {
        {"slots", 0x4AF5DB58},   {"edges", 0x8787FE1E},   {"words", 0x8C04F48E},
        {"poses", 0x6076D128},   {"blends", 0xEAC05CF5},  {"models", 0x87892CEF},
        {"classes", 0x314C2ED4}, {"control", 0x251F14A2}, {"stubs", 0x059CA75D},
        {"ties", 0xA4967121},    {"mesh", 0x0E083355},    {"table", 0x5E550BC5},
        {"hard", 0x2E5DD7C8},
    };
    /* `rows`, the last scenario, grows with the table. The test below is about it. */
    assert_int_equal(sizeof golden / sizeof *golden, scenario_count - 1);
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        uint32_t deep = CrcOfScenario(golden[i].name, 1, 3000000, 1000);
        uint32_t crc = CrcWord(CrcOfScenario(golden[i].name, 1, 0, 3000), deep);
        if (crc != golden[i].crc)
            print_error("%s: 0x%08X\n", golden[i].name, (unsigned)crc);
        assert_int_equal(crc, golden[i].crc);
    }
}

/* A slot has the same calls in `rows`, in the same order, whatever other slots exist. */
TEST(RowsOfTheTableKeepTheirCalls) {
    enum { CALLS = 64 };
    TraceReader *reader = Calls("rows", 1, 0, 68 * CALLS);
    TraceCall call;
    uint32_t crc = 0, count = 0;
    while (Next(reader, &call)) {
        if (strcmp(call.function->key, "ngi32.slot45") != 0 || count++ >= CALLS)
            continue;
        call.sequence = 0; /* this number depends on the number of slots */
        crc = CrcOfCall(crc, &call);
    }
    Close(reader);
    assert_true(count >= CALLS);
    assert_int_equal(crc, 0x747A3B5E);
}

/* A slot without a function that makes its calls is called by its signature alone. */
TEST(ASlotWithoutAMakerIsCalledByItsSignature) {
    static ScenarioContext context;
    ScenarioCall call;
    context.seed = 1;
    for (size_t i = 0; i < abi_function_count; i++) {
        if (abi_functions[i].kind != ABI_SLOT)
            continue;
        Signature signature;
        context.function = &abi_functions[i];
        assert_int_equal(Signature_Parse(context.function, &signature, NULL), RP_OK);
        for (uint64_t k = 0; k < 64; k++) {
            Function_Call(&context, Row_Call, k, &call);
            assert_int_equal(context.status, RP_OK);
            assert_ptr_equal(call.function, context.function);
            assert_int_equal(Signature_CheckInputs(&signature, call.inputs, call.input_size, NULL),
                             RP_OK);
        }
    }
    Scenario_Free(&context);
}

TEST(SeedsDiffer) {
    for (size_t i = 0; i < scenario_count; i++) {
        const char *name = scenarios[i].name;
        bool differ = CrcOfScenario(name, 1, 0, 500) != CrcOfScenario(name, 2, 0, 500);
        /* all words are used, in one order */
        assert_int_equal(differ, strcmp(name, "control") != 0);
    }
}

typedef struct Sampled {
    uint32_t count, crcs[300];
} Sampled;

static Sampled CallsOf(const char *name, uint64_t first, uint64_t count) {
    TraceReader *reader = Calls(name, 7, first, count);
    Sampled sampled = {0};
    TraceCall call;
    while (Next(reader, &call)) {
        assert_int_equal(call.sequence, first + sampled.count);
        sampled.crcs[sampled.count++] = CrcOfCall(0, &call);
    }
    Close(reader);
    return sampled;
}

TEST(SliceIsPartOfTheWhole) {
    static const uint64_t starts[] = {0, 1000000, 3999700};
    for (size_t i = 0; i < scenario_count; i++)
        for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
            Sampled whole = CallsOf(scenarios[i].name, starts[k], 300);
            Sampled part = CallsOf(scenarios[i].name, starts[k] + 123, 100);
            assert_int_equal(whole.count, 300);
            assert_int_equal(part.count, 100);
            assert_memory_equal(part.crcs, whole.crcs + 123, sizeof(uint32_t) * 100);
        }
}

static bool SameMemory(const TraceMemory *a, const TraceMemory *b) {
    return a->size == b->size && a->relocation_count == b->relocation_count &&
           memcmp(a->bytes, b->bytes, a->size) == 0 &&
           (a->relocation_count == 0 || memcmp(a->relocations, b->relocations,
                                               a->relocation_count * sizeof *a->relocations) == 0);
}

/* A slice contains the memories that its calls reach, with the same ids and bytes as in the
 * whole. */
TEST(SliceHasTheMemoriesOfTheWhole) {
    static const char other[] = TEST_FOLDER "/test_scenario_whole.rptrace";
    const ScenarioOptions whole = Options(7, 0, 40000), part = Options(7, 20000, 2000);
    TraceReader *all = NULL;
    TraceCall call;
    assert_int_equal(Scenario_Write(Scenario_Find("models"), &whole, other, NULL), RP_OK);
    assert_int_equal(TraceReader_Open(other, &all, NULL), RP_OK);
    while (Next(all, &call))
        ;
    TraceReader *slice = Write("models", &part);
    while (Next(slice, &call))
        ;
    assert_true(TraceReader_MemoryCount(slice) > 50);
    for (uint32_t i = 0; i < TraceReader_MemoryCount(slice); i++) {
        const TraceMemory *memory = TraceReader_MemoryAt(slice, i);
        const TraceMemory *original = TraceReader_Memory(all, memory->id);
        assert_non_null(original);
        assert_true(SameMemory(memory, original));
    }
    TraceReader_Close(all);
    Close(slice);
    remove(other);
}

/* ---- completeness ---------------------------------------------------------------------------- */

static bool IsComparable(const AbiFunction *function) {
    return function->provider == ABI_NATIVE && function->kind != ABI_OWN_EXPORT &&
           strcmp(function->returns, "any") != 0 && strstr(function->params, "any ") == NULL;
}

TEST(EveryComparableFunctionIsCalled) {
    uint32_t *calls = calloc(abi_function_count, sizeof *calls), comparable = 0;
    assert_non_null(calls);
    for (size_t i = 0; i < scenario_count; i++) {
        TraceReader *reader = Calls(scenarios[i].name, 5, 0, 3000);
        TraceCall call;
        while (Next(reader, &call)) {
            RpError error = {0};
            assert_int_equal(call.outcome, TRACE_NOT_RUN);
            assert_null(Abi_WhyTrust(call.function)); /* no call here needs --trust */
            assert_int_equal(
                Signature_CheckInputs(call.signature, call.inputs, call.input_size, &error), RP_OK);
            calls[call.function - abi_functions]++;
        }
        Close(reader);
    }
    for (size_t i = 0; i < abi_function_count; i++) {
        comparable += IsComparable(&abi_functions[i]);
        if (IsComparable(&abi_functions[i]) && calls[i] == 0)
            print_error("never called: %s\n", abi_functions[i].key);
        assert_true(!IsComparable(&abi_functions[i]) || calls[i] > 0);
    }
    assert_true(comparable >=
                14 + 4 + 2 + 1 + 7); /* slots, light, exports, control word, AniMesh */
    free(calls);
}

/* Each call in the systematic part of `edges` has one special value, and every position gets all
 * values. */
TEST(EdgesPutEverySpecialValueEverywhere) {
    enum { POSITIONS = 40, VALUES = 128 };
    static uint8_t seen[64][POSITIONS][VALUES];
    assert_true(numeric_function_count < 64 && special_value_count <= VALUES);
    const uint32_t functions = numeric_function_count + 2;
    TraceReader *reader = Calls("edges", 1, 0, (uint64_t)functions * 35 * special_value_count);
    TraceCall call;
    memset(seen, 0, sizeof seen);
    while (Next(reader, &call)) {
        uint32_t function = (uint32_t)(call.sequence % functions);
        for (uint32_t at = 0; at < call.input_size / 4 && at < POSITIONS; at++)
            for (uint32_t k = 0; k < special_value_count; k++)
                if (Get32(call.inputs + 4 * at) == special_values[k])
                    seen[function][at][k] = 1;
    }
    Close(reader);
    for (uint32_t f = 0; f < numeric_function_count; f++) {
        Signature signature;
        const AbiFunction *function = Abi_Find(numeric_functions[f].key);
        assert_int_equal(Signature_Parse(function, &signature, NULL), RP_OK);
        uint32_t at = 0;
        for (int p = 0; p < signature.param_count && signature.params[p].count_param < 0; p++) {
            const SignatureParam *param = &signature.params[p];
            for (uint32_t e = 0; param->direction != SIGNATURE_OUT && e < param->count; e++, at++)
                for (uint32_t k = 0; param->type == SIGNATURE_F32 && k < special_value_count; k++)
                    if (!seen[f][at][k])
                        fail_msg("%s: value %08X never at %u", function->key,
                                 (unsigned)special_values[k], (unsigned)at);
        }
    }
}

static double DotOf(const uint8_t *a, const uint8_t *b, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += (double)GetFloat(a + 4 * i) * (double)GetFloat(b + 4 * i);
    return sum;
}

typedef struct PairClasses {
    uint32_t linear, curved, negative, right_angle, almost_right_angle, below, above;
} PairClasses;

static void CountPair(const TraceCall *call, PairClasses *classes) {
    double dot = DotOf(call->inputs, call->inputs + 16, 4), size = fabs(dot);
    double gap = 1 - size - 9.9999997e-6;
    classes->negative += dot < 0;
    classes->linear += gap <= 0 && size < 1.001;
    classes->curved += gap > 0;
    classes->right_angle += dot == 0;
    classes->almost_right_angle += dot != 0 && size < 1e-7;
    classes->below += gap <= 0 && gap > -1.5e-7;
    classes->above += gap > 0 && gap < 1.5e-7;
}

typedef struct SegmentClasses {
    uint32_t hit, behind, parallel, start_on, end_on, away;
} SegmentClasses;

static void CountSegment(const TraceCall *call, SegmentClasses *classes) {
    const uint8_t *normal = call->inputs + 24;
    double offset = (double)GetFloat(normal + 12);
    double start = DotOf(call->inputs, normal, 3) + offset;
    double end = DotOf(call->inputs + 12, normal, 3) + offset;
    classes->hit += start > 0 && end < 0;
    classes->behind += start < 0 && end < 0;
    classes->parallel += start == end;
    classes->start_on += start == 0 && end < 0;
    classes->end_on += end == 0 && start > 0;
    classes->away += start < 0 && end > 0;
}

TEST(SlotsReachEveryBranch) {
    PairClasses pairs = {0};
    SegmentClasses segments = {0};
    TraceReader *reader = Calls("slots", 1, 0, 100000);
    TraceCall call;
    while (Next(reader, &call)) {
        int slot = call.function->kind == ABI_SLOT ? call.function->index : 0;
        if (slot == 17 || slot == 22)
            CountPair(&call, &pairs);
        if (slot == 45)
            CountSegment(&call, &segments);
    }
    Close(reader);
    assert_true(pairs.linear > 1000 && pairs.curved > 5000 && pairs.negative > 5000);
    assert_true(pairs.right_angle > 200 && pairs.almost_right_angle > 200);
    assert_true(pairs.below > 200 && pairs.above > 200);
    assert_true(segments.hit > 800 && segments.behind > 200 && segments.away > 200);
    assert_true(segments.parallel > 50 && segments.start_on > 100 && segments.end_on > 100);
}

TEST(WordsAreAllPrecisionsAndRoundings) {
    uint32_t precisions[4] = {0}, roundings[4] = {0}, sse[4] = {0}, apart = 0;
    TraceReader *reader = Calls("words", 1, 0, 24000);
    TraceCall call;
    uint32_t inputs_of_turn = 0;
    while (Next(reader, &call)) {
        assert_int_equal(call.control_in & 0xF0FF, 0x007F);
        assert_int_equal(call.mxcsr_in & ~0x6000u, 0x1F80);
        precisions[call.control_in >> 8 & 3]++;
        roundings[call.control_in >> 10 & 3]++;
        sse[call.mxcsr_in >> 13 & 3]++;
        apart += (call.control_in >> 10 & 3) != (call.mxcsr_in >> 13 & 3);
        /* There are twelve words for one input. */
        uint32_t inputs = Crc(0, call.inputs, call.input_size);
        if (call.sequence % 12 == 0)
            inputs_of_turn = inputs;
        assert_int_equal(inputs, inputs_of_turn);
    }
    Close(reader);
    assert_int_equal(precisions[0], 8000);
    assert_int_equal(precisions[1], 0);
    assert_int_equal(precisions[2], 8000);
    assert_int_equal(precisions[3], 8000);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(roundings[i], 6000);
        assert_true(sse[i] > 4000);
    }
    assert_true(apart > 1000);
}

/* All functions of numbers and both functions of poses are called under every control word. */
TEST(WordsReachEveryFunction) {
    static uint32_t words[512];
    uint32_t functions = 0;
    TraceReader *reader = Calls("words", 1, 0, 24000);
    TraceCall call;
    memset(words, 0, sizeof words);
    assert_true(abi_function_count <= 512);
    while (Next(reader, &call))
        words[call.function - abi_functions] |= 1u << (call.control_in >> 8 & 0xF);
    Close(reader);
    for (size_t i = 0; i < 512; i++) {
        functions += words[i] != 0;
        assert_true(words[i] == 0 || words[i] == 0xDDDD); /* precisions 0, 2, 3 */
    }
    assert_int_equal(functions, numeric_function_count + 2);
}

TEST(ControlTakesEveryWordOnce) {
    static uint8_t seen[65536];
    TraceReader *reader = Calls("control", 1, 0, 65536);
    TraceCall call;
    memset(seen, 0, sizeof seen);
    while (Next(reader, &call))
        seen[call.control_in]++;
    Close(reader);
    for (size_t i = 0; i < sizeof seen; i++)
        assert_int_equal(seen[i], 1);
}

TEST(OnlyDispatchedFunctionsAreInClasses) {
    uint64_t slots = 0;
    TraceReader *reader = Calls("classes", 1, 0, 5000);
    TraceCall call;
    while (Next(reader, &call)) {
        if (call.function->kind == ABI_SLOT)
            slots |= UINT64_C(1) << call.function->index;
        else
            assert_int_equal(call.function->module, ABI_ANIMESH);
    }
    Close(reader);
    /* only `rows` calls the slots that came later */
    for (uint32_t i = 0; i < numeric_function_count; i++) {
        const AbiFunction *function = Abi_Find(numeric_functions[i].key);
        if (function->kind == ABI_SLOT)
            assert_true(slots >> function->index & 1);
    }
}

/* ---- AniMesh stays inside its streams -------------------------------------------------------- */

static const TraceRelocation *RelocationAt(const TraceMemory *memory, uint32_t offset) {
    for (uint32_t i = 0; i < memory->relocation_count; i++)
        if (memory->relocations[i].offset == offset)
            return &memory->relocations[i];
    return NULL;
}

typedef struct Piece {
    const uint8_t *bytes;
    uint32_t node;
    bool has_reader;
    CheckedModel model;
} Piece;

/* Follows the pointers of a call, from the piece to the reader and on to the image. */
static Piece FollowPiece(const TraceReader *reader, const uint8_t *reference) {
    const TraceMemory *pieces = TraceReader_Memory(reader, Get32(reference));
    uint32_t offset = Get32(reference + 4);
    assert_non_null(pieces);
    assert_true(offset % MODEL_PIECE_SIZE == 0 && offset + MODEL_PIECE_SIZE <= pieces->size);
    Piece piece = {.bytes = pieces->bytes + offset, .node = Get32(pieces->bytes + offset + 8)};
    const TraceRelocation *to_reader = RelocationAt(pieces, offset + 0x12C);
    if (!to_reader)
        return piece;
    piece.has_reader = true;
    const TraceMemory *model = TraceReader_Memory(reader, to_reader->target);
    assert_non_null(model);
    assert_int_equal(to_reader->target_offset, 0);
    assert_int_equal(model->size, MODEL_READER_SIZE);
    const TraceRelocation *to_nodes = RelocationAt(model, 0);
    const TraceMemory *image = TraceReader_Memory(reader, to_nodes->target);
    assert_non_null(image);
    assert_null(Model_Check(image->bytes, image->size, &piece.model));
    assert_ptr_equal(image->bytes + to_nodes->target_offset, piece.model.streams[1].bytes);
    static const uint8_t fields[][2] = {{0x18, 8}, {0x1C, 19}, {0x20, 10}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        assert_ptr_equal(image->bytes + RelocationAt(model, fields[i][0])->target_offset,
                         piece.model.streams[fields[i][1]].bytes);
    assert_int_equal(Get32(model->bytes + 0x9C), piece.model.streams[19].attr2);
    return piece;
}

static void AssertSampled(const Piece *piece, float t, uint16_t control) {
    const char *fault = Model_CheckSample(&piece->model, piece->node, t, control);
    if (fault)
        print_error("node %u at %g reads past: %s\n", (unsigned)piece->node, (double)t, fault);
    assert_null(fault);
}

/* Returns 1 for side A, 2 for side B, 3 for both. */
static uint32_t AssertBlended(const Piece *piece, const TraceCall *call) {
    float a = GetFloat(call->inputs + 8), b = GetFloat(call->inputs + 12);
    float weight = GetFloat(call->inputs + 16);
    bool has_a = weight < 1 && a >= 0, has_b = weight > 0 && b >= 0;
    assert_true(has_a || has_b);
    if (has_a)
        AssertSampled(piece, a, call->control_in);
    if (has_b)
        AssertSampled(piece, b, call->control_in);
    return (uint32_t)has_a + 2 * (uint32_t)has_b;
}

TEST(PosesStayInsideTheStreams) {
    static const char *const names[] = {"poses", "blends", "edges", "words", "classes"};
    uint32_t samples = 0, sides[4] = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        TraceReader *reader = Calls(names[i], 11, 0, 8192);
        TraceCall call;
        while (Next(reader, &call)) {
            bool sample = strcmp(call.function->name, "SampleNode") == 0;
            if (!sample && strcmp(call.function->name, "BlendPoses") != 0)
                continue;
            Piece piece = FollowPiece(reader, call.inputs);
            assert_true(piece.has_reader);
            if (sample)
                AssertSampled(&piece, GetFloat(call.inputs + 8), call.control_in);
            else
                sides[AssertBlended(&piece, &call)]++;
            samples += sample;
        }
        Close(reader);
    }
    assert_true(samples > 8192 && sides[1] > 500 && sides[2] > 500 && sides[3] > 1000);
}

/* Moves a fallback and a map block out of their streams, which the walk has to notice. */
TEST(WalkNoticesReadsOutside) {
    ModelSpec spec;
    ModelImage image;
    CheckedModel model;
    Corpus_Spec(1, 0, &spec);
    assert_int_equal(ModelImage_Make(&spec, &image, NULL), RP_OK);
    assert_null(Model_Check(image.bytes, image.size, &model));
    uint8_t *record = image.bytes + (model.streams[1].bytes - image.bytes);
    assert_null(Model_CheckSample(&model, 0, 3.25f, 0x007F));
    assert_null(Model_CheckSample(&model, 0, 0x1p32f, 0x007F));
    model.streams[19].attr1 = 2; /* a map of two words, and frame 3 */
    assert_non_null(Model_CheckSample(&model, 0, 3.25f, 0x007F));
    model.streams[19].attr1 = 10 * 124;
    record[7] = 0x7F;
    assert_non_null(Model_CheckSample(&model, 0, 500.0f, 0x007F));
    ModelImage_Free(&image);
}

TEST(QueriesStayInsideTheStreams) {
    uint32_t orphans = 0, own_variants = 0, loads = 0, far_levels = 0, strings = 0;
    TraceReader *reader = Calls("models", 11, 0, 8192);
    TraceCall call;
    while (Next(reader, &call)) {
        if (strcmp(call.function->name, "LoadReader") == 0) {
            CheckedModel model;
            const TraceMemory *image = TraceReader_Memory(reader, Get32(call.inputs));
            assert_non_null(image);
            assert_null(Model_Check(image->bytes, image->size, &model));
            loads++;
            continue;
        }
        Piece piece = FollowPiece(reader, call.inputs);
        if (strcmp(call.function->name, "NodeString") == 0) {
            assert_true(piece.has_reader && piece.node < piece.model.streams[10].attr1);
            strings++;
            continue;
        }
        if (!piece.has_reader) {
            orphans++;
            continue;
        }
        int32_t level = (int32_t)Get32(call.inputs + 8);
        int32_t variant = (int32_t)Get32(call.inputs + 12);
        own_variants += variant == -1;
        far_levels += level < 0 || level > 4;
        if (variant == -1)
            variant = (int32_t)Get32(piece.bytes + 0x1C);
        assert_in_range(variant * 5 + level, 0, 14);
    }
    Close(reader);
    assert_true(orphans > 100 && own_variants > 500 && far_levels > 100);
    assert_true(loads == 2048 && strings == 2048);
}

/* Runs frame by frame over the longest animation come first, forward and then backward. */
TEST(PosesBeginWithTheLongestAnimation) {
    TraceReader *reader = Calls("poses", 1, 0, 256);
    TraceCall call;
    while (Next(reader, &call)) {
        float t = GetFloat(call.inputs + 8);
        uint32_t place = (uint32_t)call.sequence % 128;
        assert_int_equal(Get32(call.inputs), MEMORY_PIECES);
        if (place < 127)
            assert_true(t == (float)(call.sequence < 128 ? place : 126 - place));
    }
    Close(reader);
}

/* ---- options --------------------------------------------------------------------------------- */

static void AssertHeader(const TraceReader *reader, const char *key, const char *expected) {
    char value[64];
    bool present = TraceHeader_Get(TraceReader_Header(reader), key, value, sizeof value);
    assert_int_equal(present, expected != NULL);
    assert_string_equal(value, expected ? expected : "");
}

TEST(HeaderSaysHowItWasMade) {
    char digest[32];
    snprintf(digest, sizeof digest, "%08x%08x", (unsigned)(Abi_Digest() >> 32),
             (unsigned)Abi_Digest());
    ScenarioOptions options = Options(42, 0, 10);
    TraceReader *reader = Write("classes", &options);
    AssertHeader(reader, "producer", "retropose gen");
    AssertHeader(reader, "abi", digest);
    AssertHeader(reader, "scenario", "classes");
    AssertHeader(reader, "seed", "42");
    AssertHeader(reader, "provider", "none");
    AssertHeader(reader, "force-cpu", NULL);
    AssertHeader(reader, "hypotheses", NULL);
    Close(reader);
    options.force_cpu = 5;
    options.readings = "key-order=wxyz";
    options.compress = true;
    reader = Write("classes", &options);
    AssertHeader(reader, "force-cpu", "5");
    AssertHeader(reader, "hypotheses", "key-order=wxyz");
    Close(reader);
}

TEST(CompressionKeepsTheCalls) {
    ScenarioOptions options = Options(1, 0, 500);
    TraceCall call;
    uint32_t crcs[2] = {0};
    for (int i = 0; i < 2; i++) {
        options.compress = i;
        TraceReader *reader = Write("blends", &options);
        while (Next(reader, &call))
            crcs[i] = CrcOfCall(crcs[i], &call);
        crcs[i] = CrcOfMemories(crcs[i], reader);
        Close(reader);
    }
    assert_int_equal(crcs[0], crcs[1]);
}

TEST(SelectionLeavesOthersOut) {
    Selection *selection = NULL;
    ScenarioOptions options = Options(1, 100, 1000);
    assert_int_equal(Selection_Parse("ngi32.slot17", &selection, NULL), RP_OK);
    options.selection = selection;
    TraceReader *reader = Write("slots", &options);
    TraceCall call;
    uint32_t calls = 0;
    for (; Next(reader, &call); calls++)
        assert_string_equal(call.function->key, "ngi32.slot17");
    assert_true(calls > 30 && calls < 200);
    Close(reader);
    Selection_Free(selection);
}

TEST(NothingSelectedIsAnError) {
    RpError error = {0};
    Selection *selection = NULL;
    ScenarioOptions options = Options(1, 0, 100);
    assert_int_equal(Selection_Parse("ngi32.slot17", &selection, NULL), RP_OK);
    options.selection = selection;
    assert_int_equal(Scenario_Write(Scenario_Find("control"), &options, path, &error),
                     RP_NOT_FOUND);
    assert_null(fopen(path, "rb"));
    Selection_Free(selection);
}

TEST(ImpossibleOptionsAreErrors) {
    RpError error = {0};
    ScenarioOptions options = Options(1, 0, 0);
    assert_int_equal(Scenario_Write(Scenario_Find("slots"), &options, path, &error), RP_INVALID);
    options = Options(1, UINT64_MAX, 2);
    assert_int_equal(Scenario_Write(Scenario_Find("slots"), &options, path, &error), RP_INVALID);
    options = Options(1, 0, 1);
    assert_int_equal(
        Scenario_Write(Scenario_Find("slots"), &options, TEST_FOLDER "/no such folder/x", &error),
        RP_IO);
    assert_null(Scenario_Find("slot"));
}

/* A function is first looked up by the address of its key. A caller that reuses its buffer has
 * another key at that address. */
TEST(AnotherTextAtTheSameAddressNamesAnotherFunction) {
    static ScenarioCall call;
    char key[16];
    for (int slot = 14; slot <= 15; slot++) {
        snprintf(key, sizeof key, "ngi32.slot%d", slot);
        Call_Begin(&call, key);
        assert_non_null(call.function);
        assert_string_equal(call.function->key, key);
    }
}

TEST(DefaultsReachTenMillionCalls) {
    uint64_t calls = 0;
    for (size_t i = 0; i < scenario_count; i++)
        calls += scenarios[i].default_calls;
    assert_true(calls >= 10000000);
}
