/* Making models: from a plain description to all streams, with everything that follows from the
 * description computed (facts/formats.md C.12).
 *
 * Computed: batch starts, vertex counts, slot ranges, boxes, spheres, areas and volumes, the
 * header's box, sphere and capsule in posed model space, face normals, neighbours and winged-edge
 * words, key pool, canonical frame maps (seed 000 section 5.4), directory attributes and order.
 * Where the description brings its own value for one of these (a `has_` flag), that is taken.
 */
#ifndef RETROPOSE_MSH_BUILD_H
#define RETROPOSE_MSH_BUILD_H

#include "api.h"
#include "msh.h"

RP_API_BEGIN

/* A stretch of triangles with one material. Indices are relative to first_vertex. */
typedef struct RpBuildBatch {
    uint16_t flags, material;
    uint8_t row, lightmap;
    uint16_t portal;      /* RP_MSH_NONE: not a portal */
    uint32_t base_vertex; /* in the model's vertex arrays */
    const uint16_t *indices;
    uint32_t index_count;           /* a multiple of 3 */
    const uint16_t *triangle_flags; /* index_count / 3 of them, or null: all 0 */
} RpBuildBatch;

/* What one node shows in one cell of its 15 slot words. */
typedef struct RpBuildSlot {
    uint32_t first_batch, batch_count; /* in the model's batch array; slots follow one another */
    bool has_sphere;
    float sphere[4];
    bool has_measures;
    float area, volume;
    uint32_t opaque[3];
} RpBuildSlot;

enum { RP_BUILD_LABEL_MAX = 255 };

typedef struct RpBuildNode {
    char name[RP_MSH_NAME_BYTES]; /* as stored */
    const char *label;            /* null or "": none */
    uint16_t flags;
    uint16_t parent;                   /* below its own index, or RP_MSH_NONE */
    uint16_t slots[RP_MSH_SLOT_WORDS]; /* indices of slots, or RP_MSH_NONE */
    const RpMshKey *keys;              /* times ascending, the first 0 */
    uint32_t key_count;                /* 1: static; more: animated */
} RpBuildNode;

typedef struct RpBuildModel {
    char name[RP_NRES_NAME_BYTES]; /* of every directory entry */
    const RpBuildNode *nodes;
    uint32_t node_count;
    const RpBuildSlot *slots;
    uint32_t slot_count;
    const RpBuildBatch *batches;
    uint32_t batch_count;
    uint32_t vertex_count;
    const float (*positions)[3];
    const int8_t (*normals)[4];
    const uint16_t (*uv0)[2];
    const uint8_t (*res15)[8]; /* null: zeros (nothing known computes them) */
    const uint8_t (*res16)[8]; /* null: the stream is left out */
    const uint16_t (*uv1)[2];  /* null: Res18 is left out */
    const RpMshProbe *probes;  /* Res20, left out when uv1 is null and there is no probe */
    uint32_t probe_count;
    const uint8_t *paths; /* Res17, raw: vertices, then links */
    uint32_t path_vertices, path_links;
    uint32_t nodes_attr2;
    uint32_t frame_count; /* 0: 1 + the last key time */
    bool has_header;
    RpMshHeader header;
    RpMshReadings readings; /* of the keys, for the header's posed bounds */
} RpBuildModel;

/* Into an initialised, empty archive, in the game's own stream order: with Res18 the order of the
 * 21 lit models, else that of the 414. Res16 follows Res15; attr3 of Res9 and Res17, which no
 * source gives, are 32 and 20. RP_INVALID names what the format cannot hold: more than 65535 keys,
 * map starts from 65535 up, batches that reach past 65535 relative vertices, ... */
RpStatus RpMsh_Build(const RpBuildModel *model, RpNResArchive *archive, RpError *error);

/* ---- its parts, for editors ------------------------------------------------------------------ */

/* Face normal, (b-a) x (c-a) normalised, times 32767, rounded to nearest; 0, 0, 0 when degenerate.
 */
void RpMsh_FaceNormal(const float a[3], const float b[3], const float c[3], int16_t normal[3]);
/* Neighbours and edge words of `count` triangles whose corners are vertices (absolute). Two faces
 * are neighbours when they share an edge by position, run through in opposite directions; of
 * several candidates the first. Flags and normals are left alone. */
RpStatus RpMsh_LinkTriangles(const float (*positions)[3], const uint32_t (*corners)[3],
                             uint32_t count, RpMshTriangle *triangles, const RpAllocator *allocator,
                             RpError *error);
/* The smallest sphere around the points, to within 1e-6 of its radius. */
void RpMsh_Sphere(const float (*points)[3], uint32_t count, float sphere[4]);
/* round(v * 127), clamped to -128..127. */
int8_t RpMsh_EncodeNormal(float component);
/* round(v * 1024), clamped to 16 bits of the reading. */
uint16_t RpMsh_EncodeUv(float component, const RpMshReadings *readings);
/* w, x, y, z to the file's order and sense: round(q * 32767), clamped to +-32767. */
void RpMsh_EncodeRotation(const float quaternion[4], const RpMshReadings *readings,
                          int16_t rotation[4]);
/* What RpMsh_EncodeRotation undoes: w, x, y, z, not normalised; all-zero gives the identity. */
void RpMsh_DecodeRotation(const int16_t rotation[4], const RpMshReadings *readings,
                          float quaternion[4]);
/* The matrix of every node in model space, in plain double arithmetic (posing for tools, not the
 * game's bits; for those, pose.h): at `frame`, or at rest where frame is negative. `zero_root`
 * drops node 0's translation. 16 doubles a node, row-major, translation in 3, 7, 11. */
RpStatus RpMsh_PoseNodes(const RpMsh *msh, const RpMshReadings *readings, double frame,
                         bool zero_root, double (*matrices)[16], RpError *error);

/* Replaces Res2's header and all slot boxes and spheres by what the geometry gives, in place. The
 * header bounds the finest level (lod 0 of the reading's slot words, without cockpits) as posed at
 * frame 0. Area and volume are those of the box, XY and XYZ; they are left where the box stays. */
RpStatus RpMsh_UpdateBounds(RpNResArchive *archive, const RpMshReadings *readings, RpError *error);
/* The header alone: for new poses. */
RpStatus RpMsh_UpdateHeader(RpNResArchive *archive, const RpMshReadings *readings, RpError *error);
/* Replaces Res7's normals, neighbours and edge words, in place; flags and the bits of the edge word
 * that are no links stay. Faces of different slots are no neighbours: slots of one node are levels
 * or states in the same place, those of different nodes have spaces of their own. */
RpStatus RpMsh_UpdateTriangles(RpNResArchive *archive, RpError *error);

RP_API_END

#endif
