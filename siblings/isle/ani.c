#include "siblings/isle/ani_file.h"

#include <string.h>

/* ---- kinds ----------------------------------------------------------------------------------- */

typedef struct Kind {
    const char *name;
    uint32_t bytes, numbers;
} Kind;

static const Kind kinds[RP_ANI_TRACK_KINDS] = {
    {"translation", 16, 3}, {"rotation", 20, 4}, {"scale", 16, 3}, {"morph", 5, 0},
    {"eye", 16, 3},         {"target", 16, 3},   {"roll", 8, 1},
};

const char *RpAniTrackKind_Name(RpAniTrackKind kind) {
    return (unsigned)kind < RP_ANI_TRACK_KINDS ? kinds[kind].name : "unknown";
}

uint32_t RpAniTrackKind_Bytes(RpAniTrackKind kind) {
    return (unsigned)kind < RP_ANI_TRACK_KINDS ? kinds[kind].bytes : 0;
}

uint32_t RpAniTrackKind_Numbers(RpAniTrackKind kind) {
    return (unsigned)kind < RP_ANI_TRACK_KINDS ? kinds[kind].numbers : 0;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static RpAniKey Key3(uint32_t time, uint8_t flags, float x, float y, float z) {
    return (RpAniKey){.time = time, .flags = flags, .value = {x, y, z}};
}

RpAniKey RpAniKey_Translation(uint32_t time, uint8_t flags, float x, float y, float z) {
    return Key3(time, flags, x, y, z);
}

RpAniKey RpAniKey_Scale(uint32_t time, uint8_t flags, float x, float y, float z) {
    return Key3(time, flags, x, y, z);
}

RpAniKey RpAniKey_Rotation(uint32_t time, uint8_t flags, float w, float x, float y, float z) {
    return (RpAniKey){.time = time, .flags = flags, .value = {w, x, y, z}};
}

RpAniKey RpAniKey_Morph(uint32_t time, uint8_t flags, uint8_t visible) {
    return (RpAniKey){.time = time, .flags = flags, .visible = visible};
}

RpAniKey RpAniKey_Roll(uint32_t time, uint8_t flags, float radians) {
    return (RpAniKey){.time = time, .flags = flags, .value = {radians}};
}

/* facts/lego-ani.md A.4: translations are compared in binary32, scales in binary64. NaN compares as
 * false, but it is not equal to 1. */
bool Ani_HasEffect(RpAniTrackKind kind, const RpAniKey *key) {
    const float *v = key->value;
    switch (kind) {
    case RP_ANI_TRANSLATION:
    case RP_ANI_EYE:
    case RP_ANI_TARGET:
        for (int i = 0; i < 3; i++)
            if (v[i] > 1e-5f || v[i] < -1e-5f)
                return true;
        return false;
    case RP_ANI_ROTATION:
        return !(v[0] == 1.0f);
    case RP_ANI_SCALE:
        for (int i = 0; i < 3; i++)
            if ((double)v[i] > 1.00001 || (double)v[i] < 0.99999)
                return true;
        return false;
    default:
        return false;
    }
}

void Ani_PrepareTrack(RpAniTrackKind kind, RpAniTrack *track) {
    track->ordered = true;
    for (uint32_t i = 0; i < track->count; i++) {
        RpAniKey *key = &track->keys[i];
        key->active = (key->flags & RP_ANI_ACTIVE) || Ani_HasEffect(kind, key);
        if (i > 0 && key->time < track->keys[i - 1].time)
            track->ordered = false;
    }
}

void Ani_TakeKeys(RpAni *ani, RpAniTrackKind kind, RpAniTrack *track, RpAniKey *keys,
                  uint32_t count) {
    RpMemory_Free(ani->allocator, track->keys);
    track->keys = keys;
    track->count = count;
    Ani_PrepareTrack(kind, track);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void InitTrack(RpAniTrack *track) {
    *track = (RpAniTrack){.ordered = true, .offset = RP_NOWHERE};
}

void RpAni_Init(RpAni *ani, const RpAllocator *allocator) {
    memset(ani, 0, sizeof *ani);
    ani->has_header = true;
    ani->magic = RP_ANI_MAGIC;
    ani->allocator = allocator;
    for (int i = 0; i < RP_ANI_CAMERA_TRACKS; i++)
        InitTrack(&ani->camera[i]);
}

static void FreeNode(RpAni *ani, RpAniNode *node) {
    RpMemory_Free(ani->allocator, node->name.bytes);
    for (int i = 0; i < RP_ANI_NODE_TRACKS; i++)
        RpMemory_Free(ani->allocator, node->tracks[i].keys);
}

void RpAni_Free(RpAni *ani) {
    const RpAllocator *allocator = ani->allocator;
    for (uint32_t i = 0; i < ani->node_count; i++)
        FreeNode(ani, &ani->nodes[i]);
    for (uint32_t i = 0; i < ani->actor_count; i++)
        RpMemory_Free(allocator, ani->actors[i].name.bytes);
    for (int i = 0; i < RP_ANI_CAMERA_TRACKS; i++)
        RpMemory_Free(allocator, ani->camera[i].keys);
    RpMemory_Free(allocator, ani->nodes);
    RpMemory_Free(allocator, ani->actors);
    RpMemory_Free(allocator, ani->trailing);
    RpAni_Init(ani, allocator);
}

/* ---- build ----------------------------------------------------------------------------------- */

static RpStatus MakeName(RpAni *ani, const char *bytes, size_t length, RpAniName *name,
                         RpError *error) {
    const size_t size = length == SIZE_MAX ? strlen(bytes) : length;
    if (size >= UINT32_MAX)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the name is too long", "",
                           "less than 4 GiB", "");
    name->bytes = RpMemory_Resize(ani->allocator, NULL, size + 1);
    if (!name->bytes)
        return RpMemory_Refused(error, "a name");
    if (size > 0)
        memcpy(name->bytes, bytes, size);
    name->bytes[size] = 0;
    name->length = (uint32_t)size;
    return RP_OK;
}

/* Makes room for one more element. *capacity grows by half. */
static void *Grow(const RpAllocator *allocator, void *list, uint32_t count, uint32_t *capacity,
                  size_t size) {
    if (count < *capacity)
        return list;
    uint64_t more = (uint64_t)count + count / 2 + 8;
    if (more > UINT32_MAX || more > SIZE_MAX / size)
        return NULL;
    void *grown = RpMemory_Resize(allocator, list, (size_t)more * size);
    if (grown)
        *capacity = (uint32_t)more;
    return grown;
}

RpStatus RpAni_AddActor(RpAni *ani, const char *name, size_t length, uint32_t type,
                        RpError *error) {
    RpAniActor *actors =
        Grow(ani->allocator, ani->actors, ani->actor_count, &ani->actor_capacity, sizeof *actors);
    RpAniActor actor = {.type = type, .offset = RP_NOWHERE};
    if (!actors)
        return RpMemory_Refused(error, "an actor");
    ani->actors = actors;
    const RpStatus status = MakeName(ani, name, length, &actor.name, error);
    if (status)
        return status;
    ani->actors[ani->actor_count++] = actor;
    return RP_OK;
}

static RpStatus NoSuchNode(RpError *error) {
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "no such node", "", "an index of a node", "");
}

