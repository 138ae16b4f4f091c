/* Reads a model strictly. It refuses whatever would lead a reader outside of a stream or make a
 * walk take forever (facts/formats.md C.2 to C.9). */
#include "animesh/mesh.h"
#include "animesh/streams.h"
#include "core/bytes.h"
#include "core/text.h"

typedef struct Check {
    const MeshModel *model;
    const uint8_t *image; /* start of the file; null if faults have no byte offset */
    RpError *error;
} Check;

/* How often the ranges of a sound model may cover the same element. Most ranges do not overlap. A
 * few do, where levels of detail share what they draw; a node has 15 slots in the game. */
enum { MOST_SHARING = 64 };

/* ---- errors ---------------------------------------------------------------------------------- */

typedef struct Place {
    const char *element;
    uint32_t index;
    const uint8_t *at;
} Place;

/* Reports a fault. `expected` and `found` are texts to which `limit` and `number` are appended. */
static RpStatus Fault(const Check *check, RpStatus status, Place place, const char *what,
                      const char *expected, uint64_t limit, const char *found, uint64_t number) {
    char where[64], wanted[96], had[96];
    Text text = Text_Begin(where, sizeof where);
    Text_Append(&text, place.element);
    Text_Append(&text, " ");
    Text_AppendDecimal(&text, place.index);
    text = Text_Begin(wanted, sizeof wanted);
    Text_Append(&text, expected);
    Text_AppendDecimal(&text, limit);
    text = Text_Begin(had, sizeof had);
    Text_Append(&text, found);
    Text_AppendDecimal(&text, number);
    uint64_t offset = check->image && place.at ? (uint64_t)(place.at - check->image) : RP_NOWHERE;
    return RpError_Set(check->error, status, offset, what, where, wanted, had);
}

/* Checks that first + count is within `available`. The sum is computed in 64 bits, so that it does
 * not wrap. */
static RpStatus CheckRange(const Check *check, Place place, const char *what, uint64_t first,
                           uint64_t count, uint64_t available) {
    if (first + count <= available)
        return RP_OK;
    return Fault(check, RP_CORRUPT, place, what, "an end of at most ", available, "",
                 first + count);
}

