#include "symbols.h"

#include "core/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* See "PE Format" by Microsoft, COFF symbol table. */
#define DOS_NEW_HEADER 0x3Cu
#define SYMBOL_BYTES   18u
#define FUNCTION_TYPE  0x20u

static void CopyName(const PeFile *pe, const uint8_t *record, uint64_t strings, Symbol *symbol) {
    const char *text = (const char *)record;
    size_t length = 8;
    if (Bytes_U32(record) == 0) {
        uint64_t at = strings + Bytes_U32(record + 4);
        length = at < pe->size ? (size_t)(pe->size - at) : 0;
        text = (const char *)pe->bytes + (length ? at : 0);
    }
    snprintf(symbol->name, sizeof symbol->name, "%.*s", (int)strnlen(text, length), text);
}

bool Symbols_Read(const PeFile *pe, Symbols *symbols) {
    const uint8_t *coff = pe->bytes + Bytes_U32(pe->bytes + DOS_NEW_HEADER) + 4;
    uint64_t table = Bytes_U32(coff + 8), count = Bytes_U32(coff + 12);
    uint64_t strings = table + count * SYMBOL_BYTES;
    *symbols = (Symbols){0};
    if (count == 0)
        return true;
    if (strings > pe->size)
        return false;
    symbols->rows = calloc((size_t)count, sizeof *symbols->rows);
    if (!symbols->rows)
        return false;
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *record = pe->bytes + table + i * SYMBOL_BYTES;
        uint16_t section = Bytes_U16(record + 12);
        if (section >= 1 && section <= pe->section_count) { /* others are absolute or debug */
            Symbol *symbol = &symbols->rows[symbols->count++];
            CopyName(pe, record, strings, symbol);
            symbol->rva = pe->sections[section - 1].rva + Bytes_U32(record + 8);
            symbol->function = Bytes_U16(record + 14) == FUNCTION_TYPE;
        }
        i += record[17]; /* auxiliary records */
    }
    return true;
}

void Symbols_Free(Symbols *symbols) {
    free(symbols->rows);
    *symbols = (Symbols){0};
}

bool Symbols_IsFunction(const Symbols *symbols, uint32_t rva) {
    for (size_t i = 0; i < symbols->count; i++)
        if (symbols->rows[i].rva == rva && symbols->rows[i].function)
            return true;
    return false;
}

void Symbol_Plain(const Symbol *symbol, char *name, size_t size) {
    const char *start = symbol->name + (*symbol->name == '_' || *symbol->name == '@');
    snprintf(name, size, "%.*s", (int)strcspn(start, "@"), start);
}

int Symbols_PoppedBytes(const Symbols *symbols, uint32_t rva) {
    for (size_t i = 0; i < symbols->count; i++) {
        const char *bytes = strrchr(symbols->rows[i].name, '@');
        if (symbols->rows[i].rva == rva && bytes && bytes[1])
            return atoi(bytes + 1);
    }
    return -1;
}
