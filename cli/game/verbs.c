/* Verbs of one word about the folder of a game and the originals in it. */
#include "cli/cli.h"

extern const CliVerb cli_live_calibrate;
extern const CliVerb cli_live_exports;
extern const CliVerb cli_live_install;
extern const CliVerb cli_live_mode;
extern const CliVerb cli_live_probe;
extern const CliVerb cli_live_record;
extern const CliVerb cli_live_uninstall;
extern const CliVerb cli_game_try;

/* One a line, in the order of help. */
/* clang-format off */
const CliVerb *const cli_live_verbs[] = {
    &cli_game_try,
    &cli_live_install,
    &cli_live_uninstall,
    &cli_live_mode,
    &cli_live_record,
    &cli_live_exports,
    &cli_live_probe,
    &cli_live_calibrate,
    NULL
};
/* clang-format on */
