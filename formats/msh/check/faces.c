/* M12 to M17: compares batches with those of the game's own files, and triangles with the
 * geometry. */
#include "formats/msh/check/checker.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- corners --------------------------------------------------------------------------------- */

typedef struct Corners {
    uint32_t vertices[3];
    bool known; /* a batch has the whole triangle, and its vertices exist */
} Corners;

static void CornerPositions(const RpMsh *msh, const Corners *corners, float positions[3][3]) {
    for (int i = 0; i < 3; i++)
        RpMsh_Position(msh, corners->vertices[i], positions[i]);
}

/* ---- M16, all but ranges --------------------------------------------------------------------- */

static bool SamePoint(const float a[3], const float b[3]) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static int SharedPoints(const RpMsh *msh, const Corners *a, const Corners *b) {
    float of_a[3][3], of_b[3][3];
    int shared = 0;
    CornerPositions(msh, a, of_a);
    CornerPositions(msh, b, of_b);
    for (int i = 0; i < 3; i++)
        shared += SamePoint(of_a[i], of_b[0]) || SamePoint(of_a[i], of_b[1]) ||
                  SamePoint(of_a[i], of_b[2]);
    return shared;
}

static MshPlace AtTriangle(const MshChecker *checker, int rule, uint32_t triangle, uint32_t field) {
    return MshPlace_Element(checker, rule, RP_SEVERITY_WARNING, RP_MSH_TRIANGLES, triangle, field);
}

enum { OPEN = 3 };

static unsigned EdgeCode(const RpMshTriangle *triangle, uint32_t edge) {
    return triangle->edges >> 2 * edge & 3;
}

static void CheckSharedEdge(MshChecker *checker, uint32_t index, const RpMshTriangle *triangle,
                            uint32_t edge) {
    uint32_t other = triangle->neighbours[edge];
    unsigned code = EdgeCode(triangle, edge);
    RpMshTriangle neighbour;
    if (!RpMsh_Triangle(checker->msh, other, &neighbour))
        return; /* this is reported as an error already */
    if (code == OPEN)
        MshChecker_Report(checker, AtTriangle(checker, 16, index, TRIANGLE_AT_edges),
                          "a shared edge has the code of an open one",
                          "0 to 2 for edge %" PRIu32 "|3", edge);
    else if (neighbour.neighbours[code] != index)
        MshChecker_Report(checker,
                          AtTriangle(checker, 16, index, TRIANGLE_AT_neighbours + 2 * edge),
                          "the neighbour does not name this triangle across the same edge",
                          "%" PRIu32 " across edge %u of triangle %" PRIu32 "|%u", index, code,
                          other, (unsigned)neighbour.neighbours[code]);
}

static void CheckEdges(MshChecker *checker, const Corners *corners, uint32_t index,
                       const RpMshTriangle *triangle) {
    for (uint32_t edge = 0; edge < 3; edge++) {
        if (triangle->neighbours[edge] == RP_MSH_NONE) {
            if (EdgeCode(triangle, edge) != OPEN)
                MshChecker_Report(checker, AtTriangle(checker, 16, index, TRIANGLE_AT_edges),
                                  "an open edge has the code of a shared one",
                                  "3 for edge %" PRIu32 "|%u", edge, EdgeCode(triangle, edge));
        } else {
            CheckSharedEdge(checker, index, triangle, edge);

            uint32_t other = triangle->neighbours[edge];
            if (corners && other < RpMsh_Count(checker->msh, RP_MSH_TRIANGLES) &&
                corners[index].known && corners[other].known) {
                int shared = SharedPoints(checker->msh, &corners[index], &corners[other]);
                if (shared < 2)
                    MshChecker_Report(
                        checker, AtTriangle(checker, 16, index, TRIANGLE_AT_neighbours + 2 * edge),
                        "neighbours share no edge",
                        "two positions in common with triangle %" PRIu32 "|%d", other, shared);
            }
        }
    }
}

/* ---- M17 ------------------------------------------------------------------------------------- */

/* Tolerances for the length of the stored normal, and for the cosine between it and the
 * geometry's. Rounding to 1/32767 changes them by less than 1e-4. */
#define LENGTH_TOLERANCE 1e-3
#define LEAST_COSINE     0.9998 /* about 1 degree */

