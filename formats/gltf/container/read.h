/* Reads a glTF document: tables of the JSON, buffers, and accessors. Every range of an accessor is
 * checked. */
#ifndef RETROPOSE_FORMATS_GLTF_CONTAINER_READ_H
#define RETROPOSE_FORMATS_GLTF_CONTAINER_READ_H

#include "formats/gltf/container/gltf_writer.h"
#include "retropose/gltf.h"

#define GLTF_ABSENT UINT32_MAX

/* An array of the document, with an index. */
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
    GLTF_TABLE_SKINS,
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
    cJSON *parsed; /* the root, where this document parsed it */
    GltfTable tables[GLTF_TABLE_COUNT];
    GltfBytes bin;      /* the binary chunk of a GLB */
    GltfBytes *buffers; /* all of them are loaded at the beginning */
    GltfBytes *dense;   /* for each accessor: the full array of a sparse one */
    size_t dense_budget;
} GltfDoc;

/* Access to the numbers of an accessor. */
typedef struct GltfAccess {
    const uint8_t *data;
    uint32_t count, stride, component, components;
    bool normalized;
    uint32_t view; /* GLTF_ABSENT where the numbers are not simply those of a view */
    size_t offset; /* within the view */
} GltfAccess;

/* Reads the container, the tables and the buffers. The document must be freed in any case, and
 * `bytes` must outlive it. */
RpStatus GltfDoc_Open(GltfDoc *doc, const uint8_t *bytes, size_t size,
                      const RpGltfImportOptions *options, RpError *error);
/* Opens a document that is in memory already. */
RpStatus GltfDoc_FromTree(GltfDoc *doc, const cJSON *root, const uint8_t *bin, size_t bin_size,
                          const RpGltfImportOptions *options, RpError *error);
void GltfDoc_Free(GltfDoc *doc);

void *GltfDoc_Allocate(const GltfDoc *doc, size_t count, size_t size);
void GltfDoc_Release(const GltfDoc *doc, void *block);
void GltfDoc_Note(const GltfDoc *doc, const char *rule, const char *what, const char *subject);

/* Returns RP_CORRUPT for an index or a range that does not exist; `where` names it by JSON
 * pointer. */
RpStatus GltfDoc_Access(GltfDoc *doc, uint32_t accessor, GltfAccess *access, RpError *error);
/* Returns a number of an element and component that exist. Normalised integers are returned as
 * fractions. */
double GltfAccess_Number(const GltfAccess *access, uint32_t element, uint32_t component);
/* Returns the number as it is stored, for components that are integers. */
uint32_t GltfAccess_Integer(const GltfAccess *access, uint32_t element, uint32_t component);
uint32_t GltfView_Size(const GltfDoc *doc, uint32_t view);

/* ---- JSON ------------------------------------------------------------------------------------ */

const cJSON *Gltf_Member(const cJSON *object, const char *name);
/* Returns a whole number from 0 to 2^32 - 2, or GLTF_ABSENT. */
uint32_t Gltf_Index(const cJSON *object, const char *name);
uint32_t Gltf_Whole(const cJSON *number);
double Gltf_Number(const cJSON *object, const char *name, double otherwise);
const char *Gltf_Text(const cJSON *object, const char *name); /* may return null */
/* Returns the extension of this name, or null. */
const cJSON *Gltf_Extension(const cJSON *object, const char *name);
/* Reads up to `count` numbers of an array, and returns how many the array has. */
int Gltf_Numbers(const cJSON *object, const char *name, double *numbers, int count);
/* Reads what a channel of an animation moves, by its target or by KHR_animation_pointer: a node,
 * and which of its members. The node is GLTF_ABSENT for anything else. */
uint32_t Gltf_Target(const cJSON *channel, const char **path);
/* Returns extras.retropose, or null. */
const cJSON *Gltf_Hints(const cJSON *object);
RpStatus Gltf_Bad(RpError *error, RpStatus status, const char *what, const char *table,
                  uint32_t index, const char *expected);

#endif
