/* Expands names with * and ? into the files that they stand for. Most shells do this for a program,
 * but those of Windows leave it to the program. */
#ifndef RETROPOSE_CORE_FILES_WILDCARDS_H
#define RETROPOSE_CORE_FILES_WILDCARDS_H

#include "retropose/memory.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct WildcardNames {
    char **list; /* in the order of their bytes, with the folder as it was given */
    size_t count;
} WildcardNames;

/* Returns whether the last part of a path has a * or a ?. In the other parts these are ordinary
 * characters. */
bool Wildcards_Are(const char *path);
/* Lists the files and folders that such a path stands for: * is any text, ? is one character, and
 * the letters A to Z are the same as a to z. A name that begins with a dot is found only by a
 * pattern that begins with one, too. Nothing is found in a folder that cannot be read. The only
 * error is RP_NO_MEMORY. Call Wildcards_Free in any case. */
RpStatus Wildcards_List(const char *path, WildcardNames *names, RpError *error);
void Wildcards_Free(WildcardNames *names);

#endif
