/* Tests of the objects of scenario `mesh`. They are merged as the facts say, frozen in the
 * documented layout, thawed into the same object, and called only where the original's answer is
 * defined. */
#include "animesh/mesh.h"
#include "core/bytes.h"
#include "replay/image/mesh_image.h"
#include "replay/provider/native.h"
#include "replay/provider/native_mesh.h"
#include "replay/scenario/scenario.h"
#include "tests/of_thread.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS 20000

/* The layout of facts/animesh.md C.4 and D.1, stated here independently of the tables. */
enum { AT_PIECES = 0x1A8, AT_COUNT = 0x1AC, PIECES = 0x240, PIECE = 0x130 };
enum { TAG = 0, BASE = 4, NODE = 8, MATERIAL = 0x10, FLAGS = 0x14, PARENT = 0x18, READER = 0x12C };
enum { RES1_STRIDE = 38 };

static const char path[] = TEST_FOLDER "/meshes.rptrace";

/* ---- a trace of calls, and its memories ------------------------------------------------------ */

static TraceReader *Open(uint64_t seed, uint64_t count) {
    const ScenarioOptions options = {.seed = seed, .count = count, .force_cpu = -1};
    TraceReader *reader;
    assert_int_equal(Scenario_Write(Scenario_Find("mesh"), &options, path, NULL), RP_OK);
    assert_int_equal(TraceReader_Open(path, &reader, NULL), RP_OK);
    return reader;
}

static bool Next(TraceReader *reader, TraceCall *call) {
    bool found;
    assert_int_equal(TraceReader_Next(reader, call, &found, NULL), RP_OK);
    return found;
}

static TraceReader *OpenMemories(uint64_t seed) {
    TraceReader *reader = Open(seed, 3000);
    TraceCall call;
    while (Next(reader, &call))
        continue;
    return reader;
}

static void Close(TraceReader *reader) {
    TraceReader_Close(reader);
    remove(path);
}

static const TraceRelocation *Link(const TraceMemory *memory, uint32_t offset) {
    for (uint32_t i = 0; i < memory->relocation_count; i++)
        if (memory->relocations[i].offset == offset)
            return &memory->relocations[i];
    return NULL;
}

static bool IsObject(const TraceMemory *memory) {
    const TraceRelocation *link = Link(memory, AT_PIECES);
    return memory->size >= PIECES && link && link->target == memory->id;
}

typedef void Check(const TraceReader *reader, const TraceMemory *object);

static uint32_t ForObjects(Check *check) {
    TraceReader *reader = OpenMemories(1);
    uint32_t objects = 0;
    for (uint32_t i = 0; i < TraceReader_MemoryCount(reader); i++) {
        const TraceMemory *memory = TraceReader_MemoryAt(reader, i);
        if (!IsObject(memory))
            continue;
        check(reader, memory);
        objects++;
    }
    Close(reader);
    return objects;
}

/* ---- layout ---------------------------------------------------------------------------------- */

static uint32_t CountOf(const TraceMemory *object) {
    return Bytes_U32(object->bytes + AT_COUNT);
}

static const uint8_t *PieceOf(const TraceMemory *object, uint32_t piece) {
    return object->bytes + PIECES + piece * PIECE;
}

static void CheckLayout(const TraceReader *reader, const TraceMemory *object) {
    const TraceRelocation *pieces = Link(object, AT_PIECES);
    assert_int_equal(pieces->target_offset, PIECES);
    assert_true(CountOf(object) >= 1);
    assert_int_equal(object->size, PIECES + CountOf(object) * PIECE);
    assert_int_equal(object->relocation_count, 1 + CountOf(object));
    for (uint32_t i = 0; i < CountOf(object); i++) {
        const TraceRelocation *link = Link(object, PIECES + i * PIECE + READER);
        assert_non_null(link);
        assert_int_equal(TraceReader_Memory(reader, link->target)->size, 0xA4);
    }
}

TEST(ObjectsFollowTheLayout) {
    assert_true(ForObjects(CheckLayout) >= 100);
}

