/* The results as JSON. docs/use/calibrate.md describes the members. */
#include "exports/reading_table.h"
#include "game/calibrate/calibrate.h"
#include "game/calibrate/workbench.h"

#include "core/json/json_text.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* A count stays below 2^53, so a JSON number holds it. */
static void AddCount(cJSON *object, const char *name, uint64_t count) {
    cJSON_AddNumberToObject(object, name, (double)count);
}

static const char *Alternative(int reading, int alternative, char *name, size_t size) {
    Choices_Name(reading, alternative, name, size);
    return name;
}

static void AddSource(cJSON *root, const CalibrateSource *source) {
    char description[256];
    Provider_Describe(source->provider, description, sizeof description);
    cJSON *object = cJSON_AddObjectToObject(root, "original");
    cJSON_AddStringToObject(object, "kind", Provider_Name(source->provider));
    cJSON_AddStringToObject(object, "description", description);
    if (source->provider->sha256[0][0])
        cJSON_AddStringToObject(object, "ngi32.sha256", source->provider->sha256[0]);
    if (source->provider->sha256[1][0])
        cJSON_AddStringToObject(object, "animesh.sha256", source->provider->sha256[1]);
    cJSON_AddStringToObject(root, "processor", source->processor);
    cJSON_AddStringToObject(root, "version", source->version);
    if (source->overlay_sha256[0])
        cJSON_AddStringToObject(root, "overlay.sha256", source->overlay_sha256);
}

static void AddReading(cJSON *list, const Calibration *calibration, int h) {
    const CalibrateReading *found = &calibration->readings[h];
    char name[64];
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", RpReadings_Name(h));
    cJSON_AddStringToObject(object, "verdict", CalibrateVerdict_Name(found->verdict));
    cJSON_AddStringToObject(object, "choice", Alternative(h, found->choice, name, sizeof name));
    AddCount(object, "inputs", found->tried);
    if (found->instruction[0])
        cJSON_AddStringToObject(object, "instruction", found->instruction);
    cJSON *alternatives = cJSON_AddArrayToObject(object, "alternatives");
    for (int a = 0; a < Choices_Alternatives(h); a++) {
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "name", Alternative(h, a, name, sizeof name));
        cJSON_AddBoolToObject(one, "possible", (int)(found->possible >> a & 1));
        AddCount(one, "refuted_by", found->refuted[a]);
        AddCount(one, "refuted_by_game_word", found->game_word[a]);
        cJSON_AddItemToArray(alternatives, one);
    }
    cJSON_AddItemToArray(list, object);
}

RpStatus Calibrate_Json(const Calibration *calibration, const CalibrateSource *source,
                        RpBuffer *json, RpError *error) {
    cJSON *root = cJSON_CreateObject();
    AddSource(root, source);
    AddCount(root, "cases", calibration->asked);
    AddCount(root, "runs", calibration->runs);
    AddCount(root, "rounds", calibration->rounds);
    AddCount(root, "recorded", calibration->recorded);
    AddCount(root, "budget", calibration->budget);
    AddCount(root, "seed", calibration->seed);
    AddCount(root, "evaluations", calibration->evaluations);
    cJSON_AddBoolToObject(root, "clean", Calibration_IsClean(calibration));
    cJSON *readings = cJSON_AddArrayToObject(root, "hypotheses");
    for (int h = 0; h < calibration->reading_count; h++)
        AddReading(readings, calibration, h);
    cJSON *functions = cJSON_AddArrayToObject(root, "functions");
    for (size_t i = 0; i < calibration->function_count; i++) {
        const CalibrateFunction *function = &calibration->functions[i];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "key", function->function->key);
        cJSON_AddStringToObject(object, "build",
                                function->every_build ? "any" : RpBuild_Name(function->build));
        cJSON_AddStringToObject(object, "fit", CalibrateFit_Name(function->fit));
        AddCount(object, "cases", function->asked);
        AddCount(object, "matched", function->matched);
        AddCount(object, "ordinary", function->ordinary);
        AddCount(object, "ordinary_matched", function->ordinary_matched);
        AddCount(object, "ended", function->ended);
        AddCount(object, "violations", function->violations);
        AddCount(object, "combinations", function->combinations);
        AddCount(object, "remaining", function->remaining);
        AddCount(object, "inputs", function->generated);
        AddCount(object, "recorded", function->recorded);

        char name[64];
        cJSON *choices = cJSON_AddObjectToObject(object, "choices");
        for (int h = 0; h < READING_RUNTIME_COUNT; h++)
            if (CalibrateFunction_Reaches(function, h))
                cJSON_AddStringToObject(
                    choices, RpReadings_Name(h),
                    Alternative(h, function->nearest.choice[h], name, sizeof name));

        if (function->difference.found) {
            char word[16];
            cJSON *first = cJSON_AddObjectToObject(object, "first_difference");
            if (function->difference.trace)
                cJSON_AddStringToObject(first, "trace", function->difference.trace);
            AddCount(first, "sequence", function->difference.sequence);
            snprintf(word, sizeof word, "%04x", function->difference.control);
            cJSON_AddStringToObject(first, "control_word", word);
            cJSON_AddStringToObject(first, "path", function->difference.path);
            cJSON_AddStringToObject(first, "original", function->difference.original);
            cJSON_AddStringToObject(first, "nearest", function->difference.ours);
            cJSON_AddStringToObject(first, "inputs", function->difference.inputs);
        }

        cJSON_AddItemToArray(functions, object);
    }

    return JsonText_End(root, root && readings && functions, "a calibration as JSON", json, error);
}
