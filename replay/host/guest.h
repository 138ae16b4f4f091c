/* Where the pair of DLLs lives: in this process, under 32-bit Windows (guest_windows.c), or in a
 * machine, whose guest has addresses of its own (guest_machine.c). The host knows the pair's things
 * by their 32-bit addresses, and makes pointers of them where it looks at their bytes.
 *
 * A process has any number of machines. Each of them belongs to one thread at a time. */
#ifndef RETROPOSE_REPLAY_HOST_GUEST_H
#define RETROPOSE_REPLAY_HOST_GUEST_H

#include "exports/abi.h"
#include "replay/host/invoke.h"
#include "retropose/arithmetic.h"
#include "tracefile/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GUEST_PAGE 4096u

/* Asked where a running function writes to a page that may only be read. False makes the write a
 * crash. True: it has made the page writable. */
typedef bool GuestWritten(void *context, uint32_t page);

#ifdef GUEST_IS_NATIVE
#include <wchar.h>
typedef wchar_t HostChar; /* of names of files; no code page has all of them */
#define HOST_MAIN wmain

/* The pair in this process, of which there is one; what else it needs is the process's own. */
typedef struct Guest {
    InvokeFrame *frame;
} Guest;

static inline void *Guest_At(const Guest *guest, uint32_t address) {
    (void)guest;
    return (void *)(uintptr_t)address;
}

static inline uint32_t Guest_AddressOf(const Guest *guest, const void *bytes) {
    (void)guest;
    return (uint32_t)(uintptr_t)bytes;
}
#else
#include "machine/machine.h"
typedef char HostChar;
#define HOST_MAIN main

typedef struct Guest {
    InvokeFrame *frame; /* `own_frame` */
    InvokeFrame own_frame;
    Machine *machine;
    MachineMemory *memory; /* of the machine */
    char engine[48];
    const MachineProfile *profile; /* of its processor */
    uint64_t call_budget;
    uint32_t modules[ABI_MODULE_COUNT];        /* where they begin */
    uint32_t module_numbers[ABI_MODULE_COUNT]; /* in the machine */
    uint32_t pool, pool_used;                  /* of Guest_Allocate */
    GuestWritten *written;
    void *written_context;
} Guest;

static inline void *Guest_At(const Guest *guest, uint32_t address) {
    return MachineMemory_At(guest->memory, address);
}

static inline uint32_t Guest_AddressOf(const Guest *guest, const void *bytes) {
    return guest->memory->window ? (uint32_t)((const uint8_t *)bytes - guest->memory->window)
                                 : MachineMemory_AddressOf(guest->memory, bytes);
}
#endif

/* ---- the system around the pair ---------------------------------------------------------------
 */

/* What a machine is to be like; Windows takes none of it. Zeros are the machine with its translator
 * and with the limits of the command. */
typedef struct GuestOptions {
    bool interpreter;                     /* does without the translator */
    bool takes_signals;                   /* signals of the thread do not wait (machine.h) */
    const struct MachineProfile *profile; /* null: the host's own processor */
    uint64_t call_budget;                 /* instructions of one call; 0: 4,000 million */
    uint64_t most_memory;                 /* of the guest, bytes; 0: 3 GiB */
    uint32_t stack_bytes;                 /* 0: 1 MiB */
} GuestOptions;

/* To be called before Guest_Load: sets the hypotheses and ForceCpu of the header, which are all
 * that the pair finds of the user's environment and registry, and turns message boxes off. What it
 * changes belongs to this process; Guest_Close takes it back, also after an error. */
RpStatus Guest_Open(Guest *guest, const TraceHeader *header, const GuestOptions *options,
                    RpError *error);
void Guest_Close(Guest *guest);
/* Loads a DLL of the pair, under its own name, from a file with these bytes. */
RpStatus Guest_Load(Guest *guest, const HostChar *path, const uint8_t *bytes, size_t size,
                    AbiModule module, uint32_t *base, RpError *error);
/* Returns the address of an export by name, or 0. */
uint32_t Guest_Export(const Guest *guest, uint32_t base, const char *name);
/* Returns whether the pair may write to all of these bytes, so that the host may, too. */
bool Guest_MayWrite(const Guest *guest, uint32_t address, uint32_t size);
/* Returns where the module begins that contains an address of neither DLL; 0: no module does. */
uint32_t Guest_OtherModule(const Guest *guest, uint32_t address);
/* Calls a stdcall function that takes a number and gives one. */
uint32_t Guest_Ask(Guest *guest, uint32_t function, uint32_t number);
/* Returns what the pair runs in, as a trace's header states it as `engine`. */
const char *Guest_Engine(const Guest *guest);
/* Returns whose estimates (rcpss, rsqrtss) the pair gets. */
RpEstimates Guest_Estimates(const Guest *guest);

/* ---- memory -----------------------------------------------------------------------------------
 */

/* Reserves addresses, from which pages are committed for reading and writing. Return 0 and false
 * where there is no room. */
uint32_t Guest_Reserve(Guest *guest, uint32_t size);
bool Guest_Commit(Guest *guest, uint32_t address, uint32_t size);
/* Takes back what was reserved at this address. */
void Guest_Release(Guest *guest, uint32_t address);
/* Lets committed pages be written to, or only read. Bytes of both have to be whole pages. */
void Guest_Protect(Guest *guest, uint32_t address, uint32_t size, bool writable);
void Guest_WatchWrites(Guest *guest, GuestWritten *written, void *context);

/* Gives memory for an object that the host plays. It is never given back. 0: there is none left. */
uint32_t Guest_Allocate(Guest *guest, uint32_t size);
#ifndef GUEST_IS_NATIVE
/* To be called after Machine_Restore, which takes this memory back. */
void Guest_DropAllocations(Guest *guest);
#endif

#endif
