#include "replay/scenario/synthetic_model.h"

#include "animesh/records.h"
#include "core/bytes.h"
#include "exports/animesh_offsets.h"
#include "formats/synthetic/synthetic_streams.h"
#include "replay/scenario/values.h"

#include <stdlib.h>
#include <string.h>

enum { SLOT_WORDS = 15, NONE16 = 0xFFFF };
_Static_assert(2 * SLOT_WORDS == sizeof((StoredNode *)0)->slots, "slots of a node");

/* The geometry of a slot in a flat model, and below in a solid model. */
enum { SLOT_VERTICES = 4, SLOT_TRIANGLES = 2, SLOT_INDICES = 6 };
enum { SOLID_VERTICES = 8, SOLID_SIDES = 3, SIDE_TRIANGLES = 4, SIDE_INDICES = 12 };

/* Times of keys are in sixteenths of a frame. */
enum { TIME_SHIFT = 4 };

/* ---- contents under construction ------------------------------------------------------------- */

typedef struct Builder {
    const ModelSpec *spec;
    Random random;
    SyntheticStreams streams;
    uint32_t animated_left;
} Builder;

static RpBuffer *StreamOf(Builder *builder, uint32_t type) {
    return &builder->streams.bytes[type];
}

static void Put16(Builder *builder, uint32_t type, uint32_t value) {
    RpBuffer_AppendU16(StreamOf(builder, type), (uint16_t)value);
}

static void Put32(Builder *builder, uint32_t type, uint32_t value) {
    RpBuffer_AppendU32(StreamOf(builder, type), value);
}

static uint32_t CountOf(const Builder *builder, uint32_t type) {
    return SyntheticStreams_Count(&builder->streams, type);
}

/* Returns a length that is given in units of 1/64. */
static uint32_t Length(int64_t value) {
    return Float_FromInteger(value, -6);
}

/* ---- geometry -------------------------------------------------------------------------------- */

typedef struct Box {
    int32_t low[3], high[3];
} Box;

static void PutVertexExtras(Builder *builder) {
    static const uint8_t up[4] = {0, 0, 127, 0};
    SyntheticStreams_Add(&builder->streams, 4, up);
    Put32(builder, 5, (uint32_t)Random_Next(&builder->random) & 0x03FF03FF);
    for (uint32_t i = 0; i < 2; i++) {
        Put32(builder, 15, (uint32_t)Random_Next(&builder->random));
        Put32(builder, 16, (uint32_t)Random_Next(&builder->random));
    }
    Put32(builder, 18, (uint32_t)Random_Next(&builder->random) & 0x03FF03FF);
}

static void StoreVector(uint8_t *at, const int32_t vector[3]) {
    for (int axis = 0; axis < 3; axis++)
        Bytes_PutU32(at + 4 * axis, Length(vector[axis]));
}

static void StoreSphere(uint8_t *at, const Box *box) {
    uint64_t square = 0;
    for (int axis = 0; axis < 3; axis++) {
        int64_t extent = box->high[axis] - box->low[axis];
        square += (uint64_t)(extent * extent);
        Bytes_PutU32(at + 4 * axis, Float_FromInteger(box->high[axis] + box->low[axis], -7));
    }
    Bytes_PutU32(at + 12, Float_FromInteger(Integer_SquareRoot(square << 8), -6 - 4 - 1));
}

typedef struct SlotRange {
    uint32_t first_triangle, first_batch;
} SlotRange;

static SlotRange NextSlot(const Builder *builder) {
    return (SlotRange){CountOf(builder, 7), CountOf(builder, 13)};
}

static void PutFace(Builder *builder, int axis, bool greater) {
    static const uint32_t flags[] = {0, 0, 2, 2, 4, 0x10, 0x20, 0x12};
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = greater ? 1 << axis : 0;
    const int corners[2][3] = {{base, base + u, base + u + v}, {base, base + u + v, base + v}};
    for (int i = 0; i < 2; i++) {
        StoredTriangle triangle;
        /* the face of the smaller coordinate is seen from the other side */
        for (int k = 0; k < 3; k++)
            Put16(builder, 6, (uint32_t)corners[i][greater ? k : 2 - k]);
        Bytes_PutU16(triangle.flags, flags[Random_Below(&builder->random, 8)]);
        for (int edge = 0; edge < 3; edge++)
            Bytes_PutU16(triangle.neighbours + 2 * edge, NONE16);
        for (int k = 0; k < 3; k++)
            Bytes_PutU16(triangle.normal + 2 * k, k != axis ? 0 : greater ? 32767 : 0x8001);
        Bytes_PutU16(triangle.edges, 3 | 3 << 2 | 3 << 4);
        SyntheticStreams_Add(&builder->streams, 7, &triangle);
    }
}

