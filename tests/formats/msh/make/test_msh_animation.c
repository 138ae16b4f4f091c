/* Tests editing animations: what goes in comes out, and poses stay what they were wherever they
 * should. */
#include "fixture.h"
#include "tests/formats/refusal.h"

#include "core/random.h"
#include "retropose/msh_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 40 };

static Described described;
static const double exact = 0, position_noise = 2e-5; /* in units; positions reach 10 */
static const double same_degrees = 0.03;              /* errors of floats grow in the arc cosine */
static const double quantised_degrees = 0.06;

/* ---- in and out ------------------------------------------------------------------------------ */

static void Extract(const RpNResArchive *archive, RpMshAnimation *animation) {
    RpMsh msh;
    RpError error;
    RpMshAnimation_Init(animation, NULL);
    assert_int_equal(RpMsh_Open(RpNResArchive_Entries(archive), RP_STRICT, &msh, NULL), RP_OK);
    if (RpMshAnimation_Extract(animation, &msh, RP_MSH_EXTRACT_EXACT, NULL, &error) != RP_OK)
        fail_msg("%s: %s: %s", error.where, error.what, error.found);
}

static void Write(const RpNResArchive *archive, RpBuffer *image) {
    RpBuffer_Init(image, NULL);
    assert_int_equal(RpNResArchive_Write(archive, RP_NRES_CANONICAL, image, NULL), RP_OK);
}

/* Writes the archive and compares with `expected`, which is freed. */
static void AssertWrites(const RpNResArchive *archive, RpBuffer *expected) {
    OWNED(RpBuffer) written;
    Write(archive, &written);
    assert_int_equal(written.size, expected->size);
    assert_memory_equal(written.bytes, expected->bytes, expected->size);
    RpBuffer_Free(expected);
}

TEST(ExtractedTracksAreTheDescribedOnes) {
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        OWNED(RpNResArchive) archive;
        OWNED(RpMshAnimation) animation;
        Described_Random(&described, seed, false);
        BuildModel(&described.model, &archive);
        Extract(&archive, &animation);
        assert_int_equal(animation.node_count, described.model.node_count);
        for (uint32_t n = 0; n < animation.node_count; n++) {
            assert_int_equal(animation.tracks[n].key_count, described.nodes[n].key_count);
            assert_memory_equal(animation.tracks[n].keys, described.nodes[n].keys,
                                described.nodes[n].key_count * sizeof(RpMshKey));
        }
    }
}

TEST(InstallingWhatWasExtractedChangesNoByte) {
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        OWNED(RpNResArchive) archive;
        OWNED(RpMshAnimation) animation;
        RpBuffer before;
        Described_Random(&described, seed, seed % 2);
        BuildModel(&described.model, &archive);
        Write(&archive, &before);
        Extract(&archive, &animation);
        assert_int_equal(RpMshAnimation_Install(&animation, &archive, NULL), RP_OK);
        AssertWrites(&archive, &before);
    }
}

static void TakeFinding(void *context, const RpFinding *finding) {
    (void)context;
    if (finding->severity != RP_SEVERITY_INFO && strcmp(finding->rule, "M31") != 0)
        fail_msg("%s: %s: expected %s, found %s", finding->rule, finding->what, finding->expected,
                 finding->found);
}

/* Installs the animation in a model, which must break no rule. */
static void InstallInto(const RpMshAnimation *animation, RpNResArchive *archive) {
    const RpFindingSink sink = {.take = TakeFinding};
    RpError error;
    BuildModel(&described.model, archive);
    if (RpMshAnimation_Install(animation, archive, &error) != RP_OK)
        fail_msg("%s: %s", error.what, error.found);
    assert_int_equal(RpMsh_Check(RpNResArchive_Entries(archive), NULL, &sink, NULL), RP_OK);
}

TEST(OnlyTheAnimationsStreamsAndWordsChange) {
    OWNED(RpNResArchive) before, after;
    OWNED(RpMshAnimation) animation;
    Described_Random(&described, 9, true);
    BuildModel(&described.model, &before);
    RandomAnimation(&animation, 4, described.model.node_count, 77);
    InstallInto(&animation, &after);
    for (uint32_t i = 0; i < before.count; i++) {
        const RpNResMember *a = &before.members[i], *b = &after.members[i];
        assert_int_equal(a->type, b->type);
        if (a->type == RP_MSH_KEYS || a->type == RP_MSH_FRAME_MAP)
            continue;
        assert_int_equal(a->size, b->size);
        for (uint32_t byte = 0; byte < a->size; byte++)
            if (a->type != RP_MSH_NODES || byte % 38 < 4 || byte % 38 >= 8)
                assert_int_equal(a->data[byte], b->data[byte]);
    }
    const RpNResMember *map = &after.members[RpNResArchive_FindType(&after, RP_MSH_FRAME_MAP)];
    const RpNResMember *keys = &after.members[RpNResArchive_FindType(&after, RP_MSH_KEYS)];
    assert_int_equal(map->attr1, map->size / 2);
    assert_int_equal(map->attr2, 77);
    assert_int_equal(map->attr3, 2);
    assert_int_equal(keys->attr1, keys->size / 24);
    assert_int_equal(keys->attr2, 0);
    assert_int_equal(keys->attr3, 4);
}

