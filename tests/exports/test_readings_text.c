#include "exports/reading_table.h"
#include "retropose/readings.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

TEST(NoTextMeansTheDefaults) {
    RpReadings readings, zero;
    memset(&zero, 0, sizeof zero);
    const char *const texts[] = {NULL, "", "key-order=xyzw,dot4=sequential"};
    for (int i = 0; i < 3; i++) {
        memset(&readings, 0xFF, sizeof readings);
        assert_int_equal(RpReadings_Parse(&readings, RP_READS_RUNTIME, texts[i], NULL), RP_OK);
        assert_memory_equal(&readings, &zero, sizeof zero);
    }
}

TEST(ChoicesAreParsedAndTheLastOneCounts) {
    RpReadings h;
    assert_int_equal(RpReadings_Parse(&h, RP_READS_RUNTIME,
                                      "mirror-shape=3x3,key-scale=f64,key-scale=divide", NULL),
                     RP_OK);
    assert_int_equal(h.choice[READING_MIRROR_SHAPE], 1);
    assert_int_equal(h.choice[READING_KEY_SCALE], 2);
    assert_int_equal(h.choice[READING_KEY_ORDER], 0);
}

/* Turns every alternative of every reading into text and back. */
TEST(EveryChoiceSurvivesFormattingAndParsing) {
    int names = 0;
    for (int i = 0; i < READING_RUNTIME_COUNT; i++, names++) {
        int choice = 0;
        for (const char *c = RpReadings_Choices(i); c; c = strchr(c, '|')) {
            RpReadings h, parsed;
            char text[64];
            c += *c == '|';
            memset(&h, 0, sizeof h);
            h.choice[i] = (uint8_t)choice++;
            int length = RpReadings_Format(&h, RP_READS_RUNTIME, text, sizeof text);
            assert_int_equal(length, strlen(text));
            assert_int_equal(length == 0, h.choice[i] == 0);
            assert_int_equal(RpReadings_Parse(&parsed, RP_READS_RUNTIME, text, NULL), RP_OK);
            assert_memory_equal(&parsed, &h, sizeof h);
        }
        assert_true(choice >= 2);
    }
    assert_int_equal(names, READING_RUNTIME_COUNT);
    assert_null(RpReadings_Name(-1));
    assert_null(RpReadings_Choices(-1));
    assert_null(RpReadings_Choices(READING_COUNT));
}

static int LongestChoice(int reading) {
    int longest = 0, choice = 0;
    size_t length = 0;
    for (const char *c = RpReadings_Choices(reading); c; c = strchr(c, '|'), choice++) {
        c += *c == '|';
        if (choice > 0 && strcspn(c, "|") > length) {
            length = strcspn(c, "|");
            longest = choice;
        }
    }
    return longest;
}

TEST(EveryTextFitsIntoTheRoomThatTheHeaderNames) {
    RpReadings h;
    memset(&h, 0, sizeof h);
    for (int i = 0; i < READING_RUNTIME_COUNT; i++)
        h.choice[i] = (uint8_t)LongestChoice(i);
    assert_in_range(RpReadings_Format(&h, RP_READS_RUNTIME, NULL, 0), 1, RP_READINGS_TEXT - 1);
}

TEST(FormattingTellsTheLengthItNeeds) {
    RpReadings h;
    char text[12];
    RpReadings_Parse(&h, RP_READS_RUNTIME, "key-order=wxyz,dot4=pairs", NULL);
    assert_int_equal(RpReadings_Format(&h, RP_READS_RUNTIME, NULL, 0), 25);
    assert_int_equal(RpReadings_Format(&h, RP_READS_RUNTIME, text, sizeof text), 25);
    assert_string_equal(text, "key-order=w");
    assert_int_equal(RpReadings_Format(NULL, RP_READS_RUNTIME, text, sizeof text), 0);
    h.choice[READING_DOT4] = 200; /* this choice has no name */
    h.choice[READING_KEY_ORDER] = 0;
    assert_int_equal(RpReadings_Format(&h, RP_READS_RUNTIME, text, sizeof text), 5);
    assert_string_equal(text, "dot4=");
}

