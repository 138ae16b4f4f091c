/* Tests what becomes of a host whose parent is killed. Not available on Windows. */
#ifndef RETROPOSE_TESTS_REPLAY_HOST_ORPHAN_H
#define RETROPOSE_TESTS_REPLAY_HOST_ORPHAN_H

#include <stdbool.h>

/* Runs `run` in a process of its own, which must call `Beats` of the pair `strays`, kills that
 * process while this call is running, and returns whether the call goes on without it. `folder` is
 * made for the run, and removed with whatever is in it. */
bool Orphan_GoesOn(void (*run)(const char *folder), const char *folder);

/* Does the same in a machine, in which nobody can see what the guest does. `run` must make a call
 * that has no end, in hosts that keep their files in `folder`. Returns whether a process that `run`
 * has started is still there half a minute after its parent ended. */
bool Orphan_Stays(void (*run)(const char *folder), const char *folder);

#endif
