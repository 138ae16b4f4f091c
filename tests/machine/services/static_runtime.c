/* A DLL that starts as one of 2001 with a static C runtime does: its entry point asks Windows what
 * such a runtime asks, in about its order (the documentation of Visual C++ 6.0 names the functions
 * that the runtime needs, KB Q323635 its choice of a heap), and holds each answer against what
 * Microsoft documents of the function. It returns FALSE at the first one that is wrong, with the
 * line of this file in the thread block's ArbitraryUserPointer (FS:[14h]), which nobody else uses.
 *
 * It has no runtime library itself. */
#include <windows.h>

#undef InterlockedIncrement
#undef InterlockedDecrement
#undef InterlockedExchange
__declspec(dllimport) LONG WINAPI InterlockedIncrement(LONG volatile *number);
__declspec(dllimport) LONG WINAPI InterlockedDecrement(LONG volatile *number);
__declspec(dllimport) LONG WINAPI InterlockedExchange(LONG volatile *number, LONG value);

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            Note(__LINE__);                                                                        \
            return FALSE;                                                                          \
        }                                                                                          \
    } while (0)

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, void *reserved);
/* The test calls this after loading. It adds to a block of the heap, so that the heap must still be
 * there. */
__declspec(dllexport) DWORD Runtime_Count(void);

static HANDLE heap;
static DWORD slot, *counter;
static CRITICAL_SECTION section;
static LPTOP_LEVEL_EXCEPTION_FILTER filter_before;
static volatile LONG handled;

static void Note(DWORD line) {
    __asm__ volatile("movl %0, %%fs:0x14" : : "r"(line));
}

static DWORD Thread(DWORD offset) {
    DWORD value;
    __asm__ volatile("movl %%fs:(%1), %0" : "=r"(value) : "r"(offset));
    return value;
}

static DWORD Length(const char *text) {
    DWORD length = 0;
    while (text[length])
        length++;
    return length;
}

/* ---- the process and its thread -------------------------------------------------------------- */

static BOOL StartThread(void) {
    DWORD version = GetVersion(), here = (DWORD)(ULONG_PTR)&version;
    CHECK((version & 0xFF) >= 4 && (version & 0xFF) <= 10);
    CHECK(!(version & 0x80000000)); /* the version is of the NT family */
    /* FS:[18h] holds the block's own address. The ends of the stack are next to it. */
    const DWORD *block = (const DWORD *)(ULONG_PTR)Thread(0x18);
    CHECK(block[6] == (DWORD)(ULONG_PTR)block);
    CHECK(block[1] == Thread(4) && block[1] > here && block[1] % 4096 == 0);
    CHECK(block[2] == Thread(8) && block[2] <= here && block[2] % 4096 == 0);
    CHECK(GetCurrentThreadId() != 0 && GetCurrentThreadId() == Thread(0x24));
    CHECK(GetCurrentProcessId() != 0 && GetCurrentProcessId() == Thread(0x20));
    CHECK(GetCurrentProcess() == (HANDLE)(LONG_PTR)-1);
    SetLastError(1234);
    CHECK(GetLastError() == 1234 && Thread(0x34) == 1234);

    slot = TlsAlloc();
    CHECK(slot != TLS_OUT_OF_INDEXES);
    CHECK(TlsGetValue(slot) == NULL && GetLastError() == 0);
    CHECK(TlsSetValue(slot, &slot));
    SetLastError(1234);
    CHECK(TlsGetValue(slot) == &slot && GetLastError() == 0);
    CHECK(TlsGetValue(0xFFFF) == NULL && GetLastError() == ERROR_INVALID_PARAMETER);
    return TRUE;
}

/* A runtime of that time takes the system's heap if the program was linked for a version of Windows
 * that has a good one. Otherwise it makes its own on top of VirtualAlloc. */
