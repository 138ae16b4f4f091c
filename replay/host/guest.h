/* Where the pair of DLLs lives: in this process, under 32-bit Windows (guest_windows.c), or in a
 * machine, whose guest has addresses of its own (guest_machine.c). The host knows the pair's things
 * by their 32-bit addresses, and makes pointers of them where it looks at their bytes. */
#ifndef RETROPOSE_REPLAY_HOST_GUEST_H
#define RETROPOSE_REPLAY_HOST_GUEST_H

#include "exports/abi.h"
#include "replay/trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
#include <wchar.h>
typedef wchar_t HostChar; /* of names of files; no code page has all of them */
#define HOST_MAIN wmain

static inline void *Guest_At(uint32_t address) {
    return (void *)(uintptr_t)address;
}

static inline uint32_t Guest_AddressOf(const void *bytes) {
    return (uint32_t)(uintptr_t)bytes;
}
#else
#include "machine/machine.h"
typedef char HostChar;
#define HOST_MAIN main

extern Machine *guest_machine;
extern MachineMemory *guest_memory; /* of the machine */

static inline void *Guest_At(uint32_t address) {
    return MachineMemory_At(guest_memory, address);
}

static inline uint32_t Guest_AddressOf(const void *bytes) {
    return guest_memory->window ? (uint32_t)((const uint8_t *)bytes - guest_memory->window)
                                : MachineMemory_AddressOf(guest_memory, bytes);
}
#endif

/* ---- the system around the pair ---------------------------------------------------------------
 */

/* What a machine shall be. Windows has neither. */
typedef struct GuestOptions {
    bool interpreter;   /* without its translator */
    char processor[32]; /* a name of machine/processor/profile.h; empty: this one */
} GuestOptions;

/* To be called before Guest_Load: sets the hypotheses and ForceCpu of the header, which are all
 * that the pair finds of the user's environment and registry, and turns message boxes off. What it
 * changes belongs to this process; Guest_Close takes it back. */
RpStatus Guest_Open(const TraceHeader *header, const GuestOptions *options, RpError *error);
void Guest_Close(void);
/* Loads a DLL of the pair, under its own name, from a file with these bytes. */
RpStatus Guest_Load(const HostChar *path, const uint8_t *bytes, size_t size, AbiModule module,
                    uint32_t *base, RpError *error);
/* Returns the address of an export by name, or 0. */
uint32_t Guest_Export(uint32_t base, const char *name);
/* Returns whether the pair may write to all of these bytes, so that the host may, too. */
bool Guest_MayWrite(uint32_t address, uint32_t size);
/* Returns where the module begins that contains an address of neither DLL; 0: no module does. */
uint32_t Guest_OtherModule(uint32_t address);
/* Calls a stdcall function that takes a number and gives one. */
uint32_t Guest_Ask(uint32_t function, uint32_t number);
/* Returns what the pair runs in, as a trace's header states it as `engine`. */
const char *Guest_Engine(void);
/* Returns whose estimates (rcpss, rsqrtss) the pair gets. */
RpEstimates Guest_Estimates(void);

/* Ends this process at once, without the clean-up of the DLLs, which may hang after a crash inside
 * of them. */
_Noreturn void Guest_EndProcess(int code);

/* ---- memory -----------------------------------------------------------------------------------
 */

#define GUEST_PAGE 4096u

/* Reserves addresses, from which pages are committed for reading and writing. Return 0 and false
 * where there is no room. */
uint32_t Guest_Reserve(uint32_t size);
bool Guest_Commit(uint32_t address, uint32_t size);
/* Takes back what was reserved at this address. */
void Guest_Release(uint32_t address);
/* Lets committed pages be written to, or only read. Bytes of both have to be whole pages. */
void Guest_Protect(uint32_t address, uint32_t size, bool writable);
/* From now on `written` is asked where a running function writes to a page that may only be read.
 * False makes the write a crash. True: `written` has made the page writable. */
void Guest_WatchWrites(bool (*written)(uint32_t page));

/* Gives memory for an object that the host plays. It is never given back. 0: there is none left. */
uint32_t Guest_Allocate(uint32_t size);

/* ---- files of the host ------------------------------------------------------------------------
 */

/* Maps a whole file for reading. Returns null with the error filled. */
const uint8_t *Guest_MapFile(const HostChar *path, size_t *size, RpError *error);
/* Maps a file that this process shares with another one. `size` bytes; 0: those that it has. Makes
 * a missing file where that is not 0. Null with the error filled. */
void *Guest_Share(const HostChar *path, size_t size, bool writes, RpError *error);
/* Gives the name as the other parts of the project take it. */
RpStatus Guest_Name(const HostChar *path, char *name, size_t size, RpError *error);

#endif
