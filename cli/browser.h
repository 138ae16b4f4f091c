/* A headless browser that takes the picture of a page. */
#ifndef RETROPOSE_CLI_BROWSER_H
#define RETROPOSE_CLI_BROWSER_H

#include "retropose/memory.h"

#include <stdbool.h>

#define BROWSER_PATH_BYTES 4096

typedef struct BrowserShot {
    const char *browser; /* path, or a name for the search path; null: the first that is found */
    const void *page;    /* HTML that sets data-viewer of its root to "ready" or "failed" */
    size_t page_size;
    const char *hash; /* behind the page's address, with its '#'; only characters of an URL */
    unsigned width, height, seconds;
} BrowserShot;

/* Chromium, Chrome or Edge, by the names they have on the search path and, on Windows, in the
 * folders they are installed to. */
bool Browser_Find(char *path, size_t size);
/* Appends a PNG. The browser gets a profile of its own, which is gone afterwards. RP_NOT_FOUND when
 * there is no browser, RP_CRASHED when it does not end in time, RP_IO with what the page or the
 * browser said when there is no picture. */
RpStatus Browser_Shoot(const BrowserShot *shot, RpBuffer *png, RpError *error);

#endif
