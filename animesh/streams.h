/* The streams of a model by their numbers, and what each contains (facts/animesh.md D.3, seed 001
 * section 5). */
#ifndef RETROPOSE_ANIMESH_STREAMS_H
#define RETROPOSE_ANIMESH_STREAMS_H

#include "animesh/records.h"

/* Types of NRes entries. The game itself calls them ResN. */
enum {
    RES_NODES = 1,
    RES_HEADER = 2, /* the model's header and the slots */
    RES_POSITIONS = 3,
    RES_NORMALS = 4,
    RES_UV0 = 5,
    RES_INDICES = 6,
    RES_TRIANGLES = 7,
    RES_KEYS = 8,
    RES_STRINGS = 10,
    RES_BATCHES = 13,
    RES_15 = 15, /* one record for each vertex; its meaning is unknown */
    RES_16 = 16, /* probably tangents and bitangents; no known model has it */
    RES_UV1 = 18,
    RES_FRAME_MAP = 19,
    RES_20 = 20 /* light probes */
};

#define NO_INDEX 0xFFFFu /* no parent, no map start or no slot */

enum { NODE_LEVELS = 5 }; /* slots of a node: [variant][level] */

#endif
