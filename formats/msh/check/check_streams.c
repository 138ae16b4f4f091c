/* Checks rules M01 to M07, M18 and M34: which streams exist, their sizes and attributes, and the
 * labels. */
#include "formats/msh/check/checker.h"

#include "core/bytes.h"

#include <inttypes.h>
#include <stdio.h>

/* The rules for the directory record of a type (facts/formats.md C.1). */
typedef struct StreamRule {
    uint32_t type;
    bool required;  /* for M01 */
    bool read;      /* the game's loader reads it, so that M02 and M03 are errors */
    uint32_t attr3; /* for M04: what the record must have */
    RpSeverity attr3_severity;
    bool any_attr3;  /* the right value is unknown, or another rule checks it */
    bool attr2_free; /* for M05 */
    bool per_vertex; /* for M07 */
} StreamRule;

static const StreamRule stream_rules[] = {
    {RP_MSH_NODES, true, true, 0, RP_SEVERITY_ERROR, true, true, false},
    {RP_MSH_SLOTS, true, true, SLOT_BYTES, RP_SEVERITY_ERROR, false, false, false},
    {RP_MSH_POSITIONS, true, true, POSITION_BYTES, RP_SEVERITY_ERROR, false, false, false},
    {RP_MSH_NORMALS, false, true, NORMAL_BYTES, RP_SEVERITY_ERROR, false, false, true},
    {RP_MSH_UV0, false, true, UV_BYTES, RP_SEVERITY_ERROR, false, false, true},
    {RP_MSH_INDICES, true, true, INDEX_BYTES, RP_SEVERITY_ERROR, false, false, false},
    {RP_MSH_TRIANGLES, false, true, TRIANGLE_BYTES, RP_SEVERITY_ERROR, false, false, false},
    {RP_MSH_KEYS, false, true, 4, RP_SEVERITY_ERROR, false, false, false},
    {RP_MSH_NAMES, false, false, 0, RP_SEVERITY_WARNING, true, false, false},
    {RP_MSH_LABELS, false, false, 0, RP_SEVERITY_WARNING, false, false, false},
    {RP_MSH_BATCHES, true, true, BATCH_BYTES, RP_SEVERITY_ERROR, false, false, false},
    {RP_MSH_RES15, false, true, RES_15_BYTES, RP_SEVERITY_ERROR, false, false, true},
    {RP_MSH_RES16, false, true, RES_16_BYTES, RP_SEVERITY_ERROR, false, false, true},
    {RP_MSH_PATHS, false, false, 0, RP_SEVERITY_WARNING, true, true, false},
    {RP_MSH_UV1, false, true, UV_BYTES, RP_SEVERITY_ERROR, false, false, true},
    {RP_MSH_FRAME_MAP, false, true, MAP_WORD_BYTES, RP_SEVERITY_ERROR, false, true, false},
    {RP_MSH_PROBES, false, false, PROBE_BYTES, RP_SEVERITY_WARNING, false, false, false},
};

enum { STREAM_RULES = sizeof stream_rules / sizeof *stream_rules };

static const RpMshStream *StreamOf(const MshChecker *checker, uint32_t type) {
    return &checker->msh->streams[type];
}

static bool IsThere(const MshChecker *checker, uint32_t type) {
    return StreamOf(checker, type)->entry != RP_NO_INDEX;
}

static bool IsRepeated(const MshChecker *checker, uint32_t type) {
    return checker->msh->repeated >> type & 1;
}

/* ---- M02 ------------------------------------------------------------------------------------- */

static void CheckSize(MshChecker *checker, const StreamRule *rule, RpSeverity severity) {
    const RpMshStream *stream = StreamOf(checker, rule->type);
    uint32_t stride = RpMsh_Stride(checker->msh, rule->type);
    uint32_t header = rule->type == RP_MSH_SLOTS ? RP_MSH_HEADER_BYTES : 0;
    if (stride == 0)
        return;
    MshPlace place = MshPlace_Record(checker, 2, severity, rule->type, NRES_AT_SIZE);
    if (stream->size < header)
        MshChecker_Report(checker, place, "the stream ends in its header",
                          "%" PRIu32 " bytes or more|%" PRIu32, header, stream->size);
    else if ((stream->size - header) % stride != 0)
        MshChecker_Report(checker, place, "the stream ends in a part of an element",
                          "%s%" PRIu32 " bytes an element|%" PRIu32,
                          header ? "140 bytes, then " : "", stride, stream->size);
}

/* ---- M18 ------------------------------------------------------------------------------------- */

