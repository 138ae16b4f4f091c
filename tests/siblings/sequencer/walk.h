/* A small motion table with its animations: two styles, three cycles in peace, links, modifiers. */
#ifndef RETROPOSE_TESTS_SIBLINGS_SEQUENCER_WALK_H
#define RETROPOSE_TESTS_SIBLINGS_SEQUENCER_WALK_H

#include "fixture.h"

enum {
    PEACE = 0x3D, /* 0x8000003D with the class bit */
    WAR = 0x3C,
    READY = 0x41000003,
    WALK = 0x45000005,
    RUN = 0x44000007,
    TURN = 0x6500000D,
    WAVE = 0x13000087,
    SWING = 0x10000062
};
#define STYLE_PEACE (RP_AC_STYLE | PEACE)
#define STYLE_WAR   (RP_AC_STYLE | WAR)
#define HOVER       0x20000011u /* used only as a modifier */

/* `image` receives the table's bytes; it may be null. */
void Walk_Make(Fixture *fixture, RpAcMotionTable *table, RpBuffer *image);

#endif
