/* Tests of the built Ngi32.dll, loaded by path: what loading does, every export, and the ways in
 * which a process ends in it. Such an ending runs in a child process, which is this program again
 * with the name of the ending as its argument. */
#include "dll.h"
#include "exports/abi.h"
#include "exports/ngi32.abi.h"
#include "retropose/fastproc.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>
#undef cdecl /* a name of exports/conventions.h */

enum { FATAL_EXIT_CODE = 4 };

/* ---- loading --------------------------------------------------------------------------------- */

static const uintptr_t *Table(HMODULE module) {
    return (const uintptr_t *)Dll_Find(module, "g_FastProc");
}

#define SLOT(module, number) ((ABI_PROTO_ngi32_slot##number((*)))Table(module)[number])

typedef BOOL(WINAPI *EntryPoint)(HMODULE module, DWORD reason, void *reserved);

static EntryPoint EntryPointOf(HMODULE module) {
    uintptr_t base = (uintptr_t)module;
    const IMAGE_DOS_HEADER *dos = (const void *)base;
    const IMAGE_NT_HEADERS *pe = (const void *)(base + (uintptr_t)dos->e_lfanew);
    return (EntryPoint)(base + pe->OptionalHeader.AddressOfEntryPoint);
}

/* The test tells the entry point of a thread directly, because Wine 8 restores a new thread's
 * initial context, with its control word, after the DLLs have seen the thread. */
TEST(TheControlWordIsSetAtLoadAndOnThreadAttach) {
    uint16_t before = RpFpu_ControlWord();
    RpFpu_Restore(0x0F7F);
    HMODULE module = Dll_Load();
    uint16_t loaded = RpFpu_ControlWord();
    RpFpu_Restore(0x0F7F);
    EntryPointOf(module)(module, DLL_THREAD_DETACH, NULL);
    uint16_t detached = RpFpu_ControlWord();
    EntryPointOf(module)(module, DLL_THREAD_ATTACH, NULL);
    uint16_t attached = RpFpu_ControlWord();
    RpFpu_Restore(before);
    FreeLibrary(module);
    assert_int_equal(loaded, 0x007F);
    assert_int_equal(detached, 0x0F7F);
    assert_int_equal(attached, 0x007F);
}

TEST(EveryRowOfTheTableIsExportedByNameAndOrdinal) {
    HMODULE module = Dll_Load();
    int count = 0;
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        if (f->module != ABI_NGI32 || (f->kind != ABI_EXPORT && f->kind != ABI_OWN_EXPORT))
            continue;
        uintptr_t by_ordinal = (uintptr_t)GetProcAddress(module, (const char *)(uintptr_t)f->index);
        assert_int_equal(Dll_Find(module, f->name), by_ordinal);
        count++;
    }
    FreeLibrary(module);
    assert_int_equal(count, 59); /* 56 of the original's, and three of our own */
}

TEST(TheFileTellsItsVersion) {
    HMODULE module = Dll_Load();
    HRSRC resource = FindResourceA(module, MAKEINTRESOURCEA(1), MAKEINTRESOURCEA(16));
    assert_non_null(resource);
    const char *bytes = LockResource(LoadResource(module, resource));
    const wchar_t name[] = L"Retropose replacement of Ngi32.dll";
    bool found = false;
    for (DWORD at = 0; at + sizeof name <= SizeofResource(module, resource); at += 2)
        found = found || memcmp(bytes + at, name, sizeof name) == 0;
    FreeLibrary(module);
    assert_true(found);
}

TEST(TheLogIsHeadedByWhatAReaderAsksFirst) {
    Dll_StartLog();
    SetEnvironmentVariableA("RETROPOSE_READINGS", "dot4=pairs");
    FreeLibrary(Dll_Load());
    SetEnvironmentVariableA("RETROPOSE_READINGS", NULL);
    Dll_EndLog();
    assert_int_equal(Dll_CountInLog("Ngi32: Retropose " RETROPOSE_VERSION ", "), 1);
    assert_int_equal(Dll_CountInLog("Ngi32.dll\r\n"), 1);
    assert_int_equal(Dll_CountInLog("g_FastProc: sse build\r\n"), 1);
    assert_int_equal(Dll_CountInLog("readings: dot4=pairs\r\n"), 1);
    DeleteFileA(Dll_LogPath());
    FreeLibrary(Dll_Load());
    assert_int_equal(GetFileAttributesA(Dll_LogPath()),
                     INVALID_FILE_ATTRIBUTES); /* off by default */
}

