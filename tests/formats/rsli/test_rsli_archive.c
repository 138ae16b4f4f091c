/* Tests of editing and writing libraries: whatever was not edited stays as it was, and what is
 * written reads back, by the map and with the keys that the game uses. */
#include "core/random.h"
#include "image.h"
#include "retropose/rsli.h"
#include "tests/formats/refusal.h"
#include "tests/test.h"
#include "work.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

static const Row three[] = {
    {.name = "C", .sort = 1, .unpacked_size = 3, .packed_size = 3, .packed = "ccc"},
    {.name = "A", .sort = 2, .unpacked_size = 2, .packed_size = 2, .packed = "aa"},
    {.name = "B", .sort = 0, .unpacked_size = 1, .packed_size = 1, .packed = "b"},
};

/* ---- reading back ---------------------------------------------------------------------------- */

typedef struct Opened {
    RpRsLiRecord records[MOST];
    RpRsLi rsli;
} Opened;

static void Open(Opened *opened, const void *bytes, size_t size) {
    RpError error;
    if (RpRsLi_Open(bytes, size, 2, RP_STRICT, opened->records, MOST, &opened->rsli, &error))
        fail_msg("%s, at %s: expected %s, found %s", error.what, error.where, error.expected,
                 error.found);
}

static Image Three(void) {
    Image image;
    Image_Make(&image, 0x1234, three, 3);
    return image;
}

static RpRsLiArchive ReadArchive(const Image *image) {
    Opened opened;
    RpRsLiArchive archive;
    Open(&opened, image->bytes, image->size);
    RpRsLiArchive_Init(&archive, NULL);
    assert_int_equal(RpRsLiArchive_Read(&archive, &opened.rsli, NULL), RP_OK);
    return archive;
}

static RpBuffer WrittenAs(const RpRsLiArchive *archive, RpRsLiLayout layout) {
    RpBuffer image = {0};
    RpError error;
    if (RpRsLiArchive_Write(archive, layout, &image, &error))
        fail_msg("%s", error.what);
    return image;
}

static RpBuffer Written(const RpRsLiArchive *archive) {
    return WrittenAs(archive, RP_RSLI_PRESERVING);
}

static RpBuffer WrittenCanonically(const RpRsLiArchive *archive) {
    return WrittenAs(archive, RP_RSLI_CANONICAL);
}

/* Compares with an image, and frees what was written. */
static void AssertIsImage(RpBuffer *written, const Image *image) {
    assert_int_equal(written->size, image->size);
    assert_memory_equal(written->bytes, image->bytes, image->size);
    RpBuffer_Free(written);
}

static void AssertLoads(const Opened *opened, uint32_t index, const void *data, size_t size) {
    RpError error;
    HEAP uint8_t *output = malloc(size + 1);
    assert_non_null(output);
    assert_int_equal(opened->records[index].unpacked_size, size);
    if (RpRsLi_Load(&opened->rsli, index, output, work, NULL, &error))
        fail_msg("%s, %s", error.where, error.what);
    if (size > 0)
        assert_memory_equal(output, data, size);
}

static void AssertText(const Opened *opened, const char *name, const char *text) {
    int32_t index = RpRsLi_Find(&opened->rsli, name);
    if (index < 0)
        fail_msg("no %s", name);
    AssertLoads(opened, (uint32_t)index, text, strlen(text));
}

/* *context says whether findings about the canonical form count. */
static void FailOnFinding(void *context, const RpFinding *finding) {
    const bool *canonical = context;
    if (*canonical || finding->severity != RP_SEVERITY_CANONICAL)
        fail_msg("%s: %s", finding->rule, finding->what);
}

static void AssertClean(const RpBuffer *image) {
    bool canonical = false;
    const RpFindingSink sink = {FailOnFinding, &canonical};
    assert_int_equal(RpRsLi_Check(image->bytes, image->size, 2, NULL, &sink, NULL), RP_OK);
}

static void AssertCanonical(const RpBuffer *image) {
    bool canonical = true;
    const RpFindingSink sink = {FailOnFinding, &canonical};
    assert_int_equal(RpRsLi_Check(image->bytes, image->size, 2, NULL, &sink, NULL), RP_OK);
}

/* ---- untouched ------------------------------------------------------------------------------- */

