/* Compares functions of the stand-in and of the replacement by their expressions: as they are
 * built, with every variant of the stand-in, and with faults planted into the stand-in's code. */
#include "replay/lift/lift_digest.h"
#include "replay/lift/lift_same.h"

#include "core/bytes.h"
#include "core/pe/pe.h"
#include "replay/scenario/values.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Files {
    uint8_t *bytes[ABI_MODULE_COUNT];
    size_t sizes[ABI_MODULE_COUNT];
} Files;

typedef struct Row {
    const char *key;
    LiftVerdict verdict; /* of the stand-in and the replacement */
} Row;

/* Functions with a formula. Where the verdict is not "for every input", the reason is beside it. */
static const Row rows[] = {
    {"ngi32.slot4", LIFT_SAME_ALWAYS},
    {"ngi32.slot7", LIFT_SAME_ALWAYS},
    {"ngi32.slot11", LIFT_SAME_ALWAYS},
    {"ngi32.slot14", LIFT_SAME_ALWAYS},
    {"ngi32.slot15", LIFT_SAME_ALWAYS},
    {"ngi32.slot17", LIFT_SAME_ALWAYS},
    {"ngi32.slot20", LIFT_SAME_ALWAYS},
    {"ngi32.slot22", LIFT_SAME_ALWAYS},
    {"ngi32.slot23", LIFT_SAME_ALWAYS},
    {"ngi32.slot26", LIFT_SAME_ALWAYS},
    {"ngi32.slot28", LIFT_SAME_ALWAYS},
    {"ngi32.slot35", LIFT_SAME_ALWAYS},
    {"ngi32.slot38", LIFT_SAME_ALWAYS},
    {"ngi32.slot45", LIFT_SAME_ALWAYS},
    {"ngi32.DirectionalCosine", LIFT_SAME_ALWAYS},
    {"ngi32.Highlight", LIFT_SAME_ON_PATHS},
    {"ngi32.PointLight", LIFT_SAME_ALWAYS},
    {"ngi32.DirectionalLights", LIFT_SAME_ALWAYS},
    {"ngi32.ngiGetSinCos", LIFT_SAME_ALWAYS},
    {"animesh.FillBoxCorners", LIFT_SAME_ALWAYS},
    {"animesh.PointOverTriangle", LIFT_SAME_ALWAYS},
    {"animesh.SphereTouchesEdge", LIFT_SAME_ALWAYS},
    {"animesh.SphereTouchesFace", LIFT_SAME_ON_PATHS},
    {"animesh.SampleNode", LIFT_SAME_ALWAYS},
    {"animesh.BlendPoses", LIFT_SAME_ON_PATHS},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static Files standin, replacement;
static LiftInputs *inputs;
static bool is_verbose;

static bool ReadPair(const char *folder, Files *files) {
    static const char *const names[ABI_MODULE_COUNT] = {"Ngi32.dll", "AniMesh.dll"};
    const char *set = getenv("RETROPOSE_HOME"), *home = set ? set : WINDOWS_BUILD;
    for (int module = 0; module < ABI_MODULE_COUNT; module++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s/%s", home, folder, names[module]);
        FILE *file = fopen(path, "rb");
        if (!file)
            return false;
        fseek(file, 0, SEEK_END);
        files->sizes[module] = (size_t)ftell(file);
        rewind(file);
        files->bytes[module] = malloc(files->sizes[module]);
        assert_non_null(files->bytes[module]);
        assert_int_equal(fread(files->bytes[module], 1, files->sizes[module], file),
                         files->sizes[module]);
        fclose(file);
    }
    return true;
}

static void FreeFiles(Files *files) {
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        free(files->bytes[module]);
    memset(files, 0, sizeof *files);
}

static void AssertOk(RpStatus status, const RpError *error) {
    if (status)
        fail_msg("%s, at %s: %s", error->what, error->where, error->found);
}

static LiftPair *Open(const Files *files, const char *overlay, const LiftSetup *setup,
                      ExpressionGraph *graph) {
    LiftFiles pair_files = {.overlay = overlay, .overlay_size = overlay ? strlen(overlay) : 0};
    LiftPair *pair;
    RpError error;
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        pair_files.files[module] =
            (PairFile){.bytes = files->bytes[module], .size = files->sizes[module]};
    AssertOk(LiftPair_Open(&pair_files, setup, graph, &pair, &error), &error);
    return pair;
}

/* Compares one function; the caller frees both results. What is open after a few inputs is searched
 * by LiftSame_Compare, which is faster than running more of them. */
static void Compare(LiftPair *const pairs[LIFT_SIDES], const char *key, LiftPaths *paths,
                    LiftSame *same) {
    const LiftSameOptions options = LiftSameOptions_Default();
    LiftBudget budget = LiftBudget_Default();
    RpError error;
    budget.most_inputs = 700;
    budget.patience = 200;
    AssertOk(LiftPaths_Find(pairs, inputs, Abi_Find(key), &budget, paths, &error), &error);
    AssertOk(LiftSame_Compare(paths, &options, same, &error), &error);
}

static void Show(const char *key, const LiftPaths *paths, const LiftSame *same) {
    if (!is_verbose)
        return;
    print_message(
        "%-26s %3u / %3u paths, %4u pairs, %u different, laws %02X, %u open, %u tried: %s %s\n",
        key, paths->found_count[0], paths->found_count[1], same->pairs, same->different, same->laws,
        same->open_count, (unsigned)same->searched, LiftVerdict_Text(same->verdict), same->reason);
    const LiftDifference *difference = &same->difference;
    for (int side = 0; same->has_difference && side < LIFT_SIDES; side++) {
        const LiftPath *path = paths->found[side][difference->found[side]].path;
        const ExpressionPrinter printer = {.graph = paths->graph};
        char instruction[96] = "";
        const uint32_t step = difference->steps[side];
        RpBuffer text;
        RpBuffer_Init(&text, NULL);
        if (difference->values[side])
            Expression_Print(&printer, difference->values[side], &text);
        RpBuffer_Append(&text, "", 1);
        if (step < path->step_count)
            LiftStep_Text(&path->steps[step], instruction, sizeof instruction);
        print_message("    kind %d%s, path %u, step %u of %u, %08X %s: %.500s\n", difference->kind,
                      difference->has_witness ? " with witness" : "", difference->found[side], step,
                      path->step_count, step < path->step_count ? path->steps[step].address : 0,
                      instruction, (const char *)text.bytes);
        if (difference->conditions[side])
            print_message("      condition: %X\n", difference->conditions[side]->outcomes);
        RpBuffer_Free(&text);
    }
    for (uint32_t i = 0; i < same->open_count && i < 6; i++) {
        const LiftOpen *open = &same->open[i];
        const ExpressionPrinter printer = {.graph = paths->graph};
        const LiftPath *path = paths->found[open->side][open->found].path;
        char instruction[96];
        RpBuffer text;
        RpBuffer_Init(&text, NULL);
        Expression_Print(&printer, open->condition->left, &text);
        RpBuffer_AppendText(&text, " ? ");
        Expression_Print(&printer, open->condition->right, &text);
        RpBuffer_Append(&text, "", 1);
        LiftStep_Text(&path->steps[open->condition->step], instruction, sizeof instruction);
        print_message("    open on side %u, %08X %s: not %X, rounds %u: %.300s\n", open->side,
                      path->steps[open->condition->step].address, instruction,
                      open->condition->outcomes, open->rounds, (const char *)text.bytes);
        RpBuffer_Free(&text);
    }
}

AROUND(BeforeAll) {
    RpError error;
    is_verbose = getenv("LIFT_VERBOSE") != NULL;
    if (!ReadPair("standin", &standin) || !ReadPair("replacement", &replacement)) {
        printf("skipped: no pairs of DLLs in %s; build the preset windows first\n", WINDOWS_BUILD);
        exit(SKIPPED);
    }
    AssertOk(LiftInputs_Open(&inputs, &error), &error);
}

AROUND(AfterAll) {
    LiftInputs_Close(inputs);
    FreeFiles(&standin);
    FreeFiles(&replacement);
}

/* ---- as they are built ----------------------------------------------------------------------- */

TEST(EveryFunctionHasTheExpressionOfTheReplacement) {
    const LiftSetup setup = LiftSetup_Default();
    const char *only = getenv("LIFT_ONLY");
    uint32_t always = 0, wrong = 0;
    for (int i = 0; i < ROWS; i++) {
        if (only && !strstr(rows[i].key, only))
            continue;
        ExpressionGraph *graph = ExpressionGraph_Create();
        LiftPair *const pairs[LIFT_SIDES] = {Open(&standin, NULL, &setup, graph),
                                             Open(&replacement, NULL, &setup, graph)};
        LiftPaths paths;
        LiftSame same;
        Compare(pairs, rows[i].key, &paths, &same);
        Show(rows[i].key, &paths, &same);
        always += same.verdict == LIFT_SAME_ALWAYS && same.laws == 0;
        /* What stands as a call in the expressions is named, and that memory has to lie apart. */
        const bool has_calls = strcmp(rows[i].key, "animesh.BlendPoses") == 0;
        assert_string_equal(same.calls, has_calls ? "QuaternionToMatrix, InterpolateQuaternions, "
                                                    "BlendQuaternions"
                                                  : "");
        if (strcmp(rows[i].key, "ngi32.slot14") == 0)
            assert_true(same.is_apart && !same.has_places);
        if (strcmp(rows[i].key, "ngi32.slot38") == 0) /* one pointer */
            assert_false(same.is_apart);
        if (strcmp(rows[i].key, "animesh.FillBoxCorners") == 0)
            assert_true(same.is_apart && same.has_places);
        if (same.verdict != rows[i].verdict || same.laws != 0) {
            print_error("%s: %s %s\n", rows[i].key, LiftVerdict_Text(same.verdict), same.reason);
            wrong++;
        }
        LiftSame_Free(&same);
        LiftPaths_Free(&paths);
        for (int side = 0; side < LIFT_SIDES; side++)
            LiftPair_Close(pairs[side]);
        ExpressionGraph_Destroy(graph);
    }
    assert_int_equal(wrong, 0);
    if (!only)
        assert_true(always >= 22);
}

TEST(WhatIsOpenIsReachedInOnePairAlone) {
    const LiftSetup setup = LiftSetup_Default();
    const LiftSameOptions options = LiftSameOptions_Default();
    ExpressionGraph *graph = ExpressionGraph_Create();
    LiftPair *const pairs[LIFT_SIDES] = {Open(&standin, NULL, &setup, graph), NULL};
    LiftBudget budget = LiftBudget_Default();
    LiftPaths paths;
    RpError error;
    budget.most_inputs = 1;
    AssertOk(LiftPaths_Find(pairs, inputs, Abi_Find("ngi32.slot17"), &budget, &paths, &error),
             &error);
    assert_int_equal(paths.found_count[0], 1);
    AssertOk(LiftSame_Reach(&paths, &options, &error), &error);
    assert_int_equal(paths.found_count[0], 4);
    LiftPaths_Free(&paths);
    LiftPair_Close(pairs[0]);
    ExpressionGraph_Destroy(graph);
}

/* Looks for an input that is used for something else than to be loaded, or computed with by SSE. */
static void LookAtUses(const Expression *e, bool *seen, uint32_t *loads, uint32_t *others) {
    if (seen[e->id])
        return;
    seen[e->id] = true;
    for (uint32_t i = 0; i < e->count; i++) {
        const Expression *operand = e->operands[i];
        const bool loads_it =
            e->operation == EXPRESSION_X87_LOAD32 || e->operation == EXPRESSION_X87_OPERAND32 ||
            (e->operation >= EXPRESSION_SSE_ADD && e->operation <= EXPRESSION_SSE_SQRT);
        if (operand->operation == EXPRESSION_INPUT)
            ++*(loads_it ? loads : others);
        LookAtUses(operand, seen, loads, others);
    }
}

/* LiftSame_Compare takes for granted that the slots which are cut out of BlendPoses cannot tell a
 * NaN that became quiet on its way to them. */
TEST(TheSlotsThatAreCutOutOnlyLoadTheirInputs) {
    static const char *const keys[] = {"ngi32.slot14", "ngi32.slot17", "ngi32.slot22"};
    for (int i = 0; i < 6; i++) {
        LiftSetup setup = LiftSetup_Default();
        if (i >= 3) {
            setup.build = PROVIDER_SLOTS_SSE;
            setup.processor = "pentium3";
        }
        ExpressionGraph *graph = ExpressionGraph_Create();
        LiftPair *const pairs[LIFT_SIDES] = {Open(&standin, NULL, &setup, graph),
                                             Open(&replacement, NULL, &setup, graph)};
        LiftPaths paths;
        LiftSame same;
        Compare(pairs, keys[i % 3], &paths, &same);
        assert_int_equal(same.verdict, LIFT_SAME_ALWAYS);
        bool *seen = calloc(ExpressionGraph_Count(graph), sizeof *seen);
        assert_non_null(seen);
        uint32_t loads = 0, others = 0;
        for (int side = 0; side < LIFT_SIDES; side++) {
            for (uint32_t p = 0; p < paths.found_count[side]; p++) {
                const LiftPath *path = paths.found[side][p].path;
                for (uint32_t k = 0; k < path->condition_count; k++) {
                    LookAtUses(path->conditions[k].left, seen, &loads, &others);
                    LookAtUses(path->conditions[k].right, seen, &loads, &others);
                }
                for (uint32_t k = 0; k < path->output_count; k++)
                    LookAtUses(path->outputs[k].value, seen, &loads, &others);
            }
        }
        assert_int_equal(others, 0);
        assert_true(loads >= 4);
        free(seen);
        LiftSame_Free(&same);
        LiftPaths_Free(&paths);
        for (int side = 0; side < LIFT_SIDES; side++)
            LiftPair_Close(pairs[side]);
        ExpressionGraph_Destroy(graph);
    }
}

/* What is the same by the exact rules has the same digest, whichever side is lifted first: the ids
 * of expressions, and with them the order in which the rules put operands, are then others. */
TEST(TheSameFormulasHaveTheSameDigest) {
    static const char *const keys[] = {"ngi32.slot14", "ngi32.slot17", "ngi32.slot23",
                                       "ngi32.ngiGetSinCos"};
    const LiftSetup setup = LiftSetup_Default();
    char sums[sizeof keys / sizeof *keys][4][DIGEST_HEX_BYTES];
    for (size_t i = 0; i < 2 * (sizeof keys / sizeof *keys); i++) {
        const int first = (int)(i % 2);
        ExpressionGraph *graph = ExpressionGraph_Create();
        LiftPair *const pairs[LIFT_SIDES] = {
            Open(first ? &replacement : &standin, NULL, &setup, graph),
            Open(first ? &standin : &replacement, NULL, &setup, graph)};
        LiftPaths paths;
        LiftSame same;
        RpError error;
        Compare(pairs, keys[i / 2], &paths, &same);
        for (int side = 0; side < LIFT_SIDES; side++) {
            char *sum = sums[i / 2][2 * first + side];
            AssertOk(LiftDigest_Side(&paths, side, sum, &error), &error);
            assert_int_equal(strlen(sum), 64);
            assert_string_equal(sum, sums[i / 2][0]);
        }
        LiftSame_Free(&same);
        LiftPaths_Free(&paths);
        for (int side = 0; side < LIFT_SIDES; side++)
            LiftPair_Close(pairs[side]);
        ExpressionGraph_Destroy(graph);
    }
    for (size_t i = 1; i < sizeof keys / sizeof *keys; i++)
        assert_string_not_equal(sums[i][0], sums[0][0]);
}

/* ---- variants of the stand-in ---------------------------------------------------------------- */

#define GENERIC PROVIDER_SLOTS_GENERIC
#define SSE     PROVIDER_SLOTS_SSE

/* Readings that decide a step of a formula, and a function that has the step. */
static const struct {
    const char *reading, *key;
    ProviderSlotBuild build;
} decisions[] = {
    {"key-order", "animesh.SampleNode", GENERIC},
    {"key-lerp", "animesh.SampleNode", GENERIC},
    {"key-alpha", "animesh.SampleNode", GENERIC},
    {"key-alpha-bits", "animesh.SampleNode", GENERIC},
    {"key-scale", "animesh.SampleNode", GENERIC},
    {"nan-equal", "animesh.SampleNode", GENERIC},
    {"operands", "ngi32.slot23", GENERIC},
    {"dot4", "ngi32.slot17", GENERIC},
    {"dot4-sse", "ngi32.slot17", SSE},
    {"slerp-limit", "ngi32.slot17", GENERIC},
    {"slerp-sine", "ngi32.slot17", GENERIC},
    {"slerp-acos", "ngi32.slot17", GENERIC},
    {"slerp-theta", "ngi32.slot17", GENERIC},
    {"slerp-trig", "ngi32.slot17", GENERIC},
    {"slerp-weights", "ngi32.slot17", GENERIC},
    {"slerp-trig-sse", "ngi32.slot17", SSE},
    {"quat-diagonal", "ngi32.slot14", GENERIC},
    {"quat-diagonal-sse", "ngi32.slot14", SSE},
    {"mirror-sign", "ngi32.slot15", GENERIC},
    {"mirror-shape", "ngi32.slot15", GENERIC},
    {"matrix-sum", "ngi32.slot23", GENERIC},
    {"matrix-sum-sse", "ngi32.slot23", SSE},
    {"matrix34-sum", "ngi32.slot4", GENERIC},
    {"rotate-vector", "ngi32.slot7", GENERIC},
    {"rotate-sum", "ngi32.slot7", GENERIC},
    {"transposed-sum", "ngi32.slot35", GENERIC},
    {"frame-sum", "ngi32.slot26", GENERIC},
    {"frame-division", "ngi32.slot26", GENERIC},
    {"rsqrt", "ngi32.slot11", GENERIC},
    {"rsqrt-sse", "ngi32.slot11", SSE},
    {"normalise", "ngi32.slot38", GENERIC},
    {"normalise-sum", "ngi32.slot38", GENERIC},
    {"plane-far", "ngi32.slot45", GENERIC},
    {"plane-sum", "ngi32.slot45", GENERIC},
    {"plane-sum-sse", "ngi32.slot45", SSE},
    {"plane-division", "ngi32.slot45", GENERIC},
    {"plane-newton", "ngi32.slot45", SSE},
};
enum { DECISIONS = sizeof decisions / sizeof decisions[0] };

static char *ReadText(const char *folder, const char *name) {
    const char *set = getenv("RETROPOSE_HOME"), *home = set ? set : WINDOWS_BUILD;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s/%s", home, folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, size, file), size);
    fclose(file);
    text[size] = '\0';
    return text;
}

/* Gives the readings of a profile as a trace's header states them, without one of them, which then
 * has its default. *choice gets what that one is. */
static void ReadingsOf(const char *profile, const char *without, char *readings, size_t size,
                       char choice[32]) {
    size_t used = 0;
    readings[0] = choice[0] = '\0';
    while (*profile) {
        char name[32], value[32];
        int length = 0;
        assert_int_equal(sscanf(profile, "%31s = %31s\n%n", name, value, &length), 2);
        profile += length;
        if (without && strcmp(name, without) == 0)
            snprintf(choice, 32, "%s", value);
        else
            used += (size_t)snprintf(readings + used, size - used, "%s%s=%s", used ? "," : "", name,
                                     value);
    }
}

static LiftVerdict VerdictOf(const Files *files, const char *overlay, const char *readings,
                             ProviderSlotBuild build, bool by_sse, const char *key,
                             uint32_t *laws) {
    LiftSetup setup = LiftSetup_Default();
    setup.readings = readings;
    setup.build = build;
    if (by_sse)
        setup.processor = "pentium3";
    ExpressionGraph *graph = ExpressionGraph_Create();
    LiftPair *const pairs[LIFT_SIDES] = {Open(files, overlay, &setup, graph),
                                         Open(&replacement, NULL, &setup, graph)};
    LiftPaths paths;
    LiftSame same;
    Compare(pairs, key, &paths, &same);
    Show(key, &paths, &same);
    const LiftVerdict verdict = same.verdict;
    *laws = same.laws;
    LiftSame_Free(&same);
    LiftPaths_Free(&paths);
    for (int side = 0; side < LIFT_SIDES; side++)
        LiftPair_Close(pairs[side]);
    ExpressionGraph_Destroy(graph);
    return verdict;
}

typedef struct Variant {
    const char *name;
    /* The builds for readings of the x87's and of SSE's builds; NO_BUILD where it has none. The
     * builds of a variant whose code is not where it is published are those that its class
     * chooses. */
    int builds[2];
    const char *other; /* a function of which the replacement then has another build */
} Variant;
#define NO_BUILD (-1)
#define BY_CLASS PROVIDER_SLOTS_BY_CLASS

static const Variant variants[] = {
    {"published", {GENERIC, SSE}, ""},
    {"readings", {GENERIC, SSE}, "ngi32.slot11"}, /* reading sse-slots: it has no SSE build */
    {"mixed", {BY_CLASS, BY_CLASS}, ""},
    {"members", {GENERIC, SSE}, "ngi32.slot11"},       /* whose build has no published address */
    {"stacked", {BY_CLASS, NO_BUILD}, "ngi32.slot45"}, /* generic, and the replacement's for P6 */
    {"caller", {NO_BUILD, BY_CLASS}, ""},
    {"moved", {BY_CLASS, BY_CLASS}, ""},
};

/* Whether a decision can be seen in a variant. */
static bool IsSeen(const Variant *variant, int decision) {
    const bool by_sse = decisions[decision].build == SSE;
    return variant->builds[by_sse] != NO_BUILD &&
           !(strcmp(variant->other, decisions[decision].key) == 0 &&
             by_sse != (variant->builds[0] == BY_CLASS));
}

/* With the readings that a variant was made with, the replacement has its expressions; with any one
 * of them left at its default, the function that the reading is about has not. So the formulas say
 * which reading a variant follows, each of them. */
TEST(AVariantHasTheExpressionsOfItsReadingsAlone) {
    const char *only = getenv("LIFT_VARIANT");
    char defaults[DECISIONS][32], readings[4096], choice[32];
    char seen[DECISIONS][96] = {{0}}; /* choices that were tried in a variant before */
    uint32_t wrong = 0, flipped = 0, laws;
    Files first = {{NULL}, {0}};
    if (!ReadPair("variants/published", &first)) {
        printf("skipped: no variants of the stand-in in %s\n", WINDOWS_BUILD);
        skip();
    }
    FreeFiles(&first);
    char *published = ReadText("variants/published", "truth.profile");
    for (int k = 0; k < DECISIONS; k++)
        ReadingsOf(published, decisions[k].reading, readings, sizeof readings, defaults[k]);
    free(published);
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        const Variant *variant = &variants[i];
        char folder[64];
        Files files = {{NULL}, {0}};
        if (only && strcmp(only, variant->name) != 0)
            continue;
        snprintf(folder, sizeof folder, "variants/%s", variant->name);
        assert_true(ReadPair(folder, &files));
        char *overlay = ReadText(folder, "truth.overlay");
        char *profile = ReadText(folder, "truth.profile");
        for (int k = 0; k < DECISIONS; k++) {
            const char *key = decisions[k].key;
            const bool by_sse = decisions[k].build == SSE;
            if (!IsSeen(variant, k))
                continue;
            const ProviderSlotBuild build = (ProviderSlotBuild)variant->builds[by_sse];
            bool is_done = false;
            for (int before = 0; before < k; before++)
                is_done |= strcmp(decisions[before].key, key) == 0 &&
                           decisions[before].build == decisions[k].build;
            ReadingsOf(profile, NULL, readings, sizeof readings, choice);
            LiftVerdict verdict = LIFT_SAME_ALWAYS;
            laws = 0;
            if (!is_done)
                verdict = VerdictOf(&files, overlay, readings, build, by_sse, key, &laws);
            if (verdict > LIFT_SAME_ON_PATHS || laws != 0) {
                print_error("%s: %s differs with the variant's readings\n", variant->name, key);
                wrong++;
            }
            ReadingsOf(profile, decisions[k].reading, readings, sizeof readings, choice);
            if (strcmp(choice, defaults[k]) == 0 || strstr(seen[k], choice))
                continue;
            snprintf(seen[k] + strlen(seen[k]), sizeof seen[k] - strlen(seen[k]), "%s ", choice);
            verdict = VerdictOf(&files, overlay, readings, build, by_sse, key, &laws);
            flipped++;
            if (verdict <= LIFT_SAME_ON_PATHS && laws == 0) {
                print_error("%s: %s does not tell that %s is %s\n", variant->name, key,
                            decisions[k].reading, choice);
                wrong++;
            }
        }
        free(overlay);
        free(profile);
        FreeFiles(&files);
    }
    assert_int_equal(wrong, 0);
    if (is_verbose)
        print_message("%u readings were left at their defaults\n", flipped);
    assert_true(only || flipped > DECISIONS);
}

