/* What the streams of a model look like (facts/animesh.md D.3, seed 001 section 5). */
#ifndef RETROPOSE_ANIMESH_STREAMS_H
#define RETROPOSE_ANIMESH_STREAMS_H

/* NRes types, called ResN in the game's own vocabulary. */
enum {
    RES_NODES = 1,
    RES_HEADER = 2, /* and the slots */
    RES_POSITIONS = 3,
    RES_NORMALS = 4,
    RES_UV0 = 5,
    RES_INDICES = 6,
    RES_TRIANGLES = 7,
    RES_KEYS = 8,
    RES_STRINGS = 10,
    RES_BATCHES = 13,
    RES_15 = 15, /* one record a vertex, meaning unknown */
    RES_16 = 16, /* tangents and bitangents, probably; in no known model */
    RES_COLOURS = 18,
    RES_FRAME_MAP = 19,
    RES_20 = 20 /* light probes */
};

#define NO_INDEX 0xFFFFu /* of a parent, a map start or a slot */

enum { NODE_BYTES = 38, NODE_BYTES_LEGACY = 24 };
enum { NODE_AT_PARENT = 2, NODE_AT_MAP_START = 4, NODE_AT_FALLBACK = 6, NODE_AT_SLOTS = 8 };
enum { NODE_LEVELS = 5 }; /* slots of a node: [variant][level] */

enum { KEY_BYTES = 24 };
enum { MAP_WORD_BYTES = 2 };

enum { HEADER_BYTES_OF_RES2 = 0x8C, SLOT_BYTES = 68 };
enum { POSITION_BYTES = 12, NORMAL_BYTES = 4, UV_BYTES = 4, INDEX_BYTES = 2 };
enum { TRIANGLE_BYTES = 16, BATCH_BYTES = 20, PROBE_BYTES = 48 };
enum { RES_15_BYTES = 8, RES_16_BYTES = 8 };

#endif
