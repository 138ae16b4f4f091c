#include "cli/nres/nres.h"
#include "formats/archive/nres_diff.h"

static int Diff(const Cli *cli, const ModelSource *a, const ModelSource *b) {
    RpBuffer text;
    RpError error;
    bool different = false;
    RpBuffer_Init(&text, NULL);
    const RpStatus status =
        Cli_Has(cli, "json")
            ? ArchiveDiff_Json(&a->archive, &b->archive, &text, &different, &error)
            : ArchiveDiff_Text(&a->archive, &b->archive, &text, &different, &error);
    const int code = CliFile_Print(&text, status, &error);
    return code == CLI_EQUAL && different ? CLI_DIFFERENT : code;
}

int Verb_NResDiff(Cli *cli) {
    ModelSource a, b;
    int code = CLI_TROUBLE;
    if (cli->argument_count != 2)
        return Cli_Complain("nres diff needs two archives");
    if (!NResVerb_Open(&a, cli->arguments[0]))
        return CLI_TROUBLE;
    if (NResVerb_Open(&b, cli->arguments[1])) {
        code = Diff(cli, &a, &b);
        ModelSource_Close(&b);
    }
    ModelSource_Close(&a);
    return code;
}
