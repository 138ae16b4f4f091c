#include "formats/nres/order.h"

#include <string.h>

static uint32_t Least(uint64_t a, uint32_t b) {
    return a < b ? (uint32_t)a : b;
}

void NResOrder_Sort(uint32_t *order, uint32_t *scratch, uint32_t count,
                    NResOrder_IsBefore is_before, const void *context) {
    uint32_t *from = order, *to = scratch;
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint64_t width = 1; width < count; width *= 2) {
        /* Merge from[start, middle) and from[middle, end), which are sorted, into to[start, end).
         */
        for (uint64_t start = 0; start < count; start += 2 * width) {
            const uint32_t middle = Least(start + width, count);
            const uint32_t end = Least(start + 2 * width, count);
            uint32_t left = (uint32_t)start, right = middle;
            for (uint32_t at = (uint32_t)start; at < end; at++) {
                const bool take_right =
                    left == middle || (right < end && is_before(context, from[right], from[left]));
                to[at] = take_right ? from[right++] : from[left++];
            }
        }
        uint32_t *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != order)
        memcpy(order, from, (size_t)count * sizeof *order);
}
