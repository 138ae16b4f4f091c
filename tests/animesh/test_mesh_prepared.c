/* Tests that prepared models answer every query as unprepared ones do, for every width of vectors
 * that the processor has: the same hit to the bit, the same faces in the same order, and the same
 * pushes. For segments, each crossing that mrnPointInPoly accepts on the way to the answer is
 * compared, too. */
#include "animesh/mesh_prepared.h"
#include "animesh/records.h"
#include "animesh/streams.h"
#include "cli/bench/measure/counted_memory.h"
#include "core/bytes.h"
#include "core/hash.h"
#include "ngi32/exact/points.h"
#include "tests/ngi32/floats.h"
#include "tests/of_thread.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRIANGLES = 1200, MOST_BATCHES = 8, ROOM = 24 };
enum { STANDARD = 0x1F80, FLUSHED = 0x9FC0 /* FTZ and DAZ */ };

/* One node with one slot. Each triangle has corners of its own. */
typedef struct Streams {
    uint8_t node[NODE_BYTES], slot[SLOT_BYTES], batches[MOST_BATCHES * BATCH_BYTES];
    uint8_t triangles[MOST_TRIANGLES * TRIANGLE_BYTES];
    uint8_t indices[MOST_TRIANGLES * 3 * INDEX_BYTES];
    float corners[MOST_TRIANGLES][9];
    uint32_t count, batch_count;
} Streams;

typedef struct Subject {
    Reader reader;
    MeshModel model;
    Mesh mesh;
    Piece piece;
    MeshContext context;
} Subject;

static Streams streams;
static Subject plain, prepared;
static Random random_ = {1};
static uint64_t decisions;

/* ---- numbers --------------------------------------------------------------------------------- */

static uint32_t Below_(uint32_t limit) {
    return Random_Below(&random_, limit);
}

/* Draws a number from -1 to 1. */
static float Draw(void) {
    return (float)(int32_t)Random_Next(&random_) * 0x1p-31f;
}

/* Returns a number that is a few units of its last place away. */
static float Nudged(float number) {
    for (uint32_t i = Below_(4); i > 0; i--)
        number = nextafterf(number, Below_(2) ? INFINITY : -INFINITY);
    return number;
}

/* ---- models ---------------------------------------------------------------------------------- */

typedef enum Kind { GROUND, SOUP, WHOLE, BOXES, STRANGE, NEEDLES, KINDS } Kind;

static void DrawGround(uint32_t i, float corners[9]) {
    static const uint8_t halves[2][3][2] = {{{0, 0}, {1, 0}, {0, 1}}, {{1, 0}, {1, 1}, {0, 1}}};
    const uint32_t side = 16, square = i / 2;
    for (int k = 0; k < 3; k++) {
        const uint32_t x = square % side + halves[i % 2][k][0];
        const uint32_t y = square / side + halves[i % 2][k][1];
        Random height = {(x * 977 + y * 131 + 1) * UINT64_C(0x9E3779B97F4A7C15)};
        corners[3 * k] = (float)x;
        corners[3 * k + 1] = (float)y;
        corners[3 * k + 2] = (float)(Random_Next(&height) >> 8) * 0x1p-24f;
    }
}

static void DrawSoup(float reach, float size, bool whole, float corners[9]) {
    float middle[3];
    for (int i = 0; i < 3; i++)
        middle[i] = Draw() * reach;
    for (int i = 0; i < 9; i++) {
        corners[i] = middle[i % 3] + Draw() * size;
        if (whole)
            corners[i] = rintf(corners[i]);
    }
}

/* Draws a triangle that is flat along an axis, as the sides of boxes are. */
static void DrawSide(float corners[9]) {
    const uint32_t axis = Below_(3);
    DrawSoup(8, 3, true, corners);
    corners[axis + 3] = corners[axis + 6] = corners[axis];
}

/* Draws a triangle that is long, thin and level, and begins with its sharp corner. */
static void DrawNeedle(float corners[9]) {
    const float thin = ldexpf(1, -4 - (int)Below_(6));
    for (int i = 0; i < 3; i++) {
        corners[i] = Draw();
        corners[3 + i] = Draw() * 10;
        corners[6 + i] = corners[3 + i] + Draw() * thin;
    }
    corners[5] = corners[8] = corners[2];
}

/* Moves corners so that two are the same, or all lie on a line or nearly so. */
static void Spoil(float corners[9]) {
    const float part = Draw();
    switch (Below_(5)) {
    case 0:
        memcpy(corners + 3, corners, 3 * sizeof *corners);
        break;
    case 1:
        for (int i = 3; i < 9; i++)
            corners[i] = corners[i % 3];
        break;
    case 2:
        for (int i = 0; i < 3; i++)
            corners[6 + i] = 2 * corners[3 + i] - corners[i];
        break;
    case 3:
        for (int i = 0; i < 3; i++)
            corners[6 + i] = Nudged(corners[i] + (corners[3 + i] - corners[i]) * part);
        break;
    default:
        for (int i = 0; i < 9; i++)
            corners[i] = corners[i % 3] + corners[i] * 0x1p-18f;
    }
}

