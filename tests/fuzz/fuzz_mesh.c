/* Makes mesh objects of any models. First come models that strict loading accepts: whatever a
 * caller does with these, no read leaves a stream, and nothing but attaching allocates. Then come
 * good models whose contents are spoiled after loading, as may happen to those of the game's own
 * readers: there is no crash and no hang. */
#include "animesh/mesh_api.h"
#include "animesh/mesh_structs.h"
#include "cli/bench/measure/counted_memory.h"
#include "examples/model_boxes.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/* ---- input ----------------------------------------------------------------------------------- */

typedef struct Input {
    const uint8_t *bytes;
    size_t left;
} Input;

static uint32_t Take(Input *input, size_t count) {
    uint32_t value = 0;
    for (size_t i = 0; i < count && input->left; i++, input->left--)
        value |= (uint32_t)*input->bytes++ << (8 * i);
    return value;
}

/* Takes the number of one of a few pieces, or a number that is none. */
static int32_t TakePiece(Input *input) {
    return (int32_t)(Take(input, 1) % 24) - 2;
}

/* Takes a usual number most of the time, and otherwise any 32 bits. */
static float TakeFloat(Input *input) {
    uint32_t choice = Take(input, 1), bits;
    float value;
    if (choice < 224)
        return ((float)choice - 112) / 16;
    bits = Take(input, 4);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void TakeFloats(Input *input, float *values, int count) {
    for (int i = 0; i < count; i++)
        values[i] = TakeFloat(input);
}

static int32_t TakeFrame(Input *input) {
    uint32_t choice = Take(input, 1);
    return choice < 240 ? (int32_t)choice % 16 - 2 : (int32_t)Take(input, 4);
}

/* ---- one object ------------------------------------------------------------------------------ */

typedef struct Play {
    Input *input;
    RpMeshObject *mesh;
    const RpModel *models[2];
    CountedMemory *heap;
    RpPoseCounters counters; /* the counters of queries */
    bool strict;             /* the models are sound */
} Play;

static void CheckTree(const RpMeshObject *mesh) {
    for (int32_t i = 0; i < (int32_t)RpMeshObject_PieceCount(mesh); i++) {
        const Piece *piece = Mesh_Piece(&mesh->mesh, i);
        const Piece *base = Mesh_Piece(&mesh->mesh, (int32_t)piece->part_base);
        Insist(piece->parent >= -1 && piece->parent < i);
        Insist(base && base <= piece && base->tag == piece->tag);
        Insist(base == &Mesh_Piece(&mesh->mesh, 0)[piece->part_base]);
    }
}

static void AttachOrDetach(Play *play) {
    uint32_t before = RpMeshObject_PieceCount(play->mesh), choice = Take(play->input, 1);
    uint32_t part = choice % 8;
    RpError error;
    play->heap->refuse = choice >= 240 ? SIZE_MAX : 0;
    if (choice & 8) {
        RpStatus status = RpMeshObject_Attach(play->mesh, play->models[choice >> 4 & 1], part,
                                              TakePiece(play->input), Take(play->input, 2), &error);
        Insist(status == RP_OK || RpMeshObject_PieceCount(play->mesh) == before);
        Insist(status == RP_OK || (error.status == status && error.what[0]));
    } else {
        RpStatus status = RpMeshObject_Detach(play->mesh, part, &error);
        Insist((status == RP_OK) == (RpMeshObject_PieceCount(play->mesh) < before));
        Insist(status != RP_OK || RpMeshObject_FirstPieceOfPart(play->mesh, part) < 0);
    }
    play->heap->refuse = 0;
    CheckTree(play->mesh);
}

static void ChangeState(Play *play) {
    Input *input = play->input;
    RpMeshObject *mesh = play->mesh;
    int32_t piece = TakePiece(input), frames[4];
    float numbers[16];
    for (int i = 0; i < 4; i++)
        frames[i] = TakeFrame(input);
    switch (Take(input, 1) % 9) {
    case 0:
        RpMeshObject_SetFrames(mesh, frames[0], frames[1], frames[2], frames[3]);
        break;
    case 1:
        TakeFloats(input, numbers, 2);
        RpMeshObject_SetPhase(mesh, numbers[0], numbers[1]);
        break;
    case 2:
        RpMeshObject_SetPieceFrames(mesh, piece, frames[0], frames[1], frames[2], frames[3]);
        break;
    case 3:
        TakeFloats(input, numbers, 2);
        RpMeshObject_SetPiecePhase(mesh, piece, numbers[0], numbers[1]);
        break;
    case 4:
        RpMeshObject_ChangeFlags(mesh, piece, (uint32_t)frames[0], frames[1] & 1, frames[2] & 1);
        break;
    case 5:
        TakeFloats(input, numbers, 16);
        if (frames[0] & 1)
            RpMeshObject_SetPlacement(mesh, numbers);
        else
            RpMeshObject_SetPieceMatrix(mesh, piece, numbers);
        break;
    case 6:
        TakeFloats(input, numbers, 3);
        RpMeshObject_SetScale(mesh, numbers);
        break;
    case 7:
        TakeFloats(input, numbers, 6);
        RpMeshObject_Tilt(mesh, piece, frames[0] & 1 ? numbers : NULL,
                          frames[1] & 1 ? numbers + 3 : NULL);
        break;
    default:
        if (play->strict)
            RpMeshObject_SetStage(mesh, piece, frames[0]);
        else
            Mesh_SetNodeStage(&mesh->mesh, piece, frames[0]);
    }
}

static void Measure(Play *play) {
    Input *input = play->input;
    RpMeshObject *mesh = play->mesh;
    RpMeshSpace space = (RpMeshSpace)(Take(input, 1) % 3);
    bool subtree = Take(input, 1) & 1;
    int32_t piece = TakePiece(input);
    float corners[8][3], sphere[4], capsule[7];
    RpMeshBounds bounds;
    RpMeshPiece description;
    RpMeshObject_Box(mesh, piece, space, subtree, corners);
    RpMeshObject_Sphere(mesh, piece, space, subtree, sphere);
    RpMeshObject_NodeCapsule(mesh, piece, space, subtree, capsule);
    RpMeshObject_Bounds(mesh, &bounds);
    Insist((RpMeshObject_Matrix(mesh, piece, space) != NULL) ==
           RpMeshObject_Piece(mesh, piece, &description));
}

/* Asks through the internal functions, because these have counters. */
static void Ask(Play *play) {
    Input *input = play->input;
    const Mesh *mesh = &play->mesh->mesh;
    MeshContext context = MeshApi_Context(play->mesh, &play->counters);
    MeshQuery query = {.required_batch = Take(input, 1) & 3, .excluded_triangle = Take(input, 1)};
    struct PushOutFace faces[3];
    const PushOutFaces room = {faces, Take(input, 1) % 4};
    const PushOutFilters filters = {&query, &query};
    float segment[6], push[3];
    uint32_t dropped, answer;
    MeshHit hit = {0};
    int32_t piece = TakePiece(input);
    TakeFloats(input, segment, 6);
    Mesh_Segment(&context, mesh, segment, &query, &hit);
    Mesh_NodeSegment(&context, mesh, piece, Take(input, 1) & 1, segment, NULL, segment[0], &hit);
    Mesh_WalkFace(&context, mesh, segment, &query, &hit);
    Mesh_WalkFaceWithMargin(&context, mesh, segment, segment[3], Take(input, 1), &hit);
    Mesh_PushOut(&context, mesh, segment, segment[4], &filters, &room, push, &dropped);
    Mesh_IsInside(&context, mesh, piece, segment, &query);
    for (uint32_t id = 9; id < 0x12; id++)
        Mesh_QueryNode(&context, mesh, piece, id, &answer);
    Mesh_StageCount(&context, mesh, piece);
}

static void Count(void *user, int32_t node, uint32_t draw_mode, const float world[16],
                  const RpDrawBatch *batch) {
    (void)draw_mode;
    (void)batch;
    Insist(world == RpMeshObject_Matrix(user, node, RP_MESH_WORLD));
}

static void Describe(Play *play) {
    Input *input = play->input;
    MeshContext context = MeshApi_Context(play->mesh, NULL);
    TriangleDescriptor triangle;
    RpDrawBatch batch;
    int32_t piece = TakePiece(input);
    uint32_t index = Take(input, 1) % 8, of_batch = Take(input, 2);
    RpMeshObject_Batch(play->mesh, piece, index, &batch);
    Mesh_DescribeTriangle(&context, &play->mesh->mesh, piece, index, of_batch, 8, &triangle);
    RpMeshObject_Draw(play->mesh, (int32_t)Take(input, 1) % 7 - 1, Count, play->mesh);
}

static void PlayOn(Play *play) {
    enum { MOST_STEPS = 48 };
    for (int step = 0; step < MOST_STEPS && play->input->left; step++) {
        const uint32_t choice = Take(play->input, 1);
        size_t calls = play->heap->calls;
        switch (choice % 8) {
        case 0:
            AttachOrDetach(play);
            calls = play->heap->calls;
            break;
        case 1:
        case 2:
            ChangeState(play);
            break;
        case 3:
            RpMeshObject_UpdateBounds(play->mesh);
            break;
        case 4:
            Measure(play);
            break;
        case 5:
            Ask(play);
            break;
        case 6:
            Describe(play);
            break;
        default:
            RpMeshObject_Pose(play->mesh);
        }
        Insist(play->heap->calls == calls);
    }
}

static void PlayObject(Input *input, const RpModel *root, const RpModel *part, bool strict) {
    CountedMemory heap = {0};
    const RpAllocator allocator = CountedMemory_Allocator(&heap);
    RpArithmetic settings = {.build = (RpBuild)(Take(input, 1) % RP_BUILD_COUNT)};
    Play play = {.input = input, .models = {root, part}, .heap = &heap, .strict = strict};
    RpStatus status = RpMeshObject_Create(root, &settings, &allocator, &play.mesh, NULL);
    Insist(status == RP_OK || !strict);
    if (status == RP_OK) {
        RpPoseCounters counters;
        PlayOn(&play);
        RpMeshObject_Counters(play.mesh, &counters);
        Insist(!strict || counters.out_of_bounds + play.counters.out_of_bounds == 0);
        RpMeshObject_Free(play.mesh);
    }
    Insist(heap.blocks == 0);
}

/* ---- models ---------------------------------------------------------------------------------- */

static uint8_t *GoodImage(size_t *size) {
    static const ModelBox boxes[] = {
        {.parent = MODEL_BOXES_NO_PARENT, .high = {4, 4, 1}, .stages = 3},
        {.parent = 0,
         .flags = 0x800,
         .label = "central",
         .moved = {1, 2, 3},
         .high = {1, 1, 1},
         .stages = 1},
        {.parent = 1,
         .flags = 0x30,
         .position = {0, 0, 1},
         .turned = {0, 0, 23170, 23170},
         .low = {-1, -1, -1},
         .high = {1, 1, 1},
         .stages = 2},
    };
    return ModelBoxes_Write(boxes, 3, 5, size);
}

/* Plays an image in a block of its own size, so that a read beyond its end is noticed. */
static void PlayImage(const uint8_t *image, size_t size, Input input, const RpModel *part) {
    RpModel *model = NULL;
    RpError error = {0};
    HEAP uint8_t *copy = Fuzz_Copy(image, size);
    RpStatus status = RpModel_FromNRes(copy, size, NULL, &model, &error);
    Insist(status == RP_OK || (error.status == status && error.what[0] && !model));
    /* A walk over subtrees takes the square of the number of pieces, which is too long for 48
     * walks under a sanitizer. */
    if (status == RP_OK && RpModel_NodeCount(model) <= 512) {
        PlayObject(&input, model, part, true);
        PlayObject(&input, part, model, true);
    }
    RpModel_Free(model);
}

/* Each change is two bytes for the place and one for the value, at most 16 times. */
static void Spoil(Input *input, uint8_t *image, size_t size) {
    for (uint32_t count = Take(input, 1) % 17; count && input->left; count--) {
        uint32_t place = Take(input, 2);
        image[place % size] = (uint8_t)Take(input, 1);
    }
}

/* Also ends streams early. Each stream that is shortened gets a copy of its own. */
static void Shorten(Input *input, MeshModel *model) {
    MeshStream *const streams[] = {&model->slots,   &model->positions, &model->uv0,
                                   &model->indices, &model->triangles, &model->batches};
    uint32_t choice = Take(input, 1);
    if (choice < 192)
        return;
    MeshStream *stream = streams[choice % 6];
    stream->count = Take(input, 1) % (stream->count + 1);
    model->pose.key_bytes = Take(input, 1) % (model->pose.key_bytes + 1);
    model->pose.frame_map_bytes = Take(input, 1) % (model->pose.frame_map_bytes + 1);
    model->string_bytes = Take(input, 1) % (model->string_bytes + 1);
    model->pose.frame_count = Take(input, 4);
}

static void PlaySpoiled(Input input, uint8_t *image, size_t size, const RpModel *part) {
    RpModel *model = NULL;
    Insist(RpModel_FromNRes(image, size, NULL, &model, NULL) == RP_OK);
    Spoil(&input, image, size);
    Shorten(&input, &model->model);
    PlayObject(&input, model, part, false);
    PlayObject(&input, part, model, false);
    RpModel_Free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    size_t good_size;
    HEAP uint8_t *good = GoodImage(&good_size), *spoiled = GoodImage(&good_size);
    RpModel *part = NULL;
    if (good && spoiled) {
        Input input = {bytes, size};
        Insist(RpModel_FromNRes(good, good_size, NULL, &part, NULL) == RP_OK);
        PlayImage(bytes, size, (Input){bytes, size}, part);
        Spoil(&input, spoiled, good_size);
        PlayImage(spoiled, good_size, input, part);
        free(spoiled);
        spoiled = GoodImage(&good_size);
        if (spoiled)
            PlaySpoiled((Input){bytes, size}, spoiled, good_size, part);
    }
    RpModel_Free(part);
    return 0;
}
