/* retropose same: says for functions of two pairs whether they compute the same expressions. */
#include "cli/files.h"
#include "cli/lift/lift_game.h"
#include "cli/progress.h"
#include "replay/lift/lift_json.h"
#include "replay/lift/lift_text.h"
#include "replay/lift/lift_trace.h"
#include "tracefile/select.h"

#include <stdio.h>
#include <string.h>

typedef struct Sums {
    uint32_t verdicts[LIFT_CANNOT_SAY + 1];
    uint32_t excepting[LIFT_CANNOT_SAY + 1]; /* how many of these are the same "but for" */
    uint32_t functions;
    uint32_t left_out; /* functions that no input can be made for, or that a pair does not have */
} Sums;

/* Compares one function, and appends its verdict. *is_left_out says that there is none. */
static RpStatus Compare(const Cli *cli, LiftGame *lifted, const AbiFunction *function,
                        LiftTrace *trace, RpBuffer *text, Sums *sums, bool *is_left_out,
                        RpError *error) {
    const LiftSameOptions options = LiftSameOptions_Default();
    LiftPairs pairs;
    LiftPaths paths = {.runs = 0};
    LiftSame same = {.pairs = 0};
    RpStatus status = LiftGame_Load(lifted, &pairs, error);
    if (status)
        return status;
    status = LiftPaths_Find(pairs.sides, lifted->inputs, function, &lifted->budget, &paths, error);
    *is_left_out = status == RP_NOT_FOUND || status == RP_UNSUPPORTED;
    if (!status)
        status = LiftSame_Compare(&paths, &options, &same, error);
    if (!status && trace)
        status = LiftTrace_Add(trace, &paths, &same, error);
    if (!status) {
        sums->functions++;
        sums->verdicts[same.verdict]++;
        sums->excepting[same.verdict] += same.laws != 0;
        if (Cli_Has(cli, "json")) {
            RpBuffer_AppendText(text, sums->functions == 1 ? "\n" : ",\n");
            status = LiftJson_Same(&paths, &same, Cli_Has(cli, "formulas"), text, error);
        } else {
            status = LiftText_Same(&paths, &same, cli->verbosity > 0, text, error);
            if (!status && Cli_Has(cli, "formulas"))
                status = LiftText_Paths(&paths, LIFT_ORIGINAL, false, text, error);
        }
    }
    LiftSame_Free(&same);
    LiftPaths_Free(&paths);
    LiftPairs_Close(&pairs);
    return status;
}

static RpStatus CompareAll(const Cli *cli, LiftGame *lifted, const Selection *selection,
                           RpBuffer *text, Sums *sums, RpError *error) {
    Progress progress;
    LiftTrace *trace = NULL;
    const char *output = Cli_Value(cli, "output", NULL);
    RpStatus status = output ? LiftTrace_Create(output, &lifted->setup, &trace, error) : RP_OK;
    uint32_t done = 0, selected = 0;
    for (size_t i = 0; i < abi_function_count; i++)
        selected += Selection_HasFunction(selection, &abi_functions[i]);
    Progress_Start(&progress, cli->verbosity < 0);
    progress.unit = "functions";
    for (size_t i = 0; !status && i < abi_function_count; i++) {
        const AbiFunction *function = &abi_functions[i];
        if (!Selection_HasFunction(selection, function))
            continue;
        const char *why = LiftInput_WhyNot(function);
        bool is_left_out = why != NULL;
        if (!why) {
            status = Compare(cli, lifted, function, trace, text, sums, &is_left_out, error);
            why = is_left_out ? error->what : NULL;
            if (is_left_out)
                status = RP_OK;
        }
        sums->left_out += is_left_out;
        if (is_left_out && cli->verbosity > 0 && !Cli_Has(cli, "json"))
            RpBuffer_Print(text, "%-26s %-26s not lifted: %s\n", function->key, function->name,
                           why);
        Progress_Update(&progress, ++done, selected);
    }
    Progress_End(&progress);
    return LiftTrace_Close(trace, status, error);
}

