#include "cli/trace/provider_pair.h"

#include "replay/provider/server.h"
#include "retropose/readings.h"
#include "revision.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int OpenGiven(const Cli *cli, const char *option, const char *part, Provider *provider) {
    RpError error;
    char place[PLACE_BYTES];
    const char *folder = Cli_Value(cli, option, NULL);
    if (folder && strcmp(option, "original") == 0 && Original_Folder(folder, &folder, &error))
        return Cli_Fail(&error);
    if (!folder && !Place_Find(part, place, sizeof place))
        return Cli_Complain("no %s/ beside this program or in RETROPOSE_HOME: build it, or name a "
                            "folder with --%s",
                            part, option);
    if (Provider_Open(folder ? folder : place, provider, &error))
        return Cli_Fail(&error);
    return 0;
}

int ProviderPair_Open(const Cli *cli, ProviderPair *pair) {
    char place[PLACE_BYTES];
    RpError error;
    memset(pair, 0, sizeof *pair);
    pair->stands_in = !Cli_Has(cli, "original");
    if (!Original_RunOptions(cli, 0, 86400, pair->host, &pair->options))
        return CLI_TROUBLE;

    /* An overlay describes the original. Our own code is called as it was compiled. */
    int code = OpenGiven(cli, "original", "standin", &pair->original);
    if (code)
        return code;
    if (Cli_Has(cli, "overlay") &&
        Provider_UseOverlay(&pair->original, Cli_Value(cli, "overlay", NULL), &error))
        return Cli_Fail(&error);
    code = OpenGiven(cli, "replacement", "replacement", &pair->replacement);
    if (code)
        return code;

    /* If one side has outcomes that were recorded elsewhere, the native side uses the estimates of
     * that recording, unless --processor says whose estimates to use. */
    const bool of_recording = pair->original.kind == PROVIDER_RECORDED;
    const bool by_recording = pair->replacement.kind == PROVIDER_RECORDED;
    const char *word = Cli_Value(cli, "processor", NULL);
    if (word && !Provider_EstimatesNamed(word, &pair->options.estimates))
        return Cli_Complain("--processor takes intel, amd or this, not %s", word);
    if (word && pair->original.kind != PROVIDER_NATIVE && pair->replacement.kind != PROVIDER_NATIVE)
        return Cli_Complain("--processor is for `native`, and neither side is that");
    pair->options.recorded_estimates = !word && (of_recording || by_recording);
    if (of_recording && by_recording)
        return Cli_Complain("`recorded` on both sides compares the outcomes of a trace with "
                            "themselves");

    if (pair->stands_in && Place_Find("standin-wxyz", place, sizeof place)) {
        if (Provider_Open(place, &pair->original_wxyz, &error))
            return Cli_Fail(&error);
        pair->has_wxyz = true;
    }
    return 0;
}

bool ProviderPair_Accepts(const ProviderPair *pair, const char *text) {
    RpError error;
    RpReadings readings;
    char canonical[2048];
    if (RpReadings_Parse(&readings, RP_READS_RUNTIME, text, &error)) {
        Cli_Fail(&error);
        return false;
    }
    RpReadings_Format(&readings, RP_READS_RUNTIME, canonical, sizeof canonical);
    bool wxyz = strcmp(canonical, "key-order=wxyz") == 0;
    if (!pair->stands_in || !canonical[0] || (wxyz && pair->has_wxyz))
        return true;
    Cli_Complain("no stand-in is built for %s; name a pair that is with --original", canonical);
    return false;
}

static void FillSide(const Provider *provider, ReportSide *side) {
    Provider_Describe(provider, side->description, sizeof side->description);
    snprintf(side->kind, sizeof side->kind, "%s", ProviderKind_Name(provider->kind));
    side->modified = provider->modified;
    snprintf(side->directory, sizeof side->directory, "%s", Original_Named(provider->directory));
    memcpy(side->sha256, provider->sha256, sizeof side->sha256);
    if (provider->kind == PROVIDER_NATIVE)
        snprintf(side->version, sizeof side->version, "%s", RETROPOSE_BUILT);
}

void ProviderPair_FillReport(const ProviderPair *pair, Report *report) {
    FillSide(&pair->original, &report->a);
    FillSide(&pair->replacement, &report->b);
    Provider_Processor(report->processor, sizeof report->processor);
    if (Server_Has(&pair->original) || Server_Has(&pair->replacement))
        snprintf(report->engine, sizeof report->engine, "%s%s%s",
                 ProviderEngine_Name(pair->options.engine), pair->options.processor ? ":" : "",
                 pair->options.processor ? pair->options.processor : "");
    Report_TakeNotice(report);
}
