/* Tests probing with pairs of which everything is known: the stand-in and its variants, and pairs
 * that hang, crash, end the process and break the stack. The answers cannot come from the tables,
 * because the variants are called in other ways. */
#include "game/probe/candidate.h"
#include "game/probe/probe.h"
#include "replay/scenario/scenario.h"
#include "tests/engine.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *variant;
static ProbeReport report;
static char host[1024]; /* runs what was found */

static void Probe(const char *directory, const char *functions) {
    RpError error = {0};
    Selection *selection = NULL;
    if (functions)
        assert_int_equal(Selection_Parse(functions, &selection, &error), RP_OK);
    ProbeOptions options = {
        .reference = WINDOWS_BUILD "/replacement", .functions = selection, .seed = 1};
    RpStatus status = Probe_Run(directory, &options, &report, &error);
    if (status)
        fail_msg("%s: %s: %s", directory, error.what, error.found);
    Selection_Free(selection);
}

static const ProbeRow *Row(const char *key) {
    for (size_t i = 0; i < report.row_count; i++)
        if (strcmp(report.rows[i].function->key, key) == 0)
            return &report.rows[i];
    fail_msg("no row of %s", key);
    return NULL;
}

/* Demands the same machine call as expected. Inputs that the formula treats alike may change
 * places, so each place has the expected parameter or one of its kind. */
static void ExpectCall(const ProbeRow *row, const OverlayCall *expected) {
    Signature signature;
    char found[240], wanted[240];
    assert_int_equal(Signature_Parse(row->function, &signature, NULL), RP_OK);
    ProbeLayout a = ProbeLayout_Of(&signature, &row->finding.call);
    ProbeLayout b = ProbeLayout_Of(&signature, expected);
    ProbeCandidate_Describe(&signature, &row->finding.call, found, sizeof found);
    ProbeCandidate_Describe(&signature, expected, wanted, sizeof wanted);
    if (row->finding.verdict != PROBE_FOUND)
        fail_msg("%s: %s, expected %s", row->function->key, row->finding.words, wanted);
    bool symmetric = strcmp(row->function->key, "ngi32.slot20") == 0 ||
                     strcmp(row->function->key, "ngi32.DirectionalCosine") == 0;
    assert_int_equal(row->finding.interchangeable, symmetric);
    if (symmetric) { /* the first two inputs of both may change places */
        int8_t *places[2][SIGNATURE_MAX_PARAMS + 2];
        ProbeLayout *layouts[2] = {&a, &b};
        for (int i = 0; i < 2; i++) {
            places[i][0] = &layouts[i]->ecx;
            places[i][1] = &layouts[i]->edx;
            for (int k = 0; k < SIGNATURE_MAX_PARAMS; k++)
                places[i][k + 2] = &layouts[i]->stack[k];
            for (int k = 0; k < layouts[i]->stack_count + 2; k++)
                if (*places[i][k] == 1)
                    *places[i][k] = 0;
        }
    }
    if (!ProbeLayout_Equal(&a, &b))
        fail_msg("%s: found %s, expected %s", row->function->key, found, wanted);
}

static void LoadTruth(Overlay *truth) {
    char path[700];
    RpError error = {0};
    snprintf(path, sizeof path, "%s/variants/%s/truth.overlay", WINDOWS_BUILD, variant);
    if (Overlay_Load(path, truth, &error))
        fail_msg("%s: %s", path, error.what);
}

static void ExpectRows(const Overlay *truth) {
    size_t compared = 0;
    for (size_t i = 0; i < report.row_count; i++) {
        const ProbeRow *row = &report.rows[i];
        OverlayCall expected;
        if (!ProbeCases_Known(row->function))
            continue;
        const OverlayFunction *line = truth ? Overlay_Find(truth, row->function) : NULL;
        assert_int_equal(Overlay_CallOf(truth, row->function, &expected, NULL), RP_OK);
        ExpectCall(row, &expected);
        uint32_t at = line && line->rva ? line->rva : row->function->rva;
        if (row->function->kind == ABI_INTERNAL)
            assert_int_equal(row->rva, at);
        compared++;
    }
    assert_int_equal(compared, 28);
}

/* Demands that every routine which some class chooses was called in the same way as the one that
 * this processor chooses. */
