/* retropose lift: prints what a function computes, read out of its instructions. */
#include "cli/files.h"
#include "cli/lift/lift_game.h"
#include "replay/lift/lift_json.h"
#include "replay/lift/lift_text.h"
#include "tracefile/select.h"

#include <stdio.h>
#include <string.h>

/* Finds the one function that a word names; else says what is wrong and returns null. */
static const AbiFunction *FindFunction(const char *word) {
    Selection *selection;
    RpError error;
    const AbiFunction *found = NULL;
    if (Selection_Parse(word, &selection, &error)) {
        Cli_Fail(&error);
        return NULL;
    }
    uint32_t count = 0;
    for (size_t i = 0; i < abi_function_count; i++)
        if (Selection_HasFunction(selection, &abi_functions[i])) {
            found = &abi_functions[i];
            count++;
        }
    Selection_Free(selection);
    if (count == 1)
        return found;
    Cli_Complain("lift takes one function, and %s names %u", word, (unsigned)count);
    return NULL;
}

static int Run(Cli *cli) {
    LiftGame lifted;
    LiftPairs pairs;
    LiftPaths paths = {.runs = 0};
    RpError error;
    uint64_t calls = 0;
    if (cli->argument_count != 2)
        return Cli_Complain("lift needs a folder with the two DLLs, or `stand-in`, or "
                            "`replacement`, and a function");
    if (!Cli_Number(cli, "calls", 1, 1000000, &calls))
        return CLI_TROUBLE;
    if (calls > 0 && !Cli_Has(cli, "json"))
        return Cli_Complain("--calls is for --json");
    const AbiFunction *function = FindFunction(cli->arguments[1]);
    if (!function)
        return CLI_TROUBLE;
    const char *why = LiftInput_WhyNot(function);
    if (why)
        return Cli_Complain("%s cannot be lifted: %s", function->key, why);

    int code = LiftGame_Open(cli, cli->arguments[0], NULL, &lifted);
    if (!code && LiftGame_Load(&lifted, &pairs, &error)) {
        code = Cli_Fail(&error);
    } else if (!code) {
        const LiftSameOptions options = LiftSameOptions_Default();
        RpBuffer text;
        RpBuffer_Init(&text, NULL);
        if (LiftPaths_Find(pairs.sides, lifted.inputs, function, &lifted.budget, &paths, &error) ||
            LiftSame_Reach(&paths, &options, &error)) {
            code = Cli_Fail(&error);
        } else if (Cli_Has(cli, "json")) {
            const RpStatus status = LiftJson_Paths(&paths, LIFT_ORIGINAL, lifted.inputs,
                                                   (uint32_t)calls, &text, &error);
            code = CliFile_Print(&text, status, &error);
        } else {
            char by[256];
            Provider_Describe(&lifted.providers[LIFT_ORIGINAL], by, sizeof by);
            RpBuffer_Print(&text, "%s\nprocessor %s, %s builds, readings: %s\n", by,
                           lifted.setup.processor, LiftSetup_BuildName(&lifted.setup),
                           lifted.readings[0] ? lifted.readings : "default");
            const RpStatus status =
                LiftText_Paths(&paths, LIFT_ORIGINAL, Cli_Has(cli, "asm"), &text, &error);
            code = CliFile_Print(&text, status, &error);
        }
        bool is_refused = false;
        for (uint32_t i = 0; i < paths.found_count[LIFT_ORIGINAL]; i++)
            is_refused |= paths.found[LIFT_ORIGINAL][i].path->end == LIFT_REFUSED;
        if (!code && is_refused)
            code = CLI_PARTIAL;
        LiftPaths_Free(&paths);
        LiftPairs_Close(&pairs);
    }
    LiftGame_Close(&lifted);
    return code;
}

const CliVerb cli_lift_lift = {
    "lift",
    "print what a function computes, as formulas, read out of its instructions",
    "GAME FUNCTION",
    "retropose lift \"C:\\Games\\Parkan\" InterpolateQuaternions\n"
    "retropose lift stand-in ngi32.slot14 --asm\n"
    "retropose lift stand-in SampleNode --json\n",
    {CLI_JSON,
     {"asm", NULL, "also what each instruction makes", 0},
     {"calls", "N", "with --json: also N inputs with what the call left", 0},
     CLI_LIFT_SETUP},
    Run};
