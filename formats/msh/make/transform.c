/* Moves, turns and scales vertices, normals and keys (facts/formats.md C.12). */
#include "retropose/msh_edit.h"

#include "core/arithmetic/trig.h"
#include "core/bytes.h"
#include "formats/msh/make/member.h"
#include "ngi32/processor/modes.h"

#include <inttypes.h>
#include <math.h>

/* ---- transforms ------------------------------------------------------------------------------ */

RpMshTransform RpMshTransform_Identity(void) {
    return (RpMshTransform){.scale = {1, 1, 1}, .quaternion = {1, 0, 0, 0}};
}

static double Length(const double *numbers, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += numbers[i] * numbers[i];
    return sqrt(sum);
}

RpStatus RpMshTransform_Turn(RpMshTransform *transform, const double axis[3], double degrees,
                             RpError *error) {
    MODES_OF_C();
    double length = Length(axis, 3), half = degrees * (3.14159265358979323846 / 360);
    if (!(length > 0) || !Make_IsFinite(length) || !Make_IsFinite(degrees))
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "no axis to turn about", "",
                           "an axis of some length, and degrees", "");
    transform->quaternion[0] = Trig_Cos(half);
    for (int i = 0; i < 3; i++)
        transform->quaternion[1 + i] = Trig_Sin(half) * axis[i] / length;
    return RP_OK;
}

static RpStatus CheckTransform(const RpMshTransform *transform, RpError *error) {
    bool sound =
        Make_IsFinite(Length(transform->quaternion, 4)) && Length(transform->quaternion, 4) > 0;
    for (int i = 0; i < 3; i++)
        sound = sound && transform->scale[i] > 0 && Make_IsFinite(transform->scale[i]) &&
                Make_IsFinite(transform->translation[i]);
    if (sound)
        return RP_OK;
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "bad transform", "",
                       "finite numbers, positive scales, a quaternion of some length", "");
}

static bool IsUniform(const RpMshTransform *transform) {
    return transform->scale[0] == transform->scale[1] && transform->scale[1] == transform->scale[2];
}

static bool Turns(const RpMshTransform *transform) {
    return transform->quaternion[1] != 0 || transform->quaternion[2] != 0 ||
           transform->quaternion[3] != 0;
}

/* Rotates by the quaternion, in the convention of column vectors. */
static void Rotate(const RpMshTransform *transform, const double vector[3], double rotated[3]) {
    const double *q = transform->quaternion, squared = Length(q, 4) * Length(q, 4);
    double across[3], again[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        across[i] = q[1 + j] * vector[k] - q[1 + k] * vector[j];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        again[i] = q[1 + j] * across[k] - q[1 + k] * across[j];
    }
    for (int i = 0; i < 3; i++)
        rotated[i] = vector[i] + 2 * (q[0] * across[i] + again[i]) / squared;
}

static void MovePoint(const RpMshTransform *transform, float point[3]) {
    double vector[3];
    for (int i = 0; i < 3; i++)
        vector[i] = point[i] * transform->scale[i];
    if (Turns(transform))
        Rotate(transform, vector, vector);
    for (int i = 0; i < 3; i++)
        point[i] = (float)(vector[i] + transform->translation[i]);
}

/* ---- an edit --------------------------------------------------------------------------------- */

typedef struct Edit {
    RpNResArchive *archive;
    const RpReadings *readings;
    RpMsh msh;
    uint32_t *owners; /* for each vertex: the node that shows it, plus one */
    uint8_t *slots;   /* for each slot: whether its vertices change */
    Member positions, normals, triangles, keys;
    RpError *error;
} Edit;

