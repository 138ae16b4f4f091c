/* Tests that every byte string which a method packs comes back, and that packed data which is cut
 * or changed does not cause an access out of bounds. */
#include "core/random.h"
#include "inputs.h"
#include "retropose/rsli.h"
#include "tests/formats/refusal.h"
#include "tests/formats/rsli/textbook.h"
#include "tests/test.h"
#include "work.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t methods[] = {RP_RSLI_STORED,   RP_RSLI_XOR,     RP_RSLI_LZSS,
                                   RP_RSLI_XOR_LZSS, RP_RSLI_HUFFMAN, RP_RSLI_XOR_HUFFMAN,
                                   RP_RSLI_DEFLATE};

enum { METHODS = sizeof methods / sizeof *methods };

static void AssertComesBack(uint32_t method, uint32_t key, const Input *input) {
    OWNED(RpBuffer) packed = {0};
    RpRsLiNotes notes;
    HEAP uint8_t *output = malloc(input->size + 1);
    assert_non_null(output);
    output[input->size] = 0xA5;
    assert_int_equal(RpRsLi_Pack(method, key, input->bytes, input->size, &packed, NULL), RP_OK);
    if (RpRsLi_Unpack(method, key, packed.bytes, packed.size, output, input->size, work, &notes,
                      NULL) != RP_OK ||
        memcmp(output, input->bytes, input->size) != 0)
        fail_msg("%s by %s", input->name, RpRsLiMethod_Name(method));
    assert_int_equal(output[input->size], 0xA5);
    assert_int_equal(notes.consumed, packed.size);
    assert_int_equal(notes.unwritten_window, 0);
    assert_true(input->size <= RpRsLiMethod_MostUnpacked(method, packed.size));
    if (method == RP_RSLI_LZSS || method == RP_RSLI_HUFFMAN) {
        memset(output, 0xEE, input->size);
        (method == RP_RSLI_LZSS ? Textbook_Lzss : Textbook_LzHuf)(packed.bytes, packed.size, output,
                                                                  input->size);
        assert_memory_equal(output, input->bytes, input->size);
    }
}

TEST(EveryInputComesBackByEveryMethod) {
    Input input;
    for (size_t i = 0; Input_Make(i, &input); i++) {
        for (size_t method = 0; method < METHODS; method++)
            AssertComesBack(methods[method], (uint32_t)(i * 257 + method), &input);
        Input_Free(&input);
    }
}

/* Strings of few symbols contain every short case: matches with themselves, matches with the spaces
 * before the beginning, and the end of the input. */
TEST(EveryShortStringOfTwoSymbolsComesBack) {
    for (uint32_t length = 0; length <= 10; length++)
        for (uint32_t bits = 0; bits < 1U << length; bits++) {
            uint8_t bytes[10];
            Input input = {.name = "two symbols", .bytes = bytes, .size = length};
            for (uint32_t i = 0; i < length; i++)
                bytes[i] = bits >> i & 1 ? ' ' : 'a';
            AssertComesBack(RP_RSLI_LZSS, 0, &input);
            AssertComesBack(RP_RSLI_HUFFMAN, 0, &input);
        }
}

static Input InputOf(const char *name) {
    Input input;
    for (size_t i = 0; Input_Make(i, &input); i++) {
        if (strcmp(input.name, name) == 0)
            return input;
        Input_Free(&input);
    }
    fail_msg("no input %s", name);
    return input;
}

TEST(EveryCutIsAnErrorAtItsEnd) {
    OWNED(Input) input = InputOf("TEXT-4097");
    HEAP uint8_t *output = malloc(input.size);
    assert_non_null(output);
    for (size_t i = 0; i < METHODS; i++) {
        OWNED(RpBuffer) packed = {0};
        assert_int_equal(RpRsLi_Pack(methods[i], 0x4321, input.bytes, input.size, &packed, NULL),
                         RP_OK);
        for (size_t cut = 0; cut < packed.size; cut++) {
            RpError error;
            HEAP uint8_t *copy = malloc(cut + 1); /* a block of exactly the size that is declared */
            assert_non_null(copy);
            memcpy(copy + 1, packed.bytes, cut);
            assert_int_equal(RpRsLi_Unpack(methods[i], 0x4321, copy + 1, cut, output, input.size,
                                           work, NULL, &error),
                             RP_CORRUPT);
            assert_int_equal(error.offset, cut);
        }
    }
}

