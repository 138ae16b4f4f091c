/* The two DLLs in this process: loads them, tells them what the trace's header asks for, and
 * finds the functions of the ABI tables in them. */
#ifndef RETROPOSE_REPLAY_HOST_PAIR_H
#define RETROPOSE_REPLAY_HOST_PAIR_H

#include "core/pe/pe.h"
#include "exports/ngi32.abi.h"
#include "exports/overlay/overlay.h"
#include "replay/host/guest.h"
#include "replay/provider/provider.h"
#include "replay/provider/reached_file.h"
#include "retropose/memory.h"

#include <stdbool.h>

/* A row of the ABI tables in this pair. It is made when a call first needs it. */
typedef struct PairFunction {
    bool resolved;
    bool ranged; /* the overlay has lines about it for some calls only */
    const OverlayFunction *line;
    uint32_t target; /* its address; 0 if this pair has none that may be called */
    OverlayCall call;
} PairFunction;

/* What is in use while g_FastProc has the builds of one kind. */
typedef struct PairBuild {
    uint32_t table[ABI_NGI32_FASTPROC_COUNT]; /* the contents of g_FastProc during that time */
    bool unsupported;                         /* the pair does not have these builds */
    /* indexed by the row of abi_functions; null while not used */
    PairFunction *functions;
} PairBuild;

typedef struct Pair {
    Guest *guest;
    Provider provider;
    uint32_t modules[ABI_MODULE_COUNT]; /* the addresses at which the modules begin */
    PeFile files[ABI_MODULE_COUNT];
    /* the published addresses are valid, so internals may be called */
    bool known_layout[ABI_MODULE_COUNT];
    Overlay overlay;
    bool overlay_applies[ABI_MODULE_COUNT];
    uint32_t fast_procs;                    /* the address of g_FastProc; 0 if there is none */
    PairBuild builds[PROVIDER_SLOTS_COUNT]; /* the builds that have been in use */
    PairBuild *build;                       /* the build that is in use now */
    ReachedFile *reached;                   /* gets what the calls reach; null: nobody asks */
} Pair;

/* A DLL of the pair: its bytes, which have to outlive the pair, and, for Windows, the file that
 * they come from. */
typedef struct PairFile {
    const HostChar *path;
    const uint8_t *bytes;
    size_t size;
} PairFile;

/* Loads the pair into an open guest (Guest_Open), which has to outlive the pair. Pair_Free frees
 * what the pair has, also after an error. */
RpStatus Pair_Load(Pair *pair, Guest *guest, const PairFile files[ABI_MODULE_COUNT],
                   RpError *error);
void Pair_Free(Pair *pair);
/* Reads the text of an overlay. Returns RP_INVALID if it was made for other files than those to
 * which it would apply. */
RpStatus Pair_LoadOverlay(Pair *pair, const char *text, size_t size, RpError *error);

/* Has the guest leave marks of the code that runs from now on, and names the functions that are
 * called. `size` is the file's size in bytes. Returns RP_INVALID if the file is for modules of
 * other sizes, or damaged. The file has to outlive the pair. */
RpStatus Pair_NoteReached(Pair *pair, ReachedFile *file, size_t size, RpError *error);

/* Puts builds into g_FastProc, for callers of the table and for AniMesh. Entries whose build has
 * no published address keep what the class chose. */
RpStatus Pair_UseBuilds(Pair *pair, ProviderSlotBuild build, RpError *error);

/* Returns the function of a row, and how it is called, for the call with this sequence number. The
 * result is valid until the next call. */
const PairFunction *Pair_Function(Pair *pair, const AbiFunction *function, uint64_t sequence);

/* Returns the entry of g_FastProc that holds an address, preferably entry `asked`; or
 * SIGNATURE_SLOT_NULL or SIGNATURE_SLOT_OTHER. */
uint32_t Pair_SlotOf(const Pair *pair, uint32_t address, uint32_t asked);

/* Returns what an entry of g_FastProc holds, or 0 if there is no table. */
uint32_t Pair_Slot(const Pair *pair, uint32_t slot);

/* Gives offset and module of a code address in the form in which a trace states crashes; module 2
 * is neither of the two. */
void Pair_Locate(const Pair *pair, uint32_t address, uint32_t *offset, uint32_t *module);

#endif
