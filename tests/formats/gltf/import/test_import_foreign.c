/* Tests of files as other programs write them, made by hand here, and of wrong files. */
#include "core/random.h"
#include "core/text/encoding.h"
#include "tests/formats/gltf/document.h"
#include "tests/formats/gltf/models.h"
#include "tests/formats/refusal.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- files ----------------------------------------------------------------------------------- */

/* The buffer of a file, made of parts that are aligned to 4 bytes. Each part is a view. */
typedef struct Maker {
    RpBuffer bin;
    char views[2048];
} Maker;

static void Make_Begin(Maker *maker) {
    RpBuffer_Init(&maker->bin, NULL);
    maker->views[0] = 0;
}

static void Make_View(Maker *maker, const void *bytes, size_t size, const char *more) {
    size_t length = strlen(maker->views);
    RpBuffer_Align(&maker->bin, 4);
    snprintf(maker->views + length, sizeof maker->views - length,
             "%s{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u%s}", length ? "," : "",
             (unsigned)maker->bin.size, (unsigned)size, more);
    RpBuffer_Append(&maker->bin, bytes, size);
}

/* Writes glTF text. `body` follows the asset, the views and the buffer. */
static void Make_Text(Maker *maker, const char *body, RpBuffer *text) {
    RpBuffer_Init(text, NULL);
    RpBuffer_AppendText(text, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,");
    if (maker->bin.size > 0) {
        RpBuffer_Print(text, "\"bufferViews\":[%s],\"buffers\":[{\"byteLength\":%u,\"uri\":\"",
                       maker->views, (unsigned)maker->bin.size);
        RpBuffer_AppendText(text, "data:application/octet-stream;base64,");
        Base64_Encode(maker->bin.bytes, maker->bin.size, text);
        RpBuffer_AppendText(text, "\"}],");
    }
    RpBuffer_AppendText(text, body);
    RpBuffer_AppendText(text, "}");
    RpBuffer_Free(&maker->bin);
}

typedef struct Imported {
    RpNResArchive archive;
    RpMsh msh;
    Notes notes;
    RpStatus status;
    RpError error;
} Imported;

static void Imported_Free(Imported *imported) {
    RpNResArchive_Free(&imported->archive);
}

static void ImportText(Imported *imported, const void *bytes, size_t size,
                       const RpGltfImportOptions *given) {
    RpGltfImportOptions options = given ? *given : RpGltfImportOptions_Default();
    memset(&imported->error, 0, sizeof imported->error);
    Notes_Begin(&imported->notes);
    options.notes = &imported->notes.sink;
    RpNResArchive_Init(&imported->archive, NULL);
    imported->status = RpGltf_Import(bytes, size, &options, &imported->archive, &imported->error);
    if (imported->status == RP_OK)
        assert_int_equal(RpMsh_Open(RpNResArchive_Entries(&imported->archive), RP_STRICT,
                                    &imported->msh, &imported->error),
                         RP_OK);
}

static void Import(Imported *imported, Maker *maker, const char *body,
                   const RpGltfImportOptions *options) {
    OWNED(RpBuffer) text;
    Make_Text(maker, body, &text);
    ImportText(imported, text.bytes, text.size, options);
}

static void ImportGood(Imported *imported, Maker *maker, const char *body) {
    Import(imported, maker, body, NULL);
    if (imported->status != RP_OK)
        fail_msg("%s %s %s", imported->error.what, imported->error.where, imported->error.expected);
}

/* One node with one mesh of one primitive. */
#define ONE_MESH(accessors, primitive)                                                             \
    "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"hull\",\"mesh\":0}],\"accessors\":"       \
    "[" accessors "],\"meshes\":[{\"primitives\":[{" primitive "}]}]"
#define FLOATS3(view, count)                                                                       \
    "{\"bufferView\":" #view ",\"count\":" #count ",\"componentType\":5126,\"type\":\"VEC3\"}"

static const float square[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};

/* Imports a file whose view 0 is the square. */
static void ImportSquare(Imported *imported, const char *body) {
    Maker maker;
    Make_Begin(&maker);
    Make_View(&maker, square, sizeof square, "");
    ImportGood(imported, &maker, body);
}

static void AssertPosition(const RpMsh *msh, uint32_t vertex, float x, float y, float z) {
    float position[3];
    assert_true(RpMsh_Position(msh, vertex, position));
    assert_float_equal(position[0], x, 1e-6);
    assert_float_equal(position[1], y, 1e-6);
    assert_float_equal(position[2], z, 1e-6);
}

/* Compares the place that a vertex of a node has in the model. */
static void AssertPlace(const RpMsh *msh, uint32_t node, uint32_t vertex, double x, double y,
                        double z) {
    static const RpReadings readings;
    double matrices[8][16];
    const double expected[3] = {x, y, z};
    float p[3];
    assert_true(RpMsh_Count(msh, RP_MSH_NODES) <= 8);
    assert_int_equal(RpMsh_PoseNodes(msh, &readings, 0.0, false, matrices, NULL), RP_OK);
    assert_true(RpMsh_Position(msh, vertex, p));
    const double *m = matrices[node];
    for (int i = 0; i < 3; i++) {
        double place = m[4 * i] * p[0] + m[4 * i + 1] * p[1] + m[4 * i + 2] * p[2] + m[4 * i + 3];
        assert_float_equal((float)place, (float)expected[i], 1e-3F);
    }
}

static void AssertIndices(const RpMsh *msh, const uint16_t *expected, uint32_t count) {
    assert_int_equal(RpMsh_Count(msh, RP_MSH_INDICES), count);
    for (uint32_t i = 0; i < count; i++) {
        uint16_t index;
        assert_true(RpMsh_Index(msh, i, &index));
        assert_int_equal(index, expected[i]);
    }
}

/* ---- geometry -------------------------------------------------------------------------------- */

TEST(AxesAreTurnedAndNamesKept) {
    OWNED(Imported) imported;
    ImportSquare(&imported, ONE_MESH(FLOATS3(0, 3), "\"attributes\":{\"POSITION\":0}"));
    uint32_t length;
    assert_memory_equal(RpMsh_Text(&imported.msh, RP_MSH_NAMES, 0, &length), "hull", 4);
    AssertPosition(&imported.msh, 2, 0, 0, 1); /* up in glTF is up in the model */
    AssertIndices(&imported.msh, (const uint16_t[]){0, 1, 2}, 3);
    int8_t normal[4];
    assert_true(RpMsh_Normal(&imported.msh, 0, normal));
    assert_int_equal(normal[1], -127); /* towards the viewer */
    assert_true(Notes_Has(&imported.notes, "G28") && Notes_Has(&imported.notes, "G29"));
}

TEST(IndicesOfAllSizesStripsAndFans) {
    static const uint8_t bytes[] = {0, 1, 2, 3};
    static const uint16_t shorts[] = {0, 1, 2, 3};
    static const uint32_t words[] = {0, 1, 2, 3};
    static const struct {
        const void *indices;
        size_t size;
        const char *accessor, *mode;
        uint16_t expected[6];
        uint32_t count;
    } cases[] = {
        {bytes, 4, "5121", "4", {0, 1, 2}, 3},
        {shorts, 8, "5123", "5", {0, 1, 2, 1, 3, 2}, 6},
        {words, 16, "5125", "6", {1, 2, 0, 2, 3, 0}, 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Maker maker;
        OWNED(Imported) imported;
        char body[1024];
        Make_Begin(&maker);
        Make_View(&maker, square, sizeof square, "");
        Make_View(&maker, cases[i].indices, cases[i].size, "");
        snprintf(body, sizeof body,
                 ONE_MESH(FLOATS3(0, 4) ",{\"bufferView\":1,\"count\":4,\"componentType\":%s,"
                                        "\"type\":\"SCALAR\"}",
                          "\"attributes\":{\"POSITION\":0},\"indices\":1,\"mode\":%s"),
                 cases[i].accessor, cases[i].mode);
        ImportGood(&imported, &maker, body);
        AssertIndices(&imported.msh, cases[i].expected, cases[i].count);
    }
}

TEST(PointsAndLinesAreLeftOut) {
    OWNED(Imported) imported;
    ImportSquare(&imported, ONE_MESH(FLOATS3(0, 4), "\"attributes\":{\"POSITION\":0},\"mode\":1"));
    assert_true(Notes_Has(&imported.notes, "G30"));
    assert_int_equal(RpMsh_Count(&imported.msh, RP_MSH_BATCHES), 0);
}

TEST(ScaleGoesIntoVerticesAndChildren) {
    OWNED(Imported) imported;
    ImportSquare(
        &imported,
        "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"scale\":[2,3,4],\"children\":[1]},"
        "{\"translation\":[1,1,1],\"rotation\":[0,0,0.7071067811865476,"
        "0.7071067811865476],\"mesh\":0}],\"accessors\":[" FLOATS3(
            0, 4) "],"
                  "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":5}]}]");
    /* In glTF (1, 0, 0) is turned to (0, 1, 0), moved to (1, 2, 1) and scaled to (2, 6, 4). */
    AssertPlace(&imported.msh, 1, 1, 2, -4, 6);
    AssertPlace(&imported.msh, 1, 2, 0, -4, 3);
}

