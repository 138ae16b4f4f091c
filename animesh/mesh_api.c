/* The library's mesh objects (retropose/mesh_object.h), except for their queries. Each function is
 * a thin layer over animesh/mesh.h. */
#include "animesh/mesh_api.h"

#include "animesh/mesh_structs.h"

#include <string.h>

/* ---- contexts -------------------------------------------------------------------------------- */

static const MeshModel *FindModel(const MeshContext *context, const Reader *reader,
                                  MeshModel *scratch) {
    (void)context;
    (void)scratch;
    return &MeshObject_ModelOf(reader)->model;
}

MeshContext MeshApi_Context(const RpMeshObject *mesh, RpPoseCounters *counters) {
    return (MeshContext){.arithmetic = &mesh->arithmetic,
                         .math = &Mesh_LibraryMath,
                         .width = Exact_Width(),
                         .find = FindModel,
                         .counters = counters,
                         .allocator = mesh->allocator};
}

static MeshContext Counting(RpMeshObject *mesh) {
    return MeshApi_Context(mesh, &mesh->counters);
}

static void UpdateBounds(const MeshContext *context, Mesh *mesh) {
    const ArithmeticScope scope = Arithmetic_Enter(context->arithmetic);
    Mesh_UpdateBounds(context, mesh);
    Arithmetic_Leave(scope);
}

/* ---- objects --------------------------------------------------------------------------------- */

RpStatus RpMeshObject_Create(const RpModel *root, const RpArithmetic *arithmetic,
                             const RpAllocator *allocator, RpMeshObject **mesh, RpError *error) {
    RpMeshObject *made = RpMemory_Resize(allocator, NULL, sizeof *made);
    if (!made)
        return RpMemory_Refused(error, "an object");
    memset(made, 0, sizeof *made);
    made->allocator = allocator;
    Mesh_Init(&made->mesh);
    if (arithmetic)
        made->arithmetic = *arithmetic;
    MeshContext context = Counting(made);
    RpStatus status = Mesh_Merge(&context, &made->mesh, &root->reader, 0, -1, 0, error);
    if (status != RP_OK) {
        RpMeshObject_Free(made);
        return status;
    }
    UpdateBounds(&context, &made->mesh);
    *mesh = made;
    return RP_OK;
}

void RpMeshObject_Free(RpMeshObject *mesh) {
    if (!mesh)
        return;
    MeshContext context = Counting(mesh);
    Mesh_Free(&context, &mesh->mesh);
    RpMemory_Free(mesh->allocator, mesh);
}

size_t RpMeshObject_Bytes(uint32_t piece_count) {
    return sizeof(RpMeshObject) + piece_count * sizeof(Piece);
}

RpStatus RpMeshObject_Attach(RpMeshObject *mesh, const RpModel *model, uint32_t part, int32_t piece,
                             uint32_t material, RpError *error) {
    MeshContext context = Counting(mesh);
    RpStatus status = RP_OK;
    if (material > UINT16_MAX)
        status = RpError_Set(error, RP_INVALID, RP_NOWHERE, "a material handle is too large", "",
                             "0 to 65535", "more");
    if (status == RP_OK)
        status = Mesh_Merge(&context, &mesh->mesh, &model->reader, part, piece, material, error);
    if (status == RP_OK)
        UpdateBounds(&context, &mesh->mesh);
    return status;
}

RpStatus RpMeshObject_Detach(RpMeshObject *mesh, uint32_t part, RpError *error) {
    MeshContext context = Counting(mesh);
    if (part == 0)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the root cannot be taken off", "part 0",
                           "a part that was attached", "part 0");
    if (!Mesh_RemovePart(&context, &mesh->mesh, part, NULL))
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "no piece has this part's number", "",
                           "a part that was attached, and has pieces", "another");
    UpdateBounds(&context, &mesh->mesh);
    return RP_OK;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

uint32_t RpMeshObject_PieceCount(const RpMeshObject *mesh) {
    return mesh->mesh.piece_count;
}

