#include "fixture.h"

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

#define NATIVE   "--original native --replacement native"
#define RECORDED "--original recorded --replacement recorded"

TEST(ProcessorNamesAMaker) {
    assert_int_equal(Run("replay " NATIVE " --scenario slots:200 --processor amd"), 0);
    assert_int_equal(Run("replay " NATIVE " --scenario slots:200 --processor via"), 2);
    AssertSays("--processor takes intel, amd or this, not via");
    assert_int_equal(Run("replay --original recorded --replacement recorded --processor amd"), 2);
    AssertSays("--processor is for `native`");
}

/* The first trace differs, and the second one has no whole call. The difference was found before
 * that. */
TEST(AnErrorKeepsWhatWasFoundBeforeIt) {
    char first[256], cut[256], json[256];
    const uint32_t wrong[4] = {0x3F800000, 0x40000000, 0, 0};
    const TraceCall call = Fixture_Slerp(4, wrong);
    size_t size;
    snprintf(first, sizeof first, "%s", Fixture_Path("first"));
    snprintf(cut, sizeof cut, "%s", Fixture_Path("cut"));
    snprintf(json, sizeof json, "%s", Fixture_Path("json"));
    Fixture_Trace(first, &call, 1, false);
    uint8_t *bytes = Fixture_Read(first, &size);
    Fixture_Write(cut, bytes, size - 60); /* cuts within the chunk of the call */
    assert_int_equal(Run("replay --original recorded --replacement native %s", first), 1);
    assert_int_equal(
        Run("replay --original recorded --replacement native %s %s --json %s", first, cut, json),
        2);
    AssertSays("FIRST DIFFERENCE  ngi32.slot17");
    AssertSays("1 calls compared, 1 different\nerror: ");
    AssertSays("STOPPED by an error: this is a part of what was asked for, and no result\n");
    AssertSays("the trace is cut");
    assert_int_equal(Run("report diff %s %s", json, json), 2);
    AssertSays("the report of a run that an error stopped, which is no result");
    remove(json);
    /* If nothing was compared, there is nothing to report. */
    assert_int_equal(
        Run("replay --original recorded --replacement native %s %s --json %s", cut, first, json),
        2);
    AssertSays("the trace is cut");
    assert_null(strstr(output, "STOPPED"));
    assert_null(fopen(json, "rb"));
    Fixture_Write(cut, bytes, size - 1);
    /* Both traces have the call, and then one of them is cut. */
    assert_int_equal(Run("compare %s %s", first, cut), 2);
    AssertSays("1 calls compared, 0 different\nerror: ");
    AssertSays("STOPPED by an error");
    free(bytes);
    remove(first);
    remove(cut);
}

/* If a trace was cut off, the calls before the cut are whole, and are replayed and kept. */
TEST(ATraceThatWasCutOffIsReplayedUpToThere) {
    static const char *const sides[] = {NATIVE, "--original recorded --replacement native",
                                        "--original native --replacement recorded"};
    char cut[256], kept[256], page[256];
    TraceCall calls[3];
    size_t size;
    snprintf(cut, sizeof cut, "%s", Fixture_Path("cut"));
    snprintf(kept, sizeof kept, "%s", Fixture_Path("kept"));
    snprintf(page, sizeof page, "%s", Fixture_Path("page"));
    for (size_t i = 0; i < 3; i++) {
        calls[i] = Fixture_Slerp(i, (const uint32_t[]){0x3F3504F3, 0x3F3504F3, 0, 0});
        calls[i].control_in = calls[i].control_out = 0x007F;
    }
    Fixture_Trace(cut, calls, 3, false);
    uint8_t *bytes = Fixture_Read(cut, &size);
    Fixture_Write(cut, bytes, size - 1);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        assert_int_equal(Run("replay %s %s", sides[i], cut), 2);
        AssertSays("3 calls compared, 0 different\nerror: the trace is cut");
        AssertSays("STOPPED by an error: this is a part of what was asked for, and no result\n");
        assert_int_equal(Run("replay %s %s --select 0-1", sides[i], cut), 2);
        AssertSays("2 calls compared, 0 different\nerror: the trace is cut");
    }
    assert_int_equal(Run("replay " NATIVE " %s --html %s", cut, page), 2);
    free(Fixture_Read(page, &size));
    remove(page);
    /* Calls that are not selected are not searched for after the cut. */
    assert_int_equal(Run("replay " NATIVE " %s --select 7", cut), 2);
    AssertSays("the trace is cut");
    assert_int_equal(Run("trim %s %s --select 1-2", cut, kept), 2);
    AssertSays("2 calls, of those before the cut\n");
    AssertSays("the trace is cut");
    assert_int_equal(Run("stat %s", kept), 0);
    AssertSays("calls 2 (1 to 2)");
    assert_int_equal(Run("replay " NATIVE " %s", kept), 0);
    remove(kept);
    assert_int_equal(Run("trim %s %s --select 7", cut, kept), 2);
    assert_null(fopen(kept, "rb"));
    free(bytes);
    remove(cut);
}

