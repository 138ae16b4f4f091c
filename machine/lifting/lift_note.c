/* What the lifter notes of a run: expressions that were made, and why it cannot go on. */
#include "machine/lifting/lift_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* How many expressions are noted of one instruction. */
enum { MOST_MADE = 8 };

void *Lift_Grow(Lifter *lifter, void *elements, uint32_t count, uint32_t *capacity, size_t size) {
    if (count < *capacity)
        return elements;
    const uint32_t wanted = *capacity ? 2 * *capacity : 64;
    void *grown = realloc(elements, wanted * size);
    if (grown)
        *capacity = wanted;
    else
        lifter->failed = true;
    return grown;
}

bool Lift_Refuse(Lifter *lifter, const char *format, ...) {
    if (lifter->refused)
        return false;
    char instruction[96], why[96];
    va_list list;
    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    lifter->refused = true;
    const uint32_t eip = lifter->context.registers.eip;
    if (lifter->steps.count > 0) {
        LiftStep_Text(&lifter->steps.at[lifter->steps.count - 1], instruction, sizeof instruction);
        snprintf(lifter->reason, sizeof lifter->reason, "%s at 0x%08X: %s", instruction, eip, why);
    } else {
        snprintf(lifter->reason, sizeof lifter->reason, "0x%08X: %s", eip, why);
    }
    return false;
}

void Lift_Note(Lifter *lifter, const Expression *expression) {
    if (lifter->in_cut || lifter->steps.count == 0)
        return;
    LiftStep *step = &lifter->steps.at[lifter->steps.count - 1];
    if (step->made_count == MOST_MADE)
        return;
    LIFT_ADD(lifter, lifter->made, expression);
    if (!lifter->failed)
        step->made_count++;
}
