/* The processor of the machine: registers of a guest's thread, how a run ends, and what the two
 * ways to execute (machine/interpreter, machine/translator) have in common. */
#ifndef RETROPOSE_MACHINE_PROCESSOR_CONTEXT_H
#define RETROPOSE_MACHINE_PROCESSOR_CONTEXT_H

#include "machine/memory/memory.h"
#include "machine/processor/profile.h"

/* Numbers of `general`, as instructions have them. */
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

/* x87, MMX, SSE and MXCSR, laid out as FXSAVE lays them out in 32-bit mode, so that a processor
 * that has the instruction can load and store it. */
typedef struct MachineVectors {
    uint16_t control, status;
    uint8_t tags; /* one bit a register, by number and not by place on the stack: 1 is in use */
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
    uint32_t eflags; /* without MACHINE_FIXED and MACHINE_IF, which readers add */
} MachineRegisters;

/* Codes of exceptions, as Windows has them. */
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
/* Of every SSE exception in 32-bit code, whichever it is: seen under Windows by Wine's tests of
 * exceptions. The handler has to look at MXCSR. */
#define MACHINE_FLOAT_TRAPS    0xC00002B5u
#define MACHINE_STACK_OVERFLOW 0xC00000FDu
#define MACHINE_BREAKPOINT     0x80000003u
#define MACHINE_SINGLE_STEP    0x80000004u
/* Ours: an instruction that the interpreter does not know. It is no exception that a processor
 * has, so a call that ends with it is `unsupported`. */
#define MACHINE_UNKNOWN_INSTRUCTION 0xE0525031u

typedef struct MachineFault {
    uint32_t code;    /* one of the above */
    uint32_t address; /* of the instruction */
    uint32_t access;  /* of an access violation: MACHINE_READ, _WRITE or _EXECUTE; else 0 */
    uint32_t target;  /* and the address that was accessed; 0xFFFFFFFF for a general protection
                         fault, as Windows states it (a misaligned MOVAPS, for one) */
} MachineFault;

/* Addresses that stand for code outside of the guest. A run stops where EIP is in this range,
 * before anything is fetched there. No memory is ever mapped here. */
#define MACHINE_GATES     0xFFF00000u
#define MACHINE_GATES_END 0xFFFF0000u
#define MACHINE_GATE_STEP 16u

typedef enum MachineStop {
    MACHINE_STOP_GATE,  /* EIP is a gate */
    MACHINE_STOP_FAULT, /* `fault` is filled; registers are as before the instruction, EIP at it */
    MACHINE_STOP_BUDGET /* as many instructions as `budget` allowed were executed, or a few more */
} MachineStop;

typedef struct MachineContext {
    MachineRegisters registers;
    MachineMemory *memory;
    const MachineProfile *profile;
    uint32_t fs_base; /* the thread's block, in guest addresses */
    uint64_t budget;  /* instructions that may still be executed; each run counts it down. A
                         repeated string instruction counts once for each repetition. */
    uint64_t clock;   /* what rdtsc answers; each answer adds to it */
    MachineFault fault;
} MachineContext;

/* The state that Windows gives a new thread: general registers 0, flags 0, control word 027F,
 * empty x87 stack, MXCSR 1F80. */
void MachineRegisters_Init(MachineRegisters *registers);

#endif