/* The names have letters of three alphabets, which no code page but UTF-8 has together. */
TEST(TheLogNamesAndIsNamedInAnyAlphabet) {
    wchar_t folder[MAX_PATH], dll[MAX_PATH], log[MAX_PATH], built[MAX_PATH];
    char text[2048];
    const DWORD length = GetTempPathW(MAX_PATH - 64, folder);
    assert_true(length > 0 && length < MAX_PATH - 64);
    _snwprintf(folder + length, 64, L"rps%lu-\u0418\u0433\u0440\u0430-\u05D0-\u03B1",
               GetCurrentProcessId());
    _snwprintf(dll, MAX_PATH, L"%ls\\Ngi32.dll", folder);
    _snwprintf(log, MAX_PATH, L"%ls\\\u05D1-\u0436\u03B2.log", folder);
    assert_true(MultiByteToWideChar(CP_ACP, 0, REPLACEMENT_DIRECTORY "/Ngi32.dll", -1, built,
                                    MAX_PATH) > 0);
    assert_true(CreateDirectoryW(folder, NULL));
    assert_true(CopyFileW(built, dll, TRUE));
    SetEnvironmentVariableW(L"RETROPOSE_LOG", log);
    HMODULE module = LoadLibraryW(dll);
    assert_non_null(module);
    FreeLibrary(module);
    SetEnvironmentVariableW(L"RETROPOSE_LOG", NULL);
    FILE *file = _wfopen(log, L"rb");
    const size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[size] = 0;
    if (file)
        fclose(file);
    DeleteFileW(log);
    DeleteFileW(dll);
    assert_true(RemoveDirectoryW(folder));
    assert_non_null(file);
    assert_non_null(
        strstr(text, "-\xD0\x98\xD0\xB3\xD1\x80\xD0\xB0-\xD7\x90-\xCE\xB1\\Ngi32.dll\r\n"));
}

/* ---- g_FastProc ------------------------------------------------------------------------------ */

TEST(NiGetProcAddressIsTheTableAndNullPastItsEnd) {
    Dll_StartLog();
    HMODULE module = Dll_Load();
    uintptr_t first[3] = {0};
    for (uint32_t i = 0; i < ABI_NGI32_FASTPROC_COUNT; i++) {
        assert_int_not_equal(Table(module)[i], 0);
        assert_int_equal(EXPORT(module, niGetProcAddress)(i), Table(module)[i]);
    }
    first[0] = EXPORT(module, niGetProcAddress)(ABI_NGI32_FASTPROC_COUNT);
    first[1] = EXPORT(module, niGetProcAddress)(0xFFFFFFFF);
    FreeLibrary(module);
    Dll_EndLog();
    assert_int_equal(first[0], 0);
    assert_int_equal(first[1], 0);
    assert_int_equal(Dll_CountInLog("niGetProcAddress: index 68 is past the table's 68 entries"),
                     1);
    assert_int_equal(Dll_CountInLog("niGetProcAddress"), 1);
}

TEST(EntriesWithoutPublicFactsDiffer) {
    HMODULE module = Dll_Load();
    for (int i = 0; i < ABI_NGI32_FASTPROC_COUNT; i++)
        for (int k = 0; k < i; k++)
            assert_int_not_equal(Table(module)[i], Table(module)[k]);
    FreeLibrary(module);
}

/* Finds out the build in the table. The builds differ in slot 45: the generic one demands more than
 * a least normal of descent, and the SSE one lets the far end lie on the plane. */
