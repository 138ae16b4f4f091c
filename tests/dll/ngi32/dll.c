#include "dll.h"

#include "tests/dll/child.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define DLL_PATH REPLACEMENT_DIRECTORY "/Ngi32.dll"

static char log_path[MAX_PATH];

HMODULE dll_module;
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

void Dll_ReloadWithLog(void) {
    FreeLibrary(dll_module);
    Dll_StartLog();
    dll_module = Dll_Load();
}

void Dll_ReloadWithoutLog(void) {
    FreeLibrary(dll_module);
    Dll_EndLog();
    dll_module = Dll_Load();
}

void Dll_AssertBadFile(const char *call, uint32_t flags, const BadFile *bad) {
    char line[MAX_PATH + 64];
    const char *path = Dll_Path(bad->name);
    Dll_WriteFile(path, bad->bytes, bad->size);
    Dll_ReloadWithLog();
    ABI_PROTO_ngi32_niOpenResFileEx((*open)) = /* rsOpenLib has the same prototype */
        (ABI_PROTO_ngi32_niOpenResFileEx((*)))Dll_Find(dll_module, call);
    assert_int_equal(open(path, flags), 0);
    Dll_ReloadWithoutLog();
    snprintf(line, sizeof line, "%s(\"%s\") fails: ", call, path);
    assert_int_equal(Dll_CountInLog("fails: "), 1);
    assert_int_equal(Dll_CountInLog(line), 1);
    if (Dll_CountInLog(bad->words) < 1)
        fail_msg("%s no \"%s\" in the log", line, bad->words);
}

void Dll_RunThreads(LPTHREAD_START_ROUTINE body, void *context) {
    HANDLE threads[DLL_THREADS];
    for (int i = 0; i < DLL_THREADS; i++)
        threads[i] = CreateThread(NULL, 0, body, context, 0, NULL);
    WaitForMultipleObjects(DLL_THREADS, threads, TRUE, INFINITE);
    for (int i = 0; i < DLL_THREADS; i++)
        CloseHandle(threads[i]);
}

int Dll_BeginTestsOfFiles(void **state) {
    char temporary[MAX_PATH];
    if (Dll_BeginTests(state) || !GetTempPathA(sizeof temporary, temporary))
        return -1;
    snprintf(dll_folder, sizeof dll_folder, "%srps%lu\\", temporary, GetCurrentProcessId());
    dll_module = Dll_Load();
    return CreateDirectoryA(dll_folder, NULL) ? 0 : -1;
}

int Dll_EndTestsOfFiles(void **state) {
    FreeLibrary(dll_module);
    WIN32_FIND_DATAA found;
    HANDLE search = FindFirstFileA(Dll_Path("*"), &found);
    do
        DeleteFileA(Dll_Path(found.cFileName));
    while (FindNextFileA(search, &found));
    FindClose(search);
    Dll_EndTests(state);
    return RemoveDirectoryA(dll_folder) ? 0 : -1;
}
