/* Tests of the object in the original's layout: how it is merged, taken apart, asked and set. The
 * models are those of images.h, and every expected value was worked out by hand. */
#include "animesh/mesh_structs.h"
#include "cli/bench/measure/counted_memory.h"
#include "exports/reading_table.h"
#include "mesh_images.h"
#include "tests/bits.h"

#include <stdlib.h>
#include <string.h>

/* ---- fixture --------------------------------------------------------------------------------- */

enum { MODELS = 3, BODY = 0, GUN = 1, SECOND_GUN = 2 };

static Image images[MODELS];
static RpModel *models[MODELS];
static CountedMemory heap;
static RpAllocator allocator;
static RpArithmetic arithmetic;
static RpPoseCounters counters;
static MeshContext context;
static Mesh mesh;
static const Reader *left[4];
static uint32_t left_count;

static const MeshModel *Find(const MeshContext *with, const Reader *reader, MeshModel *scratch) {
    (void)with;
    (void)scratch;
    return &MeshObject_ModelOf(reader)->model;
}

static void Left(const MeshContext *with, const Reader *reader) {
    assert_ptr_equal(with, &context);
    assert_true(left_count < 4);
    left[left_count++] = reader;
}

static int Setup(void **state) {
    (void)state;
    memset(&mesh, 0, sizeof mesh);
    heap = (CountedMemory){0};
    counters = (RpPoseCounters){0};
    left_count = 0;
    images[BODY] = Image_Body();
    images[GUN] = Image_Gun();
    images[SECOND_GUN] = Image_Gun();
    for (int i = 0; i < MODELS; i++)
        assert_int_equal(RpModel_FromNRes(images[i].bytes, images[i].size, NULL, &models[i], NULL),
                         RP_OK);
    allocator = CountedMemory_Allocator(&heap);
    arithmetic = (RpArithmetic){.control_word = RP_THREADS_CONTROL_WORD};
    context = (MeshContext){.arithmetic = &arithmetic,
                            .math = &Mesh_LibraryMath,
                            .find = Find,
                            .counters = &counters,
                            .allocator = &allocator};
    Mesh_Init(&mesh);
    return 0;
}

/* Demands that the test has left no memory behind. */
static int Teardown(void **state) {
    (void)state;
    Mesh_Free(&context, &mesh);
    assert_null(mesh.pieces);
    assert_int_equal(mesh.piece_count, 0);
    assert_int_equal(heap.blocks, 0);
    for (int i = 0; i < MODELS; i++) {
        RpModel_Free(models[i]);
        Image_Free(&images[i]);
    }
    return 0;
}

static const Reader *ReaderOf(int model) {
    return &models[model]->reader;
}

static void Merge(int model, uint32_t part, int32_t attach, uint32_t material) {
    RpError error = {0};
    if (Mesh_Merge(&context, &mesh, ReaderOf(model), part, attach, material, &error) != RP_OK)
        fail_msg("%s, %s: expected %s, found %s", error.what, error.where, error.expected,
                 error.found);
}

static Piece *At(int32_t index) {
    Piece *piece = Mesh_Piece(&mesh, index);
    assert_non_null(piece);
    return piece;
}

typedef struct Expected {
    uint32_t tag, base, node;
    int32_t parent;
    int model;
} Expected;

static void CheckPieces(const Expected *expected, uint32_t count) {
    assert_int_equal(mesh.piece_count, count);
    for (uint32_t i = 0; i < count; i++) {
        const Piece *piece = At((int32_t)i);
        assert_int_equal(piece->tag, expected[i].tag);
        assert_int_equal(piece->part_base, expected[i].base);
        assert_int_equal(piece->node, expected[i].node);
        assert_int_equal(piece->parent, expected[i].parent);
        assert_ptr_equal(piece->reader, ReaderOf(expected[i].model));
    }
}

static void AssertIdentity(const float matrix[16]) {
    for (int i = 0; i < 16; i++)
        assert_int_equal(Bits(matrix[i]), i % 5 == 0 ? 0x3F800000 : 0);
}

/* ---- made ------------------------------------------------------------------------------------ */

TEST(NewObjectIsAsTheConstructorLeavesIt) {
    memset(&mesh, 0xCD, sizeof mesh);
    Mesh_Init(&mesh);
    assert_true(mesh.animation == mesh.query); /* the vtable pointers keep what they were */
    assert_int_equal((uint32_t)mesh.animation, 0xCDCDCDCD);
    assert_null(mesh.pieces);
    assert_int_equal(mesh.piece_count, 0);
    assert_true(mesh.scale[0] == 1 && mesh.scale[1] == 1 && mesh.scale[2] == 1);
    assert_int_equal(mesh.scaled, 0);
    AssertIdentity(mesh.placement);
    assert_int_equal(mesh.worn_handle, UINT32_MAX);
    assert_int_equal(mesh.worn_manager, 0);
    assert_true(mesh.life_colour[0] == 0.5f && mesh.life_colour[1] == 0 &&
                mesh.life_colour[3] == 1);
    assert_true(mesh.life_step[0] == -0.5f && mesh.life_step[1] == 0.5f && mesh.life_step[3] == 0);
    assert_int_equal(mesh.a_first | mesh.a_last | mesh.b_first | mesh.b_last, 0);
    assert_int_equal(Bits(mesh.phase) | Bits(mesh.weight), 0);
    assert_int_equal(Bits(mesh.box[23]) | Bits(mesh.capsule[6]) | (uint32_t)mesh.views, 0);
}

