/* What the kinds of composed calls share: the models and random numbers that they draw from, and
 * how a difference is counted and described. */
#ifndef RETROPOSE_REPLAY_COMPOSED_KINDS_H
#define RETROPOSE_REPLAY_COMPOSED_KINDS_H

#include "replay/composed/composed_call.h"
#include "replay/composed/composed_report.h"
#include "retropose/pose.h"

/* Skeletons of the corpus, kept while a shard runs. Their bytes may be damaged for a while. */
enum { COMPOSED_MODELS = 24 };
typedef struct ComposedModel {
    RpBuffer image;
    RpSkeleton skeleton;
} ComposedModel;

typedef struct Composed {
    ComposedReport *report;
    ComposedModel models[COMPOSED_MODELS];
    uint32_t model_count;
    uint64_t seed, block;
    Random random;
} Composed;

void Composed_Count(Composed *composed, ComposedKind kind, int path, uint64_t calls,
                    uint64_t by_core);
/* Counts a difference. Returns the buffer in which to describe it if it is the first one, and
 * otherwise null. */
RpBuffer *Composed_Differs(Composed *composed, ComposedKind kind, int path,
                           const ComposedCall *call, RpBuffer *text);
/* Ends the description that Composed_Differs began. */
void Composed_Describe(Composed *composed, RpBuffer *text);
void Composed_PrintWords(RpBuffer *text, const char *name, const void *words, int count);

/* Each of these makes at least the given number of calls of its kinds. */
void Composed_Slerps(Composed *composed, uint32_t calls);
void Composed_Poses(Composed *composed, uint32_t calls);
RpStatus Composed_Objects(Composed *composed, uint32_t poses, uint32_t queries);

#endif
