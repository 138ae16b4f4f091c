#include "cli/rsli/rsli.h"
#include "formats/archive/rsli_list.h"

typedef RpStatus Lister(const RpRsLi *rsli, RpBuffer *text, RpError *error);

static int List(Cli *cli, Lister *as_text, Lister *as_json) {
    RsLiSource source;
    RpBuffer text;
    RpError error;
    if (cli->argument_count != 1)
        return Cli_Complain("%s needs one library", cli->verb->name);
    if (!RsLiVerb_Open(cli, &source, cli->arguments[0]))
        return CLI_TROUBLE;
    RpBuffer_Init(&text, NULL);
    Lister *list = Cli_Has(cli, "json") ? as_json : as_text;
    const RpStatus status = list(&source.rsli, &text, &error);
    const int code = CliFile_Print(&text, status, &error);
    RsLiSource_Close(&source);
    return code;
}

int Verb_RsLiLs(Cli *cli) {
    return List(cli, RsLiList_Text, RsLiList_Json);
}

static RpStatus RsLiInfo_Plain(const RpRsLi *rsli, RpBuffer *json, RpError *error) {
    return RsLiInfo_Json(rsli, NULL, json, error);
}

int Verb_RsLiInfo(Cli *cli) {
    return List(cli, RsLiInfo_Text, RsLiInfo_Plain);
}
