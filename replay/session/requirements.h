/* Finds out whether replay can work on this machine by doing what replay does. */
#ifndef RETROPOSE_REPLAY_SESSION_REQUIREMENTS_H
#define RETROPOSE_REPLAY_SESSION_REQUIREMENTS_H

#include "core/text/checks.h"
#include "replay/provider/provider.h"

typedef struct RequirementsOptions {
    /* folders of the original's and the replacement's pair; null if not found */
    const char *directories[2];
    ProviderEngine engine;      /* the engine that runs the pairs */
    const char *processor;      /* the processor that the machine is; null stands for this one */
    const char *host;           /* the engine's host program; null if not found */
    const char *wine_prefix;    /* null stands for the default prefix */
    WineProgress wine_progress; /* is told while the prefix is made; may be null */
    const char *work_directory; /* a folder for one small trace; null if none could be made */
    Checks *checks;             /* receives what was found */
} RequirementsOptions;

void Requirements_Check(const RequirementsOptions *options);

#endif
