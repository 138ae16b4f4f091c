/* Makes the coverage of a session: has the hosts of a provider leave marks of the code that its
 * calls reach, and afterwards holds them against the blocks of the functions that were called. */
#ifndef RETROPOSE_REPLAY_SESSION_SESSION_COVERAGE_H
#define RETROPOSE_REPLAY_SESSION_SESSION_COVERAGE_H

#include "replay/coverage/coverage.h"
#include "replay/provider/provider.h"
#include "replay/provider/reached_record.h"

/* Gives a record to a provider that is a pair of DLLs, whose engine has to be the machine. The
 * caller destroys the record when nothing runs any more. Returns RP_UNSUPPORTED if an image is
 * larger than COVERAGE_MOST_BYTES. */
RpStatus SessionCoverage_Begin(Provider *provider, RpError *error);
/* Adds what was reached as a side of this name. A provider without a record adds none. */
RpStatus SessionCoverage_Add(const Provider *provider, const char *name, Coverage *coverage,
                             RpError *error);

#endif
