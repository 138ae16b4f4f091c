/* What the tests of the stand-in share: loading the pair as a game does, its parts, numbers. */
#ifndef RETROPOSE_STANDIN_PAIR_H
#define RETROPOSE_STANDIN_PAIR_H

#include "exports/abi.h"

#include <stddef.h>
#include <stdint.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#undef interface /* COM's; AbiFunction has a field of that name */

#define CONTROL_SINGLE   0x007F /* what SetFpuControlWord makes of Windows' 0x027F */
#define CONTROL_EXTENDED 0x037F
#define ROUNDS           2000

/* A cmocka test with the pair loaded as this processor's class. */
#define LOADED(test) cmocka_unit_test_setup_teardown(test, Pair_Setup, Pair_Teardown)

/* Bases of the two modules. */
extern uint8_t *ngi32, *animesh;

/* From the build directory's folder of that name, two levels above the program's own. */
void Pair_Load(const char *folder);
void Pair_LoadFolder(const char *folder); /* as this processor's class */
void Pair_Unload(void);
int Pair_Setup(void **state);
int Pair_Teardown(void **state);

/* Between these two, ForceCpu has the type and value (REG_NONE: absent) in a registry of our own.
 */
void Force_Begin(DWORD type, DWORD value);
void Force_End(void);
void Pair_LoadForced(DWORD type, DWORD value);

uint8_t *Pair_Module(AbiModule module);
const IMAGE_NT_HEADERS32 *Pair_Headers(const uint8_t *module);
const uint32_t *Pair_FastProc(void);
const AbiFunction *Pair_Slot(int slot); /* the table's row, or null */
float Memory_Float(const uint8_t *address);
uint32_t Memory_Dword(const uint8_t *address);

/* Deterministic; each program runs its tests in one order. */
void Random_Seed(uint32_t seed);
float Random_Float(float low, float high);
void Random_Floats(float *numbers, size_t count, float low, float high);

/* Bit for bit. */
void Expect_Floats(const char *what, const float *got, const float *expected, size_t count);

#endif
