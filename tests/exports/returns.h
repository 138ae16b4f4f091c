/* Reads the return instructions of a function out of a built DLL: `ret n` says how many bytes of
 * arguments a function really pops, whatever its prototype says. */
#ifndef RETROPOSE_TESTS_EXPORTS_RETURNS_H
#define RETROPOSE_TESTS_EXPORTS_RETURNS_H

#include "replay/pe.h"

#define RETURNS_KEPT 16

typedef struct Returns {
    size_t count; /* return instructions that can be reached from the entry */
    uint32_t rva[RETURNS_KEPT];
    uint16_t popped[RETURNS_KEPT];
    /* Where the walk had to give up, 0 if nowhere: bytes that are no instruction, or a jump through
     * a register or a pointer. */
    uint32_t lost_at;
} Returns;

typedef struct CodeWalk CodeWalk;

/* The PeFile must outlive the walk. Null when memory runs out. */
CodeWalk *CodeWalk_New(const PeFile *pe);
void CodeWalk_Free(CodeWalk *walk);

/* Follows every jump and branch from `entry`. Calls are stepped over, except those that never come
 * back (ExitProcess, or a function of the file that ends in nothing else). */
void CodeWalk_FindReturns(CodeWalk *walk, uint32_t entry, Returns *returns);

#endif