TEST(MissingStreamsAreAddedInTheirPlace) {
    OWNED(RpNResArchive) archive;
    OWNED(RpMshAnimation) animation;
    Described_Triangle(&described);
    RandomAnimation(&animation, 1, 1, 9);
    BuildModel(&described.model, &archive);
    RpNResArchive_Remove(&archive, (uint32_t)RpNResArchive_FindType(&archive, RP_MSH_FRAME_MAP),
                         NULL);
    RpNResArchive_Remove(&archive, (uint32_t)RpNResArchive_FindType(&archive, RP_MSH_KEYS), NULL);
    assert_int_equal(RpMshAnimation_Install(&animation, &archive, NULL), RP_OK);
    assert_int_equal(archive.count, 14);
    assert_int_equal(archive.members[9].type, RP_MSH_KEYS);
    assert_int_equal(archive.members[10].type, RP_MSH_FRAME_MAP);
}

TEST(AnimationsOfOtherModelsAreRefused) {
    OWNED(RpNResArchive) archive;
    OWNED(RpMshAnimation) animation;
    RpError error;
    Described_Triangle(&described);
    BuildModel(&described.model, &archive);
    RandomAnimation(&animation, 1, 2, 9);
    assert_int_equal(RpMshAnimation_Install(&animation, &archive, &error), RP_INVALID);
    assert_string_equal(error.found, "2 tracks");
}

/* ---- models that are not canonical ----------------------------------------------------------- */

static void SetMapWord(RpNResArchive *archive, uint32_t index, uint16_t word) {
    uint32_t member = (uint32_t)RpNResArchive_FindType(archive, RP_MSH_FRAME_MAP);
    uint32_t size = archive->members[member].size;
    HEAP uint8_t *bytes = malloc(size);
    memcpy(bytes, archive->members[member].data, size);
    bytes[index * 2] = (uint8_t)word;
    bytes[index * 2 + 1] = (uint8_t)(word >> 8);
    assert_int_equal(RpNResArchive_Replace(archive, member, bytes, size, NULL), RP_OK);
}

TEST(OddMapsAreSampledOrRefused) {
    OWNED(RpNResArchive) archive;
    OWNED(RpMshAnimation) animation;
    RpMsh msh;
    RpSkeleton model;
    RpError error;
    uint64_t seed = 2;
    uint32_t sampled;
    Described_Triangle(&described);
    described.nodes[0].key_count = RandomTrack(&seed, described.keys, 20, 100);
    BuildModel(&described.model, &archive);
    SetMapWord(&archive, 9, 0); /* the first segment, far outside its times */
    assert_int_equal(RpMsh_Open(RpNResArchive_Entries(&archive), RP_STRICT, &msh, NULL), RP_OK);
    RpMshAnimation_Init(&animation, NULL);
    assert_int_equal(RpMshAnimation_Extract(&animation, &msh, RP_MSH_EXTRACT_EXACT, NULL, &error),
                     RP_UNSUPPORTED);
    assert_non_null(strstr(error.found, "frame map"));
    assert_int_equal(animation.node_count, 0);
    assert_int_equal(
        RpMshAnimation_Extract(&animation, &msh, RP_MSH_EXTRACT_SAMPLE, &sampled, &error), RP_OK);
    assert_int_equal(sampled, 1);
    assert_int_equal(animation.tracks[0].key_count, 21);
    assert_int_equal(RpMsh_Skeleton(&msh, &model, NULL), RP_OK);
    const RpArithmetic settings = {.build = RP_BUILD_SSE};
    for (uint32_t frame = 0; frame <= 20; frame++) {
        float quaternion[4], position[3];
        uint16_t word = RpFpu_SetControlWord();
        RpPose_Sample(&model, &settings, 0, (float)frame, quaternion, position, NULL);
        RpFpu_Restore(word);
        assert_memory_equal(animation.tracks[0].keys[frame].position, position, sizeof position);
    }
}

