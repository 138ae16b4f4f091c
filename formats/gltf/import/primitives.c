/* Makes the batches of a model from the primitives of glTF meshes. */
#include "exports/reading_table.h"
#include "formats/gltf/import/import.h"

#include "core/arithmetic/trig.h"
#include "core/text/encoding.h"
#include "formats/gltf/export/export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MODE_TRIANGLES = 4,
    MODE_STRIP = 5,
    MODE_FAN = 6,
    MOST_TRIANGLES = 65535,      /* a slot counts them in 16 bits */
    MOST_BATCH_VERTICES = 65535, /* relative indices go from 0 to 65534 */
    MOST_BATCH_INDICES = 65535,  /* a multiple of 3 */
    MOST_VERTICES = 1 << 18,     /* in primitives that do not share a buffer */
    UV_STEPS = 1024,             /* steps of the format for a texture coordinate of 1 */
    BATCH_TWO_SIDED = 2
};
/* A raw normal is used as long as it is the normal that the file shows. This much may come from the
 * rounding of a program. */
static const double same_normal = 1e-3;

/* ---- attributes ------------------------------------------------------------------------------ */

typedef enum AttributeId {
    AT_POSITION,
    AT_NORMAL,
    AT_UV0,
    AT_UV1,
    AT_RAW_NORMAL,
    AT_RES15,
    AT_RES16,
    AT_COUNT
} AttributeId;

static const struct AttributeShape {
    const char *name;
    uint32_t components;
} shapes[AT_COUNT] = {{"POSITION", 3},    {"NORMAL", 3}, {"TEXCOORD_0", 2}, {"TEXCOORD_1", 2},
                      {"_RAW_NORMAL", 4}, {"_RES15", 4}, {"_RES16", 4}};

/* What the material of a primitive does with its texture coordinates (KHR_texture_transform):
 * translation * rotation * scale. */
typedef struct UvTransform {
    bool present;
    bool is_of_another_set; /* of coordinates than the first, which is taken all the same */
    double matrix[4], offset[2];
} UvTransform;

typedef struct Primitive {
    const cJSON *json;
    uint32_t accessors[AT_COUNT]; /* GLTF_ABSENT where there is none */
    GltfAccess access[AT_COUNT];
    uint32_t vertex_count;
    const GltfAffine *place; /* is applied to the vertices; may be null */
    UvTransform uv;
} Primitive;

static RpStatus BadMesh(RpError *error, RpStatus status, uint32_t mesh, const char *what,
                        const char *expected) {
    return Gltf_Bad(error, status, what, "meshes", mesh, expected);
}

/* In the coordinates of glTF, where v points down, a positive angle turns them against the clock
 * (KhronosGroup/glTF issue 1563). */
static UvTransform ReadUvTransform(const GltfDoc *doc, const cJSON *primitive) {
    const GltfTable *materials = &doc->tables[GLTF_TABLE_MATERIALS];
    const uint32_t index = Gltf_Index(primitive, "material");
    const cJSON *material = index < materials->count ? materials->items[index] : NULL;
    const cJSON *texture =
        Gltf_Member(Gltf_Member(material, "pbrMetallicRoughness"), "baseColorTexture");
    const cJSON *transform = Gltf_Extension(texture, "KHR_texture_transform");
    double scale[2] = {1.0, 1.0};
    UvTransform uv = {.present = transform != NULL};
    if (!transform)
        return uv;
    Gltf_Numbers(transform, "offset", uv.offset, 2);
    Gltf_Numbers(transform, "scale", scale, 2);
    const double angle = Gltf_Number(transform, "rotation", 0.0);
    const double c = angle == 0.0 ? 1.0 : Trig_Cos(angle), s = angle == 0.0 ? 0.0 : Trig_Sin(angle);
    const double matrix[4] = {c * scale[0], s * scale[1], -s * scale[0], c * scale[1]};
    memcpy(uv.matrix, matrix, sizeof matrix);
    const uint32_t set = Gltf_Index(transform, "texCoord");
    uv.is_of_another_set = set != GLTF_ABSENT && set != 0;
    return uv;
}

static bool SameUvs(const UvTransform *a, const UvTransform *b) {
    return a->present == b->present && memcmp(a->matrix, b->matrix, sizeof a->matrix) == 0 &&
           memcmp(a->offset, b->offset, sizeof a->offset) == 0;
}

