/* Compares the interpreter with Unicorn. This is for instructions that exist in 32-bit mode only,
 * or that name ESP or 16-bit addresses, for which the processor that runs this test cannot be
 * asked. Unicorn 2.0.1 is known to be wrong about undefined flags of AAA and AAS, and about faults;
 * those are cases of machine_interpreter. */
#include "core/random.h"
#include "machine/interpreter/interpreter.h"
#include "tests/machine/interpreter/cases.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unicorn/unicorn.h>

#define LOW        0x00001000u /* up to 64 KiB, for 16-bit addresses */
#define LOW_SIZE   0x0000F000u
#define CODE       0x01000000u
#define STACK      0x00400000u
#define STACK_SIZE 0x00002000u

/* Each case has its own place, because Unicorn keeps what it has translated. Instructions that
 * call, return or take an address as an operand may point a little further. */
#define CASES     1600u
#define PLACE     32u
#define BEHIND    0x1000u
#define ALL_CASES (sizeof templates / sizeof *templates * Cases(CASES))

#define C   MACHINE_CF
#define P   MACHINE_PF
#define A   MACHINE_AF
#define Z   MACHINE_ZF
#define S   MACHINE_SF
#define O   MACHINE_OF
#define ALL (C | P | A | Z | S | O | MACHINE_DF | MACHINE_NT | MACHINE_AC | MACHINE_ID)

/* What follows the opcode of an instruction, and what the case needs. */
#define REGISTER 0x001u /* the low bits of the opcode are a register, which may be ESP */
#define MODRM    0x002u /* two registers, which may be ESP */
#define DIGIT    0x004u /* one register */
#define NARROW   0x008u /* ModRM with a 16-bit address, with the prefix 0x67 */
#define STACKED  0x010u /* ModRM with an operand at [ESP+disp8] */
#define IMM8     0x020u
#define IMM16    0x040u
#define IMMZ     0x080u
#define WIDE     0x100u /* the prefix 0x66 gives a 16-bit form */
#define STRING   0x200u /* with 16-bit addresses, repeated or not */
#define RETURNS  0x400u /* the top of the stack is an address of code */
#define LEVELS   0x800u /* the second operand of ENTER */

typedef struct Template {
    const char *name;
    uint8_t opcode[2], length, digit;
    uint32_t form, defined;
} Template;

#define ONE(name, opcode, form, defined)                                                           \
    { name, {opcode}, 1, 0, form, defined }
#define EXT(name, opcode, digit, form, defined)                                                    \
    { name, {opcode}, 1, digit, (form) | DIGIT, defined }
#define TWO(name, opcode, form, defined)                                                           \
    { name, {0x0F, opcode}, 2, 0, form, defined }

