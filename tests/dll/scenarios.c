#include "scenarios.h"

#include "animesh/layout.h"
#include "game.h"
#include "game/exports/exports_import.h"
#include "play.h"
#include "prototypes.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 600 };

/* ---- who serves ------------------------------------------------------------------------------ */

static bool Asked(const char *mode) {
    const char *modes = getenv("RETROPOSE_MODES");
    return modes && strcmp(modes, mode) == 0;
}

static bool IsInternal(const char *key) {
    return Abi_Find(key)->kind == ABI_INTERNAL;
}

static void ExpectTargetIn(const char *key, HMODULE module) {
    const void *target = Play_TargetOf(Play_Gate(key));
    if (Play_ModuleOf(target) != module)
        fail_msg("%s leads to %p, in another module than it has to", key, target);
}

static void ExpectOriginal(const char *key) {
    OverlayCall by = Machine_OriginalCall(key);
    Play_ExpectSame(key, by, Play_Gate(key), by, Play_Original(key));
    if (!IsInternal(key))
        ExpectTargetIn(key, play_retail[Abi_Find(key)->module]);
}

static void ExpectNative(const char *key) {
    Play_ExpectSame(key, Machine_OriginalCall(key), Play_Gate(key), Machine_CompiledCall(key),
                    Play_Native(key));
    if (!IsInternal(key))
        ExpectTargetIn(key, play_ours[Abi_Find(key)->module]);
}

/* Demands that the result is the original's. */
static void ExpectShadow(const char *key) {
    OverlayCall by = Machine_OriginalCall(key);
    Play_ExpectSame(key, by, Play_Gate(key), by, Play_Original(key));
}

/* Demands that the slot leads to the comparison, which is our code. */
static void ExpectCompared(const char *key) {
    ExpectShadow(key);
    if (Abi_Find(key)->kind == ABI_SLOT)
        ExpectTargetIn(key, play_ours[ABI_NGI32]);
}

static void Modes(void) {
    for (size_t i = 0; i < play_key_count; i++) {
        const char *key = play_keys[i];
        if (IsInternal(key))
            assert_int_equal(Play_IsRedirected(key), Play_CanBeRedirected(key));
        if (Asked("default=original") || (IsInternal(key) && !Play_CanBeRedirected(key)))
            ExpectOriginal(key);
        else if (Asked("default=shadow"))
            ExpectCompared(key);
        else
            ExpectNative(key);
    }
}

static void OriginalServes(void) {
    for (size_t i = 0; i < play_key_count; i++) {
        ExpectOriginal(play_keys[i]);
        if (IsInternal(play_keys[i]))
            assert_false(Play_IsRedirected(play_keys[i]));
    }
}

static void OriginalServesByTables(void) {
    Machine_ForgetOverlay();
    OriginalServes();
}

static void NotRedirected(void) {
    for (size_t i = play_key_count - play_internal_count; i < play_key_count; i++) {
        assert_false(Play_IsRedirected(play_keys[i]));
        ExpectOriginal(play_keys[i]);
    }
    ExpectNative("ngi32.slot14");
}

static void ReplacementServes(void) {
    assert_null(play_retail[ABI_NGI32]);
    for (size_t i = 0; i < play_key_count - play_internal_count; i++)
        ExpectNative(play_keys[i]);
}

static void Half(void) {
    for (size_t i = play_key_count - play_internal_count; i < play_key_count; i++) {
        assert_int_equal(Play_IsRedirected(play_keys[i]), Play_CanBeRedirected(play_keys[i]));
        ExpectShadow(play_keys[i]);
    }
}

static void ExpectMemoryIn(HMODULE module) {
    ExpectTargetIn("ngi32.ngiAlloc", module);
    ExpectTargetIn("ngi32.ngiFree", module);
    ExpectTargetIn("ngi32.ngiGetMemSize", module);
}

static void MemoryOriginal(void) {
    ExpectMemoryIn(play_retail[ABI_NGI32]);
}

