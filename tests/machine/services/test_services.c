/* Tests the functions of Windows. Each is called through its gate, as a guest calls it. */
#include "tests/machine/fixture.h"

#include "core/random.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A page for the data of the functions, and a page that does not exist. */
#define DATA  0x30000000u
#define TEXT  0x30000800u
#define WIDE  0x30000C00u
#define WILD  0x00001000u
#define NONE  0xFFFFFFFFu
#define FIRST 0x80000001u /* HKEY_CURRENT_USER */

static const MachineVariable variables[] = {{"PATH", "C:\\GAME"}, {"Mode", "fast"}};
static const MachineFile files[] = {{"Notes.txt", (const uint8_t *)"0123456789", 10},
                                    {"empty", (const uint8_t *)"", 0}};

const MachineFixture machine_fixture = {
    .options = {.engine = MACHINE_INTERPRETER,
                .most_memory = 64u << 20,
                .force_cpu = 5,
                .variables = variables,
                .variable_count = 2,
                .files = files,
                .file_count = 2},
    .profile = "pentium3",
    .regions = {{DATA, MACHINE_PAGE, MACHINE_READ | MACHINE_WRITE}}};

static MachineResult end;

/* Calls a function of "MODULE.Name" with as many arguments as it pops. */
static uint32_t Ask(const char *function, ...) {
    char module[32] = "";
    const char *dot = strchr(function, '.');
    memcpy(module, function, (size_t)(dot - function));
    const MachineRow *row = services_windows.find(module, dot + 1);
    if (!row)
        fail_msg("there is no %s", function);
    MachineContext *context = Machine_Context(machine);
    const uint32_t esp = stack_top - 0x100;
    va_list list;
    va_start(list, function);
    for (uint32_t i = 0; i < row->popped / 4; i++) {
        uint32_t argument = va_arg(list, uint32_t);
        MachineMemory_Write(Machine_Memory(machine), esp + 4 * i, &argument, 4, NULL);
    }
    va_end(list);
    context->registers.general[MACHINE_ESP] = esp;
    Machine_Call(machine, Machine_RowAddress(machine, row), 1000, &end);
    if (end.end == MACHINE_RETURNED)
        assert_int_equal(context->registers.general[MACHINE_ESP], esp + row->popped);
    return context->registers.general[MACHINE_EAX];
}

static uint32_t LastError(void) {
    return Ask("KERNEL32.GetLastError");
}

static void Fails(uint32_t answer, uint32_t expected, uint32_t error) {
    assert_int_equal(answer, expected);
    assert_int_equal(LastError(), error);
}

static uint32_t Text(const char *text) {
    return PutText(TEXT, text);
}

static uint32_t PutWide(const char *text) {
    for (uint32_t i = 0; i <= strlen(text); i++) {
        uint8_t bytes[2] = {(uint8_t)text[i], 0};
        assert_true(MachineMemory_Write(Machine_Memory(machine), WIDE + 2 * i, bytes, 2, NULL));
    }
    return WIDE;
}

static void HasWide(uint32_t address, const char *text) {
    for (uint32_t i = 0; i <= strlen(text); i++)
        assert_int_equal(Get(address + 2 * i) & 0xFFFF, (uint8_t)text[i]);
}

/* ---- heaps ----------------------------------------------------------------------------------- */

TEST(BlocksAreAlignedToEightAndReused) {
    uint32_t heap = Ask("KERNEL32.GetProcessHeap"), last = 0;
    assert_int_equal(Get(Machine_Process(machine)->process_block + 0x18), heap);
    static const uint32_t sizes[] = {0, 1, 8, 100, 1016, 1017, 5000, 0x7FFF0, 0x90000, 0x200000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t block = Ask("KERNEL32.HeapAlloc", heap, 0, sizes[i]);
        assert_int_equal(block % 16, 8);
        assert_int_not_equal(block, last);
        assert_int_equal(Ask("KERNEL32.HeapSize", heap, 0, block), sizes[i]);
        if (sizes[i] >= 4) {
            Put(block, 0x11223344);
            Put(block + sizes[i] - 4, 0x55667788);
        }
        assert_int_equal(Ask("KERNEL32.HeapFree", heap, 0, block), 1);
        assert_int_equal(Ask("KERNEL32.HeapAlloc", heap, 8, sizes[i]), block);
        if (sizes[i] >= 4)
            assert_int_equal(Get(block + sizes[i] - 4), 0);
        last = block;
    }
}

