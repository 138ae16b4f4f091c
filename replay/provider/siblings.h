/* Serves the functions of exports/siblings.abi.h for the native provider. `in` and `out` are a
 * call's inputs and outputs as a trace lays them out. The functions return false where such a call
 * is not possible. */
#ifndef RETROPOSE_REPLAY_PROVIDER_SIBLINGS_H
#define RETROPOSE_REPLAY_PROVIDER_SIBLINGS_H

#include "retropose/ani.h"
#include "retropose/sequencer.h"
#include "tracefile/tracefile.h"

typedef struct SiblingResources {
    uint32_t id; /* the id of the memory with the animations */
    bool good;
    RpAcAnimation *animations;
    RpAcMotionTable *tables;
    uint32_t animation_count, table_count;
} SiblingResources;

/* What was made from the memories that the last calls named. Zeros are a valid beginning. */
typedef struct Siblings {
    const TraceReader *reader;
    uint32_t ani_id; /* the id of the memory of `ani`, if has_ani is set */
    bool has_ani;
    RpAni ani;
    SiblingResources resources;
} Siblings;

void Siblings_Free(Siblings *siblings);

bool Siblings_AniLocal(Siblings *siblings, const float *in, float *out);
bool Siblings_AniWorld(Siblings *siblings, const float *in, float *out);
bool Siblings_AniCamera(Siblings *siblings, const float *in, float *out);
bool Siblings_AniVisible(Siblings *siblings, const float *in, float *out);

void Siblings_FreeResources(SiblingResources *resources);
bool Siblings_AcUpdate(Siblings *siblings, const float *in, float *out);
bool Siblings_AcPerform(Siblings *siblings, const float *in, float *out);

#endif
