/* Tests of profiles as text. */
#include "dll/settings/settings.h"
#include "exports/reading_table.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

static RpReadings Parsed(const char *text) {
    RpReadings readings = {{0}};
    RpError error;
    if (Profile_Parse(text, strlen(text), RP_READS_RUNTIME, &readings, NULL, &error))
        fail_msg("%s, %s: %s", error.what, error.where, error.found);
    return readings;
}

static void ExpectSame(const char *profile, const char *list) {
    RpReadings expected, found = Parsed(profile);
    assert_int_equal(RpReadings_Parse(&expected, RP_READS_RUNTIME, list, NULL), RP_OK);
    assert_memory_equal(&found, &expected, sizeof found);
}

TEST(LinesBlanksAndComments) {
    ExpectSame("", "");
    ExpectSame("# nothing\n\n   \n\t\r\n", "");
    ExpectSame("key-order = wxyz", "key-order=wxyz");
    ExpectSame("# a\r\n  key-order\t=wxyz  # 12 cases, see a=b\r\nkey-scale=divide\r\n",
               "key-order=wxyz,key-scale=divide");
    ExpectSame("\xEF\xBB\xBFkey-order = wxyz\n", "key-order=wxyz");
    ExpectSame("key-order=wxyz,key-scale=divide", "key-order=wxyz,key-scale=divide");
    ExpectSame("key-order = wxyz\nkey-order = wxyz\n", "key-order=wxyz");
}

TEST(WhatItDoesNotNameStays) {
    static const char text[] = "key-scale = f32";
    RpReadings readings, expected;
    RpReadings_Parse(&readings, RP_READS_RUNTIME, "key-order=wxyz,key-scale=divide", NULL);
    RpReadings_Parse(&expected, RP_READS_RUNTIME, "key-order=wxyz", NULL);
    assert_int_equal(Profile_Parse(text, sizeof text - 1, RP_READS_RUNTIME, &readings, NULL, NULL),
                     RP_OK);
    assert_memory_equal(&readings, &expected, sizeof expected);
}

TEST(EveryChoiceGoesRound) {
    for (int h = 0; h < READING_RUNTIME_COUNT; h++) {
        int number = 0;
        for (const char *c = RpReadings_Choices(h); c; number++) {
            char text[200];
            int length = (int)strcspn(c, "|");
            snprintf(text, sizeof text, "%s = %.*s\n", RpReadings_Name(h), length, c);
            RpReadings parsed = Parsed(text);
            assert_int_equal(parsed.choice[h], number);
            c = c[length] ? c + length + 1 : NULL;
        }
    }
}

TEST(BadProfilesNameTheLineAndChangeNothing) {
    static const struct {
        const char *text, *where, *found;
        uint64_t offset;
    } bad[] = {
        {"key-ordr = wxyz", "line 1", "key-ordr", 0},
        {"\n# x\nkey-order = zyxw\n", "line 3", "zyxw", 17},
        {"key-order", "line 1", "key-order", 0},
        {"key-order =", "line 1", "", 11},
        {"key-order = wxyz = 1", "line 1", "wxyz = 1", 12},
        {"= wxyz", "line 1", "", 0},
        {"key-scale = divide\nkey-order = wxyz\nkey-order = xyzw\n", "line 3", "key-order", 36},
        {"key-order = w|x", "line 1", "w|x", 12},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        RpReadings before, after;
        RpError error;
        RpReadings_Parse(&before, RP_READS_RUNTIME, "key-scale=f64", NULL);
        after = before;
        assert_int_equal(
            Profile_Parse(bad[i].text, strlen(bad[i].text), RP_READS_RUNTIME, &after, NULL, &error),
            RP_INVALID);
        assert_string_equal(error.where, bad[i].where);
        assert_string_equal(error.found, bad[i].found);
        assert_int_equal(error.offset, bad[i].offset);
        assert_memory_equal(&after, &before, sizeof after);
    }
}
