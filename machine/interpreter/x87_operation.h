/* Two ways to execute one arithmetic instruction of the x87, with the same result: the processor's
 * own (x87_native.c) and software (x87_soft.c). The exceptions are those of the guest's control
 * word, masked or not, and are left in the status word. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_X87_OPERATION_H
#define RETROPOSE_MACHINE_INTERPRETER_X87_OPERATION_H

#include "machine/interpreter/vectors.h"
#include "ngi32/processor/machine.h"

/* All instructions D8 to DF but those that load, store or initialise the environment, the control
 * word or the status word. */
typedef struct X87Operation {
    unsigned opcode; /* 0xD8 to 0xDF */
    unsigned modrm;
    uint8_t operand[16]; /* in memory: what was loaded, or what is to be stored */
    uint32_t eflags;     /* read by FCMOVcc, written by FCOMI and its like */
} X87Operation;

/* No exception of the status word may be unmasked before. The fields about the last instruction
 * are left alone. Where an exception stays behind that is not masked, and that is found before a
 * result is stored, the memory operand is not to be stored: X87_IsStored. */
#if MACHINE_HAS_X87
void X87Native_Execute(MachineVectors *vectors, X87Operation *operation);
#endif
void X87Soft_Execute(MachineVectors *vectors, X87Operation *operation);

static inline bool X87_IsStored(const MachineVectors *vectors) {
    return (vectors->status & ~vectors->control & X87_EXCEPTIONS & ~X87_INEXACT) == 0;
}

#endif
