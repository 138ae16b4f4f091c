/* The results as a page: what is not clear first, then what was decided, then all functions. */
#include "core/page/page.h"
#include "core/text.h"
#include "game/calibrate/calibrate.h"
#include "game/calibrate/calibrate_words.h"
#include "game/calibrate/workbench.h"

#include <inttypes.h>
#include <stdio.h>

typedef unsigned long long Number;

/* ---- words ----------------------------------------------------------------------------------- */

static void BeginWords(RpBuffer *words) {
    RpBuffer_Init(words, NULL);
}

/* Appends the collected words, with HTML's special characters escaped, and frees them. */
static void EndWords(RpBuffer *html, RpBuffer *words) {
    RpBuffer_Append(words, "", 1);
    html->failed |= words->failed;
    if (!words->failed)
        Page_Text(html, (const char *)words->bytes);
    RpBuffer_Free(words);
}

static void AppendFunctionName(RpBuffer *html, const CalibrateFunction *function) {
    RpBuffer words;
    BeginWords(&words);
    CalibrateWords_Function(&words, function);
    EndWords(html, &words);
}

static const char *ClassOfFit(CalibrateFit fit) {
    switch (fit) {
    case CALIBRATE_FITS:
        return "good-word";
    case CALIBRATE_CONTRADICTS:
    case CALIBRATE_FITS_NONE:
        return "bad-word";
    default:
        return "unsure-word";
    }
}

/* ---- functions ------------------------------------------------------------------------------- */

static void AppendTrouble(RpBuffer *html, const CalibrateFunction *function) {
    char anchor[160];
    snprintf(anchor, sizeof anchor, "%s-%d", function->function->key, (int)function->build);
    Page_BeginSection(html, anchor, function->function->key);
    RpBuffer_AppendText(html, "<p>");
    AppendFunctionName(html, function);
    Page_Print(
        html,
        " (%s): <span class=\"%s\">%s</span>. The nearest of %llu combinations explains "
        "%llu of %llu cases, and %llu of %llu with ordinary numbers under the game's control "
        "word: <code>",
        function->function->name, ClassOfFit(function->fit), CalibrateFit_Name(function->fit),
        (Number)function->combinations, (Number)function->matched, (Number)function->asked,
        (Number)function->ordinary_matched, (Number)function->ordinary);
    RpBuffer choices;
    BeginWords(&choices);
    CalibrateWords_Choices(&choices, function);
    EndWords(html, &choices);
    RpBuffer_AppendText(html, "</code></p>\n");
    if (function->ended > 0)
        Page_Print(html, "<p>%llu cases crashed, hung or ended the process.</p>\n",
                   (Number)function->ended);
    if (function->violations > 0)
        Page_Print(html,
                   "<p>%llu cases left the stack or registers wrong: the call may be "
                   "(<code>retropose probe</code>).</p>\n",
                   (Number)function->violations);

    static const char *const heads[] = {"element", "original", "nearest of ours", NULL};
    char words[96];
    if (function->difference.found) {
        Page_Print(html, "<h3>The first case that is not explained: %s call %llu of %s</h3>\n",
                   function->difference.trace ? "recorded" : "generated",
                   (Number)function->difference.sequence,
                   function->difference.trace ? function->difference.trace : "its stream");
        Page_BeginTable(html, "What differs", heads);
        Page_Print(html,
                   "<tr><th scope=\"row\"><code>%s</code></th><td class=\"bits\">%s</td><td "
                   "class=\"bits\">%s</td></tr>\n",
                   function->difference.path, function->difference.original,
                   function->difference.ours);
        Page_EndTable(html);
        Page_BeginFacts(html);
        snprintf(words, sizeof words, "control word %04x, MXCSR %04x", function->difference.control,
                 (unsigned)function->difference.mxcsr);
        Page_Fact(html, "state before", words);
        Page_Fact(html, "inputs", function->difference.inputs);
        Page_EndFacts(html);
    }

    Page_EndSection(html);
}

static void AppendRow(RpBuffer *html, const CalibrateFunction *function) {
    RpBuffer_AppendText(html, "<tr><th scope=\"row\">");
    AppendFunctionName(html, function);
    Page_Print(html,
               "</th><td>%s</td><td><span class=\"%s\">%s</span></td>"
               "<td class=\"number\">%llu</td><td class=\"number\">%llu</td>"
               "<td class=\"number\">%llu of %llu</td>"
               "<td class=\"number\">%llu</td></tr>\n",
               function->function->name, ClassOfFit(function->fit),
               CalibrateFit_Name(function->fit), (Number)function->matched, (Number)function->asked,
               (Number)function->remaining, (Number)function->combinations,
               (Number)function->generated);
}

/* ---- readings -------------------------------------------------------------------------------- */

