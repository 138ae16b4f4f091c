/* A glTF document as read: JSON tables, buffers, and accessors whose every range is checked. */
#ifndef RETROPOSE_FORMATS_GLTF_CONTAINER_READ_H
#define RETROPOSE_FORMATS_GLTF_CONTAINER_READ_H

#include "formats/gltf/container/write.h"
#include "retropose/gltf.h"

#define GLTF_ABSENT UINT32_MAX

/* An array of the document, indexed. */
typedef struct GltfTable {
    const cJSON **items;
    uint32_t count;
} GltfTable;

typedef enum GltfTableId {
    GLTF_TABLE_ACCESSORS,
    GLTF_TABLE_VIEWS,
    GLTF_TABLE_BUFFERS,
    GLTF_TABLE_NODES,
    GLTF_TABLE_MESHES,
    GLTF_TABLE_MATERIALS,
    GLTF_TABLE_SCENES,
    GLTF_TABLE_ANIMATIONS,
    GLTF_TABLE_COUNT
} GltfTableId;

typedef struct GltfBytes {
    const uint8_t *bytes;
    size_t size;
    RpBuffer owned;
} GltfBytes;

typedef struct GltfDoc {
    const RpGltfImportOptions *options;
    const cJSON *root;
    cJSON *parsed; /* the root, when this document parsed it */
    GltfTable tables[GLTF_TABLE_COUNT];
    GltfBytes bin;      /* chunk of a GLB */
    GltfBytes *buffers; /* loaded all at once */
    GltfBytes *dense;   /* by accessor: sparse ones made whole, once each */
    size_t dense_budget;
} GltfDoc;

/* Numbers of an accessor. */
typedef struct GltfAccess {
    const uint8_t *data;
    uint32_t count, stride, component, components;
    bool normalized;
    uint32_t view; /* GLTF_ABSENT where the numbers are not simply those of a view */
    size_t offset; /* in the view */
} GltfAccess;

/* Reads the container, the tables and the buffers. The document must be freed in any case; `bytes`
 * must outlive it. */
RpStatus GltfDoc_Open(GltfDoc *doc, const uint8_t *bytes, size_t size,
                      const RpGltfImportOptions *options, RpError *error);
/* Over a document that is already in memory. */
RpStatus GltfDoc_FromTree(GltfDoc *doc, const cJSON *root, const uint8_t *bin, size_t bin_size,
                          const RpGltfImportOptions *options, RpError *error);
void GltfDoc_Free(GltfDoc *doc);

void *GltfDoc_Allocate(const GltfDoc *doc, size_t count, size_t size);
void GltfDoc_Release(const GltfDoc *doc, void *block);
void GltfDoc_Note(const GltfDoc *doc, const char *rule, const char *what, const char *subject);

/* RP_CORRUPT for an index or a range that is not there; `where` names it by JSON pointer. */
RpStatus GltfDoc_Access(GltfDoc *doc, uint32_t accessor, GltfAccess *access, RpError *error);
/* Element and component must exist. Normalised integers come as fractions. */
double GltfAccess_Number(const GltfAccess *access, uint32_t element, uint32_t component);
/* As stored, for integer components. */
uint32_t GltfAccess_Integer(const GltfAccess *access, uint32_t element, uint32_t component);
uint32_t GltfView_Size(const GltfDoc *doc, uint32_t view);

/* ---- JSON ------------------------------------------------------------------------------------ */

const cJSON *Gltf_Member(const cJSON *object, const char *name);
/* A whole number from 0 to 2^32 - 2, else GLTF_ABSENT. */
uint32_t Gltf_Index(const cJSON *object, const char *name);
uint32_t Gltf_Whole(const cJSON *number);
double Gltf_Number(const cJSON *object, const char *name, double otherwise);
const char *Gltf_Text(const cJSON *object, const char *name); /* or null */
/* Up to `count` numbers of an array; how many there are in it. */
int Gltf_Numbers(const cJSON *object, const char *name, double *numbers, int count);
/* extras.retropose, or null. */
const cJSON *Gltf_Hints(const cJSON *object);
RpStatus Gltf_Bad(RpError *error, RpStatus status, const char *what, const char *table,
                  uint32_t index, const char *expected);

#endif
