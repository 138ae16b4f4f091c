/* Tests of opening libraries, strictly and tolerantly, of lookups and loading, and of every rule by
 * a planted fault. */
#include "core/random.h"
#include "image.h"
#include "retropose/rsli.h"
#include "tests/formats/refusal.h"
#include "tests/test.h"
#include "work.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

static RpRsLiRecord records[MOST];
/* For C, A, B the map 1 2 0 differs from its inverse 2 0 1. */
static const Row three[] = {
    {.name = "C", .sort = 1, .unpacked_size = 3, .packed_size = 3, .packed = "ccc"},
    {.name = "A", .sort = 2, .unpacked_size = 2, .packed_size = 2, .packed = "aa"},
    {.name = "B", .sort = 0, .unpacked_size = 1, .packed_size = 1, .packed = "b"},
};

static Image Three(void) {
    Image image;
    Image_Make(&image, 0x1234, three, 3);
    return image;
}

static RpRsLi OpenWith(const Image *image, uint32_t flags, RpReadMode mode) {
    RpRsLi rsli;
    RpError error;
    if (RpRsLi_Open(image->bytes, image->size, flags, mode, records, MOST, &rsli, &error))
        fail_msg("%s, found %s", error.what, error.found);
    return rsli;
}

static void AssertLoads(const RpRsLi *rsli, uint32_t index, const char *expected) {
    char output[256];
    RpError error;
    assert_true(rsli->records[index].unpacked_size < sizeof output);
    if (RpRsLi_Load(rsli, index, output, work, NULL, &error))
        fail_msg("%s", error.what);
    assert_int_equal(rsli->records[index].unpacked_size, strlen(expected));
    assert_memory_equal(output, expected, strlen(expected));
}

/* ---- reading --------------------------------------------------------------------------------- */

TEST(ReadsHeaderAndTable) {
    Image image = Three();
    assert_int_equal(RpRsLi_Count(image.bytes, image.size), 3);
    RpRsLi rsli = OpenWith(&image, 0, RP_STRICT);
    assert_int_equal(rsli.count, 3);
    assert_int_equal(rsli.seed, 0x1234);
    assert_true(rsli.presorted);
    assert_false(rsli.has_trailer);
    assert_memory_equal(records[0].name, "C\0\0\0\0\0\0\0\0\0\0\0", 12);
    assert_memory_equal(records[2].service, "srvc", 4);
    assert_int_equal(records[1].sort, 2);
    assert_int_equal(records[1].stored_sort, 2);
    assert_int_equal(records[1].offset, 131);
    AssertLoads(&rsli, 0, "ccc");
    AssertLoads(&rsli, 1, "aa");
    AssertLoads(&rsli, 2, "b");
}

TEST(AnEmptyLibraryIsALibrary) {
    Image image;
    Image_Make(&image, 7, NULL, 0);
    RpRsLi rsli = OpenWith(&image, 2, RP_STRICT);
    assert_int_equal(rsli.count, 0);
    assert_int_equal(RpRsLi_Find(&rsli, "A"), -1);
    assert_int_equal(RpRsLi_Find(&rsli, ""), -1);
}

TEST(EveryTruncationOfHeaderAndTableIsRefused) {
    Image image = Three();
    for (size_t size = 0; size < 128; size++) {
        RpRsLi rsli = {.count = 77};
        RpError error;
        HEAP uint8_t *copy = malloc(size + 1);
        assert_non_null(copy);
        memcpy(copy + 1, image.bytes, size);
        for (int mode = RP_STRICT; mode <= RP_TOLERANT; mode++)
            assert_int_equal(
                RpRsLi_Open(copy + 1, size, 2, (RpReadMode)mode, records, MOST, &rsli, &error),
                RP_CORRUPT);
        assert_memory_equal(error.what, size < 32 ? "R01" : "R04", 3);
        assert_int_equal(error.offset, size < 32 ? size : 4);
        assert_int_equal(RpRsLi_Count(copy + 1, size), 0);
        assert_int_equal(rsli.count, 77); /* the library was not written to */
    }
}

TEST(TooFewRecordsAreSaid) {
    Image image = Three();
    RpRsLi rsli;
    assert_int_equal(RpRsLi_Open(image.bytes, image.size, 0, RP_STRICT, records, 2, &rsli, NULL),
                     RP_NO_MEMORY);
}

