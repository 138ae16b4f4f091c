#include "cli/cli_readings.h"
#include "cli/command_text.h"
#include "cli/config.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/trace/bundled.h"
#include "cli/trace/explain.h"
#include "cli/trace/provider_pair.h"
#include "cli/trace/shard_run.h"
#include "cli/trace/verdict.h"
#include "core/files/cleanup.h"
#include "core/nearest.h"
#include "core/stop.h"
#include "replay/session/answer_digest.h"
#include "replay/session/session_coverage.h"
#include "revision.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TRACES 512  /* most traces and scenarios that are named: each has an open file */
#define MAX_INPUTS 8192 /* most of them with those of --all-scenarios and --each-reading */
enum { COMMAND_BYTES = 8192 };

typedef struct Replay {
    const Cli *cli;
    ProviderPair pair;
    Verdict verdict;
    SessionInput inputs[MAX_INPUTS];
    TraceReader *readers[MAX_INPUTS]; /* the traces, which are open until they have been read */
    bool counted[MAX_INPUTS];         /* whether the number of calls was given */
    char *own_readings[MAX_INPUTS];   /* of inputs that have others than `readings` */
    size_t input_count;
    BundledPath *bundled; /* with --bundled */
    uint64_t seed, first, jobs;
    int force_cpu;
    Shard shard;
    cJSON *run; /* with --shard */
    char readings[READINGS_BYTES];
    AnswerSums *answers;         /* by input, with --digest */
    Coverage coverage;           /* with --coverage */
    char command[COMMAND_BYTES]; /* the command that repeats the run */
} Replay;

/* ---- inputs ---------------------------------------------------------------------------------- */

static int TooManyInputs(int most) {
    return Cli_Complain("too many traces and scenarios for one run: at most %d", most);
}

/* An empty `machine` stands for the class of the processor, or for --force-cpu. The result is false
 * for an unknown one. */
static bool AddScenario(Replay *replay, const Scenario *scenario, const char *machine,
                        uint64_t calls, bool counted) {
    SessionInput *input = &replay->inputs[replay->input_count];
    *input = (SessionInput){.scenario = scenario,
                            .seed = replay->seed,
                            .first = replay->first,
                            .count = calls,
                            .force_cpu = replay->force_cpu,
                            .readings = replay->readings};
    if (*machine && !SessionInput_OnMachine(input, machine))
        return false;
    replay->counted[replay->input_count++] = counted;
    return true;
}

/* Has a scenario run under `own` readings besides those of all scenarios, and puts them into its
 * name. */
static int AddReadings(Replay *replay, size_t which, const char *own) {
    SessionInput *input = &replay->inputs[which];
    const size_t size = strlen(input->readings) + strlen(own) + 2;
    char *text = malloc(size), name[sizeof input->name];
    if (!text)
        return Cli_Complain("no memory to replay");
    snprintf(text, size, "%s%s%s", input->readings, input->readings[0] ? "," : "", own);
    input->readings = replay->own_readings[which] = text;
    const int length = snprintf(name, sizeof name, "%s@%s",
                                input->name[0] ? input->name : input->scenario->name, own);
    if (length >= (int)sizeof name)
        return Cli_Complain(
            "these readings are too long for the name of a scenario; --readings takes them: %s",
            own);
    memcpy(input->name, name, sizeof name);
    return ProviderPair_Accepts(&replay->pair, text) ? 0 : CLI_TROUBLE;
}

