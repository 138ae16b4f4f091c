/* Names that are devices under Windows, in every folder: what is made of names that a file gives
 * must not be one of them. */
#ifndef RETROPOSE_CORE_TEXT_WINDOWS_NAMES_H
#define RETROPOSE_CORE_TEXT_WINDOWS_NAMES_H

#include <stdbool.h>

/* CON, PRN, AUX, NUL, CONIN$, CONOUT$, and COM or LPT with a digit, which may be a superscript one,
 * in any case of letters; whatever follows the first dot or colon, and with spaces before it. The
 * name is UTF-8 or single bytes, without a folder. */
bool WindowsName_IsReserved(const char *file);

#endif
