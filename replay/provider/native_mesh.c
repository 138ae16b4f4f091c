#include "replay/provider/native_mesh.h"

#include "ngi32/processor/x87.h"

#include <string.h>

/* The parameters of one call, separated. */
typedef struct Arguments {
    MeshContext context;
    const MeshCalls *calls;
    Mesh *mesh;
    Piece *piece;    /* the piece, for InitPiece only */
    const float *in; /* the inputs after the state */
    float *result;   /* where the function's result is to be written */
    float *out;      /* where its other outputs are to be written, after the state's ranges */
} Arguments;

struct MeshFunction {
    const char *key;
    uint8_t state;   /* 0 if the function has none */
    uint8_t self;    /* the offset in the mesh of the interface that `this` points to */
    uint8_t results; /* the number of words that it returns */
    bool (*call)(Arguments *arguments);
};

enum { NO_STATE, MESH_STATE, PIECE_STATE };

/* ---- words -----------------------------------------------------------------------------------
 */

static uint32_t Word(const float *in) {
    uint32_t word;
    memcpy(&word, in, sizeof word);
    return word;
}

static int32_t Whole(const float *in) {
    return (int32_t)Word(in);
}

static void PutWord(uint32_t value, float *out) {
    memcpy(out, &value, sizeof value);
}

static void Pairs(const float *in, int32_t pairs[4]) {
    memcpy(pairs, in, 4 * sizeof *pairs);
}

static MeshQuery Query(const float *in) {
    MeshQuery query;
    memcpy(&query, in, sizeof query);
    return query;
}

static JointRequest Request(const float *in) {
    JointRequest request;
    memcpy(&request, in, sizeof request);
    return request;
}

/* ---- functions of numbers --------------------------------------------------------------------
 */

static bool FillBoxCorners(Arguments *a) {
    Bounds_FillCorners(a->in, a->in + 3, a->out);
    return true;
}

static bool PointOverTriangle(Arguments *a) {
    PutWord((uint32_t)Face_PointOver(a->in, a->in + 9, a->out), a->result);
    return true;
}

static bool SphereTouchesFace(Arguments *a) {
    MeshFace face;
    memcpy(&face, a->in, sizeof face);
    const float *rest = a->in + sizeof face / sizeof *a->in;
    PutWord((uint32_t)Face_TouchesSphere(&face, rest, rest[3], a->out), a->result);
    return true;
}

static bool SphereTouchesEdge(Arguments *a) {
    const float *in = a->in;
    PutWord((uint32_t)Face_EdgeTouchesSphere(in, in + 3, in + 6, in + 9, in[12], in[13], a->out),
            a->result);
    return true;
}

/* ---- functions of the object -----------------------------------------------------------------
 */

static bool InitPiece(Arguments *a) {
    Piece_Init(a->piece, Word(a->in));
    return true;
}

static bool ClearPoseCache(Arguments *a) {
    Mesh_ClearPoseCache(a->mesh);
    return true;
}

static bool PoseWalk(Arguments *a) {
    Mesh_Pose(&a->context, a->mesh);
    return true;
}

static bool MeshBounds(Arguments *a) {
    Mesh_UpdateBounds(&a->context, a->mesh);
    return true;
}

static bool QueryNode(Arguments *a) {
    uint32_t answer = Word(a->in + 2);
    Mesh_QueryNode(&a->context, a->mesh, Whole(a->in), Word(a->in + 1), &answer);
    PutWord(answer, a->out);
    return true;
}

static bool NodeMatrix(Arguments *a) {
    Mesh_NodeMatrix(&a->context, a->mesh, Whole(a->in), Word(a->in + 1), a->out);
    return true;
}

static bool SetNodeMatrix(Arguments *a) {
    Mesh_SetNodeMatrix(a->mesh, Whole(a->in), a->in + 1);
    return true;
}

