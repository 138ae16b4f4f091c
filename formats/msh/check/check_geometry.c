/* Checks rules M09 to M11, and the ranges of M16: everything that slots, batches and triangles
 * refer to exists. */
#include "formats/msh/check/checker.h"

#include "core/bytes.h"
#include "formats/msh/check/words.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- largest indices ------------------------------------------------------------------------- */

static uint16_t Larger(uint16_t a, uint16_t b) {
    return a > b ? a : b;
}

uint16_t Msh_LargestIndex(const RpMsh *msh, uint32_t first, uint32_t count) {
    return Words_Largest(msh->streams[RP_MSH_INDICES].data + 2 * (size_t)first, count);
}

/* The largest index of each part of the stream; the parts have equal sizes. In broken models,
 * batches may overlap many times. With this table, each of them costs less than its length. */
enum { PARTS = 1024 };
typedef struct LargestIndices {
    const RpMsh *msh;
    uint32_t part; /* indices in each part; 0: the table has not been made */
    uint16_t largest[PARTS];
} LargestIndices;

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

static void ReportFloat(MshChecker *checker, uint32_t slot, uint32_t field, const char *what,
                        const char *expected, float found) {
    MshChecker_Report(checker,
                      MshPlace_Element(checker, 10, RP_SEVERITY_ERROR, RP_MSH_SLOTS, slot, field),
                      what, "%s|%.9g", expected, (double)found);
}

