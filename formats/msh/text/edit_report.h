/* What editing verbs say: tracks of an animation, streams that changed. As a table, or as a JSON
 * object that further members can follow. */
#ifndef RETROPOSE_FORMATS_MSH_TEXT_EDIT_REPORT_H
#define RETROPOSE_FORMATS_MSH_TEXT_EDIT_REPORT_H

#include "retropose/msh_anim.h"

typedef struct EditReport {
    const char *file;   /* as it was named */
    const char *output; /* null: nothing was written */
    const RpNRes *before;
    const RpNResArchive *after;
    const RpMshAnimation *animation; /* null: not what this is about */
    uint32_t sampled;                /* nodes that were sampled, being no canonical tracks */
} EditReport;

RpStatus EditReport_Text(const EditReport *report, RpBuffer *text, RpError *error);
RpStatus EditReport_Json(const EditReport *report, RpBuffer *text, RpError *error);

#endif
