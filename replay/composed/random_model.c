#include "replay/composed/random_model.h"

#include "animesh/records.h"
#include "formats/synthetic/synthetic_streams.h"

#include <math.h>
#include <string.h>

enum { NONE = 0xFFFF, LEVELS = 5, SHAPE_LIMIT = 24, NORMAL_ONE = 32767 };

typedef struct Maker {
    Random *random;
    bool exact;
    RandomModel *model;
    SyntheticStreams streams;
} Maker;

static RpBuffer *StreamOf(Maker *maker, uint32_t type) {
    return &maker->streams.bytes[type];
}

static uint32_t CountOf(const Maker *maker, uint32_t type) {
    return SyntheticStreams_Count(&maker->streams, type);
}

/* ---- numbers --------------------------------------------------------------------------------- */

float Random_Coordinate(Random *random, bool exact, int32_t reach) {
    if (exact)
        return (float)Random_Between(random, -2 * reach, 2 * reach) / 2;
    return (float)Random_Between(random, -reach * 65536, reach * 65536) / 65536;
}

static void PutFloat(RpBuffer *buffer, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    RpBuffer_AppendU32(buffer, bits);
}

/* ---- shapes: triangles in the node's space --------------------------------------------------- */

typedef float Triangle[3][3];

static void RandomPoint(Maker *maker, const float near[3], int32_t reach, float point[3]) {
    for (int axis = 0; axis < 3; axis++)
        point[axis] = near[axis] + Random_Coordinate(maker->random, maker->exact, reach);
}

/* Makes triangles without order. In an exact model each lies in a plane across an axis, so that its
 * stored normal is exact, too. */
static uint32_t MakeSoup(Maker *maker, const float centre[3], Triangle *shape) {
    const uint32_t count = 1 + Random_Below(maker->random, 12);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t flat = Random_Below(maker->random, 3);
        float middle[3];
        RandomPoint(maker, centre, 4, middle);
        for (int corner = 0; corner < 3; corner++) {
            RandomPoint(maker, middle, 3, shape[i][corner]);
            if (maker->exact)
                shape[i][corner][flat] = middle[flat];
        }
    }
    return count;
}