static RpStatus OpenPrimitive(Importer *importer, const ImportPart *part, const cJSON *json,
                              Primitive *primitive, RpError *error) {
    *primitive = (Primitive){.json = json, .place = part->is_moved ? &part->place : NULL};
    const cJSON *attributes = Gltf_Member(json, "attributes");
    if (!Gltf_Member(attributes, "POSITION")) {
        const bool is_packed = Gltf_Extension(json, "KHR_draco_mesh_compression") != NULL;
        return BadMesh(error, is_packed ? RP_UNSUPPORTED : RP_CORRUPT, part->mesh,
                       is_packed ? "KHR_draco_mesh_compression is not read"
                                 : "a primitive has no positions",
                       is_packed ? "a file without compression" : "POSITION");
    }
    for (uint32_t id = 0; id < AT_COUNT; id++) {
        const cJSON *number = Gltf_Member(attributes, shapes[id].name);
        GltfAccess *access = &primitive->access[id];
        primitive->accessors[id] = GLTF_ABSENT;
        if (!number)
            continue;
        RpStatus status = GltfDoc_Access(&importer->doc, Gltf_Whole(number), access, error);
        if (status != RP_OK)
            return status;

        /* If another program has changed an attribute of ours, it is ignored. This is not an
         * error. */
        uint32_t wanted = id == AT_RAW_NORMAL ? GLTF_BYTE : GLTF_UNSIGNED_SHORT;
        if (id >= AT_RAW_NORMAL && (access->component != wanted || access->components != 4))
            continue;
        if (access->components != shapes[id].components)
            return BadMesh(error, RP_CORRUPT, part->mesh, "an attribute has the wrong type",
                           id < AT_UV0 ? "VEC3" : "VEC2");
        if (id == AT_POSITION)
            primitive->vertex_count = access->count;
        if (access->count != primitive->vertex_count)
            return BadMesh(error, RP_CORRUPT, part->mesh, "attributes have different counts",
                           "as many as POSITION");
        primitive->accessors[id] = Gltf_Whole(number);
    }
    return RP_OK;
}

/* ---- states ---------------------------------------------------------------------------------- */

/* Reads a name that we write: "row 3" or "row 3 flags 0102.00.0007". Any text may follow. */
static bool StateOfName(const Importer *importer, const char *name, ImportBatch *batch) {
    uint32_t row, flags, lightmap, portal;
    if (!name || !Text_TakeNumber(&name, "row ", 10, 0xFFFF, &row))
        return false;
    if (importer->readings.choice[READING_MATERIAL])
        batch->row = (uint8_t)row;
    else
        batch->material = (uint16_t)row;
    if (Text_TakeNumber(&name, " flags ", 16, 0xFFFF, &flags) &&
        Text_TakeNumber(&name, ".", 16, 0xFF, &lightmap) &&
        Text_TakeNumber(&name, ".", 16, 0xFFFF, &portal)) {
        batch->flags = (uint16_t)flags;
        batch->lightmap = (uint8_t)lightmap;
        batch->portal = (uint16_t)portal;
    }
    return true;
}

static uint32_t Hint(const GltfDoc *doc, const cJSON *hints, const char *name, uint32_t limit,
                     uint32_t otherwise) {
    uint32_t value = Gltf_Index(hints, name);
    if (value <= limit)
        return value;
    if (Gltf_Member(hints, name))
        GltfDoc_Note(doc, "G43", "extras.retropose of a material has no number that fits: left out",
                     name);
    return otherwise;
}

/* A portal refers to a node by the number that it had when it was exported. In a file without such
 * numbers, this is the number in the file. */
static uint16_t PortalOf(const Importer *importer, uint32_t portal) {
    bool numbered = false;
    if (portal == RP_MSH_NONE)
        return RP_MSH_NONE;
    for (uint32_t i = 0; i < importer->node_count; i++) {
        if (importer->nodes[i].hint == portal)
            return (uint16_t)importer->nodes[i].number;
        numbered |= importer->nodes[i].hint != GLTF_ABSENT;
    }
    if (!numbered && portal < importer->node_count)
        return (uint16_t)portal;
    char subject[16];
    snprintf(subject, sizeof subject, "node %u", (unsigned)portal);
    GltfDoc_Note(&importer->doc, "G41",
                 "the portal of a material is a node that is not there: none", subject);
    return RP_MSH_NONE;
}

static void ReadState(const Importer *importer, const cJSON *primitive, ImportBatch *batch) {
    const GltfTable *materials = &importer->doc.tables[GLTF_TABLE_MATERIALS];
    uint32_t index = Gltf_Index(primitive, "material");
    const cJSON *material = index < materials->count ? materials->items[index] : NULL;
    const cJSON *hints = Gltf_Hints(material);
    uint32_t row = material ? index : 0;
    batch->portal = RP_MSH_NONE;
    batch->lightmap = 0xFF;
    if (importer->readings.choice[READING_MATERIAL])
        batch->row = (uint8_t)(row < 255 ? row : 255);
    else
        batch->material = (uint16_t)row;
    ImportBatch named = *batch;
    bool has_name = StateOfName(importer, Gltf_Text(material, "name"), &named);
    if (has_name)
        *batch = named;
    if (hints) {
        batch->flags = (uint16_t)Hint(&importer->doc, hints, "flags", 0xFFFF, batch->flags);
        batch->material =
            (uint16_t)Hint(&importer->doc, hints, "material", 0xFFFF, batch->material);
        batch->row = (uint8_t)Hint(&importer->doc, hints, "row", 0xFF, batch->row);
        batch->lightmap = (uint8_t)Hint(&importer->doc, hints, "lightmap", 0xFF, batch->lightmap);
        batch->portal = (uint16_t)Hint(&importer->doc, hints, "portal", 0xFFFF, batch->portal);
    }
    /* A material that was renamed is another row, whatever its row was in the export. */
    if (has_name && importer->readings.choice[READING_MATERIAL])
        batch->row = named.row;
    else if (has_name)
        batch->material = named.material;
    bool two_sided = cJSON_IsTrue(Gltf_Member(material, "doubleSided"));
    if (two_sided != ((batch->flags & BATCH_TWO_SIDED) != 0))
        batch->flags ^= BATCH_TWO_SIDED;
    batch->portal = PortalOf(importer, batch->portal);
}

