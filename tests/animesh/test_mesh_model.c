/* Tests that a model's streams are read as they are, that no read goes past an end, and that
 * whatever would lead past one is refused with one clear error. */
#include "animesh/mesh_structs.h"
#include "mesh_images.h"

#include <stdio.h>
#include <string.h>

static RpModel *Load(const Image *image) {
    RpModel *model = NULL;
    RpError error = {0};
    if (RpModel_FromNRes(image->bytes, image->size, NULL, &model, &error) != RP_OK)
        fail_msg("%s, %s: expected %s, found %s", error.what, error.where, error.expected,
                 error.found);
    return model;
}

static Image image;
static RpModel *loaded;
static const MeshModel *body;

static int Setup(void **state) {
    (void)state;
    image = Image_Body();
    loaded = Load(&image);
    body = &loaded->model;
    return 0;
}

static int Teardown(void **state) {
    (void)state;
    RpModel_Free(loaded);
    Image_Free(&image);
    return 0;
}
AROUND_EACH(Setup, Teardown)

/* ---- records --------------------------------------------------------------------------------- */

TEST(NodesAreReadAsTheyLie) {
    static const uint16_t flags[3] = {0, 0, 0x31};
    static const int32_t parents[3] = {-1, 0, 1};
    assert_int_equal(MeshModel_NodeCount(body), 3);
    assert_int_equal(RpModel_NodeCount(loaded), 3);
    assert_int_equal(RpModel_FrameCount(loaded), 9);
    for (uint32_t node = 0; node < 3; node++) {
        uint16_t flag;
        int32_t parent;
        assert_true(MeshModel_NodeFlags(body, node, &flag));
        assert_int_equal(flag, flags[node]);
        assert_true(MeshModel_Parent(body, node, &parent));
        assert_int_equal(parent, parents[node]);
    }
}

TEST(SlotWordsGoByVariantThenLevel) {
    uint8_t *words = Image_Stream(&image, 1) + 38 + 8; /* the slot words of node 1 */
    uint16_t slot;
    for (uint32_t i = 0; i < 15; i++)
        Bytes_PutU16(words + 2 * i, 100 + i);
    assert_true(MeshModel_SlotWord(body, 1, 0, 0, &slot));
    assert_int_equal(slot, 100);
    assert_true(MeshModel_SlotWord(body, 1, 4, 0, &slot));
    assert_int_equal(slot, 104);
    assert_true(MeshModel_SlotWord(body, 1, 3, 2, &slot));
    assert_int_equal(slot, 113);
    /* A variant 3 leads to the next node's flags, as in the original. */
    assert_true(MeshModel_SlotWord(body, 1, 0, 3, &slot));
    assert_int_equal(slot, 0x31);
    /* In 32 bits, a variant of -1 leads to what lies before the node's slots. */
    assert_true(MeshModel_SlotWord(body, 1, 4, UINT32_MAX, &slot));
    assert_int_equal(slot, Bytes_U16(words - 2));
    assert_false(MeshModel_SlotWord(body, 2, 0, 3, &slot)); /* behind the last node */
    assert_int_equal(slot, 0xFFFF);
    assert_false(MeshModel_SlotWord(body, 3, 0, 0, &slot));
}

