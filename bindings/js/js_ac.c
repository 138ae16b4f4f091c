/* Functions for Asheron's Call, on top of retropose/sequencer.h. */
#include "bindings/js/binding.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_READINGS = 0 };

/* ---- animations and tables ------------------------------------------------------------------- */

typedef struct JsAcAnimation {
    uint32_t references;
    JsImage *image;
    RpAcAnimation animation;
} JsAcAnimation;

typedef struct JsAcTable {
    uint32_t references;
    JsImage *image;
    RpAcMotionTable table;
} JsAcTable;

JS_EXPORT(JsAcAnimation_Close) void JsAcAnimation_Close(JsAcAnimation *handle) {
    if (--handle->references > 0)
        return;
    RpAcAnimation_Free(&handle->animation);
    JsImage_Release(handle->image);
    free(handle);
}

JS_EXPORT(JsAcTable_Close) void JsAcTable_Close(JsAcTable *handle) {
    if (--handle->references > 0)
        return;
    RpAcMotionTable_Free(&handle->table);
    JsImage_Release(handle->image);
    free(handle);
}

/* Reads an animation. Takes over the caller's reference to the image, even after a failure. */
JS_EXPORT(JsAcAnimation_Open) JsAcAnimation *JsAcAnimation_Open(JsImage *image, bool strict) {
    JsAcAnimation *handle = calloc(1, sizeof *handle);
    if (!handle) {
        JsImage_Release(image);
        RpMemory_Refused(&js_error, "an animation");
        return NULL;
    }
    handle->references = 1;
    handle->image = image;
    if (RpAcAnimation_Read(image->bytes, image->size, strict ? RP_STRICT : RP_TOLERANT, NULL,
                           &handle->animation, &js_error) == RP_OK)
        return handle;
    JsAcAnimation_Close(handle);
    return NULL;
}

/* Reads a motion table. Takes over the caller's reference to the image, even after a failure. */
JS_EXPORT(JsAcTable_Open) JsAcTable *JsAcTable_Open(JsImage *image, bool strict) {
    JsAcTable *handle = calloc(1, sizeof *handle);
    if (!handle) {
        JsImage_Release(image);
        RpMemory_Refused(&js_error, "a motion table");
        return NULL;
    }
    handle->references = 1;
    handle->image = image;
    if (RpAcMotionTable_Read(image->bytes, image->size, strict ? RP_STRICT : RP_TOLERANT, NULL,
                             &handle->table, &js_error) == RP_OK)
        return handle;
    JsAcTable_Close(handle);
    return NULL;
}

JS_EXPORT(JsAcAnimation_Image) const JsImage *JsAcAnimation_Image(const JsAcAnimation *handle) {
    return handle->image;
}

JS_EXPORT(JsAcTable_Image) const JsImage *JsAcTable_Image(const JsAcTable *handle) {
    return handle->image;
}

static void WriteFrame(const RpAcFrame *frame) {
    JsResult_Floats(frame->origin, 3);
    JsResult_Floats(frame->q, 4);
}

/* Writes the id, the numbers of parts and frames, and whether the tolerant reader had to leave
 * something out. */
JS_EXPORT(JsAcAnimation_Facts) RpStatus JsAcAnimation_Facts(const JsAcAnimation *handle) {
    JsResult_Begin();
    JsResult_U32(handle->animation.id);
    JsResult_U32(handle->animation.part_count);
    JsResult_U32(handle->animation.frame_count);
    JsResult_U32(handle->animation.damaged);
    return JsResult_End();
}

static double FieldValue(const RpAcHook *hook, const RpAcHookField *field) {
    const uint8_t *at = hook->payload + field->offset;
    const uint32_t left = RP_AC_HOOK_MOST_BYTES - field->offset;
    uint8_t bytes[4] = {0};
    float number;
    uint32_t word;
    memcpy(bytes, at, left < 4 ? left : 4);
    memcpy(&word, bytes, sizeof word);
    memcpy(&number, bytes, sizeof number);
    switch (field->kind) {
    case RP_AC_U8:
        return bytes[0];
    case RP_AC_U16:
        return bytes[0] | bytes[1] << 8;
    case RP_AC_I32:
        return (int32_t)word;
    case RP_AC_F32:
        return number;
    case RP_AC_PACKED_ID: {
        const uint32_t first = word & 0xFFFFu, second = word >> 16;
        return first & 0x8000u ? (first & 0x3FFFu) << 16 | second : first;
    }
    default:
        return word;
    }
}

