/* Writes and reads the file that keeps a result. It is written as text, with a line for each listed
 * argument, so that a difference between two files can be read. */
#include "core/hex.h"
#include "core/json/json_shards.h"
#include "replay/prove/result.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- writing --------------------------------------------------------------------------------- */

static void AppendEntries(const char *name, const RpBuffer *entries, RpBuffer *json) {
    const ProveEntry *entry = (const ProveEntry *)(const void *)entries->bytes;
    const size_t count = entries->size / sizeof *entry;
    RpBuffer_Print(json, ",\n      \"%s\": [", name);
    for (size_t i = 0; i < count; i++)
        RpBuffer_Print(json,
                       "%s\n        {\"argument\": \"0x%08" PRIx32 "\", \"core\": \"0x%08" PRIx32
                       "\", \"x87\": \"0x%08" PRIx32 "\"}",
                       i ? "," : "", entry[i].argument, entry[i].core, entry[i].x87);
    RpBuffer_Print(json, "%s]", count ? "\n      " : "");
}

RpStatus ProveResult_Json(const ProveResult *result, RpBuffer *json, RpError *error) {
    const char *comma = "";
    RpBuffer_Print(json, "{\n  \"format\": \"%s\",\n  \"kernel\": \"%s\",\n", PROVE_FORMAT,
                   result->kernel->name);
    RpBuffer_Print(json, "  \"processor\": \"%s\",\n  \"processor_name\": \"%s\",\n",
                   result->processor, result->name);
    RpBuffer_Print(json, "  \"control_word\": \"%04X\",\n  \"core\": \"%s\",\n",
                   (unsigned)PROVE_CONTROL_WORD, result->core);
    RpBuffer_Print(json, "  \"shards\": %" PRIu32 ",\n  \"done\": [", result->shards.of);
    for (uint32_t i = 0; i < result->shards.of; i++) {
        if (result->shards.done[i]) {
            RpBuffer_Print(json, "%s%" PRIu32, comma, i + 1);
            comma = ", ";
        }
    }
    RpBuffer_Print(json, "],\n  \"arguments\": %" PRIu64 ",\n  \"parts\": [\n",
                   result->tally.arguments);
    for (int i = 0; i < PROVE_PARTS && result->kernel->parts[i].name; i++) {
        const ProvePart *part = &result->kernel->parts[i];
        const ProveFindings *findings = &result->tally.parts[i];
        RpBuffer_AppendText(json, i ? ",\n" : "");
        RpBuffer_Print(json, "    {\n      \"name\": \"%s\",\n", part->name);
        RpBuffer_Print(json,
                       "      \"largest_error\": %.9g,\n      \"largest_error_at\": \"0x%08" PRIx32
                       "\",\n",
                       findings->largest, findings->largest_at);
        RpBuffer_Print(json, "      \"proven_bound\": %g,\n      \"allowed_error\": %g,\n",
                       part->bound, part->allowed);
        RpBuffer_Print(
            json, "      \"undecided_count\": %" PRIu64 ",\n      \"different_count\": %" PRIu64,
            findings->undecided_count, findings->different_count);
        AppendEntries("undecided", &findings->undecided, json);
        AppendEntries("different", &findings->different, json);
        RpBuffer_AppendText(json, "\n    }");
    }
    RpBuffer_AppendText(json, "\n  ]\n}\n");
    return json->failed ? RpMemory_Refused(error, "a result") : RP_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

#define MOST_COUNT 4294967296.0

typedef struct Reader {
    JsonRead read;
    ProveResult *result;
    int part;          /* the part that is being read */
    RpBuffer *entries; /* the list of that part that is being read */
} Reader;

static const cJSON *Member(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* Reads a text that a JSON file may hold as it is. */
static bool ReadText(Reader *reader, const cJSON *root, const char *name, char *text, size_t size) {
    const cJSON *item = Member(root, name);
    bool plain = cJSON_IsString(item) && strlen(item->valuestring) < size;
    for (const char *c = plain ? item->valuestring : ""; *c; c++)
        plain &= *c >= ' ' && *c <= '~' && *c != '"' && *c != '\\';
    JsonRead_Enter(&reader->read, plain ? "" : name);
    if (!plain)
        return JsonRead_Refuse(&reader->read, "this is no such text", "a short plain text", item);
    reader->read.path[0] = 0;
    memcpy(text, item->valuestring, strlen(item->valuestring) + 1);
    return true;
}

static bool ReadWord(Reader *reader, const cJSON *object, const char *name, uint32_t *word) {
    const cJSON *item = Member(object, name);
    if (cJSON_IsString(item) && Hex_ReadWord(item->valuestring, word))
        return true;
    JsonRead_Enter(&reader->read, name);
    return JsonRead_Refuse(&reader->read, "this is no such number", "0x and eight digits", item);
}

static bool ReadCount(Reader *reader, const cJSON *object, const char *name, uint64_t *count) {
    double number = 0;
    if (!JsonRead_IntegerMember(&reader->read, object, name, 0, MOST_COUNT, &number))
        return false;
    *count = (uint64_t)number;
    return true;
}

/* Reads an entry of a list. Entries must be arguments of the kernel in their order, because merging
 * and contrasting rely on this. */
static bool TakeEntry(void *context, const cJSON *item) {
    Reader *reader = context;
    ProveEntry entry;
    const RpBuffer *entries = reader->entries;
    if (!ReadWord(reader, item, "argument", &entry.argument) ||
        !ReadWord(reader, item, "core", &entry.core) || !ReadWord(reader, item, "x87", &entry.x87))
        return false;
    bool fits = ProveKernel_Has(reader->result->kernel, entry.argument);
    if (entries->size > 0) {
        ProveEntry last;
        memcpy(&last, entries->bytes + entries->size - sizeof last, sizeof last);
        fits &= last.argument < entry.argument;
    }
    if (!fits)
        return JsonRead_Refuse(&reader->read, "this argument has no place here",
                               "an argument of the kernel, above the one before", item);
    return RpBuffer_Append(reader->entries, &entry, sizeof entry);
}

/* Reads a list. It may be shorter than its count only if a block of arguments has more entries than
 * are kept. */
static bool ReadEntries(Reader *reader, const cJSON *object, const char *name, uint64_t count,
                        RpBuffer *entries) {
    reader->entries = entries;
    if (!JsonRead_List(&reader->read, object, name, TakeEntry, reader))
        return false;
    const uint64_t listed = entries->size / sizeof(ProveEntry);
    if (listed == count || (listed < count && count > PROVE_KEPT))
        return true;
    JsonRead_Enter(&reader->read, name);
    return JsonRead_Refuse(&reader->read,
                           listed > count ? "the list is too long" : "the list is too short",
                           "as many as were counted", NULL);
}

static bool TakePart(void *context, const cJSON *item) {
    Reader *reader = context;
    const int part = reader->part++;
    const ProvePart *parts = reader->result->kernel->parts;
    const cJSON *name = Member(item, "name"), *largest = Member(item, "largest_error");
    if (part >= PROVE_PARTS || !parts[part].name || !cJSON_IsString(name) ||
        strcmp(name->valuestring, parts[part].name) != 0)
        return JsonRead_Refuse(&reader->read, "this is no such part", "the kernel's parts in order",
                               name);
    ProveFindings *findings = &reader->result->tally.parts[part];
    if (!cJSON_IsNumber(largest) || !(largest->valuedouble >= 0))
        return JsonRead_Refuse(&reader->read, "this is no such number", "the largest error",
                               largest);
    findings->largest = largest->valuedouble;
    return ReadWord(reader, item, "largest_error_at", &findings->largest_at) &&
           ReadCount(reader, item, "undecided_count", &findings->undecided_count) &&
           ReadCount(reader, item, "different_count", &findings->different_count) &&
           ReadEntries(reader, item, "undecided", findings->undecided_count,
                       &findings->undecided) &&
           ReadEntries(reader, item, "different", findings->different_count, &findings->different);
}

static bool ReadAll(Reader *reader, const cJSON *root) {
    ProveResult *result = reader->result;
    const cJSON *kernel = Member(root, "kernel"), *format = Member(root, "format");
    char word[8], text[24];
    if (!cJSON_IsString(format) || strcmp(format->valuestring, PROVE_FORMAT) != 0)
        return JsonRead_Refuse(&reader->read, "this is no result of a proof", PROVE_FORMAT, format);
    result->kernel = cJSON_IsString(kernel) ? ProveKernel_Find(kernel->valuestring) : NULL;
    if (!result->kernel)
        return JsonRead_Refuse(&reader->read, "there is no such kernel", "one of `retropose prove`",
                               kernel);
    if (!ReadText(reader, root, "processor", result->processor, sizeof result->processor) ||
        !ReadText(reader, root, "processor_name", result->name, sizeof result->name) ||
        !ReadText(reader, root, "core", result->core, sizeof result->core) ||
        !ReadText(reader, root, "control_word", word, sizeof word))
        return false;
    if (strcmp(word, "007F") != 0)
        return JsonRead_Refuse(&reader->read, "another control word", "007F",
                               Member(root, "control_word"));

    /* The number of arguments follows from the shards. */
    uint64_t expected = 0;
    if (!JsonShards_Read(&reader->read, root, &result->shards) ||
        !ReadCount(reader, root, "arguments", &result->tally.arguments))
        return false;
    for (uint32_t i = 1; i <= result->shards.of; i++)
        if (result->shards.done[i - 1])
            expected += Sweep_Edge(result->kernel, i, result->shards.of) -
                        Sweep_Edge(result->kernel, i - 1, result->shards.of);
    snprintf(text, sizeof text, "%" PRIu64, expected);
    if (result->tally.arguments != expected)
        return JsonRead_Refuse(&reader->read, "the shards have another number of arguments", text,
                               Member(root, "arguments"));

    if (!JsonRead_List(&reader->read, root, "parts", TakePart, reader))
        return false;
    if (reader->part < PROVE_PARTS && result->kernel->parts[reader->part].name)
        return JsonRead_Refuse(&reader->read, "a part is missing",
                               result->kernel->parts[reader->part].name, NULL);
    return true;
}

RpStatus ProveResult_Read(ProveResult *result, const char *text, size_t size, RpError *error) {
    Reader reader = {.read = {.error = error, .whole = "the result"}, .result = result};
    memset(result, 0, sizeof *result);
    error->status = RP_OK;
    ProveTally_Init(&result->tally);
    cJSON *root = JsonRead_Document(text, size, "the result of a proof", error);
    if (!root)
        return RP_CORRUPT;
    const bool good = ReadAll(&reader, root);
    cJSON_Delete(root);
    return good ? RP_OK : error->status ? error->status : RpMemory_Refused(error, "a result");
}
