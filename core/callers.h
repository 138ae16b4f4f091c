/* Calls of what the caller of a public function has brought along: its allocator, its sinks and its
 * other functions. Such a function may leave by a jump, as a C++ exception does, and so must not
 * run under floating-point modes of ours. Where a public function has changed the modes
 * (ngi32/processor/modes.h), they are changed back around the call:
 *
 *     const bool changed = Callers_Enter();
 *     ...one call...
 *     Callers_Leave(changed);
 */
#ifndef RETROPOSE_CORE_CALLERS_H
#define RETROPOSE_CORE_CALLERS_H

#include <stdbool.h>

/* Puts the caller's modes in force, or, with false, ours again, and returns whether the modes of
 * this thread have changed. */
typedef bool CallersSwitch(bool callers);

/* Null until a thread changes its modes: programs that never do, such as the two DLLs, need not
 * contain what is behind this. */
extern CallersSwitch *callers_switch;

static inline bool Callers_Enter(void) {
    CallersSwitch *change = __atomic_load_n(&callers_switch, __ATOMIC_RELAXED);
    return change && change(true);
}

static inline void Callers_Leave(bool changed) {
    if (changed)
        __atomic_load_n(&callers_switch, __ATOMIC_RELAXED)(false);
}

#endif
