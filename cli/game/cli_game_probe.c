/* retropose probe: how an original's functions are called, by its code and by calling it. */
#include "cli/command_text.h"
#include "cli/files.h"
#include "cli/game/next_line.h"
#include "cli/original_pair.h"
#include "cli/progress.h"
#include "game/probe/probe.h"
#include "revision.h"

#include <stdio.h>
#include <string.h>

typedef struct ProbeVerb {
    const Cli *cli;
    ProbeOptions options;
    ProbeReport report;
    Selection *functions;
    Progress progress;
    char reference[PLACE_BYTES];
} ProbeVerb;

/* Adds what was found to the overlay that `retropose exports` or an earlier run has written, if
 * there is one. */
static int WriteOverlay(ProbeVerb *verb, const char *path) {
    Overlay overlay;
    RpError error = {0};
    RpStatus status = Overlay_Load(path, &overlay, &error);
    if (status == RP_NOT_FOUND) {
        Overlay_Init(&overlay, NULL);
        status = RP_OK;
    }
    if (status)
        return Cli_Fail(&error);
    status = Probe_Merge(&verb->report, &overlay, &error);
    if (!status)
        status = Overlay_Save(&overlay, path, &error);
    Overlay_Free(&overlay);
    if (status)
        return Cli_Fail(&error);
    Cli_Note(verb->cli, "wrote %s", path);
    return 0;
}

static int RunProbe(ProbeVerb *verb, const char *directory) {
    RpError error = {0};
    const char *output = Cli_Value(verb->cli, "output", NULL);
    const char *page = Cli_Value(verb->cli, "html", NULL);
    if (Original_Folder(directory, &directory, &error))
        return Cli_Fail(&error);
    Progress_Start(&verb->progress, verb->cli->verbosity < 0);
    verb->progress.unit = "functions";
    RpStatus status = Probe_Run(directory, &verb->options, &verb->report, &error);
    Progress_End(&verb->progress);
    snprintf(verb->report.provider.directory, sizeof verb->report.provider.directory, "%s",
             Original_Named(directory));
    if (status)
        return Cli_Fail(&error);
    int code = 0;
    if (!page || strcmp(page, "-") != 0) {
        RpBuffer text;
        RpBuffer_Init(&text, NULL);
        bool json = Cli_Has(verb->cli, "json");
        status = json ? Probe_Json(&verb->report, RETROPOSE_BUILT, &text, &error)
                      : Probe_Print(&verb->report, Cli_Has(verb->cli, "evidence"), &text, &error);
        code = CliFile_Print(&text, status, &error);
    }
    if (!code && page) {
        static const char *const without[] = {"json", "html", "output", "evidence", NULL};
        char text[2048];
        CommandText command = {.text = text, .size = sizeof text};
        RpBuffer html;
        RpBuffer_Init(&html, NULL);
        CommandText_Repeat(&command, verb->cli, without);
        status =
            Probe_Html(&verb->report, RETROPOSE_BUILT, CommandText_Whole(&command), &html, &error);
        code = CliFile_Write(&html, page, status, &error);
    }
    if (!code && output)
        code = WriteOverlay(verb, output);
    if (!code && verb->report.table_refusal[0]) {
        code = CLI_CRASHED; /* the pair could not be loaded */
    } else if (!code) {
        const bool static_only = verb->options.static_only;
        size_t verified = 0;
        for (size_t i = 0; i < verb->report.row_count; i++) {
            const ProbeRow *row = &verb->report.rows[i];
            const bool found = row->finding.verdict == PROBE_FOUND;
            verified += found;
            if (!static_only && !found && ProbeCases_Known(row->function))
                code = CLI_DIFFERENT; /* a function with a formula was not found */
        }
        Next_OfProbe(verb->cli, verified, verb->report.row_count, Original_Named(directory),
                     static_only ? NULL : output);
    }
    Probe_Free(&verb->report);
    return code;
}

static int Verb_Probe(Cli *cli) {
    static ProbeVerb verb; /* a report is too large for some stacks */
    verb = (ProbeVerb){.cli = cli};
    const char *directory = Cli_Value(cli, "original", NULL);
    if (!directory || cli->argument_count > 0)
        return Cli_Complain("name the folder of the pair with --original");
    if (!CliFile_CanWriteAll(
            (const char *const[]){Cli_Value(cli, "output", NULL), Cli_Value(cli, "html", NULL)}, 2))
        return CLI_TROUBLE;
    verb.options.seed = 1;
    if (!Cli_Number(cli, "seed", 0, UINT64_MAX, &verb.options.seed))
        return CLI_TROUBLE;
    RpError error;
    const char *functions = Cli_Value(cli, "functions", NULL);
    if (functions && Selection_Parse(functions, &verb.functions, &error))
        return Cli_Fail(&error);
    verb.options.functions = verb.functions;

    /* Some formulas are only in our DLLs. Without these they are not tried. */
    if (Place_Find("replacement", verb.reference, sizeof verb.reference))
        verb.options.reference = verb.reference;
    verb.options.static_only = Cli_Has(cli, "static-only");
    verb.options.progress = Progress_Update;
    verb.options.context = &verb.progress;
    const int code = RunProbe(&verb, directory);
    Selection_Free(verb.functions);
    return code;
}

const CliVerb cli_game_probe = {
    "probe",
    "find out how an original's functions are called",
    "",
    "retropose probe --original GAME_DIR -o retropose.overlay\n"
    "retropose probe --original GAME_DIR --static-only --evidence --functions \"ngi32.slot*\"\n",
    {{"original", "DIR", "the pair: Ngi32.dll and AniMesh.dll as they came (required)", 0},
     {"output", "FILE", "the overlay to write what was found into (docs/formats/overlay.md)", 'o'},
     {"functions", "LIST", "only these: globs, separated by commas", 0},
     {"static-only", NULL, "read the code, call nothing", 0},
     {"evidence", NULL, "name the instructions that decided", 0},
     CLI_JSON,
     {"html", "FILE", "write the report as a page for a browser: one file, no scripts", 0},
     {"seed", "N", "of the inputs (default: 1)", 0}},
    Verb_Probe};