/* Returns the bytes of the whole records. */
static uint32_t LabelBytes(const MshChecker *checker) {
    RpMshTexts texts = RpMsh_Texts(checker->msh, RP_MSH_LABELS);
    const char *text = NULL;
    uint32_t length = 0;
    while (RpMshTexts_Next(&texts, &text, &length)) {
    }
    return texts.offset;
}

/* To the game, a label ends at the first NUL, even if more bytes follow. */
static void CheckLabelTexts(MshChecker *checker) {
    RpMshTexts texts = RpMsh_Texts(checker->msh, RP_MSH_LABELS);
    const char *text = NULL;
    uint32_t length = 0, at = 0;
    while (RpMshTexts_Next(&texts, &text, &length)) {
        uint32_t stated = Bytes_U32(texts.stream->data + at);
        if (stated != length) {
            MshPlace place =
                MshPlace_Byte(checker, 18, RP_SEVERITY_WARNING, RP_MSH_LABELS, at + 4 + length);
            place.element = place.node = (int32_t)texts.node - 1;
            MshChecker_Report(checker, place, "a label has a NUL before its end",
                              "%" PRIu32 " characters|%" PRIu32, stated, length);
        }
        at = texts.offset;
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

void MshCheck_StreamErrors(MshChecker *checker) {
    for (int i = 0; i < STREAM_RULES; i++) {
        const StreamRule *rule = &stream_rules[i];
        if (rule->required) {
            MshPlace place =
                MshPlace_Record(checker, 1, RP_SEVERITY_ERROR, rule->type, NRES_AT_TYPE);
            if (!IsThere(checker, rule->type))
                MshChecker_Report(checker, place, "a required stream is missing",
                                  "one entry of type %" PRIu32 "|none", rule->type);
            else if (IsRepeated(checker, rule->type))
                MshChecker_Report(checker, place, "a required stream is there more than once",
                                  "one entry of type %" PRIu32 "|more; the first is used",
                                  rule->type);
        }
        if (!IsThere(checker, rule->type))
            continue;
        if (!StreamOf(checker, rule->type)->data) {
            MshChecker_Report(
                checker, MshPlace_Record(checker, 2, RP_SEVERITY_ERROR, rule->type, NRES_AT_SIZE),
                "the payload lies outside the data of the file", "a range inside|outside");
            continue;
        }
        if (rule->read)
            CheckSize(checker, rule, RP_SEVERITY_ERROR);
        const RpMshStream *stream = StreamOf(checker, rule->type);
        uint32_t count =
            rule->type == RP_MSH_LABELS ? StreamOf(checker, RP_MSH_NODES)->attr1 : stream->count;
        if ((rule->read || rule->type == RP_MSH_LABELS) && stream->attr1 != count)
            MshChecker_Report(
                checker, MshPlace_Record(checker, 3, RP_SEVERITY_ERROR, rule->type, NRES_AT_ATTR1),
                rule->type == RP_MSH_LABELS ? "attr1 is not the number of nodes"
                                            : "attr1 is not the number of elements",
                "%" PRIu32 "|%" PRIu32, count, stream->attr1);
        if (!rule->any_attr3 && stream->attr3 != rule->attr3)
            MshChecker_Report(
                checker,
                MshPlace_Record(checker, 4, rule->attr3_severity, rule->type, NRES_AT_ATTR3),
                "attr3 is not what streams of this type have", "%" PRIu32 "|%" PRIu32, rule->attr3,
                stream->attr3);
        uint32_t vertices = StreamOf(checker, RP_MSH_POSITIONS)->count;
        if (rule->per_vertex && stream->count != vertices)
            MshChecker_Report(
                checker, MshPlace_Record(checker, 7, RP_SEVERITY_ERROR, rule->type, NRES_AT_SIZE),
                "the stream has not one element a vertex", "%" PRIu32 " elements|%" PRIu32,
                vertices, stream->count);
    }

    /* M06: the records of nodes have one of two sizes. */
    uint32_t stride = StreamOf(checker, RP_MSH_NODES)->attr3;
    bool legacy = stride == RP_MSH_LEGACY_NODE_BYTES;
    if (IsThere(checker, RP_MSH_NODES) && stride != RP_MSH_NODE_BYTES) {
        MshPlace place = MshPlace_Record(checker, 6, legacy ? RP_SEVERITY_INFO : RP_SEVERITY_ERROR,
                                         RP_MSH_NODES, NRES_AT_ATTR3);
        MshChecker_Report(checker, place,
                          legacy ? "nodes of the legacy form are opaque and cannot be posed"
                                 : "nodes have an unknown stride",
                          "38|%" PRIu32, stride);
    }
    const RpMshStream *labels = StreamOf(checker, RP_MSH_LABELS);
    uint32_t nodes = StreamOf(checker, RP_MSH_NODES)->count;
    if (!labels->data || labels->count >= nodes)
        return;
    MshPlace place =
        MshPlace_Byte(checker, 18, RP_SEVERITY_ERROR, RP_MSH_LABELS, LabelBytes(checker));
    place.element = place.node = (int32_t)labels->count;
    MshChecker_Report(checker, place, "a label record is cut off, without its NUL, or missing",
                      "%" PRIu32 " records|%" PRIu32 " whole ones", nodes, labels->count);
}

void MshCheck_Streams(MshChecker *checker) {
    for (int i = 0; i < STREAM_RULES; i++) {
        const StreamRule *rule = &stream_rules[i];
        if (!rule->required && IsRepeated(checker, rule->type))
            MshChecker_Report(
                checker, MshPlace_Record(checker, 1, RP_SEVERITY_WARNING, rule->type, NRES_AT_TYPE),
                "a stream is there more than once",
                "at most one entry of type %" PRIu32 "|more; the first is used", rule->type);
        if (!IsThere(checker, rule->type))
            continue;
        if (!rule->read && StreamOf(checker, rule->type)->data)
            CheckSize(checker, rule, RP_SEVERITY_WARNING);
        const RpMshStream *stream = StreamOf(checker, rule->type);
        if (!rule->attr2_free && stream->attr2 != 0)
            MshChecker_Report(
                checker,
                MshPlace_Record(checker, 5, RP_SEVERITY_WARNING, rule->type, NRES_AT_ATTR2),
                "attr2 is not 0", "0|%" PRIu32, stream->attr2);
    }

    /* M02 for the path graph, whose elements have two sizes. */
    const RpMshStream *stream = StreamOf(checker, RP_MSH_PATHS);
    uint64_t expected = (uint64_t)stream->attr1 * RP_MSH_PATH_VERTEX_BYTES +
                        (uint64_t)stream->attr2 * RP_MSH_PATH_LINK_BYTES;
    if (IsThere(checker, RP_MSH_PATHS) && stream->size != expected)
        MshChecker_Report(
            checker, MshPlace_Record(checker, 2, RP_SEVERITY_WARNING, RP_MSH_PATHS, NRES_AT_SIZE),
            "the path graph has another size than its attributes say",
            "20 bytes x attr1 + 40 bytes x attr2 = %" PRIu64 "|%" PRIu32, expected, stream->size);

    /* The game looks labels up without asking whether there are any (AniMesh 0x10012530). */
    if (!IsThere(checker, RP_MSH_LABELS))
        MshChecker_Report(
            checker, MshPlace_Record(checker, 18, RP_SEVERITY_WARNING, RP_MSH_LABELS, NRES_AT_TYPE),
            "there are no labels", "one entry of type 10|none");
    const RpMshStream *labels = StreamOf(checker, RP_MSH_LABELS);
    uint32_t nodes = StreamOf(checker, RP_MSH_NODES)->count, at = 0;
    if (labels->data && labels->count >= nodes) {
        RpMshTexts texts = RpMsh_Texts(checker->msh, RP_MSH_LABELS);
        const char *text = NULL;
        uint32_t length = 0;
        while (texts.node < nodes && RpMshTexts_Next(&texts, &text, &length))
            at = texts.offset;
        if (at < labels->size)
            MshChecker_Report(checker,
                              MshPlace_Byte(checker, 18, RP_SEVERITY_WARNING, RP_MSH_LABELS, at),
                              "there are bytes after the last node's label",
                              "%" PRIu32 " bytes|%" PRIu32, at, labels->size);
    }
    CheckLabelTexts(checker);
    for (uint32_t i = 0; i < checker->entries->count; i++) {
        RpNResEntry entry = RpNResEntries_Get(checker->entries, i);
        if (RpMsh_StreamName(entry.type))
            continue;
        const MshPlace place = {
            .rule = 34,
            .severity = RP_SEVERITY_INFO,
            .stream = entry.type <= INT32_MAX ? (int32_t)entry.type : RP_NO_INDEX,
            .entry = (int32_t)i,
            .node = RP_NO_INDEX,
            .element = RP_NO_INDEX,
            .offset = checker->msh->directory_offset ? entry.record_offset : RP_NOWHERE};
        MshChecker_Report(checker, place, "a stream of unknown type, kept as it is",
                          "a type of the table|%" PRIu32, entry.type);
    }
}
