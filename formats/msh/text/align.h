/* Finds out which rows of one table are the same as which rows of another one, if rows were removed
 * or inserted. A row consists of the elements that several columns have at the same index. */
#ifndef RETROPOSE_FORMATS_MSH_TEXT_ALIGN_H
#define RETROPOSE_FORMATS_MSH_TEXT_ALIGN_H

#include "retropose/memory.h"

#include <stdbool.h>
#include <stdint.h>

enum { MSH_ALIGN_MOST_COLUMNS = 6 };

typedef struct MshRows {
    uint32_t count, columns;
    const uint8_t *data[MSH_ALIGN_MOST_COLUMNS];
    uint32_t size[MSH_ALIGN_MOST_COLUMNS]; /* size of the elements in bytes */
} MshRows;

#define MSH_ALIGN_NONE UINT32_MAX

typedef struct MshAlignment {
    uint32_t count_a, count_b;
    uint32_t *of_a; /* for each row of a the row of b, or MSH_ALIGN_NONE; they ascend */
    uint32_t *of_b; /* for each row of b the row of a */
} MshAlignment;

/* Aligns two tables with the same columns. Rows that are paired need not be equal. Where the tables
 * have little in common, the rows are paired by their indices, as far as both have them. Returns
 * false where memory is refused; otherwise the result has to be freed. */
bool MshAlignment_Make(const MshRows *a, const MshRows *b, const RpAllocator *allocator,
                       MshAlignment *alignment);
void MshAlignment_Free(MshAlignment *alignment, const RpAllocator *allocator);

/* Returns whether index a of the first table and b of the second name one row, or one that only one
 * of the tables has. */
bool MshAlignment_IsSame(const MshAlignment *alignment, uint32_t a, uint32_t b);
/* Returns whether the rows in front of index a are those in front of index b. Rows that only one of
 * the tables has do not count. */
bool MshAlignment_IsSameEdge(const MshAlignment *alignment, uint32_t a, uint32_t b);

#endif