/* ---- one buffer for all vertices ------------------------------------------------------------- */

/* Our own exports have one view for each attribute, and the accessors of a batch begin at its
 * base vertex in all of them. Then the views are the model's streams, with vertices that no
 * batch uses. */
typedef struct Pool {
    bool shared;
    uint32_t views[AT_COUNT];
    uint32_t strides[AT_COUNT];
    uint32_t vertex_count;
} Pool;

static bool JoinPool(const GltfDoc *doc, const Primitive *primitive, bool first, Pool *pool) {
    uint32_t base = 0;
    for (int id = 0; id < AT_COUNT; id++) {
        const GltfAccess *access = &primitive->access[id];
        bool has = primitive->accessors[id] != GLTF_ABSENT;
        uint32_t view = has ? access->view : GLTF_ABSENT;
        if (has &&
            (view == GLTF_ABSENT || access->normalized || access->offset % access->stride != 0))
            return false;
        if (first) {
            pool->views[id] = view;
            pool->strides[id] = access->stride;
        }
        if (view != pool->views[id] || (has && access->stride != pool->strides[id]))
            return false;
        if (!has)
            continue;
        uint32_t start = (uint32_t)(access->offset / access->stride);
        uint32_t count = GltfView_Size(doc, view) / access->stride;
        if (id == AT_POSITION) {
            base = start;
            pool->vertex_count = count;
        }
        if (start != base || count != pool->vertex_count)
            return false;
    }
    return pool->views[AT_POSITION] != GLTF_ABSENT &&
           primitive->access[AT_POSITION].component == GLTF_FLOAT;
}

/* ---- vertices -------------------------------------------------------------------------------- */

static RpStatus PutPosition(Importer *importer, const Primitive *primitive, uint32_t vertex,
                            RpError *error) {
    double position[3];
    for (uint32_t i = 0; i < 3; i++)
        position[i] = GltfAccess_Number(&primitive->access[AT_POSITION], vertex, i);
    if (importer->turned)
        Basis_Turn(position);
    if (primitive->place)
        Affine_Apply(primitive->place, position, position);
    for (int i = 0; i < 3; i++) {
        float value = (float)position[i];
        if (!(fabsf(value) <= 1e18f))
            return RpError_Set(error, RP_CORRUPT, RP_NOWHERE, "a position is not a number",
                               "/meshes", "finite numbers within 1e18", "");
        RpBuffer_Append(&importer->positions, &value, sizeof value);
    }
    return RP_OK;
}

static void Normalise(double vector[3]) {
    double length = sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
    for (int i = 0; i < 3 && length > 0.0; i++)
        vector[i] /= length;
}

static void PutNormal(Importer *importer, const Primitive *primitive, uint32_t vertex) {
    double normal[3] = {0.0, 0.0, 0.0};
    int8_t raw[4] = {0, 0, 0, 0};
    if (primitive->accessors[AT_NORMAL] != GLTF_ABSENT)
        for (uint32_t i = 0; i < 3; i++)
            normal[i] = GltfAccess_Number(&primitive->access[AT_NORMAL], vertex, i);
    if (primitive->accessors[AT_RAW_NORMAL] != GLTF_ABSENT)
        for (uint32_t i = 0; i < 4; i++)
            raw[i] = (int8_t)GltfAccess_Integer(&primitive->access[AT_RAW_NORMAL], vertex, i);
    bool has_raw = primitive->accessors[AT_RAW_NORMAL] != GLTF_ABSENT && !importer->turned &&
                   !primitive->place;
    float shown[3] = {0};
    if (has_raw)
        Gltf_DecodeNormal(raw, shown);
    for (int i = 0; i < 3; i++)
        has_raw &= fabs((double)shown[i] - normal[i]) <= same_normal;
    if (importer->turned)
        Basis_Turn(normal);
    if (primitive->place) {
        /* Normals are transformed by the inverse transpose, whose scale does not matter. */
        const double *linear = primitive->place->linear;
        double cofactors[9];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
                cofactors[3 * i + j] =
                    linear[3 * a + c] * linear[3 * b + d] - linear[3 * a + d] * linear[3 * b + c];
            }
        double sign = Linear_Determinant(linear) < 0.0 ? -1.0 : 1.0;
        Linear_Apply(cofactors, normal, normal);
        for (int i = 0; i < 3; i++)
            normal[i] *= sign;
    }
    if (importer->turned || primitive->place)
        Normalise(normal);
    for (int i = 0; i < 3 && !has_raw; i++)
        raw[i] = RpMsh_EncodeNormal((float)normal[i]);
    RpBuffer_Append(&importer->normals, raw, sizeof raw);
}

