/* Makes models with what no file of the game does, and with what no file may do: a variant for
 * every generator knob of facts/formats.md C.14 and for every rule of C.10. */
#include "core/bytes.h"
#include "formats/corpus/chain.h"
#include "formats/corpus/corpus_parts.h"
#include "ngi32/processor/modes.h"

#include <string.h>

/* ---- making ---------------------------------------------------------------------------------- */

typedef struct Edit {
    const RpReadings *readings;
    RpNResArchive archive;
    RpBuffer bytes; /* bytes of the stream that is being changed */
    RpError *error;
} Edit;

/* Changes one number in a stream. A negative `at` counts from the end of the stream. */
typedef struct Patch {
    uint32_t type;
    int32_t at;
    uint8_t width; /* 2 or 4 bytes; 0 for no patch */
    uint32_t value;
} Patch;

typedef struct Variant {
    const char *name, *what, *expected;
    CorpusChain chain; /* the usual chain if it has no nodes */
    Patch patches[3];
    RpStatus (*change)(Edit *edit);             /* changes the archive; may be null */
    RpStatus (*spoil)(RpBuffer *image, Edit *); /* changes the written image; may be null */
} Variant;

/* Four nodes, three boxes, keys at frames 0, 3, 6 and 9 of ten frames. Its streams: a node is 38
 * bytes, a slot 68 behind 140 of header, a triangle 16, a key 24, a batch 20, a map block 10 words.
 * A node's keys are 4 n to 4 n + 3. */
static const CorpusChain usual = {
    .nodes = 4, .boxes = 3, .keys = 4, .spacing = 3, .label = "central_1c"};

enum { NODE = 38, SLOT = 68, SLOTS = 140, TRIANGLE = 16, KEY = 24, BATCH = 20, BLOCK = 20 };
enum { NAN_BITS = 0x7FC00000, ONE_BITS = 0x3F800000, TWO_AND_HALF = 0x40200000 };

static uint32_t MemberOf(const Edit *edit, uint32_t type) {
    const int32_t index = RpNResArchive_FindType(&edit->archive, type);
    return index < 0 ? 0 : (uint32_t)index;
}

static RpStatus Load(Edit *edit, uint32_t type) {
    const RpNResMember *member = &edit->archive.members[MemberOf(edit, type)];
    edit->bytes.size = 0;
    RpBuffer_Append(&edit->bytes, member->data, member->size);
    return edit->bytes.failed ? RpMemory_Refused(edit->error, "a variant of the corpus") : RP_OK;
}

static RpStatus Store(Edit *edit, uint32_t type) {
    if (edit->bytes.failed)
        return RpMemory_Refused(edit->error, "a variant of the corpus");
    return RpNResArchive_Replace(&edit->archive, MemberOf(edit, type), edit->bytes.bytes,
                                 edit->bytes.size, edit->error);
}

static RpStatus Cut(Edit *edit, uint32_t type, uint32_t bytes) {
    const RpStatus status = Load(edit, type);
    if (status)
        return status;
    edit->bytes.size -= bytes;
    return Store(edit, type);
}

static RpStatus Append(Edit *edit, uint32_t type, const void *bytes, size_t size) {
    const RpStatus status = Load(edit, type);
    if (status)
        return status;
    RpBuffer_Append(&edit->bytes, bytes, size);
    return Store(edit, type);
}

/* ---- streams --------------------------------------------------------------------------------- */

static RpStatus AddCopy(Edit *edit, uint32_t type, uint32_t as) {
    RpNResMember member = edit->archive.members[MemberOf(edit, type)];
    RpStatus status = Load(edit, type);
    if (status)
        return status;
    member.type = as;
    member.data = edit->bytes.bytes;
    member.offset = 0;
    return RpNResArchive_Add(&edit->archive, edit->archive.count, &member, edit->error);
}

static RpStatus DuplicateNames(Edit *edit) {
    return AddCopy(edit, RP_MSH_NAMES, RP_MSH_NAMES);
}

