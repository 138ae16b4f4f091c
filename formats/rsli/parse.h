/* Divides bytes into literals and matches at the least cost, for the encoders of LZSS and LZHUF.
 *
 * This is done segment by segment. All matches of a position are found in a binary tree of the
 * positions before it. Then the cheapest path through the segment is taken. */
#ifndef RETROPOSE_FORMATS_RSLI_PARSE_H
#define RETROPOSE_FORMATS_RSLI_PARSE_H

#include "formats/rsli/codec.h"

enum {
    PARSE_SEGMENT = 16384,
    PARSE_LEAST = 3, /* least length of a match */
    PARSE_MOST = LZHUF_MOST,
    PARSE_HASHES = 1 << 14
};

/* The costs of literals and matches in bits. */
typedef struct ParseCosts {
    uint16_t literal[256];
    uint16_t length[PARSE_MOST + 1];
    uint16_t upper[RING_BYTES / 64]; /* for position, distance - 1, by its upper six bits */
} ParseCosts;

/* What to encode at a position: a match when length is more than 1. */
typedef struct ParseStep {
    uint32_t cost; /* cost of the cheapest path to here */
    uint16_t distance;
    uint8_t length; /* length of the step that leads here or, after Parse_Segment, from here */
} ParseStep;

typedef struct Parse {
    const uint8_t *input;
    size_t size;
    uint32_t longest;  /* greatest length of a match */
    uint32_t farthest; /* greatest distance */
    uint32_t base;     /* position of text[0]; the input begins at RING_BYTES, after spaces */
    uint8_t text[RING_BYTES + PARSE_SEGMENT + PARSE_MOST];
    uint32_t head[PARSE_HASHES]; /* newest position of each hash, plus 1; 0: none */
    uint32_t less[RING_BYTES], greater[RING_BYTES]; /* the tree, by position; plus 1, 0: none */
    ParseStep step[PARSE_SEGMENT + 1];
} Parse;

/* The length of the longest match also decides how far back matches may begin. Classic encoders
 * never use those bytes of the ring that hold their look-ahead. So no decoder has ever been tested
 * with such matches. */
void Parse_Start(Parse *parse, const uint8_t *input, size_t size, uint32_t longest);
/* Plans up to `most` bytes, at most PARSE_SEGMENT, from `from` on, which must be the end of the
 * last segment. Returns their number. step[0] is the first step, step[step[0].length] is the second
 * one, and so on. */
size_t Parse_Segment(Parse *parse, size_t from, size_t most, const ParseCosts *costs);

/* The encoders. They use the allocator of `packed`. The first two return false if memory is
 * refused. */
bool Lzss_Encode(const uint8_t *input, size_t size, RpBuffer *packed);
bool LzHuf_Encode(const uint8_t *input, size_t size, RpBuffer *packed);
RpStatus Deflate_Encode(const uint8_t *input, size_t size, RpBuffer *packed, RpError *error);

#endif
