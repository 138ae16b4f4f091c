#include "replay/scenario/scenario_meshes.h"

#include "animesh/records.h"
#include "replay/scenario/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- models ----------------------------------------------------------------------------------
 */

typedef struct MeshSource {
    ModelImage image;
    Reader reader; /* only its address matters, which says to which model a piece belongs */
    MeshModel model;
} MeshSource;

struct MeshCorpus {
    MeshSource sources[MESH_ALL_MODELS];
    MeshObject objects[MESH_ALL_OBJECTS];
    bool made[MESH_ALL_OBJECTS];
};

enum { LARGEST_NODES = 38, SMALL_NODES = 6 };

/* The model has one key for each node, whose rotation is set to zeros below. Such a key turns
 * nothing, in any order of sums and with any scale. */
static const ModelSpec still = {
    .name = "still", .nodes = 4, .frame_count = 1, .slots = 3, .solid = true, .seed = 1};

static const uint8_t *StreamOf(const ModelImage *image, uint32_t type, uint32_t *size) {
    const ModelStream *stream = ModelImage_Stream(image, type);
    *size = stream->size;
    return image->bytes + stream->offset;
}

static struct MeshCorpus *Corpus(ScenarioContext *context) {
    if (!context->meshes)
        context->meshes = calloc(1, sizeof *context->meshes);
    if (!context->meshes)
        context->status = RpError_Set(context->error, RP_NO_MEMORY, RP_NOWHERE,
                                      "no memory for mesh objects", "", "", "");
    return context->meshes;
}

static MeshSource *Source(ScenarioContext *context, uint32_t model) {
    struct MeshCorpus *corpus = Corpus(context);
    if (!corpus)
        return NULL;
    MeshSource *source = &corpus->sources[model];
    ModelSpec spec;
    if (source->image.bytes)
        return source;
    if (model == MESH_STILL_MODEL) {
        spec = still;
    } else {
        /* Model 0 is as large as the largest of the game, every eighth has a middle size, and the
         * others have few nodes. */
        static const uint16_t frames[] = {2, 5, 9, 31, 61, 124};
        static const uint8_t rotations[] = {MODEL_ROTATIONS_SMOOTH, MODEL_ROTATIONS_RANDOM,
                                            MODEL_ROTATIONS_NEAR, MODEL_ROTATIONS_OPPOSITE,
                                            MODEL_ROTATIONS_UNNORMALISED};
        Random random = Random_Start("mesh model", context->seed, model);
        memset(&spec, 0, sizeof spec);
        snprintf(spec.name, sizeof spec.name, "mesh_%02u", model);
        spec.nodes = model == 0 ? LARGEST_NODES : 1 + Random_Below(&random, SMALL_NODES);
        if (model % 8 == 4)
            spec.nodes = 8 + Random_Below(&random, 6);
        spec.animated = Random_OneIn(&random, 5) ? 0 : 1 + Random_Below(&random, spec.nodes);
        spec.frame_count = spec.animated ? frames[Random_Below(&random, 6)] : 1;
        spec.keys_per_node = 2 + Random_Below(&random, 20);
        spec.slots = 3 + Random_Below(&random, 6);
        spec.solid = true;
        spec.moving = true;
        spec.tree = (ModelTree)Random_Below(&random, 3);
        spec.rotations = (ModelRotations)rotations[Random_Below(&random, 5)];
        spec.optional = MODEL_RES15 | (Random_OneIn(&random, 3) ? MODEL_RES18 | MODEL_RES20 : 0u);
        spec.seed = Random_Next(&random);
    }
    context->status = ModelImage_Make(&spec, &source->image, context->error);
    if (context->status)
        return NULL;

    const ModelImage *image = &source->image;
    uint8_t *keys = image->bytes + ModelImage_Stream(image, 8)->offset;
    for (uint32_t i = 0; model == MESH_STILL_MODEL && i < image->key_count; i++)
        memset(keys + i * KEY_BYTES + KEY_AT_rotation, 0, KEY_BYTES - KEY_AT_rotation);

    /* The members that merging a part reads. */
    MeshModel *read = &source->model;
    RpSkeleton *pose = &read->pose;
    uint32_t header_bytes;
    read->bounded = true;
    pose->nodes = StreamOf(image, 1, &pose->node_bytes);
    pose->keys = StreamOf(image, 8, &pose->key_bytes);
    pose->frame_map = StreamOf(image, 19, &pose->frame_map_bytes);
    pose->frame_count = image->frame_count;
    read->header = StreamOf(image, 2, &header_bytes);
    read->slots.data = read->header + HEADER_BYTES_OF_RES2;
    read->slots.count = (header_bytes - HEADER_BYTES_OF_RES2) / SLOT_BYTES;
    read->strings = StreamOf(image, 10, &read->string_bytes);
    return source;
}

