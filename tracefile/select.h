/* Selections choose calls, in one small language for all verbs.
 *
 * A selection is a list of terms, separated by commas. A call is selected when any term matches. A
 * term is a glob over the function's key or name ("ngi32.slot17", "*Quaternion*"), a sequence
 * number or range ("1200", "1000-1999", "1000-"), or both joined with a colon
 * ("ngi32.slot17:1000-1999"). "@FILE" reads terms from a file, one in each line; # begins a
 * comment. Globs know * and ?, and ignore case. */
#ifndef RETROPOSE_TRACEFILE_SELECT_H
#define RETROPOSE_TRACEFILE_SELECT_H

#include "exports/abi.h"
#include "retropose/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct SelectionTerm {
    uint64_t first, last; /* sequence numbers */
    uint8_t *functions;   /* a flag for each row of abi_functions; null: all are selected */
} SelectionTerm;

typedef struct Selection {
    SelectionTerm *terms;
    size_t count;
} Selection;

/* Returns RP_INVALID with the term, or RP_NOT_FOUND when a glob matches no function of the ABI
 * tables (`expected` then has the nearest name) or when a file does not exist. A null selection
 * selects every call. */
RpStatus Selection_Parse(const char *text, Selection **selection, RpError *error);
/* Selects all calls of one function. Returns null where memory is short. */
Selection *Selection_OfFunction(const AbiFunction *function);
bool Selection_HasFunction(const Selection *selection, const AbiFunction *function);
/* Matches as the globs of terms do: with * and ?, ignoring case. */
bool Selection_Glob(const char *pattern, const char *text);
bool Selection_HasCall(const Selection *selection, const AbiFunction *function, uint64_t sequence);
void Selection_Free(Selection *selection);

#endif
