/* Draws the circumstances under which a composed call is made by the core and by the reference. */
#ifndef RETROPOSE_REPLAY_COMPOSED_COMPOSED_CALL_H
#define RETROPOSE_REPLAY_COMPOSED_COMPOSED_CALL_H

#include "replay/composed/rounding.h"
#include "replay/scenario/values.h"
#include "retropose/arithmetic.h"

#include <stdbool.h>

enum {
    COMPOSED_GAMES_WORD = 0x007F,
    COMPOSED_STANDARD = 0x1F80,
    COMPOSED_TOWARD_ZERO = 0x7F80,
    COMPOSED_ZERO_DIVIDE_MASK = 0x0200
};

/* How one call is made by the core and by the reference. `rounding` and `reference` are what the
 * thread has. Half of the calls of the core ask for a control word of their own, and must then not
 * look at the thread's. */
typedef struct ComposedCall {
    Rounding rounding, reference;
    RpArithmetic settings, reference_settings;
} ComposedCall;

/* Draws a build, readings, a control word and an MXCSR. */
ComposedCall ComposedCall_Draw(Random *random);

#endif
