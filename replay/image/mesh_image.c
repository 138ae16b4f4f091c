#include "replay/image/mesh_image.h"

#include "animesh/streams.h"
#include "exports/animesh_offsets.h"
#include "tracefile/format.h"

#include <stdlib.h>
#include <string.h>

/* ---- the two layouts -------------------------------------------------------------------------
 */

typedef enum FieldKind {
    FIELD_NUMBERS, /* a field with the same bytes in both records */
    FIELD_POINTER, /* a pointer into the trace, which has a relocation for it */
    /* a pointer out of the trace: a dword in the trace, and as wide as a pointer here */
    FIELD_FOREIGN
} FieldKind;

typedef struct Field {
    uint16_t offset, native; /* the offsets in the 32-bit record and in this process's record */
    uint16_t bytes;          /* the size in the 32-bit record */
    FieldKind kind;
} Field;

#define SIZE_u8  1
#define SIZE_i32 4
#define SIZE_u32 4
#define SIZE_f32 4
#define SIZE_ref 4
#define SIZE_any 4
#define KIND_u8  FIELD_NUMBERS
#define KIND_i32 FIELD_NUMBERS
#define KIND_u32 FIELD_NUMBERS
#define KIND_f32 FIELD_NUMBERS
#define KIND_ref FIELD_POINTER
#define KIND_any FIELD_FOREIGN

#define FIELD(record, offset, type, count, name)                                                   \
    {offset, offsetof(record, name), SIZE_##type * (count), KIND_##type},
#define MESH_FIELD(offset, type, count, name)   FIELD(Mesh, offset, type, count, name)
#define PIECE_FIELD(offset, type, count, name)  FIELD(Piece, offset, type, count, name)
#define READER_FIELD(offset, type, count, name) FIELD(Reader, offset, type, count, name)

static const Field mesh_fields[] = {ABI_MESH_FIELDS(MESH_FIELD)};
static const Field piece_fields[] = {ABI_PIECE_FIELDS(PIECE_FIELD)};
static const Field reader_fields[] = {ABI_READER_FIELDS(READER_FIELD)};

#define FIELD_COUNT(fields) (sizeof(fields) / sizeof *(fields))

/* Copies the numbers of a record. Its pointers are left to the caller. */
static void ToRecord(const Field *fields, size_t count, const uint8_t *bytes, void *record) {
    uint8_t *native = record;
    for (size_t i = 0; i < count; i++) {
        const Field *field = &fields[i];
        if (field->kind == FIELD_NUMBERS) {
            memcpy(native + field->native, bytes + field->offset, field->bytes);
        } else if (field->kind == FIELD_FOREIGN) {
            const uintptr_t value = Bytes_U32(bytes + field->offset);
            memcpy(native + field->native, &value, sizeof value);
        }
    }
}

static void ToBytes(const Field *fields, size_t count, const void *record, uint8_t *bytes) {
    const uint8_t *native = record;
    for (size_t i = 0; i < count; i++) {
        const Field *field = &fields[i];
        if (field->kind == FIELD_NUMBERS) {
            memcpy(bytes + field->offset, native + field->native, field->bytes);
        } else if (field->kind == FIELD_FOREIGN) {
            uintptr_t value;
            memcpy(&value, native + field->native, sizeof value);
            Bytes_PutU32(bytes + field->offset, (uint32_t)value);
        }
    }
}

/* ---- freezing --------------------------------------------------------------------------------
 */

RpStatus MeshImage_Freeze(const Mesh *mesh, uint32_t id, const MeshImageReader *readers,
                          size_t reader_count, MeshImage *image, RpError *error) {
    /* What only the process that made the object can use is cleared. The handle of a worn object is
     * a number, so it is kept. */
    Mesh copy = *mesh;
    copy.animation = copy.mesh2 = copy.joint_mesh = copy.collision_mesh = 0;
    copy.save = copy.query = copy.material_manager = copy.life_system = copy.shade = 0;
    copy.views = copy.worn_manager = 0;

    memset(image, 0, sizeof *image);
    image->size = MeshImage_PieceOffset(mesh->piece_count);
    image->bytes = calloc(1, image->size);
    image->relocations = calloc(mesh->piece_count + 1u, sizeof *image->relocations);
    if (!image->bytes || !image->relocations) {
        MeshImage_Free(image);
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a frozen mesh", "", "",
                           "");
    }
    ToBytes(mesh_fields, FIELD_COUNT(mesh_fields), &copy, image->bytes);
    image->relocations[image->relocation_count++] =
        (TraceRelocation){MESH_AT_pieces, id, MESH_IMAGE_PIECES};

    RpStatus status = RP_OK;
    const Piece *pieces = (const Piece *)(const void *)mesh->pieces;
    for (uint32_t i = 0; i < mesh->piece_count && !status; i++) {
        const uint32_t offset = MeshImage_PieceOffset(i);
        const MeshImageReader *reader = NULL;
        for (size_t k = 0; k < reader_count && !reader; k++)
            if ((const uint8_t *)readers[k].reader == pieces[i].reader)
                reader = &readers[k];
        ToBytes(piece_fields, FIELD_COUNT(piece_fields), &pieces[i], image->bytes + offset);
        if (reader)
            image->relocations[image->relocation_count++] =
                (TraceRelocation){offset + PIECE_AT_reader, reader->memory, reader->offset};
        else if (pieces[i].reader)
            status =
                RpError_Set(error, RP_NOT_FOUND, i, "a piece has a reader that is in no memory", "",
                            "one of the list", "another");
    }
    if (status)
        MeshImage_Free(image);
    return status;
}