TEST(TheTrailerCountsWithBitOneOnly) {
    Image image;
    Row rows[3];
    memcpy(rows, three, sizeof rows);
    for (int i = 0; i < 3; i++) /* each offset is 100 less than where the payload lies */
        rows[i].offset = i == 0 ? 28 : i == 1 ? 31 : 33;
    Image_Make(&image, 1, rows, 3);
    Image_AppendTrailer(&image, 100);
    RpRsLi rsli = OpenWith(&image, 2, RP_STRICT);
    assert_true(rsli.has_trailer);
    assert_int_equal(rsli.overlay, 100);
    AssertLoads(&rsli, 2, "b");
    rsli = OpenWith(&image, 0x80 | 1, RP_STRICT);
    assert_false(rsli.has_trailer);
    assert_int_equal(rsli.overlay, 0);
}

TEST(ALibraryCannotBeItsOwnTrailer) {
    Image image;
    Image_Make(&image, 0, NULL, 0);
    memcpy(image.bytes + 26, "AO\1\0\0\0", 6); /* the reserved end of the header */
    assert_false(OpenWith(&image, 2, RP_TOLERANT).has_trailer);
}

/* ---- lookup ---------------------------------------------------------------------------------- */

TEST(FindsByFoldedNames) {
    Image image = Three();
    RpRsLi rsli = OpenWith(&image, 0, RP_STRICT);
    assert_int_equal(RpRsLi_Find(&rsli, "a"), 1);
    assert_int_equal(RpRsLi_Find(&rsli, "B"), 2);
    assert_int_equal(RpRsLi_Find(&rsli, "c"), 0);
    assert_int_equal(RpRsLi_Find(&rsli, "D"), -1);
    assert_int_equal(RpRsLi_Find(&rsli, "AA"), -1);
    assert_int_equal(RpRsLi_Find(&rsli, ""), -1);
}

/* The game finds a NUL after the 12 bytes, because it clears the service bytes. */
TEST(ANameOfTwelveBytesEndsThere) {
    static const Row rows[] = {{.name = "ABCDEFGHIJKL", .sort = 0}};
    Image image;
    Image_Make(&image, 0, rows, 1);
    RpRsLi rsli = OpenWith(&image, 0, RP_TOLERANT);
    assert_int_equal(RpRsLi_Find(&rsli, "abcdefghijkl"), 0);
    assert_int_equal(RpRsLi_Find(&rsli, "abcdefghijklm"), -1);
    assert_int_equal(RpRsLi_Find(&rsli, "abcdefghijklmno"), -1);
    assert_int_equal(RpRsLi_Find(&rsli, "abcdefghijklmnopqrstuvwxyz"), -1);
    /* this name includes the service bytes */
    assert_int_equal(RpRsLi_Find(&rsli, "abcdefghijklsrvc"), -1);
    assert_int_equal(RpRsLi_Find(&rsli, "abcdefghijk"), -1);
}

TEST(ABrokenMapCostsALinearScan) {
    for (uint32_t first = 0; first < 5; first++) {
        Image image = Three();
        Image_Cipher(&image);
        Image_PutU16(image.bytes + 32 + 18, first == 4 ? 0xFFFF : first);
        Image_PutU16(image.bytes + 96 + 18, 1);
        Image_Cipher(&image);
        RpRsLi rsli = OpenWith(&image, 0, RP_TOLERANT);
        assert_int_equal(RpRsLi_Find(&rsli, "C"), 0);
        assert_int_equal(RpRsLi_Find(&rsli, "A"), 1);
        assert_int_equal(RpRsLi_Find(&rsli, "B"), 2);
        assert_int_equal(RpRsLi_Find(&rsli, "D"), -1);
    }
}

/* ---- sort map -------------------------------------------------------------------------------- */

/* Sorts as the game does: facts/formats.md B.3. */
static void Bubble(char (*names)[13], uint16_t *map, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        map[i] = (uint16_t)i;
    for (uint32_t end = count; end > 1; end--)
        for (uint32_t i = 0; i + 1 < end; i++)
            if (strcmp(names[map[i]], names[map[i + 1]]) > 0) {
                uint16_t other = map[i];
                map[i] = map[i + 1];
                map[i + 1] = other;
            }
}

