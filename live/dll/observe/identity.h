/* Which originals serve a process, for the header of a recorded trace. */
#ifndef RETROPOSE_LIVE_DLL_OBSERVE_IDENTITY_H
#define RETROPOSE_LIVE_DLL_OBSERVE_IDENTITY_H

#include "exports/abi.h"
#include "live/settings/settings.h"

typedef struct ObserveIdentity {
    char sha256[ABI_MODULE_COUNT][65];
    bool standin[ABI_MODULE_COUNT];
    bool hosted[ABI_MODULE_COUNT];
    char folder[SETTINGS_PATH_BYTES];
} ObserveIdentity;

#endif
