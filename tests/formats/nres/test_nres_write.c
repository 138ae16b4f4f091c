/* Tests of editing and writing (facts/formats.md A.6). */
#include "cli/bench/measure/counted_memory.h"
#include "image.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void AssertOk(RpStatus status, const RpError *error) {
    if (status != RP_OK)
        fail_msg("%s, expected %s, found %s", error->what, error->expected, error->found);
}

static RpNResArchive Read(const Image *image, RpReadMode mode) {
    RpNRes opened;
    RpNResArchive archive = {0};
    RpError error;
    AssertOk(RpNRes_Open(image->bytes, image->size, mode, &opened, &error), &error);
    AssertOk(RpNResArchive_Read(&archive, &opened, &error), &error);
    return archive;
}

static Image Write(const RpNResArchive *archive, RpNResLayout layout) {
    OWNED(RpBuffer) buffer = {0};
    RpError error;
    AssertOk(RpNResArchive_Write(archive, layout, &buffer, &error), &error);
    return Image_Copy(buffer.bytes, buffer.size);
}

static void AssertSameBytes(const Image *a, const Image *b) {
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->bytes, b->bytes, a->size);
}

static void AssertWritesTheSame(const Image *image, RpReadMode mode, RpNResLayout layout) {
    OWNED(RpNResArchive) archive = Read(image, mode);
    OWNED(Image) written = Write(&archive, layout);
    AssertSameBytes(image, &written);
}

static const TestMember few[] = {
    {"beta.msh", "12345", 5, 0x4853454D, 1, 2, 3},
    {"Alpha", "12345678", 8, 4, 5, 6, 7},
    {"empty", NULL, 0, 8, 9, 10, 11},
    {"alpha", "1", 1, 12, 13, 14, 15},
};

TEST(RoundTripsACanonicalArchive) {
    OWNED(Image) image = Image_Make(few, 4);
    AssertWritesTheSame(&image, RP_STRICT, RP_NRES_CANONICAL);
    AssertWritesTheSame(&image, RP_STRICT, RP_NRES_PRESERVING);
}

TEST(PreservesARegionThatNoEntryPointsTo) {
    OWNED(Image) image = Image_Make(few, 4);
    Image_Insert(&image, 16, "not in any entry", 16);
    AssertWritesTheSame(&image, RP_TOLERANT, RP_NRES_PRESERVING);
    OWNED(RpNResArchive) archive = Read(&image, RP_TOLERANT);
    assert_int_equal(archive.region_count, 1);
    assert_int_equal(archive.regions[0].size, 16);
    OWNED(Image) plain = Image_Make(few, 4), written = Write(&archive, RP_NRES_CANONICAL);
    AssertSameBytes(&plain, &written);
}

/* Compares with bytes written by hand: two members that were added to an empty archive. */
TEST(WritesAnArchiveAsByHand) {
    static const uint8_t expected[] = {
        'N',  'R', 'e', 's', 0,   1, 0,    0, 2, 0, 0, 0, 0xA0, 0, 0, 0, /* header */
        1,    2,   3,   4,   5,   0, 0,    0, 6, 0, 0, 0, 0,    0, 0, 0, /* payloads */
        'M',  'E', 'S', 'H', 7,   0, 0,    0, 8, 0, 0, 0, 5,    0, 0, 0, 1, 0,
        0,    0,                                                                  /* to attr3 */
        'b',  '.', 'm', 's', 'h', 0, 0xEE, 0, 0, 0, 0, 0, 0,    0, 0, 0, 0, 0,    /* name */
        0,    0,   0,   0,   0,   0, 0,    0, 0, 0, 0, 0, 0,    0, 0, 0, 0, 0xDD, /* its rest */
        0x10, 0,   0,   0,   1,   0, 0,    0, /* offset, table */
        3,    0,   0,   0,   0,   0, 0,    0, 0, 0, 0, 0, 1,    0, 0, 0, 2, 0,
        0,    0,                                                               /* to attr3 */
        'A',  0,   0,   0,   0,   0, 0,    0, 0, 0, 0, 0, 0,    0, 0, 0, 0, 0, /* name */
        0,    0,   0,   0,   0,   0, 0,    0, 0, 0, 0, 0, 0,    0, 0, 0, 0, 0, /* its rest */
        0x18, 0,   0,   0,   0,   0, 0,    0,                                  /* offset, table */
    };
    const RpNResMember b = {0x4853454D, 7, 8, 1, "b.msh\0\xEE", (const uint8_t *)"\1\2\3\4\5",
                            5,          0, 0};
    RpNResMember a = {3, 0, 0, 2, "A", (const uint8_t *)"\6", 1, 0, 0}, with_tail = b;
    OWNED(RpNResArchive) archive = {0};
    RpError error;
    with_tail.name[35] = (char)0xDD;
    AssertOk(RpNResArchive_Add(&archive, 0, &a, &error), &error);
    AssertOk(RpNResArchive_Add(&archive, 0, &with_tail, &error), &error);
    OWNED(Image) by_hand = Image_Copy(expected, sizeof expected);
    for (int layout = RP_NRES_CANONICAL; layout <= RP_NRES_PRESERVING; layout++) {
        OWNED(Image) written = Write(&archive, (RpNResLayout)layout);
        AssertSameBytes(&by_hand, &written);
    }
}

