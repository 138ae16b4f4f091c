#include "game/install/pe_writer.h"

#include "core/bytes.h"
#include "core/hex.h"
#include "exports/section.h"
#include "game/exports/exports_import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Offsets from "PE", from Microsoft's page "PE Format". */
#define COFF_SECTIONS         6u
#define COFF_OPTIONAL_BYTES   20u
#define OPTIONAL              24u
#define OPTIONAL_DATA_BYTES   (OPTIONAL + 8u)
#define OPTIONAL_ALIGNMENT    (OPTIONAL + 32u)
#define OPTIONAL_FILE_ALIGN   (OPTIONAL + 36u)
#define OPTIONAL_IMAGE_BYTES  (OPTIONAL + 56u)
#define OPTIONAL_CHECKSUM     (OPTIONAL + 64u)
#define OPTIONAL_DIRECTORIES  (OPTIONAL + 92u)
#define DIRECTORY(index)      (OPTIONAL + 96u + 8u * (index))
#define DIRECTORY_EXPORTS     0u
#define DIRECTORY_CERTIFICATE 4u
#define SECTION_BYTES         40u
#define MAX_SECTIONS          96u
#define SECTION_READ_DATA     0x40000040u /* initialised data, readable */
#define EXPORT_BYTES          40u
#define MAX_IMAGE_BYTES       0x40000000u
#define FIRST_OWN_ORDINAL     2000u
#define OWN_PREFIX            "Retropose"

/* One name of the completed table, or an ordinal without a name. */
typedef struct Row {
    uint32_t ordinal;
    const char *name; /* empty: exported by ordinal only */
    uint32_t rva;     /* in our DLL; 0: a forwarder */
    char forwarder[OVERLAY_NAME_BYTES + 32];
    uint32_t name_rva;
} Row;

typedef struct Writer {
    const PeFile *ours;
    AbiModule module;
    RpError *error;
    Overlay original;
    ExportGates gates;
    uint32_t gates_offset; /* where ExportGates is in the file */
    Row *rows;             /* ordered by ordinal, then by name */
    size_t row_count;
    const Row **named; /* ordered by name */
    size_t named_count;
    const OverlayExport **gated; /* the export to which each gate leads */
    uint32_t gated_count;
    ExportsSection head;
    uint32_t rva; /* address of the new section */
    RpBuffer section;
} Writer;

static uint32_t Align(uint32_t value, uint32_t alignment) {
    return (value + alignment - 1) & ~(alignment - 1);
}

static RpStatus Refuse(const Writer *writer, RpStatus status, const char *what,
                       const char *expected, uint32_t found) {
    char text[16];
    snprintf(text, sizeof text, "0x%X", found);
    return RpError_Set(writer->error, status, RP_NOWHERE, what, AbiModule_File(writer->module),
                       expected, text);
}

static const uint8_t *Header(const Writer *writer, uint32_t offset) {
    return writer->ours->bytes + writer->ours->header_offset + offset;
}

/* ---- what may be completed ------------------------------------------------------------------- */

static bool IsCode(const PeFile *pe, uint32_t rva, uint32_t size) {
    const PeSection *section = Pe_SectionAt(pe, rva);
    return section && section->characteristics & PE_SECTION_EXECUTABLE && Pe_At(pe, rva, size);
}

static bool IsPowerOfTwo(uint32_t value) {
    return value && !(value & (value - 1));
}

/* Returns where the next section header goes, counted from the start of the file. */
static uint32_t NextSectionHeader(const PeFile *pe) {
    return pe->header_offset + OPTIONAL +
           Bytes_U16(pe->bytes + pe->header_offset + COFF_OPTIONAL_BYTES) +
           SECTION_BYTES * (uint32_t)pe->section_count;
}