TEST(GeometryIsReadAsItLies) {
    MeshSlot slot;
    MeshBatch batch;
    MeshTriangle triangle;
    float vertex[3];
    uint16_t index;
    int16_t uv[2];
    assert_true(MeshModel_Slot(body, 1, &slot));
    assert_int_equal(slot.first_triangle, 12);
    assert_int_equal(slot.triangle_count, 12);
    assert_int_equal(slot.first_batch, 1);
    assert_int_equal(slot.batch_count, 1);
    assert_true(slot.low[0] == -1 && slot.low[2] == 0 && slot.high[1] == 1 && slot.high[2] == 2);
    assert_true(slot.sphere[0] == 0 && slot.sphere[2] == 1 && slot.area == 4 && slot.volume == 8);

    uint8_t *record = Image_Stream(&image, 13) + 20;
    for (uint32_t i = 0; i < 20; i++)
        record[i] = (uint8_t)(0x10 + i);
    assert_true(MeshModel_Batch(body, 1, &batch));
    assert_int_equal(batch.flags, 0x13121110);
    assert_int_equal(batch.material, 0x14);
    assert_int_equal(batch.lightmap, 0x15);
    assert_int_equal(batch.portal, 0x1716);
    assert_int_equal(batch.index_count, 0x1918);
    assert_int_equal(batch.first_index, 0x1D1C1B1A);
    assert_int_equal(batch.vertex_count, 0x1F1E);
    assert_int_equal(batch.base_vertex, 0x23222120);

    record = Image_Stream(&image, 7) + 5 * 16;
    for (uint32_t i = 0; i < 8; i++)
        Bytes_PutU16(record + 2 * i, 0xFFF0 + i);
    assert_true(MeshModel_Triangle(body, 5, &triangle));
    assert_int_equal(triangle.flags, 0xFFF0);
    assert_int_equal(triangle.neighbours[0], 0xFFF1);
    assert_int_equal(triangle.neighbours[2], 0xFFF3);
    assert_int_equal(triangle.normal[0], -12);
    assert_int_equal(triangle.normal[2], -10);
    assert_int_equal(triangle.edges, 0xFFF7);

    assert_true(MeshModel_Vertex(body, 8 + 7, vertex)); /* the last vertex of the head */
    assert_true(vertex[0] == 1 && vertex[1] == 1 && vertex[2] == 2);
    /* the index of the first face, which is at least x */
    assert_true(MeshModel_Index(body, 1, &index));
    assert_int_equal(index, 4);
    Bytes_PutU16(Image_Stream(&image, 5) + 4 * 3 + 2, 0x8001);
    assert_true(MeshModel_Uv(body, 3, uv));
    assert_int_equal(uv[0], 0);
    assert_int_equal(uv[1], -32767);
}

TEST(PastTheEndThereIsNothing) {
    static const uint32_t far[] = {0, 1, 1000, UINT32_MAX};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        MeshSlot slot;
        MeshBatch batch;
        MeshTriangle triangle;
        float vertex[3] = {1, 1, 1};
        uint16_t word = 7;
        int16_t uv[2] = {7, 7};
        int32_t parent;
        uint32_t length = 7;
        const uint32_t more = far[i] == UINT32_MAX ? 0 : far[i];
        const uint32_t past = far[i] == UINT32_MAX ? UINT32_MAX : 0;
#define PAST(count) (past ? past : (count) + more)
        assert_false(MeshModel_Slot(body, PAST(3), &slot));
        assert_int_equal(slot.batch_count, 0);
        assert_false(MeshModel_Batch(body, PAST(3), &batch));
        assert_int_equal(batch.index_count, 0);
        assert_false(MeshModel_Triangle(body, PAST(36), &triangle));
        assert_int_equal(triangle.edges, 0);
        assert_false(MeshModel_Vertex(body, PAST(24), vertex));
        assert_true(vertex[0] == 0 && vertex[1] == 0 && vertex[2] == 0);
        assert_false(MeshModel_Index(body, PAST(108), &word));
        assert_int_equal(word, 0);
        assert_false(MeshModel_Uv(body, PAST(24), uv));
        assert_int_equal(uv[0] | uv[1], 0);
        assert_false(MeshModel_NodeFlags(body, PAST(3), &word));
        assert_int_equal(word, 0);
        assert_false(MeshModel_Parent(body, PAST(3), &parent));
        assert_int_equal(parent, -1);
        assert_null(MeshModel_Text(body, PAST(3), &length));
        assert_int_equal(length, 0);
#undef PAST
    }
}

TEST(TextsEndAtTheirNulOrLength) {
    uint8_t *labels = Image_Stream(&image, 10);
    uint32_t length;
    assert_null(MeshModel_Text(body, 0, &length));
    const char *text = MeshModel_Text(body, 1, &length);
    assert_int_equal(length, 16);
    assert_memory_equal(text, "a central socket", 16);
    assert_null(MeshModel_Text(body, 2, &length));
    labels[8 + 9] = 0; /* "a central" */
    assert_non_null(MeshModel_Text(body, 1, &length));
    assert_int_equal(length, 9);
    Bytes_PutU32(labels, UINT32_MAX); /* node 0's label: nothing can be found after it */
    assert_null(MeshModel_Text(body, 1, &length));
    assert_int_equal(length, 0);
}

