/* Tests that calibration recovers the readings of originals whose readings are known: the library
 * itself under secret choices. */
#include "exports/reading_table.h"
#include "fake.h"

#include "dll/settings/settings.h"
#include "replay/provider/native.h"
#include "replay/scenario/source.h"
#include "replay/scenario/values.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef RANDOM_COMBINATIONS
#define RANDOM_COMBINATIONS 200
#endif
/* Of the readings only every SINGLE_STEPth is tried by itself. Slow builds choose a larger
 * step. */
#ifndef SINGLE_STEP
#define SINGLE_STEP 1
#endif
#ifndef CLAIMS
#define CLAIMS 60
#endif
#define BUDGET      9000u
#define MOST_CHECKS 24u

static char folder[1024];
static CalibrateSurvey *survey;
static ScenarioSource *inputs; /* the inputs that calibration used */
static unsigned open_readings;
static Fake fake;               /* of the present test */
static Calibration calibration; /* of the present test, which frees it where it makes several */

static CalibrateOptions Options(void) {
    return (CalibrateOptions){.ask = Fake_Ask,
                              .ask_context = &fake,
                              .work_directory = folder,
                              .budget = BUDGET,
                              .seed = 1};
}

TEST_AROUND(MakeSurvey) {
    RpError error;
    Fake_Init(&fake, "");
    Folder_Make("work", folder, sizeof folder);
    CalibrateOptions options = Options();
    if (CalibrateSurvey_Create(&options, &survey, &error)) {
        print_error("%s %s %s\n", error.what, error.where, error.found);
        return -1;
    }
    return ScenarioSource_Open(options.seed, &inputs, &error) ? -1 : 0;
}

TEST_AROUND(DropSurvey) {
    ScenarioSource_Close(inputs);
    CalibrateSurvey_Destroy(survey);
    Folder_Drop(folder);
    return 0;
}

static void Run(const CalibrateOptions *options) {
    RpError error;
    if (Calibrate_Run(survey, options, &calibration, &error))
        fail_msg("%s, %s: expected %s, found %s", error.what, error.where, error.expected,
                 error.found);
}

static void Calibrate(void) {
    const CalibrateOptions options = Options();
    Run(&options);
}

TEST_AROUND(FreeCalibration) {
    Calibration_Free(&calibration);
    return 0;
}

static int Alternatives(int reading) {
    int count = 1;
    for (const char *c = RpReadings_Choices(reading); *c; c++)
        count += *c == '|';
    return count;
}

/* If calibration says that inputs do not tell readings apart, none of the generated inputs does.
 * This looks at them one by one, without any of calibration's short cuts. */
static bool TellsApart(const CalibrateFunction *function, const RpReadings *secret, int h,
                       int alternative) {
    RpReadings other = *secret;
    bool tells = false;
    Native *native = Native_Create();
    other.choice[h] = (uint8_t)alternative;
    Native_SetBuild(native, function->build);
    Native_SetMemory(native, ScenarioSource_Memory(inputs));
    for (uint64_t i = 0; !tells && i < function->generated; i++) {
        TraceCall a, b;
        uint8_t bytes[256];
        assert_int_equal(ScenarioSource_Call(inputs, function->function, i, &a, NULL), RP_OK);
        b = a;
        Native_SetReadings(native, secret);
        assert_int_equal(Native_Call(native, &a, NULL), RP_OK);
        memcpy(bytes, a.outputs, a.output_size);
        Native_SetReadings(native, &other);
        assert_int_equal(Native_Call(native, &b, NULL), RP_OK);
        tells = memcmp(bytes, b.outputs, b.output_size) != 0;
    }
    Native_Destroy(native);
    return tells;
}

