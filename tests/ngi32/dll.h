/* What the tests of the built Ngi32.dll share: loading it, its log, and children that may end in
 * it. */
#ifndef RETROPOSE_TESTS_NGI32_DLL_H
#define RETROPOSE_TESTS_NGI32_DLL_H

#include "prototypes.h"

#include <stdint.h>
#include <windows.h>
#undef cdecl     /* a name of exports/conventions.h */
#undef interface /* a name of exports/abi.h */

HMODULE Dll_Load(void);
/* Fails the test when there is no such export. */
uintptr_t Dll_Find(HMODULE module, const char *name);
#define EXPORT(module, name) ((ABI_PROTO_ngi32_##name((*)))Dll_Find(module, #name))

/* What is loaded between the two writes a fresh log. */
void Dll_StartLog(void);
void Dll_EndLog(void);
const char *Dll_LogPath(void);
int Dll_CountInLog(const char *words);

/* This program again, with `name` as its argument; its exit code. */
DWORD Dll_ExitCodeOfChild(const char *name);

/* cmocka's group set-up and tear-down. */
int Dll_BeginTests(void **state);
int Dll_EndTests(void **state);

#endif
