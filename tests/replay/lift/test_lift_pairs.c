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

#define MOST_SEARCHED 4000
#define MOST_REACHED  12000

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

/* Compares one function; the caller frees both results. */
static void Compare(LiftPair *const pairs[LIFT_SIDES], const char *key, LiftPaths *paths,
                    LiftSame *same) {
    LiftBudget budget = LiftBudget_Default();
    if (getenv("LIFT_PATIENCE")) {
        budget.patience = (uint32_t)atoi(getenv("LIFT_PATIENCE"));
        budget.most_rounds = (uint32_t)atoi(getenv("LIFT_ROUNDS"));
    }
    const LiftSameOptions options = {.most_searched = MOST_SEARCHED, .most_reached = MOST_REACHED};
    RpError error;
    AssertOk(LiftPaths_Find(pairs, inputs, Abi_Find(key), &budget, paths, &error), &error);
    if (is_verbose)
        print_message("%s: %llu runs, %u and %u paths after %.1f s\n", key,
                      (unsigned long long)paths->runs, paths->found_count[0], paths->found_count[1],
                      (double)clock() / CLOCKS_PER_SEC);
    fflush(stdout);
    AssertOk(LiftSame_Compare(paths, &options, same, &error), &error);
}

static void Show(const char *key, const LiftPaths *paths, const LiftSame *same) {
    if (!is_verbose)
        return;
    print_message("%-26s %3u / %3u paths, %4u pairs, %u different, laws %02X, %u open: %s %s\n",
                  key, paths->found_count[0], paths->found_count[1], same->pairs, same->different,
                  same->laws, same->open_count, LiftVerdict_Text(same->verdict), same->reason);
    for (int side = 0; getenv("LIFT_DUMP") && side < LIFT_SIDES; side++) {
        for (uint32_t i = 0; i < paths->found_count[side]; i++) {
            const LiftPath *path = paths->found[side][i].path;
            print_message("  side %d path %u: end %d %s\n", side, i, path->end, path->reason);
            for (uint32_t k = 0; k < path->condition_count; k++) {
                const LiftCondition *condition = &path->conditions[k];
                const ExpressionPrinter printer = {.graph = paths->graph};
                RpBuffer text;
                RpBuffer_Init(&text, NULL);
                Expression_Print(&printer, condition->left, &text);
                RpBuffer_Print(&text, " ?%X/%u ", condition->outcomes, condition->order);
                Expression_Print(&printer, condition->right, &text);
                RpBuffer_Append(&text, "", 1);
                print_message("    %08X %d %.400s\n", path->steps[condition->step].address,
                              condition->decision, (const char *)text.bytes);
                RpBuffer_Free(&text);
            }
        }
    }
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

TEST(EveryFunctionHasTheExpressionOfTheReplacement) {
    LiftSetup setup = LiftSetup_Default();
    if (getenv("LIFT_PROCESSOR"))
        setup.processor = getenv("LIFT_PROCESSOR");
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
        fflush(stdout);
        Show(rows[i].key, &paths, &same);
        always += same.verdict == LIFT_SAME_ALWAYS && same.laws == 0;
        if (same.verdict != rows[i].verdict) {
            print_error("%s: %s %s\n", rows[i].key, LiftVerdict_Text(same.verdict), same.reason);
            wrong++;
        }
        LiftSame_Free(&same);
        LiftPaths_Free(&paths);
        for (int side = 0; side < LIFT_SIDES; side++)
            LiftPair_Close(pairs[side]);
        ExpressionGraph_Destroy(graph);
    }
    if (is_verbose)
        print_message("%u of %u for every input\n", always, (unsigned)ROWS);
    assert_int_equal(wrong, 0);
}