static int AddNamed(Replay *replay, const char *text) {
    char name[128];
    uint64_t calls = 0;
    const char *colon = strchr(text, ':');
    snprintf(name, sizeof name, "%.*s", (int)(colon ? colon - text : (ptrdiff_t)strlen(text)),
             text);
    /* Behind the name, in this order where there are both: a machine, and readings. */
    char *machine = strchr(name, '@'), *own = NULL;
    if (machine)
        *machine++ = 0;
    if (machine && strchr(machine, '=')) {
        own = strchr(machine, '@');
        if (own)
            *own++ = 0;
        else
            own = machine, machine = NULL;
    }
    if (colon) {
        char *end;
        calls = strtoull(colon + 1, &end, 10);
        if (colon[1] < '0' || colon[1] > '9' || *end || calls == 0)
            return Cli_Complain("--scenario takes NAME[@MACHINE][@READINGS][:CALLS], not %s", text);
    }
    const Scenario *scenario = Scenario_Find(name);
    if (!scenario) {
        Nearest nearest;
        Nearest_Init(&nearest, name);
        for (size_t i = 0; i < scenario_count; i++)
            Nearest_Offer(&nearest, scenarios[i].name);
        return Cli_Complain("there is no scenario %s%s%s; see `retropose gen --list`", name,
                            nearest.best ? ", perhaps " : "", nearest.best ? nearest.best : "");
    }
    if (!AddScenario(replay, scenario, machine ? machine : "",
                     calls ? calls : scenario->default_calls, calls != 0))
        return Cli_Complain("there is no machine %s: generic, fxch, sse or cpuN", machine);
    return own ? AddReadings(replay, replay->input_count - 1, own) : 0;
}

/* Adds each scenario once more for every other choice of each reading, one at a time. All of these
 * share the calls of the scenario. */
static int AddEachReading(Replay *replay) {
    const size_t count = replay->input_count;
    bool has_scenario = false;
    int code = 0;
    for (size_t i = 0; i < count && !code; i++) {
        const SessionInput *input = &replay->inputs[i];
        RpReadings taken;
        RpError error;
        if (!input->scenario)
            continue;
        has_scenario = true;
        if (RpReadings_Parse(&taken, RP_READS_RUNTIME, input->readings, &error))
            return Cli_Fail(&error);
        const size_t first = replay->input_count;
        for (int h = 0; RpReadings_Name(h) && !code; h++) {
            const char *choice = RpReadings_Choices(h);
            for (int k = 0; RpReadings_Kind(h) & RP_READS_RUNTIME && *choice && !code; k++) {
                const size_t length = strcspn(choice, "|");
                char own[96];
                snprintf(own, sizeof own, "%s=%.*s", RpReadings_Name(h), (int)length, choice);
                choice += length + (choice[length] == '|');
                if (k == taken.choice[h])
                    continue;
                if (replay->input_count == MAX_INPUTS)
                    return TooManyInputs(MAX_INPUTS);
                replay->inputs[replay->input_count] = *input;
                replay->counted[replay->input_count] = replay->counted[i];
                code = AddReadings(replay, replay->input_count++, own);
            }
        }
        const uint64_t runs = replay->input_count - first + 1, calls = input->count;
        if (!code && calls < runs)
            return Cli_Complain("--each-reading runs %s %llu times, and it has %llu calls",
                                input->name[0] ? input->name : input->scenario->name,
                                (unsigned long long)runs, (unsigned long long)calls);
        replay->inputs[i].count = calls - calls / runs * (runs - 1);
        for (size_t k = first; k < replay->input_count; k++)
            replay->inputs[k].count = calls / runs;
    }
    if (!has_scenario)
        return Cli_Complain(
            "--each-reading is of scenarios, and none is named: a trace has its own "
            "readings");
    return code;
}

/* --calls is the number for all scenarios together. Those without a number of their own share it
 * in proportion to their usual numbers. */
static void ShareCalls(Replay *replay, uint64_t calls) {
    uint64_t usual = 0, left = calls;
    size_t last = MAX_INPUTS;
    for (size_t i = 0; i < replay->input_count; i++)
        if (replay->inputs[i].scenario && !replay->counted[i]) {
            usual += replay->inputs[i].count;
            last = i;
        }
    for (size_t i = 0; i < replay->input_count; i++) {
        SessionInput *input = &replay->inputs[i];
        if (!input->scenario || replay->counted[i])
            continue;
        double share = (double)input->count / (double)usual;
        uint64_t count = i == last ? left : (uint64_t)((double)calls * share);
        input->count = count > left ? left : count;
        left -= input->count;
    }
}

/* Adds a stored trace. The stand-in must have been built for its readings. */
static int AddTrace(Replay *replay, const char *path) {
    RpError error;
    TraceReader **reader = &replay->readers[replay->input_count];
    char readings[READINGS_BYTES];
    if (TraceReader_Open(path, reader, &error))
        return Cli_Fail(&error);
    TraceHeader_Get(TraceReader_Header(*reader), "hypotheses", readings, sizeof readings);
    replay->inputs[replay->input_count++] = (SessionInput){.trace = path};
    return ProviderPair_Accepts(&replay->pair, readings) ? 0 : CLI_TROUBLE;
}