static RpStatus CheckOurs(Writer *writer) {
    const PeFile *ours = writer->ours;
    if (Pe_FindSection(ours, EXPORTS_SECTION_NAME))
        return RpError_Set(writer->error, RP_INVALID, RP_NOWHERE,
                           "this DLL has been completed already", AbiModule_File(writer->module),
                           "the DLL as it was built", "a section " EXPORTS_SECTION_NAME);
    if (!ours->export_name || strcmp(ours->export_name, AbiModule_File(writer->module)) != 0)
        return RpError_Set(writer->error, RP_INVALID, RP_NOWHERE, "this is another DLL",
                           AbiModule_File(writer->module), "a DLL of Retropose of this name",
                           ours->export_name ? ours->export_name : "no name");

    /* The gates must be of this version, in the DLL's code, and without a section. */
    const PeExport *row = Pe_FindExport(ours, EXPORT_GATES_NAME);
    const uint8_t *bytes = row ? Pe_At(ours, row->rva, sizeof(ExportGates)) : NULL;
    ExportGates *gates = &writer->gates;
    if (!bytes)
        return RpError_Set(writer->error, RP_UNSUPPORTED, RP_NOWHERE,
                           "this DLL has no gates for exports", AbiModule_File(writer->module),
                           "a DLL of Retropose of this version", "no export " EXPORT_GATES_NAME);
    *gates = (ExportGates){Bytes_U32(bytes),      Bytes_U32(bytes + 4),  Bytes_U32(bytes + 8),
                           Bytes_U32(bytes + 12), Bytes_U32(bytes + 16), Bytes_U32(bytes + 20)};
    writer->gates_offset = (uint32_t)(bytes - ours->bytes);
    if (gates->magic != EXPORT_GATES_MAGIC || gates->version != EXPORT_GATES_VERSION)
        return Refuse(writer, RP_UNSUPPORTED, "the DLL's gates are of another version", "version 1",
                      gates->version);
    if (gates->count > OVERLAY_MAX_EXPORTS || gates->stride < 6 || gates->stride > 64 ||
        !IsCode(ours, gates->pool_rva, gates->count * gates->stride))
        return Refuse(writer, RP_CORRUPT, "the DLL's gates are not in its code",
                      "a pool inside an executable section", gates->pool_rva);
    if (gates->section_rva)
        return Refuse(writer, RP_INVALID, "this DLL has been completed already",
                      "the DLL as it was built", gates->section_rva);

    /* The alignments, with which addresses and sizes are computed. */
    const uint32_t image = Bytes_U32(Header(writer, OPTIONAL_ALIGNMENT));
    const uint32_t file = Bytes_U32(Header(writer, OPTIONAL_FILE_ALIGN));
    if (!IsPowerOfTwo(image) || !IsPowerOfTwo(file) || file > image || image > 0x10000)
        return Refuse(writer, RP_CORRUPT, "the DLL's alignments contradict the format",
                      "powers of two, the file's not above the image's", image);

    /* After an alignment, a size must still fit into 32 bits. */
    for (size_t i = 0; i < ours->section_count; i++) {
        const PeSection *section = &ours->sections[i];
        if (section->rva > MAX_IMAGE_BYTES || section->virtual_size > MAX_IMAGE_BYTES ||
            section->file_size > MAX_IMAGE_BYTES)
            return Refuse(writer, RP_CORRUPT, "a section of the DLL is too large", "below 1 GiB",
                          section->rva);
    }
    if (ours->size > MAX_IMAGE_BYTES)
        return Refuse(writer, RP_CORRUPT, "the DLL is too large", "below 1 GiB", UINT32_MAX);

    /* The new section needs a place in the headers, and invalidates a signature. */
    if (Bytes_U32(Header(writer, OPTIONAL_DIRECTORIES)) > DIRECTORY_CERTIFICATE &&
        Bytes_U32(Header(writer, DIRECTORY(DIRECTORY_CERTIFICATE))))
        return Refuse(writer, RP_UNSUPPORTED, "the DLL is signed", "a DLL without a certificate",
                      Bytes_U32(Header(writer, DIRECTORY(DIRECTORY_CERTIFICATE))));
    uint32_t start = NextSectionHeader(ours), end = start + SECTION_BYTES;
    uint32_t limit = ours->headers_size;
    for (size_t i = 0; i < ours->section_count; i++)
        if (ours->sections[i].file_size && ours->sections[i].file_offset < limit)
            limit = ours->sections[i].file_offset;
    bool room = end <= limit && end <= ours->size && ours->section_count < MAX_SECTIONS;
    for (uint32_t i = start; room && i < end; i++)
        room = ours->bytes[i] == 0;
    return room ? RP_OK
                : Refuse(writer, RP_UNSUPPORTED, "the DLL has no room for a section header",
                         "40 bytes of zero behind the last one", start);
}

