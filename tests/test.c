#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256 };

static const TestCase *cases[MOST];
static size_t case_count;
static CMFixtureFunction all_setup, all_teardown, each_setup, each_teardown;

void Tests_Add(TestCase *test) {
    if (case_count == MOST) {
        fprintf(stderr, "%s: more than %d tests in a program\n", test->file, MOST);
        abort();
    }
    cases[case_count++] = test;
}

void Tests_AroundAll(CMFixtureFunction setup, CMFixtureFunction teardown) {
    all_setup = setup;
    all_teardown = teardown;
}

void Tests_AroundEach(CMFixtureFunction setup, CMFixtureFunction teardown) {
    each_setup = setup;
    each_teardown = teardown;
}

void Tests_BeforeAll(CMFixtureFunction function) {
    all_setup = function;
}

void Tests_AfterAll(CMFixtureFunction function) {
    all_teardown = function;
}

void Tests_BeforeEach(CMFixtureFunction function) {
    each_setup = function;
}

void Tests_AfterEach(CMFixtureFunction function) {
    each_teardown = function;
}

/* Linkers differ in the order in which they call what comes before main(). */
static int Compare(const void *a, const void *b) {
    const TestCase *const *first = a, *const *second = b;
    const int files = strcmp((*first)->file, (*second)->file);
    return files ? files : (*first)->line - (*second)->line;
}

int Tests_Run(void) {
    struct CMUnitTest tests[MOST] = {0}; /* cmocka skips the empty ones */
    qsort(cases, case_count, sizeof *cases, Compare);
    for (size_t i = 0; i < case_count; i++) {
        tests[i] = cases[i]->test;
        if (!tests[i].setup_func && !tests[i].teardown_func) {
            tests[i].setup_func = each_setup;
            tests[i].teardown_func = each_teardown;
        }
    }
    if (case_count == 0) {
        fprintf(stderr, "a program without tests\n");
        return 1;
    }
    return cmocka_run_group_tests(tests, all_setup, all_teardown);
}
