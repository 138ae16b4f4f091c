/* Integer instructions, jumps, calls and string moves. */
#include "machine/lifting/lift_state.h"

/* An integer operand: its expression, and the number that it is in this run. */
typedef struct Operand {
    const Expression *expression;
    uint64_t number;
} Operand;

static const ZydisDecodedOperand *At(const Lifter *lifter, uint32_t index) {
    return &lifter->operands[index];
}

static uint32_t BitsOf(const Lifter *lifter, uint32_t index) {
    return lifter->operands[index].size;
}

static Operand Constant(Lifter *lifter, uint32_t bits, uint64_t number) {
    return (Operand){Expression_Constant(lifter->graph, bits, number), number & Lift_Mask(bits)};
}

static bool IsGeneral(ZydisRegister which) {
    return which >= ZYDIS_REGISTER_AL && which <= ZYDIS_REGISTER_EDI;
}

/* Reads an operand of any kind. Its expression is null if that is refused or faults. */
static Operand Read(Lifter *lifter, uint32_t index) {
    const ZydisDecodedOperand *operand = At(lifter, index);
    Operand read = {NULL, 0};
    switch (operand->type) {
    case ZYDIS_OPERAND_TYPE_REGISTER:
        if (IsGeneral(operand->reg.value))
            read.expression = Lift_GetRegister(lifter, operand->reg.value, &read.number);
        else
            Lift_Refuse(lifter, "its register has no model");
        return read;
    case ZYDIS_OPERAND_TYPE_IMMEDIATE:
        return Constant(lifter, operand->size, operand->imm.value.u);
    case ZYDIS_OPERAND_TYPE_MEMORY: {
        ExpressionValue value;
        read.expression = Lift_LoadOperand(lifter, operand, 0, operand->size / 8u, &value);
        read.number = read.expression ? value.low : 0;
        return read;
    }
    default:
        Lift_Refuse(lifter, "its operand has no model");
        return read;
    }
}

static bool Write(Lifter *lifter, uint32_t index, const Expression *expression) {
    const ZydisDecodedOperand *operand = At(lifter, index);
    if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY)
        return Lift_StoreOperand(lifter, operand, 0, operand->size / 8u, expression);
    if (!IsGeneral(operand->reg.value))
        return Lift_Refuse(lifter, "its register has no model");
    Lift_PutRegister(lifter, operand->reg.value, expression);
    return true;
}

/* An immediate may be narrower than the other operand, whose sign it then extends. */
static Operand Widen(Lifter *lifter, Operand operand, uint32_t bits) {
    if (!operand.expression || operand.expression->bits == bits)
        return operand;
    const uint32_t unused = 64 - operand.expression->bits;
    const uint64_t wide = (uint64_t)((int64_t)(operand.number << unused) >> unused);
    return (Operand){
        Expression_Extend(lifter->graph, EXPRESSION_SIGN_EXTEND, operand.expression, bits),
        wide & Lift_Mask(bits)};
}

static void SetFlags(Lifter *lifter, LiftFlagKind kind, Operand a, Operand b) {
    Lift_SetFlags(lifter, kind, a.expression, b.expression, (ExpressionValue){a.number, 0},
                  (ExpressionValue){b.number, 0});
}

static Operand Binary(Lifter *lifter, ExpressionOperation operation, Operand a, Operand b) {
    const uint32_t bits = a.expression->bits;
    uint64_t number;
    switch (operation) {
    case EXPRESSION_ADD:
        number = a.number + b.number;
        break;
    case EXPRESSION_MUL:
        number = a.number * b.number;
        break;
    case EXPRESSION_AND:
        number = a.number & b.number;
        break;
    case EXPRESSION_OR:
        number = a.number | b.number;
        break;
    default:
        number = a.number ^ b.number;
        break;
    }
    return (Operand){Expression_Make(lifter->graph, operation, 0, 0, a.expression, b.expression),
                     number & Lift_Mask(bits)};
}

static Operand Difference(Lifter *lifter, Operand a, Operand b) {
    return (Operand){Expression_Subtract(lifter->graph, a.expression, b.expression),
                     (a.number - b.number) & Lift_Mask(a.expression->bits)};
}