static const Template templates[] = {
    ONE("inc", 0x40, REGISTER | WIDE, ALL),
    ONE("dec", 0x48, REGISTER | WIDE, ALL),
    ONE("push", 0x50, REGISTER | WIDE, ALL),
    ONE("pop", 0x58, REGISTER | WIDE, ALL),
    ONE("push", 0x68, IMMZ | WIDE, ALL),
    ONE("push", 0x6A, IMM8 | WIDE, ALL),
    EXT("push", 0xFF, 6, STACKED | WIDE, ALL),
    EXT("push", 0xFF, 6, WIDE, ALL),
    EXT("pop", 0x8F, 0, STACKED | WIDE, ALL),
    EXT("pop", 0x8F, 0, WIDE, ALL),
    ONE("pusha", 0x60, WIDE, ALL),
    ONE("popa", 0x61, WIDE, ALL),
    ONE("pushf", 0x9C, WIDE, ALL),
    ONE("popf", 0x9D, WIDE, ALL),
    ONE("enter", 0xC8, IMM16 | LEVELS | WIDE, ALL),
    ONE("leave", 0xC9, WIDE, ALL),
    ONE("ret", 0xC3, RETURNS, ALL),
    ONE("ret", 0xC2, RETURNS | IMM16, ALL),
    ONE("call", 0xE8, IMMZ, ALL),
    ONE("daa", 0x27, 0, ALL & ~O),
    ONE("das", 0x2F, 0, ALL & ~O),
    ONE("aaa", 0x37, 0, ALL & ~(O | S | Z | P)),
    ONE("aas", 0x3F, 0, ALL & ~(O | S | Z | P)),
    ONE("aam", 0xD4, IMM8, ALL & ~(O | A | C)),
    ONE("aad", 0xD5, IMM8, ALL & ~(O | A | C)),
    ONE("salc", 0xD6, 0, ALL),
    ONE("arpl", 0x63, MODRM, ALL),
    EXT("add", 0x82, 0, IMM8, ALL),
    EXT("or", 0x82, 1, IMM8, ALL & ~A),
    EXT("adc", 0x82, 2, IMM8, ALL),
    EXT("sbb", 0x82, 3, IMM8, ALL),
    EXT("and", 0x82, 4, IMM8, ALL & ~A),
    EXT("sub", 0x82, 5, IMM8, ALL),
    EXT("xor", 0x82, 6, IMM8, ALL & ~A),
    EXT("cmp", 0x82, 7, IMM8, ALL),
    ONE("add", 0x01, MODRM | WIDE, ALL),
    ONE("sub", 0x2B, MODRM | WIDE, ALL),
    ONE("mov", 0x89, MODRM | WIDE, ALL),
    ONE("mov", 0x8B, MODRM | WIDE, ALL),
    ONE("xchg", 0x87, MODRM | WIDE, ALL),
    TWO("cmpxchg", 0xB1, MODRM | WIDE, ALL),
    TWO("xadd", 0xC1, MODRM | WIDE, ALL),
    EXT("add", 0x81, 0, IMMZ | WIDE, ALL),
    ONE("add", 0x01, NARROW | WIDE, ALL),
    ONE("adc", 0x10, NARROW, ALL),
    ONE("mov", 0x8B, NARROW | WIDE, ALL),
    ONE("mov", 0x88, NARROW, ALL),
    ONE("lea", 0x8D, NARROW | WIDE, ALL),
    ONE("xchg", 0x87, NARROW | WIDE, ALL),
    TWO("movzx", 0xB6, NARROW | WIDE, ALL),
    TWO("movsx", 0xBF, NARROW, ALL),
    TWO("xadd", 0xC1, NARROW | WIDE, ALL),
    EXT("inc", 0xFF, 0, NARROW | WIDE, ALL),
    EXT("neg", 0xF7, 3, NARROW | WIDE, ALL),
    EXT("shl", 0xD1, 4, NARROW | WIDE, ALL & ~A),
    EXT("push", 0xFF, 6, NARROW | WIDE, ALL),
    EXT("pop", 0x8F, 0, NARROW | WIDE, ALL),
    ONE("movs", 0xA4, STRING, ALL),
    ONE("movs", 0xA5, STRING | WIDE, ALL),
    ONE("cmps", 0xA6, STRING, ALL),
    ONE("cmps", 0xA7, STRING | WIDE, ALL),
    ONE("stos", 0xAA, STRING, ALL),
    ONE("stos", 0xAB, STRING | WIDE, ALL),
    ONE("lods", 0xAC, STRING, ALL),
    ONE("lods", 0xAD, STRING | WIDE, ALL),
    ONE("scas", 0xAE, STRING, ALL),
    ONE("scas", 0xAF, STRING | WIDE, ALL),
};

static MachineMemory *memory;
static Interpreter *interpreter;
static uc_engine *unicorn;
/* The same areas in both; the size of the code's depends on the number of cases. */
static struct {
    uint32_t address, size;
} areas[] = {{LOW, LOW_SIZE}, {CODE, 0}, {STACK, STACK_SIZE}};
static uint8_t *theirs[3], *ours[3];

static uint64_t seed = 0x2545F4914F6CDD1Du;

static uint32_t Random(void) {
    return (uint32_t)(Random_XorShift(&seed) >> 16);
}

static int SetUp(void **state) {
    (void)state;
    RpError error;
    areas[1].size = ((uint32_t)ALL_CASES * PLACE + BEHIND + 0xFFF) & ~0xFFFu;
    if (uc_open(UC_ARCH_X86, UC_MODE_32, &unicorn) != UC_ERR_OK ||
        MachineMemory_Create(areas[1].size + (1u << 20), &memory, &error) ||
        Interpreter_Create(memory, &interpreter, &error))
        return -1;
    for (int i = 0; i < 3; i++) {
        uint32_t address = areas[i].address, size = areas[i].size;
        if (MachineMemory_Map(memory, address, size,
                              MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE) != address)
            return -1;
        ours[i] = MachineMemory_At(memory, address);
        theirs[i] = aligned_alloc(4096, size);
        if (!theirs[i])
            return -1;
        for (uint32_t at = 0; at < size; at++)
            ours[i][at] = i == 1 ? 0 : (uint8_t)Random();
        memcpy(theirs[i], ours[i], size);
        if (uc_mem_map_ptr(unicorn, address, size, UC_PROT_ALL, theirs[i]) != UC_ERR_OK)
            return -1;
    }
    return 0;
}