static void AssertUntouched(const Image *image) {
    OWNED(RpRsLiArchive) archive = ReadArchive(image);
    RpBuffer written = Written(&archive);
    AssertIsImage(&written, image);
}

TEST(WhatIsNotEditedIsWrittenAsItWas) {
    Row rows[3];
    Image image;
    Image_Make(&image, 0xBEEF, three, 3);
    AssertUntouched(&image);
    Image_Append(&image, "unindexed", 9);
    Image_PutU16(image.bytes + 6, 99); /* counts, sum and reserved bytes are wrong */
    Image_PutU32(image.bytes + 16, 99);
    memset(image.bytes + 24, 0xEE, 8);
    AssertUntouched(&image);
    Image_PutU16(image.bytes + 14, 0);
    AssertUntouched(&image);
    memcpy(rows, three, sizeof rows);
    rows[0].offset = 28;
    rows[1].offset = 29; /* overlaps */
    rows[2].offset = 29;
    Image_Make(&image, 0xBEEF, rows, 3);
    Image_AppendTrailer(&image, 100);
    AssertUntouched(&image);
    Image_Make(&image, 1, NULL, 0);
    AssertUntouched(&image);
}

static Image OnePast(void) {
    static const Row rows[] = {
        {.name = "FIRST", .sort = 0, .unpacked_size = 3, .packed_size = 3, .packed = "one"},
        {.name = "INTERF8.TEX",
         .sort = 1,
         .flags = 0x100,
         .unpacked_size = 3,
         .packed_size = 5,
         .packed = "\x4B\x4C\x4A\x06\0"},
    };
    Image image;
    Image_Make(&image, 0x77, rows, 2);
    Image_Cipher(&image);
    Image_PutU32(image.bytes + 64 + 28, 6);
    Image_Cipher(&image);
    return image;
}

TEST(ALyingSizeIsKeptWhileItEndsTheFile) {
    Image image = OnePast();
    Opened opened;
    AssertUntouched(&image);
    OWNED(RpRsLiArchive) archive = ReadArchive(&image);
    assert_int_equal(RpRsLiArchive_Replace(&archive, 0, 0, "other", 5, NULL), RP_OK);
    OWNED(RpBuffer) written = Written(&archive);
    Open(&opened, written.bytes, written.size);
    assert_int_equal(opened.records[1].packed_size, 6);
    AssertText(&opened, "INTERF8.TEX", "abc");
    RpBuffer_Free(&written);
    assert_int_equal(RpRsLiArchive_Add(&archive, 2, "LAST", 0, "x", 1, NULL), RP_OK);
    written = Written(&archive);
    Open(&opened, written.bytes, written.size);
    assert_int_equal(opened.records[1].packed_size, 5);
    AssertText(&opened, "INTERF8.TEX", "abc");
    AssertClean(&written);
}

TEST(ALyingSizeIsMadeTrueBeforeARegion) {
    Image image = OnePast();
    Opened opened;
    OWNED(RpRsLiArchive) archive = ReadArchive(&image);
    assert_int_equal(RpRsLiArchive_Rename(&archive, 0, "SECOND", NULL), RP_OK);
    archive.regions = malloc(sizeof *archive.regions);
    assert_non_null(archive.regions);
    archive.regions[0] = (RpRsLiRegion){(const uint8_t *)"tail", image.size, 4};
    archive.region_count = 1;
    OWNED(RpBuffer) written = Written(&archive);
    Open(&opened, written.bytes, written.size);
    assert_int_equal(opened.records[1].packed_size, 5);
    assert_memory_equal(written.bytes + written.size - 4, "tail", 4);
}

/* ---- edited ---------------------------------------------------------------------------------- */

