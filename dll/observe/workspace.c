#include "dll/observe/workspace.h"

#include "dll/observe/platform.h"

enum { WORKSPACES = 32 };

static Workspace workspaces[WORKSPACES];

Workspace *Workspace_Take(void) {
    for (uint32_t i = 0; i < WORKSPACES; i++) {
        Workspace *workspace = &workspaces[i];
        if (__atomic_load_n(&workspace->busy, __ATOMIC_RELAXED) ||
            __atomic_exchange_n(&workspace->busy, 1, __ATOMIC_ACQUIRE))
            continue;
        if (!workspace->call)
            workspace->call = Platform_Allocate(sizeof *workspace->call);
        if (workspace->call)
            return workspace;
        __atomic_store_n(&workspace->busy, 0, __ATOMIC_RELEASE);
        return NULL;
    }
    return NULL;
}

void Workspace_Give(Workspace *workspace) {
    if (workspace)
        __atomic_store_n(&workspace->busy, 0, __ATOMIC_RELEASE);
}

void Workspace_AwaitCommits(void) {
    for (uint32_t i = 0; i < WORKSPACES; i++)
        for (uint32_t turn = 0; __atomic_load_n(&workspaces[i].commits, __ATOMIC_ACQUIRE); turn++)
            Platform_Pause(turn);
}
