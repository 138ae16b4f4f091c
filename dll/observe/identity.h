/* The originals that serve a process, for the header of a recorded trace. */
#ifndef RETROPOSE_DLL_OBSERVE_IDENTITY_H
#define RETROPOSE_DLL_OBSERVE_IDENTITY_H

#include "dll/settings/settings.h"
#include "exports/abi.h"

/* A folder has at most 260 units of UTF-16, each of which is at most three bytes of UTF-8. */
enum { OBSERVE_PATH_BYTES = 3 * 260 + SETTINGS_PATH_BYTES };

typedef struct ObserveIdentity {
    char sha256[ABI_MODULE_COUNT][65];
    bool standin[ABI_MODULE_COUNT];
    bool hosted[ABI_MODULE_COUNT];
    char folder[OBSERVE_PATH_BYTES - SETTINGS_PATH_BYTES];
} ObserveIdentity;

#endif
