#include "formats/gltf/container/read.h"

#include "core/bytes.h"
#include "core/callers.h"
#include "core/hex.h"
#include "core/json/json_read.h"
#include "core/text/encoding.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ------------------------------------------------------------------------------------ */

const cJSON *Gltf_Member(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

uint32_t Gltf_Whole(const cJSON *number) {
    if (!cJSON_IsNumber(number))
        return GLTF_ABSENT;
    double value = number->valuedouble;
    if (!(value >= 0.0 && value < 4294967295.0) || value != floor(value))
        return GLTF_ABSENT;
    return (uint32_t)value;
}

uint32_t Gltf_Index(const cJSON *object, const char *name) {
    return Gltf_Whole(Gltf_Member(object, name));
}

double Gltf_Number(const cJSON *object, const char *name, double otherwise) {
    const cJSON *number = Gltf_Member(object, name);
    return cJSON_IsNumber(number) ? number->valuedouble : otherwise;
}

const char *Gltf_Text(const cJSON *object, const char *name) {
    return cJSON_GetStringValue(Gltf_Member(object, name));
}

int Gltf_Numbers(const cJSON *object, const char *name, double *numbers, int count) {
    const cJSON *array = Gltf_Member(object, name);
    int total = 0;
    for (const cJSON *item = cJSON_IsArray(array) ? array->child : NULL; item; item = item->next) {
        if (!cJSON_IsNumber(item))
            return -1;
        if (total < count)
            numbers[total] = item->valuedouble;
        total++;
    }
    return total;
}

const cJSON *Gltf_Extension(const cJSON *object, const char *name) {
    return Gltf_Member(Gltf_Member(object, "extensions"), name);
}

uint32_t Gltf_Target(const cJSON *channel, const char **path) {
    const cJSON *target = Gltf_Member(channel, "target");
    const char *pointer = Gltf_Text(Gltf_Extension(target, "KHR_animation_pointer"), "pointer");
    uint32_t node = GLTF_ABSENT;
    *path = Gltf_Text(target, "path");
    if (!*path || strcmp(*path, "pointer") != 0)
        return Gltf_Index(target, "node");
    if (!pointer || !Text_TakeNumber(&pointer, "/nodes/", 10, UINT32_MAX - 1, &node) ||
        *pointer != '/')
        return GLTF_ABSENT;
    *path = pointer + 1;
    return node;
}

const cJSON *Gltf_Hints(const cJSON *object) {
    return Gltf_Member(Gltf_Member(object, "extras"), "retropose");
}

RpStatus Gltf_Bad(RpError *error, RpStatus status, const char *what, const char *table,
                  uint32_t index, const char *expected) {
    char where[64];
    if (index == GLTF_ABSENT)
        snprintf(where, sizeof where, "/%s", table);
    else
        snprintf(where, sizeof where, "/%s/%u", table, (unsigned)index);
    return RpError_Set(error, status, RP_NOWHERE, what, where, expected, "");
}

/* ---- memory and notes ------------------------------------------------------------------------ */

void *GltfDoc_Allocate(const GltfDoc *doc, size_t count, size_t size) {
    if (count > SIZE_MAX / 2 / size)
        return NULL;
    size_t total = count > 0 ? count * size : 1;
    void *block = RpMemory_Resize(doc->options->allocator, NULL, total);
    if (block)
        memset(block, 0, total);
    return block;
}

void GltfDoc_Release(const GltfDoc *doc, void *block) {
    RpMemory_Free(doc->options->allocator, block);
}

void GltfDoc_Note(const GltfDoc *doc, const char *rule, const char *what, const char *subject) {
    RpFinding finding = RpFinding_New(rule, RP_SEVERITY_WARNING);
    snprintf(finding.what, sizeof finding.what, "%s", what);
    snprintf(finding.found, sizeof finding.found, "%s", subject ? subject : "");
    RpFindingSink_Report(doc->options->notes, &finding);
}

/* ---- the container --------------------------------------------------------------------------- */

static bool IsBinary(const uint8_t *bytes, size_t size) {
    return size >= 4 && Bytes_U32(bytes) == GLB_MAGIC;
}

static size_t SkipSpace(const uint8_t *bytes, size_t size) {
    size_t at = 0;
    if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0)
        at = 3;
    while (at < size &&
           (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\n' || bytes[at] == '\r'))
        at++;
    return at;
}

bool RpGltf_Is(const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    if (IsBinary(at, size))
        return true;
    size_t space = SkipSpace(at, size);
    if (space >= size || at[space] != '{')
        return false;
    for (size_t i = space; i + 7 <= size; i++)
        if (memcmp(at + i, "\"asset\"", 7) == 0)
            return true;
    return false;
}

typedef struct Chunks {
    const uint8_t *json, *bin;
    size_t json_size, bin_size;
} Chunks;

/* Reports that there are fewer bytes than there should be. */
static RpStatus RefuseCut(const char *what, size_t at, uint64_t wanted, size_t size,
                          RpError *error) {
    char expected[40], found[40];
    snprintf(expected, sizeof expected, "%" PRIu64 " bytes", wanted);
    snprintf(found, sizeof found, "%zu", size);
    return RpError_Set(error, RP_TRUNCATED, at, what, "", expected, found);
}

static RpStatus SplitBinary(const uint8_t *bytes, size_t size, Chunks *chunks, RpError *error) {
    if (size < GLB_HEADER_BYTES)
        return RefuseCut("the GLB has no header", 0, GLB_HEADER_BYTES, size, error);
    if (Bytes_U32(bytes + 4) != GLB_VERSION)
        return RpError_Set(error, RP_UNSUPPORTED, 4, "not version 2 of GLB", "", "2", "");
    if (Bytes_U32(bytes + 8) > size)
        return RefuseCut("the GLB is shorter than it says", size, Bytes_U32(bytes + 8), size,
                         error);
    size_t at = GLB_HEADER_BYTES, end = Bytes_U32(bytes + 8);
    for (uint32_t i = 0; at < end; i++) {
        uint32_t type = 0;
        const uint8_t *chunk = NULL;
        size_t chunk_size = 0;
        if (end - at < GLB_CHUNK_HEADER_BYTES)
            return RefuseCut("a chunk of the GLB has no header", at, GLB_CHUNK_HEADER_BYTES,
                             end - at, error);
        chunk_size = Bytes_U32(bytes + at);
        type = Bytes_U32(bytes + at + 4);
        at += GLB_CHUNK_HEADER_BYTES;
        if (chunk_size > end - at)
            return RefuseCut("a chunk of the GLB is cut short", at, chunk_size, end - at, error);
        chunk = bytes + at;
        at += chunk_size;
        if (i == 0 && type == GLB_CHUNK_JSON) {
            chunks->json = chunk;

            /* glTF pads this chunk with spaces (glTF 2.0, section 4.4.3.1). Some programs write
             * zeros instead, which are removed here. */
            for (int n = 0; n < 3 && chunk_size > 0 && chunk[chunk_size - 1] == 0; n++)
                chunk_size--;
            chunks->json_size = chunk_size;
        } else if (i == 1 && type == GLB_CHUNK_BIN) {
            chunks->bin = chunk;
            chunks->bin_size = chunk_size;
        }
    }
    return chunks->json ? RP_OK
                        : RpError_Set(error, RP_CORRUPT, GLB_HEADER_BYTES,
                                      "the GLB does not begin with JSON", "", "a JSON chunk", "");
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const char *const table_names[GLTF_TABLE_COUNT] = {"accessors", "bufferViews", "buffers",
                                                          "nodes",     "meshes",      "materials",
                                                          "scenes",    "animations",  "skins"};

static bool IsOneOf(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Returns whether a file may require an extension: because it is read here, or because it does not
 * change any number that a model gets. */
static bool CanIgnore(const char *name) {
    static const char *const harmless[] = {"KHR_mesh_quantization", "KHR_texture_transform",
                                           "KHR_lights_punctual",   "KHR_node_visibility",
                                           "KHR_texture_basisu",    "EXT_texture_webp",
                                           "EXT_texture_avif",      "KHR_xmp_json_ld"};
    return IsOneOf(name, harmless, sizeof harmless / sizeof *harmless) ||
           strncmp(name, "KHR_materials_", 14) == 0;
}

/* Says which extensions a file uses that change what it shows and are not read. What is compressed
 * has a fallback, as long as the file does not require the extension, and what a pointer animates
 * is said where it is left out. */
static void NoteExtensions(const GltfDoc *doc) {
    static const char *const silent[] = {"KHR_draco_mesh_compression", "EXT_meshopt_compression",
                                         "KHR_meshopt_compression", "KHR_animation_pointer"};
    const cJSON *used = Gltf_Member(doc->root, "extensionsUsed");
    for (const cJSON *item = cJSON_IsArray(used) ? used->child : NULL; item; item = item->next) {
        const char *name = cJSON_GetStringValue(item);
        if (name && !CanIgnore(name) && !IsOneOf(name, silent, sizeof silent / sizeof *silent))
            GltfDoc_Note(doc, "G47", "an extension that is not read here is left out", name);
    }
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* Appends what the escapes of an URI stand for (RFC 3986, 2.1). The result is false for an escape
 * that is none, and for a NUL where `is_text`. */
static bool DecodeEscapes(const char *uri, bool is_text, RpBuffer *decoded) {
    for (; *uri; uri++) {
        uint8_t byte = (uint8_t)*uri;
        if (byte == '%') {
            const int high = Hex_Digit(uri[1]), low = high < 0 ? -1 : Hex_Digit(uri[2]);
            if (low < 0)
                return false;
            byte = (uint8_t)(high << 4 | low);
            uri += 2;
        }
        if (is_text && byte == 0)
            return false;
        RpBuffer_Append(decoded, &byte, 1);
    }
    return !decoded->failed;
}

static bool BeginsWith(const char *text, const char *beginning) {
    for (; *beginning; text++, beginning++)
        if ((*text >= 'A' && *text <= 'Z' ? *text - 'A' + 'a' : *text) != *beginning)
            return false;
    return true;
}

/* "data:[type][;base64],the data" (RFC 2397), in whatever case of letters. */
static RpStatus DecodeData(const char *uri, RpBuffer *bytes, RpError *error) {
    static const char ending[] = ";base64";
    const size_t length = sizeof ending - 1;
    const char *comma = strchr(uri, ',');
    bool decoded = comma != NULL;
    if (comma && (size_t)(comma - uri) > length && BeginsWith(comma - length, ending))
        decoded = Base64_Decode(comma + 1, strlen(comma + 1), bytes);
    else if (comma)
        decoded = DecodeEscapes(comma + 1, false, bytes);
    if (bytes->failed)
        return RpMemory_Refused(error, "data URI");
    return decoded ? RP_OK
                   : RpError_Set(error, RP_CORRUPT, RP_NOWHERE, "a data URI cannot be decoded",
                                 "/buffers", "data:TYPE;base64,DATA", "");
}

bool RpGltf_IsBeside(const char *path) {
    if (!*path || *path == '/' ||
        strpbrk(path, ":\\")) /* a colon begins a drive, or another scheme */
        return false;
    for (const char *part = path; part; part = strchr(part, '/'), part = part ? part + 1 : NULL)
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == 0))
            return false;
    return true;
}

static RpStatus LoadPath(GltfDoc *doc, const char *path, RpBuffer *loaded, RpError *error) {
    const bool changed = Callers_Enter();
    const RpStatus status = doc->options->load(doc->options->load_context, path, loaded, error);
    Callers_Leave(changed);
    return status;
}

/* Loads the file that an URI names: decoded, as the standard says, or else by the name as it
 * stands, because many programs write that. */
static RpStatus LoadUri(GltfDoc *doc, const char *uri, RpBuffer *loaded, RpError *error) {
    RpBuffer path;
    RpBuffer_Init(&path, doc->options->allocator);
    const bool decoded = DecodeEscapes(uri, true, &path) && RpBuffer_Append(&path, "", 1);
    RpStatus status = path.failed ? RpMemory_Refused(error, "URI") : RP_OK;
    if (status == RP_OK) {
        status = LoadPath(doc, decoded ? (const char *)path.bytes : uri, loaded, error);
        if (status == RP_NOT_FOUND && decoded && strcmp((const char *)path.bytes, uri) != 0 &&
            loaded->size == 0 && LoadPath(doc, uri, loaded, NULL) == RP_OK)
            status = RP_OK;
    }
    RpBuffer_Free(&path);
    return status;
}

/* A file may name the same buffer several times. `first` is the first buffer with the same URI. */
static RpStatus LoadBuffer(GltfDoc *doc, uint32_t index, uint32_t first, RpError *error) {
    static const uint8_t nothing[1]; /* gives an empty buffer an address from which offsets count */
    const cJSON *object = doc->tables[GLTF_TABLE_BUFFERS].items[index];
    GltfBytes *buffer = &doc->buffers[index];
    RpBuffer *loaded = &doc->buffers[first].owned;
    const char *uri = Gltf_Text(object, "uri");
    uint32_t length = Gltf_Index(object, "byteLength");
    if (uri) {
        RpStatus status = RP_OK;
        if (first == index && BeginsWith(uri, "data:"))
            status = DecodeData(uri, loaded, error);
        else if (first == index && doc->options->load)
            status = LoadUri(doc, uri, loaded, error);
        else if (first == index)
            status = RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                                 "the buffer is another file, which cannot be loaded here",
                                 "/buffers", "a GLB, or data URIs", uri);
        if (status != RP_OK)
            return status;
        buffer->bytes = loaded->bytes;
        buffer->size = loaded->size;
    } else if (index == 0) {
        buffer->bytes = doc->bin.bytes;
        buffer->size = doc->bin.size;
    }
    if (!buffer->bytes)
        buffer->bytes = nothing;
    if (length == GLTF_ABSENT || length > buffer->size)
        return Gltf_Bad(error, RP_TRUNCATED, "a buffer is shorter than it says", "buffers", index,
                        "byteLength bytes");
    buffer->size = length;
    return RP_OK;
}

typedef struct BufferUri {
    const char *uri;
    uint32_t index;
} BufferUri;

static int CompareUris(const void *a, const void *b) {
    const BufferUri *left = a, *right = b;
    const int order = strcmp(left->uri, right->uri);
    return order ? order : (left->index > right->index) - (left->index < right->index);
}

static RpStatus Prepare(GltfDoc *doc, size_t size, RpError *error) {
    const cJSON *required = Gltf_Member(doc->root, "extensionsRequired");
    for (const cJSON *item = required ? required->child : NULL; item; item = item->next) {
        const char *name = cJSON_GetStringValue(item);
        if (!name || !CanIgnore(name))
            return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                               "the file requires an extension that is not read here",
                               "/extensionsRequired",
                               "a file without compression: KHR_mesh_quantization is read",
                               name ? name : "not a name");
    }
    NoteExtensions(doc);
    for (int id = 0; id < GLTF_TABLE_COUNT; id++) {
        const cJSON *array = Gltf_Member(doc->root, table_names[id]);
        GltfTable *table = &doc->tables[id];
        if (array && !cJSON_IsArray(array))
            return Gltf_Bad(error, RP_CORRUPT, "not an array", table_names[id], GLTF_ABSENT,
                            "an array");
        uint32_t count = 0;
        for (const cJSON *item = array ? array->child : NULL; item; item = item->next)
            count++;
        table->items = GltfDoc_Allocate(doc, count, sizeof *table->items);
        if (!table->items)
            return RpMemory_Refused(error, table_names[id]);
        for (const cJSON *item = array ? array->child : NULL; item; item = item->next) {
            if (!cJSON_IsObject(item))
                return Gltf_Bad(error, RP_CORRUPT, "not an object", table_names[id], table->count,
                                "an object");
            table->items[table->count++] = item;
        }
    }
    uint32_t buffers = doc->tables[GLTF_TABLE_BUFFERS].count;
    uint32_t accessors = doc->tables[GLTF_TABLE_ACCESSORS].count;
    doc->buffers = GltfDoc_Allocate(doc, buffers, sizeof *doc->buffers);
    doc->dense = GltfDoc_Allocate(doc, accessors, sizeof *doc->dense);
    doc->dense_budget = 4 * size + (1u << 20);
    if (!doc->buffers || !doc->dense)
        return RpMemory_Refused(error, "glTF");
    const uint32_t count = doc->tables[GLTF_TABLE_BUFFERS].count;
    BufferUri *uris = GltfDoc_Allocate(doc, count, sizeof *uris);
    uint32_t *first = GltfDoc_Allocate(doc, count, sizeof *first);
    RpStatus status = uris && first ? RP_OK : RpMemory_Refused(error, "buffers");
    for (uint32_t i = 0; i < count; i++)
        RpBuffer_Init(&doc->buffers[i].owned, doc->options->allocator);
    if (status == RP_OK) {
        /* Finds, for each buffer, the first one with the same URI. */
        const GltfTable *table = &doc->tables[GLTF_TABLE_BUFFERS];
        for (uint32_t i = 0; i < table->count; i++) {
            const char *uri = Gltf_Text(table->items[i], "uri");
            uris[i] = (BufferUri){uri ? uri : "", i};
        }
        qsort(uris, table->count, sizeof *uris, CompareUris);
        for (uint32_t i = 0; i < table->count; i++)
            first[uris[i].index] = i > 0 && strcmp(uris[i - 1].uri, uris[i].uri) == 0
                                       ? first[uris[i - 1].index]
                                       : uris[i].index;
    }
    for (uint32_t i = 0; i < count && status == RP_OK; i++)
        status = LoadBuffer(doc, i, first[i], error);
    GltfDoc_Release(doc, uris);
    GltfDoc_Release(doc, first);
    return status;
}

RpStatus GltfDoc_Open(GltfDoc *doc, const uint8_t *bytes, size_t size,
                      const RpGltfImportOptions *options, RpError *error) {
    Chunks chunks = {NULL, NULL, 0, 0};
    RpStatus status = RP_OK;
    *doc = (GltfDoc){.options = options};
    if (IsBinary(bytes, size)) {
        status = SplitBinary(bytes, size, &chunks, error);
        if (status == RP_OK && Bytes_U32(bytes + 8) < size)
            GltfDoc_Note(doc, "G40", "what lies behind the end of the GLB is left out", "");
    } else {
        size_t space = SkipSpace(bytes, size);
        chunks.json = bytes + space;
        chunks.json_size = size - space;
    }
    if (status == RP_OK) {
        const char *end = NULL;
        doc->parsed = JsonRead_Parse((const char *)chunks.json, chunks.json_size, &end);
        doc->root = doc->parsed;
        if (!cJSON_IsObject(doc->root)) {
            char found[48];
            snprintf(found, sizeof found, "%zu bytes that are none", chunks.json_size);
            status = RpError_Set(error, RP_CORRUPT,
                                 end ? (uint64_t)(end - (const char *)chunks.json) : RP_NOWHERE,
                                 "not JSON", "/", "an object, nested 1000 deep at most", found);
        } else {
            const cJSON *asset = Gltf_Member(doc->root, "asset");
            const char *version = Gltf_Text(asset, "version");
            const char *least = Gltf_Text(asset, "minVersion");
            if (!version || version[0] != '2' || version[1] != '.')
                status = RpError_Set(error, version ? RP_UNSUPPORTED : RP_CORRUPT, RP_NOWHERE,
                                     "not glTF 2", "/asset/version", "2.0",
                                     version ? version : "nothing");
            else if (least && strcmp(least, "2.0") != 0)
                status = RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                                     "the file demands a reader of a newer version of glTF",
                                     "/asset/minVersion", "2.0", least);
        }
    }
    doc->bin.bytes = chunks.bin;
    doc->bin.size = chunks.bin_size;
    return status == RP_OK ? Prepare(doc, size, error) : status;
}

