/* Compares the interpreter's x87 with the processor's, once with the processor's arithmetic and
 * once in software. */
#include "tests/machine/interpreter/cases.h"
#include "tests/machine/interpreter/native.h"

#include "machine/interpreter/x87_operation.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

static const MachineProfile profile = {.name = "all",
                                       .features = MACHINE_HAS_MMX | MACHINE_HAS_CMOV |
                                                   MACHINE_HAS_SSE | MACHINE_HAS_SSE2,
                                       .estimates = RP_ESTIMATES_OF_THIS};

/* Counts the differences, and prints the first ones. */
static unsigned failures;

static void Report(const char *what, const uint8_t *bytes, const NativeState *before,
                   const NativeState *expected, const NativeState *found) {
    if (failures++ >= 12)
        return;
    const char *name = ZydisMnemonicGetString(Native_Decoded()->instruction.mnemonic);
    const MachineVectors *b = &before->vectors, *e = &expected->vectors, *f = &found->vectors;
    print_message("%s: %02X%02X %s, control %04X status %04X tags %02X\n", what, bytes[0], bytes[1],
                  name, b->control, b->status, b->tags);
    print_message("  status %04X %04X, tags %02X %02X, flags %03X %03X\n", e->status, f->status,
                  e->tags, f->tags, (unsigned)expected->eflags & 0xFFF,
                  (unsigned)found->eflags & 0xFFF);
    for (unsigned i = 0; i < 8; i++) {
        uint64_t s[3];
        uint16_t h[3];
        memcpy(&s[0], b->st[i], 8), memcpy(&h[0], b->st[i] + 8, 2);
        memcpy(&s[1], e->st[i], 8), memcpy(&h[1], e->st[i] + 8, 2);
        memcpy(&s[2], f->st[i], 8), memcpy(&h[2], f->st[i] + 8, 2);
        if (i < 2 || s[1] != s[2] || h[1] != h[2])
            print_message("  st%u %04X:%016llX -> %04X:%016llX %04X:%016llX\n", i, h[0],
                          (unsigned long long)s[0], h[1], (unsigned long long)s[1], h[2],
                          (unsigned long long)s[2]);
    }
    for (unsigned i = 0; i < 3 && memcmp(expected->memory, found->memory, 16); i++) {
        uint8_t bytes10[16];
        memcpy(bytes10, (i == 0 ? before : i == 1 ? expected : found)->memory, 16);
        print_message("  memory");
        for (unsigned k = 10; k-- > 0;)
            print_message(" %02X", bytes10[k]);
        print_message("\n");
    }
}

static bool IsSame(const NativeState *a, const NativeState *b, unsigned status_mask) {
    const uint64_t flags =
        MACHINE_CF | MACHINE_PF | MACHINE_AF | MACHINE_ZF | MACHINE_SF | MACHINE_OF;
    return ((a->vectors.status ^ b->vectors.status) & status_mask) == 0 &&
           a->vectors.control == b->vectors.control && a->vectors.tags == b->vectors.tags &&
           memcmp(a->vectors.st, b->vectors.st, sizeof a->vectors.st) == 0 &&
           ((a->eflags ^ b->eflags) & flags) == 0 && (uint32_t)a->eax == (uint32_t)b->eax &&
           memcmp(a->memory, b->memory, sizeof a->memory) == 0;
}

/* Fills the operand in memory so that it suits the instruction. */
static void FillOperand(NativeState *state, unsigned opcode) {
    const uint32_t bits32 = Native_Random32();
    const uint64_t bits64 = Native_Random64();
    switch (opcode) {
    case 0xD8:
    case 0xD9:
        memcpy(state->memory, &bits32, 4);
        break;
    case 0xDC:
    case 0xDD:
        memcpy(state->memory, &bits64, 8);
        break;
    case 0xDB:
        if (Native_Random() & 1)
            Native_Random80(state->memory);
        break;
    case 0xDF: /* packed decimal digits for FBLD, for which other values are undefined */
        for (unsigned i = 0; i < 9; i++)
            state->memory[i] = (uint8_t)(Native_Random() % 10 | Native_Random() % 10 << 4);
        break;
    default:
        break;
    }
}

static bool IsTranscendental(unsigned opcode, unsigned modrm) {
    return opcode == 0xD9 &&
           ((modrm >= 0xF0 && modrm <= 0xF3) || modrm == 0xF9 || modrm == 0xFB || modrm >= 0xFE);
}

