/* Models: what is in them, what is wrong with them, and what they show. */
#include "bindings/js/binding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening --------------------------------------------------------------------------------- */

JS_EXPORT(JsModel_Take) JsModel *JsModel_Take(JsModel *model) {
    model->references++;
    return model;
}

JS_EXPORT(JsModel_Release) void JsModel_Release(JsModel *model) {
    if (--model->references > 0)
        return;
    RpModel_Free(model->model);
    RpClip_Free(model->clip);
    JsImage_Release(model->image);
    free(model);
}

JS_EXPORT(JsModel_Open) JsModel *JsModel_Open(JsImage *image, uint32_t offset, uint32_t size) {
    JsModel *model = calloc(1, sizeof *model);
    if (!model) {
        JsImage_Release(image);
        RpMemory_Refused(&js_error, "a model");
        return NULL;
    }
    *model = (JsModel){
        .references = 1, .image = image, .offset = offset, .size = size, .arithmetic = js_settings};
    RpStatus status =
        RpNRes_Open(image->bytes + offset, size, RP_TOLERANT, &model->nres, &js_error);
    if (!status && RpMsh_IsLand(RpNRes_Entries(&model->nres)))
        status = RpError_Set(&js_error, RP_UNSUPPORTED, RP_NOWHERE, "this is a map, and no model",
                             "", "a model", "a Land.msh");
    if (!status)
        status = RpMsh_Open(RpNRes_Entries(&model->nres), RP_TOLERANT, &model->msh, &js_error);
    if (!status)
        status = RpMsh_Skeleton(&model->msh, &model->skeleton, &js_error);
    if (!status && js_by_evidence) {
        RpMshReading found[RP_MSH_READINGS];
        status = RpMsh_ReadingsByEvidence(&model->msh, NULL, &model->arithmetic.readings, found,
                                          &js_error);
    }
    if (status == RP_OK)
        return model;
    JsModel_Release(model);
    return NULL;
}

/* Opens the same bytes once more, under the present js_settings. */
JS_EXPORT(JsModel_Again) JsModel *JsModel_Again(const JsModel *model) {
    return JsModel_Open(JsImage_Take(model->image), model->offset, model->size);
}

JS_EXPORT(JsModel_NodeCount) uint32_t JsModel_NodeCount(const JsModel *model) {
    return RpSkeleton_NodeCount(&model->skeleton);
}

JS_EXPORT(JsModel_FrameCount) uint32_t JsModel_FrameCount(const JsModel *model) {
    return model->skeleton.frame_count;
}

/* Gives the bytes of the model's file as js_result. */
JS_EXPORT(JsModel_Bytes) RpStatus JsModel_Bytes(const JsModel *model) {
    JsResult_Begin();
    RpBuffer_Append(&js_result, model->image->bytes + model->offset, model->size);
    return JsResult_End();
}

/* Writes the name of the first directory entry, and the choice of each reading. */
JS_EXPORT(JsModel_Facts) RpStatus JsModel_Facts(const JsModel *model) {
    JsResult_Begin();
    const RpNResEntry entry = RpNRes_Entry(&model->nres, 0);
    JsResult_Bytes(entry.name, entry.name_length);
    for (int32_t i = 0; RpReadings_Name(i); i++) {
        size_t length;
        const char *choice = RpReadings_Choice(&model->arithmetic.readings, i, &length);
        JsResult_Bytes(choice, length);
    }
    return JsResult_End();
}

static bool Reads(const JsModel *model, const char *name, const char *choice) {
    for (int32_t i = 0; RpReadings_Name(i); i++) {
        size_t length;
        const char *taken = RpReadings_Choice(&model->arithmetic.readings, i, &length);
        if (strcmp(RpReadings_Name(i), name) == 0)
            return strlen(choice) == length && memcmp(taken, choice, length) == 0;
    }
    return false;
}

/* ---- describing ------------------------------------------------------------------------------ */

/* Gives the JSON of RpView_Describe as js_result. */
JS_EXPORT(JsModel_Describe) RpStatus JsModel_Describe(const JsModel *model) {
    JsResult_Begin();
    return RpView_Describe(&model->nres, &model->arithmetic.readings, &js_result, &js_error);
}

JS_EXPORT(JsModel_Check) RpStatus JsModel_Check(const JsModel *model, uint32_t repeats) {
    const RpMshCheckOptions options = {.repeats = repeats};
    const RpFindingSink sink = JsResult_Findings();
    JsResult_Begin();
    const RpStatus status = RpMsh_Check(RpNRes_Entries(&model->nres), &options, &sink, &js_error);
    JsResult_U32(0);
    return status == RP_NO_MEMORY ? status : JsResult_End();
}

/* Writes, for each reading about which a model's numbers can tell something: its name, the choice,
 * how certain that is, whether it matters for this model, and why. */
