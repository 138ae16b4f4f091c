#include "formats/archive/member_names.h"

#include "core/text/windows_names.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one name -------------------------------------------------------------------------------- */

/* Compares as strcmp does, but takes letters of either case as equal. */
static int CompareText(const char *a, const char *b) {
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b))
        a++, b++;
    return tolower((unsigned char)*a) - tolower((unsigned char)*b);
}

void MemberFile_Sanitise(const char *name, size_t length, char file[MEMBER_FILE_BYTES]) {
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        const char c = name[i];
        const unsigned char byte = (unsigned char)c;
        const bool is_harmless =
            byte < 0x80 && (isalnum(byte) || (c != 0 && strchr("._-+ ()[]!#$%&'@^`{}=,;", c)));
        file[used++] = is_harmless ? c : '_';
    }
    while (used > 0 && (file[used - 1] == '.' || file[used - 1] == ' '))
        used--;
    file[used] = 0;

    /* Retropose reads its own files without being told to (retropose.toml, retropose.ini), and the
     * manifest beside the members. */
    char start[sizeof "retropose."];
    snprintf(start, sizeof start, "%s", file);
    const bool is_read =
        CompareText(start, "retropose.") == 0 || CompareText(file, MEMBER_MANIFEST_FILE) == 0;
    if (used == 0 || strchr(". -", file[0]) || is_read || WindowsName_IsReserved(file)) {
        memmove(file + 1, file, used + 1);
        file[0] = '_';
    }
}

/* ---- making names different ------------------------------------------------------------------ */

typedef struct FileOrder {
    const char *file;
    uint32_t index;
} FileOrder;

static int CompareFiles(const void *a, const void *b) {
    const FileOrder *left = a, *right = b;
    const int order = CompareText(left->file, right->file);
    return order ? order : (left->index > right->index) - (left->index < right->index);
}

MemberFileName *MemberFile_Names(const void *archive, uint32_t count,
                                 void (*sanitise)(const void *archive, uint32_t index,
                                                  char file[MEMBER_FILE_BYTES])) {
    const size_t room = (size_t)count + 1;
    MemberFileName *files = calloc(room, sizeof *files);
    FileOrder *order = calloc(room, sizeof *order);
    bool *repeats = calloc(room, sizeof *repeats);
    if (files && order && repeats) {
        for (uint32_t i = 0; i < count; i++) {
            sanitise(archive, i, files[i].text);
            order[i] = (FileOrder){files[i].text, i};
        }

        /* Appends an index to every name that an earlier member has. */
        qsort(order, count, sizeof *order, CompareFiles);
        for (uint32_t i = 1; i < count; i++)
            repeats[order[i].index] = CompareText(order[i - 1].file, order[i].file) == 0;
        for (uint32_t i = 0; i < count; i++)
            if (repeats[i]) {
                /* Makes "Land~12.msh" from "Land.msh". No other name can be the same, because
                 * sanitised names have no tilde. */
                char *file = files[i].text;
                char suffix[16];
                const char *dot = strrchr(file, '.');
                const size_t at = dot && dot != file ? (size_t)(dot - file) : strlen(file);
                const int length = snprintf(suffix, sizeof suffix, "~%" PRIu32, i);
                memmove(file + at + length, file + at, strlen(file + at) + 1);
                memcpy(file + at, suffix, (size_t)length);
            }
    } else {
        free(files);
        files = NULL;
    }
    free(order);
    free(repeats);
    return files;
}

/* ---- suggestions for mistyped names ---------------------------------------------------------- */

void MemberNearest_Init(MemberNearest *nearest, const char *typed) {
    Nearest_Init(&nearest->nearest, typed);
    nearest->best[0] = 0;
}

void MemberNearest_Offer(MemberNearest *nearest, const char *name) {
    Nearest_Offer(&nearest->nearest, name);
    if (nearest->nearest.best == name) /* the caller's text need not stay valid */
        snprintf(nearest->best, sizeof nearest->best, "%s", name);
    nearest->nearest.best = NULL;
}
