/* The rules of NRes images (docs/formats/nres.md lists them), shared by strict opening and by
 * checking.
 *
 * Opening and checking walk the same code, so that an image opens strictly if and only if checking
 * it reports no error and no warning.
 */
#ifndef RETROPOSE_FORMATS_NRES_NRES_RULES_H
#define RETROPOSE_FORMATS_NRES_NRES_RULES_H

#include "retropose/nres.h"

typedef struct NResInspection {
    const RpNRes *archive;
    const RpFindingSink *sink;
    uint32_t *work;   /* memory for twice as many numbers as there are entries, or null */
    bool first_alone; /* stop after one finding */
    bool stopped;
} NResInspection;

/* Checks N01 to N05. Returns true if the directory can be read; `archive` is then filled in. */
bool NResRules_Header(const void *image, size_t size, RpNRes *archive, NResInspection *inspection);
/* Checks N06 to N14 (facts/formats.md A.5), which are errors and warnings. */
void NResRules_Sound(NResInspection *inspection);
/* Checks N15 to N18, which ask whether the game's own writer would have written the same. */
void NResRules_Canonical(NResInspection *inspection);
/* Checks N19 to N21. */
void NResRules_Remarks(NResInspection *inspection);

#endif
