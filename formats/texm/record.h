/* The layout of a record MAT0 (facts/formats.md E.4). */
#ifndef RETROPOSE_FORMATS_TEXM_RECORD_H
#define RETROPOSE_FORMATS_TEXM_RECORD_H

enum {
    PHASE_BYTES = 34,
    TRACK_HEADER_BYTES = 6, /* a word of flags, and the number of keys in 16 bits */
    AT_KEY_COUNT = 4,
    KEY_BYTES = 6 /* the phase, the time and 0, in 16 bits each */
};

#endif
