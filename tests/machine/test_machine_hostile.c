/* Tests with code and with DLLs that are meant to do harm. Each must end as the outcome of its
 * call, in bounded time and memory, and the machine and the process around it must go on. */
#include "builder.h"
#include "tests/machine/fixture.h"

#include "core/bytes.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <signal.h>
#endif

#define CODE       0x10000000u /* the guest may read, write and execute it */
#define CODE_BYTES 0x10000u
#define BENIGN     (CODE + 0xF000u)
#define DATA       0x30000000u /* pages that belong to the guest */
#define HOSTS      0x38000000u /* pages of the machine's owner, who writes to them without asking */
#define PLENTY     1000000u    /* counted in instructions */
#define MOST       (256u << 20)

static Built built;

/* fld1; fld1; faddp; fistp [DATA]; mov eax,[DATA]; imul eax,21; ret */
static const char benign[] = "D9 E8 D9 E8 DE C1 DB 1D $30000000 A1 $30000000 6B C0 15 C3";

static void Prepare(void) {
    Built_Init(&built, 0x20000000);
}

const MachineFixture machine_fixture = {
    .options = {.most_memory = MOST,
                .stack_bytes = 0x10000,
                .load_budget = PLENTY,
                .force_cpu = -1},
    .regions = {{CODE, CODE_BYTES, MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE},
                {DATA, 0x10000, MACHINE_READ | MACHINE_WRITE},
                {HOSTS, 0x10000, MACHINE_READ}},
    .prepare = Prepare};

/* Those parts of the state of the host's thread that code of a guest could change. */
typedef struct HostState {
    fenv_t floats;
    int rounding;
#ifdef __linux__
    sigset_t signals;
#endif
#ifdef __x86_64__
    uint64_t flags;
#endif
} HostState;

static HostState StateOfHost(void) {
    HostState now;
    memset(&now, 0, sizeof now);
    fegetenv(&now.floats);
    now.rounding = fegetround();
#ifdef __linux__
    sigprocmask(SIG_SETMASK, NULL, &now.signals);
#endif
#ifdef __x86_64__
    __asm__ volatile("pushfq\n\tpopq %0" : "=r"(now.flags));
    now.flags &= 0x40500; /* AC, DF and TF */
#endif
    return now;
}

/* Runs code, and demands that neither the host nor the next call notices anything. */
static MachineResult Run(const char *code, uint64_t budget) {
    const HostState before = StateOfHost();
    PutCode(CODE, code);
    MachineResult result = CallAt(CODE, budget);
    const MachineContext after = *Machine_Context(machine);
    const HostState now = StateOfHost();
#if defined(__x86_64__) && defined(__linux__)
    assert_int_equal(before.floats.__control_word, now.floats.__control_word);
    assert_int_equal(before.floats.__mxcsr & 0xFFC0, now.floats.__mxcsr & 0xFFC0);
    assert_int_equal(now.floats.__tags, 0xFFFF);
    assert_int_equal(before.flags, now.flags);
#endif
#ifdef __linux__
    assert_memory_equal(&before.signals, &now.signals, sizeof now.signals);
#endif
    assert_int_equal(before.rounding, now.rounding);

    PutCode(BENIGN, benign);
    MachineResult next = CallAt(BENIGN, 100);
    assert_int_equal(next.end, MACHINE_RETURNED);
    assert_int_equal(Register(MACHINE_EAX), 42);
    assert_int_equal(Get(Machine_Process(machine)->thread_block), 0xFFFFFFFF);
    *Machine_Context(machine) = after;
    return result;
}

static void Faults(const char *code, uint32_t fault) {
    MachineResult result = Run(code, PLENTY);
    if (result.end != MACHINE_FAULTED)
        fail_msg("%s: ended as %d, with %s", code, (int)result.end, result.reason);
    if (fault != Machine_Context(machine)->fault.code)
        fail_msg("%s: 0x%08X", code, Machine_Context(machine)->fault.code);
}

static uint32_t Returns(const char *code) {
    MachineResult result = Run(code, PLENTY);
    if (result.end != MACHINE_RETURNED)
        fail_msg("%s: ended as %d, with %s, 0x%08X at 0x%08X, 0x%08X", code, (int)result.end,
                 result.reason, Machine_Context(machine)->fault.code,
                 Machine_Context(machine)->fault.address, Machine_Context(machine)->fault.target);
    return Register(MACHINE_EAX);
}

/* ---- the flow of control --------------------------------------------------------------------- */

