#include "cli/config.h"
#include "cli/files.h"
#include "core/digest.h"
#include "game/install/install_folder.h"
#include "replay/capture/fparkan.h"
#include "retropose/file.h"
#include "revision.h"
#include "tracefile/select.h"

#include <stdio.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

static RpStatus HashModules(const char *game, FparkanOptions *options, RpError *error) {
    InstallFolder folder;
    RpStatus status = InstallFolder_Open(&FileOps_System, game, &folder, error);
    for (int i = 0; i < FPARKAN_MODULES && !status; i++) {
        char path[FILES_PATH_BYTES];
        RpBuffer bytes;
        const char *name = FparkanModule_Name((FparkanModule)i);
        const char *found = InstallFolder_Find(&folder, name);
        RpBuffer_Init(&bytes, NULL);
        if (!found || !Files_Join(folder.path, found, path))
            status =
                RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the game's folder has no such file",
                            name, "World3D.dll, Terrain.dll and Effect.dll", "");
        else
            status = RpFile_Read(path, &bytes, error);
        if (!status)
            Digest_OfBytes(bytes.bytes, bytes.size, options->sha256[i]);
        RpBuffer_Free(&bytes);
    }
    InstallFolder_Close(&folder);
    return status;
}

static bool ReadOptions(const Cli *cli, FparkanOptions *options) {
    const char *format = Cli_Value(cli, "format", NULL), *game = Cli_Value(cli, "game", NULL);
    RpError error;
    *options = (FparkanOptions){.game_part = Cli_Value(cli, "part", ""),
                                .mission = Cli_Value(cli, "mission", ""),
                                .tool = "retropose " RETROPOSE_BUILT};
    if (!format || strcmp(format, "fparkan-capture") != 0) {
        Cli_Complain("convert needs --format fparkan-capture, the only one");
        return false;
    }
    if (strcmp(options->game_part, "part1") != 0 && strcmp(options->game_part, "part2") != 0) {
        Cli_Complain("--part takes part1 or part2: the AniMesh.dll of the two parts differ");
        return false;
    }

    /* The path is one within the game, and not one on a computer of any system. */
    const char *mission = options->mission;
    if (mission[0] == '/' || mission[0] == '\\' || strchr(mission, ':')) {
        Cli_Complain("--mission takes a path within the game's folder (MISSIONS/.../data.tma), and "
                     "not %s: a capture has no path of a machine",
                     mission);
        return false;
    }
    return !game || !HashModules(game, options, &error) || (Cli_Fail(&error), false);
}

/* ---- the verb -------------------------------------------------------------------------------- */

static int Convert(const Cli *cli, TraceReader *reader, const Selection *selection,
                   const FparkanOptions *options) {
    FparkanCapture capture;
    RpBuffer lines;
    RpError error;
    int code = CLI_TROUBLE;
    RpBuffer_Init(&lines, NULL);
    RpStatus status = FparkanCapture_Begin(&capture, reader, options, &error);
    TraceCall call;
    bool found = true;
    while (!status && found) {
        status = TraceReader_Next(reader, &call, &found, &error);
        if (!status && found && Selection_HasCall(selection, call.function, call.sequence))
            status = FparkanCapture_Call(&capture, &call, &lines, &error);
    }
    if (!status && capture.written == 0) {
        Cli_Complain("the trace has no call of animesh.SampleNode that can be converted");
        RpBuffer_Free(&lines);
    } else {
        code = CliFile_Write(&lines, Cli_Value(cli, "output", "-"), status, &error);
    }
    if (code == CLI_EQUAL) {
        Cli_Note(cli, "%llu poses, %s", (unsigned long long)capture.written,
                 FparkanCapture_WhyInformational(&capture)
                     ? "informational: each line says why"
                     : "answered by an original of the published version, all modules hashed");
        if (capture.left_out > 0)
            Cli_Note(
                cli,
                "%llu calls of SampleNode left out: they did not return, their model is not in "
                "the trace, or they are not finite",
                (unsigned long long)capture.left_out);
    }
    FparkanCapture_End(&capture);
    return code;
}

static int Run(Cli *cli) {
    FparkanOptions options;
    Selection *selection;
    TraceReader *reader;
    RpError error;
    Config_FindTraces(cli, 1);
    if (cli->argument_count != 1)
        return Cli_Complain(
            "convert needs one trace; models have `msh convert`, animations `ani convert`");
    if (!ReadOptions(cli, &options) || !CliFile_CanWrite(Cli_Value(cli, "output", NULL)) ||
        !Cli_Selection(cli, &selection))
        return CLI_TROUBLE;
    const int code = TraceReader_Open(cli->arguments[0], &reader, &error)
                         ? Cli_Fail(&error)
                         : Convert(cli, reader, selection, &options);
    TraceReader_Close(reader);
    Selection_Free(selection);
    return code;
}

const CliVerb cli_trace_convert = {
    "convert",
    "write the calls of a trace in the form of another project",
    "TRACE",
    "retropose convert --format fparkan-capture --part part1 poses.rptrace -o poses.jsonl\n",
    {{"format", "FORMAT", "fparkan-capture: poses as lines of JSON (docs/use/other-projects.md)",
      0},
     {"part", "PART", "part1 or part2, of which the game was", 0},
     {"mission", "PATH", "the mission that was recorded: its path within the game's folder", 0},
     {"game", "DIR", "the game's folder, for the SHA-256 of World3D, Terrain and Effect", 0},
     CLI_SELECT,
     {"output", "FILE", "what to write (default: standard output)", 'o'}},
    Run};