/* Chooses an instruction that begins with D8 to DF, except those about the environment. */
static bool ChooseForm(unsigned form, uint8_t bytes[2]) {
    if (form < 512) {
        bytes[0] = (uint8_t)(0xD8 + form / 64);
        bytes[1] = (uint8_t)(0xC0 + form % 64);
    } else {
        bytes[0] = (uint8_t)(0xD8 + (form - 512) / 8);
        bytes[1] = (uint8_t)(2 + (form - 512) % 8 * 8); /* [EDX] */
    }
    if (!Native_Choose(bytes, 2, true))
        return false;
    switch (Native_Decoded()->instruction.mnemonic) {
    case ZYDIS_MNEMONIC_FNSTENV:
    case ZYDIS_MNEMONIC_FNSAVE:
    case ZYDIS_MNEMONIC_FLDENV:
    case ZYDIS_MNEMONIC_FRSTOR:
    case ZYDIS_MNEMONIC_FNINIT:
    case ZYDIS_MNEMONIC_FENI8087_NOP:
    case ZYDIS_MNEMONIC_FDISI8087_NOP:
    case ZYDIS_MNEMONIC_FSETPM287_NOP:
    case ZYDIS_MNEMONIC_FISTTP: /* an instruction of SSE3, which no profile has */
        return false;
    default:
        return true;
    }
}

enum { FORMS = 576 };

/* Returns the number of cases of an instruction. D9 E0 to D9 FF have one form each, other
 * instructions eight or more. */
static unsigned CasesOfForm(const uint8_t bytes[2]) {
    return bytes[0] == 0xD9 && bytes[1] >= 0xE0 ? 5000 : 400;
}

/* Executes one instruction with the x87's arithmetic in software, without the interpreter. */
static void ExecuteSoft(NativeState *state, const uint8_t bytes[2]) {
    X87Operation operation = {bytes[0], bytes[1], {0}, (uint32_t)state->eflags};
    memcpy(operation.operand, state->memory, sizeof operation.operand);
    X87Soft_Execute(&state->vectors, &operation);
    if (X87_IsStored(&state->vectors))
        memcpy(state->memory, operation.operand, sizeof operation.operand);
    state->eflags = operation.eflags;
}

static bool IsDenormal(const uint8_t number[10]) {
    uint64_t significand;
    memcpy(&significand, number, 8);
    return significand && !number[8] && !(number[9] & 0x7F);
}

/* Returns whether this is a case in which makers differ. If underflow is unmasked, AMD's processors
 * and the software raise it for a denormal that FPREM and FPREM1 by an infinity, or FSCALE by zero,
 * return unchanged. Intel's raise nothing. */
static bool IsGivenBackByIntel(const uint8_t bytes[2], const NativeState *before,
                               const NativeState *after) {
    static const uint8_t infinity[8] = {0, 0, 0, 0, 0, 0, 0, 0x80}, zero[8] = {0};
    const uint8_t *by = before->vectors.st[1];
    const bool is_infinite = (by[9] & 0x7F) == 0x7F && by[8] == 0xFF && !memcmp(by, infinity, 8);
    const bool is_remainder = bytes[1] == 0xF5 || bytes[1] == 0xF8;
    return bytes[0] == 0xD9 && !(before->vectors.control & X87_UNDERFLOW) &&
           IsDenormal(before->vectors.st[0]) &&
           (is_remainder ? is_infinite : bytes[1] == 0xFD && !memcmp(by, zero, 8)) &&
           !memcmp(before->vectors.st[0], after->vectors.st[0], 10);
}

/* Returns which conditions of the status word the software is held to, or 0 if the instruction is
 * none of its own. */
static unsigned StatusOfSoft(const uint8_t bytes[2]) {
    if (IsTranscendental(bytes[0], bytes[1]))
        return 0;
    switch (Native_Decoded()->instruction.mnemonic) {
    case ZYDIS_MNEMONIC_FLDCW:
    case ZYDIS_MNEMONIC_FNSTCW:
    case ZYDIS_MNEMONIC_FNSTSW:
    case ZYDIS_MNEMONIC_FNCLEX:
        return 0;
    case ZYDIS_MNEMONIC_FFREE: /* all conditions are undefined */
        return 0xFFFF & ~X87_C1;
    default:
        return 0xFFFF;
    }
}

