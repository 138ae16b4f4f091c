/* Writes calls of a running game into traces (docs/formats/trace.md, docs/use/record.md).
 *
 * Threads commit finished calls into batches; the service thread writes the batches. A trace is
 * written in parts, each a file that stands for itself: a part ends when it has 512 MiB or as much
 * memory as a reader takes, or, in a ring, when it is an eighth of the ring. No file that was there
 * is overwritten.
 *
 * A part's header says who served its calls, and readers believe it. So a part also ends at a call
 * that somebody else has served. The next part may hold calls of anybody then, until a second has
 * passed without such a call: gates follow a change of the settings a little later than the
 * observer, and each DLL at its own time. */
#ifndef RETROPOSE_DLL_OBSERVE_RECORD_H
#define RETROPOSE_DLL_OBSERVE_RECORD_H

#include "core/text.h"
#include "dll/observe/draft.h"
#include "dll/observe/identity.h"
#include "dll/observe/lock.h"
#include "dll/settings/settings.h"

enum {
    RECORD_PATH_BYTES = OBSERVE_PATH_BYTES + 16, /* with the number of a part */
    RECORD_RING_PARTS = 64,
    RECORD_HEADER_BYTES = 8191,
    RECORD_NOTE_BYTES = 4096,
    RECORD_BLOCK_MILLISECONDS = 2000 /* the longest time for which a call waits for the disk */
};

typedef struct RecordOptions {
    char path[RECORD_PATH_BYTES];
    uint64_t ring;     /* 0: keep all files ("file mode") */
    uint64_t limit;    /* in file mode: stop after so many bytes; 0: never */
    uint32_t flush_ms; /* the longest time until a call is in the file */
    RecordFull full;
    uint32_t part_bytes;   /* of a part, in file mode; 0: the default */
    uint32_t memory_bytes; /* of memories in a part; 0: the default */
    uint32_t batch_calls;  /* bytes of calls in a batch; 0: the default */
    uint32_t most_batches; /* 0: the default */
    /* Returns who serves calls by the settings: SERVED_BY_... Null: anybody does. Called with the
     * recorder's lock held. */
    uint8_t (*servers)(void);
    /* Appends the lines of the header of a part whose calls these have served, and those of its
     * note before its end. */
    void (*describe)(Text *header, uint8_t servers);
    void (*note)(Text *note);
    /* Gets one line for the log; may be null. */
    void (*complain)(const char *what, const char *path, uint32_t code);
} RecordOptions;

typedef enum RecordOutcome {
    RECORD_COMMITTED,
    RECORD_NEEDS_BYTES, /* fetch memories[*memory], then commit again */
    RECORD_DROPPED,     /* the disk is too slow */
    RECORD_TOO_LARGE,
    RECORD_STOPPED /* it reached its limit, had an error, or was never opened */
} RecordOutcome;

typedef struct RecordTotals {
    uint64_t calls, dropped, bytes; /* bytes that were written */
    uint32_t parts, deleted; /* files that were begun; in a ring, files that were deleted again */
    uint32_t queue_peak;     /* the most batches that waited at a time */
    uint64_t waited_ms;      /* the time for which all threads together waited for the disk */
    bool failed, limited;
} RecordTotals;

typedef struct Recorder Recorder;

/* Returns null, with the system's code, where the file cannot be made or memory is short. */
Recorder *Recorder_Open(const RecordOptions *options, uint32_t *code);
/* Gives the call the next sequence number. Any thread may call it, and no lock is held when it
 * returns. */
RecordOutcome Recorder_Commit(Recorder *recorder, Draft *draft, uint32_t *memory);
/* Ends the part. The next call begins a new one, whose header is described anew. */
void Recorder_EndPart(Recorder *recorder);
/* Writes; for one thread at a time. With `all`, it also writes what was committed just now. */
void Recorder_Write(Recorder *recorder, bool all);
void Recorder_Totals(const Recorder *recorder, RecordTotals *totals);
/* Returns the name of the file that is being written, for the log. */
const char *Recorder_Path(const Recorder *recorder);
/* Writes the rest and the end. `process_ends` says that the other threads have been ended, one
 * of them maybe inside of Commit or Write; then only what is sound is written. */
void Recorder_Close(Recorder *recorder, bool process_ends);

#endif
