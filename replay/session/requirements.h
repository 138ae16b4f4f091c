/* Finds out whether replay can work on this machine by doing what replay does. */
#ifndef RETROPOSE_REPLAY_SESSION_REQUIREMENTS_H
#define RETROPOSE_REPLAY_SESSION_REQUIREMENTS_H

#include "core/text/checks.h"
#include "replay/provider/provider.h"

typedef struct RequirementsOptions {
    const char *directories[2]; /* of the original's and the replacement's pair; null: not found */
    ProviderEngine engine;      /* that runs the pairs */
    const char *processor;      /* that the machine is; null: this one */
    const char *host;           /* of the engine; null: not found */
    const char *wine_prefix;    /* null: the default */
    WineProgress wine_progress; /* told while that is made; may be null */
    const char *work_directory; /* for one small trace; null: none could be made */
    Checks *checks;             /* that are told what was found */
} RequirementsOptions;

void Requirements_Check(const RequirementsOptions *options);

#endif
