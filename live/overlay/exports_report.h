/* An original's export list beside what is published: what `retropose exports` prints. */
#ifndef RETROPOSE_LIVE_OVERLAY_EXPORTS_REPORT_H
#define RETROPOSE_LIVE_OVERLAY_EXPORTS_REPORT_H

#include "exports/overlay/overlay.h"
#include "replay/provider/provider.h"

typedef enum ExportsVerdict {
    EXPORTS_UNPUBLISHED, /* nothing to compare with */
    EXPORTS_AGREES,
    EXPORTS_DIFFERS
} ExportsVerdict;

/* One row of the tables, and what the file has under its name. */
typedef struct ExportsCheck {
    const AbiFunction *function;
    const OverlayExport *found; /* null: no export of that name */
    ExportsVerdict ordinal, rva;
    ExportsVerdict stub; /* no-op rows: a stub, and of the published arguments where these are */
} ExportsCheck;

typedef struct ExportsReport {
    const Overlay *overlay;
    AbiModule module;
    ProviderKind kind; /* PROVIDER_ORIGINAL or PROVIDER_STANDIN */
    bool modified;     /* a stand-in's file that is not as it was built; the caller sets it */
    bool published;    /* the build with the published digest */
    /* Of ordinals: a second name of one is not counted again, but in `names`. */
    size_t exports, names, nameless, code, stubs, stub_addresses, data, forwarders;
    ExportsCheck *checks; /* every known export, in the order of the tables */
    size_t check_count;
    size_t differences; /* checks with a verdict that differs, or without an export */
} ExportsReport;

/* What is published of a module's list; 0 where nothing is. */
typedef struct ExportsPublished {
    size_t exports, stubs, stub_addresses, names;
} ExportsPublished;
ExportsPublished ExportsReport_Published(AbiModule module);

/* Compares the module's lines of an overlay, which must outlive the report. RP_NO_MEMORY. */
RpStatus ExportsReport_Make(const Overlay *overlay, AbiModule module, ProviderKind kind,
                            ExportsReport *report, RpError *error);
void ExportsReport_Free(ExportsReport *report);

RpStatus ExportsReport_Text(const ExportsReport *report, RpBuffer *text, RpError *error);
/* One object: the file, the counts, every check, every export. */
RpStatus ExportsReport_Json(const ExportsReport *report, RpBuffer *json, RpError *error);

#endif
