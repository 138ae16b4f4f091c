/* Compares the interpreter's MMX with the processor's. */
#include "tests/machine/interpreter/cases.h"
#include "tests/machine/interpreter/native.h"
#include "tests/test.h"

#include <string.h>

static const MachineProfile all = {.name = "all",
                                   .features = MACHINE_HAS_MMX | MACHINE_HAS_SSE | MACHINE_HAS_SSE2,
                                   .estimates = RP_ESTIMATES_OF_THIS};

/* Returns whether the chosen instruction is implemented in the interpreter's file about MMX. */
static bool IsOfMmx(void) {
    const Decoded *decoded = Native_Decoded();
    bool mmx = decoded->instruction.mnemonic == ZYDIS_MNEMONIC_EMMS;
    for (unsigned i = 0; i < decoded->instruction.operand_count_visible; i++) {
        if (decoded->operands[i].type != ZYDIS_OPERAND_TYPE_REGISTER)
            continue;
        const ZydisRegister number = decoded->operands[i].reg.value;
        const ZydisRegisterClass class = ZydisRegisterGetClass(number);
        if (class == ZYDIS_REGCLASS_XMM ||
            (class == ZYDIS_REGCLASS_GPR32 && ZydisRegisterGetId(number) != 0))
            return false; /* of the general registers, this test supports EAX only */
        mmx = mmx || class == ZYDIS_REGCLASS_MMX;
    }
    return mmx && decoded->instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY &&
           decoded->instruction.meta.isa_set != ZYDIS_ISA_SET_SSSE3MMX;
}

TEST(EveryInstructionIsTheProcessors) {
    if (!Native_CanExecute())
        skip();
    const unsigned many = Cases(60);
    unsigned cases = 0, forms = 0, failures = 0;
    for (unsigned opcode = 0x60; opcode < 0x100; opcode++)
        for (unsigned modrm = 0; modrm < 0x100; modrm++) {
            if (modrm < 0xC0 && (modrm & 0xC7) != 0x02)
                continue;
            uint8_t bytes[4] = {0x0F, (uint8_t)opcode, (uint8_t)modrm, 0};
            bytes[3] = (uint8_t)Native_Random();
            if (!Native_Choose(bytes, sizeof bytes, false) || !IsOfMmx())
                continue;
            forms++;
            (void)Native_Choose(bytes, Native_Decoded()->instruction.length, true);
            for (unsigned i = 0; i < many; i++, cases++) {
                NativeState guest, expected, found;
                MachineFault fault;
                Native_RandomX87(&guest, true);
                for (unsigned k = 0; k < 8; k++) {
                    const uint64_t kind = Native_Random() % 4;
                    uint64_t value = Native_Random();
                    if (kind == 0) /* counts of shifts and small numbers */
                        value &= 0x3F;
                    if (kind == 1) /* values that saturate */
                        value = (value & 0x0101010101010101u) * 0x7F;
                    memcpy(guest.vectors.st[k], &value, sizeof value);
                }
                expected = found = guest;
                assert_true(Native_Execute(&expected, 0));
                const bool done = Native_Interpret(&found, 0, &all, &fault);
                const bool same =
                    done && expected.vectors.status == found.vectors.status &&
                    expected.vectors.tags == found.vectors.tags &&
                    (uint32_t)expected.eax == (uint32_t)found.eax &&
                    memcmp(expected.vectors.st, found.vectors.st, sizeof found.vectors.st) == 0 &&
                    memcmp(expected.memory, found.memory, sizeof found.memory) == 0;
                if (!same && failures++ < 10)
                    print_message("%s (0F %02X %02X %02X) done %d, differs\n",
                                  ZydisMnemonicGetString(Native_Decoded()->instruction.mnemonic),
                                  opcode, modrm, bytes[3], done);
            }
        }
    print_message("%u forms, %u cases, %u differ\n", forms, cases, failures);
    assert_true(cases > 100000);
    assert_int_equal(failures, 0);
}

TEST(AnExceptionOfTheX87IsTakenByTheNextInstruction) {
    NativeState guest = {.vectors = {.control = 0x037B, .status = 0x8084, .mxcsr = 0x1F80}};
    const NativeState before = guest;
    MachineFault fault;
    assert_true(Native_Choose((const uint8_t[]){0x0F, 0xFC, 0xC1}, 3, false)); /* paddb */
    assert_false(Native_Interpret(&guest, 0, &all, &fault));
    assert_int_equal(fault.code, MACHINE_FLOAT_DIVIDE);
    assert_memory_equal(&guest.vectors, &before.vectors, sizeof guest.vectors);
}

TEST(AFaultOfMemoryChangesNoRegister) {
    NativeState guest;
    MachineFault fault;
    static const uint8_t instructions[][3] = {
        {0x0F, 0x6F, 0x02}, {0x0F, 0x7F, 0x02}, {0x0F, 0xFC, 0x02}, {0x0F, 0xE7, 0x02}};
    for (unsigned i = 0; i < sizeof instructions / sizeof instructions[0]; i++) {
        Native_RandomX87(&guest, true);
        const NativeState before = guest;
        assert_true(Native_Choose(instructions[i], 3, false));
        assert_false(Native_Interpret(&guest, NATIVE_MEMORY - 7, &all, &fault));
        assert_int_equal(fault.code, MACHINE_ACCESS_VIOLATION);
        assert_memory_equal(&guest.vectors, &before.vectors, sizeof guest.vectors);
        assert_memory_equal(guest.memory, before.memory, sizeof guest.memory);
    }
}

AROUND_ALL(Native_Begin, Native_End)
