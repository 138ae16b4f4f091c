/* SSE and SSE2, except for their arithmetic. */
#include "machine/interpreter/sse_float.h"
#include "ngi32/processor/estimates.h"

#include <string.h>

static uint32_t Estimate(const Step *step, bool root, uint32_t bits) {
    const RpEstimates maker = step->context->profile->estimates;
#if SSE_IS_NATIVE
    if (maker == RP_ESTIMATES_OF_THIS)
        return root ? SseNative_ReciprocalSquareRoot(bits) : SseNative_Reciprocal(bits);
#endif
    return root ? Estimates_ReciprocalSquareRoot(maker, bits) : Estimates_Reciprocal(maker, bits);
}

/* Executes instructions that have no result in a vector register. Returns true if this was one;
 * `end` then says how it went. */
static bool IsSpecial(Step *step, StepEnd *end) {
    MachineVectors *vectors = &step->registers->vectors;
    Lanes a, b;
    *end = STEP_FAULT;
    switch (step->decoded->instruction.mnemonic) {
    case ZYDIS_MNEMONIC_PREFETCHNTA:
    case ZYDIS_MNEMONIC_PREFETCHT0:
    case ZYDIS_MNEMONIC_PREFETCHT1:
    case ZYDIS_MNEMONIC_PREFETCHT2:
    case ZYDIS_MNEMONIC_SFENCE:
    case ZYDIS_MNEMONIC_LFENCE:
    case ZYDIS_MNEMONIC_MFENCE:
    case ZYDIS_MNEMONIC_PAUSE:
        *end = STEP_DONE;
        return true;
    case ZYDIS_MNEMONIC_CLFLUSH: { /* it faults as a load of one byte does */
        uint8_t byte;
        const uint32_t address = Step_Address(step, &step->decoded->operands[0]);
        if (Step_Load(step, address, &byte, 1))
            *end = STEP_DONE;
        return true;
    }
    case ZYDIS_MNEMONIC_LDMXCSR: {
        if (!Step_Fetch(step, 0, true, &a))
            return true;
        if (a.d[0] & ~Step_MxcsrMask(step)) {
            (void)Step_Raise(step, MACHINE_ACCESS_VIOLATION);
            return true;
        }
        vectors->mxcsr = a.d[0];
        *end = STEP_DONE;
        return true;
    }
    case ZYDIS_MNEMONIC_STMXCSR:
        a = (Lanes){.d = {vectors->mxcsr}};
        if (Step_Put(step, 0, true, &a, 4))
            *end = STEP_DONE;
        return true;
    case ZYDIS_MNEMONIC_MOVNTI:
        if (Step_Fetch(step, 1, true, &a) && Step_Put(step, 0, true, &a, 4))
            *end = STEP_DONE;
        return true;
    case ZYDIS_MNEMONIC_MASKMOVDQU:
        if (Step_Fetch(step, 0, true, &a) && Step_Fetch(step, 1, true, &b) &&
            Step_StoreMasked(step, &a, &b, 16))
            *end = STEP_DONE;
        return true;
    default:
        return false;
    }
}

/* Returns whether the instruction only moves. `a` is the destination, and becomes what is written
 * to it. If the destination is in memory, its size says how much of the lower part is written. */
