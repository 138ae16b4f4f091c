/* Tests the vectors of facts/formats.md B.2 to B.7: the cipher and the decoders, on valid and on
 * invalid streams. */
#include "retropose/rsli.h"
#include "tests/test.h"
#include "work.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Input and output are blocks of their own, so that a sanitizer notices every access outside of
 * them. */
static RpStatus Unpack(uint32_t method, uint32_t key, const void *packed, size_t packed_size,
                       uint8_t *output, size_t size, RpRsLiNotes *notes, RpError *error) {
    HEAP uint8_t *input = malloc(packed_size + 1), *unpacked = malloc(size + 1);
    assert_non_null(input);
    assert_non_null(unpacked);
    memcpy(input + 1, packed, packed_size); /* placed at the end of the block */
    RpStatus status =
        RpRsLi_Unpack(method, key, input + 1, packed_size, unpacked + 1, size, work, notes, error);
    memcpy(output, unpacked + 1, size);
    return status;
}

typedef struct Vector {
    const char *what;
    uint32_t method, key;
    uint8_t packed[12];
    size_t packed_size;
    const char *unpacked;
} Vector;

static const Vector vectors[] = {
    {"stored", RP_RSLI_STORED, 0, "abc", 3, "abc"},
    {"xor", RP_RSLI_XOR, 0x1234, {0x7A, 0x86, 0xB2, 0x8C}, 4, "\0\1\2\3"},
    {"literals", RP_RSLI_LZSS, 0, {0x07, 'A', 'B', 'C'}, 4, "ABC"},
    {"a match across the end of the ring", RP_RSLI_LZSS, 0, {0x00, 0xFF, 0xF1}, 3, "    "},
    {"a match on itself", RP_RSLI_LZSS, 0, {0x03, 'a', 'b', 0xEE, 0xF1}, 5, "ababab"},
    {"a match cut short", RP_RSLI_LZSS, 0, {0x03, 'a', 'b', 0xEE, 0xF1}, 5, "abab"},
    {"spaces from the beginning", RP_RSLI_LZSS, 0, {0x00, 0x00, 0x00}, 3, "   "},
    {"xor, then lzss", RP_RSLI_XOR_LZSS, 1, {0x05, 0x47, 0x49, 0x5D}, 4, "ABC"},
    {"one symbol", RP_RSLI_HUFFMAN, 0, {0x00}, 1, "t"},
    {"a literal and a match", RP_RSLI_HUFFMAN, 0, {0xE6, 0xC8, 0x00, 0x00}, 4, "AAAAAAAA"},
    {"xor, then one symbol", RP_RSLI_XOR_HUFFMAN, 1, {0x02}, 1, "t"},
    {"a stored block", RP_RSLI_DEFLATE, 0, {1, 3, 0, 0xFC, 0xFF, 'r', 'a', 'w'}, 8, "raw"},
    {"a block of fixed codes", RP_RSLI_DEFLATE, 0, {0x4B, 0x4C, 0x4A, 0x06, 0x00}, 5, "abc"},
};

enum { VECTORS = sizeof vectors / sizeof *vectors };

static size_t UnpackedSize(const Vector *vector) {
    return vector->method == RP_RSLI_XOR ? 4 : strlen(vector->unpacked);
}

TEST(EveryVectorUnpacks) {
    for (size_t i = 0; i < VECTORS; i++) {
        const Vector *vector = &vectors[i];
        uint8_t output[16];
        RpRsLiNotes notes;
        size_t size = UnpackedSize(vector);
        RpStatus status = Unpack(vector->method, vector->key, vector->packed, vector->packed_size,
                                 output, size, &notes, NULL);
        if (status || memcmp(output, vector->unpacked, size) != 0)
            fail_msg("%s", vector->what);
        assert_int_equal(notes.consumed, vector->packed_size);
    }
}

TEST(EveryVectorCutShortEndsEarly) {
    for (size_t i = 0; i < VECTORS; i++)
        for (size_t cut = 0; cut < vectors[i].packed_size; cut++) {
            const Vector *vector = &vectors[i];
            uint8_t output[16];
            RpError error = {.status = RP_OK};
            Unpack(vector->method, vector->key, vector->packed, cut, output, UnpackedSize(vector),
                   NULL, &error);
            assert_int_equal(error.status, RP_CORRUPT);
            assert_int_equal(error.offset, cut);
            assert_string_equal(error.what, "the packed data ends early");
        }
}

