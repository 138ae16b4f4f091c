/* Compares an original's export list with what is published, for `retropose exports`. */
#ifndef RETROPOSE_GAME_EXPORTS_EXPORTS_REPORT_H
#define RETROPOSE_GAME_EXPORTS_EXPORTS_REPORT_H

#include "exports/overlay/overlay.h"
#include "replay/provider/provider.h"

typedef enum ExportsVerdict {
    EXPORTS_UNPUBLISHED, /* nothing is published to compare with */
    EXPORTS_AGREES,
    EXPORTS_DIFFERS
} ExportsVerdict;

/* One row of the tables, and what the file has under its name. */
typedef struct ExportsCheck {
    const AbiFunction *function;
    const OverlayExport *found; /* null: it exports nothing of that name */
    ExportsVerdict ordinal, rva;
    /* For rows that do nothing: whether the export is a stub that pops as many bytes as
     * published. */
    ExportsVerdict stub;
} ExportsCheck;

typedef struct ExportsReport {
    const Overlay *overlay;
    AbiModule module;
    ProviderKind kind; /* PROVIDER_ORIGINAL or PROVIDER_STANDIN */
    bool modified;  /* a file of the stand-in has changed since it was built; set by the caller */
    bool published; /* its digest is the published one */
    /* Numbers of ordinals, except that `names` also counts second names of an ordinal. */
    size_t exports, names, nameless, code, stubs, stub_addresses, data, forwarders;
    ExportsCheck *checks; /* every known export, in the order of the tables */
    size_t check_count;
    size_t differences; /* checks whose verdict is a difference, or without an export */
} ExportsReport;

/* What is published about a module's list of exports; 0 where nothing is. */
typedef struct ExportsPublished {
    size_t exports, stubs, stub_addresses, names;
} ExportsPublished;
ExportsPublished ExportsReport_Published(AbiModule module);

/* Compares an overlay's lines for the module. The overlay must outlive the report. Returns
 * RP_NO_MEMORY. */
RpStatus ExportsReport_Make(const Overlay *overlay, AbiModule module, ProviderKind kind,
                            ExportsReport *report, RpError *error);
void ExportsReport_Free(ExportsReport *report);

RpStatus ExportsReport_Text(const ExportsReport *report, RpBuffer *text, RpError *error);
/* Writes one JSON object: the file, the counts, every check, every export. */
RpStatus ExportsReport_Json(const ExportsReport *report, RpBuffer *json, RpError *error);

#endif