/* ---- merging --------------------------------------------------------------------------------- */

/* Returns a stream of the model that a piece belongs to, where the piece's reader points. */
static const uint8_t *StreamOf(const TraceReader *reader, const TraceMemory *object, uint32_t piece,
                               uint32_t field) {
    const TraceRelocation *link = Link(object, PIECES + piece * PIECE + READER);
    const TraceRelocation *stream = Link(TraceReader_Memory(reader, link->target), field);
    return TraceReader_Memory(reader, stream->target)->bytes + stream->target_offset;
}

static uint32_t NodesOf(const TraceReader *reader, const TraceMemory *object, uint32_t piece) {
    const uint8_t *first = StreamOf(reader, object, piece, 0x00);
    const TraceRelocation *link = Link(object, PIECES + piece * PIECE + READER);
    const uint32_t image = Link(TraceReader_Memory(reader, link->target), 0)->target;
    const TraceMemory *memory = TraceReader_Memory(reader, image);
    const uint8_t *directory = memory->bytes + memory->size - 64 * Bytes_U32(memory->bytes + 8);
    for (; Bytes_U32(directory) != 1 || memory->bytes + Bytes_U32(directory + 56) != first;
         directory += 64)
        continue;
    return Bytes_U32(directory + 4);
}

static uint32_t Res1Half(const TraceReader *reader, const TraceMemory *object, uint32_t piece,
                         uint32_t offset) {
    const uint8_t *node = StreamOf(reader, object, piece, 0x00) +
                          Bytes_U32(PieceOf(object, piece) + NODE) * RES1_STRIDE + offset;
    return (uint32_t)node[0] | (uint32_t)node[1] << 8;
}

/* Returns the text of a piece's node in Res10. */
static const char *LabelOf(const TraceReader *reader, const TraceMemory *object, uint32_t piece) {
    const uint8_t *record = StreamOf(reader, object, piece, 0x20);
    for (uint32_t node = Bytes_U32(PieceOf(object, piece) + NODE); node > 0; node--)
        record += 4 + (Bytes_U32(record) ? Bytes_U32(record) + 1 : 0);
    return Bytes_U32(record) ? (const char *)record + 4 : "";
}

static uint32_t central_pieces, attached_parts, nested_parts;

static uint32_t ExpectedParent(const TraceReader *reader, const TraceMemory *object, uint32_t piece,
                               uint32_t base, uint32_t attach) {
    const bool root = Bytes_U32(PieceOf(object, piece) + TAG) == 0;
    const uint32_t parent = Res1Half(reader, object, piece, 2);
    if (parent == 0xFFFF)
        return UINT32_MAX;
    return root ? parent : parent == 0 ? attach : base + parent - 1;
}

/* By facts/animesh.md E.8.6, pieces of a part whose node has Res1 flag 0x800 are hidden at a socket
 * called "central". */
static void CheckCentral(const TraceReader *reader, const TraceMemory *object, uint32_t piece,
                         uint32_t attach) {
    const bool central = strstr(LabelOf(reader, object, attach), "central") != NULL;
    if (!central || !(Res1Half(reader, object, piece, 0) & 0x800))
        return;
    assert_true(Bytes_U32(PieceOf(object, piece) + FLAGS) & 1);
    central_pieces++;
}

/* Returns the piece to which a part is attached. It is the parent of those pieces whose node has
 * node 0 as its parent. */
static uint32_t AttachOf(const TraceReader *reader, const TraceMemory *object, uint32_t base,
                         uint32_t end) {
    for (uint32_t i = base; i < end; i++)
        if (Res1Half(reader, object, i, 2) == 0)
            return Bytes_U32(PieceOf(object, i) + PARENT);
    return UINT32_MAX;
}

