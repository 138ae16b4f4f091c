/* Executes a guest's instructions one by one, in C that runs on every host. The translator hands
 * over to it what it does not carry over itself, and whoever watches instructions uses nothing
 * else. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_INTERPRETER_H
#define RETROPOSE_MACHINE_INTERPRETER_INTERPRETER_H

#include "machine/processor/context.h"

typedef struct Interpreter Interpreter;

/* An interpreter keeps decoded instructions of one memory. */
RpStatus Interpreter_Create(MachineMemory *memory, Interpreter **interpreter, RpError *error);
void Interpreter_Destroy(Interpreter *interpreter);
/* Forgets what was decoded at these addresses. To be called where code changes that did not pass
 * through the interpreter itself (its own writes it notices). */
void Interpreter_Forget(Interpreter *interpreter, uint32_t address, uint32_t size);

/* What each answer of RDTSC adds to the clock of the context. */
#define INTERPRETER_CLOCK_STEP 100u

/* How the exceptions are stated that leave a choice. INT3, INT n and INTO: EIP is at the
 * instruction, as Windows has it for the first and the last. ICEBP, and any instruction that ran
 * with TF set: the exception is a trap, so EIP and the fault's address are behind the instruction;
 * TF is cleared, as Windows does. A general protection fault is an access violation, a read at
 * 0xFFFFFFFF. */

/* Executes from EIP on until a stop. */
MachineStop Interpreter_Run(Interpreter *interpreter, MachineContext *context);
/* Executes one instruction, also with a budget of 0. True: it is done, and EIP is at the next one;
 * of a repeated string instruction as many repetitions are done as the budget allows, at least one,
 * and EIP stays where some are left. False: `context->fault` is filled. It notices by itself where
 * the bytes of this instruction have changed since it was decoded. */
bool Interpreter_Step(Interpreter *interpreter, MachineContext *context);

#endif
