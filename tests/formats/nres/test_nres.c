/* Tests of opening and looking up (facts/formats.md A.1 to A.5). */
#include "image.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static RpNRes Open(const Image *image, RpReadMode mode) {
    RpNRes archive;
    RpError error;
    const RpStatus status = RpNRes_Open(image->bytes, image->size, mode, &archive, &error);
    if (status != RP_OK)
        fail_msg("%s, expected %s, found %s", error.what, error.expected, error.found);
    return archive;
}

/* An image of two members, one of them empty, written by hand byte for byte. */
static const uint8_t golden[] = {
    /* header */
    'N', 'R', 'e', 's', 0, 1, 0, 0, 2, 0, 0, 0, 0x98, 0, 0, 0,
    /* payload of "b.msh", padded */
    1, 2, 3, 4, 5, 0, 0, 0,
    /* record 0 */
    'M', 'E', 'S', 'H', 7, 0, 0, 0, 8, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0,      /* to attr3 */
    'b', '.', 'm', 's', 'h', 0, 0xEE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* name */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,                          /* its rest */
    0x10, 0, 0, 0, 1, 0, 0, 0,                                               /* offset, table */
    /* record 1 */
    3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0,   /* to attr3 */
    'A', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* name */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,               /* its rest */
    0x18, 0, 0, 0, 0, 0, 0, 0,                                    /* offset, table */
};

TEST(ReadsAnArchiveWrittenByHand) {
    OWNED(Image) image = Image_Copy(golden, sizeof golden);
    const RpNRes archive = Open(&image, RP_STRICT);
    assert_int_equal(archive.count, 2);
    assert_int_equal(archive.directory_offset, 24);
    assert_true(archive.sorted);
    const RpNResEntry first = RpNRes_Entry(&archive, 0), second = RpNRes_Entry(&archive, 1);
    assert_int_equal(first.index, 0);
    assert_int_equal(first.type, 0x4853454D);
    assert_int_equal(first.attr1, 7);
    assert_int_equal(first.attr2, 8);
    assert_int_equal(first.attr3, 1);
    assert_string_equal(first.name, "b.msh");
    assert_int_equal((uint8_t)first.name[6], 0xEE);
    assert_int_equal(first.name_length, 5);
    assert_int_equal(first.size, 5);
    assert_int_equal(first.data_offset, 16);
    assert_ptr_equal(first.data, image.bytes + 16);
    assert_int_equal(first.sort_index, 1);
    assert_int_equal(first.record_offset, 24);
    assert_int_equal(second.type, 3);
    assert_int_equal(second.size, 0);
    assert_ptr_equal(second.data, image.bytes + 24);
    assert_int_equal(second.record_offset, 88);
    assert_int_equal(RpNRes_Find(&archive, "a"), 1);
    assert_int_equal(RpNRes_Find(&archive, "B.MSH"), 0);
    assert_int_equal(RpNRes_Find(&archive, "b.ms"), -1);
    assert_int_equal(RpNRes_Find(&archive, "b.mshx"), -1);
    assert_int_equal(RpNRes_Find(&archive, ""), -1);
}

TEST(OpensAnEmptyArchiveOfSixteenBytes) {
    OWNED(Image) image = Image_Make(NULL, 0);
    assert_int_equal(image.size, 16);
    const RpNRes archive = Open(&image, RP_STRICT);
    assert_int_equal(archive.count, 0);
    assert_int_equal(RpNRes_Find(&archive, "x"), -1);
    assert_int_equal(RpNRes_FindAsGame(&archive, "x"), -1);
    assert_int_equal(RpNRes_FindType(&archive, 1, 0), -1);
}

/* ---- lookups --------------------------------------------------------------------------------- */

/* The table of system.rlb is the only genuine one that is published (facts/formats.md A.3). */
TEST(TheTableOfSystemRlbFollowsFromItsNames) {
    static const uint32_t table[17] = {0, 5, 6, 7, 8, 9, 10, 11, 12, 16, 1, 4, 15, 13, 14, 2, 3};
    char names[17][8];
    TestMember members[17] = {{0}};
    for (uint32_t i = 0; i < 17; i++)
        snprintf(names[table[i]], sizeof *names, i % 2 ? "N%02u" : "n%02u", (unsigned)i);
    for (uint32_t i = 0; i < 17; i++)
        members[i].name = names[i];
    OWNED(Image) image = Image_Make(members, 17);
    const RpNRes archive = Open(&image, RP_STRICT);
    for (uint32_t i = 0; i < 17; i++) {
        assert_int_equal(RpNRes_Entry(&archive, i).sort_index, table[i]);
        assert_int_equal(RpNRes_Find(&archive, names[i]), i);
        assert_int_equal(RpNRes_FindAsGame(&archive, names[i]), i);
    }
}

