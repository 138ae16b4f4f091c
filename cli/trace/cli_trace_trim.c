#include "tracefile/trim.h"

#include "cli/config.h"

static int Run(Cli *cli) {
    RpError error, cut;
    Selection *selection;
    uint64_t calls;
    int code = CLI_EQUAL;
    Config_FindTraces(cli, 1);
    if (cli->argument_count != 2)
        return Cli_Complain("trim needs a trace and an output");
    if (!Cli_Has(cli, "select"))
        return Cli_Complain("trim needs --select");
    if (!Cli_Selection(cli, &selection))
        return CLI_TROUBLE;
    if (Trim_Trace(cli->arguments[0], cli->arguments[1], selection, Cli_Has(cli, "strip"),
                   Cli_Has(cli, "compress"), &calls, &cut, &error))
        code = Cli_Fail(&error);
    else
        Cli_Note(cli, "%llu call%s%s", (unsigned long long)calls, Text_Plural(calls),
                 cut.status ? ", of those before the cut" : "");
    if (!code && cut.status) /* `stat`, which counts cut traces, returns this exit code, too */
        code = Cli_Fail(&cut);
    Selection_Free(selection);
    return code;
}

const CliVerb cli_trace_trim = {
    "trim",
    "cut a trace down to a selection",
    "TRACE OUTPUT --select SELECTION",
    "retropose trim big.trace small.trace --select \"animesh.*:0-99\"\n",
    {CLI_SELECT,
     {"strip", NULL, "leave the outcomes out: calls as before a run", 0},
     {"compress", NULL, "pack the trace with zlib", 0}},
    Run};
