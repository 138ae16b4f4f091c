/* The files of a pair of DLLs, for verbs that look into them. */
#ifndef RETROPOSE_CLI_LIFT_PAIR_FILES_H
#define RETROPOSE_CLI_LIFT_PAIR_FILES_H

#include "core/files/mapping.h"
#include "replay/lift/lift_function.h"

typedef struct CliPairFiles {
    Mapping modules[ABI_MODULE_COUNT];
    Mapping overlay;
} CliPairFiles;

/* Maps the two DLLs of a provider that is a pair and, if it has one, the overlay that says how it
 * is called. CliPairFiles_Close follows in either case. */
RpStatus CliPairFiles_Open(const Provider *provider, CliPairFiles *files, RpError *error);
void CliPairFiles_Close(CliPairFiles *files);
/* Returns the same files for the lifter, which have to stay open. */
LiftFiles CliPairFiles_ForLifting(const CliPairFiles *files);

#endif