static int AddBundled(Replay *replay) {
    size_t count;
    int code = 0;
    replay->bundled = Bundled_Traces(&count);
    if (!replay->bundled)
        return CLI_TROUBLE;
    if (replay->input_count + count > MAX_TRACES)
        return TooManyInputs(MAX_TRACES);
    for (size_t i = 0; i < count && !code; i++)
        code = AddTrace(replay, replay->bundled[i]);
    return code;
}

static int CollectInputs(Replay *replay) {
    const Cli *cli = replay->cli;
    uint64_t calls = 0, force_cpu = 0;
    int code = 0;
    replay->seed = replay->jobs = 1;
    if (!Cli_Number(cli, "jobs", 1, 64, &replay->jobs) ||
        !Cli_Number(cli, "seed", 0, UINT64_MAX, &replay->seed) ||
        !Cli_Number(cli, "first", 0, UINT64_MAX, &replay->first) ||
        !Cli_Number(cli, "force-cpu", 0, INT32_MAX, &force_cpu))
        return CLI_TROUBLE;
    replay->force_cpu = Cli_Has(cli, "force-cpu") ? (int)force_cpu : -1;
    if (!Readings_Given(cli, replay->readings) ||
        !ProviderPair_Accepts(&replay->pair, replay->readings) ||
        !Cli_Number(cli, "calls", 1, UINT64_MAX, &calls))
        return CLI_TROUBLE;

    if (cli->argument_count + cli->given_count > MAX_TRACES)
        return Cli_Complain("too many traces and options for one run: at most %d", MAX_TRACES);
    for (size_t i = 0; i < cli->argument_count && !code; i++)
        code = AddTrace(replay, cli->arguments[i]);
    for (size_t i = 0; i < cli->given_count && !code; i++)
        if (strcmp(cli->given[i].option->name, "scenario") == 0)
            code = AddNamed(replay, cli->given[i].value);
    if (Cli_Has(cli, "bundled") && !code)
        code = AddBundled(replay);
    if (Cli_Has(cli, "all-scenarios"))
        for (size_t i = 0; i < scenario_count && !code; i++) {
            /* A scenario whose results depend on the build of the slots runs on each build;
             * `classes` runs under each documented ForceCpu. */
            const Scenario *scenario = &scenarios[i];
            static const char *const builds[] = {"", "generic", "fxch"};
            static const char *const classes[] = {"",     "cpu2", "cpu3", "cpu4",
                                                  "cpu5", "cpu6", "cpu7"};
            static const char *const slot_free[] = {"models", "control", "stubs", "table"};
            bool by_class = strcmp(scenario->name, "classes") == 0;
            const char *const *machines = by_class ? classes : builds;
            size_t count =
                by_class ? sizeof classes / sizeof *classes : sizeof builds / sizeof *builds;
            for (size_t k = 0; k < sizeof slot_free / sizeof *slot_free; k++)
                if (strcmp(scenario->name, slot_free[k]) == 0)
                    count = 1;
            for (size_t k = 0; k < count; k++)
                AddScenario(replay, scenario, machines[k], scenario->default_calls / count, false);
        }
    if (Cli_Has(cli, "each-reading") && !code)
        code = AddEachReading(replay);

    const bool is_recorded = replay->pair.original.kind == PROVIDER_RECORDED ||
                             replay->pair.replacement.kind == PROVIDER_RECORDED;
    for (size_t i = 0; i < replay->input_count && !code && is_recorded; i++)
        if (replay->inputs[i].scenario)
            return Cli_Complain("a scenario has no recorded outcomes: name a pair or `native`");
    if (!code && replay->input_count == 0)
        return Cli_Complain("replay needs a trace, --bundled, --scenario or --all-scenarios");
    if (calls > 0)
        ShareCalls(replay, calls);
    return code;
}

/* ---- the digest of the original's answers ---------------------------------------------------- */

