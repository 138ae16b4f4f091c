#include "replay/coverage/reached_blocks.h"

#include "machine/coverage/flow.h"
#include "machine/coverage/symbols.h"
#include "replay/coverage/exclusion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for the coverage", "", "", "");
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

    /* An entry is one of the places where the code of a function begins. */
    for (uint32_t i = 0; i < reached->entry_count && !status; i++) {
        const ReachedEntry *entry = &reached->entries[i];
        if (entry->row >= abi_function_count)
            continue;
        Flow flow = {.blocks = NULL};
        if (entry->module < ABI_MODULE_COUNT)
            status = Flow_Find(&files[entry->module], entry->rva, &flow, error);
        if (status)
            break;
        CoverageFunction *function = Coverage_Touch(side, &abi_functions[entry->row]);
        bool good = function != NULL;
        for (size_t k = 0; k < flow.count && good; k++) {
            const FlowBlock *block = &flow.blocks[k];
            const Symbol *symbol = Symbols_At(&symbols[entry->module], block->rva);
            const uint32_t excluded =
                symbol ? CoverageExclusion_Of(symbol->name, symbol->source) : 0;
            good =
                Coverage_AddBlock(function, &(CoverageBlock){entry->module, block->rva, block->size,
                                                             block->branch, excluded});
        }
        for (size_t k = 0; k < flow.open_count && good; k++)
            good = Coverage_AddOpen(function, entry->module, flow.open[k]);
        if (function)
            (void)Coverage_SortBlocks(function); /* builds of a slot share what they call */
        Flow_Free(&flow);
        status = good ? RP_OK : NoMemory(error);
    }

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
            CoverageText text = {gaps[i].module, gaps[i].rva, gaps[i].size, (char *)lines.bytes,
                                 ""};
            const Symbol *symbol = Symbols_At(&symbols[gaps[i].module], gaps[i].rva);
            if (symbol)
                snprintf(text.place, sizeof text.place, "%s%s%s", symbol->name,
                         symbol->source[0] ? " in " : "", symbol->source);
            good = !lines.failed && Coverage_AddText(side, &text);
            RpBuffer_Free(&lines);
        }
        free(gaps);
        status = good ? RP_OK : NoMemory(error);
    }
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        Symbols_Free(&symbols[i]);
    return status;
}