static float LoadFloat(const uint8_t *at) {
    const uint32_t bits = Bytes_U32(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- which vertices -------------------------------------------------------------------------- */

static RpStatus OwnSlot(Edit *edit, uint32_t node, uint32_t index, bool changes) {
    RpMshSlot slot;
    if (!RpMsh_Slot(&edit->msh, index, &slot))
        return Make_Refuse(edit->error, RP_CORRUPT, "M08: a node names a slot that is not there",
                           "node", node, "a slot of Res2", "%" PRIu32, index);
    if (changes)
        edit->slots[index] = 1;
    for (uint32_t b = slot.first_batch; b < (uint32_t)slot.first_batch + slot.batch_count; b++) {
        RpMshBatch batch;
        if (!RpMsh_Batch(&edit->msh, b, &batch))
            return Make_Refuse(edit->error, RP_CORRUPT,
                               "M09: a slot names a batch that is not there", "batch", b,
                               "a batch of Res13", "nothing");
        for (uint32_t i = 0; i < batch.index_count; i++) {
            uint16_t relative = 0;
            uint64_t at = (uint64_t)batch.first_index + i;
            bool found = at <= UINT32_MAX && RpMsh_Index(&edit->msh, (uint32_t)at, &relative);
            uint64_t vertex = (uint64_t)batch.base_vertex + relative;
            if (!found || vertex >= RpMsh_Count(&edit->msh, RP_MSH_POSITIONS))
                return Make_Refuse(edit->error, RP_CORRUPT, "M11: a batch reaches past its streams",
                                   "batch", b, "indices and vertices that exist", "vertex %" PRIu64,
                                   vertex);
            if (edit->owners[vertex] != 0 && edit->owners[vertex] != node + 1)
                return Make_Refuse(edit->error, RP_INVALID, "M32: nodes share a vertex", "vertex",
                                   vertex, "one node", "nodes %" PRIu32 " and %" PRIu32,
                                   edit->owners[vertex] - 1, node);
            edit->owners[vertex] = node + 1;
        }
    }
    return RP_OK;
}

/* ---- vertices -------------------------------------------------------------------------------- */

static RpStatus MoveVertices(Edit *edit, uint32_t node, const RpMshTransform *transform) {
    for (uint32_t v = 0; v < RpMsh_Count(&edit->msh, RP_MSH_POSITIONS); v++) {
        if (edit->owners[v] != node + 1)
            continue;
        uint8_t *at = edit->positions.bytes + 12 * (size_t)v;
        float point[3];
        for (int i = 0; i < 3; i++)
            point[i] = LoadFloat(at + 4 * (size_t)i);
        MovePoint(transform, point);
        for (int i = 0; i < 3; i++) {
            if (!Make_IsFinite(point[i]))
                return Make_Refuse(edit->error, RP_INVALID, "a vertex moves out of reach", "vertex",
                                   v, "finite numbers", "%g", (double)point[i]);
            uint32_t bits;
            memcpy(&bits, &point[i], sizeof bits);
            Bytes_PutU32(at + 4 * (size_t)i, bits);
        }
        bool bends = Turns(transform) || !IsUniform(transform);
        if (bends && 4 * (uint64_t)v + 4 <= edit->normals.size) {
            int8_t normal[4];
            memcpy(normal, edit->normals.bytes + 4 * (size_t)v, sizeof normal);
            /* Normals are transformed by the inverse transpose. The fourth byte is left alone. */
            double vector[3], turned[3];
            for (int i = 0; i < 3; i++)
                vector[i] = normal[i] / transform->scale[i];
            Rotate(transform, vector, turned);
            double length = Length(turned, 3);
            for (int i = 0; i < 3 && length > 0; i++)
                normal[i] = RpMsh_EncodeNormal((float)(turned[i] / length));
            memcpy(edit->normals.bytes + 4 * (size_t)v, normal, sizeof normal);
        }
    }
    return RP_OK;
}

/* ---- face normals ---------------------------------------------------------------------------- */

static void TurnFacesOfBatch(Edit *edit, const RpMshBatch *batch) {
    for (uint32_t i = 0; i + 2 < batch->index_count; i += 3) {
        uint32_t at = batch->first_index + i;
        if (at % 3 != 0 || ((uint64_t)at / 3 + 1) * RP_MSH_TRIANGLE_BYTES > edit->triangles.size)
            return; /* the model was broken before this edit */
        float corners[3][3];
        for (uint32_t c = 0; c < 3; c++) {
            uint16_t relative = 0;
            RpMsh_Index(&edit->msh, at + c, &relative);
            const uint64_t vertex = (uint64_t)batch->base_vertex + relative;
            for (size_t axis = 0; axis < 3; axis++)
                corners[c][axis] =
                    LoadFloat(edit->positions.bytes + 12 * (size_t)vertex + 4 * axis);
        }
        uint8_t *record = edit->triangles.bytes + (size_t)(at / 3) * RP_MSH_TRIANGLE_BYTES;
        RpMshTriangle triangle;
        RpMshTriangle_Read(&triangle, record);
        RpMsh_FaceNormal(corners[0], corners[1], corners[2], triangle.normal);
        RpMshTriangle_Write(&triangle, record);
    }
}

static void TurnFaces(Edit *edit) {
    for (uint32_t s = 0; s < RpMsh_Count(&edit->msh, RP_MSH_SLOTS); s++) {
        RpMshSlot slot;
        RpMshBatch batch;
        RpMsh_Slot(&edit->msh, s, &slot);
        for (uint32_t b = 0; edit->slots[s] && b < slot.batch_count; b++)
            if (RpMsh_Batch(&edit->msh, (uint32_t)slot.first_batch + b, &batch))
                TurnFacesOfBatch(edit, &batch);
    }
}

/* ---- opening and storing --------------------------------------------------------------------- */

static RpStatus OpenOptional(Member *member, const RpNResArchive *archive, uint32_t type,
                             RpError *error) {
    *member = (Member){.index = 0};
    return RpNResArchive_FindType(archive, type) < 0 ? RP_OK
                                                     : Member_Open(member, archive, type, error);
}

static RpStatus Open(Edit *edit, uint32_t node) {
    RpNResArchive *archive = edit->archive;
    RpStatus status =
        RpMsh_Open(RpNResArchive_Entries(archive), RP_TOLERANT, &edit->msh, edit->error);
    if (status != RP_OK)
        return status;
    edit->owners =
        Make_Array(archive->allocator, (size_t)RpMsh_Count(&edit->msh, RP_MSH_POSITIONS) + 1,
                   sizeof *edit->owners);
    edit->slots =
        Make_Array(archive->allocator, (size_t)RpMsh_Count(&edit->msh, RP_MSH_SLOTS) + 1, 1);
    if (!edit->owners || !edit->slots)
        return RpMemory_Refused(edit->error, "vertices");

    /* Find the owners of vertices. With `node` RP_MSH_NONE all vertices change. */
    for (uint32_t n = 0; n < RpMsh_Count(&edit->msh, RP_MSH_NODES); n++) {
        RpMshNode record;
        if (!RpMsh_Node(&edit->msh, n, &record))
            return Make_Refuse(edit->error, RP_UNSUPPORTED,
                               "nodes of the legacy form are left alone", "node", n, "stride 38",
                               "stride %" PRIu32, edit->msh.node_stride);
        for (int w = 0; status == RP_OK && w < RP_MSH_SLOT_WORDS; w++)
            if (record.slots[w] != RP_MSH_NONE)
                status = OwnSlot(edit, n, record.slots[w], node == RP_MSH_NONE || n == node);
    }
    if (status == RP_OK)
        status = Member_Open(&edit->positions, archive, RP_MSH_POSITIONS, edit->error);
    if (status == RP_OK)
        status = OpenOptional(&edit->normals, archive, RP_MSH_NORMALS, edit->error);
    if (status == RP_OK)
        status = OpenOptional(&edit->triangles, archive, RP_MSH_TRIANGLES, edit->error);
    if (status == RP_OK)
        status = OpenOptional(&edit->keys, archive, RP_MSH_KEYS, edit->error);
    return status;
}

static RpStatus PutOptional(const Member *member, RpNResArchive *archive, RpError *error) {
    return member->size == 0 ? RP_OK : Member_Put(member, archive, error);
}

static RpStatus Store(const Edit *edit) {
    Draft draft;
    RpStatus status = Draft_Begin(&draft, edit->archive, edit->error);
    if (status != RP_OK)
        return status;
    status = PutOptional(&edit->positions, &draft.copy, edit->error);
    if (status == RP_OK)
        status = PutOptional(&edit->normals, &draft.copy, edit->error);
    if (status == RP_OK)
        status = PutOptional(&edit->triangles, &draft.copy, edit->error);
    if (status == RP_OK)
        status = PutOptional(&edit->keys, &draft.copy, edit->error);
    if (status == RP_OK)
        status = Bounds_Update(&draft.copy, edit->readings, BOUNDS_SOME, edit->slots, edit->error);
    return Draft_End(&draft, status);
}

static void Close(Edit *edit) {
    Member_Free(&edit->positions, edit->archive);
    Member_Free(&edit->normals, edit->archive);
    Member_Free(&edit->triangles, edit->archive);
    Member_Free(&edit->keys, edit->archive);
    RpMemory_Free(edit->archive->allocator, edit->owners);
    RpMemory_Free(edit->archive->allocator, edit->slots);
}

/* ---- one node -------------------------------------------------------------------------------- */

RpStatus RpMshEdit_TransformNode(RpNResArchive *archive, const RpReadings *readings, uint32_t node,
                                 const RpMshTransform *transform, RpError *error) {
    MODES_OF_C();
    Edit edit = {.archive = archive, .readings = readings, .error = error};
    RpStatus status = CheckTransform(transform, error);
    if (status != RP_OK)
        return status;
    status = Open(&edit, node);
    if (status == RP_OK && node >= RpMsh_Count(&edit.msh, RP_MSH_NODES))
        status =
            Make_Refuse(error, RP_INVALID, "there is no such node", "node", node, "a node of Res1",
                        "%" PRIu32 " nodes", RpMsh_Count(&edit.msh, RP_MSH_NODES));
    if (status == RP_OK)
        status = MoveVertices(&edit, node, transform);
    if (status == RP_OK && (Turns(transform) || !IsUniform(transform)))
        TurnFaces(&edit);
    if (status == RP_OK)
        status = Store(&edit);
    Close(&edit);
    return status;
}

/* ---- all nodes ------------------------------------------------------------------------------- */

/* Moves all keys of a node's track, or only its fallback where it has no track of its own. */
static RpStatus MoveKeys(Edit *edit, uint32_t node, const RpMshTransform *transform) {
    RpMshNode record;
    uint32_t first, last;
    RpMsh_Node(&edit->msh, node, &record);
    if (!RpMsh_Track(&edit->msh, node, &first, &last))
        return Make_Refuse(edit->error, RP_UNSUPPORTED, "a node's keys are not a track of its own",
                           "node", node, "tracks as the game's own files have them", "fallback %u",
                           record.fallback);
    RpStatus status = RP_OK;
    for (uint32_t k = first; status == RP_OK && k <= last; k++) {
        RpMshKey key;
        uint8_t *at = edit->keys.bytes + (size_t)k * RP_MSH_KEY_BYTES;
        RpMshKey_Read(&key, at);
        MovePoint(transform, key.position);
        if (!Make_IsFinite(key.position[0]) || !Make_IsFinite(key.position[1]) ||
            !Make_IsFinite(key.position[2])) {
            status = Make_Refuse(edit->error, RP_INVALID, "a key moves out of reach", "key", k,
                                 "finite numbers", "another");
        } else {
            if (Turns(transform)) {
                /* Multiply the quaternion of the turn by that of the key. */
                float own[4], product[4];
                double turn[4], length = Length(transform->quaternion, 4);
                for (int i = 0; i < 4; i++)
                    turn[i] = transform->quaternion[i] / length;
                RpMsh_DecodeRotation(key.rotation, edit->readings, own);
                product[0] = (float)(turn[0] * own[0] - turn[1] * own[1] - turn[2] * own[2] -
                                     turn[3] * own[3]);
                for (int i = 0; i < 3; i++) {
                    int a = 1 + (i + 1) % 3, b = 1 + (i + 2) % 3;
                    product[1 + i] = (float)(turn[0] * own[1 + i] + turn[1 + i] * own[0] +
                                             turn[a] * own[b] - turn[b] * own[a]);
                }
                RpMsh_EncodeRotation(product, edit->readings, key.rotation);
            }
            RpMshKey_Write(&key, at);
        }
    }

    return status;
}

RpStatus RpMshEdit_TransformAll(RpNResArchive *archive, const RpReadings *readings,
                                const RpMshTransform *transform, RpError *error) {
    MODES_OF_C();
    Edit edit = {.archive = archive, .readings = readings, .error = error};
    RpStatus status = CheckTransform(transform, error);
    if (status == RP_OK && !IsUniform(transform))
        status = RpError_Set(error, RP_INVALID, RP_NOWHERE,
                             "a whole model is scaled the same in all directions", "", "one scale",
                             "several");
    if (status != RP_OK)
        return status;
    status = Open(&edit, RP_MSH_NONE);
    for (uint32_t n = 0; status == RP_OK && n < RpMsh_Count(&edit.msh, RP_MSH_NODES); n++) {
        /* When the root's space is transformed, nodes that are directly in it are moved and turned.
         * Nodes below these follow their parents and are only scaled. */
        RpMshTransform scaled = RpMshTransform_Identity();
        memcpy(scaled.scale, transform->scale, sizeof scaled.scale);
        RpMshNode record, parent;
        RpMsh_Node(&edit.msh, n, &record);
        bool is_root = record.parent == RP_MSH_NONE;
        bool is_child = !is_root && RpMsh_Node(&edit.msh, record.parent, &parent) &&
                        parent.parent == RP_MSH_NONE;
        status = MoveVertices(&edit, n, is_root ? transform : &scaled);
        status = status == RP_OK ? MoveKeys(&edit, n, is_child ? transform : &scaled) : status;
    }
    if (status == RP_OK && Turns(transform))
        TurnFaces(&edit);
    if (status == RP_OK)
        status = Store(&edit);
    Close(&edit);
    return status;
}
