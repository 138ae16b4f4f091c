/* A thread that looks at retropose.ini a few times a second. It lives as long as the process, so
 * the module must stay loaded. */
#ifndef RETROPOSE_DLL_WATCH_H
#define RETROPOSE_DLL_WATCH_H

#include "dll/configuration.h"

/* `stamp` was taken before the file was read, so that anything written between the reading and
 * this call counts as a change. `changed` runs on the new thread, outside of the loader's lock. */
bool Watch_Start(const wchar_t *folder, ConfigurationStamp stamp, void (*changed)(void));

#endif
