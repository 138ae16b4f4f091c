/* Tests of streams that end early and of indices that point outside. No read leaves the streams,
 * each one that the original would have made is counted, and the fallback key or the identity takes
 * its place. */
#include "fixture.h"

#include <math.h>
#include <string.h>

static const float identity_q[4] = {1, 0, 0, 0}, identity_p[3] = {0, 0, 0};
static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static const RpArithmetic settings = {.build = RP_BUILD_GENERIC};
static TestModel track;

static int MakeTrack(void **state) {
    (void)state;
    TestModel_MakeTrack(&track);
    return 0;
}
AROUND_EACH(MakeTrack, NULL)

typedef struct Sampled {
    float q[4], p[3];
    RpPoseCounters counters;
} Sampled;

static Sampled Sample(const RpSkeleton *model, uint32_t node, float t) {
    Sampled sampled = {.counters = {0}};
    uint16_t word = ControlWord_Set(GAME_WORD);
    RpPose_Sample(model, &settings, node, t, sampled.q, sampled.p, &sampled.counters);
    ControlWord_Set(word);
    return sampled;
}

static bool SamePose(const Sampled *a, const float q[4], const float p[3]) {
    return memcmp(a->q, q, sizeof a->q) == 0 && memcmp(a->p, p, sizeof a->p) == 0;
}

static Sampled Fallback(const RpSkeleton *model, uint32_t node) {
    RpSkeleton without_map = *model;
    without_map.frame_count = 0;
    return Sample(&without_map, node, 0);
}

/* Checks a sample of a shortened model: it has either the whole model's pose and no count, or a
 * count and one of the two replacements. */
static uint64_t CheckShortened(const RpSkeleton *whole, const RpSkeleton *shortened, uint32_t node,
                               float t) {
    Sampled expected = Sample(whole, node, t), actual = Sample(shortened, node, t);
    uint64_t reads = actual.counters.out_of_bounds;
    assert_int_equal(expected.counters.out_of_bounds, 0);
    if (reads == 0) {
        assert_true(SamePose(&actual, expected.q, expected.p));
        return 0;
    }
    Sampled fallback = Fallback(whole, node);
    assert_true(reads <= 2); /* one read of a map word, and one of the fallback key */
    assert_true(SamePose(&actual, fallback.q, fallback.p) ||
                SamePose(&actual, identity_q, identity_p));
    return reads;
}

static uint64_t CheckShortenedAtAllTimes(const RpSkeleton *whole, const RpSkeleton *shortened) {
    uint64_t reads = 0;
    for (uint32_t node = 0; node < RpSkeleton_NodeCount(whole); node++)
        for (uint32_t quarter = 0; quarter < 4 * whole->frame_count + 4; quarter++)
            reads += CheckShortened(whole, shortened, node, (float)quarter / 4);
    return reads;
}

/* Cuts every stream at every byte, right in front of memory that must not be touched. */
TEST(ShortenedStreamsAreNeverLeft) {
    uint64_t seed = 3;
    for (int i = 0; i < 4; i++) {
        TestModel_MakeRandom(&track, &seed, 100);
        const struct {
            size_t pointer, size;
        } streams[] = {{offsetof(RpSkeleton, nodes), offsetof(RpSkeleton, node_bytes)},
                       {offsetof(RpSkeleton, keys), offsetof(RpSkeleton, key_bytes)},
                       {offsetof(RpSkeleton, frame_map), offsetof(RpSkeleton, frame_map_bytes)}};
        for (int s = 0; s < 3; s++) {
            uint32_t whole_bytes;
            const uint8_t *bytes;
            memcpy(&whole_bytes, (char *)&track.model + streams[s].size, sizeof whole_bytes);
            memcpy(&bytes, (char *)&track.model + streams[s].pointer, sizeof bytes);
            for (uint32_t size = 0; size <= whole_bytes; size++) {
                Guarded cut = Guarded_Copy(bytes, size);
                RpSkeleton shortened = track.model;
                memcpy((char *)&shortened + streams[s].pointer, &cut.bytes, sizeof cut.bytes);
                memcpy((char *)&shortened + streams[s].size, &size, sizeof size);
                uint64_t reads = CheckShortenedAtAllTimes(&track.model, &shortened);
                if (size == whole_bytes)
                    assert_int_equal(reads, 0);
                if (size == 0 && whole_bytes)
                    assert_true(reads > 0);
                Guarded_Free(&cut);
            }
        }
    }
}

