/* The blocks of a function of a DLL, as they follow from its instructions alone, without running
 * it. They begin at an entry and at whatever direct jumps and calls within the DLL lead to from
 * there, so that a function has the blocks of those that it calls, too.
 *
 * A block ends behind a jump, a conditional branch, a call or a return, and before an address to
 * which a jump or a call of this flow leads. A block that has begun to run therefore runs to its
 * end, unless one of its instructions faults. */
#ifndef RETROPOSE_MACHINE_COVERAGE_FLOW_H
#define RETROPOSE_MACHINE_COVERAGE_FLOW_H

#include "core/pe/pe.h"
#include "retropose/memory.h"

/* Addresses are those in the image, without its base. */
typedef struct FlowBlock {
    uint32_t rva, size; /* in bytes */
    uint32_t branch; /* the conditional branch at the end, which has two sides; 0: there is none */
} FlowBlock;

typedef struct Flow {
    FlowBlock *blocks; /* by rising addresses */
    size_t count;
    /* Jumps that may lead to further blocks, because nobody knows where they lead: those to an
     * address in a register, and tables whose length is not seen. What is called through a pointer,
     * or jumped to through one at a fixed address, is another function. */
    uint32_t *open;
    size_t open_count;
} Flow;

/* Finds the blocks. A jump by a table is followed where a comparison before it bounds its index.
 * Only RP_NO_MEMORY is an error: an entry outside of the code has no blocks, and bytes that are no
 * instruction end a block. */
RpStatus Flow_Find(const PeFile *file, uint32_t entry, Flow *flow, RpError *error);
void Flow_Free(Flow *flow);

/* Appends the instructions of a block, one a line, as "ADDRESS  MNEMONIC OPERANDS". The address is
 * the one that the instruction has if the file is loaded where it prefers to be. */
void Flow_Text(const PeFile *file, const FlowBlock *block, RpBuffer *text);

#endif
