#define _GNU_SOURCE
/* Tests runs as a whole: how they end, code that changes, memory that changes, and threads. */
#include "tests/machine/translator/guest.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifdef GUEST_HOST

#include <fenv.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint32_t everything = MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE;

#define PUT(guest, name) Guest_Put(guest, CODE, name, (size_t)(name##_end - name))

/* Each test has a guest that is translated. */
static Guest *guest;

static int SetUp(void **state) {
    (void)state;
    guest = Guest_Create(true);
    return 0;
}

static int TearDown(void **state) {
    (void)state;
    Guest_Destroy(guest);
    return 0;
}

static MachineStop RunFrom(Guest *run, uint32_t eip) {
    run->context.registers.eip = eip;
    run->context.registers.general[MACHINE_ESP] = TOP;
    run->context.budget = 1000000;
    return Guest_Run(run);
}

/* ---- ends ---- */

GUEST_CODE(call_gate, "mov eax, 0xFFF00020\ncall eax\nadd eax, 1\nret");
GUEST_CODE(endless, "1: jmp 1b");
GUEST_CODE(endless_call, "1: push eax\npop eax\njmp 1b");

TEST(AGateEndsTheRunAndMayReturn) {
    PUT(guest, call_gate);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_GATE);
        MachineRegisters *registers = &guest->context.registers;
        assert_int_equal(registers->eip, GATE + 0x20);
        assert_int_equal(registers->general[MACHINE_ESP], TOP - 4);
        registers->eip = Guest_Read(guest, TOP - 4);
        registers->general[MACHINE_ESP] += 4;
        registers->general[MACHINE_EAX] = 41;
        assert_int_equal(Guest_Run(guest), MACHINE_STOP_GATE);
        assert_int_equal(registers->eip, GATE);
        assert_int_equal(registers->general[MACHINE_EAX], 42);
        assert_int_equal(registers->general[MACHINE_ESP], TOP + 4);
    }
}

TEST(TheBudgetStopsAnEndlessLoop) {
    PUT(guest, endless);
    assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_BUDGET);
    assert_int_equal(guest->context.registers.eip, CODE);
    assert_int_equal(guest->context.budget, 0);
    PUT(guest, endless_call);
    guest->context.registers.eflags = EVERY_FLAG;
    assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_BUDGET);
    assert_int_equal(guest->context.registers.eip, CODE + 1);
    assert_int_equal(guest->context.registers.eflags, EVERY_FLAG);
}

/* ---- code that changes ---- */

/* The immediate of the last MOV is the operand of the second MOV. */
GUEST_CODE(patches_itself,
           "mov eax, [0x200000]\n" AT(
               "mov %eax, 1f+1-patches_itself+0x100000") ""
                                                         "1: mov edx, 0x11111111\nadd edx, 1\nret");
/* The counter is in the same page as the code that counts. */
GUEST_CODE(writes_beside, "mov ecx, 20000\n1: add dword ptr [0x100800], 1\ndec ecx\njnz 1b\nret");
GUEST_CODE(returns_1, "mov eax, 1\nret");
GUEST_CODE(returns_2, "mov eax, 2\nret");
GUEST_CODE(writes_other, "mov eax, [0x200000]\nmov [0x101001], eax\ncall 1f+0xFF1\n1: ret");
GUEST_CODE(copies_code, "mov edi, 0x101000\nmov ecx, 6\nrep movsb\ncall 1f+0xFEF\n1: ret");

TEST(ABlockMayChangeItsOwnInstructions) {
    PUT(guest, patches_itself);
    assert_true(MachineMemory_Protect(guest->memory, CODE, AREA, everything));
    for (uint32_t i = 0; i < 50; i++) {
        Guest_Write(guest, DATA, 1000 + i);
        assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_GATE);
        assert_int_equal(guest->context.registers.general[MACHINE_EDX], 1001 + i);
    }
}

TEST(APageOfCodeThatIsWrittenOftenIsLeftToTheInterpreter) {
    PUT(guest, writes_beside);
    assert_true(MachineMemory_Protect(guest->memory, CODE, AREA, everything));
    assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_GATE);
    assert_int_equal(Guest_Read(guest, CODE + 0x800), 20000);
}