/* ---- planted faults -------------------------------------------------------------------------- */

/* A change of one byte of an instruction, or of a constant. */
typedef struct Fault {
    const char *what;
    uint32_t address; /* in the guest */
    uint8_t before, after;
} Fault;

/* Returns the faults that an instruction may have, at most two. */
static uint32_t FaultsOf(const LiftStep *step, Fault faults[2]) {
    static const struct {
        uint8_t opcode, second, after;
        const char *what;
    } arithmetic[] = {
        {0xDE, 0xC1, 0xC9, "a product for a sum"},
        {0xDE, 0xC9, 0xC1, "a sum for a product"},
        {0xDE, 0xE9, 0xE1, "a reversed difference"},
        {0xDE, 0xE1, 0xE9, "a reversed difference"},
        {0xDE, 0xF9, 0xF1, "a reversed quotient"},
        {0xD8, 0xC0, 0xC8, "a square for twice"},
        {0xD8, 0xC8, 0xC0, "twice for a square"},
        {0xD9, 0xE0, 0xE1, "a sign lost"},
        {0xD9, 0xE8, 0xEE, "0 for 1"},
        {0xD9, 0xEE, 0xE8, "1 for 0"},
        {0xD9, 0xFF, 0xFE, "a sine for a cosine"},
        {0xD9, 0xFE, 0xFF, "a cosine for a sine"},
        {0xD9, 0xFA, 0xE1, "a root lost"},
    };
    const uint8_t *code = step->bytes;
    const uint32_t modrm = code[1];
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof arithmetic / sizeof arithmetic[0]; i++) {
        if (code[0] == arithmetic[i].opcode && code[1] == arithmetic[i].second)
            faults[count++] =
                (Fault){arithmetic[i].what, step->address + 1, code[1], arithmetic[i].after};
    }
    const bool has_displacement = modrm >> 6 == 1 && (modrm & 7) != 4 && step->size == 3;
    if (has_displacement && (code[0] == 0xD8 || code[0] == 0xD9) && (modrm >> 3 & 7) == 0 &&
        (modrm & 7) != 5)
        faults[count++] = (Fault){"the next operand in memory", step->address + 2, code[2],
                                  (uint8_t)(code[2] ^ 4)};
    if (code[0] == 0xF6 && modrm == 0xC4) /* test ah, which outcomes count */
        faults[count++] = (Fault){"equal counts otherwise", step->address + 2, code[2],
                                  (uint8_t)(code[2] ^ 0x40)};
    if (code[0] >= 0x72 && code[0] <= 0x77)
        faults[count++] =
            (Fault){"the other side of a branch", step->address, code[0], (uint8_t)(code[0] ^ 1)};
    const bool is_constant = code[0] == 0xD9 && modrm == 0x05 && step->size == 6;
    if (is_constant && count < 2)
        faults[count++] = (Fault){"a constant one ulp off", step->memory, 0, 0};
    return count;
}

