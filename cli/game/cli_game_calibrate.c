#include "game/calibrate/calibrate.h"

#include "cli/command_text.h"
#include "cli/config.h"
#include "cli/files.h"
#include "cli/lift/pair_files.h"
#include "cli/original_pair.h"
#include "cli/progress.h"
#include "core/digest.h"
#include "game/calibrate/decided_at.h"
#include "revision.h"

#include <stdio.h>
#include <string.h>

typedef struct Calibrate {
    const Cli *cli;
    Provider original;
    ProviderOptions provider;
    CalibrateOptions options;
    CalibrateSource source;
    Progress progress;
    char host[PLACE_BYTES], work[PLACE_BYTES], command[2048];
    Calibration calibration;
} Calibrate;

/* ---- options --------------------------------------------------------------------------------- */

static RpStatus Ask(void *context, const char *input, const char *output, RpError *error) {
    const Calibrate *calibrate = context;
    return Provider_Run(&calibrate->original, input, output, &calibrate->provider, error);
}

static void OnProgress(void *context, const char *stage, uint64_t done, uint64_t total) {
    Calibrate *calibrate = context;
    calibrate->progress.unit = stage;
    Progress_Update(&calibrate->progress, done, total);
}

/* ---- output ---------------------------------------------------------------------------------- */

static int WriteJson(const Calibrate *calibrate, const char *path) {
    RpBuffer json;
    RpError error;
    RpBuffer_Init(&json, NULL);
    const RpStatus status =
        Calibrate_Json(&calibrate->calibration, &calibrate->source, &json, &error);
    return CliFile_Write(&json, path, status, &error);
}

/* ---- the verb -------------------------------------------------------------------------------- */

/* Names the instructions that decide. A calibration without them is still one, so what stands in
 * the way is a note. */
static void NameInstructions(Calibrate *calibrate) {
    RpError error = {0};
    Provider original = calibrate->original, ours;
    CliPairFiles files[LIFT_SIDES] = {{.overlay = {0}}};
    char place[PLACE_BYTES];
    if (original.kind == PROVIDER_NATIVE || original.kind == PROVIDER_RECORDED ||
        !Place_Find("replacement", place, sizeof place))
        return;
    RpStatus status = Provider_Open(place, &ours, &error);
    if (!status && calibrate->provider.overlay)
        status = Provider_UseOverlay(&original, calibrate->provider.overlay, &error);
    if (!status)
        status = CliPairFiles_Open(&original, &files[LIFT_ORIGINAL], &error);
    if (!status)
        status = CliPairFiles_Open(&ours, &files[LIFT_REPLACEMENT], &error);
    if (!status) {
        const LiftFiles sides[LIFT_SIDES] = {CliPairFiles_ForLifting(&files[LIFT_ORIGINAL]),
                                             CliPairFiles_ForLifting(&files[LIFT_REPLACEMENT])};
        status = DecidedAt_Find(&sides[LIFT_ORIGINAL], &sides[LIFT_REPLACEMENT],
                                &calibrate->calibration, OnProgress, calibrate, &error);
    }
    for (int side = 0; side < LIFT_SIDES; side++)
        CliPairFiles_Close(&files[side]);
    if (status)
        Cli_Note(calibrate->cli, "no instructions are named: %s, %s", error.what, error.where);
}

static int Measure(Calibrate *calibrate) {
    RpError error;
    Progress_Start(&calibrate->progress, calibrate->cli->verbosity < 0);
    RpStatus status = Calibrate_Run(NULL, &calibrate->options, &calibrate->calibration, &error);
    if (!status)
        NameInstructions(calibrate);
    double seconds = Progress_Seconds(&calibrate->progress);
    Progress_End(&calibrate->progress);
    if (status)
        return Cli_Fail(&error);
    Cli_Note(calibrate->cli, "%.1f s, %u runs of the original", seconds,
             calibrate->calibration.runs);

    /* Without any answer nothing was found out. A profile would look as if something had been. */
    Calibration *calibration = &calibrate->calibration;
    bool answered = false, ended = false;
    for (size_t i = 0; i < calibration->function_count; i++) {
        if (calibration->functions[i].asked > 0)
            answered = true;
        if (calibration->functions[i].ended > 0)
            ended = true;
    }

    /* If an original was asked, the JSON is written nevertheless, because it says what was tried.
     */
    const char *json = Cli_Value(calibrate->cli, "json", NULL);
    int code = CLI_TROUBLE;
    if (answered) {
        const Cli *cli = calibrate->cli;
        const char *profile = Cli_Value(cli, "output", NULL);
        const char *html = Cli_Value(cli, "html", NULL);
        const bool quiet = (json && strcmp(json, "-") == 0) ||
                           (profile && strcmp(profile, "-") == 0) ||
                           (html && strcmp(html, "-") == 0);
        RpBuffer text;
        code = 0;
        if (!quiet) {
            RpBuffer_Init(&text, NULL);
            Calibrate_Text(calibration, &calibrate->source, cli->verbosity > 0, &text);
            code = CliFile_Print(&text, RP_OK, NULL);
        }
        if (!code && json)
            code = WriteJson(calibrate, json);
        if (!code && html) {
            RpBuffer_Init(&text, NULL);
            status = Calibrate_Html(calibration, &calibrate->source, &text, &error);
            code = CliFile_Write(&text, html, status, &error);
        }
        if (!code && profile) {
            RpBuffer_Init(&text, NULL);
            Calibrate_Profile(calibration, &calibrate->source, &text);
            code = CliFile_Write(&text, profile, RP_OK, NULL);
        }
    } else if (!calibrate->options.ask) {
        Cli_Complain("nothing was asked: the traces have no outcome of a function that calibrate "
                     "knows (`retropose stat` counts calls and outcomes)");
    } else if (!json || WriteJson(calibrate, json) == 0) {
        Cli_Complain("nothing was answered: the original has none of the functions that calibrate "
                     "asks, or refuses them");
    }

    if (!code && !Calibration_IsClean(calibration))
        code = ended ? CLI_CRASHED : CLI_DIFFERENT;
    Calibration_Free(calibration);
    return code;
}

