#include "dll/observe/recorder.h"

#include "tracefile/encode.h"

#include <string.h>

enum {
    BATCH_CALL_BYTES = 0x40000,
    BATCH_MEMORY_BYTES = 0x20000,
    BATCH_RELOCATIONS = 0x2000,
    BATCH_FUNCTION_BYTES = 0x8000,
    BATCH_LARGE = 16,
    MOST_BATCHES = 32,
    MOST_LARGE_BYTES = 0x4000000, /* limit for images that wait to be written */
    SEEN_ENTRIES = 0x10000, /* how many memories of a part are remembered; must be a power of two */
    PART_BYTES = 0x20000000, /* a file of this size can be opened by any program, and no more is
                                lost with it */
    PART_MEMORY_BYTES = 0x8000000, /* a reader accepts twice as much */
    MOST_ROWS = 1024,
    LEAST_RING_PART = 0x10000,
    QUIET_MS = 1000,  /* without a stray call for so long, a part may name its server again */
    MOST_STRAYED = 16 /* limit for parts with stray calls after one change of the settings */
};

typedef struct Large {
    uint32_t id, size;
    uint8_t *bytes; /* the memory's bytes, with TRACE_MEM_BYTES before and padding after them */
    size_t allocated;
} Large;

/* What is written at a time: functions, large memories, small ones, calls. All small memories of a
 * batch become one memory of the trace, because a process that loads the trace has no room for one
 * page each. */
typedef struct Batch {
    struct Batch *next;
    uint32_t opened; /* a time of Platform_Milliseconds */
    bool ends_part;
    uint8_t servers; /* those of the part */
    uint32_t functions, function_bytes, calls, call_bytes, large_count;
    uint32_t memory_id, memory_bytes, relocation_count;
    Large large[BATCH_LARGE];
    uint8_t function_data[TRACE_CHUNK_BYTES + BATCH_FUNCTION_BYTES];
    /* After the memory's content there is room for its relocations. */
    uint8_t memory_data[TRACE_CHUNK_BYTES + TRACE_MEM_BYTES + BATCH_MEMORY_BYTES +
                        BATCH_RELOCATIONS * TRACE_RELOC_BYTES];
    TraceRelocation relocations[BATCH_RELOCATIONS];
    size_t allocated;
    uint8_t call_data[]; /* TRACE_CHUNK_BYTES, then the calls */
} Batch;

typedef struct Seen {
    Fingerprint hash;
    uint32_t id, offset;
} Seen;

typedef enum State { STATE_ON, STATE_STOPPING, STATE_STOPPED } State;

struct Recorder {
    RecordOptions options;
    size_t allocated;

    /* The lock guards the following: */
    Lock lock;
    State state;
    Batch *current, *first, *last, *free;
    uint32_t batches, waiting;
    uint64_t large_bytes;
    uint64_t sequence;
    uint32_t next_memory;
    uint64_t part_calls_bytes, part_memory_bytes, all_bytes;
    bool part_ends; /* Recorder_EndPart has asked for it */
    /* Who may have served the calls of this part. 0 means that no call has come, so that the header
     * says nothing yet. */
    uint8_t part_servers;
    /* The part has calls of a server that the settings do not name; the last one came at this
     * time. */
    bool strayed;
    uint32_t strayed_ms, strayed_parts;
    uint8_t defined[MOST_ROWS];
    Seen *seen;
    uint32_t seen_count;
    RecordTotals totals;

    /* Only the thread that writes uses the following: */
    PlatformFile file;
    char path[RECORD_PATH_BYTES];
    uint32_t number;     /* number of the part, as in its name */
    uint64_t whole;      /* size of the file up to the end of its last whole chunk */
    uint64_t file_calls; /* calls in this file */
    uint32_t file_memories;
    Batch *writing;
    enum { WRITE_WAITS, WRITE_BEGUN, WRITE_DONE } progress;
    uint64_t start; /* place of the batch in the file, after its writing has begun */
    uint64_t start_calls;
    uint32_t start_memories;
    struct {
        uint32_t number;
        uint64_t bytes;
    } kept[RECORD_RING_PARTS]; /* finished parts of a ring, the oldest first */
    uint32_t kept_count;
    char note[RECORD_NOTE_BYTES];
    uint8_t chunk[TRACE_CHUNK_BYTES + RECORD_NOTE_BYTES + RECORD_HEADER_BYTES + 1];
};

