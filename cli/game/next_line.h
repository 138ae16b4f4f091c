/* Prints the last line of the verbs about a game's folder: how far the work has come, and the next
 * command. It is a note on stderr, which -q suppresses. */
#ifndef RETROPOSE_CLI_GAME_NEXT_LINE_H
#define RETROPOSE_CLI_GAME_NEXT_LINE_H

#include "cli/cli.h"

/* Prints "160 of 180 functions verified; next: retropose calibrate --original GAME -o ...". */
void Next_OfFolder(const Cli *cli, const char *folder);

/* Prints the same for a pair that was probed: `verified` of `asked` functions were found. The
 * overlay is where that was written, or null. */
void Next_OfProbe(const Cli *cli, size_t verified, size_t asked, const char *original,
                  const char *overlay);

#endif
