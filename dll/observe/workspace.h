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

/* Returns null where all are in use, or where memory for one is short. */
Workspace *Workspace_Take(void);
/* Null is fine. */
void Workspace_Give(Workspace *workspace);
/* Returns when no thread uses a recorder any more whose pointer was removed before. */
void Workspace_AwaitCommits(void);

#endif
