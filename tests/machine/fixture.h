/* Machines for tests. Each test of a program has a machine of its own, made as the program says in
 * `machine_fixture`. A test may run once in each engine. */
#ifndef RETROPOSE_TESTS_MACHINE_FIXTURE_H
#define RETROPOSE_TESTS_MACHINE_FIXTURE_H

#include "machine/services/services.h"
#include "tests/test.h"

typedef struct MachineFixture {
    MachineOptions options;
    const char *profile; /* the name of a processor, or null for that of the options */
    struct {
        uint32_t address, size, protection;
    } regions[3];          /* mapped memory; unused ones have no size */
    void (*prepare)(void); /* called when the machine is made, unless it is null */
} MachineFixture;

/* Every program that uses this file defines it. */
extern const MachineFixture machine_fixture;

/* The machine of the test that runs, and the end of its stack. */
extern Machine *machine;
extern uint32_t stack_top;

/* Make and destroy the machine, with the engine of the options or with another one. */
int Fixture_Make(void **state);
int Fixture_MakeTranslator(void **state);
int Fixture_MakeInterpreter(void **state);
int Fixture_Destroy(void **state);

/* A test that runs in both engines. */
#define TEST_IN_BOTH(name)                                                                         \
    TEST_TWICE(name, Fixture_MakeTranslator, " translated", Fixture_MakeInterpreter,               \
               " interpreted", Fixture_Destroy)

/* Writes code as its bytes in hexadecimal, with `$12345678` for a dword, `@Name` for the address of
 * a function of KERNEL32, `1:` for a label, and `^1` for the distance to that label in a byte. */
void PutCode(uint32_t at, const char *text);

/* Gives 0xDEADDEAD for what cannot be read. */
uint32_t Get(uint32_t address);
void Put(uint32_t address, uint32_t value);
uint32_t PutText(uint32_t at, const char *text); /* returns the address */
void HasText(uint32_t address, const char *text);
uint32_t Register(uint32_t number);

/* Calls code with the registers of a new thread, so that each call begins in the same way. */
MachineResult CallAt(uint32_t address, uint64_t budget);

#endif