TEST(ChangedCodeOfAnotherPageIsTranslatedAnew) {
    PUT(guest, writes_other);
    Guest_Put(guest, CODE + MACHINE_PAGE, returns_1, (size_t)(returns_1_end - returns_1));
    assert_true(MachineMemory_Protect(guest->memory, CODE, AREA, everything));
    for (uint32_t i = 0; i < 3; i++) {
        Guest_Write(guest, DATA, 500 + i);
        assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_GATE);
        assert_int_equal(guest->context.registers.general[MACHINE_EAX], 500 + i);
    }
    PUT(guest, copies_code);
    assert_true(MachineMemory_Protect(guest->memory, CODE, AREA, everything));
    for (int i = 0; i < 4; i++) {
        const uint8_t *code = i % 2 ? returns_1 : returns_2;
        uint32_t fault;
        assert_true(MachineMemory_Write(guest->memory, DATA + 0x100, code, 6, &fault));
        guest->context.registers.general[MACHINE_ESI] = DATA + 0x100;
        assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_GATE);
        assert_int_equal(guest->context.registers.general[MACHINE_EAX], i % 2 ? 1 : 2);
    }
}

/* Between two runs, services write by MachineMemory_Write. */
TEST(CodeThatAServiceWritesIsTranslatedAnew) {
    PUT(guest, returns_1);
    assert_true(MachineMemory_Protect(guest->memory, CODE, AREA, everything));
    assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_GATE);
    assert_int_equal(guest->context.registers.general[MACHINE_EAX], 1);
    Guest_Write(guest, CODE + 1, 77);
    assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_GATE);
    assert_int_equal(guest->context.registers.general[MACHINE_EAX], 77);
}

/* An instruction that lies on two pages goes when either is written. */
TEST(BothPagesOfAnInstructionAreWatched) {
    uint32_t start = CODE + MACHINE_PAGE - 3;
    Guest_Put(guest, start, returns_1, (size_t)(returns_1_end - returns_1));
    assert_true(MachineMemory_Protect(guest->memory, CODE, AREA, everything));
    assert_int_equal(RunFrom(guest, start), MACHINE_STOP_GATE);
    uint32_t fault;
    assert_true(MachineMemory_Write(guest->memory, start + 4, "\x05", 1, &fault));
    assert_int_equal(RunFrom(guest, start), MACHINE_STOP_GATE);
    assert_int_equal(guest->context.registers.general[MACHINE_EAX], 0x05000001);
    assert_true(MachineMemory_Write(guest->memory, start + 1, "\x06", 1, &fault));
    assert_int_equal(RunFrom(guest, start), MACHINE_STOP_GATE);
    assert_int_equal(guest->context.registers.general[MACHINE_EAX], 0x05000006);
}

TEST(CodeThatIsNoLongerExecutableIsNotExecuted) {
    PUT(guest, returns_1);
    assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_GATE);
    assert_true(MachineMemory_Protect(guest->memory, CODE, AREA, MACHINE_READ));
    assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_FAULT);
    assert_int_equal(guest->context.fault.access, MACHINE_EXECUTE);
    assert_true(MachineMemory_Unmap(guest->memory, CODE));
    assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_FAULT);
    assert_int_equal(MachineMemory_Map(guest->memory, CODE, AREA, everything), CODE);
    PUT(guest, returns_2);
    assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_GATE);
    assert_int_equal(guest->context.registers.general[MACHINE_EAX], 2);
}

GUEST_CODE(reads_block, "mov eax, fs:[4]\nret");

TEST(AnotherThreadBlockTakesEffect) {
    PUT(guest, reads_block);
    assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_GATE);
    assert_int_equal(guest->context.registers.general[MACHINE_EAX], 0xB10C0004);
    guest->context.fs_base = BLOCK + 0x100;
    assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_GATE);
    assert_int_equal(guest->context.registers.general[MACHINE_EAX], 0xB10C0104);
}

/* ---- the write hook ---- */

static uint32_t hooked;

static bool Allow(void *context, uint32_t address) {
    hooked = address;
    return MachineMemory_Protect(context, address, 1, MACHINE_READ | MACHINE_WRITE);
}

static bool Deny(void *context, uint32_t address) {
    (void)context;
    hooked = address;
    return false;
}

GUEST_CODE(writes_fixed, "mov edx, 0x400010\nadd dword ptr [edx], 5\nmov eax, [edx]\nret");