static void WriteHook(const RpAcHook *hook) {
    RpAcHookField fields[RP_AC_HOOK_MOST_FIELDS];
    const uint32_t count = RpAcHook_Fields(hook->type, DEFAULT_READINGS, fields);
    JsResult_U32(hook->type);
    JsResult_Text(RpAcHook_Name(hook->type));
    JsResult_I32(hook->direction);
    JsResult_U32(count);
    for (uint32_t i = 0; i < count; i++) {
        JsResult_Text(fields[i].name);
        JsResult_F64(FieldValue(hook, &fields[i]));
    }
}

/* Writes whether the object itself moves in this frame and, if so, its frame; then the frames of
 * all parts, and the hooks. */
JS_EXPORT(JsAcAnimation_Frame)
RpStatus JsAcAnimation_Frame(const JsAcAnimation *handle, uint32_t index) {
    const RpAcAnimation *animation = &handle->animation;
    if (index >= animation->frame_count)
        return Js_Invalid("there is no such frame", "an index below the number of frames");
    JsResult_Begin();
    JsResult_U32(animation->pos_frames != NULL);
    if (animation->pos_frames)
        WriteFrame(&animation->pos_frames[index]);
    for (uint32_t part = 0; part < animation->part_count; part++)
        WriteFrame(&animation->part_frames[(size_t)index * animation->part_count + part]);
    const uint32_t first = animation->first_hook[index], end = animation->first_hook[index + 1];
    JsResult_U32(end - first);
    for (uint32_t i = first; i < end; i++)
        WriteHook(&animation->hooks[i]);
    return JsResult_End();
}

JS_EXPORT(JsAcAnimation_Check) RpStatus JsAcAnimation_Check(const JsAcAnimation *handle) {
    const RpFindingSink sink = JsResult_Findings();
    JsResult_Begin();
    const RpStatus status =
        RpAcAnimation_Check(handle->image->bytes, handle->image->size, NULL, &sink, &js_error);
    JsResult_U32(0);
    return status == RP_NO_MEMORY ? status : JsResult_End();
}

JS_EXPORT(JsAcTable_Check) RpStatus JsAcTable_Check(const JsAcTable *handle) {
    const RpFindingSink sink = JsResult_Findings();
    JsResult_Begin();
    const RpStatus status =
        RpAcMotionTable_Check(handle->image->bytes, handle->image->size, NULL, &sink, &js_error);
    JsResult_U32(0);
    return status == RP_NO_MEMORY ? status : JsResult_End();
}

JS_EXPORT(JsAcAnimation_Dump) RpStatus JsAcAnimation_Dump(const JsAcAnimation *handle) {
    JsResult_Begin();
    return RpAcAnimation_Dump(&handle->animation, DEFAULT_READINGS, &js_result, &js_error);
}

JS_EXPORT(JsAcTable_Dump) RpStatus JsAcTable_Dump(const JsAcTable *handle) {
    JsResult_Begin();
    return RpAcMotionTable_Dump(&handle->table, &js_result, &js_error);
}

/* Writes the id, the default style, whether the tolerant reader had to leave something out, and the
 * id of the animation that each reference names. */
JS_EXPORT(JsAcTable_Facts) RpStatus JsAcTable_Facts(const JsAcTable *handle) {
    const RpAcMotionTable *table = &handle->table;
    JsResult_Begin();
    JsResult_U32(table->id);
    JsResult_U32(table->default_style);
    JsResult_U32(table->damaged);
    JsResult_U32(table->ref_count);
    for (uint32_t i = 0; i < table->ref_count; i++)
        JsResult_U32(table->refs[i].animation);
    return JsResult_End();
}

/* ---- an object in motion --------------------------------------------------------------------- */

typedef struct JsAcMotion {
    RpMotion motion;
    RpSequenceNode nodes[RP_AC_MOST_NODES];
    JsAcTable *table;
    JsAcAnimation **animations;
    uint32_t count;
} JsAcMotion;

enum { HAPPENED_NOTHING, HAPPENED_HOOK, HAPPENED_ANIMATION_DONE, HAPPENED_MOTION_DONE };

static const RpAcAnimation *FindAnimation(void *context, uint32_t id) {
    const JsAcMotion *handle = context;
    for (uint32_t i = 0; i < handle->count; i++)
        if (handle->animations[i]->animation.id == id)
            return &handle->animations[i]->animation;
    return NULL;
}

static void TakeEvent(void *context, const RpSequenceEvent *event) {
    (void)context;
    JsResult_U32(event->hook ? HAPPENED_HOOK : HAPPENED_ANIMATION_DONE);
    if (!event->hook)
        return;
    JsResult_U32(event->animation->id);
    JsResult_U32(event->frame);
    JsResult_I32(event->direction);
    WriteHook(event->hook);
}

