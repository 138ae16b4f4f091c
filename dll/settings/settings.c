#include "dll/settings/settings.h"

#include "core/complaint.h"
#include "core/glob.h"
#include "dll/settings/line.h"

#include <string.h>

/* ---- the options ----------------------------------------------------------------------------- */

typedef enum Kind { PATH, FUNCTIONS, READINGS, FLAG, MODE, NUMBER, RATIO, SIZE, FULL } Kind;

typedef struct Option {
    SettingsOption shown;
    Kind kind;
    uint16_t offset; /* place of the option's field in LiveSettings */
} Option;

#define AT(field) ((uint16_t)offsetof(LiveSettings, field))

/* clang-format off */
static const Option options[] = {
    {{"host", "overlay", "RETROPOSE_OVERLAY", "retropose.overlay",
      "what is known of the original files (docs/formats/overlay.md); empty: nothing"},
     PATH, AT(overlay)},
    {{"host", "log", "RETROPOSE_LOG", "retropose.log",
      "what was loaded, decided and refused; empty: no log"}, PATH, AT(log)},
    {{"host", "watch", "RETROPOSE_WATCH", "on",
      "on: a change of this file takes effect in the running game"}, FLAG, AT(watch)},
    {{"modes", "default", NULL, "verified",
      "of functions that no line below names"}, MODE, AT(default_mode)},
    {{"shadow", "sample", "RETROPOSE_SHADOW_SAMPLE", "1/64",
      "one call in so many is compared"}, RATIO, AT(shadow_sample)},
    {{"shadow", "first", "RETROPOSE_SHADOW_FIRST", "20",
      "differences of a function that are written in full; the rest is counted"}, NUMBER,
     AT(shadow_first)},
    {{"shadow", "log", "RETROPOSE_SHADOW_LOG", "retropose-shadow.log",
      "where differences are written"}, PATH, AT(shadow_log)},
    {{"shadow", "limit", "RETROPOSE_SHADOW_LIMIT", "1M",
      "bytes of that log (K, M, G); nothing is written past them"}, SIZE, AT(shadow_limit)},
    {{"record", "record", "RETROPOSE_RECORD", "off",
      "on: calls go to a trace that `retropose replay` reads"}, FLAG, AT(record)},
    {{"record", "functions", "RETROPOSE_RECORD_FUNCTIONS", "*",
      "which: keys or globs, separated by commas"}, FUNCTIONS, AT(record_functions)},
    {{"record", "file", "RETROPOSE_RECORD_FILE", "retropose.rptrace",
      "the trace"}, PATH, AT(record_file)},
    {{"record", "ring", "RETROPOSE_RECORD_RING", "0",
      "keep only the last so many bytes (K, M, G); 0: everything"}, SIZE, AT(record_ring)},
    {{"record", "limit", "RETROPOSE_RECORD_LIMIT", "0",
      "stop after so many bytes (K, M, G); 0: never"}, SIZE, AT(record_limit)},
    {{"record", "flush", "RETROPOSE_RECORD_FLUSH", "250",
      "milliseconds after which calls are on the disk at the latest"}, NUMBER, AT(record_flush_ms)},
    {{"record", "full", "RETROPOSE_RECORD_FULL", "block",
      "when the disk is too slow: block (the game waits) or drop (calls are left out, counted)"},
     FULL, AT(record_full)},
    {{"arithmetic", "profile", "RETROPOSE_PROFILE", "retropose.profile",
      "readings that `retropose calibrate` found; a file that is not there is no mistake"}, PATH,
     AT(profile)},
    {{"arithmetic", "readings", "RETROPOSE_READINGS", "",
      "readings over the profile's, e.g. key-order=wxyz,dot4=pairs (docs/reference/arithmetic.md)"},
     READINGS, AT(readings)},
};
/* clang-format on */

enum { OPTION_COUNT = sizeof options / sizeof *options };

const SettingsOption *Settings_Option(size_t index) {
    return index < OPTION_COUNT ? &options[index].shown : NULL;
}

