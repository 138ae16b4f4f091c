/* The source of each reading. It is not in readings_text.c, so that the DLLs do not contain it. */
#include "exports/reading_table.h"
#include "retropose/readings.h"

const char *RpReadings_Source(int32_t index) {
#define SOURCE(symbol, name, choices, work, where, source) source,
    static const char *const sources[READING_COUNT] = {RETROPOSE_READINGS(SOURCE)};
#undef SOURCE
    return index >= 0 && index < READING_COUNT ? sources[index] : NULL;
}
