/* Tests the pages of reports, and what these and the JSON say about functions that differ. */
#include "tests/replay/fixture.h"

#include "core/page/page.h"
#include "exports/call_graph.h"
#include "replay/compare/follow.h"
#include "replay/compare/report.h"
#include "replay/compare/standing.h"
#include "replay/compare/tally_inputs.h"
#include "replay/scenario/synthetic_model.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- helpers --------------------------------------------------------------------------------- */

static char *Ended(RpBuffer *text) {
    RpBuffer_Append(text, "", 1);
    assert_false(text->failed);
    return (char *)text->bytes;
}

/* Makes calls of slots 14 and 17, of SampleNode, which calls slot 17, and of BlendPoses, which
 * calls all of them. On side b, one element of each function differs if its bit is set. */
enum { SLERP = 1, MATRIX = 2, BLEND = 4, SAMPLE = 8 };
static Comparison *CompareFour(unsigned faults, const char *name) {
    const uint32_t null_piece[5] = {0xFFFFFFFF, 0, 0, 0xBF800000, 0};
    const uint32_t quaternion[4] = {0x3F800000, 0, 0, 0};
    uint32_t matrix[16] = {0x3F800000, 0, 0, 0, 0, 0x3F800000, 0, 0, 0, 0, 0x3F800000}, bad[16];
    memcpy(bad, matrix, sizeof bad);
    bad[0] += 3;
    const TraceCall a[] = {
        Fixture_Call("animesh.BlendPoses", 40, null_piece, sizeof null_piece, matrix, 64),
        Fixture_Call("ngi32.slot14", 41, quaternion, 16, matrix, 64),
        Fixture_Slerp(42, (const uint32_t[]){0x3F800000, 0, 0, 0}),
        Fixture_Call("animesh.SampleNode", 43, null_piece, 12, matrix, 28)};
    const TraceCall b[] = {
        Fixture_Call("animesh.BlendPoses", 40, null_piece, sizeof null_piece,
                     faults & BLEND ? bad : matrix, 64),
        Fixture_Call("ngi32.slot14", 41, quaternion, 16, faults & MATRIX ? bad : matrix, 64),
        Fixture_Slerp(42, (const uint32_t[]){faults & SLERP ? 0x3F800001 : 0x3F800000, 0, 0, 0}),
        Fixture_Call("animesh.SampleNode", 43, null_piece, 12, faults & SAMPLE ? bad : matrix, 28)};
    return Fixture_CompareCalls(a, b, 4, name);
}

/* ---- pages ----------------------------------------------------------------------------------- */

TEST(TextsAreEscaped) {
    RpBuffer html;
    RpBuffer_Init(&html, NULL);
    Page_Print(&html, "<b title=\"%s\">%s%% %5.1f %llu %d %c</b>", "\"<&'>", "a\033[2J\xFF", 1.25,
               18446744073709551615ull, -3, '<');
    char *text = Ended(&html);
    assert_string_equal(text, "<b title=\"&quot;&lt;&amp;&#39;&gt;\">a\\x1B[2J\\xFF%   1.2 "
                              "18446744073709551615 -3 &lt;</b>");
    free(text);
}

TEST(BarsStayInTheirPlaces) {
    const double heights[] = {-1, 0.5, 2, NAN};
    RpBuffer html;
    RpBuffer_Init(&html, NULL);
    Page_Columns(&html, "x", heights, 4);
    char *text = Ended(&html);
    assert_non_null(strstr(text, "y=\"96.00\" width=\"18\" height=\"0.00\""));
    assert_non_null(strstr(text, "y=\"48.00\" width=\"18\" height=\"48.00\""));
    assert_non_null(strstr(text, "y=\"0.00\" width=\"18\" height=\"96.00\""));
    assert_null(strstr(text, "nan"));
    free(text);
}

/* ---- tallies --------------------------------------------------------------------------------- */

