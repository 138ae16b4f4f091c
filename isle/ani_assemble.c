/* The animation that a dump describes (ani_dump.c). */
#include "retropose/ani.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Assembly {
    RpAni *ani;
    RpError *error;
    char path[128]; /* to what is read, for errors */
} Assembly;

/* ---- places and errors ----------------------------------------------------------------------- */

/* Both return the length to go back to. */
static size_t Enter(Assembly *assembly, const char *name) {
    const size_t length = strlen(assembly->path);
    snprintf(assembly->path + length, sizeof assembly->path - length, "%s%s", length ? "." : "",
             name);
    return length;
}

static size_t EnterElement(Assembly *assembly, uint32_t index) {
    const size_t length = strlen(assembly->path);
    snprintf(assembly->path + length, sizeof assembly->path - length, "[%" PRIu32 "]", index);
    return length;
}

static void Leave(Assembly *assembly, size_t length) {
    assembly->path[length] = 0;
}

static bool Refuse(const Assembly *assembly, const char *what, const char *expected,
                   const cJSON *item) {
    char found[80];
    char *text = item ? cJSON_PrintUnformatted(item) : NULL;
    snprintf(found, sizeof found, "%.79s", text ? text : "nothing");
    cJSON_free(text);
    RpError_Set(assembly->error, RP_CORRUPT, RP_NOWHERE, what,
                assembly->path[0] ? assembly->path : "the text", expected, found);
    return false;
}

/* ---- values ---------------------------------------------------------------------------------- */

static const cJSON *Member(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static bool Integer(const Assembly *assembly, const cJSON *item, double least, double most,
                    double *value) {
    char expected[80];
    const double number = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    snprintf(expected, sizeof expected, "a whole number from %.0f to %.0f", least, most);
    if (!(number >= least && number <= most && floor(number) == number))
        return Refuse(assembly, "this is no such number", expected, item);
    *value = number;
    return true;
}

static bool IntegerMember(Assembly *assembly, const cJSON *object, const char *name, double least,
                          double most, double *value) {
    const size_t length = Enter(assembly, name);
    const bool good = Integer(assembly, Member(object, name), least, most, value);
    if (good)
        Leave(assembly, length);
    return good;
}

/* From here on a number rounds to infinity; nine digits of FLT_MAX are above FLT_MAX. */
#define FLOAT_LIMIT 0x1.FFFFFFp+127

/* A number, or the text of its bits. */
static bool Float(const Assembly *assembly, const cJSON *item, float *value) {
    const char *text = cJSON_IsString(item) ? item->valuestring : NULL;
    if (text && strncmp(text, "0x", 2) == 0 && strlen(text) == 10 &&
        strspn(text + 2, "0123456789abcdefABCDEF") == 8) {
        const uint32_t bits = (uint32_t)strtoul(text + 2, NULL, 16);
        memcpy(value, &bits, sizeof bits);
        return true;
    }
    if (!cJSON_IsNumber(item) || !(fabs(item->valuedouble) < FLOAT_LIMIT))
        return Refuse(assembly, "this is no such number",
                      "a float, or the hexadecimal text of its bits", item);
    *value = (float)item->valuedouble;
    return true;
}

static bool Floats(Assembly *assembly, const cJSON *object, const char *name, float *values,
                   uint32_t count) {
    const size_t length = Enter(assembly, name);
    const cJSON *list = Member(object, name), *item;
    uint32_t i = 0;
    char expected[32];
    snprintf(expected, sizeof expected, "a list of %" PRIu32 " numbers", count);
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != (int)count)
        return Refuse(assembly, "this is no such list", expected, list);
    cJSON_ArrayForEach(item, list) {
        const size_t outer = EnterElement(assembly, i);
        if (!Float(assembly, item, &values[i++]))
            return false;
        Leave(assembly, outer);
    }
    Leave(assembly, length);
    return true;
}