static void ExpectNotTold(int h) {
    static unsigned checks; /* the number of checks, which is limited because each takes a while */
    const CalibrateReading *found = &calibration.readings[h];
    if (found->verdict != CALIBRATE_NOT_TOLD_APART)
        fail_msg("%s: %s", RpReadings_Name(h), CalibrateVerdict_Name(found->verdict));
    assert_true(found->tried > 0);
    for (int a = 0; a < Alternatives(h) && checks < MOST_CHECKS; a++) {
        if (a == fake.secret.choice[h] || !(found->possible >> a & 1))
            continue;
        checks++;
        for (size_t i = 0; i < calibration.function_count; i++)
            if (calibration.functions[i].fit == CALIBRATE_FITS &&
                TellsApart(&calibration.functions[i], &fake.secret, h, a))
                fail_msg("%s: %s tells alternative %d apart", RpReadings_Name(h),
                         calibration.functions[i].function->key, a);
    }
}

/* Every decided reading is the secret one in all cases, and every open one includes it. */
static void ExpectRecovered(void) {
    char secret[2048];
    RpReadings_Format(&fake.secret, RP_READS_RUNTIME, secret, sizeof secret);
    assert_true(Calibration_IsClean(&calibration));
    for (int h = 0; h < calibration.reading_count; h++) {
        const CalibrateReading *found = &calibration.readings[h];
        if (!(found->possible >> fake.secret.choice[h] & 1))
            fail_msg("%s: the secret is refuted under %s", RpReadings_Name(h), secret);
        if (found->verdict == CALIBRATE_DECIDED) {
            assert_int_equal(found->choice, fake.secret.choice[h]);
            for (int a = 0; a < Alternatives(h); a++)
                if (a != found->choice && found->refuted[a] == 0)
                    fail_msg("%s: decided without a case under %s", RpReadings_Name(h), secret);
        } else if (found->verdict == CALIBRATE_NOT_ASKED) {
            /* no call merges, pushes out or asks agents */
            assert_true(strcmp(RpReadings_Name(h), "central") == 0 ||
                        strcmp(RpReadings_Name(h), "push-gather") == 0 ||
                        strcmp(RpReadings_Name(h), "object-slot-17") == 0);
        } else {
            ExpectNotTold(h);
            open_readings++;
            if (getenv("CALIBRATE_VERBOSE"))
                print_message("%s: open, under %s\n", RpReadings_Name(h), secret);
        }
    }
}

TEST(DefaultsAreRecovered) {
    Fake_Init(&fake, "");
    Calibrate();
    ExpectRecovered();
}

TEST(EverySingleChoiceIsRecovered) {
    for (int h = 0; h < READING_RUNTIME_COUNT; h++) {
        for (int a = 1; h % SINGLE_STEP == 0 && a < Alternatives(h); a++) {
            Fake_Init(&fake, "");
            fake.secret.choice[h] = (uint8_t)a;
            Calibrate();
            ExpectRecovered();
            Calibration_Free(&calibration);
        }
    }
}

TEST(RandomCombinationsAreRecovered) {
    Random random = Random_Start("combinations", 1, 0);
    for (int i = 0; i < RANDOM_COMBINATIONS; i++) {
        clock_t start = clock();
        Fake_Init(&fake, "");
        for (int h = 0; h < READING_RUNTIME_COUNT; h++)
            fake.secret.choice[h] = (uint8_t)Random_Below(&random, (uint32_t)Alternatives(h));
        Calibrate();
        ExpectRecovered();
        if (getenv("CALIBRATE_VERBOSE"))
            print_message("%d: %u rounds, %u runs, %d asked, %d evaluations, %.2f s\n", i,
                          calibration.rounds, calibration.runs, (int)calibration.asked,
                          (int)calibration.evaluations, (double)(clock() - start) / CLOCKS_PER_SEC);
        Calibration_Free(&calibration);
    }
}

/* ---- what follows no reading ----------------------------------------------------------------- */

