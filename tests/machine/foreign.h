/* Loads DLLs that others have compiled. They run in the machine beside the same code of this
 * build. */
#ifndef RETROPOSE_TESTS_MACHINE_FOREIGN_H
#define RETROPOSE_TESTS_MACHINE_FOREIGN_H

#include "machine/x86_machine.h"

typedef struct Foreign {
    Machine *machine;
    uint32_t module;
    uint32_t top; /* the top of the stack */
} Foreign;

/* Returns the bytes of a file, or null if it does not exist. */
uint8_t *Foreign_Read(const char *path, size_t *size);
/* Loads a DLL, and fails the test if that is not possible. */
Foreign Foreign_Load(MachineEngine engine, const char *name, const uint8_t *bytes, size_t size);
/* Returns the address of this many zeroed bytes of the guest. */
uint32_t Foreign_Allocate(Foreign *foreign, uint32_t size);
void Foreign_Put(Foreign *foreign, uint32_t address, const void *bytes, uint32_t size);
void Foreign_Get(Foreign *foreign, uint32_t address, void *bytes, uint32_t size);
/* Calls an export that must return, and returns its EAX. All arguments are 32 bits wide. */
uint32_t Foreign_Call(Foreign *foreign, const char *name, const uint32_t *arguments,
                      uint32_t count);
#define FOREIGN_CALL(foreign, name, ...)                                                           \
    Foreign_Call(foreign, name, (const uint32_t[]){__VA_ARGS__},                                   \
                 sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

#endif
