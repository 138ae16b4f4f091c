/* Declarations that the parts of the glTF exporter share: the model, those of its parts that are
 * shown, and the document. */
#ifndef RETROPOSE_FORMATS_GLTF_EXPORT_EXPORT_H
#define RETROPOSE_FORMATS_GLTF_EXPORT_EXPORT_H

#include "formats/gltf/container/gltf_writer.h"
#include "retropose/gltf.h"

#define GLTF_NOTHING UINT32_MAX

/* The state with which a batch is drawn. Each one that occurs becomes a material. */
typedef struct GltfState {
    uint16_t flags, material, portal;
    uint8_t row, lightmap;
} GltfState;

typedef struct GltfBatch {
    bool shown; /* the batch has triangles, and all of them exist */
    /* The batch uses vertex 65535. In indices of 16 bits glTF reserves this number, so they get 32
     * bits. */
    bool wide;
    uint32_t vertex_count;
    uint32_t indices; /* the accessor, or GLTF_NOTHING until it is needed */
    RpMshBatch record;
} GltfBatch;

typedef struct GltfSlot {
    uint32_t node, cell; /* the first node that refers to the slot, and its cell */
    uint32_t mesh;       /* GLTF_NOTHING: it shows nothing */
    bool used;
    RpMshSlot record;
} GltfSlot;

typedef struct GltfNode {
    RpMshNode record;
    const char *label; /* from Res10; null if there is none */
    uint32_t label_length;
    uint32_t parent; /* GLTF_NOTHING for a node without one */
    bool animated;
    float rotation[4], translation[3];          /* in the rest pose; x, y, z, w */
    uint32_t rotation_track, translation_track; /* accessors, or GLTF_NOTHING */
} GltfNode;

typedef struct GltfExporter {
    const RpGltfExportOptions *options;
    RpMsh msh;
    RpSkeleton model;
    RpArithmetic pose;
    bool posed; /* the model has keys; without them, all nodes rest at the identity */
    uint32_t node_count, slot_count, batch_count, vertex_count;
    uint32_t frame_count; /* frames of the animation; 1 if there is none */
    GltfNode *nodes;
    GltfSlot *slots;
    GltfBatch *batches;
    GltfState *states; /* sorted, without repetitions */
    uint32_t state_count;
    uint32_t time_accessor;
    const char *name;
    char name_text[3 * RP_NRES_NAME_BYTES + 1];
    cJSON *extras; /* extras of the root node */
    GltfWriter writer;
} GltfExporter;

void *GltfExporter_Allocate(GltfExporter *exporter, size_t count, size_t size);
void GltfExporter_Release(GltfExporter *exporter, void *block);
/* Adds a note about the model. An index may be RP_NO_INDEX. */
void GltfExporter_Note(const GltfExporter *exporter, const char *rule, const char *what,
                       uint32_t stream, int64_t node, int64_t element);

/* In meshes.c. PlanMeshes looks at all batches and slots; WriteMeshes writes materials and
 * meshes. */
RpStatus GltfExporter_PlanMeshes(GltfExporter *exporter, RpError *error);
RpStatus GltfExporter_WriteMeshes(GltfExporter *exporter, RpError *error);
/* Gives a stored normal the length 1; one of length 0 becomes a vector that points up. */
void Gltf_DecodeNormal(const int8_t raw[4], float normal[3]);
/* Writes "state1 lod0" or "lod1 group0". */
void Gltf_CellName(const RpReadings *readings, uint32_t cell, char *text, size_t size);

/* In bake.c. PlanPoses makes the rest poses; WriteTracks writes the accessors of the animation
 * later. */
RpStatus GltfExporter_PlanPoses(GltfExporter *exporter, RpError *error);
RpStatus GltfExporter_WriteTracks(GltfExporter *exporter, RpError *error);

/* Converts the sampler's w, x, y, z to glTF's x, y, z, w. The direction of rotation is that of the
 * reading. */
void Gltf_FromSampler(const RpReadings *readings, const float sampled[4], float rotation[4]);

/* Looks at the whole model and makes the document in exporter->writer, without corrections.
 * `options` is set and the rest is zero. GltfExporter_Free is needed in any case. */
RpStatus GltfExporter_Make(GltfExporter *exporter, const RpNResArchive *model, RpError *error);
void GltfExporter_Free(GltfExporter *exporter);

#endif