/* Patches a copy of the stand-in. Returns false if the byte is not in it. */
static bool Plant(const LiftPair *pair, const Fault *fault, Files *files) {
    static const char *const names[ABI_MODULE_COUNT] = {"Ngi32.dll+", "AniMesh.dll+"};
    char place[64];
    LiftPair_Locate(pair, fault->address, place, sizeof place);
    for (int module = 0; module < ABI_MODULE_COUNT; module++) {
        PeFile file;
        RpError error;
        if (strncmp(place, names[module], strlen(names[module])) != 0)
            continue;
        const uint32_t rva = (uint32_t)strtoul(place + strlen(names[module]), NULL, 16);
        AssertOk(Pe_Open(files->bytes[module], files->sizes[module], names[module], &file, &error),
                 &error);
        const uint8_t *at = Pe_At(&file, rva, 1);
        uint8_t *byte = at ? files->bytes[module] + (at - files->bytes[module]) : NULL;
        Pe_Close(&file);
        if (byte && fault->before == fault->after)
            *byte = (uint8_t)(*byte ^ 1); /* the last bit of a constant */
        else if (byte && *byte == fault->before)
            *byte = fault->after;
        else
            return false;
        return true;
    }
    return false;
}

static void CopyFiles(const Files *from, Files *to) {
    for (int module = 0; module < ABI_MODULE_COUNT; module++) {
        to->sizes[module] = from->sizes[module];
        to->bytes[module] = malloc(from->sizes[module]);
        assert_non_null(to->bytes[module]);
        memcpy(to->bytes[module], from->bytes[module], from->sizes[module]);
    }
}

