/* Translates a guest's instructions, block by block, into 64-bit code that the processor executes
 * itself. The bits of x87 and SSE are therefore the processor's own. This works on Linux for x86-64
 * only. Elsewhere Translator_Create returns RP_UNSUPPORTED, and the interpreter executes
 * everything. */
#ifndef RETROPOSE_MACHINE_TRANSLATOR_TRANSLATOR_H
#define RETROPOSE_MACHINE_TRANSLATOR_TRANSLATOR_H

#include "machine/interpreter/interpreter.h"

typedef struct Translator Translator;

/* The memory must have a window, and no other translator. The interpreter executes the instructions
 * that are not carried over; both must outlive the translator. The translator sets its own write
 * hook, to see writes to code that it has translated, and passes all others on to the hook that the
 * memory had.
 *
 * After a run, the thread's base of GS stays the window, unless it was neither 0 nor the window of
 * another guest before; then it is restored. A child process cannot use the translators of its
 * parent, and has to make its own. */
RpStatus Translator_Create(MachineMemory *memory, Interpreter *interpreter, Translator **translator,
                           RpError *error);
void Translator_Destroy(Translator *translator);
/* Drops all translated code, for example after the memory was restored. */
void Translator_Forget(Translator *translator);

/* Executes instructions from EIP on until something stops the run, as Interpreter_Run does. Signals
 * of the host that guest code causes become its faults. Other threads, and other machines in the
 * process, may run meanwhile. One translator must not be run again while it runs. */
MachineStop Translator_Run(Translator *translator, MachineContext *context);

/* While a guest runs, the host's signals wait, except for those that the guest causes, because
 * their handlers cannot run on the guest's stack. Each run needs some system calls for that. A
 * caller with many short runs can hold the thread around all of them; signals then wait until the
 * thread is released. Calls nest. Returns false, with nothing held, if the host refuses. */
bool Translator_Hold(void);
void Translator_Release(void);

#endif
