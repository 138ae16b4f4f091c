/* What the parts of the translator share. translator.c runs, code.c keeps the translated blocks,
 * carry.c writes one block, signals.c takes what the host's processor refuses.
 *
 * While translated code runs, the guest's general registers are the host's of the same name with
 * upper halves of zero, RSP included. The base of GS is the window of the guest's memory. The
 * registers that 32-bit code cannot name are the translator's:
 *   R8 to R12  free within the code of one instruction; on the way out, R8 has EIP and R9 the way
 *   R13        instructions that may still be executed; negative: the run has to end
 *   R14        the table that finds the translation of a guest address (Lookup)
 *   R15        the Frame */
#ifndef RETROPOSE_MACHINE_TRANSLATOR_CODE_H
#define RETROPOSE_MACHINE_TRANSLATOR_CODE_H

#include "machine/interpreter/interpreter.h"
#include "ngi32/processor/machine.h"

typedef struct Translator Translator; /* machine/translator/translator.h */

#if defined __linux__ && defined __x86_64__ && defined __LP64__ && MACHINE_HAS_X87
#define TRANSLATOR_HOST
#endif

#ifdef TRANSLATOR_HOST

#include "machine/translator/emit.h"

#include <Zydis/Zydis.h>

/* Ways out of translated code. Every smaller number is that of a link. */
#define WAY_INDIRECT 0xFFFFFFFFu /* a jump whose target is in a register, and not in the table */
#define WAY_STEP     0xFFFFFFFEu /* EIP is at an instruction for the interpreter */
#define WAY_BUDGET   0xFFFFFFFDu /* R13 does not suffice for the block */
#define WAY_FAULT    0xFFFFFFFCu /* the host's processor refused an instruction: Trouble */
#define WAY_WINDOW   0xFFFFFFFBu /* nothing was executed: the base of GS is another one */
#define WAY_FIRST    0xFFFFFFFBu

/* What a signal said. */
typedef struct Trouble {
    uint64_t place, address; /* RIP; the address that could not be accessed */
    uint64_t trap, error;    /* the processor's number of the exception and its error code */
    uint64_t r11;
} Trouble;

/* R15 points here. The first fields are within reach of a displacement of 8 bits. */
typedef struct Frame {
    uint64_t host_stack;
    MachineRegisters *registers;
    uint64_t flags; /* those of EFLAGS that the host's processor has for the guest */
    int64_t budget;
    uint64_t entry; /* where Enter jumps to */
    uint64_t table;
    uint64_t window, probe; /* WINDOW_PROBE */
    uint32_t way, host_control, host_mxcsr;
    uint32_t scratch[1]; /* a place to read from, to see where the direction flag leads */
    uint64_t code, code_end, way_of_faults; /* for the handler of signals */
    uint64_t probe_place, way_of_window;
    Trouble trouble;
} Frame;

/* Behind the window, further than any operand reaches from its end, a page holds the address of the
 * window, so that the way in sees by one access whether the base of GS is right. Without that each
 * run would have to ask the kernel, and on some hosts that takes as long as thousands of
 * instructions. */
#define WINDOW_PROBE (0x100000000u + MACHINE_GUARD / 2)

/* The flags that instructions carried over can change, and that are the host's while they run. All
 * others of the guest's stay in its context. */
#define HOST_FLAGS                                                                                 \
    (MACHINE_CF | MACHINE_PF | MACHINE_AF | MACHINE_ZF | MACHINE_SF | MACHINE_DF | MACHINE_OF)

/* A row of the table that R14 points to, at the low 16 bits of the guest's address. The sum of
 * `minus` and the address is zero in the row of that address. */
typedef struct Lookup {
    uint64_t minus, code;
} Lookup;
#define LOOKUP_ROWS  0x10000u
#define LOOKUP_EMPTY 1u

#define BLOCK_MOST  64u    /* instructions */
#define BLOCK_ROOM  16384u /* bytes of host code that no block exceeds */
#define CODE_BYTES  0x04000000u
#define MOST_BLOCKS 0x00080000u
#define MOST_LINKS  (2 * MOST_BLOCKS)
#define MOST_MARKS  0x00800000u
#define BUCKETS     0x00010000u

/* What a fault of a repeated string instruction has to mend. */
enum {
    REPEATED_NOT,
    REPEATED_MOVE,   /* the budget was reduced by ECX - 1 in advance */
    REPEATED_COMPARE /* the flags, which R11 keeps: those of LAHF in AH, and OF in AL */
};

