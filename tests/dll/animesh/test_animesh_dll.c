/* Tests of the built AniMesh.dll: its exports, the loader on an archive of ours, and what reads the
 * readers that it fills, called by the signatures of the ABI tables. */
#include "tests/animesh/fixture.h"

#include "animesh/layout.h"
#include "animesh/streams.h"
#include "core/random.h"
#include "dll/animesh/resfile.h"
#include "retropose/nres.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

/* ---- the pair -------------------------------------------------------------------------------- */

typedef ABI_PROTO_animesh_LoadAgent((*LoadAgentFunction));
typedef ABI_PROTO_animesh_LoadAniMesh((*LoadAniMeshFunction));
typedef ABI_PROTO_animesh_RetroposeInternal((*RetroposeInternalFunction));
typedef ABI_PROTO_animesh_LoadReader((*LoadReaderFunction));
typedef ABI_PROTO_animesh_FindSlot((*FindSlotFunction));
typedef ABI_PROTO_animesh_NodeString((*NodeStringFunction));
typedef ABI_PROTO_animesh_SampleNode((*SampleNodeFunction));
typedef ABI_PROTO_animesh_BlendPoses((*BlendPosesFunction));
typedef ABI_PROTO_animesh_PoseWalk((*PoseWalkFunction));

static struct {
    HMODULE ngi32, animesh;
    RetroposeInternalFunction internal;
    LoadReaderFunction load_reader;
    FindSlotFunction find_slot;
    NodeStringFunction node_string;
    SampleNodeFunction sample;
    BlendPosesFunction blend;
    PoseWalkFunction pose_walk;
    uintptr_t *fast_proc;
} pair;

static uintptr_t Export(HMODULE module, const char *name) {
    return (uintptr_t)GetProcAddress(module, name);
}

static int LoadPair(void **state) {
    (void)state;
    pair.ngi32 = LoadLibraryA(REPLACEMENT_DIRECTORY "/Ngi32.dll");
    pair.animesh = LoadLibraryA(REPLACEMENT_DIRECTORY "/AniMesh.dll");
    if (!pair.ngi32 || !pair.animesh) {
        fprintf(stderr, "no pair in %s (error %lu)\n", REPLACEMENT_DIRECTORY, GetLastError());
        return -1;
    }
    pair.internal = (RetroposeInternalFunction)Export(pair.animesh, "RetroposeInternal");
    pair.load_reader = (LoadReaderFunction)pair.internal(0x10015FD0);
    pair.find_slot = (FindSlotFunction)pair.internal(0x100124D0);
    pair.node_string = (NodeStringFunction)pair.internal(0x10012530);
    pair.sample = (SampleNodeFunction)pair.internal(0x10012880);
    pair.blend = (BlendPosesFunction)pair.internal(0x10012560);
    pair.pose_walk = (PoseWalkFunction)pair.internal(0x10008B30);
    pair.fast_proc = (uintptr_t *)Export(pair.ngi32, "g_FastProc");
    return 0;
}

static int UnloadPair(void **state) {
    (void)state;
    return FreeLibrary(pair.animesh) && FreeLibrary(pair.ngi32) ? 0 : -1;
}

static void Reload(const char *variable, const char *value) {
    SetEnvironmentVariableA(variable, value);
    assert_int_equal(UnloadPair(NULL), 0);
    assert_null(GetModuleHandleA("AniMesh.dll"));
    assert_int_equal(LoadPair(NULL), 0);
    SetEnvironmentVariableA(variable, NULL);
}

TEST(InternalsAreFoundByTheirAddress) {
    static const uint32_t addresses[] = {0x10015FD0, 0x100124D0, 0x10012530, 0x10012880,
                                         0x10012560, 0x1000B8E0, 0x1000B600};
    static const uint32_t others[] = {0, 0x12880, 0x10012881, 0x10012883, 0x10008B31, 0xFFFFFFFF};
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        assert_true(pair.internal(addresses[i]) != 0);
        for (size_t k = 0; k < i; k++)
            assert_true(pair.internal(addresses[i]) != pair.internal(addresses[k]));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_true(pair.internal(others[i]) == 0);
}

