/* Rules that the parser and the formatter of overlays have in common, so that either accepts what
 * the other produces. No C library is used. */
#ifndef RETROPOSE_EXPORTS_OVERLAY_OVERLAY_RULES_H
#define RETROPOSE_EXPORTS_OVERLAY_OVERLAY_RULES_H

#include "core/span.h"
#include "exports/overlay/overlay.h"

#define OVERLAY_FIRST_WORD "retropose-overlay"

/* Returns the word for bit `kind` of a call's evidence, such as "by-hand". */
enum { OVERLAY_EVIDENCE_KINDS = 3 };
const char *OverlayEvidence_Name(unsigned kind);

/* These return the number of a row's parameters and the name of one. A count of OVERLAY_MAX_PARAMS
 * + 1 means that there are too many. */
uint32_t Overlay_ParamCount(const AbiFunction *function);
Span Overlay_ParamName(const AbiFunction *function, uint32_t index);

/* Returns whether the tables know a row's parameters. They may know them even if no body of ours
 * serves the function. */
bool Overlay_HasSignature(const AbiFunction *function);

/* These check whether row `index` can be written, given the rows before it. The error of RP_INVALID
 * has no offset. */
RpStatus Overlay_CheckExport(const Overlay *overlay, size_t index, RpError *error);
RpStatus Overlay_CheckFunction(const Overlay *overlay, size_t index, RpError *error);
RpStatus Overlay_CheckModule(const OverlayModule *module, RpError *error);

#endif
