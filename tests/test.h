/* What the programs of tests are written with: cmocka, and a test that runs because it is there.
 *
 *     TEST(OpensAnEmptyArchive) {
 *         assert_int_equal(...);
 *     }
 *
 * main() of tests/main.c runs all tests of a program in the order in which they stand. A program
 * whose tests need something first, or arguments, has a main() of its own, which calls Tests_Run().
 */
#ifndef RETROPOSE_TESTS_TEST_H
#define RETROPOSE_TESTS_TEST_H

/* cmocka.h needs the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct TestCase {
    struct CMUnitTest test;
    const char *file;
    int line;
} TestCase;

void Tests_Add(TestCase *test);

/* Runs the tests of the program, and returns how many failed. */
int Tests_Run(void);

/* What is called around all tests together, and around each that has nothing of its own. These are
 * written once in a program, outside of functions. */
void Tests_AroundAll(CMFixtureFunction setup, CMFixtureFunction teardown);
void Tests_AroundEach(CMFixtureFunction setup, CMFixtureFunction teardown);

#define TEST_BEFORE_MAIN(name) __attribute__((constructor)) static void name(void)

#define TEST_WITH(name, setup, teardown)                                                           \
    static void name(void **state);                                                                \
    TEST_BEFORE_MAIN(Add##name) {                                                                  \
        static TestCase test = {{#name, name, setup, teardown, NULL}, __FILE__, __LINE__};         \
        Tests_Add(&test);                                                                          \
    }                                                                                              \
    static void name(__attribute__((unused)) void **state)

#define TEST(name) TEST_WITH(name, NULL, NULL)

#define AROUND_ALL(setup, teardown)                                                                \
    TEST_BEFORE_MAIN(SetAroundAll) {                                                               \
        Tests_AroundAll(setup, teardown);                                                          \
    }
#define AROUND_EACH(setup, teardown)                                                               \
    TEST_BEFORE_MAIN(SetAroundEach) {                                                              \
        Tests_AroundEach(setup, teardown);                                                         \
    }

#endif