TEST(AnUnmarkedLibraryGetsTheMapOfABubbleSort) {
    uint64_t seed = 5;
    for (int round = 0; round < 300; round++) {
        char names[MOST][13];
        uint16_t map[MOST];
        Row rows[MOST];
        Image image;
        uint32_t count = (uint32_t)round % MOST + 1;
        for (uint32_t i = 0; i < count; i++) { /* short names of few letters: many are equal */
            Random_Lcg64(&seed);
            snprintf(names[i], sizeof names[i], "%.*s", (int)(seed >> 60) % 4,
                     &"ABAACBCA\xC0"
                      "BA"[seed >> 40 & 7]);
            rows[i] = (Row){.name = names[i], .sort = (uint16_t)(0x8000 + i)};
        }
        Image_Make(&image, (uint32_t)round, rows, count);
        Image_PutU16(image.bytes + 14, 0xABBB);
        RpRsLi rsli = OpenWith(&image, 0, RP_TOLERANT);
        Bubble(names, map, count);
        assert_false(rsli.presorted);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(records[i].sort, map[i]);
            assert_int_equal(records[i].stored_sort, 0x8000 + i);
            int32_t found = RpRsLi_Find(&rsli, names[i]);
            assert_true(found >= 0);
            assert_string_equal(names[found], names[i]);
        }
    }
}

/* The key is the entry's own field after sorting, not the stored one. */
TEST(TheKeyIsThatOfTheRebuiltMap) {
    static const Row rows[] = {
        {.name = "C",
         .sort = 0x7777,
         .flags = 0x20,
         .unpacked_size = 2,
         .packed_size = 2,
         .packed = "\x02\x06"}, /* the keystream of key 1 is zeros */
        {.name = "A",
         .sort = 0x7777,
         .flags = 0x20,
         .unpacked_size = 1,
         .packed_size = 1,
         .packed = "\x04"}, /* under key 2 */
        {.name = "B",
         .sort = 0x7777,
         .flags = 0x20,
         .unpacked_size = 1,
         .packed_size = 1,
         .packed = "x"}, /* under key 0 */
    };
    Image image;
    char output[2];
    Image_Make(&image, 0, rows, 3);
    Image_PutU16(image.bytes + 14, 0);
    RpRsLi rsli = OpenWith(&image, 0, RP_STRICT);
    assert_int_equal(RpRsLi_Load(&rsli, 0, output, work, NULL, NULL), RP_OK);
    assert_memory_equal(output, "\0\0", 2);
    assert_int_equal(RpRsLi_Load(&rsli, 1, output, work, NULL, NULL), RP_OK);
    assert_memory_equal(output, "\0", 1);
    assert_int_equal(RpRsLi_Load(&rsli, 2, output, work, NULL, NULL), RP_OK);
    assert_memory_equal(output, "x", 1);
}

/* ---- payloads -------------------------------------------------------------------------------- */

/* The game's sprites.lib has such an entry (facts/formats.md B.7). */
TEST(ADeflatedPayloadMayEndOnePastTheFile) {
    Row row = {.name = "INTERF8.TEX",
               .flags = 0x100,
               .unpacked_size = 3,
               .packed_size = 5,
               .packed = "\x4B\x4C\x4A\x06\0"};
    Image image;
    RpRsLiNotes notes;
    char output[3];
    Image_Make(&image, 0, &row, 1);
    Image_Cipher(&image);
    Image_PutU32(image.bytes + 32 + 28, 6);
    Image_Cipher(&image);
    RpRsLi rsli = OpenWith(&image, 0, RP_STRICT);
    assert_int_equal(RpRsLi_Load(&rsli, 0, output, work, &notes, NULL), RP_OK);
    assert_true(notes.past_end);
    assert_memory_equal(output, "abc", 3);
    Image_PutU32(image.bytes + 32 + 28, 7); /* for seed 0 the table is not encrypted */
    RpError error;
    assert_int_equal(
        RpRsLi_Open(image.bytes, image.size, 0, RP_STRICT, records, MOST, &rsli, &error),
        RP_CORRUPT);
    assert_memory_equal(error.what, "R19", 3);
    /* the bytes that the file has can be unpacked all the same */
    rsli = OpenWith(&image, 0, RP_TOLERANT);
    AssertLoads(&rsli, 0, "abc");
}