TEST(GrowingABlockKeepsItsBytes) {
    uint32_t heap = Ask("KERNEL32.HeapCreate", 0, 0, 0);
    uint32_t block = Ask("KERNEL32.HeapAlloc", heap, 0, 20);
    Put(block + 16, 77);
    assert_int_equal(Ask("KERNEL32.HeapReAlloc", heap, 8, block, 24), block);
    assert_int_equal(Get(block + 20), 0);
    uint32_t moved = Ask("KERNEL32.HeapReAlloc", heap, 8, block, 100000);
    assert_int_not_equal(moved, block);
    assert_int_equal(Get(moved + 16), 77);
    assert_int_equal(Get(moved + 99996), 0);
    uint32_t large = Ask("KERNEL32.HeapReAlloc", heap, 0, moved, 3000000);
    assert_int_equal(Get(large + 16), 77);
    assert_int_equal(Ask("KERNEL32.HeapReAlloc", heap, 0x10, large, 6000000), 0);
    assert_int_equal(Ask("KERNEL32.HeapReAlloc", heap, 0, large, 10) % 16, 8);
    assert_int_equal(Ask("KERNEL32.HeapDestroy", heap), 1);
    assert_null(MachineMemory_At(Machine_Memory(machine), heap));
    Fails(Ask("KERNEL32.HeapAlloc", heap, 0, 8), 0, 6);
    Fails(Ask("KERNEL32.HeapDestroy", Ask("KERNEL32.GetProcessHeap")), 0, 6);
}

TEST(WhatIsNoBlockIsRefused) {
    uint32_t heap = Ask("KERNEL32.GetProcessHeap"), other = Ask("KERNEL32.HeapCreate", 0, 0, 0);
    uint32_t block = Ask("KERNEL32.HeapAlloc", heap, 0, 64);
    Fails(Ask("KERNEL32.HeapFree", other, 0, block), 0, 87);
    Fails(Ask("KERNEL32.HeapFree", heap, 0, block + 8), 0, 87);
    Fails(Ask("KERNEL32.HeapFree", heap, 0, block + 16), 0, 87);
    Fails(Ask("KERNEL32.HeapFree", heap, 0, WILD), 0, 87);
    assert_int_equal(Ask("KERNEL32.HeapSize", heap, 0, DATA), NONE);
    assert_int_equal(Ask("KERNEL32.HeapFree", heap, 0, 0), 1);
    assert_int_equal(Ask("KERNEL32.HeapFree", heap, 0, block), 1);
    Fails(Ask("KERNEL32.HeapFree", heap, 0, block), 0, 87); /* the block is freed twice */
    /* A guest may overwrite what stands in front of its block, or in a free one. */
    uint32_t victim = Ask("KERNEL32.HeapAlloc", heap, 0, 64);
    Put(victim - 8, 0x7FFFFFFF);
    Fails(Ask("KERNEL32.HeapFree", heap, 0, victim), 0, 87);
    block = Ask("KERNEL32.HeapAlloc", heap, 0, 64);
    Ask("KERNEL32.HeapFree", heap, 0, block);
    Put(block, DATA + 8);
    assert_int_equal(Ask("KERNEL32.HeapAlloc", heap, 0, 64), block);
    assert_int_not_equal(Ask("KERNEL32.HeapAlloc", heap, 0, 64), DATA + 8);
}

TEST(HeapsEndWithTheMachinesMemory) {
    uint32_t heap = Ask("KERNEL32.GetProcessHeap"), blocks = 0;
    Fails(Ask("KERNEL32.HeapAlloc", heap, 0, 0xFFFFFFFF), 0, 8);
    Fails(Ask("KERNEL32.HeapAlloc", heap, 0, 65u << 20), 0, 8);
    while (Ask("KERNEL32.HeapAlloc", heap, 0, 200000))
        blocks++;
    assert_in_range(blocks, 200, 340);
    assert_true(Machine_Memory(machine)->mapped <= 64u << 20);
    /* HEAP_GENERATE_EXCEPTIONS */
    Ask("KERNEL32.HeapAlloc", heap, 4, 1u << 30);
    assert_int_equal(end.end, MACHINE_FAULTED);
    assert_int_equal(Machine_Context(machine)->fault.code, 0xC0000017);
}

TEST(AHeapOfALimitedSizeKeepsToIt) {
    uint32_t heap = Ask("KERNEL32.HeapCreate", 0, 0, 1000);
    uint32_t block = Ask("KERNEL32.HeapAlloc", heap, 0, 900);
    assert_int_not_equal(block, 0);
    assert_int_equal(Ask("KERNEL32.HeapAlloc", heap, 0, 101), 0);
    assert_int_equal(Ask("KERNEL32.HeapFree", heap, 0, block), 1);
    assert_int_not_equal(Ask("KERNEL32.HeapAlloc", heap, 0, 1000), 0);
}

/* Compares with a plain model, in a random order that is the same in each run. */
TEST(ManyBlocksKeepTheirBytes) {
    enum { BLOCKS = 100 };
    uint32_t heap = Ask("KERNEL32.GetProcessHeap"), at[BLOCKS] = {0}, size[BLOCKS], random = 3;
    for (uint32_t round = 0; round < 3000; round++) {
        Random_Lcg32(&random);
        uint32_t i = random >> 20 & 127;
        if (i >= BLOCKS)
            continue;
        if (at[i]) {
            assert_int_equal(Get(at[i]), i);
            assert_int_equal(Get(at[i] + size[i] - 4), i + 1000);
            assert_int_equal(Ask("KERNEL32.HeapFree", heap, 0, at[i]), 1);
            at[i] = 0;
            continue;
        }
        size[i] = 8 + (random >> 4) % (random & 1 ? 100 : 20000);
        at[i] = Ask("KERNEL32.HeapAlloc", heap, 0, size[i]);
        assert_int_not_equal(at[i], 0);
        Put(at[i], i);
        Put(at[i] + size[i] - 4, i + 1000);
    }
}

