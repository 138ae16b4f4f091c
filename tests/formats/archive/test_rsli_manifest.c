/* Tests libraries as text and back, the differences between two libraries, edits by words, and
 * names of files. */
#include "core/random.h"
#include "formats/archive/rsli_diff.h"
#include "formats/archive/rsli_edit.h"
#include "formats/archive/rsli_list.h"
#include "formats/archive/rsli_manifest.h"
#include "formats/archive/rsli_names.h"
#include "tests/formats/rsli/image.h"
#include "tests/formats/rsli/work.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

typedef struct Opened {
    RpRsLiRecord records[MOST];
    RpRsLi rsli;
} Opened;

static void Open(Opened *opened, const void *bytes, size_t size) {
    assert_int_equal(
        RpRsLi_Open(bytes, size, 2, RP_TOLERANT, opened->records, MOST, &opened->rsli, NULL),
        RP_OK);
}

static RpStatus Assemble(const char *json, bool canonical, RpBuffer *image, RpError *error) {
    RpBuffer_Init(image, NULL);
    return RsLiManifest_Assemble(json, strlen(json), ".", canonical, image, error);
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static uint64_t seed;

static uint32_t Draw(uint32_t bound) {
    return Random_Lcg64Below(&seed, bound);
}

/* Draws any method, offsets that leave gaps and overlap, and keys of a map that may be wrong. The
 * library may be marked and may have a trailer, and its sizes may be wrong. */
static void DrawImage(Image *image) {
    static const char letters[] = "abcXYZ\xC0\x98\x01 ./";
    static char names[MOST][13];
    static uint8_t payloads[MOST][40];
    static Row rows[MOST];
    uint32_t count = Draw(8);
    for (uint32_t i = 0; i < count; i++) {
        memset(names[i], 0, sizeof names[i]);
        for (uint32_t k = Draw(13); k > 0; k--)
            names[i][k - 1] = letters[Draw(sizeof letters - 1)];
        for (size_t k = 0; k < sizeof payloads[i]; k++)
            payloads[i][k] = (uint8_t)Draw(256);
        rows[i] = (Row){.name = names[i],
                        .flags = (uint16_t)(Draw(16) << 5 | (Draw(4) ? 0 : Draw(32))),
                        .sort = (uint16_t)Draw(count + (Draw(5) == 0)),
                        .unpacked_size = Draw(60),
                        .packed_size = Draw(40),
                        .packed = payloads[i]};
    }
    Image_Make(image, Draw(0x20000), rows, count);
    Image_Cipher(image);
    for (uint32_t i = 0; i < count; i++)
        if (Draw(4) == 0)
            Image_PutU32(image->bytes + 32 + 32 * (size_t)i + 24, Draw((uint32_t)image->size + 2));
    Image_Cipher(image);
    for (int i = 0; i < 3; i++)
        if (Draw(3) == 0)
            image->bytes[6 + Draw(26)] = (uint8_t)Draw(256);
    image->seed = Image_U32(image->bytes + 20);
    if (Draw(3) == 0)
        Image_Append(image, "bytes of nobody", 1 + Draw(15));
    if (Draw(4) == 0)
        Image_AppendTrailer(image, Draw(64));
}

TEST(ADumpGivesTheSameBytes) {
    uint32_t dumped = 0;
    for (seed = 1; seed < 4000; seed++) {
        Image image;
        Opened opened;
        RpBuffer json = {0}, again;
        RpError error = {.what = ""};
        uint64_t kept = seed;
        DrawImage(&image);
        Open(&opened, image.bytes, image.size);
        RpStatus status = RsLiManifest_Dump(&opened.rsli, &json, &error);
        assert_true(status == RP_OK || status == RP_CORRUPT); /* a payload lies outside */
        if (status == RP_OK) {
            RpBuffer_Append(&json, "", 1);
            if (Assemble((const char *)json.bytes, false, &again, &error) != RP_OK)
                fail_msg("%s at %s: %s, %s\n%s", error.what, error.where, error.expected,
                         error.found, (const char *)json.bytes);
            assert_int_equal(again.size, image.size);
            if (memcmp(again.bytes, image.bytes, image.size) != 0)
                fail_msg("%s", (const char *)json.bytes);
            RpBuffer_Free(&again);
            dumped++;
        }
        RpBuffer_Free(&json);
        seed = kept;
    }
    assert_in_range(dumped, 2000, 3998);
}

/* ---- manifests by hand ----------------------------------------------------------------------- */

#define HEAD        "{\"format\": \"retropose rsli 1\", "
#define ONE(FIELDS) HEAD "\"entries\": [{\"name\": \"A\", \"hex\": \"00\"}, {" FIELDS "}]}"

TEST(AManifestByHandNeedsContentsOnly) {
    static const char json[] =
        HEAD "\"seed\": 4660, \"entries\": ["
             "{\"name\": \"C\", \"method\": \"xor+lzss\", \"hex\": \"414243\"},"
             "{\"name\": \"A\", \"method\": \"huffman\", \"flags\": 512, \"hex\": \"\"},"
             "{\"name\": \"\xD0\x90\", \"hex\": \"00ff\", \"service\": \"01020304\"}]}";
    OWNED(RpBuffer) image;
    Opened opened;
    uint8_t output[3];
    assert_int_equal(Assemble(json, false, &image, NULL), RP_OK);
    Open(&opened, image.bytes, image.size);
    assert_int_equal(opened.rsli.count, 3);
    assert_int_equal(opened.rsli.seed, 4660);
    assert_int_equal(opened.records[0].flags, RP_RSLI_XOR_LZSS);
    assert_int_equal(opened.records[1].flags, RP_RSLI_HUFFMAN | 512);
    assert_int_equal(opened.records[2].name[0], 0xC0);
    assert_memory_equal(opened.records[2].service, "\1\2\3\4", 4);
    assert_int_equal(opened.records[0].sort, 1);
    assert_int_equal(RpRsLi_Load(&opened.rsli, 0, output, work, NULL, NULL), RP_OK);
    assert_memory_equal(output, "ABC", 3);
    assert_int_equal(RpRsLi_Load(&opened.rsli, 2, output, work, NULL, NULL), RP_OK);
    assert_memory_equal(output, "\0\xFF", 2);
}

/* A name that is changed in the text moves entries in the map and payloads to other keys. */
/* Fields that a manifest leaves out follow from the names, also in a library that is not marked as
 * sorted. */
TEST(SortFieldsAreThereWhereverTheyCanBe) {
    for (int marked = 0; marked < 2; marked++) {
        OWNED(RpBuffer) image;
        Opened opened;
        RpError error = {.what = ""};
        assert_int_equal(
            Assemble(marked ? HEAD "\"entries\": [{\"name\": \"B\", \"hex\": \"00\"}, {\"name\": "
                                   "\"A\", \"hex\": \"01\"}]}"
                            : HEAD "\"sort_mark\": 0, \"entries\": [{\"name\": \"B\", \"hex\": "
                                   "\"00\"}, {\"name\": \"A\", \"hex\": \"01\"}]}",
                     false, &image, &error),
            RP_OK);
        Open(&opened, image.bytes, image.size);
        assert_int_equal(opened.rsli.presorted, marked);
        assert_int_equal(opened.records[0].stored_sort, 1);
        assert_int_equal(opened.records[1].stored_sort, 0);
    }
}

TEST(ARenamedEntryGetsItsKey) {
    RpRsLiArchive archive;
    OWNED(RpBuffer) image = {0}, json = {0}, again;
    Opened opened;
    uint8_t output[4];
    static const char *const names[] = {"BBBB", "CCCC", "DDDD"};
    RpRsLiArchive_Init(&archive, NULL);
    for (uint32_t i = 0; i < 3; i++)
        RpRsLiArchive_Add(&archive, i, names[i], RP_RSLI_XOR_HUFFMAN, names[i], 4, NULL);
    assert_int_equal(RpRsLiArchive_Write(&archive, RP_RSLI_CANONICAL, &image, NULL), RP_OK);
    RpRsLiArchive_Free(&archive);
    Open(&opened, image.bytes, image.size);
    assert_int_equal(RsLiManifest_Dump(&opened.rsli, &json, NULL), RP_OK);
    RpBuffer_Append(&json, "", 1);
    char *name = strstr((char *)json.bytes, "\"DDDD\"");
    assert_non_null(name);
    memcpy(name, "\"AAAA\"", 6);
    assert_int_equal(Assemble((const char *)json.bytes, false, &again, NULL), RP_OK);
    assert_int_equal(RpRsLi_Check(again.bytes, again.size, 2, NULL, NULL, NULL), RP_OK);
    Open(&opened, again.bytes, again.size);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(RpRsLi_Load(&opened.rsli, i, output, work, NULL, NULL), RP_OK);
        assert_memory_equal(output, names[i], 4);
        assert_int_equal(opened.records[i].sort, i == 0 ? 2 : i - 1);
    }
}

