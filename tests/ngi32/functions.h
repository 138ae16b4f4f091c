/* The functions of fastproc.h and their references behind one signature, so that one test body can
 * run them all. */
#ifndef RETROPOSE_TESTS_NGI32_FUNCTIONS_H
#define RETROPOSE_TESTS_NGI32_FUNCTIONS_H

#include "reference.h"

enum { MAX_INPUTS = 32, MAX_OUTPUTS = 16 };

typedef struct Result {
    uint8_t st0[10]; /* all zero if nothing is returned in ST0 */
    int32_t integer;
} Result;

/* Reads `in` and writes `out`, which may lie within `in`. A function without outputs works in
 * place. */
typedef void (*Run)(const Reference *variant, float *in, float *out, Result *result);

typedef struct Function {
    const char *name;
    int inputs, outputs; /* numbers of floats */
    Run ours, reference;
} Function;

enum { FUNCTION_COUNT = 19 };
extern const Function functions[FUNCTION_COUNT];

/* Returns null if there is no function of that name. */
const Function *Function_Find(const char *name);

#endif
