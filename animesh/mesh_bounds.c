/* Computes boxes, spheres and capsules of a mesh and of its pieces (facts/animesh.md E.11, E.12),
 * in the order of operations of docs/reference/arithmetic.md, "The mesh object". */
#include "animesh/column.h"
#include "animesh/mesh.h"
#include "animesh/vector.h"
#include "ngi32/exact/points.h"

#include <string.h>

enum { CORNERS = 8, POINT_BYTES = 3 * sizeof(float) };
enum { CENTRE = 0, RADIUS = 3 };                   /* places of the members of a sphere */
enum { END_A = 0, END_B = 3, CAPSULE_RADIUS = 6 }; /* places of the members of a capsule */

static const float half = 0.5f, one = 1.0f, nothing = 0.0f;

/* ---- numbers --------------------------------------------------------------------------------- */

static void Multiply(float *number, const float *factor) {
    X87_Store(X87_Mul(X87_Load(number), X87_Load(factor)), number);
}

static void Middle(const float a[3], const float b[3], float middle[3]) {
    for (int i = 0; i < 3; i++)
        X87_Store(X87_Mul(X87_Add(X87_Load(&a[i]), X87_Load(&b[i])), X87_Load(&half)), &middle[i]);
}

static X87 Distance(const float a[3], const float b[3]) {
    float d[3];
    Vector_Difference(a, b, d);
    return X87_Sqrt(Vector_Dot(d, d));
}

void Bounds_Transform(const float matrix[16], const float point[3], float result[3]) {
    float sum[3];
    for (int i = 0; i < 3; i++)
        X87_Store(X87_Add(Vector_Dot(matrix + 4 * i, point), X87_Load(&matrix[4 * i + 3])),
                  &sum[i]);
    memcpy(result, sum, sizeof sum);
}

void Bounds_Turn(const float matrix[16], const float vector[3], float result[3]) {
    float sum[3];
    for (int i = 0; i < 3; i++)
        X87_Store(Vector_Dot(matrix + 4 * i, vector), &sum[i]);
    memcpy(result, sum, sizeof sum);
}

/* Transforms points by a matrix. A null matrix leaves them as they are. */
static void Place(const float *matrix, float *points, int count) {
    if (!matrix || Exact_MovePoints(matrix, points, count))
        return;
    for (int i = 0; i < count; i++)
        Bounds_Transform(matrix, points + 3 * i, points + 3 * i);
}

/* ---- scale ----------------------------------------------------------------------------------- */

static void Stretch(const float scale[3], float *points, int count) {
    for (int i = 0; i < 3 * count; i++)
        Multiply(&points[i], &scale[i % 3]);
}

/* Scales a sphere. It remains a sphere, because its radius takes the largest of the three
 * factors. */
static void StretchSphere(const float scale[3], float centre[3], float *radius) {
    Stretch(scale, centre, 1);
    Multiply(radius, Vector_Largest(scale));
}

static void StretchCapsule(const float scale[3], float capsule[7]) {
    Stretch(scale, capsule, 2);
    Multiply(&capsule[CAPSULE_RADIUS], Vector_Largest(scale));
}

/* ---- boxes ----------------------------------------------------------------------------------- */

void Bounds_FillCorners(const float low[3], const float high[3], float corners[24]) {
    static const uint8_t greatest[CORNERS] = {0, 1, 3, 2, 6, 4, 5, 7}; /* axes: x 1, y 2, z 4 */
    uint32_t ends[2][3], filled[3 * CORNERS]; /* bits, because the x87 could change a NaN */
    memcpy(ends[0], low, sizeof ends[0]);
    memcpy(ends[1], high, sizeof ends[1]);
    for (int corner = 0; corner < CORNERS; corner++)
        for (int axis = 0; axis < 3; axis++)
            filled[3 * corner + axis] = ends[greatest[corner] >> axis & 1][axis];
    memcpy(corners, filled, sizeof filled);
}

typedef struct Extent {
    bool any;
    float low[3], high[3];
} Extent;

