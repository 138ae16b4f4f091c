/* Helpers that the tests of the built Ngi32.dll share: loading it, reading its log, and starting
 * child processes that may end in it. */
#ifndef RETROPOSE_TESTS_NGI32_DLL_H
#define RETROPOSE_TESTS_NGI32_DLL_H

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
/* Demands that the log tells of one failure, of this call and with this reason. */
void Dll_AssertFailed(const char *call, const char *reason);

/* Runs this program again with `name` as its argument and returns its exit code. */
DWORD Dll_ExitCodeOfChild(const char *name);

/* Set-up and tear-down functions of cmocka's test group. */
int Dll_BeginTests(void **state);
int Dll_EndTests(void **state);

/* These do the same for tests that have files, in a folder of their own, whose name ends with a
 * backslash. The end fails if a file is still open. */
extern char dll_folder[MAX_PATH];
int Dll_BeginTestsOfFiles(void **state);
int Dll_EndTestsOfFiles(void **state);
/* Returns the path of a file in the folder. The text stays valid for eight more calls. */
const char *Dll_Path(const char *name);
void Dll_WriteFile(const char *path, const void *bytes, size_t size);

#endif
