/* cmocka needs these before itself. */
#include <stddef.h>
#include <stdint.h>

#include "replay/truth/bundle.h"
#include "retropose/file.h"
#include "tests/test.h"
#include "tracefile/tracefile.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A report as replay writes it, including what must not get into a bundle: folders and commands. */
static const char replay[] =
    "{\"command\":\"retropose replay --original /SECRET\","
    "\"a\":{\"kind\":\"original\",\"description\":\"SECRET\",\"directory\":\"/SECRET\","
    "\"ngi32.sha256\":\"11\"},\"b\":{\"kind\":\"replacement\",\"directory\":\"C:\\\\SECRET\"},"
    "\"processor\":\"This one\",\"notice\":\"a notice\",\"error\":\"SECRET\","
    "\"totals\":{\"compared\":90,\"unsupported\":1,\"not_called\":5},\"functions\":["
    "{\"key\":\"ngi32.slot4\",\"name\":\"Product\",\"compared\":10,\"different\":0},"
    "{\"key\":\"ngi32.slot7\",\"name\":\"Rotate\",\"compared\":10,\"different\":3},"
    "{\"key\":\"ngi32.slot14\",\"name\":\"ToMatrix\",\"compared\":10,\"different\":9,"
    "\"crashed_a\":9},"
    "{\"key\":\"ngi32.slot15\",\"name\":\"Mirrored\",\"compared\":10,\"different\":9,"
    "\"crashed_a\":9},"
    "{\"key\":\"ngi32.slot17\",\"name\":\"Slerp\",\"compared\":10,\"different\":0,"
    "\"processor\":2},"
    "{\"key\":\"ngi32.slot20\",\"name\":\"Light\",\"compared\":10,\"different\":0,"
    "\"unsupported\":1},"
    "{\"key\":\"ngi32.slot22\",\"name\":\"Blend\",\"compared\":0,\"different\":0,"
    "\"not_called\":5}],"
    "\"differences\":[{\"function\":\"ngi32.slot7\",\"trace\":\"slots@fxch\",\"path\":\"result[1]"
    "\","
    "\"a\":{\"hex\":\"3f800000\",\"decimal\":\"1\"},\"b\":{\"hex\":\"3f800001\",\"decimal\":"
    "\"1.00000012\"},\"ulps\":\"1\",\"repeat\":\"retropose --original /SECRET\","
    "\"followed\":\"SECRET\"}]}";

static const char probe[] =
    "{\"directory\":\"/SECRET\",\"functions\":["
    "{\"function\":\"ngi32.slot7\",\"verdict\":\"found\",\"words\":\"in 48 of 48 cases\","
    "\"entry\":{\"signature\":\"SECRET\"},\"code\":\"SECRET\"},"
    "{\"function\":\"ngi32.slot14\",\"verdict\":\"not-tried\",\"words\":\"no formula\"},"
    "{\"function\":\"ngi32.slot15\",\"verdict\":\"found\",\"words\":\"in 48 of 48 cases\"}]}";

static const char calibrate[] =
    "{\"hypotheses\":[{\"name\":\"key-order\",\"verdict\":\"decided\",\"choice\":\"wxyz\","
    "\"alternatives\":[{\"name\":\"xyzw\"},{\"name\":\"wxyz\"}]},"
    "{\"name\":\"key-scale\",\"verdict\":\"decided\",\"choice\":\"f32\",\"alternatives\":[{"
    "\"name\":"
    "\"f32\"}]},{\"name\":\"central\",\"verdict\":\"not asked\"}]}";

static const char census[] =
    "{\"files\":3,\"rows\":[{\"id\":\"T2\",\"what\":\"boxes\",\"expected\":"
    "\"9\",\"found\":\"7\",\"verdict\":\"DIFFERS\",\"why\":\"/SECRET\"}]}";

