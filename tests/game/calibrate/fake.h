/* Plays originals for tests: the library under secret readings, with or without a fault of its
 * own. */
#ifndef RETROPOSE_TESTS_GAME_CALIBRATE_FAKE_H
#define RETROPOSE_TESTS_GAME_CALIBRATE_FAKE_H

#include "game/calibrate/calibrate.h"
#include "tracefile/tracefile.h"

typedef struct Fake {
    RpReadings secret;
    /* the provider that runs it; null stands for the library in this process */
    const Provider *provider;
    const ProviderOptions *options;
    const RpReadings *x87; /* other readings of the generic and FXCH builds, or null */
    const char *faulty;    /* key of a function whose results are spoilt, or null */
    uint64_t spoilt_from;  /* calls with lower sequence numbers are not spoilt */
    bool only_words;       /* spoilt only under control words other than the game's */
    const char *crashing;  /* key of a function that crashes, or null */
    bool returns_once;     /* the first call returns, but leaves a wrong stack pointer */
    /* after this number of crashes in a run, nothing else is called; 0 stands for no limit */
    uint32_t most_crashes;
    const char *missing; /* key of a function that the original lacks, or null */
    bool no_builds;      /* it has no builds at the published addresses */
    unsigned runs;
    uint64_t calls;
} Fake;

void Fake_Init(Fake *fake, const char *readings);
/* Has the type CalibrateAsk. */
RpStatus Fake_Ask(void *fake, const char *input, const char *output, RpError *error);

/* Makes a recording: `count` calls of a scenario with the fake's answers, under a build of the
 * slots (null means that of the processor's class). `keep`, which may be null, chooses among the
 * calls. */
typedef bool KeepCall(void *context, const TraceReader *reader, const TraceCall *call);
void Fake_Record(Fake *fake, const char *scenario, uint64_t seed, uint64_t count,
                 const char *slot_build, KeepCall *keep, void *context, const char *path);

/* Makes an empty folder of this process. Folder_Drop deletes it if it is empty. */
void Folder_Make(const char *name, char *path, size_t size);
void Folder_Drop(const char *path);

#endif
