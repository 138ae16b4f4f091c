#include "cli/config.h"

#include "replay/compare/describe.h"
#include "tracefile/select.h"

#include <string.h>

static int ShowCalls(const Cli *cli, TraceReader *reader, const Selection *selection) {
    RpError error;
    TraceCall call;
    bool found, json = Cli_Has(cli, "json"), calls = !Cli_Has(cli, "memories");
    uint64_t shown = 0, all = 0, last = 0;
    RpStatus status;
    while (!(status = TraceReader_Next(reader, &call, &found, &error)) && found) {
        all++;
        last = call.sequence;
        if (!calls || !Selection_HasCall(selection, call.function, call.sequence))
            continue;
        if (json)
            Describe_CallJson(stdout, &call);
        else
            Describe_Call(stdout, &call);
        shown++;
    }
    for (uint32_t i = 0; !calls && i < TraceReader_MemoryCount(reader); i++) {
        const TraceMemory *memory = TraceReader_MemoryAt(reader, i);
        Visible_Print(stdout, "memory %u: %u bytes, %u relocations\n", memory->id, memory->size,
                      memory->relocation_count);
        for (uint32_t r = 0; r < memory->relocation_count; r++)
            Visible_Print(stdout, "  +%u -> memory %u + %u\n", memory->relocations[r].offset,
                          memory->relocations[r].target, memory->relocations[r].target_offset);
    }
    if (status)
        return Cli_Fail(&error);
    if (calls && selection && shown == 0)
        return Cli_Complain("the selection has no call; the trace has %llu, and %llu is the last "
                            "one's number",
                            (unsigned long long)all, (unsigned long long)last);
    return CLI_EQUAL;
}

/* ---- two traces of the same calls ------------------------------------------------------------ */

/* Reads the next selected call. */
static RpStatus NextSelected(TraceReader *reader, const Selection *selection, TraceCall *call,
                             bool *found, RpError *error) {
    RpStatus status;
    do
        status = TraceReader_Next(reader, call, found, error);
    while (!status && *found && !Selection_HasCall(selection, call->function, call->sequence));
    return status;
}

static int ShowPairs(const Cli *cli, TraceReader *readers[2], const Selection *selection) {
    RpError error;
    TraceCall a, b;
    bool found[2];
    uint64_t shown = 0;
    const bool json = Cli_Has(cli, "json");
    for (;;) {
        if (NextSelected(readers[0], selection, &a, &found[0], &error) ||
            NextSelected(readers[1], selection, &b, &found[1], &error))
            return Cli_Fail(&error);
        if (!found[0] && !found[1])
            break;
        if (found[0] != found[1] || a.function != b.function || a.sequence != b.sequence ||
            a.control_in != b.control_in || a.mxcsr_in != b.mxcsr_in ||
            a.input_size != b.input_size || memcmp(a.inputs, b.inputs, a.input_size) != 0)
            return Cli_Complain("%s and %s do not hold the same calls: they differ at call %llu",
                                cli->arguments[0], cli->arguments[1],
                                (unsigned long long)(found[0] ? a.sequence : b.sequence));
        if (json)
            Describe_PairJson(stdout, &a, &b);
        else
            Describe_Pair(stdout, &a, &b);
        shown++;
    }
    return selection && shown == 0 ? Cli_Complain("the selection has no call") : CLI_EQUAL;
}

/* ---- the verb -------------------------------------------------------------------------------- */

static int Run(Cli *cli) {
    TraceReader *readers[2] = {NULL, NULL};
    Selection *selection;
    Config_FindTraces(cli, 2);
    if (cli->argument_count < 1 || cli->argument_count > 2)
        return Cli_Complain("show needs one trace, or two of the same calls");
    if (cli->argument_count == 2 && (Cli_Has(cli, "header") || Cli_Has(cli, "memories")))
        return Cli_Complain("--header and --memories are of one trace");
    if (!Cli_Selection(cli, &selection))
        return CLI_TROUBLE;
    RpError error;
    int code = CLI_EQUAL;
    if (TraceReader_Open(cli->arguments[0], &readers[0], &error))
        code = Cli_Fail(&error);
    else if (Cli_Has(cli, "header"))
        Describe_Header(stdout, TraceReader_Header(readers[0]));
    else if (cli->argument_count == 1)
        code = ShowCalls(cli, readers[0], selection);
    else
        code = TraceReader_Open(cli->arguments[1], &readers[1], &error)
                   ? Cli_Fail(&error)
                   : ShowPairs(cli, readers, selection);
    TraceReader_Close(readers[0]);
    TraceReader_Close(readers[1]);
    Selection_Free(selection);
    return code;
}

const CliVerb cli_trace_show = {"show",
                                "print the calls of a trace, or of two side by side",
                                "TRACE [OTHER]",
                                "retropose show slots.trace --select 100-109\n"
                                "retropose show original.trace replacement.trace --select 7\n",
                                {CLI_SELECT,
                                 {"json", NULL, "print one line of JSON a call instead of text", 0},
                                 {"header", NULL, "the header instead of calls", 0},
                                 {"memories", NULL, "the memories instead of calls", 0}},
                                Run};
