/* How a DLL of ours gets the export table of the user's original: what `retropose install` appends
 * to a copy of it (live/install/pe_writer.h), and what the DLL reads of that when it is loaded.
 *
 * As built, a DLL of ours exports what has a row in exports/NAME.abi.h, and as `RetroposeGates` a
 * block of data: where its pool of pass-through gates is. Gate k is `jmp *target[k]`, at
 * pool_rva + k * stride; target[k] belongs to live/dll.
 *
 * The writer appends one section, `.rpexp`, read-only and without relocations: a header, the gates
 * that are taken, and the export directory that the loader then uses. Every name and ordinal of the
 * original is in it:
 *
 *   of the original                   of the completed DLL
 *   code that a row of ours names     our code, at the original's ordinal
 *   all other code                    the next gate of the pool
 *   g_FastProc                        our table
 *   all other data                    forwarder "NAME.retail.dll.EXPORT" (or ".#ORDINAL"); no known
 *                                     build has any
 *   a forwarder                       the same forwarder
 *   nothing                           our own exports (RetroposeInternal, ...), at their ordinals,
 *                                     or at the first free ones from 2000 up
 *
 * A row of ours that the original does not export is not exported either: nothing resolves that
 * does not resolve in the original, but for the names of our own.
 *
 * All numbers are little-endian dwords; all addresses are RVAs of our DLL, unless they are said to
 * be the original's. The same structures are read from the file on disk and from the loaded image.
 */
#ifndef RETROPOSE_EXPORTS_SECTION_H
#define RETROPOSE_EXPORTS_SECTION_H

#include <stdint.h>

/* ---- in every DLL of ours: the data export RetroposeGates ------------------------------------ */

#define EXPORT_GATES_NAME    "RetroposeGates"
#define EXPORT_GATES_MAGIC   0x54475052u /* "RPGT" */
#define EXPORT_GATES_VERSION 1u
#define EXPORT_GATE_COUNT    256u /* the pool of each DLL */

typedef struct ExportGates {
    uint32_t magic, version;
    uint32_t count;       /* gates in the pool */
    uint32_t stride;      /* bytes from one gate to the next, at least 6 */
    uint32_t pool_rva;    /* of gate 0, in an executable section (`.rva` of the assembler) */
    uint32_t section_rva; /* 0 as built; the writer puts the address of ExportsSection here. To be
                             read as volatile: no compiler may know that it is 0. */
} ExportGates;

/* ---- in a completed DLL: section .rpexp, which begins with ExportsSection -------------------- */

#define EXPORTS_SECTION_NAME    ".rpexp"
#define EXPORTS_SECTION_MAGIC   0x58455052u /* "RPEX" */
#define EXPORTS_SECTION_VERSION 1u

typedef struct ExportsSection {
    uint32_t magic, version;
    uint32_t module;        /* AbiModule */
    uint32_t size;          /* of all that follows from this header on, without file padding */
    uint32_t original_size; /* of the file that was read, in bytes */
    uint8_t original_sha256[32];
    uint32_t gates_rva, gate_count;         /* ExportsSectionGate rows; row k is gate k */
    uint32_t directory_rva, directory_size; /* the directory in force */
    uint32_t built_directory_rva, built_directory_size; /* the one that our linker made */
} ExportsSection;

typedef enum ExportsSectionFlag {
    EXPORTS_GATE_STUB = 1,  /* the original's code does nothing but pop `pops` bytes ... */
    EXPORTS_GATE_CLEARS = 2 /* ... and clear EAX: without an original, a gate can do the same */
} ExportsSectionFlag;

typedef struct ExportsSectionGate {
    uint32_t ordinal;      /* of the original: GetProcAddress(original, ordinal) is the target */
    uint32_t original_rva; /* the same place, by address */
    uint32_t name_rva;     /* text for messages; 0: exported by ordinal only */
    uint16_t flags;        /* ExportsSectionFlag */
    uint16_t pops;
} ExportsSectionGate;

#ifndef __cplusplus
_Static_assert(sizeof(ExportGates) == 24 && sizeof(ExportsSectionGate) == 16 &&
                   sizeof(ExportsSection) == 76,
               "the layouts above have no padding");
#endif

#endif
