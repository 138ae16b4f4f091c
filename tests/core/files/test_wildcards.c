/* Tests of names with * and ? that stand for files. */
#include "core/files/wildcards.h"

#include "core/files/output.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER TEST_FOLDER "/wildcards"

AROUND(BeforeAll) {
    static const char *const names[] = {"b.msh", "A.MSH", "ab.msh",      ".msh",
                                        "a.rlb", "msh",   "\xD0\xB6.msh"};
    assert_int_equal(Output_MakeFolder(FOLDER, NULL), RP_OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(Output_WriteInto(FOLDER, names[i], "x", 1, NULL), RP_OK);
}

/* Compares the names, with a space behind each. */
static void AssertList(const char *folder, const char *pattern, const char *expected) {
    char path[1024], found[1024] = "";
    WildcardNames names;
    snprintf(path, sizeof path, "%s%s", folder, pattern);
    assert_int_equal(Wildcards_List(path, &names, NULL), RP_OK);
    for (size_t i = 0; i < names.count; i++) {
        assert_memory_equal(names.list[i], folder, strlen(folder));
        strcat(strcat(found, names.list[i] + strlen(folder)), " ");
    }
    assert_string_equal(found, expected);
    Wildcards_Free(&names);
    assert_int_equal(names.count, 0);
}

TEST(NamesStandInTheOrderOfTheirBytes) {
    AssertList(FOLDER "/", "*.msh", "A.MSH ab.msh b.msh \xD0\xB6.msh ");
    AssertList(FOLDER "/", "a*", "A.MSH a.rlb ab.msh ");
    AssertList(FOLDER "/", "*", "A.MSH a.rlb ab.msh b.msh msh \xD0\xB6.msh ");
    AssertList(FOLDER "/", ".m*", ".msh ");
    AssertList(FOLDER "/", "*b*", "a.rlb ab.msh b.msh ");
    AssertList(FOLDER "/", "*.tea", "");
}

TEST(AQuestionMarkIsOneCharacterOfAnyAlphabet) {
    AssertList(FOLDER "/", "?.msh", "A.MSH b.msh \xD0\xB6.msh ");
    AssertList(FOLDER "/", "??.msh", "ab.msh ");
    AssertList(FOLDER "/", "*?.rlb", "a.rlb ");
}

TEST(OnlyTheLastPartIsAPattern) {
    assert_false(Wildcards_Are("a/b.msh"));
    assert_false(Wildcards_Are(""));
    assert_false(Wildcards_Are("a*/b.msh"));
    assert_false(Wildcards_Are("a*/b?.msh"));
    assert_true(Wildcards_Are("a/b?.msh"));
    AssertList(FOLDER "/", "b.msh", "");
    AssertList(TEST_FOLDER "/wild*/", "*.msh", "");
    AssertList(FOLDER "/nowhere/", "*", "");
    AssertList("", "*.no-such-file", "");
}
