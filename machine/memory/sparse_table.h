/* Tables with a row for each page of the guest's 4 GiB, or for each thing that may ever exist. They
 * are megabytes of zeros, of which only little is used. */
#ifndef RETROPOSE_MACHINE_MEMORY_SPARSE_TABLE_H
#define RETROPOSE_MACHINE_MEMORY_SPARSE_TABLE_H

#include <stddef.h>

/* Returns zeroed memory, or null. If the system can do that, pages that nobody writes to need no
 * memory and no time. */
void *Table_Reserve(size_t bytes);
/* Gives back memory of this size that Table_Reserve has returned. Null is allowed. */
void Table_Release(void *table, size_t bytes);

#endif