static void AppendReadings(RpBuffer *html, const Calibration *calibration) {
    static const char *const heads[] = {"reading", "choice", "verdict", "by what", NULL};
    Page_BeginSection(html, "readings", "Readings");
    Page_BeginTable(html, "What each question of the arithmetic was answered with", heads);
    for (int decided = 0; decided < 2; decided++)
        for (int h = 0; h < calibration->reading_count; h++)
            if ((calibration->readings[h].verdict == CALIBRATE_DECIDED) == (decided == 1)) {
                const CalibrateVerdict verdict = calibration->readings[h].verdict;
                const char *class =
                    verdict == CALIBRATE_DECIDED ? "good-word"
                    : verdict == CALIBRATE_SPLIT || verdict == CALIBRATE_NOTHING_FITS
                        ? "bad-word"
                        : "unsure-word";
                RpBuffer words;
                Page_Print(html, "<tr><th scope=\"row\">%s</th><td><code>", RpReadings_Name(h));
                BeginWords(&words);
                CalibrateWords_Choice(&words, calibration, h);
                EndWords(html, &words);
                Page_Print(html, "</code></td><td><span class=\"%s\">%s</span></td><td>", class,
                           CalibrateVerdict_Name(verdict));
                BeginWords(&words);
                CalibrateWords_Reason(&words, calibration, h);
                EndWords(html, &words);
                if (calibration->readings[h].instruction[0])
                    Page_Print(html, "<br>at <code>%s</code>",
                               calibration->readings[h].instruction);
                RpBuffer_AppendText(html, "</td></tr>\n");
            }

    Page_EndTable(html);
    Page_EndSection(html);
}

/* ---- how it was run -------------------------------------------------------------------------- */

RpStatus Calibrate_Html(const Calibration *calibration, const CalibrateSource *source,
                        RpBuffer *html, RpError *error) {
    char verdict[160];
    size_t decided = 0;
    for (int h = 0; h < calibration->reading_count; h++)
        decided += calibration->readings[h].verdict == CALIBRATE_DECIDED;
    snprintf(verdict, sizeof verdict, "%zu of %zu function%s fit, %zu of %d readings decided",
             CalibrateWords_Count(calibration, CALIBRATE_FITS), calibration->function_count,
             Text_Plural(calibration->function_count), decided, calibration->reading_count);
    Page_Begin(html, "Retropose: which readings an original follows", "retropose calibrate",
               Calibration_IsClean(calibration) ? PAGE_GOOD : PAGE_BAD, verdict);
    Page_Notice(html, source->provider->kind == PROVIDER_ORIGINAL ||
                              source->provider->kind == PROVIDER_RECORDED
                          ? ""
                          : "this was no original: it says nothing about the retail DLLs");
    for (size_t i = 0; i < calibration->function_count; i++) {
        const CalibrateFunction *function = &calibration->functions[i];
        if (function->fit == CALIBRATE_FITS_NONE || function->fit == CALIBRATE_CONTRADICTS ||
            function->fit == CALIBRATE_TOO_MANY || function->fit == CALIBRATE_UNCALLABLE)
            AppendTrouble(html, function);
    }
    AppendReadings(html, calibration);

    static const char *const heads[] = {
        "function", "name", "fit", "#explained", "#cases", "#combinations left", "#inputs", NULL};
    Page_BeginSection(html, "functions", "Functions");
    Page_BeginTable(html, "All functions, those that do not fit first", heads);
    for (int fits = 0; fits < 2; fits++)
        for (size_t i = 0; i < calibration->function_count; i++)
            if ((calibration->functions[i].fit == CALIBRATE_FITS) == (fits == 1))
                AppendRow(html, &calibration->functions[i]);
    Page_EndTable(html);
    Page_EndSection(html);

    char words[300];
    Page_BeginSection(html, "run", "How it was run");
    Page_BeginFacts(html);
    Provider_Describe(source->provider, words, sizeof words);
    Page_Fact(html, "original", words);
    Page_Fact(html, "SHA-256 of Ngi32.dll", source->provider->sha256[0]);
    Page_Fact(html, "SHA-256 of AniMesh.dll", source->provider->sha256[1]);
    Page_Fact(html, "SHA-256 of the overlay", source->overlay_sha256);
    for (size_t i = 0; i < source->trace_count; i++)
        Page_Fact(html, "trace", source->traces[i]);
    Page_Fact(html, "processor", source->processor);
    Page_Fact(html, "version of Retropose", source->version);
    snprintf(words, sizeof words,
             "%" PRIu64 " asked in %u runs, %" PRIu64 " recorded calls; %" PRIu64
             " inputs generated, %" PRIu64 " evaluations",
             calibration->asked, calibration->runs, calibration->recorded, calibration->generated,
             calibration->evaluations);
    Page_Fact(html, "cases", words);
    snprintf(words, sizeof words, "budget %" PRIu64 ", seed %" PRIu64, calibration->budget,
             calibration->seed);
    Page_Fact(html, "inputs", words);
    Page_EndFacts(html);
    if (source->command)
        Page_Command(html, "Repeat this run", source->command);
    Page_EndSection(html);

    Page_End(html);
    return Page_Status(html, error);
}
