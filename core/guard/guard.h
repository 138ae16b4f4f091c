/* A run that may crash: for shadow mode in our DLLs, and for the host. 32-bit Windows, without a C
 * runtime. */
#ifndef RETROPOSE_CORE_GUARD_GUARD_H
#define RETROPOSE_CORE_GUARD_GUARD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct GuardFault {
    uint32_t code, address; /* of the exception */
} GuardFault;

/* False, and what happened, when `run` ends in an exception that it does not handle itself: also
 * one that cannot be continued, as a throw of C++, and an overflow of the stack, which leaves the
 * thread ready for the next one. Frames of `run` are dropped, nothing of them is cleaned up. After
 * an exception the x87 is as after `fninit`; MXCSR is as it was then. */
bool Guard_Run(void (*run)(void *context), void *context, GuardFault *fault);

#endif
