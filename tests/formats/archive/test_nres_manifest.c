/* Tests archives as text and back, the differences between two archives, edits by words, and names
 * of files. */
#include "core/random.h"
#include "formats/archive/nres_diff.h"
#include "formats/archive/nres_edit.h"
#include "formats/archive/nres_list.h"
#include "formats/archive/nres_manifest.h"
#include "formats/archive/nres_names.h"
#include "tests/formats/nres/generator.h"
#include "tests/test.h"

#include <cjson/cJSON.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static RpNRes Open(const Image *image) {
    RpNRes archive;
    assert_int_equal(RpNRes_Open(image->bytes, image->size, RP_TOLERANT, &archive, NULL), RP_OK);
    return archive;
}

static RpStatus Assemble(const char *json, const RpNResLayout *layout, RpBuffer *image,
                         RpError *error) {
    RpBuffer_Init(image, NULL);
    return ArchiveManifest_Assemble(json, strlen(json), ".", layout, image, error);
}

/* ---- text and back --------------------------------------------------------------------------- */

TEST(ADumpGivesTheSameBytes) {
    uint64_t seed = 11;
    uint32_t dumped = 0;
    for (int i = 0; i < 1500; i++) {
        OWNED(Image) image = Generator_Any(&seed);
        const RpNRes archive = Open(&image);
        OWNED(RpBuffer) json = {0};
        RpError error = {.what = ""};
        const RpStatus status = ArchiveManifest_Dump(&archive, &json, &error);
        assert_true(status == RP_OK || status == RP_CORRUPT); /* a payload lies outside */
        if (status == RP_OK) {
            OWNED(RpBuffer) again;
            RpBuffer_Append(&json, "", 1);
            if (Assemble((const char *)json.bytes, NULL, &again, &error) != RP_OK)
                fail_msg("%s at %s: %s, %s\n%s", error.what, error.where, error.expected,
                         error.found, (const char *)json.bytes);
            assert_int_equal(again.size, image.size);
            assert_memory_equal(again.bytes, image.bytes, image.size);
            dumped++;
        }
    }
    assert_in_range(dumped, 750, 1499);
}

TEST(AManifestByHandNeedsNoOffsets) {
    static const TestMember members[] = {{"tree.msh", "\1\2\3", 3, 0x4853454D, 1, 2, 3},
                                         {"\xC0", "", 0, 7, 0, 0, 0}};
    static const char json[] =
        "{\"format\": \"retropose nres 1\", \"members\": ["
        "{\"name\": \"tree.msh\", \"type\": \"MESH\", \"attr1\": 1, \"attr2\": 2, \"attr3\": 3,"
        " \"hex\": \"010203\"}, {\"name\": \"\xD0\x90\", \"type\": 7, \"hex\": \"\"}]}";
    OWNED(Image) expected = Image_Make(members, 2);
    OWNED(RpBuffer) image;
    assert_int_equal(Assemble(json, NULL, &image, NULL), RP_OK);
    assert_int_equal(image.size, expected.size);
    assert_memory_equal(image.bytes, expected.bytes, image.size);
}

#define HEAD        "{\"format\": \"retropose nres 1\", \"layout\": \"preserving\", "
#define ONE(FIELDS) HEAD "\"members\": [{\"name\": \"a\", \"hex\": \"00\"}, {" FIELDS "}]}"

