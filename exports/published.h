/* The one file that the facts of exports/ngi32.abi.h are published for: a certain build of
 * Ngi32.dll. No build of AniMesh.dll is published (facts/ngi32.md 0.3, facts/animesh.md A.3). */
#ifndef RETROPOSE_EXPORTS_PUBLISHED_H
#define RETROPOSE_EXPORTS_PUBLISHED_H

#include "exports/abi.h"

#include <stdbool.h>
#include <string.h>

#define PUBLISHED_NGI32_SHA256 "bab9840d94f4e4e74ffc26677724fa896cf4823845504d09a9e025f80016edf5"

/* Returns whether the digest is that of a published version. */
static inline bool Published_Is(AbiModule module, const char *sha256) {
    return module == ABI_NGI32 && strcmp(sha256, PUBLISHED_NGI32_SHA256) == 0;
}

#endif