TEST(ComponentsThatDoNotExistAreNull) {
    LoadAgentFunction agent = (LoadAgentFunction)Export(pair.animesh, "LoadAgent");
    LoadAniMeshFunction mesh = (LoadAniMeshFunction)Export(pair.animesh, "LoadAniMesh");
    assert_true(agent("objects.rlb", "r_h_01", 0, 1) == 0);
    assert_true(agent(NULL, NULL, 0, 0) == 0);
    assert_true(mesh("static.rlb", "tree.msh", 0, 0) == 0);
}

/* ---- an archive ------------------------------------------------------------------------------ */

enum { MAX_STREAMS = 24 };

typedef struct Archive {
    const void *const *vtable;
    ResRecord records[MAX_STREAMS];
    const void *data[MAX_STREAMS];
    int count;
    uint32_t found[64]; /* the types that were asked for, in order */
    int find_count;
    uint32_t opened[64]; /* the types whose data were asked for, in order */
    int open_count;
    int touches; /* number of pages that were touched: the loader asks for none */
} Archive;

static ABI_PROTO_ngi32_INResFile_4(Archive_Directory) {
    return (uintptr_t)((Archive *)self)->records;
}

static ABI_PROTO_ngi32_INResFile_6(Archive_Data) {
    Archive *archive = (Archive *)self;
    assert_in_range(index, 0, archive->count - 1);
    archive->opened[archive->open_count++] = archive->records[index].type;
    archive->touches += touch != 0;
    return (uintptr_t)archive->data[index];
}

static ABI_PROTO_ngi32_INResFile_8(Archive_FindType) {
    Archive *archive = (Archive *)self;
    archive->found[archive->find_count++] = type;
    for (int i = 0; i < archive->count; i++)
        if (archive->records[i].type == type)
            return i;
    return RES_ABSENT;
}

static void Archive_Begin(Archive *archive) {
    static const void *const vtable[] = {NULL,
                                         NULL,
                                         NULL,
                                         NULL,
                                         (const void *)(uintptr_t)Archive_Directory,
                                         NULL,
                                         (const void *)(uintptr_t)Archive_Data,
                                         NULL,
                                         (const void *)(uintptr_t)Archive_FindType};
    memset(archive, 0, sizeof *archive);
    archive->vtable = vtable;
}

static void Archive_Add(Archive *archive, uint32_t type, uint32_t attr1, uint32_t attr2,
                        const void *data, uint32_t size) {
    archive->records[archive->count] =
        (ResRecord){.type = type, .attr1 = attr1, .attr2 = attr2, .size = size, .attr3 = 0xA3};
    archive->data[archive->count++] = data;
}

/* The payloads are indexed by type. Of most of them the loader only wants the address. */
static uint8_t payload[32][256];

static void Archive_AddAll(Archive *archive, const uint32_t *types, int count) {
    for (int i = 0; i < count; i++)
        Archive_Add(archive, types[i], 0x100 + types[i], 0x200 + types[i], payload[types[i]], 64);
}

static const uint32_t required_types[] = {1, 2, 3, 4, 5, 10, 8, 19, 7, 13, 6};
static const uint32_t find_order[] = {1, 2, 3, 4, 5, 10, 8, 19, 7, 13, 6, 15, 16, 18, 20};

static void PutAt(uint8_t *reader, uint32_t offset, uintptr_t value) {
    memcpy(reader + offset, &value, 4);
}

static void PutPayload(uint8_t *reader, uint32_t offset, uint32_t type) {
    PutAt(reader, offset, (uintptr_t)payload[type]);
}

/* Expects all bytes of facts/animesh.md D.2 except those of the four optional streams, which keep
 * what they were. */
static void ExpectRequired(uint8_t *reader) {
    static const struct {
        uint8_t offset, type;
    } streams[] = {{0x00, 1},  {0x04, 2}, {0x0C, 3},  {0x10, 4}, {0x14, 5}, {0x20, 10}, {0x18, 8},
                   {0x1C, 19}, {0x24, 7}, {0x28, 13}, {0x2C, 6}, {0x3C, 3}, {0x44, 4},  {0x5C, 5}};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        PutPayload(reader, streams[i].offset, streams[i].type);
    PutAt(reader, 0x08, (uintptr_t)payload[2] + 0x8C);
    PutAt(reader, 0x40, 12);
    PutAt(reader, 0x48, 4);
    PutAt(reader, 0x60, 4);
    PutAt(reader, 0x90, 8);
    PutAt(reader, 0x94, 0);
    PutAt(reader, 0x9C, 0x200 + 19);
}