TEST(AMirrorTurnsTrianglesRound) {
    OWNED(Imported) imported;
    ImportSquare(&imported,
                 "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"scale\":[-1,1,1],\"mesh\":0}],"
                 "\"accessors\":[" FLOATS3(
                     0, 3) "],"
                           "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]");
    AssertPlace(&imported.msh, 0, 1, -1, 0, 0);
    AssertIndices(&imported.msh, (const uint16_t[]){0, 2, 1}, 3);
}

TEST(AMatrixIsTakenApart) {
    OWNED(Imported) imported;
    /* The matrix takes x to 2y and y to -x, shears z into x, and moves by (5, 6, 7). */
    ImportSquare(
        &imported,
        "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"matrix\":[0,2,0,0,-1,0,0,0,0.5,0,1,0,5,6,"
        "7,1],\"mesh\":0}],\"accessors\":[" FLOATS3(
            0, 4) "],"
                  "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":5}]}]");
    AssertPlace(&imported.msh, 0, 1, 5, -7, 8);
    AssertPlace(&imported.msh, 0, 3, 4, -7, 8);
}

TEST(QuantisedInterleavedAndSparseAccessors) {
    static const int16_t shorts[4][4] = {
        {0, 0, 0, 0}, {100, 0, 0, 0}, {0, 100, 0, 0}, {0, 0, 0, 0}};
    static const uint8_t places[] = {3};
    static const int16_t values[4] = {100, 100, -50, 0};
    static const int8_t normals[4][4] = {
        {0, 0, 127, 0}, {0, 0, 127, 0}, {0, 0, 127, 0}, {0, 127, 0, 0}};
    Maker maker;
    OWNED(Imported) imported;
    Make_Begin(&maker);
    Make_View(&maker, shorts, sizeof shorts, ",\"byteStride\":8");
    Make_View(&maker, places, sizeof places, "");
    Make_View(&maker, values, sizeof values, "");
    Make_View(&maker, normals, sizeof normals, ",\"byteStride\":4");
    ImportGood(&imported, &maker,
               "\"extensionsRequired\":[\"KHR_mesh_quantization\"]," ONE_MESH(
                   "{\"bufferView\":0,\"count\":4,\"componentType\":5122,\"type\":\"VEC3\","
                   "\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":1,\"componentType\":5121},"
                   "\"values\":{\"bufferView\":2}}},{\"bufferView\":3,\"count\":4,"
                   "\"componentType\":5120,\"normalized\":true,\"type\":\"VEC3\"}",
                   "\"attributes\":{\"POSITION\":0,\"NORMAL\":1},\"mode\":5"));
    AssertPosition(&imported.msh, 1, 100, 0, 0);
    AssertPosition(&imported.msh, 3, 100, 50, 100);
    int8_t normal[4];
    assert_true(RpMsh_Normal(&imported.msh, 3, normal));
    assert_int_equal(normal[2], 127);
}

