#include "cli/lift/lift_game.h"

#include "machine/processor/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

static bool ReadSetup(const Cli *cli, LiftGame *lifted) {
    LiftSetup *setup = &lifted->setup;
    *setup = LiftSetup_Default();
    lifted->budget = LiftBudget_Default();

    const char *build = Cli_Value(cli, "build", LiftSetup_BuildName(setup));
    int choice = PROVIDER_SLOTS_COUNT;
    for (int i = 0; i < PROVIDER_SLOTS_COUNT; i++) {
        setup->build = (ProviderSlotBuild)i;
        if (strcmp(build, LiftSetup_BuildName(setup)) == 0)
            choice = i;
    }
    if (choice == PROVIDER_SLOTS_COUNT) {
        Cli_Complain("--build takes generic, fxch, sse or class, not %s", build);
        return false;
    }
    setup->build = (ProviderSlotBuild)choice;
    setup->processor = Cli_Value(
        cli, "processor", setup->build == PROVIDER_SLOTS_SSE ? "pentium3" : setup->processor);
    if (!MachineProfile_Find(setup->processor)) {
        Cli_Complain("--processor takes %s, not %s", MACHINE_PROFILES, setup->processor);
        return false;
    }

    const char *word = Cli_Value(cli, "control-word", NULL);
    if (word) {
        char *end;
        const unsigned long value = strtoul(word, &end, 16);
        /* An exception that is not masked ends a call, and has no formula. */
        if (*end || end == word || value > 0xFFFF || (value & 0x3F) != 0x3F) {
            Cli_Complain(
                "--control-word takes a hexadecimal number up to FFFF in which the low six "
                "bits are set, such as 037F, not %s",
                word);
            return false;
        }
        setup->control = (uint16_t)value;
    }

    uint64_t inputs = lifted->budget.most_inputs;
    if (!Cli_Number(cli, "inputs", 1, 10000000, &inputs) || !Readings_Given(cli, lifted->readings))
        return false;
    lifted->budget.most_inputs = (uint32_t)inputs;
    if (Cli_Has(cli, "inputs"))
        lifted->budget.patience = (uint32_t)inputs;
    setup->readings = lifted->readings;
    return true;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Opens a folder, or the part of this program that a word names. */
static int OpenSide(const Cli *cli, const char *given, int side, LiftGame *lifted) {
    RpError error;
    char place[PLACE_BYTES];
    const char *part = strcmp(given, LIFT_STANDIN) == 0            ? "standin"
                       : strcmp(given, LIFT_REPLACEMENT_WORD) == 0 ? "replacement"
                                                                   : NULL;
    const char *folder = given;
    Provider *provider = &lifted->providers[side];
    if (part && !Place_Find(part, place, sizeof place))
        return Cli_Complain("no %s/ beside this program or in RETROPOSE_HOME: build it, or name a "
                            "folder",
                            part);
    if (part)
        folder = place;
    else if (side == LIFT_ORIGINAL && Original_Folder(given, &folder, &error))
        return Cli_Fail(&error);
    if (Provider_Open(folder, provider, &error))
        return Cli_Fail(&error);
    if (provider->kind == PROVIDER_NATIVE || provider->kind == PROVIDER_RECORDED)
        return Cli_Complain("`%s` is no pair of DLLs, so it has no instructions", given);
    if (side == LIFT_ORIGINAL && Cli_Has(cli, "overlay") &&
        Provider_UseOverlay(provider, Cli_Value(cli, "overlay", NULL), &error))
        return Cli_Fail(&error);
    if (CliPairFiles_Open(provider, &lifted->mapped[side], &error))
        return Cli_Fail(&error);
    lifted->files[side] = CliPairFiles_ForLifting(&lifted->mapped[side]);
    lifted->has[side] = true;
    return 0;
}

RpStatus LiftGame_Load(const LiftGame *lifted, LiftPairs *pairs, RpError *error) {
    const LiftFiles *files[LIFT_SIDES];
    for (int side = 0; side < LIFT_SIDES; side++)
        files[side] = lifted->has[side] ? &lifted->files[side] : NULL;
    return LiftPairs_Open(files, &lifted->setup, pairs, error);
}

int LiftGame_Open(const Cli *cli, const char *game, const char *replacement, LiftGame *lifted) {
    RpError error;
    memset(lifted, 0, sizeof *lifted);
    if (!ReadSetup(cli, lifted))
        return CLI_TROUBLE;
    int code = OpenSide(cli, game, LIFT_ORIGINAL, lifted);
    if (!code && replacement)
        code = OpenSide(cli, replacement[0] ? replacement : LIFT_REPLACEMENT_WORD, LIFT_REPLACEMENT,
                        lifted);
    if (code)
        return code;
    if (LiftInputs_Open(&lifted->inputs, &error))
        return Cli_Fail(&error);

    /* If the addresses of the builds are not known in these files, the builds that the processor's
     * class chooses are taken instead, unless others were asked for. */
    LiftPairs pairs;
    if (LiftGame_Load(lifted, &pairs, &error))
        return Cli_Fail(&error);
    const bool have_builds = LiftPairs_HaveBuilds(&pairs);
    LiftPairs_Close(&pairs);
    if (have_builds)
        return 0;
    if (Cli_Has(cli, "build"))
        return Cli_Complain("the addresses of the %s builds are not known in these files; --build "
                            "class takes those that the processor's class chooses",
                            LiftSetup_BuildName(&lifted->setup));
    lifted->setup.build = PROVIDER_SLOTS_BY_CLASS;
    return 0;
}

void LiftGame_Close(LiftGame *lifted) {
    LiftInputs_Close(lifted->inputs);
    for (int side = 0; side < LIFT_SIDES; side++)
        CliPairFiles_Close(&lifted->mapped[side]);
}
