#include "cli/nres/nres.h"
#include "formats/archive/nres_list.h"

int Verb_NResInfo(Cli *cli) {
    ModelSource source;
    RpBuffer text;
    RpError error;
    if (cli->argument_count != 1)
        return Cli_Complain("nres info needs one archive");
    if (!NResVerb_Open(&source, cli->arguments[0]))
        return CLI_TROUBLE;
    RpBuffer_Init(&text, NULL);
    const RpStatus status = Cli_Has(cli, "json")
                                ? ArchiveInfo_Json(&source.archive, NULL, &text, &error)
                                : ArchiveInfo_Text(&source.archive, &text, &error);
    const int code = CliFile_Print(&text, status, &error);
    ModelSource_Close(&source);
    return code;
}