TEST(LoaderFillsTheReader) {
    Archive archive;
    Archive_Begin(&archive);
    for (int i = 14; i >= 0; i--) /* in another order than the loader asks in */
        Archive_AddAll(&archive, &find_order[i], 1);
    uint8_t reader[0xA4 + 4], expected[0xA4 + 4];
    memset(reader, 0xC7, sizeof reader);
    /* The bytes 0x6C to 0x8B, the byte 0x98 and those past the end keep this value. */
    memset(expected, 0xC7, sizeof expected);
    pair.load_reader(reader, &archive);

    ExpectRequired(expected);
    PutPayload(expected, 0x34, 15);
    PutPayload(expected, 0x8C, 15);
    PutPayload(expected, 0x38, 16);
    PutPayload(expected, 0x4C, 16);
    PutAt(expected, 0x50, 8);
    PutAt(expected, 0x54, (uintptr_t)payload[16] + 4);
    PutAt(expected, 0x58, 8);
    PutPayload(expected, 0x64, 18);
    PutAt(expected, 0x68, 4);
    PutPayload(expected, 0x30, 20);
    PutAt(expected, 0xA0, 0x100 + 20);
    assert_memory_equal(reader, expected, sizeof reader);

    assert_int_equal(archive.find_count, 15);
    assert_memory_equal(archive.found, find_order, sizeof find_order);
    assert_int_equal(archive.open_count, 15);
    assert_memory_equal(archive.opened, find_order, sizeof find_order);
    assert_int_equal(archive.touches, 0);
}

/* Returns the image of an archive that has all streams, each filled with its type. */
static RpBuffer ImageOfAllStreams(void) {
    RpNResArchive archive;
    RpBuffer image;
    uint8_t data[64];
    RpNResArchive_Init(&archive, NULL);
    RpBuffer_Init(&image, NULL);
    for (uint32_t i = 0; i < 15; i++) {
        uint32_t type = find_order[i];
        memset(data, (int)type, sizeof data);
        RpNResMember member = {.type = type,
                               .attr1 = 0x100 + type,
                               .attr2 = 0x200 + type,
                               .name = "stream",
                               .data = data,
                               .size = sizeof data};
        assert_int_equal(RpNResArchive_Add(&archive, i, &member, NULL), RP_OK);
    }
    assert_int_equal(RpNResArchive_Write(&archive, RP_NRES_CANONICAL, &image, NULL), RP_OK);
    RpNResArchive_Free(&archive);
    return image;
}

/* Both replacements work together here: AniMesh 0x1000A52E opens its models through Ngi32.dll. */
TEST(LoaderReadsTheArchivesThatNgi32Opens) {
    char folder[MAX_PATH], path[MAX_PATH];
    RpBuffer image = ImageOfAllStreams();
    assert_true(GetTempPathA(sizeof folder, folder) && GetTempFileNameA(folder, "rpm", 0, path));
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(image.bytes, 1, image.size, file), image.size);
    fclose(file);
    ABI_PROTO_ngi32_niOpenResFileEx((*open)) =
        (ABI_PROTO_ngi32_niOpenResFileEx((*)))Export(pair.ngi32, "niOpenResFileEx");
    uintptr_t archive = open(path, 4);
    assert_true(archive != 0);
    Reader reader;
    memset(&reader, 0xC7, sizeof reader);
    pair.load_reader(&reader, (void *)archive);
    const struct {
        const uint8_t *stream;
        uint8_t type;
    } streams[] = {{reader.nodes, 1},       {reader.header, 2},     {reader.positions, 3},
                   {reader.normals, 4},     {reader.uv0, 5},        {reader.indices, 6},
                   {reader.triangles, 7},   {reader.keys, 8},       {reader.strings, 10},
                   {reader.batches, 13},    {reader.res15, 15},     {reader.res16, 16},
                   {reader.uv1_stream, 18}, {reader.frame_map, 19}, {reader.res20, 20}};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        assert_true(streams[i].stream[0] == streams[i].type &&
                    streams[i].stream[63] == streams[i].type);
    assert_int_equal(reader.frame_count, 0x200 + 19);
    assert_int_equal(reader.res20_count, 0x100 + 20);
    Reload("RETROPOSE_LOG", ""); /* unloads the view */
    assert_true(DeleteFileA(path));
    RpBuffer_Free(&image);
}

