/* Carries a guest's instructions over into 64-bit code that the processor executes itself, block by
 * block, so that the bits of x87 and SSE are the processor's own. Linux on x86-64 only; elsewhere
 * Translator_Create answers RP_UNSUPPORTED, and the interpreter runs everything. */
#ifndef RETROPOSE_MACHINE_TRANSLATOR_TRANSLATOR_H
#define RETROPOSE_MACHINE_TRANSLATOR_TRANSLATOR_H

#include "machine/interpreter/interpreter.h"

typedef struct Translator Translator;

/* The memory must have a window, and no other translator. The interpreter executes what is not
 * carried over; both must outlive the translator. It puts itself in front of the memory's write
 * hook, to see writes into code that it translated, and hands on to it what does not concern that.
 *
 * The thread's base of GS is the window's after a run, unless it was neither 0 nor that of another
 * guest's window; then it is brought back. A child that a process forks cannot use the translators
 * that the process had, and has to make its own. */
RpStatus Translator_Create(MachineMemory *memory, Interpreter *interpreter, Translator **translator,
                           RpError *error);
void Translator_Destroy(Translator *translator);
/* Drops all translated code, for example after the memory was brought back to a saved state. */
void Translator_Forget(Translator *translator);

/* Executes from EIP on until a stop, as Interpreter_Run does. Signals of the host that are caused
 * by guest code become its faults; other threads and other machines in the process may run
 * meanwhile. Not reentrant on one translator. */
MachineStop Translator_Run(Translator *translator, MachineContext *context);

/* While a guest runs, signals of the host wait, except those that the guest causes, for its stack
 * is no place for their handlers. That takes some system calls for each run; whoever has many short
 * runs holds the thread around all of them, and signals wait until it is released. Calls nest.
 * False: the host refused, and nothing is held. */
bool Translator_Hold(void);
void Translator_Release(void);

#endif
