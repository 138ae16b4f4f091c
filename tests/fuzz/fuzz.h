/* What every fuzz target begins with. */
#ifndef RETROPOSE_TESTS_FUZZ_FUZZ_H
#define RETROPOSE_TESTS_FUZZ_FUZZ_H

#include "tests/owned.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* libFuzzer calls this with each input. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Ends the program, which libFuzzer reports with its input, unless `holds`. */
static inline void Insist(bool holds) {
    if (!holds)
        abort();
}

/* Copies the bytes into a block of exactly that size, so that AddressSanitizer sees any access
 * beyond it. */
static inline uint8_t *Fuzz_Copy(const uint8_t *from, size_t size) {
    uint8_t *bytes = malloc(size ? size : 1);
    Insist(bytes != NULL);
    if (size > 0)
        memcpy(bytes, from, size);
    return bytes;
}

#endif