TEST(PrimitivesThatShareVerticesComputeTheirOwnNormals) {
    /* The first two triangles are level, the third one is upright, and the last vertex is in none.
     */
    static const float places[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                       {0, 0, 0}, {0, 1, 0}, {0, 0, 1}, {9, 9, 9}};
    static const uint8_t indices[] = {0, 1, 2, 1, 3, 2, 4, 5, 6};
    static const int8_t expected[8][3] = {{0, -127, 0}, {0, -127, 0}, {0, -127, 0}, {0, -127, 0},
                                          {127, 0, 0},  {127, 0, 0},  {127, 0, 0},  {0, 0, 0}};
    Maker maker;
    OWNED(Imported) imported;
    Make_Begin(&maker);
    Make_View(&maker, places, sizeof places, "");
    Make_View(&maker, indices, sizeof indices, "");
    ImportGood(&imported, &maker,
               ONE_MESH(FLOATS3(0, 8) ",{\"bufferView\":1,\"count\":6,\"componentType\":5121,"
                                      "\"type\":\"SCALAR\"},{\"bufferView\":1,\"byteOffset\":6,"
                                      "\"count\":3,\"componentType\":5121,\"type\":\"SCALAR\"}",
                        "\"attributes\":{\"POSITION\":0},\"indices\":1},{"
                        "\"attributes\":{\"POSITION\":0},\"indices\":2"));
    for (uint32_t i = 0; i < 8; i++) {
        int8_t normal[4];
        assert_true(RpMsh_Normal(&imported.msh, i, normal));
        assert_memory_equal(normal, expected[i], 3);
    }
}

TEST(ALargePrimitiveIsSplit) {
    enum { VERTICES = 70000 };
    Maker maker;
    OWNED(Imported) imported;
    float position[3] = {0, 0, 0};
    OWNED(RpBuffer) positions = {0}, indices = {0};
    for (uint32_t i = 0; i < VERTICES; i++) {
        position[0] = (float)(i % 300);
        position[1] = (float)i / 300;
        RpBuffer_Append(&positions, position, sizeof position);
    }
    for (uint32_t i = 0; i + 2 < VERTICES; i += 3)
        for (uint32_t j = 0; j < 3; j++)
            RpBuffer_AppendU32(&indices, VERTICES - 1 - i - j);
    Make_Begin(&maker);
    Make_View(&maker, positions.bytes, positions.size, "");
    Make_View(&maker, indices.bytes, indices.size, "");
    ImportGood(&imported, &maker,
               ONE_MESH(FLOATS3(0, 70000) ",{\"bufferView\":1,\"count\":69999,"
                                          "\"componentType\":5125,\"type\":\"SCALAR\"}",
                        "\"attributes\":{\"POSITION\":0},\"indices\":1"));
    assert_int_equal(RpMsh_Count(&imported.msh, RP_MSH_BATCHES), 2);
    assert_int_equal(RpMsh_Count(&imported.msh, RP_MSH_TRIANGLES), 23333);
    assert_true(Notes_Has(&imported.notes, "G26"));
    RpMshBatch batch;
    assert_true(RpMsh_Batch(&imported.msh, 1, &batch));
    uint16_t index;
    assert_true(RpMsh_Index(&imported.msh, batch.first_index, &index));
    uint32_t source = VERTICES - 1 - batch.first_index;
    AssertPosition(&imported.msh, batch.base_vertex + index, (float)(source % 300), 0,
                   (float)source / 300);
}

