/* Compares the interpreter with the processor that runs this test, on x86-64 Linux. It tries the
 * instructions that mean the same in 64-bit mode, in all their forms, with random operands and
 * flags. Native code gets the prefix 0x67 if an operand is in memory, so that its addresses wrap at
 * 32 bits, too. */
#define _GNU_SOURCE /* memfd_create, MAP_32BIT */

#include "core/random.h"
#include "machine/interpreter/interpreter.h"
#include "tests/machine/interpreter/cases.h"
#include "tests/test.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined __x86_64__ && defined __linux__

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#define DATA_SIZE 0x2000u
#define CODE_BASE 0x00100000u

#define C   MACHINE_CF
#define P   MACHINE_PF
#define A   MACHINE_AF
#define Z   MACHINE_ZF
#define S   MACHINE_SF
#define D   MACHINE_DF
#define O   MACHINE_OF
#define ALL (C | P | A | Z | S | D | O)

/* What follows the opcode of an instruction, and what the case needs. */
#define MODRM    0x001u /* a ModRM byte */
#define DIGIT    0x002u /* its field `reg` is fixed; otherwise it is a register */
#define BYTES    0x004u /* registers in `rm` are those of 8 bits */
#define RBYTES   0x008u /* registers in `reg` are those of 8 bits */
#define IMM8     0x010u
#define IMMZ     0x020u  /* 32 bits, or 16 with the prefix 0x66 */
#define WIDE     0x040u  /* the prefix 0x66 gives a 16-bit form */
#define MEMORY   0x080u  /* there is no form with a register */
#define NEAR     0x100u  /* ECX, EDX and the register in `reg` hold small numbers now and then */
#define STRING   0x200u  /* ESI and EDI point to the data */
#define SKIPS    0x400u  /* it is a jump over a MOV that is appended */
#define REGISTER 0x800u  /* the low bits of the opcode are a register */
#define FAR      0x1000u /* the register in `reg` is a bit's index */
#define TABLE    0x2000u /* EBX points to the data */

typedef struct Template {
    const char *name;
    uint8_t opcode[3], length, digit;
    uint32_t form, defined; /* the flags that the architecture defines */
} Template;

#define ONE(name, opcode, form, defined)                                                           \
    { name, {opcode}, 1, 0, form, defined }
#define TWO(name, opcode, form, defined)                                                           \
    { name, {0x0F, opcode}, 2, 0, form, defined }
#define EXT(name, opcode, digit, form, defined)                                                    \
    { name, {opcode}, 1, digit, (form) | MODRM | DIGIT, defined }
/* These make a form for bytes and one for wider operands. */
#define PAIR(TEMPLATE, name, opcode, form, defined)                                                \
    TEMPLATE(name, opcode, (form) | BYTES | RBYTES, defined),                                      \
        TEMPLATE(name, (opcode) + 1, (form) | WIDE, defined)
#define EXT_PAIR(name, opcode, digit, form, defined)                                               \
    EXT(name, opcode, digit, BYTES | (form), defined),                                             \
        EXT(name, (opcode) + 1, digit, WIDE | (form), defined)
#define STRINGS(name, opcode)                                                                      \
    ONE(name, opcode, STRING, ALL), ONE(name, (opcode) + 1, STRING | WIDE, ALL)
#define ARITHMETIC(name, base, digit, defined)                                                     \
    ONE(name, base, MODRM | BYTES | RBYTES, defined), ONE(name, base + 1, MODRM | WIDE, defined),  \
        ONE(name, base + 2, MODRM | BYTES | RBYTES, defined),                                      \
        ONE(name, base + 3, MODRM | WIDE, defined), ONE(name, base + 4, IMM8, defined),            \
        ONE(name, base + 5, IMMZ | WIDE, defined), EXT(name, 0x80, digit, BYTES | IMM8, defined),  \
        EXT(name, 0x81, digit, IMMZ | WIDE, defined), EXT(name, 0x83, digit, IMM8 | WIDE, defined)
#define SHIFT(name, digit, defined)                                                                \
    EXT(name, 0xC0, digit, BYTES | IMM8, defined), EXT(name, 0xC1, digit, IMM8 | WIDE, defined),   \
        EXT(name, 0xD0, digit, BYTES, defined), EXT(name, 0xD1, digit, WIDE, defined),             \
        EXT(name, 0xD2, digit, BYTES | NEAR, defined),                                             \
        EXT(name, 0xD3, digit, WIDE | NEAR, defined)