static void MemoryOurs(void) {
    ExpectMemoryIn(play_ours[ABI_NGI32]);
}

/* ---- names and the pool ---------------------------------------------------------------------- */

static const void *ByOrdinal(HMODULE module, uint32_t ordinal) {
    return (const void *)(uintptr_t)GetProcAddress(module, (const char *)(uintptr_t)ordinal);
}

static void ReadExports(const char *path, AbiModule module, PeFile *file, Overlay *overlay) {
    RpError error;
    assert_int_equal(Pe_Load(path, file, &error), RP_OK);
    Overlay_Init(overlay, NULL);
    assert_int_equal(ExportsImport_Read(file, module, overlay, &error), RP_OK);
}

/* Calls with 24 dwords on the stack and values in all registers. Returns how many bytes are taken
 * off the stack. */
static uint32_t PoppedBytes(const void *code, uint32_t seed, uint32_t *result) {
    uint32_t before, after, value = seed;
    __asm__ volatile("movl %%esp, %[before]\n\t"
                     ".rept 24\n\tpushl %%ecx\n\t.endr\n\t"
                     "call *%[code]\n\t"
                     "movl %%esp, %[after]\n\t"
                     "movl %[before], %%esp"
                     : [before] "=&b"(before), [after] "=&S"(after), "+a"(value)
                     : [code] "D"(code), "c"(seed), "d"(~seed)
                     : "cc", "memory");
    *result = value;
    return after - (before - 96);
}

static void ExpectStub(const OverlayExport *row, const void *code) {
    uint32_t result;
    for (uint32_t seed = 0x11111111; seed < 0x99999999; seed += 0x01234567) {
        uint32_t popped = PoppedBytes(code, seed, &result);
        if (popped != row->pops || result != (row->clears ? 0 : seed))
            fail_msg("ordinal %u pops %u and gives %08X", (unsigned)row->ordinal, (unsigned)popped,
                     (unsigned)result);
    }
}

/* Returns whether an export of the original is a stub. If there is no original, our export of a row
 * does what the row says, whatever the body in the stand-in is. */
static bool IsStub(const OverlayExport *row, bool alone) {
    char key[OVERLAY_NAME_BYTES + 8];
    snprintf(key, sizeof key, "ngi32.%s", row->name);
    const AbiFunction *f = Abi_Find(key);
    return row->kind == OVERLAY_STUB && !(alone && f && f->provider != ABI_NOOP);
}

static void ExpectStubs(HMODULE module, bool alone) {
    char path[PATH_BYTES];
    PeFile file;
    Overlay overlay;
    size_t count = 0;
    snprintf(path, sizeof path, "%s/variants/published/Ngi32.dll", BUILD_FOLDER);
    ReadExports(path, ABI_NGI32, &file, &overlay);
    for (size_t i = 0; i < overlay.export_count; i++)
        if (IsStub(&overlay.exports[i], alone)) {
            ExpectStub(&overlay.exports[i], ByOrdinal(module, overlay.exports[i].ordinal));
            count++;
        }
    print_message("%u stubs pop their arguments\n", (unsigned)count);
    assert_true(count > 60);
    Overlay_Free(&overlay);
    Pe_Close(&file);
}

static void Stubs(void) {
    ExpectStubs(play_retail[ABI_NGI32], false);
    ExpectStubs(play_ours[ABI_NGI32], false);
}

static void StubsAlone(void) {
    assert_null(play_retail[ABI_NGI32]);
    ExpectStubs(play_ours[ABI_NGI32], true);
}

static void UnservedExport(void) {
    ((void (*)(void))GetProcAddress(play_ours[ABI_NGI32], "fakeFive"))();
}

