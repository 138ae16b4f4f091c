/* The member `coverage` of JSON reports, which docs/use/coverage.md describes, and that of the
 * files of shards. */
#include "replay/coverage/coverage.h"
#include "replay/coverage/exclusion.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/* ---- reports -------------------------------------------------------------------------------- */

static void AddCounts(cJSON *object, const CoverageCounts *counts) {
    cJSON_AddNumberToObject(object, "blocks", (double)counts->blocks);
    cJSON_AddNumberToObject(object, "blocks_reached", (double)counts->blocks_reached);
    cJSON_AddNumberToObject(object, "sides", (double)counts->sides);
    cJSON_AddNumberToObject(object, "sides_reached", (double)counts->sides_reached);
}

/* Adds a list of gaps of a side, and frees them. */
static bool AddGaps(cJSON *object, const CoverageSide *side, const char *name, CoverageGap *gaps,
                    size_t count) {
    cJSON *list = cJSON_AddArrayToObject(object, name);
    for (size_t i = 0; gaps && i < count; i++) {
        char address[16];
        cJSON *gap = cJSON_CreateObject();
        snprintf(address, sizeof address, "0x%X", gaps[i].rva);
        cJSON_AddStringToObject(gap, "module", AbiModule_File((AbiModule)gaps[i].module));
        cJSON_AddStringToObject(gap, "address", address);
        if (gaps[i].size > 0)
            cJSON_AddNumberToObject(gap, "bytes", gaps[i].size);
        if (gaps[i].missing)
            cJSON_AddStringToObject(gap, "side",
                                    gaps[i].missing == MACHINE_JUMPED ? "jump" : "next");
        cJSON_AddStringToObject(gap, "function", gaps[i].first->key);
        cJSON_AddNumberToObject(gap, "functions", gaps[i].functions);
        const CoverageText *text =
            gaps[i].size > 0 ? Coverage_TextOf(side, gaps[i].module, gaps[i].rva) : NULL;
        if (text && text->place[0])
            cJSON_AddStringToObject(gap, "place", text->place);
        if (gaps[i].excluded)
            cJSON_AddStringToObject(gap, "excluded",
                                    coverage_exclusions[gaps[i].excluded - 1].name);
        cJSON_AddItemToArray(list, gap);
    }
    free(gaps);
    return gaps != NULL;
}

bool Coverage_Json(const Coverage *coverage, cJSON *root) {
    bool good = true;
    cJSON *list = cJSON_AddArrayToObject(root, "coverage");
    for (size_t i = 0; i < coverage->side_count; i++) {
        const CoverageSide *side = &coverage->sides[i];
        if (side->function_count == 0)
            continue;
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(list, object);
        cJSON_AddStringToObject(object, "side", side->name);
        const CoverageCounts all = Coverage_CountAll(side);
        AddCounts(object, &all);
        cJSON *excluded = cJSON_AddArrayToObject(object, "excluded");
        for (uint32_t row = 1; row <= coverage_exclusion_count; row++) {
            const CoverageCounts left_out = Coverage_CountExcluded(side, row);
            if (left_out.blocks + left_out.sides == 0)
                continue;
            cJSON *exclusion = cJSON_CreateObject();
            cJSON_AddItemToArray(excluded, exclusion);
            cJSON_AddStringToObject(exclusion, "name", coverage_exclusions[row - 1].name);
            cJSON_AddStringToObject(exclusion, "reason", coverage_exclusions[row - 1].reason);
            cJSON_AddNumberToObject(exclusion, "blocks", (double)left_out.blocks);
            cJSON_AddNumberToObject(exclusion, "sides", (double)left_out.sides);
        }
        cJSON *functions = cJSON_AddArrayToObject(object, "functions");
        for (size_t k = 0; k < side->function_count; k++) {
            const CoverageCounts counts = Coverage_Count(side, &side->functions[k]);
            cJSON *function = cJSON_CreateObject();
            cJSON_AddItemToArray(functions, function);
            cJSON_AddStringToObject(function, "key", side->functions[k].function->key);
            cJSON_AddStringToObject(function, "name", side->functions[k].function->name);
            AddCounts(function, &counts);
        }
        size_t count;
        CoverageGap *gaps = Coverage_Gaps(side, false, &count);
        good = AddGaps(object, side, "blocks_not_reached", gaps, count) && good;
        gaps = Coverage_Gaps(side, true, &count);
        good = AddGaps(object, side, "sides_not_reached", gaps, count) && good;
        gaps = Coverage_Open(side, &count);
        good = AddGaps(object, side, "open", gaps, count) && good;
    }
    return good;
}

/* ---- shards --------------------------------------------------------------------------------- */

enum { ROW_NUMBERS = 5 };

static void AddRow(cJSON *list, const CoverageBlock *block) {
    const uint32_t numbers[ROW_NUMBERS] = {block->module, block->rva, block->size, block->branch,
                                           block->excluded};
    cJSON *row = cJSON_CreateArray();
    for (int i = 0; i < ROW_NUMBERS; i++)
        cJSON_AddItemToArray(row, cJSON_CreateNumber(numbers[i]));
    cJSON_AddItemToArray(list, row);
}

