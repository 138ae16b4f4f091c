#include "tests/replay/fixture.h"

#include "retropose/fastproc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The output of the last run: first standard output, then standard error. */
static char output[1 << 20];

/* Runs the command with the words of a shell and returns the exit code. */
static int Run(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int Run(const char *format, ...) {
    char words[8192], command[10000];
    const char *out = Fixture_Path("out"), *err = Fixture_Path("err");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    snprintf(command, sizeof command, "%s %s >%s 2>%s", RETROPOSE_BINARY, words, out, err);
    int status = system(command);
    size_t out_size, err_size;
    uint8_t *out_bytes = Fixture_Read(out, &out_size), *err_bytes = Fixture_Read(err, &err_size);
    assert_true(out_size + err_size < sizeof output);
    memcpy(output, out_bytes, out_size);
    memcpy(output + out_size, err_bytes, err_size + 1);
    free(out_bytes);
    free(err_bytes);
    remove(out);
    remove(err);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void AssertSays(const char *words) {
    if (!strstr(output, words))
        fail_msg("\"%s\" is not in:\n%s", words, output);
}

/* Demands that the command ends with this exit code, and that it says these words. */
#define EXPECT(code, says, ...)                                                                    \
    do {                                                                                           \
        assert_int_equal(Run(__VA_ARGS__), code);                                                  \
        AssertSays(says);                                                                          \
    } while (0)

#define NATIVE   "--original native --replacement native"
#define RECORDED "--original recorded --replacement recorded"

TEST(ProcessorNamesAMaker) {
    assert_int_equal(Run("replay " NATIVE " --scenario slots:200 --processor amd"), 0);
    EXPECT(2, "--processor takes intel, amd or this, not via",
           "replay " NATIVE " --scenario slots:200 --processor via");
    EXPECT(2, "--processor is for `native`",
           "replay --original recorded --replacement recorded --processor amd");
}

/* A scenario may have readings of its own, and run under all. What is compared is then the same
 * library twice, so nothing differs. */
TEST(AScenarioHasReadingsOfItsOwn) {
    EXPECT(0, "readings: key-scale=f64, 200 calls",
           "replay " NATIVE " --scenario poses@key-scale=f64:200");
    EXPECT(0, "readings: key-scale=f64,rsqrt=root, 200 calls",
           "replay " NATIVE " --readings key-scale=f64 --scenario slots@generic@rsqrt=root:200");
    EXPECT(0, "\n4000 calls compared, 0 different\n",
           "replay " NATIVE " --scenario slots --each-reading --calls 4000");
    AssertSays("readings: default, ");
    AssertSays("readings: key-order=wxyz, ");
    EXPECT(2, "times, and it has 20 calls", "replay " NATIVE " --scenario slots:20 --each-reading");
    EXPECT(2, "--each-reading is of scenarios", "replay " NATIVE " --each-reading");
    EXPECT(2, "unknown choice of a reading", "replay " NATIVE " --scenario slots@rsqrt=cube:200");
    EXPECT(2, "there is no machine rsqrt", "replay " NATIVE " --scenario slots@rsqrt:200");
    EXPECT(2, "these readings are too long for the name of a scenario",
           "replay " NATIVE " --scenario "
           "slots@fxch@key-scale=f64,key-lerp=weights,key-alpha=reciprocal,rsqrt=root:200");
    EXPECT(2, "--digest is of one choice of each reading, and slots@rsqrt=root has its own",
           "replay " NATIVE " --scenario slots@rsqrt=root:200 --digest -");
}

/* The first trace differs, and the second one has no whole call. The difference was found before
 * that. */
TEST(AnErrorKeepsWhatWasFoundBeforeIt) {
    const char *first = Fixture_Path("first"), *cut = Fixture_Path("cut");
    const char *json = Fixture_Path("json");
    const uint32_t wrong[4] = {0x3F800000, 0x40000000, 0, 0};
    const TraceCall call = Fixture_Slerp(4, wrong);
    size_t size;
    Fixture_Trace(first, &call, 1, false);
    uint8_t *bytes = Fixture_Read(first, &size);
    Fixture_Write(cut, bytes, size - 60); /* cuts within the chunk of the call */
    assert_int_equal(Run("replay --original recorded --replacement native %s", first), 1);
    EXPECT(2, "FIRST DIFFERENCE  ngi32.slot17",
           "replay --original recorded --replacement native %s %s --json %s", first, cut, json);
    AssertSays("1 calls compared, 1 different\nerror: ");
    AssertSays("STOPPED by an error: this is a part of what was asked for, and no result\n");
    AssertSays("the trace is cut");
    EXPECT(2, "the report of a run that an error stopped, which is no result", "report diff %s %s",
           json, json);
    remove(json);
    /* If nothing was compared, there is nothing to report. */
    EXPECT(2, "the trace is cut", "replay --original recorded --replacement native %s %s --json %s",
           cut, first, json);
    assert_null(strstr(output, "STOPPED"));
    assert_null(fopen(json, "rb"));
    Fixture_Write(cut, bytes, size - 1);
    /* Both traces have the call, and then one of them is cut. */
    EXPECT(2, "1 calls compared, 0 different\nerror: ", "compare %s %s", first, cut);
    AssertSays("STOPPED by an error");
    free(bytes);
}

/* If a trace was cut off, the calls before the cut are whole, and are replayed and kept. */
TEST(ATraceThatWasCutOffIsReplayedUpToThere) {
    static const char *const sides[] = {NATIVE, "--original recorded --replacement native",
                                        "--original native --replacement recorded"};
    const char *cut = Fixture_Path("cut"), *kept = Fixture_Path("kept");
    const char *page = Fixture_Path("page");
    TraceCall calls[3];
    size_t size;
    for (size_t i = 0; i < 3; i++) {
        calls[i] = Fixture_Slerp(i, (const uint32_t[]){0x3F3504F3, 0x3F3504F3, 0, 0});
        calls[i].control_in = calls[i].control_out = 0x007F;
    }
    Fixture_Trace(cut, calls, 3, false);
    uint8_t *bytes = Fixture_Read(cut, &size);
    Fixture_Write(cut, bytes, size - 1);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        EXPECT(2, "3 calls compared, 0 different\nerror: the trace is cut", "replay %s %s",
               sides[i], cut);
        AssertSays("STOPPED by an error: this is a part of what was asked for, and no result\n");
        EXPECT(2, "2 calls compared, 0 different\nerror: the trace is cut",
               "replay %s %s --select 0-1", sides[i], cut);
    }
    assert_int_equal(Run("replay " NATIVE " %s --html %s", cut, page), 2);
    free(Fixture_Read(page, &size));
    remove(page);
    /* Calls that are not selected are not searched for after the cut. */
    EXPECT(2, "the trace is cut", "replay " NATIVE " %s --select 7", cut);
    EXPECT(2, "2 calls, of those before the cut\n", "trim %s %s --select 1-2", cut, kept);
    AssertSays("the trace is cut");
    EXPECT(0, "calls 2 (1 to 2)", "stat %s", kept);
    assert_int_equal(Run("replay " NATIVE " %s", kept), 0);
    remove(kept);
    assert_int_equal(Run("trim %s %s --select 7", cut, kept), 2);
    assert_null(fopen(kept, "rb"));
    free(bytes);
}

/* Nobody may take a stand-in for an original, and one that was changed is a stand-in, too. */
TEST(AComparedTraceSaysWhoMadeIt) {
    static const struct {
        const char *provider, *notice;
    } cases[] = {{"stand-in", "note: the stand-in played the original"},
                 {"modified stand-in", "note: a modified stand-in, not the one that was built"}};
    const uint32_t answer[4] = {0x3F800000, 0, 0, 0};
    const TraceCall call = Fixture_Slerp(4, answer);
    const char *first = Fixture_Path("first"), *second = Fixture_Path("second");
    Fixture_Trace(second, &call, 1, false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const header[] = {"provider", cases[i].provider, NULL};
        Fixture_Put(first, (FixtureTrace){.header = header, .calls = &call, .call_count = 1});
        EXPECT(0, cases[i].notice, "compare %s %s", first, second);
    }
}

TEST(HelpNamesEveryVerb) {
    static const char *const verbs[] = {"gen",  "replay",   "compare", "show", "stat",
                                        "trim", "minimise", "doctor",  "help", "completion"};
    assert_int_equal(Run("--help"), 0);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        char usage[64];
        EXPECT(0, verbs[i], "--help");
        snprintf(usage, sizeof usage, "retropose %s", verbs[i]);
        EXPECT(0, usage, "help %s", verbs[i]);
        EXPECT(0, usage, "%s --help", verbs[i]);
    }
    EXPECT(0, "\ntrace: calls of two DLLs, replayed and compared\n  gen ", "help");
    AssertSays("\nretropose msh VERB: models\n  ls ");
    assert_int_equal(Run("help game"), 0); /* a heading that is no word of a verb */
    AssertSays("retropose VERB [OPTION...]\na game's folder");
    AssertSays("  install ");
    assert_int_equal(Run("help nothing"), 2);
    EXPECT(0, "traces of format 1.x", "--version");
    assert_int_equal(Run("%s", ""), 2);
}

