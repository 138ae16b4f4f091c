#include "core/numerals.h"

#include <locale.h>
#include <string.h>
#ifdef _WIN32
#include <stdio.h>

/* The C library of Windows XP has no locale for each thread. There the whole process has a decimal
 * point for the time of the call. */
bool Numerals_Enter(CallersNumerals *callers) {
    const char *name = NULL;
    callers->changed = false;
    if (strcmp(localeconv()->decimal_point, ".") == 0)
        return false;
    callers->per_thread = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
    name = setlocale(LC_NUMERIC, NULL);
    snprintf(callers->name, sizeof callers->name, "%s", name ? name : "C");
    callers->changed = setlocale(LC_NUMERIC, "C") != NULL;
    return callers->changed;
}

void Numerals_Leave(CallersNumerals *callers) {
    if (!callers->changed)
        return;
    callers->changed = false;
    setlocale(LC_NUMERIC, callers->name);
    if (callers->per_thread != -1)
        _configthreadlocale(callers->per_thread);
}

#else
#include <langinfo.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

bool Numerals_Enter(CallersNumerals *callers) {
    callers->changed = false;
    if (strcmp(nl_langinfo(RADIXCHAR), ".") == 0)
        return false;
    /* The locale of C itself is one that the C library has, so that this takes no memory. */
    const locale_t of_c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (of_c == (locale_t)0)
        return false;
    callers->locale = (void *)uselocale(of_c);
    callers->changed = true;
    return true;
}

void Numerals_Leave(CallersNumerals *callers) {
    if (!callers->changed)
        return;
    callers->changed = false;
    uselocale((locale_t)callers->locale);
}
#endif
