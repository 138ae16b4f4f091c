/* Compares neighbours and winged-edge words with a search of all pairs, and tests face normals. */
#include "core/random.h"
#include "retropose/msh_make.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_TRIANGLES = 600, MAX_VERTICES = 400 };

typedef struct Mesh {
    float positions[MAX_VERTICES][3];
    uint32_t corners[MAX_TRIANGLES][3];
    RpMshTriangle triangles[MAX_TRIANGLES];
    uint32_t vertex_count, count;
} Mesh;

static bool SamePoint(const float *a, const float *b) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static const float *Corner(const Mesh *mesh, uint32_t edge) {
    return mesh->positions[mesh->corners[edge / 3][edge % 3]];
}

static uint32_t Next(uint32_t edge) {
    return edge % 3 == 2 ? edge - 2 : edge + 1;
}

/* Follows the definition by trying everything: in order, each free edge takes the first free edge
 * of another face that runs the other way. */
static void LinkByTryingAll(const Mesh *mesh, int32_t *across) {
    uint32_t edges = mesh->count * 3;
    for (uint32_t i = 0; i < edges; i++)
        across[i] = -1;
    for (uint32_t i = 0; i < edges; i++)
        for (uint32_t j = 0; j < edges && across[i] < 0; j++)
            if (across[j] < 0 && i / 3 != j / 3 &&
                !SamePoint(Corner(mesh, i), Corner(mesh, Next(i))) &&
                SamePoint(Corner(mesh, i), Corner(mesh, Next(j))) &&
                SamePoint(Corner(mesh, Next(i)), Corner(mesh, j))) {
                across[i] = (int32_t)j;
                across[j] = (int32_t)i;
            }
}

static void AssertLinks(const Mesh *mesh, const int32_t *across) {
    for (uint32_t i = 0; i < mesh->count * 3; i++) {
        const RpMshTriangle *triangle = &mesh->triangles[i / 3];
        unsigned code = (unsigned)triangle->edges >> i % 3 * 2 & 3U;
        if (across[i] < 0) {
            assert_int_equal(triangle->neighbours[i % 3], RP_MSH_NONE);
            assert_int_equal(code, 3);
        } else {
            assert_int_equal(triangle->neighbours[i % 3], across[i] / 3);
            assert_int_equal(code, across[i] % 3);
        }
    }
}

static void CheckMesh(Mesh *mesh) {
    static int32_t across[MAX_TRIANGLES * 3];
    LinkByTryingAll(mesh, across);
    assert_int_equal(RpMsh_LinkTriangles((const float(*)[3])mesh->positions,
                                         (const uint32_t(*)[3])mesh->corners, mesh->count,
                                         mesh->triangles, NULL, NULL),
                     RP_OK);
    AssertLinks(mesh, across);
}

TEST(TwoFacesOfAQuadAreNeighbours) {
    static Mesh mesh;
    mesh = (Mesh){.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
                  .corners = {{0, 1, 2}, {0, 2, 3}},
                  .vertex_count = 4,
                  .count = 2};
    CheckMesh(&mesh);
    /* Edge 2 of the first triangle, from 2 to 0, is edge 0 of the second. */
    assert_int_equal(mesh.triangles[0].neighbours[2], 1);
    assert_int_equal(mesh.triangles[0].edges, 3 | 3 << 2 | 0 << 4);
    assert_int_equal(mesh.triangles[1].neighbours[0], 0);
    assert_int_equal(mesh.triangles[1].edges, 2 | 3 << 2 | 3 << 4);
}

TEST(BothZerosAreOnePosition) {
    static Mesh mesh;
    mesh = (Mesh){
        .positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-0.0F, 0, -0.0F}, {1, 1, -0.0F}, {0, 1, 0}},
        .corners = {{0, 1, 2}, {3, 4, 5}},
        .vertex_count = 6,
        .count = 2};
    CheckMesh(&mesh);
    assert_int_equal(mesh.triangles[0].neighbours[2], 1);
}

TEST(BitsAboveTheLinksAreKept) {
    static Mesh mesh;
    mesh = (Mesh){.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}},
                  .corners = {{0, 1, 2}},
                  .vertex_count = 3,
                  .count = 1};
    mesh.triangles[0].edges = 0xABC0;
    mesh.triangles[0].flags = 7;
    CheckMesh(&mesh);
    assert_int_equal(mesh.triangles[0].edges, 0xABC0 | 0x3F);
    assert_int_equal(mesh.triangles[0].flags, 7);
}

TEST(AFaceIsNotItsOwnNeighbour) {
    static Mesh mesh; /* edges from 0 to 1, from 1 to 0, and none */
    mesh = (Mesh){.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}},
                  .corners = {{0, 1, 0}, {0, 1, 2}, {1, 0, 2}, {0, 1, 0}},
                  .vertex_count = 3,
                  .count = 4};
    CheckMesh(&mesh);
    assert_int_not_equal(mesh.triangles[0].neighbours[0], 0);
}

/* Few positions give many candidates, double faces and degenerate ones. */
TEST(RandomMeshesLinkAsTheDefinitionSays) {
    static Mesh mesh;
    uint64_t seed = 1;
    for (int round = 0; round < 120; round++) {
        memset(&mesh, 0, sizeof mesh);
        mesh.vertex_count = 3 + Random_SplitMixBelow(&seed, round % 3 == 0 ? 6 : 40);
        mesh.count = 1 + Random_SplitMixBelow(&seed, 80);
        for (uint32_t v = 0; v < mesh.vertex_count; v++)
            for (int i = 0; i < 3; i++)
                mesh.positions[v][i] = (float)Random_SplitMixBelow(&seed, 3) - 1.0F;
        for (uint32_t t = 0; t < mesh.count; t++)
            for (int c = 0; c < 3; c++)
                mesh.corners[t][c] = Random_SplitMixBelow(&seed, mesh.vertex_count);
        CheckMesh(&mesh);
    }
}

