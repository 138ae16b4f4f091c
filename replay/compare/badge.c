/* A badge: three fields with words, each in a colour of its own. */
#include "core/page/page.h"
#include "replay/compare/saved_report.h"

#include <string.h>

enum { HEIGHT = 20, PADDING = 8, GLYPH = 7, FIELDS = 3 };

#define GREY  "#444d56"
#define GREEN "#1a6b32"
#define RED   "#b3261e"
#define AMBER "#7a5200"

typedef struct Field {
    char words[96];
    const char *colour;
} Field;

/* Writes "1,234,567". */
static void WithCommas(uint64_t number, char *text, size_t size) {
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    size_t used = 0;
    for (int i = 0; i < length && used + 2 < size; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = 0;
}

void SavedReport_Badge(const SavedReport *saved, RpBuffer *svg) {
    Field fields[FIELDS] = {{"retropose", GREY}};
    unsigned widths[FIELDS], width = 0, left = 0;
    Field *verdict = &fields[1], *provider = &fields[2];
    char compared[40], different[40];
    const CompareCounts *counts = &saved->totals.counts;
    WithCommas(counts->compared, compared, sizeof compared);
    WithCommas(counts->different, different, sizeof different);
    verdict->colour = RED;
    if (saved->stopped[0]) {
        verdict->colour = AMBER;
        snprintf(verdict->words, sizeof verdict->words, "stopped, no result");
    } else if (counts->different > 0) {
        snprintf(verdict->words, sizeof verdict->words, "%s of %s calls differ", different,
                 compared);
    } else if (counts->compared == 0) {
        verdict->colour = AMBER;
        snprintf(verdict->words, sizeof verdict->words, "nothing compared");
    } else if (saved->totals.stale > 0) {
        snprintf(verdict->words, sizeof verdict->words, "known differences out of date");
    } else {
        const bool partly = saved->exit_code == 4;
        verdict->colour = partly ? AMBER : GREEN;
        snprintf(verdict->words, sizeof verdict->words, "%s calls equal%s", compared,
                 partly ? ", not all compared" : "");
    }

    /* States who answered, so that nobody takes the stand-in, or anything else, for the retail
     * DLLs, and nobody takes a comparison of two originals for a comparison with our own code. */
    const char *kind = saved->a.kind;
    const bool original = strcmp(kind, "original") == 0;
    const bool ours =
        strcmp(saved->b.kind, "replacement") == 0 || strcmp(saved->b.kind, "native") == 0;
    provider->colour = original && ours ? GREY : AMBER;
    if (!(original && ours) && strcmp(verdict->colour, GREEN) == 0)
        verdict->colour = GREY;
    if (original)
        snprintf(provider->words, sizeof provider->words, "with an original");
    else if (strcmp(kind, "stand-in") == 0)
        snprintf(provider->words, sizeof provider->words, "%sSTAND-IN, not the retail DLLs",
                 saved->a.modified ? "modified " : "");
    else
        snprintf(provider->words, sizeof provider->words, "with %s, not the retail DLLs",
                 *kind ? kind : "an unknown provider");
    const size_t used = strlen(provider->words);
    if (!ours)
        snprintf(provider->words + used, sizeof provider->words - used, "; NOT OURS but %s",
                 saved->b.kind[0] ? saved->b.kind : "an unknown provider");

    for (int i = 0; i < FIELDS; i++)
        width += widths[i] = (unsigned)strlen(fields[i].words) * GLYPH + 2 * PADDING;
    Page_Print(svg,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" role=\"img\" "
               "aria-label=\"%s: %s, %s\">\n<title>%s: %s, %s</title>\n",
               width, (unsigned)HEIGHT, fields[0].words, fields[1].words, fields[2].words,
               fields[0].words, fields[1].words, fields[2].words);
    for (int i = 0; i < FIELDS; i++) {
        Page_Print(svg,
                   "<rect x=\"%u\" width=\"%u\" height=\"%u\" fill=\"%s\"/>\n<text x=\"%u\" "
                   "y=\"14\" textLength=\"%u\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#fff\" "
                   "font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">%s</text>\n",
                   left, widths[i], (unsigned)HEIGHT, fields[i].colour, left + PADDING,
                   widths[i] - 2 * PADDING, fields[i].words);
        left += widths[i];
    }
    RpBuffer_AppendText(svg, "</svg>\n");
}