TEST(NothingGivesTheArchiveOfSixteenBytes) {
    OWNED(RpNResArchive) archive = {0};
    OWNED(Image) empty = Image_Make(NULL, 0);
    for (int layout = RP_NRES_CANONICAL; layout <= RP_NRES_PRESERVING; layout++) {
        OWNED(Image) written = Write(&archive, (RpNResLayout)layout);
        AssertSameBytes(&empty, &written);
    }
}

/* ---- preserving ------------------------------------------------------------------------------ */

static uint32_t OffsetOf(const Image *image, uint32_t entry) {
    return Image_Get(image, Image_Field(image, entry, FIELD_OFFSET));
}

/* Another project's editor moved what follows by the exact growth and lost the alignment. */
TEST(AGrownPayloadKeepsTheAlignment) {
    OWNED(Image) image = Image_Make(few, 4);
    for (uint32_t size = 0; size < 40; size++) {
        OWNED(RpNResArchive) archive = Read(&image, RP_STRICT);
        static const char payload[40] = "abcdefghijklmnopqrstuvwxyz0123456789";
        RpError error;
        AssertOk(RpNResArchive_Replace(&archive, 0, payload, size, &error), &error);
        OWNED(Image) written = Write(&archive, RP_NRES_PRESERVING);
        const uint32_t end = 16 + (size + 7) / 8 * 8;
        const uint32_t expected[] = {16, end, end + 8, end + 8, end + 16};
        for (uint32_t i = 0; i < 4; i++)
            assert_int_equal(OffsetOf(&written, i), expected[i]);
        assert_int_equal(Image_Field(&written, 0, 0), end + 16);
    }
}

/* An attribute, like a type, is four bytes of the image. */
TEST(AnAttributeChangesItsOwnBytesOnly) {
    OWNED(Image) image = Image_Make(few, 4);
    Image_Insert(&image, 16, "not in any entry", 16);
    /* what follows is not aligned, and the padding is not zero */
    Image_Insert(&image, 45, "\7", 1);
    OWNED(RpNResArchive) archive = Read(&image, RP_TOLERANT);
    archive.members[1].attr1 = 0xAABBCCDD;
    archive.members[3].type = 0x11223344;
    Image_Put(&image, Image_Field(&image, 1, FIELD_ATTR1), 0xAABBCCDD);
    Image_Put(&image, Image_Field(&image, 3, FIELD_TYPE), 0x11223344);
    OWNED(Image) written = Write(&archive, RP_NRES_PRESERVING);
    AssertSameBytes(&image, &written);
}

TEST(ABrokenTableStaysUntilSomethingChanges) {
    OWNED(Image) image = Image_Make(few, 4), sound = Image_Make(few, 4);
    for (uint32_t i = 0; i < 4; i++)
        Image_Put(&image, Image_Field(&image, i, FIELD_SORT), 77);
    AssertWritesTheSame(&image, RP_TOLERANT, RP_NRES_PRESERVING);
    OWNED(RpNResArchive) archive = Read(&image, RP_TOLERANT);
    OWNED(Image) canonical = Write(&archive, RP_NRES_CANONICAL);
    AssertSameBytes(&sound, &canonical);
    archive.members[0].attr2 = 55;
    Image_Put(&sound, Image_Field(&sound, 0, FIELD_ATTR2), 55);
    OWNED(Image) written = Write(&archive, RP_NRES_PRESERVING);
    AssertSameBytes(&sound, &written);
}

/* Entry 2 points into the payload of entry 1. Both still do when entry 0 grows, until one of them
 * gets a payload of its own. */
