/* Instructions of SSE, and those of SSE2 that move, convert or compute with binary64. */
#include "machine/lifting/lift_state.h"

#include <string.h>

enum { MXCSR_MASKS = 0x1F80, MXCSR_FLAG_BITS = 6, XMM_BYTES = 16 };

/* The bytes of a register or of an operand in memory, and the numbers that they are. */
typedef struct Vector {
    LiftByte bytes[XMM_BYTES];
    uint8_t numbers[XMM_BYTES];
} Vector;

static bool IsXmm(const Lifter *lifter, uint32_t index) {
    const ZydisDecodedOperand *operand = &lifter->operands[index];
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           operand->reg.value >= ZYDIS_REGISTER_XMM0 && operand->reg.value <= ZYDIS_REGISTER_XMM7;
}

static bool IsMemory(const Lifter *lifter, uint32_t index) {
    return lifter->operands[index].type == ZYDIS_OPERAND_TYPE_MEMORY;
}

static uint32_t Xmm(const Lifter *lifter, uint32_t index) {
    return (uint32_t)(lifter->operands[index].reg.value - ZYDIS_REGISTER_XMM0);
}

/* Reads an operand. What it does not fill is zero. */
static bool Read(Lifter *lifter, uint32_t index, Vector *vector) {
    const ZydisDecodedOperand *operand = &lifter->operands[index];
    memset(vector->numbers, 0, sizeof vector->numbers);
    Lift_Split(vector->bytes, XMM_BYTES, Expression_Constant(lifter->graph, 8, 0), 0);
    for (uint32_t i = 0; i < XMM_BYTES; i++)
        vector->bytes[i].number = 0;
    if (IsXmm(lifter, index)) {
        memcpy(vector->bytes, lifter->xmm[Xmm(lifter, index)], sizeof vector->bytes);
        memcpy(vector->numbers, lifter->context.registers.vectors.xmm[Xmm(lifter, index)],
               sizeof vector->numbers);
        return true;
    }
    if (IsMemory(lifter, index)) {
        const uint32_t size = operand->size / 8u;
        for (uint32_t from = 0; from < size; from += 4) {
            const uint32_t part = size - from < 4 ? size - from : 4;
            ExpressionValue number;
            const Expression *loaded = Lift_LoadOperand(lifter, operand, from, part, &number);
            if (!loaded)
                return false;
            Lift_Split(&vector->bytes[from], part, loaded, 0);
            for (uint32_t i = 0; i < part; i++)
                vector->numbers[from + i] = (uint8_t)(number.low >> 8 * i);
        }
        return true;
    }
    if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->reg.value >= ZYDIS_REGISTER_EAX &&
        operand->reg.value <= ZYDIS_REGISTER_EDI) {
        uint64_t number;
        Lift_Split(vector->bytes, 4, Lift_GetRegister(lifter, operand->reg.value, &number), 0);
        memcpy(vector->numbers, &number, 4);
        return true;
    }
    return Lift_Refuse(lifter, "its operand has no model");
}

/* Writes `size` bytes of an operand. The others of an XMM register stay. */
static LiftResult Write(Lifter *lifter, uint32_t index, const Vector *vector, uint32_t size) {
    const ZydisDecodedOperand *operand = &lifter->operands[index];
    if (IsXmm(lifter, index)) {
        memcpy(lifter->xmm[Xmm(lifter, index)], vector->bytes, size * sizeof *vector->bytes);
        return LIFT_DONE;
    }
    if (IsMemory(lifter, index)) {
        for (uint32_t from = 0; from < size; from += 4) {
            const uint32_t part = size - from < 4 ? size - from : 4;
            if (!Lift_StoreOperand(lifter, operand, from, part,
                                   Lift_Join(lifter, &vector->bytes[from], part)))
                return LIFT_STOPPED;
        }
        return LIFT_DONE;
    }
    Lift_PutRegister(lifter, operand->reg.value, Lift_Join(lifter, vector->bytes, 4));
    return LIFT_DONE;
}

static const Expression *Lane(Lifter *lifter, const Vector *vector, uint32_t lane, uint32_t size) {
    return Lift_Join(lifter, &vector->bytes[lane * size], size);
}

