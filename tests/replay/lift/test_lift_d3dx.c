/* Lifts functions of two DLLs of Wine's, which somebody else has compiled, into one graph with
 * slots of the stand-in: a product of matrices, and the matrix of a quaternion. Each number that
 * they leave has to be the same expression, by rules that have no exceptions. */
#include "tests/machine/foreign.h"

#include "replay/lift/lift_function.h"
#include "replay/lift/lift_rules.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUDGET = 10000, MATRIX = 16 };

static uint8_t *d3dx, *d3drm, *pair_bytes[ABI_MODULE_COUNT];
static size_t d3dx_size, d3drm_size, pair_sizes[ABI_MODULE_COUNT];
static ExpressionGraph *graph;
static LiftRules *rules;

AROUND(BeforeEach) {
    graph = ExpressionGraph_Create();
    rules = LiftRules_Create(graph, 0);
    assert_non_null(rules);
}

AROUND(AfterEach) {
    LiftRules_Destroy(rules);
    ExpressionGraph_Destroy(graph);
}

/* Gives the normal forms of the numbers that a path leaves in a matrix. */
static void TakeMatrix(const LiftPath *path, const char *name, const Expression *matrix[MATRIX]) {
    assert_string_equal(path->reason, "");
    assert_int_equal(path->end, LIFT_RETURNED);
    assert_int_equal(path->condition_count, 0); /* it is the only path */
    for (uint32_t i = 0; i < MATRIX; i++) {
        const LiftOutput place = {
            .place = LIFT_MEMORY, .region = ExpressionGraph_Name(graph, name), .offset = 4 * i};
        const LiftOutput *output = LiftPath_OutputAt(path, &place);
        assert_non_null(output);
        matrix[i] = LiftRules_Normal(rules, output->value);
    }
}

/* Lifts a slot of the stand-in. The name of a parameter is that of its memory in the graph. */
static void LiftSlot(const char *key, const char *result, const Expression *matrix[MATRIX]) {
    const LiftSetup setup = LiftSetup_Default();
    LiftFiles files = {.overlay = NULL};
    LiftPair *pair;
    LiftInputs *inputs;
    LiftInput input;
    LiftPath *path;
    RpError error;
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        files.files[module] = (PairFile){.bytes = pair_bytes[module], .size = pair_sizes[module]};
    assert_int_equal(LiftPair_Open(&files, &setup, graph, &pair, &error), RP_OK);
    assert_int_equal(LiftInputs_Open(&inputs, &error), RP_OK);
    assert_int_equal(LiftInputs_Make(inputs, Abi_Find(key), 0, &input, &error), RP_OK);
    assert_int_equal(LiftPair_Run(pair, &input, BUDGET, &path, &error), RP_OK);
    TakeMatrix(path, result, matrix);
    LiftPath_Free(path);
    LiftInput_Free(&input);
    LiftInputs_Close(inputs);
    LiftPair_Close(pair);
}

/* Lifts an export that takes pointers to memory with these names, of which the first one is for the
 * result. It computes under the control word of the game. */
