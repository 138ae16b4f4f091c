/* MMX, including what SSE, SSE2 and the Athlon have added to it. */
#include "machine/interpreter/vector_registers.h"

/* Executes instructions that do not work lane by lane. `a` is the first operand, and becomes the
 * result. */
static bool IsMove(ZydisMnemonic mnemonic, Lanes *a, const Lanes *b, unsigned selector) {
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_MOVD:
        a->q[0] = b->d[0];
        return true;
    case ZYDIS_MNEMONIC_MOVQ:
    case ZYDIS_MNEMONIC_MOVNTQ:
        a->q[0] = b->q[0];
        return true;
    case ZYDIS_MNEMONIC_PINSRW:
        a->w[selector & 3u] = b->w[0];
        return true;
    case ZYDIS_MNEMONIC_PEXTRW:
        a->q[0] = b->w[selector & 3u];
        return true;
    case ZYDIS_MNEMONIC_PMOVMSKB:
        a->q[0] = 0;
        for (unsigned i = 0; i < 8; i++)
            a->q[0] |= (uint64_t)(b->b[i] >> 7) << i;
        return true;
    default:
        return false;
    }
}

StepEnd Step_Mmx(Step *step) {
    const ZydisDecodedInstruction *instruction = &step->decoded->instruction;
    const ZydisDecodedOperand *operands = step->decoded->operands;
    const ZydisMnemonic mnemonic = instruction->mnemonic;
    MachineVectors *vectors = &step->registers->vectors;
    const bool ends = mnemonic == ZYDIS_MNEMONIC_EMMS;
    const unsigned count = instruction->operand_count_visible;
    bool mmx = false, xmm = false;
    for (unsigned i = 0; i < count; i++) {
        mmx = mmx || Step_IsMmx(step, i);
        xmm = xmm || Step_IsXmm(step, i);
    }
    if (instruction->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY || xmm || !(mmx || ends))
        return STEP_UNKNOWN;
    if (!Step_Wait(step))
        return STEP_FAULT;
    if (ends) {
        Vectors_SetTop(vectors, 0);
        vectors->tags = 0;
        return STEP_DONE;
    }

    /* If the second operand is an immediate, it is the count of a shift. If there is a third one,
     * it is a selector. */
    Lanes a = {{0}}, b = {{0}};
    unsigned selector = 0;
    if (count > 2)
        selector = (unsigned)operands[2].imm.value.u & 0xFFu;
    if (operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
        b.q[0] = operands[1].imm.value.u & 0xFFu;
    else if (!Step_Fetch(step, 1, true, &b))
        return STEP_FAULT;
    if (!Step_IsMemory(step, 0) && !Step_Fetch(step, 0, true, &a))
        return STEP_FAULT;

    if (mnemonic == ZYDIS_MNEMONIC_MASKMOVQ) {
        if (!Step_StoreMasked(step, &a, &b, 8))
            return STEP_FAULT;
        Mmx_Enter(vectors);
        return STEP_DONE;
    }
    if (!IsMove(mnemonic, &a, &b, selector) && !Packed_Execute(mnemonic, &a, &b, selector, 8))
        return STEP_UNKNOWN;
    if (Step_IsMmx(step, 0)) {
        Mmx_Enter(vectors);
        Mmx_Write(vectors, Step_Number(step, 0), a.q[0]);
    } else {
        if (!Step_Put(step, 0, true, &a, operands[0].size / 8u))
            return STEP_FAULT;
        Mmx_Enter(vectors);
    }
    return STEP_DONE;
}
