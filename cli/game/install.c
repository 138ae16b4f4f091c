#include "cli/files.h"
#include "cli/game/install_report.h"
#include "cli/place.h"
#include "revision.h"

static int Run(Cli *cli) {
    char place[PLACE_BYTES];
    const char *dlls = Cli_Value(cli, "dlls", NULL);
    if (cli->argument_count != 1)
        return Cli_Complain("install needs the folder of the game");
    if (!dlls && Place_Find("replacement", place, sizeof place))
        dlls = place;
    if (!dlls)
        return Cli_Complain("our DLLs are not beside this program or in RETROPOSE_HOME: name their "
                            "folder with --dlls");
    InstallOptions options = {.folder = cli->arguments[0],
                              .dlls = dlls,
                              .tool = RETROPOSE_VERSION " (" RETROPOSE_REVISION ")",
                              .dry_run = Cli_Has(cli, "dry-run")};
    return InstallReport_Run(cli, Install_Run, &options);
}

const CliVerb cli_live_install = {
    "install",
    "put our DLLs into a game's folder, beside the originals",
    "GAME_DIR",
    "retropose install --dry-run \"C:\\Games\\Parkan\"\n"
    "retropose install \"C:\\Games\\Parkan\"\n",
    {{"dlls", "DIR", "our Ngi32.dll and AniMesh.dll (default: beside this program)", 0},
     {"dry-run", NULL, "say what would be done, change nothing", 'n'},
     CLI_JSON},
    Run};
