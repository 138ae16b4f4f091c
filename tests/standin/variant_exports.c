/* Makes the export list of a variant: the rows of the tables alone, or 145 exports like the
 * original's, with made-up names and ordinals for those that are not public. */
#include "core/random.h"
#include "variant.h"

#include <stdio.h>
#include <string.h>

/* 0x25A0, 0x25B0 and 0x2600 are published. The others are of the same kind (facts/ngi32.md A.1). */
const VariantStub variant_stubs[VARIANT_STUBS] = {
    {0x02590, 4, false},  {0x025A0, 8, false}, {0x025B0, 12, false}, {0x025C0, 16, false},
    {0x025D0, 20, false}, {0x025E0, 0, true},  {0x025F0, 4, true},   {0x02600, 24, false},
    {0x02610, 8, true},   {0x02620, 12, true}, {0x02630, 16, true},  {0x02640, 28, false},
    {0x02650, 32, false}, {0x02660, 0, false}};

#define STUB_EXPORTS     79
#define STUBS_OF_8       24 /* the number of stubs at 0x25A0 */
#define HIGHEST_ORDINAL  330
#define EXPORTS_OF_NGI32 145

typedef struct List {
    const Variant *variant;
    VariantExport *rows;
    int count;
    bool taken[HIGHEST_ORDINAL + 1];
    uint32_t random;
} List;

static uint32_t Random(List *list, uint32_t below) {
    return (Random_Lcg32(&list->random) >> 8) % below;
}

static int FreeOrdinal(List *list) {
    int ordinal;
    do
        ordinal = 1 + (int)Random(list, HIGHEST_ORDINAL);
    while (list->taken[ordinal]);
    list->taken[ordinal] = true;
    return ordinal;
}

static VariantExport *Add(List *list, VariantExportKind kind, const char *name) {
    VariantExport *row = &list->rows[list->count++];
    memset(row, 0, sizeof *row);
    snprintf(row->name, sizeof row->name, "%s", name);
    row->kind = kind;
    return row;
}

static void AddRows(List *list, AbiModule module) {
    for (size_t i = 0; i < abi_function_count; i++) {
        const VariantFunction *function = &list->variant->functions[i];
        if (function->abi.module != module || function->abi.kind != ABI_EXPORT)
            continue;
        VariantExport *row = Add(list, VARIANT_ROW, function->abi.name);
        row->function = function;
        row->ordinal = function->abi.index;
    }
}

/* 0x2A00 lies outside the published range of stubs. */
static bool IsStub(const AbiFunction *function) {
    return function->provider == ABI_NOOP && function->rva != 0x02A00;
}

static int StubOf(uint32_t pops, bool clears) {
    for (int i = 0; i < VARIANT_STUBS; i++)
        if (variant_stubs[i].pops == pops && variant_stubs[i].clears == clears)
            return i;
    return 0;
}

/* The rows keep their own ordinals if these are published, and no-ops become stubs. */
static int CompleteRows(List *list) {
    int stubs = 0;
    for (int i = 0; i < list->count; i++) {
        int ordinal = list->rows[i].ordinal;
        if (ordinal <= HIGHEST_ORDINAL && !list->variant->own_ordinals)
            list->taken[ordinal] = true;
    }
    for (int i = 0; i < list->count; i++) {
        VariantExport *row = &list->rows[i];
        const AbiFunction *f = &row->function->abi;
        if (row->ordinal > HIGHEST_ORDINAL || list->variant->own_ordinals)
            row->ordinal = FreeOrdinal(list);
        if (!IsStub(f))
            continue;
        row->kind = VARIANT_STUB;
        row->stub = StubOf(Abi_StackArgumentBytes(f), strcmp(f->returns, "void") != 0);
        stubs++;
    }
    return stubs;
}

static int StubsOf8(const List *list) {
    int count = 0;
    for (int i = 0; i < list->count; i++)
        count += list->rows[i].kind == VARIANT_STUB &&
                 variant_stubs[list->rows[i].stub].pops == 8 &&
                 !variant_stubs[list->rows[i].stub].clears;
    return count;
}

static void AddStubs(List *list, int stubs) {
    static const char *const families[] = {"vrt", "n3d", "bsp"};
    int of_8 = StubsOf8(list);
    for (int i = 0; stubs < STUB_EXPORTS; i++, stubs++) {
        char name[64];
        snprintf(name, sizeof name, "%sStandin%02d", families[i % 3], i);
        VariantExport *row = Add(list, VARIANT_STUB, name);
        row->ordinal = FreeOrdinal(list);
        if (of_8 < STUBS_OF_8) {
            row->stub = 1;
            of_8++;
        } else {
            row->stub = i % VARIANT_STUBS == 1 ? 0 : i % VARIANT_STUBS;
        }
        row->nameless = list->variant->nameless && Random(list, 4) == 0;
    }
}

static void AddLive(List *list) {
    static const char *const families[] = {"ngi", "mrn", "ni", "rs"};
    for (int i = 0; list->count < EXPORTS_OF_NGI32; i++) {
        char name[64];
        snprintf(name, sizeof name, "%sStandin%02d", families[i % 4], i);
        VariantExportKind kind = list->variant->forwarder && i == 0   ? VARIANT_FORWARDER
                                 : list->variant->more_data && i == 1 ? VARIANT_DATA
                                                                      : VARIANT_LIVE;
        VariantExport *row = Add(list, kind, name);
        row->ordinal = FreeOrdinal(list);
        row->pops = 4 * Random(list, 6);
        row->nameless = list->variant->nameless && Random(list, 3) == 0;
    }
}

int Variant_Exports(const Variant *variant, AbiModule module,
                    VariantExport exports[VARIANT_MAX_EXPORTS]) {
    List list = {.variant = variant, .rows = exports, .random = variant->exports};
    AddRows(&list, module);
    if (variant->exports && module == ABI_NGI32) {
        AddStubs(&list, CompleteRows(&list));
        AddLive(&list);
    }
    return list.count;
}
