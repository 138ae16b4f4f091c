/* Runs code that may crash, for shadow mode in our DLLs and for the host process. It is for 32-bit
 * Windows and needs no C runtime. */
#ifndef RETROPOSE_CORE_GUARD_GUARD_H
#define RETROPOSE_CORE_GUARD_GUARD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct GuardFault {
    uint32_t code, address; /* code and address of the exception */
} GuardFault;

/* Calls `run`. The result is false, with what happened in *fault, when `run` ends in an exception
 * that it does not handle itself. This includes exceptions that cannot be continued, such as a
 * throw of C++, and an overflow of the stack, after which the thread is ready for another overflow.
 * The stack frames of `run` are dropped without cleaning up. After an exception the x87 is as after
 * `fninit`, and MXCSR is as it was at the exception. */
bool Guard_Run(void (*run)(void *context), void *context, GuardFault *fault);

#endif