static void PutUv(Importer *importer, const Primitive *primitive, AttributeId id, uint32_t vertex,
                  RpBuffer *uvs) {
    uint16_t raw[2] = {0, 0};
    double uv[2] = {0.0, 0.0};
    for (uint32_t i = 0; i < 2 && primitive->accessors[id] != GLTF_ABSENT; i++)
        uv[i] = GltfAccess_Number(&primitive->access[id], vertex, i);
    if (id == AT_UV0 && primitive->uv.present) {
        const double *m = primitive->uv.matrix, u = uv[0], v = uv[1];
        uv[0] = m[0] * u + m[1] * v + primitive->uv.offset[0];
        uv[1] = m[2] * u + m[3] * v + primitive->uv.offset[1];
    }
    for (uint32_t i = 0; i < 2 && primitive->accessors[id] != GLTF_ABSENT; i++) {
        const double value = uv[i];
        raw[i] = RpMsh_EncodeUv(isfinite(value) ? (float)value : 0.0f, &importer->readings);
        int32_t kept = importer->readings.choice[READING_UV] ? raw[i] : (int16_t)raw[i];
        importer->clamps_uv |= !(fabs(value * UV_STEPS - kept) <= 1.0);
    }
    RpBuffer_Append(uvs, raw, sizeof raw);
}

static void PutOpaque(const Primitive *primitive, AttributeId id, uint32_t vertex,
                      RpBuffer *records) {
    for (uint32_t i = 0; i < 4; i++)
        RpBuffer_AppendU16(records,
                           primitive->accessors[id] == GLTF_ABSENT
                               ? 0
                               : (uint16_t)GltfAccess_Integer(&primitive->access[id], vertex, i));
}

static RpStatus PutVertices(Importer *importer, const Primitive *primitive, uint32_t count,
                            RpError *error) {
    RpStatus status = RP_OK;
    for (uint32_t i = 0; i < count && status == RP_OK; i++) {
        status = PutPosition(importer, primitive, i, error);
        PutNormal(importer, primitive, i);
        PutUv(importer, primitive, AT_UV0, i, &importer->uv0);
        PutUv(importer, primitive, AT_UV1, i, &importer->uv1);
        PutOpaque(primitive, AT_RES15, i, &importer->res15);
        PutOpaque(primitive, AT_RES16, i, &importer->res16);
    }
    importer->vertex_count += count;
    importer->has_uv1 |= primitive->accessors[AT_UV1] != GLTF_ABSENT;
    importer->has_res16 |= primitive->accessors[AT_RES16] != GLTF_ABSENT;
    if (importer->positions.failed || importer->normals.failed || importer->uv0.failed ||
        importer->uv1.failed || importer->res15.failed || importer->res16.failed)
        return RpMemory_Refused(error, "vertices");
    return status;
}

/* ---- triangles ------------------------------------------------------------------------------- */

/* The corners of all triangles of a primitive, relative to its first vertex. */
typedef struct Corners {
    uint32_t *corners;
    uint32_t count;
} Corners;

/* Returns which of the indices is a corner of a triangle (glTF 2.0, section 3.7.2.1). */
static uint32_t CornerAt(uint32_t mode, uint32_t corner) {
    uint32_t triangle = corner / 3, place = corner % 3;
    if (mode == MODE_TRIANGLES)
        return corner;
    if (mode == MODE_STRIP)
        return triangle + (place == 0 ? 0 : (triangle % 2 == (place == 1)) ? 2u : 1u);
    return place == 2 ? 0 : triangle + 1 + place;
}