static void PutSolid(Builder *builder, Box *box) {
    /* Each side of the box is made of the two faces across one axis. A corner's number says which
     * of its coordinates are the greater ones: bit 0 is x, bit 1 y, bit 2 z. */
    for (int axis = 0; axis < 3; axis++) {
        box->low[axis] = Random_Between(&builder->random, -1024, 1023);
        box->high[axis] = box->low[axis] + Random_Between(&builder->random, 1, 1024);
    }
    for (int corner = 0; corner < SOLID_VERTICES; corner++) {
        for (int axis = 0; axis < 3; axis++)
            Put32(builder, 3, Length(corner >> axis & 1 ? box->high[axis] : box->low[axis]));
        PutVertexExtras(builder);
    }

    uint32_t pending = 0; /* the sides that are not in a batch yet */
    for (int axis = 0; axis < SOLID_SIDES; axis++) {
        PutFace(builder, axis, false);
        PutFace(builder, axis, true);
        pending++;
        if (axis == SOLID_SIDES - 1 || Random_OneIn(&builder->random, 2)) {
            static const uint16_t flags[] = {0, 2, 4, 8, 0x10, 0x40, 0x100, 0x2000, 0x4000, 0x102};
            StoredBatch batch = {0};
            const uint32_t word = flags[Random_Below(&builder->random, 10)];
            const uint32_t indices = CountOf(builder, 6);
            const uint32_t row = Random_Below(&builder->random, 8);
            const uint32_t lightmap = Random_OneIn(&builder->random, 2) ? 0xFF : 3;
            const uint32_t portal = Random_Below(&builder->random, builder->spec->nodes);
            Bytes_PutU16(batch.flags, word);
            batch.row[0] = (uint8_t)row;
            batch.lightmap[0] = (uint8_t)lightmap;
            Bytes_PutU16(batch.portal, word & 8 ? portal : NONE16);
            Bytes_PutU16(batch.index_count, pending * SIDE_INDICES);
            Bytes_PutU32(batch.first_index, indices - pending * SIDE_INDICES);
            Bytes_PutU16(batch.vertex_count, SOLID_VERTICES);
            Bytes_PutU32(batch.base_vertex, CountOf(builder, 3) - SOLID_VERTICES);
            SyntheticStreams_Add(&builder->streams, 13, &batch);

            pending = 0;
        }
    }
}

