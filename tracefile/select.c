#include "tracefile/select.h"

#include "core/glob.h"

#include <stdlib.h>

bool Selection_Glob(const char *pattern, const char *text) {
    return Glob_Matches(pattern, text);
}

Selection *Selection_OfFunction(const AbiFunction *function) {
    Selection *selection = calloc(1, sizeof *selection);
    SelectionTerm *term = calloc(1, sizeof *term);
    uint8_t *functions = calloc(abi_function_count, 1);
    if (!selection || !term || !functions) {
        free(selection);
        free(term);
        free(functions);
        return NULL;
    }
    functions[function - abi_functions] = true;
    *term = (SelectionTerm){0, UINT64_MAX, functions};
    *selection = (Selection){term, 1};
    return selection;
}

static bool TermHasFunction(const SelectionTerm *term, const AbiFunction *function) {
    return !term->functions || term->functions[function - abi_functions];
}

bool Selection_HasFunction(const Selection *selection, const AbiFunction *function) {
    if (!selection)
        return true;
    for (size_t i = 0; i < selection->count; i++)
        if (TermHasFunction(&selection->terms[i], function))
            return true;
    return false;
}

bool Selection_HasCall(const Selection *selection, const AbiFunction *function, uint64_t sequence) {
    if (!selection)
        return true;
    for (size_t i = 0; i < selection->count; i++) {
        const SelectionTerm *term = &selection->terms[i];
        if (sequence >= term->first && sequence <= term->last && TermHasFunction(term, function))
            return true;
    }
    return false;
}

void Selection_Free(Selection *selection) {
    if (!selection)
        return;
    for (size_t i = 0; i < selection->count; i++)
        free(selection->terms[i].functions);
    free(selection->terms);
    free(selection);
}