/* SHIFTED means that the defined flags depend on the count, see DefinedFlags. */
#define SHIFTED         0x80000000u
#define ROTATED         0x40000000u
#define LOGIC           (ALL & ~A)
#define FOUR(X, opcode) X((opcode)), X((opcode) + 1), X((opcode) + 2), X((opcode) + 3)
#define SIXTEEN(X, opcode)                                                                         \
    FOUR(X, opcode), FOUR(X, (opcode) + 4), FOUR(X, (opcode) + 8), FOUR(X, (opcode) + 12)
#define CMOV(opcode) TWO("cmov", opcode, MODRM | WIDE, ALL)
#define SETCC(opcode)                                                                              \
    { "set", {0x0F, opcode}, 2, 0, MODRM | DIGIT | BYTES, ALL }
#define JCC8(opcode) ONE("jcc", opcode, SKIPS, ALL)

static const Template templates[] = {
    ARITHMETIC("add", 0x00, 0, ALL),
    ARITHMETIC("or", 0x08, 1, LOGIC),
    ARITHMETIC("adc", 0x10, 2, ALL),
    ARITHMETIC("sbb", 0x18, 3, ALL),
    ARITHMETIC("and", 0x20, 4, LOGIC),
    ARITHMETIC("sub", 0x28, 5, ALL),
    ARITHMETIC("xor", 0x30, 6, LOGIC),
    ARITHMETIC("cmp", 0x38, 7, ALL),
    PAIR(ONE, "test", 0x84, MODRM, LOGIC),
    ONE("test", 0xA8, IMM8, LOGIC),
    ONE("test", 0xA9, IMMZ | WIDE, LOGIC),
    EXT("test", 0xF6, 0, BYTES | IMM8, LOGIC),
    EXT("test", 0xF7, 0, IMMZ | WIDE, LOGIC),
    EXT("test", 0xF7, 1, IMMZ | WIDE, LOGIC),
    EXT_PAIR("not", 0xF6, 2, 0, ALL),
    EXT_PAIR("neg", 0xF6, 3, 0, ALL),
    EXT_PAIR("inc", 0xFE, 0, 0, ALL),
    EXT_PAIR("dec", 0xFE, 1, 0, ALL),
    EXT_PAIR("mul", 0xF6, 4, NEAR, C | O | D),
    EXT_PAIR("imul", 0xF6, 5, NEAR, C | O | D),
    TWO("imul", 0xAF, MODRM | WIDE | NEAR, C | O | D),
    ONE("imul", 0x69, MODRM | IMMZ | WIDE | NEAR, C | O | D),
    ONE("imul", 0x6B, MODRM | IMM8 | WIDE | NEAR, C | O | D),
    EXT_PAIR("div", 0xF6, 6, NEAR, D),
    EXT_PAIR("idiv", 0xF6, 7, NEAR, D),
    PAIR(ONE, "mov", 0x88, MODRM, ALL),
    PAIR(ONE, "mov", 0x8A, MODRM, ALL),
    ONE("mov", 0xB0, IMM8 | REGISTER | BYTES, ALL),
    ONE("mov", 0xB8, IMMZ | WIDE | REGISTER, ALL),
    EXT("mov", 0xC6, 0, BYTES | IMM8, ALL),
    EXT("mov", 0xC7, 0, IMMZ | WIDE, ALL),
    ONE("lea", 0x8D, MODRM | WIDE | MEMORY, ALL),
    PAIR(ONE, "xchg", 0x86, MODRM, ALL),
    ONE("xchg", 0x90, REGISTER | WIDE, ALL),
    TWO("movzx", 0xB6, MODRM | BYTES | WIDE, ALL),
    TWO("movzx", 0xB7, MODRM | WIDE, ALL),
    TWO("movsx", 0xBE, MODRM | BYTES | WIDE, ALL),
    TWO("movsx", 0xBF, MODRM | WIDE, ALL),
    TWO("bswap", 0xC8, REGISTER, ALL),
    TWO("bswap", 0xC8, REGISTER | WIDE, ALL),
    ONE("cbw", 0x98, WIDE, ALL),
    ONE("cwd", 0x99, WIDE, ALL),
    SHIFT("rol", 0, ROTATED),
    SHIFT("ror", 1, ROTATED),
    SHIFT("rcl", 2, ROTATED),
    SHIFT("rcr", 3, ROTATED),
    SHIFT("shl", 4, SHIFTED),
    SHIFT("shr", 5, SHIFTED),
    SHIFT("sal", 6, SHIFTED),
    SHIFT("sar", 7, SHIFTED),
    TWO("shld", 0xA4, MODRM | IMM8 | WIDE, SHIFTED),
    TWO("shld", 0xA5, MODRM | WIDE, SHIFTED),
    TWO("shrd", 0xAC, MODRM | IMM8 | WIDE, SHIFTED),
    TWO("shrd", 0xAD, MODRM | WIDE, SHIFTED),
    TWO("bt", 0xA3, MODRM | WIDE | FAR, C | Z | D),
    TWO("bts", 0xAB, MODRM | WIDE | FAR, C | Z | D),
    TWO("btr", 0xB3, MODRM | WIDE | FAR, C | Z | D),
    TWO("btc", 0xBB, MODRM | WIDE | FAR, C | Z | D),
    {"bt", {0x0F, 0xBA}, 2, 4, MODRM | DIGIT | WIDE | IMM8, C | Z | D},
    {"bts", {0x0F, 0xBA}, 2, 5, MODRM | DIGIT | WIDE | IMM8, C | Z | D},
    {"btr", {0x0F, 0xBA}, 2, 6, MODRM | DIGIT | WIDE | IMM8, C | Z | D},
    {"btc", {0x0F, 0xBA}, 2, 7, MODRM | DIGIT | WIDE | IMM8, C | Z | D},
    TWO("bsf", 0xBC, MODRM | WIDE, Z | D),
    TWO("bsr", 0xBD, MODRM | WIDE, Z | D),
    PAIR(TWO, "cmpxchg", 0xB0, MODRM | NEAR, ALL),
    PAIR(TWO, "xadd", 0xC0, MODRM, ALL),
    {"cmpxchg8b", {0x0F, 0xC7}, 2, 1, MODRM | DIGIT | MEMORY, ALL},
    SIXTEEN(CMOV, 0x40),
    SIXTEEN(SETCC, 0x90),
    SIXTEEN(JCC8, 0x70),
    ONE("loopne", 0xE0, SKIPS | NEAR, ALL),
    ONE("loope", 0xE1, SKIPS | NEAR, ALL),
    ONE("loop", 0xE2, SKIPS | NEAR, ALL),
    ONE("jecxz", 0xE3, SKIPS | NEAR, ALL),
    ONE("sahf", 0x9E, 0, ALL),
    ONE("lahf", 0x9F, 0, ALL),
    ONE("cmc", 0xF5, 0, ALL),
    ONE("clc", 0xF8, 0, ALL),
    ONE("stc", 0xF9, 0, ALL),
    ONE("cld", 0xFC, 0, ALL),
    ONE("std", 0xFD, 0, ALL),
    ONE("nop", 0x90, 0, ALL),
    TWO("nop", 0x1F, MODRM | WIDE, ALL),
    ONE("xlat", 0xD7, TABLE, ALL),
    STRINGS("movs", 0xA4),
    STRINGS("cmps", 0xA6),
    STRINGS("stos", 0xAA),
    STRINGS("lods", 0xAC),
    STRINGS("scas", 0xAE),
};

