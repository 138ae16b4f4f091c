/* Tests of what the stand-in's Ngi32.dll asks of the system, and of how it ends the process. */
#include "checked_call.h"
#include "pair.h"
#include "tests/test.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

LOADED_TEST(TestMemory) {
    CheckedFrame frame = CALL("ngi32.ngiAlloc", ngi32 + 0x19E50, CONTROL_SINGLE, 1000);
    assert_int_not_equal(frame.eax, 0);
    memset((void *)(uintptr_t)frame.eax, 0x55, 1000);
    assert_int_equal(CALL("ngi32.ngiGetMemSize", ngi32 + 0x197A0, CONTROL_SINGLE, frame.eax).eax,
                     1000);
    CALL("ngi32.ngiFree", ngi32 + 0x19E80, CONTROL_SINGLE, frame.eax);
    CALL("ngi32.ngiFree", ngi32 + 0x19E80, CONTROL_SINGLE, 0);
    uint32_t first = CALL("ngi32.ngiGetClocks", ngi32 + 0x045B0, CONTROL_SINGLE, 0).eax;
    LARGE_INTEGER now;
    QueryPerformanceCounter(&now);
    assert_in_range(now.LowPart - first, 0, 100000000);
}

LOADED_TEST(TestDebugOutputSettings) {
    const uint8_t *target = ngi32 + 0x04170;
    CALL("ngi32.ngiSetDebugOutput", target, CONTROL_SINGLE, P("debug.log"));
    assert_string_equal((const char *)(uintptr_t)Memory_Dword(ngi32 + 0x3A384), "debug.log");
    assert_int_equal(Memory_Dword(ngi32 + 0x3A188), 0);
    CALL("ngi32.ngiSetDebugOutput", target, CONTROL_SINGLE, 1);
    assert_int_equal(Memory_Dword(ngi32 + 0x3A188), 1);
    CALL("ngi32.ngiSetDebugOutput", target, CONTROL_SINGLE, 0);
    assert_int_equal(Memory_Dword(ngi32 + 0x3A188), 0);
    assert_int_equal(Memory_Dword(ngi32 + 0x3A384), 0);
}

static HANDLE mailslot;

static void CheckMail(const char *expected) {
    char text[600];
    DWORD bytes = 0;
    assert_true(ReadFile(mailslot, text, sizeof text - 1, &bytes, NULL));
    text[bytes] = 0;
    assert_string_equal(text, expected);
}

/* Runs what ends the process in a child, which is this program with a word. Returns the exit code
 * and what the child wrote to the standard error handle. */
static DWORD RunChild(const char *word, char *said, DWORD size) {
    char command[MAX_PATH + 64], path[MAX_PATH];
    GetModuleFileNameA(NULL, path, sizeof path);
    snprintf(command, sizeof command, "\"%s\" %s", path, word);
    HANDLE reader, writer;
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    assert_true(CreatePipe(&reader, &writer, &inherited, 0));
    STARTUPINFOA startup = {.cb = sizeof startup, .dwFlags = STARTF_USESTDHANDLES};
    startup.hStdError = writer;
    PROCESS_INFORMATION process;
    assert_true(CreateProcessA(NULL, command, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &process));
    CloseHandle(writer);
    assert_int_equal(WaitForSingleObject(process.hProcess, 60000), WAIT_OBJECT_0);
    DWORD code = 0, bytes = 0;
    assert_true(GetExitCodeProcess(process.hProcess, &code));
    if (!ReadFile(reader, said, size - 1, &bytes, NULL))
        bytes = 0; /* the child wrote nothing */
    said[bytes] = 0;
    CloseHandle(reader);
    CloseHandle(process.hThread);
    CloseHandle(process.hProcess);
    return code;
}

static void ExpectEnd(const char *word, DWORD code, const char *words) {
    char said[300];
    assert_int_equal(RunChild(word, said, sizeof said), code);
    assert_string_equal(said, words);
}

static int Child(const char *word) {
    Pair_LoadForced(REG_NONE, 0);
    if (strcmp(word, "number") == 0)
        CALL("ngi32.ngiProcessError", ngi32 + 0x04340, CONTROL_SINGLE, 499);
    if (strcmp(word, "text") == 0)
        CALL("ngi32.ngiProcessError", ngi32 + 0x04340, CONTROL_SINGLE, P("out of luck"));
    if (strcmp(word, "memory") == 0)
        CALL("ngi32.ngiAlloc", ngi32 + 0x19E50, CONTROL_SINGLE, 0xFFFFFFF0);
    if (strcmp(word, "slot") == 0)
        ((void (*)(void))(uintptr_t)Pair_FastProc()[0])();
    if (strcmp(word, "function") == 0)
        ((void (*)(void))(uintptr_t)(animesh + 0x0A460))();
    if (strcmp(word, "export") == 0)
        ((void (*)(void))(uintptr_t)GetProcAddress((HMODULE)ngi32, "niMuteSound"))();
    return 0; /* reached only if the call came back */
}

LOADED_TEST(TestFatalPaths) {
    mailslot = CreateMailslotA("\\\\.\\mailslot\\ndebug", 0, 1000, NULL);
    assert_true(mailslot != INVALID_HANDLE_VALUE);
    CALL("ngi32.niOutputDebugString", ngi32 + 0x029A0, CONTROL_SINGLE, P("hello"));
    CheckMail("hello");
    ExpectEnd("number", 4, "");
    CheckMail("Error No.499");
    ExpectEnd("text", 4, "");
    CheckMail("out of luck");
    ExpectEnd("memory", 4, "");
    CheckMail("Error No.16");
    CloseHandle(mailslot);
    ExpectEnd("text", 4, ""); /* nobody reads the mailslot */
    ExpectEnd("slot", 90, "Retropose stand-in: a table entry without public facts was called\n");
    ExpectEnd("function", 91,
              "Retropose stand-in: the original's function at 0x1000A460 is not in the stand-in\n");
    char expected[128];
    uint32_t rva =
        P((const void *)(uintptr_t)GetProcAddress((HMODULE)ngi32, "niMuteSound")) - P(ngi32);
    snprintf(expected, sizeof expected,
             "Retropose stand-in: the original's function at 0x%08X is not in the stand-in\n",
             0x10000000 + rva);
    ExpectEnd("export", 91, expected);
}

int main(int argc, char **argv) {
    if (argc > 1)
        return Child(argv[1]);
    return Tests_Run();
}