/* A digest covers whole scenarios, because anybody who reads it can generate these again. */
static int OpenDigest(Replay *replay) {
    static const char *const others[] = {"select", "fail-fast", "shard"};
    const Cli *cli = replay->cli;
    if (!Cli_Has(cli, "digest"))
        return 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (Cli_Has(cli, others[i]))
            return Cli_Complain("--digest is of whole scenarios, and goes without --%s", others[i]);
    for (size_t i = 0; i < replay->input_count; i++) {
        if (replay->inputs[i].trace)
            return Cli_Complain("--digest is of scenarios, and %s is a trace",
                                replay->inputs[i].trace);
        if (replay->own_readings[i])
            return Cli_Complain("--digest is of one choice of each reading, and %s has its own",
                                replay->inputs[i].name);
    }
    if (!CliFile_CanWrite(Cli_Value(cli, "digest", NULL)))
        return CLI_TROUBLE;
    replay->answers = calloc(replay->input_count, sizeof *replay->answers);
    for (size_t i = 0; replay->answers && i < replay->input_count; i++)
        if (!AnswerSums_Init(&replay->answers[i]))
            return Cli_Complain("no memory to replay");
    return replay->answers ? 0 : Cli_Complain("no memory to replay");
}

static int WriteDigest(const Replay *replay, const Report *report) {
    const ProviderPair *pair = &replay->pair;
    const bool wxyz = pair->has_wxyz && strcmp(replay->readings, "key-order=wxyz") == 0;
    AnswerDigest digest;
    RpBuffer text;
    RpError error;
    RpBuffer_Init(&text, NULL);
    AnswerDigest_Name(&digest, wxyz ? &pair->original_wxyz : &pair->original, report->processor,
                      replay->readings);
    const RpStatus status =
        AnswerDigest_Make(&digest, replay->inputs, replay->input_count, replay->answers, &error);
    if (!status)
        AnswerDigest_Text(&digest, &text);
    AnswerDigest_Free(&digest);
    return CliFile_Write(&text, Cli_Value(replay->cli, "digest", NULL), status, &error);
}

/* ---- coverage -------------------------------------------------------------------------------- */

/* Only the machine sees which code runs. */
static int OpenCoverage(Replay *replay) {
    ProviderPair *pair = &replay->pair;
    Provider *const sides[] = {&pair->original, &pair->original_wxyz, &pair->replacement};
    const ProviderEngine engine = ProviderEngine_Choose(pair->options.engine);
    RpError error;
    if (!Cli_Has(replay->cli, "coverage"))
        return 0;
    if (!ProviderEngine_IsMachine(engine))
        return Cli_Complain("--coverage needs --engine machine: the engine %s does not show which "
                            "code runs",
                            ProviderEngine_Name(engine));
    if (!pair->original.directory[0] && !pair->replacement.directory[0])
        return Cli_Complain("--coverage is of pairs of DLLs, and neither side is one");
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        if (sides[i]->directory[0] && SessionCoverage_Begin(sides[i], &error))
            return Cli_Fail(&error);
    return 0;
}

/* ---- the command that repeats one call ------------------------------------------------------- */

/* The options that decide what is run. */
static const char *const deciding[] = {"trust",   "original", "replacement", "engine",
                                       "host",    "readings", "profile",     "force-cpu",
                                       "timeout", "overlay",  "processor",   NULL};

static bool RepeatCommand(void *context, const Difference *difference, char *text, size_t size) {
    const Replay *replay = context;
    CommandText command = {text, size, 0};
    char word[320];
    if (strlen(difference->trace) == sizeof difference->trace - 1)
        return false; /* a longer name was cut to this, and the command would name another file */
    CommandText_Add(&command, "retropose replay");
    CommandText_AddGiven(&command, replay->cli, deciding);
    snprintf(word, sizeof word, "%.*s", (int)strcspn(difference->trace, "@"), difference->trace);
    if (Scenario_Find(word)) {
        snprintf(word, sizeof word, "%s:1", difference->trace);
        CommandText_AddWord(&command, "--scenario");
        CommandText_AddWord(&command, word);
        snprintf(word, sizeof word, "--first %llu --seed %llu",
                 (unsigned long long)difference->sequence, (unsigned long long)replay->seed);
        CommandText_Add(&command, " ");
        CommandText_Add(&command, word);
    } else {
        snprintf(word, sizeof word, "%s:%llu", difference->function->key,
                 (unsigned long long)difference->sequence);
        CommandText_AddWord(&command, difference->trace);
        CommandText_AddWord(&command, "--select");
        CommandText_AddWord(&command, word);
    }
    return CommandText_Whole(&command) != NULL;
}

