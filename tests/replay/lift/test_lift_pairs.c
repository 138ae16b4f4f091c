/* Compares functions of the stand-in and of the replacement by their expressions: as they are
 * built, with every variant of the stand-in, and with faults planted into the stand-in's code. */
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
    PairFile pair_files[ABI_MODULE_COUNT];
    LiftPair *pair;
    RpError error;
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        pair_files[module] =
            (PairFile){.bytes = files->bytes[module], .size = files->sizes[module]};
    AssertOk(LiftPair_Open(pair_files, overlay, overlay ? strlen(overlay) : 0, setup, graph, &pair,
                           &error),
             &error);
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
    budget.most_rounds = 0;
    AssertOk(LiftPaths_Find(pairs, inputs, Abi_Find(key), &budget, paths, &error), &error);
    AssertOk(LiftSame_Compare(paths, &options, same, &error), &error);
}

static void Show(const char *key, const LiftPaths *paths, const LiftSame *same) {
    if (!is_verbose)
        return;
    print_message("%-26s %3u / %3u paths, %4u pairs, %u different, laws %02X, %u open: %s %s\n",
                  key, paths->found_count[0], paths->found_count[1], same->pairs, same->different,
                  same->laws, same->open_count, LiftVerdict_Text(same->verdict), same->reason);
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
    char path[1024];
    RpError error;
    is_verbose = getenv("LIFT_VERBOSE") != NULL;
    if (!ReadPair("standin", &standin) || !ReadPair("replacement", &replacement)) {
        printf("skipped: no pairs of DLLs in %s; build the preset windows first\n", WINDOWS_BUILD);
        exit(SKIPPED);
    }
    snprintf(path, sizeof path, "%s/memories", TEST_FOLDER);
    AssertOk(LiftInputs_Open(path, &inputs, &error), &error);
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
    uint32_t wrong = 0, flipped = 0, laws;
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
            if (verdict > LIFT_SAME_ON_PATHS || (laws & ~(uint32_t)LIFT_LAW_MEMORY) != 0) {
                print_error("%s: %s differs with the variant's readings\n", variant->name, key);
                wrong++;
            }
            ReadingsOf(profile, decisions[k].reading, readings, sizeof readings, choice);
            if (strcmp(choice, defaults[k]) == 0)
                continue;
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
