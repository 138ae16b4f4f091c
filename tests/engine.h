/* The engine that runs DLLs in tests: what `auto` stands for on this machine. */
#ifndef RETROPOSE_TESTS_ENGINE_H
#define RETROPOSE_TESTS_ENGINE_H

#include "replay/provider/provider.h"

#include <stdio.h>

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

#endif
