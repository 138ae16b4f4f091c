/* Reads PE32 files (i386): the sections, exports and imports of a DLL, which is never run.
 *
 * Every offset and count of the file is checked before it is used; nothing is trusted. Strings
 * point into the file's bytes, which must outlive the PeFile (Pe_Load keeps them itself).
 */
#ifndef RETROPOSE_CORE_PE_PE_H
#define RETROPOSE_CORE_PE_PE_H

#include "retropose/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PE_SECTION_CODE       0x00000020u
#define PE_SECTION_EXECUTABLE 0x20000000u
#define PE_SECTION_READABLE   0x40000000u
#define PE_SECTION_WRITABLE   0x80000000u

/* A bit of a file's `characteristics`. */
#define PE_FILE_NOT_RELOCATABLE 0x0001u
#define PE_FILE_DLL             0x2000u

typedef struct PeSection {
    char name[9];
    uint32_t rva, virtual_size;
    uint32_t file_offset, file_size;
    uint32_t characteristics;
} PeSection;

typedef struct PeExport {
    const char *name; /* null: it is exported by ordinal only */
    uint32_t ordinal;
    uint32_t rva;
    const char *forwarder; /* "MODULE.Name", or null */
} PeExport;

typedef struct PeImport {
    const char *module;
    const char *name; /* null: it is imported by ordinal */
    uint16_t ordinal; /* the ordinal, or the hint of a name */
    uint32_t iat_rva; /* where the loader stores the address */
} PeImport;

typedef struct PeFile {
    const uint8_t *bytes;
    size_t size;
    uint8_t *owned;         /* the file's bytes, if Pe_Load has read them */
    uint32_t header_offset; /* offset of "PE" in the file */
    uint32_t image_base, image_size, headers_size, entry_rva, section_alignment;
    uint32_t timestamp;
    uint16_t characteristics, dll_characteristics;
    /* the base relocation directory; 0: there is none */
    uint32_t relocations_rva, relocations_size;
    /* The directory of thread-local storage; 0: there is none. Its fields are addresses and not
     * RVAs, so a loader reads it after it has relocated the image. */
    uint32_t tls_rva, tls_size;
    const char *export_name; /* the module's name in the export directory, or null */
    PeSection *sections;
    size_t section_count;
    /* a row for each name, then those without a name, both in the order of the file */
    PeExport *exports;
    size_t export_count;
    PeImport *imports;
    size_t import_count;
} PeFile;

/* Returns RP_UNSUPPORTED for a file that is not PE32 for i386, and RP_CORRUPT or RP_TRUNCATED with
 * the offset for one that is broken. `name` is for messages. Call Pe_Close only after RP_OK. */
RpStatus Pe_Open(const uint8_t *bytes, size_t size, const char *name, PeFile *pe, RpError *error);
RpStatus Pe_Load(const char *path, PeFile *pe, RpError *error);
void Pe_Close(PeFile *pe);

/* Returns `size` bytes of the image at `rva`, as the file has them, or null when they are not all
 * in the file. */
const uint8_t *Pe_At(const PeFile *pe, uint32_t rva, uint32_t size);
/* Takes `bytes`, which are those of the image from `rva` on, and sets to zero what a loader changes
 * when it relocates the image. A malformed directory ends at its first bad block. */
void Pe_MaskRelocated(const PeFile *pe, uint32_t rva, uint8_t *bytes, uint32_t size);
/* Returns the section that contains `rva`, or null. */
const PeSection *Pe_SectionAt(const PeFile *pe, uint32_t rva);
const PeSection *Pe_FindSection(const PeFile *pe, const char *name);
const PeExport *Pe_FindExport(const PeFile *pe, const char *name);

#endif