TEST(ARunDoesNotDependOnTheOrder) {
    TallyRun forward = {.any = false}, backward = {.any = false};
    for (uint64_t i = 0; i < 1000; i++)
        TallyRun_Add(&forward, 5000 + i, 0, 1, i % 10 == 0);
    for (uint64_t i = 1000; i-- > 0;)
        TallyRun_Add(&backward, 5000 + i, 0, 1, i % 10 == 0);
    assert_memory_equal(&forward, &backward, sizeof forward);
    assert_int_equal(forward.shift, 5);
    assert_int_equal(forward.first, 5000 >> 5);
    assert_true(forward.last - forward.first < TALLY_STRETCHES);
    uint64_t compared = 0, different = 0;
    for (uint64_t i = 0; i <= forward.last - forward.first; i++) {
        compared += forward.compared[i];
        different += forward.different[i];
    }
    assert_int_equal(compared, 1000);
    assert_int_equal(different, 100);
}

/* Calls that were counted in long stretches and calls that were looked at one by one make one
 * run. */
TEST(CoarseCountsJoinFineOnes) {
    TallyRun run = {.any = false};
    TallyRun_Add(&run, 70, 0, 1, 1);
    TallyRun_Add(&run, 4, 4, 15, 0); /* 64 to 79 */
    TallyRun_Add(&run, 6, 4, 16, 0); /* 96 to 111 */
    assert_int_equal(run.shift, 4);
    assert_int_equal(run.first, 4);
    assert_int_equal(run.compared[0], 16);
    assert_int_equal(run.different[0], 1);
    assert_int_equal(run.compared[1], 0);
    assert_int_equal(run.compared[2], 16);
    assert_int_equal(TallyRun_Shift(0, 32), 0);
    assert_int_equal(TallyRun_Shift(1, 33), 1);
    assert_int_equal(TallyRun_Shift(250000, 250000), 13);
    assert_int_equal(TallyRun_Shift(UINT64_MAX - 9, 10), 0);
}

TEST(DistancesFallIntoBuckets) {
    TallyUlps ulps = {.no_number = 0};
    const int64_t distances[] = {0, 1, -1, 2, 3, 4, -5, 8, INT64_MAX};
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++)
        TallyUlps_Add(&ulps, true, distances[i]);
    TallyUlps_Add(&ulps, true, INT64_MIN); /* a NaN */
    TallyUlps_Add(&ulps, false, 7);
    const uint64_t expected[] = {1, 2, 1, 2, 2};
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(ulps.buckets[i], expected[i]);
    assert_int_equal(ulps.buckets[64], 1);
    assert_int_equal(ulps.no_distance, 1);
    assert_int_equal(ulps.no_number, 1);
    assert_int_equal(ulps.above, 6);
    assert_int_equal(TallyUlps_Least(4), 5);
    assert_int_equal(TallyUlps_Most(4), 8);
}

static const char *RangeOf(float value) {
    static char text[32];
    TallyInputs_Name(TallyInputs_Range(value), text, sizeof text);
    return text;
}

TEST(ValuesFallIntoRanges) {
    assert_string_equal(RangeOf(0.0f), "0");
    assert_string_equal(RangeOf(-0.0f), "-0");
    assert_string_equal(RangeOf(0x1p-149f), "denormal");
    assert_string_equal(RangeOf(-0x1.fffffcp-127f), "-denormal");
    assert_string_equal(RangeOf(0x1p-126f), "2^-126 to 1e-6");
    assert_string_equal(RangeOf(1e-6f), "1e-6 to 0.001");
    assert_string_equal(RangeOf(0.1f), "0.1 to 0.5");
    assert_string_equal(RangeOf(0x1.fffffep-2f), "0.1 to 0.5");
    assert_string_equal(RangeOf(0.5f), "0.5 to 1");
    assert_string_equal(RangeOf(1.0f), "1");
    assert_string_equal(RangeOf(0x1.000002p0f), "1 to 2");
    assert_string_equal(RangeOf(-1.0f), "-1");
    assert_string_equal(RangeOf(-2.0f), "-10 to -2");
    assert_string_equal(RangeOf(2147483648.0f), "2^31 to inf");
    assert_string_equal(RangeOf(-INFINITY), "-inf");
    assert_string_equal(RangeOf(NAN), "NaN");
    assert_int_equal(TallyInputs_Range(-INFINITY), 0);
    for (int i = -2000; i < 2000; i++) /* ranges are in the order of their numbers */
        assert_true(TallyInputs_Range((float)i) <= TallyInputs_Range((float)(i + 1)));
}

