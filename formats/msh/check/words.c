#include "formats/msh/check/words.h"

#include "core/bytes.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* ---- plain ----------------------------------------------------------------------------------- */

static bool SuccessorsWithinPlain(const uint8_t *bytes, size_t blocks,
                                  const uint16_t limits[WORDS_IN_BLOCK]) {
    uint32_t above = 0;
    for (size_t i = 0; i < blocks * WORDS_IN_BLOCK; i++)
        above |= (uint16_t)(Bytes_U16(bytes + 2 * i) + 1) > limits[i % WORDS_IN_BLOCK];
    return !above;
}

static bool UpToPlain(const uint8_t *bytes, size_t count, uint16_t limit) {
    uint32_t above = 0;
    for (size_t i = 0; i < count; i++)
        above |= Bytes_U16(bytes + 2 * i) > limit;
    return !above;
}

static const WordsWidth plain = {SuccessorsWithinPlain, UpToPlain};

/* ---- vectors --------------------------------------------------------------------------------- */

/* A subtraction that stops at 0 gives how far a word is above its limit. All differences are
 * combined with "or", so that the result is 0 only if no word is above. */
#ifdef __x86_64__
static __m128i Load(const uint8_t *bytes) {
    return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

static bool IsZero(__m128i bits) {
    return _mm_movemask_epi8(_mm_cmpeq_epi8(bits, _mm_setzero_si128())) == 0xFFFF;
}

static bool SuccessorsWithinSse2(const uint8_t *bytes, size_t blocks,
                                 const uint16_t limits[WORDS_IN_BLOCK]) {
    const __m128i one = _mm_set1_epi16(1), most = Load((const uint8_t *)limits);
    __m128i above = _mm_setzero_si128();
    for (size_t i = 0; i < blocks; i++, bytes += WORDS_BLOCK_BYTES)
        above = _mm_or_si128(above, _mm_subs_epu16(_mm_add_epi16(Load(bytes), one), most));
    return IsZero(above);
}

/* The last block may overlap the one before it. */
static bool UpToSse2(const uint8_t *bytes, size_t count, uint16_t limit) {
    const __m128i most = _mm_set1_epi16((short)limit);
    if (count < WORDS_IN_BLOCK)
        return UpToPlain(bytes, count, limit);
    __m128i above = _mm_subs_epu16(Load(bytes + 2 * (count - WORDS_IN_BLOCK)), most);
    for (; count >= WORDS_IN_BLOCK; count -= WORDS_IN_BLOCK, bytes += WORDS_BLOCK_BYTES)
        above = _mm_or_si128(above, _mm_subs_epu16(Load(bytes), most));
    return IsZero(above);
}

static const WordsWidth sse2 = {SuccessorsWithinSse2, UpToSse2};

#define AVX2 __attribute__((target("avx2")))

AVX2 static __m256i LoadTwo(const uint8_t *bytes) {
    return _mm256_loadu_si256((const __m256i *)(const void *)bytes);
}

AVX2 static __m256i SuccessorsAbove(const uint8_t *bytes, __m256i most) {
    return _mm256_subs_epu16(_mm256_add_epi16(LoadTwo(bytes), _mm256_set1_epi16(1)), most);
}

AVX2 static bool SuccessorsWithinAvx2(const uint8_t *bytes, size_t blocks,
                                      const uint16_t limits[WORDS_IN_BLOCK]) {
    const __m256i most = _mm256_broadcastsi128_si256(Load((const uint8_t *)limits));
    __m256i above = _mm256_setzero_si256(), also = above;
    for (; blocks >= 4; blocks -= 4, bytes += 4 * WORDS_BLOCK_BYTES) {
        above = _mm256_or_si256(above, SuccessorsAbove(bytes, most));
        also = _mm256_or_si256(also, SuccessorsAbove(bytes + 2 * WORDS_BLOCK_BYTES, most));
    }
    above = _mm256_or_si256(above, also);
    return _mm256_testz_si256(above, above) && SuccessorsWithinSse2(bytes, blocks, limits);
}

AVX2 static bool UpToAvx2(const uint8_t *bytes, size_t count, uint16_t limit) {
    const __m256i most = _mm256_set1_epi16((short)limit);
    if (count < 2 * WORDS_IN_BLOCK)
        return UpToSse2(bytes, count, limit);
    __m256i above = _mm256_subs_epu16(LoadTwo(bytes + 2 * (count - 2 * WORDS_IN_BLOCK)), most);
    for (; count >= 2 * WORDS_IN_BLOCK; count -= 2 * WORDS_IN_BLOCK, bytes += 2 * WORDS_BLOCK_BYTES)
        above = _mm256_or_si256(above, _mm256_subs_epu16(LoadTwo(bytes), most));
    return _mm256_testz_si256(above, above);
}

static const WordsWidth avx2 = {SuccessorsWithinAvx2, UpToAvx2};
#endif

const WordsWidth *const *Words_Widths(void) {
#ifdef __x86_64__
    static const WordsWidth *const narrow[] = {&plain, &sse2, NULL};
    static const WordsWidth *const wide[] = {&plain, &sse2, &avx2, NULL};
    return __builtin_cpu_supports("avx2") ? wide : narrow;
#else
    static const WordsWidth *const narrowest[] = {&plain, NULL};
    return narrowest;
#endif
}

const WordsWidth *Words_Width(void) {
    const WordsWidth *const *widths = Words_Widths();
    while (widths[1])
        widths++;
    return *widths;
}

/* ---- the largest ----------------------------------------------------------------------------- */

uint16_t Words_Largest(const uint8_t *bytes, uint32_t count) {
    uint16_t largest = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint16_t word = Bytes_U16(bytes + 2 * (size_t)i);
        largest = word > largest ? word : largest;
    }
    return largest;
}
