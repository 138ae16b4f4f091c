/* Tests retropose.ini: what a line means, and what happens for a line without meaning. */
#include "dll/settings/settings.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct Complaints {
    unsigned count, line; /* number of complaints, and line of the last one */
    RpError error;
} Complaints;

static Complaints complaints;
static LiveSettings settings;

static void Note(void *context, unsigned line, const RpError *error) {
    (void)context;
    complaints.count++;
    complaints.line = line;
    complaints.error = *error;
}

static void ParseBytes(const char *text, size_t size) {
    memset(&complaints, 0, sizeof complaints);
    Settings_Init(&settings);
    Settings_Parse(&settings, text, size, Note, NULL);
}

static void Parse(const char *text) {
    ParseBytes(text, strlen(text));
}

static void ExpectMode(const char *key, LiveMode mode) {
    assert_string_equal(LiveMode_Name(Settings_ModeOf(&settings, Abi_Find(key))),
                        LiveMode_Name(mode));
}

static void ExpectComplaint(unsigned count, unsigned line, const char *what) {
    assert_int_equal(complaints.count, count);
    assert_int_equal(complaints.line, line);
    assert_string_equal(complaints.error.what, what);
}

TEST(TheDefaultsAreThoseOfTheTable) {
    Parse("");
    assert_int_equal(complaints.count, 0);
    assert_string_equal(settings.overlay, "retropose.overlay");
    assert_string_equal(settings.log, "retropose.log");
    assert_true(settings.watch);
    assert_int_equal(settings.default_mode, LIVE_VERIFIED);
    assert_int_equal(settings.rule_count, 0);
    assert_int_equal(settings.shadow_sample, 64);
    assert_int_equal(settings.shadow_first, 20);
    assert_true(settings.shadow_limit == 1 << 20);
    assert_false(settings.record);
    assert_string_equal(settings.record_functions, "*");
    assert_string_equal(settings.record_file, "retropose.rptrace");
    assert_true(settings.record_ring == 0 && settings.record_limit == 0);
    assert_int_equal(settings.record_flush_ms, 250);
    assert_int_equal(settings.record_full, RECORD_BLOCK);
    assert_string_equal(settings.profile, "retropose.profile");
    assert_string_equal(settings.readings, "");
}

TEST(EverySettingIsRead) {
    Parse("[host]\noverlay = a.overlay\nlog =\nwatch = off\n"
          "[modes]\ndefault = original\nanimesh.* = shadow\n"
          "[shadow]\nsample = 1/7\nfirst = 3\nlog = s.log\nlimit = 64K\n"
          "[record]\nrecord = on\nfunctions = ngi32.slot*, animesh.*\nfile = t.rptrace\n"
          "ring = 2M\nlimit = 3G\nflush = 9\nfull = drop\n"
          "[arithmetic]\nprofile = p\nreadings = key-order=wxyz,dot4=pairs\n");
    assert_int_equal(complaints.count, 0);
    assert_string_equal(settings.overlay, "a.overlay");
    assert_string_equal(settings.log, "");
    assert_false(settings.watch);
    assert_int_equal(settings.default_mode, LIVE_ORIGINAL);
    assert_int_equal(settings.rule_count, 1);
    assert_int_equal(settings.shadow_sample, 7);
    assert_int_equal(settings.shadow_first, 3);
    assert_string_equal(settings.shadow_log, "s.log");
    assert_true(settings.shadow_limit == 65536);
    assert_true(settings.record);
    assert_string_equal(settings.record_file, "t.rptrace");
    assert_true(settings.record_ring == 2 << 20);
    assert_true(settings.record_limit == (uint64_t)3 << 30);
    assert_int_equal(settings.record_flush_ms, 9);
    assert_int_equal(settings.record_full, RECORD_DROP);
    assert_string_equal(settings.profile, "p");
    assert_string_equal(settings.readings, "key-order=wxyz,dot4=pairs");
    assert_true(Settings_Records(&settings, Abi_Find("ngi32.slot17")));
    assert_true(Settings_Records(&settings, Abi_Find("animesh.SampleNode")));
    assert_false(Settings_Records(&settings, Abi_Find("ngi32.ngiAlloc")));
}

TEST(TheOldNameOfReadingsIsUnderstood) {
    Parse("[arithmetic]\nHypotheses = dot4=pairs\n");
    assert_int_equal(complaints.count, 0);
    assert_string_equal(settings.readings, "dot4=pairs");
}

TEST(BlanksCaseQuotesCommentsAndLineEndsAreFree) {
    Parse("\xEF\xBB\xBF; first\r\n  [ HOST ]  # here\r\n\tLog=\"a # b ; c.log\" ; comment\r\n"
          "overlay = b c.overlay  # comment\r\nWATCH=No\r\n# [modes]\r\n[Modes]\r\nDefault=Shadow");
    assert_int_equal(complaints.count, 0);
    assert_string_equal(settings.log, "a # b ; c.log");
    assert_string_equal(settings.overlay, "b c.overlay");
    assert_false(settings.watch);
    assert_int_equal(settings.default_mode, LIVE_SHADOW);
}

