/* Finds where two models differ: in streams, in nodes by name, in elements field by field, in
 * poses. */
#include "core/arithmetic/trig.h"
#include "exports/reading_table.h"
#include "retropose/msh_text.h"

#include "animesh/records.h"
#include "core/bytes.h"
#include "core/callers.h"
#include "core/text/encoding.h"
#include "formats/msh/read/find_streams.h"
#include "formats/msh/read/node_names.h"
#include "formats/msh/text/align.h"
#include "formats/msh/text/fields.h"
#include "ngi32/processor/modes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Side {
    RpNRes archive;
    RpMsh msh;
    uint32_t *order; /* numbers of the nodes, ordered by name */
    uint32_t nodes;
} Side;

typedef struct Diff {
    Side a, b;
    const RpMshDiffOptions *options;
    RpMshDiffTake take;
    void *context;
    RpMshDiffResult *result;
    uint32_t most, told, untold; /* numbers of differences in the current stream */
    RpArithmetic pose;
    uint32_t *match; /* for each node of a: the node of b, or RP_MSH_NONE */
    MshAlignment keys, vertices;
    /* For each index of Res6: the vertex that its batch adds to it, that is, the batch's base. Null
     * if there is no such list. */
    uint32_t *bases_a, *bases_b;
} Diff;

/* ---- telling --------------------------------------------------------------------------------- */

static RpMshDifference New(RpMshDifferenceKind kind, int32_t stream) {
    return (RpMshDifference){
        .kind = kind, .stream = stream, .node = RP_NO_INDEX, .element = RP_NO_INDEX};
}

static void HandOver(const Diff *diff, const RpMshDifference *difference) {
    if (!diff->take)
        return;
    const bool changed = Callers_Enter();
    diff->take(diff->context, difference);
    Callers_Leave(changed);
}

static void Tell(Diff *diff, const RpMshDifference *difference) {
    diff->result->count++;
    if (diff->told >= diff->most) {
        diff->untold++;
        return;
    }
    diff->told++;
    HandOver(diff, difference);
}

static void BeginStream(Diff *diff) {
    diff->told = diff->untold = 0;
}

static void EndStream(Diff *diff, int32_t stream, const char *name) {
    if (diff->untold == 0)
        return;
    RpMshDifference rest = New(RP_MSH_REST, stream);
    snprintf(rest.place, sizeof rest.place, "%s", name);
    snprintf(rest.a, sizeof rest.a, "%" PRIu32, diff->untold);
    HandOver(diff, &rest);
}

static void StreamName(uint32_t type, char *name, size_t size) {
    const char *known = RpMsh_StreamName(type);
    snprintf(name, size, "Res%" PRIu32 "%s%s", type, known ? " " : "", known ? known : "");
}

/* ---- streams --------------------------------------------------------------------------------- */

typedef struct Pair {
    RpNResEntry a, b;
    char name[40];
} Pair;

static void TellNumbers(Diff *diff, RpMshDifferenceKind kind, const Pair *pair, const char *what,
                        uint32_t a, uint32_t b) {
    if (a == b)
        return;
    RpMshDifference difference = New(kind, (int32_t)pair->a.type);
    snprintf(difference.place, sizeof difference.place, "%s %s", pair->name, what);
    snprintf(difference.a, sizeof difference.a, "%" PRIu32, a);
    snprintf(difference.b, sizeof difference.b, "%" PRIu32, b);
    Tell(diff, &difference);
}

/* ---- keys and vertices ----------------------------------------------------------------------- */

/* The streams that have an element for each vertex. The number of vertices is that of the
 * positions. */
static const uint32_t vertex_types[] = {RP_MSH_POSITIONS, RP_MSH_NORMALS, RP_MSH_UV0,
                                        RP_MSH_UV1,       RP_MSH_RES15,   RP_MSH_RES16};
_Static_assert(sizeof vertex_types / sizeof *vertex_types <= MSH_ALIGN_MOST_COLUMNS, "columns");

/* Takes those of these streams that, in both models, have one element for each element of the first
 * one. */