TEST(InitPieceWritesTagAndFlagsOnly) {
    Piece piece, before;
    memset(&piece, 0xCD, sizeof piece);
    before = piece;
    Piece_Init(&piece, 7);
    before.tag = 7;
    before.flags = 0;
    assert_memory_equal(&piece, &before, sizeof piece);
}

/* ---- merging --------------------------------------------------------------------------------- */

TEST(RootTakesAllNodes) {
    static const Expected pieces[] = {{0, 0, 0, -1, BODY}, {0, 0, 1, 0, BODY}, {0, 0, 2, 1, BODY}};
    Merge(BODY, 0, -1, 0x1234);
    CheckPieces(pieces, 3);
    for (int32_t i = 0; i < 3; i++) {
        const Piece *piece = At(i);
        assert_int_equal(piece->flags, i == 0 ? PIECE_FIRST_OF_PART : 0);
        assert_int_equal(piece->material_base, 0x12340000);
        assert_int_equal(piece->variant, 0);
        assert_int_equal(piece->cache_valid | piece->flying | piece->own_segment | piece->tilted,
                         0);
        AssertIdentity(piece->world);
        AssertIdentity(piece->model);
        AssertIdentity(piece->local);
        assert_true(piece->tilt[0] == 1 && piece->tilt[1] == 0 && piece->previous_tilt[0] == 1);
        assert_true(piece->life == 1 && piece->phase == 0 && piece->weight == 0);
    }
    /* The header's box is -2..2, -2..2, 0..3.5. */
    assert_true(mesh.box[0] == -2 && mesh.box[21] == 2 && mesh.box[23] == 3.5f);
    assert_true(mesh.agent_centre[2] == 1.75f && mesh.agent_radius > 3 && mesh.agent_radius < 3.5f);
    assert_true(mesh.capsule[2] == 0 && mesh.capsule[5] == 3.5f);
}

TEST(PartsHangOnTheirPieceAndLeaveNodeZeroOut) {
    static const Expected pieces[] = {
        {0, 0, 0, -1, BODY},      {0, 0, 1, 0, BODY}, {0, 0, 2, 1, BODY},
        {5, 3, 1, 1, GUN},        {5, 3, 2, 3, GUN},  {2, 5, 1, 4, SECOND_GUN},
        {2, 5, 2, 5, SECOND_GUN}, {9, 7, 1, 0, GUN},  {9, 7, 2, 7, GUN},
    };
    Merge(BODY, 0, -1, 0);
    float box[24];
    memcpy(box, mesh.box, sizeof box);
    Merge(GUN, 5, 1, 3);
    Merge(SECOND_GUN, 2, 4, 0); /* on the first gun's muzzle */
    Merge(GUN, 9, 0, 0xFFFF);   /* the same model once more */
    CheckPieces(pieces, 9);
    for (int32_t i = 0; i < 9; i++)
        assert_int_equal(At(i)->flags & PIECE_FIRST_OF_PART,
                         i == 0 || i == 3 || i == 5 || i == 7 ? PIECE_FIRST_OF_PART : 0);
    assert_int_equal(At(4)->material_base, 0x30000);
    assert_int_equal(At(8)->material_base, 0xFFFF0000);
    /* it has the header's box of the root only */
    assert_memory_equal(mesh.box, box, sizeof box);

    assert_int_equal(Mesh_FirstPieceOfPart(&mesh, 0), 0);
    assert_int_equal(Mesh_FirstPieceOfPart(&mesh, 2), 5);
    assert_int_equal(Mesh_FirstPieceOfPart(&mesh, 3), -1);
    assert_int_equal(Mesh_PieceCountOfPart(&mesh, 0), 3);
    assert_int_equal(Mesh_PieceCountOfPart(&mesh, 9), 2);
    assert_int_equal(Mesh_PieceCountOfPart(&mesh, 3), 0);
}

/* A node of a part that has no parent in its model has none in the object either. */
TEST(RootsOfAPartStayRoots) {
    Bytes_PutU16(Image_Stream(&images[GUN], 1) + 2 * 38 + 2, 0xFFFF);
    Merge(BODY, 0, -1, 0);
    Merge(GUN, 1, 2, 0);
    assert_int_equal(At(3)->parent, 2);
    assert_int_equal(At(4)->parent, -1);
}