static void CheckPart(const TraceReader *reader, const TraceMemory *object, uint32_t base,
                      uint32_t end) {
    const uint32_t tag = Bytes_U32(PieceOf(object, base) + TAG);
    const uint32_t attach = tag ? AttachOf(reader, object, base, end) : UINT32_MAX;
    assert_int_equal(end - base, NodesOf(reader, object, base) - (tag ? 1 : 0));
    for (uint32_t i = base; i < end; i++) {
        const uint8_t *piece = PieceOf(object, i);
        assert_int_equal(Bytes_U32(piece + BASE), base);
        assert_int_equal(Bytes_U32(piece + NODE), i - base + (tag ? 1 : 0));
        assert_int_equal(Bytes_U32(piece + PARENT),
                         ExpectedParent(reader, object, i, base, attach));
        assert_int_equal(Bytes_U32(piece + MATERIAL) & 0xFFFF, 0);
        assert_int_equal((Bytes_U32(piece + FLAGS) & 0x01000000) != 0, i == base);
        if (tag)
            CheckCentral(reader, object, i, attach);
    }
    assert_true(tag == 0 || attach < base);
    attached_parts += tag != 0;
    nested_parts += tag && Bytes_U32(PieceOf(object, attach) + TAG);
}

static void CheckMerging(const TraceReader *reader, const TraceMemory *object) {
    for (uint32_t base = 0, end; base < CountOf(object); base = end) {
        for (end = base + 1; end < CountOf(object) && Bytes_U32(PieceOf(object, end) + TAG) ==
                                                          Bytes_U32(PieceOf(object, base) + TAG);
             end++)
            continue;
        CheckPart(reader, object, base, end);
    }
}

TEST(PartsAreMergedAsTheFactsSay) {
    central_pieces = attached_parts = nested_parts = 0;
    ForObjects(CheckMerging);
    assert_true(attached_parts >= 100 && nested_parts >= 20 && central_pieces >= 10);
}

/* Materials differ from part to part, so that a lost high half would show. */
static void CheckMaterial(const TraceReader *reader, const TraceMemory *object) {
    (void)reader;
    for (uint32_t i = 0; i < CountOf(object); i++)
        central_pieces += Bytes_U32(PieceOf(object, i) + MATERIAL) >> 16 != 0;
}

TEST(MaterialsAreInTheHighHalf) {
    central_pieces = 0;
    ForObjects(CheckMaterial);
    assert_true(central_pieces >= 100);
}

/* ---- thawing --------------------------------------------------------------------------------- */

static void CheckThawing(const TraceReader *reader, const TraceMemory *object) {
    MeshStates *states = MeshStates_Create();
    bool outside;
    assert_non_null(states);
    MeshStates_SetMemory(states, reader);
    MeshState *thawed = MeshStates_Find(states, object->id);
    assert_non_null(thawed);
    assert_ptr_equal(MeshStates_Find(states, object->id), thawed);
    const uint32_t patches[] = {0x1F4, 0x3E800000, PIECES + 0x114, 7};
    Mesh *mesh = MeshState_Enter(thawed, patches, 2);
    assert_non_null(mesh);
    assert_int_equal(mesh->piece_count, CountOf(object));
    assert_true(mesh->phase == 0.25f);
    const Piece *piece = MeshState_PieceAt(thawed, PIECES);
    assert_ptr_equal(piece, Mesh_Piece(mesh, 0));
    assert_memory_equal(&piece->phase, &patches[3], 4);
    assert_int_equal(piece->parent, -1);
    assert_null(MeshState_PieceAt(thawed, PIECES + 4));
    assert_null(MeshState_PieceAt(thawed, PIECES + CountOf(object) * PIECE));

    /* Everything that is not a pointer comes back, and a change outside of the ranges is
     * noticed. */
    uint32_t *words = malloc(object->size);
    assert_non_null(words);
    const uint32_t ranges[] = {0, AT_PIECES / 4, AT_COUNT, (PIECES + READER - AT_COUNT) / 4};
    assert_true(MeshState_Leave(thawed, ranges, 2, words, &outside));
    assert_false(outside);
    assert_memory_equal(words, object->bytes, AT_PIECES);
    assert_int_equal(words[AT_PIECES / 4], CountOf(object));
    assert_int_equal(words[(0x1F4 - 4) / 4], 0x3E800000);
    mesh->phase = 0.5f;
    const uint32_t phase[] = {0x1F4, 1}, others[] = {0x1F0, 1, 0x1F8, 1};
    assert_true(MeshState_Leave(thawed, phase, 1, words, &outside));
    assert_false(outside);
    assert_int_equal(words[0], 0x3F000000);
    assert_true(MeshState_Leave(thawed, others, 2, words, &outside));
    assert_true(outside);
    /* A later call begins again from the stored state. */
    mesh = MeshState_Enter(thawed, patches, 0);
    assert_memory_equal(&mesh->phase, object->bytes + 0x1F4, 4);
    free(words);
    MeshStates_Destroy(states);
}