static void PutFlat(Builder *builder, uint32_t slot, Box *box) {
    /* The rectangle is level, and counter-clockwise seen from above. */
    static const uint8_t corners[SLOT_VERTICES][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (int axis = 0; axis < 3; axis++) {
        box->low[axis] = Random_Between(&builder->random, -2048, 2047);
        box->high[axis] = box->low[axis];
        if (axis < 2)
            box->high[axis] += Random_Between(&builder->random, 1, 512);
    }
    for (int i = 0; i < SLOT_VERTICES; i++) {
        Put32(builder, 3, Length(corners[i][0] ? box->high[0] : box->low[0]));
        Put32(builder, 3, Length(corners[i][1] ? box->high[1] : box->low[1]));
        Put32(builder, 3, Length(box->low[2]));
        PutVertexExtras(builder);
    }

    /* Two triangles share the diagonal, which is edge 2 of the first and edge 0 of the second. */
    static const uint16_t indices[SLOT_INDICES] = {0, 1, 2, 0, 2, 3};
    uint32_t first = slot * SLOT_TRIANGLES;
    const uint32_t neighbours[SLOT_TRIANGLES][3] = {{NONE16, NONE16, first + 1},
                                                    {first, NONE16, NONE16}};
    static const uint16_t edges[SLOT_TRIANGLES] = {3 | 3 << 2 | 0 << 4, 2 | 3 << 2 | 3 << 4};
    for (int i = 0; i < SLOT_INDICES; i++)
        Put16(builder, 6, indices[i]);
    for (int i = 0; i < SLOT_TRIANGLES; i++) {
        StoredTriangle triangle = {0};
        for (int edge = 0; edge < 3; edge++)
            Bytes_PutU16(triangle.neighbours + 2 * edge, neighbours[i][edge]);
        Bytes_PutU16(triangle.normal + 2 * 2, 32767);
        Bytes_PutU16(triangle.edges, edges[i]);
        SyntheticStreams_Add(&builder->streams, 7, &triangle);
    }

    StoredBatch batch = {0};
    Bytes_PutU16(batch.flags, Random_OneIn(&builder->random, 5) ? 0x100 : 0);
    batch.row[0] = (uint8_t)Random_Below(&builder->random, 8);
    batch.lightmap[0] = 0xFF;
    Bytes_PutU16(batch.portal, NONE16);
    Bytes_PutU16(batch.index_count, SLOT_INDICES);
    Bytes_PutU32(batch.first_index, slot * SLOT_INDICES);
    Bytes_PutU16(batch.vertex_count, SLOT_VERTICES);
    Bytes_PutU32(batch.base_vertex, slot * SLOT_VERTICES);
    SyntheticStreams_Add(&builder->streams, 13, &batch);
}

/* Puts what comes before the slots: corners, sphere and cylinder of the whole model. */
static void PutBounds(RpBuffer *buffer, const Box *box) {
    static const uint8_t corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    StoredHeader header;
    for (int i = 0; i < 8; i++) {
        const int32_t corner[3] = {corners[i % 4][0] ? box->high[0] : box->low[0],
                                   corners[i % 4][1] ? box->high[1] : box->low[1],
                                   i < 4 ? box->low[2] : box->high[2]};
        StoreVector(header.corners + 12 * i, corner);
    }
    StoreSphere(header.sphere, box);
    uint64_t square = 0;
    for (int axis = 0; axis < 2; axis++) {
        const uint32_t middle = Float_FromInteger(box->high[axis] + box->low[axis], -7);
        const int64_t extent = box->high[axis] - box->low[axis];
        Bytes_PutU32(header.axis_low + 4 * axis, middle);
        Bytes_PutU32(header.axis_high + 4 * axis, middle);
        square += (uint64_t)(extent * extent);
    }
    Bytes_PutU32(header.axis_low + 8, Length(box->low[2]));
    Bytes_PutU32(header.axis_high + 8, Length(box->high[2]));
    Bytes_PutU32(header.axis_radius,
                 Float_FromInteger(Integer_SquareRoot(square << 8), -6 - 4 - 1));
    RpBuffer_Append(buffer, &header, sizeof header);
}

/* ---- tracks ---------------------------------------------------------------------------------- */

typedef struct Track {
    uint32_t first, count; /* the track's keys in the model's pool */
    int32_t *times;        /* in sixteenths of a frame */
} Track;

static void PutKeys(Builder *builder, const Track *track, bool moving) {
    static const int32_t limit[] = {1 << 27, 0, 4801919 + 4096, 1 << 27, 1 << 27, 1 << 27};
    /* set here because GCC's -O3 does not see that the first key sets it */
    uint32_t position[3] = {0};
    int32_t rotation[4];
    StoredKey stored;
    for (uint32_t i = 0; i < track->count; i++) {
        for (int axis = 0; axis < 3; axis++)
            if (i == 0 || moving)
                position[axis] =
                    Float_FromInteger(Random_Between(&builder->random, -(1 << 30), 1 << 30), -25);
        if (i == 0 || builder->spec->rotations == MODEL_ROTATIONS_RANDOM) {
            Quaternion_Unit(&builder->random, rotation);
        } else {
            int32_t from[4];
            memcpy(from, rotation, sizeof from);
            int32_t sine = Random_Between(&builder->random, 0, limit[builder->spec->rotations]);
            Quaternion_Turned(from, Random_Below(&builder->random, 3), sine, rotation);
        }
        for (int axis = 0; axis < 3; axis++)
            Bytes_PutU32(stored.position + 4 * axis, position[axis]);
        Bytes_PutU32(stored.time, Float_FromInteger(track->times[i], -TIME_SHIFT));

        ModelRotations kind = builder->spec->rotations;
        bool zero = kind == MODEL_ROTATIONS_ZERO && Random_OneIn(&builder->random, 3);
        bool negated = kind == MODEL_ROTATIONS_OPPOSITE && i % 2 == 1;
        for (int component = 0; component < 4; component++) {
            int64_t value = ((int64_t)rotation[component] * 32767 + QUATERNION_ONE / 2) >> 30;
            if (negated)
                value = -value;
            if (zero)
                value = 0;
            if (kind == MODEL_ROTATIONS_UNNORMALISED)
                value = Random_OneIn(&builder->random, 16)
                            ? -32768
                            : Random_Between(&builder->random, -32768, 32767);
            Bytes_PutU16(stored.rotation + 2 * component, (uint32_t)value & 0xFFFF);
        }

        SyntheticStreams_Add(&builder->streams, 8, &stored);
    }
}

/* Returns the index of the last key that is not later than the frame. Of keys with equal times
 * it is the first, so that the segment of length 0 is sampled. */
static uint32_t SegmentOf(const Track *track, int32_t time) {
    uint32_t key = 0;
    for (uint32_t i = 1; i < track->count; i++)
        if (track->times[i] <= time && track->times[i] != track->times[i - 1])
            key = i;
    return key;
}

static uint32_t MapWord(Builder *builder, const Track *track, uint32_t frame) {
    uint32_t fallback = track->first + track->count - 1;
    int32_t time = (int32_t)(frame << TIME_SHIFT);
    bool ended = time >= track->times[track->count - 1];
    switch (builder->spec->map) {
    case MODEL_MAP_WRONG_SEGMENT:
        return track->first + Random_Below(&builder->random, track->count);
    case MODEL_MAP_RANDOM:
        return Random_Below(&builder->random,
                            Random_OneIn(&builder->random, 4) ? 0x10000 : fallback + 1);
    case MODEL_MAP_ABOVE_FALLBACK:
        if (ended)
            return Random_OneIn(&builder->random, 2) ? NONE16 : fallback + 1;
        return track->first + SegmentOf(track, time);
    default:
        return ended ? fallback : track->first + SegmentOf(track, time);
    }
}

static void PutTrack(Builder *builder, bool animated) {
    const ModelSpec *spec = builder->spec;
    int32_t static_time = 0;
    Track track = {CountOf(builder, 8), 1, &static_time};
    if (!animated) {
        PutKeys(builder, &track, false);
        return;
    }
    /* The first track lasts to the end, and some of the others end earlier. */
    uint32_t end = spec->frame_count - 1;
    bool first = builder->animated_left-- == spec->animated;
    if (!first && end > 2 && Random_OneIn(&builder->random, 3))
        end = (uint32_t)Random_Between(&builder->random, 2, (int32_t)end);

    uint32_t count = spec->keys_per_node;
    if (spec->times == MODEL_TIMES_DENSE || count > end + 1)
        count = end + 1;
    track.count = count < 2 ? 2 : count;

    track.times = malloc(track.count * sizeof *track.times);
    if (!track.times) {
        StreamOf(builder, 8)->failed = true;
        return;
    }

    /* The times rise from 0 to the end. Each interval between two of them gets an equal share of
     * the frames and ends at a random place in its share; an equal time repeats the one before. */
    int64_t last_time = (int64_t)end << TIME_SHIFT;
    bool fractional = builder->spec->times == MODEL_TIMES_FRACTIONAL;
    int32_t unit = fractional ? 1 : 1 << TIME_SHIFT, last = (int32_t)track.count - 1;
    for (int32_t i = 0; i <= last; i++) {
        int32_t low = (int32_t)(last_time * i / last), high = (int32_t)(last_time * (i + 1) / last);
        if (i == last || i == 0)
            high = low;
        int32_t time = low + (high > low ? Random_Between(&builder->random, 0, high - low - 1) : 0);
        time -= time % unit;
        if (i > 0 && time <= track.times[i - 1])
            time = track.times[i - 1] + unit;
        track.times[i] = time;
    }
    track.times[last] = (int32_t)last_time;
    if (builder->spec->times == MODEL_TIMES_EQUAL)
        for (int32_t i = 1; i < last; i++)
            if (Random_OneIn(&builder->random, 3))
                track.times[i] = track.times[i - 1];

    PutKeys(builder, &track, spec->moving || first);
    for (uint32_t frame = 0; frame < spec->frame_count; frame++)
        Put16(builder, 19, MapWord(builder, &track, frame));
    free(track.times);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Stores a slot in the first few levels of the intact state, sometimes also in those of the damaged
 * states, and sometimes the cockpit's entry. Node 0 always has a slot. */
static void StoreSlotWords(Builder *builder, uint32_t node, uint8_t *words) {
    const ModelSpec *spec = builder->spec;
    uint32_t levels = Random_Below(&builder->random, 5);
    uint32_t states =
        1 + (Random_OneIn(&builder->random, 4) ? 1 + Random_Below(&builder->random, 2) : 0);
    for (uint32_t i = 0; i < SLOT_WORDS; i++) {
        bool used = (i % 5 < levels && i / 5 < states) || (node == 0 && i == 0);
        Bytes_PutU16(words + 2 * i, used ? Random_Below(&builder->random, spec->slots) : NONE16);
    }
}

static void PutNodes(Builder *builder) {
    const ModelSpec *spec = builder->spec;
    builder->animated_left = spec->animated;
    for (uint32_t node = 0; node < spec->nodes; node++) {
        /* The chance that a node is animated is the number of tracks that are still needed, divided
         * by the number of nodes that are left. */
        bool animated = Random_Below(&builder->random, spec->nodes - node) < builder->animated_left;

        /* In a solid model each documented bit is set independently of the others
         * (facts/animesh.md D.3). */
        static const uint16_t bits[] = {1, 4, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200, 0x400, 0x800};
        static const uint16_t flags[] = {0, 0x10, 0x10, 0x40, 0x200, 0x800};
        static const char *const parts[] = {"B_Dn", "LL_Up", "Base_TM", "o01_0_m1o1", "CP_m1o1"};
        StoredNode stored;
        uint32_t map_start = animated ? CountOf(builder, 19) : NONE16;
        PutTrack(builder, animated);
        uint32_t node_flags = 0;
        if (!spec->solid)
            node_flags = flags[Random_Below(&builder->random, sizeof flags / sizeof *flags)];
        for (size_t i = 0; spec->solid && i < sizeof bits / sizeof *bits; i++)
            node_flags |= Random_OneIn(&builder->random, 5) ? bits[i] : 0u;
        Bytes_PutU16(stored.flags, node_flags);
        uint32_t parent = NONE16;
        if (node > 0)
            parent = spec->tree == MODEL_TREE_CHAIN  ? node - 1
                     : spec->tree == MODEL_TREE_STAR ? 0
                                                     : Random_Below(&builder->random, node);
        Bytes_PutU16(stored.parent, parent);
        Bytes_PutU16(stored.map_start, map_start);
        Bytes_PutU16(stored.fallback, CountOf(builder, 8) - 1);
        if (builder->spec->solid) {
            /* Some nodes have no slot at all, and a damage state may be missing between two others.
             */
            const bool empty = Random_OneIn(&builder->random, 6);
            for (uint32_t i = 0; i < SLOT_WORDS; i++) {
                const bool used = !empty && !Random_OneIn(&builder->random, i % 5 == 0 ? 4 : 2);
                Bytes_PutU16(stored.slots + 2 * i,
                             used ? Random_Below(&builder->random, builder->spec->slots) : NONE16);
            }
        } else {
            StoreSlotWords(builder, node, stored.slots);
        }
        SyntheticStreams_Add(&builder->streams, 1, &stored);

        uint8_t *name = RpBuffer_Extend(StreamOf(builder, 9), NAME_BYTES_OF_RES9);
        if (name) {
            const char *part = parts[node % (sizeof parts / sizeof *parts)];
            const size_t length = strlen(part);
            memcpy(name, part, length);
            name[length] = '_';
            name[length + 1] = (uint8_t)('0' + node / 10 % 10);
            name[length + 2] = (uint8_t)('0' + node % 10);
        }

        static const char *const labels[] = {"central", "central_2c", "universal_1l", "e_tur_tt",
                                             "u_min_upg_1"};
        if (Random_OneIn(&builder->random, 2)) {
            Put32(builder, 10, 0);
            continue;
        }
        const char *label = labels[Random_Below(&builder->random, sizeof labels / sizeof *labels)];
        uint32_t length = (uint32_t)strlen(label);
        Put32(builder, 10, length);
        RpBuffer_Append(StreamOf(builder, 10), label, length + 1);
    }
}

/* ---- the archive ----------------------------------------------------------------------------- */

/* The order of the streams in the game's files (facts/formats.md C.1): 18 comes before 15 and 16,
 * which are next to each other. */
static const uint8_t canonical_order[] = {1, 2, 3, 4,  5, 18, 15, 16, 13,
                                          6, 7, 8, 19, 9, 10, 17, 20};

/* Writes the image, and reads from it where its streams lie. */
static RpStatus WriteImage(Builder *builder, ModelImage *image, RpError *error) {
    uint8_t order[sizeof canonical_order];
    RpBuffer file;
    RpNRes archive;
    const uint32_t optional = builder->spec->optional;
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof canonical_order; i++) {
        const uint8_t type = canonical_order[i];
        const bool is_absent = (type == 15 && !(optional & MODEL_RES15)) ||
                               (type == 16 && !(optional & MODEL_RES16)) ||
                               (type == 18 && !(optional & MODEL_RES18)) ||
                               (type == 20 && !(optional & MODEL_RES20));
        if (!is_absent)
            order[count++] = type;
    }
    for (uint32_t i = count; builder->spec->shuffled && i > 1; i--) {
        uint32_t other = Random_Below(&builder->random, i);
        uint8_t type = order[i - 1];
        order[i - 1] = order[other];
        order[other] = type;
    }

    RpBuffer_Init(&file, NULL);
    RpStatus status =
        SyntheticStreams_Write(&builder->streams, builder->spec->name, order, count, &file, error);
    if (status == RP_OK)
        status = RpNRes_Open(file.bytes, file.size, RP_TOLERANT, &archive, error);
    if (status) {
        RpBuffer_Free(&file);
        return status;
    }
    image->bytes = file.bytes;
    image->size = (uint32_t)file.size;
    image->stream_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const RpNResEntry entry = RpNRes_Entry(&archive, i);
        image->streams[i] = (ModelStream){entry.type,  entry.attr1,       entry.attr2,
                                          entry.attr3, entry.data_offset, entry.size};
    }
    return RP_OK;
}

