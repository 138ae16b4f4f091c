#include "animesh/dll/sizes.h"

#include "animesh/streams.h"

#include <string.h>
#include <windows.h>

enum { BUCKETS = 128, WAYS = 8 };

typedef struct Entry {
    const Reader *reader;
    Reader filled; /* what it was when it was filled */
    StreamSizes sizes;
} Entry;

typedef struct Bucket {
    Entry entries[WAYS];
    uint32_t next; /* the oldest entry */
} Bucket;

static Bucket buckets[BUCKETS];
static CRITICAL_SECTION lock;

void StreamSizes_Open(void) {
    InitializeCriticalSection(&lock);
}

void StreamSizes_Close(void) {
    DeleteCriticalSection(&lock);
}

static Bucket *BucketOf(const Reader *reader) {
    return &buckets[(((uintptr_t)reader >> 2) * 0x9E3779B1u) >> 25];
}
_Static_assert(BUCKETS == 1 << (32 - 25), "BucketOf keeps the high bits");

static Entry *EntryOf(Bucket *bucket, const Reader *reader) {
    for (int i = 0; i < WAYS; i++)
        if (bucket->entries[i].reader == reader)
            return &bucket->entries[i];
    return NULL;
}

/* Whether 0 to 0x6B and 0x8C on, all that the loader writes and more, are as it left them: another
 * reader may have come to the same address. */
static bool IsCurrent(const Entry *entry, const Reader *reader) {
    const size_t written = offsetof(Reader, unknown_6c), rest = offsetof(Reader, res15_stream);
    return memcmp(&entry->filled, reader, written) == 0 &&
           memcmp(&entry->filled.res15_stream, &reader->res15_stream, sizeof *reader - rest) == 0;
}

void StreamSizes_Remember(const Reader *reader, const StreamSizes *sizes) {
    EnterCriticalSection(&lock);
    Bucket *bucket = BucketOf(reader);
    Entry *entry = EntryOf(bucket, reader);
    if (!entry) {
        entry = &bucket->entries[bucket->next];
        bucket->next = (bucket->next + 1) % WAYS;
    }
    *entry = (Entry){.reader = reader, .filled = *reader, .sizes = *sizes};
    LeaveCriticalSection(&lock);
}

bool StreamSizes_Find(const Reader *reader, StreamSizes *sizes) {
    EnterCriticalSection(&lock);
    const Entry *entry = EntryOf(BucketOf(reader), reader);
    bool found = entry && IsCurrent(entry, reader);
    *sizes = found ? entry->sizes : (StreamSizes){0};
    LeaveCriticalSection(&lock);
    return found;
}

/* ---- models ---------------------------------------------------------------------------------- */

static MeshStream Whole(const uint8_t *data, uint32_t bytes, uint32_t stride) {
    return (MeshStream){.data = data, .count = data ? bytes / stride : 0};
}

void StreamSizes_Model(const Reader *reader, const StreamSizes *sizes, MeshModel *model) {
    const bool headed = reader->header && sizes->header >= HEADER_BYTES_OF_RES2;
    MeshModel_FromReader(reader, model);
    model->bounded = true;
    model->pose.node_bytes = sizes->nodes;
    model->pose.key_bytes = sizes->keys;
    model->pose.frame_map_bytes = sizes->frame_map;
    model->header = headed ? reader->header : NULL;
    model->slots = headed ? Whole(reader->slots, sizes->header - HEADER_BYTES_OF_RES2, SLOT_BYTES)
                          : (MeshStream){NULL, 0};
    model->positions = Whole(reader->positions, sizes->positions, 12);
    model->normals = Whole(reader->normals, sizes->normals, 4);
    model->uv0 = Whole(reader->uv0, sizes->uv0, 4);
    model->uv1 = Whole(reader->colour_stream, sizes->colours, 4);
    model->indices = Whole(reader->indices, sizes->indices, 2);
    model->triangles = Whole(reader->triangles, sizes->triangles, 16);
    model->batches = Whole(reader->batches, sizes->batches, 20);
    model->probes = Whole(reader->res20, sizes->res20, 48);
    model->string_bytes = sizes->strings;
}

const MeshModel *StreamSizes_FindModel(const MeshContext *context, const Reader *reader,
                                       MeshModel *scratch) {
    (void)context;
    StreamSizes sizes;
    if (StreamSizes_Find(reader, &sizes))
        StreamSizes_Model(reader, &sizes, scratch);
    else
        MeshModel_FromReader(reader, scratch);
    return scratch;
}
