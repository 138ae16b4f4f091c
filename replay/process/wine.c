#ifndef _WIN32
#define _GNU_SOURCE /* needed for asprintf */
#include "replay/process/wine.h"

#include "replay/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define SETUP_SECONDS 300
/* room for Wine's own messages, as long as an RpError has room for them */
#define WORDS_BYTES 160

/* Variables that are set for every process, whatever the user has set: no messages, no installers
 * of Mono or Gecko, no display, and file names in UTF-8. */
static const char *const own_variables[] = {
    "WINEARCH=win32",
    "WINEDEBUG=-all",
    "WINEDLLOVERRIDES=mscoree=;mshtml=;winemenubuilder.exe=",
    "LC_ALL=C.UTF-8",
};
static const char *const dropped_variables[] = {
    "WINEPREFIX=",       "WINEARCH=", "WINEDEBUG=",      "LC_ALL=",
    "WINEDLLOVERRIDES=", "DISPLAY=",  "WAYLAND_DISPLAY="};

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a process", "", "", "");
}

static RpStatus BuildEnvironment(Wine *wine, RpError *error) {
    size_t count = 0, own = sizeof own_variables / sizeof *own_variables;
    for (char **variable = environ; *variable; variable++)
        count++;
    wine->environment = calloc(count + own + 2, sizeof *wine->environment);
    if (!wine->environment)
        return NoMemory(error);
    char **next = wine->environment;
    for (char **variable = environ; *variable; variable++) {
        bool is_dropped = false;
        for (size_t i = 0; i < sizeof dropped_variables / sizeof *dropped_variables; i++)
            is_dropped |=
                strncmp(*variable, dropped_variables[i], strlen(dropped_variables[i])) == 0;
        if (!is_dropped && !(*next++ = strdup(*variable)))
            return NoMemory(error);
    }
    for (size_t i = 0; i < own; i++)
        if (!(*next++ = strdup(own_variables[i])))
            return NoMemory(error);
    if (asprintf(next, "WINEPREFIX=%s", wine->prefix) < 0)
        return NoMemory(error);
    return RP_OK;
}

/* ---- the prefix -------------------------------------------------------------------------------
 */

static RpStatus Refused(const char *what, const char *where, RpError *error) {
    return RpError_Set(error, RP_IO, RP_NOWHERE, what, where, "", strerror(errno));
}

static bool IsReady(const Wine *wine) {
    char path[1100];
    snprintf(path, sizeof path, "%s/retropose-ready", wine->prefix);
    return access(path, F_OK) == 0;
}

/* Reads the last line that is not empty, in which Wine and the shell say why they end. */
static void LastLine(FILE *file, char line[WORDS_BYTES]) {
    char next[1024];
    line[0] = 0;
    while (fgets(next, sizeof next, file)) {
        next[strcspn(next, "\r\n")] = 0;
        if (next[0])
            snprintf(line, WORDS_BYTES, "%.159s", next);
    }
}

/* Runs a program for as long as making a prefix may take, and reports once a second how long it has
 * run. Its output goes to the file `log`, and the last line of it to the error's `found`. */
static RpStatus RunToEnd(const Wine *wine, const char *const *argv, const char *log,
                         WineProgress progress, RpError *error) {
    Process process;
    uint32_t exit_code = 0;
    unsigned seconds = 0;
    char words[WORDS_BYTES] = "";
    RpStatus status = Process_Start(argv, (const char *const *)(uintptr_t)wine->environment, "/",
                                    log, NULL, &process, error);
    if (status)
        return status;
    while (!Process_Wait(&process, 1000, &exit_code)) {
        if (++seconds == SETUP_SECONDS) {
            Process_Kill(&process);
            Process_Wait(&process, 10000, &exit_code);
            return RpError_Set(error, RP_IO, RP_NOWHERE, "Wine does not finish making its prefix",
                               wine->prefix, "less than 300 seconds", "");
        }
        if (progress)
            progress(wine->prefix, seconds);
    }
    if (exit_code == 0)
        return RP_OK;
    FILE *file = fopen(log, "r");
    if (file) {
        LastLine(file, words);
        fclose(file);
    }
    return RpError_Set(error, RP_IO, RP_NOWHERE, "Wine cannot make its prefix", wine->prefix, "",
                       words);
}

static RpStatus EnsurePrefix(const Wine *wine, WineProgress progress, RpError *error) {
    char path[1100];
    if (IsReady(wine))
        return RP_OK;
    snprintf(path, sizeof path, "%s.lock", wine->prefix);

    RpStatus status = RP_OK;
    char part[1100];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(part, 0755) && errno != EEXIST)
            return Refused("cannot make the folder", part, error);
        *slash = '/';
    }

    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (lock < 0 || flock(lock, LOCK_EX))
        status = Refused("cannot lock the Wine prefix", path, error);
    else if (!IsReady(wine)) {
        static const char *const boot[] = {"wine", "wineboot", "--init", NULL};
        static const char *const settle[] = {"wineserver", "-w", NULL};
        if (progress)
            progress(wine->prefix, 0);
        snprintf(path, sizeof path, "%s.log", wine->prefix);
        status = RunToEnd(wine, boot, path, progress, error);
        if (!status)
            status = RunToEnd(wine, settle, path, progress, error);
        remove(path);
        snprintf(path, sizeof path, "%s/retropose-ready", wine->prefix);
        const int ready = status ? -1 : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
        if (ready >= 0)
            close(ready);
        else if (!status)
            status = Refused("cannot write into the Wine prefix", path, error);
    }
    if (lock >= 0)
        close(lock);
    return status;
}