/* Adjusts the parents' indices in the nodes from `from` on, after the nodes from `at` on have moved
 * by `by`. */
static void Renumber(RpAni *ani, uint32_t from, uint32_t at, uint32_t by) {
    for (uint32_t i = from; i < ani->node_count; i++) {
        uint32_t *parent = &ani->nodes[i].parent;
        if (*parent != RP_ANI_NO_NODE && *parent >= at)
            *parent += by; /* The sum wraps modulo 2^32, so that `by` can also move back. */
    }
}

static void CountDescendants(RpAni *ani, uint32_t parent, uint32_t more) {
    for (; parent != RP_ANI_NO_NODE; parent = ani->nodes[parent].parent)
        ani->nodes[parent].descendants += more;
}

RpStatus RpAni_AddNode(RpAni *ani, uint32_t parent, const char *name, size_t length,
                       uint32_t *index, RpError *error) {
    const bool is_root = parent == RP_ANI_NO_NODE;
    RpAniNode node = {.parent = parent, .offset = RP_NOWHERE};
    if (!is_root && parent >= ani->node_count)
        return NoSuchNode(error);
    if (is_root && ani->node_count > 0)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "there is a root already", "", "a parent",
                           "");
    node.depth = is_root ? 0 : ani->nodes[parent].depth + 1;
    if (node.depth >= RP_ANI_MOST_DEPTH)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "the tree is too deep", "",
                           "up to 256 levels", "");
    RpAniNode *nodes =
        Grow(ani->allocator, ani->nodes, ani->node_count, &ani->node_capacity, sizeof *nodes);
    if (!nodes)
        return RpMemory_Refused(error, "a node");
    ani->nodes = nodes;
    const RpStatus status = MakeName(ani, name, length, &node.name, error);
    if (status)
        return status;
    for (int i = 0; i < RP_ANI_NODE_TRACKS; i++)
        InitTrack(&node.tracks[i]);
    const uint32_t at = is_root ? 0 : parent + 1 + nodes[parent].descendants;
    memmove(&nodes[at + 1], &nodes[at], (ani->node_count - at) * sizeof *nodes);
    nodes[at] = node;
    ani->node_count++;
    Renumber(ani, at + 1, at, 1);
    CountDescendants(ani, parent, 1);
    if (!is_root)
        nodes[parent].children++;
    if (index)
        *index = at;
    return RP_OK;
}

