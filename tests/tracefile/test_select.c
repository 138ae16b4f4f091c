#include "tests/replay/fixture.h"

#include "core/nearest.h"
#include "replay/compare/known.h"
#include "tracefile/select.h"

#include <stdio.h>
#include <string.h>

static bool Has(const char *text, const char *key, uint64_t sequence) {
    Selection *selection;
    RpError error = {0};
    if (Selection_Parse(text, &selection, &error))
        fail_msg("%s: %s", text, error.what);
    bool has = Selection_HasCall(selection, Abi_Find(key), sequence);
    Selection_Free(selection);
    return has;
}

TEST(TermsSelectByFunctionAndSequence) {
    assert_true(Has("ngi32.slot17", "ngi32.slot17", 5));
    assert_false(Has("ngi32.slot17", "ngi32.slot14", 5));
    assert_true(Has("*quaternions", "ngi32.slot17", 5));
    assert_true(Has("InterpolateQuaternions", "ngi32.slot17", 5));
    assert_true(Has("ngi32.slot1?", "ngi32.slot17", 5));
    assert_true(Has("1200", "ngi32.slot17", 1200));
    assert_false(Has("1200", "ngi32.slot17", 1201));
    assert_true(Has("10-19", "ngi32.slot17", 19));
    assert_false(Has("10-19", "ngi32.slot17", 20));
    assert_true(Has("10-", "ngi32.slot17", UINT64_MAX));
    assert_true(Has("ngi32.slot17:3-4, animesh.*", "animesh.SampleNode", 9));
    assert_true(Has("ngi32.slot17:3-4, animesh.*", "ngi32.slot17", 4));
    assert_false(Has("ngi32.slot17:3-4, animesh.*", "ngi32.slot17", 5));
    assert_true(Selection_HasCall(NULL, Abi_Find("ngi32.slot17"), 1));
    assert_true(Selection_HasFunction(NULL, Abi_Find("ngi32.slot17")));
}

TEST(FunctionsAreSelectedWhateverTheRange) {
    Selection *selection;
    assert_int_equal(Selection_Parse("ngi32.slot17:3-4", &selection, NULL), RP_OK);
    assert_true(Selection_HasFunction(selection, Abi_Find("ngi32.slot17")));
    assert_false(Selection_HasFunction(selection, Abi_Find("ngi32.slot14")));
    Selection_Free(selection);
}

TEST(MalformedSelectionsAreRefused) {
    static const char *const bad[] = {"",     ",",     "1,,2",  "1-x",  "9-3",
                                      ":1-2", "slot:", "1.5",   "*:-5", "18446744073709551616",
                                      "1-2-", "@",     "*:1-9a"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Selection *selection = (Selection *)1;
        RpStatus status = Selection_Parse(bad[i], &selection, NULL);
        if (status == RP_OK)
            fail_msg("\"%s\" was accepted", bad[i]);
        assert_null(selection);
    }
}

TEST(AnUnknownFunctionIsNamedWithTheNearest) {
    Selection *selection;
    RpError error;
    assert_int_equal(Selection_Parse("ngi32.slto17", &selection, &error), RP_NOT_FOUND);
    assert_string_equal(error.found, "ngi32.slto17");
    assert_string_equal(error.expected, "perhaps ngi32.slot17");
    assert_int_equal(Selection_Parse("qqqqqqqqqqqq", &selection, &error), RP_NOT_FOUND);
    assert_null(strstr(error.expected, "perhaps"));
}

