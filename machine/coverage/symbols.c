#include "machine/coverage/symbols.h"

#include "core/bytes.h"

#include <stdlib.h>
#include <string.h>

/* A record of the table, as Microsoft's "PE Format" has it. */
enum {
    RECORD_BYTES = 18,
    AT_VALUE = 8,
    AT_SECTION = 12,
    AT_CLASS = 16,
    AT_FOLLOWING = 17, /* the number of records that belong to this one */
    SOURCE_BYTES = 14,
    CLASS_EXTERNAL = 2,
    CLASS_STATIC = 3,
    CLASS_LABEL = 6,
    CLASS_FILE = 103
};

static int OrderSymbols(const void *left, const void *right) {
    const Symbol *a = left, *b = right;
    if (a->rva != b->rva)
        return a->rva < b->rva ? -1 : 1;
    return strcmp(a->name, b->name);
}

RpStatus Symbols_Read(const PeFile *file, Symbols *symbols, RpError *error) {
    const uint8_t *header = file->bytes + file->header_offset;
    const uint64_t table = Bytes_U32(header + 12), count = Bytes_U32(header + 16);
    const uint64_t strings = table + count * RECORD_BYTES;
    char source[sizeof symbols->list->source] = "";
    *symbols = (Symbols){.list = NULL};
    if (count == 0 || strings > file->size)
        return RP_OK;
    symbols->list = malloc((size_t)count * sizeof *symbols->list);
    if (!symbols->list)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for the symbols of a DLL",
                           "", "", "");

    for (uint64_t i = 0; i < count;) {
        const uint8_t *record = file->bytes + table + i * RECORD_BYTES;
        const uint32_t section = Bytes_U16(record + AT_SECTION), class = record[AT_CLASS];
        const uint32_t value = Bytes_U32(record + AT_VALUE);
        i += 1 + (uint64_t)record[AT_FOLLOWING];
        if (class == CLASS_FILE && record[AT_FOLLOWING] > 0 && i <= count) {
            memset(source, 0, sizeof source);
            memcpy(source, record + RECORD_BYTES, SOURCE_BYTES);
        }
        if (class != CLASS_EXTERNAL && class != CLASS_STATIC && class != CLASS_LABEL)
            continue;
        if (section == 0 || section > file->section_count)
            continue;
        const PeSection *of = &file->sections[section - 1];
        if (!(of->characteristics & PE_SECTION_EXECUTABLE) || value >= of->virtual_size)
            continue;

        /* A name of more than eight bytes is among the strings, and eight bytes have no end. */
        const uint64_t at = strings + Bytes_U32(record + 4);
        const bool is_long = Bytes_U32(record) == 0;
        if (is_long && at >= file->size)
            continue;
        const char *name = (const char *)(is_long ? file->bytes + at : record);
        if (name[0] == '.') /* the symbol of a section */
            continue;
        Symbol *symbol = &symbols->list[symbols->count++];

        /* What compilers add to a name is left out: a sign before it, the size of its arguments
         * behind it, and the kind of a copy of the function. */
        size_t most = is_long ? file->size - (size_t)at : 8, length = 0;
        if (most > 0 && (name[0] == '_' || name[0] == '@')) {
            name++;
            most--;
        }
        while (length < most && length < sizeof symbol->name - 1 && name[length] &&
               name[length] != '@' && name[length] != '.') {
            symbol->name[length] = name[length];
            length++;
        }
        symbol->name[length] = 0;
        symbol->rva = of->rva + value;
        memcpy(symbol->source, source, sizeof source);
    }
    if (symbols->count > 0)
        qsort(symbols->list, symbols->count, sizeof *symbols->list, OrderSymbols);
    return RP_OK;
}

void Symbols_Free(Symbols *symbols) {
    free(symbols->list);
    *symbols = (Symbols){.list = NULL};
}

const Symbol *Symbols_At(const Symbols *symbols, uint32_t rva) {
    size_t low = 0, high = symbols->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (symbols->list[middle].rva <= rva)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &symbols->list[low - 1] : NULL;
}