static bool IsInstalled(void) {
    const char *path = getenv("PATH");
    char file[1100];
    while (path && *path) {
        size_t length = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/wine", (int)length, path);
        if (access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/* Tries the 32-bit loader, which is the smallest program that every package for 32-bit programs
 * has. */
bool Wine_IsUsable(void) {
    static const char *const loader[] = {"/lib/ld-linux.so.2", "--version", NULL};
    static volatile int known; /* 1 stands for usable, 2 for not usable */
    if (known == 0) {
        Process process;
        uint32_t exit_code = 1;
        const bool runs =
            IsInstalled() && access(loader[0], X_OK) == 0 &&
            Process_Start(loader, NULL, "/", "/dev/null", NULL, &process, NULL) == RP_OK &&
            Process_Wait(&process, UINT32_MAX, &exit_code) && exit_code == 0;
        known = runs ? 1 : 2;
    }
    return known == 1;
}

RpStatus Wine_Start(char *version, size_t size, RpError *error) {
    char words[WORDS_BYTES];
    if (!IsInstalled())
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "Wine is not installed", "",
                           "a program `wine` in the search path", "");
    FILE *pipe = popen("wine --version 2>&1", "re");
    if (!pipe)
        return Refused("Wine cannot be started", "", error);
    LastLine(pipe, words);
    if (pclose(pipe) != 0)
        return RpError_Set(error, RP_IO, RP_NOWHERE, "Wine cannot be started", "", "", words);
    snprintf(version, size, "%s", words);
    return RP_OK;
}

RpStatus Wine_Open(const char *prefix, WineProgress progress, Wine *wine, RpError *error) {
    static const char *const keep[] = {"wineserver", "-p60", NULL};
    char version[WORDS_BYTES];
    memset(wine, 0, sizeof *wine);
    RpStatus status = Wine_Start(version, sizeof version, error);
    if (!status) {
        const char *set = getenv("RETROPOSE_WINEPREFIX"), *cache = getenv("XDG_CACHE_HOME");
        const char *home = getenv("HOME");
        const size_t size = sizeof wine->prefix;
        int length;
        if (prefix || (set && *set))
            length = snprintf(wine->prefix, size, "%s", prefix ? prefix : set);
        else if (cache && *cache)
            length = snprintf(wine->prefix, size, "%s/retropose/wine", cache);
        else
            length = snprintf(wine->prefix, size, "%s/.cache/retropose/wine", home ? home : "");
        if (length <= 0 || (size_t)length >= size - 32 || wine->prefix[0] != '/')
            status = RpError_Set(error, RP_INVALID, RP_NOWHERE, "no place for the Wine prefix",
                                 wine->prefix, "an absolute path in RETROPOSE_WINEPREFIX", "");
    }
    if (!status)
        status = BuildEnvironment(wine, error);
    if (!status)
        status = EnsurePrefix(wine, progress, error);
    if (status) {
        Wine_Close(wine);
        return status;
    }

    /* A Wine server that stays. A server that Wine starts by itself ends 3 seconds after its last
     * client, so it may be ending just when the next run connects ("wine client error: recvmsg").
     * If a server runs already, this one refuses to start. */
    RunToEnd(wine, keep, "/dev/null", NULL, NULL);
    return RP_OK;
}

void Wine_Close(Wine *wine) {
    for (char **variable = wine->environment; variable && *variable; variable++)
        free(*variable);
    free(wine->environment);
    wine->environment = NULL;
}

void Wine_FileName(const char *path, char *buffer, size_t size) {
    snprintf(buffer, size, "Z:%s", path);
    for (char *c = buffer; *c; c++)
        if (*c == '/')
            *c = '\\';
}
#else
#include "replay/process/wine.h"

#include <stdio.h>

bool Wine_IsUsable(void) {
    return false;
}

RpStatus Wine_Start(char *version, size_t size, RpError *error) {
    (void)error;
    snprintf(version, size, "none");
    return RP_OK;
}

RpStatus Wine_Open(const char *prefix, WineProgress progress, Wine *wine, RpError *error) {
    (void)prefix;
    (void)progress;
    (void)error;
    *wine = (Wine){{0}, NULL};
    return RP_OK;
}

void Wine_Close(Wine *wine) {
    (void)wine;
}

void Wine_FileName(const char *path, char *buffer, size_t size) {
    snprintf(buffer, size, "%s", path);
}
#endif