TEST(HeaderIsTheFirst140Bytes) {
    MeshHeader header;
    assert_true(MeshModel_Header(body, &header));
    /* The box is -2..2, -2..2, 0..3.5, because the top of the eye is at 1 + 2 + 0.5. */
    assert_true(header.corners[0] == -2 && header.corners[2] == 0);
    assert_true(header.corners[21] == 2 && header.corners[23] == 3.5f);
    assert_true(header.sphere[2] == 1.75f && header.capsule[5] == 3.5f);
    MeshModel without = *body;
    without.header = NULL;
    assert_false(MeshModel_Header(&without, &header));
    assert_true(header.corners[23] == 0);
}

TEST(ReaderWithoutSizesIsReadWithoutBounds) {
    MeshModel model;
    MeshModel_FromReader(&loaded->reader, &model);
    assert_false(model.bounded);
    assert_int_equal(MeshModel_NodeCount(&model), UINT32_MAX);
    MeshSlot slot;
    MeshBatch batch;
    MeshTriangle triangle;
    MeshHeader header;
    float vertex[3];
    uint16_t word;
    uint32_t length;
    assert_true(MeshModel_Slot(&model, 2, &slot) && slot.first_batch == 2);
    assert_true(MeshModel_Batch(&model, 2, &batch) && batch.base_vertex == 16);
    assert_true(MeshModel_Triangle(&model, 35, &triangle) && triangle.normal[2] == 32767);
    assert_true(MeshModel_Vertex(&model, 15, vertex) && vertex[2] == 2);
    assert_true(MeshModel_Index(&model, 107, &word) && word == 6);
    assert_true(MeshModel_NodeFlags(&model, 2, &word) && word == 0x31);
    assert_true(MeshModel_SlotWord(&model, 1, 0, 0, &word) && word == 1);
    assert_true(MeshModel_Header(&model, &header) && header.corners[21] == 2);
    assert_non_null(MeshModel_Text(&model, 1, &length));
    assert_int_equal(length, 16);
    assert_int_equal(model.uv1.count, 0); /* a stream that the model lacks */
    assert_int_equal(model.probes.count, 0);

    static const Reader empty;
    MeshModel_FromReader(&empty, &model);
    assert_int_equal(MeshModel_NodeCount(&model), 0);
    assert_false(MeshModel_NodeFlags(&model, 0, &word));
    assert_false(MeshModel_SlotWord(&model, 0, 0, 0, &word));
    assert_false(MeshModel_Vertex(&model, 0, vertex));
    assert_null(MeshModel_Text(&model, 0, &length));

    /* The loader adds the header's size even to a null Res2. There are no slots then. */
    const Reader headless = {.slots = (Layout_ref)(uintptr_t)0x8C};
    MeshModel_FromReader(&headless, &model);
    assert_false(MeshModel_Slot(&model, 0, &slot));
}

TEST(ReaderIsFilledAsTheLoaderDoes) {
    const Reader *reader = &loaded->reader;
    assert_ptr_equal(reader->nodes, Image_Stream(&image, 1));
    assert_ptr_equal(reader->slots, Image_Stream(&image, 2) + 0x8C);
    assert_ptr_equal(reader->keys, Image_Stream(&image, 8));
    assert_ptr_equal(reader->position_stream, reader->positions);
    assert_int_equal(reader->position_stride, 12);
    assert_int_equal(reader->frame_count, 9);
    assert_int_equal(reader->tangent_stride, 0); /* no Res16 */
    assert_null(reader->uv1_stream);
    assert_int_equal(reader->uv1_stride, 0);
    assert_int_equal(reader->res20_count, 0);
}

/* ---- hostile models -------------------------------------------------------------------------- */

