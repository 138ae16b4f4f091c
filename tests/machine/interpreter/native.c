#define _GNU_SOURCE /* REG_RIP */

#include "tests/machine/interpreter/native.h"

#include "core/random.h"

#include <stddef.h>
#include <string.h>

static Decoded decoded;
static MachineMemory *memory;
static Interpreter *interpreter;
static MachineContext context;
static uint64_t seed = 20261128;

/* ---- the processor --------------------------------------------------------------------------- */

#if defined(__x86_64__) && defined(__linux__)

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { CODE_SIZE = 4096 };

static uint8_t *code;
static size_t behind; /* the offset at which the instruction ends in the code */
static volatile sig_atomic_t trapped;

/* Continues behind the instruction. */
static void OnFloat(int number, siginfo_t *info, void *machine) {
    (void)number;
    (void)info;
    trapped = 1;
    ((ucontext_t *)machine)->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)(code + behind);
}

bool Native_CanExecute(void) {
    if (!code)
        code = mmap(NULL, CODE_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED)
        code = NULL;
    return code != NULL;
}

static void ReleaseCode(void) {
    if (code)
        (void)munmap(code, CODE_SIZE);
}

static size_t Emit(size_t at, const uint8_t *bytes, size_t size) {
    memcpy(code + at, bytes, size);
    return at + size;
}

/* Writes an instruction that has a field of the state as its operand, relative to R8. */
static size_t EmitField(size_t at, const uint8_t *bytes, size_t size, size_t field) {
    const uint32_t offset = (uint32_t)field;
    at = Emit(at, bytes, size);
    return Emit(at, (const uint8_t *)&offset, sizeof offset);
}

static bool Generate(const uint8_t *bytes, size_t size) {
    /* The handler is installed here and not in Native_Begin, because cmocka installs its own
     * handlers for each test. */
    struct sigaction action = {.sa_sigaction = OnFloat, .sa_flags = SA_SIGINFO};
    if (!Native_CanExecute() || sigaction(SIGFPE, &action, NULL) != 0)
        return false;
    static const uint8_t state_to_r8[] = {0x49, 0x89, 0xF8}, fxrstor[] = {0x41, 0x0F, 0xAE, 0x08},
                         load_rdx[] = {0x49, 0x8B, 0x90}, load_rax[] = {0x49, 0x8B, 0x80},
                         load_rdi[] = {0x49, 0x8B, 0xB8}, push[] = {0x41, 0xFF, 0xB0},
                         popf[] = {0x9D}, pushf[] = {0x9C}, pop[] = {0x41, 0x8F, 0x80},
                         store_rax[] = {0x49, 0x89, 0x80}, fxsave[] = {0x41, 0x0F, 0xAE, 0x00},
                         fninit[] = {0xDB, 0xE3}, ldmxcsr[] = {0x41, 0x0F, 0xAE, 0x90},
                         ret[] = {0xFC, 0xC3};
    size_t at = Emit(0, state_to_r8, sizeof state_to_r8);
    at = Emit(at, fxrstor, sizeof fxrstor);
    at = EmitField(at, load_rdx, sizeof load_rdx, offsetof(NativeState, operand_address));
    at = EmitField(at, load_rax, sizeof load_rax, offsetof(NativeState, eax));
    at = EmitField(at, load_rdi, sizeof load_rdi, offsetof(NativeState, edi));
    at = EmitField(at, push, sizeof push, offsetof(NativeState, eflags));
    at = Emit(at, popf, sizeof popf);
    at = Emit(at, bytes, size);
    behind = at;
    at = Emit(at, pushf, sizeof pushf);
    at = EmitField(at, pop, sizeof pop, offsetof(NativeState, eflags));
    at = EmitField(at, store_rax, sizeof store_rax, offsetof(NativeState, eax));
    at = Emit(at, fxsave, sizeof fxsave);
    at = Emit(at, fninit, sizeof fninit);
    at = EmitField(at, ldmxcsr, sizeof ldmxcsr, offsetof(NativeState, host_mxcsr));
    (void)Emit(at, ret, sizeof ret);
    return true;
}