TEST(BytesBehindTheStreamAreLeftAlone) {
    for (size_t i = 0; i < VECTORS; i++) {
        const Vector *vector = &vectors[i];
        uint8_t output[16], longer[16] = {0};
        RpRsLiNotes notes;
        if (vector->key) /* under a key the last byte is not zero, which does not matter */
            continue;
        memcpy(longer, vector->packed, vector->packed_size);
        assert_int_equal(Unpack(vector->method, 0, longer, vector->packed_size + 3, output,
                                UnpackedSize(vector), &notes, NULL),
                         RP_OK);
        assert_int_equal(notes.consumed, vector->packed_size);
    }
}

static void AssertKeystream(uint32_t key, const uint8_t *expected, size_t size) {
    static const uint8_t zeros[16];
    uint8_t stream[16];
    RpRsLiCipher cipher = RpRsLiCipher_Start(key);
    for (size_t i = 0; i < size; i++) /* a byte at a time: the state runs on */
        RpRsLiCipher_Apply(&cipher, zeros, 1, stream + i);
    assert_memory_equal(stream, expected, size);
}

TEST(TheCipherGivesThePublishedStreams) {
    static const uint8_t of_1234[] = {0x7A, 0x87, 0xB0, 0x8F, 0xE6, 0x56, 0xB7, 0xD4,
                                      0x21, 0x27, 0x5B, 0xE7, 0x01, 0x64, 0x9F, 0x8A};
    static const uint8_t of_5678[] = {0xA6, 0xC1, 0x05, 0x4C};
    static const uint8_t of_1[] = {0x02, 0x06, 0x0B, 0x1E, 0x26, 0x67, 0xBC, 0xFD,
                                   0x45, 0x90, 0xBD, 0x89, 0xE2, 0x5E, 0xAF, 0xF8};
    static const uint8_t of_0[16];
    AssertKeystream(0x1234, of_1234, sizeof of_1234);
    AssertKeystream(0xABCD1234, of_1234, sizeof of_1234); /* the low 16 bits only */
    AssertKeystream(0x5678, of_5678, sizeof of_5678);
    AssertKeystream(1, of_1, sizeof of_1);
    AssertKeystream(0, of_0, sizeof of_0);
}

/* Applies the cipher as facts/formats.md B.2 defines it. */
static void ApplyPlainly(uint32_t key, const uint8_t *input, size_t size, uint8_t *output) {
    uint8_t low = (uint8_t)key, high = (uint8_t)(key >> 8);
    for (size_t i = 0; i < size; i++) {
        low = (uint8_t)(high ^ low << 1);
        output[i] = input[i] ^ low;
        high = (uint8_t)(low ^ high >> 1);
    }
}

enum { CIPHER_MOST = 70, CIPHER_ALIGNMENTS = 16 };

static void FillInput(uint8_t *input, size_t size) {
    for (size_t i = 0; i < size; i++)
        input[i] = (uint8_t)(i * 37 + 11);
}

/* Also applies it in place, from every address, and demands that nothing behind the end is
 * touched. */
TEST(TheCipherIsThePlainOneForAllLengthsAndAlignments) {
    uint8_t input[CIPHER_MOST + 1], plain[CIPHER_MOST];
    uint8_t output[CIPHER_MOST + CIPHER_ALIGNMENTS + 1];
    FillInput(input, sizeof input);
    for (uint32_t key = 1; key < 0x10000; key += 0x0F1D)
        for (size_t size = 0; size <= CIPHER_MOST; size++)
            for (size_t at = 0; at < CIPHER_ALIGNMENTS; at++) {
                RpRsLiCipher cipher = RpRsLiCipher_Start(key), again = cipher;
                ApplyPlainly(key, input, size, plain);
                memset(output, 0xA5, sizeof output);
                RpRsLiCipher_Apply(&cipher, input, size, output + at);
                assert_memory_equal(output + at, plain, size);
                assert_int_equal(output[at + size], 0xA5);
                RpRsLiCipher_Apply(&again, output + at, size, output + at);
                assert_memory_equal(output + at, input, size);
                assert_memory_equal(&again, &cipher, sizeof cipher);
            }
}

/* Applies the cipher in two calls, which meet at any place. */
TEST(TheCipherIsThePlainOneForAllKeys) {
    uint8_t input[CIPHER_MOST], plain[CIPHER_MOST], output[CIPHER_MOST];
    FillInput(input, sizeof input);
    for (uint32_t key = 0; key < 0x10000; key++) {
        RpRsLiCipher cipher = RpRsLiCipher_Start(key);
        const size_t first = key % CIPHER_MOST;
        ApplyPlainly(key, input, sizeof input, plain);
        RpRsLiCipher_Apply(&cipher, input, first, output);
        RpRsLiCipher_Apply(&cipher, input + first, sizeof input - first, output + first);
        assert_memory_equal(output, plain, sizeof plain);
    }
}

