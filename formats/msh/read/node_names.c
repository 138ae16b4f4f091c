#include "formats/msh/read/node_names.h"

#include <string.h>

int MshName_Compare(const MshName *a, const MshName *b) {
    uint32_t common = a->length < b->length ? a->length : b->length;
    int order = common ? memcmp(a->text, b->text, common) : 0;
    if (order != 0)
        return order;
    return a->length < b->length ? -1 : a->length > b->length;
}

static uint32_t Least(uint64_t a, uint32_t b) {
    return a < b ? (uint32_t)a : b;
}

void MshName_Sort(MshName *names, MshName *room, uint32_t count) {
    for (uint64_t width = 1; width < count; width *= 2) {
        /* Merge names[start, middle) and names[middle, end), which are sorted, into `room`. */
        for (uint64_t start = 0; start < count; start += 2 * width) {
            const uint32_t middle = Least(start + width, count);
            const uint32_t end = Least(start + 2 * width, count);
            uint32_t left = (uint32_t)start, right = middle;
            for (uint32_t at = (uint32_t)start; at < end; at++) {
                bool take_left =
                    left < middle &&
                    (right >= end || MshName_Compare(&names[left], &names[right]) <= 0);
                room[at] = take_left ? names[left++] : names[right++];
            }
        }
        memcpy(names, room, count * sizeof *names);
    }
}
