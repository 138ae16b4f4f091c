/* A part of a text, and the few operations that every reader of lines in this project needs:
 * settings, profiles, overlays, readings and signatures. Of the C library it uses memcmp and strlen
 * alone, which our DLLs have. */
#ifndef RETROPOSE_CORE_SPAN_H
#define RETROPOSE_CORE_SPAN_H

#include "core/glob.h"
#include "core/hex.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The characters are not terminated. `start` is null only where a function says so. */
typedef struct Span {
    const char *start;
    size_t length;
} Span;

static inline Span Span_OfText(const char *text) {
    return (Span){.start = text, .length = strlen(text)};
}

static inline bool Span_IsBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static inline bool Span_Equals(Span span, Span other) {
    return span.length == other.length && memcmp(span.start, other.start, span.length) == 0;
}

static inline bool Span_Is(Span span, const char *text) {
    return Span_Equals(span, Span_OfText(text));
}

static inline bool Span_EqualsIgnoringCase(Span span, Span other) {
    if (span.length != other.length)
        return false;
    for (size_t i = 0; i < span.length; i++)
        if (Glob_Lower(span.start[i]) != Glob_Lower(other.start[i]))
            return false;
    return true;
}

static inline bool Span_IsIgnoringCase(Span span, const char *text) {
    return Span_EqualsIgnoringCase(span, Span_OfText(text));
}

/* Returns the offset of the first `c`, or the length where there is none. */
static inline size_t Span_Find(Span span, char c) {
    size_t at = 0;
    while (at < span.length && span.start[at] != c)
        at++;
    return at;
}

static inline Span Span_Skip(Span span, size_t count) {
    return (Span){.start = span.start + count, .length = span.length - count};
}

static inline Span Span_Trim(Span span) {
    while (span.length > 0 && Span_IsBlank(span.start[0]))
        span = Span_Skip(span, 1);
    while (span.length > 0 && Span_IsBlank(span.start[span.length - 1]))
        span.length--;
    return span;
}

/* Reads digits of base 10 or 16. Returns false when there is nothing or anything else, or when the
 * number is larger than `most`. */
static inline bool Span_ToNumber(Span digits, unsigned base, uint64_t most, uint64_t *number) {
    *number = 0;
    for (size_t i = 0; i < digits.length; i++) {
        /* A character that is no digit gives the largest number, which is not below the base. */
        const uint64_t digit = (uint64_t)Hex_Digit(digits.start[i]);
        if (digit >= base || digit > most || *number > (most - digit) / base)
            return false;
        *number = *number * base + digit;
    }
    return digits.length > 0;
}

/* Returns the part of *list before `separator`, and moves *list behind it. After the last part, the
 * start of *list is null; so "a," has a second part, which is empty. */
static inline Span Span_CutPart(Span *list, char separator) {
    const Span part = {.start = list->start, .length = Span_Find(*list, separator)};
    *list = part.length < list->length ? Span_Skip(*list, part.length + 1) : (Span){0};
    return part;
}

/* Returns the text without the mark that editors put in front of UTF-8. */
static inline Span Span_SkipMark(Span text) {
    return text.length >= 3 && memcmp(text.start, "\xEF\xBB\xBF", 3) == 0 ? Span_Skip(text, 3)
                                                                          : text;
}

/* Returns the next line of *text, without its line end, and moves *text behind it as Span_CutPart
 * does. */
static inline Span Span_CutLine(Span *text) {
    Span line = Span_CutPart(text, '\n');
    if (line.length > 0 && line.start[line.length - 1] == '\r')
        line.length--;
    return line;
}

#endif
