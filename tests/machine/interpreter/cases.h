/* Says how many cases a test of instructions tries. */
#ifndef TESTS_MACHINE_INTERPRETER_CASES_H
#define TESTS_MACHINE_INTERPRETER_CASES_H

#include <stdlib.h>

/* Returns the number of cases. MACHINE_CASES in the environment multiplies the usual number; the
 * tests whose names end with _many set it. */
static inline unsigned Cases(unsigned usual) {
    const char *times = getenv("MACHINE_CASES");
    const unsigned long factor = times ? strtoul(times, NULL, 10) : 1;
    return usual * (factor > 0 && factor < 10000 ? (unsigned)factor : 1);
}

#endif