TEST(ShardsOfAProofMerge) {
    const char *first = Fixture_Path("proof"), *second = Fixture_Path("proof-2");
    const char *merged = Fixture_Path("proofs");
    EXPECT(0, "reciprocal-root", "prove --list");
    if (RpFpu_IsIdeal()) {
        EXPECT(2, "expected a processor with an x87, found software arithmetic",
               "prove phi --shard 1/4096");
        return;
    }
    EXPECT(0, "every rounding of these is right or refused", "prove phi --shard 1/4096 -o %s",
           first);
    EXPECT(0, "\"done\": [2]", "prove phi --shard 2/4096 --json -o %s", second);
    EXPECT(4, "MISSING: shards 3-4096 of 4096", "merge %s %s -o %s", first, second, merged);
    EXPECT(2, "a shard occurs twice", "merge %s %s", merged, second);
    EXPECT(0, "every rounding is right or refused",
           "merge %s/ngi32/exact/proofs/results/phi-*.json", RETROPOSE_SOURCE);
    /* Plays another processor, whose x87 rounds one listed argument in another way. */
    const char *kept = RETROPOSE_SOURCE "/ngi32/exact/proofs/results/phi-AuthenticAMD-26-2.json";
    char command[1024];
    snprintf(
        command, sizeof command,
        "sed -e s/AuthenticAMD/GenuineIntel/ -e '/0x3fc90fd9/s/\"x87\": \"0x../\"x87\": \"0x00/'"
        " %s > %s",
        kept, second);
    assert_int_equal(system(command), 0);
    EXPECT(1, "differ for 1 argument\n", "merge %s %s", kept, second);
    AssertSays("cosine of 0x3fc90fd9: ");
    EXPECT(4, "are compared when both are complete", "merge %s %s", first, second);
    assert_int_equal(Run("prove"), 2);
    EXPECT(2, "perhaps phi", "prove phy");
    assert_int_equal(Run("prove phi --shard 2/1"), 2);
    assert_int_equal(Run("prove phi --shard 0/1"), 2);
    assert_int_equal(Run("prove phi --shard 1/9999"), 2);
    assert_int_equal(Run("merge"), 2);
    assert_int_equal(Run("merge %s/README.md", RETROPOSE_SOURCE), 2);
}

