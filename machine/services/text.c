/* Characters of code page 1252, which Windows uses in western Europe, and of UTF-8. All functions
 * say the same of a character, because a runtime of 2001 tries one function after the other. */
#include "core/bytes.h"
#include "machine/services/service_state.h"

#include <string.h>

#define PAGE_1252   1252u
#define PAGE_UTF8   65001u
#define ACTIVE_PAGE 0u /* the code page; 1, 2 and 3 are other names of it here */
#define LAST_ALIAS  3u
#define BAD_IS_END  8u /* MB_ERR_INVALID_CHARS */
#define MOST_TEXT   0x01000000u
#define LOCALE      0x0409u

static uint16_t LowerOf(uint16_t c) {
    if ((c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7))
        return (uint16_t)(c + 0x20);
    if (c == 0x0160 || c == 0x0152 || c == 0x017D)
        return (uint16_t)(c + 1);
    return c == 0x0178 ? 0xFF : c;
}

static uint16_t UpperOf(uint16_t c) {
    if ((c >= 'a' && c <= 'z') || (c >= 0xE0 && c <= 0xFE && c != 0xF7))
        return (uint16_t)(c - 0x20);
    if (c == 0x0161 || c == 0x0153 || c == 0x017E)
        return (uint16_t)(c - 1);
    return c == 0xFF ? 0x0178 : c;
}

bool Text_IsSame(const char *a, const char *b) {
    for (; *a && *b; a++, b++) {
        char left = *a >= 'A' && *a <= 'Z' ? (char)(*a + 0x20) : *a;
        char right = *b >= 'A' && *b <= 'Z' ? (char)(*b + 0x20) : *b;
        if (left != right)
            return false;
    }
    return *a == *b;
}

const char *Text_BaseName(const char *path) {
    const char *name = path;
    for (; *path; path++)
        if (*path == '\\' || *path == '/' || *path == ':')
            name = path + 1;
    return name;
}

/* ---- from one encoding to another ------------------------------------------------------------ */

/* A text that a function reads from the guest, character by character. */
typedef struct Source {
    Machine *machine;
    uint32_t at, left; /* units that have not been read yet */
    bool failed;       /* the text cannot be read */
} Source;

static uint32_t NextByte(Source *source) {
    uint8_t byte = 0;
    source->left--;
    if (!Access_Read(source->machine, source->at++, &byte, 1))
        source->failed = true;
    return byte;
}

static uint32_t NextWide(Source *source) {
    uint8_t bytes[2] = {0};
    source->left--;
    if (!Access_Read(source->machine, source->at, bytes, 2))
        source->failed = true;
    source->at += 2;
    return Bytes_U16(bytes);
}

/* A length of −1 means all characters up to the terminator, and the terminator itself. Returns
 * false if there is no terminator. */
static bool FindLength(Machine *machine, uint32_t at, bool wide, uint32_t *length) {
    if (*length != 0xFFFFFFFF)
        return *length <= MOST_TEXT;
    for (uint32_t i = 0; i < MOST_TEXT; i++) {
        uint8_t bytes[2] = {0};
        if (!Access_Read(machine, at + i * (wide ? 2 : 1), bytes, wide ? 2 : 1))
            return false;
        if (Bytes_U16(bytes) == 0) {
            *length = i + 1;
            return true;
        }
    }
    return false;
}

/* Decodes one character of UTF-8. A malformed one gives U+FFFD and sets `bad`. */
static uint32_t NextUtf8(Source *source, bool *bad) {
    uint32_t c = NextByte(source), more;
    if (c < 0x80)
        return c;
    more = c >= 0xF0 && c < 0xF5 ? 3 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xC2 && c < 0xE0 ? 1 : 0;
    const uint32_t least[4] = {0, 0x80, 0x800, 0x10000};
    uint32_t point = c & (0x3Fu >> more);
    for (uint32_t i = 0; i < more; i++) {
        uint8_t next;
        if (source->left == 0 || !Access_Read(source->machine, source->at, &next, 1) ||
            (next & 0xC0) != 0x80) {
            *bad = true;
            return 0xFFFD;
        }
        NextByte(source);
        point = point << 6 | (next & 0x3F);
    }
    if (more == 0 || point < least[more] || point > 0x10FFFF ||
        (point >= 0xD800 && point < 0xE000)) {
        *bad = true;
        return 0xFFFD;
    }
    return point;
}

