/* Lists the numbers of a kept difference that a shard's file has by name. Writing and reading go
 * over the same list. */
#ifndef RETROPOSE_REPLAY_MERGE_SHARD_FIELDS_H
#define RETROPOSE_REPLAY_MERGE_SHARD_FIELDS_H

#include "replay/compare/compare.h"
#include "tracefile/format.h"

typedef struct ShardField {
    const char *name;
    size_t at, size; /* offset in a Difference, and size, which is 1, 2 or 4 bytes */
    uint32_t most;
} ShardField;

#define SHARD_FIELD(name, most)                                                                    \
    { #name, offsetof(Difference, name), sizeof((Difference){0}.name), most }
static const ShardField shard_fields[] = {SHARD_FIELD(type, SIGNATURE_SLOT),
                                          SHARD_FIELD(size, 12),
                                          SHARD_FIELD(elements, UINT32_MAX),
                                          SHARD_FIELD(control_in, UINT16_MAX),
                                          SHARD_FIELD(control_out_a, UINT16_MAX),
                                          SHARD_FIELD(control_out_b, UINT16_MAX),
                                          SHARD_FIELD(mxcsr_in, UINT32_MAX),
                                          SHARD_FIELD(mxcsr_out_a, UINT32_MAX),
                                          SHARD_FIELD(mxcsr_out_b, UINT32_MAX),
                                          SHARD_FIELD(outcome_a, TRACE_OUTCOME_COUNT - 1),
                                          SHARD_FIELD(outcome_b, TRACE_OUTCOME_COUNT - 1),
                                          SHARD_FIELD(violations_a, TRACE_VIOLATION_MASK),
                                          SHARD_FIELD(violations_b, TRACE_VIOLATION_MASK)};
enum { SHARD_FIELDS = sizeof shard_fields / sizeof *shard_fields };

#endif
