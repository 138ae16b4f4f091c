/* Traces: recorded calls of the two DLLs, and the memory their pointers reach.
 *
 * The byte format is docs/formats/trace.md (and docs/formats/trace.ksy). A reader maps or is handed
 * the whole file and never trusts it; a writer appends chunks and flushes each, so a process that
 * dies leaves a valid prefix.
 */
#ifndef RETROPOSE_REPLAY_TRACE_TRACE_H
#define RETROPOSE_REPLAY_TRACE_TRACE_H

#include "replay/trace/signature.h"
#include "retropose/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_VERSION_MAJOR       1
#define TRACE_VERSION_MINOR       0
#define TRACE_VERSION_MINOR_NOTES 1 /* with NOTE chunks: recordings */
#define TRACE_VERSION_MINOR_RUN   2 /* written by a provider: TRACE_NOT_CALLED may occur */
#define TRACE_NO_MEMORY           0xFFFFFFFFu /* memory id of a null reference */
#define TRACE_FOREIGN_MEMORY      0xFFFFFFFEu /* a pointer to memory outside the trace */
#define TRACE_MAX_MEMORY_BYTES    0x10000000u
#define TRACE_MAX_MEMORIES        0x00100000u
#define TRACE_MAX_STATE_BYTES     0x00100000u /* of a memory that is a state */
#define TRACE_MAX_CALL_BYTES      0x00100000u

typedef enum TraceOutcome {
    TRACE_NOT_RUN = 0, /* inputs only */
    TRACE_RETURNED = 1,
    TRACE_CRASHED = 2,     /* outputs: u32 exception code, u32 RVA or address, u32 module (0 ngi32,
                              1 animesh, 2 elsewhere) */
    TRACE_EXITED = 3,      /* the call ended the process; outputs: u32 exit code */
    TRACE_TIMED_OUT = 4,   /* no outputs */
    TRACE_UNSUPPORTED = 5, /* the provider has no such function, or refuses; no outputs */
    TRACE_NOT_CALLED = 6,  /* refused by policy, see --trust; no outputs */
    TRACE_OUTCOME_COUNT
} TraceOutcome;

/* Bits of TraceCall.violations: what a call did to the machine that its convention forbids. */
enum {
    TRACE_STACK_POINTER = 1,  /* ESP after the call is not what the convention leaves  */
    TRACE_SAVED_REGISTER = 2, /* EBX, ESI, EDI or EBP changed                          */
    TRACE_X87_STACK = 4,      /* values left on, or missing from, the x87 stack        */
    TRACE_DIRECTION_FLAG = 8,
    TRACE_OUTSIDE_WRITE = 16 /* bytes around an output, or in read-only memory, changed */
};

typedef struct TraceCall {
    const AbiFunction *function;
    const Signature *signature; /* owned by the reader or by the process-wide table */
    uint64_t sequence;
    uint16_t control_in, control_out; /* x87 control word */
    uint32_t mxcsr_in, mxcsr_out;
    uint8_t outcome; /* TraceOutcome */
    uint8_t violations;
    const uint8_t *inputs;
    uint32_t input_size;
    const uint8_t *outputs;
    uint32_t output_size;
} TraceCall;

typedef struct TraceRelocation {
    uint32_t offset; /* in this memory: a 4-byte pointer field */
    uint32_t target; /* memory id */
    uint32_t target_offset;
} TraceRelocation;

typedef struct TraceMemory {
    uint32_t id;
    uint32_t size;
    const uint8_t *bytes;
    uint32_t relocation_count;
    const TraceRelocation *relocations;
} TraceMemory;

/* ---- header: UTF-8 "key=value" lines ------------------------------------------------------ */

#define TRACE_HEADER_MAX 8192
typedef struct TraceHeader {
    uint16_t major, minor;
    char text[TRACE_HEADER_MAX]; /* NUL-terminated lines, each "key=value\n" */
} TraceHeader;
/* Keys in use: producer, abi (16 hex digits of Abi_Digest), scenario, seed, provider
 * (none | stand-in | replacement | original | native | mixed), ngi32.sha256, animesh.sha256,
 * processor, system, force-cpu (decimal, absent = none), hypotheses ("key-order=wxyz,...", absent =
 * default), slot-build (generic | fxch | sse: builds put into g_FastProc; absent = those of the
 * class).
 */

