/* A guest with a few pages for tests. One of the two engines executes it. */
#ifndef RETROPOSE_TESTS_MACHINE_TRANSLATOR_GUEST_H
#define RETROPOSE_TESTS_MACHINE_TRANSLATOR_GUEST_H

#include "machine/translator/translator.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdint.h>

#if defined __linux__ && defined __x86_64__ && defined __LP64__
#define GUEST_HOST
#endif

#define CODE    0x00100000u /* 4 pages that may be read and executed */
#define DATA    0x00200000u /* 4 pages that may be read and written */
#define STACK   0x00300000u /* 4 pages that may be read and written */
#define FIXED   0x00400000u /* one page that may only be read */
#define BLOCK   0x00500000u /* one page, where FS begins */
#define NOWHERE 0x00600000u /* an address without a page */
#define AREA    0x4000u
/* the initial ESP, where the return address leads to a gate */
#define TOP        (STACK + AREA - 0x100u)
#define GATE       MACHINE_GATES
#define EVERY_FLAG 0x8D5u

typedef struct Guest {
    MachineMemory *memory;
    Interpreter *interpreter;
    Translator *translator; /* null if the interpreter runs the guest */
    MachineContext context;
} Guest;

Guest *Guest_Create(bool translated);
void Guest_Destroy(Guest *guest);
/* Writes code, whatever the pages' protection is. */
void Guest_Put(Guest *guest, uint32_t address, const void *code, size_t size);
/* Brings registers and memory to the same state before each run. */
void Guest_Reset(Guest *guest);
MachineStop Guest_Run(Guest *guest);
uint32_t Guest_Read(Guest *guest, uint32_t address);
void Guest_Write(Guest *guest, uint32_t address, uint32_t value);

/* Makes 32-bit code of assembly text, as data of the test from `NAME` to `NAME_end`. */
#define GUEST_CODE(name, ...)                                                                      \
    extern const uint8_t name[], name##_end[];                                                     \
    __asm__(".pushsection .rodata\n.code32\n.intel_syntax noprefix\n" #name ":\n" __VA_ARGS__      \
            "\n" #name "_end:\n.att_syntax prefix\n.code64\n.popsection")

/* Writes a line in the other syntax, for differences of labels, which not every assembler accepts
 * in this one. */
#define AT(line) ".att_syntax prefix\n" line "\n.intel_syntax noprefix\n"

#endif