TEST(NodeOutsideTheModelIsTheIdentity) {
    TestModel_AddNode(&track, 0, 0xFFFF, 2);
    /* In 32 bits, 113025456 * 38 is 32. */
    static const uint32_t nodes[] = {2, 3, 0x7FFFFFFF, 0xFFFFFFFF, 113025456};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        Sampled sampled = Sample(&track.model, nodes[i], 1);
        assert_true(SamePose(&sampled, identity_q, identity_p));
        assert_int_equal(sampled.counters.out_of_bounds, 1);
        RpPoseCounters counters = {0};
        float m[16];
        RpPose_Blend(&track.model, &settings, nodes[i], 1, 1, 0, m, &counters);
        AssertAllBits(m, identity, 16);
        assert_int_equal(counters.out_of_bounds, 1);
    }
}

TEST(MapReadPastTheStreamGivesTheFallback) {
    track.model.frame_count = UINT32_MAX;
    Sampled fallback = Fallback(&track.model, 0);
    static const float times[] = {12, 1000, 65536, 2147483520.0f, 4294967040.0f, -4};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        Sampled sampled = Sample(&track.model, 0, times[i]);
        assert_true(SamePose(&sampled, fallback.q, fallback.p));
        assert_int_equal(sampled.counters.out_of_bounds, 1);
    }
    track.nodes[4] = 0xFE; /* map start 0xFEFE with the next byte */
    track.nodes[5] = 0xFE;
    Sampled sampled = Sample(&track.model, 0, 1);
    assert_true(SamePose(&sampled, fallback.q, fallback.p));
    assert_int_equal(sampled.counters.out_of_bounds, 1);
}

/* The original adds and multiplies in 32 bits, so that a read whose position wraps round is not
 * outside. */
TEST(MapPlaceWrapsIn32Bits) {
    track.model.frame_count = UINT32_MAX;
    track.nodes[4] = 5;                                   /* map start */
    Sampled wrapped = Sample(&track.model, 0, -4);        /* frame 2^32 - 4: word 1, key 0 */
    Sampled scaled = Sample(&track.model, 0, 2147483648); /* frame 2^31: word 5, key 1 */
    assert_int_equal(wrapped.counters.out_of_bounds, 0);
    assert_int_equal(scaled.counters.out_of_bounds, 0);
    assert_true(wrapped.p[0] < -3.24f && wrapped.p[0] > -3.26f); /* 1 + 4.25 * (-4 / 4) */
    assert_true(scaled.p[0] < -1e9f);
}

TEST(EmptyMapMayBeNull) {
    Sampled fallback = Fallback(&track.model, 0);
    track.model.frame_map = NULL;
    track.model.frame_map_bytes = 0;
    Sampled sampled = Sample(&track.model, 0, 1);
    assert_true(SamePose(&sampled, fallback.q, fallback.p));
    assert_int_equal(sampled.counters.out_of_bounds, 1);
}

TEST(KeysPastTheStreamAreTheIdentity) {
    track.nodes[6] = 200;     /* fallback */
    track.frame_map[0] = 150; /* k0, at frame 0 */
    track.frame_map[2] = 2;   /* k1, at frame 1: key 2 is the last */
    Sampled first = Sample(&track.model, 0, 0.25f), second = Sample(&track.model, 0, 1.25f);
    Sampled alone = Sample(&track.model, 0, 100);
    const Sampled *const all[] = {&first, &second, &alone};
    for (int i = 0; i < 3; i++) {
        assert_true(SamePose(all[i], identity_q, identity_p));
        assert_int_equal(all[i]->counters.out_of_bounds, 1);
    }
}

TEST(BlendCountsBothSides) {
    track.model.key_bytes = 0;
    RpPoseCounters counters = {.out_of_bounds = 5, .undefined = 7};
    float m[16];
    RpPose_Blend(&track.model, &settings, 0, 2, 3, 0.5f, m, &counters);
    assert_int_equal(counters.out_of_bounds, 7); /* added to what was there */
    assert_int_equal(counters.undefined, 7);
    AssertAllBits(m, identity, 16);
    RpPose_Blend(&track.model, &settings, 0, -1, -1, 0.5f, m, &counters);
    assert_int_equal(counters.undefined, 8);
}

TEST(CountersAreOptional) {
    float q[4], p[3], m[16];
    RpPose_Sample(&track.model, &settings, 9, 1, q, p, NULL);
    AssertAllBits(q, identity_q, 4);
    RpPose_Blend(&track.model, &settings, 0, -1, -1, 0.5f, m, NULL);
    AssertAllBits(m, identity, 16);
}
