/* Loads DLLs of any bytes. The result is an error, or code that runs in the machine and does
 * whatever it likes, once translated and once interpreted, without harm to this process. */
#include "fuzz.h"
#include "machine/services/services.h"

#include <stdlib.h>
#include <string.h>

#define MOST_MEMORY  (64u << 20)
#define LOAD_BUDGET  50000u /* counted in instructions */
#define CALL_BUDGET  20000u
#define MOST_EXPORTS 4u

static const MachineVariable variables[] = {{"PATH", "C:\\"}};
static const MachineFile files[] = {{"notes.txt", (const uint8_t *)"0123456789", 10}};

/* A machine is made once and brought back after each input, which must leave nothing behind. */
static Machine *Make(MachineEngine engine) {
    const MachineOptions options = {.engine = engine,
                                    .system = &services_windows,
                                    .most_memory = MOST_MEMORY,
                                    .stack_bytes = 0x10000,
                                    .load_budget = LOAD_BUDGET,
                                    .force_cpu = 5,
                                    .variables = variables,
                                    .variable_count = 1,
                                    .files = files,
                                    .file_count = 1};
    Machine *machine;
    if (Machine_Create(&options, &machine, NULL) || Machine_Save(machine, NULL))
        abort();
    return machine;
}

/* Calls a function with arguments that are numbers, and addresses of the stack and of the
 * module. */
static void Call(Machine *machine, uint32_t function, uint32_t base) {
    MachineContext *context = Machine_Context(machine);
    MachineResult result;
    uint32_t lowest, top;
    Machine_Stack(machine, &lowest, &top);
    const uint32_t esp = top - 0x200;
    const uint32_t arguments[8] = {base, 1, esp + 0x100, 0x40490FDB, base + 0x1000, 0, 77, ~0u};
    MachineMemory_Write(Machine_Memory(machine), esp, arguments, sizeof arguments, NULL);
    MachineRegisters_Init(&context->registers);
    context->registers.general[MACHINE_ESP] = esp;
    context->registers.general[MACHINE_ECX] = esp + 0x80;
    context->registers.general[MACHINE_EDX] = esp + 0xC0;
    Machine_Call(machine, function, CALL_BUDGET, &result);
}

static void Run(Machine *machine, const uint8_t *bytes, size_t size) {
    uint32_t module;
    if (Machine_Load(machine, "fuzzed.dll", bytes, size, &module, NULL) == RP_OK) {
        const uint32_t base = Machine_Module(machine, module)->base;
        for (uint32_t ordinal = 0; ordinal < MOST_EXPORTS; ordinal++) {
            const uint32_t function = Machine_Ordinal(machine, module, 1 + ordinal);
            if (function)
                Call(machine, function, base);
        }
    }
    if (Machine_Memory(machine)->mapped > MOST_MEMORY || Machine_Restore(machine, NULL))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static Machine *translates, *interprets;
    if (!translates) {
        translates = Make(MACHINE_TRANSLATOR);
        interprets = Make(MACHINE_INTERPRETER);
    }
    Run(translates, bytes, size);
    Run(interprets, bytes, size);
    return 0;
}
