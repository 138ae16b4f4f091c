/* What observing needs from the system. platform_windows.c provides it in our DLLs,
 * platform_posix.c in tests. Unless a comment says otherwise, these functions change nothing that
 * the calling thread can see, and none of them throws. */
#ifndef RETROPOSE_DLL_OBSERVE_PLATFORM_H
#define RETROPOSE_DLL_OBSERVE_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Prepares the vectored handlers, the mark of threads and the clock. May be called more than
 * once. */
bool Platform_Open(void);

/* ---- memory ---------------------------------------------------------------------------------- */

/* Copies memory of the game. Returns false if it cannot be read; the contents of `to` are then
 * undefined. */
bool Platform_Read(void *to, uint32_t address, size_t size);
/* Returns the address from which the pages around `address` were allocated or mapped, or 0. */
uint32_t Platform_RegionOf(uint32_t address);

/* Returns zeroed pages, which are below 4 GiB on every system, or null when there are none. */
void *Platform_Allocate(size_t size);
void Platform_Free(void *memory, size_t size);

/* ---- threads --------------------------------------------------------------------------------- */

/* Call it in a loop that waits for another thread. `turn` counts the rounds from 0. */
void Platform_Pause(uint32_t turn);

/* Returns whether this thread is running something on copies. Calls that it makes there are not
 * observed. This changes the thread's last error. */
bool Platform_IsInside(void);
void Platform_SetInside(bool inside);

/* These read and set the thread's last error, which the system keeps for each thread. */
uint32_t Platform_LastError(void);
void Platform_SetLastError(uint32_t code);

/* Starts the process's one service thread. It calls `step` about every `milliseconds`, and whenever
 * it is woken. Returns false if the thread cannot be made. */
bool Platform_StartService(void (*step)(void), uint32_t milliseconds);
/* Changes the period at once. */
void Platform_SetServicePeriod(uint32_t milliseconds);
/* Returns whether the service has done its first step and not yet its last one. Otherwise nobody
 * may wait for it. */
bool Platform_ServiceLives(void);
void Platform_WakeService(void);
/* Call it when the process ends. When it returns, the service's last step has ended, or the system
 * has ended the thread in the middle of one. */
void Platform_StopService(void);

typedef struct PlatformFault {
    uint32_t code, address;
} PlatformFault;

/* Calls `run`. Returns false, and says what happened, if it ends in an exception. Locks that it
 * held are then never released. */
bool Platform_RunGuarded(void (*run)(void *context), void *context, PlatformFault *fault);

/* ---- time ------------------------------------------------------------------------------------ */

uint64_t Platform_Ticks(void); /* the processor's counter, from rdtsc */
/* The result begins again at 0 after 49 days, so only differences count. This takes no lock,
 * because a thread may be ended anywhere. */
uint32_t Platform_Milliseconds(void);

/* ---- files ----------------------------------------------------------------------------------- */

typedef intptr_t PlatformFile;
#define PLATFORM_NO_FILE ((PlatformFile)-1)

typedef enum PlatformOpening {
    PLATFORM_OPENED,
    PLATFORM_EXISTS, /* the file belongs to somebody, and is never overwritten */
    PLATFORM_REFUSED
} PlatformOpening;

/* Makes a new file, which others may read while it grows. `code` is the system's error. */
PlatformOpening Platform_Create(const char *path, PlatformFile *file, uint32_t *code);
/* Opens the end of a file, which may exist already. */
PlatformOpening Platform_Append(const char *path, PlatformFile *file, uint64_t *size,
                                uint32_t *code);
/* Writes all bytes, or returns false. */
bool Platform_Write(PlatformFile file, uint64_t offset, const void *bytes, size_t size,
                    uint32_t *code);
bool Platform_Cut(PlatformFile file, uint64_t size);
void Platform_CloseFile(PlatformFile file);
bool Platform_Delete(const char *path);

#endif
