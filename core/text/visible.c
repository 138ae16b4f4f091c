#include "core/text/visible.h"

#include <stddef.h>
#include <string.h>

/* ---- characters ------------------------------------------------------------------------------ */

static bool Continues(const uint8_t *text, size_t size, size_t at) {
    return at < size && (text[at] & 0xC0) == 0x80;
}

size_t Visible_CharacterLength(const uint8_t *text, size_t size) {
    const uint8_t first = text[0];
    if (first < 0x80)
        return 1;
    if (first < 0xC2 || first > 0xF4 || !Continues(text, size, 1))
        return 0;
    if (first < 0xE0)
        return 2;
    const uint8_t second = text[1];
    const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    const bool surrogate = first == 0xED && second > 0x9F;
    const bool beyond = first == 0xF4 && second > 0x8F;
    if (overlong || surrogate || beyond || !Continues(text, size, 2))
        return 0;
    if (first < 0xF0)
        return 3;
    return Continues(text, size, 3) ? 4 : 0;
}

/* ---- texts ----------------------------------------------------------------------------------- */

typedef enum Kind { LINE, LINES, JSON } Kind;

static bool Append(RpBuffer *out, Kind kind, const char *text, size_t size) {
    const uint8_t *bytes = (const uint8_t *)text;
    size_t done = 0;
    for (size_t at = 0; at < size;) {
        char escape[8];
        const size_t length = Visible_CharacterLength(bytes + at, size - at);
        const size_t next = at + (length ? length : 1);

        /* The escape of the character or the byte is empty when it is shown as it is. */
        const uint8_t *shown = bytes + at;
        const unsigned character =
            length == 1   ? shown[0]
            : length == 2 ? (shown[0] & 0x1Fu) << 6 | (shown[1] & 0x3Fu)
            : length == 3 ? (shown[0] & 0x0Fu) << 12 | (shown[1] & 0x3Fu) << 6 | (shown[2] & 0x3Fu)
                          : 0; /* no character of four bytes is hidden */

        /* A terminal acts upon such a character, or the character changes the direction of text. */
        const bool hidden =
            length > 1 && ((character >= 0x80 && character < 0xA0) || character == 0x061C ||
                           character == 0x200E || character == 0x200F ||
                           (character >= 0x2028 && character <= 0x202E) ||
                           (character >= 0x2066 && character <= 0x2069));
        const bool layout = kind != LINE && (*shown == '\n' || *shown == '\t');
        escape[0] = 0;
        if (length == 0)
            snprintf(escape, 8, kind == JSON ? "\\\\x%02X" : "\\x%02X", (unsigned)*shown);
        else if (hidden)
            snprintf(escape, 8, kind == JSON ? "\\u%04x" : "\\u%04X", character & 0xFFFF);
        else if (length == 1 && (character < 0x20 || character == 0x7F) && !layout)
            snprintf(escape, 8, kind == JSON ? "\\u%04x" : "\\x%02X", character & 0xFF);

        if (escape[0]) {
            RpBuffer_Append(out, bytes + done, at - done);
            RpBuffer_AppendText(out, escape);
            done = next;
        }
        at = next;
    }
    return RpBuffer_Append(out, size ? bytes + done : bytes, size - done);
}

bool Visible_AppendLine(RpBuffer *out, const char *text, size_t size) {
    return Append(out, LINE, text, size);
}

bool Visible_AppendLines(RpBuffer *out, const char *text, size_t size) {
    return Append(out, LINES, text, size);
}

bool Visible_AppendJson(RpBuffer *out, const char *text, size_t size) {
    return Append(out, JSON, text, size);
}

/* ---- printing -------------------------------------------------------------------------------- */

const char visible_red[] = "\033[31m", visible_green[] = "\033[32m", visible_yellow[] = "\033[33m",
           visible_bold[] = "\033[1m", visible_plain[] = "\033[0m";

/* One conversion of a format: %[flags][width][.precision][length]letter */
typedef struct Conversion {
    char flags[8];
    int width, precision; /* -1: none */
    char length[4], letter;
} Conversion;

static const char *TakeSpan(const char *at, const char *letters, char *span, size_t size) {
    const size_t length = strspn(at, letters);
    snprintf(span, size, "%.*s", (int)length, at);
    return at + length;
}

/* Reads a number, or gives -1 when there is no digit. The caller handles a star. */
static const char *TakeNumber(const char *at, int *number) {
    *number = *at >= '0' && *at <= '9' ? 0 : -1;
    for (; *at >= '0' && *at <= '9'; at++)
        *number = *number * 10 + (*at - '0');
    return at;
}

static void Pad(RpBuffer *out, int width, size_t length) {
    for (size_t i = length; width > 0 && i < (size_t)width; i++)
        RpBuffer_AppendText(out, " ");
}