static ExpressionValue NumberOf(const Vector *vector, uint32_t size) {
    ExpressionValue number = {0, 0};
    memcpy(&number.low, vector->numbers, size);
    return number;
}

static void SetLane(Vector *vector, uint32_t lane, uint32_t size, const Expression *expression) {
    Lift_Split(&vector->bytes[lane * size], size, expression, 0);
}

static void CopyBytes(Vector *to, uint32_t at, const Vector *from, uint32_t start, uint32_t size) {
    memmove(&to->bytes[at], &from->bytes[start], size * sizeof *to->bytes);
}

static uint32_t Selector(const Lifter *lifter) {
    return (uint32_t)lifter->operands[2].imm.value.u & 0xFF;
}

/* Takes lanes of both operands by turns: those of the low halves, or of the high ones. Returns
 * false if the instruction is none of these. */
static bool DoUnpack(const Lifter *lifter, Vector *a, const Vector *b) {
    static const struct {
        ZydisMnemonic mnemonic;
        uint8_t size, from;
    } rows[] = {{ZYDIS_MNEMONIC_UNPCKLPS, 4, 0},   {ZYDIS_MNEMONIC_UNPCKHPS, 4, 8},
                {ZYDIS_MNEMONIC_UNPCKLPD, 8, 0},   {ZYDIS_MNEMONIC_UNPCKHPD, 8, 8},
                {ZYDIS_MNEMONIC_PUNPCKLBW, 1, 0},  {ZYDIS_MNEMONIC_PUNPCKHBW, 1, 8},
                {ZYDIS_MNEMONIC_PUNPCKLWD, 2, 0},  {ZYDIS_MNEMONIC_PUNPCKHWD, 2, 8},
                {ZYDIS_MNEMONIC_PUNPCKLDQ, 4, 0},  {ZYDIS_MNEMONIC_PUNPCKHDQ, 4, 8},
                {ZYDIS_MNEMONIC_PUNPCKLQDQ, 8, 0}, {ZYDIS_MNEMONIC_PUNPCKHQDQ, 8, 8}};
    const Vector before = *a;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].mnemonic != lifter->instruction->mnemonic)
            continue;
        const uint32_t size = rows[i].size;
        for (uint32_t at = 0; at < XMM_BYTES / 2; at += size) {
            CopyBytes(a, 2 * at, &before, rows[i].from + at, size);
            CopyBytes(a, 2 * at + size, b, rows[i].from + at, size);
        }
        return true;
    }
    return false;
}

/* Moves and shuffles. `a` is the destination, and becomes what is written to it; *written is how
 * many bytes of it are. Returns false if the instruction is none of these. */
