#include "tests/machine/fixture.h"

#include "core/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Machine *machine;
uint32_t stack_top;

static int Make(MachineEngine engine) {
    MachineOptions options = machine_fixture.options;
    uint32_t lowest;
    options.engine = engine;
    options.system = &services_windows;
    if (machine_fixture.profile)
        options.profile = MachineProfile_Find(machine_fixture.profile);
    if (Machine_Create(&options, &machine, NULL))
        return 1;
    for (size_t i = 0; i < sizeof machine_fixture.regions / sizeof *machine_fixture.regions; i++)
        if (machine_fixture.regions[i].size &&
            !MachineMemory_Map(Machine_Memory(machine), machine_fixture.regions[i].address,
                               machine_fixture.regions[i].size,
                               machine_fixture.regions[i].protection))
            return 1;
    Machine_Stack(machine, &lowest, &stack_top);
    if (machine_fixture.prepare)
        machine_fixture.prepare();
    return 0;
}

int Fixture_Make(void **state) {
    (void)state;
    return Make(machine_fixture.options.engine);
}

int Fixture_MakeTranslator(void **state) {
    (void)state;
    return Make(MACHINE_TRANSLATOR);
}

int Fixture_MakeInterpreter(void **state) {
    (void)state;
    return Make(MACHINE_INTERPRETER);
}

int Fixture_Destroy(void **state) {
    (void)state;
    Machine_Destroy(machine);
    return 0;
}

void PutCode(uint32_t at, const char *text) {
    uint8_t bytes[1024];
    uint32_t labels[10] = {0};
    for (int pass = 0; pass < 2; pass++) {
        const char *rest = text;
        uint32_t count = 0;
        while (*rest) {
            char word[64] = "";
            int length = 0;
            assert_int_equal(sscanf(rest, " %63s%n", word, &length), 1);
            rest += length;
            while (*rest == ' ')
                rest++;
            if (word[0] == '@') {
                const MachineRow *row = services_windows.find("KERNEL32", word + 1);
                if (!row)
                    fail_msg("there is no %s", word + 1);
                Bytes_PutU32(bytes + count, Machine_RowAddress(machine, row));
                count += 4;
            } else if (word[0] == '$') {
                Bytes_PutU32(bytes + count, (uint32_t)strtoul(word + 1, NULL, 16));
                count += 4;
            } else if (word[0] == '^') {
                bytes[count] = (uint8_t)(labels[word[1] - '0'] - count - 1);
                count++;
            } else if (word[1] == ':') {
                labels[word[0] - '0'] = count;
            } else {
                bytes[count++] = (uint8_t)strtoul(word, NULL, 16);
            }
        }
        assert_true(MachineMemory_Write(Machine_Memory(machine), at, bytes, count, NULL));
        Machine_CodeChanged(machine, at, count);
    }
}

uint32_t Get(uint32_t address) {
    uint32_t value = 0xDEADDEAD;
    MachineMemory_Read(Machine_Memory(machine), address, &value, 4, MACHINE_READ, NULL);
    return value;
}

void Put(uint32_t address, uint32_t value) {
    assert_true(MachineMemory_Write(Machine_Memory(machine), address, &value, 4, NULL));
}

uint32_t PutText(uint32_t at, const char *text) {
    assert_true(
        MachineMemory_Write(Machine_Memory(machine), at, text, (uint32_t)strlen(text) + 1, NULL));
    return at;
}

void HasText(uint32_t address, const char *text) {
    char found[128] = "";
    assert_true(MachineMemory_Read(Machine_Memory(machine), address, found,
                                   (uint32_t)strlen(text) + 1, MACHINE_READ, NULL));
    assert_string_equal(found, text);
}

uint32_t Register(uint32_t number) {
    return Machine_Context(machine)->registers.general[number];
}

MachineResult CallAt(uint32_t address, uint64_t budget) {
    MachineContext *context = Machine_Context(machine);
    MachineResult result;
    MachineRegisters_Init(&context->registers);
    context->registers.general[MACHINE_ESP] = stack_top - 0x100;
    Machine_Call(machine, address, budget, &result);
    return result;
}
