/* Takes the picture of a page with a headless browser. */
#ifndef RETROPOSE_CLI_BROWSER_H
#define RETROPOSE_CLI_BROWSER_H

#include "retropose/error.h"

#include <stddef.h>

enum { BROWSER_HASH_BYTES = 4096 };

typedef struct BrowserShot {
    /* a path or a name for the search path; null: the first of Chromium, Chrome and Edge on the
     * search path or, on Windows, in the folders into which they are installed */
    const char *browser;
    const void *page; /* HTML that sets data-viewer of its root to "ready" or "failed" */
    size_t page_size;
    /* The part of the page's address from its '#' on, with at most BROWSER_HASH_BYTES including the
     * NUL. It has only characters of a URL. */
    const char *hash;
    unsigned width, height, seconds;
} BrowserShot;

/* Writes a PNG into a file, where "-" is the standard output. The browser gets a profile of its
 * own, which is removed afterwards. Returns RP_NOT_FOUND where there is no browser, RP_CRASHED
 * where it does not end in time, and RP_IO, with what the page or the browser said, where there is
 * no picture. */
RpStatus Browser_Shoot(const BrowserShot *shot, const char *path, RpError *error);

#endif
