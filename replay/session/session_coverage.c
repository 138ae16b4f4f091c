#include "replay/session/session_coverage.h"

#include "machine/coverage/flow.h"
#include "machine/coverage/symbols.h"
#include "replay/coverage/exclusion.h"

#include <stdlib.h>
#include <string.h>

/* Reads both files of a pair. The caller closes those that were opened, whatever the result is. */
static RpStatus OpenFiles(const Provider *provider, PeFile files[ABI_MODULE_COUNT],
                          bool is_open[ABI_MODULE_COUNT], RpError *error) {
    RpStatus status = RP_OK;
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        is_open[i] = false;
    for (int i = 0; i < ABI_MODULE_COUNT && !status; i++) {
        char path[1200];
        status = Provider_Path(provider->directory, (AbiModule)i, path, sizeof path, error);
        if (!status)
            status = Pe_Load(path, &files[i], error);
        is_open[i] = !status;
    }
    return status;
}

static void CloseFiles(PeFile files[ABI_MODULE_COUNT], const bool is_open[ABI_MODULE_COUNT]) {
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        if (is_open[i])
            Pe_Close(&files[i]);
}

RpStatus SessionCoverage_Begin(Provider *provider, RpError *error) {
    PeFile files[ABI_MODULE_COUNT];
    bool is_open[ABI_MODULE_COUNT];
    RpStatus status = OpenFiles(provider, files, is_open, error);
    uint32_t bytes[ABI_MODULE_COUNT];
    for (int i = 0; i < ABI_MODULE_COUNT && !status; i++) {
        bytes[i] = files[i].image_size;
        if (bytes[i] > COVERAGE_MOST_BYTES) {
            char expected[48], found[48];
            snprintf(expected, sizeof expected, "at most %u bytes", COVERAGE_MOST_BYTES);
            snprintf(found, sizeof found, "%u bytes", (unsigned)bytes[i]);
            status = RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                                 "the image is too large for coverage",
                                 AbiModule_File((AbiModule)i), expected, found);
        }
    }
    if (!status)
        status = ReachedRecord_Create(bytes, &provider->reached, error);
    CloseFiles(files, is_open);
    return status;
}

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for the coverage", "", "", "");
}

/* Adds the blocks of a function, from one of the places where its code begins. */
static RpStatus AddEntry(CoverageSide *side, const ReachedEntry *entry,
                         const PeFile files[ABI_MODULE_COUNT],
                         const Symbols symbols[ABI_MODULE_COUNT], RpError *error) {
    Flow flow = {.blocks = NULL};
    const RpStatus status = entry->module < ABI_MODULE_COUNT
                                ? Flow_Find(&files[entry->module], entry->rva, &flow, error)
                                : RP_OK;
    if (status)
        return status;
    CoverageFunction *function = Coverage_Touch(side, &abi_functions[entry->row]);
    bool good = function != NULL;
    for (size_t i = 0; i < flow.count && good; i++) {
        const FlowBlock *block = &flow.blocks[i];
        const Symbol *symbol = Symbols_At(&symbols[entry->module], block->rva);
        const uint32_t excluded = symbol ? CoverageExclusion_Of(symbol->name, symbol->source) : 0;
        good = Coverage_AddBlock(function, &(CoverageBlock){entry->module, block->rva, block->size,
                                                            block->branch, excluded});
    }
    for (size_t i = 0; i < flow.open_count && good; i++)
        good = Coverage_AddOpen(function, entry->module, flow.open[i]);
    if (function)
        (void)Coverage_SortBlocks(function); /* builds of a slot share what they call */
    Flow_Free(&flow);
    return good ? RP_OK : NoMemory(error);
}

RpStatus SessionCoverage_Add(const Provider *provider, const char *name, Coverage *coverage,
                             RpError *error) {
    PeFile files[ABI_MODULE_COUNT];
    bool is_open[ABI_MODULE_COUNT];
    if (!provider->reached)
        return RP_OK;
    const ReachedFile *file = ReachedRecord_Whole(provider->reached);
    if (!file)
        return RpError_Set(error, RP_IO, RP_NOWHERE, "what a host has reached is lost",
                           provider->directory, "the file of each host", "");
    RpStatus status = OpenFiles(provider, files, is_open, error);
    CoverageSide *side = NULL;
    if (!status) {
        side = Coverage_AddSide(coverage, name, file->bytes);
        status = side ? RP_OK : NoMemory(error);
    }
    for (int i = 0; i < ABI_MODULE_COUNT && !status; i++)
        if (files[i].image_size != file->bytes[i])
            status = RpError_Set(error, RP_INVALID, RP_NOWHERE, "the file has changed meanwhile",
                                 AbiModule_File((AbiModule)i), "", "");
    /* Of an original everything counts, whatever the names in it are. */
    Symbols symbols[ABI_MODULE_COUNT] = {{.list = NULL}};
    for (int i = 0; i < ABI_MODULE_COUNT && !status; i++)
        if (provider->files[i] == PROVIDER_STANDIN || provider->files[i] == PROVIDER_REPLACEMENT)
            status = Symbols_Read(&files[i], &symbols[i], error);
    const uint8_t *marks = file->marks;
    for (int i = 0; i < ABI_MODULE_COUNT && !status; i++) {
        memcpy(side->marks[i], marks, file->bytes[i]);
        marks += file->bytes[i];
    }
    for (uint32_t i = 0; i < file->entry_count && !status; i++) {
        if (file->entries[i].row < abi_function_count)
            status = AddEntry(side, &file->entries[i], files, symbols, error);
    }
    if (!status) {
        /* The instructions of the blocks that were not reached are kept, too. */
        size_t count;
        CoverageGap *gaps = Coverage_Gaps(side, false, &count);
        bool good = gaps != NULL;
        for (size_t i = 0; i < count && good; i++) {
            const FlowBlock block = {.rva = gaps[i].rva, .size = gaps[i].size};
            RpBuffer lines;
            RpBuffer_Init(&lines, NULL);
            Flow_Text(&files[gaps[i].module], &block, &lines);
            RpBuffer_Append(&lines, "", 1);
            good = !lines.failed &&
                   Coverage_AddText(side, &(CoverageText){gaps[i].module, gaps[i].rva, gaps[i].size,
                                                          (char *)lines.bytes});
            RpBuffer_Free(&lines);
        }
        free(gaps);
        status = good ? RP_OK : NoMemory(error);
    }
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        Symbols_Free(&symbols[i]);
    CloseFiles(files, is_open);
    return status;
}