static void AddToExtent(Extent *extent, const float *points, int count) {
    if (!extent->any) {
        memcpy(extent->low, points, POINT_BYTES);
        memcpy(extent->high, points, POINT_BYTES);
        extent->any = true;
    }
    for (int i = 0; i < 3 * count; i++) {
        if (Number_Less(points[i], extent->low[i % 3]))
            memcpy(&extent->low[i % 3], &points[i], sizeof *points);
        if (Number_Less(extent->high[i % 3], points[i]))
            memcpy(&extent->high[i % 3], &points[i], sizeof *points);
    }
}

static bool CurrentSlot(const MeshContext *context, const Piece *piece, MeshSlot *slot) {
    return Mesh_FindSlot(context, piece, 0, -1, slot);
}

static void OriginOf(const float *matrix, float point[3]) {
    if (matrix)
        Matrix_GetColumn(matrix, TRANSLATION_COLUMN, point);
    else
        memset(point, 0, POINT_BYTES);
}

/* Writes the corners of a piece's box. If the piece has no slot, it has no box: all eight corners
 * are then its origin, and the function returns false. */
static bool PieceBox(const MeshContext *context, const Mesh *mesh, const Piece *piece,
                     uint32_t mode, float corners[24]) {
    const float *matrix = Piece_Matrix(piece, mode);
    MeshSlot slot;
    if (!CurrentSlot(context, piece, &slot)) {
        for (int i = 0; i < CORNERS; i++)
            OriginOf(matrix, corners + 3 * i);
        return false;
    }
    if (mesh->scaled) {
        Stretch(mesh->scale, slot.low, 1);
        Stretch(mesh->scale, slot.high, 1);
    }
    Bounds_FillCorners(slot.low, slot.high, corners);
    Place(matrix, corners, CORNERS);
    return true;
}

static uint16_t NodeFlagsOf(const MeshContext *context, const Piece *piece) {
    MeshModel scratch;
    const MeshModel *model = Mesh_ModelOf(context, piece, &scratch);
    uint16_t flags;
    return model && MeshModel_NodeFlags(model, piece->node, &flags) ? flags : 0;
}

/* Visits the pieces below one piece for a joint request: depth first, in the order of their
 * indices. This ends, because only children that come after their parents are visited. */
typedef struct Descent {
    const MeshContext *context;
    const Mesh *mesh;
    const JointRequest *request;
    uint32_t mode;
    int32_t top, current;
} Descent;

/* Returns the first child of `parent` with an index above `after` that satisfies the request, or
 * -1. */
static int32_t NextChild(const Descent *descent, int32_t parent, int32_t after) {
    for (uint32_t i = (uint32_t)after + 1; i < descent->mesh->piece_count; i++) {
        const Piece *piece = Mesh_Piece(descent->mesh, (int32_t)i);
        if (piece->parent != parent)
            continue;
        const uint16_t flags = NodeFlagsOf(descent->context, piece);
        if ((flags & descent->request->required) == descent->request->required &&
            (flags & descent->request->excluded) == 0)
            return (int32_t)i;
    }
    return -1;
}

static const Piece *NextInDescent(Descent *descent) {
    int32_t current = descent->current;
    const uint32_t ends =
        descent->mode == SPACE_MODEL ? NODE_FLAG_LEAF | NODE_FLAG_NO_RECURSION : NODE_FLAG_LEAF;
    const uint16_t flags = NodeFlagsOf(descent->context, Mesh_Piece(descent->mesh, current));
    int32_t next = flags & ends ? -1 : NextChild(descent, current, current);
    while (next < 0 && current != descent->top) {
        int32_t parent = Mesh_Piece(descent->mesh, current)->parent;
        next = NextChild(descent, parent, current);
        current = parent;
    }
    descent->current = next;
    return Mesh_Piece(descent->mesh, next);
}

/* ---- joint requests -------------------------------------------------------------------------- */

static const JointRequest all_zero;

static bool IsForOnePiece(uint32_t mode, const JointRequest *request) {
    return request->single == 1 || (mode != SPACE_MODEL && mode != SPACE_WORLD);
}

static const float *PlacementOf(const Mesh *mesh, uint32_t mode) {
    return mode == SPACE_WORLD ? mesh->placement : NULL;
}

