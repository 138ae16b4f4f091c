#include "core/json/json_text.h"
#include "replay/compare/members_json.h"
#include "replay/merge/followed_words.h"
#include "replay/merge/shard.h"
#include "replay/merge/shard_fields.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Adds a number as a text, because JSON numbers cannot hold all values of 64 bits. */
static void AddWide(cJSON *object, const char *name, uint64_t number) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, number);
    cJSON_AddStringToObject(object, name, text);
}

static cJSON *Numbers(const uint64_t *numbers, size_t count) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber((double)numbers[i]));
    return list;
}

static void AddRow(cJSON *list, const uint64_t *numbers, size_t count) {
    cJSON_AddItemToArray(list, Numbers(numbers, count));
}

/* ---- tallies; numbers that are 0 are left out ------------------------------------------------ */

static void AddTally(cJSON *object, const Tally *tally) {
    const TallyUlps *ulps = &tally->ulps;
    const uint64_t others[] = {ulps->no_distance, ulps->no_number, ulps->above};
    cJSON *list = cJSON_AddArrayToObject(object, "ulps");
    for (uint32_t i = 0; i < TALLY_BUCKETS; i++)
        if (ulps->buckets[i] > 0)
            AddRow(list, (const uint64_t[]){i, ulps->buckets[i]}, 2);
    cJSON_AddItemToObject(object, "other_elements", Numbers(others, 3));

    const TallyRun *run = &tally->run;
    const size_t count = run->any ? (size_t)(run->last - run->first + 1) : 0;
    cJSON *stretches = cJSON_AddObjectToObject(object, "run");
    MembersJson_AddCount(stretches, "shift", run->shift);
    AddWide(stretches, "first", run->first);
    list = cJSON_AddArrayToObject(stretches, "calls");
    for (size_t i = 0; i < count; i++)
        AddRow(list, (const uint64_t[]){run->compared[i], run->different[i]}, 2);

    list = cJSON_AddArrayToObject(object, "inputs");
    for (uint32_t input = 0; input < TALLY_INPUTS; input++)
        for (uint32_t range = 0; range < TALLY_RANGES; range++) {
            const uint64_t row[] = {input, range, tally->inputs_compared.calls[input][range],
                                    tally->inputs_different.calls[input][range]};
            if (row[2] > 0)
                AddRow(list, row, 4);
        }

    list = cJSON_AddArrayToObject(object, "origins");
    for (size_t i = 0; i < TALLY_ORIGINS; i++)
        if (tally->compared[i] > 0)
            AddRow(list, (const uint64_t[]){i, tally->compared[i], tally->different[i]}, 3);
}

/* ---- differences ----------------------------------------------------------------------------- */

static bool AddDifference(cJSON *list, const Report *report, const Difference *d) {
    char repeat[2048];
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(list, object);
    cJSON_AddStringToObject(object, "function", d->function->key);
    cJSON_AddStringToObject(object, "trace", d->trace);
    AddWide(object, "sequence", d->sequence);
    cJSON_AddStringToObject(object, "path", d->path);
    for (size_t i = 0; i < SHARD_FIELDS; i++) {
        const uint8_t *at = (const uint8_t *)d + shard_fields[i].at;
        uint16_t half;
        uint32_t value = *at; /* of a field of one byte */
        if (shard_fields[i].size == 2) {
            memcpy(&half, at, sizeof half);
            value = half;
        } else if (shard_fields[i].size == 4) {
            memcpy(&value, at, sizeof value);
        }
        MembersJson_AddCount(object, shard_fields[i].name, value);
    }
    if (report->repeat && report->repeat(report->context, d, repeat, sizeof repeat))
        cJSON_AddStringToObject(object, "repeat", repeat);
    if (d->parting)
        Parting_Json(d->parting, object);
    if (!JsonText_AddHex(object, "a", d->a, sizeof d->a) ||
        !JsonText_AddHex(object, "b", d->b, sizeof d->b) ||
        !JsonText_AddHex(object, "inputs", d->inputs, d->input_size) ||
        !JsonText_AddHex(object, "outputs_a", d->outputs_a, d->output_size_a) ||
        !JsonText_AddHex(object, "outputs_b", d->outputs_b, d->output_size_b))
        return false;
    if (!d->followed)
        return true;
    RpBuffer bytes;
    RpBuffer_Init(&bytes, NULL);
    const bool good = FollowedWords_Append(d->followed, &bytes) &&
                      JsonText_AddHex(object, "followed", bytes.bytes, bytes.size);
    RpBuffer_Free(&bytes);
    return good;
}

/* ---- the others ------------------------------------------------------------------------------ */

RpStatus ReportShard_Json(const Report *report, RpBuffer *text, RpError *error) {
    const Comparison *comparison = report->comparison;
    cJSON *root = JsonShards_Begin(SHARD_FORMAT, report->shard, report->run);
    if (report->stopped)
        cJSON_AddStringToObject(root, "stopped", report->stopped);
    MembersJson_AddSide(root, "a", &report->a);
    MembersJson_AddSide(root, "b", &report->b);
    cJSON_AddStringToObject(root, "processor", report->processor);
    cJSON_AddStringToObject(root, "engine", report->engine);
    MembersJson_AddRun(root, report);
    cJSON_AddBoolToObject(root, "allow_partial", report->allow_partial);
    MembersJson_AddCount(root, "max_differences", Comparison_MostDifferences(comparison));

    cJSON *conditions = cJSON_AddArrayToObject(root, "conditions");
    for (size_t i = 0; i < Comparison_ConditionCount(comparison); i++) {
        const CompareCondition *condition = Comparison_ConditionAt(comparison, i);
        cJSON_AddBoolToObject(MembersJson_AddCondition(conditions, condition), "same_estimates",
                              condition->same_estimates);
    }
    cJSON *origins = cJSON_AddArrayToObject(root, "origins");
    for (size_t i = 0; Comparison_OriginAt(comparison, i); i++)
        cJSON_AddItemToArray(origins, cJSON_CreateString(Comparison_OriginAt(comparison, i)));

    cJSON *list = cJSON_AddArrayToObject(root, "functions");
    for (size_t i = 0; i < Comparison_FunctionCount(comparison); i++) {
        const CompareFunction *function = Comparison_FunctionAt(comparison, i);
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "key", function->function->key);
        MembersJson_AddCounts(object, &function->counts);
        MembersJson_AddCount(object, "crashed_a", function->crashed_a);
        MembersJson_AddCount(object, "crashed_b", function->crashed_b);
        AddTally(object, &function->tally);
        cJSON_AddItemToArray(list, object);
    }

    cJSON *known = cJSON_AddArrayToObject(root, "known");
    for (size_t i = 0; i < Comparison_KnownCount(comparison); i++)
        MembersJson_AddKnown(known, Comparison_KnownAt(comparison, i));

    bool good = true;
    if (report->coverage)
        Coverage_ShardJson(report->coverage, root);
    cJSON *differences = cJSON_AddArrayToObject(root, "differences");
    for (size_t i = 0; i < Comparison_DifferenceCount(comparison) && good; i++)
        good = AddDifference(differences, report, Comparison_DifferenceAt(comparison, i));
    return JsonText_End(root, good, "a shard's result", text, error);
}