static void AssertMap(const RpBuffer *written, const uint16_t *map, uint32_t count) {
    Opened opened;
    Open(&opened, written->bytes, written->size);
    assert_int_equal(opened.rsli.count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(opened.records[i].stored_sort, map[i]);
}

/* For the names C, A, B the map is 1 2 0. Another project wrote its inverse, 2 0 1
 * (facts/formats.md B.8). */
TEST(TheMapIsNotItsInverse) {
    static const uint16_t of_cab[] = {1, 2, 0}, of_zcab[] = {2, 3, 1, 0}, of_ab[] = {0, 1};
    Image image = Three();
    OWNED(RpRsLiArchive) archive = ReadArchive(&image);
    /* this does not change the name */
    assert_int_equal(RpRsLiArchive_Rename(&archive, 0, "c", NULL), RP_OK);
    OWNED(RpBuffer) written = Written(&archive);
    AssertMap(&written, of_cab, 3);
    AssertIsImage(&written, &image);
    assert_int_equal(RpRsLiArchive_Add(&archive, 0, "z", 0x40, "zzzz", 4, NULL), RP_OK);
    written = Written(&archive);
    AssertMap(&written, of_zcab, 4);
    AssertClean(&written);
    RpBuffer_Free(&written);
    assert_int_equal(RpRsLiArchive_Remove(&archive, 0, NULL), RP_OK);
    assert_int_equal(RpRsLiArchive_Remove(&archive, 0, NULL), RP_OK);
    written = Written(&archive);
    AssertMap(&written, of_ab, 2);
    AssertClean(&written);
}

TEST(CountsSumAndKeptBytes) {
    Opened opened;
    Image image = Three();
    OWNED(RpRsLiArchive) archive = ReadArchive(&image);
    assert_int_equal(RpRsLiArchive_Add(&archive, 1, "NEW", 0x100, "0123456789", 10, NULL), RP_OK);
    OWNED(RpBuffer) written = Written(&archive);
    assert_memory_equal(written.bytes,
                        "NL\0\1\4\0\4\0reserv\xBA\xAB\x10\0\0\0\x34\x12\0\0\0\0\0\0"
                        "\0\0\0\0",
                        32);
    Open(&opened, written.bytes, written.size);
    assert_memory_equal(opened.records[0].service, "srvc", 4);
    assert_memory_equal(opened.records[1].service, "\0\0\0\0", 4);
    AssertText(&opened, "NEW", "0123456789");
    AssertText(&opened, "c", "ccc");
}

/* A name that moves in the map changes the keys of other entries. */
TEST(KeysFollowTheMap) {
    static const uint32_t methods[] = {RP_RSLI_XOR, RP_RSLI_XOR_LZSS, RP_RSLI_XOR_HUFFMAN};
    static const char *const names[] = {"MIKE", "ALFA", "ZULU", "KILO", "ECHO", "LIMA"};
    OWNED(RpRsLiArchive) archive;
    Opened opened;
    RpRsLiArchive_Init(&archive, NULL);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(
            RpRsLiArchive_Add(&archive, i, names[i], methods[i % 3], names[i], 4, NULL), RP_OK);
    OWNED(RpBuffer) written = Written(&archive);
    AssertClean(&written);
    RpRsLiArchive_Free(&archive);
    Open(&opened, written.bytes, written.size);
    for (uint32_t i = 0; i < 6; i++)
        AssertText(&opened, names[i], names[i]);
    assert_int_equal(RpRsLiArchive_Read(&archive, &opened.rsli, NULL), RP_OK);
    assert_int_equal(RpRsLiArchive_Rename(&archive, 1, "YANKEE", NULL), RP_OK);
    assert_int_equal(RpRsLiArchive_Move(&archive, 5, 0, NULL), RP_OK);
    OWNED(RpBuffer) again = Written(&archive);
    AssertClean(&again);
    Open(&opened, again.bytes, again.size);
    for (uint32_t i = 0; i < 6; i++)
        AssertText(&opened, i == 1 ? "YANKEE" : names[i], names[i]);
    assert_int_equal(RpRsLi_Find(&opened.rsli, "LIMA"), 0);
    assert_int_equal(RpRsLi_Find(&opened.rsli, "MIKE"), 1);
}

/* The game ignores the stored fields of a library that is not marked as sorted. Its keys are those
 * of the map that it makes. */
TEST(AnUnmarkedLibraryStaysUnmarkedAndReadable) {
    Row rows[3];
    Image image;
    Opened opened;
    memcpy(rows, three, sizeof rows);
    rows[0].flags = 0x20; /* under the key of the map made by the game: 1 */
    rows[0].packed = "\x02\x06\x0B";
    rows[0].sort = rows[1].sort = rows[2].sort = 0x7007;
    Image_Make(&image, 0x1234, rows, 3);
    Image_PutU16(image.bytes + 14, 0);
    OWNED(RpRsLiArchive) archive = ReadArchive(&image);
    assert_int_equal(RpRsLiArchive_Rename(&archive, 1, "D", NULL), RP_OK); /* C is second now */
    OWNED(RpBuffer) written = Written(&archive);
    Open(&opened, written.bytes, written.size);
    assert_false(opened.rsli.presorted);
    assert_int_equal(opened.records[0].stored_sort, 0x7007);
    assert_int_equal(opened.records[0].sort, 2);
    AssertLoads(&opened, 0, "\0\0\0", 3);
}

/* A map that is wrong in the file is right after writing, and the payloads can still be read with
 * its keys. */
TEST(AWrongMapIsPutRight) {
    Row rows[3];
    Image image;
    Opened opened;
    memcpy(rows, three, sizeof rows);
    rows[0].sort = 2; /* this is the inverse map: 2 0 1 */
    rows[1].sort = 0;
    rows[2].sort = 1;
    rows[0].flags = 0x20;
    rows[0].packed = "\x04\x0D\x14"; /* key 2: zeros */
    Image_Make(&image, 0x1234, rows, 3);
    {
        RpRsLiCipher cipher = RpRsLiCipher_Start(2);
        uint8_t zeros[3] = {0};
        RpRsLiCipher_Apply(&cipher, zeros, 3, image.bytes + 128);
    }
    OWNED(RpRsLiArchive) archive = ReadArchive(&image);
    assert_int_equal(RpRsLiArchive_Replace(&archive, 2, 0, "B", 1, NULL), RP_OK);
    OWNED(RpBuffer) written = Written(&archive);
    Open(&opened, written.bytes, written.size);
    AssertLoads(&opened, 0, "\0\0\0", 3);
    AssertClean(&written);
}

TEST(RegionsOverlayAndTrailerAreKept) {
    Row rows[2];
    Image image;
    Opened opened;
    memcpy(rows, three + 1, sizeof rows);
    rows[0].sort = 0;
    rows[1].sort = 1;
    rows[0].packed = rows[1].packed = NULL;
    rows[0].offset = 4;  /* at 104 */
    rows[1].offset = 10; /* at 110 */
    Image_Make(&image, 3, rows, 2);
    Image_Append(&image, "prefix..aaMIDDbTAIL", 19); /* from 96 on */
    Image_AppendTrailer(&image, 100);
    OWNED(RpRsLiArchive) archive = ReadArchive(&image);
    assert_int_equal(archive.region_count, 3);
    assert_int_equal(RpRsLiArchive_Replace(&archive, 0, 0, "longer", 6, NULL), RP_OK);
    assert_int_equal(RpRsLiArchive_Add(&archive, 0, "X", 0, "xx", 2, NULL), RP_OK);
    OWNED(RpBuffer) written = Written(&archive);
    assert_memory_equal(written.bytes + 128, "prefix..longerMIDDbTAILxxAO\x64\0\0\0", 31);
    assert_int_equal(written.size, 128 + 31);
    Open(&opened, written.bytes, written.size);
    assert_int_equal(opened.rsli.overlay, 100);
    AssertText(&opened, "A", "longer");
    AssertText(&opened, "B", "b");
    AssertText(&opened, "X", "xx");
    RpBuffer_Free(&written);
    for (int i = 0; i < 3; i++) /* the table shrinks, and no payload may lie before the overlay */
        assert_int_equal(RpRsLiArchive_Remove(&archive, 0, NULL), RP_OK);
    assert_int_equal(RpRsLiArchive_Add(&archive, 0, "Y", 0, "y", 1, NULL), RP_OK);
    written = Written(&archive);
    Open(&opened, written.bytes, written.size);
    AssertText(&opened, "Y", "y");
    assert_true((uint64_t)opened.records[0].offset + 100 >= 100);
}

TEST(AnOverlayBehindAllPayloadsIsPaddedTo) {
    OWNED(RpRsLiArchive) archive;
    Opened opened;
    RpRsLiArchive_Init(&archive, NULL);
    archive.has_trailer = true;
    archive.overlay = 200;
    assert_int_equal(RpRsLiArchive_Add(&archive, 0, "Y", 0, "y", 1, NULL), RP_OK);
    OWNED(RpBuffer) written = Written(&archive);
    assert_int_equal(written.size, 200 + 1 + 6);
    Open(&opened, written.bytes, written.size);
    assert_int_equal(opened.records[0].offset, 0);
    AssertText(&opened, "Y", "y");
}

TEST(AnOverlayOutOfAllProportionIsRefused) {
    OWNED(RpRsLiArchive) archive;
    OWNED(RpBuffer) image = {0};
    RpRsLiArchive_Init(&archive, NULL);
    archive.has_trailer = true;
    archive.overlay = 0xFFFFFFFF;
    assert_int_equal(RpRsLiArchive_Add(&archive, 0, "Y", 0, "y", 1, NULL), RP_OK);
    assert_int_equal(RpRsLiArchive_Write(&archive, RP_RSLI_CANONICAL, &image, NULL), RP_INVALID);
    assert_true(image.capacity < 1000);
}

TEST(SharedPayloadsStayShared) {
    Row rows[3];
    Image image;
    Opened opened;
    memcpy(rows, three, sizeof rows);
    rows[1] = (Row){.name = "A", .sort = 2, .unpacked_size = 3, .packed_size = 3, .offset = 128};
    Image_Make(&image, 0x1234, rows, 3);
    OWNED(RpRsLiArchive) archive = ReadArchive(&image);
    assert_int_equal(RpRsLiArchive_Rename(&archive, 2, "D", NULL), RP_OK);
    OWNED(RpBuffer) written = Written(&archive);
    Open(&opened, written.bytes, written.size);
    assert_int_equal(opened.records[0].offset, opened.records[1].offset);
    assert_int_equal(written.size, 128 + 3 + 1);
    AssertText(&opened, "A", "ccc");
}

TEST(CanonicalLibrariesHaveNothingToBeFound) {
    Row rows[3];
    Image image;
    OWNED(RpRsLiArchive) archive;
    Opened opened;
    memcpy(rows, three, sizeof rows);
    rows[0].offset = 131; /* the first two payloads change places, after three unused bytes */
    rows[1].offset = 134;
    Image_Make(&image, 0x1234, rows, 3);
    memcpy(image.bytes + 128, "...cccaab", 9);
    image.size = 128 + 9;
    Image_Cipher(&image);
    Image_PutU32(image.bytes + 96 + 24, 136);
    Image_PutU16(image.bytes + 32 + 18, 0x7007);
    Image_Cipher(&image);
    Image_PutU16(image.bytes + 14, 0);
    archive = ReadArchive(&image);
    OWNED(RpBuffer) written = WrittenCanonically(&archive);
    AssertCanonical(&written);
    Image_Make(&image, 0x1234, three, 3);
    AssertIsImage(&written, &image);
    RpRsLiArchive_Free(&archive);
    image = OnePast();
    archive = ReadArchive(&image);
    written = WrittenCanonically(&archive);
    AssertCanonical(&written);
    Open(&opened, written.bytes, written.size);
    assert_int_equal(opened.records[1].packed_size, 5); /* the true size */
}

TEST(PackedMembersGoInAsTheyAre) {
    OWNED(RpRsLiArchive) archive;
    Opened opened;
    uint8_t packed[] = {0x05, 0x47, 0x49, 0x5D}; /* "ABC", under key 1 */
    const RpRsLiMember member = {
        .record = {.name = "ABC", .flags = 0x260, .unpacked_size = 3, .service = {1, 2, 3, 4}},
        .packed = packed,
        .packed_size = 4,
        .packed_key = 1,
        .place = RP_RSLI_NO_PLACE};
    RpRsLiArchive_Init(&archive, NULL);
    assert_int_equal(RpRsLiArchive_Insert(&archive, 1, &member, NULL), RP_INVALID);
    assert_int_equal(RpRsLiArchive_Insert(&archive, 0, &member, NULL), RP_OK);
    memset(packed, 0, sizeof packed); /* it has its own copy */
    OWNED(RpBuffer) written = Written(&archive);
    Open(&opened, written.bytes, written.size);
    AssertText(&opened, "ABC", "ABC");
    assert_memory_equal(written.bytes + 64,
                        "\x07"
                        "ABC",
                        4); /* stored under key 0 now */
    assert_int_equal(opened.records[0].flags, 0x260);
    assert_memory_equal(opened.records[0].service, "\1\2\3\4", 4);
}

TEST(ReplacingKeepsOtherFlags) {
    Row row = {.name = "A", .flags = 0x8201, .unpacked_size = 1, .packed_size = 1, .packed = "x"};
    Image image;
    Image_Make(&image, 0, &row, 1);
    OWNED(RpRsLiArchive) archive = ReadArchive(&image);
    assert_int_equal(RpRsLiArchive_Replace(&archive, 0, RP_RSLI_XOR_HUFFMAN, "yy", 2, NULL), RP_OK);
    assert_int_equal(archive.members[0].record.flags, 0x82A1);
}

TEST(WrongArgumentsChangeNothing) {
    Image image = Three();
    OWNED(RpRsLiArchive) archive = ReadArchive(&image);
    assert_int_equal(RpRsLiArchive_Add(&archive, 4, "X", 0, "x", 1, NULL), RP_INVALID);
    assert_int_equal(RpRsLiArchive_Add(&archive, 0, "", 0, "x", 1, NULL), RP_INVALID);
    assert_int_equal(RpRsLiArchive_Add(&archive, 0, "ABCDEFGHIJKLM", 0, "x", 1, NULL), RP_INVALID);
    assert_int_equal(RpRsLiArchive_Add(&archive, 0, "X", 0x0E0, "x", 1, NULL), RP_UNSUPPORTED);
    assert_int_equal(RpRsLiArchive_Replace(&archive, 3, 0, "x", 1, NULL), RP_INVALID);
    assert_int_equal(RpRsLiArchive_Replace(&archive, 0, 0x1E0, "x", 1, NULL), RP_UNSUPPORTED);
    /* Sizes beyond 32 bits are not cut. */
    static const uint64_t beyond[] = {UINT32_MAX, UINT64_C(0x100000001), UINT64_MAX};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        if (beyond[i] > SIZE_MAX)
            continue;
        const size_t size = (size_t)beyond[i];
        assert_int_equal(RpRsLiArchive_Add(&archive, 0, "X", 0, "x", size, NULL), RP_INVALID);
        assert_int_equal(RpRsLiArchive_Replace(&archive, 0, 0, "x", size, NULL), RP_INVALID);
    }
    assert_int_equal(RpRsLiArchive_Remove(&archive, 3, NULL), RP_INVALID);
    assert_int_equal(RpRsLiArchive_Move(&archive, 0, 3, NULL), RP_INVALID);
    assert_int_equal(RpRsLiArchive_Move(&archive, 3, 0, NULL), RP_INVALID);
    assert_int_equal(RpRsLiArchive_Rename(&archive, 3, "X", NULL), RP_INVALID);
    assert_int_equal(RpRsLiArchive_Rename(&archive, 0, "", NULL), RP_INVALID);
    assert_int_equal(RpRsLiArchive_Rename(&archive, 0, "ABCDEFGHIJKLM", NULL), RP_INVALID);
    RpBuffer written = Written(&archive);
    AssertIsImage(&written, &image);
}

