/* Tests the processors that a guest can find. */
#include "machine/processor/context.h"
#include "tests/test.h"

#include <string.h>

TEST(ProfilesAreFoundByNameAndInOrder) {
    static const char *const names[] = {"pentium-mmx", "pentium2", "k6-2", "pentium3",
                                        "athlon",      "pentium4", "this"};
    for (uint32_t i = 0; i < 7; i++) {
        assert_string_equal(MachineProfile_At(i)->name, names[i]);
        assert_ptr_equal(MachineProfile_Find(names[i]), MachineProfile_At(i));
    }
    assert_null(MachineProfile_At(7));
    assert_null(MachineProfile_Find("Pentium3"));
}

TEST(VendorsSpellTheirNames) {
    static const char *const vendors[] = {"GenuineIntel", "GenuineIntel", "AuthenticAMD",
                                          "GenuineIntel", "AuthenticAMD", "GenuineIntel"};
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t answer[4];
        char vendor[13] = "";
        MachineProfile_Cpuid(MachineProfile_At(i), 0, answer);
        memcpy(vendor, &answer[1], 4);
        memcpy(vendor + 4, &answer[3], 4);
        memcpy(vendor + 8, &answer[2], 4);
        assert_string_equal(vendor, vendors[i]);
    }
}

/* The features that a program asks for before it uses instructions must be those that the machine
 * then executes. */
TEST(FeatureBitsMatchTheInstructionsThatExist) {
    for (uint32_t i = 0; MachineProfile_At(i); i++) {
        const MachineProfile *profile = MachineProfile_At(i);
        uint32_t basic[4], extended[4], most[4];
        MachineProfile_Cpuid(profile, 1, basic);
        MachineProfile_Cpuid(profile, 0x80000000, most);
        MachineProfile_Cpuid(profile, 0x80000001, extended);
        if (most[0] < 0x80000001)
            assert_int_equal(extended[3], 0);
        assert_int_equal(basic[3] >> 23 & 1, (profile->features & MACHINE_HAS_MMX) != 0);
        assert_int_equal(basic[3] >> 15 & 1, (profile->features & MACHINE_HAS_CMOV) != 0);
        assert_int_equal(basic[3] >> 25 & 1, (profile->features & MACHINE_HAS_SSE) != 0);
        assert_int_equal(basic[3] >> 26 & 1, (profile->features & MACHINE_HAS_SSE2) != 0);
        assert_int_equal(extended[3] >> 31, (profile->features & MACHINE_HAS_3DNOW) != 0);
        assert_int_equal(extended[3] >> 30 & 1, (profile->features & MACHINE_HAS_3DNOW2) != 0);
        assert_int_equal(basic[2], 0); /* SSE3 and what came after it */
        assert_true(basic[3] & 1);
    }
}

TEST(ProfilesHaveThePublishedSignatures) {
    static const uint32_t signatures[] = {0x543, 0x652, 0x58C, 0x686, 0x662, 0xF12};
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t answer[4];
        MachineProfile_Cpuid(MachineProfile_At(i), 1, answer);
        assert_int_equal(answer[0], signatures[i]);
    }
}

TEST(BrandsAreTheMakersWords) {
    static const struct {
        const char *name, *brand;
    } rows[] = {
        {"k6-2", "AMD-K6(tm) 3D processor"},
        {"athlon", "AMD Athlon(tm) XP 1500+"},
        {"pentium4", "              Intel(R) Pentium(R) 4 CPU 1500MHz"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t words[12];
        for (uint32_t leaf = 0; leaf < 3; leaf++)
            MachineProfile_Cpuid(MachineProfile_Find(rows[i].name), 0x80000002 + leaf,
                                 words + 4 * leaf);
        assert_memory_equal(words, rows[i].brand, strlen(rows[i].brand) + 1);
    }
}

TEST(AnUnknownLeafGivesZeros) {
    uint32_t answer[4] = {1, 1, 1, 1};
    MachineProfile_Cpuid(MachineProfile_Find("pentium-mmx"), 0x80000002, answer);
    for (int i = 0; i < 4; i++)
        assert_int_equal(answer[i], 0);
}

TEST(ANewThreadHasTheStateThatWindowsGives) {
    MachineRegisters registers;
    memset(&registers, 0xCC, sizeof registers);
    MachineRegisters_Init(&registers);
    assert_int_equal(registers.vectors.control, 0x027F);
    assert_int_equal(registers.vectors.mxcsr, 0x1F80);
    assert_int_equal(registers.vectors.tags, 0);
    assert_int_equal(registers.eflags, 0);
    assert_int_equal(registers.general[MACHINE_EDI], 0);
}