static bool DoMove(Lifter *lifter, Vector *a, const Vector *b, uint32_t *written) {
    const bool between = IsXmm(lifter, 0) && IsXmm(lifter, 1);
    const Vector before = *a;
    *written = 16;
    switch (lifter->instruction->mnemonic) {
    case ZYDIS_MNEMONIC_MOVAPS:
    case ZYDIS_MNEMONIC_MOVUPS:
    case ZYDIS_MNEMONIC_MOVAPD:
    case ZYDIS_MNEMONIC_MOVUPD:
    case ZYDIS_MNEMONIC_MOVDQA:
    case ZYDIS_MNEMONIC_MOVDQU:
    case ZYDIS_MNEMONIC_MOVNTPS:
        *a = *b;
        return true;
    case ZYDIS_MNEMONIC_MOVSS:
        *a = *b;
        if (between || IsMemory(lifter, 0))
            *written = 4;
        return true;
    case ZYDIS_MNEMONIC_MOVSD:
        *a = *b;
        if (between || IsMemory(lifter, 0))
            *written = 8;
        return true;
    case ZYDIS_MNEMONIC_MOVD:
        *a = *b;
        if (IsXmm(lifter, 0)) /* what a source of four bytes does not fill is zero */
            return true;
        *written = 4;
        return true;
    case ZYDIS_MNEMONIC_MOVQ: {
        const Expression *zero = Expression_Constant(lifter->graph, 8, 0);
        *a = *b;
        for (uint32_t i = 8; i < XMM_BYTES; i++)
            a->bytes[i] = (LiftByte){zero, 0};
        if (IsMemory(lifter, 0))
            *written = 8;
        return true;
    }
    case ZYDIS_MNEMONIC_MOVLPS:
    case ZYDIS_MNEMONIC_MOVLPD:
        CopyBytes(a, 0, b, 0, 8);
        *written = 8;
        return true;
    case ZYDIS_MNEMONIC_MOVHPS:
    case ZYDIS_MNEMONIC_MOVHPD:
        if (IsMemory(lifter, 0)) {
            CopyBytes(a, 0, b, 8, 8);
            *written = 8;
        } else {
            CopyBytes(a, 8, b, 0, 8);
        }
        return true;
    case ZYDIS_MNEMONIC_MOVHLPS:
        CopyBytes(a, 0, b, 8, 8);
        return true;
    case ZYDIS_MNEMONIC_MOVLHPS:
        CopyBytes(a, 8, b, 0, 8);
        return true;
    case ZYDIS_MNEMONIC_SHUFPS: {
        const uint32_t selector = Selector(lifter);
        for (uint32_t lane = 0; lane < 4; lane++)
            CopyBytes(a, 4 * lane, lane < 2 ? &before : b, 4 * (selector >> 2 * lane & 3), 4);
        return true;
    }
    case ZYDIS_MNEMONIC_SHUFPD: {
        const uint32_t selector = Selector(lifter);
        CopyBytes(a, 0, &before, selector & 1 ? 8 : 0, 8);
        CopyBytes(a, 8, b, selector & 2 ? 8 : 0, 8);
        return true;
    }
    case ZYDIS_MNEMONIC_PSHUFD: {
        const uint32_t selector = Selector(lifter);
        for (uint32_t lane = 0; lane < 4; lane++)
            CopyBytes(a, 4 * lane, b, 4 * (selector >> 2 * lane & 3), 4);
        return true;
    }
    default:
        return DoUnpack(lifter, a, b);
    }
}

/* AND, OR and XOR of all bytes, in dwords. Returns false if the instruction is none of these. */
static bool DoLogic(Lifter *lifter, Vector *a, const Vector *b) {
    ExpressionOperation operation;
    bool inverts = false;
    switch (lifter->instruction->mnemonic) {
    case ZYDIS_MNEMONIC_ANDPS:
    case ZYDIS_MNEMONIC_ANDPD:
    case ZYDIS_MNEMONIC_PAND:
        operation = EXPRESSION_AND;
        break;
    case ZYDIS_MNEMONIC_ANDNPS:
    case ZYDIS_MNEMONIC_ANDNPD:
    case ZYDIS_MNEMONIC_PANDN:
        operation = EXPRESSION_AND;
        inverts = true;
        break;
    case ZYDIS_MNEMONIC_ORPS:
    case ZYDIS_MNEMONIC_ORPD:
    case ZYDIS_MNEMONIC_POR:
        operation = EXPRESSION_OR;
        break;
    case ZYDIS_MNEMONIC_XORPS:
    case ZYDIS_MNEMONIC_XORPD:
    case ZYDIS_MNEMONIC_PXOR:
        operation = EXPRESSION_XOR;
        break;
    default:
        return false;
    }
    for (uint32_t lane = 0; lane < 4; lane++) {
        const Expression *left = Lane(lifter, a, lane, 4);
        if (inverts)
            left = Expression_Make(lifter->graph, EXPRESSION_XOR, 0, 0, left,
                                   Expression_Constant(lifter->graph, 32, 0xFFFFFFFFu));
        const Expression *made =
            Expression_Make(lifter->graph, operation, 0, 0, left, Lane(lifter, b, lane, 4));
        Lift_Note(lifter, made);
        SetLane(a, lane, 4, made);
    }
    return true;
}

/* What an instruction computes: which operation, on which lanes. */
typedef struct Computation {
    ZydisMnemonic mnemonic;
    ExpressionOperation operation;
    uint8_t size, lanes; /* bytes of a lane; how many */
    bool is_unary;
} Computation;