static bool IsSame(const char *a, const char *b) {
    return Span_IsIgnoringCase(Span_OfText(a), b);
}

/* The names that the setting `readings` had in older versions. They are in no list, and are taken
 * for the new ones until version 2.0. */
static const char old_name[] = "hypotheses", old_variable[] = "RETROPOSE_HYPOTHESES";

static const Option *FindOption(const char *section, const char *name) {
    if (IsSame(section, "arithmetic") && IsSame(name, old_name))
        name = "readings";
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (IsSame(options[i].shown.section, section) && IsSame(options[i].shown.name, name))
            return &options[i];
    return NULL;
}

static bool IsSection(const char *section) {
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (IsSame(options[i].shown.section, section))
            return true;
    return false;
}

/* ---- complaints ------------------------------------------------------------------------------ */

static RpStatus Refuse(RpError *error, RpStatus status, const char *what, const char *section,
                       const char *name, const char *expected, const char *found) {
    char where[sizeof error->where];
    Text place = Text_Begin(where, sizeof where);
    Text_AppendChar(&place, '[');
    Text_Append(&place, section);
    Text_Append(&place, "] ");
    Text_Append(&place, name);
    return RpError_Set(error, status, RP_NOWHERE, what, where, expected, found);
}

static RpStatus RefuseValue(RpError *error, const Option *option, const char *expected,
                            const char *found) {
    return Refuse(error, RP_INVALID, "the value is not understood", option->shown.section,
                  option->shown.name, expected, found);
}

static RpStatus RefuseName(RpError *error, const char *section, const char *name) {
    char known[sizeof error->expected];
    Text list = Text_Begin(known, sizeof known);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const bool same = IsSame(options[i].shown.section, section);
        if (!same && IsSection(section))
            continue;
        if (!same && i > 0 && IsSame(options[i].shown.section, options[i - 1].shown.section))
            continue; /* this section was named before */
        Text_Append(&list, list.length ? ", " : "");
        Text_Append(&list, same ? options[i].shown.name : options[i].shown.section);
    }
    return Refuse(error, RP_NOT_FOUND, IsSection(section) ? "no such setting" : "no such section",
                  section, name, known, IsSection(section) ? name : section);
}

/* ---- values ---------------------------------------------------------------------------------- */

static RpStatus SetText(const Option *option, const char *value, char *field, size_t size,
                        RpError *error) {
    const size_t length = strlen(value);
    if (length >= size)
        return RefuseValue(error, option,
                           size == SETTINGS_PATH_BYTES ? "at most 259 bytes" : "at most 1023 bytes",
                           value);
    memcpy(field, value, length + 1);
    return RP_OK;
}

/* ---- modes ----------------------------------------------------------------------------------- */

static const char *const mode_names[] = {"original", "replacement", "shadow", "verified"};
_Static_assert(sizeof mode_names / sizeof *mode_names == LIVE_VERIFIED + 1, "a name for each mode");

const char *LiveMode_Name(LiveMode mode) {
    return (unsigned)mode <= LIVE_VERIFIED ? mode_names[mode] : "unknown";
}

static const char all_modes[] = "original, replacement, shadow or verified";

bool LiveMode_Parse(const char *word, LiveMode *mode) {
    for (unsigned i = 0; i <= LIVE_VERIFIED; i++)
        if (IsSame(word, mode_names[i])) {
            *mode = (LiveMode)i;
            return true;
        }
    return false;
}

bool Settings_IsNamed(const AbiFunction *function, const char *glob) {
    return Glob_Matches(glob, function->key) || Glob_Matches(glob, function->name);
}

static bool MatchesAny(const char *glob) {
    for (size_t i = 0; i < abi_function_count; i++)
        if (Settings_IsNamed(&abi_functions[i], glob))
            return true;
    return false;
}