static int Nibble(char c) {
    const char *digits = "0123456789abcdef";
    const char lower = c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c;
    const char *at = lower ? strchr(digits, lower) : NULL;
    return at ? (int)(at - digits) : -1;
}

static bool Hex(const Assembly *assembly, const cJSON *item, RpBuffer *bytes) {
    const char *text = cJSON_IsString(item) ? item->valuestring : "x";
    const size_t size = strlen(text) / 2;
    bool good = strlen(text) % 2 == 0 && cJSON_IsString(item);
    for (size_t i = 0; good && i < size; i++) {
        const int high = Nibble(text[2 * i]), low = Nibble(text[2 * i + 1]);
        const uint8_t byte = (uint8_t)(high << 4 | low);
        good = high >= 0 && low >= 0;
        RpBuffer_Append(bytes, &byte, 1);
    }
    return good || Refuse(assembly, "these are no bytes", "pairs of hexadecimal digits", item);
}

/* Bytes of a name: text, or {"hex": "..."}. */
static bool Name(Assembly *assembly, const cJSON *object, RpBuffer *bytes) {
    const size_t length = Enter(assembly, "name");
    const cJSON *item = Member(object, "name");
    if (cJSON_IsString(item))
        RpBuffer_AppendText(bytes, item->valuestring);
    else if (!cJSON_IsObject(item))
        return Refuse(assembly, "a name is missing", "a text, or an object with hex", item);
    else if (!Hex(assembly, Member(item, "hex"), bytes))
        return false;
    Leave(assembly, length);
    return true;
}

static const char *TextOf(const RpBuffer *buffer) {
    return buffer->size ? (const char *)buffer->bytes : "";
}

/* Every member of an object has one of these names, up to a null. */
static bool OnlyMembers(Assembly *assembly, const cJSON *object, const char *const *names) {
    const cJSON *item;
    if (!cJSON_IsObject(object))
        return Refuse(assembly, "this is no object", "an object", object);
    cJSON_ArrayForEach(item, object) {
        const char *const *name = names;
        while (*name && strcmp(*name, item->string) != 0)
            name++;
        if (!*name) {
            Enter(assembly, item->string);
            return Refuse(assembly, "this has no place here", "", item);
        }
    }
    return true;
}

/* ---- tracks ---------------------------------------------------------------------------------- */

static bool Key(Assembly *assembly, RpAniTrackKind kind, const cJSON *item, RpAniKey *key) {
    static const char *const names[] = {"time", "flags", "value", NULL};
    static const char *const morph_names[] = {"time", "flags", "visible", NULL};
    const bool is_morph = kind == RP_ANI_MORPH;
    double time = 0, flags = 0, visible = 0;
    memset(key, 0, sizeof *key);
    if (!OnlyMembers(assembly, item, is_morph ? morph_names : names) ||
        !IntegerMember(assembly, item, "time", 0, RP_ANI_MOST_TIME, &time) ||
        !IntegerMember(assembly, item, "flags", 0, UINT8_MAX, &flags))
        return false;
    key->time = (uint32_t)time;
    key->flags = (uint8_t)flags;
    if (!is_morph)
        return Floats(assembly, item, "value", key->value, RpAniTrackKind_Numbers(kind));
    const bool good = IntegerMember(assembly, item, "visible", 0, UINT8_MAX, &visible);
    key->visible = (uint8_t)visible;
    return good;
}

static bool Keys(Assembly *assembly, RpAniTrackKind kind, const cJSON *list, RpAniKey *keys) {
    const cJSON *item;
    uint32_t i = 0;
    cJSON_ArrayForEach(item, list) {
        const size_t length = EnterElement(assembly, i);
        if (!Key(assembly, kind, item, &keys[i++]))
            return false;
        Leave(assembly, length);
    }
    return true;
}

