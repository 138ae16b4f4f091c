/* Executes one instruction in two ways: by the processor, in 64-bit mode, and by the interpreter.
 * The memory operand of the instruction, if it has one, is where EDX points. */
#ifndef TESTS_MACHINE_INTERPRETER_NATIVE_H
#define TESTS_MACHINE_INTERPRETER_NATIVE_H

#include "machine/interpreter/interpreter.h"
#include "machine/interpreter/vector_registers.h"

enum { NATIVE_MEMORY = 512 };

/* The state that an instruction can see and change. The vectors come first, because the generated
 * code finds the fields by their offsets. */
typedef struct NativeState {
    _Alignas(16) MachineVectors vectors;
    uint64_t operand_address, eflags, eax, edi;
    uint32_t host_mxcsr;
    _Alignas(16) uint8_t memory[NATIVE_MEMORY];
} NativeState;

/* The address of the memory for the interpreter: at the end of a page after which there is none. */
#define NATIVE_ADDRESS (0x00011000u - NATIVE_MEMORY)
#define NATIVE_CODE    0x00401000u

/* Set up and clean up a group of tests. */
int Native_Begin(void **state);
int Native_End(void **state);
/* Returns whether the host can execute code that a test makes, and its instructions are those of
 * x86. */
bool Native_CanExecute(void);
/* Chooses the instruction. Returns false if the decoder does not know it. The processor may execute
 * it only if `execute` is set. */
bool Native_Choose(const uint8_t *bytes, size_t size, bool execute);
const Decoded *Native_Decoded(void);
/* Executes the instruction by the processor. Returns false if it raised SIGFPE; `vectors` is then
 * as it was at that moment. */
bool Native_Execute(NativeState *state, uint32_t offset);
/* Executes the instruction by the interpreter, with the operand at an offset of the memory. Returns
 * false if it faulted; `fault` says why. */
bool Native_Interpret(NativeState *state, uint32_t offset, const MachineProfile *profile,
                      MachineFault *fault);

/* Gives the same numbers in each run, in a distribution that finds mistakes: special values, values
 * near each other, halfway values and anything. */
uint64_t Native_Random(void);
uint32_t Native_Random32(void);
uint64_t Native_Random64(void);
void Native_Random80(uint8_t to[10]);
/* Gives a state of the x87 with tags, TOP and flags of all kinds, of which no exception is
 * pending. */
void Native_RandomX87(NativeState *state, bool masked);

#endif
