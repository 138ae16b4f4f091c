/* The functions of fastproc.h and the model's (tests/model, on the processor's numbers) behind one
 * signature, so that one test body can run them all. */
#ifndef RETROPOSE_TESTS_NGI32_FUNCTIONS_H
#define RETROPOSE_TESTS_NGI32_FUNCTIONS_H

#include "floats.h"
#include "retropose/fastproc.h"

enum { MAX_INPUTS = 32, MAX_OUTPUTS = 16 };

typedef struct Variant {
    RpBuild build;
    RpReadings readings;
    Rounding rounding; /* the rounding that is in force when the functions are called */
} Variant;

typedef struct Result {
    uint8_t st0[10]; /* all zero if nothing is returned in ST0 */
    int32_t integer;
} Result;

/* Reads `in` and writes `out`, which may lie within `in`. A function without outputs works in
 * place. */
typedef void (*Run)(const Variant *variant, float *in, float *out, Result *result);

typedef struct Function {
    const char *name;
    int inputs, outputs; /* numbers of floats */
    Run ours, model;
} Function;

enum { FUNCTION_COUNT = 19 };
extern const Function functions[FUNCTION_COUNT];

/* Returns null if there is no function of that name. */
const Function *Function_Find(const char *name);

#endif
