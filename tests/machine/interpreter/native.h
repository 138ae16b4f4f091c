/* Executes one instruction both ways: by the processor, in 64-bit mode, and by the interpreter. Its
 * memory operand, if it has one, is where EDX points. */
#ifndef TESTS_MACHINE_INTERPRETER_NATIVE_H
#define TESTS_MACHINE_INTERPRETER_NATIVE_H

#include "machine/interpreter/interpreter.h"
#include "machine/interpreter/vectors.h"

enum { NATIVE_MEMORY = 512 };

/* What an instruction can see and change. The vectors come first, as the generated code finds the
 * fields by their places. */
typedef struct NativeState {
    _Alignas(16) MachineVectors vectors;
    uint64_t operand_address, eflags, eax, edi;
    uint32_t host_mxcsr;
    _Alignas(16) uint8_t memory[NATIVE_MEMORY];
} NativeState;

/* Where the memory is for the interpreter: at the end of a page behind which there is none. */
#define NATIVE_ADDRESS (0x00011000u - NATIVE_MEMORY)
#define NATIVE_CODE    0x00401000u

/* Set up and clean up a group of tests. */
int Native_Begin(void **state);
int Native_End(void **state);
/* Whether the host can execute code that a test makes, and its instructions are those of x86. */
bool Native_CanExecute(void);
/* Chooses the instruction. False: the decoder does not know it. Only with `execute` the processor
 * may execute it. */
bool Native_Choose(const uint8_t *bytes, size_t size, bool execute);
const Decoded *Native_Decoded(void);
/* Executes by the processor. False: it raised SIGFPE, and `vectors` is as it was then. */
bool Native_Execute(NativeState *state, uint32_t offset);
/* Executes by the interpreter, with the operand at an offset of the memory. False: `fault` says
 * why. */
bool Native_Interpret(NativeState *state, uint32_t offset, const MachineProfile *profile,
                      MachineFault *fault);

/* Numbers without chance, in the distribution that finds mistakes: special values, values near
 * each other, halfway values and anything. */
uint64_t Native_Random(void);
uint32_t Native_Random32(void);
uint64_t Native_Random64(void);
void Native_Random80(uint8_t to[10]);
/* A state of the x87 with tags, TOP and flags of all kinds, none of which is pending. */
void Native_RandomX87(NativeState *state, bool masked);

#endif
