/* Provides those parts of cmocka that the fixtures of tests/animesh need, for machines that have no
 * package of it. */
#ifndef RETROPOSE_TESTS_GOLDEN_CMOCKA_H
#define RETROPOSE_TESTS_GOLDEN_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>

#define print_error(...)       fprintf(stderr, __VA_ARGS__)
#define fail_msg(...)          (fprintf(stderr, __VA_ARGS__), abort())
#define assert_true(condition) ((condition) ? (void)0 : abort())
#define assert_int_equal(a, b) assert_true((a) == (b))

#endif
