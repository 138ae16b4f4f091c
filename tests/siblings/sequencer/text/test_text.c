/* Tests that dumps are assembled byte for byte, that errors name their place, and that scripts
 * report what is wrong. */
#include "siblings/sequencer/text/script.h"
#include "tests/siblings/sequencer/images.h"
#include "tests/siblings/sequencer/walk.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Fixture fixture;
static RpAcMotionTable walk;

AROUND(BeforeEach) {
    Fixture_Begin(&fixture);
    Walk_Make(&fixture, &walk, NULL);
}

AROUND(AfterEach) {
    RpAcMotionTable_Free(&walk);
    Fixture_End(&fixture);
}

static void AnimationComesBack(const uint8_t *image, size_t size) {
    OWNED(RpAcAnimation) animation, again;
    OWNED(RpBuffer) text = {0}, written = {0};
    assert_int_equal(RpAcAnimation_Read(image, size, RP_STRICT, NULL, &animation, NULL), RP_OK);
    assert_int_equal(RpAcAnimation_Dump(&animation, 0, &text, NULL), RP_OK);
    assert_int_equal(
        RpAcAnimation_Assemble((const char *)text.bytes, text.size, NULL, &again, NULL), RP_OK);
    assert_int_equal(RpAcAnimation_Write(&again, &written, NULL), RP_OK);
    assert_int_equal(written.size, size);
    assert_memory_equal(written.bytes, image, size);
}

TEST(AnAnimationIsDumpedAndAssembled) {
    uint8_t odd[ANIMATION_BYTES + 2];
    memcpy(odd, animation_image, ANIMATION_BYTES);
    AnimationComesBack(odd, ANIMATION_BYTES);
    odd[ANIMATION_BYTES] = 1;
    odd[ANIMATION_BYTES + 1] = 0xFF;
    memset(odd + 28, 0xFF, 4); /* a NaN with a payload */
    AnimationComesBack(odd, sizeof odd);
}

TEST(ATableIsDumpedAndAssembled) {
    OWNED(RpAcMotionTable) table;
    OWNED(RpBuffer) text = {0}, image = {0}, written = {0};
    assert_int_equal(RpAcMotionTable_Write(&walk, &image, NULL), RP_OK);
    assert_int_equal(RpAcMotionTable_Dump(&walk, &text, NULL), RP_OK);
    assert_int_equal(
        RpAcMotionTable_Assemble((const char *)text.bytes, text.size, NULL, &table, NULL), RP_OK);
    assert_int_equal(RpAcMotionTable_Write(&table, &written, NULL), RP_OK);
    assert_int_equal(written.size, image.size);
    assert_memory_equal(written.bytes, image.bytes, image.size);
}

/* Assembles a dump in which one text replaces another, and compares `where` and `what` of the
 * error. */
static void Refused(const char *dump, const char *old, const char *new, const char *where,
                    bool is_table) {
    char text[8192];
    RpAcAnimation animation;
    RpAcMotionTable table;
    RpError error = {.where = ""};
    const char *at = strstr(dump, old);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - dump), dump, new, at + strlen(old));
    const RpStatus status =
        is_table ? RpAcMotionTable_Assemble(text, strlen(text), NULL, &table, &error)
                 : RpAcAnimation_Assemble(text, strlen(text), NULL, &animation, &error);
    assert_int_not_equal(status, RP_OK);
    assert_string_equal(error.where, where);
}

TEST(ErrorsOfADumpNameTheirPlace) {
    RpAcAnimation animation;
    OWNED(RpAcMotionTable) table;
    OWNED(RpBuffer) text;
    RpBuffer_Init(&text, NULL);
    assert_int_equal(
        RpAcAnimation_Read(animation_image, ANIMATION_BYTES, RP_STRICT, NULL, &animation, NULL),
        RP_OK);
    assert_int_equal(RpAcAnimation_Dump(&animation, 0, &text, NULL), RP_OK);
    RpBuffer_Append(&text, "", 1);
    const char *dump = (const char *)text.bytes;
    Refused(dump, "{", "{} {", "", false);
    Refused(dump, "ac animation", "ac", "the text", false);
    Refused(dump, "\"0x03001234\"", "7", "id", false);
    Refused(dump, "\"parts\": 1", "\"parts\": 2", "frames[0]", false);
    Refused(dump, "\"direction\": 1", "\"direction\": 0.5", "frames[0].hooks[0].direction", false);
    Refused(dump, "\"name\"", "\"nam\"", "frames[0].hooks[0].nam", false);
    Refused(dump, "\"payload\": \"", "\"payload\": \"g", "frames[0].hooks[0].payload", false);
    Refused(dump, "[0, 1, 0, 1", "[0, true, 0, 1", "positions[0][1]", false);
    Refused(dump, "[0, 1, 0, 1, 0, 0, 0]", "[0]", "positions[0]", false);
    Refused(dump, "[0, 1, 0, 1, 0, 0, 0],", "", "positions", false);
    RpBuffer_Free(&text);
    RpAcAnimation_Free(&animation);
    RpBuffer_Init(&text, NULL);
    assert_int_equal(RpAcMotionTable_Read(table_image, TABLE_BYTES, RP_STRICT, NULL, &table, NULL),
                     RP_OK);
    assert_int_equal(RpAcMotionTable_Dump(&table, &text, NULL), RP_OK);
    RpBuffer_Append(&text, "", 1);
    dump = (const char *)text.bytes;
    Refused(dump, "\"substate\"", "\"state\"", "styles[0].state", true);
    Refused(dump, "\"bits\": 0", "\"bits\": 256", "cycles[0].bits", true);
    Refused(dump, "\"high\": -1", "\"high\": \"x\"", "cycles[0].animations[0].high", true);
    Refused(dump, "\"framerate\": 30", "\"framerate\": null", "cycles[0].animations[0].framerate",
            true);
    Refused(dump, "\"omega\": [0", "\"omega\": [{}", "modifiers[0].omega[0]", true);
    Refused(dump, "\"omega\": ", "\"velocity\": [0, 0, 0], \"omega\": ", "modifiers[0].velocity",
            true);
    Refused(dump, "\"links\": [", "\"links\": [1, ", "links[0]", true);
    Refused(dump, "{\"format\"", "[\"format\"", "", true);
}

