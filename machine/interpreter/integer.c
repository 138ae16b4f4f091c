/* Arithmetic, logic, moves, multiplication, division, decimal arithmetic and exchanges. */
#include "machine/interpreter/flags.h"
#include "machine/interpreter/operands.h"

typedef enum Kind { ADD, ADC, SUB, SBB, CMP, AND, OR, XOR, TEST } Kind;

/* Computes an instruction of arithmetic or logic that has two operands. After logic, AF is
 * undefined; processors clear it. */
static inline uint32_t Compute(Kind kind, uint32_t left, uint32_t right, uint32_t mask,
                               uint32_t sign, MachineRegisters *registers, uint32_t *flags) {
    uint32_t result, carry = registers->eflags & MACHINE_CF;
    switch (kind) {
    case ADD:
    case ADC:
        result = (left + right + (kind == ADC ? carry : 0)) & mask;
        *flags = Flags_Sum(left, right, result, sign);
        break;
    case SUB:
    case SBB:
    case CMP:
        result = (left - right - (kind == SBB ? carry : 0)) & mask;
        *flags = Flags_Difference(left, right, result, sign);
        break;
    default:
        result = kind == OR ? left | right : kind == XOR ? left ^ right : left & right;
        *flags = Flags_Result(result, sign);
        break;
    }
    return result;
}

static inline bool Arithmetic(Step *step, const Operation *operation, Kind kind) {
    uint32_t left, right, flags, mask = operation->first.mask;
    if (!Operation_Read(step, operation, &operation->second, &right))
        return false;
    bool writes = kind != CMP && kind != TEST;
    if (writes ? !Operation_Modify(step, operation, &left)
               : !Operation_Read(step, operation, &operation->first, &left))
        return false;
    uint32_t result =
        Compute(kind, left, right & mask, mask, operation->sign, step->registers, &flags);
    if (writes && !Operation_Write(step, operation, result))
        return false;
    Flags_Set(step->registers, FLAGS_STATUS, flags);
    return true;
}

/* Executes the most frequent forms, in which the first operand is a whole register and the second
 * one is a register, an immediate or memory. */
static inline bool ArithmeticWhole(Step *step, const Operation *operation, Kind kind,
                                   PlaceKind second) {
    uint32_t *left = &step->registers->general[operation->first.number], right, flags;
    if (second == PLACE_REGISTER)
        right = step->registers->general[operation->second.number];
    else if (second == PLACE_IMMEDIATE)
        right = operation->immediate;
    else if (!Operation_Load(step, Operation_Address(step, operation), 4, &right))
        return false;
    uint32_t result =
        Compute(kind, *left, right, 0xFFFFFFFFu, 0x80000000u, step->registers, &flags);
    if (kind != CMP && kind != TEST)
        *left = result;
    Flags_Set(step->registers, FLAGS_STATUS, flags);
    return true;
}

#define KINDS(X) X(ADD) X(ADC) X(SUB) X(SBB) X(CMP) X(AND) X(OR) X(XOR) X(TEST)
#define HANDLERS(kind)                                                                             \
    static bool Any_##kind(Step *step, const Operation *operation) {                               \
        return Arithmetic(step, operation, kind);                                                  \
    }                                                                                              \
    static bool Register_##kind(Step *step, const Operation *operation) {                          \
        return ArithmeticWhole(step, operation, kind, PLACE_REGISTER);                             \
    }                                                                                              \
    static bool Immediate_##kind(Step *step, const Operation *operation) {                         \
        return ArithmeticWhole(step, operation, kind, PLACE_IMMEDIATE);                            \
    }                                                                                              \
    static bool Memory_##kind(Step *step, const Operation *operation) {                            \
        return ArithmeticWhole(step, operation, kind, PLACE_MEMORY);                               \
    }
KINDS(HANDLERS)

