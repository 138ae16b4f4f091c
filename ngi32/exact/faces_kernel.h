/* The functions of faces.h for one width of vectors. A file of a width includes the header of its
 * lanes, and then this file. As long as nothing under- or overflows, every product and sum is, in
 * the same order, one that the x87 computes for the query under the game's control word.
 * docs/reference/exact.md, "Queries", proves the exceptions. */
#include "ngi32/exact/entry.h"
#include "ngi32/exact/faces.h"
#include "ngi32/exact/unrolled.h"

#include <string.h>

#define STEP static inline __attribute__((always_inline))

/* ---- lanes ----------------------------------------------------------------------------------- */

STEP Floats All(float number) {
    return (Floats){0} + number;
}

STEP Floats Size(Floats numbers) {
    return (Floats)((Words)numbers & INT32_MAX);
}

STEP Floats Dot(const Floats a[3], const Floats b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

STEP void LoadVector(const float (*at)[EXACT_BLOCK], int lane, Floats vector[3]) {
    UNROLLED
    for (int i = 0; i < 3; i++)
        vector[i] = Floats_Load(at[i] + lane);
}

STEP void AllVector(const float vector[3], Floats all[3]) {
    UNROLLED
    for (int i = 0; i < 3; i++)
        all[i] = All(vector[i]);
}

STEP void Take(const ExactBlock *block, uint32_t lanes, uint64_t *chosen) {
    for (; lanes; lanes &= lanes - 1) {
        const uint32_t number = block->number[__builtin_ctz(lanes)];
        if (number != EXACT_NO_FACE)
            chosen[number / 64] |= UINT64_C(1) << number % 64;
    }
}

/* ---- segments -------------------------------------------------------------------------------- */

/* A segment as the faces of one tree need it. The tree's axis is the third one. */
typedef struct Line {
    Floats start[3], end[3], way[3]; /* in the order of the node's axes */
    Floats start_uv[2], end_uv[2], way_uv[2];
    Floats far_uv[2];         /* how large sums with a point of a face can be */
    Floats across, tolerance; /* the product of a point with the direction across the line: its
                                 value on the line, and the error to allow */
    Floats ahead_least[2], behind[2]; /* a box is ahead if it does not end before `ahead_least` and
                                         does not begin after `behind` */
    bool forward_uv[2];               /* whether the direction is not negative */
} Line;

STEP uint32_t BoxesMet(const ExactBoxes *boxes, const Line *line, int u, int v) {
    uint32_t met = 0;
    for (int i = 0; i < EXACT_BLOCK; i += LANES) {
        const Floats least_u = Floats_Load(boxes->least[u] + i);
        const Floats most_u = Floats_Load(boxes->most[u] + i);
        const Floats least_v = Floats_Load(boxes->least[v] + i);
        const Floats most_v = Floats_Load(boxes->most[v] + i);
        /* These are the box's corners with the greatest and the least product across the line. */
        const Floats high_v = line->forward_uv[0] ? most_v : least_v;
        const Floats low_v = line->forward_uv[0] ? least_v : most_v;
        const Floats high_u = line->forward_uv[1] ? least_u : most_u;
        const Floats low_u = line->forward_uv[1] ? most_u : least_u;
        const Floats high = (line->way_uv[0] * high_v - line->way_uv[1] * high_u) - line->across;
        const Floats low = (line->way_uv[0] * low_v - line->way_uv[1] * low_u) - line->across;
        const Words beside = (high < -line->tolerance) | (line->tolerance < low);
        const Words behind = (most_u < line->ahead_least[0]) | (line->behind[0] < least_u) |
                             (most_v < line->ahead_least[1]) | (line->behind[1] < least_v);
        met |= Words_Signs(~(beside | behind)) << i;
    }
    return met;
}

/* Returns the lanes in which a point is certainly outside of the edge that goes from `from` by
 * `along`. */
STEP Words IsOutside(const Floats along[2], const Floats from[2], const Floats point[2],
                     Words turned, Floats margin) {
    const Floats side = along[0] * (point[1] - from[1]) - along[1] * (point[0] - from[0]);
    return (Floats)((Words)side ^ turned) < -margin;
}

/* Leaves out faces only if mrnPointInPoly says no to them, whichever way slot 45 rounds the
 * crossing. */
STEP Words IsCrossingInside(const ExactBlock *block, const Line *line, int i, int u, int v, int w,
                            const Floats point[2]) {
    Floats corner[3][2], along[3][2], width[2], margin[2];
    UNROLLED
    for (int k = 0; k < 3; k++) {
        corner[k][0] = Floats_Load(block->corner[k][u] + i);
        corner[k][1] = Floats_Load(block->corner[k][v] + i);
    }
    UNROLLED
    for (int axis = 0; axis < 2; axis++) {
        along[0][axis] = corner[1][axis] - corner[0][axis];
        along[1][axis] = corner[2][axis] - corner[1][axis];
        along[2][axis] = corner[0][axis] - corner[2][axis];
        width[axis] = Size(along[0][axis]) + Size(along[1][axis]);
        margin[axis] = Size(point[axis]) + line->far_uv[axis];
    }
    const Floats all = (width[0] * margin[1] + width[1] * margin[0]) * All(EXACT_EDGE_MARGIN);
    const Words turned = (Words)Floats_Load(block->normal[w] + i) & INT32_MIN;
    return ~(IsOutside(along[0], corner[0], point, turned, all) |
             IsOutside(along[1], corner[1], point, turned, all) |
             IsOutside(along[2], corner[2], point, turned, all));
}

STEP uint32_t FacesCrossed(const ExactBlock *block, const Line *line, bool two_sided, int u, int v,
                           int w) {
    uint32_t crossed = 0;
    for (int i = 0; i < EXACT_BLOCK; i += LANES) {
        Floats normal[3];
        LoadVector(block->normal, i, normal);
        const Floats offset = Floats_Load(block->offset + i);
        const Floats nv = Dot(normal, line->way);
        const Floats d0 = Dot(normal, line->start) + offset, d1 = Dot(normal, line->end) + offset;
        const Words front = nv < 0;
        Words passes = front & (d0 >= 0) & (d1 <= 0);
        Floats above = d0, from[2] = {line->start_uv[0], line->start_uv[1]};
        if (two_sided) { /* a two-sided face may also be crossed from the end to the start, with the
                            signs changed */
            passes |= (nv > 0) & (d1 >= 0) & (d0 <= 0);
            above = Choose(front, d0, d1);
            UNROLLED
            for (int axis = 0; axis < 2; axis++)
                from[axis] = Choose(front, line->start_uv[axis], line->end_uv[axis]);
        }
        if (!Words_Signs(passes))
            continue;
        /* In other lanes this divides by 1, because a division by zero would raise a flag. */
        const Floats k = above / Choose(passes, -nv, All(1));
        const Floats point[2] = {from[0] + line->way_uv[0] * k, from[1] + line->way_uv[1] * k};
        crossed |= Words_Signs(passes & IsCrossingInside(block, line, i, u, v, w, point)) << i;
    }
    return crossed;
}

STEP void TakeCrossed(const ExactTree *tree, uint32_t index, const Line *line, int axis,
                      uint64_t *chosen) {
    const ExactBlock *block = tree->blocks + index;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    Take(block,
         tree->two_sided ? FacesCrossed(block, line, true, u, v, axis)
                         : FacesCrossed(block, line, false, u, v, axis),
         chosen);
}

static void Descend(const ExactTree *tree, const Line *line, uint32_t level, uint32_t index,
                    int axis, uint64_t *chosen) {
    uint32_t met = BoxesMet(tree->levels[level] + index, line, (axis + 1) % 3, (axis + 2) % 3);
    for (; met; met &= met - 1) {
        const uint32_t below = EXACT_BLOCK * index + (uint32_t)__builtin_ctz(met);
        if (below >= tree->counts[level])
            break;
        if (level > 0)
            Descend(tree, line, level - 1, below, axis, chosen);
        else
            TakeCrossed(tree, below, line, axis, chosen);
    }
}

STEP void SetLine(const ExactTree *tree, const float segment[6], float reach, int axis,
                  Line *line) {
    const float *start = segment, *end = segment + 3, rounding = (tree->extent + reach);
    float way[3], ways = 0;
    for (int i = 0; i < 3; i++)
        way[i] = end[i] - start[i];
    AllVector(start, line->start);
    AllVector(end, line->end);
    AllVector(way, line->way);
    for (int i = 0; i < 2; i++) {
        const int at = (axis + 1 + i) % 3;
        const float tube = tree->slack + rounding * EXACT_BOX_MARGIN;
        line->start_uv[i] = line->start[at];
        line->end_uv[i] = line->end[at];
        line->way_uv[i] = line->way[at];
        line->far_uv[i] = All(rounding);
        line->forward_uv[i] = way[at] >= 0;
        ways += way[at] < 0 ? -way[at] : way[at];
        /* A face that is crossed from behind may be anywhere on the ray from the end backwards.
         * With two-sided faces, no box is therefore known to be behind the segment. */
        line->ahead_least[i] = All(!tree->two_sided && way[at] >= 0 ? start[at] - tube : -0x1p100f);
        line->behind[i] = All(!tree->two_sided && way[at] <= 0 ? start[at] + tube : 0x1p100f);
    }
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    line->across = All(way[u] * start[v] - way[v] * start[u]);
    line->tolerance = All(ways * (tree->slack + rounding * EXACT_BOX_MARGIN));
}

ENTRY static void ChooseCrossed(const ExactFaces *faces, const float segment[6], float reach,
                                uint64_t *chosen) {
    for (int axis = 0; axis < 3; axis++) {
        const ExactTree *tree = &faces->trees[axis];
        Line line;
        if (!tree->block_count)
            continue;
        SetLine(tree, segment, reach, axis, &line);
        if (tree->boxed)
            Descend(tree, &line, tree->level_count - 1, 0, axis, chosen);
        for (uint32_t i = tree->boxed; i < tree->block_count; i++)
            TakeCrossed(tree, i, &line, axis, chosen);
    }
    Lanes_Leave();
}

/* ---- in the world ---------------------------------------------------------------------------- */

/* The matrix of a piece, and a point: that of a query, or the centre of a sphere. */
typedef struct Place {
    Floats rows[3][3], translation[3], point[3];
} Place;

STEP void SetPlace(const float world[16], const float point[3], Place *place) {
    for (int i = 0; i < 3; i++) {
        AllVector(world + 4 * i, place->rows[i]);
        place->translation[i] = All(world[4 * i + 3]);
    }
    AllVector(point, place->point);
}

/* Returns one coordinate of a corner in the world. */
STEP Floats InWorld(const Place *place, const Floats corner[3], int axis) {
    return Dot(place->rows[axis], corner) + place->translation[axis];
}

typedef uint32_t BlockTest(const ExactBlock *block, const Place *place, float a, float b);

STEP void ChooseBy(BlockTest *test, const ExactFaces *faces, const float world[16],
                   const float point[3], float a, float b, uint64_t *chosen) {
    Place place;
    SetPlace(world, point, &place);
    for (int axis = 0; axis < 3; axis++) {
        const ExactTree *tree = &faces->trees[axis];
        for (uint32_t i = 0; i < tree->block_count; i++)
            Take(tree->blocks + i, test(tree->blocks + i, &place, a, b), chosen);
    }
}

/* ---- spheres: Touch_Face of mesh_touch.c ----------------------------------------------------- */

typedef struct Ball {
    Floats foot[3]; /* the foot of the centre on the face's plane */
    Floats reach;   /* the distance along the plane that the sphere reaches, squared */
    Floats radius;
} Ball;

/* Returns whether the sphere touches the edge that its foot is beyond. Nothing is beyond an edge
 * without length, but computing with it must not divide by zero. */
STEP Words IsEdgeTouched(const Floats start[3], const Floats end[3], const Floats way[3],
                         const Floats to[3], const Place *place, const Ball *ball) {
    const Floats squared = Dot(way, way);
    const Floats length = Floats_SquareRoot(Choose(squared > 0, squared, All(1)));
    const Floats along = Dot(to, way) / length;
    const Floats gap = Dot(to, to) - along * along;
    const Words before = along < 0, after = length < along;
    Floats from[3];
    UNROLLED
    for (int i = 0; i < 3; i++)
        from[i] = place->point[i] - Choose(before, start[i], end[i]);
    const Words corner = Floats_SquareRoot(Dot(from, from)) <= ball->radius;
    return (gap <= ball->reach) & (corner | ~(before | after));
}

STEP Words IsBallTouching(Floats corners[3][3], const Floats normal[3], const Place *place,
                          const Ball *ball) {
    Words touched = {0}, decided = {0};
    UNROLLED
    for (int k = 0; k < 3; k++) {
        const Floats *start = corners[k], *end = corners[k < 2 ? k + 1 : 0];
        Floats way[3], to[3];
        UNROLLED
        for (int i = 0; i < 3; i++) {
            way[i] = end[i] - start[i];
            to[i] = ball->foot[i] - start[i];
        }
        const Floats outward[3] = {way[1] * normal[2] - way[2] * normal[1],
                                   way[2] * normal[0] - way[0] * normal[2],
                                   way[0] * normal[1] - way[1] * normal[0]};
        const Words beyond = Dot(outward, to) > 0;
        touched |= ~decided & beyond & IsEdgeTouched(start, end, way, to, place, ball);
        decided |= beyond;
    }
    return touched | ~decided;
}

STEP uint32_t FacesTouched(const ExactBlock *block, const Place *place, float radius,
                           float unused) {
    uint32_t touched = 0;
    (void)unused;
    for (int i = 0; i < EXACT_BLOCK; i += LANES) {
        Floats stored[3], corner[3][3], normal[3], way[3], corners[3][3];
        LoadVector(block->normal, i, stored);
        LoadVector(block->corner[0], i, corner[0]);
        UNROLLED
        for (int axis = 0; axis < 3; axis++) {
            normal[axis] = Dot(place->rows[axis], stored);
            corners[0][axis] = InWorld(place, corner[0], axis);
            way[axis] = place->point[axis] - corners[0][axis];
        }
        const Floats height = Dot(normal, way);
        const Words is_high = (height >= 0) & (height <= radius);
        if (!Words_Signs(is_high))
            continue;
        LoadVector(block->corner[1], i, corner[1]);
        LoadVector(block->corner[2], i, corner[2]);
        Ball ball = {.radius = All(radius)};
        ball.reach = ball.radius * ball.radius - height * height;
        UNROLLED
        for (int axis = 0; axis < 3; axis++) {
            corners[1][axis] = InWorld(place, corner[1], axis);
            corners[2][axis] = InWorld(place, corner[2], axis);
            ball.foot[axis] = place->point[axis] - normal[axis] * height;
        }
        touched |= Words_Signs(is_high & IsBallTouching(corners, normal, place, &ball)) << i;
    }
    return touched;
}

ENTRY static void ChooseTouched(const ExactFaces *faces, const float world[16],
                                const float centre[3], float radius, uint64_t *chosen) {
    ChooseBy(FacesTouched, faces, world, centre, radius, 0, chosen);
    Lanes_Leave();
}

/* ---- points seen along z --------------------------------------------------------------------- */

STEP void CornersInWorld(const ExactBlock *block, const Place *place, int i, Floats corners[3][2]) {
    UNROLLED
    for (int k = 0; k < 3; k++) {
        Floats corner[3];
        LoadVector(block->corner[k], i, corner);
        corners[k][0] = InWorld(place, corner, 0);
        corners[k][1] = InWorld(place, corner, 1);
    }
}

STEP Floats Least(Floats a, Floats b) {
    return Choose(a < b, a, b);
}

STEP Floats Most(Floats a, Floats b) {
    return Choose(a < b, b, a);
}

/* Returns the faces that, seen from above, have an area and have the point on the inner side of
 * every edge. */
STEP Words IsOver(Floats corners[3][2], const Place *place) {
    Floats along[3][2];
    UNROLLED
    for (int axis = 0; axis < 2; axis++) {
        along[0][axis] = corners[1][axis] - corners[0][axis];
        along[1][axis] = corners[2][axis] - corners[1][axis];
        along[2][axis] = corners[0][axis] - corners[2][axis];
    }
    const Floats last[2] = {corners[2][0] - corners[0][0], corners[2][1] - corners[0][1]};
    const Floats area = along[0][0] * last[1] - along[0][1] * last[0];
    const Words up = area > 0;
    Words over = area != 0;
    UNROLLED
    for (int k = 0; k < 3; k++) {
        const Floats side = along[k][0] * (place->point[1] - corners[k][1]) -
                            along[k][1] * (place->point[0] - corners[k][0]);
        over &= ~((up & (side < 0)) | (~up & (side > 0)));
    }
    return over;
}

/* Returns the faces from which the point, seen from above, is no farther than `reach` and the
 * largest error that roundings can make in a gap. */
STEP Words IsNear(Floats corners[3][2], const Place *place, float reach) {
    Words apart = {0};
    UNROLLED
    for (int axis = 0; axis < 2; axis++) {
        const Floats point = place->point[axis];
        const Floats least = Least(Least(corners[0][axis], corners[1][axis]), corners[2][axis]);
        const Floats most = Most(Most(corners[0][axis], corners[1][axis]), corners[2][axis]);
        const Floats room =
            (Size(point) + Size(least) + Size(most)) * All(EXACT_GAP_MARGIN) + reach;
        apart |= (point < least - room) | (most + room < point);
    }
    return ~apart;
}

STEP uint32_t FacesOver(const ExactBlock *block, const Place *place, float least, float reach) {
    uint32_t over = 0;
    for (int i = 0; i < EXACT_BLOCK; i += LANES) {
        Floats normal[3], corners[3][2];
        LoadVector(block->normal, i, normal);
        const Words walkable = Dot(place->rows[2], normal) >= least;
        if (!Words_Signs(walkable))
            continue;
        CornersInWorld(block, place, i, corners);
        Words met = IsOver(corners, place);
        if (reach >= 0)
            met |= IsNear(corners, place, reach);
        over |= Words_Signs(walkable & met) << i;
    }
    return over;
}

ENTRY static void ChooseOver(const ExactFaces *faces, const float world[16], const float point[3],
                             float least, float reach, uint64_t *chosen) {
    ChooseBy(FacesOver, faces, world, point, least, reach, chosen);
    Lanes_Leave();
}

/* ---- the ray along z: IsUnderTriangle of mesh_inside.c --------------------------------------- */

STEP Words IsLeftOfEdge(const Floats start[2], const Floats end[2], const Place *place) {
    const Words start_above = place->point[1] < start[1], end_above = place->point[1] < end[1];
    Floats low[2], way[2], to[2];
    UNROLLED
    for (int axis = 0; axis < 2; axis++) {
        low[axis] = Choose(start_above, end[axis], start[axis]);
        way[axis] = Choose(start_above, start[axis], end[axis]) - low[axis];
        to[axis] = place->point[axis] - low[axis];
    }
    return (start_above ^ end_above) & (way[0] * to[1] - way[1] * to[0] > 0);
}

STEP uint32_t FacesAcross(const ExactBlock *block, const Place *place, float a, float b) {
    uint32_t across = 0;
    (void)a;
    (void)b;
    for (int i = 0; i < EXACT_BLOCK; i += LANES) {
        Floats corners[3][2];
        CornersInWorld(block, place, i, corners);
        const Words met = IsLeftOfEdge(corners[0], corners[1], place) ^
                          IsLeftOfEdge(corners[1], corners[2], place) ^
                          IsLeftOfEdge(corners[2], corners[0], place);
        across |= Words_Signs(met) << i;
    }
    return across;
}

ENTRY static void ChooseAcross(const ExactFaces *faces, const float world[16], const float point[3],
                               uint64_t *chosen) {
    ChooseBy(FacesAcross, faces, world, point, 0, 0, chosen);
    Lanes_Leave();
}
