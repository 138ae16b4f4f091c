#include "replay/coverage/coverage.h"

#include "core/text/visible.h"
#include "replay/coverage/exclusion.h"

#include <stdlib.h>
#include <string.h>

/* What `seen` says of an address while something is counted. */
#define SEEN_BLOCK  1u
#define SEEN_BRANCH 2u

CoverageSide *Coverage_AddSide(Coverage *coverage, const char *name,
                               const uint32_t bytes[ABI_MODULE_COUNT]) {
    if (coverage->side_count == COVERAGE_MOST_SIDES)
        return NULL;
    CoverageSide *side = &coverage->sides[coverage->side_count++];
    memset(side, 0, sizeof *side);
    snprintf(side->name, sizeof side->name, "%s", name);
    bool good = true;
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        side->bytes[i] = bytes[i];
        side->marks[i] = calloc((size_t)bytes[i] + 1, 1);
        side->seen[i] = calloc((size_t)bytes[i] + 1, 1);
        good = good && side->marks[i] && side->seen[i];
    }
    return good ? side : NULL;
}

void Coverage_Free(Coverage *coverage) {
    for (size_t i = 0; i < coverage->side_count; i++) {
        CoverageSide *side = &coverage->sides[i];
        for (int k = 0; k < ABI_MODULE_COUNT; k++) {
            free(side->marks[k]);
            free(side->seen[k]);
        }
        for (size_t k = 0; k < side->function_count; k++) {
            free(side->functions[k].blocks);
            free(side->functions[k].open);
        }
        for (size_t k = 0; k < side->text_count; k++)
            free(side->texts[k].lines);
        free(side->functions);
        free(side->texts);
    }
    memset(coverage, 0, sizeof *coverage);
}

/* ---- functions and their blocks ------------------------------------------------------------- */

