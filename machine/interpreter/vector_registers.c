#include "machine/interpreter/vector_registers.h"

#include <string.h>

void Vectors_SetTop(MachineVectors *vectors, unsigned top) {
    uint8_t old[8][16];
    const unsigned moved = top - Vectors_Top(vectors);
    memcpy(old, vectors->st, sizeof old);
    for (unsigned i = 0; i < 8; i++)
        memcpy(vectors->st[i], old[(i + moved) & 7u], sizeof old[0]);
    vectors->status = (uint16_t)((vectors->status & ~0x3800u) | (top & 7u) << 11);
}

void Vectors_Summarise(MachineVectors *vectors) {
    const bool pending = (vectors->status & ~vectors->control & X87_EXCEPTIONS) != 0;
    vectors->status = (uint16_t)((vectors->status & ~X87_SUMMARY) | (pending ? X87_SUMMARY : 0u));
}

uint32_t Step_FloatCode(unsigned flags, bool stack) {
    if (flags & X87_INVALID)
        return stack ? MACHINE_FLOAT_STACK : MACHINE_FLOAT_INVALID;
    if (flags & X87_DIVIDE)
        return MACHINE_FLOAT_DIVIDE;
    if (flags & X87_DENORMAL)
        return MACHINE_FLOAT_DENORMAL;
    if (flags & X87_OVERFLOW)
        return MACHINE_FLOAT_OVERFLOW;
    return flags & X87_UNDERFLOW ? MACHINE_FLOAT_UNDERFLOW : MACHINE_FLOAT_INEXACT;
}

bool Step_Wait(Step *step) {
    const MachineVectors *vectors = &step->registers->vectors;
    const unsigned pending = vectors->status & ~vectors->control & X87_EXCEPTIONS;
    if (pending == 0)
        return true;
    return Step_Raise(step, Step_FloatCode(pending, vectors->status & X87_STACK));
}

uint32_t Step_MxcsrMask(const Step *step) {
    return step->context->profile->features & MACHINE_HAS_SSE2 ? 0xFFFFu : 0xFFBFu;
}

static const ZydisDecodedOperand *Operand(const Step *step, unsigned operand) {
    return &step->decoded->operands[operand];
}

static ZydisRegisterClass Class(const Step *step, unsigned operand) {
    const ZydisDecodedOperand *of = Operand(step, operand);
    return of->type == ZYDIS_OPERAND_TYPE_REGISTER ? ZydisRegisterGetClass(of->reg.value)
                                                   : ZYDIS_REGCLASS_INVALID;
}

bool Step_IsMmx(const Step *step, unsigned operand) {
    return Class(step, operand) == ZYDIS_REGCLASS_MMX;
}

bool Step_IsXmm(const Step *step, unsigned operand) {
    return Class(step, operand) == ZYDIS_REGCLASS_XMM;
}

bool Step_IsMemory(const Step *step, unsigned operand) {
    return Operand(step, operand)->type == ZYDIS_OPERAND_TYPE_MEMORY;
}

unsigned Step_Number(const Step *step, unsigned operand) {
    return (unsigned)ZydisRegisterGetId(Operand(step, operand)->reg.value) & 7u;
}

bool Step_Fetch(Step *step, unsigned operand, bool anywhere, Lanes *to) {
    const MachineVectors *vectors = &step->registers->vectors;
    memset(to, 0, sizeof *to);
    if (Step_IsMemory(step, operand)) {
        const uint32_t address = Step_Address(step, Operand(step, operand));
        const uint32_t size = Operand(step, operand)->size / 8u;
        if (size > sizeof *to)
            return Step_Raise(step, MACHINE_ILLEGAL);
        if (size == 16 && !anywhere && address % 16 != 0)
            return Step_Raise(step, MACHINE_ACCESS_VIOLATION);
        return Step_Load(step, address, to, size);
    }
    const unsigned number = Step_Number(step, operand);
    if (Step_IsXmm(step, operand))
        memcpy(to, vectors->xmm[number], 16);
    else if (Step_IsMmx(step, operand))
        memcpy(to, vectors->st[(number - Vectors_Top(vectors)) & 7u], 8);
    else
        to->d[0] = step->registers->general[number];
    return true;
}

bool Step_Put(Step *step, unsigned operand, bool anywhere, const Lanes *from, uint32_t size) {
    if (Step_IsMemory(step, operand)) {
        const uint32_t address = Step_Address(step, Operand(step, operand));
        if (size == 16 && !anywhere && address % 16 != 0)
            return Step_Raise(step, MACHINE_ACCESS_VIOLATION);
        return Step_Store(step, address, from, size);
    }
    if (Step_IsXmm(step, operand))
        memcpy(step->registers->vectors.xmm[Step_Number(step, operand)], from, size);
    else
        step->registers->general[Step_Number(step, operand)] = from->d[0];
    return true;
}

void Mmx_Enter(MachineVectors *vectors) {
    Vectors_SetTop(vectors, 0);
    vectors->tags = 0xFF;
}

void Mmx_Write(MachineVectors *vectors, unsigned number, uint64_t value) {
    memcpy(vectors->st[number], &value, sizeof value);
    vectors->st[number][8] = vectors->st[number][9] = 0xFF;
}

bool Step_StoreMasked(Step *step, const Lanes *bytes, const Lanes *mask, uint32_t size) {
    /* The segment, which can be overridden, is that of the operand that the decoder adds for the
     * memory. */
    uint32_t address = step->registers->general[MACHINE_EDI];
    for (unsigned i = 0; i < step->decoded->instruction.operand_count; i++)
        if (Step_IsMemory(step, i))
            address = Step_Address(step, Operand(step, i));
    for (uint32_t i = 0; i < size; i++)
        if (mask->b[i] & 0x80u && !Step_CanStore(step, address + i, 1))
            return Step_Store(step, address + i, &bytes->b[i], 1);
    for (uint32_t i = 0; i < size; i++)
        if (mask->b[i] & 0x80u && !Step_Store(step, address + i, &bytes->b[i], 1))
            return false;
    return true;
}