TEST(AFailedLoadSaysEntryAndByteOfTheFile) {
    static const Row rows[] = {
        {.name = "GOOD", .sort = 1, .unpacked_size = 1, .packed_size = 1, .packed = "x"},
        {.name = "BAD",
         .sort = 0,
         .flags = 0x40,
         .unpacked_size = 9,
         .packed_size = 2,
         .packed = "\1x"},
    };
    Image image;
    char output[9];
    RpError error;
    Image_Make(&image, 0, rows, 2);
    RpRsLi rsli = OpenWith(&image, 0, RP_TOLERANT);
    assert_int_equal(RpRsLi_Load(&rsli, 1, output, work, NULL, &error), RP_CORRUPT);
    assert_string_equal(error.where, "entry 1 BAD");
    assert_int_equal(error.offset, image.size);
    assert_int_equal(RpRsLi_Load(&rsli, 1, output, work, NULL, NULL), RP_CORRUPT);
}

TEST(APayloadOutsideOfTheFileIsDropped) {
    static const Row rows[] = {
        {.name = "A", .sort = 0, .unpacked_size = 1, .packed_size = 1, .packed = "x"},
        {.name = "B", .sort = 1, .unpacked_size = 1, .packed_size = 1, .offset = 0xFFFFFFFF},
    };
    Image image;
    char output[1];
    size_t size;
    Image_Make(&image, 0, rows, 2);
    RpRsLi rsli = OpenWith(&image, 0, RP_TOLERANT);
    AssertLoads(&rsli, 0, "x");
    assert_null(RpRsLi_Packed(&rsli, 1, &size));
    assert_int_equal(size, 0);
    assert_int_equal(RpRsLi_Load(&rsli, 1, output, work, NULL, NULL), RP_CORRUPT);
}

/* ---- rules ----------------------------------------------------------------------------------- */

typedef struct Findings {
    RpFinding list[64];
    size_t count;
} Findings;

static void Keep(void *context, const RpFinding *finding) {
    Findings *findings = context;
    assert_true(findings->count < sizeof findings->list / sizeof *findings->list);
    findings->list[findings->count++] = *finding;
}

static RpStatus Check(const Image *image, uint32_t flags, Findings *findings, RpError *error) {
    RpFindingSink sink = {Keep, findings};
    findings->count = 0;
    return RpRsLi_Check(image->bytes, image->size, flags, NULL, &sink, error);
}

static const RpFinding *Finding(const Findings *findings, const char *rule) {
    for (size_t i = 0; i < findings->count; i++)
        if (strcmp(findings->list[i].rule, rule) == 0)
            return &findings->list[i];
    return NULL;
}

/* Returns the first error that is not of rule `but`. */
static const RpFinding *FirstError(const Findings *findings, const char *but) {
    for (size_t i = 0; i < findings->count; i++)
        if (findings->list[i].severity == RP_SEVERITY_ERROR &&
            strcmp(findings->list[i].rule, but) != 0)
            return &findings->list[i];
    return NULL;
}

TEST(AGoodLibraryHasNoFindings) {
    Image image = Three();
    Findings findings;
    assert_int_equal(Check(&image, 2, &findings, NULL), RP_OK);
    assert_int_equal(findings.count, 0);
}

/* A fault that is planted into the library of three, whose table is not encrypted for this. */
typedef struct Fault {
    const char *rule;
    RpSeverity severity;
    int32_t entry;
    uint64_t offset;           /* offset of the finding */
    uint32_t at, bytes, value; /* `value` is put at `at`, in 1, 2 or 4 bytes */
} Fault;