static Handler ChooseArithmetic(Kind kind, const Operation *operation) {
#define ROW(kind) [kind] = {Any_##kind, Register_##kind, Immediate_##kind, Memory_##kind},
    static const Handler handlers[][4] = {KINDS(ROW)};
    if (operation->first.kind != PLACE_REGISTER || operation->size != 4)
        return handlers[kind][0];
    if (operation->second.kind == PLACE_REGISTER)
        return handlers[kind][1];
    return handlers[kind][operation->second.kind == PLACE_IMMEDIATE ? 2 : 3];
}

/* INC and DEC, which do not change CF. */
static bool Increment(Step *step, const Operation *operation) {
    uint32_t left, flags;
    if (!Operation_Modify(step, operation, &left))
        return false;
    uint32_t result =
        Compute(ADD, left, 1, operation->first.mask, operation->sign, step->registers, &flags);
    if (!Operation_Write(step, operation, result))
        return false;
    Flags_Set(step->registers, FLAGS_STATUS & ~MACHINE_CF, flags);
    return true;
}

static bool Decrement(Step *step, const Operation *operation) {
    uint32_t left, flags;
    if (!Operation_Modify(step, operation, &left))
        return false;
    uint32_t result =
        Compute(SUB, left, 1, operation->first.mask, operation->sign, step->registers, &flags);
    if (!Operation_Write(step, operation, result))
        return false;
    Flags_Set(step->registers, FLAGS_STATUS & ~MACHINE_CF, flags);
    return true;
}

static bool Negate(Step *step, const Operation *operation) {
    uint32_t right, flags;
    if (!Operation_Modify(step, operation, &right))
        return false;
    uint32_t result =
        Compute(SUB, 0, right, operation->first.mask, operation->sign, step->registers, &flags);
    if (!Operation_Write(step, operation, result))
        return false;
    Flags_Set(step->registers, FLAGS_STATUS, flags);
    return true;
}

static bool Not(Step *step, const Operation *operation) {
    uint32_t value;
    return Operation_Modify(step, operation, &value) && Operation_Write(step, operation, ~value);
}

static bool Move(Step *step, const Operation *operation) {
    uint32_t value;
    return Operation_Read(step, operation, &operation->second, &value) &&
           Operation_Write(step, operation, value);
}

static bool MoveRegister(Step *step, const Operation *operation) {
    uint32_t *general = step->registers->general;
    general[operation->first.number] = general[operation->second.number];
    return true;
}

static bool MoveImmediate(Step *step, const Operation *operation) {
    step->registers->general[operation->first.number] = operation->immediate;
    return true;
}

static bool MoveFromMemory(Step *step, const Operation *operation) {
    return Operation_Load(step, Operation_Address(step, operation), 4,
                          &step->registers->general[operation->first.number]);
}

static bool MoveToMemory(Step *step, const Operation *operation) {
    return Operation_Store(step, Operation_Address(step, operation), 4,
                           step->registers->general[operation->second.number]);
}

static Handler ChooseMove(const Operation *operation) {
    PlaceKind first = operation->first.kind, second = operation->second.kind;
    if (first >= PLACE_SEGMENT || second >= PLACE_SEGMENT)
        return NULL;
    if (operation->size != 4)
        return Move;
    if (first == PLACE_REGISTER)
        return second == PLACE_REGISTER    ? MoveRegister
               : second == PLACE_IMMEDIATE ? MoveImmediate
                                           : MoveFromMemory;
    return second == PLACE_REGISTER ? MoveToMemory : Move;
}

static bool LoadAddress(Step *step, const Operation *operation) {
    Operation_Set(step, &operation->first, Operation_Offset(step, operation, 0));
    return true;
}

static uint32_t Extended(uint32_t value, uint32_t size) {
    return size == 1 ? (uint32_t)(int8_t)value : size == 2 ? (uint32_t)(int16_t)value : value;
}

static bool MoveSigned(Step *step, const Operation *operation) {
    uint32_t value;
    if (!Operation_Read(step, operation, &operation->second, &value))
        return false;
    Operation_Set(step, &operation->first, Extended(value, operation->second.size));
    return true;
}