static const LiveRule *FindRule(const LiveSettings *settings, const AbiFunction *function) {
    for (size_t i = settings->rule_count; i-- > 0;)
        if (Settings_IsNamed(function, settings->rules[i].glob))
            return &settings->rules[i];
    return NULL;
}

bool Settings_HasRule(const LiveSettings *settings, const AbiFunction *function) {
    return FindRule(settings, function) != NULL;
}

LiveMode Settings_ModeOf(const LiveSettings *settings, const AbiFunction *function) {
    const LiveRule *rule = FindRule(settings, function);
    return rule ? rule->mode : settings->default_mode;
}

/* ---- recorded functions ---------------------------------------------------------------------- */

/* Copies the next glob of a list. Returns false at the end. `length` is the glob's whole length,
 * even if the copy is cut. */
static bool NextGlob(const char **list, char glob[SETTINGS_GLOB_BYTES], size_t *length) {
    while (**list == ',' || **list == ' ' || **list == '\t')
        ++*list;
    *length = strcspn(*list, ", \t");
    const size_t kept = *length < SETTINGS_GLOB_BYTES ? *length : SETTINGS_GLOB_BYTES - 1;
    memcpy(glob, *list, kept);
    glob[kept] = 0;
    *list += *length;
    return *length > 0;
}

bool Settings_Records(const LiveSettings *settings, const AbiFunction *function) {
    char glob[SETTINGS_GLOB_BYTES];
    size_t length;
    for (const char *at = settings->record_functions; NextGlob(&at, glob, &length);)
        if (Settings_IsNamed(function, glob))
            return true;
    return false;
}

/* ---- one setting ----------------------------------------------------------------------------- */

static RpStatus SetOption(LiveSettings *settings, const Option *option, const char *value,
                          RpError *error) {
    void *field = (char *)settings + option->offset;
    uint64_t number;
    switch (option->kind) {
    case PATH:
        return SetText(option, value, field, SETTINGS_PATH_BYTES, error);
    case FUNCTIONS: {
        char glob[SETTINGS_GLOB_BYTES];
        size_t length;
        for (const char *at = value; NextGlob(&at, glob, &length);)
            if (length >= sizeof glob || !MatchesAny(glob))
                return Refuse(error, RP_NOT_FOUND, "no function of the tables has this name",
                              option->shown.section, option->shown.name,
                              "keys, names or globs of docs/reference/abi.md", glob);
        return SetText(option, value, field, SETTINGS_LIST_BYTES, error);
    }
    case READINGS: {
        RpReadings parsed;
        const RpStatus status = RpReadings_Parse(&parsed, RP_READS_RUNTIME, value, error);
        return status ? status : SetText(option, value, field, SETTINGS_LIST_BYTES, error);
    }
    case FLAG: {
        static const char *const words[2][4] = {{"off", "no", "false", "0"},
                                                {"on", "yes", "true", "1"}};
        for (unsigned i = 0; i < 8; i++)
            if (IsSame(words[i / 4][i % 4], value)) {
                *(bool *)field = i / 4 == 1;
                return RP_OK;
            }
        return RefuseValue(error, option, "on or off", value);
    }
    case MODE:
        return LiveMode_Parse(value, field) ? RP_OK : RefuseValue(error, option, all_modes, value);
    case NUMBER:
        if (!Span_ToNumber(Span_OfText(value), 10, UINT32_MAX, &number))
            return RefuseValue(error, option, "a number up to 4294967295", value);
        *(uint32_t *)field = (uint32_t)number;
        return RP_OK;
    case RATIO: {
        const char *digits = value[0] == '1' && value[1] == '/' ? value + 2 : value;
        if (!Span_ToNumber(Span_OfText(digits), 10, UINT32_MAX, &number) || number == 0)
            return RefuseValue(error, option, "1/N, with N from 1 on", value);
        *(uint32_t *)field = (uint32_t)number;
        return RP_OK;
    }
    case SIZE: {
        static const char units[] = "kmg";
        Span digits = Span_OfText(value);
        unsigned shift = 0;
        for (unsigned i = 0; digits.length > 0 && shift == 0 && i < 3; i++)
            if (Glob_Lower(digits.start[digits.length - 1]) == units[i])
                shift = 10 * (i + 1);
        digits.length -= shift > 0;
        if (!Span_ToNumber(digits, 10, UINT64_MAX >> 30, &number))
            return RefuseValue(error, option, "a number of bytes, with K, M or G behind it", value);
        *(uint64_t *)field = number << shift;
        return RP_OK;
    }
    case FULL:
        if (!IsSame(value, "block") && !IsSame(value, "drop"))
            return RefuseValue(error, option, "block or drop", value);
        *(RecordFull *)field = IsSame(value, "drop") ? RECORD_DROP : RECORD_BLOCK;
        return RP_OK;
    }
    return RP_INVALID;
}

