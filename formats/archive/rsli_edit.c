#include "formats/archive/rsli_edit.h"

#include "formats/archive/edit_argument.h"
#include "formats/archive/nres_names.h"
#include "formats/archive/rsli_names.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRY_BYTES = 64 };

/* Finds the entry that `length` characters of the argument name. */
static RpStatus FindEntry(const RpRsLiArchive *archive, const char *argument, size_t length,
                          uint32_t *index, RpError *error) {
    char text[ENTRY_BYTES], name[RP_RSLI_NAME_BYTES + 1];
    if (length >= sizeof text)
        return EditArgument_Refuse("there is no such entry", argument, "a name, or #index", error);
    memcpy(text, argument, length);
    text[length] = 0;
    if (text[0] == '#' && ArchiveNumber_Parse(text + 1, index) && *index < archive->count)
        return RP_OK;
    int32_t found = RsLiName_FromUtf8(text, name) ? RpRsLiArchive_Find(archive, name) : RP_NO_INDEX;
    if (found < 0)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "there is no such entry", text,
                           "a name, or #index", "");
    *index = (uint32_t)found;
    return RP_OK;
}

/* Divides ENTRY=REST into its two parts. */
static RpStatus SplitEntry(const RpRsLiArchive *archive, const char *argument, uint32_t *index,
                           const char **rest, RpError *error) {
    const char *equals = strchr(argument, '=');
    if (!equals)
        return EditArgument_Refuse("the operation lacks an equals sign", argument, "ENTRY=...",
                                   error);
    *rest = equals + 1;
    return FindEntry(archive, argument, (size_t)(equals - argument), index, error);
}

/* ---- add ------------------------------------------------------------------------------------- */

static RpStatus Add(RsLiEditor *editor, const char *argument, RpError *error) {
    const char *named;
    char name[RP_RSLI_NAME_BYTES + 1];
    const uint32_t method = editor->method < 0 ? RP_RSLI_DEFLATE : (uint32_t)editor->method;
    Mapping mapping;
    RpStatus status = EditArgument_MapNamed(argument, &mapping, &named, error);
    if (status)
        return status;
    if (!RsLiName_FromUtf8(named, name))
        status = EditArgument_Refuse("the name fits no entry", named,
                                     "1 to 12 characters of Windows-1251", error);
    else
        status = RpRsLiArchive_Add(editor->archive, editor->archive->count, name, method,
                                   mapping.bytes, mapping.size, error);
    Mapping_Close(&mapping);
    return status;
}

/* ---- the others ------------------------------------------------------------------------------ */

static uint32_t MethodFor(const RsLiEditor *editor, uint32_t index) {
    return editor->method < 0 ? editor->archive->members[index].record.flags
                              : (uint32_t)editor->method;
}

static RpStatus Replace(RsLiEditor *editor, const char *argument, RpError *error) {
    uint32_t index = 0;
    const char *path = NULL;
    Mapping mapping;
    RpStatus status = SplitEntry(editor->archive, argument, &index, &path, error);
    if (status == RP_OK)
        status = EditArgument_MapFile(path, &mapping, error);
    if (status)
        return status;
    status = RpRsLiArchive_Replace(editor->archive, index, MethodFor(editor, index), mapping.bytes,
                                   mapping.size, error);
    Mapping_Close(&mapping);
    return status;
}

static RpStatus Remove(RsLiEditor *editor, const char *argument, RpError *error) {
    uint32_t index = 0;
    RpStatus status = FindEntry(editor->archive, argument, strlen(argument), &index, error);
    return status ? status : RpRsLiArchive_Remove(editor->archive, index, error);
}

static RpStatus Rename(RsLiEditor *editor, const char *argument, RpError *error) {
    char name[RP_RSLI_NAME_BYTES + 1];
    uint32_t index = 0;
    const char *named = NULL;
    RpStatus status = SplitEntry(editor->archive, argument, &index, &named, error);
    if (status)
        return status;
    if (!RsLiName_FromUtf8(named, name))
        return EditArgument_Refuse("the name fits no entry", named,
                                   "1 to 12 characters of Windows-1251", error);
    return RpRsLiArchive_Rename(editor->archive, index, name, error);
}

static RpStatus Move(RsLiEditor *editor, const char *argument, RpError *error) {
    uint32_t index = 0, position = 0;
    const char *text = NULL;
    RpStatus status = SplitEntry(editor->archive, argument, &index, &text, error);
    if (status)
        return status;
    if (!ArchiveNumber_Parse(text, &position))
        return EditArgument_Refuse("the position is no number", argument, "ENTRY=POSITION", error);
    return RpRsLiArchive_Move(editor->archive, index, position, error);
}

static RpStatus Repack(RsLiEditor *editor, const char *argument, RpError *error) {
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

static RpStatus SetMethod(RsLiEditor *editor, const char *argument, RpError *error) {
    int32_t method = RpRsLiMethod_Parse(argument);
    if (method < 0)
        return EditArgument_Refuse("the packing method is unknown", argument,
                                   "stored, xor, lzss, xor+lzss, huffman, xor+huffman or deflate",
                                   error);
    editor->method = method;
    return RP_OK;
}

RpStatus RsLiEdit_Apply(RsLiEditor *editor, const char *operation, const char *argument,
                        RpError *error) {
    static const struct {
        const char *name;
        RpStatus (*apply)(RsLiEditor *editor, const char *argument, RpError *error);
    } operations[] = {{"method", SetMethod}, {"add", Add},   {"replace", Replace},
                      {"remove", Remove},    {"move", Move}, {"rename", Rename},
                      {"repack", Repack}};
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].name, operation) == 0)
            return operations[i].apply(editor, argument, error);
    return EditArgument_Refuse("there is no such operation", operation,
                               "method, add, replace, remove, rename, move or repack", error);
}