/* Long inputs are processed in pieces, each of which depends on the bytes before it. From every
 * state, the bytes and the state after them must be the plain ones, in two calls, of which the
 * first is in place. */
TEST(TheCipherIsThePlainOneForLongInputs) {
    static uint8_t input[6000], plain[sizeof input], output[sizeof input + 1];
    FillInput(input, sizeof input);
    for (uint32_t key = 0; key < 0x10000; key++) {
        RpRsLiCipher cipher = RpRsLiCipher_Start(key);
        const size_t first = 900 + key % 2600, size = first + key % 1501;
        ApplyPlainly(key, input, size, plain);
        memcpy(output, input, first);
        output[size] = 0xA5;
        RpRsLiCipher_Apply(&cipher, output, first, output);
        RpRsLiCipher_Apply(&cipher, input + first, size - first, output + first);
        assert_memory_equal(output, plain, size);
        assert_int_equal(output[size], 0xA5);
    }
}

TEST(MethodsHaveNames) {
    static const uint32_t methods[] = {0x000, 0x020, 0x040, 0x060, 0x080, 0x0A0, 0x100};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const char *name = RpRsLiMethod_Name(methods[i] | 0xFE1F);
        assert_non_null(name);
        assert_int_equal(RpRsLiMethod_Parse(name), methods[i]);
        assert_int_equal(RpRsLiMethod_HasKey(methods[i]), (methods[i] & 0x20) != 0);
    }
    assert_null(RpRsLiMethod_Name(0x0C0));
    assert_null(RpRsLiMethod_Name(0x120));
    assert_false(RpRsLiMethod_HasKey(0x120));
    assert_int_equal(RpRsLiMethod_Parse("lzs"), -1);
    assert_int_equal(RpRsLiMethod_Parse("lzss+"), -1);
    assert_int_equal(RpRsLiMethod_MostUnpacked(0x0C0, 1000), 0);
}

TEST(UnknownMethodsAreRefused) {
    for (uint32_t method = 0; method < 0x200; method += 0x20) {
        uint8_t output[1];
        if (!RpRsLiMethod_Name(method))
            assert_int_equal(Unpack(method, 0, "abc", 3, output, 1, NULL, NULL), RP_UNSUPPORTED);
    }
}

TEST(AWrappedDeflateStreamIsRefused) {
    static const uint8_t wrapped[] = {0x78, 0x01, 0x4B, 0x4C, 0x4A, 0x06,
                                      0x00, 0x02, 0x4D, 0x01, 0x27};
    uint8_t output[3];
    RpError error;
    assert_int_equal(Unpack(RP_RSLI_DEFLATE, 0, wrapped, sizeof wrapped, output, 3, NULL, &error),
                     RP_CORRUPT);
    assert_string_equal(error.what, "not a raw Deflate stream");
    assert_string_equal(error.found, "a zlib wrapper?");
}

TEST(ADeflateStreamOfAnotherSizeIsRefused) {
    static const uint8_t abc[] = {0x4B, 0x4C, 0x4A, 0x06, 0x00};
    uint8_t output[4];
    RpError error;
    assert_int_equal(Unpack(RP_RSLI_DEFLATE, 0, abc, sizeof abc, output, 2, NULL, &error),
                     RP_CORRUPT);
    assert_string_equal(error.what, "the packed data unpacks to more bytes than declared");
    assert_int_equal(Unpack(RP_RSLI_DEFLATE, 0, abc, sizeof abc, output, 4, NULL, &error),
                     RP_CORRUPT);
    assert_string_equal(error.what, "the packed data unpacks to fewer bytes than declared");
}

TEST(ReadsOfTheUnfilledWindowAreCountedAsSpaces) {
    /* From ring position 0xFED one filled byte is read, and then three of the 18 that the game does
     * not fill. What is written after them goes to 0xFEE. From 0xFF2 three unfilled bytes are
     * read. */
    static const uint8_t packed[] = {0x00, 0xED, 0xF1, 0xF2, 0xF0};
    uint8_t output[7];
    RpRsLiNotes notes;
    assert_int_equal(Unpack(RP_RSLI_LZSS, 0, packed, sizeof packed, output, 7, &notes, NULL),
                     RP_OK);
    assert_memory_equal(output, "       ", 7);
    /* The first match reads 0xFEE to 0xFF0 after it has itself written 0xFEE to 0xFF1. */
    assert_int_equal(notes.unwritten_window, 3);
}
