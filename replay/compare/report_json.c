/* The JSON report; docs/use/replay.md describes its members. */
#include "core/json/json_text.h"
#include "replay/compare/describe.h"
#include "replay/compare/known.h"
#include "replay/compare/members_json.h"
#include "replay/compare/processor_freedom.h"
#include "replay/compare/report.h"
#include "replay/compare/standing.h"
#include "replay/compare/tally_inputs.h"
#include "tracefile/value.h"

#include <cjson/cJSON.h>
#include <inttypes.h>

/* ---- how the differing calls of a function are spread ---------------------------------------- */

static void AddInputs(cJSON *object, const AbiFunction *function, const Tally *tally) {
    Signature signature;
    int params[TALLY_INPUTS];
    cJSON *list = cJSON_AddArrayToObject(object, "inputs");
    const uint32_t count =
        Signature_IsKnown(function, &signature) ? TallyInputs_Params(&signature, params) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *compared = tally->inputs_compared.calls[i];
        const uint64_t *different = tally->inputs_different.calls[i];
        cJSON *input = cJSON_CreateObject();
        cJSON_AddStringToObject(input, "name", signature.params[params[i]].name);
        cJSON *ranges = cJSON_AddArrayToObject(input, "ranges");
        for (uint32_t k = 0; k < TALLY_RANGES; k++) {
            char name[32];
            if (compared[k] == 0)
                continue; /* ranges without calls are left out */
            cJSON *range = cJSON_CreateObject();
            TallyInputs_Name(k, name, sizeof name);
            cJSON_AddStringToObject(range, "range", name);
            MembersJson_AddCount(range, "compared", compared[k]);
            MembersJson_AddCount(range, "different", different[k]);
            cJSON_AddItemToArray(ranges, range);
        }
        cJSON_AddItemToArray(list, input);
    }
}

/* Adds where a reader should look first, and then how the differing calls are spread: over
 * distances, over the run, over the inputs and over the traces and scenarios. */
static void AddSpread(cJSON *object, const Comparison *comparison,
                      const CompareFunction *function) {
    const Tally *tally = &function->tally;
    const TallyUlps *ulps = &tally->ulps;
    const TallyRun *run = &tally->run;

    size_t index = SIZE_MAX;
    cJSON *causes = cJSON_AddArrayToObject(object, "causes");
    while ((index = Standing_NextCause(comparison, function->function, index)) != SIZE_MAX)
        cJSON_AddItemToArray(
            causes, cJSON_CreateString(Comparison_FunctionAt(comparison, index)->function->key));

    cJSON *all = cJSON_AddObjectToObject(object, "ulps");
    cJSON *buckets = cJSON_AddArrayToObject(all, "buckets");
    for (uint32_t i = 0; i < TALLY_BUCKETS; i++) {
        if (ulps->buckets[i] == 0)
            continue;
        cJSON *bucket = cJSON_CreateObject();
        MembersJson_AddCount(bucket, "least", TallyUlps_Least(i));
        MembersJson_AddCount(bucket, "most", TallyUlps_Most(i));
        MembersJson_AddCount(bucket, "elements", ulps->buckets[i]);
        cJSON_AddItemToArray(buckets, bucket);
    }
    MembersJson_AddCount(all, "not_a_number", ulps->no_distance);
    MembersJson_AddCount(all, "no_number", ulps->no_number);
    MembersJson_AddCount(all, "above", ulps->above);

    cJSON *stretches = cJSON_AddArrayToObject(object, "run");
    for (uint64_t i = 0; run->any && i <= run->last - run->first; i++) {
        char text[32];
        cJSON *stretch = cJSON_CreateObject();
        snprintf(text, sizeof text, "%" PRIu64, (run->first + i) << run->shift);
        /* a text, because JSON numbers cannot hold all values of 64 bits */
        cJSON_AddStringToObject(stretch, "from", text);
        MembersJson_AddCount(stretch, "compared", run->compared[i]);
        MembersJson_AddCount(stretch, "different", run->different[i]);
        cJSON_AddItemToArray(stretches, stretch);
    }

    AddInputs(object, function->function, tally);

    cJSON *origins = cJSON_AddArrayToObject(object, "origins");
    for (size_t i = 0; i < TALLY_ORIGINS; i++) {
        if (tally->compared[i] == 0)
            continue;
        cJSON *origin = cJSON_CreateObject();
        cJSON_AddStringToObject(origin, "name", Comparison_OriginAt(comparison, i));
        MembersJson_AddCount(origin, "compared", tally->compared[i]);
        MembersJson_AddCount(origin, "different", tally->different[i]);
        cJSON_AddItemToArray(origins, origin);
    }
}