TEST(ObjectsAreThawedAndReadBack) {
    ForObjects(CheckThawing);
}

static void CheckRefusals(const TraceReader *reader, const TraceMemory *object) {
    MeshStates *states = MeshStates_Create();
    uint32_t words[2];
    bool outside;
    assert_non_null(states);
    MeshStates_SetMemory(states, reader);
    MeshState *thawed = MeshStates_Find(states, object->id);
    const uint32_t wild[][2] = {
        {AT_PIECES, 1},      {PIECES + READER, 1}, {AT_COUNT, CountOf(object) + 1},
        {object->size, 0},   {UINT32_MAX - 3, 0},  {2, 0},
        {PIECES + PARENT, 0}};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++)
        assert_null(MeshState_Enter(thawed, wild[i], 1));
    const uint32_t gone[] = {PIECES + PARENT, CountOf(object) + 3};
    assert_non_null(MeshState_Enter(thawed, gone, 1));
    const uint32_t ranges[][2] = {{object->size, 1}, {object->size - 4, 2}, {UINT32_MAX - 3, 1}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        assert_false(MeshState_Leave(thawed, ranges[i], 1, words, &outside));
    const TraceRelocation *link = Link(object, PIECES + READER);
    assert_null(MeshStates_Find(states, link->target)); /* a reader is not an object */
    assert_null(MeshStates_Find(states, link->target));
    assert_null(MeshStates_Find(states, 0xDEAD));
    MeshStates_Destroy(states);
}

TEST(WildStatesAreRefused) {
    ForObjects(CheckRefusals);
}

TEST(ReadersMustBeListed) {
    Mesh mesh;
    Reader known, unknown;
    Piece pieces[2];
    MeshImage image;
    RpError error = {0};
    memset(&known, 0, sizeof known);
    memset(&unknown, 0, sizeof unknown);
    memset(pieces, 0, sizeof pieces);
    Mesh_Init(&mesh);
    mesh.pieces = (const uint8_t *)pieces;
    mesh.piece_count = 2;
    mesh.shade = 0x1234;
    pieces[0].reader = (const uint8_t *)&known;
    const MeshImageReader readers[] = {{&known, 7, 16}};
    assert_int_equal(MeshImage_Freeze(&mesh, 5, readers, 1, &image, &error), RP_OK);
    assert_int_equal(image.relocation_count, 2); /* a piece may have no reader */
    assert_int_equal(image.relocations[1].target, 7);
    assert_int_equal(image.relocations[1].target_offset, 16);
    assert_int_equal(Bytes_U32(image.bytes + 0x3C), 0); /* the shade belongs to this process */
    /* the handle of a worn object does not */
    assert_int_equal(Bytes_U32(image.bytes + 0x208), UINT32_MAX);
    assert_int_equal(Bytes_U32(image.bytes + 0x158), 0x3F800000);
    MeshImage_Free(&image);
    pieces[1].reader = (const uint8_t *)&unknown;
    assert_int_equal(MeshImage_Freeze(&mesh, 5, readers, 1, &image, &error), RP_NOT_FOUND);
    assert_null(image.bytes);
}

/* ---- calls ----------------------------------------------------------------------------------- */