static void TakeRows(const Diff *diff, const uint32_t *types, size_t type_count, MshRows *a,
                     MshRows *b) {
    const RpMsh *of_a = &diff->a.msh, *of_b = &diff->b.msh;
    *a = (MshRows){.count = RpMsh_Count(of_a, types[0])};
    *b = (MshRows){.count = RpMsh_Count(of_b, types[0])};
    for (size_t i = 0; i < type_count; i++) {
        const uint32_t type = types[i], column = a->columns;
        if (RpMsh_Count(of_a, type) != a->count || RpMsh_Count(of_b, type) != b->count)
            continue;
        a->data[column] = of_a->streams[type].data;
        b->data[column] = of_b->streams[type].data;
        a->size[column] = b->size[column] = RpMsh_Stride(of_a, type);
        a->columns = b->columns = column + 1;
    }
}

/* Writes for each index of Res6 the base of the first batch that has it. Batches of a damaged model
 * may share indices; where they share too many, the rest is left out. */
static void ListBases(const RpMsh *msh, uint32_t *bases) {
    RpMshBatch batch;
    const uint32_t count = RpMsh_Count(msh, RP_MSH_INDICES);
    uint64_t left = 16 * (uint64_t)count;
    memset(bases, 0, count * sizeof *bases);
    for (uint32_t i = RpMsh_Count(msh, RP_MSH_BATCHES); i-- > 0 && RpMsh_Batch(msh, i, &batch);)
        for (uint32_t at = batch.first_index, n = batch.index_count;
             n > 0 && at < count && left > 0; at++, n--, left--)
            bases[at] = batch.base_vertex;
}

static RpStatus AlignAll(Diff *diff, RpError *error) {
    static const uint32_t key_types[] = {RP_MSH_KEYS};
    const RpAllocator *allocator = diff->options->allocator;
    const size_t of_a = RpMsh_Count(&diff->a.msh, RP_MSH_INDICES);
    const size_t of_b = RpMsh_Count(&diff->b.msh, RP_MSH_INDICES);
    MshRows a, b;
    TakeRows(diff, key_types, 1, &a, &b);
    if (!MshAlignment_Make(&a, &b, allocator, &diff->keys))
        return RpMemory_Refused(error, "matching keys");
    TakeRows(diff, vertex_types, sizeof vertex_types / sizeof *vertex_types, &a, &b);
    if (!MshAlignment_Make(&a, &b, allocator, &diff->vertices))
        return RpMemory_Refused(error, "matching vertices");
    diff->bases_a = RpMemory_Resize(allocator, NULL, (of_a + of_b + 1) * sizeof *diff->bases_a);
    if (!diff->bases_a)
        return RpMemory_Refused(error, "matching vertices");
    diff->bases_b = diff->bases_a + of_a;
    ListBases(&diff->a.msh, diff->bases_a);
    ListBases(&diff->b.msh, diff->bases_b);
    return RP_OK;
}

/* Returns how the elements of a stream are matched, or null where that is by their numbers. */
static const MshAlignment *AlignmentOf(const Diff *diff, const Pair *pair) {
    const uint32_t type = pair->a.type;
    const MshAlignment *alignment = type == RP_MSH_KEYS ? &diff->keys : NULL;
    for (size_t i = 0; i < sizeof vertex_types / sizeof *vertex_types; i++)
        if (type == vertex_types[i])
            alignment = &diff->vertices;
    const bool known = alignment && pair->a.data == diff->a.msh.streams[type].data &&
                       pair->b.data == diff->b.msh.streams[type].data &&
                       RpMsh_Count(&diff->a.msh, type) == alignment->count_a &&
                       RpMsh_Count(&diff->b.msh, type) == alignment->count_b;
    return known ? alignment : NULL;
}

/* Returns whether two different numbers refer to the same key or vertex, or to one that only one of
 * the models has and that is reported by itself. `a` and `b` are the whole records. */
