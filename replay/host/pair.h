/* The two DLLs in this process: loaded, told what the trace's header asks for, and searched for the
 * functions of the ABI tables. */
#ifndef RETROPOSE_REPLAY_HOST_PAIR_H
#define RETROPOSE_REPLAY_HOST_PAIR_H

#include "exports/overlay/overlay.h"
#include "replay/provider/pe.h"
#include "replay/provider/provider.h"

#include <stdbool.h>
#include <windows.h>

/* A row of the ABI tables in this pair, once a call has asked for it. */
typedef struct PairFunction {
    bool resolved;
    bool ranged; /* the overlay has lines of it for some sequence numbers only */
    const OverlayFunction *line;
    void *target;
    OverlayCall call;
} PairFunction;

typedef struct Pair {
    Provider provider;
    HMODULE modules[ABI_MODULE_COUNT];
    PeFile files[ABI_MODULE_COUNT];
    bool known_layout[ABI_MODULE_COUNT]; /* published addresses hold: internals may be called */
    Overlay overlay;
    bool overlay_applies[ABI_MODULE_COUNT];
    bool unsupported;        /* the builds that the trace asks for are not there */
    PairFunction *functions; /* by row of abi_functions */
} Pair;

/* Before Pair_Load: hypotheses and ForceCpu of the header, no message boxes. The registry key is
 * this process's own; Pair_Unprepare removes it. */
RpStatus Pair_Prepare(const TraceHeader *header, RpError *error);
void Pair_Unprepare(void);

RpStatus Pair_Load(const wchar_t *const paths[ABI_MODULE_COUNT], Pair *pair, RpError *error);
/* RP_INVALID when a module that the overlay would apply to is not the one it was made for. */
RpStatus Pair_LoadOverlay(Pair *pair, const wchar_t *path, RpError *error);

/* Puts the builds that the header's `slot-build` names into g_FastProc, for callers of the table
 * and for AniMesh alike. Entries whose build has no published address keep what the class chose. */
RpStatus Pair_ChooseBuilds(Pair *pair, const TraceHeader *header, RpError *error);

/* The function to call for a row in the call with this sequence number, and how; `target` is null
 * where this pair has none that may be called. Valid until the next call. */
const PairFunction *Pair_Function(Pair *pair, const AbiFunction *function, uint64_t sequence);

/* The entry of g_FastProc that holds an address, `asked` if that one does; or SIGNATURE_SLOT_NULL,
 * SIGNATURE_SLOT_OTHER. */
uint32_t Pair_SlotOf(const Pair *pair, uint32_t address, uint32_t asked);

/* g_FastProc of the loaded pair: one line an entry, "SLOT MODULE RVA", the module by its number
 * or `-` for an entry in none of the two. */
RpStatus Pair_PrintTable(const Pair *pair, const wchar_t *path, RpError *error);

/* Offset and module (2: neither) of a code address, as a trace states crashes. */
void Pair_Locate(const Pair *pair, uint32_t address, uint32_t *offset, uint32_t *module);

/* The whole file, mapped for reading; null with the error filled. */
const uint8_t *Pair_MapFile(const wchar_t *path, size_t *size, RpError *error);

#endif