TEST(EveryCallReturnsAndStaysInItsRanges) {
    TraceReader *reader = Open(3, CALLS);
    Native *native = Native_Create();
    TraceCall call;
    assert_non_null(native);
    Native_SetMemory(native, reader);
    while (Next(reader, &call)) {
        assert_int_equal(Native_Call(native, &call, NULL), RP_OK);
        if (call.outcome != TRACE_RETURNED || call.violations)
            print_error("%s %u\n", call.function->key, (unsigned)call.sequence);
        assert_int_equal(call.outcome, TRACE_RETURNED);
        assert_int_equal(call.violations, 0);
    }
    Native_Destroy(native);
    Close(reader);
}

typedef struct Walks {
    uint32_t calls, hits, misses, flying, tilted, own, scaled, orphans, one_sided;
} Walks;

static void CountPiece(const Mesh *mesh, const Piece *before, const Piece *after, Walks *walks) {
    const bool same = memcmp(before->local, after->local, sizeof before->local) == 0;
    walks->hits += same && !before->flying;
    walks->misses += !same;
    walks->flying += before->flying != 0;
    walks->tilted += before->tilted && !before->flying;
    walks->own += before->own_segment && !before->flying;
    walks->scaled += mesh->scaled && !same;
    walks->orphans += before->parent != -1 && !Mesh_Piece(mesh, before->parent);
}

static void CountWalk(MeshStates *states, const MeshContext *context, const TraceCall *call,
                      Walks *walks) {
    const SignatureState at = Signature_ReadState(call->inputs);
    uint32_t *patches = malloc(8 * (size_t)at.patch_count + 1);
    MeshState *thawed = MeshStates_Find(states, at.memory);
    assert_non_null(patches);
    memcpy(patches, at.patches, 8 * (size_t)at.patch_count);
    Mesh *mesh = MeshState_Enter(thawed, patches, at.patch_count);
    assert_non_null(mesh);
    const size_t bytes = mesh->piece_count * sizeof(Piece);
    Piece *before = malloc(bytes);
    assert_non_null(before);
    memcpy(before, mesh->pieces, bytes);
    walks->one_sided += mesh->a_first == -1 || mesh->b_first == -1;
    Mesh_Pose(context, mesh);
    for (uint32_t i = 0; i < mesh->piece_count; i++)
        CountPiece(mesh, &before[i], Mesh_Piece(mesh, (int32_t)i), walks);
    walks->calls++;
    free(before);
    free(patches);
}

/* In the scenario's own control words no blend is without a side, and no read leaves a stream. */
TEST(WalksAreDefinedAndOfEveryKind) {
    RpPoseCounters counters = {0};
    const MeshContext context = {.arithmetic = OF_THREAD(RP_BUILD_GENERIC),
                                 .math = &Mesh_LibraryMath,
                                 .find = MeshState_Model,
                                 .counters = &counters};
    TraceReader *reader = Open(4, CALLS);
    MeshStates *states = MeshStates_Create();
    Walks walks = {0};
    TraceCall call;
    assert_non_null(states);
    MeshStates_SetMemory(states, reader);
    while (Next(reader, &call)) {
        if (strcmp(call.function->key, "animesh.PoseWalk") != 0 &&
            strcmp(call.function->key, "animesh.IAnimation.4") != 0 &&
            strcmp(call.function->key, "animesh.IMesh2.15") != 0 &&
            strcmp(call.function->key, "animesh.MeshBounds") != 0)
            continue;
        const uint16_t word = RpFpu_ControlWord();
        RpFpu_Restore(call.control_in);
        CountWalk(states, &context, &call, &walks);
        RpFpu_Restore(word);
    }
    MeshStates_Destroy(states);
    Close(reader);
    assert_int_equal(counters.undefined, 0);
    assert_int_equal(counters.out_of_bounds, 0);
    assert_true(walks.calls >= 3000 && walks.hits >= 2000 && walks.misses >= 2000);
    assert_true(walks.flying >= 1000 && walks.tilted >= 1000 && walks.own >= 1000);
    assert_true(walks.scaled >= 500 && walks.orphans >= 10 && walks.one_sided >= 100);
}