static const Computation computations[] = {
    {ZYDIS_MNEMONIC_ADDSS, EXPRESSION_SSE_ADD, 4, 1, false},
    {ZYDIS_MNEMONIC_ADDPS, EXPRESSION_SSE_ADD, 4, 4, false},
    {ZYDIS_MNEMONIC_ADDSD, EXPRESSION_SSE_ADD, 8, 1, false},
    {ZYDIS_MNEMONIC_ADDPD, EXPRESSION_SSE_ADD, 8, 2, false},
    {ZYDIS_MNEMONIC_SUBSS, EXPRESSION_SSE_SUB, 4, 1, false},
    {ZYDIS_MNEMONIC_SUBPS, EXPRESSION_SSE_SUB, 4, 4, false},
    {ZYDIS_MNEMONIC_SUBSD, EXPRESSION_SSE_SUB, 8, 1, false},
    {ZYDIS_MNEMONIC_SUBPD, EXPRESSION_SSE_SUB, 8, 2, false},
    {ZYDIS_MNEMONIC_MULSS, EXPRESSION_SSE_MUL, 4, 1, false},
    {ZYDIS_MNEMONIC_MULPS, EXPRESSION_SSE_MUL, 4, 4, false},
    {ZYDIS_MNEMONIC_MULSD, EXPRESSION_SSE_MUL, 8, 1, false},
    {ZYDIS_MNEMONIC_MULPD, EXPRESSION_SSE_MUL, 8, 2, false},
    {ZYDIS_MNEMONIC_DIVSS, EXPRESSION_SSE_DIV, 4, 1, false},
    {ZYDIS_MNEMONIC_DIVPS, EXPRESSION_SSE_DIV, 4, 4, false},
    {ZYDIS_MNEMONIC_DIVSD, EXPRESSION_SSE_DIV, 8, 1, false},
    {ZYDIS_MNEMONIC_DIVPD, EXPRESSION_SSE_DIV, 8, 2, false},
    {ZYDIS_MNEMONIC_MINSS, EXPRESSION_SSE_MIN, 4, 1, false},
    {ZYDIS_MNEMONIC_MINPS, EXPRESSION_SSE_MIN, 4, 4, false},
    {ZYDIS_MNEMONIC_MAXSS, EXPRESSION_SSE_MAX, 4, 1, false},
    {ZYDIS_MNEMONIC_MAXPS, EXPRESSION_SSE_MAX, 4, 4, false},
    {ZYDIS_MNEMONIC_MINSD, EXPRESSION_SSE_MIN, 8, 1, false},
    {ZYDIS_MNEMONIC_MAXSD, EXPRESSION_SSE_MAX, 8, 1, false},
    {ZYDIS_MNEMONIC_CMPSS, EXPRESSION_SSE_MASK, 4, 1, false},
    {ZYDIS_MNEMONIC_CMPPS, EXPRESSION_SSE_MASK, 4, 4, false},
    {ZYDIS_MNEMONIC_SQRTSS, EXPRESSION_SSE_SQRT, 4, 1, true},
    {ZYDIS_MNEMONIC_SQRTPS, EXPRESSION_SSE_SQRT, 4, 4, true},
    {ZYDIS_MNEMONIC_SQRTSD, EXPRESSION_SSE_SQRT, 8, 1, true},
    {ZYDIS_MNEMONIC_RCPSS, EXPRESSION_SSE_RCP, 4, 1, true},
    {ZYDIS_MNEMONIC_RCPPS, EXPRESSION_SSE_RCP, 4, 4, true},
    {ZYDIS_MNEMONIC_RSQRTSS, EXPRESSION_SSE_RSQRT, 4, 1, true},
    {ZYDIS_MNEMONIC_RSQRTPS, EXPRESSION_SSE_RSQRT, 4, 4, true},
};

