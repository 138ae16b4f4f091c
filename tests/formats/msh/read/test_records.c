/* Tests that records keep every bit in both directions, that accessors end where the streams do,
 * and that texts, tracks and keys are read correctly. */
#include "tests/formats/msh/fixture.h"

#include "core/bytes.h"
#include "core/random.h"

#include <stdlib.h>
#include <string.h>

static uint64_t seed = 9;

/* Fills a record with patterns in which a lost bit, a changed NaN or a wrong sign shows. */
static void Fill(uint8_t *bytes, size_t size, int round) {
    for (size_t i = 0; i < size; i++)
        bytes[i] = round < 256 ? (uint8_t)round : (uint8_t)Random_Lcg64Word(&seed);
    for (size_t i = 0; round == 256 && i + 4 <= size; i += 4) /* signalling NaNs everywhere */
        memcpy(bytes + i, "\x01\x00\xA0\x7F", 4);
}

enum { ROUNDS = 2000 };

#define TEST_RECORD(Name, SIZE)                                                                    \
    TEST(Name##KeepsEveryBit) {                                                                    \
        for (int round = 0; round < ROUNDS; round++) {                                             \
            uint8_t before[SIZE], after[SIZE];                                                     \
            RpMsh##Name record;                                                                    \
            memset(&record, round, sizeof record);                                                 \
            memset(after, ~round, sizeof after);                                                   \
            Fill(before, sizeof before, round);                                                    \
            RpMsh##Name##_Read(&record, before);                                                   \
            RpMsh##Name##_Write(&record, after);                                                   \
            assert_memory_equal(before, after, sizeof before);                                     \
        }                                                                                          \
    }

TEST_RECORD(Node, RP_MSH_NODE_BYTES)
TEST_RECORD(Header, RP_MSH_HEADER_BYTES)
TEST_RECORD(Slot, RP_MSH_SLOT_BYTES)
TEST_RECORD(Batch, RP_MSH_BATCH_BYTES)
TEST_RECORD(Triangle, RP_MSH_TRIANGLE_BYTES)
TEST_RECORD(Key, RP_MSH_KEY_BYTES)
TEST_RECORD(Probe, RP_MSH_PROBE_BYTES)

/* Each byte of a record is its own offset, so that a field shows where it was read from. */
TEST(FieldsLieWhereTheFormatHasThem) {
    uint8_t bytes[RP_MSH_HEADER_BYTES];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    RpMshNode node;
    RpMshNode_Read(&node, bytes);
    assert_int_equal(node.flags, 0x0100);
    assert_int_equal(node.parent, 0x0302);
    assert_int_equal(node.map_start, 0x0504);
    assert_int_equal(node.fallback, 0x0706);
    assert_int_equal(node.slots[0], 0x0908);
    assert_int_equal(node.slots[14], 0x2524);
    RpMshSlot slot;
    RpMshSlot_Read(&slot, bytes);
    assert_int_equal(slot.first_batch, 0x0504);
    assert_int_equal(slot.opaque[0], 0x3B3A3938);
    assert_int_equal(slot.opaque[2], 0x43424140);
    RpMshBatch batch;
    RpMshBatch_Read(&batch, bytes);
    assert_int_equal(batch.material, 0x0302);
    assert_int_equal(batch.row, 4);
    assert_int_equal(batch.lightmap, 5);
    assert_int_equal(batch.portal, 0x0706);
    assert_int_equal(batch.index_count, 0x0908);
    assert_int_equal(batch.first_index, 0x0D0C0B0A);
    assert_int_equal(batch.vertex_count, 0x0F0E);
    assert_int_equal(batch.base_vertex, 0x13121110);
    RpMshTriangle triangle;
    bytes[13] = 0xFF;
    RpMshTriangle_Read(&triangle, bytes);
    assert_int_equal(triangle.neighbours[2], 0x0706);
    assert_int_equal(triangle.normal[2], (int16_t)0xFF0C);
    assert_int_equal(triangle.edges, 0x0F0E);
}

/* ---- accessors ------------------------------------------------------------------------------- */