static bool NodeLabel(Arguments *a) {
    const Piece *piece = Mesh_Piece(a->mesh, Whole(a->in));
    MeshModel scratch;
    uint32_t length;
    const MeshModel *model = piece ? Mesh_ModelOf(&a->context, piece, &scratch) : NULL;
    const void *address = model ? MeshModel_Text(model, piece->node, &length) : NULL;

    /* The result is a reference into a memory of the trace, or the reference to none. */
    uint32_t words[2] = {TRACE_NO_MEMORY, 0};
    const uintptr_t at = (uintptr_t)address;
    for (uint32_t i = 0; address && i < TraceReader_MemoryCount(a->calls->reader); i++) {
        const TraceMemory *memory = TraceReader_MemoryAt(a->calls->reader, i);
        const uintptr_t start = (uintptr_t)memory->bytes;
        if (at >= start && at - start < memory->size) {
            words[0] = memory->id;
            words[1] = (uint32_t)(at - start);
        }
    }
    memcpy(a->result, words, sizeof words);
    return true;
}

static bool NodeFlags(Arguments *a) {
    PutWord(Mesh_NodeFlags(a->mesh, Whole(a->in)), a->result);
    return true;
}

static bool ChangeNodeFlags(Arguments *a) {
    Mesh_ChangeNodeFlags(a->mesh, Whole(a->in), Word(a->in + 1), Word(a->in + 2));
    return true;
}

/* Returns the phase as ST0, which was loaded from 32 bits. */
static bool NodePhase(Arguments *a) {
    const float phase = Mesh_NodePhase(a->mesh, Whole(a->in));
    const X87 st0 = X87_Load(&phase); /* ten bytes with padding, in software as well */
    memset(a->result, 0, 12);
    memcpy(a->result, &st0, 10);
    return true;
}

static bool SetNodePhase(Arguments *a) {
    Mesh_SetNodePhase(&a->context, a->mesh, Whole(a->in), a->in + 1, a->in + 2);
    return true;
}

static bool SetNodeFramePairs(Arguments *a) {
    int32_t pairs[4];
    Pairs(a->in + 1, pairs);
    Mesh_SetNodeFramePairs(a->mesh, Whole(a->in), pairs);
    return true;
}

static bool FirstPieceOfPart(Arguments *a) {
    PutWord((uint32_t)Mesh_FirstPieceOfPart(a->mesh, Word(a->in)), a->result);
    return true;
}

static bool PieceCountOfPart(Arguments *a) {
    PutWord(Mesh_PieceCountOfPart(a->mesh, Word(a->in)), a->result);
    return true;
}

static bool NodeStage(Arguments *a) {
    PutWord((uint32_t)Mesh_NodeStage(a->mesh, Whole(a->in)), a->result);
    return true;
}

static bool SetNodeStage(Arguments *a) {
    Mesh_SetNodeStage(a->mesh, Whole(a->in), Whole(a->in + 1));
    return true;
}

static bool StageCount(Arguments *a) {
    PutWord(Mesh_StageCount(&a->context, a->mesh, Whole(a->in)), a->result);
    return true;
}

static bool NodeCount(Arguments *a) {
    PutWord(a->mesh->piece_count, a->result);
    return true;
}

static bool SetPhase(Arguments *a) {
    Mesh_SetPhase(&a->context, a->mesh, a->in, a->in + 1);
    return true;
}

static bool SetFramePairs(Arguments *a) {
    int32_t pairs[4];
    Pairs(a->in, pairs);
    Mesh_SetFramePairs(a->mesh, pairs);
    return true;
}

/* Reads a `ref` to three floats. *vector becomes null for a null reference. */
static bool Vector(const Arguments *a, const float *in, float *room, const float **vector) {
    const TraceMemory *memory = TraceReader_Memory(a->calls->reader, Word(in));
    const uint32_t offset = Word(in + 1);
    *vector = NULL;
    if (Word(in) == TRACE_NO_MEMORY)
        return true;
    if (!memory || offset > memory->size || memory->size - offset < 12)
        return false;
    memcpy(room, memory->bytes + offset, 12);
    *vector = room;
    return true;
}

