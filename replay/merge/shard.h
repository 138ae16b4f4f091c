/* The file of what one shard of a replay has found, and the report of the whole run, which is made
 * from several such files. The report is the one that a single run would have made, bit for bit.
 * Therefore the file also has what only the other shards can decide about, such as how the calls of
 * a function are spread that is equal here and differs elsewhere. The file has the size of a
 * report, whatever the number of calls.
 *
 * Only the same revision of the program merges its own files, so nothing else reads their members.
 * docs/use/shards.md names those that may be useful to others. */
#ifndef RETROPOSE_REPLAY_MERGE_SHARD_H
#define RETROPOSE_REPLAY_MERGE_SHARD_H

#include "core/json/json_shards.h"
#include "replay/compare/known.h"
#include "replay/compare/report.h"

#define SHARD_FORMAT "retropose replay shard 1"

/* Appends the file of a report that has a `run`. */
RpStatus ReportShard_Json(const Report *report, RpBuffer *text, RpError *error);

typedef struct MergedReport {
    Report report; /* the report of the merged comparison */
    Comparison *comparison;
    Coverage coverage;       /* of the whole, if the shards have one */
    KnownDifferences known;  /* without their selections */
    char *version, *command; /* null where there is none */
    char **repeats;          /* one for each kept difference; null where there is no command */
    size_t repeat_count;
} MergedReport;

/* Adds the next shard. Shards are added from the first to the last, to a MergedReport that begins
 * as zeros; the first one says whose report it is. Fails with RP_CORRUPT and the place in the text,
 * or with RP_INVALID for a shard that was stopped. */
RpStatus MergedReport_Add(MergedReport *merged, const char *text, size_t size, RpError *error);
void MergedReport_Free(MergedReport *merged);

#endif
