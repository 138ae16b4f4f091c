#include "formats/gltf/container/gltf_writer.h"

#include "core/text/encoding.h"

#include <string.h>

static const char *const array_names[GLTF_ARRAY_COUNT] = {
    "accessors", "bufferViews", "nodes", "meshes", "materials", "scenes", "animations"};

void GltfWriter_Init(GltfWriter *writer, const RpAllocator *allocator) {
    *writer = (GltfWriter){.root = cJSON_CreateObject()};
    RpBuffer_Init(&writer->bin, allocator);
    for (int i = 0; i < GLTF_ARRAY_COUNT; i++) {
        writer->arrays[i] = cJSON_CreateArray();
        writer->failed |= !writer->arrays[i];
    }
    writer->failed |= !writer->root;
}

void GltfWriter_Free(GltfWriter *writer) {
    for (int i = 0; i < GLTF_ARRAY_COUNT; i++)
        cJSON_Delete(writer->arrays[i]);
    cJSON_Delete(writer->root);
    RpBuffer_Free(&writer->bin);
}

/* Takes over `item`, even if it cannot be added. */
static cJSON *Adopt(GltfWriter *writer, cJSON *parent, const char *name, cJSON *item) {
    bool added = false;
    if (item && parent)
        added =
            name ? cJSON_AddItemToObject(parent, name, item) : cJSON_AddItemToArray(parent, item);
    if (added)
        return item;
    writer->failed = true;
    cJSON_Delete(item);
    return NULL;
}

cJSON *GltfWriter_Add(GltfWriter *writer, GltfArray array) {
    writer->counts[array]++;
    return Adopt(writer, writer->arrays[array], NULL, cJSON_CreateObject());
}

cJSON *GltfWriter_Object(GltfWriter *writer, cJSON *parent, const char *name) {
    return Adopt(writer, parent, name, cJSON_CreateObject());
}

cJSON *GltfWriter_Array(GltfWriter *writer, cJSON *parent, const char *name) {
    return Adopt(writer, parent, name, cJSON_CreateArray());
}

cJSON *GltfWriter_PushObject(GltfWriter *writer, cJSON *array) {
    return Adopt(writer, array, NULL, cJSON_CreateObject());
}

void GltfWriter_Push(GltfWriter *writer, cJSON *array, double value) {
    Adopt(writer, array, NULL, cJSON_CreateNumber(value));
}

void GltfWriter_Number(GltfWriter *writer, cJSON *object, const char *name, double value) {
    Adopt(writer, object, name, cJSON_CreateNumber(value));
}

void GltfWriter_Text(GltfWriter *writer, cJSON *object, const char *name, const char *value) {
    Adopt(writer, object, name, cJSON_CreateString(value));
}

void GltfWriter_True(GltfWriter *writer, cJSON *object, const char *name) {
    Adopt(writer, object, name, cJSON_CreateTrue());
}

void GltfWriter_Floats(GltfWriter *writer, cJSON *object, const char *name, const float *values,
                       int count) {
    cJSON *array = GltfWriter_Array(writer, object, name);
    for (int i = 0; i < count; i++)
        GltfWriter_Push(writer, array, values[i]);
}

cJSON *GltfWriter_Extras(GltfWriter *writer, cJSON *object) {
    cJSON *extras = cJSON_GetObjectItemCaseSensitive(object, "extras");
    if (!extras)
        extras = GltfWriter_Object(writer, object, "extras");
    cJSON *own = cJSON_GetObjectItemCaseSensitive(extras, "retropose");
    return own ? own : GltfWriter_Object(writer, extras, "retropose");
}

uint32_t GltfWriter_View(GltfWriter *writer, const void *bytes, size_t size, uint32_t stride,
                         uint32_t target) {
    RpBuffer_Align(&writer->bin, 4);
    size_t offset = writer->bin.size;
    RpBuffer_Append(&writer->bin, bytes, size);
    cJSON *view = GltfWriter_Add(writer, GLTF_VIEWS);
    GltfWriter_Number(writer, view, "buffer", 0);
    GltfWriter_Number(writer, view, "byteOffset", (double)offset);
    GltfWriter_Number(writer, view, "byteLength", (double)size);
    if (stride)
        GltfWriter_Number(writer, view, "byteStride", stride);
    if (target)
        GltfWriter_Number(writer, view, "target", target);
    return writer->counts[GLTF_VIEWS] - 1;
}

