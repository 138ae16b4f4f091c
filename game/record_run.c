/* Lets stat() work for traces above 2 GB. Windows needs this; on Linux everything is compiled
 * so. */
#define _FILE_OFFSET_BITS 64

#include "game/record_run.h"

#include "dll/settings/settings.h"
#include "replay/process/process.h"
#include "replay/process/wine.h"
#include "tracefile/stat.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif

#define PATH_BYTES     4096
#define VARIABLE_BYTES (PATH_BYTES + 64)
#define MOST_VARIABLES 8
#define MOST_WORDS     1024
#define NUMBER_DIGITS  5 /* digits of a part's number, as in dll/observe/recorder.c */

/* ---- names of the files ---------------------------------------------------------------------- */

typedef struct PartName { /* the parts of "folder/stem-00002.ending" */
    char folder[PATH_BYTES], stem[512], ending[512];
} PartName;

static int CompareNumbers(const void *a, const void *b) {
    long left = *(const long *)a, right = *(const long *)b;
    return (left > right) - (left < right);
}

typedef struct Parts {
    PartName name;
    long *numbers; /* in ascending order */
    size_t count;
} Parts;

static RpStatus FindParts(const char *output, Parts *parts, RpError *error) {
#ifdef _WIN32
    static const char separators[] = "/\\";
#else
    static const char separators[] = "/";
#endif
    *parts = (Parts){.numbers = NULL};

    const char *file = output;
    for (const char *c = output; *c; c++)
        if (strchr(separators, *c))
            file = c + 1;
    const char *dot = strrchr(file, '.');
    size_t stem = dot ? (size_t)(dot - file) : strlen(file);
    snprintf(parts->name.folder, sizeof parts->name.folder, "%.*s", (int)(file - output), output);
    snprintf(parts->name.stem, sizeof parts->name.stem, "%.*s", (int)stem, file);
    snprintf(parts->name.ending, sizeof parts->name.ending, "%s", file + stem);

    DIR *folder = opendir(parts->name.folder[0] ? parts->name.folder : ".");
    if (!folder)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "cannot read the folder of the trace",
                           parts->name.folder, "", strerror(errno));
    RpStatus status = RP_OK;
    for (struct dirent *entry; !status && (entry = readdir(folder));) {
        if (strncmp(entry->d_name, parts->name.stem, strlen(parts->name.stem)) != 0)
            continue;

        /* A part has a number behind the stem, and the name without a number counts as 0. */
        const char *rest = entry->d_name + strlen(parts->name.stem);
        const bool is_first = strcmp(rest, parts->name.ending) == 0;
        if (!is_first && (rest[0] != '-' || strspn(rest + 1, "0123456789") != NUMBER_DIGITS ||
                          strcmp(rest + 1 + NUMBER_DIGITS, parts->name.ending) != 0))
            continue;
        long number = is_first ? 0 : strtol(rest + 1, NULL, 10);
        long *more = realloc(parts->numbers, (parts->count + 1) * sizeof *more);
        if (more) {
            more[parts->count++] = number;
            parts->numbers = more;
        } else {
            status = RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory", "", "", "");
        }
    }
    closedir(folder);
    if (parts->count > 0)
        qsort(parts->numbers, parts->count, sizeof *parts->numbers, CompareNumbers);
    return status;
}

static void PartPath(const PartName *name, long number, char *path, size_t size) {
    if (number == 0)
        snprintf(path, size, "%s%s%s", name->folder, name->stem, name->ending);
    else
        snprintf(path, size, "%s%s-%0*ld%s", name->folder, name->stem, NUMBER_DIGITS, number,
                 name->ending);
}

/* ---- running --------------------------------------------------------------------------------- */

typedef struct Variables {
    char text[MOST_VARIABLES][VARIABLE_BYTES];
    const char *list[MOST_VARIABLES + 1];
    size_t count;
} Variables;

static void AddVariable(Variables *variables, const char *name, const char *value) {
    char *text = variables->text[variables->count];
    snprintf(text, VARIABLE_BYTES, "%s=%s", name, value);
    variables->list[variables->count++] = text;
    variables->list[variables->count] = NULL;
}

static RpStatus SetVariables(const RecordRun *run, Variables *variables, RpError *error) {
    /* The game may run in another folder, so the path has to be absolute. */
    char path[PATH_BYTES], name[PATH_BYTES];
    int length = -1;
#ifdef _WIN32
    length = (int)GetFullPathNameA(run->output, sizeof path, path, NULL);
#else
    char folder[PATH_BYTES];
    if (run->output[0] == '/')
        length = snprintf(path, sizeof path, "%s", run->output);
    else if (getcwd(folder, sizeof folder))
        length = snprintf(path, sizeof path, "%s/%s", folder, run->output);
#endif
    if (length <= 0 || (size_t)length >= SETTINGS_PATH_BYTES - 8)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the trace's path is too long",
                           run->output, "less than 252 bytes of UTF-8", "");
    Wine_FileName(path, name, sizeof name);
    variables->count = 0;
    AddVariable(variables, "RETROPOSE_RECORD", "on");
    AddVariable(variables, "RETROPOSE_RECORD_FILE", name);
    const char *const given[][2] = {
        {"RETROPOSE_RECORD_FUNCTIONS", run->functions}, {"RETROPOSE_RECORD_RING", run->ring},
        {"RETROPOSE_RECORD_LIMIT", run->limit},         {"RETROPOSE_RECORD_FULL", run->full},
        {"RETROPOSE_RECORD_FLUSH", run->flush},         {"RETROPOSE_MODES", run->modes}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i][1])
            AddVariable(variables, given[i][0], given[i][1]);
    return RP_OK;
}

