#include "formats/archive/nres_edit.h"

#include "formats/archive/edit_argument.h"
#include "formats/archive/nres_names.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBER_BYTES = 256 };

/* Finds the member that `length` characters of the argument name. */
static RpStatus FindMember(const RpNResArchive *archive, const char *argument, size_t length,
                           uint32_t *index, RpError *error) {
    char text[MEMBER_BYTES], field[RP_NRES_NAME_BYTES + 1] = {0};
    if (length >= sizeof text)
        return EditArgument_Refuse("there is no such member", argument, "a name, or #index", error);
    memcpy(text, argument, length);
    text[length] = 0;
    if (text[0] == '#' && ArchiveNumber_Parse(text + 1, index) && *index < archive->count)
        return RP_OK;
    const int32_t found =
        ArchiveName_FromUtf8(text, field) ? RpNResArchive_Find(archive, field) : -1;
    if (found < 0) {
        char shown[ARCHIVE_SHOWN_BYTES], expected[sizeof error->expected];
        MemberNearest nearest;
        MemberNearest_Init(&nearest, text);
        for (uint32_t i = 0; i < archive->count; i++) {
            ArchiveName_Show(archive->members[i].name, shown);
            MemberNearest_Offer(&nearest, shown);
        }
        snprintf(expected, sizeof expected, "a name%s%s, or #index",
                 nearest.best[0] ? ", perhaps " : "", nearest.best);
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "there is no such member", text,
                           expected, "");
    }
    *index = (uint32_t)found;
    return RP_OK;
}

/* Divides MEMBER=REST into its two parts. */
static RpStatus SplitMember(const RpNResArchive *archive, const char *argument, uint32_t *index,
                            const char **rest, RpError *error) {
    const char *equals = strchr(argument, '=');
    if (!equals)
        return EditArgument_Refuse("the operation lacks an equals sign", argument, "MEMBER=...",
                                   error);
    *rest = equals + 1;
    return FindMember(archive, argument, (size_t)(equals - argument), index, error);
}

/* ---- add ------------------------------------------------------------------------------------- */

static RpStatus Add(RpNResArchive *archive, const char *argument, RpError *error) {
    const char *name;
    Mapping mapping;
    RpStatus status = EditArgument_MapNamed(argument, &mapping, &name, error);
    if (status != RP_OK)
        return status;
    RpNResMember member = {.data = mapping.bytes, .size = (uint32_t)mapping.size};
    if (!ArchiveName_FromUtf8(name, member.name))
        status = EditArgument_Refuse("the name fits no member", name,
                                     "1 to 35 characters of Windows-1251", error);
    else
        status = RpNResArchive_Add(archive, archive->count, &member, error);
    Mapping_Close(&mapping);
    return status;
}

/* ---- the others ------------------------------------------------------------------------------ */

static RpStatus Replace(RpNResArchive *archive, const char *argument, RpError *error) {
    uint32_t index = 0;
    const char *path = NULL;
    Mapping mapping;
    RpStatus status = SplitMember(archive, argument, &index, &path, error);
    if (status == RP_OK)
        status = EditArgument_MapFile(path, &mapping, error);
    if (status != RP_OK)
        return status;
    status = RpNResArchive_Replace(archive, index, mapping.bytes, mapping.size, error);
    Mapping_Close(&mapping);
    return status;
}

static RpStatus Remove(RpNResArchive *archive, const char *argument, RpError *error) {
    uint32_t index = 0;
    const RpStatus status = FindMember(archive, argument, strlen(argument), &index, error);
    return status == RP_OK ? RpNResArchive_Remove(archive, index, error) : status;
}

static RpStatus Rename(RpNResArchive *archive, const char *argument, RpError *error) {
    char field[RP_NRES_NAME_BYTES + 1] = {0};
    uint32_t index = 0;
    const char *name = NULL;
    const RpStatus status = SplitMember(archive, argument, &index, &name, error);
    if (status != RP_OK)
        return status;
    if (!ArchiveName_FromUtf8(name, field))
        return EditArgument_Refuse("the name fits no member", name,
                                   "1 to 35 characters of Windows-1251", error);
    return RpNResArchive_Rename(archive, index, field, error);
}