static uint32_t WithAllRegisters(const void *code) {
    uint32_t sum;
    __asm__ volatile("pushl %%ebp\n\t"
                     "movl %%eax, %%edx\n\t"
                     "movl $1, %%eax\n\tmovl $2, %%ebx\n\tmovl $4, %%ecx\n\t"
                     "movl $16, %%esi\n\tmovl $32, %%edi\n\tmovl $64, %%ebp\n\t"
                     "pushl %%edx\n\tmovl $8, %%edx\n\t"
                     "call *(%%esp)\n\t"
                     "addl $4, %%esp\n\tpopl %%ebp"
                     : "=a"(sum)
                     : "a"(code)
                     : "ebx", "ecx", "edx", "esi", "edi", "cc", "memory");
    return sum;
}

static void Fake(void) {
    typedef uint64_t(__stdcall * Five)(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t);
    typedef uint32_t(__cdecl * Sum)(uint32_t, ...);
    typedef double(__fastcall * HalfOf)(uint32_t, uint32_t, double);
    typedef uint32_t(__fastcall * Unknown)(uint32_t, uint32_t, uint32_t);
    HMODULE ours = play_ours[ABI_NGI32];
    Five five = (Five)(void (*)(void))GetProcAddress(ours, "fakeFive");
    Sum sum = (Sum)(void (*)(void))GetProcAddress(ours, "fakeSum");
    HalfOf half = (HalfOf)(void (*)(void))GetProcAddress(ours, "fakeHalf");
    assert_true(five && sum && half);
    assert_ptr_equal(Play_ModuleOf((const void *)(uintptr_t)five), ours);
    assert_true(five(1, 2, 3, 4, 5) == ((uint64_t)3 << 32 | 7) + 5);
    assert_int_equal(sum(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 55);
    assert_true(half(3, 4, 0.5) == 3.75);
    assert_int_equal(
        WithAllRegisters((const void *)(uintptr_t)GetProcAddress(ours, "fakeRegisters")), 127);
    const void *const *table = (const void *const *)(uintptr_t)GetProcAddress(ours, "g_FastProc");
    assert_int_equal(((Unknown)(uintptr_t)table[50])(1, 10, 100), 531);
    assert_ptr_equal(Play_ModuleOf(Play_TargetOf(table[50])), play_retail[ABI_NGI32]);
    assert_ptr_equal(Play_ModuleOf(Play_TargetOf(table[66])), ours);
    assert_ptr_equal(Play_ModuleOf(Play_TargetOf(table[67])), ours);
    assert_ptr_equal(Play_ModuleOf(Play_TargetOf(table[17])),
                     Asked("default=original") ? play_retail[ABI_NGI32] : ours);
}

/* ---- threads --------------------------------------------------------------------------------- */

/* Slot 7 of the fake differs from ours in its call and in what it does. */
typedef void(__stdcall *FakeSlot7)(const float *vector, float *result, const float *matrix);
enum { THREADS = 4, WAIT_MS = 10000 };

static const float matrix[16] = {1, 2, 3, 40, 5, 6, 7, 80, 9, 10, 11, 120, 0, 0, 0, 1};
static const float vector[3] = {1, 2, 3};
static float by_original[3], by_ours[3];
static volatile LONG stop, calls_to_original, calls_to_ours, wrong;

static void SetControlWord(void) {
    const uint16_t control = CONTROL_SINGLE;
    __asm__ volatile("fldcw %0" : : "m"(control));
}

static FakeSlot7 Slot7(void) {
    return (FakeSlot7)(uintptr_t)Play_Gate("ngi32.slot7");
}

static bool CallGives(const float expected[3]) {
    float result[3] = {0, 0, 0};
    Slot7()(vector, result, matrix);
    return memcmp(result, expected, sizeof result) == 0;
}

static DWORD WINAPI Hammer(void *context) {
    (void)context;
    FakeSlot7 slot7 = Slot7();
    SetControlWord();
    while (!stop)
        for (int i = 0; i < 1000; i++) {
            float result[3] = {0, 0, 0};
            slot7(vector, result, matrix);
            if (memcmp(result, by_original, sizeof result) == 0)
                InterlockedIncrement(&calls_to_original);
            else if (memcmp(result, by_ours, sizeof result) == 0)
                InterlockedIncrement(&calls_to_ours);
            else
                InterlockedIncrement(&wrong);
        }
    return 0;
}

static void StartHammering(HANDLE threads[THREADS]) {
    ((FakeSlot7)(uintptr_t)Play_Original("ngi32.slot7"))(vector, by_original, matrix);
    ABI_PROTO_ngi32_slot7((*ours)) =
        (ABI_PROTO_ngi32_slot7((*)))(uintptr_t)Play_Native("ngi32.slot7");
    ours(matrix, vector, by_ours);
    assert_memory_not_equal(by_original, by_ours, sizeof by_ours);
    for (int i = 0; i < THREADS; i++)
        threads[i] = CreateThread(NULL, 0, Hammer, NULL, 0, NULL);
}

static void SetMode(const char *mode) {
    char text[200];
    snprintf(text, sizeof text, "[host]\nwatch = on\n[modes]\nngi32.slot7 = %s\n", mode);
    Game_WriteSettings(text);
}

static void WaitForMode(const char *mode, const float expected[3]) {
    SetMode(mode);
    for (DWORD start = GetTickCount(); GetTickCount() - start < WAIT_MS; Sleep(10))
        if (CallGives(expected))
            return;
    fail_msg("mode %s is not in force after %d ms", mode, WAIT_MS);
}

static void Switching(void) {
    HANDLE threads[THREADS];
    SetControlWord();
    StartHammering(threads);
    for (int i = 0; i < 3; i++) {
        WaitForMode("original", by_original);
        WaitForMode("replacement", by_ours);
        WaitForMode("shadow", by_original);
        WaitForMode("verified", by_ours);
    }
    WaitForMode("original", by_original);
    char settings[PATH_BYTES];
    Game_Path("retropose.ini", settings, sizeof settings);
    /* A missing file changes nothing, because it may just be about to be replaced. */
    assert_true(DeleteFileA(settings));
    Sleep(1000);
    assert_true(CallGives(by_original));
    stop = 1;
    WaitForMultipleObjects(THREADS, threads, TRUE, INFINITE);
    print_message("%ld calls went to the original, %ld to ours, %ld elsewhere\n", calls_to_original,
                  calls_to_ours, wrong);
    assert_true(calls_to_original > 0 && calls_to_ours > 0);
    assert_int_equal(wrong, 0);
}

static void HammerForAWhile(void) {
    HANDLE threads[THREADS];
    SetControlWord();
    StartHammering(threads);
    for (int i = 0; i < 5; i++) {
        SetMode(i % 2 ? "original" : "replacement");
        Sleep(60);
    }
}

static void AbruptExit(void) {
    HammerForAWhile();
    ExitProcess(0);
}

static void AbruptTermination(void) {
    HammerForAWhile();
    TerminateProcess(GetCurrentProcess(), 0);
}

/* ---- the x87 --------------------------------------------------------------------------------- */

typedef struct X87State {
    uint32_t control, status, tags, pointers[4];
    uint8_t registers[80];
    uint32_t mxcsr;
} X87State;

/* Calls with the vector in ECX and on the stack, which suits every convention. Three numbers are on
 * the x87 stack, flags of older exceptions are set, and precision and rounding are unusual. */
static void CallAmidst(const void *code, float *vector_in_out, X87State *left) {
    static const double numbers[3] = {1.5, -2.25, 1e300};
    const uint16_t control = 0x0B7F;   /* 53 bits, rounding up, all exceptions masked */
    const uint32_t mxcsr = 0x5F80 | 4; /* rounding up, with the flag of a division by zero */
    uint32_t saved;
    __asm__ volatile("stmxcsr %0" : "=m"(saved));
    /* leaves the flag of a division by zero set */
    __asm__ volatile("fninit\n\tfld1\n\tfldz\n\tfdivrp\n\tfstp %%st(0)\n\t"
                     "fldl 0(%[numbers])\n\tfldl 8(%[numbers])\n\tfldl 16(%[numbers])\n\t"
                     "fldcw %[control]\n\tldmxcsr %[mxcsr]\n\t"
                     "movl %%esp, %%ebx\n\tpushl %%ecx\n\tcall *%[code]\n\tmovl %%ebx, %%esp\n\t"
                     "fnsave (%[left])\n\tstmxcsr 108(%[left])\n\tldmxcsr %[saved]"
                     : "+c"(vector_in_out)
                     : [numbers] "D"(numbers), [control] "m"(control), [mxcsr] "m"(mxcsr),
                       [code] "a"(code), [left] "S"(left), [saved] "m"(saved)
                     : "ebx", "edx", "cc", "memory");
}

static void ExpectSameX87(const X87State *a, const X87State *b) {
    assert_int_equal(a->control & 0xFFFF, b->control & 0xFFFF);
    assert_int_equal(a->status & 0xFFFF, b->status & 0xFFFF);
    assert_int_equal(a->tags & 0xFFFF, b->tags & 0xFFFF);
    assert_memory_equal(a->registers, b->registers, sizeof a->registers);
    assert_int_equal(a->mxcsr, b->mxcsr);
}

/* Calls through an entry that converts the call, because the game's is stdcall and ours is
 * fastcall. */
static void X87(void) {
    static X87State direct, gated;
    float a[3] = {3, 4, 1e-20f}, b[3] = {3, 4, 1e-20f};
    assert_int_equal(Machine_OriginalCall("ngi32.slot38").convention, ABI_STDCALL);
    CallAmidst(Play_Native("ngi32.slot38"), a, &direct);
    CallAmidst(Play_Gate("ngi32.slot38"), b, &gated);
    assert_memory_equal(a, b, sizeof a);
    assert_int_equal(direct.status >> 11 & 7, 4); /* three numbers and the result */
    assert_true(direct.status & 4);               /* the old flag */
    ExpectSameX87(&direct, &gated);
}

/* ---- recursion ------------------------------------------------------------------------------- */

/* In the variant `caller` LoadReader is cdecl (reader, file). Its archive is this test, which loads
 * another reader during the first look-up. */
typedef void(__cdecl *CallerLoadReader)(void *reader, const void *file);
enum { DEPTH = 300 };

typedef struct Archive {
    const void *const *methods;
    uint32_t depth;
    bool inside;
    uint32_t reader[0xA4 / 4];
} Archive;

static uint32_t directory[16][16];
static const void *methods[9];

static void LoadDeeper(const Archive *from);

static ABI_PROTO_ngi32_INResFile_4(Directory) {
    (void)self;
    return (uintptr_t)directory;
}

static ABI_PROTO_ngi32_INResFile_6(Data) {
    (void)self, (void)touch;
    return (uintptr_t)&directory[index];
}

static ABI_PROTO_ngi32_INResFile_8(FindType) {
    Archive *archive = (Archive *)self;
    if (!archive->inside) {
        archive->inside = true;
        LoadDeeper(archive);
    }
    return type < 16 ? (int32_t)type : 0;
}

static void LoadInto(Archive *archive) {
    CallerLoadReader load = (CallerLoadReader)(uintptr_t)Play_Gate("animesh.LoadReader");
    load(archive->reader, archive);
    assert_int_equal(archive->reader[0x9C / 4], 777); /* attr2 of the frame map */
}

static void LoadDeeper(const Archive *from) {
    Archive archive = {.methods = methods, .depth = from->depth + 1};
    if (from->depth < DEPTH)
        LoadInto(&archive);
}

static DWORD WINAPI Recurse(void *context) {
    (void)context;
    Archive archive = {.methods = methods};
    for (int i = 0; i < 20; i++) {
        archive.inside = false;
        LoadInto(&archive);
    }
    return 0;
}

static void Recursion(void) {
    HANDLE threads[THREADS];
    assert_true(Play_IsRedirected("animesh.LoadReader"));
    methods[4] = (const void *)(uintptr_t)Directory;
    methods[6] = (const void *)(uintptr_t)Data;
    methods[8] = (const void *)(uintptr_t)FindType;
    for (int i = 0; i < 16; i++) {
        directory[i][2] = 777; /* attr2 */
        directory[i][3] = 64;  /* size */
    }
    for (int i = 0; i < THREADS; i++)
        threads[i] = CreateThread(NULL, 4 << 20, Recurse, NULL, 0, NULL);
    assert_int_equal(WaitForMultipleObjects(THREADS, threads, TRUE, 60000), WAIT_OBJECT_0);
}

/* ---- pages ----------------------------------------------------------------------------------- */

/* Returns whether a section of the file has this protection, as some linkers make them. Under Wine
 * the gaps between sections may have it, too, which Windows does not map. */
static bool IsSoInTheFile(const MEMORY_BASIC_INFORMATION *page) {
    const uint8_t *base = page->AllocationBase;
    const DWORD both = IMAGE_SCN_MEM_EXECUTE | IMAGE_SCN_MEM_WRITE;
    if (page->Type != MEM_IMAGE)
        return false;
    const IMAGE_NT_HEADERS32 *headers =
        (const void *)(base + ((const IMAGE_DOS_HEADER *)(const void *)base)->e_lfanew);
    const IMAGE_SECTION_HEADER *sections = IMAGE_FIRST_SECTION(headers);
    DWORD rva = (DWORD)((const uint8_t *)page->BaseAddress - base);
    for (int i = 0; i < headers->FileHeader.NumberOfSections; i++)
        if (rva - sections[i].VirtualAddress < sections[i].Misc.VirtualSize)
            return (sections[i].Characteristics & both) == both;
    return true;
}

static bool IsWritableCode(const MEMORY_BASIC_INFORMATION *page) {
    return page->State == MEM_COMMIT &&
           (page->Protect & (PAGE_EXECUTE_READWRITE | PAGE_EXECUTE_WRITECOPY)) &&
           !IsSoInTheFile(page);
}

static int CountWritableCode(void) {
    MEMORY_BASIC_INFORMATION page;
    int count = 0;
    for (const uint8_t *at = NULL; VirtualQuery(at, &page, sizeof page) == sizeof page;
         at = (const uint8_t *)page.BaseAddress + page.RegionSize)
        if (IsWritableCode(&page)) {
            print_message("%p %lu bytes, protection %lX\n", page.BaseAddress, page.RegionSize,
                          page.Protect);
            count++;
        }
    return count;
}

static DWORD ProtectionOf(const void *address) {
    MEMORY_BASIC_INFORMATION page;
    assert_int_equal(VirtualQuery(address, &page, sizeof page), sizeof page);
    return page.Protect & 0xFF;
}

static void Pages(void) {
    int before = CountWritableCode();
    Play_Load();
    assert_true(Play_IsRedirected("animesh.SampleNode"));
    assert_int_equal(CountWritableCode(), before);
    /* The redirected function, its gate and its trampoline can be executed, but not written. */
    assert_int_equal(ProtectionOf(Play_Gate("animesh.SampleNode")), PAGE_EXECUTE_READ);
    const uint8_t *entry = Play_Gate("animesh.SampleNode");
    uint32_t distance;
    memcpy(&distance, entry + 1, sizeof distance);
    assert_int_equal(ProtectionOf(entry + 5 + distance), PAGE_EXECUTE_READ);
    HMODULE ours = play_ours[ABI_ANIMESH];
    assert_ptr_equal(Play_ModuleOf(entry + 5 + distance), ours);
}

/* ---- methods of an original's objects -------------------------------------------------------- */

/* Functions that only know objects of their own DLL are still served by the original
 * (facts/animesh.md C.4, C.5). The stand-in does not ask how many pieces there are, while our code
 * does. */
static void Methods(void) {
    enum { VTABLE = 0x2057C, HANDLE_MESSAGE = 2, NODE_PHASE = 9, NEAR_JUMP = 0xE9 };
    static const Piece pieces[3] = {{.phase = 0.25f}, {.phase = 0.75f}, {.phase = 99.0f}};
    Mesh mesh = {.pieces = (const uint8_t *)pieces, .piece_count = 2};
    const uint8_t *retail = (const uint8_t *)play_retail[ABI_ANIMESH];
    const uintptr_t *vtable = (const void *)(retail + VTABLE);
    assert_ptr_equal((const void *)vtable[NODE_PHASE], retail + 0x5600);
    assert_int_equal(*(const uint8_t *)vtable[NODE_PHASE], NEAR_JUMP);
    assert_int_not_equal(*(const uint8_t *)vtable[HANDLE_MESSAGE], NEAR_JUMP);
    ABI_PROTO_animesh_IAnimation_9((*phase)) =
        (ABI_PROTO_animesh_IAnimation_9((*)))vtable[NODE_PHASE];
    assert_true(phase(&mesh, 1) == 0.75L);
    assert_true(phase(&mesh, 2) == 0.0L);
}

/* ---- what a gate costs ----------------------------------------------------------------------- */

typedef long double(__fastcall *Compiled11)(float x);
typedef long double(__cdecl *Mixed11)(float x);
enum { CALLS = 500000, REPEATS = 40 };

static double Seconds(void) {
    LARGE_INTEGER now, frequency;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&frequency);
    return (double)now.QuadPart / (double)frequency.QuadPart;
}

