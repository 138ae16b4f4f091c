#include "core/pe/pe.h"

#include "core/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The offsets are those of Microsoft's page "PE Format". Directory 0 is exports, 1 is imports, 5 is
 * base relocations, and 9 is thread-local storage. */
#define DOS_MAGIC         0x5A4Du
#define DOS_NEW_HEADER    0x3Cu
#define PE_MAGIC          0x00004550u
#define COFF_BYTES        24u /* including the magic number */
#define OPTIONAL_BYTES    96u /* in front of the data directories */
#define OPTIONAL_PE32     0x10Bu
#define MACHINE_I386      0x14Cu
#define SECTION_BYTES     40u
#define IMAGE_PAGE        0x1000u
#define SECTOR            0x200u
#define MAX_SECTIONS      96u
#define EXPORT_BYTES      40u
#define MAX_EXPORTS       65536u
#define IMPORT_BYTES      20u
#define MAX_IMPORTS       65536u
#define IMPORT_BY_ORDINAL 0x80000000u
#define MAX_NAME          4096u
#define RELOCATION_BYTES  8u      /* the header of a block */
#define RELOCATION_DWORD  0x3000u /* IMAGE_REL_BASED_HIGHLOW */

typedef struct Reader {
    PeFile *pe;
    const char *name;
    RpError *error;
} Reader;

static RpStatus Fail(const Reader *reader, RpStatus status, uint64_t offset, const char *what,
                     const char *expected, uint32_t found) {
    char text[32];
    snprintf(text, sizeof text, "0x%X", found);
    return RpError_Set(reader->error, status, offset, what, reader->name, expected, text);
}

static RpStatus NoMemory(const Reader *reader) {
    return RpError_Set(reader->error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a PE file's tables",
                       reader->name, "", "");
}

static const uint8_t *FileAt(const PeFile *pe, uint64_t offset, uint64_t size) {
    return offset <= pe->size && size <= pe->size - offset ? pe->bytes + offset : NULL;
}

const PeSection *Pe_SectionAt(const PeFile *pe, uint32_t rva) {
    for (size_t i = 0; i < pe->section_count; i++) {
        const PeSection *section = &pe->sections[i];
        uint32_t size = section->virtual_size ? section->virtual_size : section->file_size;
        if (rva >= section->rva && rva - section->rva < size)
            return section;
    }
    return NULL;
}

/* Returns all of the file's data at `rva` up to the end of its section or of the headers, or
 * null. */
static const uint8_t *RestAt(const PeFile *pe, uint32_t rva, uint64_t *size) {
    const PeSection *section = Pe_SectionAt(pe, rva);
    uint64_t offset = rva, end = pe->headers_size;
    if (section) {
        offset = (uint64_t)section->file_offset + (rva - section->rva);
        end = (uint64_t)section->file_offset + section->file_size;
    }
    if (end > pe->size)
        end = pe->size;
    if (offset > end || (!section && offset == end))
        return NULL;
    *size = end - offset;
    return pe->bytes + offset;
}

const uint8_t *Pe_At(const PeFile *pe, uint32_t rva, uint32_t size) {
    uint64_t rest;
    const uint8_t *bytes = RestAt(pe, rva, &rest);
    return bytes && size <= rest ? bytes : NULL;
}

/* Returns a text that ends inside of the file's data, or null. */
static const char *StringAt(const PeFile *pe, uint32_t rva) {
    uint64_t rest;
    const uint8_t *text = RestAt(pe, rva, &rest);
    if (!text || !memchr(text, 0, (size_t)(rest < MAX_NAME ? rest : MAX_NAME)))
        return NULL;
    return (const char *)text;
}

/* ---- headers --------------------------------------------------------------------------------- */

