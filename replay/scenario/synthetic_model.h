/* Makes synthetic models: NRes images of `.msh` files with every stream that AniMesh reads, and the
 * two memories that its functions are called with, the reader (ABI_READER_SIZE bytes) and the
 * pieces (ABI_PIECE_SIZE each).
 *
 * The image follows facts/formats.md A and C and is valid for a strict reader of the format,
 * whatever the specification asks for. Only *contents* that the game's own files never have can be
 * asked for: equal key times, unnormalised rotations, frame maps that name other segments.
 * SampleNode stays inside the streams of every image at every time: fallbacks lie in the key
 * stream, map blocks in the map stream, and a key below a fallback has a successor. */
#ifndef RETROPOSE_REPLAY_SCENARIO_SYNTHETIC_MODEL_H
#define RETROPOSE_REPLAY_SCENARIO_SYNTHETIC_MODEL_H

#include "exports/animesh.abi.h"
#include "tracefile/tracefile.h"

typedef enum ModelTree {
    MODEL_TREE_RANDOM,
    MODEL_TREE_CHAIN, /* each node's parent is the node before it */
    MODEL_TREE_STAR   /* each node's parent is the root */
} ModelTree;

typedef enum ModelTimes {
    MODEL_TIMES_SPARSE,    /* whole frames, with gaps                                         */
    MODEL_TIMES_DENSE,     /* a key in every frame */
    MODEL_TIMES_EQUAL,     /* like sparse, but some keys have the time of the one before */
    MODEL_TIMES_FRACTIONAL /* in sixteenths of a frame */
} ModelTimes;

typedef enum ModelRotations {
    MODEL_ROTATIONS_SMOOTH,      /* small rotations from key to key */
    MODEL_ROTATIONS_RANDOM,      /* unrelated unit quaternions                                 */
    MODEL_ROTATIONS_NEAR,        /* rotations near the slerp threshold */
    MODEL_ROTATIONS_OPPOSITE,    /* like smooth, with every other key negated */
    MODEL_ROTATIONS_ZERO,        /* like smooth, with some keys of zeros */
    MODEL_ROTATIONS_UNNORMALISED /* any four 16-bit numbers, -32768 among them */
} ModelRotations;

typedef enum ModelMap {
    MODEL_MAP_CANONICAL, /* the segment that holds the frame; from the end on the fallback key */
    /* the same, but a word above the fallback instead of the fallback itself */
    MODEL_MAP_ABOVE_FALLBACK,
    MODEL_MAP_WRONG_SEGMENT, /* any key of the track                                           */
    MODEL_MAP_RANDOM         /* any key of the model below the fallback, and any word above it */
} ModelMap;

/* The streams that a model may have or not, for ModelSpec.optional. */
enum { MODEL_RES15 = 1, MODEL_RES16 = 2, MODEL_RES18 = 4, MODEL_RES20 = 8 };

typedef struct ModelSpec {
    char name[36];        /* the name of every directory entry; at most 35 characters */
    uint32_t nodes;       /* 1 or more                                                       */
    uint32_t animated;    /* the number of nodes with a track in the frame map */
    uint32_t frame_count; /* 1 for a model without animated nodes, else at least 2 */
    /* the keys of an animated node; if times are sparse, at most one key for each frame */
    uint32_t keys_per_node;
    uint32_t slots; /* each is one quad: 4 vertices, 2 triangles, 1 batch */
    /* Instead of quads, slots are boxes of 12 triangles in 1 to 3 batches, with flags of every
     * kind on nodes, batches and triangles, and with slots in every state. */
    bool solid;
    uint32_t optional; /* bits such as MODEL_RES15 */
    bool shuffled;     /* the directory has a random order, not that of the game's files */
    bool moving;       /* all animated nodes translate, not only the first one */
    ModelTree tree;
    ModelTimes times;
    ModelRotations rotations;
    ModelMap map;
    uint64_t seed;
} ModelSpec;

typedef struct ModelStream {
    uint32_t type, attr1, attr2, attr3;
    uint32_t offset, size; /* the payload in the image, in bytes */
} ModelStream;

#define MODEL_MAX_STREAMS 18
typedef struct ModelImage {
    uint8_t *bytes;
    uint32_t size;
    uint32_t stream_count;
    ModelStream streams[MODEL_MAX_STREAMS]; /* in the order of the directory */
    uint32_t node_count, frame_count, key_count, slot_count;
} ModelImage;

/* Builds a model. Returns RP_INVALID for a specification outside of the ranges above or one that
 * 16-bit indices cannot hold, and RP_NO_MEMORY; *image is empty then. */
RpStatus ModelImage_Make(const ModelSpec *spec, ModelImage *image, RpError *error);
void ModelImage_Free(ModelImage *image);
/* Returns null where the model does not have the stream. */
const ModelStream *ModelImage_Stream(const ModelImage *image, uint32_t type);

/* The fields of a node that SampleNode reads. */
typedef struct ModelTrack {
    uint32_t map_start; /* 0xFFFF if the node has no block in the map */
    uint32_t fallback;
} ModelTrack;
ModelTrack ModelImage_Track(const ModelImage *image, uint32_t node);
/* Returns the time of a key, as bits of binary32. */
uint32_t ModelImage_KeyTime(const ModelImage *image, uint32_t key);

#define MODEL_READER_SIZE ABI_READER_SIZE
#define MODEL_PIECE_SIZE  ABI_PIECE_SIZE
/* Writes the reader over the image in memory `image_id`, as LoadReader leaves it in zeroed memory.
 * Returns the number of relocations. */
#define MODEL_READER_RELOCATIONS 22
uint32_t ModelImage_Reader(const ModelImage *image, uint32_t image_id,
                           uint8_t reader[MODEL_READER_SIZE],
                           TraceRelocation relocations[MODEL_READER_RELOCATIONS]);

/* Writes a piece for every node, with variants 0 to 2 in turn, and one more piece without a reader
 * (FindSlot gives null for it; nothing else may be called with it). `pieces` has room for
 * node_count + 1 of them, `relocations` for node_count. */
void ModelImage_Pieces(const ModelImage *image, uint32_t reader_id, uint8_t *pieces,
                       TraceRelocation *relocations);

#endif
