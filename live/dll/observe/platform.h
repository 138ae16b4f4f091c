/* What observing asks of the system: platform_windows.c in our DLLs, platform_posix.c in tests.
 * Nothing here leaves a mark on the calling thread but where it says so; nothing throws. */
#ifndef RETROPOSE_LIVE_DLL_OBSERVE_PLATFORM_H
#define RETROPOSE_LIVE_DLL_OBSERVE_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Vectored handlers, the mark of threads, the clock. Safe to call again. */
bool Platform_Open(void);
void Platform_Close(void);

/* ---- memory ---------------------------------------------------------------------------------- */

/* Copies memory of the game. False where it cannot be read; nothing is then known about `to`. */
bool Platform_Read(void *to, uint32_t address, size_t size);
/* Where the pages that hold `address` were allocated or mapped from, or 0. */
uint32_t Platform_RegionOf(uint32_t address);

/* Zeroed pages, below 4 GiB wherever this runs; null when there are none. */
void *Platform_Allocate(size_t size);
void Platform_Free(void *memory, size_t size);

/* ---- threads --------------------------------------------------------------------------------- */

/* In a loop that waits for another thread: `turn` counts from 0 on. */
void Platform_Pause(uint32_t turn);

/* Whether this thread is inside a run of ours: calls that it makes are nobody's to observe. Asking
 * costs the thread's last error. */
bool Platform_IsInside(void);
void Platform_SetInside(bool inside);

/* What the system keeps for the thread as its last error. */
uint32_t Platform_LastError(void);
void Platform_SetLastError(uint32_t code);

/* One thread of service for the process: calls `step` about every `milliseconds`, and whenever it
 * is woken. False when it cannot be made. */
bool Platform_StartService(void (*step)(void), uint32_t milliseconds);
/* From now on. */
void Platform_SetServicePeriod(uint32_t milliseconds);
/* False before its first step and behind its last one: nobody is to wait for it. */
bool Platform_ServiceLives(void);
void Platform_WakeService(void);
/* Its last step is over when this returns. `gone`: the system has ended it already, somewhere. */
void Platform_StopService(bool gone);

typedef struct PlatformFault {
    uint32_t code, address;
} PlatformFault;

/* False, and what happened, when `run` ends in an exception; whatever it held, it holds for ever.
 */
bool Platform_RunGuarded(void (*run)(void *context), void *context, PlatformFault *fault);

/* ---- time ------------------------------------------------------------------------------------ */

uint64_t Platform_Ticks(void); /* of the processor: rdtsc */
/* Begins again after 49 days, so only differences count. There is no lock in it: a thread may be
 * ended anywhere. */
uint32_t Platform_Milliseconds(void);

/* ---- files ----------------------------------------------------------------------------------- */

typedef intptr_t PlatformFile;
#define PLATFORM_NO_FILE ((PlatformFile)-1)

typedef enum PlatformOpening {
    PLATFORM_OPENED,
    PLATFORM_EXISTS, /* it is somebody's: never overwritten */
    PLATFORM_REFUSED
} PlatformOpening;

/* A new file; readers may have it open while it grows. `code`: of the system. */
PlatformOpening Platform_Create(const char *path, PlatformFile *file, uint32_t *code);
/* The end of a file, which may exist. */
PlatformOpening Platform_Append(const char *path, PlatformFile *file, uint64_t *size,
                                uint32_t *code);
/* All of it, or false. */
bool Platform_Write(PlatformFile file, uint64_t offset, const void *bytes, size_t size,
                    uint32_t *code);
bool Platform_Cut(PlatformFile file, uint64_t size);
void Platform_CloseFile(PlatformFile file);
bool Platform_Delete(const char *path);

#endif
