/* Tests of reading a model's streams from an NRes image, and of posing its whole skeleton. */
#include "tests/animesh/fixture.h"
#include "tests/of_thread.h"

#include "animesh/column.h"
#include "examples/model_image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- NRes ------------------------------------------------------------------------------------ */

enum { HEADER = 16, RECORD = 64 };

typedef struct Image {
    uint8_t *bytes;
    size_t size;
    size_t directory;
} Image;

static uint8_t nodes[2 * 38], keys[3 * 24], frame_map[5 * 2];

/* The streams are 1, 3, 8, 19 and 1 again. The second one of type 1 must never be looked at. */
static Image MakeImage(void) {
    for (size_t i = 0; i < sizeof nodes; i++)
        nodes[i] = (uint8_t)i;
    nodes[2] = nodes[3] = 0xFF;
    nodes[38 + 2] = nodes[38 + 3] = 0;
    memset(keys, 8, sizeof keys);
    memset(frame_map, 19, sizeof frame_map);
    const ModelStream streams[] = {
        {.type = 1, .attr1 = 2, .attr3 = 38, .data = nodes, .size = sizeof nodes},
        {.type = 3, .attr3 = 12, .data = keys, .size = 5},
        {.type = 8, .attr1 = 3, .attr3 = 4, .data = keys, .size = sizeof keys},
        {.type = 19, .attr1 = 5, .attr2 = 321, .attr3 = 2, .data = frame_map, .size = 10},
        {.type = 1, .attr3 = 24, .data = nodes, .size = 7},
    };
    Image image;
    image.bytes = ModelImage_Write(streams, 5, &image.size);
    assert_non_null(image.bytes);
    image.directory = image.size - 5 * RECORD;
    return image;
}

