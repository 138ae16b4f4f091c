/* What the verbs about formulas work on: one pair of DLLs or two, and how they are set up. */
#ifndef RETROPOSE_CLI_LIFT_LIFT_GAME_H
#define RETROPOSE_CLI_LIFT_LIFT_GAME_H

#include "cli/cli_readings.h"
#include "cli/lift/pair_files.h"
#include "cli/original_pair.h"
#include "replay/lift/lift_paths.h"

/* The words that name a pair of this program's own in place of a folder. */
#define LIFT_STANDIN          "stand-in"
#define LIFT_REPLACEMENT_WORD "replacement"

#define CLI_LIFT_SETUP                                                                             \
    {"build", "BUILD", "of g_FastProc: generic, fxch, sse, or class, which the processor chooses", \
     0},                                                                                           \
        {"processor", "NAME",                                                                      \
         "what the DLLs find: " MACHINE_PROFILES " (default: pentium2; with sse pentium3)", 0},    \
        {"control-word", "HEX", "of the x87 (default: 007F, the game's)", 0},                      \
        {"profile", "FILE", "readings that `calibrate` found; --readings goes over them", 0},      \
        CLI_READINGS_OF_ARITHMETIC,                                                                \
        {"overlay", "FILE", "how the original is called (default: its retropose.overlay)", 0}, {   \
                                                                                                   \
        "inputs", "N", "made inputs, before searching begins (default: 4000)", 0                   \
    }

typedef struct LiftGame {
    LiftSetup setup;
    LiftBudget budget;
    char readings[READINGS_BYTES];
    Provider providers[LIFT_SIDES];
    CliPairFiles mapped[LIFT_SIDES];
    LiftFiles files[LIFT_SIDES];
    bool has[LIFT_SIDES];
    LiftInputs *inputs;
} LiftGame;

/* Opens `game`, which is a folder or one of the two words, and beside it `replacement`, which is
 * null where one pair alone is asked for, and "" for this program's own. Returns 0, or says what is
 * wrong and returns an exit code. LiftGame_Close follows in either case. */
int LiftGame_Open(const Cli *cli, const char *game, const char *replacement, LiftGame *lifted);
void LiftGame_Close(LiftGame *lifted);
/* Loads the pairs for one function, whose expressions get a graph of their own. */
RpStatus LiftGame_Load(const LiftGame *lifted, LiftPairs *pairs, RpError *error);

#endif
