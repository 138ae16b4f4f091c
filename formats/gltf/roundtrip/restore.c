/* Corrections hold the bytes of a model that do not follow from its glTF content.
 *
 * The exporter imports what it has written, and compares. Where a stream has become different, the
 * difference is recorded in hunks: a place, the checksum of what an import makes there, and the
 * bytes that belong there. An importer applies a hunk only if it has made the same bytes again. So
 * it never undoes what somebody has edited. The directory is treated as one more stream. */
#include "formats/gltf/export/export.h"
#include "formats/gltf/import/import.h"

#include "animesh/records.h"
#include "core/bytes.h"
#include "core/text/encoding.h"
#include "formats/gltf/roundtrip/checksum.h"

#include <stdio.h>
#include <string.h>

enum {
    HUNK_HEADER_BYTES = 16, /* offset, size and checksum of the base; size of the replacement */
    HUNK_TARGET_BYTES = 64, /* neighbouring records share a hunk up to this size */
    DIRECTORY_RECORD_BYTES = 16 + RP_NRES_NAME_BYTES,
    MOST_ITEMS = 4096 /* streams of one model; the time of searching grows with the square */
};

typedef struct Span {
    const uint8_t *bytes; /* never null, so that addresses in it can be computed */
    size_t size;
} Span;

static Span SpanOf(const uint8_t *bytes, size_t size) {
    static const uint8_t nothing;
    return bytes ? (Span){bytes, size} : (Span){&nothing, 0};
}

/* Data that belong together across streams. A correction of one stream is useless or harmful
 * without those of the others. So if one hunk of a bond no longer fits, all hunks of the bond are
 * left out. */
typedef enum Bond {
    BOND_NONE,
    BOND_ANIMATION, /* keys, frame map, and the words of nodes that refer to them */
    BOND_TOPOLOGY,  /* indices, batches, counts, and what refers to them */
    BOND_COUNT
} Bond;

typedef struct Piece {
    uint8_t size, bond;
} Piece;

/* How a stream is divided for comparison: into records that consist of pieces. Each piece is kept
 * or replaced as a whole. */
typedef struct Division {
    size_t head; /* bytes in front of the records */
    Piece pieces[3];
    size_t record;
    bool joins; /* neighbouring records may share a hunk */
} Division;

static Division DivisionOf(uint32_t type) {
    static const Division bytes = {0, {{1, BOND_NONE}}, 1, true};
    static const Division divisions[RP_MSH_TYPE_LIMIT] = {
        [RP_MSH_NODES] = {0,
                          {{NODE_AT_map_start - NODE_AT_flags, BOND_NONE},
                           {NODE_AT_slots - NODE_AT_map_start, BOND_ANIMATION},
                           {NODE_BYTES - NODE_AT_slots, BOND_TOPOLOGY}},
                          NODE_BYTES,
                          false},
        [RP_MSH_SLOTS] = {HEADER_BYTES_OF_RES2,
                          {{SLOT_AT_low - SLOT_AT_first_triangle, BOND_TOPOLOGY},
                           {SLOT_AT_opaque - SLOT_AT_low, BOND_NONE},
                           {SLOT_BYTES - SLOT_AT_opaque, BOND_NONE}},
                          SLOT_BYTES,
                          false},
        [RP_MSH_POSITIONS] = {0, {{POSITION_BYTES, BOND_NONE}}, POSITION_BYTES, true},
        [RP_MSH_NORMALS] = {0, {{NORMAL_BYTES, BOND_NONE}}, NORMAL_BYTES, true},
        [RP_MSH_UV0] = {0, {{UV_BYTES, BOND_NONE}}, UV_BYTES, true},
        [RP_MSH_INDICES] = {0, {{INDEX_BYTES, BOND_TOPOLOGY}}, INDEX_BYTES, true},
        [RP_MSH_TRIANGLES] = {0, {{TRIANGLE_BYTES, BOND_NONE}}, TRIANGLE_BYTES, true},
        [RP_MSH_KEYS] = {0, {{KEY_BYTES, BOND_ANIMATION}}, KEY_BYTES, true},
        [RP_MSH_NAMES] = {0, {{NAME_BYTES_OF_RES9, BOND_NONE}}, NAME_BYTES_OF_RES9, true},
        [RP_MSH_BATCHES] = {0, {{BATCH_BYTES, BOND_TOPOLOGY}}, BATCH_BYTES, true},
        [RP_MSH_RES15] = {0, {{RES_15_BYTES, BOND_NONE}}, RES_15_BYTES, true},
        [RP_MSH_RES16] = {0, {{RES_16_BYTES, BOND_NONE}}, RES_16_BYTES, true},
        [RP_MSH_UV1] = {0, {{UV_BYTES, BOND_NONE}}, UV_BYTES, true},
        [RP_MSH_FRAME_MAP] = {0, {{MAP_WORD_BYTES, BOND_ANIMATION}}, MAP_WORD_BYTES, true},
        [RP_MSH_PROBES] = {0, {{PROBE_BYTES, BOND_NONE}}, PROBE_BYTES, true},
    };
    return type < RP_MSH_TYPE_LIMIT && divisions[type].record > 0 ? divisions[type] : bytes;
}