static void AddValue(cJSON *object, const char *name, const Difference *difference,
                     const uint8_t *bytes, const char *words) {
    char hex[32], decimal[256];
    Value_Hex(difference->type, difference->size, bytes, hex, sizeof hex);
    Value_Decimal(difference->type, difference->size, bytes, decimal, sizeof decimal);
    cJSON *value = cJSON_AddObjectToObject(object, name);
    cJSON_AddStringToObject(value, "hex", hex);
    cJSON_AddStringToObject(value, "decimal", decimal);
    if (words)
        cJSON_AddStringToObject(value, "words", words);
    cJSON_AddStringToObject(value, "class", Value_Class(difference->type, difference->size, bytes));
}

static bool AddEnding(cJSON *object, const char *name, uint8_t outcome, const uint8_t *outputs,
                      uint32_t output_size, uint8_t violations, uint16_t control, uint32_t mxcsr) {
    char ending[128], broken[128];
    cJSON *side = cJSON_AddObjectToObject(object, name);
    Describe_Ending(outcome, outputs, output_size, ending, sizeof ending);
    Describe_Violations(violations, broken, sizeof broken);
    cJSON_AddStringToObject(side, "outcome", ending);
    cJSON_AddStringToObject(side, "violations", broken);
    MembersJson_AddCount(side, "control_word", control);
    MembersJson_AddCount(side, "mxcsr", mxcsr);
    return JsonText_AddHex(side, "outputs", outputs, output_size);
}

/* Adds numbers with nine digits, and numbers that are not finite as their bits. Several numbers
 * become a list; a single one does not. */
static void AddVector(cJSON *object, const char *name, const float *values, uint32_t count) {
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    if (count == 1)
        JsonText_Float(&text, values);
    else
        JsonText_Floats(&text, values, count);
    RpBuffer_Append(&text, "", 1);
    if (!text.failed)
        cJSON_AddRawToObject(object, name, (const char *)text.bytes);
    RpBuffer_Free(&text);
}

static bool AddDifference(cJSON *list, const Report *report, const Difference *d) {
    char text[2048], a[REPORT_SIDE_BYTES], b[REPORT_SIDE_BYTES];
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(list, object);
    cJSON_AddStringToObject(object, "trace", d->trace);
    snprintf(text, sizeof text, "%" PRIu64, d->sequence);
    /* a text, because JSON numbers cannot hold all values of 64 bits */
    cJSON_AddStringToObject(object, "sequence", text);
    cJSON_AddStringToObject(object, "function", d->function->key);
    cJSON_AddStringToObject(object, "name", d->function->name);
    cJSON_AddStringToObject(object, "path", d->path);
    MembersJson_AddCount(object, "elements", d->elements);
    const bool words = Report_Sides(d, a, b);
    AddValue(object, "a", d, d->a, words ? a : NULL);
    AddValue(object, "b", d, d->b, words ? b : NULL);
    snprintf(text, sizeof text, "%" PRId64, d->ulps);
    if (d->ulps == VALUE_NO_DISTANCE)
        cJSON_AddNullToObject(object, "ulps");
    else
        cJSON_AddStringToObject(object, "ulps", text);
    MembersJson_AddCount(object, "control_word", d->control_in);
    MembersJson_AddCount(object, "mxcsr", d->mxcsr_in);
    const bool good = JsonText_AddHex(object, "inputs", d->inputs, d->input_size) &&
                      AddEnding(object, "after_a", d->outcome_a, d->outputs_a, d->output_size_a,
                                d->violations_a, d->control_out_a, d->mxcsr_out_a) &&
                      AddEnding(object, "after_b", d->outcome_b, d->outputs_b, d->output_size_b,
                                d->violations_b, d->control_out_b, d->mxcsr_out_b);
    if (d->followed) {
        /* What the references of the call lead to: a model or an object, or a polygon. */
        const Followed *followed = d->followed;
        cJSON *found = cJSON_AddObjectToObject(object, "followed");
        if (followed->has_model) {
            cJSON *model = cJSON_AddObjectToObject(found, followed->is_object ? "object" : "model");
            if (followed->node >= 0)
                cJSON_AddNumberToObject(model, "node", followed->node);
            MembersJson_AddCount(model, "nodes", followed->node_count);
            if (!followed->is_object) {
                MembersJson_AddCount(model, "frames", followed->frame_count);
                MembersJson_AddCount(model, "keys", followed->key_count);
                AddVector(model, "time", &followed->time, 1);
            }
            cJSON *drawn = cJSON_AddArrayToObject(model, "drawn");
            for (uint32_t i = 0; i < followed->kept; i++) {
                const FollowedNode *node = &followed->nodes[i];
                cJSON *one = cJSON_CreateObject();
                cJSON_AddNumberToObject(one, "parent", node->parent);
                AddVector(one, "origin", node->origin, 3);
                if (node->has_box)
                    AddVector(one, "corners", node->corners[0], 24);
                cJSON_AddItemToArray(drawn, one);
            }
        }
        if (followed->vertex_count > 0) {
            const uint32_t count = followed->vertex_count;
            MembersJson_AddCount(found, "vertex_count", count);
            AddVector(found, "vertices", followed->vertices[0],
                      3 * (count < FOLLOW_MOST_VERTICES ? count : FOLLOW_MOST_VERTICES));
            AddVector(found, "point", followed->point, 3);
        }
    }
    if (d->parting)
        Parting_Json(d->parting, object);
    if (report->repeat && report->repeat(report->context, d, text, sizeof text))
        cJSON_AddStringToObject(object, "repeat", text);
    return good;
}