RpStatus GltfDoc_FromTree(GltfDoc *doc, const cJSON *root, const uint8_t *bin, size_t bin_size,
                          const RpGltfImportOptions *options, RpError *error) {
    *doc = (GltfDoc){.options = options, .root = root};
    doc->bin.bytes = bin;
    doc->bin.size = bin_size;
    return Prepare(doc, bin_size, error);
}

void GltfDoc_Free(GltfDoc *doc) {
    for (uint32_t i = 0; doc->buffers && i < doc->tables[GLTF_TABLE_BUFFERS].count; i++)
        RpBuffer_Free(&doc->buffers[i].owned);
    for (uint32_t i = 0; doc->dense && i < doc->tables[GLTF_TABLE_ACCESSORS].count; i++)
        GltfDoc_Release(doc, doc->dense[i].owned.bytes);
    GltfDoc_Release(doc, doc->buffers);
    GltfDoc_Release(doc, doc->dense);
    for (int i = 0; i < GLTF_TABLE_COUNT; i++)
        GltfDoc_Release(doc, (void *)doc->tables[i].items);
    cJSON_Delete(doc->parsed);
}

/* ---- views ----------------------------------------------------------------------------------- */

typedef struct View {
    const uint8_t *bytes;
    size_t size;
    uint32_t stride; /* 0: the file does not state it */
} View;