TEST(LoaderClearsMissingOptionalStreams) {
    Archive archive;
    Archive_Begin(&archive);
    Archive_AddAll(&archive, required_types, 11);
    uint8_t reader[0xA4], expected[0xA4];
    memset(reader, 0xC7, sizeof reader);
    memset(expected, 0xC7, sizeof expected); /* the strides 0x50 and 0x58 keep this value, too */
    pair.load_reader(reader, &archive);

    static const uint8_t nulls[] = {0x34, 0x8C, 0x38, 0x4C, 0x54, 0x64, 0x68, 0x30, 0xA0};
    ExpectRequired(expected);
    for (size_t i = 0; i < sizeof nulls; i++)
        PutAt(expected, nulls[i], 0);
    assert_memory_equal(reader, expected, sizeof reader);
    assert_int_equal(archive.find_count, 15);
    assert_int_equal(archive.open_count, 11);
}

TEST(LoaderSurvivesMissingRequiredStreams) {
    Archive archive;
    Archive_Begin(&archive);
    Reader reader;
    memset(&reader, 0xC7, sizeof reader);
    pair.load_reader(&reader, &archive);
    assert_null(reader.nodes);
    assert_true((uintptr_t)reader.slots == 0x8C); /* the offset that seed 001 adds to a null Res2 */
    assert_null(reader.keys);
    assert_null(reader.bitangent_stream);
    assert_int_equal(reader.frame_count, 0);
    assert_int_equal(reader.res20_count, 0);

    Piece piece = {.reader = (Layout_ref)&reader, .node = 3};
    float q[4], p[3], m[16];
    pair.sample(&piece, 1, q, p);
    AssertAllBits(q, (const float[]){1, 0, 0, 0}, 4);
    AssertAllBits(p, (const float[]){0, 0, 0}, 3);
    pair.blend(&piece, 0, 0, 0.5f, m);
    AssertBits(m[15], 1);
    assert_null(pair.find_slot(&piece, 0, 0));
    assert_null(pair.node_string(&piece));
}

/* The attributes of an empty stream count even if it has no data. */
TEST(LoaderTakesTheFrameCountOfAnEmptyMap) {
    Archive archive;
    Archive_Begin(&archive);
    Archive_Add(&archive, 19, 0, 1, NULL, 0);
    Archive_Add(&archive, 20, 5, 0, NULL, 0);
    Reader reader;
    pair.load_reader(&reader, &archive);
    assert_int_equal(reader.frame_count, 1);
    assert_int_equal(reader.res20_count, 0); /* found, but not opened */
}

TEST(LoaderGivesColoursAStrideWhereTheyAreFound) {
    Archive archive;
    Archive_Begin(&archive);
    Archive_Add(&archive, 16, 0, 0, NULL, 0);
    Archive_Add(&archive, 18, 0, 0, NULL, 0);
    Reader reader;
    memset(&reader, 0xC7, sizeof reader);
    pair.load_reader(&reader, &archive);
    assert_null(reader.uv1_stream);
    assert_int_equal(reader.uv1_stride, 4);
    assert_null(reader.bitangent_stream);
    /* This stride depends on the data, unlike uv1_stride. */
    assert_int_equal(reader.bitangent_stride, 0xC7C7C7C7);
}

/* ---- poses ----------------------------------------------------------------------------------- */