static RpStatus DuplicatePositions(Edit *edit) {
    return AddCopy(edit, RP_MSH_POSITIONS, RP_MSH_POSITIONS);
}

static RpStatus AddUnknownTypes(Edit *edit) {
    static const uint32_t types[3] = {12, 21, 0x414F4C46};
    RpStatus status = RP_OK;
    for (int i = 0; i < 3 && !status; i++)
        status = AddCopy(edit, RP_MSH_NAMES, types[i]);
    return status;
}

static RpStatus ShuffleStreams(Edit *edit) {
    RpStatus status = RP_OK;
    for (uint32_t i = 0; i < edit->archive.count && !status; i++)
        status = RpNResArchive_Move(&edit->archive, i * 7 % edit->archive.count,
                                    i * 3 % edit->archive.count, edit->error);
    return status;
}

static RpStatus RemoveBatches(Edit *edit) {
    return RpNResArchive_Remove(&edit->archive, MemberOf(edit, RP_MSH_BATCHES), edit->error);
}

static RpStatus RemoveLabels(Edit *edit) {
    return RpNResArchive_Remove(&edit->archive, MemberOf(edit, RP_MSH_LABELS), edit->error);
}

/* The game gives all streams of a model the same name, but nothing requires it. */
static RpStatus NameStreams(Edit *edit) {
    static const char *const names[5] = {"a", "B.msh", "a", "Zz_9", "-"};
    RpStatus status = RP_OK;
    for (uint32_t i = 0; i < edit->archive.count && !status; i++)
        status = RpNResArchive_Rename(&edit->archive, i, names[i % 5], edit->error);
    return status;
}

static RpStatus FillNameTails(Edit *edit) {
    for (uint32_t i = 0; i < edit->archive.count; i++) {
        char *name = edit->archive.members[i].name;
        for (size_t c = strlen(name) + 1; c < RP_NRES_NAME_BYTES; c++)
            name[c] = (char)('a' + (c + i) % 26);
    }
    return RP_OK;
}

/* ---- attributes ------------------------------------------------------------------------------ */

static RpStatus CountTooMany(Edit *edit) {
    edit->archive.members[MemberOf(edit, RP_MSH_KEYS)].attr1++;
    return RP_OK;
}

static RpStatus StrideOfKeys(Edit *edit) {
    edit->archive.members[MemberOf(edit, RP_MSH_KEYS)].attr3 = KEY;
    return RP_OK;
}

static RpStatus SetAttr2(Edit *edit) {
    edit->archive.members[MemberOf(edit, RP_MSH_POSITIONS)].attr2 = 7;
    return RP_OK;
}

static RpStatus StrideOf40(Edit *edit) {
    edit->archive.members[MemberOf(edit, RP_MSH_NODES)].attr3 = 40;
    return RP_OK;
}

static RpStatus TakeFrame(Edit *edit) {
    edit->archive.members[MemberOf(edit, RP_MSH_FRAME_MAP)].attr2--;
    return RP_OK;
}