bool Native_Execute(NativeState *state, uint32_t offset) {
    void (*function)(NativeState *) = NULL;
    memcpy(&function, &code, sizeof function);
    state->host_mxcsr = 0x1F80;
    state->operand_address = state->edi = (uint64_t)(uintptr_t)(state->memory + offset);
    trapped = 0;
    function(state);
    return trapped == 0;
}

#else

bool Native_CanExecute(void) {
    return false;
}

static void ReleaseCode(void) {
}

static bool Generate(const uint8_t *bytes, size_t size) {
    (void)bytes;
    (void)size;
    return false;
}

bool Native_Execute(NativeState *state, uint32_t offset) {
    (void)state;
    (void)offset;
    return false;
}

#endif

/* ---- the interpreter ------------------------------------------------------------------------- */

int Native_Begin(void **state) {
    (void)state;
    RpError error;
    const uint32_t all = MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE;
    const uint32_t data = NATIVE_ADDRESS / MACHINE_PAGE * MACHINE_PAGE;
    if (MachineMemory_Create(1u << 20, &memory, &error) != RP_OK ||
        Interpreter_Create(memory, &interpreter, &error) != RP_OK ||
        MachineMemory_Map(memory, NATIVE_CODE, MACHINE_PAGE, all) != NATIVE_CODE ||
        MachineMemory_Map(memory, data, MACHINE_PAGE, MACHINE_READ | MACHINE_WRITE) != data)
        return -1;
    MachineRegisters_Init(&context.registers);
    context.memory = memory;
    return 0;
}

int Native_End(void **state) {
    (void)state;
    ReleaseCode();
    Interpreter_Destroy(interpreter);
    MachineMemory_Destroy(memory);
    return 0;
}

bool Native_Choose(const uint8_t *bytes, size_t size, bool execute) {
    ZydisDecoder decoder;
    (void)ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
    if (ZYAN_FAILED(
            ZydisDecoderDecodeFull(&decoder, bytes, size, &decoded.instruction, decoded.operands)))
        return false;
    memcpy(MachineMemory_At(memory, NATIVE_CODE), bytes, size);
    Interpreter_Forget(interpreter, NATIVE_CODE, MACHINE_PAGE);
    return !execute || Generate(bytes, size);
}

const Decoded *Native_Decoded(void) {
    return &decoded;
}

bool Native_Interpret(NativeState *state, uint32_t offset, const MachineProfile *profile,
                      MachineFault *fault) {
    MachineRegisters *registers = &context.registers;
    uint8_t *operand = MachineMemory_At(memory, NATIVE_ADDRESS);
    context.profile = profile;
    context.budget = 1;
    registers->vectors = state->vectors;
    registers->eflags = (uint32_t)state->eflags & ~(MACHINE_FIXED | MACHINE_IF);
    registers->general[MACHINE_EAX] = (uint32_t)state->eax;
    registers->general[MACHINE_EDX] = registers->general[MACHINE_EDI] = NATIVE_ADDRESS + offset;
    registers->eip = NATIVE_CODE;
    memcpy(operand, state->memory, NATIVE_MEMORY);
    const bool done = Interpreter_Step(interpreter, &context);
    memcpy(state->memory, operand, NATIVE_MEMORY);
    state->vectors = registers->vectors;
    state->eflags = registers->eflags;
    state->eax = registers->general[MACHINE_EAX];
    *fault = context.fault;
    return done;
}

/* ---- numbers --------------------------------------------------------------------------------- */

uint64_t Native_Random(void) {
    return Random_SplitMix(&seed);
}