/* ---- numbers --------------------------------------------------------------------------------- */

static uint64_t seed;

static uint32_t Random(void) {
    return (uint32_t)(Random_XorShift(&seed) >> 16);
}

static uint32_t RandomValue(void) {
    static const uint32_t special[] = {
        0,          1,          2,          0x7F, 0x80, 0xFF,       0x7FFF,     0x8000, 0xFFFF,
        0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 15,   16,   0x80008000, 0x80808080, 9,      0x9A};
    uint32_t value = Random();
    switch (Random() % 4) {
    case 0:
        return special[value % (sizeof special / sizeof *special)];
    case 1:
        return value & 0xFF;
    default:
        return value;
    }
}

/* ---- the processor --------------------------------------------------------------------------- */

typedef struct Native {
    uint32_t general[8];
    uint64_t flags;
} Native;

static uint8_t *code, *runnable; /* the same memory, writable and executable */
static uint8_t *data;            /* at an address below 2 GiB */
static uint8_t *guest_data, *guest_code;
static MachineMemory *memory;
static Interpreter *interpreter;
static sigjmp_buf after_fault;

/* Saves the caller's registers, and loads flags and registers from the memory at R14, to which they
 * are stored again after the instruction. Instructions that are encoded for 32-bit mode cannot name
 * R14. */