/* Returns the piece at `at`. If `end` is not null, it becomes the piece's end. */
static Piece PieceAt(const Division *division, size_t at, size_t *end) {
    const Piece head = {0, BOND_NONE};
    size_t start = division->head;
    int i = 0;
    if (at < division->head) {
        if (end)
            *end = division->head;
        return head;
    }
    start += (at - division->head) / division->record * division->record;
    while (i < 2 && at >= start + division->pieces[i].size)
        start += division->pieces[i++].size;
    if (end)
        *end = start + division->pieces[i].size;
    return division->pieces[i];
}

/* ---- comparing ------------------------------------------------------------------------------- */

static void PutHunk(Span base, size_t offset, size_t base_size, Span target, size_t target_size,
                    RpBuffer *hunks) {
    RpBuffer_AppendU32(hunks, (uint32_t)offset);
    RpBuffer_AppendU32(hunks, (uint32_t)base_size);
    RpBuffer_AppendU32(hunks, Checksum_OfBytes(base.bytes + offset, base_size));
    RpBuffer_AppendU32(hunks, (uint32_t)target_size);
    RpBuffer_Append(hunks, target.bytes + offset, target_size);
}

static size_t PieceEnd(const Division *division, size_t at, size_t size) {
    size_t end;
    PieceAt(division, at, &end);
    return end < size ? end : size;
}

static bool Differs(Span base, Span target, size_t at, size_t end) {
    return memcmp(base.bytes + at, target.bytes + at, end - at) != 0;
}

/* ---- applying -------------------------------------------------------------------------------- */

typedef struct Hunk {
    size_t offset, size; /* in the base */
    uint32_t crc;
    Span replacement;
} Hunk;

/* Reads the hunk at *at, which is moved behind it. Returns false at the end and for a damaged
 * hunk. `done` is where the hunk before it ended. */
static bool NextHunk(Span hunks, Span base, size_t done, size_t *at, Hunk *hunk) {
    if (hunks.size - *at < HUNK_HEADER_BYTES)
        return false;
    const uint8_t *header = hunks.bytes + *at;
    uint64_t offset = Bytes_U32(header), size = Bytes_U32(header + 4);
    uint32_t replacement = Bytes_U32(header + 12);
    if (offset < done || offset + size > base.size ||
        replacement > hunks.size - *at - HUNK_HEADER_BYTES)
        return false;
    *hunk = (Hunk){(size_t)offset, (size_t)size, Bytes_U32(header + 8),
                   (Span){header + HUNK_HEADER_BYTES, replacement}};
    *at += HUNK_HEADER_BYTES + replacement;
    return true;
}

