#include "cli/nres/nres.h"
#include "formats/archive/nres_list.h"

int Verb_NResLs(Cli *cli) {
    ModelSource source;
    RpBuffer text;
    RpError error;
    if (cli->argument_count != 1)
        return Cli_Complain("nres ls needs one archive");
    if (!NResVerb_Open(&source, cli->arguments[0]))
        return CLI_TROUBLE;
    RpBuffer_Init(&text, NULL);
    const bool nested = Cli_Has(cli, "recursive");
    const RpStatus status = Cli_Has(cli, "json")
                                ? ArchiveList_Json(&source.archive, nested, &text, &error)
                                : ArchiveList_Text(&source.archive, nested, &text, &error);
    const int code = CliFile_Print(&text, status, &error);
    ModelSource_Close(&source);
    return code;
}