RpStatus RecordRun_Start(const RecordRun *run, uint32_t *exit_code, RpError *error) {
    static Variables variables;
    const char *words[MOST_WORDS + 2];
    size_t count = 0;

    /* The values are checked here. The DLLs would complain only in a log, at which nobody looks. */
    LiveSettings *settings = malloc(sizeof *settings);
    if (!settings)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory", "", "", "");
    Settings_Init(settings);
    const char *const values[][2] = {{"functions", run->functions},
                                     {"ring", run->ring},
                                     {"limit", run->limit},
                                     {"full", run->full},
                                     {"flush", run->flush}};
    RpStatus status = RP_OK;
    for (size_t i = 0; !status && i < sizeof values / sizeof *values; i++)
        if (values[i][1])
            status = Settings_Set(settings, "record", values[i][0], values[i][1], error);
    free(settings);

    if (!status) {
        Parts parts;
        char path[PATH_BYTES + 1100] = "";
        status = FindParts(run->output, &parts, error);
        if (!status && parts.count > 0) {
            PartPath(&parts.name, parts.numbers[0], path, sizeof path);
            status = RpError_Set(error, RP_INVALID, RP_NOWHERE, "there is a file of that name",
                                 path, "a new name: recordings are never overwritten", "");
        }
        free(parts.numbers);
    }

    if (!status)
        status = SetVariables(run, &variables, error);
    if (status)
        return status;
#ifndef _WIN32
    char version[128];
    const bool is_wine = strcmp(run->command[0], "wine") == 0;
    const size_t length = strlen(run->command[0]);
    const char *ending = length > 4 ? run->command[0] + length - 4 : ""; /* ".exe" of Windows */
    if (ending[0] == '.' && (ending[1] | 0x20) == 'e' && (ending[2] | 0x20) == 'x' &&
        (ending[3] | 0x20) == 'e')
        words[count++] = "wine";
    if ((is_wine || count > 0) && (status = Wine_Start(version, sizeof version, error)))
        return status;
#endif
    for (size_t i = 0; run->command[i]; i++) {
        if (count == MOST_WORDS)
            return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the command is too long", "",
                               "at most 1024 words", "");
        words[count++] = run->command[i];
    }
    words[count] = NULL;
    return Process_RunHere(words, variables.list, exit_code, error);
}

/* ---- what came of it ------------------------------------------------------------------------- */

static uint64_t Number(const TraceReader *reader, const char *key) {
    char value[64];
    return TraceReader_Note(reader, key, value, sizeof value) ? strtoull(value, NULL, 10) : 0;
}

RpStatus RecordSummary_Read(const char *output, RecordSummary *summary, RpError *error) {
    Parts parts;
    *summary =
        (RecordSummary){.by_function = calloc(abi_function_count, sizeof *summary->by_function)};
    if (!summary->by_function)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory", "", "", "");
    RpStatus status = FindParts(output, &parts, error);
    if (!status && parts.count == 0)
        status = RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "nothing was recorded", output,
                             "a game folder with our DLLs; their log says more", "");
    for (size_t i = 0; !status && i < parts.count; i++) {
        char path[PATH_BYTES + 1100];
        TraceReader *reader;
        Stat counts;
        struct stat facts;
        PartPath(&parts.name, parts.numbers[i], path, sizeof path);
        status = TraceReader_Open(path, &reader, error);
        if (status == RP_TRUNCATED) { /* its process was killed before the header was whole */
            summary->files++;
            summary->cut++;
            status = RP_OK;
            continue;
        }
        if (status)
            break;
        status = Stat_Collect(reader, NULL, &counts, error);
        summary->files++;
        summary->calls += counts.calls;
        for (size_t k = 0; counts.by_function && k < abi_function_count; k++)
            summary->by_function[k] += counts.by_function[k];
        if (stat(path, &facts) == 0)
            summary->bytes += (uint64_t)facts.st_size;

        /* The numbers continue from file to file, so those of the last note are the totals. */
        const char *notes = TraceReader_Notes(reader);
        summary->noted = notes[0] != 0;
        if (summary->noted) {
            summary->dropped = Number(reader, "dropped");
            summary->not_recorded = 0; /* the sum of the lines "not-recorded.REASON=N" */
            for (const char *line = notes; (line = strstr(line, "not-recorded.")); line++) {
                const char *equals = strchr(line, '=');
                summary->not_recorded += equals ? strtoull(equals + 1, NULL, 10) : 0;
            }
            summary->deleted = Number(reader, "parts-deleted");
            summary->overhead_ns = Number(reader, "overhead-ns");
            summary->overhead_median_ns = Number(reader, "overhead-median-ns");
            summary->overhead_samples = Number(reader, "overhead-samples");
            summary->limited = Number(reader, "limit-reached") != 0;
        }

        Stat_Free(&counts);
        TraceReader_Close(reader);
        if (status == RP_TRUNCATED) { /* the calls before the end count */
            summary->cut++;
            status = RP_OK;
        }
    }
    free(parts.numbers);
    return status;
}

void RecordSummary_Free(RecordSummary *summary) {
    free(summary->by_function);
    summary->by_function = NULL;
}
