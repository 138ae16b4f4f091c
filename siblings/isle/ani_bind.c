/* Decides which object of a scene each node moves: facts/lego-ani.md D. */
#include "retropose/ani.h"

#include <inttypes.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

static const char *Text(const RpBuffer *buffer) {
    return buffer->bytes && !buffer->failed ? (const char *)buffer->bytes : "";
}

static void SetText(RpBuffer *buffer, const char *text, size_t length) {
    buffer->size = 0;
    RpBuffer_Append(buffer, text, length);
    RpBuffer_Append(buffer, "", 1);
}

/* A name may be that of a variable. The variable's value then stands for it. */
static const char *Substitute(const RpAniScene *scene, const char *name) {
    const char *value = scene->variable ? scene->variable(scene->context, name) : NULL;
    return value ? value : name;
}

/* `name` has lost its star. If a known actor has this name, it stays as it is; otherwise the
 * scene's instance number and action are appended, so that it is unique. */
static void StarName(const RpAniScene *scene, const char *name, RpBuffer *result) {
    SetText(result, name, strlen(name));
    if (scene->is_known_actor && scene->is_known_actor(scene->context, name))
        return;
    result->size = 0;
    RpBuffer_Print(result, "%s%" PRIu32 "%s", name, scene->instance,
                   scene->action ? scene->action : "");
    RpBuffer_Append(result, "", 1);
}

static size_t TrimmedLength(const char *name) {
    size_t length = strlen(name);
    while (length > 0 && strchr("0123456789_", name[length - 1]))
        length--;
    return length;
}

static void SetLower(RpBuffer *buffer, const char *text, size_t length) {
    SetText(buffer, text, length);
    for (size_t i = 0; !buffer->failed && i < buffer->size; i++)
        if (buffer->bytes[i] >= 'A' && buffer->bytes[i] <= 'Z')
            buffer->bytes[i] = (uint8_t)(buffer->bytes[i] - 'A' + 'a');
}

static void *FindObject(const RpAniScene *scene, const char *name) {
    return scene->find_object ? scene->find_object(scene->context, name) : NULL;
}

/* ---- actors ---------------------------------------------------------------------------------- */

RpStatus RpAni_PlanActor(const RpAni *ani, uint32_t actor, const RpAniScene *scene,
                         RpAniActorPlan *plan, RpError *error) {
    memset(plan, 0, sizeof *plan);
    RpBuffer_Init(&plan->object, ani->allocator);
    RpBuffer_Init(&plan->model, ani->allocator);
    if (actor >= ani->actor_count || ani->actors[actor].name.length == 0)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "no such actor, or one without a name",
                           "", "an index of a named actor", "");
    const char *name = Substitute(scene, ani->actors[actor].name.bytes);
    switch (ani->actors[actor].type) {
    case 2: {
        const bool hidden = name[0] == '*';
        plan->kind = RP_ANI_ACTOR_MANAGED;
        plan->create = true;
        plan->visible = !hidden;
        SetText(&plan->object, name + hidden, strlen(name + hidden));
        break;
    }
    case 3:
    case 4: {
        const char *rest = name[0] ? name + 1 : name;
        plan->kind = RP_ANI_ACTOR_OBJECT;
        plan->create = true;
        plan->visible = false;
        SetLower(&plan->model, rest,
                 ani->actors[actor].type == 3 ? TrimmedLength(rest) : strlen(rest));
        StarName(scene, rest, &plan->object);
        break;
    }
    case 5:
    case 6:
        plan->kind = RP_ANI_ACTOR_SCENE;
        plan->create = !FindObject(scene, name);
        plan->visible = true;
        SetLower(&plan->model, name, TrimmedLength(name));
        SetText(&plan->object, name, strlen(name));
        break;
    default:
        plan->kind = RP_ANI_ACTOR_LOOKED_UP;
        plan->visible = true;
        SetText(&plan->object, name, strlen(name));
        break;
    }
    if (!plan->object.failed && !plan->model.failed)
        return RP_OK;
    RpAniActorPlan_Free(plan);
    return RpMemory_Refused(error, "an actor's plan");
}