/* ---- pages ----------------------------------------------------------------------------------- */

TEST(PagesAreReservedCommittedAndReleased) {
    uint32_t base = Ask("KERNEL32.VirtualAlloc", 0, 0x20001, 0x2000, 1);
    assert_int_equal(base % 0x10000, 0);
    assert_int_equal(MachineMemory_Protection(Machine_Memory(machine), base), 0);
    assert_int_equal(Ask("KERNEL32.VirtualQuery", base, DATA, 28), 28);
    assert_int_equal(Get(DATA + 4), base);
    assert_int_equal(Get(DATA + 12), 0x21000);
    assert_int_equal(Get(DATA + 16), 0x2000); /* the state is "reserved" */
    assert_int_equal(Ask("KERNEL32.VirtualAlloc", base + 0x1234, 0x1000, 0x1000, 4), base + 0x1000);
    Put(base + 0x2FFC, 5);
    assert_int_equal(Ask("KERNEL32.VirtualQuery", base + 0x1500, DATA, 28), 28);
    assert_int_equal(Get(DATA), base + 0x1000);
    assert_int_equal(Get(DATA + 12), 0x2000);
    assert_int_equal(Get(DATA + 16), 0x1000);
    assert_int_equal(Get(DATA + 20), 4);
    assert_int_equal(Get(DATA + 24), 0x20000);
    assert_int_equal(Ask("KERNEL32.VirtualFree", base + 0x2000, 0x1000, 0x4000), 1);
    assert_int_equal(Ask("KERNEL32.VirtualAlloc", base + 0x2000, 1, 0x1000, 4), base + 0x2000);
    assert_int_equal(Get(base + 0x2FFC), 0);
    Fails(Ask("KERNEL32.VirtualFree", base, 0x1000, 0x8000), 0, 87);
    Fails(Ask("KERNEL32.VirtualFree", base + 0x1000, 0, 0x8000), 0, 487);
    assert_int_equal(Ask("KERNEL32.VirtualFree", base, 0, 0x8000), 1);
    Fails(Ask("KERNEL32.VirtualFree", base, 0, 0x8000), 0, 487);
    Fails(Ask("KERNEL32.VirtualAlloc", base, 0x1000, 0x1000, 4), 0, 487);
    assert_int_equal(Ask("KERNEL32.VirtualAlloc", base, 0x1000, 0x3000, 4), base);
    Fails(Ask("KERNEL32.VirtualAlloc", base, 0x1000, 0x3000, 4), 0, 487);
    Fails(Ask("KERNEL32.VirtualAlloc", 0xFFFF0000, 0x20000, 0x3000, 4), 0, 487);
    Fails(Ask("KERNEL32.VirtualAlloc", 0, 0x1000, 0x3000, 3), 0, 87);
    Fails(Ask("KERNEL32.VirtualAlloc", 0, 0, 0x3000, 4), 0, 87);
    Fails(Ask("KERNEL32.VirtualAlloc", 0, 0x7FFFFFFF, 0x3000, 4), 0, 87);
}

TEST(ProtectionsAreChangedAndTold) {
    uint32_t base = Ask("KERNEL32.VirtualAlloc", 0, 0x3000, 0x3000, 4);
    assert_int_equal(Ask("KERNEL32.VirtualProtect", base + 0x1000, 1, 0x20, DATA), 1);
    assert_int_equal(Get(DATA), 4);
    assert_int_equal(MachineMemory_Protection(Machine_Memory(machine), base + 0x1000),
                     MACHINE_READ | MACHINE_EXECUTE);
    assert_int_equal(Ask("KERNEL32.IsBadWritePtr", base + 0xFFF, 1), 0);
    assert_int_equal(Ask("KERNEL32.IsBadWritePtr", base + 0xFFF, 2), 1);
    assert_int_equal(Ask("KERNEL32.IsBadReadPtr", base, 0x3000), 0);
    assert_int_equal(Ask("KERNEL32.IsBadReadPtr", base, 0x3001), 1);
    assert_int_equal(Ask("KERNEL32.IsBadReadPtr", 0xFFFFFFFF, 2), 1);
    assert_int_equal(Ask("KERNEL32.IsBadReadPtr", WILD, 0), 0);
    Fails(Ask("KERNEL32.VirtualProtect", base, 0x3001, 4, DATA), 0, 487);
    Fails(Ask("KERNEL32.VirtualProtect", base, 0x1000, 4, 0), 0, 998);
    Fails(Ask("KERNEL32.VirtualProtect", WILD, 0x1000, 4, DATA), 0, 487);
    /* Queries code of the program, and addresses that nobody uses. */
    assert_int_equal(Ask("KERNEL32.VirtualQuery", 0x400123, DATA, 28), 28);
    assert_int_equal(Get(DATA + 24), 0x1000000);
    assert_int_equal(Ask("KERNEL32.VirtualQuery", base + 0x3000, DATA, 28), 28);
    assert_int_equal(Get(DATA + 16), 0x10000);
    assert_int_equal(Ask("KERNEL32.VirtualQuery", 0x80000000, DATA, 28), 0);
    assert_int_equal(Ask("KERNEL32.VirtualQuery", base, WILD, 28), 0);
}