/* Whether a difference names the instruction that has the fault, or the constant. */
static bool IsThere(const LiftPaths *paths, const LiftSame *same, const Fault *fault) {
    const LiftDifference *difference = &same->difference;
    const LiftPath *path = paths->found[LIFT_ORIGINAL][difference->found[LIFT_ORIGINAL]].path;
    if (!same->has_difference || difference->steps[LIFT_ORIGINAL] >= path->step_count)
        return false;
    const LiftStep *step = &path->steps[difference->steps[LIFT_ORIGINAL]];
    return fault->address - step->address < step->size || fault->address == step->memory;
}

/* Every second to sixth instruction of a function that may have a fault gets one. */
TEST(PlantedFaultsAreNoLongerTheSame) {
    enum { MOST_FAULTS = 64, FAULTS_OF_FUNCTION = 3 };
    const LiftSetup setup = LiftSetup_Default();
    const char *only = getenv("LIFT_ONLY");
    uint32_t planted = 0, found = 0, differ = 0, placed = 0;
    for (int row = 0; row < ROWS; row++) {
        if (only && !strstr(rows[row].key, only))
            continue;
        if (rows[row].verdict != LIFT_SAME_ALWAYS)
            continue;
        ExpressionGraph *graph = ExpressionGraph_Create();
        LiftPair *pair = Open(&standin, NULL, &setup, graph);
        LiftPair *ours = Open(&replacement, NULL, &setup, graph);
        LiftPair *const pairs[LIFT_SIDES] = {pair, ours};
        LiftPaths paths;
        LiftSame same;
        Fault faults[MOST_FAULTS];
        uint32_t count = 0;
        char sum[DIGEST_HEX_BYTES], changed[DIGEST_HEX_BYTES];
        RpError error;
        Compare(pairs, rows[row].key, &paths, &same);
        AssertOk(LiftDigest_Side(&paths, LIFT_ORIGINAL, sum, &error), &error);
        for (uint32_t p = 0; p < paths.found_count[0]; p++) {
            const LiftPath *path = paths.found[0][p].path;
            for (uint32_t i = 0; i < path->step_count; i++) {
                Fault of[2];
                const uint32_t more = FaultsOf(&path->steps[i], of);
                for (uint32_t k = 0; k < more; k++) {
                    bool is_known = count == MOST_FAULTS;
                    for (uint32_t j = 0; j < count && !is_known; j++)
                        is_known = faults[j].address == of[k].address;
                    if (!is_known)
                        faults[count++] = of[k];
                }
            }
        }
        LiftSame_Free(&same);
        LiftPaths_Free(&paths);
        const uint32_t step = count > FAULTS_OF_FUNCTION ? count / FAULTS_OF_FUNCTION : 1;
        for (uint32_t i = step / 2; i < count; i += step) {
            Files files;
            CopyFiles(&standin, &files);
            if (Plant(pair, &faults[i], &files)) {
                LiftPair *faulty = Open(&files, NULL, &setup, graph);
                LiftPair *const both[LIFT_SIDES] = {faulty, ours};
                Compare(both, rows[row].key, &paths, &same);
                const bool is_found = same.verdict > LIFT_SAME_ON_PATHS || same.laws != 0;
                AssertOk(LiftDigest_Side(&paths, LIFT_ORIGINAL, changed, &error), &error);
                assert_string_not_equal(changed, sum);
                planted++;
                found += is_found;
                differ += same.verdict == LIFT_DIFFERS;
                placed += IsThere(&paths, &same, &faults[i]);
                if (is_verbose) {
                    print_message("%s at %08X of ", faults[i].what, faults[i].address);
                    Show(rows[row].key, &paths, &same);
                }
                if (!is_found)
                    print_error("%s at %08X of %s: %s\n", faults[i].what, faults[i].address,
                                rows[row].key, LiftVerdict_Text(same.verdict));
                LiftSame_Free(&same);
                LiftPaths_Free(&paths);
                LiftPair_Close(faulty);
            }
            FreeFiles(&files);
        }
        LiftPair_Close(pair);
        LiftPair_Close(ours);
        ExpressionGraph_Destroy(graph);
    }
    if (is_verbose)
        print_message("%u faults, %u found, %u with a witness, %u by their place\n", planted, found,
                      differ, placed);
    assert_int_equal(found, planted);
    assert_true(only || differ > planted * 9 / 10);
    assert_true(only || placed > planted * 2 / 3);
    assert_true(only || planted > 50);
}

