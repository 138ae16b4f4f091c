/* Compares SHA-256 with the examples of FIPS 180-4 and with Python's hashlib, at all lengths around
 * a block and in pieces of all sizes. */
#include "core/digest.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static uint8_t bytes[1000];

static void InPieces(size_t size, size_t piece, char hex[DIGEST_HEX_BYTES]) {
    Digest digest;
    Digest_Begin(&digest);
    for (size_t at = 0; at < size; at += piece)
        Digest_Add(&digest, bytes + at, size - at < piece ? size - at : piece);
    Digest_End(&digest, hex);
}

TEST(TheStandardsExamplesComeOut) {
    char hex[DIGEST_HEX_BYTES];
    Digest million;
    memcpy(bytes, "abc", 3);
    InPieces(3, 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    memset(bytes, 'a', sizeof bytes);
    Digest_Begin(&million);
    for (int i = 0; i < 1000; i++)
        Digest_Add(&million, bytes, sizeof bytes);
    Digest_End(&million, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void FillBytes(void) {
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 131 + (i >> 3));
}

/* The value is hashlib.sha256 of the digests of the first 0, 1, ... 299 bytes, each as its 64
 * digits. */
TEST(EveryLengthAgreesWithPython) {
    char hex[DIGEST_HEX_BYTES];
    Digest all;
    FillBytes();
    Digest_Begin(&all);
    for (size_t size = 0; size < 300; size++) {
        Digest_OfBytes(bytes, size, hex);
        Digest_Add(&all, hex, DIGEST_HEX_BYTES - 1);
    }
    Digest_End(&all, hex);
    assert_string_equal(hex, "e43ed66279c4e686eb0441e09d80aba7dfdb81f09cbe926602455d51a8eac748");
}

TEST(PiecesOfAnySizeGiveTheSame) {
    char hex[DIGEST_HEX_BYTES];
    FillBytes();
    for (size_t piece = 1; piece < 200; piece++) {
        InPieces(sizeof bytes, piece, hex);
        assert_string_equal(hex,
                            "3a239499e07ae781dd09ea627fc2cee3a57962792480418bf432e84cc1a9f6e9");
    }
}
