/* Writes what probing found as a page: first the functions that were not found, then the table of
 * slots, each with its evidence. */
#include "core/page/page.h"
#include "core/text.h"
#include "game/probe/probe.h"
#include "game/probe/probe_words.h"

#include <stdio.h>

static bool WasAsked(const ProbeRow *row) {
    return row->finding.verdict != PROBE_NOT_TRIED;
}

/* ---- functions ------------------------------------------------------------------------------- */

static void AppendRows(RpBuffer *html, const ProbeReport *report, const char *caption,
                       bool (*has)(const ProbeRow *row)) {
    static const char *const heads[] = {"function", "name", "address", "verdict", "how to call it",
                                        "cases",    "code", "seen",    NULL};
    size_t count = 0;
    for (size_t i = 0; i < report->row_count; i++)
        count += has(&report->rows[i]);
    if (count == 0)
        return;
    Page_BeginTable(html, caption, heads);
    for (size_t i = 0; i < report->row_count; i++)
        if (has(&report->rows[i])) {
            const ProbeRow *row = &report->rows[i];
            const ProbeFinding *finding = &row->finding;
            char facts[PROBE_WORDS_BYTES] = "", address[24] = "", cases[64] = "";
            if (row->rva)
                snprintf(address, sizeof address, "0x%05X%s", row->rva, row->searched ? "*" : "");
            if (finding->verdict == PROBE_FOUND)
                snprintf(cases, sizeof cases, "%u of %u to the bit", finding->exact,
                         finding->cases);
            if (row->has_facts)
                ProbeWords_Facts(&row->facts, facts, sizeof facts);
            const char *class = finding->verdict == PROBE_FOUND ? "good-word"
                                : WasAsked(row)                 ? "bad-word"
                                                                : "unsure-word";
            Page_Print(
                html,
                "<tr><th scope=\"row\">%s</th><td>%s</td><td class=\"bits\">%s</td><td><span "
                "class=\"%s\">%s</span></td><td>%s%s%s</td><td>%s</td><td>%s</td><td>%s</td></"
                "tr>\n",
                row->function->key, row->function->name, address, class, ProbeWords_Mark(row),
                finding->words, row->missing && finding->words[0] ? "; " : "",
                row->missing ? row->missing : "", cases, facts, row->seen.words);
        }

    Page_EndTable(html);
}

static bool IsFound(const ProbeRow *row) {
    return row->finding.verdict == PROBE_FOUND;
}

static bool IsNotFound(const ProbeRow *row) {
    return WasAsked(row) && !IsFound(row);
}

static bool IsNotTried(const ProbeRow *row) {
    return !WasAsked(row);
}

static void AppendCodeEvidence(RpBuffer *html, const ProbeReport *report) {
    Page_BeginFold(html, "The instructions that decided");
    for (size_t i = 0; i < report->row_count; i++) {
        const ProbeRow *row = &report->rows[i];
        if (!row->has_facts || row->facts.evidence_count == 0)
            continue;
        Page_Print(html, "<h3>%s</h3>\n<ul>\n", row->function->key);
        for (uint32_t k = 0; k < row->facts.evidence_count; k++) {
            char words[120];
            ProbeEvidence_Describe(&row->facts.evidence[k], words, sizeof words);
            Page_Print(html, "<li class=\"code\">%s</li>\n", words);
        }
        RpBuffer_AppendText(html, "</ul>\n");
    }
    Page_EndFold(html);
}

/* ---- slots ----------------------------------------------------------------------------------- */

static void AppendRoutine(RpBuffer *html, uint32_t slot, const ProbeSlot *of,
                          const ProbeRoutine *routine) {
    char facts[PROBE_WORDS_BYTES], classes[160];
    const char *check = routine->check.verdict == PROBE_NOT_TRIED ? ""
                        : routine->check.verdict == PROBE_FOUND   ? "called alike"
                                                                  : routine->check.words;
    ProbeWords_Facts(&routine->facts, facts, sizeof facts);
    ProbeWords_Classes(routine->classes, classes, sizeof classes);
    Page_Print(html,
               "<tr><th scope=\"row\">slot %u</th><td>%s</td><td class=\"bits\">0x%05X</td>"
               "<td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
               slot, of->function ? of->function->name : "", routine->rva,
               OverlayBuild_Name(routine->build), classes, facts, check);
}

/* ---- how it was run -------------------------------------------------------------------------- */

RpStatus Probe_Html(const ProbeReport *report, const char *version, const char *command,
                    RpBuffer *html, RpError *error) {
    char verdict[200];
    size_t found = 0, missed = 0;
    for (size_t i = 0; i < report->row_count; i++) {
        found += IsFound(&report->rows[i]);
        missed += IsNotFound(&report->rows[i]);
    }
    if (report->table_refusal[0])
        snprintf(verdict, sizeof verdict, "the pair could not be loaded");
    else
        snprintf(verdict, sizeof verdict, "%zu function%s found, %zu not found, %zu not tried",
                 found, Text_Plural(found), missed, report->row_count - found - missed);
    Page_Begin(html, "Retropose: how an original is called", "retropose probe",
               report->table_refusal[0] || missed > 0 ? PAGE_BAD
               : found > 0                            ? PAGE_GOOD
                                                      : PAGE_UNSURE,
               verdict);
    Page_Notice(html, report->provider.kind == PROVIDER_ORIGINAL
                          ? ""
                          : "this was no original: it says nothing about the retail DLLs");
    Page_BeginSection(html, "functions", "Functions");
    AppendRows(html, report, "Not found", IsNotFound);
    AppendRows(html, report, "Found", IsFound);
    AppendRows(html, report, "Not tried", IsNotTried);
    RpBuffer_AppendText(html, "<p class=\"soft\">* found by its formula, not where it is "
                              "published</p>\n");
    AppendCodeEvidence(html, report);
    Page_EndSection(html);

    static const char *const heads[] = {"slot",      "name", "address", "build",
                                        "chosen by", "code", "check",   NULL};
    Page_BeginSection(html, "slots", "g_FastProc");
    Page_Print(html, "<p>%u instructions of the code store into the table.</p>\n", report->stores);
    if (report->table_refusal[0])
        Page_Print(html, "<p class=\"bad-word\">Not loaded: %s</p>\n", report->table_refusal);
    Page_BeginTable(html, "The routines that the table may name", heads);
    for (uint32_t i = 0; i < ABI_NGI32_FASTPROC_COUNT; i++)
        for (uint32_t k = 0; k < report->slots[i].routine_count; k++)
            AppendRoutine(html, i, &report->slots[i], &report->slots[i].routines[k]);
    Page_EndTable(html);
    Page_EndSection(html);

    char words[300], name[64];
    Page_BeginSection(html, "run", "The pair");
    Page_BeginFacts(html);
    Provider_Describe(&report->provider, words, sizeof words);
    Page_Fact(html, "provider", words);
    Page_Fact(html, "folder", report->provider.directory);
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        const char *file = AbiModule_File((AbiModule)i);
        snprintf(name, sizeof name, "SHA-256 of %s", file);
        Page_Fact(html, name, report->provider.sha256[i]);
        snprintf(words, sizeof words, "%u bytes, %s", report->sizes[i],
                 report->known_layout[i] ? "laid out as published" : "not laid out as published");
        Page_Fact(html, file, words);
    }
    Provider_Processor(words, sizeof words);
    Page_Fact(html, "processor", words);
    Page_Fact(html, "version of Retropose", version);
    Page_EndFacts(html);
    if (command)
        Page_Command(html, "Repeat this run", command);
    Page_EndSection(html);

    Page_End(html);
    return Page_Status(html, error);
}
