#include "siblings/sequencer/text/script.h"

#include "cli/ac/ac_common.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MISSING = 8 }; /* most ids of animations to name in a note */

typedef struct Simulation {
    const Cli *cli;
    AcResource table;
    AcResource *animations;
    size_t count;
    RpSequenceNode nodes[RP_AC_MOST_NODES];
    RpMotion object;
    AcLog *log; /* gets the entries of the log, together with `context` */
    void *context;
    uint32_t readings;
    bool json, quiet_ticks;
    uint64_t seen[AC_LOG_TICK + 1]; /* entries of each kind */
    double seconds;
    uint32_t missing[MOST_MISSING]; /* animations that were asked for and were not given */
    uint32_t missing_count;
    bool more_missing;
} Simulation;

static const RpAcAnimation *Find(void *context, uint32_t id) {
    Simulation *simulation = context;
    for (size_t i = 0; i < simulation->count; i++)
        if (simulation->animations[i].animation.id == id)
            return &simulation->animations[i].animation;

    /* The id of an animation that was not given is kept for the note at the end. */
    for (uint32_t i = 0; i < simulation->missing_count; i++)
        if (simulation->missing[i] == id)
            return NULL;
    if (simulation->missing_count < MOST_MISSING)
        simulation->missing[simulation->missing_count++] = id;
    else
        simulation->more_missing = true;
    return NULL;
}

/* ---- what happened --------------------------------------------------------------------------- */

static void Count(void *context, const AcLogEntry *entry) {
    Simulation *simulation = context;
    simulation->seen[entry->kind]++;
    simulation->seconds = entry->time;
    simulation->log(simulation->context, entry);
}

/* Runs --script over the table and the animations. */
static int RunScript(Simulation *simulation, AcLog *log, void *context) {
    const Cli *cli = simulation->cli;
    const char *script = Cli_Value(cli, "script", NULL);
    Mapping text;
    RpError error;
    if (Mapping_Open(script, &text, &error))
        return Cli_Fail(&error);
    simulation->log = log;
    simulation->context = context;
    RpStatus status = AcScript_Run((const char *)text.bytes, text.size, &simulation->object, Count,
                                   simulation, &error);
    Mapping_Close(&text);
    if (status)
        return Cli_Fail((CliFile_Locate(script, status, &error), &error));

    /* The run is summed up on stderr, so that one in which nothing fires says so. */
    const uint64_t *seen = simulation->seen;
    Cli_Note(cli,
             "%" PRIu64 " command%s, %" PRIu64 " tick%s, %.9g seconds: %" PRIu64 " hook%s fired, "
             "%" PRIu64 " AnimDone, %" PRIu64 " motion%s ended or broken off",
             seen[AC_LOG_COMMAND], Text_Plural(seen[AC_LOG_COMMAND]), seen[AC_LOG_TICK],
             Text_Plural(seen[AC_LOG_TICK]), simulation->seconds, seen[AC_LOG_HOOK],
             Text_Plural(seen[AC_LOG_HOOK]), seen[AC_LOG_DONE], seen[AC_LOG_ENDED],
             Text_Plural(seen[AC_LOG_ENDED]));

    uint64_t hooks = 0;
    for (size_t i = 0; i < simulation->count; i++)
        hooks += simulation->animations[i].animation.hook_count;
    if (seen[AC_LOG_HOOK] == 0)
        Cli_Note(cli, "no hook fired of the %" PRIu64 " in the animations given", hooks);

    char missing[MOST_MISSING * 12 + 1];
    Text ids = Text_Begin(missing, sizeof missing);
    for (uint32_t i = 0; i < simulation->missing_count; i++) {
        Text_Append(&ids, i ? " 0x" : "0x");
        Text_AppendHex(&ids, simulation->missing[i], 8);
    }
    if (simulation->missing_count > 0)
        Cli_Note(cli, "left out, because their files were not given: %s%s", missing,
                 simulation->more_missing ? " and others" : "");
    return CLI_EQUAL;
}