static void NormalOf(const float corners[9], int16_t normal[3]) {
    double a[3], b[3], cross[3], length = 0;
    for (int i = 0; i < 3; i++) {
        a[i] = (double)corners[3 + i] - (double)corners[i];
        b[i] = (double)corners[6 + i] - (double)corners[i];
    }
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3, last = (i + 2) % 3;
        cross[i] = a[next] * b[last] - a[last] * b[next];
        length += cross[i] * cross[i];
    }
    for (int i = 0; i < 3; i++)
        normal[i] =
            length > 0 ? (int16_t)lrint(cross[i] / sqrt(length) * 32767) : (int16_t)Below_(65536);
}

static void DrawTriangle(Kind kind, uint32_t index) {
    float *corners = streams.corners[index];
    int16_t normal[3];
    switch (kind) {
    case GROUND:
        DrawGround(index, corners);
        break;
    case WHOLE:
        DrawSoup(8, 3, true, corners);
        break;
    case BOXES:
        DrawSide(corners);
        break;
    case NEEDLES:
        DrawNeedle(corners);
        break;
    default:
        DrawSoup(10, kind == SOUP ? 1.5f : 6, false, corners);
    }
    if (kind == STRANGE && Below_(4) == 0)
        Spoil(corners);
    NormalOf(corners, normal);
    if (kind == STRANGE) {
        if (Below_(8) == 0) /* a normal of another face */
            for (int i = 0; i < 3; i++)
                normal[i] = (int16_t)(Below_(3) ? Below_(65536) : 0);
        if (Below_(8) == 0)
            for (int i = 0; i < 3; i++)
                normal[i] = (int16_t)-normal[i];
        if (Below_(40) == 0)
            Random_Fill(&random_, INPUT_SPECIAL, corners + Below_(9), 1);
        if (Below_(40) == 0)
            for (int i = 0; i < 9; i++)
                corners[i] *= Below_(2) ? 0x1p-70f : 0x1p45f;
    }
    uint8_t *record = streams.triangles + (size_t)index * TRIANGLE_BYTES;
    memset(record, 0, TRIANGLE_BYTES);
    Bytes_PutU16(record + TRIANGLE_AT_flags, 1u << Below_(4));
    for (int i = 0; i < 3; i++)
        Bytes_PutU16(record + TRIANGLE_AT_normal + 2 * i, (uint16_t)normal[i]);
}

static void PutBatches(bool two_sided) {
    uint32_t done = 0;
    streams.batch_count = 1 + Below_(MOST_BATCHES);
    for (uint32_t i = 0; i < streams.batch_count; i++) {
        const uint32_t rest = streams.count - done;
        const uint32_t count = i + 1 < streams.batch_count && rest > 1 ? Below_(rest + 1) : rest;
        uint8_t *record = streams.batches + (size_t)i * BATCH_BYTES;
        memset(record, 0, BATCH_BYTES);
        Bytes_PutU32(record + BATCH_AT_flags, two_sided && Below_(2) ? BATCH_TWO_SIDED : 0);
        Bytes_PutU16(record + BATCH_AT_index_count, 3 * count);
        Bytes_PutU32(record + BATCH_AT_first_index, 3 * done);
        Bytes_PutU32(record + BATCH_AT_base_vertex, 3 * done);
        for (uint32_t k = 0; k < 3 * count; k++)
            Bytes_PutU16(streams.indices + (size_t)(3 * done + k) * INDEX_BYTES, k);
        done += count;
    }
}

static void PutSlot(void) {
    static const float sphere[4] = {0, 0, 0, 0x1p60f};
    memset(streams.node, 0xFF, sizeof streams.node);
    Bytes_PutU16(streams.node + NODE_AT_slots, 0);
    memset(streams.slot, 0, sizeof streams.slot);
    Bytes_PutU16(streams.slot + SLOT_AT_batch_count, streams.batch_count);
    memcpy(streams.slot + SLOT_AT_sphere, sphere, sizeof sphere);
}

static RpArithmetic arithmetic = {.control_word = RP_THREADS_CONTROL_WORD};

static const MeshModel *Find(const MeshContext *context, const Reader *reader, MeshModel *scratch) {
    (void)context;
    (void)scratch;
    return &((const Subject *)(const void *)reader)->model;
}

/* ---- what mrnPointInPoly accepts ------------------------------------------------------------- */

typedef struct Crossings {
    uint64_t digest;
    uint32_t accepted, asked;
} Crossings;

static Crossings crossings;

static void Digest(const void *bytes, size_t size) {
    crossings.digest = Hash_Fnv64(crossings.digest, bytes, size);
}