/* CMOVcc. An operand in memory is read, and may fault, even if it is not moved. */
static bool MoveIf(Step *step, const Operation *operation) {
    uint32_t value;
    if (!Operation_Read(step, operation, &operation->second, &value))
        return false;
    if (Operation_Holds(operation->condition, step->registers->eflags))
        Operation_Set(step, &operation->first, value);
    return true;
}

static bool SetIf(Step *step, const Operation *operation) {
    bool holds = Operation_Holds(operation->condition, step->registers->eflags);
    return Operation_Write(step, operation, holds);
}

/* CBW and CWDE. */
static bool WidenAccumulator(Step *step, const Operation *operation) {
    uint32_t *eax = &step->registers->general[MACHINE_EAX];
    *eax = operation->size == 2 ? (*eax & 0xFFFF0000u) | (Extended(*eax, 1) & 0xFFFF)
                                : Extended(*eax, 2);
    return true;
}

/* CWD and CDQ. */
static bool SignOfAccumulator(Step *step, const Operation *operation) {
    uint32_t *general = step->registers->general, mask = operation->first.mask;
    uint32_t sign = general[MACHINE_EAX] & operation->sign ? mask : 0;
    general[MACHINE_EDX] = (general[MACHINE_EDX] & ~mask) | sign;
    return true;
}

/* BSWAP. With 16 bits the result is undefined; processors clear them. */
static bool SwapBytes(Step *step, const Operation *operation) {
    uint32_t v = Operation_Get(step, &operation->first);
    uint32_t swapped = v << 24 | (v & 0xFF00) << 8 | (v >> 8 & 0xFF00) | v >> 24;
    Operation_Set(step, &operation->first, operation->size == 4 ? swapped : 0);
    return true;
}

static bool Exchange(Step *step, const Operation *operation) {
    uint32_t left, right = Operation_Get(step, &operation->second);
    if (!Operation_Modify(step, operation, &left) || !Operation_Write(step, operation, right))
        return false;
    Operation_Set(step, &operation->second, left);
    return true;
}

/* XADD. The destination is written last, so if both operands are the same register, it gets the
 * sum. */
static bool ExchangeAdd(Step *step, const Operation *operation) {
    uint32_t left, right = Operation_Get(step, &operation->second), flags;
    if (!Operation_Modify(step, operation, &left))
        return false;
    uint32_t result =
        Compute(ADD, left, right, operation->first.mask, operation->sign, step->registers, &flags);
    if (operation->first.kind == PLACE_REGISTER)
        Operation_Set(step, &operation->second, left);
    if (!Operation_Write(step, operation, result))
        return false;
    if (operation->first.kind == PLACE_MEMORY)
        Operation_Set(step, &operation->second, left);
    Flags_Set(step->registers, FLAGS_STATUS, flags);
    return true;
}

/* CMPXCHG. The destination is always written; if it differs, it gets its own value. */
static bool CompareExchange(Step *step, const Operation *operation) {
    uint32_t destination, flags;
    Place accumulator = {.size = operation->size, .mask = operation->first.mask};
    if (!Operation_Modify(step, operation, &destination))
        return false;
    uint32_t expected = Operation_Get(step, &accumulator);
    uint32_t source = Operation_Get(step, &operation->second);
    Compute(CMP, expected, destination, operation->first.mask, operation->sign, step->registers,
            &flags);
    bool equal = expected == destination;
    if (!Operation_Write(step, operation, equal ? source : destination))
        return false;
    if (!equal)
        Operation_Set(step, &accumulator, destination);
    Flags_Set(step->registers, FLAGS_STATUS, flags);
    return true;
}