TEST(PayloadsThatShareBytesGoOnSharingThem) {
    OWNED(Image) image = Image_Make(few, 4);
    Image_Put(&image, Image_Field(&image, 2, FIELD_OFFSET), 28);
    Image_Put(&image, Image_Field(&image, 2, FIELD_SIZE), 4);
    AssertWritesTheSame(&image, RP_TOLERANT, RP_NRES_PRESERVING);
    OWNED(RpNResArchive) archive = Read(&image, RP_TOLERANT);
    RpError error;
    AssertOk(RpNResArchive_Replace(&archive, 0, "123456789", 9, &error), &error);
    OWNED(Image) written = Write(&archive, RP_NRES_PRESERVING);
    assert_int_equal(OffsetOf(&written, 1), 32);
    assert_int_equal(OffsetOf(&written, 2), 36);
    assert_memory_equal(written.bytes + 32, "12345678", 8);
    assert_int_equal(OffsetOf(&written, 3), 40);
    Image_Free(&written);
    AssertOk(RpNResArchive_Replace(&archive, 2, "abcd", 4, &error), &error);
    written = Write(&archive, RP_NRES_PRESERVING);
    assert_memory_equal(written.bytes + OffsetOf(&written, 1), "12345678", 8);
    assert_memory_equal(written.bytes + OffsetOf(&written, 2), "abcd", 4);
    assert_int_equal(OffsetOf(&written, 2), 48);
}

TEST(WhatIsRemovedClosesUpAndWhatIsAddedFollows) {
    OWNED(Image) image = Image_Make(few, 4);
    Image_Insert(&image, 16, "not in any entry", 16);
    OWNED(RpNResArchive) archive = Read(&image, RP_TOLERANT);
    const RpNResMember added = {1, 2, 3, 4, "new", (const uint8_t *)"abc", 3, 0, 0};
    RpError error;
    AssertOk(RpNResArchive_Remove(&archive, 0, &error), &error);
    AssertOk(RpNResArchive_Add(&archive, 0, &added, &error), &error);
    OWNED(Image) written = Write(&archive, RP_NRES_PRESERVING);
    assert_memory_equal(written.bytes + 16, "not in any entry", 16);
    const uint32_t expected[] = {48, 32, 40, 40};
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(OffsetOf(&written, i), expected[i]);
    assert_int_equal(Image_Field(&written, 0, 0), 56);
}

/* Sorting the directory leaves the payloads where they are, as the game's sorting does. */
TEST(TheDirectoryIsSortedApartFromThePayloads) {
    OWNED(Image) image = Image_Make(few, 4);
    OWNED(RpNResArchive) archive = Read(&image, RP_STRICT);
    RpError error;
    AssertOk(RpNResArchive_Sort(&archive, RP_NRES_SORT_NAME, &error), &error);
    static const char *const order[] = {"Alpha", "alpha", "beta.msh", "empty"};
    for (uint32_t i = 0; i < 4; i++)
        assert_string_equal(archive.members[i].name, order[i]);
    OWNED(Image) written = Write(&archive, RP_NRES_PRESERVING);
    assert_memory_equal(written.bytes + 16, image.bytes + 16, 24 - 8);
    const uint32_t offsets[] = {24, 32, 16, 32};
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(OffsetOf(&written, i), offsets[i]);
}