static uint32_t PartLimit(const Recorder *recorder) {
    if (recorder->options.ring == 0)
        return recorder->options.part_bytes ? recorder->options.part_bytes : PART_BYTES;
    uint64_t part = recorder->options.ring / 8;
    return part < LEAST_RING_PART ? LEAST_RING_PART : part > INT32_MAX ? INT32_MAX : (uint32_t)part;
}

static uint32_t BatchCalls(const Recorder *recorder) {
    return recorder->options.batch_calls ? recorder->options.batch_calls : BATCH_CALL_BYTES;
}

static void Complain(const Recorder *recorder, const char *what, uint32_t code) {
    if (recorder->options.complain)
        recorder->options.complain(what, recorder->path, code);
}

/* ---- batches --------------------------------------------------------------------------------- */

static void Recycle(Recorder *recorder, Batch *batch) {
    for (uint32_t i = 0; i < batch->large_count; i++)
        recorder->large_bytes -= batch->large[i].size;

    for (uint32_t i = 0; i < batch->large_count; i++)
        Platform_Free(batch->large[i].bytes, batch->large[i].allocated);
    batch->large_count = 0;

    batch->next = recorder->free;
    recorder->free = batch;
}

/* Makes an empty batch the current one. Returns null if all batches wait to be written. */
static Batch *Begin(Recorder *recorder) {
    Batch *batch = recorder->free;
    uint32_t most = recorder->options.most_batches ? recorder->options.most_batches : MOST_BATCHES;
    if (batch) {
        recorder->free = batch->next;
    } else if (recorder->batches < most) {
        size_t size = sizeof *batch + TRACE_CHUNK_BYTES + BatchCalls(recorder);
        batch = Platform_Allocate(size);
        if (!batch)
            return NULL;
        batch->allocated = size;
        recorder->batches++;
    } else {
        return NULL;
    }
    batch->next = NULL;
    batch->opened = Platform_Milliseconds();
    batch->ends_part = false;
    batch->servers = recorder->part_servers;
    batch->functions = batch->function_bytes = batch->calls = batch->call_bytes = 0;
    batch->large_count = batch->memory_bytes = batch->relocation_count = 0;
    recorder->current = batch;
    return batch;
}

static void Seal(Recorder *recorder, bool ends_part) {
    Batch *batch = recorder->current;
    batch->ends_part = ends_part;
    if (recorder->last)
        recorder->last->next = batch;
    else
        recorder->first = batch;
    recorder->last = batch;
    recorder->current = NULL;
    recorder->waiting++;
    if (recorder->waiting > recorder->totals.queue_peak)
        recorder->totals.queue_peak = recorder->waiting;
}

static Batch *Unqueue(Recorder *recorder) {
    Batch *batch = recorder->first;
    recorder->first = batch->next;
    if (!recorder->first)
        recorder->last = NULL;
    recorder->waiting--;
    return batch;
}

/* ---- memories -------------------------------------------------------------------------------- */

/* An id is stored as id + 1, because 0 marks a free entry. */
static Seen *FindSeen(const Recorder *recorder, const Fingerprint *hash) {
    uint32_t at = hash->lanes[3] & (SEEN_ENTRIES - 1);
    while (recorder->seen[at].id && !Fingerprint_Equal(&recorder->seen[at].hash, hash))
        at = (at + 1) & (SEEN_ENTRIES - 1);
    return &recorder->seen[at];
}

typedef struct Place {
    uint32_t id, offset;
} Place;

typedef struct Need {
    uint32_t call_bytes, memory_bytes, relocations, large;
    uint64_t large_bytes;
    bool lacks_bytes;
    uint32_t lacking;
} Need;

static Need MeasureDraft(const Recorder *recorder, const Draft *draft) {
    Need need = {.call_bytes = TRACE_CALL_BYTES + draft->input_size + draft->output_size};
    for (uint32_t i = 0; i < draft->memory_count; i++) {
        const DraftMemory *memory = &draft->memories[i];
        if (FindSeen(recorder, &memory->hash)->id)
            continue;
        if (!memory->large) {
            need.memory_bytes += Trace_PadTo4(memory->size) + 12;
            need.relocations += memory->relocation_count;
        } else if (memory->fetched) {
            need.large++;
            need.large_bytes += memory->size;
        } else if (!need.lacks_bytes) {
            need.lacks_bytes = true;
            need.lacking = i;
        }
    }
    return need;
}