/* Two nodes name the same keys and the same block of the map, which the game allows. */
TEST(SharedTracksAreSampledAndGetTheirOwn) {
    static Described two;
    OWNED(RpNResArchive) archive;
    OWNED(RpMshAnimation) animation;
    RpMsh msh;
    RpError error;
    uint8_t nodes[2 * 38];
    uint64_t seed = 4;
    uint32_t sampled;
    Described_Triangle(&two);
    two.nodes[0].key_count = RandomTrack(&seed, two.keys, 15, 100);
    two.nodes[1] = two.nodes[0];
    two.nodes[1].slots[0] = RP_MSH_NONE;
    two.model.node_count = 2;
    BuildModel(&two.model, &archive);
    uint32_t member = (uint32_t)RpNResArchive_FindType(&archive, RP_MSH_NODES);
    memcpy(nodes, archive.members[member].data, sizeof nodes);
    memcpy(nodes + 38 + 4, nodes + 4, 4); /* map start and fallback */
    assert_int_equal(RpNResArchive_Replace(&archive, member, nodes, sizeof nodes, NULL), RP_OK);
    assert_int_equal(RpMsh_Open(RpNResArchive_Entries(&archive), RP_TOLERANT, &msh, NULL), RP_OK);
    RpMshAnimation_Init(&animation, NULL);
    assert_int_equal(RpMshAnimation_Extract(&animation, &msh, RP_MSH_EXTRACT_EXACT, NULL, &error),
                     RP_UNSUPPORTED);
    assert_non_null(strstr(error.found, "not a track of their own"));
    assert_int_equal(
        RpMshAnimation_Extract(&animation, &msh, RP_MSH_EXTRACT_SAMPLE, &sampled, NULL), RP_OK);
    assert_int_equal(sampled, 1);
    for (uint32_t frame = 0; frame <= 15; frame++) {
        float quaternion[2][4], position[2][3];
        for (uint32_t n = 0; n < 2; n++)
            RpMshAnimation_Sample(&animation, n, (float)frame, quaternion[n], position[n], NULL);
        assert_memory_equal(position[0], position[1], sizeof position[0]);
    }
    assert_int_equal(RpMshAnimation_Install(&animation, &archive, NULL), RP_OK);
    const RpFindingSink sink = {.take = TakeFinding};
    assert_int_equal(RpMsh_Check(RpNResArchive_Entries(&archive), NULL, &sink, NULL), RP_OK);
}

/* The game takes the fallback key at every frame of such a model. */
TEST(AModelWithoutFramesHasOnePose) {
    OWNED(RpNResArchive) archive;
    OWNED(RpMshAnimation) animation;
    RpMsh msh;
    uint64_t seed = 2;
    Described_Triangle(&described);
    described.nodes[0].key_count = RandomTrack(&seed, described.keys, 20, 100);
    BuildModel(&described.model, &archive);
    archive.members[RpNResArchive_FindType(&archive, RP_MSH_FRAME_MAP)].attr2 = 0;
    assert_int_equal(RpMsh_Open(RpNResArchive_Entries(&archive), RP_TOLERANT, &msh, NULL), RP_OK);
    RpMshAnimation_Init(&animation, NULL);
    assert_int_equal(RpMshAnimation_Extract(&animation, &msh, RP_MSH_EXTRACT_SAMPLE, NULL, NULL),
                     RP_OK);
    assert_int_equal(animation.frame_count, 1);
    assert_int_equal(animation.tracks[0].key_count, 1);
    assert_memory_equal(animation.tracks[0].keys[0].position,
                        described.keys[described.nodes[0].key_count - 1].position, 12);
    assert_int_equal(RpMshAnimation_Reverse(&animation, NULL), RP_OK);
}

/* ---- time ------------------------------------------------------------------------------------ */

static RpMshAnimation Copied(const RpMshAnimation *original) {
    RpMshAnimation copy;
    RpMshAnimation_Init(&copy, NULL);
    assert_int_equal(RpMshAnimation_Copy(&copy, original, NULL), RP_OK);
    return copy;
}

/* Makes an animation of one node. */
static RpMshAnimation OneTrack(const RpMshKey *keys, uint32_t count) {
    RpMshAnimation animation;
    RpMshAnimation_Init(&animation, NULL);
    animation.tracks = calloc(1, sizeof *animation.tracks);
    animation.node_count = 1;
    assert_int_equal(RpMshAnimation_SetTrack(&animation, 0, keys, count, NULL), RP_OK);
    return animation;
}

TEST(RetimingThereAndBackIsTheIdentity) {
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        RpMshAnimation original, animation;
        uint32_t dropped = 99;
        RandomAnimation(&original, seed, 5, 31);
        for (int way = 0; way < 3; way++) {
            RpMshAnimation_Init(&animation, NULL);
            assert_int_equal(RpMshAnimation_Copy(&animation, &original, NULL), RP_OK);
            if (way == 2) {
                assert_int_equal(RpMshAnimation_RetimeTo(&animation, 100, &dropped, NULL), RP_OK);
                assert_int_equal(animation.frame_count, 100);
                assert_int_equal(dropped, 0);
                assert_int_equal(RpMshAnimation_RetimeTo(&animation, 31, &dropped, NULL), RP_OK);
            } else {
                double ratio = way == 0 ? 2 : 3.7;
                assert_int_equal(RpMshAnimation_Retime(&animation, ratio, &dropped, NULL), RP_OK);
                assert_int_equal(dropped, 0);
                assert_int_equal(RpMshAnimation_Retime(&animation, 1 / ratio, &dropped, NULL),
                                 RP_OK);
            }
            assert_int_equal(dropped, 0);
            AssertSameTracks(&animation, &original);
            RpMshAnimation_Free(&animation);
        }
        RpMshAnimation_Free(&original);
    }
}

