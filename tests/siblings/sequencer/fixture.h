/* Animations made for tests. Each has one part and, in every frame, one hook for both directions,
 * which names the animation by a letter. */
#ifndef RETROPOSE_TESTS_SIBLINGS_SEQUENCER_FIXTURE_H
#define RETROPOSE_TESTS_SIBLINGS_SEQUENCER_FIXTURE_H

#include "retropose/sequencer.h"

enum { FIXTURE_ANIMATIONS = 8, FIXTURE_NODES = 32, FIXTURE_LOG = 4096 };

typedef struct Fixture {
    RpAcAnimation animations[FIXTURE_ANIMATIONS];
    char letters[FIXTURE_ANIMATIONS];
    uint32_t count;
    RpSequenceNode nodes[FIXTURE_NODES];
    RpSequence sequence;
    RpAcFrame offset;
    char log[FIXTURE_LOG]; /* for example "L0 DONE C0" */
} Fixture;

void Fixture_Begin(Fixture *fixture);
void Fixture_End(Fixture *fixture);
/* Returns the animation's id. `y` gives the distances along y of the position frames, or is null
 * for none. */
uint32_t Fixture_Animation(Fixture *fixture, char letter, uint32_t frames, const float *y);
RpAcLibrary Fixture_Library(Fixture *fixture);

/* Appends an animation and demands that it worked. */
void Fixture_Append(Fixture *fixture, uint32_t id, int32_t low, int32_t high, float framerate);
/* Updates the sequence with an identity offset, which then holds the movement, and writes a log of
 * the events of this update. */
void Fixture_Update(Fixture *fixture, double quantum);
RpSequenceSink Fixture_Log; /* its context is the fixture */

#endif