void MeshImage_Free(MeshImage *image) {
    free(image->bytes);
    free(image->relocations);
    memset(image, 0, sizeof *image);
}

uint32_t MeshImage_FreezeReader(const Reader *reader, const uint8_t *base, size_t size, uint32_t id,
                                uint8_t bytes[ABI_READER_SIZE],
                                TraceRelocation relocations[MESH_IMAGE_READER_RELOCATIONS]) {
    const uint8_t *native = (const void *)reader;
    uint32_t count = 0;
    memset(bytes, 0, ABI_READER_SIZE);
    ToBytes(reader_fields, FIELD_COUNT(reader_fields), reader, bytes);
    for (size_t i = 0; i < FIELD_COUNT(reader_fields); i++) {
        const Field *field = &reader_fields[i];
        const uint8_t *pointer;
        if (field->kind != FIELD_POINTER)
            continue;
        memcpy(&pointer, native + field->native, sizeof pointer);
        if (pointer >= base && pointer <= base + size && count < MESH_IMAGE_READER_RELOCATIONS)
            relocations[count++] = (TraceRelocation){field->offset, id, (uint32_t)(pointer - base)};
    }
    return count;
}

/* ---- what is kept of a trace -----------------------------------------------------------------
 */

/* The reader must be the first member, because MeshState_Model finds the model by it. */
typedef struct ThawedReader {
    Reader reader;
    MeshModel model;
} ThawedReader;

struct MeshState {
    bool good;
    const uint8_t *bytes; /* as the trace has them */
    uint32_t size, pieces_offset, piece_count;
    uint8_t *before, *after; /* the object before and after the current call */
    Mesh mesh;
    Piece *pieces;
};

/* Pointers to separate allocations, found by a number. */
typedef struct Found {
    TraceIds ids;
    void **items;
    uint32_t capacity;
} Found;

struct MeshStates {
    const TraceReader *reader;
    Found readers; /* keyed by the id of the memory and the offset */
    Found states;  /* keyed by the id of the memory */
};

static void *FindItem(const Found *found, uint64_t id) {
    uint32_t index;
    return TraceIds_Find(&found->ids, id, &index) ? found->items[index] : NULL;
}