/* ---- files and the registry ------------------------------------------------------------------ */

static uint32_t Open(const char *path, uint32_t access, uint32_t how) {
    return Ask("KERNEL32.CreateFileA", Text(path), access, 0, 0, how, 0, 0);
}

TEST(FilesOfTheOptionsAreReadAndNothingElse) {
    uint32_t file = Open("C:\\Game\\notes.TXT", 0x80000000, 3);
    assert_int_not_equal(file, NONE);
    assert_int_equal(Ask("KERNEL32.GetFileSize", file, 0), 10);
    assert_int_equal(Ask("KERNEL32.SetFilePointer", file, (uint32_t)-3, 0, 2), 7);
    assert_int_equal(Ask("KERNEL32.ReadFile", file, DATA, 100, DATA + 200, 0), 1);
    assert_int_equal(Get(DATA + 200), 3);
    HasText(DATA, "789");
    assert_int_equal(Ask("KERNEL32.ReadFile", file, DATA, 100, DATA + 200, 0), 1);
    assert_int_equal(Get(DATA + 200), 0);
    Fails(Ask("KERNEL32.SetFilePointer", file, (uint32_t)-11, 0, 2), NONE, 87);
    assert_int_equal(Ask("KERNEL32.SetFilePointer", file, 0, 0, 0), 0);
    Fails(Ask("KERNEL32.ReadFile", file, WILD, 4, DATA, 0), 0, 998);
    Fails(Ask("KERNEL32.WriteFile", file, DATA, 4, DATA, 0), 0, 5);
    assert_int_equal(Ask("KERNEL32.GetFileType", file), 1);
    assert_int_equal(Ask("KERNEL32.CloseHandle", file), 1);
    Fails(Ask("KERNEL32.CloseHandle", file), 0, 6);
    Fails(Ask("KERNEL32.ReadFile", file, DATA, 1, DATA, 0), 0, 6);
    Fails(Open("other.txt", 0x80000000, 3), NONE, 2);
    Fails(Open("other.txt", 0x40000000, 2), NONE, 5);
    Fails(Open("Notes.txt", 0x40000000, 3), NONE, 5);
    Fails(Ask("KERNEL32.CreateFileW", WILD, 0x80000000, 0, 0, 3, 0, 0), NONE, 3);
    assert_int_not_equal(
        Ask("KERNEL32.CreateFileW", PutWide("Notes.txt"), 0x80000000, 0, 0, 3, 0, 0), NONE);
    Fails(Ask("KERNEL32.GetFileAttributesA", Text("x")), NONE, 2);
    assert_int_equal(Ask("KERNEL32.GetFileAttributesExW", PutWide("a/Notes.txt"), 0, DATA), 1);
    assert_int_equal(Get(DATA + 32), 10);
    Fails(Ask("KERNEL32.DeleteFileA", Text("Notes.txt")), 0, 5);
}

TEST(FilesAreMapped) {
    uint32_t file = Open("Notes.txt", 0x80000000, 3);
    uint32_t mapping = Ask("KERNEL32.CreateFileMappingA", file, 0, 2, 0, 0, 0);
    assert_int_not_equal(mapping, 0);
    uint32_t view = Ask("KERNEL32.MapViewOfFile", mapping, 4, 0, 0, 0);
    HasText(view, "0123456789");
    assert_int_equal(Ask("KERNEL32.IsBadWritePtr", view, 1), 1);
    Fails(Ask("KERNEL32.MapViewOfFile", mapping, 2, 0, 0, 0), 0, 5);
    Fails(Ask("KERNEL32.MapViewOfFile", mapping, 4, 0, 0, 11), 0, 87);
    Fails(Ask("KERNEL32.MapViewOfFile", mapping, 4, 0, 0x10000, 0), 0, 87);
    assert_int_equal(Ask("KERNEL32.UnmapViewOfFile", view), 1);
    Fails(Ask("KERNEL32.UnmapViewOfFile", view), 0, 487);
    Fails(Ask("KERNEL32.CreateFileMappingA", Open("empty", 0x80000000, 3), 0, 2, 0, 0, 0), 0, 87);
    uint32_t anonymous = Ask("KERNEL32.CreateFileMappingW", NONE, 0, 4, 0, 0x2000, 0);
    view = Ask("KERNEL32.MapViewOfFile", anonymous, 2, 0, 0, 0);
    Put(view + 0x1FFC, 1);
}

TEST(HandlesRunOut) {
    uint32_t opened = 0;
    while (Open("Notes.txt", 0x80000000, 3) != NONE)
        opened++;
    assert_int_equal(opened, 128);
    assert_int_equal(LastError(), 8);
}