JS_EXPORT(JsModel_Evidence) RpStatus JsModel_Evidence(const JsModel *model) {
    RpReadings readings;
    RpMshReading found[RP_MSH_READINGS];
    memset(&readings, 0, sizeof readings);
    JsResult_Begin();
    const RpStatus status =
        RpMsh_ReadingsByEvidence(&model->msh, NULL, &readings, found, &js_error);
    if (status)
        return status;
    JsResult_U32(RP_MSH_READINGS);
    for (int i = 0; i < RP_MSH_READINGS; i++) {
        JsResult_Text(found[i].name);
        JsResult_Text(found[i].choice);
        JsResult_Text(RpMshCertainty_Name(found[i].certainty));
        JsResult_U32(found[i].matters);
        JsResult_Text(found[i].why);
    }
    return JsResult_End();
}

/* Writes how many nodes have a slot in each of the 15 cells. */
JS_EXPORT(JsModel_Cells) RpStatus JsModel_Cells(const JsModel *model) {
    uint32_t counts[RP_MSH_SLOT_WORDS] = {0};
    RpMshNode node;
    for (uint32_t i = 0; RpMsh_Node(&model->msh, i, &node); i++)
        for (int cell = 0; cell < RP_MSH_SLOT_WORDS; cell++)
            counts[cell] += node.slots[cell] < RpMsh_Count(&model->msh, RP_MSH_SLOTS);
    JsResult_Begin();
    for (int cell = 0; cell < RP_MSH_SLOT_WORDS; cell++)
        JsResult_U32(counts[cell]);
    return JsResult_End();
}

/* Returns the index of the slot that the node has in a cell, or -1 if it has none. */
JS_EXPORT(JsModel_Slot)
int32_t JsModel_Slot(const JsModel *model, uint32_t index, uint32_t cell) {
    RpMshNode node;
    if (!RpMsh_Node(&model->msh, index, &node) || cell >= RP_MSH_SLOT_WORDS ||
        node.slots[cell] >= RpMsh_Count(&model->msh, RP_MSH_SLOTS))
        return -1;
    return node.slots[cell];
}

/* ---- triangles ------------------------------------------------------------------------------- */

enum { TWO_SIDED = 2, NOT_SEEN = 0 };

/* The triangles of a slot while they are collected. */
typedef struct Gathering {
    const JsModel *model;
    uint32_t
        *places; /* for each vertex of the model: its place in `vertices` plus 1, or NOT_SEEN */
    RpBuffer vertices;    /* numbers of vertices in the model */
    RpBuffer indices;     /* places in `vertices` */
    RpBuffer batches;     /* records that retropose.js reads: 8 words each */
    uint32_t batch_count; /* number of records in `batches` */
} Gathering;

static void GatherBatch(Gathering *gathering, uint32_t index) {
    const JsModel *model = gathering->model;
    RpMshBatch batch;
    RpBuffer *record = &gathering->batches;
    if (!RpMsh_Batch(&model->msh, index, &batch))
        return;
    const uint32_t count = batch.index_count - batch.index_count % 3u;

    /* All indices and vertices of a batch must exist, as glTF demands (rules G01 and G02). */
    const bool whole =
        (uint64_t)batch.first_index + count <= RpMsh_Count(&model->msh, RP_MSH_INDICES);
    uint64_t highest = 0;
    for (uint32_t i = 0; whole && i < count; i++) {
        uint16_t value;
        if (RpMsh_Index(&model->msh, batch.first_index + i, &value) && value > highest)
            highest = value;
    }
    if (count == 0 || !whole ||
        batch.base_vertex + highest >= RpMsh_Count(&model->msh, RP_MSH_POSITIONS))
        return;
    RpBuffer_AppendU32(record, index);
    RpBuffer_AppendU32(record, (uint32_t)(gathering->indices.size / sizeof(uint32_t)));
    RpBuffer_AppendU32(record, count);
    RpBuffer_AppendU32(record, Reads(model, "material", "byte4") ? batch.row : batch.material);
    RpBuffer_AppendU32(record, batch.flags);
    RpBuffer_AppendU32(record, (batch.flags & TWO_SIDED) != 0);
    RpBuffer_AppendU32(record, batch.lightmap == 0);
    RpBuffer_AppendU32(record, batch.portal == RP_MSH_NONE ? UINT32_MAX : batch.portal);
    gathering->batch_count++;
    for (uint32_t i = 0; i < count; i++) {
        uint16_t value = 0;
        RpMsh_Index(&model->msh, batch.first_index + i, &value);
        const uint32_t vertex = batch.base_vertex + value;
        uint32_t *place = &gathering->places[vertex];
        if (*place == NOT_SEEN) {
            RpBuffer_AppendU32(&gathering->vertices, vertex);
            *place = (uint32_t)(gathering->vertices.size / sizeof vertex);
        }
        RpBuffer_AppendU32(&gathering->indices, *place - 1);
    }
}