static int TearDown(void **state) {
    (void)state;
    uc_close(unicorn);
    Interpreter_Destroy(interpreter);
    MachineMemory_Destroy(memory);
    for (int i = 0; i < 3; i++)
        free(theirs[i]);
    return 0;
}

typedef struct Case {
    const Template *template;
    uint32_t address, size; /* the place of the instruction, and its size */
    uint8_t bytes[16];
    uint32_t general[8], flags;
} Case;

static void Put(Case *made, uint32_t value, uint32_t size) {
    for (uint32_t i = 0; i < size; i++)
        made->bytes[made->size++] = (uint8_t)(value >> i * 8);
}

/* Writes a ModRM with a 16-bit address in the middle of the low memory. The upper halves of its
 * registers are random, and their sum may wrap. */
static void PutNarrowOperand(Case *made, uint32_t reg) {
    static const int8_t bases[] = {MACHINE_EBX, MACHINE_EBX, MACHINE_EBP, MACHINE_EBP,
                                   -1,          -1,          MACHINE_EBP, MACHINE_EBX};
    static const int8_t indexes[] = {MACHINE_ESI, MACHINE_EDI, MACHINE_ESI, MACHINE_EDI,
                                     MACHINE_ESI, MACHINE_EDI, -1,          -1};
    uint32_t mod = Random() % 3, rm = Random() % 8, displacement = Random();
    uint32_t target = 0x4000 + Random() % 0x8000;
    Put(made, mod << 6 | reg << 3 | rm, 1);
    if (mod == 0 && rm == 6) {
        Put(made, target, 2);
        return;
    }
    uint32_t sum = mod == 1 ? (uint32_t)(int8_t)displacement : mod == 2 ? displacement : 0;
    if (bases[rm] >= 0 && indexes[rm] >= 0)
        sum += made->general[bases[rm]];
    uint32_t *last = &made->general[indexes[rm] >= 0 ? indexes[rm] : bases[rm]];
    *last = (*last & 0xFFFF0000u) | ((target - sum) & 0xFFFF);
    Put(made, displacement, mod);
}

static void Make(Case *made, const Template *template, uint32_t address) {
    uint32_t form = template->form;
    bool narrow = form & WIDE && Random() % 2;
    *made = (Case){.template = template, .address = address};
    for (int i = 0; i < 8; i++)
        made->general[i] = Random() % 3 ? Random() : (Random() % 2 ? 0 : 0xFFFFFFFFu);
    if (Random() % 2)
        made->general[MACHINE_EAX] &= 0x3F3F; /* decimal digits, now and then */
    made->general[MACHINE_ESP] = STACK + STACK_SIZE / 2 + Random() % 64;
    if (template->opcode[0] == 0xC8 || template->opcode[0] == 0xC9)
        made->general[MACHINE_EBP] = STACK + STACK_SIZE / 2 + 128 + Random() % 64;
    made->flags = Random() & (C | P | A | Z | S | O | MACHINE_DF);

    if (form & (NARROW | STRING))
        Put(made, 0x67, 1);
    if (narrow)
        Put(made, 0x66, 1);
    if (form & STRING && Random() % 3)
        Put(made, Random() % 2 ? 0xF2 : 0xF3, 1);
    for (uint32_t i = 0; i < template->length; i++)
        Put(made, template->opcode[i], 1);
    uint32_t reg = form & DIGIT ? template->digit : Random() % 8;
    if (form & REGISTER)
        made->bytes[made->size - 1] |= (uint8_t)reg;
    if (form & NARROW) {
        PutNarrowOperand(made, reg);
    } else if (form & STACKED) {
        Put(made, 0x44 | reg << 3, 1);
        Put(made, 0x24, 1);
        Put(made, Random(), 1);
    } else if (form & (MODRM | DIGIT)) {
        Put(made, 0xC0 | reg << 3 | Random() % 8, 1);
    }
    if (form & IMM8)
        Put(made, Random() | 1, 1); /* AAM by 0 faults, so the operand is odd */
    if (form & IMM16)
        Put(made, Random() % 256, 2);
    if (form & LEVELS)
        Put(made, Random() % 5, 1);
    if (form & IMMZ)
        Put(made, template->opcode[0] == 0xE8 ? Random() % 1024 : Random(), narrow ? 2 : 4);
    if (form & STRING) {
        made->general[MACHINE_ESI] = (Random() & 0xFFFF0000u) | (0x4000 + Random() % 0x8000);
        made->general[MACHINE_EDI] = (Random() & 0xFFFF0000u) | (0x4000 + Random() % 0x8000);
        made->general[MACHINE_ECX] = (Random() & 0xFFFF0000u) | Random() % 16;
    }

    uint32_t top = Random(), at = made->general[MACHINE_ESP] - STACK;
    if (form & RETURNS)
        top = address + 0x100 + Random() % 256;
    else if (template->opcode[0] == 0x9D)
        top &= ALL | MACHINE_FIXED; /* in Unicorn the guest can change IOPL and IF */
    memcpy(ours[2] + at, &top, 4);
    memcpy(theirs[2] + at, &top, 4);
    memcpy(ours[1] + (address - CODE), made->bytes, made->size);
    memcpy(theirs[1] + (address - CODE), made->bytes, made->size);
}