TEST(PartOfOneNodeAddsNothing) {
    static const ModelBox box = {.parent = MODEL_BOXES_NO_PARENT, .high = {1, 1, 1}, .stages = 1};
    Image image = Image_Make(&box, 1, 1);
    RpModel *model;
    assert_int_equal(RpModel_FromNRes(image.bytes, image.size, NULL, &model, NULL), RP_OK);
    Merge(BODY, 0, -1, 0);
    assert_int_equal(Mesh_Merge(&context, &mesh, &model->reader, 1, 0, 0, NULL), RP_OK);
    assert_int_equal(mesh.piece_count, 3);
    assert_int_equal(Mesh_FirstPieceOfPart(&mesh, 1), -1);
    /* Such a part adds nothing to the bounds either: reading `part-of-one-node` of
     * docs/reference/arithmetic.md. */
    float before[24];
    Mesh_UpdateBounds(&context, &mesh);
    memcpy(before, mesh.box, sizeof before);
    for (int i = 0; i < 35; i++)
        /* 1000 everywhere in its header */
        Bytes_PutU32(Image_Stream(&image, 2) + 4 * i, 0x447A0000);
    Mesh_UpdateBounds(&context, &mesh);
    assert_memory_equal(mesh.box, before, sizeof before);
    RpModel_Free(model);
    Image_Free(&image);
}

/* ---- refused merges -------------------------------------------------------------------------- */

static void CheckRefusal(int model, uint32_t part, int32_t attach, RpStatus status,
                         const char *what, const char *where, const char *found) {
    Mesh before = mesh;
    RpError error = {0};
    assert_int_equal(Mesh_Merge(&context, &mesh, ReaderOf(model), part, attach, 0, NULL), status);
    assert_int_equal(Mesh_Merge(&context, &mesh, ReaderOf(model), part, attach, 0, &error), status);
    assert_int_equal(error.status, status);
    assert_string_equal(error.what, what);
    assert_string_equal(error.where, where);
    assert_string_equal(error.found, found);
    assert_memory_equal(&mesh, &before, sizeof before);
}

TEST(WhatCannotBeMergedChangesNothing) {
    CheckRefusal(GUN, 1, 0, RP_INVALID, "a part has no piece to hang on", "part 1", "piece 0");
    Merge(BODY, 0, -1, 0);
    CheckRefusal(BODY, 0, -1, RP_INVALID, "a part is there already", "part 0", "part 0");
    CheckRefusal(GUN, 1, 3, RP_INVALID, "a part has no piece to hang on", "part 1", "piece 3");
    CheckRefusal(GUN, 1, -1, RP_INVALID, "a part has no piece to hang on", "part 1", "piece -1");
    CheckRefusal(GUN, 1, INT32_MIN, RP_INVALID, "a part has no piece to hang on", "part 1",
                 "piece -2147483648");
    Merge(GUN, 1, 0, 0);
    CheckRefusal(GUN, 1, 0, RP_INVALID, "a part is there already", "part 1", "part 1");

    uint8_t *nodes = Image_Stream(&images[SECOND_GUN], 1);
    Bytes_PutU16(nodes + 38 + 2, 2); /* a cycle */
    CheckRefusal(SECOND_GUN, 2, 0, RP_CORRUPT, "a node does not follow its parent", "Res1 node 1",
                 "node 2");
    Bytes_PutU16(nodes + 38 + 2, 1); /* a node that is its own parent */
    CheckRefusal(SECOND_GUN, 2, 0, RP_CORRUPT, "a node does not follow its parent", "Res1 node 1",
                 "node 1");
    models[SECOND_GUN]->model.pose.node_bytes = 0;
    CheckRefusal(SECOND_GUN, 2, 0, RP_CORRUPT, "a model has no nodes", "Res1, nodes", "none");
    models[SECOND_GUN]->model.bounded = false;
    CheckRefusal(SECOND_GUN, 2, 0, RP_UNSUPPORTED, "nobody knows how large the model's streams are",
                 "", "");
}

TEST(RefusedMemoryChangesNothing) {
    Merge(BODY, 0, -1, 0);
    heap.refuse = SIZE_MAX;
    CheckRefusal(GUN, 1, 0, RP_NO_MEMORY, "out of memory", "pieces", "");
    heap.refuse = 0;
    Merge(GUN, 1, 0, 0);
    assert_int_equal(mesh.piece_count, 5);
}

/* Guns are attached to muzzles: first comes the body's node 0, then there are two pieces for each
 * gun, each a generation deeper. */
TEST(ObjectsHaveALimitedDepth) {
    Merge(BODY, 0, -1, 0);
    for (uint32_t part = 1; part <= 511; part++)
        Merge(GUN, part, part == 1 ? 0 : (int32_t)mesh.piece_count - 1, 0);
    assert_int_equal(mesh.piece_count, 3 + 2 * 511); /* the last is at 1 + 2 * 511 = 1023 */
    CheckRefusal(GUN, 512, (int32_t)mesh.piece_count - 1, RP_UNSUPPORTED, "the tree is too deep",
                 "Res1 node 2", "at least 1025");
    Merge(GUN, 512, (int32_t)mesh.piece_count - 2, 0); /* 1022 + 2 */
}