/* Writes units of one or two bytes. If there is no buffer, it only counts them. */
typedef struct Sink {
    Machine *machine;
    uint32_t at, capacity, count;
    bool wide, full, failed;
} Sink;

static void Put(Sink *sink, uint32_t unit) {
    uint8_t bytes[2];
    Bytes_PutU16(bytes, unit);
    if (sink->capacity && sink->count == sink->capacity) {
        sink->full = true;
        return;
    }
    if (sink->capacity &&
        !Access_Write(sink->machine, sink->at + sink->count * (sink->wide ? 2 : 1), bytes,
                      sink->wide ? 2 : 1))
        sink->failed = true;
    sink->count++;
}

static bool IsPage(uint32_t page) {
    return page <= LAST_ALIAS || page == PAGE_1252 || page == PAGE_UTF8;
}

static void AnswerSink(Machine *machine, const Sink *sink, bool bad) {
    if (sink->failed)
        Refuse(machine, ERROR_POINTER, 0);
    else if (bad)
        Refuse(machine, ERROR_NO_TRANSLATION, 0);
    else if (sink->full)
        Refuse(machine, ERROR_BUFFER, 0);
    else
        Return(machine, sink->count);
}

static void MultiByteToWideChar(Machine *machine, void *context) {
    (void)context;
    uint32_t page = Machine_Argument(machine, 0), flags = Machine_Argument(machine, 1);
    Source source = {.machine = machine,
                     .at = Machine_Argument(machine, 2),
                     .left = Machine_Argument(machine, 3)};
    Sink sink = {.machine = machine,
                 .at = Machine_Argument(machine, 4),
                 .capacity = Machine_Argument(machine, 5),
                 .wide = true};
    bool bad = false;
    if (!IsPage(page) || source.left == 0 || !FindLength(machine, source.at, false, &source.left)) {
        Refuse(machine, ERROR_PARAMETER, 0);
        return;
    }
    while (source.left > 0 && !source.failed && !sink.full && !sink.failed) {
        uint32_t point = page == PAGE_UTF8 ? NextUtf8(&source, &bad)
                                           : CodePage_ToWide((uint8_t)NextByte(&source));
        if (point >= 0x10000) {
            Put(&sink, 0xD800 + ((point - 0x10000) >> 10));
            point = 0xDC00 + ((point - 0x10000) & 0x3FF);
        }
        Put(&sink, point);
    }
    sink.failed |= source.failed;
    AnswerSink(machine, &sink, bad && (flags & BAD_IS_END));
}

