/* Matches keys of functions with patterns of * and ?, ignoring case. It does without the C library,
 * which our DLLs do not have. */
#ifndef RETROPOSE_CORE_GLOB_H
#define RETROPOSE_CORE_GLOB_H

#include <stdbool.h>
#include <stddef.h>

static inline char Glob_Lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static inline bool Glob_Matches(const char *pattern, const char *text) {
    const char *star = NULL, *resume = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            resume = text;
        } else if (*pattern == '?' || Glob_Lower(*pattern) == Glob_Lower(*text)) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == 0;
}

#endif
