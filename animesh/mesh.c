/* Merges models into the mesh object of animesh/layout.h and removes parts from it; also has its
 * getters and setters (facts/animesh.md C.4, C.5, E.2, E.8, E.9). */
#include "animesh/mesh.h"

#include "animesh/column.h"
#include "animesh/streams.h"
#include "core/text.h"
#include "ngi32/processor/x87.h"
#include "ngi32/reading.h"

#include <string.h>

void Mesh_CountOutside(const MeshContext *context) {
    if (context->counters)
        context->counters->out_of_bounds++;
}

static void CopyFloat(float *to, const float *from) {
    memcpy(to, from, sizeof *to);
}

static Piece *PiecesOf(const Mesh *mesh) {
    return (Piece *)(uintptr_t)mesh->pieces;
}

static const Reader *ReaderOf(const Piece *piece) {
    return (const Reader *)(const void *)piece->reader;
}

/* ---- made, freed ----------------------------------------------------------------------------- */

void Mesh_Init(Mesh *mesh) {
    static const float life_colour[4] = {0.5f, 0.0f, 0.0f, 1.0f}; /* 0x10006B7A */
    static const float life_step[4] = {-0.5f, 0.5f, 0.0f, 0.0f};
    const size_t vtables = offsetof(Mesh, unknown_018);
    memset((char *)mesh + vtables, 0, sizeof *mesh - vtables);
    for (int i = 0; i < 3; i++)
        mesh->scale[i] = 1.0f;
    Matrix_SetIdentity(mesh->placement);
    mesh->worn_handle = UINT32_MAX;
    memcpy(mesh->life_colour, life_colour, sizeof life_colour);
    memcpy(mesh->life_step, life_step, sizeof life_step);
}

void Mesh_Free(const MeshContext *context, Mesh *mesh) {
    RpMemory_Free(context->allocator, PiecesOf(mesh));
    RpMemory_Free(context->allocator, (void *)mesh->views);
    mesh->pieces = NULL;
    mesh->piece_count = 0;
    mesh->views = 0;
}

/* ---- merging: what is refused ---------------------------------------------------------------- */

typedef struct Merge {
    const Reader *reader;
    const MeshModel *model;
    uint32_t part, material;
    int32_t attach;
    uint32_t first;      /* index of the part's first piece */
    uint32_t count;      /* number of the part's pieces */
    uint32_t first_node; /* 1 if `attach` takes the place of node 0, otherwise 0 */
} Merge;

/* Reports that a model cannot be merged. `found` is the text before `number`; `element` may be null
 * if the fault has no place. */
static RpStatus Refuse(RpError *error, RpStatus status, const char *what, const char *element,
                       uint64_t index, const char *expected, const char *found, uint64_t number) {
    char where[64], value[64];
    Text place = Text_Begin(where, sizeof where), text = Text_Begin(value, sizeof value);
    if (element) {
        Text_Append(&place, element);
        Text_Append(&place, " ");
        Text_AppendDecimal(&place, index);
    }
    Text_Append(&text, found);
    Text_AppendDecimal(&text, number);
    return RpError_Set(error, status, RP_NOWHERE, what, where, expected, value);
}

static RpStatus CheckPlace(const Mesh *mesh, const Merge *merge, RpError *error) {
    if (Mesh_PieceCountOfPart(mesh, merge->part))
        return Refuse(error, RP_INVALID, "a part is there already", "part", merge->part,
                      "a number that no part has", "part ", merge->part);
    if (merge->part && !Mesh_Piece(mesh, merge->attach))
        return Refuse(error, RP_INVALID, "a part has no piece to hang on", "part", merge->part,
                      "a piece of the object", merge->attach < 0 ? "piece -" : "piece ",
                      merge->attach < 0 ? 0 - (uint64_t)merge->attach : (uint64_t)merge->attach);
    if (merge->count > MESH_MAX_PIECES || mesh->piece_count > MESH_MAX_PIECES - merge->count)
        return Refuse(error, RP_INVALID, "an object has too many pieces", "part", merge->part,
                      "at most 8192 pieces", "", (uint64_t)mesh->piece_count + merge->count);
    return RP_OK;
}

