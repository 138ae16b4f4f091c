/* Tests of readings by name: defaults, choices, the set of those who draw the models, and what is
 * refused. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

static void DefaultsAreTheSeeds(void **state) {
    (void)state;
    static const RpMshReadings zero;
    RpMshReadings readings;
    char text[256];
    memset(&readings, 7, sizeof readings);
    assert_int_equal(RpMshReadings_Parse(&readings, NULL, NULL), RP_OK);
    assert_memory_equal(&readings, &zero, sizeof zero);
    assert_int_equal(RpMshReadings_Parse(&readings, "", NULL), RP_OK);
    assert_memory_equal(&readings, &zero, sizeof zero);
    RpMshReadings_Format(&readings, text, sizeof text);
    assert_string_equal(text, "key-order=xyzw,rotation=conjugate,slot-words=lod-group,"
                              "material=word2,names=res9,uv=signed,rest-pose=frame0");
}

/* The fields are in the order of the struct, and each choice has its own index. */
static void EveryChoiceIsParsedAndFormatted(void **state) {
    (void)state;
    for (int i = 0; i < RP_MSH_READING_COUNT; i++) {
        const char *choices = RpMshReadings_Choices(i);
        for (int choice = 0; *choices; choice++) {
            size_t length = strcspn(choices, "|");
            char text[64], formatted[256];
            RpMshReadings readings, again;
            snprintf(text, sizeof text, "%s=%.*s", RpMshReadings_Name(i), (int)length, choices);
            assert_int_equal(RpMshReadings_Parse(&readings, text, NULL), RP_OK);
            for (int other = 0; other < RP_MSH_READING_COUNT; other++)
                assert_int_equal(((const uint8_t *)&readings)[other], other == i ? choice : 0);
            int needed = RpMshReadings_Format(&readings, formatted, sizeof formatted);
            assert_int_equal(needed, strlen(formatted));
            assert_non_null(strstr(formatted, text));
            assert_int_equal(RpMshReadings_Parse(&again, formatted, NULL), RP_OK);
            assert_memory_equal(&again, &readings, sizeof readings);
            choices += length + (choices[length] == '|');
        }
        assert_true(strlen(RpMshReadings_Source(i)) > 20);
    }
    assert_null(RpMshReadings_Name(RP_MSH_READING_COUNT));
    assert_null(RpMshReadings_Choices(-1));
    assert_null(RpMshReadings_Source(RP_MSH_READING_COUNT));
}

static void DrawnIsASetAndLaterOnesWin(void **state) {
    (void)state;
    RpMshReadings readings;
    assert_int_equal(RpMshReadings_Parse(&readings, "names=res10,drawn", NULL), RP_OK);
    assert_int_equal(readings.key_order, 1);
    assert_int_equal(readings.rotation, 0);
    assert_int_equal(readings.slot_words, 1);
    assert_int_equal(readings.material, 1);
    assert_int_equal(readings.names, 1);
    assert_int_equal(readings.uv, 1);
    assert_int_equal(RpMshReadings_Parse(&readings, "drawn,key-order=xyzw", NULL), RP_OK);
    assert_int_equal(readings.key_order, 0);
    assert_int_equal(readings.slot_words, 1);
}

static void UnknownReadingsAreRefused(void **state) {
    (void)state;
    static const char *const texts[] = {
        "key-order",          "key-order=",     "key-order=zyxw",   "key-order=wxy",
        "key-order=wxyzz",    "Key-order=wxyz", "order=wxyz",       "=wxyz",
        "uv=signed|unsigned", "uv=signed,,uv",  "key-order=wxyz ,", "drawn=1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        RpMshReadings readings, before;
        RpError error = {0};
        memset(&readings, 0x55, sizeof readings);
        before = readings;
        assert_int_equal(RpMshReadings_Parse(&readings, texts[i], &error), RP_INVALID);
        assert_memory_equal(&readings, &before, sizeof before);
        assert_true(error.what[0] && error.expected[0]);
    }
}

static void ShortBuffersAreCut(void **state) {
    (void)state;
    RpMshReadings readings = {0};
    char text[8] = "zzzzzzz";
    assert_int_equal(RpMshReadings_Format(&readings, NULL, 0), 107);
    assert_int_equal(RpMshReadings_Format(&readings, text, sizeof text), 107);
    assert_string_equal(text, "key-ord");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(DefaultsAreTheSeeds),
        cmocka_unit_test(EveryChoiceIsParsedAndFormatted),
        cmocka_unit_test(DrawnIsASetAndLaterOnesWin),
        cmocka_unit_test(UnknownReadingsAreRefused),
        cmocka_unit_test(ShortBuffersAreCut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