/* The output has as many bytes as were asked for, or there is an error. */
TEST(ChangedBytesDoNoHarm) {
    OWNED(Input) input = InputOf("RAMP-9000");
    uint64_t seed = 1;
    for (size_t i = 0; i < METHODS; i++) {
        OWNED(RpBuffer) packed = {0};
        assert_int_equal(RpRsLi_Pack(methods[i], 7, input.bytes, input.size, &packed, NULL), RP_OK);
        for (int round = 0; round < 2000; round++) {
            Random_Lcg64(&seed);
            size_t place = (size_t)(seed >> 33) % packed.size;
            size_t size = (size_t)(seed >> 20) % (2 * input.size);
            uint8_t *output = malloc(size + 1), old = packed.bytes[place];
            assert_non_null(output);
            packed.bytes[place] = (uint8_t)(seed >> 56);
            RpStatus status = RpRsLi_Unpack(methods[i], 7, packed.bytes, packed.size, output, size,
                                            work, NULL, NULL);
            assert_true(status == RP_OK || status == RP_CORRUPT);
            packed.bytes[place] = old;
            free(output);
        }
    }
}

/* ---- any bits -------------------------------------------------------------------------------- */

/* Fills with random bits, which are always codes of LZHUF. A bias, which changes now and then,
 * makes trees that are far from even: they have codes of many lengths, and nodes at all depths
 * change places. */
static void FillWithBits(uint8_t *bytes, size_t size, uint64_t *seed) {
    uint32_t bias = 128;
    for (size_t i = 0; i < size; i++) {
        bytes[i] = 0;
        for (int bit = 0; bit < 8; bit++) {
            Random_Lcg64(seed);
            if (*seed >> 50 == 0)
                bias = (uint32_t)(*seed >> 30) % 224 + 16;
            bytes[i] = (uint8_t)(bytes[i] << 1 | ((uint32_t)(*seed >> 40) % 256 < bias));
        }
    }
}

TEST(AnyBitsAreDecodedAsByTheTextbook) {
    enum { SIZE = 100000, PACKED = 3 * SIZE + 64, ROUNDS = 20 }; /* a code has 24 bits at most */
    static uint8_t packed[PACKED], expected[SIZE], output[SIZE + 1];
    uint64_t seed = 11;
    for (int round = 0; round < ROUNDS; round++) {
        RpRsLiNotes plain, keyed;
        const size_t size = round % 4 ? SIZE : SIZE / 3 + (size_t)round * 7;
        FillWithBits(packed, PACKED, &seed);
        Textbook_LzHuf(packed, PACKED, expected, size);
        output[size] = 0xA5;
        assert_int_equal(
            RpRsLi_Unpack(RP_RSLI_HUFFMAN, 0, packed, PACKED, output, size, work, &plain, NULL),
            RP_OK);
        assert_memory_equal(output, expected, size);
        assert_int_equal(output[size], 0xA5);
        RpRsLiCipher cipher = RpRsLiCipher_Start(0x4711);
        RpRsLiCipher_Apply(&cipher, packed, PACKED, packed);
        assert_int_equal(RpRsLi_Unpack(RP_RSLI_XOR_HUFFMAN, 0x4711, packed, PACKED, output, size,
                                       work, &keyed, NULL),
                         RP_OK);
        assert_memory_equal(output, expected, size);
        assert_int_equal(keyed.consumed, plain.consumed);
        /* Both decoders need exactly the bytes that they consumed: no byte more, and not one
         * less. */
        RpRsLiCipher_Apply(&(RpRsLiCipher){.low = 0x11, .high = 0x47}, packed, PACKED, packed);
        assert_int_equal(RpRsLi_Unpack(RP_RSLI_HUFFMAN, 0, packed, (size_t)plain.consumed, output,
                                       size, work, NULL, NULL),
                         RP_OK);
        assert_int_equal(RpRsLi_Unpack(RP_RSLI_HUFFMAN, 0, packed, (size_t)plain.consumed - 1,
                                       output, size, work, NULL, NULL),
                         RP_CORRUPT);
    }
}

TEST(AnyBytesAreDecodedAsByTheTextbook) {
    enum { SIZE = 60000, PACKED = 2 * SIZE, ROUNDS = 20 }; /* nine bytes are eight at least */
    static uint8_t packed[PACKED], expected[SIZE], output[SIZE];
    uint64_t seed = 13;
    for (int round = 0; round < ROUNDS; round++) {
        const size_t size = SIZE - (size_t)round * 7;
        FillWithBits(packed, PACKED, &seed);
        Textbook_Lzss(packed, PACKED, expected, size);
        assert_int_equal(
            RpRsLi_Unpack(RP_RSLI_LZSS, 0, packed, PACKED, output, size, work, NULL, NULL), RP_OK);
        assert_memory_equal(output, expected, size);
        memset(output, 0, size);
        RpRsLiCipher cipher = RpRsLiCipher_Start(0x4711);
        RpRsLiCipher_Apply(&cipher, packed, PACKED, packed);
        assert_int_equal(
            RpRsLi_Unpack(RP_RSLI_XOR_LZSS, 0x4711, packed, PACKED, output, size, work, NULL, NULL),
            RP_OK);
        assert_memory_equal(output, expected, size);
    }
}

