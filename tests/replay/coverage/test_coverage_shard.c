/* Tests which coverage of a shard is refused, so that no merged figure comes from a damaged file,
 * or from files that do not belong together. */
#include "replay/coverage/coverage.h"
#include "tests/test.h"

#include <cjson/cJSON.h>
#include <string.h>

static Coverage coverage;
static RpError error;

AROUND(AfterEach) {
    Coverage_Free(&coverage);
}

#define SIDE_WITH(name, size, marks, functions)                                                    \
    "{\"side\": \"" name "\", \"sizes\": [" size ", 64], \"marks\": [" marks "], "                 \
    "\"functions\": [" functions "], \"texts\": []}"
#define SIDE_OF(name, size, marks) SIDE_WITH(name, size, marks, "")
/* A side with one block of slot 17, given as its address, size and branch. */
#define BLOCK(place)                                                                               \
    SIDE_WITH("a", "32", "[], []",                                                                 \
              "{\"key\": \"ngi32.slot17\", \"blocks\": [[0, " place ", 0]], \"open\": []}")
#define SIDE(name) SIDE_OF(name, "32", "[1, 17], [10]")
#define LETTERS31  "aaaaaaaaaabbbbbbbbbbccccccccccd"

/* Takes over the sides of a shard. */
static bool Take(const char *sides) {
    char text[1024];
    JsonRead read = {.error = &error};
    snprintf(text, sizeof text, "{\"coverage\": [%s]}", sides);
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    const bool good = Coverage_ReadShard(&read, root, &coverage);
    cJSON_Delete(root);
    assert_int_equal(good, read.status == RP_OK);
    return good;
}

static void Refuses(const char *sides, const char *expected, const char *found) {
    assert_false(Take(sides));
    assert_string_equal(error.expected, expected);
    assert_non_null(strstr(error.found, found));
}

TEST(MarksOfShardsAddUp) {
    assert_true(Take(SIDE("a")));
    assert_true(Take(SIDE_OF("a", "32", "[2], [500]")));
    assert_int_equal(coverage.side_count, 1);
    assert_int_equal(coverage.sides[0].marks[0][0], 3);
    assert_int_equal(coverage.sides[0].marks[0][2], 1);
    assert_int_equal(coverage.sides[0].marks[1][1], 2);
    assert_int_equal(coverage.sides[0].marks[1][62], 4);
}

TEST(ASideHasMarksForEachModule) {
    Refuses(SIDE_OF("a", "32", "[1]"), "the marks of two modules", "[[1]]");
    Refuses(SIDE_OF("a", "32", ""), "the marks of two modules", "[]");
    Refuses(SIDE_OF("a", "32", "[], [], []"), "the marks of two modules", "[]");
}

TEST(ThereAreThreeSides) {
    Refuses("", "at least one side", "nothing");
    assert_true(Take(SIDE("a") "," SIDE("a wxyz") "," SIDE("b")));
    Refuses(SIDE("a") "," SIDE("a wxyz") "," SIDE("b") "," SIDE("c"), "at most three sides",
            "\"c\"");
    Coverage_Free(&coverage);
    Refuses(SIDE("a") "," SIDE("a"), "the sides in the order of their names", "\"a\"");
    Coverage_Free(&coverage);
    Refuses(SIDE("b") "," SIDE("a"), "the sides in the order of their names", "\"a\"");
}

TEST(AllShardsHaveTheSameSides) {
    assert_true(Take(SIDE("a") "," SIDE("b")));
    Refuses(SIDE("a"), "b", "nothing");
    Refuses(SIDE("b"), "a", "\"b\"");
    Refuses(SIDE("a") "," SIDE("a wxyz"), "b", "\"a wxyz\"");
    Refuses(SIDE("a") "," SIDE("b") "," SIDE("c"), "the sides of the other shards, and no more",
            "\"c\"");
    Refuses(SIDE_OF("a", "33", "[], []"), "the modules of the other shards", "[33,64]");
    assert_true(Take(SIDE("a") "," SIDE("b")));
    assert_int_equal(coverage.side_count, 2);
}

TEST(AllShardsHaveTheSameBranches) {
    assert_true(Take(BLOCK("8, 6, 12")));
    assert_true(Take(BLOCK("8, 6, 12")));
    assert_true(Take(BLOCK("8, 4, 0"))); /* an entry between may cut a block */
    assert_int_equal(coverage.sides[0].functions[0].block_count, 2);
    Refuses(BLOCK("8, 6, 0"), "the branches of the other shards", "[[0,8,6,0,0]]");
}

TEST(ABlockIsInsideOfItsModule) {
    Refuses(BLOCK("28, 5, 0"), "a block of a module", "28,5");
    Coverage_Free(&coverage);
    Refuses(BLOCK("8, 4, 12"), "a block of a module", "8,4,12");
    Coverage_Free(&coverage);
    Refuses(BLOCK("8, 4, 7"), "a block of a module", "8,4,7");
    Coverage_Free(&coverage);
    assert_true(Take(BLOCK("28, 4, 31")));
}

TEST(ANameIsKeptWhole) {
    assert_true(Take(SIDE(LETTERS31)));
    assert_string_equal(coverage.sides[0].name, LETTERS31);
    Refuses(SIDE(LETTERS31 "e"), "the name of a side, of at most 31 letters", LETTERS31);
    assert_int_equal(coverage.side_count, 1);
}

TEST(AnImageHasALimit) {
    Refuses(SIDE_OF("a", "268435457", "[], []"), "the sizes of two modules", "268435457");
}
