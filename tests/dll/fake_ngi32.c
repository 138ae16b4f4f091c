/* An original with exports and slots that no table knows, and with properties that nobody would
 * expect: any convention, 64-bit and floating-point results, arguments in registers. */
#include <stdint.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

typedef void (*Code)(void);

/* ---- exports without a row: what is passed is handed back ------------------------------------ */

uint64_t __stdcall fakeFive(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e) {
    return ((uint64_t)(a ^ b) << 32 | (c ^ d)) + e;
}

uint32_t __cdecl fakeSum(uint32_t count, ...) {
    uint32_t sum = 0;
    __builtin_va_list list;
    __builtin_va_start(list, count);
    for (uint32_t i = 0; i < count; i++)
        sum += __builtin_va_arg(list, uint32_t);
    __builtin_va_end(list);
    return sum;
}

double __fastcall fakeHalf(uint32_t a, uint32_t b, double c) {
    return (c + a + b) / 2;
}

uint32_t __cdecl fakeRegisters(void);
__asm__(".globl _fakeRegisters\n"
        "_fakeRegisters:\n" /* every register is an argument */
        "    leal (%eax, %ebx), %eax\n"
        "    addl %ecx, %eax\n"
        "    addl %edx, %eax\n"
        "    addl %esi, %eax\n"
        "    addl %edi, %eax\n"
        "    addl %ebp, %eax\n"
        "    ret\n");

/* ---- g_FastProc ------------------------------------------------------------------------------ */

static uint32_t __fastcall UnknownSlot(uint32_t a, uint32_t b, uint32_t c) {
    return a + 3 * b + 5 * c;
}

/* Slot 7 differs from every table: it has another convention and order, and it negates. */
static void __stdcall Negate(const float *vector, float *result, const float *matrix) {
    (void)matrix;
    for (int i = 0; i < 3; i++)
        result[i] = -vector[i];
}

Code g_FastProc[68];

/* Slot 67 is null and slot 66 is no code. Neither may be taken for a slot of the original. */
BOOL WINAPI DllMain(HINSTANCE module, DWORD reason, LPVOID reserved) {
    (void)module, (void)reserved;
    for (int i = 0; reason == DLL_PROCESS_ATTACH && i < 66; i++)
        g_FastProc[i] = (Code)(void (*)(void))UnknownSlot;
    g_FastProc[7] = (Code)(void (*)(void))Negate;
    g_FastProc[66] = (Code)(uintptr_t)&g_FastProc[0];
    return TRUE;
}