bool RpMeshObject_Piece(const RpMeshObject *mesh, int32_t piece, RpMeshPiece *description) {
    const Piece *from = Mesh_Piece(&mesh->mesh, piece);
    memset(description, 0, sizeof *description);
    if (!from)
        return false;
    *description =
        (RpMeshPiece){.part = from->tag,
                      .node = from->node,
                      .parent = from->parent,
                      .flags = from->flags,
                      .material = from->material_base >> 16,
                      .stage = from->variant,
                      .model = MeshObject_ModelOf((const Reader *)(const void *)from->reader)};
    return true;
}

int32_t RpMeshObject_FirstPieceOfPart(const RpMeshObject *mesh, uint32_t part) {
    return Mesh_FirstPieceOfPart(&mesh->mesh, part);
}

/* ---- state ----------------------------------------------------------------------------------- */

void RpMeshObject_SetFrames(RpMeshObject *mesh, int32_t a_first, int32_t a_last, int32_t b_first,
                            int32_t b_last) {
    const int32_t pairs[4] = {a_first, a_last, b_first, b_last};
    Mesh_SetFramePairs(&mesh->mesh, pairs);
}

/* Returns whether a new weight differs from the former one. A pose that was made with another
 * weight is never kept, whatever the reading `pose-cache` says of the game. */
static bool Differs(float weight, const float *former) {
    return memcmp(&weight, former, sizeof weight) != 0;
}

void RpMeshObject_SetPhase(RpMeshObject *mesh, float phase, float weight) {
    MeshContext context = Counting(mesh);
    if (Differs(weight, &mesh->mesh.weight))
        Mesh_ClearPoseCache(&mesh->mesh);
    Mesh_SetPhase(&context, &mesh->mesh, &phase, &weight);
}

void RpMeshObject_SetPieceFrames(RpMeshObject *mesh, int32_t piece, int32_t a_first, int32_t a_last,
                                 int32_t b_first, int32_t b_last) {
    const int32_t pairs[4] = {a_first, a_last, b_first, b_last};
    Mesh_SetNodeFramePairs(&mesh->mesh, piece, pairs);
}

void RpMeshObject_SetPiecePhase(RpMeshObject *mesh, int32_t piece, float phase, float weight) {
    MeshContext context = Counting(mesh);
    Piece *changed = Mesh_Piece(&mesh->mesh, piece);
    if (changed && Differs(weight, &changed->weight))
        changed->cache_valid = 0;
    Mesh_SetNodePhase(&context, &mesh->mesh, piece, &phase, &weight);
}

/* A caller may change only these flags. The others belong to the object: one of them says where a
 * part begins. */
static const uint32_t own_flags =
    RP_MESH_HIDDEN | RP_MESH_FLYING | RP_MESH_OWN_SEGMENT | RP_MESH_TILTED;

void RpMeshObject_ChangeFlags(RpMeshObject *mesh, int32_t piece, uint32_t flags, bool set,
                              bool subtree) {
    uint32_t operation =
        (set ? 0u : MESH_OPERATION_CLEAR) | (subtree ? MESH_OPERATION_SUBTREE : 0u);
    Mesh_ChangeNodeFlags(&mesh->mesh, piece, flags & own_flags, operation);
}

void RpMeshObject_SetStage(RpMeshObject *mesh, int32_t piece, int32_t stage) {
    if (stage >= 0 && stage <= 2)
        Mesh_SetNodeStage(&mesh->mesh, piece, stage);
}

void RpMeshObject_SetPlacement(RpMeshObject *mesh, const float placement[16]) {
    memcpy(mesh->mesh.placement, placement, sizeof mesh->mesh.placement);
}

void RpMeshObject_SetScale(RpMeshObject *mesh, const float scale[3]) {
    MeshContext context = Counting(mesh);
    const ArithmeticScope scope = Arithmetic_Enter(context.arithmetic);
    Mesh_SetScale(&context, &mesh->mesh, scale);
    Arithmetic_Leave(scope);
    /* The bounds are computed from the headers of the parts, not from the bounds that the object
     * had before. */
    UpdateBounds(&context, &mesh->mesh);
}

void RpMeshObject_SetPieceMatrix(RpMeshObject *mesh, int32_t piece, const float world[16]) {
    Mesh_SetNodeMatrix(&mesh->mesh, piece, world);
}