TEST(TheWriteHookMayAllowAWrite) {
    PUT(guest, writes_fixed);
    guest->memory->write_hook = Deny;
    hooked = 0;
    assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_FAULT);
    assert_int_equal(hooked, FIXED + 0x10);
    assert_int_equal(guest->context.fault.access, MACHINE_WRITE);
    guest->memory->write_hook = Allow;
    guest->memory->write_context = guest->memory;
    hooked = 0;
    assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_GATE);
    assert_int_equal(hooked, FIXED + 0x10);
    assert_int_equal(guest->context.registers.general[MACHINE_EAX], 5);
    Translator_Destroy(guest->translator);
    guest->translator = NULL;
    assert_true(guest->memory->write_hook == Allow);
}

/* ---- vectors ---- */

GUEST_CODE(divide_by_control, "fninit\nfldcw [0x200000]\nfld1\nmov dword ptr [0x200010], 3\n"
                              "fidiv dword ptr [0x200010]\nfstp tbyte ptr [0x200020]\nret");

TEST(X87RoundsAsTheControlWordSays) {
    PUT(guest, divide_by_control);
    static const struct {
        uint32_t control;
        uint64_t mantissa;
    } rows[] = {{0x007F, 0xAAAAAB0000000000}, {0x027F, 0xAAAAAAAAAAAAA800},
                {0x037F, 0xAAAAAAAAAAAAAAAB}, {0x0C7F, 0xAAAAAA0000000000},
                {0x0B7F, 0xAAAAAAAAAAAAAAAB}, {0x0A7F, 0xAAAAAAAAAAAAB000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Guest_Write(guest, DATA, rows[i].control);
        int rounding = fegetround();
        assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_GATE);
        uint64_t mantissa = Guest_Read(guest, DATA + 0x20);
        mantissa |= (uint64_t)Guest_Read(guest, DATA + 0x24) << 32;
        assert_true(mantissa == rows[i].mantissa);
        assert_int_equal(guest->context.registers.vectors.control, rows[i].control);
        assert_int_equal(guest->context.registers.vectors.tags, 0);
        assert_int_equal(fegetround(), rounding);
    }
}

GUEST_CODE(packed, "movups xmm0, [esi]\nmovups xmm7, xmm0\naddps xmm7, [0x200000]\n"
                   "mulss xmm7, fs:[0]\nmovups [esi], xmm7\nstmxcsr [0x200020]\nmovq mm3, [esi]\n"
                   "paddd mm3, mm3\nmovq [0x200028], mm3\ncvttss2si eax, xmm0\nret");

TEST(SseAndMmxKeepTheirRegistersBetweenRuns) {
    PUT(guest, packed);
    float numbers[4] = {3, 4, 5, 6}, more[4] = {0.5f, 1, 2, 4}, factor = 2, result[4];
    uint32_t fault;
    assert_true(MachineMemory_Write(guest->memory, DATA, more, 16, &fault));
    assert_true(MachineMemory_Write(guest->memory, DATA + 0x100, numbers, 16, &fault));
    assert_true(MachineMemory_Write(guest->memory, BLOCK, &factor, 4, &fault));
    guest->context.registers.general[MACHINE_ESI] = DATA + 0x100;
    guest->context.registers.vectors.mxcsr = 0x5F80; /* rounds upwards */
    guest->context.registers.vectors.xmm[5][3] = 77;
    assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_GATE);
    const MachineVectors *vectors = &guest->context.registers.vectors;
    memcpy(result, vectors->xmm[7], 16);
    assert_true(result[0] == 7 && result[1] == 5 && result[2] == 7 && result[3] == 10);
    assert_memory_equal(vectors->xmm[0], numbers, 16);
    assert_int_equal(vectors->xmm[5][3], 77);
    assert_int_equal(Guest_Read(guest, DATA + 0x20), 0x5F80);
    assert_int_equal(vectors->tags, 0xFF); /* an MMX instruction makes all registers valid */
    assert_int_equal(guest->context.registers.general[MACHINE_EAX], 3);
}

TEST(AProfileWithoutSseHasNoSse) {
    PUT(guest, packed);
    guest->context.profile = MachineProfile_Find("pentium-mmx");
    assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_FAULT);
    assert_int_equal(guest->context.fault.code, MACHINE_ILLEGAL);
    assert_int_equal(guest->context.fault.address, CODE);
}

/* ---- the cache ---- */

/* Makes more code than the cache holds: a run of jumps over many pages, each of which leads to the
 * next one. */