/* Only views of vertices may have a stride (glTF 2.0, 3.6.2.2). One that is the size of an element
 * says nothing, and is read wherever it stands. */
static RpStatus OpenView(const GltfDoc *doc, uint32_t index, uint32_t element, View *view,
                         RpError *error) {
    const GltfTable *views = &doc->tables[GLTF_TABLE_VIEWS];
    if (index >= views->count)
        return Gltf_Bad(error, RP_CORRUPT, "there is no such view", "bufferViews", index,
                        "an index of bufferViews");
    const cJSON *object = views->items[index];
    uint32_t buffer = Gltf_Index(object, "buffer"), length = Gltf_Index(object, "byteLength");
    uint32_t offset = Gltf_Member(object, "byteOffset") ? Gltf_Index(object, "byteOffset") : 0;
    uint32_t stride = Gltf_Member(object, "byteStride") ? Gltf_Index(object, "byteStride") : 0;
    if (buffer >= doc->tables[GLTF_TABLE_BUFFERS].count || length == GLTF_ABSENT ||
        offset == GLTF_ABSENT || (uint64_t)offset + length > doc->buffers[buffer].size)
        return Gltf_Bad(error, RP_CORRUPT, "a view is not inside its buffer", "bufferViews", index,
                        "a range of a buffer");
    if (stride != 0 && stride != element && (stride < 4 || stride > 252))
        return Gltf_Bad(error, RP_CORRUPT, "a view has a stride that none may have", "bufferViews",
                        index, "4 to 252 bytes, or those of an element");
    *view = (View){doc->buffers[buffer].bytes + offset, length, stride};
    return RP_OK;
}