/* What the table has. Returns false if the instruction is none of these. */
static bool DoCompute(Lifter *lifter, Vector *a, const Vector *b, uint32_t *written) {
    const uint32_t control = lifter->context.registers.vectors.mxcsr;
    const Computation *row = NULL;
    for (uint32_t i = 0; i < sizeof computations / sizeof *computations; i++)
        if (computations[i].mnemonic == lifter->instruction->mnemonic)
            row = &computations[i];
    if (!row)
        return false;
    *written = (uint32_t)row->size * row->lanes;
    for (uint32_t lane = 0; lane < row->lanes; lane++) {
        const Expression *left = Lane(lifter, a, lane, row->size);
        const Expression *right = Lane(lifter, b, lane, row->size), *made;
        if (row->operation == EXPRESSION_SSE_MASK)
            made = Expression_Mask(lifter->graph, Selector(lifter) & 7, control, left, right);
        else
            made = Expression_Make(lifter->graph, row->operation, control, 0,
                                   row->is_unary ? right : left, row->is_unary ? NULL : right);
        Lift_Note(lifter, made);
        SetLane(a, lane, row->size, made);
    }
    return true;
}

/* Conversions between one number of each kind. Returns false if the instruction is none of these.
 */
static bool DoConvert(Lifter *lifter, Vector *a, const Vector *b, uint32_t *written) {
    ExpressionOperation operation;
    uint32_t from = 4, to = 4;
    switch (lifter->instruction->mnemonic) {
    case ZYDIS_MNEMONIC_CVTSI2SS:
        operation = EXPRESSION_SSE_FROM_INTEGER;
        break;
    case ZYDIS_MNEMONIC_CVTSI2SD:
        operation = EXPRESSION_SSE_FROM_INTEGER;
        to = 8;
        break;
    case ZYDIS_MNEMONIC_CVTSS2SI:
        operation = EXPRESSION_SSE_TO_INTEGER;
        break;
    case ZYDIS_MNEMONIC_CVTSD2SI:
        operation = EXPRESSION_SSE_TO_INTEGER;
        from = 8;
        break;
    case ZYDIS_MNEMONIC_CVTTSS2SI:
        operation = EXPRESSION_SSE_TRUNCATE;
        break;
    case ZYDIS_MNEMONIC_CVTTSD2SI:
        operation = EXPRESSION_SSE_TRUNCATE;
        from = 8;
        break;
    case ZYDIS_MNEMONIC_CVTSS2SD:
        operation = EXPRESSION_SSE_CONVERT;
        to = 8;
        break;
    case ZYDIS_MNEMONIC_CVTSD2SS:
        operation = EXPRESSION_SSE_CONVERT;
        from = 8;
        break;
    default:
        return false;
    }
    const Expression *made =
        Expression_Make(lifter->graph, operation, lifter->context.registers.vectors.mxcsr, 8 * to,
                        Lane(lifter, b, 0, from), NULL);
    Lift_Note(lifter, made);
    SetLane(a, 0, to, made);
    *written = to;
    return true;
}

/* COMISS, UCOMISS, COMISD and UCOMISD. */
static LiftResult Compare(Lifter *lifter, uint32_t size) {
    Vector a, b;
    if (!Read(lifter, 0, &a) || !Read(lifter, 1, &b))
        return LIFT_STOPPED;
    const Expression *comparison = Expression_Make(
        lifter->graph, EXPRESSION_COMPARE_SSE, lifter->context.registers.vectors.mxcsr, 0,
        Lane(lifter, &a, 0, size), Lane(lifter, &b, 0, size));
    Lift_Note(lifter, comparison);
    Lift_Compared(lifter, comparison, NumberOf(&a, size), NumberOf(&b, size));
    Lift_SetFlags(lifter, FLAGS_COMPARISON, comparison, NULL, (ExpressionValue){0, 0},
                  (ExpressionValue){0, 0});
    return LIFT_DONE;
}

/* MOVMSKPS. */
static LiftResult Signs(Lifter *lifter) {
    Vector from;
    if (!Read(lifter, 1, &from))
        return LIFT_STOPPED;
    const Expression *mask = NULL;
    for (uint32_t lane = 0; lane < 4; lane++) {
        const Expression *bit =
            Expression_Extract(lifter->graph, Lane(lifter, &from, lane, 4), 31, 1);
        mask = mask ? Expression_Concat(lifter->graph, mask, bit) : bit;
    }
    mask = Expression_Extend(lifter->graph, EXPRESSION_ZERO_EXTEND, mask, 32);
    Lift_Note(lifter, mask);
    Lift_PutRegister(lifter, lifter->operands[0].reg.value, mask);
    return LIFT_DONE;
}

