#include "game/probe/decode.h"

#include <string.h>

/* Zydis 3 (Ubuntu 22.04) has the operands inside of the instruction. Its version macro cannot be
 * used in #if. */
#ifdef ZYDIS_MAX_OPERAND_COUNT_VISIBLE
#define STACK_WIDTH_32 ZYDIS_STACK_WIDTH_32
static ZyanStatus Decode(const ZydisDecoder *decoder, const uint8_t *code, uint32_t size,
                         ZydisDecodedInstruction *decoded, ZydisDecodedOperand *operands) {
    return ZydisDecoderDecodeFull(decoder, code, size, decoded, operands);
}
#else
#define STACK_WIDTH_32 ZYDIS_ADDRESS_WIDTH_32
static ZyanStatus Decode(const ZydisDecoder *decoder, const uint8_t *code, uint32_t size,
                         ZydisDecodedInstruction *decoded, ZydisDecodedOperand *operands) {
    ZyanStatus status = ZydisDecoderDecodeBuffer(decoder, code, size, decoded);
    memcpy(operands, decoded->operands, sizeof decoded->operands);
    return status;
}
#endif

bool ProbeInstruction_Decode(const PeFile *file, uint32_t rva, ProbeInstruction *instruction) {
    ZydisDecoder decoder;
    ZydisDecodedInstruction decoded;

    /* The code at the address, as much of it as one instruction can have. */
    const PeSection *section = Pe_SectionAt(file, rva);
    if (!section || !(section->characteristics & PE_SECTION_EXECUTABLE))
        return false;
    uint32_t inside = rva - section->rva;
    uint32_t data = section->file_size;
    if (section->virtual_size && section->virtual_size < data)
        data = section->virtual_size;
    if (inside >= data)
        return false;
    uint32_t size =
        data - inside < ZYDIS_MAX_INSTRUCTION_LENGTH ? data - inside : ZYDIS_MAX_INSTRUCTION_LENGTH;
    const uint8_t *code = Pe_At(file, rva, size);
    if (!code)
        return false;

    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LEGACY_32, STACK_WIDTH_32);
    if (!ZYAN_SUCCESS(Decode(&decoder, code, size, &decoded, instruction->operands)))
        return false;
    instruction->rva = rva;
    instruction->length = decoded.length;
    instruction->operand_count = decoded.operand_count;
    instruction->mnemonic = decoded.mnemonic;
    instruction->extension = decoded.meta.isa_ext;
    instruction->relative = (decoded.attributes & ZYDIS_ATTRIB_IS_RELATIVE) != 0;
    instruction->target = rva + decoded.length + (uint32_t)decoded.raw.imm[0].value.s;
    return true;
}

const char *ProbeInstruction_Name(const ProbeInstruction *instruction) {
    return ZydisMnemonicGetString(instruction->mnemonic);
}

bool ProbeInstruction_UsesXmm(const ProbeInstruction *instruction) {
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
            ZydisRegisterGetClass(instruction->operands[i].reg.value) == ZYDIS_REGCLASS_XMM)
            return true;
    return false;
}

int ProbeRegister_Index(ZydisRegister name) {
    if (name == ZYDIS_REGISTER_NONE)
        return -1;
    ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LEGACY_32, name);
    return whole >= ZYDIS_REGISTER_EAX && whole <= ZYDIS_REGISTER_EDI
               ? (int)(whole - ZYDIS_REGISTER_EAX)
               : -1;
}

uint32_t ProbeOperand_Address(const PeFile *file, const ZydisDecodedOperand *operand) {
    uint32_t address = 0;
    if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY)
        address = (uint32_t)operand->mem.disp.value;
    else if (operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
        address = (uint32_t)operand->imm.value.u;
    address -= file->image_base;
    return address < file->image_size ? address : 0;
}
