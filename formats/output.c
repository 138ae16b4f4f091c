#define _POSIX_C_SOURCE 200809L /* fsync, fileno, mkdir */

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

static int Replace(const char *from, const char *to) {
#ifdef _WIN32
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) ? 0 : -1;
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

RpStatus Output_WriteBytes(const char *path, const void *bytes, size_t size, RpError *error) {
    char temporary[4096];
    if (strcmp(path, "-") == 0)
        return WriteStandardOutput(bytes, size, error);
    if ((size_t)snprintf(temporary, sizeof temporary, "%s.part", path) >= sizeof temporary) {
        errno = ENAMETOOLONG;
        return Refuse(path, error);
    }
    FILE *file = fopen(temporary, "wb");
    if (!file)
        return Refuse(path, error);
    bool written = WriteAll(file, bytes, size) && Flush(file);
    written = fclose(file) == 0 && written;
    if (written && Replace(temporary, path) == 0)
        return RP_OK;
    Refuse(path, error);
    remove(temporary);
    return RP_IO;
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
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, file) >= sizeof path)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the path is too long", folder, "", "");
    return Output_WriteBytes(path, bytes, size, error);
}
