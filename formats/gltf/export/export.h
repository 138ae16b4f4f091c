/* What the parts of the glTF exporter share: the model, what of it is shown, and the document. */
#ifndef RETROPOSE_FORMATS_GLTF_EXPORT_EXPORT_H
#define RETROPOSE_FORMATS_GLTF_EXPORT_EXPORT_H

#include "formats/gltf/container/write.h"
#include "retropose/gltf.h"

#define GLTF_NOTHING UINT32_MAX

/* What a batch is drawn with; each that occurs is a material. */
typedef struct GltfState {
    uint16_t flags, material, portal;
    uint8_t row, lightmap;
} GltfState;

typedef struct GltfBatch {
    bool shown; /* has triangles, and all of them lie in the model */
    bool wide;  /* names vertex 65535, which glTF keeps free: indices of 32 bits */
    uint32_t vertex_count;
    uint32_t indices; /* accessor, GLTF_NOTHING until it is needed */
    RpMshBatch record;
} GltfBatch;

typedef struct GltfSlot {
    uint32_t node, cell; /* of the first that names it */
    uint32_t mesh;       /* GLTF_NOTHING: it shows nothing */
    bool used;
    RpMshSlot record;
} GltfSlot;

typedef struct GltfNode {
    RpMshNode record;
    const char *label; /* in Res10; null without one */
    uint32_t label_length;
    uint32_t parent; /* or GLTF_NOTHING */
    bool animated;
    float rotation[4], translation[3];          /* at rest; x, y, z, w */
    uint32_t rotation_track, translation_track; /* accessors, or GLTF_NOTHING */
} GltfNode;

typedef struct GltfExporter {
    const RpGltfExportOptions *options;
    RpMsh msh;
    RpSkeleton model;
    RpPoseSettings pose;
    bool posed; /* there are keys: else all nodes rest at the identity */
    uint32_t node_count, slot_count, batch_count, vertex_count;
    uint32_t frame_count; /* of the animation; 1: there is none */
    GltfNode *nodes;
    GltfSlot *slots;
    GltfBatch *batches;
    GltfState *states; /* sorted, each once */
    uint32_t state_count;
    uint32_t time_accessor;
    const char *name;
    char name_text[3 * RP_NRES_NAME_BYTES + 1];
    cJSON *extras; /* of the root node */
    GltfWriter writer;
} GltfExporter;

void *GltfExporter_Allocate(GltfExporter *exporter, size_t count, size_t size);
void GltfExporter_Release(GltfExporter *exporter, void *block);
/* A note about the model; indices may be RP_NO_INDEX. */
void GltfExporter_Note(const GltfExporter *exporter, const char *rule, const char *what,
                       uint32_t stream, int64_t node, int64_t element);

/* meshes.c: looks at all batches and slots; then writes materials and meshes. */
RpStatus GltfExporter_PlanMeshes(GltfExporter *exporter, RpError *error);
RpStatus GltfExporter_WriteMeshes(GltfExporter *exporter, RpError *error);
/* Length 1, for a normal as stored; up where that has none. */
void Gltf_DecodeNormal(const int8_t raw[4], float normal[3]);
/* "state1 lod0" or "lod1 group0". */
void Gltf_CellName(const RpReadings *readings, uint32_t cell, char *text, size_t size);

/* bake.c: rest poses; then the accessors of the animation. */
RpStatus GltfExporter_PlanPoses(GltfExporter *exporter, RpError *error);
RpStatus GltfExporter_WriteTracks(GltfExporter *exporter, RpError *error);

/* x, y, z, w of glTF for the sampler's w, x, y, z: rotated in the sense of the reading. */
void Gltf_FromSampler(const RpReadings *readings, const float sampled[4], float rotation[4]);

/* Looks at the whole model and makes the document in exporter->writer, without corrections.
 * `options` is set, the rest is zero. GltfExporter_Free follows in any case. */
RpStatus GltfExporter_Build(GltfExporter *exporter, const RpNResArchive *model, RpError *error);
void GltfExporter_Free(GltfExporter *exporter);

#endif
