#include "cli/files.h"
#include "cli/game/install_report.h"

static int Run(Cli *cli) {
    if (cli->argument_count != 1)
        return Cli_Complain("uninstall needs the folder of the game");
    InstallOptions options = {.folder = cli->arguments[0],
                              .dry_run = Cli_Has(cli, "dry-run"),
                              .purge = Cli_Has(cli, "purge")};
    return InstallReport_Run(cli, Uninstall_Run, &options);
}

const CliVerb cli_live_uninstall = {
    "uninstall",
    "give a game's folder its originals back, byte for byte",
    "GAME_DIR",
    "retropose uninstall \"C:\\Games\\Parkan\"\n",
    {{"dry-run", NULL, "say what would be done, change nothing", 'n'},
     {"purge", NULL, "remove changed settings and overlay, logs and traces, too", 0},
     CLI_JSON},
    Run};