/* Noise, of which hardly anything repeats, makes enough symbols for the weights to be halved many
 * times. Long runs between make one symbol overtake the heaviest nodes. */
TEST(ManySymbolsAreDecodedAsByTheTextbook) {
    enum { SIZE = 1500000 };
    static uint8_t input[SIZE], output[SIZE];
    uint64_t seed = 12;
    uint32_t run = 0;
    for (uint32_t i = 0; i < SIZE; i++) {
        Random_Lcg64(&seed);
        if (run == 0 && seed >> 52 == 0)
            run = (uint32_t)(seed >> 20) % 36000;
        input[i] = run ? 'r' : (uint8_t)(seed >> 40);
        run -= run > 0;
    }
    OWNED(RpBuffer) packed = {0};
    assert_int_equal(RpRsLi_Pack(RP_RSLI_HUFFMAN, 0, input, SIZE, &packed, NULL), RP_OK);
    Textbook_LzHuf(packed.bytes, packed.size, output, SIZE);
    assert_memory_equal(output, input, SIZE);
    memset(output, 0, SIZE);
    assert_int_equal(RpRsLi_Unpack(RP_RSLI_HUFFMAN, 0, packed.bytes, packed.size, output, SIZE,
                                   work, NULL, NULL),
                     RP_OK);
    assert_memory_equal(output, input, SIZE);
}

/* Returns the size that a greedy encoder needs, which the game's tools surely had. */
static size_t GreedyLzssSize(const uint8_t *bytes, size_t size) {
    size_t bits = 0;
    for (size_t at = 0; at < size;) {
        size_t best = 0;
        for (size_t distance = 1; distance <= 4078; distance++) {
            size_t length = 0;
            while (length < 18 && at + length < size &&
                   (at + length >= distance ? bytes[at + length - distance] : ' ') ==
                       bytes[at + length])
                length++;
            best = length > best ? length : best;
        }
        bits += best >= 3 ? 17 : 9;
        at += best >= 3 ? best : 1;
    }
    return (bits + 7) / 8;
}

TEST(LzssIsNeverLongerThanGreedy) {
    static const char *const names[] = {"TEXT-9000", "RAMP-9000", "ECHO-9000", "SPACE-9000",
                                        "RUN-4097"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        OWNED(Input) input = InputOf(names[i]);
        OWNED(RpBuffer) packed = {0};
        assert_int_equal(RpRsLi_Pack(RP_RSLI_LZSS, 0, input.bytes, input.size, &packed, NULL),
                         RP_OK);
        assert_true(packed.size <= GreedyLzssSize(input.bytes, input.size));
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST(ARefusedAllocationIsSaidAndNothingLeaks) {
    OWNED(Input) input = InputOf("NOISE-9000");
    for (size_t i = 0; i < METHODS; i++) {
        RpStatus status = RP_NO_MEMORY;
        for (int nth = 0; status != RP_OK; nth++) {
            Refusal refusal = {.left = nth, .once = true};
            const RpAllocator allocator = Refusal_Allocator(&refusal);
            RpBuffer packed;
            RpBuffer_Init(&packed, &allocator);
            status = RpRsLi_Pack(methods[i], 7, input.bytes, input.size, &packed, NULL);
            assert_true(status == RP_OK || status == RP_NO_MEMORY);
            assert_true(status == RP_OK || packed.size == 0);
            assert_true(nth < 40);
            RpBuffer_Free(&packed);
            assert_int_equal(refusal.live, 0);
        }
    }
}

TEST(PackedBytesAreAppended) {
    OWNED(RpBuffer) packed = {0};
    RpBuffer_AppendText(&packed, "before");
    assert_int_equal(RpRsLi_Pack(RP_RSLI_XOR_LZSS, 1, "ABC", 3, &packed, NULL), RP_OK);
    static const uint8_t expected[] = {'b', 'e', 'f', 'o', 'r', 'e', 0x05, 0x47, 0x49, 0x5D};
    assert_int_equal(packed.size, sizeof expected);
    assert_memory_equal(packed.bytes, expected, sizeof expected);
    assert_int_equal(RpRsLi_Pack(0x0C0, 0, "ABC", 3, &packed, NULL), RP_UNSUPPORTED);
    assert_int_equal(packed.size, sizeof expected);
}

TEST(HuffmanPacksThePublishedVector) {
    static const uint8_t expected[] = {0xE6, 0xC8, 0x00, 0x00};
    OWNED(RpBuffer) packed = {0};
    assert_int_equal(RpRsLi_Pack(RP_RSLI_HUFFMAN, 0, "AAAAAAAA", 8, &packed, NULL), RP_OK);
    assert_int_equal(packed.size, sizeof expected);
    assert_memory_equal(packed.bytes, expected, sizeof expected);
}