static void ExpectRoutines(void) {
    for (uint32_t i = 0; i < ABI_NGI32_FASTPROC_COUNT; i++) {
        const ProbeSlot *slot = &report.slots[i];
        for (uint32_t k = 0; slot->function && k < slot->routine_count; k++) {
            const ProbeRoutine *routine = &slot->routines[k];
            if (k != slot->live && routine->classes)
                assert_int_equal(routine->check.verdict, PROBE_FOUND);
            assert_true(!routine->facts.xmm || routine->build == OVERLAY_BUILD_SSE);
        }
        assert_true(slot->routine_count > 0);
    }
}

/* ---- variants -------------------------------------------------------------------------------- */

static void EverythingOfAVariantIsFoundFromNothing(void **state) {
    (void)state;
    char directory[600];
    Overlay truth;
    snprintf(directory, sizeof directory, "%s/variants/%s", WINDOWS_BUILD, variant);
    LoadTruth(&truth);
    Probe(directory, NULL);
    ExpectRows(&truth);
    ExpectRoutines();
    Overlay_Free(&truth);
}

/* The overlay that results calls the pair without a violation. */
static void WhatWasFoundMakesItCallable(void **state) {
    (void)state;
    char overlay_path[700], input[700], output[700];
    RpError error = {0};
    Overlay overlay;
    Overlay_Init(&overlay, NULL);
    snprintf(overlay_path, sizeof overlay_path, "%s/%s.overlay", TEST_FOLDER, variant);
    snprintf(input, sizeof input, "%s/%s.in", TEST_FOLDER, variant);
    snprintf(output, sizeof output, "%s/%s.out", TEST_FOLDER, variant);
    assert_int_equal(Probe_Merge(&report, &overlay, &error), RP_OK);
    assert_int_equal(Overlay_Save(&overlay, overlay_path, &error), RP_OK);
    ScenarioOptions scenario = {.seed = 7, .count = 520, .force_cpu = -1};
    assert_int_equal(Scenario_Write(Scenario_Find("slots"), &scenario, input, &error), RP_OK);
    ProviderOptions options = {.host = host, .timeout_seconds = 3, .overlay = overlay_path};
    if (Provider_Run(&report.provider, input, output, &options, &error))
        fail_msg("%s: %s", error.what, error.found);
    TraceReader *reader;
    TraceCall call;
    bool found = true;
    uint32_t count = 0;
    assert_int_equal(TraceReader_Open(output, &reader, &error), RP_OK);
    while (TraceReader_Next(reader, &call, &found, &error) == RP_OK && found) {
        if (call.outcome != TRACE_RETURNED || call.violations)
            fail_msg("%s: outcome %u, violations %u", call.function->key, call.outcome,
                     call.violations);
        count++;
    }
    assert_int_equal(count, 520);
    TraceReader_Close(reader);
    Overlay_Free(&overlay);
    remove(overlay_path);
    remove(input);
    remove(output);
    Probe_Free(&report);
}

/* ---- the stand-in ---------------------------------------------------------------------------- */

TEST(TheStandInIsCalledAsTheTablesSay) {
    Probe(WINDOWS_BUILD "/standin", NULL);
    ExpectRows(NULL);
    ExpectRoutines();
    assert_true(report.known_layout[ABI_NGI32] && report.known_layout[ABI_ANIMESH]);
    assert_int_equal(report.stores, 34);
    for (uint32_t i = 0; i < ABI_NGI32_FASTPROC_COUNT; i++)
        for (uint32_t k = 0; k < report.slots[i].routine_count; k++) {
            const ProbeRoutine *routine = &report.slots[i].routines[k];
            const AbiFunction *function = report.slots[i].function;
            if (function && function->rva && routine->rva == function->rva)
                assert_int_equal(routine->build, OVERLAY_BUILD_GENERIC);
            if (function && function->rva_sse && routine->rva == function->rva_sse)
                assert_int_equal(routine->build, OVERLAY_BUILD_SSE);
        }
    assert_int_equal(Row("animesh.SetColumn")->entry.entry_bytes, 5);
    assert_true(Row("animesh.SetColumn")->entry.signature_bytes >= PROBE_SIGNATURE_LEAST);
    assert_int_equal(Row("animesh.PoseWalk")->finding.verdict, PROBE_NOT_TRIED);
    assert_string_equal(Row("animesh.PoseWalk")->finding.words,
                        "not called: it changes an object in place");
    Probe_Free(&report);
}

