/* M09 to M11, and the range half of M16: what slots, batches and triangles name exists. */
#include "formats/msh_checker.h"

#include "animesh/bytes.h"

#include <float.h>
#include <inttypes.h>
#include <string.h>

/* ---- words ----------------------------------------------------------------------------------- */

enum { BLOCK = 64 }; /* words; a fixed length lets compilers use vector instructions */

/* Words as the processor reads them. */
static void LoadBlock(uint16_t words[BLOCK], const uint8_t *bytes) {
    memcpy(words, bytes, BLOCK * sizeof *words);
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (int i = 0; i < BLOCK; i++)
        words[i] = (uint16_t)(words[i] << 8 | words[i] >> 8);
#endif
}

static uint16_t Larger(uint16_t a, uint16_t b) {
    return a > b ? a : b;
}

static uint16_t LargestOf(const uint8_t *bytes, uint32_t count) {
    uint16_t largest = 0;
    for (; count >= BLOCK; count -= BLOCK, bytes += BLOCK * 2) {
        uint16_t words[BLOCK];
        LoadBlock(words, bytes);
        for (int i = 0; i < BLOCK; i++)
            largest = Larger(largest, words[i]);
    }
    for (uint32_t i = 0; i < count; i++)
        largest = Larger(largest, Bytes_U16(bytes + 2 * (size_t)i));
    return largest;
}

uint16_t Msh_LargestIndex(const RpMsh *msh, uint32_t first, uint32_t count) {
    return LargestOf(msh->streams[RP_MSH_INDICES].data + 2 * (size_t)first, count);
}

/* Largest indices of equal parts of the stream: batches that overlap again and again, as only
 * broken models have them, must not cost their lengths each time. */
enum { PARTS = 1024 };
typedef struct LargestIndices {
    const RpMsh *msh;
    uint32_t part; /* indices in each; 0: not made */
    uint16_t largest[PARTS];
} LargestIndices;

static void LargestIndices_Make(LargestIndices *table, const RpMsh *msh) {
    uint32_t count = RpMsh_Count(msh, RP_MSH_INDICES);
    table->part = count / PARTS + 1;
    for (uint32_t i = 0; i < PARTS && i * table->part < count; i++) {
        uint32_t first = i * table->part, rest = count - first;
        table->largest[i] = Msh_LargestIndex(msh, first, rest < table->part ? rest : table->part);
    }
}

static uint16_t LargestIndices_Of(const LargestIndices *table, uint32_t first, uint32_t count) {
    if (table->part == 0)
        return Msh_LargestIndex(table->msh, first, count);
    uint32_t end = first + count;
    uint32_t part = (first + table->part - 1) / table->part, last = end / table->part;
    if (part >= last)
        return Msh_LargestIndex(table->msh, first, count);
    uint16_t largest = Msh_LargestIndex(table->msh, first, part * table->part - first);
    for (uint32_t i = part; i < last; i++)
        largest = Larger(largest, table->largest[i]);
    return Larger(largest,
                  Msh_LargestIndex(table->msh, last * table->part, end - last * table->part));
}

/* ---- M09, M10 -------------------------------------------------------------------------------- */

static bool Exists(uint32_t first, uint32_t count, uint32_t limit) {
    return first <= limit && count <= limit - first;
}

static void CheckSlotRange(MshChecker *checker, uint32_t slot, uint32_t field, uint32_t first,
                           uint32_t count, uint32_t type) {
    uint32_t limit = RpMsh_Count(checker->msh, type);
    if (!Exists(first, count, limit))
        MshChecker_Report(
            checker, MshPlace_Element(checker, 9, RP_SEVERITY_ERROR, RP_MSH_SLOTS, slot, field),
            type == RP_MSH_BATCHES ? "the slot's batches do not all exist"
                                   : "the slot's triangles do not all exist",
            "a range below %" PRIu32 "|%" PRIu32 " to %" PRIu32, limit, first, first + count);
}

static bool IsFinite(float value) {
    return value >= -FLT_MAX && value <= FLT_MAX;
}

