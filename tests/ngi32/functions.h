/* The functions of fastproc.h and their references behind one signature, so that one test body runs
 * them all. */
#ifndef RETROPOSE_TESTS_NGI32_FUNCTIONS_H
#define RETROPOSE_TESTS_NGI32_FUNCTIONS_H

#include "reference.h"

enum { MAX_INPUTS = 32, MAX_OUTPUTS = 16 };

typedef struct Result {
    uint8_t st0[10]; /* all zero where nothing is returned there */
    int32_t integer;
} Result;

/* Reads `in`, writes `out`, which may lie within `in`; in place where there are no outputs. */
typedef void (*Run)(const Reference *variant, float *in, float *out, Result *result);

typedef struct Function {
    const char *name;
    int inputs, outputs; /* floats */
    Run ours, reference;
} Function;

enum { FUNCTION_COUNT = 19 };
extern const Function functions[FUNCTION_COUNT];

/* Null when there is none. */
const Function *Function_Find(const char *name);

#endif
