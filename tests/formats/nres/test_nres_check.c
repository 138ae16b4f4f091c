/* Tests of the rules N01 to N21. Each is broken once, and nothing else may be reported. */
#include "image.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Findings {
    RpFinding list[64];
    size_t count;
} Findings;

static void Take(void *context, const RpFinding *finding) {
    Findings *findings = context;
    assert_true(findings->count < 64);
    findings->list[findings->count++] = *finding;
}

static Findings Check(const Image *image, RpStatus expected) {
    static uint32_t work[256];
    Findings with = {.count = 0}, without = {.count = 0};
    const RpFindingSink sink = {Take, &with}, other = {Take, &without};
    RpError error;
    assert_int_equal(RpNRes_Check(image->bytes, image->size, work, &sink, &error), expected);
    assert_int_equal(RpNRes_Check(image->bytes, image->size, NULL, &other, NULL), expected);
    if (with.count != without.count)
        assert_string_equal(with.list[with.count - 1].rule, "N21"); /* this finding needs memory */
    return with;
}

static void AssertAlone(const Findings *findings, const char *rule, RpSeverity severity,
                        uint64_t offset, int32_t entry) {
    for (size_t i = 0; i < findings->count; i++)
        if (findings->count != 1 || strcmp(findings->list[i].rule, rule) != 0)
            fail_msg("%zu findings, one of them %s %s; found %s", findings->count,
                     findings->list[i].rule, findings->list[i].what, findings->list[i].found);
    assert_int_equal(findings->count, 1);
    assert_int_equal(findings->list[0].severity, severity);
    assert_int_equal(findings->list[0].offset, offset);
    assert_int_equal(findings->list[0].entry, entry);
    assert_true(findings->list[0].what[0]);
}

/* Checks an image with one broken rule. Errors and warnings prevent strict opening, other findings
 * do not. */
static void AssertBreaks(Image image, const char *rule, RpSeverity severity, uint64_t offset,
                         int32_t entry) {
    const bool is_error = severity == RP_SEVERITY_ERROR;
    const Findings findings = Check(&image, is_error ? RP_CORRUPT : RP_OK);
    RpNRes archive = {.count = 12345};
    RpError error;
    AssertAlone(&findings, rule, severity, offset, entry);
    const RpStatus status = RpNRes_Open(image.bytes, image.size, RP_STRICT, &archive, &error);
    if (is_error || severity == RP_SEVERITY_WARNING) {
        assert_true(status == RP_CORRUPT || status == RP_TRUNCATED);
        assert_int_equal(error.status, status);
        assert_int_equal(error.offset, offset);
        assert_memory_equal(error.what, rule, 3);
        assert_int_equal(archive.count, 12345);
    } else {
        assert_int_equal(status, RP_OK);
    }
    Image_Free(&image);
}

static const TestMember three[] = {
    {"b", "12345", 5, 1, 0, 0, 0},
    {"a", "12345678", 8, 2, 0, 0, 0},
    {"c", "123456", 6, 3, 0, 0, 0},
};
enum { DIRECTORY = 40 }; /* 16 + 8 + 8 + 8 */

static size_t At(uint32_t entry, size_t field) {
    return DIRECTORY + 64 * (size_t)entry + field;
}

TEST(ReportsNothingOfACanonicalArchive) {
    OWNED(Image) image = Image_Make(three, 3);
    assert_int_equal(Image_Field(&image, 0, 0), DIRECTORY);
    assert_int_equal(Check(&image, RP_OK).count, 0);
    Image_Free(&image);
    image = Image_Make(NULL, 0);
    assert_int_equal(Check(&image, RP_OK).count, 0);
}

TEST(N01AnImageShorterThanItsHeader) {
    Image image = Image_Make(NULL, 0);
    image.size = 15;
    AssertBreaks(image, "N01", RP_SEVERITY_ERROR, 15, RP_NO_INDEX);
}

static Image With(size_t at, uint32_t value) {
    Image image = Image_Make(three, 3);
    Image_Put(&image, at, value);
    return image;
}

TEST(N02AnotherMagic) {
    AssertBreaks(With(0, 0x7365524F), "N02", RP_SEVERITY_ERROR, 0, RP_NO_INDEX);
}