/* An absent track is an empty one. */
static bool Track(Assembly *assembly, uint32_t node, RpAniTrackKind kind, const cJSON *object) {
    const size_t length = Enter(assembly, RpAniTrackKind_Name(kind));
    const cJSON *list = Member(object, RpAniTrackKind_Name(kind));
    const int count = list ? cJSON_GetArraySize(list) : 0;
    if (list && (!cJSON_IsArray(list) || count > RP_ANI_MOST_KEYS))
        return Refuse(assembly, "this is no track", "a list of up to 65535 keys", list);
    RpAniKey *keys =
        RpMemory_Resize(assembly->ani->allocator, NULL, ((size_t)count + 1) * sizeof *keys);
    if (!keys) {
        RpMemory_Refused(assembly->error, "keys");
        return false;
    }
    const bool good =
        Keys(assembly, kind, list, keys) &&
        RpAni_SetKeys(assembly->ani, node, kind, keys, (uint32_t)count, assembly->error) == RP_OK;
    RpMemory_Free(assembly->ani->allocator, keys);
    if (good)
        Leave(assembly, length);
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
    const size_t length = Enter(assembly, "header"), outer = length;
    if (!OnlyMembers(assembly, header, names) ||
        !IntegerMember(assembly, header, "magic", INT32_MIN, INT32_MAX, &magic) ||
        !IntegerMember(assembly, header, "has_camera", INT32_MIN, INT32_MAX, &has_camera) ||
        !IntegerMember(assembly, header, "unused", INT32_MIN, INT32_MAX, &unused) ||
        !Floats(assembly, header, "centre", ani->centre, 3))
        return false;
    const size_t inner = Enter(assembly, "radius");
    if (!Float(assembly, Member(header, "radius"), &ani->radius))
        return false;
    Leave(assembly, inner);
    Leave(assembly, outer);
    ani->magic = (int32_t)magic;
    ani->has_camera = (int32_t)has_camera;
    ani->unused = (int32_t)unused;
    return true;
}

static bool Actor(Assembly *assembly, const cJSON *item) {
    static const char *const names[] = {"name", "type", NULL};
    RpBuffer name;
    double type = 0;
    RpBuffer_Init(&name, assembly->ani->allocator);
    bool good = OnlyMembers(assembly, item, names) && Name(assembly, item, &name);
    if (good && name.size > 0)
        good = IntegerMember(assembly, item, "type", 0, UINT32_MAX, &type);
    if (good)
        good = RpAni_AddActor(assembly->ani, TextOf(&name), (uint32_t)name.size, (uint32_t)type,
                              assembly->error) == RP_OK;
    RpBuffer_Free(&name);
    return good;
}

/* The list `name` of the text, element by element. */
static bool List(Assembly *assembly, const cJSON *root, const char *name,
                 bool (*take)(Assembly *assembly, const cJSON *item)) {
    const size_t length = Enter(assembly, name);
    const cJSON *list = Member(root, name), *item;
    uint32_t i = 0;
    if (!cJSON_IsArray(list))
        return Refuse(assembly, "this is no list", "a list", list);
    cJSON_ArrayForEach(item, list) {
        const size_t outer = EnterElement(assembly, i++);
        if (!take(assembly, item))
            return false;
        Leave(assembly, outer);
    }
    Leave(assembly, length);
    return true;
}

static bool Camera(Assembly *assembly, const cJSON *root) {
    static const char *const names[] = {"eye", "target", "roll", NULL};
    const cJSON *camera = Member(root, "camera");
    const bool announced = assembly->ani->has_header && assembly->ani->has_camera != 0;
    const size_t length = Enter(assembly, "camera");
    if (!camera != !announced)
        return Refuse(assembly, "header.has_camera and this do not agree",
                      announced ? "a camera" : "no camera", camera);
    if (camera && !OnlyMembers(assembly, camera, names))
        return false;
    for (int kind = RP_ANI_EYE; camera && kind <= RP_ANI_ROLL; kind++)
        if (!Track(assembly, 0, (RpAniTrackKind)kind, camera))
            return false;
    Leave(assembly, length);
    return true;
}

