#include "formats/archive/rsli_names.h"

#include "core/text/encoding.h"
#include "core/text/windows_names.h"
#include "formats/rsli/rules.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void LibraryName_ToUtf8(const uint8_t name[RP_RSLI_NAME_BYTES], char text[LIBRARY_NAME_BYTES]) {
    Text1251_ToUtf8((const char *)name, RsLi_NameLength(name), text);
}

void LibraryName_Show(const uint8_t name[RP_RSLI_NAME_BYTES], char text[LIBRARY_SHOWN_BYTES]) {
    size_t length = RsLi_NameLength(name);
    text[0] = 0;
    for (size_t i = 0; i < length; i++) {
        if (name[i] < 0x20 || name[i] == 0x7F || name[i] == 0x98)
            snprintf(text, 5, "\\x%02X", name[i]);
        else
            Text1251_ToUtf8((const char *)name + i, 1, text);
        text += strlen(text);
    }
}

bool LibraryName_FromUtf8(const char *text, char name[RP_RSLI_NAME_BYTES + 1]) {
    bool exact = false;
    size_t used = Text1251_FromUtf8(text, name, RP_RSLI_NAME_BYTES, &exact);
    name[used] = 0;
    return exact && used > 0;
}

static bool IsHarmless(uint8_t c) {
    return c < 0x80 && (isalnum(c) || (c != 0 && strchr("._-+ ()[]!#$%&'@^{}=,;", c)));
}

/* Never empty, no separators, no names that Windows reserves, no tilde; too short for
 * "manifest.json". */
static void Sanitise(const uint8_t name[RP_RSLI_NAME_BYTES], char file[LIBRARY_FILE_BYTES]) {
    size_t length = RsLi_NameLength(name), used = 0;
    for (size_t i = 0; i < length; i++)
        file[used++] = IsHarmless(name[i]) ? (char)name[i] : '_';
    while (used > 0 && (file[used - 1] == '.' || file[used - 1] == ' '))
        used--;
    file[used] = 0;
    if (used == 0 || strchr(". -", file[0]) || WindowsName_IsReserved(file)) {
        memmove(file + 1, file, used + 1);
        file[0] = '_';
    }
}

typedef struct FileOrder {
    const char *file;
    uint32_t entry;
} FileOrder;

static int CompareText(const char *a, const char *b) {
    while (*a && toupper((unsigned char)*a) == toupper((unsigned char)*b))
        a++, b++;
    return toupper((unsigned char)*a) - toupper((unsigned char)*b);
}

static int CompareFiles(const void *a, const void *b) {
    const FileOrder *left = a, *right = b;
    int order = CompareText(left->file, right->file);
    return order ? order : (left->entry > right->entry) - (left->entry < right->entry);
}

/* "A.TEX" becomes "A~12.TEX"; no sanitised name has a tilde. */
static void AppendEntry(char *file, uint32_t entry) {
    char suffix[16];
    char *dot = strrchr(file, '.');
    size_t at = dot && dot != file ? (size_t)(dot - file) : strlen(file);
    int length = snprintf(suffix, sizeof suffix, "~%u", (unsigned)entry);
    memmove(file + at + length, file + at, strlen(file + at) + 1);
    memcpy(file + at, suffix, (size_t)length);
}

static void MakeDifferent(LibraryFileName *files, const FileOrder *order, bool *repeats,
                          uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        repeats[order[i].entry] = CompareText(order[i - 1].file, order[i].file) == 0;
    for (uint32_t i = 0; i < count; i++)
        if (repeats[i])
            AppendEntry(files[i].text, i);
}

LibraryFileName *LibraryFile_Names(const RpRsLi *library) {
    size_t room = (size_t)library->count + 1;
    LibraryFileName *files = calloc(room, sizeof *files);
    FileOrder *order = calloc(room, sizeof *order);
    bool *repeats = calloc(room, sizeof *repeats);
    if (files && order && repeats) {
        for (uint32_t i = 0; i < library->count; i++) {
            Sanitise(library->records[i].name, files[i].text);
            order[i] = (FileOrder){files[i].text, i};
        }
        qsort(order, library->count, sizeof *order, CompareFiles);
        MakeDifferent(files, order, repeats, library->count);
    } else {
        free(files);
        files = NULL;
    }
    free(order);
    free(repeats);
    return files;
}