static const CalibrateFunction *Find(const char *key, RpBuild build) {
    for (size_t i = 0; i < calibration.function_count; i++) {
        const CalibrateFunction *function = &calibration.functions[i];
        if (strcmp(function->function->key, key) == 0 &&
            (function->every_build || function->build == build))
            return function;
    }
    fail_msg("no function %s", key);
    return NULL;
}

static const CalibrateReading *Reading(const char *name) {
    for (int h = 0; h < READING_RUNTIME_COUNT; h++)
        if (strcmp(RpReadings_Name(h), name) == 0)
            return &calibration.readings[h];
    fail_msg("no reading %s", name);
    return NULL;
}

static void IsDecided(const char *name, int choice) {
    assert_int_equal(Reading(name)->verdict, CALIBRATE_DECIDED);
    assert_int_equal(Reading(name)->choice, choice);
}

TEST(AFunctionThatFitsNothingIsReported) {
    Fake_Init(&fake, "dot4=pairs,mirror-shape=3x3");
    fake.faulty = "ngi32.slot15";
    Calibrate();
    const CalibrateFunction *slot = Find("ngi32.slot15", RP_BUILD_SSE);
    assert_false(Calibration_IsClean(&calibration));
    assert_int_equal(slot->fit, CALIBRATE_FITS_NONE);
    assert_true(slot->asked > 30);
    /* Two answers in four are spoilt. The others follow the secret. */
    assert_in_range(slot->matched, slot->asked / 2 - 2, slot->asked / 2 + 2);
    assert_true(slot->difference.found);
    assert_string_equal(slot->difference.path, "matrix[0][0]");
    assert_string_not_equal(slot->difference.original, slot->difference.ours);
    assert_true(slot->difference.inputs[0] != 0);
    assert_int_equal(Reading("mirror-shape")->verdict, CALIBRATE_NOTHING_FITS);
    IsDecided("dot4", 1);
}

/* Slot 17 is wrong by itself. Slot 22 has the same readings and still decides them. */
TEST(AFaultyFunctionDecidesNothing) {
    Fake_Init(&fake, "slerp-sine=quotient");
    fake.faulty = "ngi32.slot17";
    Calibrate();
    for (int build = 0; build < RP_BUILD_COUNT; build++) {
        assert_int_equal(Find("ngi32.slot17", (RpBuild)build)->fit, CALIBRATE_FITS_NONE);
        assert_int_equal(Find("ngi32.slot22", (RpBuild)build)->fit, CALIBRATE_FITS);
    }
    IsDecided("slerp-sine", 1);
}

/* Only results under control words that the game never uses are wrong, which is reported, too. */
TEST(WhatTheGameComputesIsCountedByItself) {
    Fake_Init(&fake, "matrix34-sum=outer");
    fake.faulty = "ngi32.slot4";
    fake.only_words = true;
    Calibrate();
    const CalibrateFunction *product = Find("ngi32.slot4", RP_BUILD_SSE);
    assert_int_equal(product->fit, CALIBRATE_FITS_NONE);
    assert_true(product->ordinary > 10 && product->ordinary < product->asked);
    assert_int_equal(product->ordinary_matched, product->ordinary);
    assert_true(product->matched < product->asked);
    assert_int_not_equal(product->difference.control, 0x007F);
}

TEST(AFunctionThatNeverReturnsIsToldApart) {
    Fake_Init(&fake, "");
    fake.crashing = "animesh.GetColumn";
    Calibrate();
    const CalibrateFunction *column = Find("animesh.GetColumn", RP_BUILD_SSE);
    assert_int_equal(column->fit, CALIBRATE_UNCALLABLE);
    assert_int_equal(column->ended, column->asked);
    assert_int_equal(column->matched, 0);
    assert_string_equal(column->difference.path, "outcome");
    assert_string_equal(column->difference.original, "crashed");
    assert_false(Calibration_IsClean(&calibration));
}

