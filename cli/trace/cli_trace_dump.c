#include "cli/files.h"
#include "formats/peers/openparkan.h"

#include <string.h>

static int Run(Cli *cli) {
    RpBuffer json;
    RpError error;
    const char *kind = cli->argument_count > 0 ? cli->arguments[0] : "";
    const bool mesh = strcmp(kind, "mesh") == 0;
    if (!mesh && strcmp(kind, "nres") != 0)
        return Cli_Complain("dump takes nres or mesh, not \"%s\"", kind);
    if (cli->argument_count != (mesh ? 3 : 2))
        return Cli_Complain(mesh ? "dump mesh needs an archive and the name of a model in it"
                                 : "dump nres needs one archive");
    if (!CliFile_CanWrite(Cli_Value(cli, "output", NULL)))
        return CLI_TROUBLE;
    RpBuffer_Init(&json, NULL);
    Mapping mapping;
    RpNRes archive;
    RpStatus status = Mapping_Open(cli->arguments[1], &mapping, &error);
    if (!status) {
        status = RpNRes_Open(mapping.bytes, mapping.size, RP_TOLERANT, &archive, &error);
        if (!status)
            status = mesh ? OpenparkanDump_Mesh(&archive, cli->arguments[2], &json, &error)
                          : OpenparkanDump_NRes(&archive, &json, &error);
        Mapping_Close(&mapping);
        CliFile_Locate(cli->arguments[1], status, &error);
    }
    return CliFile_Write(&json, Cli_Value(cli, "output", "-"), status, &error);
}

const CliVerb cli_trace_dump = {
    "dump",
    "print what openparkan's golden comparison reads of an archive or a model",
    "nres|mesh ARCHIVE [MODEL]",
    "retropose dump nres static.rlb\n"
    "retropose dump mesh static.rlb s_tree_0_04.msh\n",
    {{"output", "FILE", "what to write (default: standard output)", 'o'}},
    Run};