/* ADD, SUB, CMP, AND, OR, XOR, TEST, ADC and SBB. */
static LiftResult Arithmetic(Lifter *lifter, ZydisMnemonic mnemonic) {
    const uint32_t bits = BitsOf(lifter, 0);
    const Operand a = Read(lifter, 0);
    if (!a.expression)
        return LIFT_STOPPED;
    const Operand b = Widen(lifter, Read(lifter, 1), bits);
    if (!b.expression)
        return LIFT_STOPPED;
    Operand result;
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_ADD:
        result = Binary(lifter, EXPRESSION_ADD, a, b);
        SetFlags(lifter, FLAGS_SUM, a, b);
        break;
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_CMP:
        result = Difference(lifter, a, b);
        SetFlags(lifter, FLAGS_DIFFERENCE, a, b);
        break;
    case ZYDIS_MNEMONIC_ADC:
    case ZYDIS_MNEMONIC_SBB: {
        /* The carry is a condition, and then a constant. */
        enum { BELOW = 2 };
        bool carry;
        if (!Lift_DecideFlags(lifter, LIFT_SELECT, BELOW, &carry))
            return LIFT_STOPPED;
        const Operand one = Constant(lifter, bits, carry);
        const bool adds = mnemonic == ZYDIS_MNEMONIC_ADC;
        result = adds ? Binary(lifter, EXPRESSION_ADD, Binary(lifter, EXPRESSION_ADD, a, b), one)
                      : Difference(lifter, Difference(lifter, a, b), one);
        if (carry) {
            SetFlags(lifter, FLAGS_RESULT, result, (Operand){NULL, 0});
            lifter->carry = (LiftFlags){.kind = FLAGS_NOT_MODELLED};
            /* a - a - 1 has borrowed. */
            if (!adds && a.expression == b.expression)
                SetFlags(lifter, FLAGS_DIFFERENCE, Constant(lifter, bits, 0), one);
        } else {
            SetFlags(lifter, adds ? FLAGS_SUM : FLAGS_DIFFERENCE, a, b);
        }
        break;
    }
    default:
        result = Binary(lifter,
                        mnemonic == ZYDIS_MNEMONIC_OR    ? EXPRESSION_OR
                        : mnemonic == ZYDIS_MNEMONIC_XOR ? EXPRESSION_XOR
                                                         : EXPRESSION_AND,
                        a, b);
        /* Its flags are those of the difference of the result and 0. */
        SetFlags(lifter, FLAGS_DIFFERENCE, result, Constant(lifter, result.expression->bits, 0));
        break;
    }
    if (mnemonic == ZYDIS_MNEMONIC_CMP || mnemonic == ZYDIS_MNEMONIC_TEST)
        return LIFT_DONE;
    Lift_Note(lifter, result.expression);
    return Write(lifter, 0, result.expression) ? LIFT_DONE : LIFT_STOPPED;
}

/* INC, DEC, NEG and NOT. */
static LiftResult Unary(Lifter *lifter, ZydisMnemonic mnemonic) {
    const Operand a = Read(lifter, 0);
    if (!a.expression)
        return LIFT_STOPPED;
    const uint32_t bits = a.expression->bits;
    const Operand one = Constant(lifter, bits, 1), zero = Constant(lifter, bits, 0);
    const LiftFlags carry = lifter->carry;
    Operand result;
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_INC: /* these two keep the carry */
        result = Binary(lifter, EXPRESSION_ADD, a, one);
        SetFlags(lifter, FLAGS_SUM, a, one);
        lifter->carry = carry;
        break;
    case ZYDIS_MNEMONIC_DEC:
        result = Difference(lifter, a, one);
        SetFlags(lifter, FLAGS_DIFFERENCE, a, one);
        lifter->carry = carry;
        break;
    case ZYDIS_MNEMONIC_NEG:
        result = Difference(lifter, zero, a);
        SetFlags(lifter, FLAGS_DIFFERENCE, zero, a);
        break;
    default:
        result = Binary(lifter, EXPRESSION_XOR, a, Constant(lifter, bits, Lift_Mask(bits)));
        break;
    }
    Lift_Note(lifter, result.expression);
    return Write(lifter, 0, result.expression) ? LIFT_DONE : LIFT_STOPPED;
}