static RpBuild BuildInTable(HMODULE module) {
    static const float plane[4] = {0, 0, 1, 0}, origin[3] = {0, 0, 0};
    float above[3] = {0, 0, 1}, below[3] = {0, 0, -0x1p-126f}, hit[3];
    if (SLOT(module, 45)(above, origin, plane, hit))
        return RP_BUILD_SSE;
    return SLOT(module, 45)(origin, below, plane, hit) ? RP_BUILD_FXCH : RP_BUILD_GENERIC;
}

/* Replaces HKEY_CURRENT_USER for this process by another key, as long as `key` is open. */
static HKEY BeginRegistry(DWORD type, const void *value, DWORD size) {
    HKEY root, key;
    RegCreateKeyExA(HKEY_CURRENT_USER, "Software\\RetroposeTest", 0, NULL, 0, KEY_ALL_ACCESS, NULL,
                    &root, NULL);
    RegCreateKeyExA(root, "Software\\Nikita\\NgiTool", 0, NULL, 0, KEY_ALL_ACCESS, NULL, &key,
                    NULL);
    if (size)
        RegSetValueExA(key, "ForceCpu", 0, type, value, size);
    RegCloseKey(key);
    assert_int_equal(RegOverridePredefKey(HKEY_CURRENT_USER, root), ERROR_SUCCESS);
    return root;
}

static void EndRegistry(HKEY root) {
    RegOverridePredefKey(HKEY_CURRENT_USER, NULL);
    RegCloseKey(root);
    RegDeleteKeyA(HKEY_CURRENT_USER, "Software\\RetroposeTest\\Software\\Nikita\\NgiTool");
    RegDeleteKeyA(HKEY_CURRENT_USER, "Software\\RetroposeTest\\Software\\Nikita");
    RegDeleteKeyA(HKEY_CURRENT_USER, "Software\\RetroposeTest\\Software");
    RegDeleteKeyA(HKEY_CURRENT_USER, "Software\\RetroposeTest");
}

static RpBuild BuildWithRegistry(DWORD type, const void *value, DWORD size) {
    HKEY root = BeginRegistry(type, value, size);
    HMODULE module = Dll_Load();
    EndRegistry(root);
    RpBuild build = BuildInTable(module);
    FreeLibrary(module);
    return build;
}

TEST(ForceCpuChoosesTheBuild) {
    static const RpBuild forced[] = {[2] = RP_BUILD_SSE, RP_BUILD_GENERIC, RP_BUILD_SSE,
                                     RP_BUILD_SSE,       RP_BUILD_SSE,     RP_BUILD_GENERIC};
    RpProcessor processor;
    RpProcessor_Detect(&processor);
    RpBuild detected = RpProcessor_Build(&processor);
    for (DWORD value = 0; value < 10; value++)
        assert_int_equal(BuildWithRegistry(REG_DWORD, &value, sizeof value),
                         value >= 2 && value <= 7 ? forced[value] : detected);
    assert_int_equal(BuildWithRegistry(REG_NONE, NULL, 0), detected);
    assert_int_equal(BuildWithRegistry(REG_SZ, "7", 2), detected); /* not a number */
    assert_int_equal(BuildWithRegistry(REG_BINARY, "\7\0\0\0", 4), detected);
    assert_int_equal(BuildWithRegistry(REG_DWORD, "\7\0\0\0\0\0\0\0", 8), detected);
}

TEST(ReadingsComeFromTheEnvironment) {
    static const float m[16] = {1, 0, 0, 10, 0, 1, 0, 20, 0, 0, 1, 30, 0, 0, 0, 1};
    static const float v[3] = {1, 2, 3};
    float plain[3], affine[3], malformed[3];
    HMODULE module = Dll_Load();
    SLOT(module, 7)(m, v, plain);
    FreeLibrary(module);
    SetEnvironmentVariableA("RETROPOSE_READINGS", "rotate-vector=affine");
    module = Dll_Load();
    SLOT(module, 7)(m, v, affine);
    FreeLibrary(module);
    Dll_StartLog();
    SetEnvironmentVariableA("RETROPOSE_READINGS", "rotate-vector=affine,nothing");
    module = Dll_Load();
    SLOT(module, 7)(m, v, malformed);
    FreeLibrary(module);
    SetEnvironmentVariableA("RETROPOSE_READINGS", NULL);
    Dll_EndLog();
    assert_true(plain[0] == 1 && affine[0] == 11 && malformed[0] == 1);
    assert_int_equal(Dll_CountInLog("RETROPOSE_READINGS is ignored: unknown reading, at "
                                    "RETROPOSE_READINGS (byte 21)"),
                     1);
}

