/* Compares the interpreter's SSE and SSE2 with the processor's, and the software's with both. */
#include "tests/machine/interpreter/cases.h"
#include "tests/machine/interpreter/native.h"

#include "machine/interpreter/sse_float.h"
#include "ngi32/processor/estimates.h"
#include "tests/test.h"

#include <string.h>

static const MachineProfile all = {.name = "all",
                                   .features = MACHINE_HAS_MMX | MACHINE_HAS_CMOV |
                                               MACHINE_HAS_SSE | MACHINE_HAS_SSE2,
                                   .estimates = RP_ESTIMATES_OF_THIS};
static const MachineProfile sse = {
    .name = "pentium3", .features = MACHINE_HAS_MMX | MACHINE_HAS_CMOV | MACHINE_HAS_SSE};

/* Returns whether the chosen instruction is implemented in the interpreter's file about SSE. */
static bool IsOfSse(void) {
    const Decoded *decoded = Native_Decoded();
    bool xmm = false;
    for (unsigned i = 0; i < decoded->instruction.operand_count_visible; i++) {
        if (decoded->operands[i].type != ZYDIS_OPERAND_TYPE_REGISTER)
            continue;
        const ZydisRegister number = decoded->operands[i].reg.value;
        const ZydisRegisterClass class = ZydisRegisterGetClass(number);
        if (class == ZYDIS_REGCLASS_GPR32 && ZydisRegisterGetId(number) != 0)
            return false; /* of the general registers, this test supports EAX only */
        xmm = xmm || class == ZYDIS_REGCLASS_XMM;
    }
    const ZydisISASet set = decoded->instruction.meta.isa_set;
    return xmm && decoded->instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY &&
           (set == ZYDIS_ISA_SET_SSE || set == ZYDIS_ISA_SET_SSE2 || set == ZYDIS_ISA_SET_SSE2MMX);
}

static void RandomBytes(uint8_t to[16]) {
    const uint64_t kind = Native_Random() % 8;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t bits = (uint32_t)Native_Random();
        if (kind < 4)
            bits = Native_Random32();
        if (kind == 7) /* counts of shifts, and small numbers */
            bits = i % 2 ? 0 : bits & 0x1F;
        memcpy(to + 4 * i, &bits, 4);
    }
    for (unsigned i = 0; i < 2 && (kind == 4 || kind == 5); i++) {
        const uint64_t bits = Native_Random64();
        memcpy(to + 8 * i, &bits, 8);
    }
}

static void RandomState(NativeState *state, bool masked) {
    Native_RandomX87(state, true);
    state->vectors.mxcsr = (uint32_t)Native_Random() & 0xE07Fu;
    if (Native_Random() & 1)
        state->vectors.mxcsr &= 0x603Fu;
    state->vectors.mxcsr |= masked ? MXCSR_MASKS : (uint32_t)Native_Random() & MXCSR_MASKS;
    for (unsigned i = 0; i < 8; i++)
        RandomBytes(state->vectors.xmm[i]);
    for (unsigned i = 0; i < NATIVE_MEMORY; i += 16)
        RandomBytes(state->memory + i);
    if (Native_Random() % 4 == 0) /* related operands, for differences that vanish */
        memcpy(state->vectors.xmm[Native_Random() % 8], state->vectors.xmm[0], 16);
    if (Native_Random() % 4 == 0)
        memcpy(state->memory, state->vectors.xmm[Native_Random() % 8], 16);
}

static bool IsSame(const NativeState *a, const NativeState *b) {
    const uint64_t flags =
        MACHINE_CF | MACHINE_PF | MACHINE_AF | MACHINE_ZF | MACHINE_SF | MACHINE_OF;
    return a->vectors.status == b->vectors.status && a->vectors.tags == b->vectors.tags &&
           a->vectors.mxcsr == b->vectors.mxcsr && ((a->eflags ^ b->eflags) & flags) == 0 &&
           (uint32_t)a->eax == (uint32_t)b->eax &&
           memcmp(a->vectors.st, b->vectors.st, sizeof a->vectors.st) == 0 &&
           memcmp(a->vectors.xmm, b->vectors.xmm, sizeof a->vectors.xmm) == 0 &&
           memcmp(a->memory, b->memory, sizeof a->memory) == 0;
}

