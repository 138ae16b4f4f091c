/* Models of the public library: an NRes image that was checked once, behind the reader that the
 * game's loader 0x10015FD0 fills (facts/animesh.md D.2). */
#include "animesh/mesh_prepared.h"
#include "animesh/mesh_structs.h"
#include "animesh/streams.h"
#include "formats/msh/read/model_archive.h"

/* From facts/formats.md C.1. All models of the game have all but the last of these streams, and the
 * game's loader needs them. */
typedef struct StreamKind {
    uint32_t type, header, stride;
    bool required, fixed_attr3;
    uint32_t attr3;
    const char *name;
} StreamKind;

static const StreamKind kinds[] = {
    {RES_HEADER, HEADER_BYTES_OF_RES2, SLOT_BYTES, true, true, SLOT_BYTES,
     "Res2, header and slots"},
    {RES_POSITIONS, 0, POSITION_BYTES, true, true, POSITION_BYTES, "Res3, positions"},
    {RES_NORMALS, 0, NORMAL_BYTES, true, true, NORMAL_BYTES, "Res4, normals"},
    {RES_UV0, 0, UV_BYTES, true, true, UV_BYTES, "Res5, UV 0"},
    {RES_STRINGS, 0, 1, true, false, 0, "Res10, texts"},
    {RES_KEYS, 0, KEY_BYTES, true, true, 4, "Res8, keys"},
    {RES_FRAME_MAP, 0, MAP_WORD_BYTES, true, true, MAP_WORD_BYTES, "Res19, frame map"},
    {RES_TRIANGLES, 0, TRIANGLE_BYTES, true, true, TRIANGLE_BYTES, "Res7, triangles"},
    {RES_BATCHES, 0, BATCH_BYTES, true, true, BATCH_BYTES, "Res13, batches"},
    {RES_INDICES, 0, INDEX_BYTES, true, true, INDEX_BYTES, "Res6, indices"},
    {RES_15, 0, RES_15_BYTES, false, true, RES_15_BYTES, "Res15"},
    {RES_16, 0, RES_16_BYTES, false, true, RES_16_BYTES, "Res16"},
    {RES_UV1, 0, UV_BYTES, false, true, UV_BYTES, "Res18, UV 1"},
    {RES_20, 0, PROBE_BYTES, false, true, PROBE_BYTES, "Res20, light probes"},
};

enum { TYPE_LIMIT = 21 };
typedef struct Streams {
    RpNResEntry of[TYPE_LIMIT]; /* by type; without data if the model has none */
} Streams;

static RpStatus FindKind(const RpNRes *archive, const StreamKind *kind, RpNResEntry *entry,
                         RpError *error) {
    if (!kind->required && RpNRes_FindType(archive, kind->type, 0) < 0)
        return RP_OK;
    RpStatus status = ModelArchive_Find(archive, kind->type, kind->name, entry, error);
    if (status == RP_OK && kind->fixed_attr3)
        status = ModelArchive_CheckAttr3(entry, kind->attr3, kind->name, error);
    if (status == RP_OK)
        status = ModelArchive_CheckSize(entry, kind->header, kind->stride, kind->name, error);
    return status;
}

static MeshStream StreamOf(const Streams *streams, uint32_t type, uint32_t stride) {
    return (MeshStream){streams->of[type].data, streams->of[type].size / stride};
}

static void FillModel(const Streams *streams, MeshModel *model) {
    const RpNResEntry *of = streams->of, *slots = &of[RES_HEADER];
    *model = (MeshModel){.pose = {.nodes = of[RES_NODES].data,
                                  .node_bytes = of[RES_NODES].size,
                                  .keys = of[RES_KEYS].data,
                                  .key_bytes = of[RES_KEYS].size,
                                  .frame_map = of[RES_FRAME_MAP].data,
                                  .frame_map_bytes = of[RES_FRAME_MAP].size,
                                  .frame_count = of[RES_FRAME_MAP].attr2},
                         .bounded = true,
                         .header = slots->data,
                         .slots = {slots->data + HEADER_BYTES_OF_RES2,
                                   (slots->size - HEADER_BYTES_OF_RES2) / SLOT_BYTES},
                         .positions = StreamOf(streams, RES_POSITIONS, POSITION_BYTES),
                         .normals = StreamOf(streams, RES_NORMALS, NORMAL_BYTES),
                         .uv0 = StreamOf(streams, RES_UV0, UV_BYTES),
                         .uv1 = StreamOf(streams, RES_UV1, UV_BYTES),
                         .indices = StreamOf(streams, RES_INDICES, INDEX_BYTES),
                         .triangles = StreamOf(streams, RES_TRIANGLES, TRIANGLE_BYTES),
                         .batches = StreamOf(streams, RES_BATCHES, BATCH_BYTES),
                         .probes = StreamOf(streams, RES_20, PROBE_BYTES),
                         .strings = of[RES_STRINGS].data,
                         .string_bytes = of[RES_STRINGS].size};
}