typedef struct Refusal {
    const char *what, *where, *expected, *found;
    RpStatus status;
    /* The type of the stream that is damaged, and the place in it. Type 0 is the directory
     * record. */
    uint32_t type, at;
    uint32_t size, value; /* a size of 2 or 4 bytes; 0 means a field of the directory record */
    uint32_t tell;        /* the stream to which the error's offset points, if it is another one */
} Refusal;

enum { RECORD = 0x10000 };

static const Refusal refusals[] = {
    {"a node does not follow its parent", "Res1 node 1", "no parent, or one below 1", "1",
     RP_CORRUPT, 1, 38 + 2, 2, 1, 0},
    {"a node does not follow its parent", "Res1 node 0", "no parent, or one below 0", "2",
     RP_CORRUPT, 1, 2, 2, 2, 0},
    {"a fallback key does not exist", "Res1 node 2", "a number below 4", "4", RP_CORRUPT, 1,
     2 * 38 + 6, 2, 4, 0},
    {"a node's frames lie outside of the frame map", "Res1 node 1", "an end of at most 9", "10",
     RP_CORRUPT, 1, 38 + 4, 2, 1, 0},
    {"a node's frames lie outside of the frame map", "Res1 node 1", "an end of at most 9",
     "4294967295", RP_CORRUPT, 19, RECORD + 8, 4, UINT32_MAX, 1},
    {"a slot does not exist", "Res1 node 0", "a number below 3", "3", RP_CORRUPT, 1, 8 + 28, 2, 3,
     0},
    {"a text begins outside of its stream", "Res10 text 2", "an end of at most 29", "30",
     RP_CORRUPT, 10, 4, 4, 17, 10},
    {"a text ends outside of its stream", "Res10 text 0", "an end of at most 29", "4294967300",
     RP_CORRUPT, 10, 0, 4, UINT32_MAX, 0},
    {"a slot's batches do not exist", "Res2 slot 1", "an end of at most 3", "65536", RP_CORRUPT, 2,
     140 + 68 + 6, 2, 0xFFFF, 2},
    {"a slot's triangles do not exist", "Res2 slot 2", "an end of at most 36", "37", RP_CORRUPT, 2,
     140 + 2 * 68 + 2, 2, 13, 2},
    {"the triangles of a slot's batches do not exist", "Res2 slot 2", "an end of at most 36", "48",
     RP_CORRUPT, 2, 140 + 2 * 68 + 4, 4, 0x00020001, 2},
    {"a batch's indices do not exist", "Res13 batch 2", "an end of at most 108", "111", RP_CORRUPT,
     13, 2 * 20 + 8, 2, 37, 13},
    {"a batch's indices do not exist", "Res13 batch 0", "an end of at most 108", "4294967331",
     RP_CORRUPT, 13, 0x0A, 4, UINT32_MAX, 13},
    {"a vertex does not exist", "Res13 batch 2", "a number below 24", "24", RP_CORRUPT, 6, 72 * 2,
     2, 8, 0},
    {"a vertex does not exist", "Res13 batch 0", "a number below 24", "4294967295", RP_CORRUPT, 13,
     0x10, 4, UINT32_MAX, 6},
    {"the nodes have another stride", "Res1, nodes", "38", "24", RP_UNSUPPORTED, 1, RECORD + 0x10,
     4, 24, 0},
    {"the nodes have another stride", "Res1, nodes", "38", "39", RP_CORRUPT, 1, RECORD + 0x10, 4,
     39, 0},
    {"attr3 is not what streams of this type have", "Res13, batches", "20", "24", RP_CORRUPT, 13,
     RECORD + 0x10, 4, 24, 0},
    {"attr3 is not what streams of this type have", "Res8, keys", "4", "24", RP_CORRUPT, 8,
     RECORD + 0x10, 4, 24, 0},
    {"a stream has a part of an element", "Res3, positions", "a multiple of 12", "287", RP_CORRUPT,
     3, RECORD + 0x0C, 4, 287, 0},
    {"a stream has a part of an element", "Res2, header and slots", "140 and a multiple of 68",
     "280", RP_CORRUPT, 2, RECORD + 0x0C, 4, 280, 0},
    {"a stream ends in its header", "Res2, header and slots", "at least 140", "139", RP_TRUNCATED,
     2, RECORD + 0x0C, 4, 139, 0},
    {"a model has no nodes", "Res1 node 0", "nodes, at least 1", "0", RP_CORRUPT, 1, RECORD + 0x0C,
     4, 0, 0x100},
    {"a stream has another number of elements than there are vertices", "Res4, elements 23", "24",
     "23", RP_CORRUPT, 4, RECORD + 0x0C, 4, 92, 0x100},
    {"a stream has another number of elements than there are vertices", "Res5, elements 0", "24",
     "0", RP_CORRUPT, 5, RECORD + 0x0C, 4, 0, 0x100},
};