TEST(MaterialsBecomeRowsByNameOrOrder) {
    OWNED(Imported) imported;
    RpMshBatch batch;
    ImportSquare(
        &imported,
        "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"accessors\":[" FLOATS3(
            0, 3) "],\"materials\":[{\"name\":\"steel\"},{\"name\":\"rust\",\"doubleSided\":true},"
                  "{\"name\":\"row 9.001\"}],\"meshes\":[{\"primitives\":["
                  "{\"attributes\":{\"POSITION\":0},\"material\":1},"
                  "{\"attributes\":{\"POSITION\":0},\"material\":2}]}]");
    assert_true(RpMsh_Batch(&imported.msh, 0, &batch));
    assert_int_equal(batch.material, 1);
    assert_int_equal(batch.flags, 2);
    assert_int_equal(batch.lightmap, 0xFF);
    assert_true(RpMsh_Batch(&imported.msh, 1, &batch));
    assert_int_equal(batch.material, 9);
    assert_int_equal(batch.base_vertex, 0); /* the same accessors: the same vertices */
}

/* ---- animation ------------------------------------------------------------------------------- */

static void ImportMotion(Imported *imported, const float *times, uint32_t count,
                         const void *outputs, size_t size, const char *type, const char *path,
                         const char *interpolation) {
    Maker maker;
    char body[1024];
    RpGltfImportOptions options = RpGltfImportOptions_Default();
    options.frames_per_second = 10.0;
    Make_Begin(&maker);
    Make_View(&maker, times, count * sizeof *times, "");
    Make_View(&maker, outputs, size, "");
    snprintf(body, sizeof body,
             "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"arm\"}],\"accessors\":["
             "{\"bufferView\":0,\"count\":%u,\"componentType\":5126,\"type\":\"SCALAR\"},"
             "{\"bufferView\":1,\"count\":%u,\"componentType\":5126,\"type\":\"%s\"}],"
             "\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1,\"interpolation\":\"%s\"}],"
             "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"%s\"}}]}]",
             (unsigned)count, (unsigned)(strcmp(interpolation, "CUBICSPLINE") ? count : 3 * count),
             type, interpolation, path);
    Import(imported, &maker, body, &options);
}

static void AssertKeys(const RpMsh *msh, const float *times, uint32_t count) {
    assert_int_equal(RpMsh_Count(msh, RP_MSH_KEYS), count);
    for (uint32_t i = 0; i < count; i++) {
        RpMshKey key;
        assert_true(RpMsh_Key(msh, i, &key));
        assert_float_equal(key.time, times[i], 0.0);
    }
}

TEST(LinearMotionNeedsItsOwnKeysOnly) {
    static const float times[] = {0.0F, 0.5F, 1.2F},
                       path[3][3] = {{0, 0, 0}, {5, 1, 0}, {-2, 8, 4}};
    OWNED(Imported) imported;
    ImportMotion(&imported, times, 3, path, sizeof path, "VEC3", "translation", "LINEAR");
    assert_int_equal(imported.status, RP_OK);
    assert_int_equal(imported.msh.frame_count, 13);
    AssertKeys(&imported.msh, (const float[]){0, 5, 12}, 3);
    RpMshKey key;
    assert_true(RpMsh_Key(&imported.msh, 1, &key));
    assert_float_equal(key.position[2], 1.0, 0.0); /* y in glTF */
}

TEST(StepsHoldUntilTheNextFrame) {
    static const float times[] = {0.0F, 0.4F, 0.8F}, path[3][3] = {{0, 0, 0}, {5, 0, 0}, {9, 0, 0}};
    OWNED(Imported) imported;
    ImportMotion(&imported, times, 3, path, sizeof path, "VEC3", "translation", "STEP");
    assert_int_equal(imported.status, RP_OK);
    AssertKeys(&imported.msh, (const float[]){0, 3, 4, 7, 8}, 5);
}

TEST(SplinesAreSampled) {
    static const float times[] = {0.0F, 1.0F};
    /* The first incoming tangent and the last outgoing one have no effect. */
    static const float spline[6][3] = {{99, 0, 0}, {0, 0, 0}, {8, 0, 0},
                                       {-4, 0, 0}, {4, 0, 0}, {50, 0, 0}};
    OWNED(Imported) imported;
    ImportMotion(&imported, times, 2, spline, sizeof spline, "VEC3", "translation", "CUBICSPLINE");
    assert_int_equal(imported.status, RP_OK);
    RpSkeleton model;
    RpArithmetic settings = {.build = RP_BUILD_SSE};
    float q[4], p[3];
    assert_int_equal(RpMsh_Skeleton(&imported.msh, &model, NULL), RP_OK);
    RpPose_Sample(&model, &settings, 0, 5.0F, q, p, NULL);
    assert_float_equal(p[0], 3.5, 1e-5); /* h00*0 + h10*8 + h01*4 + h11*-4 at 0.5 */
}