/* ---- which address each export gets ---------------------------------------------------------- */

/* Returns the address of our export that serves a name of the original. Code is served only by
 * code, and data by data. */
static uint32_t OurAddress(const Writer *writer, const char *name, bool data) {
    const PeExport *row = name[0] ? Pe_FindExport(writer->ours, name) : NULL;
    if (!row || row->forwarder || IsCode(writer->ours, row->rva, 1) == data)
        return 0;
    return row->rva;
}

/* Adds all names of one ordinal. They are `count` rows, beginning with `first`. */
static RpStatus AddOrdinal(Writer *writer, const OverlayExport *first, size_t count) {
    Row common = {.ordinal = first->ordinal};
    const bool forwards = first->kind == OVERLAY_FORWARDER, data = first->kind == OVERLAY_DATA;

    /* An export of ours may serve it, under one of its names. An export without a name is
     * recognised by its ordinal together with its address, because both are different in other
     * versions. */
    uint32_t served = 0;
    for (size_t i = 0; !forwards && !served && i < count; i++)
        served = OurAddress(writer, first[i].name, data);
    for (size_t i = 0; !forwards && !served && !first->name[0] && i < abi_function_count; i++) {
        const AbiFunction *function = &abi_functions[i];
        if (function->module == writer->module && function->kind == ABI_EXPORT &&
            function->index_evidence == ABI_READ && function->rva_evidence == ABI_READ &&
            (uint32_t)function->index == first->ordinal && function->rva == first->rva) {
            served = OurAddress(writer, function->name, data);
            break;
        }
    }

    if (forwards) {
        snprintf(common.forwarder, sizeof common.forwarder, "%s", first->forwarder);
    } else if (served) {
        common.rva = served;
    } else if (data) {
        /* In a forwarder, everything up to the last dot is the module's name, to which no ".dll"
         * is added if it has an extension. Wine reads it in this way (tests/game/install checks
         * this). */
        size_t size = sizeof common.forwarder;
        const char *file = AbiModule_File(writer->module);
        int stem = (int)strcspn(file, ".");
        if (first->name[0])
            snprintf(common.forwarder, size, "%.*s.retail.dll.%s", stem, file, first->name);
        else
            snprintf(common.forwarder, size, "%.*s.retail.dll.#%u", stem, file, first->ordinal);
    } else {
        if (writer->gated_count == writer->gates.count)
            return Refuse(writer, RP_UNSUPPORTED,
                          "the original exports more code than we have gates",
                          "as many gates as exports without a body of ours", writer->gates.count);
        common.rva = writer->gates.pool_rva + writer->gated_count * writer->gates.stride;
        writer->gated[writer->gated_count++] = first;
    }
    for (size_t i = 0; i < count; i++) {
        common.name = first[i].name;
        writer->rows[writer->row_count++] = common;
    }
    return RP_OK;
}

static bool IsOwnName(const char *name) {
    return strncmp(name, OWN_PREFIX, strlen(OWN_PREFIX)) == 0;
}

static int ByName(const void *a, const void *b) {
    return strcmp((*(const Row *const *)a)->name, (*(const Row *const *)b)->name);
}