/* Makes the twelve triangles of a box, which are counter-clockwise when seen from outside. */
static uint32_t MakeBox(Maker *maker, const float centre[3], Triangle *shape) {
    static const uint8_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                         {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                         {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    float size[3];
    for (int axis = 0; axis < 3; axis++)
        size[axis] = maker->exact ? (float)(1 << Random_Below(maker->random, 3))
                                  : 1 + fabsf(Random_Coordinate(maker->random, false, 3));
    for (int i = 0; i < 12; i++)
        for (int corner = 0; corner < 3; corner++)
            for (int axis = 0; axis < 3; axis++)
                shape[i][corner][axis] =
                    centre[axis] + (float)((faces[i][corner] >> axis) & 1) * size[axis];
    return 12;
}

/* Makes a piece of ground of three by three squares. In an exact model it is level. */
static uint32_t MakeGround(Maker *maker, const float centre[3], Triangle *shape) {
    static const uint8_t halves[2][3][2] = {{{0, 0}, {1, 0}, {0, 1}}, {{1, 0}, {1, 1}, {0, 1}}};
    float heights[16];
    for (int i = 0; i < 16; i++)
        heights[i] = maker->exact ? 0 : Random_Coordinate(maker->random, false, 1);
    for (int i = 0; i < 18 * 3; i++) {
        const int square = i / 6, corner = i % 3;
        const uint8_t *at = halves[i / 3 % 2][corner];
        const int x = square % 3 + at[0], y = square / 3 + at[1];
        shape[i / 3][corner][0] = centre[0] + (float)(2 * x - 3);
        shape[i / 3][corner][1] = centre[1] + (float)(2 * y - 3);
        shape[i / 3][corner][2] = centre[2] + heights[x * 4 + y];
    }
    return 18;
}

/* Makes triangles without area: two or three of their corners are the same, or all lie on a
 * line. */
static uint32_t MakeDegenerate(Maker *maker, const float centre[3], Triangle *shape) {
    const uint32_t count = 1 + Random_Below(maker->random, 3);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t kind = Random_Below(maker->random, 3);
        for (int corner = 0; corner < 3; corner++)
            RandomPoint(maker, centre, 4, shape[i][corner]);
        if (kind < 2)
            memcpy(shape[i][1], shape[i][0], sizeof shape[i][1]);
        if (kind < 1)
            memcpy(shape[i][2], shape[i][0], sizeof shape[i][2]);
        for (int axis = 0; kind == 2 && axis < 3; axis++)
            shape[i][2][axis] = 2 * shape[i][1][axis] - shape[i][0][axis];
    }
    return count;
}

/* ---- records of triangles, batches and slots ------------------------------------------------- */

/* Writes a batch of some of the shape's triangles. Its index count may be one or two short, because
 * the game counts (count + 2) / 3 triangles (facts/animesh.md E.14). */
static void PutBatch(Maker *maker, Triangle *shape, uint32_t count) {
    static const uint32_t flags[] = {0, 0, 2, 2, 4, 8, 0x100, 0x102, 0x20};
    const uint32_t indices = count * 3, missing = Random_OneIn(maker->random, 4) ? 1u : 0u;
    const uint32_t word = flags[Random_Below(maker->random, sizeof flags / sizeof *flags)];
    const RpMshBatch batch = {.flags = (uint16_t)word,
                              .row = (uint8_t)Random_Below(maker->random, 8),
                              .lightmap = 0xFF,
                              .portal = NONE,
                              .index_count = (uint16_t)(indices - missing),
                              .first_index = CountOf(maker, RP_MSH_INDICES),
                              .vertex_count = (uint16_t)indices,
                              .base_vertex = CountOf(maker, RP_MSH_POSITIONS)};
    SyntheticStreams_AddBatch(&maker->streams, &batch);
    for (uint32_t i = 0; i < indices; i++)
        RpBuffer_AppendU16(StreamOf(maker, RP_MSH_INDICES), (uint16_t)i);
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 9; k++)
            PutFloat(StreamOf(maker, RP_MSH_POSITIONS), shape[i][k / 3][k % 3]);

        static const uint16_t kinds[] = {0, 2, 4, 0x10, 0x20, 2 | 4};
        RpMshTriangle triangle = {.neighbours = {NONE, NONE, NONE}, .edges = 0x3F};

        /* The normal follows from the winding. Now and then it points the other way, as in a few of
         * the game's models. A triangle without area has none, or any. */
        float(*corners)[3] = shape[i];
        double a[3], b[3], cross[3], length = 0;
        for (int axis = 0; axis < 3; axis++) {
            a[axis] = (double)corners[1][axis] - corners[0][axis];
            b[axis] = (double)corners[2][axis] - corners[0][axis];
        }
        for (int axis = 0; axis < 3; axis++) {
            const int next = (axis + 1) % 3, last = (axis + 2) % 3;
            cross[axis] = a[next] * b[last] - a[last] * b[next];
            length += cross[axis] * cross[axis];
        }
        const bool flipped = Random_OneIn(maker->random, 40), any = Random_OneIn(maker->random, 2);
        const uint32_t chosen = Random_Below(maker->random, 3);
        memset(triangle.normal, 0, 3 * sizeof *triangle.normal);
        if (length > 1e-12) {
            for (int k = 0; k < 3; k++)
                triangle.normal[k] =
                    (int16_t)lrint(cross[k] / sqrt(length) * (flipped ? -NORMAL_ONE : NORMAL_ONE));
        } else if (any) {
            triangle.normal[chosen] = flipped ? -NORMAL_ONE : NORMAL_ONE;
        }

        triangle.flags = kinds[Random_Below(maker->random, sizeof kinds / sizeof *kinds)];
        SyntheticStreams_AddTriangle(&maker->streams, &triangle);
    }
}

