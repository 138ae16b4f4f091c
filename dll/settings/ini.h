/* Writes retropose.ini as text: the file that install makes, and changes of modes that leave
 * everything else as it is. */
#ifndef RETROPOSE_DLL_SETTINGS_INI_H
#define RETROPOSE_DLL_SETTINGS_INI_H

#include "retropose/error.h"
#include "retropose/memory.h"

#include <stddef.h>

/* Appends the default file. It has every setting with its meaning, but commented out, so that a
 * later version's defaults apply until the user changes a line. Lines end with CR LF. */
void Ini_Default(RpBuffer *text);

/* Appends `ini` with the mode of `glob` (which may be "default") set. The mode is set in the last
 * line of [modes] that names the glob, or in a new line at the end of that section, or in a new
 * section. If `mode` is null, the lines are removed. Returns RP_INVALID and RP_NOT_FOUND as
 * Settings_Set does. */
RpStatus Ini_SetMode(const char *ini, size_t size, const char *glob, const char *mode,
                     RpBuffer *text, RpError *error);

#endif