/* SHL, SHR, SAR, ROL, ROR, SHLD and SHRD. The count has to be what it is in this run. */
static LiftResult Shift(Lifter *lifter, ZydisMnemonic mnemonic) {
    ExpressionGraph *graph = lifter->graph;
    const bool is_double = mnemonic == ZYDIS_MNEMONIC_SHLD || mnemonic == ZYDIS_MNEMONIC_SHRD;
    const Operand a = Read(lifter, 0);
    if (!a.expression)
        return LIFT_STOPPED;
    const Operand by = is_double ? Read(lifter, 1) : a;
    const Operand counted = Read(lifter, is_double ? 2 : 1);
    if (!by.expression || !counted.expression)
        return LIFT_STOPPED;
    const Expression *masked =
        Expression_Make(graph, EXPRESSION_AND, 0, 0, counted.expression,
                        Expression_Constant(graph, counted.expression->bits, 31));
    const uint32_t count = (uint32_t)counted.number & 31, bits = a.expression->bits;
    if (!Expression_IsConstant(masked) && !Lift_Pin(lifter, masked, count))
        return LIFT_STOPPED;
    if (count == 0)
        return LIFT_DONE;
    if (count >= bits)
        return Lift_Refuse(lifter, "it shifts by %u of %u bits", count, bits), LIFT_STOPPED;

    const Expression *constant = Expression_Constant(graph, 8, count), *x = a.expression, *result;
    const Expression *last; /* the bit that is shifted out, or around */
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_SHL:
        result = Expression_Make(graph, EXPRESSION_SHL, 0, 0, x, constant);
        last = Expression_Extract(graph, x, bits - count, 1);
        break;
    case ZYDIS_MNEMONIC_SHR:
    case ZYDIS_MNEMONIC_SAR:
        result =
            Expression_Make(graph, mnemonic == ZYDIS_MNEMONIC_SHR ? EXPRESSION_SHR : EXPRESSION_SAR,
                            0, 0, x, constant);
        last = Expression_Extract(graph, x, count - 1, 1);
        break;
    case ZYDIS_MNEMONIC_ROL:
    case ZYDIS_MNEMONIC_SHLD: /* the high bits of the other operand come in below */
        result =
            Expression_Concat(graph, Expression_Extract(graph, by.expression, bits - count, count),
                              Expression_Extract(graph, x, 0, bits - count));
        last = Expression_Extract(graph, x, bits - count, 1);
        break;
    default:
        result = Expression_Concat(graph, Expression_Extract(graph, x, count, bits - count),
                                   Expression_Extract(graph, by.expression, 0, count));
        last = Expression_Extract(graph, x, count - 1, 1);
        break;
    }
    /* Lift_Decide checks a condition against these numbers, so they have to be right. */
    const uint64_t mask = Lift_Mask(bits);
    const bool left = mnemonic == ZYDIS_MNEMONIC_SHL || mnemonic == ZYDIS_MNEMONIC_ROL ||
                      mnemonic == ZYDIS_MNEMONIC_SHLD;
    const uint32_t unused = 64 - bits;
    uint64_t number;
    if (mnemonic == ZYDIS_MNEMONIC_SHL)
        number = a.number << count;
    else if (mnemonic == ZYDIS_MNEMONIC_SHR)
        number = a.number >> count;
    else if (mnemonic == ZYDIS_MNEMONIC_SAR)
        number = (uint64_t)((int64_t)(a.number << unused) >> unused >> count);
    else if (left)
        number = a.number << count | by.number >> (bits - count);
    else
        number = a.number >> count | by.number << (bits - count);
    const uint64_t bit = a.number >> (left ? bits - count : count - 1) & 1;
    const LiftFlags carry = {.kind = FLAGS_BIT, .a = last, .a_value = {bit, 0}};
    if (mnemonic != ZYDIS_MNEMONIC_ROL && mnemonic != ZYDIS_MNEMONIC_ROR)
        SetFlags(lifter, FLAGS_RESULT, (Operand){result, number & mask}, (Operand){NULL, 0});
    lifter->carry = carry;
    Lift_Note(lifter, result);
    return Write(lifter, 0, result) ? LIFT_DONE : LIFT_STOPPED;
}