TEST(AccessorsEndWithTheirStreams) {
    OWNED(Image) image = Walker_Make(true);
    const RpMsh msh = Image_OpenModel(&image, RP_STRICT);
    RpMshNode node;
    RpMshSlot slot;
    RpMshBatch batch;
    RpMshTriangle triangle;
    RpMshKey key;
    RpMshProbe probe;
    float position[3];
    int8_t normal[4];
    uint16_t uv[2], word;
    assert_true(RpMsh_Node(&msh, 3, &node) && node.fallback == 5);
    assert_false(RpMsh_Node(&msh, 4, &node) || node.fallback);
    assert_true(RpMsh_Slot(&msh, 3, &slot) && slot.opaque[0] == 0xDEAD0003);
    assert_false(RpMsh_Slot(&msh, 4, &slot) || slot.opaque[0]);
    assert_true(RpMsh_Batch(&msh, 3, &batch) && batch.material == 4 && batch.row == 3);
    assert_false(RpMsh_Batch(&msh, 4, &batch) || batch.material);
    assert_true(RpMsh_Triangle(&msh, 47, &triangle));
    assert_false(RpMsh_Triangle(&msh, 48, &triangle) || triangle.edges);
    assert_true(RpMsh_Key(&msh, 5, &key) && key.position[0] == 3);
    assert_false(RpMsh_Key(&msh, 6, &key) || key.rotation[0]);
    assert_true(RpMsh_Probe(&msh, 0, &probe) && probe.node == 1 && probe.colour[1] == 0.5F);
    assert_false(RpMsh_Probe(&msh, 1, &probe) || probe.node);
    assert_true(RpMsh_Position(&msh, 31, position) && position[1] == 4);
    assert_false(RpMsh_Position(&msh, 32, position) || position[1] != 0);
    assert_true(RpMsh_Normal(&msh, 31, normal) && normal[0] == 73);
    assert_false(RpMsh_Normal(&msh, 32, normal) || normal[0]);
    assert_true(RpMsh_Uv(&msh, 5, 31, uv) && uv[0] == 7002);
    assert_true(RpMsh_Uv(&msh, 18, 31, uv) && uv[0] == 7002);
    assert_false(RpMsh_Uv(&msh, 5, 32, uv) || RpMsh_Uv(&msh, 4, 0, uv) || uv[0]);
    assert_true(RpMsh_Index(&msh, 143, &word) && word == 5);
    assert_false(RpMsh_Index(&msh, 144, &word) || word);
    assert_true(RpMsh_MapWord(&msh, 5, &word) && word == 3);
    assert_false(RpMsh_MapWord(&msh, 6, &word) || word);
    assert_false(RpMsh_Node(&msh, UINT32_MAX, &node));
}

TEST(MissingStreamsAreEmpty) {
    uint8_t empty[16] = {'N', 'R', 'e', 's', 0, 1, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0};
    const Image image = {.bytes = empty, .size = sizeof empty};
    RpNRes archive = Image_Open(&image);
    RpMsh msh;
    RpSkeleton model;
    RpMshHeader header;
    RpError error;
    assert_int_equal(RpMsh_Open(RpNRes_Entries(&archive), RP_STRICT, &msh, &error), RP_CORRUPT);
    assert_memory_equal(error.what, "M01", 3);
    assert_int_equal(RpMsh_Open(RpNRes_Entries(&archive), RP_TOLERANT, &msh, NULL), RP_OK);
    for (uint32_t type = 0; type < 40; type++) {
        uint32_t length;
        assert_int_equal(RpMsh_Count(&msh, type), 0);
        assert_null(RpMsh_Text(&msh, type, 0, &length));
    }
    assert_false(RpMsh_Header(&msh, &header));
    assert_int_equal(RpMsh_Skeleton(&msh, &model, NULL), RP_NOT_FOUND);
    assert_false(RpMsh_Is(RpNRes_Entries(&archive)));
}

TEST(LegacyNodesCannotBePosed) {
    static const uint8_t nodes[48];
    OWNED(Image) image = Walker_Make(false);
    Image_Replace(&image, 1, nodes, sizeof nodes);
    Image_PutU32(&image, Image_Record(&image, 1, 16), 24);
    RpSkeleton model;
    RpMshNode node;
    RpError error;
    uint32_t first, last;
    const RpMsh msh = Image_OpenModel(&image, RP_TOLERANT);
    assert_int_equal(msh.node_stride, 24);
    assert_int_equal(RpMsh_Count(&msh, 1), 2);
    assert_int_equal(RpMsh_Stride(&msh, 1), 24);
    assert_false(RpMsh_Node(&msh, 0, &node));
    assert_false(RpMsh_Track(&msh, 0, &first, &last));
    assert_int_equal(RpMsh_Skeleton(&msh, &model, &error), RP_UNSUPPORTED);
    assert_string_equal(error.found, "stride 24");
}

TEST(OfDuplicatesTheFirstCounts) {
    static const uint8_t other[240];
    OWNED(Image) image = Walker_Make(false);
    Image_Add(&image, 8, other, sizeof other);
    const RpMsh msh = Image_OpenModel(&image, RP_STRICT);
    assert_int_equal(RpMsh_Count(&msh, 8), WALKER_KEYS);
    assert_int_equal(msh.repeated, 1u << 8);
}

