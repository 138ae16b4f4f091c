/* What of the code of pairs of DLLs the calls of a run have reached: which blocks, and which sides
 * of conditional branches. Each side of a comparison has the functions that were called on it, and
 * the blocks of these (machine/coverage/flow.h), against which the marks of all hosts are held.
 *
 * Nothing says for which call an instruction ran. So a block that two functions share counts as
 * reached in both. */
#ifndef RETROPOSE_REPLAY_COVERAGE_COVERAGE_H
#define RETROPOSE_REPLAY_COVERAGE_COVERAGE_H

#include "core/json/json_read.h"
#include "exports/abi.h"
#include "machine/processor/reached.h"
#include "retropose/memory.h"

#include <stdbool.h>
#include <stdio.h>

struct cJSON;

/* Addresses are those in the image of the module, without its base. */
typedef struct CoverageBlock {
    uint32_t module, rva, size;
    uint32_t branch;   /* the conditional branch at its end; 0: there is none */
    uint32_t excluded; /* the row that excludes it (replay/coverage/exclusion.h); 0: none does */
} CoverageBlock;

typedef struct CoverageFunction {
    const AbiFunction *function;
    CoverageBlock *blocks;
    size_t block_count, block_capacity;
    /* Jumps of which nobody knows where they lead. Only `module` and `rva` have a meaning. */
    CoverageBlock *open;
    size_t open_count, open_capacity;
} CoverageFunction;

/* A block that was not reached: its instructions, as lines of text, and in a file of ours where
 * they come from, such as "FindKeys in sample.c"; empty otherwise. */
typedef struct CoverageText {
    uint32_t module, rva, size;
    char *lines;
    char place[72];
} CoverageText;

typedef struct CoverageSide {
    char name[32];                    /* "a", "b", or "a wxyz" for the stand-in's other key order */
    uint32_t bytes[ABI_MODULE_COUNT]; /* the sizes of the images, and of each of these: */
    uint8_t *marks[ABI_MODULE_COUNT]; /* machine/processor/reached.h */
    uint8_t *seen[ABI_MODULE_COUNT];  /* for counting; zeros otherwise */
    CoverageFunction *functions;      /* in the order of the tables */
    size_t function_count;
    CoverageText *texts;
    size_t text_count, text_capacity;
} CoverageSide;

enum { COVERAGE_MOST_SIDES = 3 };

/* No image may be larger, because each run keeps several bytes for each address. The header of a
 * damaged file states any size. */
#define COVERAGE_MOST_BYTES 0x10000000u

/* There is a side for each pair of DLLs, in the order of the names, even where nothing of it was
 * called. Reports leave such a side out, and all shards of a run have the same sides. */
typedef struct Coverage {
    CoverageSide sides[COVERAGE_MOST_SIDES];
    size_t side_count;
} Coverage;

/* Adds a side with nothing in it, for images of at most COVERAGE_MOST_BYTES. Returns null where
 * memory is short, or for a fourth side. */
CoverageSide *Coverage_AddSide(Coverage *coverage, const char *name,
                               const uint32_t bytes[ABI_MODULE_COUNT]);
void Coverage_Free(Coverage *coverage);

/* Returns what a side has about a function, which is added unless it is there. The result is valid
 * until another function is added, and null where memory is short. */
CoverageFunction *Coverage_Touch(CoverageSide *side, const AbiFunction *function);
/* These return false where memory is short. The addresses have to be inside of the images. */
bool Coverage_AddBlock(CoverageFunction *function, const CoverageBlock *block);
bool Coverage_AddOpen(CoverageFunction *function, uint32_t module, uint32_t rva);
/* Sorts the blocks of a function, and drops those that were added twice. Returns false if a block
 * was added with two different branches at its end, which cannot be of the same file. */
bool Coverage_SortBlocks(CoverageFunction *function);
/* Keeps a text. Of two for the same address, the shorter block's stays. */
bool Coverage_AddText(CoverageSide *side, const CoverageText *text);

typedef struct CoverageCounts {
    uint64_t blocks, blocks_reached;
    uint64_t sides, sides_reached; /* of conditional branches */
} CoverageCounts;

/* Counts what is reached of one function, or of all of them, where a block that several have counts
 * once. What was not reached and is excluded counts nowhere. */
CoverageCounts Coverage_Count(const CoverageSide *side, const CoverageFunction *function);
CoverageCounts Coverage_CountAll(const CoverageSide *side);
/* Counts what was not reached and is excluded by this row, counted from 1 on. */
CoverageCounts Coverage_CountExcluded(const CoverageSide *side, uint32_t row);

/* Something that no call reached: a block, or a side of a branch whose block was reached. */
typedef struct CoverageGap {
    uint32_t module, rva, size; /* of the block, or the address of the branch, and 0 */
    uint8_t missing;            /* of a branch, MACHINE_WENT_ON or MACHINE_JUMPED; of a block 0 */
    const AbiFunction *first;   /* the first function that it belongs to */
    uint32_t functions;         /* the number of functions that it belongs to */
    uint32_t excluded;          /* as in a block */
} CoverageGap;

/* Lists the gaps by module and address: those of blocks, or those of branches. The caller frees the
 * list. Returns null where memory is short. */
CoverageGap *Coverage_Gaps(const CoverageSide *side, bool of_branches, size_t *count);
/* Returns the text of a block, or null where none is kept. */
const CoverageText *Coverage_TextOf(const CoverageSide *side, uint32_t module, uint32_t rva);

/* Lists the jumps of which nobody knows where they lead, as gaps. The caller frees the list. */
CoverageGap *Coverage_Open(const CoverageSide *side, size_t *count);

/* Prints a line for each function, and what all of them have together. */
void Coverage_Print(const Coverage *coverage, FILE *out);
/* Appends the sections of a page. */
void Coverage_Html(const Coverage *coverage, RpBuffer *html);
/* Adds the member `coverage` of a report. Returns false where memory is short. */
bool Coverage_Json(const Coverage *coverage, struct cJSON *root);

/* Adds the member `coverage` of a shard's file, and takes one over into the coverage of the whole,
 * which becomes what a single run would have reached. The first shard says which sides there are,
 * and a shard with others is refused. */
void Coverage_ShardJson(const Coverage *coverage, struct cJSON *root);
bool Coverage_ReadShard(JsonRead *read, const struct cJSON *root, Coverage *coverage);

#endif