static RpStatus Plan(Writer *writer) {
    size_t most = writer->original.export_count + writer->ours->export_count + 1;
    writer->rows = calloc(most, sizeof *writer->rows);
    writer->named = calloc(most, sizeof *writer->named);
    writer->gated = calloc(most, sizeof *writer->gated);
    if (!writer->rows || !writer->named || !writer->gated)
        return RpMemory_Refused(writer->error, "an export table");

    /* The overlay's list is ordered by ordinal, and all names of one are added together. */
    const OverlayExport *exports = writer->original.exports;
    RpStatus status = RP_OK;
    for (size_t i = 0, count; !status && i < writer->original.export_count; i += count) {
        count = 1;
        while (i + count < writer->original.export_count &&
               exports[i + count].ordinal == exports[i].ordinal)
            count++;
        status = AddOrdinal(writer, &exports[i], count);
    }
    if (status)
        return status;

    /* Our own exports get ordinals that the original does not have. */
    uint8_t *taken = calloc(UINT16_MAX + 1, 1); /* for each ordinal */
    uint32_t next = FIRST_OWN_ORDINAL;
    if (!taken)
        return RpMemory_Refused(writer->error, "an export table");
    for (size_t i = 0; i < writer->row_count; i++)
        taken[writer->rows[i].ordinal] = 1;
    for (size_t i = 0; !status && i < writer->ours->export_count; i++) {
        const PeExport *own = &writer->ours->exports[i];
        uint32_t ordinal = own->ordinal;
        if (!own->name || !IsOwnName(own->name))
            continue;
        while (ordinal <= UINT16_MAX && taken[ordinal])
            ordinal = next++;

        /* The export must be inside of the sections as they were built. An address behind them
         * would be in the section that is appended. */
        if (own->forwarder || !Pe_SectionAt(writer->ours, own->rva)) {
            status =
                Refuse(writer, RP_CORRUPT, "an export of ours is in none of the DLL's sections",
                       "code or data of this DLL", own->rva);
        } else if (strlen(own->name) >= OVERLAY_NAME_BYTES) {
            status =
                RpError_Set(writer->error, RP_UNSUPPORTED, RP_NOWHERE,
                            "the name of an export of ours is too long",
                            AbiModule_File(writer->module), "at most 95 characters", own->name);
        } else if (ordinal > UINT16_MAX) {
            status = Refuse(writer, RP_UNSUPPORTED, "no ordinal is left for an export of ours",
                            "one from 2000 to 65535", ordinal);
        } else {
            taken[ordinal] = 1;
            writer->rows[writer->row_count++] =
                (Row){.ordinal = ordinal, .name = own->name, .rva = own->rva};
        }
    }
    free(taken);

    /* The list of names must be sorted. */
    for (size_t i = 0; !status && i < writer->row_count; i++)
        if (writer->rows[i].name[0])
            writer->named[writer->named_count++] = &writer->rows[i];
    if (!status)
        qsort(writer->named, writer->named_count, sizeof *writer->named, ByName);
    return status;
}

/* ---- the section ----------------------------------------------------------------------------- */

static uint32_t AppendText(Writer *writer, const char *text) {
    uint32_t rva = writer->rva + (uint32_t)writer->section.size;
    RpBuffer_Append(&writer->section, text, strlen(text) + 1);
    return rva;
}

/* Returns the section's bytes at an address in it, or null after memory has run out. */
static uint8_t *At(const Writer *writer, uint32_t rva) {
    return writer->section.failed ? NULL : writer->section.bytes + (rva - writer->rva);
}

static void Set32(const Writer *writer, uint32_t rva, uint32_t value) {
    uint8_t *bytes = At(writer, rva);
    if (bytes)
        Bytes_PutU32(bytes, value);
}

static void Set16(const Writer *writer, uint32_t rva, uint32_t value) {
    uint8_t *bytes = At(writer, rva);
    if (bytes)
        Bytes_PutU16(bytes, value);
}

/* Writes the export directory at the end of the section, and behind it its three lists and its
 * texts. */
