/* A glTF document in the making: its JSON (with cJSON) and its one buffer. */
#ifndef RETROPOSE_FORMATS_GLTF_CONTAINER_GLTF_WRITER_H
#define RETROPOSE_FORMATS_GLTF_CONTAINER_GLTF_WRITER_H

#include "retropose/memory.h"

#include <cjson/cJSON.h>

enum {
    GLTF_BYTE = 5120,
    GLTF_UNSIGNED_BYTE = 5121,
    GLTF_SHORT = 5122,
    GLTF_UNSIGNED_SHORT = 5123,
    GLTF_UNSIGNED_INT = 5125,
    GLTF_FLOAT = 5126
};
enum { GLTF_NO_TARGET = 0, GLTF_VERTICES = 34962, GLTF_INDICES = 34963 };

/* Sizes from glTF 2.0, section 4.4. */
enum { GLB_HEADER_BYTES = 12, GLB_CHUNK_HEADER_BYTES = 8, GLB_VERSION = 2 };
#define GLB_MAGIC      0x46546C67u
#define GLB_CHUNK_JSON 0x4E4F534Au
#define GLB_CHUNK_BIN  0x004E4942u

typedef enum GltfArray {
    GLTF_ACCESSORS,
    GLTF_VIEWS,
    GLTF_NODES,
    GLTF_MESHES,
    GLTF_MATERIALS,
    GLTF_SCENES,
    GLTF_ANIMATIONS,
    GLTF_ARRAY_COUNT
} GltfArray;

typedef struct GltfWriter {
    cJSON *root;
    cJSON *arrays[GLTF_ARRAY_COUNT]; /* used until GltfWriter_Assemble */
    cJSON *buffer;                   /* used after that; null if it is empty */
    uint32_t counts[GLTF_ARRAY_COUNT];
    RpBuffer bin;
    bool failed; /* memory was short */
} GltfWriter;

typedef struct GltfAccessor {
    uint32_t view, offset, component, count;
    const char *type;
    const float *low, *high; /* arrays of `components` numbers, or null */
    int components;
} GltfAccessor;

void GltfWriter_Init(GltfWriter *writer, const RpAllocator *allocator);
void GltfWriter_Free(GltfWriter *writer);
/* Adds an object at the end of one of the arrays. Returns null after a failure. The functions
 * below accept null objects and then do nothing. */
cJSON *GltfWriter_Add(GltfWriter *writer, GltfArray array);
/* Copies bytes into a new view, aligned to 4, and returns its index. With stride 0 the view
 * states none. */
uint32_t GltfWriter_View(GltfWriter *writer, const void *bytes, size_t size, uint32_t stride,
                         uint32_t target);
uint32_t GltfWriter_Accessor(GltfWriter *writer, const GltfAccessor *accessor);
/* Makes `root` the whole document. Objects stay at their addresses and can still be changed. */
void GltfWriter_Assemble(GltfWriter *writer);
/* Appends the whole file, after GltfWriter_Assemble. With `text` it is JSON with the buffer as a
 * data URI, else GLB. */
RpStatus GltfWriter_Write(GltfWriter *writer, bool text, RpBuffer *file, RpError *error);

cJSON *GltfWriter_Object(GltfWriter *writer, cJSON *parent, const char *name);
cJSON *GltfWriter_Array(GltfWriter *writer, cJSON *parent, const char *name);
cJSON *GltfWriter_PushObject(GltfWriter *writer, cJSON *array);
void GltfWriter_Push(GltfWriter *writer, cJSON *array, double value);
void GltfWriter_Number(GltfWriter *writer, cJSON *object, const char *name, double value);
void GltfWriter_Text(GltfWriter *writer, cJSON *object, const char *name, const char *value);
void GltfWriter_True(GltfWriter *writer, cJSON *object, const char *name);
void GltfWriter_Floats(GltfWriter *writer, cJSON *object, const char *name, const float *values,
                       int count);
/* Returns extras.retropose of an object. Adds it if it does not exist. */
cJSON *GltfWriter_Extras(GltfWriter *writer, cJSON *object);

#endif
