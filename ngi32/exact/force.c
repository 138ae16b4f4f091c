/* Decides whether the exact core may be used now. This file is compiled for processors without
 * SSE2, too. */
#include "ngi32/exact/force.h"

#include "ngi32/processor/scope.h"
#include "ngi32/processor/state.h"

static bool IsServed(uint16_t word) {
#ifdef RETROPOSE_WITHOUT_CORE
    const bool is_built = false;
#else
    const bool is_built = true;
#endif
    return is_built && (word & X87_MODES) == (RP_GAMES_CONTROL_WORD & X87_MODES) &&
           State_HasSse2() && (State_Mxcsr() & (MXCSR_ROUNDING | MXCSR_MASKS)) == MXCSR_STANDARD;
}

bool Exact_IsInForceOnThread(void) {
    return IsServed(State_ControlWord());
}

bool Exact_IsInForce(const RpArithmetic *arithmetic) {
    return IsServed(Arithmetic_IsOfThread(arithmetic) ? State_ControlWord()
                                                      : Arithmetic_Word(arithmetic));
}