static const Fault faults[] = {
    {"R02", RP_SEVERITY_ERROR, -1, 0, 3, 1, 2},
    {"R02", RP_SEVERITY_ERROR, -1, 0, 0, 1, 'M'},
    {"R03", RP_SEVERITY_ERROR, -1, 4, 4, 2, 0xFFFF},
    {"R04", RP_SEVERITY_ERROR, -1, 4, 4, 2, 4},
    {"R05", RP_SEVERITY_WARNING, -1, 6, 6, 2, 4},
    {"R06", RP_SEVERITY_WARNING, -1, 16, 16, 4, 7},
    {"R07", RP_SEVERITY_INFO, -1, 14, 14, 2, 0},
    {"R08", RP_SEVERITY_CANONICAL, -1, 24, 31, 1, 1},
    {"R10", RP_SEVERITY_ERROR, 0, 32 + 18, 32 + 18, 2, 3},
    {"R11", RP_SEVERITY_WARNING, 1, 64 + 18, 64 + 18, 2, 1},
    {"R12", RP_SEVERITY_WARNING, 2, 96, 96, 1, 'A'},
    {"R13", RP_SEVERITY_WARNING, 1, 64, 64, 1, 0},
    {"R14", RP_SEVERITY_WARNING, 0, 32, 32, 1, 'c'},
    {"R15", RP_SEVERITY_CANONICAL, 0, 32 + 1, 32 + 5, 1, 'x'},
    {"R16", RP_SEVERITY_ERROR, 0, 32 + 16, 32 + 16, 2, 0x0C0},
    {"R17", RP_SEVERITY_INFO, 0, 32 + 16, 32 + 16, 2, 0x200},
    /* its flags are set to those of Deflate below */
    {"R18", RP_SEVERITY_WARNING, 2, 96 + 28, 96 + 28, 4, 2},
    {"R19", RP_SEVERITY_ERROR, 2, 96 + 24, 96 + 28, 4, 2},
    {"R19", RP_SEVERITY_ERROR, 1, 64 + 24, 64 + 24, 4, 0xFFFFFFFF},
    {"R20", RP_SEVERITY_WARNING, 1, 64 + 24, 64 + 24, 4, 127},
    {"R21", RP_SEVERITY_ERROR, 1, 64 + 20, 64 + 20, 4, 3},
    {"R22", RP_SEVERITY_INFO, 2, 132, 96 + 24, 4, 132}, /* its size is set below */
    {"R23", RP_SEVERITY_WARNING, 1, 129, 64 + 24, 4, 129},
    {"R24", RP_SEVERITY_CANONICAL, -1, 132, 64 + 28, 4, 1},
    {"R25", RP_SEVERITY_CANONICAL, 0, 130, 64 + 24, 4, 128},
    {"R26", RP_SEVERITY_ERROR, 0, 131, 32 + 16, 2, 0x40},
    {"R27", RP_SEVERITY_WARNING, 1, 132, 64 + 20, 4, 1},
};

static void PlantFault(Image *image, const Fault *fault) {
    *image = Three();
    image->seed = 0;
    Image_Make(image, 0, three, 3);
    uint8_t *at = image->bytes + fault->at;
    if (fault->bytes == 1)
        *at = (uint8_t)fault->value;
    else if (fault->bytes == 2)
        Image_PutU16(at, fault->value);
    else
        Image_PutU32(at, fault->value);
    if (strcmp(fault->rule, "R18") == 0)
        Image_PutU16(image->bytes + 96 + 16, 0x100);
    if (strcmp(fault->rule, "R22") == 0) /* entry 1 lies at 131, entry 2 at 133 */
        Image_PutU32(image->bytes + 64 + 24, 132), Image_PutU32(image->bytes + 64 + 28, 1),
            Image_PutU32(image->bytes + 64 + 20, 1);
    if (strcmp(fault->rule, "R25") == 0) /* entries 1 and 2 change places */
        Image_PutU32(image->bytes + 32 + 24, 130);
    if (strcmp(fault->rule, "R26") == 0) /* its control byte is "c": two literals, then a match */
        Image_PutU32(image->bytes + 32 + 20, 5);
}