TEST(TheLastRuleThatMatchesDecides) {
    Parse("[modes]\nngi32.slot17 = shadow\nngi32.slot* = replacement\nngi32.slot4? = original\n"
          "MatrixProduct44 = shadow\n");
    assert_int_equal(complaints.count, 0);
    ExpectMode("ngi32.slot17", LIVE_REPLACEMENT);
    ExpectMode("ngi32.slot45", LIVE_ORIGINAL);
    ExpectMode("ngi32.slot4", LIVE_REPLACEMENT);
    ExpectMode("ngi32.slot23", LIVE_SHADOW); /* the function is found by its name */
    ExpectMode("animesh.SampleNode", LIVE_VERIFIED);
    assert_true(Settings_HasRule(&settings, Abi_Find("ngi32.slot17")));
    assert_false(Settings_HasRule(&settings, Abi_Find("animesh.SampleNode")));
}

TEST(ARepeatedRuleCountsWhereItStandsLast) {
    Parse("[modes]\nngi32.slot17 = shadow\nngi32.* = original\nNGI32.SLOT17 = replacement\n");
    ExpectMode("ngi32.slot17", LIVE_REPLACEMENT);
    assert_int_equal(settings.rule_count, 2);
    for (unsigned i = 0; i < 1000; i++)
        assert_int_equal(Settings_Set(&settings, "modes", "ngi32.*", "shadow", NULL), RP_OK);
    assert_int_equal(settings.rule_count, 2);
    ExpectMode("ngi32.slot17", LIVE_SHADOW);
}

TEST(MoreRulesThanThereIsRoomForAreRefused) {
    char glob[SETTINGS_GLOB_BYTES];
    RpError error;
    Settings_Init(&settings);
    for (unsigned i = 0; i < SETTINGS_MAX_RULES; i++) {
        unsigned at = 0;
        /* these globs are all different, and all of them match */
        for (unsigned bits = i + 128; bits; bits >>= 1)
            glob[at++] = bits & 1 ? '*' : '?';
        memcpy(glob + at, "*t17", 5);
        assert_int_equal(Settings_Set(&settings, "modes", glob, "shadow", &error), RP_OK);
    }
    assert_int_equal(Settings_Set(&settings, "modes", "ngi32.*", "shadow", &error), RP_NO_MEMORY);
    assert_string_equal(error.what, "too many rules");
    assert_int_equal(settings.rule_count, SETTINGS_MAX_RULES);
}

TEST(ALineThatIsNotUnderstoodIsNamedAndChangesNothing) {
    static const struct {
        const char *text;
        unsigned line;
        const char *what;
    } rows[] = {
        {"[host]\nwatch = perhaps\n", 2, "the value is not understood"},
        {"[host]\n\nspeed = 1\n", 3, "no such setting"},
        {"[hosts]\nwatch = off\n", 1, "no such section"},
        {"[a name that is much longer than any section's]\nwatch = off\n", 1, "no such section"},
        {"watch = off\n", 1, "the value belongs to no section"},
        {"[host\n", 1, "the line is not understood"},
        {"[host] watch\n", 1, "the line is not understood"},
        {"[host]\nwatch off\n", 2, "the line is not understood"},
        {"[host]\n= off\n", 2, "the line is not understood"},
        {"[host]\nlog = \"a\n", 2, "the line is not understood"},
        {"[host]\nlog = \"a\" b\n", 2, "the line is not understood"},
        {"[modes]\nngi32.slot17 = always\n", 2, "no such mode"},
        {"[modes]\nngi32.slto17 = shadow\n", 2, "no function of the tables has this name"},
        {"[shadow]\nsample = 1/0\n", 2, "the value is not understood"},
        {"[shadow]\nsample = 2/3\n", 2, "the value is not understood"},
        {"[shadow]\nfirst = 4294967296\n", 2, "the value is not understood"},
        {"[shadow]\nlimit = 1T\n", 2, "the value is not understood"},
        {"[shadow]\nlimit = 1KK\n", 2, "the value is not understood"},
        {"[shadow]\nlimit = 99999999999G\n", 2, "the value is not understood"},
        {"[shadow]\nlimit = -1\n", 2, "the value is not understood"},
        {"[record]\nfull = maybe\n", 2, "the value is not understood"},
        {"[record]\nfunctions = ngi32.*, nowhere\n", 2, "no function of the tables has this name"},
        {"[arithmetic]\nreadings = key-order=xxxx\n", 2, "unknown choice of a reading"},
        {"[arithmetic]\nreadings = uv=signed\n", 2,
         "this is a reading of model files, not of the arithmetic"},
    };
    LiveSettings defaults;
    Settings_Init(&defaults);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Parse(rows[i].text);
        if (complaints.count != 1)
            fail_msg("%u complaints of: %s", complaints.count, rows[i].text);
        ExpectComplaint(1, rows[i].line, rows[i].what);
        assert_memory_equal(&settings, &defaults, sizeof defaults);
    }
}

