/* Tables with a row for each page of the guest's 4 GiB or for each thing that may ever be:
 * megabytes of zeros, of which few are used. */
#ifndef RETROPOSE_MACHINE_MEMORY_TABLE_H
#define RETROPOSE_MACHINE_MEMORY_TABLE_H

#include <stddef.h>

/* Returns zeroed memory, or null. Where the system can, those pages of it that nobody writes to
 * take no memory and no time. */
void *Table_Reserve(size_t bytes);
/* Gives it back, with the size that it was reserved with. Null is allowed. */
void Table_Release(void *table, size_t bytes);

#endif