/* If a stream with records of a known size becomes longer or shorter, counts in other streams
 * change, too. */
static Bond BondOf(uint32_t type, const Hunk *hunk) {
    const Division division = DivisionOf(type);
    Bond bond = (Bond)PieceAt(&division, hunk->offset, NULL).bond;
    if (bond == BOND_NONE && hunk->size != hunk->replacement.size && division.record > 1 &&
        type != RP_MSH_PROBES)
        return BOND_TOPOLOGY;
    return bond;
}

static bool Fits(Span base, const Hunk *hunk) {
    return Checksum_OfBytes(base.bytes + hunk->offset, hunk->size) == hunk->crc;
}

/* Marks the bonds of hunks that no longer fit. If `usable` is false, none of the hunks fits. */
static void FindStaleBonds(uint32_t type, Span base, Span hunks, bool usable,
                           bool stale[BOND_COUNT]) {
    const Span anything = {base.bytes, UINT32_MAX};
    size_t at = 0, done = 0;
    Hunk hunk;
    while (NextHunk(hunks, usable ? base : anything, done, &at, &hunk)) {
        if (!usable || !Fits(base, &hunk))
            stale[BondOf(type, &hunk)] = true;
        done = hunk.offset + hunk.size;
    }
    stale[BOND_NONE] = false;
}

/* ---- the directory as a stream --------------------------------------------------------------- */

static uint32_t Natural(uint32_t type, uint32_t size, uint32_t node_count) {
    const Division division = DivisionOf(type);
    if (type == RP_MSH_LABELS)
        return node_count;
    if (type >= RP_MSH_TYPE_LIMIT || division.record == 1 || size < division.head)
        return 0;
    return (uint32_t)((size - division.head) / division.record);
}

static uint32_t NodeCount(const RpNResArchive *archive) {
    int32_t index = RpNResArchive_FindType(archive, RP_MSH_NODES);
    return index < 0 ? 0 : archive->members[index].size / RP_MSH_NODE_BYTES;
}

static uint32_t FrameCount(const RpNResArchive *archive) {
    int32_t index = RpNResArchive_FindType(archive, RP_MSH_FRAME_MAP);
    return index < 0 ? 0 : archive->members[index].attr2;
}

/* Stores attributes as differences from the values that follow from the payloads. So after an edit
 * they are still right. */
static void PutDirectory(const RpNResArchive *archive, uint32_t frames, RpBuffer *bytes) {
    for (uint32_t i = 0; i < archive->count; i++) {
        const RpNResMember *member = &archive->members[i];
        uint32_t count = Natural(member->type, member->size, NodeCount(archive));
        RpBuffer_AppendU32(bytes, member->type);
        RpBuffer_AppendU32(bytes, member->attr1 - count);
        RpBuffer_AppendU32(bytes, member->attr2 - (member->type == RP_MSH_FRAME_MAP ? frames : 0));
        RpBuffer_AppendU32(bytes, member->attr3);
        RpBuffer_Append(bytes, member->name, RP_NRES_NAME_BYTES);
    }
}

/* ---- exporting ------------------------------------------------------------------------------- */

static Span StreamOf(const RpNResArchive *archive, uint32_t type, uint32_t ordinal) {
    for (uint32_t i = 0; i < archive->count; i++)
        if (archive->members[i].type == type && ordinal-- == 0)
            return SpanOf(archive->members[i].data, archive->members[i].size);
    return SpanOf(NULL, 0);
}

typedef struct Recorder {
    GltfExporter *exporter;
    cJSON *items; /* null until there is one */
} Recorder;

static cJSON *AddItem(Recorder *recorder, uint32_t type, uint32_t ordinal, size_t size) {
    GltfWriter *writer = &recorder->exporter->writer;
    if (!recorder->items)
        recorder->items = GltfWriter_Array(writer, recorder->exporter->extras, "restore");
    cJSON *item = GltfWriter_PushObject(writer, recorder->items);
    if (type == GLTF_ABSENT)
        GltfWriter_Text(writer, item, "type", "directory");
    else
        GltfWriter_Number(writer, item, "type", type);
    if (ordinal > 0)
        GltfWriter_Number(writer, item, "nth", ordinal);
    GltfWriter_Number(writer, item, "size", (double)size);
    return item;
}

