/* Checks that a refusal has the expected status, place and texts. */
#ifndef RETROPOSE_TESTS_FORMATS_TEXM_REFUSED_H
#define RETROPOSE_TESTS_FORMATS_TEXM_REFUSED_H

#include "retropose/error.h"

#include "tests/test.h"

#include <string.h>

/* Fails unless the status is this one, the error says so, and its texts have these words. */
static inline void AssertRefused(RpStatus status, const RpError *error, RpStatus wanted,
                                 uint64_t offset, const char *what, const char *expected,
                                 const char *found) {
    assert_int_equal(status, wanted);
    assert_int_equal(error->status, wanted);
    assert_int_equal(error->offset, offset);
    assert_non_null(strstr(error->what, what));
    assert_string_equal(error->expected, expected);
    assert_string_equal(error->found, found);
}

#endif
