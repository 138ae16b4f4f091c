/* Writes the linker scripts of a stand-in. Every documented function of the original gets its
 * documented address or, in a variant, another one; everything without a published address gets
 * free space behind the code.
 *
 * Code of a documented address is in the input section `.at.0xRRRRR` (entry.inc, `at`), wherever it
 * is placed; `.at.0x00000` is code without a published address. An overlap is an error of the
 * linker. */
#include "core/random.h"
#include "variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT            0x1000
#define MAX_BLOCKS      1024
#define SHUFFLED_BYTES  0x800 /* most bytes of a function in a variant; the longest fits */
#define SHUFFLED_ALIGN  16
#define SECTION_ALIGN   0x1000
#define ROUND_UP(n, to) (((n) + (to)-1) / (to) * (to))

typedef struct Original {
    uint32_t free_code;    /* the address after the last documented function */
    uint32_t rdata, data;  /* the addresses of the documented constants and globals */
    const uint32_t *extra; /* addresses that are documented, but in no row of the tables */
} Original;

/* The fourth build of slot 20 (facts/ngi32.md B.3), which no known class puts into the table. */
static const uint32_t ngi32_extra[] = {0x1BDD0, 0};
static const uint32_t animesh_extra[] = {0};

static const Original originals[ABI_MODULE_COUNT] = {
    [ABI_NGI32] = {0x2B000, 0x31000, 0x34000, ngi32_extra},
    [ABI_ANIMESH] = {0x1E000, 0x20000, 0x22000, animesh_extra},
};

typedef struct Block {
    uint32_t published, placed, bytes;
} Block;

typedef struct Layout {
    const Original *original;
    uint32_t shuffle, data;
    Block blocks[MAX_BLOCKS];
    size_t count;
    uint32_t free_code, rdata_section, data_section;
} Layout;

static int ComparePublished(const void *a, const void *b) {
    uint32_t left = ((const Block *)a)->published, right = ((const Block *)b)->published;
    return (left > right) - (left < right);
}

static void AddBlock(Layout *layout, uint32_t published) {
    if (!published)
        return;
    if (layout->count == MAX_BLOCKS) {
        fputs("too many documented addresses\n", stderr);
        exit(2);
    }
    layout->blocks[layout->count++] = (Block){.published = published, .placed = published};
}

static void CollectBlocks(Layout *layout, const Variant *variant, AbiModule module) {
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        if (f->module != module || f->provider == ABI_DATA)
            continue;
        AddBlock(layout, f->rva);
        AddBlock(layout, f->rva_fxch);
        AddBlock(layout, f->rva_sse);
    }
    for (const uint32_t *extra = layout->original->extra; *extra; extra++)
        AddBlock(layout, *extra);
    for (int i = 0; module == ABI_NGI32 && variant->exports && i < VARIANT_STUBS; i++)
        AddBlock(layout, variant_stubs[i].rva);
    qsort(layout->blocks, layout->count, sizeof *layout->blocks, ComparePublished);
    size_t kept = 0;
    for (size_t i = 0; i < layout->count; i++)
        if (kept == 0 || layout->blocks[kept - 1].published != layout->blocks[i].published)
            layout->blocks[kept++] = layout->blocks[i];
    layout->count = kept;
    for (size_t i = 0; i < kept; i++) {
        uint32_t end = i + 1 < kept ? layout->blocks[i + 1].published : layout->original->free_code;
        layout->blocks[i].bytes = end - layout->blocks[i].published;
    }
}

/* Shuffles the functions by the method of Fisher and Yates. They then follow one another, each with
 * as much room as it has in the original. */
