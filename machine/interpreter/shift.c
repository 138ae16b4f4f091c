/* Shifts, rotations and bits. Manuals call some of the flags undefined. OF after a count above 1 is
 * here what processors of both makers give. AF after shifts becomes 0; one processor of AMD sets
 * it. */
#include "machine/interpreter/flags.h"
#include "machine/interpreter/operands.h"

typedef enum Kind { ROL, ROR, RCL, RCR, SHL, SHR, SAR } Kind;

/* Returns a bit of a number as a flag. */
static uint32_t Flag(uint64_t number, uint32_t bit, uint32_t flag) {
    return (uint32_t)(number >> bit & 1) * flag;
}

/* Computes a shift or rotation by 1 to 31. Returns the result and says which flags it sets. OF is
 * defined only for a count of 1; for others the same rule is applied. */
static inline uint32_t Rotate(Kind kind, uint32_t value, uint32_t count, const Operation *operation,
                              uint32_t eflags, uint32_t *which, uint32_t *flags) {
    uint32_t bits = operation->size * 8u, mask = operation->first.mask, sign = operation->sign;
    uint64_t wide = value, result, carry;
    *which = MACHINE_CF | MACHINE_OF;
    switch (kind) {
    case ROL:
        result = (wide << count % bits | wide >> (bits - count % bits)) & mask;
        carry = result & 1;
        break;
    case ROR:
        result = (wide >> count % bits | wide << (bits - count % bits)) & mask;
        carry = result >> (bits - 1);
        break;
    case RCL:
    case RCR:
        /* CF takes part as one more bit above the number. */
        wide |= (uint64_t)(eflags & MACHINE_CF) << bits;
        count %= bits + 1;
        if (count != 0 && kind == RCL)
            wide = wide << count | wide >> (bits + 1 - count);
        else if (count != 0)
            wide = wide >> count | wide << (bits + 1 - count);
        result = wide & mask;
        carry = wide >> bits & 1;
        break;
    case SHL:
        wide <<= count;
        result = wide & mask;
        carry = wide >> bits & 1;
        *which = FLAGS_STATUS;
        break;
    default:
        if (kind == SAR && (value & sign))
            wide |= ~(uint64_t)mask;
        carry = wide >> (count - 1) & 1;
        result = wide >> count & mask;
        *which = FLAGS_STATUS;
        break;
    }

    uint32_t narrow = (uint32_t)result, top = bits - 1;
    bool left = kind == ROL || kind == RCL || kind == SHL;
    uint64_t overflow = left ? carry ^ narrow >> top : (narrow ^ narrow << 1) >> top;
    *flags = Flag(carry, 0, MACHINE_CF) | Flag(overflow, 0, MACHINE_OF);
    if (kind == SAR)
        *flags &= ~MACHINE_OF;
    if (*which == FLAGS_STATUS)
        *flags |= Flags_Result(narrow, sign);
    return narrow;
}

static inline bool Shift(Step *step, const Operation *operation, Kind kind) {
    uint32_t value, count, which, flags;
    if (!Operation_Read(step, operation, &operation->second, &count) ||
        !Operation_Modify(step, operation, &value))
        return false;
    count &= 31;
    if (count == 0)
        return true;
    uint32_t result =
        Rotate(kind, value, count, operation, step->registers->eflags, &which, &flags);
    if (!Operation_Write(step, operation, result))
        return false;
    Flags_Set(step->registers, which, flags);
    return true;
}

#define KINDS(X) X(ROL) X(ROR) X(RCL) X(RCR) X(SHL) X(SHR) X(SAR)
#define HANDLER(kind)                                                                              \
    static bool Shift_##kind(Step *step, const Operation *operation) {                             \
        return Shift(step, operation, kind);                                                       \
    }
KINDS(HANDLER)

/* SHLD and SHRD. With 16 bits and a count above 16 the result is undefined, and the makers differ.
 * Here the bits of the destination follow those of the source, as Intel's processors since the
 * Pentium Pro are said to do it; one processor of AMD takes the source twice. */
static inline bool ShiftDouble(Step *step, const Operation *operation, bool left) {
    uint32_t value, count, bits = operation->size * 8u, mask = operation->first.mask;
    uint64_t source = Operation_Get(step, &operation->second), wide;
    if (operation->third.kind == PLACE_IMMEDIATE)
        count = operation->immediate;
    else
        count = step->registers->general[MACHINE_ECX];
    if (!Operation_Modify(step, operation, &value))
        return false;
    count &= 31;
    if (count == 0)
        return true;

    uint32_t result, carry;
    if (left) {
        wide = bits == 16 ? (uint64_t)value << 32 | source << 16 | value
                          : (uint64_t)value << 32 | source;
        uint32_t top = bits == 16 ? 48 : 64;
        carry = (uint32_t)(wide >> (top - count)) & 1;
        result = (uint32_t)(wide >> (top - bits - count)) & mask;
    } else {
        wide = bits == 16 ? (uint64_t)value << 32 | source << 16 | value : source << 32 | value;
        carry = (uint32_t)(wide >> (count - 1)) & 1;
        result = (uint32_t)(wide >> count) & mask;
    }
    if (!Operation_Write(step, operation, result))
        return false;
    /* OF is defined only for a count of 1, for which it says that the sign changed. For other
     * counts, processors apply the rule of SHL and SHR. */
    uint32_t top = bits - 1,
             overflow = left ? carry ^ result >> top : (result ^ result << 1) >> top;
    Flags_Set(step->registers, FLAGS_STATUS,
              Flags_Result(result, operation->sign) | Flag(carry, 0, MACHINE_CF) |
                  Flag(overflow, 0, MACHINE_OF));
    return true;
}

