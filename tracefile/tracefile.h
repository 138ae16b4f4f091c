/* Traces: recorded calls of the two DLLs, and the memory their pointers reach.
 *
 * The byte format is docs/formats/trace.md (and docs/formats/trace.ksy). A reader keeps in memory
 * one chunk of a file at a time, and the memories that calls refer to; or its caller gives it the
 * whole trace. It never trusts what it reads. A writer appends chunks and flushes each, so a
 * process that dies leaves a valid prefix.
 */
#ifndef RETROPOSE_TRACEFILE_TRACEFILE_H
#define RETROPOSE_TRACEFILE_TRACEFILE_H

#include "retropose/error.h"
#include "retropose/memory.h"
#include "tracefile/signature.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_VERSION_MAJOR       1
#define TRACE_VERSION_MINOR       0
#define TRACE_VERSION_MINOR_NOTES 1 /* has NOTE chunks, as recordings do */
#define TRACE_VERSION_MINOR_RUN   2 /* written by a provider, so TRACE_NOT_CALLED may occur */
#define TRACE_NO_MEMORY           0xFFFFFFFFu /* the memory id of a null reference */
#define TRACE_FOREIGN_MEMORY      0xFFFFFFFEu /* a pointer to memory that is not in the trace */
#define TRACE_MAX_MEMORY_BYTES    0x10000000u
#define TRACE_MAX_MEMORIES        0x00100000u
#define TRACE_MAX_STATE_BYTES     0x00100000u /* limit for a memory that a state names */
#define TRACE_MAX_CALL_BYTES      0x00100000u

typedef enum TraceOutcome {
    TRACE_NOT_RUN = 0, /* there are inputs only */
    TRACE_RETURNED = 1,
    TRACE_CRASHED = 2,   /* outputs: u32 exception code, u32 RVA or address, u32 module (0 ngi32,
                            1 animesh, 2 elsewhere) */
    TRACE_EXITED = 3,    /* the call ended the process; outputs: u32 exit code */
    TRACE_TIMED_OUT = 4, /* there are no outputs */
    /* the provider does not have the function, or refuses the call; no outputs */
    TRACE_UNSUPPORTED = 5,
    TRACE_NOT_CALLED = 6, /* a rule refused the call, see --trust; no outputs */
    TRACE_OUTCOME_COUNT
} TraceOutcome;

/* Bits of TraceCall.violations: what a call changed in the machine although its convention
 * forbids it. */
enum {
    TRACE_STACK_POINTER = 1,  /* ESP after the call is not what the convention says */
    TRACE_SAVED_REGISTER = 2, /* EBX, ESI, EDI or EBP changed                          */
    TRACE_X87_STACK = 4,      /* values were left on the x87 stack, or are missing from it */
    TRACE_DIRECTION_FLAG = 8,
    TRACE_OUTSIDE_WRITE = 16 /* bytes around an output, or in read-only memory, changed */
};

/* The game's threads compute under RP_GAMES_CONTROL_WORD, and under the MXCSR with which a
 * processor starts. (The game's code ORs 0x003F into the control word, but bit 6 reads as 1 on
 * every x87. So 0x003F means the same state, but no machine ever reports it.) */
#define TRACE_GAMES_MXCSR 0x1F80u

typedef struct TraceCall {
    const AbiFunction *function;
    const Signature *signature; /* belongs to the reader or to the table of the process */
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
    uint32_t offset; /* offset of a pointer field of 4 bytes in this memory */
    uint32_t target; /* the id of the memory that it points into */
    uint32_t target_offset;
} TraceRelocation;

typedef struct TraceMemory {
    uint32_t id;
    uint32_t size;
    const uint8_t *bytes;
    uint32_t relocation_count;
    const TraceRelocation *relocations;
} TraceMemory;

/* ---- the header: lines of UTF-8, "key=value" ---------------------------------------------- */

#define TRACE_HEADER_MAX 8192
typedef struct TraceHeader {
    uint16_t major, minor;
    char text[TRACE_HEADER_MAX]; /* NUL-terminated lines, each "key=value\n" */
} TraceHeader;
/* The keys in use are: producer; abi (Abi_Digest, 16 hexadecimal digits); scenario; seed; provider
 * (none, stand-in, replacement, original, native or mixed); ngi32.sha256; animesh.sha256;
 * processor; system; force-cpu (decimal; absent: none); readings ("key-order=wxyz,..."; absent:
 * the defaults); slot-build (generic, fxch or sse: the builds put into g_FastProc; absent: those of
 * the processor class). */

void TraceHeader_Init(TraceHeader *header);
/* Sets or replaces a line. Returns RP_NO_MEMORY when the header is full, and RP_INVALID when the
 * text contains a newline. */
