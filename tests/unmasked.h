/* Calls in a thread that has floating-point exceptions unmasked, as `feenableexcept` and the
 * runtimes of Delphi and Borland's compilers leave it:
 *
 *     Unmasked thread = Unmasked_Begin(unmasked, sticky);
 *     ...one call...
 *     Unmasked_End(thread, which);
 */
#ifndef RETROPOSE_TESTS_UNMASKED_H
#define RETROPOSE_TESTS_UNMASKED_H

#include "replay/composed/rounding.h"
#include "tests/test.h"

/* The environment as `fnstenv` stores it, which masks all exceptions and changes nothing else. */
typedef struct X87Environment {
    uint16_t control, gap0, status, gap1, tags, gap2;
    uint32_t places[4];
} X87Environment;

typedef struct Unmasked {
    Rounding before;
    uint16_t control;
    uint32_t mxcsr;
    unsigned unmasked, sticky;
} Unmasked;

enum { EXCEPTIONS = 0x3F, X87_EXCEPTION_FLAGS = 0x7F };

static inline X87Environment TakeX87Environment(void) {
    X87Environment environment;
    __asm__ volatile("fnstenv %0" : "=m"(environment) : : "memory");
    return environment;
}

/* Unmasks some of the six exceptions, given by their bits in the words, in x87 and SSE. The
 * exceptions in `sticky` count as raised before. */
static inline Unmasked Unmasked_Begin(unsigned unmasked, unsigned sticky) {
    const Unmasked thread = {Rounding_Get(), (uint16_t)(0x037F & ~unmasked),
                             (0x1F80u & ~(unmasked << 7)) | sticky, unmasked, sticky};
    X87Environment environment = TakeX87Environment();
    environment.control = thread.control;
    environment.status = (uint16_t)((environment.status & ~0x80FFu) | sticky);
    __asm__ volatile("ldmxcsr %0" : : "m"(thread.mxcsr));
    __asm__ volatile("fldenv %0" : : "m"(environment) : "memory");
    return thread;
}

/* Demands that the call has left modes and flags as they were. */
static inline void Unmasked_End(Unmasked thread, int call) {
    const X87Environment found = TakeX87Environment();
    const uint32_t mxcsr = Rounding_Get().mxcsr;
    __asm__ volatile("fnclex");
    Rounding_Set(thread.before);
    if (found.control != thread.control || mxcsr != thread.mxcsr ||
        (found.status & X87_EXCEPTION_FLAGS) != thread.sticky)
        fail_msg(
            "call %d, with the exceptions %02X unmasked and %02X raised before: control word %04X, "
            "flags %02X, MXCSR %04X",
            call, thread.unmasked, thread.sticky, found.control, found.status & X87_EXCEPTION_FLAGS,
            (unsigned)mxcsr);
}

#endif
