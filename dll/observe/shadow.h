/* Shadow mode: compares what two functions did with the same call, and logs the differences.
 *
 * The log (retropose-shadow.log) gets the first differences of each function in full, and after
 * these only counts. It never grows beyond its limit. The calls that differ can also be written as
 * a trace beside it, for `retropose minimise`. */
#ifndef RETROPOSE_DLL_OBSERVE_SHADOW_H
#define RETROPOSE_DLL_OBSERVE_SHADOW_H

#include "dll/observe/identity.h"
#include "dll/observe/marshal.h"
#include "dll/observe/platform.h"
#include "dll/settings/settings.h"

/* How often a function was compared. Any thread may add to these numbers, which have 32 bits. */
typedef struct ShadowCounts {
    uint32_t calls; /* all calls; one in so many is compared */
    uint32_t compared, differed, crashed;
    uint32_t passed; /* chosen, but not comparable, because something was unreadable or too large */
    uint32_t logged;
    uint32_t stopped; /* the function crashed too often and is not compared any more */
} ShadowCounts;

typedef struct ShadowOptions {
    char path[OBSERVE_PATH_BYTES];
    uint64_t limit; /* limit for the log, in bytes */
    uint32_t first; /* how many differences of a function are written in full */
} ShadowOptions;

/* The names of the two sides in the log: "original", "replacement", "stand-in". */
typedef struct ShadowSides {
    const char *serving, *shadow;
} ShadowSides;

/* What one side did. `data` has the layout of Marshalled.after. */
typedef struct ShadowSide {
    LiveResult result;
    const uint8_t *data;
    bool x87_left; /* it left values on the x87 stack, or took one too many */
    bool outside;  /* it wrote outside of its outputs */
} ShadowSide;

bool Shadow_Differ(const Marshalled *call, const ShadowSide *serving, const ShadowSide *shadow);

void Shadow_Open(const ShadowOptions *options);
void Shadow_Change(const ShadowOptions *options);
/* Logs one difference in full. The inputs are in the draft of `call`; the outputs in it are
 * overwritten. Returns false when the log is full or cannot be written. */
bool Shadow_LogDifference(Marshalled *call, const ShadowSide *serving, const ShadowSide *shadow,
                          const ShadowSides *sides, uint32_t number, uint32_t call_number);
void Shadow_LogCrash(const Marshalled *call, const PlatformFault *fault, const ShadowSides *sides,
                     uint32_t call_number);
/* Logs a line as it is. */
void Shadow_LogLine(const char *line);
/* Returns false if a thread is inside of the log's code, or was ended there. */
bool Shadow_IsSound(void);
/* Closes the file, unless a thread was ended inside of the log's code. */
void Shadow_EndProcess(void);

#endif
