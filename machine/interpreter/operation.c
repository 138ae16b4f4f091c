#include "machine/interpreter/operation.h"

static uint32_t MaskOf(uint32_t size) {
    return size >= 4 ? 0xFFFFFFFFu : (1u << size * 8) - 1;
}

static Place RegisterPlace(ZydisRegister number, uint32_t size) {
    Place place = {.kind = PLACE_REGISTER, .size = (uint8_t)size, .mask = MaskOf(size)};
    if (number >= ZYDIS_REGISTER_EAX && number <= ZYDIS_REGISTER_EDI) {
        place.number = (uint8_t)(number - ZYDIS_REGISTER_EAX);
    } else if (number >= ZYDIS_REGISTER_AX && number <= ZYDIS_REGISTER_DI) {
        place.number = (uint8_t)(number - ZYDIS_REGISTER_AX);
    } else if (number >= ZYDIS_REGISTER_AL && number <= ZYDIS_REGISTER_BH) {
        place.number = (number - ZYDIS_REGISTER_AL) & 3;
        place.shift = number >= ZYDIS_REGISTER_AH ? 8 : 0;
    } else if (number >= ZYDIS_REGISTER_ES && number <= ZYDIS_REGISTER_GS) {
        place.kind = PLACE_SEGMENT;
        place.number = (uint8_t)(number - ZYDIS_REGISTER_ES);
    } else {
        place.kind = PLACE_OTHER;
    }
    return place;
}

void Operation_Fill(Operation *operation, const ZydisDecodedInstruction *instruction,
                    const ZydisDecodedOperand *operands, uint32_t address) {
    bool narrow = instruction->address_width == 16;
    Decoded *decoded = operation->decoded;
    *operation = (Operation){.decoded = decoded,
                             .address = address,
                             .end = address + instruction->length,
                             .address_mask = narrow ? 0xFFFF : 0xFFFFFFFFu,
                             .condition = instruction->opcode & 15,
                             .fs = instruction->attributes & ZYDIS_ATTRIB_HAS_SEGMENT_FS};
    for (uint32_t i = 0; i < instruction->raw.prefix_count; i++) {
        uint8_t prefix = instruction->raw.prefixes[i].value;
        if (prefix == 0xF2 || prefix == 0xF3)
            operation->repeat = prefix;
    }

    Place *places[] = {&operation->first, &operation->second, &operation->third};
    uint32_t immediates = 0;
    for (uint32_t i = 0; i < instruction->operand_count_visible && i < 3; i++) {
        const ZydisDecodedOperand *operand = &operands[i];
        uint32_t size = operand->size / 8u;
        if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER) {
            *places[i] = RegisterPlace(operand->reg.value, size);
        } else if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY) {
            *places[i] = (Place){.kind = PLACE_MEMORY, .size = (uint8_t)size, .mask = MaskOf(size)};

            ZydisRegister first = narrow ? ZYDIS_REGISTER_AX : ZYDIS_REGISTER_EAX;
            if (operand->mem.base != ZYDIS_REGISTER_NONE) {
                operation->base = (operand->mem.base - first) & 7;
                operation->base_mask = 0xFFFFFFFFu;
            }
            if (operand->mem.index != ZYDIS_REGISTER_NONE) {
                operation->index = (operand->mem.index - first) & 7;
                operation->index_mask = 0xFFFFFFFFu;
                operation->scale = (uint8_t)(operand->mem.scale == 8 ? 3 : operand->mem.scale / 2);
            }
            operation->displacement =
                operand->mem.disp.has_displacement ? (uint32_t)operand->mem.disp.value : 0;
            operation->fs = operand->mem.segment == ZYDIS_REGISTER_FS;
        } else if (operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
            uint32_t value = (uint32_t)operand->imm.value.u;
            /* With the operand-size prefix, processors cut the jump's target to 16 bits. */
            if (operand->imm.is_relative)
                value = (operation->end + value) & MaskOf(instruction->operand_width / 8u);
            *places[i] =
                (Place){.kind = PLACE_IMMEDIATE, .size = (uint8_t)size, .mask = 0xFFFFFFFFu};
            if (immediates++ == 0)
                operation->immediate = value;
            else
                operation->second_immediate = value;
        } else {
            places[i]->kind = PLACE_OTHER;
        }
    }

    /* String and stack instructions have no operand that gives their size. */
    uint32_t width = instruction->operand_width;
    bool stated = operation->first.kind == PLACE_REGISTER || operation->first.kind == PLACE_MEMORY;
    operation->size = stated ? operation->first.size : (uint8_t)(width / 8);
    operation->sign = MaskOf(operation->size) - MaskOf(operation->size) / 2;
    if (!stated)
        operation->first.mask = MaskOf(operation->size);
}