TEST(FindsTheFirstOfDuplicateNames) {
    static const TestMember members[] = {
        {"z", "", 0, 1, 0, 0, 0},    {"Land", "", 0, 1, 0, 0, 0}, {"a", "", 0, 3, 0, 0, 0},
        {"LAND", "", 0, 2, 0, 0, 0}, {"land", "", 0, 3, 0, 0, 0}, {"Lanc", "", 0, 1, 0, 0, 0},
        {"lAND", "", 0, 3, 0, 0, 0}, {"Lane", "", 0, 1, 0, 0, 0},
    };
    OWNED(Image) image = Image_Make(members, 8);
    const RpNRes archive = Open(&image, RP_STRICT);
    assert_true(archive.sorted);
    assert_int_equal(RpNRes_Find(&archive, "land"), 1);
    const int32_t any = RpNRes_FindAsGame(&archive, "land");
    assert_true(any == 1 || any == 3 || any == 4 || any == 6);
    /* Equal names may come in another order, but the first one in the directory is still found. */
    size_t at = 0;
    while (RpNRes_Entry(&archive, (uint32_t)at).sort_index != 1)
        at++;
    Image_Put(&image, Image_Field(&image, (uint32_t)at, FIELD_SORT), 6);
    Image_Put(&image, Image_Field(&image, (uint32_t)at + 3, FIELD_SORT), 1);
    const RpNRes unstable = Open(&image, RP_STRICT);
    assert_false(unstable.sorted);
    assert_int_equal(RpNRes_Find(&unstable, "land"), 1);
}

TEST(FindsByTypeFromAnyPlace) {
    static const TestMember members[] = {
        {"a", "", 0, 7, 0, 0, 0}, {"b", "", 0, 1, 0, 0, 0}, {"c", "", 0, 7, 0, 0, 0}};
    OWNED(Image) image = Image_Make(members, 3);
    const RpNRes archive = Open(&image, RP_STRICT);
    assert_int_equal(RpNRes_FindType(&archive, 7, 0), 0);
    assert_int_equal(RpNRes_FindType(&archive, 7, 1), 2);
    assert_int_equal(RpNRes_FindType(&archive, 7, 3), -1);
    assert_int_equal(RpNRes_FindType(&archive, 7, UINT32_MAX), -1);
    assert_int_equal(RpNRes_FindType(&archive, 2, 0), -1);
}

TEST(NamesOf35CharactersAreWhole) {
    static const TestMember members[] = {{"123456789 123456789 123456789 12345", "", 0, 1, 0, 0, 0},
                                         {"123456789 123456789 123456789 12346", "", 0, 1, 0, 0, 0},
                                         {"123456789 123456789 123456789 1234", "", 0, 1, 0, 0, 0}};
    OWNED(Image) image = Image_Make(members, 3);
    const RpNRes archive = Open(&image, RP_STRICT);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(RpNRes_Find(&archive, members[i].name), i);
        assert_int_equal(RpNRes_Entry(&archive, i).name_length, strlen(members[i].name));
    }
    assert_int_equal(RpNRes_Find(&archive, "123456789 123456789 123456789 123456"), -1);
}

TEST(ANameWithoutANulIsItsWholeField) {
    static const TestMember members[] = {
        {"123456789 123456789 123456789 12345x", "", 0, 1, 0, 0, 0}};
    OWNED(Image) image = Image_Make(members, 1);
    const RpNRes archive = Open(&image, RP_TOLERANT);
    assert_int_equal(RpNRes_Entry(&archive, 0).name_length, 36);
    assert_int_equal(RpNRes_Find(&archive, "123456789 123456789 123456789 12345X"), 0);
    assert_int_equal(RpNRes_Find(&archive, "123456789 123456789 123456789 12345Xy"), -1);
    assert_int_equal(RpNRes_Find(&archive, "123456789 123456789 123456789 12345"), -1);
    assert_true(RpNRes_CompareName(RpNRes_Entry(&archive, 0).name,
                                   "123456789 123456789 123456789 12345Xy") < 0);
}

TEST(ABrokenTableCostsSpeedOnly) {
    static const TestMember members[] = {
        {"a", "", 0, 1, 0, 0, 0}, {"b", "", 0, 1, 0, 0, 0}, {"c", "", 0, 1, 0, 0, 0}};
    OWNED(Image) image = Image_Make(members, 3);
    for (uint32_t i = 0; i < 3; i++)
        Image_Put(&image, Image_Field(&image, i, FIELD_SORT), 0xFFFFFFF0 + i);
    const RpNRes archive = Open(&image, RP_TOLERANT);
    assert_false(archive.sorted);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(RpNRes_Find(&archive, members[i].name), i);
        assert_int_equal(RpNRes_FindAsGame(&archive, members[i].name), -1);
    }
}

