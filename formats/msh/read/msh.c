/* Finds the streams of a model by type (seed 001 section 3, facts/formats.md C.1). */
#include "retropose/msh.h"

#include "animesh/records.h"
#include "core/bytes.h"
#include "formats/msh/read/find_streams.h"

#include <string.h>

/* ---- what is known of a type ----------------------------------------------------------------- */

typedef struct StreamKind {
    const char *name;
    uint32_t stride; /* 0: the records vary in size, or there are none */
} StreamKind;

static const StreamKind kinds[RP_MSH_TYPE_LIMIT] = {
    [RP_MSH_NODES] = {"nodes", RP_MSH_NODE_BYTES},
    [RP_MSH_SLOTS] = {"slots", RP_MSH_SLOT_BYTES},
    [RP_MSH_POSITIONS] = {"positions", POSITION_BYTES},
    [RP_MSH_NORMALS] = {"normals", NORMAL_BYTES},
    [RP_MSH_UV0] = {"uv0", UV_BYTES},
    [RP_MSH_INDICES] = {"indices", INDEX_BYTES},
    [RP_MSH_TRIANGLES] = {"triangles", RP_MSH_TRIANGLE_BYTES},
    [RP_MSH_KEYS] = {"keys", RP_MSH_KEY_BYTES},
    [RP_MSH_NAMES] = {"names", RP_MSH_NAME_BYTES},
    [RP_MSH_LABELS] = {"labels", 0},
    [RP_MSH_BATCHES] = {"batches", RP_MSH_BATCH_BYTES},
    [RP_MSH_RES15] = {"res15", RES_15_BYTES},
    [RP_MSH_RES16] = {"res16", RES_16_BYTES},
    [RP_MSH_PATHS] = {"paths", 0},
    [RP_MSH_UV1] = {"uv1", UV_BYTES},
    [RP_MSH_FRAME_MAP] = {"frame-map", MAP_WORD_BYTES},
    [RP_MSH_PROBES] = {"probes", RP_MSH_PROBE_BYTES},
};

const char *RpMsh_StreamName(uint32_t type) {
    return type < RP_MSH_TYPE_LIMIT ? kinds[type].name : NULL;
}

uint32_t RpMsh_Stride(const RpMsh *msh, uint32_t type) {
    if (type == RP_MSH_NODES)
        return msh->node_stride;
    return type < RP_MSH_TYPE_LIMIT ? kinds[type].stride : 0;
}

/* ---- directories ----------------------------------------------------------------------------- */

/* Bit N says that there is an entry of type N. */
static uint32_t TypesOf(const RpNResEntries *entries) {
    uint32_t types = 0;
    for (uint32_t i = 0; i < entries->count; i++) {
        RpNResEntry entry = RpNResEntries_Get(entries, i);
        if (entry.type < 32)
            types |= (uint32_t)1 << entry.type;
    }
    return types;
}

#define CORE_TYPES                                                                                 \
    (1u << RP_MSH_NODES | 1u << RP_MSH_SLOTS | 1u << RP_MSH_POSITIONS | 1u << RP_MSH_INDICES |     \
     1u << RP_MSH_BATCHES)
#define LAND_TYPES (1u << 1 | 1u << 2 | 1u << 3 | 1u << 21)
#define NOT_LAND   (1u << RP_MSH_INDICES | 1u << RP_MSH_BATCHES)

bool RpMsh_Is(RpNResEntries entries) {
    return (TypesOf(&entries) & CORE_TYPES) == CORE_TYPES;
}

