/* Making models: from a plain description to all streams (facts/formats.md C.12). Everything that
 * follows from the description is computed.
 *
 * Computed are batch starts, vertex counts, slot ranges, boxes, spheres, areas and volumes; the
 * header's box, sphere and capsule in posed model space; face normals, neighbours and winged-edge
 * words; the key pool and canonical frame maps (seed 000 section 5.4); the directory's attributes
 * and order. Where the description brings its own value for one of these (a `has_` flag), that
 * value is used.
 */
#ifndef RETROPOSE_MSH_MAKE_H
#define RETROPOSE_MSH_MAKE_H

#include "api.h"
#include "msh.h"

RP_API_BEGIN

/* A run of triangles with one material. Its indices are relative to base_vertex. */
typedef struct RpMshBatchDescription {
    uint16_t flags, material;
    uint8_t row, lightmap;
    /* node of the room behind the portal; RP_MSH_NONE when the batch is no portal */
    uint16_t portal;
    uint32_t base_vertex; /* index in the model's vertex arrays */
    const uint16_t *indices;
    uint32_t index_count; /* a multiple of 3 */
    /* one for each triangle (index_count / 3), or null for 0 throughout */
    const uint16_t *triangle_flags;
} RpMshBatchDescription;
/* Returns a batch of nothing, that is no portal and takes no lightmap. */
RpMshBatchDescription RpMshBatchDescription_Default(void);

/* What one node shows in one cell of its 15 slot words. All zero is an empty range, of which
 * everything is computed. */
typedef struct RpMshSlotDescription {
    /* a range of the batch array; the slots follow one another in it */
    uint32_t first_batch, batch_count;
    bool has_sphere;
    float sphere[4];
    bool has_measures;
    float area, volume;
    uint32_t opaque[3];
} RpMshSlotDescription;

enum { RP_MSH_LABEL_MAX = 255 };

typedef struct RpMshNodeDescription {
    char name[RP_MSH_NAME_BYTES]; /* the whole field, as stored */
    const char *label;            /* null or "" means no label */
    uint16_t flags;
    uint16_t parent;                   /* an index below the node's own, or RP_MSH_NONE */
    uint16_t slots[RP_MSH_SLOT_WORDS]; /* indices of the model's slots, or RP_MSH_NONE */
    const RpMshKey *keys;              /* times ascend and the first is 0 */
    uint32_t key_count;                /* 1 makes the node static, more keys make it animated */
} RpMshNodeDescription;
/* Returns a node without a name, a parent, slots or keys. Every node needs a key. */
RpMshNodeDescription RpMshNodeDescription_Default(void);

/* All zero is an empty model, of which everything is computed. */
typedef struct RpMshDescription {
    char name[RP_NRES_NAME_BYTES]; /* the name of every directory entry */
    const RpMshNodeDescription *nodes;
    uint32_t node_count;
    const RpMshSlotDescription *slots;
    uint32_t slot_count;
    const RpMshBatchDescription *batches;
    uint32_t batch_count;
    uint32_t vertex_count;
    const float (*positions)[3];
    const int8_t (*normals)[4];
    const uint16_t (*uv0)[2];
    const uint8_t (*res15)[8]; /* null writes zeros, because nothing that is known computes them */
    const uint8_t (*res16)[8]; /* null leaves the stream out */
    const uint16_t (*uv1)[2];  /* null leaves Res18 out */
    const RpMshProbe *probes;  /* Res20, which is left out when uv1 is null and there is no probe */
    uint32_t probe_count;
    const uint8_t *paths; /* the bytes of Res17: vertices, then links */
    uint32_t path_vertices, path_links;
    uint32_t nodes_attr2;
    uint32_t frame_count; /* 0 means 1 + the time of the last key */
    bool has_header;
    RpMshHeader header;
    RpReadings readings; /* readings of the keys, needed for the header's posed bounds */
} RpMshDescription;

/* Fills an initialised, empty archive in the game's own stream order: with Res18 it is the order of
 * the 21 lit models, else the order of the other 414. Res16 follows Res15. No source gives
 * attribute 3 of Res9 and Res17; they are 32 and 20. RP_INVALID names what the format cannot hold,
 * such as more than 65535 keys, map starts from 65535 up, or batches that reach past 65535 relative
 * vertices. */
