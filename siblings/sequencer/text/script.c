#include "siblings/sequencer/text/script.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- motions with published names: facts/ac-sequencer.md C.1 --------------------------------- */

static const struct {
    uint32_t id;
    const char *name;
} motions[] = {
    {0x41000003, "Ready"},         {0x45000005, "WalkForward"},  {0x45000006, "WalkBackwards"},
    {0x44000007, "RunForward"},    {0x6500000D, "TurnRight"},    {0x6500000E, "TurnLeft"},
    {0x6500000F, "SideStepRight"}, {0x65000010, "SideStepLeft"}, {0x8000003C, "HandCombat"},
    {0x8000003D, "NonCombat"},
};

const char *AcMotion_Name(uint32_t id) {
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++)
        if (motions[i].id == id)
            return motions[i].name;
    return NULL;
}

uint32_t AcMotion_Find(const char *name) {
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++)
        if (strcmp(motions[i].name, name) == 0)
            return motions[i].id;
    return 0;
}

/* ---- a run ----------------------------------------------------------------------------------- */

enum { MOST_WORDS = 4, MOST_LINE = 200, MOST_TICKS = 1000000 };

typedef struct Run {
    RpMotion *object;
    AcLog *log;
    void *context;
    RpError *error;
    double time;
    unsigned line;
    const char *words[MOST_WORDS];
    unsigned count;
} Run;

static AcLogEntry Entry(const Run *run, AcLogKind kind) {
    return (AcLogEntry){.kind = kind, .time = run->time, .line = run->line, .object = run->object};
}

static void TakeHook(void *context, const RpSequenceEvent *event) {
    const Run *run = context;
    AcLogEntry entry = Entry(run, event->hook ? AC_LOG_HOOK : AC_LOG_DONE);
    entry.event = event;
    run->log(run->context, &entry);
}

static void TakeEnd(void *context, uint32_t motion, bool success) {
    const Run *run = context;
    AcLogEntry entry = Entry(run, AC_LOG_ENDED);
    entry.motion = motion;
    entry.success = success;
    run->log(run->context, &entry);
}

static RpStatus Bad(const Run *run, const char *what, const char *expected) {
    char where[32];
    snprintf(where, sizeof where, "line %u", run->line);
    return RpError_Set(run->error, RP_INVALID, RP_NOWHERE, what, where, expected,
                       run->count ? run->words[0] : "");
}

static bool TakeNumber(const char *word, double least, double most, double *number) {
    char *end;
    errno = 0;
    *number = strtod(word, &end);
    return end != word && !*end && !errno && *number >= least && *number <= most;
}

static bool TakeMotion(const char *word, uint32_t *motion) {
    char *end;
    *motion = AcMotion_Find(word);
    if (*motion)
        return true;
    errno = 0;
    const unsigned long long value = strtoull(word, &end, 0);
    *motion = (uint32_t)value;
    return end != word && !*end && !errno && value > 0 && value <= UINT32_MAX;
}

/* ---- commands -------------------------------------------------------------------------------- */

static RpStatus Perform(Run *run, const char *name, RpAcCommand command, uint32_t motion,
                        float speed) {
    AcLogEntry entry = Entry(run, AC_LOG_COMMAND);
    entry.command = name;
    entry.motion = motion;
    entry.speed = speed;
    const RpStatus status =
        RpMotion_Perform(run->object, command, motion, speed, &entry.result, run->error);
    if (!status)
        run->log(run->context, &entry);
    return status;
}

static RpStatus World(Run *run, const char *name, void (*move)(RpMotion *motion)) {
    AcLogEntry entry = Entry(run, AC_LOG_COMMAND);
    if (run->count != 1)
        return Bad(run, "enter and exit take nothing", "");
    entry.command = name;
    run->log(run->context, &entry);
    move(run->object);
    return RP_OK;
}

