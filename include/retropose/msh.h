/* Models (`.msh`): typed reading of every stream, without copying (seeds 000, 001;
 * facts/formats.md C).
 *
 * A model is an NRes archive whose entries are streams, told apart by their type. RpMsh points into
 * the image or the archive that it was made from. Records are read and written one at a time
 * through structs that hold every bit, so that what nobody understands is kept.
 */
#ifndef RETROPOSE_MSH_H
#define RETROPOSE_MSH_H

#include "nres.h"
#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Types of streams; the game's vocabulary calls type N "ResN". */
enum {
    RP_MSH_NODES = 1,
    RP_MSH_SLOTS = 2, /* and the header before them */
    RP_MSH_POSITIONS = 3,
    RP_MSH_NORMALS = 4,
    RP_MSH_UV0 = 5,
    RP_MSH_INDICES = 6,
    RP_MSH_TRIANGLES = 7,
    RP_MSH_KEYS = 8,
    RP_MSH_NAMES = 9,   /* of nodes, 32 bytes each */
    RP_MSH_LABELS = 10, /* of sockets, one a node, usually empty; seed 001 calls these the names */
    RP_MSH_BATCHES = 13,
    RP_MSH_RES15 = 15, /* one record a vertex, meaning unknown */
    RP_MSH_RES16 = 16, /* two 4-byte streams; in no known model */
    RP_MSH_PATHS = 17, /* path graph of buildings */
    RP_MSH_UV1 = 18,   /* lightmap; seed 001 calls it vertex colours */
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
    RP_MSH_SLOT_WORDS = 15 /* of a node: [outer 0..2][inner 0..4], see RpMshReadings */
};

/* ---- readings -------------------------------------------------------------------------------- */

/* What public sources read differently (facts/formats.md C1 to C14), by name. The first choice
 * is the default: the seeds'. Values are indices of choices. */
typedef struct RpMshReadings {
    uint8_t key_order;  /* "key-order": xyzw | wxyz                                             */
    uint8_t rotation;   /* "rotation": conjugate | plain                                        */
    uint8_t slot_words; /* "slot-words": lod-group | state-lod                                  */
    uint8_t material;   /* "material": word2 | byte4: where a batch has its material            */
    uint8_t names;      /* "names": res9 | res10: which stream names the nodes                  */
    uint8_t uv;         /* "uv": signed | unsigned                                              */
    uint8_t rest_pose;  /* "rest-pose": frame0 | fallback                                       */
} RpMshReadings;

enum { RP_MSH_READING_COUNT = 7 };
/* Names in the order of the struct; null past the last. Choices are '|'-separated. */
const char *RpMshReadings_Name(int index);
const char *RpMshReadings_Choices(int index);
const char *RpMshReadings_Source(int index); /* who reads it so, and where it says so */
/* "key-order=wxyz,slot-words=state-lod" over the defaults; null and "" are the defaults;
 * "drawn" is the set of the two projects that draw the game's own data: wxyz, state-lod, byte4,
 * unsigned. RP_INVALID names what is unknown and lists what exists. */
RpStatus RpMshReadings_Parse(RpMshReadings *readings, const char *text, RpError *error);
int RpMshReadings_Format(const RpMshReadings *readings, char *buffer, size_t size);

/* ---- a model --------------------------------------------------------------------------------- */

typedef struct RpMshStream {
    const uint8_t *data; /* null: the model lacks it, or its range is damaged (tolerant)         */
    uint32_t size;
    uint32_t count; /* whole elements; Res10: whole records; Res17: attr1, as far as it fits     */
    uint32_t attr1, attr2, attr3;
    int32_t entry;   /* in the directory, or RP_NO_INDEX                                         */
    uint32_t offset; /* of the payload in the image; 0 when made from an archive                 */
} RpMshStream;

typedef struct RpMsh {
    RpMshStream streams[RP_MSH_TYPE_LIMIT]; /* by type; of duplicates the first                  */
    uint32_t node_stride;                   /* 38, or 24 for the legacy form                     */
    uint32_t frame_count;                   /* attr2 of Res19                                    */
    uint32_t directory_offset; /* of the image; 0 when made from an archive under construction   */
    uint32_t repeated;         /* bit N: more than one entry of type N                           */
} RpMsh;