TEST(EverySortModeHasAName) {
    assert_string_equal(RpNResSort_Name(RP_NRES_SORT_NONE), "none");
    assert_string_equal(RpNResSort_Name(RP_NRES_SORT_TYPE_ATTR1_ATTR2), "type+attr1+attr2");
    assert_string_equal(RpNResSort_Name(RP_NRES_SORT_ATTR2_NAME), "attr2+name");
    assert_null(RpNResSort_Name(RP_NRES_SORT_COUNT));
    for (int i = 0; i < RP_NRES_SORT_COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(RpNResSort_Name((RpNResSort)i), RpNResSort_Name((RpNResSort)j));
}

/* ---- wrong use ------------------------------------------------------------------------------- */

TEST(WrongArgumentsAreRefused) {
    OWNED(Image) image = Image_Make(few, 4);
    OWNED(RpNResArchive) archive = Read(&image, RP_STRICT);
    RpNResMember member = {1, 2, 3, 4, "", NULL, 0, 0, 0};
    RpError error;
    assert_int_equal(RpNResArchive_Add(&archive, 0, &member, &error), RP_INVALID);
    assert_string_equal(error.what, "the name is empty");
    memset(member.name, 'x', sizeof member.name);
    assert_int_equal(RpNResArchive_Add(&archive, 0, &member, &error), RP_INVALID);
    assert_string_equal(error.what, "the name is too long");
    member.name[35] = 0;
    assert_int_equal(RpNResArchive_Add(&archive, 5, &member, &error), RP_INVALID);
    assert_int_equal(RpNResArchive_Replace(&archive, 4, "", 0, &error), RP_INVALID);
    assert_int_equal(RpNResArchive_Remove(&archive, 4, &error), RP_INVALID);
    assert_int_equal(RpNResArchive_Move(&archive, 4, 0, &error), RP_INVALID);
    assert_int_equal(RpNResArchive_Move(&archive, 0, 4, &error), RP_INVALID);
    assert_int_equal(RpNResArchive_Rename(&archive, 4, "x", &error), RP_INVALID);
    assert_int_equal(RpNResArchive_Rename(&archive, 0, "", &error), RP_INVALID);
    assert_int_equal(
        RpNResArchive_Rename(&archive, 0, "123456789 123456789 123456789 123456", &error),
        RP_INVALID);
    assert_int_equal(RpNResArchive_Sort(&archive, RP_NRES_SORT_COUNT, &error), RP_INVALID);
    /* Such a member is larger than an image can be, so it is refused before it is read. */
    member.size = UINT32_MAX - 15;
    assert_int_equal(RpNResArchive_Add(&archive, 0, &member, &error), RP_INVALID);
    assert_string_equal(error.what, "the archive would be too large");
    assert_int_equal(RpNResArchive_Replace(&archive, 0, "", UINT32_MAX, &error), RP_INVALID);
    /* Sizes beyond 32 bits are refused and not cut, and so are those that would wrap when they are
     * added up. */
    static const uint64_t beyond[] = {UINT64_C(0x100000000), UINT64_C(0x100000004), UINT64_MAX - 7,
                                      UINT64_MAX};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
        if (beyond[i] <= SIZE_MAX)
            assert_int_equal(RpNResArchive_Replace(&archive, 0, "", (size_t)beyond[i], &error),
                             RP_INVALID);
    assert_int_equal(RpNResArchive_Replace(&archive, 0, "", SIZE_MAX, &error), RP_INVALID);
    OWNED(Image) written = Write(&archive, RP_NRES_PRESERVING);
    AssertSameBytes(&image, &written);
    OWNED(RpBuffer) buffer = {0};
    RpBuffer_AppendText(&buffer, "full");
    assert_int_equal(RpNResArchive_Write(&archive, RP_NRES_CANONICAL, &buffer, &error), RP_INVALID);
    assert_int_equal(buffer.size, 4);
    assert_int_equal(RpNResArchive_Read(&archive, &archive.source, &error), RP_INVALID);
}

/* The archive's own payloads and members are valid arguments. */
TEST(ArgumentsMayPointIntoTheArchive) {
    OWNED(Image) image = Image_Make(few, 4);
    OWNED(RpNResArchive) archive = Read(&image, RP_STRICT);
    RpError error;
    AssertOk(RpNResArchive_Replace(&archive, 0, "abcdef", 6, &error), &error);
    AssertOk(RpNResArchive_Replace(&archive, 0, archive.members[0].data + 2, 3, &error), &error);
    assert_memory_equal(archive.members[0].data, "cde", 3);
    for (int i = 0; i < 100; i++)
        AssertOk(RpNResArchive_Add(&archive, 0, &archive.members[archive.count - 1], &error),
                 &error);
    assert_string_equal(archive.members[0].name, "alpha");
    AssertOk(RpNResArchive_Rename(&archive, 0, archive.members[0].name + 2, &error), &error);
    assert_string_equal(archive.members[0].name, "pha");
}

/* ---- refused memory -------------------------------------------------------------------------- */

static RpStatus EditWith(RpNResArchive *archive, int operation, RpBuffer *buffer, RpError *error) {
    const RpNResMember member = {1, 2, 3, 4, "new", (const uint8_t *)"abc", 3, 0, 0};
    switch (operation) {
    case 0:
        return RpNResArchive_Add(archive, 1, &member, error);
    case 1:
        return RpNResArchive_Replace(archive, 0, "0123456789", 10, error);
    case 2:
        return RpNResArchive_Sort(archive, RP_NRES_SORT_TYPE_NAME, error);
    case 3:
        return RpNResArchive_Write(archive, RP_NRES_CANONICAL, buffer, error);
    default:
        return RpNResArchive_Write(archive, RP_NRES_PRESERVING, buffer, error);
    }
}

/* Refuses each allocation of an operation in turn. The archive has to stay as it was. */
static void RefuseEachAllocation(const Image *image, int operation) {
    RpStatus status = RP_NO_MEMORY;
    for (size_t n = 0; status != RP_OK; n++) {
        CountedMemory memory = {0};
        const RpAllocator allocator = CountedMemory_Allocator(&memory);
        RpNRes opened;
        RpNResArchive archive;
        RpBuffer buffer;
        RpError error;
        RpNResArchive_Init(&archive, &allocator);
        RpBuffer_Init(&buffer, &allocator);
        RpNRes_Open(image->bytes, image->size, RP_TOLERANT, &opened, &error);
        AssertOk(RpNResArchive_Read(&archive, &opened, &error), &error);
        memory.refuse_from = memory.calls + n;
        memory.refuse = 1;
        status = EditWith(&archive, operation, &buffer, &error);
        assert_true(memory.calls > 0 && n < 20);
        assert_true(status == RP_OK || status == RP_NO_MEMORY);
        assert_true(status == RP_OK || error.status == RP_NO_MEMORY);
        memory.refuse = 0;
        if (status != RP_OK) {
            OWNED(Image) written = Write(&archive, RP_NRES_PRESERVING);
            AssertSameBytes(image, &written);
        }
        RpBuffer_Free(&buffer);
        RpNResArchive_Free(&archive);
        assert_int_equal(memory.blocks, 0);
        assert_true(status == RP_NO_MEMORY || n > 0);
    }
}

TEST(RefusedMemoryLeavesTheArchiveAsItWas) {
    OWNED(Image) image = Image_Make(few, 4);
    Image_Insert(&image, 16, "not in any entry", 16);
    for (int operation = 0; operation < 5; operation++)
        RefuseEachAllocation(&image, operation);
}

TEST(WhatIsReplacedOrRemovedIsFreed) {
    OWNED(Image) image = Image_Make(few, 4);
    CountedMemory memory = {0};
    const RpAllocator allocator = CountedMemory_Allocator(&memory);
    RpNRes opened;
    RpNResArchive archive;
    RpError error;
    RpNResArchive_Init(&archive, &allocator);
    RpNRes_Open(image.bytes, image.size, RP_STRICT, &opened, &error);
    AssertOk(RpNResArchive_Read(&archive, &opened, &error), &error);
    const size_t before = memory.blocks;
    AssertOk(RpNResArchive_Replace(&archive, 0, "one", 3, &error), &error);
    AssertOk(RpNResArchive_Replace(&archive, 0, "another", 7, &error), &error);
    assert_int_equal(memory.blocks, before + 1);
    AssertOk(RpNResArchive_Remove(&archive, 0, &error), &error);
    assert_int_equal(memory.blocks, before);
    AssertOk(RpNResArchive_Replace(&archive, 0, "last", 4, &error), &error);
    RpNResArchive_Free(&archive);
    assert_int_equal(memory.blocks, 0);
}

TEST(RefusedMemoryLeavesAnEmptyArchiveEmpty) {
    OWNED(Image) image = Image_Make(few, 4);
    Image_Insert(&image, 16, "not in any entry", 16);
    RpStatus status = RP_NO_MEMORY;
    size_t n = 0;
    for (; status != RP_OK; n++) {
        CountedMemory memory = {.refuse_from = n, .refuse = 1};
        const RpAllocator allocator = CountedMemory_Allocator(&memory);
        RpNRes opened;
        RpNResArchive archive;
        RpError error;
        RpNResArchive_Init(&archive, &allocator);
        RpNRes_Open(image.bytes, image.size, RP_TOLERANT, &opened, &error);
        status = RpNResArchive_Read(&archive, &opened, &error);
        assert_true(status == RP_OK || (archive.count == 0 && !archive.members));
        RpNResArchive_Free(&archive);
        assert_int_equal(memory.blocks, 0);
    }
    assert_int_equal(n, 4); /* members, room to sort, regions */
}

TEST(AnArchiveWithAPayloadOutsideIsNotRead) {
    OWNED(Image) image = Image_Make(few, 4);
    const size_t field = Image_Field(&image, 2, FIELD_OFFSET);
    Image_Put(&image, field, 8);
    RpNRes opened;
    RpNResArchive archive = {0};
    RpError error;
    RpNRes_Open(image.bytes, image.size, RP_TOLERANT, &opened, &error);
    assert_int_equal(RpNResArchive_Read(&archive, &opened, &error), RP_CORRUPT);
    assert_int_equal(error.offset, field);
    assert_string_equal(error.where, "entry 2");
    assert_int_equal(archive.count, 0);
}