static RpStatus ReadCorners(Importer *importer, uint32_t mesh, const Primitive *primitive,
                            uint32_t mode, Corners *corners, RpError *error) {
    const cJSON *number = Gltf_Member(primitive->json, "indices");
    GltfAccess access = {.count = primitive->vertex_count};
    RpStatus status =
        number ? GltfDoc_Access(&importer->doc, Gltf_Whole(number), &access, error) : RP_OK;
    if (status != RP_OK)
        return status;
    if (number && (access.components != 1 || access.component == GLTF_FLOAT ||
                   access.component == GLTF_BYTE || access.component == GLTF_SHORT))
        return BadMesh(error, RP_CORRUPT, mesh, "indices have the wrong type",
                       "unsigned integers, SCALAR");
    if (mode == MODE_TRIANGLES)
        corners->count = access.count - access.count % 3;
    else
        corners->count = access.count < 3 ? 0 : (access.count - 2) * 3;
    if (corners->count / 3 + importer->indices.size / 6 > MOST_TRIANGLES)
        return BadMesh(error, RP_UNSUPPORTED, mesh, "too many triangles for a model",
                       "at most 65535 in all");
    corners->corners = GltfDoc_Allocate(&importer->doc, corners->count, sizeof *corners->corners);
    if (!corners->corners)
        return RpMemory_Refused(error, "indices");
    bool mirrored = primitive->place && Linear_Determinant(primitive->place->linear) < 0.0;
    for (uint32_t i = 0; i < corners->count; i++) {
        uint32_t at = CornerAt(mode, i);
        uint32_t vertex = number ? GltfAccess_Integer(&access, at, 0) : at;
        if (vertex >= primitive->vertex_count)
            return BadMesh(error, RP_CORRUPT, mesh, "an index names a vertex that is not there",
                           "indices below the count of POSITION");
        corners->corners[i % 3 && mirrored ? i - i % 3 + 3 - i % 3 : i] = vertex;
    }
    return RP_OK;
}