void Mesh_Box(const MeshContext *context, Mesh *mesh, int32_t node, uint32_t mode,
              const JointRequest *request, float corners[24]) {
    const Piece *piece = Mesh_Piece(mesh, node);
    if (!request)
        request = &all_zero;
    if (!piece) {
        memset(corners, 0, sizeof mesh->box);
    } else if (IsForOnePiece(mode, request)) {
        PieceBox(context, mesh, piece, mode, corners);
    } else if (node == 0) {
        memcpy(corners, mesh->box, sizeof mesh->box);
        Place(PlacementOf(mesh, mode), corners, CORNERS);
    } else {
        Descent descent = {context, mesh, request, mode, node, node};
        PieceBox(context, mesh, piece, mode, corners);
        Extent extent = {.any = false};
        AddToExtent(&extent, corners, CORNERS);
        bool alone = true;
        while ((piece = NextInDescent(&descent)) != NULL) {
            float below[3 * CORNERS];
            PieceBox(context, mesh, piece, mode, below);
            AddToExtent(&extent, below, CORNERS);
            alone = false;
        }
        if (!alone)
            Bounds_FillCorners(extent.low, extent.high, corners);
    }
}

/* Makes the sphere around a box, whose diameter is the box's diagonal. */
static void SphereOfBox(const float corners[24], float sphere[4]) {
    const float *first = corners, *last = corners + 3 * (CORNERS - 1);
    Middle(first, last, &sphere[CENTRE]);
    X87_Store(X87_Mul(Distance(last, first), X87_Load(&half)), &sphere[RADIUS]);
}

static void ObjectSphere(const Mesh *mesh, const float centre[3], const float *radius,
                         uint32_t mode, float sphere[4]) {
    memcpy(&sphere[CENTRE], centre, POINT_BYTES);
    memcpy(&sphere[RADIUS], radius, sizeof *radius);
    Place(PlacementOf(mesh, mode), &sphere[CENTRE], 1);
}

void Mesh_Sphere(const MeshContext *context, Mesh *mesh, int32_t node, uint32_t mode,
                 const JointRequest *request, float sphere[4]) {
    const Piece *piece = Mesh_Piece(mesh, node);
    if (!request)
        request = &all_zero;
    if (!piece) {
        memset(sphere, 0, 4 * sizeof *sphere);
    } else if (IsForOnePiece(mode, request)) {
        const float *matrix = Piece_Matrix(piece, mode);
        MeshSlot slot;
        if (CurrentSlot(context, piece, &slot)) {
            memcpy(sphere, slot.sphere, sizeof slot.sphere);
            if (mesh->scaled)
                StretchSphere(mesh->scale, &sphere[CENTRE], &sphere[RADIUS]);
            Place(matrix, &sphere[CENTRE], 1);
        } else {
            OriginOf(matrix, &sphere[CENTRE]);
            memcpy(&sphere[RADIUS], &nothing, sizeof nothing);
        }
    } else if (node == 0 && memcmp(request, &all_zero, sizeof all_zero) == 0) {
        ObjectSphere(mesh, mesh->node_centre, &mesh->node_radius, mode, sphere);
    } else if (node == 0) {
        ObjectSphere(mesh, mesh->agent_centre, &mesh->agent_radius, mode, sphere);
    } else {
        float corners[3 * CORNERS];
        Mesh_Box(context, mesh, node, mode, request, corners);
        SphereOfBox(corners, sphere);
    }
}

/* Makes the capsule of a box. It runs along the box's longest edges, between the middles of the two
 * faces at their ends. */
static void CapsuleOfBox(const float corners[24], float capsule[7]) {
    static const struct Faces {
        uint8_t end_a[2], end_b[2]; /* two opposite corners of each face */
    } along[3] = {{{1, 7}, {0, 4}}, {{3, 7}, {0, 6}}, {{5, 7}, {0, 2}}};
    const float *last = corners + 3 * (CORNERS - 1);
    float edge[3];
    Vector_Difference(last, corners, edge);
    int axis;
    if (!Number_Less(edge[2], edge[0]) && !Number_Less(edge[2], edge[1]))
        axis = 2;
    else
        axis = Number_Less(edge[0], edge[1]) ? 1 : 0;
    const struct Faces *faces = &along[axis];
    Middle(corners + 3 * faces->end_a[0], corners + 3 * faces->end_a[1], &capsule[END_A]);
    Middle(corners + 3 * faces->end_b[0], corners + 3 * faces->end_b[1], &capsule[END_B]);
    X87_Store(Distance(&capsule[END_A], last), &capsule[CAPSULE_RADIUS]);
}

