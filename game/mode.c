#include "game/mode.h"

#include "core/files/output.h"
#include "core/glob.h"
#include "core/nearest.h"
#include "core/text.h"
#include "dll/settings/ini.h"
#include "game/game_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- showing --------------------------------------------------------------------------------- */

enum { MOST_ROWS = 16, MOST_NAMED = 3 }; /* most lines of functions; most names in a group */

typedef struct Row {
    const AbiFunction *function;
    LiveDecision decision;
} Row;

/* The functions that are shown, and how many of them are served in which way. */
typedef struct Sum {
    size_t all, by_mode[LIVE_VERIFIED + 1], otherwise;
    Row *rows; /* `all` elements */
} Sum;

static bool AreAlike(const Row *a, const Row *b) {
    return a->decision.asked == b->decision.asked &&
           a->decision.effective == b->decision.effective &&
           a->decision.reason == b->decision.reason;
}

/* Appends a line for each function or, where they are many, for those that are served alike. */
static void AppendShown(const Sum *sum, bool each, RpBuffer *text) {
    if (each || sum->all <= MOST_ROWS) {
        for (size_t i = 0; i < sum->all; i++) {
            const Row *row = &sum->rows[i];
            RpBuffer_Print(text, "%-28s %-26s %-11s -> %-11s  %s\n", row->function->key,
                           row->function->name, LiveMode_Name(row->decision.asked),
                           LiveMode_Name(row->decision.effective),
                           LiveReason_Text(row->decision.reason));
        }
        return;
    }
    for (size_t i = 0; i < sum->all; i++) {
        bool told = false;
        for (size_t before = 0; before < i && !told; before++)
            told = AreAlike(&sum->rows[before], &sum->rows[i]);
        if (!told) {
            /* One line stands for all functions that are like this one. */
            const Row *row = &sum->rows[i];
            size_t count = 0;
            for (size_t k = i; k < sum->all; k++)
                count += AreAlike(row, &sum->rows[k]);
            RpBuffer_Print(
                text, "%4zu  %-11s -> %-11s  %s:", count, LiveMode_Name(row->decision.asked),
                LiveMode_Name(row->decision.effective), LiveReason_Text(row->decision.reason));
            size_t named = 0;
            for (size_t k = i; k < sum->all && named < MOST_NAMED; k++)
                if (AreAlike(row, &sum->rows[k]))
                    RpBuffer_Print(text, "%s %s", named++ ? "," : "", sum->rows[k].function->key);
            RpBuffer_AppendText(text, count > named ? ", ...\n" : "\n");
        }
    }
    RpBuffer_AppendText(text, "(--all tells each function)\n");
}

/* ---- changing -------------------------------------------------------------------------------- */

typedef struct Assignment {
    char glob[SETTINGS_GLOB_BYTES];
    const char *mode; /* null: the line is removed */
} Assignment;

static RpStatus Split(const char *text, Assignment *assignment, RpError *error) {
    const size_t length = strcspn(text, "=");
    if (!text[length] || length == 0 || length >= sizeof assignment->glob)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "not a mode of a function", text,
                           "FUNCTION=MODE, or FUNCTION= to take the line out", "");
    memcpy(assignment->glob, text, length);
    assignment->glob[length] = 0;
    assignment->mode = text[length + 1] ? text + length + 1 : NULL;
    return RP_OK;
}

/* Where a word may be mistyped, puts the word that is probably meant in front of what the error
 * expects. */
static void Suggest(const Assignment *assignment, RpError *error) {
    char expected[sizeof error->expected];
    Nearest nearest;
    LiveMode mode;
    const bool knows_mode = !assignment->mode || LiveMode_Parse(assignment->mode, &mode);
    Nearest_Init(&nearest, knows_mode ? assignment->glob : assignment->mode);
    for (int i = 0; !knows_mode && i <= LIVE_VERIFIED; i++)
        Nearest_Offer(&nearest, LiveMode_Name((LiveMode)i));
    for (size_t i = 0; knows_mode && i < abi_function_count; i++)
        if (GameFolder_HasMode(&abi_functions[i])) {
            Nearest_Offer(&nearest, abi_functions[i].key);
            Nearest_Offer(&nearest, abi_functions[i].name);
        }
    if (knows_mode)
        Nearest_Offer(&nearest, "default");
    if (!error || !nearest.best)
        return;
    snprintf(expected, sizeof expected, "%.180s", error->expected);
    snprintf(error->expected, sizeof error->expected, "%.60s, perhaps; %.180s", nearest.best,
             expected);
}

