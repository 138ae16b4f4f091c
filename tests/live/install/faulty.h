/* File operations that fail, or a process that is killed, at the N-th one. */
#ifndef RETROPOSE_TESTS_LIVE_FAULTY_H
#define RETROPOSE_TESTS_LIVE_FAULTY_H

#include "core/files/file_ops.h"

typedef enum Fault {
    FAULT_NONE,
    FAULT_FAIL,       /* the operation fails once: a lock, a bad sector */
    FAULT_FULL,       /* from this one on, nothing can be created, written or flushed */
    FAULT_KILL,       /* the process is gone before it; a write may have been half done */
    FAULT_KILL_BEHIND /* the process is gone behind it */
} Fault;

typedef struct Faulty {
    Fault fault;
    unsigned at;    /* counts from 0 */
    unsigned count; /* of operations so far */
    bool dead;      /* nothing happens any more */
    bool hit;
    bool read_only; /* nothing can be changed in the folder, by anybody */
    /* A letter for each operation that was done: c(reate) w(rite) f(lush) x (close) m(ove)
     * r(emove) s(ync); a run of writes is one. */
    char done[256];
} Faulty;

/* Over the system's, but nothing is flushed to the disk (the operation counts all the same), and
 * writes are short. */
FileOps Faulty_Ops(Faulty *faulty);

#endif
