#include "replay/host/state.h"

#include "replay/host/memory.h"

#include <stdlib.h>
#include <string.h>

/* The pages of the memory that was the last state. Calls come in runs on one object, so it stays
 * writable between them. */
static struct {
    uint32_t lead, bytes;
    uint8_t *pages;
    uint8_t *base;     /* as in the trace */
    uint8_t *expected; /* as in the trace, with the patches of the call */
    uint32_t capacity;
} now;

static uint32_t Dword(const uint8_t *pairs, uint32_t pair, uint32_t second) {
    uint32_t value;
    memcpy(&value, pairs + 8 * (size_t)pair + 4 * (size_t)second, sizeof value);
    return value;
}

static bool Grow(uint32_t bytes) {
    if (bytes <= now.capacity)
        return true;
    free(now.base);
    free(now.expected);
    now.base = malloc(bytes);
    now.expected = malloc(bytes);
    now.capacity = now.base && now.expected ? bytes : 0;
    return now.capacity != 0;
}

static RpStatus Use(uint32_t memory, RpError *error) {
    uint32_t lead, bytes;
    uint8_t *pages = Memory_Open(memory, &lead, &bytes);
    if (!pages)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "a state in an empty memory", "",
                           "bytes", "");
    if (pages == now.pages)
        return RP_OK;
    now.pages = NULL;
    if (!Grow(bytes))
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a state", "", "", "");
    now.lead = lead;
    now.bytes = bytes;
    now.pages = pages;
    memcpy(now.base, pages, bytes);
    memcpy(now.expected, pages, bytes);
    return RP_OK;
}

RpStatus State_Begin(const SignatureState *state, void **pointer, RpError *error) {
    RpStatus status = Use(state->memory, error);
    if (status)
        return status;
    for (uint32_t i = 0; i < state->patch_count; i++) {
        uint32_t at = now.lead + Dword(state->patches, i, 0);
        uint32_t value = Dword(state->patches, i, 1);
        memcpy(now.pages + at, &value, sizeof value);
        memcpy(now.expected + at, &value, sizeof value);
    }
    *pointer = now.pages + now.lead + state->offset;
    return RP_OK;
}

bool State_End(const SignatureState *state, uint8_t *outputs) {
    uint32_t cursor = 0;
    bool changed = false;
    for (uint32_t i = 0; i < state->range_count; i++) {
        uint32_t at = now.lead + Dword(state->ranges, i, 0);
        uint32_t bytes = 4 * Dword(state->ranges, i, 1);
        changed |= memcmp(now.pages + cursor, now.expected + cursor, at - cursor) != 0;
        memcpy(outputs, now.pages + at, bytes);
        outputs += bytes;
        cursor = at + bytes;
    }
    changed |= memcmp(now.pages + cursor, now.expected + cursor, now.bytes - cursor) != 0;
    for (uint32_t i = 0; i < state->patch_count; i++) {
        uint32_t at = now.lead + Dword(state->patches, i, 0);
        memcpy(now.expected + at, now.base + at, sizeof(uint32_t));
    }
    memcpy(now.pages, now.base, now.bytes);
    return changed;
}
