/* Many 16-bit words at a time: whether they are all within limits, and which is the largest. */
#ifndef RETROPOSE_FORMATS_MSH_CHECK_WORDS_H
#define RETROPOSE_FORMATS_MSH_CHECK_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WORDS_IN_BLOCK = 8, WORDS_BLOCK_BYTES = 2 * WORDS_IN_BLOCK };

typedef struct WordsWidth {
    /* Returns whether in each block of eight words, word i plus 1, in 16 bits, is at most
     * limits[i]. */
    bool (*successors_within)(const uint8_t *bytes, size_t blocks,
                              const uint16_t limits[WORDS_IN_BLOCK]);
    /* Returns whether `count` words are at most `limit`. */
    bool (*up_to)(const uint8_t *bytes, size_t count, uint16_t limit);
} WordsWidth;

/* Returns the widths that this processor has. The first one uses no vectors, and null is behind the
 * last. */
const WordsWidth *const *Words_Widths(void);
/* Gives the last of these, which is the fastest. */
const WordsWidth *Words_Width(void);

/* Returns the largest of `count` words; 0 when there are none. */
uint16_t Words_Largest(const uint8_t *bytes, uint32_t count);

#endif
