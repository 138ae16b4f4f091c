/* Makes the linker script of a stand-in: every documented function of the original at its
 * documented address, everything without a published address in free space behind the code.
 *
 *   layout ngi32|animesh > SCRIPT
 *
 * Code for an address is in the input section `.at.0xRRRRR` (entry.inc, `at`); `.at.0x00000` is
 * what has no published address. An overlap is an error of the linker. */
#include "exports/abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Layout {
    AbiModule module;
    uint32_t free_code;    /* behind the last documented function */
    uint32_t rdata, data;  /* around the documented constants and globals */
    const uint32_t *extra; /* documented, but in no row of the tables */
} Layout;

/* The fourth build of slot 20 (facts/ngi32.md B.3), which no known class puts into the table. */
static const uint32_t ngi32_extra[] = {0x1BDD0, 0};
static const uint32_t animesh_extra[] = {0};

static const Layout layouts[] = {
    {ABI_NGI32, 0x2B000, 0x31000, 0x34000, ngi32_extra},
    {ABI_ANIMESH, 0x1E000, 0x20000, 0x22000, animesh_extra},
};

static int CompareAddresses(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static size_t CollectAddresses(const Layout *layout, uint32_t *addresses) {
    size_t count = 0;
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        if (f->module != layout->module || f->provider == ABI_DATA)
            continue;
        addresses[count++] = f->rva;
        addresses[count++] = f->rva_fxch;
        addresses[count++] = f->rva_sse;
    }
    for (const uint32_t *extra = layout->extra; *extra; extra++)
        addresses[count++] = *extra;
    qsort(addresses, count, sizeof *addresses, CompareAddresses);
    return count;
}

static void PrintCode(const Layout *layout, const uint32_t *addresses, size_t count) {
    const uint32_t text = 0x1000;
    printf("  .text __image_base__ + 0x%X : {\n", text);
    uint32_t previous = 0;
    for (size_t i = 0; i < count; i++) {
        if (addresses[i] == previous)
            continue;
        printf("    . = 0x%X; KEEP(*(.at.0x%05X))\n", addresses[i] - text, addresses[i]);
        previous = addresses[i];
    }
    printf("    . = 0x%X; KEEP(*(.at.0x00000)) *(.text)\n  } =0xCCCCCCCC\n",
           layout->free_code - text);
}

int main(int argc, char **argv) {
    const Layout *layout = NULL;
    for (size_t i = 0; argc == 2 && i < sizeof layouts / sizeof *layouts; i++)
        if (strcmp(argv[1], AbiModule_Name(layouts[i].module)) == 0)
            layout = &layouts[i];
    uint32_t *addresses = calloc(abi_function_count * 3 + 8, sizeof *addresses);
    if (!layout || !addresses) {
        fputs("usage: layout ngi32|animesh\n", stderr);
        return 2;
    }
    size_t count = CollectAddresses(layout, addresses);
    puts("OUTPUT_FORMAT(pei-i386)\nSECTIONS\n{");
    PrintCode(layout, addresses, count);
    printf("  .rdata __image_base__ + 0x%X : { *(.rdata) *(.rdata.*) }\n"
           "  .data __image_base__ + 0x%X : { *(.data) *(.data.*) }\n",
           layout->rdata, layout->data);
    puts("  .standin BLOCK(__section_alignment__) : { KEEP(*(.standin)) }\n"
         "  .edata BLOCK(__section_alignment__) : { *(.edata) }\n"
         "  .idata BLOCK(__section_alignment__) : {\n"
         "    KEEP(SORT(*)(.idata$2)) KEEP(SORT(*)(.idata$3))\n"
         "    LONG(0); LONG(0); LONG(0); LONG(0); LONG(0);\n"
         "    KEEP(SORT(*)(.idata$4)) KEEP(SORT(*)(.idata$5))\n"
         "    KEEP(SORT(*)(.idata$6)) KEEP(SORT(*)(.idata$7))\n"
         "  }\n"
         "  .reloc BLOCK(__section_alignment__) : { *(.reloc) }\n"
         "  /DISCARD/ : { *(.bss) *(.drectve) *(.debug*) *(.note*) *(.comment) }\n}");
    free(addresses);
    return 0;
}
