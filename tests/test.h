/* Provides what the programs of tests are written with: cmocka, and tests that need not be listed
 * anywhere.
 *
 *   TEST(OpensAnEmptyArchive) {
 *       assert_int_equal(...);
 *   }
 *
 * main() of tests/main.c runs all tests of a program in the order in which they stand in it. A
 * program whose tests need something first, or arguments, has a main() of its own, which calls
 * Tests_Run(). */
#ifndef RETROPOSE_TESTS_TEST_H
#define RETROPOSE_TESTS_TEST_H

#include "tests/owned.h"

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

/* Sets the functions that are called around all tests together, and around each test that has none
 * of its own. A program uses these once, outside of functions. */
void Tests_AroundAll(CMFixtureFunction setup, CMFixtureFunction teardown);
void Tests_AroundEach(CMFixtureFunction setup, CMFixtureFunction teardown);
void Tests_BeforeAll(CMFixtureFunction function);
void Tests_AfterAll(CMFixtureFunction function);
void Tests_BeforeEach(CMFixtureFunction function);
void Tests_AfterEach(CMFixtureFunction function);

#define TEST_BEFORE_MAIN(name) __attribute__((constructor)) static void name(void)

#define TEST_WITH(name, setup, teardown)                                                           \
    static void name(void **state);                                                                \
    TEST_BEFORE_MAIN(Add##name) {                                                                  \
        static TestCase test = {{#name, name, setup, teardown, NULL}, __FILE__, __LINE__};         \
        Tests_Add(&test);                                                                          \
    }                                                                                              \
    static void name(__attribute__((unused)) void **state)

#define TEST(name) TEST_WITH(name, NULL, NULL)

/* Begins a function that is called around tests: TEST_AROUND(MakeFolder) { ...; return 0; } */
#define TEST_AROUND(name) static int name(__attribute__((unused)) void **state)

/* AROUND(BeforeAll) { ... } runs before all tests of a program, and so do AfterAll, BeforeEach and
 * AfterEach at their moments. */
#define AROUND(Moment)                                                                             \
    static void Moment(void);                                                                      \
    static int Call##Moment(__attribute__((unused)) void **state) {                                \
        Moment();                                                                                  \
        return 0;                                                                                  \
    }                                                                                              \
    TEST_BEFORE_MAIN(Set##Moment) {                                                                \
        Tests_##Moment(Call##Moment);                                                              \
    }                                                                                              \
    static void Moment(void)

/* A test that runs once with each of two setups. The words after each are added to its name. */
#define TEST_TWICE(name, setup, words, other_setup, other_words, teardown)                         \
    static void name(void **state);                                                                \
    TEST_BEFORE_MAIN(Add##name) {                                                                  \
        static TestCase tests[2] = {                                                               \
            {{#name words, name, setup, teardown, NULL}, __FILE__, __LINE__},                      \
            {{#name other_words, name, other_setup, teardown, NULL}, __FILE__, __LINE__}};         \
        Tests_Add(&tests[0]);                                                                      \
        Tests_Add(&tests[1]);                                                                      \
    }                                                                                              \
    static void name(__attribute__((unused)) void **state)

#define AROUND_ALL(setup, teardown)                                                                \
    TEST_BEFORE_MAIN(SetAroundAll) {                                                               \
        Tests_AroundAll(setup, teardown);                                                          \
    }
#define AROUND_EACH(setup, teardown)                                                               \
    TEST_BEFORE_MAIN(SetAroundEach) {                                                              \
        Tests_AroundEach(setup, teardown);                                                         \
    }

#endif
