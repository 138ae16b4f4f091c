#include "formats/rsli/parse.h"

#include <string.h>

enum { MOST_NODES = 512 /* nodes to look at for one position, whatever the shape of the tree */ };

typedef struct Match {
    uint32_t length, distance;
} Match;

static const uint8_t *At(const Parse *parse, uint32_t position) {
    return parse->text + (position - parse->base);
}

static uint32_t Hash(const uint8_t *text) {
    uint32_t bytes = (uint32_t)text[0] | (uint32_t)text[1] << 8 | (uint32_t)text[2] << 16;
    return bytes * 0x9E3779B1U >> 18; /* Fibonacci hashing; 14 bits are left */
}

/* Makes the newest position the root of the tree of its hash, and sorts the nodes of that tree
 * below it. The search passes older and older positions, so the first match of each length is the
 * nearest. Returns the number of matches, each of which is longer than the one before. */
static uint32_t Insert(Parse *parse, uint32_t position, uint32_t limit, Match *matches) {
    const uint8_t *text = At(parse, position);
    uint32_t *head = &parse->head[Hash(text)], older = *head, count = 0;
    uint32_t *less = &parse->less[position % RING_BYTES];
    uint32_t *greater = &parse->greater[position % RING_BYTES];
    uint32_t same_less = 0, same_greater = 0, best = PARSE_LEAST - 1;
    *head = position + 1;
    for (int nodes = 0; older && nodes < MOST_NODES; nodes++) {
        uint32_t candidate = older - 1;
        if (position - candidate > parse->farthest)
            break;
        uint32_t *below = &parse->less[candidate % RING_BYTES];
        uint32_t *above = &parse->greater[candidate % RING_BYTES];
        const uint8_t *other = At(parse, candidate);
        uint32_t same = same_less < same_greater ? same_less : same_greater;
        while (same < limit && text[same] == other[same])
            same++;
        if (same > best) {
            best = same;
            matches[count++] = (Match){same, position - candidate};
        }
        if (same == limit) { /* the new position is as good as this one, and replaces it */
            *less = *below;
            *greater = *above;
            return count;
        }
        if (other[same] < text[same]) {
            *less = older;
            less = above;
            same_less = same;
        } else {
            *greater = older;
            greater = below;
            same_greater = same;
        }
        older = other[same] < text[same] ? *above : *below;
    }
    *less = *greater = 0;
    return count;
}

/* Returns how many bytes a match at `position` may have in the input. */
static uint32_t Limit(const Parse *parse, uint32_t position) {
    uint64_t left = (uint64_t)parse->size + RING_BYTES - position;
    return left < parse->longest ? (uint32_t)left : parse->longest;
}

void Parse_Start(Parse *parse, const uint8_t *input, size_t size, uint32_t longest) {
    parse->input = input;
    parse->size = size;
    parse->longest = longest;
    parse->farthest = RING_BYTES - longest;
    parse->base = 0;
    memset(parse->text, RING_FILL, RING_BYTES);
    memset(parse->head, 0, sizeof parse->head);
}

static void Offer(ParseStep *step, uint32_t cost, uint32_t length, uint32_t distance) {
    if (cost < step->cost)
        *step = (ParseStep){cost, (uint16_t)distance, (uint8_t)length};
}

size_t Parse_Segment(Parse *parse, size_t from, size_t most, const ParseCosts *costs) {
    Match matches[PARSE_MOST];
    size_t count = parse->size - from < most ? parse->size - from : most;

    /* Loads the segment, and the bytes behind it that matches may use, behind the ring as it is
     * before the segment. */
    uint32_t moved = (uint32_t)from - parse->base;
    size_t left = parse->size - from, loaded = count + PARSE_MOST;
    memmove(parse->text, parse->text + moved, RING_BYTES);
    memcpy(parse->text + RING_BYTES, parse->input + from, loaded < left ? loaded : left);
    parse->base = (uint32_t)from;

    /* The bytes before the input are spaces, and matches may begin in them. Only the last ones are
     * inserted, as many as a match is long. Those before them are like these, and would be out of
     * reach sooner. */
    for (uint32_t i = RING_BYTES - parse->longest; from == 0 && i < RING_BYTES; i++)
        if (Limit(parse, i) >= PARSE_LEAST)
            Insert(parse, i, Limit(parse, i), matches);
    for (size_t i = 1; i <= count; i++)
        parse->step[i].cost = UINT32_MAX;
    parse->step[0] = (ParseStep){0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        uint32_t position = (uint32_t)(from + i) + RING_BYTES, limit = Limit(parse, position);
        ParseStep *step = &parse->step[i];
        Offer(step + 1, step->cost + costs->literal[*At(parse, position)], 1, 0);
        if (limit < PARSE_LEAST)
            continue;

        /* Offer all lengths that the matches can have, each with its smallest distance. */
        const uint32_t found = Insert(parse, position, limit, matches);
        uint32_t length = PARSE_LEAST;
        for (uint32_t m = 0; m < found; m++) {
            uint32_t distance = matches[m].distance;
            uint32_t cost = step->cost + costs->upper[(distance - 1) >> 6];
            for (; length <= matches[m].length && length <= count - i; length++)
                Offer(step + length, cost + costs->length[length], length, distance);
        }
    }

    /* Each step knows the step before it. Reverse this, so that each step knows the next one. */
    ParseStep next = parse->step[count];
    for (size_t at = count; at > 0;) {
        size_t start = at - next.length;
        ParseStep before = parse->step[start];
        parse->step[start].length = next.length;
        parse->step[start].distance = next.distance;
        next = before;
        at = start;
    }
    return count;
}
