/* The SHA-256 of our DLLs against the one that the host programs use, at all lengths around a block
 * and in pieces of all sizes, and against FIPS 180-4's own example. */
#include "live/dll/digest.h"

#include "replay/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static uint8_t bytes[1000];

static void InPieces(size_t size, size_t piece, char hex[DIGEST_HEX_BYTES]) {
    Digest digest;
    Digest_Begin(&digest);
    for (size_t at = 0; at < size; at += piece)
        Digest_Add(&digest, bytes + at, size - at < piece ? size - at : piece);
    Digest_End(&digest, hex);
}

static void TheStandardsExampleComesOut(void **state) {
    (void)state;
    char hex[DIGEST_HEX_BYTES];
    memcpy(bytes, "abc", 3);
    InPieces(3, 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static void EveryLengthAgreesWithTheLibrary(void **state) {
    (void)state;
    char hex[DIGEST_HEX_BYTES], expected[SHA256_HEX_SIZE];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 131 + (i >> 3));
    for (size_t size = 0; size < 300; size++) {
        Sha256_Hex(bytes, size, expected);
        InPieces(size, size ? size : 1, hex);
        assert_string_equal(hex, expected);
    }
}

static void PiecesOfAnySizeGiveTheSame(void **state) {
    (void)state;
    char hex[DIGEST_HEX_BYTES], expected[SHA256_HEX_SIZE];
    Sha256_Hex(bytes, sizeof bytes, expected);
    for (size_t piece = 1; piece < 200; piece++) {
        InPieces(sizeof bytes, piece, hex);
        assert_string_equal(hex, expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TheStandardsExampleComesOut),
        cmocka_unit_test(EveryLengthAgreesWithTheLibrary),
        cmocka_unit_test(PiecesOfAnySizeGiveTheSame),
    };
    return cmocka_run_group_tests_name("digest", tests, NULL, NULL);
}
