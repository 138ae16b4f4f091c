/* Holds what the calls of a pair have reached against the blocks of its code. */
#ifndef RETROPOSE_REPLAY_COVERAGE_REACHED_BLOCKS_H
#define RETROPOSE_REPLAY_COVERAGE_REACHED_BLOCKS_H

#include "core/pe/pe.h"
#include "replay/coverage/coverage.h"
#include "replay/provider/reached_file.h"
#include "retropose/error.h"

/* Adds a side of this name with the marks, and with the blocks of all functions that were called.
 * Code of a file that is ours may be excluded by name (exclusion.h). Returns RP_INVALID if the
 * marks are for images of other sizes. */
RpStatus ReachedBlocks_Add(Coverage *coverage, const char *name, const ReachedFile *reached,
                           const PeFile files[ABI_MODULE_COUNT],
                           const bool is_ours[ABI_MODULE_COUNT], RpError *error);

#endif