/* Of the numbers of a quaternion the greatest magnitude counts. A parameter that only returns
 * something does not count. */
TEST(CallsAreCountedByTheirInputs) {
    const float inputs[9] = {0.25f, -3, 0, 1, 0, 0, 1, 0, -0.75f};
    const Signature *signature = Fixture_Signature("ngi32.slot17");
    TallyInputs tally = {.calls = {{0}}}, sum = {.calls = {{0}}};
    int params[TALLY_INPUTS];
    assert_int_equal(TallyInputs_Params(signature, params), 3);
    assert_string_equal(signature->params[params[2]].name, "t");
    TallyInputs_Add(&tally, signature, (const uint8_t *)inputs, sizeof inputs);
    /* inputs that are cut off */
    TallyInputs_Add(&tally, signature, (const uint8_t *)inputs, sizeof inputs - 4);
    TallyInputs_Merge(&sum, &tally);
    TallyInputs_Merge(&sum, &tally);
    const float expected[] = {3, 1, -0.75f};
    for (uint32_t i = 0; i < TALLY_INPUTS; i++)
        for (uint32_t range = 0; range < TALLY_RANGES; range++)
            assert_int_equal(sum.calls[i][range],
                             i < 3 && range == TallyInputs_Range(expected[i]) ? 2 : 0);
}

/* Whole numbers are cut to what a float can hold, and so stay in their ranges. */
TEST(WholeNumbersFallIntoRanges) {
    static const struct {
        uint32_t value;
        const char *as_signed, *as_unsigned;
    } cases[] = {{0, "0", "0"},
                 {1, "1", "1"},
                 {0xFFFFFFFF, "-1", "2^31 to inf"},
                 {0x7FFFFFFF, "1e6 to 2^31", "1e6 to 2^31"},
                 {0x80000000, "-inf to -2^31", "2^31 to inf"},
                 {999999, "1000 to 1e6", "1000 to 1e6"},
                 {1000000, "1e6 to 2^31", "1e6 to 2^31"}};
    Signature signature = {.param_count = 1, .params = {{.direction = SIGNATURE_VALUE}}};
    signature.fixed = true;
    signature.fixed_inputs = 4;
    signature.params[0].count = 1;
    signature.params[0].element_bytes = 4;
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        TallyInputs tally = {.calls = {{0}}};
        const bool is_signed = i % 2 == 0;
        char name[32] = "";
        signature.params[0].type = is_signed ? SIGNATURE_I32 : SIGNATURE_U32;
        TallyInputs_Add(&tally, &signature, (const uint8_t *)&cases[i / 2].value, 4);
        for (uint32_t range = 0; range < TALLY_RANGES; range++)
            if (tally.calls[0][range] == 1)
                TallyInputs_Name(range, name, sizeof name);
        assert_string_equal(name, is_signed ? cases[i / 2].as_signed : cases[i / 2].as_unsigned);
    }
}

/* ---- who calls whom -------------------------------------------------------------------------- */

TEST(CallsAreOfTheTablesAndHaveNoCircle) {
    for (size_t i = 0; i < abi_call_count; i++) {
        const AbiFunction *caller = Abi_Find(abi_calls[i].caller);
        const AbiFunction *callee = Abi_Find(abi_calls[i].callee);
        assert_non_null(caller);
        assert_non_null(callee);
        assert_true(Abi_Reaches(caller, callee));
        assert_false(Abi_Reaches(callee, caller));
    }
    assert_true(Abi_Reaches(Abi_Find("animesh.PoseWalk"), Abi_Find("ngi32.slot17")));
    assert_true(Abi_Reaches(Abi_Find("animesh.PoseWalk"), Abi_Find("animesh.SampleNode")));
    assert_false(Abi_Reaches(Abi_Find("ngi32.slot17"), Abi_Find("ngi32.slot17")));
}