/* Where the code of a guest's instruction begins in its block. */
typedef struct Mark {
    uint16_t code, guest;
    uint8_t before; /* instructions in front of it, as the budget counts them */
    uint8_t repetition;
} Mark;

/* A run of instructions with one entry. Numbers of blocks, links and marks are places in their
 * arrays; a chain holds numbers plus one and ends with 0. */
typedef struct Block {
    uint32_t eip, size; /* of the guest; touches one page or two */
    uint32_t code, code_size;
    uint32_t first_mark, marks;
    uint32_t count;        /* instructions, as the budget counts them */
    uint32_t next;         /* in the bucket of its address */
    uint32_t next_of_page; /* among the blocks that begin in the page */
    uint32_t next_of_tail; /* among those that end in the page and begin in the one before */
    uint32_t incoming;     /* links that jump here */
    bool dropped;
} Block;

/* A jump from a block to a known guest address. It goes to `stub`, which leaves for Run, until the
 * target is translated; then straight there. */
typedef struct Link {
    uint32_t site; /* of the distance in the code */
    uint32_t stub;
    uint32_t next; /* into the same block */
} Link;

/* Of each page of the guest. */
typedef struct Page {
    uint32_t blocks, tails; /* chains */
    uint8_t heat;           /* how often it was written while it was watched */
    bool listed;            /* in Translator.watched */
    uint32_t patience;      /* instructions of it that the interpreter is to execute first */
} Page;

/* One instruction of the block that is being made. */
typedef struct Instruction {
    ZydisDecodedInstruction zydis;
    uint8_t bytes[16];
    uint32_t eip;
    uint8_t treatment; /* carry.c */
} Instruction;

struct Translator {
    Frame frame;
    MachineMemory *memory;
    Interpreter *interpreter;
    ZydisDecoder decoder;
    bool host_lahf; /* the host's processor has LAHF and SAHF in 64-bit mode */
    uint32_t mxcsr_mask;

    /* What the code was made for. Other ones make it wrong. */
    uint32_t fs_base;
    const MachineProfile *profile;

    /* The same memory twice: no page is writable and executable at once. */
    uint8_t *writable;
    const uint8_t *executable;
    uint32_t used, code_bytes;
    uint32_t leave, prologue; /* places of the way out, and where blocks begin */

    Lookup *table;
    Block *blocks;
    Link *links;
    Mark *marks;
    Page *pages;
    uint32_t *buckets;
    uint32_t block_count, link_count, mark_count;
    uint32_t *watched; /* pages that have blocks */
    uint32_t watched_count;
    uint32_t generation; /* counts how often everything was dropped */

    /* The hook that the memory had; writes that do not concern translated code go on to it. */
    MachineWriteHook next_hook;
    void *next_context;

    Instruction body[BLOCK_MOST];
};

/* ---- code.c ---- */
RpStatus Code_Create(Translator *translator, RpError *error);
void Code_Destroy(Translator *translator);
void Code_Flush(Translator *translator);
/* Forgets, with nothing translated, how often pages were written. */
void Code_Cool(Translator *translator);
Block *Code_Find(const Translator *translator, uint32_t eip);
/* The block that a place in the code belongs to, or null; dropped ones, too. */
Block *Code_At(const Translator *translator, uint64_t place);
/* The mark of the guest's instruction whose code has this place. */
const Mark *Code_MarkAt(const Translator *translator, const Block *block, uint64_t place);
/* Makes what Carry_Block wrote findable. */
Block *Code_Keep(Translator *translator, const Block *block);
void Code_Connect(Translator *translator, uint32_t link, uint32_t block);
void Code_DropPage(Translator *translator, uint32_t page);

/* ---- carry.c ---- */
/* Decodes the instructions from `eip` on and writes their block at the end of the code. Null with
 * `target`, the first address that may not be executed, where the instruction cannot be fetched. */
Block *Carry_Block(Translator *translator, uint32_t eip, uint32_t *target);
/* Decodes one instruction with its operands, for whoever looks into a fault. */
bool Carry_Decode(Translator *translator, uint32_t eip, ZydisDecodedInstruction *instruction,
                  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]);

/* ---- signals.c ---- */
/* Takes the signals of this process that translated code causes, where it does not yet. */
RpStatus Signals_Install(RpError *error);
/* Has the signals that code of this frame causes on this thread go to it; null: none do. Returns
 * the frame that they went to before. The thread has to be held (Translator_Hold). */
Frame *Signals_Expect(Frame *frame);

#endif
#endif