static bool TiltNode(Arguments *a) {
    const float *from, *to;
    float room[2][3];
    if (!Vector(a, a->in + 1, room[0], &from) || !Vector(a, a->in + 3, room[1], &to))
        return false;
    Mesh_TiltNode(&a->context, a->mesh, Whole(a->in), from, to);
    return true;
}

static bool RootTranslation(Arguments *a) {
    Mesh_RootTranslation(&a->context, a->mesh, a->out);
    return true;
}

static bool AgentSphere(Arguments *a) {
    Mesh_AgentSphere(a->mesh, Word(a->in), a->out, a->out + 3);
    return true;
}

static bool Capsule(Arguments *a) {
    Mesh_Capsule(a->mesh, Word(a->in), a->out);
    return true;
}

static bool Scale(Arguments *a) {
    Mesh_Scale(a->mesh, a->out);
    return true;
}

static bool SetScale(Arguments *a) {
    Mesh_SetScale(&a->context, a->mesh, a->in);
    return true;
}

static bool Sphere(Arguments *a) {
    const JointRequest request = Request(a->in + 2);
    Mesh_Sphere(&a->context, a->mesh, Whole(a->in), Word(a->in + 1), &request, a->out);
    return true;
}

static bool Box(Arguments *a) {
    const JointRequest request = Request(a->in + 2);
    Mesh_Box(&a->context, a->mesh, Whole(a->in), Word(a->in + 1), &request, a->out);
    return true;
}

static bool NodeCapsule(Arguments *a) {
    const JointRequest request = Request(a->in + 2);
    Mesh_NodeCapsule(&a->context, a->mesh, Whole(a->in), Word(a->in + 1), &request, a->out);
    return true;
}

/* ---- queries ---------------------------------------------------------------------------------
 */

/* Stores a hit. Where nothing was hit, the hit that the caller passed in stays. */
static bool Answer(Arguments *a, bool found, const MeshHit *hit) {
    memcpy(a->out, hit, sizeof *hit);
    PutWord(found, a->result);
    return true;
}

static MeshHit Hit(const float *in) {
    MeshHit hit;
    memcpy(&hit, in, sizeof hit);
    return hit;
}

static bool SegmentQuery(Arguments *a) {
    const MeshQuery query = Query(a->in + 6);
    MeshHit hit = Hit(a->in + 14);
    return Answer(a, Mesh_Segment(&a->context, a->mesh, a->in, &query, &hit), &hit);
}

/* The original's walk at 0x10007E90 does not ask for masks. */
static bool WalkFaceQuery(Arguments *a) {
    MeshHit hit = Hit(a->in + 11);
    return Answer(a, Mesh_WalkFace(&a->context, a->mesh, a->in, NULL, &hit), &hit);
}

static bool PointInside(Arguments *a) {
    const MeshQuery query = Query(a->in + 4);
    PutWord(Mesh_IsInside(&a->context, a->mesh, Whole(a->in), a->in + 1, &query), a->result);
    return true;
}

static bool NodeSegmentQuery(Arguments *a) {
    const float *in = a->in;
    const MeshQuery query = Query(in + 8);
    MeshHit hit = Hit(in + 17);
    const bool found = Mesh_NodeSegment(&a->context, a->mesh, Whole(in), Word(in + 1), in + 2,
                                        &query, in[16], &hit);
    return Answer(a, found, &hit);
}

static bool WalkFaceWithMargin(Arguments *a) {
    MeshHit hit = Hit(a->in + 5);
    const bool found =
        Mesh_WalkFaceWithMargin(&a->context, a->mesh, a->in, a->in[3], Word(a->in + 4), &hit);
    return Answer(a, found, &hit);
}

enum { PUSH_OUT_FACES = 256 }; /* no generated call finds more faces */