TEST_IN_BOTH(CodeWithoutAnEndTimesOut) {
    static const char *const endless[] = {
        "1: EB ^1",                            /* jmp 1 */
        "1: E8 $00000000 58 EB ^1",            /* call 2; 2: pop eax; jmp 1 */
        "1: B9 $FFFFFFFF 2: E2 ^2 EB ^1",      /* loop, as long as it can, for ever */
        "1: B9 $FFFFFFFF F2 90 E3 ^1 EB ^1",   /* a repeated nop */
        "1: BF $30000000 31 C9 F3 A6 EB ^1",   /* rep cmpsb of nothing */
        "1: FF 25 $10000100",                  /* jmp [CODE+100h], which leads back */
        "68 $10000000 C3",                     /* push CODE; ret */
        "1: B8 @GetTickCount FF D0 EB ^1",     /* a function of Windows, for ever */
        "1: 66 90 F2 EB ^1",                   /* instructions with prefixes that have no effect */
        "1: 0F A2 0F 31 EB ^1",                /* cpuid; rdtsc */
        "1: 9B DB E3 D9 EB D9 FE DD D8 EB ^1", /* sines, for ever */
    };
    PutCode(CODE + 0x100, "$10000000");
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        MachineResult result = Run(endless[i], PLENTY);
        if (result.end != MACHINE_TIMED_OUT)
            fail_msg("%s: ended as %d", endless[i], (int)result.end);
        assert_int_equal(Machine_Context(machine)->budget, 0);
    }
    /* One instruction that repeats itself four thousand million times counts as that many. */
    assert_true(MachineMemory_Map(Machine_Memory(machine), 0x40000000, 0x4000000, 3));
    MachineResult result = Run("B9 $FFFFFFFF BF $40000000 F3 AA C3", PLENTY);
    assert_int_equal(result.end, MACHINE_TIMED_OUT);
}