uint32_t GltfView_Size(const GltfDoc *doc, uint32_t view) {
    return Gltf_Index(doc->tables[GLTF_TABLE_VIEWS].items[view], "byteLength");
}

/* ---- accessors ------------------------------------------------------------------------------- */

static uint32_t ComponentBytes(uint32_t component) {
    switch (component) {
    case GLTF_BYTE:
    case GLTF_UNSIGNED_BYTE:
        return 1;
    case GLTF_SHORT:
    case GLTF_UNSIGNED_SHORT:
        return 2;
    case GLTF_UNSIGNED_INT:
    case GLTF_FLOAT:
        return 4;
    default:
        return 0;
    }
}

/* Returns whether `count` elements from the offset on lie within the view. */
static bool Fits(const View *view, size_t offset, uint32_t count, uint32_t stride,
                 uint32_t element) {
    uint64_t last = count > 0 ? (uint64_t)(count - 1) * stride + element : 0;
    return offset <= view->size && last <= view->size - offset;
}

/* Opens the indices or the values of a sparse accessor. */
static RpStatus OpenSparsePart(const GltfDoc *doc, const cJSON *part, uint32_t count,
                               uint32_t element, uint32_t accessor, const uint8_t **bytes,
                               RpError *error) {
    View view;
    RpStatus status = OpenView(doc, Gltf_Index(part, "bufferView"), element, &view, error);
    if (status != RP_OK)
        return status;
    uint32_t offset = Gltf_Member(part, "byteOffset") ? Gltf_Index(part, "byteOffset") : 0;
    if (element == 0 || !Fits(&view, offset, count, element, element))
        return Gltf_Bad(error, RP_CORRUPT, "a sparse accessor reaches out of its view", "accessors",
                        accessor, "a range of the view");
    *bytes = view.bytes + offset;
    return RP_OK;
}

