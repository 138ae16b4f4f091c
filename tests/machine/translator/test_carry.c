/* Tests that each form of instruction that the translator carries over leaves the same registers,
 * flags and memory as the interpreter does, which is written from the manuals and knows nothing of
 * the translator. */
#include "core/random.h"
#include "tests/machine/translator/guest.h"

#include <Zydis/Zydis.h>
#include <stdio.h>
#include <string.h>

#ifdef GUEST_HOST

/* The integer flags that both engines define. */
static void AssertSame(Guest *a, Guest *b, MachineStop stop, MachineStop expected, const char *name,
                       uint32_t ignored) {
    const MachineRegisters *x = &a->context.registers, *y = &b->context.registers;
    bool same = stop == expected && x->eip == y->eip && ((x->eflags ^ y->eflags) & ~ignored) == 0 &&
                memcmp(x->general, y->general, sizeof x->general) == 0 &&
                a->context.budget == b->context.budget;
    if (stop == MACHINE_STOP_FAULT && expected == stop)
        same = same && memcmp(&a->context.fault, &b->context.fault, sizeof(MachineFault)) == 0;
    static const uint32_t areas[] = {DATA, STACK};
    for (int i = 0; i < 2; i++)
        same = same && memcmp(MachineMemory_At(a->memory, areas[i]),
                              MachineMemory_At(b->memory, areas[i]), AREA) == 0;
    if (same)
        return;
    print_message("%s: stop %d (interpreter: %d)\n", name, (int)stop, (int)expected);
    for (int i = 0; i < 8; i++)
        print_message("  general %d %08x %08x\n", i, x->general[i], y->general[i]);
    print_message("  eip %08x %08x\n  eflags %08x %08x\n  budget %llu %llu\n", x->eip, y->eip,
                  x->eflags, y->eflags, (unsigned long long)a->context.budget,
                  (unsigned long long)b->context.budget);
    const MachineFault *f = &a->context.fault, *g = &b->context.fault;
    print_message("  fault %08x at %08x, %u %08x\n  fault %08x at %08x, %u %08x\n", f->code,
                  f->address, f->access, f->target, g->code, g->address, g->access, g->target);
    fail_msg("%s differs from the interpreter", name);
}

static Guest *translated, *interpreted;

static int SetUp(void **state) {
    (void)state;
    translated = Guest_Create(true);
    interpreted = Guest_Create(false);
    return 0;
}

static int TearDown(void **state) {
    (void)state;
    Guest_Destroy(translated);
    Guest_Destroy(interpreted);
    return 0;
}

static void Compare(const char *name, const uint8_t *code, const uint8_t *end) {
    static const uint32_t flags[] = {0, EVERY_FLAG, MACHINE_CF, MACHINE_ZF | MACHINE_PF,
                                     MACHINE_DF | MACHINE_SF};
    Guest_Put(translated, CODE, code, (size_t)(end - code));
    Guest_Put(interpreted, CODE, code, (size_t)(end - code));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        Guest_Reset(translated);
        Guest_Reset(interpreted);
        translated->context.registers.eflags = interpreted->context.registers.eflags = flags[i];
        MachineStop stop = Guest_Run(translated), expected = Guest_Run(interpreted);
        AssertSame(translated, interpreted, stop, expected, name, 0);
    }
}

