/* Verbs about the folder of a game and the originals in it. */
#include "cli/cli.h"

extern const CliVerb cli_game_calibrate;
extern const CliVerb cli_game_doctor;
extern const CliVerb cli_game_exports;
extern const CliVerb cli_game_install;
extern const CliVerb cli_game_mode;
extern const CliVerb cli_game_probe;
extern const CliVerb cli_game_record;
extern const CliVerb cli_game_try;
extern const CliVerb cli_game_uninstall;

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_game_verbs[] = {
    &cli_game_try,
    &cli_game_doctor,
    &cli_game_install,
    &cli_game_uninstall,
    &cli_game_mode,
    &cli_game_record,
    &cli_game_exports,
    &cli_game_probe,
    &cli_game_calibrate,
    NULL
};
/* clang-format on */