TEST(WrongManifestsAreRefusedByField) {
    static const struct {
        const char *json, *where;
    } wrong[] = {
        {"{}", "format"},
        {"{\"format\": \"retropose nres 1\"}", "format"},
        {HEAD "\"seed\": -1}", "seed"},
        {HEAD "\"seed\": 4294967296}", "seed"},
        {HEAD "\"size\": 4294967296}", "size"},
        {HEAD "\"seed\": 0.5}", "seed"},
        {HEAD "\"seed\": \"1\"}", "seed"},
        {HEAD "\"sort_mark\": 65536}", "sort_mark"},
        {HEAD "\"bytes_8\": \"00\"}", "bytes_8"},
        {HEAD "\"bytes_24\": \"000000000000000g\"}", "bytes_24"},
        {HEAD "\"overlay\": -1}", "overlay"},
        {ONE("\"hex\": \"00\""), "entries[1].name"},
        {ONE("\"name\": 7, \"hex\": \"00\""), "entries[1].name"},
        {ONE("\"name\": \"ABCDEFGHIJKLM\", \"hex\": \"00\""), "entries[1].name"},
        {ONE("\"name\": \"\xE4\xBD\xA0\", \"hex\": \"00\""), "entries[1].name"},
        {ONE("\"name\": \"B\", \"name_tail\": \"00\", \"hex\": \"00\""), "entries[1].name_tail"},
        {ONE("\"name\": \"B\""), "entries[1].file"},
        {ONE("\"name\": \"B\", \"hex\": \"0x\""), "entries[1].hex"},
        {ONE("\"name\": \"B\", \"hex\": \"000\""), "entries[1].hex"},
        {ONE("\"name\": \"B\", \"hex\": 0"), "entries[1].hex"},
        {ONE("\"name\": \"B\", \"file\": \"../x\""), "entries[1].file"},
        {ONE("\"name\": \"B\", \"file\": \"/x\""), "entries[1].file"},
        {ONE("\"name\": \"B\", \"file\": \"a/..\""), "entries[1].file"},
        {ONE("\"name\": \"B\", \"file\": \"c:x\""), "entries[1].file"},
        {ONE("\"name\": \"B\", \"file\": \"a\\\\b\""), "entries[1].file"},
        {ONE("\"name\": \"B\", \"packed_file\": \"\""), "entries[1].packed_file"},
        {ONE("\"name\": \"B\", \"hex\": \"\", \"method\": \"zip\""), "entries[1].method"},
        {ONE("\"name\": \"B\", \"hex\": \"\", \"method\": 64"), "entries[1].method"},
        {ONE("\"name\": \"B\", \"hex\": \"\", \"flags\": 65536"), "entries[1].flags"},
        {ONE("\"name\": \"B\", \"hex\": \"\", \"offset\": -2"), "entries[1].offset"},
        {ONE("\"name\": \"B\", \"hex\": \"\", \"service\": \"\""), "entries[1].service"},
        {HEAD "\"regions\": [{\"hex\": \"00\"}]}", "regions[0].place"},
        {HEAD "\"regions\": [{\"place\": 40}]}", "regions[0].place"},
        {HEAD "\"regions\": [{\"place\": 4294967296, \"hex\": \"\"}]}", "regions[0].place"},
        {HEAD "\"regions\": [{\"place\": 40, \"file\": \"..\"}]}", "regions[0].file"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        OWNED(RpBuffer) image;
        RpError error = {.status = RP_OK};
        RpStatus status = Assemble(wrong[i].json, false, &image, &error);
        if (status != RP_INVALID || strcmp(error.where, wrong[i].where) != 0)
            fail_msg("%s: %s at %s", wrong[i].json, error.what, error.where);
        assert_int_equal(image.size, 0);
    }
    OWNED(RpBuffer) image;
    assert_int_equal(Assemble("no JSON", false, &image, NULL), RP_INVALID);
    assert_int_equal(Assemble("[1", false, &image, NULL), RP_INVALID);
    assert_int_equal(Assemble(HEAD "\"size\": 4294967295}", false, &image, NULL), RP_OK);
    assert_int_equal(image.size, 32); /* such a size is not believed */
}

/* ---- differences ----------------------------------------------------------------------------- */

static const Row three[] = {
    {.name = "C", .sort = 1, .unpacked_size = 3, .packed_size = 3, .packed = "ccc"},
    {.name = "A", .sort = 2, .unpacked_size = 2, .packed_size = 2, .packed = "aa"},
    {.name = "B", .sort = 0, .unpacked_size = 1, .packed_size = 1, .packed = "b"},
};

/* Makes an edit of the library of three and compares the lines that describe it. */
static void AssertDiff(const char *const *words, const char *expected) {
    Image image;
    Opened a, b;
    RpRsLiArchive archive;
    OWNED(RpBuffer) edited = {0}, text = {0}, json = {0};
    bool different = true;
    Image_Make(&image, 0x1234, three, 3);
    Open(&a, image.bytes, image.size);
    RpRsLiArchive_Init(&archive, NULL);
    assert_int_equal(RpRsLiArchive_Read(&archive, &a.rsli, NULL), RP_OK);
    RsLiEditor editor = {&archive, -1};
    for (; *words; words += 2) {
        RpError error;
        if (RsLiEdit_Apply(&editor, words[0], words[1], &error) != RP_OK)
            fail_msg("%s at %s", error.what, error.where);
    }
    assert_int_equal(RpRsLiArchive_Write(&archive, RP_RSLI_PRESERVING, &edited, NULL), RP_OK);
    RpRsLiArchive_Free(&archive);
    Open(&b, edited.bytes, edited.size);
    assert_int_equal(RsLiDiff_Text(&a.rsli, &b.rsli, &text, &different, NULL), RP_OK);
    RpBuffer_Append(&text, "", 1);
    assert_string_equal((const char *)text.bytes, expected);
    assert_int_equal(different, expected[0] != 0);
    assert_int_equal(RsLiDiff_Json(&a.rsli, &b.rsli, &json, &different, NULL), RP_OK);
    RpBuffer_Append(&json, "", 1);
    assert_int_equal(strstr((const char *)json.bytes, "\"identical\":\ttrue") != NULL, !different);
}

TEST(DifferencesAreNamed) {
    AssertDiff((const char *const[]){NULL}, "");
    AssertDiff((const char *const[]){"remove", "a", NULL}, "- entry 1 \"A\" stored, 2 bytes\n");
    AssertDiff((const char *const[]){"move", "#0=2", NULL}, "~ entry 0 \"C\": position 0 -> 2\n");
    AssertDiff((const char *const[]){"rename", "C=new", NULL},
               "- entry 0 \"C\" stored, 3 bytes\n+ entry 0 \"NEW\" stored, 3 bytes\n");
    AssertDiff((const char *const[]){"method", "lzss", "repack", "C", NULL},
               "~ entry 0 \"C\": stored (flags 0x0) -> lzss (0x40)\n");
    AssertDiff((const char *const[]){"method", "xor", "repack", "B", "repack", "#1", NULL},
               "~ entry 1 \"A\": stored (flags 0x0) -> xor (0x20)\n"
               "~ entry 2 \"B\": stored (flags 0x0) -> xor (0x20)\n");
}

TEST(ContentsHeaderAndLayoutDiffer) {
    Image left, right;
    Opened a, b;
    OWNED(RpBuffer) text = {0};
    Image_Make(&left, 0x1234, three, 3);
    right = left;
    right.bytes[129] = 'C';
    right.bytes[24] = 1;
    Open(&a, left.bytes, left.size);
    Open(&b, right.bytes, right.size);
    assert_int_equal(RsLiDiff_Text(&a.rsli, &b.rsli, &text, NULL, NULL), RP_OK);
    RpBuffer_Append(&text, "", 1);
    assert_string_equal((const char *)text.bytes,
                        "~ entry 0 \"C\": contents of 3 bytes, first difference at byte 1\n"
                        "~ header: byte 24, 0x00 -> 0x01\n");
    text.size = 0;
    right = left;
    Image_Append(&right, "x", 1);
    Open(&b, right.bytes, right.size);
    assert_int_equal(RsLiDiff_Text(&a.rsli, &b.rsli, &text, NULL, NULL), RP_OK);
    RpBuffer_Append(&text, "", 1);
    assert_string_equal((const char *)text.bytes,
                        "~ layout: the same entries in 134 -> 135 bytes, first difference at byte "
                        "0x86\n");
}

/* Any comparison has to end, and to find nothing between equal libraries. */
TEST(AnyLibrariesCompare) {
    for (seed = 1; seed < 2000; seed++) {
        Image left, right;
        Opened a, b;
        RpBuffer text = {0};
        bool different;
        uint64_t kept = seed;
        DrawImage(&left);
        DrawImage(&right);
        Open(&a, left.bytes, left.size);
        Open(&b, right.bytes, right.size);
        assert_int_equal(RsLiDiff_Text(&a.rsli, &a.rsli, &text, &different, NULL), RP_OK);
        assert_false(different);
        assert_int_equal(RsLiDiff_Json(&a.rsli, &b.rsli, &text, &different, NULL), RP_OK);
        assert_int_equal(RsLiList_Text(&a.rsli, &text, NULL), RP_OK);
        assert_int_equal(RsLiList_Json(&a.rsli, &text, NULL), RP_OK);
        assert_int_equal(RsLiInfo_Text(&a.rsli, &text, NULL), RP_OK);
        assert_int_equal(RsLiInfo_Json(&a.rsli, NULL, &text, NULL), RP_OK);
        RpBuffer_Free(&text);
        seed = kept;
    }
}

/* ---- edits by words -------------------------------------------------------------------------- */

TEST(WrongEditsChangeNothing) {
    static const char *const wrong[][2] = {{"paint", "A"},
                                           {"method", "zip"},
                                           {"add", "/nowhere/at/all"},
                                           {"add", "x:TOOLONGANAMEX"},
                                           {"replace", "A"},
                                           {"replace", "A=/nowhere/at/all"},
                                           {"replace", "X=y"},
                                           {"remove", "X"},
                                           {"remove", "#3"},
                                           {"rename", "A"},
                                           {"rename", "A="},
                                           {"rename", "A=ABCDEFGHIJKLM"},
                                           {"move", "A=3"},
                                           {"move", "A=-1"},
                                           {"move", "A=x"},
                                           {"move", "A"},
                                           {"repack", "X"},
                                           {"remove", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}};
    Image image;
    Opened opened;
    OWNED(RpRsLiArchive) archive;
    OWNED(RpBuffer) written = {0};
    Image_Make(&image, 0x1234, three, 3);
    Open(&opened, image.bytes, image.size);
    RpRsLiArchive_Init(&archive, NULL);
    assert_int_equal(RpRsLiArchive_Read(&archive, &opened.rsli, NULL), RP_OK);
    RsLiEditor editor = {&archive, -1};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (RsLiEdit_Apply(&editor, wrong[i][0], wrong[i][1], NULL) == RP_OK)
            fail_msg("%s %s", wrong[i][0], wrong[i][1]);
    assert_int_equal(RpRsLiArchive_Write(&archive, RP_RSLI_PRESERVING, &written, NULL), RP_OK);
    assert_int_equal(written.size, image.size);
    assert_memory_equal(written.bytes, image.bytes, image.size);
}

/* ---- names ----------------------------------------------------------------------------------- */

TEST(FileNamesLeadNowhereAndDiffer) {
    static const char *const names[] = {"A.TEX", "a.tex", "../X",     "CON",   "",   "NUL.TXT",
                                        ".",     "A\\B",  "MANIFEST", "A.TEX", "-R", "\xC0\xC1"};
    static const char *const expected[] = {"A.TEX",    "a~1.tex",  "_.._X", "_CON",
                                           "_",        "_NUL.TXT", "_~6",   "A_B",
                                           "MANIFEST", "A~9.TEX",  "_-R",   "__"};
    Row rows[12];
    Image image;
    Opened opened;
    memset(rows, 0, sizeof rows);
    for (uint32_t i = 0; i < 12; i++)
        rows[i].name = names[i];
    Image_Make(&image, 0, rows, 12);
    Open(&opened, image.bytes, image.size);
    HEAP MemberFileName *files = RsLiFile_Names(&opened.rsli);
    assert_non_null(files);
    for (uint32_t i = 0; i < 12; i++)
        assert_string_equal(files[i].text, expected[i]);
}

TEST(NamesAreShownWithoutControlCharacters) {
    char text[LIBRARY_SHOWN_BYTES], name[RP_RSLI_NAME_BYTES + 1];
    RsLiName_Show((const uint8_t *)"A\x1B[\x7F\xC0\x98\xFF\0\0\0\0\0", text);
    assert_string_equal(text, "A\\x1B[\\x7F\xD0\x90\\x98\xD1\x8F");
    memset(name, 1, sizeof name);
    RsLiName_Show((const uint8_t *)name, text);
    assert_int_equal(strlen(text), LIBRARY_SHOWN_BYTES - 1);
    assert_true(RsLiName_FromUtf8("\xD0\x90"
                                  "b",
                                  name));
    assert_string_equal(name, "\xC0"
                              "b");
    assert_false(RsLiName_FromUtf8("", name));
    assert_false(RsLiName_FromUtf8("ABCDEFGHIJKLM", name));
}