RpStatus RpAni_RemoveNode(RpAni *ani, uint32_t node, RpError *error) {
    if (node >= ani->node_count)
        return NoSuchNode(error);
    const uint32_t gone = ani->nodes[node].descendants + 1, parent = ani->nodes[node].parent;
    for (uint32_t i = node; i < node + gone; i++)
        FreeNode(ani, &ani->nodes[i]);
    memmove(&ani->nodes[node], &ani->nodes[node + gone],
            (ani->node_count - node - gone) * sizeof *ani->nodes);
    ani->node_count -= gone;
    Renumber(ani, node, node + gone, 0u - gone);
    CountDescendants(ani, parent, 0u - gone);
    if (parent != RP_ANI_NO_NODE)
        ani->nodes[parent].children--;
    return RP_OK;
}

RpStatus RpAni_RenameNode(RpAni *ani, uint32_t node, const char *name, size_t length,
                          RpError *error) {
    RpAniName fresh;
    if (node >= ani->node_count)
        return NoSuchNode(error);
    const RpStatus status = MakeName(ani, name, length, &fresh, error);
    if (status)
        return status;
    RpMemory_Free(ani->allocator, ani->nodes[node].name.bytes);
    ani->nodes[node].name = fresh;
    return RP_OK;
}

RpStatus RpAni_SetKeys(RpAni *ani, uint32_t node, RpAniTrackKind kind, const RpAniKey *keys,
                       uint32_t count, RpError *error) {
    RpAniKey *copy = NULL;
    if ((unsigned)kind >= RP_ANI_TRACK_KINDS || count > RP_ANI_MOST_KEYS)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "no such track, or too many keys", "",
                           "up to 65535 keys", "");
    if (kind < RP_ANI_NODE_TRACKS && node >= ani->node_count)
        return NoSuchNode(error);
    for (uint32_t i = 0; i < count; i++)
        if (keys[i].time > RP_ANI_MOST_TIME)
            return RpError_Set(error, RP_INVALID, RP_NOWHERE, "a key's time needs over 24 bits",
                               RpAniTrackKind_Name(kind), "0 to 16777215 ms", "");
    if (count > 0) {
        copy = RpMemory_Resize(ani->allocator, NULL, count * sizeof *copy);
        if (!copy)
            return RpMemory_Refused(error, "keys");
        memcpy(copy, keys, count * sizeof *copy);
    }
    Ani_TakeKeys(ani, kind, Ani_Track(ani, node, kind), copy, count);
    if (kind >= RP_ANI_NODE_TRACKS && count > 0 && ani->has_camera == 0)
        ani->has_camera = 1;
    return RP_OK;
}

RpStatus RpAni_SetTrailing(RpAni *ani, const void *bytes, size_t size, RpError *error) {
    uint8_t *copy = NULL;
    if (size > 0) {
        copy = RpMemory_Resize(ani->allocator, NULL, size);
        if (!copy)
            return RpMemory_Refused(error, "trailing bytes");
        memcpy(copy, bytes, size);
    }
    RpMemory_Free(ani->allocator, ani->trailing);
    ani->trailing = copy;
    ani->trailing_size = size;
    return RP_OK;
}

/* ---- find ------------------------------------------------------------------------------------ */

static int Lower(char c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

uint32_t RpAni_FindNode(const RpAni *ani, const char *name, uint32_t after) {
    /* RP_ANI_NO_NODE + 1 is 0, which begins at the first node. */
    for (uint32_t i = after + 1; i < ani->node_count; i++) {
        /* The names are compared as C strings, as the game does: a NUL within a name ends it. */
        const char *a = ani->nodes[i].name.bytes, *b = name;
        while (*a && Lower(*a) == Lower(*b)) {
            a++;
            b++;
        }
        if (Lower(*a) == Lower(*b))
            return i;
    }
    return RP_ANI_NO_NODE;
}
