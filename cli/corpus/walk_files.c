#include "cli/corpus/walk_files.h"

#include "core/files/file_ops.h"
#include "core/files/inputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FOLDERS = 4096 };

typedef struct Walk {
    WalkTake *take;
    void *context;
    FileIdentity visited[MOST_FOLDERS]; /* links may lead in a circle */
    size_t visited_count;
    RpStatus status;
    RpError *error;
} Walk;

typedef struct Names {
    char (*names)[FILES_NAME_BYTES];
    size_t count, room;
    bool failed;
} Names;

static void KeepName(void *context, const char *name) {
    Names *names = context;
    if (names->failed || strlen(name) >= FILES_NAME_BYTES)
        return;
    if (names->count == names->room) {
        const size_t room = names->room ? 2 * names->room : 64;
        void *grown = realloc(names->names, room * sizeof *names->names);
        names->failed = !grown;
        if (!grown)
            return;
        names->names = grown;
        names->room = room;
    }
    strcpy(names->names[names->count++], name);
}

static int CompareNames(const void *a, const void *b) {
    return strcmp(a, b);
}

static bool IsNew(Walk *walk, const char *path) {
    FileIdentity identity;
    if (!FileIdentity_OfFolder(path, &identity) || walk->visited_count == MOST_FOLDERS)
        return false;
    for (size_t i = 0; i < walk->visited_count; i++)
        if (FileIdentity_Equal(walk->visited[i], identity))
            return false;
    walk->visited[walk->visited_count++] = identity;
    return true;
}

static void TakeFolder(Walk *walk, const char *folder) {
    Names names = {.names = NULL};
    if (!IsNew(walk, folder))
        return;
    walk->status =
        FileOps_System.list(FileOps_System.context, folder, KeepName, &names, walk->error);
    if (names.failed)
        walk->status = RpMemory_Refused(walk->error, folder);
    if (names.count > 0)
        qsort(names.names, names.count, sizeof *names.names, CompareNames);
    for (size_t i = 0; i < names.count && walk->status == RP_OK; i++) {
        const char *name = names.names[i];
        char path[FILES_PATH_BYTES];
        struct stat facts;
        if (!Files_Join(folder, name, path) || stat(path, &facts))
            continue;
        if ((facts.st_mode & S_IFMT) == S_IFDIR)
            TakeFolder(walk, path);
        else if ((facts.st_mode & S_IFMT) == S_IFREG)
            walk->status =
                walk->take(walk->context, path, name, (uint64_t)facts.st_size, walk->error);
    }
    free(names.names);
}

RpStatus Walk_Files(const char *folder, WalkTake *take, void *context, RpError *error) {
    FileIdentity identity;
    struct stat facts;

    /* This folder must be one. Folders in it that cannot be opened are passed over. */
    if (!FileIdentity_OfFolder(folder, &identity))
        return stat(folder, &facts)
                   ? RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "no such folder", folder,
                                 "a folder", "")
                   : RpError_Set(error, RP_INVALID, RP_NOWHERE, "this is no folder", folder,
                                 "a folder", "a file");

    Walk *walk = calloc(1, sizeof *walk);
    if (!walk)
        return RpMemory_Refused(error, folder);
    walk->take = take;
    walk->context = context;
    walk->error = error;
    TakeFolder(walk, folder);
    const RpStatus status = walk->status;
    free(walk);
    return status;
}
