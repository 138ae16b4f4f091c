/* Parses selections, which may name files. Builds for machines without files (WebAssembly) leave
 * this out; there every call is selected. */
#include "core/files/inputs.h"
#include "core/glob.h"
#include "core/nearest.h"
#include "tracefile/select.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TERM_MAX 256 /* the longest term, or line of a @FILE, in characters */

static RpStatus BadTerm(const char *term, const char *expected, RpError *error) {
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "malformed selection", term, expected, term);
}

static bool ReadNumber(const char **text, uint64_t *number) {
    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    char *end;
    *number = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0;
}

static bool ParseRange(const char *text, SelectionTerm *term) {
    if (!ReadNumber(&text, &term->first))
        return false;
    term->last = term->first;
    if (*text == 0)
        return true;
    if (*text++ != '-')
        return false;
    term->last = UINT64_MAX;
    if (*text == 0)
        return true;
    return ReadNumber(&text, &term->last) && *text == 0 && term->last >= term->first;
}

static RpStatus AddTerm(Selection *selection, const char *text, RpError *error) {
    SelectionTerm *terms = realloc(selection->terms, (selection->count + 1) * sizeof *terms);
    if (!terms)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a selection", "", "",
                           "");
    selection->terms = terms;
    SelectionTerm *term = &terms[selection->count++];

    char glob[TERM_MAX];
    static const char range_form[] = "a number, FIRST-LAST or FIRST-";
    const char *colon = strchr(text, ':');
    bool starts_with_digit = *text >= '0' && *text <= '9';
    *term = (SelectionTerm){0, UINT64_MAX, NULL};
    if (starts_with_digit && !colon)
        return ParseRange(text, term) ? RP_OK : BadTerm(text, range_form, error);
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    if (length == 0)
        return BadTerm(text, "a glob of a function before the colon", error);
    if (colon && !ParseRange(colon + 1, term))
        return BadTerm(text, range_form, error);
    memcpy(glob, text, length);
    glob[length] = 0;

    bool any = false;
    term->functions = calloc(abi_function_count, 1);
    if (!term->functions)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a selection", "", "",
                           "");
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *function = &abi_functions[i];
        if (Selection_Glob(glob, function->key) || Selection_Glob(glob, function->name))
            term->functions[i] = any = true;
    }
    if (any)
        return RP_OK;

    Nearest nearest;
    char expected[96] = "a key or name of the ABI tables";
    Nearest_Init(&nearest, glob);
    for (size_t i = 0; i < abi_function_count; i++) {
        Nearest_Offer(&nearest, abi_functions[i].key);
        Nearest_Offer(&nearest, abi_functions[i].name);
    }
    if (nearest.best)
        snprintf(expected, sizeof expected, "perhaps %s", nearest.best);
    return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the selection names no function", "",
                       expected, glob);
}

/* Copies the text between two points without the blanks around it. */
static bool CopyTrimmed(const char *start, const char *end, char *to) {
    while (start < end && strchr(" \t\r\n", *start))
        start++;
    while (end > start && strchr(" \t\r\n", end[-1]))
        end--;
    if (end - start >= TERM_MAX)
        return false;
    memcpy(to, start, (size_t)(end - start));
    to[end - start] = 0;
    return true;
}

static RpStatus AddFile(Selection *selection, const char *path, RpError *error) {
    char line[TERM_MAX], term[TERM_MAX];
    RpStatus status = RP_OK;
    FILE *file = fopen(path, "r");
    if (!file)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "cannot read a file of selections",
                           path, "", strerror(errno));
    Inputs_AddStream(file);
    while (!status && fgets(line, sizeof line, file)) {
        size_t length = strcspn(line, "#\r\n");
        if (strlen(line) == sizeof line - 1 && line[sizeof line - 2] != '\n')
            status = BadTerm(line, "lines of at most 254 characters", error);
        else if (CopyTrimmed(line, line + length, term) && term[0] == '@')
            status = BadTerm(term, "no @FILE inside a @FILE", error);
        else if (term[0])
            status = AddTerm(selection, term, error);
    }
    if (!status && ferror(file)) /* otherwise a part of the file would pass for all of it */
        status = RpError_Set(error, RP_IO, RP_NOWHERE, "cannot read a file of selections", path, "",
                             strerror(errno));
    fclose(file);
    return status;
}

static RpStatus AddList(Selection *selection, const char *text, RpError *error) {
    char term[TERM_MAX];
    for (const char *end;; text = end + 1) {
        end = strchr(text, ',');
        if (!end)
            end = text + strlen(text);
        if (!CopyTrimmed(text, end, term))
            return BadTerm(text, "terms of at most 255 characters", error);
        if (!term[0])
            return BadTerm(text, "a term between commas", error);
        RpStatus status =
            term[0] == '@' ? AddFile(selection, term + 1, error) : AddTerm(selection, term, error);
        if (status || *end == 0)
            return status;
    }
}

RpStatus Selection_Parse(const char *text, Selection **selection, RpError *error) {
    *selection = calloc(1, sizeof **selection);
    if (!*selection)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a selection", "", "",
                           "");
    RpStatus status = AddList(*selection, text, error);
    if (!status && (*selection)->count == 0)
        status = BadTerm(text, "at least one term", error);
    if (status) {
        Selection_Free(*selection);
        *selection = NULL;
    }
    return status;
}