/* Nobody may take a stand-in for an original, and one that was changed is a stand-in, too. */
TEST(AComparedTraceSaysWhoMadeIt) {
    static const struct {
        const char *provider, *notice;
    } cases[] = {{"stand-in", "note: the stand-in played the original"},
                 {"modified stand-in", "note: a modified stand-in, not the one that was built"}};
    const uint32_t answer[4] = {0x3F800000, 0, 0, 0};
    const TraceCall call = Fixture_Slerp(4, answer);
    char first[256], second[256];
    snprintf(first, sizeof first, "%s", Fixture_Path("first"));
    snprintf(second, sizeof second, "%s", Fixture_Path("second"));
    Fixture_Trace(second, &call, 1, false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture_TraceOf(cases[i].provider, first, &call, 1, false);
        assert_int_equal(Run("compare %s %s", first, second), 0);
        AssertSays(cases[i].notice);
    }
    remove(first);
    remove(second);
}

TEST(HelpNamesEveryVerb) {
    static const char *const verbs[] = {"gen",  "replay",   "compare", "show", "stat",
                                        "trim", "minimise", "doctor",  "help", "completion"};
    assert_int_equal(Run("--help"), 0);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        char usage[64];
        assert_int_equal(Run("--help"), 0);
        AssertSays(verbs[i]);
        snprintf(usage, sizeof usage, "retropose %s", verbs[i]);
        assert_int_equal(Run("help %s", verbs[i]), 0);
        AssertSays(usage);
        assert_int_equal(Run("%s --help", verbs[i]), 0);
        AssertSays(usage);
    }
    assert_int_equal(Run("help"), 0);
    AssertSays("\ntrace: calls of two DLLs, replayed and compared\n  gen ");
    AssertSays("\nretropose msh VERB: models\n  ls ");
    assert_int_equal(Run("help game"), 0); /* a heading that is no word of a verb */
    AssertSays("retropose VERB [OPTION...]\na game's folder");
    AssertSays("  install ");
    assert_int_equal(Run("help nothing"), 2);
    assert_int_equal(Run("--version"), 0);
    AssertSays("traces of format 1.x");
    assert_int_equal(Run("%s", ""), 2);
}