/* Returns a number of IEEE 754 with these numbers of bits for its fraction and its exponent. */
static uint64_t RandomIeee(unsigned fraction_bits, unsigned exponent_bits) {
    const uint64_t kind = Native_Random() % 16, random = Native_Random();
    const uint64_t special = ((uint64_t)1 << exponent_bits) - 1, bias = special >> 1;
    const uint64_t fractions = (uint64_t)1 << fraction_bits;
    uint64_t fraction = random % fractions, exponent = Native_Random() % special;
    switch (kind) {
    case 0:
        fraction = exponent = 0;
        break;
    case 1:
        exponent = 0;
        break;
    case 2:
        exponent = special;
        fraction = 0;
        break;
    case 3:
        exponent = special;
        break;
    case 4: /* whole and half numbers */
        exponent = bias + Native_Random() % 34;
        fraction &= ~(uint64_t)0 << (fraction_bits - Native_Random() % fraction_bits / 2);
        break;
    case 5: /* the ends of the exponents */
        exponent =
            Native_Random() & 1 ? special - 1 - Native_Random() % 3 : 1 + Native_Random() % 3;
        break;
    case 6: /* few bits at the upper end */
        fraction &= ~(uint64_t)0 << (fraction_bits - 3);
        exponent = bias - 4 + Native_Random() % 8;
        break;
    case 7: /* few bits at the lower end */
        fraction = Native_Random() & 1 ? fractions - 1 - fraction % 4 : fraction % 4;
        exponent = bias - 4 + Native_Random() % 8;
        break;
    case 8:
        exponent = bias - 40 + Native_Random() % 80;
        exponent &= special;
        break;
    default:
        if (kind < 14)
            exponent = bias - 6 + Native_Random() % 12;
        break;
    }
    return (Native_Random() & 1) << (fraction_bits + exponent_bits) | exponent << fraction_bits |
           (fraction & (fractions - 1));
}

uint32_t Native_Random32(void) {
    return (uint32_t)RandomIeee(23, 8);
}

uint64_t Native_Random64(void) {
    return RandomIeee(52, 11);
}

void Native_Random80(uint8_t to[10]) {
    const uint64_t kind = Native_Random() % 8;
    uint64_t value = RandomIeee(48, 15);
    uint16_t head = (uint16_t)(value >> 48);
    uint64_t significand = value << 16 >> 1 | (uint64_t)1 << 63;
    significand |= Native_Random() & (kind < 4 ? 0x7FFF : 0);
    if ((head & 0x7FFF) == 0 && Native_Random() % 4 != 0)
        significand <<= 1; /* makes a denormal of what is otherwise a pseudo-denormal */
    if (Native_Random() % 32 == 0)
        significand &= ~((uint64_t)1 << 63); /* mostly an unsupported number */
    if (kind == 7) {                         /* near the middle of binary32 or binary64 */
        significand &= Native_Random() & 1 ? 0xFFFFFF8000000000u : 0xFFFFFFFFFFFFFC00u;
        significand += Native_Random() % 3;
    }
    if (kind == 6) /* exponents near the ends of those of binary32 and binary64 */
        head = (uint16_t)((head & 0x8000) | (16383 + (int)(Native_Random() % 64) - 32 +
                                             (int[]){-1022, -126, 127, 1023}[Native_Random() % 4]));
    memcpy(to, &significand, 8);
    memcpy(to + 8, &head, 2);
}

void Native_RandomX87(NativeState *state, bool masked) {
    memset(state, 0, sizeof *state);
    MachineVectors *vectors = &state->vectors;
    const unsigned masks = masked ? 0x3F : (unsigned)Native_Random() & 0x3Fu;
    static const unsigned precisions[4] = {0x000, 0x200, 0x300, 0x300};
    vectors->control =
        (uint16_t)(0x40u | masks | precisions[Native_Random() & 3] | (Native_Random() & 3) << 10);
    vectors->status = (uint16_t)(Native_Random() & 0x7F00);
    vectors->status |= (uint16_t)(Native_Random() & Native_Random() & masks);
    if (vectors->status & X87_INVALID && Native_Random() & 1)
        vectors->status |= X87_STACK;
    const uint64_t kind = Native_Random() % 4;
    vectors->tags = (uint8_t)(kind == 0 ? Native_Random() : kind == 1 ? 0x7Fu : 0xFFu);
    if (kind == 1) { /* leaves room for what is pushed */
        const unsigned empty = (Vectors_Top(vectors) + 7) & 7u;
        vectors->tags = (uint8_t) ~(1u << empty);
    }
    for (unsigned i = 0; i < 8; i++)
        Native_Random80(vectors->st[i]);
    vectors->mxcsr = 0x1F80;
    state->eflags = Native_Random() &
                    (MACHINE_CF | MACHINE_PF | MACHINE_AF | MACHINE_ZF | MACHINE_SF | MACHINE_OF);
    state->eax = Native_Random() & 0xFFFFFFFFu;
    for (unsigned i = 0; i < NATIVE_MEMORY; i += 8) {
        const uint64_t random = Native_Random();
        memcpy(state->memory + i, &random, sizeof random);
    }
}
