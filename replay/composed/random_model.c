#include "replay/composed/random_model.h"

#include "retropose/nres.h"

#include <math.h>
#include <string.h>

enum { NONE = 0xFFFF, LEVELS = 5, SHAPE_LIMIT = 24, NORMAL_ONE = 32767 };

typedef struct Maker {
    Random *random;
    bool exact;
    RandomModel *model;
    RpBuffer nodes, slots, vertices, indices, triangles, keys, batches, map, labels;
    uint32_t slot_count, batch_count, vertex_count, key_count, triangle_count;
    RpStatus status; /* the status of the first failure */
} Maker;

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

static void PutFloats(RpBuffer *buffer, const float *values, int count) {
    for (int i = 0; i < count; i++)
        PutFloat(buffer, values[i]);
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

static uint32_t MakeShape(Maker *maker, Triangle *shape) {
    static const float origin[3];
    float centre[3];
    RandomPoint(maker, origin, 3, centre);
    switch (Random_Below(maker->random, 8)) {
    case 0:
        return MakeDegenerate(maker, centre, shape);
    case 1:
    case 2:
        return MakeBox(maker, centre, shape);
    case 3:
    case 4:
        return MakeGround(maker, centre, shape);
    default:
        return MakeSoup(maker, centre, shape);
    }
}

/* ---- records of triangles, batches and slots ------------------------------------------------- */

/* The normal follows from the winding. Now and then it points the other way, as in a few of the
 * game's models. A triangle without area has none, or any. */
static void MakeNormal(Maker *maker, Triangle corners, int16_t normal[3]) {
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
    const uint32_t axis = Random_Below(maker->random, 3);
    memset(normal, 0, 3 * sizeof *normal);
    if (length > 1e-12) {
        for (int i = 0; i < 3; i++)
            normal[i] =
                (int16_t)lrint(cross[i] / sqrt(length) * (flipped ? -NORMAL_ONE : NORMAL_ONE));
    } else if (any) {
        normal[axis] = flipped ? -NORMAL_ONE : NORMAL_ONE;
    }
}

/* Writes a batch of some of the shape's triangles. Its index count may be one or two short, because
 * the game counts (count + 2) / 3 triangles (facts/animesh.md E.14). */
static void PutBatch(Maker *maker, Triangle *shape, uint32_t count) {
    static const uint32_t flags[] = {0, 0, 2, 2, 4, 8, 0x100, 0x102, 0x20};
    const uint32_t indices = count * 3, missing = Random_OneIn(maker->random, 4) ? 1u : 0u;
    RpBuffer_AppendU32(&maker->batches,
                       flags[Random_Below(maker->random, sizeof flags / sizeof *flags)]);
    RpBuffer_AppendU16(&maker->batches, (uint16_t)(Random_Below(maker->random, 8) | 0xFF00));
    RpBuffer_AppendU16(&maker->batches, NONE);
    RpBuffer_AppendU16(&maker->batches, (uint16_t)(indices - missing));
    RpBuffer_AppendU32(&maker->batches, (uint32_t)(maker->indices.size / 2));
    RpBuffer_AppendU16(&maker->batches, (uint16_t)indices);
    RpBuffer_AppendU32(&maker->batches, maker->vertex_count);
    for (uint32_t i = 0; i < indices; i++)
        RpBuffer_AppendU16(&maker->indices, (uint16_t)i);
    for (uint32_t i = 0; i < count; i++) {
        PutFloats(&maker->vertices, shape[i][0], 9);

        static const uint16_t triangle_flags[] = {0, 2, 4, 0x10, 0x20, 2 | 4};
        int16_t normal[3];
        MakeNormal(maker, shape[i], normal);
        RpBuffer_AppendU16(&maker->triangles,
                           triangle_flags[Random_Below(maker->random, sizeof triangle_flags /
                                                                          sizeof *triangle_flags)]);
        for (int k = 0; k < 3; k++)
            RpBuffer_AppendU16(&maker->triangles, NONE);
        for (int k = 0; k < 3; k++)
            RpBuffer_AppendU16(&maker->triangles, (uint16_t)normal[k]);
        RpBuffer_AppendU16(&maker->triangles, 0x3F);
        maker->triangle_count++;
    }
    maker->vertex_count += indices;
    maker->batch_count++;
}

/* Puts a box and a sphere that contain the triangles with room to spare, because the questions are
 * not about the surfaces of these bounds. */
static void PutBounds(Maker *maker, Triangle *shape, uint32_t count) {
    float low[3], high[3], sphere[4], square = 0;
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = high[axis] = shape[0][0][axis];
        for (uint32_t i = 0; i < count * 3; i++) {
            low[axis] = fminf(low[axis], shape[i / 3][i % 3][axis]);
            high[axis] = fmaxf(high[axis], shape[i / 3][i % 3][axis]);
        }
        sphere[axis] = (low[axis] + high[axis]) / 2;
        square += (high[axis] - sphere[axis]) * (high[axis] - sphere[axis]);
    }
    sphere[3] = ceilf(sqrtf(square) + 0.25f);
    PutFloats(&maker->slots, low, 3);
    PutFloats(&maker->slots, high, 3);
    PutFloats(&maker->slots, sphere, 4);
    PutFloat(&maker->slots, (high[0] - low[0]) * (high[1] - low[1]));
    PutFloat(&maker->slots, (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]));
    for (int i = 0; i < 3; i++)
        RpBuffer_AppendU32(&maker->slots, 0);
}