static const uint8_t prologue[] = {
    0x53, 0x55, 0x41, 0x56, 0x49, 0x89, 0xFE,       /* push rbx; push rbp; push r14; mov r14, rdi */
    0x41, 0xFF, 0x76, 0x20, 0x9D,                   /* push [r14+32]; popfq */
    0x41, 0x8B, 0x06, 0x41, 0x8B, 0x4E, 0x04,       /* mov eax, [r14]; mov ecx, [r14+4] */
    0x41, 0x8B, 0x56, 0x08, 0x41, 0x8B, 0x5E, 0x0C, /* edx, ebx */
    0x41, 0x8B, 0x6E, 0x14, 0x41, 0x8B, 0x76, 0x18, /* ebp, esi */
    0x41, 0x8B, 0x7E, 0x1C};                        /* edi */
static const uint8_t epilogue[] = {
    0x41, 0x89, 0x06, 0x41, 0x89, 0x4E, 0x04,       /* mov [r14], eax; mov [r14+4], ecx */
    0x41, 0x89, 0x56, 0x08, 0x41, 0x89, 0x5E, 0x0C, /* edx, ebx */
    0x41, 0x89, 0x6E, 0x14, 0x41, 0x89, 0x76, 0x18, /* ebp, esi */
    0x41, 0x89, 0x7E, 0x1C,                         /* edi */
    0x9C, 0x41, 0x8F, 0x46, 0x20, 0xFC,             /* pushfq; pop [r14+32]; cld */
    0x41, 0x5E, 0x5D, 0x5B, 0xC3};                  /* pop r14; pop rbp; pop rbx; ret */

static void OnFault(int signal) {
    (void)signal;
    siglongjmp(after_fault, 1);
}

/* Runs an instruction on the processor. Returns false if it raised a divide error. */
static bool RunNative(const uint8_t *bytes, size_t size, Native *state) {
    memcpy(code, prologue, sizeof prologue);
    memcpy(code + sizeof prologue, bytes, size);
    memcpy(code + sizeof prologue + size, epilogue, sizeof epilogue);
    if (sigsetjmp(after_fault, 1))
        return false;
    void (*function)(Native *);
    memcpy(&function, &runnable, sizeof function);
    function(state);
    return true;
}

static int SetUp(void **state) {
    (void)state;
    RpError error;
    int file = memfd_create("code", 0);
    if (file < 0 || ftruncate(file, 4096))
        return -1;
    code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    runnable = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
    data = mmap(NULL, DATA_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT,
                -1, 0);
    close(file);
    if (code == MAP_FAILED || runnable == MAP_FAILED || data == MAP_FAILED)
        return -1;
    if (MachineMemory_Create(1u << 24, &memory, &error) ||
        Interpreter_Create(memory, &interpreter, &error))
        return -1;
    uint32_t base = (uint32_t)(uintptr_t)data;
    if (MachineMemory_Map(memory, base, DATA_SIZE, MACHINE_READ | MACHINE_WRITE) != base ||
        MachineMemory_Map(memory, CODE_BASE, MACHINE_PAGE,
                          MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE) != CODE_BASE)
        return -1;
    guest_data = MachineMemory_At(memory, base);
    guest_code = MachineMemory_At(memory, CODE_BASE);
    return 0;
}

static int TearDown(void **state) {
    (void)state;
    Interpreter_Destroy(interpreter);
    MachineMemory_Destroy(memory);
    munmap(code, 4096);
    munmap(runnable, 4096);
    munmap(data, DATA_SIZE);
    return 0;
}

/* ---- cases ----------------------------------------------------------------------------------- */

typedef struct Case {
    const Template *template;
    uint8_t bytes[20];
    uint32_t size;
    bool narrow; /* has the prefix 0x66 */
    bool in_memory;
    uint32_t count; /* the count of a shift, 0 to 31 */
    uint32_t general[8], flags;
} Case;

static void Put(Case *made, uint32_t value, uint32_t size) {
    for (uint32_t i = 0; i < size; i++)
        made->bytes[made->size++] = (uint8_t)(value >> i * 8);
}

static uint32_t RandomRegister(bool bytes) {
    uint32_t number = Random() % 8;
    return number == MACHINE_ESP && !bytes ? MACHINE_EAX : number;
}

/* Gives base and index such values, and the operand such a displacement, that it lies near the
 * middle of the data. Writes all bytes from ModRM on. */