static void WriteDirectory(Writer *writer, uint32_t rva) {
    uint32_t base = UINT32_MAX, last = 0; /* the first and the last ordinal */
    for (size_t i = 0; i < writer->row_count; i++) {
        uint32_t ordinal = writer->rows[i].ordinal;
        base = ordinal < base ? ordinal : base;
        last = ordinal > last ? ordinal : last;
    }
    const uint32_t count = last - base + 1, name_count = (uint32_t)writer->named_count;
    const uint32_t functions = rva + EXPORT_BYTES;
    const uint32_t names = functions + 4 * count;
    const uint32_t ordinals = names + 4 * name_count;
    RpBuffer_Extend(&writer->section, EXPORT_BYTES + 4 * (size_t)count + 6 * (size_t)name_count);

    Set32(writer, rva + 12, AppendText(writer, AbiModule_File(writer->module)));
    Set32(writer, rva + 16, base);
    Set32(writer, rva + 20, count);
    Set32(writer, rva + 24, name_count);
    Set32(writer, rva + 28, functions);
    Set32(writer, rva + 32, names);
    Set32(writer, rva + 36, ordinals);
    for (uint32_t i = 0; i < name_count; i++) {
        /* `named` points into `rows`. */
        Row *row = &writer->rows[writer->named[i] - writer->rows];
        row->name_rva = AppendText(writer, row->name);
        Set32(writer, names + 4 * i, row->name_rva);
        Set16(writer, ordinals + 2 * i, row->ordinal - base);
    }
    for (size_t i = 0; i < writer->row_count; i++) {
        Row *row = &writer->rows[i];
        bool again = i > 0 && row->forwarder[0] && row->ordinal == row[-1].ordinal;
        if (row->forwarder[0] && !again) /* the address of a text in the directory is a forwarder */
            row->rva = AppendText(writer, row->forwarder);
        else if (again)
            row->rva = row[-1].rva;
        Set32(writer, functions + 4 * (row->ordinal - base), row->rva);
    }
}

static void WriteGates(const Writer *writer) {
    for (uint32_t i = 0; i < writer->gated_count; i++) {
        const OverlayExport *gated = writer->gated[i];
        uint32_t rva = writer->head.gates_rva + i * (uint32_t)sizeof(ExportsSectionGate);
        uint32_t flags = gated->kind == OVERLAY_STUB ? EXPORTS_GATE_STUB : 0, name_rva = 0;
        for (size_t k = 0; gated->name[0] && name_rva == 0 && k < writer->row_count; k++)
            if (writer->rows[k].name == gated->name)
                name_rva = writer->rows[k].name_rva;
        Set32(writer, rva, gated->ordinal);
        Set32(writer, rva + 4, gated->rva);
        Set32(writer, rva + 8, name_rva);
        Set16(writer, rva + 12, flags | (gated->clears ? EXPORTS_GATE_CLEARS : 0));
        Set16(writer, rva + 14, gated->pops);
    }
}

static void FillHead(Writer *writer, uint32_t directory_rva) {
    const OverlayModule *original = &writer->original.modules[writer->module];
    uint32_t end = writer->rva + (uint32_t)writer->section.size;
    writer->head = (ExportsSection){
        .magic = EXPORTS_SECTION_MAGIC,
        .version = EXPORTS_SECTION_VERSION,
        .module = (uint32_t)writer->module,
        .size = end - writer->rva,
        .original_size = original->size,
        .gates_rva = writer->rva + (uint32_t)sizeof(ExportsSection),
        .gate_count = writer->gated_count,
        .directory_rva = directory_rva,
        .directory_size = end - directory_rva,
        .built_directory_rva = Bytes_U32(Header(writer, DIRECTORY(DIRECTORY_EXPORTS))),
        .built_directory_size = Bytes_U32(Header(writer, DIRECTORY(DIRECTORY_EXPORTS) + 4)),
    };
    Hex_Read(original->sha256, writer->head.original_sha256, sizeof writer->head.original_sha256);
}

/* ---- the file -------------------------------------------------------------------------------- */

