/* The engine that runs DLLs in tests: what `auto` stands for on this machine. */
#ifndef RETROPOSE_TESTS_ENGINE_H
#define RETROPOSE_TESTS_ENGINE_H

#include "replay/provider/provider.h"

#include <stdio.h>

/* Whether DLLs run in a machine, which has no way to the files, pipes and memory of its process. */
static inline bool TestEngine_IsMachine(void) {
    return ProviderEngine_Choose(PROVIDER_ENGINE_AUTO) == PROVIDER_ENGINE_MACHINE;
}

/* Writes the name of the engine's host program: the machine's is of this build, and the one for
 * Windows or Wine of the build for Windows in `home`. */
static inline void TestEngine_Host(const char *home, char *host, size_t size) {
    snprintf(host, size, "%s/%s", TestEngine_IsMachine() ? BUILD_FOLDER : home,
             ProviderEngine_Host(PROVIDER_ENGINE_AUTO));
}

#endif
