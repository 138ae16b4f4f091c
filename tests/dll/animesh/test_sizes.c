/* Tests of the table of stream sizes behind the DLL's readers (dll/animesh/sizes.h): what it knows,
 * what it forgets, and that threads which write during a look-up never mix what it finds. */
#include "dll/animesh/sizes.h"
#include "tests/test.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Fills a reader so that every value follows from the number. */
static void MakeReader(Reader *reader, uint32_t number) {
    static const uint8_t bytes[64];
    const uint8_t *data = bytes + number % 64;
    memset(reader, 0, sizeof *reader);
    reader->nodes = reader->keys = reader->frame_map = reader->strings = data;
    reader->header = reader->slots = reader->positions = reader->normals = reader->uv0 = data;
    reader->triangles = reader->batches = reader->indices = reader->uv1_stream = data;
    reader->res20 = data;
    reader->frame_count = reader->res20_count = number;
}

static StreamSizes SizesOf(uint32_t number) {
    StreamSizes sizes;
    uint32_t words[sizeof sizes / 4];
    for (uint32_t i = 0; i < sizeof sizes / 4; i++)
        words[i] = number + i;
    memcpy(&sizes, words, sizeof sizes);
    return sizes;
}

static void Remember(Reader *reader, uint32_t number) {
    const StreamSizes sizes = SizesOf(number);
    MakeReader(reader, number);
    StreamSizes_Remember(reader, &sizes);
}

static bool AreSizes(const StreamSizes *found, uint32_t number) {
    const StreamSizes sizes = SizesOf(number);
    return memcmp(found, &sizes, sizeof sizes) == 0;
}

static bool ArePoseSizes(const PoseSizes *found, uint32_t number) {
    const StreamSizes sizes = SizesOf(number);
    return memcmp(found, &sizes.pose, sizeof sizes.pose) == 0;
}

TEST(AReaderIsKnownByWhatItPointsTo) {
    static Reader reader, other;
    static const StreamSizes zeros;
    StreamSizes sizes;
    PoseSizes pose;
    Remember(&reader, 40);
    assert_true(StreamSizes_Find(&reader, &sizes) && AreSizes(&sizes, 40));
    assert_true(PoseSizes_Find(&reader, &pose) && ArePoseSizes(&pose, 40));
    other = reader; /* the same values at another address */
    assert_false(StreamSizes_Find(&other, &sizes));
    assert_memory_equal(&sizes, &zeros, sizeof sizes);

    Remember(&reader, 50); /* loading again replaces */
    assert_true(StreamSizes_Find(&reader, &sizes) && AreSizes(&sizes, 50));
}

/* Changes each stream that has a size, and both counts. */
TEST(AChangedReaderIsNotKnown) {
    static Reader reader;
    static const uint8_t elsewhere;
    Layout_ref *const streams[] = {
        &reader.nodes,   &reader.keys,      &reader.frame_map,  &reader.strings, &reader.header,
        &reader.slots,   &reader.positions, &reader.normals,    &reader.uv0,     &reader.triangles,
        &reader.batches, &reader.indices,   &reader.uv1_stream, &reader.res20};
    StreamSizes sizes;
    PoseSizes pose;
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        Remember(&reader, 60);
        *streams[i] = &elsewhere;
        assert_false(StreamSizes_Find(&reader, &sizes));
        assert_false(PoseSizes_Find(&reader, &pose)); /* also where poses do not read it */
        assert_int_equal(pose.nodes, 0);
    }
    uint32_t *const counts[] = {&reader.frame_count, &reader.res20_count};
    for (size_t i = 0; i < 2; i++) {
        Remember(&reader, 60);
        ++*counts[i];
        assert_false(StreamSizes_Find(&reader, &sizes));
        assert_false(PoseSizes_Find(&reader, &pose));
    }
}

TEST(TheNewestIsKnownHoweverManyThereAre) {
    static Reader readers[5000];
    StreamSizes sizes;
    for (uint32_t i = 0; i < 5000; i++) {
        Remember(&readers[i], i);
        assert_true(StreamSizes_Find(&readers[i], &sizes) && AreSizes(&sizes, i));
    }
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { WRITERS = 3, ROUNDS = 200000 };

static struct {
    Reader watched;
    int running, mixed;
    uint32_t seen;
} shared;

/* Loads many readers of this thread, which drive others out of their buckets. */
static void *KeepLoading(void *argument) {
    static Reader readers[WRITERS][512];
    const uint32_t own = *(const uint32_t *)argument;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        StreamSizes sizes;
        Reader *reader = &readers[own][i % 512];
        Remember(reader, i);
        if (StreamSizes_Find(reader, &sizes) && !AreSizes(&sizes, i))
            __atomic_store_n(&shared.mixed, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

/* Keeps changing the sizes of the watched reader, but not what it points to. */
static void *KeepChanging(void *argument) {
    (void)argument;
    for (uint32_t i = 0; __atomic_load_n(&shared.running, __ATOMIC_ACQUIRE); i++) {
        const StreamSizes sizes = SizesOf(i * 0x01010101u);
        StreamSizes_Remember(&shared.watched, &sizes);
    }
    return NULL;
}

TEST(LookUpsNeverMixTwoReaders) {
    pthread_t writers[WRITERS], changer;
    uint32_t numbers[WRITERS];
    MakeReader(&shared.watched, 7);
    shared.running = 1;
    assert_int_equal(pthread_create(&changer, NULL, KeepChanging, NULL), 0);
    for (uint32_t i = 0; i < WRITERS; i++) {
        numbers[i] = i;
        assert_int_equal(pthread_create(&writers[i], NULL, KeepLoading, &numbers[i]), 0);
    }
    for (uint32_t i = 0; i < ROUNDS * 10; i++) {
        StreamSizes sizes;
        PoseSizes pose;
        if (StreamSizes_Find(&shared.watched, &sizes)) {
            shared.seen++;
            assert_true(AreSizes(&sizes, sizes.pose.nodes));
        }
        if (PoseSizes_Find(&shared.watched, &pose))
            assert_true(ArePoseSizes(&pose, pose.nodes));
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i], NULL);
    __atomic_store_n(&shared.running, 0, __ATOMIC_RELEASE);
    pthread_join(changer, NULL);
    assert_int_equal(shared.mixed, 0);
    StreamSizes sizes;
    StreamSizes_Remember(&shared.watched, &(StreamSizes){.pose = {.nodes = 1}});
    assert_true(StreamSizes_Find(&shared.watched, &sizes));
    assert_int_equal(sizes.pose.nodes, 1);
    print_message("found in %u of %d look-ups beside writers\n", shared.seen, ROUNDS * 10);
}