/* ---- other exports --------------------------------------------------------------------------- */

TEST(MemoryComesFromAHeapOfItsOwn) {
    HMODULE module = Dll_Load();
    uintptr_t block = EXPORT(module, ngiAlloc)(1234), empty = EXPORT(module, ngiAlloc)(0);
    assert_int_not_equal(block, 0);
    assert_int_not_equal(empty, 0);
    memset((void *)block, 0x5A, 1234);
    assert_int_equal(EXPORT(module, ngiGetMemSize)(block), 1234);
    assert_false(HeapValidate(GetProcessHeap(), 0, (const void *)block));
    EXPORT(module, ngiFree)(block);
    EXPORT(module, ngiFree)(empty);
    EXPORT(module, ngiFree)(0); /* what cannot be written is ignored */
    EXPORT(module, ngiFree)(1);
    EXPORT(module, ngiFree)((uintptr_t)GetModuleHandleA(NULL));
    FreeLibrary(module);
}

static uint32_t CounterLow(void) {
    LARGE_INTEGER counter;
    QueryPerformanceCounter(&counter);
    return counter.LowPart;
}

TEST(ClocksAreThePerformanceCounterOrTheTimeStamp) {
    HMODULE module = Dll_Load();
    uint32_t before = CounterLow(), clocks = EXPORT(module, ngiGetClocks)(), after = CounterLow();
    assert_true(clocks - before <= after - before);
    FreeLibrary(module);
    SetEnvironmentVariableA("RETROPOSE_CLOCKS", "rdtsc");
    module = Dll_Load();
    before = (uint32_t)__builtin_ia32_rdtsc();
    clocks = EXPORT(module, ngiGetClocks)();
    after = (uint32_t)__builtin_ia32_rdtsc();
    assert_true(clocks - before <= after - before);
    FreeLibrary(module);
    SetEnvironmentVariableA("RETROPOSE_CLOCKS", NULL);
}

static DWORD WINAPI TakeControlWord(void *word) {
    *(uint16_t *)word = RpFpu_ControlWord();
    return 0;
}

/* As docs/use/modes.md says, the thread that loads the DLL keeps the word. A later thread sets it
 * when it attaches, but Wine then gives the thread's body the system's word. What Windows does is
 * printed, because nobody has measured it. */
TEST(AThreadsBodyHasTheWordThatTheSystemGivesIt) {
    uint16_t word = 0;
    RpFpu_Restore(0x027F);
    HMODULE module = Dll_Load();
    assert_int_equal(RpFpu_ControlWord(), 0x007F);
    HANDLE thread = CreateThread(NULL, 0, TakeControlWord, &word, 0, NULL);
    assert_non_null(thread);
    assert_int_equal(WaitForSingleObject(thread, 10000), WAIT_OBJECT_0);
    CloseHandle(thread);
    FreeLibrary(module);
    RpFpu_Restore(0x027F);
    print_message("a new thread's body has %04X\n", word);
    if (GetProcAddress(GetModuleHandleA("ntdll.dll"), "wine_get_version"))
        assert_int_equal(word, 0x027F);
}

/* An entry of the table is `jmp [target]`. */
static uintptr_t TargetOfGate(uintptr_t gate) {
    const uint8_t *code = (const uint8_t *)gate;
    const uintptr_t *target;
    assert_int_equal(code[0], 0xFF);
    assert_int_equal(code[1], 0x25);
    memcpy(&target, code + 2, sizeof target);
    return *target;
}

