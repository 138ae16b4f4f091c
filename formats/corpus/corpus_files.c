/* The corpus as files, and the manifest that describes them. */
#include "formats/corpus/corpus_parts.h"
#include "ngi32/processor/modes.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint32_t RpCorpus_FileCount(RpCorpusKind kind) {
    switch (kind) {
    case RP_CORPUS_MODEL:
        return RP_CORPUS_MODELS;
    case RP_CORPUS_VARIANT:
        return RpCorpus_VariantCount();
    case RP_CORPUS_LIBRARY:
        return RpCorpus_LibraryCount();
    default:
        return 1;
    }
}

RpCorpusFile RpCorpus_File(const RpCorpus *corpus, RpCorpusKind kind, uint32_t index) {
    RpCorpusFile file = {.kind = kind, .index = index};
    switch (kind) {
    case RP_CORPUS_MODEL:
        snprintf(file.path, sizeof file.path, "models/%s", corpus->plan.models[index].name);
        break;
    case RP_CORPUS_VARIANT:
        snprintf(file.path, sizeof file.path, "variants/%s.msh", RpCorpus_VariantInfo(index).name);
        break;
    case RP_CORPUS_LIBRARY:
        snprintf(file.path, sizeof file.path, "libraries/%s", RpCorpus_LibraryName(index));
        break;
    default:
        snprintf(file.path, sizeof file.path, "libraries/methods.lib");
        break;
    }
    return file;
}

RpStatus RpCorpus_FileImage(const RpCorpus *corpus, const RpCorpusFile *file, RpBuffer *image,
                            RpError *error) {
    MODES_OF_C();
    switch (file->kind) {
    case RP_CORPUS_MODEL:
        return CorpusModel_Write(corpus, file->index, image, error);
    case RP_CORPUS_VARIANT:
        return RpCorpus_Variant(corpus, file->index, image, error);
    case RP_CORPUS_LIBRARY:
        return RpCorpus_Library(corpus, file->index, image, error);
    default:
        return RpCorpus_RsLi(corpus, image, error);
    }
}

/* ---- manifest -------------------------------------------------------------------------------- */

/* Adds a list of rules such as "M13 M14" as an array. */
static bool AddRules(cJSON *object, const char *rules) {
    cJSON *array = cJSON_AddArrayToObject(object, "expected");
    while (array && *rules) {
        char rule[8];
        const size_t length = strcspn(rules, " ");
        snprintf(rule, sizeof rule, "%.*s", (int)length, rules);
        if (!cJSON_AddItemToArray(array, cJSON_CreateString(rule)))
            return false;
        rules += length + (rules[length] == ' ');
    }
    return array != NULL;
}

static bool AddFile(const RpCorpus *corpus, cJSON *array, const RpCorpusFile *file) {
    static const char *const kinds[] = {"model", "variant", "nres library", "rsli library"};
    cJSON *object = cJSON_CreateObject();
    if (!object || !cJSON_AddItemToArray(array, object))
        return false;
    bool added = cJSON_AddStringToObject(object, "path", file->path) &&
                 cJSON_AddStringToObject(object, "kind", kinds[file->kind]) &&
                 cJSON_AddNumberToObject(object, "size", (double)file->size) &&
                 cJSON_AddStringToObject(object, "sha256", file->sha256);
    if (added && file->kind == RP_CORPUS_MODEL) {
        const RpCorpusModel model = RpCorpus_ModelInfo(corpus, file->index);
        added = cJSON_AddStringToObject(object, "library", model.library) &&
                cJSON_AddNumberToObject(object, "nodes", model.nodes) &&
                cJSON_AddNumberToObject(object, "animated", model.animated) &&
                cJSON_AddNumberToObject(object, "frames", model.frames) &&
                cJSON_AddNumberToObject(object, "keys", model.keys) &&
                cJSON_AddNumberToObject(object, "slots", model.slots) &&
                cJSON_AddNumberToObject(object, "batches", model.batches) &&
                cJSON_AddNumberToObject(object, "triangles", model.triangles) &&
                cJSON_AddBoolToObject(object, "lit", model.lit) &&
                cJSON_AddBoolToObject(object, "paths", model.paths) &&
                AddRules(object, model.expected);
    } else if (added && file->kind == RP_CORPUS_VARIANT) {
        const RpCorpusVariant variant = RpCorpus_VariantInfo(file->index);
        added = cJSON_AddStringToObject(object, "what", variant.what) &&
                AddRules(object, variant.expected);
    }
    return added;
}

RpStatus RpCorpus_Manifest(const RpCorpus *corpus, const RpCorpusFile *files, uint32_t count,
                           RpBuffer *text, RpError *error) {
    MODES_OF_C();
    char readings[256], seed[32];
    cJSON *object = cJSON_CreateObject();
    cJSON *array = cJSON_CreateArray();
    RpReadings_Format(&corpus->readings, RP_READS_FILES, readings, sizeof readings);
    snprintf(seed, sizeof seed, "%" PRIu64, corpus->plan.seed);
    bool added = object && array && cJSON_AddStringToObject(object, "corpus", "retropose") &&
                 cJSON_AddRawToObject(object, "seed", seed) &&
                 cJSON_AddStringToObject(object, "readings", readings);
    for (uint32_t i = 0; i < count && added; i++)
        added = AddFile(corpus, array, &files[i]);
    added = added && cJSON_AddItemToObject(object, "files", array);
    if (!added)
        cJSON_Delete(array);
    char *printed = added ? cJSON_Print(object) : NULL;
    if (printed) {
        RpBuffer_AppendText(text, printed);
        RpBuffer_AppendText(text, "\n");
    }
    cJSON_free(printed);
    cJSON_Delete(object);
    return printed && !text->failed ? RP_OK : RpMemory_Refused(error, "a manifest");
}
