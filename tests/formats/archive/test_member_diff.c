/* Tests how differences between archives are written down, with each kind of change once. */
#include "formats/archive/member_diff.h"
#include "tests/test.h"

#include <stddef.h>
#include <string.h>

static const MemberDifference given[] = {
    {.change = MEMBER_REMOVED, .a = 1, .b = RP_NO_INDEX},
    {.change = MEMBER_ADDED, .a = RP_NO_INDEX, .b = 2},
    {.change = MEMBER_MOVED, .a = 3, .b = 4, .from = 3, .to = 4},
    {.change = MEMBER_NAME, .a = 1, .b = 1, .at = 5},
    {.change = MEMBER_PAYLOAD, .a = 1, .b = 1, .from = 7, .to = 8, .at = 6},
    {.change = MEMBER_SERVICE, .a = 1, .b = 1},
    {.change = MEMBER_CONTENTS, .a = 1, .b = 1, .from = 7, .to = 7, .at = 6},
    {.change = MEMBER_PACKED, .a = 1, .b = 1, .from = 9, .to = 8, .at = 0},
    {.change = MEMBER_HEADER, .a = RP_NO_INDEX, .b = RP_NO_INDEX, .from = 1, .to = 255, .at = 9},
    {.change = MEMBER_LAYOUT, .a = RP_NO_INDEX, .b = RP_NO_INDEX, .from = 64, .to = 72, .at = 31}};

static RpStatus Compare(const void *a, const void *b, MemberDiffTake take, void *context,
                        RpError *error) {
    (void)a, (void)b, (void)error;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        take(context, &given[i]);
    return RP_OK;
}

static void PrintName(RpBuffer *text, const void *archive, uint32_t member) {
    RpBuffer_Print(text, "%s%u", (const char *)archive, (unsigned)member);
}

static void PrintChange(RpBuffer *text, const void *archive, uint32_t member,
                        const MemberDifference *difference) {
    (void)archive, (void)member, (void)difference;
    RpBuffer_AppendText(text, "!\n");
}

static bool AddName(struct cJSON *object, const void *archive, uint32_t member) {
    (void)object, (void)archive, (void)member;
    return true;
}

static const MemberDiffKind kind = {"a comparison", "things",    Compare,
                                    PrintName,      PrintChange, AddName};

TEST(EveryChangeHasItsLine) {
    static const char expected[] =
        "- entry 1 a1!\n"
        "+ entry 2 b2!\n"
        "~ entry 3 a3: position 3 -> 4\n"
        "~ entry 1 a1: name field, first difference at byte 5\n"
        "~ entry 1 a1: payload of 7 -> 8 bytes, first difference at byte 6\n"
        "~ entry 1 a1: service bytes\n"
        "~ entry 1 a1: contents of 7 bytes, first difference at byte 6\n"
        "~ entry 1 a1: the same contents, packed into 9 -> 8 bytes, first difference at byte 0\n"
        "~ header: byte 9, 0x01 -> 0xFF\n"
        "~ layout: the same things in 64 -> 72 bytes, first difference at byte 0x1F\n";
    OWNED(RpBuffer) text = {0};
    bool different = false;
    assert_int_equal(MemberDiff_Text(&kind, "a", "b", &text, &different, NULL), RP_OK);
    assert_true(different);
    assert_int_equal(text.size, strlen(expected));
    assert_memory_equal(text.bytes, expected, text.size);
}

TEST(EveryChangeHasItsObject) {
    static const char *const expected[] = {
        "\"change\":\t\"removed\",\n\t\t\t\"a\":\t1\n",
        "\"change\":\t\"added\",\n\t\t\t\"b\":\t2\n",
        "\"change\":\t\"moved\",\n\t\t\t\"a\":\t3,\n\t\t\t\"b\":\t4,\n\t\t\t\"from\":\t3,\n\t\t\t"
        "\"to\":\t4\n",
        "\"change\":\t\"name\",\n\t\t\t\"a\":\t1,\n\t\t\t\"b\":\t1,\n\t\t\t"
        "\"first_difference\":\t5\n",
        "\"change\":\t\"service\",\n\t\t\t\"a\":\t1,\n\t\t\t\"b\":\t1\n",
        "\"change\":\t\"layout\",\n\t\t\t\"from\":\t64,\n\t\t\t\"to\":\t72,\n\t\t\t"
        "\"first_difference\":\t31\n",
        "\"identical\":\tfalse\n"};
    OWNED(RpBuffer) json = {0};
    assert_int_equal(MemberDiff_Json(&kind, "a", "b", &json, NULL, NULL), RP_OK);
    RpBuffer_Append(&json, "", 1);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_non_null(strstr((const char *)json.bytes, expected[i]));
}
