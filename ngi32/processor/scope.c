/* This file is compiled for processors without SSE, too. */
#include "ngi32/processor/scope.h"

#include "ngi32/processor/state.h"

uint16_t Arithmetic_Word(const RpArithmetic *arithmetic) {
    const unsigned word = arithmetic ? arithmetic->control_word : 0;
    return (uint16_t)(word ? word | X87_MASKS : RP_GAMES_CONTROL_WORD);
}

/* Returns whether the thread's own control word lets an exception through. The flags that the steps
 * leave must then be cleared before that word is put back, because the next x87 instruction would
 * raise them. */
static bool IsUnmasked(const ArithmeticScope *scope) {
    return (scope->word & X87_MASKS) != X87_MASKS;
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

static void EnterWord(ArithmeticScope *scope, uint16_t word) {
    scope->has_word = (scope->word & X87_MODES) != (word & X87_MODES);
    if (!scope->has_word)
        return;
    scope->status = IsUnmasked(scope) ? State_StatusWord() : 0;
    if (scope->status & X87_PENDING) /* the next instruction would raise it */
        State_ClearStatus();
    State_SetControlWord(word);
}

ArithmeticScope Arithmetic_Enter(const RpArithmetic *arithmetic) {
    ArithmeticScope scope = {.has_word = false};
    if (Arithmetic_IsOfThread(arithmetic))
        return scope;
    scope.word = State_ControlWord();
    EnterWord(&scope, Arithmetic_Word(arithmetic));
    EnterMxcsr(&scope);
    return scope;
}

ArithmeticScope Arithmetic_EnterSse(const RpArithmetic *arithmetic) {
    ArithmeticScope scope = {.has_word = false};
    if (Arithmetic_IsOfThread(arithmetic))
        return scope;
#ifdef __i386__
    /* Compilers for i686 pass numbers through the x87, which raises exceptions for some of them. */
    scope.word = State_ControlWord();
    if (IsUnmasked(&scope))
        EnterWord(&scope, Arithmetic_Word(arithmetic));
#endif
    EnterMxcsr(&scope);
    return scope;
}

void Arithmetic_Leave(ArithmeticScope scope) {
    if (scope.has_word && IsUnmasked(&scope) &&
        ((State_StatusWord() ^ scope.status) & X87_FLAGS) != 0)
        State_SetControlWordAndFlags(scope.word, scope.status);
    else if (scope.has_word)
        State_SetControlWord(scope.word);
    if (scope.has_mxcsr)
        State_SetMxcsr(scope.mxcsr);
}
