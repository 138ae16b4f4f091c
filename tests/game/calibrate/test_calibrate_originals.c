/* Tests the calibration of pairs of DLLs: the stand-in and its variants with other calls, addresses
 * and readings, each of which is recovered exactly, and the replacement under readings that nobody
 * else is told. */
#include "fake.h"

#include "core/files/mapping.h"
#include "dll/settings/settings.h"
#include "tests/engine.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char folder[1024];
static CalibrateSurvey *survey;
/* The variants that differ most from the stand-in: in every call, and in every reading. */
static const char *const most[] = {"mixed", "readings", NULL};
static const char *const *variants = most;

typedef struct Original {
    Provider provider;
    ProviderOptions options;
} Original;

static RpStatus Ask(void *context, const char *input, const char *output, RpError *error) {
    Original *original = context;
    return Provider_Run(&original->provider, input, output, &original->options, error);
}

static void Succeed(RpStatus status, const RpError *error) {
    if (status)
        fail_msg("%s, %s: expected %s, found %s", error->what, error->where, error->expected,
                 error->found);
}

static bool Exists(const char *path) {
    return access(path, F_OK) == 0;
}

TEST_AROUND(MakeSurvey) {
    RpError error;
    CalibrateOptions options = {.seed = 1, .work_directory = folder};
    Folder_Make("originals", folder, sizeof folder);
    return CalibrateSurvey_Create(&options, &survey, &error) ? -1 : 0;
}

TEST_AROUND(DropSurvey) {
    CalibrateSurvey_Destroy(survey);
    Folder_Drop(folder);
    return 0;
}

static void Run(CalibrateAsk *ask, void *context, Calibration *calibration) {
    RpError error;
    CalibrateOptions options = {
        .ask = ask, .ask_context = context, .work_directory = folder, .seed = 1};
    Succeed(Calibrate_Run(survey, &options, calibration, &error), &error);
    assert_true(Calibration_IsClean(calibration));
}

static void ExpectFound(const Calibration *calibration, const RpReadings *truth, const char *name) {
    unsigned decided = 0;
    for (int h = 0; h < calibration->reading_count; h++) {
        const CalibrateReading *found = &calibration->readings[h];
        if (!(found->possible >> truth->choice[h] & 1))
            fail_msg("%s: %s is refuted", name, RpReadings_Name(h));
        if (found->verdict == CALIBRATE_DECIDED && found->choice != truth->choice[h])
            fail_msg("%s: %s is wrong", name, RpReadings_Name(h));
        if (found->verdict != CALIBRATE_DECIDED)
            print_message("%s: %s %s\n", name, RpReadings_Name(h),
                          CalibrateVerdict_Name(found->verdict));
        decided += found->verdict == CALIBRATE_DECIDED;
    }
    /* Everything is decided except what the variant's own readings make meaningless, and
     * `central`. */
    if (decided + 4 < (unsigned)calibration->reading_count)
        fail_msg("%s: only %u decided", name, decided);
    print_message("%s: %u decided, %u cases, %u runs\n", name, decided,
                  (unsigned)calibration->asked, calibration->runs);
}

static void OpenOriginal(const char *part, Original *original, char *path, size_t size) {
    RpError error;
    memset(original, 0, sizeof *original);
    static char host[1024];
    TestEngine_Host(WINDOWS_BUILD, host, sizeof host);
    original->options.host = host;
    snprintf(path, size, WINDOWS_BUILD "/%s", part);
    if (!Exists(path) || !Exists(original->options.host))
        exit(SKIPPED);
    Succeed(Provider_Open(path, &original->provider, &error), &error);
}

TEST(TheStandinFollowsTheDefaults) {
    static const RpReadings defaults;
    Original original;
    Calibration calibration;
    char path[512];
    OpenOriginal("standin", &original, path, sizeof path);
    assert_int_equal(original.provider.kind, PROVIDER_STANDIN);
    Run(Ask, &original, &calibration);
    ExpectFound(&calibration, &defaults, "standin");
    assert_in_range(calibration.runs, 3, 12);
    Calibration_Free(&calibration);
}

static void ReadTruth(const char *path, RpReadings *truth) {
    RpError error;
    Mapping mapping;
    memset(truth, 0, sizeof *truth);
    Succeed(Mapping_Open(path, &mapping, &error), &error);
    Succeed(Profile_Parse((const char *)mapping.bytes, mapping.size, RP_READS_RUNTIME, truth, NULL,
                          &error),
            &error);
    Mapping_Close(&mapping);
}

TEST(EveryVariantIsRecovered) {
    for (const char *const *name = variants; *name; name++) {
        Original original;
        Calibration calibration;
        RpReadings truth;
        char part[96], path[512], overlay[600], profile[600];
        snprintf(part, sizeof part, "variants/%s", *name);
        OpenOriginal(part, &original, path, sizeof path);
        snprintf(overlay, sizeof overlay, "%s/truth.overlay", path);
        snprintf(profile, sizeof profile, "%s/truth.profile", path);
        original.options.overlay = overlay;
        ReadTruth(profile, &truth);
        Run(Ask, &original, &calibration);
        ExpectFound(&calibration, &truth, *name);
        Calibration_Free(&calibration);
    }
}

TEST(TheReplacementIsRecoveredUnderReadingsItIsTold) {
    Original original;
    Fake fake;
    Calibration calibration;
    char path[512];
    OpenOriginal("replacement", &original, path, sizeof path);
    Fake_Init(&fake, "key-order=wxyz,key-scale=divide,dot4=pairs,slerp-acos=plain,"
                     "plane-newton=factored,normalise=quotient");
    fake.provider = &original.provider;
    fake.options = &original.options;
    Run(Fake_Ask, &fake, &calibration);
    ExpectFound(&calibration, &fake.secret, "replacement");
    Calibration_Free(&calibration);
}

AROUND_ALL(MakeSurvey, DropSurvey)

/* test_originals [VARIANT...] tests these variants; without arguments, two of them, the stand-in
 * and the replacement. */
int main(int argc, char **argv) {
    const struct CMUnitTest named[] = {
        cmocka_unit_test(EveryVariantIsRecovered),
    };
    if (argc == 1)
        return Tests_Run();
    variants = (const char *const *)(uintptr_t)(argv + 1);
    return cmocka_run_group_tests(named, MakeSurvey, DropSurvey);
}
