/* Sorts numbers of entries without the C library. The order of equal ones does not change. */
#ifndef RETROPOSE_FORMATS_NRES_ORDER_H
#define RETROPOSE_FORMATS_NRES_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* Whether entry `b` must stand before entry `a`. */
typedef bool (*NResOrder_IsBefore)(const void *context, uint32_t b, uint32_t a);

/* Fills `order` with the sorted numbers 0 to count - 1. `scratch` has the same length. */
void NResOrder_Sort(uint32_t *order, uint32_t *scratch, uint32_t count,
                    NResOrder_IsBefore is_before, const void *context);

#endif