TEST(MistypedWordsAreSuggested) {
    EXPECT(2, "did you mean replay?", "replya");
    EXPECT(2, "see `retropose help`", "zzzzzzz");
    EXPECT(2, "did you mean --select?", "replay --slect x");
    EXPECT(2, "perhaps slots", "gen slosts x");
    EXPECT(2, "perhaps slots", "replay " NATIVE " --scenario slosts");
    EXPECT(2, "perhaps corpus", "gen corpsu");
    EXPECT(2, "did you mean msh view or ani view?", "view x");
    EXPECT(2, "did you mean --rename-node?", "msh edit x --rename a=b");
    EXPECT(2, "perhaps SampleNode", "show %s/traces/table.rptrace --select Sample",
           RETROPOSE_SOURCE);
    EXPECT(2, "the trace has 68, and 67 is the last one's number",
           "show %s/traces/table.rptrace --select 99999999", RETROPOSE_SOURCE);
}

/* A verb that was renamed is also found by its old name, and reports its new one. */
TEST(OldNamesOfVerbsAreUnderstood) {
    static const struct {
        const char *words;
        int code;
        const char *says;
    } uses[] = {{"help mesh", 0, "retropose object VERB [OPTION...]"},
                {"mesh --help", 0, "retropose object VERB [OPTION...]"},
                {"help mesh pose", 0, "retropose object pose [OPTION...]"},
                {"mesh", 2, "object needs a verb; see `retropose help object`"},
                {"mesh pose", 2, "object pose needs a model"},
                {"mesh psoe", 2, "there is no verb object psoe, did you mean object pose?"},
                {"mesh pose --nothing", 2, "object pose has no option --nothing"},
                {"object", 2, "object needs a verb; see `retropose help object`"},
                {"pose", 2, "there is no verb pose, did you mean object pose?"},
                {"corpus check x", 2,
                 "there is no verb corpus, did you mean gen corpus or `python3 -m "
                 "retropose.census`?"}};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        EXPECT(uses[i].code, uses[i].says, "%s", uses[i].words);
    EXPECT(0, "\nobject pose\n", "help --list");
    AssertSays("\nexports\n");
    assert_null(strstr(output, "\nmesh "));
}

