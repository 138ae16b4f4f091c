/* Makes file operations of which the N-th fails, or at the N-th of which the process is killed. */
#ifndef RETROPOSE_TESTS_GAME_INSTALL_FAULTY_H
#define RETROPOSE_TESTS_GAME_INSTALL_FAULTY_H

#include "core/files/file_ops.h"

typedef enum Fault {
    FAULT_NONE,
    FAULT_FAIL,       /* the operation fails once, as by a lock or a bad sector */
    FAULT_FULL,       /* from this one on, nothing can be created, written or flushed */
    FAULT_KILL,       /* the process is killed before it; a write may have been half done */
    FAULT_KILL_BEHIND /* the process is killed after it */
} Fault;

typedef struct Faulty {
    Fault fault;
    unsigned at;    /* number of the operation, counting from 0 */
    unsigned count; /* number of operations so far */
    bool dead;      /* the process is killed, and nothing happens any more */
    bool hit;
    bool read_only; /* nobody can change anything in the folder */
    /* One letter for each operation that was done: c(reate) w(rite) f(lush) x (close) m(ove)
     * r(emove) s(ync). Several writes in a row are one letter. */
    char done[256];
} Faulty;

/* Returns operations that wrap the system's. A flush counts as an operation, but nothing is flushed
 * to the disk; writes are short. */
FileOps Faulty_Ops(Faulty *faulty);

#endif