TEST(ShardsOfAProofMerge) {
    char first[256], second[256], merged[256];
    snprintf(first, sizeof first, "%s", Fixture_Path("first"));
    snprintf(second, sizeof second, "%s", Fixture_Path("second"));
    snprintf(merged, sizeof merged, "%s", Fixture_Path("merged"));
    assert_int_equal(Run("prove --list"), 0);
    AssertSays("reciprocal-root");
    if (RpFpu_IsIdeal()) {
        assert_int_equal(Run("prove phi --shard 1/4096"), 2);
        AssertSays("expected a processor with an x87, found software arithmetic");
        return;
    }
    assert_int_equal(Run("prove phi --shard 1/4096 -o %s", first), 0);
    AssertSays("every rounding of these is right or refused");
    assert_int_equal(Run("prove phi --shard 2/4096 --json -o %s", second), 0);
    AssertSays("\"done\": [2]");
    assert_int_equal(Run("merge %s %s -o %s", first, second, merged), 4);
    AssertSays("MISSING: shards 3-4096 of 4096");
    assert_int_equal(Run("merge %s %s", merged, second), 2);
    AssertSays("a shard occurs twice");
    assert_int_equal(Run("merge %s/ngi32/exact/proofs/results/phi-*.json", RETROPOSE_SOURCE), 0);
    AssertSays("every rounding is right or refused");
    /* Plays another processor, whose x87 rounds one listed argument in another way. */
    const char *kept = RETROPOSE_SOURCE "/ngi32/exact/proofs/results/phi-AuthenticAMD-26-2.json";
    char command[1024];
    snprintf(
        command, sizeof command,
        "sed -e s/AuthenticAMD/GenuineIntel/ -e '/0x3fc90fd9/s/\"x87\": \"0x../\"x87\": \"0x00/'"
        " %s > %s",
        kept, second);
    assert_int_equal(system(command), 0);
    assert_int_equal(Run("merge %s %s", kept, second), 1);
    AssertSays("differ for 1 argument\n");
    AssertSays("cosine of 0x3fc90fd9: ");
    assert_int_equal(Run("merge %s %s", first, second), 4);
    AssertSays("are compared when both are complete");
    assert_int_equal(Run("prove"), 2);
    assert_int_equal(Run("prove phy"), 2);
    AssertSays("perhaps phi");
    assert_int_equal(Run("prove phi --shard 2/1"), 2);
    assert_int_equal(Run("prove phi --shard 0/1"), 2);
    assert_int_equal(Run("prove phi --shard 1/9999"), 2);
    assert_int_equal(Run("merge"), 2);
    assert_int_equal(Run("merge %s/README.md", RETROPOSE_SOURCE), 2);
    remove(first);
    remove(second);
    remove(merged);
}

TEST(MistypedWordsAreSuggested) {
    assert_int_equal(Run("replya"), 2);
    AssertSays("did you mean replay?");
    assert_int_equal(Run("zzzzzzz"), 2);
    AssertSays("see `retropose help`");
    assert_int_equal(Run("replay --slect x"), 2);
    AssertSays("did you mean --select?");
    assert_int_equal(Run("gen slosts x"), 2);
    AssertSays("perhaps slots");
    assert_int_equal(Run("replay " NATIVE " --scenario slosts"), 2);
    AssertSays("perhaps slots");
    assert_int_equal(Run("gen corpsu"), 2);
    AssertSays("perhaps corpus");
    assert_int_equal(Run("view x"), 2);
    AssertSays("did you mean msh view or ani view?");
    assert_int_equal(Run("msh edit x --rename a=b"), 2);
    AssertSays("did you mean --rename-node?");
    assert_int_equal(Run("show %s/traces/table.rptrace --select Sample", RETROPOSE_SOURCE), 2);
    AssertSays("perhaps SampleNode");
    assert_int_equal(Run("show %s/traces/table.rptrace --select 99999999", RETROPOSE_SOURCE), 2);
    AssertSays("the trace has 68, and 67 is the last one's number");
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
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        assert_int_equal(Run("%s", uses[i].words), uses[i].code);
        AssertSays(uses[i].says);
    }
    assert_int_equal(Run("help --list"), 0);
    AssertSays("\nobject pose\n");
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
    assert_int_equal(Run("%s $(for i in $(seq 505); do echo %s; done)", words, trace), 2);
    AssertSays("too many traces and scenarios for one run: at most 512");
    static const char *const sides[] = {"--original recorded --replacement native",
                                        "--original native --replacement recorded"};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        assert_int_equal(Run("replay %s %s --scenario slots:10", sides[i], trace), 2);
        AssertSays("a scenario has no recorded outcomes: name a pair or `native`");
        assert_null(strstr(output, "calls compared"));
    }
    remove(trace);
}