TEST(AFileHasATermALine) {
    const char *path = Fixture_Path("terms");
    char text[600];
    static const char terms[] = "# a comment\n ngi32.slot17:1-2 # two\n\n7\n";
    Fixture_Write(path, terms, strlen(terms));
    snprintf(text, sizeof text, "@%s", path);
    assert_true(Has(text, "ngi32.slot17", 2));
    assert_true(Has(text, "ngi32.slot14", 7));
    assert_false(Has(text, "ngi32.slot14", 2));
    Selection *selection;
    Fixture_Write(path, "@other\n", 7);
    assert_int_equal(Selection_Parse(text, &selection, NULL), RP_INVALID);
    Fixture_Write(path, "# nothing\n", 10);
    assert_int_equal(Selection_Parse(text, &selection, NULL), RP_INVALID);
    char long_line[400] = "";
    memset(long_line, 0x31, sizeof long_line - 1);
    Fixture_Write(path, long_line, sizeof long_line - 1);
    assert_int_equal(Selection_Parse(text, &selection, NULL), RP_INVALID);
    assert_int_equal(Selection_Parse(long_line, &selection, NULL), RP_INVALID);
    remove(path);
    assert_int_equal(Selection_Parse(text, &selection, NULL), RP_NOT_FOUND);
}

/* After other terms, a file that gave no term would leave a selection of less than was asked for. A
 * folder can be opened like a file here, but not be read. */
TEST(AFileThatCannotBeReadIsAnError) {
    Selection *selection;
    RpError error;
    assert_int_not_equal(Selection_Parse("0-3,@.", &selection, &error), RP_OK);
    assert_null(selection);
    assert_string_equal(error.what, "cannot read a file of selections");
    assert_string_equal(error.where, ".");
}

TEST(GlobsBacktrack) {
    assert_true(Selection_Glob("*ab*ab", "xababxab"));
    assert_false(Selection_Glob("*ab*ac", "xababxab"));
    assert_true(Selection_Glob("", ""));
    assert_false(Selection_Glob("?", ""));
    assert_true(Selection_Glob("**", "anything"));
    assert_true(Selection_Glob("matrix[2][*]", "matrix[2][1]"));
    assert_false(Selection_Glob("matrix[2][*]", "matrix[3][1]"));
}

TEST(DistanceCountsEdits) {
    assert_int_equal(Nearest_Distance("replay", "replay"), 0);
    assert_int_equal(Nearest_Distance("Replay", "replya"), 1);
    assert_int_equal(Nearest_Distance("", "abc"), 3);
    assert_int_equal(Nearest_Distance("kitten", "sitting"), 3);
}

static RpStatus LoadKnown(const char *text, KnownDifferences **known, RpError *error) {
    const char *path = Fixture_Path("known");
    Fixture_Write(path, text, strlen(text));
    RpStatus status = KnownDifferences_Load(path, known, error);
    return status;
}

TEST(KnownDifferencesHaveThreeFields) {
    KnownDifferences *known;
    assert_int_equal(LoadKnown("# head\n\nngi32.slot17 | result[*] | sine | of 1\n"
                               "ngi32.slot14:5\tmatrix*\ttabs\n",
                               &known, NULL),
                     RP_OK);
    assert_int_equal(known->count, 2);
    assert_string_equal(known->entries[0].path, "result[*]");
    assert_string_equal(known->entries[0].reason, "sine | of 1");
    assert_int_equal(known->entries[0].line, 3);
    assert_string_equal(known->entries[1].reason, "tabs");
    KnownDifferences_Free(known);
}

TEST(MalformedKnownDifferencesNameTheLine) {
    KnownDifferences *known;
    RpError error;
    static const char *const bad[] = {"\nngi32.slot17 | result[0]\n", "\nngi32.slot17 | | why\n",
                                      "\nngi32.slot17 | x |  \n", "\nnothing.here | x | why\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_true(LoadKnown(bad[i], &known, &error) != RP_OK);
        assert_non_null(strstr(error.where, "line 2"));
        assert_null(known);
    }
    char long_line[800];
    memset(long_line, 'x', sizeof long_line);
    long_line[sizeof long_line - 1] = 0;
    assert_int_equal(LoadKnown(long_line, &known, &error), RP_INVALID);
    assert_int_equal(KnownDifferences_Load(Fixture_Path("absent"), &known, &error), RP_NOT_FOUND);
}