TEST(TheRegistryHasForceCpuAndNothingElse) {
    uint32_t path = Text("SOFTWARE\\Nikita\\NgiTool");
    assert_int_equal(Ask("ADVAPI32.RegOpenKeyExA", FIRST, path, 0, 0x20019, DATA), 0);
    uint32_t key = Get(DATA);
    Put(DATA + 8, 4);
    assert_int_equal(
        Ask("ADVAPI32.RegQueryValueExA", key, Text("ForceCpu"), 0, DATA + 4, DATA + 12, DATA + 8),
        0);
    assert_int_equal(Get(DATA + 4), 4);
    assert_int_equal(Get(DATA + 8), 4);
    assert_int_equal(Get(DATA + 12), 5);
    Put(DATA + 8, 3);
    assert_int_equal(Ask("ADVAPI32.RegQueryValueExA", key, TEXT, 0, DATA + 4, DATA + 12, DATA + 8),
                     234);
    assert_int_equal(Ask("ADVAPI32.RegQueryValueExA", key, TEXT, 0, 0, 0, DATA + 8), 0);
    assert_int_equal(Get(DATA + 8), 4);
    assert_int_equal(Ask("ADVAPI32.RegQueryValueExA", key, Text("UseFirstCard"), 0, 0, 0, DATA + 8),
                     2);
    assert_int_equal(Ask("ADVAPI32.RegCloseKey", key), 0);
    assert_int_equal(Ask("ADVAPI32.RegCloseKey", key), 6);
    path = Text("Software\\Nikita");
    assert_int_equal(Ask("ADVAPI32.RegOpenKeyExA", 0x80000002, path, 0, 1, DATA), 0);
    path = Text("NgiTool");
    assert_int_equal(Ask("ADVAPI32.RegOpenKeyExA", Get(DATA), path, 0, 1, DATA), 0);
    path = Text("Software\\Microsoft");
    assert_int_equal(Ask("ADVAPI32.RegOpenKeyExA", FIRST, path, 0, 1, DATA), 2);
    assert_int_equal(Ask("ADVAPI32.RegOpenKeyExA", 0x80000005, path, 0, 1, DATA), 6);
    assert_int_equal(Ask("ADVAPI32.RegOpenKeyExA", FIRST, path, 0, 2, DATA), 5);
    assert_int_equal(Ask("ADVAPI32.RegOpenKeyExA", FIRST, WILD, 0, 1, DATA), 998);
}

/* ---- modules --------------------------------------------------------------------------------- */

TEST(ModulesOfTheSystemHaveHandlesAndFunctions) {
    uint32_t kernel = Ask("KERNEL32.GetModuleHandleA", Text("kernel32"));
    assert_int_equal(kernel, Ask("KERNEL32.LoadLibraryW", PutWide("C:\\WINDOWS\\KERNEL32.DLL")));
    assert_int_equal(Get(kernel) & 0xFFFF, 0x5A4D);
    uint32_t tick = Ask("KERNEL32.GetProcAddress", kernel, Text("GetTickCount"));
    assert_true(tick >= MACHINE_GATES);
    assert_int_equal(Ask("KERNEL32.GetProcAddress", kernel, TEXT), tick);
    Fails(Ask("KERNEL32.GetProcAddress", kernel, Text("InitOnceExecuteOnce")), 0, 127);
    Fails(Ask("KERNEL32.GetProcAddress", kernel, 1), 0, 127);
    Fails(Ask("KERNEL32.GetProcAddress", kernel, WILD + 0x20000000), 0, 127);
    Fails(Ask("KERNEL32.GetModuleHandleA", Text("ddraw.dll")), 0, 126);
    Fails(Ask("KERNEL32.LoadLibraryA", Text("dsound.dll")), 0, 126);
    Fails(Ask("KERNEL32.LoadLibraryA", 0), 0, 126);
    assert_int_equal(Ask("KERNEL32.GetModuleHandleA", 0), 0x400000);
    assert_int_equal(Ask("KERNEL32.GetModuleFileNameA", 0, DATA, 260), 16);
    HasText(DATA, "C:\\GAME\\GAME.exe");
    assert_int_equal(Ask("KERNEL32.GetModuleFileNameW", kernel, DATA, 260), 32);
    HasWide(DATA, "C:\\WINDOWS\\system32\\KERNEL32.dll");
    assert_int_equal(Ask("KERNEL32.GetModuleFileNameA", 0, DATA, 8), 8);
    assert_int_equal(Get(DATA + 4), 0x5C454D41); /* the text is cut, and has no zero at the end */
    Fails(Ask("KERNEL32.GetModuleFileNameA", 0x1234, DATA, 8), 0, 126);
    assert_int_equal(Ask("KERNEL32.GetModuleHandleExA", 6, kernel + 0x123, DATA), 1);
    assert_int_equal(Get(DATA), kernel);
    Fails(Ask("KERNEL32.GetModuleHandleExA", 6, DATA, DATA), 0, 126);
    assert_int_equal(Get(DATA), 0);
}

/* ---- the process ----------------------------------------------------------------------------- */

