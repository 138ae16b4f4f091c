/* Tests the start of a static C runtime of 2001 in the machine (static_runtime.c). */
#include "machine/services/services.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

#define BASE      0x10000000u
#define ARBITRARY 0x14u /* a field of the thread's block: the line of the check that failed */

static uint8_t *bytes;
static size_t size;

static uint32_t Count(Machine *machine, uint32_t module) {
    MachineContext *context = Machine_Context(machine);
    MachineResult result;
    uint32_t lowest, top;
    Machine_Stack(machine, &lowest, &top);
    MachineRegisters_Init(&context->registers);
    context->registers.general[MACHINE_ESP] = top - 0x100;
    Machine_Call(machine, Machine_Export(machine, module, "Runtime_Count"), 10000, &result);
    assert_int_equal(result.end, MACHINE_RETURNED);
    return context->registers.general[MACHINE_EAX];
}

static void Starts(const MachineOptions *options, bool is_moved) {
    Machine *machine;
    RpError error = {0};
    uint32_t module, line = 0;
    assert_int_equal(Machine_Create(options, &machine, NULL), RP_OK);
    if (is_moved)
        assert_int_equal(MachineMemory_Map(Machine_Memory(machine), BASE, 1, MACHINE_READ), BASE);
    RpStatus status = Machine_Load(machine, "static_runtime.dll", bytes, size, &module, &error);
    MachineMemory_Read(Machine_Memory(machine), Machine_Process(machine)->thread_block + ARBITRARY,
                       &line, sizeof line, MACHINE_READ, NULL);
    if (status)
        fail_msg("%s: %s; static_runtime.c:%u", error.what, error.found, line);
    assert_int_equal(Machine_Module(machine, module)->base == BASE, !is_moved);

    /* The state of the runtime that has started is saved, and can be restored. */
    assert_int_equal(Machine_Save(machine, NULL), RP_OK);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(Count(machine, module), 1);
        assert_int_equal(Count(machine, module), 2);
        assert_int_equal(Machine_Restore(machine, NULL), RP_OK);
    }
    Machine_Destroy(machine);
}

TEST(AStaticRuntimeStarts) {
    for (MachineEngine engine = MACHINE_TRANSLATOR; engine <= MACHINE_INTERPRETER; engine++) {
        const MachineOptions options = {
            .engine = engine, .system = &services_windows, .force_cpu = -1};
        Starts(&options, false);
        Starts(&options, true);
    }
}

/* Starts it on each processor of the time, with an environment, and with little memory. */
TEST(AStaticRuntimeStartsWhateverIsAroundIt) {
    static const MachineVariable variables[] = {{"PATH", "C:\\"}, {"EMPTY", ""}, {"Mode", "\xE9"}};
    MachineOptions options = {.engine = MACHINE_INTERPRETER,
                              .system = &services_windows,
                              .most_memory = 16u << 20,
                              .stack_bytes = 0x10000,
                              .load_budget = 2000000,
                              .force_cpu = 5,
                              .variables = variables,
                              .variable_count = 3};
    for (uint32_t i = 0; MachineProfile_At(i); i++) {
        options.profile = MachineProfile_At(i);
        Starts(&options, i % 2 == 0);
    }
}

static bool Read(void) {
    FILE *file = fopen(STATIC_RUNTIME, "rb");
    if (!file)
        return false;
    fseek(file, 0, SEEK_END);
    size = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(size + 1);
    bool is_read = bytes && fread(bytes, 1, size, file) == size;
    fclose(file);
    return is_read;
}

int main(void) {
    if (!Read()) {
        printf("skipped: %s is not there; build the preset windows first\n", STATIC_RUNTIME);
        return SKIPPED;
    }
    int failed = Tests_Run();
    free(bytes);
    return failed;
}
