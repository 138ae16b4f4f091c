#include "formats/library_edit.h"

#include "formats/archive_names.h"
#include "formats/library_names.h"
#include "formats/mapping.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRY_BYTES = 64 };

static RpStatus Refuse(const char *what, const char *argument, const char *expected,
                       RpError *error) {
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, what, argument, expected, "");
}

/* `length` characters of the argument name an entry. */
static RpStatus FindEntry(const RpRsLiArchive *archive, const char *argument, size_t length,
                          uint32_t *index, RpError *error) {
    char text[ENTRY_BYTES], name[RP_RSLI_NAME_BYTES + 1];
    if (length >= sizeof text)
        return Refuse("there is no such entry", argument, "a name, or #index", error);
    memcpy(text, argument, length);
    text[length] = 0;
    if (text[0] == '#' && ArchiveNumber_Parse(text + 1, index) && *index < archive->count)
        return RP_OK;
    int32_t found =
        LibraryName_FromUtf8(text, name) ? RpRsLiArchive_Find(archive, name) : RP_NO_INDEX;
    if (found < 0)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "there is no such entry", text,
                           "a name, or #index", "");
    *index = (uint32_t)found;
    return RP_OK;
}

/* ENTRY=REST */
static RpStatus SplitEntry(const RpRsLiArchive *archive, const char *argument, uint32_t *index,
                           const char **rest, RpError *error) {
    const char *equals = strchr(argument, '=');
    if (!equals)
        return Refuse("the operation lacks an equals sign", argument, "ENTRY=...", error);
    *rest = equals + 1;
    return FindEntry(archive, argument, (size_t)(equals - argument), index, error);
}

static RpStatus MapFile(const char *path, Mapping *mapping, RpError *error) {
    RpStatus status = Mapping_Open(path, mapping, error);
    if (status || mapping->size <= UINT32_MAX)
        return status;
    Mapping_Close(mapping);
    return Refuse("the file is too large", path, "less than 4 GiB", error);
}

/* ---- add ------------------------------------------------------------------------------------- */

/* Behind the last colon that has no separator of folders behind it and no drive before it. */
static const char *FindName(const char *argument, size_t *path_length) {
    const char *colon = strrchr(argument, ':');
    bool is_drive = colon && colon == argument + 1 && (colon[1] == '\\' || colon[1] == '/');
    if (colon && !is_drive && !strpbrk(colon, "/\\")) {
        *path_length = (size_t)(colon - argument);
        return colon + 1;
    }
    *path_length = strlen(argument);
    const char *name = argument;
    for (const char *at = argument; *at; at++)
        if (*at == '/' || *at == '\\')
            name = at + 1;
    return name;
}

static RpStatus Add(LibraryEditor *editor, const char *argument, RpError *error) {
    char path[4096], name[RP_RSLI_NAME_BYTES + 1];
    size_t length = 0;
    const char *named = FindName(argument, &length);
    if (length >= sizeof path)
        return Refuse("the path is too long", argument, "", error);
    memcpy(path, argument, length);
    path[length] = 0;
    if (!LibraryName_FromUtf8(named, name))
        return Refuse("the name fits no entry", named, "1 to 12 characters of Windows-1251", error);
    Mapping mapping;
    RpStatus status = MapFile(path, &mapping, error);
    if (status)
        return status;
    uint32_t method = editor->method < 0 ? RP_RSLI_DEFLATE : (uint32_t)editor->method;
    status = RpRsLiArchive_Add(editor->archive, editor->archive->count, name, method, mapping.bytes,
                               (uint32_t)mapping.size, error);
    Mapping_Close(&mapping);
    return status;
}

/* ---- the others ------------------------------------------------------------------------------ */

static uint32_t MethodFor(const LibraryEditor *editor, uint32_t index) {
    return editor->method < 0 ? editor->archive->members[index].record.flags
                              : (uint32_t)editor->method;
}

