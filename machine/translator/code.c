#define _GNU_SOURCE
#include "machine/translator/code.h"

#include "machine/memory/sparse_table.h"

#ifdef TRANSLATOR_HOST

#include <sys/mman.h>
#include <unistd.h>

#define FRAME(field) ((uint8_t)offsetof(Frame, field))
#define GENERAL(number)                                                                            \
    (uint32_t)(offsetof(MachineRegisters, general) + sizeof(uint32_t) * (number))

_Static_assert(offsetof(Frame, scratch) + sizeof(uint32_t) < 128, "reached with 8 bits");
_Static_assert(offsetof(MachineRegisters, vectors) == 0, "FXSAVE's operand");
_Static_assert(sizeof(Lookup) == 16, "the scale in carry.c");

/* pop r15.. rbx; ret */
#define POP_SAVED 0x41, 0x5F, 0x41, 0x5E, 0x41, 0x5D, 0x41, 0x5C, 0x5D, 0x5B, 0xC3

/* Emits the way in, `void Enter(Frame *)` for C, which loads the guest's state and jumps to
 * Frame.entry; and the way out, which stores the state and returns to C's caller. In between,
 * nothing may use the stack. FXSAVE does not wait for a pending exception of the x87, and FNINIT
 * drops it for the host. */
static void EmitPassage(Translator *translator) {
    Emit emit = {translator->writable};
    EMIT(&emit, 0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57); /* push rbx.. r15 */
    EMIT(&emit, 0x49, 0x89, 0xFF);                                           /* mov r15, rdi */
    EMIT(&emit, 0x49, 0x89, 0x67, FRAME(host_stack));                        /* mov [], rsp */
    EMIT(&emit, 0x49, 0x8B, 0x47, FRAME(probe));                             /* mov rax, [] */
    uint32_t probe = (uint32_t)(emit.at - translator->writable);
    EMIT(&emit, 0x65, 0x48, 0x8B, 0x00);          /* mov rax, gs:[rax] */
    EMIT(&emit, 0x49, 0x3B, 0x47, FRAME(window)); /* cmp rax, [] */
    EMIT(&emit, 0x74, 0);                         /* je right */
    uint8_t *right = emit.at;
    uint32_t wrong = (uint32_t)(emit.at - translator->writable);
    EMIT(&emit, 0x41, 0xC7, 0x47, FRAME(way)); /* mov dword [], */
    Emit_Dword(&emit, WAY_WINDOW);
    EMIT(&emit, POP_SAVED);
    right[-1] = (uint8_t)(emit.at - right);

    EMIT(&emit, 0x41, 0xD9, 0x7F, FRAME(host_control));     /* fnstcw [] */
    EMIT(&emit, 0x41, 0x0F, 0xAE, 0x5F, FRAME(host_mxcsr)); /* stmxcsr [] */
    EMIT(&emit, 0x4D, 0x8B, 0x47, FRAME(registers));        /* mov r8, [] */
    EMIT(&emit, 0x41, 0x0F, 0xAE, 0x08);                    /* fxrstor [r8] */
    EMIT(&emit, 0x4D, 0x8B, 0x77, FRAME(table));            /* mov r14, [] */
    EMIT(&emit, 0x4D, 0x8B, 0x6F, FRAME(budget));           /* mov r13, [] */
    EMIT(&emit, 0x41, 0xFF, 0x77, FRAME(flags));            /* push qword [] */
    EMIT(&emit, 0x9D);                                      /* popfq */
    for (unsigned i = 0; i < 8; i++) {                      /* mov e.., [r8 + ] */
        EMIT(&emit, 0x41, 0x8B, (uint8_t)(0x80 | i << 3));
        Emit_Dword(&emit, GENERAL(i));
    }
    EMIT(&emit, 0x41, 0xFF, 0x67, FRAME(entry)); /* jmp [] */

    translator->leave = (uint32_t)(emit.at - translator->writable);
    EMIT(&emit, 0x45, 0x89, 0x4F, FRAME(way));       /* mov [], r9d */
    EMIT(&emit, 0x4D, 0x8B, 0x57, FRAME(registers)); /* mov r10, [] */
    EMIT(&emit, 0x45, 0x89, 0x82);                   /* mov [r10 + ], r8d */
    Emit_Dword(&emit, (uint32_t)offsetof(MachineRegisters, eip));
    for (unsigned i = 0; i < 8; i++) { /* mov [r10 + ], e.. */
        EMIT(&emit, 0x41, 0x89, (uint8_t)(0x82 | i << 3));
        Emit_Dword(&emit, GENERAL(i));
    }
    EMIT(&emit, 0x49, 0x8B, 0x67, FRAME(host_stack));       /* mov rsp, [] */
    EMIT(&emit, 0x9C, 0x41, 0x8F, 0x47, FRAME(flags));      /* pushfq; pop qword [] */
    EMIT(&emit, 0xFC);                                      /* cld */
    EMIT(&emit, 0x4D, 0x89, 0x6F, FRAME(budget));           /* mov [], r13 */
    EMIT(&emit, 0x41, 0x0F, 0xAE, 0x02);                    /* fxsave [r10] */
    EMIT(&emit, 0xDB, 0xE3);                                /* fninit */
    EMIT(&emit, 0x41, 0xD9, 0x6F, FRAME(host_control));     /* fldcw [] */
    EMIT(&emit, 0x41, 0x0F, 0xAE, 0x57, FRAME(host_mxcsr)); /* ldmxcsr [] */
    EMIT(&emit, POP_SAVED);

    uint32_t faults = (uint32_t)(emit.at - translator->writable);
    EMIT(&emit, 0x41, 0xB9); /* mov r9d, */
    Emit_Dword(&emit, WAY_FAULT);
    EMIT(&emit, 0xE9); /* jmp */
    Emit_Distance(&emit, translator->writable + translator->leave);
    translator->prologue = (uint32_t)(emit.at - translator->writable + 63) & ~63u;
    translator->used = translator->prologue;

    Frame *frame = &translator->frame;
    frame->code = (uintptr_t)translator->executable + translator->prologue;
    frame->code_end = (uintptr_t)translator->executable + translator->code_bytes;
    frame->way_of_faults = (uintptr_t)translator->executable + faults;
    frame->probe_place = (uintptr_t)translator->executable + probe;
    frame->way_of_window = (uintptr_t)translator->executable + wrong;
    frame->window = (uintptr_t)translator->memory->window;
    frame->probe = WINDOW_PROBE;
}

