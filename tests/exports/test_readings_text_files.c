/* Tests of readings by name: defaults, choices, the set of the projects that draw the models, and
 * refusals. */
#include "exports/reading_table.h"
#include "retropose/readings.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

enum { FILE_READINGS = 7 };

TEST(DefaultsAreTheSeeds) {
    static const RpReadings zero;
    RpReadings readings;
    char text[256];
    memset(&readings, 7, sizeof readings);
    assert_int_equal(RpReadings_Parse(&readings, RP_READS_FILES, NULL, NULL), RP_OK);
    assert_memory_equal(&readings, &zero, sizeof zero);
    assert_int_equal(RpReadings_Parse(&readings, RP_READS_FILES, "", NULL), RP_OK);
    assert_memory_equal(&readings, &zero, sizeof zero);
    RpReadings_Format(&readings, RP_READS_FILES, text, sizeof text);
    assert_string_equal(text, "key-order=xyzw,rotation=conjugate,slot-words=lod-group,"
                              "material=word2,names=res9,uv=signed,rest-pose=frame0");
}

TEST(EveryChoiceIsParsedAndFormatted) {
    int count = 0;
    for (int i = 0; i < READING_COUNT; i++) {
        assert_true(strlen(RpReadings_Source(i)) > 12);
        if (!(RpReadings_Kind(i) & RP_READS_FILES))
            continue;
        count++;
        const char *choices = RpReadings_Choices(i);
        for (int choice = 0; *choices; choice++) {
            size_t length = strcspn(choices, "|");
            char text[64], formatted[256];
            RpReadings readings, again;
            snprintf(text, sizeof text, "%s=%.*s", RpReadings_Name(i), (int)length, choices);
            assert_int_equal(RpReadings_Parse(&readings, RP_READS_FILES, text, NULL), RP_OK);
            for (int other = 0; other < RP_READING_MAX; other++)
                assert_int_equal(readings.choice[other], other == i ? choice : 0);
            int needed = RpReadings_Format(&readings, RP_READS_FILES, formatted, sizeof formatted);
            assert_int_equal(needed, strlen(formatted));
            assert_non_null(strstr(formatted, text));
            assert_int_equal(RpReadings_Parse(&again, RP_READS_FILES, formatted, NULL), RP_OK);
            assert_memory_equal(&again, &readings, sizeof readings);
            choices += length + (choices[length] == '|');
        }
    }
    assert_int_equal(count, FILE_READINGS);
    assert_null(RpReadings_Name(READING_COUNT));
    assert_null(RpReadings_Choices(-1));
    assert_null(RpReadings_Source(READING_COUNT));
}

TEST(DrawnIsASetAndLaterOnesWin) {
    RpReadings readings;
    assert_int_equal(RpReadings_Parse(&readings, RP_READS_FILES, "names=res10,drawn", NULL), RP_OK);
    assert_int_equal(readings.choice[READING_KEY_ORDER], 1);
    assert_int_equal(readings.choice[READING_ROTATION], 0);
    assert_int_equal(readings.choice[READING_SLOT_WORDS], 1);
    assert_int_equal(readings.choice[READING_MATERIAL], 1);
    assert_int_equal(readings.choice[READING_NAMES], 1);
    assert_int_equal(readings.choice[READING_UV], 1);
    assert_int_equal(RpReadings_Parse(&readings, RP_READS_FILES, "drawn,key-order=xyzw", NULL),
                     RP_OK);
    assert_int_equal(readings.choice[READING_KEY_ORDER], 0);
    assert_int_equal(readings.choice[READING_SLOT_WORDS], 1);
}

TEST(UnknownReadingsAreRefused) {
    static const char *const texts[] = {
        "key-order",          "key-order=",     "key-order=zyxw",   "key-order=wxy",
        "key-order=wxyzz",    "Key-order=wxyz", "order=wxyz",       "=wxyz",
        "uv=signed|unsigned", "uv=signed,,uv",  "key-order=wxyz ,", "drawn=1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        static const RpReadings defaults;
        RpReadings readings;
        RpError error = {0};
        memset(&readings, 0x55, sizeof readings);
        assert_int_equal(RpReadings_Parse(&readings, RP_READS_FILES, texts[i], &error), RP_INVALID);
        assert_memory_equal(&readings, &defaults, sizeof defaults);
        assert_true(error.what[0] && error.expected[0]);
    }
}

/* The order of a key's components concerns both kinds of readings; all others concern one kind. */
TEST(KindsDoNotMix) {
    RpReadings readings;
    RpError error;
    for (int i = 0; i < READING_COUNT; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s=%.*s", RpReadings_Name(i),
                 (int)strcspn(RpReadings_Choices(i), "|"), RpReadings_Choices(i));
        unsigned kind = RpReadings_Kind(i);
        assert_int_equal(kind == (RP_READS_RUNTIME | RP_READS_FILES), i == READING_KEY_ORDER);
        assert_int_equal(RpReadings_Parse(&readings, RP_READS_FILES, text, NULL),
                         kind & RP_READS_FILES ? RP_OK : RP_INVALID);
        assert_int_equal(RpReadings_Parse(&readings, RP_READS_RUNTIME, text, NULL),
                         kind & RP_READS_RUNTIME ? RP_OK : RP_INVALID);
    }
    assert_int_equal(RpReadings_Kind(READING_COUNT), 0);
    assert_int_equal(RpReadings_Parse(&readings, RP_READS_RUNTIME, "drawn", NULL), RP_INVALID);
    assert_int_equal(RpReadings_Parse(&readings, RP_READS_FILES, "drawn,vu=signed", &error),
                     RP_INVALID);
    assert_string_equal(error.what, "unknown reading");
    assert_string_equal(error.found, "vu");
    assert_true(error.offset == 6);
    assert_string_equal(error.expected,
                        "drawn|key-order|rotation|slot-words|material|names|uv|rest-pose");
    /* A reading of the other kind is not reported as unknown. */
    assert_int_equal(RpReadings_Parse(&readings, RP_READS_FILES, "dot4=pairs", &error), RP_INVALID);
    assert_string_equal(error.what, "this is a reading of the arithmetic, not of model files");
    assert_int_equal(RpReadings_Parse(&readings, RP_READS_RUNTIME, "uv=signed", &error),
                     RP_INVALID);
    assert_string_equal(error.what, "this is a reading of model files, not of the arithmetic");
}

TEST(ShortBuffersAreCut) {
    RpReadings readings = {{0}};
    char text[8] = "zzzzzzz";
    assert_int_equal(RpReadings_Format(&readings, RP_READS_FILES, NULL, 0), 107);
    assert_int_equal(RpReadings_Format(&readings, RP_READS_FILES, text, sizeof text), 107);
    assert_string_equal(text, "key-ord");
}