/* If a function is called in a wrong way, it may return by chance. */
TEST(AReturnWithAWrongStackIsNoAnswer) {
    Fake_Init(&fake, "");
    fake.crashing = "animesh.GetColumn";
    fake.returns_once = true;
    Calibrate();
    const CalibrateFunction *column = Find("animesh.GetColumn", RP_BUILD_SSE);
    assert_int_equal(column->fit, CALIBRATE_UNCALLABLE);
    assert_int_equal(column->ended, column->asked - 1);
    assert_int_equal(column->violations, 1);
    assert_false(Calibration_IsClean(&calibration));
}

/* A host is only restarted a limited number of times. Calls that were not made then say nothing
 * about the functions after the one that crashes, so these functions are asked alone. */
TEST(WhatWasNotCalledIsNoAnswer) {
    Fake_Init(&fake, "key-order=wxyz,dot4-sse=sequential");
    fake.crashing = "ngi32.ngiGetSinCos";
    fake.most_crashes = 3;
    Calibrate();
    size_t fits = 0;
    for (size_t i = 0; i < calibration.function_count; i++) {
        const CalibrateFunction *function = &calibration.functions[i];
        fits += function->fit == CALIBRATE_FITS;
        if (function->fit == CALIBRATE_FITS)
            continue;
        assert_string_equal(function->function->key, "ngi32.ngiGetSinCos");
        assert_int_equal(function->fit, CALIBRATE_UNCALLABLE);
        assert_int_equal(function->asked, 6); /* three calls with the others, three alone */
        assert_int_equal(function->ended, 6);
        assert_string_equal(function->difference.original, "crashed");
    }
    assert_int_equal(fits, calibration.function_count - 1);
    assert_false(Calibration_IsClean(&calibration));
    IsDecided("key-order", 1);
    assert_int_equal(Reading("dot4-sse")->verdict, CALIBRATE_DECIDED);
}

TEST(BuildsThatDecideOtherwiseAreTold) {
    RpReadings x87;
    Fake_Init(&fake, "slerp-acos=plain");
    RpReadings_Parse(&x87, RP_READS_RUNTIME, "slerp-acos=crt,normalise=quotient", NULL);
    fake.x87 = &x87;
    Calibrate();
    assert_false(Calibration_IsClean(&calibration));
    assert_int_equal(Find("ngi32.slot17", RP_BUILD_SSE)->fit, CALIBRATE_FITS);
    assert_int_equal(Find("ngi32.slot17", RP_BUILD_GENERIC)->fit, CALIBRATE_CONTRADICTS);
    assert_int_equal(Find("ngi32.slot38", RP_BUILD_GENERIC)->fit, CALIBRATE_CONTRADICTS);
    /* The profile is meant for the builds that every recent processor gets. */
    assert_int_equal(Reading("slerp-acos")->verdict, CALIBRATE_SPLIT);
    assert_int_equal(Reading("slerp-acos")->choice, 1);
    assert_int_equal(Reading("normalise")->verdict, CALIBRATE_SPLIT);
    assert_int_equal(Reading("normalise")->choice, 0);
    assert_int_equal(Reading("key-order")->verdict, CALIBRATE_DECIDED);
}

/* ---- what cannot be asked -------------------------------------------------------------------- */

TEST(AMissingFunctionIsTold) {
    Fake_Init(&fake, "");
    fake.missing = "ngi32.slot45";
    Calibrate();
    assert_true(Calibration_IsClean(&calibration));
    assert_int_equal(Find("ngi32.slot45", RP_BUILD_SSE)->fit, CALIBRATE_MISSING);
    assert_int_equal(Reading("plane-far")->verdict, CALIBRATE_NOT_ASKED);
    assert_int_equal(Reading("plane-newton")->verdict, CALIBRATE_NOT_ASKED);
    assert_int_equal(Reading("dot4")->verdict, CALIBRATE_DECIDED);
}

