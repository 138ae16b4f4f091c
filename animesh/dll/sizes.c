#include "animesh/dll/sizes.h"

#include <windows.h>

enum { BUCKETS = 128, WAYS = 8 };

typedef struct Entry {
    const Reader *reader;
    Layout_ref nodes, keys, frame_map, strings; /* the reader's when it was filled */
    uint32_t frame_count;
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

static bool IsCurrent(const Entry *entry, const Reader *reader) {
    return entry->nodes == reader->nodes && entry->keys == reader->keys &&
           entry->frame_map == reader->frame_map && entry->strings == reader->strings &&
           entry->frame_count == reader->frame_count;
}

void StreamSizes_Remember(const Reader *reader, const StreamSizes *sizes) {
    EnterCriticalSection(&lock);
    Bucket *bucket = BucketOf(reader);
    Entry *entry = EntryOf(bucket, reader);
    if (!entry) {
        entry = &bucket->entries[bucket->next];
        bucket->next = (bucket->next + 1) % WAYS;
    }
    *entry = (Entry){.reader = reader,
                     .nodes = reader->nodes,
                     .keys = reader->keys,
                     .frame_map = reader->frame_map,
                     .strings = reader->strings,
                     .frame_count = reader->frame_count,
                     .sizes = *sizes};
    LeaveCriticalSection(&lock);
}

bool StreamSizes_Find(const Reader *reader, StreamSizes *sizes) {
    EnterCriticalSection(&lock);
    const Entry *entry = EntryOf(BucketOf(reader), reader);
    bool found = entry && IsCurrent(entry, reader);
    *sizes = found ? entry->sizes : (StreamSizes){0, 0, 0, 0};
    LeaveCriticalSection(&lock);
    return found;
}
