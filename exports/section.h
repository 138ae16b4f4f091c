/* This is how one of our DLLs gets the export table of the user's original. `retropose install`
 * appends a section to a copy of our DLL (game/install/pe_writer.h), and the DLL reads the section
 * when it is loaded.
 *
 * As it is built, our DLL exports everything that has a row in exports/NAME.abi.h. It also exports
 * a block of data, `RetroposeGates`, which says where its pool of pass-through gates is. Gate k is
 * `jmp *target[k]`, at pool_rva + k * stride; the code in dll/ fills in target[k].
 *
 * The writer appends one section, `.rpexp`, which is read-only and has no relocations. It consists
 * of a header, the gates that are in use, and the export directory that the loader then uses. Every
 * name and ordinal of the original is in that directory:
 *
 *   in the original                   in the completed DLL
 *   code that a row of ours names     our code, at the original's ordinal
 *   all other code                    the next gate of the pool
 *   g_FastProc                        our table
 *   all other data                    a forwarder "NAME.retail.dll.EXPORT" (or ".#ORDINAL");
 *                                     no known version has any such data
 *   a forwarder                       the same forwarder
 *   nothing                           our own exports (RetroposeInternal, ...), at their ordinals,
 *                                     or else at the first free ones from 2000 up
 *
 * A function of ours that the original does not export is not exported either. Therefore, apart
 * from our own names, whatever resolves in the completed DLL also resolves in the original.
 *
 * All numbers are little-endian dwords. All addresses are RVAs of our DLL unless they are said to
 * be the original's. The same structures are read from the file on disk and from the loaded image.
 */
#ifndef RETROPOSE_EXPORTS_SECTION_H
#define RETROPOSE_EXPORTS_SECTION_H

#include <stdint.h>

/* ---- in every DLL of ours: the data export RetroposeGates ------------------------------------ */

#define EXPORT_GATES_NAME    "RetroposeGates"
#define EXPORT_GATES_MAGIC   0x54475052u /* "RPGT" */
#define EXPORT_GATES_VERSION 1u
#define EXPORT_GATE_COUNT    256u /* size of the pool of each DLL */

typedef struct ExportGates {
    uint32_t magic, version;
    uint32_t count;    /* gates in the pool */
    uint32_t stride;   /* bytes from one gate to the next, at least 6 */
    uint32_t pool_rva; /* address of gate 0, in an executable section (`.rva` of the assembler) */
    uint32_t section_rva; /* 0 as built; the writer puts the address of ExportsSection here. Read it
                             as volatile: otherwise the compiler may assume that it is 0. */
} ExportGates;

/* ---- in a completed DLL: section .rpexp, which begins with ExportsSection -------------------- */

#define EXPORTS_SECTION_NAME    ".rpexp"
#define EXPORTS_SECTION_MAGIC   0x58455052u /* "RPEX" */
#define EXPORTS_SECTION_VERSION 1u

typedef struct ExportsSection {
    uint32_t magic, version;
    uint32_t module; /* an AbiModule */
    /* bytes from this header to the end of what was appended, without file padding */
    uint32_t size;
    uint32_t original_size; /* size of the original's file in bytes */
    uint8_t original_sha256[32];
    uint32_t gates_rva, gate_count; /* an array of ExportsSectionGate, whose row k is gate k */
    uint32_t directory_rva, directory_size; /* the export directory that is in force */
    /* the export directory that the linker made */
    uint32_t built_directory_rva, built_directory_size;
} ExportsSection;

typedef enum ExportsSectionFlag {
    EXPORTS_GATE_STUB = 1, /* the original's code does nothing but pop `pops` bytes */
    /* the same code also clears EAX; knowing this, a gate can do the same without an original */
    EXPORTS_GATE_CLEARS = 2
} ExportsSectionFlag;

typedef struct ExportsSectionGate {
    /* ordinal in the original; GetProcAddress(original, ordinal) is the gate's target */
    uint32_t ordinal;
    uint32_t original_rva; /* the same place as an address in the original */
    uint32_t name_rva; /* a text for messages; 0 when the function is exported by ordinal only */
    uint16_t flags;    /* bits of ExportsSectionFlag */
    uint16_t pops;
} ExportsSectionGate;

#ifndef __cplusplus
_Static_assert(sizeof(ExportGates) == 24 && sizeof(ExportsSectionGate) == 16 &&
                   sizeof(ExportsSection) == 76,
               "the layouts above have no padding");
#endif

#endif