TEST(AnEntryWithoutDataIsNotEdited) {
    Row row = {.name = "A", .unpacked_size = 1, .packed_size = 1, .offset = 5000};
    Image image;
    RpRsLiRecord record;
    RpRsLi rsli;
    OWNED(RpRsLiArchive) archive;
    Image_Make(&image, 0, &row, 1);
    assert_int_equal(RpRsLi_Open(image.bytes, image.size, 0, RP_TOLERANT, &record, 1, &rsli, NULL),
                     RP_OK);
    RpRsLiArchive_Init(&archive, NULL);
    assert_int_equal(RpRsLiArchive_Read(&archive, &rsli, NULL), RP_CORRUPT);
    assert_int_equal(archive.count, 0);
}

TEST(FindsMembersAsLibrariesDo) {
    Image image = Three();
    OWNED(RpRsLiArchive) archive = ReadArchive(&image);
    assert_int_equal(RpRsLiArchive_Add(&archive, 3, "abcdefghijkl", 0, "", 0, NULL), RP_OK);
    assert_int_equal(RpRsLiArchive_Add(&archive, 4, "B", 0, "", 0, NULL), RP_OK);
    assert_int_equal(RpRsLiArchive_Find(&archive, "b"), 2); /* the first */
    assert_int_equal(RpRsLiArchive_Find(&archive, "ABCDEFGHIJKL"), 3);
    assert_int_equal(RpRsLiArchive_Find(&archive, "ABCDEFGHIJKLM"), -1);
    assert_int_equal(RpRsLiArchive_Find(&archive, ""), -1);
}