static void RunAll(bool masked, unsigned cases_of_form) {
    if (!Native_CanExecute())
        skip();
    static const uint8_t prefixes[4] = {0, 0x66, 0xF3, 0xF2};
    const unsigned many = Cases(cases_of_form);
    unsigned cases = 0, forms = 0, failures = 0, traps = 0;
    for (unsigned which = 0; which < 4 * 0x100 * 0x100; which++) {
        const unsigned prefix = which >> 16, opcode = which >> 8 & 0xFF, modrm = which & 0xFF;
        if (opcode < 0x10 || (modrm < 0xC0 && (modrm & 0xC7) != 0x02) || opcode == 0xAE)
            continue;
        uint8_t bytes[5] = {prefixes[prefix], 0x0F, (uint8_t)opcode, (uint8_t)modrm,
                            (uint8_t)Native_Random()};
        const uint8_t *at = bytes + (prefixes[prefix] == 0);
        if (!Native_Choose(at, (size_t)(bytes + sizeof bytes - at), false) || !IsOfSse())
            continue;
        const ZydisMnemonic mnemonic = Native_Decoded()->instruction.mnemonic;
        const bool estimates =
            mnemonic == ZYDIS_MNEMONIC_RCPPS || mnemonic == ZYDIS_MNEMONIC_RCPSS ||
            mnemonic == ZYDIS_MNEMONIC_RSQRTPS || mnemonic == ZYDIS_MNEMONIC_RSQRTSS;
        if (estimates && !SSE_IS_NATIVE)
            continue;
        /* It is not specified whether such an instruction puts the x87 into MMX use if its operand
         * is in memory. */
        const bool leaves_x87 = modrm < 0xC0 && (mnemonic == ZYDIS_MNEMONIC_CVTPI2PS ||
                                                 mnemonic == ZYDIS_MNEMONIC_CVTPI2PD);
        forms++;
        (void)Native_Choose(at, Native_Decoded()->instruction.length, true);
        unsigned failures_of_form = 0;
        for (unsigned i = 0; i < many; i++, cases++) {
            NativeState state, expected, found;
            MachineFault fault;
            RandomState(&state, masked);
            expected = found = state;
            const bool done = Native_Execute(&expected, 0);
            const bool interpreted = Native_Interpret(&found, 0, &all, &fault);
            traps += !done;
            /* nor is it specified whether MMX was in use before an exception */
            if (!done || leaves_x87) {
                expected.vectors.status = found.vectors.status;
                expected.vectors.tags = found.vectors.tags;
                memcpy(expected.vectors.st, found.vectors.st, sizeof found.vectors.st);
            }
            if (interpreted == done && IsSame(&expected, &found))
                continue;
            failures++;
            if (failures_of_form++ == 0 && failures < 40) {
                print_message("%s (%02X 0F %02X %02X %02X) done %d %d MXCSR %04X -> %04X "
                              "%04X\n",
                              ZydisMnemonicGetString(Native_Decoded()->instruction.mnemonic),
                              bytes[0], opcode, modrm, bytes[4], done, interpreted,
                              state.vectors.mxcsr, expected.vectors.mxcsr, found.vectors.mxcsr);
                Lanes x[4];
                const unsigned to = modrm >> 3 & 7, from = modrm & 7;
                memcpy(&x[0], state.vectors.xmm[to], 16);
                memcpy(&x[1], modrm < 0xC0 ? state.memory : state.vectors.xmm[from], 16);
                memcpy(&x[2], expected.vectors.xmm[to], 16);
                memcpy(&x[3], found.vectors.xmm[to], 16);
                for (unsigned k = 0; k < 4; k++)
                    print_message("  %08X %08X %08X %08X\n", x[k].d[3], x[k].d[2], x[k].d[1],
                                  x[k].d[0]);
            }
        }
    }
    print_message("%u forms, %u cases, %u raised an exception, %u differ\n", forms, cases, traps,
                  failures);
    assert_true(cases > 100000);
    assert_int_equal(failures, 0);
}

TEST(EveryInstructionIsTheProcessorsWithMaskedExceptions) {
    RunAll(true, 40);
}