static RpStatus Replace(LibraryEditor *editor, const char *argument, RpError *error) {
    uint32_t index = 0;
    const char *path = NULL;
    Mapping mapping;
    RpStatus status = SplitEntry(editor->archive, argument, &index, &path, error);
    if (status == RP_OK)
        status = MapFile(path, &mapping, error);
    if (status)
        return status;
    status = RpRsLiArchive_Replace(editor->archive, index, MethodFor(editor, index), mapping.bytes,
                                   (uint32_t)mapping.size, error);
    Mapping_Close(&mapping);
    return status;
}

static RpStatus Remove(LibraryEditor *editor, const char *argument, RpError *error) {
    uint32_t index = 0;
    RpStatus status = FindEntry(editor->archive, argument, strlen(argument), &index, error);
    return status ? status : RpRsLiArchive_Remove(editor->archive, index, error);
}

static RpStatus Rename(LibraryEditor *editor, const char *argument, RpError *error) {
    char name[RP_RSLI_NAME_BYTES + 1];
    uint32_t index = 0;
    const char *named = NULL;
    RpStatus status = SplitEntry(editor->archive, argument, &index, &named, error);
    if (status)
        return status;
    if (!LibraryName_FromUtf8(named, name))
        return Refuse("the name fits no entry", named, "1 to 12 characters of Windows-1251", error);
    return RpRsLiArchive_Rename(editor->archive, index, name, error);
}

static RpStatus Move(LibraryEditor *editor, const char *argument, RpError *error) {
    uint32_t index = 0, position = 0;
    const char *text = NULL;
    RpStatus status = SplitEntry(editor->archive, argument, &index, &text, error);
    if (status)
        return status;
    if (!ArchiveNumber_Parse(text, &position))
        return Refuse("the position is no number", argument, "ENTRY=POSITION", error);
    return RpRsLiArchive_Move(editor->archive, index, position, error);
}

static RpStatus Repack(LibraryEditor *editor, const char *argument, RpError *error) {
    uint32_t index = 0;
    RpStatus status = FindEntry(editor->archive, argument, strlen(argument), &index, error);
    if (status)
        return status;
    const RpRsLiMember *member = &editor->archive->members[index];
    uint32_t flags = member->record.flags, size = member->record.unpacked_size;
    if (size > RpRsLiMethod_MostUnpacked(flags, member->packed_size))
        return RpError_Set(error, RP_CORRUPT, RP_NOWHERE,
                           "R21: more bytes than the packed ones can hold", argument, "", "");
    uint8_t *output = malloc((size_t)size + 1);
    void *work = malloc(RP_RSLI_WORK_BYTES);
    if (output && work)
        status = RpRsLi_Unpack(flags, member->packed_key, member->packed, member->packed_size,
                               output, size, work, NULL, error);
    else
        status = RpMemory_Refused(error, argument);
    if (status == RP_OK)
        status = RpRsLiArchive_Replace(editor->archive, index, MethodFor(editor, index), output,
                                       size, error);
    free(output);
    free(work);
    return status;
}

static RpStatus SetMethod(LibraryEditor *editor, const char *argument, RpError *error) {
    int32_t method = RpRsLiMethod_Parse(argument);
    if (method < 0)
        return Refuse("the packing method is unknown", argument,
                      "stored, xor, lzss, xor+lzss, huffman, xor+huffman or deflate", error);
    editor->method = method;
    return RP_OK;
}

RpStatus LibraryEdit_Apply(LibraryEditor *editor, const char *operation, const char *argument,
                           RpError *error) {
    static const struct {
        const char *name;
        RpStatus (*apply)(LibraryEditor *editor, const char *argument, RpError *error);
    } operations[] = {{"method", SetMethod}, {"add", Add},   {"replace", Replace},
                      {"remove", Remove},    {"move", Move}, {"rename", Rename},
                      {"repack", Repack}};
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].name, operation) == 0)
            return operations[i].apply(editor, argument, error);
    return Refuse("there is no such operation", operation,
                  "method, add, replace, remove, rename, move or repack", error);
}
