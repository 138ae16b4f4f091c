/* The ABI overlay: what is known of one user's pair of original DLLs beyond the ABI tables, as text
 * (docs/formats/overlay.md). `retropose exports` and `retropose probe` write it; replay, calibrate,
 * the host process and our DLLs in a game folder read it. It holds names, numbers and digests, but
 * no byte of a game file. All functions but Overlay_Format, Overlay_Load and Overlay_Save work
 * without a C library, because our DLLs have none.
 *
 * Traces are not affected, because their parameters stay in the order of the tables. An overlay
 * decides only how the machine makes a call: by which convention, with the arguments in which
 * order, at which address.
 */
#ifndef RETROPOSE_EXPORTS_OVERLAY_OVERLAY_H
#define RETROPOSE_EXPORTS_OVERLAY_OVERLAY_H

#include "exports/abi.h"
#include "retropose/error.h"
#include "retropose/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OVERLAY_VERSION       1
#define OVERLAY_MAX_PARAMS    10 /* the same as SIGNATURE_MAX_PARAMS */
#define OVERLAY_NAME_BYTES    96
#define OVERLAY_MAX_EXPORTS   4096 /* of both modules together */
#define OVERLAY_MAX_FUNCTIONS 16384
#define OVERLAY_MAX_SIGNATURE 4096 /* in bytes */

typedef enum OverlayExportKind {
    OVERLAY_CODE,
    OVERLAY_STUB, /* code that only pops its arguments (`pops` bytes), and maybe clears EAX */
    OVERLAY_DATA, /* outside executable sections */
    OVERLAY_FORWARDER
} OverlayExportKind;

typedef struct OverlayModule {
    bool known; /* there is a `module` line: the overlay is for this file and no other */
    uint32_t size;
    char sha256[65];
} OverlayModule;

typedef struct OverlayExport {
    AbiModule module;
    uint32_t ordinal;
    char name[OVERLAY_NAME_BYTES]; /* empty: by ordinal only */
    uint32_t rva;
    OverlayExportKind kind;
    uint32_t pops; /* of a stub: the bytes of arguments that it pops */
    bool clears;   /* of a stub: EAX is 0 afterwards */
    char forwarder[OVERLAY_NAME_BYTES];
} OverlayExport;

typedef enum OverlayBuild {
    OVERLAY_BUILD_UNKNOWN,
    OVERLAY_BUILD_GENERIC,
    OVERLAY_BUILD_FXCH,
    OVERLAY_BUILD_SSE
} OverlayBuild;

/* How a call is known. These are bits of `evidence`. */
enum { OVERLAY_STATIC = 1, OVERLAY_DYNAMIC = 2, OVERLAY_BY_HAND = 4 };

/* What is known of one function of the tables. */
typedef struct OverlayFunction {
    const AbiFunction *function;
    /* With `ranged`, the line holds only for calls with these sequence numbers. `probe` gives each
     * candidate its own range of a trace's calls, and so learns about many candidates in one
     * run. */
    bool ranged;
    uint64_t first, last;
    uint32_t rva; /* address of the code that was found; 0: not stated */
    OverlayBuild build;
    /* With `has_call`, the line says how the function is called: argument i of the machine's call
     * is parameter order[i] of the row. */
    bool has_call;
    AbiConvention convention;
    uint8_t param_count;
    uint8_t order[OVERLAY_MAX_PARAMS];
    uint8_t evidence; /* OVERLAY_STATIC | ... */
    uint32_t cases;   /* number of calls that reproduced the known formula */
    /* With `signature_bytes`, the line says what the function begins with: the SHA-256 of that many
     * bytes of the file, in which dwords that relocation changes count as zero. The first
     * `entry_bytes` of them are whole instructions that may be moved elsewhere. With 0, the
     * function may not be redirected. */
    uint32_t signature_bytes, entry_bytes;
    char signature[65];
} OverlayFunction;

typedef struct Overlay {
    OverlayModule modules[ABI_MODULE_COUNT];
    OverlayExport *exports;
    size_t export_count;
    OverlayFunction *functions;
    size_t function_count;
    const RpAllocator *allocator;
} Overlay;

