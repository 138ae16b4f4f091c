/* How long Windows is asked again for a file that another program has open: a scanner of viruses
 * looks into every new file, and an indexer or a backup into many. */
#ifndef RETROPOSE_CORE_FILES_BUSY_H
#define RETROPOSE_CORE_FILES_BUSY_H

#include <stdbool.h>
#include <stdint.h>

/* Returns for how many milliseconds to wait behind so many failed attempts, of which the last one
 * gave this system error; 0: do not try again. All pauses together take three seconds. */
uint32_t Busy_Pause(uint32_t code, unsigned failed);

#ifdef _WIN32
/* Waits so long by what GetLastError says, and returns whether to try again. */
bool Busy_Wait(unsigned failed);
#endif

#endif
