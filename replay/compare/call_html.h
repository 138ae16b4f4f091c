/* One difference as a part of a page: what differs, the call's inputs and what they lead to, both
 * sides' outputs, pictures, and the command that repeats the call. */
#ifndef RETROPOSE_REPLAY_COMPARE_CALL_HTML_H
#define RETROPOSE_REPLAY_COMPARE_CALL_HTML_H

#include "replay/compare/report.h"

void CallHtml_Append(RpBuffer *html, const Report *report, const Difference *difference);

/* Appends the cells of the element that differs: path, both sides, distance. */
void CallHtml_Cells(RpBuffer *html, const Difference *difference);

#endif
