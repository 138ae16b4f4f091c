/* Heaps: HeapAlloc and its like, and what older programs call instead.
 *
 * A block is preceded by 8 bytes, which hold its size and a mark with its class and whether it is
 * in use. Blocks of a class have the same size. The block that was freed last is used first,
 * because some programs rely on getting the same address again. The marks are in the guest's
 * memory, so the guest can destroy them. Whatever they say, a block is accepted only if it is in
 * its heap.
 *
 * Addresses of blocks are multiples of 8 and never of 16. 32-bit Windows promises no more, and a
 * program that needs more must fail here, too. */
#include "core/bytes.h"
#include "machine/exceptions.h"
#include "machine/services/service_state.h"

#include <string.h>

#define HEADER        8u
#define STEP          16u
#define FINE_CLASSES  64u      /* of 16, 32 ... 1024 bytes; then eight for each doubling */
#define MOST_STRIDE   0x80000u /* a larger block has a region of its own */
#define LARGE         0xFFu
#define MARK          0x4E470000u
#define USED          0x100u
#define FIRST_SEGMENT 0x10000u
#define MOST_SEGMENT  0x400000u
#define SEGMENT_HEAD  0x100u
#define MOST_SIZE     0x7FF00000u
#define ZEROED        8u /* HEAP_ZERO_MEMORY */
#define IN_PLACE      0x10u
#define EXCEPTIONS    4u
#define NO_MEMORY     0xC0000017u

/* Returns the class for a block of this size, including its header, and gives the size that all
 * blocks of the class have. */
static uint32_t ClassOf(uint32_t bytes, uint32_t *stride) {
    if (bytes <= FINE_CLASSES * STEP) {
        *stride = (bytes + STEP - 1) / STEP * STEP;
        return *stride / STEP - 1;
    }
    uint32_t base = FINE_CLASSES * STEP, class = FINE_CLASSES;
    while (bytes > 2 * base) {
        base *= 2;
        class += 8;
    }
    uint32_t steps = (bytes - base + base / 8 - 1) / (base / 8);
    *stride = base + steps * (base / 8);
    return class + steps - 1;
}

static uint32_t MarkOf(uint32_t address, uint32_t class, bool used) {
    return (MARK | class | (used ? USED : 0)) ^ address << 8;
}

static Heap *FindHeap(Services *services, uint32_t handle) {
    for (uint32_t i = 0; handle && i < services->live.heap_count; i++)
        if (services->live.heaps[i].handle == handle)
            return &services->live.heaps[i];
    return NULL;
}

bool Heap_Owns(const Services *services, uint32_t first) {
    const Live *live = &services->live;
    for (uint32_t i = 0; i < live->heap_count; i++)
        for (uint32_t k = 0; live->heaps[i].handle && k < live->heaps[i].segment_count; k++)
            if (live->heaps[i].segments[k].first == first)
                return true;
    for (uint32_t i = 0; i < live->large_count; i++)
        if (live->large[i].first == first)
            return true;
    return false;
}

static bool IsInSegment(const Heap *heap, uint32_t address) {
    for (uint32_t i = 0; i < heap->segment_count; i++)
        if (address >= heap->segments[i].first + SEGMENT_HEAD && address < heap->segments[i].end)
            return true;
    return false;
}

static LargeBlock *FindLarge(Services *services, const Heap *heap, uint32_t first) {
    for (uint32_t i = 0; i < services->live.large_count; i++)
        if (services->live.large[i].first == first && services->live.large[i].heap == heap->handle)
            return &services->live.large[i];
    return NULL;
}

static bool AddSegment(Services *services, Heap *heap, uint32_t least) {
    uint32_t size = FIRST_SEGMENT << (heap->segment_count < 6 ? heap->segment_count : 6);
    if (heap->segment_count == MOST_SEGMENTS)
        return false;
    if (size < least + SEGMENT_HEAD)
        size = MOST_SEGMENT;
    uint32_t at = MachineMemory_Find(services->memory, size, 0x10000);
    uint32_t first =
        at ? MachineMemory_Map(services->memory, at, size, MACHINE_READ | MACHINE_WRITE) : 0;
    if (!first)
        return false;
    heap->segments[heap->segment_count].first = first;
    heap->segments[heap->segment_count++].end = first + size;
    heap->bump = first + SEGMENT_HEAD;
    return true;
}

