#include "replay/provider/batch.h"

#include <inttypes.h>
#include <stdio.h>

/* The size of what belongs to a record, by its kind and the numbers in it. */
static uint64_t NeededBytes(const BatchRecord *record) {
    uint64_t bytes = sizeof *record + (uint64_t)record->size;
    if (record->kind == BATCH_MEMORY)
        bytes = (bytes + 7) / 8 * 8 + record->result * (uint64_t)sizeof(TraceRelocation);
    return bytes;
}

static RpStatus Refuse(uint64_t at, const char *what, uint64_t least, uint64_t most, uint64_t found,
                       RpError *error) {
    char range[64], number[32];
    snprintf(range, sizeof range, "%" PRIu64 " to %" PRIu64, least, most);
    snprintf(number, sizeof number, "%" PRIu64, found);
    return RpError_Set(error, RP_CORRUPT, at, what, "a batch of calls", range, number);
}

RpStatus Batch_Check(const BatchPart *part, RpError *error) {
    uint64_t outcomes = 0;
    if (part->bytes > BATCH_RECORD_BYTES)
        return Refuse(0, "the number of bytes of all records", 0, BATCH_RECORD_BYTES, part->bytes,
                      error);
    for (uint32_t at = 0; at < part->bytes;) {
        const BatchRecord *record = (const BatchRecord *)(const void *)(part->records + at);
        const uint32_t left = part->bytes - at;
        if (left < sizeof *record)
            return Refuse(at, "the number of bytes that are left for a record", sizeof *record,
                          BATCH_RECORD_BYTES, left, error);
        if (record->kind != BATCH_CALL && record->kind != BATCH_MEMORY)
            return Refuse(at, "the kind of a record", BATCH_CALL, BATCH_MEMORY, record->kind,
                          error);
        if (record->bytes < NeededBytes(record) || record->bytes > left || record->bytes % 8 != 0)
            return Refuse(at, "the number of bytes of a record, which is a multiple of 8",
                          NeededBytes(record), left, record->bytes, error);
        if (record->kind == BATCH_CALL)
            outcomes += Batch_OutcomeBytes(record->result);
        if (outcomes > BATCH_RECORD_BYTES)
            return Refuse(at, "the number of bytes of all outcomes", 0, BATCH_RECORD_BYTES,
                          outcomes, error);
        at += record->bytes;
    }
    return RP_OK;
}
