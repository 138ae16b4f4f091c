/* This table has no lock. A thread claims an entry by making its version odd, writes it, and makes
 * the version even again. A reader looks at the version, copies the numbers, and looks again: the
 * numbers belong together if both times the version was the same and even. If a thread is killed
 * while it writes, its entry is never used again, but nobody waits for it. */
#include "dll/animesh/sizes.h"

#include "animesh/streams.h"

#include <string.h>

enum { BUCKETS = 128, WAYS = 8 };
enum { MARKS = 16 }; /* how many values of a reader are compared to recognise it */
enum { POSE_SIZES = sizeof(PoseSizes) / 4, SIZES = sizeof(StreamSizes) / 4 };
_Static_assert(offsetof(StreamSizes, pose) == 0, "a pose's sizes come first");

typedef struct Entry {
    uint32_t version; /* odd while the entry is written */
    uint32_t sizes[SIZES];
    uintptr_t marks[MARKS];
} Entry;

typedef struct Bucket {
    uintptr_t readers[WAYS];
    uint32_t next; /* counts the entries that were replaced; modulo WAYS it is the oldest entry */
    Entry entries[WAYS];
} Bucket;

static Bucket buckets[BUCKETS];

static Bucket *BucketOf(const Reader *reader) {
    return &buckets[((uint32_t)((uintptr_t)reader >> 2) * 0x9E3779B1u) >> 25];
}
_Static_assert(BUCKETS == 1 << (32 - 25), "BucketOf keeps the high bits");

/* ---- what a reader looks like ---------------------------------------------------------------- */

/* All values are compared, even if only a pose is asked for. If something else fills a reader
 * later, some of its streams may get the same addresses with other sizes. */
