/* Writes poses out of a trace as fparkan's capture schema wants them: as JSON lines, one for each
 * call of SampleNode (docs/use/other-projects.md; facts/published.md 3.1). */
#ifndef RETROPOSE_REPLAY_CAPTURE_FPARKAN_H
#define RETROPOSE_REPLAY_CAPTURE_FPARKAN_H

#include "retropose/memory.h"
#include "tracefile/tracefile.h"

/* The modules whose SHA-256 the schema asks for in addition to AniMesh's, which the trace has. */
typedef enum FparkanModule {
    FPARKAN_WORLD3D,
    FPARKAN_TERRAIN,
    FPARKAN_EFFECT,
    FPARKAN_MODULES
} FparkanModule;
/* Returns "World3D.dll", "Terrain.dll" or "Effect.dll". */
const char *FparkanModule_Name(FparkanModule module);

typedef struct FparkanOptions {
    const char *game_part; /* part1 or part2, because the two parts' AniMesh.dll differ */
    const char *mission;   /* a path within the game's folder; may be empty */
    const char *tool;      /* name, version and revision of this program */
    char sha256[FPARKAN_MODULES][65]; /* empty where the sum is not known */
} FparkanOptions;

typedef struct FparkanCapture {
    const TraceReader *trace;
    const FparkanOptions *options;
    struct Native *native;
    uint64_t written, left_out; /* numbers of calls of SampleNode */
    char animesh[65], ngi32[65], provider[32], processor[128];
} FparkanCapture;

/* Begins with an open trace, which must outlive the capture. Returns RP_NO_MEMORY where memory is
 * short. */
RpStatus FparkanCapture_Begin(FparkanCapture *capture, const TraceReader *trace,
                              const FparkanOptions *options, RpError *error);
void FparkanCapture_End(FparkanCapture *capture);

/* Returns null if the lines are evidence about the game. They are if an original answered whose
 * Ngi32.dll is the published version, if all modules are hashed, and if each module of which builds
 * are published is one of these. Otherwise returns the reason, which each line gives. No build of
 * AniMesh.dll or of Effect.dll is published. */
const char *FparkanCapture_WhyInformational(const FparkanCapture *capture);

/* Appends the line of a call, unless it is a call of another function. Three kinds of calls of
 * SampleNode are left out and counted: those that did not return, those whose model is not in the
 * trace, and those with a time or a pose that is not finite, because JSON has no word for such
 * numbers. */
RpStatus FparkanCapture_Call(FparkanCapture *capture, const TraceCall *call, RpBuffer *lines,
                             RpError *error);

#endif