static const Division directory_division = {
    0, {{DIRECTORY_RECORD_BYTES, BOND_NONE}}, DIRECTORY_RECORD_BYTES, true};

static void Record(Recorder *recorder, uint32_t type, uint32_t ordinal, Span base, Span target) {
    GltfWriter *writer = &recorder->exporter->writer;
    const RpAllocator *allocator = recorder->exporter->options->allocator;
    if (base.size == target.size &&
        (base.size == 0 || memcmp(base.bytes, target.bytes, base.size) == 0))
        return;
    RpBuffer hunks, text;
    RpBuffer_Init(&hunks, allocator);
    RpBuffer_Init(&text, allocator);
    const Division division = type == GLTF_ABSENT ? directory_division : DivisionOf(type);
    if (base.size == target.size) {
        for (size_t at = 0; at < base.size;) {
            size_t end = PieceEnd(&division, at, base.size), start = at;
            if (!Differs(base, target, at, end)) {
                at = end;
                continue;
            }
            while (division.joins && end < base.size && end - start < HUNK_TARGET_BYTES &&
                   Differs(base, target, end, PieceEnd(&division, end, base.size)))
                end = PieceEnd(&division, end, base.size);
            PutHunk(base, start, end - start, target, end - start, &hunks);
            at = end;
        }
    } else {
        /* Records one hunk: what lies between a common beginning and a common end. */
        size_t shorter = base.size < target.size ? base.size : target.size, start = 0, end = 0;
        while (start < shorter && base.bytes[start] == target.bytes[start])
            start++;
        while (end < shorter - start &&
               base.bytes[base.size - 1 - end] == target.bytes[target.size - 1 - end])
            end++;
        PutHunk(base, start, base.size - start - end, target, target.size - start - end, &hunks);
    }
    Base64_Encode(hunks.bytes, hunks.size, &text);
    RpBuffer_Append(&text, "", 1);
    if (hunks.failed || text.failed)
        writer->failed = true;
    else
        GltfWriter_Text(writer, AddItem(recorder, type, ordinal, base.size), "hunks",
                        (const char *)text.bytes);
    RpBuffer_Free(&hunks);
    RpBuffer_Free(&text);
}

static RpStatus TooManyStreams(RpError *error) {
    return Gltf_Bad(error, RP_UNSUPPORTED, "the model has too many streams",
                    "extras/retropose/restore", GLTF_ABSENT, "at most 4096");
}