static void WideCharToMultiByte(Machine *machine, void *context) {
    (void)context;
    uint32_t page = Machine_Argument(machine, 0);
    Source source = {.machine = machine,
                     .at = Machine_Argument(machine, 2),
                     .left = Machine_Argument(machine, 3)};
    Sink sink = {.machine = machine,
                 .at = Machine_Argument(machine, 4),
                 .capacity = Machine_Argument(machine, 5)};
    uint32_t standby = Machine_Argument(machine, 6), used_at = Machine_Argument(machine, 7);
    uint8_t replacement = '?';
    bool used = false;
    if (!IsPage(page) || source.left == 0 || !FindLength(machine, source.at, true, &source.left) ||
        (page == PAGE_UTF8 && (standby || used_at))) {
        Refuse(machine, ERROR_PARAMETER, 0);
        return;
    }
    if (standby && !Access_Read(machine, standby, &replacement, 1)) {
        Refuse(machine, ERROR_POINTER, 0);
        return;
    }
    while (source.left > 0 && !source.failed && !sink.full && !sink.failed) {
        uint32_t unit = NextWide(&source);
        if (page == PAGE_UTF8) {
            uint8_t low[2];
            bool is_pair = unit >= 0xD800 && unit < 0xDC00 && source.left > 0 &&
                           Access_Read(machine, source.at, low, 2) && Bytes_U16(low) >= 0xDC00 &&
                           Bytes_U16(low) < 0xE000;
            if (is_pair)
                unit = 0x10000 + ((unit - 0xD800) << 10) + (NextWide(&source) - 0xDC00);
            else if (unit >= 0xD800 && unit < 0xE000)
                unit = 0xFFFD;
            uint32_t more = unit < 0x80 ? 0 : unit < 0x800 ? 1 : unit < 0x10000 ? 2 : 3;
            const uint32_t first[4] = {0, 0xC0, 0xE0, 0xF0};
            Put(&sink, first[more] | unit >> 6 * more);
            while (more-- > 0)
                Put(&sink, 0x80 | (unit >> 6 * more & 0x3F));
            continue;
        }
        uint8_t byte;
        if (!CodePage_ToByte((uint16_t)unit, &byte)) {
            byte = replacement;
            used = true;
        }
        Put(&sink, byte);
    }
    sink.failed |= source.failed || (used_at && !Access_Put32(machine, used_at, used));
    AnswerSink(machine, &sink, false);
}

/* ---- kinds and cases ------------------------------------------------------------------------- */

enum {
    IS_UPPER = 1,
    IS_LOWER = 2,
    IS_DIGIT = 4,
    IS_SPACE = 8,
    IS_PUNCTUATION = 16,
    IS_CONTROL = 32,
    IS_BLANK = 64,
    IS_HEX = 128,
    IS_ALPHA = 256
};

