/* Reads what is configured in a game folder: retropose.ini and the environment, retropose.overlay,
 * retropose.profile. */
#ifndef RETROPOSE_DLL_CONFIGURATION_H
#define RETROPOSE_DLL_CONFIGURATION_H

#include "dll/folder.h"
#include "dll/settings/settings.h"
#include "exports/overlay/overlay.h"

#define CONFIGURATION_FILE "retropose.ini"

extern const RpAllocator live_allocator; /* the heap of the process */

/* Takes the defaults, then reads the file, then the environment. Returns false when there is no
 * file. Complaints go to the log if `loud` is set. */
bool Configuration_Read(const wchar_t *folder, LiveSettings *settings, bool loud);
/* Returns RP_NOT_FOUND when there is no overlay. */
RpStatus Configuration_ReadOverlay(const wchar_t *folder, const LiveSettings *settings,
                                   Overlay *overlay, RpError *error);
/* Reads the profile, and then the settings' own readings, which override it. Malformed lines are
 * logged and ignored. */
void Configuration_Readings(const wchar_t *folder, const LiveSettings *settings,
                            RpReadings *readings);

/* A stamp of the file. It differs from an earlier stamp when the file has changed. */
typedef struct ConfigurationStamp {
    uint32_t words[3];
} ConfigurationStamp;
ConfigurationStamp Configuration_Stamp(const wchar_t *folder);

#endif