RpStatus Restore_Add(GltfExporter *exporter, const RpNResArchive *model, RpError *error) {
    RpGltfImportOptions options = RpGltfImportOptions_Default();
    options.allocator = exporter->options->allocator;
    Importer importer = {.options = &options};
    Recorder recorder = {.exporter = exporter};
    RpNResArchive built;
    RpError reason = {0};
    RpNResArchive_Init(&built, options.allocator);
    RpStatus status =
        GltfDoc_FromTree(&importer.doc, exporter->writer.root, exporter->writer.bin.bytes,
                         exporter->writer.bin.size, &options, &reason);
    if (status == RP_OK)
        status = Importer_Make(&importer, &built, &reason);
    if (status == RP_OK && model->count > MOST_ITEMS)
        status = TooManyStreams(&reason);
    if (status == RP_OK) {
        for (uint32_t i = 0; i < model->count; i++) {
            const RpNResMember *member = &model->members[i];

            /* The ordinal is the number of members in front of this one that have the same type. */
            uint32_t ordinal = 0;
            for (uint32_t k = 0; k < i; k++)
                ordinal += model->members[k].type == model->members[i].type;
            Record(&recorder, member->type, ordinal, StreamOf(&built, member->type, ordinal),
                   SpanOf(member->data, member->size));
        }
        for (uint32_t i = 0; i < built.count; i++)
            if (RpNResArchive_FindType(model, built.members[i].type) < 0) {
                /* Records a stream that an import would make although the model does not have it.
                 */
                const RpNResMember *member = &built.members[i];
                cJSON *item = AddItem(&recorder, member->type, 0, member->size);
                GltfWriter_Number(&recorder.exporter->writer, item, "absent",
                                  Checksum_OfBytes(member->data, member->size));
            }

        /* The directory is corrected like a stream. */
        RpBuffer base, target;
        RpBuffer_Init(&base, recorder.exporter->options->allocator);
        RpBuffer_Init(&target, recorder.exporter->options->allocator);
        PutDirectory(&built, FrameCount(&built), &base);
        PutDirectory(model, FrameCount(&built), &target);
        recorder.exporter->writer.failed |= base.failed || target.failed;
        if (!recorder.exporter->writer.failed)
            Record(&recorder, GLTF_ABSENT, 0, SpanOf(base.bytes, base.size),
                   SpanOf(target.bytes, target.size));
        RpBuffer_Free(&base);
        RpBuffer_Free(&target);
    } else if (status != RP_NO_MEMORY) {
        /* Notes that the model is exported without corrections, because it cannot even be imported
         * (with more triangles than 16 bits can count, for example). */
        char what[160];
        snprintf(what, sizeof what, "an import will not give back the same bytes: %.100s",
                 reason.what);
        GltfExporter_Note(exporter, "G08", what, RP_MSH_NODES, RP_NO_INDEX, RP_NO_INDEX);
    }
    Importer_Free(&importer);
    RpNResArchive_Free(&built);
    if (status == RP_NO_MEMORY || exporter->writer.failed)
        return RpMemory_Refused(error, "glTF");
    return RP_OK;
}

/* ---- importing ------------------------------------------------------------------------------- */

/* A stream that corrections have made, or that is absent according to them. */
typedef struct Restored {
    uint32_t type, ordinal;
    RpBuffer bytes;
    bool absent, used;
} Restored;

typedef struct Restorer {
    const GltfDoc *doc;
    const RpNResArchive *built;
    Restored *streams;
    uint32_t count;
    bool stale[BOND_COUNT];
    RpBuffer directory;
    bool has_directory; /* the directory was corrected, which is done only once */
    bool failed;        /* memory was short */
} Restorer;

static void NoteStale(const Restorer *restorer, uint32_t type) {
    char subject[32];
    snprintf(subject, sizeof subject, type == GLTF_ABSENT ? "directory" : "Res%u", (unsigned)type);
    GltfDoc_Note(restorer->doc, "G37",
                 "what was kept of the original no longer fits after an edit: computed anew",
                 subject);
}

static bool DecodeHunks(Restorer *restorer, const cJSON *item, RpBuffer *hunks) {
    const char *text = Gltf_Text(item, "hunks");
    RpBuffer_Init(hunks, restorer->doc->options->allocator);
    bool decoded = text && Base64_Decode(text, strlen(text), hunks);
    restorer->failed |= hunks->failed;
    return decoded;
}

