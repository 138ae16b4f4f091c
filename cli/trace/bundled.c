#define _POSIX_C_SOURCE 200809L /* opendir */
#include "cli/trace/bundled.h"

#include "cli/cli.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENDING ".rptrace"

static int ByName(const void *a, const void *b) {
    return strcmp(a, b);
}

/* Appends a path. If memory or the room for a path is too small, frees all paths and returns
 * null. */
static BundledPath *Append(BundledPath *paths, size_t count, const char *folder, const char *name) {
    BundledPath *longer = realloc(paths, (count + 1) * sizeof *paths);
    if (longer && (size_t)snprintf(longer[count], PLACE_BYTES, "%s/%s", folder, name) < PLACE_BYTES)
        return longer;
    free(longer ? longer : paths);
    Cli_Complain("no room for the bundled trace %s", name);
    return NULL;
}

static BundledPath *ReadFolder(const char *folder, DIR *entries, size_t *count) {
    BundledPath *paths = NULL;
    const struct dirent *entry;
    while ((entry = readdir(entries))) {
        const size_t length = strlen(entry->d_name), ending = sizeof ENDING - 1;
        if (length <= ending || strcmp(entry->d_name + length - ending, ENDING) != 0)
            continue;
        paths = Append(paths, *count, folder, entry->d_name);
        if (!paths)
            return NULL;
        ++*count;
    }
    if (!paths)
        Cli_Complain("%s holds no trace", folder);
    return paths;
}

BundledPath *Bundled_Traces(size_t *count) {
    char folder[PLACE_BYTES];
    *count = 0;
    DIR *entries = Place_Find("traces", folder, sizeof folder) ? opendir(folder) : NULL;
    if (!entries) {
        Cli_Complain("no traces/ beside this program or in RETROPOSE_HOME: name the traces");
        return NULL;
    }
    BundledPath *paths = ReadFolder(folder, entries, count);
    closedir(entries);
    if (paths)
        qsort(paths, *count, sizeof *paths, ByName);
    return paths;
}