/* ---- numbers ---------------------------------------------------------------------------------
 */

/* Copies bits without a floating-point register, because a signalling NaN would become quiet in
 * one. */
static void PutBits(uint32_t bits, float *field) {
    memcpy(field, &bits, sizeof bits);
}

static void PutRandom(Random *random, Magnitude magnitude, float *fields, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        PutBits(Value_Random(random, magnitude), &fields[i]);
}

static void Place(Random *random, Magnitude magnitude, uint32_t matrix[16]) {
    memset(matrix, 0, 16 * sizeof *matrix);

    /* The rotation is the matrix of a random unit quaternion, whose components are multiples of
     * 2^-30. */
    int32_t q[4];
    int64_t twice[4][4];
    Quaternion_Unit(random, q);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            twice[i][k] = ((int64_t)q[i] * q[k]) >> 29;
    const int64_t one = QUATERNION_ONE;
    const int64_t rows[3][3] = {
        {one - twice[2][2] - twice[3][3], twice[1][2] + twice[0][3], twice[1][3] - twice[0][2]},
        {twice[1][2] - twice[0][3], one - twice[1][1] - twice[3][3], twice[2][3] + twice[0][1]},
        {twice[1][3] + twice[0][2], twice[2][3] - twice[0][1], one - twice[1][1] - twice[2][2]}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            matrix[4 * i + k] = Float_FromInteger(rows[i][k], -30);

    for (int i = 3; i < 12; i += 4)
        matrix[i] = Value_Random(random, magnitude);
    matrix[15] = FLOAT_ONE;
}

void Placement_Draw(Random *random, uint32_t matrix[16]) {
    Place(random, MAGNITUDE_WORLD, matrix);
    if (!Random_OneIn(random, 8))
        return;
    for (int i = 0; i < 12; i++) /* not a rotation */
        matrix[i] = Value_Random(random, MAGNITUDE_UNIT);
}

static uint32_t ScaleFactor(Random *random) {
    return Float_FromInteger(Random_Between(random, 1 << 6, 1 << 12), -10);
}

/* Draws a scale. Only the flag decides whether it is used, and every flag but 0 means yes. */
void Scale_Draw(Random *random, uint32_t scaled[4]) {
    static const uint32_t flags[] = {1, 1, 1, 0x100, 0};
    const uint32_t kind = Random_Below(random, 4);
    const uint32_t factor = ScaleFactor(random);
    scaled[0] = kind == 0 ? 0 : flags[Random_Below(random, 5)];
    for (int i = 1; i < 4; i++)
        scaled[i] = kind == 0 ? FLOAT_ONE : kind == 1 ? factor : ScaleFactor(random);
}

/* ---- times -----------------------------------------------------------------------------------
 */

static int32_t Frame(Random *random, uint32_t frames) {
    if (Random_OneIn(random, 12))
        return (int32_t)frames + Random_Between(random, -1, 3);
    return Random_Between(random, 0, (int32_t)frames - 1);
}

/* Draws the two times of a side, neither of them below 0. */
static void DrawPair(Random *random, uint32_t frames, int32_t *first, int32_t *last) {
    *first = Frame(random, frames);
    *last = Random_OneIn(random, 4) ? *first : Frame(random, frames);
    /* the game loads a frame as a whole number and cuts it to 24 bits */
    if (Random_OneIn(random, 64))
        *first = *last = INT32_MAX - Random_Between(random, 0, 200);
}

void MeshTimes_Draw(Random *random, uint32_t frames, MeshTimes *times) {
    const uint32_t kind = Random_Below(random, 8);
    const uint32_t inner = Float_FromInteger(Random_Between(random, 1, (1 << 24) - 1), -24);
    DrawPair(random, frames, &times->a_first, &times->a_last);
    DrawPair(random, frames, &times->b_first, &times->b_last);

    times->quarters = Random_OneIn(random, 3) ? -1 : Random_Between(random, 0, 4);
    times->phase = times->quarters >= 0
                       ? Float_FromInteger(times->quarters, -2)
                       : Float_FromInteger(Random_Between(random, 0, 1 << 30), -30);

    /* 0 and 1 leave one side out, and so do weights outside of 0 to 1. */
    static const uint32_t ends[] = {0, FLOAT_ONE, 0xBF000000, 0x3FC00000, FLOAT_SIGN, FLOAT_HALF};
    const uint32_t between = Float_FromInteger(Random_Between(random, 1, (1 << 24) - 1), -24);
    const uint32_t end = ends[Random_Below(random, 6)];
    times->weight = Random_OneIn(random, 2) ? between : end;

    if (kind == 0) { /* only side B counts, as in a channel of the game's Control */
        times->a_first = times->a_last = -1;
        times->weight = Random_OneIn(random, 2) ? FLOAT_ONE : inner;
    } else if (kind == 1) {
        times->b_first = times->b_last = -1;
        times->weight = Random_OneIn(random, 2) ? 0 : inner;
    } else if (kind == 2) { /* the phase decides whether side A counts */
        times->a_first = -1;
        times->weight = inner;
    }
}

static uint32_t Time(int32_t first, int32_t last, int32_t quarters) {
    return Float_FromInteger(4 * (int64_t)first + ((int64_t)last - first) * quarters, -2);
}

uint32_t MeshTimes_A(const MeshTimes *times) {
    return Time(times->a_first, times->a_last, times->quarters);
}

uint32_t MeshTimes_B(const MeshTimes *times) {
    return Time(times->b_first, times->b_last, times->quarters);
}

/* ---- states ----------------------------------------------------------------------------------
 */

static void PutQuaternion(Random *random, float field[4]) {
    int32_t fixed[4];
    uint32_t bits[4];
    Quaternion_Unit(random, fixed);
    Float_FromFixed30(fixed, 4, bits);
    if (Random_OneIn(random, 4)) {
        bits[0] = FLOAT_ONE;
        bits[1] = bits[2] = bits[3] = 0;
    }
    memcpy(field, bits, sizeof bits);
}

/* Gives the value that the byte has most often when the flags are these. */
static uint8_t Mirror(Random *random, uint32_t flags, uint32_t flag) {
    if (Random_OneIn(random, 12))
        return (uint8_t)Random_Below(random, 3);
    return (flags & flag) != 0;
}

static void PutMatrix(Random *random, float matrix[16]) {
    uint32_t words[16];
    Place(random, MAGNITUDE_INTEGER, words);
    memcpy(matrix, words, sizeof words);
}

static void FillPiece(Random *random, uint32_t frames, const MeshTimes *object, Piece *piece) {
    MeshTimes own;
    static const uint32_t bits[] = {PIECE_HIDDEN, PIECE_FLYING,      2,           0x20,
                                    0x80000000u,  PIECE_OWN_SEGMENT, PIECE_TILTED};
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        piece->flags |= Random_OneIn(random, i < 5 ? 6 : 3) ? bits[i] : 0;
    piece->flying = Mirror(random, piece->flags, PIECE_FLYING);
    piece->own_segment = Mirror(random, piece->flags, PIECE_OWN_SEGMENT);
    piece->tilted = Mirror(random, piece->flags, PIECE_TILTED);

    piece->variant = Random_Between(random, 0, 2);
    PutMatrix(random, piece->world);
    PutMatrix(random, piece->model);
    PutMatrix(random, piece->local);
    PutQuaternion(random, piece->previous_tilt);
    PutQuaternion(random, piece->tilt);
    MeshTimes_Draw(random, frames, &own);
    piece->a_first = own.a_first;
    piece->a_last = own.a_last;
    piece->b_first = own.b_first;
    piece->b_last = own.b_last;
    PutBits(own.phase, &piece->phase);
    PutBits(own.weight, &piece->weight);

    /* The cache hits, or misses for one of the possible reasons. */
    const MeshTimes *times = piece->own_segment ? &own : object;
    const bool exact = times->quarters >= 0;
    uint32_t a = exact ? MeshTimes_A(times) : times->phase;
    uint32_t b = exact ? MeshTimes_B(times) : times->phase;
    const uint32_t kind = Random_Below(random, 8);
    piece->cache_valid = kind != 0;
    if (kind == 1)
        a = Float_Step(a, 1);
    else if (kind == 2)
        b = Float_Step(b, -1);
    else if (kind == 3)
        a = b = Value_Special(random);
    PutBits(a, &piece->cached_a);
    PutBits(b, &piece->cached_b);

    piece->unknown_0c = (uint32_t)Random_Next(random);
    PutRandom(random, MAGNITUDE_UNIT, &piece->life, 1);
    PutRandom(random, MAGNITUDE_UNIT, &piece->material_phase, 1);
}

/* ---- objects ---------------------------------------------------------------------------------
 */

static const MeshModel *FindModel(const MeshContext *context, const Reader *reader,
                                  MeshModel *scratch) {
    const MeshSource *source =
        (const MeshSource *)(const void *)((const uint8_t *)reader - offsetof(MeshSource, reader));
    (void)context;
    (void)scratch;
    return &source->model;
}

static const MeshContext merging = {.math = &Mesh_LibraryMath, .find = FindModel};

/* Attaches a part to any piece, of the root or of a part that was attached before. */
static bool AttachPart(ScenarioContext *context, Random *random, MeshObject *object) {
    const uint32_t model = 1 + Random_Below(random, MESH_MODELS - 1);
    const uint32_t pieces = object->mesh.piece_count;
    const uint32_t tag = object->part_tags[object->parts - 1] + 1 + Random_Below(random, 3);
    const int32_t attach = (int32_t)Random_Below(random, pieces);
    const uint32_t material = Random_Below(random, 0x10000);
    MeshSource *source = Source(context, model);
    if (!source || source->image.node_count > SMALL_NODES)
        return source != NULL;
    context->status =
        Mesh_Merge(&merging, &object->mesh, &source->reader, tag, attach, material, context->error);
    if (object->mesh.piece_count > pieces)
        object->part_tags[object->parts++] = tag;
    return context->status == RP_OK;
}

const MeshObject *Meshes_Object(ScenarioContext *context, uint32_t number) {
    struct MeshCorpus *corpus = Corpus(context);
    if (!corpus)
        return NULL;
    if (!corpus->made[number]) {
        corpus->made[number] = true;

        MeshObject *object = &corpus->objects[number];
        Random random = Random_Start("mesh object", context->seed, number);
        /* Objects 0, 40, 80 and 120 use the largest model. The others are small, so that a call
         * that poses them has few outputs. */
        const uint32_t small = 1 + Random_Below(&random, MESH_MODELS - 1);
        const uint32_t root_model = number == MESH_STILL_OBJECT ? MESH_STILL_MODEL
                                    : number % MESH_MODELS == 0 ? 0
                                                                : small;
        MeshSource *root = Source(context, root_model);
        Mesh_Init(&object->mesh);
        object->parts = 1;
        if (!root)
            return NULL;
        context->status =
            Mesh_Merge(&merging, &object->mesh, &root->reader, 0, -1, 0, context->error);
        uint32_t parts = Random_Below(&random, number % 4 == 3 ? MESH_MOST_PARTS : 3);
        if (number == MESH_STILL_OBJECT)
            parts = 0;
        for (uint32_t i = 0; !context->status && i < parts; i++)
            if (!AttachPart(context, &random, object))
                break;
        if (context->status)
            return NULL;

        uint32_t most_frames = 1;
        for (uint32_t i = 0; i < object->mesh.piece_count; i++) {
            MeshModel scratch;
            const MeshModel *model =
                Mesh_ModelOf(&merging, Mesh_Piece(&object->mesh, (int32_t)i), &scratch);
            if (model->pose.frame_count > most_frames)
                most_frames = model->pose.frame_count;
        }

        Mesh *mesh = &object->mesh;
        MeshTimes times;
        uint32_t words[16];
        MeshTimes_Draw(&random, most_frames, &times);
        mesh->a_first = times.a_first;
        mesh->a_last = times.a_last;
        mesh->b_first = times.b_first;
        mesh->b_last = times.b_last;
        PutBits(times.phase, &mesh->phase);
        PutBits(times.weight, &mesh->weight);
        Scale_Draw(&random, words);
        mesh->scaled = words[0];
        memcpy(mesh->scale, words + 1, sizeof mesh->scale);
        Placement_Draw(&random, words);
        memcpy(mesh->placement, words, sizeof mesh->placement);
        PutRandom(&random, MAGNITUDE_WORLD, mesh->box, 24);
        PutRandom(&random, MAGNITUDE_WORLD, mesh->box_b, 24);
        PutRandom(&random, MAGNITUDE_WORLD, mesh->agent_centre, 3);
        PutRandom(&random, MAGNITUDE_UNIT, &mesh->agent_radius, 1);
        PutRandom(&random, MAGNITUDE_WORLD, mesh->node_centre, 3);
        PutRandom(&random, MAGNITUDE_UNIT, &mesh->node_radius, 1);
        PutRandom(&random, MAGNITUDE_WORLD, mesh->capsule, 7);

        for (uint32_t i = 0; i < mesh->piece_count; i++)
            FillPiece(&random, most_frames, &times, Mesh_Piece(mesh, (int32_t)i));
    }
    return &corpus->objects[number];
}

void Meshes_Free(ScenarioContext *context) {
    if (!context->meshes)
        return;
    for (uint32_t i = 0; i < MESH_ALL_OBJECTS; i++)
        if (context->meshes->made[i])
            Mesh_Free(&merging, &context->meshes->objects[i].mesh);
    for (uint32_t i = 0; i < MESH_ALL_MODELS; i++)
        ModelImage_Free(&context->meshes->sources[i].image);
    free(context->meshes);
    context->meshes = NULL;
}

/* ---- memories --------------------------------------------------------------------------------
 */

static RpStatus Put(ScenarioContext *context, const ScenarioSink *sink, uint32_t id,
                    const uint8_t *bytes, uint32_t size, const TraceRelocation *relocations,
                    uint32_t count) {
    const TraceMemory memory = {id, size, bytes, count, relocations};
    return sink->put(sink->context, &memory, context->error);
}

RpStatus Meshes_Memory(ScenarioContext *context, uint32_t id, const ScenarioSink *sink,
                       RpStatus (*write)(void *user, uint32_t id), void *user) {
    if (id >= MEMORY_MESH_IMAGE) {
        RpStatus status = (id - MEMORY_MESH_IMAGE) % 2 == 1 ? write(user, id - 1) : RP_OK;
        if (status)
            return status;
        const uint32_t model = (id - MEMORY_MESH_IMAGE) / 2;
        const MeshSource *source = Source(context, model);
        if (!source)
            return context->status;
        if ((id - MEMORY_MESH_IMAGE) % 2 == 0)
            return Put(context, sink, id, source->image.bytes, source->image.size, NULL, 0);
        uint8_t reader[MODEL_READER_SIZE];
        TraceRelocation relocations[MODEL_READER_RELOCATIONS];
        const uint32_t count = ModelImage_Reader(&source->image, id - 1, reader, relocations);
        return Put(context, sink, id, reader, sizeof reader, relocations, count);
    }
    if (id >= MEMORY_MESH_VECTORS) {
        /* The memory holds unit vectors; now and then a vector has another length or special
         * values. */
        uint8_t bytes[MESH_POOL_VECTORS * 12];
        Random random = Random_Start("mesh vectors", context->seed, id - MEMORY_MESH_VECTORS);
        for (uint32_t i = 0; i < MESH_POOL_VECTORS; i++) {
            int32_t fixed[3];
            uint32_t words[3];
            Vector_Unit(&random, fixed);
            Float_FromFixed30(fixed, 3, words);
            for (int k = 0; k < 3 && i % 8 == 7; k++)
                words[k] = Value_Random(&random, MAGNITUDE_INTEGER);
            for (int k = 0; k < 3 && i % 32 == 31; k++)
                words[k] = Value_Special(&random);
            memcpy(bytes + 12 * i, words, sizeof words);
        }
        return Put(context, sink, id, bytes, sizeof bytes, NULL, 0);
    }
    const MeshObject *object = Meshes_Object(context, id - MEMORY_MESH);
    MeshImageReader readers[MESH_ALL_MODELS];
    MeshImage image;
    if (!object)
        return context->status;
    for (uint32_t i = 0; i < MESH_ALL_MODELS; i++)
        readers[i] = (MeshImageReader){&context->meshes->sources[i].reader,
                                       MEMORY_MESH_IMAGE + 2 * i + 1, 0};
    RpStatus status =
        MeshImage_Freeze(&object->mesh, id, readers, MESH_ALL_MODELS, &image, context->error);
    for (uint32_t i = 0; !status && i < image.relocation_count; i++)
        if (image.relocations[i].target != id)
            status = write(user, image.relocations[i].target);
    if (!status)
        status = Put(context, sink, id, image.bytes, image.size, image.relocations,
                     image.relocation_count);
    MeshImage_Free(&image);
    return status;
}