static bool CompareExchange8(Step *step, const Operation *operation) {
    uint32_t *general = step->registers->general, address = Operation_Address(step, operation);
    uint32_t low, high;
    if (!Operation_CanStore(step, address, 8) || !Operation_Load(step, address, 4, &low) ||
        !Operation_Load(step, address + 4, 4, &high))
        return false;
    bool equal = low == general[MACHINE_EAX] && high == general[MACHINE_EDX];
    if (!Operation_Store(step, address, 4, equal ? general[MACHINE_EBX] : low) ||
        !Operation_Store(step, address + 4, 4, equal ? general[MACHINE_ECX] : high))
        return false;
    if (!equal) {
        general[MACHINE_EAX] = low;
        general[MACHINE_EDX] = high;
    }
    Flags_Set(step->registers, MACHINE_ZF, equal ? MACHINE_ZF : 0);
    return true;
}

/* Writes the two halves of a product or of a quotient and remainder: AX for bytes, else DX:AX or
 * EDX:EAX. */
static void SetHalves(Step *step, uint32_t size, uint32_t low, uint32_t high) {
    uint32_t *general = step->registers->general;
    if (size == 1) {
        general[MACHINE_EAX] =
            (general[MACHINE_EAX] & 0xFFFF0000u) | (high & 0xFF) << 8 | (low & 0xFF);
    } else if (size == 2) {
        general[MACHINE_EAX] = (general[MACHINE_EAX] & 0xFFFF0000u) | (low & 0xFFFF);
        general[MACHINE_EDX] = (general[MACHINE_EDX] & 0xFFFF0000u) | (high & 0xFFFF);
    } else {
        general[MACHINE_EAX] = low;
        general[MACHINE_EDX] = high;
    }
}

/* CF and OF say that the product does not fit into the lower half. The other flags are undefined;
 * they stay as they are, as on AMD's processors. */
static void SetProductFlags(Step *step, bool overflows) {
    Flags_Set(step->registers, MACHINE_CF | MACHINE_OF, overflows ? MACHINE_CF | MACHINE_OF : 0);
}

static bool Multiply(Step *step, const Operation *operation) {
    uint32_t right, bits = operation->size * 8u, mask = operation->first.mask;
    if (!Operation_Read(step, operation, &operation->first, &right))
        return false;
    uint64_t product = (uint64_t)(step->registers->general[MACHINE_EAX] & mask) * right;
    uint32_t low = (uint32_t)product & mask, high = (uint32_t)(product >> bits);
    SetHalves(step, operation->size, low, high);
    SetProductFlags(step, high != 0);
    return true;
}

static bool MultiplySigned(Step *step, const Operation *operation) {
    uint32_t left, right, size = operation->size, mask = operation->first.mask;
    const Place *places[] = {&operation->first, &operation->second, &operation->third};
    bool whole = operation->second.kind == PLACE_NONE, three = operation->third.kind != PLACE_NONE;
    if (!Operation_Read(step, operation, places[whole ? 0 : 1], &left))
        return false;
    if (whole)
        right = step->registers->general[MACHINE_EAX] & mask;
    else
        right = three ? operation->immediate : Operation_Get(step, &operation->first);

    int64_t product = (int64_t)(int32_t)Extended(left, size) * (int32_t)Extended(right, size);
    uint32_t low = (uint32_t)product & mask;
    bool overflows = product != (int32_t)Extended(low, size);
    if (whole)
        SetHalves(step, size, low, (uint32_t)((uint64_t)product >> size * 8));
    else
        Operation_Set(step, &operation->first, low);
    SetProductFlags(step, overflows);
    return true;
}

/* DIV. The processor has one fault for a divisor of zero and for a quotient that does not fit, but
 * Windows reports them as different exceptions. All flags are undefined; they stay as they are. */