TEST_IN_BOTH(RecursionOverflowsTheStack) {
    static const char *const rows[] = {
        "E8 $FFFFFFFB",                  /* call itself */
        "1: 60 EB ^1",                   /* pusha, for ever */
        "89 E5 1: C8 00 10 1F EB ^1",    /* enter 1000h,31 */
        "1: 81 EC $00001000 50 EB ^1",   /* page by page, as a probe does */
        "1: 54 5C 54 C8 00 02 00 EB ^1", /* push esp; pop esp; push esp; enter 200h,0 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        Faults(rows[i], MACHINE_STACK_OVERFLOW);
    /* the address is far below the stack */
    Faults("81 EC $10000000 50", MACHINE_ACCESS_VIOLATION);
}

/* An instruction may begin within another one, and then both are code. */
TEST_IN_BOTH(JumpsLeadIntoInstructions) {
    assert_int_equal(Returns("31 C0 EB FF C0 C3"), 1);
    /* mov eax,0C3404040h: called once, and called once more from its second byte on */
    assert_int_equal(Returns("E8 $00000006 E8 $00000002 C3 B8 40 40 40 C3 C3"), 0xC3404043);
    Faults("EB 01 B8 0F 0B", MACHINE_ILLEGAL);
}

TEST_IN_BOTH(WildTargetsAreAccessViolations) {
    static const struct {
        const char *code;
        uint32_t target;
    } rows[] = {
        {"31 C0 FF E0", 0},
        {"B8 $0000FFFF FF E0", 0xFFFF},
        {"68 $12345678 C3", 0x12345678},
        {"B8 $FFFFFFFF FF E0", 0xFFFFFFFF},
        {"B8 $FFEFFFFF FF D0", 0xFFEFFFFF}, /* just in front of the gates */
        {"B8 $30000000 FF E0", 0x30000000}, /* data */
        {"B8 $7FFDE000 FF E0", 0x7FFDE000}, /* the thread's block */
        {"66 E9 00 10", 0x1004},            /* a jump of 16 bits cuts the address */
        {"FF 25 $30000100", 0},             /* through a null pointer */
        {"C2 FF FF", 0},                    /* see the call below */
    };
    for (size_t i = 0; i + 1 < sizeof rows / sizeof *rows; i++) {
        Faults(rows[i].code, MACHINE_ACCESS_VIOLATION);
        assert_int_equal(Machine_Context(machine)->fault.target, rows[i].target);
    }
    /* the last byte of the last page of code, whose instruction goes on behind it */
    PutCode(CODE + CODE_BYTES - 1, "B8");
    Faults("E9 FA FF 00 00", MACHINE_ACCESS_VIOLATION);
    assert_int_equal(Machine_Context(machine)->fault.target, CODE + CODE_BYTES);
    /* This return pops far more than there is, and leads to where the call came from, with a stack
     * pointer beyond the stack. */
    assert_int_equal(Run("C2 FF FF", PLENTY).end, MACHINE_RETURNED);
}

TEST_IN_BOTH(GatesCannotBeAbused) {
    char code[64];
    /* Each of the first gates is called, among them returns into calls that do not exist, and ends
     * of handlers. */
    for (uint32_t gate = 1; gate < 80; gate++) {
        snprintf(code, sizeof code, "B8 $%08X FF E0", MACHINE_GATES + gate * MACHINE_GATE_STEP);
        assert_int_equal(Run(code, PLENTY).end, MACHINE_FAULTED);
        snprintf(code, sizeof code, "31 E4 B8 $%08X FF E0",
                 MACHINE_GATES + gate * MACHINE_GATE_STEP);
        assert_int_equal(Run(code, PLENTY).end, MACHINE_FAULTED);
        snprintf(code, sizeof code, "BC $30008000 B8 $%08X FF E0",
                 MACHINE_GATES + gate * MACHINE_GATE_STEP);
        assert_int_equal(Run(code, PLENTY).end, MACHINE_FAULTED);
    }
    /* The gate of the call itself is a return only if the stack pointer is above the place where
     * the call began. */
    Faults("31 E4 B8 $FFF00000 FF E0", MACHINE_ACCESS_VIOLATION);
    Faults("8B 04 25 $FFF00000", MACHINE_ACCESS_VIOLATION); /* gates have no bytes */
}

/* ---- instructions that user code does not have ----------------------------------------------- */

TEST_IN_BOTH(PrivilegedAndUnknownInstructionsFault) {
    static const struct {
        const char *code;
        uint32_t fault;
    } rows[] = {
        {"F4", MACHINE_PRIVILEGED},                 /* hlt */
        {"FA", MACHINE_PRIVILEGED},                 /* cli */
        {"FB", MACHINE_PRIVILEGED},                 /* sti */
        {"EC", MACHINE_PRIVILEGED},                 /* in al,dx */
        {"E4 60", MACHINE_PRIVILEGED},              /* in al,60h */
        {"EE", MACHINE_PRIVILEGED},                 /* out dx,al */
        {"6C", MACHINE_PRIVILEGED},                 /* insb */
        {"F3 6F", MACHINE_PRIVILEGED},              /* rep outsd */
        {"0F 20 C0", MACHINE_PRIVILEGED},           /* mov eax,cr0 */
        {"0F 22 C0", MACHINE_PRIVILEGED},           /* mov cr0,eax */
        {"0F 23 F8", MACHINE_PRIVILEGED},           /* mov dr7,eax */
        {"0F 30", MACHINE_PRIVILEGED},              /* wrmsr */
        {"0F 32", MACHINE_PRIVILEGED},              /* rdmsr */
        {"0F 06", MACHINE_PRIVILEGED},              /* clts */
        {"0F 08", MACHINE_PRIVILEGED},              /* invd */
        {"0F 09", MACHINE_PRIVILEGED},              /* wbinvd */
        {"0F 01 15 $30000000", MACHINE_PRIVILEGED}, /* lgdt */
        {"0F 01 1D $30000000", MACHINE_PRIVILEGED}, /* lidt */
        {"0F 01 F0", MACHINE_PRIVILEGED},           /* lmsw ax */
        {"0F 00 D0", MACHINE_PRIVILEGED},           /* lldt ax */
        {"0F 01 3D $30000000", MACHINE_PRIVILEGED}, /* invlpg */
        {"CC", MACHINE_BREAKPOINT},                 /* int3 */
        {"0F 0B", MACHINE_ILLEGAL},                 /* ud2 */
        {"0F FF C0", MACHINE_ILLEGAL},              /* ud0 */
        {"0F 05", MACHINE_ILLEGAL},                 /* syscall */
        {"F0 90", MACHINE_ILLEGAL},                 /* lock nop */
        {"F0 01 C0", MACHINE_ILLEGAL},              /* lock add eax,eax */
        {"0F C7 C8", MACHINE_ILLEGAL},              /* cmpxchg8b of a register */
        {"C5 F8 77", MACHINE_ILLEGAL},              /* vzeroupper, or lds of a register */
        {"C4 E2 79 18 00", MACHINE_ILLEGAL},        /* vbroadcastss */
        {"62 F1 7C 48 58 C0", MACHINE_ILLEGAL},     /* vaddps zmm */
        {"66 0F 38 00 C0", MACHINE_ILLEGAL},        /* pshufb */
        {"0F C7 F0", MACHINE_ILLEGAL},              /* rdrand */
        {"0F AE E8 0F 01 D0", MACHINE_ILLEGAL},     /* lfence; xgetbv */
        {"FE F8", MACHINE_ILLEGAL},                 /* no instruction at all */
        {"D9 D1", MACHINE_ILLEGAL},                 /* none of the x87 */
        {"66 66 66 66 66 66 66 66 66 66 66 66 66 66 66 90", MACHINE_ACCESS_VIOLATION},
        {"8B 04 25 $FFFFFFFD", MACHINE_ACCESS_VIOLATION}, /* across the end of the address space */
        {"A1 $FFFFFFFF", MACHINE_ACCESS_VIOLATION},       /* across the end of the address space */
        {"64 A1 $FFFFFFFF", MACHINE_ACCESS_VIOLATION},    /* across the end, relative to FS */
        {"0F 28 05 $30000001", MACHINE_ACCESS_VIOLATION}, /* movaps, misaligned */
        {"0F AE 05 $FFFFFFF0", MACHINE_ACCESS_VIOLATION}, /* fxsave across the end */
        {"0F AE 0D $30000008", MACHINE_ACCESS_VIOLATION}, /* fxrstor, misaligned */
        {"DD 35 $3000FFFC", MACHINE_ACCESS_VIOLATION},    /* fnsave out of the page */
        {"31 C9 F7 F1", MACHINE_INTEGER_DIVIDE},          /* div ecx */
        {"99 31 C9 F7 F9", MACHINE_INTEGER_DIVIDE},       /* idiv ecx */
        {"31 C0 BA $80000000 83 C9 FF F7 F9", MACHINE_INTEGER_OVERFLOW}, /* −2^63/−1 */
        {"D4 00", MACHINE_INTEGER_DIVIDE},                               /* aam 0 */
        {"B0 7F 04 01 CE", MACHINE_INTEGER_OVERFLOW},                    /* into */
        {"BC $00000002 50", MACHINE_ACCESS_VIOLATION},                   /* push across 0 */
        {"31 E4 50", MACHINE_ACCESS_VIOLATION},                          /* push below 0 */
        {"BC $10008000 C3", MACHINE_ACCESS_VIOLATION},                   /* a stack of code */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        Faults(rows[i].code, rows[i].fault);
}

/* These end the call in one way or another, but in the same way under both engines. */
TEST_IN_BOTH(OddInstructionsEndTheCall) {
    static const char *const rows[] = {
        "CD 20",              /* int 20h */
        "CD 2E",              /* a system call of Windows */
        "CD 80",              /* a system call of Linux */
        "CD 03",              /* a breakpoint in two bytes */
        "CD 04",              /* an overflow */
        "F1",                 /* int1 */
        "0F 34",              /* sysenter */
        "0F AA",              /* rsm */
        "CF",                 /* iret */
        "CB",                 /* retf */
        "9A $10000000 1B 00", /* call far */
        "EA $10000000 33 00", /* jmp far, into 64-bit code */
        "FF 2D $30000000",    /* jmp far [] */
        "B8 $00000033 8E D8", /* mov ds,ax */
        "8E E0",              /* mov fs,ax */
        "8E D0",              /* mov ss,ax */
        "6A 2B 0F A9",        /* pop gs */
        "C4 05 $30000000",    /* les */
        "0F B2 25 $30000000", /* lss esp */
        "62 05 $30000000",    /* bound */
        "0F 00 D8",           /* ltr ax */
        "0F 01 C1",           /* vmcall */
        "0F 01 D5",           /* xend */
        "C7 F8 00 00 00 00",  /* xbegin */
        "0F 01 F9",           /* rdtscp */
        "0F 33",              /* rdpmc */
        "0F 37",              /* getsec */
        "F3 0F AE C0",        /* rdfsbase */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        MachineResult result = Run(rows[i], PLENTY);
        if (result.end != MACHINE_FAULTED && result.end != MACHINE_LACKS)
            fail_msg("%s: ended as %d", rows[i], (int)result.end);
    }
}

/* ---- state of the processor ------------------------------------------------------------------ */

TEST_IN_BOTH(NoStateOfTheProcessorLeaks) {
    static const char *const rows[] = {
        "FD C3",                                   /* std */
        "9C 81 0C 24 $00240000 9D C3",             /* AC and ID by popf */
        "9C 83 0C 24 FF 9D B8 $30000001 8B 00 C3", /* all flags, TF among them */
        "68 $00000C00 D9 2C 24 58 C3",             /* a control word without masks */
        "68 $00001F3F 0F AE 14 24 58 C3",          /* MXCSR likewise, rounding on */
        "68 $0000FFC0 0F AE 14 24 58 C3",          /* flush to zero, denormals are zeros */
        "D9 E8 D9 E8 D9 E8 D9 E8 D9 E8 D9 E8 D9 E8 D9 E8 C3", /* a full x87 */
        "0F 6E C0 C3",                                        /* MMX */
        "68 $00000360 D9 2C 24 58 D9 EE D9 E8 D8 F1 C3",      /* 1/0, waiting for its exception */
        "68 $00000000 D9 2C 24 58 D9 EE D9 FA D9 E8 D9 E0 D9 FA C3", /* sqrt(−1) likewise */
        "B9 $00000100 BF $30000000 F3 AB FC 8E C0 C3",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        MachineResult result = Run(rows[i], PLENTY);
        assert_true(result.end == MACHINE_RETURNED || result.end == MACHINE_FAULTED ||
                    result.end == MACHINE_LACKS);
    }
    /* reserved bits of MXCSR */
    Faults("68 $FFFFFFFF 0F AE 14 24", MACHINE_ACCESS_VIOLATION);
    /* The whole state that this code loads from memory has reserved bits, too. */
    Returns("BF $30000000 83 C8 FF B9 $00000080 F3 AB C7 05 $30000018 $00001F80 C7 05 "
            "$3000001C $0000FFBF 0F AE 0D $30000000 DB E3 31 C0 C3");
    Faults("BF $30000000 83 C8 FF B9 $00000080 F3 AB 0F AE 0D $30000000", MACHINE_ACCESS_VIOLATION);
    Returns("BF $30000000 83 C8 FF B9 $00000080 F3 AB DD 25 $30000000 DB E3 31 C0 C3");
    Returns("BF $30000000 83 C8 FF B9 $00000080 F3 AB D9 25 $30000000 DB E3 31 C0 C3");
    Faults("9C 81 0C 24 $00000100 9D 90 90", MACHINE_SINGLE_STEP);
}

/* ---- code that changes ----------------------------------------------------------------------- */

TEST_IN_BOTH(CodeThatChangesItselfIsWhatItBecame) {
    /* mov ecx,1000; 1: inc dword [imm]; mov eax,imm; dec ecx; jnz 1; ret */
    assert_int_equal(Returns("B9 $000003E8 1: FF 05 $1000000C B8 $00000000 49 75 ^1 C3"), 1000);
    /* the instruction behind the one that writes: mov byte [next+1],7; mov al,0 */
    assert_int_equal(Returns("31 C0 C6 05 $1000000A 07 B0 00 C3"), 7);
    /* rep movsb over itself: the rest of the block becomes what lies at CODE+200h */
    PutCode(CODE + 0x200, "F3 A4 B8 $00000063 C3");
    assert_int_equal(Returns("BE $10000200 BF $1000000F B9 $00000008 F3 A4 B8 $00000001 C3"), 99);
    /* push writes what follows it: mov ebx,esp; mov esp,next+4; push 0B8909090h; next: ud2; ud2;
     * dd 5; mov esp,ebx; ret */
    assert_int_equal(Returns("89 E3 BC $10000010 68 $B8909090 0F 0B 0F 0B $00000005 89 DC C3"), 5);
    /* The block reaches from its page into the next one, whose code it changes. */
    PutCode(CODE + 0xFF8, "C6 05 $10001001 0B B8 $00000001 C3");
    assert_int_equal(Returns("E9 $00000FF3"), 0x0B01);
}

/* A loop writes into its own page each time round, half a million times. */
TEST_IN_BOTH(CodeThatWritesBesideItselfStaysFast) {
    assert_int_equal(Run("B9 $00040000 1: 89 0D $10000800 49 75 ^1 C3", PLENTY).end,
                     MACHINE_RETURNED);
    assert_int_equal(Get(CODE + 0x800), 1);
    /* Runs a million different instructions, one after the other, which is more than fits into any
     * cache. */
    MachineMemory *memory = Machine_Memory(machine);
    const uint32_t size = 1u << 20, at = 0x40000000;
    assert_int_equal(MachineMemory_Map(memory, at, size, 7), at);
    memset(MachineMemory_At(memory, at), 0x40, size - 1); /* inc eax */
    *MachineMemory_At(memory, at + size - 1) = 0xC3;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(CallAt(at, 2 * size).end, MACHINE_RETURNED);
        assert_int_equal(Register(MACHINE_EAX), size - 1);
    }
    /* Runs the same with a jump at each third byte. */
    for (uint32_t i = 0; i + 3 < size; i += 3)
        assert_true(MachineMemory_Write(memory, at + i, "\xEB\x00\x40", 3, NULL));
    Machine_CodeChanged(machine, at, size);
    assert_int_equal(CallAt(at, 2 * size).end, MACHINE_RETURNED);
}

/* ---- exceptions ------------------------------------------------------------------------------ */

/* push handler; push fs:[0]; mov fs:[0],esp */
#define INSTALL "68 $10000100 64 FF 35 $00000000 64 89 25 $00000000 "

TEST_IN_BOTH(HandlersThatFailEndTheCall) {
    static const char *const handlers[] = {
        "0F 0B",           /* causes another exception */
        "A1 $00000000",    /* causes the same exception again */
        "EB FE",           /* never ends */
        "E8 FB FF FF FF",  /* overflows the stack */
        "31 C0 C3",        /* continues with the instruction that faulted, for ever */
        "B8 $00000007 C3", /* returns an answer that does not exist */
        "31 E4 C3",        /* returns to nowhere */
        "83 C4 04 C3",     /* returns to an argument */
        "8B 44 24 0C C7 80 B8 00 00 00 $00000000 31 C0 C3", /* continues at address 0 */
        /* continues with a wild stack pointer */
        "8B 44 24 0C C7 80 C4 00 00 00 $00000003 31 C0 C3",
        /* continues with a context of ones */
        "8B 7C 24 0C B9 $000000B3 83 C8 FF F3 AB 31 C0 C3",
        /* continues with a context of zeros */
        "8B 7C 24 0C B9 $000000B3 31 C0 F3 AB 31 C0 C3",
        /* overwrites the record with ones */
        "8B 7C 24 04 B9 $00000014 83 C8 FF F3 AB B8 $00000001 C3",
        /* puts a wild pointer at the head of the chain */
        "64 C7 05 $00000000 $00000004 B8 $00000001 C3",
        "8B 44 24 08 C7 00 $10000000 B8 $00000001 C3", /* makes code the next frame */
    };
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++) {
        PutCode(CODE + 0x100, handlers[i]);
        MachineResult result = Run(INSTALL "0F 0B C3", PLENTY);
        if (result.end != MACHINE_FAULTED && result.end != MACHINE_TIMED_OUT)
            fail_msg("%s: ended as %d", handlers[i], (int)result.end);
    }
}

