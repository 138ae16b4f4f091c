/* Asks about the code page in which the game names files. This is for Windows only. There the
 * command's own code page is UTF-8 (cli/retropose.manifest), so that it can work on a folder that
 * the game cannot name. */
#ifndef RETROPOSE_CORE_FILES_CODE_PAGE_H
#define RETROPOSE_CORE_FILES_CODE_PAGE_H

#ifdef _WIN32
#include <stdbool.h>
#include <stddef.h>

/* Returns whether the code page has all characters of a path. */
bool CodePage_Has(unsigned page, const wchar_t *path);
/* Returns whether programs without a manifest can name the folder by its whole path. *page becomes
 * the code page of such programs. */
bool CodePage_OfSystemHas(const char *folder, unsigned *page);
#endif

#endif
