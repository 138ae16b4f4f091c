#include "formats/archive/edit_argument.h"

#include <stdbool.h>
#include <string.h>

RpStatus EditArgument_Refuse(const char *what, const char *argument, const char *expected,
                             RpError *error) {
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, what, argument, expected, "");
}

RpStatus EditArgument_MapFile(const char *path, Mapping *mapping, RpError *error) {
    const RpStatus status = Mapping_Open(path, mapping, error);
    if (status != RP_OK || mapping->size <= UINT32_MAX)
        return status;
    Mapping_Close(mapping);
    return EditArgument_Refuse("the file is too large", path, "at most 4294967295 bytes", error);
}

RpStatus EditArgument_MapNamed(const char *argument, Mapping *mapping, const char **name,
                               RpError *error) {
    char path[4096];

    /* The name stands behind the last colon that has no separator of folders behind it and no drive
     * before it. Without such a colon it is the name of the file. */
    size_t length = strlen(argument);
    const char *colon = strrchr(argument, ':');
    const bool is_drive = colon && colon == argument + 1 && (colon[1] == '\\' || colon[1] == '/');
    *name = argument;
    if (colon && !is_drive && !strpbrk(colon, "/\\")) {
        length = (size_t)(colon - argument);
        *name = colon + 1;
    } else {
        for (const char *at = argument; *at; at++)
            if (*at == '/' || *at == '\\')
                *name = at + 1;
    }
    if (length >= sizeof path)
        return EditArgument_Refuse("the path is too long", argument, "", error);
    memcpy(path, argument, length);
    path[length] = 0;
    return EditArgument_MapFile(path, mapping, error);
}
