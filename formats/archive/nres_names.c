#include "formats/archive/nres_names.h"

#include "core/text/encoding.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

static size_t FieldLength(const char *field) {
    const char *end = memchr(field, 0, RP_NRES_NAME_BYTES);
    return end ? (size_t)(end - field) : RP_NRES_NAME_BYTES;
}

void ArchiveName_ToUtf8(const char field[RP_NRES_NAME_BYTES], char text[ARCHIVE_NAME_BYTES]) {
    Text1251_ToUtf8(field, FieldLength(field), text);
}

bool ArchiveName_FromUtf8(const char *text, char field[RP_NRES_NAME_BYTES]) {
    char bytes[RP_NRES_NAME_BYTES] = {0};
    bool exact = false;
    Text1251_FromUtf8(text, bytes, sizeof bytes, &exact);
    memcpy(field, bytes, sizeof bytes);
    return exact;
}

void ArchiveName_Show(const char field[RP_NRES_NAME_BYTES], char text[ARCHIVE_SHOWN_BYTES]) {
    Text1251_Show(field, FieldLength(field), text, ARCHIVE_SHOWN_BYTES);
}

/* ---- types ----------------------------------------------------------------------------------- */

static bool IsFourCC(const char *text) {
    for (int i = 0; i < 4; i++) {
        const unsigned char c = (unsigned char)text[i];
        const bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (!is_letter && (i == 0 || !((c >= '0' && c <= '9') || c == ' ' || c == '_')))
            return false;
    }
    return true;
}

static void Spell(uint32_t type, char text[5]) {
    for (int i = 0; i < 4; i++)
        text[i] = (char)(type >> (8 * i) & 0xFF);
    text[4] = 0;
}

bool ArchiveType_IsFourCC(uint32_t type) {
    char text[5];
    Spell(type, text);
    return IsFourCC(text);
}

void ArchiveType_Show(uint32_t type, char text[ARCHIVE_TYPE_BYTES]) {
    if (ArchiveType_IsFourCC(type))
        Spell(type, text);
    else
        snprintf(text, ARCHIVE_TYPE_BYTES, "%" PRIu32, type);
}

bool ArchiveNumber_Parse(const char *text, uint32_t *number) {
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 0);
    if (!isdigit((unsigned char)text[0]) || *end || errno || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    return true;
}

bool ArchiveType_Parse(const char *text, uint32_t *type) {
    if (strlen(text) != 4 || !IsFourCC(text))
        return ArchiveNumber_Parse(text, type);
    *type = 0;
    for (int i = 0; i < 4; i++)
        *type |= (uint32_t)(unsigned char)text[i] << (8 * i);
    return true;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void Sanitise(const void *archive, uint32_t index, char file[MEMBER_FILE_BYTES]) {
    const RpNResEntry entry = RpNRes_Entry(archive, index);
    MemberFile_Sanitise(entry.name, entry.name_length, file);
}

MemberFileName *ArchiveFile_Names(const RpNRes *archive) {
    return MemberFile_Names(archive, archive->count, Sanitise);
}