static bool Divide(Step *step, const Operation *operation) {
    const uint32_t *general = step->registers->general;
    uint32_t divisor, size = operation->size, mask = operation->first.mask;
    if (!Operation_Read(step, operation, &operation->first, &divisor))
        return false;
    if (divisor == 0)
        return Step_Raise(step, MACHINE_INTEGER_DIVIDE);
    uint64_t dividend = general[MACHINE_EAX] & (size == 1 ? 0xFFFF : mask);
    if (size > 1)
        dividend |= (uint64_t)(general[MACHINE_EDX] & mask) << size * 8;
    uint64_t quotient = dividend / divisor;
    if (quotient > mask)
        return Step_Raise(step, MACHINE_INTEGER_OVERFLOW);
    SetHalves(step, size, (uint32_t)quotient, (uint32_t)(dividend % divisor));
    return true;
}

static bool DivideSigned(Step *step, const Operation *operation) {
    const uint32_t *general = step->registers->general;
    uint32_t value, size = operation->size, mask = operation->first.mask;
    if (!Operation_Read(step, operation, &operation->first, &value))
        return false;
    if (value == 0)
        return Step_Raise(step, MACHINE_INTEGER_DIVIDE);
    int64_t divisor = (int32_t)Extended(value, size), dividend;
    if (size == 1)
        dividend = (int16_t)general[MACHINE_EAX];
    else if (size == 2)
        dividend = (int32_t)(general[MACHINE_EDX] << 16 | (general[MACHINE_EAX] & 0xFFFF));
    else
        dividend = (int64_t)((uint64_t)general[MACHINE_EDX] << 32 | general[MACHINE_EAX]);
    /* This is the only quotient that C does not define. */
    if (dividend == INT64_MIN && divisor == -1)
        return Step_Raise(step, MACHINE_INTEGER_OVERFLOW);
    int64_t quotient = dividend / divisor, remainder = dividend % divisor;
    if (quotient != (int32_t)Extended((uint32_t)quotient & mask, size))
        return Step_Raise(step, MACHINE_INTEGER_OVERFLOW);
    SetHalves(step, size, (uint32_t)quotient, (uint32_t)remainder);
    return true;
}

static uint32_t Al(const Step *step) {
    return step->registers->general[MACHINE_EAX] & 0xFF;
}

static void SetAx(const Step *step, uint32_t ax) {
    uint32_t *eax = &step->registers->general[MACHINE_EAX];
    *eax = (*eax & 0xFFFF0000u) | (ax & 0xFFFF);
}

/* DAA and DAS. OF is undefined, and becomes 0. */
static bool DecimalAdjust(Step *step, bool subtract) {
    uint32_t before = Al(step), al = before, eflags = step->registers->eflags, flags = 0;
    uint32_t carry = eflags & MACHINE_CF;
    if ((al & 15) > 9 || (eflags & MACHINE_AF)) {
        uint32_t adjusted = subtract ? al - 6 : al + 6;
        flags = MACHINE_AF | carry | (adjusted > 0xFF ? MACHINE_CF : 0);
        al = adjusted & 0xFF;
    }
    if (before > 0x99 || carry) {
        al = (subtract ? al - 0x60 : al + 0x60) & 0xFF;
        flags |= MACHINE_CF;
    }
    SetAx(step, (step->registers->general[MACHINE_EAX] & 0xFF00) | al);
    Flags_Set(step->registers, FLAGS_STATUS, flags | Flags_Result(al, 0x80));
    return true;
}

static bool DecimalAdjustAdd(Step *step, const Operation *operation) {
    (void)operation;
    return DecimalAdjust(step, false);
}

static bool DecimalAdjustSubtract(Step *step, const Operation *operation) {
    (void)operation;
    return DecimalAdjust(step, true);
}

/* AAA and AAS, which adjust AX as one number. SF, ZF and PF are undefined, and are set by AL; OF
 * becomes 0. */
static bool AsciiAdjust(Step *step, bool subtract) {
    uint32_t ax = step->registers->general[MACHINE_EAX] & 0xFFFF, flags = 0;
    if ((ax & 15) > 9 || (step->registers->eflags & MACHINE_AF)) {
        ax = subtract ? ax - 0x106 : ax + 0x106;
        flags = MACHINE_AF | MACHINE_CF;
    }
    SetAx(step, ax & 0xFF0F);
    Flags_Set(step->registers, FLAGS_STATUS, flags | Flags_Result(ax & 15, 0x80));
    return true;
}