RpStatus Settings_Set(LiveSettings *settings, const char *section, const char *name,
                      const char *value, RpError *error) {
    const Option *option = FindOption(section, name);
    if (option)
        return SetOption(settings, option, value, error);
    if (IsSame(section, "modes")) {
        LiveMode mode = LIVE_ORIGINAL;
        if (!LiveMode_Parse(value, &mode))
            return Refuse(error, RP_INVALID, "no such mode", "modes", name, all_modes, value);
        if (strlen(name) >= SETTINGS_GLOB_BYTES || !MatchesAny(name))
            return Refuse(error, RP_NOT_FOUND, "no function of the tables has this name", "modes",
                          name, "a key, a name or a glob of docs/reference/abi.md", name);

        /* An earlier rule for the same glob goes, and the new one becomes the last. Without this,
         * files and the environment, which may repeat rules without end, could fill the list. */
        for (size_t i = 0; i < settings->rule_count; i++)
            if (IsSame(settings->rules[i].glob, name)) {
                settings->rule_count--;
                memmove(&settings->rules[i], &settings->rules[i + 1],
                        (settings->rule_count - i) * sizeof *settings->rules);
                break;
            }

        if (settings->rule_count == SETTINGS_MAX_RULES)
            return Refuse(error, RP_NO_MEMORY, "too many rules", "modes", name, "at most 128", "");
        LiveRule *rule = &settings->rules[settings->rule_count++];
        memcpy(rule->glob, name, strlen(name) + 1);
        rule->mode = mode;
        return RP_OK;
    }
    return RefuseName(error, section, name);
}

void Settings_Init(LiveSettings *settings) {
    memset(settings, 0, sizeof *settings);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        SetOption(settings, &options[i], options[i].shown.value, NULL);
}

/* ---- the file -------------------------------------------------------------------------------- */

enum { SECTION_BYTES = 32, VALUE_BYTES = SETTINGS_LIST_BYTES };

typedef struct Parser {
    LiveSettings *settings;
    SettingsComplaint complaint;
    void *context;
    unsigned line;
    bool in_section;
    char section[SECTION_BYTES]; /* empty: the section is unknown, which was reported */
} Parser;

static void Complain(const Parser *parser, const RpError *error) {
    if (parser->complaint)
        parser->complaint(parser->context, parser->line, error);
}

static void ComplainOf(const Parser *parser, RpStatus status, const char *what,
                       const char *expected, Span found) {
    RpError error;
    Complaint_Set(&error, status, RP_NOWHERE, what, "", expected, found);
    Complain(parser, &error);
}

/* Returns false when the text does not fit. */
static bool CopySpan(Span span, char *to, size_t size) {
    if (span.length >= size)
        return false;
    if (span.length > 0)
        memcpy(to, span.start, span.length);
    to[span.length] = 0;
    return true;
}

static void ParseValue(Parser *parser, const SettingsLine *line) {
    char name[SETTINGS_GLOB_BYTES], value[VALUE_BYTES];
    RpError error;
    if (!parser->section[0])
        return;
    if (!CopySpan(line->name, name, sizeof name))
        ComplainOf(parser, RP_INVALID, "the name is too long", "at most 63 bytes", line->name);
    else if (!CopySpan(line->value, value, sizeof value))
        ComplainOf(parser, RP_INVALID, "the value is too long", "at most 1023 bytes", line->value);
    else if (Settings_Set(parser->settings, parser->section, name, value, &error))
        Complain(parser, &error);
}