static RpStatus ReadHeaders(const Reader *reader, const uint8_t **coff) {
    PeFile *pe = reader->pe;
    const uint8_t *dos = FileAt(pe, 0, DOS_NEW_HEADER + 4);
    if (!dos)
        return Fail(reader, RP_TRUNCATED, 0, "too short for a PE file", "64 bytes or more",
                    (uint32_t)pe->size);
    if (Bytes_U16(dos) != DOS_MAGIC)
        return Fail(reader, RP_UNSUPPORTED, 0, "not a PE file", "0x5A4D (MZ)", Bytes_U16(dos));
    uint32_t offset = Bytes_U32(dos + DOS_NEW_HEADER);
    *coff = FileAt(pe, offset, COFF_BYTES + OPTIONAL_BYTES);
    if (!*coff)
        return Fail(reader, RP_TRUNCATED, DOS_NEW_HEADER, "the PE header is outside the file",
                    "an offset inside the file", offset);
    if (Bytes_U32(*coff) != PE_MAGIC)
        return Fail(reader, RP_UNSUPPORTED, offset, "not a PE file", "0x4550 (PE)",
                    Bytes_U32(*coff));
    if (Bytes_U16(*coff + 4) != MACHINE_I386)
        return Fail(reader, RP_UNSUPPORTED, offset + 4, "not a file for i386", "machine 0x14C",
                    Bytes_U16(*coff + 4));
    const uint8_t *optional = *coff + COFF_BYTES;
    if (Bytes_U16(*coff + 20) < OPTIONAL_BYTES || Bytes_U16(optional) != OPTIONAL_PE32)
        return Fail(reader, RP_UNSUPPORTED, offset + COFF_BYTES, "not a PE32 file", "0x10B",
                    Bytes_U16(optional));
    pe->header_offset = offset;
    pe->timestamp = Bytes_U32(*coff + 8);
    pe->characteristics = Bytes_U16(*coff + 22);
    pe->entry_rva = Bytes_U32(optional + 16);
    pe->image_base = Bytes_U32(optional + 28);
    pe->section_alignment = Bytes_U32(optional + 32);
    pe->image_size = Bytes_U32(optional + 56);
    pe->headers_size = Bytes_U32(optional + 60);
    pe->dll_characteristics = Bytes_U16(optional + 70);
    return RP_OK;
}

static RpStatus ReadSections(const Reader *reader, const uint8_t *coff) {
    PeFile *pe = reader->pe;
    uint32_t count = Bytes_U16(coff + 6), optional_bytes = Bytes_U16(coff + 20);
    uint64_t offset = (uint64_t)(coff - pe->bytes) + COFF_BYTES + optional_bytes;
    if (count > MAX_SECTIONS)
        return Fail(reader, RP_CORRUPT, (uint64_t)(coff - pe->bytes) + 6, "too many sections",
                    "at most 96", count);
    const uint8_t *row = FileAt(pe, offset, (uint64_t)count * SECTION_BYTES);
    if (!row)
        return Fail(reader, RP_TRUNCATED, offset, "the section table is outside the file",
                    "40 bytes for each section", count);
    pe->sections = calloc(count ? count : 1, sizeof *pe->sections);
    if (!pe->sections)
        return NoMemory(reader);
    for (; pe->section_count < count; row += SECTION_BYTES, offset += SECTION_BYTES) {
        PeSection *section = &pe->sections[pe->section_count++];
        memcpy(section->name, row, 8);
        section->virtual_size = Bytes_U32(row + 8);
        section->rva = Bytes_U32(row + 12);
        section->file_size = Bytes_U32(row + 16);
        section->file_offset = Bytes_U32(row + 20);
        /* Windows maps whole sectors, so it rounds an offset down to the beginning of its sector.
         * It does not do so when the sections lie closer together than pages, because such a file
         * is mapped as it is. */
        if (pe->section_alignment >= IMAGE_PAGE)
            section->file_offset -= section->file_offset % SECTOR;
        section->characteristics = Bytes_U32(row + 36);
        if (section->file_size && !FileAt(pe, section->file_offset, section->file_size))
            return Fail(reader, RP_TRUNCATED, offset + 16, "a section's data is outside the file",
                        "an offset and a size inside the file", section->file_size);
    }
    return RP_OK;
}

/* Gives address and size of a data directory, or 0 and 0 where the header ends before it. */
static void Directory(const PeFile *pe, const uint8_t *coff, uint32_t index, uint32_t *rva,
                      uint32_t *size) {
    const uint8_t *optional = coff + COFF_BYTES;
    uint64_t offset = (uint64_t)(optional - pe->bytes) + OPTIONAL_BYTES + 8u * index;
    const uint8_t *row = FileAt(pe, offset, 8);
    bool present = row && index < Bytes_U32(optional + 92) &&
                   OPTIONAL_BYTES + 8u * index + 8 <= Bytes_U16(coff + 20);
    *rva = present ? Bytes_U32(row) : 0;
    *size = present ? Bytes_U32(row + 4) : 0;
}

/* ---- relocations ----------------------------------------------------------------------------- */