TEST(KeysOnOneFrameGiveWayToTheNearest) {
    static const float times[] = {0, 1, 3, 4, 6, 7};
    /* At a third of the length the times are 0, 0.33, 1, 1.33, 2, 2.33. */
    RpMshKey keys[6];
    uint32_t dropped;
    for (int k = 0; k < 6; k++)
        keys[k] = (RpMshKey){.time = times[k], .position = {times[k], 0, 0}};
    OWNED(RpMshAnimation) animation = OneTrack(keys, 6);
    assert_int_equal(RpMshAnimation_Retime(&animation, 1.0 / 3, &dropped, NULL), RP_OK);
    const RpMshTrack *track = &animation.tracks[0];
    assert_int_equal(dropped, 3);
    assert_int_equal(track->key_count, 3);
    /* At frame 2 the last key wins, although 6 is nearer. */
    static const float survivors[3] = {0, 3, 7};
    for (int k = 0; k < 3; k++) {
        assert_true(track->keys[k].time == (float)k);
        assert_true(track->keys[k].position[0] == survivors[k]);
    }
    assert_int_equal(animation.frame_count, 3);
}

TEST(BadRetimingsAreRefused) {
    OWNED(RpMshAnimation) animation;
    RandomAnimation(&animation, 1, 2, 10);
    const RpMshKey first = animation.tracks[0].keys[0];
    assert_int_equal(RpMshAnimation_Retime(&animation, 0, NULL, NULL), RP_INVALID);
    assert_int_equal(RpMshAnimation_Retime(&animation, NAN, NULL, NULL), RP_INVALID);
    assert_int_equal(RpMshAnimation_Retime(&animation, INFINITY, NULL, NULL), RP_INVALID);
    assert_int_equal(RpMshAnimation_Retime(&animation, 1e9, NULL, NULL), RP_INVALID);
    assert_int_equal(RpMshAnimation_RetimeTo(&animation, 0, NULL, NULL), RP_INVALID);
    assert_int_equal(RpMshAnimation_RetimeTo(&animation, 1, NULL, NULL), RP_OK);
    assert_int_equal(animation.tracks[0].key_count, 1);
    assert_memory_equal(animation.tracks[0].keys, &first, sizeof first);
    assert_int_equal(RpMshAnimation_RetimeTo(&animation, 2, NULL, NULL), RP_INVALID);
}

TEST(ReversedPosesAreThoseOfTheMirroredTime) {
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        OWNED(RpMshAnimation) original;
        RandomAnimation(&original, seed, 4, 25);
        OWNED(RpMshAnimation) animation = Copied(&original);
        assert_int_equal(RpMshAnimation_Reverse(&animation, NULL), RP_OK);
        for (int step = 0; step <= 24 * 4; step++)
            AssertPosesNear(&animation, (float)step / 4, &original, 24 - (float)step / 4,
                            position_noise, same_degrees);
        assert_int_equal(RpMshAnimation_Reverse(&animation, NULL), RP_OK);
        for (int step = 0; step <= 24 * 4; step++)
            AssertPosesNear(&animation, (float)step / 4, &original, (float)step / 4, exact,
                            same_degrees);
        assert_int_equal(animation.tracks[0].key_count, original.tracks[0].key_count);
        assert_memory_equal(animation.tracks[0].keys, original.tracks[0].keys,
                            original.tracks[0].key_count * sizeof(RpMshKey));
    }
}

TEST(AppendedPosesAreThoseOfTheParts) {
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        OWNED(RpMshAnimation) first, second, both;
        uint32_t frames = 1 + (uint32_t)seed;
        RandomAnimation(&first, seed, 5, frames);
        RandomAnimation(&second, seed + 1000, 5, 12);
        if (seed % 4 == 0) { /* one track keeps the pose in which it ends */
            RpMshKey key = first.tracks[2].keys[0];
            key.time = 0;
            assert_int_equal(RpMshAnimation_SetTrack(&second, 2, &key, 1, NULL), RP_OK);
        }
        RpMshAnimation_Init(&both, NULL);
        assert_int_equal(RpMshAnimation_Copy(&both, &first, NULL), RP_OK);
        assert_int_equal(RpMshAnimation_Append(&both, &second, NULL, NULL), RP_OK);
        assert_int_equal(both.frame_count, frames + 12);
        for (uint32_t step = 0; step <= (frames - 1) * 4; step++)
            AssertPosesNear(&both, (float)step / 4, &first, (float)step / 4, exact, same_degrees);
        for (uint32_t step = 0; step <= 11 * 4; step++)
            AssertPosesNear(&both, (float)frames + (float)step / 4, &second, (float)step / 4,
                            position_noise, same_degrees);
        if (seed % 4 == 0)
            assert_int_equal(both.tracks[2].key_count, 1);
    }
}

