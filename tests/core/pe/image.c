#include "image.h"

#include "core/bytes.h"

#include <string.h>

enum { DATA_RVA = 0x2000, DATA_FILE = 0x400, CODE_BYTES = 0x200 };

static void PutText(uint8_t *image, uint32_t offset, const char *text) {
    memcpy(image + offset, text, strlen(text) + 1);
}

static void PutSection(uint8_t *image, uint32_t index, const char *name, uint32_t rva,
                       uint32_t file, uint32_t bytes, uint32_t characteristics) {
    uint32_t row = IMAGE_SECTIONS + 40 * index;
    memcpy(image + row, name, strlen(name));
    Bytes_PutU32(image + row + 8, bytes);
    Bytes_PutU32(image + row + 12, rva);
    Bytes_PutU32(image + row + 16, bytes);
    Bytes_PutU32(image + row + 20, file);
    Bytes_PutU32(image + row + 36, characteristics);
}

void DllFile_Begin(uint8_t *image, const char *data_section, uint32_t data_bytes) {
    uint32_t optional = IMAGE_PE + 24;
    PutText(image, 0, "MZ");
    Bytes_PutU32(image + 0x3C, IMAGE_PE);
    PutText(image, IMAGE_PE, "PE");
    Bytes_PutU16(image + IMAGE_PE + 4, 0x14C);
    Bytes_PutU16(image + IMAGE_PE + 6, 2);
    Bytes_PutU32(image + IMAGE_PE + 8, 0x3C000000);
    Bytes_PutU16(image + IMAGE_PE + 20, 224);
    Bytes_PutU16(image + IMAGE_PE + 22, 0x2102);
    Bytes_PutU16(image + optional, 0x10B);
    Bytes_PutU32(image + optional + 16, 0x1000);
    Bytes_PutU32(image + optional + 28, 0x10000000);
    Bytes_PutU32(image + optional + 56, 0x3000);
    Bytes_PutU32(image + optional + 60, 0x200);
    Bytes_PutU32(image + optional + 92, 16);
    Bytes_PutU32(image + optional + 96, DATA_RVA); /* exports */
    Bytes_PutU32(image + optional + 100, data_bytes);
    PutSection(image, 0, ".text", 0x1000, 0x200, CODE_BYTES, 0x60000020);
    PutSection(image, 1, data_section, DATA_RVA, DATA_FILE, data_bytes, 0xC0000040);
}

/* The offsets below are relative to the data section. */
static void PutExports(uint8_t *data, const char *name) {
    static const uint32_t functions[5] = {0x1010, DATA_RVA + 0xA0, 0, 0x1020, 0x1030};
    static const uint32_t names[3] = {DATA_RVA + 0x80, DATA_RVA + 0x90, DATA_RVA + 0xB0};
    static const uint32_t indices[3] = {0, 1, 4};
    Bytes_PutU32(data + 12, DATA_RVA + 0x70);
    Bytes_PutU32(data + 16, 5);
    Bytes_PutU32(data + 20, 5);
    Bytes_PutU32(data + 24, 3);
    Bytes_PutU32(data + 28, DATA_RVA + 0x28);
    Bytes_PutU32(data + 32, DATA_RVA + 0x40);
    Bytes_PutU32(data + 36, DATA_RVA + 0x50);
    for (uint32_t i = 0; i < 5; i++)
        Bytes_PutU32(data + 0x28 + 4 * i, functions[i]);
    for (uint32_t i = 0; i < 3; i++) {
        Bytes_PutU32(data + 0x40 + 4 * i, names[i]);
        Bytes_PutU16(data + 0x50 + 2 * i, indices[i]);
    }
    PutText(data, 0x70, "Test.dll");
    PutText(data, 0x80, "Alpha");
    PutText(data, 0x90, "Beta");
    PutText(data, 0xA0, "OTHER.Func");
    PutText(data, 0xB0, name);
}

static void PutImports(uint8_t *data) {
    Bytes_PutU32(data + 0x200, DATA_RVA + 0x240);
    Bytes_PutU32(data + 0x20C, DATA_RVA + 0x260);
    Bytes_PutU32(data + 0x210, DATA_RVA + 0x250);
    Bytes_PutU32(data + 0x240, DATA_RVA + 0x270);
    Bytes_PutU32(data + 0x244, 0x80000011);
    Bytes_PutU32(data + 0x250, DATA_RVA + 0x270);
    Bytes_PutU32(data + 0x254, 0x80000011);
    PutText(data, 0x260, "KERNEL32.dll");
    Bytes_PutU16(data + 0x270, 3);
    PutText(data, 0x272, "ExitProcess");
}

void DllFile_Make(uint8_t image[IMAGE_BYTES], const char *data_section, const char *name) {
    memset(image, 0, IMAGE_BYTES);
    DllFile_Begin(image, data_section, IMAGE_BYTES - DATA_FILE);
    Bytes_PutU32(image + IMAGE_PE + 24 + 100, 0x100);
    Bytes_PutU32(image + IMAGE_PE + 24 + 104, DATA_RVA + 0x200); /* imports */
    Bytes_PutU32(image + IMAGE_PE + 24 + 108, 0x28);
    PutExports(image + DATA_FILE, name);
    PutImports(image + DATA_FILE);
}