TEST(TurnsArriveInTheSenseOfTheGame) {
    static const float times[] = {0.0F, 1.0F};
    static const float turns[2][4] = {{0, 0, 0, 1}, {0, 0.70710678F, 0, 0.70710678F}};
    static const RpReadings readings;
    double matrix[1][16];
    OWNED(Imported) imported;
    ImportMotion(&imported, times, 2, turns, sizeof turns, "VEC4", "rotation", "LINEAR");
    assert_int_equal(imported.status, RP_OK);
    AssertKeys(&imported.msh, (const float[]){0, 10}, 2);
    /* A quarter turn about y, which is up in glTF, turns x to -z. In the model it is about z and
     * turns x to y. */
    assert_int_equal(RpMsh_PoseNodes(&imported.msh, &readings, 10.0, false, matrix, NULL), RP_OK);
    assert_float_equal((float)matrix[0][4], 1.0F, 1e-4F);
}

/* The second turn is a quarter turn about y, written with the sign that is farther from the first.
 * It ends between two frames, so that the pose of the frame before has to be a key. */
TEST(TurnsTakeTheShorterArc) {
    static const float times[] = {0.0F, 0.55F, 1.1F};
    static const float turns[3][4] = {
        {0, 0, 0, 1}, {0, -0.70710678F, 0, -0.70710678F}, {0, -0.70710678F, 0, -0.70710678F}};
    static const RpReadings readings;
    double matrix[1][16];
    OWNED(Imported) imported;
    ImportMotion(&imported, times, 3, turns, sizeof turns, "VEC4", "rotation", "LINEAR");
    assert_int_equal(imported.status, RP_OK);
    assert_int_equal(RpMsh_PoseNodes(&imported.msh, &readings, 5.0, false, matrix, NULL), RP_OK);
    assert_float_equal((float)matrix[0][4], 0.98982F, 1e-4F); /* the sine of 10/11 of 90 degrees */
    assert_float_equal((float)matrix[0][0], 0.14231F, 1e-4F);
}

/* ---- parts of files -------------------------------------------------------------------------- */

static RpStatus LoadSquare(void *context, const char *uri, RpBuffer *bytes, RpError *error) {
    (void)error;
    *(bool *)context = strcmp(uri, "square.bin") == 0;
    RpBuffer_Append(bytes, square, sizeof square);
    return RP_OK;
}

TEST(BuffersOfOtherFilesComeFromTheCaller) {
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"bufferViews\":[{\"buffer\":0,"
        "\"byteLength\":48}],\"buffers\":[{\"byteLength\":48,\"uri\":\"square.bin\"}]," ONE_MESH(
            FLOATS3(0, 3), "\"attributes\":{\"POSITION\":0}") "}";
    bool asked = false;
    OWNED(Imported) imported;
    RpGltfImportOptions options = RpGltfImportOptions_Default();
    ImportText(&imported, text, sizeof text - 1, &options);
    assert_int_equal(imported.status, RP_UNSUPPORTED);
    assert_string_equal(imported.error.found, "square.bin");
    options.load = LoadSquare;
    options.load_context = &asked;
    ImportText(&imported, text, sizeof text - 1, &options);
    assert_int_equal(imported.status, RP_OK);
    assert_true(asked);
}

TEST(WhatModelsCannotSayIsNoted) {
    OWNED(Imported) imported;
    ImportSquare(
        &imported,
        "\"scenes\":[{\"nodes\":[0]},{\"nodes\":[1]}],\"nodes\":[{\"mesh\":0,\"skin\":0,"
        "\"camera\":0},{\"name\":\"\xE6\xB0\xB4\"}],\"skins\":[{\"joints\":[0]}],"
        "\"accessors\":[" FLOATS3(0, 3) "],\"meshes\":[{\"primitives\":[{\"attributes\":{"
                                        "\"POSITION\":0},\"targets\":[{\"POSITION\":0}]}]}]");
    assert_true(Notes_Has(&imported.notes, "G21") && Notes_Has(&imported.notes, "G22"));
    assert_true(Notes_Has(&imported.notes, "G24") && Notes_Has(&imported.notes, "G27"));
}

/* The name of a material ends with the portal that it had. Where the extras are lost, the nodes of
 * the file are counted. */