void TraceHeader_Init(TraceHeader *header);
/* Sets or replaces a line; RP_NO_MEMORY when the header is full, RP_INVALID for a newline in it. */
RpStatus TraceHeader_Set(TraceHeader *header, const char *key, const char *value, RpError *error);
/* Copies the value; false (and an empty string) when absent. */
bool TraceHeader_Get(const TraceHeader *header, const char *key, char *value, size_t size);

/* ---- writing -------------------------------------------------------------------------------- */

typedef struct TraceWriter TraceWriter;

/* Writes the header. The file has its name once TraceWriter_Close has ended well; until then, and
 * after a failure, what had it before has it (core/files/output.h). `compress`: zlib chunks
 * (bundled traces). */
RpStatus TraceWriter_Create(const char *path, const TraceHeader *header, bool compress,
                            TraceWriter **writer, RpError *error);
/* The same under its name from the beginning, in a folder of this process's own: for whoever reads
 * the whole chunks after this process has crashed. */
RpStatus TraceWriter_CreateGrowing(const char *path, const TraceHeader *header,
                                   TraceWriter **writer, RpError *error);
RpStatus TraceWriter_Memory(TraceWriter *writer, const TraceMemory *memory, RpError *error);
RpStatus TraceWriter_Call(TraceWriter *writer, const TraceCall *call, RpError *error);
/* Ends the current chunk: what a growing trace has so far survives a crash. */
RpStatus TraceWriter_Flush(TraceWriter *writer, RpError *error);
/* Writes the end chunk, closes, frees. Safe on null. */
RpStatus TraceWriter_Close(TraceWriter *writer, RpError *error);
/* Frees without an end chunk: nothing was written, but for what a growing trace has. Safe on null.
 */
void TraceWriter_Abandon(TraceWriter *writer);

/* ---- reading -------------------------------------------------------------------------------- */

typedef struct TraceReader TraceReader;

/* Opens a file or a caller's buffer (which must outlive the reader). Checks the header. */
RpStatus TraceReader_Open(const char *path, TraceReader **reader, RpError *error);
RpStatus TraceReader_OpenBuffer(const uint8_t *bytes, size_t size, const char *name,
                                TraceReader **reader, RpError *error);
const TraceHeader *TraceReader_Header(const TraceReader *reader);
/* The next call. RP_OK and *found = false after the last one. RP_TRUNCATED: the file stops inside
 * a chunk or without an end chunk, all calls before were returned. The call's pointers are valid
 * until the next read. New memories up to this call are known to TraceReader_Memory. */
RpStatus TraceReader_Next(TraceReader *reader, TraceCall *call, bool *found, RpError *error);
/* Null when unknown. Valid until the reader is closed. */
const TraceMemory *TraceReader_Memory(const TraceReader *reader, uint32_t id);
/* The relocation at this offset of one of the reader's memories, or null; of two at one offset the
 * first. Takes a time that does not grow with their number. */
const TraceRelocation *TraceReader_Relocation(const TraceReader *reader, uint32_t id,
                                              uint32_t offset);
uint32_t TraceReader_MemoryCount(const TraceReader *reader);
const TraceMemory *TraceReader_MemoryAt(const TraceReader *reader, uint32_t index);
/* Calls announced by the end chunk, or 0 when unknown (truncated file). */
uint64_t TraceReader_CallCount(const TraceReader *reader);
/* What a recording says of itself (docs/use/record.md): the lines "key=value\n" of the last NOTE
 * chunk read so far; empty without one. */
const char *TraceReader_Notes(const TraceReader *reader);
/* Copies one line's value; false (and an empty string) when absent. */
bool TraceReader_Note(const TraceReader *reader, const char *key, char *value, size_t size);
void TraceReader_Rewind(TraceReader *reader);
void TraceReader_Close(TraceReader *reader);

#endif