static void CheckSlotFloats(MshChecker *checker, uint32_t index, const RpMshSlot *slot) {
    for (uint32_t i = 0; i < 3; i++) {
        MshPlace low =
            MshPlace_Element(checker, 10, RP_SEVERITY_ERROR, RP_MSH_SLOTS, index, 8 + 4 * i);
        MshPlace high = low, centre = low;
        high.offset += low.offset == RP_NOWHERE ? 0 : 12;
        centre.offset += low.offset == RP_NOWHERE ? 0 : 24;
        if (!IsFinite(slot->low[i]))
            MshChecker_Report(checker, low, "the slot's box is not finite", "a number|%g",
                              (double)slot->low[i]);
        else if (!IsFinite(slot->high[i]))
            MshChecker_Report(checker, high, "the slot's box is not finite", "a number|%g",
                              (double)slot->high[i]);
        else if (slot->low[i] > slot->high[i])
            MshChecker_Report(checker, low, "the slot's box is inside out", "at most %.9g|%.9g",
                              (double)slot->high[i], (double)slot->low[i]);
        if (!IsFinite(slot->sphere[i]))
            MshChecker_Report(checker, centre, "the slot's sphere is not finite", "a number|%g",
                              (double)slot->sphere[i]);
    }
    if (!IsFinite(slot->sphere[3]) || slot->sphere[3] < 0)
        MshChecker_Report(checker,
                          MshPlace_Element(checker, 10, RP_SEVERITY_ERROR, RP_MSH_SLOTS, index, 44),
                          "the slot's radius is negative or not finite", "0 or more|%.9g",
                          (double)slot->sphere[3]);
}

static void CheckSlots(MshChecker *checker) {
    RpMshSlot slot;
    for (uint32_t i = 0; !checker->stopped && RpMsh_Slot(checker->msh, i, &slot); i++) {
        CheckSlotRange(checker, i, 0, slot.first_triangle, slot.triangle_count, RP_MSH_TRIANGLES);
        CheckSlotRange(checker, i, 4, slot.first_batch, slot.batch_count, RP_MSH_BATCHES);
        CheckSlotFloats(checker, i, &slot);
    }
}

bool Msh_SlotRangesExist(const RpMsh *msh, const RpMshSlot *slot) {
    return Exists(slot->first_batch, slot->batch_count, RpMsh_Count(msh, RP_MSH_BATCHES));
}

/* ---- M11 ------------------------------------------------------------------------------------- */

bool Msh_BatchRangeExists(const RpMsh *msh, const RpMshBatch *batch) {
    return Exists(batch->first_index, batch->index_count, RpMsh_Count(msh, RP_MSH_INDICES));
}

/* The first index of the batch that names no vertex. */
static uint32_t WrongIndex(const RpMsh *msh, const RpMshBatch *batch, uint16_t *value) {
    uint64_t limit = RpMsh_Count(msh, RP_MSH_POSITIONS);
    uint32_t index = batch->first_index;
    while (RpMsh_Index(msh, index, value) && (uint64_t)batch->base_vertex + *value < limit)
        index++;
    return index;
}

static void CheckVertices(MshChecker *checker, const LargestIndices *table, uint32_t index,
                          const RpMshBatch *batch) {
    uint32_t vertices = RpMsh_Count(checker->msh, RP_MSH_POSITIONS);
    uint16_t largest = LargestIndices_Of(table, batch->first_index, batch->index_count);
    if ((uint64_t)batch->base_vertex + largest < vertices)
        return;
    if (checker->counts[11][RP_SEVERITY_ERROR] < checker->repeats)
        WrongIndex(checker->msh, batch, &largest);
    MshChecker_Report(checker,
                      MshPlace_Element(checker, 11, RP_SEVERITY_ERROR, RP_MSH_BATCHES, index, 16),
                      "the batch names a vertex that does not exist",
                      "vertices below %" PRIu32 "|%" PRIu32 " + %u", vertices, batch->base_vertex,
                      (unsigned)largest);
}

