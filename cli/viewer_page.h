/* Writes the page of bindings/viewer/ with files inside, and its picture, for `msh view`, `msh
 * gallery` and `ani view`. */
#ifndef RETROPOSE_CLI_VIEWER_PAGE_H
#define RETROPOSE_CLI_VIEWER_PAGE_H

#include "cli/browser.h"
#include "cli/files.h"

/* Options of all three verbs. */
#define CLI_PAGE_VIEW                                                                              \
    { "view", "WORDS", "what to show, as behind the # of a page's link: bones=1&surface=rows", 0 }
#define CLI_PAGE_OPTIONS                                                                           \
    CLI_PAGE_VIEW, {"size", "WxH", "of the picture (default: 1280x960)", 0},                       \
        {"browser", "PATH", "Chromium, Chrome or Edge (default: the first on the search path)",    \
         0},                                                                                       \
        {"timeout", "SECONDS", "for the browser (default: 60)", 0}, {                              \
        "template", "FILE", "viewer.html of bindings/viewer/build (default: the one built in)", 0  \
    }

typedef struct CliPage {
    const Cli *cli;
    RpBuffer data; /* the page's JSON (docs/use/view.md), which is complete up to the last file */
    RpBuffer html;
    size_t files;
    char hash[BROWSER_HASH_BYTES - 8]; /* what follows the page's address, from its '#' on */
    BrowserShot shot;
    const char *output, *png; /* null: not wanted */
    Mapping template;
} CliPage;

/* Begins a page without files. It must be freed. */
void CliPage_Init(CliPage *page, const Cli *cli);
void CliPage_Free(CliPage *page);

/* Reads the options of CLI_PAGE_OPTIONS, or says what is wrong and returns false. */
bool CliPage_TakeOptions(CliPage *page);
/* Appends a word to the page's hash: "name=value", or `value` alone if there is no name. */
void CliPage_AppendHash(CliPage *page, const char *name, const char *value);
/* Adds a member that is about all files of the page. Must be called before the first file is
 * added. */
void CliPage_Say(CliPage *page, const char *name, const char *value);
/* Adds a file under a name without folders. */
void CliPage_AddFile(CliPage *page, const char *name, const void *bytes, size_t size);

/* Makes the page and writes the page and the picture, if they are wanted. Prints what was written
 * or, as JSON, an object in which the member `what` is `source`. Returns the exit code. */
int CliPage_Write(CliPage *page, const char *title, const char *what, const char *source);

/* Returns "b.msh" for "a.rlb::b.msh" and for "dir/b.msh". */
const char *CliPage_LastPart(const char *name);

#endif