TEST(MistakesAreNamedWithTheirPlace) {
    static const struct {
        const char *text;
        uint64_t offset;
        const char *found;
    } cases[] = {
        {"dot5=pairs", 0, "dot5"},
        {"dot4=pairs,dot=pairs", 11, "dot"},
        {"dot4", 4, ""},
        {"dot4=", 5, ""},
        {"dot4=pair", 5, "pair"},
        {"dot4=pairs=", 5, "pairs="},
        {"dot4=pairs,", 11, ""},
        {",", 0, ""},
        {"dot4=pairs|sequential", 5, "pairs|sequential"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RpReadings h, zero;
        RpError error;
        memset(&zero, 0, sizeof zero);
        assert_int_equal(RpReadings_Parse(&h, RP_READS_RUNTIME, cases[i].text, &error), RP_INVALID);
        assert_int_equal(error.status, RP_INVALID);
        assert_string_equal(error.found, cases[i].found);
        assert_memory_equal(&h, &zero, sizeof h); /* the text is not parsed in part */
        if (error.offset != cases[i].offset)
            fail_msg("\"%s\": byte %u", cases[i].text, (unsigned)error.offset);
    }
}

/* An error lists only the names that begin with the same letter, because all would be too many. */
TEST(MistakesListWhatExists) {
    RpReadings h;
    RpError error;
    for (int i = 0; i < READING_RUNTIME_COUNT; i++) {
        char text[32] = {RpReadings_Name(i)[0], '?', '=', '1'};
        assert_int_equal(RpReadings_Parse(&h, RP_READS_RUNTIME, text, &error), RP_INVALID);
        assert_non_null(strstr(error.expected, RpReadings_Name(i)));
    }
    RpReadings_Parse(&h, RP_READS_RUNTIME, "k=1", &error);
    assert_string_equal(error.expected, "key-order|key-scale|key-lerp|key-alpha|key-alpha-bits");
    RpReadings_Parse(&h, RP_READS_RUNTIME, "0=1", &error);
    assert_string_equal(error.expected, "a name of docs/reference/abi.md, Readings");
    RpReadings_Parse(&h, RP_READS_RUNTIME, "key-scale=f16", &error);
    assert_string_equal(error.expected, "f32|f64|divide");
}

/* ---- errors ---------------------------------------------------------------------------------- */

TEST(ErrorsReadAsOneSentence) {
    RpError error;
    char text[256];
    assert_int_equal(RpError_Set(&error, RP_CORRUPT, 12, "bad magic", "a.rpt", "RPTRACE", "MZ"),
                     RP_CORRUPT);
    int length = RpError_Format(&error, text, sizeof text);
    assert_string_equal(text, "bad magic, at a.rpt (byte 12): expected RPTRACE, found MZ");
    assert_int_equal(length, strlen(text));
    assert_int_equal(RpError_Format(&error, text, 10), length);
    assert_string_equal(text, "bad magic");
    RpError_Set(&error, RP_IO, RP_NOWHERE, "cannot open", "", NULL, "denied");
    RpError_Format(&error, text, sizeof text);
    assert_string_equal(text, "cannot open: denied");
    RpError_Set(&error, RP_TRUNCATED, UINT64_MAX - 1, "short", NULL, "64", NULL);
    RpError_Format(&error, text, sizeof text);
    assert_string_equal(text, "short (byte 18446744073709551614): expected 64");
    RpError_Set(&error, RP_NOT_FOUND, RP_NOWHERE, "gone", NULL, NULL, NULL);
    RpError_Format(&error, text, sizeof text);
    assert_string_equal(text, "gone");
}

TEST(LongTextsAreCut) {
    RpError error;
    char what[400];
    memset(what, 'x', sizeof what - 1);
    what[sizeof what - 1] = 0;
    RpError_Set(&error, RP_INVALID, 0, what, what, what, what);
    assert_int_equal(strlen(error.what), sizeof error.what - 1);
    assert_int_equal(strlen(error.expected), sizeof error.expected - 1);
    assert_int_equal(RpError_Set(NULL, RP_INVALID, 0, what, "", "", ""), RP_INVALID);
}

TEST(EveryStatusHasAName) {
    assert_string_equal(RpStatus_Name(RP_OK), "ok");
    assert_string_equal(RpStatus_Name(RP_NOT_FOUND), "not found");
    assert_string_equal(RpStatus_Name(RP_CRASHED), "crashed");
    assert_string_equal(RpStatus_Name((RpStatus)99), "unknown");
}