/* Whether an archive looks like a model: types 1, 2, 3, 6 and 13 are there. */
bool RpMsh_Is(const RpNRes *archive);
bool RpMsh_IsArchive(const RpNResArchive *archive);
/* Whether it is a map's `Land.msh`, which shares streams 1 to 5 but is no model: type 21 is there,
 * 6 and 13 are not (facts/formats.md C.13). */
bool RpMsh_IsLand(const RpNRes *archive);
/* Strict: required streams present, sizes whole multiples of their strides, and every rule of
 * severity error (msh_check.h). Tolerant: what is missing or damaged has count 0; a stream's count
 * is what fits. Types outside the table stay in the archive. */
RpStatus RpMsh_Open(const RpNRes *archive, RpReadMode mode, RpMsh *msh, RpError *error);
/* The same over an archive under construction; valid until that archive changes. */
RpStatus RpMsh_OpenArchive(const RpNResArchive *archive, RpReadMode mode, RpMsh *msh,
                           RpError *error);
/* What poses need. RP_UNSUPPORTED for nodes of stride 24, RP_NOT_FOUND without nodes or keys. */
RpStatus RpMsh_Model(const RpMsh *msh, RpModel *model, RpError *error);
/* Element stride of a fixed-stride type (slots without their header), or 0. */
uint32_t RpMsh_Stride(const RpMsh *msh, uint32_t type);
/* "nodes", "slots", ...; "Res21" and the like are made up by callers. Null for an unknown type. */
const char *RpMsh_StreamName(uint32_t type);

static inline uint32_t RpMsh_Count(const RpMsh *msh, uint32_t type) {
    return type < RP_MSH_TYPE_LIMIT ? msh->streams[type].count : 0;
}

/* ---- records --------------------------------------------------------------------------------- */

/* Each has Read and Write between bytes and struct, exact both ways, and an accessor that is false
 * (and zeroes *record) for an index past the stream. */

typedef struct RpMshNode {
    uint16_t flags;
    uint16_t parent;    /* or RP_MSH_NONE */
    uint16_t map_start; /* first word of its block in Res19, or RP_MSH_NONE */
    uint16_t fallback;  /* last key of its track in Res8 */
    uint16_t slots[RP_MSH_SLOT_WORDS];
} RpMshNode;

typedef struct RpMshHeader { /* in posed model space */
    float corners[8][3];
    float sphere[4]; /* centre, radius */
    float axis_low[3], axis_high[3], axis_radius;
} RpMshHeader;

typedef struct RpMshSlot { /* boxes and spheres in the node's space */
    uint16_t first_triangle, triangle_count, first_batch, batch_count;
    float low[3], high[3];
    float sphere[4];
    float area, volume; /* of the box, probably; opaque to the seeds */
    uint32_t opaque[3];
} RpMshSlot;

typedef struct RpMshBatch {
    uint16_t flags;    /* low half of the flags word */
    uint16_t material; /* word2: the material of the seeds; else the flags' high half */
    uint8_t row;       /* byte4: the material of the .wea */
    uint8_t lightmap;  /* 0x00 takes the lightmap, 0xFF does not */
    uint16_t portal;   /* node of the room behind, or RP_MSH_NONE */
    uint16_t index_count;
    uint32_t first_index;
    uint16_t vertex_count; /* largest relative index + 1 */
    uint32_t base_vertex;
} RpMshBatch;

typedef struct RpMshTriangle {
    uint16_t flags;
    uint16_t neighbours[3]; /* across edges 0, 1, 2; or RP_MSH_NONE */
    int16_t normal[3];      /* / 32767 */
    uint16_t edges; /* 2 bits an edge: its number in the neighbour, 3 open; the rest is preserved */
} RpMshTriangle;

typedef struct RpMshKey {
    float position[3];
    float time;          /* frames */
    int16_t rotation[4]; /* / 32767, in the order of the file */
} RpMshKey;

typedef struct RpMshProbe {
    int32_t node;
    float position[3], direction[3], colour[4], intensity;
} RpMshProbe;