static const char *SpecFault(const ModelSpec *spec) {
    if (!memchr(spec->name, 0, sizeof spec->name) || spec->name[0] == 0)
        return "a name of 1 to 35 characters";
    if (spec->nodes < 1 || spec->nodes > 99)
        return "1 to 99 nodes";
    if (spec->slots < 1 || spec->slots > (spec->solid ? 1024 : 4096))
        return "1 to 4096 slots, 1024 solid ones";
    if (spec->animated > spec->nodes)
        return "no more animated nodes than nodes";
    if (spec->animated ? spec->frame_count < 2 || spec->frame_count > 30000
                       : spec->frame_count != 1)
        return "1 frame without animated nodes, 2 to 30000 with them";
    if (spec->animated && (uint64_t)(spec->animated - 1) * spec->frame_count >= NONE16)
        return "frame map starts below 0xFFFF";
    if ((uint64_t)spec->animated * spec->frame_count + spec->nodes > NONE16)
        return "fallback keys below 0xFFFF";
    return NULL;
}

RpStatus ModelImage_Make(const ModelSpec *spec, ModelImage *image, RpError *error) {
    const char *fault = SpecFault(spec);
    memset(image, 0, sizeof *image);
    if (fault)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "no such model can be built", "", fault,
                           "");
    Builder builder = {.spec = spec, .random = Random_Start(spec->name, spec->seed, 0)};
    SyntheticStreams_Init(&builder.streams, spec->frame_count);

    RpBuffer records;
    Box all = {{0}, {0}}, box;
    RpBuffer_Init(&records, NULL);
    for (uint32_t i = 0; i < spec->slots; i++) {
        const SlotRange first = NextSlot(&builder);
        if (spec->solid)
            PutSolid(&builder, &box);
        else
            PutFlat(&builder, i, &box);

        const SlotRange next = NextSlot(&builder);
        StoredSlot slot = {0};
        Bytes_PutU16(slot.first_triangle, first.first_triangle);
        Bytes_PutU16(slot.triangle_count, next.first_triangle - first.first_triangle);
        Bytes_PutU16(slot.first_batch, first.first_batch);
        Bytes_PutU16(slot.batch_count, next.first_batch - first.first_batch);
        StoreVector(slot.low, box.low);
        StoreVector(slot.high, box.high);
        StoreSphere(slot.sphere, &box);
        int64_t area = (int64_t)(box.high[0] - box.low[0]) * (box.high[1] - box.low[1]);
        Bytes_PutU32(slot.area, Float_FromInteger(area, -12));
        Bytes_PutU32(slot.volume, Float_FromInteger(area * (box.high[2] - box.low[2]), -18));
        RpBuffer_Append(&records, &slot, sizeof slot);

        if (i == 0)
            all = box;
        for (int axis = 0; axis < 3; axis++) {
            all.low[axis] = box.low[axis] < all.low[axis] ? box.low[axis] : all.low[axis];
            all.high[axis] = box.high[axis] > all.high[axis] ? box.high[axis] : all.high[axis];
        }
    }
    PutBounds(StreamOf(&builder, 2), &all);
    RpBuffer_Append(StreamOf(&builder, 2), records.bytes, records.size);
    StreamOf(&builder, 2)->failed |= records.failed;
    RpBuffer_Free(&records);
    PutNodes(&builder);

    uint32_t count = 1 + Random_Below(&builder.random, 6);
    for (uint32_t i = 0; i < count; i++) {
        Put32(&builder, 20, Random_Below(&builder.random, builder.spec->nodes));
        for (uint32_t word = 1; word < PROBE_BYTES / 4; word++)
            Put32(&builder, 20, Value_Random(&builder.random, MAGNITUDE_UNIT));
    }

    image->node_count = spec->nodes;
    image->slot_count = spec->slots;
    image->frame_count = spec->frame_count;
    image->key_count = CountOf(&builder, 8);
    const RpStatus status = WriteImage(&builder, image, error);
    if (status)
        memset(image, 0, sizeof *image);
    SyntheticStreams_Free(&builder.streams);
    return status;
}