TEST(ObjectsHaveALimitedNumberOfPieces) {
    Merge(BODY, 0, -1, 0);
    for (uint32_t part = 1; part <= 4094; part++)
        Merge(GUN, part, 0, 0);
    assert_int_equal(mesh.piece_count, 8191);
    CheckRefusal(GUN, 4095, 0, RP_INVALID, "an object has too many pieces", "part 4095", "8193");
}

/* ---- the socket rule ------------------------------------------------------------------------- */

static uint32_t HiddenBarrel(const char *label, uint32_t length) {
    uint8_t *text = Image_Stream(&images[BODY], 10) + 4 + 4;
    memset(text, 0, 16);
    memcpy(text, label, length);
    Mesh_Free(&context, &mesh);
    Merge(BODY, 0, -1, 0);
    Merge(GUN, 1, 1, 0);
    assert_int_equal(At(4)->flags & PIECE_HIDDEN, 0); /* the muzzle has no 0x800 */
    assert_int_equal(At(1)->flags & PIECE_HIDDEN, 0); /* the socket is not hidden, either */
    return At(3)->flags & PIECE_HIDDEN;
}

TEST(CentralSocketsHideWhatIsAttached) {
    for (uint8_t choice = 0; choice < 2; choice++) {
        arithmetic.readings.choice[READING_CENTRAL] = choice;
        assert_int_equal(HiddenBarrel("central", 7), 1);
        assert_int_equal(HiddenBarrel("a central one", 13), choice == 0);
        assert_int_equal(HiddenBarrel("centralcentral", 14), choice == 0);
        assert_int_equal(HiddenBarrel("xxxxxxxxxcentral", 16), choice == 0);
        assert_int_equal(HiddenBarrel("xxxxxxxxxxcentra", 16), 0);
        assert_int_equal(HiddenBarrel("Central", 7), 0);
        assert_int_equal(HiddenBarrel("cent\0central", 12), 0); /* the text ends there */
        assert_int_equal(HiddenBarrel("", 0), 0);
    }
}

TEST(TheRootIsNeverHiddenByItsSocket) {
    Merge(GUN, 0, -1, 0);
    assert_int_equal(At(1)->flags, 0);
}

TEST(SocketWithoutATextHidesNothing) {
    Merge(BODY, 0, -1, 0);
    Merge(GUN, 1, 0, 0);
    assert_int_equal(At(3)->flags, PIECE_FIRST_OF_PART);
}

/* ---- removing -------------------------------------------------------------------------------- */

static void MergeNested(void) {
    Merge(BODY, 0, -1, 0);
    Merge(GUN, 5, 1, 0);        /* pieces 3 and 4 */
    Merge(GUN, 6, 0, 0);        /* pieces 5 and 6 */
    Merge(SECOND_GUN, 2, 4, 0); /* pieces 7 and 8, on part 5 */
    Merge(SECOND_GUN, 9, 6, 0); /* pieces 9 and 10, on part 6 */
    Merge(SECOND_GUN, 7, 8, 0); /* pieces 11 and 12, on part 2 */
}

TEST(RemovedPartsTakeWhatHangsOnThem) {
    static const Expected pieces[] = {
        {0, 0, 0, -1, BODY}, {0, 0, 1, 0, BODY},       {0, 0, 2, 1, BODY},      {6, 3, 1, 0, GUN},
        {6, 3, 2, 3, GUN},   {9, 5, 1, 4, SECOND_GUN}, {9, 5, 2, 5, SECOND_GUN}};
    MergeNested();
    assert_true(Mesh_RemovePart(&context, &mesh, 5, Left));
    CheckPieces(pieces, 7);
    assert_int_equal(At(3)->flags & PIECE_FIRST_OF_PART, PIECE_FIRST_OF_PART);
    assert_int_equal(At(5)->flags & PIECE_FIRST_OF_PART, PIECE_FIRST_OF_PART);
    assert_int_equal(left_count, 0); /* both models are still used */
    assert_true(Mesh_RemovePart(&context, &mesh, 9, Left));
    assert_int_equal(left_count, 1);
    assert_ptr_equal(left[0], ReaderOf(SECOND_GUN));
    CheckPieces(pieces, 5);
    assert_true(Mesh_RemovePart(&context, &mesh, 6, Left));
    assert_int_equal(left_count, 2);
    assert_ptr_equal(left[1], ReaderOf(GUN));
    CheckPieces(pieces, 3);
    Merge(GUN, 6, 2, 0); /* its number is free again */
    assert_int_equal(At(3)->parent, 2);
}

