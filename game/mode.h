/* Shows the modes of a game folder, and changes them in retropose.ini. */
#ifndef RETROPOSE_GAME_MODE_H
#define RETROPOSE_GAME_MODE_H

#include "retropose/error.h"
#include "retropose/memory.h"

#include <stdbool.h>
#include <stddef.h>

/* Writes which modes the file asks for, in which way functions are really served, and why. There is
 * a line for each function or, if `each` is not set and there are more than 16, for all functions
 * that are asked and served alike. The environment is ignored, because `mode` changes only the
 * file. Returns RP_NOT_FOUND if the folder does not have the game's DLLs. */
RpStatus Mode_Text(const char *folder, bool each, RpBuffer *text, RpError *error);
/* Writes this only for functions that the assignments of Mode_Change name. */
RpStatus Mode_TextOf(const char *folder, const char *const *assignments, size_t count, bool each,
                     RpBuffer *text, RpError *error);
RpStatus Mode_Json(const char *folder, RpBuffer *json, RpError *error);

/* Makes the assignments: "FUNCTION=MODE" sets a mode, "FUNCTION=" removes the function's line;
 * "default" counts as a function here. Returns RP_INVALID or RP_NOT_FOUND if one of them cannot be
 * made; then none is made. Everything else in the file stays as it is, and the file is replaced as
 * a whole. */
RpStatus Mode_Change(const char *folder, const char *const *assignments, size_t count,
                     RpError *error);

#endif