TEST(WrongUseIsTwo) {
    static const char *const lines[] = {"gen",
                                        "gen slots",
                                        "gen slots x --calls none",
                                        "gen slots x --calls 0",
                                        "gen slots x --calls",
                                        "gen slots x --list=1",
                                        "gen slots x --readings nothing=1",
                                        "gen slots x --select nothing.at.all",
                                        "gen slots /nowhere/at/all --calls 1",
                                        "compare a",
                                        "compare /nowhere/a /nowhere/b",
                                        "show",
                                        "show /nowhere/a",
                                        "stat",
                                        "stat /nowhere/a",
                                        "trim a b",
                                        "trim a",
                                        "trim /nowhere/a b --select 1",
                                        "minimise a",
                                        "replay " NATIVE,
                                        "replay " NATIVE " --scenario slots:0",
                                        "replay " NATIVE " --scenario slots:x",
                                        "replay " NATIVE " --scenario slots:1 --jobs 0",
                                        "replay " NATIVE " --scenario slots:1 --color maybe",
                                        "replay " NATIVE " --scenario slots:1 --known /nowhere/a",
                                        "replay " NATIVE " --scenario slots:1 --select 9999",
                                        "replay " NATIVE " /nowhere/a",
                                        "replay " RECORDED " " RETROPOSE_SOURCE
                                        "/traces/slots.rptrace",
                                        "replay --original /nowhere --scenario slots:1",
                                        "completion tcsh",
                                        "replay -x",
                                        "replay -qx"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        int code = Run("%s", lines[i]);
        if (code != 2)
            fail_msg("`%s` gives %d:\n%s", lines[i], code, output);
        AssertSays("retropose: ");
    }
}

/* A run has room for a limited number of inputs. Inputs that do not fit must not be left out in
 * silence. */
TEST(ScenariosThatDoNotFitAreRefused) {
    const char *words = "replay " NATIVE " -q --allow-partial --all-scenarios --calls 100";
    const char *trace = Fixture_Path("t");
    const TraceCall call = Fixture_Slerp(4, (const uint32_t[4]){0x3F800000});
    Fixture_Trace(trace, &call, 1, false);
    assert_int_equal(Run("%s $(for i in $(seq 400); do echo %s; done)", words, trace), 0);
    EXPECT(2, "too many traces and options for one run: at most 512",
           "%s $(for i in $(seq 512); do echo %s; done)", words, trace);
    EXPECT(2, "too many traces and scenarios for one run: at most 8192",
           "replay " NATIVE
           " --each-reading $(for i in $(seq 120); do echo --scenario slots; done)");
    static const char *const sides[] = {"--original recorded --replacement native",
                                        "--original native --replacement recorded"};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        EXPECT(2, "a scenario has no recorded outcomes: name a pair or `native`",
               "replay %s %s --scenario slots:10", sides[i], trace);
        assert_null(strstr(output, "calls compared"));
    }
}

TEST(AScenarioGoesThroughTheWholeTool) {
    const char *trace = Fixture_Path("trace"), *small = Fixture_Path("small");
    EXPECT(0, "slots", "gen --list");
    assert_int_equal(Run("gen slots %s --calls 60 --seed 3 --compress", trace), 0);
    EXPECT(0, "calls 60 (0 to 59)", "stat %s", trace);
    EXPECT(0, "seed=3", "show %s --header", trace);
    EXPECT(0, "5 ngi32.", "show %s --select 5", trace);
    EXPECT(0, "{\"sequence\":\"5\"", "show %s --select 5 --json", trace);
    EXPECT(0, "memory ", "show %s --memories", trace);
    assert_int_equal(Run("show %s --select 60", trace), 2);
    assert_int_equal(Run("stat %s --select 60", trace), 2);
    EXPECT(0, "5 calls", "trim %s %s --select 5-9", trace, small);
    EXPECT(0, "\"exit_code\":\t0", "replay " NATIVE " %s --json -", small);
    EXPECT(0, "5 calls compared, 0 different\n", "replay " NATIVE " %s", small);
    EXPECT(2, "nothing to minimise", "minimise " NATIVE " %s %s.min --select 5-6", trace, small);
    EXPECT(2, "so --original cannot be `recorded`",
           "minimise --original recorded --replacement native %s %s.min", trace, small);
    EXPECT(2, "so --replacement cannot be `recorded`",
           "minimise --original native --replacement recorded %s %s.min", trace, small);
    EXPECT(0, "replacement: native",
           "replay " NATIVE " --all-scenarios --calls 900 -j2 -q --allow-partial");
    EXPECT(4, "20 of 40 calls compared, 0 different; NOT COMPARED: 20 unsupported\n",
           "replay " NATIVE " --scenario slots:20 --scenario stubs:20 -q");
}