static uint16_t PutSlot(Maker *maker, uint32_t node, uint32_t variant) {
    Triangle shape[SHAPE_LIMIT];
    const uint32_t count = MakeShape(maker, shape), first_batch = maker->batch_count;
    RpBuffer_AppendU16(&maker->slots, (uint16_t)maker->triangle_count);
    RpBuffer_AppendU16(&maker->slots, (uint16_t)count);
    for (uint32_t done = 0; done < count;) {
        const uint32_t some = 1 + Random_Below(maker->random, count - done);
        PutBatch(maker, shape + done, some);
        done += some;
    }
    RpBuffer_AppendU16(&maker->slots, (uint16_t)first_batch);
    RpBuffer_AppendU16(&maker->slots, (uint16_t)(maker->batch_count - first_batch));
    PutBounds(maker, shape, count);

    RandomModel *model = maker->model;
    for (uint32_t i = 0; i < count && model->triangle_count < RANDOM_MODEL_LIMIT; i++) {
        RandomTriangle *triangle = &model->triangles[model->triangle_count++];
        triangle->node = node;
        triangle->variant = variant;
        memcpy(triangle->corners, shape[i], sizeof triangle->corners);
    }

    return (uint16_t)maker->slot_count++;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static void PutKey(Maker *maker, uint32_t time) {
    for (int axis = 0; axis < 3; axis++)
        PutFloat(&maker->keys, Random_Coordinate(maker->random, maker->exact, 4));
    PutFloat(&maker->keys, (float)time);

    /* Any unit quaternion will do, so that it does not matter whether a reader takes the order for
     * x, y, z, w or for w, x, y, z. In an exact model it is the identity or half a turn about an
     * axis, in either order. */
    int32_t units[4];
    const uint32_t axis = Random_Below(maker->random, 2) * 3;
    Quaternion_Unit(maker->random, units);
    for (uint32_t i = 0; i < 4; i++) {
        const int64_t exact = i == axis ? NORMAL_ONE : 0;
        const int64_t any = ((int64_t)units[i] * NORMAL_ONE) / QUATERNION_ONE;
        RpBuffer_AppendU16(&maker->keys, (uint16_t)(maker->exact ? exact : any));
    }

    maker->key_count++;
}

/* Writes two to four keys over the whole time, and the map words that lead to them. Returns the
 * start of the map. */
static uint16_t PutTrack(Maker *maker) {
    const uint32_t last = maker->model->frame_count - 1,
                   middle = 1 + Random_Below(maker->random, last - 1);
    const uint32_t first = maker->key_count, start = (uint32_t)(maker->map.size / 2);
    PutKey(maker, 0);
    PutKey(maker, middle);
    PutKey(maker, last);
    for (uint32_t frame = 0; frame <= last; frame++)
        RpBuffer_AppendU16(&maker->map, (uint16_t)(first + (frame >= middle) + (frame == last)));
    return (uint16_t)start;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void PutNode(Maker *maker, uint32_t node) {
    static const uint16_t flags[] = {0, 0, 0, 1, 4, 0x10, 0x20, 1 | 4, 0x40};
    uint16_t start = NONE;
    RpBuffer_AppendU16(&maker->nodes,
                       flags[Random_Below(maker->random, sizeof flags / sizeof *flags)]);

    const uint32_t above = node > 1 ? Random_Below(maker->random, node) : 0;
    const bool none = Random_OneIn(maker->random, 12);
    /* Node 1 has node 0 as its parent, so that an attached part is a child of what it is attached
     * to. */
    RpBuffer_AppendU16(&maker->nodes, node == 0 || (none && node > 1) ? NONE : (uint16_t)above);
    if (!maker->exact && !Random_OneIn(maker->random, 3))
        start = PutTrack(maker);
    else
        PutKey(maker, 0);
    RpBuffer_AppendU16(&maker->nodes, start);
    RpBuffer_AppendU16(&maker->nodes, (uint16_t)(maker->key_count - 1));
    for (uint32_t word = 0; word < RANDOM_MODEL_VARIANTS * LEVELS; word++) {
        const bool first = word % LEVELS == 0;
        const bool there = first && !Random_OneIn(maker->random, word == 0 ? 6 : 2);
        RpBuffer_AppendU16(&maker->nodes, there ? PutSlot(maker, node, word / LEVELS) : NONE);
    }
    RpBuffer_AppendU32(&maker->labels, 0);
}

/* Writes a box, a sphere and a capsule about the origin. The code under test only copies them, so
 * they need not fit the model. */
static void PutHeader(Maker *maker) {
    static const uint8_t corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    float low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = Random_Coordinate(maker->random, maker->exact, 8) - 8;
        high[axis] = low[axis] + 1 + fabsf(Random_Coordinate(maker->random, maker->exact, 16));
    }
    for (int i = 0; i < 8; i++) {
        PutFloat(&maker->slots, corners[i % 4][0] ? high[0] : low[0]);
        PutFloat(&maker->slots, corners[i % 4][1] ? high[1] : low[1]);
        PutFloat(&maker->slots, i < 4 ? low[2] : high[2]);
    }
    for (int i = 0; i < 11; i++)
        PutFloat(&maker->slots, fabsf(Random_Coordinate(maker->random, maker->exact, 8)));
}

/* ---- the archive ----------------------------------------------------------------------------- */

static void AddStream(Maker *maker, RpNResArchive *archive, uint32_t type, uint32_t count,
                      uint32_t attr2, uint32_t stride, RpBuffer *bytes) {
    RpNResMember member = {.type = type, .attr1 = count, .attr2 = attr2, .attr3 = stride};
    strcpy(member.name, "random.msh");
    member.data = bytes->bytes;
    member.size = (uint32_t)bytes->size;
    if (maker->status == RP_OK)
        maker->status = bytes->failed ? RP_NO_MEMORY
                                      : RpNResArchive_Add(archive, archive->count, &member, NULL);
    RpBuffer_Free(bytes);
}

/* Adds a stream of zeros. Its contents do not matter, because no question concerns normals or
 * texture coordinates. */
static void AddZeros(Maker *maker, RpNResArchive *archive, uint32_t type, uint32_t count,
                     uint32_t stride) {
    RpBuffer zeros;
    RpBuffer_Init(&zeros, NULL);
    RpBuffer_Extend(&zeros, (size_t)count * stride);
    AddStream(maker, archive, type, count, 0, stride, &zeros);
}

RpStatus RandomModel_Make(Random *random, const RandomModelSpec *spec, RandomModel *model) {
    Maker maker = {.random = random, .exact = spec->exact, .model = model};
    RpBuffer *const buffers[] = {&maker.nodes,     &maker.slots, &maker.vertices,
                                 &maker.indices,   &maker.keys,  &maker.batches,
                                 &maker.triangles, &maker.map,   &maker.labels};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        RpBuffer_Init(buffers[i], NULL);
    model->node_count = spec->nodes;
    model->frame_count = spec->exact ? 1 : 4 + Random_Below(random, 8);
    model->triangle_count = 0;
    PutHeader(&maker);
    for (uint32_t node = 0; node < spec->nodes; node++)
        PutNode(&maker, node);

    RpNResArchive archive;
    RpNResArchive_Init(&archive, NULL);
    const uint32_t nodes = maker.model->node_count, vertices = maker.vertex_count;
    AddStream(&maker, &archive, 1, nodes, 0, 38, &maker.nodes);
    AddStream(&maker, &archive, 2, maker.slot_count, 0, 68, &maker.slots);
    AddStream(&maker, &archive, 3, vertices, 0, 12, &maker.vertices);
    AddZeros(&maker, &archive, 4, vertices, 4);
    AddZeros(&maker, &archive, 5, vertices, 4);
    AddStream(&maker, &archive, 10, nodes, 0, 0, &maker.labels);
    AddStream(&maker, &archive, 8, maker.key_count, 0, 4, &maker.keys);
    AddStream(&maker, &archive, 19, (uint32_t)(maker.map.size / 2), maker.model->frame_count, 2,
              &maker.map);
    AddStream(&maker, &archive, 7, maker.triangle_count, 0, 16, &maker.triangles);
    AddStream(&maker, &archive, 13, maker.batch_count, 0, 20, &maker.batches);
    AddStream(&maker, &archive, 6, (uint32_t)(maker.indices.size / 2), 0, 2, &maker.indices);
    RpBuffer_Init(&maker.model->image, NULL);
    if (maker.status == RP_OK)
        maker.status = RpNResArchive_Write(&archive, RP_NRES_CANONICAL, &maker.model->image, NULL);
    RpNResArchive_Free(&archive);

    return maker.status;
}

void RandomModel_Free(RandomModel *model) {
    RpBuffer_Free(&model->image);
}
