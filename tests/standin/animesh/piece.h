/* Layouts that the animation functions read (facts/animesh.md D.1 to D.3), and how they reach what
 * Ngi32.dll supplies. */
#ifndef RETROPOSE_STANDIN_PIECE_H
#define RETROPOSE_STANDIN_PIECE_H

#include "../arithmetic.h"

#define PIECE_NODE    8
#define PIECE_VARIANT 0x1C
#define PIECE_READER  0x12C

#define READER_NODES       0
#define READER_HEADER      0x04
#define READER_SLOTS       0x08
#define READER_KEYS        0x18
#define READER_FRAME_MAP   0x1C
#define READER_STRINGS     0x20
#define READER_FRAME_COUNT 0x9C

#define NODE_STRIDE    38
#define NODE_MAP_START 4
#define NODE_FALLBACK  6
#define NODE_SLOTS     8
#define NO_INDEX       0xFFFF

#define SLOT_STRIDE 68

#define KEY_STRIDE   24
#define KEY_TIME     12
#define KEY_ROTATION 16

/* The table is imported as data: its address is read out of the import table on each call. */
.macro fast_proc convention, slot, arguments:vararg
    mov eax, [__imp__g_FastProc]
    invoke \convention, [eax+4*\slot], \arguments
.endm

#endif
