#include "replay/host/memory.h"

#include "replay/host/guest.h"
#include "replay/host/invoke.h"
#include "replay/trace/format.h"

#include <stdlib.h>
#include <string.h>

#define PAGE        GUEST_PAGE
#define REGION      0x1000000u /* reserved at a time */
#define WRITTEN_MAX 64u /* pages that one call may write to before a further write crashes it */
#define FIELD_BYTES 4u

typedef struct Place {
    uint32_t address, size;
    uint32_t id;
} Place;

/* A pointer field whose target is not defined yet. */
typedef struct Pending {
    uint32_t address;
    bool sealed; /* the memory that holds it is read-only already */
    TraceRelocation relocation;
} Pending;

typedef struct WrittenPage {
    uint32_t address;
    uint8_t before[PAGE];
} WrittenPage;

static Place *places; /* in the order of addresses */
static uint32_t place_count, place_capacity;
static TraceIds ids; /* from the id of a memory to its place in the order of definition */
static Place *defined;
static Pending *pending;
static uint32_t pending_count, pending_capacity;
static uint32_t *regions; /* addresses of everything that was reserved */
static uint32_t region_count, region_capacity;
static uint32_t region_next, region_end;
static uint32_t ready_count; /* of `defined`: pointers are filled in, pages are read-only */
static const Place *asked;   /* in `defined`: the memory that was asked for last */
static bool keeps_open;
static const Place *opened; /* in `defined`: the memory whose pages are writable now */
static WrittenPage written[WRITTEN_MAX];
static volatile uint32_t written_count;

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE,
                       "no address space for the memory of the trace", "", "", "");
}

/* ---- pointers back to ids ---------------------------------------------------------------------
 */