static size_t CauseOf(const Comparison *comparison, const char *key, size_t index) {
    return Standing_NextCause(comparison, Abi_Find(key), index);
}

TEST(TheFunctionsBelowAreNamedAsCauses) {
    Comparison *comparison = CompareFour(SLERP | MATRIX | BLEND, "small");
    size_t index = CauseOf(comparison, "animesh.BlendPoses", SIZE_MAX);
    assert_string_equal(Comparison_FunctionAt(comparison, index)->function->key, "ngi32.slot14");
    index = CauseOf(comparison, "animesh.BlendPoses", index);
    assert_string_equal(Comparison_FunctionAt(comparison, index)->function->key, "ngi32.slot17");
    assert_true(CauseOf(comparison, "animesh.BlendPoses", index) == SIZE_MAX);
    assert_true(CauseOf(comparison, "ngi32.slot17", SIZE_MAX) == SIZE_MAX);
    Comparison_Destroy(comparison);
    /* SampleNode differs because slot 17 does, and is no cause of its own. */
    comparison = CompareFour(SLERP | SAMPLE | BLEND, "small");
    index = CauseOf(comparison, "animesh.BlendPoses", SIZE_MAX);
    assert_string_equal(Comparison_FunctionAt(comparison, index)->function->key, "ngi32.slot17");
    assert_true(CauseOf(comparison, "animesh.BlendPoses", index) == SIZE_MAX);
    Comparison_Destroy(comparison);
    comparison = CompareFour(BLEND, "small");
    assert_true(CauseOf(comparison, "animesh.BlendPoses", SIZE_MAX) == SIZE_MAX);
    Comparison_Destroy(comparison);
}

/* ---- what a call leads to -------------------------------------------------------------------- */

enum { NODES = 10, SEEDS = 16, IMAGE_ID = 1, READER_ID = 2, PIECES_ID = 3 };

/* Follows a call about one piece of a model. With a seed, the model's streams are in a random
 * order. `is_archive` says whether the memory that holds them is still an NRes image. */
static Followed *FollowModel(ModelImage *image, bool is_archive, uint64_t seed, uint32_t node) {
    const ModelSpec spec = {.name = "followed.msh",
                            .nodes = NODES,
                            .animated = NODES - 1,
                            .frame_count = 20,
                            .keys_per_node = 7,
                            .slots = 4,
                            .shuffled = seed > 0,
                            .seed = seed};
    const char *path = Fixture_Path("model");
    uint8_t reader_bytes[MODEL_READER_SIZE], pieces[(NODES + 1) * MODEL_PIECE_SIZE];
    TraceRelocation links[MODEL_READER_RELOCATIONS], piece_links[NODES];
    const TraceCall call = Fixture_Call(
        "animesh.SampleNode", 1, FIXTURE_WORDS(PIECES_ID, node * MODEL_PIECE_SIZE, 0x40000000),
        FIXTURE_WORDS(0, 0, 0, 0, 0, 0, 0));
    assert_int_equal(ModelImage_Make(&spec, image, NULL), RP_OK);
    if (!is_archive)
        image->bytes[0]++;
    const uint32_t count = ModelImage_Reader(image, IMAGE_ID, reader_bytes, links);
    ModelImage_Pieces(image, READER_ID, pieces, piece_links);
    const TraceMemory memories[] = {
        {IMAGE_ID, image->size, image->bytes, 0, NULL},
        {READER_ID, sizeof reader_bytes, reader_bytes, count, links},
        {PIECES_ID, sizeof pieces, pieces, NODES, piece_links},
    };
    Fixture_Put(
        path,
        (FixtureTrace){.memories = memories, .memory_count = 3, .calls = &call, .call_count = 1});
    TraceReader *reader = Fixture_Open(path);
    const TraceCall read = Fixture_Next(reader);
    Followed *followed = Follow_Call(reader, &read, "position[0]");
    TraceReader_Close(reader);
    assert_non_null(followed);
    return followed;
}

/* The streams of a model follow each other in one memory. What comes after the nodes is not a node,
 * and what comes after the keys is not a key. */