TEST(InternalFunctionsAreFoundByTheirAddress) {
    HMODULE module = Dll_Load();
    ABI_PROTO_ngi32_RetroposeInternal((*internal)) = EXPORT(module, RetroposeInternal);
#define INTERNAL(name, address) ((ABI_PROTO_ngi32_##name((*)))internal(address))
    RpFpu_Restore(0x027F);
    INTERNAL(SetFpuControlWord, 0x10006D00)();
    assert_int_equal(RpFpu_ControlWord(), 0x007F);
    /* Asks for builds of slots: those in the table, and those for other processors than this
     * one. */
    assert_int_equal(internal(0x1001D830), TargetOfGate(Table(module)[14]));
    assert_int_not_equal(internal(0x10014540), internal(0x10017E60));
    float above[3] = {0, 0, 0}, below[3] = {0, 0, -0x1p-126f}, plane[4] = {0, 0, 1, 0}, hit[3];
    assert_int_equal(INTERNAL(slot45, 0x1001FA00)(above, below, plane, hit), 0); /* generic */
    assert_int_equal(INTERNAL(slot45, 0x10024410)(above, below, plane, hit), 1); /* FXCH */
    assert_int_equal(internal(0x10002F90), 0);
    assert_int_equal(internal(0x6D00), 0);
#undef INTERNAL
    FreeLibrary(module);
}

/* Calls `function` with `words` equal arguments in registers and on the stack, and returns how many
 * bytes it takes off the stack. */
static uint32_t PoppedBytes(uintptr_t function, uint32_t argument, uint32_t *result) {
    uint32_t before, after, value;
    __asm__ volatile("movl %%esp, %[before]\n\t"
                     "pushl %[argument]\n\tpushl %[argument]\n\tpushl %[argument]\n\t"
                     "pushl %[argument]\n\tpushl %[argument]\n\tpushl %[argument]\n\t"
                     "pushl %[argument]\n\tpushl %[argument]\n\t"
                     "call *%[function]\n\t"
                     "movl %%esp, %[after]\n\t"
                     "movl %[before], %%esp"
                     : [before] "=&b"(before), [after] "=&S"(after), "=&a"(value)
                     : [function] "D"(function), [argument] "c"(argument)
                     : "edx", "cc", "memory");
    *result = value;
    return after - (before - 8 * sizeof(uint32_t));
}

/* Callers rely on the stack pointer after functions that have no body, and after those that refuse,
 * too. */
TEST(EveryStubPopsItsOwnArguments) {
    static const char text[] = "no-such-file";
    HMODULE module = Dll_Load();
    int count = 0;
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        if (f->module != ABI_NGI32 || f->kind != ABI_EXPORT ||
            (f->provider != ABI_NOOP && f->provider != ABI_REFUSED))
            continue;
        uint32_t result;
        uint32_t popped =
            PoppedBytes(Dll_Find(module, f->name), (uint32_t)(uintptr_t)text, &result);
        if (popped != Abi_StackArgumentBytes(f))
            fail_msg("%s pops %u bytes", f->name, (unsigned)popped);
        if (strcmp(f->returns, "void") != 0)
            assert_int_equal(result, strcmp(f->name, "rsFind") == 0 ? 0xFFFFFFFF : 0);
        count++;
    }
    FreeLibrary(module);
    assert_int_equal(count, 22);
}

TEST(RefusalsAreLogged) {
    Dll_StartLog();
    HMODULE module = Dll_Load();
    EXPORT(module, rsLoadPacked)(0, 0);
    EXPORT(module, ngiUnpack)(0);
    for (int i = 0; i < 3; i++)
        EXPORT(module, niGet3DRender)();
    FreeLibrary(module);
    Dll_EndLog();
    assert_int_equal(Dll_CountInLog("rsLoadPacked fails"), 1);
    assert_int_equal(Dll_CountInLog("ngiUnpack fails"), 1);
    assert_int_equal(Dll_CountInLog("niGet3DRender fails"), 1); /* logged once only */
}

/* ---- mailslot -------------------------------------------------------------------------------- */

static HANDLE OpenMailslot(void) {
    HANDLE mailslot = CreateMailslotA("\\\\.\\mailslot\\ndebug", 0, 0, NULL);
    assert_ptr_not_equal(mailslot, INVALID_HANDLE_VALUE);
    return mailslot;
}

