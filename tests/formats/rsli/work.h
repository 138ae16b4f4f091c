/* The memory in which unpacking works, for all tests of a program. */
#ifndef RETROPOSE_TESTS_FORMATS_RSLI_WORK_H
#define RETROPOSE_TESTS_FORMATS_RSLI_WORK_H

#include "retropose/rsli.h"
#include "tests/test.h"

#include <stdlib.h>

static void *work;

AROUND(BeforeAll) {
    work = malloc(RP_RSLI_WORK_BYTES);
    assert_non_null(work);
}

AROUND(AfterAll) {
    free(work);
}

#endif
