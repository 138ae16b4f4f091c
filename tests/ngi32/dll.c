#include "dll.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define DLL_PATH REPLACEMENT_DIRECTORY "/Ngi32.dll"

enum { LOG_BYTES = 65536, CHILD_MILLISECONDS = 60000 };

static char log_path[MAX_PATH];

HMODULE Dll_Load(void) {
    HMODULE module = LoadLibraryA(DLL_PATH);
    if (!module)
        fail_msg("%s: error %lu", DLL_PATH, GetLastError());
    return module;
}

uintptr_t Dll_Find(HMODULE module, const char *name) {
    uintptr_t address = (uintptr_t)GetProcAddress(module, name);
    if (!address)
        fail_msg("no export %s", name);
    return address;
}

void Dll_StartLog(void) {
    DeleteFileA(log_path);
    SetEnvironmentVariableA("RETROPOSE_LOG", log_path);
}

void Dll_EndLog(void) {
    SetEnvironmentVariableA("RETROPOSE_LOG", NULL);
}

const char *Dll_LogPath(void) {
    return log_path;
}

int Dll_CountInLog(const char *words) {
    static char text[LOG_BYTES];
    int count = 0;
    FILE *file = fopen(log_path, "rb");
    size_t length = file ? fread(text, 1, LOG_BYTES - 1, file) : 0;
    text[length] = 0;
    if (file)
        fclose(file);
    for (const char *at = text; (at = strstr(at, words)) != NULL; at++)
        count++;
    return count;
}

DWORD Dll_ExitCodeOfChild(const char *name) {
    char program[MAX_PATH], command[MAX_PATH + 64];
    STARTUPINFOA startup = {.cb = sizeof startup};
    PROCESS_INFORMATION process;
    DWORD code = STILL_ACTIVE;
    GetModuleFileNameA(NULL, program, sizeof program);
    snprintf(command, sizeof command, "\"%s\" %s", program, name);
    assert_true(
        CreateProcessA(program, command, NULL, NULL, FALSE, 0, NULL, NULL, &startup, &process));
    if (WaitForSingleObject(process.hProcess, CHILD_MILLISECONDS) == WAIT_TIMEOUT)
        TerminateProcess(process.hProcess, 99);
    WaitForSingleObject(process.hProcess, INFINITE);
    GetExitCodeProcess(process.hProcess, &code);
    CloseHandle(process.hThread);
    CloseHandle(process.hProcess);
    return code;
}

int Dll_BeginTests(void **state) {
    (void)state;
    char folder[MAX_PATH];
    return GetTempPathA(sizeof folder, folder) && GetTempFileNameA(folder, "rps", 0, log_path) ? 0
                                                                                               : -1;
}

int Dll_EndTests(void **state) {
    (void)state;
    DeleteFileA(log_path);
    return 0;
}