static void Check(const Case *made) {
    static const int names[] = {UC_X86_REG_EAX, UC_X86_REG_ECX, UC_X86_REG_EDX, UC_X86_REG_EBX,
                                UC_X86_REG_ESP, UC_X86_REG_EBP, UC_X86_REG_ESI, UC_X86_REG_EDI};
    MachineContext context = {
        .memory = memory, .profile = MachineProfile_Find("pentium4"), .budget = 1000};
    MachineRegisters_Init(&context.registers);
    memcpy(context.registers.general, made->general, sizeof made->general);
    context.registers.eflags = made->flags;
    context.registers.eip = made->address;
    bool ok = Interpreter_Step(interpreter, &context);

    uint32_t flags = made->flags | MACHINE_FIXED | MACHINE_IF, eip = made->address, theirs_now[8];
    for (int i = 0; i < 8; i++)
        uc_reg_write(unicorn, names[i], &made->general[i]);
    uc_reg_write(unicorn, UC_X86_REG_EFLAGS, &flags);
    uc_err end = uc_emu_start(unicorn, made->address, context.registers.eip, 0, 64);
    for (int i = 0; i < 8; i++)
        uc_reg_read(unicorn, names[i], &theirs_now[i]);
    uc_reg_read(unicorn, UC_X86_REG_EFLAGS, &flags);
    uc_reg_read(unicorn, UC_X86_REG_EIP, &eip);

    bool same = ok && end == UC_ERR_OK && eip == context.registers.eip &&
                !memcmp(theirs_now, context.registers.general, sizeof theirs_now) &&
                !((flags ^ context.registers.eflags) & made->template->defined) &&
                !memcmp(ours[0], theirs[0], LOW_SIZE) && !memcmp(ours[2], theirs[2], STACK_SIZE);
    if (same)
        return;
    fprintf(stderr, "%s:", made->template->name);
    for (uint32_t i = 0; i < made->size; i++)
        fprintf(stderr, " %02X", made->bytes[i]);
    fprintf(stderr, "\n  done %d (%08X), Unicorn %d; EIP %08X and %08X\n", ok, context.fault.code,
            (int)end, context.registers.eip, eip);
    for (int i = 0; i < 8; i++)
        fprintf(stderr, "  register %d: before %08X, Unicorn %08X, interpreter %08X\n", i,
                made->general[i], theirs_now[i], context.registers.general[i]);
    fprintf(stderr, "  flags: before %X, Unicorn %X, interpreter %X; memory %d %d\n", made->flags,
            flags & ALL, context.registers.eflags & ALL, memcmp(ours[0], theirs[0], LOW_SIZE),
            memcmp(ours[2], theirs[2], STACK_SIZE));
    fail();
}

TEST(InstructionsOf32BitModeDoWhatUnicornDoes) {
    const uint32_t cases = (uint32_t)ALL_CASES;
    for (uint32_t i = 0; i < cases; i++) {
        Case made;
        Make(&made, &templates[i / Cases(CASES)], CODE + i * PLACE);
        Check(&made);
    }
    print_message("%u cases, 0 differ\n", cases);
}

AROUND_ALL(SetUp, TearDown)
