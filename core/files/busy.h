/* Decides how long to try again when Windows says that another program has a file open. That is
 * often so for a moment: a virus scanner looks into every new file, and an indexer or a backup into
 * many. */
#ifndef RETROPOSE_CORE_FILES_BUSY_H
#define RETROPOSE_CORE_FILES_BUSY_H

#include <stdbool.h>
#include <stdint.h>

/* Returns how many milliseconds to wait after `failed` failed attempts, of which the last one gave
 * the system error `code`. 0 means not to try again. All pauses together take three seconds. */
uint32_t Busy_Pause(uint32_t code, unsigned failed);

#ifdef _WIN32
/* Waits as long as Busy_Pause says for GetLastError(), and returns whether to try again. */
bool Busy_Wait(unsigned failed);
#endif

#endif