/* Compares answers with those of somebody else's original, which is not here. */
TEST(ADigestIsWrittenAndCompared) {
    const char *digest = Fixture_Path("digest"), *other = Fixture_Path("other");
    size_t size;
    assert_int_equal(
        Run("replay " NATIVE " --scenario poses:300 --scenario slots:200 --digest %s", digest), 0);
    EXPECT(0, "same               animesh.SampleNode         SampleNode           in poses\n",
           "digest compare %s -v", digest);
    AssertSays("23 functions: 23 same, 0 different\n");
    AssertSays("note: the answers of a are by native");
    assert_int_equal(Run("replay " NATIVE " --scenario poses:300 --scenario slots:200 --digest %s "
                         "--readings slerp-sine=quotient -q",
                         other),
                     0);
    EXPECT(2, "the digests are of other readings", "digest compare %s %s", digest, other);
    uint8_t *text = Fixture_Read(digest, &size);
    Fixture_Write(other, text, size - 20);
    EXPECT(2, "the digest ends early", "digest compare %s", other);
    free(text);
    EXPECT(2, "a digest holds no calls", "digest compare --replacement recorded %s", digest);
    assert_int_equal(Run("digest compare"), 2);
    assert_int_equal(Run("replay " NATIVE " %s --digest %s", digest, other), 2);
    EXPECT(2, "--digest is of whole scenarios, and goes without --select",
           "replay " NATIVE " --scenario slots --digest %s --select 3", other);
}

/* Two traces of the same calls are shown side by side, with a mark at what differs. */
TEST(ShowPutsTwoTracesSideBySide) {
    const char *a = Fixture_Path("a"), *b = Fixture_Path("b");
    const uint32_t one[4] = {0x3F800000}, next[4] = {0x3F800001};
    TraceCall call_a = Fixture_Slerp(4, one), call_b = Fixture_Slerp(4, next);
    call_b.violations = TRACE_X87_STACK;
    Fixture_Trace(a, &call_a, 1, false);
    Fixture_Trace(b, &call_b, 1, false);
    EXPECT(0, "4 ngi32.slot17 InterpolateQuaternions\n", "show %s %s", a, b);
    AssertSays("  a returned, control word 003f, MXCSR 00001f80\n");
    AssertSays("  a result       3f800000 1 *");
    AssertSays("  b returned, control word 003f, MXCSR 00001f80, violations: x87 stack\n");
    AssertSays("  b result       3f800001 1.00000012 *");
    EXPECT(0, "{\"a\":{\"sequence\":\"4\"", "show %s %s --json", a, b);
    AssertSays("\"b\":{\"sequence\":\"4\"");
    assert_int_equal(Run("show %s %s --select 5", a, b), 2);
    assert_int_equal(Run("show %s %s --header", a, b), 2);
    assert_int_equal(Run("show %s %s %s", a, b, b), 2);
    EXPECT(1, "element    x87 stack", "compare %s %s", a, b);
    AssertSays("  a          kept\n  b          violated\n");
    call_b.outcome = TRACE_TIMED_OUT;
    call_b.output_size = 0;
    Fixture_Trace(b, &call_b, 1, false);
    EXPECT(0, "  b timed out", "show %s %s", a, b);
    EXPECT(3, "call 4 of ", "compare %s %s", a, b);
    AssertSays(": outcome returned -> timed out\n");
    call_b = Fixture_Slerp(5, next);
    Fixture_Trace(b, &call_b, 1, false);
    EXPECT(2, "do not hold the same calls", "show %s %s", a, b);
}

/* Uses reports of two comparisons: of a trace with itself, and with a trace that differs. */
TEST(ReportsAreComparedAndBadged) {
    const char *a = Fixture_Path("a"), *b = Fixture_Path("b"), *badge = Fixture_Path("badge");
    const char *good = Fixture_Path("good"), *bad = Fixture_Path("bad");
    TraceCall call_a = Fixture_Slerp(4, (const uint32_t[4]){0x3F800000}),
              call_b = Fixture_Slerp(4, (const uint32_t[4]){0x3F800001});
    Fixture_Trace(a, &call_a, 1, false);
    Fixture_Trace(b, &call_b, 1, false);
    assert_int_equal(Run("compare %s %s --json %s", a, a, good), 0);
    assert_int_equal(Run("compare %s %s --json %s", a, b, bad), 1);
    EXPECT(0, "0 functions worse, 0 new, 0 better, 0 gone, 1 as before", "report diff %s %s", good,
           good);
    EXPECT(1, "0 of 1                  1 of 1                  new", "report diff %s %s", good,
           bad);
    EXPECT(0, "\"change\":\t\"gone\"", "report diff %s %s --json", bad, good);
    assert_int_equal(Run("report diff %s", good), 2);
    EXPECT(2, "this is no JSON", "report diff %s %s", good, a);
    AssertSays(a);
    assert_int_equal(Run("report badge %s -o %s", bad, badge), 0);
    assert_int_equal(remove(badge), 0);
    EXPECT(0, "1 calls equal, with native, not the retail DLLs", "report badge %s", good);
    assert_int_equal(Run("report badge /nowhere/at/all"), 2);
}

