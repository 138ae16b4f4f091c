/* Exports the animated tree as glTF 2.0.
 *
 * The game's space is left-handed with y up, so z is mirrored. A row-vector matrix with the
 * elements of the usual formula turns by the conjugate, and mirroring z negates the x and y of a
 * rotation's axis: (w, x, y, z) becomes (w, x, y, -z). glTF blends between keys along the shortest
 * way and cannot hold a value. Tracks are therefore sampled: at every key, just before and behind
 * keys, where the pose may jump, and every few milliseconds where a rotation blends. */
#include "retropose/ani.h"

#include "formats/gltf/container/gltf_writer.h"
#include "ngi32/processor/modes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAMPLES = 1 << 22, USUAL_STEP = 50 };
/* An .ani file has no field of view. This angle, in radians, is used instead. */
static const double usual_field_of_view = 0.785398163397448;

typedef struct Export {
    const RpAni *ani;
    RpAniPolicy policy;
    uint32_t step;
    GltfWriter writer;
    cJSON **nodes;              /* one for each node of the animation */
    cJSON *samplers, *channels; /* members of the glTF animation; null until there is one */
    RpBuffer times;             /* sorted floats, in milliseconds */
    uint32_t animation_samplers;
    uint64_t samples; /* number of samples in all channels together */
} Export;

/* ---- times ----------------------------------------------------------------------------------- */

static uint32_t TimeCount(const Export *export) {
    return (uint32_t)(export->times.size / sizeof(float));
}

static float TimeAt(const Export *export, uint32_t index) {
    float time;
    memcpy(&time, export->times.bytes + index * sizeof time, sizeof time);
    return time;
}

static void AddTime(Export *export, double time) {
    const float rounded = (float)time;
    if (time >= 0 && export->samples < MOST_SAMPLES) {
        RpBuffer_Append(&export->times, &rounded, sizeof rounded);
        export->samples++;
    }
}

/* Adds the time of each key, the times just before and behind it, and those on the way to the next
 * key. */
static void AddKeyTimes(Export *export, const RpAniTrack *track, bool bake) {
    for (uint32_t i = 0; i < track->count; i++) {
        const double time = track->keys[i].time, moment = 0.001 + time * 0x1p-22;
        AddTime(export, time - moment);
        AddTime(export, time);
        AddTime(export, time + moment);
        if (!bake || i + 1 == track->count)
            continue;
        for (double at = time + export->step; at < track->keys[i + 1].time; at += export->step) {
            if (export->samples >= MOST_SAMPLES)
                return;
            AddTime(export, at);
        }
    }
}