TEST(LinesBehindABadOneCount) {
    Parse("[host]\nnonsense\nwatch = off\n[nothing]\nwatch = on\n[host]\nlog = x\n");
    assert_int_equal(complaints.count, 2);
    assert_false(settings.watch);
    assert_string_equal(settings.log, "x");
}

TEST(ValuesUpToTheLimitsAreTaken) {
    char text[2048];
    memset(text, 'p', sizeof text);
    memcpy(text, "[host]\nlog=", 11);
    ParseBytes(text, 11 + 259);
    assert_int_equal(complaints.count, 0);
    assert_int_equal(strlen(settings.log), 259);
    ParseBytes(text, 11 + 260);
    ExpectComplaint(1, 2, "the value is not understood");
    ParseBytes(text, 11 + 1024);
    ExpectComplaint(1, 2, "the value is too long");
    memcpy(text, "[host]\n", 7);
    memset(text + 7, 'n', 70);
    memcpy(text + 77, "=1", 2);
    ParseBytes(text, 79);
    ExpectComplaint(1, 2, "the name is too long");
}

TEST(AFileThatIsNoTextIsRefusedAsAWhole) {
    ParseBytes("\xFF\xFE[\0h\0o\0s\0t\0]\0", 14);
    ExpectComplaint(1, 1, "the file is UTF-16 and is ignored");
    ParseBytes("[host]\nlog = a\0b\n", 17);
    ExpectComplaint(1, 2, "the line is not understood");
}

static const char *const *environment;

static const char *Get(void *context, const char *name, char *buffer, size_t size) {
    (void)context;
    for (const char *const *row = environment; *row; row += 2)
        if (strcmp(row[0], name) == 0) {
            snprintf(buffer, size, "%s", row[1]);
            return buffer;
        }
    return NULL;
}

static void ReadEnvironment(const char *const *rows) {
    memset(&complaints, 0, sizeof complaints);
    environment = rows;
    Settings_Environment(&settings, Get, Note, NULL);
}

TEST(TheEnvironmentWinsOverTheFile) {
    Parse("[host]\nlog = file.log\n[modes]\ndefault = original\nngi32.slot17 = original\n");
    static const char *const rows[] = {
        "RETROPOSE_LOG",
        "variable.log",
        "RETROPOSE_RECORD",
        "on",
        "RETROPOSE_MODES",
        "ngi32.slot17=shadow, animesh.*=replacement,,default=verified",
        NULL};
    ReadEnvironment(rows);
    assert_int_equal(complaints.count, 0);
    assert_string_equal(settings.log, "variable.log");
    assert_true(settings.record);
    ExpectMode("ngi32.slot17", LIVE_SHADOW);
    ExpectMode("animesh.SampleNode", LIVE_REPLACEMENT);
    ExpectMode("ngi32.slot23", LIVE_VERIFIED);
}

/* So did versions before 1.0 call it. The new name wins. */
TEST(TheOldVariableOfReadingsIsUnderstood) {
    Settings_Init(&settings);
    static const char *const old[] = {"RETROPOSE_HYPOTHESES", "dot4=pairs", NULL};
    ReadEnvironment(old);
    assert_string_equal(settings.readings, "dot4=pairs");
    static const char *const both[] = {"RETROPOSE_HYPOTHESES", "dot4=threes", "RETROPOSE_READINGS",
                                       "dot4=reverse", NULL};
    ReadEnvironment(both);
    assert_int_equal(complaints.count, 0);
    assert_string_equal(settings.readings, "dot4=reverse");
}

TEST(ABadVariableIsNamed) {
    Settings_Init(&settings);
    static const char *const rows[] = {"RETROPOSE_WATCH", "maybe", NULL};
    ReadEnvironment(rows);
    ExpectComplaint(1, 0, "the value is not understood");
    assert_string_equal(complaints.error.where, "RETROPOSE_WATCH");
    static const char *const modes[] = {"RETROPOSE_MODES", "ngi32.slot17", NULL};
    ReadEnvironment(modes);
    ExpectComplaint(1, 0, "the variable RETROPOSE_MODES is not understood");
}

TEST(EveryOptionCanBeSetToTheDefaultThatIsShown) {
    LiveSettings defaults;
    Settings_Init(&settings);
    Settings_Init(&defaults);
    size_t count = 0;
    for (const SettingsOption *option; (option = Settings_Option(count)); count++) {
        assert_int_equal(
            Settings_Set(&settings, option->section, option->name, option->value, NULL), RP_OK);
        assert_true(option->help[0] != 0);
    }
    assert_int_equal(count, 17);
    assert_memory_equal(&settings, &defaults, sizeof defaults);
}