TEST(AScenarioGoesThroughTheWholeTool) {
    const char *trace = Fixture_Path("trace"), *small = Fixture_Path("small");
    assert_int_equal(Run("gen --list"), 0);
    AssertSays("slots");
    assert_int_equal(Run("gen slots %s --calls 60 --seed 3 --compress", trace), 0);
    assert_int_equal(Run("stat %s", trace), 0);
    AssertSays("calls 60 (0 to 59)");
    assert_int_equal(Run("show %s --header", trace), 0);
    AssertSays("seed=3");
    assert_int_equal(Run("show %s --select 5", trace), 0);
    AssertSays("5 ngi32.");
    assert_int_equal(Run("show %s --select 5 --json", trace), 0);
    AssertSays("{\"sequence\":\"5\"");
    assert_int_equal(Run("show %s --memories", trace), 0);
    AssertSays("memory ");
    assert_int_equal(Run("show %s --select 60", trace), 2);
    assert_int_equal(Run("stat %s --select 60", trace), 2);
    assert_int_equal(Run("trim %s %s --select 5-9", trace, small), 0);
    AssertSays("5 calls");
    assert_int_equal(Run("replay " NATIVE " %s --json -", small), 0);
    AssertSays("\"exit_code\":\t0");
    assert_int_equal(Run("replay " NATIVE " %s", small), 0);
    AssertSays("5 calls compared, 0 different\n");
    assert_int_equal(Run("minimise " NATIVE " %s %s.min --select 5-6", trace, small), 2);
    AssertSays("nothing to minimise");
    assert_int_equal(
        Run("minimise --original recorded --replacement native %s %s.min", trace, small), 2);
    AssertSays("so --original cannot be `recorded`");
    assert_int_equal(
        Run("minimise --original native --replacement recorded %s %s.min", trace, small), 2);
    AssertSays("so --replacement cannot be `recorded`");
    assert_int_equal(Run("replay " NATIVE " --all-scenarios --calls 900 -j2 -q --allow-partial"),
                     0);
    AssertSays("replacement: native");
    assert_int_equal(Run("replay " NATIVE " --scenario slots:20 --scenario stubs:20 -q"), 4);
    AssertSays("20 of 40 calls compared, 0 different; NOT COMPARED: 20 unsupported\n");
    remove(trace);
    remove(small);
}

/* Two traces of the same calls are shown side by side, with a mark at what differs. */
/* Compares answers with those of somebody else's original, which is not here. */
TEST(ADigestIsWrittenAndCompared) {
    char digest[256], other[256];
    size_t size;
    snprintf(digest, sizeof digest, "%s", Fixture_Path("digest"));
    snprintf(other, sizeof other, "%s", Fixture_Path("other"));
    assert_int_equal(
        Run("replay " NATIVE " --scenario poses:300 --scenario slots:200 --digest %s", digest), 0);
    assert_int_equal(Run("digest compare %s -v", digest), 0);
    AssertSays("same               animesh.SampleNode         SampleNode           in poses\n");
    AssertSays("23 functions: 23 same, 0 different\n");
    AssertSays("note: the answers of a are by native");
    assert_int_equal(Run("replay " NATIVE " --scenario poses:300 --scenario slots:200 --digest %s "
                         "--readings slerp-sine=quotient -q",
                         other),
                     0);
    assert_int_equal(Run("digest compare %s %s", digest, other), 2);
    AssertSays("the digests are of other readings");
    uint8_t *text = Fixture_Read(digest, &size);
    Fixture_Write(other, text, size - 20);
    assert_int_equal(Run("digest compare %s", other), 2);
    AssertSays("the digest ends early");
    free(text);
    assert_int_equal(Run("digest compare --replacement recorded %s", digest), 2);
    AssertSays("a digest holds no calls");
    assert_int_equal(Run("digest compare"), 2);
    assert_int_equal(Run("replay " NATIVE " %s --digest %s", digest, other), 2);
    assert_int_equal(Run("replay " NATIVE " --scenario slots --digest %s --select 3", other), 2);
    AssertSays("--digest is of whole scenarios, and goes without --select");
    remove(digest);
    remove(other);
}