void Mesh_NodeCapsule(const MeshContext *context, Mesh *mesh, int32_t node, uint32_t mode,
                      const JointRequest *request, float capsule[7]) {
    float corners[3 * CORNERS];
    Mesh_Box(context, mesh, node, mode, request, corners);
    CapsuleOfBox(corners, capsule);
}

/* ---- the object's own ------------------------------------------------------------------------ */

void Mesh_AgentSphere(const Mesh *mesh, uint32_t mode, float centre[3], float *radius) {
    memcpy(centre, mesh->agent_centre, POINT_BYTES);
    memcpy(radius, &mesh->agent_radius, sizeof *radius);
    Place(PlacementOf(mesh, mode), centre, 1);
}

void Mesh_Capsule(const Mesh *mesh, uint32_t mode, float capsule[7]) {
    memcpy(capsule, mesh->capsule, sizeof mesh->capsule);
    Place(PlacementOf(mesh, mode), capsule, 2);
}

void Mesh_Scale(const Mesh *mesh, float scale[3]) {
    memcpy(scale, mesh->scale, sizeof mesh->scale);
}

static bool IsOne(const float *number) {
    return X87_Equal(X87_Load(number), X87_Load(&one));
}

void Mesh_SetScale(const MeshContext *context, Mesh *mesh, const float scale[3]) {
    memcpy(mesh->scale, scale, sizeof mesh->scale);
    mesh->scaled = !IsOne(&mesh->scale[0]) || !IsOne(&mesh->scale[1]) || !IsOne(&mesh->scale[2]);
    Mesh_ClearPoseCache(mesh);
    Mesh_Pose(context, mesh);
    Stretch(mesh->scale, mesh->box, CORNERS);
    Stretch(mesh->scale, mesh->box_b, CORNERS);
    StretchSphere(mesh->scale, mesh->agent_centre, &mesh->agent_radius);
    StretchSphere(mesh->scale, mesh->node_centre, &mesh->node_radius);
    StretchCapsule(mesh->scale, mesh->capsule);
}

/* ---- joined spheres -------------------------------------------------------------------------- */

/* Writes the sphere of a piece, or returns false if the piece does not take part in the join. */
typedef bool SphereOfPiece(const MeshContext *context, const Mesh *mesh, uint32_t index,
                           float sphere[4]);

static void JoinSpheres(const MeshContext *context, const Mesh *mesh, SphereOfPiece *sphere_of,
                        float centre[3], float *radius) {
    memset(centre, 0, POINT_BYTES);
    memcpy(radius, &nothing, sizeof nothing);

    /* The centre is the mean of the spheres' centres, weighted by their radii, unless these add up
     * to 0. */
    X87 sum[3], weight = X87_Load(&nothing);
    for (int i = 0; i < 3; i++)
        sum[i] = X87_Load(&nothing);
    for (uint32_t index = 0; index < mesh->piece_count; index++) {
        float sphere[4];
        if (!sphere_of(context, mesh, index, sphere))
            continue;
        const X87 share = X87_Load(&sphere[RADIUS]);
        for (int i = 0; i < 3; i++)
            sum[i] = X87_Add(sum[i], X87_Mul(X87_Load(&sphere[CENTRE + i]), share));
        weight = X87_Add(weight, share);
    }
    if (X87_Equal(weight, X87_Load(&nothing)))
        return;
    for (int i = 0; i < 3; i++)
        X87_Store(X87_Div(sum[i], weight), &centre[i]);

    for (uint32_t index = 0; index < mesh->piece_count; index++) {
        float sphere[4], reach;
        if (!sphere_of(context, mesh, index, sphere))
            continue;
        X87_Store(X87_Add(Distance(&sphere[CENTRE], centre), X87_Load(&sphere[RADIUS])), &reach);
        if (Number_Less(*radius, reach))
            memcpy(radius, &reach, sizeof reach);
    }
}

/* ---- bounds of the parts --------------------------------------------------------------------- */