TEST(APayloadOutsideHasNoData) {
    static const TestMember members[] = {{"a", "12345678", 8, 1, 0, 0, 0},
                                         {"b", "12345678", 8, 1, 0, 0, 0}};
    OWNED(Image) image = Image_Make(members, 2);
    Image_Put(&image, Image_Field(&image, 0, FIELD_SIZE), 17);
    const RpNRes archive = Open(&image, RP_TOLERANT);
    assert_null(RpNRes_Entry(&archive, 0).data);
    assert_int_equal(RpNRes_Entry(&archive, 0).size, 17);
    assert_non_null(RpNRes_Entry(&archive, 1).data);
}

enum { MANY = 8171 }; /* number of entries in the larger game, facts/formats.md A.4 */

/* Makes members whose names are in no order. Every third name occurs twice. */
static TestMember *MakeMany(char (*names)[16]) {
    TestMember *members = calloc(MANY, sizeof *members);
    for (uint32_t i = 0; i < MANY; i++) {
        const uint32_t number = i % 3 == 2 ? i - 1 : i;
        snprintf(names[i], sizeof *names, i % 2 ? "M%u.x" : "m%u.X",
                 (unsigned)(number * 7919u % 100003u));
        members[i].name = names[i];
        members[i].payload = "12345678";
        members[i].size = i % 9;
    }
    return members;
}

/* The library writes this image, because a bubble sort of so many names would take long. */
static Image WriteMany(const TestMember *members) {
    OWNED(RpNResArchive) archive = {0};
    OWNED(RpBuffer) buffer = {0};
    for (uint32_t i = 0; i < MANY; i++) {
        RpNResMember member = {.data = (const uint8_t *)members[i].payload,
                               .size = members[i].size};
        memcpy(member.name, members[i].name, strlen(members[i].name));
        assert_int_equal(RpNResArchive_Add(&archive, i, &member, NULL), RP_OK);
    }
    assert_int_equal(RpNResArchive_Write(&archive, RP_NRES_CANONICAL, &buffer, NULL), RP_OK);
    return Image_Copy(buffer.bytes, buffer.size);
}

TEST(FindsEveryNameOfALargeArchive) {
    HEAP char(*names)[16] = calloc(MANY, sizeof *names);
    HEAP TestMember *members = MakeMany(names);
    OWNED(Image) image = WriteMany(members);
    RpNRes archive = Open(&image, RP_STRICT);
    assert_true(archive.sorted);
    for (int sorted = 1; sorted >= 0; sorted--) {
        archive.sorted = sorted;
        for (uint32_t i = 0; i < MANY; i += sorted ? 1 : 97)
            assert_int_equal(RpNRes_Find(&archive, names[i]), i % 3 == 2 ? i - 1 : i);
        assert_int_equal(RpNRes_Find(&archive, "m"), -1);
        assert_int_equal(RpNRes_Find(&archive, "zzz"), -1);
    }
}

/* The payloads lie in the opposite order of the directory, so the check works in batches or in the
 * caller's memory. An overlap between distant entries is found either way. */
TEST(FindsOverlapsOfALargeArchiveInAnyOrder) {
    HEAP char(*names)[16] = calloc(MANY, sizeof *names);
    HEAP TestMember *members = MakeMany(names);
    for (uint32_t i = 0; i < MANY; i++)
        members[i].size = 8;
    OWNED(Image) image = WriteMany(members);
    HEAP void *work = malloc(RpNRes_CheckWork(MANY));
    for (uint32_t i = 0; i < MANY; i++)
        Image_Put(&image, Image_Field(&image, i, FIELD_OFFSET), 16 + 8 * (i * 4001u % MANY));
    Open(&image, RP_STRICT);
    assert_int_equal(RpNRes_Check(image.bytes, image.size, NULL, NULL, NULL), RP_OK);
    assert_int_equal(RpNRes_Check(image.bytes, image.size, work, NULL, NULL), RP_OK);
    Image_Put(&image, Image_Field(&image, 5000, FIELD_SIZE), 9);
    RpError with, without, opening;
    RpNRes archive;
    assert_int_equal(RpNRes_Check(image.bytes, image.size, work, NULL, &with), RP_CORRUPT);
    assert_int_equal(RpNRes_Check(image.bytes, image.size, NULL, NULL, &without), RP_CORRUPT);
    assert_int_equal(RpNRes_Open(image.bytes, image.size, RP_STRICT, &archive, &opening),
                     RP_CORRUPT);
    assert_memory_equal(with.what, "N09", 3);
    assert_string_equal(with.expected, without.expected);
    assert_string_equal(with.where, without.where);
    assert_string_equal(with.expected, opening.expected);
    assert_string_equal(with.where, opening.where);
}