TEST(OneRemovalTellsEachReaderOnce) {
    Merge(BODY, 0, -1, 0);
    Merge(GUN, 1, 0, 0);
    Merge(SECOND_GUN, 2, 4, 0);
    Merge(GUN, 3, 6, 0);
    assert_true(Mesh_RemovePart(&context, &mesh, 1, Left));
    assert_int_equal(mesh.piece_count, 3);
    assert_int_equal(left_count, 2);
    assert_true((left[0] == ReaderOf(GUN) && left[1] == ReaderOf(SECOND_GUN)) ||
                (left[1] == ReaderOf(GUN) && left[0] == ReaderOf(SECOND_GUN)));
}

/* The first piece of the attached part has no parent, while its second one has a parent that is
 * removed. */
TEST(PartGoesWhenOneOfItsPiecesHangsOnIt) {
    uint8_t *nodes = Image_Stream(&images[SECOND_GUN], 1);
    Bytes_PutU16(nodes + 38 + 2, 0xFFFF);
    Bytes_PutU16(nodes + 2 * 38 + 2, 0);
    Merge(BODY, 0, -1, 0);
    Merge(GUN, 1, 0, 0);
    Merge(SECOND_GUN, 2, 4, 0);
    assert_int_equal(At(5)->parent, -1);
    assert_int_equal(At(6)->parent, 4);
    assert_true(Mesh_RemovePart(&context, &mesh, 1, NULL));
    assert_int_equal(mesh.piece_count, 3);
}

TEST(PiecesThatStayKeepTheirState) {
    MergeNested();
    Piece before = *At(10);
    At(10)->phase = before.phase = 0.25f;
    At(10)->cache_valid = before.cache_valid = 1;
    At(10)->world[3] = before.world[3] = 77;
    assert_true(Mesh_RemovePart(&context, &mesh, 5, NULL));
    before.parent = 5;
    before.part_base = 5;
    assert_memory_equal(At(6), &before, sizeof before);
}

TEST(RootAndUnknownPartsStay) {
    assert_false(Mesh_RemovePart(&context, &mesh, 1, Left));
    Merge(BODY, 0, -1, 0);
    assert_false(Mesh_RemovePart(&context, &mesh, 0, Left));
    assert_false(Mesh_RemovePart(&context, &mesh, 1, Left));
    assert_int_equal(mesh.piece_count, 3);
    assert_int_equal(left_count, 0);
}

/* The heap even refuses to shrink a block. The pieces are removed all the same. */
TEST(RemovingNeedsNoMemory) {
    MergeNested();
    heap.refuse = SIZE_MAX;
    assert_true(Mesh_RemovePart(&context, &mesh, 5, NULL));
    assert_int_equal(mesh.piece_count, 7);
    assert_int_equal(At(6)->parent, 5);
}

/* ---- getters --------------------------------------------------------------------------------- */

static uint32_t Query(int32_t node, uint32_t id) {
    uint32_t answer = 0xDEADBEEF;
    bool answered = Mesh_QueryNode(&context, &mesh, node, id, &answer);
    assert_true(answered == (answer != 0xDEADBEEF));
    return answer;
}

TEST(NodeQueriesAnswerByTheirIds) {
    Merge(BODY, 0, -1, 0);
    At(1)->flags = 0x18;
    assert_int_equal(Query(1, 0xA), 0x18);
    assert_int_equal(Query(2, 0xD), 1);
    assert_int_equal(Query(0, 0xD), UINT32_MAX);
    assert_int_equal(Query(2, 0xE), 0x31);
    /* The head is 2 by 2 by 2. The scale counts even if the object is not marked as scaled. */
    assert_int_equal(Query(1, 0xF), Bits(4));
    assert_int_equal(Query(1, 0x10), Bits(8));
    mesh.scale[0] = 3;
    mesh.scale[1] = 5;
    mesh.scale[2] = 7;
    assert_int_equal(Query(1, 0xF), Bits(60));
    assert_int_equal(Query(1, 0x10), Bits(840));
    assert_int_equal(Query(2, 0xF), 0); /* no slot */
    assert_int_equal(Query(2, 0x10), 0);
    At(1)->variant = 1; /* the head has one stage */
    assert_int_equal(Query(1, 0x10), 0);
    assert_int_equal(counters.out_of_bounds, 0);
    static const uint32_t unknown[] = {0, 9, 0xB, 0xC, 0x11, UINT32_MAX};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_int_equal(Query(1, unknown[i]), 0xDEADBEEF);
    assert_int_equal(Query(3, 0xA), 0xDEADBEEF);
    assert_int_equal(Query(-1, 0xA), 0xDEADBEEF);
}

TEST(PiecesWithoutReaderAnswerZero) {
    Merge(BODY, 0, -1, 0);
    At(1)->reader = NULL;
    assert_int_equal(Query(1, 0xE), 0);
    assert_int_equal(Query(1, 0xF), 0);
    assert_int_equal(Mesh_StageCount(&context, &mesh, 1), 0);
    MeshSlot slot;
    assert_false(Mesh_FindSlot(&context, At(1), 0, -1, &slot));
    assert_int_equal(counters.out_of_bounds, 0);
}