/* Compares the interpreter with the processor, or only its arithmetic in software. */
static void RunAll(bool masked, bool soft) {
    if (!Native_CanExecute())
        skip();
    failures = 0;
    unsigned cases = 0;
    for (unsigned form = 0; form < FORMS; form++) {
        uint8_t bytes[2];
        if (!ChooseForm(form, bytes) || (!MACHINE_HAS_X87 && IsTranscendental(bytes[0], bytes[1])))
            continue;
        const unsigned compared = soft ? StatusOfSoft(bytes) : 0xFFFF;
        const unsigned many = compared ? Cases(CasesOfForm(bytes)) : 0;
        for (unsigned i = 0; i < many; i++, cases++) {
            NativeState state, expected, found;
            MachineFault fault;
            Native_RandomX87(&state, masked);
            FillOperand(&state, bytes[0]);
            expected = found = state;
            assert_true(Native_Execute(&expected, 0));
            bool done = true;
            if (soft)
                ExecuteSoft(&found, bytes);
            else
                done = Native_Interpret(&found, 0, &profile, &fault);
            if ((!done || !IsSame(&expected, &found, compared)) &&
                !(soft && IsGivenBackByIntel(bytes, &state, &expected)))
                Report(soft ? "software" : "interpreter", bytes, &state, &expected, &found);
        }
    }
    print_message("%u cases, %u differ\n", cases, failures);
    assert_int_equal(failures, 0);
}

TEST(EveryInstructionIsTheProcessorsWithMaskedExceptions) {
    RunAll(true, false);
}

TEST(EveryInstructionIsTheProcessorsWithUnmaskedExceptions) {
    RunAll(false, false);
}

/* Returns how many numbers of 64 bits lie between two results, or a large number if they are of
 * different kinds. */
static uint64_t Distance(const uint8_t a[10], const uint8_t b[10]) {
    uint64_t of_a, of_b;
    memcpy(&of_a, a, 8);
    memcpy(&of_b, b, 8);
    int head_a = a[8] | a[9] << 8, head_b = b[8] | b[9] << 8;
    head_a |=
        !(head_a & 0x7FFF); /* the exponent of denormals is that of the least normal numbers */
    head_b |= !(head_b & 0x7FFF);
    if (head_a == head_b)
        return of_a > of_b ? of_a - of_b : of_b - of_a;
    if ((head_a ^ head_b) != 0x8000 && (head_a - head_b == 1 || head_b - head_a == 1) &&
        (head_a & 0x7FFF) != 0x7FFF && (head_b & 0x7FFF) != 0x7FFF)
        return head_a > head_b ? (of_a << 1) + (0 - of_b) : (of_b << 1) + (0 - of_a);
    return UINT64_MAX;
}

/* The last bit of these results is the processor's own, so only the distance can be judged, and
 * with it whether the result underflows. Special values, and everything else that is not a result,
 * must be the same. */
TEST(TranscendentalSoftwareIsNearTheProcessor) {
    if (!Native_CanExecute())
        skip();
    static const struct {
        uint8_t modrm;
        unsigned results;  /* the computed numbers that are on the stack */
        uint64_t distance; /* counted in ulps */
    } functions[] = {{0xF0, 1, 2}, {0xF1, 1, 2}, {0xF2, 2, 3}, {0xF3, 1, 2},
                     {0xF9, 1, 2}, {0xFB, 2, 2}, {0xFE, 1, 2}, {0xFF, 1, 2}};
    failures = 0;
    for (unsigned f = 0; f < sizeof functions / sizeof functions[0]; f++) {
        const uint8_t bytes[2] = {0xD9, functions[f].modrm};
        assert_true(Native_Choose(bytes, 2, true));
        uint64_t most = 0;
        unsigned other = 0;
        for (unsigned i = 0; i < 20000; i++) {
            NativeState guest, expected, found;
            Native_RandomX87(&guest, true);
            uint16_t head;
            memcpy(&head, &guest.vectors.st[0][8], 2);
            const unsigned exponent = head & 0x7FFFu;
            /* For arguments beyond these, the manuals leave the result open. */
            if ((bytes[1] == 0xF0 && exponent >= 0x3FFF && exponent < 0x7FFF) ||
                (bytes[1] == 0xF9 && exponent >= 0x3FFD && exponent <= 0x7FFF))
                continue;
            expected = found = guest;
            assert_true(Native_Execute(&expected, 0));
            ExecuteSoft(&found, bytes);
            unsigned compared = 0xFFFF & ~X87_C1;
            for (unsigned k = 0; k < functions[f].results; k++) {
                if (IsDenormal(found.vectors.st[k]) != IsDenormal(expected.vectors.st[k]))
                    compared &= ~(unsigned)X87_UNDERFLOW;
                const uint64_t distance = Distance(expected.vectors.st[k], found.vectors.st[k]);
                if (distance <= functions[f].distance) {
                    most = distance > most ? distance : most;
                    memcpy(found.vectors.st[k], expected.vectors.st[k], 10);
                }
            }
            if (!IsSame(&expected, &found, compared)) {
                other++;
                Report("software", bytes, &guest, &expected, &found);
            }
        }
        print_message("D9%02X: %u ulps at most, %u differ\n", bytes[1], (unsigned)most, other);
    }
    assert_int_equal(failures, 0);
}

