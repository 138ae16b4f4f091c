/* Shadow mode: what two functions did with the same call, compared and written down.
 *
 * The log (retropose-shadow.log) gets the first differences of each function in full, then counts;
 * it never grows beyond its limit. The calls that differ can be written as a trace beside it, for
 * `retropose minimise`. */
#ifndef RETROPOSE_LIVE_DLL_OBSERVE_SHADOW_H
#define RETROPOSE_LIVE_DLL_OBSERVE_SHADOW_H

#include "live/dll/observe/marshal.h"
#include "live/dll/observe/platform.h"
#include "live/settings/settings.h"

/* What a function has been compared in; 32 bits, which any thread may add to. */
typedef struct ShadowCounts {
    uint32_t calls; /* of them one in so many is compared */
    uint32_t compared, differed, crashed;
    uint32_t passed; /* chosen, but not comparable: unreadable, too large */
    uint32_t logged;
    uint32_t stopped; /* it crashed too often: no longer compared */
} ShadowCounts;

typedef struct ShadowOptions {
    char path[2 * SETTINGS_PATH_BYTES];
    uint64_t limit; /* bytes of the log */
    uint32_t first; /* differences of a function in full */
} ShadowOptions;

/* The sides, by their names in the log: "original", "replacement", "stand-in". */
typedef struct ShadowSides {
    const char *serving, *shadow;
} ShadowSides;

/* What one side left. `data` is laid out like Marshalled.after. */
typedef struct ShadowSide {
    LiveResult result;
    const uint8_t *data;
    bool x87_left; /* values on the x87 stack, or one missing */
    bool outside;  /* wrote outside of its outputs */
} ShadowSide;

bool Shadow_Differ(const Marshalled *call, const ShadowSide *serving, const ShadowSide *shadow);

void Shadow_Open(const ShadowOptions *options);
void Shadow_Change(const ShadowOptions *options);
/* One difference in full. `call`'s draft holds inputs; its outputs are used. False when the log is
 * full or cannot be written. */
bool Shadow_LogDifference(Marshalled *call, const ShadowSide *serving, const ShadowSide *shadow,
                          const ShadowSides *sides, uint32_t number, uint32_t call_number);
void Shadow_LogCrash(const Marshalled *call, const PlatformFault *fault, const ShadowSides *sides,
                     uint32_t call_number);
/* A line as it is. */
void Shadow_LogLine(const char *line);
/* Whether no thread is, or was ended, within. */
bool Shadow_IsSound(void);
/* `process_ends`: a thread may have been ended within. */
void Shadow_Close(bool process_ends);

#endif
