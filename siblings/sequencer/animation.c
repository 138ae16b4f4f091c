/* Reads and writes the Animation resource: facts/ac-sequencer.md A.2. */
#include "core/bytes.h"
#include "siblings/sequencer/hook.h"
#include "siblings/sequencer/resource.h"

#include <string.h>

enum { HAS_POSITIONS = 1, HAS_HOOKS = 2, FRAME_BYTES = 28, HOOK_LEAST_BYTES = 8 };

typedef struct Reading {
    Resource resource;
    RpAcAnimation *animation;
    uint32_t hook_capacity;
} Reading;

/* ---- frames ---------------------------------------------------------------------------------- */

/* Reads x, y, z, qw, qx, qy, qz, which is also their order in memory. */
static bool TakeFrame(Reading *reading, const char *what, RpAcFrame *frame) {
    Resource *resource = &reading->resource;
    const uint64_t offset = resource->at;
    if (!Resource_Floats(resource, what, frame->origin, 3) ||
        !Resource_Floats(resource, what, frame->q, 4))
        return false;
    if (!RpAcFrame_IsValid(frame))
        Resource_Report(resource, "Q12", RP_SEVERITY_WARNING, offset,
                        "a frame whose rotation is not of length 1, or that is no number",
                        "a squared length within 0.001 of 1", "");
    return true;
}

static bool TakePositions(Reading *reading) {
    RpAcAnimation *animation = reading->animation;
    Resource *resource = &reading->resource;
    const uint32_t count = animation->frame_count;
    if (!(animation->flags & HAS_POSITIONS))
        return true;
    if (!Resource_Fits(resource, "position frames", 12, count, FRAME_BYTES))
        return false;
    animation->pos_frames = Resource_Allocate(resource, count, sizeof *animation->pos_frames);
    if (!animation->pos_frames)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        resource->frame = (int32_t)i;
        if (!TakeFrame(reading, "a position frame", &animation->pos_frames[i]))
            return false;
    }
    return true;
}

/* ---- hooks ----------------------------------------------------------------------------------- */

static void CheckHook(Reading *reading, const RpAcHook *hook, uint64_t offset) {
    Resource *resource = &reading->resource;
    if (hook->type == RP_AC_HOOK_ANIMATION_DONE)
        Resource_Report(resource, "Q14", RP_SEVERITY_WARNING, offset,
                        "an AnimationDone hook in a file: the client reads and forgets it", "", "");
    if (hook->direction < RP_AC_BACKWARD || hook->direction > RP_AC_FORWARD)
        Resource_ReportWord(resource, "Q15", RP_SEVERITY_WARNING, offset + 4,
                            "a direction in which no animation plays", "1, -1 or 0",
                            (uint32_t)hook->direction);

    for (uint32_t i = Hook_UsedBytes(hook); i < hook->size; i++)
        if (hook->payload[i] != 0) {
            Resource_ReportWord(&reading->resource, "Q16", RP_SEVERITY_CANONICAL,
                                (offset + HOOK_LEAST_BYTES) + i,
                                "padding of a hook that is not zero", "0", hook->payload[i]);
            break;
        }

    RpAcHookField fields[RP_AC_HOOK_MOST_FIELDS];
    const unsigned count = RpAcHook_Fields(hook->type, 0, fields);
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(fields[i].name, "part") != 0)
            continue;
        const uint8_t *at = hook->payload + fields[i].offset;
        const uint32_t part = fields[i].kind == RP_AC_U8 ? *at : Bytes_U32(at);
        if (part >= reading->animation->part_count && part != UINT32_MAX)
            Resource_ReportWord(&reading->resource, "Q17", RP_SEVERITY_WARNING,
                                (offset + HOOK_LEAST_BYTES) + fields[i].offset,
                                "a hook of a part that the animation does not have",
                                "less than the number of parts, or 0xFFFFFFFF", part);
    }
}

/* ---- part frames ----------------------------------------------------------------------------- */