static void Load(Reader *reader, const RpSkeleton *model) {
    Archive archive;
    Archive_Begin(&archive);
    Archive_Add(&archive, 1, 0, 0, model->nodes, model->node_bytes);
    Archive_Add(&archive, 8, 0, 0, model->keys, model->key_bytes);
    Archive_Add(&archive, 19, 0, model->frame_count, model->frame_map, model->frame_map_bytes);
    pair.load_reader(reader, &archive);
}

/* Fills a reader that no loader has seen, so that the sizes of its streams are unknown. */
static void Point(Reader *reader, const RpSkeleton *model) {
    memset(reader, 0, sizeof *reader);
    reader->nodes = model->nodes;
    reader->keys = model->keys;
    reader->frame_map = model->frame_map;
    reader->frame_count = model->frame_count;
}

static void ComparePoses(const char *readings) {
    RpProcessor processor;
    RpProcessor_Detect(&processor);
    RpArithmetic settings = {.build = RpProcessor_Build(&processor)};
    settings.readings = ReadingsOf(readings);
    uint64_t seed = 6;
    for (int i = 0; i < 1000; i++) {
        TestModel test;
        TestModel_MakeRandom(&test, &seed, 0);
        Reader reader;
        (i % 2 ? Load : Point)(&reader, &test.model);
        for (int k = 0; k < 32; k++) {
            Piece piece = {.reader = (Layout_ref)&reader};
            piece.node = (uint32_t)(Random_SplitMix(&seed) % RpSkeleton_NodeCount(&test.model));
            float t_a = Random_SplitMixBetween(&seed, -1, (float)test.model.frame_count + 1);
            float t_b = (float)(Random_SplitMix(&seed) % (2 * test.model.frame_count + 2)) / 2;
            float weight = k % 4 ? Random_SplitMixBetween(&seed, 0, 1) : (float)(k / 4 % 2);
            float q[2][4], p[2][3], m[2][16];
            settings.control_word = k % 3 ? GAME_WORD : k % 2 ? 0x027F : 0x0F7F;
            uint16_t word = ControlWord_Set(settings.control_word);
            pair.sample(&piece, t_a, q[0], p[0]);
            pair.blend(&piece, t_a, t_b, weight, m[0]);
            ControlWord_Set(word); /* the library uses the word of its settings */
            RpPose_Sample(&test.model, &settings, piece.node, t_a, q[1], p[1], NULL);
            RpPose_Blend(&test.model, &settings, piece.node, t_a, t_b, weight, m[1], NULL);
            AssertAllBits(q[0], q[1], 4);
            AssertAllBits(p[0], p[1], 3);
            AssertAllBits(m[0], m[1], 16);
        }
    }
}

TEST(ReadingsComeFromTheEnvironment) {
    static const char text[] = "key-order=wxyz,key-scale=divide,key-lerp=weights,flip-sum=pairs";
    Reload("RETROPOSE_READINGS", text);
    ComparePoses(text);
    /* this text is malformed, so the defaults hold */
    Reload("RETROPOSE_READINGS", "key-order=zyxw");
    ComparePoses("");
}

static int slot_calls[3];
static ABI_PROTO_ngi32_slot14(CountMatrix) {
    slot_calls[0]++;
    for (int i = 0; i < 16; i++)
        matrix[i] = quaternion[i % 4];
}
static ABI_PROTO_ngi32_slot17(CountInterpolation) {
    (void)q0, (void)q1;
    slot_calls[1]++;
    for (int i = 0; i < 4; i++)
        result[i] = t;
}
static ABI_PROTO_ngi32_slot22(CountBlend) {
    (void)t;
    slot_calls[2]++;
    for (int i = 0; i < 4; i++)
        result[i] = q0[i] + q1[i];
}

/* The table of Ngi32.dll is looked up at each call, because other code may change it while AniMesh
 * is loaded. */