TEST(SoftwareIsTheProcessorWithMaskedExceptions) {
    RunAll(true, true);
}

TEST(SoftwareIsTheProcessorWithUnmaskedExceptions) {
    RunAll(false, true);
}

/* ---- the environment ------------------------------------------------------------------------- */

/* Instructions about the environment. The fields about the last instruction are left out: here they
 * would lead into the operand, and processors in 64-bit mode have other ones. */
static const struct {
    uint8_t bytes[3];
    uint8_t size;
    uint8_t operand, pointers;
    bool loads;
} environments[] = {
    {{0xD9, 0x32}, 2, 28, 12, false},  {{0x66, 0xD9, 0x32}, 3, 14, 6, false},
    {{0xDD, 0x32}, 2, 108, 12, false}, {{0x66, 0xDD, 0x32}, 3, 94, 6, false},
    {{0xD9, 0x22}, 2, 28, 12, true},   {{0x66, 0xD9, 0x22}, 3, 14, 6, true},
    {{0xDD, 0x22}, 2, 108, 12, true},  {{0x66, 0xDD, 0x22}, 3, 94, 6, true},
    {{0xD9, 0x2A}, 2, 2, 2, true},     {{0xD9, 0x3A}, 2, 2, 2, false},
    {{0xDD, 0x3A}, 2, 2, 2, false},    {{0xDF, 0xE0}, 2, 0, 0, false},
    {{0xDB, 0xE2}, 2, 0, 0, false},    {{0xDB, 0xE3}, 2, 0, 0, false},
    {{0xDB, 0xE0}, 2, 0, 0, false},    {{0xDB, 0xE1}, 2, 0, 0, false},
};

TEST(TheEnvironmentIsTheProcessors) {
    if (!Native_CanExecute())
        skip();
    failures = 0;
    unsigned cases = 0;
    for (unsigned k = 0; k < sizeof environments / sizeof environments[0]; k++) {
        const uint8_t *bytes = environments[k].bytes;
        const unsigned at = environments[k].pointers;
        const unsigned width =
            environments[k].operand <= 14 || environments[k].operand == 94 ? 2 : 4;
        assert_true(Native_Choose(bytes, environments[k].size, true));
        for (unsigned i = 0; i < 8000; i++, cases++) {
            NativeState guest, expected, found;
            MachineFault fault;
            Native_RandomX87(&guest, environments[k].loads);
            if (!environments[k].loads) /* these do not wait */
                guest.vectors.status |= (uint16_t)(Native_Random() & 0x3F);
            Vectors_Summarise(&guest.vectors);
            for (unsigned r = 0; r < 8; r++)
                if (environments[k].operand >= 94)
                    Native_Random80(guest.memory + environments[k].operand - 80 + 10 * r);
            expected = found = guest;
            assert_true(Native_Execute(&expected, 0));
            const bool done = Native_Interpret(&found, 0, &profile, &fault);
            if (environments[k].operand > 2 && !environments[k].loads)
                memcpy(expected.memory + at, found.memory + at, 4 * width);
            if (!done || !IsSame(&expected, &found, 0xFFFF))
                Report("environment", bytes, &guest, &expected, &found);
        }
    }
    print_message("%u cases, %u differ\n", cases, failures);
    assert_int_equal(failures, 0);
}

