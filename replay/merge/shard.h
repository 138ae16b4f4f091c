/* What one shard of a replay has found, as a file, and the report of the whole that several of them
 * make. The report is the one that a single run would have made, bit for bit: the file has what the
 * other shards decide about, such as how the calls of a function are spread that is equal here and
 * differs elsewhere. Its size is that of a report, whatever the number of calls.
 *
 * Only one and the same revision of the program merges its own files, so their members have no
 * other readers; docs/use/shards.md names those that may be of use. */
#ifndef RETROPOSE_REPLAY_MERGE_SHARD_H
#define RETROPOSE_REPLAY_MERGE_SHARD_H

#include "core/json/json_shards.h"
#include "replay/compare/known.h"
#include "replay/compare/report.h"

#define SHARD_FORMAT "retropose replay shard 1"

/* Appends the file of a report that has a `run`. */
RpStatus ReportShard_Json(const Report *report, RpBuffer *text, RpError *error);

typedef struct MergedReport {
    Report report; /* of the comparison */
    Comparison *comparison;
    KnownDifferences known;  /* without their selections */
    char *version, *command; /* null: there is none */
    char **repeats;          /* by kept difference; null: there is no command */
    size_t repeat_count;
} MergedReport;

/* Adds the next shard, from the first to the last; the first one says whose report it is. Begins
 * with a MergedReport of zeros. Fails with RP_CORRUPT and the place in the text, or with RP_INVALID
 * for a shard that was stopped. */
RpStatus MergedReport_Add(MergedReport *merged, const char *text, size_t size, RpError *error);
void MergedReport_Free(MergedReport *merged);

#endif
