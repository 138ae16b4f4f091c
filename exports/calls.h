/* Who calls whom: the functions that a function of the ABI tables calls, as far as its results
 * depend on them. A function differs where one that it calls differs, so a report names the one at
 * the bottom first. */
#ifndef RETROPOSE_EXPORTS_CALLS_H
#define RETROPOSE_EXPORTS_CALLS_H

#include "exports/abi.h"

#include <stdbool.h>

typedef struct AbiCall {
    const char *caller, *callee; /* keys of the tables */
    const char *source;
} AbiCall;

extern const AbiCall abi_calls[];
extern const size_t abi_call_count;

/* Returns whether `caller` calls `callee`, itself or through others. A function does not reach
 * itself. */
bool Abi_Reaches(const AbiFunction *caller, const AbiFunction *callee);

#endif
