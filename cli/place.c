#include "cli/place.h"

#include "core/files/cleanup.h"
#include "core/files/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef _WIN32
#include <direct.h>
#include <windows.h>
#else
#include <unistd.h>
#endif

static bool Exists(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0;
}

static bool Join(const char *folder, const char *middle, const char *part, char *path,
                 size_t size) {
    return (size_t)snprintf(path, size, "%s%s/%s", folder, middle, part) < size && Exists(path);
}

#ifdef _WIN32
static bool ProgramFolder(char *folder, size_t size) {
    DWORD length = GetModuleFileNameA(NULL, folder, (DWORD)size);
    if (length == 0 || length >= size)
        return false;
    for (char *c = folder; *c; c++)
        if (*c == '\\')
            *c = '/';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    return slash != NULL;
}

static bool MakeFolder(const char *path) {
    return _mkdir(path) == 0 || Exists(path);
}

static bool MakeUnique(const char *wanted, char *path, size_t size) {
    char folder[MAX_PATH];
    DWORD length = GetTempPathA(sizeof folder, folder);
    if (!wanted && (length == 0 || length >= sizeof folder))
        return false;
    for (unsigned i = 0; i < 1000; i++) {
        const int needed = snprintf(path, size, "%s%sretropose-%lu-%u", wanted ? wanted : folder,
                                    wanted ? "/" : "", GetCurrentProcessId(), i);
        if ((size_t)needed < size && _mkdir(path) == 0)
            return true;
    }
    return false;
}

#else
static bool ProgramFolder(char *folder, size_t size) {
    ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    if (length <= 0)
        return false;
    folder[length] = 0;
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    return slash != NULL;
}

static bool MakeFolder(const char *path) {
    return mkdir(path, 0777) == 0 || Exists(path);
}

static bool MakeUnique(const char *wanted, char *path, size_t size) {
    const char *folder = wanted ? wanted : getenv("TMPDIR");
    int length = snprintf(path, size, "%s/retropose-XXXXXX", folder && *folder ? folder : "/tmp");
    return (size_t)length < size && mkdtemp(path) != NULL;
}
#endif

static const char *home;

void Place_UseHome(const char *folder) {
    home = folder;
}

bool Place_Find(const char *part, char *path, size_t size) {
    if (home && *home)
        return Join(home, "", part, path, size);
    return Place_FindOwn(part, path, size);
}

bool Place_FindOwn(const char *part, char *path, size_t size) {
    char folder[PLACE_BYTES];
    return ProgramFolder(folder, sizeof folder) &&
           (Join(folder, "", part, path, size) || Join(folder, "/..", part, path, size) ||
            Join(folder, "/../windows", part, path, size) ||
            Join(folder, "/../lib/retropose", part, path, size) || /* as it is installed */
            Join(folder, "/../share/retropose", part, path, size) ||
            /* The source tree has the bundled traces. A build by one of the presets is two folders
             * below it. */
            (Join(folder, "", "CMakeCache.txt", path, size) &&
             Join(folder, "/../..", "CMakePresets.json", path, size) &&
             Join(folder, "/../..", part, path, size)));
}

bool Place_MakeWork(const char *wanted, char *path, size_t size) {
    if (wanted && !MakeFolder(wanted))
        return false;
    const CleanupHold hold = Cleanup_Hold();
    const bool made = MakeUnique(wanted, path, size);
    if (made)
        Cleanup_Add(path, CLEANUP_FOLDER);
    Cleanup_Release(hold);
    return made;
}

void Place_DropWork(const char *path) {
    Cleanup_RemoveFolder(path);
    Cleanup_Forget(path);
}

RpStatus Place_MakeFolders(const char *file, RpError *error) {
    char folder[4096];
    RpStatus status = RP_OK;
    for (size_t i = 1, length = strlen(file); i < length && !status; i++)
        if (file[i] == '/' && file[i - 1] != ':' && file[i - 1] != '/') {
            snprintf(folder, sizeof folder, "%.*s", (int)i, file);
            if (!Exists(folder))
                status = Output_MakeFolder(folder, error);
        }
    return status;
}
