#include "core/text/shards.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool IsDigit(char c) {
    return c >= '0' && c <= '9';
}

bool Shard_Read(const char *text, Shard *shard) {
    char *slash, *end;
    if (!IsDigit(text[0]))
        return false;
    const unsigned long number = strtoul(text, &slash, 10);
    if (*slash != '/' || !IsDigit(slash[1]))
        return false;
    const unsigned long of = strtoul(slash + 1, &end, 10);
    if (*end || number < 1 || number > of || of > SHARDS_MOST)
        return false;
    *shard = (Shard){(uint32_t)number, (uint32_t)of};
    return true;
}

/* Computes total * number / of without that product, which might not fit. */
uint64_t Shard_Edge(uint64_t total, uint32_t number, uint32_t of) {
    return total / of * number + total % of * number / of;
}

bool Shards_AreComplete(const Shards *shards) {
    bool complete = true;
    for (uint32_t i = 0; i < shards->of; i++)
        complete &= shards->done[i];
    return complete;
}

static RpStatus Refuse(const char *what, const char *where, uint32_t number, uint32_t of,
                       RpError *error) {
    char found[32];
    snprintf(found, sizeof found, "%" PRIu32 "/%" PRIu32, number, of);
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, what, where, "each shard once, of one number",
                       found);
}

RpStatus Shards_Add(Shards *shards, const Shards *other, const char *where, RpError *error) {
    if (shards->of != other->of)
        return Refuse("shards of two numbers", where, 1, other->of, error);
    for (uint32_t i = 0; i < shards->of; i++)
        if (shards->done[i] && other->done[i])
            return Refuse("a shard occurs twice", where, i + 1, shards->of, error);
    for (uint32_t i = 0; i < shards->of; i++)
        shards->done[i] |= other->done[i];
    return RP_OK;
}

void Shards_Text(const Shards *shards, bool done, RpBuffer *text) {
    const char *comma = "";
    for (uint32_t i = 0, first; i < shards->of; i++) {
        if (shards->done[i] != done)
            continue;
        for (first = i; i + 1 < shards->of && shards->done[i + 1] == done;)
            i++;
        RpBuffer_Print(text, "%s%" PRIu32, comma, first + 1);
        if (i > first)
            RpBuffer_Print(text, "-%" PRIu32, i + 1);
        comma = ", ";
    }
    RpBuffer_Print(text, " of %" PRIu32, shards->of);
}

RpStatus Shards_DemandAll(const Shards *shards, RpError *error) {
    RpBuffer text;
    char expected[32];
    if (Shards_AreComplete(shards))
        return RP_OK;
    RpBuffer_Init(&text, NULL);
    RpBuffer_AppendText(&text, "without ");
    Shards_Text(shards, false, &text);
    RpBuffer_Append(&text, "", 1);
    snprintf(expected, sizeof expected, "1-%" PRIu32, shards->of);
    const RpStatus status = text.failed
                                ? RpMemory_Refused(error, "a list of shards")
                                : RpError_Set(error, RP_INVALID, RP_NOWHERE, "shards are missing",
                                              "", expected, (const char *)text.bytes);
    RpBuffer_Free(&text);
    return status;
}