TEST(AppendedNodesAreChosenByNumber) {
    OWNED(RpMshAnimation) first, second, both;
    static const uint32_t nodes[3] = {1, RP_MSH_NONE, 0}, wrong[3] = {0, 0, 2};
    float quaternion[4], position[3], expected[3];
    RandomAnimation(&first, 1, 3, 8);
    RandomAnimation(&second, 2, 2, 6);
    assert_int_equal(RpMshAnimation_Append(&first, &second, NULL, NULL), RP_INVALID);
    assert_int_equal(RpMshAnimation_Append(&first, &second, wrong, NULL), RP_INVALID);
    RpMshAnimation_Init(&both, NULL);
    assert_int_equal(RpMshAnimation_Copy(&both, &first, NULL), RP_OK);
    assert_int_equal(RpMshAnimation_Append(&both, &second, nodes, NULL), RP_OK);
    for (uint32_t n = 0; n < 3; n++) {
        RpMshAnimation_Sample(&both, n, 10, quaternion, position, NULL);
        if (nodes[n] == RP_MSH_NONE)
            RpMshAnimation_Sample(&first, n, 7, quaternion, expected, NULL);
        else
            RpMshAnimation_Sample(&second, nodes[n], 2, quaternion, expected, NULL);
        for (int i = 0; i < 3; i++)
            assert_true(fabsf(position[i] - expected[i]) < 1e-5F);
    }
}

TEST(NodesAreMatchedByNameInOrder) {
    static Described two[2];
    static const char *const names[2][4] = {{"a", "b", "a", ""}, {"b", "a", "", "c"}};
    RpNResArchive archives[2];
    RpMsh models[2];
    for (int m = 0; m < 2; m++) {
        Described_Triangle(&two[m]);
        two[m].model.node_count = 4;
        for (int n = 3; n >= 0; n--) {
            two[m].nodes[n] = two[m].nodes[0];
            two[m].nodes[n].slots[0] = n ? RP_MSH_NONE : 0;
            memset(two[m].nodes[n].name, 0, RP_MSH_NAME_BYTES);
            strcpy(two[m].nodes[n].name, names[m][n]);
        }
        BuildModel(&two[m].model, &archives[m]);
        assert_int_equal(
            RpMsh_Open(RpNResArchive_Entries(&archives[m]), RP_STRICT, &models[m], NULL), RP_OK);
    }
    uint32_t nodes[4], matched;
    assert_int_equal(RpMsh_MatchNodes(&models[0], &models[1], NULL, nodes, &matched, NULL), RP_OK);
    assert_int_equal(matched, 2);
    static const uint32_t expected[4] = {1, 0, RP_MSH_NONE, RP_MSH_NONE};
    assert_memory_equal(nodes, expected, sizeof nodes);
    RpNResArchive_Free(&archives[0]);
    RpNResArchive_Free(&archives[1]);
}

/* Makes what matching reads of a model: its nodes and their names, a few letters in each. */
static void MakeNames(RpMsh *msh, uint8_t *names, uint32_t count, uint32_t letters, uint64_t seed) {
    uint64_t random = seed;
    memset(msh, 0, sizeof *msh);
    memset(names, 0, (size_t)count * RP_MSH_NAME_BYTES);
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t i = Random_SplitMixBelow(&random, letters + 1); i > 0; i--)
            names[(size_t)n * RP_MSH_NAME_BYTES + i - 1] =
                (uint8_t)('a' + Random_SplitMixBelow(&random, 3));
    msh->streams[RP_MSH_NODES].count = count;
    msh->streams[RP_MSH_NAMES] = (RpMshStream){.data = names, .count = count};
}

/* Returns the node of `b` that has as many nodes of the same name before it as node n of `a`. */
static uint32_t Partner(const uint8_t *a, uint32_t n, const uint8_t *b, uint32_t of_b) {
    const char *name = (const char *)a + (size_t)n * RP_MSH_NAME_BYTES;
    uint32_t skipped = 0;
    for (uint32_t i = 0; i < n; i++)
        skipped += strcmp((const char *)a + (size_t)i * RP_MSH_NAME_BYTES, name) == 0;
    for (uint32_t i = 0; *name && i < of_b; i++)
        if (strcmp((const char *)b + (size_t)i * RP_MSH_NAME_BYTES, name) == 0 && skipped-- == 0)
            return i;
    return RP_MSH_NONE;
}

TEST(MatchedNodesAreThoseASearchFinds) {
    enum { MOST = 60 };
    static uint8_t names[2][MOST * RP_MSH_NAME_BYTES];
    uint64_t random = 11;
    for (int round = 0; round < 200; round++) {
        RpMsh a, b;
        uint32_t nodes[MOST], matched, expected = 0;
        const uint32_t of_a = Random_SplitMixBelow(&random, MOST),
                       of_b = Random_SplitMixBelow(&random, MOST);
        MakeNames(&a, names[0], of_a, 1 + Random_SplitMixBelow(&random, 4),
                  Random_SplitMix(&random));
        MakeNames(&b, names[1], of_b, 1 + Random_SplitMixBelow(&random, 4),
                  Random_SplitMix(&random));
        assert_int_equal(RpMsh_MatchNodes(&a, &b, NULL, nodes, &matched, NULL), RP_OK);
        for (uint32_t n = 0; n < of_a; n++) {
            assert_int_equal(nodes[n], Partner(names[0], n, names[1], of_b));
            expected += nodes[n] != RP_MSH_NONE;
        }
        assert_int_equal(matched, expected);
    }
}

/* Matches as many nodes as a node's number can tell apart. Searching for each of them would take
 * minutes. */
