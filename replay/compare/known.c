#include "replay/compare/known.h"

#include "core/files/inputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 640

static const char line_form[] = "selection | path glob | reason";

static RpStatus BadLine(const char *path, unsigned line, const char *found, RpError *error) {
    char where[160];
    snprintf(where, sizeof where, "%.130s line %u", path, line);
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "malformed known difference", where,
                       line_form, found);
}

static char *Trim(char *text) {
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        text[--length] = 0;
    return text;
}

static bool CopyField(char *to, size_t size, char *from) {
    from = Trim(from);
    return *from && (size_t)snprintf(to, size, "%s", from) < size;
}

static RpStatus AddLine(KnownDifferences *known, const char *path, unsigned number, char *line,
                        RpError *error) {
    KnownDifference *entries = realloc(known->entries, (known->count + 1) * sizeof *entries);
    if (!entries)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for known differences", path,
                           "", "");
    known->entries = entries;
    KnownDifference *entry = &entries[known->count];
    memset(entry, 0, sizeof *entry);
    entry->line = number;

    /* A line has three fields, and only the last one, the reason, may contain separators. */
    char copy[LINE_MAX_BYTES];
    snprintf(copy, sizeof copy, "%s", line);
    char *glob = strpbrk(line, "|\t"), *reason = glob ? strpbrk(glob + 1, "|\t") : NULL;
    if (reason)
        *glob = *reason = 0;
    if (!reason || !CopyField(entry->selection_text, sizeof entry->selection_text, line) ||
        !CopyField(entry->path, sizeof entry->path, glob + 1) ||
        !CopyField(entry->reason, sizeof entry->reason, reason + 1))
        return BadLine(path, number, Trim(copy), error);
    RpStatus status = Selection_Parse(entry->selection_text, &entry->selection, error);
    if (status) {
        if (error)
            snprintf(error->where, sizeof error->where, "%.130s line %u", path, number);
        return status;
    }
    known->count++;
    return RP_OK;
}

RpStatus KnownDifferences_Load(const char *path, KnownDifferences **result, RpError *error) {
    *result = NULL;
    FILE *file = fopen(path, "r");
    if (!file)
        return RpError_Set(error, errno == ENOENT ? RP_NOT_FOUND : RP_IO, RP_NOWHERE,
                           "cannot read the known differences", path, "", strerror(errno));
    Inputs_AddStream(file);
    KnownDifferences *known = calloc(1, sizeof *known);
    RpStatus status = known ? RP_OK
                            : RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE,
                                          "no memory for known differences", path, "", "");
    char line[LINE_MAX_BYTES];
    for (unsigned number = 1; !status && fgets(line, sizeof line, file); number++) {
        const char *start = line + strspn(line, " \t\r\n");
        if (strlen(line) == sizeof line - 1 && line[sizeof line - 2] != '\n')
            status = BadLine(path, number, "a line of more than 638 bytes", error);
        else if (*start && *start != '#')
            status = AddLine(known, path, number, line, error);
    }
    if (!status && ferror(file))
        status = RpError_Set(error, RP_IO, RP_NOWHERE, "cannot read the known differences", path,
                             "", strerror(errno));
    fclose(file);
    if (status)
        KnownDifferences_Free(known);
    else
        *result = known;
    return status;
}

void KnownDifferences_Free(KnownDifferences *known) {
    if (!known)
        return;
    for (size_t i = 0; i < known->count; i++)
        Selection_Free(known->entries[i].selection);
    free(known->entries);
    free(known);
}