RpStatus Report_Json(const Report *report, RpBuffer *text, RpError *error) {
    const Comparison *comparison = report->comparison;
    CompareTotals totals;
    Comparison_Totals(comparison, &totals);
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", REPORT_FORMAT);
    MembersJson_AddSide(root, "a", &report->a);
    MembersJson_AddSide(root, "b", &report->b);
    cJSON_AddStringToObject(root, "processor", report->processor);
    cJSON_AddStringToObject(root, "engine", report->engine);
    cJSON_AddStringToObject(root, "notice", report->notice);
    MembersJson_AddRun(root, report);
    if (report->stopped)
        cJSON_AddStringToObject(root, "stopped", report->stopped);
    if (report->error) {
        char words[REPORT_ERROR_BYTES];
        RpError_Format(report->error, words, sizeof words);
        cJSON_AddStringToObject(root, "error", words);
    }
    cJSON_AddNumberToObject(root, "exit_code",
                            report->stopped ? Report_StoppedCode(report)
                                            : Report_ExitCode(&totals, report->allow_partial));

    cJSON *all = cJSON_AddObjectToObject(root, "totals");
    MembersJson_AddCounts(all, &totals.counts);
    MembersJson_AddCount(all, "stale", totals.stale);

    cJSON *conditions = cJSON_AddArrayToObject(root, "conditions");
    for (size_t i = 0; i < Comparison_ConditionCount(comparison); i++)
        MembersJson_AddCondition(conditions, Comparison_ConditionAt(comparison, i));

    cJSON *functions = cJSON_AddArrayToObject(root, "functions");
    for (size_t i = 0; i < Comparison_FunctionCount(comparison); i++) {
        const CompareFunction *function = Comparison_FunctionAt(comparison, i);
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "key", function->function->key);
        cJSON_AddStringToObject(one, "name", function->function->name);
        MembersJson_AddCounts(one, &function->counts);
        MembersJson_AddCount(one, "crashed_a", function->crashed_a);
        MembersJson_AddCount(one, "crashed_b", function->crashed_b);
        if (function->counts.processor > 0)
            cJSON_AddStringToObject(one, "processor_cause", Processor_Cause(function->function));
        if (function->counts.different > 0)
            AddSpread(one, comparison, function);
        cJSON_AddItemToArray(functions, one);
    }

    cJSON *lines = cJSON_AddArrayToObject(root, "known");
    for (size_t i = 0; i < Comparison_KnownCount(comparison); i++) {
        const CompareKnown *known = Comparison_KnownAt(comparison, i);
        cJSON_AddBoolToObject(MembersJson_AddKnown(lines, known), "stale", known->stale);
    }

    bool good = !report->coverage || Coverage_Json(report->coverage, root);
    cJSON *differences = cJSON_AddArrayToObject(root, "differences");
    for (size_t i = 0; i < Comparison_DifferenceCount(comparison) && good; i++)
        good = AddDifference(differences, report, Comparison_DifferenceAt(comparison, i));
    return JsonText_End(root, good, "a report", text, error);
}
