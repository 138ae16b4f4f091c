/* Instructions of the x87. */
#include "machine/lifting/lift_state.h"

#include <string.h>

enum { STATUS_TOP = 11, CONTROL_MASKS = 0x3F };

static uint32_t Register(const Lifter *lifter, uint32_t place) {
    return (((uint32_t)lifter->context.registers.vectors.status >> STATUS_TOP) + place) & 7u;
}

static bool IsFull(const Lifter *lifter, uint32_t place) {
    return lifter->context.registers.vectors.tags >> Register(lifter, place) & 1;
}

static ExpressionValue NumberOf(const Lifter *lifter, uint32_t place) {
    ExpressionValue number = {0, 0};
    memcpy(&number.low, lifter->context.registers.vectors.st[place], 8);
    memcpy(&number.head, lifter->context.registers.vectors.st[place] + 8, 2);
    return number;
}

/* Returns the expression in ST(place), or null if the register is empty. */
static const Expression *Get(Lifter *lifter, uint32_t place) {
    if (IsFull(lifter, place))
        return lifter->x87[Register(lifter, place)];
    Lift_Refuse(lifter, "ST(%u) is empty", place);
    return NULL;
}

static LiftResult Put(Lifter *lifter, uint32_t place, const Expression *expression) {
    lifter->x87[Register(lifter, place)] = expression;
    return LIFT_DONE;
}

/* Becomes ST(0) after the instruction. */
static LiftResult Push(Lifter *lifter, const Expression *expression) {
    if (!expression)
        return LIFT_STOPPED;
    if (IsFull(lifter, 7))
        return Lift_Refuse(lifter, "the x87 stack is full"), LIFT_STOPPED;
    return Put(lifter, 7, expression);
}

static const Expression *Make(Lifter *lifter, ExpressionOperation operation, const Expression *a,
                              const Expression *b) {
    const Expression *made = Expression_Make(lifter->graph, operation,
                                             lifter->context.registers.vectors.control, 0, a, b);
    Lift_Note(lifter, made);
    return made;
}

