/* Writes calls of a running game into traces (docs/formats/trace.md, docs/use/record.md).
 *
 * Threads commit finished calls into batches; the service thread writes the batches. A trace is
 * written in parts, each a file that stands for itself: a part ends when it is as large as a reader
 * takes, or, in a ring, when it is an eighth of the ring. No file that was there is overwritten.
 */
#ifndef RETROPOSE_LIVE_DLL_OBSERVE_RECORD_H
#define RETROPOSE_LIVE_DLL_OBSERVE_RECORD_H

#include "core/text.h"
#include "live/dll/observe/draft.h"
#include "live/dll/observe/lock.h"
#include "live/settings/settings.h"

enum {
    RECORD_PATH_BYTES = 2 * SETTINGS_PATH_BYTES + 16,
    RECORD_RING_PARTS = 64,
    RECORD_HEADER_BYTES = 8191,
    RECORD_NOTE_BYTES = 4096,
    RECORD_BLOCK_MILLISECONDS = 2000 /* the longest that a call waits for the disk */
};

typedef struct RecordOptions {
    char path[RECORD_PATH_BYTES];
    uint64_t ring;     /* 0: file mode */
    uint64_t limit;    /* file mode: stop behind so many bytes; 0: none */
    uint32_t flush_ms; /* a call is in the file after at most so long */
    RecordFull full;
    uint32_t part_bytes;   /* 0: the default. Of memories in a part, in file mode */
    uint32_t batch_calls;  /* 0: the default. Bytes of calls in a batch */
    uint32_t most_batches; /* 0: the default */
    /* Appends the lines of a part's header; of its note, before its end. */
    void (*describe)(Text *header);
    void (*note)(Text *note);
    /* One line for the log; may be null. */
    void (*complain)(const char *what, const char *path, uint32_t code);
} RecordOptions;

typedef enum RecordOutcome {
    RECORD_COMMITTED,
    RECORD_NEEDS_BYTES, /* fetch memories[*memory], then commit again */
    RECORD_DROPPED,     /* the disk is too slow */
    RECORD_TOO_LARGE,
    RECORD_STOPPED /* at its limit, after an error, or never opened */
} RecordOutcome;

typedef struct RecordTotals {
    uint64_t calls, dropped, bytes; /* bytes: written */
    uint32_t parts, deleted;        /* files begun; of a ring, files gone again */
    uint32_t queue_peak;            /* batches waiting at most */
    uint64_t waited_ms;             /* by all threads, for the disk */
    bool failed, limited;
} RecordTotals;

typedef struct Recorder Recorder;

/* Null, with the system's code, when the file cannot be made or memory is refused. */
Recorder *Recorder_Open(const RecordOptions *options, uint32_t *code);
/* Gives the call the next sequence number. Any thread; nothing is held when it returns. */
RecordOutcome Recorder_Commit(Recorder *recorder, Draft *draft, uint32_t *memory);
/* Ends the part: the next call begins a new one, whose header is described anew. */
void Recorder_EndPart(Recorder *recorder);
/* The writing: by one thread at a time. `all`: what was committed just now, too. */
void Recorder_Write(Recorder *recorder, bool all);
void Recorder_Totals(const Recorder *recorder, RecordTotals *totals);
/* The name of the file being written, for the log. */
const char *Recorder_Path(const Recorder *recorder);
/* Writes the rest and the end. `process_ends`: the other threads are gone, one of them maybe in
 * Commit or Write; then only what is sound is written. */
void Recorder_Close(Recorder *recorder, bool process_ends);

#endif