static BOOL StartHeap(void) {
    const BYTE *program = (const BYTE *)GetModuleHandleA(NULL);
    CHECK(program && program[0] == 'M' && program[1] == 'Z');
    const IMAGE_NT_HEADERS *header =
        (const IMAGE_NT_HEADERS *)(program + ((const IMAGE_DOS_HEADER *)program)->e_lfanew);
    CHECK(header->Signature == IMAGE_NT_SIGNATURE);
    CHECK(header->OptionalHeader.MajorLinkerVersion != 0);

    heap = HeapCreate(HEAP_NO_SERIALIZE, 0x1000, 0);
    CHECK(heap != NULL);
    DWORD *block = HeapAlloc(heap, 0, 0x480);
    CHECK(block && (ULONG_PTR)block % 8 == 0);
    CHECK(HeapSize(heap, 0, block) == 0x480);
    counter = HeapAlloc(heap, HEAP_ZERO_MEMORY, 24);
    CHECK(counter && counter[0] == 0 && counter[5] == 0);
    block[0x11F] = 0xCAFE;
    block = HeapReAlloc(heap, 0, block, 0x10000);
    CHECK(block && block[0x11F] == 0xCAFE && HeapSize(heap, 0, block) == 0x10000);
    CHECK(HeapValidate(heap, 0, NULL));
    CHECK(HeapFree(heap, 0, block));

    /* Reserves 4 MiB of addresses, of which the first 64 KiB become memory, as the runtime's own
     * heap begins. */
    BYTE *region = VirtualAlloc(NULL, 0x400000, MEM_RESERVE, PAGE_READWRITE);
    CHECK(region && (ULONG_PTR)region % 0x10000 == 0);
    CHECK(IsBadReadPtr(region, 1));
    CHECK(VirtualAlloc(region, 0x10000, MEM_COMMIT, PAGE_READWRITE) == region);
    CHECK(region[0] == 0 && region[0xFFFF] == 0);
    CHECK(!IsBadWritePtr(region, 0x10000) && IsBadReadPtr(region, 0x10001));
    region[0] = 1;
    MEMORY_BASIC_INFORMATION facts;
    CHECK(VirtualQuery(region + 0x8000, &facts, sizeof facts) == sizeof facts);
    CHECK(facts.AllocationBase == region && facts.State == MEM_COMMIT &&
          facts.Protect == PAGE_READWRITE && facts.RegionSize == 0x8000);
    CHECK(VirtualFree(region, 0x10000, MEM_DECOMMIT));
    CHECK(VirtualAlloc(region, 0x1000, MEM_COMMIT, PAGE_READWRITE) == region && region[0] == 0);
    CHECK(!VirtualFree(region, 0x1000, MEM_RELEASE)); /* a size must not be given */
    CHECK(VirtualFree(region, 0, MEM_RELEASE));
    CHECK(VirtualQuery(region, &facts, sizeof facts) && facts.State == MEM_FREE);
    return TRUE;
}

static BOOL StartLocks(void) {
    LONG number = 41;
    InitializeCriticalSection(&section);
    EnterCriticalSection(&section);
    EnterCriticalSection(&section);
    LeaveCriticalSection(&section);
    LeaveCriticalSection(&section);
    CHECK(section.RecursionCount == 0 && section.OwningThread == NULL);
    CHECK(InterlockedIncrement(&number) == 42 && number == 42);
    CHECK(InterlockedDecrement(&number) == 41 && number == 41);
    CHECK(InterlockedExchange(&number, -1) == 41 && number == -1);
    return TRUE;
}

/* ---- streams, the command line and the environment ------------------------------------------- */