static bool ShiftDoubleLeft(Step *step, const Operation *operation) {
    return ShiftDouble(step, operation, true);
}

static bool ShiftDoubleRight(Step *step, const Operation *operation) {
    return ShiftDouble(step, operation, false);
}

/* BT, BTS, BTR and BTC. If the index is in a register, it is signed, and may lead far away from an
 * operand in memory. An immediate index is taken modulo the size. ZF and the undefined flags stay
 * as they are. */
static inline bool Bit(Step *step, const Operation *operation, ZydisMnemonic mnemonic) {
    uint32_t index, value, bits = operation->size * 8u, address = 0;
    bool memory = operation->first.kind == PLACE_MEMORY, tests = mnemonic == ZYDIS_MNEMONIC_BT;
    if (operation->second.kind == PLACE_IMMEDIATE)
        index = operation->immediate & (bits - 1);
    else
        index = Operation_Get(step, &operation->second);

    if (memory) {
        int32_t far = bits == 16 ? (int16_t)index >> 4 : (int32_t)index >> 5;
        address = Operation_Offset(step, operation, (uint32_t)far * operation->size);
        if (operation->fs)
            address += step->context->fs_base;
        if ((!tests && !Operation_CanStore(step, address, operation->size)) ||
            !Operation_Load(step, address, operation->size, &value))
            return false;
    } else {
        value = Operation_Get(step, &operation->first);
    }

    uint32_t bit = 1u << (index & (bits - 1)), result = value;
    if (mnemonic == ZYDIS_MNEMONIC_BTS)
        result = value | bit;
    else if (mnemonic == ZYDIS_MNEMONIC_BTR)
        result = value & ~bit;
    else if (mnemonic == ZYDIS_MNEMONIC_BTC)
        result = value ^ bit;
    if (!tests && memory && !Operation_Store(step, address, operation->size, result))
        return false;
    if (!tests && !memory)
        Operation_Set(step, &operation->first, result);
    Flags_Set(step->registers, MACHINE_CF, value & bit ? MACHINE_CF : 0);
    return true;
}

static bool BitTest(Step *step, const Operation *operation) {
    return Bit(step, operation, ZYDIS_MNEMONIC_BT);
}

static bool BitSet(Step *step, const Operation *operation) {
    return Bit(step, operation, ZYDIS_MNEMONIC_BTS);
}

static bool BitReset(Step *step, const Operation *operation) {
    return Bit(step, operation, ZYDIS_MNEMONIC_BTR);
}

static bool BitComplement(Step *step, const Operation *operation) {
    return Bit(step, operation, ZYDIS_MNEMONIC_BTC);
}

/* BSF and BSR. If the operand is 0, the destination stays as it was, which manuals of AMD promise.
 * The undefined flags are set by the index, as on one processor of AMD. */
static inline bool Scan(Step *step, const Operation *operation, bool forward) {
    uint32_t value, index = 0;
    if (!Operation_Read(step, operation, &operation->second, &value))
        return false;
    if (value != 0) {
        index = forward ? 0 : 31;
        while (!(value >> index & 1))
            index += forward ? 1 : 0xFFFFFFFFu;
        Operation_Set(step, &operation->first, index);
    }
    uint32_t flags = Flags_Result(index, 0) & MACHINE_PF;
    Flags_Set(step->registers, FLAGS_STATUS, flags | (value == 0 ? MACHINE_ZF : 0));
    return true;
}

static bool ScanForward(Step *step, const Operation *operation) {
    return Scan(step, operation, true);
}

static bool ScanReverse(Step *step, const Operation *operation) {
    return Scan(step, operation, false);
}

Handler Operation_ChooseShift(const ZydisDecodedInstruction *instruction, Operation *operation) {
    (void)operation;
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_ROL:
        return Shift_ROL;
    case ZYDIS_MNEMONIC_ROR:
        return Shift_ROR;
    case ZYDIS_MNEMONIC_RCL:
        return Shift_RCL;
    case ZYDIS_MNEMONIC_RCR:
        return Shift_RCR;
    case ZYDIS_MNEMONIC_SHL:
        return Shift_SHL;
    case ZYDIS_MNEMONIC_SHR:
        return Shift_SHR;
    case ZYDIS_MNEMONIC_SAR:
        return Shift_SAR;
    case ZYDIS_MNEMONIC_SHLD:
        return ShiftDoubleLeft;
    case ZYDIS_MNEMONIC_SHRD:
        return ShiftDoubleRight;
    case ZYDIS_MNEMONIC_BT:
        return BitTest;
    case ZYDIS_MNEMONIC_BTS:
        return BitSet;
    case ZYDIS_MNEMONIC_BTR:
        return BitReset;
    case ZYDIS_MNEMONIC_BTC:
        return BitComplement;
    case ZYDIS_MNEMONIC_BSF:
        return ScanForward;
    case ZYDIS_MNEMONIC_BSR:
        return ScanReverse;
    default:
        return NULL;
    }
}