TEST(AFollowedModelEndsWithItsStreams) {
    for (uint64_t i = 0; i <= SEEDS; i++) {
        ModelImage image;
        Followed *followed = FollowModel(&image, i > 0, i, 7);
        assert_true(followed->has_model && !followed->is_object);
        assert_int_equal(followed->node, 7);
        assert_int_equal(followed->node_count, NODES);
        assert_int_equal(followed->kept, NODES);
        assert_int_equal(followed->frame_count, image.frame_count);
        assert_int_equal(followed->key_count, image.key_count);
        free(followed);
        ModelImage_Free(&image);
    }
}

/* ---- the page of a comparison ---------------------------------------------------------------- */

static bool Repeat(void *context, const Difference *difference, char *text, size_t size) {
    (void)context;
    return snprintf(text, size, "retropose replay 'a <b> & \"c\"' --select %s:%llu",
                    difference->function->key, (unsigned long long)difference->sequence) > 0;
}

static Report ReportOf(const Comparison *comparison) {
    return (Report){.comparison = comparison,
                    .a = {.kind = "stand-in",
                          .description = "stand-in <b>&\"quoted\"</b>",
                          .directory = "/games/<script>alert(1)</script>",
                          .sha256 = {"aa11", "bb22"}},
                    .b = {.kind = "replacement", .description = "replacement"},
                    .processor = "Genuine<Test>",
                    .notice = "the stand-in played the original",
                    .version = "1.2.3 (4567)",
                    .command = "retropose replay 'a <b>'",
                    .repeat = Repeat};
}

TEST(ThePageHasAllThatItPromises) {
    Comparison *comparison = CompareFour(SLERP | MATRIX | BLEND, "tr<a>ce & \"more\"");
    const Report report = ReportOf(comparison);
    char *html = Fixture_Written(Report_Html, &report),
         *again = Fixture_Written(Report_Html, &report);
    assert_string_equal(html, again);
    Fixture_WellFormed(strstr(html, "<html"));
    static const char *const in_order[] = {
        "default-src 'none'",
        "<h1>4 calls compared, 3 different</h1>",
        "the stand-in played the original",
        "<a href=\"#at-ngi32.slot14\"",
        "<section id=\"at-ngi32.slot14\">",
        "<section id=\"at-ngi32.slot17\">",
        "<section id=\"at-animesh.BlendPoses\">",
        "It calls functions that differ, too. Look first at <a href=\"#at-ngi32.slot14\"",
        "How far apart",
        "tr&lt;a&gt;ce &amp; &quot;more&quot;",
        "call 40 of tr&lt;a&gt;ce",
        "matrix[0][0]",
        "side a, solid",
        "retropose replay &#39;a &lt;b&gt; &amp; &quot;c&quot;&#39; --select animesh.BlendPoses:40",
        "stand-in &lt;b&gt;&amp;&quot;quoted&quot;",
        "/games/&lt;script&gt;alert(1)",
        "aa11",
        "Genuine&lt;Test&gt;",
        "<dd>1.2.3 (4567)</dd>",
        "default",
        "Repeat this run",
        "retropose replay &#39;a &lt;b&gt;&#39;"};
    const char *at = html;
    for (size_t i = 0; i < sizeof in_order / sizeof *in_order; i++) {
        const char *next = strstr(at, in_order[i]);
        if (!next)
            fail_msg("\"%s\" is not behind the one before", in_order[i]);
        at = next;
    }
    assert_null(strstr(html, "<script"));
    assert_null(strstr(html, "http:"));
    assert_null(strstr(html, "https:"));
    free(html);
    free(again);
    Comparison_Destroy(comparison);
}

/* Nobody can repeat a run, or judge it, without knowing which program made it, and which part of
 * the program answered. */
