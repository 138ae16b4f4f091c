/* Makes the animation that a dump describes (ani_dump.c writes dumps). */
#include "core/json/json_read.h"
#include "ngi32/processor/modes.h"
#include "retropose/ani.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Assembly {
    RpAni *ani;
    JsonRead read;
} Assembly;

/* ---- values ---------------------------------------------------------------------------------- */

static const cJSON *Member(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* Reads the bytes of a name: a text, or {"hex": "..."}. */
static bool Name(Assembly *assembly, const cJSON *object, RpBuffer *bytes) {
    const size_t length = JsonRead_Enter(&assembly->read, "name");
    const cJSON *item = Member(object, "name");
    if (cJSON_IsString(item))
        RpBuffer_AppendText(bytes, item->valuestring);
    else if (!cJSON_IsObject(item))
        return JsonRead_Refuse(&assembly->read, "a name is missing",
                               "a text, or an object with hex", item);
    else if (!JsonRead_Hex(&assembly->read, Member(item, "hex"), bytes))
        return false;
    JsonRead_Leave(&assembly->read, length);
    return true;
}

static const char *TextOf(const RpBuffer *buffer) {
    return buffer->size ? (const char *)buffer->bytes : "";
}

/* ---- tracks ---------------------------------------------------------------------------------- */

static bool Key(Assembly *assembly, RpAniTrackKind kind, const cJSON *item, RpAniKey *key) {
    static const char *const names[] = {"time", "flags", "value", NULL};
    static const char *const morph_names[] = {"time", "flags", "visible", NULL};
    const bool is_morph = kind == RP_ANI_MORPH;
    double time = 0, flags = 0, visible = 0;
    memset(key, 0, sizeof *key);
    if (!JsonRead_OnlyMembers(&assembly->read, item, is_morph ? morph_names : names) ||
        !JsonRead_IntegerMember(&assembly->read, item, "time", 0, RP_ANI_MOST_TIME, &time) ||
        !JsonRead_IntegerMember(&assembly->read, item, "flags", 0, UINT8_MAX, &flags))
        return false;
    key->time = (uint32_t)time;
    key->flags = (uint8_t)flags;
    if (!is_morph)
        return JsonRead_Floats(&assembly->read, item, "value", key->value,
                               RpAniTrackKind_Numbers(kind));
    const bool good =
        JsonRead_IntegerMember(&assembly->read, item, "visible", 0, UINT8_MAX, &visible);
    key->visible = (uint8_t)visible;
    return good;
}

static bool Keys(Assembly *assembly, RpAniTrackKind kind, const cJSON *list, RpAniKey *keys) {
    const cJSON *item;
    uint32_t i = 0;
    cJSON_ArrayForEach(item, list) {
        const size_t length = JsonRead_EnterElement(&assembly->read, i);
        if (!Key(assembly, kind, item, &keys[i++]))
            return false;
        JsonRead_Leave(&assembly->read, length);
    }
    return true;
}

/* A track that the dump does not have is empty. */
static bool Track(Assembly *assembly, uint32_t node, RpAniTrackKind kind, const cJSON *object) {
    const size_t length = JsonRead_Enter(&assembly->read, RpAniTrackKind_Name(kind));
    const cJSON *list = Member(object, RpAniTrackKind_Name(kind));
    const int count = list ? cJSON_GetArraySize(list) : 0;
    if (list && (!cJSON_IsArray(list) || count > RP_ANI_MOST_KEYS))
        return JsonRead_Refuse(&assembly->read, "this is no track", "a list of up to 65535 keys",
                               list);
    RpAniKey *keys =
        RpMemory_Resize(assembly->ani->allocator, NULL, ((size_t)count + 1) * sizeof *keys);
    if (!keys) {
        RpMemory_Refused(assembly->read.error, "keys");
        return false;
    }
    const bool good = Keys(assembly, kind, list, keys) &&
                      RpAni_SetKeys(assembly->ani, node, kind, keys, (uint32_t)count,
                                    assembly->read.error) == RP_OK;
    RpMemory_Free(assembly->ani->allocator, keys);
    if (good)
        JsonRead_Leave(&assembly->read, length);
    return good;
}

/* ---- parts of a file ------------------------------------------------------------------------- */

static bool Header(Assembly *assembly, const cJSON *root) {
    static const char *const names[] = {"magic", "radius", "centre", "has_camera", "unused", NULL};
    RpAni *ani = assembly->ani;
    const cJSON *header = Member(root, "header");
    double magic = 0, has_camera = 0, unused = 0;
    ani->has_header = header != NULL;
    if (!header)
        return true;
    const size_t length = JsonRead_Enter(&assembly->read, "header"), outer = length;
    if (!JsonRead_OnlyMembers(&assembly->read, header, names) ||
        !JsonRead_IntegerMember(&assembly->read, header, "magic", INT32_MIN, INT32_MAX, &magic) ||
        !JsonRead_IntegerMember(&assembly->read, header, "has_camera", INT32_MIN, INT32_MAX,
                                &has_camera) ||
        !JsonRead_IntegerMember(&assembly->read, header, "unused", INT32_MIN, INT32_MAX, &unused) ||
        !JsonRead_Floats(&assembly->read, header, "centre", ani->centre, 3))
        return false;
    const size_t inner = JsonRead_Enter(&assembly->read, "radius");
    if (!JsonRead_Float(&assembly->read, Member(header, "radius"), &ani->radius))
        return false;
    JsonRead_Leave(&assembly->read, inner);
    JsonRead_Leave(&assembly->read, outer);
    ani->magic = (int32_t)magic;
    ani->has_camera = (int32_t)has_camera;
    ani->unused = (int32_t)unused;
    return true;
}

static bool Actor(void *context, const cJSON *item) {
    Assembly *assembly = context;
    static const char *const names[] = {"name", "type", NULL};
    RpBuffer name;
    double type = 0;
    RpBuffer_Init(&name, assembly->ani->allocator);
    bool good = JsonRead_OnlyMembers(&assembly->read, item, names) && Name(assembly, item, &name);
    if (good && name.size > 0)
        good = JsonRead_IntegerMember(&assembly->read, item, "type", 0, UINT32_MAX, &type);
    if (good)
        good = RpAni_AddActor(assembly->ani, TextOf(&name), name.size, (uint32_t)type,
                              assembly->read.error) == RP_OK;
    RpBuffer_Free(&name);
    return good;
}

static bool Camera(Assembly *assembly, const cJSON *root) {
    static const char *const names[] = {"eye", "target", "roll", NULL};
    const cJSON *camera = Member(root, "camera");
    const bool announced = assembly->ani->has_header && assembly->ani->has_camera != 0;
    const size_t length = JsonRead_Enter(&assembly->read, "camera");
    if (!camera != !announced)
        return JsonRead_Refuse(&assembly->read, "header.has_camera and this do not agree",
                               announced ? "a camera" : "no camera", camera);
    if (camera && !JsonRead_OnlyMembers(&assembly->read, camera, names))
        return false;
    for (int kind = RP_ANI_EYE; camera && kind <= RP_ANI_ROLL; kind++)
        if (!Track(assembly, 0, (RpAniTrackKind)kind, camera))
            return false;
    JsonRead_Leave(&assembly->read, length);
    return true;
}

/* A node's parent is the last node that is one level less deep. */
static bool ParentOf(Assembly *assembly, const cJSON *item, uint32_t *parent) {
    const RpAni *ani = assembly->ani;
    double depth = 0;
    const uint32_t last = ani->node_count - 1; /* The value is not used if there are no nodes. */
    const uint32_t most = ani->node_count ? ani->nodes[last].depth + 1 : 0;
    if (!JsonRead_IntegerMember(&assembly->read, item, "depth", ani->node_count ? 1 : 0, most,
                                &depth))
        return false;
    *parent = ani->node_count ? last : RP_ANI_NO_NODE;
    while (*parent != RP_ANI_NO_NODE && ani->nodes[*parent].depth + 1 != (uint32_t)depth)
        *parent = ani->nodes[*parent].parent;
    return true;
}

static bool AddNode(Assembly *assembly, const cJSON *item, uint32_t *node) {
    RpBuffer name;
    uint32_t parent = RP_ANI_NO_NODE;
    RpBuffer_Init(&name, assembly->ani->allocator);
    bool good = ParentOf(assembly, item, &parent) && Name(assembly, item, &name);
    if (good)
        good = RpAni_AddNode(assembly->ani, parent, TextOf(&name), name.size, node,
                             assembly->read.error) == RP_OK;
    RpBuffer_Free(&name);
    return good;
}

static bool Node(void *context, const cJSON *item) {
    Assembly *assembly = context;
    static const char *const names[] = {"depth", "name",  "translation", "rotation",
                                        "scale", "morph", NULL};
    uint32_t node = 0;
    if (!JsonRead_OnlyMembers(&assembly->read, item, names) || !AddNode(assembly, item, &node))
        return false;
    for (int kind = 0; kind < RP_ANI_NODE_TRACKS; kind++)
        if (!Track(assembly, node, (RpAniTrackKind)kind, item))
            return false;
    return true;
}

static bool Trailing(Assembly *assembly, const cJSON *root) {
    const cJSON *item = Member(root, "trailing");
    const size_t length = JsonRead_Enter(&assembly->read, "trailing");
    RpBuffer bytes;
    RpBuffer_Init(&bytes, assembly->ani->allocator);
    bool good = !item || JsonRead_Hex(&assembly->read, item, &bytes);
    if (good)
        good = RpAni_SetTrailing(assembly->ani, bytes.bytes, bytes.size, assembly->read.error) ==
               RP_OK;
    RpBuffer_Free(&bytes);
    if (good)
        JsonRead_Leave(&assembly->read, length);
    return good;
}

static bool Whole(Assembly *assembly, const cJSON *root) {
    static const char *const names[] = {"format", "version", "header",   "actors", "duration",
                                        "camera", "nodes",   "trailing", NULL};
    const cJSON *format = Member(root, "format");
    double duration = 0, version = 0;
    if (!cJSON_IsString(format) || strcmp(format->valuestring, "retropose ani") != 0)
        return JsonRead_Refuse(&assembly->read, "this is no dump of an animation",
                               "format: retropose ani", format);
    if (!JsonRead_OnlyMembers(&assembly->read, root, names) ||
        !JsonRead_IntegerMember(&assembly->read, root, "version", 1, 1, &version) ||
        !Header(assembly, root) ||
        !JsonRead_List(&assembly->read, root, "actors", Actor, assembly) ||
        !JsonRead_IntegerMember(&assembly->read, root, "duration", INT32_MIN, INT32_MAX, &duration))
        return false;
    assembly->ani->duration = (int32_t)duration;
    if (!Camera(assembly, root) || !JsonRead_List(&assembly->read, root, "nodes", Node, assembly) ||
        !Trailing(assembly, root))
        return false;
    JsonRead_Enter(&assembly->read, "nodes");
    return assembly->ani->node_count > 0 ||
           JsonRead_Refuse(&assembly->read, "an animation needs a tree", "a root node", NULL);
}

RpStatus RpAni_Assemble(const char *text, size_t size, const RpAllocator *allocator, RpAni *ani,
                        RpError *error) {
    MODES_OF_C();
    RpError own;
    Assembly assembly = {.ani = ani, .read.error = error ? error : &own};
    const char *end = NULL;
    cJSON *root = JsonRead_Parse(text, size, &end);
    RpAni_Init(ani, allocator);
    if (!root)
        return RpError_Set(error, RP_CORRUPT, end ? (uint64_t)(end - text) : 0, "this is no JSON",
                           "", "what `ani dump` writes", "");
    assembly.read.error->status = RP_OK;
    const bool good = Whole(&assembly, root);
    cJSON_Delete(root);
    if (good)
        return RP_OK;
    RpAni_Free(ani);
    return assembly.read.error->status;
}
