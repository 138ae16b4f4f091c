/* Serves the functions ac.* of exports/siblings.abi.h for the native provider. */
#include "replay/provider/siblings.h"

#include "tracefile/format.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_RESOURCES = 256, RESOURCE_WORDS = 3, EVENT_WORDS = 240 };

static uint32_t Word(const float *in) {
    uint32_t word;
    memcpy(&word, in, sizeof word);
    return word;
}

/* ---- the resources of a memory ------------------------------------------------------------------
 */

static const RpAcAnimation *Find(void *context, uint32_t id) {
    const SiblingResources *resources = context;
    for (uint32_t i = 0; i < resources->animation_count; i++)
        if (resources->animations[i].id == id)
            return &resources->animations[i];
    return NULL;
}

static const RpAcMotionTable *FindTable(const SiblingResources *resources, uint32_t id) {
    for (uint32_t i = 0; i < resources->table_count; i++)
        if (resources->tables[i].id == id)
            return &resources->tables[i];
    return NULL;
}

void Siblings_FreeResources(SiblingResources *resources) {
    for (uint32_t i = 0; i < resources->animation_count; i++)
        RpAcAnimation_Free(&resources->animations[i]);
    for (uint32_t i = 0; i < resources->table_count; i++)
        RpAcMotionTable_Free(&resources->tables[i]);
    free(resources->animations);
    free(resources->tables);
    memset(resources, 0, sizeof *resources);
}

static bool ReadOne(SiblingResources *resources, const uint8_t *image, uint32_t size, uint32_t id) {
    if (id >> 24 == 0x09) {
        RpAcMotionTable *table = &resources->tables[resources->table_count];
        if (RpAcMotionTable_Read(image, size, RP_STRICT, NULL, table, NULL) != RP_OK)
            return false;
        resources->table_count++;
        return table->id == id;
    }
    RpAcAnimation *animation = &resources->animations[resources->animation_count];
    if (RpAcAnimation_Read(image, size, RP_STRICT, NULL, animation, NULL) != RP_OK)
        return false;
    resources->animation_count++;
    return animation->id == id;
}

static bool ReadAll(SiblingResources *resources, const TraceMemory *memory) {
    const uint32_t count = memory->size >= 4 ? Bytes_U32(memory->bytes) : MOST_RESOURCES + 1;
    if (count > MOST_RESOURCES || memory->size < 4 + 4 * RESOURCE_WORDS * count)
        return false;
    resources->animations = calloc(count + 1, sizeof *resources->animations);
    resources->tables = calloc(count + 1, sizeof *resources->tables);
    bool good = resources->animations && resources->tables;
    for (uint32_t i = 0; good && i < count; i++) {
        const uint8_t *row = memory->bytes + 4 + 4 * RESOURCE_WORDS * i;
        const uint32_t offset = Bytes_U32(row + 4), size = Bytes_U32(row + 8);
        good = offset <= memory->size && size <= memory->size - offset &&
               ReadOne(resources, memory->bytes + offset, size, Bytes_U32(row));
    }
    return good;
}

static SiblingResources *OpenResources(Siblings *siblings, const float *in) {
    SiblingResources *resources = &siblings->resources;
    const uint32_t id = Word(in);
    const TraceMemory *memory = TraceReader_Memory(siblings->reader, id);
    if (!memory || Word(in + 1) != 0)
        return NULL;
    if (resources->animations && resources->id == id)
        return resources->good ? resources : NULL;
    Siblings_FreeResources(resources);
    resources->id = id;
    resources->good = ReadAll(resources, memory);
    return resources->good ? resources : NULL;
}

/* ---- states
 * --------------------------------------------------------------------------------------- */

typedef struct Object {
    RpMotion motion;
    RpSequenceNode nodes[RP_AC_MOST_NODES];
} Object;

static bool Restore(Object *object, const SiblingResources *resources, const RpAcMotionTable *table,
                    const float *state, uint32_t words) {
    const RpAcLibrary library = {Find, (void *)(uintptr_t)resources};
    RpMotion_Init(&object->motion, table, object->nodes, RP_AC_MOST_NODES, &library);
    return RpMotion_Restore(&object->motion, (const uint32_t *)(const void *)state, words, NULL) ==
           RP_OK;
}

static bool Save(const Object *object, float *state, uint32_t words) {
    if (RpMotion_StateWords(&object->motion) > words)
        return false;
    memset(state, 0, 4 * (size_t)words);
    RpMotion_Save(&object->motion, (uint32_t *)(void *)state);
    return true;
}

/* ---- calls
 * ---------------------------------------------------------------------------------------- */

typedef struct Events {
    uint32_t *words;
    uint32_t count;
} Events;

static void TakeEvent(void *context, const RpSequenceEvent *event) {
    Events *events = context;
    const uint32_t at = 4 * events->count++;
    if (at + 4 > EVENT_WORDS)
        return;
    events->words[at] = event->animation->id;
    events->words[at + 1] = event->frame;
    events->words[at + 2] =
        event->hook ? (uint32_t)(event->hook - event->animation->hooks) : UINT32_MAX;
    events->words[at + 3] = (uint32_t)event->direction;
}

bool Siblings_AcUpdate(Siblings *siblings, const float *in, float *out) {
    SiblingResources *resources = OpenResources(siblings, in);
    const uint32_t words = Word(in + 4);
    const float *offset = in + 5 + words;
    Object object;
    RpAcFrame frame;
    double quantum;
    if (!resources || !Restore(&object, resources, NULL, in + 5, words))
        return false;
    memcpy(&quantum, in + 2, sizeof quantum);
    memcpy(frame.origin, offset, sizeof frame.origin);
    memcpy(frame.q, offset + 3, sizeof frame.q);
    Events events = {.words = (uint32_t *)(void *)(out + 1 + words + 7)};
    memset(events.words, 0, 4 * EVENT_WORDS);
    if (RpSequence_Update(&object.motion.sequence, quantum, &frame, TakeEvent, &events, NULL) ||
        !Save(&object, out + 1, words))
        return false;
    memcpy(out, &events.count, sizeof events.count);
    memcpy(out + 1 + words, frame.origin, sizeof frame.origin);
    memcpy(out + 1 + words + 3, frame.q, sizeof frame.q);
    return true;
}

bool Siblings_AcPerform(Siblings *siblings, const float *in, float *out) {
    SiblingResources *resources = OpenResources(siblings, in);
    const RpAcMotionTable *table = resources ? FindTable(resources, Word(in + 2)) : NULL;
    const uint32_t words = Word(in + 6);
    Object object;
    uint32_t result;
    if (!resources || (!table && Word(in + 2) != 0) ||
        !Restore(&object, resources, table, in + 7, words) ||
        RpMotion_Perform(&object.motion, (RpAcCommand)Word(in + 3), Word(in + 4), in[5], &result,
                         NULL) ||
        !Save(&object, out + 1, words))
        return false;
    memcpy(out, &result, sizeof result);
    return true;
}