static bool IsMove(const Step *step, Lanes *a, const Lanes *b, unsigned selector,
                   uint32_t *written) {
    const bool between_registers = Step_IsXmm(step, 0) && Step_IsXmm(step, 1);
    *written = 16;
    switch (step->decoded->instruction.mnemonic) {
    case ZYDIS_MNEMONIC_MOVAPS:
    case ZYDIS_MNEMONIC_MOVUPS:
    case ZYDIS_MNEMONIC_MOVAPD:
    case ZYDIS_MNEMONIC_MOVUPD:
    case ZYDIS_MNEMONIC_MOVDQA:
    case ZYDIS_MNEMONIC_MOVDQU:
    case ZYDIS_MNEMONIC_MOVNTPS:
    case ZYDIS_MNEMONIC_MOVNTPD:
    case ZYDIS_MNEMONIC_MOVNTDQ:
        *a = *b;
        return true;
    case ZYDIS_MNEMONIC_MOVSS:
        *a = *b;
        if (between_registers || Step_IsMemory(step, 0))
            *written = 4;
        return true;
    case ZYDIS_MNEMONIC_MOVSD:
        *a = *b;
        if (between_registers || Step_IsMemory(step, 0))
            *written = 8;
        return true;
    case ZYDIS_MNEMONIC_MOVQ:
    case ZYDIS_MNEMONIC_MOVQ2DQ:
    case ZYDIS_MNEMONIC_MOVDQ2Q:
        *a = (Lanes){.q = {b->q[0], 0}};
        if (Step_IsMemory(step, 0))
            *written = 8;
        return true;
    case ZYDIS_MNEMONIC_MOVD:
        *a = (Lanes){.d = {b->d[0]}};
        if (!Step_IsXmm(step, 0))
            *written = 4;
        return true;
    case ZYDIS_MNEMONIC_MOVLPS:
    case ZYDIS_MNEMONIC_MOVLPD:
        a->q[0] = b->q[0];
        *written = 8;
        return true;
    case ZYDIS_MNEMONIC_MOVHPS:
    case ZYDIS_MNEMONIC_MOVHPD:
        if (Step_IsMemory(step, 0)) {
            a->q[0] = b->q[1];
            *written = 8;
        } else {
            a->q[1] = b->q[0];
        }
        return true;
    case ZYDIS_MNEMONIC_MOVHLPS:
        a->q[0] = b->q[1];
        return true;
    case ZYDIS_MNEMONIC_MOVLHPS:
        a->q[1] = b->q[0];
        return true;
    case ZYDIS_MNEMONIC_PINSRW:
        a->w[selector & 7u] = b->w[0];
        return true;
    case ZYDIS_MNEMONIC_PEXTRW:
        a->d[0] = b->w[selector & 7u];
        return true;
    case ZYDIS_MNEMONIC_MOVMSKPS:
        a->d[0] = b->d[0] >> 31 | b->d[1] >> 31 << 1 | b->d[2] >> 31 << 2 | b->d[3] >> 31 << 3;
        return true;
    case ZYDIS_MNEMONIC_MOVMSKPD:
        a->d[0] = b->d[1] >> 31 | b->d[3] >> 31 << 1;
        return true;
    case ZYDIS_MNEMONIC_PMOVMSKB:
        a->d[0] = 0;
        for (unsigned i = 0; i < 16; i++)
            a->d[0] |= (uint32_t)(b->b[i] >> 7) << i;
        return true;
    default:
        return false;
    }
}

static bool IsEstimate(const Step *step, Lanes *a, const Lanes *b) {
    const ZydisMnemonic mnemonic = step->decoded->instruction.mnemonic;
    const bool root = mnemonic == ZYDIS_MNEMONIC_RSQRTPS || mnemonic == ZYDIS_MNEMONIC_RSQRTSS;
    const bool scalar = mnemonic == ZYDIS_MNEMONIC_RCPSS || mnemonic == ZYDIS_MNEMONIC_RSQRTSS;
    if (!root && !scalar && mnemonic != ZYDIS_MNEMONIC_RCPPS)
        return false;
    for (unsigned i = 0; i < (scalar ? 1u : 4u); i++)
        a->d[i] = Estimate(step, root, b->d[i]);
    return true;
}

/* Executes arithmetic, comparisons and conversions, and raises their exceptions. */
static StepEnd Calculate(Step *step, Lanes *a, const Lanes *b, unsigned selector) {
    const ZydisMnemonic mnemonic = step->decoded->instruction.mnemonic;
    MachineVectors *vectors = &step->registers->vectors;
    uint32_t mxcsr = vectors->mxcsr & ~X87_EXCEPTIONS;
    bool known = false;
#if SSE_IS_NATIVE
    known = (mxcsr & MXCSR_MASKS) == MXCSR_MASKS && SseNative_Execute(mnemonic, a, b, &mxcsr);
#endif
    if (!known && !SseSoft_Execute(mnemonic, selector, a, b, &mxcsr))
        return STEP_UNKNOWN;
    const unsigned raised = mxcsr & X87_EXCEPTIONS;
    const unsigned unmasked = raised & ~(mxcsr >> 7);
    vectors->mxcsr |= raised;
    if (unmasked == 0)
        return STEP_DONE;
    (void)Step_Raise(step, MACHINE_FLOAT_TRAPS);
    return STEP_FAULT;
}