void Pe_MaskRelocated(const PeFile *pe, uint32_t rva, uint8_t *bytes, uint32_t size) {
    uint32_t at = 0;
    while (pe->relocations_size >= RELOCATION_BYTES &&
           at <= pe->relocations_size - RELOCATION_BYTES) {
        const uint8_t *block = Pe_At(pe, pe->relocations_rva + at, RELOCATION_BYTES);
        uint32_t block_bytes = block ? Bytes_U32(block + 4) : 0;
        if (block_bytes < RELOCATION_BYTES || block_bytes > pe->relocations_size - at ||
            !Pe_At(pe, pe->relocations_rva + at, block_bytes))
            return;
        for (uint32_t i = RELOCATION_BYTES; i + 2 <= block_bytes; i += 2) {
            uint16_t entry = Bytes_U16(block + i);
            if ((entry & 0xF000) != RELOCATION_DWORD)
                continue;
            const uint32_t first = Bytes_U32(block) + (entry & 0xFFFu);
            for (uint32_t k = 0; k < 4; k++)
                if (first + k >= rva && first + k - rva < size)
                    bytes[first + k - rva] = 0;
        }
        at += block_bytes;
    }
}

/* ---- exports --------------------------------------------------------------------------------- */

typedef struct ExportTable {
    uint32_t rva, size;
    const uint8_t *functions, *names, *ordinals;
    uint32_t function_count, name_count, ordinal_base;
} ExportTable;

static RpStatus AddExport(const Reader *reader, const ExportTable *table, uint32_t index,
                          const char *name) {
    PeFile *pe = reader->pe;
    PeExport *row = &pe->exports[pe->export_count++];
    row->name = name;
    row->ordinal = table->ordinal_base + index;
    row->rva = Bytes_U32(table->functions + 4 * (size_t)index);
    if (row->rva >= table->rva && row->rva - table->rva < table->size) {
        row->forwarder = StringAt(pe, row->rva);
        if (!row->forwarder)
            return Fail(reader, RP_CORRUPT, RP_NOWHERE, "a forwarder's name is outside the file",
                        "a text inside the file", row->rva);
    }
    return RP_OK;
}

static RpStatus ReadExports(const Reader *reader, const uint8_t *coff) {
    PeFile *pe = reader->pe;
    ExportTable table = {0};
    Directory(pe, coff, 0, &table.rva, &table.size);
    if (table.rva == 0)
        return RP_OK;
    const uint8_t *head = Pe_At(pe, table.rva, EXPORT_BYTES);
    if (!head)
        return Fail(reader, RP_CORRUPT, RP_NOWHERE, "the export directory is outside the file",
                    "an address with 40 bytes of data", table.rva);
    pe->export_name = StringAt(pe, Bytes_U32(head + 12));
    table.ordinal_base = Bytes_U32(head + 16);
    table.function_count = Bytes_U32(head + 20);
    table.name_count = Bytes_U32(head + 24);
    if (table.function_count > MAX_EXPORTS || table.name_count > MAX_EXPORTS)
        return Fail(reader, RP_CORRUPT, (uint64_t)(head - pe->bytes) + 20, "too many exports",
                    "at most 65536", table.function_count);
    table.functions = Pe_At(pe, Bytes_U32(head + 28), table.function_count * 4);
    table.names = Pe_At(pe, Bytes_U32(head + 32), table.name_count * 4);
    table.ordinals = Pe_At(pe, Bytes_U32(head + 36), table.name_count * 2);
    if ((table.function_count && !table.functions) ||
        (table.name_count && (!table.names || !table.ordinals)))
        return Fail(reader, RP_CORRUPT, (uint64_t)(head - pe->bytes) + 28,
                    "an export table is outside the file", "tables inside the file",
                    table.function_count);

    pe->exports = calloc((size_t)table.function_count + table.name_count + 1, sizeof *pe->exports);
    uint8_t *named = calloc(table.function_count + 1, 1);
    RpStatus status = pe->exports && named ? RP_OK : NoMemory(reader);
    for (uint32_t i = 0; !status && i < table.name_count; i++) {
        const uint32_t index = Bytes_U16(table.ordinals + 2 * (size_t)i);
        const uint32_t name_rva = Bytes_U32(table.names + 4 * (size_t)i);
        const char *name = StringAt(pe, name_rva);
        if (!name) {
            status = Fail(reader, RP_CORRUPT, RP_NOWHERE, "an export's name is outside the file",
                          "a text inside the file", name_rva);
        } else if (index >= table.function_count) {
            status = Fail(reader, RP_CORRUPT, RP_NOWHERE, "an export's ordinal is out of range",
                          "an index into the address table", index);
        } else {
            named[index] = 1;
            status = AddExport(reader, &table, index, name);
        }
    }
    for (uint32_t i = 0; !status && i < table.function_count; i++)
        if (!named[i] && Bytes_U32(table.functions + 4 * (size_t)i) != 0)
            status = AddExport(reader, &table, i, NULL);
    free(named);
    return status;
}

