/* Completes the export table of a DLL of ours from the user's original, without a compiler or a
 * linker. exports/section.h says what is appended. The result depends on the two files only. */
#ifndef RETROPOSE_GAME_INSTALL_PE_WRITER_H
#define RETROPOSE_GAME_INSTALL_PE_WRITER_H

#include "core/pe/pe.h"
#include "exports/abi.h"
#include "retropose/memory.h"

/* Appends the completed DLL to `out`, which must be empty. `ours` is a DLL as it was built,
 * `original` the user's file of the same module.
 *
 * RP_INVALID: `ours` is completed already, `original` is a DLL of ours, or one of them is the other
 * module.
 * RP_UNSUPPORTED: `ours` has no gates, no room for one more section header, or a signature; or
 * `original` exports more code than there are gates, or something that an overlay cannot describe.
 * RP_CORRUPT: headers contradict themselves. `out` is then left as it was. */
RpStatus PeWriter_Complete(const PeFile *ours, const PeFile *original, AbiModule module,
                           RpBuffer *out, RpError *error);

/* What a completed DLL says about itself. */
typedef struct PeCompletion {
    AbiModule module;
    uint32_t original_size;
    char original_sha256[65];
    uint32_t gate_count;
} PeCompletion;
RpStatus PeWriter_Inspect(const PeFile *pe, PeCompletion *completion, RpError *error);

#endif