CoverageFunction *Coverage_Touch(CoverageSide *side, const AbiFunction *function) {
    size_t at = 0;
    while (at < side->function_count && side->functions[at].function < function)
        at++;
    if (at < side->function_count && side->functions[at].function == function)
        return &side->functions[at];
    CoverageFunction *grown = realloc(side->functions, (side->function_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    side->functions = grown;
    memmove(&grown[at + 1], &grown[at], (side->function_count - at) * sizeof *grown);
    side->function_count++;
    grown[at] = (CoverageFunction){.function = function};
    return &grown[at];
}

static bool Append(CoverageBlock **list, size_t *count, size_t *capacity,
                   const CoverageBlock *block) {
    if (*count == *capacity) {
        const size_t more = *capacity * 2 + 16;
        CoverageBlock *grown = realloc(*list, more * sizeof *grown);
        if (!grown)
            return false;
        *list = grown;
        *capacity = more;
    }
    (*list)[(*count)++] = *block;
    return true;
}

bool Coverage_AddBlock(CoverageFunction *function, const CoverageBlock *block) {
    return Append(&function->blocks, &function->block_count, &function->block_capacity, block);
}

static int OrderBlocks(const void *left, const void *right) {
    const CoverageBlock *a = left, *b = right;
    if (a->module != b->module)
        return a->module < b->module ? -1 : 1;
    if (a->rva != b->rva)
        return a->rva < b->rva ? -1 : 1;
    return a->size < b->size ? -1 : a->size > b->size;
}

bool Coverage_SortBlocks(CoverageFunction *function) {
    size_t count = 0;
    bool agree = true;
    if (function->block_count > 0)
        qsort(function->blocks, function->block_count, sizeof *function->blocks, OrderBlocks);
    for (size_t i = 0; i < function->block_count; i++) {
        const CoverageBlock *last = count > 0 ? &function->blocks[count - 1] : NULL;
        if (last && OrderBlocks(last, &function->blocks[i]) == 0)
            agree = agree && last->branch == function->blocks[i].branch;
        else
            function->blocks[count++] = function->blocks[i];
    }
    function->block_count = count;
    return agree;
}

bool Coverage_AddOpen(CoverageFunction *function, uint32_t module, uint32_t rva) {
    const CoverageBlock open = {.module = module, .rva = rva};
    for (size_t i = 0; i < function->open_count; i++)
        if (function->open[i].module == module && function->open[i].rva == rva)
            return true;
    return Append(&function->open, &function->open_count, &function->open_capacity, &open);
}

/* ---- counting ------------------------------------------------------------------------------- */

/* Counts the blocks and branches of a function that were not counted before: with row 0 all but
 * what is excluded, and otherwise what this row excludes. */
static void CountMore(const CoverageSide *side, const CoverageFunction *function, uint32_t row,
                      CoverageCounts *counts) {
    for (size_t i = 0; i < function->block_count; i++) {
        const CoverageBlock *block = &function->blocks[i];
        const uint8_t *marks = side->marks[block->module];
        uint8_t *seen = side->seen[block->module];
        const bool counts_unreached = block->excluded == row;
        if (!(seen[block->rva] & SEEN_BLOCK)) {
            const bool is_reached = marks[block->rva] & MACHINE_RAN;
            counts->blocks += is_reached ? row == 0 : counts_unreached;
            counts->blocks_reached += is_reached && row == 0;
        }
        if (block->branch && !(seen[block->branch] & SEEN_BRANCH))
            for (int k = 0; k < 2; k++) {
                const bool is_reached =
                    marks[block->branch] & (k == 0 ? MACHINE_WENT_ON : MACHINE_JUMPED);
                counts->sides += is_reached ? row == 0 : counts_unreached;
                counts->sides_reached += is_reached && row == 0;
            }
        seen[block->rva] |= SEEN_BLOCK;
        if (block->branch)
            seen[block->branch] |= SEEN_BRANCH;
    }
}

static void ForgetSeen(const CoverageSide *side, const CoverageFunction *function) {
    for (size_t i = 0; i < function->block_count; i++) {
        const CoverageBlock *block = &function->blocks[i];
        side->seen[block->module][block->rva] = side->seen[block->module][block->branch] = 0;
    }
}

CoverageCounts Coverage_Count(const CoverageSide *side, const CoverageFunction *function) {
    CoverageCounts counts = {0};
    CountMore(side, function, 0, &counts);
    ForgetSeen(side, function);
    return counts;
}

CoverageCounts Coverage_CountAll(const CoverageSide *side) {
    return Coverage_CountExcluded(side, 0);
}

CoverageCounts Coverage_CountExcluded(const CoverageSide *side, uint32_t row) {
    CoverageCounts counts = {0};
    for (size_t i = 0; i < side->function_count; i++)
        CountMore(side, &side->functions[i], row, &counts);
    for (size_t i = 0; i < side->function_count; i++)
        ForgetSeen(side, &side->functions[i]);
    return counts;
}

/* ---- gaps ----------------------------------------------------------------------------------- */

/* Puts gaps into the order of modules and addresses. Those of the same place stand side by side,
 * that of the first function first. */
static int OrderGaps(const void *left, const void *right) {
    const CoverageGap *a = left, *b = right;
    if (a->module != b->module)
        return a->module < b->module ? -1 : 1;
    if (a->rva != b->rva)
        return a->rva < b->rva ? -1 : 1;
    if (a->missing != b->missing)
        return a->missing < b->missing ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

/* Sorts gaps, and makes one of those of the same place. Returns how many are left. */
static size_t JoinGaps(CoverageGap *gaps, size_t found) {
    size_t count = 0;
    qsort(gaps, found, sizeof *gaps, OrderGaps);
    for (size_t i = 0; i < found; i++) {
        CoverageGap *last = count > 0 ? &gaps[count - 1] : NULL;
        if (last && last->module == gaps[i].module && last->rva == gaps[i].rva) {
            last->functions += gaps[i].first != gaps[i - 1].first;
            last->size = gaps[i].size < last->size ? gaps[i].size : last->size;
        } else {
            gaps[count++] = gaps[i];
        }
    }
    return count;
}

CoverageGap *Coverage_Gaps(const CoverageSide *side, bool of_branches, size_t *count) {
    size_t most = 0, found = 0;
    for (size_t i = 0; i < side->function_count; i++)
        most += side->functions[i].block_count;
    CoverageGap *gaps = malloc((most + 1) * sizeof *gaps);
    *count = 0;
    if (!gaps)
        return NULL;
    for (size_t i = 0; i < side->function_count; i++)
        for (size_t k = 0; k < side->functions[i].block_count; k++) {
            const CoverageBlock *block = &side->functions[i].blocks[k];
            const uint8_t *marks = side->marks[block->module];
            CoverageGap gap = {.module = block->module,
                               .rva = block->rva,
                               .size = block->size,
                               .first = side->functions[i].function,
                               .functions = 1,
                               .excluded = block->excluded};
            if (of_branches) {
                const unsigned taken = marks[block->branch] & (MACHINE_WENT_ON | MACHINE_JUMPED);
                /* A branch without any side was not reached, and its block is such a gap. */
                if (!block->branch || taken == 0 || taken == (MACHINE_WENT_ON | MACHINE_JUMPED))
                    continue;
                gap.rva = block->branch;
                gap.size = 0;
                gap.missing = (uint8_t)((MACHINE_WENT_ON | MACHINE_JUMPED) ^ taken);
            } else if (marks[block->rva] & MACHINE_RAN) {
                continue;
            }
            gaps[found++] = gap;
        }
    *count = JoinGaps(gaps, found);
    return gaps;
}

CoverageGap *Coverage_Open(const CoverageSide *side, size_t *count) {
    size_t most = 0, found = 0;
    for (size_t i = 0; i < side->function_count; i++)
        most += side->functions[i].open_count;
    CoverageGap *gaps = malloc((most + 1) * sizeof *gaps);
    *count = 0;
    if (!gaps)
        return NULL;
    for (size_t i = 0; i < side->function_count; i++)
        for (size_t k = 0; k < side->functions[i].open_count; k++)
            gaps[found++] = (CoverageGap){.module = side->functions[i].open[k].module,
                                          .rva = side->functions[i].open[k].rva,
                                          .first = side->functions[i].function,
                                          .functions = 1};
    *count = JoinGaps(gaps, found);
    return gaps;
}

/* Returns the place of a text, or where it belongs. They are in the order of modules and
 * addresses. */
static size_t PlaceOfText(const CoverageSide *side, uint32_t module, uint32_t rva) {
    size_t low = 0, high = side->text_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const CoverageText *text = &side->texts[middle];
        if (text->module < module || (text->module == module && text->rva < rva))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool Coverage_AddText(CoverageSide *side, const CoverageText *text) {
    const size_t at = PlaceOfText(side, text->module, text->rva), length = strlen(text->lines) + 1;
    const bool is_there = at < side->text_count && side->texts[at].module == text->module &&
                          side->texts[at].rva == text->rva;
    if (is_there && side->texts[at].size <= text->size)
        return true;
    char *lines = malloc(length);
    if (!lines)
        return false;
    memcpy(lines, text->lines, length);
    if (!is_there && side->text_count == side->text_capacity) {
        const size_t capacity = side->text_capacity * 2 + 16;
        CoverageText *grown = realloc(side->texts, capacity * sizeof *grown);
        if (!grown) {
            free(lines);
            return false;
        }
        side->texts = grown;
        side->text_capacity = capacity;
    }
    CoverageText *place = &side->texts[at];
    if (is_there)
        free(place->lines);
    else
        memmove(place + 1, place, (side->text_count++ - at) * sizeof *place);
    *place = *text;
    place->lines = lines;
    return true;
}

const CoverageText *Coverage_TextOf(const CoverageSide *side, uint32_t module, uint32_t rva) {
    const size_t at = PlaceOfText(side, module, rva);
    return at < side->text_count && side->texts[at].module == module && side->texts[at].rva == rva
               ? &side->texts[at]
               : NULL;
}

/* ---- the text of a report ------------------------------------------------------------------- */

typedef unsigned long long Number;

/* Prints "12 of 14" in a column. */
static void PrintShare(uint64_t part, uint64_t whole, FILE *out) {
    char text[48];
    snprintf(text, sizeof text, "%llu of %llu", (Number)part, (Number)whole);
    Visible_Print(out, " %14s", text);
}

void Coverage_Print(const Coverage *coverage, FILE *out) {
    char title[64];
    Visible_Print(out, "\n%-27s %-26s", "coverage", "name");
    for (size_t i = 0; i < coverage->side_count; i++) {
        if (coverage->sides[i].function_count == 0)
            continue;
        snprintf(title, sizeof title, "%s: blocks", coverage->sides[i].name);
        Visible_Print(out, " %14s", title);
        Visible_Print(out, " %14s", "sides");
    }
    Visible_Print(out, "\n");
    for (const AbiFunction *f = abi_functions; f < abi_functions + abi_function_count; f++) {
        const CoverageFunction *found[COVERAGE_MOST_SIDES] = {NULL};
        bool is_called = false;
        for (size_t i = 0; i < coverage->side_count; i++) {
            const CoverageSide *side = &coverage->sides[i];
            for (size_t k = 0; k < side->function_count; k++)
                if (side->functions[k].function == f)
                    found[i] = &side->functions[k];
            is_called |= found[i] != NULL;
        }
        if (!is_called)
            continue;
        Visible_Print(out, "%-27s %-26s", f->key, f->name);
        for (size_t i = 0; i < coverage->side_count; i++) {
            if (coverage->sides[i].function_count == 0)
                continue;
            if (!found[i]) {
                Visible_Print(out, " %14s %14s", "-", "-");
                continue;
            }
            const CoverageCounts counts = Coverage_Count(&coverage->sides[i], found[i]);
            PrintShare(counts.blocks_reached, counts.blocks, out);
            PrintShare(counts.sides_reached, counts.sides, out);
        }
        Visible_Print(out, "\n");
    }
    for (size_t i = 0; i < coverage->side_count; i++) {
        const CoverageSide *side = &coverage->sides[i];
        if (side->function_count == 0)
            continue;
        const CoverageCounts all = Coverage_CountAll(side);
        Visible_Print(out,
                      "%s: the calls of %llu functions reached %llu of %llu blocks, and %llu of "
                      "%llu sides of branches\n",
                      side->name, (Number)side->function_count, (Number)all.blocks_reached,
                      (Number)all.blocks, (Number)all.sides_reached, (Number)all.sides);
        for (uint32_t row = 1; row <= coverage_exclusion_count; row++) {
            const CoverageExclusion *exclusion = &coverage_exclusions[row - 1];
            const CoverageCounts left_out = Coverage_CountExcluded(side, row);
            if (left_out.blocks + left_out.sides > 0)
                Visible_Print(out, "%s: excluded: %s (%s): blocks %llu, sides %llu\n", side->name,
                              exclusion->name, exclusion->reason, (Number)left_out.blocks,
                              (Number)left_out.sides);
        }
        size_t count;
        CoverageGap *open = Coverage_Open(side, &count);
        for (size_t k = 0; open && k < count; k++)
            Visible_Print(out, "%s: nobody knows where the jump at %s+0x%X leads (%s)\n",
                          side->name, AbiModule_File((AbiModule)open[k].module), open[k].rva,
                          open[k].first->key);
        free(open);
    }
}