StepEnd Step_Sse(Step *step) {
    const ZydisDecodedInstruction *instruction = &step->decoded->instruction;
    const ZydisDecodedOperand *operands = step->decoded->operands;
    const ZydisMnemonic mnemonic = instruction->mnemonic;
    MachineVectors *vectors = &step->registers->vectors;
    const unsigned count = instruction->operand_count_visible;
    bool mmx = false, xmm = false;
    for (unsigned i = 0; i < count; i++) {
        mmx = mmx || Step_IsMmx(step, i);
        xmm = xmm || Step_IsXmm(step, i);
    }
    /* The source of these conversions to integers may be in memory. */
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_CVTPS2PI:
    case ZYDIS_MNEMONIC_CVTTPS2PI:
    case ZYDIS_MNEMONIC_CVTPD2PI:
    case ZYDIS_MNEMONIC_CVTTPD2PI:
    case ZYDIS_MNEMONIC_CVTSS2SI:
    case ZYDIS_MNEMONIC_CVTTSS2SI:
    case ZYDIS_MNEMONIC_CVTSD2SI:
    case ZYDIS_MNEMONIC_CVTTSD2SI:
        xmm = true;
        break;
    default:
        break;
    }
    if (instruction->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY || (mmx && !xmm))
        return STEP_UNKNOWN;
    StepEnd end;
    if (IsSpecial(step, &end))
        return end;
    if (!xmm || count < 2)
        return STEP_UNKNOWN;
    if (mmx && !Step_Wait(step))
        return STEP_FAULT;

    /* If the second operand is an immediate, it is the count of a shift. If there is a third one,
     * it is a selector. */
    const bool anywhere = mnemonic == ZYDIS_MNEMONIC_MOVUPS || mnemonic == ZYDIS_MNEMONIC_MOVUPD ||
                          mnemonic == ZYDIS_MNEMONIC_MOVDQU;
    Lanes a = {{0}}, b = {{0}};
    unsigned selector = 0;
    if (count > 2)
        selector = (unsigned)operands[2].imm.value.u & 0xFFu;
    if (operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
        b.q[0] = operands[1].imm.value.u & 0xFFu;
    else if (!Step_Fetch(step, 1, anywhere, &b))
        return STEP_FAULT;
    if (!Step_IsMemory(step, 0) && !Step_Fetch(step, 0, anywhere, &a))
        return STEP_FAULT;

    uint32_t written;
    if (!IsMove(step, &a, &b, selector, &written) && !IsEstimate(step, &a, &b) &&
        !Packed_Execute(mnemonic, &a, &b, selector, 16)) {
        end = Calculate(step, &a, &b, selector);
        if (end != STEP_DONE)
            return end;
        if (mnemonic == ZYDIS_MNEMONIC_COMISS || mnemonic == ZYDIS_MNEMONIC_UCOMISS ||
            mnemonic == ZYDIS_MNEMONIC_COMISD || mnemonic == ZYDIS_MNEMONIC_UCOMISD) {
            const uint32_t cleared =
                MACHINE_OF | MACHINE_SF | MACHINE_AF | MACHINE_ZF | MACHINE_PF | MACHINE_CF;
            step->registers->eflags = (step->registers->eflags & ~cleared) | a.d[0];
            return STEP_DONE;
        }
    }
    if (mmx)
        Mmx_Enter(vectors);
    if (Step_IsMmx(step, 0))
        Mmx_Write(vectors, Step_Number(step, 0), a.q[0]);
    else if (!Step_Put(step, 0, anywhere, &a, written))
        return STEP_FAULT;
    return STEP_DONE;
}
