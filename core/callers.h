/* These functions surround a call of something that the caller of a public function has brought
 * along: its allocator, its sinks and its other functions. Such a call may leave by a jump, as a
 * C++ exception does, so it must not run under floating-point modes of ours. Where a public
 * function has changed the modes (ngi32/processor/modes.h), they are changed back around the call:
 *
 *     const bool changed = Callers_Enter();
 *     ...one call...
 *     Callers_Leave(changed);
 */
#ifndef RETROPOSE_CORE_CALLERS_H
#define RETROPOSE_CORE_CALLERS_H

#include <stdbool.h>

/* With true, puts the caller's modes in force; with false, puts ours in force again. Returns
 * whether that has changed the modes of this thread. */
typedef bool CallersSwitch(bool callers);

/* This pointer is null until a thread changes its modes. Programs that never do so, such as the two
 * DLLs, therefore need not contain the function that it points to. */
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