static float NormalComponent(int8_t value) {
    return value <= -127 ? -1.0f : (float)value / 127.0f;
}

static void WriteUvs(const Gathering *gathering, uint32_t type, const uint32_t *vertices,
                     uint32_t count) {
    const RpMsh *msh = &gathering->model->msh;
    const bool is_signed = Reads(gathering->model, "uv", "signed");
    const bool any = RpMsh_Count(msh, type) > 0;
    JsResult_U32(any ? 2 * count : 0);
    for (uint32_t i = 0; any && i < count; i++) {
        uint16_t uv[2] = {0, 0};
        RpMsh_Uv(msh, type, vertices[i], uv);
        float both[2];
        for (int k = 0; k < 2; k++)
            both[k] = (is_signed ? (float)(int16_t)uv[k] : (float)uv[k]) / 1024.0f;
        JsResult_Floats(both, 2);
    }
}

static void WriteGathered(const Gathering *gathering) {
    const uint32_t count = (uint32_t)(gathering->vertices.size / sizeof(uint32_t));
    JsResult_U32(count);
    JsResult_U32(gathering->batch_count);
    RpBuffer_Append(&js_result, gathering->batches.bytes, gathering->batches.size);
    JsResult_U32((uint32_t)(gathering->indices.size / sizeof(uint32_t)));
    RpBuffer_Append(&js_result, gathering->indices.bytes, gathering->indices.size);
    const uint32_t *vertices = (const uint32_t *)(const void *)gathering->vertices.bytes;
    const RpMsh *msh = &gathering->model->msh;
    JsResult_U32(3 * count);
    for (uint32_t i = 0; i < count; i++) {
        float position[3];
        RpMsh_Position(msh, vertices[i], position);
        JsResult_Floats(position, 3);
    }
    const bool normals = RpMsh_Count(msh, RP_MSH_NORMALS) > 0;
    JsResult_U32(normals ? 3 * count : 0);
    for (uint32_t i = 0; normals && i < count; i++) {
        int8_t stored[4];
        RpMsh_Normal(msh, vertices[i], stored);
        const float normal[3] = {NormalComponent(stored[0]), NormalComponent(stored[1]),
                                 NormalComponent(stored[2])};
        JsResult_Floats(normal, 3);
    }
    WriteUvs(gathering, RP_MSH_UV0, vertices, count);
    WriteUvs(gathering, RP_MSH_UV1, vertices, count);
}

/* Writes the number of vertices and of batches, and the batches; then the indices, positions,
 * normals and both kinds of texture coordinates, each list with its length in front. */
JS_EXPORT(JsModel_SlotMesh) RpStatus JsModel_SlotMesh(const JsModel *model, uint32_t index) {
    RpMshSlot slot;
    if (!RpMsh_Slot(&model->msh, index, &slot)) {
        char expected[64], found[16];
        snprintf(expected, sizeof expected, "an index below the number of slots, %u",
                 (unsigned)RpMsh_Count(&model->msh, RP_MSH_SLOTS));
        snprintf(found, sizeof found, "%u", (unsigned)index);
        return RpError_Set(&js_error, RP_INVALID, RP_NOWHERE, "there is no such slot", "", expected,
                           found);
    }

    /* Slots and batches of a damaged file may refer to the same indices any number of times. The
     * indices of a slot have to stay in proportion to those that the model has. */
    uint64_t total = 0;
    RpMshBatch batch;
    for (uint32_t i = 0; i < slot.batch_count; i++)
        if (RpMsh_Batch(&model->msh, slot.first_batch + i, &batch))
            total += batch.index_count;
    if (total > 65536 + 16ull * RpMsh_Count(&model->msh, RP_MSH_INDICES))
        return RpError_Set(&js_error, RP_UNSUPPORTED, RP_NOWHERE,
                           "the batches of a slot share their indices again and again", "slot",
                           "at most 16 times those of the model", "more");

    Gathering gathering = {.model = model};
    gathering.places =
        calloc((size_t)RpMsh_Count(&model->msh, RP_MSH_POSITIONS) + 1, sizeof *gathering.places);
    if (!gathering.places)
        return RpMemory_Refused(&js_error, "triangles");
    RpBuffer_Init(&gathering.vertices, NULL);
    RpBuffer_Init(&gathering.indices, NULL);
    RpBuffer_Init(&gathering.batches, NULL);
    for (uint32_t i = 0; i < slot.batch_count; i++)
        GatherBatch(&gathering, slot.first_batch + i);
    JsResult_Begin();
    const bool failed =
        gathering.vertices.failed || gathering.indices.failed || gathering.batches.failed;
    if (!failed)
        WriteGathered(&gathering);
    RpBuffer_Free(&gathering.vertices);
    RpBuffer_Free(&gathering.indices);
    RpBuffer_Free(&gathering.batches);
    free(gathering.places);
    return failed ? RpMemory_Refused(&js_error, "triangles") : JsResult_End();
}
