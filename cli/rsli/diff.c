#include "cli/rsli/rsli.h"
#include "formats/archive/rsli_diff.h"

static int Diff(const Cli *cli, const RpRsLi *a, const RpRsLi *b) {
    RpBuffer text;
    RpError error;
    bool different = false;
    RpBuffer_Init(&text, NULL);
    const RpStatus status = Cli_Has(cli, "json") ? RsLiDiff_Json(a, b, &text, &different, &error)
                                                 : RsLiDiff_Text(a, b, &text, &different, &error);
    const int code = CliFile_Print(&text, status, &error);
    return code == CLI_EQUAL && different ? CLI_DIFFERENT : code;
}

int Verb_RsLiDiff(Cli *cli) {
    RsLiSource a, b;
    int code = CLI_TROUBLE;
    if (cli->argument_count != 2)
        return Cli_Complain("rsli diff needs two libraries");
    if (!RsLiVerb_Open(cli, &a, cli->arguments[0]))
        return CLI_TROUBLE;
    if (RsLiVerb_Open(cli, &b, cli->arguments[1])) {
        code = Diff(cli, &a.rsli, &b.rsli);
        RsLiSource_Close(&b);
    }
    RsLiSource_Close(&a);
    return code;
}
