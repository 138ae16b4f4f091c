#include "core/text/checks.h"

void Checks_Add(Checks *checks, const CheckRow *row) {
    checks->problems += row->level == CHECK_PROBLEM;
    checks->row(checks->context, row);
}

void Checks_Tell(Checks *checks, CheckLevel level, const char *name, const char *advice,
                 const char *format, ...) {
    char found[2248]; /* two lists of readings, and words */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(found, sizeof found, format, arguments);
    va_end(arguments);
    Checks_Add(checks, &(CheckRow){.level = level,
                                   .name = name,
                                   .found = found,
                                   .names = "",
                                   .advice = level == CHECK_FINE ? "" : advice});
}