void RpAniActorPlan_Free(RpAniActorPlan *plan) {
    RpBuffer_Free(&plan->object);
    RpBuffer_Free(&plan->model);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

typedef struct Binder {
    const RpAni *ani;
    const RpAniScene *scene;
    RpAniMap *map;
    /* Indexed by node: the binding of the top-level object that the node's children belong to, or
     * 0. */
    uint32_t *current;
    uint32_t capacity;
    RpBuffer name, key;
    bool failed;
} Binder;

static bool Reserve(Binder *binder) {
    RpAniMap *map = binder->map;
    if (map->count < binder->capacity)
        return true;
    const uint32_t capacity = map->count + map->count / 2 + 8;
    RpAniBinding *bindings =
        RpMemory_Resize(map->allocator, map->bindings, capacity * sizeof *bindings);
    if (!bindings)
        return false;
    map->bindings = bindings;
    binder->capacity = capacity;
    return true;
}

/* Returns the index of `key`, a new one if no node has the key yet, or 0 when memory runs out. */
static uint32_t IndexOf(Binder *binder, const char *key, void *object, void *part) {
    RpAniMap *map = binder->map;
    const size_t size = strlen(key) + 1;
    for (uint32_t i = 1; i < map->count; i++)
        if (strcmp(map->bindings[i].key, key) == 0)
            return i;
    char *copy = Reserve(binder) ? RpMemory_Resize(map->allocator, NULL, size) : NULL;
    if (!copy) {
        binder->failed = true;
        return 0;
    }
    memcpy(copy, key, size);
    map->bindings[map->count] = (RpAniBinding){.object = object, .part = part, .key = copy};
    return map->count++;
}

/* Without an object above, a node is bound to an object of the scene, which its children then
 * belong to. */
static void BindObject(Binder *binder, uint32_t node, const char *name) {
    void *object = FindObject(binder->scene, name);
    if (!object)
        return;
    binder->map->index[node] = binder->current[node] = IndexOf(binder, name, object, object);
}

static void BindNode(Binder *binder, uint32_t node) {
    const RpAniNode *it = &binder->ani->nodes[node];
    const char *name = it->name.bytes;
    binder->current[node] = it->parent == RP_ANI_NO_NODE ? 0 : binder->current[it->parent];
    if (!name[0] || name[0] == '-')
        return;
    if (name[0] == '*') {
        StarName(binder->scene, name + 1, &binder->name);
        name = Text(&binder->name);
    }
    name = Substitute(binder->scene, name);
    if (binder->current[node] == 0) {
        BindObject(binder, node, name);
    } else {
        const RpAniScene *scene = binder->scene;
        const RpAniBinding above = binder->map->bindings[binder->current[node]];
        void *part = scene->find_part ? scene->find_part(scene->context, above.object, name) : NULL;
        if (!part) {
            BindObject(binder, node, name);
            return;
        }
        binder->key.size = 0;
        RpBuffer_Print(&binder->key, "%s:%s", above.key, name);
        RpBuffer_Append(&binder->key, "", 1);
        binder->map->index[node] = IndexOf(binder, Text(&binder->key), above.object, part);
    }
}

/* Returns an array with a zero for each node and one more. Its size in bytes does not overflow,
 * because the nodes, which are larger, are in memory already. */
static uint32_t *Zeros(const RpAllocator *allocator, uint32_t count) {
    uint32_t *numbers = RpMemory_Resize(allocator, NULL, (count + (size_t)1) * sizeof *numbers);
    if (numbers)
        memset(numbers, 0, (count + (size_t)1) * sizeof *numbers);
    return numbers;
}

RpStatus RpAni_Bind(const RpAni *ani, const RpAniScene *scene, RpAniMap *map, RpError *error) {
    Binder binder = {.ani = ani, .scene = scene, .map = map};
    *map = (RpAniMap){.allocator = ani->allocator};
    RpBuffer_Init(&binder.name, ani->allocator);
    RpBuffer_Init(&binder.key, ani->allocator);
    map->index = Zeros(ani->allocator, ani->node_count);
    binder.current = Zeros(ani->allocator, ani->node_count);
    binder.failed = !map->index || !binder.current || !Reserve(&binder);
    if (!binder.failed) {
        map->bindings[map->count++] = (RpAniBinding){0};

        for (uint32_t i = 0; i < binder.ani->node_count && !binder.failed; i++) {
            BindNode(&binder, i);
            binder.failed |= binder.name.failed || binder.key.failed;
        }
    }
    RpMemory_Free(ani->allocator, binder.current);
    RpBuffer_Free(&binder.name);
    RpBuffer_Free(&binder.key);
    if (!binder.failed)
        return RP_OK;
    RpAniMap_Free(map);
    return RpMemory_Refused(error, "a map of nodes to objects");
}

void RpAniMap_Free(RpAniMap *map) {
    for (uint32_t i = 1; i < map->count; i++)
        RpMemory_Free(map->allocator, map->bindings[i].key);
    RpMemory_Free(map->allocator, map->bindings);
    RpMemory_Free(map->allocator, map->index);
    *map = (RpAniMap){.allocator = map->allocator};
}
