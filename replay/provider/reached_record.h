/* What all hosts of a provider have reached, put together. Each host that a run starts gets a file
 * for its marks (replay/provider/reached_file.h); when the run is over, they are added to the
 * record. */
#ifndef RETROPOSE_REPLAY_PROVIDER_REACHED_RECORD_H
#define RETROPOSE_REPLAY_PROVIDER_REACHED_RECORD_H

#include "replay/provider/reached_file.h"
#include "retropose/error.h"

/* Threads may add to it at the same time. */
typedef struct ReachedRecord ReachedRecord;

/* Makes a record with nothing in it, for modules with images of these sizes. */
RpStatus ReachedRecord_Create(const uint32_t bytes[ABI_MODULE_COUNT], ReachedRecord **record,
                              RpError *error);
void ReachedRecord_Destroy(ReachedRecord *record); /* null is allowed */
/* Makes the file for a host. */
RpStatus ReachedRecord_MakeFile(const ReachedRecord *record, const char *path, RpError *error);
/* Adds what hosts have left in a file. */
void ReachedRecord_Add(ReachedRecord *record, const char *path);
/* Returns all of it, as a single host would have left it; or null if the file of a host could not
 * be read, so that marks are missing. Nothing may be added meanwhile. */
const ReachedFile *ReachedRecord_Whole(const ReachedRecord *record);

#endif