TEST(TheSystemSaysItIsWindowsXp) {
    assert_int_equal(Ask("KERNEL32.GetVersion"), 0x0A280105);
    Put(DATA, 148);
    assert_int_equal(Ask("KERNEL32.GetVersionExA", DATA), 1);
    assert_int_equal(Get(DATA + 4), 5);
    assert_int_equal(Get(DATA + 8), 1);
    assert_int_equal(Get(DATA + 16), 2);
    Put(DATA, 147);
    Fails(Ask("KERNEL32.GetVersionExA", DATA), 0, 122);
    assert_int_equal(Ask("KERNEL32.IsProcessorFeaturePresent", 6), 1);
    assert_int_equal(Ask("KERNEL32.IsProcessorFeaturePresent", 10), 0);
    HasText(Ask("KERNEL32.GetCommandLineA"), "\"C:\\GAME\\GAME.exe\"");
    HasWide(Ask("KERNEL32.GetCommandLineW"), "\"C:\\GAME\\GAME.exe\"");
    Ask("KERNEL32.GetStartupInfoA", DATA);
    assert_int_equal(Get(DATA), 68);
    assert_int_equal(Ask("KERNEL32.GetFileType", Ask("KERNEL32.GetStdHandle", (uint32_t)-11)), 2);
}

TEST(ClocksMoveOnlyWhenTheyAreAsked) {
    uint32_t first = Ask("KERNEL32.GetTickCount");
    assert_int_equal(Ask("WINMM.timeGetTime"), first + 1);
    assert_int_equal(Ask("KERNEL32.QueryPerformanceCounter", DATA), 1);
    assert_int_equal(Get(DATA), (first + 2) * 1000);
    Ask("KERNEL32.Sleep", 500);
    assert_int_equal(Ask("KERNEL32.GetTickCount"), first + 503);
    assert_int_equal(Ask("KERNEL32.QueryPerformanceFrequency", DATA), 1);
    assert_int_equal(Get(DATA), 1000000);
    Fails(Ask("KERNEL32.QueryPerformanceCounter", WILD), 0, 998);
    Ask("KERNEL32.Sleep", NONE);
    assert_int_equal(end.end, MACHINE_LACKS);
}

TEST(TheEnvironmentIsReadAndChanged) {
    assert_int_equal(Ask("KERNEL32.GetEnvironmentVariableA", Text("mode"), DATA, 10), 4);
    HasText(DATA, "fast");
    assert_int_equal(Ask("KERNEL32.GetEnvironmentVariableA", TEXT, DATA, 4), 5);
    Fails(Ask("KERNEL32.GetEnvironmentVariableA", Text("Mod"), DATA, 10), 0, 203);
    assert_int_equal(Ask("KERNEL32.SetEnvironmentVariableW", PutWide("MODE"), 0), 1);
    Fails(Ask("KERNEL32.GetEnvironmentVariableA", Text("Mode"), DATA, 10), 0, 203);
    assert_int_equal(Ask("KERNEL32.SetEnvironmentVariableA", TEXT, Text("X") + 1), 1);
    uint32_t block = Ask("KERNEL32.GetEnvironmentStringsW");
    HasWide(block, "PATH=C:\\GAME");
    HasWide(block + 26, "X=");
    assert_int_equal(Get(block + 32) & 0xFFFF, 0);
    assert_int_equal(Ask("KERNEL32.FreeEnvironmentStringsW", block), 1);
    HasText(Ask("KERNEL32.GetEnvironmentStrings"), "PATH=C:\\GAME");
}

TEST(EndsAndErrorsEndTheCall) {
    Ask("KERNEL32.ExitProcess", 3);
    assert_int_equal(end.end, MACHINE_EXITED);
    assert_int_equal(end.exit_code, 3);
    Ask("KERNEL32.TerminateProcess", NONE, 4);
    assert_int_equal(end.exit_code, 4);
    Ask("KERNEL32.RaiseException", 0xE06D7363, 1, 0, 0);
    assert_int_equal(end.end, MACHINE_FAULTED);
    assert_int_equal(Machine_Context(machine)->fault.code, 0xE06D7363);
    Ask("USER32.MessageBoxA", 0, Text("out of memory"), 0, 0);
    assert_int_equal(end.end, MACHINE_LACKS);
    assert_string_equal(end.reason, "USER32.MessageBoxA: nobody answers: out of memory");
    Ask("KERNEL32.CreateThread", 0, 0, 0, 0, 0, 0);
    assert_string_equal(end.reason, "KERNEL32.CreateThread: not supported");
}

/* ---- threads --------------------------------------------------------------------------------- */

TEST(ThreadLocalSlotsHoldValues) {
    uint32_t slot = Ask("KERNEL32.TlsAlloc");
    assert_int_equal(Ask("KERNEL32.TlsSetValue", slot, 99), 1);
    Ask("KERNEL32.SetLastError", 5);
    assert_int_equal(Ask("KERNEL32.TlsGetValue", slot), 99);
    assert_int_equal(LastError(), 0);
    assert_int_equal(Ask("KERNEL32.TlsFree", slot), 1);
    Fails(Ask("KERNEL32.TlsFree", slot), 0, 87);
    assert_int_equal(Ask("KERNEL32.TlsAlloc"), slot);
    assert_int_equal(Ask("KERNEL32.TlsGetValue", slot), 0);
    Fails(Ask("KERNEL32.TlsGetValue", 64), 0, 87);
    for (int i = 0; i < 63; i++)
        assert_int_not_equal(Ask("KERNEL32.TlsAlloc"), NONE);
    assert_int_equal(Ask("KERNEL32.TlsAlloc"), NONE);
}