/* In a grid every inner edge has its neighbour, and the time grows with the number of faces. */
TEST(ClosedGridsHaveNoOpenInnerEdge) {
    static Mesh mesh;
    memset(&mesh, 0, sizeof mesh);
    for (uint32_t y = 0; y < 15; y++)
        for (uint32_t x = 0; x < 15; x++) {
            float *p = mesh.positions[mesh.vertex_count++];
            p[0] = (float)x;
            p[1] = (float)y;
        }
    for (uint32_t y = 0; y < 14; y++)
        for (uint32_t x = 0; x < 14; x++) {
            uint32_t v = y * 15 + x;
            const uint32_t quad[2][3] = {{v, v + 1, v + 16}, {v, v + 16, v + 15}};
            memcpy(mesh.corners[mesh.count], quad, sizeof quad);
            mesh.count += 2;
        }
    CheckMesh(&mesh);
    uint32_t open = 0;
    for (uint32_t i = 0; i < mesh.count * 3; i++)
        open += mesh.triangles[i / 3].neighbours[i % 3] == RP_MSH_NONE;
    assert_int_equal(open, 14 * 4);
}

/* All faces lie on one edge, in both directions, which is the worst case for a list. Trying all
 * pairs of 65535 faces would take minutes. */
TEST(ManyFacesOnOneEdgeLinkInLinearTime) {
    enum { COUNT = 65535 };
    static const float axis[2][3] = {{0, 0, 0}, {0, 0, 1}};
    HEAP float(*positions)[3] = calloc(COUNT + 2, sizeof *positions);
    HEAP uint32_t(*corners)[3] = calloc(COUNT, sizeof *corners);
    HEAP RpMshTriangle *triangles = calloc(COUNT, sizeof *triangles);
    memcpy(positions, axis, sizeof axis);
    for (uint32_t t = 0; t < COUNT; t++) {
        positions[t + 2][0] = 1.0F + (float)t;
        corners[t][0] = t < COUNT / 2 ? 0 : 1;
        corners[t][1] = t < COUNT / 2 ? 1 : 0;
        corners[t][2] = t + 2;
    }
    clock_t before = clock();
    assert_int_equal(RpMsh_LinkTriangles((const float(*)[3])positions,
                                         (const uint32_t(*)[3])corners, COUNT, triangles, NULL,
                                         NULL),
                     RP_OK);
    assert_true((double)(clock() - before) / CLOCKS_PER_SEC < 5);
    for (uint32_t t = 0; t < COUNT / 2; t++)
        assert_int_equal(triangles[t].neighbours[0], t + COUNT / 2);
    assert_int_equal(triangles[COUNT - 1].neighbours[0], RP_MSH_NONE);
}

TEST(MoreTrianglesThanNumbersAreRefused) {
    RpError error;
    assert_int_equal(RpMsh_LinkTriangles(NULL, NULL, 65536, NULL, NULL, &error), RP_INVALID);
    assert_string_equal(error.found, "65536");
}

TEST(FaceNormalsAreUnitAndCounterClockwise) {
    const float a[3] = {0, 0, 0}, b[3] = {2, 0, 0}, c[3] = {0, 3, 0};
    int16_t normal[3];
    RpMsh_FaceNormal(a, b, c, normal);
    const int16_t up[3] = {0, 0, 32767}, down[3] = {0, 0, -32767}, none[3] = {0, 0, 0};
    assert_memory_equal(normal, up, sizeof up);
    RpMsh_FaceNormal(a, c, b, normal);
    assert_memory_equal(normal, down, sizeof down);
    RpMsh_FaceNormal(a, b, b, normal);
    assert_memory_equal(normal, none, sizeof none);
    const float tiny[3] = {1e-40F, 0, 0}, other[3] = {0, 1e-40F, 0};
    RpMsh_FaceNormal(a, tiny, other, normal);
    assert_memory_equal(normal, up, sizeof up);
    const float infinite[3] = {INFINITY, 0, 0};
    RpMsh_FaceNormal(a, infinite, c, normal);
    assert_memory_equal(normal, none, sizeof none);
}

TEST(RandomFaceNormalsArePerpendicular) {
    uint64_t seed = 5;
    for (int round = 0; round < 2000; round++) {
        float p[3][3];
        int16_t normal[3];
        for (int i = 0; i < 9; i++)
            p[i / 3][i % 3] = Random_SplitMixBetween(&seed, -100, 100);
        RpMsh_FaceNormal(p[0], p[1], p[2], normal);
        double length = 0;
        for (int i = 0; i < 3; i++)
            length += (double)normal[i] * normal[i];
        assert_true(fabs(sqrt(length) - 32767) < 2);
        for (int e = 0; e < 3; e++) {
            double dot = 0, edge = 0;
            for (int i = 0; i < 3; i++) {
                double d = (double)p[(e + 1) % 3][i] - p[e][i];
                dot += d * normal[i];
                edge += d * d;
            }
            assert_true(fabs(dot) <= 2 * sqrt(edge));
        }
    }
}