/* Returns the last place that begins at an address or in front of it. */
static const Place *LastUpTo(uint32_t address) {
    uint32_t low = 0, high = place_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (places[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &places[low - 1] : NULL;
}

/* Returns the place that contains an address, or that ends just before it. */
static const Place *Find(uint32_t address) {
    const Place *place = LastUpTo(address);
    return place && address - place->address <= place->size ? place : NULL;
}

void Memory_Canonical(uint32_t address, uint32_t *id, uint32_t *offset) {
    const Place *place = address ? Find(address) : NULL;
    *id = place ? place->id : address ? TRACE_FOREIGN_MEMORY : TRACE_NO_MEMORY;
    *offset = place ? address - place->address : 0;
}

/* Calls name one memory many times before another one, so the last one is remembered. */
static const Place *Defined(uint32_t id) {
    uint32_t index;
    if (asked && asked->id == id)
        return asked;
    asked = TraceIds_Find(&ids, id, &index) ? &defined[index] : NULL;
    return asked;
}

uint32_t Memory_Address(uint32_t id, uint32_t offset) {
    const Place *place = Defined(id);
    return place ? place->address + offset : 0;
}

uint32_t Memory_Size(uint32_t id) {
    const Place *place = Defined(id);
    return place ? place->size : 0;
}

/* ---- writes -----------------------------------------------------------------------------------
 */

/* Lets a write into the memory of the trace through once the page is saved. The call then ends as
 * it would have, and the page is put back afterwards. */
static bool OnWrite(uint32_t page) {
    const Place *place = LastUpTo(page + PAGE - 1);
    if (written_count == WRITTEN_MAX || !place || (uint64_t)place->address + place->size <= page)
        return false;
    WrittenPage *saved = &written[written_count++];
    saved->address = page;
    memcpy(saved->before, Guest_At(page), PAGE);
    Guest_Protect(page, PAGE, true);
    return true;
}

bool Memory_TakeWrites(void) {
    if (written_count == 0)
        return false;
    Invoke_Leave();
    for (uint32_t i = 0; i < written_count; i++) {
        memcpy(Guest_At(written[i].address), written[i].before, PAGE);
        Guest_Protect(written[i].address, PAGE, false);
    }
    written_count = 0;
    return true;
}

void Memory_Init(void) {
    Guest_WatchWrites(OnWrite);
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

static bool Reserve(uint32_t size) {
    if (!Grow((void **)&regions, region_count, &region_capacity, sizeof *regions))
        return false;
    region_next = Guest_Reserve(size);
    region_end = region_next ? region_next + size : 0;
    regions[region_count] = region_next;
    region_count += region_next != 0;
    return region_next != 0;
}

/* Returns whole pages for `size` bytes, committed for writing. The page behind them is never
 * committed. */
static uint32_t Pages(uint32_t size) {
    uint32_t data = (size + PAGE - 1) / PAGE * PAGE, wanted = data + PAGE;
    if (region_end - region_next < wanted && !Reserve(wanted > REGION ? wanted : REGION))
        return 0;
    uint32_t pages = region_next;
    if (data > 0 && !Guest_Commit(pages, data))
        return 0;
    region_next += wanted;
    return pages;
}

/* Returns the address at which the memory ends where its last page ends, as far as an alignment
 * of 16 allows it. */
static uint32_t AddressIn(uint32_t pages, uint32_t size) {
    uint32_t room = (size + PAGE - 1) / PAGE * PAGE;
    return pages + ((room - size) & ~15u);
}

static RpStatus AddPlace(const TraceMemory *memory, uint32_t address, RpError *error) {
    static uint32_t defined_capacity;
    Place place = {address, memory->size, memory->id};
    uint32_t position = place_count;
    if (!Grow((void **)&places, place_count, &place_capacity, sizeof *places) ||
        !Grow((void **)&defined, place_count, &defined_capacity, sizeof *defined) ||
        TraceIds_Add(&ids, memory->id, place_count))
        return NoMemory(error);
    defined[place_count] = place;
    asked = NULL; /* `defined` may have moved */
    while (position > 0 && places[position - 1].address > address)
        position--;
    memmove(&places[position + 1], &places[position], (place_count - position) * sizeof *places);
    places[position] = place;
    place_count++;
    return RP_OK;
}

static RpStatus PlaceMemory(const TraceMemory *memory, RpError *error) {
    uint32_t pages = Pages(memory->size);
    if (!pages)
        return NoMemory(error);
    uint32_t address = AddressIn(pages, memory->size);
    if (memory->size > 0)
        memcpy(Guest_At(address), memory->bytes, memory->size);
    for (uint32_t i = 0; i < memory->relocation_count; i++) {
        if (!Grow((void **)&pending, pending_count, &pending_capacity, sizeof *pending))
            return NoMemory(error);
        pending[pending_count++] =
            (Pending){address + memory->relocations[i].offset, false, memory->relocations[i]};
    }
    return AddPlace(memory, address, error);
}

/* Changes the protection of all pages that have these bytes. */
static void Seal(uint32_t address, uint32_t size, bool writable) {
    Invoke_Leave();
    if (size > 0)
        Guest_Protect(address / PAGE * PAGE, (size + address % PAGE + PAGE - 1) / PAGE * PAGE,
                      writable);
}

/* Patches every pointer field whose target is known by now. */
static void PatchPointers(void) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < pending_count; i++) {
        const Pending *field = &pending[i];
        const uint32_t target =
            Memory_Address(field->relocation.target, field->relocation.target_offset);
        if (!target) {
            pending[kept] = *field;
            pending[kept++].sealed = true;
            continue;
        }
        if (field->sealed)
            Seal(field->address, FIELD_BYTES, true);
        memcpy(Guest_At(field->address), &target, sizeof target);
        if (field->sealed)
            Seal(field->address, FIELD_BYTES, false);
    }
    pending_count = kept;
}

void Memory_KeepOpen(void) {
    keeps_open = true;
}

void Memory_Seal(void) {
    if (opened && !keeps_open)
        Seal(opened->address, opened->size, false);
    opened = NULL;
}

uint8_t *Memory_Open(uint32_t id, uint32_t *lead, uint32_t *bytes) {
    const Place *place = Defined(id);
    if (!place || place->size == 0)
        return NULL;
    *lead = place->address % PAGE;
    *bytes = (*lead + place->size + PAGE - 1) / PAGE * PAGE;
    if (opened != place) {
        Memory_Seal();
        Seal(place->address, place->size, true);
        opened = place;
    }
    return Guest_At(place->address - *lead);
}

RpStatus Memory_Place(const TraceMemory *memory, RpError *error) {
    Memory_Seal(); /* `defined` may move */
    return PlaceMemory(memory, error);
}

void Memory_Ready(void) {
    if (ready_count == place_count)
        return;
    PatchPointers();
    for (; ready_count < place_count; ready_count++)
        Seal(defined[ready_count].address, defined[ready_count].size, false);
}

RpStatus Memory_Load(const TraceReader *reader, RpError *error) {
    const uint32_t count = TraceReader_MemoryCount(reader);
    RpStatus status = RP_OK;
    while (!status && place_count < count)
        status = Memory_Place(TraceReader_MemoryAt(reader, place_count), error);
    if (!status)
        Memory_Ready();
    return status;
}

void Memory_Forget(void) {
    for (uint32_t i = 0; i < region_count; i++)
        Guest_Release(regions[i]);
    TraceIds_Free(&ids);
    place_count = ready_count = pending_count = region_count = 0;
    region_next = region_end = 0;
    opened = asked = NULL;
}
