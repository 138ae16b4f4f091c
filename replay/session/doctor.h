/* Finds out whether replay can work on this machine by doing what replay does. */
#ifndef RETROPOSE_REPLAY_SESSION_DOCTOR_H
#define RETROPOSE_REPLAY_SESSION_DOCTOR_H

#include "replay/provider/provider.h"

#include <stdbool.h>

typedef struct DoctorRow {
    const char *name; /* "Wine", "processor", ... */
    bool fine;
    char found[320];
    char advice[320]; /* what to do about it; empty where all is well */
} DoctorRow;

typedef struct DoctorOptions {
    const char *directories[2]; /* of the original's and the replacement's pair; null: not found */
    ProviderEngine engine;      /* that runs the pairs */
    const char *processor;      /* that the machine is; null: this one */
    const char *host;           /* of the engine; null: not found */
    const char *wine_prefix;    /* null: the default */
    WineProgress wine_progress; /* told while that is made; may be null */
    const char *work_directory; /* for one small trace; null: none could be made */
    void (*row)(void *context, const DoctorRow *row);
    void *context;
} DoctorOptions;

/* Calls `row` for every check, in order. Returns the number of problems. */
unsigned Doctor_Run(const DoctorOptions *options);

#endif
