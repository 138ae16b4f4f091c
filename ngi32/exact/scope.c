/* This file is compiled for processors without SSE, too. */
#include "ngi32/exact/scope.h"

#include "ngi32/exact/state.h"

uint16_t Arithmetic_Word(const RpArithmetic *arithmetic) {
    const unsigned word = arithmetic ? arithmetic->control_word : 0;
    return (uint16_t)(word ? word | X87_MASKS : RP_GAMES_CONTROL_WORD);
}

static void EnterMxcsr(ArithmeticScope *scope) {
    if (!State_HasSse())
        return;
    scope->mxcsr = State_Mxcsr();
    scope->has_mxcsr =
        (scope->mxcsr & (MXCSR_ROUNDING | MXCSR_MASKS | MXCSR_DENORMALS)) != MXCSR_STANDARD;
    if (scope->has_mxcsr)
        State_SetMxcsr(MXCSR_STANDARD);
}

ArithmeticScope Arithmetic_Enter(const RpArithmetic *arithmetic) {
    ArithmeticScope scope = {.has_word = false};
    if (Arithmetic_IsOfThread(arithmetic))
        return scope;
    const uint16_t word = Arithmetic_Word(arithmetic);
    scope.word = State_ControlWord();
    scope.has_word = (scope.word & X87_MODES) != (word & X87_MODES);
    if (scope.has_word)
        State_SetControlWord(word);
    EnterMxcsr(&scope);
    return scope;
}

ArithmeticScope Arithmetic_EnterSse(const RpArithmetic *arithmetic) {
    ArithmeticScope scope = {.has_word = false};
    if (!Arithmetic_IsOfThread(arithmetic))
        EnterMxcsr(&scope);
    return scope;
}

void Arithmetic_Leave(ArithmeticScope scope) {
    if (scope.has_word)
        State_SetControlWord(scope.word);
    if (scope.has_mxcsr)
        State_SetMxcsr(scope.mxcsr);
}