void ModelImage_Free(ModelImage *image) {
    RpMemory_Free(NULL, image->bytes);
    memset(image, 0, sizeof *image);
}

const ModelStream *ModelImage_Stream(const ModelImage *image, uint32_t type) {
    for (uint32_t i = 0; i < image->stream_count; i++)
        if (image->streams[i].type == type)
            return &image->streams[i];
    return NULL;
}

ModelTrack ModelImage_Track(const ModelImage *image, uint32_t node) {
    const uint8_t *record = image->bytes + ModelImage_Stream(image, 1)->offset + node * NODE_BYTES;
    return (ModelTrack){Bytes_U16(record + NODE_AT_map_start),
                        Bytes_U16(record + NODE_AT_fallback)};
}

uint32_t ModelImage_KeyTime(const ModelImage *image, uint32_t key) {
    return Bytes_U32(image->bytes + ModelImage_Stream(image, 8)->offset + key * KEY_BYTES +
                     KEY_AT_time);
}

/* ---- the structures in the game's memory ----------------------------------------------------- */

/* The fields in which the reader keeps its pointers into the streams (facts/animesh.md D.2). */
static const struct ReaderPointer {
    uint8_t field, type, offset;
} reader_pointers[MODEL_READER_RELOCATIONS] = {
    {READER_AT_nodes, 1, 0},
    {READER_AT_header, 2, 0},
    {READER_AT_slots, 2, HEADER_BYTES_OF_RES2},
    {READER_AT_positions, 3, 0},
    {READER_AT_normals, 4, 0},
    {READER_AT_uv0, 5, 0},
    {READER_AT_keys, 8, 0},
    {READER_AT_frame_map, 19, 0},
    {READER_AT_strings, 10, 0},
    {READER_AT_triangles, 7, 0},
    {READER_AT_batches, 13, 0},
    {READER_AT_indices, 6, 0},
    {READER_AT_res20, 20, 0},
    {READER_AT_res15, 15, 0},
    {READER_AT_res16, 16, 0},
    {READER_AT_position_stream, 3, 0},
    {READER_AT_normal_stream, 4, 0},
    {READER_AT_tangent_stream, 16, RES_16_AT_tangent},
    {READER_AT_bitangent_stream, 16, RES_16_AT_bitangent},
    {READER_AT_uv0_stream, 5, 0},
    {READER_AT_uv1_stream, 18, 0},
    {READER_AT_res15_stream, 15, 0},
};