RpStatus Mode_TextOf(const char *folder_path, const char *const *assignments, size_t count,
                     bool each, RpBuffer *text, RpError *error) {
    GameFolder folder;
    Sum sum = {.rows = calloc(abi_function_count, sizeof *sum.rows)};
    if (!sum.rows)
        return RpMemory_Refused(error, "the modes");
    const RpStatus status = GameFolder_OpenGame(folder_path, &folder, error);
    if (!status) {
        /* These are the modes that the settings ask for. */
        const LiveSettings *settings = &folder.settings;
        RpBuffer_Print(text, "default = %s\n", LiveMode_Name(settings->default_mode));
        for (size_t i = 0; i < settings->rule_count; i++)
            RpBuffer_Print(text, "%s = %s\n", settings->rules[i].glob,
                           LiveMode_Name(settings->rules[i].mode));
        RpBuffer_AppendText(text, "\n");

        /* These are the ways in which the functions are served as a result. */
        for (size_t i = 0; i < abi_function_count; i++) {
            const AbiFunction *function = &abi_functions[i];
            if (!GameFolder_HasMode(function))
                continue;

            /* An assignment must be about the function; "default" is about all functions. */
            bool named = false;
            for (size_t k = 0; !named && k < count; k++) {
                Assignment assignment;
                named = Split(assignments[k], &assignment, NULL) == RP_OK &&
                        (Glob_Matches(assignment.glob, "default") ||
                         Settings_IsNamed(function, assignment.glob));
            }
            if (!named)
                continue;
            const LiveDecision decision = GameFolder_Decide(&folder, function);
            sum.rows[sum.all++] = (Row){function, decision};
            sum.by_mode[decision.effective]++;
            sum.otherwise +=
                decision.asked != LIVE_VERIFIED && decision.effective != decision.asked;
        }
        AppendShown(&sum, each, text);

        const char *before = ": ";
        RpBuffer_Print(text, "\n%zu function%s", sum.all, Text_Plural(sum.all));
        for (int mode = 0; mode <= LIVE_VERIFIED; mode++)
            if (sum.by_mode[mode] > 0) {
                RpBuffer_Print(text, "%s%zu %s", before, sum.by_mode[mode],
                               LiveMode_Name((LiveMode)mode));
                before = ", ";
            }
        if (sum.otherwise > 0)
            RpBuffer_Print(text, "; %zu not as asked", sum.otherwise);
        RpBuffer_AppendText(text, "\n");
    }
    GameFolder_Close(&folder);
    free(sum.rows);
    return status;
}

RpStatus Mode_Text(const char *folder, bool each, RpBuffer *text, RpError *error) {
    static const char *const all[] = {"*="};
    return Mode_TextOf(folder, all, 1, each, text, error);
}

RpStatus Mode_Change(const char *folder, const char *const *assignments, size_t count,
                     RpError *error) {
    char path[FILES_PATH_BYTES];
    InstallFolder files;
    RpStatus status = InstallFolder_Open(&FileOps_System, folder, &files, error);
    const InstallFound *ini = &files.files[INSTALL_TEXT + INSTALL_INI];
    if (!status && !ini->present)
        status = RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the folder has no settings", folder,
                             SETTINGS_FILE ": `retropose install` writes one", "");
    if (!status && !Files_Join(folder, ini->name, path))
        status = RpError_Set(error, RP_INVALID, RP_NOWHERE, "the path is too long", folder, "", "");
    InstallFolder_Close(&files);

    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    if (!status)
        status = FileOps_System.read(NULL, path, &text, error);
    for (size_t i = 0; !status && i < count; i++) {
        Assignment assignment;
        RpBuffer changed;
        status = Split(assignments[i], &assignment, error);
        if (status)
            break;
        RpBuffer_Init(&changed, NULL);
        status = Ini_SetMode(text.bytes ? (const char *)text.bytes : "", text.size, assignment.glob,
                             assignment.mode, &changed, error);
        RpBuffer_Free(status ? &changed : &text);
        if (status == RP_NOT_FOUND || status == RP_INVALID)
            Suggest(&assignment, error);
        if (!status)
            text = changed;
    }
    if (!status)
        status = Output_WriteEdited(path, path, text.bytes, text.size, error);
    RpBuffer_Free(&text);
    return status;
}
