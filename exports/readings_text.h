/* Readings as text, for texts that contain more than a list of readings. RpReadings_Parse reads
 * such a list. */
#ifndef RETROPOSE_EXPORTS_READINGS_TEXT_H
#define RETROPOSE_EXPORTS_READINGS_TEXT_H

#include "core/span.h"
#include "retropose/readings.h"

/* Makes one choice, and returns the index of its reading. Both spans are parts of `text`; an error
 * gives the offset from its start. For an unknown name or choice, returns -1 and changes
 * nothing. */
int Readings_Choose(RpReadings *readings, RpReadingKind kind, const char *text, Span name,
                    Span choice, RpError *error);

/* Does the same as RpReadings_Parse, except that readings which the list does not name keep their
 * choices. */
RpStatus Readings_ParseOver(RpReadings *readings, RpReadingKind kind, const char *text,
                            RpError *error);

#endif