static void AddNormalOf(const float (*positions)[3], const uint32_t corners[3],
                        double (*normals)[3]) {
    double u[3], v[3];
    for (int i = 0; i < 3; i++) {
        u[i] = (double)positions[corners[1]][i] - positions[corners[0]][i];
        v[i] = (double)positions[corners[2]][i] - positions[corners[0]][i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double part = u[j] * v[k] - u[k] * v[j];
        for (int c = 0; c < 3; c++)
            normals[corners[c]][i] += part;
    }
}

/* For primitives without normals. Gives each vertex the mean of its triangles' normals, weighted by
 * area. Primitives of the same vertices may have other triangles, which do not count. `sums` is for
 * all vertices of the model. It is zero before and after the call, so that each primitive costs no
 * more than its own triangles. */
static RpStatus ComputeNormals(Importer *importer, RpBuffer *sums, uint32_t base,
                               const Corners *corners, RpError *error) {
    const size_t size = (size_t)importer->vertex_count * sizeof(double[3]);
    if (sums->size < size && !RpBuffer_Extend(sums, size - sums->size))
        return RpMemory_Refused(error, "normals");
    double(*normals)[3] = (double(*)[3])(void *)sums->bytes + base;
    const float(*positions)[3] = (const float(*)[3])(const void *)importer->positions.bytes + base;
    for (uint32_t i = 0; i < corners->count; i += 3)
        AddNormalOf(positions, corners->corners + i, normals);
    for (uint32_t corner = 0; corner < corners->count; corner++) {
        double *normal = normals[corners->corners[corner]];
        if (normal[0] == 0.0 && normal[1] == 0.0 && normal[2] == 0.0)
            continue; /* it is written already, or has no direction */
        const size_t vertex = (size_t)base + corners->corners[corner];
        Normalise(normal);
        for (size_t i = 0; i < 3; i++) {
            importer->normals.bytes[4 * vertex + i] = (uint8_t)RpMsh_EncodeNormal((float)normal[i]);
            normal[i] = 0.0;
        }
    }
    return RP_OK;
}

/* ---- batches --------------------------------------------------------------------------------- */

static void EndBatch(Importer *importer, const ImportBatch *state, uint32_t base,
                     uint32_t first_index) {
    ImportBatch batch = *state;
    batch.base_vertex = base;
    batch.first_index = first_index;
    batch.index_count = (uint32_t)(importer->indices.size / 2) - first_index;
    RpBuffer_Append(&importer->batches, &batch, sizeof batch);
    importer->batch_count++;
}

/* There are too many vertices for one batch, so each batch gets copies of those that its
 * triangles use. */
static RpStatus PutFarBatches(Importer *importer, const ImportBatch *state, uint32_t base,
                              uint32_t count, const Corners *corners, RpError *error) {
    uint32_t *places = GltfDoc_Allocate(&importer->doc, count, sizeof *places);
    uint32_t first = (uint32_t)(importer->indices.size / 2), start = importer->vertex_count;
    if (!places)
        return RpMemory_Refused(error, "indices");
    for (uint32_t i = 0; i < corners->count; i++) {
        uint32_t vertex = corners->corners[i], indices = (uint32_t)(importer->indices.size / 2);
        bool full = importer->vertex_count - start > MOST_BATCH_VERTICES - 3 ||
                    indices - first >= MOST_BATCH_INDICES;
        if (i % 3 == 0 && full) {
            EndBatch(importer, state, start, first);
            first = indices;
            start = importer->vertex_count;
            memset(places, 0, count * sizeof *places);
        }
        if (places[vertex] == 0) {
            RpBuffer *const buffers[] = {&importer->positions, &importer->normals,
                                         &importer->uv0,       &importer->uv1,
                                         &importer->res15,     &importer->res16};
            static const uint32_t sizes[] = {12, 4, 4, 4, 8, 8};
            for (int b = 0; b < 6; b++) {
                uint8_t *added = RpBuffer_Extend(buffers[b], sizes[b]);
                if (added)
                    memcpy(added, buffers[b]->bytes + (size_t)(base + vertex) * sizes[b], sizes[b]);
            }
            importer->vertex_count++;
            places[vertex] = importer->vertex_count - start;
        }
        const uint16_t index = (uint16_t)(places[vertex] - 1);
        RpBuffer_Append(&importer->indices, &index, sizeof index);
    }
    EndBatch(importer, state, start, first);
    GltfDoc_Release(&importer->doc, places);
    GltfDoc_Note(&importer->doc, "G26", "a primitive has more vertices than a batch: split", "");
    return RP_OK;
}

static RpStatus PutBatches(Importer *importer, const ImportBatch *state, uint32_t base,
                           const Primitive *primitive, const Corners *corners, RpError *error) {
    uint32_t reach = 0;
    for (uint32_t i = 0; i < corners->count; i++)
        reach = corners->corners[i] >= reach ? corners->corners[i] + 1 : reach;
    RpStatus status = RP_OK;
    if (reach <= MOST_BATCH_VERTICES) {
        /* All vertices are in the range of one batch. Several batches are needed only for many
         * indices. */
        for (uint32_t from = 0; from < corners->count; from += MOST_BATCH_INDICES) {
            uint32_t first = (uint32_t)(importer->indices.size / 2);
            for (uint32_t i = from; i < corners->count && i - from < MOST_BATCH_INDICES; i++) {
                const uint16_t index = (uint16_t)corners->corners[i];
                RpBuffer_Append(&importer->indices, &index, sizeof index);
            }
            EndBatch(importer, state, base, first);
        }
    } else
        status = PutFarBatches(importer, state, base, primitive->vertex_count, corners, error);
    if (importer->indices.failed || importer->batches.failed || importer->positions.failed)
        return RpMemory_Refused(error, "indices");
    return status;
}

/* ---- primitives ------------------------------------------------------------------------------ */

/* Remembers which vertices were read, for primitives with the same accessors. */
enum { REMEMBERED = 64 };
typedef struct Memory {
    uint32_t accessors[REMEMBERED][AT_COUNT], bases[REMEMBERED];
    const GltfAffine *places[REMEMBERED];
    UvTransform uvs[REMEMBERED];
    uint32_t count;
} Memory;

typedef struct Reader {
    Importer *importer;
    Pool pool;
    Memory memory;
    RpBuffer normal_sums; /* three doubles for each vertex */
} Reader;

static RpStatus PlaceVertices(Reader *reader, const Primitive *primitive, uint32_t mesh,
                              uint32_t *base, RpError *error) {
    Importer *importer = reader->importer;
    Memory *memory = &reader->memory;
    if (reader->pool.shared && !primitive->place) {
        const GltfAccess *access = &primitive->access[AT_POSITION];
        *base = (uint32_t)(access->offset / access->stride);
        return RP_OK;
    }
    uint32_t known = memory->count < REMEMBERED ? memory->count : REMEMBERED;
    for (uint32_t i = 0; i < known; i++)
        if (memory->places[i] == primitive->place && SameUvs(&memory->uvs[i], &primitive->uv) &&
            memcmp(memory->accessors[i], primitive->accessors, sizeof primitive->accessors) == 0) {
            *base = memory->bases[i];
            return RP_OK;
        }
    *base = importer->vertex_count;
    if (primitive->vertex_count > MOST_VERTICES - (*base < MOST_VERTICES ? *base : MOST_VERTICES))
        return BadMesh(error, RP_UNSUPPORTED, mesh, "too many vertices for a model",
                       "at most 262144 in all");
    uint32_t at = memory->count++ % REMEMBERED;
    memcpy(memory->accessors[at], primitive->accessors, sizeof primitive->accessors);
    memory->places[at] = primitive->place;
    memory->uvs[at] = primitive->uv;
    memory->bases[at] = *base;
    return PutVertices(importer, primitive, primitive->vertex_count, error);
}

static RpStatus ReadPrimitive(Reader *reader, const ImportPart *part, const cJSON *json,
                              RpError *error) {
    Importer *importer = reader->importer;
    Primitive primitive;
    const cJSON *number = Gltf_Member(json, "mode");
    uint32_t mode = number ? Gltf_Whole(number) : MODE_TRIANGLES;
    if (mode < MODE_TRIANGLES || mode > MODE_FAN) {
        GltfDoc_Note(&importer->doc, "G30",
                     "a primitive of points or lines is left out: models have triangles only", "");
        return RP_OK;
    }
    RpStatus status = OpenPrimitive(importer, part, json, &primitive, error);
    if (status != RP_OK)
        return status;
    primitive.uv = ReadUvTransform(&importer->doc, json);

    /* Say what is left out, and what is made up. */
    if (primitive.uv.is_of_another_set)
        GltfDoc_Note(&importer->doc, "G52",
                     "a texture uses another set of coordinates than the first, which models do "
                     "not: the first is taken",
                     "");
    if (Gltf_Member(primitive.json, "targets"))
        GltfDoc_Note(&importer->doc, "G27", "morph targets are left out", "");
    if (primitive.accessors[AT_NORMAL] == GLTF_ABSENT)
        GltfDoc_Note(&importer->doc, "G28", "a primitive has no normals: computed", "");
    if (primitive.accessors[AT_UV0] == GLTF_ABSENT)
        GltfDoc_Note(&importer->doc, "G29", "a primitive has no texture coordinates: zero", "");
    const cJSON *attributes = Gltf_Member(primitive.json, "attributes");
    for (const cJSON *item = attributes ? attributes->child : NULL; item; item = item->next) {
        bool has_place = false;
        for (int id = 0; id < AT_COUNT; id++)
            has_place |= strcmp(item->string, shapes[id].name) == 0;
        if (!has_place)
            GltfDoc_Note(&importer->doc, "G44",
                         "a vertex attribute that models have no place for is left out",
                         item->string);
    }

    Corners corners = {NULL, 0};
    ImportBatch state = {0};
    uint32_t base = 0;
    ReadState(importer, primitive.json, &state);
    status = ReadCorners(importer, part->mesh, &primitive, mode, &corners, error);
    if (status == RP_OK && corners.count > 0)
        status = PlaceVertices(reader, &primitive, part->mesh, &base, error);
    if (status == RP_OK && corners.count > 0 && primitive.accessors[AT_NORMAL] == GLTF_ABSENT)
        status = ComputeNormals(importer, &reader->normal_sums, base, &corners, error);
    if (status == RP_OK && corners.count > 0)
        status = PutBatches(importer, &state, base, &primitive, &corners, error);
    GltfDoc_Release(&importer->doc, corners.corners);
    return status;
}

static const cJSON *Primitives(const Importer *importer, const ImportPart *part) {
    const cJSON *mesh = importer->doc.tables[GLTF_TABLE_MESHES].items[part->mesh];
    const cJSON *primitives = Gltf_Member(mesh, "primitives");
    return cJSON_IsArray(primitives) ? primitives->child : NULL;
}

/* Reads pairs of a flag word and a count, as the exporter writes them, if they are for as many
 * triangles as there are. */
static RpStatus ReadTriangleFlags(Importer *importer, const ImportSlot *slot, RpError *error) {
    size_t from = importer->triangle_flags.size / 2, end = importer->indices.size / 6;
    const ImportPart *part = Importer_Part(importer, slot->first_part);
    const cJSON *mesh = importer->doc.tables[GLTF_TABLE_MESHES].items[part->mesh];
    const cJSON *runs = Gltf_Member(slot->hints, "triangleFlags");
    uint64_t total = 0;
    const cJSON *run = cJSON_IsArray(runs) ? runs->child : NULL;
    for (const cJSON *item = run; item && item->next; item = item->next->next)
        total += Gltf_Whole(item->next);
    if (run && total != end - from)
        GltfDoc_Note(&importer->doc, "G31",
                     "a mesh has other triangles than when it was exported: their flags are lost",
                     Gltf_Text(mesh, "name"));
    for (; run && run->next && total == end - from; run = run->next->next)
        for (uint32_t i = 0; i < Gltf_Whole(run->next); i++)
            RpBuffer_AppendU16(&importer->triangle_flags, (uint16_t)Gltf_Whole(run));
    RpBuffer_Extend(&importer->triangle_flags, end * 2 - importer->triangle_flags.size);
    return importer->triangle_flags.failed ? RpMemory_Refused(error, "triangles") : RP_OK;
}

/* ---- all meshes ------------------------------------------------------------------------------ */

/* Finds out whether all primitives use one pool, and reads it then. */
static RpStatus FindPool(Reader *reader, RpError *error) {
    Importer *importer = reader->importer;
    Primitive primitive, any = {.json = NULL};
    bool shared = !importer->turned;
    for (uint32_t i = 0; i < importer->part_count && shared; i++) {
        const ImportPart *part = Importer_Part(importer, i);
        for (const cJSON *json = Primitives(importer, part); json && shared; json = json->next) {
            if (part->is_moved)
                continue;
            shared = OpenPrimitive(importer, part, json, &primitive, NULL) == RP_OK &&
                     !ReadUvTransform(&importer->doc, json).present &&
                     primitive.accessors[AT_NORMAL] != GLTF_ABSENT &&
                     JoinPool(&importer->doc, &primitive, !any.json, &reader->pool);
            any = primitive;
        }
    }
    reader->pool.shared = shared && any.json;
    if (!reader->pool.shared)
        return RP_OK;

    /* Reads the whole pool through one of its primitives, moved to vertex 0. */
    const Pool *pool = &reader->pool;
    Primitive all = any;
    for (int id = 0; id < AT_COUNT; id++)
        if (all.accessors[id] != GLTF_ABSENT) {
            all.access[id].data -= all.access[id].offset;
            all.access[id].count = pool->vertex_count;
        }
    return PutVertices(importer, &all, pool->vertex_count, error);
}

typedef struct Ranked {
    uint32_t hint, slot;
} Ranked;

static int CompareRanks(const void *left, const void *right) {
    const Ranked *a = left, *b = right;
    if (a->hint != b->hint)
        return a->hint < b->hint ? -1 : 1;
    return (a->slot > b->slot) - (a->slot < b->slot);
}

/* Compares what primitives are read from, and nothing else that a file may put into them. */
static bool SamePrimitives(const cJSON *a, const cJSON *b) {
    static const char *const members[] = {"material", "indices", "mode"};
    for (; a && b; a = a->next, b = b->next) {
        const cJSON *left = Gltf_Member(a, "attributes"), *right = Gltf_Member(b, "attributes");
        for (int i = 0; i < 3; i++)
            if (Gltf_Index(a, members[i]) != Gltf_Index(b, members[i]))
                return false;
        for (int id = 0; id < AT_COUNT; id++)
            if (Gltf_Index(left, shapes[id].name) != Gltf_Index(right, shapes[id].name))
                return false;
    }
    return !a && !b;
}

static bool SameParts(Importer *importer, const ImportSlot *a, const ImportSlot *b) {
    uint32_t i = a->first_part, j = b->first_part;
    while (i != GLTF_ABSENT && j != GLTF_ABSENT) {
        const ImportPart *left = Importer_Part(importer, i), *right = Importer_Part(importer, j);
        if (left->is_moved || right->is_moved ||
            !SamePrimitives(Primitives(importer, left), Primitives(importer, right)))
            return false;
        i = left->next;
        j = right->next;
    }
    return i == j;
}

static RpStatus ReadInOrder(Reader *reader, Ranked *ranks, RpError *error) {
    Importer *importer = reader->importer;
    RpStatus status = RP_OK;
    for (uint32_t i = 0; i < importer->slot_count; i++)
        ranks[i] = (Ranked){Importer_Slot(importer, i)->batch_hint, i};
    qsort(ranks, importer->slot_count, sizeof *ranks, CompareRanks);
    for (uint32_t i = 0; i < importer->slot_count && status == RP_OK; i++) {
        ImportSlot *slot = Importer_Slot(importer, ranks[i].slot);
        const ImportSlot *before = i > 0 ? Importer_Slot(importer, ranks[i - 1].slot) : NULL;

        /* Slots with the same hint shared their batches before the export. */
        if (before && before->batch_hint == slot->batch_hint && before->batch_hint != GLTF_ABSENT &&
            SameParts(importer, before, slot)) {
            slot->first_batch = before->first_batch;
            slot->batch_count = before->batch_count;
            continue;
        }
        slot->first_batch = importer->batch_count;
        for (uint32_t at = slot->first_part; at != GLTF_ABSENT && status == RP_OK;) {
            const ImportPart *part = Importer_Part(importer, at);
            for (const cJSON *json = Primitives(importer, part); json && status == RP_OK;
                 json = json->next)
                status = ReadPrimitive(reader, part, json, error);
            at = part->next;
        }
        slot->batch_count = importer->batch_count - slot->first_batch;
        status = status == RP_OK ? ReadTriangleFlags(importer, slot, error) : status;
    }
    return status;
}

RpStatus Importer_ReadMeshes(Importer *importer, RpError *error) {
    Reader *reader = GltfDoc_Allocate(&importer->doc, 1, sizeof *reader);
    Ranked *ranks = GltfDoc_Allocate(&importer->doc, importer->slot_count, sizeof *ranks);
    importer->slot_order =
        GltfDoc_Allocate(&importer->doc, importer->slot_count, sizeof *importer->slot_order);
    RpStatus status = RpMemory_Refused(error, "meshes");
    if (reader && ranks && importer->slot_order) {
        reader->importer = importer;
        RpBuffer_Init(&reader->normal_sums, importer->doc.options->allocator);
        status = FindPool(reader, error);
        if (status == RP_OK)
            status = ReadInOrder(reader, ranks, error);
        if (status == RP_OK) {
            for (uint32_t i = 0; i < importer->slot_count; i++)
                ranks[i] = (Ranked){Importer_Slot(importer, i)->slot_hint, i};
            qsort(ranks, importer->slot_count, sizeof *ranks, CompareRanks);
            for (uint32_t i = 0; i < importer->slot_count; i++) {
                importer->slot_order[i] = ranks[i].slot;
                Importer_Slot(importer, ranks[i].slot)->number = i;
            }
        }
        if (importer->clamps_uv)
            GltfDoc_Note(&importer->doc, "G42",
                         "texture coordinates beyond what 16 bits hold: the nearest that fit", "");
        RpBuffer_Free(&reader->normal_sums);
    }
    GltfDoc_Release(&importer->doc, reader);
    GltfDoc_Release(&importer->doc, ranks);
    return status;
}
