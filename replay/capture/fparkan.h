/* Poses out of a trace as fparkan's capture schema wants them: JSON lines, one a call of SampleNode
 * (docs/use/other-projects.md; facts/published.md 3.1). */
#ifndef RETROPOSE_REPLAY_CAPTURE_FPARKAN_H
#define RETROPOSE_REPLAY_CAPTURE_FPARKAN_H

#include "retropose/memory.h"
#include "tracefile/trace.h"

/* Modules whose SHA-256 the schema asks for in addition to AniMesh's, which the trace has. */
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
    const char *mission;   /* within the game's folder; may be empty */
    const char *tool;      /* name, version and revision of this program */
    char sha256[FPARKAN_MODULES][65]; /* empty where it is not known */
} FparkanOptions;

typedef struct FparkanCapture {
    const TraceReader *trace;
    const FparkanOptions *options;
    struct Native *native;
    uint64_t written, left_out; /* calls of SampleNode */
    char animesh[65], ngi32[65], provider[32], processor[128];
} FparkanCapture;

/* Begins with an open trace, which must outlive the capture. RP_NO_MEMORY. */
RpStatus FparkanCapture_Begin(FparkanCapture *capture, const TraceReader *trace,
                              const FparkanOptions *options, RpError *error);
void FparkanCapture_End(FparkanCapture *capture);

/* Returns null if the lines are evidence about the game: an original answered, whose Ngi32.dll is
 * the published build, all modules are hashed, and those of which builds are published are such.
 * Otherwise returns the reason, which each line gives. No build of AniMesh.dll or of Effect.dll is
 * published. */
const char *FparkanCapture_WhyInformational(const FparkanCapture *capture);

/* Appends the line of a call, unless it is of another function. Calls of SampleNode are left out,
 * and counted, that did not return, whose model is not in the trace, or that have numbers for which
 * JSON has no word: a time or a pose that is not finite. */
RpStatus FparkanCapture_Call(FparkanCapture *capture, const TraceCall *call, RpBuffer *lines,
                             RpError *error);

#endif