TEST(ShowPutsTwoTracesSideBySide) {
    const char *a = Fixture_Path("a"), *b = Fixture_Path("b");
    const uint32_t one[4] = {0x3F800000}, next[4] = {0x3F800001};
    TraceCall call_a = Fixture_Slerp(4, one), call_b = Fixture_Slerp(4, next);
    call_b.violations = TRACE_X87_STACK;
    Fixture_Trace(a, &call_a, 1, false);
    Fixture_Trace(b, &call_b, 1, false);
    assert_int_equal(Run("show %s %s", a, b), 0);
    AssertSays("4 ngi32.slot17 InterpolateQuaternions\n");
    AssertSays("  a returned, control word 003f, MXCSR 00001f80\n");
    AssertSays("  a result       3f800000 1 *");
    AssertSays("  b returned, control word 003f, MXCSR 00001f80, violations: x87 stack\n");
    AssertSays("  b result       3f800001 1.00000012 *");
    assert_int_equal(Run("show %s %s --json", a, b), 0);
    AssertSays("{\"a\":{\"sequence\":\"4\"");
    AssertSays("\"b\":{\"sequence\":\"4\"");
    assert_int_equal(Run("show %s %s --select 5", a, b), 2);
    assert_int_equal(Run("show %s %s --header", a, b), 2);
    assert_int_equal(Run("show %s %s %s", a, b, b), 2);
    assert_int_equal(Run("compare %s %s", a, b), 1);
    AssertSays("element    x87 stack");
    AssertSays("  a          kept\n  b          violated\n");
    call_b.outcome = TRACE_TIMED_OUT;
    call_b.output_size = 0;
    Fixture_Trace(b, &call_b, 1, false);
    assert_int_equal(Run("show %s %s", a, b), 0);
    AssertSays("  b timed out");
    assert_int_equal(Run("compare %s %s", a, b), 3);
    AssertSays("call 4 of ");
    AssertSays(": outcome returned -> timed out\n");
    call_b = Fixture_Slerp(5, next);
    Fixture_Trace(b, &call_b, 1, false);
    assert_int_equal(Run("show %s %s", a, b), 2);
    AssertSays("do not hold the same calls");
    remove(a);
    remove(b);
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
    assert_int_equal(Run("report diff %s %s", good, good), 0);
    AssertSays("0 functions worse, 0 new, 0 better, 0 gone, 1 as before");
    assert_int_equal(Run("report diff %s %s", good, bad), 1);
    AssertSays("0 of 1                  1 of 1                  new");
    assert_int_equal(Run("report diff %s %s --json", bad, good), 0);
    AssertSays("\"change\":\t\"gone\"");
    assert_int_equal(Run("report diff %s", good), 2);
    assert_int_equal(Run("report diff %s %s", good, a), 2);
    AssertSays("this is no JSON");
    AssertSays(a);
    assert_int_equal(Run("report badge %s -o %s", bad, badge), 0);
    assert_int_equal(remove(badge), 0);
    assert_int_equal(Run("report badge %s", good), 0);
    AssertSays("1 calls equal, with native, not the retail DLLs");
    assert_int_equal(Run("report badge /nowhere/at/all"), 2);
    remove(a);
    remove(b);
    remove(good);
    remove(bad);
}

/* Makes two traces of the same call, which differ in one bit. */
static void TakesSize(const char *path, long *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = ftell(file);
    fclose(file);
}

/* Two habits are tested, and how they are told apart. */
TEST(JsonIsPrintedOrWritten) {
    const char *trace = Fixture_Path("json");
    long before, after;
    assert_int_equal(Run("gen slots %s --calls 5", trace), 0);
    TakesSize(trace, &before);
    assert_int_equal(Run("replay " NATIVE " --json %s %s", trace, trace), 2);
    AssertSays("is one of the inputs");
    assert_int_equal(Run("replay " NATIVE " --json %s --scenario slots --calls 5", trace), 2);
    AssertSays("--json takes the file to write, and ");
    AssertSays("is a trace");
    assert_int_equal(Run("compare %s %s --html %s", trace, trace, trace), 2);
    AssertSays("is one of the inputs");
    TakesSize(trace, &after);
    assert_int_equal(before, after);
    assert_int_equal(Run("compare %s %s --json", trace, trace), 2);
    AssertSays("--json needs FILE (-: the standard output)");
    assert_int_equal(Run("show %s --json=x", trace), 2);
    AssertSays("--json takes no value: here it prints on the standard output, instead of text");
    remove(trace);
}

