/* retropose.ini: what our DLLs do in a game folder (docs/use/modes.md). Works without a C library.
 *
 *   [host]        overlay = retropose.overlay      log = retropose.log      watch = on
 *   [modes]       default = verified               ngi32.slot17 = shadow    animesh.* = original
 *   [shadow]      sample = 1/64   first = 20       log = retropose-shadow.log   limit = 1M
 *   [record]      record = off    functions = *    file = retropose.rptrace     ring = 0
 *                 full = block    limit = 0        flush = 250
 *   [arithmetic]  profile = retropose.profile      hypotheses = key-order=wxyz
 *
 * A line that is not understood is reported with its number and otherwise ignored: a game does not
 * fail to start for a spelling mistake. Environment variables of the same meaning win
 * (RETROPOSE_MODES, RETROPOSE_RECORD, ...; Settings_Option lists them).
 */
#ifndef RETROPOSE_LIVE_SETTINGS_SETTINGS_H
#define RETROPOSE_LIVE_SETTINGS_SETTINGS_H

#include "exports/abi.h"
#include "retropose/error.h"
#include "retropose/readings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SETTINGS_FILE       "retropose.ini"
#define SETTINGS_PATH_BYTES 260
#define SETTINGS_LIST_BYTES 1024
#define SETTINGS_MAX_RULES  128
#define SETTINGS_GLOB_BYTES 64

typedef enum LiveMode {
    LIVE_ORIGINAL,
    LIVE_REPLACEMENT,
    LIVE_SHADOW,
    LIVE_VERIFIED /* replacement where it is native and its call verified, else original */
} LiveMode;

/* The last rule that matches decides. A glob is matched with a function's key and with its name:
 * "ngi32.slot17", "animesh.*", "InterpolateQuaternions". */
typedef struct LiveRule {
    char glob[SETTINGS_GLOB_BYTES];
    LiveMode mode;
} LiveRule;

typedef enum RecordFull { RECORD_BLOCK, RECORD_DROP } RecordFull; /* when the disk is too slow */

typedef struct LiveSettings {
    char overlay[SETTINGS_PATH_BYTES]; /* relative to the DLL's folder, as all paths here */
    char log[SETTINGS_PATH_BYTES];     /* empty: none */
    bool watch;                        /* read the file again when it changes */
    LiveMode default_mode;
    LiveRule rules[SETTINGS_MAX_RULES];
    size_t rule_count;
    uint32_t shadow_sample; /* one call in so many is compared; 0 is read as 1 */
    uint32_t shadow_first;  /* differences of a function that are logged in full */
    char shadow_log[SETTINGS_PATH_BYTES];
    uint64_t shadow_limit; /* bytes of that log */
    bool record;
    char record_functions[SETTINGS_LIST_BYTES]; /* globs, separated by commas or blanks */
    char record_file[SETTINGS_PATH_BYTES];
    uint64_t record_ring;     /* keep the last so many bytes; 0: everything */
    uint64_t record_limit;    /* file mode: stop after so many bytes; 0: none */
    uint32_t record_flush_ms; /* a chunk is written at least so often */
    RecordFull record_full;
    char profile[SETTINGS_PATH_BYTES];
    char hypotheses[SETTINGS_LIST_BYTES];
} LiveSettings;

void Settings_Init(LiveSettings *settings); /* the defaults */

/* Called for each line that is not understood. `line` 0: an environment variable, named in the
 * error's `where`. */
typedef void (*SettingsComplaint)(void *context, unsigned line, const RpError *error);
/* Over what `settings` holds already: the file first, then the environment's values. The complaint
 * may be null. */
void Settings_Parse(LiveSettings *settings, const char *text, size_t size,
                    SettingsComplaint complaint, void *context);

/* An environment variable's value, or null when it is unset, empty or does not fit. */
typedef const char *(*SettingsGetter)(void *context, const char *name, char *buffer, size_t size);
/* Every option has a variable (RETROPOSE_LOG, RETROPOSE_SHADOW_SAMPLE, ...); RETROPOSE_MODES is a
 * list of rules: "animesh.*=original, ngi32.slot17=shadow, default=verified". Both callbacks get
 * `context`. */
void Settings_Environment(LiveSettings *settings, SettingsGetter getter,
                          SettingsComplaint complaint, void *context);

/* One `section.name = value` (how the environment and the command line set values). RP_INVALID
 * when the value is not understood, RP_NOT_FOUND when there is no such section, name or function;
 * `settings` is as before then. */
RpStatus Settings_Set(LiveSettings *settings, const char *section, const char *name,
                      const char *value, RpError *error);
/* What the settings ask for; what comes of it is Settings_Decide's (settings_decide.h). */
LiveMode Settings_ModeOf(const LiveSettings *settings, const char *key);
/* Whether a rule names the function, rather than the default applying. */
bool Settings_HasRule(const LiveSettings *settings, const char *key);
/* Whether its calls are recorded while `record` is on. */
bool Settings_Records(const LiveSettings *settings, const char *key);
const char *LiveMode_Name(LiveMode mode);
/* RP_INVALID for a word that is no mode. */
RpStatus LiveMode_Parse(const char *word, LiveMode *mode, RpError *error);

/* The options, for documents and for the default file; rules of [modes] are none of them. Null past
 * the last. */
typedef struct SettingsOption {
    const char *section, *name;
    const char *variable; /* of the environment */
    const char *value;    /* the default, as it would be written */
    const char *help;
} SettingsOption;
const SettingsOption *Settings_Option(size_t index);

/* A calibrated profile (docs/use/calibrate.md): lines `name = choice`, `#` comments; commas part
 * assignments as the ends of lines do. Hypotheses that it does not name stay as they are: a profile
 * is read over the defaults, and `hypotheses` of the settings over the profile. RP_INVALID with the
 * line for an unknown name or choice, or for two choices of one hypothesis; nothing is changed
 * then.
 */
RpStatus Profile_Parse(const char *text, size_t size, RpReadings *hypotheses, RpError *error);

#endif
