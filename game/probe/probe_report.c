/* Writes what probing found, as text for people and as JSON. */
#include "game/probe/probe.h"

#include "core/json/json_text.h"
#include "core/text.h"
#include "game/probe/candidate.h"
#include "game/probe/probe_words.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const class_names[PROBE_CLASSES] = {"this processor", "ForceCpu 2", "ForceCpu 3",
                                                       "ForceCpu 4",     "ForceCpu 5", "ForceCpu 6",
                                                       "ForceCpu 7"};

/* ---- words ----------------------------------------------------------------------------------- */

void ProbeWords_Facts(const ProbeStatic *facts, char *text, size_t size) {
    char conventions[64], pops[32];
    uint32_t arguments = facts->stack_dwords;
    arguments += facts->uses[PROBE_EDX] ? 2 : facts->uses[PROBE_ECX] ? 1 : 0;
    size_t used = 0;
    conventions[0] = 0;
    for (int i = 0; i < 4; i++)
        if (facts->conventions & 1u << i && used < sizeof conventions)
            used += (size_t)snprintf(conventions + used, sizeof conventions - used, "%s%s",
                                     used ? " or " : "", AbiConvention_Name((AbiConvention)i));
    snprintf(pops, sizeof pops, facts->pops_known ? "pops %u" : "pops an unknown number",
             facts->pops);
    snprintf(text, size, "%s; %s; %u argument%s%s%s%s",
             conventions[0] ? conventions : "no known convention", pops, arguments,
             arguments == 1 ? "" : "s",
             facts->returns_float == PROBE_YES ? "; returns a float" : "",
             facts->xmm ? "; SSE" : "", facts->whole ? "" : "; not followed to the end");
}

void ProbeWords_Classes(uint8_t mask, char *text, size_t size) {
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < PROBE_CLASSES; i++)
        if (mask & 1u << i && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     class_names[i]);
    if (!mask)
        snprintf(text, size, "no class tried");
}

/* ---- text ------------------------------------------------------------------------------------ */

static void PrintEvidence(RpBuffer *out, const ProbeStatic *facts) {
    for (uint32_t i = 0; i < facts->evidence_count; i++) {
        char words[120];
        ProbeEvidence_Describe(&facts->evidence[i], words, sizeof words);
        RpBuffer_Print(out, "        %s\n", words);
    }
}

static void PrintRoutine(RpBuffer *out, const ProbeSlot *slot, const ProbeRoutine *routine,
                         bool evidence) {
    char facts[PROBE_WORDS_BYTES], used[160];
    ProbeWords_Facts(&routine->facts, facts, sizeof facts);
    ProbeWords_Classes(routine->classes, used, sizeof used);
    RpBuffer_Print(out, "    0x%05X  %-7s  %s%s%s\n", routine->rva,
                   OverlayBuild_Name(routine->build), facts, routine->family[0] ? "; block " : "",
                   routine->family);
    RpBuffer_Print(out, "             chosen by %s", used);
    if (routine->stored_at)
        RpBuffer_Print(out, "; stored at 0x%X", routine->stored_at);
    if (routine->check.verdict != PROBE_NOT_TRIED)
        RpBuffer_Print(out, "; called alike: %s",
                       routine->check.verdict == PROBE_FOUND ? "yes" : routine->check.words);
    RpBuffer_Print(out, "\n");
    if (evidence)
        PrintEvidence(out, &routine->facts);
    (void)slot;
}

const char *ProbeWords_Mark(const ProbeRow *row) {
    switch (row->finding.verdict) {
    case PROBE_FOUND:
        return "found";
    case PROBE_NOT_TRIED:
        return "-";
    default:
        return ProbeVerdict_Name(row->finding.verdict);
    }
}

