/* Makes DLLs for tests, sound ones and damaged ones. */
#ifndef RETROPOSE_TESTS_MACHINE_BUILDER_H
#define RETROPOSE_TESTS_MACHINE_BUILDER_H

#include <stdint.h>

/* The sections are .text (RVA 0x1000, file 0x400, 0x1000 bytes) and .data (RVA 0x2000, file 0x1400,
 * 0x2000 bytes; 0x3000 in memory). The image has 0x6000 bytes. */
enum {
    BUILT_BYTES = 0x3400,
    BUILT_PE = 0x80,
    BUILT_OPTIONAL = BUILT_PE + 24,
    BUILT_DIRECTORIES = BUILT_OPTIONAL + 96,
    BUILT_SECTIONS = BUILT_OPTIONAL + 224,
    BUILT_TEXT = 0x1000,
    BUILT_DATA = 0x2000,
    BUILT_IMAGE = 0x6000
};
enum { BUILT_EXPORTS = 0, BUILT_IMPORTS = 1, BUILT_RELOCATIONS = 5, BUILT_TLS = 9 };

typedef struct Built {
    uint8_t bytes[BUILT_BYTES];
} Built;

/* Makes a DLL without exports, imports and relocations, whose entry point returns TRUE. */
void Built_Init(Built *built, uint32_t base);
void Built_Put32(Built *built, uint32_t offset, uint32_t value);
void Built_Put16(Built *built, uint32_t offset, uint32_t value);
/* Returns the place in the file of an RVA of .text or .data. */
uint8_t *Built_At(Built *built, uint32_t rva);
void Built_PutAt(Built *built, uint32_t rva, uint32_t value);
void Built_Code(Built *built, uint32_t rva, const char *hex);
void Built_Directory(Built *built, uint32_t index, uint32_t rva, uint32_t size);
/* Writes one row of the table of sections; `section` counts from 0. */
void Built_Section(Built *built, uint32_t section, uint32_t rva, uint32_t virtual_size,
                   uint32_t file, uint32_t file_size, uint32_t characteristics);
/* Exports `name` (ordinal 7) at `target`, or forwards it if `forwarder` is not null. The directory
 * is at 0x2100. */
void Built_Export(Built *built, const char *name, uint32_t target, const char *forwarder);
/* Imports one function, by name, or by ordinal if `name` is null, into 0x2380. The directory is at
 * 0x2300. */
void Built_Import(Built *built, const char *module, const char *name, uint32_t ordinal);

#endif
