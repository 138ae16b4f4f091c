/* retropose.ini as text: the file that install writes, and changes of modes that leave everything
 * else as it stands. */
#ifndef RETROPOSE_LIVE_SETTINGS_INI_H
#define RETROPOSE_LIVE_SETTINGS_INI_H

#include "retropose/error.h"
#include "retropose/memory.h"

#include <stddef.h>

/* Appends the default file: every setting with its meaning, commented out, so that a later
 * version's defaults hold until a line is changed. Lines end with CR LF. */
void Ini_Default(RpBuffer *text);

/* Appends `ini` with the mode of `glob` ("default" too) set: in the last line of [modes] that names
 * it, else in a new line at that section's end, else in a new section. RP_INVALID, RP_NOT_FOUND as
 * Settings_Set. `mode` null removes the lines. */
RpStatus Ini_SetMode(const char *ini, size_t size, const char *glob, const char *mode,
                     RpBuffer *text, RpError *error);

#endif