/* Puts the base with the item's hunks into `result`. */
static void ApplyItem(Restorer *restorer, const cJSON *item, uint32_t type, Span base,
                      RpBuffer *result) {
    RpBuffer hunks;
    bool decoded = DecodeHunks(restorer, item, &hunks);
    RpBuffer_Init(result, restorer->doc->options->allocator);
    if (decoded && Gltf_Index(item, "size") == base.size) {
        const Span rest = SpanOf(hunks.bytes, hunks.size);
        size_t done = 0, at = 0;
        bool all = true;
        Hunk hunk;
        for (size_t before = 0; NextHunk(rest, base, before, &at, &hunk);) {
            before = hunk.offset + hunk.size;
            if (restorer->stale[BondOf(type, &hunk)] || !Fits(base, &hunk)) {
                all = false;
                continue;
            }
            RpBuffer_Append(result, base.bytes + done, hunk.offset - done);
            RpBuffer_Append(result, hunk.replacement.bytes, hunk.replacement.size);
            done = before;
        }
        RpBuffer_Append(result, base.bytes + done, base.size - done);

        /* Some hunks did not fit, or they are damaged. */
        if (!all || at != rest.size)
            NoteStale(restorer, type);
    } else {
        RpBuffer_Append(result, base.bytes, base.size);
        NoteStale(restorer, type);
    }
    RpBuffer_Free(&hunks);
}

static Restored *FindRestored(const Restorer *restorer, uint32_t type, uint32_t ordinal) {
    for (uint32_t i = 0; i < restorer->count; i++)
        if (restorer->streams[i].type == type && restorer->streams[i].ordinal == ordinal)
            return &restorer->streams[i];
    return NULL;
}

static RpStatus AddMember(const Restorer *restorer, RpNResMember *member, uint32_t ordinal,
                          RpNResArchive *model, RpError *error) {
    Span payload = StreamOf(restorer->built, member->type, ordinal);
    Restored *stream = FindRestored(restorer, member->type, ordinal);
    if (stream) {
        payload = SpanOf(stream->bytes.bytes, stream->bytes.size);
        stream->used = true;
        if (stream->bytes.failed)
            return RpMemory_Refused(error, "streams");
    }
    member->data = payload.bytes;
    member->size = (uint32_t)payload.size;
    member->attr1 += Natural(member->type, member->size, NodeCount(restorer->built));
    if (member->type == RP_MSH_FRAME_MAP)
        member->attr2 += FrameCount(restorer->built);
    return RpNResArchive_Add(model, model->count, member, error);
}

static RpStatus Reassemble(const Restorer *restorer, RpNResArchive *model, RpError *error) {
    RpStatus status = RP_OK;
    if (restorer->failed || restorer->directory.failed)
        return RpMemory_Refused(error, "corrections");
    if (restorer->directory.size / DIRECTORY_RECORD_BYTES > MOST_ITEMS)
        return TooManyStreams(error);
    for (size_t at = 0; at + DIRECTORY_RECORD_BYTES <= restorer->directory.size && status == RP_OK;
         at += DIRECTORY_RECORD_BYTES) {
        RpNResMember member;
        uint32_t ordinal = 0;
        const uint8_t *record = restorer->directory.bytes + at;
        member = (RpNResMember){.type = Bytes_U32(record),
                                .attr1 = Bytes_U32(record + 4),
                                .attr2 = Bytes_U32(record + 8),
                                .attr3 = Bytes_U32(record + 12)};
        memcpy(member.name, record + 16, RP_NRES_NAME_BYTES);
        const Restored *stream = FindRestored(restorer, member.type, 0);
        if (stream && stream->absent)
            continue;
        for (uint32_t i = 0; i < model->count; i++)
            ordinal += model->members[i].type == member.type;
        status = AddMember(restorer, &member, ordinal, model, error);
    }
    if (status != RP_OK)
        return status;

    /* Adds streams that are not in the file's directory, because an edit has made them necessary or
     * the directory's corrections no longer fit. */
    for (uint32_t i = 0; i < restorer->built->count && status == RP_OK; i++) {
        RpNResMember member = restorer->built->members[i];
        const Restored *stream = FindRestored(restorer, member.type, 0);
        if (RpNResArchive_FindType(model, member.type) >= 0 || (stream && stream->absent))
            continue;
        member.attr1 -= Natural(member.type, member.size, NodeCount(restorer->built));
        if (member.type == RP_MSH_FRAME_MAP)
            member.attr2 -= FrameCount(restorer->built);
        status = AddMember(restorer, &member, 0, model, error);
    }
    for (uint32_t i = 0; i < restorer->count && status == RP_OK; i++) {
        const Restored *stream = &restorer->streams[i];
        RpNResMember member = {.type = stream->type};
        if (stream->used || stream->absent)
            continue;
        memcpy(member.name, restorer->built->members[0].name, sizeof member.name);
        status = AddMember(restorer, &member, stream->ordinal, model, error);
    }
    return status;
}

