/* A thread that looks at retropose.ini a few times a second. It runs as long as the process does,
 * so the module must stay loaded. */
#ifndef RETROPOSE_DLL_WATCH_H
#define RETROPOSE_DLL_WATCH_H

#include "dll/configuration.h"

/* `stamp` must have been taken before the file was read, so that changes between the reading and
 * this call are noticed. `changed` runs on the new thread, outside of the loader's lock. */
bool Watch_Start(const wchar_t *folder, ConfigurationStamp stamp, void (*changed)(void));

#endif
