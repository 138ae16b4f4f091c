/* Models (`.msh`): typed reading of every stream, without copying (seeds 000, 001; facts/formats.md
 * C).
 *
 * A model is an NRes archive whose entries are streams, told apart by their type. RpMsh points into
 * the image or the archive that it was made from. Records are read and written one at a time
 * through structs that hold every bit, so that bits whose meaning is unknown are preserved.
 */
#ifndef RETROPOSE_MSH_H
#define RETROPOSE_MSH_H

#include "api.h"
#include "nres.h"
#include "pose.h"
#include "readings.h"

RP_API_BEGIN

/* Types of streams. Stream type N is called "ResN". */
enum {
    RP_MSH_NODES = 1,
    RP_MSH_SLOTS = 2, /* slots, preceded by the model's header */
    RP_MSH_POSITIONS = 3,
    RP_MSH_NORMALS = 4,
    RP_MSH_UV0 = 5,
    RP_MSH_INDICES = 6,
    RP_MSH_TRIANGLES = 7,
    RP_MSH_KEYS = 8,
    RP_MSH_NAMES = 9, /* names of nodes, 32 bytes each */
    /* labels of sockets, one a node, usually empty; seed 001 takes these for the names */
    RP_MSH_LABELS = 10,
    RP_MSH_BATCHES = 13,
    RP_MSH_RES15 = 15, /* one record a vertex, whose meaning is unknown */
    RP_MSH_RES16 = 16, /* two streams of 4 bytes a vertex; no known model has them */
    RP_MSH_PATHS = 17, /* path graph of buildings */
    RP_MSH_UV1 = 18,   /* lightmap coordinates; seed 001 takes these for vertex colours */
    RP_MSH_FRAME_MAP = 19,
    RP_MSH_PROBES = 20,
    RP_MSH_TYPE_LIMIT = 21
};

enum {
    RP_MSH_NODE_BYTES = 38,
    RP_MSH_LEGACY_NODE_BYTES = 24,
    RP_MSH_HEADER_BYTES = 140,
    RP_MSH_SLOT_BYTES = 68,
    RP_MSH_TRIANGLE_BYTES = 16,
    RP_MSH_KEY_BYTES = 24,
    RP_MSH_NAME_BYTES = 32,
    RP_MSH_BATCH_BYTES = 20,
    RP_MSH_PROBE_BYTES = 48,
    RP_MSH_PATH_VERTEX_BYTES = 20,
    RP_MSH_PATH_LINK_BYTES = 40,
    RP_MSH_NONE = 0xFFFF,
    /* Each node has 15 slot words, [outer 0..2][inner 0..4] (reading slot-words). */
    RP_MSH_SLOT_WORDS = 15
};

/* ---- a model --------------------------------------------------------------------------------- */

typedef struct RpMshStream {
    /* null when the model lacks the stream or, read tolerantly, when its range is damaged */
    const uint8_t *data;
    uint32_t size;
    uint32_t count; /* whole elements; of Res10 whole records; of Res17 attr1, as far as it fits */
    uint32_t attr1, attr2, attr3;
    int32_t entry;   /* index in the directory, or RP_NO_INDEX */
    uint32_t offset; /* offset of the payload in the image; 0 when made from an archive */
} RpMshStream;

typedef struct RpMsh {
    /* by type; the first where a type occurs several times */
    RpMshStream streams[RP_MSH_TYPE_LIMIT];
    uint32_t node_stride; /* 38, or 24 for the legacy form                     */
    uint32_t frame_count; /* attribute 2 of Res19 */
    /* offset of the image's directory; 0 when made from an archive under construction */
    uint32_t directory_offset;
    uint32_t repeated; /* bit N is set when there is more than one entry of type N */
} RpMsh;

/* Returns whether an archive looks like a model, which has the types 1, 2, 3, 6 and 13. */
bool RpMsh_Is(RpNResEntries entries);
/* Returns whether an archive is a map's `Land.msh`, which shares streams 1 to 5 with models but is
 * none: it has type 21 and neither 6 nor 13 (facts/formats.md C.13). */
bool RpMsh_IsLand(RpNResEntries entries);
/* Finds the streams of an archive. Strict reading demands the required streams, sizes that are
 * whole multiples of their strides, and every rule of severity error (msh_check.h). Tolerant
 * reading gives what is missing or damaged a count of 0, and counts of a stream what fits. Types
 * that are not in RpMsh stay in the archive. The result holds as long as the entries do. RP_CORRUPT
 * stands for what strict reading refuses; tolerant reading cannot fail.
 *
 *   RpMsh_Open(RpNRes_Entries(&image), RP_STRICT, &msh, &error)
 *   RpMsh_Open(RpNResArchive_Entries(&archive), RP_STRICT, &msh, &error) */
