#include "foreign.h"

#include "machine/services/services.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

#define BUDGET 2000000000u

uint8_t *Foreign_Read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size + 1);
    if (bytes && fread(bytes, 1, *size, file) != *size) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

Foreign Foreign_Load(MachineEngine engine, const char *name, const uint8_t *bytes, size_t size) {
    const MachineOptions options = {.engine = engine, .system = &services_windows, .force_cpu = -1};
    Foreign foreign;
    RpError error = {0};
    uint32_t lowest;
    if (Machine_Create(&options, &foreign.machine, &error) ||
        Machine_Load(foreign.machine, name, bytes, size, &foreign.module, &error))
        fail_msg("%s: %s, expected %s, found %s", name, error.what, error.expected, error.found);
    Machine_Stack(foreign.machine, &lowest, &foreign.top);
    return foreign;
}

uint32_t Foreign_Allocate(Foreign *foreign, uint32_t size) {
    uint32_t address =
        MachineMemory_Map(Machine_Memory(foreign->machine), 0, size, MACHINE_READ | MACHINE_WRITE);
    assert_int_not_equal(address, 0);
    return address;
}

void Foreign_Put(Foreign *foreign, uint32_t address, const void *bytes, uint32_t size) {
    assert_true(MachineMemory_Write(Machine_Memory(foreign->machine), address, bytes, size, NULL));
}

void Foreign_Get(Foreign *foreign, uint32_t address, void *bytes, uint32_t size) {
    assert_true(MachineMemory_Read(Machine_Memory(foreign->machine), address, bytes, size,
                                   MACHINE_READ, NULL));
}

uint32_t Foreign_Call(Foreign *foreign, const char *name, const uint32_t *arguments,
                      uint32_t count) {
    MachineContext *context = Machine_Context(foreign->machine);
    const uint32_t function = Machine_Export(foreign->machine, foreign->module, name);
    const uint32_t esp = foreign->top - 0x400;
    MachineResult result;
    if (!function)
        fail_msg("there is no %s", name);
    Foreign_Put(foreign, esp, arguments, 4 * count);
    MachineRegisters_Init(&context->registers);
    context->registers.general[MACHINE_ESP] = esp;
    Machine_Call(foreign->machine, function, BUDGET, &result);
    if (result.end != MACHINE_RETURNED)
        fail_msg("%s: ended as %d, %s, 0x%08X at 0x%08X", name, (int)result.end, result.reason,
                 context->fault.code, context->fault.address);
    assert_int_equal(context->registers.vectors.tags, 0);
    return context->registers.general[MACHINE_EAX];
}