TEST(AFullCacheIsEmptied) {
    const uint32_t base = 0x01000000, size = 0x001C0000;
    assert_int_equal(MachineMemory_Map(guest->memory, base, size, everything), base);
    uint8_t *bytes = MachineMemory_At(guest->memory, base);
    static const uint8_t piece[] = {0x40, 0xEB, 0x00}; /* inc eax; jmp to the next piece */
    uint32_t count = size / sizeof piece - 1;
    for (uint32_t i = 0; i < count; i++)
        memcpy(bytes + i * sizeof piece, piece, sizeof piece);
    bytes[count * sizeof piece] = 0xC3;
    for (int i = 0; i < 2; i++) {
        guest->context.registers.general[MACHINE_EAX] = 0;
        guest->context.registers.general[MACHINE_ESP] = TOP;
        guest->context.registers.eip = base;
        guest->context.budget = 1ull << 40;
        assert_int_equal(Guest_Run(guest), MACHINE_STOP_GATE);
        assert_int_equal(guest->context.registers.general[MACHINE_EAX], count);
    }
}

/* ---- threads ---- */

GUEST_CODE(work,
           "mov ecx, 2000\n1: mov edx, [esi]\nadd edx, eax\nmov [esi], edx\npush edx\ncall 2f\n"
           "dec ecx\njnz 1b\nmov edx, 0x600000\ncmp byte ptr [esi+4], 0\nje 3f\nret\n"
           "2: fild dword ptr [esp+4]\nfistp dword ptr [0x200400]\nret 4\n3: mov [edx], eax");

typedef struct Worker {
    pthread_t thread;
    uint32_t step;
    bool failed;
} Worker;

static void *Work(void *context) {
    Worker *worker = context;
    Guest *own = Guest_Create(true);
    PUT(own, work);
    for (uint32_t i = 0; i < 200; i++) {
        bool faults = i % 3 == 0;
        Guest_Write(own, DATA, 0);
        Guest_Write(own, DATA + 4, !faults);
        own->context.registers.general[MACHINE_EAX] = worker->step;
        own->context.registers.general[MACHINE_ESI] = DATA;
        MachineStop stop = RunFrom(own, CODE);
        worker->failed |= stop != (faults ? MACHINE_STOP_FAULT : MACHINE_STOP_GATE) ||
                          Guest_Read(own, DATA) != 2000 * worker->step ||
                          Guest_Read(own, DATA + 0x400) != 2000 * worker->step;
    }
    Guest_Destroy(own);
    return NULL;
}

TEST(TwoMachinesRunInTwoThreads) {
    Worker workers[2] = {{.step = 3}, {.step = 5}};
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&workers[i].thread, NULL, Work, &workers[i]), 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_false(workers[i].failed);
    }
}

TEST(TwoMachinesTakeTurnsOnOneThread) {
    Guest *guests[2] = {Guest_Create(true), Guest_Create(true)};
    for (uint32_t i = 0; i < 20; i++) {
        Guest *turn = guests[i % 2];
        PUT(turn, reads_block);
        Guest_Write(turn, BLOCK + 4, i);
        assert_int_equal(RunFrom(turn, CODE), MACHINE_STOP_GATE);
        assert_int_equal(turn->context.registers.general[MACHINE_EAX], i);
    }
    Guest_Destroy(guests[0]);
    Guest_Destroy(guests[1]);
}

#define SET_GS 0x1001
#define GET_GS 0x1004

TEST(ABaseOfGsThatSomebodySetIsBroughtBack) {
    static uint64_t somebodys[2];
    PUT(guest, reads_block);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(syscall(SYS_arch_prctl, SET_GS, somebodys), 0);
        assert_int_equal(RunFrom(guest, CODE), MACHINE_STOP_GATE);
        assert_int_equal(guest->context.registers.general[MACHINE_EAX], 0xB10C0004);
        uint64_t now = 0;
        assert_int_equal(syscall(SYS_arch_prctl, GET_GS, &now), 0);
        assert_true(now == (uintptr_t)somebodys);
    }
    assert_int_equal(syscall(SYS_arch_prctl, SET_GS, 0), 0);
}

TEST(MemoryWithoutAWindowIsRefused) {
    MachineMemory *memory;
    Translator *translator;
    assert_int_equal(MachineMemory_CreateScattered(1u << 20, &memory, NULL), RP_OK);
    assert_int_equal(Translator_Create(memory, NULL, &translator, NULL), RP_UNSUPPORTED);
    MachineMemory_Destroy(memory);
}

AROUND_EACH(SetUp, TearDown)
#else

int main(void) {
    return 0;
}

#endif