static void CheckBatches(MshChecker *checker) {
    LargestIndices table = {.msh = checker->msh};
    uint32_t indices = RpMsh_Count(checker->msh, RP_MSH_INDICES);
    uint64_t seen = 0;
    RpMshBatch batch;
    for (uint32_t i = 0; !checker->stopped && RpMsh_Batch(checker->msh, i, &batch); i++) {
        if (!Msh_BatchRangeExists(checker->msh, &batch)) {
            MshChecker_Report(
                checker, MshPlace_Element(checker, 11, RP_SEVERITY_ERROR, RP_MSH_BATCHES, i, 10),
                "the batch's indices do not all exist",
                "a range below %" PRIu32 "|%" PRIu32 " to %" PRIu64, indices, batch.first_index,
                (uint64_t)batch.first_index + batch.index_count);
        } else if (batch.index_count > 0) {
            seen += batch.index_count;
            if (seen > 2 * (uint64_t)indices && table.part == 0)
                LargestIndices_Make(&table, checker->msh);
            CheckVertices(checker, &table, i, &batch);
        }
    }
}

/* ---- M16, ranges ----------------------------------------------------------------------------- */

/* Whether all neighbours are below `count` or 0xFFFF: one more than them, in 16 bits, is at most
 * `count`. Flags, normals and edges are masked away, so that records go by as plain words. */
static bool NeighboursExist(const uint8_t *bytes, uint32_t count) {
    enum { RECORDS = BLOCK / 8 };
    static const uint16_t mask[8] = {0, 0xFFFF, 0xFFFF, 0xFFFF, 0, 0, 0, 0};
    uint16_t largest[8] = {0};
    uint32_t i = 0;
    if (count >= RP_MSH_NONE)
        return true;
    for (; i + RECORDS <= count; i += RECORDS) {
        uint16_t words[BLOCK];
        LoadBlock(words, bytes + (size_t)i * RP_MSH_TRIANGLE_BYTES);
        for (int r = 0; r < RECORDS; r++)
            for (int w = 0; w < 8; w++)
                largest[w] =
                    Larger(largest[w], (uint16_t)((uint16_t)(words[8 * r + w] + 1) & mask[w]));
    }
    for (; i < count; i++)
        for (int w = 1; w <= 3; w++)
            largest[w] = Larger(
                largest[w],
                (uint16_t)(Bytes_U16(bytes + (size_t)i * RP_MSH_TRIANGLE_BYTES + 2 * w) + 1));
    return Larger(Larger(largest[1], largest[2]), largest[3]) <= count;
}

static void CheckNeighbours(MshChecker *checker, uint32_t index, const RpMshTriangle *triangle) {
    uint32_t count = RpMsh_Count(checker->msh, RP_MSH_TRIANGLES);
    for (uint32_t e = 0; e < 3; e++)
        if (triangle->neighbours[e] != RP_MSH_NONE && triangle->neighbours[e] >= count)
            MshChecker_Report(checker,
                              MshPlace_Element(checker, 16, RP_SEVERITY_ERROR, RP_MSH_TRIANGLES,
                                               index, 2 + 2 * e),
                              "a neighbour does not exist", "below %" PRIu32 ", or 65535|%u", count,
                              (unsigned)triangle->neighbours[e]);
}

static void CheckTriangles(MshChecker *checker) {
    const RpMshStream *stream = &checker->msh->streams[RP_MSH_TRIANGLES];
    RpMshTriangle triangle;
    if (stream->count == 0 || NeighboursExist(stream->data, stream->count))
        return;
    for (uint32_t i = 0; !checker->stopped && RpMsh_Triangle(checker->msh, i, &triangle); i++)
        CheckNeighbours(checker, i, &triangle);
}

/* ---- all ------------------------------------------------------------------------------------- */

void MshCheck_GeometryErrors(MshChecker *checker) {
    CheckSlots(checker);
    CheckBatches(checker);
    CheckTriangles(checker);
}