static int Report(const Cli *cli, LiftGame *lifted, const Selection *selection) {
    RpBuffer text;
    Sums sums = {.functions = 0};
    RpError error = {.status = RP_OK};
    RpBuffer_Init(&text, NULL);
    const bool is_json = Cli_Has(cli, "json");
    if (is_json) {
        RpBuffer_AppendText(&text, "{");
        LiftJson_Setup(&lifted->setup, &text);
        RpBuffer_Print(&text, "\"original\": \"%s\", \"replacement\": \"%s\",\n\"functions\": [",
                       Provider_Name(&lifted->providers[LIFT_ORIGINAL]),
                       Provider_Name(&lifted->providers[LIFT_REPLACEMENT]));
    }
    const RpStatus status = CompareAll(cli, lifted, selection, &text, &sums, &error);
    if (is_json) {
        RpBuffer_AppendText(&text, "]}\n");
    } else {
        /* What holds for all verdicts. */
        static const char *const names[LIFT_SIDES] = {"a", "b"};
        for (int side = 0; side < LIFT_SIDES; side++) {
            char by[256];
            Provider_Describe(&lifted->providers[side], by, sizeof by);
            RpBuffer_Print(&text, "%s: %s\n", names[side], by);
        }
        RpBuffer_Print(&text, "processor %s, %s builds, control word %04X, readings: %s\n",
                       lifted->setup.processor, LiftSetup_BuildName(&lifted->setup),
                       lifted->setup.control, lifted->readings[0] ? lifted->readings : "default");
        if (lifted->providers[LIFT_ORIGINAL].kind != PROVIDER_ORIGINAL)
            RpBuffer_AppendText(&text,
                                "note: no original was compared: this says nothing about the "
                                "retail DLLs\n");
        if (sums.left_out > 0)
            RpBuffer_Print(&text, "not lifted: %u (-v says why)\n", (unsigned)sums.left_out);
        RpBuffer_Print(&text, "%u function%s:", (unsigned)sums.functions,
                       Text_Plural(sums.functions));
        for (int verdict = 0, count = 0; verdict <= LIFT_CANNOT_SAY; verdict++) {
            const char *name = LiftVerdict_Text((LiftVerdict)verdict);
            const uint32_t with = sums.excepting[verdict], without = sums.verdicts[verdict] - with;
            if (without > 0)
                RpBuffer_Print(&text, "%s %u %s", count++ == 0 ? "" : ",", (unsigned)without, name);
            if (with > 0)
                RpBuffer_Print(&text, "%s %u %s with exceptions", count++ == 0 ? "" : ",",
                               (unsigned)with, name);
        }
        RpBuffer_AppendText(&text, "\n");
    }
    int code = CliFile_Print(&text, status, &error);
    if (code)
        return code;
    if (sums.functions == 0)
        return Cli_Complain("nothing was compared: no selected function is in both pairs");
    if (sums.verdicts[LIFT_DIFFERS] > 0)
        return CLI_DIFFERENT;
    const uint32_t always = sums.verdicts[LIFT_SAME_ALWAYS] - sums.excepting[LIFT_SAME_ALWAYS];
    if (always < sums.functions && !Cli_Has(cli, "allow-partial"))
        return CLI_PARTIAL;
    return CLI_EQUAL;
}

static int Run(Cli *cli) {
    LiftGame lifted;
    RpError error;
    Selection *selection = NULL;
    if (cli->argument_count > 2)
        return Cli_Complain(
            "same needs a folder with the two DLLs, or `stand-in`, and may be given "
            "functions as one word, such as \"ngi32.slot*,SampleNode\"");
    if (cli->argument_count == 2 && Selection_Parse(cli->arguments[1], &selection, &error))
        return Cli_Fail(&error);
    const char *game = cli->argument_count > 0 ? cli->arguments[0] : LIFT_STANDIN;
    int code = LiftGame_Open(cli, game, Cli_Value(cli, "replacement", ""), &lifted);
    if (!code)
        code = Report(cli, &lifted, selection);
    LiftGame_Close(&lifted);
    Selection_Free(selection);
    return code;
}

const CliVerb cli_lift_same = {
    "same",
    "say whether functions of two pairs compute the same expressions",
    "[GAME] [FUNCTIONS]",
    "retropose same\n"
    "retropose same \"C:\\Games\\Parkan\"\n"
    "retropose same stand-in \"ngi32.slot*,SampleNode\" -v\n"
    "retropose same \"C:\\Games\\Parkan\" -o paths.rptrace\n",
    {{"replacement", "DIR", "the pair under test (default: ours)", 0},
     CLI_JSON,
     {"output", "FILE", "also write an input for each path, as a trace for `replay`", 'o'},
     {"formulas", NULL, "print the original's formulas below each verdict, as `lift` does", 0},
     {"allow-partial", NULL, "exit code 0 even if some are not the same for every input", 0},
     CLI_LIFT_SETUP},
    Run};