static RpStatus CheckIndex(const Check *check, Place place, const char *what, uint64_t index,
                           uint64_t count) {
    if (index < count)
        return RP_OK;
    return Fault(check, RP_CORRUPT, place, what, "a number below ", count, "", index);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static Place NodePlace(const Check *check, uint32_t node, uint32_t at) {
    return (Place){"Res1 node", node, check->model->pose.nodes + (size_t)node * NODE_BYTES + at};
}

static RpStatus CheckNodes(const Check *check) {
    uint32_t count = MeshModel_NodeCount(check->model);
    Place place = {"Res1 node", 0, check->model->pose.nodes};
    if (count == 0)
        return Fault(check, RP_CORRUPT, place, "a model has no nodes", "nodes, at least ", 1, "",
                     0);
    if (count > MESH_MAX_PIECES)
        return Fault(check, RP_UNSUPPORTED, place, "a model has too many nodes", "at most ",
                     MESH_MAX_PIECES, "", count);
    RpStatus status = RP_OK;
    for (uint32_t node = 0; status == RP_OK && node < count; node++) {
        int32_t parent;
        place = NodePlace(check, node, NODE_AT_parent);
        MeshModel_Parent(check->model, node, &parent);
        if (parent >= 0 && (uint32_t)parent >= node)
            return Fault(check, RP_CORRUPT, place, "a node does not follow its parent",
                         "no parent, or one below ", node, "", (uint64_t)parent);

        /* Going up to the root ends, because each parent above `node` has already been found to
         * precede its child. */
        uint32_t generations = 0;
        for (int32_t up = (int32_t)node; up >= 0 && generations <= MESH_MAX_DEPTH; generations++)
            MeshModel_Parent(check->model, (uint32_t)up, &up);
        if (generations > MESH_MAX_DEPTH)
            return Fault(check, RP_UNSUPPORTED, place, "the tree is too deep", "generations up to ",
                         MESH_MAX_DEPTH, "at least ", MESH_MAX_DEPTH + 1);

        const RpSkeleton *pose = &check->model->pose;
        const uint8_t *record = pose->nodes + (size_t)node * NODE_BYTES;
        uint16_t start = Bytes_U16(record + NODE_AT_map_start);
        status = CheckIndex(check, NodePlace(check, node, NODE_AT_fallback),
                            "a fallback key does not exist", Bytes_U16(record + NODE_AT_fallback),
                            pose->key_bytes / KEY_BYTES);
        if (status == RP_OK && start != NO_INDEX)
            status = CheckRange(check, NodePlace(check, node, NODE_AT_map_start),
                                "a node's frames lie outside of the frame map", start,
                                pose->frame_count, pose->frame_map_bytes / MAP_WORD_BYTES);

        for (uint32_t word = 0; status == RP_OK && word < 3 * NODE_LEVELS; word++) {
            Place at = NodePlace(check, node, NODE_AT_slots + 2 * word);
            uint16_t slot = Bytes_U16(at.at);
            if (slot != NO_INDEX)
                status =
                    CheckIndex(check, at, "a slot does not exist", slot, check->model->slots.count);
        }
    }
    return status;
}

static RpStatus CheckTexts(const Check *check) {
    const MeshModel *model = check->model;
    uint64_t offset = 0;
    for (uint32_t node = 0; node < MeshModel_NodeCount(model); node++) {
        Place place = {"Res10 text", node, model->strings ? model->strings + (size_t)offset : NULL};
        RpStatus status = CheckRange(check, place, "a text begins outside of its stream", offset, 4,
                                     model->string_bytes);
        if (status != RP_OK)
            return status;
        uint32_t length = Bytes_U32(place.at);
        uint64_t size = length ? (uint64_t)length + 1 : 0; /* The size includes the closing NUL. */
        status = CheckRange(check, place, "a text ends outside of its stream", offset + 4, size,
                            model->string_bytes);
        if (status != RP_OK)
            return status;
        offset += 4 + size;
    }
    return RP_OK;
}

/* ---- geometry -------------------------------------------------------------------------------- */

static Place ElementPlace(const char *element, MeshStream stream, uint32_t index, uint32_t stride) {
    return (Place){element, index, stream.data + (size_t)index * stride};
}

/* The last triangle of a batch may borrow indices of what follows, so there are (count + 2) / 3
 * (facts/animesh.md E.14). */
static uint32_t TrianglesOf(const MeshBatch *batch) {
    return (batch->index_count + 2u) / 3u;
}

static RpStatus CheckBatches(const Check *check) {
    const MeshModel *model = check->model;
    uint64_t budget = (uint64_t)MOST_SHARING * model->indices.count;
    for (uint32_t index = 0; index < model->batches.count; index++) {
        MeshBatch batch;
        MeshModel_Batch(model, index, &batch);
        uint32_t indices = 3 * TrianglesOf(&batch);
        Place place = ElementPlace("Res13 batch", model->batches, index, BATCH_BYTES);
        RpStatus status = CheckRange(check, place, "a batch's indices do not exist",
                                     batch.first_index, indices, model->indices.count);
        if (status != RP_OK)
            return status;

        /* If the vertices of a batch exist whatever its 16-bit indices are, none of these has to be
         * read. */
        if ((uint64_t)batch.base_vertex + 0xFFFF < model->positions.count)
            continue;
        if (indices > budget)
            return Fault(check, RP_UNSUPPORTED, place, "batches share indices again and again",
                         "each at most so many times: ", MOST_SHARING, "more than ", MOST_SHARING);
        budget -= indices;

        /* The byte offset of an error is that of the index which is too large. */
        for (uint32_t i = 0; status == RP_OK && i < indices; i++) {
            uint16_t relative;
            MeshModel_Index(model, batch.first_index + i, &relative);
            Place vertex = {"Res13 batch", index,
                            model->indices.data + ((size_t)batch.first_index + i) * INDEX_BYTES};
            status = CheckIndex(check, vertex, "a vertex does not exist",
                                (uint64_t)batch.base_vertex + relative, model->positions.count);
        }
        if (status != RP_OK)
            return status;
    }
    return RP_OK;
}

static RpStatus CheckSlots(const Check *check) {
    const MeshModel *model = check->model;
    uint64_t budget = (uint64_t)MOST_SHARING * model->batches.count;
    RpStatus status = RP_OK;
    for (uint32_t index = 0; status == RP_OK && index < model->slots.count; index++) {
        MeshSlot slot;
        MeshModel_Slot(model, index, &slot);
        Place place = ElementPlace("Res2 slot", model->slots, index, SLOT_BYTES);
        status = CheckRange(check, place, "a slot's batches do not exist", slot.first_batch,
                            slot.batch_count, model->batches.count);
        if (status == RP_OK)
            status = CheckRange(check, place, "a slot's triangles do not exist",
                                slot.first_triangle, slot.triangle_count, model->triangles.count);
        if (status != RP_OK)
            return status;
        if (slot.batch_count > budget)
            return Fault(check, RP_UNSUPPORTED, place, "slots share batches again and again",
                         "each at most so many times: ", MOST_SHARING, "more than ", MOST_SHARING);
        budget -= slot.batch_count;

        uint64_t triangles = 0;
        for (uint32_t i = 0; i < slot.batch_count; i++) {
            MeshBatch batch;
            MeshModel_Batch(model, slot.first_batch + i, &batch);
            triangles += TrianglesOf(&batch);
        }
        status = CheckRange(check, place, "the triangles of a slot's batches do not exist",
                            slot.first_triangle, triangles, model->triangles.count);
    }
    return status;
}

static RpStatus CheckPerVertex(const Check *check, const char *stream, MeshStream of) {
    if (of.count == check->model->positions.count)
        return RP_OK;
    return Fault(check, RP_CORRUPT, (Place){stream, of.count, of.data},
                 "a stream has another number of elements than there are vertices", "",
                 check->model->positions.count, "", of.count);
}

static RpStatus CheckVertexStreams(const Check *check) {
    const MeshModel *model = check->model;
    RpStatus status = CheckPerVertex(check, "Res4, elements", model->normals);
    if (status == RP_OK)
        status = CheckPerVertex(check, "Res5, elements", model->uv0);
    if (status == RP_OK && model->uv1.data)
        status = CheckPerVertex(check, "Res18, elements", model->uv1);
    return status;
}

RpStatus MeshModel_Check(const MeshModel *model, const uint8_t *image, RpError *error) {
    static RpStatus (*const checks[])(const Check *check) = {
        CheckNodes, CheckTexts, CheckVertexStreams, CheckBatches, CheckSlots};
    const Check check = {model, image, error};
    if (!model->bounded)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                           "nobody knows how large the model's streams are", "",
                           "a model with sizes", "");
    RpStatus status = RP_OK;
    for (size_t i = 0; status == RP_OK && i < sizeof checks / sizeof *checks; i++)
        status = checks[i](&check);
    return status;
}
