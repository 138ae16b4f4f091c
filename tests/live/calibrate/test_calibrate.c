/* Calibration recovers the readings of originals whose readings are known: the library itself under
 * secret choices. */
#include "fake.h"

#include "replay/scenario_values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#ifndef RANDOM_COMBINATIONS
#define RANDOM_COMBINATIONS 200
#endif
#define BUDGET 12000u

static char folder[1024];
static CalibrateSurvey *survey;

static CalibrateOptions Options(Fake *fake) {
    return (CalibrateOptions){.ask = Fake_Ask,
                              .ask_context = fake,
                              .work_directory = folder,
                              .budget = BUDGET,
                              .seed = 1};
}

static int MakeSurvey(void **state) {
    (void)state;
    Fake none;
    RpError error;
    Fake_Init(&none, "");
    Folder_Make("work", folder, sizeof folder);
    CalibrateOptions options = Options(&none);
    if (CalibrateSurvey_Create(&options, &survey, &error)) {
        print_error("%s %s %s\n", error.what, error.where, error.found);
        return -1;
    }
    return 0;
}

static int DropSurvey(void **state) {
    (void)state;
    CalibrateSurvey_Destroy(survey);
    Folder_Drop(folder);
    return 0;
}

static void Calibrate(Fake *fake, Calibration *calibration) {
    RpError error;
    CalibrateOptions options = Options(fake);
    if (Calibrate_Run(survey, &options, calibration, &error))
        fail_msg("%s, %s: expected %s, found %s", error.what, error.where, error.expected,
                 error.found);
}

static int Alternatives(int hypothesis) {
    int count = 1;
    for (const char *c = RpHypotheses_Choices(hypothesis); *c; c++)
        count += *c == '|';
    return count;
}

static bool IsReached(const Calibration *calibration, int hypothesis) {
    for (size_t i = 0; i < calibration->function_count; i++)
        if (CalibrateFunction_Reaches(&calibration->functions[i], hypothesis))
            return true;
    return false;
}

/* What is decided is the secret, by cases; what is not decided does not exclude it. */
static void ExpectRecovered(const Fake *fake, const Calibration *calibration) {
    char secret[2048];
    RpHypotheses_Format(&fake->secret, secret, sizeof secret);
    assert_true(Calibration_IsClean(calibration));
    for (int h = 0; h < calibration->hypothesis_count; h++) {
        const CalibrateHypothesis *found = &calibration->hypotheses[h];
        if (!(found->possible >> fake->secret.choice[h] & 1))
            fail_msg("%s: the secret is refuted under %s", RpHypotheses_Name(h), secret);
        if (found->verdict == CALIBRATE_DECIDED) {
            assert_int_equal(found->choice, fake->secret.choice[h]);
            for (int a = 0; a < Alternatives(h); a++)
                if (a != found->choice && found->refuted[a] == 0)
                    fail_msg("%s: decided without a case under %s", RpHypotheses_Name(h), secret);
        } else if (IsReached(calibration, h)) {
            fail_msg("%s: %s under %s", RpHypotheses_Name(h), CalibrateVerdict_Name(found->verdict),
                     secret);
        }
    }
}

static void test_defaults_are_recovered(void **state) {
    (void)state;
    Fake fake;
    Calibration calibration;
    Fake_Init(&fake, "");
    Calibrate(&fake, &calibration);
    ExpectRecovered(&fake, &calibration);
    Calibration_Free(&calibration);
}

static void test_every_single_choice_is_recovered(void **state) {
    (void)state;
    for (int h = 0; RpHypotheses_Name(h); h++) {
        for (int a = 1; a < Alternatives(h); a++) {
            Fake fake;
            Calibration calibration;
            Fake_Init(&fake, "");
            fake.secret.choice[h] = (uint8_t)a;
            Calibrate(&fake, &calibration);
            ExpectRecovered(&fake, &calibration);
            Calibration_Free(&calibration);
        }
    }
}

static void test_random_combinations_are_recovered(void **state) {
    (void)state;
    Random random = Random_Start("combinations", 1, 0);
    for (int i = 0; i < RANDOM_COMBINATIONS; i++) {
        Fake fake;
        Calibration calibration;
        clock_t start = clock();
        Fake_Init(&fake, "");
        for (int h = 0; RpHypotheses_Name(h); h++)
            fake.secret.choice[h] = (uint8_t)Random_Below(&random, (uint32_t)Alternatives(h));
        Calibrate(&fake, &calibration);
        ExpectRecovered(&fake, &calibration);
        if (getenv("CALIBRATE_VERBOSE"))
            print_message("%d: %u rounds, %u runs, %d asked, %d evaluations, %.2f s\n", i,
                          calibration.rounds, calibration.runs, (int)calibration.asked,
                          (int)calibration.evaluations, (double)(clock() - start) / CLOCKS_PER_SEC);
        Calibration_Free(&calibration);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_are_recovered),
        cmocka_unit_test(test_every_single_choice_is_recovered),
        cmocka_unit_test(test_random_combinations_are_recovered),
    };
    return cmocka_run_group_tests(tests, MakeSurvey, DropSurvey);
}