static const char exports[] =
    "{\"module\":\"ngi32\",\"size\":4,\"exports\":[{\"name\":\"SECRET\"}],"
    "\"known\":[{\"function\":\"SECRET\"}],\"differences\":0}";

/* What of a report of a run with --coverage gets into a bundle, and what does not. */
#define COUNTS(blocks, blocks_reached, sides, sides_reached)                                       \
    "\"blocks\":" #blocks ",\"blocks_reached\":" #blocks_reached ",\"sides\":" #sides              \
    ",\"sides_reached\":" #sides_reached
static const char coverage[] = "{\"coverage\":[{\"side\":\"a\"," COUNTS(
    9, 8, 6,
    5) ",\"functions\":["
       "{\"key\":\"ngi32.slot4\",\"name\":\"Product\"," COUNTS(
           1, 1, 0,
           0) "},"
              "{\"key\":\"ngi32.slot7\",\"name\":\"Rotate\"," COUNTS(
                  8, 7, 6,
                  5) "}],"
                     "\"excluded\":[{\"name\":\"the log\",\"reason\":\"it "
                     "is\",\"blocks\":2,\"sides\":1}],"
                     "\"blocks_not_reached\":[{\"address\":\"SECRET\"}],\"open\":[\"SECRET\"]},"
                     "{\"side\":\"b\"," COUNTS(
                         700, 300, 80, 9) ",\"functions\":["
                                          "{\"key\":\"ngi32.slot4\",\"name\":\"Product\"," COUNTS(
                                              9, 3, 2, 1) "}]}]}";

/* What `same --json --formulas` says, and what of it does not get into a bundle. */
#define FORMULA(key, verdict, but_for, more)                                                       \
    "{\"function\":\"" key "\",\"name\":\"SECRET\",\"verdict\":\"" verdict                         \
    "\",\"but_for\":[" but_for "],\"digests\":[\"1f\",\"1f\"],\"details\":[\"SECRET\"]" more "}"
static const char same[] =
    "{\"processor\":\"pentium2\",\"builds\":\"generic\",\"original\":\"SECRET\",\"functions\":"
    "[" FORMULA("ngi32.slot4", "same expression for every input", "", "") "," FORMULA(
        "ngi32.slot17", "same expression for every input", "\"two NaNs\"",
        "") "," FORMULA("ngi32.slot7", "differs", "", ",\"formulas\":[\"x = y\"]") "]}";

/* Of the present test: a bundle, and its text. */
static cJSON *bundle, *read;
static char *text;
static size_t size;
static RpError error;

static cJSON *Make(const char *covered, const char *formulas) {
    const BundleSources sources = {.version = "1",
                                   .system = "Linux",
                                   .exports = {exports, exports},
                                   .probe = probe,
                                   .calibrate = calibrate,
                                   .replay = replay,
                                   .coverage = covered,
                                   .same = formulas,
                                   .census = census,
                                   .digest = "retropose-digest 1"};
    cJSON *made = NULL;
    assert_int_equal(Bundle_Make(&sources, &made, NULL), RP_OK);
    assert_true(Bundle_AddCall(made, "ngi32.slot7", (const uint8_t *)"\1\2\xFF", 3));
    return made;
}

TEST_AROUND(MakeBundle) {
    bundle = Make(NULL, NULL);
    return 0;
}

TEST_AROUND(FreeBundle) {
    cJSON_Delete(bundle);
    free(text);
    text = NULL;
    return 0;
}

static void Write(void) {
    RpBuffer written;
    RpBuffer_Init(&written, NULL);
    assert_int_equal(Bundle_Text(bundle, &written, NULL), RP_OK);
    size = written.size;
    RpBuffer_Append(&written, "", 1);
    text = (char *)written.bytes;
}

TEST(ABundleHasNoFolderAndNothingOfAFile) {
    Write();
    if (strstr(text, "SECRET"))
        fail_msg("%s", strstr(text, "SECRET") - 60);
    assert_non_null(strstr(text, "\"original\""));
}