TEST(ReadsOutsideAreCounted) {
    Merge(BODY, 0, -1, 0);
    MeshSlot slot;
    At(2)->node = 3;
    assert_int_equal(Query(2, 0xE), 0);
    assert_int_equal(counters.out_of_bounds, 1);
    assert_false(Mesh_FindSlot(&context, At(2), 0, -1, &slot));
    assert_int_equal(counters.out_of_bounds, 2);
    At(1)->variant = 3; /* leads to node 2's flags, 0x31, which is not a slot */
    assert_false(Mesh_FindSlot(&context, At(1), 0, -1, &slot));
    assert_int_equal(counters.out_of_bounds, 3);
    context.counters = NULL;
    assert_int_equal(Query(2, 0xE), 0);
}

TEST(SlotsGoByLevelAndVariant) {
    Merge(BODY, 0, -1, 0);
    MeshSlot slot;
    assert_true(Mesh_FindSlot(&context, At(1), 0, -1, &slot));
    assert_int_equal(slot.first_batch, 1);
    assert_true(Mesh_FindSlot(&context, At(0), 0, 2, &slot));
    assert_false(Mesh_FindSlot(&context, At(0), 1, 2, &slot));
    assert_false(Mesh_FindSlot(&context, At(1), 0, 1, &slot));
    At(0)->variant = 2;
    Bytes_PutU16(Image_Stream(&images[BODY], 1) + 8 + 2 * 10, 2);
    assert_true(Mesh_FindSlot(&context, At(0), 0, -1, &slot));
    assert_int_equal(slot.first_batch, 2);
}

TEST(StagesAreCountedUpToTheFirstGap) {
    Merge(BODY, 0, -1, 0);
    assert_int_equal(Mesh_StageCount(&context, &mesh, 0), 3);
    assert_int_equal(Mesh_StageCount(&context, &mesh, 1), 1);
    assert_int_equal(Mesh_StageCount(&context, &mesh, 2), 0);
    assert_int_equal(Mesh_StageCount(&context, &mesh, 3), 0);
    /* stage 1 has no slot */
    Bytes_PutU16(Image_Stream(&images[BODY], 1) + 8 + 2 * 5, 0xFFFF);
    assert_int_equal(Mesh_StageCount(&context, &mesh, 0), 1);
}

TEST(NodeRecordHasTheParent) {
    static const uint32_t with_parent[6] = {0, 0, 0, 0, 0, 1}, nothing[6];
    static const uint32_t without[6] = {0, 0, 0, 0, 0, UINT32_MAX};
    uint32_t record[6];
    Merge(BODY, 0, -1, 0);
    Mesh_NodeRecord(&mesh, 2, record);
    assert_memory_equal(record, with_parent, sizeof record);
    Mesh_NodeRecord(&mesh, 0, record);
    assert_memory_equal(record, without, sizeof record);
    Mesh_NodeRecord(&mesh, 3, record);
    assert_memory_equal(record, nothing, sizeof record);
}

TEST(PiecesThatDoNotExistGiveZeros) {
    static const int32_t indices[] = {-1, 3, INT32_MAX, INT32_MIN};
    static const int32_t pairs[4] = {1, 2, 3, 4};
    const float one = 1;
    Merge(BODY, 0, -1, 0);
    Mesh before = mesh;
    Piece pieces[3];
    memcpy(pieces, At(0), sizeof pieces);
    for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
        assert_int_equal(Mesh_NodeFlags(&mesh, indices[i]), 0);
        assert_int_equal(Bits(Mesh_NodePhase(&mesh, indices[i])), 0);
        assert_int_equal(Mesh_NodeStage(&mesh, indices[i]), 0);
        assert_int_equal(Mesh_StageCount(&context, &mesh, indices[i]), 0);
        Mesh_ChangeNodeFlags(&mesh, indices[i], UINT32_MAX, MESH_OPERATION_SUBTREE);
        Mesh_SetNodePhase(&context, &mesh, indices[i], &one, &one);
        Mesh_SetNodeFramePairs(&mesh, indices[i], pairs);
        Mesh_SetNodeStage(&mesh, indices[i], 2);
        assert_false(Mesh_IsWithin(&mesh, indices[i], 0));
        assert_false(Mesh_IsWithin(&mesh, 0, indices[i]));
    }
    assert_memory_equal(&mesh, &before, sizeof before);
    assert_memory_equal(At(0), pieces, sizeof pieces);
}

/* ---- setters --------------------------------------------------------------------------------- */