static bool TakePartFrame(Reading *reading, uint32_t frame) {
    RpAcAnimation *animation = reading->animation;
    Resource *resource = &reading->resource;
    const uint32_t parts = animation->part_count;
    uint32_t hooks;
    resource->frame = (int32_t)frame;
    resource->element = RP_NO_INDEX;
    for (uint32_t i = 0; i < parts; i++)
        if (!TakeFrame(reading, "a part's frame",
                       &animation->part_frames[(size_t)frame * parts + i]))
            return false;
    if (!Resource_U32(resource, "the number of hooks", &hooks) ||
        !Resource_Fits(resource, "hooks", resource->at - 4, hooks, HOOK_LEAST_BYTES))
        return false;
    for (uint32_t i = 0; i < hooks; i++) {
        resource->element = (int32_t)i;

        const uint64_t offset = resource->at;
        RpAcHook hook;
        memset(&hook, 0, sizeof hook);
        if (!Resource_U32(resource, "a hook", &hook.type) ||
            !Resource_I32(resource, "a hook", &hook.direction))
            return false;
        if (!RpAcHook_Name(hook.type))
            return Resource_Refuse(resource, RP_UNSUPPORTED, "Q13", offset,
                                   "a hook of unknown type: where it ends is unknowable", "0 to 26",
                                   hook.type);
        hook.size =
            Hook_PayloadBytes(hook.type, resource->bytes + resource->at, Resource_Left(resource));
        if (!Resource_Has(resource, "a hook", hook.size))
            return false;
        memcpy(hook.payload, resource->bytes + resource->at, hook.size);
        resource->at += hook.size;
        CheckHook(reading, &hook, offset);
        if (animation->hook_count >= reading->hook_capacity) {
            const uint32_t capacity = reading->hook_capacity ? reading->hook_capacity * 2 : 8;
            RpAcHook *grown =
                RpMemory_Resize(animation->allocator, animation->hooks, capacity * sizeof *grown);
            if (!grown) {
                resource->no_memory = resource->damaged = true;
                return false;
            }
            animation->hooks = grown;
            reading->hook_capacity = capacity;
        }
        animation->hooks[animation->hook_count++] = hook;
    }
    return true;
}

/* Keeps only frames that are complete. */
static void TakePartFrames(Reading *reading) {
    RpAcAnimation *animation = reading->animation;
    Resource *resource = &reading->resource;
    const uint32_t wanted = animation->frame_count, parts = animation->part_count;
    if (parts > (UINT32_MAX - 4) / FRAME_BYTES) {
        Resource_Refuse(resource, RP_CORRUPT, "Q02", 8, "more parts than a resource can hold", "",
                        parts);
        return;
    }

    /* A resource that ends too early may have fewer complete frames. */
    const uint32_t least_bytes = parts * FRAME_BYTES + 4;
    uint32_t count = wanted;
    if (!Resource_Fits(resource, "frames", 12, wanted, least_bytes)) {
        resource->damaged = false;
        count = (uint32_t)(Resource_Left(resource) / least_bytes);
    }

    animation->part_frames =
        Resource_Allocate(resource, (size_t)count * parts, sizeof *animation->part_frames);
    animation->first_hook =
        Resource_Allocate(resource, (size_t)count + 1, sizeof *animation->first_hook);
    if (!animation->part_frames || !animation->first_hook)
        return;
    animation->frame_count = 0;
    while (animation->frame_count < count && TakePartFrame(reading, animation->frame_count))
        animation->first_hook[++animation->frame_count] = animation->hook_count;
    animation->hook_count = animation->first_hook[animation->frame_count];
    resource->damaged |= animation->frame_count < wanted;
}

/* ---- whole ----------------------------------------------------------------------------------- */

static Reading Begin(const uint8_t *image, size_t size, const RpAllocator *allocator,
                     const RpFindingSink *sink, RpAcAnimation *animation) {
    Reading reading = {.animation = animation};
    memset(animation, 0, sizeof *animation);
    animation->allocator = allocator;
    Resource *resource = &reading.resource;
    Resource_Open(resource, image, size, sink, allocator);
    if (!Resource_U32(resource, "the header", &animation->id) ||
        !Resource_U32(resource, "the header", &animation->flags) ||
        !Resource_U32(resource, "the header", &animation->part_count) ||
        !Resource_U32(resource, "the header", &animation->frame_count))
        return reading;
    if (animation->id >> 16 != 0x0300)
        Resource_ReportWord(resource, "Q10", RP_SEVERITY_WARNING, 0, "an id of another kind",
                            "0x0300....", animation->id);
    if (animation->flags & ~(uint32_t)(HAS_POSITIONS | HAS_HOOKS))
        Resource_ReportWord(resource, "Q11", RP_SEVERITY_WARNING, 4,
                            "flags without a known meaning", "0 to 3", animation->flags);
    if (animation->frame_count == 0)
        Resource_Report(resource, "Q04", RP_SEVERITY_ERROR, 12, "an animation without frames",
                        "1 or more", "0");

    if (TakePositions(&reading))
        TakePartFrames(&reading);
    if (!resource->damaged)
        Resource_TakeTrailing(resource, &animation->trailing, &animation->trailing_size);

    resource->frame = resource->element = RP_NO_INDEX;
    if (!resource->damaged && ((animation->flags & HAS_HOOKS) != 0) != (animation->hook_count > 0))
        Resource_Report(resource, "Q18", RP_SEVERITY_INFO, 4,
                        "the flag for hooks says otherwise than the frames", "", "");
    return reading;
}