static int PointInPolygon(const MeshContext *context, const float plane[4],
                          const float *const *vertices, uint32_t count, const float point[3]) {
    const int inside = Mesh_LibraryMath.point_in_polygon(context, plane, vertices, count, point);
    if (inside) {
        crossings.accepted++;
        Digest(plane, 4 * sizeof *plane);
        Digest(point, 3 * sizeof *point);
        for (uint32_t i = 0; i < count; i++)
            Digest(vertices[i], 3 * sizeof *point);
    }
    return inside;
}

static int SegmentPlane(const MeshContext *context, const float start[3], const float end[3],
                        const float plane[4], float hit[3]) {
    crossings.asked++;
    return Mesh_LibraryMath.segment_plane(context, start, end, plane, hit);
}

static MeshMath counting;

/* ---- subjects -------------------------------------------------------------------------------- */

static void Begin(Subject *subject) {
    memset(subject, 0, sizeof *subject);
    MeshModel *model = &subject->model;
    model->bounded = true;
    model->pose.nodes = subject->reader.nodes = streams.node;
    model->pose.node_bytes = NODE_BYTES;
    model->slots = (MeshStream){streams.slot, 1};
    model->batches = (MeshStream){streams.batches, streams.batch_count};
    model->triangles = (MeshStream){streams.triangles, streams.count};
    model->indices = (MeshStream){streams.indices, 3 * streams.count};
    model->positions = (MeshStream){(const uint8_t *)streams.corners, 3 * streams.count};
    Mesh_Init(&subject->mesh);
    subject->piece.reader = (Layout_ref)&subject->reader;
    subject->piece.parent = -1;
    subject->mesh.pieces = (Layout_ref)&subject->piece;
    subject->mesh.piece_count = 1;
    for (int i = 0; i < 16; i++)
        subject->piece.world[i] = i % 5 == 0 ? 1.0f : 0.0f;
    counting = Mesh_LibraryMath;
    counting.segment_plane = SegmentPlane;
    counting.point_in_polygon = PointInPolygon;
    subject->context = (MeshContext){.arithmetic = &arithmetic, .math = &counting, .find = Find};
}
_Static_assert(offsetof(Subject, reader) == 0, "Find takes a reader for its subject");

static void MakeModel(Kind kind, uint32_t count) {
    streams.count = count;
    for (uint32_t i = 0; i < count; i++)
        DrawTriangle(kind, i);
    PutBatches(Below_(2));
    PutSlot();
    Begin(&plain);
    Begin(&prepared);
    assert_int_equal(MeshPrepared_New(&prepared.model, NULL, &prepared.model.prepared, NULL),
                     RP_OK);
    assert_int_equal(prepared.model.prepared->slots[0].count, count);
}

static void FreeModel(void) {
    MeshPrepared_Free(NULL, prepared.model.prepared);
}

static void SetBuild(RpBuild build, const RpReadings *readings) {
    arithmetic = OfThread(build, readings);
}

static void SetWorld(const float world[16]) {
    memcpy(plain.piece.world, world, sizeof plain.piece.world);
    memcpy(prepared.piece.world, world, sizeof prepared.piece.world);
}