static void TakesSize(const char *path, long *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = ftell(file);
    fclose(file);
}

/* Two habits are tested, and how they are told apart. */
TEST(JsonIsPrintedOrWritten) {
    const char *trace = Fixture_Path("few");
    long before, after;
    assert_int_equal(Run("gen slots %s --calls 5", trace), 0);
    TakesSize(trace, &before);
    EXPECT(2, "is one of the inputs", "replay " NATIVE " --json %s %s", trace, trace);
    EXPECT(2, "--json takes the file to write, and ",
           "replay " NATIVE " --json %s --scenario slots --calls 5", trace);
    AssertSays("is a trace");
    EXPECT(2, "is one of the inputs", "compare %s %s --html %s", trace, trace, trace);
    TakesSize(trace, &after);
    assert_int_equal(before, after);
    EXPECT(2, "--json needs FILE (-: the standard output)", "compare %s %s --json", trace, trace);
    EXPECT(2, "--json takes no value: here it prints on the standard output, instead of text",
           "show %s --json=x", trace);
}

TEST(CompareSaysWhatDiffers) {
    const char *a = Fixture_Path("a"), *b = Fixture_Path("b"), *json = Fixture_Path("json");
    const char *junit = Fixture_Path("junit"), *lines = Fixture_Path("known");
    const uint32_t one[4] = {0x3F800000}, next[4] = {0x3F800001};
    TraceCall call_a = Fixture_Slerp(4, one), call_b = Fixture_Slerp(4, next);
    Fixture_Trace(a, &call_a, 1, false);
    Fixture_Trace(b, &call_b, 1, false);
    EXPECT(0, "1 calls compared, 0 different\n", "compare %s %s", a, a);
    EXPECT(1, "FIRST DIFFERENCE  ngi32.slot17", "compare %s %s --json %s --junit %s", a, b, json,
           junit);
    AssertSays("+1 ulp");
    assert_null(strchr(output, '\033'));
    assert_int_equal(remove(json), 0);
    assert_int_equal(remove(junit), 0);
    EXPECT(2, "only one of --json, --junit and --html",
           "compare %s %s --html - --json - --junit %s", a, b, junit);
    assert_int_equal(Run("compare %s %s --html -", a, b), 1);
    assert_memory_equal(output, "<!doctype html>", 15);
    AssertSays("--select ngi32.slot17:4");
    assert_int_equal(Run("compare %s %s --html /nowhere/at/all", a, b), 2);
    assert_int_equal(Run("compare %s %s --color=always", a, b), 1);
    assert_non_null(strchr(output, '\033'));
    assert_int_equal(Run("compare %s %s --select 5", a, b), 2);
    assert_int_equal(Run("compare %s %s --json - --junit -", a, b), 2);
    assert_int_equal(Run("compare %s %s --json /nowhere/at/all", a, b), 2);
    assert_int_equal(Run("compare %s %s --junit /nowhere/at/all", a, b), 2);
    Fixture_Write(lines, "ngi32.slot17 | result[0] | test\n", 32);
    EXPECT(0, "known differences", "compare %s %s --known %s", a, b, lines);
    EXPECT(1, "NO LONGER DIFFERENT", "compare %s %s --known %s", a, a, lines);
    call_b.outcome = TRACE_TIMED_OUT;
    call_b.output_size = 0;
    Fixture_Trace(b, &call_b, 1, false);
    EXPECT(2, "0 of 1 calls compared, 0 different; NOT COMPARED: 1 failed alike\n", "compare %s %s",
           b, b);
    AssertSays("nothing was compared");
    EXPECT(3, "timed out", "compare %s %s", a, b);
    size_t size;
    uint8_t *bytes = Fixture_Read(a, &size);
    Fixture_Write(b, bytes, size - 1);
    EXPECT(2, "the trace is cut", "compare %s %s", a, b);
    EXPECT(2, "calls 1 (4 to 4)", "stat %s", b);
    assert_int_equal(Run("show %s", b), 2);
    free(bytes);
}

TEST(ADifferenceThatIsKnownAndGoneIsTold) {
    const char *known = Fixture_Path("known");
    Fixture_Write(known, "ngi32.slot17 | * | never\n", 25);
    EXPECT(1, "NO LONGER DIFFERENT", "replay " NATIVE " --scenario slots:500 --known %s", known);
}

