/* What can be learnt of a pair of originals: how its functions are called, where they are and in
 * which builds, each with its evidence (docs/use/probe.md). */
#ifndef RETROPOSE_LIVE_PROBE_PROBE_H
#define RETROPOSE_LIVE_PROBE_PROBE_H

#include "live/probe/dynamic.h"

#include "replay/trace/select.h"

#define PROBE_CLASSES 7 /* as this processor decides, then ForceCpu 2 to 7 */

typedef struct ProbeOptions {
    const ProviderOptions *run; /* host, prefix, time limit of a call */
    const Provider *reference;  /* our DLLs, for formulas that no program has; null: none */
    const char *work;           /* a folder for files in work */
    bool static_only;
    const Selection *functions; /* null: all */
    uint64_t seed;
    /* Called before each function; may be null. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} ProbeOptions;

/* One routine that an entry of the table has been seen to name. */
typedef struct ProbeRoutine {
    AbiModule module;
    uint32_t rva;
    uint8_t classes;    /* 1 << class for each that chooses it; 0: only a store names it */
    uint32_t stored_at; /* RVA of the first instruction that stores it; 0: none was found */
    OverlayBuild build;
    const char *family; /* of addresses in the published build (facts/ngi32.md B.2), or "" */
    ProbeStatic facts;
    ProbeFinding check; /* that the call found holds for it, too */
} ProbeRoutine;

#define PROBE_MAX_ROUTINES 6

typedef struct ProbeSlot {
    const AbiFunction *function; /* null: nothing public */
    uint32_t live;               /* index of the routine that this processor's class chooses */
    uint32_t routine_count;
    ProbeRoutine routines[PROBE_MAX_ROUTINES];
} ProbeSlot;

/* A function of the tables that the selection has. */
typedef struct ProbeRow {
    const AbiFunction *function;
    uint32_t rva;        /* 0: not found */
    bool searched;       /* it is not where the tables have it: the formula found it */
    const char *missing; /* why there is no address */
    bool has_facts;
    ProbeStatic facts;
    OverlayBuild build;
    ProbeFinding finding;
    bool has_entry;
    ProbeEntry entry; /* internals */
} ProbeRow;

typedef struct ProbeReport {
    Provider provider;
    uint32_t sizes[ABI_MODULE_COUNT];
    bool known_layout[ABI_MODULE_COUNT];
    bool has_table; /* read out of the loaded pair */
    char table_refusal[320];
    uint32_t stores; /* into the table, found in the code */
    ProbeSlot slots[PROVIDER_TABLE_SLOTS];
    ProbeRow *rows;
    size_t row_count;
} ProbeReport;

/* The pair in `directory`. RP_UNSUPPORTED for one of ours, which needs no probing. */
RpStatus Probe_Run(const char *directory, const ProbeOptions *options, ProbeReport *report,
                   RpError *error);
void Probe_Free(ProbeReport *report);

/* Puts what was found into an overlay: `module` lines, and for every function its line. Exports,
 * and lines of functions that were not probed, stay if they are of these very files. */
RpStatus Probe_Merge(const ProbeReport *report, Overlay *overlay, RpError *error);

/* Terminal text, and one JSON object. */
RpStatus Probe_Print(const ProbeReport *report, bool evidence, RpBuffer *text, RpError *error);
RpStatus Probe_Json(const ProbeReport *report, RpBuffer *text, RpError *error);

#endif
