/* The place where the pair of DLLs lives: this process, under 32-bit Windows (guest_windows.c), or
 * a machine, whose guest has addresses of its own (guest_machine.c). The host knows what belongs to
 * the pair by 32-bit addresses, and turns these into pointers where it looks at the bytes.
 *
 * A process may have any number of machines. Each of them is used by one thread at a time. */
#ifndef RETROPOSE_REPLAY_HOST_GUEST_H
#define RETROPOSE_REPLAY_HOST_GUEST_H

#include "exports/abi.h"
#include "replay/host/invoke.h"
#include "retropose/arithmetic.h"
#include "tracefile/tracefile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GUEST_PAGE 4096u

/* Is called when a running function writes to a page that may only be read. Returns true if it has
 * made the page writable, and false to make the write a crash. */
typedef bool GuestWritten(void *context, uint32_t page);

#ifdef GUEST_IS_NATIVE
#include <wchar.h>
typedef wchar_t HostChar; /* the type of file names, because no code page has all of them */
#define HOST_MAIN wmain

/* The pair in this process, of which there is one. Everything else that it needs belongs to the
 * process. */
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
#include "machine/x86_machine.h"
typedef char HostChar;
#define HOST_MAIN main

typedef struct Guest {
    InvokeFrame *frame; /* points to `own_frame` */
    InvokeFrame own_frame;
    Machine *machine;
    MachineMemory *memory; /* the memory of the machine */
    char engine[48];
    const MachineProfile *profile; /* the profile of its processor */
    uint64_t call_budget;
    uint32_t modules[ABI_MODULE_COUNT];        /* the addresses at which the modules begin */
    uint32_t module_numbers[ABI_MODULE_COUNT]; /* the numbers of the modules in the machine */
    uint32_t pool, pool_used;                  /* the memory from which Guest_Allocate gives */
    MachineReached reached;                    /* what Guest_NoteReached was asked for */
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

/* How a machine is to be set up; on Windows none of this has an effect. Zeros give a machine with
 * its translator and with the limits that the command has. */
typedef struct GuestOptions {
    bool interpreter; /* runs without the translator */
    /* signals of the thread do not wait for the end of a call (x86_machine.h) */
    bool takes_signals;
    const struct MachineProfile *profile; /* null stands for the host's own processor */
    /* the most instructions of one call; 0 stands for 4,000 million */
    uint64_t call_budget;
    uint64_t most_memory; /* the most bytes of the guest; 0 stands for 3 GiB */
    uint32_t stack_bytes; /* 0 stands for 1 MiB */
} GuestOptions;

/* Prepares the surroundings of the pair, and has to be called before Guest_Load. It sets the
 * readings and the ForceCpu of the header, which are all that the pair then finds of the user's
 * environment and registry, and turns message boxes off. What it changes belongs to this process;
 * Guest_Close takes it back, also after an error. */
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
/* Returns where the module begins that contains an address of neither DLL, or 0 if no module
 * does. */
uint32_t Guest_OtherModule(const Guest *guest, uint32_t address);
/* Has the machine note which code of the two DLLs runs: `marks` has a byte for each address of the
 * first one, then of the second one, whose images have these sizes. Nothing but a machine can do
 * so; under Windows the result is RP_UNSUPPORTED. */
RpStatus Guest_NoteReached(Guest *guest, const uint32_t bytes[ABI_MODULE_COUNT], uint8_t *marks,
                           RpError *error);
/* Calls a stdcall function that takes a number and returns one. */
uint32_t Guest_Ask(Guest *guest, uint32_t function, uint32_t number);
/* Returns what the pair runs in, as a trace's header states it as `engine`. */
const char *Guest_Engine(const Guest *guest);
/* Returns whose estimates (rcpss, rsqrtss) the pair gets. */
RpEstimates Guest_Estimates(const Guest *guest);

/* ---- memory -----------------------------------------------------------------------------------
 */

/* Guest_Reserve reserves addresses, and Guest_Commit commits pages of them for reading and writing.
 * Where there is no room, they return 0 and false. */
uint32_t Guest_Reserve(Guest *guest, uint32_t size);
bool Guest_Commit(Guest *guest, uint32_t address, uint32_t size);
/* Takes back what was reserved at this address. */
void Guest_Release(Guest *guest, uint32_t address);
/* Makes committed pages writable, or allows them only to be read. Address and size have to be those
 * of whole pages. */
void Guest_Protect(Guest *guest, uint32_t address, uint32_t size, bool writable);
void Guest_WatchWrites(Guest *guest, GuestWritten *written, void *context);

/* Gives memory for an object that the host provides. It is never given back. Returns 0 where there
 * is none left. */
uint32_t Guest_Allocate(Guest *guest, uint32_t size);
#ifndef GUEST_IS_NATIVE
/* Has to be called after Machine_Restore, which takes this memory back. */
void Guest_DropAllocations(Guest *guest);
#endif

#endif