static void CheckMessage(HANDLE mailslot, const char *expected) {
    char message[600];
    DWORD length = 0;
    assert_true(ReadFile(mailslot, message, sizeof message, &length, NULL));
    assert_int_equal(length, strlen(expected)); /* without a terminator */
    assert_memory_equal(message, expected, length);
}

TEST(DebugStringsGoToTheMailslotOneMessageACall) {
    HMODULE module = Dll_Load();
    EXPORT(module, niOutputDebugString)("nobody listens");
    HANDLE mailslot = OpenMailslot();
    EXPORT(module, niOutputDebugString)("first");
    EXPORT(module, niOutputDebugString)("second one");
    CheckMessage(mailslot, "first");
    CheckMessage(mailslot, "second one");
    CloseHandle(mailslot);
    FreeLibrary(module);
}

/* ---- the end of a process -------------------------------------------------------------------- */

typedef struct Ending {
    const char *name;
    void (*end)(HMODULE module);
    const char *logged;
} Ending;

static void EndByNumber(HMODULE module) {
    EXPORT(module, ngiProcessError)(77);
}
static void EndByText(HMODULE module) {
    EXPORT(module, ngiProcessError)((uintptr_t) "all is lost");
}
static void EndByMemory(HMODULE module) {
    EXPORT(module, ngiAlloc)(0xFFFF0000);
}
static void EndBySlot(HMODULE module) {
    ((void (*)(void))Table(module)[67])();
}
static void EndByExport(HMODULE module) {
    EXPORT(module, niMuteSound)();
}
/* Debug mode shows no message box to wait at, whatever the environment says. */
static void EndInDebugMode(HMODULE module) {
    SetEnvironmentVariableA("RETROPOSE_NO_MESSAGE_BOX", NULL);
    EXPORT(module, ngiSetDebugOutput)((uintptr_t) "debug.txt");
    EXPORT(module, ngiSetDebugOutput)(1);
    EXPORT(module, ngiProcessError)(78);
}

static const Ending endings[] = {
    {"number", EndByNumber, "fatal error: Error No.77\r\n"},
    {"text", EndByText, "fatal error: all is lost\r\n"},
    {"memory", EndByMemory, "fatal error: Error No.16\r\n"},
    {"slot", EndBySlot, "fatal error: g_FastProc[67] was called."},
    {"export", EndByExport, "fatal error: niMuteSound was called."},
    {"debug-mode", EndInDebugMode, "fatal error: Error No.78\r\n"},
};
enum { ENDING_COUNT = sizeof endings / sizeof *endings };

static int RunEnding(const char *name) {
    HMODULE module = Dll_Load();
    for (int i = 0; i < ENDING_COUNT; i++)
        if (strcmp(endings[i].name, name) == 0)
            endings[i].end(module);
    return EXIT_FAILURE; /* reached only if the call came back */
}

TEST(FatalErrorsEndTheProcessWithCode4) {
    SetEnvironmentVariableA("RETROPOSE_NO_MESSAGE_BOX", "1");
    for (int i = 0; i < ENDING_COUNT; i++) {
        Dll_StartLog();
        DWORD code = Dll_ExitCodeOfChild(endings[i].name);
        Dll_EndLog();
        if (code != FATAL_EXIT_CODE)
            fail_msg("%s: exit code %lu", endings[i].name, code);
        if (Dll_CountInLog(endings[i].logged) != 1)
            fail_msg("%s: not in the log: %s", endings[i].name, endings[i].logged);
    }
}

TEST(FatalErrorsReachTheMailslot) {
    HANDLE mailslot = OpenMailslot();
    SetEnvironmentVariableA("RETROPOSE_NO_MESSAGE_BOX", "1");
    Dll_ExitCodeOfChild("number");
    Dll_ExitCodeOfChild("text");
    CheckMessage(mailslot, "Error No.77");
    CheckMessage(mailslot, "all is lost");
    CloseHandle(mailslot);
}

AROUND_ALL(Dll_BeginTests, Dll_EndTests)

int main(int argc, char **argv) {
    if (argc == 2)
        return RunEnding(argv[1]);
    return Tests_Run();
}