TEST(MoreThan32767EntriesAreRefused) {
    OWNED(RpRsLiArchive) archive;
    RpRsLiArchive_Init(&archive, NULL);
    for (uint32_t i = 0; i < 32767; i++) {
        char name[13];
        snprintf(name, sizeof name, "%u", (unsigned)i * 7919 % 32767);
        assert_int_equal(RpRsLiArchive_Add(&archive, i, name, RP_RSLI_XOR, name, 1, NULL), RP_OK);
    }
    assert_int_equal(RpRsLiArchive_Add(&archive, 0, "X", 0, "x", 1, NULL), RP_INVALID);
    OWNED(RpBuffer) written = Written(&archive);
    HEAP RpRsLiRecord *records = malloc(32767 * sizeof *records);
    RpRsLi rsli;
    assert_non_null(records);
    assert_int_equal(
        RpRsLi_Open(written.bytes, written.size, 0, RP_STRICT, records, 32767, &rsli, NULL), RP_OK);
    for (uint32_t i = 0; i < 32767; i += 101) {
        char name[13], byte;
        snprintf(name, sizeof name, "%u", (unsigned)i * 7919 % 32767);
        assert_int_equal(RpRsLi_Find(&rsli, name), i);
        assert_int_equal(RpRsLi_Load(&rsli, i, &byte, work, NULL, NULL), RP_OK);
        assert_int_equal(byte, name[0]);
    }
}