TEST(AWrongManifestIsRefusedByPlace) {
    static const struct {
        const char *json, *where;
    } cases[] = {
        {"", ""},
        {"{", ""},
        {"{\"format\": \"retropose nres 1\"} {}", ""},
        {"{}", "format"},
        {"{\"format\": \"retropose nres 2\"}", "format"},
        {"{\"format\": \"retropose nres 1\", \"layout\": \"odd\"}", "layout"},
        {HEAD "\"directory_offset\": 15}", "directory_offset"},
        {HEAD "\"directory_offset\": 4294967296}", "directory_offset"},
        {HEAD "\"directory_offset\": -1}", "directory_offset"},
        {HEAD "\"sort_table\": [1.5e10]}", "sort_table"},
        {ONE("\"hex\": \"00\""), "members[1].name"},
        {ONE("\"name\": 5, \"hex\": \"00\""), "members[1].name"},
        {ONE("\"name\": \"\xE4\xB8\xAD\", \"hex\": \"00\""), "members[1].name"},
        {ONE("\"name\": \"123456789 123456789 123456789 1234567\", \"hex\": \"\""),
         "members[1].name"},
        {ONE("\"name\": \"b\", \"name_tail\": \"00\", \"hex\": \"00\""), "members[1].name_tail"},
        {ONE("\"name\": \"b\", \"type\": \"MES\", \"hex\": \"00\""), "members[1].type"},
        {ONE("\"name\": \"b\", \"attr1\": -1, \"hex\": \"00\""), "members[1].attr1"},
        {ONE("\"name\": \"b\", \"attr2\": 4294967296, \"hex\": \"00\""), "members[1].attr2"},
        {ONE("\"name\": \"b\", \"attr3\": 1.5, \"hex\": \"00\""), "members[1].attr3"},
        {ONE("\"name\": \"b\""), "members[1].file"},
        {ONE("\"name\": \"b\", \"hex\": \"0\""), "members[1].hex"},
        {ONE("\"name\": \"b\", \"hex\": \"0g\""), "members[1].hex"},
        {ONE("\"name\": \"b\", \"file\": \"../x\""), "members[1].file"},
        {ONE("\"name\": \"b\", \"file\": \"x/../../y\""), "members[1].file"},
        {ONE("\"name\": \"b\", \"file\": \"x/..\""), "members[1].file"},
        {ONE("\"name\": \"b\", \"file\": \"/etc/passwd\""), "members[1].file"},
        {ONE("\"name\": \"b\", \"file\": \"c:x\""), "members[1].file"},
        {ONE("\"name\": \"b\", \"file\": \"..\\\\x\""), "members[1].file"},
        {ONE("\"name\": \"b\", \"offset\": 8, \"hex\": \"00\""), "members[1].offset"},
        {ONE("\"name\": \"b\", \"offset\": 4294967288, \"hex\": \"00\""), "members[1].offset"},
        {ONE("\"name\": \"b\", \"offset\": 16, \"size\": 1, \"hex\": \"00\""), "members[1].offset"},
        {HEAD "\"regions\": [{\"hex\": \"00\"}]}", "regions[0].size"},
        {HEAD "\"regions\": [{\"hex\": \"00\", \"offset\": 16, \"size\": 2}]}", "regions[0].size"},
        {HEAD "\"regions\": [{\"hex\": \"00\", \"offset\": 16}]}", "regions[0].offset"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(RpBuffer) image;
        RpError error = {.what = ""};
        if (Assemble(cases[i].json, NULL, &image, &error) != RP_INVALID ||
            strcmp(error.where, cases[i].where) != 0)
            fail_msg("%s: %s at %s", cases[i].json, error.what, error.where);
        assert_int_equal(image.size, 0);
    }
}

/* A resized payload and a new member in the text are laid out as edits are. */
TEST(AChangedManifestIsLaidOutAnew) {
    static const char json[] =
        HEAD "\"directory_offset\": 40, \"members\": ["
             "{\"name\": \"a\", \"offset\": 16, \"size\": 4, \"hex\": \"0102030405060708090A\"},"
             "{\"name\": \"new\", \"hex\": \"FF\"},"
             "{\"name\": \"b\", \"offset\": 32, \"size\": 8, \"hex\": \"1111111111111111\"}],"
             "\"regions\": [{\"offset\": 24, \"size\": 8, \"hex\": \"EEEEEEEEEEEEEEEE\"}]}";
    static const uint32_t offsets[] = {16, 48, 40};
    OWNED(RpBuffer) image;
    assert_int_equal(Assemble(json, NULL, &image, NULL), RP_OK);
    Image written = {image.bytes, image.size};
    const RpNRes archive = Open(&written);
    assert_int_equal(archive.count, 3);
    assert_true(archive.sorted);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(RpNRes_Entry(&archive, i).data_offset, offsets[i]);
    assert_memory_equal(image.bytes + 32, "\xEE\xEE\xEE\xEE\xEE\xEE\xEE\xEE", 8);
    RpBuffer_Free(&image);
    const RpNResLayout canonical = RP_NRES_CANONICAL;
    assert_int_equal(Assemble(json, &canonical, &image, NULL), RP_OK);
    assert_int_equal(RpNRes_Check(image.bytes, image.size, NULL, NULL, NULL), RP_OK);
    assert_int_equal(image.size, 16 + 16 + 8 + 8 + 3 * 64);
}

/* The eight bytes of a member that is no longer in the text do not become a region. */
TEST(AMemberRemovedFromAManifestClosesUp) {
    static const char json[] =
        HEAD "\"directory_offset\": 40, \"members\": ["
             "{\"name\": \"a\", \"offset\": 16, \"size\": 8, \"hex\": \"0102030405060708\"},"
             "{\"name\": \"b\", \"offset\": 32, \"size\": 8, \"hex\": \"1111111111111111\"}]}";
    OWNED(RpBuffer) image;
    RpNRes archive;
    assert_int_equal(Assemble(json, NULL, &image, NULL), RP_OK);
    assert_int_equal(RpNRes_Open(image.bytes, image.size, RP_STRICT, &archive, NULL), RP_OK);
    assert_int_equal(RpNRes_Entry(&archive, 1).data_offset, 24);
}

/* Assembles the text of an archive without one member. */
static RpStatus AssembleWithout(const RpNRes *archive, uint32_t index, RpBuffer *image) {
    OWNED(RpBuffer) json = {0};
    RpError error = {.what = ""};
    RpBuffer_Init(image, NULL);
    RpStatus status = ArchiveManifest_Dump(archive, &json, &error);
    if (status == RP_OK) {
        cJSON *root = cJSON_ParseWithLength((const char *)json.bytes, json.size);
        cJSON_DeleteItemFromArray(cJSON_GetObjectItemCaseSensitive(root, "members"), (int)index);
        char *edited = cJSON_PrintUnformatted(root);
        assert_non_null(edited);
        if (Assemble(edited, NULL, image, &error) != RP_OK)
            fail_msg("%s at %s: %s, %s\n%s", error.what, error.where, error.expected, error.found,
                     edited);
        cJSON_free(edited);
        cJSON_Delete(root);
    }
    return status;
}

static void AssertRemoved(const RpNRes *archive, uint32_t index) {
    OWNED(RpBuffer) image, expected = {0};
    if (AssembleWithout(archive, index, &image) != RP_OK)
        return; /* a payload lies outside */
    OWNED(RpNResArchive) edited = {0};
    assert_int_equal(RpNResArchive_Read(&edited, archive, NULL), RP_OK);
    assert_int_equal(RpNResArchive_Remove(&edited, index, NULL), RP_OK);
    assert_int_equal(RpNResArchive_Write(&edited, RP_NRES_PRESERVING, &expected, NULL), RP_OK);
    assert_int_equal(image.size, expected.size);
    assert_memory_equal(image.bytes, expected.bytes, expected.size);
}

TEST(AMemberRemovedFromATextIsAsOneRemovedByAnEdit) {
    static const uint8_t bytes[300] = {1};
    static const TestMember members[] = {{"a", (const char *)bytes, 300, 0, 0, 0, 0},
                                         {"b", (const char *)bytes, 299, 0, 0, 0, 0},
                                         {"c", (const char *)bytes, 3, 0, 0, 0, 0},
                                         {"d", (const char *)bytes, 298, 0, 0, 0, 0}};
    Image image = Image_Make(members, 4);
    const RpNRes four = Open(&image);
    for (uint32_t i = 0; i < 4; i++)
        AssertRemoved(&four, i);
    Image_Free(&image);
    uint64_t seed = 12;
    for (int i = 0; i < 500; i++) {
        image = Generator_Any(&seed);
        const RpNRes archive = Open(&image);
        for (uint32_t index = 0; index < archive.count; index++)
            AssertRemoved(&archive, index);
        Image_Free(&image);
    }
}

/* Bytes far after the header in a text need no more memory than their number. */
TEST(HolesInAManifestCostNothing) {
    static const char json[] =
        HEAD "\"directory_offset\": 4294967295, \"members\": ["
             "{\"name\": \"a\", \"offset\": 3000000000, \"hex\": \"0102030405060708\"},"
             "{\"name\": \"b\", \"offset\": 4294967201, \"hex\": \"11\"}]}";
    OWNED(RpBuffer) image;
    assert_int_equal(Assemble(json, NULL, &image, NULL), RP_OK);
    assert_int_equal(image.size, 32 + 2 * 64);
    assert_memory_equal(image.bytes + 16, "\1\2\3\4\5\6\7\10\0\x11", 10);
}

/* ---- differences ----------------------------------------------------------------------------- */

static char *Diff(const Image *a, const Image *b) {
    static char text[2048];
    const RpNRes left = Open(a), right = Open(b);
    OWNED(RpBuffer) buffer = {0}, json = {0};
    bool different = false, also = false;
    assert_int_equal(ArchiveDiff_Text(&left, &right, &buffer, &different, NULL), RP_OK);
    assert_int_equal(ArchiveDiff_Json(&left, &right, &json, &also, NULL), RP_OK);
    assert_int_equal(different, buffer.size > 0);
    assert_int_equal(also, different);
    assert_true(buffer.size < sizeof text);
    if (buffer.size)
        memcpy(text, buffer.bytes, buffer.size);
    text[buffer.size] = 0;
    return text;
}

TEST(DifferencesAreNamed) {
    static const TestMember before[] = {
        {"a", "12345678", 8, 1, 0, 0, 0}, {"b", "1234", 4, 0x4853454D, 5, 0, 0},
        {"same", "x", 1, 1, 0, 0, 0},     {"same", "y", 1, 1, 0, 0, 0},
        {"gone", "12", 2, 1, 0, 0, 0},    {"c", "1", 1, 1, 0, 0, 0},
        {"retyped", "1", 1, 1, 0, 0, 0},
    };
    static const TestMember after[] = {
        {"c", "1", 1, 1, 0, 0, 0},
        {"a", "12345078", 8, 1, 0, 0, 0},
        {"B", "123456", 6, 0x4853454D, 6, 0, 0},
        {"same", "x", 1, 1, 0, 0, 0},
        {"same", "z", 1, 1, 0, 0, 0},
        {"retyped", "1", 1, 2, 0, 0, 0},
        {"fresh", "123", 3, 1, 0, 0, 0},
    };
    OWNED(Image) a = Image_Make(before, 7), b = Image_Make(after, 7);
    assert_string_equal(
        Diff(&a, &b), "~ entry 0 \"a\" 1: payload of 8 bytes, first difference at byte 5\n"
                      "~ entry 1 \"b\" MESH: name field, first difference at byte 0\n"
                      "~ entry 1 \"b\" MESH: attr1 5 -> 6\n"
                      "~ entry 1 \"b\" MESH: payload of 4 -> 6 bytes, first difference at byte 4\n"
                      "~ entry 3 \"same\" 1: payload of 1 bytes, first difference at byte 0\n"
                      "- entry 4 \"gone\" 1, 2 bytes\n"
                      "~ entry 6 \"retyped\" 1: type 1 -> 2\n"
                      "+ entry 6 \"fresh\" 1, 3 bytes\n"
                      "~ entry 5 \"c\" 1: position 5 -> 0\n");
    assert_string_equal(Diff(&a, &a), "");
    Image_Free(&b);
    b = Image_Copy(a.bytes, a.size);
    Image_Insert(&b, 16, NULL, 8);
    assert_string_equal(Diff(&a, &b), "~ layout: the same members in 520 -> 528 bytes, first "
                                      "difference at byte 0xC\n");
}

/* Equal images have no differences, and others have some. */
TEST(DifferencesAreThereWhenBytesDiffer) {
    uint64_t seed = 12;
    for (int i = 0; i < 2000; i++) {
        OWNED(Image) a = Generator_Any(&seed), b = Image_Copy(a.bytes, a.size);
        assert_string_equal(Diff(&a, &b), "");
        if (a.size > 16) {
            b.bytes[16 + Random_Lcg64Below(&seed, (uint32_t)a.size - 16)] ^= 1;
            assert_string_not_equal(Diff(&a, &b), "");
        }
    }
}

/* ---- edits ----------------------------------------------------------------------------------- */

TEST(OperationsAreWords) {
    static const TestMember members[] = {
        {"a.b", "1", 1, 1, 0, 0, 0}, {"c=d", "", 0, 1, 0, 0, 0}, {"z", "", 0, 3, 0, 0, 0}};
    OWNED(Image) image = Image_Make(members, 3);
    const RpNRes opened = Open(&image);
    OWNED(RpNResArchive) archive = {0};
    assert_int_equal(RpNResArchive_Read(&archive, &opened, NULL), RP_OK);
    assert_int_equal(ArchiveEdit_Apply(&archive, "set", "A.B.attr1=0x10", NULL), RP_OK);
    assert_int_equal(archive.members[0].attr1, 16);
    assert_int_equal(ArchiveEdit_Apply(&archive, "set", "c=d.attr3=7", NULL), RP_OK);
    assert_int_equal(archive.members[1].attr3, 7);
    assert_int_equal(ArchiveEdit_Apply(&archive, "set", "#2.type=Texm", NULL), RP_OK);
    assert_int_equal(archive.members[2].type, 0x6D786554);
    assert_int_equal(ArchiveEdit_Apply(&archive, "rename", "z=\xD0\x90", NULL), RP_OK);
    assert_string_equal(archive.members[2].name, "\xC0");
    assert_int_equal(ArchiveEdit_Apply(&archive, "move", "#2=0", NULL), RP_OK);
    assert_string_equal(archive.members[0].name, "\xC0");
    assert_int_equal(ArchiveEdit_Apply(&archive, "sort", "name", NULL), RP_OK);
    assert_string_equal(archive.members[0].name, "a.b");
    assert_int_equal(ArchiveEdit_Apply(&archive, "sort", "4", NULL), RP_OK);
    assert_int_equal(ArchiveEdit_Apply(&archive, "remove", "\xD0\x90", NULL), RP_OK);
    assert_int_equal(archive.count, 2);
}

TEST(WrongOperationsAreRefused) {
    static const TestMember members[] = {{"a", "1", 1, 1, 0, 0, 0}};
    static const struct {
        const char *operation, *argument;
        RpStatus status;
    } cases[] = {
        {"paint", "a", RP_INVALID},
        {"remove", "b", RP_NOT_FOUND},
        {"remove", "#1", RP_NOT_FOUND},
        {"remove", "", RP_NOT_FOUND},
        {"rename", "a", RP_INVALID},
        {"rename", "a=", RP_INVALID},
        {"rename", "b=c", RP_NOT_FOUND},
        {"rename", "a=\xE4\xB8\xAD", RP_INVALID},
        {"move", "a=b", RP_INVALID},
        {"move", "a=1", RP_INVALID},
        {"move", "a=-1", RP_INVALID},
        {"set", "a", RP_INVALID},
        {"set", "a=5", RP_INVALID},
        {"set", "a.attr4=5", RP_INVALID},
        {"set", "a.attr1=x", RP_INVALID},
        {"set", "a.attr1=4294967296", RP_INVALID},
        {"set", "a.attr1=", RP_INVALID},
        {"set", "b.attr1=5", RP_NOT_FOUND},
        {"set", "a.type=MES", RP_INVALID},
        {"sort", "size", RP_INVALID},
        {"sort", "12", RP_INVALID},
        {"add", "/nowhere/at/all:x", RP_NOT_FOUND},
        {"replace", "a=/nowhere/at/all", RP_NOT_FOUND},
    };
    OWNED(Image) image = Image_Make(members, 1);
    const RpNRes opened = Open(&image);
    OWNED(RpNResArchive) archive = {0};
    OWNED(RpBuffer) written = {0};
    assert_int_equal(RpNResArchive_Read(&archive, &opened, NULL), RP_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RpError error;
        const RpStatus status =
            ArchiveEdit_Apply(&archive, cases[i].operation, cases[i].argument, &error);
        if (status != cases[i].status || !error.what[0])
            fail_msg("%s %s: %s", cases[i].operation, cases[i].argument, RpStatus_Name(status));
    }
    assert_int_equal(RpNResArchive_Write(&archive, RP_NRES_PRESERVING, &written, NULL), RP_OK);
    assert_memory_equal(written.bytes, image.bytes, image.size);
}

/* ---- names ----------------------------------------------------------------------------------- */

TEST(NamesOfFilesLeadNowhereElse) {
    static const struct {
        const char *name, *file;
    } cases[] = {
        {"tree.msh", "tree.msh"},
        {"../../etc/passwd", "_.._.._etc_passwd"},
        {"..", "_"},
        {".", "_"},
        {"", "_"},
        {"a/b\\c:d", "a_b_c_d"},
        {"CON", "_CON"},
        {"con.txt", "_con.txt"},
        {"com", "com"},
        {"a.", "a"},
        {"a. . ", "a"},
        {" a", "_ a"},
        {"-rf", "_-rf"},
        {"~x", "_x"},
        {"a\x01\x7F\xC0*?\"<>|", "a_________"},
        {"Manifest.JSON", "_Manifest.JSON"},
        {"COM\xB9.txt", "COM_.txt"},
        {".hidden", "_.hidden"},
        {"retropose.toml", "_retropose.toml"},
        {"RetroPose.TOML. . ", "_RetroPose.TOML"},
        {"RETROPOSE.INI", "_RETROPOSE.INI"},
        {"retropose", "retropose"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char file[MEMBER_FILE_BYTES];
        MemberFile_Sanitise(cases[i].name, strlen(cases[i].name), file);
        assert_string_equal(file, cases[i].file);
    }
}

TEST(FilesHaveDifferentNamesInAnyCase) {
    static const TestMember members[] = {
        {"Land.msh", "", 0, 1, 0, 0, 0}, {"land.MSH", "", 0, 1, 0, 0, 0},
        {"LAND.msh", "", 0, 1, 0, 0, 0}, {"..", "", 0, 1, 0, 0, 0},
        {"/", "", 0, 1, 0, 0, 0},        {"Land~1.msh", "", 0, 1, 0, 0, 0}};
    static const char *const expected[] = {"Land.msh", "land~1.MSH", "LAND~2.msh",
                                           "_",        "_~4",        "Land_1.msh"};
    OWNED(Image) image = Image_Make(members, 6);
    const RpNRes archive = Open(&image);
    HEAP MemberFileName *files = ArchiveFile_Names(&archive);
    for (uint32_t i = 0; i < 6; i++)
        assert_string_equal(files[i].text, expected[i]);
}

TEST(TypesAreFourCharactersOrNumbers) {
    static const struct {
        uint32_t type;
        const char *text;
    } cases[] = {{0x4853454D, "MESH"},
                 {0x6D786554, "Texm"},
                 {0x3054414D, "MAT0"},
                 {0, "0"},
                 {19, "19"},
                 {0xFFFFFFFF, "4294967295"},
                 {0x31323334, "825373492"},
                 {0x2020204D, "M   "}};
    uint32_t type = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[ARCHIVE_TYPE_BYTES];
        ArchiveType_Show(cases[i].type, text);
        assert_string_equal(text, cases[i].text);
        assert_true(ArchiveType_Parse(text, &type));
        assert_int_equal(type, cases[i].type);
    }
    assert_true(ArchiveType_Parse("0x4853454D", &type));
    assert_int_equal(type, 0x4853454D);
    assert_false(ArchiveType_Parse("MES", &type));
    assert_false(ArchiveType_Parse("-1", &type));
    assert_false(ArchiveType_Parse("", &type));
    assert_false(ArchiveType_Parse("4294967296", &type));
}

/* ---- lists ----------------------------------------------------------------------------------- */

TEST(ListsAndSummariesTakeAnyArchive) {
    uint64_t seed = 13;
    for (int i = 0; i < 300; i++) {
        OWNED(Image) image = Generator_Any(&seed);
        const RpNRes archive = Open(&image);
        for (int kind = 0; kind < 4; kind++) {
            OWNED(RpBuffer) text = {0};
            RpError error;
            const RpStatus status = kind == 0   ? ArchiveList_Text(&archive, true, &text, &error)
                                    : kind == 1 ? ArchiveList_Json(&archive, true, &text, &error)
                                    : kind == 2 ? ArchiveInfo_Text(&archive, &text, &error)
                                                : ArchiveInfo_Json(&archive, NULL, &text, &error);
            assert_int_equal(status, RP_OK);
            assert_true(text.size > 10);
        }
    }
}
