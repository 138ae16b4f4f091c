/* Finds out about a pair of originals how its functions are called, where they are and in which
 * builds, each with its evidence (docs/use/probe.md). */
#ifndef RETROPOSE_GAME_PROBE_PROBE_H
#define RETROPOSE_GAME_PROBE_PROBE_H

#include "exports/ngi32.abi.h"
#include "game/probe/dynamic.h"
#include "game/probe/seen.h"

#include "tracefile/select.h"

#define PROBE_CLASSES 7 /* this processor's own, then ForceCpu 2 to 7 */

typedef struct ProbeOptions {
    const char
        *reference; /* the folder of our DLLs, for formulas that no program has; null: none */
    bool static_only;
    const Selection *functions; /* null: all */
    uint64_t seed;
    /* Called before each function; may be null. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} ProbeOptions;

/* A routine whose address an entry of the table was seen to have. */
typedef struct ProbeRoutine {
    AbiModule module;
    uint32_t rva;
    /* 1 << class for each class that chooses it; 0: only a store in the code names it */
    uint8_t classes;
    uint32_t stored_at; /* RVA of the first instruction that stores it; 0: none was found */
    OverlayBuild build;
    /* The block of the published version to which it belongs (facts/ngi32.md B.2), or "". */
    const char *family;
    ProbeStatic facts;
    ProbeFinding check; /* whether this routine is called in the way that was found, too */
} ProbeRoutine;

#define PROBE_MAX_ROUTINES 6

typedef struct ProbeSlot {
    const AbiFunction *function; /* null: nothing is published */
    uint32_t live;               /* the index of the routine that this processor's class chooses */
    uint32_t routine_count;
    ProbeRoutine routines[PROBE_MAX_ROUTINES];
} ProbeSlot;

/* A selected function of the tables. */
typedef struct ProbeRow {
    const AbiFunction *function;
    uint32_t rva;        /* 0: it was not found */
    bool searched;       /* it is not where the tables have it; the formula found it */
    const char *missing; /* why there is no address */
    bool has_facts;
    ProbeStatic facts;
    OverlayBuild build;
    ProbeFinding finding;
    ProbeSeen seen; /* of a function that was found */
    bool has_entry;
    ProbeEntry entry; /* for internal functions */
} ProbeRow;

typedef struct ProbeReport {
    Provider provider;
    uint32_t sizes[ABI_MODULE_COUNT];
    bool known_layout[ABI_MODULE_COUNT];
    bool has_table; /* it was read from the loaded pair */
    char table_refusal[320];
    uint32_t stores; /* instructions in the code that store into the table */
    ProbeSlot slots[ABI_NGI32_FASTPROC_COUNT];
    ProbeRow *rows;
    size_t row_count;
} ProbeReport;

/* Examines the pair in `directory`. Returns RP_UNSUPPORTED for one of ours, which needs no
 * probing. */
RpStatus Probe_Run(const char *directory, const ProbeOptions *options, ProbeReport *report,
                   RpError *error);
void Probe_Free(ProbeReport *report);

/* Puts what was found into an overlay: `module` lines, and a line for every function. Exports,
 * and lines of functions that were not probed, stay where they belong to these very files. */
RpStatus Probe_Merge(const ProbeReport *report, Overlay *overlay, RpError *error);

/* Probe_Print writes text for a terminal, Probe_Json one JSON object. `version` is that of the
 * program. */
RpStatus Probe_Print(const ProbeReport *report, bool evidence, RpBuffer *text, RpError *error);
RpStatus Probe_Json(const ProbeReport *report, const char *version, RpBuffer *text, RpError *error);
/* Appends a page for a browser: one file without scripts that asks for no other one. `command`
 * repeats the run; it may be null. */
RpStatus Probe_Html(const ProbeReport *report, const char *version, const char *command,
                    RpBuffer *html, RpError *error);

#endif
