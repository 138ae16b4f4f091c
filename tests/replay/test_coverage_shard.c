/* Tests which coverage of a shard is refused, so that no merged figure comes from a damaged file.
 */
#include "replay/coverage/coverage.h"
#include "tests/test.h"

#include <cjson/cJSON.h>
#include <string.h>

static Coverage coverage;
static RpError error;

AROUND(AfterEach) {
    Coverage_Free(&coverage);
}

#define SIDE_OF(name, size, marks)                                                                 \
    "{\"side\": \"" name "\", \"sizes\": [" size ", 64], \"marks\": [" marks "], "                 \
    "\"functions\": [], \"texts\": []}"
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

TEST(test_marks_of_shards_add_up) {
    assert_true(Take(SIDE("a")));
    assert_true(Take(SIDE_OF("a", "32", "[2], [500]")));
    assert_int_equal(coverage.side_count, 1);
    assert_int_equal(coverage.sides[0].marks[0][0], 3);
    assert_int_equal(coverage.sides[0].marks[0][2], 1);
    assert_int_equal(coverage.sides[0].marks[1][1], 2);
    assert_int_equal(coverage.sides[0].marks[1][62], 4);
}

TEST(test_a_side_has_marks_for_each_module) {
    Refuses(SIDE_OF("a", "32", "[1]"), "the marks of two modules", "[[1]]");
    Refuses(SIDE_OF("a", "32", ""), "the marks of two modules", "[]");
    Refuses(SIDE_OF("a", "32", "[], [], []"), "the marks of two modules", "[]");
}

TEST(test_there_are_three_sides) {
    assert_true(Take(SIDE("a") "," SIDE("a wxyz") "," SIDE("b")));
    assert_true(Take(SIDE("a wxyz")));
    Refuses(SIDE("c"), "at most three sides", "\"c\"");
}

TEST(test_a_name_is_kept_whole) {
    assert_true(Take(SIDE(LETTERS31)));
    assert_non_null(Coverage_Find(&coverage, LETTERS31));
    Refuses(SIDE(LETTERS31 "e"), "the name of a side, of at most 31 letters", LETTERS31);
    assert_int_equal(coverage.side_count, 1);
}

TEST(test_an_image_has_a_limit) {
    Refuses(SIDE_OF("a", "268435457", "[], []"), "the sizes of two modules", "268435457");
}