static RpStatus RunLine(Run *run) {
    const char *verb = run->words[0];
    if (strcmp(verb, "start") == 0) {
        AcLogEntry entry = Entry(run, AC_LOG_COMMAND);
        if (run->count != 1)
            return Bad(run, "start takes nothing", "");
        const RpStatus status = RpMotion_Start(run->object, run->error);
        entry.command = "start";
        if (!status)
            run->log(run->context, &entry);
        return status;
    }
    if (strcmp(verb, "do") == 0) {
        uint32_t motion;
        double speed = 1;
        if (run->count < 2 || run->count > 3 || !TakeMotion(run->words[1], &motion) ||
            (run->count == 3 && !TakeNumber(run->words[2], -1e6, 1e6, &speed)))
            return Bad(run, "no such command", "do MOTION [SPEED]");
        return Perform(run, "do", RP_AC_DO, motion, (float)speed);
    }
    if (strcmp(verb, "stop") == 0) {
        uint32_t motion = 0;
        if (run->count == 2 && strcmp(run->words[1], "all") == 0)
            return Perform(run, "stop all", RP_AC_STOP_ALL, 0, 1);
        if (run->count != 2 || !TakeMotion(run->words[1], &motion))
            return Bad(run, "no such command", "stop MOTION, or stop all");
        return Perform(run, "stop", RP_AC_STOP, motion, 1);
    }
    if (strcmp(verb, "tick") == 0) {
        double seconds, times = 1;
        RpStatus status = RP_OK;
        if (run->count < 2 || run->count > 3 || !TakeNumber(run->words[1], -3600, 3600, &seconds) ||
            (run->count == 3 &&
             (!TakeNumber(run->words[2], 1, MOST_TICKS, &times) || floor(times) != times)))
            return Bad(run, "no such command", "tick SECONDS [TIMES]");
        for (uint32_t i = 0; !status && i < (uint32_t)times; i++) {
            RpAcFrame offset;
            RpAcFrame_Identity(&offset);
            run->time += seconds;
            status = RpMotion_Tick(run->object, seconds, &offset, TakeHook, run, run->error);
            AcLogEntry entry = Entry(run, AC_LOG_TICK);
            entry.offset = &offset;
            if (!status)
                run->log(run->context, &entry);
        }
        return status;
    }
    if (strcmp(verb, "enter") == 0)
        return World(run, "enter", RpMotion_EnterWorld);
    if (strcmp(verb, "exit") == 0)
        return World(run, "exit", RpMotion_ExitWorld);
    if (strcmp(verb, "quirks") == 0) {
        if (run->count != 2)
            return Bad(run, "no such command", "quirks LIST");
        AcLogEntry entry = Entry(run, AC_LOG_COMMAND);
        const RpStatus status =
            RpAcQuirks_Parse(run->words[1], &run->object->sequence.quirks, run->error);
        entry.command = "quirks";
        if (!status)
            run->log(run->context, &entry);
        return status;
    }
    return Bad(run, "unknown command", "start, do, stop, tick, enter, exit or quirks");
}

RpStatus AcScript_Run(const char *text, size_t size, RpMotion *object, AcLog *log, void *context,
                      RpError *error) {
    Run run = {.object = object, .log = log, .context = context, .error = error};
    object->motion_done = TakeEnd;
    object->context = &run;
    RpStatus status = RP_OK;
    for (size_t at = 0; !status && at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        const size_t length = end ? (size_t)(end - (text + at)) : size - at;
        char line[MOST_LINE + 1];
        run.line++;
        run.count = 0;
        if (length > MOST_LINE) {
            status = Bad(&run, "the line is too long", "up to 200 bytes");
            break;
        }
        memcpy(line, text + at, length);
        line[length] = 0;

        /* The line is split in place. */
        line[strcspn(line, "#")] = 0;
        for (char *word = strtok(line, " \t\r"); word; word = strtok(NULL, " \t\r")) {
            if (run.count == MOST_WORDS) {
                status = Bad(&run, "too many words", "a command and up to three");
                break;
            }
            run.words[run.count++] = word;
        }

        if (!status && run.count > 0)
            status = RunLine(&run);
        at += length + 1;
    }
    object->motion_done = NULL;
    object->context = NULL;
    return status;
}