TEST(ManyNodesAreMatchedInAnInstant) {
    enum { COUNT = 65535 };
    HEAP uint8_t *names = malloc((size_t)COUNT * RP_MSH_NAME_BYTES);
    HEAP uint32_t *nodes = malloc(COUNT * sizeof *nodes);
    uint32_t matched;
    RpMsh msh;
    assert_true(names && nodes);
    MakeNames(&msh, names, COUNT, 20, 5);
    assert_int_equal(RpMsh_MatchNodes(&msh, &msh, NULL, nodes, &matched, NULL), RP_OK);
    for (uint32_t n = 0; n < COUNT; n++)
        assert_int_equal(nodes[n], names[(size_t)n * RP_MSH_NAME_BYTES] ? n : RP_MSH_NONE);
}

TEST(RangesKeepThePosesWithin) {
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        OWNED(RpMshAnimation) original;
        uint64_t random = seed;
        RandomAnimation(&original, seed, 5, 40);
        uint32_t first = Random_SplitMixBelow(&random, 40),
                 last = first + Random_SplitMixBelow(&random, 40 - first);
        OWNED(RpMshAnimation) animation = Copied(&original);
        assert_int_equal(RpMshAnimation_Range(&animation, first, last, NULL), RP_OK);
        assert_true(animation.frame_count == last - first + 1 ||
                    animation.tracks[0].key_count == 1);
        for (uint32_t step = 0; step <= (last - first) * 4; step++)
            AssertPosesNear(&animation, (float)step / 4, &original, (float)first + (float)step / 4,
                            position_noise, quantised_degrees);
        /* The ends become keys with the game's own pose, whose position is right to the bit. */
        AssertPosesNear(&animation, 0, &original, (float)first, exact, quantised_degrees);
        AssertPosesNear(&animation, (float)(last - first), &original, (float)last, exact,
                        quantised_degrees);
    }
}

TEST(BadRangesAreRefused) {
    OWNED(RpMshAnimation) animation;
    RandomAnimation(&animation, 1, 2, 10);
    assert_int_equal(RpMshAnimation_Range(&animation, 3, 2, NULL), RP_INVALID);
    assert_int_equal(RpMshAnimation_Range(&animation, 0, 10, NULL), RP_INVALID);
    assert_int_equal(RpMshAnimation_Range(&animation, 0, 9, NULL), RP_OK);
}

/* If the track that reached the end becomes static, another track holds its last pose until there.
 * The frame count stays one more than the time of the last key. */
TEST(TimelinesEndAtAKey) {
    OWNED(RpMshAnimation) animation;
    RandomAnimation(&animation, 3, 3, 40);
    assert_int_equal(RpMshAnimation_Range(&animation, 0, 30, NULL), RP_OK);
    RpMshKey key = animation.tracks[0].keys[0], moved[2] = {key, key};
    assert_int_equal(RpMshAnimation_SetTrack(&animation, 0, &key, 1, NULL), RP_OK);
    moved[1].time = 10;
    moved[1].position[0] += 1;
    assert_int_equal(RpMshAnimation_SetTrack(&animation, 1, moved, 2, NULL), RP_OK);
    assert_int_equal(RpMshAnimation_Range(&animation, 5, 25, NULL), RP_OK);
    assert_int_equal(animation.frame_count, 21);
    const RpMshTrack *track = &animation.tracks[1];
    assert_int_equal(track->key_count, 3);
    assert_true(track->keys[1].time == 5 && track->keys[2].time == 20);
    assert_memory_equal(track->keys[2].position, moved[1].position, 12);
    assert_int_equal(RpMshAnimation_Range(&animation, 6, 20, NULL), RP_OK);
    assert_int_equal(animation.frame_count, 15);
    assert_int_equal(RpMshAnimation_Simplify(&animation, 0, 0, NULL, NULL), RP_OK);
    assert_int_equal(animation.frame_count, 1);
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* Makes a track with a key at every frame, which drifts and turns smoothly. */
static void SmoothAnimation(RpMshAnimation *animation, uint64_t seed, uint32_t frames) {
    static RpMshKey keys[MAX_KEYS];
    RpMshAnimation_Init(animation, NULL);
    animation->tracks = calloc(3, sizeof *animation->tracks);
    animation->node_count = 3;
    for (uint32_t n = 0; n < 3; n++) {
        float speed = Random_SplitMixBetween(&seed, 0.01F, 0.2F),
              turn = Random_SplitMixBetween(&seed, 0, 0.1F);
        for (uint32_t f = 0; f < frames; f++) {
            float angle = turn * (float)f * (f % 20 < 10 ? 1.0F : 0.9F);
            const float quaternion[4] = {cosf(angle), sinf(angle), 0, 0};
            keys[f] = (RpMshKey){.time = (float)f,
                                 .position = {sinf(speed * (float)f), speed * (float)f, (float)n}};
            RpMsh_EncodeRotation(quaternion, NULL, keys[f].rotation);
        }
        assert_int_equal(RpMshAnimation_SetTrack(animation, n, keys, frames, NULL), RP_OK);
    }
}

TEST(SimplifiedPosesStayWithinTheTolerance) {
    static const double tolerances[][2] = {{0, 0}, {0.001, 0.1}, {0.01, 1}, {0.2, 5}};
    for (uint64_t seed = 0; seed < 8; seed++)
        for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
            OWNED(RpMshAnimation) original;
            uint32_t dropped;
            if (seed % 2)
                RandomAnimation(&original, seed, 3, 50);
            else
                SmoothAnimation(&original, seed, 120);
            OWNED(RpMshAnimation) animation = Copied(&original);
            assert_int_equal(RpMshAnimation_Simplify(&animation, tolerances[i][0], tolerances[i][1],
                                                     &dropped, NULL),
                             RP_OK);
            if (seed % 2 == 0 && i >= 2)
                assert_true(dropped > 100);
            for (uint32_t step = 0; step <= (original.frame_count - 1) * 16; step++)
                AssertPosesNear(&animation, (float)step / 16, &original, (float)step / 16,
                                tolerances[i][0] * 1.001 + position_noise,
                                tolerances[i][1] * 1.01 + same_degrees);
        }
}