/* Draws a turn about a random axis, a move, and sometimes another scale. */
static void DrawWorld(void) {
    float world[16] = {0};
    double q[4], length = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = (double)Draw();
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        q[i] /= sqrt(length);
    static const double scales[] = {1, 1, 1, 1, 1, 3, 0x1p-50, 0x1p-66, 0x1p50};
    const double s = scales[Below_(sizeof scales / sizeof *scales)];
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double turn[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    const uint32_t move = Below_(3);
    for (int i = 0; i < 9; i++)
        world[i / 3 * 4 + i % 3] = (float)(s * (Below_(12) ? turn[i] : rint(turn[i])));
    for (int i = 0; i < 3; i++)
        world[4 * i + 3] = move ? (float)(s * (double)Draw() * (move == 1 ? 10 : 3000)) : 0;
    world[15] = 1;
    SetWorld(world);
}

/* ---- questions ------------------------------------------------------------------------------- */

/* Where the segments of a test are aimed. */
typedef enum Aim { ANYWHERE, AT_PLANES, AT_TIPS } Aim;

static Aim aim;

static const float *RandomCorners(void) {
    return streams.corners[Below_(streams.count)];
}

/* Draws a point of a face, its edges or its corners, in the node's space. */
static void PointOnFace(const float corners[9], float point[3]) {
    float a = Below_(3) ? fabsf(Draw()) : 0, b = Below_(3) ? fabsf(Draw()) : 0;
    if (a + b > 1)
        b = 1 - a;
    const uint32_t first = Below_(3);
    for (uint32_t i = 0; i < 3; i++)
        point[i] = corners[3 * first + i] +
                   a * (corners[(3 * first + 3) % 9 + i] - corners[3 * first + i]) +
                   b * (corners[(3 * first + 6) % 9 + i] - corners[3 * first + i]);
}

/* Draws a point a little beyond a corner. Beyond the corner of a needle, it may count as inside
 * because of rounding. */
static void PointBeyondCorner(const float corners[9], float point[3]) {
    const uint32_t first = Below_(2) ? 0 : 3 * Below_(3);
    const float far = ldexpf(fabsf(Draw()), -7 - (int)Below_(14));
    for (uint32_t i = 0; i < 3; i++) {
        const float middle = (corners[(first + 3) % 9 + i] + corners[(first + 6) % 9 + i]) / 2;
        point[i] = corners[first + i] + (corners[first + i] - middle) * far;
    }
}

static void PointAnywhere(float point[3]) {
    for (int i = 0; i < 3; i++)
        point[i] = Draw() * 16;
}

/* Draws a segment in the node's space. Many end where rounding decides: on a face, in its plane,
 * beside its edges, or hardly apart. */
static void DrawLocalSegment(float segment[6]) {
    const float *face = RandomCorners();
    const uint32_t kind = aim == AT_TIPS ? 9 : aim == AT_PLANES ? 4 : Below_(11);
    PointAnywhere(segment);
    PointAnywhere(segment + 3);
    if (kind < 4) { /* through a face, beginning anywhere */
        float through[3];
        if (Below_(3))
            PointOnFace(face, through);
        else
            PointBeyondCorner(face, through);
        if (Below_(2)) /* from nearby, where roundings are smaller */
            for (int i = 0; i < 3; i++)
                segment[i] = through[i] + Draw();
        const float beyond = Below_(3) ? 1 + fabsf(Draw()) : 1;
        for (int i = 0; i < 3; i++)
            segment[3 + i] = segment[i] + (through[i] - segment[i]) * beyond;
    } else if (kind < 7) { /* in the plane of a face, or nearly so */
        PointOnFace(face, segment);
        PointOnFace(face, segment + 3);
        /* One end or both may lie beyond the face, so that only rounding leads to a hit. */
        const float first = Below_(2) ? 0 : Draw() * 8, last = Below_(2) ? 1 : Draw() * 8;
        for (int i = 0; i < 3; i++) {
            const float from = segment[i], way = segment[3 + i] - from;
            segment[i] = from + way * first;
            segment[3 + i] = from + way * last;
        }
        for (int i = 0; i < 6; i++)
            if (Below_(3) == 0)
                segment[i] = Nudged(segment[i]);
    } else if (kind == 7) { /* the ends are hardly apart */
        PointOnFace(face, segment);
        for (int i = 0; i < 3; i++) {
            segment[i] = Nudged(segment[i]);
            segment[3 + i] = Nudged(segment[i]);
        }
    } else if (kind >= 8) { /* along an axis, through a corner or beyond it */
        const uint32_t axis = Below_(2) ? 2 : Below_(3);
        if (kind == 8)
            memcpy(segment, face + 3 * Below_(3), 3 * sizeof *segment);
        else
            PointBeyondCorner(face, segment);
        memcpy(segment + 3, segment, 3 * sizeof *segment);
        segment[axis] -= 20;
        segment[3 + axis] += 20;
    }
    if (Below_(200) == 0)
        Random_Fill(&random_, INPUT_SPECIAL, segment + Below_(6), 1);
    if (Below_(60) == 0)
        for (int i = 0; i < 6; i++)
            segment[i] *= Below_(2) ? 0x1p-66f : 0x1p33f;
}

static void ToWorld(const float local[3], float world[3]) {
    Bounds_Transform(plain.piece.world, local, world);
}

static MeshQuery DrawQuery(void) {
    MeshQuery query = {.class_mask = 0};
    if (Below_(4) == 0)
        query.excluded_triangle = 1u << Below_(4);
    if (Below_(8) == 0)
        query.required_batch = BATCH_TWO_SIDED;
    return query;
}

static MeshHit NoHit(void) {
    MeshHit hit;
    memset(&hit, 0x5A, sizeof hit);
    return hit;
}

static void AssertSame(const char *what, bool expected, bool actual, const void *expected_hit,
                       const void *actual_hit, size_t size) {
    if (expected != actual || memcmp(expected_hit, actual_hit, size) != 0)
        fail_msg("%s by %s: %d instead of %d, or another answer", what,
                 prepared.model.prepared->width->name, actual, expected);
}

/* ---- both ways ------------------------------------------------------------------------------- */

static uint64_t asked_plain, asked_prepared;

static void AskSegment(void) {
    float local[6], segment[6];
    const MeshQuery query = DrawQuery();
    MeshHit expected = NoHit(), actual = NoHit();
    DrawLocalSegment(local);
    ToWorld(local, segment);
    ToWorld(local + 3, segment + 3);
    crossings = (Crossings){0};
    const bool found = Mesh_Segment(&plain.context, &plain.mesh, segment, &query, &expected);
    const Crossings before = crossings;
    crossings = (Crossings){0};
    const bool found_too =
        Mesh_Segment(&prepared.context, &prepared.mesh, segment, &query, &actual);
    AssertSame("segment", found, found_too, &expected, &actual, sizeof actual);
    assert_int_equal(before.accepted, crossings.accepted);
    assert_true(before.digest == crossings.digest);
    asked_plain += before.asked;
    asked_prepared += crossings.asked;
    decisions += streams.count;
}

static void DrawWorldPoint(float point[3]) {
    float local[3];
    if (Below_(2))
        PointOnFace(RandomCorners(), local);
    else
        PointAnywhere(local);
    if (Below_(3) == 0)
        for (int i = 0; i < 3; i++)
            local[i] = Nudged(local[i]);
    if (Below_(3) == 0)
        local[2] += Draw() * 4;
    ToWorld(local, point);
    if (Below_(200) == 0)
        Random_Fill(&random_, INPUT_SPECIAL, point + Below_(3), 1);
}

static void AskFace(void) {
    static const float margins[] = {0, 0.5f, 0.01f, 4, -1, NAN, INFINITY, 0x1p-130f};
    const float margin = margins[Below_(sizeof margins / sizeof *margins)];
    const uint32_t direction = Below_(4) * WALK_ABOVE;
    MeshHit expected = NoHit(), actual = NoHit();
    float point[3];
    DrawWorldPoint(point);
    bool found, found_too;
    if (Below_(2)) {
        found = Mesh_WalkFace(&plain.context, &plain.mesh, point, NULL, &expected);
        found_too = Mesh_WalkFace(&prepared.context, &prepared.mesh, point, NULL, &actual);
    } else {
        found = Mesh_WalkFaceWithMargin(&plain.context, &plain.mesh, point, margin, direction,
                                        &expected);
        found_too = Mesh_WalkFaceWithMargin(&prepared.context, &prepared.mesh, point, margin,
                                            direction, &actual);
    }
    AssertSame("face", found, found_too, &expected, &actual, sizeof actual);
    decisions += streams.count;
}

static void AskInside(void) {
    float point[3];
    DrawWorldPoint(point);
    const bool inside = Mesh_IsInside(&plain.context, &plain.mesh, -1, point, NULL);
    const bool inside_too = Mesh_IsInside(&prepared.context, &prepared.mesh, -1, point, NULL);
    AssertSame("inside", inside, inside_too, &inside, &inside_too, sizeof inside);
    decisions += streams.count;
}

static void AskPush(void) {
    static const float radii[] = {0, 0.5f, 1, 3, 0x1p-40f, -1, INFINITY};
    static struct PushOutFace faces[2][ROOM];
    const PushOutFaces room = {faces[0], ROOM}, room_too = {faces[1], ROOM};
    const float radius = Below_(3) ? fabsf(Draw()) * 2 : radii[Below_(7)];
    const MeshQuery query = DrawQuery(), gather = DrawQuery();
    const PushOutFilters filters = {&gather, &query};
    float centre[3], push[3], push_too[3];
    uint32_t dropped, dropped_too;
    memset(faces, 0, sizeof faces);
    DrawWorldPoint(centre);
    const bool moved =
        Mesh_PushOut(&plain.context, &plain.mesh, centre, radius, &filters, &room, push, &dropped);
    const bool moved_too = Mesh_PushOut(&prepared.context, &prepared.mesh, centre, radius, &filters,
                                        &room_too, push_too, &dropped_too);
    AssertSame("push", moved, moved_too, push, push_too, sizeof push);
    assert_int_equal(dropped, dropped_too);
    assert_memory_equal(faces[0], faces[1], sizeof faces[0]);
    decisions += streams.count;
}

/* ---- comparisons ----------------------------------------------------------------------------- */

typedef void Ask(void);

static uint32_t CountFor(Kind kind) {
    if (kind == GROUND)
        return 2 + 2 * Below_(256);
    if (kind == NEEDLES) /* the boxes of needles have no neighbours */
        return 1 + Below_(12);
    return Below_(3) ? 1 + Below_(60) : 1 + Below_(MOST_TRIANGLES);
}

/* Asks models of every kind in every width. */
static void Compare(Ask *ask, uint32_t models, uint32_t questions, const RpReadings *readings) {
    static const RpBuild builds[3] = {RP_BUILD_GENERIC, RP_BUILD_FXCH, RP_BUILD_SSE};
    const uint16_t word = RpFpu_SetControlWord();
    for (uint32_t i = 0; i < models; i++) {
        const Kind kind = (Kind)(i % KINDS);
        MakeModel(kind, CountFor(kind));
        for (const ExactFaceWidth *const *width = Exact_FaceWidths(); *width; width++) {
            prepared.model.prepared->width = *width;
            for (uint32_t k = 0; k < questions; k++) {
                if (k % 16 == 0 && Below_(2))
                    DrawWorld();
                SetBuild(builds[Below_(3)], readings);
                ask();
            }
        }
        FreeModel();
    }
    RpFpu_Restore(word);
}

TEST(SegmentsHitTheSame) {
    Compare(AskSegment, 300, 120, NULL);
}

/* Draws models of one kind, whose pieces are at the origin and not turned, so that questions are
 * asked exactly as they were drawn. */
static void CompareAim(Aim at, Kind kind, uint32_t models, uint32_t questions) {
    const uint16_t word = RpFpu_SetControlWord();
    aim = at;
    for (uint32_t i = 0; i < models; i++) {
        MakeModel(kind, 1 + Below_(12));
        for (uint32_t k = 0; k < questions; k++) {
            SetBuild(Below_(2) ? RP_BUILD_SSE : RP_BUILD_GENERIC, NULL);
            AskSegment();
        }
        FreeModel();
    }
    aim = ANYWHERE;
    RpFpu_Restore(word);
}

/* Rounding lets a needle be hit beyond its tip, and therefore outside of its box. */
TEST(NeedlesAreHitBeyondTheirTips) {
    CompareAim(AT_TIPS, NEEDLES, 600, 100);
}

/* Rounding lets a segment that lies in a face's plane hit the face far beyond its ends. */
TEST(FacesAreHitBeyondTheEndsOfSegments) {
    CompareAim(AT_PLANES, SOUP, 3000, 100);
    CompareAim(AT_PLANES, GROUND, 2000, 100);
}

TEST(FacesAreFoundAtTheSamePoints) {
    Compare(AskFace, 200, 100, NULL);
}

TEST(TheSamePointsAreInside) {
    Compare(AskInside, 200, 100, NULL);
}

TEST(SpheresArePushedTheSameWay) {
    Compare(AskPush, 200, 60, NULL);
}

/* Tests every choice for slot 45 and for slot 26, whether the core serves it or not. */
TEST(ReadingsChangeNothing) {
    static const char *const choices[] = {"plane-sum=reverse,plane-sum-sse=reverse",
                                          "plane-sum=outer,plane-sum-sse=outer",
                                          "plane-sum=offset-first,plane-sum-sse=offset-first",
                                          "plane-far=inclusive,plane-newton=factored",
                                          "plane-division=reciprocal",
                                          "frame-sum=reverse,frame-division=reciprocal"};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        RpReadings readings;
        RpError error;
        memset(&readings, 0, sizeof readings);
        assert_int_equal(RpReadings_Parse(&readings, RP_READS_RUNTIME, choices[i], &error), RP_OK);
        Compare(AskSegment, 50, 60, &readings);
    }
}