static bool AsciiAdjustAdd(Step *step, const Operation *operation) {
    (void)operation;
    return AsciiAdjust(step, false);
}

static bool AsciiAdjustSubtract(Step *step, const Operation *operation) {
    (void)operation;
    return AsciiAdjust(step, true);
}

/* AAM. The base is an immediate, for which assemblers write 10. CF, AF and OF become 0. */
static bool AsciiAdjustMultiply(Step *step, const Operation *operation) {
    uint32_t base = operation->immediate & 0xFF, al = Al(step);
    if (base == 0)
        return Step_Raise(step, MACHINE_INTEGER_DIVIDE);
    SetAx(step, (al / base) << 8 | al % base);
    Flags_Set(step->registers, FLAGS_STATUS, Flags_Result(al % base, 0x80));
    return true;
}

static bool AsciiAdjustDivide(Step *step, const Operation *operation) {
    uint32_t ah = step->registers->general[MACHINE_EAX] >> 8 & 0xFF;
    uint32_t al = (Al(step) + ah * (operation->immediate & 0xFF)) & 0xFF;
    SetAx(step, al);
    Flags_Set(step->registers, FLAGS_STATUS, Flags_Result(al, 0x80));
    return true;
}

/* SALC, which no manual mentions: AL becomes 0xFF if CF is set, and 0 otherwise. */
static bool SetAlByCarry(Step *step, const Operation *operation) {
    (void)operation;
    uint32_t *eax = &step->registers->general[MACHINE_EAX];
    *eax = (*eax & 0xFFFFFF00u) | (step->registers->eflags & MACHINE_CF ? 0xFF : 0);
    return true;
}

static bool Translate(Step *step, const Operation *operation) {
    uint32_t *general = step->registers->general, value;
    uint32_t address = (general[MACHINE_EBX] + Al(step)) & operation->address_mask;
    if (!Operation_Load(step, address + (operation->fs ? step->context->fs_base : 0), 1, &value))
        return false;
    general[MACHINE_EAX] = (general[MACHINE_EAX] & 0xFFFFFF00u) | value;
    return true;
}

static bool FlagsToAh(Step *step, const Operation *operation) {
    (void)operation;
    uint32_t *eax = &step->registers->general[MACHINE_EAX];
    uint32_t flags = (step->registers->eflags & FLAGS_STATUS & 0xFF) | MACHINE_FIXED;
    *eax = (*eax & 0xFFFF00FFu) | flags << 8;
    return true;
}

static bool AhToFlags(Step *step, const Operation *operation) {
    (void)operation;
    Flags_Set(step->registers, FLAGS_STATUS & 0xFF, step->registers->general[MACHINE_EAX] >> 8);
    return true;
}

/* CLC, STC, CMC, CLD and STD by their opcodes. */
static bool ChangeFlag(Step *step, const Operation *operation) {
    uint32_t *eflags = &step->registers->eflags;
    switch (operation->condition) {
    case 0x5:
        *eflags ^= MACHINE_CF;
        break;
    case 0x8:
        *eflags &= ~MACHINE_CF;
        break;
    case 0x9:
        *eflags |= MACHINE_CF;
        break;
    case 0xC:
        *eflags &= ~MACHINE_DF;
        break;
    default:
        *eflags |= MACHINE_DF;
        break;
    }
    return true;
}