/* The last node of the depth above. */
static bool ParentOf(Assembly *assembly, const cJSON *item, uint32_t *parent) {
    const RpAni *ani = assembly->ani;
    double depth = 0;
    const uint32_t last = ani->node_count - 1; /* unused without nodes */
    const uint32_t most = ani->node_count ? ani->nodes[last].depth + 1 : 0;
    if (!IntegerMember(assembly, item, "depth", ani->node_count ? 1 : 0, most, &depth))
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
        good = RpAni_AddNode(assembly->ani, parent, TextOf(&name), (uint32_t)name.size, node,
                             assembly->error) == RP_OK;
    RpBuffer_Free(&name);
    return good;
}

static bool Node(Assembly *assembly, const cJSON *item) {
    static const char *const names[] = {"depth", "name",  "translation", "rotation",
                                        "scale", "morph", NULL};
    uint32_t node = 0;
    if (!OnlyMembers(assembly, item, names) || !AddNode(assembly, item, &node))
        return false;
    for (int kind = 0; kind < RP_ANI_NODE_TRACKS; kind++)
        if (!Track(assembly, node, (RpAniTrackKind)kind, item))
            return false;
    return true;
}

static bool Trailing(Assembly *assembly, const cJSON *root) {
    const cJSON *item = Member(root, "trailing");
    const size_t length = Enter(assembly, "trailing");
    RpBuffer bytes;
    RpBuffer_Init(&bytes, assembly->ani->allocator);
    bool good = !item || Hex(assembly, item, &bytes);
    if (good)
        good = RpAni_SetTrailing(assembly->ani, bytes.bytes, bytes.size, assembly->error) == RP_OK;
    RpBuffer_Free(&bytes);
    if (good)
        Leave(assembly, length);
    return good;
}

static bool Whole(Assembly *assembly, const cJSON *root) {
    static const char *const names[] = {"format", "version", "header",   "actors", "duration",
                                        "camera", "nodes",   "trailing", NULL};
    const cJSON *format = Member(root, "format");
    double duration = 0, version = 0;
    if (!cJSON_IsString(format) || strcmp(format->valuestring, "retropose ani") != 0)
        return Refuse(assembly, "this is no dump of an animation", "format: retropose ani", format);
    if (!OnlyMembers(assembly, root, names) ||
        !IntegerMember(assembly, root, "version", 1, 1, &version) || !Header(assembly, root) ||
        !List(assembly, root, "actors", Actor) ||
        !IntegerMember(assembly, root, "duration", INT32_MIN, INT32_MAX, &duration))
        return false;
    assembly->ani->duration = (int32_t)duration;
    if (!Camera(assembly, root) || !List(assembly, root, "nodes", Node) ||
        !Trailing(assembly, root))
        return false;
    Enter(assembly, "nodes");
    return assembly->ani->node_count > 0 ||
           Refuse(assembly, "an animation needs a tree", "a root node", NULL);
}

RpStatus RpAni_Assemble(const char *text, size_t size, const RpAllocator *allocator, RpAni *ani,
                        RpError *error) {
    RpError own;
    Assembly assembly = {.ani = ani, .error = error ? error : &own};
    const char *end = NULL;
    cJSON *root = cJSON_ParseWithLengthOpts(text, size, &end, false);
    RpAni_Init(ani, allocator);
    if (!root)
        return RpError_Set(error, RP_CORRUPT, end ? (uint64_t)(end - text) : 0, "this is no JSON",
                           "", "what `ani dump` writes", "");
    assembly.error->status = RP_OK;
    const bool good = Whole(&assembly, root);
    cJSON_Delete(root);
    if (good)
        return RP_OK;
    RpAni_Free(ani);
    return assembly.error->status;
}