RpStatus RpModel_FromNRes(const void *image, size_t size, const RpAllocator *allocator,
                          RpModel **model, RpError *error) {
    RpNRes archive = {0};
    Streams streams = {0};
    MeshModel checked;
    RpStatus status = ModelArchive_Open(image, size, &archive, error);
    if (status == RP_OK) {
        status = ModelArchive_FindNodes(&archive, &streams.of[RES_NODES], error);
        for (size_t i = 0; status == RP_OK && i < sizeof kinds / sizeof *kinds; i++)
            status = FindKind(&archive, &kinds[i], &streams.of[kinds[i].type], error);
    }
    if (status != RP_OK)
        return status;
    FillModel(&streams, &checked);
    status = MeshModel_Check(&checked, image, error);
    if (status != RP_OK)
        return status;
    RpModel *made = RpMemory_Resize(allocator, NULL, sizeof *made);
    if (!made)
        return RpMemory_Refused(error, "a model");
    made->model = checked;
    made->allocator = allocator;

    /* Fills in the reader. Everything else in it is zero, as if its memory had been zero before. */
    Reader *reader = &made->reader;
    const RpNResEntry *of = streams.of;
    const uint8_t *res16 = of[RES_16].data;
    *reader = (Reader){.nodes = of[RES_NODES].data,
                       .header = of[RES_HEADER].data,
                       .slots = of[RES_HEADER].data + HEADER_BYTES_OF_RES2,
                       .positions = of[RES_POSITIONS].data,
                       .normals = of[RES_NORMALS].data,
                       .uv0 = of[RES_UV0].data,
                       .keys = of[RES_KEYS].data,
                       .frame_map = of[RES_FRAME_MAP].data,
                       .strings = of[RES_STRINGS].data,
                       .triangles = of[RES_TRIANGLES].data,
                       .batches = of[RES_BATCHES].data,
                       .indices = of[RES_INDICES].data,
                       .res20 = of[RES_20].data,
                       .res15 = of[RES_15].data,
                       .res16 = res16,
                       .position_stream = of[RES_POSITIONS].data,
                       .position_stride = POSITION_BYTES,
                       .normal_stream = of[RES_NORMALS].data,
                       .normal_stride = NORMAL_BYTES,
                       .tangent_stream = res16,
                       .tangent_stride = res16 ? RES_16_BYTES : 0,
                       .bitangent_stream = res16 ? res16 + RES_16_AT_bitangent : NULL,
                       .bitangent_stride = res16 ? RES_16_BYTES : 0,
                       .uv0_stream = of[RES_UV0].data,
                       .uv0_stride = UV_BYTES,
                       .uv1_stream = of[RES_UV1].data,
                       .uv1_stride = of[RES_UV1].data ? UV_BYTES : 0,
                       .res15_stream = of[RES_15].data,
                       .res15_stride = RES_15_BYTES,
                       .frame_count = of[RES_FRAME_MAP].attr2,
                       .res20_count = of[RES_20].data ? of[RES_20].attr1 : 0};
    *model = made;
    return RP_OK;
}

RpStatus RpModel_PrepareQueries(RpModel *model, RpError *error) {
    if (model->model.prepared)
        return RP_OK;
    return MeshPrepared_New(&model->model, model->allocator, &model->model.prepared, error);
}

size_t RpModel_Bytes(const RpModel *model) {
    const MeshPrepared *prepared = model->model.prepared;
    return sizeof *model + (prepared ? prepared->bytes : 0);
}

void RpModel_Free(RpModel *model) {
    if (!model)
        return;
    MeshPrepared_Free(model->allocator, model->model.prepared);
    RpMemory_Free(model->allocator, model);
}

uint32_t RpModel_NodeCount(const RpModel *model) {
    return MeshModel_NodeCount(&model->model);
}

uint32_t RpModel_FrameCount(const RpModel *model) {
    return model->model.pose.frame_count;
}