uint32_t Heap_Create(Services *services, uint32_t most) {
    Live *live = &services->live;
    uint32_t row = 0;
    while (row < live->heap_count && live->heaps[row].handle)
        row++;
    if (row == MOST_HEAPS)
        return 0;
    Heap *heap = &live->heaps[row];
    memset(heap, 0, sizeof *heap);
    if (!AddSegment(services, heap, 0))
        return 0;
    if (row == live->heap_count)
        live->heap_count++;
    heap->most = most;
    return heap->handle = heap->segments[0].first;
}

uint32_t Heap_Alloc(Services *services, Heap *heap, uint32_t size, bool zeroed) {
    uint8_t header[HEADER];
    uint32_t class = LARGE, stride = size, block = 0;
    if (size > MOST_SIZE || (heap->most && size > heap->most - heap->used))
        return 0;
    if (size + HEADER <= MOST_STRIDE) {
        class = ClassOf(size + HEADER, &stride);

        /* The block of this class that was freed last is taken. If the class's list is damaged, it
         * is not followed, and its blocks are lost. */
        uint32_t next = 0, mark = 0;
        block = heap->free[class];
        heap->free[class] = 0;
        if (block &&
            (!Access_Get32(services->machine, block - 4, &mark) ||
             mark != MarkOf(block, class, false) || !Access_Get32(services->machine, block, &next)))
            block = 0;
        if (block && next % STEP == HEADER && IsInSegment(heap, next))
            heap->free[class] = next;
        if (block == 0) {
            if (stride > heap->segments[heap->segment_count - 1].end - heap->bump &&
                !AddSegment(services, heap, stride))
                return 0;
            block = heap->bump + HEADER;
            heap->bump += stride;
        }
    } else {
        Live *live = &services->live;
        uint32_t row = 0;
        while (row < live->large_count && live->large[row].first)
            row++;
        if (row == MOST_LARGE)
            return 0;
        Access_ChargePages(services->machine, size);
        uint32_t at = MachineMemory_Find(services->memory, size + HEADER, 0x10000);
        uint32_t first = at ? MachineMemory_Map(services->memory, at, size + HEADER,
                                                MACHINE_READ | MACHINE_WRITE)
                            : 0;
        if (!first)
            return 0;
        if (row == live->large_count)
            live->large_count++;
        live->large[row] = (LargeBlock){heap->handle, first};
        block = first + HEADER;
    }
    if (!block)
        return 0;
    Bytes_PutU32(header, size);
    Bytes_PutU32(header + 4, MarkOf(block, class, true));
    if (!Access_Write(services->machine, block - HEADER, header, sizeof header) ||
        (zeroed && class != LARGE && !Access_Clear(services->machine, block, size)))
        return 0;
    heap->used += size;
    return block;
}

/* Gives the size and the class of a block. Returns false if it is no block of this heap that is in
 * use. */
static bool Examine(Services *services, const Heap *heap, uint32_t block, uint32_t *size,
                    uint32_t *class) {
    uint32_t mark, stride;
    if (block % STEP != HEADER || !Access_Get32(services->machine, block - HEADER, size) ||
        !Access_Get32(services->machine, block - 4, &mark))
        return false;
    if (FindLarge(services, heap, block - HEADER)) {
        *class = LARGE;
        uint32_t first, bytes;
        return mark == MarkOf(block, LARGE, true) &&
               MachineMemory_Region(services->memory, block, &first, &bytes) &&
               *size <= bytes - HEADER;
    }
    if (!IsInSegment(heap, block) || *size > MOST_STRIDE - HEADER)
        return false;
    *class = ClassOf(*size + HEADER, &stride);
    return mark == MarkOf(block, *class, true);
}