Handler Operation_ChooseInteger(const ZydisDecodedInstruction *instruction, Operation *operation) {
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_ADD:
        return ChooseArithmetic(ADD, operation);
    case ZYDIS_MNEMONIC_ADC:
        return ChooseArithmetic(ADC, operation);
    case ZYDIS_MNEMONIC_SUB:
        return ChooseArithmetic(SUB, operation);
    case ZYDIS_MNEMONIC_SBB:
        return ChooseArithmetic(SBB, operation);
    case ZYDIS_MNEMONIC_CMP:
        return ChooseArithmetic(CMP, operation);
    case ZYDIS_MNEMONIC_AND:
        return ChooseArithmetic(AND, operation);
    case ZYDIS_MNEMONIC_OR:
        return ChooseArithmetic(OR, operation);
    case ZYDIS_MNEMONIC_XOR:
        return ChooseArithmetic(XOR, operation);
    case ZYDIS_MNEMONIC_TEST:
        return ChooseArithmetic(TEST, operation);
    case ZYDIS_MNEMONIC_INC:
        return Increment;
    case ZYDIS_MNEMONIC_DEC:
        return Decrement;
    case ZYDIS_MNEMONIC_NEG:
        return Negate;
    case ZYDIS_MNEMONIC_NOT:
        return Not;
    case ZYDIS_MNEMONIC_MOV:
        return ChooseMove(operation);
    case ZYDIS_MNEMONIC_MOVZX:
        return Move;
    case ZYDIS_MNEMONIC_MOVSX:
        return MoveSigned;
    case ZYDIS_MNEMONIC_LEA:
        return LoadAddress;
    case ZYDIS_MNEMONIC_CBW:
    case ZYDIS_MNEMONIC_CWDE:
        return WidenAccumulator;
    case ZYDIS_MNEMONIC_CWD:
    case ZYDIS_MNEMONIC_CDQ:
        return SignOfAccumulator;
    case ZYDIS_MNEMONIC_BSWAP:
        return SwapBytes;
    case ZYDIS_MNEMONIC_XCHG:
        return Exchange;
    case ZYDIS_MNEMONIC_XADD:
        return ExchangeAdd;
    case ZYDIS_MNEMONIC_CMPXCHG:
        return CompareExchange;
    case ZYDIS_MNEMONIC_CMPXCHG8B:
        return CompareExchange8;
    case ZYDIS_MNEMONIC_MUL:
        return Multiply;
    case ZYDIS_MNEMONIC_IMUL:
        return MultiplySigned;
    case ZYDIS_MNEMONIC_DIV:
        return Divide;
    case ZYDIS_MNEMONIC_IDIV:
        return DivideSigned;
    case ZYDIS_MNEMONIC_DAA:
        return DecimalAdjustAdd;
    case ZYDIS_MNEMONIC_DAS:
        return DecimalAdjustSubtract;
    case ZYDIS_MNEMONIC_AAA:
        return AsciiAdjustAdd;
    case ZYDIS_MNEMONIC_AAS:
        return AsciiAdjustSubtract;
    case ZYDIS_MNEMONIC_AAM:
        return AsciiAdjustMultiply;
    case ZYDIS_MNEMONIC_AAD:
        return AsciiAdjustDivide;
    case ZYDIS_MNEMONIC_SALC:
        return SetAlByCarry;
    case ZYDIS_MNEMONIC_XLAT:
        return Translate;
    case ZYDIS_MNEMONIC_LAHF:
        return FlagsToAh;
    case ZYDIS_MNEMONIC_SAHF:
        return AhToFlags;
    case ZYDIS_MNEMONIC_CLC:
    case ZYDIS_MNEMONIC_STC:
    case ZYDIS_MNEMONIC_CMC:
    case ZYDIS_MNEMONIC_CLD:
    case ZYDIS_MNEMONIC_STD:
        return ChangeFlag;
    default:
        break;
    }
    bool two = instruction->opcode_map == ZYDIS_OPCODE_MAP_0F;
    if (two && instruction->opcode >> 4 == 4 && instruction->meta.category == ZYDIS_CATEGORY_CMOV)
        return MoveIf;
    if (two && instruction->opcode >> 4 == 9 && instruction->meta.category == ZYDIS_CATEGORY_SETCC)
        return SetIf;
    return NULL;
}
