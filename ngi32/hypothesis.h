/* Which alternative of a hypothesis is chosen; null means the defaults. */
#ifndef RETROPOSE_NGI32_HYPOTHESIS_H
#define RETROPOSE_NGI32_HYPOTHESIS_H

#include "exports/hypotheses.h"
#include "retropose/hypotheses.h"

#include <stdbool.h>

/* Of the hypotheses of this library, which have two choices each. */
static inline bool Hypothesis_IsAlternative(const RpHypotheses *hypotheses, int index) {
    return hypotheses && hypotheses->choice[index] == 1;
}

#endif