TEST(ABundleIsReadBack) {
    Write();
    assert_int_equal(Bundle_Read(text, size, &read, NULL), RP_OK);
    const cJSON *call = cJSON_GetArrayItem(cJSON_GetObjectItem(read, "calls"), 0);
    uint8_t *bytes = Bundle_Call(call, &size);
    assert_int_equal(size, 3);
    assert_memory_equal(bytes, "\1\2\xFF", 3);
    free(bytes);
    cJSON_Delete(read);
}

/* The sum of this bundle is right, and its notice would be printed as a verdict of ours. */
TEST(ABundleWithLinesInItsWordsIsRefused) {
    cJSON_ReplaceItemInObject(bundle, "notice",
                              cJSON_CreateString("none\n9 calls compared: 9 functions the same"));
    Write();
    assert_int_equal(Bundle_Read(text, size, &read, &error), RP_CORRUPT);
    assert_string_equal(error.what, "a name or a word of the bundle is not one line");
    assert_null(read);
}

TEST(ADamagedBundleIsRefused) {
    Write();
    const size_t body = (size_t)(strstr(text, "\"sha256\": ") - text) + 12 + 64;
    for (size_t i = 0; i < body; i++) {
        text[i] ^= 1;
        assert_int_equal(Bundle_Read(text, size, &read, &error), RP_CORRUPT);
        assert_null(read);
        text[i] ^= 1;
    }
    for (size_t length = 0; length + 2 < size; length++)
        assert_int_equal(Bundle_Read(text, length, &read, &error), RP_CORRUPT);
    assert_string_equal(error.what, "this is no whole bundle");
}

static void AssertSays(const char *said, const char *words) {
    if (!strstr(said, words))
        fail_msg("\"%s\" is not in:\n%s", words, said);
}

TEST(TheVerdictSaysHowEachFunctionStands) {
    RpBuffer verdict;
    RpBuffer_Init(&verdict, NULL);
    Bundle_Verdict(bundle, &verdict);
    RpBuffer_Append(&verdict, "", 1);
    const char *said = (const char *)verdict.bytes;
    AssertSays(said, "same bit for bit, 1: Product\n");
    AssertSays(said, "differ as processors may, 1: Slerp\n");
    AssertSays(said, "same as far as they were compared, 1: Light\n");
    AssertSays(said, "not compared, 1: Blend\n");
    AssertSays(said, "could not be called: ToMatrix (ngi32.slot14): probe: not-tried, no formula");
    AssertSays(said, "DIFFERENT: Mirrored (ngi32.slot15), 9 of 10 calls\n");
    AssertSays(said,
               "DIFFERENT: Rotate (ngi32.slot7), 3 of 10 calls; first result[1]: 3f800000 (1), "
               "ours 3f800001 (1.00000012), 1 ulps, in slots@fxch\n");
    AssertSays(said, "readings: 2 of 3 decided\n  other than the defaults: key-order=wxyz\n  open: "
                     "central (not asked)\n");
    AssertSays(said,
               "files: 0 numbers as published, 1 not, 0 not checked\n  T2 boxes: 7, published "
               "9\n");
    AssertSays(said, "calls that were not compared: 1 of functions or builds that a side lacks, 5 "
                     "refused\n");
    AssertSays(said,
               "90 calls compared: 2 functions the same, 2 different, 1 could not be called, 2 "
               "not compared or in part\n");
    RpBuffer_Free(&verdict);
}

/* Makes the bundle of a run with --coverage. */
static void MakeCovered(void) {
    cJSON_Delete(bundle);
    bundle = Make(coverage, NULL);
}