static int CompareTimes(const void *a, const void *b) {
    float x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static float Seconds(float milliseconds) {
    return (float)((double)milliseconds / 1000);
}

/* Sorts the times and drops those that are the same as seconds in binary32. */
static void SortTimes(Export *export) {
    const uint32_t count = TimeCount(export);
    size_t kept = 0;
    if (export->times.failed || count == 0)
        return;
    qsort(export->times.bytes, count, sizeof(float), CompareTimes);
    for (uint32_t i = 0; i < count; i++) {
        const float time = TimeAt(export, i);
        if (kept > 0 && Seconds(time) <= Seconds(TimeAt(export, (uint32_t)kept - 1)))
            continue;
        memcpy(export->times.bytes + kept * sizeof time, &time, sizeof time);
        kept++;
    }
    export->times.size = kept * sizeof(float);
}

static void BeginTimes(Export *export) {
    export->times.size = 0;
    AddTime(export, 0);
    AddTime(export, export->ani->duration);
}

/* ---- channels -------------------------------------------------------------------------------- */

static uint32_t AddTimesAccessor(Export *export) {
    const uint32_t count = TimeCount(export);
    const float low = Seconds(TimeAt(export, 0)), high = Seconds(TimeAt(export, count - 1));
    for (uint32_t i = 0; i < count; i++) {
        const float seconds = Seconds(TimeAt(export, i));
        memcpy(export->times.bytes + i * sizeof seconds, &seconds, sizeof seconds);
    }
    const GltfAccessor accessor = {
        .view = GltfWriter_View(&export->writer, export->times.bytes, export->times.size, 0, 0),
        .component = GLTF_FLOAT,
        .count = count,
        .type = "SCALAR",
        .low = &low,
        .high = &high,
        .components = 1};
    return GltfWriter_Accessor(&export->writer, &accessor);
}

static void AddChannel(Export *export, uint32_t node, const char *path, uint32_t input,
                       const RpBuffer *values, uint32_t numbers) {
    GltfWriter *writer = &export->writer;

    if (!export->samplers) {
        cJSON *animation = GltfWriter_Add(&export->writer, GLTF_ANIMATIONS);
        export->samplers = GltfWriter_Array(&export->writer, animation, "samplers");
        export->channels = GltfWriter_Array(&export->writer, animation, "channels");
    }

    cJSON *sampler = GltfWriter_PushObject(writer, export->samplers);
    GltfWriter_Number(writer, sampler, "input", input);
    const GltfAccessor accessor = {
        .view = GltfWriter_View(&export->writer, values->bytes, values->size, 0, 0),
        .component = GLTF_FLOAT,
        .count = (uint32_t)(values->size / sizeof(float) / numbers),
        .type = numbers == 4 ? "VEC4" : "VEC3"};
    GltfWriter_Number(writer, sampler, "output", GltfWriter_Accessor(&export->writer, &accessor));
    cJSON *channel = GltfWriter_PushObject(writer, export->channels);
    GltfWriter_Number(writer, channel, "sampler", export->animation_samplers++);
    cJSON *target = GltfWriter_Object(writer, channel, "target");
    GltfWriter_Number(writer, target, "node", node);
    GltfWriter_Text(writer, target, "path", path);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static float Finite(float value) {
    return isfinite(value) ? value : 0;
}

static void MirrorPoint(const float point[3], float mirrored[3]) {
    for (int i = 0; i < 3; i++)
        mirrored[i] = Finite(i == 2 ? -point[i] : point[i]);
}

/* Writes x y z w of length 1, or no rotation for a quaternion that has no length. */
static void SetUnit(const double q[4], float unit[4]) {
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const bool good = length > 0 && isfinite(length);
    for (int i = 0; i < 4; i++)
        unit[i] = good ? (float)(q[i] / length) : (float)(i == 3);
}

static void SamplePart(const Export *export, uint32_t node, RpAniTrackKind kind, float time,
                       float value[4]) {
    RpAniParts parts;
    RpAni_SampleParts(export->ani, node, time, export->policy, NULL, &parts);
    if (kind == RP_ANI_TRANSLATION)
        MirrorPoint(parts.translation, value);
    for (int i = 0; kind == RP_ANI_SCALE && i < 3; i++)
        value[i] = Finite(parts.scale[i]);
    if (kind == RP_ANI_ROTATION) {
        const float *wxyz = parts.rotation;
        const double q[4] = {wxyz[1], wxyz[2], -(double)wxyz[3], wxyz[0]};
        SetUnit(q, value);
    }
}

static void ExportTrack(Export *export, uint32_t node, RpAniTrackKind kind, cJSON *object) {
    const RpAniTrack *track = &export->ani->nodes[node].tracks[kind];
    const char *path = RpAniTrackKind_Name(kind); /* glTF has the same names */
    const uint32_t numbers = RpAniTrackKind_Numbers(kind);
    float value[4];
    RpBuffer values;
    if (track->count == 0)
        return;
    SamplePart(export, node, kind, 0, value);
    GltfWriter_Floats(&export->writer, object, path, value, (int)numbers);
    BeginTimes(export);
    AddKeyTimes(export, track, kind == RP_ANI_ROTATION);
    if (export->samples >= MOST_SAMPLES)
        return;
    SortTimes(export);
    RpBuffer_Init(&values, export->ani->allocator);
    for (uint32_t i = 0; i < TimeCount(export); i++) {
        SamplePart(export, node, kind, TimeAt(export, i), value);
        RpBuffer_Append(&values, value, numbers * sizeof *value);
    }
    if (!export->times.failed && !values.failed && TimeCount(export) > 0)
        AddChannel(export, node, path, AddTimesAccessor(export), &values, numbers);
    export->writer.failed |= values.failed;
    RpBuffer_Free(&values);
}

/* glTF itself has no visibility. extras.retropose.visible is [[seconds, 0 or 1], ...]. */
static void ExportMorph(Export *export, const RpAniTrack *track, cJSON *object) {
    GltfWriter *writer = &export->writer;
    if (track->count == 0)
        return;
    cJSON *list = GltfWriter_Array(writer, GltfWriter_Extras(writer, object), "visible");
    for (uint32_t i = 0; i < track->count; i++) {
        cJSON *pair = cJSON_CreateArray();
        if (!pair || !cJSON_AddItemToArray(list, pair)) {
            cJSON_Delete(pair);
            writer->failed = true;
            return;
        }
        GltfWriter_Push(writer, pair, track->keys[i].time / 1000.0);
        GltfWriter_Push(writer, pair, track->keys[i].visible != 0);
    }
}

/* Adds the node to its parent's list of children. The first child makes the list. */
static void PutUnderParent(Export *export, uint32_t node) {
    GltfWriter *writer = &export->writer;
    const uint32_t parent = export->ani->nodes[node].parent;
    if (parent == RP_ANI_NO_NODE)
        return;
    cJSON *above = export->nodes[parent];
    cJSON *children = cJSON_GetObjectItemCaseSensitive(above, "children");
    if (!children)
        children = GltfWriter_Array(writer, above, "children");
    GltfWriter_Push(writer, children, node);
}

/* ---- camera ---------------------------------------------------------------------------------- */

/* The z axis is reversed, because glTF cameras look along -z. */
static void SampleCamera(const Export *export, float time, float place[3], float turn[4]) {
    float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    double columns[3][3];
    RpAni_SampleCamera(export->ani, time, export->policy, NULL, matrix);
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 3; i++) {
            const double value = matrix[4 * axis + i];
            columns[axis][i] = (i == 2) != (axis == 2) ? -value : value;
        }

    /* The unit quaternion x y z w of the rotation with these columns (Shepperd 1978). */
    const double trace = columns[0][0] + columns[1][1] + columns[2][2];
    int k = 3;
    double most = trace, q[4];
    for (int i = 0; i < 3; i++)
        if (columns[i][i] > most) {
            most = columns[i][i];
            k = i;
        }
    if (k == 3) {
        q[0] = columns[1][2] - columns[2][1];
        q[1] = columns[2][0] - columns[0][2];
        q[2] = columns[0][1] - columns[1][0];
        q[3] = 1 + trace;
    } else {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        q[k] = 1 + 2 * columns[k][k] - trace;
        q[i] = columns[k][i] + columns[i][k];
        q[j] = columns[k][j] + columns[j][k];
        q[3] = columns[i][j] - columns[j][i];
    }
    SetUnit(q, turn);

    MirrorPoint(&matrix[12], place);
}

static void ExportCamera(Export *export) {
    const uint32_t node = export->writer.counts[GLTF_NODES];
    float place[3], turn[4];
    cJSON *object = GltfWriter_Add(&export->writer, GLTF_NODES);

    GltfWriter *writer = &export->writer;
    cJSON *camera =
        GltfWriter_PushObject(writer, GltfWriter_Array(writer, writer->root, "cameras"));
    GltfWriter_Text(writer, camera, "type", "perspective");
    cJSON *perspective = GltfWriter_Object(writer, camera, "perspective");
    GltfWriter_Number(writer, perspective, "yfov", usual_field_of_view);
    GltfWriter_Number(writer, perspective, "znear", 0.1);
    GltfWriter_Number(writer, perspective, "zfar", 1000);

    SampleCamera(export, 0, place, turn);
    GltfWriter_Text(writer, object, "name", "camera");
    GltfWriter_Number(writer, object, "camera", 0);
    GltfWriter_Floats(writer, object, "translation", place, 3);
    GltfWriter_Floats(writer, object, "rotation", turn, 4);

    /* Its motion takes a key wherever one of its tracks has one. */
    RpBuffer places, turns;
    BeginTimes(export);
    for (int i = 0; i < RP_ANI_CAMERA_TRACKS; i++)
        AddKeyTimes(export, &export->ani->camera[i], i != RP_ANI_ROLL - RP_ANI_NODE_TRACKS);
    if (export->samples >= MOST_SAMPLES)
        return;
    SortTimes(export);
    RpBuffer_Init(&places, export->ani->allocator);
    RpBuffer_Init(&turns, export->ani->allocator);
    for (uint32_t i = 0; i < TimeCount(export); i++) {
        SampleCamera(export, TimeAt(export, i), place, turn);
        RpBuffer_Append(&places, place, sizeof place);
        RpBuffer_Append(&turns, turn, sizeof turn);
    }
    if (!export->times.failed && !places.failed && !turns.failed && TimeCount(export) > 0) {
        const uint32_t input = AddTimesAccessor(export);
        AddChannel(export, node, "translation", input, &places, 3);
        AddChannel(export, node, "rotation", input, &turns, 4);
    }
    export->writer.failed |= places.failed || turns.failed;
    RpBuffer_Free(&places);
    RpBuffer_Free(&turns);
}

/* ---- document -------------------------------------------------------------------------------- */

RpAniGltfOptions RpAniGltfOptions_Default(void) {
    return (RpAniGltfOptions){.policy = RP_ANI_POLICY_S, .step = USUAL_STEP};
}

RpStatus RpAni_ExportGltf(const RpAni *ani, const RpAniGltfOptions *options, RpBuffer *file,
                          RpError *error) {
    MODES_OF_C();
    const RpAniGltfOptions usual = RpAniGltfOptions_Default();
    if (!options)
        options = &usual;
    Export export = {
        .ani = ani, .policy = options->policy, .step = options->step ? options->step : USUAL_STEP};
    char expected[80];
    if (ani->node_count == 0)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "an animation needs a tree", "",
                           "a root node", "none");
    export.nodes = RpMemory_Resize(ani->allocator, NULL, ani->node_count * sizeof *export.nodes);
    if (!export.nodes)
        return RpMemory_Refused(error, "glTF");
    RpBuffer_Init(&export.times, ani->allocator);
    GltfWriter_Init(&export.writer, ani->allocator);

    GltfWriter *writer = &export.writer;
    const bool has_camera = export.ani->has_header && export.ani->has_camera != 0;
    cJSON *asset = GltfWriter_Object(writer, writer->root, "asset");
    GltfWriter_Text(writer, asset, "version", "2.0");
    GltfWriter_Text(writer, asset, "generator", "retropose");
    GltfWriter_Number(writer, writer->root, "scene", 0);
    for (uint32_t i = 0; i < export.ani->node_count; i++) {
        const RpAniNode *it = &export.ani->nodes[i];
        cJSON *object = GltfWriter_Add(&export.writer, GLTF_NODES);
        export.nodes[i] = object;

        /* The name, a C string of Latin-1 characters, becomes UTF-8. */
        RpBuffer text;
        RpBuffer_Init(&text, export.ani->allocator);
        for (const char *at = it->name.bytes; *at; at++) {
            const uint8_t c = (uint8_t)*at;
            const uint8_t pair[2] = {(uint8_t)(0xC0 | c >> 6), (uint8_t)(0x80 | (c & 0x3F))};
            RpBuffer_Append(&text, c < 0x80 ? &c : pair, c < 0x80 ? 1 : 2);
        }
        RpBuffer_Append(&text, "", 1);
        if (!text.failed)
            GltfWriter_Text(&export.writer, object, "name", (const char *)text.bytes);
        export.writer.failed |= text.failed;
        RpBuffer_Free(&text);

        PutUnderParent(&export, i);
        for (int kind = RP_ANI_TRANSLATION; kind <= RP_ANI_SCALE; kind++)
            ExportTrack(&export, i, (RpAniTrackKind)kind, object);
        ExportMorph(&export, &it->tracks[RP_ANI_MORPH], object);
    }
    cJSON *scene = GltfWriter_Add(writer, GLTF_SCENES);
    cJSON *roots = GltfWriter_Array(writer, scene, "nodes");
    GltfWriter_Push(writer, roots, 0);
    if (has_camera) {
        GltfWriter_Push(writer, roots, export.ani->node_count);
        ExportCamera(&export);
    }
    GltfWriter_Assemble(writer);
    writer->failed |= export.times.failed;

    RpStatus status = RP_OK;
    snprintf(expected, sizeof expected, "up to %d in all; a larger step makes fewer", MOST_SAMPLES);
    if (export.samples >= MOST_SAMPLES)
        status = RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "too many keys to bake", "",
                             expected, "more");
    else
        status = GltfWriter_Write(&export.writer, options->text, file, error);
    GltfWriter_Free(&export.writer);
    RpBuffer_Free(&export.times);
    RpMemory_Free(ani->allocator, export.nodes);
    return status;
}
