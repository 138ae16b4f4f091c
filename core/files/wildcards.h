/* Names with * and ? that stand for files. Shells put the names of the files in their place, except
 * for those of Windows, which leave it to each program. */
#ifndef RETROPOSE_CORE_FILES_WILDCARDS_H
#define RETROPOSE_CORE_FILES_WILDCARDS_H

#include "retropose/memory.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct WildcardNames {
    char **list; /* in the order of their bytes, with the folder as it was given */
    size_t count;
} WildcardNames;

/* Returns whether the last part of a path has a * or a ?. The other parts may not. */
bool Wildcards_Are(const char *path);
/* Lists the files and folders that such a path stands for: * is any text, ? one character, and the
 * letters A to Z are the same as a to z. A name that begins with a dot is found only by a pattern
 * that does. A folder that cannot be read has none. The error is RP_NO_MEMORY. Wildcards_Free has
 * to follow in any case. */
RpStatus Wildcards_List(const char *path, WildcardNames *names, RpError *error);
void Wildcards_Free(WildcardNames *names);

#endif
