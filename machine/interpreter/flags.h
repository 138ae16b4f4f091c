/* The flags of integer arithmetic. `mask` has as many low bits as the operands, and `sign` is the
 * highest of them. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_FLAGS_H
#define RETROPOSE_MACHINE_INTERPRETER_FLAGS_H

#include "machine/processor/context.h"

#define FLAGS_STATUS (MACHINE_CF | MACHINE_PF | MACHINE_AF | MACHINE_ZF | MACHINE_SF | MACHINE_OF)

/* Returns SF, ZF and PF of a result. PF says that the low byte has an even number of ones. Bit n of
 * 0x9669 says the same of the number n. */
static inline uint32_t Flags_Result(uint32_t result, uint32_t sign) {
    uint32_t parity = 0x9669u >> ((result ^ result >> 4) & 15) & 1;
    return parity * MACHINE_PF | (result == 0) * MACHINE_ZF | ((result & sign) != 0) * MACHINE_SF;
}

/* Returns all six flags of a sum. A bit of `carries` is set if this bit of the sum carried. */
static inline uint32_t Flags_Sum(uint32_t left, uint32_t right, uint32_t sum, uint32_t sign) {
    uint32_t carries = (left & right) | ((left | right) & ~sum);
    uint32_t overflow = (left ^ sum) & (right ^ sum) & sign;
    return Flags_Result(sum, sign) | ((carries & sign) != 0) * MACHINE_CF |
           (carries << 1 & MACHINE_AF) | (overflow != 0) * MACHINE_OF;
}

/* Returns all six flags of a difference. A bit of `borrows` is set if this bit borrowed. */
static inline uint32_t Flags_Difference(uint32_t left, uint32_t right, uint32_t difference,
                                        uint32_t sign) {
    uint32_t borrows = (~left & right) | ((~left | right) & difference);
    uint32_t overflow = (left ^ right) & (left ^ difference) & sign;
    return Flags_Result(difference, sign) | ((borrows & sign) != 0) * MACHINE_CF |
           (borrows << 1 & MACHINE_AF) | (overflow != 0) * MACHINE_OF;
}

static inline void Flags_Set(MachineRegisters *registers, uint32_t which, uint32_t flags) {
    registers->eflags = (registers->eflags & ~which) | (flags & which);
}

#endif