/* Returns the bits of CT_CTYPE1. */
static uint32_t KindOf(uint16_t c) {
    if (c < 0x20 || (c >= 0x7F && c < 0xA0))
        return IS_CONTROL | (c >= 9 && c <= 13 ? IS_SPACE : 0) | (c == 9 ? IS_BLANK : 0);
    if (c == ' ' || c == 0xA0)
        return IS_SPACE | IS_BLANK;
    if (c >= '0' && c <= '9')
        return IS_DIGIT | IS_HEX;
    uint32_t hex = (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f') ? IS_HEX : 0;
    if (LowerOf(c) != c)
        return IS_UPPER | IS_ALPHA | hex;
    if (UpperOf(c) != c || c == 0xDF || c == 0xAA || c == 0xBA || c == 0x0192)
        return IS_LOWER | IS_ALPHA | hex;
    return IS_PUNCTUATION;
}

static void StringType(Machine *machine, uint32_t first, bool wide) {
    uint32_t type = Machine_Argument(machine, first);
    Source source = {.machine = machine,
                     .at = Machine_Argument(machine, first + 1),
                     .left = Machine_Argument(machine, first + 2)};
    Sink sink = {.machine = machine,
                 .at = Machine_Argument(machine, first + 3),
                 .capacity = MOST_TEXT + 1,
                 .wide = true};
    if ((type != 1 && type != 2 && type != 4) || source.left == 0 ||
        !FindLength(machine, source.at, wide, &source.left)) {
        Refuse(machine, ERROR_PARAMETER, 0);
        return;
    }
    while (source.left > 0 && !source.failed && !sink.failed) {
        uint32_t c = wide ? NextWide(&source) : CodePage_ToWide((uint8_t)NextByte(&source));
        Put(&sink, type == 1 ? KindOf((uint16_t)c) : 0);
    }
    if (source.failed || sink.failed)
        Refuse(machine, ERROR_POINTER, 0);
    else
        Return(machine, 1);
}

static void GetStringTypeW(Machine *machine, void *context) {
    (void)context;
    StringType(machine, 0, true);
}

static void GetStringTypeA(Machine *machine, void *context) {
    (void)context;
    StringType(machine, 1, false);
}

static void GetStringTypeExW(Machine *machine, void *context) {
    (void)context;
    StringType(machine, 1, true);
}

#define LOWERCASE 0x100u
#define UPPERCASE 0x200u
#define SORT_KEY  0x400u

static void MapString(Machine *machine, bool wide) {
    uint32_t flags = Machine_Argument(machine, 1);
    Source source = {.machine = machine,
                     .at = Machine_Argument(machine, 2),
                     .left = Machine_Argument(machine, 3)};
    Sink sink = {.machine = machine,
                 .at = Machine_Argument(machine, 4),
                 .capacity = Machine_Argument(machine, 5),
                 .wide = wide};
    if (flags & SORT_KEY) {
        Refuse(machine, ERROR_FLAGS, 0);
        return;
    }
    if (source.left == 0 || !FindLength(machine, source.at, wide, &source.left)) {
        Refuse(machine, ERROR_PARAMETER, 0);
        return;
    }
    while (source.left > 0 && !source.failed && !sink.full && !sink.failed) {
        uint16_t c =
            (uint16_t)(wide ? NextWide(&source) : CodePage_ToWide((uint8_t)NextByte(&source)));
        uint16_t mapped = flags & LOWERCASE ? LowerOf(c) : flags & UPPERCASE ? UpperOf(c) : c;
        uint8_t byte = 0;
        if (!wide)
            CodePage_ToByte(mapped, &byte);
        Put(&sink, wide ? mapped : byte);
    }
    sink.failed |= source.failed;
    AnswerSink(machine, &sink, false);
}

static void LCMapStringA(Machine *machine, void *context) {
    (void)context;
    MapString(machine, false);
}

static void LCMapStringW(Machine *machine, void *context) {
    (void)context;
    MapString(machine, true);
}

/* Compares by the numbers of characters. Windows uses the order of a dictionary, which is a little
 * different. The result is 1, 2 or 3 for less, equal and greater. */
static void CompareString(Machine *machine, bool wide) {
    const bool ignore_case = Machine_Argument(machine, 1) & 1;
    Source left = {.machine = machine,
                   .at = Machine_Argument(machine, 2),
                   .left = Machine_Argument(machine, 3)};
    Source right = {.machine = machine,
                    .at = Machine_Argument(machine, 4),
                    .left = Machine_Argument(machine, 5)};
    if (!FindLength(machine, left.at, wide, &left.left) ||
        !FindLength(machine, right.at, wide, &right.left)) {
        Refuse(machine, ERROR_PARAMETER, 0);
        return;
    }
    uint32_t answer = 2;
    while (answer == 2 && left.left > 0 && right.left > 0 && !left.failed && !right.failed) {
        uint16_t a = (uint16_t)(wide ? NextWide(&left) : CodePage_ToWide((uint8_t)NextByte(&left)));
        uint16_t b =
            (uint16_t)(wide ? NextWide(&right) : CodePage_ToWide((uint8_t)NextByte(&right)));
        if (ignore_case) {
            a = LowerOf(a);
            b = LowerOf(b);
        }
        answer = a < b ? 1 : a > b ? 3 : 2;
    }
    if (answer == 2 && left.left != right.left)
        answer = left.left < right.left ? 1 : 3;
    if (left.failed || right.failed)
        Refuse(machine, ERROR_PARAMETER, 0);
    else
        Return(machine, answer);
}

static void CompareStringA(Machine *machine, void *context) {
    (void)context;
    CompareString(machine, false);
}

static void CompareStringW(Machine *machine, void *context) {
    (void)context;
    CompareString(machine, true);
}

/* ---- code pages and locales ------------------------------------------------------------------ */

static void GetACP(Machine *machine, void *context) {
    (void)context;
    Return(machine, PAGE_1252);
}

static void GetCPInfo(Machine *machine, void *context) {
    (void)context;
    uint32_t page = Machine_Argument(machine, 0);
    uint8_t info[20] = {0};
    Bytes_PutU32(info, page == PAGE_UTF8 ? 4 : 1); /* the most bytes of a character */
    info[4] = '?';
    if (!IsPage(page))
        Refuse(machine, ERROR_PARAMETER, 0);
    else if (!Access_Write(machine, Machine_Argument(machine, 1), info, sizeof info))
        Refuse(machine, ERROR_POINTER, 0);
    else
        Return(machine, 1);
}

static void IsValidCodePage(Machine *machine, void *context) {
    (void)context;
    uint32_t page = Machine_Argument(machine, 0);
    Return(machine, page == PAGE_1252 || page == PAGE_UTF8);
}

static void AnswerZero(Machine *machine, void *context) {
    (void)context;
    Return(machine, 0);
}

static void GetLocale(Machine *machine, void *context) {
    (void)context;
    Return(machine, LOCALE);
}

static void IsValidLocale(Machine *machine, void *context) {
    (void)context;
    Return(machine, Machine_Argument(machine, 0) == LOCALE);
}

/* Of all facts about a locale, this knows the one that a runtime asks for: the code page. */
static void LocaleInfo(Machine *machine, bool wide) {
    uint32_t what = Machine_Argument(machine, 1) & 0xFFFF;
    uint32_t buffer = Machine_Argument(machine, 2), capacity = Machine_Argument(machine, 3);
    if (what != 0x1004 && what != 0x000B) {
        Refuse(machine, ERROR_FLAGS, 0);
        return;
    }
    if (capacity == 0)
        Return(machine, 5);
    else if (capacity < 5)
        Refuse(machine, ERROR_BUFFER, 0);
    else if (!Access_PutText(machine, buffer, wide, "1252", 4))
        Refuse(machine, ERROR_POINTER, 0);
    else
        Return(machine, 5);
}

static void GetLocaleInfoA(Machine *machine, void *context) {
    (void)context;
    LocaleInfo(machine, false);
}

static void GetLocaleInfoW(Machine *machine, void *context) {
    (void)context;
    LocaleInfo(machine, true);
}

/* ---- the small functions on texts ------------------------------------------------------------ */

static void lstrlenA(Machine *machine, void *context) {
    (void)context;
    uint32_t length = 0xFFFFFFFF, at = Machine_Argument(machine, 0);
    Return(machine, at && FindLength(machine, at, false, &length) ? length - 1 : 0);
}

static void lstrlenW(Machine *machine, void *context) {
    (void)context;
    uint32_t length = 0xFFFFFFFF, at = Machine_Argument(machine, 0);
    Return(machine, at && FindLength(machine, at, true, &length) ? length - 1 : 0);
}

/* These functions return 0 if memory cannot be accessed. Windows' own catch the exception. */
static void CopyText(Machine *machine, uint32_t to, uint32_t from, uint32_t most) {
    uint32_t length = 0xFFFFFFFF, answer = Machine_Argument(machine, 0);
    if (!FindLength(machine, from, false, &length)) {
        Return(machine, 0);
        return;
    }
    bool is_cut = length > most;
    uint32_t count = is_cut ? (most ? most - 1 : 0) : length;
    bool done = Access_Copy(machine, to, from, count);
    if (done && is_cut && most)
        done = Access_Clear(machine, to + count, 1);
    Return(machine, done ? answer : 0);
}

static void lstrcpyA(Machine *machine, void *context) {
    (void)context;
    CopyText(machine, Machine_Argument(machine, 0), Machine_Argument(machine, 1), MOST_TEXT);
}

static void lstrcpynA(Machine *machine, void *context) {
    (void)context;
    CopyText(machine, Machine_Argument(machine, 0), Machine_Argument(machine, 1),
             Machine_Argument(machine, 2));
}

static void lstrcatA(Machine *machine, void *context) {
    (void)context;
    uint32_t length = 0xFFFFFFFF, to = Machine_Argument(machine, 0);
    if (FindLength(machine, to, false, &length))
        CopyText(machine, to + length - 1, Machine_Argument(machine, 1), MOST_TEXT);
    else
        Return(machine, 0);
}

static void Compare(Machine *machine, bool ignore_case) {
    const uint32_t left = Machine_Argument(machine, 0), right = Machine_Argument(machine, 1);
    for (uint32_t i = 0; i < MOST_TEXT; i++) {
        uint8_t a = 0, b = 0;
        if (!Access_Read(machine, left + i, &a, 1) || !Access_Read(machine, right + i, &b, 1))
            break;
        uint16_t x = CodePage_ToWide(a), y = CodePage_ToWide(b);
        if (ignore_case) {
            x = LowerOf(x);
            y = LowerOf(y);
        }
        if (x != y) {
            Return(machine, x < y ? (uint32_t)-1 : 1);
            return;
        }
        if (a == 0)
            break;
    }
    Return(machine, 0);
}

static void lstrcmpA(Machine *machine, void *context) {
    (void)context;
    Compare(machine, false);
}

static void lstrcmpiA(Machine *machine, void *context) {
    (void)context;
    Compare(machine, true);
}

/* CharUpper and CharLower take a text or, if the upper half of the argument is zero, a
 * character. */
static void ChangeCase(Machine *machine, uint16_t (*change)(uint16_t)) {
    uint32_t at = Machine_Argument(machine, 0), answer = at;
    uint8_t byte;
    if (at < 0x10000) {
        byte = (uint8_t)at;
        CodePage_ToByte(change(CodePage_ToWide(byte)), &byte);
        Return(machine, byte);
        return;
    }
    for (uint32_t i = 0; i < MOST_TEXT; i++) {
        if (!Access_Read(machine, at + i, &byte, 1) || byte == 0)
            break;
        CodePage_ToByte(change(CodePage_ToWide(byte)), &byte);
        if (!Access_Write(machine, at + i, &byte, 1))
            break;
    }
    Return(machine, answer);
}

static void CharUpperA(Machine *machine, void *context) {
    (void)context;
    ChangeCase(machine, UpperOf);
}

static void CharLowerA(Machine *machine, void *context) {
    (void)context;
    ChangeCase(machine, LowerOf);
}

#define ROW_OF(module, name, arguments, function)                                                  \
    { module ".dll", name, 4 * (arguments), function }
#define ROW_AS(name, arguments, function) ROW_OF("KERNEL32", name, arguments, function)
#define ROW(name, arguments)              ROW_OF("KERNEL32", #name, arguments, name)

const MachineRow services_text[] = {
    ROW(MultiByteToWideChar, 6),
    ROW(WideCharToMultiByte, 8),
    ROW(GetStringTypeA, 5),
    ROW(GetStringTypeW, 4),
    ROW_AS("GetStringTypeExA", 5, GetStringTypeA),
    ROW(GetStringTypeExW, 5),
    ROW(LCMapStringA, 6),
    ROW(LCMapStringW, 6),
    ROW(CompareStringA, 6),
    ROW(CompareStringW, 6),
    ROW(GetACP, 0),
    ROW_AS("GetOEMCP", 0, GetACP),
    ROW(GetCPInfo, 2),
    ROW(IsValidCodePage, 1),
    ROW_AS("IsDBCSLeadByte", 1, AnswerZero),
    ROW_AS("IsDBCSLeadByteEx", 2, AnswerZero),
    ROW_AS("GetUserDefaultLCID", 0, GetLocale),
    ROW_AS("GetSystemDefaultLCID", 0, GetLocale),
    ROW_AS("GetUserDefaultLangID", 0, GetLocale),
    ROW_AS("GetThreadLocale", 0, GetLocale),
    ROW(IsValidLocale, 2),
    ROW(GetLocaleInfoA, 4),
    ROW(GetLocaleInfoW, 4),
    ROW(lstrlenA, 1),
    ROW(lstrlenW, 1),
    ROW(lstrcpyA, 2),
    ROW(lstrcpynA, 3),
    ROW(lstrcatA, 2),
    ROW(lstrcmpA, 2),
    ROW(lstrcmpiA, 2),
    ROW_AS("lstrlen", 1, lstrlenA),
    ROW_OF("USER32", "CharUpperA", 1, CharUpperA),
    ROW_OF("USER32", "CharLowerA", 1, CharLowerA),
    {0},
};
