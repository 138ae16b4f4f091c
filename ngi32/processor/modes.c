#include "ngi32/processor/modes.h"

#include "core/callers.h"
#include "core/numerals.h"
#include "ngi32/processor/scope.h"

static _Thread_local struct {
    bool are_ours;
    ArithmeticScope callers;
    CallersNumerals numerals;
} thread;

static void Leave(void) {
    thread.are_ours = false; /* even if a function of the caller's leaves by a jump */
    Numerals_Leave(&thread.numerals);
    Arithmetic_Leave(thread.callers);
}

static bool Switch(bool callers) {
    if (!callers)
        return Modes_Enter();
    const bool changes = thread.are_ours;
    if (changes)
        Leave();
    return changes;
}

bool Modes_Enter(void) {
    const RpArithmetic of_c = {.control_word = 0x037F};
    if (thread.are_ours) /* this function is called by another public one */
        return false;
    const ArithmeticScope callers = Arithmetic_Enter(&of_c);
    const bool has_numerals = Numerals_Enter(&thread.numerals);
    if (!callers.has_word && !callers.has_mxcsr && !has_numerals)
        return false;
    thread.callers = callers;
    thread.are_ours = true;
    __atomic_store_n(&callers_switch, Switch, __ATOMIC_RELAXED);
    return true;
}

void Modes_Leave(const bool *changed) {
    if (*changed)
        Leave();
}