void Coverage_ShardJson(const Coverage *coverage, cJSON *root) {
    cJSON *list = cJSON_AddArrayToObject(root, "coverage");
    for (size_t i = 0; i < coverage->side_count; i++) {
        const CoverageSide *side = &coverage->sides[i];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(list, object);
        cJSON_AddStringToObject(object, "side", side->name);
        cJSON *sizes = cJSON_AddArrayToObject(object, "sizes");
        cJSON *marks = cJSON_AddArrayToObject(object, "marks");
        for (int k = 0; k < ABI_MODULE_COUNT; k++) {
            cJSON_AddItemToArray(sizes, cJSON_CreateNumber(side->bytes[k]));

            /* The addresses that have marks, each as its distance from the one before, times 8, and
             * the marks. */
            cJSON *row = cJSON_CreateArray();
            uint32_t last = 0;
            for (uint32_t rva = 0; rva < side->bytes[k]; rva++)
                if (side->marks[k][rva]) {
                    cJSON_AddItemToArray(
                        row, cJSON_CreateNumber((double)(rva - last) * 8 + side->marks[k][rva]));
                    last = rva;
                }
            cJSON_AddItemToArray(marks, row);
        }
        cJSON *functions = cJSON_AddArrayToObject(object, "functions");
        for (size_t k = 0; k < side->function_count; k++) {
            const CoverageFunction *function = &side->functions[k];
            cJSON *one = cJSON_CreateObject();
            cJSON_AddItemToArray(functions, one);
            cJSON_AddStringToObject(one, "key", function->function->key);
            cJSON *blocks = cJSON_AddArrayToObject(one, "blocks");
            for (size_t j = 0; j < function->block_count; j++)
                AddRow(blocks, &function->blocks[j]);
            cJSON *open = cJSON_AddArrayToObject(one, "open");
            for (size_t j = 0; j < function->open_count; j++)
                AddRow(open, &function->open[j]);
        }
        cJSON *texts = cJSON_AddArrayToObject(object, "texts");
        for (size_t k = 0; k < side->text_count; k++) {
            const CoverageText *text = &side->texts[k];
            cJSON *one = cJSON_CreateObject();
            cJSON_AddItemToArray(texts, one);
            cJSON *place = cJSON_AddArrayToObject(one, "block");
            AddRow(place, &(CoverageBlock){text->module, text->rva, text->size, 0, 0});
            cJSON_AddStringToObject(one, "lines", text->lines);
            cJSON_AddStringToObject(one, "place", text->place);
        }
    }
}

/* What is being read of a shard's file. */
typedef struct Taking {
    JsonRead *read;
    Coverage *coverage;
    bool is_first;     /* no shard was read before */
    size_t side_count; /* the number of sides that were read */
    CoverageSide *side;
    CoverageFunction *function;
    uint32_t module; /* the one whose marks are next */
} Taking;

static bool Refuse(const Taking *taking, const char *expected, const cJSON *item) {
    return JsonRead_Refuse(taking->read, "this is not what the coverage of a shard has", expected,
                           item);
}