RpStatus RpMsh_Make(const RpMshDescription *model, RpNResArchive *archive, RpError *error);

/* ---- its parts, for editors ------------------------------------------------------------------ */

/* Computes a face normal: (b-a) x (c-a), normalised, times 32767, rounded to nearest. A degenerate
 * face has 0, 0, 0. */
void RpMsh_FaceNormal(const float a[3], const float b[3], const float c[3], int16_t normal[3]);
/* Computes the neighbours and edge words of `count` triangles whose corners are absolute vertex
 * numbers. Two faces are neighbours when they share an edge by position and run through it in
 * opposite directions; of several candidates the first is taken. Flags and normals are left alone.
 * RP_INVALID stands for more than 65535 triangles. */
RpStatus RpMsh_LinkTriangles(const float (*positions)[3], const uint32_t (*corners)[3],
                             uint32_t count, RpMshTriangle *triangles, const RpAllocator *allocator,
                             RpError *error);
/* Computes the smallest sphere around the points, to within 1e-6 of its radius. */
void RpMsh_Sphere(const float (*points)[3], uint32_t count, float sphere[4]);
/* Returns round(component * 127), clamped to -128..127. */
int8_t RpMsh_EncodeNormal(float component);
/* Returns round(component * 1024), clamped to 16 bits that are signed or not as the reading says.
 */
uint16_t RpMsh_EncodeUv(float component, const RpReadings *readings);
/* Turns w, x, y, z into the order and sense of the file: round(q * 32767), clamped to +-32767. */
void RpMsh_EncodeRotation(const float quaternion[4], const RpReadings *readings,
                          int16_t rotation[4]);
/* Reverses RpMsh_EncodeRotation. The result, w, x, y, z, is not normalised; four zeros give the
 * identity. */
void RpMsh_DecodeRotation(const int16_t rotation[4], const RpReadings *readings,
                          float quaternion[4]);
/* Computes the matrix of every node in model space at `frame`, or at rest where `frame` is
 * negative. It is for the use of tools: nodes are sampled by RpPose_Sample (pose.h) under the
 * game's control word, with the reading key-scale=divide, and their matrices are computed and
 * multiplied in double. RpPose_Skeleton gives the game's bits. `zero_root` drops node 0's
 * translation. Each matrix is 16 doubles, row-major, with the translation in elements 3, 7 and 11.
 * RP_UNSUPPORTED stands for nodes of stride 24, RP_INVALID for a parent that does not precede its
 * child. */
RpStatus RpMsh_PoseNodes(const RpMsh *msh, const RpReadings *readings, double frame, bool zero_root,
                         double (*matrices)[16], RpError *error);

/* Replaces Res2's header and all slots' boxes and spheres by what the geometry gives, in place. The
 * header bounds the finest level (LOD 0 of the reading's slot words, without cockpits) as posed at
 * frame 0. A slot's area and volume become those of its box (XY and XYZ); where the box stays, they
 * stay too. RP_NOT_FOUND stands for a model without Res2's header; RP_CORRUPT for a node, slot or
 * batch that names what is not there; RP_INVALID for a parent that does not precede its child;
 * RP_UNSUPPORTED for nodes of stride 24 and for ranges that share their elements again and again.
 * On failure nothing changes. */
RpStatus RpMsh_UpdateBounds(RpNResArchive *archive, const RpReadings *readings, RpError *error);
/* Replaces the header alone, which suffices after poses were changed. Errors are those of
 * RpMsh_UpdateBounds. */
RpStatus RpMsh_UpdateHeader(RpNResArchive *archive, const RpReadings *readings, RpError *error);
/* Replaces Res7's normals, neighbours and edge words in place. Flags stay, as do the bits of the
 * edge word that are no links. Faces of different slots never become neighbours, because the slots
 * of one node are levels or states in the same place, and those of different nodes have spaces of
 * their own. RP_NOT_FOUND stands for a model without Res7, RP_CORRUPT for batches that do not cover
 * Res6 in whole triangles or that reach past the vertices, RP_INVALID for more than 65535
 * triangles. On failure nothing changes. */
RpStatus RpMsh_UpdateTriangles(RpNResArchive *archive, RpError *error);

RP_API_END

#endif