/* A null allocator stands for the C library's heap, which our DLLs do not have. */
void Overlay_Init(Overlay *overlay, const RpAllocator *allocator);
void Overlay_Free(Overlay *overlay);

/* Reads a text. RP_INVALID, with the line in `where`, means malformed text, an unknown function or
 * parameter, an order that is no permutation, or a line given twice. RP_UNSUPPORTED means another
 * version. An empty text is an empty overlay. Call Overlay_Free only after RP_OK. */
RpStatus Overlay_Parse(const char *text, size_t size, const RpAllocator *allocator,
                       Overlay *overlay, RpError *error);
/* Appends the overlay as text. Parsing that text gives the same overlay, and formatting that one
 * the same text. RP_INVALID, with the export or function in `where`, means that the overlay holds
 * what Overlay_Parse would refuse. */
RpStatus Overlay_Format(const Overlay *overlay, RpBuffer *text, RpError *error);

/* These read and write files, for programs with a C library (game/exports/overlay_file.c). Load
 * returns RP_NOT_FOUND for a file that does not exist. Save writes the whole file or nothing; "-"
 * is the standard output. */
RpStatus Overlay_Load(const char *path, Overlay *overlay, RpError *error);
RpStatus Overlay_Save(const Overlay *overlay, const char *path, RpError *error);

/* Returns whether there is a `module` line with this digest. If so, all that the overlay says of
 * the module holds for the file. */
bool Overlay_IsFor(const Overlay *overlay, AbiModule module, const char *sha256);
/* Makes the `module` line. Other lines about that module stay, unless the line named another file
 * before: another version has other code. */
void Overlay_SetModule(Overlay *overlay, AbiModule module, uint32_t size, const char *sha256);

/* ---- functions: pointers hold until the next one is added ------------------------------------ */

/* Returns the function's line without a range, or null when there is none. */
const OverlayFunction *Overlay_Find(const Overlay *overlay, const AbiFunction *function);
/* Returns the line for the call with this sequence number. A line with a range takes precedence
 * over the one without. */
const OverlayFunction *Overlay_FindFor(const Overlay *overlay, const AbiFunction *function,
                                       uint64_t sequence);
/* Returns the line without a range, which is made when there is none. Null means that there is no
 * memory or that there are too many lines. */
OverlayFunction *Overlay_Add(Overlay *overlay, const AbiFunction *function);
/* Makes a line for these calls only. Ranges of one function must not overlap, which Parse and
 * Format check. */
OverlayFunction *Overlay_AddRanged(Overlay *overlay, const AbiFunction *function, uint64_t first,
                                   uint64_t last);

/* How a function is called: as the table's row says, unless the overlay says otherwise. */
typedef struct OverlayCall {
    AbiConvention convention;
    uint8_t param_count;
    uint8_t order[OVERLAY_MAX_PARAMS];
} OverlayCall;
/* These fail with RP_UNSUPPORTED for a row without a signature. The overlay may be null. CallOf
 * reads the line without a range. */
RpStatus Overlay_CallOf(const Overlay *overlay, const AbiFunction *function, OverlayCall *call,
                        RpError *error);
RpStatus Overlay_CallFor(const Overlay *overlay, const AbiFunction *function, uint64_t sequence,
                         OverlayCall *call, RpError *error);

/* ---- exports --------------------------------------------------------------------------------- */

/* Adds a copy of the row at the end of the list. RP_INVALID means that no line of an overlay can
 * say this, for example because an ordinal contradicts another line or a name has blanks. */
RpStatus Overlay_AddExport(Overlay *overlay, const OverlayExport *row, RpError *error);
void Overlay_DropExports(Overlay *overlay, AbiModule module);
/* These return null when there is no such export. */
const OverlayExport *Overlay_FindExport(const Overlay *overlay, AbiModule module, const char *name);
const OverlayExport *Overlay_FindOrdinal(const Overlay *overlay, AbiModule module,
                                         uint32_t ordinal);

const char *OverlayBuild_Name(OverlayBuild build);          /* "generic" */
const char *OverlayExportKind_Name(OverlayExportKind kind); /* "stub" */

#endif
