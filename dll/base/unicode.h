/* Converts between UTF-8, in which our DLLs have texts, and UTF-16, which the system takes. No path
 * of ours goes through a code page: the process is the game's, and its code page has only a few
 * hundred characters, or is not the one of the command that set the environment. */
#ifndef RETROPOSE_DLL_BASE_UNICODE_H
#define RETROPOSE_DLL_BASE_UNICODE_H

#include <stdbool.h>
#include <stddef.h>

/* Converts a text from UTF-8. If it is not UTF-8, it is taken to be in the system's code page, in
 * which an editor may have saved it. Returns false when the result does not fit. */
bool Unicode_Widen(const char *text, wchar_t *wide, size_t chars);
/* Converts to UTF-8. Returns false, and gives an empty text, when the result does not fit. */
bool Unicode_Narrow(const wchar_t *wide, char *text, size_t size);

#endif
