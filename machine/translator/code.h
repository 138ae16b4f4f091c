/* What the parts of the translator share. translator.c runs, code.c keeps the translated blocks,
 * carry.c writes one block, fault_signals.c takes what the host's processor refuses.
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
#include "ngi32/processor/in_software.h"

typedef struct Translator Translator; /* machine/translator/translator.h */

#if defined __linux__ && defined __x86_64__ && defined __LP64__ && MACHINE_HAS_X87
#define TRANSLATOR_HOST
#endif

#ifdef TRANSLATOR_HOST

#include "machine/translator/emit.h"

#include <Zydis/Zydis.h>

/* Ways out of translated code. Every smaller number is the number of a link. */
#define WAY_INDIRECT 0xFFFFFFFFu /* a jump whose target is in a register, and not in the table */
#define WAY_STEP     0xFFFFFFFEu /* the interpreter has to execute the instruction at EIP */
#define WAY_BUDGET   0xFFFFFFFDu /* R13 is too small for the block */
#define WAY_FAULT    0xFFFFFFFCu /* the host's processor refused an instruction (see Trouble) */
#define WAY_WINDOW   0xFFFFFFFBu /* nothing was executed: the base of GS is not the window */
#define WAY_FIRST    0xFFFFFFFBu

/* What the handler of a signal has noted. */
typedef struct Trouble {
    uint64_t place, address; /* RIP, and the address that could not be accessed */
    uint64_t trap, error;    /* the processor's number of the exception, and its error code */
    uint64_t r11;
} Trouble;

/* R15 points to this. The first fields are within reach of an 8-bit displacement. */
typedef struct Frame {
    uint64_t host_stack;
    MachineRegisters *registers;
    uint64_t flags; /* those of HOST_FLAGS that the guest has */
    int64_t budget;
    uint64_t entry; /* the address that Enter jumps to */
    uint64_t table;
    uint64_t window, probe; /* `probe` is WINDOW_PROBE */
    uint32_t way, host_control, host_mxcsr;
    uint32_t scratch[1]; /* a place to read from, to find out the direction flag */
    uint64_t code, code_end, way_of_faults; /* for the handler of signals */
    uint64_t probe_place, way_of_window;
    Trouble trouble;
} Frame;

/* A page behind the window, further than any operand can reach from its end, contains the address
 * of the window. By one access to it, the way in sees whether the base of GS is right. Without it,
 * each run would have to ask the kernel, and on some hosts that takes as long as thousands of
 * instructions. */
#define WINDOW_PROBE (0x100000000u + MACHINE_GUARD / 2)

/* The flags that carried-over instructions can change. They are in the host's flags while such code
 * runs. All others of the guest stay in its context. */
#define HOST_FLAGS                                                                                 \
    (MACHINE_CF | MACHINE_PF | MACHINE_AF | MACHINE_ZF | MACHINE_SF | MACHINE_DF | MACHINE_OF)

/* A row of the table that R14 points to. The table is indexed by the low 16 bits of the guest's
 * address. If a row is for this address, the sum of `minus` and the address is zero. */
typedef struct Lookup {
    uint64_t minus, code;
} Lookup;
#define LOOKUP_ROWS  0x10000u
#define LOOKUP_EMPTY 1u

#define BLOCK_MOST  64u    /* limit for the instructions of a block */
#define BLOCK_ROOM  16384u /* limit for the host code of a block, in bytes */
#define CODE_BYTES  0x04000000u
#define MOST_BLOCKS 0x00080000u
#define MOST_LINKS  (2 * MOST_BLOCKS)
#define MOST_MARKS  0x00800000u
#define BUCKETS     0x00010000u

/* What has to be corrected after a fault of a repeated string instruction. */
enum {
    REPEATED_NOT,
    REPEATED_MOVE,   /* the budget was reduced in advance, by ECX - 1 */
    REPEATED_COMPARE /* the flags; R11 has those of LAHF in AH, and OF in AL */
};

/* The place in a block where the code of a guest's instruction begins. */
typedef struct Mark {
    uint16_t code, guest;
    uint8_t before; /* number of instructions before it, as the budget counts them */
    uint8_t repetition;
} Mark;

/* A run of instructions with one entry. Blocks, links and marks are numbered by their places in
 * their arrays. A chain consists of such numbers plus one, and ends with 0. */