static float FloatAt(const uint8_t *bytes) {
    const uint32_t bits = Bytes_U32(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void CheckSlots(MshChecker *checker) {
    const RpMshStream *stream = &checker->msh->streams[RP_MSH_SLOTS];
    RpMshSlot slot;
    for (uint32_t i = 0; !checker->stopped && i < stream->count; i++) {
        /* Most slots are plain: no rule has anything to say of them. */
        const uint8_t *bytes = stream->data + RP_MSH_HEADER_BYTES + (size_t)i * SLOT_BYTES;
        bool plain = Exists(Bytes_U16(bytes + SLOT_AT_first_triangle),
                            Bytes_U16(bytes + SLOT_AT_triangle_count),
                            RpMsh_Count(checker->msh, RP_MSH_TRIANGLES));
        plain &=
            Exists(Bytes_U16(bytes + SLOT_AT_first_batch), Bytes_U16(bytes + SLOT_AT_batch_count),
                   RpMsh_Count(checker->msh, RP_MSH_BATCHES));
        for (uint32_t axis = 0; axis < 3; axis++) {
            const float low = FloatAt(bytes + SLOT_AT_low + 4 * axis);
            const float high = FloatAt(bytes + SLOT_AT_high + 4 * axis);
            plain &= (low >= -FLT_MAX) & (low <= high) & (high <= FLT_MAX);
            plain &= IsFinite(FloatAt(bytes + SLOT_AT_sphere + 4 * axis));
        }
        const float radius = FloatAt(bytes + SLOT_AT_sphere + 4 * 3);
        if (plain & (radius >= 0) & (radius <= FLT_MAX))
            continue;
        RpMsh_Slot(checker->msh, i, &slot);
        CheckSlotRange(checker, i, SLOT_AT_first_triangle, slot.first_triangle, slot.triangle_count,
                       RP_MSH_TRIANGLES);
        CheckSlotRange(checker, i, SLOT_AT_first_batch, slot.first_batch, slot.batch_count,
                       RP_MSH_BATCHES);

        for (uint32_t axis = 0; axis < 3; axis++) {
            float low = slot.low[axis], high = slot.high[axis];
            char expected[40];
            if (!IsFinite(low)) {
                ReportFloat(checker, i, SLOT_AT_low + 4 * axis, "the slot's box is not finite",
                            "a number", low);
            } else if (!IsFinite(high)) {
                ReportFloat(checker, i, SLOT_AT_high + 4 * axis, "the slot's box is not finite",
                            "a number", high);
            } else if (low > high) {
                snprintf(expected, sizeof expected, "at most %.9g", (double)high);
                ReportFloat(checker, i, SLOT_AT_low + 4 * axis, "the slot's box is inside out",
                            expected, low);
            }
            if (!IsFinite(slot.sphere[axis]))
                ReportFloat(checker, i, SLOT_AT_sphere + 4 * axis,
                            "the slot's sphere is not finite", "a number", slot.sphere[axis]);
        }
        if (!IsFinite(slot.sphere[3]) || slot.sphere[3] < 0)
            ReportFloat(checker, i, SLOT_AT_sphere + 4 * 3,
                        "the slot's radius is negative or not finite", "0 or more", slot.sphere[3]);
    }
}

bool Msh_SlotRangesExist(const RpMsh *msh, const RpMshSlot *slot) {
    return Exists(slot->first_batch, slot->batch_count, RpMsh_Count(msh, RP_MSH_BATCHES));
}

/* ---- M11 ------------------------------------------------------------------------------------- */

bool Msh_BatchRangeExists(const RpMsh *msh, const RpMshBatch *batch) {
    return Exists(batch->first_index, batch->index_count, RpMsh_Count(msh, RP_MSH_INDICES));
}

/* Returns whether no rule reports anything about the indices and vertices of a batch. */
static bool IsPlainBatch(const RpMsh *msh, const WordsWidth *width, const uint8_t *batch) {
    const uint32_t first = Bytes_U32(batch + BATCH_AT_first_index);
    const uint32_t count = Bytes_U16(batch + BATCH_AT_index_count);
    const uint32_t base = Bytes_U32(batch + BATCH_AT_base_vertex);
    const uint32_t vertices = RpMsh_Count(msh, RP_MSH_POSITIONS);
    if (!Exists(first, count, RpMsh_Count(msh, RP_MSH_INDICES)))
        return false;
    if (count == 0 || base >= vertices)
        return count == 0;
    const uint32_t most = vertices - 1 - base;
    return most >= UINT16_MAX || width->up_to(msh->streams[RP_MSH_INDICES].data + 2 * (size_t)first,
                                              count, (uint16_t)most);
}

/* ---- M16, ranges ----------------------------------------------------------------------------- */

/* Returns whether every neighbour is below `count` or is 0xFFFF: a neighbour plus one, in 16
 * bits, is at most `count`. A record is one block; its other words have no limit. */
_Static_assert((int)WORDS_BLOCK_BYTES == (int)TRIANGLE_BYTES, "a block is a record");
static bool NeighboursExist(const uint8_t *bytes, uint32_t count) {
    enum { FIRST = TRIANGLE_AT_neighbours / 2 };
    uint16_t limits[WORDS_IN_BLOCK];
    if (count >= RP_MSH_NONE)
        return true;
    for (int i = 0; i < WORDS_IN_BLOCK; i++)
        limits[i] = i >= FIRST && i < FIRST + 3 ? (uint16_t)count : UINT16_MAX;
    return Words_Width()->successors_within(bytes, count, limits);
}

/* ---- all ------------------------------------------------------------------------------------- */

void MshCheck_GeometryErrors(MshChecker *checker) {
    CheckSlots(checker);
    const RpMshStream *stream = &checker->msh->streams[RP_MSH_BATCHES];
    const WordsWidth *width = Words_Width();
    LargestIndices table = {.msh = checker->msh};
    uint64_t seen = 0;
    for (uint32_t i = 0; !checker->stopped && i < stream->count; i++) {
        const uint8_t *record = stream->data + (size_t)i * BATCH_BYTES;
        seen += Bytes_U16(record + BATCH_AT_index_count);
        if (table.part == 0 && seen > 2 * (uint64_t)RpMsh_Count(checker->msh, RP_MSH_INDICES)) {
            uint32_t all = RpMsh_Count(checker->msh, RP_MSH_INDICES);
            table.part = all / PARTS + 1;
            for (uint32_t part = 0; part < PARTS && part * table.part < all; part++) {
                uint32_t first = part * table.part, rest = all - first;
                table.largest[part] =
                    Msh_LargestIndex(checker->msh, first, rest < table.part ? rest : table.part);
            }
        }
        if (table.part == 0 && IsPlainBatch(checker->msh, width, record))
            continue;
        RpMshBatch batch;
        RpMsh_Batch(checker->msh, i, &batch);
        if (!Msh_BatchRangeExists(checker->msh, &batch)) {
            MshChecker_Report(checker,
                              MshPlace_Element(checker, 11, RP_SEVERITY_ERROR, RP_MSH_BATCHES, i,
                                               BATCH_AT_first_index),
                              "the batch's indices do not all exist",
                              "a range below %" PRIu32 "|%" PRIu32 " to %" PRIu64,
                              RpMsh_Count(checker->msh, RP_MSH_INDICES), batch.first_index,
                              (uint64_t)batch.first_index + batch.index_count);
        } else if (batch.index_count > 0) {
            uint32_t vertices = RpMsh_Count(checker->msh, RP_MSH_POSITIONS);
            uint16_t largest = LargestIndices_Of(&table, batch.first_index, batch.index_count);
            if ((uint64_t)batch.base_vertex + largest < vertices)
                continue;

            /* The first index of the batch that names no vertex is looked for only if it will be
             * reported. */
            bool looks = checker->counts[11][RP_SEVERITY_ERROR] < checker->repeats;
            for (uint32_t at = batch.first_index; looks; at++)
                looks = RpMsh_Index(checker->msh, at, &largest) &&
                        (uint64_t)batch.base_vertex + largest < vertices;
            MshChecker_Report(checker,
                              MshPlace_Element(checker, 11, RP_SEVERITY_ERROR, RP_MSH_BATCHES, i,
                                               BATCH_AT_base_vertex),
                              "the batch names a vertex that does not exist",
                              "vertices below %" PRIu32 "|%" PRIu32 " + %u", vertices,
                              batch.base_vertex, (unsigned)largest);
        }
    }
    const RpMshStream *triangles = &checker->msh->streams[RP_MSH_TRIANGLES];
    RpMshTriangle triangle;
    if (triangles->count == 0 || NeighboursExist(triangles->data, triangles->count))
        return;
    for (uint32_t i = 0; !checker->stopped && RpMsh_Triangle(checker->msh, i, &triangle); i++) {
        uint32_t count = RpMsh_Count(checker->msh, RP_MSH_TRIANGLES);
        for (uint32_t e = 0; e < 3; e++)
            if (triangle.neighbours[e] != RP_MSH_NONE && triangle.neighbours[e] >= count)
                MshChecker_Report(checker,
                                  MshPlace_Element(checker, 16, RP_SEVERITY_ERROR, RP_MSH_TRIANGLES,
                                                   i, TRIANGLE_AT_neighbours + 2 * e),
                                  "a neighbour does not exist", "below %" PRIu32 ", or 65535|%u",
                                  count, (unsigned)triangle.neighbours[e]);
    }
}
