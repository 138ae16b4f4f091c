/* The engine that runs DLLs in tests: what `auto` stands for on this machine. */
#ifndef RETROPOSE_TESTS_ENGINE_H
#define RETROPOSE_TESTS_ENGINE_H

#include "replay/provider/provider.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Returns whether DLLs run in a machine, which cannot reach the files, pipes and memory of its
 * process. */
static inline bool TestEngine_IsMachine(void) {
    return ProviderEngine_Choose(PROVIDER_ENGINE_AUTO) == PROVIDER_ENGINE_MACHINE;
}

/* Writes the path of the engine's host program. The machine's is that of this build, and the one
 * for Windows or Wine is that of the build for Windows in `home`. */
static inline void TestEngine_Host(const char *home, char *host, size_t size) {
    snprintf(host, size, "%s/%s", TestEngine_IsMachine() ? BUILD_FOLDER : home,
             ProviderEngine_Host(PROVIDER_ENGINE_AUTO));
}

/* Finds the build for Windows (RETROPOSE_HOME, or the one of the preset) with the engine's host and
 * with `part`, and says so if one of them is not there. */
static inline bool TestEngine_Find(const char *part, char home[512], char host[600]) {
    char path[700];
    const char *set = getenv("RETROPOSE_HOME");
    snprintf(home, 512, "%s", set ? set : WINDOWS_BUILD);
    snprintf(path, sizeof path, "%s/%s", home, part);
    TestEngine_Host(home, host, 600);
    if (access(host, F_OK) == 0 && access(path, F_OK) == 0)
        return true;
    printf("skipped: %s or %s is not there; build the preset windows first\n", host, path);
    return false;
}

#endif
