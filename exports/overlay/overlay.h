/* The ABI overlay: what is known of one user's pair of original DLLs beyond the ABI tables, as text
 * (docs/formats/overlay.md). `retropose exports` and `retropose probe` write it; replay, calibrate,
 * the host process and our DLLs in a game folder read it. It holds names, numbers and digests, but
 * no byte of a game file. All but Overlay_Format works without a C library, as our DLLs need it.
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
    bool known; /* a `module` line is there: this file and no other is meant */
    uint32_t size;
    char sha256[65];
} OverlayModule;

typedef struct OverlayExport {
    AbiModule module;
    uint32_t ordinal;
    char name[OVERLAY_NAME_BYTES]; /* empty: by ordinal only */
    uint32_t rva;
    OverlayExportKind kind;
    uint32_t pops; /* stubs */
    bool clears;   /* stubs: EAX is 0 afterwards */
    char forwarder[OVERLAY_NAME_BYTES];
} OverlayExport;

typedef enum OverlayBuild {
    OVERLAY_BUILD_UNKNOWN,
    OVERLAY_BUILD_GENERIC,
    OVERLAY_BUILD_FXCH,
    OVERLAY_BUILD_SSE
} OverlayBuild;

enum { OVERLAY_STATIC = 1, OVERLAY_DYNAMIC = 2, OVERLAY_BY_HAND = 4 }; /* evidence of a call */

/* What is known of one function of the tables. */
typedef struct OverlayFunction {
    const AbiFunction *function;
    /* Only for calls with these sequence numbers, when `ranged`: of a trace with a candidate's
     * calls in each range, probe learns about many candidates by one run. */
    bool ranged;
    uint64_t first, last;
    uint32_t rva; /* of the code found; 0: not stated */
    OverlayBuild build;
    /* The call, when `has_call`: argument i of the machine's call is parameter order[i] of the row.
     */
    bool has_call;
    AbiConvention convention;
    uint8_t param_count;
    uint8_t order[OVERLAY_MAX_PARAMS];
    uint8_t evidence; /* OVERLAY_STATIC | ... */
    uint32_t cases;   /* calls that reproduced the known formula */
    /* What the function begins with, when `signature_bytes` is not 0: SHA-256 over that many bytes
     * of the file, dwords that relocation changes taken as zero. The first `entry_bytes` of them
     * are whole instructions that may be moved elsewhere (0: may not be redirected). */
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

/* A null allocator is the C library's heap, which our DLLs do not have. */
void Overlay_Init(Overlay *overlay, const RpAllocator *allocator);
void Overlay_Free(Overlay *overlay);

/* RP_INVALID with the line in `where` for malformed text, unknown functions and parameters, an
 * order that is no permutation, a line given twice; RP_UNSUPPORTED for another version. An empty
 * text is an empty overlay. Overlay_Free is needed after RP_OK only. */
RpStatus Overlay_Parse(const char *text, size_t size, const RpAllocator *allocator,
                       Overlay *overlay, RpError *error);
/* Appends the text; Parse gives the same overlay back, and Format the same text. RP_INVALID with
 * the export or function in `where` for what Parse would refuse. */
RpStatus Overlay_Format(const Overlay *overlay, RpBuffer *text, RpError *error);

/* Files, for programs with a C library (overlay_file.c). A file that does not exist is RP_NOT_FOUND
 * for Load. Save writes the whole file or nothing; "-" is standard output. */
RpStatus Overlay_Load(const char *path, Overlay *overlay, RpError *error);
RpStatus Overlay_Save(const Overlay *overlay, const char *path, RpError *error);

/* Whether there is a `module` line with this digest: all that the overlay says of the module holds
 * for the file then. */
bool Overlay_IsFor(const Overlay *overlay, AbiModule module, const char *sha256);
/* Makes the `module` line. What the overlay says of that module stays, unless it names another file
 * there: another build has another code. */
void Overlay_SetModule(Overlay *overlay, AbiModule module, uint32_t size, const char *sha256);

/* ---- functions: pointers hold until the next one is added ------------------------------------ */

/* The line without a range; null when there is none. */
const OverlayFunction *Overlay_Find(const Overlay *overlay, const AbiFunction *function);
/* The line for the call with this sequence number: one with a range before the one without. */
const OverlayFunction *Overlay_FindFor(const Overlay *overlay, const AbiFunction *function,
                                       uint64_t sequence);
/* The line without a range, made when there is none; null: no memory, or too many. */
OverlayFunction *Overlay_Add(Overlay *overlay, const AbiFunction *function);
/* A new line for these calls. Ranges of a function do not overlap: Parse and Format say so. */
OverlayFunction *Overlay_AddRanged(Overlay *overlay, const AbiFunction *function, uint64_t first,
                                   uint64_t last);

/* How a function is called: by the table's row, unless the overlay (may be null) says otherwise. */
typedef struct OverlayCall {
    AbiConvention convention;
    uint8_t param_count;
    uint8_t order[OVERLAY_MAX_PARAMS];
} OverlayCall;
/* RP_UNSUPPORTED for a row without a signature. CallOf reads the line without a range. */
RpStatus Overlay_CallOf(const Overlay *overlay, const AbiFunction *function, OverlayCall *call,
                        RpError *error);
RpStatus Overlay_CallFor(const Overlay *overlay, const AbiFunction *function, uint64_t sequence,
                         OverlayCall *call, RpError *error);

/* ---- exports --------------------------------------------------------------------------------- */

/* A copy at the end of the list. RP_INVALID for what no line of an overlay can say: an ordinal that
 * contradicts another line, a name with blanks, ... */
RpStatus Overlay_AddExport(Overlay *overlay, const OverlayExport *row, RpError *error);
void Overlay_DropExports(Overlay *overlay, AbiModule module);
/* Null when there is none. */
const OverlayExport *Overlay_FindExport(const Overlay *overlay, AbiModule module, const char *name);
const OverlayExport *Overlay_FindOrdinal(const Overlay *overlay, AbiModule module,
                                         uint32_t ordinal);

const char *OverlayBuild_Name(OverlayBuild build);          /* "generic" */
const char *OverlayExportKind_Name(OverlayExportKind kind); /* "stub" */

#endif