static RpStatus TryToLoad(const Image *spoiled, RpError *error) {
    RpModel *model = (RpModel *)(uintptr_t)1;
    RpStatus status = RpModel_FromNRes(spoiled->bytes, spoiled->size, NULL, &model, error);
    if (status == RP_OK)
        RpModel_Free(model);
    else
        assert_ptr_equal(model, (RpModel *)(uintptr_t)1);
    return status;
}

/* The byte offset has to point at the field, or into the stream of type `tell`. */
static void CheckOffset(const Image *spoiled, const Refusal *refusal, const uint8_t *field,
                        uint64_t offset) {
    if (refusal->tell == 0) {
        assert_int_equal(offset, (uint64_t)(field - spoiled->bytes));
    } else if (refusal->tell < 0x100) {
        uint64_t start = (uint64_t)(Image_Stream(spoiled, refusal->tell) - spoiled->bytes);
        uint32_t size = Bytes_U32(Image_Record(spoiled, refusal->tell) + 0x0C);
        assert_in_range(offset, start, start + size);
    }
}

TEST(WhateverLeadsOutsideIsRefused) {
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const Refusal *refusal = &refusals[i];
        Image spoiled = Image_Copy(&image);
        RpError error = {0};
        uint8_t *at = refusal->at >= RECORD
                          ? Image_Record(&spoiled, refusal->type) + (refusal->at - RECORD)
                          : Image_Stream(&spoiled, refusal->type) + refusal->at;
        (refusal->size == 2 ? Bytes_PutU16 : Bytes_PutU32)(at, refusal->value);
        assert_int_equal(TryToLoad(&spoiled, NULL), refusal->status);
        assert_int_equal(TryToLoad(&spoiled, &error), refusal->status);
        assert_string_equal(error.what, refusal->what);
        assert_string_equal(error.where, refusal->where);
        assert_string_equal(error.expected, refusal->expected);
        assert_string_equal(error.found, refusal->found);
        CheckOffset(&spoiled, refusal, at, error.offset);
        Image_Free(&spoiled);
    }
}

TEST(EveryStreamOfTheLoaderIsNeeded) {
    static const uint32_t types[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 19};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        Image spoiled = Image_Copy(&image);
        RpError error = {0};
        char name[8], expected[32];
        snprintf(name, sizeof name, "Res%u,", (unsigned)types[i]);
        snprintf(expected, sizeof expected, "an entry of type %u", (unsigned)types[i]);
        Bytes_PutU32(Image_Record(&spoiled, types[i]), 99);
        assert_int_equal(TryToLoad(&spoiled, &error), RP_NOT_FOUND);
        assert_string_equal(error.what, "a stream is missing");
        assert_memory_equal(error.where, name, strlen(name));
        assert_string_equal(error.expected, expected);
        Image_Free(&spoiled);
    }
}

TEST(ImagesCutAnywhereAreRefused) {
    for (size_t size = 0; size < image.size; size++) {
        Image cut = Image_Copy(&image);
        RpError error = {0};
        cut.size = size;
        assert_int_not_equal(TryToLoad(&cut, &error), RP_OK);
        assert_int_not_equal(error.what[0], 0);
        cut.size = image.size;
        Image_Free(&cut);
    }
}

/* ---- models that only take long -------------------------------------------------------------- */

enum { MOST_NODES = 8193 };