TEST(CompareSaysWhatDiffers) {
    const char *a = Fixture_Path("a"), *b = Fixture_Path("b"), *json = Fixture_Path("json");
    const char *junit = Fixture_Path("junit"), *lines = Fixture_Path("known");
    const uint32_t one[4] = {0x3F800000}, next[4] = {0x3F800001};
    TraceCall call_a = Fixture_Slerp(4, one), call_b = Fixture_Slerp(4, next);
    Fixture_Trace(a, &call_a, 1, false);
    Fixture_Trace(b, &call_b, 1, false);
    assert_int_equal(Run("compare %s %s", a, a), 0);
    AssertSays("1 calls compared, 0 different\n");
    assert_int_equal(Run("compare %s %s --json %s --junit %s", a, b, json, junit), 1);
    AssertSays("FIRST DIFFERENCE  ngi32.slot17");
    AssertSays("+1 ulp");
    assert_null(strchr(output, '\033'));
    assert_int_equal(remove(json), 0);
    assert_int_equal(remove(junit), 0);
    assert_int_equal(Run("compare %s %s --html - --json - --junit %s", a, b, junit), 2);
    AssertSays("only one of --json, --junit and --html");
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
    assert_int_equal(Run("compare %s %s --known %s", a, b, lines), 0);
    AssertSays("known differences");
    assert_int_equal(Run("compare %s %s --known %s", a, a, lines), 1);
    AssertSays("NO LONGER DIFFERENT");
    call_b.outcome = TRACE_TIMED_OUT;
    call_b.output_size = 0;
    Fixture_Trace(b, &call_b, 1, false);
    assert_int_equal(Run("compare %s %s", b, b), 2);
    AssertSays("0 of 1 calls compared, 0 different; NOT COMPARED: 1 failed alike\n");
    AssertSays("nothing was compared");
    assert_int_equal(Run("compare %s %s", a, b), 3);
    AssertSays("timed out");
    size_t size;
    uint8_t *bytes = Fixture_Read(a, &size);
    Fixture_Write(b, bytes, size - 1);
    assert_int_equal(Run("compare %s %s", a, b), 2);
    AssertSays("the trace is cut");
    assert_int_equal(Run("stat %s", b), 2);
    AssertSays("calls 1 (4 to 4)");
    assert_int_equal(Run("show %s", b), 2);
    free(bytes);
    remove(a);
    remove(b);
    remove(lines);
}

TEST(ADifferenceHasTheCommandThatRepeatsIt) {
    const char *known = Fixture_Path("known");
    Fixture_Write(known, "ngi32.slot17 | * | never\n", 25);
    assert_int_equal(Run("replay " NATIVE " --scenario slots:500 --known %s", known), 1);
    AssertSays("NO LONGER DIFFERENT");
    remove(known);
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
    assert_int_equal(Run("%s", words), 1);
    AssertSays("FIRST DIFFERENCE  ngi32.slot17");
    if ((strstr(output, "  repeat ") != NULL) != shown)
        fail_msg("%s repeats a call in:\n%s", shown ? "nothing" : "a command that was cut", output);
    assert_int_equal(Run("%s --html -", words), 1);
    assert_true((strstr(output, "Repeat this call") != NULL) == shown);
    assert_int_equal(Run("%s --json -", words), 1);
    assert_true((strstr(output, "\"repeat\":") != NULL) == shown);
    assert_int_equal(Run("%s --junit -", words), 1);
    assert_true((strstr(output, "--select ngi32.slot17:4") != NULL) == shown);
}

/* What is left of it would do something else. */
/* The command that a report names is enough to make the report again, whatever the first run
 * printed and wherever its reports went. */
TEST(AReportHasTheCommandThatRepeatsTheRun) {
    static const char *const words = "replay " NATIVE " --scenario slots:500 --seed 7";
    char json[256], page[256], again[256], command[160];
    size_t size, size_again;
    snprintf(json, sizeof json, "%s", Fixture_Path("json"));
    snprintf(page, sizeof page, "%s", Fixture_Path("page"));
    snprintf(again, sizeof again, "%s", Fixture_Path("again"));
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
    remove(json);
    remove(page);
    remove(again);
}

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
    remove(a);
    remove(b);
    remove(profile);
}

