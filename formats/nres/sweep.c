#include "formats/nres/sweep.h"

#include "formats/nres/order.h"
#include "formats/nres/record.h"

static uint32_t Start(const RpNRes *archive, uint32_t entry) {
    return Bytes_U32(NRes_Record(archive, entry) + NRES_AT_DATA_OFFSET);
}

/* The result is false for a payload that a sweep passes over. */
static bool ReadRange(const RpNRes *archive, uint32_t entry, NResRange *range) {
    const uint8_t *record = NRes_Record(archive, entry);
    const uint32_t start = Bytes_U32(record + NRES_AT_DATA_OFFSET);
    const uint32_t size = Bytes_U32(record + NRES_AT_SIZE);
    *range = (NResRange){.entry = entry, .start = start, .end = (uint64_t)start + size};
    return size > 0 && NRes_IsInside(archive, start, size);
}

static bool StartsBefore(const void *context, uint32_t b, uint32_t a) {
    return Start(context, b) < Start(context, a);
}

void NResSweep_Begin(NResSweep *sweep, const RpNRes *archive, uint32_t *work) {
    sweep->archive = archive;
    sweep->order = NULL;
    sweep->next = 0;
    sweep->batch_count = 0;
    sweep->in_batches = false;

    /* If the payloads lie in the order of the directory, nothing has to be sorted. */
    uint32_t previous = 0;
    bool in_order = true;
    NResRange range;
    for (uint32_t i = 0; in_order && i < archive->count; i++)
        if (ReadRange(archive, i, &range)) {
            in_order = range.start >= previous;
            previous = range.start;
        }
    if (in_order)
        return;
    sweep->in_batches = !work;
    if (work) {
        NResOrder_Sort(work, work + archive->count, archive->count, StartsBefore, archive);
        sweep->order = work;
    }
}

/* ---- batches --------------------------------------------------------------------------------- */

/* Lets the value at `at` of a heap (greatest first) sink to its place. */
static void Sink(uint64_t *heap, uint32_t count, uint32_t at) {
    const uint64_t value = heap[at];
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && heap[child + 1] > heap[child])
            child++;
        if (heap[child] <= value)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = value;
}

static void MakeHeap(uint64_t *heap, uint32_t count) {
    for (uint32_t at = count / 2; at > 0; at--)
        Sink(heap, count, at - 1);
}

/* Fills the batch with the least keys above `last`. */
static void FillBatch(NResSweep *sweep, bool is_first, uint64_t last) {
    NResRange range;
    sweep->next = 0;
    sweep->batch_count = 0;
    for (uint32_t i = 0; i < sweep->archive->count; i++) {
        const uint64_t key = (uint64_t)Start(sweep->archive, i) << 32 | i;
        if ((is_first || key > last) && ReadRange(sweep->archive, i, &range)) {
            if (sweep->batch_count < NRES_SWEEP_BATCH) {
                sweep->batch[sweep->batch_count++] = key;
                if (sweep->batch_count == NRES_SWEEP_BATCH)
                    MakeHeap(sweep->batch, sweep->batch_count);
            } else if (key < sweep->batch[0]) {
                sweep->batch[0] = key;
                Sink(sweep->batch, sweep->batch_count, 0);
            }
        }
    }
    MakeHeap(sweep->batch, sweep->batch_count);
    uint64_t *heap = sweep->batch;
    for (uint32_t left = sweep->batch_count; left > 1; left--) {
        const uint64_t greatest = heap[0];
        heap[0] = heap[left - 1];
        heap[left - 1] = greatest;
        Sink(heap, left - 1, 0);
    }
}

/* ---- all kinds ------------------------------------------------------------------------------- */

bool NResSweep_Next(NResSweep *sweep, NResRange *range) {
    if (sweep->in_batches) {
        if (sweep->next == sweep->batch_count) {
            const bool is_first = sweep->batch_count == 0;
            FillBatch(sweep, is_first, is_first ? 0 : sweep->batch[sweep->batch_count - 1]);
        }
        if (sweep->batch_count == 0)
            return false;
        return ReadRange(sweep->archive, (uint32_t)sweep->batch[sweep->next++], range);
    }
    while (sweep->next < sweep->archive->count) {
        const uint32_t entry = sweep->order ? sweep->order[sweep->next] : sweep->next;
        sweep->next++;
        if (ReadRange(sweep->archive, entry, range))
            return true;
    }
    return false;
}