TEST(ReportsSayWhichProgramMadeThem) {
    Comparison *comparison = CompareFour(0, "small");
    Report report = ReportOf(comparison);
    strcpy(report.b.version, "1.2.3 (89ab)");
    char *html = Fixture_Written(Report_Html, &report),
         *json = Fixture_Written(Report_Json, &report);
    assert_non_null(strstr(html, "<dd>1.2.3 (89ab)</dd>"));
    cJSON *root = cJSON_Parse(json);
    assert_string_equal(cJSON_GetObjectItem(root, "version")->valuestring, report.version);
    assert_string_equal(cJSON_GetObjectItem(root, "command")->valuestring, report.command);
    assert_string_equal(cJSON_GetObjectItem(cJSON_GetObjectItem(root, "b"), "version")->valuestring,
                        "1.2.3 (89ab)");
    assert_false(cJSON_HasObjectItem(cJSON_GetObjectItem(root, "a"), "version"));
    cJSON_Delete(root);
    free(html);
    free(json);
    Comparison_Destroy(comparison);
}

TEST(ACauseComesBeforeWhatCallsIt) {
    Comparison *comparison = CompareFour(MATRIX | BLEND, "small");
    const Report report = ReportOf(comparison);
    char *html = Fixture_Written(Report_Html, &report);
    assert_true(strstr(html, "<section id=\"at-ngi32.slot14\">") <
                strstr(html, "<section id=\"at-animesh.BlendPoses\">"));
    assert_non_null(strstr(html, "Equal in all calls: 2 functions"));
    free(html);
    Comparison_Destroy(comparison);
}

TEST(TheJsonSaysWhatThePageDraws) {
    Comparison *comparison = CompareFour(MATRIX | BLEND, "small");
    const Report report = ReportOf(comparison);
    char *text = Fixture_Written(Report_Json, &report);
    cJSON *root = cJSON_Parse(text);
    assert_string_equal(cJSON_GetObjectItem(cJSON_GetObjectItem(root, "a"), "kind")->valuestring,
                        "stand-in");
    const cJSON *functions = cJSON_GetObjectItem(root, "functions"), *blend = NULL, *item;
    cJSON_ArrayForEach(item, functions) {
        const bool differs = cJSON_GetObjectItem(item, "different")->valueint > 0;
        assert_int_equal(cJSON_HasObjectItem(item, "ulps"), differs);
        if (strcmp(cJSON_GetObjectItem(item, "name")->valuestring, "BlendPoses") == 0)
            blend = item;
    }
    const cJSON *causes = cJSON_GetObjectItem(blend, "causes");
    assert_int_equal(cJSON_GetArraySize(causes), 1);
    assert_string_equal(cJSON_GetArrayItem(causes, 0)->valuestring, "ngi32.slot14");
    const cJSON *bucket =
        cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetObjectItem(blend, "ulps"), "buckets"), 0);
    assert_int_equal(cJSON_GetObjectItem(bucket, "least")->valueint, 3);
    assert_int_equal(cJSON_GetObjectItem(bucket, "most")->valueint, 4);
    assert_int_equal(cJSON_GetObjectItem(bucket, "elements")->valueint, 1);
    const cJSON *stretch = cJSON_GetArrayItem(cJSON_GetObjectItem(blend, "run"), 0);
    assert_string_equal(cJSON_GetObjectItem(stretch, "from")->valuestring, "40");
    assert_int_equal(cJSON_GetObjectItem(stretch, "different")->valueint, 1);
    const cJSON *input = cJSON_GetArrayItem(cJSON_GetObjectItem(blend, "inputs"), 0);
    assert_string_equal(cJSON_GetObjectItem(input, "name")->valuestring, "t_a");
    const cJSON *range = cJSON_GetArrayItem(cJSON_GetObjectItem(input, "ranges"), 0);
    assert_string_equal(cJSON_GetObjectItem(range, "range")->valuestring, "0");
    assert_int_equal(cJSON_GetObjectItem(range, "compared")->valueint, 1);
    assert_int_equal(cJSON_GetObjectItem(range, "different")->valueint, 1);
    const cJSON *origin = cJSON_GetArrayItem(cJSON_GetObjectItem(blend, "origins"), 0);
    assert_string_equal(cJSON_GetObjectItem(origin, "name")->valuestring, "small");
    cJSON_Delete(root);
    free(text);
    Comparison_Destroy(comparison);
}

