/* Reads what a variant of the stand-in says about itself, in truth.txt in its folder
 * (tests/standin/make.c). */
#ifndef RETROPOSE_TESTS_LIVE_TRUTH_H
#define RETROPOSE_TESTS_LIVE_TRUTH_H

#include "exports/abi.h"

#include <stdbool.h>
#include <stdint.h>

#define TRUTH_MAX_EXPORTS 160

typedef struct TruthExport {
    AbiModule module;
    uint32_t ordinal;
    char name[64]; /* "-" if there is none */
    char kind[16]; /* row, stub, live, data or forwarder */
    uint32_t rva, pops, clears;
} TruthExport;

typedef struct Truth {
    char name[64], build[16];
    uint32_t table; /* the RVA of g_FastProc */
    uint32_t bases[ABI_MODULE_COUNT];
    TruthExport exports[TRUTH_MAX_EXPORTS];
    int export_count;
} Truth;

bool Truth_Read(const char *path, Truth *truth);

#endif