/* ---- running --------------------------------------------------------------------------------- */

static RpStatus RunSession(Replay *replay, const char *work, RpError *error) {
    Progress progress;
    uint64_t in_memory;
    const Cli *cli = replay->cli;
    SessionOptions options = {.inputs = replay->inputs,
                              .input_count = replay->input_count,
                              .readers = replay->readers,
                              .a = &replay->pair.original,
                              .a_wxyz = replay->pair.has_wxyz ? &replay->pair.original_wxyz : NULL,
                              .b = &replay->pair.replacement,
                              .provider = replay->pair.options,
                              .selection = replay->verdict.selection,
                              .work_directory = work,
                              .jobs = (unsigned)replay->jobs,
                              .shard = replay->shard,
                              .keep = Cli_Has(cli, "keep"),
                              .fail_fast = Cli_Has(cli, "fail-fast"),
                              .progress = Progress_Update,
                              .context = &progress,
                              .answers = replay->answers,
                              .in_memory = &in_memory};
    Progress_Start(&progress, cli->verbosity < 0);
    RpStatus status = Session_Run(&options, replay->verdict.comparison, error);
    double seconds = Progress_Seconds(&progress);
    Progress_End(&progress);
    if (status)
        return status;
    CompareTotals totals;
    Comparison_Totals(replay->verdict.comparison, &totals);
    Cli_Note(cli, "%.1f s, %.0f calls/s", seconds,
             seconds > 0 ? (double)totals.counts.compared / seconds : 0);
    if (cli->verbosity > 0)
        Cli_Note(cli, "%llu calls in memory, the others through files",
                 (unsigned long long)in_memory);
    return RP_OK;
}

static int ReplayInputs(Replay *replay) {
    const Cli *cli = replay->cli;
    char work[PLACE_BYTES];
    /* The command that repeats the run is the same for a whole run and for each of its shards. */
    static const char *const without[] = {"json",  "junit", "html",  "digest",  "work",  "keep",
                                          "shard", "jobs",  "quiet", "verbose", "color", NULL};
    CommandText command = {replay->command, sizeof replay->command, 0};
    CommandText_Repeat(&command, replay->cli, without);
    const char *whole = CommandText_Whole(&command);
    Report report = {.comparison = replay->verdict.comparison,
                     .colour = cli->colour_out,
                     .all_rows = cli->verbosity > 0,
                     .allow_partial = Cli_Has(cli, "allow-partial"),
                     .shard = replay->shard,
                     .run = replay->run,
                     .version = RETROPOSE_BUILT,
                     .command = whole,
                     .repeat = RepeatCommand,
                     .context = replay};
    ProviderPair_FillReport(&replay->pair, &report);
    if (Verdict_PrintsText(cli))
        Visible_Print(stdout, "original: %s\nreplacement: %s\n\n", report.a.description,
                      report.b.description);
    fflush(stdout);
    if (!Place_MakeWork(Cli_Value(cli, "work", NULL), work, sizeof work))
        return Cli_Complain("cannot make a folder for the work; name one with --work");
    if (Cli_Has(cli, "keep"))
        Cleanup_Forget(work);
    RpError error;
    const RpStatus status = RunSession(replay, work, &error);
    if (Cli_Has(cli, "keep"))
        Cli_Note(cli, "traces are in %s", work);
    else
        Place_DropWork(work);

    /* What was reached is held against the code of both sides. */
    RpError uncovered;
    RpStatus covered = RP_OK;
    if (Cli_Has(cli, "coverage")) {
        const ProviderPair *pair = &replay->pair;
        report.coverage = &replay->coverage;
        covered = SessionCoverage_Add(&pair->original, "a", &replay->coverage, &uncovered);
        if (!covered)
            covered =
                SessionCoverage_Add(&pair->original_wxyz, "a wxyz", &replay->coverage, &uncovered);
        if (!covered)
            covered = SessionCoverage_Add(&pair->replacement, "b", &replay->coverage, &uncovered);
    }
    if (covered && !status)
        return Cli_Fail(&uncovered);
    if (covered)
        report.coverage = NULL;
    RpError unexplained;
    if (Explain_Differences(&replay->pair, replay->verdict.comparison, &unexplained) && !status)
        return Cli_Fail(&unexplained);
    if (status)
        return Verdict_Failed(cli, &replay->verdict, &report, &error);
    const int code = Verdict_Report(cli, &replay->verdict, &report);
    const int written = replay->answers && !Stop_Asked() ? WriteDigest(replay, &report) : 0;
    return written ? written : code;
}

