/* Texts of our DLLs are UTF-8, and the system takes UTF-16. No path of ours goes through a code
 * page: the process is the game's, and its code page has a few hundred characters, or is another
 * one than that of the command which set the environment. */
#ifndef RETROPOSE_DLL_BASE_UNICODE_H
#define RETROPOSE_DLL_BASE_UNICODE_H

#include <stdbool.h>
#include <stddef.h>

/* Converts UTF-8, or else a text in the system's code page, as an editor may have saved it. Returns
 * false where it does not fit. */
bool Unicode_Widen(const char *text, wchar_t *wide, size_t chars);
/* Converts to UTF-8. Returns false, and an empty text, where it does not fit. */
bool Unicode_Narrow(const wchar_t *wide, char *text, size_t size);

#endif