typedef struct Block {
    uint32_t eip, size; /* address and size of the guest's code, which is on one page or two */
    uint32_t code, code_size;
    uint32_t first_mark, marks;
    uint32_t count;        /* number of instructions, as the budget counts them */
    uint32_t next;         /* the next block in the bucket of its address */
    uint32_t next_of_page; /* the next block that begins on the page */
    uint32_t next_of_tail; /* the next block that ends on the page and begins on the one before */
    uint32_t incoming;     /* chain of the links that jump here */
    bool dropped;
    bool noted; /* MachineContext.reached has its instructions */
} Block;

/* A jump from a block to a known guest address. Until the target is translated, it goes to `stub`,
 * which leaves for Run; after that, it goes directly to the target. */
typedef struct Link {
    uint32_t site; /* place of the jump's distance in the code */
    uint32_t stub;
    uint32_t next; /* the next link into the same block */
} Link;

/* What is kept for each page of the guest. */
typedef struct Page {
    uint32_t blocks, tails; /* chains of blocks */
    uint8_t heat;           /* how often the page was written while it was watched */
    bool listed;            /* the page is in Translator.watched */
    uint32_t patience; /* number of its instructions that the interpreter has to execute first */
} Page;

/* One instruction of the block that is being translated. */
typedef struct Instruction {
    ZydisDecodedInstruction zydis;
    uint8_t bytes[16];
    uint32_t eip;
    uint8_t treatment; /* one of those in carry.c */
} Instruction;

struct Translator {
    Frame frame;
    MachineMemory *memory;
    Interpreter *interpreter;
    ZydisDecoder decoder;
    bool host_lahf; /* the host's processor has LAHF and SAHF in 64-bit mode */
    uint32_t mxcsr_mask;

    /* The code was translated for these values. When they change, it is no longer right. */
    uint32_t fs_base;
    const MachineProfile *profile;

    /* These are two views of the same memory, so that no page is both writable and executable. */
    uint8_t *writable;
    const uint8_t *executable;
    uint32_t used, code_bytes;
    uint32_t leave, prologue; /* place of the way out, and where blocks begin */

    Lookup *table;
    Block *blocks;
    Link *links;
    Mark *marks;
    Page *pages;
    uint32_t *buckets;
    uint32_t block_count, link_count, mark_count;
    uint32_t *watched; /* the pages that have blocks */
    uint32_t watched_count;
    uint32_t generation; /* counts how often all code was dropped */

    /* The hook that the memory had before. It gets the writes that do not concern translated
     * code. */
    MachineWriteHook next_hook;
    void *next_context;

    Instruction body[BLOCK_MOST];
};

/* ---- code.c ---- */
RpStatus Code_Create(Translator *translator, RpError *error);
void Code_Destroy(Translator *translator);
void Code_Flush(Translator *translator);
/* Forgets how often pages were written. Nothing may be translated. */
void Code_Cool(Translator *translator);
Block *Code_Find(const Translator *translator, uint32_t eip);
/* Returns the block that a place in the code belongs to, even if it has been dropped, or null. */
Block *Code_At(const Translator *translator, uint64_t place);
/* Returns the mark of the guest's instruction whose code contains this place. */
const Mark *Code_MarkAt(const Translator *translator, const Block *block, uint64_t place);
/* Makes the block that Carry_Block has written findable. */
Block *Code_Keep(Translator *translator, const Block *block);
void Code_Connect(Translator *translator, uint32_t link, uint32_t block);
void Code_DropBlock(Translator *translator, const Block *block);
void Code_DropPage(Translator *translator, uint32_t page);

/* ---- carry.c ---- */
/* Decodes the instructions from `eip` on, and writes their block at the end of the code. If the
 * first instruction cannot be fetched, returns null, with `target` as the first address that cannot
 * be executed. */
Block *Carry_Block(Translator *translator, uint32_t eip, uint32_t *target);
/* Decodes one instruction with its operands, for code that examines a fault. */
bool Carry_Decode(Translator *translator, uint32_t eip, ZydisDecodedInstruction *instruction,
                  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]);

/* ---- fault_signals.c ---- */
/* Installs handlers for the signals that translated code causes in this process, if that has not
 * been done yet. */
RpStatus FaultSignals_Install(RpError *error);
/* Directs the signals that code of this frame causes on this thread to the frame. With null, none
 * are directed anywhere. Returns the frame that they went to before. The thread has to be held
 * (Translator_Hold). */
Frame *Signals_Expect(Frame *frame);

#endif
#endif