typedef void (*Loop)(const void *code);

static void CallCompiled(const void *code) {
    for (int i = 0; i < CALLS; i++)
        ((Compiled11)(uintptr_t)code)(2.0f);
}

static void CallMixed(const void *code) {
    for (int i = 0; i < CALLS; i++)
        ((Mixed11)(uintptr_t)code)(2.0f);
}

static double NanosecondsPerCall(Loop loop, const void *code) {
    double best = 1e9;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double start = Seconds();
        loop(code);
        double took = Seconds() - start;
        best = took < best ? took : best;
    }
    return best * 1e9 / CALLS;
}

static void Cost(void) {
    const void *gate = Play_Native("ngi32.slot11");
    double direct = NanosecondsPerCall(CallCompiled, Play_TargetOf(gate));
    double gated = NanosecondsPerCall(CallCompiled, gate);
    double adapted = NanosecondsPerCall(CallMixed, Play_Gate("ngi32.slot11"));
    print_message("slot 11: %.2f ns called directly, %.2f ns through its gate (%.3f times), "
                  "%.2f ns with another convention\n",
                  direct, gated, gated / direct, adapted);
    assert_true(gated < 2 * direct + 5);
    assert_true(adapted < 1000);
}

/* ---- */

static const struct {
    const char *name;
    void (*run)(void);
} scenarios[] = {
    {"modes", Modes},
    {"original-serves", OriginalServes},
    {"original-serves-by-tables", OriginalServesByTables},
    {"not-redirected", NotRedirected},
    {"replacement-serves", ReplacementServes},
    {"half", Half},
    {"memory-original", MemoryOriginal},
    {"memory-ours", MemoryOurs},
    {"stubs", Stubs},
    {"stubs-alone", StubsAlone},
    {"unserved-export", UnservedExport},
    {"fake", Fake},
    {"switching", Switching},
    {"abrupt-exit", AbruptExit},
    {"abrupt-termination", AbruptTermination},
    {"x87", X87},
    {"recursion", Recursion},
    {"pages", Pages},
    {"methods", Methods},
    {"cost", Cost},
};

static void (*chosen)(void);

static void RunChosen(void **state) {
    (void)state;
    if (chosen != Pages) /* it looks at the process before, too */
        Play_Load();
    chosen();
}

int Scenario_Run(const char *name, const char *folder) {
    const struct CMUnitTest test[] = {{name, RunChosen, NULL, NULL, NULL}};
    snprintf(game_folder, PATH_BYTES, "%s", folder);
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
        if (strcmp(scenarios[i].name, name) == 0) {
            chosen = scenarios[i].run;
            return cmocka_run_group_tests_name(name, test, NULL, NULL);
        }
    fprintf(stderr, "no scenario %s\n", name);
    return 2;
}