/* Strict reading refuses errors, and no other findings. */
TEST(EveryRuleFindsItsFault) {
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const Fault *fault = &faults[i];
        Image image;
        RpRsLi rsli;
        Findings findings;
        RpError error = {.status = RP_OK};
        PlantFault(&image, fault);
        RpStatus status = Check(&image, 2, &findings, &error);
        const RpFinding *finding = Finding(&findings, fault->rule);
        if (!finding)
            fail_msg("%s was not found", fault->rule);
        if (finding->severity != fault->severity || finding->entry != fault->entry ||
            finding->offset != fault->offset)
            fail_msg("%s: severity %d, entry %d, offset %u", fault->rule, (int)finding->severity,
                     finding->entry, (unsigned)finding->offset);
        finding = FirstError(&findings, "");
        assert_int_equal(status, finding ? RP_CORRUPT : RP_OK);
        if (finding)
            assert_memory_equal(error.what, finding->rule, 3);
        assert_int_equal(status, error.status);
        /* Opening unpacks nothing, so it does not notice this fault. */
        finding = FirstError(&findings, "R26");
        status = RpRsLi_Open(image.bytes, image.size, 2, RP_STRICT, records, MOST, &rsli, &error);
        assert_int_equal(status, finding ? RP_CORRUPT : RP_OK);
        if (finding)
            assert_memory_equal(error.what, finding->rule, 3);
        if (fault->at >= 8) /* the fault is after the bytes that identify the file */
            OpenWith(&image, 2, RP_TOLERANT);
    }
}

TEST(AnOverlayPastTheEndIsAnError) {
    Image image = Three();
    Findings findings;
    Image_AppendTrailer(&image, (uint32_t)image.size + 7);
    assert_int_equal(Check(&image, 2, &findings, NULL), RP_CORRUPT);
    const RpFinding *finding = Finding(&findings, "R09");
    assert_non_null(finding);
    assert_int_equal(finding->offset, image.size - 4);
    assert_int_equal(Check(&image, 0, &findings, NULL), RP_OK); /* six bytes without an owner */
    assert_int_equal(findings.count, 1);
    assert_string_equal(findings.list[0].rule, "R24");
}

TEST(ReadsOfTheUnfilledWindowAreFound) {
    static const Row rows[] = {{.name = "A",
                                .flags = 0x40,
                                .unpacked_size = 7,
                                .packed_size = 5,
                                .packed = "\0\xED\xF1\xF2\xF0"}};
    Image image;
    Findings findings;
    Image_Make(&image, 9, rows, 1);
    assert_int_equal(Check(&image, 2, &findings, NULL), RP_OK);
    assert_int_equal(findings.count, 1);
    assert_string_equal(findings.list[0].rule, "R28");
    assert_string_equal(findings.list[0].found, "3 bytes");
}

TEST(RandomBytesAreNeverReadOutOfBounds) {
    uint64_t seed = 11;
    for (int round = 0; round < 20000; round++) {
        Image image = Three();
        RpRsLi rsli;
        for (int i = 0; i < 1 + round % 4; i++) {
            Random_Lcg64(&seed);
            image.bytes[(size_t)(seed >> 33) % image.size] = (uint8_t)(seed >> 24);
        }
        HEAP uint8_t *copy = malloc(image.size);
        assert_non_null(copy);
        memcpy(copy, image.bytes, image.size);
        RpRsLi_Check(copy, image.size, 2, NULL, NULL, NULL);
        if (RpRsLi_Open(copy, image.size, 2, RP_TOLERANT, records, MOST, &rsli, NULL) == RP_OK)
            RpRsLi_Find(&rsli, "B");
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST(CheckingSaysThatMemoryIsShort) {
    Image image = Three();
    RpStatus status = RP_NO_MEMORY;
    for (int nth = 0; status != RP_OK; nth++) {
        Refusal refusal = {.left = nth, .once = true};
        const RpAllocator allocator = Refusal_Allocator(&refusal);
        status = RpRsLi_Check(image.bytes, image.size, 2, &allocator, NULL, NULL);
        assert_int_equal(refusal.live, 0);
        assert_true(status == RP_OK ? nth == 4 : status == RP_NO_MEMORY);
    }
}

TEST(NothingIsAllocatedForASizeThatCannotBe) {
    for (uint32_t method = 0; method < 0x200; method += 0x20) {
        Row row = {.name = "A",
                   .flags = (uint16_t)method,
                   .unpacked_size = 0xFFFFFFFF,
                   .packed_size = 8,
                   .packed = "abcdefgh"};
        Image image;
        Refusal refusal = {.left = INT_MAX};
        const RpAllocator allocator = Refusal_Allocator(&refusal);
        Image_Make(&image, 0, &row, 1);
        assert_int_equal(RpRsLi_Check(image.bytes, image.size, 2, &allocator, NULL, NULL),
                         RP_CORRUPT);
        assert_true(refusal.largest < 2 * RP_RSLI_WORK_BYTES);
    }
}