void RpMeshObject_Tilt(RpMeshObject *mesh, int32_t piece, const float *from, const float *to) {
    MeshContext context = Counting(mesh);
    const ArithmeticScope scope = Arithmetic_Enter(context.arithmetic);
    Mesh_TiltNode(&context, &mesh->mesh, piece, from, to);
    Arithmetic_Leave(scope);
}

/* ---- posing ---------------------------------------------------------------------------------- */

void RpMeshObject_Pose(RpMeshObject *mesh) {
    MeshContext context = Counting(mesh);
    const ArithmeticScope scope = Arithmetic_Enter(context.arithmetic);
    Mesh_Pose(&context, &mesh->mesh);
    Arithmetic_Leave(scope);
}

const float *RpMeshObject_Matrix(const RpMeshObject *mesh, int32_t piece, RpMeshSpace space) {
    const Piece *from = Mesh_Piece(&mesh->mesh, piece);
    if (!from)
        return NULL;
    switch (space) {
    case RP_MESH_LOCAL:
        return from->local;
    case RP_MESH_MODEL:
        return from->model;
    case RP_MESH_WORLD:
        return from->world;
    }
    return NULL;
}

void RpMeshObject_Counters(const RpMeshObject *mesh, RpPoseCounters *counters) {
    *counters = mesh->counters;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static uint32_t ModeOf(RpMeshSpace space) {
    switch (space) {
    case RP_MESH_MODEL:
        return SPACE_MODEL;
    case RP_MESH_WORLD:
        return SPACE_WORLD;
    default:
        return SPACE_NODE;
    }
}

static JointRequest RequestFor(bool subtree) {
    return (JointRequest){.single = !subtree};
}

/* Removes the `const`. The functions that measure only read the mesh, but their parameter is not
 * constant, because the original's counterparts may compute poses. */
static Mesh *Read(const RpMeshObject *mesh) {
    return (Mesh *)(uintptr_t)&mesh->mesh;
}

void RpMeshObject_Box(const RpMeshObject *mesh, int32_t piece, RpMeshSpace space, bool subtree,
                      float corners[8][3]) {
    MeshContext context = MeshApi_Context(mesh, NULL);
    JointRequest request = RequestFor(subtree);
    const ArithmeticScope scope = Arithmetic_Enter(context.arithmetic);
    Mesh_Box(&context, Read(mesh), piece, ModeOf(space), &request, corners[0]);
    Arithmetic_Leave(scope);
}

void RpMeshObject_Sphere(const RpMeshObject *mesh, int32_t piece, RpMeshSpace space, bool subtree,
                         float sphere[4]) {
    MeshContext context = MeshApi_Context(mesh, NULL);
    JointRequest request = RequestFor(subtree);
    const ArithmeticScope scope = Arithmetic_Enter(context.arithmetic);
    Mesh_Sphere(&context, Read(mesh), piece, ModeOf(space), &request, sphere);
    Arithmetic_Leave(scope);
}

void RpMeshObject_NodeCapsule(const RpMeshObject *mesh, int32_t piece, RpMeshSpace space,
                              bool subtree, float capsule[7]) {
    MeshContext context = MeshApi_Context(mesh, NULL);
    JointRequest request = RequestFor(subtree);
    const ArithmeticScope scope = Arithmetic_Enter(context.arithmetic);
    Mesh_NodeCapsule(&context, Read(mesh), piece, ModeOf(space), &request, capsule);
    Arithmetic_Leave(scope);
}

void RpMeshObject_UpdateBounds(RpMeshObject *mesh) {
    MeshContext context = Counting(mesh);
    UpdateBounds(&context, &mesh->mesh);
}

void RpMeshObject_Bounds(const RpMeshObject *mesh, RpMeshBounds *bounds) {
    const Mesh *from = &mesh->mesh;
    memcpy(bounds->corners, from->box, sizeof bounds->corners);
    memcpy(bounds->agent_sphere, from->agent_centre, sizeof from->agent_centre);
    memcpy(&bounds->agent_sphere[3], &from->agent_radius, sizeof from->agent_radius);
    memcpy(bounds->node_sphere, from->node_centre, sizeof from->node_centre);
    memcpy(&bounds->node_sphere[3], &from->node_radius, sizeof from->node_radius);
    memcpy(bounds->capsule, from->capsule, sizeof bounds->capsule);
}
