/* Executes a guest's instructions one by one, in C that runs on every host. The translator leaves
 * to it the instructions that it cannot carry over. Users who want to see each instruction use the
 * interpreter alone. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_INTERPRETER_H
#define RETROPOSE_MACHINE_INTERPRETER_INTERPRETER_H

#include "machine/processor/context.h"

typedef struct Interpreter Interpreter;

/* The interpreter keeps decoded instructions of this one memory. */
RpStatus Interpreter_Create(MachineMemory *memory, Interpreter **interpreter, RpError *error);
void Interpreter_Destroy(Interpreter *interpreter);
/* Forgets the decoded instructions at these addresses. Call it when code has changed. The
 * interpreter itself notices only its own writes. */
void Interpreter_Forget(Interpreter *interpreter, uint32_t address, uint32_t size);

/* How much each RDTSC adds to the clock of the context. */
#define INTERPRETER_CLOCK_STEP 100u

/* The following exceptions can be reported in more than one way. INT3, INT n and INTO: EIP is at
 * the instruction, as Windows reports the first and the last of them. ICEBP, and any instruction
 * that ran with TF set: the exception is a trap, so EIP and the fault's address are behind the
 * instruction, and TF is cleared, as in Windows. A general protection fault is an access violation
 * that reads at 0xFFFFFFFF. */

/* Executes instructions from EIP on until something stops the run. */
MachineStop Interpreter_Run(Interpreter *interpreter, MachineContext *context);
/* Executes one instruction, even with a budget of 0. Returns true when it is done, and EIP is at
 * the next one. Of a repeated string instruction, as many repetitions are done as the budget
 * allows, but at least one; if some are left, EIP stays at the instruction. Returns false, with
 * `context->fault` filled, if the instruction faults. This function notices by itself when the
 * instruction's bytes have changed since they were decoded. */
bool Interpreter_Step(Interpreter *interpreter, MachineContext *context);

#endif
