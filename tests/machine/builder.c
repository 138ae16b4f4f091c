#include "builder.h"

#include "core/bytes.h"

#include <stdlib.h>
#include <string.h>

void Built_Put32(Built *built, uint32_t offset, uint32_t value) {
    Bytes_PutU32(built->bytes + offset, value);
}

void Built_Put16(Built *built, uint32_t offset, uint32_t value) {
    Bytes_PutU16(built->bytes + offset, value);
}

uint8_t *Built_At(Built *built, uint32_t rva) {
    return built->bytes + (rva - BUILT_TEXT + 0x400);
}

void Built_PutAt(Built *built, uint32_t rva, uint32_t value) {
    Bytes_PutU32(Built_At(built, rva), value);
}

void Built_Code(Built *built, uint32_t rva, const char *hex) {
    uint8_t *to = Built_At(built, rva);
    for (char *end; *hex; hex = end) {
        *to++ = (uint8_t)strtoul(hex, &end, 16);
        if (end == hex)
            break;
    }
}

void Built_Directory(Built *built, uint32_t index, uint32_t rva, uint32_t size) {
    Built_Put32(built, BUILT_DIRECTORIES + 8 * index, rva);
    Built_Put32(built, BUILT_DIRECTORIES + 8 * index + 4, size);
}

void Built_Section(Built *built, uint32_t section, uint32_t rva, uint32_t virtual_size,
                   uint32_t file, uint32_t file_size, uint32_t characteristics) {
    uint32_t row = BUILT_SECTIONS + 40 * section;
    Built_Put32(built, row + 8, virtual_size);
    Built_Put32(built, row + 12, rva);
    Built_Put32(built, row + 16, file_size);
    Built_Put32(built, row + 20, file);
    Built_Put32(built, row + 36, characteristics);
}

void Built_Init(Built *built, uint32_t base) {
    memset(built, 0, sizeof *built);
    memcpy(built->bytes, "MZ", 2);
    Built_Put32(built, 0x3C, BUILT_PE);
    memcpy(built->bytes + BUILT_PE, "PE", 2);
    Built_Put16(built, BUILT_PE + 4, 0x14C);
    Built_Put16(built, BUILT_PE + 6, 2);
    Built_Put16(built, BUILT_PE + 20, 224);
    Built_Put16(built, BUILT_PE + 22, 0x2102);
    Built_Put16(built, BUILT_OPTIONAL, 0x10B);
    Built_Put32(built, BUILT_OPTIONAL + 16, BUILT_TEXT);
    Built_Put32(built, BUILT_OPTIONAL + 28, base);
    Built_Put32(built, BUILT_OPTIONAL + 32, 0x1000);
    Built_Put32(built, BUILT_OPTIONAL + 36, 0x200);
    Built_Put32(built, BUILT_OPTIONAL + 56, BUILT_IMAGE);
    Built_Put32(built, BUILT_OPTIONAL + 60, 0x400);
    Built_Put32(built, BUILT_OPTIONAL + 92, 16);
    Built_Section(built, 0, BUILT_TEXT, 0x1000, 0x400, 0x1000, 0x60000020);
    Built_Section(built, 1, BUILT_DATA, 0x3000, 0x1400, 0x2000, 0xC0000040);
    Built_Code(built, BUILT_TEXT, "B8 01 00 00 00 C2 0C 00"); /* mov eax,1; ret 12 */
}

void Built_Export(Built *built, const char *name, uint32_t target, const char *forwarder) {
    Built_Directory(built, BUILT_EXPORTS, 0x2100, 0x100);
    Built_PutAt(built, 0x2110, 7); /* the first ordinal */
    Built_PutAt(built, 0x2114, 1);
    Built_PutAt(built, 0x2118, 1);
    Built_PutAt(built, 0x211C, 0x2130);
    Built_PutAt(built, 0x2120, 0x2138);
    Built_PutAt(built, 0x2124, 0x2140);
    Built_PutAt(built, 0x2130, forwarder ? 0x2180 : target);
    Built_PutAt(built, 0x2138, 0x2150);
    memcpy(Built_At(built, 0x2150), name, strlen(name) + 1);
    if (forwarder)
        memcpy(Built_At(built, 0x2180), forwarder, strlen(forwarder) + 1);
}

void Built_Import(Built *built, const char *module, const char *name, uint32_t ordinal) {
    const uint32_t thunk = name ? 0x23C0 : 0x80000000 | ordinal;
    Built_Directory(built, BUILT_IMPORTS, 0x2300, 40);
    Built_PutAt(built, 0x2300, 0x2360);
    Built_PutAt(built, 0x230C, 0x23A0);
    Built_PutAt(built, 0x2310, 0x2380);
    Built_PutAt(built, 0x2360, thunk);
    Built_PutAt(built, 0x2380, thunk);
    memcpy(Built_At(built, 0x23A0), module, strlen(module) + 1);
    if (name)
        memcpy(Built_At(built, 0x23C2), name, strlen(name) + 1);
}