TEST(N03AnotherVersion) {
    AssertBreaks(With(4, 0x101), "N03", RP_SEVERITY_ERROR, 4, RP_NO_INDEX);
}

TEST(N04AnotherSize) {
    AssertBreaks(With(12, DIRECTORY + 3 * 64 + 1), "N04", RP_SEVERITY_ERROR, 12, RP_NO_INDEX);
    AssertBreaks(With(12, DIRECTORY + 3 * 64 - 1), "N04", RP_SEVERITY_ERROR, 12, RP_NO_INDEX);
}

TEST(N05ACountThatDoesNotFit) {
    AssertBreaks(With(8, 4), "N05", RP_SEVERITY_ERROR, 8, RP_NO_INDEX);
    AssertBreaks(With(8, 0xFFFFFFFF), "N05", RP_SEVERITY_ERROR, 8, RP_NO_INDEX);
    AssertBreaks(With(8, 0x80000000), "N05", RP_SEVERITY_ERROR, 8, RP_NO_INDEX);
    AssertBreaks(With(8, 0x04000000), "N05", RP_SEVERITY_ERROR, 8, RP_NO_INDEX); /* 64 x = 2^32 */
}

/* Makes an image with an empty payload in the middle, whose range can be damaged without leaving a
 * hole. */
static Image WithEmpty(uint32_t offset, uint32_t size) {
    const TestMember members[] = {three[0], {"empty", NULL, 0, 1, 0, 0, 0}, three[2]};
    Image image = Image_Make(members, 3);
    Image_Put(&image, Image_Field(&image, 1, FIELD_OFFSET), offset);
    Image_Put(&image, Image_Field(&image, 1, FIELD_SIZE), size);
    return image;
}

TEST(N06ARangeOutsideTheData) {
    const uint64_t at = 32 + 64 + FIELD_OFFSET;
    AssertBreaks(WithEmpty(8, 0), "N06", RP_SEVERITY_ERROR, at, 1);
    AssertBreaks(WithEmpty(0, 0), "N06", RP_SEVERITY_ERROR, at, 1);
    AssertBreaks(WithEmpty(40, 0), "N06", RP_SEVERITY_ERROR, at, 1);
    AssertBreaks(WithEmpty(0xFFFFFFF8, 0), "N06", RP_SEVERITY_ERROR, at, 1);
    AssertBreaks(WithEmpty(32, 1), "N06", RP_SEVERITY_ERROR, at, 1);
    AssertBreaks(WithEmpty(24, 0xFFFFFFFF), "N06", RP_SEVERITY_ERROR, at, 1);
    AssertBreaks(WithEmpty(24, 0xFFFFFFE8), "N06", RP_SEVERITY_ERROR, at, 1); /* sum is 2^32 */
}

TEST(N07ANameWithoutANul) {
    TestMember members[] = {three[0], {"123456789 123456789 123456789 12345x", "", 0, 1, 0, 0, 0}};
    AssertBreaks(Image_Make(members, 2), "N07", RP_SEVERITY_ERROR, 24 + 64 + FIELD_NAME, 1);
    members[1].name = "123456789 123456789 123456789 12345";
    OWNED(Image) image = Image_Make(members, 2);
    assert_int_equal(Check(&image, RP_OK).count, 0);
}

TEST(N08AnEmptyName) {
    const TestMember members[] = {three[0], {"", "", 0, 1, 0, 0, 0}};
    AssertBreaks(Image_Make(members, 2), "N08", RP_SEVERITY_WARNING, 24 + 64 + FIELD_NAME, 1);
}

TEST(N09PayloadsThatOverlap) {
    Image image = Image_Make(three, 3);
    /* The ranges 16 to 40 and 24 to 32 cover all bytes, but one of the offsets must be wrong. */
    Image_Put(&image, At(0, FIELD_SIZE), 24);
    Image_Put(&image, At(2, FIELD_SIZE), 0);
    Image_Put(&image, At(2, FIELD_OFFSET), 32);
    AssertBreaks(image, "N09", RP_SEVERITY_ERROR, At(1, FIELD_OFFSET), 1);
}