uint32_t ModelImage_Reader(const ModelImage *image, uint32_t image_id,
                           uint8_t reader[MODEL_READER_SIZE],
                           TraceRelocation relocations[MODEL_READER_RELOCATIONS]) {
    uint32_t count = 0;
    memset(reader, 0, MODEL_READER_SIZE);
    for (size_t i = 0; i < MODEL_READER_RELOCATIONS; i++) {
        const struct ReaderPointer *pointer = &reader_pointers[i];
        const ModelStream *stream = ModelImage_Stream(image, pointer->type);
        if (stream)
            relocations[count++] =
                (TraceRelocation){pointer->field, image_id, stream->offset + pointer->offset};
    }
    const ModelStream *probes = ModelImage_Stream(image, 20);
    Bytes_PutU32(reader + READER_AT_position_stride, POSITION_BYTES);
    Bytes_PutU32(reader + READER_AT_normal_stride, NORMAL_BYTES);
    Bytes_PutU32(reader + READER_AT_uv0_stride, UV_BYTES);
    Bytes_PutU32(reader + READER_AT_res15_stride, RES_15_BYTES);
    Bytes_PutU32(reader + READER_AT_frame_count, image->frame_count);
    Bytes_PutU32(reader + READER_AT_res20_count, probes ? probes->attr1 : 0);
    if (ModelImage_Stream(image, 16)) {
        Bytes_PutU32(reader + READER_AT_tangent_stride, RES_16_BYTES);
        Bytes_PutU32(reader + READER_AT_bitangent_stride, RES_16_BYTES);
    }
    if (ModelImage_Stream(image, 18))
        Bytes_PutU32(reader + READER_AT_uv1_stride, UV_BYTES);
    return count;
}