TEST(PortalsOutliveTheExtras) {
    static const struct {
        const char *name;
        uint16_t portal;
        bool noted;
    } cases[] = {
        {"row 3 flags 0102.00.0001", 1, false},
        {"row 3 flags 0102.00.0002", RP_MSH_NONE, true},
        {"row 3 flags 0102.00.FFFF", RP_MSH_NONE, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(Imported) imported;
        RpMshBatch batch;
        OWNED(RpBuffer) body = {0};
        RpBuffer_Print(&body,
                       "\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0},{}],\"accessors\":"
                       "[" FLOATS3(0, 3) "],\"materials\":[{\"name\":\"%s\"}],\"meshes\":[{"
                                         "\"primitives\":[{\"attributes\":{\"POSITION\":0},"
                                         "\"material\":0}]}]",
                       cases[i].name);
        ImportSquare(&imported, (const char *)body.bytes);
        assert_true(RpMsh_Batch(&imported.msh, 0, &batch));
        assert_int_equal(batch.portal, cases[i].portal);
        assert_int_equal(batch.flags, 0x100); /* the file says that it has one side */
        assert_int_equal(Notes_Has(&imported.notes, "G41"), cases[i].noted);
    }
}

TEST(NumbersThatDoNotFitAreNoted) {
    static const float near_uv[4][2] = {{-32.0F, 31.999F}, {0, 0}, {1, 1}, {0, 1}};
    static const float far_uv[4][2] = {{-33.0F, 0}, {0, 0}, {1, 1}, {0, 1}};
    for (int i = 0; i < 2; i++) {
        OWNED(Imported) imported;
        Maker maker;
        Make_Begin(&maker);
        Make_View(&maker, square, sizeof square, "");
        Make_View(&maker, i ? far_uv : near_uv, sizeof near_uv, "");
        OWNED(RpBuffer) body = {0};
        RpBuffer_Print(
            &body,
            "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"materials\":[{"
            "\"extras\":{\"retropose\":{\"flags\":%d}}}],\"accessors\":[" FLOATS3(
                0, 3) ",{\"bufferView\":1,\"count\":3,\"componentType\":5126,"
                      "\"type\":\"VEC2\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{"
                      "\"POSITION\":0,\"TEXCOORD_0\":1%s},\"material\":0}]}]",
            i ? 65536 : 65535, i ? ",\"COLOR_0\":0" : "");
        ImportGood(&imported, &maker, (const char *)body.bytes);
        assert_int_equal(Notes_Has(&imported.notes, "G42"), i);
        assert_int_equal(Notes_Has(&imported.notes, "G43"), i);
        assert_int_equal(Notes_Has(&imported.notes, "G44"), i);
    }
}

/* ---- files that are wrong -------------------------------------------------------------------- */

TEST(EveryFaultHasItsOwnError) {
    static const struct {
        RpStatus status;
        const char *body, *what;
    } cases[] = {
        {RP_CORRUPT, "\"scenes\":[{\"nodes\":[3]}],\"nodes\":[{}]", "no such node"},
        {RP_NOT_FOUND, "\"scenes\":[{\"nodes\":[]}],\"nodes\":[{}]", "no nodes"},
        {RP_CORRUPT, "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[0]}]", "two places"},
        {RP_CORRUPT, "\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"children\":[1]},{}]",
         "two places"},
        {RP_CORRUPT, "\"scenes\":[{\"nodes\":[0]}],\"nodes\":7", "not an array"},
        {RP_CORRUPT, "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[7]", "not an object"},
        {RP_CORRUPT, "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":1}]", "no such mesh"},
        {RP_CORRUPT, "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"scale\":[1,2]}]", "place"},
        {RP_CORRUPT, "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"translation\":[1,2,1e39]}]",
         "place"},
        {RP_CORRUPT, ONE_MESH("", "\"attributes\":{\"POSITION\":0}"), "no such accessor"},
        {RP_CORRUPT, ONE_MESH(FLOATS3(0, 3), "\"attributes\":{}"), "no positions"},
        {RP_CORRUPT, ONE_MESH(FLOATS3(5, 3), "\"attributes\":{\"POSITION\":0}"), "no such view"},
        {RP_CORRUPT, ONE_MESH(FLOATS3(0, 5), "\"attributes\":{\"POSITION\":0}"), "out of its view"},
        {RP_CORRUPT, ONE_MESH(FLOATS3(0, 4294967290), "\"attributes\":{\"POSITION\":0}"),
         "out of its view"},
        {RP_CORRUPT, ONE_MESH(FLOATS3(0, -1), "\"attributes\":{\"POSITION\":0}"), "no known shape"},
        {RP_UNSUPPORTED,
         ONE_MESH("{\"count\":4000000000,\"componentType\":5126,\"type\":\"VEC3\"}",
                  "\"attributes\":{\"POSITION\":0}"),
         "larger than the file"},
        {RP_CORRUPT,
         ONE_MESH(FLOATS3(0, 4) "," FLOATS3(0, 3), "\"attributes\":{\"POSITION\":0,\"NORMAL\":1}"),
         "different counts"},
        {RP_CORRUPT,
         ONE_MESH(FLOATS3(0, 4) ",{\"bufferView\":0,\"count\":4,\"componentType\":5126,\"type\":"
                                "\"VEC2\"}",
                  "\"attributes\":{\"POSITION\":0,\"NORMAL\":1}"),
         "wrong type"},
        {RP_CORRUPT,
         ONE_MESH(FLOATS3(0, 4) ",{\"bufferView\":1,\"count\":3,\"componentType\":5121,\"type\":"
                                "\"SCALAR\"}",
                  "\"attributes\":{\"POSITION\":0},\"indices\":1"),
         "an index names a vertex"},
        {RP_CORRUPT, ONE_MESH(FLOATS3(0, 4), "\"attributes\":{\"POSITION\":0},\"indices\":0"),
         "indices have the wrong type"},
        /* Below a root of ours each primitive is opened twice. */
        {RP_CORRUPT,
         "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"extras\":{\"retropose\":{\"schema\":1}},"
         "\"children\":[1]},{\"mesh\":0}],\"accessors\":[{\"bufferView\":0,\"count\":4,"
         "\"componentType\":5126,\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{"
         "\"bufferView\":1,\"byteOffset\":2,\"componentType\":5121},\"values\":{"
         "\"bufferView\":0}}}],\"meshes\":[{\"primitives\":[{\"attributes\":{"
         "\"POSITION\":0}}]}]",
         "changes what it does not have"},
        {RP_UNSUPPORTED,
         "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"scenes\":[{\"nodes\":[0]}],"
         "\"nodes\":[{}]",
         "requires an extension"},
        {RP_UNSUPPORTED,
         "\"extensionsRequired\":[\"EXT_meshopt_compression\"],\"scenes\":[{\"nodes\":[0]}],"
         "\"nodes\":[{}]",
         "requires an extension"},
        {RP_CORRUPT,
         "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{}],\"accessors\":["
         "{\"bufferView\":2,\"count\":2,\"componentType\":5126,\"type\":\"SCALAR\"}," FLOATS3(
             0, 2) "],\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{"
                   "\"sampler\":0,"
                   "\"target\":{\"node\":0,\"path\":\"translation\"}}]}]",
         "do not rise"},
        {RP_CORRUPT,
         "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{}],\"animations\":[{\"samplers\":[],"
         "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}]}]",
         "no sampler"},
    };
    static const uint8_t indices[4] = {0, 1, 9, 0};
    static const float falling[2] = {1.0F, 0.5F};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Maker maker;
        OWNED(Imported) imported;
        Make_Begin(&maker);
        Make_View(&maker, square, sizeof square, "");
        Make_View(&maker, indices, sizeof indices, "");
        Make_View(&maker, falling, sizeof falling, "");
        Import(&imported, &maker, cases[i].body, NULL);
        if (imported.status != cases[i].status || !strstr(imported.error.what, cases[i].what))
            fail_msg("case %u: %s, not %s: %s", (unsigned)i, RpStatus_Name(imported.status),
                     cases[i].what, imported.error.what);
        assert_int_equal(imported.archive.count, 0);
    }
}