/* ---- points ---------------------------------------------------------------------------------- */

static uint32_t MovePoints(InputKind kind, uint32_t times) {
    uint32_t served = 0;
    for (uint32_t i = 0; i < times; i++) {
        float matrix[16], points[24], moved[24];
        const int count = 1 + (int)Below_(8);
        Random_Fill(&random_, i % 4 ? INPUT_ORDINARY : kind, matrix, 16);
        Random_Fill(&random_, kind, points, 24);
        memcpy(moved, points, sizeof moved);
        const bool by_core = Exact_MovePoints(matrix, moved, count);
        for (int k = 0; k < count && by_core; k++)
            Bounds_Transform(matrix, points + 3 * k, points + 3 * k);
        assert_memory_equal(points, moved, sizeof moved);
        served += by_core;
    }
    return served;
}

TEST(PointsAreMovedAsByTheX87) {
    const uint16_t word = RpFpu_SetControlWord();
    assert_int_equal(MovePoints(INPUT_ORDINARY, 20000), 20000);
    const uint32_t any = MovePoints(INPUT_ANY, 20000), special = MovePoints(INPUT_SPECIAL, 20000);
    assert_true(any < 20000 && special < 20000);
    RpFpu_Restore(0x037F);
    assert_int_equal(MovePoints(INPUT_ORDINARY, 100), 0);
    RpFpu_Restore(word);
}

