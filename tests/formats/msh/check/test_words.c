/* Tests that every width of vectors judges words alike, and that the errors of geometry are found
 * wherever the words are. It compares with a judge that looks at one element after the other. */
#include "tests/formats/msh/fixture.h"

#include "core/random.h"
#include "formats/msh/check/words.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 150 };

static void PutWord(uint8_t *bytes, size_t index, uint32_t word) {
    bytes[2 * index] = (uint8_t)word;
    bytes[2 * index + 1] = (uint8_t)(word >> 8);
}

static uint32_t WordAt(const uint8_t *bytes, size_t index) {
    return bytes[2 * index] | (uint32_t)bytes[2 * index + 1] << 8;
}

/* One word at any place, or none, is above the limit. */
TEST(EveryWidthFindsAWordAboveTheLimit) {
    static const uint16_t limits[] = {0, 1, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF};
    uint64_t seed = 5;
    for (size_t count = 0; count <= MOST_WORDS; count++)
        for (size_t above = 0; above <= count; above++) {
            const uint16_t limit = limits[(count + above) % 6];
            const size_t start = Random_Lcg64Word(&seed) % 16;
            uint8_t *block = malloc(start + 2 * count + 1), *bytes = block + start;
            for (size_t i = 0; i < count; i++)
                PutWord(bytes, i, Random_Lcg64Word(&seed) % (limit + 1u));
            const bool is_above = above < count && limit < 0xFFFF;
            if (is_above)
                PutWord(bytes, above, limit + 1u);
            for (const WordsWidth *const *width = Words_Widths(); *width; width++)
                assert_int_equal((*width)->up_to(bytes, count, limit), !is_above);
            uint32_t largest = 0;
            for (size_t i = 0; i < count; i++)
                largest = WordAt(bytes, i) > largest ? WordAt(bytes, i) : largest;
            assert_int_equal(Words_Largest(bytes, (uint32_t)count), largest);
            free(block);
        }
}

TEST(EveryWidthFindsASuccessorAboveItsLimit) {
    uint64_t seed = 6;
    for (size_t blocks = 0; blocks <= 12; blocks++)
        for (size_t above = 0; above <= blocks * WORDS_IN_BLOCK; above++) {
            uint16_t limits[WORDS_IN_BLOCK];
            const size_t start = Random_Lcg64Word(&seed) % 16, size = blocks * WORDS_BLOCK_BYTES;
            uint8_t *block = malloc(start + size + 1), *bytes = block + start;
            for (size_t i = 0; i < WORDS_IN_BLOCK; i++)
                limits[i] =
                    Random_Lcg64Word(&seed) % 4 ? (uint16_t)Random_Lcg64Word(&seed) : UINT16_MAX;
            for (size_t i = 0; i < blocks * WORDS_IN_BLOCK; i++)
                PutWord(bytes, i, Random_Lcg64Word(&seed) % (limits[i % WORDS_IN_BLOCK] + 1u) - 1);
            const bool is_above =
                above < blocks * WORDS_IN_BLOCK && limits[above % WORDS_IN_BLOCK] < UINT16_MAX;
            if (is_above)
                PutWord(bytes, above, limits[above % WORDS_IN_BLOCK]);
            for (const WordsWidth *const *width = Words_Widths(); *width; width++)
                assert_int_equal((*width)->successors_within(bytes, blocks, limits), !is_above);
            free(block);
        }
}

/* ---- models ---------------------------------------------------------------------------------- */

static bool IsFinite(float value) {
    return value >= -FLT_MAX && value <= FLT_MAX;
}

static bool SlotIsSound(const RpMsh *msh, const RpMshSlot *slot) {
    bool sound = (uint32_t)slot->first_triangle + slot->triangle_count <= RpMsh_Count(msh, 7) &&
                 (uint32_t)slot->first_batch + slot->batch_count <= RpMsh_Count(msh, 13) &&
                 IsFinite(slot->sphere[3]) && slot->sphere[3] >= 0;
    for (int i = 0; i < 3; i++)
        sound = sound && IsFinite(slot->low[i]) && IsFinite(slot->high[i]) &&
                slot->low[i] <= slot->high[i] && IsFinite(slot->sphere[i]);
    return sound;
}