TEST(AnOptionInFrontOfTheVerbIsExplained) {
    assert_int_equal(Run("-v"), 2);
    AssertSays("a verb comes first, and options such as -v behind it; ");
    AssertSays("`retropose --version` for the version");
    assert_int_equal(Run("--quiet replay"), 2);
    AssertSays("options such as --quiet behind it");
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
    assert_int_equal(Run("doctor --engine wine --original native"), 2);
    AssertSays(told);
    assert_int_equal(Run("record -o cli-wine.rptrace -- Iron.exe"), 2);
    AssertSays(told);
    assert_int_equal(Run("record -o cli-wine.rptrace -- wine Iron.exe"), 2);
    AssertSays(told);
    assert_int_equal(Run("record -o cli-wine.rptrace -- %s Iron.exe", file), 2);
    AssertSays("found one that ended with 126");

    WriteProgram(file, "[ \"$1\" = --version ] && { echo wine-8.0; exit 0; }\n"
                       "echo 'wine: could not load ntdll.so' >&2\nexit 1\n");
    snprintf(file, sizeof file, "%s/prefix", folder);
    assert_int_equal(setenv("RETROPOSE_WINEPREFIX", file, 1), 0);
    assert_int_equal(Run("doctor --engine wine --original native"), 2);
    AssertSays("ok       Wine             wine-8.0");
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
    assert_int_equal(Run("doctor --original native"), 2);
    AssertSays("ok       run original     one call went through");
    AssertSays("ok       engine           machine");
    AssertSays("problem  replacement      no folder");
    AssertSays(" problem");
    assert_int_equal(Run("doctor --engine wine --original native"), 2);
    AssertSays("problem  Wine             Wine is not installed");
    AssertSays("problem  host");
    assert_int_equal(Run("doctor -q --engine wine --original native"), 2);
    AssertSays("problem  Wine             Wine is not installed");
    assert_null(strstr(output, "ok  "));
    assert_int_equal(Run("doctor --engine somewhere"), 2);
    AssertSays("--engine takes auto, machine, interpreter, wine or windows, or "
               "machine:PROCESSOR with one of ");
    AssertSays("this, not somewhere");
    assert_int_equal(Run("doctor --original /nowhere"), 2);
    AssertSays("problem  original");
    assert_int_equal(Run("doctor --original native --work /nowhere/at/all"), 2);
    AssertSays("problem  run original     no folder for a trace");
    assert_int_equal(Run("replay --scenario slots:1"), 2);
    AssertSays("no standin/ beside this program");
    assert_int_equal(unsetenv("RETROPOSE_HOME"), 0);
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
}

TEST(TheVersionIsToldInEachUsualWay) {
    static const char *const words[] = {"--version", "-V", "version"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(Run("%s", words[i]), 0);
        AssertSays("reads traces of format");
    }
}

/* A build that was made as README.md says has the traces two folders above it. */
TEST(ABuildTreeFindsTheBundledTraces) {
    static const char builds[] = RETROPOSE_SOURCE "/build/";
    const char *rest = RETROPOSE_BINARY;
    if (strncmp(rest, builds, sizeof builds - 1) != 0 || !strchr(rest + sizeof builds - 1, '/') ||
        strchr(strchr(rest + sizeof builds - 1, '/') + 1, '/'))
        skip();
    assert_int_equal(unsetenv("RETROPOSE_HOME"), 0);
    assert_int_equal(Run("replay -q --bundled --original recorded --replacement native "
                         "--allow-partial --select 'ngi32.slot17:0-0'"),
                     0);
    AssertSays(" compared, 0 different");
}

TEST(ShellsGetCompletions) {
    assert_int_equal(Run("completion bash"), 0);
    AssertSays("complete -o filenames -F _retropose retropose");
    AssertSays("--max-differences");
    assert_int_equal(Run("completion zsh"), 0);
    AssertSays("bashcompinit");
    assert_int_equal(Run("completion fish"), 0);
    AssertSays("-l all-scenarios");
    assert_int_equal(system(RETROPOSE_BINARY " completion bash | bash -n"), 0);
}