/* ---- control words and modes ----------------------------------------------------------------- */

static void AskAll(void) {
    static Ask *const all[] = {AskSegment, AskSegment, AskFace, AskInside, AskPush};
    all[Below_(5)]();
}

/* Under another control word the numbers of a prepared face would be rounded in another way. */
TEST(EveryControlWordAndMode) {
    static const uint16_t words[] = {0x037F, 0x027F, 0x007F, 0x0C7F, 0x047F, 0x0F7F};
    static const uint32_t modes[] = {STANDARD, FLUSHED, 0x7F80, 0x3F80, 0x1FBF};
    const Rounding before = Rounding_Get();
    for (uint32_t i = 0; i < 120; i++) {
        MakeModel((Kind)(i % KINDS), CountFor((Kind)(i % KINDS)));
        for (uint32_t k = 0; k < 100; k++) {
            const Rounding rounding = {words[Below_(6)], modes[Below_(5)]};
            SetBuild(Below_(2) ? RP_BUILD_SSE : RP_BUILD_GENERIC, NULL);
            if (k % 16 == 0 && Below_(2))
                DrawWorld();
            aim = Below_(2) ? AT_PLANES : ANYWHERE;
            Rounding_Set(rounding);
            AskAll();
            const Rounding after = Rounding_Get();
            Rounding_Set(before);
            assert_int_equal(after.control_word, rounding.control_word);
            assert_int_equal(after.mxcsr & 0xFFC0, rounding.mxcsr & 0xFFC0);
        }
        FreeModel();
    }
    aim = ANYWHERE;
}

