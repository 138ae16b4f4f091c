/* The memory in which unpacking works, for all tests of a program. cmocka sets it up and tears it
 * down. */
#ifndef RETROPOSE_TESTS_RSLI_WORK_H
#define RETROPOSE_TESTS_RSLI_WORK_H

#include "retropose/rsli.h"

#include <stdlib.h>

static void *work;

static int AllocateWork(void **state) {
    (void)state;
    work = malloc(RP_RSLI_WORK_BYTES);
    return work ? 0 : -1;
}

static int FreeWork(void **state) {
    (void)state;
    free(work);
    return 0;
}

#endif