static RpStatus WriteFile(const Writer *writer, RpBuffer *out) {
    const PeFile *ours = writer->ours;
    const uint32_t file_alignment = Bytes_U32(Header(writer, OPTIONAL_FILE_ALIGN));
    const uint32_t offset = Align((uint32_t)ours->size, file_alignment);
    const uint32_t size = Align(writer->head.size, file_alignment);
    uint8_t *file = RpBuffer_Extend(out, offset + size);
    if (!file)
        return RpMemory_Refused(writer->error, "a completed DLL");
    memcpy(file, ours->bytes, ours->size);
    memcpy(file + offset, writer->section.bytes, writer->section.size);

    /* The section gets a header behind the others. */
    uint8_t *row = file + NextSectionHeader(ours);
    memcpy(row, EXPORTS_SECTION_NAME, sizeof EXPORTS_SECTION_NAME);
    Bytes_PutU32(row + 8, writer->head.size);
    Bytes_PutU32(row + 12, writer->rva);
    Bytes_PutU32(row + 16, size);
    Bytes_PutU32(row + 20, offset);
    Bytes_PutU32(row + 36, SECTION_READ_DATA);

    /* The DLL's headers and its gates point to the section. */
    uint8_t *header = file + ours->header_offset;
    const uint32_t alignment = Bytes_U32(header + OPTIONAL_ALIGNMENT);
    Bytes_PutU16(header + COFF_SECTIONS, (uint32_t)ours->section_count + 1);
    Bytes_PutU32(header + OPTIONAL_DATA_BYTES, Bytes_U32(header + OPTIONAL_DATA_BYTES) + size);
    Bytes_PutU32(header + OPTIONAL_IMAGE_BYTES, Align(writer->rva + writer->head.size, alignment));
    Bytes_PutU32(header + DIRECTORY(DIRECTORY_EXPORTS), writer->head.directory_rva);
    Bytes_PutU32(header + DIRECTORY(DIRECTORY_EXPORTS) + 4, writer->head.directory_size);
    Bytes_PutU32(file + writer->gates_offset + 20, writer->rva);

    /* The loader checks this checksum for drivers, and tools report it: words of 16 bits of all
     * that was written, added with their carries, with the field itself as zero, plus the size of
     * the file. */
    const uint32_t field = ours->header_offset + OPTIONAL_CHECKSUM, whole = offset + size;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < whole; i += 2) {
        uint32_t word = i + 1 < whole ? Bytes_U16(file + i) : file[i];
        if (i >= field && i < field + 4)
            word = 0;
        sum += word;
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    Bytes_PutU32(file + field, sum + whole);
    return RP_OK;
}

static bool IsRow(const PeExport *found, const Row *row) {
    return found->ordinal == row->ordinal && found->rva == row->rva &&
           strcmp(found->name ? found->name : "", row->name) == 0 &&
           strcmp(found->forwarder ? found->forwarder : "", row->forwarder) == 0;
}

/* Reads what was written again. The tables of a malformed DLL can overlap in more ways than
 * could be listed, and a change of one then changes another. */
static RpStatus ReadBack(const Writer *writer, const uint8_t *file, size_t size) {
    PeFile completed;
    PeCompletion completion;
    bool good = false;
    RpStatus status = Pe_Open(file, size, "", &completed, NULL);
    if (status == RP_NO_MEMORY)
        return RpMemory_Refused(writer->error, "reading the completed DLL");
    if (!status) {
        good = PeWriter_Inspect(&completed, &completion, NULL) == RP_OK &&
               completed.import_count == writer->ours->import_count &&
               completed.export_count == writer->row_count;

        /* The reader lists the names in their order, and then the ordinals without a name. */
        const PeExport *found = completed.exports;
        for (size_t i = 0; good && i < writer->named_count; i++)
            good = IsRow(found++, writer->named[i]);
        for (size_t i = 0; good && i < writer->row_count; i++)
            good = writer->rows[i].name[0] || IsRow(found++, &writer->rows[i]);
        Pe_Close(&completed);
    }
    if (good)
        return RP_OK;
    return RpError_Set(writer->error, RP_CORRUPT, RP_NOWHERE,
                       "the completed DLL does not read back: tables of it overlap",
                       AbiModule_File(writer->module), "tables with places of their own", "");
}

/* Refuses a DLL of ours, whose names would be there twice, and the other module, whose exports
 * would be useless. */
static RpStatus CheckOriginal(const Writer *writer, const PeFile *original) {
    for (size_t i = 0; i < original->export_count; i++)
        if (original->exports[i].name && IsOwnName(original->exports[i].name))
            return RpError_Set(writer->error, RP_INVALID, RP_NOWHERE,
                               "the original is a DLL of Retropose", AbiModule_File(writer->module),
                               "the DLL that came with the game", original->exports[i].name);
    AbiModule module = writer->module;
    if (ExportsImport_Identify(original, &module, NULL) == RP_OK && module != writer->module)
        return RpError_Set(writer->error, RP_INVALID, RP_NOWHERE, "the original is another DLL",
                           AbiModule_File(writer->module), AbiModule_File(writer->module),
                           AbiModule_File(module));
    return RP_OK;
}

