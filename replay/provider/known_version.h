/* Recognises the build whose addresses are published (facts/ngi32.md A.3 B.1; facts/animesh.md
 * A.1 F). */
#ifndef RETROPOSE_REPLAY_PROVIDER_KNOWN_VERSION_H
#define RETROPOSE_REPLAY_PROVIDER_KNOWN_VERSION_H

#include "core/pe/pe.h"
#include "exports/abi.h"

/* Returns whether exports and constants are where the published version has them. Then the other
 * published addresses are valid, too. */
bool KnownVersion_Has(const PeFile *file, AbiModule module);

/* Returns whether code can begin at this address: in an executable section, after a return, a jump
 * or padding. */
bool KnownVersion_IsFunctionStart(const PeFile *file, uint32_t rva);

#endif