TEST(ReportsSayWhatWasFound) {
    RpBuffer texts[3];
    Probe(WINDOWS_BUILD "/standin", "ngi32.slot17,animesh.SetColumn,ngi32.vrtPutDib");
    for (int i = 0; i < 3; i++)
        RpBuffer_Init(&texts[i], NULL);
    assert_int_equal(Probe_Print(&report, true, &texts[0], NULL), RP_OK);
    assert_int_equal(Probe_Json(&report, "1.2.3 (4567)", &texts[1], NULL), RP_OK);
    assert_int_equal(
        Probe_Html(&report, "1.2.3 (4567)", "retropose probe --original 'a <b>'", &texts[2], NULL),
        RP_OK);
    const struct {
        int in;
        const char *words;
    } said[] = {{0, "fastcall(q0, q1, t, result) in "},
                {0, "stand-in"},
                {0, "called alike: yes"},
                {1, "\"verdict\":\t\"found\""},
                {1, "\"version\":\t\"1.2.3 (4567)\""},
                {2, "<h1>2 functions found, 0 not found, 1 not tried</h1>"},
                {2, "it says nothing about the retail DLLs"},
                {2, "fastcall(q0, q1, t, result) in "},
                {2, report.provider.sha256[ABI_ANIMESH]},
                {2, "--original &#39;a &lt;b&gt;&#39;"},
                {2, "<dd>1.2.3 (4567)</dd>"}};
    for (int i = 0; i < 3; i++)
        RpBuffer_Append(&texts[i], "", 1);
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (!strstr((char *)texts[said[i].in].bytes, said[i].words))
            fail_msg("\"%s\" is not in text %d", said[i].words, said[i].in);
    for (int i = 0; i < 3; i++)
        RpBuffer_Free(&texts[i]);
    Probe_Free(&report);
}

/* The code only helps: conventions also differ in what they do to the machine, which the probe can
 * see. */
TEST(WithoutTheCodeTheSameIsFound) {
    static const char *const keys[] = {"ngi32.slot14", "ngi32.slot17", "ngi32.slot38",
                                       "ngi32.ngiGetSinCos"};
    RpError error = {0};
    PeFile files[ABI_MODULE_COUNT];
    HostOptions pair = {.guest = {.takes_signals = true}};
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        char path[700];
        assert_int_equal(
            Provider_Path(WINDOWS_BUILD "/standin", (AbiModule)i, path, sizeof path, &error),
            RP_OK);
        assert_int_equal(Pe_Load(path, &files[i], &error), RP_OK);
        pair.files[i] = (PairFile){AbiModule_File((AbiModule)i), files[i].bytes, files[i].size};
    }
    ProbeTrials trials = {.pair = &pair, .force_cpu = -1, .seed = 1};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        OverlayCall expected;
        Signature signature;
        ProbeCases *cases;
        ProbeRow row = {.function = Abi_Find(keys[i])};
        assert_int_equal(Signature_Parse(row.function, &signature, &error), RP_OK);
        assert_int_equal(
            ProbeCases_Make(&signature, trials.seed, PROBE_CASES, NULL, &cases, &error), RP_OK);
        trials.cases = cases;
        assert_int_equal(ProbeDynamic_Find(&trials, NULL, &row.finding, &error), RP_OK);
        ProbeCases_Free(cases);
        assert_int_equal(Overlay_CallOf(NULL, row.function, &expected, &error), RP_OK);
        ExpectCall(&row, &expected);
        assert_int_equal(row.finding.tried, row.finding.possible);
    }
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        Pe_Close(&files[i]);
}

/* ---- overlays -------------------------------------------------------------------------------- */