TEST(SimplifyingDropsWhatLiesOnALine) {
    RpMshKey keys[101];
    uint32_t dropped;
    for (int k = 0; k <= 100; k++)
        keys[k] = (RpMshKey){.time = (float)k,
                             .position = {(float)(k < 40 ? k : 80 - k), 0, 0},
                             .rotation = {0, 0, 0, 32767}};
    OWNED(RpMshAnimation) animation = OneTrack(keys, 101);
    assert_int_equal(RpMshAnimation_Simplify(&animation, 0, 0, &dropped, NULL), RP_OK);
    assert_int_equal(dropped, 98);
    assert_true(animation.tracks[0].keys[1].time == 40);
    assert_int_equal(animation.frame_count, 101);
    /* Within 100 units, one pose is enough. */
    assert_int_equal(RpMshAnimation_Simplify(&animation, 100, 0, &dropped, NULL), RP_OK);
    assert_int_equal(animation.tracks[0].key_count, 1);
    assert_int_equal(animation.frame_count, 1);
    assert_int_equal(RpMshAnimation_Simplify(&animation, -1, 0, &dropped, NULL), RP_INVALID);
    assert_int_equal(RpMshAnimation_Simplify(&animation, 0, NAN, &dropped, NULL), RP_INVALID);
}

/* At no whole frame can it be seen that the node has been elsewhere. */
TEST(ExcursionsBetweenFramesAreNotDropped) {
    OWNED(RpMshAnimation) animation;
    RpMshKey keys[4] = {
        {.time = 0}, {.time = 0.5F, .position = {5, 0, 0}}, {.time = 1}, {.time = 2}};
    uint32_t dropped;
    RandomAnimation(&animation, 1, 1, 3);
    assert_int_equal(RpMshAnimation_SetTrack(&animation, 0, keys, 4, NULL), RP_OK);
    assert_int_equal(RpMshAnimation_Simplify(&animation, 0.1, 0, &dropped, NULL), RP_OK);
    assert_true(animation.tracks[0].key_count > 2);
    assert_true(animation.tracks[0].keys[1].position[0] == 5);
}

TEST(ResampledPosesAreExactAtTheirFrames) {
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        OWNED(RpMshAnimation) original;
        uint32_t step = 1 + (uint32_t)seed % 5;
        RandomAnimation(&original, seed, 4, 41);
        OWNED(RpMshAnimation) animation = Copied(&original);
        assert_int_equal(RpMshAnimation_Resample(&animation, step, NULL), RP_OK);
        assert_int_equal(animation.tracks[0].key_count, (40 + step - 1) / step + 1);
        assert_int_equal(animation.tracks[2].key_count, 1);
        for (uint32_t frame = 0; frame <= 40; frame += step)
            AssertPosesNear(&animation, (float)frame, &original, (float)frame,
                            frame < 40 && step > 1 ? 30 : exact,
                            step > 1 ? 360 : quantised_degrees);
        for (uint32_t k = 0; k < animation.tracks[0].key_count; k++) {
            const RpMshKey *key = &animation.tracks[0].keys[k];
            float quaternion[4], position[3];
            RpMshAnimation_Sample(&original, 0, key->time, quaternion, position, NULL);
            assert_memory_equal(key->position, position, sizeof position);
        }
    }
}

TEST(ClearedTracksHoldOnePose) {
    OWNED(RpMshAnimation) original;
    float quaternion[4], position[3];
    RandomAnimation(&original, 6, 2, 30);
    OWNED(RpMshAnimation) animation = Copied(&original);
    assert_int_equal(RpMshAnimation_ClearTrack(&animation, 0, 13.5F, NULL), RP_OK);
    assert_int_equal(animation.tracks[0].key_count, 1);
    RpMshAnimation_Sample(&original, 0, 13.5F, quaternion, position, NULL);
    assert_memory_equal(animation.tracks[0].keys[0].position, position, sizeof position);
    assert_true(animation.tracks[0].keys[0].time == 0);
    assert_int_equal(RpMshAnimation_ClearTrack(&animation, 2, 0, NULL), RP_INVALID);
    assert_int_equal(RpMshAnimation_SetTrack(&animation, 0, NULL, 0, NULL), RP_INVALID);
}