static RpStatus ApplySparse(const GltfDoc *doc, const cJSON *sparse, uint32_t accessor,
                            uint32_t element, uint32_t count, uint8_t *data, RpError *error) {
    uint32_t changes = Gltf_Index(sparse, "count");
    const cJSON *indices = Gltf_Member(sparse, "indices"), *values = Gltf_Member(sparse, "values");
    uint32_t index_bytes = ComponentBytes(Gltf_Index(indices, "componentType"));
    const uint8_t *index_at = NULL, *value_at = NULL;
    if (changes == GLTF_ABSENT || changes > count)
        return Gltf_Bad(error, RP_CORRUPT, "a sparse accessor changes more than it has",
                        "accessors", accessor, "at most count");
    RpStatus status =
        OpenSparsePart(doc, indices, changes, index_bytes, accessor, &index_at, error);
    if (status == RP_OK)
        status = OpenSparsePart(doc, values, changes, element, accessor, &value_at, error);
    for (uint32_t i = 0; i < changes && status == RP_OK; i++) {
        const uint8_t *at = index_at + (size_t)i * index_bytes;
        uint32_t place = index_bytes == 1   ? at[0]
                         : index_bytes == 2 ? Bytes_U16(at)
                                            : Bytes_U32(at);
        if (place >= count)
            return Gltf_Bad(error, RP_CORRUPT, "a sparse accessor changes what it does not have",
                            "accessors", accessor, "indices below count");
        memcpy(data + (size_t)place * element, value_at + (size_t)i * element, element);
    }
    return status;
}

