/* Dispatches exceptions as Windows does for 32-bit code: first to the handlers that were added for
 * the process, then along the chain of frames that begins at FS:[0]. Everything that a dispatch has
 * to remember is on the guest's stack, as in Windows, so nothing has to be cleaned up when a
 * handler leaves by a jump. */
#ifndef RETROPOSE_MACHINE_EXCEPTIONS_H
#define RETROPOSE_MACHINE_EXCEPTIONS_H

#include "machine/x86_machine.h"

#define MACHINE_EXCEPTION_PARAMETERS 15

typedef struct MachineException {
    uint32_t code, flags, address, count;
    uint32_t parameters[MACHINE_EXCEPTION_PARAMETERS];
} MachineException;

/* Continues with the first handler. Returns false when there is none, or no room for its
 * arguments. */
bool Exceptions_Dispatch(Machine *machine, const MachineException *exception);
/* Continues after a handler has returned to its gate. Returns false when no handler takes the
 * exception; the context then has the fault and the registers with which it began. */
bool Exceptions_AfterHandler(Machine *machine);
bool Exceptions_AfterVectored(Machine *machine);
bool Exceptions_AfterUnwound(Machine *machine);

/* These are called by services. Exceptions_Raise does what RaiseException does: the exception has
 * the return address. Exceptions_Unwind does what RtlUnwind does. */
void Exceptions_Raise(Machine *machine, uint32_t popped, const MachineException *exception);
void Exceptions_Unwind(Machine *machine);
/* Returns false when there is no room. */
bool Exceptions_AddVectored(Machine *machine, uint32_t handler, bool first);
bool Exceptions_RemoveVectored(Machine *machine, uint32_t handler);

#endif
