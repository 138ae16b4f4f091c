/* M09 to M11, and the range half of M16: what slots, batches and triangles name exists. */
#include "formats/msh/check/checker.h"

#include "core/bytes.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- words ----------------------------------------------------------------------------------- */

static uint16_t Larger(uint16_t a, uint16_t b) {
    return a > b ? a : b;
}

enum { BLOCK = 16, WORDS = BLOCK / 2 }; /* bytes and words that are compared at a time */

#ifdef __SSE2__
/* Returns the larger of each pair of unsigned words. SSE2 has no instruction for that, but a
 * subtraction that stops at 0 gives it. */
static __m128i LargerWords(__m128i a, __m128i b) {
    return _mm_add_epi16(_mm_subs_epu16(a, b), b);
}

static __m128i LoadWords(const uint8_t *bytes) {
    return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

static void LargestOfBlocks(const uint8_t *bytes, uint32_t blocks, uint16_t largest[WORDS]) {
    __m128i even = _mm_setzero_si128(), odd = even;
    for (uint32_t i = 0; i + 2 <= blocks; i += 2, bytes += 2 * BLOCK) {
        even = LargerWords(even, LoadWords(bytes));
        odd = LargerWords(odd, LoadWords(bytes + BLOCK));
    }
    if (blocks % 2 != 0)
        odd = LargerWords(odd, LoadWords(bytes));
    _mm_storeu_si128((__m128i *)(void *)largest, LargerWords(even, odd));
}

/* Compares words + 1, so that 0xFFFF becomes 0. */
static void LargestAfterOfBlocks(const uint8_t *bytes, uint32_t blocks, uint16_t largest[WORDS]) {
    const __m128i one = _mm_set1_epi16(1);
    __m128i even = _mm_setzero_si128(), odd = even;
    for (uint32_t i = 0; i + 2 <= blocks; i += 2, bytes += 2 * BLOCK) {
        even = LargerWords(even, _mm_add_epi16(LoadWords(bytes), one));
        odd = LargerWords(odd, _mm_add_epi16(LoadWords(bytes + BLOCK), one));
    }
    if (blocks % 2 != 0)
        odd = LargerWords(odd, _mm_add_epi16(LoadWords(bytes), one));
    _mm_storeu_si128((__m128i *)(void *)largest, LargerWords(even, odd));
}
#else
static void LargestOfBlocks(const uint8_t *bytes, uint32_t blocks, uint16_t largest[WORDS]) {
    memset(largest, 0, WORDS * sizeof *largest);
    for (uint32_t i = 0; i < blocks * WORDS; i++)
        largest[i % WORDS] = Larger(largest[i % WORDS], Bytes_U16(bytes + 2 * (size_t)i));
}

static void LargestAfterOfBlocks(const uint8_t *bytes, uint32_t blocks, uint16_t largest[WORDS]) {
    memset(largest, 0, WORDS * sizeof *largest);
    for (uint32_t i = 0; i < blocks * WORDS; i++)
        largest[i % WORDS] =
            Larger(largest[i % WORDS], (uint16_t)(Bytes_U16(bytes + 2 * (size_t)i) + 1));
}
#endif

static uint16_t LargestOf(const uint8_t *bytes, uint32_t count) {
    uint16_t words[WORDS], largest = 0;
    LargestOfBlocks(bytes, count / WORDS, words);
    for (int i = 0; i < WORDS; i++)
        largest = Larger(largest, words[i]);
    for (uint32_t i = count - count % WORDS; i < count; i++)
        largest = Larger(largest, Bytes_U16(bytes + 2 * (size_t)i));
    return largest;
}

uint16_t Msh_LargestIndex(const RpMsh *msh, uint32_t first, uint32_t count) {
    return LargestOf(msh->streams[RP_MSH_INDICES].data + 2 * (size_t)first, count);
}

/* The largest indices of equal parts of the stream. Only broken models have batches that overlap
 * again and again, and these must not cost their whole length each time. */
enum { PARTS = 1024 };
typedef struct LargestIndices {
    const RpMsh *msh;
    uint32_t part; /* indices in each part; 0: the table has not been made */
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

static void ReportFloat(MshChecker *checker, uint32_t slot, uint32_t field, const char *what,
                        const char *expected, float found) {
    MshChecker_Report(checker,
                      MshPlace_Element(checker, 10, RP_SEVERITY_ERROR, RP_MSH_SLOTS, slot, field),
                      what, "%s|%.9g", expected, (double)found);
}

static void CheckSlotAxis(MshChecker *checker, uint32_t index, const RpMshSlot *slot,
                          uint32_t axis) {
    float low = slot->low[axis], high = slot->high[axis];
    char expected[40];
    if (!IsFinite(low)) {
        ReportFloat(checker, index, SLOT_AT_low + 4 * axis, "the slot's box is not finite",
                    "a number", low);
    } else if (!IsFinite(high)) {
        ReportFloat(checker, index, SLOT_AT_high + 4 * axis, "the slot's box is not finite",
                    "a number", high);
    } else if (low > high) {
        snprintf(expected, sizeof expected, "at most %.9g", (double)high);
        ReportFloat(checker, index, SLOT_AT_low + 4 * axis, "the slot's box is inside out",
                    expected, low);
    }
    if (!IsFinite(slot->sphere[axis]))
        ReportFloat(checker, index, SLOT_AT_sphere + 4 * axis, "the slot's sphere is not finite",
                    "a number", slot->sphere[axis]);
}

static void CheckSlotFloats(MshChecker *checker, uint32_t index, const RpMshSlot *slot) {
    for (uint32_t axis = 0; axis < 3; axis++)
        CheckSlotAxis(checker, index, slot, axis);
    if (!IsFinite(slot->sphere[3]) || slot->sphere[3] < 0)
        ReportFloat(checker, index, SLOT_AT_sphere + 4 * 3,
                    "the slot's radius is negative or not finite", "0 or more", slot->sphere[3]);
}

static void CheckSlots(MshChecker *checker) {
    RpMshSlot slot;
    for (uint32_t i = 0; !checker->stopped && RpMsh_Slot(checker->msh, i, &slot); i++) {
        CheckSlotRange(checker, i, SLOT_AT_first_triangle, slot.first_triangle, slot.triangle_count,
                       RP_MSH_TRIANGLES);
        CheckSlotRange(checker, i, SLOT_AT_first_batch, slot.first_batch, slot.batch_count,
                       RP_MSH_BATCHES);
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

/* Returns the first index of the batch that names no vertex. */
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
                      MshPlace_Element(checker, 11, RP_SEVERITY_ERROR, RP_MSH_BATCHES, index,
                                       BATCH_AT_base_vertex),
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
            MshChecker_Report(checker,
                              MshPlace_Element(checker, 11, RP_SEVERITY_ERROR, RP_MSH_BATCHES, i,
                                               BATCH_AT_first_index),
                              "the batch's indices do not all exist",
                              "a range below %" PRIu32 "|%" PRIu32 " to %" PRIu64, indices,
                              batch.first_index, (uint64_t)batch.first_index + batch.index_count);
        } else if (batch.index_count > 0) {
            seen += batch.index_count;
            if (seen > 2 * (uint64_t)indices && table.part == 0)
                LargestIndices_Make(&table, checker->msh);
            CheckVertices(checker, &table, i, &batch);
        }
    }
}

/* ---- M16, ranges ----------------------------------------------------------------------------- */

/* Returns whether every neighbour is below `count` or is 0xFFFF: a neighbour plus one, in 16
 * bits, is at most `count`. A record is one block. */
_Static_assert(2 * WORDS == TRIANGLE_BYTES, "a block is a record");
static bool NeighboursExist(const uint8_t *bytes, uint32_t count) {
    enum { FIRST = TRIANGLE_AT_neighbours / 2 };
    uint16_t largest[WORDS];
    if (count >= RP_MSH_NONE)
        return true;
    LargestAfterOfBlocks(bytes, count, largest);
    return Larger(Larger(largest[FIRST], largest[FIRST + 1]), largest[FIRST + 2]) <= count;
}

static void CheckNeighbours(MshChecker *checker, uint32_t index, const RpMshTriangle *triangle) {
    uint32_t count = RpMsh_Count(checker->msh, RP_MSH_TRIANGLES);
    for (uint32_t e = 0; e < 3; e++)
        if (triangle->neighbours[e] != RP_MSH_NONE && triangle->neighbours[e] >= count)
            MshChecker_Report(checker,
                              MshPlace_Element(checker, 16, RP_SEVERITY_ERROR, RP_MSH_TRIANGLES,
                                               index, TRIANGLE_AT_neighbours + 2 * e),
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