/* Returns false where memory is short. */
static bool AddItem(Found *found, uint64_t id, void *item) {
    const uint32_t index = found->ids.count;
    if (index == found->capacity) {
        const uint32_t capacity = found->capacity * 2 + 16;
        void **items = realloc(found->items, capacity * sizeof *items);
        if (!items)
            return false;
        found->items = items;
        found->capacity = capacity;
    }
    found->items[index] = item;
    return TraceIds_Add(&found->ids, id, index) == RP_OK;
}

static void DropItems(Found *found) {
    free(found->items);
    TraceIds_Free(&found->ids);
    *found = (Found){0};
}

MeshStates *MeshStates_Create(void) {
    return calloc(1, sizeof(MeshStates));
}

void MeshStates_SetMemory(MeshStates *states, const TraceReader *reader) {
    for (uint32_t i = 0; i < states->states.ids.count; i++) {
        MeshState *state = states->states.items[i];
        free(state->before);
        free(state->after);
        free(state->pieces);
        free(state);
    }
    for (uint32_t i = 0; i < states->readers.ids.count; i++)
        free(states->readers.items[i]);
    DropItems(&states->states);
    DropItems(&states->readers);
    states->reader = reader;
}

void MeshStates_Destroy(MeshStates *states) {
    if (states)
        MeshStates_SetMemory(states, NULL);
    free(states);
}

/* ---- readers ---------------------------------------------------------------------------------
 */

/* Gives the bytes from the place where a pointer leads to the end of that memory. The original
 * knows no other end, either. */
static bool FollowPointer(const TraceReader *reader, uint32_t memory, uint32_t offset,
                          MeshStream *bytes) {
    const TraceRelocation *relocation = TraceReader_Relocation(reader, memory, offset);
    *bytes = (MeshStream){NULL, 0};
    if (!relocation)
        return true;
    const TraceMemory *target = TraceReader_Memory(reader, relocation->target);
    if (!target || relocation->target_offset > target->size)
        return false;
    *bytes = (MeshStream){target->bytes + relocation->target_offset,
                          target->size - relocation->target_offset};
    return true;
}

typedef struct Streams {
    MeshStream nodes, header, slots, positions, normals, uv0, keys, frame_map, strings, triangles,
        batches, indices, probes, uv1;
} Streams;

static MeshStream Elements(MeshStream bytes, uint32_t stride) {
    return (MeshStream){bytes.data, bytes.count / stride};
}