TEST_IN_BOTH(WildChainsOfHandlersAreNotFollowed) {
    static const char *const frames[] = {"$00000000", "$00000004", "$10000000", "$30000000",
                                         "$FFFFFFFC", "$FFF00000", "$7FFDE000", "$38000000"};
    char code[128];
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        snprintf(code, sizeof code, "64 C7 05 $00000000 %s 0F 0B", frames[i]);
        Faults(code, MACHINE_ILLEGAL);
        snprintf(code, sizeof code,
                 "64 C7 05 $00000000 %s 68 $E0000001 68 $00000000 "
                 "68 $00000000 68 $E0000001 B8 @RaiseException FF D0",
                 frames[i]);
        Faults(code, 0xE0000001);
        /* RtlUnwind(target, 0, record, 0) */
        snprintf(code, sizeof code, "6A 00 68 %s 6A 00 68 %s B8 @RtlUnwind FF D0 C3", frames[i],
                 frames[i]);
        assert_int_not_equal(Run(code, PLENTY).end, MACHINE_TIMED_OUT);
    }
    /* The handler's address is wild, but its frame is not. */
    Faults("68 $00000010 64 FF 35 $00000000 64 89 25 $00000000 0F 0B", MACHINE_ACCESS_VIOLATION);
}

TEST_IN_BOTH(HandlersOfTheProcessThatFailEndTheCall) {
    /* continues without having repaired anything */
    PutCode(CODE + 0x100, "83 C8 FF C2 04 00");
    MachineResult result = Run("68 $10000100 6A 01 B8 @AddVectoredExceptionHandler FF D0 "
                               "0F 0B",
                               PLENTY);
    assert_int_equal(result.end, MACHINE_TIMED_OUT);
    PutCode(CODE + 0x100, "0F 0B");
    result = Run("0F 0B", PLENTY);
    assert_int_equal(result.end, MACHINE_FAULTED);
}