/* ---- random edits against a plain list ------------------------------------------------------- */

typedef struct Model {
    struct {
        char name[13];
        uint32_t method;
        uint8_t data[200];
        uint32_t size;
    } entries[MOST];
    uint32_t count;
} Model;

static uint64_t seed;

static uint32_t Draw(uint32_t bound) {
    return Random_Lcg64Below(&seed, bound);
}

static void DrawName(char name[13]) {
    uint32_t length = 1 + Draw(12);
    for (uint32_t i = 0; i < length; i++)
        name[i] = (char)("abcXYZ09._"[Draw(10)]);
    name[length] = 0;
}

static void Fold(char *name) {
    for (; *name; name++)
        if (*name >= 'a' && *name <= 'z')
            *name = (char)(*name - 32);
}

static uint32_t DrawData(uint8_t data[200]) {
    uint32_t size = Draw(201);
    for (uint32_t i = 0; i < size; i++)
        data[i] = (uint8_t)(Draw(3) ? ' ' : Draw(256));
    return size;
}

static const uint32_t methods[] = {0x000, 0x020, 0x040, 0x060, 0x080, 0x0A0, 0x100};

static void OpenGap(Model *model, uint32_t at) {
    memmove(&model->entries[at + 1], &model->entries[at],
            (model->count - at) * sizeof *model->entries);
    model->count++;
}

