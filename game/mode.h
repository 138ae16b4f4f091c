/* Shows the modes of a game folder, and changes them in retropose.ini. */
#ifndef RETROPOSE_GAME_MODE_H
#define RETROPOSE_GAME_MODE_H

#include "retropose/error.h"
#include "retropose/memory.h"

#include <stdbool.h>
#include <stddef.h>

/* Writes what the file asks for, and what comes of it and why: for `each` function, or, if there
 * are more than 16 of them, for those together that are asked and served alike. The environment is
 * ignored, because the file is what `mode` changes. Returns RP_NOT_FOUND where the folder has no
 * game's DLLs. */
RpStatus Mode_Text(const char *folder, bool each, RpBuffer *text, RpError *error);
/* Writes this only for functions that the assignments of Mode_Change name. */
RpStatus Mode_TextOf(const char *folder, const char *const *assignments, size_t count, bool each,
                     RpBuffer *text, RpError *error);
RpStatus Mode_Json(const char *folder, RpBuffer *json, RpError *error);

/* Sets "FUNCTION=MODE" ("default" counts as a function here), or removes the line of
 * "FUNCTION=". Either all assignments are made or, with RP_INVALID or RP_NOT_FOUND, none.
 * Everything else in the file stays as it is, and the file is replaced as a whole. */
RpStatus Mode_Change(const char *folder, const char *const *assignments, size_t count,
                     RpError *error);

#endif