static void LiftExport(const char *file, const uint8_t *bytes, size_t size, const char *function,
                       const char *const *names, uint32_t count, const Expression *matrix[MATRIX]) {
    enum { STACK_BYTES = 0x2000, ABOVE = 0x100, MOST_POINTERS = 3 };
    const LiftSetup setup = LiftSetup_Default();
    Foreign foreign = Foreign_Load(MACHINE_INTERPRETER, file, bytes, size);
    Lifter *lifter;
    LiftPath *path;
    RpError error;
    uint32_t pointers[MOST_POINTERS];
    for (uint32_t i = 0; i < count; i++)
        pointers[i] = Foreign_Allocate(&foreign, 4 * MATRIX);
    /* The first call asks the system whether to write messages, which a lifted one must not. */
    Foreign_Call(&foreign, function, pointers, count);
    assert_int_equal(Lifter_Create(foreign.machine, graph, &lifter, &error), RP_OK);
    Lifter_Begin(lifter);
    const LiftRegion stack = {.name = ExpressionGraph_Name(graph, "stack"),
                              .address = foreign.top - STACK_BYTES,
                              .size = STACK_BYTES,
                              .scratch = true,
                              .fixed = true};
    const uint32_t esp = foreign.top - ABOVE;
    assert_int_equal(Lifter_AddRegion(lifter, &stack, &error), RP_OK);
    for (uint32_t i = 0; i < count; i++) {
        const LiftRegion region = {.name = ExpressionGraph_Name(graph, names[i]),
                                   .address = pointers[i],
                                   .size = 4 * MATRIX};
        assert_int_equal(Lifter_AddRegion(lifter, &region, &error), RP_OK);
        assert_true(Lifter_WritePointer(lifter, esp + 4 * i, region.address));
    }
    Lifter_SetRegister(lifter, MACHINE_ESP, esp,
                       Expression_Address(graph, stack.name, STACK_BYTES - ABOVE));
    Lifter_SetControl(lifter, setup.control, setup.mxcsr);
    assert_int_equal(Lifter_Run(lifter, Machine_Export(foreign.machine, foreign.module, function),
                                BUDGET, &path, &error),
                     RP_OK);
    TakeMatrix(path, names[0], matrix);
    assert_int_equal(path->popped, 4 * count);
    LiftPath_Free(path);
    Lifter_Destroy(lifter);
    Machine_Destroy(foreign.machine);
}

TEST(D3dxMultipliesMatricesAsSlots23And28Do) {
    static const char *const names[] = {"product", "a", "b"};
    static const char *const slots[] = {"ngi32.slot23", "ngi32.slot28"};
    const Expression *theirs[MATRIX], *ours[MATRIX];
    LiftExport("d3dx9_36.dll", d3dx, d3dx_size, "D3DXMatrixMultiply", names, 3, theirs);
    for (int slot = 0; slot < 2; slot++) {
        LiftSlot(slots[slot], "product", ours);
        for (uint32_t i = 0; i < MATRIX; i++)
            assert_ptr_equal(theirs[i], ours[i]);
    }
}

TEST(D3drmTurnsQuaternionsIntoTheTransposedMatrixOfSlot14) {
    static const char *const names[] = {"matrix", "quaternion"};
    const Expression *theirs[MATRIX], *ours[MATRIX];
    LiftExport("d3drm.dll", d3drm, d3drm_size, "D3DRMMatrixFromQuaternion", names, 2, theirs);
    LiftSlot("ngi32.slot14", "matrix", ours);
    for (uint32_t row = 0; row < 4; row++) {
        for (uint32_t column = 0; column < 4; column++)
            assert_ptr_equal(theirs[4 * row + column], ours[4 * column + row]);
    }
    /* It is not symmetric: this is no comparison of each number with itself. */
    assert_ptr_not_equal(theirs[1], ours[1]);
}

int main(void) {
    d3dx = Foreign_Read(FOREIGN_DLL, &d3dx_size);
    d3drm = Foreign_Read(D3DRM_DLL, &d3drm_size);
    if (!d3dx || !d3drm) {
        printf("skipped: %s is not there; scripts/setup --all unpacks it\n",
               d3dx ? D3DRM_DLL : FOREIGN_DLL);
        return SKIPPED;
    }
    static const char *const names[ABI_MODULE_COUNT] = {WINDOWS_BUILD "/standin/Ngi32.dll",
                                                        WINDOWS_BUILD "/standin/AniMesh.dll"};
    for (int module = 0; module < ABI_MODULE_COUNT; module++) {
        pair_bytes[module] = Foreign_Read(names[module], &pair_sizes[module]);
        if (!pair_bytes[module]) {
            printf("skipped: no %s; build the preset windows first\n", names[module]);
            return SKIPPED;
        }
    }
    const int failed = Tests_Run();
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        free(pair_bytes[module]);
    free(d3dx);
    free(d3drm);
    return failed;
}