RpStatus PeWriter_Complete(const PeFile *ours, const PeFile *original, AbiModule module,
                           RpBuffer *out, RpError *error) {
    Writer writer = {.ours = ours, .module = module, .error = error};
    Overlay_Init(&writer.original, NULL);
    RpBuffer_Init(&writer.section, NULL);
    const size_t before = out->size;
    RpStatus status = CheckOriginal(&writer, original);
    if (!status)
        status = CheckOurs(&writer);
    if (!status)
        status = ExportsImport_Read(original, module, &writer.original, error);
    if (!status)
        status = Plan(&writer);
    if (!status) {
        uint32_t alignment = Bytes_U32(Header(&writer, OPTIONAL_ALIGNMENT));
        writer.rva = writer.ours->headers_size;
        for (size_t i = 0; i < writer.ours->section_count; i++) {
            const PeSection *section = &writer.ours->sections[i];
            uint32_t size = section->virtual_size ? section->virtual_size : section->file_size;
            if (section->rva + size > writer.rva)
                writer.rva = section->rva + size;
        }
        if (writer.rva > 2 * MAX_IMAGE_BYTES) {
            status = Refuse(&writer, RP_CORRUPT, "the DLL's headers are too large", "below 1 GiB",
                            writer.rva);
        } else {
            writer.rva = Align(writer.rva, alignment);
            uint32_t gates = writer.gated_count * (uint32_t)sizeof(ExportsSectionGate);
            uint32_t directory_rva = writer.rva + (uint32_t)sizeof(ExportsSection) + gates;
            RpBuffer_Extend(&writer.section, sizeof(ExportsSection) + gates);
            WriteDirectory(&writer, directory_rva);
            FillHead(&writer, directory_rva);

            const ExportsSection *head = &writer.head;
            const uint32_t words[] = {head->magic, head->version, head->module, head->size,
                                      head->original_size};
            const uint32_t places[] = {head->gates_rva,           head->gate_count,
                                       head->directory_rva,       head->directory_size,
                                       head->built_directory_rva, head->built_directory_size};
            uint32_t rva = writer.rva;
            for (size_t i = 0; i < sizeof words / sizeof *words; i++, rva += 4)
                Set32(&writer, rva, words[i]);
            uint8_t *digest = At(&writer, rva);
            if (digest)
                memcpy(digest, head->original_sha256, sizeof head->original_sha256);
            rva += sizeof head->original_sha256;
            for (size_t i = 0; i < sizeof places / sizeof *places; i++, rva += 4)
                Set32(&writer, rva, places[i]);

            WriteGates(&writer);
            status =
                writer.section.failed ? RpMemory_Refused(writer.error, "an export table") : RP_OK;
        }
    }

    if (!status)
        status = WriteFile(&writer, out);
    if (!status)
        status = ReadBack(&writer, out->bytes + before, out->size - before);
    if (status)
        out->size = before;
    Overlay_Free(&writer.original);
    RpBuffer_Free(&writer.section);
    free(writer.rows);
    free(writer.named);
    free(writer.gated);
    return status;
}

/* ---- reading it again ------------------------------------------------------------------------ */

RpStatus PeWriter_Inspect(const PeFile *pe, PeCompletion *completion, RpError *error) {
    const PeSection *section = Pe_FindSection(pe, EXPORTS_SECTION_NAME);
    if (!section)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the DLL is not completed", "",
                           "a section " EXPORTS_SECTION_NAME, "");
    const uint8_t *head = Pe_At(pe, section->rva, sizeof(ExportsSection));
    if (!head || Bytes_U32(head) != EXPORTS_SECTION_MAGIC ||
        Bytes_U32(head + 4) != EXPORTS_SECTION_VERSION || Bytes_U32(head + 8) >= ABI_MODULE_COUNT)
        return RpError_Set(error, RP_CORRUPT, section->file_offset,
                           "the section of exports is not of this version", "", "RPEX, version 1",
                           "");
    *completion = (PeCompletion){.module = (AbiModule)Bytes_U32(head + 8),
                                 .original_size = Bytes_U32(head + 16),
                                 .gate_count = Bytes_U32(head + 56)};
    for (size_t i = 0; i < 32; i++)
        snprintf(completion->original_sha256 + 2 * i, 3, "%02x", head[20 + i]);
    return RP_OK;
}