static RpStatus CheckTree(const Mesh *mesh, const Merge *merge, RpError *error) {
    uint32_t nodes = MeshModel_NodeCount(merge->model);
    /* Node 0 of a part that is attached gets no piece of its own: `attach` takes its place. The
     * count of generations stops at MESH_MAX_DEPTH, because every deeper tree is refused for the
     * same reason. */
    uint32_t above = 0;
    if (merge->part) {
        const Piece *piece = Mesh_Piece(mesh, merge->attach);
        for (; piece && above < MESH_MAX_DEPTH; above++)
            piece = Mesh_Piece(mesh, piece->parent);
        above--;
    }
    for (uint32_t node = 0; node < nodes; node++) {
        uint32_t depth = above;
        int32_t parent;
        MeshModel_Parent(merge->model, node, &parent);
        if (parent >= 0 && (uint32_t)parent >= node)
            return Refuse(error, RP_CORRUPT, "a node does not follow its parent", "Res1 node", node,
                          "a parent before it, or none", "node ", (uint64_t)parent);
        for (int32_t up = (int32_t)node; up >= 0 && depth <= MESH_MAX_DEPTH; depth++)
            MeshModel_Parent(merge->model, (uint32_t)up, &up);
        if (depth > MESH_MAX_DEPTH)
            return Refuse(error, RP_UNSUPPORTED, "the tree is too deep", "Res1 node", node,
                          "at most 1024 generations", "at least ", MESH_MAX_DEPTH + 1);
    }
    return RP_OK;
}

/* ---- merging: pieces ------------------------------------------------------------------------- */

static bool SameBytes(const char *a, const char *b, uint32_t length) {
    return memcmp(a, b, length) == 0;
}

/* Returns whether the text of the socket hides what is attached to it. Reading `central` decides
 * whether the text must contain the word or equal it. */
static bool IsCentral(const MeshContext *context, const Piece *socket) {
    static const char word[] = "central";
    const uint32_t size = sizeof word - 1;
    uint32_t length = 0;
    MeshModel scratch;
    const MeshModel *model = Mesh_ModelOf(context, socket, &scratch);
    const char *text = model ? MeshModel_Text(model, socket->node, &length) : NULL;
    if (Reading_IsAlternative(context->arithmetic, READING_CENTRAL))
        return length == size && SameBytes(text, word, size);
    for (uint32_t i = 0; i + size <= length; i++)
        if (SameBytes(text + i, word, size))
            return true;
    return false;
}

void Piece_Init(Piece *piece, uint32_t part) {
    piece->tag = part;
    piece->flags = 0;
}

/* Returns false if memory is short. The old block of pieces is kept in that case, which is good
 * enough for a mesh that was to shrink. */
static bool ResizePieces(const MeshContext *context, Mesh *mesh, uint32_t count) {
    void *pieces = RpMemory_Resize(context->allocator, PiecesOf(mesh), count * sizeof(Piece));
    if (!pieces && count)
        return false;
    mesh->pieces = pieces;
    return true;
}