static RpStatus NoFrames(Edit *edit) {
    edit->archive.members[MemberOf(edit, RP_MSH_FRAME_MAP)].attr2 = 0;
    return RP_OK;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static RpStatus TailPositions(Edit *edit) {
    return Append(edit, RP_MSH_POSITIONS, "tail", 4);
}

static RpStatus CutNormals(Edit *edit) {
    edit->archive.members[MemberOf(edit, RP_MSH_NORMALS)].attr1--;
    return Cut(edit, RP_MSH_NORMALS, 4);
}

static RpStatus AddTriangle(Edit *edit) {
    static const uint8_t alone[TRIANGLE] = {0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    edit->archive.members[MemberOf(edit, RP_MSH_TRIANGLES)].attr1++;
    return Append(edit, RP_MSH_TRIANGLES, alone, sizeof alone);
}

static RpStatus CutLabels(Edit *edit) {
    return Cut(edit, RP_MSH_LABELS, 3);
}

static RpStatus TailLabels(Edit *edit) {
    return Append(edit, RP_MSH_LABELS, "tail", 4);
}

/* Adds a vertex that nothing uses to the end of every stream that has one element for each vertex.
 */
static RpStatus AddVertex(Edit *edit) {
    static const uint32_t types[] = {RP_MSH_POSITIONS, RP_MSH_NORMALS, RP_MSH_UV0, RP_MSH_RES15};
    static const uint32_t sizes[] = {12, 4, 4, 8};
    static const uint8_t zeros[12];
    RpStatus status = RP_OK;
    for (int i = 0; i < 4 && !status; i++) {
        edit->archive.members[MemberOf(edit, types[i])].attr1++;
        status = Append(edit, types[i], zeros, sizes[i]);
    }
    return status;
}

/* Inserts four words that belong to no block between the second block and the third. */
static RpStatus OpenMapGap(Edit *edit) {
    enum { AT = 2 * BLOCK, GAP = 8 };
    const RpStatus status = Load(edit, RP_MSH_FRAME_MAP);
    if (status)
        return status;
    if (!RpBuffer_Extend(&edit->bytes, GAP))
        return Store(edit, RP_MSH_FRAME_MAP);
    memmove(edit->bytes.bytes + AT + GAP, edit->bytes.bytes + AT, edit->bytes.size - AT - GAP);
    edit->archive.members[MemberOf(edit, RP_MSH_FRAME_MAP)].attr1 += GAP / 2;
    return Store(edit, RP_MSH_FRAME_MAP);
}

/* ---- images ---------------------------------------------------------------------------------- */

static void AddU32(uint8_t *at, uint32_t value) {
    Bytes_PutU32(at, Bytes_U32(at) + value);
}

/* Puts bytes that no entry points to in front of the first payload, as in Textures.lib of the
 * second part (facts/formats.md A.4). Everything behind them moves. */
static RpStatus InsertRegion(RpBuffer *image, Edit *edit) {
    enum { REGION = 64 };
    RpNRes archive;
    const RpStatus status =
        RpNRes_Open(image->bytes, image->size, RP_STRICT, &archive, edit->error);
    if (status)
        return status;
    const uint32_t count = archive.count, directory = archive.directory_offset + REGION;
    if (!RpBuffer_Extend(image, REGION))
        return RpMemory_Refused(edit->error, "a variant of the corpus");
    uint8_t *bytes = image->bytes;
    memmove(bytes + RP_NRES_HEADER_BYTES + REGION, bytes + RP_NRES_HEADER_BYTES,
            image->size - RP_NRES_HEADER_BYTES - REGION);
    for (uint32_t i = 0; i < REGION; i++)
        bytes[RP_NRES_HEADER_BYTES + i] = (uint8_t)(0xA0 + i);
    for (uint32_t i = 0; i < count; i++)
        AddU32(bytes + directory + (size_t)i * RP_NRES_RECORD_BYTES + 56, REGION);
    AddU32(bytes + 12, REGION);
    return RP_OK;
}

static RpStatus FillPadding(RpBuffer *image, Edit *edit) {
    RpNRes archive;
    const RpStatus status =
        RpNRes_Open(image->bytes, image->size, RP_STRICT, &archive, edit->error);
    for (uint32_t i = 0; !status && i < archive.count; i++) {
        const RpNResEntry entry = RpNRes_Entry(&archive, i);
        for (uint32_t at = entry.data_offset + entry.size; at % RP_NRES_ALIGNMENT; at++)
            image->bytes[at] = 0xEE;
    }
    return status;
}

/* ---- table ----------------------------------------------------------------------------------- */

static const Variant variants[] = {
    {"chain", "the usual chain, with nothing wrong in it", "", {0}, {{0}}, NULL, NULL},
    /* what the game's files do not do, but are allowed to do */
    {"res16",
     "a stream of type 16",
     "",
     {.nodes = 4, .boxes = 3, .keys = 1, .res16 = true},
     {{0}},
     NULL,
     NULL},
    {"keys-dense",
     "a key on every frame",
     "",
     {.nodes = 3, .boxes = 3, .keys = 120, .spacing = 1},
     {{0}},
     NULL,
     NULL},
    {"keys-sparse",
     "two keys, a thousand frames apart",
     "",
     {.nodes = 3, .boxes = 3, .keys = 2, .spacing = 1000},
     {{0}},
     NULL,
     NULL},
    {"pool-65534",
     "as many keys as 16 bits number",
     "",
     {.nodes = 1, .boxes = 1, .keys = 65534, .spacing = 1},
     {{0}},
     NULL,
     NULL},
    {"chain-2000",
     "two thousand nodes, each on the one before",
     "",
     {.nodes = 2000, .boxes = 8, .keys = 2, .spacing = 8},
     {{0}},
     NULL,
     NULL},
    {"empty",
     "one node, no geometry, all other streams empty",
     "",
     {.nodes = 1, .keys = 1},
     {{0}},
     NULL,
     NULL},
    {"name-35",
     "directory names of 35 characters",
     "",
     {.nodes = 2, .boxes = 1, .keys = 1, .name = "a_name_of_the_greatest_length_a.msh"},
     {{0}},
     NULL,
     NULL},
    {"name-tails",
     "bytes behind the NUL of directory names",
     "N19",
     {0},
     {{0}},
     FillNameTails,
     NULL},
    {"names-differ", "streams that are not all named alike", "", {0}, {{0}}, NameStreams, NULL},
    {"labels-cyrillic",
     "labels in Windows-1251",
     "",
     {.nodes = 4, .boxes = 1, .keys = 1, .label = "\xE1\xE0\xF8\xED\xFF_\xB8"},
     {{0}},
     NULL,
     NULL},
    {"streams-shuffled", "streams in another order", "", {0}, {{0}}, ShuffleStreams, NULL},
    {"types-unknown",
     "streams of types that nobody knows",
     "M34",
     {0},
     {{0}},
     AddUnknownTypes,
     NULL},
    {"region-unindexed",
     "bytes before the first payload that no entry points to",
     "N14",
     {0},
     {{0}},
     NULL,
     InsertRegion},
    {"padding-filled", "padding that is not zero", "N13", {0}, {{0}}, NULL, FillPadding},
    {"types-twice", "stream 9 twice", "M01", {0}, {{0}}, DuplicateNames, NULL},
    {"key-times-fractional",
     "a key between two frames",
     "M24",
     {0},
     {{RP_MSH_KEYS, KEY * 5 + 12, 4, TWO_AND_HALF}},
     NULL,
     NULL},
    {"key-times-late",
     "a track whose first key is not at frame 0",
     "M24 M28",
     {0},
     {{RP_MSH_KEYS, KEY * 4 + 12, 4, ONE_BITS}},
     NULL,
     NULL},
    {"map-above-fallback",
     "map words above the fallback",
     "M23",
     {0},
     {{RP_MSH_FRAME_MAP, 18, 2, 9}, {RP_MSH_FRAME_MAP, BLOCK + 18, 2, 0xFFFE}},
     NULL,
     NULL},
    {"map-wrong-segment",
     "a map word that names another segment of its track",
     "M28",
     {0},
     {{RP_MSH_FRAME_MAP, BLOCK + 8, 2, 6}},
     NULL,
     NULL},
    {"map-foreign-track",
     "a map word that names a key of the node before",
     "M23",
     {0},
     {{RP_MSH_FRAME_MAP, BLOCK * 2 + 4, 2, 1}},
     NULL,
     NULL},
    {"map-gap",
     "words of the map between two blocks",
     "M27",
     {0},
     {{RP_MSH_NODES, NODE * 2 + 4, 2, 24}, {RP_MSH_NODES, NODE * 3 + 4, 2, 34}},
     OpenMapGap,
     NULL},
    {"map-shared",
     "two nodes with one block of the map",
     "M23 M27",
     {0},
     {{RP_MSH_NODES, NODE * 2 + 4, 2, 10}},
     NULL,
     NULL},
    {"rotations-odd",
     "rotations: all zero, of half length, of components -32768",
     "M29",
     {0},
     {{RP_MSH_KEYS, KEY * 1 + 20, 4, 0},
      {RP_MSH_KEYS, KEY * 2 + 20, 4, 0x3FFF0000},
      {RP_MSH_KEYS, KEY * 3 + 16, 4, 0x80008000}},
     NULL,
     NULL},
    {"labels-tail", "bytes behind the last label", "M18", {0}, {{0}}, TailLabels, NULL},
    {"labels-missing", "no labels", "M18", {0}, {{0}}, RemoveLabels, NULL},
    /* what files are not allowed to do, by the rules of C.10 */
    {"broken-m01", "no batches", "M01 M09", {0}, {{0}}, RemoveBatches, NULL},
    {"broken-m01-twice", "stream 3 twice", "M01", {0}, {{0}}, DuplicatePositions, NULL},
    {"broken-m02",
     "a stream that ends in a part of an element",
     "M02",
     {0},
     {{0}},
     TailPositions,
     NULL},
    {"broken-m03",
     "an attr1 that is not the number of elements",
     "M03",
     {0},
     {{0}},
     CountTooMany,
     NULL},
    {"broken-m04", "the stride in attr3 of the keys", "M04", {0}, {{0}}, StrideOfKeys, NULL},
    {"broken-m05", "an attr2 that is not 0", "M05", {0}, {{0}}, SetAttr2, NULL},
    {"broken-m06", "nodes of 40 bytes", "M06", {0}, {{0}}, StrideOf40, NULL},
    {"broken-m07", "fewer normals than vertices", "M07", {0}, {{0}}, CutNormals, NULL},
    {"broken-m08",
     "a slot word that names no slot",
     "M08",
     {0},
     {{RP_MSH_NODES, 8, 2, 3}},
     NULL,
     NULL},
    {"broken-m09",
     "a slot with more batches than there are",
     "M09",
     {0},
     {{RP_MSH_SLOTS, SLOTS + 2 * SLOT + 6, 2, 3}},
     NULL,
     NULL},
    {"broken-m10",
     "a slot whose radius is no number",
     "M10",
     {0},
     {{RP_MSH_SLOTS, SLOTS + 44, 4, NAN_BITS}},
     NULL,
     NULL},
    {"broken-m11",
     "a batch that reaches past the vertices",
     "M11 M16",
     {0},
     {{RP_MSH_BATCHES, -4, 4, 49}},
     NULL,
     NULL},
    {"broken-m12",
     "a batch that ends in a part of a triangle",
     "M12 M14",
     {0},
     {{RP_MSH_BATCHES, -12, 2, 17}},
     NULL,
     NULL},
    {"broken-m13",
     "a batch of a wrong vertex count",
     "M13",
     {0},
     {{RP_MSH_BATCHES, 14, 2, 2}},
     NULL,
     NULL},
    {"broken-m14",
     "batches that do not follow one another",
     "M13 M14",
     {0},
     {{RP_MSH_BATCHES, 10, 4, 18}, {RP_MSH_BATCHES, BATCH + 10, 4, 0}},
     NULL,
     NULL},
    {"broken-m15", "a triangle record too many", "M15 M16 M17", {0}, {{0}}, AddTriangle, NULL},
    {"broken-m16",
     "a neighbour that does not exist",
     "M16",
     {0},
     {{RP_MSH_TRIANGLES, 2, 2, 36}},
     NULL,
     NULL},
    {"broken-m17",
     "a face normal that is none",
     "M17",
     {0},
     {{RP_MSH_TRIANGLES, 8, 4, 0x01000100}, {RP_MSH_TRIANGLES, 12, 2, 0x0100}},
     NULL,
     NULL},
    {"broken-m18", "a label that is cut off", "M18", {0}, {{0}}, CutLabels, NULL},
    {"broken-m19",
     "nodes that are their own ancestors",
     "M19",
     {0},
     {{RP_MSH_NODES, 2, 2, 2}},
     NULL,
     NULL},
    {"broken-m20",
     "a fallback key that does not exist",
     "M20 M22",
     {0},
     {{RP_MSH_NODES, NODE * 3 + 6, 2, 16}},
     NULL,
     NULL},
    {"broken-m21",
     "a map block that does not exist",
     "M21 M27",
     {0},
     {{RP_MSH_NODES, NODE * 3 + 4, 2, 31}},
     NULL,
     NULL},
    {"broken-m22",
     "a map word at the last key, below a fallback that does not exist",
     "M20 M22",
     {0},
     {{RP_MSH_NODES, NODE * 3 + 6, 2, 17}, {RP_MSH_FRAME_MAP, -2, 2, 15}},
     NULL,
     NULL},
    {"broken-m24",
     "key times that do not increase",
     "M24",
     {0},
     {{RP_MSH_KEYS, KEY * 6 + 12, 4, ONE_BITS}},
     NULL,
     NULL},
    {"broken-m25",
     "fallbacks that do not increase",
     "M24 M25",
     {0},
     {{RP_MSH_NODES, NODE * 2 + 6, 2, 7}},
     NULL,
     NULL},
    {"broken-m26", "a frame count below the last key time", "M26 M27", {0}, {{0}}, TakeFrame, NULL},
    {"broken-m26-none", "no frames", "M26 M27", {0}, {{0}}, NoFrames, NULL},
    {"broken-m30",
     "a slot's box that is larger than its vertices' box",
     "M30",
     {0},
     {{RP_MSH_SLOTS, SLOTS + 28, 4, 0x41000000}},
     NULL,
     NULL},
    {"broken-m32", "a vertex that nothing uses", "M32", {0}, {{0}}, AddVertex, NULL},
    {"broken-m33",
     "a header whose sphere is no number",
     "M33",
     {0},
     {{RP_MSH_SLOTS, 96, 4, NAN_BITS}},
     NULL,
     NULL},
};

enum { VARIANTS = sizeof variants / sizeof *variants };

/* ---- all of it ------------------------------------------------------------------------------- */

uint32_t RpCorpus_VariantCount(void) {
    return VARIANTS;
}

RpCorpusVariant RpCorpus_VariantInfo(uint32_t index) {
    if (index >= VARIANTS)
        return (RpCorpusVariant){0};
    return (RpCorpusVariant){variants[index].name, variants[index].what, variants[index].expected};
}

RpStatus RpCorpus_Variant(const RpCorpus *corpus, uint32_t index, RpBuffer *image, RpError *error) {
    MODES_OF_C();
    if (index >= VARIANTS)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "there is no such variant of the corpus",
                           "", "", "");
    Edit edit = {.readings = &corpus->readings, .error = error};
    RpNResArchive_Init(&edit.archive, corpus->allocator);
    RpBuffer_Init(&edit.bytes, corpus->allocator);
    const Variant *variant = &variants[index];
    const CorpusChain *chain = variant->chain.nodes ? &variant->chain : &usual;
    RpStatus status = CorpusChain_Make(chain, edit.readings, &edit.archive, edit.error);
    if (!status && variant->change)
        status = variant->change(&edit);
    for (int i = 0; i < 3 && !status; i++) {
        const Patch *patch = &variant->patches[i];
        if (patch->width == 0)
            continue;
        status = Load(&edit, patch->type);
        if (status)
            break;
        const size_t at = patch->at < 0 ? edit.bytes.size - (size_t)-patch->at : (size_t)patch->at;
        for (uint32_t k = 0; k < patch->width && at + k < edit.bytes.size; k++)
            edit.bytes.bytes[at + k] = (uint8_t)(patch->value >> (8 * k));
        status = Store(&edit, patch->type);
    }
    if (!status)
        status = RpNResArchive_Write(&edit.archive, RP_NRES_CANONICAL, image, error);
    if (!status && variants[index].spoil)
        status = variants[index].spoil(image, &edit);
    RpBuffer_Free(&edit.bytes);
    RpNResArchive_Free(&edit.archive);
    return status;
}