/* ---- archives within archives ---------------------------------------------------------------- */

/* Puts `inner` between two members that are no archives. */
static Image Wrap(const Image *inner, const char *name) {
    const TestMember members[] = {
        {"text", "NRes, but no archive", 20, 1, 0, 0, 0},
        {name, (const char *)inner->bytes, (uint32_t)inner->size, 2, 0, 0, 0},
        {"empty", "", 0, 3, 0, 0, 0}};
    return Image_Make(members, 3);
}

typedef struct Visits {
    char text[512];
    const uint8_t *outermost;
    uint32_t left;
} Visits;

static bool Visit(void *context, const RpNRes *archive, const char *path, uint32_t depth,
                  uint32_t offset) {
    Visits *visits = context;
    const size_t length = strlen(visits->text);
    assert_ptr_equal(archive->image, visits->outermost + offset);
    snprintf(visits->text + length, sizeof visits->text - length, "%u:%s(%u);", (unsigned)depth,
             path, (unsigned)archive->count);
    return --visits->left > 0;
}

TEST(WalksNestedArchivesDownToALimit) {
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    OWNED(Image) image = Image_Make(NULL, 0);
    for (int i = 4; i >= 0; i--) {
        Image outer = Wrap(&image, names[i]);
        Image_Free(&image);
        image = outer;
    }
    const RpNRes archive = Open(&image, RP_STRICT);
    Visits visits = {.outermost = image.bytes, .left = 100};
    RpNRes_Walk(&archive, Visit, &visits);
    assert_string_equal(visits.text, "0:(3);1:a(3);2:a/b(3);3:a/b/c(3);");
    visits = (Visits){.outermost = image.bytes, .left = 2};
    RpNRes_Walk(&archive, Visit, &visits);
    assert_string_equal(visits.text, "0:(3);1:a(3);");
}

static bool CountVisit(void *context, const RpNRes *archive, const char *path, uint32_t depth,
                       uint32_t offset) {
    (void)archive, (void)path, (void)depth, (void)offset;
    ++*(uint64_t *)context;
    return true;
}

/* All 200 members are the same archive of 200 members, which are again the same archive, and so
 * on. */
TEST(SharedNestedArchivesDoNotMultiply) {
    TestMember members[200];
    OWNED(Image) image = Image_Make(NULL, 0);
    for (int depth = 0; depth < 4; depth++) {
        for (int i = 0; i < 200; i++)
            members[i] = (TestMember){.name = "same"};
        members[0].payload = (const char *)image.bytes;
        members[0].size = (uint32_t)image.size;
        Image outer = Image_Make(members, 200);
        for (uint32_t i = 1; i < 200; i++) {
            Image_Put(&outer, Image_Field(&outer, i, FIELD_OFFSET), 16);
            Image_Put(&outer, Image_Field(&outer, i, FIELD_SIZE), (uint32_t)image.size);
        }
        Image_Free(&image);
        image = outer;
    }
    const RpNRes archive = Open(&image, RP_TOLERANT);
    uint64_t visits = 0;
    RpNRes_Walk(&archive, CountVisit, &visits);
    assert_in_range(visits, 4, 3 * image.size / 16);
}

TEST(ErrorsNameTheEntry) {
    OWNED(Image) image = Image_Copy(golden, sizeof golden);
    RpNRes archive;
    RpError error;
    Image_Put(&image, 24 + FIELD_OFFSET, 8);
    assert_int_equal(RpNRes_Open(image.bytes, image.size, RP_STRICT, &archive, &error), RP_CORRUPT);
    assert_string_equal(error.what, "N06: a payload lies outside the image's data");
    assert_string_equal(error.where, "entry 0");
    assert_string_equal(error.expected, "bytes within 16 to 24");
    assert_string_equal(error.found, "8 to 13");
    assert_int_equal(error.offset, 24 + FIELD_OFFSET);
    assert_int_equal(RpNRes_Open(image.bytes, image.size, RP_STRICT, &archive, NULL), RP_CORRUPT);
}

TEST(AnArchiveIsKnownByItsMagic) {
    assert_true(RpNRes_Is("NRes", 4));
    assert_false(RpNRes_Is("NRes", 3));
    assert_false(RpNRes_Is("NReS", 4));
    assert_false(RpNRes_Is(NULL, 0));
}
