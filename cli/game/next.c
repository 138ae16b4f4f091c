#include "cli/game/next.h"

#include "cli/again.h"
#include "live/game/next.h"

#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 4096 };

/* Appends an option and a file in a folder. The slash serves on Windows, too. */
static void AddFile(Again *again, const char *option, const char *folder, const char *file) {
    char path[LINE_BYTES];
    const size_t length = strlen(folder);
    const bool ends = length > 0 && (folder[length - 1] == '/' || folder[length - 1] == '\\');
    snprintf(path, sizeof path, "%s%s%s", folder, ends ? "" : "/", file);
    Again_AddWord(again, option);
    Again_AddWord(again, path);
}

static void AddOriginal(Again *again, const char *verb, const char *original) {
    Again_AddText(again, verb);
    Again_AddWord(again, "--original");
    Again_AddWord(again, original);
}

/* A command that was cut is not printed, because it would do something else. */
static void Print(const Cli *cli, size_t verified, size_t of, const Again *again) {
    if (again->length >= again->size)
        return;
    if (of > 0)
        Cli_Note(cli, "%zu of %zu function%s verified; next: %s", verified, of, of == 1 ? "" : "s",
                 again->text);
    else
        Cli_Note(cli, "next: %s", again->text);
}

void Next_OfFolder(const Cli *cli, const char *folder) {
    char text[LINE_BYTES];
    GameNext next;
    RpError error;
    Again again = Again_Begin(text, sizeof text);
    if (GameNext_Find(folder, &next, &error))
        return; /* the verb itself has said what is wrong with the folder */
    switch (next.step) {
    case GAME_STEP_PROBE:
        AddOriginal(&again, " probe", folder);
        AddFile(&again, "-o", folder, "retropose.overlay");
        break;
    case GAME_STEP_CALIBRATE:
        AddOriginal(&again, " calibrate", folder);
        AddFile(&again, "-o", folder, "retropose.profile");
        break;
    case GAME_STEP_INSTALL:
        Again_AddText(&again, " install");
        Again_AddWord(&again, folder);
        break;
    default:
        Again_AddText(&again, " doctor");
        Again_AddWord(&again, folder);
    }
    Print(cli, next.verified, next.functions, &again);
}

/* Returns the length of a path's folder; 0: it has none. */
static size_t FolderLength(const char *path) {
    size_t length = 0;
    for (size_t i = 0; path[i]; i++)
        if (path[i] == '/' || path[i] == '\\')
            length = i;
    return length;
}

void Next_OfProbe(const Cli *cli, size_t verified, size_t asked, const char *original,
                  const char *overlay) {
    char text[LINE_BYTES], folder[LINE_BYTES];
    Again again = Again_Begin(text, sizeof text);
    if (!overlay || strcmp(overlay, "-") == 0) {
        AddOriginal(&again, " probe", original);
        AddFile(&again, "-o", original, "retropose.overlay");
    } else {
        snprintf(folder, sizeof folder, "%.*s", (int)FolderLength(overlay), overlay);
        AddOriginal(&again, " calibrate", original);
        Again_AddWord(&again, "--overlay");
        Again_AddWord(&again, overlay);
        if (folder[0]) {
            AddFile(&again, "-o", folder, "retropose.profile");
        } else {
            Again_AddWord(&again, "-o");
            Again_AddWord(&again, overlay[0] == '/' ? "/retropose.profile" : "retropose.profile");
        }
    }
    Print(cli, verified, asked, &again);
}