static bool RefersTheSame(const Diff *diff, uint32_t type, const MshField *field, const uint8_t *a,
                          const uint8_t *b, int32_t element) {
    const uint32_t at = field->offset;
    if (type == RP_MSH_FRAME_MAP)
        return MshAlignment_IsSame(&diff->keys, Bytes_U16(a), Bytes_U16(b));
    if (type == RP_MSH_NODES && at == NODE_AT_fallback)
        return MshAlignment_IsSame(&diff->keys, Bytes_U16(a + at), Bytes_U16(b + at));
    if (type == RP_MSH_INDICES && (uint32_t)element < RpMsh_Count(&diff->a.msh, type) &&
        (uint32_t)element < RpMsh_Count(&diff->b.msh, type))
        return MshAlignment_IsSame(&diff->vertices, diff->bases_a[element] + Bytes_U16(a),
                                   diff->bases_b[element] + Bytes_U16(b));
    if (type != RP_MSH_BATCHES || (at != BATCH_AT_base_vertex && at != BATCH_AT_vertex_count))
        return false;
    uint32_t edge_a = Bytes_U32(a + BATCH_AT_base_vertex);
    uint32_t edge_b = Bytes_U32(b + BATCH_AT_base_vertex);
    if (at == BATCH_AT_vertex_count) {
        edge_a += Bytes_U16(a + at);
        edge_b += Bytes_U16(b + at);
    }
    return MshAlignment_IsSameEdge(&diff->vertices, edge_a, edge_b);
}

/* ---- fields ---------------------------------------------------------------------------------- */

_Static_assert(sizeof((RpMshDifference *)0)->a >= MSH_FIELD_MOST_TEXT, "room for any value");

static void CompareRecord(Diff *diff, const Pair *pair, const MshRecord *kind, const uint8_t *a,
                          const uint8_t *b, int32_t element, const char *list) {
    if (memcmp(a, b, kind->size) == 0)
        return;
    for (uint32_t i = 0; i < kind->field_count; i++) {
        const MshField *field = &kind->fields[i];
        uint32_t size = MshField_Size(field->kind);
        bool whole = field->kind == MSH_FIELD_TEXT || field->kind == MSH_FIELD_HEX;
        for (uint32_t k = 0; k < (whole ? 1 : field->count); k++) {
            size_t at = field->offset + (size_t)k * size;
            if (memcmp(a + at, b + at, whole ? field->count : size) == 0 ||
                RefersTheSame(diff, pair->a.type, field, a, b, element))
                continue;
            RpMshDifference difference = New(RP_MSH_FIELD, (int32_t)pair->a.type);
            difference.element = element;
            if (pair->a.type == RP_MSH_NODES || pair->a.type == RP_MSH_NAMES)
                difference.node = element;
            int length = snprintf(difference.place, sizeof difference.place, "Res%" PRIu32 " %s",
                                  pair->a.type, list);
            if (element >= 0)
                length +=
                    snprintf(difference.place + length, sizeof difference.place - (size_t)length,
                             "[%" PRId32 "]", element);
            if (field->name)
                length += snprintf(difference.place + length,
                                   sizeof difference.place - (size_t)length, ".%s", field->name);
            if (field->count > 1 && !whole)
                snprintf(difference.place + length, sizeof difference.place - (size_t)length,
                         "[%" PRIu32 "]", k);
            MshField_Format(field, a, k, difference.a);
            MshField_Format(field, b, k, difference.b);
            Tell(diff, &difference);
        }
    }
}

static void TellBytes(Diff *diff, const Pair *pair, const char *what, uint32_t from) {
    RpMshDifference difference = New(RP_MSH_BYTES, (int32_t)pair->a.type);
    uint32_t end = pair->a.size < pair->b.size ? pair->a.size : pair->b.size, at = from;
    while (at < end && pair->a.data[at] == pair->b.data[at])
        at++;
    if (at == pair->a.size && at == pair->b.size)
        return;
    snprintf(difference.place, sizeof difference.place, "%s, %s, first at byte %" PRIu32,
             pair->name, what, at);
    snprintf(difference.a, sizeof difference.a, "%" PRIu32 " bytes", pair->a.size);
    snprintf(difference.b, sizeof difference.b, "%" PRIu32 " bytes", pair->b.size);
    Tell(diff, &difference);
}