/* Writes an absolute path of the same file that is longer by this number of bytes. */
static void Lengthen(const char *path, size_t bytes, char *longer) {
    *longer++ = *path++;
    for (size_t i = 0; i < bytes / 2; i++) {
        *longer++ = '.';
        *longer++ = '/';
    }
    strcpy(longer, path);
}

static void ExpectRepeat(bool shown, const char *words) {
    EXPECT(1, "FIRST DIFFERENCE  ngi32.slot17", "%s", words);
    if ((strstr(output, "  repeat ") != NULL) != shown)
        fail_msg("%s repeats a call in:\n%s", shown ? "nothing" : "a command that was cut", output);
    assert_int_equal(Run("%s --html -", words), 1);
    assert_true((strstr(output, "Repeat this call") != NULL) == shown);
    assert_int_equal(Run("%s --json -", words), 1);
    assert_true((strstr(output, "\"repeat\":") != NULL) == shown);
    assert_int_equal(Run("%s --junit -", words), 1);
    assert_true((strstr(output, "--select ngi32.slot17:4") != NULL) == shown);
}

/* The command that a report names is enough to make the report again, whatever the first run
 * printed and wherever its reports went. */
TEST(AReportHasTheCommandThatRepeatsTheRun) {
    static const char *const words = "replay " NATIVE " --scenario slots:500 --seed 7";
    const char *json = Fixture_Path("json"), *page = Fixture_Path("page");
    const char *again = Fixture_Path("again");
    char command[160];
    size_t size, size_again;
    assert_int_equal(Run("%s -q --jobs 2 --json %s --html %s", words, json, page), 0);
    char *report = (char *)Fixture_Read(json, &size), *html = (char *)Fixture_Read(page, &size);
    snprintf(command, sizeof command, "\"command\":\t\"retropose %s\"", words);
    assert_non_null(strstr(report, command));
    snprintf(command, sizeof command, ">retropose %s</pre>", words);
    assert_non_null(strstr(html, command));
    /* The library in this process is that of this very program. */
    assert_int_equal(Run("--version"), 0);
    char *version = strstr(output, "1."), *end = strchr(version, ')');
    snprintf(command, sizeof command, "%.*s", (int)(end + 1 - version), version);
    char *at = strstr(report, command);
    for (int sides = 0; sides < 2; sides++, at = strstr(at + 1, command))
        assert_non_null(at);
    assert_int_equal(Run("%s --json %s", words, again), 0);
    char *repeated = (char *)Fixture_Read(again, &size_again);
    assert_string_equal(report, repeated);
    free(report);
    free(html);
    free(repeated);
}

/* What is left of it would do something else. */
TEST(ACommandThatDoesNotFitIsNotShown) {
    const char *a = Fixture_Path("a"), *b = Fixture_Path("b"), *profile = Fixture_Path("profile");
    char longer[4096], words[8192];
    const uint32_t one[4] = {0x3F800000}, next[4] = {0x3F800001};
    TraceCall call_a = Fixture_Slerp(4, one), call_b = Fixture_Slerp(4, next);
    Fixture_Trace(a, &call_a, 1, false);
    Fixture_Trace(b, &call_b, 1, false);
    Fixture_Write(profile, "", 0);

    snprintf(words, sizeof words, "compare -q %s %s", a, b);
    ExpectRepeat(true, words);
    Lengthen(b, 2000, longer);
    snprintf(words, sizeof words, "compare -q %s %s", a, longer);
    ExpectRepeat(false, words);

#define REPLAY "replay -q --original recorded --replacement native"
    snprintf(words, sizeof words, REPLAY " --profile %s %s", profile, b);
    ExpectRepeat(true, words);
    Lengthen(profile, 2000, longer);
    snprintf(words, sizeof words, REPLAY " --profile %s %s", longer, b);
    ExpectRepeat(false, words);
    Lengthen(b, 300, longer); /* a difference has no room for such a name */
    snprintf(words, sizeof words, REPLAY " %s", longer);
    ExpectRepeat(false, words);
}

TEST(AnOptionInFrontOfTheVerbIsExplained) {
    EXPECT(2, "a verb comes first, and options such as -v behind it; ", "-v");
    AssertSays("`retropose --version` for the version");
    EXPECT(2, "options such as --quiet behind it", "--quiet replay");
}

#ifndef _WIN32
static void WriteProgram(const char *path, const char *script) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s", script);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0755), 0);
}