RpStatus TraceHeader_Set(TraceHeader *header, const char *key, const char *value, RpError *error);
/* Copies the value of a key. Returns false, and gives an empty string, when there is none. */
bool TraceHeader_Get(const TraceHeader *header, const char *key, char *value, size_t size);

/* ---- writing -------------------------------------------------------------------------------- */

typedef struct TraceWriter TraceWriter;

/* Writes the header. The file gets its name when TraceWriter_Close succeeds. Until then, and after
 * a failure, the file that had the name before keeps it (core/files/output.h). `compress` asks for
 * zlib chunks, which the bundled traces have. */
RpStatus TraceWriter_Create(const char *path, const TraceHeader *header, bool compress,
                            TraceWriter **writer, RpError *error);
/* Does the same, but the file has its name from the beginning. Its folder must belong to this
 * process. If this process crashes, others can read the whole chunks. */
RpStatus TraceWriter_CreateGrowing(const char *path, const TraceHeader *header,
                                   TraceWriter **writer, RpError *error);
/* Does the same in memory: appends the trace's bytes to the buffer, which must outlive the writer.
 * After TraceWriter_Abandon they are only a part of a trace. */
RpStatus TraceWriter_CreateBuffer(RpBuffer *buffer, const TraceHeader *header, TraceWriter **writer,
                                  RpError *error);
/* Fills in the end of a call that was not run or did not return: its outcome and outputs. The
 * registers at its end are unknown, so those that it began with take their place. */
void TraceCall_EndWithout(TraceCall *call, TraceOutcome outcome, const uint8_t *outputs,
                          uint32_t output_size);
RpStatus TraceWriter_Memory(TraceWriter *writer, const TraceMemory *memory, RpError *error);
RpStatus TraceWriter_Call(TraceWriter *writer, const TraceCall *call, RpError *error);
/* Ends the current chunk. What a growing trace has so far survives a crash. */
RpStatus TraceWriter_Flush(TraceWriter *writer, RpError *error);
/* Writes the end chunk, closes the file and frees the writer, which may be null. */
RpStatus TraceWriter_Close(TraceWriter *writer, RpError *error);
/* Frees the writer, which may be null, without writing an end chunk. No file is left, except when
 * the trace was growing. */
void TraceWriter_Abandon(TraceWriter *writer);

/* ---- reading -------------------------------------------------------------------------------- */

typedef struct TraceReader TraceReader;

/* Opens a file or a caller's buffer, which must outlive the reader, and checks the header. The file
 * stays open, and is read chunk by chunk. "-" is the standard input, which is first read to its
 * end. RP_IO means, among others, that a file was cut while it was open. */
RpStatus TraceReader_Open(const char *path, TraceReader **reader, RpError *error);
RpStatus TraceReader_OpenBuffer(const uint8_t *bytes, size_t size, const char *name,
                                TraceReader **reader, RpError *error);
const TraceHeader *TraceReader_Header(const TraceReader *reader);
const char *TraceReader_Name(const TraceReader *reader); /* for messages; at most 255 bytes */
/* Reads the next call. After the last one it returns RP_OK with *found = false. RP_TRUNCATED means
 * that the file stops inside a chunk or has no end chunk; all calls before have then been returned.
 * The call's pointers are valid until the next read, and its memories are known to
 * TraceReader_Memory. */
RpStatus TraceReader_Next(TraceReader *reader, TraceCall *call, bool *found, RpError *error);
/* Returns null for an unknown id. The memory is valid until the reader is closed. */
const TraceMemory *TraceReader_Memory(const TraceReader *reader, uint32_t id);
/* Returns the relocation at this offset of one of the reader's memories, or null. If two are at one
 * offset, it returns the first. The time it takes does not depend on their number. */
const TraceRelocation *TraceReader_Relocation(const TraceReader *reader, uint32_t id,
                                              uint32_t offset);
uint32_t TraceReader_MemoryCount(const TraceReader *reader);
const TraceMemory *TraceReader_MemoryAt(const TraceReader *reader, uint32_t index);
/* Returns the number of calls that the end chunk announces. 0 means that it is unknown, because the
 * file is truncated. */
uint64_t TraceReader_CallCount(const TraceReader *reader);
/* Returns what a recording says of itself (docs/use/record.md): the lines "key=value\n" of the
 * last NOTE chunk that has been read, or an empty text. */
const char *TraceReader_Notes(const TraceReader *reader);
/* Copies the value of one line. Returns false, and gives an empty string, when there is none. */
bool TraceReader_Note(const TraceReader *reader, const char *key, char *value, size_t size);
void TraceReader_Rewind(TraceReader *reader);
void TraceReader_Close(TraceReader *reader);

/* Writes all calls that a reader has left, and before each of them the memories that are new with
 * it. */
RpStatus TraceWriter_Calls(TraceWriter *writer, TraceReader *reader, RpError *error);

#endif