static bool FitsNow(const Recorder *recorder, const Batch *batch, const Need *need) {
    return batch->call_bytes + need->call_bytes <= BatchCalls(recorder) &&
           batch->memory_bytes + need->memory_bytes <= BATCH_MEMORY_BYTES &&
           batch->relocation_count + need->relocations <= BATCH_RELOCATIONS &&
           batch->large_count + need->large <= BATCH_LARGE;
}

/* Returns a batch that the call fits into, or null if the call has to wait. */
static Batch *RoomFor(Recorder *recorder, const Need *need) {
    if (need->large_bytes > 0 && recorder->large_bytes > 0 &&
        recorder->large_bytes + need->large_bytes > MOST_LARGE_BYTES)
        return NULL;
    if (recorder->current && !FitsNow(recorder, recorder->current, need))
        Seal(recorder, false);
    return recorder->current ? recorder->current : Begin(recorder);
}

static Place PutLarge(Recorder *recorder, Batch *batch, DraftMemory *memory) {
    Large *large = &batch->large[batch->large_count++];
    *large = (Large){recorder->next_memory++, memory->size, memory->fetched,
                     TRACE_CHUNK_BYTES + TRACE_MEM_BYTES + (size_t)Trace_PadTo4(memory->size)};
    memory->fetched = NULL; /* it belongs to the batch from now on */
    recorder->large_bytes += large->size;
    recorder->part_memory_bytes += large->size;
    return (Place){large->id, 0};
}

static Place PutSmall(Recorder *recorder, Batch *batch, const DraftMemory *memory,
                      const Place *places) {
    if (batch->memory_bytes == 0)
        batch->memory_id = recorder->next_memory++;
    /* Leaves 16 bytes between memories, so that no address is both the end of one and the beginning
     * of another. */
    uint32_t start = batch->memory_bytes ? batch->memory_bytes + 12 : 0;
    uint32_t padded = Trace_PadTo4(memory->size);
    uint8_t *bytes = batch->memory_data + TRACE_CHUNK_BYTES + TRACE_MEM_BYTES;
    memset(bytes + batch->memory_bytes, 0, start + padded - batch->memory_bytes);
    memcpy(bytes + start, memory->content, memory->size);
    batch->memory_bytes = start + padded;
    for (uint32_t i = 0; i < memory->relocation_count; i++) {
        const DraftRelocation *relocation = &memory->relocations[i];
        const Place *target = &places[relocation->target];
        batch->relocations[batch->relocation_count++] = (TraceRelocation){
            start + relocation->offset, target->id, target->offset + relocation->target_offset};
    }
    recorder->part_memory_bytes += padded + 12ull * memory->relocation_count;
    return (Place){batch->memory_id, start};
}

static void PutMemories(Recorder *recorder, Batch *batch, Draft *draft, Place *places) {
    for (uint32_t i = 0; i < draft->memory_count; i++) {
        DraftMemory *memory = &draft->memories[i];
        Seen *seen = FindSeen(recorder, &memory->hash);
        if (seen->id) {
            places[i] = (Place){seen->id - 1, seen->offset};
            continue;
        }
        places[i] = memory->large ? PutLarge(recorder, batch, memory)
                                  : PutSmall(recorder, batch, memory, places);
        *seen = (Seen){memory->hash, places[i].id + 1, places[i].offset};
        recorder->seen_count++;
    }
}

/* ---- functions and calls --------------------------------------------------------------------- */

/* The id of a function is the number of its row. */
static void DefineFunction(Recorder *recorder, Batch *batch, const Signature *signature) {
    uint16_t row = (uint16_t)(signature->function - abi_functions);
    if (recorder->defined[row])
        return;
    uint8_t *record = batch->function_data + TRACE_CHUNK_BYTES + batch->function_bytes;
    uint32_t room = BATCH_FUNCTION_BYTES - batch->function_bytes - TRACE_FUNC_BYTES;
    uint16_t key = (uint16_t)strlen(signature->function->key);
    char *text = (char *)record + TRACE_FUNC_BYTES + key;
    memcpy(record + TRACE_FUNC_BYTES, signature->function->key, key);
    int length = Signature_Text(signature, text, room - key);
    Trace_PutFunctionHead(record, row, key, (size_t)length);
    batch->functions++;
    batch->function_bytes += TRACE_FUNC_BYTES + key + (uint32_t)length;
    recorder->defined[row] = 1;
}