/* ---- that preparing is worth it -------------------------------------------------------------- */

TEST(FewFacesAreLookedAt) {
    const uint16_t word = RpFpu_SetControlWord();
    MakeModel(GROUND, 512);
    asked_plain = asked_prepared = 0;
    for (int i = 0; i < 2000; i++) {
        float segment[6] = {8 + 8 * Draw(), 8 + 8 * Draw(), 3, 8 + 8 * Draw(), 8 + 8 * Draw(), -2};
        MeshHit hit;
        crossings.asked = 0;
        assert_true(Mesh_Segment(&plain.context, &plain.mesh, segment, NULL, &hit));
        asked_plain += crossings.asked;
        crossings.asked = 0;
        assert_true(Mesh_Segment(&prepared.context, &prepared.mesh, segment, NULL, &hit));
        asked_prepared += crossings.asked;
    }
    FreeModel();
    RpFpu_Restore(word);
    assert_true(asked_prepared * 50 < asked_plain);
}

/* The corners of a scaled object are other numbers than those of its model. */
TEST(ScaledObjects) {
    const uint16_t word = RpFpu_SetControlWord();
    for (uint32_t i = 0; i < 20; i++) {
        MakeModel((Kind)(i % KINDS), CountFor((Kind)(i % KINDS)));
        for (Subject *subject = &plain; subject; subject = subject == &plain ? &prepared : NULL) {
            subject->mesh.scaled = 1;
            subject->mesh.scale[0] = subject->mesh.scale[2] = 0.75f;
            subject->mesh.scale[1] = 1.5f;
        }
        for (uint32_t k = 0; k < 60; k++)
            AskAll();
        FreeModel();
    }
    RpFpu_Restore(word);
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST(MemoryIsCountedAndMayBeRefused) {
    CountedMemory heap = {.refuse = SIZE_MAX};
    const RpAllocator allocator = CountedMemory_Allocator(&heap);
    MeshPrepared *made = NULL;
    MakeModel(STRANGE, 300);
    while (MeshPrepared_New(&plain.model, &allocator, &made, NULL) == RP_NO_MEMORY) {
        assert_null(made);
        assert_int_equal(heap.bytes, 0);
        heap.refuse_from++;
        heap.calls = 0;
    }
    assert_non_null(made);
    assert_int_equal(heap.refuse_from, 3);
    assert_int_equal(heap.bytes, made->bytes);
    MeshPrepared_Free(&allocator, made);
    assert_int_equal(heap.bytes, 0);
    FreeModel();
}

/* ---- slots that many nodes name -------------------------------------------------------------- */

enum { SHARERS = 5, FACES = 100 };

typedef struct Shared { /* a model whose nodes share slots */
    CountedMemory heap;
    uint8_t nodes[SHARERS * NODE_BYTES], slots[2 * SLOT_BYTES];
    uint8_t batches[(MOST_BATCHES + 1) * BATCH_BYTES];
} Shared;

static void NameSlot(uint8_t *node, uint32_t slot) {
    memset(node, 0xFF, NODE_BYTES);
    for (size_t variant = 0; variant < 3; variant++)
        Bytes_PutU16(node + NODE_AT_slots + 2 * NODE_LEVELS * variant, slot);
}

/* Slot 1 has all faces. Slot 0 has one batch, the last one. The second node names slot 1, and all
 * others name slot 0. */
static MeshModel ShareSlots(Shared *shared, uint32_t index_count) {
    MeshModel model = plain.model;
    for (uint32_t i = 0; i < SHARERS; i++)
        NameSlot(shared->nodes + (size_t)i * NODE_BYTES, i == 1);
    memcpy(shared->slots + SLOT_BYTES, streams.slot, SLOT_BYTES);
    Bytes_PutU16(shared->slots + SLOT_AT_first_batch, streams.batch_count);
    Bytes_PutU16(shared->slots + SLOT_AT_batch_count, 1);
    memcpy(shared->batches, streams.batches, sizeof streams.batches);
    Bytes_PutU16(shared->batches + (size_t)streams.batch_count * BATCH_BYTES + BATCH_AT_index_count,
                 index_count);
    model.pose.nodes = shared->nodes;
    model.pose.node_bytes = sizeof shared->nodes;
    model.slots = (MeshStream){shared->slots, 2};
    model.batches = (MeshStream){shared->batches, streams.batch_count + 1};
    return model;
}

/* The second request is for the faces of slot 1. From then on slot 0 has the same. */
static void *ResizeAndGiveFaces(void *context, void *block, size_t size) {
    Shared *shared = context;
    if (shared->heap.calls == 1)
        memcpy(shared->slots, shared->slots + SLOT_BYTES, SLOT_BYTES);
    return CountedMemory_Resize(&shared->heap, block, size);
}

/* A slot may have 65,535 batches without a triangle, or more triangles than the core takes. Such a
 * slot must not be counted again for each node and variant that names it, or a model of 2 MB would
 * take seconds. Code that looks at slot 0 again after slot 1 would find that it has faces. */
TEST(ASlotThatIsNotPreparedIsCountedOnce) {
    static const uint32_t index_counts[] = {0, 0xFFFF};
    MakeModel(SOUP, FACES);
    for (size_t i = 0; i < sizeof index_counts / sizeof *index_counts; i++) {
        Shared shared = {.heap = {.refuse = 0}};
        const RpAllocator allocator = {.resize = ResizeAndGiveFaces, .context = &shared};
        const MeshModel model = ShareSlots(&shared, index_counts[i]);
        MeshPrepared *made = NULL;
        assert_int_equal(MeshPrepared_New(&model, &allocator, &made, NULL), RP_OK);
        assert_memory_equal(shared.slots, streams.slot, SLOT_BYTES);
        assert_int_equal(made->slots[1].count, FACES);
        assert_int_equal(made->slots[0].count, 0);
        MeshPrepared_Free(&allocator, made);
        assert_int_equal(shared.heap.bytes, 0);
    }
    FreeModel();
}

/* Slots that all have the same faces are prepared four times, and not a thousand. */
TEST(FacesAreNotPreparedAgainAndAgain) {
    enum { COPIES = 6, TIMES = 4 };
    uint8_t nodes[COPIES * NODE_BYTES], slots[COPIES * SLOT_BYTES];
    MakeModel(SOUP, FACES);
    MeshModel model = plain.model;
    MeshPrepared *made = NULL;
    assert_int_equal(model.triangles.count, FACES);
    for (uint32_t i = 0; i < COPIES; i++) {
        NameSlot(nodes + (size_t)i * NODE_BYTES, i);
        memcpy(slots + (size_t)i * SLOT_BYTES, streams.slot, SLOT_BYTES);
    }
    model.pose.nodes = nodes;
    model.pose.node_bytes = sizeof nodes;
    model.slots = (MeshStream){slots, COPIES};
    assert_int_equal(MeshPrepared_New(&model, NULL, &made, NULL), RP_OK);
    for (uint16_t i = 0; i < COPIES; i++)
        assert_int_equal(MeshPrepared_Has(made, i), i < TIMES);
    MeshPrepared_Free(NULL, made);
    FreeModel();
}

/* ---- slots that no node can name ------------------------------------------------------------- */

/* The words of nodes have 16 bits, and 0xFFFF means none. On 32 bits, 196 bytes for each of
 * 21,913,099 slots would wrap to a size of 108. Only slots that are named are read, so the others
 * need not exist. */
TEST(SlotsThatNoNodeCanNameTakeNoMemory) {
    static const uint32_t counts[] = {NO_INDEX, NO_INDEX + 1, 21913099, UINT32_MAX};
    uint8_t *slots = calloc(NO_INDEX, SLOT_BYTES), node[NODE_BYTES];
    size_t bytes = 0;
    assert_non_null(slots);
    MakeModel(SOUP, FACES);
    memcpy(slots + (size_t)SLOT_BYTES * (NO_INDEX - 1), streams.slot, SLOT_BYTES);
    NameSlot(node, NO_INDEX - 1);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        MeshModel model = plain.model;
        MeshPrepared *made = NULL;
        model.pose.nodes = node;
        model.slots = (MeshStream){slots, counts[i]};
        assert_int_equal(MeshPrepared_New(&model, NULL, &made, NULL), RP_OK);
        assert_true(MeshPrepared_Has(made, NO_INDEX - 1));
        assert_false(MeshPrepared_Has(made, NO_INDEX));
        bytes = bytes ? bytes : made->bytes;
        assert_int_equal(made->bytes, bytes);
        MeshPrepared_Free(NULL, made);
    }
    FreeModel();
    free(slots);
}

static int Report(void **state) {
    (void)state;
    print_message("%.1f million faces were decided about\n", (double)decisions * 1e-6);
    return 0;
}

AROUND_ALL(NULL, Report)
