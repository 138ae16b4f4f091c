/* Says who calls whom: for each function of the ABI tables, the functions that its results depend
 * on. When two of them differ, a report first names the one that the other calls. */
#ifndef RETROPOSE_EXPORTS_CALL_GRAPH_H
#define RETROPOSE_EXPORTS_CALL_GRAPH_H

#include "exports/abi.h"

#include <stdbool.h>

typedef struct AbiCall {
    const char *caller, *callee; /* keys of the tables */
    const char *source;
} AbiCall;

extern const AbiCall abi_calls[];
extern const size_t abi_call_count;

/* Returns whether `caller` calls `callee`, directly or through others. A function does not reach
 * itself. */
bool Abi_Reaches(const AbiFunction *caller, const AbiFunction *callee);

#endif