TEST(N10ATableThatIsNoPermutation) {
    AssertBreaks(With(At(2, FIELD_SORT), 3), "N10", RP_SEVERITY_ERROR, At(2, FIELD_SORT), 2);
    AssertBreaks(With(At(2, FIELD_SORT), 0xFFFFFFFF), "N10", RP_SEVERITY_ERROR, At(2, FIELD_SORT),
                 2);
    AssertBreaks(With(At(1, FIELD_SORT), 1), "N10", RP_SEVERITY_ERROR, At(1, FIELD_SORT), 1);
}

static void TakeIndex(void *context, const RpFinding *finding) {
    /* the number and the sum of the places, in whatever order they are reported */
    uint64_t *sums = context;
    if (strcmp(finding->rule, "N10") == 0) {
        sums[0]++;
        sums[1] += (uint64_t)finding->entry * (uint64_t)finding->entry;
    }
}

/* Without memory a large table is checked in parts; all parts together find what one pass does. */
TEST(N10IsFoundInAnyPartOfALargeTable) {
    enum { COUNT = 9000 };
    static TestMember members[COUNT];
    static char names[COUNT][8];
    static uint32_t work[2 * COUNT];
    uint64_t with[2] = {0}, without[2] = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "%05u", (unsigned)i);
        members[i] = (TestMember){names[i], NULL, 0, 1, 0, 0, 0};
    }
    OWNED(Image) image = Image_Make(members, COUNT);
    static const uint32_t places[][2] = {{1, 0},       {8191, 8192}, {8193, 8192}, {8500, 0},
                                         {8600, 8999}, {8998, 8192}, {8997, COUNT}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        Image_Put(&image, Image_Field(&image, places[i][0], FIELD_SORT), places[i][1]);
    memset(work, 0xFF, sizeof work); /* the contents of this memory must not matter */
    const RpFindingSink sink = {TakeIndex, with}, other = {TakeIndex, without};
    assert_int_equal(RpNRes_Check(image.bytes, image.size, work, &sink, NULL), RP_CORRUPT);
    assert_int_equal(RpNRes_Check(image.bytes, image.size, NULL, &other, NULL), RP_CORRUPT);
    assert_int_equal(with[0], 7);
    assert_memory_equal(with, without, sizeof with);
}

TEST(N11ATableOutOfOrder) {
    Image image = With(At(1, FIELD_SORT), 2);
    Image_Put(&image, At(2, FIELD_SORT), 0);
    AssertBreaks(image, "N11", RP_SEVERITY_ERROR, At(2, FIELD_SORT), 2);
}

TEST(N12AnOffsetThatIsNotAligned) {
    Image image = With(At(2, FIELD_OFFSET), 33);
    memmove(image.bytes + 33, image.bytes + 32, 6);
    image.bytes[32] = 0;
    AssertBreaks(image, "N12", RP_SEVERITY_WARNING, At(2, FIELD_OFFSET), 2);
}

TEST(N13PaddingThatIsNotZero) {
    Image image = Image_Make(three, 3);
    image.bytes[22] = 1;
    AssertBreaks(image, "N13", RP_SEVERITY_WARNING, 22, 0);
    image = Image_Make(three, 3);
    image.bytes[39] = 1;
    AssertBreaks(image, "N13", RP_SEVERITY_WARNING, 39, 2);
}

TEST(N14BytesThatNoEntryPointsTo) {
    static const size_t places[] = {16, 24, 40};
    for (size_t i = 0; i < 3; i++) {
        Image image = Image_Make(three, 3);
        Image_Insert(&image, places[i], i ? "nowhere " : NULL, 8);
        const Findings findings = Check(&image, RP_OK);
        assert_string_equal(findings.list[0].found,
                            i ? "8 bytes, not all zero" : "8 bytes, all zero");
        AssertBreaks(image, "N14", RP_SEVERITY_WARNING, places[i], RP_NO_INDEX);
    }
}

TEST(N15EqualNamesOutOfOrder) {
    const TestMember members[] = {three[0], {"B", "", 0, 1, 0, 0, 0}};
    OWNED(Image) image = Image_Make(members, 2);
    Image_Put(&image, 24 + FIELD_SORT, 1);
    Image_Put(&image, 24 + 64 + FIELD_SORT, 0);
    const Findings findings = Check(&image, RP_OK);
    assert_int_equal(findings.count, 2); /* equal names have a finding of their own */
    assert_string_equal(findings.list[0].rule, "N15");
    assert_int_equal(findings.list[0].severity, RP_SEVERITY_CANONICAL);
    assert_int_equal(findings.list[0].offset, 24 + 64 + FIELD_SORT);
    assert_string_equal(findings.list[1].rule, "N21");
}

