#include "tests/machine/translator/guest.h"

#include <stdlib.h>
#include <string.h>

Guest *Guest_Create(bool translated) {
    Guest *guest = aligned_alloc(16, (sizeof *guest + 15) / 16 * 16);
    assert_non_null(guest);
    memset(guest, 0, sizeof *guest);
    assert_int_equal(MachineMemory_Create(1u << 24, &guest->memory, NULL), RP_OK);
    const uint32_t both = MACHINE_READ | MACHINE_WRITE;
    assert_int_equal(MachineMemory_Map(guest->memory, CODE, AREA, MACHINE_READ | MACHINE_EXECUTE),
                     CODE);
    assert_int_equal(MachineMemory_Map(guest->memory, DATA, AREA, both), DATA);
    assert_int_equal(MachineMemory_Map(guest->memory, STACK, AREA, both), STACK);
    assert_int_equal(MachineMemory_Map(guest->memory, FIXED, MACHINE_PAGE, MACHINE_READ), FIXED);
    assert_int_equal(MachineMemory_Map(guest->memory, BLOCK, MACHINE_PAGE, both), BLOCK);
    assert_int_equal(Interpreter_Create(guest->memory, &guest->interpreter, NULL), RP_OK);
    if (translated)
        assert_int_equal(
            Translator_Create(guest->memory, guest->interpreter, &guest->translator, NULL), RP_OK);
    guest->context.memory = guest->memory;
    guest->context.profile = MachineProfile_Find("this");
    guest->context.fs_base = BLOCK;
    Guest_Reset(guest);
    return guest;
}

void Guest_Destroy(Guest *guest) {
    Translator_Destroy(guest->translator);
    Interpreter_Destroy(guest->interpreter);
    MachineMemory_Destroy(guest->memory);
    free(guest);
}

void Guest_Put(Guest *guest, uint32_t address, const void *code, size_t size) {
    uint8_t before = MachineMemory_Protection(guest->memory, address);
    uint32_t last = address + (uint32_t)size - 1;
    uint32_t first = address / MACHINE_PAGE * MACHINE_PAGE;
    uint32_t whole = (last / MACHINE_PAGE + 1) * MACHINE_PAGE - first;
    const uint32_t both = MACHINE_READ | MACHINE_WRITE;
    assert_true(MachineMemory_Protect(guest->memory, first, whole, both));
    uint32_t fault;
    assert_true(MachineMemory_Write(guest->memory, address, code, (uint32_t)size, &fault));
    assert_true(
        MachineMemory_Protect(guest->memory, first, whole, before & ~(uint32_t)MACHINE_WATCHED));
    if (guest->translator)
        Translator_Forget(guest->translator);
    Interpreter_Forget(guest->interpreter, address, (uint32_t)size);
}

void Guest_Reset(Guest *guest) {
    MachineRegisters *registers = &guest->context.registers;
    MachineRegisters_Init(registers);
    static const uint32_t general[8] = {0x81234567, 3,           0x00000001,   0x7FFFFFFF,
                                        TOP,        TOP + 0x40u, DATA + 0x100, DATA + 0x800};
    memcpy(registers->general, general, sizeof general);
    registers->eip = CODE;
    guest->context.budget = 1000000;
    memset(&guest->context.fault, 0, sizeof guest->context.fault);
    for (uint32_t i = 0; i < AREA; i += 4) {
        Guest_Write(guest, DATA + i, i * 0x9E3779B1u);
        Guest_Write(guest, STACK + i, 0xC0000000u + i);
    }
    for (uint32_t i = 0; i < MACHINE_PAGE; i += 4)
        Guest_Write(guest, BLOCK + i, 0xB10C0000u + i);
    Guest_Write(guest, TOP, GATE);
}

MachineStop Guest_Run(Guest *guest) {
    return guest->translator ? Translator_Run(guest->translator, &guest->context)
                             : Interpreter_Run(guest->interpreter, &guest->context);
}

uint32_t Guest_Read(Guest *guest, uint32_t address) {
    uint32_t value = 0, fault;
    assert_true(MachineMemory_Read(guest->memory, address, &value, 4, MACHINE_READ, &fault));
    return value;
}

void Guest_Write(Guest *guest, uint32_t address, uint32_t value) {
    uint32_t fault;
    assert_true(MachineMemory_Write(guest->memory, address, &value, 4, &fault));
}
