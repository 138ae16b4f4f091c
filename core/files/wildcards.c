#define _POSIX_C_SOURCE 200809L /* opendir */

#include "core/files/wildcards.h"

#include "core/glob.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- patterns -------------------------------------------------------------------------------- */

/* Returns the part of a path behind its folder. */
static const char *LastPart(const char *path) {
    const char *last = path;
    for (const char *at = path; *at; at++)
#ifdef _WIN32
        if (*at == '/' || *at == '\\' || *at == ':')
#else
        if (*at == '/')
#endif
            last = at + 1;
    return last;
}

bool Wildcards_Are(const char *path) {
    const char *first = strpbrk(path, "*?");
    return first && first >= LastPart(path);
}

/* Returns the place of the next character of UTF-8. */
static const char *Next(const char *text) {
    text++;
    while (((unsigned char)*text & 0xC0) == 0x80)
        text++;
    return text;
}

/* Does what Glob_Matches does, but ? is a character of however many bytes. */
static bool Matches(const char *pattern, const char *text) {
    const char *star = NULL, *resume = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            resume = text;
        } else if (*pattern == '?') {
            pattern++;
            text = Next(text);
        } else if (Glob_Lower(*pattern) == Glob_Lower(*text)) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = resume = Next(resume);
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == 0;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static int Compare(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

RpStatus Wildcards_List(const char *path, WildcardNames *names, RpError *error) {
    const char *pattern = LastPart(path);
    const size_t length = (size_t)(pattern - path);
    size_t room = 0;
    bool kept = true;
    const struct dirent *item;
    *names = (WildcardNames){NULL, 0};
    DIR *folder = NULL;
    if (Wildcards_Are(path)) {
        char name[4096];
        /* "C:" is a drive's current folder */
        const bool named = length > 0 && path[length - 1] != ':';
        const int needed =
            snprintf(name, sizeof name, "%.*s%s", (int)length, path, named ? "" : ".");
        if (needed >= 0 && (size_t)needed < sizeof name)
            folder = opendir(name);
    }

    while (folder && kept && (item = readdir(folder))) {
        if ((item->d_name[0] == '.' && pattern[0] != '.') || !Matches(pattern, item->d_name))
            continue;
        if (names->count == room) {
            const size_t more = 2 * room + 16;
            char **list = realloc(names->list, more * sizeof *list);
            if (list) {
                names->list = list;
                room = more;
            }
        }
        const size_t size = strlen(item->d_name) + 1;
        char *whole = names->count < room ? malloc(length + size) : NULL;
        kept = whole != NULL;
        if (!kept)
            continue;
        memcpy(whole, path, length);
        memcpy(whole + length, item->d_name, size);
        names->list[names->count++] = whole;
    }
    if (folder)
        closedir(folder);
    if (names->count > 0)
        qsort(names->list, names->count, sizeof *names->list, Compare);
    return kept ? RP_OK : RpMemory_Refused(error, path);
}

void Wildcards_Free(WildcardNames *names) {
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
    *names = (WildcardNames){NULL, 0};
}