/* Makes the full array of a sparse accessor: the numbers of its view, or zeros, with the changes
 * applied. This is done once for each accessor. */
static RpStatus MakeDense(GltfDoc *doc, uint32_t index, const cJSON *sparse, uint32_t element,
                          GltfAccess *access, RpError *error) {
    GltfBytes *dense = &doc->dense[index];
    size_t size = (size_t)access->count * element;
    if (!dense->owned.bytes) {
        if ((uint64_t)access->count * element > doc->dense_budget)
            return Gltf_Bad(error, RP_UNSUPPORTED, "sparse accessors are larger than the file",
                            "accessors", index, "at most 4 times its size");
        dense->owned.bytes = GltfDoc_Allocate(doc, size, 1);
        if (!dense->owned.bytes)
            return RpMemory_Refused(error, "sparse accessor");
        doc->dense_budget -= size;
        for (uint32_t i = 0; access->data && i < access->count; i++)
            memcpy(dense->owned.bytes + (size_t)i * element,
                   access->data + (size_t)i * access->stride, element);
        RpStatus status = RP_OK;
        if (sparse)
            status =
                ApplySparse(doc, sparse, index, element, access->count, dense->owned.bytes, error);
        if (status != RP_OK) {
            /* The array has only some of the changes. Nobody who opens the accessor later may get
             * it. */
            GltfDoc_Release(doc, dense->owned.bytes);
            dense->owned.bytes = NULL;
            doc->dense_budget += size;
            return status;
        }
    }
    access->data = dense->owned.bytes;
    access->stride = element;
    access->view = GLTF_ABSENT;
    return RP_OK;
}

