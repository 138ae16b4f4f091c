/* Reports what editing verbs did: tracks of an animation, and streams that changed. The report
 * is a table, or a JSON object to which members can be added. */
#ifndef RETROPOSE_FORMATS_MSH_TEXT_EDIT_REPORT_H
#define RETROPOSE_FORMATS_MSH_TEXT_EDIT_REPORT_H

#include "retropose/msh_anim.h"

typedef struct EditReport {
    const char *file;   /* as it was given */
    const char *output; /* null: nothing was written */
    const RpNRes *before;
    const RpNResArchive *after;
    const RpMshAnimation *animation; /* null: the edit was about something else */
    uint32_t sampled; /* nodes that were sampled, because their tracks are not canonical */
} EditReport;

RpStatus EditReport_Text(const EditReport *report, RpBuffer *text, RpError *error);
RpStatus EditReport_Json(const EditReport *report, RpBuffer *text, RpError *error);

#endif