/* The handlers of a call that crashed are forgotten, so that the next call does not meet them. */
TEST_IN_BOTH(HandlersOfACallThatCrashedAreForgotten) {
    /* counts, and declines the exception */
    PutCode(CODE + 0x100, "FF 05 $30000100 B8 $00000001 C3");
    Faults(INSTALL "0F 0B", MACHINE_ILLEGAL);
    assert_int_equal(Get(DATA + 0x100), 1);
    Faults("0F 0B", MACHINE_ILLEGAL);
    assert_int_equal(Get(DATA + 0x100), 1);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The pages of the machine's owner, the thread's block, and modules of the system. */
TEST_IN_BOTH(MemoryOfOthersCannotBeTouched) {
    MachineMemory *memory = Machine_Memory(machine);
    static const uint32_t others[] = {HOSTS, DATA,       HOSTS + 0x1000, 0x7FFDE000, 0x7FFDF000,
                                      0,     0x7C800000, 0x00020000,     0xFFF00000};
    static const char *const services[] = {
        "68 $30000800 6A 01 68 $00001000 68 %s B8 @VirtualProtect FF D0 C3",
        "68 $30000800 6A 40 68 $00001000 68 %s B8 @VirtualProtect FF D0 C3",
        "68 $00008000 6A 00 68 %s B8 @VirtualFree FF D0 C3",
        "68 $00004000 68 $00001000 68 %s B8 @VirtualFree FF D0 C3",
        "6A 04 68 $00001000 68 $00001000 68 %s B8 @VirtualAlloc FF D0 C3",
        "6A 04 68 $00003000 68 $00001000 68 %s B8 @VirtualAlloc FF D0 C3",
        "68 %s B8 @UnmapViewOfFile FF D0 C3",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        for (size_t k = 0; k < sizeof services / sizeof *services; k++) {
            char address[16], code[128];
            const uint8_t before = MachineMemory_Protection(memory, others[i]);
            if (others[i] == 0 && k > 3) /* VirtualAlloc of 0 is a new region */
                continue;
            snprintf(address, sizeof address, "$%08X", others[i]);
            snprintf(code, sizeof code, services[k], address);
            if (Returns(code) != 0)
                fail_msg("%s is granted", code);
            assert_int_equal(MachineMemory_Protection(memory, others[i]), before);
        }
    Faults("C6 05 $38000000 01", MACHINE_ACCESS_VIOLATION);
}

/* A guest may protect its own memory: its heap, its stack, its own regions and modules. */
TEST_IN_BOTH(MemoryOfTheGuestCanBeProtected) {
    RpError error = {0};
    uint32_t module;
    if (Machine_Load(machine, "own.dll", built.bytes, sizeof built.bytes, &module, &error))
        fail_msg("%s", error.what);
    static const char *const own[] = {
        "68 $00001000 6A 00 B8 @GetProcessHeap FF D0 50 B8 @HeapAlloc FF D0",
        "68 $00200000 6A 00 B8 @GetProcessHeap FF D0 50 B8 @HeapAlloc FF D0",
        "6A 04 68 $00003000 68 $00001000 6A 00 B8 @VirtualAlloc FF D0",
        "89 E0 2D $00004000",
        "B8 $20002000",
    };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        char code[200];
        snprintf(code, sizeof code, "%s 68 $30000800 6A 20 6A 01 50 B8 @VirtualProtect FF D0 C3",
                 own[i]);
        if (Returns(code) != 1)
            fail_msg("%s: %u", code, Get(Machine_Process(machine)->thread_block + 0x34));
    }
    /* If the stack has no access rights, this call ends, and so does each later call. This is the
     * guest's own fault, and the process goes on. */
    PutCode(CODE,
            "89 E0 25 $FFFFF000 68 $30000800 6A 01 68 $00001000 50 B8 @VirtualProtect FF D0 C3");
    for (int i = 0; i < 3; i++)
        assert_int_equal(CallAt(CODE, PLENTY).end, MACHINE_FAULTED);
}

TEST_IN_BOTH(MemoryIsBounded) {
    /* VirtualAlloc(0, 100000h, MEM_COMMIT, 4) until there is no more */
    Returns("1: 6A 04 68 $00001000 68 $00100000 6A 00 B8 @VirtualAlloc FF D0 85 C0 75 ^1 C3");
    assert_in_range(Machine_Memory(machine)->mapped, MOST - (1u << 20), MOST);
    Returns("1: 68 $00000100 6A 00 B8 @GetProcessHeap FF D0 50 B8 @HeapAlloc FF D0 85 C0 "
            "75 ^1 C3");
    Returns("1: 6A 00 68 $00010000 6A 00 B8 @HeapCreate FF D0 85 C0 75 ^1 C3");
    assert_in_range(Machine_Memory(machine)->mapped, MOST - (1u << 20), MOST);
}

/* The host's kernel allows a process 65,530 pieces of memory with different protections. */
TEST_IN_BOTH(MemoryInTooManyPiecesIsRefused) {
    /* mov esi,VirtualAlloc(0, 200 MiB, ...); each second page: VirtualProtect(esi, 1, 2, DATA) */
    MachineResult result =
        Run("6A 04 68 $00001000 68 $0C800000 6A 00 B8 @VirtualAlloc FF D0 89 C6 BB $00006400 "
            "1: 68 $30000800 6A 02 6A 01 56 B8 @VirtualProtect FF D0 81 C6 $00002000 4B 75 ^1 C3",
            PLENTY);
    assert_int_equal(result.end, MACHINE_RETURNED);
    assert_int_equal(Machine_Save(machine, NULL), RP_OK);
    assert_int_equal(Machine_Restore(machine, NULL), RP_OK);
    assert_int_equal(CallAt(BENIGN, 100).end, MACHINE_RETURNED);
}

/* Overwrites the words that the heap keeps in front of its blocks, with each of many values. */
TEST_IN_BOTH(ADamagedHeapHarmsTheGuestOnly) {
    static const char *const words[] = {"$00000000", "$FFFFFFFF", "$7FFFFFFF", "$00000010",
                                        "$4E470100", "$38000000", "$00000001", "$FFFFFFF8"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (int place = -8; place <= 0; place += 4) {
            char code[400];
            /* two blocks of 24 bytes: esi, edi; free(esi); damage esi; alloc; free(edi); alloc */
            snprintf(code, sizeof code,
                     "B8 @GetProcessHeap FF D0 89 C5 "
                     "6A 18 6A 00 55 B8 @HeapAlloc FF D0 89 C6 6A 18 6A 00 55 B8 @HeapAlloc FF D0 "
                     "89 C7 56 6A 00 55 B8 @HeapFree FF D0 C7 46 %02X %s C7 47 %02X %s "
                     "6A 18 6A 00 55 B8 @HeapAlloc FF D0 57 6A 00 55 B8 @HeapFree FF D0 "
                     "68 $00400000 57 6A 00 55 B8 @HeapReAlloc FF D0 "
                     "6A 18 6A 00 55 B8 @HeapAlloc FF D0 6A 18 6A 00 55 B8 @HeapAlloc FF D0 C3",
                     (unsigned)place & 0xFF, words[i], (unsigned)place & 0xFF, words[i]);
            Run(code, PLENTY);
        }
}

/* ---- time ------------------------------------------------------------------------------------ */

/* The work of services counts as instructions, so that a budget bounds the time of calls that
 * consist of them. Each of these services takes long each time. */
TEST_IN_BOTH(ServicesThatTakeLongUseUpTheBudget) {
    static const char *const rows[] = {
        "1: 68 $40000000 B8 @lstrlenA FF D0 EB ^1", /* measures a text of a mebibyte */
        "1: 68 $7FFF0000 68 $40000000 B8 @IsBadReadPtr FF D0 EB ^1",
        "1: 6A 1C 68 $30000000 68 $50000000 B8 @VirtualQuery FF D0 EB ^1",
        ("1: 6A 04 68 $00001000 68 $04000000 6A 00 B8 @VirtualAlloc FF D0 68 $00008000 6A 00 50 B8 "
         "@VirtualFree FF D0 EB ^1"),
        "1: 68 $00100000 68 $40000000 6A FF B8 @FlushInstructionCache FF D0 EB ^1",
        "6A 00 6A 00 6A 00 68 $E0000001 B8 @RaiseException FF D0",
    };
    MachineMemory *memory = Machine_Memory(machine);
    assert_true(MachineMemory_Map(memory, 0x40000000, 0x100000, MACHINE_READ | MACHINE_WRITE));
    memset(MachineMemory_At(memory, 0x40000000), 'x', 0xFFFFF);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        MachineResult result = Run(rows[i], 10 * PLENTY);
        assert_true(result.end == MACHINE_TIMED_OUT || result.end == MACHINE_FAULTED);
    }
    /* With handlers that continue, each turn causes a signal of the host. */
    PutCode(CODE + 0x100, "31 C0 C3");
    assert_int_equal(Run(INSTALL "A1 $00000000", 10 * PLENTY).end, MACHINE_TIMED_OUT);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Makes 96 sections without bytes at addresses that belong to others. They must protect nothing. */
TEST_IN_BOTH(SectionsWithoutBytesHaveNoAddress) {
    MachineMemory *memory = Machine_Memory(machine);
    RpError error = {0};
    uint32_t module;
    Built_Section(&built, 1, HOSTS + 1 - 0x20000000, 0, 0, 0, 0xC0000040);
    if (Machine_Load(machine, "sections.dll", built.bytes, sizeof built.bytes, &module, &error))
        fail_msg("%s: %s", error.what, error.found);
    assert_int_equal(MachineMemory_Protection(memory, HOSTS), MACHINE_READ);
}

/* Makes as many exports as are allowed, all with the same name of the greatest length. */
TEST_IN_BOTH(ManyExportsOfOneNameTakeNoTime) {
    enum { COUNT = 65536, NAMES = 0x2000, NAME = 4095, BYTES = 0x2000 + 4 * COUNT * 3 + 0x2000 };
    RpError error = {0};
    uint32_t module;
    uint8_t *bytes = calloc(1, BYTES);
    assert_non_null(bytes);
    Built_Put16(&built, BUILT_PE + 6, 2);
    Built_Put32(&built, BUILT_OPTIONAL + 56, (0x2000 + BYTES + 0xFFF) & ~0xFFFu);
    Built_Section(&built, 1, 0x2000, BYTES - 0x1400, 0x1400, BYTES - 0x1400, 0xC0000040);
    Built_Directory(&built, BUILT_EXPORTS, 0x2000, 40);
    memcpy(bytes, built.bytes, 0x1400);
    uint8_t *data = bytes + 0x1400;
    Bytes_PutU32(data + 16, 1);
    Bytes_PutU32(data + 20, COUNT);
    Bytes_PutU32(data + 24, COUNT);
    Bytes_PutU32(data + 28, 0x2000 + 0x2000);
    Bytes_PutU32(data + 32, 0x2000 + 0x2000 + 4 * COUNT);
    Bytes_PutU32(data + 36, 0x2000 + 0x2000 + 8 * COUNT);
    memset(data + 40, 'n', NAME);
    for (uint32_t i = 0; i < COUNT; i++) {
        Bytes_PutU32(data + 0x2000 + 4 * i, 0x1000);
        Bytes_PutU32(data + 0x2000 + 4 * (COUNT + i), 0x2000 + 40 + i % 7);
        Bytes_PutU16(data + 0x2000 + 8 * COUNT + 2 * i, i);
    }
    if (Machine_Load(machine, "exports.dll", bytes, BYTES, &module, &error))
        fail_msg("%s: %s", error.what, error.found);
    assert_int_equal(Machine_Export(machine, module, (const char *)data + 43), 0x20001000);
    assert_int_equal(Machine_Ordinal(machine, module, COUNT), 0x20001000);
    free(bytes);
}

/* The entry points do what the code above does. The load is refused, and nothing of it remains. */
TEST_IN_BOTH(HostileEntryPointsAreRefused) {
    static const char *const rows[] = {
        "EB FE",
        "F4",
        "31 E4 C3",
        "E8 FB FF FF FF",
        "BC 00 00 00 30 C3",
        "CD 2E",
        "C2 FF FF",
        "64 C7 05 00 00 00 00 04 00 00 00 0F 0B",
        "FD 31 C0 C2 0C 00",
    };
    const uint64_t mapped = Machine_Memory(machine)->mapped;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        RpError error = {0};
        uint32_t module;
        Built_Code(&built, BUILT_TEXT, rows[i]);
        RpStatus status =
            Machine_Load(machine, "entry.dll", built.bytes, sizeof built.bytes, &module, &error);
        if (status != RP_CRASHED && status != RP_UNSUPPORTED)
            fail_msg("%s: %d, %s", rows[i], (int)status, error.what);
        assert_null(Machine_Module(machine, 0));
        assert_int_equal(Machine_Memory(machine)->mapped, mapped);
        assert_int_equal(Get(Machine_Process(machine)->thread_block), 0xFFFFFFFF);
    }
    PutCode(BENIGN, benign);
    assert_int_equal(CallAt(BENIGN, 100).end, MACHINE_RETURNED);
}