static bool FunctionFits(const Recorder *recorder, const Signature *signature) {
    size_t row = (size_t)(signature->function - abi_functions);
    return row < MOST_ROWS &&
           (recorder->defined[row] || !recorder->current ||
            recorder->current->function_bytes + TRACE_SIGNATURE_MAX + 256 <= BATCH_FUNCTION_BYTES);
}

static void PutCall(Recorder *recorder, Batch *batch, const Draft *draft) {
    const TraceCall call = {.signature = draft->signature,
                            .sequence = recorder->sequence++,
                            .outcome = TRACE_RETURNED,
                            .control_in = draft->control_in,
                            .control_out = draft->control_out,
                            .mxcsr_in = draft->mxcsr_in,
                            .mxcsr_out = draft->mxcsr_out,
                            .inputs = draft->inputs,
                            .outputs = draft->outputs,
                            .input_size = draft->input_size,
                            .output_size = draft->output_size};
    const uint32_t size = Trace_CallBytes(&call);
    Trace_PutCall(batch->call_data + TRACE_CHUNK_BYTES + batch->call_bytes, &call,
                  (uint16_t)(draft->signature->function - abi_functions));
    batch->call_bytes += size;
    batch->calls++;
    recorder->part_calls_bytes += size;
    recorder->totals.calls++;
}

/* Ends the part with the current batch, even if that is empty. */
static void FinishPartHere(Recorder *recorder) {
    recorder->all_bytes += recorder->part_calls_bytes + recorder->part_memory_bytes;
    Seal(recorder, true);

    /* What this part contains is forgotten, because the next part must contain all that it needs.
     */
    memset(recorder->defined, 0, sizeof recorder->defined);
    memset(recorder->seen, 0, SEEN_ENTRIES * sizeof *recorder->seen);
    recorder->seen_count = 0;
    recorder->next_memory = 0;
    recorder->part_calls_bytes = recorder->part_memory_bytes = 0;
    recorder->part_ends = recorder->strayed = false;
    recorder->part_servers = 0;
}

static uint8_t Servers(const Recorder *recorder) {
    return recorder->options.servers ? recorder->options.servers() : SERVED_BY_ANY;
}

/* Returns whether this call has to go into another part. */
static bool PartIsOver(Recorder *recorder, const Draft *draft) {
    if (recorder->part_ends)
        return true;
    if (recorder->part_servers && !(recorder->part_servers & draft->server))
        return true;
    if (!recorder->strayed)
        return false;
    const uint32_t now = Platform_Milliseconds();
    if (!(Servers(recorder) & draft->server))
        recorder->strayed_ms = now;
    return now - recorder->strayed_ms >= QUIET_MS && recorder->strayed_parts < MOST_STRAYED;
}

/* When the first call of a part comes, decides what the header will say. */
static void ChooseServers(Recorder *recorder, const Draft *draft) {
    if (recorder->part_servers)
        return;
    recorder->part_servers = Servers(recorder);
    if (recorder->part_servers & draft->server)
        return;
    recorder->part_servers = SERVED_BY_ANY;
    recorder->strayed = true;
    recorder->strayed_ms = Platform_Milliseconds();
    recorder->strayed_parts++;
}