static void PutMemoryOperand(Case *made, uint32_t reg) {
    uint32_t target = (uint32_t)(uintptr_t)data + DATA_SIZE / 2 - 8 + Random() % 16;
    uint32_t base = Random() % 8, index = Random() % 8, scale = Random() % 4, displacement;
    if (base == MACHINE_ESP)
        base = MACHINE_ESI;
    if (Random() % 2) {
        Put(made, 0x84 | reg << 3, 1);
        Put(made, scale << 6 | index << 3 | base, 1);
        displacement = target - made->general[base];
        if (index != MACHINE_ESP)
            displacement -= made->general[index] << scale;
        Put(made, displacement, 4);
    } else if (Random() % 2) {
        Put(made, 0x40 | reg << 3 | base, 1);
        displacement = Random() % 256;
        made->general[base] = target - (displacement ^ 0x80) + 0x80;
        Put(made, displacement, 1);
    } else {
        Put(made, 0x04 | reg << 3, 1); /* neither a base nor an index */
        Put(made, 0x25, 1);
        Put(made, target, 4);
    }
}

static void Make(Case *made, const Template *template) {
    uint32_t form = template->form;
    *made = (Case){.template = template};
    for (int i = 0; i < 8; i++)
        made->general[i] = RandomValue();
    made->flags = Random() & ALL;
    if (form & NEAR && Random() % 2) {
        made->general[MACHINE_ECX] = Random() % 4;
        made->general[MACHINE_EDX] = Random() % 4;
    }
    if (form & STRING) {
        uint32_t middle = (uint32_t)(uintptr_t)data + DATA_SIZE / 2;
        made->general[MACHINE_ESI] = middle - 512 + Random() % 1024;
        made->general[MACHINE_EDI] = middle - 512 + Random() % 1024;
        made->general[MACHINE_ECX] = Random() % 64;
    }
    if (form & TABLE)
        made->general[MACHINE_EBX] = (uint32_t)(uintptr_t)data + Random() % 256;

    made->narrow = form & WIDE && Random() % 2;
    if (made->narrow)
        Put(made, 0x66, 1);
    if (form & STRING && Random() % 4)
        Put(made, Random() % 2 ? 0xF2 : 0xF3, 1);
    for (uint32_t i = 0; i < template->length; i++)
        Put(made, template->opcode[i], 1);
    if (form & REGISTER)
        made->bytes[made->size - 1] |= (uint8_t)RandomRegister(form & BYTES);
    if (form & MODRM) {
        uint32_t reg = form & DIGIT ? template->digit : RandomRegister(form & RBYTES);
        made->in_memory = form & MEMORY || Random() % 2;
        if (form & FAR)
            made->general[reg] = made->in_memory ? Random() % 16384 - 8192 : Random();
        if (made->in_memory) {
            PutMemoryOperand(made, reg);
            /* The index may also be the base, and then it is not a small number. */
            if (form & FAR && made->general[reg] + 8192 >= 16384) {
                Make(made, template);
                return;
            }
        } else {
            Put(made, 0xC0 | reg << 3 | RandomRegister(form & BYTES), 1);
        }
    }
    if (form & (IMM8 | IMMZ))
        Put(made, RandomValue(), form & IMM8 ? 1 : made->narrow ? 2 : 4);
    made->count = (form & IMM8 ? made->bytes[made->size - 1] : made->general[MACHINE_ECX]) & 31;
    if (template->opcode[0] == 0xD0 || template->opcode[0] == 0xD1)
        made->count = 1;
    if (form & SKIPS) {
        Put(made, 5, 1);
        Put(made, 0xB8, 1);
        Put(made, 0x12345678, 4);
    }
}

static uint32_t DefinedFlags(const Case *made) {
    uint32_t defined = made->template->defined;
    uint32_t bits = made->template->form & BYTES ? 8 : made->narrow ? 16 : 32;
    if (!(defined & (SHIFTED | ROTATED)) || made->count == 0)
        return defined & (SHIFTED | ROTATED) ? ALL : defined;
    uint32_t flags = ALL & ~O;
    if (made->count == 1)
        flags |= O;
    if (defined & SHIFTED)
        flags &= ~A;
    bool is_left_or_right = strcmp(made->template->name, "sar") != 0;
    if (defined & SHIFTED && is_left_or_right && made->count > bits)
        flags &= ~C;
    return flags;
}

