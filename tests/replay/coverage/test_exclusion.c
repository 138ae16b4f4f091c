/* Tests how code that no call is meant to reach is counted. */
#include "replay/coverage/coverage.h"
#include "replay/coverage/exclusion.h"
#include "tests/test.h"

#include <cjson/cJSON.h>
#include <string.h>

static Coverage coverage;
static CoverageSide *side;

/* Slot 17 has four blocks: a reached one whose branch never jumps, one that was not reached, and
 * the same two again of a source that is excluded. */
AROUND(BeforeEach) {
    const uint32_t sizes[ABI_MODULE_COUNT] = {64, 64};
    const uint32_t excluded = CoverageExclusion_Of("Log_Write", "log.c");
    side = Coverage_AddSide(&coverage, "b", sizes);
    CoverageFunction *function = Coverage_Touch(side, Abi_Find("ngi32.slot17"));
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t at = 32 * i;
        side->marks[0][at + 1] = MACHINE_RAN;
        side->marks[0][at + 4] = MACHINE_RAN | MACHINE_WENT_ON;
        assert_true(Coverage_AddBlock(
            function, &(CoverageBlock){0, at + 1, 5, at + 4, i == 0 ? 0 : excluded}));
        assert_true(
            Coverage_AddBlock(function, &(CoverageBlock){0, at + 8, 2, 0, i == 0 ? 0 : excluded}));
    }
}

AROUND(AfterEach) {
    Coverage_Free(&coverage);
}

static void Counts(CoverageCounts counts, uint64_t blocks, uint64_t blocks_reached, uint64_t sides,
                   uint64_t sides_reached) {
    assert_int_equal(counts.blocks, blocks);
    assert_int_equal(counts.blocks_reached, blocks_reached);
    assert_int_equal(counts.sides, sides);
    assert_int_equal(counts.sides_reached, sides_reached);
}

TEST(WhatIsExcludedAndNotReachedCountsNowhere) {
    Counts(Coverage_CountAll(side), 3, 2, 3, 2);
    Counts(Coverage_Count(side, &side->functions[0]), 3, 2, 3, 2);
    Counts(Coverage_CountExcluded(side, CoverageExclusion_Of("", "log.c")), 1, 0, 1, 0);
    Counts(Coverage_CountExcluded(side, CoverageExclusion_Of("write_mailslot", "")), 0, 0, 0, 0);
}

TEST(FunctionsAndSourcesAreNamed) {
    assert_int_equal(CoverageExclusion_Of("Rotate", "quaternion.c"), 0);
    assert_int_equal(CoverageExclusion_Of("", ""), 0);
    for (uint32_t row = 1; row <= coverage_exclusion_count; row++)
        for (int i = 0; i < COVERAGE_MOST_PLACES && coverage_exclusions[row - 1].places[i]; i++) {
            const char *place = coverage_exclusions[row - 1].places[i];
            assert_int_equal(CoverageExclusion_Of(place, ""), row);
            assert_int_equal(CoverageExclusion_Of("", place), row);
            assert_true(strlen(place) < 48);
        }
}

TEST(AReportNamesWhatIsExcluded) {
    static const char reason[] = "it is written when a file or a call is wrong";
    cJSON *root = cJSON_CreateObject();
    assert_true(Coverage_Json(&coverage, root));
    cJSON *told = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "coverage"), 0);
    cJSON *excluded = cJSON_GetArrayItem(cJSON_GetObjectItem(told, "excluded"), 0);
    assert_string_equal(cJSON_GetObjectItem(excluded, "name")->valuestring, "the log");
    assert_non_null(strstr(cJSON_GetObjectItem(excluded, "reason")->valuestring, reason));
    assert_int_equal(cJSON_GetObjectItem(excluded, "blocks")->valueint, 1);
    assert_int_equal(cJSON_GetObjectItem(excluded, "sides")->valueint, 1);
    cJSON *gaps = cJSON_GetObjectItem(told, "blocks_not_reached");
    assert_int_equal(cJSON_GetArraySize(gaps), 2);
    assert_null(cJSON_GetObjectItem(cJSON_GetArrayItem(gaps, 0), "excluded"));
    assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(gaps, 1), "excluded")->valuestring,
                        "the log");
    cJSON_Delete(root);

    RpBuffer html;
    RpBuffer_Init(&html, NULL);
    Coverage_Html(&coverage, &html);
    RpBuffer_Append(&html, "", 1);
    assert_non_null(strstr((const char *)html.bytes, "<p>Excluded: the log (it is written"));
    assert_non_null(strstr((const char *)html.bytes, "Blocks that no call reached: 1"));
    RpBuffer_Free(&html);
}

/* A merged report excludes what a whole run does. */
TEST(ShardsKeepWhatIsExcluded) {
    Coverage merged = {.side_count = 0};
    RpError error;
    JsonRead read = {.error = &error};
    cJSON *root = cJSON_CreateObject();
    Coverage_ShardJson(&coverage, root);
    assert_true(Coverage_ReadShard(&read, root, &merged));
    Counts(Coverage_CountAll(&merged.sides[0]), 3, 2, 3, 2);
    Coverage_Free(&merged);
    cJSON_Delete(root);
}