TEST(SettersWriteTheirFieldsOnly) {
    static const int32_t pairs[4] = {1, -2, INT32_MAX, INT32_MIN};
    const float phase = 0.25f, weight = -3;
    Merge(BODY, 0, -1, 0);
    Piece piece = *At(1), others[3];
    memcpy(others, At(0), sizeof others);
    Mesh whole = mesh;

    Mesh_SetNodeFramePairs(&mesh, 1, pairs);
    piece.a_first = 1;
    piece.a_last = -2;
    piece.b_first = INT32_MAX;
    piece.b_last = INT32_MIN;
    assert_memory_equal(At(1), &piece, sizeof piece);
    Mesh_SetNodePhase(&context, &mesh, 1, &phase, &weight);
    piece.phase = 0.25f;
    piece.weight = -3;
    assert_memory_equal(At(1), &piece, sizeof piece);
    assert_true(Mesh_NodePhase(&mesh, 1) == 0.25f);
    Mesh_SetNodeStage(&mesh, 1, -7); /* the number is not checked */
    piece.variant = -7;
    assert_memory_equal(At(1), &piece, sizeof piece);
    assert_int_equal(Mesh_NodeStage(&mesh, 1), -7);
    assert_memory_equal(At(0), &others[0], sizeof others[0]);
    assert_memory_equal(At(2), &others[2], sizeof others[2]);

    Mesh_SetFramePairs(&mesh, pairs);
    whole.a_first = 1;
    whole.a_last = -2;
    whole.b_first = INT32_MAX;
    whole.b_last = INT32_MIN;
    assert_memory_equal(&mesh, &whole, sizeof whole);
    Mesh_SetPhase(&context, &mesh, &phase, &weight);
    whole.phase = 0.25f;
    whole.weight = -3;
    assert_memory_equal(&mesh, &whole, sizeof whole);
}

TEST(PhasesKeepSignallingBits) {
    uint32_t bits = 0x7F800001;
    float signalling[2];
    memcpy(&signalling[0], &bits, sizeof bits);
    bits = 0xFFBFFFFF;
    memcpy(&signalling[1], &bits, sizeof bits);
    Merge(BODY, 0, -1, 0);
    Mesh_SetPhase(&context, &mesh, &signalling[0], &signalling[1]);
    assert_memory_equal(&mesh.phase, signalling, sizeof signalling);
    Mesh_SetNodePhase(&context, &mesh, 2, &signalling[0], &signalling[1]);
    assert_memory_equal(&At(2)->phase, signalling, sizeof signalling);
}

static void SetValid(uint8_t valid) {
    for (int32_t i = 0; i < 3; i++)
        At(i)->cache_valid = valid;
}

static int ValidPieces(void) {
    return At(0)->cache_valid | At(1)->cache_valid << 1 | At(2)->cache_valid << 2;
}

TEST(NewWeightsClearTheCacheByReading) {
    const float one = 1, half = 0.5f, zero = 0, minus_zero = FromBits(0x80000000);
    Merge(BODY, 0, -1, 0);
    for (uint8_t choice = 0; choice < 3; choice++) {
        bool clears = choice == 1;
        arithmetic.readings.choice[READING_POSE_CACHE] = choice;
        SetValid(1);
        Mesh_SetPhase(&context, &mesh, &half, &zero);
        Mesh_SetNodePhase(&context, &mesh, 1, &half, &zero);
        assert_int_equal(ValidPieces(), 7); /* the weights were 0 */
        Mesh_SetNodePhase(&context, &mesh, 1, &half, &minus_zero);
        assert_int_equal(ValidPieces(), clears ? 5 : 7); /* the bits are compared */
        Mesh_SetNodePhase(&context, &mesh, 1, &half, &zero);
        SetValid(1);
        Mesh_SetPhase(&context, &mesh, &half, &one);
        assert_int_equal(ValidPieces(), clears ? 0 : 7);
        Mesh_SetPhase(&context, &mesh, &half, &zero);
    }
}

/* ---- flags ----------------------------------------------------------------------------------- */

TEST(FlagsAreSetClearedAndMirrored) {
    Merge(BODY, 0, -1, 0);
    SetValid(1);
    Mesh_ChangeNodeFlags(&mesh, 1, 0x7, 0);
    assert_int_equal(Mesh_NodeFlags(&mesh, 1), 7);
    assert_int_equal(At(1)->flying, 1);
    assert_int_equal(At(1)->own_segment | At(1)->tilted, 0);
    assert_int_equal(ValidPieces(), 7); /* 4 does not clear the cache */
    Mesh_ChangeNodeFlags(&mesh, 1, 0x8, 0xFFFFFDFE);
    assert_int_equal(Mesh_NodeFlags(&mesh, 1), 0xF);
    assert_int_equal(At(1)->own_segment, 1);
    assert_int_equal(ValidPieces(), 0);
    SetValid(1);
    Mesh_ChangeNodeFlags(&mesh, 1, 0x8, 0); /* it is set already */
    assert_int_equal(ValidPieces(), 7);
    Mesh_ChangeNodeFlags(&mesh, 1, 0x10, 2);
    assert_int_equal(At(1)->tilted, 1);
    assert_int_equal(ValidPieces(), 0);
    SetValid(1);
    Mesh_ChangeNodeFlags(&mesh, 1, 0x16, MESH_OPERATION_CLEAR);
    assert_int_equal(Mesh_NodeFlags(&mesh, 1), 9);
    assert_int_equal(At(1)->flying | At(1)->tilted, 0);
    assert_int_equal(At(1)->own_segment, 1);
    assert_int_equal(ValidPieces(), 0);
    assert_int_equal(Mesh_NodeFlags(&mesh, 0), PIECE_FIRST_OF_PART);
    assert_int_equal(Mesh_NodeFlags(&mesh, 2), 0);
}

