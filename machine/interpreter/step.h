/* One instruction that is being executed. integer.c, x87.c, mmx.c, sse.c and amd3dnow.c share
 * this. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_STEP_H
#define RETROPOSE_MACHINE_INTERPRETER_STEP_H

#include "machine/processor/context.h"

#include <Zydis/Zydis.h>

typedef struct Cache Cache; /* machine/interpreter/cache.h */

typedef struct Decoded {
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
} Decoded;

typedef struct Step {
    Cache *cache; /* must forget what is written */
    MachineContext *context;
    MachineRegisters *registers; /* the registers of the context */
    const Decoded *decoded; /* for the functions below only; other instructions have an Operation */
    uint32_t next;          /* EIP after the instruction; a jump changes it */
} Step;

/* How an instruction ended. Unless it is done, nothing of the guest may have changed. */
typedef enum StepEnd {
    STEP_DONE,
    STEP_FAULT,  /* context->fault has code, access and target; the caller adds the address */
    STEP_UNKNOWN /* this file does not know the mnemonic, or not this form of it */
} StepEnd;

/* The rights that allow reading. 32-bit processors can read what they may write or execute. */
#define STEP_READABLE (MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE)

/* These access memory as the guest does. They return false, with the fault filled and nothing
 * written, if the guest may not do so. */
bool Step_Load(Step *step, uint32_t address, void *to, uint32_t size);
bool Step_Store(Step *step, uint32_t address, const void *from, uint32_t size);
/* Returns whether a store to these addresses would succeed. It is for instructions that write more
 * than once. */
bool Step_CanStore(Step *step, uint32_t address, uint32_t size);
/* Returns the address of a memory operand, including the base of its segment. It wraps at 32
 * bits. */
uint32_t Step_Address(const Step *step, const ZydisDecodedOperand *operand);
/* Fills the fault of an instruction that faults for a reason other than memory. Always returns
 * false. MACHINE_ACCESS_VIOLATION stands for a general protection fault. */
bool Step_Raise(Step *step, uint32_t code);

/* Each of these knows its own mnemonics, and returns STEP_UNKNOWN for the others. */
StepEnd Step_X87(Step *step);   /* all that begins with D8 to DF, and FWAIT, FXSAVE, FXRSTOR */
StepEnd Step_Mmx(Step *step);   /* instructions with MMX registers and no other vectors, and EMMS */
StepEnd Step_Sse(Step *step);   /* SSE and SSE2, LDMXCSR, STMXCSR, prefetches and fences */
StepEnd Step_3dnow(Step *step); /* 3DNow! and its extensions, FEMMS */

#endif