static bool Interpret(NativeState *state, const uint8_t *bytes, size_t size, uint32_t offset,
                      MachineFault *fault) {
    assert_true(Native_Choose(bytes, size, false));
    return Native_Interpret(state, offset, &profile, fault);
}

static uint32_t Dword(const NativeState *state, unsigned at) {
    uint32_t value;
    memcpy(&value, state->memory + at, sizeof value);
    return value;
}

static const uint8_t fldpi[] = {0xD9, 0xEB}, fdiv_m32[] = {0xD8, 0x32}, fnstenv[] = {0xD9, 0x32},
                     fldcw[] = {0xD9, 0x2A}, fwait[] = {0x9B}, fninit[] = {0xDB, 0xE3},
                     fnclex[] = {0xDB, 0xE2}, fnstsw[] = {0xDF, 0xE0},
                     fxsave[] = {0x0F, 0xAE, 0x02}, fxrstor[] = {0x0F, 0xAE, 0x0A};

TEST(TheEnvironmentTellsTheLastInstruction) {
    NativeState guest = {.vectors = {.control = 0x037F, .mxcsr = 0x1F80}};
    MachineFault fault;
    assert_true(Interpret(&guest, fldpi, sizeof fldpi, 0, &fault));
    assert_int_equal(guest.vectors.data_selector, 0); /* it has no operand in memory */
    assert_true(Interpret(&guest, fdiv_m32, sizeof fdiv_m32, 16, &fault));
    assert_true(Interpret(&guest, fldcw, sizeof fldcw, 32, &fault));
    assert_true(Interpret(&guest, fnstenv, sizeof fnstenv, 0, &fault));
    assert_int_equal(Dword(&guest, 12), 0x00401000);
    assert_int_equal(Dword(&guest, 16), 0x0032001B); /* the opcode without its upper 5 bits */
    assert_int_equal(Dword(&guest, 20), NATIVE_ADDRESS + 16);
    assert_int_equal(Dword(&guest, 24), 0xFFFF0023);
    assert_true(Interpret(&guest, fninit, sizeof fninit, 0, &fault));
    assert_true(Interpret(&guest, fnstenv, sizeof fnstenv, 0, &fault));
    for (unsigned at = 12; at < 24; at += 4)
        assert_int_equal(Dword(&guest, at), 0);
}

TEST(AnUnmaskedExceptionIsTakenByTheNextThatWaits) {
    NativeState guest = {.vectors = {.control = 0x037B, .tags = 0x01, .mxcsr = 0x1F80}};
    MachineFault fault = {0};
    static const uint8_t one[10] = {0, 0, 0, 0, 0, 0, 0, 0x80, 0xFF, 0x3F};
    memcpy(guest.vectors.st[0], one, sizeof one);
    assert_true(Interpret(&guest, fdiv_m32, sizeof fdiv_m32, 0, &fault));
    assert_memory_equal(guest.vectors.st[0], one, sizeof one); /* 1 / 0 leaves its operand */
    assert_int_equal(guest.vectors.status, 0x8084);
    assert_true(Interpret(&guest, fnstsw, sizeof fnstsw, 0, &fault));
    assert_int_equal(guest.eax & 0xFFFF, 0x8084);
    const NativeState before = guest;
    assert_false(Interpret(&guest, fwait, sizeof fwait, 0, &fault));
    assert_int_equal(fault.code, MACHINE_FLOAT_DIVIDE);
    assert_false(Interpret(&guest, fldpi, sizeof fldpi, 0, &fault));
    assert_false(Interpret(&guest, fldcw, sizeof fldcw, 0, &fault));
    assert_memory_equal(&guest.vectors, &before.vectors, sizeof guest.vectors);
    assert_true(Interpret(&guest, fnclex, sizeof fnclex, 0, &fault));
    assert_int_equal(guest.vectors.status, 0);
    assert_true(Interpret(&guest, fwait, sizeof fwait, 0, &fault));
}

TEST(ExceptionsHaveTheCodesOfWindowsInItsOrder) {
    static const struct {
        uint16_t status;
        uint32_t code;
    } cases[] = {{0x7F, MACHINE_FLOAT_STACK},    {0x3F, MACHINE_FLOAT_INVALID},
                 {0x3E, MACHINE_FLOAT_DIVIDE},   {0x3A, MACHINE_FLOAT_DENORMAL},
                 {0x38, MACHINE_FLOAT_OVERFLOW}, {0x30, MACHINE_FLOAT_UNDERFLOW},
                 {0x20, MACHINE_FLOAT_INEXACT}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        NativeState guest = {.vectors = {.control = 0x0340, .status = cases[i].status}};
        MachineFault fault = {0};
        assert_false(Interpret(&guest, fwait, sizeof fwait, 0, &fault));
        assert_int_equal(fault.code, cases[i].code);
    }
}