void Settings_Parse(LiveSettings *settings, const char *text, size_t size,
                    SettingsComplaint complaint, void *context) {
    Parser parser = {.settings = settings, .complaint = complaint, .context = context, .line = 1};
    const Span whole = {.start = text, .length = size};
    if (whole.length >= 2 &&
        (memcmp(whole.start, "\xFF\xFE", 2) == 0 || memcmp(whole.start, "\xFE\xFF", 2) == 0)) {
        ComplainOf(&parser, RP_UNSUPPORTED, "the file is UTF-16 and is ignored",
                   "a file saved as UTF-8 or ANSI", Span_OfText(""));
        return;
    }
    for (Span rest = Span_SkipMark(whole); rest.length > 0; parser.line++) {
        const Span raw = Span_CutLine(&rest);
        const SettingsLine line = SettingsLine_Split(raw);
        static const char first[] = "a [section] before the first value";
        if (line.kind == SETTINGS_SECTION) {
            RpError error;
            char wanted[SECTION_BYTES];
            parser.in_section = true;
            parser.section[0] = 0;
            if (!CopySpan(line.name, wanted, sizeof wanted)) {
                ComplainOf(&parser, RP_NOT_FOUND, "no such section", "", line.name);
            } else if (!IsSection(wanted)) {
                RefuseName(&error, wanted, "");
                Complain(&parser, &error);
            } else {
                memcpy(parser.section, wanted, sizeof wanted);
            }
        } else if (line.kind == SETTINGS_NO_LINE) {
            ComplainOf(&parser, RP_INVALID, "the line is not understood", line.expected, raw);
        } else if (line.kind == SETTINGS_VALUE && !parser.in_section) {
            ComplainOf(&parser, RP_INVALID, "the value belongs to no section", first, raw);
        } else if (line.kind == SETTINGS_VALUE) {
            ParseValue(&parser, &line);
        }
    }
}

/* ---- the environment ------------------------------------------------------------------------- */

const char *Settings_Variable(const SettingsOption *option, SettingsGetter getter, void *context,
                              char *value, size_t size) {
    if (!option->variable)
        return NULL;
    if (getter(context, option->variable, value, size))
        return option->variable;
    const bool has_old = IsSame(option->name, "readings");
    return has_old && getter(context, old_variable, value, size) ? old_variable : NULL;
}

void Settings_Environment(LiveSettings *settings, SettingsGetter getter,
                          SettingsComplaint complaint, void *context) {
    Parser parser = {.settings = settings, .complaint = complaint, .context = context};
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        char value[VALUE_BYTES];
        RpError error;
        const char *variable =
            Settings_Variable(&options[i].shown, getter, parser.context, value, sizeof value);
        if (variable && SetOption(parser.settings, &options[i], value, &error)) {
            Text where = Text_Begin(error.where, sizeof error.where);
            Text_Append(&where, variable);
            Complain(&parser, &error);
        }
    }

    static const char variable[] = "RETROPOSE_MODES";
    char value[VALUE_BYTES];
    const char *list = getter(parser.context, variable, value, sizeof value);
    memcpy(parser.section, "modes", sizeof "modes");
    for (Span rest = Span_OfText(list ? list : ""); rest.start;) {
        const Span rule = Span_CutPart(&rest, ',');
        const SettingsLine line = SettingsLine_Split(rule);
        if (line.kind == SETTINGS_VALUE)
            ParseValue(&parser, &line);
        else if (line.kind != SETTINGS_BLANK)
            ComplainOf(&parser, RP_INVALID, "the variable RETROPOSE_MODES is not understood",
                       "function=mode, separated by commas", rule);
    }
}