/* The replacement's counters are declared to the lifter; of the data of another DLL nothing is. A
 * function that stores a number there, instead of loading one, is not the same without a word. */
TEST(WhatAFunctionWritesToDataOfItsDllIsInItsVerdict) {
    const LiftSetup setup = LiftSetup_Default();
    ExpressionGraph *graph = ExpressionGraph_Create();
    LiftPair *pair = Open(&standin, NULL, &setup, graph);
    LiftPair *ours = Open(&replacement, NULL, &setup, graph);
    LiftPair *const pairs[LIFT_SIDES] = {pair, ours};
    LiftPaths paths;
    LiftSame same;
    Files files;
    Fault fault = {"a store for a load", 0, 0x05, 0x1D};
    char written[80];
    CopyFiles(&standin, &files);
    Compare(pairs, "ngi32.slot17", &paths, &same);
    const LiftPath *path = paths.found[0][0].path;
    for (uint32_t i = 0; i < path->step_count && !fault.address; i++)
        if (path->steps[i].bytes[0] == 0xD9 && path->steps[i].bytes[1] == 0x05) {
            fault.address = path->steps[i].address + 1; /* fstp for fld */
            snprintf(written, sizeof written, "it writes to 0x%08X, outside of what was declared",
                     path->steps[i].memory);
        }
    assert_true(Plant(pair, &fault, &files));
    LiftSame_Free(&same);
    LiftPaths_Free(&paths);
    LiftPair *faulty = Open(&files, NULL, &setup, graph);
    LiftPair *const both[LIFT_SIDES] = {faulty, ours};
    Compare(both, "ngi32.slot17", &paths, &same);
    assert_int_equal(same.verdict, LIFT_CANNOT_SAY);
    if (!strstr(same.reason, written))
        fail_msg("\"%s\" is not in \"%s\"", written, same.reason);
    LiftSame_Free(&same);
    LiftPaths_Free(&paths);
    LiftPair_Close(faulty);
    LiftPair_Close(pair);
    LiftPair_Close(ours);
    ExpressionGraph_Destroy(graph);
    FreeFiles(&files);
}