/* Reads a row of a block, and checks that it is inside of its module. */
static bool ReadBlock(const Taking *taking, const cJSON *row, CoverageBlock *block) {
    uint32_t numbers[ROW_NUMBERS] = {0};
    const cJSON *item = cJSON_IsArray(row) ? row->child : NULL;
    for (int i = 0; i < ROW_NUMBERS; i++, item = item->next) {
        if (!item || !JsonRead_IsWhole(item, 0, i == 4 ? coverage_exclusion_count : UINT32_MAX))
            return Refuse(taking, "five numbers, of which the last is of an exclusion", row);
        numbers[i] = (uint32_t)item->valuedouble;
    }
    *block = (CoverageBlock){numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
    const uint32_t bytes =
        block->module < ABI_MODULE_COUNT ? taking->side->bytes[block->module] : 0;
    return (block->rva < bytes && block->size <= bytes - block->rva &&
            (!block->branch || block->branch - block->rva < block->size)) ||
           Refuse(taking, "a block of a module", row);
}

/* Reads the marks of the next module. */
static bool TakeModule(void *context, const cJSON *row) {
    Taking *taking = context;
    if (taking->module == ABI_MODULE_COUNT || !cJSON_IsArray(row))
        return Refuse(taking, "the marks of two modules", row);
    const uint32_t bytes = taking->side->bytes[taking->module];
    uint8_t *marks = taking->side->marks[taking->module++];
    uint32_t at = 0;
    for (const cJSON *item = row->child; item; item = item->next) {
        if (!JsonRead_IsWhole(item, 0, (double)COVERAGE_MOST_BYTES * 8))
            return Refuse(taking, "a distance and marks", item);
        const uint64_t number = (uint64_t)item->valuedouble;
        if (number / 8 >= bytes - at)
            return Refuse(taking, "an address of the module", item);
        at += (uint32_t)(number / 8);
        marks[at] |= (uint8_t)(number % 8);
    }
    return true;
}

static bool TakeBlock(void *context, const cJSON *row) {
    Taking *taking = context;
    CoverageBlock block;
    return ReadBlock(taking, row, &block) && Coverage_AddBlock(taking->function, &block);
}

static bool TakeOpen(void *context, const cJSON *row) {
    Taking *taking = context;
    CoverageBlock block;
    return ReadBlock(taking, row, &block) &&
           Coverage_AddOpen(taking->function, block.module, block.rva);
}

static bool TakeFunction(void *context, const cJSON *item) {
    Taking *taking = context;
    const cJSON *key = cJSON_GetObjectItemCaseSensitive(item, "key");
    const AbiFunction *function = cJSON_IsString(key) ? Abi_Find(key->valuestring) : NULL;
    if (!function)
        return Refuse(taking, "a function of the tables", key);
    taking->function = Coverage_Touch(taking->side, function);
    if (!taking->function || !JsonRead_List(taking->read, item, "blocks", TakeBlock, taking))
        return false;
    /* Earlier shards have most of them, too. */
    if (!Coverage_SortBlocks(taking->function))
        return Refuse(taking, "the branches of the other shards",
                      cJSON_GetObjectItemCaseSensitive(item, "blocks"));
    return JsonRead_List(taking->read, item, "open", TakeOpen, taking);
}

static bool TakeText(void *context, const cJSON *item) {
    Taking *taking = context;
    const cJSON *lines = cJSON_GetObjectItemCaseSensitive(item, "lines");
    const cJSON *place = cJSON_GetObjectItemCaseSensitive(item, "place");
    const cJSON *row = cJSON_GetObjectItemCaseSensitive(item, "block");
    CoverageBlock block;
    if (!cJSON_IsString(lines) || !cJSON_IsString(place) || !cJSON_IsArray(row))
        return Refuse(taking, "the instructions of a block", item);
    if (!ReadBlock(taking, row->child, &block))
        return false;
    CoverageText text = {block.module, block.rva, block.size, lines->valuestring, ""};
    snprintf(text.place, sizeof text.place, "%s", place->valuestring);
    return Coverage_AddText(taking->side, &text);
}

static bool TakeSide(void *context, const cJSON *item) {
    Taking *taking = context;
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "side");
    const cJSON *sizes = cJSON_GetObjectItemCaseSensitive(item, "sizes");
    uint32_t bytes[ABI_MODULE_COUNT];
    if (!cJSON_IsString(name) || strlen(name->valuestring) >= sizeof taking->side->name)
        return Refuse(taking, "the name of a side, of at most 31 letters", name);
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        const cJSON *size = cJSON_GetArrayItem(sizes, i);
        if (!JsonRead_IsWhole(size, 1, COVERAGE_MOST_BYTES))
            return Refuse(taking, "the sizes of two modules", sizes);
        bytes[i] = (uint32_t)size->valuedouble;
    }
    if (taking->side_count == COVERAGE_MOST_SIDES)
        return Refuse(taking, "at most three sides", name);
    const CoverageSide *before =
        taking->side_count > 0 ? &taking->coverage->sides[taking->side_count - 1] : NULL;
    if (before && strcmp(before->name, name->valuestring) >= 0)
        return Refuse(taking, "the sides in the order of their names", name);
    if (taking->is_first && !Coverage_AddSide(taking->coverage, name->valuestring, bytes))
        return false;
    if (taking->side_count == taking->coverage->side_count)
        return Refuse(taking, "the sides of the other shards, and no more", name);
    taking->side = &taking->coverage->sides[taking->side_count++];
    if (strcmp(taking->side->name, name->valuestring) != 0)
        return Refuse(taking, taking->side->name, name);
    if (memcmp(taking->side->bytes, bytes, sizeof bytes) != 0)
        return Refuse(taking, "the modules of the other shards", sizes);
    taking->module = 0;
    if (!JsonRead_List(taking->read, item, "marks", TakeModule, taking))
        return false;
    /* Without them, the whole would seem to have reached less than it did. */
    if (taking->module < ABI_MODULE_COUNT)
        return Refuse(taking, "the marks of two modules",
                      cJSON_GetObjectItemCaseSensitive(item, "marks"));
    return JsonRead_List(taking->read, item, "functions", TakeFunction, taking) &&
           JsonRead_List(taking->read, item, "texts", TakeText, taking);
}

bool Coverage_ReadShard(JsonRead *read, const cJSON *root, Coverage *coverage) {
    Taking taking = {.read = read, .coverage = coverage, .is_first = coverage->side_count == 0};
    if (!JsonRead_List(read, root, "coverage", TakeSide, &taking))
        return false;
    const size_t length = JsonRead_Enter(read, "coverage");
    if (taking.side_count == 0)
        return Refuse(&taking, "at least one side", NULL);
    if (taking.side_count < coverage->side_count)
        return Refuse(&taking, coverage->sides[taking.side_count].name, NULL);
    JsonRead_Leave(read, length);
    return true;
}