static bool PushOutSphere(Arguments *a) {
    /* This is not a thread-local variable, because a shared library that is loaded late gets few
     * bytes for those. */
    struct PushOutFace faces[PUSH_OUT_FACES];
    const PushOutFaces room = {faces, PUSH_OUT_FACES};
    const MeshQuery gather = Query(a->in + 4), pushing = Query(a->in + 12);
    const PushOutFilters filters = {&gather, &pushing};
    const bool pushed =
        Mesh_PushOut(&a->context, a->mesh, a->in, a->in[3], &filters, &room, a->out, NULL);
    PutWord(pushed, a->result);
    return true;
}

/* ---- the list --------------------------------------------------------------------------------
 */

enum { ANIMATION = 0, MESH2 = 4, JOINT_MESH = 8, COLLISION_MESH = 0xC };

static const MeshFunction functions[] = {
    {"animesh.InitPiece", PIECE_STATE, 0, 0, InitPiece},
    {"animesh.FillBoxCorners", NO_STATE, 0, 0, FillBoxCorners},
    {"animesh.ClearPoseCache", MESH_STATE, 0, 0, ClearPoseCache},
    {"animesh.PoseWalk", MESH_STATE, 0, 0, PoseWalk},
    {"animesh.MeshBounds", MESH_STATE, 0, 0, MeshBounds},
    {"animesh.PointOverTriangle", NO_STATE, 0, 1, PointOverTriangle},
    {"animesh.SphereTouchesFace", NO_STATE, 0, 1, SphereTouchesFace},
    {"animesh.SphereTouchesEdge", NO_STATE, 0, 1, SphereTouchesEdge},
    {"animesh.IAnimation.3", MESH_STATE, ANIMATION, 0, QueryNode},
    {"animesh.IAnimation.4", MESH_STATE, ANIMATION, 0, NodeMatrix},
    {"animesh.IAnimation.5", MESH_STATE, ANIMATION, 0, SetNodeMatrix},
    {"animesh.IAnimation.6", MESH_STATE, ANIMATION, 2, NodeLabel},
    {"animesh.IAnimation.7", MESH_STATE, ANIMATION, 1, NodeFlags},
    {"animesh.IAnimation.8", MESH_STATE, ANIMATION, 0, ChangeNodeFlags},
    {"animesh.IAnimation.9", MESH_STATE, ANIMATION, 3, NodePhase},
    {"animesh.IAnimation.10", MESH_STATE, ANIMATION, 0, SetNodePhase},
    {"animesh.IAnimation.12", MESH_STATE, ANIMATION, 0, SetNodeFramePairs},
    {"animesh.IAnimation.14", MESH_STATE, ANIMATION, 1, FirstPieceOfPart},
    {"animesh.IAnimation.15", MESH_STATE, ANIMATION, 1, PieceCountOfPart},
    {"animesh.IAnimation.16", MESH_STATE, ANIMATION, 1, NodeStage},
    {"animesh.IAnimation.17", MESH_STATE, ANIMATION, 0, SetNodeStage},
    {"animesh.IAnimation.18", MESH_STATE, ANIMATION, 1, StageCount},
    {"animesh.IAnimation.19", MESH_STATE, ANIMATION, 1, NodeCount},
    {"animesh.IAnimation.25", MESH_STATE, ANIMATION, 0, SetPhase},
    {"animesh.IAnimation.26", MESH_STATE, ANIMATION, 0, SetFramePairs},
    {"animesh.IAnimation.31", MESH_STATE, ANIMATION, 0, TiltNode},
    {"animesh.IAnimation.32", MESH_STATE, ANIMATION, 0, RootTranslation},
    {"animesh.IMesh2.6", MESH_STATE, MESH2, 1, SegmentQuery},
    {"animesh.IMesh2.7", MESH_STATE, MESH2, 1, WalkFaceQuery},
    {"animesh.IMesh2.9", MESH_STATE, MESH2, 0, AgentSphere},
    {"animesh.IMesh2.12", MESH_STATE, MESH2, 0, Capsule},
    {"animesh.IMesh2.14", MESH_STATE, MESH2, 0, Scale},
    {"animesh.IMesh2.15", MESH_STATE, MESH2, 0, SetScale},
    {"animesh.IJointMesh.3", MESH_STATE, JOINT_MESH, 0, Sphere},
    {"animesh.IJointMesh.4", MESH_STATE, JOINT_MESH, 0, Box},
    {"animesh.IJointMesh.5", MESH_STATE, JOINT_MESH, 0, NodeCapsule},
    {"animesh.IJointMesh.7", MESH_STATE, JOINT_MESH, 1, PointInside},
    {"animesh.IJointMesh.10", MESH_STATE, JOINT_MESH, 1, NodeSegmentQuery},
    {"animesh.ICollisionMesh.2", MESH_STATE, COLLISION_MESH, 1, WalkFaceWithMargin},
    {"animesh.ICollisionMesh.3", MESH_STATE, COLLISION_MESH, 1, PushOutSphere},
};