/* The fields about the last instruction and the mask of MXCSR are the processor's own, and the part
 * after XMM7 exists in 64-bit mode only. */
TEST(FxsaveAndFxrstorAreTheProcessors) {
    if (!Native_CanExecute())
        skip();
    enum { POINTERS = 6, POINTERS_END = 24, MXCSR = 24, MASK = 28, ST = 32, XMM_END = 288 };
    failures = 0;
    for (unsigned i = 0; i < 20000; i++) {
        NativeState guest, expected, found;
        MachineFault fault;
        const bool loads = i & 1;
        const uint8_t *bytes = loads ? fxrstor : fxsave;
        assert_true(Native_Choose(bytes, sizeof fxsave, true));
        Native_RandomX87(&guest, false);
        for (unsigned k = 0; k < 8; k++)
            for (unsigned b = 0; b < 16; b++)
                guest.vectors.xmm[k][b] = (uint8_t)Native_Random();
        guest.memory[MXCSR + 2] = guest.memory[MXCSR + 3] = 0;
        if (!loads) { /* FXSAVE does not wait */
            guest.vectors.status |= (uint16_t)(Native_Random() & 0x3F);
            Vectors_Summarise(&guest.vectors);
        }
        expected = found = guest;
        assert_true(Native_Execute(&expected, 0));
        assert_true(Native_Interpret(&found, 0, &profile, &fault));
        if (!loads) {
            memcpy(expected.memory + POINTERS, found.memory + POINTERS, POINTERS_END - POINTERS);
            memcpy(expected.memory + MASK, found.memory + MASK, 4);
            memcpy(expected.memory + XMM_END, found.memory + XMM_END, NATIVE_MEMORY - XMM_END);
        }
        if (!IsSame(&expected, &found, 0xFFFF) || expected.vectors.mxcsr != found.vectors.mxcsr ||
            memcmp(expected.vectors.xmm, found.vectors.xmm, sizeof found.vectors.xmm) != 0)
            Report("extended", bytes, &guest, &expected, &found);
    }
    assert_int_equal(failures, 0);
}

TEST(FxsaveAndFxrstorRaiseProtectionFaults) {
    NativeState guest = {.vectors = {.control = 0x037F, .mxcsr = 0x1F80}};
    MachineFault fault = {0};
    assert_false(Interpret(&guest, fxsave, sizeof fxsave, 8, &fault));
    assert_int_equal(fault.code, MACHINE_ACCESS_VIOLATION);
    assert_int_equal(fault.target, 0xFFFFFFFFu);
    guest.memory[27] = 1; /* a reserved bit of MXCSR */
    assert_false(Interpret(&guest, fxrstor, sizeof fxrstor, 0, &fault));
    assert_int_equal(fault.target, 0xFFFFFFFFu);
}

/* A store that faults pops nothing, and a load that faults pushes nothing. */
TEST(AFaultOfMemoryChangesNoRegister) {
    static const uint8_t instructions[][2] = {
        {0xDD, 0x1A}, {0xDB, 0x3A}, {0xDF, 0x3A}, {0xDF, 0x32}, {0xDD, 0x02}, {0xDB, 0x2A},
        {0xDC, 0x02}, {0xDD, 0x32}, {0xDD, 0x22}, {0xD9, 0x32}, {0xD9, 0x22}};
    for (unsigned i = 0; i < 100 * sizeof instructions / sizeof instructions[0]; i++) {
        NativeState guest;
        MachineFault fault;
        Native_RandomX87(&guest, i & 1);
        const NativeState before = guest;
        assert_false(Interpret(&guest, instructions[i / 100], 2, NATIVE_MEMORY - 7, &fault));
        assert_int_equal(fault.code, MACHINE_ACCESS_VIOLATION);
        assert_memory_equal(&guest.vectors, &before.vectors, sizeof guest.vectors);
        assert_memory_equal(guest.memory, before.memory, sizeof guest.memory);
    }
}

AROUND_ALL(Native_Begin, Native_End)