static void GetMarks(const Reader *reader, uintptr_t *marks) {
    marks[0] = (uintptr_t)reader->nodes;
    marks[1] = (uintptr_t)reader->keys;
    marks[2] = (uintptr_t)reader->frame_map;
    marks[3] = (uintptr_t)reader->strings;
    marks[4] = reader->frame_count;
    marks[5] = (uintptr_t)reader->header;
    marks[6] = (uintptr_t)reader->slots;
    marks[7] = (uintptr_t)reader->positions;
    marks[8] = (uintptr_t)reader->normals;
    marks[9] = (uintptr_t)reader->uv0;
    marks[10] = (uintptr_t)reader->triangles;
    marks[11] = (uintptr_t)reader->batches;
    marks[12] = (uintptr_t)reader->indices;
    marks[13] = (uintptr_t)reader->uv1_stream;
    marks[14] = (uintptr_t)reader->res20;
    marks[15] = reader->res20_count;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Returns false if another thread is writing the entry. */
static bool Claim(Entry *entry) {
    uint32_t version = __atomic_load_n(&entry->version, __ATOMIC_RELAXED);
    if (version & 1 || !__atomic_compare_exchange_n(&entry->version, &version, version + 1, false,
                                                    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return false;
    /* The version becomes odd before anything else changes. */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    return true;
}

static int ClaimOf(Bucket *bucket, uintptr_t reader) {
    for (int way = 0; way < WAYS; way++)
        if (__atomic_load_n(&bucket->readers[way], __ATOMIC_RELAXED) == reader &&
            Claim(&bucket->entries[way]))
            return way;
    for (int turn = 0; turn < WAYS; turn++) {
        int way = (int)(__atomic_fetch_add(&bucket->next, 1, __ATOMIC_RELAXED) % WAYS);
        if (Claim(&bucket->entries[way]))
            return way;
    }
    return -1;
}

void StreamSizes_Remember(const Reader *reader, const StreamSizes *sizes) {
    Bucket *bucket = BucketOf(reader);
    const int way = ClaimOf(bucket, (uintptr_t)reader);
    if (way < 0)
        return;
    Entry *entry = &bucket->entries[way];
    uintptr_t marks[MARKS];
    uint32_t words[SIZES];
    GetMarks(reader, marks);
    memcpy(words, sizes, sizeof words);
    __atomic_store_n(&bucket->readers[way], (uintptr_t)reader, __ATOMIC_RELAXED);
    for (int i = 0; i < MARKS; i++)
        __atomic_store_n(&entry->marks[i], marks[i], __ATOMIC_RELAXED);
    for (int i = 0; i < SIZES; i++)
        __atomic_store_n(&entry->sizes[i], words[i], __ATOMIC_RELAXED);
    __atomic_fetch_add(&entry->version, 1, __ATOMIC_RELEASE);
}

/* ---- reading --------------------------------------------------------------------------------- */

static inline bool HasMarks(const Entry *entry, const uintptr_t *marks) {
    for (int i = 0; i < MARKS; i++)
        if (__atomic_load_n(&entry->marks[i], __ATOMIC_RELAXED) != marks[i])
            return false;
    return true;
}

/* Returns false while the entry is being written, too, because it then belongs to another reader or
 * soon will. */
static inline bool Take(const Bucket *bucket, int way, uintptr_t reader, const uintptr_t *marks,
                        uint32_t *sizes, int size_count) {
    const Entry *entry = &bucket->entries[way];
    const uint32_t version = __atomic_load_n(&entry->version, __ATOMIC_ACQUIRE);
    if (version & 1 || __atomic_load_n(&bucket->readers[way], __ATOMIC_RELAXED) != reader ||
        !HasMarks(entry, marks))
        return false;
    for (int i = 0; i < size_count; i++)
        sizes[i] = __atomic_load_n(&entry->sizes[i], __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&entry->version, __ATOMIC_RELAXED) == version;
}

/* Copies the first `size_count` sizes of a reader. They are zeros if the reader is unknown. */
static inline bool Find(const Reader *reader, void *sizes, int size_count) {
    const Bucket *bucket = BucketOf(reader);
    uintptr_t marks[MARKS];
    uint32_t words[SIZES];
    GetMarks(reader, marks);
    for (int way = 0; way < WAYS; way++)
        if (__atomic_load_n(&bucket->readers[way], __ATOMIC_RELAXED) == (uintptr_t)reader &&
            Take(bucket, way, (uintptr_t)reader, marks, words, size_count)) {
            memcpy(sizes, words, (size_t)size_count * sizeof *words);
            return true;
        }
    memset(sizes, 0, (size_t)size_count * sizeof *words);
    return false;
}

bool PoseSizes_Find(const Reader *reader, PoseSizes *sizes) {
    return Find(reader, sizes, POSE_SIZES);
}

bool StreamSizes_Find(const Reader *reader, StreamSizes *sizes) {
    return Find(reader, sizes, SIZES);
}

/* ---- models ---------------------------------------------------------------------------------- */

static MeshStream Whole(const uint8_t *data, uint32_t bytes, uint32_t stride) {
    return (MeshStream){.data = data, .count = data ? bytes / stride : 0};
}

void StreamSizes_Model(const Reader *reader, const StreamSizes *sizes, MeshModel *model) {
    const bool headed = reader->header && sizes->header >= HEADER_BYTES_OF_RES2;
    MeshModel_FromReader(reader, model);
    model->bounded = true;
    model->pose.node_bytes = sizes->pose.nodes;
    model->pose.key_bytes = sizes->pose.keys;
    model->pose.frame_map_bytes = sizes->pose.frame_map;
    model->header = headed ? reader->header : NULL;
    model->slots = headed ? Whole(reader->slots, sizes->header - HEADER_BYTES_OF_RES2, SLOT_BYTES)
                          : (MeshStream){NULL, 0};
    model->positions = Whole(reader->positions, sizes->positions, 12);
    model->normals = Whole(reader->normals, sizes->normals, 4);
    model->uv0 = Whole(reader->uv0, sizes->uv0, 4);
    model->uv1 = Whole(reader->uv1_stream, sizes->uv1, 4);
    model->indices = Whole(reader->indices, sizes->indices, 2);
    model->triangles = Whole(reader->triangles, sizes->triangles, 16);
    model->batches = Whole(reader->batches, sizes->batches, 20);
    model->probes = Whole(reader->res20, sizes->res20, 48);
    model->string_bytes = sizes->pose.strings;
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
