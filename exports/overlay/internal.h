/* What the parser and the formatter of overlays share: one set of rules, so that what the one
 * writes the other reads. No C library. */
#ifndef RETROPOSE_EXPORTS_OVERLAY_INTERNAL_H
#define RETROPOSE_EXPORTS_OVERLAY_INTERNAL_H

#include "exports/overlay/overlay.h"

#define OVERLAY_FIRST_WORD "retropose-overlay"

/* A word of a line, or part of one; not terminated. */
typedef struct Word {
    const char *text;
    size_t length;
} Word;

bool Word_Is(Word word, const char *text);
/* Whether the array is terminated and its text a word that a line can hold: ASCII without blanks,
 * not empty, not "-", not beginning with '#'. */
bool Overlay_IsWord(const char *text, size_t size);
bool Overlay_IsSha256(const char *text);

/* The parameters of a row: how many, and the name of one. OVERLAY_MAX_PARAMS + 1: too many. */
uint32_t Overlay_ParamCount(const AbiFunction *function);
Word Overlay_ParamName(const AbiFunction *function, uint32_t index);

/* Whether row `index` can be written, given the rows before it. RP_INVALID without a place. */
RpStatus Overlay_CheckExport(const Overlay *overlay, size_t index, RpError *error);
RpStatus Overlay_CheckFunction(const Overlay *overlay, size_t index, RpError *error);
RpStatus Overlay_CheckModule(const OverlayModule *module, RpError *error);

#endif