/* With unmasked exceptions the interpreter computes in software. */
TEST(EveryInstructionIsTheProcessorsWithUnmaskedExceptions) {
    RunAll(false, 20);
}

/* Tests the arithmetic alone, with the same operands, in both ways that this host has. */
TEST(SoftwareIsTheProcessor) {
#if SSE_IS_NATIVE
    unsigned compared = 0, failures = 0;
    for (unsigned mnemonic = 0; mnemonic <= ZYDIS_MNEMONIC_MAX_VALUE; mnemonic++)
        for (unsigned i = 0; i < 5000; i++) {
            Lanes a, b;
            RandomBytes(a.b);
            RandomBytes(b.b);
            if (Native_Random() % 8 == 0)
                b = a;
            Lanes native = a, soft = a;
            uint32_t mxcsr = MXCSR_MASKS | ((uint32_t)Native_Random() & 0xE07Fu);
            uint32_t of_native = mxcsr, of_soft = mxcsr;
            if (!SseNative_Execute((ZydisMnemonic)mnemonic, &native, &b, &of_native))
                break;
            assert_true(SseSoft_Execute((ZydisMnemonic)mnemonic, 0, &soft, &b, &of_soft));
            compared++;
            if (of_native == of_soft && memcmp(&native, &soft, sizeof soft) == 0)
                continue;
            if (failures++ < 10)
                print_message("%s MXCSR %04X -> %04X %04X\n",
                              ZydisMnemonicGetString((ZydisMnemonic)mnemonic), mxcsr, of_native,
                              of_soft);
        }
    print_message("%u cases, %u differ\n", compared, failures);
    assert_true(compared > 100000);
    assert_int_equal(failures, 0);
#else
    skip();
#endif
}

static bool Interpret(NativeState *state, const uint8_t *bytes, size_t size, uint32_t offset,
                      const MachineProfile *profile, MachineFault *fault) {
    assert_true(Native_Choose(bytes, size, false));
    return Native_Interpret(state, offset, profile, fault);
}

TEST(AMisalignedOperandOf16BytesIsAProtectionFault) {
    static const struct {
        uint8_t bytes[4];
        bool faults;
    } cases[] = {{{0x0F, 0x28, 0x02}, true},        /* movaps */
                 {{0x0F, 0x29, 0x02}, true},        /* movaps to memory */
                 {{0x0F, 0x10, 0x02}, false},       /* movups */
                 {{0x0F, 0x58, 0x02}, true},        /* addps */
                 {{0x0F, 0x2B, 0x02}, true},        /* movntps */
                 {{0xF3, 0x0F, 0x58, 0x02}, false}, /* addss */
                 {{0xF3, 0x0F, 0x6F, 0x02}, false}, /* movdqu */
                 {{0x66, 0x0F, 0x6F, 0x02}, true},  /* movdqa */
                 {{0x66, 0x0F, 0xFE, 0x02}, true},  /* paddd */
                 {{0x0F, 0x16, 0x02}, false}};      /* movhps */
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        NativeState guest;
        MachineFault fault = {0};
        RandomState(&guest, true);
        const NativeState before = guest;
        assert_int_equal(Interpret(&guest, cases[i].bytes, sizeof cases[i].bytes, 4, &all, &fault),
                         !cases[i].faults);
        if (!cases[i].faults)
            continue;
        assert_int_equal(fault.code, MACHINE_ACCESS_VIOLATION);
        assert_int_equal(fault.target, 0xFFFFFFFFu);
        assert_memory_equal(&guest, &before, sizeof guest);
    }
}