/* ---- scripts --------------------------------------------------------------------------------- */

typedef struct Lines {
    RpBuffer text;
    bool json;
    uint32_t readings;
} Lines;

static void TakeLine(void *context, const AcLogEntry *entry) {
    Lines *lines = context;
    if (lines->json)
        AcLog_Json(&lines->text, entry, lines->readings);
    else
        AcLog_Text(&lines->text, entry, lines->readings);
}

static RpStatus Run(const char *script, Lines *lines, RpError *error) {
    const RpAcLibrary library = Fixture_Library(&fixture);
    RpMotion motion;
    RpMotion_Init(&motion, &walk, fixture.nodes, FIXTURE_NODES, &library);
    return AcScript_Run(script, strlen(script), &motion, TakeLine, lines, error);
}

TEST(AScriptIsRunAndLogged) {
    static const char expected[] =
        "    0.0000  start: done\n"
        "    0.0000  ended 0x41000003 Ready\n"
        "    0.0000  do 0x45000005 WalkForward x 2: done\n"
        "    0.0500  hook NoOp of 0x0300006C frame 0\n"
        "    0.0500  AnimDone\n"
        "    0.0500  hook NoOp of 0x03000077 frame 0\n"
        "    0.0500  ended 0x45000005 WalkForward\n"
        "    0.0500  0x03000077 at 1, moved 0 0.300000012 0, turned 1 0 0 0\n"
        "    0.0500  stop all: done\n"
        "    0.0500  exit: done\n"
        "    0.0500  broken off 0x41000003 Ready\n";
    Lines lines = {.json = false};
    RpBuffer_Init(&lines.text, NULL);
    assert_int_equal(Run("# a walk\nstart\n\n do WalkForward 2 # fast\n tick 0.05\r\n"
                         "stop all\nexit",
                         &lines, NULL),
                     RP_OK);
    RpBuffer_Append(&lines.text, "", 1);
    assert_string_equal((const char *)lines.text.bytes, expected);
    RpBuffer_Free(&lines.text);
}

TEST(AHookIsLoggedByTheReadingThatWasChosen) {
    const RpAcHook hook = {.type = RP_AC_HOOK_SOUND_TWEAKED, .size = 16};
    const RpAcAnimation animation = {.id = 0x03000077};
    const RpSequenceEvent event = {.hook = &hook, .animation = &animation};
    const AcLogEntry entry = {.kind = AC_LOG_HOOK, .event = &event};
    for (int json = 0; json < 2; json++)
        for (int swapped = 0; swapped < 2; swapped++) {
            Lines lines = {.json = json, .readings = swapped ? RP_AC_TWEAKED_SWAPPED : 0};
            RpBuffer_Init(&lines.text, NULL);
            TakeLine(&lines, &entry);
            RpBuffer_Append(&lines.text, "", 1);
            const char *text = (const char *)lines.text.bytes;
            const char *first = strstr(text, "priority"), *second = strstr(text, "probability");
            assert_true(first && second && (first < second) == (swapped != 0));
            RpBuffer_Free(&lines.text);
        }
}

TEST(QuirksLeaveALine) {
    Lines lines = {.json = false};
    RpBuffer_Init(&lines.text, NULL);
    assert_int_equal(Run("quirks none", &lines, NULL), RP_OK);
    RpBuffer_Append(&lines.text, "", 1);
    assert_string_equal((const char *)lines.text.bytes, "    0.0000  quirks: done\n");
    RpBuffer_Free(&lines.text);
}

TEST(EveryWrongLineIsNamed) {
    static const char *const bad[] = {
        "walk",      "start now",     "do",           "do Moonwalk", "do 0",
        "do 1 fast", "do 1 2 3",      "stop",         "stop 1 2",    "tick",
        "tick x",    "tick 1 0",      "tick 1 1.5",   "tick 1e9",    "enter now",
        "quirks",    "quirks bounds", "do 1 2 3 4 5", "tick 1 2 3",  "do 0x100000000",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char script[128];
        Lines lines = {.json = true};
        RpError error = {.where = ""};
        RpBuffer_Init(&lines.text, NULL);
        snprintf(script, sizeof script, "start\n%s\n", bad[i]);
        assert_int_equal(Run(script, &lines, &error), RP_INVALID);
        if (strcmp(bad[i], "quirks bounds") != 0)
            assert_string_equal(error.where, "line 2");
        RpBuffer_Free(&lines.text);
    }
    char longest[300];
    Lines lines = {.json = false};
    RpError error;
    RpBuffer_Init(&lines.text, NULL);
    memset(longest, ' ', sizeof longest - 1);
    longest[299] = 0;
    assert_int_equal(Run(longest, &lines, &error), RP_INVALID);
    RpBuffer_Free(&lines.text);
}
