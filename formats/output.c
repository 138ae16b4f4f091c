#define _POSIX_C_SOURCE 200809L /* fsync, fileno, fchmod, readlink, mkdir */

#include "output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <windows.h>
#else
#include <sys/stat.h>
#include <unistd.h>
#endif

/* ---- what is there already ------------------------------------------------------------------- */

enum { PATH_BYTES = 4096 };

#ifndef _WIN32
/* One step along a link; false at its end. */
static bool FollowOnce(char target[PATH_BYTES]) {
    char link[PATH_BYTES];
    const ssize_t length = readlink(target, link, sizeof link - 1);
    if (length <= 0)
        return false;
    link[length] = 0;
    char *slash = link[0] == '/' ? NULL : strrchr(target, '/');
    const size_t folder = slash ? (size_t)(slash - target) + 1 : 0;
    if (folder + (size_t)length >= PATH_BYTES)
        return false;
    memcpy(target + folder, link, (size_t)length + 1);
    return true;
}
#endif

/* Where the file itself is: a link stays one, and what it leads to is replaced. */
static void FollowLinks(char target[PATH_BYTES]) {
#ifdef _WIN32
    (void)target;
#else
    for (int links = 0; links < 8 && FollowOnce(target); links++) {
    }
#endif
}

/* Who could read and write what is replaced still can. */
static void CopyMode(const char *path, FILE *file) {
#ifdef _WIN32
    (void)path;
    (void)file;
#else
    struct stat facts;
    if (stat(path, &facts) == 0)
        (void)!fchmod(fileno(file), facts.st_mode & 0777);
#endif
}

/* ---- writing --------------------------------------------------------------------------------- */

static int Replace(const char *from, const char *to) {
#ifdef _WIN32
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING))
        return 0;
    errno = EACCES; /* which it does not set */
    return -1;
#else
    return rename(from, to);
#endif
}

/* Down to the disk: a rename may otherwise survive a crash that the bytes do not. */
static bool Flush(FILE *file) {
    if (fflush(file))
        return false;
#ifdef _WIN32
    return _commit(_fileno(file)) == 0;
#else
    return fsync(fileno(file)) == 0;
#endif
}

static RpStatus Refuse(const char *path, RpError *error) {
    return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot write the file", path, "",
                       strerror(errno));
}

static bool WriteAll(FILE *file, const void *bytes, size_t size) {
    return size == 0 || fwrite(bytes, 1, size, file) == size;
}

static RpStatus WriteStandardOutput(const void *bytes, size_t size, RpError *error) {
#ifdef _WIN32
    fflush(stdout);
    _setmode(_fileno(stdout), _O_BINARY);
#endif
    return WriteAll(stdout, bytes, size) && fflush(stdout) == 0 ? RP_OK : Refuse("-", error);
}

/* No name of a member that is written to a file ends in "~part": ArchiveFile_Sanitise. */
static RpStatus WriteWhole(const char *path, const void *bytes, size_t size, bool flushed,
                           RpError *error) {
    char target[PATH_BYTES], temporary[PATH_BYTES + 8];
    if ((size_t)snprintf(target, sizeof target, "%s", path) >= sizeof target) {
        errno = ENAMETOOLONG;
        return Refuse(path, error);
    }
    FollowLinks(target);
    snprintf(temporary, sizeof temporary, "%s~part", target);
    FILE *file = fopen(temporary, "wb");
    if (!file)
        return Refuse(path, error);
    CopyMode(target, file);
    bool written = WriteAll(file, bytes, size) && (!flushed || Flush(file));
    written = fclose(file) == 0 && written;
    if (written && Replace(temporary, target) == 0)
        return RP_OK;
    Refuse(path, error);
    remove(temporary);
    return RP_IO;
}

RpStatus Output_WriteBytes(const char *path, const void *bytes, size_t size, RpError *error) {
    if (strcmp(path, "-") == 0)
        return WriteStandardOutput(bytes, size, error);
    return WriteWhole(path, bytes, size, true, error);
}

RpStatus Output_Write(const char *path, const char *text, RpError *error) {
    return Output_WriteBytes(path, text, strlen(text), error);
}

RpStatus Output_MakeFolder(const char *folder, RpError *error) {
#ifdef _WIN32
    const int refused = _mkdir(folder);
#else
    const int refused = mkdir(folder, 0777);
#endif
    if (!refused || errno == EEXIST)
        return RP_OK;
    return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot make the folder", folder, "",
                       strerror(errno));
}

RpStatus Output_WriteInto(const char *folder, const char *file, const void *bytes, size_t size,
                          RpError *error) {
    char path[PATH_BYTES];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, file) >= sizeof path)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the path is too long", folder, "", "");
    return WriteWhole(path, bytes, size, false, error);
}