static int Run(Cli *cli) {
    Replay *replay = calloc(1, sizeof *replay);
    if (!replay)
        return Cli_Complain("no memory to replay");
    replay->cli = cli;
    Config_FindTraces(cli, SIZE_MAX);
    int code = ProviderPair_Open(cli, &replay->pair);
    if (!code)
        code = CollectInputs(replay);
    if (!code)
        code = OpenDigest(replay);
    if (!code)
        code = OpenCoverage(replay);
    if (!code)
        code = ShardRun_Open(cli, &replay->pair, replay->inputs, replay->input_count,
                             &replay->shard, &replay->run);
    if (!code)
        code = Verdict_Open(cli, true, &replay->verdict);
    if (!code)
        code = ReplayInputs(replay);
    Verdict_Close(&replay->verdict);
    for (size_t i = 0; i < replay->input_count; i++) {
        TraceReader_Close(replay->readers[i]);
        free(replay->own_readings[i]);
    }
    for (size_t i = 0; replay->answers && i < replay->input_count; i++)
        AnswerSums_Free(&replay->answers[i]);
    free(replay->answers);
    Coverage_Free(&replay->coverage);
    ReachedRecord_Destroy(replay->pair.original.reached);
    ReachedRecord_Destroy(replay->pair.original_wxyz.reached);
    ReachedRecord_Destroy(replay->pair.replacement.reached);
    cJSON_Delete(replay->run);
    free(replay->bundled);
    free(replay);
    return code;
}

const CliVerb cli_trace_replay = {
    "replay",
    "run traces through two DLL pairs and compare bit for bit",
    "[TRACE...]",
    "retropose replay --bundled\n"
    "retropose replay --all-scenarios --calls 10000000 --jobs 2\n"
    "retropose replay --all-scenarios --calls 1000000000 --shard 3/8 --json shard-3.json\n"
    "retropose replay --original \"C:\\Games\\Parkan\" --scenario poses:100000\n"
    "retropose replay slots.trace --select \"ngi32.slot17:1000-1999\" --json report.json\n",
    {CLI_PAIRS,
     CLI_TRUST,
     CLI_PROCESSOR,
     {"scenario", "NAME[@M][@R][:N]",
      "a scenario; M: generic, fxch, sse or cpuN; R: its own readings; N: calls; repeatable", 0},
     {"bundled", NULL, "the traces that come with this program", 0},
     {"all-scenarios", NULL, "every scenario, on every build of the slots", 0},
     {"each-reading", NULL, "each scenario under every other choice of each reading, too", 0},
     {"calls", "N", "in all, shared among the scenarios that name no number themselves", 0},
     {"first", "N", "position of the first call in each scenario (default: 0)", 0},
     {"seed", "N", "of the scenarios (default: 1)", 0},
     {"force-cpu", "N", "the ForceCpu value that providers shall start with", 0},
     {"profile", "FILE", "readings that `calibrate` found; --readings goes over them", 0},
     CLI_READINGS_OF_ARITHMETIC,
     CLI_SELECT,
     {"known", "FILE", "expected differences: selection | path glob | reason, one a line", 0},
     {"coverage", NULL, "say which code the calls reached; needs --engine machine", 0},
     CLI_SHARD,
     {"jobs", "N", "slices at a time (default: 1)", 'j'},
     {"max-differences", "N", "kept in detail (default: 20)", 0},
     {"fail-fast", NULL, "stop behind the first slice that differs", 0},
     CLI_ALLOW_PARTIAL,
     CLI_REPORTS,
     {"digest", "FILE", "write a digest of the original's answers, small enough for a message", 0},
     {"keep", NULL, "leave traces and results in the work folder", 0}},
    Run};