void ModelImage_Pieces(const ModelImage *image, uint32_t reader_id, uint8_t *pieces,
                       TraceRelocation *relocations) {
    const uint8_t *records = image->bytes + ModelImage_Stream(image, 1)->offset;
    memset(pieces, 0, (image->node_count + 1) * MODEL_PIECE_SIZE);
    for (uint32_t node = 0; node < image->node_count; node++) {
        uint8_t *piece = pieces + node * MODEL_PIECE_SIZE;
        const uint32_t parent = Bytes_U16(records + node * NODE_BYTES + NODE_AT_parent);
        Bytes_PutU32(piece + PIECE_AT_node, node);
        Bytes_PutU32(piece + PIECE_AT_parent, parent == NONE16 ? UINT32_MAX : parent);
        Bytes_PutU32(piece + PIECE_AT_variant, node % 3);
        for (uint32_t matrix = PIECE_AT_world; matrix <= PIECE_AT_local;
             matrix += PIECE_AT_model - PIECE_AT_world)
            for (uint32_t i = 0; i < 16; i += 5)
                Bytes_PutU32(piece + matrix + 4 * i, FLOAT_ONE);
        Bytes_PutU32(piece + PIECE_AT_previous_tilt, FLOAT_ONE);
        Bytes_PutU32(piece + PIECE_AT_tilt, FLOAT_ONE);
        Bytes_PutU32(piece + PIECE_AT_a_last, image->frame_count - 1);
        Bytes_PutU32(piece + PIECE_AT_b_last, image->frame_count - 1);
        Bytes_PutU32(piece + PIECE_AT_life, FLOAT_ONE);
        relocations[node] =
            (TraceRelocation){node * MODEL_PIECE_SIZE + PIECE_AT_reader, reader_id, 0};
    }
}