/* The arrays are as large as they can ever become. The kernel only provides memory for the parts
 * that are used. */
RpStatus Code_Create(Translator *translator, RpError *error) {
    translator->code_bytes = CODE_BYTES;
    int file = memfd_create("translated", MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, CODE_BYTES) == 0) {
        void *at = mmap(NULL, CODE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        translator->writable = at == MAP_FAILED ? NULL : at;
        at = mmap(NULL, CODE_BYTES, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
        translator->executable = at == MAP_FAILED ? NULL : at;
    }
    if (file >= 0)
        close(file);
    translator->table = Table_Reserve(LOOKUP_ROWS * sizeof *translator->table);
    translator->blocks = Table_Reserve(MOST_BLOCKS * sizeof *translator->blocks);
    translator->links = Table_Reserve(MOST_LINKS * sizeof *translator->links);
    translator->marks = Table_Reserve(MOST_MARKS * sizeof *translator->marks);
    translator->pages = Table_Reserve(MACHINE_PAGE_COUNT * sizeof *translator->pages);
    translator->buckets = Table_Reserve(BUCKETS * sizeof *translator->buckets);
    translator->watched = Table_Reserve(MACHINE_PAGE_COUNT * sizeof *translator->watched);
    /* The owner of the window releases this page together with the window. */
    uint64_t *probe = mmap(translator->memory->window + WINDOW_PROBE, MACHINE_PAGE,
                           PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    /* The memory is shared, so a child process would write its code into ours. */
    if (translator->writable && translator->executable) {
        madvise(translator->writable, CODE_BYTES, MADV_DONTFORK);
        madvise((void *)(uintptr_t)translator->executable, CODE_BYTES, MADV_DONTFORK);
    }
    if (probe == MAP_FAILED ||
        (*probe = (uintptr_t)translator->memory->window,
         mprotect(probe, MACHINE_PAGE, PROT_READ) != 0) ||
        !translator->writable || !translator->executable || !translator->table ||
        !translator->blocks || !translator->links || !translator->marks || !translator->pages ||
        !translator->buckets || !translator->watched)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for translated code", "", "",
                           "");
    translator->frame.table = (uintptr_t)translator->table;
    translator->table[0].minus = LOOKUP_EMPTY; /* zeros would mean address 0, which belongs here */
    EmitPassage(translator);
    return RP_OK;
}

void Code_Destroy(Translator *translator) {
    if (translator->executable)
        munmap((void *)(uintptr_t)translator->executable, CODE_BYTES);
    if (translator->writable)
        munmap(translator->writable, CODE_BYTES);
    Table_Release(translator->table, LOOKUP_ROWS * sizeof *translator->table);
    Table_Release(translator->blocks, MOST_BLOCKS * sizeof *translator->blocks);
    Table_Release(translator->links, MOST_LINKS * sizeof *translator->links);
    Table_Release(translator->marks, MOST_MARKS * sizeof *translator->marks);
    Table_Release(translator->pages, MACHINE_PAGE_COUNT * sizeof *translator->pages);
    Table_Release(translator->buckets, BUCKETS * sizeof *translator->buckets);
    Table_Release(translator->watched, MACHINE_PAGE_COUNT * sizeof *translator->watched);
}

/* Functions are often aligned, so the low bits of an address alone would leave most buckets
 * empty. */
static uint32_t *BucketOf(const Translator *translator, uint32_t eip) {
    return &translator->buckets[(eip ^ eip >> 16) % BUCKETS];
}

/* Drops all translated code, and stops watching the pages. How often pages were written is
 * remembered. */
void Code_Flush(Translator *translator) {
    for (uint32_t i = 0; i < translator->watched_count; i++) {
        Page *page = &translator->pages[translator->watched[i]];
        page->blocks = page->tails = 0;
        page->listed = false;
        MachineMemory_Watch(translator->memory, translator->watched[i], false);
    }
    translator->watched_count = 0;
    for (uint32_t i = 0; i < translator->block_count; i++) {
        uint32_t eip = translator->blocks[i].eip;
        translator->table[eip % LOOKUP_ROWS].minus = LOOKUP_EMPTY;
        *BucketOf(translator, eip) = 0;
    }
    translator->block_count = translator->link_count = translator->mark_count = 0;
    translator->used = translator->prologue;
    translator->generation++;
}

void Code_Cool(Translator *translator) {
    madvise(translator->pages, MACHINE_PAGE_COUNT * sizeof *translator->pages, MADV_DONTNEED);
}

Block *Code_Find(const Translator *translator, uint32_t eip) {
    for (uint32_t i = *BucketOf(translator, eip); i; i = translator->blocks[i - 1].next)
        if (translator->blocks[i - 1].eip == eip)
            return &translator->blocks[i - 1];
    return NULL;
}

Block *Code_At(const Translator *translator, uint64_t place) {
    uint64_t code = place - (uintptr_t)translator->executable;
    uint32_t low = 0, high = translator->block_count;
    while (low < high) { /* the first block that ends after the place */
        uint32_t middle = (low + high) / 2;
        const Block *block = &translator->blocks[middle];
        if ((uint64_t)block->code + block->code_size <= code)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == translator->block_count || translator->blocks[low].code > code)
        return NULL;
    return &translator->blocks[low];
}

const Mark *Code_MarkAt(const Translator *translator, const Block *block, uint64_t place) {
    uint64_t code = place - (uintptr_t)translator->executable - block->code;
    const Mark *marks = translator->marks + block->first_mark;
    uint32_t i = block->marks - 1;
    while (i > 0 && marks[i].code > code)
        i--;
    return &marks[i];
}

static void List(Translator *translator, uint32_t page) {
    if (translator->pages[page].listed)
        return;
    translator->pages[page].listed = true;
    translator->watched[translator->watched_count++] = page;
    MachineMemory_Watch(translator->memory, page, true);
}

Block *Code_Keep(Translator *translator, const Block *made) {
    uint32_t number = ++translator->block_count;
    Block *block = &translator->blocks[number - 1];
    *block = *made;
    uint32_t *bucket = BucketOf(translator, block->eip);
    block->next = *bucket;
    *bucket = number;
    uint32_t first = block->eip / MACHINE_PAGE;
    uint32_t last = (block->eip + block->size - 1) / MACHINE_PAGE;
    List(translator, first);
    block->next_of_page = translator->pages[first].blocks;
    translator->pages[first].blocks = number;
    if (last != first) {
        List(translator, last);
        block->next_of_tail = translator->pages[last].tails;
        translator->pages[last].tails = number;
    }
    return block;
}

static void Patch(Translator *translator, const Link *link, uint32_t code) {
    uint32_t distance = code - (link->site + 4);
    memcpy(translator->writable + link->site, &distance, sizeof distance);
}

void Code_Connect(Translator *translator, uint32_t number, uint32_t target) {
    Link *link = &translator->links[number];
    Block *block = &translator->blocks[target];
    link->next = block->incoming;
    block->incoming = number + 1;
    Patch(translator, link, block->code);
}

static void Drop(Translator *translator, uint32_t number) {
    Block *block = &translator->blocks[number - 1];
    if (block->dropped)
        return;
    block->dropped = true;
    for (uint32_t i = block->incoming; i; i = translator->links[i - 1].next)
        Patch(translator, &translator->links[i - 1], translator->links[i - 1].stub);
    Lookup *row = &translator->table[block->eip % LOOKUP_ROWS];
    if (row->minus == 0 - (uint64_t)block->eip)
        *row = (Lookup){.minus = LOOKUP_EMPTY};
    uint32_t *at = BucketOf(translator, block->eip);
    while (*at != number)
        at = &translator->blocks[*at - 1].next;
    *at = block->next;
}

/* The block stays in the chains of its pages, where it is skipped because it has been dropped. */
void Code_DropBlock(Translator *translator, const Block *block) {
    Drop(translator, (uint32_t)(block - translator->blocks) + 1);
}

/* A block on two pages stays in the other page's chain, where it is skipped because it has been
 * dropped. */
void Code_DropPage(Translator *translator, uint32_t number) {
    Page *page = &translator->pages[number];
    for (uint32_t i = page->blocks; i; i = translator->blocks[i - 1].next_of_page)
        Drop(translator, i);
    for (uint32_t i = page->tails; i; i = translator->blocks[i - 1].next_of_tail)
        Drop(translator, i);
    page->blocks = page->tails = 0;
    page->listed = false;
    for (uint32_t i = 0; i < translator->watched_count; i++)
        if (translator->watched[i] == number) {
            translator->watched[i] = translator->watched[--translator->watched_count];
            break;
        }
    MachineMemory_Watch(translator->memory, number, false);
    Interpreter_Forget(translator->interpreter, number * MACHINE_PAGE, MACHINE_PAGE);
}

#endif
