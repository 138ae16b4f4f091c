#include "cli/cli.h"
#include "cli/progress.h"

#include "core/files/output.h"
#include "replay/vectors/vectors.h"

typedef RpStatus Make(RpBuffer *json, RpError *error);

static RpStatus Write(const char *folder, const char *name, Make *make, RpError *error) {
    RpBuffer json;
    RpBuffer_Init(&json, NULL);
    RpStatus status = make(&json, error);
    if (!status)
        status = Output_WriteInto(folder, name, json.bytes, json.size, error);
    RpBuffer_Free(&json);
    return status;
}

static int Run(Cli *cli) {
    RpError error;
    uint64_t jobs = 1;
    if (cli->argument_count != 1)
        return Cli_Complain("gen vectors needs a folder");
    if (!Cli_Number(cli, "jobs", 1, 64, &jobs))
        return CLI_TROUBLE;
    const char *folder = cli->arguments[0];
    RpStatus status = Output_MakeFolder(folder, &error);
    if (!status)
        status = Write(folder, "x87.json", Vectors_OfGame, &error);
    if (!status)
        status = Write(folder, "pc24.json", Vectors_OfOperations, &error);
    if (!status && Cli_Has(cli, "functions")) {
        Progress progress;
        RpBuffer json;
        RpBuffer_Init(&json, NULL);
        Progress_Start(&progress, cli->verbosity < 0);
        progress.unit = "digests";
        status =
            Vectors_OfFunctions(true, (unsigned)jobs, Progress_Update, &progress, &json, &error);
        Progress_End(&progress);
        if (!status)
            status = Output_WriteInto(folder, "functions.json", json.bytes, json.size, &error);
        RpBuffer_Free(&json);
    }
    if (status)
        return Cli_Fail(&error);
    Cli_Note(cli, "%d files in %s", Cli_Has(cli, "functions") ? 3 : 2, folder);
    return CLI_EQUAL;
}

const CliVerb cli_gen_vectors = {
    "gen vectors",
    "make vectors for arithmetic in other languages: results bit for bit, as JSON",
    "DIR",
    "retropose gen vectors vectors\n"
    "retropose gen vectors vectors --functions --jobs 2\n",
    {{"functions", NULL, "also functions.json: fsin, fcos and fpatan of all floats; minutes", 0},
     {"jobs", "N", "threads for --functions (default: 1)", 'j'}},
    Run};
