/* Makes the report of the whole run from the results of its shards. */
#include "core/json/json_read.h"
#include "replay/compare/members_json.h"
#include "replay/compare/tally_inputs.h"
#include "replay/merge/followed_words.h"
#include "replay/merge/shard.h"
#include "replay/merge/shard_fields.h"
#include "tracefile/format.h"
#include "tracefile/value.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_COUNT 9007199254740992.0

typedef struct Reading {
    JsonRead read;
    MergedReport *merged;
    Comparison *comparison;
    size_t known;                  /* the number of lines of the known differences that were read */
    size_t origins[TALLY_ORIGINS]; /* the indices that the shard's origins have in the comparison */
    size_t origin_count;
    CompareFunction *function; /* the function whose tally is being read */
} Reading;

static const cJSON *Member(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static bool Refuse(Reading *reading, const char *name, const char *expected, const cJSON *item) {
    JsonRead_Enter(&reading->read, name);
    return JsonRead_Refuse(&reading->read, "this is not what a shard's result has", expected, item);
}

static bool ReadText(Reading *reading, const cJSON *object, const char *name, char *text,
                     size_t size) {
    const cJSON *item = Member(object, name);
    if (!cJSON_IsString(item) || strlen(item->valuestring) >= size)
        return Refuse(reading, name, "a text that is not too long", item);
    memcpy(text, item->valuestring, strlen(item->valuestring) + 1);
    return true;
}

/* Reads a text if it is there, and otherwise leaves `text` as it is. */
static bool ReadOptional(Reading *reading, const cJSON *object, const char *name, char *text,
                         size_t size) {
    return !Member(object, name) || ReadText(reading, object, name, text, size);
}

static bool ReadWide(Reading *reading, const cJSON *object, const char *name, uint64_t *number) {
    char text[32], *end;
    if (!ReadText(reading, object, name, text, sizeof text))
        return false;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return (text[0] >= '0' && text[0] <= '9' && !*end && !errno) ||
           Refuse(reading, name, "a number of 64 bits in a text", Member(object, name));
}

static bool ReadOne(Reading *reading, const cJSON *object, const char *name, double most,
                    uint64_t *number) {
    double value = 0;
    if (!JsonRead_IntegerMember(&reading->read, object, name, 0, most, &value))
        return false;
    *number = (uint64_t)value;
    return true;
}

/* Reads a list of `count` whole numbers. */
static bool ReadRow(Reading *reading, const cJSON *row, const double *most, size_t count,
                    uint64_t *numbers) {
    const cJSON *item = cJSON_IsArray(row) ? row->child : NULL;
    for (size_t i = 0; i < count; i++, item = item->next) {
        if (!item || !JsonRead_IsWhole(item, 0, most[i]))
            return JsonRead_Refuse(&reading->read, "this is no such row", "numbers in their ranges",
                                   row);
        numbers[i] = (uint64_t)item->valuedouble;
    }
    return !item ||
           JsonRead_Refuse(&reading->read, "this row is too long", "as many as there are", row);
}

/* Calls `take` for the elements of a list of objects. */
static bool ReadObjects(Reading *reading, const cJSON *root, const char *name,
                        bool (*take)(void *context, const cJSON *item)) {
    return JsonRead_List(&reading->read, root, name, take, reading);
}

static char *CopyText(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    if (copy)
        memcpy(copy, text, strlen(text) + 1);
    return copy;
}

/* ---- whose report it is ---------------------------------------------------------------------- */

static bool ReadSide(Reading *reading, const cJSON *root, const char *name, ReportSide *side) {
    const cJSON *object = Member(root, name);
    const size_t length = JsonRead_Enter(&reading->read, name);
    side->modified = cJSON_IsTrue(Member(object, "modified"));
    if (!ReadOptional(reading, object, "kind", side->kind, sizeof side->kind) ||
        !ReadText(reading, object, "description", side->description, sizeof side->description) ||
        !ReadOptional(reading, object, "directory", side->directory, sizeof side->directory) ||
        !ReadOptional(reading, object, "ngi32.sha256", side->sha256[0], sizeof side->sha256[0]) ||
        !ReadOptional(reading, object, "animesh.sha256", side->sha256[1], sizeof side->sha256[1]) ||
        !ReadOptional(reading, object, "version", side->version, sizeof side->version))
        return false;
    JsonRead_Leave(&reading->read, length);
    return true;
}

/* Returns whether a list with "; " between its names contains a name. A name may be the beginning
 * of another one. */
static bool HasName(const char *list, const char *name) {
    const size_t length = strlen(name);
    while (strncmp(list, name, length) != 0 || (list[length] != ';' && list[length] != 0)) {
        const char *next = strstr(list, "; ");
        if (!next)
            return false;
        list = next + strlen("; ");
    }
    return true;
}

/* Adds the names of a shard to those of the others, each name once. */
static bool AddName(Reading *reading, const cJSON *root, const char *member, char *all,
                    size_t size) {
    char name[sizeof reading->merged->report.processor];
    const size_t length = strlen(all);
    if (!ReadText(reading, root, member, name, sizeof name))
        return false;
    if (name[0] && (length == 0 || !HasName(all, name)))
        snprintf(all + length, size - length, "%s%s", length ? "; " : "", name);
    return true;
}

/* Copies a text of any length, or gives null where there is none. */
static bool ReadCopy(Reading *reading, const cJSON *object, const char *name, char **copy) {
    const cJSON *item = Member(object, name);
    if (!item)
        return true;
    if (!cJSON_IsString(item))
        return Refuse(reading, name, "a text", item);
    *copy = CopyText(item->valuestring);
    return *copy != NULL;
}

static bool Repeat(void *context, const Difference *difference, char *text, size_t size) {
    const MergedReport *merged = context;
    const size_t index = (size_t)(difference - Comparison_DifferenceAt(merged->comparison, 0));
    const char *repeat = index < merged->repeat_count ? merged->repeats[index] : NULL;
    return repeat && (size_t)snprintf(text, size, "%s", repeat) < size;
}

/* ---- tallies --------------------------------------------------------------------------------- */

static bool TakeUlps(void *context, const cJSON *item) {
    Reading *reading = context;
    const double most[] = {TALLY_BUCKETS - 1, MOST_COUNT};
    uint64_t row[2];
    if (!ReadRow(reading, item, most, 2, row))
        return false;
    reading->function->tally.ulps.buckets[row[0]] += row[1];
    return true;
}

static bool TakeInput(void *context, const cJSON *item) {
    Reading *reading = context;
    const double most[] = {TALLY_INPUTS - 1, TALLY_RANGES - 1, MOST_COUNT, MOST_COUNT};
    uint64_t row[4];
    if (!ReadRow(reading, item, most, 4, row))
        return false;
    reading->function->tally.inputs_compared.calls[row[0]][row[1]] += row[2];
    reading->function->tally.inputs_different.calls[row[0]][row[1]] += row[3];
    return true;
}

static bool TakeOriginCalls(void *context, const cJSON *item) {
    Reading *reading = context;
    const double most[] = {TALLY_ORIGINS - 1, MOST_COUNT, MOST_COUNT};
    uint64_t row[3];
    if (!ReadRow(reading, item, most, 3, row))
        return false;
    if (row[0] >= reading->origin_count)
        return JsonRead_Refuse(&reading->read, "there is no such origin", "one of the list", item);
    reading->function->tally.compared[reading->origins[row[0]]] += row[1];
    reading->function->tally.different[reading->origins[row[0]]] += row[2];
    return true;
}

static bool TakeFunction(void *context, const cJSON *item) {
    Reading *reading = context;
    char key[64];
    CompareCounts counts = {0};
    uint64_t crashed_a = 0, crashed_b = 0;
    if (!ReadText(reading, item, "key", key, sizeof key) ||
        !MembersJson_ReadCounts(&reading->read, item, &counts) ||
        !ReadOne(reading, item, "crashed_a", MOST_COUNT, &crashed_a) ||
        !ReadOne(reading, item, "crashed_b", MOST_COUNT, &crashed_b))
        return false;
    const AbiFunction *function = Abi_Find(key);
    if (!function)
        return Refuse(reading, "key", "a function of the tables", Member(item, "key"));
    reading->function = Comparison_Touch(reading->comparison, function);
    CompareCounts_Add(&reading->function->counts, &counts);
    reading->function->crashed_a += crashed_a;
    reading->function->crashed_b += crashed_b;

    const double most[] = {MOST_COUNT, MOST_COUNT, MOST_COUNT};
    uint64_t others[3];
    TallyUlps *ulps = &reading->function->tally.ulps;
    if (!ReadObjects(reading, item, "ulps", TakeUlps) ||
        !ReadRow(reading, Member(item, "other_elements"), most, 3, others))
        return false;
    ulps->no_distance += others[0];
    ulps->no_number += others[1];
    ulps->above += others[2];

    /* How many calls, and how many different ones, each stretch of the run has. */
    const cJSON *run = Member(item, "run"), *calls = Member(run, "calls"), *stretch;
    uint64_t shift, at, row[2];
    if (!ReadOne(reading, run, "shift", 63, &shift) || !ReadWide(reading, run, "first", &at))
        return false;
    const uint64_t most_at = UINT64_MAX >> shift;
    const int count = cJSON_GetArraySize(calls);
    if (count > TALLY_STRETCHES || at > most_at ||
        (count > 0 && (uint64_t)count - 1 > most_at - at))
        return Refuse(reading, "run", "stretches of a run", run);
    cJSON_ArrayForEach(stretch, calls) {
        if (!ReadRow(reading, stretch, most, 2, row))
            return false;
        if (row[0] > 0)
            TallyRun_Add(&reading->function->tally.run, at, (uint32_t)shift, row[0], row[1]);
        at++;
    }
    return ReadObjects(reading, item, "inputs", TakeInput) &&
           ReadObjects(reading, item, "origins", TakeOriginCalls);
}

static bool TakeOrigin(void *context, const cJSON *item) {
    Reading *reading = context;
    if (!cJSON_IsString(item) || reading->origin_count == TALLY_ORIGINS)
        return JsonRead_Refuse(&reading->read, "this is no origin", "the name of a trace", item);
    reading->origins[reading->origin_count++] =
        Comparison_EnterOrigin(reading->comparison, item->valuestring);
    return true;
}

/* ---- conditions and known differences -------------------------------------------------------- */

static bool TakeCondition(void *context, const cJSON *item) {
    Reading *reading = context;
    const cJSON *readings = Member(item, "readings");
    CompareCondition condition = {.calls = 0};
    if (!cJSON_IsString(readings))
        return Refuse(reading, "readings", "a text", readings);
    if (!ReadText(reading, item, "processor_a", condition.processor_a,
                  sizeof condition.processor_a) ||
        !ReadText(reading, item, "processor_b", condition.processor_b,
                  sizeof condition.processor_b) ||
        !ReadOne(reading, item, "calls", MOST_COUNT, &condition.calls))
        return false;
    condition.other_processor = cJSON_IsTrue(Member(item, "other_processor"));
    condition.same_estimates = cJSON_IsTrue(Member(item, "same_estimates"));
    condition.readings = CopyText(readings->valuestring);
    return condition.readings &&
           Comparison_AddCondition(reading->comparison, &condition, reading->read.error) == RP_OK;
}

static bool TakeKnown(void *context, const cJSON *item) {
    Reading *reading = context;
    KnownDifferences *all = &reading->merged->known;
    uint64_t line = 0, covered = 0, matched = 0;
    if (reading->known == all->count)
        return JsonRead_Refuse(&reading->read, "there are too many lines",
                               "as many as in the other shards", item);
    KnownDifference *entry = &all->entries[reading->known];
    if (!ReadText(reading, item, "selection", entry->selection_text,
                  sizeof entry->selection_text) ||
        !ReadText(reading, item, "path", entry->path, sizeof entry->path) ||
        !ReadText(reading, item, "reason", entry->reason, sizeof entry->reason) ||
        !ReadOne(reading, item, "line", UINT32_MAX, &line) ||
        !ReadOne(reading, item, "covered", MOST_COUNT, &covered) ||
        !ReadOne(reading, item, "matched", MOST_COUNT, &matched))
        return false;
    entry->line = (unsigned)line;
    Comparison_AddKnown(reading->comparison, reading->known++, covered, matched);
    return true;
}

/* ---- differences ----------------------------------------------------------------------------- */

/* Stores a value in the field of the difference that the table of fields names. */
static void SetField(Difference *difference, const ShardField *field, uint32_t value) {
    uint8_t *at = (uint8_t *)difference + field->at;
    const uint16_t half = (uint16_t)value;
    if (field->size == 1)
        *at = (uint8_t)value;
    else if (field->size == 2)
        memcpy(at, &half, sizeof half);
    else
        memcpy(at, &value, sizeof value);
}

/* Reads a text of digits as bytes, which the caller frees. An empty text gives null and a size of
 * 0. */
static bool ReadBytes(Reading *reading, const cJSON *object, const char *name, uint8_t **bytes,
                      uint32_t *size) {
    RpBuffer read;
    RpBuffer_Init(&read, NULL);
    const size_t length = JsonRead_Enter(&reading->read, name);
    const bool good = JsonRead_Hex(&reading->read, Member(object, name), &read) && !read.failed &&
                      read.size <= TRACE_MAX_CALL_BYTES;
    *size = good ? (uint32_t)read.size : 0;
    *bytes = *size > 0 ? malloc(*size) : NULL;
    if (*bytes)
        memcpy(*bytes, read.bytes, *size);
    RpBuffer_Free(&read);
    JsonRead_Leave(&reading->read, length);
    return good && (*size == 0 || *bytes);
}

static bool ReadElement(Reading *reading, const cJSON *item, const char *name,
                        uint8_t element[12]) {
    uint8_t *bytes;
    uint32_t size;
    if (!ReadBytes(reading, item, name, &bytes, &size))
        return false;
    if (size == 12)
        memcpy(element, bytes, 12);
    free(bytes);
    return size == 12 || Refuse(reading, name, "twelve bytes", Member(item, name));
}

/* Keeps a difference if the comparison of the whole would have kept it. Only the first difference
 * of a function has what its references lead to; the first one of a later shard is no longer the
 * first. */
static bool TakeDifference(void *context, const cJSON *item) {
    Reading *reading = context;
    MergedReport *merged = reading->merged;
    char key[64];
    if (!ReadText(reading, item, "function", key, sizeof key))
        return false;
    const AbiFunction *function = Abi_Find(key);
    if (!function)
        return Refuse(reading, "function", "a function of the tables", Member(item, "function"));
    const bool is_first = !Comparison_FirstDifference(reading->comparison, function);
    if (!Comparison_Keeps(reading->comparison, is_first))
        return true;
    Difference *d = Comparison_NewDifference(reading->comparison);
    if (!d)
        return false;
    d->function = function;

    /* The command that repeats the difference, or null, is kept at the same index. */
    const cJSON *repeat = Member(item, "repeat");
    char **repeats = realloc(merged->repeats, (merged->repeat_count + 1) * sizeof *repeats);
    if (!repeats)
        return false;
    merged->repeats = repeats;
    char **kept = &repeats[merged->repeat_count++];
    *kept = cJSON_IsString(repeat) ? CopyText(repeat->valuestring) : NULL;
    if (!*kept && repeat)
        return false;

    if (!ReadText(reading, item, "trace", d->trace, sizeof d->trace) ||
        !ReadWide(reading, item, "sequence", &d->sequence) ||
        !ReadText(reading, item, "path", d->path, sizeof d->path))
        return false;
    for (size_t i = 0; i < SHARD_FIELDS; i++) {
        const ShardField *field = &shard_fields[i];
        uint64_t value = 0;
        if (!ReadOne(reading, item, field->name, field->most, &value))
            return false;
        SetField(d, field, (uint32_t)value);
    }
    if (!ReadElement(reading, item, "a", d->a) || !ReadElement(reading, item, "b", d->b) ||
        !ReadBytes(reading, item, "inputs", &d->inputs, &d->input_size) ||
        !ReadBytes(reading, item, "outputs_a", &d->outputs_a, &d->output_size_a) ||
        !ReadBytes(reading, item, "outputs_b", &d->outputs_b, &d->output_size_b))
        return false;

    /* The data must fit the signature, so that a report may go over its elements. */
    Signature *signature = malloc(sizeof *signature);
    d->signature = signature;
    if (!signature || !Signature_IsKnown(function, signature) ||
        Signature_CheckInputs(signature, d->inputs, d->input_size, NULL) != RP_OK ||
        d->output_size_a != Trace_OutputBytes(d->outcome_a, signature, d->inputs, d->input_size) ||
        d->output_size_b != Trace_OutputBytes(d->outcome_b, signature, d->inputs, d->input_size))
        return Refuse(reading, "inputs", "a call of the function", Member(item, "inputs"));
    d->ulps = Value_Ulps(d->type, d->size, d->a, d->b);
    if (is_first && Member(item, "parting")) {
        d->parting = malloc(sizeof *d->parting);
        if (!d->parting || !Parting_Read(item, d->parting))
            return Refuse(reading, "parting", "where two sides part", Member(item, "parting"));
    }
    if (!is_first || !Member(item, "followed"))
        return true;

    uint8_t *bytes;
    uint32_t size;
    if (!ReadBytes(reading, item, "followed", &bytes, &size))
        return false;
    d->followed = FollowedWords_Read(bytes, size);
    free(bytes);
    return d->followed ||
           Refuse(reading, "followed", "the words of a model", Member(item, "followed"));
}

/* ---- coverage -------------------------------------------------------------------------------- */

/* Returns whether a function is on one of the sides whose names begin with this letter, or there is
 * no such side. The coverage has been read without an error. */
static bool IsCovered(const cJSON *coverage, char letter, const char *key) {
    bool has_side = false;
    const cJSON *side, *function;
    cJSON_ArrayForEach(side, coverage) {
        if (Member(side, "side")->valuestring[0] != letter)
            continue;
        has_side = true;
        cJSON_ArrayForEach(function, Member(side, "functions")) {
            if (strcmp(Member(function, "key")->valuestring, key) == 0)
                return true;
        }
    }
    return !has_side;
}

/* Reads what the calls of a shard have reached. Without a part of it, the whole would seem to have
 * reached less than it did. So all shards have it or none, and it names every function of which
 * both sides have run a call. */
static bool ReadCoverage(Reading *reading, const cJSON *root, bool is_first) {
    MergedReport *merged = reading->merged;
    const cJSON *coverage = Member(root, "coverage"), *item;
    if (is_first && coverage)
        merged->report.coverage = &merged->coverage;
    if (merged->report.coverage && !coverage)
        return Refuse(reading, "coverage", "what the calls reached, as other shards have it", NULL);
    if (!merged->report.coverage && coverage)
        return Refuse(reading, "coverage", "nothing, because other shards have none", coverage);
    if (!coverage)
        return true;
    if (!Coverage_ReadShard(&reading->read, root, &merged->coverage))
        return false;
    cJSON_ArrayForEach(item, Member(root, "functions")) {
        const char *key = Member(item, "key")->valuestring;
        for (int side = 0; side < 2; side++)
            if (Member(item, "compared")->valuedouble > 0 &&
                !IsCovered(coverage, (char)('a' + side), key)) {
                char expected[96];
                snprintf(expected, sizeof expected, "%s, which was called, on side %c", key,
                         'a' + side);
                return Refuse(reading, "coverage", expected, NULL);
            }
    }
    return true;
}

/* ---- a file ---------------------------------------------------------------------------------- */

static bool ReadAll(Reading *reading, const cJSON *root) {
    MergedReport *merged = reading->merged;
    Report *report = &merged->report;
    const cJSON *format = Member(root, "format"), *stopped = Member(root, "stopped");
    if (!cJSON_IsString(format) || strcmp(format->valuestring, SHARD_FORMAT) != 0)
        return Refuse(reading, "format", SHARD_FORMAT, format);
    if (stopped) {
        RpError_Set(reading->read.error, RP_INVALID, RP_NOWHERE, "this shard was stopped", "",
                    "a shard that came to its end",
                    cJSON_IsString(stopped) ? stopped->valuestring : "");
        return false;
    }

    const bool is_first = !merged->comparison;
    if (is_first) { /* what only the first shard is asked for */
        KnownDifferences *known = &merged->known;
        uint64_t most = 0;
        if (!ReadSide(reading, root, "a", &report->a) ||
            !ReadSide(reading, root, "b", &report->b) ||
            !ReadOne(reading, root, "max_differences", 1000000, &most))
            return false;
        known->count = (size_t)cJSON_GetArraySize(Member(root, "known"));
        known->entries = calloc(known->count + 1, sizeof *known->entries);
        if (!known->entries || !ReadCopy(reading, root, "version", &merged->version) ||
            !ReadCopy(reading, root, "command", &merged->command))
            return false;
        report->version = merged->version;
        report->command = merged->command;
        merged->comparison =
            Comparison_Create(&(CompareOptions){.max_differences = (uint32_t)most, .known = known});
        report->comparison = merged->comparison;
        report->allow_partial = cJSON_IsTrue(Member(root, "allow_partial"));
        report->repeat = Repeat;
        report->context = merged;
        Report_TakeNotice(report);
        if (!merged->comparison)
            return false;
    }
    reading->comparison = merged->comparison;
    if (!AddName(reading, root, "processor", report->processor, sizeof report->processor) ||
        !AddName(reading, root, "engine", report->engine, sizeof report->engine) ||
        !ReadObjects(reading, root, "conditions", TakeCondition) ||
        !ReadObjects(reading, root, "origins", TakeOrigin) ||
        !ReadObjects(reading, root, "functions", TakeFunction) ||
        !ReadObjects(reading, root, "known", TakeKnown))
        return false;
    if (reading->known != merged->known.count)
        return Refuse(reading, "known", "as many lines as in the other shards",
                      Member(root, "known"));
    return ReadCoverage(reading, root, is_first) &&
           ReadObjects(reading, root, "differences", TakeDifference);
}

RpStatus MergedReport_Add(MergedReport *merged, const char *text, size_t size, RpError *error) {
    Reading reading = {.read = {.error = error, .whole = "the shard's result"}, .merged = merged};
    error->status = RP_OK;
    cJSON *root = JsonRead_Document(text, size, "the result of a shard", error);
    if (!root)
        return RP_CORRUPT;
    const bool good = ReadAll(&reading, root);
    cJSON_Delete(root);
    return good ? RP_OK : error->status ? error->status : RpMemory_Refused(error, "a report");
}

void MergedReport_Free(MergedReport *merged) {
    Comparison_Destroy(merged->comparison);
    Coverage_Free(&merged->coverage);
    free(merged->known.entries);
    for (size_t i = 0; i < merged->repeat_count; i++)
        free(merged->repeats[i]);
    free(merged->repeats);
    free(merged->version);
    free(merged->command);
    memset(merged, 0, sizeof *merged);
}
