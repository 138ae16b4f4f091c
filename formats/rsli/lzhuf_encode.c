/* The LZHUF encoder (facts/formats.md B.6). How the bytes are divided into literals and matches
 * depends on what the codes cost at that point. The costs are taken from the tree anew for every
 * few thousand bytes. */
#include "formats/rsli/lzhuf.h"
#include "formats/rsli/parse.h"

enum { SEGMENT = 4096 /* a shorter one has newer costs, a longer one cuts fewer matches */ };

typedef struct Encoder {
    Parse parse;
    LzHufTree tree;
    LzHufPrefix prefix;
    uint64_t bits; /* not yet written, the first one on top */
    uint32_t bit_count;
    RpBuffer *packed;
} Encoder;

static void PutBits(Encoder *encoder, uint32_t bits, uint32_t count) {
    encoder->bits |= (uint64_t)bits << (64 - encoder->bit_count - count);
    encoder->bit_count += count;
    while (encoder->bit_count >= 8) {
        const uint8_t byte = (uint8_t)(encoder->bits >> 56);
        RpBuffer_Append(encoder->packed, &byte, 1);
        encoder->bits <<= 8;
        encoder->bit_count -= 8;
    }
}

/* Pairs of children begin at even nodes, so second children are at odd ones. The bit in the code
 * says which child it is. */
static void PutSymbol(Encoder *encoder, uint32_t symbol) {
    uint32_t code = 0, length = 0;
    for (uint32_t node = encoder->tree.parent[LZHUF_NODES + symbol]; node != LZHUF_ROOT;
         node = encoder->tree.parent[node])
        code |= (node & 1) << length++;
    PutBits(encoder, code, length);
    LzHufTree_Update(&encoder->tree, symbol);
}

static uint16_t CodeLength(const LzHufTree *tree, uint32_t symbol) {
    uint16_t length = 0;
    for (uint32_t node = tree->parent[LZHUF_NODES + symbol]; node != LZHUF_ROOT;
         node = tree->parent[node])
        length++;
    return length;
}

bool LzHuf_Encode(const uint8_t *input, size_t size, RpBuffer *packed) {
    Encoder *encoder = RpMemory_Resize(packed->allocator, NULL, sizeof *encoder);
    if (!encoder)
        return false;
    encoder->bits = encoder->bit_count = 0;
    encoder->packed = packed;
    LzHufTree_Start(&encoder->tree);
    LzHufPrefix_Make(&encoder->prefix);
    Parse_Start(&encoder->parse, input, size, LZHUF_MOST);
    for (size_t from = 0; from < size;) {
        ParseCosts costs;
        for (uint32_t symbol = 0; symbol < 256; symbol++)
            costs.literal[symbol] = CodeLength(&encoder->tree, symbol);
        for (uint32_t length = LZHUF_LEAST; length <= LZHUF_MOST; length++)
            costs.length[length] = CodeLength(&encoder->tree, length + LZHUF_LENGTH_SYMBOL);
        for (uint32_t upper = 0; upper < LZHUF_UPPER_CODES; upper++)
            costs.upper[upper] = (uint16_t)(encoder->prefix.length[upper] + 6);
        size_t count = Parse_Segment(&encoder->parse, from, SEGMENT, &costs);
        const Parse *parse = &encoder->parse;
        for (size_t i = 0; i < count; i += parse->step[i].length) {
            const ParseStep *step = &parse->step[i];
            if (step->length == 1) {
                PutSymbol(encoder, parse->input[from + i]);
            } else {
                PutSymbol(encoder, (uint32_t)step->length + LZHUF_LENGTH_SYMBOL);
                const uint32_t position = (uint32_t)step->distance - 1;
                uint32_t upper = position >> 6, length = encoder->prefix.length[upper];
                PutBits(encoder, (uint32_t)encoder->prefix.first[upper] >> (8 - length), length);
                PutBits(encoder, position & 0x3F, 6);
            }
        }
        from += count;
    }
    if (encoder->bit_count > 0)
        PutBits(encoder, 0, 8 - encoder->bit_count);
    RpMemory_Free(packed->allocator, encoder);
    return !packed->failed;
}