/* Reports a key or vertex that only one of the models has. A vertex is reported once for all its
 * streams. */
static void TellElement(Diff *diff, const Pair *pair, uint32_t element, bool in_a) {
    const RpMsh *msh = in_a ? &diff->a.msh : &diff->b.msh;
    float at[3] = {0};
    RpMshKey key;
    RpMshDifference difference = New(RP_MSH_FIELD, (int32_t)pair->a.type);
    difference.element = in_a ? (int32_t)element : RP_NO_INDEX;
    snprintf(difference.place, sizeof difference.place, "Res%" PRIu32 " %s[%" PRIu32 "]",
             pair->a.type, RpMsh_StreamName(pair->a.type), element);
    if (pair->a.type == RP_MSH_KEYS && RpMsh_Key(msh, element, &key))
        snprintf(in_a ? difference.a : difference.b, sizeof difference.a, "a key at time %.9g",
                 (double)key.time);
    else if (RpMsh_Position(msh, element, at))
        snprintf(in_a ? difference.a : difference.b, sizeof difference.a,
                 "a vertex at %.9g %.9g %.9g", (double)at[0], (double)at[1], (double)at[2]);
    Tell(diff, &difference);
}

/* Compares records up to the smaller count, and then the bytes behind the last whole record. */
static void CompareRecords(Diff *diff, const Pair *pair, const MshRecord *kind) {
    uint32_t header = pair->a.type == RP_MSH_SLOTS ? RP_MSH_HEADER_BYTES : 0;
    if (pair->a.size < header || pair->b.size < header) {
        TellBytes(diff, pair, "cut headers", 0);
        return;
    }
    uint32_t of_a = (pair->a.size - header) / kind->size;
    uint32_t of_b = (pair->b.size - header) / kind->size, common = of_a < of_b ? of_a : of_b;
    if (header)
        CompareRecord(diff, pair, &msh_header_record, pair->a.data, pair->b.data, RP_NO_INDEX,
                      "header");
    const MshAlignment *alignment = AlignmentOf(diff, pair);
    if (alignment) {
        const bool tells = pair->a.type == RP_MSH_KEYS || pair->a.type == RP_MSH_POSITIONS;
        const char *list = RpMsh_StreamName(pair->a.type);
        uint32_t i = 0, j = 0;
        while (i < alignment->count_a || j < alignment->count_b) {
            const uint8_t *a = pair->a.data + (size_t)i * kind->size;
            const uint8_t *b = pair->b.data + (size_t)j * kind->size;
            if (i < alignment->count_a && alignment->of_a[i] == MSH_ALIGN_NONE) {
                if (tells)
                    TellElement(diff, pair, i, true);
                i++;
            } else if (j < alignment->count_b && alignment->of_b[j] == MSH_ALIGN_NONE) {
                if (tells)
                    TellElement(diff, pair, j, false);
                j++;
            } else {
                CompareRecord(diff, pair, kind, a, b, (int32_t)i, list);
                i++, j++;
            }
        }
    } else {
        TellNumbers(diff, RP_MSH_COUNT, pair, "elements", of_a, of_b);
    }
    for (uint32_t i = 0; !alignment && i < common; i++)
        CompareRecord(diff, pair, kind, pair->a.data + header + (size_t)i * kind->size,
                      pair->b.data + header + (size_t)i * kind->size, (int32_t)i,
                      RpMsh_StreamName(pair->a.type));
    if (of_a == of_b)
        TellBytes(diff, pair, "after the last element", header + common * kind->size);
}