TEST(TracksOfEqualKeysBecomeStatic) {
    OWNED(RpMshAnimation) animation;
    RpMshKey keys[3] = {{.time = 0}, {.time = 4}, {.time = 9}};
    RandomAnimation(&animation, 6, 2, 30);
    assert_int_equal(RpMshAnimation_SetTrack(&animation, 1, keys, 3, NULL), RP_OK);
    assert_int_equal(RpMshAnimation_MakeStatic(&animation), 1);
    assert_int_equal(animation.tracks[1].key_count, 1);
    keys[2].rotation[0] = 1;
    assert_int_equal(RpMshAnimation_SetTrack(&animation, 1, keys, 3, NULL), RP_OK);
    assert_int_equal(RpMshAnimation_MakeStatic(&animation), 0);
}

TEST(EditedAnimationsMakeSoundModels) {
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        OWNED(RpNResArchive) archive;
        OWNED(RpMshAnimation) animation, other;
        Described_Random(&described, seed, false);
        const uint32_t nodes = described.model.node_count;
        RandomAnimation(&animation, seed, nodes, 30);
        RandomAnimation(&other, seed + 99, nodes, 11);
        InstallInto(&animation, &archive);
        RpNResArchive_Free(&archive);
        assert_int_equal(RpMshAnimation_Append(&animation, &other, NULL, NULL), RP_OK);
        assert_int_equal(RpMshAnimation_Reverse(&animation, NULL), RP_OK);
        assert_int_equal(RpMshAnimation_Retime(&animation, 1.5, NULL, NULL), RP_OK);
        assert_int_equal(RpMshAnimation_Range(&animation, 5, 50, NULL), RP_OK);
        assert_int_equal(RpMshAnimation_Resample(&animation, 3, NULL), RP_OK);
        assert_int_equal(RpMshAnimation_Simplify(&animation, 0.5, 10, NULL, NULL), RP_OK);
        RpMshAnimation_MakeStatic(&animation);
        InstallInto(&animation, &archive);
    }
}

TEST(TooManyKeysAreRefusedAndNothingChanges) {
    OWNED(RpNResArchive) archive;
    OWNED(RpMshAnimation) animation;
    RpBuffer before;
    RpError error;
    Described_Triangle(&described);
    described.model.node_count = 2;
    described.nodes[1] = described.nodes[0];
    described.nodes[1].slots[0] = RP_MSH_NONE;
    BuildModel(&described.model, &archive);
    Write(&archive, &before);
    RandomAnimation(&animation, 3, 2, 40000);
    assert_int_equal(RpMshAnimation_Resample(&animation, 1, NULL), RP_OK);
    RpMshKey last = animation.tracks[0].keys[0];
    RpMshKey pair[2] = {last, last};
    pair[1].time = 39999;
    assert_int_equal(RpMshAnimation_SetTrack(&animation, 1, pair, 2, NULL), RP_OK);
    assert_int_equal(RpMshAnimation_Resample(&animation, 1, NULL), RP_OK);
    assert_int_equal(RpMshAnimation_Install(&animation, &archive, &error), RP_INVALID);
    assert_non_null(strstr(error.what, "key pool"));
    AssertWrites(&archive, &before);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static RpStatus EditAll(RpMshAnimation *animation, const RpMshAnimation *original) {
    RpStatus status = RpMshAnimation_Copy(animation, original, NULL);
    if (status == RP_OK)
        status = RpMshAnimation_Append(animation, original, NULL, NULL);
    if (status == RP_OK)
        status = RpMshAnimation_Reverse(animation, NULL);
    if (status == RP_OK)
        status = RpMshAnimation_Range(animation, 2, 9, NULL);
    if (status == RP_OK)
        status = RpMshAnimation_Resample(animation, 1, NULL);
    if (status == RP_OK)
        status = RpMshAnimation_Simplify(animation, 0.1, 1, NULL, NULL);
    if (status == RP_OK)
        status = RpMshAnimation_Retime(animation, 2, NULL, NULL);
    if (status == RP_OK)
        status = RpMshAnimation_ClearTrack(animation, 0, 0, NULL);
    return status;
}

TEST(EveryRefusedAllocationIsReported) {
    OWNED(RpMshAnimation) original;
    RandomAnimation(&original, 1, 3, 10);
    RpStatus status = RP_NO_MEMORY;
    for (int allowed = 0; status != RP_OK && allowed < 1000; allowed++) {
        Refusal refusal = {.left = allowed};
        const RpAllocator allocator = Refusal_Allocator(&refusal);
        OWNED(RpMshAnimation) animation;
        RpMshAnimation_Init(&animation, &allocator);
        status = EditAll(&animation, &original);
        assert_true(status == RP_OK || status == RP_NO_MEMORY);
    }
    assert_int_equal(status, RP_OK);
}
