/* Small made-up files of the siblings' formats: a bird for LEGO Island, and a table of motions with
 * its animations for Asheron's Call. No file of a game may be published, so a reader without a game
 * tries the command on these (`retropose gen samples`). They keep every rule of `ani check` and
 * `ac check`, and have the same bytes on every machine, because all their numbers are written out.
 */
#ifndef RETROPOSE_SIBLINGS_SAMPLES_SAMPLES_H
#define RETROPOSE_SIBLINGS_SAMPLES_SAMPLES_H

#include "retropose/memory.h"

typedef struct Sample {
    const char *name; /* name of the file, such as "bird.ani" */
    const char *what; /* what it holds: a phrase without a full stop */
    /* appends the bytes of the file */
    RpStatus (*make)(RpBuffer *image, RpError *error);
} Sample;

enum { SAMPLES = 6 };
extern const Sample samples[SAMPLES];

/* ---- what makes them (bird.c, sample_walk.c) ------------------------------------------------- */

RpStatus Sample_Bird(RpBuffer *image, RpError *error);
RpStatus Sample_Table(RpBuffer *image, RpError *error);
RpStatus Sample_Stand(RpBuffer *image, RpError *error);
RpStatus Sample_Walk(RpBuffer *image, RpError *error);
RpStatus Sample_Wave(RpBuffer *image, RpError *error);
RpStatus Sample_Script(RpBuffer *text, RpError *error);

#endif
