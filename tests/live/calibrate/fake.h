/* Originals for tests: the library under secret readings, with or without a fault of its own. */
#ifndef RETROPOSE_TESTS_CALIBRATE_FAKE_H
#define RETROPOSE_TESTS_CALIBRATE_FAKE_H

#include "live/calibrate.h"

typedef struct Fake {
    RpHypotheses secret;
    const Provider *provider; /* who runs it; null: the library of this process */
    const ProviderOptions *options;
    const char *faulty;  /* key of a function whose results are spoilt, or null */
    const char *missing; /* key of a function that it does not have, or null */
    bool no_builds;      /* no builds at the published addresses */
    bool no_sse_slots;   /* refuses everything under slot-build sse and the class with SSE */
    unsigned runs;
    uint64_t calls;
} Fake;

void Fake_Init(Fake *fake, const char *hypotheses);
/* A CalibrateAsk. */
RpStatus Fake_Ask(void *fake, const char *input, const char *output, RpError *error);

/* An empty folder of this process, deleted by Folder_Drop if it is empty. */
void Folder_Make(const char *name, char *path, size_t size);
void Folder_Drop(const char *path);

#endif
