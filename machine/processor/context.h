/* The processor of the machine: the registers of a guest's thread, how a run ends, and what the two
 * engines (machine/interpreter, machine/translator) have in common. */
#ifndef RETROPOSE_MACHINE_PROCESSOR_CONTEXT_H
#define RETROPOSE_MACHINE_PROCESSOR_CONTEXT_H

#include "machine/memory/machine_memory.h"
#include "machine/processor/profile.h"
#include "machine/processor/reached.h"

/* Indices of `general`, which are the numbers of registers in instructions. */
enum {
    MACHINE_EAX,
    MACHINE_ECX,
    MACHINE_EDX,
    MACHINE_EBX,
    MACHINE_ESP,
    MACHINE_EBP,
    MACHINE_ESI,
    MACHINE_EDI
};

/* Flags of EFLAGS. */
#define MACHINE_CF    0x00000001u
#define MACHINE_FIXED 0x00000002u /* always set */
#define MACHINE_PF    0x00000004u
#define MACHINE_AF    0x00000010u
#define MACHINE_ZF    0x00000040u
#define MACHINE_SF    0x00000080u
#define MACHINE_TF    0x00000100u
#define MACHINE_IF    0x00000200u /* always set, and user code cannot change it */
#define MACHINE_DF    0x00000400u
#define MACHINE_OF    0x00000800u
#define MACHINE_NT    0x00004000u
#define MACHINE_AC    0x00040000u
#define MACHINE_ID    0x00200000u

/* x87, MMX, SSE and MXCSR, in the layout of FXSAVE in 32-bit mode, so that a processor that has the
 * instruction can load and store it. */
typedef struct MachineVectors {
    uint16_t control, status;
    uint8_t tags; /* a bit for each register, by number, not place on the stack: 1 is in use */
    uint8_t unused0;
    uint16_t opcode;
    uint32_t instruction, instruction_selector;
    uint32_t data, data_selector;
    uint32_t mxcsr, mxcsr_mask;
    uint8_t st[8][16]; /* by place on the stack, ST(0) first; 10 bytes each */
    uint8_t xmm[8][16];
    uint8_t unused1[224];
} MachineVectors;
_Static_assert(sizeof(MachineVectors) == 512, "FXSAVE's");

typedef struct MachineRegisters {
    _Alignas(16) MachineVectors vectors;
    uint32_t general[8];
    uint32_t eip;
    uint32_t eflags; /* without MACHINE_FIXED and MACHINE_IF, which the code that reads it adds */
} MachineRegisters;

/* Codes of exceptions, as in Windows. */
#define MACHINE_ACCESS_VIOLATION 0xC0000005u
#define MACHINE_IN_PAGE_ERROR    0xC0000006u
#define MACHINE_ILLEGAL          0xC000001Du
#define MACHINE_FLOAT_DENORMAL   0xC000008Du
#define MACHINE_FLOAT_DIVIDE     0xC000008Eu
#define MACHINE_FLOAT_INEXACT    0xC000008Fu
#define MACHINE_FLOAT_INVALID    0xC0000090u
#define MACHINE_FLOAT_OVERFLOW   0xC0000091u
#define MACHINE_FLOAT_STACK      0xC0000092u
#define MACHINE_FLOAT_UNDERFLOW  0xC0000093u
#define MACHINE_INTEGER_DIVIDE   0xC0000094u
#define MACHINE_INTEGER_OVERFLOW 0xC0000095u
#define MACHINE_PRIVILEGED       0xC0000096u
/* The code of every SSE exception in 32-bit code, which Wine's tests of exceptions have seen under
 * Windows. A handler has to look at MXCSR to know which exception it is. */
#define MACHINE_FLOAT_TRAPS    0xC00002B5u
#define MACHINE_STACK_OVERFLOW 0xC00000FDu
#define MACHINE_BREAKPOINT     0x80000003u
#define MACHINE_SINGLE_STEP    0x80000004u
/* A code of our own: an instruction that the interpreter does not know. No processor has such an
 * exception, so a call that ends with it is `unsupported`. */
#define MACHINE_UNKNOWN_INSTRUCTION 0xE0525031u

typedef struct MachineFault {
    uint32_t code;    /* one of the above */
    uint32_t address; /* address of the instruction */
    uint32_t access;  /* kind of an access violation: MACHINE_READ, _WRITE or _EXECUTE; else 0 */
    uint32_t target; /* the address that was accessed; 0xFFFFFFFF for a general protection fault, as
                        in Windows (for example, of a misaligned MOVAPS) */
} MachineFault;

/* Addresses that stand for code outside of the guest. A run stops when EIP is in this range, before
 * anything is fetched there. No memory is ever mapped here. */
#define MACHINE_GATES     0xFFF00000u
#define MACHINE_GATES_END 0xFFFF0000u
#define MACHINE_GATE_STEP 16u

typedef enum MachineStop {
    MACHINE_STOP_GATE,  /* EIP is a gate */
    MACHINE_STOP_FAULT, /* `fault` is filled; registers are as before the instruction, at which EIP
                           is */
    MACHINE_STOP_BUDGET /* as many instructions as `budget` allowed, or a few more, were executed */
} MachineStop;

typedef struct MachineContext {
    MachineRegisters registers;
    MachineMemory *memory;
    const MachineProfile *profile;
    uint32_t fs_base; /* guest's address of the thread's block */
    uint64_t budget;  /* number of instructions that may still be executed; each run counts it down.
                         A repeated string instruction counts once for each repetition. */
    uint64_t clock;   /* the result of the next RDTSC; each RDTSC adds to it */
    MachineFault fault;
    const MachineReached *reached; /* gets which code runs; null: nobody asks */
} MachineContext;

/* Sets the state that Windows gives a new thread: general registers 0, flags 0, control word 027F,
 * empty x87 stack, MXCSR 1F80. */
void MachineRegisters_Init(MachineRegisters *registers);

#endif