/* Every verb reports a Wine that does not start as such, and shows Wine's own reason. */
TEST(WinesOwnErrorIsShown) {
    static const char told[] = "Wine cannot be started: wine: no such loader: Exec format error";
    char folder[] = "/tmp/retropose-wine-XXXXXX", file[64], *path = strdup(getenv("PATH"));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("PATH", folder, 1), 0);
    snprintf(file, sizeof file, "%s/wine", folder);
    assert_int_equal(setenv("RETROPOSE_WINEPREFIX", file, 1), 0);

    WriteProgram(file, "echo 'wine: no such loader: Exec format error' >&2\nexit 126\n");
    EXPECT(2, told, "doctor --engine wine --original native");
    EXPECT(2, told, "record -o cli-wine.rptrace -- Iron.exe");
    EXPECT(2, told, "record -o cli-wine.rptrace -- wine Iron.exe");
    EXPECT(2, "found one that ended with 126", "record -o cli-wine.rptrace -- %s Iron.exe", file);

    WriteProgram(file, "[ \"$1\" = --version ] && { echo wine-8.0; exit 0; }\n"
                       "echo 'wine: could not load ntdll.so' >&2\nexit 1\n");
    snprintf(file, sizeof file, "%s/prefix", folder);
    assert_int_equal(setenv("RETROPOSE_WINEPREFIX", file, 1), 0);
    EXPECT(2, "ok       Wine             wine-8.0", "doctor --engine wine --original native");
    AssertSays("Wine cannot make its prefix, at ");
    AssertSays(": wine: could not load ntdll.so");
    AssertSays("making a prefix for Wine, once: ");
    assert_int_equal(Run("doctor -q --engine wine --original native"), 2);
    assert_null(strstr(output, "making a prefix"));

    assert_int_equal(setenv("PATH", path, 1), 0);
    assert_int_equal(unsetenv("RETROPOSE_WINEPREFIX"), 0);
    free(path);
    snprintf(file, sizeof file, "rm -r %s", folder);
    assert_int_equal(system(file), 0);
}
#endif

/* Neither Wine nor our other parts are there, but the library itself runs. */
TEST(TheDoctorSaysWhatIsMissing) {
    char *path = strdup(getenv("PATH"));
    assert_int_equal(setenv("RETROPOSE_HOME", "/nowhere", 1), 0);
    assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
    EXPECT(2, "ok       run original     one call went through", "doctor --original native");
    AssertSays("ok       engine           machine");
    AssertSays("problem  replacement      no folder");
    AssertSays(" problem");
    EXPECT(2, "problem  Wine             Wine is not installed",
           "doctor --engine wine --original native");
    AssertSays("problem  host");
    EXPECT(2, "problem  Wine             Wine is not installed",
           "doctor -q --engine wine --original native");
    assert_null(strstr(output, "ok  "));
    EXPECT(2,
           "--engine takes auto, machine, interpreter, wine or windows, or "
           "machine:PROCESSOR with one of ",
           "doctor --engine somewhere");
    AssertSays("this, not somewhere");
    EXPECT(2, "problem  original", "doctor --original /nowhere");
    EXPECT(2, "problem  run original     no folder for a trace",
           "doctor --original native --work /nowhere/at/all");
    EXPECT(2, "no standin/ beside this program", "replay --scenario slots:1");
    assert_int_equal(unsetenv("RETROPOSE_HOME"), 0);
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
}

TEST(TheVersionIsToldInEachUsualWay) {
    static const char *const words[] = {"--version", "-V", "version"};
    for (size_t i = 0; i < 3; i++)
        EXPECT(0, "reads traces of format", "%s", words[i]);
}

/* A build that was made as README.md says has the traces two folders above it. */
TEST(ABuildTreeFindsTheBundledTraces) {
    static const char builds[] = RETROPOSE_SOURCE "/build/";
    const char *rest = RETROPOSE_BINARY;
    if (strncmp(rest, builds, sizeof builds - 1) != 0 || !strchr(rest + sizeof builds - 1, '/') ||
        strchr(strchr(rest + sizeof builds - 1, '/') + 1, '/'))
        skip();
    assert_int_equal(unsetenv("RETROPOSE_HOME"), 0);
    EXPECT(0, " compared, 0 different",
           "replay -q --bundled --original recorded --replacement native "
           "--allow-partial --select 'ngi32.slot17:0-0'");
}

TEST(ShellsGetCompletions) {
    EXPECT(0, "complete -o filenames -F _retropose retropose", "completion bash");
    AssertSays("--max-differences");
    EXPECT(0, "bashcompinit", "completion zsh");
    EXPECT(0, "-l all-scenarios", "completion fish");
    assert_int_equal(system(RETROPOSE_BINARY " completion bash | bash -n"), 0);
}