TEST(DamagedRangesAreDropped) {
    OWNED(Image) image = Walker_Make(false);
    Image_PutU32(&image, Image_Record(&image, 3, 0x38), 0xFFFFFF00);
    RpNRes archive = Image_Open(&image);
    RpMsh msh;
    RpMshKey key;
    RpError error;
    assert_int_equal(RpMsh_Open(RpNRes_Entries(&archive), RP_STRICT, &msh, &error), RP_CORRUPT);
    assert_int_equal(RpMsh_Open(RpNRes_Entries(&archive), RP_TOLERANT, &msh, NULL), RP_OK);
    assert_int_equal(RpMsh_Count(&msh, 3), 0);
    assert_int_equal(msh.streams[3].size, 0);
    assert_null(msh.streams[3].data);
    assert_true(RpMsh_Key(&msh, 5, &key));
}

/* ---- texts, tracks, keys --------------------------------------------------------------------- */

TEST(TextsAreThoseOfTheNodes) {
    static const char *const names[] = {"body", "turret", "gun", "Base_TM"};
    static const char *const labels[] = {NULL, "e_tur_tt", NULL, "central_1c"};
    OWNED(Image) image = Walker_Make(false);
    const RpMsh msh = Image_OpenModel(&image, RP_STRICT);
    RpMshTexts of_names = RpMsh_Texts(&msh, RP_MSH_NAMES);
    RpMshTexts of_labels = RpMsh_Texts(&msh, RP_MSH_LABELS);
    const char *text;
    uint32_t length;
    for (uint32_t node = 0; node < WALKER_NODES; node++) {
        assert_true(RpMshTexts_Next(&of_names, &text, &length));
        assert_int_equal(length, strlen(names[node]));
        assert_memory_equal(text, names[node], length);
        assert_ptr_equal(RpMsh_Text(&msh, RP_MSH_NAMES, node, &length), text);
        assert_true(RpMshTexts_Next(&of_labels, &text, &length));
        assert_int_equal(length, labels[node] ? strlen(labels[node]) : 0);
        if (labels[node])
            assert_memory_equal(text, labels[node], length);
        else
            assert_null(text);
        assert_ptr_equal(RpMsh_Text(&msh, RP_MSH_LABELS, node, &length), text);
    }
    assert_false(RpMshTexts_Next(&of_names, &text, &length));
    assert_false(RpMshTexts_Next(&of_labels, &text, &length));
    assert_null(RpMsh_Text(&msh, RP_MSH_LABELS, WALKER_NODES, &length));
}

TEST(NamesMayFillTheirField) {
    OWNED(Image) image = Walker_Make(false);
    memset(image.bytes + Image_Payload(&image, 9, 32), 'n', 32);
    uint32_t length;
    const RpMsh msh = Image_OpenModel(&image, RP_STRICT);
    assert_non_null(RpMsh_Text(&msh, RP_MSH_NAMES, 1, &length));
    assert_int_equal(length, 32);
}

TEST(TracksTileTheKeys) {
    static const uint32_t tracks[][2] = {{0, 0}, {1, 3}, {4, 4}, {5, 5}};
    OWNED(Image) image = Walker_Make(false);
    uint32_t first, last;
    const RpMsh msh = Image_OpenModel(&image, RP_STRICT);
    for (uint32_t node = 0; node < WALKER_NODES; node++) {
        assert_true(RpMsh_Track(&msh, node, &first, &last));
        assert_int_equal(first, tracks[node][0]);
        assert_int_equal(last, tracks[node][1]);
    }
    assert_false(RpMsh_Track(&msh, WALKER_NODES, &first, &last));
    Image_PutU16(&image, Image_Payload(&image, 1, 38 + 6), 0);
    assert_false(RpMsh_Track(&msh, 1, &first, &last));
    assert_true(RpMsh_Track(&msh, 2, &first, &last));
    assert_int_equal(first, 1);
}

