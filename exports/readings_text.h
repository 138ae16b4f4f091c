/* Readings as text, for whatever else has some in it than RpReadings_Parse, which takes a list. */
#ifndef RETROPOSE_EXPORTS_READINGS_TEXT_H
#define RETROPOSE_EXPORTS_READINGS_TEXT_H

#include "core/span.h"
#include "retropose/readings.h"

/* Makes one choice, and returns the index of its reading. Both spans are parts of `text`, from
 * whose start the error counts. Returns -1 for an unknown name or choice; nothing is changed then.
 */
int Readings_Choose(RpReadings *readings, RpReadingKind kind, const char *text, Span name,
                    Span choice, RpError *error);

/* Does as RpReadings_Parse, but what the list does not name keeps its choice. */
RpStatus Readings_ParseOver(RpReadings *readings, RpReadingKind kind, const char *text,
                            RpError *error);

#endif
