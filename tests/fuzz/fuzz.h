/* What every fuzz target begins with. */
#ifndef RETROPOSE_TESTS_FUZZ_FUZZ_H
#define RETROPOSE_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* libFuzzer calls this with each input. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Ends the program, which libFuzzer reports with its input, unless `holds`. */
static inline void Insist(bool holds) {
    if (!holds)
        abort();
}

#endif
