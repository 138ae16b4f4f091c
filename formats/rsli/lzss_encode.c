/* The LZSS encoder (facts/formats.md B.5). All matches cost the same bits, so the cheapest cut into
 * literals and matches gives the shortest file. */
#include "formats/rsli/parse.h"

#include <string.h>

/* A control byte and its items. */
typedef struct Group {
    uint8_t bytes[17];
    uint32_t size, items;
} Group;

static void Flush(Group *group, RpBuffer *packed) {
    if (group->items > 0)
        RpBuffer_Append(packed, group->bytes, group->size);
    *group = (Group){.size = 1};
}

bool Lzss_Encode(const uint8_t *input, size_t size, RpBuffer *packed) {
    ParseCosts costs;
    memset(&costs, 0, sizeof costs);
    for (int byte = 0; byte < 256; byte++)
        costs.literal[byte] = 9;
    for (int length = PARSE_LEAST; length <= PARSE_MOST; length++)
        costs.length[length] = 17;
    Group group = {.size = 1};
    Parse *parse = RpMemory_Resize(packed->allocator, NULL, sizeof *parse);
    if (!parse)
        return false;
    Parse_Start(parse, input, size, LZSS_MOST);
    for (size_t from = 0; from < size;) {
        size_t count = Parse_Segment(parse, from, PARSE_SEGMENT, &costs);
        for (size_t i = 0; i < count; i += parse->step[i].length) {
            const ParseStep *step = &parse->step[i];
            if (step->length == 1) {
                const uint8_t byte = parse->input[from + i];
                group.bytes[0] |= (uint8_t)(1U << group.items);
                group.bytes[group.size++] = byte;
            } else {
                /* `at` is the number of bytes before the match. It determines where in the ring the
                 * match begins. */
                const size_t at = from + i;
                size_t position = (LZSS_START + at - step->distance) % RING_BYTES;
                group.bytes[group.size++] = (uint8_t)position;
                group.bytes[group.size++] =
                    (uint8_t)((position >> 4 & 0xF0) | (size_t)(step->length - LZSS_LEAST));
            }
            if (++group.items == 8)
                Flush(&group, packed);
        }
        from += count;
    }
    Flush(&group, packed);
    RpMemory_Free(packed->allocator, parse);
    return !packed->failed;
}
