/* Verbs of one word about the folder of a game and the originals in it. */
#include "cli.h"

/* One a line, in the order of help. */
/* clang-format off */
const CliVerb *const cli_live_verbs[] = {
    NULL
};
/* clang-format on */
