#include "game/calibrate/decided_at.h"

#include "replay/lift/lift_same.h"
#include "retropose/readings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether ours has the same formulas as the original under the readings that were found. */
typedef enum Agreement { AGREEMENT_UNKNOWN, AGREEMENT_SAME, AGREEMENT_NOT } Agreement;

typedef struct Search {
    const LiftFiles *sides[LIFT_SIDES];
    Calibration *calibration;
    LiftInputs *inputs;
    Agreement *agreements; /* for each function of the calibration */
} Search;

/* Compares a function under some readings. *same says whether nothing differs. `instruction` names
 * the first step of the original that differs, and is empty where there is none. */
static RpStatus Compare(Search *search, const CalibrateFunction *function,
                        const RpReadings *readings, bool *same, char *instruction, size_t size,
                        RpError *error) {
    static const ProviderSlotBuild builds[RP_BUILD_COUNT] = {[RP_BUILD_GENERIC] =
                                                                 PROVIDER_SLOTS_GENERIC,
                                                             [RP_BUILD_FXCH] = PROVIDER_SLOTS_FXCH,
                                                             [RP_BUILD_SSE] = PROVIDER_SLOTS_SSE};
    /* Few inputs are enough: where formulas differ, those of nearly every input do. */
    LiftBudget budget = LiftBudget_Default();
    budget.most_inputs = 120;
    budget.patience = 60;
    const LiftSameOptions options = {
        .most_searched = 20, .most_reached = 0, .most_in_all = 0, .most_paths = 64};
    char text[2048];
    LiftSetup setup = LiftSetup_Default();
    setup.build = builds[function->build];
    if (function->build == RP_BUILD_SSE)
        setup.processor = "pentium3";
    RpReadings_Format(readings, RP_READS_RUNTIME, text, sizeof text);
    setup.readings = text;

    LiftPairs pairs;
    LiftPaths paths = {.runs = 0};
    LiftSame found = {.pairs = 0};
    RpStatus status = LiftPairs_Open(search->sides, &setup, &pairs, error);
    const bool has_builds = !status && LiftPairs_HaveBuilds(&pairs);
    if (has_builds)
        status =
            LiftPaths_Find(pairs.sides, search->inputs, function->function, &budget, &paths, error);
    if (has_builds && !status)
        status = LiftSame_Compare(&paths, &options, &found, error);
    const bool is_missing = status == RP_NOT_FOUND || status == RP_UNSUPPORTED;
    *same = has_builds && !status && found.verdict <= LIFT_SAME_ON_PATHS;
    instruction[0] = 0;
    const LiftDifference *difference = &found.difference;
    const uint32_t step = difference->steps[LIFT_ORIGINAL];
    if (has_builds && !status && found.has_difference && !*same) {
        const LiftPath *path = paths.found[LIFT_ORIGINAL][difference->found[LIFT_ORIGINAL]].path;
        char where[48], words[112];
        if (step < path->step_count) {
            LiftPair_Locate(pairs.sides[LIFT_ORIGINAL], path->steps[step].address, where,
                            sizeof where);
            LiftStep_Text(&path->steps[step], words, sizeof words);
            snprintf(instruction, size, "%s in %s: %s", where, function->function->key, words);
        }
    }
    LiftSame_Free(&found);
    LiftPaths_Free(&paths);
    LiftPairs_Close(&pairs);
    return is_missing ? RP_OK : status;
}

/* Looks into one function for the instruction that decides a reading. */
static RpStatus LookInto(Search *search, size_t index, int reading, RpError *error) {
    Calibration *calibration = search->calibration;
    const CalibrateFunction *function = &calibration->functions[index];
    CalibrateReading *found = &calibration->readings[reading];
    Agreement *agreement = &search->agreements[index];
    bool same;
    RpStatus status = RP_OK;
    if (*agreement == AGREEMENT_UNKNOWN) {
        status = Compare(search, function, &calibration->chosen, &same, found->instruction,
                         sizeof found->instruction, error);
        *agreement = !status && same ? AGREEMENT_SAME : AGREEMENT_NOT;
        found->instruction[0] = 0;
    }
    for (uint8_t a = 0; *agreement == AGREEMENT_SAME && !status && !found->instruction[0] &&
                        a < CALIBRATE_MAX_ALTERNATIVES;
         a++) {
        RpReadings other = calibration->chosen;
        other.choice[reading] = a;
        if (a != found->choice && found->refuted[a] > 0)
            status = Compare(search, function, &other, &same, found->instruction,
                             sizeof found->instruction, error);
    }
    return status;
}

/* Functions that follow a model's streams take longest, and come last. */
static bool TakesLong(const AbiFunction *function) {
    return strstr(function->params, "ref piece") != NULL;
}

RpStatus
DecidedAt_Find(const LiftFiles *original, const LiftFiles *replacement, Calibration *calibration,
               void (*progress)(void *context, const char *stage, uint64_t done, uint64_t total),
               void *context, RpError *error) {
    Search search = {.sides = {original, replacement},
                     .calibration = calibration,
                     .agreements = calloc(calibration->function_count + 1, sizeof(Agreement))};
    if (!search.agreements)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory to calibrate", "", "", "");
    RpStatus status = LiftInputs_Open(&search.inputs, error);
    for (int h = 0; h < calibration->reading_count && !status; h++) {
        CalibrateReading *found = &calibration->readings[h];
        if (progress)
            progress(context, "instructions", (uint64_t)h, (uint64_t)calibration->reading_count);
        for (int pass = 0; found->verdict == CALIBRATE_DECIDED && pass < 2; pass++)
            for (size_t i = 0; i < calibration->function_count && !status && !found->instruction[0];
                 i++) {
                const CalibrateFunction *function = &calibration->functions[i];
                if (function->fit == CALIBRATE_FITS && CalibrateFunction_Reaches(function, h) &&
                    !LiftInput_WhyNot(function->function) &&
                    TakesLong(function->function) == (pass > 0))
                    status = LookInto(&search, i, h, error);
            }
    }
    LiftInputs_Close(search.inputs);
    free(search.agreements);
    return status;
}