static BOOL StartStreams(void) {
    STARTUPINFOA info;
    info.cb = 0;
    GetStartupInfoA(&info);
    CHECK(info.cb == sizeof info);
    CHECK(info.cbReserved2 == 0 || info.lpReserved2 != NULL);
    static const DWORD streams[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    for (int i = 0; i < 3; i++) {
        HANDLE handle = GetStdHandle(streams[i]);
        if (handle && handle != INVALID_HANDLE_VALUE)
            CHECK((GetFileType(handle) & 0x7FFFu) <= FILE_TYPE_PIPE);
    }
    CHECK(GetStdHandle(77) == INVALID_HANDLE_VALUE);
    CHECK(GetFileType((HANDLE)(ULONG_PTR)0x12340) == FILE_TYPE_UNKNOWN);
    CHECK(SetHandleCount(32) == 32);
    return TRUE;
}

static BOOL StartTexts(void) {
    char path[MAX_PATH], cut[4];
    const char *line = GetCommandLineA();
    CHECK(line && line[0] && line == GetCommandLineA());
    DWORD length = GetModuleFileNameA(NULL, path, sizeof path);
    CHECK(length > 4 && length < sizeof path && Length(path) == length);
    CHECK(path[1] == ':' && path[2] == '\\');
    CHECK(GetModuleFileNameA(NULL, cut, sizeof cut) == sizeof cut && cut[0] == path[0]);

    /* Checks that the lines of both forms, each with a zero after it and one more zero at the end,
     * are equally many. */
    WCHAR *wide = GetEnvironmentStringsW();
    char *narrow = GetEnvironmentStrings();
    CHECK(wide && narrow);
    DWORD wide_lines = 0, narrow_lines = 0;
    for (const WCHAR *at = wide; *at; wide_lines++)
        while (*at++)
            continue;
    for (const char *at = narrow; *at; narrow_lines++)
        at += Length(at) + 1;
    CHECK(wide_lines == narrow_lines);
    CHECK(FreeEnvironmentStringsW(wide) && FreeEnvironmentStringsA(narrow));
    return TRUE;
}

/* ---- characters ------------------------------------------------------------------------------ */

static BOOL StartCharacters(void) {
    CPINFO info;
    UINT page = GetACP();
    CHECK(page != 0 && page != CP_UTF8 && GetOEMCP() != 0);
    CHECK(GetCPInfo(page, &info) && (info.MaxCharSize == 1 || info.MaxCharSize == 2));
    CHECK(!GetCPInfo(12345, &info));
    if (info.MaxCharSize > 1) /* the following checks are about tables of 256 characters */
        return TRUE;
    CHECK(info.LeadByte[0] == 0 && info.LeadByte[1] == 0);

    static char bytes[256], back[256], lower[256];
    static WCHAR wide[256], wide_lower[256];
    static WORD kinds[256], wide_kinds[256];
    for (int i = 0; i < 256; i++)
        bytes[i] = (char)i;
    bytes[0] = ' ';
    CHECK(MultiByteToWideChar(page, MB_PRECOMPOSED, bytes, 256, NULL, 0) == 256);
    CHECK(MultiByteToWideChar(page, MB_PRECOMPOSED, bytes, 256, wide, 256) == 256);
    CHECK(wide['A'] == 'A' && wide['~'] == '~' && wide[0] == ' ');
    CHECK(MultiByteToWideChar(page, 0, "four", -1, wide_lower, 256) == 5 && wide_lower[4] == 0);
    CHECK(MultiByteToWideChar(page, 0, "four", -1, wide_lower, 3) == 0 &&
          GetLastError() == ERROR_INSUFFICIENT_BUFFER);
    CHECK(WideCharToMultiByte(page, 0, wide, 256, NULL, 0, NULL, NULL) == 256);
    CHECK(WideCharToMultiByte(page, 0, wide, 256, back, 256, NULL, NULL) == 256);
    for (int i = 0; i < 256; i++)
        CHECK(back[i] == bytes[i]);

    CHECK(GetStringTypeW(CT_CTYPE1, L"\0", 1, wide_kinds) && (wide_kinds[0] & 0x1FF) == C1_CNTRL);
    CHECK(GetStringTypeW(CT_CTYPE1, wide, 256, wide_kinds));
    CHECK(GetStringTypeA(0, CT_CTYPE1, bytes, 256, kinds));
    for (int i = 0; i < 256; i++)
        CHECK(kinds[i] == wide_kinds[i]);
    CHECK((kinds['A'] & 0x1FF) == (C1_UPPER | C1_XDIGIT | C1_ALPHA));
    CHECK((kinds['z'] & 0x1FF) == (C1_LOWER | C1_ALPHA));
    CHECK((kinds['7'] & 0x1FF) == (C1_DIGIT | C1_XDIGIT));
    CHECK((kinds[' '] & 0x1FF) == (C1_SPACE | C1_BLANK));
    CHECK((kinds['\n'] & 0x1FF) == (C1_SPACE | C1_CNTRL));
    CHECK((kinds['!'] & 0x1FF) == C1_PUNCT);

    CHECK(LCMapStringW(0, LCMAP_LOWERCASE, L"\0", 1, NULL, 0) == 1);
    CHECK(LCMapStringA(0, LCMAP_LOWERCASE, bytes, 256, NULL, 0) == 256);
    CHECK(LCMapStringA(0, LCMAP_LOWERCASE, bytes, 256, lower, 256) == 256);
    CHECK(LCMapStringW(0, LCMAP_LOWERCASE, wide, 256, wide_lower, 256) == 256);
    CHECK(WideCharToMultiByte(page, 0, wide_lower, 256, back, 256, NULL, NULL) == 256);
    for (int i = 0; i < 256; i++)
        CHECK(lower[i] == back[i]);
    CHECK(lower['Q'] == 'q' && lower['q'] == 'q' && lower['['] == '[');
    CHECK(LCMapStringA(0, LCMAP_UPPERCASE, "Mixed", -1, lower, 256) == 6 && lower[1] == 'I');
    return TRUE;
}

/* ---- exceptions and modules ------------------------------------------------------------------ */

static LONG WINAPI Filter(EXCEPTION_POINTERS *pointers) {
    (void)pointers;
    return EXCEPTION_CONTINUE_SEARCH;
}

/* Continues after the two bytes that faulted. */
static EXCEPTION_DISPOSITION __cdecl Handle(EXCEPTION_RECORD *record, void *frame, CONTEXT *context,
                                            void *dispatcher) {
    (void)frame;
    (void)dispatcher;
    if (record->ExceptionCode != EXCEPTION_ACCESS_VIOLATION || record->NumberParameters != 2 ||
        record->ExceptionInformation[0] != 1 || record->ExceptionInformation[1] != 16 ||
        (DWORD)(ULONG_PTR)record->ExceptionAddress != context->Eip)
        return ExceptionContinueSearch;
    handled++;
    context->Eip += 2;
    return ExceptionContinueExecution;
}

static BOOL StartExceptions(void) {
    WORD control;
    filter_before = SetUnhandledExceptionFilter(Filter);
    CHECK(SetUnhandledExceptionFilter(filter_before) == Filter);
    __asm__ volatile("fnstcw %0" : "=m"(control));
    CHECK((control & 0x3F) == 0x3F); /* a thread begins with all exceptions masked */
    DWORD chain = Thread(0);
    __asm__ volatile("pushl %0\n\tpushl %%fs:0\n\tmovl %%esp, %%fs:0\n\t"
                     "movl $16, %%eax\n\tmovl %%eax, (%%eax)\n\t"
                     "popl %%fs:0\n\taddl $4, %%esp"
                     :
                     : "r"(Handle)
                     : "eax", "memory");
    CHECK(handled == 1 && Thread(0) == chain);
    CHECK(IsBadReadPtr((void *)(ULONG_PTR)16, 1) && IsBadWritePtr((void *)(ULONG_PTR)Handle, 1));
    CHECK(!IsBadCodePtr((FARPROC)(ULONG_PTR)Handle) && !IsBadReadPtr(&heap, 4));
    return TRUE;
}

static BOOL StartModules(HINSTANCE instance) {
    /* The runtime asks whether the processor divides correctly, but only if the function for that
     * exists. */
    HMODULE kernel = GetModuleHandleA("KERNEL32");
    CHECK(kernel && kernel == GetModuleHandleA("kernel32.dll"));
    BOOL(WINAPI * is_present)
    (DWORD) = (BOOL(WINAPI *)(DWORD))(ULONG_PTR)GetProcAddress(kernel, "IsProcessorFeaturePresent");
    CHECK(is_present && !is_present(PF_FLOATING_POINT_PRECISION_ERRATA));
    CHECK(is_present(PF_COMPARE_EXCHANGE_DOUBLE));
    CHECK(!GetProcAddress(kernel, "NoSuchFunction") && GetLastError() == ERROR_PROC_NOT_FOUND);
    CHECK(!GetModuleHandleA("no such module.dll") && GetLastError() == ERROR_MOD_NOT_FOUND);
    /* This module would show messages about errors, which nobody sees here. */
    HMODULE user = LoadLibraryA("user32.dll");
    CHECK(user && GetProcAddress(user, "MessageBoxA") && GetProcAddress(user, "GetActiveWindow") &&
          GetProcAddress(user, "GetLastActivePopup"));
    char path[MAX_PATH];
    CHECK(GetModuleFileNameA(instance, path, sizeof path) == Length(path));
    const IMAGE_DOS_HEADER *own = (const IMAGE_DOS_HEADER *)instance;
    CHECK(own->e_magic == IMAGE_DOS_SIGNATURE);
    return TRUE;
}

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, void *reserved) {
    (void)reserved;
    if (reason != DLL_PROCESS_ATTACH)
        return TRUE;
    return StartThread() && StartHeap() && StartLocks() && StartStreams() && StartTexts() &&
           StartCharacters() && StartExceptions() && StartModules(instance);
}

DWORD Runtime_Count(void) {
    EnterCriticalSection(&section);
    DWORD count = TlsGetValue(slot) == &slot ? ++counter[5] : 0;
    LeaveCriticalSection(&section);
    return count;
}
