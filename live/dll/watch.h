/* A thread that looks at retropose.ini a few times a second. It ends with the process; the module
 * must stay loaded. */
#ifndef RETROPOSE_LIVE_DLL_WATCH_H
#define RETROPOSE_LIVE_DLL_WATCH_H

#include "live/dll/configuration.h"

/* `stamp` is the file's from before it was read: what is written between reading and this call is a
 * change, too. `changed` runs on that thread, outside of the loader's lock. */
bool Watch_Start(const wchar_t *folder, ConfigurationStamp stamp, void (*changed)(void));

#endif
