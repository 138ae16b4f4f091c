/* The verbs that only read an archive: ls, info, diff, check and dump. */
#include "cli/archive/archive_common.h"

static int Show(const Cli *cli, bool summary) {
    const ArchiveKind *kind = ArchiveKind_Of(cli);
    ArchiveInput input;
    RpBuffer text;
    RpError error;
    if (cli->argument_count != 1)
        return Cli_Complain("%s needs one %s", cli->verb->name, kind->archive);
    if (!ArchiveInput_Open(&input, cli, cli->arguments[0]))
        return CLI_TROUBLE;
    RpBuffer_Init(&text, NULL);
    const RpStatus status =
        (summary ? kind->info : kind->list)(&input, Cli_Has(cli, "json"), &text, &error);
    const int code = CliFile_Print(&text, status, &error);
    kind->close(&input);
    return code;
}

int ArchiveVerb_List(Cli *cli) {
    return Show(cli, false);
}

int ArchiveVerb_Info(Cli *cli) {
    return Show(cli, true);
}

int ArchiveVerb_Diff(Cli *cli) {
    const ArchiveKind *kind = ArchiveKind_Of(cli);
    ArchiveInput a, b;
    int code = CLI_TROUBLE;
    if (cli->argument_count != 2)
        return Cli_Complain("%s needs two %s", cli->verb->name, kind->archives);
    if (!ArchiveInput_Open(&a, cli, cli->arguments[0]))
        return CLI_TROUBLE;
    if (ArchiveInput_Open(&b, cli, cli->arguments[1])) {
        RpBuffer text;
        RpError error;
        bool different = false;
        RpBuffer_Init(&text, NULL);
        const RpStatus status =
            ArchiveKind_Of(cli)->diff(&a, &b, Cli_Has(cli, "json"), &text, &different, &error);
        code = CliFile_Print(&text, status, &error);
        code = code == CLI_EQUAL && different ? CLI_DIFFERENT : code;
        kind->close(&b);
    }
    kind->close(&a);
    return code;
}

int ArchiveVerb_Check(Cli *cli) {
    const ArchiveKind *kind = ArchiveKind_Of(cli);
    Findings findings;
    if (cli->argument_count == 0)
        return Cli_Complain("%s needs %s", cli->verb->name, kind->an_archive);
    if (!Findings_Begin(&findings, cli, kind->rule_letter, kind->rule_count))
        return CLI_TROUBLE;
    for (size_t i = 0; i < cli->argument_count; i++)
        kind->check(&findings, cli->arguments[i]);
    return Findings_End(&findings);
}

int ArchiveVerb_Dump(Cli *cli) {
    const ArchiveKind *kind = ArchiveKind_Of(cli);
    ArchiveInput input;
    const char *folder = Cli_Value(cli, "files", NULL);
    const char *output;
    if (!CliFile_Output(cli, kind->an_archive, folder ? folder : "-", &output))
        return CLI_TROUBLE;
    if (folder && output != folder)
        return Cli_Complain("%s writes one text: either %s or into --files %s", cli->verb->name,
                            output, folder);
    if (!ArchiveInput_Open(&input, cli, cli->arguments[0]))
        return CLI_TROUBLE;

    /* With --files the members become files in that folder, and the text is its manifest. Members
     * that do not unpack are no failure of a dump. */
    RpBuffer text;
    RpError error;
    RpBuffer_Init(&text, NULL);
    RpStatus status =
        folder ? kind->extract(&input, folder, NULL, &error) : kind->dump(&input, &text, &error);
    status = ArchiveInput_Locate(&input, status, &error);
    const int code =
        folder && status == RP_OK ? CLI_EQUAL : CliFile_Write(&text, output, status, &error);
    kind->close(&input);
    return code;
}
