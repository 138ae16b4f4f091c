/* Cuts work into shards, so that several machines can share it, and puts their results together
 * again. Proofs, replays and counts of a game's files use these functions. */
#ifndef RETROPOSE_CORE_TEXT_SHARDS_H
#define RETROPOSE_CORE_TEXT_SHARDS_H

#include "retropose/memory.h"

#include <stdbool.h>
#include <stdint.h>

enum { SHARDS_MOST = 4096 };

/* One of `of` parts, counted from 1. Shard 1 of 1 is the whole. */
typedef struct Shard {
    uint32_t number, of;
} Shard;

/* Reads "I/N", with I from 1 to N and N up to SHARDS_MOST. */
bool Shard_Read(const char *text, Shard *shard);
/* Returns how many of `total` things, in order, are in the first `number` of `of` shards. So shard
 * I has those from Shard_Edge(total, I - 1, N) up to Shard_Edge(total, I, N). */
uint64_t Shard_Edge(uint64_t total, uint32_t number, uint32_t of);

/* Which shards a result contains. */
typedef struct Shards {
    uint32_t of;
    bool done[SHARDS_MOST]; /* index: number of the shard, minus 1 */
} Shards;

bool Shards_AreComplete(const Shards *shards);
/* Adds the shards of another result. Fails with RP_INVALID, and changes nothing, when the other one
 * was cut into another number of shards, or when one shard is in both. The error names it. */
RpStatus Shards_Add(Shards *shards, const Shards *other, const char *where, RpError *error);
/* Fails with RP_INVALID unless all are done; the error names those that are missing. */
RpStatus Shards_DemandAll(const Shards *shards, RpError *error);
/* Appends the shards that are done, or those that are not: "1-3, 5 of 8". */
void Shards_Text(const Shards *shards, bool done, RpBuffer *text);

#endif