static void CloseGap(Model *model, uint32_t at) {
    model->count--;
    memmove(&model->entries[at], &model->entries[at + 1],
            (model->count - at) * sizeof *model->entries);
}

static void SetName(Model *model, uint32_t at, const char name[13]) {
    memcpy(model->entries[at].name, name, 13);
    Fold(model->entries[at].name);
}

static void SetData(Model *model, uint32_t at, uint32_t method, const uint8_t *data,
                    uint32_t size) {
    model->entries[at].method = method;
    model->entries[at].size = size;
    memcpy(model->entries[at].data, data, size);
}

static void EditOnce(RpRsLiArchive *archive, Model *model) {
    uint32_t kind = model->count < 3 ? 0 : model->count == MOST ? 2 : Draw(5);
    uint32_t at = Draw(model->count + (kind == 0)), to = Draw(model->count + (kind == 0));
    uint32_t method = methods[Draw(7)];
    char name[13] = {0};
    uint8_t data[200];
    uint32_t size = DrawData(data);
    DrawName(name);
    if (kind == 0) {
        assert_int_equal(RpRsLiArchive_Add(archive, at, name, method, data, size, NULL), RP_OK);
        OpenGap(model, at);
        SetName(model, at, name);
        SetData(model, at, method, data, size);
    } else if (kind == 1) {
        assert_int_equal(RpRsLiArchive_Replace(archive, at, method, data, size, NULL), RP_OK);
        SetData(model, at, method, data, size);
    } else if (kind == 2) {
        assert_int_equal(RpRsLiArchive_Remove(archive, at, NULL), RP_OK);
        CloseGap(model, at);
    } else if (kind == 3) {
        assert_int_equal(RpRsLiArchive_Rename(archive, at, name, NULL), RP_OK);
        SetName(model, at, name);
    } else {
        assert_int_equal(RpRsLiArchive_Move(archive, at, to, NULL), RP_OK);
        static Model old;
        old = *model;
        CloseGap(model, at);
        OpenGap(model, to);
        model->entries[to] = old.entries[at];
    }
}