TEST(CriticalSectionsCount) {
    Ask("KERNEL32.InitializeCriticalSection", DATA);
    assert_int_equal(Get(DATA + 4), NONE);
    Ask("KERNEL32.EnterCriticalSection", DATA);
    assert_int_equal(Ask("KERNEL32.TryEnterCriticalSection", DATA), 1);
    assert_int_equal(Get(DATA + 8), 2);
    assert_int_equal(Get(DATA + 12), Ask("KERNEL32.GetCurrentThreadId"));
    Ask("KERNEL32.LeaveCriticalSection", DATA);
    Ask("KERNEL32.LeaveCriticalSection", DATA);
    assert_int_equal(Get(DATA + 4), NONE);
    assert_int_equal(Get(DATA + 12), 0);
    const uint32_t facts = Get(DATA);
    assert_int_equal(Get(facts + 4), DATA);
    Put(facts + 0x18, 77); /* some programs write here */
    Ask("KERNEL32.DeleteCriticalSection", DATA);
    assert_int_equal(Get(DATA), 0);
    assert_int_equal(Ask("KERNEL32.HeapFree", Ask("KERNEL32.GetProcessHeap"), 0, facts), 0);
    Ask("KERNEL32.EnterCriticalSection", WILD);
    assert_int_equal(end.end, MACHINE_FAULTED);
    assert_int_equal(Machine_Context(machine)->fault.code, MACHINE_ACCESS_VIOLATION);
    assert_int_equal(Machine_Context(machine)->fault.target, WILD);
}

TEST(InterlockedFunctionsChangeNumbers) {
    Put(DATA, 41);
    assert_int_equal(Ask("KERNEL32.InterlockedIncrement", DATA), 42);
    assert_int_equal(Ask("KERNEL32.InterlockedDecrement", DATA), 41);
    assert_int_equal(Ask("KERNEL32.InterlockedExchange", DATA, 7), 41);
    assert_int_equal(Ask("KERNEL32.InterlockedExchangeAdd", DATA, 3), 7);
    assert_int_equal(Ask("KERNEL32.InterlockedCompareExchange", DATA, 1, 9), 10);
    assert_int_equal(Ask("KERNEL32.InterlockedCompareExchange", DATA, 1, 10), 10);
    assert_int_equal(Get(DATA), 1);
    Ask("KERNEL32.InterlockedIncrement", WILD);
    assert_int_equal(end.end, MACHINE_FAULTED);
}

TEST(EventsAreSignalledAndWaitedFor) {
    uint32_t event = Ask("KERNEL32.CreateEventA", 0, 0, 0, 0);
    assert_int_equal(Ask("KERNEL32.WaitForSingleObject", event, 10), 258);
    assert_int_equal(Ask("KERNEL32.SetEvent", event), 1);
    assert_int_equal(Ask("KERNEL32.WaitForSingleObject", event, NONE), 0);
    Ask("KERNEL32.WaitForSingleObject", event, NONE);
    assert_int_equal(end.end, MACHINE_LACKS);
    Fails(Ask("KERNEL32.WaitForSingleObject", 0x7777, 0), NONE, 6);
}

/* ---- text ------------------------------------------------------------------------------------ */

TEST(TextGoesFromOneEncodingToAnother) {
    assert_int_equal(Ask("KERNEL32.GetACP"), 1252);
    /* the euro sign and an e with an acute accent */
    assert_int_equal(Ask("KERNEL32.MultiByteToWideChar", 0, 0, Text("a\x80\xE9"), NONE, DATA, 10),
                     4);
    assert_int_equal(Get(DATA), 0x20AC0061);
    assert_int_equal(Get(DATA + 4), 0x000000E9);
    assert_int_equal(Ask("KERNEL32.MultiByteToWideChar", 0, 0, TEXT, 2, 0, 0), 2);
    Fails(Ask("KERNEL32.MultiByteToWideChar", 0, 0, TEXT, NONE, DATA, 3), 0, 122);
    Fails(Ask("KERNEL32.MultiByteToWideChar", 932, 0, TEXT, 2, DATA, 3), 0, 87);
    Fails(Ask("KERNEL32.MultiByteToWideChar", 0, 0, TEXT, 0, DATA, 3), 0, 87);
    Fails(Ask("KERNEL32.MultiByteToWideChar", 0, 0, WILD, NONE, DATA, 3), 0, 87);
    Fails(Ask("KERNEL32.MultiByteToWideChar", 0, 0, TEXT, 2, WILD, 3), 0, 998);
    /* Converts back, with a character that code page 1252 does not have. */
    Put(DATA, 0x044F20AC);
    Put(DATA + 4, 0);
    assert_int_equal(
        Ask("KERNEL32.WideCharToMultiByte", 1252, 0, DATA, NONE, DATA + 64, 10, 0, DATA + 80), 3);
    HasText(DATA + 64, "\x80?");
    assert_int_equal(Get(DATA + 80), 1);
    /* Converts UTF-8 with a pair of surrogates, in both directions. */
    const char *utf8 = "z\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
    assert_int_equal(Ask("KERNEL32.MultiByteToWideChar", 65001, 8, Text(utf8), NONE, DATA, 20), 6);
    assert_int_equal(Get(DATA + 6), 0xDE00D83D);
    assert_int_equal(Ask("KERNEL32.WideCharToMultiByte", 65001, 0, DATA, NONE, DATA + 64, 20, 0, 0),
                     11);
    HasText(DATA + 64, utf8);
    static const char *const malformed[] = {"\xC3",         "\xC0\x80", "\xED\xA0\x80",
                                            "\xF5\x80\x80", "\x80",     "\xE2\x82"};
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
        Fails(Ask("KERNEL32.MultiByteToWideChar", 65001, 8, Text(malformed[i]), NONE, DATA, 20), 0,
              1113);
}