/* Reads the header of the part that begins at a piece. It is scaled in the part's own space, as all
 * geometry is (E.7), because the translation of the matrix that places the part is scaled
 * already. */
static bool PartHeader(const MeshContext *context, const Mesh *mesh, const Piece *piece,
                       MeshHeader *header) {
    MeshModel scratch;
    const MeshModel *model =
        piece->flags & PIECE_FIRST_OF_PART ? Mesh_ModelOf(context, piece, &scratch) : NULL;
    if (!model || !MeshModel_Header(model, header))
        return false;
    if (mesh->scaled) {
        Stretch(mesh->scale, header->corners, CORNERS);
        StretchSphere(mesh->scale, &header->sphere[CENTRE], &header->sphere[RADIUS]);
        StretchCapsule(mesh->scale, header->capsule);
    }
    return true;
}

/* Returns the matrix of the piece that a part hangs on, or null for the root, whose header is in
 * model space already. */
static const float *PartMatrix(const Mesh *mesh, const Piece *piece) {
    const Piece *parent = piece->tag != 0 ? Mesh_Piece(mesh, piece->parent) : NULL;
    return parent ? parent->model : NULL;
}

static bool PartSphere(const MeshContext *context, const Mesh *mesh, uint32_t index,
                       float sphere[4]) {
    const Piece *piece = Mesh_Piece(mesh, (int32_t)index);
    MeshHeader header;
    if (!PartHeader(context, mesh, piece, &header))
        return false;
    memcpy(sphere, header.sphere, sizeof header.sphere);
    Place(PartMatrix(mesh, piece), &sphere[CENTRE], 1);
    return true;
}

/* ---- bounds of the nodes --------------------------------------------------------------------- */

/* Writes the sphere of a piece that is on the outside of the model. Node 0 is left out, as in the
 * original, which asks for it while its sums are still empty. */
static bool OutsideSphere(const MeshContext *context, const Mesh *mesh, uint32_t index,
                          float sphere[4]) {
    const Piece *piece = Mesh_Piece(mesh, (int32_t)index);
    if (index == 0 || NodeFlagsOf(context, piece) & NODE_FLAG_INTERIOR)
        return false;
    float corners[3 * CORNERS];
    if (PieceBox(context, mesh, piece, SPACE_MODEL, corners)) {
        SphereOfBox(corners, sphere);
    } else {
        memcpy(&sphere[CENTRE], corners, POINT_BYTES);
        memcpy(&sphere[RADIUS], &nothing, sizeof nothing);
    }
    return true;
}

void Mesh_UpdateBounds(const MeshContext *context, Mesh *mesh) {
    Mesh_Pose(context, mesh);
    MeshHeader first, header;
    uint32_t parts = 0;
    for (uint32_t i = 0; i < mesh->piece_count; i++)
        if (PartHeader(context, mesh, Mesh_Piece(mesh, (int32_t)i), parts ? &header : &first))
            parts++;
    if (parts == 1) {
        memcpy(mesh->box, first.corners, sizeof mesh->box);
        memcpy(mesh->agent_centre, &first.sphere[CENTRE], POINT_BYTES);
        memcpy(&mesh->agent_radius, &first.sphere[RADIUS], sizeof mesh->agent_radius);
        memcpy(mesh->capsule, first.capsule, sizeof mesh->capsule);
    } else if (parts > 1) {
        Extent extent = {.any = false};
        for (uint32_t i = 0; i < mesh->piece_count; i++) {
            const Piece *piece = Mesh_Piece(mesh, (int32_t)i);
            if (!PartHeader(context, mesh, piece, &header))
                continue;
            Place(PartMatrix(mesh, piece), header.corners, CORNERS);
            AddToExtent(&extent, header.corners, CORNERS);
        }
        Bounds_FillCorners(extent.low, extent.high, mesh->box);
        JoinSpheres(context, mesh, PartSphere, mesh->agent_centre, &mesh->agent_radius);
        CapsuleOfBox(mesh->box, mesh->capsule);
    }
    if (parts > 0)
        memcpy(mesh->box_b, mesh->box, sizeof mesh->box);
    JoinSpheres(context, mesh, OutsideSphere, mesh->node_centre, &mesh->node_radius);
}