TEST(AnOverlayOfOtherFilesIsNotKept) {
    Overlay overlay;
    Probe(WINDOWS_BUILD "/standin", "animesh.SetColumn,ngi32.vrtPutDib");
    Overlay_Init(&overlay, NULL);
    overlay.modules[ABI_NGI32].known = true;
    memset(overlay.modules[ABI_NGI32].sha256, 'a', 64);
    OverlayFunction *stale = Overlay_Add(&overlay, Abi_Find("ngi32.slot17"));
    stale->rva = 0x1234;
    OverlayFunction *kept = Overlay_Add(&overlay, Abi_Find("animesh.GetColumn"));
    kept->rva = 0x0B600; /* there is no module line, so the overlay may be for these files */
    assert_int_equal(Probe_Merge(&report, &overlay, NULL), RP_OK);
    assert_null(Overlay_Find(&overlay, Abi_Find("ngi32.slot17")));
    assert_non_null(Overlay_Find(&overlay, Abi_Find("animesh.GetColumn")));
    const OverlayFunction *line = Overlay_Find(&overlay, Abi_Find("animesh.SetColumn"));
    assert_true(line && line->has_call && line->evidence == (OVERLAY_STATIC | OVERLAY_DYNAMIC));
    assert_true(line->signature_bytes >= PROBE_SIGNATURE_LEAST && line->cases > 0);
    line = Overlay_Find(&overlay, Abi_Find("ngi32.vrtPutDib")); /* found by its code alone */
    assert_true(line && line->has_call && line->evidence == OVERLAY_STATIC);
    assert_true(Overlay_IsFor(&overlay, ABI_NGI32, report.provider.sha256[ABI_NGI32]));
    Overlay_Free(&overlay);
    Probe_Free(&report);
}

/* ---- hostile pairs --------------------------------------------------------------------------- */

static void HostilePairsEndInClearRows(void **state) {
    (void)state;
    static const char *const keys[] = {"ngi32.slot4",  "ngi32.slot14", "ngi32.slot17",
                                       "ngi32.slot20", "ngi32.slot26", "ngi32.slot28"};
    Probe(WINDOWS_BUILD "/tests/replay/host/rogue",
          "ngi32.slot4,ngi32.slot14,ngi32.slot17,ngi32.slot20,ngi32.slot26,ngi32.slot28");
    assert_true(report.has_table);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const ProbeRow *row = Row(keys[i]);
        assert_true(row->finding.verdict == PROBE_NONE_FITS ||
                    row->finding.verdict == PROBE_BROKEN);
        assert_true(strlen(row->finding.words) > 0);
    }
    assert_true(Row("ngi32.slot28")->finding.timed_out > 0); /* this function hangs */
    assert_int_equal(Row("ngi32.slot28")->finding.verdict, PROBE_BROKEN);
    assert_true(Row("ngi32.slot26")->finding.exited > 0); /* this function ends the process */
    Probe_Free(&report);
}

static void APairThatCannotBeLoadedIsReadAllTheSame(void **state) {
    (void)state;
    Probe(WINDOWS_BUILD "/tests/replay/host/exits", "ngi32.slot4,ngi32.ngiGetSinCos");
    assert_false(report.has_table);
    assert_true(strlen(report.table_refusal) > 0);
    assert_true(Row("ngi32.ngiGetSinCos")->has_facts);
    assert_int_equal(Row("ngi32.ngiGetSinCos")->finding.verdict, PROBE_NOT_TRIED);
    Probe_Free(&report);
}

static void OurOwnDllsNeedNoProbing(void **state) {
    (void)state;
    RpError error = {0};
    ProbeOptions options = {.seed = 1};
    assert_int_equal(Probe_Run(WINDOWS_BUILD "/replacement", &options, &report, &error),
                     RP_UNSUPPORTED);
    assert_int_equal(Probe_Run(WINDOWS_BUILD "/no-such", &options, &report, &error), RP_NOT_FOUND);
}

int main(int argc, char **argv) {
    const struct CMUnitTest variant_tests[] = {
        cmocka_unit_test(EverythingOfAVariantIsFoundFromNothing),
        cmocka_unit_test(WhatWasFoundMakesItCallable),
    };
    const struct CMUnitTest hostile_tests[] = {
        cmocka_unit_test(HostilePairsEndInClearRows),
        cmocka_unit_test(APairThatCannotBeLoadedIsReadAllTheSame),
        cmocka_unit_test(OurOwnDllsNeedNoProbing),
    };
    TestEngine_Host(WINDOWS_BUILD, host, sizeof host);
    if (access(host, F_OK) != 0 || access(WINDOWS_BUILD "/standin", F_OK) != 0) {
        fprintf(stderr, "skipped: no host program %s, or no Windows build at %s\n", host,
                WINDOWS_BUILD);
        return SKIPPED;
    }
    variant = argc > 1 ? argv[1] : NULL;
    if (variant && strcmp(variant, "hostile") == 0)
        return cmocka_run_group_tests(hostile_tests, NULL, NULL);
    return variant ? cmocka_run_group_tests(variant_tests, NULL, NULL) : Tests_Run();
}
