/* A headless browser that takes the picture of a page. */
#ifndef RETROPOSE_CLI_BROWSER_H
#define RETROPOSE_CLI_BROWSER_H

#include "retropose/memory.h"

#include <stdbool.h>

#define BROWSER_PATH_BYTES 4096

typedef struct BrowserShot {
    const char *browser; /* a path or a name for the search path; null: the first that is found */
    const void *page;    /* HTML that sets data-viewer of its root to "ready" or "failed" */
    size_t page_size;
    const char *hash; /* what follows the page's address, with its '#'; only characters of a URL */
    unsigned width, height, seconds;
} BrowserShot;

/* Finds Chromium, Chrome or Edge by the names that they have on the search path and, on Windows,
 * in the folders into which they are installed. */
bool Browser_Find(char *path, size_t size);
/* Appends a PNG. The browser gets a profile of its own, which is removed afterwards. Returns
 * RP_NOT_FOUND where there is no browser, RP_CRASHED where it does not end in time, and RP_IO,
 * with what the page or the browser said, where there is no picture. */
RpStatus Browser_Shoot(const BrowserShot *shot, RpBuffer *png, RpError *error);

#endif
