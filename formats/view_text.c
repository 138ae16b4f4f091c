#include "view_text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool Continues(uint8_t byte) {
    return (byte & 0xC0) == 0x80;
}

/* Length of the well-formed UTF-8 character that `text` begins with, 0 for none (Unicode 15, table
 * 3-7). A terminator is no continuation, so that nothing behind it is read. */
static size_t CharacterLength(const uint8_t *text) {
    uint8_t first = text[0], second;
    if (first < 0x80)
        return 1;
    if (first < 0xC2 || first > 0xF4)
        return 0;
    second = text[1];
    if (!Continues(second))
        return 0;
    if (first < 0xE0)
        return 2;
    bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    bool surrogate = first == 0xED && second > 0x9F, beyond = first == 0xF4 && second > 0x8F;
    if (overlong || surrogate || beyond || !Continues(text[2]))
        return 0;
    if (first < 0xF0)
        return 3;
    return Continues(text[3]) ? 4 : 0;
}

#define REPLACEMENT "\xEF\xBF\xBD"

static void JsonCharacter(RpBuffer *json, const uint8_t *at, size_t length) {
    if (length == 0)
        RpBuffer_AppendText(json, REPLACEMENT);
    else if (*at == '"' || *at == '\\')
        RpBuffer_Print(json, "\\%c", *at);
    else if (*at < 0x20 || *at == 0x7F)
        RpBuffer_Print(json, "\\u%04x", *at);
    else
        RpBuffer_Append(json, at, length);
}

void ViewText_Json(RpBuffer *json, const char *text) {
    const uint8_t *at = (const uint8_t *)text;
    RpBuffer_AppendText(json, "\"");
    while (*at) {
        size_t length = CharacterLength(at);
        JsonCharacter(json, at, length);
        at += length ? length : 1;
    }
    RpBuffer_AppendText(json, "\"");
}

void ViewText_Number(RpBuffer *json, double value) {
    char text[32];
    if (!(fabs(value) <= DBL_MAX)) {
        RpBuffer_AppendText(json, "null");
        return;
    }
    snprintf(text, sizeof text, "%.9g", value);
    char *comma = strchr(text, ',');
    if (comma)
        *comma = '.';
    RpBuffer_AppendText(json, text);
}

/* The reference for a character that means something in HTML, else null. */
static const char *Reference(uint8_t byte) {
    switch (byte) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default: /* control characters are errors in HTML; a title has no use for them */
        return byte < 0x20 || byte == 0x7F ? " " : NULL;
    }
}

void ViewText_Html(RpBuffer *html, const char *text) {
    const uint8_t *at = (const uint8_t *)text;
    while (*at) {
        size_t length = CharacterLength(at);
        const char *reference = length == 0 ? REPLACEMENT : Reference(*at);
        if (reference)
            RpBuffer_AppendText(html, reference);
        else
            RpBuffer_Append(html, at, length);
        at += length ? length : 1;
    }
}

void ViewText_JsonInScript(RpBuffer *html, const uint8_t *json, size_t size) {
    size_t done = 0;
    for (size_t i = 0; i < size; i++) {
        if (json[i] != '<' && json[i] != '>' && json[i] != '&')
            continue;
        RpBuffer_Append(html, json + done, i - done);
        RpBuffer_Print(html, "\\u%04x", json[i]);
        done = i + 1;
    }
    if (done < size)
        RpBuffer_Append(html, json + done, size - done);
}