/* MUL, IMUL, DIV and IDIV, which widen. The two halves are in EDX and EAX, or in AX. */
static LiftResult Wide(Lifter *lifter, ZydisMnemonic mnemonic) {
    ExpressionGraph *graph = lifter->graph;
    const Operand by = Read(lifter, 0);
    if (!by.expression)
        return LIFT_STOPPED;
    const uint32_t bits = by.expression->bits;
    if (bits != 32)
        return Lift_Refuse(lifter, "only the form with 32 bits has a model"), LIFT_STOPPED;
    const bool is_signed = mnemonic == ZYDIS_MNEMONIC_IMUL || mnemonic == ZYDIS_MNEMONIC_IDIV;
    const ExpressionOperation extend = is_signed ? EXPRESSION_SIGN_EXTEND : EXPRESSION_ZERO_EXTEND;
    uint64_t eax, edx;
    const Expression *low = Lift_GetRegister(lifter, ZYDIS_REGISTER_EAX, &eax);
    const Expression *wide_by = Expression_Extend(graph, extend, by.expression, 64);
    const Expression *to_eax, *to_edx;
    if (mnemonic == ZYDIS_MNEMONIC_MUL || mnemonic == ZYDIS_MNEMONIC_IMUL) {
        const Expression *product = Expression_Make(
            graph, EXPRESSION_MUL, 0, 0, Expression_Extend(graph, extend, low, 64), wide_by);
        to_eax = Expression_Extract(graph, product, 0, 32);
        to_edx = Expression_Extract(graph, product, 32, 32);
    } else {
        const Expression *high = Lift_GetRegister(lifter, ZYDIS_REGISTER_EDX, &edx);

        /* It is a condition whether a division faults: its divisor is 0, or its quotient is too
         * large. That of IDIV is taken to fit, which lifter.h says. That of DIV has 32 bits exactly
         * if the high half is less than the divisor, which it never is for 0. */
        const ExpressionValue divisor = {by.number, 0}, upper = {edx, 0}, nothing = {0, 0};
        bool decided;
        if (mnemonic == ZYDIS_MNEMONIC_DIV && !(Expression_IsConstant(high) && !edx))
            decided = Lift_Decide(lifter, LIFT_BRANCH, LIFT_UNSIGNED, high, by.expression,
                                  edx < by.number ? COMPARE_LESS : COMPARE_EQUAL | COMPARE_GREATER,
                                  upper, divisor);
        else
            decided = Lift_Decide(lifter, LIFT_BRANCH, LIFT_UNSIGNED, by.expression,
                                  Constant(lifter, bits, 0).expression,
                                  by.number == 0 ? COMPARE_EQUAL : COMPARE_LESS | COMPARE_GREATER,
                                  divisor, nothing);
        if (!decided)
            return LIFT_STOPPED;
        const Expression *whole = Expression_Concat(graph, low, high);
        to_eax =
            Expression_Extract(graph,
                               Expression_Make(graph, is_signed ? EXPRESSION_SDIV : EXPRESSION_UDIV,
                                               0, 0, whole, wide_by),
                               0, 32);
        to_edx =
            Expression_Extract(graph,
                               Expression_Make(graph, is_signed ? EXPRESSION_SREM : EXPRESSION_UREM,
                                               0, 0, whole, wide_by),
                               0, 32);
    }
    Lift_PutRegister(lifter, ZYDIS_REGISTER_EAX, to_eax);
    Lift_PutRegister(lifter, ZYDIS_REGISTER_EDX, to_edx);
    Lift_Note(lifter, to_eax);
    lifter->flags = lifter->carry = (LiftFlags){.kind = FLAGS_NOT_MODELLED};
    return LIFT_DONE;
}

/* IMUL with two or three operands. */
static LiftResult Multiply(Lifter *lifter) {
    const uint32_t count = lifter->instruction->operand_count_visible;
    const Operand a = Read(lifter, count == 3 ? 1 : 0);
    if (!a.expression)
        return LIFT_STOPPED;
    const Operand b = Widen(lifter, Read(lifter, count == 3 ? 2 : 1), a.expression->bits);
    if (!b.expression)
        return LIFT_STOPPED;
    const Operand product = Binary(lifter, EXPRESSION_MUL, a, b);
    lifter->flags = lifter->carry = (LiftFlags){.kind = FLAGS_NOT_MODELLED};
    Lift_Note(lifter, product.expression);
    return Write(lifter, 0, product.expression) ? LIFT_DONE : LIFT_STOPPED;
}

/* MOV, MOVZX, MOVSX and XCHG. */
static LiftResult Move(Lifter *lifter, ZydisMnemonic mnemonic) {
    const Operand from = Read(lifter, 1);
    if (!from.expression)
        return LIFT_STOPPED;
    const Expression *moved = from.expression;
    if (mnemonic == ZYDIS_MNEMONIC_MOVZX || mnemonic == ZYDIS_MNEMONIC_MOVSX)
        moved = Expression_Extend(lifter->graph,
                                  mnemonic == ZYDIS_MNEMONIC_MOVZX ? EXPRESSION_ZERO_EXTEND
                                                                   : EXPRESSION_SIGN_EXTEND,
                                  moved, BitsOf(lifter, 0));
    if (mnemonic == ZYDIS_MNEMONIC_XCHG) {
        /* Memory is written first, because its address may contain the register. */
        const Operand other = Read(lifter, 0);
        const bool memory_last = At(lifter, 1)->type == ZYDIS_OPERAND_TYPE_MEMORY;
        return other.expression &&
                       Write(lifter, memory_last, memory_last ? other.expression : moved) &&
                       Write(lifter, !memory_last, memory_last ? moved : other.expression)
                   ? LIFT_DONE
                   : LIFT_STOPPED;
    }
    return Write(lifter, 0,
                 Widen(lifter, (Operand){moved, from.number}, BitsOf(lifter, 0)).expression)
               ? LIFT_DONE
               : LIFT_STOPPED;
}

/* ---- the stack ------------------------------------------------------------------------------- */

