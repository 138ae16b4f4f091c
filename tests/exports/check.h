/* Compares a built DLL with the ABI tables: its whole export table, its imports, the argument bytes
 * of its functions (also of slots and internal ones) and, for the stand-in, the addresses. */
#ifndef RETROPOSE_TESTS_EXPORTS_CHECK_H
#define RETROPOSE_TESTS_EXPORTS_CHECK_H

#include "core/pe/pe.h"
#include "exports/abi.h"

/* The faults that a check found, one line each. */
#define FAULTS_KEPT 32

typedef struct Faults {
    size_t count; /* may exceed FAULTS_KEPT; the first ones are kept */
    char lines[FAULTS_KEPT][200];
} Faults;

/* Returns whether a kept line contains `text`. */
bool Faults_Mention(const Faults *faults, const char *text);
void Faults_Print(const Faults *faults);

typedef enum Role { ROLE_REPLACEMENT, ROLE_STANDIN } Role;

typedef struct CheckCounts {
    size_t exports, returns, imports; /* numbers of what was compared */
    /* The number of slot builds and internal functions that were found. */
    size_t functions;
} CheckCounts;

void Check_Dll(const PeFile *pe, AbiModule module, Role role, Faults *faults, CheckCounts *counts);

#endif
