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

/* Executes from EIP on until a stop. */
MachineStop Interpreter_Run(Interpreter *interpreter, MachineContext *context);
/* Executes one instruction (a repeated string instruction: all its repetitions that the budget
 * allows). True: it is done and EIP is at the next one. False: `context->fault` is filled. */
bool Interpreter_Step(Interpreter *interpreter, MachineContext *context);

#endif
