/* The memory in which observed calls are prepared. Each call in progress has a workspace of its
 * own; a call inside of another call, and a call of another thread, have different ones. */
#ifndef RETROPOSE_DLL_OBSERVE_WORKSPACE_H
#define RETROPOSE_DLL_OBSERVE_WORKSPACE_H

#include "dll/observe/marshal.h"

typedef struct Workspace {
    int busy;
    int commits; /* not 0: its thread may be using a recorder now */
    Marshalled *call;
} Workspace;

/* Returns null if all are in use, or if memory is short. */
Workspace *Workspace_Take(void);
/* Null is allowed. */
void Workspace_Give(Workspace *workspace);
/* Waits for all threads that may still use a recorder whose pointer was removed before. */
void Workspace_AwaitCommits(void);

#endif