/* Compares the texts one by one. If all are equal, compares the bytes that belong to no text. */
static void CompareLabels(Diff *diff, const Pair *pair) {
    const RpMshStream stream_a = Msh_LabelsOf(&pair->a), stream_b = Msh_LabelsOf(&pair->b);
    RpMshTexts a = {.stream = &stream_a, .type = RP_MSH_LABELS};
    RpMshTexts b = {.stream = &stream_b, .type = RP_MSH_LABELS};
    const char *of_a = NULL, *of_b = NULL;
    uint32_t length_a = 0, length_b = 0;
    uint64_t before = diff->result->count;
    TellNumbers(diff, RP_MSH_COUNT, pair, "elements", stream_a.count, stream_b.count);
    while (RpMshTexts_Next(&a, &of_a, &length_a) && RpMshTexts_Next(&b, &of_b, &length_b)) {
        if (length_a == length_b && (!of_a || memcmp(of_a, of_b, length_a) == 0))
            continue;
        RpMshDifference difference = New(RP_MSH_FIELD, RP_MSH_LABELS);
        difference.node = difference.element = (int32_t)a.node - 1;
        snprintf(difference.place, sizeof difference.place, "Res10 labels[%" PRIu32 "]",
                 a.node - 1);
        Text1251_Show(of_a, of_a ? length_a : 0, difference.a, sizeof difference.a);
        Text1251_Show(of_b, of_b ? length_b : 0, difference.b, sizeof difference.b);
        Tell(diff, &difference);
    }
    if (diff->result->count == before)
        TellBytes(diff, pair, "outside the texts", 0);
}

static void TellMissing(Diff *diff, const RpNResEntry *entry, bool in_a) {
    RpMshDifference difference = New(RP_MSH_STREAM_MISSING, (int32_t)entry->type);
    StreamName(entry->type, difference.place, sizeof difference.place);
    snprintf(in_a ? difference.a : difference.b, sizeof difference.a, "%" PRIu32 " bytes",
             entry->size);
    Tell(diff, &difference);
}

typedef struct Stream {
    uint32_t type, index;
} Stream;