RpStatus RpAcAnimation_Read(const uint8_t *image, size_t size, RpReadMode mode,
                            const RpAllocator *allocator, RpAcAnimation *animation,
                            RpError *error) {
    const Reading reading = Begin(image, size, allocator, NULL, animation);
    const RpStatus status = Resource_Verdict(&reading.resource, error);
    animation->damaged = reading.resource.damaged;

    /* A tolerant reader hands out as many frames as are complete, and at least one. */
    const bool usable = !reading.resource.no_memory && animation->part_frames &&
                        animation->first_hook && animation->frame_count > 0;
    if (!status || (mode == RP_TOLERANT && usable))
        return RP_OK;
    RpAcAnimation_Free(animation);
    return status;
}

RpStatus RpAcAnimation_Check(const uint8_t *image, size_t size, const RpAllocator *allocator,
                             const RpFindingSink *sink, RpError *error) {
    RpAcAnimation animation;
    const Reading reading = Begin(image, size, allocator, sink, &animation);
    RpAcAnimation_Free(&animation);
    return Resource_Verdict(&reading.resource, error);
}

void RpAcAnimation_Free(RpAcAnimation *animation) {
    const RpAllocator *allocator = animation->allocator;
    RpMemory_Free(allocator, animation->pos_frames);
    RpMemory_Free(allocator, animation->part_frames);
    RpMemory_Free(allocator, animation->first_hook);
    RpMemory_Free(allocator, animation->hooks);
    RpMemory_Free(allocator, animation->trailing);
    memset(animation, 0, sizeof *animation);
    animation->allocator = allocator;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void PutFrame(RpBuffer *image, const RpAcFrame *frame) {
    uint32_t words[7];
    memcpy(words, frame->origin, 12);
    memcpy(words + 3, frame->q, 16);
    for (int i = 0; i < 7; i++)
        RpBuffer_AppendU32(image, words[i]);
}

RpStatus RpAcAnimation_Write(const RpAcAnimation *animation, RpBuffer *image, RpError *error) {
    const uint32_t parts = animation->part_count;
    if (((animation->flags & HAS_POSITIONS) != 0) != (animation->pos_frames != NULL))
        return RpError_Set(error, RP_INVALID, 4, "the flag for position frames says otherwise", "",
                           "bit 0 where there are position frames", "");
    RpBuffer_AppendU32(image, animation->id);
    RpBuffer_AppendU32(image, animation->flags);
    RpBuffer_AppendU32(image, parts);
    RpBuffer_AppendU32(image, animation->frame_count);
    for (uint32_t i = 0; animation->pos_frames && i < animation->frame_count; i++)
        PutFrame(image, &animation->pos_frames[i]);
    for (uint32_t frame = 0; frame < animation->frame_count; frame++) {
        for (uint32_t i = 0; i < parts; i++)
            PutFrame(image, &animation->part_frames[(size_t)frame * parts + i]);

        const uint32_t first = animation->first_hook[frame], end = animation->first_hook[frame + 1];
        RpBuffer_AppendU32(image, end - first);
        for (uint32_t i = first; i < end; i++) {
            RpBuffer_AppendU32(image, animation->hooks[i].type);
            RpBuffer_AppendU32(image, (uint32_t)animation->hooks[i].direction);
            RpBuffer_Append(image, animation->hooks[i].payload, animation->hooks[i].size);
        }
    }
    RpBuffer_Append(image, animation->trailing, animation->trailing_size);
    return image->failed ? RpMemory_Refused(error, "a resource") : RP_OK;
}
