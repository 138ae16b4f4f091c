#include "machine/lifting/path.h"

#include <Zydis/Zydis.h>

#include <stdio.h>
#include <stdlib.h>

const LiftOutput *LiftPath_OutputAt(const LiftPath *path, const LiftOutput *place) {
    for (uint32_t i = 0; i < path->output_count; i++) {
        const LiftOutput *output = &path->outputs[i];
        if (output->place == place->place && output->region == place->region &&
            output->offset == place->offset)
            return output;
    }
    return NULL;
}

void LiftPath_Free(LiftPath *path) {
    if (!path)
        return;
    free((void *)(uintptr_t)path->conditions);
    free((void *)(uintptr_t)path->outputs);
    free((void *)(uintptr_t)path->steps);
    free((void *)(uintptr_t)path->made);
    free((void *)(uintptr_t)path->reads);
    free((void *)(uintptr_t)path->writes);
    free(path);
}

void LiftStep_Text(const LiftStep *step, char *text, size_t size) {
    ZydisDecoder decoder;
    ZydisFormatter formatter;
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
    ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
    ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_FORCE_SIZE, ZYAN_TRUE);
    if (!ZYAN_SUCCESS(
            ZydisDecoderDecodeFull(&decoder, step->bytes, step->size, &instruction, operands)) ||
        !ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter, &instruction, operands,
                                                      instruction.operand_count_visible, text, size,
                                                      step->address, NULL)))
        snprintf(text, size, "?");
}