static void Compare(const RpBuffer *written, const Model *model) {
    Opened opened;
    Open(&opened, written->bytes, written->size);
    assert_int_equal(opened.rsli.count, model->count);
    for (uint32_t i = 0; i < model->count; i++) {
        char name[13] = {0};
        memcpy(name, opened.records[i].name, 12);
        assert_string_equal(name, model->entries[i].name);
        assert_int_equal(opened.records[i].flags, model->entries[i].method);
        AssertLoads(&opened, i, model->entries[i].data, model->entries[i].size);
        int32_t found = RpRsLi_Find(&opened.rsli, name);
        assert_true(found >= 0);
        assert_string_equal(model->entries[found].name, name);
    }
}

TEST(RandomEditsGiveWhatAListGives) {
    for (uint64_t round = 0; round < 40; round++) {
        OWNED(RpRsLiArchive) archive;
        static Model model;
        OWNED(RpBuffer) image = {0};
        RpRsLiArchive_Init(&archive, NULL);
        model.count = 0;
        seed = round;
        Image_PutU32(archive.header + 20, Draw(0x10000));
        for (int edit = 0; edit < 60; edit++) {
            EditOnce(&archive, &model);
            if (Draw(4))
                continue;
            RpBuffer canonical = WrittenCanonically(&archive);
            Compare(&canonical, &model);
            RpBuffer_Free(&canonical);
            /* the test continues with the archive that was read from it */
            RpBuffer written = Written(&archive);
            Compare(&written, &model);
            RpRsLiArchive_Free(&archive);
            RpBuffer_Free(&image);
            image = written;
            Opened opened;
            Open(&opened, image.bytes, image.size);
            assert_int_equal(RpRsLiArchive_Read(&archive, &opened.rsli, NULL), RP_OK);
        }
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static RpStatus EditAll(RpRsLiArchive *archive) {
    RpStatus status = RP_OK;
    for (uint32_t i = 0; i < 6 && status == RP_OK; i++)
        status = RpRsLiArchive_Add(archive, i, "NEW", methods[i + 1], "0123", 4, NULL);
    if (status == RP_OK)
        status = RpRsLiArchive_Replace(archive, 0, RP_RSLI_LZSS, "0123", 4, NULL);
    if (status == RP_OK)
        status = RpRsLiArchive_Insert(archive, 0, &archive->members[7], NULL);
    return status;
}

/* Refuses each allocation in turn: nothing leaks, and the archive can still be written. */
TEST(RefusedAllocationsLeaveTheArchiveWhole) {
    Opened opened;
    RpStatus status = RP_NO_MEMORY;
    Image image = Three();
    Image_Append(&image, "region", 6);
    Open(&opened, image.bytes, image.size);
    for (int nth = 0; status != RP_OK; nth++) {
        Refusal refusal = {.left = nth, .once = true};
        const RpAllocator allocator = Refusal_Allocator(&refusal);
        RpRsLiArchive archive;
        RpBuffer written;
        RpRsLiArchive_Init(&archive, &allocator);
        RpBuffer_Init(&written, &allocator);
        status = RpRsLiArchive_Read(&archive, &opened.rsli, NULL);
        if (status == RP_OK)
            status = EditAll(&archive);
        if (status == RP_OK)
            status = RpRsLiArchive_Write(&archive, RP_RSLI_PRESERVING, &written, NULL);
        assert_true(status == RP_OK || status == RP_NO_MEMORY);
        RpBuffer_Free(&written);
        refusal.left = -1; /* from now on there is memory again */
        if (archive.count > 0) {
            assert_int_equal(RpRsLiArchive_Write(&archive, RP_RSLI_PRESERVING, &written, NULL),
                             RP_OK);
            Open(&opened, written.bytes, written.size);
            AssertText(&opened, "A", "aa");
            RpBuffer_Free(&written);
            Open(&opened, image.bytes, image.size);
        }
        RpRsLiArchive_Free(&archive);
        assert_int_equal(refusal.live, 0);
        assert_true(nth < 200);
    }
}
