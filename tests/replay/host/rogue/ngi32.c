/* An Ngi32.dll that breaks one rule in every function. test_host.c says what the host has to report
 * about each. Slots are written for the default conventions. */
#include "prototypes.h"

#include <windows.h>

/* ---- slots: fastcall, the first two pointers in ECX and EDX ---------------------------------- */

/* Takes 64 bytes off the stack, though it has 4 bytes of arguments. */
__attribute__((naked)) static void PopsTooMuch(void) {
    __asm__("ret $64");
}

__attribute__((naked)) static void ChangesEbx(void) {
    __asm__("movl $1, %ebx\n\tret $4");
}

__attribute__((naked)) static void LeavesTwoValues(void) {
    __asm__("fld1\n\tfldz\n\tret $4");
}

__attribute__((naked)) static void LeavesOneValue(void) {
    __asm__("fld1\n\tret");
}

__attribute__((naked)) static void SetsDirectionFlag(void) {
    __asm__("std\n\tret");
}

static ABI_PROTO_ngi32_slot15(WritesPastOutput) {
    matrix[0] = quaternion[0];
    matrix[16] = 1;
}

static ABI_PROTO_ngi32_slot17(WritesInput) {
    (void)q1;
    (void)t;
    *(float *)(uintptr_t)q0 += 1;
    result[0] = 1;
}

static ABI_PROTO_ngi32_slot20(ReadsNull) {
    (void)light;
    (void)ambient;
    (void)scene;
    const float *volatile null = NULL;
    colour[0] = *null;
}

__attribute__((naked)) static void DividesByZero(void) {
    __asm__("xorl %edx, %edx\n\txorl %ecx, %ecx\n\tdivl %ecx\n\tret $8");
}

__attribute__((naked)) static void Traps(void) {
    __asm__("int3\n\tret $4");
}

static ABI_PROTO_ngi32_slot26(Exits) {
    (void)frame;
    (void)point;
    (void)result;
    ExitProcess(7);
}

static ABI_PROTO_ngi32_slot28(Hangs) {
    (void)a;
    (void)b;
    (void)product;
    for (volatile int forever = 1; forever;)
        continue;
}

/* The only function that obeys the rules: it returns 1 / v0 in ST0, and its exception waits for the
 * next x87 instruction. */
__attribute__((naked)) static void Reciprocal(void) {
    __asm__("fld1\n\tfdivs (%ecx)\n\tflds 4(%ecx)\n\tfadd %st(0), %st(0)\n\tfstps 4(%ecx)\n\tret");
}

static uint32_t Deeper(uint32_t depth) {
    volatile uint8_t block[4096];
    block[0] = (uint8_t)depth;
    return depth == UINT32_MAX ? 0 : Deeper(depth + 1) ^ block[0];
}

static ABI_PROTO_ngi32_slot45(OverflowsStack) {
    (void)start;
    (void)end;
    (void)plane;
    (void)hit;
    return Deeper(0);
}

#define FUNCTION(name) (const void *)(uintptr_t)(name)
const void *g_FastProc[68] = {
    [4] = FUNCTION(PopsTooMuch),
    [7] = FUNCTION(ChangesEbx),
    [11] = FUNCTION(LeavesTwoValues),
    [14] = FUNCTION(LeavesOneValue),
    [15] = FUNCTION(WritesPastOutput),
    [17] = FUNCTION(WritesInput),
    [20] = FUNCTION(ReadsNull),
    [22] = FUNCTION(DividesByZero),
    [23] = FUNCTION(Traps),
    [26] = FUNCTION(Exits),
    [28] = FUNCTION(Hangs),
    [35] = FUNCTION(SetsDirectionFlag),
    [38] = FUNCTION(Reciprocal),
    [45] = FUNCTION(OverflowsStack),
};

/* ---- exports: stdcall ------------------------------------------------------------------------ */

/* Writes into the memory of the trace, which the game would have allowed. */
ABI_PROTO_ngi32_mrnPointInPoly(mrnPointInPoly) {
    (void)plane;
    (void)point;
    float before = ((const float *)vertices[0])[0];
    *(float *)(uintptr_t)vertices[count - 1] = 99;
    return (uint32_t)before;
}

ABI_PROTO_ngi32_ngiGetSinCos(ngiGetSinCos) {
    sine[0] = cosine[0] = angle;
    sine[-1] = 1;
}

/* Causes a fault that it handles itself. */
ABI_PROTO_ngi32_niOutputDebugString(niOutputDebugString) {
    IsBadWritePtr((void *)(uintptr_t)16, 4);
    IsBadReadPtr(text, 1);
}

ABI_PROTO_ngi32_vrtPutDib(vrtPutDib) {
    RaiseException(a, b, 0, NULL);
}

ABI_PROTO_ngi32_n3dSetLighting(n3dSetLighting) {
    (void)b;
    TerminateProcess(GetCurrentProcess(), a);
}

__attribute__((naked)) void vrtTextOut(void) {
    __asm__("incl %esi\n\tincl %edi\n\tincl %ebp\n\tret $24");
}

ABI_PROTO_ngi32_ngiSetPalette(ngiSetPalette) {
    uint16_t control = (uint16_t)a;
    (void)c;
    __asm__ volatile("fldcw %0\n\tldmxcsr %1" : : "m"(control), "m"(b));
}

ABI_PROTO_ngi32_ngiAlloc(ngiAlloc) {
    uintptr_t (*volatile nowhere)(void) = NULL;
    return nowhere() + size;
}

/* Returns its stack pointer. The host aligns the stack as the game's compiler does, and no
 * further. */
__attribute__((naked)) void rsLoadMultiTexture(void) {
    __asm__("movl %esp, %eax\n\tandl $15, %eax\n\tret $16");
}

/* Returns an address that the host knows, though nothing says that a function starts there. */
ABI_PROTO_ngi32_niGetProcAddress(niGetProcAddress) {
    return (uintptr_t)g_FastProc[index];
}
