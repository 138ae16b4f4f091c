#include "replay/coverage/reached_blocks.h"

#include "machine/coverage/flow.h"
#include "machine/coverage/symbols.h"
#include "replay/coverage/exclusion.h"

#include <stdlib.h>
#include <string.h>

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

RpStatus ReachedBlocks_Add(Coverage *coverage, const char *name, const ReachedFile *reached,
                           const PeFile files[ABI_MODULE_COUNT],
                           const bool is_ours[ABI_MODULE_COUNT], RpError *error) {
    Symbols symbols[ABI_MODULE_COUNT] = {{.list = NULL}};
    CoverageSide *side = Coverage_AddSide(coverage, name, reached->bytes);
    RpStatus status = side ? RP_OK : NoMemory(error);
    const uint8_t *marks = reached->marks;
    for (int i = 0; i < ABI_MODULE_COUNT && !status; i++) {
        if (files[i].image_size != reached->bytes[i])
            status = RpError_Set(error, RP_INVALID, RP_NOWHERE, "the file has changed meanwhile",
                                 AbiModule_File((AbiModule)i), "", "");
        else if (is_ours[i]) /* of an original everything counts, whatever the names in it are */
            status = Symbols_Read(&files[i], &symbols[i], error);
        if (!status)
            memcpy(side->marks[i], marks, reached->bytes[i]);
        marks += reached->bytes[i];
    }
    for (uint32_t i = 0; i < reached->entry_count && !status; i++)
        if (reached->entries[i].row < abi_function_count)
            status = AddEntry(side, &reached->entries[i], files, symbols, error);
    if (!status) {
        /* The instructions of the blocks that were not reached are kept. */
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
    return status;
}