bool Heap_Free(Services *services, Heap *heap, uint32_t block) {
    uint32_t size, class;
    if (!Examine(services, heap, block, &size, &class))
        return false;
    heap->used -= size < heap->used ? size : heap->used;
    if (class == LARGE) {
        FindLarge(services, heap, block - HEADER)->first = 0;
        return Access_Unmap(services->machine, block - HEADER);
    }
    if (!Access_Put32(services->machine, block - 4, MarkOf(block, class, false)) ||
        !Access_Put32(services->machine, block, heap->free[class]))
        return false;
    heap->free[class] = block;
    return true;
}

uint32_t Heap_Resize(Services *services, Heap *heap, uint32_t block, uint32_t size, bool zeroed,
                     bool in_place) {
    uint32_t before, class, stride;
    if (!Examine(services, heap, block, &before, &class) || size > MOST_SIZE)
        return 0;
    if (class != LARGE && size + HEADER <= MOST_STRIDE &&
        ClassOf(size + HEADER, &stride) == class) {
        if (heap->most && size > before && size - before > heap->most - heap->used)
            return 0;
        heap->used = heap->used - before + size;
        if (!Access_Put32(services->machine, block - HEADER, size) ||
            (zeroed && size > before &&
             !Access_Clear(services->machine, block + before, size - before)))
            return 0;
        return block;
    }
    uint32_t made = in_place ? 0 : Heap_Alloc(services, heap, size, zeroed);
    if (!made || !Access_Copy(services->machine, made, block, before < size ? before : size))
        return 0;
    Heap_Free(services, heap, block);
    return made;
}

/* ---- the functions --------------------------------------------------------------------------- */

static void ReturnBlock(Machine *machine, uint32_t block, uint32_t flags, uint32_t popped) {
    if (!block && (flags & EXCEPTIONS)) {
        MachineException exception = {.code = NO_MEMORY};
        Exceptions_Raise(machine, popped, &exception);
        return;
    }
    if (block)
        Return(machine, block);
    else
        Refuse(machine, ERROR_MEMORY, 0);
}

static void HeapCreate(Machine *machine, void *context) {
    uint32_t most = Machine_Argument(machine, 2);
    uint32_t heap = Heap_Create(context, most);
    if (heap)
        Return(machine, heap);
    else
        Refuse(machine, ERROR_MEMORY, 0);
}

static void HeapDestroy(Machine *machine, void *context) {
    Services *services = context;
    Heap *heap = FindHeap(services, Machine_Argument(machine, 0));
    if (!heap || heap == services->live.heaps) {
        Refuse(machine, ERROR_BAD_HANDLE, 0);
        return;
    }
    for (uint32_t i = 0; i < services->live.large_count; i++) {
        LargeBlock *large = &services->live.large[i];
        if (large->first && large->heap == heap->handle) {
            Access_Unmap(services->machine, large->first);
            large->first = 0;
        }
    }
    for (uint32_t i = 0; i < heap->segment_count; i++)
        Access_Unmap(services->machine, heap->segments[i].first);
    heap->handle = 0;
    Return(machine, 1);
}

static void HeapAlloc(Machine *machine, void *context) {
    Heap *heap = FindHeap(context, Machine_Argument(machine, 0));
    uint32_t flags = Machine_Argument(machine, 1), size = Machine_Argument(machine, 2);
    if (!heap)
        Refuse(machine, ERROR_BAD_HANDLE, 0);
    else
        ReturnBlock(machine, Heap_Alloc(context, heap, size, flags & ZEROED), flags, 12);
}

static void HeapReAlloc(Machine *machine, void *context) {
    Heap *heap = FindHeap(context, Machine_Argument(machine, 0));
    uint32_t flags = Machine_Argument(machine, 1), block = Machine_Argument(machine, 2);
    uint32_t size = Machine_Argument(machine, 3);
    if (!heap)
        Refuse(machine, ERROR_BAD_HANDLE, 0);
    else
        ReturnBlock(machine,
                    Heap_Resize(context, heap, block, size, flags & ZEROED, flags & IN_PLACE),
                    flags, 16);
}

static void HeapFree(Machine *machine, void *context) {
    Heap *heap = FindHeap(context, Machine_Argument(machine, 0));
    uint32_t block = Machine_Argument(machine, 2);
    if (heap && (block == 0 || Heap_Free(context, heap, block)))
        Return(machine, 1);
    else
        Refuse(machine, heap ? ERROR_PARAMETER : ERROR_BAD_HANDLE, 0);
}

