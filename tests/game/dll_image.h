/* Makes DLLs byte by byte with any export list, even one that a linker would refuse to make.
 * Windows can load them at their base; they then run no code of their own and import nothing. */
#ifndef RETROPOSE_TESTS_GAME_DLL_IMAGE_H
#define RETROPOSE_TESTS_GAME_DLL_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum DllKind {
    DLL_CODE, /* code: mov eax, ordinal; ret pops */
    DLL_BODY, /* code: `body`, and int3 after it */
    DLL_DATA, /* 4 bytes of data, which are the ordinal */
    DLL_FORWARDER
} DllKind;

typedef struct DllExport {
    uint32_t ordinal;
    const char *name; /* null for an export by ordinal only */
    DllKind kind;
    uint8_t pops;
    const char *body; /* for DLL_BODY, the code as hexadecimal digits */
    const char *forwarder;
} DllExport;

typedef struct DllSpec {
    const char *name; /* the name in the export directory */
    const DllExport *exports;
    size_t count;
    /* The number of gates in the pool of a DLL of ours, which then exports RetroposeGates, or 0. */
    uint32_t gates;
    uint32_t gates_ordinal;
} DllSpec;

enum {
    DLL_MAX_BYTES = 0x20000,
    DLL_PE = 0x80,
    DLL_SECTIONS = DLL_PE + 24 + 224,
    DLL_HEADERS = 0x400,
    DLL_BASE = 0x10000000,
    DLL_TEXT = 0x1000, /* address of a section with a body every 16 bytes */
    DLL_POOL = 0x8000, /* the gates, 8 bytes each, in the code */
    DLL_DATA_RVA = 0x10000,
    DLL_GATES = DLL_DATA_RVA + 0x3000, /* for ExportGates */
    DLL_NAMES = 0x14000,
    DLL_END = 0x20000
};

/* Returns the size of the file. */
size_t DllImage_Make(const DllSpec *spec, uint8_t image[DLL_MAX_BYTES]);
/* Returns where the image's byte at `rva` is in the file. */
size_t DllImage_Offset(uint32_t rva);
void DllImage_Put32(uint8_t *image, size_t offset, uint32_t value);
uint32_t DllImage_Get32(const uint8_t *image, size_t offset);

#endif
