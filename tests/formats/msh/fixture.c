#include "fixture.h"
#include "exports/reading_table.h"

#include "core/bytes.h"

#include <stdlib.h>
#include <string.h>

/* ---- the walker ------------------------------------------------------------------------------ */

/* Bit 0 of a corner's number is x, bit 1 is y and bit 2 is z. Faces are counter-clockwise when seen
 * from outside. */
static const uint16_t block_indices[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                           2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

enum { VERTICES = WALKER_SLOTS * WALKER_BLOCK_VERTICES };

static void MakeBlock(float (*positions)[3], int8_t (*normals)[4], uint16_t (*uv)[2],
                      const float low[3], const float high[3]) {
    for (int i = 0; i < WALKER_BLOCK_VERTICES; i++)
        for (int axis = 0; axis < 3; axis++) {
            positions[i][axis] = i >> axis & 1 ? high[axis] : low[axis];
            normals[i][axis] = i >> axis & 1 ? 73 : -73;
            uv[i][axis & 1] = (uint16_t)(1000 * i + axis);
        }
}

static RpMshKey Key(float x, float y, float z, float time, int16_t a, int16_t b, int16_t c,
                    int16_t d) {
    return (RpMshKey){.position = {x, y, z}, .time = time, .rotation = {a, b, c, d}};
}

static Image Write(RpNResArchive *archive) {
    OWNED(RpBuffer) buffer = {0};
    assert_int_equal(RpNResArchive_Write(archive, RP_NRES_CANONICAL, &buffer, NULL), RP_OK);
    return Image_Copy(&(Image){buffer.bytes, buffer.size});
}

Image Walker_Make(bool lit) {
    static const float lows[WALKER_SLOTS][3] = {
        {-2, -3, 0}, {-1.5F, -2.5F, 0}, {-1, -1, 0}, {-0.25F, 0, -0.25F}};
    static const float highs[WALKER_SLOTS][3] = {
        {2, 3, 1.5F}, {1.5F, 2.5F, 1}, {1, 1.25F, 0.75F}, {0.25F, 4, 0.5F}};
    static const uint16_t none = RP_MSH_NONE;
    float positions[VERTICES][3];
    int8_t normals[VERTICES][4] = {{0}};
    uint16_t uv[VERTICES][2];
    uint8_t res15[VERTICES][8];
    RpMshBatchDescription batches[WALKER_SLOTS];
    RpMshSlotDescription slots[WALKER_SLOTS];
    memset(slots, 0, sizeof slots);
    for (uint32_t s = 0; s < WALKER_SLOTS; s++) {
        uint32_t first = s * WALKER_BLOCK_VERTICES;
        MakeBlock(positions + first, normals + first, uv + first, lows[s], highs[s]);
        batches[s] = (RpMshBatchDescription){.material = (uint16_t)(s + 1),
                                             .row = (uint8_t)s,
                                             .lightmap = 0xFF,
                                             .portal = RP_MSH_NONE,
                                             .base_vertex = first,
                                             .indices = block_indices,
                                             .index_count = 36};
        slots[s].first_batch = s;
        slots[s].batch_count = 1;
        slots[s].opaque[0] = 0xDEAD0000u + s;
    }
    for (size_t i = 0; i < sizeof res15; i++)
        res15[i / 8][i % 8] = (uint8_t)(7 * i);
    /* All keys turn, each about another axis, so that only one reading fits the box. */
    const RpMshKey keys[WALKER_KEYS] = {
        Key(0, 0, 2, 0, 28377, 0, 0, 16384),           Key(0, 1, 1.5F, 0, 32767, 0, 0, 0),
        Key(0, 1, 1.5F, 2, 23170, 0, 0, 23170),        Key(0, 1, 1.75F, 5, 0, 0, 0, 32767),
        Key(0.5F, 1.25F, 0.5F, 0, 30274, 12539, 0, 0), Key(3, 0, 0, 0, 26510, 0, 19260, 0)};
    RpMshNodeDescription nodes[WALKER_NODES] = {
        {.name = "body", .parent = RP_MSH_NONE, .flags = 0x10, .keys = keys, .key_count = 1},
        {.name = "turret", .label = "e_tur_tt", .parent = 0, .keys = keys + 1, .key_count = 3},
        {.name = "gun", .parent = 1, .keys = keys + 4, .key_count = 1},
        {.name = "Base_TM", .label = "central_1c", .parent = 0, .keys = keys + 5, .key_count = 1}};
    for (int n = 0; n < WALKER_NODES; n++)
        for (int w = 0; w < RP_MSH_SLOT_WORDS; w++)
            nodes[n].slots[w] = none;
    nodes[0].slots[0] = 0;
    nodes[0].slots[1] = 1;
    nodes[1].slots[0] = 2;
    nodes[2].slots[0] = 3;
    const RpMshProbe probe = {.node = 1, .position = {1, 2, 3}, .colour = {1, 0.5F, 0.25F, 1}};
    const RpMshDescription model = {.name = "walker.msh",
                                    .nodes = nodes,
                                    .node_count = WALKER_NODES,
                                    .slots = slots,
                                    .slot_count = WALKER_SLOTS,
                                    .batches = batches,
                                    .batch_count = WALKER_SLOTS,
                                    .vertex_count = VERTICES,
                                    .positions = (const float(*)[3])positions,
                                    .normals = (const int8_t(*)[4])normals,
                                    .uv0 = (const uint16_t(*)[2])uv,
                                    .res15 = (const uint8_t(*)[8])res15,
                                    .uv1 = lit ? (const uint16_t(*)[2])uv : NULL,
                                    .probes = &probe,
                                    .probe_count = lit ? 1 : 0,
                                    .nodes_attr2 = 77,
                                    .readings = {.choice = {[READING_KEY_ORDER] = 1}}};
    OWNED(RpNResArchive) archive = {0};
    assert_int_equal(RpMsh_Make(&model, &archive, NULL), RP_OK);
    return Write(&archive);
}

/* ---- images ---------------------------------------------------------------------------------- */

Image Image_Copy(const Image *image) {
    Image copy = {.bytes = malloc(image->size ? image->size : 1), .size = image->size};
    assert_non_null(copy.bytes);
    memcpy(copy.bytes, image->bytes, image->size);
    return copy;
}

void Image_Free(Image *image) {
    free(image->bytes);
    *image = (Image){0};
}

RpNRes Image_Open(const Image *image) {
    RpNRes archive = {0};
    assert_int_equal(RpNRes_Open(image->bytes, image->size, RP_TOLERANT, &archive, NULL), RP_OK);
    return archive;
}

RpMsh Image_OpenModel(const Image *image, RpReadMode mode) {
    RpNRes archive = Image_Open(image);
    RpMsh msh;
    RpError error;
    if (RpMsh_Open(RpNRes_Entries(&archive), mode, &msh, &error) != RP_OK)
        fail_msg("%s, %s: expected %s, found %s", error.what, error.where, error.expected,
                 error.found);
    return msh;
}

static RpNResEntry EntryOf(const Image *image, uint32_t type) {
    RpNRes archive = Image_Open(image);
    int32_t index = RpNRes_FindType(&archive, type, 0);
    assert_true(index >= 0);
    return RpNRes_Entry(&archive, (uint32_t)index);
}

uint32_t Image_Payload(const Image *image, uint32_t type, uint32_t at) {
    RpNResEntry entry = EntryOf(image, type);
    assert_true(at <= entry.size);
    return entry.data_offset + at;
}

uint32_t Image_Record(const Image *image, uint32_t type, uint32_t field) {
    return EntryOf(image, type).record_offset + field;
}

void Image_PutU16(Image *image, uint32_t at, uint16_t value) {
    image->bytes[at] = (uint8_t)value;
    image->bytes[at + 1] = (uint8_t)(value >> 8);
}

void Image_PutU32(Image *image, uint32_t at, uint32_t value) {
    Image_PutU16(image, at, (uint16_t)value);
    Image_PutU16(image, at + 2, (uint16_t)(value >> 16));
}

void Image_PutFloat(Image *image, uint32_t at, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    Image_PutU32(image, at, bits);
}

typedef enum Change { ADD, REPLACE, REMOVE } Change;

static void Rewrite(Image *image, Change change, uint32_t type, const void *data, uint32_t size) {
    RpNRes opened = Image_Open(image);
    OWNED(RpNResArchive) archive = {0};
    RpNResMember member = {.type = type, .name = "extra", .data = data, .size = size};
    assert_int_equal(RpNResArchive_Read(&archive, &opened, NULL), RP_OK);
    int32_t index = RpNResArchive_FindType(&archive, type);
    RpStatus status = RP_OK;
    if (change == ADD)
        status = RpNResArchive_Add(&archive, archive.count, &member, NULL);
    else if (change == REPLACE)
        status = RpNResArchive_Replace(&archive, (uint32_t)index, data, size, NULL);
    else
        status = RpNResArchive_Remove(&archive, (uint32_t)index, NULL);
    assert_int_equal(status, RP_OK);
    Image changed = Write(&archive);
    Image_Free(image);
    *image = changed;
}

void Image_Add(Image *image, uint32_t type, const void *data, uint32_t size) {
    Rewrite(image, ADD, type, data, size);
}

void Image_Replace(Image *image, uint32_t type, const void *data, uint32_t size) {
    Rewrite(image, REPLACE, type, data, size);
}

void Image_Remove(Image *image, uint32_t type) {
    Rewrite(image, REMOVE, type, NULL, 0);
}

/* ---- findings -------------------------------------------------------------------------------- */

static void Take(void *context, const RpFinding *finding) {
    Findings *findings = context;
    assert_true(findings->count < MOST_FINDINGS);
    findings->list[findings->count++] = *finding;
}

void Findings_Init(Findings *findings) {
    findings->count = 0;
    findings->sink = (RpFindingSink){.take = Take, .context = findings};
}

RpStatus Findings_Check(Findings *findings, const Image *image) {
    RpNRes archive = Image_Open(image);
    const RpMshCheckOptions options = {.repeats = UINT32_MAX};
    Findings_Init(findings);
    return RpMsh_Check(RpNRes_Entries(&archive), &options, &findings->sink, NULL);
}

const RpFinding *Findings_Of(const Findings *findings, const char *rule, RpSeverity severity,
                             uint32_t n) {
    for (uint32_t i = 0; i < findings->count; i++)
        if (strcmp(findings->list[i].rule, rule) == 0 && findings->list[i].severity == severity &&
            n-- == 0)
            return &findings->list[i];
    return NULL;
}

uint32_t Findings_Count(const Findings *findings, const char *rule) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < findings->count; i++)
        count += strcmp(findings->list[i].rule, rule) == 0;
    return count;
}