/* Returns RECORD_DROPPED if there is no room at the moment. */
static RecordOutcome CommitLocked(Recorder *recorder, Draft *draft, uint32_t *memory) {
    if (recorder->state != STATE_ON)
        return RECORD_STOPPED;
    if (PartIsOver(recorder, draft)) {
        if (!recorder->current && !Begin(recorder))
            return RECORD_DROPPED;
        FinishPartHere(recorder);
    }
    ChooseServers(recorder, draft);

    /* The table is emptied if this draft might fill it too much. Memories that come again are then
     * written again. This is done before the draft is measured; in the middle of a draft, it would
     * forget memories that were counted as written. */
    if (recorder->seen_count + draft->memory_count > SEEN_ENTRIES / 4 * 3) {
        memset(recorder->seen, 0, SEEN_ENTRIES * sizeof *recorder->seen);
        recorder->seen_count = 0;
    }

    Need need = MeasureDraft(recorder, draft);
    if (need.lacks_bytes) {
        *memory = need.lacking;
        return RECORD_NEEDS_BYTES;
    }
    const bool fits = need.call_bytes <= BatchCalls(recorder) &&
                      need.memory_bytes <= BATCH_MEMORY_BYTES &&
                      need.relocations <= BATCH_RELOCATIONS && need.large <= BATCH_LARGE &&
                      need.large_bytes <= MOST_LARGE_BYTES;
    if (!fits || (size_t)(draft->signature->function - abi_functions) >= MOST_ROWS)
        return RECORD_TOO_LARGE;
    if (!FunctionFits(recorder, draft->signature))
        Seal(recorder, false);
    Batch *batch = RoomFor(recorder, &need);
    if (!batch)
        return RECORD_DROPPED;
    Place places[DRAFT_MEMORIES];
    PutMemories(recorder, batch, draft, places);

    for (uint32_t i = 0; i < draft->reference_count; i++) {
        const DraftReference *reference = &draft->references[i];
        uint8_t *at = (reference->in_outputs ? draft->outputs : draft->inputs) + reference->at;
        Bytes_PutU32(at, places[reference->memory].id);
        if (reference->pair)
            Bytes_PutU32(at + 4, places[reference->memory].offset + reference->offset);
    }

    DefineFunction(recorder, batch, draft->signature);
    PutCall(recorder, batch, draft);

    /* This call may have been the last one of the part or of the whole recording. */
    uint64_t part = recorder->part_calls_bytes + recorder->part_memory_bytes;
    uint64_t limit = recorder->options.ring ? 0 : recorder->options.limit;
    if (limit && recorder->all_bytes + part >= limit) {
        recorder->totals.limited = true;
        recorder->state = STATE_STOPPING;
        Seal(recorder, true);
    } else if (part >= PartLimit(recorder) ||
               recorder->part_memory_bytes >= (recorder->options.memory_bytes
                                                   ? recorder->options.memory_bytes
                                                   : PART_MEMORY_BYTES)) {
        FinishPartHere(recorder);
    }

    return RECORD_COMMITTED;
}

RecordOutcome Recorder_Commit(Recorder *recorder, Draft *draft, uint32_t *memory) {
    uint32_t started = 0, waited = 0;
    for (uint32_t turn = 0;; turn++) {
        Lock_Take(&recorder->lock);
        uint32_t waiting = recorder->waiting;
        RecordOutcome outcome = CommitLocked(recorder, draft, memory);
        bool sealed = recorder->waiting > waiting;
        if (outcome == RECORD_COMMITTED)
            recorder->totals.waited_ms += waited;
        Lock_Release(&recorder->lock);
        if (outcome != RECORD_DROPPED) {
            if (sealed)
                Platform_WakeService();
            return outcome;
        }
        Platform_WakeService();
        if (turn == 0)
            started = Platform_Milliseconds();
        waited = Platform_Milliseconds() - started;
        /* A caller may wait only while the service runs. The service cannot start while a caller
         * holds the loader's lock. */
        if (recorder->options.full != RECORD_BLOCK || waited >= RECORD_BLOCK_MILLISECONDS ||
            !Platform_ServiceLives()) {
            Lock_Take(&recorder->lock);
            recorder->totals.dropped++;
            recorder->totals.waited_ms += waited;
            Lock_Release(&recorder->lock);

            return RECORD_DROPPED;
        }
        Platform_Pause(turn + 32);
    }
}

