/* What is set in a game folder: retropose.ini and the environment, retropose.overlay,
 * retropose.profile. */
#ifndef RETROPOSE_LIVE_DLL_CONFIGURATION_H
#define RETROPOSE_LIVE_DLL_CONFIGURATION_H

#include "exports/overlay/overlay.h"
#include "live/dll/folder.h"
#include "live/settings/settings.h"

#define CONFIGURATION_FILE "retropose.ini"

extern const RpAllocator live_allocator; /* of the process */

/* The defaults, the file, the environment. False: there is no file. Complaints go to the log when
 * `loud`. */
bool Configuration_Read(const wchar_t *folder, LiveSettings *settings, bool loud);
/* RP_NOT_FOUND: there is none. */
RpStatus Configuration_ReadOverlay(const wchar_t *folder, const LiveSettings *settings,
                                   Overlay *overlay, RpError *error);
/* The profile's readings, and over these the settings'. What is malformed is logged and left out.
 */
void Configuration_Hypotheses(const wchar_t *folder, const LiveSettings *settings,
                              RpReadings *hypotheses);

/* What changes when the file does. */
typedef struct ConfigurationStamp {
    uint32_t words[3];
} ConfigurationStamp;
ConfigurationStamp Configuration_Stamp(const wchar_t *folder);

#endif