RpStatus RpMsh_Open(RpNResEntries entries, RpReadMode mode, RpMsh *msh, RpError *error);
/* Gives the streams that poses are made from. RP_UNSUPPORTED stands for nodes of stride 24,
 * RP_NOT_FOUND for a model without nodes or keys. */
RpStatus RpMsh_Skeleton(const RpMsh *msh, RpSkeleton *skeleton, RpError *error);
/* Returns the bytes of one element of a type (of slots without the header before them), or 0 where
 * they vary. */
uint32_t RpMsh_Stride(const RpMsh *msh, uint32_t type);
/* Returns "nodes", "slots" and so on, and null for an unknown type, which callers may call "Res21"
 * and the like. */
const char *RpMsh_StreamName(uint32_t type);

static inline uint32_t RpMsh_Count(const RpMsh *msh, uint32_t type) {
    return type < RP_MSH_TYPE_LIMIT ? msh->streams[type].count : 0;
}

/* ---- records --------------------------------------------------------------------------------- */

/* Each record has a Read and a Write function between bytes and struct, which are exact both ways,
 * and an accessor by index. The accessor returns false and zeroes the record for an index past the
 * end of the stream. */

typedef struct RpMshNode {
    uint16_t flags;
    uint16_t parent;    /* index of the parent, or RP_MSH_NONE */
    uint16_t map_start; /* first word of the node's block in Res19, or RP_MSH_NONE */
    uint16_t fallback;  /* last key of the node's track in Res8 */
    uint16_t slots[RP_MSH_SLOT_WORDS];
} RpMshNode;

typedef struct RpMshHeader { /* in posed model space */
    float corners[8][3];
    float sphere[4]; /* centre and radius */
    float axis_low[3], axis_high[3], axis_radius;
} RpMshHeader;

typedef struct RpMshSlot { /* boxes and spheres in the node's space */
    uint16_t first_triangle, triangle_count, first_batch, batch_count;
    float low[3], high[3];
    float sphere[4];
    float area, volume; /* probably those of the box; the seed documents leave them unexplained */
    uint32_t opaque[3];
} RpMshSlot;

typedef struct RpMshBatch {
    uint16_t flags; /* low half of the flags word */
    /* the material under the reading word2; otherwise the high half of the flags */
    uint16_t material;
    uint8_t row;      /* the material, a row of the .wea file, under the reading byte4 */
    uint8_t lightmap; /* 0x00: the batch takes the lightmap; 0xFF: it does not */
    uint16_t portal;  /* node of the room behind the portal, or RP_MSH_NONE */
    uint16_t index_count;
    uint32_t first_index;
    uint16_t vertex_count; /* the largest relative index, plus 1 */
    uint32_t base_vertex;
} RpMshBatch;

typedef struct RpMshTriangle {
    uint16_t flags;
    uint16_t neighbours[3]; /* triangles across the edges 0, 1 and 2, or RP_MSH_NONE */
    int16_t normal[3];      /* divide by 32767 */
    /* 2 bits for each edge: its number in the neighbour, or 3 where it is open; others are
     * preserved */
    uint16_t edges;
} RpMshTriangle;

typedef struct RpMshKey {
    float position[3];
    float time;          /* in frames */
    int16_t rotation[4]; /* divide by 32767; the order is that of the file */
} RpMshKey;

typedef struct RpMshProbe {
    int32_t node;
    float position[3], direction[3], colour[4], intensity;
} RpMshProbe;

/* Reads a node's record out of its bytes. */
void RpMshNode_Read(RpMshNode *node, const uint8_t bytes[RP_MSH_NODE_BYTES]);
/* Writes a node's record as bytes. */
void RpMshNode_Write(const RpMshNode *node, uint8_t bytes[RP_MSH_NODE_BYTES]);
/* Reads the header out of its bytes. */
void RpMshHeader_Read(RpMshHeader *header, const uint8_t bytes[RP_MSH_HEADER_BYTES]);
/* Writes the header as bytes. */
void RpMshHeader_Write(const RpMshHeader *header, uint8_t bytes[RP_MSH_HEADER_BYTES]);
/* Reads a slot's record out of its bytes. */
void RpMshSlot_Read(RpMshSlot *slot, const uint8_t bytes[RP_MSH_SLOT_BYTES]);
/* Writes a slot's record as bytes. */
void RpMshSlot_Write(const RpMshSlot *slot, uint8_t bytes[RP_MSH_SLOT_BYTES]);
/* Reads a batch's record out of its bytes. */
void RpMshBatch_Read(RpMshBatch *batch, const uint8_t bytes[RP_MSH_BATCH_BYTES]);
/* Writes a batch's record as bytes. */
void RpMshBatch_Write(const RpMshBatch *batch, uint8_t bytes[RP_MSH_BATCH_BYTES]);
/* Reads a triangle's record out of its bytes. */
void RpMshTriangle_Read(RpMshTriangle *triangle, const uint8_t bytes[RP_MSH_TRIANGLE_BYTES]);
/* Writes a triangle's record as bytes. */
void RpMshTriangle_Write(const RpMshTriangle *triangle, uint8_t bytes[RP_MSH_TRIANGLE_BYTES]);
/* Reads a key's record out of its bytes. */
void RpMshKey_Read(RpMshKey *key, const uint8_t bytes[RP_MSH_KEY_BYTES]);
/* Writes a key's record as bytes. */
void RpMshKey_Write(const RpMshKey *key, uint8_t bytes[RP_MSH_KEY_BYTES]);
/* Reads a probe's record out of its bytes. */
void RpMshProbe_Read(RpMshProbe *probe, const uint8_t bytes[RP_MSH_PROBE_BYTES]);
/* Writes a probe's record as bytes. */
void RpMshProbe_Write(const RpMshProbe *probe, uint8_t bytes[RP_MSH_PROBE_BYTES]);