/* Only the numbers are kept, and no address. */
TEST(ABundleSaysWhatTheCallsHaveReached) {
    RpBuffer said;
    MakeCovered();
    Write();
    assert_null(strstr(text, "SECRET"));
    assert_int_equal(Bundle_Read(text, size, &read, NULL), RP_OK);
    RpBuffer_Init(&said, NULL);
    Bundle_Verdict(read, &said);
    RpBuffer_Append(&said, "", 1);
    AssertSays((const char *)said.bytes,
               "coverage of side a: the calls reached 8 of 9 blocks, and 5 of 6 sides of branches\n"
               "  excluded: the log (2 blocks, 1 sides)\n"
               "  in part: Rotate (85%)\n"
               "coverage of side b: the calls reached 300 of 700 blocks, and 9 of 80 sides of "
               "branches\n");
    RpBuffer_Free(&said);
    const cJSON *kept = cJSON_GetArrayItem(cJSON_GetObjectItem(read, "coverage"), 1);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(kept, "functions")), 1);
    cJSON_Delete(read);
}

/* Verdicts, digests and, because the owner asked for them, formulas are kept, and the
 * configuration. */
TEST(ABundleSaysWhichFunctionsAreTheSameExpressions) {
    RpBuffer said;
    cJSON_Delete(bundle);
    bundle = Make(NULL, same);
    Write();
    assert_null(strstr(text, "SECRET"));
    assert_non_null(strstr(text, "x = y"));
    assert_int_equal(Bundle_Read(text, size, &read, NULL), RP_OK);
    RpBuffer_Init(&said, NULL);
    Bundle_Verdict(read, &said);
    RpBuffer_Append(&said, "", 1);
    AssertSays((const char *)said.bytes,
               "formulas of 3 functions, in the generic builds on processor pentium2:\n"
               "  the same for every input, 1: Product\n"
               "  the same but for some inputs, such as NaNs, 1: Slerp\n"
               "  DIFFERENT, 1: Rotate\n");
    RpBuffer_Free(&said);
    const cJSON *kept = cJSON_GetObjectItem(cJSON_GetObjectItem(read, "formulas"), "functions");
    assert_int_equal(
        cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetArrayItem(kept, 0), "digests")), 2);
    cJSON_Delete(read);
}

/* The sum is the one that this bundle had before bundles knew of coverage. */
TEST(ABundleWithoutCoverageStaysAsItWas) {
    Write();
    assert_null(strstr(text, "coverage"));
    assert_non_null(
        strstr(text, "\"5092e0cb4c6757cb8601d8985df474d27fd0e7eecad4845898f903bd8212c2dd\""));
}

/* The sums of these bundles are right. */
TEST(CoverageThatCannotBeIsRefused) {
    static const struct {
        const char *member, *where;
        double number;
    } cases[] = {{"blocks", "coverage[0].functions[1].blocks_reached", 6},
                 {"blocks_reached", "coverage[0].functions[1].blocks_reached", 9},
                 {"sides", "coverage[0].functions[1].sides", -1},
                 {"sides_reached", "coverage[0].functions[1].sides_reached", 0.5}};
    for (size_t i = 0; i <= sizeof cases / sizeof *cases; i++) {
        MakeCovered();
        cJSON *side = cJSON_GetArrayItem(cJSON_GetObjectItem(bundle, "coverage"), 0);
        cJSON *function = cJSON_GetArrayItem(cJSON_GetObjectItem(side, "functions"), 1);
        const bool is_number = i < sizeof cases / sizeof *cases;
        if (is_number)
            cJSON_ReplaceItemInObject(function, cases[i].member,
                                      cJSON_CreateNumber(cases[i].number));
        else
            cJSON_DeleteItemFromObject(side, "side");
        free(text);
        Write();
        assert_int_equal(Bundle_Read(text, size, &read, &error), RP_CORRUPT);
        assert_string_equal(error.where, is_number ? cases[i].where : "coverage[0].side");
        assert_null(read);
    }
}

/* A folder that a file of the game has brought into a report or into a trace is found in whatever
 * form it is written. JSON doubles its backslashes, and the digits of a trace hide it. */
