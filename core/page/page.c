#include "core/page/page.h"

#include "core/page/style.h"
#include "core/text/view_text.h"

#include <math.h>
#include <string.h>

/* ---- texts ----------------------------------------------------------------------------------- */

void Page_Text(RpBuffer *html, const char *text) {
    RpBuffer line;
    RpBuffer_Init(&line, NULL);
    Visible_AppendLine(&line, text, strlen(text));
    RpBuffer_Append(&line, "", 1);
    if (line.failed)
        html->failed = true;
    else
        ViewText_Html(html, (const char *)line.bytes);
    RpBuffer_Free(&line);
}

void Page_Print(RpBuffer *html, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    while (*format) {
        const size_t plain = strcspn(format, "%");
        RpBuffer_Append(html, format, plain);
        format += plain;
        if (!*format)
            break;
        const size_t length = 1 + strcspn(format + 1, "%scdiuxXfeg") + 1;
        if (format[1] == '%') {
            RpBuffer_AppendText(html, "%");
        } else if (format[length - 1] == 's') {
            Page_Text(html, va_arg(arguments, const char *));
        } else if (format[length - 1] == 'c') {
            Page_Text(html, (const char[]){(char)va_arg(arguments, int), 0});
        } else { /* a number */
            char spec[32], text[400];
            const bool is_long = memchr(format, 'l', length) != NULL;
            const bool is_longest = strstr(format, "ll") && strstr(format, "ll") < format + length;
            const bool is_size = memchr(format, 'z', length) != NULL;
            snprintf(spec, sizeof spec, "%.*s", (int)length, format);
            if (strchr("feg", format[length - 1]))
                snprintf(text, sizeof text, spec, va_arg(arguments, double));
            else if (is_longest)
                snprintf(text, sizeof text, spec, va_arg(arguments, long long));
            else if (is_long)
                snprintf(text, sizeof text, spec, va_arg(arguments, long));
            else if (is_size)
                snprintf(text, sizeof text, spec, va_arg(arguments, size_t));
            else
                snprintf(text, sizeof text, spec, va_arg(arguments, int));
            RpBuffer_AppendText(html, text);
        }
        format += length;
    }
    va_end(arguments);
}

/* ---- the frame ------------------------------------------------------------------------------- */

static const char *const states[PAGE_STATES] = {"good", "bad", "unsure"};

void Page_Begin(RpBuffer *html, const char *title, const char *by, PageState state,
                const char *verdict) {
    Page_Print(html,
               "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
               "style-src 'unsafe-inline'; img-src data:\">\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
               "<meta name=\"color-scheme\" content=\"light dark\">\n"
               "<meta name=\"generator\" content=\"%s\">\n<title>%s: %s</title>\n"
               "<link rel=\"icon\" href=\"data:,\">\n<style>",
               by, title, verdict);
    for (const char *const *piece = page_style; *piece; piece++)
        RpBuffer_AppendText(html, *piece);
    Page_Print(html,
               "</style>\n</head>\n<body>\n<header class=\"%s\">\n<p class=\"title\">%s</p>\n"
               "<h1>%s</h1>\n</header>\n<main>\n",
               states[state], title, verdict);
}

void Page_Notice(RpBuffer *html, const char *text) {
    if (*text)
        Page_Print(html, "<p class=\"notice\"><strong>Note:</strong> %s</p>\n", text);
}

void Page_End(RpBuffer *html) {
    RpBuffer_AppendText(html, "</main>\n</body>\n</html>\n");
}

/* ---- sections -------------------------------------------------------------------------------- */

/* Ids hold letters, digits, - and . only; every other byte becomes its number. */
static void AddId(RpBuffer *html, const char *anchor) {
    RpBuffer_AppendText(html, "at-");
    for (; *anchor; anchor++) {
        const unsigned char c = (unsigned char)*anchor;
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || c == '.';
        RpBuffer_Print(html, plain ? "%c" : "_%02x", c);
    }
}

