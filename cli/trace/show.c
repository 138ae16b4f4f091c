#include "cli/cli.h"

#include "replay/compare/describe.h"
#include "replay/trace/select.h"

static void ShowMemory(const TraceMemory *memory) {
    Visible_Print(stdout, "memory %u: %u bytes, %u relocations\n", memory->id, memory->size,
                  memory->relocation_count);
    for (uint32_t i = 0; i < memory->relocation_count; i++)
        Visible_Print(stdout, "  +%u -> memory %u + %u\n", memory->relocations[i].offset,
                      memory->relocations[i].target, memory->relocations[i].target_offset);
}

static int ShowCalls(const Cli *cli, TraceReader *reader, const Selection *selection) {
    RpError error;
    TraceCall call;
    bool found, json = Cli_Has(cli, "json"), calls = !Cli_Has(cli, "memories");
    uint64_t shown = 0;
    RpStatus status;
    while (!(status = TraceReader_Next(reader, &call, &found, &error)) && found) {
        if (!calls || !Selection_HasCall(selection, call.function, call.sequence))
            continue;
        if (json)
            Describe_CallJson(stdout, &call);
        else
            Describe_Call(stdout, &call);
        shown++;
    }
    for (uint32_t i = 0; !calls && i < TraceReader_MemoryCount(reader); i++)
        ShowMemory(TraceReader_MemoryAt(reader, i));
    if (status)
        return Cli_Fail(&error);
    return calls && selection && shown == 0 ? Cli_Complain("the selection has no call") : CLI_EQUAL;
}

static int Run(Cli *cli) {
    RpError error;
    TraceReader *reader;
    Selection *selection;
    int code = CLI_EQUAL;
    if (cli->argument_count != 1)
        return Cli_Complain("show needs one trace");
    if (!Cli_Selection(cli, &selection))
        return CLI_TROUBLE;
    if (TraceReader_Open(cli->arguments[0], &reader, &error)) {
        code = Cli_Fail(&error);
    } else {
        if (Cli_Has(cli, "header"))
            Describe_Header(stdout, TraceReader_Header(reader));
        else
            code = ShowCalls(cli, reader, selection);
        TraceReader_Close(reader);
    }
    Selection_Free(selection);
    return code;
}

const CliVerb cli_trace_show = {"show",
                                "print the calls of a trace",
                                "TRACE",
                                "retropose show slots.trace --select 100-109\n",
                                {CLI_SELECT,
                                 {"json", NULL, "one line of JSON a call", 0},
                                 {"header", NULL, "the header instead of calls", 0},
                                 {"memories", NULL, "the memories instead of calls", 0}},
                                Run};