TEST(AFolderInABundleIsFound) {
    static const struct {
        const char *planted, *folder;
        bool found;
    } cases[] = {{"C:\\Games\\Parkan", "C:\\Games\\Parkan", true},
                 {"at C:\\Games\\Parkan\\Ngi32.dll", "C:\\Games\\Parkan\\", true},
                 {"at c:/games/PARKAN/Ngi32.dll", "C:\\Games\\Parkan", true},
                 {"C:\\Games\\Parkan", "C:/Games/Parkan", true},
                 {"C:\\Games\\Parka", "C:\\Games\\Parkan", false},
                 {"/home/somebody/x", "/home/somebody", true},
                 {"native and more", "native", false}, /* a word alone may mean anything */
                 {"native and more", "native/", false},
                 {"C:\\ and more", "C:\\", false},
                 {"nothing", NULL, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int place = 0; place < 4; place++) {
            cJSON_Delete(bundle);
            bundle = Make(NULL, NULL);
            cJSON *function = cJSON_GetArrayItem(cJSON_GetObjectItem(bundle, "functions"), 3);
            assert_false(Bundle_NamesFolder(bundle, cases[i].folder));
            if (place == 0)
                cJSON_AddStringToObject(bundle, "planted", cases[i].planted);
            else if (place == 1)
                cJSON_AddStringToObject(function, "planted", cases[i].planted);
            else if (place == 2)
                cJSON_AddStringToObject(function, cases[i].planted, "planted");
            else
                Bundle_AddCall(bundle, "ngi32.slot7", (const uint8_t *)cases[i].planted,
                               strlen(cases[i].planted));
            if (Bundle_NamesFolder(bundle, cases[i].folder) != cases[i].found)
                fail_msg("case %zu at place %d", i, place);
        }
}

/* The trace of a call is packed, so the name of the folder is not among its bytes. */
TEST(AFolderInAPackedTraceIsFound) {
    static uint8_t memory[4096];
    static const TraceMemory named = {.id = 1, .size = sizeof memory, .bytes = memory};
    static const char name[] = "test_bundle.trace";
    TraceHeader header;
    TraceWriter *writer;
    RpBuffer bytes;
    strcpy((char *)memory + 2000, "C:\\Games\\Parkan\\AniMesh.dll");
    TraceHeader_Init(&header);
    assert_int_equal(TraceWriter_Create(name, &header, true, &writer, NULL), RP_OK);
    assert_int_equal(TraceWriter_Memory(writer, &named, NULL), RP_OK);
    assert_int_equal(TraceWriter_Close(writer, NULL), RP_OK);
    RpBuffer_Init(&bytes, NULL);
    assert_int_equal(RpFile_Read(name, &bytes, NULL), RP_OK);
    remove(name);
    assert_true(bytes.size < 1000);
    Bundle_AddCall(bundle, "ngi32.slot7", bytes.bytes, bytes.size);
    assert_true(Bundle_NamesFolder(bundle, "c:/games/parkan"));
    assert_false(Bundle_NamesFolder(bundle, "c:/games/other"));
    RpBuffer_Free(&bytes);
}

TEST(ACallWhoseDigitsAreNoneHasNoBytes) {
    static const char *const traces[] = {"0", "012", "xy", "01x2", ""};
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        cJSON *call = cJSON_CreateObject();
        cJSON_AddStringToObject(call, "trace", traces[i]);
        assert_null(Bundle_Call(call, &size));
        cJSON_Delete(call);
    }
}

TEST(WhatIsNoReportIsRefused) {
    const BundleSources sources = {.version = "1", .system = "", .replay = "{", .digest = ""};
    cJSON *none = NULL;
    assert_int_equal(Bundle_Make(&sources, &none, &error), RP_CORRUPT);
    assert_string_equal(error.where, "replay");
    cJSON_Delete(none);
}

AROUND_EACH(MakeBundle, FreeBundle)
