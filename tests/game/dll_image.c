#include "dll_image.h"

#include "core/bytes.h"

#include <stdlib.h>
#include <string.h>

/* Behind the headers, the sections follow each other in the file as they do in the image. */
size_t DllImage_Offset(uint32_t rva) {
    return DLL_HEADERS + (rva - DLL_TEXT);
}

void DllImage_Put32(uint8_t *image, size_t offset, uint32_t value) {
    Bytes_PutU32(image + offset, value);
}

uint32_t DllImage_Get32(const uint8_t *image, size_t offset) {
    return Bytes_U32(image + offset);
}

static void PutAt(uint8_t *image, uint32_t rva, uint32_t value) {
    DllImage_Put32(image, DllImage_Offset(rva), value);
}

static uint32_t PutText(uint8_t *image, uint32_t *next, const char *text) {
    uint32_t rva = *next;
    if (rva + strlen(text) + 1 > DLL_END)
        abort();
    memcpy(image + DllImage_Offset(rva), text, strlen(text) + 1);
    *next += (uint32_t)strlen(text) + 1;
    return rva;
}

static void PutSection(uint8_t *image, uint32_t index, const char *name, uint32_t rva, uint32_t end,
                       uint32_t characteristics) {
    size_t row = DLL_SECTIONS + 40 * index;
    memcpy(image + row, name, strlen(name));
    DllImage_Put32(image, row + 8, end - rva);
    DllImage_Put32(image, row + 12, rva);
    DllImage_Put32(image, row + 16, end - rva);
    DllImage_Put32(image, row + 20, (uint32_t)DllImage_Offset(rva));
    DllImage_Put32(image, row + 36, characteristics);
}

static void PutHeaders(uint8_t *image) {
    size_t optional = DLL_PE + 24;
    memcpy(image, "MZ", 2);
    DllImage_Put32(image, 0x3C, DLL_PE);
    memcpy(image + DLL_PE, "PE", 2);
    Bytes_PutU16(image + DLL_PE + 4, 0x14C);
    Bytes_PutU16(image + DLL_PE + 6, 3);
    DllImage_Put32(image, DLL_PE + 8, 0x3B000000);
    Bytes_PutU16(image + DLL_PE + 20, 224);
    Bytes_PutU16(image + DLL_PE + 22, 0x2103); /* a DLL for 32 bits; no relocations */
    Bytes_PutU16(image + optional, 0x10B);
    DllImage_Put32(image, optional + 28, DLL_BASE);
    DllImage_Put32(image, optional + 32, 0x1000);
    DllImage_Put32(image, optional + 36, 0x200);
    Bytes_PutU16(image + optional + 40, 4); /* version of the system, of the subsystem */
    Bytes_PutU16(image + optional + 48, 4);
    DllImage_Put32(image, optional + 56, DLL_END);
    DllImage_Put32(image, optional + 60, DLL_HEADERS);
    Bytes_PutU16(image + optional + 68, 2);
    DllImage_Put32(image, optional + 92, 16);
    PutSection(image, 0, ".text", DLL_TEXT, DLL_DATA_RVA, 0x60000020);
    PutSection(image, 1, ".data", DLL_DATA_RVA, DLL_NAMES, 0xC0000040);
    PutSection(image, 2, ".edata", DLL_NAMES, DLL_END, 0x40000040);
}

/* ---- what the exports lead to ---------------------------------------------------------------- */