TEST(CharactersHaveTheSameKindAndCaseInBothForms) {
    for (uint32_t c = 1; c < 256; c++) {
        char text[2] = {(char)c, 0};
        Text(text);
        assert_int_equal(Ask("KERNEL32.MultiByteToWideChar", 0, 0, TEXT, 1, WIDE, 1), 1);
        assert_int_equal(Ask("KERNEL32.GetStringTypeA", 0x409, 1, TEXT, 1, DATA), 1);
        assert_int_equal(Ask("KERNEL32.GetStringTypeW", 1, WIDE, 1, DATA + 4), 1);
        assert_int_equal(Get(DATA) & 0xFFFF, Get(DATA + 4) & 0xFFFF);
        assert_int_equal(Ask("KERNEL32.LCMapStringA", 0x409, 0x200, TEXT, 1, DATA, 1), 1);
        assert_int_equal(Ask("KERNEL32.LCMapStringW", 0x409, 0x200, WIDE, 1, DATA + 4, 1), 1);
        assert_int_equal(Ask("KERNEL32.MultiByteToWideChar", 0, 0, DATA, 1, DATA + 8, 1), 1);
        assert_int_equal(Get(DATA + 4) & 0xFFFF, Get(DATA + 8) & 0xFFFF);
    }
    static const struct {
        char c;
        uint32_t kind;
    } rows[] = {{'A', 0x181}, {'z', 0x102}, {'7', 0x84},        {' ', 0x48},
                {'\t', 0x68}, {'!', 0x10},  {(char)0xE9, 0x102}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[2] = {rows[i].c, 0};
        Ask("KERNEL32.GetStringTypeA", 0x409, 1, Text(text), 1, DATA);
        assert_int_equal(Get(DATA) & 0xFFFF, rows[i].kind);
    }
}

TEST(SmallFunctionsOnTexts) {
    assert_int_equal(Ask("KERNEL32.lstrlenA", Text("four")), 4);
    assert_int_equal(Ask("KERNEL32.lstrlenA", 0), 0);
    assert_int_equal(Ask("KERNEL32.lstrlenA", WILD), 0);
    assert_int_equal(Ask("KERNEL32.lstrcpynA", DATA, TEXT, 3), DATA);
    HasText(DATA, "fo");
    assert_int_equal(Ask("KERNEL32.lstrcatA", DATA, TEXT), DATA);
    HasText(DATA, "fofour");
    assert_int_equal(Ask("KERNEL32.lstrcmpiA", DATA, Text("FOFOUR")), 0);
    assert_int_equal(Ask("KERNEL32.lstrcmpA", DATA, TEXT), 1);
    assert_int_equal(Ask("KERNEL32.lstrcpyA", WILD, TEXT), 0);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Whatever a guest passes to any function, the host's process goes on. */
TEST(NoArgumentHarmsTheHost) {
    static const uint32_t values[] = {0,          1,          4,    NONE,       0x80000000,
                                      0x7FFFFFFF, 0xFFFFF000, WILD, DATA,       DATA + 0xFFD,
                                      TEXT,       0x104,      28,   0x80000001, 0x10000000};
    uint32_t random = 5;
    assert_int_equal(Machine_Save(machine, NULL), RP_OK);
    for (uint32_t i = 0; Services_At(i); i++) {
        const MachineRow *row = Services_At(i);
        char name[100];
        if (!row->service) /* the row is data */
            continue;
        snprintf(name, sizeof name, "%.*s.%s", (int)strlen(row->module) - 4, row->module,
                 row->name);
        for (int round = 0; round < 12; round++) {
            uint32_t a[9];
            for (int k = 0; k < 9; k++) {
                Random_Lcg32(&random);
                a[k] = values[(random >> 16) % (sizeof values / sizeof *values)];
            }
            Text("C:\\Notes.txt");
            Ask(name, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
        }
        assert_int_equal(Machine_Restore(machine, NULL), RP_OK);
    }
}

TEST(EveryRowIsFoundAndOnlyOnce) {
    uint32_t count = 0;
    for (; Services_At(count); count++) {
        const MachineRow *row = Services_At(count);
        assert_ptr_equal(services_windows.find(row->module, row->name), row);
        assert_int_equal(row->popped % 4, 0);
    }
    assert_in_range(count, 150, 400);
    assert_null(services_windows.find("KERNEL32", "gettickcount"));
    assert_null(services_windows.find("GDI32", "GetTickCount"));
    assert_non_null(services_windows.find("kernel32.DLL", "GetTickCount"));
}

AROUND_EACH(Fixture_Make, Fixture_Destroy)
