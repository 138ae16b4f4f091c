/* The loader 0x10015FD0. It fills the reader, a record of 0xA4 bytes, from a model's archive
 * (facts/animesh.md D.2, seed 001 section 4). It leaves some bytes as they were: 0x6C to 0x8B,
 * 0x98, and the two strides of Res16 if the model has none. */
#include "animesh/layout.h"
#include "animesh/streams.h"
#include "dll/animesh/diagnose.h"
#include "dll/animesh/internals.h"
#include "dll/animesh/resfile.h"
#include "dll/animesh/sizes.h"

typedef struct Archive {
    const void *file;
    const ResRecord *directory;
} Archive;

typedef struct Stream {
    bool found;
    const uint8_t *data;     /* null if there is no such stream */
    const ResRecord *record; /* record of the directory, or null */
} Stream;

static Stream OpenOptional(const Archive *archive, uint32_t type) {
    int32_t index = ResFile_FindType(archive->file, type);
    if (index == RES_ABSENT)
        return (Stream){false, NULL, NULL};
    return (Stream){.found = true,
                    .data = ResFile_Data(archive->file, index),
                    .record = archive->directory ? archive->directory + index : NULL};
}

/* It is not published what the original does without such a stream. An empty stream may have no
 * data. */
static Stream OpenRequired(const Archive *archive, uint32_t type) {
    Stream stream = OpenOptional(archive, type);
    if (!stream.found)
        Diagnose_MissingStream(type);
    return stream;
}

static uint32_t SizeOf(Stream stream) {
    return stream.data && stream.record ? stream.record->size : 0;
}

/* As in the original, the pointer is not tested for null, so a model without Res2 gets 0x8C here
 * (seed 001 section 4.2). */
static Layout_ref SlotsBehind(Stream header) {
    return (Layout_ref)((uintptr_t)header.data + HEADER_BYTES_OF_RES2);
}

static void SetVertexStreams(Reader *reader, Stream res16) {
    reader->position_stream = reader->positions;
    reader->position_stride = POSITION_BYTES;
    reader->normal_stream = reader->normals;
    reader->normal_stride = NORMAL_BYTES;
    reader->uv0_stream = reader->uv0;
    reader->uv0_stride = UV_BYTES;
    reader->res15_stream = reader->res15;
    reader->res15_stride = RES_15_BYTES;
    reader->tangent_stream = res16.data;
    reader->bitangent_stream = res16.data ? res16.data + RES_16_AT_bitangent : NULL;
    if (res16.data) {
        reader->tangent_stride = RES_16_BYTES;
        reader->bitangent_stride = RES_16_BYTES;
    }
}

/* The streams are looked up in the original's order. */
ABI_PROTO_animesh_LoadReader(AniMesh_LoadReader) {
    Reader *to = reader;
    Archive archive = {file, ResFile_Directory(file)};
    Stream nodes = OpenRequired(&archive, RES_NODES);
    Stream header = OpenRequired(&archive, RES_HEADER);
    to->nodes = nodes.data;
    to->header = header.data;
    to->slots = SlotsBehind(header);
    Stream positions = OpenRequired(&archive, RES_POSITIONS);
    to->positions = positions.data;
    Stream normals = OpenRequired(&archive, RES_NORMALS);
    to->normals = normals.data;
    Stream uv0 = OpenRequired(&archive, RES_UV0);
    to->uv0 = uv0.data;
    Stream strings = OpenRequired(&archive, RES_STRINGS);
    to->strings = strings.data;
    Stream keys = OpenRequired(&archive, RES_KEYS);
    to->keys = keys.data;
    Stream frame_map = OpenRequired(&archive, RES_FRAME_MAP);
    to->frame_map = frame_map.data;
    to->frame_count = frame_map.record ? frame_map.record->attr2 : 0;
    Stream triangles = OpenRequired(&archive, RES_TRIANGLES);
    to->triangles = triangles.data;
    Stream batches = OpenRequired(&archive, RES_BATCHES);
    to->batches = batches.data;
    Stream indices = OpenRequired(&archive, RES_INDICES);
    to->indices = indices.data;
    to->res15 = OpenOptional(&archive, RES_15).data;
    Stream res16 = OpenOptional(&archive, RES_16);
    to->res16 = res16.data;
    SetVertexStreams(to, res16);
    Stream uv1 = OpenOptional(&archive, RES_UV1);
    to->uv1_stream = uv1.data;
    to->uv1_stride =
        /* The original tests whether the stream was found, not whether it has data (the same
         * section). */
        uv1.found ? UV_BYTES : 0;
    Stream res20 = OpenOptional(&archive, RES_20);
    to->res20 = res20.data;
    to->res20_count = res20.data && res20.record ? res20.record->attr1 : 0;
    to->zero = 0;
    if (archive.directory)
        StreamSizes_Remember(to, &(StreamSizes){.pose = {.nodes = SizeOf(nodes),
                                                         .keys = SizeOf(keys),
                                                         .frame_map = SizeOf(frame_map),
                                                         .strings = SizeOf(strings)},
                                                .header = SizeOf(header),
                                                .positions = SizeOf(positions),
                                                .normals = SizeOf(normals),
                                                .uv0 = SizeOf(uv0),
                                                .triangles = SizeOf(triangles),
                                                .batches = SizeOf(batches),
                                                .indices = SizeOf(indices),
                                                .uv1 = SizeOf(uv1),
                                                .res20 = SizeOf(res20)});
}