static void Shuffle(Layout *layout) {
    size_t order[MAX_BLOCKS];
    uint32_t random = layout->shuffle, cursor = TEXT;
    for (size_t i = 0; i < layout->count; i++)
        order[i] = i;
    for (size_t i = layout->count - 1; i > 0; i--) {
        Random_Lcg32(&random);
        size_t other = (random >> 8) % (i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    for (size_t i = 0; i < layout->count; i++) {
        Block *block = &layout->blocks[order[i]];
        uint32_t bytes = block->bytes < SHUFFLED_BYTES ? block->bytes : SHUFFLED_BYTES;
        /* There is a gap of the size of an instruction, as linkers leave it, so that an entry has
         * padding in front of it. */
        block->placed = ROUND_UP(cursor + 5, SHUFFLED_ALIGN);
        cursor = block->placed + bytes;
    }
    layout->free_code = ROUND_UP(cursor, SHUFFLED_ALIGN);
}

static Layout *Make(const Variant *variant, AbiModule module) {
    static Layout layouts[ABI_MODULE_COUNT];
    Layout *layout = &layouts[module];
    const Original *original = &originals[module];
    if (layout->count > 0) /* needed only once, because a program works on one variant */
        return layout;
    layout->original = original;
    layout->shuffle = variant->modules[module].shuffle;
    layout->data = variant->modules[module].data;
    layout->free_code = original->free_code;
    CollectBlocks(layout, variant, module);
    if (layout->shuffle)
        Shuffle(layout);
    uint32_t free_bytes = original->rdata - original->free_code;
    layout->rdata_section = ROUND_UP(layout->free_code + free_bytes, SECTION_ALIGN);
    layout->data_section = layout->rdata_section + (original->data - original->rdata) +
                           ROUND_UP(layout->data, SECTION_ALIGN);
    return layout;
}

uint32_t Layout_Code(const Variant *variant, AbiModule module, uint32_t published) {
    const Layout *layout = Make(variant, module);
    for (size_t i = 0; i < layout->count; i++)
        if (layout->blocks[i].published == published)
            return layout->blocks[i].placed;
    return 0;
}

uint32_t Layout_Data(const Variant *variant, AbiModule module, uint32_t published) {
    const Layout *layout = Make(variant, module);
    const Original *original = layout->original;
    return published < original->data
               ? published - original->rdata + layout->rdata_section + layout->data
               : published - original->data + layout->data_section + layout->data;
}

static int ComparePlaced(const void *a, const void *b) {
    uint32_t left = ((const Block *)a)->placed, right = ((const Block *)b)->placed;
    return (left > right) - (left < right);
}

static void PrintCode(const Layout *layout, FILE *file) {
    static Block sorted[MAX_BLOCKS];
    memcpy(sorted, layout->blocks, sizeof sorted);
    qsort(sorted, layout->count, sizeof *sorted, ComparePlaced);
    fprintf(file, "  .text __image_base__ + 0x%X : {\n", TEXT);
    for (size_t i = 0; i < layout->count; i++)
        fprintf(file, "    . = 0x%X; KEEP(*(.at.0x%05X))\n", sorted[i].placed - TEXT,
                sorted[i].published);
    fprintf(file, "    . = 0x%X; KEEP(*(.at.0x00000)) *(.text)\n  } =0xCCCCCCCC\n",
            layout->free_code - TEXT);
}

static void PrintData(const Layout *layout, FILE *file) {
    char skip[32] = "";
    if (layout->data)
        snprintf(skip, sizeof skip, ". = 0x%X; ", layout->data);
    fprintf(file,
            "  .rdata __image_base__ + 0x%X : { %s*(.rdata) *(.rdata.*) }\n"
            "  .data __image_base__ + 0x%X : { %s*(.data) *(.data.*) }\n",
            layout->rdata_section, skip, layout->data_section, skip);
}

void Layout_Print(const Variant *variant, AbiModule module, void *output) {
    const Layout *layout = Make(variant, module);
    FILE *file = output;
    fputs("OUTPUT_FORMAT(pei-i386)\nSECTIONS\n{\n", file);
    PrintCode(layout, file);
    PrintData(layout, file);
    fputs("  .standin BLOCK(__section_alignment__) : { KEEP(*(.standin)) }\n"
          "  .edata BLOCK(__section_alignment__) : { *(.edata) }\n"
          "  .idata BLOCK(__section_alignment__) : {\n"
          "    KEEP(SORT(*)(.idata$2)) KEEP(SORT(*)(.idata$3))\n"
          "    LONG(0); LONG(0); LONG(0); LONG(0); LONG(0);\n"
          "    KEEP(SORT(*)(.idata$4)) KEEP(SORT(*)(.idata$5))\n"
          "    KEEP(SORT(*)(.idata$6)) KEEP(SORT(*)(.idata$7))\n"
          "  }\n"
          "  .reloc BLOCK(__section_alignment__) : { *(.reloc) }\n"
          "  /DISCARD/ : { *(.bss) *(.drectve) *(.debug*) *(.note*) *(.comment) }\n}\n",
          file);
}
