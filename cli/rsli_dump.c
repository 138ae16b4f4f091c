#include "formats/library_manifest.h"
#include "rsli_verbs.h"

static int DumpText(const RpRsLi *library, const char *output) {
    RpBuffer text;
    RpError error;
    RpBuffer_Init(&text, NULL);
    const RpStatus status = LibraryManifest_Dump(library, &text, &error);
    return RsLiVerb_WriteImage(&text, status, output, &error);
}

static int DumpFiles(const RpRsLi *library, const char *folder) {
    RpError error;
    uint32_t broken = 0; /* which a dump does not mind */
    return LibraryManifest_Extract(library, folder, &broken, &error) == RP_OK ? CLI_EQUAL
                                                                              : Cli_Fail(&error);
}

int Verb_RsLiDump(Cli *cli) {
    LibrarySource source;
    const char *folder = Cli_Value(cli, "files", NULL);
    const char *output = Cli_Value(cli, "output", "-");
    if (cli->argument_count != 1 || (folder && Cli_Has(cli, "output")))
        return Cli_Complain("rsli dump needs one library, and --output or --files");
    if (!RsLiVerb_Open(cli, &source, cli->arguments[0]))
        return CLI_TROUBLE;
    const int code =
        folder ? DumpFiles(&source.library, folder) : DumpText(&source.library, output);
    LibrarySource_Close(&source);
    return code;
}
