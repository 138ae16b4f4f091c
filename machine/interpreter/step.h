/* One instruction that is being executed: what integer.c, x87.c, mmx.c, sse.c and amd3dnow.c share.
 */
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
    Cache *cache; /* which has to forget what is written */
    MachineContext *context;
    MachineRegisters *registers; /* of the context */
    const Decoded *decoded;      /* only for the functions below; others have an Operation */
    uint32_t next;               /* EIP behind the instruction; a jump changes it */
} Step;

/* How an instruction went. Nothing of the guest may have changed unless it is done. */
typedef enum StepEnd {
    STEP_DONE,
    STEP_FAULT,  /* context->fault has code, access and target; the caller adds the address */
    STEP_UNKNOWN /* this file does not know the mnemonic, or not this form of it */
} StepEnd;

/* Processors of 32 bits read what they may write or execute. */
#define STEP_READABLE (MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE)

/* Memory as the guest accesses it. False: the fault is filled, and nothing was written. */
bool Step_Load(Step *step, uint32_t address, void *to, uint32_t size);
bool Step_Store(Step *step, uint32_t address, const void *from, uint32_t size);
/* Whether a store to these addresses would succeed, for instructions that write more than once. */
bool Step_CanStore(Step *step, uint32_t address, uint32_t size);
/* The address of a memory operand, with the base of its segment; wraps at 32 bits. */
uint32_t Step_Address(const Step *step, const ZydisDecodedOperand *operand);
/* Fills the fault of an instruction that faults for another reason than memory. Always false.
 * MACHINE_ACCESS_VIOLATION stands for a general protection fault. */
bool Step_Raise(Step *step, uint32_t code);

/* Each knows its own mnemonics and answers STEP_UNKNOWN for the others. */
StepEnd Step_X87(Step *step);   /* all that begins with D8 to DF, and FWAIT, FXSAVE, FXRSTOR */
StepEnd Step_Mmx(Step *step);   /* what has MMX registers and no other vectors, and EMMS */
StepEnd Step_Sse(Step *step);   /* SSE and SSE2, LDMXCSR, STMXCSR, prefetches and fences */
StepEnd Step_3dnow(Step *step); /* 3DNow! and its extensions, FEMMS */

#endif
