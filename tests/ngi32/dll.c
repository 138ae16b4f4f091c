#include "dll.h"

#include "tests/host/child.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define DLL_PATH REPLACEMENT_DIRECTORY "/Ngi32.dll"

static char log_path[MAX_PATH];

char dll_folder[MAX_PATH];

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
    return Child_CountInLog(log_path, words);
}

void Dll_AssertFailed(const char *call, const char *reason) {
    assert_int_equal(Dll_CountInLog("fails: "), 1);
    assert_int_equal(Dll_CountInLog(call), 1);
    if (Dll_CountInLog(reason) < 1)
        fail_msg("%s no \"%s\" in the log", call, reason);
}

DWORD Dll_ExitCodeOfChild(const char *name) {
    char program[MAX_PATH], command[MAX_PATH + 64];
    GetModuleFileNameA(NULL, program, sizeof program);
    snprintf(command, sizeof command, "\"%s\" %s", program, name);
    return Child_ExitCode(program, command);
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

/* ---- files ----------------------------------------------------------------------------------- */

const char *Dll_Path(const char *name) {
    static char paths[8][MAX_PATH];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, MAX_PATH, "%s%s", dll_folder, name);
    return path;
}

void Dll_WriteFile(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

int Dll_BeginTestsOfFiles(void **state) {
    char temporary[MAX_PATH];
    if (Dll_BeginTests(state) || !GetTempPathA(sizeof temporary, temporary))
        return -1;
    snprintf(dll_folder, sizeof dll_folder, "%srps%lu\\", temporary, GetCurrentProcessId());
    return CreateDirectoryA(dll_folder, NULL) ? 0 : -1;
}

int Dll_EndTestsOfFiles(void **state) {
    WIN32_FIND_DATAA found;
    HANDLE search = FindFirstFileA(Dll_Path("*"), &found);
    do
        DeleteFileA(Dll_Path(found.cFileName));
    while (FindNextFileA(search, &found));
    FindClose(search);
    Dll_EndTests(state);
    return RemoveDirectoryA(dll_folder) ? 0 : -1;
}