/* Whatever the mask, the mirror bytes take the values that the flags have. */
TEST(MirrorsFollowTheFlags) {
    Merge(BODY, 0, -1, 0);
    At(1)->flags = PIECE_FLYING | PIECE_TILTED;
    At(1)->own_segment = 77;
    SetValid(1);
    Mesh_ChangeNodeFlags(&mesh, 1, PIECE_HIDDEN, 0);
    assert_int_equal(At(1)->flying, 1);
    assert_int_equal(At(1)->own_segment, 0);
    assert_int_equal(At(1)->tilted, 1);
    assert_int_equal(ValidPieces(), 7);
}

TEST(SubtreesAreChangedDownToTheirLeaves) {
    MergeNested();
    Mesh_ChangeNodeFlags(&mesh, 3, PIECE_HIDDEN, MESH_OPERATION_SUBTREE);
    /* part 5, part 2 on it, and part 7 on part 2; a barrel is hidden */
    for (int32_t i = 0; i < 13; i++)
        assert_int_equal(At(i)->flags & PIECE_HIDDEN,
                         i == 3 || i == 4 || i == 7 || i == 8 || i == 11 || i == 12);
    Mesh_ChangeNodeFlags(&mesh, 7, PIECE_HIDDEN, MESH_OPERATION_SUBTREE | MESH_OPERATION_CLEAR);
    for (int32_t i = 0; i < 13; i++)
        assert_int_equal(At(i)->flags & PIECE_HIDDEN, i == 3 || i == 4);
    Mesh_ChangeNodeFlags(&mesh, 0, PIECE_OWN_SEGMENT, MESH_OPERATION_SUBTREE);
    for (int32_t i = 0; i < 13; i++)
        assert_int_equal(At(i)->own_segment, 1);
}

TEST(PiecesBeforeTheirParentAreNobodysChildren) {
    Merge(BODY, 0, -1, 0);
    At(0)->parent = 2; /* a cycle over all three */
    assert_true(Mesh_IsWithin(&mesh, 2, 0));
    assert_true(Mesh_IsWithin(&mesh, 1, 1));
    assert_false(Mesh_IsWithin(&mesh, 0, 2));
    assert_false(Mesh_IsWithin(&mesh, 0, 1));
    Mesh_ChangeNodeFlags(&mesh, 1, PIECE_HIDDEN, MESH_OPERATION_SUBTREE);
    assert_int_equal(At(0)->flags & PIECE_HIDDEN, 0);
    assert_int_equal(At(1)->flags & At(2)->flags & PIECE_HIDDEN, PIECE_HIDDEN);
    At(1)->parent = 1; /* the piece is its own parent */
    assert_false(Mesh_IsWithin(&mesh, 1, 0));
    At(1)->parent = 99;
    assert_false(Mesh_IsWithin(&mesh, 2, 0));
}

/* ---- views ----------------------------------------------------------------------------------- */

TEST(ViewsAreKeptUntilTheyAreRemoved) {
    assert_false(Mesh_IsView(&mesh, 1));
    Mesh_RemoveView(&mesh, 1);
    for (uintptr_t view = 1; view <= 5; view++)
        assert_int_equal(Mesh_AddView(&context, &mesh, view, NULL), RP_OK);
    assert_int_equal(Mesh_AddView(&context, &mesh, 3, NULL), RP_OK); /* again */
    Mesh_RemoveView(&mesh, 3);
    Mesh_RemoveView(&mesh, 9);
    for (uintptr_t view = 0; view <= 6; view++)
        assert_true(Mesh_IsView(&mesh, view) == (view >= 1 && view <= 5 && view != 3));
    Mesh_RemoveView(&mesh, 5); /* the last */
    assert_false(Mesh_IsView(&mesh, 5));
    RpError error = {0};
    heap.refuse = SIZE_MAX;
    assert_int_equal(Mesh_AddView(&context, &mesh, 8, &error), RP_NO_MEMORY);
    assert_string_equal(error.where, "views");
    assert_false(Mesh_IsView(&mesh, 8));
    assert_true(Mesh_IsView(&mesh, 4));
}

AROUND_EACH(Setup, Teardown)