static int CompareTypes(const void *left, const void *right) {
    const Stream *a = left, *b = right;
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static void ListStreams(const RpNRes *archive, Stream *streams) {
    for (uint32_t i = 0; i < archive->count; i++)
        streams[i] = (Stream){RpNRes_Entry(archive, i).type, i};
    if (archive->count > 0)
        qsort(streams, archive->count, sizeof *streams, CompareTypes);
}

static const uint32_t ALONE = UINT32_MAX;

/* The nth stream of a type belongs to the nth of that type on the other side. `twins` has room for
 * both sides: for each stream of a, and then of b, the stream of the other side, or ALONE. */
static void PairStreams(const Diff *diff, Stream *a, Stream *b, uint32_t *twins) {
    const uint32_t count = diff->a.archive.count, others = diff->b.archive.count;
    uint32_t *const twins_of_b = twins + count;
    ListStreams(&diff->a.archive, a);
    ListStreams(&diff->b.archive, b);
    memset(twins, 0xFF, ((size_t)count + others) * sizeof *twins);
    for (uint32_t i = 0, j = 0; i < count && j < others;) {
        if (a[i].type != b[j].type) {
            a[i].type < b[j].type ? i++ : j++;
            continue;
        }
        twins[a[i].index] = b[j].index;
        twins_of_b[b[j++].index] = a[i].index;
        i++;
    }
}

static void ComparePairs(Diff *diff, const uint32_t *twins) {
    const uint32_t *twin = twins;
    for (uint32_t i = 0; i < diff->a.archive.count; i++, twin++) {
        Pair pair = {.a = RpNRes_Entry(&diff->a.archive, i)};
        BeginStream(diff);
        StreamName(pair.a.type, pair.name, sizeof pair.name);
        if (*twin == ALONE) {
            TellMissing(diff, &pair.a, true);
        } else {
            pair.b = RpNRes_Entry(&diff->b.archive, *twin);
            uint32_t stride = diff->a.msh.node_stride;
            const MshRecord *kind = MshRecord_Of(pair.a.type, stride);
            bool opaque = pair.a.type == RP_MSH_NODES && stride != diff->b.msh.node_stride;
            const MshAlignment *alignment = AlignmentOf(diff, &pair);

            /* attr1 is the number of elements. If elements were matched, each one that only one
             * model has is reported instead. */
            if (!alignment || pair.a.attr1 != alignment->count_a ||
                pair.b.attr1 != alignment->count_b)
                TellNumbers(diff, RP_MSH_ATTRIBUTE, &pair, "attr1", pair.a.attr1, pair.b.attr1);
            TellNumbers(diff, RP_MSH_ATTRIBUTE, &pair, "attr2", pair.a.attr2, pair.b.attr2);
            TellNumbers(diff, RP_MSH_ATTRIBUTE, &pair, "attr3", pair.a.attr3, pair.b.attr3);
            if (!pair.a.data || !pair.b.data)
                TellNumbers(diff, RP_MSH_BYTES, &pair, "inside the file", pair.a.data != NULL,
                            pair.b.data != NULL);
            else if (kind && !opaque)
                CompareRecords(diff, &pair, kind);
            else if (pair.a.type == RP_MSH_LABELS)
                CompareLabels(diff, &pair);
            else
                TellBytes(diff, &pair, "bytes", 0);
        }
        EndStream(diff, (int32_t)pair.a.type, pair.name);
    }
    BeginStream(diff);
    for (uint32_t i = 0; i < diff->b.archive.count; i++, twin++) {
        RpNResEntry entry = RpNRes_Entry(&diff->b.archive, i);
        if (*twin == ALONE)
            TellMissing(diff, &entry, false);
    }
    EndStream(diff, RP_NO_INDEX, "streams");
}

/* ---- nodes by name --------------------------------------------------------------------------- */

static uint32_t NameType(const Diff *diff) {
    return diff->options->readings.choice[READING_NAMES] == 1 ? RP_MSH_LABELS : RP_MSH_NAMES;
}

/* Returns false where two nodes have the same name, or where a node has none. */
static bool ListNames(const RpMsh *msh, uint32_t type, uint32_t nodes, MshName *names,
                      MshName *room) {
    RpMshTexts texts = RpMsh_Texts(msh, type);
    uint32_t count = 0;
    MshName name = {0};
    while (count < nodes && RpMshTexts_Next(&texts, &name.text, &name.length)) {
        name.node = count;
        names[count++] = name;
        if (!name.text)
            return false;
    }
    if (count < nodes)
        return false;
    MshName_Sort(names, room, count);
    for (uint32_t i = 1; i < count; i++)
        if (MshName_Compare(&names[i - 1], &names[i]) == 0)
            return false;
    return true;
}

static void TellNode(Diff *diff, const MshName *name, bool in_a) {
    RpMshDifference difference = New(RP_MSH_NODE_MISSING, RP_MSH_NODES);
    difference.node = in_a ? (int32_t)name->node : RP_NO_INDEX;
    const int used = snprintf(difference.place, sizeof difference.place, "node ");
    Text1251_Show(name->text, name->length, difference.place + used,
                  sizeof difference.place - (size_t)used);
    snprintf(in_a ? difference.a : difference.b, sizeof difference.a, "node %" PRIu32, name->node);
    Tell(diff, &difference);
}

static RpStatus MatchNodes(Diff *diff, RpError *error) {
    const RpAllocator *allocator = diff->options->allocator;
    uint32_t of_a = diff->a.nodes, of_b = diff->b.nodes, larger = of_a > of_b ? of_a : of_b;
    MshName *names =
        RpMemory_Resize(allocator, NULL, ((size_t)of_a + of_b + larger + 1) * sizeof *names);
    if (!names)
        return RpMemory_Refused(error, "matching nodes");
    MshName *names_b = names + of_a, *room = names_b + of_b;
    for (uint32_t i = 0; i < of_a; i++)
        diff->match[i] = RP_MSH_NONE;
    if (ListNames(&diff->a.msh, NameType(diff), of_a, names, room) &&
        ListNames(&diff->b.msh, NameType(diff), of_b, names_b, room)) {
        uint32_t i = 0, j = 0;
        BeginStream(diff);
        while (i < diff->a.nodes || j < diff->b.nodes) {
            int order = 0;
            if (i == diff->a.nodes || j == diff->b.nodes)
                order = i == diff->a.nodes ? 1 : -1;
            else
                order = MshName_Compare(&names[i], &names_b[j]);
            if (order < 0)
                TellNode(diff, &names[i], true);
            else if (order > 0)
                TellNode(diff, &names_b[j], false);
            else
                diff->match[names[i].node] = names_b[j].node;
            i += order <= 0;
            j += order >= 0;
        }
        EndStream(diff, RP_MSH_NODES, "nodes by name");
    } else {
        for (uint32_t i = 0; i < diff->a.nodes; i++)
            diff->match[i] = i < diff->b.nodes ? i : RP_MSH_NONE;
    }
    RpMemory_Free(allocator, names);
    return RP_OK;
}

/* ---- poses ----------------------------------------------------------------------------------- */

/* Returns the angle between two rotations, in degrees. A quaternion and its negative are the same
 * rotation. */
static double AngleBetween(const float a[4], const float b[4]) {
    double dot = 0, of_a = 0, of_b = 0;
    for (int i = 0; i < 4; i++) {
        dot += (double)a[i] * (double)b[i];
        of_a += (double)a[i] * (double)a[i];
        of_b += (double)b[i] * (double)b[i];
    }
    if (memcmp(a, b, 4 * sizeof *a) == 0)
        return 0;
    double cosine = fabs(dot) / sqrt(of_a * of_b);
    if (!(cosine < 1))
        return cosine >= 1 ? 0 : 180; /* one of the two is not a rotation */
    return 2 * Trig_Acos(cosine) * 57.29577951308232;
}

typedef struct Worst {
    double position, angle;
    uint32_t position_frame, angle_frame;
} Worst;

static void PoseNode(Diff *diff, const RpSkeleton *a, const RpSkeleton *b, uint32_t node,
                     uint32_t frames) {
    RpMshDiffResult *result = diff->result;
    Worst worst = {0, 0, 0, 0};
    for (uint32_t frame = 0; frame < frames; frame++) {
        float q[2][4], p[2][3];
        RpPose_Sample(a, &diff->pose, node, (float)frame, q[0], p[0], NULL);
        RpPose_Sample(b, &diff->pose, diff->match[node], (float)frame, q[1], p[1], NULL);
        double square = 0, position = 0, angle = AngleBetween(q[0], q[1]);
        for (int i = 0; i < 3; i++)
            square += ((double)p[0][i] - (double)p[1][i]) * ((double)p[0][i] - (double)p[1][i]);
        if (memcmp(p[0], p[1], sizeof p[0]) != 0)
            position = isfinite(square) ? sqrt(square) : INFINITY;
        if (position > worst.position) {
            worst.position = position;
            worst.position_frame = frame;
        }
        if (angle > worst.angle) {
            worst.angle = angle;
            worst.angle_frame = frame;
        }
    }
    bool moved = worst.position > 0 && worst.position >= diff->options->position;
    bool turned = worst.angle > 0 && worst.angle >= diff->options->angle;
    if (worst.position > result->position || worst.angle > result->angle) {
        result->node = (int32_t)node;
        result->frame =
            worst.position > result->position ? worst.position_frame : worst.angle_frame;
    }
    result->position = fmax(result->position, worst.position);
    result->angle = fmax(result->angle, worst.angle);
    if (moved || turned) {
        RpMshDifference difference = New(RP_MSH_POSE, RP_NO_INDEX);
        uint32_t length = 0;
        const char *name = RpMsh_Text(&diff->a.msh, NameType(diff), node, &length);
        difference.node = (int32_t)node;
        const int used = snprintf(difference.place, sizeof difference.place,
                                  "pose of node %" PRIu32 "%s", node, name ? " " : "");
        Text1251_Show(name, name ? length : 0, difference.place + used,
                      sizeof difference.place - (size_t)used);
        snprintf(difference.a, sizeof difference.a, "position %.6g apart at frame %" PRIu32,
                 worst.position, worst.position_frame);
        snprintf(difference.b, sizeof difference.b, "angle %.6g degrees at frame %" PRIu32,
                 worst.angle, worst.angle_frame);
        Tell(diff, &difference);
    }
}

/* Behind the end of both models all frames are equal, and a broken model may have four thousand
 * million of them. */
static uint32_t FramesOf(const RpMsh *msh) {
    uint32_t words = RpMsh_Count(msh, RP_MSH_FRAME_MAP);
    uint32_t frames = msh->frame_count < words ? msh->frame_count : words;
    return frames > 0 ? frames : 1;
}

enum { MOST_SAMPLES = 1 << 22 }; /* a thousand times as many as the game's largest model needs */

/* ---- all ------------------------------------------------------------------------------------- */

static RpStatus OpenSide(Side *side, const RpNRes *archive, RpError *error) {
    side->archive = *archive;
    RpStatus status = RpMsh_Open(RpNRes_Entries(archive), RP_TOLERANT, &side->msh, error);
    if (side->msh.node_stride == RP_MSH_NODE_BYTES)
        side->nodes = RpMsh_Count(&side->msh, RP_MSH_NODES);
    return status;
}

enum { USUAL_MOST = 10 };

RpMshDiffOptions RpMshDiffOptions_Default(void) {
    return (RpMshDiffOptions){.most = USUAL_MOST};
}

RpStatus RpMsh_Diff(const RpNRes *a, const RpNRes *b, const RpMshDiffOptions *options,
                    RpMshDiffTake take, void *context, RpMshDiffResult *result, RpError *error) {
    MODES_OF_C();
    const RpMshDiffOptions defaults = RpMshDiffOptions_Default();
    Diff diff = {.options = options ? options : &defaults,
                 .take = take,
                 .context = context,
                 .result = result};
    memset(result, 0, sizeof *result);
    result->node = RP_NO_INDEX;
    diff.pose.build = RP_BUILD_SSE;
    diff.pose.readings = diff.options->readings;
    diff.most = diff.options->most ? diff.options->most : USUAL_MOST;
    RpStatus status = OpenSide(&diff.a, a, error);
    if (status == RP_OK)
        status = OpenSide(&diff.b, b, error);
    if (status != RP_OK)
        return status;
    const RpAllocator *allocator = diff.options->allocator;
    diff.match = RpMemory_Resize(allocator, NULL, ((size_t)diff.a.nodes + 1) * sizeof *diff.match);
    if (!diff.match)
        return RpMemory_Refused(error, "matching nodes");
    status = MatchNodes(&diff, error);
    if (status == RP_OK)
        status = AlignAll(&diff, error);
    if (status == RP_OK) {
        const size_t count = (size_t)diff.a.archive.count + diff.b.archive.count;
        Stream *streams = RpMemory_Resize(allocator, NULL, (count + 1) * sizeof *streams);
        uint32_t *twins = RpMemory_Resize(allocator, NULL, (count + 1) * sizeof *twins);
        status = RpMemory_Refused(error, "matching streams");
        if (streams && twins) {
            PairStreams(&diff, streams, streams + diff.a.archive.count, twins);
            ComparePairs(&diff, twins);
            status = RP_OK;
        }
        RpMemory_Free(allocator, streams);
        RpMemory_Free(allocator, twins);
    }
    MshAlignment_Free(&diff.keys, allocator);
    MshAlignment_Free(&diff.vertices, allocator);
    RpMemory_Free(allocator, diff.bases_a);
    if (status == RP_OK && !diff.options->bytes_only) {
        RpSkeleton posed_a, posed_b;
        if (!RpMsh_Skeleton(&diff.a.msh, &posed_a, NULL) &&
            !RpMsh_Skeleton(&diff.b.msh, &posed_b, NULL)) {
            uint32_t of_a = FramesOf(&diff.a.msh), of_b = FramesOf(&diff.b.msh);
            uint32_t frames = of_a > of_b ? of_a : of_b;
            uint32_t most = diff.a.nodes ? MOST_SAMPLES / diff.a.nodes + 1 : 1;
            frames = frames < most ? frames : most;
            diff.result->posed = true;
            BeginStream(&diff);
            for (uint32_t node = 0; node < diff.a.nodes; node++)
                if (diff.match[node] != RP_MSH_NONE)
                    PoseNode(&diff, &posed_a, &posed_b, node, frames);
            EndStream(&diff, RP_NO_INDEX, "poses");
        }
    }

    RpMemory_Free(allocator, diff.match);
    return status;
}
