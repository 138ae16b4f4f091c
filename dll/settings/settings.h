/* retropose.ini: what our DLLs do in a game folder (docs/use/modes.md). Works without a C library.
 *
 *   [host]        overlay = retropose.overlay      log = retropose.log      watch = on
 *   [modes]       default = verified               ngi32.slot17 = shadow    animesh.* = original
 *   [shadow]      sample = 1/64   first = 20       log = retropose-shadow.log   limit = 1M
 *   [record]      record = off    functions = *    file = retropose.rptrace     ring = 0
 *                 full = block    limit = 0        flush = 250
 *   [arithmetic]  profile = retropose.profile      readings = key-order=wxyz
 *
 * A line that is not understood is reported with its number and otherwise ignored: a game does not
 * fail to start for a spelling mistake. Environment variables of the same meaning win
 * (RETROPOSE_MODES, RETROPOSE_RECORD, ...; Settings_Option lists them).
 */
#ifndef RETROPOSE_DLL_SETTINGS_SETTINGS_H
#define RETROPOSE_DLL_SETTINGS_SETTINGS_H

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
    LIVE_VERIFIED /* replacement if our function is native and its call is verified, else original
                   */
} LiveMode;

/* The last rule that matches decides. A glob is compared with a function's key and with its name:
 * "ngi32.slot17", "animesh.*", "InterpolateQuaternions". */
typedef struct LiveRule {
    char glob[SETTINGS_GLOB_BYTES];
    LiveMode mode;
} LiveRule;

/* what happens when the disk is too slow */
typedef enum RecordFull { RECORD_BLOCK, RECORD_DROP } RecordFull;

typedef struct LiveSettings {
    char overlay[SETTINGS_PATH_BYTES]; /* relative to the DLL's folder, as are all paths here */
    char log[SETTINGS_PATH_BYTES];     /* empty: no log */
    bool watch;                        /* read this file again when it changes */
    LiveMode default_mode;
    LiveRule rules[SETTINGS_MAX_RULES];
    size_t rule_count;
    uint32_t shadow_sample; /* one call in so many is compared; 0 has the meaning of 1 */
    uint32_t shadow_first;  /* how many differences of a function are logged in full */
    char shadow_log[SETTINGS_PATH_BYTES];
    uint64_t shadow_limit; /* limit for that log, in bytes */
    bool record;
    char record_functions[SETTINGS_LIST_BYTES]; /* globs, separated by commas or blanks */
    char record_file[SETTINGS_PATH_BYTES];
    uint64_t record_ring;     /* only the last so many bytes are kept; 0: everything is */
    uint64_t record_limit;    /* in file mode: recording stops after so many bytes; 0: never */
    uint32_t record_flush_ms; /* a chunk is written at least this often */
    RecordFull record_full;
    char profile[SETTINGS_PATH_BYTES];
    char readings[SETTINGS_LIST_BYTES];
} LiveSettings;

void Settings_Init(LiveSettings *settings); /* sets the defaults */

/* Called for each line that is not understood. `line` 0 means an environment variable, which the
 * error's `where` names. */
typedef void (*SettingsComplaint)(void *context, unsigned line, const RpError *error);
/* These change settings that already have values: the file is read first, then the environment. The
 * complaint may be null. */
void Settings_Parse(LiveSettings *settings, const char *text, size_t size,
                    SettingsComplaint complaint, void *context);

/* Returns an environment variable's value, or null when it is unset, empty or too long. */
typedef const char *(*SettingsGetter)(void *context, const char *name, char *buffer, size_t size);
/* Reads the environment. Every option has a variable (RETROPOSE_LOG, RETROPOSE_SHADOW_SAMPLE and so
 * on). RETROPOSE_MODES is a list of rules: "animesh.*=original, ngi32.slot17=shadow,
 * default=verified". Both callbacks get `context`. */
void Settings_Environment(LiveSettings *settings, SettingsGetter getter,
                          SettingsComplaint complaint, void *context);

/* Sets one `section.name = value`, as the environment and the command line do. Returns RP_INVALID
 * when the value is not understood, and RP_NOT_FOUND when there is no such section, name or
 * function. `settings` is then unchanged. */
RpStatus Settings_Set(LiveSettings *settings, const char *section, const char *name,
                      const char *value, RpError *error);
/* Returns whether the glob matches the function's key or its name. */
bool Settings_IsNamed(const AbiFunction *function, const char *glob);
/* Returns the mode that the settings ask for. Settings_Decide (dll/settings/decide.h) says what
 * becomes of it. */
LiveMode Settings_ModeOf(const LiveSettings *settings, const AbiFunction *function);
/* Returns whether a rule names the function, so that the default does not apply. */
bool Settings_HasRule(const LiveSettings *settings, const AbiFunction *function);
/* Returns whether calls of the function are recorded while `record` is on. */
bool Settings_Records(const LiveSettings *settings, const AbiFunction *function);
const char *LiveMode_Name(LiveMode mode);
/* Returns false for a word that is not a mode. */
bool LiveMode_Parse(const char *word, LiveMode *mode);

/* The list of options, for documents and for the default file. Rules of [modes] are not in it.
 * Returns null after the last option. */
typedef struct SettingsOption {
    const char *section, *name;
    const char *variable; /* name of the environment variable */
    const char *value;    /* the default, as it would be written in the file */
    const char *help;
} SettingsOption;
const SettingsOption *Settings_Option(size_t index);
/* Returns the name of the environment variable that is set for an option, and gets its value; null
 * where none is. It is the option's variable, or the one that it had in older versions. */
const char *Settings_Variable(const SettingsOption *option, SettingsGetter getter, void *context,
                              char *value, size_t size);

/* Reads a calibrated profile (docs/use/calibrate.md). It has lines `name = choice`, and comments
 * that begin with #. Commas separate assignments as line ends do. If `kind` has the readings of
 * files, a line may also be the name of the set `drawn`. A reading that the profile does not name
 * keeps its choice: a profile is read over the defaults, and the settings' `readings` over the
 * profile. `named` gets the bit of each reading that a line names, and may be null. Returns
 * RP_INVALID with the line for a name that does not exist or is not of this kind, for an unknown
 * choice, or for two choices of one reading, and then changes nothing. */
RpStatus Profile_Parse(const char *text, size_t size, RpReadingKind kind, RpReadings *readings,
                       uint64_t *named, RpError *error);

#endif
