/* The two DLLs in this process: loads them, tells them what the trace's header asks for, and
 * finds the functions of the ABI tables in them. */
#ifndef RETROPOSE_REPLAY_HOST_PAIR_H
#define RETROPOSE_REPLAY_HOST_PAIR_H

#include "core/pe/pe.h"
#include "exports/ngi32.abi.h"
#include "exports/overlay/overlay.h"
#include "replay/host/guest.h"
#include "replay/provider/provider.h"

#include <stdbool.h>

/* A row of the ABI tables in this pair; made when a call first needs it. */
typedef struct PairFunction {
    bool resolved;
    bool ranged; /* the overlay has lines of it for some calls only */
    const OverlayFunction *line;
    uint32_t target; /* its address; 0: this pair has none that may be called */
    OverlayCall call;
} PairFunction;

/* What is in use while g_FastProc has the builds of one kind. */
typedef struct PairBuild {
    uint32_t table[ABI_NGI32_FASTPROC_COUNT]; /* what g_FastProc has then */
    bool unsupported;                         /* the pair does not have these builds */
    PairFunction *functions;                  /* by row of abi_functions; null: not used yet */
} PairBuild;

typedef struct Pair {
    Provider provider;
    uint32_t modules[ABI_MODULE_COUNT]; /* where they begin */
    PeFile files[ABI_MODULE_COUNT];
    /* the published addresses are valid, so internals may be called */
    bool known_layout[ABI_MODULE_COUNT];
    Overlay overlay;
    bool overlay_applies[ABI_MODULE_COUNT];
    uint32_t fast_procs;                    /* where g_FastProc is; 0: there is none */
    PairBuild builds[PROVIDER_SLOTS_COUNT]; /* those that have been in use */
    PairBuild *build;                       /* the one that is in use now */
} Pair;

/* To be called when there is a guest (Guest_Open). */
RpStatus Pair_Load(const HostChar *const paths[ABI_MODULE_COUNT], Pair *pair, RpError *error);
/* Returns RP_INVALID where the overlay was made for other files than those that it would apply
 * to. */
RpStatus Pair_LoadOverlay(Pair *pair, const HostChar *path, RpError *error);

/* Puts builds into g_FastProc, for callers of the table and for AniMesh. Entries whose build has
 * no published address keep what the class chose. */
RpStatus Pair_UseBuilds(Pair *pair, ProviderSlotBuild build, RpError *error);

/* Returns the function of a row for the call with this sequence number, and how it is called.
 * Valid until the next call. */
const PairFunction *Pair_Function(Pair *pair, const AbiFunction *function, uint64_t sequence);

/* Returns the entry of g_FastProc that holds an address, preferably `asked`; or
 * SIGNATURE_SLOT_NULL or SIGNATURE_SLOT_OTHER. */
uint32_t Pair_SlotOf(const Pair *pair, uint32_t address, uint32_t asked);

/* Writes g_FastProc of the loaded pair, a line for each entry: "SLOT MODULE RVA". The module is
 * its number, or `-` for an entry that is in neither of the two. */
RpStatus Pair_PrintTable(const Pair *pair, const HostChar *path, RpError *error);

/* Gives offset and module of a code address as a trace states crashes; module 2 is neither of
 * the two. */
void Pair_Locate(const Pair *pair, uint32_t address, uint32_t *offset, uint32_t *module);

#endif
