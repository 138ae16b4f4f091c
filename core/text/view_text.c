#include "core/text/view_text.h"

#include "core/text/visible.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD"

void ViewText_JsonBytes(RpBuffer *json, const char *text, size_t size) {
    static const char escaped[] = {'"', '\\', '\n', '\t'};
    RpBuffer_AppendText(json, "\"");
    for (size_t at = 0; at < size; at++) {
        size_t end = at;
        while (end < size && !memchr(escaped, text[end], sizeof escaped))
            end++;
        Visible_AppendJson(json, text + at, end - at);
        at = end;
        /* Visible_AppendJson would leave such a byte as it is, although it would end a string or a
         * line of it. */
        if (at < size)
            RpBuffer_AppendText(json, text[at] == '"'    ? "\\\""
                                      : text[at] == '\\' ? "\\\\"
                                      : text[at] == '\n' ? "\\n"
                                                         : "\\t");
    }
    RpBuffer_AppendText(json, "\"");
}

void ViewText_Json(RpBuffer *json, const char *text) {
    ViewText_JsonBytes(json, text, strlen(text));
}

void ViewText_Digits(double value, char text[VIEW_NUMBER_BYTES]) {
    snprintf(text, VIEW_NUMBER_BYTES, "%.9g", value);
    char *comma = strchr(text, ',');
    if (comma)
        *comma = '.';
}

void ViewText_Number(RpBuffer *json, double value) {
    char text[VIEW_NUMBER_BYTES] = "null";
    if (fabs(value) <= DBL_MAX)
        ViewText_Digits(value, text);
    RpBuffer_AppendText(json, text);
}

/* Returns the reference for a character that has a meaning in HTML, or null. */
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
    default: /* control characters are errors in HTML, and a title needs none */
        return byte < 0x20 || byte == 0x7F ? " " : NULL;
    }
}

void ViewText_Html(RpBuffer *html, const char *text) {
    const uint8_t *at = (const uint8_t *)text;
    while (*at) {
        /* Nothing behind the text's NUL is read, because it is no continuation byte. */
        size_t length = Visible_CharacterLength(at, 4);
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