/* One that takes fewer bytes off the stack computes the same, and its caller goes wrong. */
TEST(AFunctionThatPopsOtherBytesDiffers) {
    const LiftSetup setup = LiftSetup_Default();
    ExpressionGraph *graph = ExpressionGraph_Create();
    LiftPair *pair = Open(&standin, NULL, &setup, graph);
    LiftPair *ours = Open(&replacement, NULL, &setup, graph);
    LiftPair *const pairs[LIFT_SIDES] = {pair, ours};
    LiftPaths paths;
    LiftSame same;
    Files files;
    CopyFiles(&standin, &files);
    Compare(pairs, "ngi32.slot17", &paths, &same);
    for (uint32_t i = 0; i < paths.found_count[0]; i++) {
        const LiftPath *path = paths.found[0][i].path;
        const LiftStep *last = &path->steps[path->step_count - 1];
        const Fault fault = {"fewer bytes popped", last->address + 1, 8, 4};
        assert_int_equal(last->bytes[0], 0xC2); /* ret 8 */
        Plant(pair, &fault, &files);
    }
    LiftSame_Free(&same);
    LiftPaths_Free(&paths);
    LiftPair *faulty = Open(&files, NULL, &setup, graph);
    LiftPair *const both[LIFT_SIDES] = {faulty, ours};
    Compare(both, "ngi32.slot17", &paths, &same);
    assert_int_equal(same.verdict, LIFT_DIFFERS);
    assert_int_equal(same.difference.kind, LIFT_DIFFERENT_CONVENTION);
    assert_true(same.difference.has_witness);
    LiftSame_Free(&same);
    LiftPaths_Free(&paths);
    LiftPair_Close(faulty);
    LiftPair_Close(pair);
    LiftPair_Close(ours);
    ExpressionGraph_Destroy(graph);
    FreeFiles(&files);
}