TEST(ContainersThatAreWrong) {
    static const struct {
        const char *bytes;
        size_t size;
        RpStatus status;
    } cases[] = {
        {"", 0, RP_CORRUPT},
        {"not JSON", 8, RP_CORRUPT},
        {"[]", 2, RP_CORRUPT},
        {"{}", 2, RP_CORRUPT},
        {"{\"asset\":{\"version\":\"1.0\"}}", 27, RP_UNSUPPORTED},
        {"glTF", 4, RP_TRUNCATED},
        {"glTF\1\0\0\0\14\0\0\0", 12, RP_UNSUPPORTED},
        {"glTF\2\0\0\0\15\0\0\0", 12, RP_TRUNCATED},
        {"glTF\2\0\0\0\14\0\0\0", 12, RP_CORRUPT},
        {"glTF\2\0\0\0\24\0\0\0\4\0\0\0JSON", 20, RP_TRUNCATED},
        {"glTF\2\0\0\0\24\0\0\0\0\0\0\0BIN\0", 20, RP_CORRUPT},
        {"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{}]} \n", 67,
         RP_OK},
        {"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{}]} {", 67,
         RP_CORRUPT},
        {"{\"asset\":{\"version\":\"2.0\"},\"scene\":1,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{}]"
         "}",
         75, RP_CORRUPT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(Imported) imported;
        ImportText(&imported, cases[i].bytes, cases[i].size, NULL);
        if (imported.status != cases[i].status)
            fail_msg("case %u: %s", (unsigned)i, RpStatus_Name(imported.status));
    }
    OWNED(RpBuffer) deep = {0};
    OWNED(Imported) imported;
    for (int i = 0; i < 100000; i++)
        RpBuffer_AppendText(&deep, "[");
    ImportText(&imported, deep.bytes, deep.size, NULL);
    assert_int_equal(imported.status, RP_CORRUPT);
}

/* ---- damage ---------------------------------------------------------------------------------- */

static void ExportSmall(RpBuffer *file) {
    static const ModelSpec spec = {.name = "damaged",
                                   .nodes = 3,
                                   .animated = 2,
                                   .frame_count = 5,
                                   .keys_per_node = 3,
                                   .slots = 3,
                                   .optional = MODEL_RES15 | MODEL_RES18 | MODEL_RES20,
                                   .times = MODEL_TIMES_FRACTIONAL};
    const RpGltfExportOptions options = RpGltfExportOptions_Default();
    OWNED(ModelImage) image;
    RpNRes nres;
    OWNED(RpNResArchive) archive = {0};
    RpBuffer_Init(file, NULL);
    assert_int_equal(ModelImage_Make(&spec, &image, NULL), RP_OK);
    assert_int_equal(RpNRes_Open(image.bytes, image.size, RP_STRICT, &nres, NULL), RP_OK);
    assert_int_equal(RpNResArchive_Read(&archive, &nres, NULL), RP_OK);
    assert_int_equal(RpGltf_Export(&archive, &options, file, NULL), RP_OK);
}

/* The copy is a block of its own, so that a read past its end is noticed. */
static RpStatus ImportCopy(const uint8_t *bytes, size_t size) {
    const RpGltfImportOptions options = RpGltfImportOptions_Default();
    OWNED(RpNResArchive) model = {0};
    HEAP uint8_t *block = malloc(size ? size : 1);
    assert_non_null(block);
    memcpy(block, bytes, size);
    return RpGltf_Import(block, size, &options, &model, NULL);
}

/* A GLB says how long it is, and some programs pad its JSON with zeros. */
TEST(BytesBehindAGlbAreNoted) {
    static const char json[] = "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
                               "\"nodes\":[{}]}\0\0\0";
    for (uint32_t more = 0; more < 2; more++) {
        OWNED(Imported) imported;
        OWNED(RpBuffer) file = {0};
        RpBuffer_AppendText(&file, "glTF");
        RpBuffer_AppendU32(&file, 2);
        RpBuffer_AppendU32(&file, 20 + 68);
        RpBuffer_AppendU32(&file, 68);
        RpBuffer_AppendText(&file, "JSON");
        assert_int_equal(sizeof json - 1, 68);
        RpBuffer_Append(&file, json, 68);
        RpBuffer_Append(&file, "x", more);
        ImportText(&imported, file.bytes, file.size, NULL);
        assert_int_equal(imported.status, RP_OK);
        assert_int_equal(Notes_Has(&imported.notes, "G40"), more);
    }
}

TEST(NoTruncatedFileIsAModel) {
    OWNED(RpBuffer) file;
    ExportSmall(&file);
    assert_int_equal(ImportCopy(file.bytes, file.size), RP_OK);
    for (size_t size = 0; size < file.size; size++)
        assert_int_not_equal(ImportCopy(file.bytes, size), RP_OK);
}

TEST(ChangedBytesAreSurvived) {
    OWNED(RpBuffer) file;
    uint32_t random = 1;
    ExportSmall(&file);
    for (int round = 0; round < 6000; round++) {
        uint8_t before[4];
        size_t places[4];
        for (int i = 0; i < 4; i++) {
            Random_Lcg32(&random);
            places[i] = 12 + (random >> 4) % (file.size - 12);
            before[i] = file.bytes[places[i]];
            Random_Lcg32(&random);
            file.bytes[places[i]] = (uint8_t)(random >> 24);
        }
        ImportCopy(file.bytes, file.size);
        for (int i = 4; i-- > 0;)
            file.bytes[places[i]] = before[i];
    }
    assert_int_equal(ImportCopy(file.bytes, file.size), RP_OK);
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST(RefusedMemoryIsAnErrorAndLeaksNothing) {
    OWNED(RpBuffer) file;
    RpBuffer again;
    ExportSmall(&file);
    for (int count = 0;; count++) {
        Refusal refusal = {.left = count};
        const RpAllocator allocator = Refusal_Allocator(&refusal);
        RpGltfImportOptions import = RpGltfImportOptions_Default();
        RpGltfExportOptions export = RpGltfExportOptions_Default();
        RpNResArchive model;
        import.allocator = export.allocator = &allocator;
        RpNResArchive_Init(&model, &allocator);
        RpBuffer_Init(&again, &allocator);
        RpStatus status = RpGltf_Import(file.bytes, file.size, &import, &model, NULL);
        if (status == RP_OK)
            status = RpGltf_Export(&model, &export, &again, NULL);
        bool same = status == RP_OK && again.size == file.size &&
                    memcmp(again.bytes, file.bytes, file.size) == 0;
        assert_true(same || status == RP_NO_MEMORY);
        RpBuffer_Free(&again);
        RpNResArchive_Free(&model);
        assert_int_equal(refusal.live, 0);
        if (same)
            break;
        assert_true(count < 100000);
    }
}

TEST(NullOptionsAreTheDefaults) {
    OWNED(RpBuffer) file, again = {0}, text = {0}, same = {0};
    OWNED(RpNResArchive) model = {0};
    ExportSmall(&file);
    assert_int_equal(RpGltf_Import(file.bytes, file.size, NULL, &model, NULL), RP_OK);
    assert_int_equal(RpGltf_Export(&model, NULL, &again, NULL), RP_OK);
    assert_int_equal(again.size, file.size);
    assert_memory_equal(again.bytes, file.bytes, file.size);
    const RpObjOptions usual = RpObjOptions_Default();
    assert_int_equal(RpObj_Export(&model, NULL, &text, NULL, NULL), RP_OK);
    assert_int_equal(RpObj_Export(&model, &usual, &same, NULL, NULL), RP_OK);
    assert_int_equal(text.size, same.size);
    assert_memory_equal(text.bytes, same.bytes, same.size);
}

/* One block that is refused must not be missing from a file that is said to be whole. */
TEST(OneRefusedBlockIsAnError) {
    OWNED(RpBuffer) file;
    RpBuffer again;
    ExportSmall(&file);
    const RpGltfImportOptions import = RpGltfImportOptions_Default();
    OWNED(RpNResArchive) model = {0};
    assert_int_equal(RpGltf_Import(file.bytes, file.size, &import, &model, NULL), RP_OK);
    for (int count = 0;; count++) {
        Refusal refusal = {.left = count, .once = true};
        const RpAllocator allocator = Refusal_Allocator(&refusal);
        RpGltfExportOptions export = RpGltfExportOptions_Default();
        export.allocator = &allocator;
        RpBuffer_Init(&again, &allocator);
        const RpStatus status = RpGltf_Export(&model, &export, &again, NULL);
        const bool same = status == RP_OK && again.size == file.size &&
                          memcmp(again.bytes, file.bytes, file.size) == 0;
        if (!same && status != RP_NO_MEMORY)
            fail_msg("without block %d the export is said to be whole", count);
        RpBuffer_Free(&again);
        if (refusal.left > 0)
            break;
        assert_true(count < 100000);
    }
}