static const Expression *Esp(Lifter *lifter, int32_t plus) {
    return Expression_Make(lifter->graph, EXPRESSION_ADD, 0, 0,
                           Lift_GetRegister(lifter, ZYDIS_REGISTER_ESP, NULL),
                           Expression_Constant(lifter->graph, 32, (uint32_t)plus));
}

static bool Push(Lifter *lifter, const Expression *expression) {
    const uint32_t esp = lifter->context.registers.general[MACHINE_ESP] - 4;
    const Expression *to = Esp(lifter, -4);
    Lift_PutRegister(lifter, ZYDIS_REGISTER_ESP, to);
    return Lift_StoreAt(lifter, to, esp, 4, expression);
}

/* Returns the dword at ESP, and takes it off, with `more` bytes behind it. */
static const Expression *Pop(Lifter *lifter, uint32_t more) {
    const Expression *popped =
        Lift_LoadAt(lifter, Esp(lifter, 0), lifter->context.registers.general[MACHINE_ESP], 4);
    if (popped)
        Lift_PutRegister(lifter, ZYDIS_REGISTER_ESP, Esp(lifter, (int32_t)(4 + more)));
    return popped;
}

/* PUSH, POP, CALL, RET, ENTER and LEAVE. */
static LiftResult Stack(Lifter *lifter, ZydisMnemonic mnemonic) {
    ExpressionGraph *graph = lifter->graph;
    if (lifter->instruction->operand_width != 32)
        return Lift_Refuse(lifter, "only the form with 32 bits has a model"), LIFT_STOPPED;
    bool done = true;
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_PUSH: {
        const Operand pushed = Widen(lifter, Read(lifter, 0), 32);
        done = pushed.expression && Push(lifter, pushed.expression);
        break;
    }
    case ZYDIS_MNEMONIC_POP: {
        if (At(lifter, 0)->type != ZYDIS_OPERAND_TYPE_REGISTER)
            return Lift_Refuse(lifter, "POP to memory"), LIFT_STOPPED;
        const Expression *popped = Pop(lifter, 0);
        done = popped && Write(lifter, 0, popped);
        break;
    }
    case ZYDIS_MNEMONIC_CALL: {
        if (At(lifter, 0)->type != ZYDIS_OPERAND_TYPE_IMMEDIATE) {
            const Operand target = Read(lifter, 0);
            if (!target.expression || !Lift_Pin(lifter, target.expression, target.number))
                return LIFT_STOPPED;
        }
        const uint32_t back = lifter->context.registers.eip + lifter->instruction->length;
        done = Push(lifter, Expression_Constant(graph, 32, back));
        lifter->depth++;
        break;
    }
    case ZYDIS_MNEMONIC_RET: {
        const bool pops = lifter->instruction->operand_count_visible > 0;
        ExpressionValue number;
        const Expression *back = NULL;
        if (Lift_Peek(lifter, lifter->context.registers.general[MACHINE_ESP], 4, &number))
            back = Pop(lifter, pops ? (uint32_t)At(lifter, 0)->imm.value.u : 0);
        done = back && Lift_Pin(lifter, back, number.low);
        lifter->depth -= lifter->depth > 0;
        break;
    }
    case ZYDIS_MNEMONIC_ENTER: {
        if ((At(lifter, 1)->imm.value.u & 31) != 0)
            return Lift_Refuse(lifter, "nested frames"), LIFT_STOPPED;
        done = Push(lifter, Lift_GetRegister(lifter, ZYDIS_REGISTER_EBP, NULL));
        Lift_PutRegister(lifter, ZYDIS_REGISTER_EBP,
                         Lift_GetRegister(lifter, ZYDIS_REGISTER_ESP, NULL));
        Lift_PutRegister(lifter, ZYDIS_REGISTER_ESP,
                         Esp(lifter, -(int32_t)At(lifter, 0)->imm.value.u));
        break;
    }
    default: { /* LEAVE */
        const Expression *frame = Lift_GetRegister(lifter, ZYDIS_REGISTER_EBP, NULL);
        const Expression *before =
            Lift_LoadAt(lifter, frame, lifter->context.registers.general[MACHINE_EBP], 4);
        if (!before)
            return LIFT_STOPPED;
        Lift_PutRegister(lifter, ZYDIS_REGISTER_ESP, frame);
        Lift_PutRegister(lifter, ZYDIS_REGISTER_ESP, Esp(lifter, 4));
        Lift_PutRegister(lifter, ZYDIS_REGISTER_EBP, before);
        break;
    }
    }
    return done ? LIFT_DONE : LIFT_STOPPED;
}

/* ---- strings --------------------------------------------------------------------------------- */

