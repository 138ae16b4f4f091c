/* Makes the animation that a dump describes (ani_dump.c writes dumps). */
#include "core/json/json_read.h"
#include "ngi32/processor/modes.h"
#include "retropose/ani.h"

#include <cjson/cJSON.h>
#include <string.h>

typedef struct Assembly {
    RpAni *ani;
    JsonRead read;
} Assembly;

/* ---- values ---------------------------------------------------------------------------------- */

static const cJSON *Member(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static double Integer(Assembly *assembly, const cJSON *object, const char *name, double least,
                      double most) {
    double value = 0;
    JsonRead_IntegerMember(&assembly->read, object, name, least, most, &value);
    return value;
}

static int32_t Signed(Assembly *assembly, const cJSON *object, const char *name) {
    return (int32_t)Integer(assembly, object, name, INT32_MIN, INT32_MAX);
}

static void CheckMemory(Assembly *assembly, const RpBuffer *bytes) {
    if (bytes->failed && !assembly->read.status)
        assembly->read.status = RpMemory_Refused(assembly->read.error, "an animation");
}

/* Reads the bytes of a name: a text, or {"hex": "..."}. */
static void Name(Assembly *assembly, const cJSON *object, RpBuffer *bytes) {
    const size_t length = JsonRead_Enter(&assembly->read, "name");
    const cJSON *item = Member(object, "name");
    RpBuffer_Init(bytes, assembly->ani->allocator);
    if (cJSON_IsString(item))
        RpBuffer_AppendText(bytes, item->valuestring);
    else if (cJSON_IsObject(item))
        JsonRead_Hex(&assembly->read, Member(item, "hex"), bytes);
    else
        JsonRead_Refuse(&assembly->read, "a name is missing", "a text, or an object with hex",
                        item);
    CheckMemory(assembly, bytes);
    JsonRead_Leave(&assembly->read, length);
}

static const char *TextOf(const RpBuffer *buffer) {
    return buffer->size ? (const char *)buffer->bytes : "";
}

/* ---- tracks ---------------------------------------------------------------------------------- */

/* A track that the dump does not have is empty. */
static void Track(Assembly *assembly, uint32_t node, RpAniTrackKind kind, const cJSON *object) {
    JsonRead *read = &assembly->read;
    const size_t length = JsonRead_Enter(read, RpAniTrackKind_Name(kind));
    const cJSON *list = Member(object, RpAniTrackKind_Name(kind)), *item;
    const int count = list ? cJSON_GetArraySize(list) : 0;
    uint32_t i = 0;
    if (list && (!cJSON_IsArray(list) || count > RP_ANI_MOST_KEYS))
        JsonRead_Refuse(read, "this is no track", "a list of up to 65535 keys", list);
    if (read->status)
        return;
    RpAniKey *keys =
        RpMemory_Resize(assembly->ani->allocator, NULL, ((size_t)count + 1) * sizeof *keys);
    if (!keys) {
        read->status = RpMemory_Refused(read->error, "keys");
        return;
    }
    cJSON_ArrayForEach(item, list) {
        const size_t outer = JsonRead_EnterElement(read, i);

        RpAniKey *key = &keys[i++];
        static const char *const names[] = {"time", "flags", "value", NULL};
        static const char *const morph_names[] = {"time", "flags", "visible", NULL};
        const bool is_morph = kind == RP_ANI_MORPH;
        memset(key, 0, sizeof *key);
        JsonRead_OnlyMembers(&assembly->read, item, is_morph ? morph_names : names);
        key->time = (uint32_t)Integer(assembly, item, "time", 0, RP_ANI_MOST_TIME);
        key->flags = (uint8_t)Integer(assembly, item, "flags", 0, UINT8_MAX);
        if (is_morph)
            key->visible = (uint8_t)Integer(assembly, item, "visible", 0, UINT8_MAX);
        else
            JsonRead_Floats(&assembly->read, item, "value", key->value,
                            RpAniTrackKind_Numbers(kind));

        JsonRead_Leave(read, outer);
    }
    if (!read->status)
        read->status = RpAni_SetKeys(assembly->ani, node, kind, keys, (uint32_t)count, read->error);
    RpMemory_Free(assembly->ani->allocator, keys);
    JsonRead_Leave(read, length);
}

/* ---- parts of a file ------------------------------------------------------------------------- */

static bool Actor(void *context, const cJSON *item) {
    Assembly *assembly = context;
    JsonRead *read = &assembly->read;
    static const char *const names[] = {"name", "type", NULL};
    RpBuffer name;
    JsonRead_OnlyMembers(read, item, names);
    Name(assembly, item, &name);
    const uint32_t type =
        name.size > 0 ? (uint32_t)Integer(assembly, item, "type", 0, UINT32_MAX) : 0;
    if (!read->status)
        read->status = RpAni_AddActor(assembly->ani, TextOf(&name), name.size, type, read->error);
    RpBuffer_Free(&name);
    return !read->status;
}

static bool Node(void *context, const cJSON *item) {
    Assembly *assembly = context;
    JsonRead *read = &assembly->read;
    static const char *const names[] = {"depth", "name",  "translation", "rotation",
                                        "scale", "morph", NULL};
    RpBuffer name;
    uint32_t node = 0;
    JsonRead_OnlyMembers(read, item, names);

    /* A node's parent is the last node that is one level less deep. */
    const RpAni *ani = assembly->ani;
    const uint32_t last = ani->node_count - 1; /* The value is not used if there are no nodes. */
    const uint32_t most = ani->node_count ? ani->nodes[last].depth + 1 : 0;
    const double depth = Integer(assembly, item, "depth", ani->node_count ? 1 : 0, most);
    uint32_t parent = ani->node_count ? last : RP_ANI_NO_NODE;
    while (parent != RP_ANI_NO_NODE && ani->nodes[parent].depth + 1 != (uint32_t)depth)
        parent = ani->nodes[parent].parent;

    Name(assembly, item, &name);
    if (!read->status)
        read->status =
            RpAni_AddNode(assembly->ani, parent, TextOf(&name), name.size, &node, read->error);
    RpBuffer_Free(&name);
    for (int kind = 0; kind < RP_ANI_NODE_TRACKS; kind++)
        Track(assembly, node, (RpAniTrackKind)kind, item);
    return !read->status;
}

RpStatus RpAni_Assemble(const char *text, size_t size, const RpAllocator *allocator, RpAni *ani,
                        RpError *error) {
    MODES_OF_C();
    Assembly assembly = {.ani = ani, .read.error = error};
    cJSON *root = JsonRead_Document(text, size, "what `ani dump` writes", error);
    RpAni_Init(ani, allocator);
    if (!root)
        return RP_CORRUPT;
    static const char *const names[] = {"format", "version", "header",   "actors", "duration",
                                        "camera", "nodes",   "trailing", NULL};
    JsonRead *read = &assembly.read;
    const cJSON *format = Member(root, "format");
    RpBuffer trailing;
    RpBuffer_Init(&trailing, ani->allocator);
    if (!cJSON_IsString(format) || strcmp(format->valuestring, "retropose ani") != 0)
        JsonRead_Refuse(read, "this is no dump of an animation", "format: retropose ani", format);
    JsonRead_OnlyMembers(read, root, names);
    Integer(&assembly, root, "version", 1, 1);

    static const char *const header_names[] = {"magic",      "radius", "centre",
                                               "has_camera", "unused", NULL};
    const cJSON *header = Member(root, "header");
    const size_t header_depth = JsonRead_Enter(&assembly.read, "header");
    ani->has_header = header != NULL;
    if (header) {
        JsonRead_OnlyMembers(&assembly.read, header, header_names);
        ani->magic = Signed(&assembly, header, "magic");
        ani->has_camera = Signed(&assembly, header, "has_camera");
        ani->unused = Signed(&assembly, header, "unused");
        JsonRead_Floats(&assembly.read, header, "centre", ani->centre, 3);
        JsonRead_FloatMember(&assembly.read, header, "radius", &ani->radius);
    }
    JsonRead_Leave(&assembly.read, header_depth);

    JsonRead_List(read, root, "actors", Actor, &assembly);
    ani->duration = Signed(&assembly, root, "duration");

    static const char *const camera_names[] = {"eye", "target", "roll", NULL};
    const cJSON *camera = Member(root, "camera");
    const bool announced = assembly.ani->has_header && assembly.ani->has_camera != 0;
    const size_t camera_depth = JsonRead_Enter(&assembly.read, "camera");
    if (!camera != !announced)
        JsonRead_Refuse(&assembly.read, "header.has_camera and this do not agree",
                        announced ? "a camera" : "no camera", camera);
    if (camera)
        JsonRead_OnlyMembers(&assembly.read, camera, camera_names);
    for (int kind = RP_ANI_EYE; camera && kind <= RP_ANI_ROLL; kind++)
        Track(&assembly, 0, (RpAniTrackKind)kind, camera);
    JsonRead_Leave(&assembly.read, camera_depth);

    JsonRead_List(read, root, "nodes", Node, &assembly);
    if (Member(root, "trailing"))
        JsonRead_HexMember(read, root, "trailing", &trailing);
    CheckMemory(&assembly, &trailing);
    if (!read->status)
        read->status = RpAni_SetTrailing(ani, trailing.bytes, trailing.size, read->error);
    RpBuffer_Free(&trailing);
    JsonRead_Enter(read, "nodes");
    if (ani->node_count == 0)
        JsonRead_Refuse(read, "an animation needs a tree", "a root node", NULL);

    cJSON_Delete(root);
    if (assembly.read.status)
        RpAni_Free(ani);
    return assembly.read.status;
}
