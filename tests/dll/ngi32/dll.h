/* Helpers that the tests of the built Ngi32.dll share: loading it, reading its log, and starting
 * child processes that may end in it. */
#ifndef RETROPOSE_TESTS_DLL_NGI32_DLL_H
#define RETROPOSE_TESTS_DLL_NGI32_DLL_H

#include "prototypes.h"

#include <stdint.h>
#include <windows.h>
#undef cdecl     /* windows.h defines this name, which exports/conventions.h uses */
#undef interface /* windows.h defines this name, which exports/abi.h uses */

HMODULE Dll_Load(void);
/* Fails the test if there is no such export. */
uintptr_t Dll_Find(HMODULE module, const char *name);
#define EXPORT(module, name) ((ABI_PROTO_ngi32_##name((*)))Dll_Find(module, #name))

/* A DLL that is loaded between these two calls writes a fresh log. */
void Dll_StartLog(void);
void Dll_EndLog(void);
const char *Dll_LogPath(void);
int Dll_CountInLog(const char *words);

/* Runs this program again with `name` as its argument and returns its exit code. */
DWORD Dll_ExitCodeOfChild(const char *name);

/* Set-up and tear-down functions of cmocka's test group. */
int Dll_BeginTests(void **state);
int Dll_EndTests(void **state);

/* ---- tests of files -------------------------------------------------------------------------- */

/* Their set-up also loads the DLL and makes a folder for the files, whose name ends with a
 * backslash. The end fails if a file is still open. */
extern HMODULE dll_module;
extern char dll_folder[MAX_PATH];
int Dll_BeginTestsOfFiles(void **state);
int Dll_EndTestsOfFiles(void **state);
#define CALL(name) EXPORT(dll_module, name)
/* Both load the DLL again, with a fresh log or without one. */
void Dll_ReloadWithLog(void);
void Dll_ReloadWithoutLog(void);
/* Returns the path of a file in the folder. The text stays valid for eight more calls. */
const char *Dll_Path(const char *name);
void Dll_WriteFile(const char *path, const void *bytes, size_t size);

typedef struct BadFile {
    const char *name, *bytes, *words;
    uint32_t size;
} BadFile;
/* Demands that `call`, of such a file, gives null, and one line of the log with its own name and
 * `words`. */
void Dll_AssertBadFile(const char *call, uint32_t flags, const BadFile *bad);

enum { DLL_THREADS = 4 };
/* Returns when each of DLL_THREADS new threads has come to its end. */
void Dll_RunThreads(LPTHREAD_START_ROUTINE body, void *context);

static inline uint32_t Dword(uintptr_t object, uint32_t offset) {
    return *(const uint32_t *)(object + offset);
}

#endif