RpStatus Mesh_Merge(const MeshContext *context, Mesh *mesh, const Reader *reader, uint32_t part,
                    int32_t attach, uint32_t material, RpError *error) {
    MeshModel scratch;
    const MeshModel *model = context->find(context, reader, &scratch);
    if (!model->bounded)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                           "nobody knows how large the model's streams are", "",
                           "a model with sizes", "");
    if (MeshModel_NodeCount(model) == 0)
        return RpError_Set(error, RP_CORRUPT, RP_NOWHERE, "a model has no nodes", "Res1, nodes",
                           "at least one", "none");
    uint32_t first_node = part ? 1 : 0;
    Merge merge = {.reader = reader,
                   .model = model,
                   .part = part,
                   .material = material,
                   .attach = attach,
                   .first = mesh->piece_count,
                   .count = MeshModel_NodeCount(model) - first_node,
                   .first_node = first_node};
    RpStatus status = CheckPlace(mesh, &merge, error);
    if (status == RP_OK)
        status = CheckTree(mesh, &merge, error);
    if (status != RP_OK || merge.count == 0)
        return status;
    if (!ResizePieces(context, mesh, merge.first + merge.count))
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "out of memory", "pieces", "", "");
    mesh->piece_count += merge.count;

    Piece *pieces = PiecesOf(mesh) + merge.first;
    bool central = merge.part && IsCentral(context, Mesh_Piece(mesh, merge.attach));
    for (uint32_t i = 0; i < merge.count; i++) {
        uint32_t node = merge.first_node + i;
        uint16_t flags;
        Piece *piece = &pieces[i];
        int32_t parent;
        memset(piece, 0, sizeof *piece);
        Piece_Init(piece, merge.part);
        piece->part_base = merge.first;
        piece->node = node;
        piece->material_base = merge.material << 16; /* 0x1000A726 */
        MeshModel_Parent(merge.model, node, &parent);
        if (parent < 0)
            piece->parent = -1;
        else if ((uint32_t)parent < merge.first_node)
            piece->parent = merge.attach;
        else
            piece->parent = (int32_t)merge.first + parent - (int32_t)merge.first_node;
        Matrix_SetIdentity(piece->world);
        Matrix_SetIdentity(piece->model);
        Matrix_SetIdentity(piece->local);
        piece->previous_tilt[0] = 1.0f;
        piece->tilt[0] = 1.0f;
        piece->life = 1.0f;
        piece->reader = (Layout_ref)merge.reader;
        if (central && MeshModel_NodeFlags(model, node, &flags) && (flags & NODE_FLAG_SOCKET_TEXT))
            piece->flags |= PIECE_HIDDEN;
    }
    pieces[0].flags |= PIECE_FIRST_OF_PART;

    if (part == 0) {
        MeshHeader header;
        if (MeshModel_Header(model, &header)) {
            memcpy(mesh->box, header.corners, sizeof mesh->box); /* 0x1000A891 */
            memcpy(mesh->agent_centre, header.sphere, sizeof mesh->agent_centre);
            CopyFloat(&mesh->agent_radius, &header.sphere[3]);
            memcpy(mesh->capsule, header.capsule, sizeof mesh->capsule); /* 0x1000A899 */
        }
    }

    return RP_OK;
}

/* ---- removing -------------------------------------------------------------------------------- */

/* While a part is being removed, `part_base` holds the index that its piece will have afterwards,
 * or REMOVED. */
enum { REMOVED = -1 };

static bool IsRemoved(const Piece *piece) {
    return piece && piece->part_base == (uint32_t)REMOVED;
}

/* Returns the index behind the run of pieces, from `first` on, that have the same tag. */
static uint32_t EndOfPart(const Mesh *mesh, uint32_t first) {
    const Piece *pieces = PiecesOf(mesh);
    uint32_t end = first + 1;
    while (end < mesh->piece_count && pieces[end].tag == pieces[first].tag)
        end++;
    return end;
}

