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

BundledPath *Bundled_Traces(size_t *count) {
    char folder[PLACE_BYTES];
    *count = 0;
    DIR *entries = Place_Find("traces", folder, sizeof folder) ? opendir(folder) : NULL;
    if (!entries) {
        Cli_Complain("no traces/ beside this program or in RETROPOSE_HOME: name the traces");
        return NULL;
    }
    BundledPath *paths = NULL;
    const struct dirent *entry;
    bool good = true;
    while (good && (entry = readdir(entries))) {
        const size_t length = strlen(entry->d_name), ending = sizeof ENDING - 1;
        if (length <= ending || strcmp(entry->d_name + length - ending, ENDING) != 0)
            continue;
        BundledPath *longer = realloc(paths, (*count + 1) * sizeof *paths);
        if (longer)
            paths = longer;
        good = longer && (size_t)snprintf(paths[*count], PLACE_BYTES, "%s/%s", folder,
                                          entry->d_name) < PLACE_BYTES;
        if (good)
            ++*count;
        else
            Cli_Complain("no room for the bundled trace %s", entry->d_name);
    }
    closedir(entries);
    if (!good) {
        free(paths);
        return NULL;
    }

    if (paths)
        qsort(paths, *count, sizeof *paths, ByName);
    else
        Cli_Complain("%s holds no trace", folder);
    return paths;
}