static bool BatchIsSound(const RpMsh *msh, const RpMshBatch *batch) {
    uint16_t vertex = 0;
    for (uint32_t i = 0; i < batch->index_count; i++)
        if ((uint64_t)batch->first_index + i >= RpMsh_Count(msh, 6) ||
            !RpMsh_Index(msh, batch->first_index + i, &vertex) ||
            (uint64_t)batch->base_vertex + vertex >= RpMsh_Count(msh, 3))
            return false;
    return batch->first_index <= RpMsh_Count(msh, 6);
}

static bool GeometryIsSound(const RpMsh *msh) {
    RpMshSlot slot;
    RpMshBatch batch;
    RpMshTriangle triangle;
    bool sound = true;
    for (uint32_t i = 0; RpMsh_Slot(msh, i, &slot); i++)
        sound = sound && SlotIsSound(msh, &slot);
    for (uint32_t i = 0; RpMsh_Batch(msh, i, &batch); i++)
        sound = sound && BatchIsSound(msh, &batch);
    for (uint32_t i = 0; RpMsh_Triangle(msh, i, &triangle); i++)
        for (int e = 0; e < 3; e++)
            sound = sound && (triangle.neighbours[e] == RP_MSH_NONE ||
                              triangle.neighbours[e] < RpMsh_Count(msh, 7));
    return sound;
}

/* Changes words and floats of slots, indices, triangles and batches, mostly to values near their
 * limits. */
static void Damage(Image *image, uint64_t *seed) {
    static const uint32_t types[] = {2, 6, 7, 13}, headers[] = {140, 0, 0, 0};
    static const uint32_t floats[] = {0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000,
                                      0x80000000, 0x80000001, 0xFF7FFFFF, 0};
    const uint32_t which = Random_Lcg64Word(seed) % 4, type = types[which];
    RpNRes archive = Image_Open(image);
    const int32_t entry = RpNRes_FindType(&archive, type, 0);
    const uint32_t size = RpNRes_Entry(&archive, (uint32_t)entry).size - headers[which];
    const uint32_t at = headers[which] + Random_Lcg64Word(seed) % (size / 4) * 4;
    const uint32_t place = Image_Payload(image, type, at);
    if (Random_Lcg64Word(seed) % 2) {
        const uint32_t word = place + 2 * (Random_Lcg64Word(seed) % 2);
        PutWord(image->bytes + word, 0,
                WordAt(image->bytes + word, 0) + Random_Lcg64Word(seed) % 9 - 4);
    } else {
        Image_PutU32(image, place, floats[Random_Lcg64Word(seed) % 8]);
    }
}

TEST(GeometryIsJudgedElementByElement) {
    uint64_t seed = 7;
    uint32_t sound = 0;
    Image whole = Walker_Make(false);
    for (int round = 0; round < 20000; round++) {
        OWNED(Image) image = Image_Copy(&whole);
        RpMsh msh, strict;
        for (uint64_t changes = 1 + Random_Lcg64Word(&seed) % 2; changes > 0; changes--)
            Damage(&image, &seed);
        RpNRes archive = Image_Open(&image);
        assert_int_equal(RpMsh_Open(RpNRes_Entries(&archive), RP_TOLERANT, &msh, NULL), RP_OK);
        const bool is_sound = GeometryIsSound(&msh);
        assert_int_equal(RpMsh_Open(RpNRes_Entries(&archive), RP_STRICT, &strict, NULL) == RP_OK,
                         is_sound);
        sound += is_sound;
    }
    Image_Free(&whole);
    assert_in_range(sound, 2000, 18000);
}