static void Put(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

TEST(StreamsAreFoundByType) {
    Image image = MakeImage();
    RpSkeleton model;
    RpError error;
    assert_int_equal(RpSkeleton_FromNRes(image.bytes, image.size, &model, &error), RP_OK);
    assert_int_equal(model.node_bytes, sizeof nodes);
    assert_memory_equal(model.nodes, nodes, sizeof nodes);
    assert_int_equal(model.key_bytes, sizeof keys);
    assert_memory_equal(model.keys, keys, sizeof keys);
    assert_int_equal(model.frame_map_bytes, sizeof frame_map);
    assert_memory_equal(model.frame_map, frame_map, sizeof frame_map);
    assert_int_equal(model.frame_count, 321);
    assert_int_equal(RpSkeleton_NodeCount(&model), 2);
    assert_int_equal(RpSkeleton_Parent(&model, 0), -1);
    assert_int_equal(RpSkeleton_Parent(&model, 1), 0);
    assert_int_equal(RpSkeleton_Parent(&model, 2), -1);
    free(image.bytes);
}

TEST(ParentsAreUnsigned) {
    static const uint8_t node[38] = {0, 0, 0x00, 0x80};
    const RpSkeleton model = {.nodes = node, .node_bytes = sizeof node};
    assert_int_equal(RpSkeleton_Parent(&model, 0), 0x8000);
}

/* Applies one damage to a good image and demands the error. */
static void AssertError(uint32_t at, uint32_t value, RpStatus status, uint64_t offset,
                        const char *expected, const char *found) {
    Image image = MakeImage();
    Put(image.bytes + at, value);
    RpSkeleton model, untouched;
    memset(&model, 0x5A, sizeof model);
    untouched = model;
    RpError error = {0};
    assert_int_equal(RpSkeleton_FromNRes(image.bytes, image.size, &model, &error), status);
    assert_memory_equal(&model, &untouched, sizeof model);
    assert_int_equal(error.status, status);
    assert_int_equal(error.offset, offset);
    assert_string_equal(error.expected, expected);
    assert_string_equal(error.found, found);
    assert_true(error.what[0] && error.where[0]);
    assert_int_equal(RpSkeleton_FromNRes(image.bytes, image.size, &model, NULL), status);
    free(image.bytes);
}

TEST(DamagedHeadersAreNamed) {
    Image image = MakeImage();
    uint32_t size = (uint32_t)image.size;
    free(image.bytes);
    assert_int_equal(size, 16 + 80 + 8 + 72 + 16 + 8 + 5 * 64);
    AssertError(0, 0x6573524D, RP_CORRUPT, 0, "4E 52 65 73", "4D 52 73 65");
    AssertError(4, 0x101, RP_CORRUPT, 4, "256", "257");
    /* The entries would fit if there were no header. */
    AssertError(8, 8, RP_CORRUPT, 8, "at most 7 entries", "8");
    AssertError(8, 0xFFFFFFFF, RP_CORRUPT, 8, "at most 7 entries", "4294967295");
    AssertError(12, size + 1, RP_TRUNCATED, 12, "520", "521");
    AssertError(12, size - 1, RP_CORRUPT, 12, "520", "519");
}

TEST(DamagedEntriesAreNamed) {
    Image image = MakeImage();
    uint32_t d = (uint32_t)image.directory;
    free(image.bytes);
    assert_int_equal(d, 200);
    AssertError(d + 0x38, 15, RP_CORRUPT, d + 0x38, "bytes within 16 to 200", "15 to 91");
    AssertError(d + 0x38, 125, RP_CORRUPT, d + 0x38, "bytes within 16 to 200", "125 to 201");
    AssertError(d + 0x0C, 0xFFFFFFFF, RP_CORRUPT, d + 0x38, "bytes within 16 to 200",
                "16 to 4294967311");
    AssertError(d + 3 * RECORD + 0x38, 0xFFFFFFFF, RP_CORRUPT, d + 3 * RECORD + 0x38,
                "bytes within 16 to 200", "4294967295 to 4294967305");
}

TEST(MissingAndOddStreamsAreNamed) {
    const uint32_t d = 200, keys_at = d + 2 * RECORD, map_at = d + 3 * RECORD;
    AssertError(keys_at, 99, RP_NOT_FOUND, d, "an entry of type 8", "none");
    AssertError(map_at, 99, RP_NOT_FOUND, d, "an entry of type 19", "none");
    AssertError(d + 0x10, 24, RP_UNSUPPORTED, d + 0x10, "38", "24");
    AssertError(d + 0x10, 37, RP_CORRUPT, d + 0x10, "38", "37");
    AssertError(d, 99, RP_UNSUPPORTED, d + 4 * RECORD + 0x10, "38", "24");
    AssertError(d + 0x0C, 39, RP_CORRUPT, d + 0x0C, "a multiple of 38", "39");
    AssertError(keys_at + 0x0C, 25, RP_CORRUPT, keys_at + 0x0C, "a multiple of 24", "25");
    AssertError(map_at + 0x0C, 3, RP_CORRUPT, map_at + 0x0C, "a multiple of 2", "3");
}

TEST(TruncatedImagesAreRefused) {
    Image image = MakeImage();
    for (size_t size = 0; size < image.size; size++) {
        Guarded cut = Guarded_Copy(image.bytes, size);
        RpSkeleton model;
        RpError error;
        assert_int_equal(RpSkeleton_FromNRes(cut.bytes, size, &model, &error), RP_TRUNCATED);
        assert_int_equal(error.offset, size < HEADER ? size : 12);
        if (size >= HEADER) { /* cut the same way, but with a header that agrees */
            Put(cut.bytes + 12, (uint32_t)size);
            assert_int_not_equal(RpSkeleton_FromNRes(cut.bytes, size, &model, &error), RP_OK);
        }
        Guarded_Free(&cut);
    }
    free(image.bytes);
}

TEST(FlippedBitsNeverLeaveTheImage) {
    Image image = MakeImage();
    int accepted = 0, refused = 0;
    for (size_t bit = 0; bit < 8 * image.size; bit++) {
        Guarded copy = Guarded_Copy(image.bytes, image.size);
        copy.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        RpSkeleton model;
        if (RpSkeleton_FromNRes(copy.bytes, image.size, &model, NULL) == RP_OK) {
            accepted++;
            const uint8_t *end = copy.bytes + image.directory;
            assert_true(model.nodes >= copy.bytes && model.nodes + model.node_bytes <= end);
            assert_true(model.keys >= copy.bytes && model.keys + model.key_bytes <= end);
            assert_true(model.frame_map >= copy.bytes &&
                        model.frame_map + model.frame_map_bytes <= end);
        } else {
            refused++;
        }
        Guarded_Free(&copy);
    }
    assert_true(accepted > 1000 && refused > 100);
    free(image.bytes);
}

TEST(EmptyImageHasNoStreams) {
    size_t size;
    uint8_t *bytes = ModelImage_Write(NULL, 0, &size);
    RpSkeleton model;
    assert_int_equal(size, 16);
    assert_int_equal(RpSkeleton_FromNRes(bytes, size, &model, NULL), RP_NOT_FOUND);
    free(bytes);
}

/* ---- skeleton -------------------------------------------------------------------------------- */

static const RpArithmetic settings = {.build = RP_BUILD_SSE};
static TestModel track;

/* The chain has random tracks. Every node blends two times, and every product is slot 28's. */
TEST(SkeletonMultipliesParentsFirst) {
    uint64_t seed = 4;
    for (int i = 0; i < 200; i++) {
        TestModel_MakeRandom(&track, &seed, 0);
        uint32_t count = RpSkeleton_NodeCount(&track.model);
        float local[MODEL_NODES][16], model_space[MODEL_NODES][16];
        RpPoseCounters counters = {0};
        uint16_t word = ControlWord_Set(GAME_WORD);
        assert_int_equal(RpPose_Skeleton(&track.model, &settings, 1.5f, 3.25f, 0.4f, 0, local,
                                         model_space, &counters, NULL),
                         RP_OK);
        for (uint32_t node = 0; node < count; node++) {
            float expected[16], product[16];
            RpPose_Blend(&track.model, &settings, node, 1.5f, 3.25f, 0.4f, expected, NULL);
            AssertAllBits(local[node], expected, 16);
            int32_t parent = RpSkeleton_Parent(&track.model, node);
            if (parent >= 0)
                RpMatrix_PoseProduct(OF_THREAD(settings.build), model_space[parent], expected,
                                     product);
            else
                memcpy(product, expected, sizeof product);
            AssertAllBits(model_space[node], product, 16);
        }
        ControlWord_Set(word);
        assert_int_equal(counters.out_of_bounds + counters.undefined, 0);
    }
}

TEST(TranslationsAddUpAlongAChain) {
    static const int16_t straight[4] = {0, 0, 0, 32767};
    TestModel_Begin(&track, 1);
    for (uint16_t node = 0; node < 4; node++) {
        TestModel_AddKey(&track, (const float[3]){1, 10, 100}, 0, straight);
        TestModel_AddNode(&track, (uint16_t)(node ? node - 1 : 0xFFFF), 0xFFFF, node);
    }
    float model_space[4][16];
    RpPose_Skeleton(&track.model, &settings, 0, 0, 0, 0, NULL, model_space, NULL, NULL);
    for (int node = 0; node < 4; node++) {
        AssertBits(model_space[node][3], (float)(node + 1));
        AssertBits(model_space[node][7], (float)(10 * (node + 1)));
        AssertBits(model_space[node][11], (float)(100 * (node + 1)));
    }
}

TEST(ZeroRootKeepsItsRotation) {
    TestModel_MakeTrack(&track);
    TestModel_AddNode(&track, 0, 0xFFFF, 1);
    /* This is a second node without a parent, which is not the root. */
    TestModel_AddNode(&track, 0xFFFF, 0xFFFF, 1);
    float with[3][16], without[3][16], local[3][16];
    RpPose_Skeleton(&track.model, &settings, 2, 0, 0, 0, NULL, with, NULL, NULL);
    RpPose_Skeleton(&track.model, &settings, 2, 0, 0, 1, local, without, NULL, NULL);
    for (int i = 0; i < 16; i++) {
        bool translation = i == 3 || i == 7 || i == 11;
        AssertBits(without[0][i], translation ? 0.0f : with[0][i]);
        AssertBits(local[0][i], without[0][i]);
    }
    assert_true(Bits(with[0][3]) != 0);
    AssertAllBits(without[2], with[2], 16);
    assert_true(Bits(without[1][3]) != Bits(with[1][3]));
}

TEST(ChildBeforeItsParentIsRefused) {
    static const uint16_t parents[] = {1, 2, 0x7FFF};
    for (size_t i = 0; i < sizeof parents / sizeof *parents; i++) {
        TestModel_MakeTrack(&track);
        TestModel_AddNode(&track, parents[i], 0xFFFF, 1);
        TestModel_AddNode(&track, 0, 0xFFFF, 1);
        float local[3][16], model_space[3][16];
        memset(local, 0x33, sizeof local);
        memset(model_space, 0x33, sizeof model_space);
        RpError error;
        RpStatus status =
            RpPose_Skeleton(&track.model, &settings, 0, 0, 0, 0, local, model_space, NULL, &error);
        assert_int_equal(status, RP_INVALID);
        assert_int_equal(error.offset, 38 + 2);
        assert_string_equal(error.where, "Res1 node 1");
        assert_string_equal(error.expected, "a parent below 1");
        for (size_t k = 0; k < sizeof local; k++) /* nothing is written at all */
            assert_true(((uint8_t *)local)[k] == 0x33 && ((uint8_t *)model_space)[k] == 0x33);
    }
}

/* ---- columns --------------------------------------------------------------------------------- */

TEST(ColumnsKeepSignallingBits) {
    uint32_t matrix[16], vector[3];
    for (uint32_t column = 0; column < 4; column++) {
        for (uint32_t i = 0; i < 16; i++)
            matrix[i] = 0x7F800100 + i;
        for (uint32_t i = 0; i < 3; i++)
            vector[i] = 0xFF800200 + i;
        uint32_t got[3];
        Matrix_GetColumn((const float *)(const void *)matrix, column, (float *)(void *)got);
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(got[i], 0x7F800100 + 4 * i + column);
        Matrix_SetColumn((float *)(void *)matrix, column, (const float *)(const void *)vector);
        for (uint32_t i = 0; i < 16; i++)
            assert_int_equal(matrix[i],
                             i % 4 == column && i < 12 ? 0xFF800200 + i / 4 : 0x7F800100 + i);
    }
    for (uint32_t i = 0; i < 16; i++)
        matrix[i] = i;
    Matrix_SetColumn((float *)(void *)matrix, 1, (const float *)(const void *)matrix); /* row 0 */
    assert_int_equal(matrix[1], 0);
    assert_int_equal(matrix[5], 1);
    assert_int_equal(matrix[9], 2);
}
