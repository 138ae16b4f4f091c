#include "core/member_order.h"

#include "retropose/finding.h"

#include <stddef.h>
#include <stdlib.h>

bool *MemberOrder_Staying(const int32_t *match, uint32_t count) {
    const size_t room = (size_t)count + 1;
    uint32_t *ends = calloc(room, sizeof *ends);
    int32_t *previous = calloc(room, sizeof *previous);
    bool *stays = calloc(room, sizeof *stays);
    const bool good = ends && previous && stays;
    if (good) {
        /* This is patience sorting: `ends` holds, for each length, the last member of the best run
         * of that length. */
        uint32_t length = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t low = 0, high = length;
            if (match[i] == RP_NO_INDEX)
                continue;
            while (low < high) {
                const uint32_t middle = low + (high - low) / 2;
                if (match[ends[middle]] < match[i])
                    low = middle + 1;
                else
                    high = middle;
            }
            previous[i] = low ? (int32_t)ends[low - 1] : RP_NO_INDEX;
            ends[low] = i;
            length += low == length;
        }
        for (int32_t i = length ? (int32_t)ends[length - 1] : RP_NO_INDEX; i != RP_NO_INDEX;
             i = previous[i])
            stays[i] = true;
    }
    free(ends);
    free(previous);
    if (good)
        return stays;
    free(stays);
    return NULL;
}