/* Checks models whose nodes have no geometry. Each node is a child of the one before, or all are
 * without a parent. */
static RpStatus CheckNodes(uint32_t count, bool chain, RpError *error) {
    static uint8_t nodes[MOST_NODES * 38], key[24], texts[MOST_NODES * 4], map[2];
    memset(nodes, 0xFF, sizeof nodes);
    for (uint32_t i = 0; i < count; i++) {
        Bytes_PutU16(nodes + 38 * (size_t)i + 6, 0);
        if (chain && i)
            Bytes_PutU16(nodes + 38 * (size_t)i + 2, i - 1);
    }
    const MeshModel model = {.pose = {.nodes = nodes,
                                      .node_bytes = count * 38,
                                      .keys = key,
                                      .key_bytes = sizeof key,
                                      .frame_map = map,
                                      .frame_count = 1},
                             .bounded = true,
                             .strings = texts,
                             .string_bytes = sizeof texts};
    return MeshModel_Check(&model, NULL, error);
}

TEST(TreesHaveALimit) {
    RpError error = {0};
    assert_int_equal(CheckNodes(1024, true, &error), RP_OK);
    assert_int_equal(CheckNodes(1025, true, &error), RP_UNSUPPORTED);
    assert_string_equal(error.what, "the tree is too deep");
    assert_string_equal(error.where, "Res1 node 1024");
    assert_true(error.offset == RP_NOWHERE); /* the offset is that of no image */
    assert_int_equal(CheckNodes(8192, false, &error), RP_OK);
    assert_int_equal(CheckNodes(8193, false, &error), RP_UNSUPPORTED);
    assert_string_equal(error.what, "a model has too many nodes");
    assert_string_equal(error.found, "8193");
}

/* Makes `sharing` slots or batches that have the same range. */
static RpStatus CheckSharing(const MeshModel *sound, uint32_t slots, uint32_t batches,
                             RpError *error) {
    static uint8_t records[256 * 68];
    MeshModel model = *sound;
    if (slots) {
        for (uint32_t i = 0; i < slots; i++) {
            memcpy(records + 68 * (size_t)i, sound->slots.data, 68);
            Bytes_PutU16(records + 68 * (size_t)i + 6, 3);
        }
        model.slots = (MeshStream){records, slots};
    } else {
        for (uint32_t i = 0; i < batches; i++) {
            memcpy(records + 20 * (size_t)i, sound->batches.data, 20);
            Bytes_PutU16(records + 20 * (size_t)i + 8, 108);
        }
        model.batches = (MeshStream){records, batches};
    }
    return MeshModel_Check(&model, NULL, error);
}

TEST(RangesMayBeSharedSixtyFourTimes) {
    RpError error = {0};
    /* Nodes name 3 slots, so there must be at least as many. */
    assert_int_equal(CheckSharing(body, 64, 0, &error), RP_OK);
    assert_int_equal(CheckSharing(body, 65, 0, &error), RP_UNSUPPORTED);
    assert_string_equal(error.what, "slots share batches again and again");
    assert_string_equal(error.where, "Res2 slot 64");
    /* Without slots their triangles do not exist. */
    MeshModel without_slots = *body;
    static uint8_t nodes[3 * 38];
    memcpy(nodes, body->pose.nodes, sizeof nodes);
    for (int node = 0; node < 3; node++)
        memset(nodes + 38 * node + 8, 0xFF, 30);
    without_slots.pose.nodes = nodes;
    without_slots.slots.count = 0;
    assert_int_equal(CheckSharing(&without_slots, 0, 64, &error), RP_OK);
    assert_int_equal(CheckSharing(&without_slots, 0, 65, &error), RP_UNSUPPORTED);
    assert_string_equal(error.what, "batches share indices again and again");
    assert_string_equal(error.where, "Res13 batch 64");
}

TEST(ModelOfUnknownSizeIsRefused) {
    MeshModel model;
    RpError error = {0};
    MeshModel_FromReader(&loaded->reader, &model);
    assert_int_equal(MeshModel_Check(&model, NULL, &error), RP_UNSUPPORTED);
    assert_string_equal(error.expected, "a model with sizes");
}