static RpStatus Move(RpNResArchive *archive, const char *argument, RpError *error) {
    uint32_t index = 0, position = 0;
    const char *text = NULL;
    const RpStatus status = SplitMember(archive, argument, &index, &text, error);
    if (status != RP_OK)
        return status;
    if (!ArchiveNumber_Parse(text, &position))
        return EditArgument_Refuse("the position is no number", argument, "MEMBER=POSITION", error);
    return RpNResArchive_Move(archive, index, position, error);
}

/* The field stands between the last dot and the equals sign, because names have dots, too. */
static RpStatus Set(RpNResArchive *archive, const char *argument, RpError *error) {
    static const char expected[] = "MEMBER.FIELD=VALUE with type, attr1, attr2 or attr3";
    char text[MEMBER_BYTES];
    uint32_t index = 0;
    char *equals = NULL, *dot = NULL;
    if ((size_t)snprintf(text, sizeof text, "%s", argument) < sizeof text)
        equals = strrchr(text, '=');
    if (equals) {
        *equals = 0;
        dot = strrchr(text, '.');
    }
    if (!dot)
        return EditArgument_Refuse("the operation names no field", argument, expected, error);
    *dot = 0;
    const RpStatus status = FindMember(archive, text, strlen(text), &index, error);
    if (status != RP_OK)
        return status;
    RpNResMember *member = &archive->members[index];
    const char *field = dot + 1, *value = equals + 1;
    char *end = NULL;
    errno = 0;
    const unsigned long long number = strtoull(value, &end, 0);
    if (isdigit((unsigned char)value[0]) && !*end && (errno == ERANGE || number > UINT32_MAX))
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the number is too large", argument,
                           "at most 4294967295", value);
    uint32_t *const attribute = strcmp(field, "attr1") == 0   ? &member->attr1
                                : strcmp(field, "attr2") == 0 ? &member->attr2
                                : strcmp(field, "attr3") == 0 ? &member->attr3
                                                              : NULL;
    if (strcmp(field, "type") == 0 ? !ArchiveType_Parse(value, &member->type)
                                   : !attribute || !ArchiveNumber_Parse(value, attribute))
        return EditArgument_Refuse("the field cannot be set so", argument, expected, error);
    return RP_OK;
}

static RpStatus Sort(RpNResArchive *archive, const char *argument, RpError *error) {
    uint32_t mode = RP_NRES_SORT_COUNT;
    if (!ArchiveNumber_Parse(argument, &mode))
        for (mode = 0; mode < RP_NRES_SORT_COUNT; mode++)
            if (strcmp(RpNResSort_Name((RpNResSort)mode), argument) == 0)
                break;
    if (mode < RP_NRES_SORT_COUNT)
        return RpNResArchive_Sort(archive, (RpNResSort)mode, error);
    return EditArgument_Refuse(
        "the order is unknown", argument,
        "none, attr1, attr2, attr1+attr2, type, type+attr1, type+attr1-again, "
        "type+attr1+attr2, name, type+name, attr1+name, attr2+name, or 0 to 11",
        error);
}

RpStatus ArchiveEdit_Apply(RpNResArchive *archive, const char *operation, const char *argument,
                           RpError *error) {
    static const struct {
        const char *name;
        RpStatus (*apply)(RpNResArchive *archive, const char *argument, RpError *error);
    } operations[] = {
        {"add", Add},   {"replace", Replace}, {"remove", Remove}, {"rename", Rename},
        {"move", Move}, {"set", Set},         {"sort", Sort},
    };
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].name, operation) == 0)
            return operations[i].apply(archive, argument, error);
    return EditArgument_Refuse("the operation is unknown", operation,
                               "add, replace, remove, rename, move, set or sort", error);
}