TEST(N16PayloadsInAnotherOrder) {
    OWNED(Image) image = Image_Make(three, 3);
    Image_Put(&image, At(0, FIELD_OFFSET), 32);
    Image_Put(&image, At(2, FIELD_OFFSET), 16);
    Image_Put(&image, At(0, FIELD_SIZE), 6);
    Image_Put(&image, At(2, FIELD_SIZE), 5);
    const Findings findings = Check(&image, RP_OK);
    AssertAlone(&findings, "N16", RP_SEVERITY_CANONICAL, At(1, FIELD_OFFSET), 1);
    assert_string_equal(findings.list[0].expected, "40");
    assert_string_equal(findings.list[0].found, "24; so it is with 2 entries");
    Image_Free(&image);
    /* a single entry has no count */
    image = Image_Make(three, 3);
    Image_Put(&image, At(1, FIELD_OFFSET), 32);
    Image_Put(&image, At(2, FIELD_OFFSET), 24);
    Image_Put(&image, At(1, FIELD_SIZE), 6);
    Image_Put(&image, At(2, FIELD_SIZE), 8);
    const Findings one = Check(&image, RP_OK);
    AssertAlone(&one, "N16", RP_SEVERITY_CANONICAL, At(2, FIELD_OFFSET), 2);
    assert_string_equal(one.list[0].found, "24");
}

TEST(N17ADirectoryThatIsNotAligned) {
    Image whole = Image_Make(three, 3);
    Image image = Image_Copy(whole.bytes, whole.size - 2);
    memmove(image.bytes + 38, whole.bytes + 40, whole.size - 40);
    Image_Put(&image, 12, (uint32_t)image.size);
    Image_Free(&whole);
    AssertBreaks(image, "N17", RP_SEVERITY_CANONICAL, 38, RP_NO_INDEX);
}

TEST(N18AnEmptyPayloadElsewhere) {
    AssertBreaks(WithEmpty(16, 0), "N18", RP_SEVERITY_CANONICAL, 32 + 64 + FIELD_OFFSET, 1);
    AssertBreaks(WithEmpty(32, 0), "N18", RP_SEVERITY_CANONICAL, 32 + 64 + FIELD_OFFSET, 1);
}

TEST(N19BytesBehindAName) {
    Image image = Image_Make(three, 3);
    image.bytes[At(1, FIELD_NAME) + 35] = 1;
    AssertBreaks(image, "N19", RP_SEVERITY_INFO, At(1, FIELD_NAME) + 1, 1);
}

TEST(N20NamesThatAreNotAscii) {
    const TestMember members[] = {three[0], {"\xCF\xE0\xF0", "", 0, 1, 0, 0, 0}};
    Image image = Image_Make(members, 2);
    assert_string_equal(Check(&image, RP_OK).list[0].found, "\"\\xCF\\xE0\\xF0\"");
    AssertBreaks(image, "N20", RP_SEVERITY_INFO, 24 + 64 + FIELD_NAME, 1);
}

TEST(N21DuplicateNames) {
    const TestMember members[] = {three[0], {"B", "", 0, 1, 0, 0, 0}, {"b", "", 0, 1, 0, 0, 0}};
    Image image = Image_Make(members, 3);
    assert_string_equal(Check(&image, RP_OK).list[0].found, "2 entries, one of them \"b\"");
    AssertBreaks(image, "N21", RP_SEVERITY_INFO, 24 + 2 * 64 + FIELD_NAME, 2);
}

TEST(SeveralHeaderRulesAreAllReported) {
    OWNED(Image) image = With(4, 7);
    Image_Put(&image, 8, 99);
    Image_Put(&image, 12, 1);
    const Findings findings = Check(&image, RP_CORRUPT);
    assert_int_equal(findings.count, 3);
    assert_string_equal(findings.list[0].rule, "N03");
    assert_string_equal(findings.list[1].rule, "N04");
    assert_string_equal(findings.list[2].rule, "N05");
}