static const ZydisDecodedOperand *Memory(const Lifter *lifter) {
    for (uint32_t i = 0; i < lifter->instruction->operand_count_visible; i++)
        if (lifter->operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
            return &lifter->operands[i];
    return NULL;
}

/* Returns the place on the stack of the operand that is not ST(0); it is ST(0) if both are. */
static uint32_t Other(const Lifter *lifter) {
    return lifter->instruction->raw.modrm.rm;
}

/* Loads the operand in memory as a number. For arithmetic, a number of 32 or 64 bits is not made
 * quiet first. */
static const Expression *Load(Lifter *lifter, bool arithmetic, ExpressionValue *value) {
    const ZydisDecodedOperand *memory = Memory(lifter);
    ExpressionValue number;
    const Expression *loaded = Lift_LoadOperand(lifter, memory, 0, memory->size / 8u, &number);
    if (!loaded)
        return NULL;
    if (value)
        *value = number;
    if (memory->size == 80)
        return loaded;
    const bool is_integer = memory->element_type == ZYDIS_ELEMENT_TYPE_INT;
    ExpressionOperation operation = EXPRESSION_X87_FROM_INTEGER;
    if (!is_integer && arithmetic)
        operation = memory->size == 32 ? EXPRESSION_X87_OPERAND32 : EXPRESSION_X87_OPERAND64;
    else if (!is_integer)
        operation = memory->size == 32 ? EXPRESSION_X87_LOAD32 : EXPRESSION_X87_LOAD64;
    const Expression *made = Make(lifter, operation, loaded, NULL);
    if (value) {
        /* The number of 80 bits follows without an input. */
        const ExpressionInputs none = {0};
        ExpressionEvaluator_Begin(lifter->evaluator, &none);
        ExpressionEvaluator_Set(lifter->evaluator, loaded, number);
        (void)ExpressionEvaluator_Value(lifter->evaluator, made, value);
    }
    return made;
}

/* FADD, FSUB, FSUBR and so on: with memory, ST(i) and ST(0), and with a pop. */
static LiftResult Arithmetic(Lifter *lifter, ExpressionOperation operation, bool reversed) {
    const Expression *st0 = Get(lifter, 0);
    if (!st0)
        return LIFT_STOPPED;
    const Expression *left = st0, *right;
    uint32_t to = 0;
    if (Memory(lifter)) {
        right = Load(lifter, true, NULL);
    } else {
        right = Get(lifter, Other(lifter));
        /* DC and DE write to ST(i), which is then the left operand. */
        if (lifter->instruction->opcode != 0xD8) {
            to = Other(lifter);
            left = right;
            right = st0;
        }
    }
    if (!left || !right)
        return LIFT_STOPPED;
    return Put(lifter, to,
               reversed ? Make(lifter, operation, right, left)
                        : Make(lifter, operation, left, right));
}

/* FCOM, FUCOM, FICOM and FTST; FCOMI and FUCOMI, which set the processor's flags. */
static LiftResult Comparison(Lifter *lifter, bool with_zero, bool sets_flags) {
    const Expression *st0 = Get(lifter, 0), *other;
    ExpressionValue number = {0, 0};
    if (!st0)
        return LIFT_STOPPED;
    if (with_zero) {
        other = Expression_Constant80(lifter->graph, number);
    } else if (Memory(lifter)) {
        other = Load(lifter, true, &number);
    } else {
        /* FCOMPP and FUCOMPP compare with ST(1), which their encoding says, too. */
        other = Get(lifter, Other(lifter));
        number = NumberOf(lifter, Other(lifter));
    }
    if (!other)
        return LIFT_STOPPED;
    const ExpressionValue st0_number = NumberOf(lifter, 0);
    const Expression *comparison = Make(lifter, EXPRESSION_COMPARE_X87, st0, other);
    Lift_Compared(lifter, comparison, st0_number, number);
    if (sets_flags)
        Lift_SetFlags(lifter, FLAGS_COMPARISON, comparison, NULL, (ExpressionValue){0, 0},
                      (ExpressionValue){0, 0});
    else
        lifter->status = comparison;
    return LIFT_DONE;
}

/* FST, FSTP, FIST and FISTP to memory. */
static LiftResult Store(Lifter *lifter, bool is_integer) {
    const ZydisDecodedOperand *memory = Memory(lifter);
    const Expression *stored = Get(lifter, 0);
    if (!stored)
        return LIFT_STOPPED;
    if (is_integer)
        stored =
            Expression_Make(lifter->graph, EXPRESSION_X87_TO_INTEGER,
                            lifter->context.registers.vectors.control, memory->size, stored, NULL);
    else if (memory->size != 80)
        stored = Expression_Make(lifter->graph,
                                 memory->size == 32 ? EXPRESSION_X87_TO_F32 : EXPRESSION_X87_TO_F64,
                                 lifter->context.registers.vectors.control, 0, stored, NULL);
    Lift_Note(lifter, stored);
    return Lift_StoreOperand(lifter, memory, 0, memory->size / 8u, stored) ? LIFT_DONE
                                                                           : LIFT_STOPPED;
}

/* FLD1 and the like round as the control word says, which is part of what a path holds for. The
 * interpreter's number is therefore the constant; it is known after the instruction only, so it is
 * computed from those that the manual has (SDM 1, 8.3.8), here as the 64 bits of each rounding. */
static const Expression *Constant(Lifter *lifter, ZydisMnemonic mnemonic) {
    static const struct {
        ZydisMnemonic mnemonic;
        uint16_t head;
        uint64_t down; /* rounded down; all of these are above it */
        bool nearest_is_up;
    } constants[] = {{ZYDIS_MNEMONIC_FLDL2T, 0x4000, 0xD49A784BCD1B8AFEu, false},
                     {ZYDIS_MNEMONIC_FLDL2E, 0x3FFF, 0xB8AA3B295C17F0BBu, true},
                     {ZYDIS_MNEMONIC_FLDPI, 0x4000, 0xC90FDAA22168C234u, true},
                     {ZYDIS_MNEMONIC_FLDLG2, 0x3FFD, 0x9A209A84FBCFF798u, true},
                     {ZYDIS_MNEMONIC_FLDLN2, 0x3FFE, 0xB17217F7D1CF79ABu, true}};
    enum { NEAREST, DOWN, UP };
    ExpressionValue value = {0x8000000000000000u, 0x3FFF};
    if (mnemonic == ZYDIS_MNEMONIC_FLDZ)
        value = (ExpressionValue){0, 0};
    const uint32_t rounding = lifter->context.registers.vectors.control >> 10 & 3;
    for (uint32_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (constants[i].mnemonic == mnemonic) {
            const bool up = rounding == UP || (rounding == NEAREST && constants[i].nearest_is_up);
            value = (ExpressionValue){constants[i].down + up, constants[i].head};
        }
    return Expression_Constant80(lifter->graph, value);
}

/* FCMOVcc. */
static LiftResult Move(Lifter *lifter, uint32_t code) {
    const Expression *other = Get(lifter, Other(lifter));
    bool holds;
    if (!other || !Get(lifter, 0) || !Lift_DecideFlags(lifter, LIFT_SELECT, code, &holds))
        return LIFT_STOPPED;
    return holds ? Put(lifter, 0, other) : LIFT_DONE;
}

static LiftResult Unary(Lifter *lifter, ExpressionOperation operation) {
    const Expression *st0 = Get(lifter, 0);
    return st0 ? Put(lifter, 0, Make(lifter, operation, st0, NULL)) : LIFT_STOPPED;
}

/* FPATAN, FYL2X and FYL2XP1: of ST(1) and ST(0), into ST(1), which is then popped to. */
static LiftResult OfTwo(Lifter *lifter, ExpressionOperation operation) {
    const Expression *st0 = Get(lifter, 0), *st1 = Get(lifter, 1);
    return st0 && st1 ? Put(lifter, 1, Make(lifter, operation, st1, st0)) : LIFT_STOPPED;
}

/* FSCALE, FPREM and FPREM1: of ST(0) and ST(1), into ST(0). */
static LiftResult OfNext(Lifter *lifter, ExpressionOperation operation) {
    const Expression *st0 = Get(lifter, 0), *st1 = Get(lifter, 1);
    return st0 && st1 ? Put(lifter, 0, Make(lifter, operation, st0, st1)) : LIFT_STOPPED;
}

/* FSIN and FCOS set C2 where the number is too large for them, and clear it otherwise. */
static LiftResult Trigonometry(Lifter *lifter, ExpressionOperation operation) {
    lifter->status = NULL;
    return Unary(lifter, operation);
}

/* FLDCW. The control word is part of what a path holds for, so it has to be a constant. */
static LiftResult LoadControl(Lifter *lifter) {
    ExpressionValue number;
    const Expression *control = Lift_LoadOperand(lifter, Memory(lifter), 0, 2, &number);
    if (!control || (!Expression_IsConstant(control) && !Lift_Pin(lifter, control, number.low)))
        return LIFT_STOPPED;
    if ((number.low & CONTROL_MASKS) != CONTROL_MASKS)
        return Lift_Refuse(lifter, "it unmasks exceptions"), LIFT_STOPPED;
    return LIFT_DONE;
}

/* FNSTSW. */
static LiftResult StoreStatus(Lifter *lifter) {
    const Expression *status =
        lifter->status
            ? Expression_Make(lifter->graph, EXPRESSION_STATUS, 0, 0, lifter->status, NULL)
            : Expression_Unmodelled(lifter->graph, "the status word", 16);
    if (Memory(lifter))
        return Lift_StoreOperand(lifter, Memory(lifter), 0, 2, status) ? LIFT_DONE : LIFT_STOPPED;
    Lift_PutRegister(lifter, ZYDIS_REGISTER_AX, status);
    return LIFT_DONE;
}

LiftResult Lift_X87(Lifter *lifter) {
    /* Conditions of FCMOVcc as the low bits of a Jcc. */
    enum { BELOW = 2, EQUAL = 4, BELOW_OR_EQUAL = 6, UNORDERED = 10 };
    const ZydisMnemonic mnemonic = lifter->instruction->mnemonic;
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_FLD:
        return Push(lifter,
                    Memory(lifter) ? Load(lifter, false, NULL) : Get(lifter, Other(lifter)));
    case ZYDIS_MNEMONIC_FILD:
        return Push(lifter, Load(lifter, false, NULL));
    case ZYDIS_MNEMONIC_FLD1:
    case ZYDIS_MNEMONIC_FLDZ:
    case ZYDIS_MNEMONIC_FLDPI:
    case ZYDIS_MNEMONIC_FLDL2T:
    case ZYDIS_MNEMONIC_FLDL2E:
    case ZYDIS_MNEMONIC_FLDLG2:
    case ZYDIS_MNEMONIC_FLDLN2: {
        const Expression *constant = Constant(lifter, mnemonic);
        Lift_Note(lifter, constant);
        return Push(lifter, constant);
    }
    case ZYDIS_MNEMONIC_FST:
    case ZYDIS_MNEMONIC_FSTP: {
        if (Memory(lifter))
            return Store(lifter, false);
        const Expression *st0 = Get(lifter, 0);
        return st0 ? Put(lifter, Other(lifter), st0) : LIFT_STOPPED;
    }
    case ZYDIS_MNEMONIC_FIST:
    case ZYDIS_MNEMONIC_FISTP:
        return Store(lifter, true);
    case ZYDIS_MNEMONIC_FADD:
    case ZYDIS_MNEMONIC_FADDP:
    case ZYDIS_MNEMONIC_FIADD:
        return Arithmetic(lifter, EXPRESSION_X87_ADD, false);
    case ZYDIS_MNEMONIC_FMUL:
    case ZYDIS_MNEMONIC_FMULP:
    case ZYDIS_MNEMONIC_FIMUL:
        return Arithmetic(lifter, EXPRESSION_X87_MUL, false);
    case ZYDIS_MNEMONIC_FSUB:
    case ZYDIS_MNEMONIC_FSUBP:
    case ZYDIS_MNEMONIC_FISUB:
        return Arithmetic(lifter, EXPRESSION_X87_SUB, false);
    case ZYDIS_MNEMONIC_FSUBR:
    case ZYDIS_MNEMONIC_FSUBRP:
    case ZYDIS_MNEMONIC_FISUBR:
        return Arithmetic(lifter, EXPRESSION_X87_SUB, true);
    case ZYDIS_MNEMONIC_FDIV:
    case ZYDIS_MNEMONIC_FDIVP:
    case ZYDIS_MNEMONIC_FIDIV:
        return Arithmetic(lifter, EXPRESSION_X87_DIV, false);
    case ZYDIS_MNEMONIC_FDIVR:
    case ZYDIS_MNEMONIC_FDIVRP:
    case ZYDIS_MNEMONIC_FIDIVR:
        return Arithmetic(lifter, EXPRESSION_X87_DIV, true);
    case ZYDIS_MNEMONIC_FCHS: {
        const Expression *st0 = Get(lifter, 0);
        if (st0 && st0->operation == EXPRESSION_X87_NEG) /* -(-x) is x, whatever it is */
            return Put(lifter, 0, st0->operands[0]);
        return Unary(lifter, EXPRESSION_X87_NEG);
    }
    case ZYDIS_MNEMONIC_FABS:
        return Unary(lifter, EXPRESSION_X87_ABS);
    case ZYDIS_MNEMONIC_FSQRT:
        return Unary(lifter, EXPRESSION_X87_SQRT);
    case ZYDIS_MNEMONIC_FRNDINT:
        return Unary(lifter, EXPRESSION_X87_ROUND);
    case ZYDIS_MNEMONIC_FSIN:
        return Trigonometry(lifter, EXPRESSION_X87_SIN);
    case ZYDIS_MNEMONIC_FCOS:
        return Trigonometry(lifter, EXPRESSION_X87_COS);
    case ZYDIS_MNEMONIC_F2XM1:
        return Unary(lifter, EXPRESSION_X87_F2XM1);
    case ZYDIS_MNEMONIC_FPATAN:
        return OfTwo(lifter, EXPRESSION_X87_PATAN);
    case ZYDIS_MNEMONIC_FYL2X:
        return OfTwo(lifter, EXPRESSION_X87_YL2X);
    case ZYDIS_MNEMONIC_FYL2XP1:
        return OfTwo(lifter, EXPRESSION_X87_YL2XP1);
    case ZYDIS_MNEMONIC_FSCALE:
        return OfNext(lifter, EXPRESSION_X87_SCALE);
    case ZYDIS_MNEMONIC_FPREM:
    case ZYDIS_MNEMONIC_FPREM1:
        lifter->status = NULL;
        return OfNext(lifter, mnemonic == ZYDIS_MNEMONIC_FPREM ? EXPRESSION_X87_PREM
                                                               : EXPRESSION_X87_PREM1);
    case ZYDIS_MNEMONIC_FXTRACT: {
        const Expression *st0 = Get(lifter, 0);
        if (!st0)
            return LIFT_STOPPED;
        Put(lifter, 0, Make(lifter, EXPRESSION_X87_EXPONENT, st0, NULL));
        return Push(lifter, Make(lifter, EXPRESSION_X87_MANTISSA, st0, NULL));
    }
    case ZYDIS_MNEMONIC_FXCH: {
        const Expression *st0 = Get(lifter, 0), *other = Get(lifter, Other(lifter));
        if (!st0 || !other)
            return LIFT_STOPPED;
        Put(lifter, 0, other);
        return Put(lifter, Other(lifter), st0);
    }
    case ZYDIS_MNEMONIC_FCOM:
    case ZYDIS_MNEMONIC_FCOMP:
    case ZYDIS_MNEMONIC_FCOMPP:
    case ZYDIS_MNEMONIC_FUCOM:
    case ZYDIS_MNEMONIC_FUCOMP:
    case ZYDIS_MNEMONIC_FUCOMPP:
    case ZYDIS_MNEMONIC_FICOM:
    case ZYDIS_MNEMONIC_FICOMP:
        return Comparison(lifter, false, false);
    case ZYDIS_MNEMONIC_FTST:
        return Comparison(lifter, true, false);
    case ZYDIS_MNEMONIC_FCOMI:
    case ZYDIS_MNEMONIC_FCOMIP:
    case ZYDIS_MNEMONIC_FUCOMI:
    case ZYDIS_MNEMONIC_FUCOMIP:
        return Comparison(lifter, false, true);
    case ZYDIS_MNEMONIC_FXAM: {
        const Expression *st0 = Get(lifter, 0);
        if (!st0)
            return LIFT_STOPPED;
        lifter->status = Make(lifter, EXPRESSION_EXAMINE, st0, NULL);
        return LIFT_DONE;
    }
    case ZYDIS_MNEMONIC_FCMOVB:
        return Move(lifter, BELOW);
    case ZYDIS_MNEMONIC_FCMOVNB:
        return Move(lifter, BELOW | 1);
    case ZYDIS_MNEMONIC_FCMOVE:
        return Move(lifter, EQUAL);
    case ZYDIS_MNEMONIC_FCMOVNE:
        return Move(lifter, EQUAL | 1);
    case ZYDIS_MNEMONIC_FCMOVBE:
        return Move(lifter, BELOW_OR_EQUAL);
    case ZYDIS_MNEMONIC_FCMOVNBE:
        return Move(lifter, BELOW_OR_EQUAL | 1);
    case ZYDIS_MNEMONIC_FCMOVU:
        return Move(lifter, UNORDERED);
    case ZYDIS_MNEMONIC_FCMOVNU:
        return Move(lifter, UNORDERED | 1);
    case ZYDIS_MNEMONIC_FNSTSW:
        return StoreStatus(lifter);
    case ZYDIS_MNEMONIC_FNSTCW: /* the control word is a constant (LoadControl) */
        return Lift_StoreOperand(lifter, Memory(lifter), 0, 2,
                                 Expression_Constant(lifter->graph, 16,
                                                     lifter->context.registers.vectors.control))
                   ? LIFT_DONE
                   : LIFT_STOPPED;
    case ZYDIS_MNEMONIC_FLDCW:
        return LoadControl(lifter);
    case ZYDIS_MNEMONIC_FNCLEX:
        lifter->status = NULL; /* C0 to C3 are not modelled here; exception flags never are */
        return LIFT_DONE;
    case ZYDIS_MNEMONIC_FFREE:
    case ZYDIS_MNEMONIC_FINCSTP:
    case ZYDIS_MNEMONIC_FDECSTP:
    case ZYDIS_MNEMONIC_FNOP:
    case ZYDIS_MNEMONIC_FWAIT:
        return LIFT_DONE; /* TOP and the tags are those of the context */
    default:
        return LIFT_UNKNOWN;
    }
}