/* ---- imports --------------------------------------------------------------------------------- */

static RpStatus ReadImports(const Reader *reader, const uint8_t *coff) {
    PeFile *pe = reader->pe;
    uint32_t rva, size;
    Directory(pe, coff, 1, &rva, &size);
    if (rva == 0)
        return RP_OK;
    for (;; rva += IMPORT_BYTES) {
        const uint8_t *descriptor = Pe_At(pe, rva, IMPORT_BYTES);
        if (!descriptor)
            return Fail(reader, RP_CORRUPT, RP_NOWHERE, "the import directory is outside the file",
                        "an end inside the file", rva);
        const uint32_t name = Bytes_U32(descriptor + 12), iat = Bytes_U32(descriptor + 16);
        if (name == 0 || iat == 0)
            return RP_OK;
        const char *module = StringAt(pe, name);
        if (!module)
            return Fail(reader, RP_CORRUPT, (uint64_t)(descriptor - pe->bytes) + 12,
                        "an imported module's name is outside the file", "a text inside the file",
                        name);

        /* Old linkers leave the list of names out. */
        const uint32_t lookup = Bytes_U32(descriptor) ? Bytes_U32(descriptor) : iat;
        for (uint32_t i = 0;; i++) {
            const uint8_t *thunk = Pe_At(pe, lookup + 4 * i, 4);
            if (!thunk)
                return Fail(reader, RP_CORRUPT, (uint64_t)(descriptor - pe->bytes),
                            "an import table is outside the file", "an end inside the file",
                            lookup);
            const uint32_t place = Bytes_U32(thunk);
            if (place == 0)
                break;
            if (pe->import_count == MAX_IMPORTS)
                return Fail(reader, RP_CORRUPT, RP_NOWHERE, "too many imports", "at most 65536",
                            MAX_IMPORTS);
            /* The list grows at each power of two. */
            if ((pe->import_count & (pe->import_count - 1)) == 0) {
                size_t capacity = pe->import_count ? pe->import_count * 2 : 1;
                PeImport *grown = realloc(pe->imports, capacity * sizeof *grown);
                if (!grown)
                    return NoMemory(reader);
                pe->imports = grown;
            }
            PeImport row = {module, NULL, (uint16_t)place, iat + 4 * i};
            if (!(place & IMPORT_BY_ORDINAL)) {
                const uint8_t *hint = Pe_At(pe, place, 2);
                row.name = place <= UINT32_MAX - 2 ? StringAt(pe, place + 2) : NULL;
                if (!hint || !row.name)
                    return Fail(reader, RP_CORRUPT, RP_NOWHERE,
                                "an import's name is outside the file", "a text inside the file",
                                place);
                row.ordinal = Bytes_U16(hint);
            }
            pe->imports[pe->import_count++] = row;
        }
    }
}

/* ---- the file -------------------------------------------------------------------------------- */

RpStatus Pe_Open(const uint8_t *bytes, size_t size, const char *name, PeFile *pe, RpError *error) {
    Reader reader = {pe, name, error};
    const uint8_t *coff = NULL;
    *pe = (PeFile){.bytes = bytes, .size = size};
    RpStatus status = ReadHeaders(&reader, &coff);
    if (!status)
        status = ReadSections(&reader, coff);
    if (!status)
        status = ReadExports(&reader, coff);
    if (!status)
        status = ReadImports(&reader, coff);
    if (!status) {
        Directory(pe, coff, 5, &pe->relocations_rva, &pe->relocations_size);
        Directory(pe, coff, 9, &pe->tls_rva, &pe->tls_size);
    }
    if (status)
        Pe_Close(pe);
    return status;
}

void Pe_Close(PeFile *pe) {
    free(pe->sections);
    free(pe->exports);
    free(pe->imports);
    free(pe->owned);
    memset(pe, 0, sizeof *pe);
}

const PeSection *Pe_FindSection(const PeFile *pe, const char *name) {
    for (size_t i = 0; i < pe->section_count; i++)
        if (strcmp(pe->sections[i].name, name) == 0)
            return &pe->sections[i];
    return NULL;
}

const PeExport *Pe_FindExport(const PeFile *pe, const char *name) {
    for (size_t i = 0; i < pe->export_count; i++)
        if (pe->exports[i].name && strcmp(pe->exports[i].name, name) == 0)
            return &pe->exports[i];
    return NULL;
}
