/* Helpers that the tests of the stand-in share: loading the pair as a game does, access to its
 * parts, numbers. */
#ifndef RETROPOSE_STANDIN_PAIR_H
#define RETROPOSE_STANDIN_PAIR_H

#include "exports/abi.h"

#include <stddef.h>
#include <stdint.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#undef interface /* COM headers define this name, which is a field of AbiFunction */

/* SetFpuControlWord turns 0x027F, with which Windows begins, into this word. */
#define CONTROL_SINGLE 0x007F

/* A test that runs with the pair loaded as the class of this processor. */
#define LOADED_TEST(name) TEST_WITH(name, Pair_Setup, Pair_Teardown)

/* The base addresses of the two modules. */
extern uint8_t *ngi32, *animesh;

/* Loads the pair from the folder of that name in the build directory, two levels above the
 * program's own. */
void Pair_Load(const char *folder);
void Pair_LoadFolder(const char *folder); /* loads the pair as the class of this processor */
void Pair_Unload(void);
int Pair_Setup(void **state);
int Pair_Teardown(void **state);

/* Between these two calls ForceCpu has the type and value (REG_NONE means none) in a registry of
 * our own. */
void Force_Begin(DWORD type, DWORD value);
void Force_End(void);
void Pair_LoadForced(DWORD type, DWORD value);

uint8_t *Pair_Module(AbiModule module);
const IMAGE_NT_HEADERS32 *Pair_Headers(const uint8_t *module);
const uint32_t *Pair_FastProc(void);
const AbiFunction *Pair_Slot(int slot); /* returns the row of the table, or null */
float Memory_Float(const uint8_t *address);
uint32_t Memory_Dword(const uint8_t *address);

/* The numbers are reproducible, because each program runs its tests in one order. */
void Random_Seed(uint32_t seed);
float Random_Float(float low, float high);
void Random_Floats(float *numbers, size_t count, float low, float high);

/* Compares bit for bit. */
void Expect_Floats(const char *what, const float *got, const float *expected, size_t count);

#endif
