/* Animations made for tests: one part, one hook a frame in both directions, named by a letter. */
#ifndef RETROPOSE_TESTS_SEQUENCER_FIXTURE_H
#define RETROPOSE_TESTS_SEQUENCER_FIXTURE_H

#include "retropose/sequencer.h"

enum { FIXTURE_ANIMATIONS = 8, FIXTURE_NODES = 32, FIXTURE_LOG = 4096 };

typedef struct Fixture {
    RpAcAnimation animations[FIXTURE_ANIMATIONS];
    char letters[FIXTURE_ANIMATIONS];
    uint32_t count;
    RpSequenceNode nodes[FIXTURE_NODES];
    RpSequence sequence;
    RpAcFrame offset;
    char log[FIXTURE_LOG]; /* "L0 DONE C0" */
} Fixture;

void Fixture_Begin(Fixture *fixture);
void Fixture_End(Fixture *fixture);
/* Returns the id. `y`: position frames that move so far along y, or null. */
uint32_t Fixture_Animation(Fixture *fixture, char letter, uint32_t frames, const float *y);
RpAcLibrary Fixture_Library(Fixture *fixture);

/* Appends and checks that it worked. */
void Fixture_Append(Fixture *fixture, uint32_t id, int32_t low, int32_t high, float framerate);
/* Updates with an identity offset, which then holds what moved, and a log of this update's events.
 */
void Fixture_Update(Fixture *fixture, double quantum);
RpSequenceSink Fixture_Log; /* context: the fixture */

#endif