void Page_BeginSection(RpBuffer *html, const char *anchor, const char *heading) {
    RpBuffer_AppendText(html, "<section id=\"");
    AddId(html, anchor);
    Page_Print(html, "\">\n<h2>%s</h2>\n", heading);
}

void Page_EndSection(RpBuffer *html) {
    RpBuffer_AppendText(html, "</section>\n");
}

void Page_Link(RpBuffer *html, const char *anchor) {
    RpBuffer_AppendText(html, "href=\"#");
    AddId(html, anchor);
    RpBuffer_AppendText(html, "\"");
}

void Page_BeginFold(RpBuffer *html, const char *summary) {
    Page_Print(html, "<details>\n<summary>%s</summary>\n", summary);
}

void Page_EndFold(RpBuffer *html) {
    RpBuffer_AppendText(html, "</details>\n");
}

/* ---- tables and pictures --------------------------------------------------------------------- */

void Page_BeginTable(RpBuffer *html, const char *caption, const char *const *heads) {
    /* A region that scrolls has to be reached with the keyboard, and then needs a name. */
    Page_Print(html,
               "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">\n<table>\n"
               "<caption>%s</caption>\n<thead><tr>",
               caption, caption);
    for (; *heads; heads++)
        Page_Print(html,
                   **heads == '#' ? "<th scope=\"col\" class=\"number\">%s</th>"
                                  : "<th scope=\"col\">%s</th>",
                   *heads + (**heads == '#'));
    RpBuffer_AppendText(html, "</tr></thead>\n<tbody>\n");
}

void Page_EndTable(RpBuffer *html) {
    RpBuffer_AppendText(html, "</tbody>\n</table>\n</div>\n");
}

static double Within(double value) {
    return value > 1 ? 1 : value >= 0 ? value : 0;
}

void Page_Bar(RpBuffer *html, double length) {
    Page_Print(html,
               "<td class=\"bar\"><svg viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" "
               "aria-hidden=\"true\"><rect width=\"%.2f\" height=\"8\"/></svg></td>",
               100 * Within(length));
}

void Page_Columns(RpBuffer *html, const char *label, const double *heights, size_t count) {
    enum { STEP = 20, HEIGHT = 96 };
    Page_Print(html,
               "<svg class=\"columns\" viewBox=\"0 0 %u %u\" preserveAspectRatio=\"none\" "
               "role=\"img\" aria-label=\"%s\">",
               (unsigned)count * STEP, (unsigned)HEIGHT + 2, label);
    for (size_t i = 0; i < count; i++) {
        const double height = HEIGHT * Within(heights[i]);
        Page_Print(html, "<rect x=\"%u\" y=\"%.2f\" width=\"%u\" height=\"%.2f\"/>",
                   (unsigned)i * STEP + 1, HEIGHT - height, (unsigned)STEP - 2, height);
    }
    Page_Print(html, "<path d=\"M0 %uH%u\"/></svg>\n", (unsigned)HEIGHT + 1,
               (unsigned)count * STEP);
}

/* ---- facts and commands ---------------------------------------------------------------------- */

void Page_BeginFacts(RpBuffer *html) {
    RpBuffer_AppendText(html, "<dl>\n");
}

void Page_Fact(RpBuffer *html, const char *name, const char *text) {
    if (*text)
        Page_Print(html, "<dt>%s</dt><dd>%s</dd>\n", name, text);
}

void Page_EndFacts(RpBuffer *html) {
    RpBuffer_AppendText(html, "</dl>\n");
}

void Page_Command(RpBuffer *html, const char *label, const char *command) {
    Page_Print(html,
               "<p class=\"label\">%s <span class=\"hint\">(a click selects it)</span></p>\n"
               "<pre class=\"command\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">%s</pre>\n",
               label, label, command);
}

RpStatus Page_Status(const RpBuffer *html, RpError *error) {
    return html->failed ? RpMemory_Refused(error, "a page") : RP_OK;
}
