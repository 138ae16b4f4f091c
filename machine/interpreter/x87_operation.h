/* Two ways to execute one arithmetic instruction of the x87, with the same result: by the processor
 * (x87_native.c) and in software (x87_soft.c). Exceptions, which the guest's control word may mask
 * or not, are left in the status word. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_X87_OPERATION_H
#define RETROPOSE_MACHINE_INTERPRETER_X87_OPERATION_H

#include "machine/interpreter/vector_registers.h"
#include "ngi32/processor/in_software.h"

/* Any instruction from D8 to DF except those that load, store or initialise the environment, the
 * control word or the status word. */
typedef struct X87Operation {
    unsigned opcode; /* 0xD8 to 0xDF */
    unsigned modrm;
    uint8_t operand[16]; /* the operand in memory: what was loaded, or what is to be stored */
    uint32_t eflags;     /* read by FCMOVcc, written by FCOMI and the like */
} X87Operation;

/* Before the instruction, the status word must not have an exception that is not masked. The fields
 * about the last instruction are left as they are. If the instruction leaves such an exception, and
 * it was found before a result is stored, the memory operand must not be stored: X87_IsStored
 * tells. */
#if MACHINE_HAS_X87
void X87Native_Execute(MachineVectors *vectors, X87Operation *operation);
#endif
void X87Soft_Execute(MachineVectors *vectors, X87Operation *operation);

static inline bool X87_IsStored(const MachineVectors *vectors) {
    return (vectors->status & ~vectors->control & X87_EXCEPTIONS & ~X87_INEXACT) == 0;
}

#endif