const MeshFunction *MeshFunction_Find(const AbiFunction *function) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].key, function->key) == 0)
            return &functions[i];
    return NULL;
}

/* ---- calling ---------------------------------------------------------------------------------
 */

/* Multiplies matrices with slots 26 and 28, of which each class has one build, published or not
 * (docs/reference/host.md). If a trace asks for a build, these two keep that of the class. */
static void Product(const MeshContext *context, const float a[16], const float b[16],
                    float product[16]) {
    const MeshCalls *calls = context->owner;
    RpMatrix_PoseProduct(&calls->product, a, b, product);
}

static void ToFrame(const MeshContext *context, const float frame[16], const float point[3],
                    float result[3]) {
    const MeshCalls *calls = context->owner;
    RpMatrix_PointToFrame(&calls->product, frame, point, result);
}

bool MeshFunction_Call(const MeshFunction *function, const MeshCalls *calls, const float *in,
                       float *out, bool *outside) {
    MeshMath math = Mesh_LibraryMath;
    math.product = Product;
    math.to_frame = ToFrame;
    if (calls->interpolate)
        math.pose.interpolate = math.pose.blend = calls->interpolate;
    Arguments arguments = {.context = {.arithmetic = calls->settings,
                                       .math = &math,
                                       .find = MeshState_Model,
                                       .owner = (void *)(uintptr_t)calls},
                           .calls = calls,
                           .in = in,
                           .result = out,
                           .out = out + function->results};
    *outside = false;
    if (function->state == NO_STATE)
        return function->call(&arguments);
    if (!calls->states)
        return false;

    /* In the inputs a state is a memory, an offset, the number of patches, the number of ranges,
     * and then all patches and all ranges as pairs. */
    MeshState *state = MeshStates_Find(calls->states, Word(in));
    const uint32_t patch_count = Word(in + 2), range_count = Word(in + 3);
    const uint32_t *patches = (const uint32_t *)(const void *)(in + 4);
    const uint32_t *ranges = patches + 2 * (size_t)patch_count;
    size_t dwords = 0;
    for (uint32_t i = 0; i < range_count; i++)
        dwords += ranges[2 * i + 1];
    arguments.in = (const float *)(const void *)(ranges + 2 * (size_t)range_count);
    arguments.out = out + function->results + dwords;
    if (!state)
        return false;

    /* The offset is that of a piece, or of the interface whose method is called. */
    const uint32_t offset = Word(in + 1);
    const bool of_piece = function->state == PIECE_STATE;
    arguments.mesh = MeshState_Enter(state, patches, patch_count);
    arguments.piece = of_piece ? MeshState_PieceAt(state, offset) : NULL;
    if (!arguments.mesh || (of_piece ? !arguments.piece : offset != function->self))
        return false;
    return function->call(&arguments) &&
           MeshState_Leave(state, ranges, range_count,
                           (uint32_t *)(void *)(out + function->results), outside);
}