bool Mesh_RemovePart(const MeshContext *context, Mesh *mesh, uint32_t part,
                     void (*left)(const MeshContext *context, const Reader *reader)) {
    if (part == 0 || Mesh_FirstPieceOfPart(mesh, part) < 0)
        return false;

    /* `part_base` becomes the index that each piece will have. A part goes, too, if it hangs on one
     * that goes. */
    Piece *pieces = PiecesOf(mesh);
    uint32_t count = mesh->piece_count, kept = 0;
    for (uint32_t first = 0, end; first < count; first = end) {
        end = EndOfPart(mesh, first);
        bool goes = pieces[first].tag == part;
        for (uint32_t i = first; i < end && !goes; i++)
            goes =
                pieces[i].parent < (int32_t)first && IsRemoved(Mesh_Piece(mesh, pieces[i].parent));
        for (uint32_t i = first; i < end; i++)
            pieces[i].part_base = goes ? (uint32_t)REMOVED : kept++;
    }

    for (uint32_t i = 0; i < count; i++) {
        Piece *piece = &pieces[i];
        const Piece *parent = Mesh_Piece(mesh, piece->parent);
        if (parent)
            piece->parent = (int32_t)parent->part_base;
    }

    /* The pieces that stay move to the front, in their order. The removed ones end up behind
     * them. */
    for (uint32_t i = 0; i < count; i++)
        if (!IsRemoved(&pieces[i]) && pieces[i].part_base != i) {
            Piece *place = &pieces[pieces[i].part_base];
            Piece held = *place;
            *place = pieces[i];
            pieces[i] = held;
        }

    mesh->piece_count = kept;

    for (uint32_t first = 0, end; first < mesh->piece_count; first = end) {
        end = EndOfPart(mesh, first);
        for (uint32_t i = first; i < end; i++)
            pieces[i].part_base = first;
    }

    /* `left` is told once of each reader that only removed pieces used. They lie behind the pieces
     * that stay. */
    for (uint32_t i = kept; left && i < count; i++) {
        const Reader *reader = ReaderOf(&pieces[i]);
        bool told = !reader;
        for (uint32_t k = 0; !told && k < i; k++)
            told = ReaderOf(&pieces[k]) == reader;
        if (!told)
            left(context, reader);
    }
    ResizePieces(context, mesh, kept);
    return true;
}

/* ---- slots, trees ---------------------------------------------------------------------------- */

/* The original's function is 0x100124D0. */
static bool SlotIndex(const MeshContext *context, const MeshModel *model, const Piece *piece,
                      int32_t level, int32_t variant, uint16_t *slot) {
    uint32_t of = (uint32_t)(variant == -1 ? piece->variant : variant);
    if (MeshModel_SlotWord(model, piece->node, (uint32_t)level, of, slot))
        return *slot != NO_INDEX;
    Mesh_CountOutside(context);
    return false;
}

bool Mesh_FindSlot(const MeshContext *context, const Piece *piece, int32_t level, int32_t variant,
                   MeshSlot *slot) {
    MeshModel scratch;
    const MeshModel *model = Mesh_ModelOf(context, piece, &scratch);
    uint16_t index;
    memset(slot, 0, sizeof *slot);
    if (!model || !SlotIndex(context, model, piece, level, variant, &index))
        return false;
    bool inside = MeshModel_Slot(model, index, slot);
    if (!inside)
        Mesh_CountOutside(context);
    return inside;
}

bool Mesh_IsWithin(const Mesh *mesh, int32_t node, int32_t ancestor) {
    if (!Mesh_Piece(mesh, node) || ancestor < 0)
        return false;
    while (node > ancestor) {
        int32_t parent = PiecesOf(mesh)[node].parent;
        if (parent >= node)
            return false;
        node = parent;
    }
    return node == ancestor;
}

/* ---- getters --------------------------------------------------------------------------------- */

/* Returns the bits of a slot's area or volume, multiplied by the first `axes` factors of the
 * scale. */
static uint32_t ScaledMeasure(const Mesh *mesh, const float *measure, int axes) {
    X87 value = X87_Load(measure);
    for (int i = 0; i < axes; i++)
        value = X87_Mul(value, X87_Load(&mesh->scale[i]));
    float stored;
    uint32_t bits;
    X87_Store(value, &stored);
    memcpy(&bits, &stored, sizeof bits);
    return bits;
}

