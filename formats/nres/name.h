/* Compares names of an NRes directory eight characters at a time, because they are compared n log n
 * times.
 *
 * A key holds the characters of a name field up to its first NUL. A to Z are folded onto a to z.
 * The characters are packed in such a way that comparing words as numbers compares the names as the
 * game's _strcmpi does, that is, as unsigned bytes. */
#ifndef RETROPOSE_FORMATS_NRES_NAME_H
#define RETROPOSE_FORMATS_NRES_NAME_H

#include "core/bytes.h"
#include "retropose/nres.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { NRES_NAME_WORDS = 5 }; /* 36 bytes, the last word half zero */

typedef struct NResKey {
    uint64_t words[NRES_NAME_WORDS];
} NResKey;

/* The last word consists of the last four characters and of zeros. */
static inline uint64_t NResName_Word(const uint8_t *field, int i) {
    if (i < NRES_NAME_WORDS - 1)
        return Bytes_BigU64(field + (ptrdiff_t)i * 8);
    return Bytes_BigU64(field + RP_NRES_NAME_BYTES - 8) << 32;
}

/* Returns 0x80 in every byte that is zero. Nothing is carried from one byte into another. */
static inline uint64_t NResName_Zeros(uint64_t word) {
    const uint64_t low = 0x7F7F7F7F7F7F7F7Fu;
    return ~(((word & low) + low) | word | low);
}

/* Clears the bytes after the first zero. */
static inline uint64_t NResName_Cut(uint64_t word, uint64_t zeros) {
    zeros |= zeros >> 8;
    zeros |= zeros >> 16;
    zeros |= zeros >> 32;
    return word & ~(zeros | (zeros - (zeros >> 7)));
}

/* Folds A to Z onto a to z in all eight bytes. */
static inline uint64_t NResName_Fold(uint64_t word) {
    const uint64_t ones = 0x0101010101010101u, heptets = word & (0x7F * ones);
    const uint64_t from_a = heptets + (0x80 - 'A') * ones, past_z = heptets + (0x7F - 'Z') * ones;
    return word | ((from_a & ~past_z & ~word & (0x80 * ones)) >> 2);
}

static inline void NResKey_OfField(const uint8_t *field, NResKey *key) {
    int i = 0;
    for (; i < NRES_NAME_WORDS; i++) {
        const uint64_t word = NResName_Word(field, i), zeros = NResName_Zeros(word);
        key->words[i] = NResName_Fold(zeros ? NResName_Cut(word, zeros) : word);
        if (zeros)
            break;
    }
    while (++i < NRES_NAME_WORDS)
        key->words[i] = 0;
}

/* Returns false if the text is longer than a field. The key then has its first 36 characters. */
static inline bool NResKey_OfText(const char *text, NResKey *key) {
    uint8_t field[RP_NRES_NAME_BYTES] = {0};
    uint32_t length = 0;
    for (; length < RP_NRES_NAME_BYTES && text[length]; length++)
        field[length] = (uint8_t)text[length];
    NResKey_OfField(field, key);
    return length < RP_NRES_NAME_BYTES || !text[length];
}

/* Returns a number below, equal to or above 0. */
static inline int NResKey_Compare(const NResKey *a, const NResKey *b) {
    for (int i = 0; i < NRES_NAME_WORDS; i++)
        if (a->words[i] != b->words[i])
            return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}

/* NResName_Compare compares the names in two fields. It returns a number below, equal to or above
 * 0. */
#ifdef __SSE2__
static inline uint8_t NResName_FoldByte(uint8_t byte) {
    return byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte;
}

/* Folds A to Z in 16 bytes. The bytes are shifted so that A to Z become the lowest signed numbers,
 * those below -128 + 26. */
static inline __m128i NResName_FoldBlock(const uint8_t *bytes) {
    const __m128i block = _mm_loadu_si128((const __m128i *)(const void *)bytes);
    const __m128i moved = _mm_add_epi8(block, _mm_set1_epi8((char)(0x80 - 'A')));
    const __m128i letters = _mm_cmplt_epi8(moved, _mm_set1_epi8(-128 + 26));
    return _mm_or_si128(block, _mm_and_si128(letters, _mm_set1_epi8('a' - 'A')));
}

/* Returns a set of bits. Bit N is set if byte N of the 16 differs, or ends the first name. */
static inline uint64_t NResName_Stops(const uint8_t *a, const uint8_t *b) {
    const __m128i left = NResName_FoldBlock(a), right = NResName_FoldBlock(b);
    const __m128i ends = _mm_cmpeq_epi8(left, _mm_setzero_si128());
    const __m128i goes_on = _mm_andnot_si128(ends, _mm_cmpeq_epi8(left, right));
    return (uint64_t)_mm_movemask_epi8(goes_on) ^ 0xFFFF;
}

/* It varies from pair to pair how many characters are equal, so a branch would often be predicted
 * wrongly. All 36 bytes are therefore examined without a branch, and then the first of them that
 * decides. The last block overlaps the one before. */
static inline int NResName_Compare(const uint8_t *a, const uint8_t *b) {
    enum { LAST = RP_NRES_NAME_BYTES - 16 };
    const uint64_t stops = NResName_Stops(a, b) | NResName_Stops(a + 16, b + 16) << 16 |
                           NResName_Stops(a + LAST, b + LAST) << LAST;
    const int at =
        stops ? __builtin_ctzll(stops) : 0; /* if all 36 bytes are equal, any of them will do */
    return NResName_FoldByte(a[at]) - NResName_FoldByte(b[at]);
}
#else
/* Words that are equal need not be folded, and most names begin like their neighbours. */
static inline int NResName_Compare(const uint8_t *a, const uint8_t *b) {
    for (int i = 0; i < NRES_NAME_WORDS; i++) {
        const uint64_t left = NResName_Word(a, i), right = NResName_Word(b, i);
        const uint64_t left_zeros = NResName_Zeros(left), right_zeros = NResName_Zeros(right);
        if (left != right) {
            const uint64_t left_key = NResName_Fold(NResName_Cut(left, left_zeros));
            const uint64_t right_key = NResName_Fold(NResName_Cut(right, right_zeros));
            if (left_key != right_key)
                return left_key < right_key ? -1 : 1;
        }
        if (left_zeros)
            return 0;
    }
    return 0;
}
#endif

/* Compares a key with the name in a field. Reads no more of the field than necessary. */
static inline int NResKey_CompareField(const NResKey *key, const uint8_t *field) {
    for (int i = 0; i < NRES_NAME_WORDS; i++) {
        const uint64_t word = NResName_Word(field, i), zeros = NResName_Zeros(word);
        const uint64_t folded = NResName_Fold(zeros ? NResName_Cut(word, zeros) : word);
        if (key->words[i] != folded)
            return key->words[i] < folded ? -1 : 1;
        if (zeros)
            return 0;
    }
    return 0;
}

/* Returns the number of characters before the first NUL, or 36 without one. */
static inline uint32_t NResName_Length(const uint8_t *field) {
    uint32_t length = 0;
    while (length < RP_NRES_NAME_BYTES && field[length])
        length++;
    return length;
}

static inline bool NResName_IsTerminated(const uint8_t *field) {
    uint64_t zeros = NResName_Word(field, NRES_NAME_WORDS - 1) | 0xFFFFFFFFu;
    zeros = NResName_Zeros(zeros);
    for (int i = 0; !zeros && i < NRES_NAME_WORDS - 1; i++)
        zeros = NResName_Zeros(NResName_Word(field, i));
    return zeros != 0;
}

#endif
