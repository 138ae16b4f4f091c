#include "cli/config.h"
#include "cli/files.h"
#include "cli/game/next_line.h"
#include "game/mode.h"

#include <string.h>

static int Run(Cli *cli) {
    if (cli->argument_count == 0 || strchr(cli->arguments[0], '='))
        Config_TakeGame(cli);
    if (cli->argument_count == 0)
        return Cli_Complain("mode needs the folder of the game");
    const char *folder = cli->arguments[0];
    const char *const *assignments = cli->arguments + 1;
    const size_t count = cli->argument_count - 1;
    RpError error;
    int code = CLI_EQUAL;
    if (count > 0 && Mode_Change(folder, assignments, count, &error)) {
        code = Cli_Fail(&error);
    } else if (count == 0 || cli->verbosity >= 0) {
        const bool all = Cli_Has(cli, "all");
        RpBuffer text;
        RpBuffer_Init(&text, NULL);
        const RpStatus status = Cli_Has(cli, "json") ? Mode_Json(folder, &text, &error)
                                : count == 0
                                    ? Mode_Text(folder, all, &text, &error)
                                    : Mode_TextOf(folder, assignments, count, all, &text, &error);
        code = CliFile_Print(&text, status, &error);
    }
    if (!code)
        Next_OfFolder(cli, folder);
    return code;
}

const CliVerb cli_game_mode = {
    "mode",
    "show or change which functions are ours in a game's folder",
    "GAME_DIR [FUNCTION=MODE...]",
    "retropose mode \"C:\\Games\\Parkan\"\n"
    "retropose mode \"C:\\Games\\Parkan\" --all\n"
    "retropose mode \"C:\\Games\\Parkan\" default=original \"ngi32.slot17=shadow\"\n"
    "retropose mode \"C:\\Games\\Parkan\" ngi32.slot17=   # the line goes\n",
    {{"all", NULL, "tell each function, also where more than 16 could be summed up", 0}, CLI_JSON},
    Run};