static int WithSimulation(Cli *cli, int (*work)(Simulation *simulation)) {
    Simulation *simulation = calloc(1, sizeof *simulation);
    if (!simulation)
        return Cli_Complain("no memory");
    simulation->cli = cli;

    uint32_t quirks = 0;
    RpError error;
    bool good = cli->argument_count > 0 && Cli_Has(cli, "script");
    if (!good)
        Cli_Complain("%s needs a motion table and --script", cli->verb->name);
    if (good && RpAcQuirks_Parse(Cli_Value(cli, "quirks", ""), &quirks, &error)) {
        Cli_Fail(&error);
        good = false;
    }
    good = good && AcVerb_Open(cli->arguments[0], RP_STRICT, &simulation->table);
    if (good && !simulation->table.is_table) {
        Cli_Complain("%s is no motion table", cli->arguments[0]);
        good = false;
    }
    if (good) {
        simulation->animations = calloc(cli->argument_count, sizeof *simulation->animations);
        good = simulation->animations != NULL;
    }
    for (size_t i = 1; good && i < cli->argument_count; i++) {
        AcResource *resource = &simulation->animations[simulation->count];
        good = AcVerb_Open(cli->arguments[i], RP_STRICT, resource);
        simulation->count += good;
        if (good && resource->is_table) {
            Cli_Complain("%s is a motion table; one is enough", cli->arguments[i]);
            good = false;
        }
    }

    int code = CLI_TROUBLE;
    if (good) {
        const RpAcLibrary library = {Find, simulation};
        RpMotion_Init(&simulation->object, &simulation->table.table, simulation->nodes,
                      RP_AC_MOST_NODES, &library);
        simulation->object.sequence.quirks = quirks;
        code = work(simulation);
    }
    for (size_t i = 0; i < simulation->count; i++)
        AcVerb_Close(&simulation->animations[i]);
    free(simulation->animations);
    AcVerb_Close(&simulation->table);
    free(simulation);
    return code;
}

/* ---- simulate -------------------------------------------------------------------------------- */

static void PrintEntry(void *context, const AcLogEntry *entry) {
    const Simulation *simulation = context;
    RpBuffer text;
    if (entry->kind == AC_LOG_TICK && simulation->quiet_ticks)
        return;
    RpBuffer_Init(&text, NULL);
    if (simulation->json)
        AcLog_Json(&text, entry, simulation->readings);
    else
        AcLog_Text(&text, entry, simulation->readings);
    fwrite(text.bytes, 1, text.size, stdout);
    RpBuffer_Free(&text);
}

static int Print(Simulation *simulation) {
    simulation->json = Cli_Has(simulation->cli, "json");
    simulation->quiet_ticks = Cli_Has(simulation->cli, "no-ticks");
    if (!AcVerb_Readings(simulation->cli, &simulation->readings))
        return CLI_TROUBLE;
    return RunScript(simulation, PrintEntry, simulation);
}

static int Simulate(Cli *cli) {
    return WithSimulation(cli, Print);
}

/* ---- timeline -------------------------------------------------------------------------------- */

static int Draw(Simulation *simulation) {
    const Cli *cli = simulation->cli;
    AcTimeline *timeline = AcTimeline_Begin(NULL);
    RpBuffer svg;
    RpError error;
    if (!timeline)
        return Cli_Complain("no memory");
    const int code = RunScript(simulation, AcTimeline_Take, timeline);
    RpBuffer_Init(&svg, NULL);
    const RpStatus status = AcTimeline_End(timeline, Cli_Value(cli, "script", ""), &svg, &error);
    if (code == CLI_EQUAL)
        return CliFile_Write(&svg, Cli_Value(cli, "output", "-"), status, &error);
    RpBuffer_Free(&svg);
    return code;
}

static int Timeline(Cli *cli) {
    return WithSimulation(cli, Draw);
}

#define SCRIPT                                                                                     \
    { "script", "FILE", "commands and ticks, one a line (docs/reference/sequencer.md)", 's' }
#define QUIRKS                                                                                     \
    { "quirks", "LIST", "quirks of the client that are switched off; none: all are", 0 }

const CliVerb cli_ac_simulate = {
    "ac simulate",
    "run a script of commands and ticks, and print what happens",
    "TABLE ANIMATION...",
    "retropose ac simulate 09000001.bin 0300*.bin --script walk.txt\n",
    {SCRIPT,
     QUIRKS,
     AC_READINGS,
     {"no-ticks", NULL, "leave out the line behind each tick", 0},
     {"json", NULL, "print one line of JSON an entry instead of text", 0}},
    Simulate};

const CliVerb cli_ac_timeline = {
    "ac timeline",
    "draw what plays, where the cursor is and which hooks fire over time, as SVG",
    "TABLE ANIMATION...",
    "retropose ac timeline 09000001.bin 0300*.bin --script walk.txt -o walk.svg\n",
    {SCRIPT, QUIRKS, {"output", "FILE", "the picture (default: standard output)", 'o'}},
    Timeline};
