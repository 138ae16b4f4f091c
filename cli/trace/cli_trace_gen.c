#include "cli/cli_readings.h"

#include "core/nearest.h"
#include "replay/scenario/scenario.h"
#include "tracefile/select.h"

#include <stdio.h>
#include <string.h>

static int Run(Cli *cli) {
    Selection *selection;
    if (Cli_Has(cli, "list")) {
        for (size_t i = 0; i < scenario_count; i++)
            Visible_Print(stdout, "%-12s %9llu calls  %s\n", scenarios[i].name,
                          (unsigned long long)scenarios[i].default_calls, scenarios[i].description);
        return CLI_EQUAL;
    }
    const Scenario *scenario = cli->argument_count ? Scenario_Find(cli->arguments[0]) : NULL;
    if (cli->argument_count == 0 || (scenario && cli->argument_count != 2))
        return Cli_Complain("gen needs a scenario and a file; `retropose gen --list` names them");
    if (!scenario) {
        Nearest nearest;
        Nearest_Init(&nearest, cli->arguments[0]);
        for (size_t i = 0; i < scenario_count; i++)
            Nearest_Offer(&nearest, scenarios[i].name);
        const CliVerb *verb;
        for (size_t i = 0; (verb = CliVerb_At(cli->groups, i)); i++)
            if (strncmp(verb->name, "gen ", 4) == 0)
                Nearest_Offer(&nearest, CliVerb_LastWord(verb));
        return Cli_Complain("there is no scenario %s%s%s; see `retropose gen --list`",
                            cli->arguments[0], nearest.best ? ", perhaps " : "",
                            nearest.best ? nearest.best : "");
    }
    if (!Cli_Selection(cli, &selection))
        return CLI_TROUBLE;
    RpError error;
    char readings[READINGS_BYTES];
    uint64_t force_cpu = 0;
    ScenarioOptions options = {.seed = 1,
                               .count = scenario->default_calls,
                               .slot_build = Cli_Value(cli, "slot-build", NULL),
                               .readings = readings,
                               .selection = selection,
                               .compress = Cli_Has(cli, "compress")};
    int code = CLI_TROUBLE;
    if (Cli_Number(cli, "calls", 1, UINT64_MAX, &options.count) &&
        Cli_Number(cli, "first", 0, UINT64_MAX, &options.first) &&
        Cli_Number(cli, "seed", 0, UINT64_MAX, &options.seed) &&
        Cli_Number(cli, "force-cpu", 0, INT32_MAX, &force_cpu) && Readings_Given(cli, readings)) {
        options.force_cpu = Cli_Has(cli, "force-cpu") ? (int)force_cpu : -1;
        code = Scenario_Write(scenario, &options, cli->arguments[1], &error) ? Cli_Fail(&error)
                                                                             : CLI_EQUAL;
    }
    Selection_Free(selection);
    return code;
}

const CliVerb cli_trace_gen = {
    "gen",
    "make a trace of a scenario",
    "SCENARIO FILE",
    "retropose gen --list\n"
    "retropose gen slots slots.trace --calls 1000 --seed 7\n",
    {{"list", NULL, "name the scenarios", 0},
     {"calls", "N", "number of calls (default: the scenario's own)", 0},
     {"first", "N", "position of the first call in the scenario (default: 0)", 0},
     {"seed", "N", "of everything random (default: 1)", 0},
     {"slot-build", "NAME", "put these builds into g_FastProc: generic, fxch or sse", 0},
     {"force-cpu", "N", "the ForceCpu value that providers shall start with", 0},
     CLI_READINGS_OF_ARITHMETIC,
     CLI_SELECT,
     {"compress", NULL, "pack the trace with zlib", 0}},
    Run};