RpStatus Restore_Apply(const GltfDoc *doc, const cJSON *restore, const RpNResArchive *built,
                       RpNResArchive *model, RpError *error) {
    Restorer restorer = {.doc = doc, .built = built};
    uint32_t count = 0;
    const cJSON *items = cJSON_IsArray(restore) ? restore->child : NULL;
    for (const cJSON *item = items; item; item = item->next)
        count++;
    if (count > MOST_ITEMS + RP_MSH_TYPE_LIMIT) /* streams, absent ones, the directory */
        return TooManyStreams(error);
    RpBuffer_Init(&restorer.directory, doc->options->allocator);
    PutDirectory(built, FrameCount(built), &restorer.directory);
    restorer.streams = GltfDoc_Allocate(doc, count, sizeof *restorer.streams);
    if (!restorer.streams) {
        RpBuffer_Free(&restorer.directory);
        return RpMemory_Refused(error, "streams");
    }
    for (const cJSON *item = items; item; item = item->next) {
        uint32_t type = Gltf_Index(item, "type");
        uint32_t ordinal = Gltf_Member(item, "nth") ? Gltf_Index(item, "nth") : 0;
        RpBuffer hunks;
        if (type == GLTF_ABSENT || !Gltf_Member(item, "hunks"))
            continue;
        if (!DecodeHunks(&restorer, item, &hunks)) /* its bonds are unknown */
            restorer.stale[BOND_ANIMATION] = restorer.stale[BOND_TOPOLOGY] = true;
        const Span base = StreamOf(restorer.built, type, ordinal);
        FindStaleBonds(type, base, SpanOf(hunks.bytes, hunks.size),
                       Gltf_Index(item, "size") == base.size, restorer.stale);
        RpBuffer_Free(&hunks);
    }
    for (const cJSON *item = items; item; item = item->next) {
        uint32_t type = Gltf_Index(item, "type"), absent = Gltf_Index(item, "absent");
        uint32_t ordinal = Gltf_Member(item, "nth") ? Gltf_Index(item, "nth") : 0;
        const char *name = Gltf_Text(item, "type");
        if (name && strcmp(name, "directory") == 0) {
            if (restorer.has_directory)
                continue;
            restorer.has_directory = true;
            const Span base = SpanOf(restorer.directory.bytes, restorer.directory.size);
            RpBuffer result;
            ApplyItem(&restorer, item, GLTF_ABSENT, base, &result);
            RpBuffer_Free(&restorer.directory);
            restorer.directory = result;
            continue;
        }
        if (type == GLTF_ABSENT || ordinal == GLTF_ABSENT || FindRestored(&restorer, type, ordinal))
            continue;
        const Span base = StreamOf(restorer.built, type, ordinal);
        Restored *stream = &restorer.streams[restorer.count];
        *stream = (Restored){.type = type, .ordinal = ordinal};
        RpBuffer_Init(&stream->bytes, restorer.doc->options->allocator);
        if (Gltf_Member(item, "absent"))
            stream->absent = Checksum_OfBytes(base.bytes, base.size) == absent;
        else
            ApplyItem(&restorer, item, type, base, &stream->bytes);
        restorer.count += stream->absent || !Gltf_Member(item, "absent");
    }
    RpStatus status = Reassemble(&restorer, model, error);
    for (uint32_t i = 0; i < restorer.count; i++)
        RpBuffer_Free(&restorer.streams[i].bytes);
    GltfDoc_Release(doc, restorer.streams);
    RpBuffer_Free(&restorer.directory);
    return status;
}