/* Code of a guest, and a test that compares what it leaves. */
#define COMPARED(name, ...)                                                                        \
    GUEST_CODE(name, __VA_ARGS__);                                                                 \
    TEST(test_##name##_leaves_what_the_interpreter_leaves) {                                       \
        Compare(#name, name, name##_end);                                                          \
    }

/* ---- the stack ---- */

COMPARED(
    push_registers,
    "push eax\npush ecx\npush esp\npush ebp\npush 0x12345678\npush -3\n"
    "push dword ptr [esi]\npush dword ptr [esp+4]\npush dword ptr [0x200010]\nadd esp, 36\nret")
COMPARED(pop_forms,
         "push eax\npush ebx\npush ecx\npush esi\npush edi\npop edx\npop dword ptr [esi+8]\n"
         "pop dword ptr [esp+8]\npop dword ptr [0x200020]\npop ecx\nret")
COMPARED(pop_esp, "push ebp\nmov ebp, esp\npush ebp\npop esp\npop ebp\nret")
COMPARED(pop_esp_long, "push ebp\nmov ebp, esp\npush ebp\n.byte 0x8F, 0xC4\npop ebp\nret")
COMPARED(pop_to_esp_based,
         "push 1\npush 2\npush 3\npop dword ptr [esp]\npop dword ptr [esp+ecx*4]\npop eax\nret")
COMPARED(push_all, "pushad\nmov [esi], esp\npopad\npushad\nadd dword ptr [esp+12], 8\n"
                   "inc dword ptr [esp+28]\npopad\nret")
COMPARED(push_flags,
         "pushfd\npop dword ptr [esi]\npush 0xED5\npopfd\npushfd\npop eax\npush 0x202\npopfd\n"
         "ret")
COMPARED(flag_of_cpuid, "pushfd\npop eax\nmov ecx, eax\nxor eax, 0x200000\npush eax\npopfd\n"
                        "pushfd\npop eax\nxor eax, ecx\nxor eax, eax\nret")
COMPARED(frames, "enter 0x20, 0\nmov [ebp-4], eax\nleave\nenter 0x20, 2\nmov [ebp-4], edx\n"
                 "leave\npush ebp\nmov ebp, esp\nsub esp, 0x40\nmov esp, ebp\npop ebp\nret")
COMPARED(short_operands, "push ax\npush cx\npop dx\npop dword ptr [esi]\nret")

/* ---- transfers of control ---- */

COMPARED(call_and_return, "call 1f\nmov [esi], eax\ncall 2f\njmp 3f\n1: lea eax, [eax+5]\nret\n"
                          "2: push eax\npush ecx\ncall 4f\nret\n4: ret 8\n3: ret")
COMPARED(
    call_indirect,
    "call 1f\n1: pop ebx\n" AT(
        "lea 2f-1b(%ebx), %eax") "call eax\nmov [esi], eax\n"
                                 "call [esi]\npush eax\ncall [esp]\nadd esp, 4\n" AT(
                                     "lea 3f-1b(%ebx), %edx") ""
                                                              "mov [0x200300], edx\njmp "
                                                              "[0x200300]\nud2\n2: lea ecx, "
                                                              "[ecx+1]\nret\n"
                                                              "3: push edx\n" AT(
                                                                  "lea 4f-1b(%ebx), %edx") "mov "
                                                                                           "[esp], "
                                                                                           "edx\nre"
                                                                                           "t\n4: "
                                                                                           "ret")
COMPARED(conditions, "mov edx, 0\n.irp c, o, no, b, ae, e, ne, be, a, s, ns, p, np, l, ge, le, g\n"
                     "j\\c 1f\nlea edx, [edx*2]\njmp 2f\n1: lea edx, [edx*2+1]\n2:\n.endr\n"
                     "mov [esi], edx\nret")
COMPARED(far_conditions, "mov edx, 0\n.irp c, o, no, b, ae, e, ne, be, a, s, ns, p, np, l, ge, le\n"
                         "j\\c 1f\n.skip 200, 0x90\n1: lea edx, [edx*2+1]\n.endr\nret")
COMPARED(counted, "mov ecx, 5\n1: lea eax, [eax+3]\nloop 1b\njecxz 2f\nud2\n2: mov ecx, 4\n"
                  "3: cmp ecx, 3\nloopne 3b\nmov [esi], ecx\nmov ecx, 4\n4: cmp ecx, ecx\n"
                  "loope 4b\nmov [esi+4], ecx\ninc ecx\njecxz 5f\nlea edx, [edx+1]\n5: ret")
COMPARED(short_counted, "mov ecx, 0x10003\n1: lea eax, [eax+1]\n.byte 0x67, 0xE2, 0xFA\n"
                        ".byte 0x67, 0xE3, 0x02\nud2\nret")
COMPARED(long_run, ".rept 300\nadd eax, edx\nadc edx, [esi]\n.endr\nret")
COMPARED(flags_live_across, "call 1f\nsetc [esi]\nseto [esi+1]\nsetz [esi+2]\nsets [esi+3]\n"
                            "setp [esi+4]\nlahf\nmov [esi+8], eax\njmp 3f\n1: push ebx\npop ebx\n"
                            "call 2f\nret\n2: mov edx, [esi]\nret\n3: ret")

/* ---- addresses ---- */

COMPARED(addresses, "mov eax, [0x200004]\nmov edx, [0x200008]\nadd eax, [esi+ecx*4-8]\n"
                    "mov ebx, 0x80000000\nmov edi, [ebx*2+0x200010]\nlea edx, [ebx+ebx*2+7]\n"
                    "mov [esi+ebx*2], edi\nmov al, [0x200003]\nmov [0x200033], al\n"
                    "mov [0x200037], eax\nmov ax, [0x200001]\nmov [0x200041], ax\n"
                    "lea ecx, [0x12345678]\nlea edi, [ecx*8]\nlea di, [esi+2]\n"
                    "imul eax, [0x200004], 77\nmov dword ptr [0x200050], 0x55667788\n"
                    "cmp byte ptr [0x200051], 0x77\nmov eax, [esp]\nmov edx, [esp+4]\nret")
COMPARED(wrapped, "mov ebx, 0xFFFFFFF0\nmov eax, [ebx+0x200010]\nmov edx, [esi-0x200000+0x200000]\n"
                  "mov edi, 0xFFE00000\nmov ecx, [edi+0x400004]\nlea eax, [edi+edi]\n"
                  "mov dword ptr [ebx+0x200020], 9\nret")
COMPARED(
    thread_block,
    "mov eax, fs:[0]\nmov edx, fs:[0x18]\nmov ecx, fs:[esi-0x200000]\n"
    "mov fs:[0x20], ecx\npush dword ptr fs:[0]\npop dword ptr fs:[4]\nadd fs:[8], eax\n"
    "mov ebx, 8\nmov edi, fs:[ebx+ebx*2]\nmov al, fs:[ebx]\nmov fs:[0x24], eax\n"
    ".byte 0x64, 0x8D, 0x2B\nmov ecx, fs:[0x20]\nmov [esi], ecx\npush dword ptr fs:[8]\npop ecx\n"
    "ret")
COMPARED(other_segments, "mov eax, ds:[esi]\nmov edx, es:[edi]\nmov ecx, cs:[0x100000]\n"
                         "mov ebx, ss:[esp]\nret")
COMPARED(short_addresses, "mov bx, 0x10\nmov dword ptr [esi], 1\naddr16 lea ax, [bx+5]\nret")
COMPARED(bits, "bt [esi], ecx\nbts [esi], edx\nmov eax, -70\nbtr [esi], eax\nbtc edx, ecx\n"
               "bt dword ptr [esi+4], 37\nbts word ptr [esi], 3\nsbb eax, eax\nret")

/* ---- other forms ---- */

COMPARED(counting, "inc eax\ninc ecx\ndec edx\ninc esp\ndec esp\ndec ebp\ninc ebp\ninc si\n"
                   "dec di\ninc byte ptr [esi]\ndec dword ptr [edi]\nret")
COMPARED(aliases, ".byte 0x82, 0xC0, 0x05\n.byte 0x82, 0x2E, 0x07\n.byte 0x82, 0xD1, 0xF0\nret")
COMPARED(old_ones,
         "mov al, 0x79\nadd al, 0x35\ndaa\nmov dl, al\nsub al, 0x48\ndas\nmov [esi], eax\n"
         "mov eax, 0x0105\naam\nmov [esi+4], eax\naad\nmov [esi+8], eax\n"
         ".byte 0xD6\nmov [esi+12], eax\nxor eax, eax\nret")
COMPARED(swaps, "xchg eax, ecx\nxchg edx, [esi]\nlock xadd [esi], eax\nxadd edx, edx\n"
                "lock cmpxchg [esi], ecx\nbswap ebx\nxchg ah, al\ncmpxchg8b [edi]\nnop\npause\n"
                "xchg esp, ebx\nxchg esp, ebx\ncmovb eax, [edi]\nlock inc dword ptr [edi]\nret")
COMPARED(rep_on_others, ".byte 0xF3, 0x0F, 0xBC, 0xC2\ntest eax, eax\n.byte 0xF3\nret")
COMPARED(translation, "mov ebx, esi\nmov al, 7\nxlatb\nmov ah, al\nxlatb\nret")
COMPARED(flag_bits, "lahf\nmov [esi], eax\ncmc\nsahf\nstc\nclc\nstd\ncld\nmov ah, 0xD5\nsahf\nret")
COMPARED(widths,
         "movsx eax, cl\nmovzx edx, word ptr [esi]\ncwde\ncdq\nmov al, 0x80\ncbw\ncwd\n"
         "mov ah, dl\nadd ch, bh\nshld eax, edx, 5\nshrd [esi], eax, cl\nneg dword ptr [edi]\n"
         "not ebx\nror eax, cl\nret")
COMPARED(multiply, "mul ecx\nmov edx, 1\nmov ecx, 77\ndiv ecx\nimul eax, edx\nmov edx, -1\n"
                   "mov eax, -1000\nidiv ecx\nmov ax, 999\ndiv cl\nxor ecx, ecx\nret")

/* ---- strings ---- */

COMPARED(strings_once, "movsb\nmovsw\nmovsd\nstosb\nstosw\nstosd\nlodsb\nlodsw\nlodsd\nscasb\n"
                       "pushfd\nscasw\nscasd\npushfd\ncmpsb\npushfd\ncmpsw\ncmpsd\npushfd\n"
                       "add esp, 16\nret")
COMPARED(strings_repeated, "mov ecx, 7\nrep movsb\nmov ecx, 5\nrep movsw\nmov ecx, 9\nrep movsd\n"
                           "rep movsd\nmov ecx, 6\nrep stosb\nmov ecx, 5\nrep stosw\nmov ecx, 4\n"
                           "rep stosd\nmov ecx, 3\nrep lodsd\nmov ecx, 3\nrepne movsb\nret")
COMPARED(strings_overlap, "lea edi, [esi+1]\nmov ecx, 50\nrep movsb\nret")
COMPARED(strings_compared, "mov ecx, 20\nrep movsb\nsub esi, 20\nsub edi, 20\nmov ecx, 30\n"
                           "repe cmpsb\npushfd\nmov [0x200600], ecx\nmov ecx, 8\nrepne cmpsd\n"
                           "pushfd\nmov ecx, 0\nrepe cmpsb\npushfd\nmov al, [edi+9]\nmov ecx, -1\n"
                           "repne scasb\npushfd\nmov ecx, 4\nmov eax, [edi]\nrepe scasd\npushfd\n"
                           "mov ecx, 4\nrepne scasw\npushfd\nadd esp, 24\nret")
COMPARED(length_of_string, "mov byte ptr [esi+30], 0\nmov edi, esi\nxor eax, eax\nor ecx, -1\n"
                           "cld\nrepne scasb\nnot ecx\ndec ecx\nret")
COMPARED(strings_of_block, "mov esi, 16\nfs lodsd\nmov [0x200600], eax\nfs movsd\nret")
COMPARED(strings_fault, "mov edi, 0x203FF0\nmov ecx, 30\nrep stosb\nret")
COMPARED(strings_fault_compare, "mov edi, 0x203FF0\nmov esi, edi\nmov ecx, 30\ncmp ecx, 31\n"
                                "repe cmpsb\nret")
GUEST_CODE(strings_long, "mov ecx, -1\nmov edi, esi\n1: mov ecx, 3\nrep stosb\njmp 1b");
GUEST_CODE(strings_endless, "cld\nmov ecx, 2000000\n1: mov edi, esi\nmov ecx, 4000\nmov eax, 1\n"
                            "rep stosb\nmov ecx, 4000\nsub edi, ecx\nrepe scasb\njmp 1b");

/* Whichever instruction uses up the budget, the state is that of the interpreter. */
TEST(BudgetEndsAtEachInstructionExactly) {
    static const struct {
        const char *name;
        const uint8_t *code, *end;
        uint64_t first, last, step;
    } rows[] = {
        {"long_run", long_run, long_run_end, 0, 200, 1},
        {"call_indirect", call_indirect, call_indirect_end, 0, 40, 1},
        {"strings_repeated", strings_repeated, strings_repeated_end, 0, 70, 1},
        {"strings_compared", strings_compared, strings_compared_end, 0, 90, 1},
        {"strings_long", strings_long, strings_long_end, 0, 3000, 77},
        {"strings_endless", strings_endless, strings_endless_end, 0, 30000, 1711},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Guest_Put(translated, CODE, rows[i].code, (size_t)(rows[i].end - rows[i].code));
        Guest_Put(interpreted, CODE, rows[i].code, (size_t)(rows[i].end - rows[i].code));
        for (uint64_t budget = rows[i].first; budget < rows[i].last; budget += rows[i].step) {
            Guest_Reset(translated);
            Guest_Reset(interpreted);
            translated->context.budget = interpreted->context.budget = budget;
            MachineStop stop = Guest_Run(translated), expected = Guest_Run(interpreted);
            AssertSame(translated, interpreted, stop, expected, rows[i].name, 0);
        }
    }
}

/* ---- any instruction ---- */

static uint32_t Random(uint64_t *seed) {
    return (uint32_t)(Random_Lcg64(seed) >> 33);
}

/* Returns whether an instruction takes part in the random tests of integers. The result of SHLD and
 * SHRD with 16 bits is undefined for counts above 16. */
static bool IsInteger(const ZydisDecodedInstruction *zydis) {
    switch (zydis->meta.isa_set) {
    case ZYDIS_ISA_SET_I386:
        if ((zydis->mnemonic == ZYDIS_MNEMONIC_SHLD || zydis->mnemonic == ZYDIS_MNEMONIC_SHRD) &&
            zydis->operand_width == 16)
            return false;
        return true;
    case ZYDIS_ISA_SET_I86:
    case ZYDIS_ISA_SET_I186:
    case ZYDIS_ISA_SET_I486REAL:
    case ZYDIS_ISA_SET_LAHF:
    case ZYDIS_ISA_SET_CMOV:
    case ZYDIS_ISA_SET_FAT_NOP:
    case ZYDIS_ISA_SET_PENTIUMREAL:
        return true;
    default:
        return false;
    }
}

/* Returns whether an instruction takes part in the random tests of vectors. FNSAVE and FNSTENV
 * store addresses of instructions, which not every processor keeps. */
static bool IsVector(const ZydisDecodedInstruction *zydis) {
    if (zydis->mnemonic == ZYDIS_MNEMONIC_FNSAVE || zydis->mnemonic == ZYDIS_MNEMONIC_FNSTENV)
        return false;
    switch (zydis->meta.isa_set) {
    case ZYDIS_ISA_SET_X87:
    case ZYDIS_ISA_SET_FCMOV:
    case ZYDIS_ISA_SET_PPRO:
    case ZYDIS_ISA_SET_PENTIUMMMX:
    case ZYDIS_ISA_SET_SSE:
    case ZYDIS_ISA_SET_SSE2:
    case ZYDIS_ISA_SET_SSE2MMX:
    case ZYDIS_ISA_SET_SSEMXCSR:
        return true;
    default:
        return false;
    }
}

/* Fills all registers with numbers of medium size. */
static void FillVectors(MachineVectors *vectors, uint64_t *seed) {
    static const uint16_t controls[] = {0x037F, 0x027F, 0x007F, 0x0C7F, 0x0B7F};
    vectors->control = controls[Random(seed) % 5];
    vectors->status = (uint16_t)(Random(seed) % 8 << 11);
    vectors->tags = (uint8_t)(Random(seed) | Random(seed));
    vectors->mxcsr = 0x1F80 | Random(seed) % 4 << 13;
    for (int i = 0; i < 8; i++) {
        uint64_t mantissa = (uint64_t)Random(seed) << 33 | Random(seed) | 1ull << 63;
        uint16_t exponent =
            (uint16_t)((Random(seed) % 2) << 15 | (0x3FFF - 20 + Random(seed) % 40));
        memcpy(vectors->st[i], &mantissa, 8);
        memcpy(vectors->st[i] + 8, &exponent, 2);
        for (int j = 0; j < 4; j++) {
            uint32_t number = Random(seed) % 2 << 31 | (0x3F000000 + Random(seed) % 0x02000000);
            memcpy(vectors->xmm[i] + 4 * j, &number, 4);
        }
    }
}

static bool SameVectors(const MachineVectors *a, const MachineVectors *b) {
    bool same = a->control == b->control && a->status == b->status && a->tags == b->tags &&
                a->mxcsr == b->mxcsr && memcmp(a->xmm, b->xmm, sizeof a->xmm) == 0;
    for (int i = 0; i < 8; i++)
        same = same && memcmp(a->st[i], b->st[i], 10) == 0;
    return same;
}

/* Returns the vectors with register 0 as the top of the stack. Makers differ here: when the access
 * of an MMX instruction faults, Intel's processors have already made register 0 the top of the
 * stack. AMD's, and the interpreter, have not. */
static MachineVectors WithTopAtZero(const MachineVectors *vectors) {
    MachineVectors turned = *vectors;
    const unsigned top = vectors->status >> 11 & 7;
    for (unsigned i = 0; i < 8; i++)
        memcpy(turned.st[i], vectors->st[(i - top) & 7], sizeof turned.st[i]);
    turned.status &= (uint16_t)~0x3800u;
    return turned;
}

/* Compares random bytes, most of which are an instruction of the wanted kind, with registers that
 * mostly point into the data. */
static void CompareByChance(bool (*is_wanted)(const ZydisDecodedInstruction *), unsigned rounds,
                            const uint8_t *openings, size_t opening_count) {
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
    uint64_t seed = 20011028;
    unsigned executed = 0;
    for (unsigned round = 0; round < rounds; round++) {
        uint8_t code[48];
        for (size_t i = 0; i < sizeof code; i++)
            code[i] = (uint8_t)Random(&seed);
        unsigned at = 0;
        static const uint8_t prefixes[] = {0x66, 0xF3, 0xF2, 0x64, 0xF0, 0x67, 0x2E, 0x26};
        if (Random(&seed) % 4 == 0)
            code[at++] = prefixes[Random(&seed) % sizeof prefixes];
        if (Random(&seed) % 4 == 0)
            code[at] = openings[Random(&seed) % opening_count];
        ZydisDecodedInstruction zydis;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, 15, &zydis, operands)) ||
            !is_wanted(&zydis))
            continue;
        /* The next instruction is one for the interpreter, which ends the block, so that a budget
         * of one is enough for the block. */
        code[zydis.length] = 0xCC;
        uint32_t general[8];
        for (int i = 0; i < 8; i++)
            general[i] = Random(&seed) % 4 ? DATA + 0x2000 + Random(&seed) % 0x200
                                           : Random(&seed) * 2 + Random(&seed) % 2;
        general[MACHINE_ESP] = TOP - Random(&seed) % 64;
        if (Random(&seed) % 2)
            general[MACHINE_ECX] %= 40;
        uint32_t flags = Random(&seed) & (EVERY_FLAG | (Random(&seed) % 8 ? 0 : MACHINE_DF));
        MachineVectors vectors = translated->context.registers.vectors;
        FillVectors(&vectors, &seed);

        Guest *guests[] = {translated, interpreted};
        MachineStop stops[2];
        for (int i = 0; i < 2; i++) {
            Guest_Put(guests[i], CODE, code, sizeof code);
            if (executed % 64 == 0)
                Guest_Reset(guests[i]);
            MachineContext *context = &guests[i]->context;
            memcpy(context->registers.general, general, sizeof general);
            context->registers.vectors = vectors;
            context->registers.eflags = flags;
            context->registers.eip = CODE;
            context->budget = zydis.attributes & ZYDIS_ATTRIB_HAS_REP ? 50 : 1;
            context->fault = (MachineFault){0};
            stops[i] = Guest_Run(guests[i]);
        }
        char name[128];
        int length = 0;
        for (unsigned i = 0; i < zydis.length; i++)
            length += snprintf(name + length, sizeof name - (size_t)length, "%02x ", code[i]);
        snprintf(name + length, sizeof name - (size_t)length, "%s",
                 ZydisMnemonicGetString(zydis.mnemonic));
        AssertSame(translated, interpreted, stops[0], stops[1], name,
                   zydis.cpu_flags ? zydis.cpu_flags->undefined : 0);
        const MachineVectors *found = &translated->context.registers.vectors;
        const MachineVectors *expected = &interpreted->context.registers.vectors;
        const MachineVectors of_intel = WithTopAtZero(expected);
        const bool faulted = translated->context.fault.code == MACHINE_ACCESS_VIOLATION;
        if (!SameVectors(found, expected) && !(faulted && SameVectors(found, &of_intel)))
            fail_msg("%s leaves other vectors than in the interpreter", name);
        executed++;
    }
    assert_true(executed > rounds / 5);
}

TEST(AnyIntegerInstructionLeavesWhatTheInterpreterLeaves) {
    static const uint8_t openings[] = {0x0F};
    CompareByChance(IsInteger, 12000, openings, sizeof openings);
}

TEST(AnyVectorInstructionLeavesWhatTheInterpreterLeaves) {
    static const uint8_t openings[] = {0x0F, 0xD8, 0xD9, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF};
    CompareByChance(IsVector, 12000, openings, sizeof openings);
}

AROUND_ALL(SetUp, TearDown)
#else

int main(void) {
    return 0;
}

#endif