TEST(AnOriginalWithoutPublishedBuildsIsAskedByClass) {
    Fake_Init(&fake, "dot4=pairs,dot4-sse=sequential,plane-far=inclusive,plane-newton=factored");
    fake.no_builds = true;
    Calibrate();
    ExpectRecovered();
    assert_int_equal(Find("ngi32.slot17", RP_BUILD_FXCH)->fit, CALIBRATE_MISSING);
    assert_int_equal(Find("ngi32.slot17", RP_BUILD_GENERIC)->fit, CALIBRATE_FITS);
}

/* ---- recorded traces ------------------------------------------------------------------------- */

static void CalibrateRecorded(const char *const *traces, size_t count) {
    const CalibrateOptions options = {.traces = traces,
                                      .trace_count = count,
                                      .work_directory = folder,
                                      .budget = BUDGET,
                                      .seed = 1};
    Run(&options);
    assert_int_equal(calibration.runs, 0);
}

TEST(RecordingsAreEvidenceEnough) {
    static const char *const builds[] = {"sse", "generic", "fxch"};
    static const char *const names[] = {"slots", "poses", "edges", "words"};
    char paths[12][1100];
    const char *traces[12];
    Fake_Init(&fake, "key-order=wxyz,key-scale=divide,dot4=pairs,slerp-trig-sse=stored,"
                     "plane-far=inclusive,normalise=quotient");
    for (size_t i = 0; i < 12; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/recorded-%zu.trace", folder, i);
        Fake_Record(&fake, names[i % 4], 7, 20000, builds[i / 4], NULL, NULL, paths[i]);
        traces[i] = paths[i];
    }
    CalibrateRecorded(traces, 12);
    assert_true(Calibration_IsClean(&calibration));
    assert_true(calibration.recorded > 100000);
    for (int h = 0; h < calibration.reading_count; h++)
        if (calibration.readings[h].verdict == CALIBRATE_DECIDED)
            assert_int_equal(calibration.readings[h].choice, fake.secret.choice[h]);
        else
            assert_true(calibration.readings[h].possible >> fake.secret.choice[h] & 1);
    assert_int_equal(Reading("key-order")->verdict, CALIBRATE_DECIDED);
    assert_int_equal(Reading("dot4")->verdict, CALIBRATE_DECIDED);
    assert_int_equal(Reading("normalise")->verdict, CALIBRATE_DECIDED);
    for (size_t i = 0; i < 12; i++)
        remove(paths[i]);
}

/* One of the bundled traces has an Intel's estimates and the other AMD's. */
TEST(RecordingsOfBothMakersFitHere) {
    const char *const traces[] = {"traces/slots.rptrace", "traces/estimates-amd.rptrace"};
    CalibrateRecorded(traces, 2);
    assert_int_equal(Find("ngi32.slot45", RP_BUILD_SSE)->fit, CALIBRATE_FITS);
}

/* Keeps calls whose result does not depend on how positions are interpolated. */
static bool SameByLerp(void *context, const TraceReader *reader, const TraceCall *call) {
    Native *native = context;
    RpReadings weights;
    RpReadings_Parse(&weights, RP_READS_RUNTIME, "key-lerp=weights", NULL);
    uint8_t bytes[64];
    TraceCall run = *call;
    Native_SetMemory(native, reader);
    Native_SetReadings(native, &weights);
    assert_int_equal(Native_Call(native, &run, NULL), RP_OK);
    memcpy(bytes, run.outputs, run.output_size);
    RpReadings_Parse(&weights, RP_READS_RUNTIME, "", NULL);
    Native_SetReadings(native, &weights);
    assert_int_equal(Native_Call(native, &run, NULL), RP_OK);
    return memcmp(bytes, run.outputs, run.output_size) == 0;
}

