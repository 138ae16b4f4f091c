/* Draws small pictures of a difference for a page: SVG inside of a figure, with words below. */
#ifndef RETROPOSE_REPLAY_COMPARE_FIGURE_H
#define RETROPOSE_REPLAY_COMPARE_FIGURE_H

#include "replay/compare/follow.h"

#include "retropose/memory.h"

/* Draws what a call's references lead to: the nodes and boxes of a model or of an object's pieces,
 * or a polygon. Draws nothing for null. */
void Figure_Followed(RpBuffer *html, const Followed *followed);

/* Draws two matrices (row-major, for columns) as the axes of two frames, one over the other, with
 * the origin of `a` in the middle. Writes words only where an element is not finite. */
void Figure_Frames(RpBuffer *html, const char *name, const float a[16], const float b[16]);

#endif