RpStatus GltfDoc_Access(GltfDoc *doc, uint32_t index, GltfAccess *access, RpError *error) {
    const GltfTable *accessors = &doc->tables[GLTF_TABLE_ACCESSORS];
    if (index >= accessors->count)
        return Gltf_Bad(error, RP_CORRUPT, "there is no such accessor", "accessors", index,
                        "an index of accessors");
    const cJSON *object = accessors->items[index];
    const cJSON *sparse = Gltf_Member(object, "sparse");
    bool has_view = Gltf_Member(object, "bufferView") != NULL;
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    const char *type = Gltf_Text(object, "type");
    uint32_t components = 0; /* none of a type that is not known */
    for (uint32_t i = 0; type && i < 4; i++)
        if (strcmp(type, types[i]) == 0)
            components = i + 1;
    if (type && strcmp(type, "MAT4") == 0)
        components = 16;
    *access = (GltfAccess){.component = Gltf_Index(object, "componentType"),
                           .components = components,
                           .count = Gltf_Index(object, "count"),
                           .normalized = cJSON_IsTrue(Gltf_Member(object, "normalized")),
                           .view = GLTF_ABSENT};
    uint32_t element = ComponentBytes(access->component) * access->components;
    if (element == 0 || access->count == GLTF_ABSENT)
        return Gltf_Bad(error, RP_CORRUPT, "an accessor has no known shape", "accessors", index,
                        "a componentType, SCALAR to VEC4 or MAT4 as type, and a count");
    if (has_view) {
        View view;
        RpStatus status = OpenView(doc, Gltf_Index(object, "bufferView"), element, &view, error);
        if (status != RP_OK)
            return status;
        uint32_t offset = Gltf_Member(object, "byteOffset") ? Gltf_Index(object, "byteOffset") : 0;
        access->stride = view.stride ? view.stride : element;
        if (access->stride < element ||
            !Fits(&view, offset, access->count, access->stride, element))
            return Gltf_Bad(error, RP_CORRUPT, "an accessor reaches out of its view", "accessors",
                            index, "a range of the view");
        access->data = view.bytes + offset;
        access->view = Gltf_Index(object, "bufferView");
        access->offset = offset;
    }
    return has_view && !sparse ? RP_OK : MakeDense(doc, index, sparse, element, access, error);
}