static void TakeMotionDone(void *context, uint32_t motion, bool success) {
    (void)context;
    JsResult_U32(HAPPENED_MOTION_DONE);
    JsResult_U32(motion);
    JsResult_U32(success);
}

JS_EXPORT(JsAcMotion_Close) void JsAcMotion_Close(JsAcMotion *handle) {
    for (uint32_t i = 0; i < handle->count; i++)
        JsAcAnimation_Close(handle->animations[i]);
    JsAcTable_Close(handle->table);
    free(handle->animations);
    free(handle);
}

/* Makes an object of a table and `count` animations, and has it enter its default state. */
JS_EXPORT(JsAcMotion_New)
JsAcMotion *JsAcMotion_New(JsAcTable *table, JsAcAnimation *const *animations, uint32_t count) {
    JsAcMotion *handle = calloc(1, sizeof *handle);
    if (handle)
        handle->animations = calloc((size_t)count + 1, sizeof(JsAcAnimation *));
    if (!handle || !handle->animations) {
        free(handle);
        RpMemory_Refused(&js_error, "a motion");
        return NULL;
    }
    handle->table = table;
    table->references++;
    handle->count = count;
    for (uint32_t i = 0; i < count; i++) {
        handle->animations[i] = animations[i];
        animations[i]->references++;
    }
    const RpAcLibrary library = {FindAnimation, handle};
    RpMotion_Init(&handle->motion, &table->table, handle->nodes, RP_AC_MOST_NODES, &library);
    handle->motion.motion_done = TakeMotionDone;
    JsResult_Begin();
    if (RpMotion_Start(&handle->motion, &js_error) == RP_OK)
        return handle;
    JsAcMotion_Close(handle);
    return NULL;
}

/* Writes style and substate, whether an animation is showing, its id and frame (both 0 if there is
 * none), and the frame number of the sequence. */
JS_EXPORT(JsAcMotion_State) RpStatus JsAcMotion_State(const JsAcMotion *handle) {
    const RpMotion *motion = &handle->motion;
    const RpAcAnimation *animation = NULL;
    uint32_t frame = 0;
    JsResult_Begin();
    JsResult_U32(motion->style);
    JsResult_U32(motion->substate);
    const bool shows = RpSequence_CurrentFrame(&motion->sequence, &animation, &frame);
    JsResult_U32(shows);
    JsResult_U32(shows ? animation->id : 0);
    JsResult_U32(frame);
    JsResult_F64(motion->sequence.frame_number);
    return JsResult_End();
}

/* Performs an RpAcCommand. Writes the events that this caused, and then the result. */
JS_EXPORT(JsAcMotion_Perform)
RpStatus JsAcMotion_Perform(JsAcMotion *handle, uint32_t command, uint32_t motion, float speed) {
    uint32_t result = 0;
    JsResult_Begin();
    const RpStatus status =
        RpMotion_Perform(&handle->motion, (RpAcCommand)command, motion, speed, &result, &js_error);
    JsResult_U32(HAPPENED_NOTHING);
    JsResult_U32(result);
    return status ? status : JsResult_End();
}

/* Lets time pass. Writes the events that this caused, and then how far the object moved. */
JS_EXPORT(JsAcMotion_Tick) RpStatus JsAcMotion_Tick(JsAcMotion *handle, double seconds) {
    RpAcFrame offset;
    RpAcFrame_Identity(&offset);
    JsResult_Begin();
    const RpStatus status =
        RpMotion_Tick(&handle->motion, seconds, &offset, TakeEvent, NULL, &js_error);
    JsResult_U32(HAPPENED_NOTHING);
    WriteFrame(&offset);
    return status ? status : JsResult_End();
}

/* Writes the number of parts and their frames. The caller puts the object's frame into js_numbers,
 * and the scale behind it. */
JS_EXPORT(JsAcMotion_Pose) RpStatus JsAcMotion_Pose(const JsAcMotion *handle, bool interpolate) {
    const RpAcAnimation *animation = NULL;
    uint32_t frame, count = 0;
    RpAcFrame object;
    memcpy(object.origin, js_numbers, sizeof object.origin);
    memcpy(object.q, js_numbers + 3, sizeof object.q);
    if (RpSequence_CurrentFrame(&handle->motion.sequence, &animation, &frame))
        count = animation->part_count;
    RpAcFrame *parts = calloc((size_t)count + 1, sizeof *parts);
    if (!parts)
        return RpMemory_Refused(&js_error, "a pose");
    count = RpSequence_Pose(&handle->motion.sequence, &object, js_numbers + 7, interpolate, parts,
                            count);
    JsResult_Begin();
    JsResult_U32(count);
    for (uint32_t i = 0; i < count; i++)
        WriteFrame(&parts[i]);
    free(parts);
    return JsResult_End();
}
