/* Recognises names that stand for devices under Windows, in every folder. A file whose name is
 * taken from the content of another file must not have such a name. */
#ifndef RETROPOSE_CORE_TEXT_WINDOWS_NAMES_H
#define RETROPOSE_CORE_TEXT_WINDOWS_NAMES_H

#include <stdbool.h>

/* Returns whether a name is CON, PRN, AUX, NUL, CONIN$, CONOUT$, or COM or LPT with a digit, which
 * may be a superscript. Case, spaces before the name and everything after the first dot or colon
 * are ignored. The name is UTF-8 or single bytes, without a folder. */
bool WindowsName_IsReserved(const char *file);

#endif
