/* Carries a guest's instructions over into 64-bit code that the processor executes itself, block by
 * block, so that the bits of x87 and SSE are the processor's own. Linux on x86-64 only; elsewhere
 * Translator_Create answers RP_UNSUPPORTED, and the interpreter runs everything. */
#ifndef RETROPOSE_MACHINE_TRANSLATOR_TRANSLATOR_H
#define RETROPOSE_MACHINE_TRANSLATOR_TRANSLATOR_H

#include "machine/interpreter/interpreter.h"

typedef struct Translator Translator;

/* The memory must have a window. The interpreter executes what is not carried over; it must
 * outlive the translator. */
RpStatus Translator_Create(MachineMemory *memory, Interpreter *interpreter, Translator **translator,
                           RpError *error);
void Translator_Destroy(Translator *translator);
/* Drops all translated code, for example after the memory was brought back to a saved state. */
void Translator_Forget(Translator *translator);

/* Executes from EIP on until a stop, as Interpreter_Run does. Signals of the host that are caused
 * by guest code become its faults; other threads and other machines in the process may run
 * meanwhile. Not reentrant on one translator. */
MachineStop Translator_Run(Translator *translator, MachineContext *context);

#endif
