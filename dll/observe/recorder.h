/* Writes calls of a running game into traces (docs/formats/trace.md, docs/use/record.md).
 *
 * Threads commit finished calls into batches; the service thread writes the batches. A trace is
 * written in parts, each of which is a complete file. A part ends when it has 512 MiB, or as many
 * memories as a reader accepts, or, in a ring, when it is an eighth of the ring. No existing file
 * is overwritten.
 *
 * A part's header says who served its calls, and readers believe it. So a part also ends before a
 * call that somebody else has served. The header of the next part then allows calls of anybody,
 * until a second has passed without such a call. This is needed because the gates follow a change
 * of the settings a little later than the observer does, and each DLL at its own time. */
#ifndef RETROPOSE_DLL_OBSERVE_RECORDER_H
#define RETROPOSE_DLL_OBSERVE_RECORDER_H

#include "core/text.h"
#include "dll/observe/draft.h"
#include "dll/observe/identity.h"
#include "dll/observe/lock.h"
#include "dll/settings/settings.h"

enum {
    RECORD_PATH_BYTES = OBSERVE_PATH_BYTES + 16, /* includes the number of a part */
    RECORD_RING_PARTS = 64,
    RECORD_HEADER_BYTES = 8191,
    RECORD_NOTE_BYTES = 4096,
    RECORD_BLOCK_MILLISECONDS = 2000 /* the longest time for which a call waits for the disk */
};

typedef struct RecordOptions {
    char path[RECORD_PATH_BYTES];
    uint64_t ring;     /* 0: keep all files ("file mode") */
    uint64_t limit;    /* in file mode: recording stops after so many bytes; 0: never */
    uint32_t flush_ms; /* the longest time until a call is written to the file */
    RecordFull full;
    uint32_t part_bytes;   /* limit for a part in file mode; 0: the default */
    uint32_t memory_bytes; /* limit for the memories in a part; 0: the default */
    uint32_t batch_calls;  /* bytes of calls in a batch; 0: the default */
    uint32_t most_batches; /* 0: the default */
    /* Returns who serves calls by the settings: SERVED_BY_... It is called with the recorder's lock
     * held. A null pointer means that anybody may serve them. */
    uint8_t (*servers)(void);
    /* Appends the lines for the header of a part whose calls `servers` have served, and those for
     * the note at its end. */
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
    RECORD_STOPPED /* the recording reached its limit, had an error, or was never opened */
} RecordOutcome;

typedef struct RecordTotals {
    uint64_t calls, dropped, bytes; /* `bytes` counts those that were written */
    uint32_t parts, deleted; /* files that were begun; files that were deleted again, in a ring */
    uint32_t queue_peak;     /* the most batches that waited at one time */
    uint64_t waited_ms;      /* the time for which all threads together waited for the disk */
    bool failed, limited;
} RecordTotals;

typedef struct Recorder Recorder;

/* Returns null, with the system's error, if the file cannot be made or memory is short. */
Recorder *Recorder_Open(const RecordOptions *options, uint32_t *code);
/* Adds a call, which gets the next sequence number. Any thread may call it, and no lock is held
 * when it returns. */
RecordOutcome Recorder_Commit(Recorder *recorder, Draft *draft, uint32_t *memory);
/* Ends the part. The next call begins a new one, with a new header. */
void Recorder_EndPart(Recorder *recorder);
/* Writes batches. Only one thread may call it at a time. With `all`, it also writes the batch that
 * is not full yet. */
void Recorder_Write(Recorder *recorder, bool all);
void Recorder_Totals(const Recorder *recorder, RecordTotals *totals);
/* Returns the name of the file that is being written, for the log. */
const char *Recorder_Path(const Recorder *recorder);
/* Writes the rest and the end. `process_ends` says that the other threads have been ended, maybe
 * inside of Commit or Write. Only data that is certainly consistent is written then. */
void Recorder_Close(Recorder *recorder, bool process_ends);

#endif