/* Returns false for nodes of stride 24 as well. */
bool RpMsh_Node(const RpMsh *msh, uint32_t index, RpMshNode *node);
/* Gives the model's header, which precedes the slots. */
bool RpMsh_Header(const RpMsh *msh, RpMshHeader *header);
/* Gives a slot of Res2. */
bool RpMsh_Slot(const RpMsh *msh, uint32_t index, RpMshSlot *slot);
/* Gives a batch of Res13. */
bool RpMsh_Batch(const RpMsh *msh, uint32_t index, RpMshBatch *batch);
/* Gives a triangle of Res7. */
bool RpMsh_Triangle(const RpMsh *msh, uint32_t index, RpMshTriangle *triangle);
/* Gives a key of Res8. */
bool RpMsh_Key(const RpMsh *msh, uint32_t index, RpMshKey *key);
/* Gives a probe of Res20. */
bool RpMsh_Probe(const RpMsh *msh, uint32_t index, RpMshProbe *probe);
/* Gives the position of a vertex, in the units of the model. */
bool RpMsh_Position(const RpMsh *msh, uint32_t vertex, float position[3]);
/* Gives the normal as stored. Divide by 127 and clamp to -1..1. */
bool RpMsh_Normal(const RpMsh *msh, uint32_t vertex, int8_t normal[4]);
/* Gives the coordinates of Res5 or Res18 as stored. Divide by 1024; the reading uv says whether
 * they are signed. */
bool RpMsh_Uv(const RpMsh *msh, uint32_t type, uint32_t vertex, uint16_t uv[2]);
/* Gives an index of Res6, which is relative to its batch's base vertex. */
bool RpMsh_Index(const RpMsh *msh, uint32_t index, uint16_t *value);
/* Gives a word of Res19, the frame map. */
bool RpMsh_MapWord(const RpMsh *msh, uint32_t index, uint16_t *word);

/* Returns a node's text, which is not terminated and is cut at its NUL, or null when it is absent
 * or empty. `type` is RP_MSH_NAMES or RP_MSH_LABELS. */
const char *RpMsh_Text(const RpMsh *msh, uint32_t type, uint32_t node, uint32_t *length);
/* Walks the texts of one node after another in linear time, whereas RpMsh_Text walks Res10 from its
 * start each time. `text` is null for a node whose text is empty:
 *
 *   RpMshTexts texts = RpMsh_Texts(&msh, RP_MSH_LABELS);
 *   while (RpMshTexts_Next(&texts, &text, &length)) ...   node 0, 1, ... */
typedef struct RpMshTexts {
    const RpMshStream *stream;
    uint32_t type, node, offset; /* of the text that comes next */
} RpMshTexts;
/* Counts the whole records of a Res10 stream, as RpMsh_Open does. */
uint32_t RpMsh_CountLabels(const RpMshStream *stream);
/* Begins a walk over the texts of RP_MSH_NAMES or RP_MSH_LABELS at node 0. */
RpMshTexts RpMsh_Texts(const RpMsh *msh, uint32_t type);
/* Gives the text of the next node, which is not terminated. Returns false behind the last one. */
bool RpMshTexts_Next(RpMshTexts *texts, const char **text, uint32_t *length);
/* Gives the keys of a node in Res8, from the first to the last, which is the fallback. The result
 * is false when the canonical decomposition (seed 000 section 5.1) does not give any. */
bool RpMsh_Track(const RpMsh *msh, uint32_t node, uint32_t *first, uint32_t *last);
/* Gives the key that the frame map names for a node at a frame, as the game reads it. This is the
 * fallback for a frame outside the model, for a node without a map, and for a word at or above the
 * fallback. The result is false for a node without a track in the streams, or where the game would
 * read outside them. */
bool RpMsh_KeyAt(const RpMsh *msh, uint32_t node, uint32_t frame, uint32_t *key);

RP_API_END

#endif
