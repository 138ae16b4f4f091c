/* The functions of fastproc.h and the model's (tests/model) behind one signature, so that one test
 * body can run them all, and what such a body needs. */
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
typedef void (*Run)(const RpArithmetic *arithmetic, float *in, float *out, Result *result);
typedef void (*ModelRun)(const Variant *variant, float *in, float *out, Result *result);

typedef struct Function {
    const char *name;
    int inputs, outputs; /* numbers of floats */
    Run ours;
    ModelRun model;
} Function;

enum { FUNCTION_COUNT = 19 };
extern const Function functions[FUNCTION_COUNT];

/* Returns null if there is no function of that name. */
const Function *Function_Find(const char *name);

/* The inputs, followed by room for outputs that do not overlap them. */
typedef struct Memory {
    float at[MAX_INPUTS + MAX_OUTPUTS];
} Memory;

/* Draws any build, the game's rounding or another one, and no reading, one, or any of them. */
void Variant_Draw(Random *random, Variant *variant);
uint32_t ChoiceCount(int reading);
/* Draws inputs of every kind, half of them such that the function's comparisons decide both ways.
 */
void Function_Draw(Random *random, const Function *function, Memory *memory);
/* Draws quaternions whose dot product is near -1 or 1 (on both sides of 1 - 1e-5) or anywhere, and
 * t, mostly from 0 to 1. */
void Quaternions_Draw(Random *random, float in[9]);
/* Makes quiet and signalling NaNs of different payloads of some of the inputs. */
void Nans_Draw(Random *random, float *in);

/* Runs our function under the variant's rounding. Returns whether that is kept, and the x87's stack
 * is left empty. */
bool Function_RunOurs(const Function *function, const Variant *variant, Memory *memory, int out,
                      Result *result);

#endif
