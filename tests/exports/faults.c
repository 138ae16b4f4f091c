#include "faults.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void Faults_Add(Faults *faults, const char *format, ...) {
    if (faults->count < FAULTS_KEPT) {
        char *line = faults->lines[faults->count];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(line, sizeof faults->lines[0], format, arguments);
        va_end(arguments);
    }
    faults->count++;
}

static size_t Kept(const Faults *faults) {
    return faults->count < FAULTS_KEPT ? faults->count : FAULTS_KEPT;
}

bool Faults_Mention(const Faults *faults, const char *text) {
    for (size_t i = 0; i < Kept(faults); i++)
        if (strstr(faults->lines[i], text))
            return true;
    return false;
}

void Faults_Print(const Faults *faults) {
    for (size_t i = 0; i < Kept(faults); i++)
        fprintf(stderr, "  %s\n", faults->lines[i]);
    if (faults->count > FAULTS_KEPT)
        fprintf(stderr, "  ... and %zu more\n", faults->count - FAULTS_KEPT);
}