RpStatus Probe_Print(const ProbeReport *report, bool evidence, RpBuffer *text, RpError *error) {
    bool searched = false;

    char words[300];
    Provider_Describe(&report->provider, words, sizeof words);
    RpBuffer_Print(text, "%s: %s\n", report->provider.directory, words);
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        RpBuffer_Print(text, "  %-11s %u bytes, SHA-256 %s, %s\n", AbiModule_File((AbiModule)i),
                       report->sizes[i], report->provider.sha256[i],
                       report->known_layout[i] ? "laid out as published"
                                               : "not laid out as published");

    RpBuffer_Print(text, "g_FastProc: %u stores into it in the code%s%s\n", report->stores,
                   report->table_refusal[0] ? "; not loaded: " : "", report->table_refusal);
    for (uint32_t i = 0; i < ABI_NGI32_FASTPROC_COUNT; i++) {
        const ProbeSlot *slot = &report->slots[i];
        if (slot->routine_count == 0)
            continue;
        RpBuffer_Print(text, "  slot %u %s\n", i, slot->function ? slot->function->name : "");
        for (uint32_t k = 0; k < slot->routine_count; k++)
            PrintRoutine(text, slot, &slot->routines[k], evidence);
    }

    RpBuffer_Print(text, "functions\n");
    for (size_t i = 0; i < report->row_count; i++) {
        const ProbeRow *row = &report->rows[i];
        char facts[PROBE_WORDS_BYTES] = "";
        if (row->has_facts)
            ProbeWords_Facts(&row->facts, facts, sizeof facts);
        RpBuffer_Print(text, "  %-28s ", row->function->key);
        if (row->rva)
            RpBuffer_Print(text, "0x%05X%s ", row->rva, row->searched ? "*" : " ");
        else
            RpBuffer_Print(text, "-        ");
        RpBuffer_Print(text, "%-12s %s%s%s\n", ProbeWords_Mark(row), row->finding.words,
                       row->missing && row->finding.words[0] ? "; " : "",
                       row->missing ? row->missing : "");
        if (facts[0])
            RpBuffer_Print(text, "        code: %s\n", facts);
        if (row->finding.verdict == PROBE_FOUND)
            RpBuffer_Print(text, "        %u of %u cases to the bit%s%s; %u of %u ways tried\n",
                           row->finding.exact, row->finding.cases,
                           row->finding.reading[0] ? " under " : "", row->finding.reading,
                           row->finding.tried, row->finding.possible);
        if (row->seen.paths > 0)
            RpBuffer_Print(text, "        seen on %u path%s: %s\n", row->seen.paths,
                           Text_Plural(row->seen.paths), row->seen.words);
        if (row->has_entry)
            RpBuffer_Print(text, "        entry: %u bytes in the signature, %u may be moved%s%s\n",
                           row->entry.signature_bytes, row->entry.entry_bytes,
                           row->entry.refusal ? ": " : "",
                           row->entry.refusal ? row->entry.refusal : "");
        if (evidence && row->has_facts)
            PrintEvidence(text, &row->facts);

        searched |= report->rows[i].searched;
    }
    if (searched)
        RpBuffer_Print(text, "  * found by its formula, not where it is published\n");
    return text->failed ? RpMemory_Refused(error, "the words of a report") : RP_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void AddRva(cJSON *object, const char *name, uint32_t rva) {
    char text[16];
    snprintf(text, sizeof text, "0x%05X", rva);
    cJSON_AddStringToObject(object, name, text);
}

static void AddFacts(cJSON *object, const ProbeStatic *facts) {
    cJSON *code = cJSON_AddObjectToObject(object, "code");
    cJSON_AddBoolToObject(code, "whole", facts->whole);
    if (facts->pops_known)
        cJSON_AddNumberToObject(code, "pops", facts->pops);
    cJSON *conventions = cJSON_AddArrayToObject(code, "conventions");
    for (int i = 0; i < 4; i++)
        if (facts->conventions & 1u << i)
            cJSON_AddItemToArray(conventions,
                                 cJSON_CreateString(AbiConvention_Name((AbiConvention)i)));
    cJSON_AddNumberToObject(code, "stack_dwords", facts->stack_dwords);
    cJSON_AddBoolToObject(code, "reads_ecx", facts->uses[PROBE_ECX] != 0);
    cJSON_AddBoolToObject(code, "reads_edx", facts->uses[PROBE_EDX] != 0);
    if (facts->returns_float != PROBE_UNKNOWN)
        cJSON_AddBoolToObject(code, "returns_float", facts->returns_float == PROBE_YES);
    cJSON_AddBoolToObject(code, "sse", facts->xmm);
    cJSON *evidence = cJSON_AddArrayToObject(code, "evidence");
    for (uint32_t i = 0; i < facts->evidence_count; i++) {
        char words[120];
        ProbeEvidence_Describe(&facts->evidence[i], words, sizeof words);
        cJSON_AddItemToArray(evidence, cJSON_CreateString(words));
    }
}

static void AddFinding(cJSON *object, const AbiFunction *function, const ProbeFinding *finding) {
    Signature signature;
    char call[240];
    cJSON_AddStringToObject(object, "verdict", ProbeVerdict_Name(finding->verdict));
    cJSON_AddStringToObject(object, "words", finding->words);
    if (finding->verdict == PROBE_FOUND && Signature_Parse(function, &signature, NULL) == RP_OK) {
        ProbeCandidate_Describe(&signature, &finding->call, call, sizeof call);
        cJSON_AddStringToObject(object, "call", call);
        cJSON_AddNumberToObject(object, "cases", finding->cases);
        cJSON_AddNumberToObject(object, "exact", finding->exact);
        cJSON_AddStringToObject(object, "reading", finding->reading);
        cJSON_AddBoolToObject(object, "interchangeable", finding->interchangeable);
    }
    cJSON_AddNumberToObject(object, "possible", finding->possible);
    cJSON_AddNumberToObject(object, "tried", finding->tried);
    cJSON_AddNumberToObject(object, "crashed", finding->crashed);
    cJSON_AddNumberToObject(object, "timed_out", finding->timed_out);
    cJSON_AddNumberToObject(object, "exited", finding->exited);
}

RpStatus Probe_Json(const ProbeReport *report, const char *version, RpBuffer *text,
                    RpError *error) {
    char words[300];
    cJSON *root = cJSON_CreateObject();
    Provider_Describe(&report->provider, words, sizeof words);
    cJSON_AddStringToObject(root, "pair", words);
    cJSON_AddStringToObject(root, "directory", report->provider.directory);
    cJSON_AddStringToObject(root, "kind", Provider_Name(&report->provider));
    cJSON_AddStringToObject(root, "version", version);
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        cJSON *module = cJSON_AddObjectToObject(root, AbiModule_Name((AbiModule)i));
        cJSON_AddStringToObject(module, "sha256", report->provider.sha256[i]);
        cJSON_AddNumberToObject(module, "size", report->sizes[i]);
        cJSON_AddBoolToObject(module, "known_layout", report->known_layout[i]);
    }
    cJSON_AddBoolToObject(root, "loaded", report->has_table);
    cJSON_AddStringToObject(root, "refusal", report->table_refusal);
    cJSON_AddNumberToObject(root, "stores", report->stores);

    cJSON *slots = cJSON_AddArrayToObject(root, "slots");
    for (uint32_t i = 0; i < ABI_NGI32_FASTPROC_COUNT; i++) {
        const ProbeSlot *slot = &report->slots[i];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(slots, object);
        cJSON_AddNumberToObject(object, "slot", i);
        if (slot->function)
            cJSON_AddStringToObject(object, "name", slot->function->name);
        cJSON *routines = cJSON_AddArrayToObject(object, "routines");
        for (uint32_t k = 0; k < slot->routine_count; k++) {
            const ProbeRoutine *routine = &slot->routines[k];
            cJSON *item = cJSON_CreateObject();
            cJSON_AddItemToArray(routines, item);
            AddRva(item, "rva", routine->rva);
            cJSON_AddStringToObject(item, "build", OverlayBuild_Name(routine->build));
            cJSON_AddStringToObject(item, "family", routine->family);
            cJSON *classes = cJSON_AddArrayToObject(item, "classes");
            for (int c = 0; c < PROBE_CLASSES; c++)
                if (routine->classes & 1u << c)
                    cJSON_AddItemToArray(classes, cJSON_CreateString(class_names[c]));
            if (routine->stored_at)
                AddRva(item, "stored_at", routine->stored_at);
            cJSON_AddStringToObject(item, "check", ProbeVerdict_Name(routine->check.verdict));
            AddFacts(item, &routine->facts);
        }
    }

    cJSON *functions = cJSON_AddArrayToObject(root, "functions");
    for (size_t i = 0; i < report->row_count; i++) {
        const ProbeRow *row = &report->rows[i];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(functions, object);
        cJSON_AddStringToObject(object, "function", row->function->key);
        if (row->rva)
            AddRva(object, "rva", row->rva);
        cJSON_AddBoolToObject(object, "searched", row->searched);
        if (row->missing)
            cJSON_AddStringToObject(object, "missing", row->missing);
        cJSON_AddStringToObject(object, "build", OverlayBuild_Name(row->build));
        AddFinding(object, row->function, &row->finding);
        if (row->has_facts)
            AddFacts(object, &row->facts);
        if (row->seen.paths > 0) {
            cJSON *seen = cJSON_AddObjectToObject(object, "seen");
            cJSON_AddNumberToObject(seen, "paths", row->seen.paths);
            cJSON_AddStringToObject(seen, "words", row->seen.words);
        }
        if (row->has_entry) {
            cJSON *entry = cJSON_AddObjectToObject(object, "entry");
            cJSON_AddNumberToObject(entry, "signature_bytes", row->entry.signature_bytes);
            cJSON_AddStringToObject(entry, "signature", row->entry.sha256);
            cJSON_AddNumberToObject(entry, "entry_bytes", row->entry.entry_bytes);
        }
    }

    return JsonText_End(root, true, "the report as JSON", text, error);
}
