/* Tells which choice of a reading is taken. A null arithmetic means the defaults. */
#ifndef RETROPOSE_NGI32_READING_H
#define RETROPOSE_NGI32_READING_H

#include "exports/reading_table.h"
#include "ngi32/processor/scope.h"
#include "retropose/fastproc.h"
#include "slot-bodies.h" /* made by exports/make_tables.c: declares the functions that compute the slots */

#include <stdbool.h>

/* Returns the index of the choice. */
static inline int Reading_Choice(const RpArithmetic *arithmetic, int index) {
    return arithmetic ? arithmetic->readings.choice[index] : 0;
}

/* Returns whether a reading with two choices is not at its default. */
static inline bool Reading_IsAlternative(const RpArithmetic *arithmetic, int index) {
    return Reading_Choice(arithmetic, index) == 1;
}

/* Returns whether all readings on which some work of the exact core depends (OF_* of
 * exports/reading_table.h) are at their defaults. `work` must be a constant, so that the compiler
 * keeps only the rows that concern it. */
static inline bool Reading_IsServed(const RpArithmetic *arithmetic, unsigned work) {
    int others = 0;
#define READING_OTHERS(symbol, name, choices, of, where, source)                                   \
    others |= work & (of) ? Reading_Choice(arithmetic, READING_##symbol) : 0;
    RETROPOSE_READINGS(READING_OTHERS)
#undef READING_OTHERS
    return !others;
}

/* Returns the build to use for a slot whose SSE build is not published. The reading decides
 * whether that build exists. */
static inline RpBuild Reading_BuildOfSlot(const RpArithmetic *arithmetic) {
    const RpBuild build = Arithmetic_Build(arithmetic);
    const bool has_none = Reading_IsAlternative(arithmetic, READING_SSE_SLOTS); /* published */
    return build == RP_BUILD_SSE && has_none ? RP_BUILD_GENERIC : build;
}

#endif