uint32_t GltfWriter_Accessor(GltfWriter *writer, const GltfAccessor *accessor) {
    cJSON *object = GltfWriter_Add(writer, GLTF_ACCESSORS);
    GltfWriter_Number(writer, object, "bufferView", accessor->view);
    if (accessor->offset)
        GltfWriter_Number(writer, object, "byteOffset", accessor->offset);
    GltfWriter_Number(writer, object, "componentType", accessor->component);
    GltfWriter_Number(writer, object, "count", accessor->count);
    GltfWriter_Text(writer, object, "type", accessor->type);
    if (accessor->low) {
        GltfWriter_Floats(writer, object, "min", accessor->low, accessor->components);
        GltfWriter_Floats(writer, object, "max", accessor->high, accessor->components);
    }
    return writer->counts[GLTF_ACCESSORS] - 1;
}

/* ---- the file -------------------------------------------------------------------------------- */

void GltfWriter_Assemble(GltfWriter *writer) {
    RpBuffer_Align(&writer->bin, 4);
    if (writer->bin.size > 0) {
        cJSON *buffers = GltfWriter_Array(writer, writer->root, "buffers");
        writer->buffer = GltfWriter_PushObject(writer, buffers);
        GltfWriter_Number(writer, writer->buffer, "byteLength", (double)writer->bin.size);
    }
    for (int i = 0; i < GLTF_ARRAY_COUNT; i++) {
        if (writer->counts[i] > 0)
            Adopt(writer, writer->root, array_names[i], writer->arrays[i]);
        else
            cJSON_Delete(writer->arrays[i]);
        writer->arrays[i] = NULL;
    }
    writer->failed |= writer->bin.failed;
}

RpStatus GltfWriter_Write(GltfWriter *writer, bool text, RpBuffer *file, RpError *error) {
    if (writer->bin.size >= UINT32_MAX / 4)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "too much for a GLB", "",
                           "less than 1 GiB", "");
    if (text && writer->buffer) {
        RpBuffer uri;
        RpBuffer_Init(&uri, writer->bin.allocator);
        RpBuffer_AppendText(&uri, "data:application/octet-stream;base64,");
        Base64_Encode(writer->bin.bytes, writer->bin.size, &uri);
        RpBuffer_Append(&uri, "", 1);
        if (uri.failed)
            writer->failed = true;
        else
            GltfWriter_Text(writer, writer->buffer, "uri", (const char *)uri.bytes);
        RpBuffer_Free(&uri);
    }
    char *json = writer->failed ? NULL : cJSON_PrintUnformatted(writer->root);
    if (!json)
        return RpMemory_Refused(error, "glTF");
    if (text) {
        RpBuffer_AppendText(file, json);
    } else {
        /* glTF pads the JSON chunk with spaces and the binary chunk with zeros. */
        size_t length = strlen(json), padding = (4 - length % 4) % 4;
        size_t total = GLB_HEADER_BYTES + GLB_CHUNK_HEADER_BYTES + length + padding;
        if (writer->bin.size > 0)
            total += GLB_CHUNK_HEADER_BYTES + writer->bin.size;
        RpBuffer_AppendU32(file, GLB_MAGIC);
        RpBuffer_AppendU32(file, GLB_VERSION);
        RpBuffer_AppendU32(file, (uint32_t)total);
        RpBuffer_AppendU32(file, (uint32_t)(length + padding));
        RpBuffer_AppendU32(file, GLB_CHUNK_JSON);
        RpBuffer_Append(file, json, length);
        RpBuffer_Append(file, "   ", padding);
        if (writer->bin.size != 0) {
            RpBuffer_AppendU32(file, (uint32_t)writer->bin.size);
            RpBuffer_AppendU32(file, GLB_CHUNK_BIN);
            RpBuffer_Append(file, writer->bin.bytes, writer->bin.size);
        }
    }
    cJSON_free(json);
    return file->failed ? RpMemory_Refused(error, "glTF") : RP_OK;
}