bool Mesh_QueryNode(const MeshContext *context, const Mesh *mesh, int32_t node, uint32_t id,
                    uint32_t *answer) {
    const Piece *piece = Mesh_Piece(mesh, node);
    if (!piece)
        return false;
    switch (id) { /* 0x100052FC */
    case 0xA:
        *answer = piece->flags;
        return true;
    case 0xD:
        *answer = (uint32_t)piece->parent;
        return true;
    case 0xE: {
        MeshModel scratch;
        const MeshModel *model = Mesh_ModelOf(context, piece, &scratch);
        uint16_t flags = 0;
        if (model && !MeshModel_NodeFlags(model, piece->node, &flags))
            Mesh_CountOutside(context);
        *answer = flags;
        return true;
    }
    case 0xF:
    case 0x10: {
        MeshSlot slot;
        *answer = 0;
        if (Mesh_FindSlot(context, piece, 0, -1, &slot))
            *answer = id == 0x10 ? ScaledMeasure(mesh, &slot.volume, 3)
                                 : ScaledMeasure(mesh, &slot.area, 2);
        return true;
    }
    default:
        return false;
    }
}

uint32_t Mesh_NodeFlags(const Mesh *mesh, int32_t node) {
    const Piece *piece = Mesh_Piece(mesh, node);
    return piece ? piece->flags : 0;
}

float Mesh_NodePhase(const Mesh *mesh, int32_t node) {
    const Piece *piece = Mesh_Piece(mesh, node);
    return piece ? piece->phase : 0.0f;
}

int32_t Mesh_FirstPieceOfPart(const Mesh *mesh, uint32_t part) {
    for (uint32_t i = 0; i < mesh->piece_count; i++)
        if (PiecesOf(mesh)[i].tag == part)
            return (int32_t)i;
    return -1;
}

uint32_t Mesh_PieceCountOfPart(const Mesh *mesh, uint32_t part) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->piece_count; i++)
        count += PiecesOf(mesh)[i].tag == part;
    return count;
}

int32_t Mesh_NodeStage(const Mesh *mesh, int32_t node) {
    const Piece *piece = Mesh_Piece(mesh, node);
    return piece ? piece->variant : 0;
}

uint32_t Mesh_StageCount(const MeshContext *context, const Mesh *mesh, int32_t node) {
    const Piece *piece = Mesh_Piece(mesh, node);
    MeshModel scratch;
    const MeshModel *model = piece ? Mesh_ModelOf(context, piece, &scratch) : NULL;
    uint32_t count = 0;
    uint16_t slot;
    while (model && count < 3 && SlotIndex(context, model, piece, 0, (int32_t)count, &slot))
        count++;
    return count;
}

void Mesh_NodeRecord(const Mesh *mesh, int32_t node, uint32_t record[6]) {
    const Piece *piece = Mesh_Piece(mesh, node);
    memset(record, 0, 6 * sizeof *record);
    if (piece)
        record[5] = (uint32_t)piece->parent; /* 0x10005BB9 */
}

/* ---- setters --------------------------------------------------------------------------------- */

void Mesh_ClearPoseCache(Mesh *mesh) {
    for (uint32_t i = 0; i < mesh->piece_count; i++)
        Mesh_Piece(mesh, (int32_t)i)->cache_valid = 0;
}

/* Returns whether a flag changed that decides how the pose is computed, so that it has to be
 * computed again. */
static bool ChangeFlags(Piece *piece, uint32_t mask, bool clear) {
    uint32_t before = piece->flags;
    piece->flags = clear ? before & ~mask : before | mask;
    piece->flying = (piece->flags & PIECE_FLYING) != 0;
    piece->own_segment = (piece->flags & PIECE_OWN_SEGMENT) != 0;
    piece->tilted = (piece->flags & PIECE_TILTED) != 0;
    return (before ^ piece->flags) & (PIECE_OWN_SEGMENT | PIECE_TILTED);
}

