#include "formats/archive/nres_names.h"

#include "core/text/encoding.h"
#include "core/text/windows_names.h"

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
    const size_t length = FieldLength(field);
    text[0] = 0;
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)field[i];
        if (byte < 0x20 || byte == 0x7F || byte == 0x98)
            text += snprintf(text, 5, "\\x%02X", byte);
        else
            Text1251_ToUtf8(field + i, 1, text);
        text += strlen(text);
    }
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

static bool IsManifest(const char *file) {
    static const char manifest[] = "manifest.json";
    size_t i = 0;
    while (manifest[i] && tolower((unsigned char)file[i]) == manifest[i])
        i++;
    return !manifest[i] && !file[i];
}

static bool IsHarmless(char c) {
    return isalnum((unsigned char)c) || (c != 0 && strchr("._-+ ()[]!#$%&'@^`{}=,;", c));
}

void ArchiveFile_Sanitise(const char field[RP_NRES_NAME_BYTES], char file[ARCHIVE_FILE_BYTES]) {
    const size_t length = FieldLength(field);
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        const bool is_ascii = (unsigned char)field[i] < 0x80;
        file[used++] = is_ascii && IsHarmless(field[i]) ? field[i] : '_';
    }
    file[used] = 0;
    while (used > 0 && (file[used - 1] == '.' || file[used - 1] == ' '))
        file[--used] = 0;
    if (used == 0 || file[0] == '.' || file[0] == ' ' || file[0] == '-' || IsManifest(file) ||
        WindowsName_IsReserved(file)) {
        memmove(file + 1, file, used + 1);
        file[0] = '_';
    }
}

typedef struct FileOrder {
    const char *file;
    uint32_t entry;
} FileOrder;

static int CompareFiles(const void *a, const void *b) {
    const FileOrder *left = a, *right = b;
    size_t i = 0;
    while (left->file[i] &&
           tolower((unsigned char)left->file[i]) == tolower((unsigned char)right->file[i]))
        i++;
    const int order =
        tolower((unsigned char)left->file[i]) - tolower((unsigned char)right->file[i]);
    return order ? order : (left->entry > right->entry) - (left->entry < right->entry);
}

/* "Land.msh" becomes "Land~12.msh"; no sanitised name has a tilde. */
static void AppendEntry(char *file, uint32_t entry) {
    char suffix[16];
    char *dot = strrchr(file, '.');
    const size_t at = dot && dot != file ? (size_t)(dot - file) : strlen(file);
    const int length = snprintf(suffix, sizeof suffix, "~%" PRIu32, entry);
    memmove(file + at + length, file + at, strlen(file + at) + 1);
    memcpy(file + at, suffix, (size_t)length);
}

static bool SameFile(const FileOrder *a, const FileOrder *b) {
    const FileOrder with_entry_of_a = {b->file, a->entry};
    return CompareFiles(a, &with_entry_of_a) == 0;
}

ArchiveFileName *ArchiveFile_Names(const RpNRes *archive) {
    ArchiveFileName *files = calloc((size_t)archive->count + 1, sizeof *files);
    FileOrder *order = calloc((size_t)archive->count + 1, sizeof *order);
    bool *repeats = calloc((size_t)archive->count + 1, sizeof *repeats);
    for (uint32_t i = 0; files && order && i < archive->count; i++) {
        ArchiveFile_Sanitise(RpNRes_Entry(archive, i).name, files[i].text);
        order[i] = (FileOrder){files[i].text, i};
    }
    if (files && order && repeats) {
        qsort(order, archive->count, sizeof *order, CompareFiles);
        for (uint32_t i = 1; i < archive->count; i++)
            repeats[order[i].entry] = SameFile(&order[i - 1], &order[i]);
        for (uint32_t i = 0; i < archive->count; i++)
            if (repeats[i])
                AppendEntry(files[i].text, i);
    } else {
        free(files);
        files = NULL;
    }
    free(order);
    free(repeats);
    return files;
}