TEST(PosesGoThroughTheTable) {
    const uintptr_t saved[3] = {pair.fast_proc[14], pair.fast_proc[17], pair.fast_proc[22]};
    pair.fast_proc[14] = (uintptr_t)CountMatrix;
    pair.fast_proc[17] = (uintptr_t)CountInterpolation;
    pair.fast_proc[22] = (uintptr_t)CountBlend;
    TestModel test;
    TestModel_MakeTrack(&test);
    Reader reader;
    Point(&reader, &test.model);
    Piece piece = {.reader = (Layout_ref)&reader};
    float m[16];
    pair.blend(&piece, 1, 2, 0.5f, m); /* 0.25 and 0.5 between keys 0 and 1 */
    pair.fast_proc[14] = saved[0];
    pair.fast_proc[17] = saved[1];
    pair.fast_proc[22] = saved[2];
    assert_int_equal(slot_calls[0], 1);
    assert_int_equal(slot_calls[1], 2);
    assert_int_equal(slot_calls[2], 1);
    for (int i = 0; i < 16; i++)
        if (i != 3 && i != 7 && i != 11)
            AssertBits(m[i], 0.75f);
}

/* ---- walks ----------------------------------------------------------------------------------- */

enum { WALKED_PIECES = 70 };

typedef struct Walked {
    TestModel model;
    Reader reader;
    Mesh mesh;
    Piece pieces[WALKED_PIECES];
} Walked;

/* Makes an object of pieces that nothing has posed yet. */
static void MakeWalked(Walked *walked, uint64_t *seed, uint32_t odd_words) {
    memset(walked, 0, sizeof *walked);
    TestModel_MakeRandom(&walked->model, seed, odd_words);
    Load(&walked->reader, &walked->model.model);
    walked->mesh.pieces = (Layout_ref)walked->pieces;
    walked->mesh.piece_count = WALKED_PIECES;
    walked->mesh.a_last = (int32_t)walked->model.model.frame_count;
    walked->mesh.b_first = 1;
    walked->mesh.phase = Random_SplitMixBetween(seed, 0, 1);
    walked->mesh.weight = Random_SplitMixBetween(seed, 0, 1);
    for (int i = 0; i < 16; i++)
        walked->mesh.placement[i] = Random_SplitMixBetween(seed, -1, 1);
    for (int i = 0; i < WALKED_PIECES; i++) {
        Piece *piece = &walked->pieces[i];
        piece->node = (uint32_t)i % RpSkeleton_NodeCount(&walked->model.model);
        piece->parent = i == 0 ? -1 : (int32_t)(Random_SplitMix(seed) % (uint64_t)i);
        piece->tilted = i % 8 == 5;
        piece->previous_tilt[0] = piece->tilt[1] = 1;
        piece->reader = (Layout_ref)&walked->reader;
    }
}

static int passed_on;
static uintptr_t passed_to;
static ABI_PROTO_ngi32_slot14(PassOnMatrix) {
    passed_on++;
    ((ABI_PROTO_ngi32_slot14((*)))passed_to)(quaternion, matrix);
}
static ABI_PROTO_ngi32_slot17(PassOnInterpolation) {
    passed_on++;
    ((ABI_PROTO_ngi32_slot17((*)))passed_to)(q0, q1, t, result);
}
static ABI_PROTO_ngi32_slot22(PassOnBlend) {
    passed_on++;
    ((ABI_PROTO_ngi32_slot22((*)))passed_to)(q0, q1, t, result);
}
static ABI_PROTO_ngi32_slot28(PassOnProduct) {
    passed_on++;
    ((ABI_PROTO_ngi32_slot28((*)))passed_to)(a, b, product);
}

/* The pose walk does not call slots that are our own functions. A slot that other code has replaced
 * is called from then on, and the bits stay the same. */