/* A function may have any number of differing calls, but its part of the page is limited. */
TEST(ThePageStaysSmall) {
    enum { CALLS = 3000 };
    TraceCall *a = calloc(CALLS, sizeof *a), *b = calloc(CALLS, sizeof *b);
    for (uint32_t i = 0; i < CALLS; i++) {
        a[i] = Fixture_Slerp(i, (const uint32_t[]){0x3F800000, 0, 0, 0});
        b[i] = Fixture_Slerp(i, (const uint32_t[]){0x3F800000 + i, i, 0, 0});
    }
    Comparison *comparison = Fixture_CompareCalls(a, b, CALLS, "many");
    const Report report = ReportOf(comparison);
    char *html = Fixture_Written(Report_Html, &report);
    assert_true(strlen(html) < 100000);
    Fixture_WellFormed(strstr(html, "<html"));
    free(html);
    free(a);
    free(b);
    Comparison_Destroy(comparison);
}

/* Positions are told apart no further than parts of a slice, also by a comparison that takes over
 * what another one has found out. */
TEST(ASliceIsTalliedInParts) {
    enum { CALLS = 20, FIRST = 1000, SLICE = 1000 }; /* the other calls are of other functions */
    TraceCall calls[CALLS];
    const char *path = Fixture_Path("slice");
    Comparison *one = Comparison_Create(&(CompareOptions){0}),
               *other = Comparison_Create(&(CompareOptions){0});
    for (uint32_t i = 0; i < CALLS; i++)
        calls[i] = Fixture_Slerp(FIRST + i, (const uint32_t[]){0x3F800000, 0, 0, 0});
    Fixture_Trace(path, calls, CALLS, false);
    TraceReader *reader_a = Fixture_Open(path), *reader_b = Fixture_Open(path);
    Comparison_BeginSlice(one, FIRST, SLICE);
    assert_int_equal(Comparison_Add(one, reader_a, reader_b, "slots", NULL), RP_OK);
    TraceReader_Close(reader_a);
    TraceReader_Close(reader_b);
    assert_int_equal(Comparison_FunctionAt(one, 0)->tally.run.shift, 5);
    const Tally tally = Comparison_FunctionAt(one, 0)->tally;
    assert_int_equal(Comparison_Merge(other, one, NULL), RP_OK);
    assert_memory_equal(&tally, &Comparison_FunctionAt(other, 0)->tally, sizeof tally);
    Comparison_Destroy(one);
    Comparison_Destroy(other);
}

/* More traces than a tally has places for share the last one. */
TEST(ManyOriginsShareAPlace) {
    Comparison *comparison = Comparison_Create(&(CompareOptions){0});
    const TraceCall call = Fixture_Slerp(3, (const uint32_t[]){0x3F800000, 0, 0, 0});
    const char *path = Fixture_Path("origins");
    Fixture_Trace(path, &call, 1, false);
    TraceReader *reader = Fixture_Open(path);
    for (int i = 0; i < 40; i++) {
        char name[32];
        snprintf(name, sizeof name, "trace %d", i % 38);
        Comparing *comparing;
        assert_int_equal(Comparison_Begin(comparison, TraceReader_Header(reader),
                                          TraceReader_Header(reader), reader, name, &comparing,
                                          NULL),
                         RP_OK);
        for (int k = 0; k < 2; k++)
            assert_int_equal(Comparing_Call(comparing, &call, &call, NULL), RP_OK);
        Comparing_End(comparing);
    }
    TraceReader_Close(reader);
    const Tally *tally = &Comparison_FunctionAt(comparison, 0)->tally;
    assert_int_equal(tally->compared[0], 4);
    assert_int_equal(tally->compared[TALLY_ORIGINS - 2], 2);
    assert_int_equal(tally->compared[TALLY_ORIGINS - 1], 2 * (38 - (TALLY_ORIGINS - 1)));
    assert_string_equal(Comparison_OriginAt(comparison, TALLY_ORIGINS - 1), "others");
    Comparison_Destroy(comparison);
}