void RpMshNode_Read(RpMshNode *node, const uint8_t bytes[RP_MSH_NODE_BYTES]);
void RpMshNode_Write(const RpMshNode *node, uint8_t bytes[RP_MSH_NODE_BYTES]);
void RpMshHeader_Read(RpMshHeader *header, const uint8_t bytes[RP_MSH_HEADER_BYTES]);
void RpMshHeader_Write(const RpMshHeader *header, uint8_t bytes[RP_MSH_HEADER_BYTES]);
void RpMshSlot_Read(RpMshSlot *slot, const uint8_t bytes[RP_MSH_SLOT_BYTES]);
void RpMshSlot_Write(const RpMshSlot *slot, uint8_t bytes[RP_MSH_SLOT_BYTES]);
void RpMshBatch_Read(RpMshBatch *batch, const uint8_t bytes[RP_MSH_BATCH_BYTES]);
void RpMshBatch_Write(const RpMshBatch *batch, uint8_t bytes[RP_MSH_BATCH_BYTES]);
void RpMshTriangle_Read(RpMshTriangle *triangle, const uint8_t bytes[RP_MSH_TRIANGLE_BYTES]);
void RpMshTriangle_Write(const RpMshTriangle *triangle, uint8_t bytes[RP_MSH_TRIANGLE_BYTES]);
void RpMshKey_Read(RpMshKey *key, const uint8_t bytes[RP_MSH_KEY_BYTES]);
void RpMshKey_Write(const RpMshKey *key, uint8_t bytes[RP_MSH_KEY_BYTES]);
void RpMshProbe_Read(RpMshProbe *probe, const uint8_t bytes[RP_MSH_PROBE_BYTES]);
void RpMshProbe_Write(const RpMshProbe *probe, uint8_t bytes[RP_MSH_PROBE_BYTES]);

/* False for the legacy stride, too. */
bool RpMsh_Node(const RpMsh *msh, uint32_t index, RpMshNode *node);
bool RpMsh_Header(const RpMsh *msh, RpMshHeader *header);
bool RpMsh_Slot(const RpMsh *msh, uint32_t index, RpMshSlot *slot);
bool RpMsh_Batch(const RpMsh *msh, uint32_t index, RpMshBatch *batch);
bool RpMsh_Triangle(const RpMsh *msh, uint32_t index, RpMshTriangle *triangle);
bool RpMsh_Key(const RpMsh *msh, uint32_t index, RpMshKey *key);
bool RpMsh_Probe(const RpMsh *msh, uint32_t index, RpMshProbe *probe);
bool RpMsh_Position(const RpMsh *msh, uint32_t vertex, float position[3]);
/* As stored; divide by 127 and clamp to -1..1. */
bool RpMsh_Normal(const RpMsh *msh, uint32_t vertex, int8_t normal[4]);
/* As stored, Res5 or Res18: divide by 1024, signed or not (RpMshReadings.uv). */
bool RpMsh_Uv(const RpMsh *msh, uint32_t type, uint32_t vertex, uint16_t uv[2]);
bool RpMsh_Index(const RpMsh *msh, uint32_t index, uint16_t *value);
bool RpMsh_MapWord(const RpMsh *msh, uint32_t index, uint16_t *word);

/* The node's text, not terminated and cut at its NUL; null when it is absent or empty. `type` is
 * RP_MSH_NAMES or RP_MSH_LABELS. */
const char *RpMsh_Text(const RpMsh *msh, uint32_t type, uint32_t node, uint32_t *length);
/* The same for one node after another, in linear time: RpMsh_Text walks Res10 from its start.
 *
 *   RpMshTexts texts = RpMsh_Texts(&msh, RP_MSH_LABELS);
 *   while (RpMshTexts_Next(&texts, &text, &length)) ...   node 0, 1, ...; text null when empty */
typedef struct RpMshTexts {
    const RpMshStream *stream;
    uint32_t type, node, offset; /* of what comes next */
} RpMshTexts;
/* Whole records of a Res10 stream: what RpMsh_Open counts. */
uint32_t RpMsh_CountLabels(const RpMshStream *stream);
RpMshTexts RpMsh_Texts(const RpMsh *msh, uint32_t type);
bool RpMshTexts_Next(RpMshTexts *texts, const char **text, uint32_t *length);
/* The track of a node in Res8: keys first to last (the fallback). False when the canonical
 * decomposition (seed 000 section 5.1) does not give one. */
bool RpMsh_Track(const RpMsh *msh, uint32_t node, uint32_t *first, uint32_t *last);
/* What the frame map says for a node at a frame, as the game reads it: a key, or the fallback for a
 * frame outside the model, a node without a map and a word at or above the fallback. False for a
 * node without a track in the streams, or where the game would read out of them. */
bool RpMsh_KeyAt(const RpMsh *msh, uint32_t node, uint32_t frame, uint32_t *key);

#ifdef __cplusplus
}
#endif

#endif
