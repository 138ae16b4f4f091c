/* Exceptions as Windows dispatches them to code of 32 bits: to the handlers that were added for the
 * process, then along the chain of frames that begins at FS:[0]. All that a dispatch has to
 * remember lies on the guest's stack, where Windows has it as well: a handler that leaves by a jump
 * leaves nothing behind. */
#ifndef RETROPOSE_MACHINE_EXCEPTIONS_H
#define RETROPOSE_MACHINE_EXCEPTIONS_H

#include "machine/machine.h"

#define MACHINE_EXCEPTION_PARAMETERS 15

typedef struct MachineException {
    uint32_t code, flags, address, count;
    uint32_t parameters[MACHINE_EXCEPTION_PARAMETERS];
} MachineException;

/* Goes on with the first handler. False: there is none, or no room for what it is given. */
bool Exceptions_Dispatch(Machine *machine, const MachineException *exception);
/* Goes on after a handler's return to its gate. False: nobody takes the exception, and the
 * context's fault and registers are those of its begin. */
bool Exceptions_AfterHandler(Machine *machine);
bool Exceptions_AfterVectored(Machine *machine);
bool Exceptions_AfterUnwound(Machine *machine);

/* For services. RaiseException: as if at the return address. RtlUnwind. */
void Exceptions_Raise(Machine *machine, uint32_t popped, const MachineException *exception);
void Exceptions_Unwind(Machine *machine);
/* Returns whether there was room. */
bool Exceptions_AddVectored(Machine *machine, uint32_t handler, bool first);
bool Exceptions_RemoveVectored(Machine *machine, uint32_t handler);

#endif