/* MOVS, STOS and LODS, with REP or without. All repetitions are done at once. */
static LiftResult String(Lifter *lifter, ZydisMnemonic mnemonic, uint32_t size) {
    ExpressionGraph *graph = lifter->graph;
    const uint32_t *general = lifter->context.registers.general;
    const bool repeats =
        (lifter->instruction->attributes &
         (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)) != 0;
    const bool down = (lifter->context.registers.eflags & MACHINE_DF) != 0;
    const bool reads = mnemonic != ZYDIS_MNEMONIC_STOSD, writes = mnemonic != ZYDIS_MNEMONIC_LODSD;
    uint64_t number;
    uint32_t count = 1;
    if (repeats) {
        const Expression *counter = Lift_GetRegister(lifter, ZYDIS_REGISTER_ECX, &number);
        count = (uint32_t)number;
        if (!Expression_IsConstant(counter) && !Lift_Pin(lifter, counter, count))
            return LIFT_STOPPED;
        Lift_PutRegister(lifter, ZYDIS_REGISTER_ECX, Expression_Constant(graph, 32, 0));
    }
    const Expression *from = Lift_GetRegister(lifter, ZYDIS_REGISTER_ESI, NULL);
    const Expression *to = Lift_GetRegister(lifter, ZYDIS_REGISTER_EDI, NULL);
    const Expression *value = Lift_Join(lifter, lifter->general[MACHINE_EAX], size);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t step = down ? 0 - i * size : i * size;
        const Expression *offset = Expression_Constant(graph, 32, step);
        if (reads)
            value = Lift_LoadAt(lifter, Expression_Make(graph, EXPRESSION_ADD, 0, 0, from, offset),
                                general[MACHINE_ESI] + step, size);
        if (!value ||
            (writes &&
             !Lift_StoreAt(lifter, Expression_Make(graph, EXPRESSION_ADD, 0, 0, to, offset),
                           general[MACHINE_EDI] + step, size, value)))
            return LIFT_STOPPED;
    }
    const Expression *moved =
        Expression_Constant(graph, 32, down ? 0 - count * size : count * size);
    if (reads)
        Lift_PutRegister(lifter, ZYDIS_REGISTER_ESI,
                         Expression_Make(graph, EXPRESSION_ADD, 0, 0, from, moved));
    if (writes)
        Lift_PutRegister(lifter, ZYDIS_REGISTER_EDI,
                         Expression_Make(graph, EXPRESSION_ADD, 0, 0, to, moved));
    else
        Lift_Split(lifter->general[MACHINE_EAX], size, value, 0);
    return LIFT_DONE;
}

/* ---- everything else ------------------------------------------------------------------------- */

/* Jcc, SETcc and CMOVcc. What they do in this run is a condition, and the rest is a copy. */
static LiftResult Conditional(Lifter *lifter) {
    const uint32_t code = lifter->instruction->opcode & 15u;
    bool holds;
    switch (lifter->instruction->meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
        return Lift_DecideFlags(lifter, LIFT_BRANCH, code, &holds) ? LIFT_DONE : LIFT_STOPPED;
    case ZYDIS_CATEGORY_SETCC:
        if (!Lift_DecideFlags(lifter, LIFT_SELECT, code, &holds))
            return LIFT_STOPPED;
        return Write(lifter, 0, Expression_Constant(lifter->graph, 8, holds)) ? LIFT_DONE
                                                                              : LIFT_STOPPED;
    default: {
        const Operand moved = Read(lifter, 1);
        if (!moved.expression || !Lift_DecideFlags(lifter, LIFT_SELECT, code, &holds))
            return LIFT_STOPPED;
        return !holds || Write(lifter, 0, moved.expression) ? LIFT_DONE : LIFT_STOPPED;
    }
    }
}

/* JECXZ and LOOP. */
static LiftResult Count(Lifter *lifter, bool loops) {
    uint64_t number;
    const Expression *counter = Lift_GetRegister(lifter, ZYDIS_REGISTER_ECX, &number);
    if (loops) {
        counter =
            Expression_Subtract(lifter->graph, counter, Expression_Constant(lifter->graph, 32, 1));
        number = (number - 1) & Lift_Mask(32);
        Lift_PutRegister(lifter, ZYDIS_REGISTER_ECX, counter);
    }
    return Lift_Decide(lifter, LIFT_BRANCH, LIFT_UNSIGNED, counter,
                       Expression_Constant(lifter->graph, 32, 0),
                       number == 0 ? COMPARE_EQUAL : COMPARE_LESS | COMPARE_GREATER,
                       (ExpressionValue){number, 0}, (ExpressionValue){0, 0})
               ? LIFT_DONE
               : LIFT_STOPPED;
}