bool RpMsh_IsLand(RpNResEntries entries) {
    return (TypesOf(&entries) & (LAND_TYPES | NOT_LAND)) == LAND_TYPES;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Returns where the record at `offset` ends, or 0 if it does not fit into the stream or its NUL is
 * missing. */
static uint32_t LabelEnd(const RpMshStream *stream, uint32_t offset) {
    if (stream->size - offset < 4)
        return 0;
    uint32_t length = Bytes_U32(stream->data + offset), rest = stream->size - offset - 4;
    if (length == 0)
        return offset + 4;
    return length < rest && stream->data[offset + 4 + length] == 0 ? offset + 4 + length + 1 : 0;
}

uint32_t RpMsh_CountLabels(const RpMshStream *stream) {
    uint32_t count = 0, offset = 0;
    while ((offset = LabelEnd(stream, offset)) != 0)
        count++;
    return count;
}

/* Returns everything about a stream except its element count, which depends on the other
 * streams. */
static RpMshStream StreamOf(const RpNResEntry *entry) {
    return (RpMshStream){.data = entry->data,
                         .size = entry->data ? entry->size : 0,
                         .attr1 = entry->attr1,
                         .attr2 = entry->attr2,
                         .attr3 = entry->attr3,
                         .entry = (int32_t)entry->index,
                         .offset = entry->data_offset};
}

RpMshStream Msh_LabelsOf(const RpNResEntry *entry) {
    RpMshStream stream = StreamOf(entry);
    stream.count = RpMsh_CountLabels(&stream);
    return stream;
}

void Msh_FindStreams(const RpNResEntries *entries, RpMsh *msh) {
    memset(msh, 0, sizeof *msh);
    for (uint32_t type = 0; type < RP_MSH_TYPE_LIMIT; type++)
        msh->streams[type].entry = RP_NO_INDEX;
    for (uint32_t i = 0; i < entries->count; i++) {
        RpNResEntry entry = RpNResEntries_Get(entries, i);
        if (RpMsh_StreamName(entry.type)) {
            RpMshStream *stream = &msh->streams[entry.type];
            if (stream->entry != RP_NO_INDEX)
                msh->repeated |= (uint32_t)1 << entry.type;
            else
                *stream = StreamOf(&entry);
        }
    }
    msh->directory_offset = entries->image ? entries->image->directory_offset : 0;
    msh->frame_count = msh->streams[RP_MSH_FRAME_MAP].attr2;
    msh->node_stride = msh->streams[RP_MSH_NODES].attr3 == RP_MSH_LEGACY_NODE_BYTES
                           ? RP_MSH_LEGACY_NODE_BYTES
                           : RP_MSH_NODE_BYTES;
    for (uint32_t type = 0; type < RP_MSH_TYPE_LIMIT; type++) {
        RpMshStream *stream = &msh->streams[type];
        const uint32_t header = type == RP_MSH_SLOTS ? RP_MSH_HEADER_BYTES : 0;
        const uint32_t stride = RpMsh_Stride(msh, type);
        if (!stream->data || stream->size < header)
            continue;
        if (type == RP_MSH_LABELS) {
            stream->count = RpMsh_CountLabels(stream);
        } else if (type == RP_MSH_PATHS) {
            uint32_t fitting = stream->size / RP_MSH_PATH_VERTEX_BYTES;
            stream->count = stream->attr1 < fitting ? stream->attr1 : fitting;
        } else if (stride > 0) {
            stream->count = (stream->size - header) / stride;
        }
    }
}

RpSkeleton Msh_SkeletonOf(const RpMsh *msh) {
    const RpMshStream *nodes = &msh->streams[RP_MSH_NODES], *keys = &msh->streams[RP_MSH_KEYS];
    const RpMshStream *map = &msh->streams[RP_MSH_FRAME_MAP];
    return (RpSkeleton){.nodes = nodes->data,
                        .node_bytes = nodes->count * RP_MSH_NODE_BYTES,
                        .keys = keys->data,
                        .key_bytes = keys->count * RP_MSH_KEY_BYTES,
                        .frame_map = map->data,
                        .frame_map_bytes = map->count * MAP_WORD_BYTES,
                        .frame_count = msh->frame_count};
}

RpStatus RpMsh_Skeleton(const RpMsh *msh, RpSkeleton *skeleton, RpError *error) {
    const RpMshStream *nodes = &msh->streams[RP_MSH_NODES], *keys = &msh->streams[RP_MSH_KEYS];
    if (msh->node_stride != RP_MSH_NODE_BYTES)
        return RpError_Set(error, RP_UNSUPPORTED, nodes->offset,
                           "nodes of the legacy stride 24 cannot be posed", "Res1, nodes",
                           "stride 38", "stride 24");
    if (nodes->count == 0)
        return RpError_Set(error, RP_NOT_FOUND, nodes->offset, "the model has no nodes",
                           "Res1, nodes", "one node or more", "none");
    if (keys->count == 0)
        return RpError_Set(error, RP_NOT_FOUND, keys->offset, "the model has no keys", "Res8, keys",
                           "one key or more", "none");
    *skeleton = Msh_SkeletonOf(msh);
    return RP_OK;
}

/* ---- texts ----------------------------------------------------------------------------------- */

RpMshTexts RpMsh_Texts(const RpMsh *msh, uint32_t type) {
    static const RpMshStream none = {.entry = RP_NO_INDEX};
    bool known = type == RP_MSH_NAMES || type == RP_MSH_LABELS;
    return (RpMshTexts){.stream = known ? &msh->streams[type] : &none, .type = type};
}

static uint32_t TextLength(const uint8_t *text, uint32_t room) {
    const uint8_t *end = memchr(text, 0, room);
    return end ? (uint32_t)(end - text) : room;
}

bool RpMshTexts_Next(RpMshTexts *texts, const char **text, uint32_t *length) {
    *text = NULL;
    *length = 0;
    if (texts->node >= texts->stream->count)
        return false;
    const uint8_t *at = texts->stream->data + texts->offset;
    if (texts->type == RP_MSH_NAMES) {
        *length = TextLength(at, RP_MSH_NAME_BYTES);
        texts->offset += RP_MSH_NAME_BYTES;
    } else {
        *length = TextLength(at + 4, Bytes_U32(at));
        at += 4;
        texts->offset = LabelEnd(texts->stream, texts->offset);
    }
    *text = *length ? (const char *)at : NULL;
    texts->node++;
    return true;
}

const char *RpMsh_Text(const RpMsh *msh, uint32_t type, uint32_t node, uint32_t *length) {
    RpMshTexts texts = RpMsh_Texts(msh, type);
    const char *text = NULL;
    *length = 0;
    if (node >= texts.stream->count)
        return NULL;
    if (type == RP_MSH_NAMES) {
        texts.node = node;
        texts.offset = node * RP_MSH_NAME_BYTES;
    }
    while (texts.node <= node && RpMshTexts_Next(&texts, &text, length)) {
    }
    return text;
}