static void HeapSize(Machine *machine, void *context) {
    Heap *heap = FindHeap(context, Machine_Argument(machine, 0));
    uint32_t size, class;
    if (heap && Examine(context, heap, Machine_Argument(machine, 2), &size, &class))
        Return(machine, size);
    else
        Refuse(machine, ERROR_PARAMETER, 0xFFFFFFFF);
}

static void HeapValidate(Machine *machine, void *context) {
    Heap *heap = FindHeap(context, Machine_Argument(machine, 0));
    uint32_t block = Machine_Argument(machine, 2), size, class;
    Return(machine, heap && (block == 0 || Examine(context, heap, block, &size, &class)));
}

static void HeapCompact(Machine *machine, void *context) {
    (void)context;
    Return(machine, 0x10000);
}

static void GetProcessHeap(Machine *machine, void *context) {
    const Services *services = context;
    Return(machine, services->live.heaps[0].handle);
}

/* Movable blocks are not moved here, so a handle is the block's address, as it is for fixed
 * blocks. */
static void GlobalAlloc(Machine *machine, void *context) {
    Services *services = context;
    uint32_t flags = Machine_Argument(machine, 0), size = Machine_Argument(machine, 1);
    ReturnBlock(machine, Heap_Alloc(services, services->live.heaps, size, flags & 0x40), 0, 8);
}

static void GlobalReAlloc(Machine *machine, void *context) {
    Services *services = context;
    uint32_t block = Machine_Argument(machine, 0), size = Machine_Argument(machine, 1);
    uint32_t flags = Machine_Argument(machine, 2);
    ReturnBlock(machine,
                Heap_Resize(services, services->live.heaps, block, size, flags & 0x40, false), 0,
                12);
}

static void GlobalFree(Machine *machine, void *context) {
    Services *services = context;
    uint32_t block = Machine_Argument(machine, 0);
    if (block == 0 || Heap_Free(services, services->live.heaps, block))
        Return(machine, 0);
    else
        Refuse(machine, ERROR_BAD_HANDLE, block);
}

static void GlobalLock(Machine *machine, void *context) {
    (void)context;
    Return(machine, Machine_Argument(machine, 0));
}

static void GlobalUnlock(Machine *machine, void *context) {
    (void)context;
    Refuse(machine, NO_ERROR_AT_ALL, 0); /* the block is no longer locked */
}

static void GlobalSize(Machine *machine, void *context) {
    Services *services = context;
    uint32_t size, class;
    if (Examine(services, services->live.heaps, Machine_Argument(machine, 0), &size, &class))
        Return(machine, size);
    else
        Refuse(machine, ERROR_BAD_HANDLE, 0);
}

#define ROW(name, arguments)                                                                       \
    { "KERNEL32.dll", #name, 4 * (arguments), name }
#define ROW_AS(name, arguments, function)                                                          \
    { "KERNEL32.dll", name, 4 * (arguments), function }

const MachineRow services_heap[] = {
    ROW(HeapCreate, 3),
    ROW(HeapDestroy, 1),
    ROW(HeapAlloc, 3),
    ROW(HeapReAlloc, 4),
    ROW(HeapFree, 3),
    ROW(HeapSize, 3),
    ROW(HeapValidate, 3),
    ROW(HeapCompact, 2),
    ROW(GetProcessHeap, 0),
    ROW(GlobalAlloc, 2),
    ROW(GlobalReAlloc, 3),
    ROW(GlobalFree, 1),
    ROW(GlobalLock, 1),
    ROW(GlobalUnlock, 1),
    ROW(GlobalSize, 1),
    ROW_AS("LocalAlloc", 2, GlobalAlloc),
    ROW_AS("LocalReAlloc", 3, GlobalReAlloc),
    ROW_AS("LocalFree", 1, GlobalFree),
    ROW_AS("LocalLock", 1, GlobalLock),
    ROW_AS("LocalUnlock", 1, GlobalUnlock),
    ROW_AS("LocalSize", 1, GlobalSize),
    {0},
};