static void AppendString(RpBuffer *out, const Conversion *one, const char *text) {
    const void *end = NULL;
    RpBuffer shown;
    text = text ? text : "(null)";
    if (one->precision >= 0)
        end = memchr(text, 0, (size_t)one->precision);
    const size_t size = end                   ? (size_t)((const char *)end - text)
                        : one->precision >= 0 ? (size_t)one->precision
                                              : strlen(text);
    RpBuffer_Init(&shown, NULL);
    if (text == visible_red || text == visible_green || text == visible_yellow ||
        text == visible_bold || text == visible_plain)
        RpBuffer_Append(&shown, text, size);
    else
        Visible_AppendLine(&shown, text, size);
    const bool left = strchr(one->flags, '-') != NULL;
    if (!left)
        Pad(out, one->width, shown.size);
    RpBuffer_Append(out, shown.bytes, shown.size);
    if (left)
        Pad(out, one->width, shown.size);
    out->failed |= shown.failed;
    RpBuffer_Free(&shown);
}

/* Writes the conversion as a format of its own, with numbers in place of stars, and with the given
 * length, the widest there is. */
static void Spell(const Conversion *one, const char *length, char format[64]) {
    char width[16] = "", precision[16] = "";
    if (one->width >= 0)
        snprintf(width, sizeof width, "%d", one->width);
    if (one->precision >= 0)
        snprintf(precision, sizeof precision, ".%d", one->precision);
    snprintf(format, 64, "%%%s%s%s%s%c", one->flags, width, precision, length, one->letter);
}

static bool Is(const Conversion *one, const char *length) {
    return strcmp(one->length, length) == 0;
}

static long long Signed(const Conversion *one, va_list *arguments) {
    if (Is(one, "ll"))
        return va_arg(*arguments, long long);
    if (Is(one, "l"))
        return va_arg(*arguments, long);
    if (Is(one, "j"))
        return va_arg(*arguments, intmax_t);
    if (Is(one, "t") || Is(one, "z"))
        return va_arg(*arguments, ptrdiff_t);
    const int number = va_arg(*arguments, int);
    return Is(one, "hh") ? (signed char)number : Is(one, "h") ? (short)number : number;
}

static unsigned long long Unsigned(const Conversion *one, va_list *arguments) {
    if (Is(one, "ll"))
        return va_arg(*arguments, unsigned long long);
    if (Is(one, "l"))
        return va_arg(*arguments, unsigned long);
    if (Is(one, "j"))
        return va_arg(*arguments, uintmax_t);
    if (Is(one, "t") || Is(one, "z"))
        return va_arg(*arguments, size_t);
    const unsigned number = va_arg(*arguments, unsigned);
    return Is(one, "hh") ? (unsigned char)number : Is(one, "h") ? (unsigned short)number : number;
}

static void AppendConverted(RpBuffer *out, const Conversion *one, va_list *arguments) {
    char format[64], letter[2] = "";
    Spell(one, "", format);
    switch (one->letter) {
    case '%':
        RpBuffer_AppendText(out, "%");
        break;
    case 's':
        AppendString(out, one, va_arg(*arguments, const char *));
        break;
    case 'c':
        letter[0] = (char)va_arg(*arguments, int);
        AppendString(out, &(Conversion){.width = one->width, .precision = 1}, letter);
        break;
    case 'd':
    case 'i':
        Spell(one, "ll", format);
        RpBuffer_Print(out, format, Signed(one, arguments));
        break;
    case 'p':
        RpBuffer_Print(out, format, va_arg(*arguments, void *));
        break;
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        Spell(one, "ll", format);
        RpBuffer_Print(out, format, Unsigned(one, arguments));
        break;
    default: /* a floating-point number */
        if (Is(one, "L")) {
            Spell(one, "L", format);
            RpBuffer_Print(out, format, va_arg(*arguments, long double));
        } else {
            RpBuffer_Print(out, format, va_arg(*arguments, double));
        }
    }
}

int Visible_PrintList(FILE *out, const char *format, va_list arguments) {
    va_list rest;
    RpBuffer text;
    va_copy(rest, arguments);
    RpBuffer_Init(&text, NULL);
    while (*format) {
        const size_t plain = strcspn(format, "%");
        RpBuffer_Append(&text, format, plain);
        format += plain;
        if (*format) {
            Conversion one;
            const char *at = format + 1; /* behind the percent sign */
            at = TakeSpan(at, "-+ #0", one.flags, sizeof one.flags);
            at = TakeNumber(at, &one.width);
            if (*at == '*') {
                at++;
                one.width = va_arg(rest, int);
            }
            if (one.width < -1) { /* a star with a negative number means the flag */
                one.width = -one.width;
                strcpy(one.flags, "-");
            }
            one.precision = -1;
            if (*at == '.') {
                at = TakeNumber(at + 1, &one.precision);
                if (*at == '*') {
                    at++;
                    one.precision = va_arg(rest, int);
                } else if (one.precision < 0) {
                    one.precision = 0;
                }
            }
            at = TakeSpan(at, "hljztL", one.length, sizeof one.length);
            one.letter = *at;
            format = *at ? at + 1 : at;
            AppendConverted(&text, &one, &rest);
        }
    }
    va_end(rest);
    const bool whole =
        !text.failed && (text.size == 0 || fwrite(text.bytes, 1, text.size, out) == text.size);
    const int length = whole ? (int)text.size : -1;
    RpBuffer_Free(&text);
    return length;
}

int Visible_Print(FILE *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = Visible_PrintList(out, format, arguments);
    va_end(arguments);
    return length;
}
