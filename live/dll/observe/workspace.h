/* The memory in which observed calls are prepared. Each call in progress has a workspace of its
 * own; a call inside of another call, and a call of another thread, have different ones. */
#ifndef RETROPOSE_LIVE_DLL_OBSERVE_WORKSPACE_H
#define RETROPOSE_LIVE_DLL_OBSERVE_WORKSPACE_H

#include "live/dll/observe/marshal.h"

typedef struct Workspace {
    int busy;
    int commits; /* not 0: its thread may be using a recorder just now */
    Marshalled *call;
} Workspace;

/* Null when all of them are in use, or there is no memory for one. */
Workspace *Workspace_Take(void);
/* Null is allowed. */
void Workspace_Give(Workspace *workspace);
/* Returns when no thread uses a recorder whose pointer was taken away before. */
void Workspace_AwaitCommits(void);

#endif