TEST(WhatARecordingCannotTellIsLeftOpen) {
    char path[1100];
    const char *traces[1] = {path};
    Native *native = Native_Create();
    Fake_Init(&fake, "key-scale=divide");
    snprintf(path, sizeof path, "%s/recorded.trace", folder);
    Native_SetBuild(native, RP_BUILD_SSE);
    Fake_Record(&fake, "poses", 3, 8192, "sse", SameByLerp, native, path);
    Native_Destroy(native);
    CalibrateRecorded(traces, 1);
    const CalibrateReading *lerp = Reading("key-lerp");
    /* No call of the recording shows that the function depends on it at all. The inputs of the
     * survey did. */
    assert_int_equal(lerp->verdict, CALIBRATE_NOT_TOLD_APART);
    assert_int_equal(lerp->possible, 3);
    assert_true(lerp->tried > 4000);
    assert_int_equal(Reading("key-order")->verdict, CALIBRATE_DECIDED);
    assert_int_equal(Reading("rsqrt-sse")->verdict, CALIBRATE_NOT_ASKED);
    remove(path);
}

/* A small search may decide little, but it must not decide wrongly, because nothing would refute
 * what it claims. */
static bool OneInSome(void *context, const TraceReader *reader, const TraceCall *call) {
    (void)reader;
    (void)call;
    return Random_OneIn(context, 20);
}

TEST(NoClaimIsRefutedByMoreEvidence) {
    static const char *const names[] = {"slots", "poses", "blends", "words"};
    Random random = Random_Start("claims", 1, 0);
    unsigned decided = 0, open = 0;
    for (int i = 0; i < CLAIMS; i++) {
        char path[1100];
        const char *traces[1] = {path};
        Fake_Init(&fake, "");
        for (int h = 0; h < READING_RUNTIME_COUNT; h++)
            fake.secret.choice[h] = (uint8_t)Random_Below(&random, (uint32_t)Alternatives(h));
        snprintf(path, sizeof path, "%s/claims.trace", folder);
        Fake_Record(&fake, names[i % 4], (uint64_t)i, 400 + 100 * (uint64_t)i, "sse", OneInSome,
                    &random, path);
        CalibrateRecorded(traces, 1);
        for (size_t k = 0; k < calibration.function_count; k++)
            if (calibration.functions[k].fit == CALIBRATE_FITS_NONE ||
                calibration.functions[k].fit == CALIBRATE_CONTRADICTS)
                fail_msg("%d: %s: %s", i, calibration.functions[k].function->key,
                         CalibrateFit_Name(calibration.functions[k].fit));
        for (int h = 0; h < calibration.reading_count; h++) {
            const CalibrateReading *found = &calibration.readings[h];
            assert_true(found->possible >> fake.secret.choice[h] & 1);
            if (found->verdict == CALIBRATE_DECIDED)
                assert_int_equal(found->choice, fake.secret.choice[h]);
            decided += found->verdict == CALIBRATE_DECIDED;
            open += found->verdict == CALIBRATE_NOT_TOLD_APART;
        }
        Calibration_Free(&calibration);
        remove(path);
    }
    assert_true(decided > 50 && open > 20); /* the sizes were chosen so that both happen */
}

TEST(ARecordedCallThatNothingExplainsIsFound) {
    char path[1100];
    const char *traces[1] = {path};
    Fake_Init(&fake, "");
    fake.faulty = "ngi32.slot28";
    /* much later than the calls that are kept because they tell readings apart */
    fake.spoilt_from = 19800;
    snprintf(path, sizeof path, "%s/recorded.trace", folder);
    Fake_Record(&fake, "slots", 3, 20000, "sse", NULL, NULL, path);
    CalibrateRecorded(traces, 1);
    const CalibrateFunction *product = Find("ngi32.slot28", RP_BUILD_SSE);
    assert_int_equal(product->fit, CALIBRATE_FITS_NONE);
    assert_string_equal(product->difference.trace, path);
    assert_int_equal(product->difference.sequence / 2 % 2, 1);
    remove(path);
}

/* ---- reports --------------------------------------------------------------------------------- */