TEST(KeysOfFramesAreTheGames) {
    static const uint32_t turret[] = {1, 1, 2, 2, 2, 3, 3, 3};
    OWNED(Image) image = Walker_Make(false);
    uint32_t key;
    const RpMsh msh = Image_OpenModel(&image, RP_STRICT);
    for (uint32_t frame = 0; frame < 8; frame++) {
        assert_true(RpMsh_KeyAt(&msh, 1, frame, &key));
        assert_int_equal(key, turret[frame]);
        assert_true(RpMsh_KeyAt(&msh, 2, frame, &key));
        assert_int_equal(key, 4);
    }
    Image_PutU16(&image, Image_Payload(&image, 19, 0), 0xFFFE); /* above the fallback */
    assert_true(RpMsh_KeyAt(&msh, 1, 0, &key) && key == 3);
    Image_PutU16(&image, Image_Payload(&image, 1, 38 + 4), 2); /* a block that runs out */
    assert_true(RpMsh_KeyAt(&msh, 1, 3, &key));
    assert_false(RpMsh_KeyAt(&msh, 1, 4, &key) || key);
    Image_PutU16(&image, Image_Payload(&image, 1, 38 + 6), 6);
    assert_false(RpMsh_KeyAt(&msh, 1, 0, &key));
    assert_false(RpMsh_KeyAt(&msh, WALKER_NODES, 0, &key));
}

/* ---- agreement with animesh ------------------------------------------------------------------ */

TEST(PosesReadTheSameStreams) {
    OWNED(Image) image = Walker_Make(true);
    RpSkeleton model, from_image;
    const RpMsh msh = Image_OpenModel(&image, RP_STRICT);
    assert_int_equal(RpMsh_Skeleton(&msh, &model, NULL), RP_OK);
    assert_int_equal(RpSkeleton_FromNRes(image.bytes, image.size, &from_image, NULL), RP_OK);
    assert_true(model.nodes == from_image.nodes && model.node_bytes == from_image.node_bytes);
    assert_true(model.keys == from_image.keys && model.key_bytes == from_image.key_bytes);
    assert_true(model.frame_map == from_image.frame_map &&
                model.frame_map_bytes == from_image.frame_map_bytes);
    assert_int_equal(model.frame_count, from_image.frame_count);
    for (uint32_t node = 0; node < WALKER_NODES; node++) {
        RpMshNode record;
        RpMsh_Node(&msh, node, &record);
        assert_int_equal(RpSkeleton_Parent(&model, node),
                         record.parent == RP_MSH_NONE ? -1 : record.parent);
    }
}

/* At the frame of its time a key is returned as it is: RpMsh_KeyAt and RpPose_Sample must mean the
 * same key wherever the map is read. */
TEST(KeysOfFramesArePosed) {
    OWNED(Image) image = Walker_Make(false);
    const RpArithmetic settings = {.build = RP_BUILD_SSE};
    RpSkeleton model;
    const RpMsh msh = Image_OpenModel(&image, RP_STRICT);
    RpMsh_Skeleton(&msh, &model, NULL);
    for (uint32_t node = 0; node < WALKER_NODES; node++)
        for (uint32_t frame = 0; frame < WALKER_FRAMES; frame++) {
            uint32_t index;
            RpMshKey key;
            float quaternion[4], position[3];
            RpPoseCounters counters = {0};
            assert_true(RpMsh_KeyAt(&msh, node, frame, &index) && RpMsh_Key(&msh, index, &key));
            RpPose_Sample(&model, &settings, node, (float)frame, quaternion, position, &counters);
            assert_int_equal(counters.out_of_bounds, 0);
            if (key.time == (float)frame || node != 1)
                assert_memory_equal(position, key.position, sizeof position);
        }
}

/* ---- archives under construction ------------------------------------------------------------- */

TEST(ArchivesOpenAsTheirImages) {
    OWNED(Image) image = Walker_Make(true);
    RpNRes opened = Image_Open(&image);
    OWNED(RpNResArchive) archive = {0};
    RpMsh from_image, msh;
    assert_int_equal(RpNResArchive_Read(&archive, &opened, NULL), RP_OK);
    assert_int_equal(RpMsh_Open(RpNResArchive_Entries(&archive), RP_STRICT, &msh, NULL), RP_OK);
    assert_int_equal(RpMsh_Open(RpNRes_Entries(&opened), RP_STRICT, &from_image, NULL), RP_OK);
    for (uint32_t type = 0; type < RP_MSH_TYPE_LIMIT; type++) {
        assert_int_equal(msh.streams[type].count, from_image.streams[type].count);
        assert_int_equal(msh.streams[type].size, from_image.streams[type].size);
        assert_int_equal(msh.streams[type].entry, from_image.streams[type].entry);
        assert_int_equal(msh.streams[type].offset, 0);
    }
    assert_int_equal(msh.frame_count, WALKER_FRAMES);
    uint16_t zero = 0;
    assert_int_equal(RpNResArchive_Replace(&archive, 0, &zero, 2, NULL), RP_OK);
    assert_int_equal(RpMsh_Open(RpNResArchive_Entries(&archive), RP_STRICT, &msh, NULL),
                     RP_CORRUPT);
}