static void PutBody(uint8_t *code, const char *digits) {
    for (size_t i = 0; digits[2 * i]; i++) {
        const char pair[3] = {digits[2 * i], digits[2 * i + 1], 0};
        if (i == 16)
            abort();
        code[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
}

static void PutCode(uint8_t *code, uint32_t ordinal, uint32_t pops) {
    code[0] = 0xB8;
    DllImage_Put32(code, 1, ordinal);
    code[5] = 0xC2;
    Bytes_PutU16(code + 6, pops);
}

/* Returns the address that the export at `index` leads to. */
static uint32_t PutTarget(uint8_t *image, const DllExport *row, uint32_t index, uint32_t *next) {
    uint32_t rva = DLL_TEXT + 16 * index;
    uint8_t *code = image + DllImage_Offset(rva);
    switch (row->kind) {
    case DLL_DATA:
        PutAt(image, DLL_DATA_RVA + 4 * index, row->ordinal);
        return DLL_DATA_RVA + 4 * index;
    case DLL_FORWARDER:
        return PutText(image, next, row->forwarder);
    case DLL_BODY:
        memset(code, 0xCC, 16);
        PutBody(code, row->body);
        return rva;
    default:
        PutCode(code, row->ordinal, row->pops);
        return rva;
    }
}

/* Writes jmp *[data], which no test of this file executes. */
static void PutGates(uint8_t *image, uint32_t gates) {
    const uint32_t words[6] = {0x54475052, 1, gates, 8, DLL_POOL, 0};
    for (uint32_t i = 0; i < 6; i++)
        PutAt(image, DLL_GATES + 4 * i, words[i]);
    for (uint32_t i = 0; i < gates; i++) {
        Bytes_PutU16(image + DllImage_Offset(DLL_POOL + 8 * i), 0x25FF);
        PutAt(image, DLL_POOL + 8 * i + 2, DLL_BASE + DLL_DATA_RVA);
    }
}

/* ---- the directory --------------------------------------------------------------------------- */

typedef struct Name {
    const char *text;
    uint32_t ordinal;
} Name;

static int ByText(const void *a, const void *b) {
    return strcmp(((const Name *)a)->text, ((const Name *)b)->text);
}

static size_t SortedNames(const DllSpec *spec, Name *names) {
    size_t count = 0;
    for (size_t i = 0; i < spec->count; i++)
        if (spec->exports[i].name)
            names[count++] = (Name){spec->exports[i].name, spec->exports[i].ordinal};
    if (spec->gates)
        names[count++] = (Name){"RetroposeGates", spec->gates_ordinal};
    qsort(names, count, sizeof *names, ByText);
    return count;
}

static void PutNames(uint8_t *image, const DllSpec *spec, uint32_t base, uint32_t functions,
                     uint32_t rows, uint32_t *next) {
    Name *names = calloc(spec->count + 1, sizeof *names);
    if (!names)
        abort();
    uint32_t count = (uint32_t)SortedNames(spec, names);
    uint32_t table = functions + 4 * rows, ordinals = table + 4 * count;
    PutAt(image, DLL_NAMES + 24, count);
    PutAt(image, DLL_NAMES + 32, table);
    PutAt(image, DLL_NAMES + 36, ordinals);
    for (uint32_t i = 0; i < count; i++) {
        PutAt(image, table + 4 * i, PutText(image, next, names[i].text));
        Bytes_PutU16(image + DllImage_Offset(ordinals + 2 * i), names[i].ordinal - base);
    }
    free(names);
}

static void PutDirectory(uint8_t *image, const DllSpec *spec) {
    uint32_t base = spec->gates ? spec->gates_ordinal : UINT32_MAX, last = spec->gates_ordinal;
    for (size_t i = 0; i < spec->count; i++) {
        base = spec->exports[i].ordinal < base ? spec->exports[i].ordinal : base;
        last = spec->exports[i].ordinal > last ? spec->exports[i].ordinal : last;
    }
    uint32_t rows = spec->count || spec->gates ? last - base + 1 : 0;
    uint32_t functions = DLL_NAMES + 40;
    uint32_t next = functions + 4 * rows + 6 * ((uint32_t)spec->count + 1);
    PutAt(image, DLL_NAMES + 12, PutText(image, &next, spec->name));
    PutAt(image, DLL_NAMES + 16, base);
    PutAt(image, DLL_NAMES + 20, rows);
    PutAt(image, DLL_NAMES + 28, functions);
    for (uint32_t i = 0; i < spec->count; i++)
        PutAt(image, functions + 4 * (spec->exports[i].ordinal - base),
              PutTarget(image, &spec->exports[i], i, &next));
    if (spec->gates)
        PutAt(image, functions + 4 * (spec->gates_ordinal - base), DLL_GATES);
    PutNames(image, spec, base, functions, rows, &next);
    DllImage_Put32(image, DLL_PE + 24 + 96, DLL_NAMES);
    DllImage_Put32(image, DLL_PE + 24 + 100, next - DLL_NAMES);
}

size_t DllImage_Make(const DllSpec *spec, uint8_t image[DLL_MAX_BYTES]) {
    memset(image, 0, DLL_MAX_BYTES);
    PutHeaders(image);
    PutDirectory(image, spec);
    if (spec->gates)
        PutGates(image, spec->gates);
    return DllImage_Offset(DLL_END);
}