void Mesh_ChangeNodeFlags(Mesh *mesh, int32_t node, uint32_t mask, uint32_t operation) {
    bool clear = operation & MESH_OPERATION_CLEAR, stale = false;
    Piece *piece = Mesh_Piece(mesh, node);
    if (!piece)
        return;
    if (!(operation & MESH_OPERATION_SUBTREE))
        stale = ChangeFlags(piece, mask, clear);
    for (uint32_t i = 0; operation & MESH_OPERATION_SUBTREE && i < mesh->piece_count; i++)
        if (Mesh_IsWithin(mesh, (int32_t)i, node))
            stale |= ChangeFlags(&PiecesOf(mesh)[i], mask, clear);
    if (stale)
        Mesh_ClearPoseCache(mesh);
}

/* Copies the phase and the weight. Returns whether the cached poses become invalid, which only
 * reading `weight-clears` of reading `pose-cache` says. */
static bool CopyPhase(const MeshContext *context, const float *phase, const float *weight,
                      float *to_phase, float *to_weight) {
    bool changed = memcmp(weight, to_weight, sizeof *weight) != 0;
    CopyFloat(to_phase, phase);
    CopyFloat(to_weight, weight);
    return changed && Reading_Choice(context->arithmetic, READING_POSE_CACHE) == 1;
}

void Mesh_SetNodePhase(const MeshContext *context, Mesh *mesh, int32_t node, const float *phase,
                       const float *weight) {
    Piece *piece = Mesh_Piece(mesh, node);
    if (piece && CopyPhase(context, phase, weight, &piece->phase, &piece->weight))
        piece->cache_valid = 0;
}

void Mesh_SetNodeFramePairs(Mesh *mesh, int32_t node, const int32_t pairs[4]) {
    Piece *piece = Mesh_Piece(mesh, node);
    if (!piece)
        return;
    piece->a_first = pairs[0];
    piece->a_last = pairs[1];
    piece->b_first = pairs[2];
    piece->b_last = pairs[3];
}

void Mesh_SetNodeStage(Mesh *mesh, int32_t node, int32_t stage) {
    Piece *piece = Mesh_Piece(mesh, node);
    if (piece)
        piece->variant = stage;
}

void Mesh_SetPhase(const MeshContext *context, Mesh *mesh, const float *phase,
                   const float *weight) {
    if (CopyPhase(context, phase, weight, &mesh->phase, &mesh->weight))
        Mesh_ClearPoseCache(mesh);
}

void Mesh_SetFramePairs(Mesh *mesh, const int32_t pairs[4]) {
    mesh->a_first = pairs[0];
    mesh->a_last = pairs[1];
    mesh->b_first = pairs[2];
    mesh->b_last = pairs[3];
}

/* ---- views ----------------------------------------------------------------------------------- */

typedef struct Views {
    uint32_t count;
    uintptr_t views[];
} Views;

static Views *ViewsOf(const Mesh *mesh) {
    return (Views *)mesh->views;
}

static int64_t FindView(const Mesh *mesh, uintptr_t view) {
    const Views *list = ViewsOf(mesh);
    for (uint32_t i = 0; list && i < list->count; i++)
        if (list->views[i] == view)
            return i;
    return -1;
}

RpStatus Mesh_AddView(const MeshContext *context, Mesh *mesh, uintptr_t view, RpError *error) {
    if (Mesh_IsView(mesh, view))
        return RP_OK;
    uint32_t count = ViewsOf(mesh) ? ViewsOf(mesh)->count : 0;
    Views *list = RpMemory_Resize(context->allocator, ViewsOf(mesh),
                                  sizeof *list + ((size_t)count + 1) * sizeof *list->views);
    if (!list)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "out of memory", "views", "", "");
    list->views[count] = view;
    list->count = count + 1;
    mesh->views = (uintptr_t)list;
    return RP_OK;
}

bool Mesh_IsView(const Mesh *mesh, uintptr_t view) {
    return FindView(mesh, view) >= 0;
}

void Mesh_RemoveView(Mesh *mesh, uintptr_t view) {
    int64_t index = FindView(mesh, view);
    if (index < 0)
        return;
    Views *list = ViewsOf(mesh);
    for (uint32_t i = (uint32_t)index + 1; i < list->count; i++)
        list->views[i - 1] = list->views[i];
    list->count--;
}
