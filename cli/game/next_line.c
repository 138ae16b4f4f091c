#include "cli/game/next_line.h"

#include "cli/command_text.h"
#include "core/text.h"
#include "game/next.h"

#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 4096 };

/* Appends an option and the path of a file in a folder. Windows accepts the slash, too. */
static void AddFile(CommandText *command, const char *option, const char *folder,
                    const char *file) {
    char path[LINE_BYTES];
    const size_t length = strlen(folder);
    const bool ends = length > 0 && (folder[length - 1] == '/' || folder[length - 1] == '\\');
    snprintf(path, sizeof path, "%s%s%s", folder, ends ? "" : "/", file);
    CommandText_AddWord(command, option);
    CommandText_AddWord(command, path);
}

static void AddOriginal(CommandText *command, const char *verb, const char *original) {
    CommandText_Add(command, verb);
    CommandText_AddWord(command, "--original");
    CommandText_AddWord(command, original);
}

/* Prints the note. `what` is a word that distinguishes the counted functions from those of other
 * verbs, or empty. */
static void Print(const Cli *cli, size_t verified, size_t of, const char *what,
                  const CommandText *command) {
    if (!CommandText_Whole(command))
        return;
    if (of > 0)
        Cli_Note(cli, "%zu of %zu %sfunction%s verified; next: %s", verified, of, what,
                 Text_Plural(of), command->text);
    else
        Cli_Note(cli, "next: %s", command->text);
}

void Next_OfFolder(const Cli *cli, const char *folder) {
    char text[LINE_BYTES];
    GameNext next;
    RpError error;
    CommandText command = CommandText_BeginProgram(text, sizeof text);
    if (GameNext_Find(folder, &next, &error))
        return; /* the verb itself has said what is wrong with the folder */
    switch (next.step) {
    case GAME_STEP_PROBE:
        AddOriginal(&command, " probe", folder);
        AddFile(&command, "-o", folder, "retropose.overlay");
        break;
    case GAME_STEP_CALIBRATE:
        AddOriginal(&command, " calibrate", folder);
        AddFile(&command, "-o", folder, "retropose.profile");
        break;
    case GAME_STEP_INSTALL:
        CommandText_Add(&command, " install");
        CommandText_AddWord(&command, folder);
        break;
    default:
        CommandText_Add(&command, " doctor");
        CommandText_AddWord(&command, folder);
    }
    Print(cli, next.verified, next.functions, "", &command);
}

void Next_OfProbe(const Cli *cli, size_t verified, size_t asked, const char *original,
                  const char *overlay) {
    char text[LINE_BYTES], folder[LINE_BYTES];
    CommandText command = CommandText_BeginProgram(text, sizeof text);
    if (!overlay || strcmp(overlay, "-") == 0) {
        AddOriginal(&command, " probe", original);
        AddFile(&command, "-o", original, "retropose.overlay");
    } else {
        size_t length = 0; /* of the overlay's folder; 0: it has none */
        for (size_t i = 0; overlay[i]; i++)
            if (overlay[i] == '/' || overlay[i] == '\\')
                length = i;
        snprintf(folder, sizeof folder, "%.*s", (int)length, overlay);
        AddOriginal(&command, " calibrate", original);
        CommandText_AddWord(&command, "--overlay");
        CommandText_AddWord(&command, overlay);
        if (folder[0]) {
            AddFile(&command, "-o", folder, "retropose.profile");
        } else {
            CommandText_AddWord(&command, "-o");
            CommandText_AddWord(&command,
                                overlay[0] == '/' ? "/retropose.profile" : "retropose.profile");
        }
    }
    Print(cli, verified, asked, "probed ", &command);
}
