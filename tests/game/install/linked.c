/* A program that is linked with a completed Ngi32.dll, as the modules of the game are: the loader
 * finds everything before any code of ours runs, and loads the original for data that only it
 * has. */
#include <stdint.h>
#include <stdio.h>
#include <windows.h>

/* The loader puts an address into each of these names. */
extern __declspec(dllimport) const uint8_t vrtMade919[], MadeData43[], MrnMade676[], MadeCode13[],
    MrnMade838[], ngiAllocToo[];

typedef __attribute__((stdcall)) uint32_t FourArguments(uint32_t, uint32_t, uint32_t, uint32_t);
typedef __attribute__((stdcall))
uint32_t SixArguments(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t);
typedef __attribute__((stdcall)) void *Allocate(uint32_t size);

static unsigned faults;

static void Expect(const char *what, uint32_t expected, uint32_t found) {
    if (expected == found)
        return;
    printf("%s: 0x%X expected, 0x%X found\n", what, expected, found);
    faults++;
}

static uint32_t Word(const uint8_t *bytes) {
    return *(const volatile uint32_t *)bytes;
}

int main(void) {
    Expect("data by name", 3, Word(vrtMade919));
    Expect("data by ordinal", 43, Word(MadeData43));
    Expect("code by name", 9, ((FourArguments *)(uintptr_t)MrnMade676)(1, 2, 3, 4));
    Expect("code by ordinal", 13, ((SixArguments *)(uintptr_t)MadeCode13)(1, 2, 3, 4, 5, 6));
    Expect("forwarder",
           (uint32_t)(uintptr_t)GetProcAddress(GetModuleHandleA("kernel32"), "GetTickCount"),
           (uint32_t)(uintptr_t)MrnMade838);
    Expect("the original is loaded", 1, GetModuleHandleA("Ngi32.retail.dll") != NULL);
    Expect("a second name of ngiAlloc", 1, ((Allocate *)(uintptr_t)ngiAllocToo)(16) != NULL);
    printf("%u faults\n", faults);
    return faults ? 1 : 0;
}
