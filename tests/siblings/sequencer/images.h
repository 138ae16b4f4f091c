/* The resources of facts/ac-sequencer.md E.7, built by hand. */
#ifndef RETROPOSE_TESTS_SIBLINGS_SEQUENCER_IMAGES_H
#define RETROPOSE_TESTS_SIBLINGS_SEQUENCER_IMAGES_H

#include <stdint.h>

enum { ANIMATION_BYTES = 152, TABLE_BYTES = 120 };

static const uint8_t animation_image[ANIMATION_BYTES] = {
    0x34, 0x12, 0x00, 0x03, 0x03, 0, 0, 0, 0x01, 0, 0, 0, 0x02, 0, 0, 0,
    /* Two position frames, with y 1 and y 2. */
    0, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0x00, 0x40, 0, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    /* Frame 0 is at 1, 2, 3 and has a Scale hook. */
    0, 0, 0x80, 0x3f, 0, 0, 0x00, 0x40, 0, 0, 0x40, 0x40, 0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0x01, 0, 0, 0, 0x0c, 0, 0, 0, 0x01, 0, 0, 0, 0, 0, 0x00, 0x40, 0, 0, 0x00, 0x3f,
    /* Frame 1 is at 4, 5, 6, turned by half a turn, without a hook. */
    0, 0, 0x80, 0x40, 0, 0, 0xa0, 0x40, 0, 0, 0xc0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0x80, 0x3f, 0, 0, 0, 0};

static const uint8_t table_image[TABLE_BYTES] = {
    0x34, 0x12, 0x00, 0x09, 0x3d, 0, 0, 0x80, 0x01, 0, 0, 0, 0x3d, 0, 0, 0x80, 0x03, 0, 0, 0x41,
    /* This is a cycle. */
    0x01, 0, 0, 0, 0x03, 0, 0x3d, 0, 0x01, 0, 0, 0, 0x01, 0, 0, 0x03, 0, 0, 0, 0, 0xff, 0xff, 0xff,
    0xff, 0, 0, 0xf0, 0x41,
    /* This is a modifier. */
    0x01, 0, 0, 0, 0x0d, 0, 0x3d, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xc0, 0xbf,
    /* This is a link. */
    0x01, 0, 0, 0, 0x03, 0, 0x3d, 0, 0x01, 0, 0, 0, 0x05, 0, 0, 0x45, 0x01, 0, 0x01, 0, 0x02, 0, 0,
    0x03, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0xf0, 0x41, 0, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0,
    0, 0};

#endif