static uint16_t PutSlot(Maker *maker, uint32_t node, uint32_t variant) {
    static const float origin[3];
    float centre[3];
    Triangle shape[SHAPE_LIMIT];
    uint32_t count;
    RandomPoint(maker, origin, 3, centre);
    switch (Random_Below(maker->random, 8)) {
    case 0:
        count = MakeDegenerate(maker, centre, shape);
        break;
    case 1:
    case 2:
        count = MakeBox(maker, centre, shape);
        break;
    case 3:
    case 4:
        count = MakeGround(maker, centre, shape);
        break;
    default:
        count = MakeSoup(maker, centre, shape);
    }

    const uint16_t index = (uint16_t)CountOf(maker, RP_MSH_SLOTS);
    RpMshSlot slot = {.first_triangle = (uint16_t)CountOf(maker, RP_MSH_TRIANGLES),
                      .triangle_count = (uint16_t)count,
                      .first_batch = (uint16_t)CountOf(maker, RP_MSH_BATCHES)};
    for (uint32_t done = 0; done < count;) {
        const uint32_t some = 1 + Random_Below(maker->random, count - done);
        PutBatch(maker, shape + done, some);
        done += some;
    }
    slot.batch_count = (uint16_t)(CountOf(maker, RP_MSH_BATCHES) - slot.first_batch);

    /* A box and a sphere that contain the triangles with room to spare, because the questions are
     * not about the surfaces of these bounds. */
    float *low = slot.low, *high = slot.high, square = 0;
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = high[axis] = shape[0][0][axis];
        for (uint32_t i = 0; i < count * 3; i++) {
            low[axis] = fminf(low[axis], shape[i / 3][i % 3][axis]);
            high[axis] = fmaxf(high[axis], shape[i / 3][i % 3][axis]);
        }
        slot.sphere[axis] = (low[axis] + high[axis]) / 2;
        square += (high[axis] - slot.sphere[axis]) * (high[axis] - slot.sphere[axis]);
    }
    slot.sphere[3] = ceilf(sqrtf(square) + 0.25f);
    slot.area = (high[0] - low[0]) * (high[1] - low[1]);
    slot.volume = (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);

    RandomModel *model = maker->model;
    for (uint32_t i = 0; i < count && model->triangle_count < RANDOM_MODEL_LIMIT; i++) {
        RandomTriangle *triangle = &model->triangles[model->triangle_count++];
        triangle->node = node;
        triangle->variant = variant;
        memcpy(triangle->corners, shape[i], sizeof triangle->corners);
    }

    SyntheticStreams_AddSlot(&maker->streams, &slot);
    return index;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static void PutKey(Maker *maker, uint32_t time) {
    RpMshKey key = {.time = (float)time};
    for (int axis = 0; axis < 3; axis++)
        key.position[axis] = Random_Coordinate(maker->random, maker->exact, 4);

    /* Any unit quaternion will do, so that it does not matter whether a reader takes the order for
     * x, y, z, w or for w, x, y, z. In an exact model it is the identity or half a turn about an
     * axis, in either order. */
    int32_t units[4];
    const uint32_t identity = Random_Below(maker->random, 2) * 3;
    Quaternion_Unit(maker->random, units);
    for (uint32_t k = 0; k < 4; k++) {
        const int64_t exact = k == identity ? NORMAL_ONE : 0;
        const int64_t any = ((int64_t)units[k] * NORMAL_ONE) / QUATERNION_ONE;
        key.rotation[k] = (int16_t)(maker->exact ? exact : any);
    }

    SyntheticStreams_AddKey(&maker->streams, &key);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void PutNode(Maker *maker, uint32_t node) {
    static const uint16_t flags[] = {0, 0, 0, 1, 4, 0x10, 0x20, 1 | 4, 0x40};
    RpMshNode record = {.map_start = NONE};
    record.flags = flags[Random_Below(maker->random, sizeof flags / sizeof *flags)];

    const uint32_t above = node > 1 ? Random_Below(maker->random, node) : 0;
    const bool none = Random_OneIn(maker->random, 12);
    /* Node 1 has node 0 as its parent, so that an attached part is a child of what it is attached
     * to. */
    record.parent = node == 0 || (none && node > 1) ? NONE : (uint16_t)above;

    if (!maker->exact && !Random_OneIn(maker->random, 3)) {
        /* A track has two to four keys over the whole time, and the map words that lead to them. */
        const uint32_t last = maker->model->frame_count - 1,
                       middle = 1 + Random_Below(maker->random, last - 1);
        const uint32_t first = CountOf(maker, RP_MSH_KEYS),
                       start = CountOf(maker, RP_MSH_FRAME_MAP);
        PutKey(maker, 0);
        PutKey(maker, middle);
        PutKey(maker, last);
        for (uint32_t frame = 0; frame <= last; frame++)
            RpBuffer_AppendU16(StreamOf(maker, RP_MSH_FRAME_MAP),
                               (uint16_t)(first + (frame >= middle) + (frame == last)));
        record.map_start = (uint16_t)start;
    } else {
        PutKey(maker, 0);
    }
    record.fallback = (uint16_t)(CountOf(maker, RP_MSH_KEYS) - 1);
    for (uint32_t word = 0; word < RANDOM_MODEL_VARIANTS * LEVELS; word++) {
        const bool first = word % LEVELS == 0;
        const bool there = first && !Random_OneIn(maker->random, word == 0 ? 6 : 2);
        record.slots[word] = there ? PutSlot(maker, node, word / LEVELS) : NONE;
    }
    SyntheticStreams_AddNode(&maker->streams, &record);
    RpBuffer_AppendU32(StreamOf(maker, RP_MSH_LABELS), 0);
}

/* ---- the archive ----------------------------------------------------------------------------- */

RpStatus RandomModel_Make(Random *random, const RandomModelSpec *spec, RandomModel *model) {
    static const uint8_t order[] = {RP_MSH_NODES,   RP_MSH_SLOTS,     RP_MSH_POSITIONS,
                                    RP_MSH_NORMALS, RP_MSH_UV0,       RP_MSH_LABELS,
                                    RP_MSH_KEYS,    RP_MSH_FRAME_MAP, RP_MSH_TRIANGLES,
                                    RP_MSH_BATCHES, RP_MSH_INDICES};
    static const char name[RP_NRES_NAME_BYTES] = "random.msh";
    Maker maker = {.random = random, .exact = spec->exact, .model = model};
    model->node_count = spec->nodes;
    model->frame_count = spec->exact ? 1 : 4 + Random_Below(random, 8);
    model->triangle_count = 0;
    SyntheticStreams_Init(&maker.streams, model->frame_count);

    /* A box, a sphere and a capsule about the origin. The code under test only copies them, so they
     * need not fit the model. */
    static const uint8_t corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    float low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = Random_Coordinate(maker.random, maker.exact, 8) - 8;
        high[axis] = low[axis] + 1 + fabsf(Random_Coordinate(maker.random, maker.exact, 16));
    }
    RpBuffer *header = StreamOf(&maker, RP_MSH_SLOTS);
    for (int i = 0; i < 8; i++) {
        PutFloat(header, corners[i % 4][0] ? high[0] : low[0]);
        PutFloat(header, corners[i % 4][1] ? high[1] : low[1]);
        PutFloat(header, i < 4 ? low[2] : high[2]);
    }
    for (int i = 0; i < 11; i++)
        PutFloat(header, fabsf(Random_Coordinate(maker.random, maker.exact, 8)));

    for (uint32_t node = 0; node < spec->nodes; node++)
        PutNode(&maker, node);

    /* Zeros serve for what no question concerns. */
    const uint32_t vertices = CountOf(&maker, RP_MSH_POSITIONS);
    RpBuffer_Extend(StreamOf(&maker, RP_MSH_NORMALS), (size_t)vertices * NORMAL_BYTES);
    RpBuffer_Extend(StreamOf(&maker, RP_MSH_UV0), (size_t)vertices * UV_BYTES);
    RpBuffer_Init(&model->image, NULL);
    const RpStatus status =
        SyntheticStreams_Write(&maker.streams, name, order, sizeof order, &model->image, NULL);
    SyntheticStreams_Free(&maker.streams);
    return status;
}

void RandomModel_Free(RandomModel *model) {
    RpBuffer_Free(&model->image);
}
