/* Tests that shards of which only some say what their calls reached are refused. shards.py tests
 * everything else about merging. */
#include "tests/replay/fixture.h"

#include "replay/merge/shard.h"

#include <cjson/cJSON.h>
#include <string.h>

static Comparison *comparison;
static Coverage coverage;
static MergedReport merged;
static RpError error;

/* A shard with a call of slot 17, which both sides' coverage has. */
TEST_AROUND(MakeShard) {
    const uint32_t one[4] = {0x3F800000, 0, 0, 0}, bytes[ABI_MODULE_COUNT] = {32, 64};
    const TraceCall call = Fixture_Slerp(7, one);
    comparison = Fixture_CompareCalls(&call, &call, 1, "small");
    for (int i = 0; i < 2; i++) {
        CoverageSide *side = Coverage_AddSide(&coverage, i == 0 ? "a" : "b", bytes);
        assert_non_null(side);
        assert_non_null(Coverage_Touch(side, call.function));
    }
    return 0;
}

TEST_AROUND(FreeShard) {
    Comparison_Destroy(comparison);
    Coverage_Free(&coverage);
    MergedReport_Free(&merged);
    return 0;
}

/* Adds a shard with this coverage, or without any if it is null. */
static RpStatus Add(const Coverage *reached) {
    cJSON *run = cJSON_CreateObject();
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    const Report report = {
        .comparison = comparison, .shard = {1, 2}, .run = run, .coverage = reached};
    assert_int_equal(ReportShard_Json(&report, &text, &error), RP_OK);
    const RpStatus status = MergedReport_Add(&merged, (const char *)text.bytes, text.size, &error);
    RpBuffer_Free(&text);
    cJSON_Delete(run);
    return status;
}

static void Refuses(const Coverage *reached, const char *expected, const char *found) {
    assert_int_equal(Add(reached), RP_CORRUPT);
    assert_string_equal(error.where, "coverage");
    assert_string_equal(error.expected, expected);
    assert_non_null(strstr(error.found, found));
}

TEST(NoShardLacksTheCoverageThatOthersHave) {
    assert_int_equal(Add(&coverage), RP_OK);
    Refuses(NULL, "what the calls reached, as other shards have it", "nothing");
}

TEST(NoShardHasCoverageThatOthersLack) {
    assert_int_equal(Add(NULL), RP_OK);
    Refuses(&coverage, "nothing, because other shards have none", "\"side\":\"a\"");
}

TEST(EveryFunctionThatWasCalledHasCoverage) {
    assert_int_equal(Add(&coverage), RP_OK);
    assert_int_equal(Add(&coverage), RP_OK);
    coverage.sides[1].function_count = 0;
    Refuses(&coverage, "ngi32.slot17, which was called, on side b", "nothing");
}

/* Shards whose traces have the other order of a key's components call another file. */
TEST(EitherOriginalMayHaveBeenCalled) {
    coverage.sides[0].function_count = 0;
    memcpy(coverage.sides[1].name, "a wxyz", sizeof "a wxyz");
    assert_int_equal(Add(&coverage), RP_OK);
    coverage.sides[1].function_count = 0;
    Refuses(&coverage, "ngi32.slot17, which was called, on side a", "nothing");
}

AROUND_EACH(MakeShard, FreeShard)