TEST(WalksAskTheTable) {
    static const struct {
        int slot;
        uintptr_t code;
    } replaced[] = {{14, (uintptr_t)PassOnMatrix},
                    {17, (uintptr_t)PassOnInterpolation},
                    {22, (uintptr_t)PassOnBlend},
                    {28, (uintptr_t)PassOnProduct}};
    static Walked first, walked;
    uint64_t seed = 21;
    const uint16_t word = ControlWord_Set(GAME_WORD);
    for (int round = 0; round < 50; round++) {
        MakeWalked(&first, &seed, round % 2 ? 100 : 0);
        memcpy(&walked, &first, sizeof walked);
        pair.pose_walk(&first.mesh);
        walked.mesh.pieces = (Layout_ref)walked.pieces;
        for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++) {
            for (int k = 0; k < WALKED_PIECES; k++)
                walked.pieces[k].cache_valid = 0;
            passed_on = 0;
            passed_to = pair.fast_proc[replaced[i].slot];
            pair.fast_proc[replaced[i].slot] = replaced[i].code;
            pair.pose_walk(&walked.mesh);
            pair.fast_proc[replaced[i].slot] = passed_to;
            assert_true(passed_on > 0);
            for (int k = 0; k < WALKED_PIECES; k++) {
                AssertAllBits(walked.pieces[k].local, first.pieces[k].local, 16);
                AssertAllBits(walked.pieces[k].model, first.pieces[k].model, 16);
                AssertAllBits(walked.pieces[k].world, first.pieces[k].world, 16);
            }
        }
    }
    ControlWord_Set(word);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

TEST(OnlyLoadedReadersHaveBounds) {
    TestModel test;
    TestModel_MakeTrack(&test);
    test.model.frame_map_bytes = 4; /* the rest of the map is still there, past the end */
    Reader loaded, pointed;
    Load(&loaded, &test.model);
    Point(&pointed, &test.model);
    Piece inside = {.reader = (Layout_ref)&loaded}, outside = {.reader = (Layout_ref)&pointed};
    float q[4], p[3];
    pair.sample(&inside, 4, q, p);
    AssertAllBits(p, (const float[]){-7, 11, 1e-3f}, 3); /* the fallback key */
    pair.sample(&outside, 4, q, p);
    /* Without bounds the pose is what the original reads. */
    AssertAllBits(p, (const float[]){5.25f, -2, 0.1f}, 3);

    test.model.frame_map_bytes = 22;
    Load(&loaded, &test.model); /* loading again replaces the known sizes */
    pair.sample(&inside, 4, q, p);
    AssertAllBits(p, (const float[]){5.25f, -2, 0.1f}, 3);

    test.model.frame_map_bytes = 4;
    Load(&loaded, &test.model);
    /* other code changed this, so what was known of the reader no longer holds */
    loaded.frame_count++;
    pair.sample(&inside, 4, q, p);
    AssertAllBits(p, (const float[]){5.25f, -2, 0.1f}, 3);
}

TEST(ShortenedStreamsAreNeverLeft) {
    TestModel test;
    TestModel_MakeTrack(&test);
    for (int stream = 0; stream < 3; stream++) {
        RpSkeleton whole = test.model;
        uint32_t bytes = stream == 0 ? 38 : stream == 1 ? 72 : 22;
        for (uint32_t size = 0; size < bytes; size++) {
            RpSkeleton model = whole;
            const uint8_t *from = stream == 0   ? whole.nodes
                                  : stream == 1 ? whole.keys
                                                : whole.frame_map;
            Guarded cut = Guarded_Copy(from, size);
            *(stream == 0   ? &model.nodes
              : stream == 1 ? &model.keys
                            : &model.frame_map) = cut.bytes;
            *(stream == 0   ? &model.node_bytes
              : stream == 1 ? &model.key_bytes
                            : &model.frame_map_bytes) = size;
            Reader reader;
            Load(&reader, &model);
            Piece piece = {.reader = (Layout_ref)&reader};
            float q[4], p[3], m[16];
            for (int quarter = -1; quarter < 50; quarter++) {
                pair.sample(&piece, (float)quarter / 4, q, p);
                pair.blend(&piece, (float)quarter / 4, 2, 0.5f, m);
            }
            for (int variant = -1; variant < 4; variant++)
                for (int level = -1; level < 6; level++)
                    pair.find_slot(&piece, level, variant);
            Guarded_Free(&cut);
        }
    }
}

TEST(StringsEndWithTheirStream) {
    static const uint8_t strings[] = {3, 0, 0, 0, 'a',  'b',  'c',  0,
                                      0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF};
    for (uint32_t size = 0; size <= sizeof strings; size++) {
        Guarded cut = Guarded_Copy(strings, size);
        Archive archive;
        Archive_Begin(&archive);
        Archive_Add(&archive, 10, 0, 0, cut.bytes, size);
        Reader reader;
        pair.load_reader(&reader, &archive);
        for (uint32_t node = 0; node < 5; node++) {
            Piece piece = {.reader = (Layout_ref)&reader, .node = node};
            const void *text = pair.node_string(&piece);
            assert_ptr_equal(text, node == 0 && size >= 8 ? cut.bytes + 4 : NULL);
        }
        Guarded_Free(&cut);
    }
}

