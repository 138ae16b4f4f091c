/* The faults that a check found, one line each. */
#ifndef RETROPOSE_TESTS_EXPORTS_FAULTS_H
#define RETROPOSE_TESTS_EXPORTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

#define FAULTS_KEPT 32

typedef struct Faults {
    size_t count; /* may exceed FAULTS_KEPT; the first ones are kept */
    char lines[FAULTS_KEPT][200];
} Faults;

__attribute__((format(printf, 2, 3))) void Faults_Add(Faults *faults, const char *format, ...);
/* Returns whether a kept line contains `text`. */
bool Faults_Mention(const Faults *faults, const char *text);
void Faults_Print(const Faults *faults);

#endif
