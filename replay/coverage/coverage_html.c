/* The sections of a page about what the calls have reached. */
#include "core/page/page.h"
#include "replay/coverage/coverage.h"
#include "replay/coverage/exclusion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 400 }; /* the most gaps of a kind that a page shows for a side */

typedef unsigned long long Number;

static void AppendShare(RpBuffer *html, uint64_t part, uint64_t whole) {
    Page_Print(html, "<td class=\"number\">%llu of %llu</td>", (Number)part, (Number)whole);
    Page_Bar(html, whole > 0 ? (double)part / (double)whole : 1);
}

/* Lists gaps that nothing excludes, and frees them. */
static void AppendGaps(RpBuffer *html, const CoverageSide *side, const char *what,
                       CoverageGap *gaps, size_t found) {
    char words[96];
    size_t count = 0;
    for (size_t i = 0; gaps && i < found; i++)
        if (!gaps[i].excluded)
            gaps[count++] = gaps[i];
    if (gaps && count > 0) {
        snprintf(words, sizeof words, "%s: %zu", what, count);
        Page_BeginFold(html, words);
        for (size_t i = 0; i < count && i < MOST_SHOWN; i++) {
            Page_Print(html, "<p>%s+0x%X in %s", AbiModule_File((AbiModule)gaps[i].module),
                       gaps[i].rva, gaps[i].first->key);
            if (gaps[i].functions > 1)
                Page_Print(html, " and %u more", gaps[i].functions - 1);
            const CoverageText *text =
                gaps[i].size > 0 ? Coverage_TextOf(side, gaps[i].module, gaps[i].rva) : NULL;
            if (text && text->place[0])
                Page_Print(html, ": %s", text->place);
            if (gaps[i].missing)
                Page_Print(html, "%s",
                           gaps[i].missing == MACHINE_JUMPED ? ": never jumps" : ": always jumps");
            RpBuffer_AppendText(html, "</p>\n");
            if (text) { /* one by one, because Page_Print would show their ends as escapes */
                RpBuffer_AppendText(html, "<pre>");
                for (size_t at = 0, length; text->lines[at]; at += length) {
                    char line[160];
                    length = strcspn(text->lines + at, "\n");
                    snprintf(line, sizeof line, "%.*s", (int)length, text->lines + at);
                    Page_Print(html, "%s", line);
                    length += text->lines[at + length] == '\n';
                    RpBuffer_AppendText(html, "\n");
                }
                RpBuffer_AppendText(html, "</pre>\n");
            }
        }
        if (count > MOST_SHOWN)
            Page_Print(html, "<p>and %zu more, which the JSON has</p>\n",
                       count - (size_t)MOST_SHOWN);
        Page_EndFold(html);
    }
    free(gaps);
}

void Coverage_Html(const Coverage *coverage, RpBuffer *html) {
    for (size_t i = 0; i < coverage->side_count; i++) {
        const CoverageSide *side = &coverage->sides[i];
        if (side->function_count == 0)
            continue;
        const CoverageCounts all = Coverage_CountAll(side);
        char heading[64];
        size_t count;
        snprintf(heading, sizeof heading, "Coverage of side %s", side->name);
        Page_BeginSection(html, heading, heading);
        Page_Print(html,
                   "<p>The calls of %zu functions reached %llu of %llu blocks, and %llu of %llu "
                   "sides of branches.</p>\n",
                   side->function_count, (Number)all.blocks_reached, (Number)all.blocks,
                   (Number)all.sides_reached, (Number)all.sides);
        for (uint32_t row = 1; row <= coverage_exclusion_count; row++) {
            const CoverageExclusion *exclusion = &coverage_exclusions[row - 1];
            const CoverageCounts left_out = Coverage_CountExcluded(side, row);
            if (left_out.blocks + left_out.sides > 0)
                Page_Print(html, "<p>Excluded: %s (%s): blocks %llu, sides %llu.</p>\n",
                           exclusion->name, exclusion->reason, (Number)left_out.blocks,
                           (Number)left_out.sides);
        }

        static const char *const heads[] = {"function", "name",  "#blocks", "share",
                                            "#sides",   "share", NULL};
        Page_BeginTable(html, "What was reached of each function that was called", heads);
        for (size_t k = 0; k < side->function_count; k++) {
            const AbiFunction *function = side->functions[k].function;
            const CoverageCounts counts = Coverage_Count(side, &side->functions[k]);
            Page_Print(html, "<tr><th scope=\"row\">%s</th><td>%s</td>", function->key,
                       function->name);
            AppendShare(html, counts.blocks_reached, counts.blocks);
            AppendShare(html, counts.sides_reached, counts.sides);
            RpBuffer_AppendText(html, "</tr>\n");
        }
        Page_EndTable(html);
        CoverageGap *gaps = Coverage_Gaps(side, false, &count);
        AppendGaps(html, side, "Blocks that no call reached", gaps, count);
        gaps = Coverage_Gaps(side, true, &count);
        AppendGaps(html, side, "Branches of which no call took both sides", gaps, count);
        gaps = Coverage_Open(side, &count);
        AppendGaps(html, side, "Jumps of which nobody knows where they lead", gaps, count);
        Page_EndSection(html);
    }
}