static bool FillReader(const TraceReader *trace, const TraceMemory *memory, uint32_t offset,
                       ThawedReader *thawed) {
    Streams streams;
    ToRecord(reader_fields, FIELD_COUNT(reader_fields), memory->bytes + offset, &thawed->reader);
    for (size_t i = 0; i < FIELD_COUNT(reader_fields); i++) {
        MeshStream target;
        if (reader_fields[i].kind != FIELD_POINTER)
            continue;
        if (!FollowPointer(trace, memory->id, offset + reader_fields[i].offset, &target))
            return false;
        memcpy((uint8_t *)&thawed->reader + reader_fields[i].native, &target.data,
               sizeof target.data);
    }
    const struct {
        uint32_t field;
        MeshStream *stream;
    } rows[] = {
        {READER_AT_nodes, &streams.nodes},     {READER_AT_header, &streams.header},
        {READER_AT_slots, &streams.slots},     {READER_AT_positions, &streams.positions},
        {READER_AT_normals, &streams.normals}, {READER_AT_uv0, &streams.uv0},
        {READER_AT_keys, &streams.keys},       {READER_AT_frame_map, &streams.frame_map},
        {READER_AT_strings, &streams.strings}, {READER_AT_triangles, &streams.triangles},
        {READER_AT_batches, &streams.batches}, {READER_AT_indices, &streams.indices},
        {READER_AT_res20, &streams.probes},    {READER_AT_uv1_stream, &streams.uv1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!FollowPointer(trace, memory->id, offset + rows[i].field, rows[i].stream))
            return false;
    thawed->model = (MeshModel){
        .pose = {.nodes = streams.nodes.data,
                 .node_bytes = streams.nodes.count,
                 .keys = streams.keys.data,
                 .key_bytes = streams.keys.count,
                 .frame_map = streams.frame_map.data,
                 .frame_map_bytes = streams.frame_map.count,
                 .frame_count = thawed->reader.frame_count},
        .bounded = true,
        .header = streams.header.count >= HEADER_BYTES_OF_RES2 ? streams.header.data : NULL,
        .slots = Elements(streams.slots, SLOT_BYTES),
        .positions = Elements(streams.positions, POSITION_BYTES),
        .normals = Elements(streams.normals, NORMAL_BYTES),
        .uv0 = Elements(streams.uv0, UV_BYTES),
        .uv1 = Elements(streams.uv1, UV_BYTES),
        .indices = Elements(streams.indices, INDEX_BYTES),
        .triangles = Elements(streams.triangles, TRIANGLE_BYTES),
        .batches = Elements(streams.batches, BATCH_BYTES),
        .probes = Elements(streams.probes, PROBE_BYTES),
        .strings = streams.strings.data,
        .string_bytes = streams.strings.count};
    return true;
}

static const Reader *Thaw(MeshStates *states, uint32_t id, uint32_t offset) {
    const uint64_t key = (uint64_t)id << 32 | offset;
    const ThawedReader *known = FindItem(&states->readers, key);
    if (known)
        return &known->reader;
    const TraceMemory *memory = TraceReader_Memory(states->reader, id);
    if (!memory || offset > memory->size || memory->size - offset < ABI_READER_SIZE)
        return NULL;
    ThawedReader *thawed = calloc(1, sizeof *thawed);
    if (!thawed)
        return NULL;
    if (!FillReader(states->reader, memory, offset, thawed) ||
        !AddItem(&states->readers, key, thawed)) {
        free(thawed);
        return NULL;
    }
    return &thawed->reader;
}

const MeshModel *MeshState_Model(const MeshContext *context, const Reader *reader,
                                 MeshModel *scratch) {
    (void)context;
    (void)scratch;
    return &((const ThawedReader *)(const void *)reader)->model;
}

/* ---- objects ---------------------------------------------------------------------------------
 */

static bool Fill(MeshStates *states, const TraceMemory *memory, MeshState *state) {
    const TraceReader *trace = states->reader;
    const TraceRelocation *own = memory->size >= MESH_IMAGE_PIECES
                                     ? TraceReader_Relocation(trace, memory->id, MESH_AT_pieces)
                                     : NULL;
    if (!own || own->target != memory->id || own->target_offset > memory->size ||
        own->target_offset < ABI_MESH_SIZE || own->target_offset % 4 != 0)
        return false;
    state->pieces_offset = own->target_offset;
    state->piece_count = Bytes_U32(memory->bytes + MESH_AT_piece_count);
    if (state->piece_count > (memory->size - own->target_offset) / ABI_PIECE_SIZE)
        return false;

    state->bytes = memory->bytes;
    state->size = memory->size;
    state->before = malloc(memory->size);
    state->after = malloc(memory->size);
    state->pieces = calloc(state->piece_count + 1u, sizeof *state->pieces);
    if (!state->before || !state->after || !state->pieces)
        return false;

    for (uint32_t i = 0; i < state->piece_count; i++) {
        const uint32_t at = state->pieces_offset + i * ABI_PIECE_SIZE + PIECE_AT_reader;
        const TraceRelocation *link = TraceReader_Relocation(trace, memory->id, at);
        const Reader *reader = link ? Thaw(states, link->target, link->target_offset) : NULL;
        if (link && !reader)
            return false;
        state->pieces[i].reader = (const uint8_t *)reader;
    }
    return true;
}

/* A memory that is not an object is kept, too, so that it is not examined again for every call. */
MeshState *MeshStates_Find(MeshStates *states, uint32_t id) {
    MeshState *state = FindItem(&states->states, id);
    if (state)
        return state->good ? state : NULL;
    const TraceMemory *memory = TraceReader_Memory(states->reader, id);
    state = memory ? calloc(1, sizeof *state) : NULL;
    if (!state)
        return NULL;
    if (!AddItem(&states->states, id, state)) {
        free(state);
        return NULL;
    }
    state->good = Fill(states, memory, state);
    return state->good ? state : NULL;
}

/* ---- one call --------------------------------------------------------------------------------
 */

Mesh *MeshState_Enter(MeshState *state, const uint32_t *patches, uint32_t patch_count) {
    const uint32_t first = state->pieces_offset;
    memcpy(state->before, state->bytes, state->size);
    for (uint32_t i = 0; i < patch_count; i++) {
        const uint32_t offset = patches[2 * i];
        const bool is_pointer =
            offset == MESH_AT_pieces ||
            (offset >= first && (offset - first) / ABI_PIECE_SIZE < state->piece_count &&
             (offset - first) % ABI_PIECE_SIZE == PIECE_AT_reader);
        if (offset % 4 != 0 || offset > state->size - 4 || is_pointer)
            return NULL;
        Bytes_PutU32(state->before + offset, patches[2 * i + 1]);
    }

    ToRecord(mesh_fields, FIELD_COUNT(mesh_fields), state->before, &state->mesh);
    state->mesh.pieces = (const uint8_t *)state->pieces;
    for (uint32_t i = 0; i < state->piece_count; i++)
        ToRecord(piece_fields, FIELD_COUNT(piece_fields),
                 state->before + first + i * ABI_PIECE_SIZE, &state->pieces[i]);
    if (state->mesh.piece_count > state->piece_count)
        return NULL;

    /* Every piece must come after its parent, or have none. */
    for (uint32_t i = 0; i < state->piece_count; i++) {
        const int32_t parent = state->pieces[i].parent;
        if (parent >= (int32_t)i && (uint32_t)parent < state->piece_count)
            return NULL;
    }
    return &state->mesh;
}

Piece *MeshState_PieceAt(MeshState *state, uint32_t offset) {
    if (offset < state->pieces_offset || (offset - state->pieces_offset) % ABI_PIECE_SIZE != 0)
        return NULL;
    const uint32_t index = (offset - state->pieces_offset) / ABI_PIECE_SIZE;
    return index < state->piece_count ? &state->pieces[index] : NULL;
}

bool MeshState_Leave(MeshState *state, const uint32_t *ranges, uint32_t range_count,
                     uint32_t *contents, bool *outside) {
    uint32_t checked = 0; /* nothing before this offset has changed outside of the ranges */
    memcpy(state->after, state->before, state->size);
    ToBytes(mesh_fields, FIELD_COUNT(mesh_fields), &state->mesh, state->after);
    for (uint32_t i = 0; i < state->piece_count; i++)
        ToBytes(piece_fields, FIELD_COUNT(piece_fields), &state->pieces[i],
                state->after + state->pieces_offset + i * ABI_PIECE_SIZE);

    *outside = false;
    for (uint32_t i = 0; i < range_count; i++) {
        const uint32_t offset = ranges[2 * i], count = ranges[2 * i + 1];
        if (offset < checked || offset > state->size || count > (state->size - offset) / 4)
            return false;
        *outside |= memcmp(state->before + checked, state->after + checked, offset - checked) != 0;
        memcpy(contents, state->after + offset, 4 * (size_t)count);
        contents += count;
        checked = offset + 4 * count;
    }
    *outside |= memcmp(state->before + checked, state->after + checked, state->size - checked) != 0;
    return true;
}