/* The table of sizes has a limited size: old readers are overwritten, but the newest is always
 * known. */
TEST(NewestReaderIsKnownHoweverManyThereAre) {
    static Reader readers[5000];
    TestModel test;
    TestModel_MakeTrack(&test);
    test.model.frame_map_bytes = 4;
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        Load(&readers[i], &test.model);
        Piece piece = {.reader = (Layout_ref)&readers[i]};
        float q[4], p[3];
        pair.sample(&piece, 4, q, p);
        AssertBits(p[0], -7);
    }
}

static DWORD WINAPI LoadAndSample(LPVOID argument) {
    uint64_t seed = (uintptr_t)argument;
    for (int i = 0; i < 20000; i++) {
        TestModel test;
        TestModel_MakeTrack(&test);
        bool cut = Random_SplitMix(&seed) % 2;
        test.model.frame_map_bytes = cut ? 4 : 22;
        Reader reader;
        Load(&reader, &test.model);
        Piece piece = {.reader = (Layout_ref)&reader};
        float q[4], p[3];
        pair.sample(&piece, 4, q, p);
        if (Bits(p[0]) != Bits(cut ? -7 : 5.25f))
            return 1;
    }
    return 0;
}

TEST(ThreadsShareTheTable) {
    HANDLE threads[4];
    for (uintptr_t i = 0; i < 4; i++)
        threads[i] = CreateThread(NULL, 0, LoadAndSample, (void *)(i + 1), 0, NULL);
    for (int i = 0; i < 4; i++) {
        DWORD failed;
        assert_int_equal(WaitForSingleObject(threads[i], 120000), WAIT_OBJECT_0);
        assert_true(GetExitCodeThread(threads[i], &failed));
        assert_int_equal(failed, 0);
        CloseHandle(threads[i]);
    }
}

/* ---- log ------------------------------------------------------------------------------------- */

static int CountLines(const char *text, const char *words) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, words)) != NULL; at++)
        count++;
    return count;
}

TEST(LogSaysEachThingOnce) {
    char folder[MAX_PATH], path[MAX_PATH], text[16384];
    assert_true(GetTempPathA(sizeof folder, folder) != 0);
    assert_true(GetTempFileNameA(folder, "rp", 0, path) != 0);
    Reload("RETROPOSE_LOG", path);
    ComponentsThatDoNotExistAreNull(NULL);
    for (int i = 0; i < 3; i++) {
        LoaderSurvivesMissingRequiredStreams(NULL);
        StringsEndWithTheirStream(NULL);
    }
    Reader reader;
    TestModel test;
    TestModel_MakeTrack(&test);
    Load(&reader, &test.model);
    Piece piece = {.reader = (Layout_ref)&reader};
    float m[16];
    for (int i = 0; i < 3; i++)
        pair.blend(&piece, -1, -1, 0.5f, m);
    assert_int_equal(UnloadPair(NULL), 0);

    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    DeleteFileA(path);
    assert_int_equal(LoadPair(NULL), 0);
    assert_int_equal(CountLines(text, "AniMesh: Retropose "), 1); /* the head */
    assert_int_equal(CountLines(text, "LoadAgent("), 2);          /* one for each that failed */
    assert_int_equal(CountLines(text, "LoadAniMesh("), 1);
    assert_int_equal(CountLines(text, "without Res1,"), 1);
    assert_int_equal(CountLines(text, "without Res10"), 1);
    assert_int_equal(CountLines(text, "without Res15"), 0);
    assert_int_equal(CountLines(text, "outside a model's streams, in"), 1);
    assert_int_equal(CountLines(text, "neither side valid, of"), 1);
    assert_int_equal(CountLines(text, "3 blends"), 1); /* the totals, at the end */
}

AROUND_ALL(LoadPair, UnloadPair)
