/* The ABI overlay: what is known of one user's pair of originals beyond the ABI tables, as text
 * (docs/overlay.md). `retropose exports` and `retropose probe` write it; replay, calibrate, the
 * host process and our DLLs in a game folder read it. It holds names, numbers and digests, no byte
 * of a game file. Everything here works without a C library: our DLLs link it, too.
 *
 * Traces are not affected: their parameters stay in the order of the tables. An overlay decides
 * only how the machine's call is made: convention, order of the arguments, address.
 */
#ifndef RETROPOSE_LIVE_OVERLAY_H
#define RETROPOSE_LIVE_OVERLAY_H

#include "exports/abi.h"
#include "retropose/error.h"
#include "retropose/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OVERLAY_VERSION    1
#define OVERLAY_MAX_PARAMS 10 /* SIGNATURE_MAX_PARAMS */
#define OVERLAY_NAME_BYTES 96

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

/* RP_INVALID with the line in `where` for malformed text, unknown functions and parameters, an
 * order that is no permutation, a line given twice. An empty overlay is valid. */
RpStatus Overlay_Parse(const char *text, size_t size, const RpAllocator *allocator,
                       Overlay *overlay, RpError *error);
/* Appends the text; Parse gives the same overlay back, and Format the same text. */
RpStatus Overlay_Format(const Overlay *overlay, RpBuffer *text, RpError *error);
void Overlay_Free(Overlay *overlay);

/* Null when there is no line for it. The row is added when `Overlay_Add` finds none. */
const OverlayFunction *Overlay_Find(const Overlay *overlay, const AbiFunction *function);
OverlayFunction *Overlay_Add(Overlay *overlay, const AbiFunction *function);

/* How a function is called: by the table's row, unless the overlay (may be null) says otherwise. */
typedef struct OverlayCall {
    AbiConvention convention;
    uint8_t param_count;
    uint8_t order[OVERLAY_MAX_PARAMS];
} OverlayCall;
RpStatus Overlay_CallOf(const Overlay *overlay, const AbiFunction *function, OverlayCall *call,
                        RpError *error);

#endif