uint32_t GltfAccess_Integer(const GltfAccess *access, uint32_t element, uint32_t component) {
    uint32_t bytes = ComponentBytes(access->component);
    const uint8_t *at = access->data + (size_t)element * access->stride + (size_t)component * bytes;
    return bytes == 1 ? at[0] : bytes == 2 ? Bytes_U16(at) : Bytes_U32(at);
}

static double Fraction(const GltfAccess *access, double value, double scale) {
    if (!access->normalized)
        return value;
    return value < -scale ? -1.0 : value / scale;
}

double GltfAccess_Number(const GltfAccess *access, uint32_t element, uint32_t component) {
    uint32_t bits = GltfAccess_Integer(access, element, component);
    float number;
    switch (access->component) {
    case GLTF_BYTE:
        return Fraction(access, (int8_t)bits, 127.0);
    case GLTF_UNSIGNED_BYTE:
        return Fraction(access, bits, 255.0);
    case GLTF_SHORT:
        return Fraction(access, (int16_t)bits, 32767.0);
    case GLTF_UNSIGNED_SHORT:
        return Fraction(access, bits, 65535.0);
    case GLTF_UNSIGNED_INT:
        return bits;
    default:
        memcpy(&number, &bits, sizeof number);
        return (double)number;
    }
}