static double Dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void CheckNormal(MshChecker *checker, const Corners *corners, uint32_t index,
                        const RpMshTriangle *triangle) {
    double geometry[3], stored[3];
    bool known = corners && corners[index].known;
    double length = 0;
    if (known) {
        /* The front of (b - a) x (c - a) is counter-clockwise. Its length is 0 where it is
         * degenerate or not finite. */
        float p[3][3];
        double u[3], v[3];
        CornerPositions(checker->msh, &corners[index], p);
        for (int i = 0; i < 3; i++) {
            u[i] = (double)p[1][i] - (double)p[0][i];
            v[i] = (double)p[2][i] - (double)p[0][i];
        }
        for (int i = 0; i < 3; i++)
            geometry[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
        const double measured = sqrt(Dot(geometry, geometry)), scale = sqrt(Dot(u, u) * Dot(v, v));
        length = isfinite(measured) && measured > 1e-6 * scale ? measured : 0;
    }
    for (int i = 0; i < 3; i++)
        stored[i] = triangle->normal[i] / 32767.0;
    double stored_length = sqrt(Dot(stored, stored));
    if (known && length == 0)
        return; /* any normal is right for a degenerate triangle */
    if (fabs(stored_length - 1) > LENGTH_TOLERANCE)
        MshChecker_Report(checker, AtTriangle(checker, 17, index, TRIANGLE_AT_normal),
                          "the face normal is not of unit length", "1|%.6g", stored_length);
    else if (known && Dot(geometry, stored) / (length * stored_length) < LEAST_COSINE)
        MshChecker_Report(checker, AtTriangle(checker, 17, index, TRIANGLE_AT_normal),
                          "the face normal is not the geometry's", "%.4f %.4f %.4f|%.4f %.4f %.4f",
                          geometry[0] / length, geometry[1] / length, geometry[2] / length,
                          stored[0], stored[1], stored[2]);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void CheckFaces(MshChecker *checker) {
    RpMshTriangle triangle;
    if (!MshChecker_Wants(checker, 16) && !MshChecker_Wants(checker, 17))
        return;

    /* Triangle records follow the order of the index stream (facts/formats.md C.7). */
    const RpMsh *msh = checker->msh;
    uint32_t count = RpMsh_Count(msh, RP_MSH_TRIANGLES);
    const uint32_t vertices = RpMsh_Count(msh, RP_MSH_POSITIONS);
    Corners *corners = MshChecker_Allocate(checker, count, sizeof *corners);
    RpMshBatch batch;
    for (uint32_t b = 0; corners && RpMsh_Batch(msh, b, &batch); b++) {
        if (!Msh_BatchRangeExists(msh, &batch))
            continue;
        if (!MshChecker_Spend(checker, 16, batch.index_count))
            break;
        uint32_t first = (batch.first_index + 2) / 3;
        uint32_t end = (batch.first_index + batch.index_count) / 3;
        for (uint32_t t = first; t < end && t < count; t++) {
            if (corners[t].known)
                continue;
            corners[t].known = true;
            for (uint32_t i = 0; i < 3; i++) {
                uint16_t index = 0;
                RpMsh_Index(msh, 3 * t + i, &index);
                uint64_t vertex = (uint64_t)batch.base_vertex + index;
                corners[t].known &= vertex < vertices;
                corners[t].vertices[i] = (uint32_t)vertex;
            }
        }
    }
    for (uint32_t i = 0; RpMsh_Triangle(checker->msh, i, &triangle); i++) {
        if (MshChecker_Wants(checker, 16))
            CheckEdges(checker, corners, i, &triangle);
        if (MshChecker_Wants(checker, 17))
            CheckNormal(checker, corners, i, &triangle);
    }
    RpMemory_Free(checker->allocator, corners);
}

void MshCheck_Faces(MshChecker *checker) {
    RpMshBatch batch;
    for (uint32_t i = 0; RpMsh_Batch(checker->msh, i, &batch); i++) {
        if (batch.index_count % 3 != 0)
            MshChecker_Report(checker,
                              MshPlace_Element(checker, 12, RP_SEVERITY_WARNING, RP_MSH_BATCHES, i,
                                               BATCH_AT_index_count),
                              "the batch ends in a part of a triangle", "a multiple of 3|%u",
                              (unsigned)batch.index_count);
        if (!MshChecker_Wants(checker, 13) || !Msh_BatchRangeExists(checker->msh, &batch) ||
            !MshChecker_Spend(checker, 13, batch.index_count))
            continue;
        unsigned count = 0;
        if (batch.index_count > 0)
            count =
                (unsigned)Msh_LargestIndex(checker->msh, batch.first_index, batch.index_count) + 1;
        if (batch.vertex_count != count)
            MshChecker_Report(checker,
                              MshPlace_Element(checker, 13, RP_SEVERITY_WARNING, RP_MSH_BATCHES, i,
                                               BATCH_AT_vertex_count),
                              "the batch's vertex count is not its largest index + 1", "%u|%u",
                              count, (unsigned)batch.vertex_count);
    }

    /* M14: the batches tile the index stream in order. */
    uint32_t end = 0, indices = RpMsh_Count(checker->msh, RP_MSH_INDICES);
    for (uint32_t i = 0; RpMsh_Batch(checker->msh, i, &batch); i++) {
        if (batch.first_index != end)
            MshChecker_Report(checker,
                              MshPlace_Element(checker, 14, RP_SEVERITY_CANONICAL, RP_MSH_BATCHES,
                                               i, BATCH_AT_first_index),
                              "the batch does not begin where the one before ends",
                              "%" PRIu32 "|%" PRIu32, end, batch.first_index);
        end = batch.first_index + batch.index_count;
    }
    if (end != indices && RpMsh_Count(checker->msh, RP_MSH_BATCHES) > 0)
        MshChecker_Report(
            checker,
            MshPlace_Record(checker, 14, RP_SEVERITY_CANONICAL, RP_MSH_INDICES, NRES_AT_SIZE),
            "the last batch does not end where the indices do", "%" PRIu32 "|%" PRIu32, indices,
            end);

    /* M15: there is one record for every three indices. */
    uint32_t triangles = RpMsh_Count(checker->msh, RP_MSH_TRIANGLES);
    if ((uint64_t)triangles * 3 != indices)
        MshChecker_Report(
            checker,
            MshPlace_Record(checker, 15, RP_SEVERITY_WARNING, RP_MSH_TRIANGLES, NRES_AT_SIZE),
            "there is not one triangle record for every three indices",
            "%" PRIu32 " indices / 3|%" PRIu32 " records", indices, triangles);
    CheckFaces(checker);
}