static int RunVerb(Cli *cli) {
    static Calibrate calibrate; /* static, because it is too large for some stacks */
    RpError error;
    const char *original = Cli_Value(cli, "original", NULL);
    calibrate.cli = cli;
    Config_FindTraces(cli, SIZE_MAX);
    if (!original)
        return Cli_Complain("calibrate needs --original: a folder, or `recorded` with traces");
    if (Original_Folder(original, &original, &error) ||
        Provider_Open(original, &calibrate.original, &error))
        return Cli_Fail(&error);
    if (!CliFile_CanWriteAll((const char *const[]){Cli_Value(cli, "json", NULL),
                                                   Cli_Value(cli, "html", NULL),
                                                   Cli_Value(cli, "output", NULL)},
                             3))
        return CLI_TROUBLE;
    if (!Original_RunOptions(cli, 0, 86400, calibrate.host, &calibrate.provider))
        return CLI_TROUBLE;
    calibrate.provider.overlay = Cli_Value(cli, "overlay", NULL);
    calibrate.options =
        (CalibrateOptions){.seed = 1,
                           .ask = calibrate.original.kind == PROVIDER_RECORDED ? NULL : Ask,
                           .ask_context = &calibrate,
                           .traces = cli->arguments,
                           .trace_count = cli->argument_count,
                           .work_directory = calibrate.work,
                           .progress = OnProgress,
                           .progress_context = &calibrate};
    if (!Cli_Number(cli, "budget", 1, UINT32_MAX, &calibrate.options.budget) ||
        !Cli_Number(cli, "seed", 0, UINT64_MAX, &calibrate.options.seed))
        return CLI_TROUBLE;

    /* The reports say what was asked, with what, and by which command. */
    CalibrateSource *source = &calibrate.source;
    CommandText command = {.text = calibrate.command, .size = sizeof calibrate.command};
    source->provider = &calibrate.original;
    source->traces = cli->arguments;
    source->trace_count = cli->argument_count;
    snprintf(source->version, sizeof source->version, "%s", RETROPOSE_BUILT);
    Provider_Processor(source->processor, sizeof source->processor);
    CommandText_Repeat(&command, cli,
                       (const char *const[]){"json", "html", "output", "work", NULL});
    source->command = CommandText_Whole(&command);
    if (calibrate.provider.overlay) {
        Mapping mapping;
        if (Mapping_Open(calibrate.provider.overlay, &mapping, &error)) {
            Cli_Fail(&error);
            return CLI_TROUBLE;
        }
        Digest_OfBytes(mapping.bytes, mapping.size, source->overlay_sha256);
        Mapping_Close(&mapping);
    }
    if (!Place_MakeWork(Cli_Value(cli, "work", NULL), calibrate.work, sizeof calibrate.work))
        return Cli_Complain("cannot make a folder for the work; name one with --work");
    int code = Measure(&calibrate);
    Place_DropWork(calibrate.work);
    return code;
}

const CliVerb cli_game_calibrate = {
    "calibrate",
    "find the readings of the arithmetic that an original follows",
    "[TRACE...]",
    "retropose calibrate --original \"C:\\Games\\Parkan\" -o retropose.profile\n"
    "retropose calibrate --original recorded game.rptrace -o retropose.profile\n"
    "retropose replay --original \"C:\\Games\\Parkan\" --profile retropose.profile "
    "--all-scenarios\n",
    {{"original", "DIR", "the pair to ask; `recorded`: only the traces' own outcomes", 0},
     {"output", "PROFILE", "write what was found as a profile (-: standard output)", 'o'},
     {"budget", "N", "inputs tried for one function at most (default: 50000)", 0},
     {"seed", "N", "of the inputs (default: 1)", 0},
     {"json", "FILE", "write the report as JSON, beside the text (-: standard output)", 0},
     {"html", "FILE", "write the report as a page for a browser: one file, no scripts", 0},
     {"overlay", "FILE", "what is known of this original (docs/formats/overlay.md)", 0},
     CLI_ENGINE,
     {"host", "FILE", "the host program of the engine (default: beside this program)", 0},
     {"wine-prefix", "DIR", "private Wine prefix (default: in the cache)", 0},
     {"timeout", "SECONDS", "for one call (default: 60)", 0},
     {"work", "DIR", "where a new folder for the work is made (default: the system's)", 0}},
    RunVerb};