TEST(ReservedBitsOfMxcsrAreAProtectionFault) {
    static const uint8_t ldmxcsr[] = {0x0F, 0xAE, 0x12}, stmxcsr[] = {0x0F, 0xAE, 0x1A};
    static const struct {
        uint32_t value;
        bool on_all, on_sse;
    } cases[] = {
        {0x1F80, true, true}, {0xFFBF, true, true}, {0x1FC0, true, false}, {0x10000, false, false}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned k = 0; k < 2; k++) {
            NativeState guest = {.vectors = {.mxcsr = 0x1F80}};
            MachineFault fault = {0};
            memcpy(guest.memory, &cases[i].value, 4);
            const bool loads = k == 0 ? cases[i].on_all : cases[i].on_sse;
            assert_int_equal(
                Interpret(&guest, ldmxcsr, sizeof ldmxcsr, 0, k == 0 ? &all : &sse, &fault), loads);
            assert_int_equal(guest.vectors.mxcsr, loads ? cases[i].value : 0x1F80);
            if (!loads)
                assert_int_equal(fault.target, 0xFFFFFFFFu);
        }
    NativeState guest = {.vectors = {.mxcsr = 0x1FA5}};
    MachineFault fault;
    assert_true(Interpret(&guest, stmxcsr, sizeof stmxcsr, 4, &sse, &fault));
    assert_int_equal(guest.memory[4] | guest.memory[5] << 8, 0x1FA5);
}

TEST(EstimatesAreThoseOfTheProfile) {
    static const uint8_t rcpps[] = {0x0F, 0x53, 0xC1}, rsqrtss[] = {0xF3, 0x0F, 0x52, 0xC1};
    static const RpEstimates makers[] = {RP_ESTIMATES_INTEL, RP_ESTIMATES_AMD};
    for (unsigned i = 0; i < 2000; i++) {
        MachineProfile profile = all;
        MachineFault fault;
        NativeState guest;
        Lanes from, to;
        RandomState(&guest, true);
        memcpy(&from, guest.vectors.xmm[1], 16);
        profile.estimates = makers[i & 1];
        assert_true(Interpret(&guest, rcpps, sizeof rcpps, 0, &profile, &fault));
        memcpy(&to, guest.vectors.xmm[0], 16);
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(to.d[k], Estimates_Reciprocal(profile.estimates, from.d[k]));
        assert_true(Interpret(&guest, rsqrtss, sizeof rsqrtss, 0, &profile, &fault));
        assert_memory_equal(&to.d[1], &guest.vectors.xmm[0][4], 12);
        memcpy(&to, guest.vectors.xmm[0], 16);
        assert_int_equal(to.d[0], Estimates_ReciprocalSquareRoot(profile.estimates, from.d[0]));
    }
}

/* MASKMOVDQU writes the chosen bytes and nothing at all if one of them cannot be written. */
TEST(AMaskedStoreWritesAllOrNothing) {
    static const uint8_t maskmovdqu[] = {0x66, 0x0F, 0xF7, 0xC1};
    NativeState guest = {.vectors = {.mxcsr = 0x1F80}};
    MachineFault fault;
    for (unsigned i = 0; i < 16; i++)
        guest.vectors.xmm[0][i] = (uint8_t)(i + 1);
    guest.vectors.xmm[1][0] = guest.vectors.xmm[1][8] = 0x80;
    assert_true(Interpret(&guest, maskmovdqu, sizeof maskmovdqu, NATIVE_MEMORY - 9, &all, &fault));
    assert_int_equal(guest.memory[NATIVE_MEMORY - 9], 1);
    assert_int_equal(guest.memory[NATIVE_MEMORY - 8], 0);
    assert_int_equal(guest.memory[NATIVE_MEMORY - 1], 9);
    assert_false(Interpret(&guest, maskmovdqu, sizeof maskmovdqu, NATIVE_MEMORY - 8, &all, &fault));
    assert_int_equal(fault.target, NATIVE_ADDRESS + NATIVE_MEMORY);
    assert_int_equal(guest.memory[NATIVE_MEMORY - 8], 0);
}

TEST(AnUnmaskedExceptionKeepsTheDestination) {
    static const uint8_t divss[] = {0xF3, 0x0F, 0x5E, 0xC1};
    NativeState guest = {.vectors = {.mxcsr = 0x1F80 & ~0x200u}};
    MachineFault fault;
    const float one = 1;
    memcpy(guest.vectors.xmm[0], &one, sizeof one);
    assert_false(Interpret(&guest, divss, sizeof divss, 0, &all, &fault));
    assert_int_equal(fault.code, MACHINE_FLOAT_TRAPS);
    assert_memory_equal(guest.vectors.xmm[0], &one, sizeof one);
    assert_int_equal(guest.vectors.mxcsr, (0x1F80 & ~0x200u) | 0x04);
}

AROUND_ALL(Native_Begin, Native_End)
