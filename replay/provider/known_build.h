/* The build whose addresses are published, recognised in a file (facts/ngi32.md A.3 B.1;
 * facts/animesh.md A.1 F). */
#ifndef RETROPOSE_REPLAY_PROVIDER_KNOWN_BUILD_H
#define RETROPOSE_REPLAY_PROVIDER_KNOWN_BUILD_H

#include "exports/abi.h"
#include "replay/provider/pe.h"

/* Exports and constants are where that build has them: its other addresses hold, too. */
bool KnownBuild_Has(const PeFile *file, AbiModule module);

/* Executable, behind a return, a jump or padding, and not in the middle of nothing. */
bool KnownBuild_IsFunctionStart(const PeFile *file, uint32_t rva);

#endif