/* BT. */
static LiftResult BitTest(Lifter *lifter) {
    const Operand of = Read(lifter, 0);
    if (!of.expression)
        return LIFT_STOPPED;
    const Operand which = Read(lifter, 1);
    if (!which.expression)
        return LIFT_STOPPED;
    if (At(lifter, 0)->type == ZYDIS_OPERAND_TYPE_MEMORY &&
        At(lifter, 1)->type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
        return Lift_Refuse(lifter, "a bit of memory"), LIFT_STOPPED;
    if (!Expression_IsConstant(which.expression) &&
        !Lift_Pin(lifter, which.expression, which.number))
        return LIFT_STOPPED;
    const uint32_t bit = (uint32_t)which.number & (of.expression->bits - 1u);
    lifter->carry = (LiftFlags){.kind = FLAGS_BIT,
                                .a = Expression_Extract(lifter->graph, of.expression, bit, 1),
                                .a_value = {of.number >> bit & 1, 0}};
    return LIFT_DONE;
}

static void ExtendEax(Lifter *lifter, ZydisRegister from, ZydisRegister to, uint32_t bits) {
    Lift_PutRegister(lifter, to,
                     Expression_Extend(lifter->graph, EXPRESSION_SIGN_EXTEND,
                                       Lift_GetRegister(lifter, from, NULL), bits));
}

static void ExtendToEdx(Lifter *lifter, ZydisRegister from, ZydisRegister to, uint32_t bits) {
    const Expression *value = Lift_GetRegister(lifter, from, NULL);
    Lift_PutRegister(lifter, to,
                     Expression_Make(lifter->graph, EXPRESSION_SAR, 0, 0, value,
                                     Expression_Constant(lifter->graph, 8, bits - 1)));
}

LiftResult Lift_Integer(Lifter *lifter) {
    ExpressionGraph *graph = lifter->graph;
    const ZydisMnemonic mnemonic = lifter->instruction->mnemonic;
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_CMP:
    case ZYDIS_MNEMONIC_AND:
    case ZYDIS_MNEMONIC_OR:
    case ZYDIS_MNEMONIC_XOR:
    case ZYDIS_MNEMONIC_TEST:
    case ZYDIS_MNEMONIC_ADC:
    case ZYDIS_MNEMONIC_SBB:
        return Arithmetic(lifter, mnemonic);
    case ZYDIS_MNEMONIC_INC:
    case ZYDIS_MNEMONIC_DEC:
    case ZYDIS_MNEMONIC_NEG:
    case ZYDIS_MNEMONIC_NOT:
        return Unary(lifter, mnemonic);
    case ZYDIS_MNEMONIC_SHL:
    case ZYDIS_MNEMONIC_SHR:
    case ZYDIS_MNEMONIC_SAR:
    case ZYDIS_MNEMONIC_ROL:
    case ZYDIS_MNEMONIC_ROR:
    case ZYDIS_MNEMONIC_SHLD:
    case ZYDIS_MNEMONIC_SHRD:
        return Shift(lifter, mnemonic);
    case ZYDIS_MNEMONIC_IMUL:
        if (lifter->instruction->operand_count_visible > 1)
            return Multiply(lifter);
        return Wide(lifter, mnemonic);
    case ZYDIS_MNEMONIC_MUL:
    case ZYDIS_MNEMONIC_DIV:
    case ZYDIS_MNEMONIC_IDIV:
        return Wide(lifter, mnemonic);
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_MOVZX:
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_XCHG:
        return Move(lifter, mnemonic);
    case ZYDIS_MNEMONIC_LEA: {
        uint32_t number;
        const Expression *address = Lift_Address(lifter, At(lifter, 1), &number);
        Lift_Note(lifter, address);
        if (BitsOf(lifter, 0) != 32 || lifter->instruction->address_width != 32)
            return Lift_Refuse(lifter, "only the form with 32 bits has a model"), LIFT_STOPPED;
        return Write(lifter, 0, address) ? LIFT_DONE : LIFT_STOPPED;
    }
    case ZYDIS_MNEMONIC_PUSH:
    case ZYDIS_MNEMONIC_POP:
    case ZYDIS_MNEMONIC_CALL:
    case ZYDIS_MNEMONIC_RET:
    case ZYDIS_MNEMONIC_ENTER:
    case ZYDIS_MNEMONIC_LEAVE:
        return Stack(lifter, mnemonic);
    case ZYDIS_MNEMONIC_JMP: {
        if (At(lifter, 0)->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
            return LIFT_DONE;
        const Operand target = Read(lifter, 0);
        return target.expression && Lift_Pin(lifter, target.expression, target.number)
                   ? LIFT_DONE
                   : LIFT_STOPPED;
    }
    case ZYDIS_MNEMONIC_JECXZ:
        return Count(lifter, false);
    case ZYDIS_MNEMONIC_LOOP:
        return Count(lifter, true);
    case ZYDIS_MNEMONIC_MOVSB:
    case ZYDIS_MNEMONIC_MOVSW:
    case ZYDIS_MNEMONIC_STOSB:
    case ZYDIS_MNEMONIC_STOSW:
    case ZYDIS_MNEMONIC_STOSD:
    case ZYDIS_MNEMONIC_LODSB:
    case ZYDIS_MNEMONIC_LODSW:
    case ZYDIS_MNEMONIC_LODSD:
    case ZYDIS_MNEMONIC_MOVSD: {
        /* MOVSD is an instruction of SSE2, too. */
        if (mnemonic == ZYDIS_MNEMONIC_MOVSD &&
            lifter->instruction->meta.category != ZYDIS_CATEGORY_STRINGOP)
            return LIFT_UNKNOWN;
        const bool stores = mnemonic == ZYDIS_MNEMONIC_STOSB || mnemonic == ZYDIS_MNEMONIC_STOSW ||
                            mnemonic == ZYDIS_MNEMONIC_STOSD;
        const bool loads = mnemonic == ZYDIS_MNEMONIC_LODSB || mnemonic == ZYDIS_MNEMONIC_LODSW ||
                           mnemonic == ZYDIS_MNEMONIC_LODSD;
        return String(lifter,
                      stores  ? ZYDIS_MNEMONIC_STOSD
                      : loads ? ZYDIS_MNEMONIC_LODSD
                              : ZYDIS_MNEMONIC_MOVSD,
                      lifter->instruction->operand_width / 8u);
    }
    case ZYDIS_MNEMONIC_CDQ:
        ExtendToEdx(lifter, ZYDIS_REGISTER_EAX, ZYDIS_REGISTER_EDX, 32);
        return LIFT_DONE;
    case ZYDIS_MNEMONIC_CWD:
        ExtendToEdx(lifter, ZYDIS_REGISTER_AX, ZYDIS_REGISTER_DX, 16);
        return LIFT_DONE;
    case ZYDIS_MNEMONIC_CWDE:
        ExtendEax(lifter, ZYDIS_REGISTER_AX, ZYDIS_REGISTER_EAX, 32);
        return LIFT_DONE;
    case ZYDIS_MNEMONIC_CBW:
        ExtendEax(lifter, ZYDIS_REGISTER_AL, ZYDIS_REGISTER_AX, 16);
        return LIFT_DONE;
    case ZYDIS_MNEMONIC_BSWAP: {
        const Expression *x = Lift_GetRegister(lifter, At(lifter, 0)->reg.value, NULL);
        const Expression *swapped = Expression_Extract(graph, x, 24, 8);
        for (uint32_t i = 1; i < 4; i++)
            swapped =
                Expression_Concat(graph, swapped, Expression_Extract(graph, x, 24 - 8 * i, 8));
        return Write(lifter, 0, swapped) ? LIFT_DONE : LIFT_STOPPED;
    }
    case ZYDIS_MNEMONIC_BT:
        return BitTest(lifter);
    case ZYDIS_MNEMONIC_SAHF: {
        uint64_t number;
        const Expression *ah = Lift_GetRegister(lifter, ZYDIS_REGISTER_AH, &number);
        Lift_SetFlags(lifter, FLAGS_BYTE, ah, NULL, (ExpressionValue){number, 0},
                      (ExpressionValue){0, 0});
        return LIFT_DONE;
    }
    case ZYDIS_MNEMONIC_CLD: /* the direction is a number that the context has */
    case ZYDIS_MNEMONIC_STD:
    case ZYDIS_MNEMONIC_NOP:
    case ZYDIS_MNEMONIC_PAUSE:
        return LIFT_DONE;
    case ZYDIS_MNEMONIC_CPUID: /* the processor's profile is part of what a path holds for */
        lifter->constant_after =
            1u << MACHINE_EAX | 1u << MACHINE_EBX | 1u << MACHINE_ECX | 1u << MACHINE_EDX;
        return LIFT_DONE;
    default:
        switch (lifter->instruction->meta.category) {
        case ZYDIS_CATEGORY_COND_BR:
        case ZYDIS_CATEGORY_SETCC:
        case ZYDIS_CATEGORY_CMOV:
            return mnemonic == ZYDIS_MNEMONIC_JCXZ || mnemonic == ZYDIS_MNEMONIC_LOOPE ||
                           mnemonic == ZYDIS_MNEMONIC_LOOPNE
                       ? LIFT_UNKNOWN
                       : Conditional(lifter);
        default:
            return LIFT_UNKNOWN;
        }
    }
}
