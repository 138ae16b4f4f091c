#include "replay/host/state_memory.h"

#include "core/bytes.h"
#include "replay/host/few_bytes.h"

#include <stdlib.h>
#include <string.h>

static uint32_t Dword(const uint8_t *pairs, uint32_t pair, uint32_t second) {
    uint32_t value;
    memcpy(&value, pairs + 8 * (size_t)pair + 4 * (size_t)second, sizeof value);
    return value;
}

void State_KeepOpen(States *states) {
    states->keeps_open = true;
    Memory_KeepOpen(states->memory);
}

void State_Forget(States *states) {
    for (uint32_t i = 0; i < states->count; i++)
        free(states->memories[i].base);
    TraceIds_Free(&states->ids);
    states->count = 0;
    states->dirty = false;
}

void State_Free(States *states) {
    State_Forget(states);
    free(states->memories);
}

bool State_IsClean(States *states) {
    for (uint32_t i = 0; i < states->count && !states->dirty; i++)
        states->dirty = !HostBytes_Equal(states->memories[i].pages, states->memories[i].base,
                                         states->memories[i].bytes);
    return !states->dirty;
}

/* Makes a memory the current one. */
static RpStatus Use(States *states, uint32_t memory, RpError *error) {
    uint32_t lead, bytes;
    if (states->keeps_open && states->count > 0 && memory == states->now_id)
        return RP_OK;
    if (states->keeps_open && TraceIds_Find(&states->ids, memory, &states->now)) {
        states->now_id = memory;
        return RP_OK;
    }
    uint8_t *pages = Memory_Open(states->memory, memory, &lead, &bytes);
    if (!pages)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "a state in an empty memory", "",
                           "bytes", "");
    if (!states->keeps_open && states->count > 0 && pages == states->memories[states->now].pages)
        return RP_OK;
    if (!states->keeps_open)
        State_Forget(states);

    /* A memory that is used for the first time. */
    StateMemory added = {lead, bytes, pages, malloc(bytes)};
    bool good = added.base != NULL;
    if (good && states->count == states->capacity) {
        StateMemory *grown = realloc(states->memories, (states->capacity + 64u) * sizeof *grown);
        good = grown != NULL;
        states->memories = grown ? grown : states->memories;
        states->capacity += grown ? 64 : 0;
    }
    if (!good || TraceIds_Add(&states->ids, memory, states->count) != RP_OK) {
        free(added.base);
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a state", "", "", "");
    }
    memcpy(added.base, pages, bytes);
    states->memories[states->count] = added;
    states->now = states->count++;
    states->now_id = memory;
    return RP_OK;
}

RpStatus State_Begin(States *states, const SignatureState *state, uint32_t *pointer,
                     RpError *error) {
    RpStatus status = Use(states, state->memory, error);
    if (status)
        return status;
    const StateMemory *memory = &states->memories[states->now];
    if (states->keeps_open) {
        /* Everything that State_End will put back must hold the bytes of the trace. State_IsClean
         * checks the rest of the memory. */
        const uint8_t *pages = memory->pages + memory->lead, *base = memory->base + memory->lead;
        uint32_t differ = 0;
        for (uint32_t i = 0; i < state->patch_count; i++) {
            const uint32_t at = Dword(state->patches, i, 0);
            differ |= Bytes_U32(pages + at) ^ Bytes_U32(base + at);
        }
        for (uint32_t i = 0; i < state->range_count; i++) {
            const uint32_t at = Dword(state->ranges, i, 0), bytes = 4 * Dword(state->ranges, i, 1);
            differ |= !HostBytes_Equal(pages + at, base + at, bytes);
        }
        states->dirty |= differ != 0;
    }
    for (uint32_t i = 0; i < state->patch_count; i++) {
        const uint32_t value = Dword(state->patches, i, 1);
        memcpy(memory->pages + memory->lead + Dword(state->patches, i, 0), &value, sizeof value);
    }
    *pointer = Guest_AddressOf(states->memory->guest, memory->pages) + memory->lead + state->offset;
    return RP_OK;
}

/* Takes back the patches in front of an offset. Returns true where the call changed one of them. */
static bool TakeBack(const StateMemory *memory, const SignatureState *state, uint32_t *patch,
                     uint32_t end) {
    bool changed = false;
    for (; *patch < state->patch_count && Dword(state->patches, *patch, 0) < end; ++*patch) {
        const uint32_t at = memory->lead + Dword(state->patches, *patch, 0);
        const uint32_t value = Dword(state->patches, *patch, 1);
        changed |= memcmp(memory->pages + at, &value, sizeof value) != 0;
        memcpy(memory->pages + at, memory->base + at, sizeof value);
    }
    return changed;
}

bool State_End(States *states, const SignatureState *state, uint8_t *outputs) {
    const StateMemory *memory = &states->memories[states->now];
    uint32_t patch = 0;
    bool changed = false;
    for (uint32_t i = 0; i < state->range_count; i++) {
        const uint32_t offset = Dword(state->ranges, i, 0), at = memory->lead + offset;
        const uint32_t bytes = 4 * Dword(state->ranges, i, 1);
        changed |= TakeBack(memory, state, &patch, offset);
        HostBytes_Copy(outputs, memory->pages + at, bytes);
        HostBytes_Copy(memory->pages + at, memory->base + at, bytes);
        outputs += bytes;
        while (patch < state->patch_count && Dword(state->patches, patch, 0) < offset + bytes)
            patch++; /* this patch is in an output, and has been taken back already */
    }
    changed |= TakeBack(memory, state, &patch, UINT32_MAX);
    if (states->keeps_open || HostBytes_Equal(memory->pages, memory->base, memory->bytes))
        return changed;
    HostBytes_Copy(memory->pages, memory->base, memory->bytes);
    return true;
}
