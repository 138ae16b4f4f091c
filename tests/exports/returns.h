/* Reads the return instructions of a function in a built DLL: `ret n` says how many bytes of
 * arguments a function really takes off the stack, whatever its prototype says. */
#ifndef RETROPOSE_TESTS_EXPORTS_RETURNS_H
#define RETROPOSE_TESTS_EXPORTS_RETURNS_H

#include "symbols.h"

#define RETURNS_KEPT 16

typedef struct Returns {
    size_t count; /* return instructions that can be reached from the entry, and jumps to imports */
    uint32_t rva[RETURNS_KEPT];
    uint16_t popped[RETURNS_KEPT];
    /* The place where the walk had to give up, or 0. It gives up at bytes that are not an
     * instruction, and at a jump through a register or through a pointer that is not an import. */
    uint32_t lost_at;
} Returns;

typedef struct CodeWalk CodeWalk;

/* Both must outlive the walk. The symbols may be empty. Returns null when memory runs out. */
CodeWalk *CodeWalk_New(const PeFile *pe, const Symbols *symbols);
void CodeWalk_Free(CodeWalk *walk);

/* Follows every jump and branch from `entry`. Calls are stepped over, except those that never come
 * back: ExitProcess, a function of the file that ends in nothing else, and a call behind which the
 * compiler put nothing but padding before the next function. */
void CodeWalk_FindReturns(CodeWalk *walk, uint32_t entry, Returns *returns);

#endif
