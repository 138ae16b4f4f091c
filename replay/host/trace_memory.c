#include "replay/host/trace_memory.h"

#include "replay/host/invoke.h"

#include <stdlib.h>
#include <string.h>

#define PAGE        GUEST_PAGE
#define REGION      0x1000000u /* bytes that are reserved at a time */
#define FIELD_BYTES 4u

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE,
                       "no address space for the memory of the trace", "", "", "");
}

/* ---- pointers back to ids ---------------------------------------------------------------------
 */

/* Returns the last place that begins at an address or before it. */
static const Place *LastUpTo(const Memory *memory, uint32_t address) {
    uint32_t low = 0, high = memory->place_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (memory->places[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &memory->places[low - 1] : NULL;
}

void Memory_Canonical(const Memory *memory, uint32_t address, uint32_t *id, uint32_t *offset) {
    /* the place that contains the address, or that ends just before it */
    const Place *place = address ? LastUpTo(memory, address) : NULL;
    if (place && address - place->address > place->size)
        place = NULL;
    *id = place ? place->id : address ? TRACE_FOREIGN_MEMORY : TRACE_NO_MEMORY;
    *offset = place ? address - place->address : 0;
}

/* Finds a memory by its id. Calls often name the same memory many times in a row, so the last one
 * is remembered. */
static const Place *Defined(Memory *memory, uint32_t id) {
    uint32_t index;
    if (memory->asked && memory->asked->id == id)
        return memory->asked;
    memory->asked = TraceIds_Find(&memory->ids, id, &index) ? &memory->defined[index] : NULL;
    return memory->asked;
}

uint32_t Memory_Address(Memory *memory, uint32_t id, uint32_t offset) {
    const Place *place = Defined(memory, id);
    return place ? place->address + offset : 0;
}

uint32_t Memory_Size(Memory *memory, uint32_t id) {
    const Place *place = Defined(memory, id);
    return place ? place->size : 0;
}

/* ---- writes -----------------------------------------------------------------------------------
 */

/* Allows a write into the memory of the trace once the page is saved. The call then ends as it
 * would have, and the page is put back afterwards. */
static bool OnWrite(void *context, uint32_t page) {
    Memory *memory = context;
    const Place *place = LastUpTo(memory, page + PAGE - 1);
    if (memory->written_count == MEMORY_MOST_WRITTEN || !place ||
        (uint64_t)place->address + place->size <= page)
        return false;
    WrittenPage *saved = &memory->written[memory->written_count++];
    saved->address = page;
    memcpy(saved->before, Guest_At(memory->guest, page), PAGE);
    Guest_Protect(memory->guest, page, PAGE, true);
    return true;
}

bool Memory_TakeWrites(Memory *memory) {
    if (memory->written_count == 0)
        return false;
    Invoke_Leave(memory->guest);
    for (uint32_t i = 0; i < memory->written_count; i++) {
        memcpy(Guest_At(memory->guest, memory->written[i].address), memory->written[i].before,
               PAGE);
        Guest_Protect(memory->guest, memory->written[i].address, PAGE, false);
    }
    memory->written_count = 0;
    return true;
}

void Memory_Begin(Memory *memory, Guest *guest) {
    memset(memory, 0, sizeof *memory);
    memory->guest = guest;
    Guest_WatchWrites(guest, OnWrite, memory);
}

void Memory_Free(Memory *memory) {
    TraceIds_Free(&memory->ids);
    free(memory->places);
    free(memory->defined);
    free(memory->pending);
    free(memory->regions);
}

/* ---- placing ----------------------------------------------------------------------------------
 */

static bool Grow(void **array, uint32_t count, uint32_t *capacity, size_t element) {
    if (count < *capacity)
        return true;
    uint32_t grown = *capacity * 2 + 64;
    void *bytes = realloc(*array, grown * element);
    if (!bytes)
        return false;
    *array = bytes;
    *capacity = grown;
    return true;
}

/* Changes the protection of all pages that contain these bytes. */
static void Seal(Memory *memory, uint32_t address, uint32_t size, bool writable) {
    Invoke_Leave(memory->guest);
    if (size > 0)
        Guest_Protect(memory->guest, address / PAGE * PAGE,
                      (size + address % PAGE + PAGE - 1) / PAGE * PAGE, writable);
}

void Memory_KeepOpen(Memory *memory) {
    memory->keeps_open = true;
}

void Memory_Seal(Memory *memory) {
    if (memory->opened && !memory->keeps_open)
        Seal(memory, memory->opened->address, memory->opened->size, false);
    memory->opened = NULL;
}

uint8_t *Memory_Open(Memory *memory, uint32_t id, uint32_t *lead, uint32_t *bytes) {
    const Place *place = Defined(memory, id);
    if (!place || place->size == 0)
        return NULL;
    *lead = place->address % PAGE;
    *bytes = (*lead + place->size + PAGE - 1) / PAGE * PAGE;
    if (memory->opened != place) {
        Memory_Seal(memory);
        Seal(memory, place->address, place->size, true);
        memory->opened = place;
    }
    return Guest_At(memory->guest, place->address - *lead);
}

RpStatus Memory_Place(Memory *memory, const TraceMemory *placed, RpError *error) {
    Memory_Seal(memory); /* the array `defined` may move */

    /* It gets whole pages, committed for writing. The page behind them is never committed. */
    const uint32_t room = (placed->size + PAGE - 1) / PAGE * PAGE, wanted = room + PAGE;
    if (memory->region_end - memory->region_next < wanted) {
        const uint32_t bytes = wanted > REGION ? wanted : REGION;
        if (!Grow((void **)&memory->regions, memory->region_count, &memory->region_capacity,
                  sizeof *memory->regions))
            return NoMemory(error);
        memory->region_next = Guest_Reserve(memory->guest, bytes);
        memory->region_end = memory->region_next ? memory->region_next + bytes : 0;
        memory->regions[memory->region_count] = memory->region_next;
        memory->region_count += memory->region_next != 0;
        if (!memory->region_next)
            return NoMemory(error);
    }
    const uint32_t pages = memory->region_next;
    if (room > 0 && !Guest_Commit(memory->guest, pages, room))
        return NoMemory(error);
    memory->region_next += wanted;

    /* A memory ends where its last page ends, as far as an alignment of 16 allows it. */
    const uint32_t address = pages + ((room - placed->size) & ~15u);
    if (placed->size > 0)
        memcpy(Guest_At(memory->guest, address), placed->bytes, placed->size);
    for (uint32_t i = 0; i < placed->relocation_count; i++) {
        if (!Grow((void **)&memory->pending, memory->pending_count, &memory->pending_capacity,
                  sizeof *memory->pending))
            return NoMemory(error);
        memory->pending[memory->pending_count++] = (PendingPointer){
            address + placed->relocations[i].offset, false, placed->relocations[i]};
    }

    /* The places are kept twice: in the order in which they came, and in that of addresses. */
    const Place place = {address, placed->size, placed->id};
    uint32_t position = memory->place_count;
    if (!Grow((void **)&memory->places, memory->place_count, &memory->place_capacity,
              sizeof *memory->places) ||
        !Grow((void **)&memory->defined, memory->place_count, &memory->defined_capacity,
              sizeof *memory->defined) ||
        TraceIds_Add(&memory->ids, placed->id, memory->place_count))
        return NoMemory(error);
    memory->defined[memory->place_count] = place;
    memory->asked = NULL; /* the array `defined` may have moved */
    while (position > 0 && memory->places[position - 1].address > address)
        position--;
    memmove(&memory->places[position + 1], &memory->places[position],
            (memory->place_count - position) * sizeof *memory->places);
    memory->places[position] = place;
    memory->place_count++;
    return RP_OK;
}

void Memory_Ready(Memory *memory) {
    if (memory->ready_count == memory->place_count)
        return;

    /* Every pointer field is filled in whose target is known by now. */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < memory->pending_count; i++) {
        const PendingPointer *field = &memory->pending[i];
        const uint32_t target =
            Memory_Address(memory, field->relocation.target, field->relocation.target_offset);
        if (!target) {
            memory->pending[kept] = *field;
            memory->pending[kept++].sealed = true;
            continue;
        }
        if (field->sealed)
            Seal(memory, field->address, FIELD_BYTES, true);
        memcpy(Guest_At(memory->guest, field->address), &target, sizeof target);
        if (field->sealed)
            Seal(memory, field->address, FIELD_BYTES, false);
    }
    memory->pending_count = kept;

    for (; memory->ready_count < memory->place_count; memory->ready_count++)
        Seal(memory, memory->defined[memory->ready_count].address,
             memory->defined[memory->ready_count].size, false);
}

RpStatus Memory_Load(Memory *memory, const TraceReader *reader, RpError *error) {
    const uint32_t count = TraceReader_MemoryCount(reader);
    RpStatus status = RP_OK;
    while (!status && memory->place_count < count)
        status = Memory_Place(memory, TraceReader_MemoryAt(reader, memory->place_count), error);
    if (!status)
        Memory_Ready(memory);
    return status;
}

void Memory_Forget(Memory *memory) {
    for (uint32_t i = 0; i < memory->region_count; i++)
        Guest_Release(memory->guest, memory->regions[i]);
    TraceIds_Free(&memory->ids);
    memory->place_count = memory->ready_count = memory->pending_count = memory->region_count = 0;
    memory->region_next = memory->region_end = 0;
    memory->opened = memory->asked = NULL;
}
