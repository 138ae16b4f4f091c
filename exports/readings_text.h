/* Looks names and choices of readings up in the table of exports/readings.h. */
#ifndef RETROPOSE_EXPORTS_READINGS_TEXT_H
#define RETROPOSE_EXPORTS_READINGS_TEXT_H

#include "core/span.h"
#include "retropose/readings.h"

/* Return the index of a reading of this kind, and of one of its choices; -1 where there is none of
 * that name. */
int Readings_FindName(RpReadingKind kind, Span name);
int Readings_FindChoice(int index, Span choice);

#endif
