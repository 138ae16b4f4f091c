#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#endif

static int Replace(const char *from, const char *to) {
#ifdef _WIN32
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) ? 0 : -1;
#else
    return rename(from, to);
#endif
}

static RpStatus Refuse(const char *path, RpError *error) {
    return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot write the file", path, "",
                       strerror(errno));
}

RpStatus Output_Write(const char *path, const char *text, RpError *error) {
    char temporary[4096];
    if (strcmp(path, "-") == 0)
        return fputs(text, stdout) < 0 || fflush(stdout) ? Refuse(path, error) : RP_OK;
    if ((size_t)snprintf(temporary, sizeof temporary, "%s.part", path) >= sizeof temporary) {
        errno = ENAMETOOLONG;
        return Refuse(path, error);
    }
    FILE *file = fopen(temporary, "wb");
    if (!file)
        return Refuse(path, error);
    int failed = fputs(text, file) < 0;
    failed |= fclose(file) != 0;
    if (!failed && Replace(temporary, path) == 0)
        return RP_OK;
    Refuse(path, error);
    remove(temporary);
    return RP_IO;
}