LiftResult Lift_Sse(Lifter *lifter) {
    const uint32_t count = lifter->instruction->operand_count_visible;
    for (uint32_t i = 0; i < count; i++) {
        const ZydisDecodedOperand *operand = &lifter->operands[i];
        if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
            operand->reg.value >= ZYDIS_REGISTER_MM0 && operand->reg.value <= ZYDIS_REGISTER_MM7)
            return LIFT_UNKNOWN;
    }
    switch (lifter->instruction->mnemonic) {
    case ZYDIS_MNEMONIC_COMISS:
    case ZYDIS_MNEMONIC_UCOMISS:
        return Compare(lifter, 4);
    case ZYDIS_MNEMONIC_COMISD:
    case ZYDIS_MNEMONIC_UCOMISD:
        return Compare(lifter, 8);
    case ZYDIS_MNEMONIC_MOVMSKPS:
        return Signs(lifter);
    case ZYDIS_MNEMONIC_LDMXCSR: {
        /* Its control bits are part of what a path holds for; its flags, in the low bits, are not
         * modelled. */
        ExpressionValue number;
        const Expression *control = Lift_LoadOperand(lifter, &lifter->operands[0], 0, 4, &number);
        if (!control)
            return LIFT_STOPPED;
        control = Expression_Extract(lifter->graph, control, MXCSR_FLAG_BITS, 32 - MXCSR_FLAG_BITS);
        if (!Expression_IsConstant(control) &&
            !Lift_Pin(lifter, control, number.low >> MXCSR_FLAG_BITS))
            return LIFT_STOPPED;
        if ((number.low & MXCSR_MASKS) != MXCSR_MASKS)
            return Lift_Refuse(lifter, "it unmasks exceptions"), LIFT_STOPPED;
        return LIFT_DONE;
    }
    case ZYDIS_MNEMONIC_STMXCSR: { /* its flags are not modelled */
        const uint32_t mxcsr = lifter->context.registers.vectors.mxcsr;
        const Expression *flags =
            Expression_Unmodelled(lifter->graph, "MXCSR's flags", MXCSR_FLAG_BITS);
        const Expression *control =
            Expression_Constant(lifter->graph, 32 - MXCSR_FLAG_BITS, mxcsr >> MXCSR_FLAG_BITS);
        return Lift_StoreOperand(lifter, &lifter->operands[0], 0, 4,
                                 Expression_Concat(lifter->graph, flags, control))
                   ? LIFT_DONE
                   : LIFT_STOPPED;
    }
    case ZYDIS_MNEMONIC_PREFETCHNTA:
    case ZYDIS_MNEMONIC_PREFETCHT0:
    case ZYDIS_MNEMONIC_PREFETCHT1:
    case ZYDIS_MNEMONIC_PREFETCHT2:
    case ZYDIS_MNEMONIC_SFENCE:
        return LIFT_DONE;
    default:
        break;
    }
    if (count < 2 || !(IsXmm(lifter, 0) || IsXmm(lifter, 1) ||
                       lifter->instruction->meta.category == ZYDIS_CATEGORY_CONVERT))
        return LIFT_UNKNOWN;
    if (lifter->operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
        return LIFT_UNKNOWN;

    /* What is only written is not read. */
    Vector a = {0}, b;
    uint32_t written;
    if (!Read(lifter, 1, &b) || (!IsMemory(lifter, 0) && !Read(lifter, 0, &a)))
        return LIFT_STOPPED;
    if (DoLogic(lifter, &a, &b))
        written = 16;
    else if (!DoMove(lifter, &a, &b, &written) && !DoCompute(lifter, &a, &b, &written) &&
             !DoConvert(lifter, &a, &b, &written))
        return LIFT_UNKNOWN;
    return Write(lifter, 0, &a, written);
}