void Recorder_EndPart(Recorder *recorder) {
    Lock_Take(&recorder->lock);
    recorder->part_ends = recorder->part_calls_bytes > 0;
    recorder->strayed_parts = 0;
    Lock_Release(&recorder->lock);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Makes "dir/name-00002.rptrace" of "dir/name.rptrace". Number 0 stands for the name itself. */
static void PartPath(const Recorder *recorder, uint32_t number, Text *text) {
    const char *path = recorder->options.path;
    size_t length = strlen(path), stem = length;
    for (size_t i = length; i > 0 && path[i - 1] != '/' && path[i - 1] != '\\'; i--)
        if (path[i - 1] == '.') {
            stem = i - 1;
            break;
        }
    Text_AppendPart(text, path, stem);
    if (number > 0) {
        Text_AppendChar(text, '-');
        for (uint32_t digit = 10000; digit > 1 && number < digit; digit /= 10)
            Text_AppendChar(text, '0');
        Text_AppendDecimal(text, number);
    }
    Text_Append(text, path + stem);
}

/* The names are "trace", "trace-00002" and so on. In a ring the first one is "trace-00001". */
static uint32_t NextNumber(uint32_t number) {
    return number == 0 ? 2 : number + 1;
}

static bool WriteBytes(Recorder *recorder, const void *bytes, size_t size) {
    uint32_t code = 0;
    if (Platform_Write(recorder->file, recorder->whole, bytes, size, &code)) {
        recorder->whole += size;
        recorder->totals.bytes += size;
        return true;
    }
    Platform_Cut(recorder->file, recorder->whole);
    Complain(recorder, "recording stops: the trace cannot be written", code);
    return false;
}

/* `chunk` has room for TRACE_CHUNK_BYTES before its payload. */
static bool WriteChunk(Recorder *recorder, const char type[4], uint8_t *chunk, uint32_t size,
                       uint32_t records) {
    Trace_PutChunkHead(chunk, type, 0, chunk + TRACE_CHUNK_BYTES, size, size, records);
    return WriteBytes(recorder, chunk, TRACE_CHUNK_BYTES + (size_t)size);
}

static bool WriteHeader(Recorder *recorder, uint8_t servers) {
    uint8_t *head = recorder->chunk;
    Text text = Text_Begin((char *)head + TRACE_HEAD_BYTES, RECORD_HEADER_BYTES + 1);
    recorder->options.describe(&text, servers);
    Text_Append(&text, "part=");
    Text_AppendDecimal(&text, recorder->totals.parts);
    Text_AppendChar(&text, '\n');
    uint32_t size = text.length < RECORD_HEADER_BYTES ? (uint32_t)text.length : 0;
    Trace_PutHead(head, TRACE_VERSION_MAJOR, TRACE_VERSION_MINOR_NOTES,
                  (const char *)head + TRACE_HEAD_BYTES, size);
    return WriteBytes(recorder, head, TRACE_HEAD_BYTES + (size_t)size);
}

/* Takes the next free name, because existing files are never overwritten. The header is written
 * separately, so that a part without it (`whole` is 0) can be recognised. */
static bool CreatePart(Recorder *recorder, uint32_t number, uint32_t *code) {
    PlatformOpening opening = PLATFORM_EXISTS;
    recorder->whole = recorder->file_calls = recorder->file_memories = 0;
    for (; opening == PLATFORM_EXISTS && number < 100000; number = NextNumber(number)) {
        Text path = Text_Begin(recorder->path, sizeof recorder->path);
        PartPath(recorder, number, &path);
        recorder->number = number;
        opening = Platform_Create(recorder->path, &recorder->file, code);
    }
    recorder->totals.parts += opening == PLATFORM_OPENED;
    return opening == PLATFORM_OPENED;
}

static bool WriteNote(Recorder *recorder) {
    Text text = Text_Begin((char *)recorder->chunk + TRACE_CHUNK_BYTES, RECORD_NOTE_BYTES);
    RecordTotals totals;
    Recorder_Totals(recorder, &totals);
    const struct {
        const char *key;
        uint64_t number;
    } lines[] = {{"calls=", totals.calls},           {"dropped=", totals.dropped},
                 {"waited-ms=", totals.waited_ms},   {"queue-peak=", totals.queue_peak},
                 {"parts-deleted=", totals.deleted}, {"limit-reached=", totals.limited}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        Text_Append(&text, lines[i].key);
        Text_AppendDecimal(&text, lines[i].number);
        Text_AppendChar(&text, '\n');
    }
    if (recorder->options.note)
        recorder->options.note(&text);
    if (text.length >= text.size)
        return true; /* a line is written whole or not at all */
    return WriteChunk(recorder, TRACE_NOTE, recorder->chunk, (uint32_t)text.length, 0);
}

static bool WriteEnd(Recorder *recorder) {
    uint8_t *end = recorder->chunk + TRACE_CHUNK_BYTES;
    if (!WriteNote(recorder))
        return false;
    Trace_PutEnd(end, recorder->file_calls, recorder->file_memories);
    return WriteChunk(recorder, "END ", recorder->chunk, TRACE_END_BYTES, 0);
}

static void CloseFile(Recorder *recorder) {
    if (recorder->file != PLATFORM_NO_FILE)
        Platform_CloseFile(recorder->file);
    recorder->file = PLATFORM_NO_FILE;
}

/* ---- the ring -------------------------------------------------------------------------------- */

static bool DeleteOldest(Recorder *recorder) {
    char name[RECORD_PATH_BYTES];
    Text path = Text_Begin(name, sizeof name);
    PartPath(recorder, recorder->kept[0].number, &path);
    bool deleted = Platform_Delete(name);
    if (deleted)
        recorder->totals.deleted++;
    recorder->kept_count--;
    memmove(&recorder->kept[0], &recorder->kept[1],
            recorder->kept_count * sizeof recorder->kept[0]);
    return deleted;
}

/* Makes room for one more part. On Windows, a part cannot be deleted while somebody reads it; it
 * stays, and the log says so. */
static void TurnRing(Recorder *recorder) {
    if (recorder->kept_count == RECORD_RING_PARTS && !DeleteOldest(recorder))
        Complain(recorder, "an old part of the ring stays: it cannot be deleted", 0);
    recorder->kept[recorder->kept_count].number = recorder->number;
    recorder->kept[recorder->kept_count++].bytes = recorder->whole;
    for (;;) {
        uint64_t total = PartLimit(recorder);
        for (uint32_t i = 0; i < recorder->kept_count; i++)
            total += recorder->kept[i].bytes;
        if (total <= recorder->options.ring || recorder->kept_count == 0)
            return;
        if (!DeleteOldest(recorder))
            Complain(recorder, "an old part of the ring stays: it cannot be deleted", 0);
    }
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool WriteChunks(Recorder *recorder, Batch *batch) {
    if (batch->functions > 0 && !WriteChunk(recorder, "FUNC", batch->function_data,
                                            batch->function_bytes, batch->functions))
        return false;
    for (uint32_t i = 0; i < batch->large_count; i++) {
        Large *large = &batch->large[i];
        uint8_t *record = large->bytes + TRACE_CHUNK_BYTES;
        uint32_t padded = Trace_PadTo4(large->size);
        Trace_PutMemoryHead(record, large->id, large->size, 0);
        memset(record + TRACE_MEM_BYTES + large->size, 0, padded - large->size);
        if (!WriteChunk(recorder, "MEM ", large->bytes, TRACE_MEM_BYTES + padded, 1))
            return false;
        recorder->file_memories++;
    }

    if (batch->memory_bytes > 0) {
        uint8_t *record = batch->memory_data + TRACE_CHUNK_BYTES;
        Trace_PutMemoryHead(record, batch->memory_id, batch->memory_bytes, batch->relocation_count);
        const uint8_t *end = Trace_PutRelocations(record + TRACE_MEM_BYTES + batch->memory_bytes,
                                                  batch->relocations, batch->relocation_count);
        if (!WriteChunk(recorder, "MEM ", batch->memory_data, (uint32_t)(end - record), 1))
            return false;
        recorder->file_memories++;
    }

    if (batch->calls > 0 &&
        !WriteChunk(recorder, "CALL", batch->call_data, batch->call_bytes, batch->calls))
        return false;
    recorder->file_calls += batch->calls;
    return true;
}

static bool FinishPart(Recorder *recorder) {
    bool written = WriteEnd(recorder);
    CloseFile(recorder);
    if (written && recorder->options.ring)
        TurnRing(recorder);
    return written;
}

static bool WriteBatch(Recorder *recorder) {
    Batch *batch = recorder->writing;

    uint32_t code = 0;
    if (recorder->file == PLATFORM_NO_FILE &&
        !CreatePart(recorder, NextNumber(recorder->number), &code)) {
        Complain(recorder, "recording stops: the next part cannot be made", code);
        return false;
    }
    if (recorder->whole == 0 && !WriteHeader(recorder, recorder->writing->servers))
        return false;

    recorder->start = recorder->whole;
    recorder->start_calls = recorder->file_calls;
    recorder->start_memories = recorder->file_memories;
    recorder->progress = WRITE_BEGUN;
    if (!WriteChunks(recorder, batch) || (batch->ends_part && !FinishPart(recorder)))
        return false;
    recorder->progress = WRITE_DONE;
    return true;
}

/* Calls that were committed and not written are lost, and are counted as lost. */
static void Fail(Recorder *recorder) {
    Lock_Take(&recorder->lock);
    recorder->state = STATE_STOPPED;
    recorder->totals.failed = true;
    if (recorder->current)
        Seal(recorder, true);
    for (Batch *batch = recorder->first; batch; batch = batch->next)
        recorder->totals.dropped += batch->calls;
    if (recorder->writing && recorder->file_calls == recorder->start_calls)
        recorder->totals.dropped += recorder->writing->calls;
    while (recorder->first)
        Recycle(recorder, Unqueue(recorder));
    Lock_Release(&recorder->lock);
    if (recorder->file != PLATFORM_NO_FILE)
        WriteEnd(recorder); /* making the file shorter may have made room for it */
    CloseFile(recorder);
}

static bool IsDue(const Recorder *recorder, bool all) {
    const Batch *current = recorder->current;
    return current && current->calls > 0 &&
           (all || Platform_Milliseconds() - current->opened >= recorder->options.flush_ms);
}

static bool TakeBatch(Recorder *recorder, bool all) {
    Lock_Take(&recorder->lock);
    if (!recorder->first && IsDue(recorder, all))
        Seal(recorder, false);
    bool taken = recorder->first != NULL;
    recorder->progress = WRITE_WAITS;
    if (taken)
        recorder->writing = Unqueue(recorder);
    Lock_Release(&recorder->lock);
    return taken;
}

static void ReturnBatch(Recorder *recorder) {
    Lock_Take(&recorder->lock);
    Recycle(recorder, recorder->writing);
    recorder->writing = NULL;
    if (recorder->state == STATE_STOPPING && !recorder->first && !recorder->current)
        recorder->state = STATE_STOPPED;
    Lock_Release(&recorder->lock);
}

void Recorder_Write(Recorder *recorder, bool all) {
    while (TakeBatch(recorder, all)) {
        bool written = WriteBatch(recorder);
        if (!written)
            Fail(recorder);
        ReturnBatch(recorder);
        if (!written)
            return;
    }
}

/* ---- life ------------------------------------------------------------------------------------ */

static void FreeAll(Recorder *recorder) {
    while (recorder->free) {
        Batch *batch = recorder->free;
        recorder->free = batch->next;
        Platform_Free(batch, batch->allocated);
    }
    if (recorder->current)
        Platform_Free(recorder->current, recorder->current->allocated);
    if (recorder->seen)
        Platform_Free(recorder->seen, SEEN_ENTRIES * sizeof *recorder->seen);
    Platform_Free(recorder, recorder->allocated);
}

Recorder *Recorder_Open(const RecordOptions *options, uint32_t *code) {
    Recorder *recorder = Platform_Allocate(sizeof *recorder);
    *code = 0;
    if (!recorder)
        return NULL;
    recorder->options = *options;
    recorder->allocated = sizeof *recorder;
    recorder->file = PLATFORM_NO_FILE;
    recorder->seen = Platform_Allocate(SEEN_ENTRIES * sizeof *recorder->seen);
    recorder->part_servers = Servers(recorder);
    if (recorder->seen && CreatePart(recorder, options->ring ? 1 : 0, code) &&
        WriteHeader(recorder, recorder->part_servers))
        return recorder;
    CloseFile(recorder);
    FreeAll(recorder);
    return NULL;
}

void Recorder_Totals(const Recorder *recorder, RecordTotals *totals) {
    *totals = recorder->totals;
}

const char *Recorder_Path(const Recorder *recorder) {
    return recorder->path;
}

/* The thread that began to write this batch has been ended, so the batch is written again from its
 * place in the file on. */
static void WriteAgain(Recorder *recorder) {
    if (recorder->progress == WRITE_DONE) {
        ReturnBatch(recorder);
        return;
    }
    if (recorder->progress == WRITE_BEGUN && recorder->file != PLATFORM_NO_FILE) {
        recorder->whole = recorder->start;
        recorder->file_calls = recorder->start_calls;
        recorder->file_memories = recorder->start_memories;
    }
    if (recorder->file != PLATFORM_NO_FILE)
        Platform_Cut(recorder->file, recorder->whole);
    if (recorder->progress == WRITE_WAITS || recorder->file != PLATFORM_NO_FILE)
        if (!WriteBatch(recorder))
            Fail(recorder);
    ReturnBatch(recorder);
}

void Recorder_Close(Recorder *recorder, bool process_ends) {
    /* If a thread was ended inside of Recorder_Commit, the batches may be half changed. In that
     * case the file keeps only what it has up to its last whole chunk. */
    if (process_ends && !Lock_TryTake(&recorder->lock)) {
        if (recorder->file != PLATFORM_NO_FILE)
            Platform_Cut(recorder->file, recorder->whole);
        return;
    }
    if (!process_ends)
        Lock_Take(&recorder->lock);

    /* The last batch ends the last part. */
    if (recorder->current && recorder->current->calls > 0)
        Seal(recorder, true);

    recorder->state = STATE_STOPPED;
    Lock_Release(&recorder->lock);
    if (recorder->writing)
        WriteAgain(recorder);
    Recorder_Write(recorder, true);
    if (recorder->file != PLATFORM_NO_FILE) { /* no call has come since the last flush */
        WriteEnd(recorder);
        CloseFile(recorder);
    }
    if (!process_ends)
        FreeAll(recorder);
}
