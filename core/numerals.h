/* Has the C library write and read numbers with a decimal point on this thread. Programs that
 * choose the locale of their user, as those with windows do, otherwise get decimal commas in some
 * countries, which no format of ours knows. */
#ifndef RETROPOSE_CORE_NUMERALS_H
#define RETROPOSE_CORE_NUMERALS_H

#include <stdbool.h>

/* The locale that the thread had, as far as it was changed. */
typedef struct CallersNumerals {
    bool changed;
#ifdef _WIN32
    int per_thread;
    char name[128];
#else
    void *locale;
#endif
} CallersNumerals;

/* Returns whether the locale of the thread had no decimal point, which Numerals_Leave then puts
 * back. */
bool Numerals_Enter(CallersNumerals *callers);
void Numerals_Leave(CallersNumerals *callers);

#endif