static void Fail(const Case *made, const Native *native, const MachineRegisters *guest) {
    char hex[64];
    for (uint32_t i = 0; i < made->size; i++)
        snprintf(hex + 3 * i, 4, "%02X ", made->bytes[i]);
    fprintf(stderr, "%s: %s\n", made->template->name, hex);
    for (int i = 0; i < 8; i++)
        fprintf(stderr, "  register %d: before %08X, processor %08X, interpreter %08X\n", i,
                made->general[i], native->general[i], guest->general[i]);
    fprintf(stderr, "  flags: before %04X, processor %04X, interpreter %04X\n", made->flags,
            (uint32_t)native->flags & ALL, guest->eflags & ALL);
    fail();
}

static void Check(const Case *made, uint32_t *undefined) {
    Native native = {.flags = made->flags | 0x202};
    memcpy(native.general, made->general, sizeof native.general);
    uint8_t bytes[24], size = 0;
    bool jumps = made->template->form & (SKIPS | STRING | TABLE);
    if (made->in_memory || jumps)
        bytes[size++] = 0x67;
    memcpy(bytes + size, made->bytes, made->size);
    bool divides = !RunNative(bytes, size + made->size, &native);

    MachineContext context = {
        .memory = memory, .profile = MachineProfile_Find("pentium4"), .budget = 1000};
    MachineRegisters_Init(&context.registers);
    memcpy(context.registers.general, made->general, sizeof made->general);
    context.registers.eflags = made->flags;
    context.registers.eip = CODE_BASE;
    memcpy(guest_code, made->bytes, made->size);
    bool ok = true;
    while (ok && context.registers.eip < CODE_BASE + made->size)
        ok = Interpreter_Step(interpreter, &context);

    bool same = ok != divides && !memcmp(data, guest_data, DATA_SIZE);
    if (!ok) {
        same = same && (context.fault.code == MACHINE_INTEGER_DIVIDE ||
                        context.fault.code == MACHINE_INTEGER_OVERFLOW);
        same = same && !memcmp(context.registers.general, made->general, sizeof made->general);
    } else {
        same = same && !memcmp(context.registers.general, native.general, sizeof native.general);
        uint32_t differs = (context.registers.eflags ^ (uint32_t)native.flags) & ALL;
        same = same && !(differs & DefinedFlags(made));
        for (int i = 0; i < 12; i++)
            undefined[i] += differs >> i & 1;
    }
    /* Two results of 16-bit double shifts by more than 16 are undefined, as BSWAP with 16 bits is.
     */
    bool is_double = made->template->opcode[0] == 0x0F && made->template->defined & SHIFTED;
    bool is_free = is_double && made->narrow && made->count > 16;
    if (!same && is_free)
        memcpy(guest_data, data, DATA_SIZE);
    else if (!same)
        Fail(made, &native, &context.registers);
}

TEST(InstructionsDoWhatThisProcessorDoes) {
    const unsigned many = Cases(4000);
    /* The handler is installed here and not in SetUp, because cmocka installs its own handler in
     * between. */
    struct sigaction action = {.sa_handler = OnFault};
    sigaction(SIGFPE, &action, NULL);
    uint64_t cases = 0;
    seed = 0x9E3779B97F4A7C15u;
    for (uint32_t i = 0; i < DATA_SIZE; i++)
        data[i] = guest_data[i] = (uint8_t)Random();
    bool tell = getenv("TELL_UNDEFINED_FLAGS");
    for (size_t t = 0; t < sizeof templates / sizeof *templates; t++) {
        uint32_t undefined[12] = {0};
        for (unsigned i = 0; i < many; i++, cases++) {
            Case made;
            Make(&made, &templates[t]);
            if (i % 64 == 0)
                for (uint32_t at = DATA_SIZE / 2 - 16; at < DATA_SIZE / 2 + 32; at++)
                    data[at] = guest_data[at] = (uint8_t)RandomValue();
            Check(&made, undefined);
        }
        if (tell)
            printf("%-9s %02X %02X: undefined CF %u PF %u AF %u ZF %u SF %u OF %u of %u\n",
                   templates[t].name, templates[t].opcode[0], templates[t].opcode[1], undefined[0],
                   undefined[2], undefined[4], undefined[6], undefined[7], undefined[11], many);
    }
    printf("%llu cases\n", (unsigned long long)cases);
}

AROUND_ALL(SetUp, TearDown)
#else

int main(void) {
    puts("skipped: only Linux on x86-64 has a processor to compare with");
    return 0;
}

#endif
