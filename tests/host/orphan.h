/* What becomes of a host whose parent is killed. Not on Windows. */
#ifndef RETROPOSE_TESTS_HOST_ORPHAN_H
#define RETROPOSE_TESTS_HOST_ORPHAN_H

#include <stdbool.h>

/* Runs `run` in a process of its own, which must call `Beats` of the pair `strays`, kills that
 * process while this call is running, and returns whether the call goes on without it. `folder` is
 * made for the run, and removed with whatever is in it. */
bool Orphan_GoesOn(void (*run)(const char *folder), const char *folder);

#endif