TEST(ReportsNameChoiceEvidenceAndSource) {
    static const Provider native = {.kind = PROVIDER_NATIVE};
    CalibrateSource source = {.provider = &native,
                              .version = "1.2.3",
                              .processor = "a <processor> & \"more\"",
                              .command = "retropose calibrate 'x'"};
    RpBuffer text, json, profile, html;
    RpReadings parsed = {{0}};
    RpError error;
    Fake_Init(&fake, "key-order=wxyz,normalise=quotient");
    fake.faulty = "ngi32.slot15";
    fake.missing = "ngi32.slot11";
    Calibrate();
    RpBuffer_Init(&text, NULL);
    RpBuffer_Init(&json, NULL);
    RpBuffer_Init(&profile, NULL);
    Calibrate_Text(&calibration, &source, true, &text);
    assert_int_equal(Calibrate_Json(&calibration, &source, &json, &error), RP_OK);
    Calibrate_Profile(&calibration, &source, &profile);
    RpBuffer_Init(&html, NULL);
    assert_int_equal(Calibrate_Html(&calibration, &source, &html, &error), RP_OK);
    assert_true(RpBuffer_Append(&text, "", 1) && RpBuffer_Append(&json, "", 1) &&
                RpBuffer_Append(&profile, "", 1) && RpBuffer_Append(&html, "", 1));
    const char *page = (const char *)html.bytes;
    assert_non_null(strstr(page, "<header class=\"bad\">"));
    assert_non_null(strstr(page, "it says nothing about the retail DLLs"));
    assert_true(strstr(page, "<section id=\"at-ngi32.slot15-2\">") <
                strstr(page, "<section id=\"at-readings\">"));
    assert_non_null(strstr(page, "a &lt;processor&gt; &amp; &quot;more&quot;"));
    assert_non_null(strstr(page, "retropose calibrate &#39;x&#39;"));
    assert_null(strstr(page, "<script"));
    RpBuffer_Free(&html);
    const char *words = (const char *)text.bytes;
    assert_non_null(strstr(words, "key-order        wxyz "));
    assert_non_null(strstr(words, "cases refute xyzw; by animesh.SampleNode@generic+fxch+sse"));
    assert_non_null(strstr(words, "ngi32.slot15@sse: none of "));
    assert_non_null(strstr(words, "mirror-shape     ?"));
    assert_non_null(strstr(words, "not in this original: ngi32.slot11@generic"));
    assert_non_null(strstr((const char *)json.bytes, "\"verdict\":\t\"nothing fits\""));
    const char *lines = (const char *)profile.bytes;
    assert_non_null(strstr(lines, "\n# processor: a <processor> & \"more\"\n"));
    assert_non_null(strstr(lines, "\nkey-order = wxyz "));
    assert_non_null(strstr(lines, "\n# mirror-shape = 4x4 "));
    assert_non_null(strstr(lines, "\n# ngi32.slot15@sse: fits none, "));
    assert_int_equal(Profile_Parse(lines, strlen(lines), RP_READS_RUNTIME, &parsed, NULL, &error),
                     RP_OK);
    assert_memory_equal(&parsed, &calibration.chosen, sizeof parsed);
    RpBuffer_Free(&text);
    RpBuffer_Free(&json);
    RpBuffer_Free(&profile);
}

TEST(NothingToCalibrateAgainstIsRefused) {
    CalibrateOptions options = {.work_directory = folder};
    Calibration none;
    RpError error;
    assert_int_equal(Calibrate_Run(survey, &options, &none, &error), RP_INVALID);
    const char *traces[] = {"no such file"};
    options.traces = traces;
    options.trace_count = 1;
    assert_int_not_equal(Calibrate_Run(survey, &options, &none, &error), RP_OK);
}

/* With a pattern as its argument only the tests of matching names run. */
AROUND_ALL(MakeSurvey, DropSurvey)
AROUND_EACH(NULL, FreeCalibration)

int main(int argc, char **argv) {
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return Tests_Run();
}
