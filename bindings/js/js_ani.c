/* Functions for LEGO Island animations, on top of retropose/ani.h. */
#include "bindings/js/binding.h"

#include <stdlib.h>
#include <string.h>

typedef struct JsAni {
    JsImage *image;
    RpAniForm form;
    RpAni ani;
} JsAni;

JS_EXPORT(JsAni_Close) void JsAni_Close(JsAni *ani) {
    RpAni_Free(&ani->ani);
    JsImage_Release(ani->image);
    free(ani);
}

/* Reads an animation. Takes over the caller's reference to the image, even after a failure. */
JS_EXPORT(JsAni_Open) JsAni *JsAni_Open(JsImage *image, bool body, bool strict) {
    JsAni *ani = calloc(1, sizeof *ani);
    if (!ani) {
        JsImage_Release(image);
        RpMemory_Refused(&js_error, "an animation");
        return NULL;
    }
    ani->image = image;
    ani->form = body ? RP_ANI_BODY : RP_ANI_FILE;
    if (RpAni_Read(image->bytes, image->size, ani->form, strict ? RP_STRICT : RP_TOLERANT, NULL,
                   &ani->ani, &js_error) == RP_OK)
        return ani;
    JsAni_Close(ani);
    return NULL;
}

JS_EXPORT(JsAni_Image) const JsImage *JsAni_Image(const JsAni *ani) {
    return ani->image;
}

/* Writes the duration, whether there are a header and a camera, whether the tolerant reader had to
 * leave something out, the actors (name, type) and the nodes (name, parent, depth, key times of
 * four tracks). */
JS_EXPORT(JsAni_Facts) RpStatus JsAni_Facts(const JsAni *handle) {
    const RpAni *ani = &handle->ani;
    JsResult_Begin();
    JsResult_I32(ani->duration);
    JsResult_U32(ani->has_header);
    JsResult_U32(ani->has_camera != 0);
    JsResult_U32(ani->damaged);
    JsResult_U32(ani->actor_count);
    for (uint32_t i = 0; i < ani->actor_count; i++) {
        JsResult_Bytes(ani->actors[i].name.bytes, ani->actors[i].name.length);
        JsResult_U32(ani->actors[i].type);
    }
    JsResult_U32(ani->node_count);
    for (uint32_t i = 0; i < ani->node_count; i++) {
        const RpAniNode *node = &ani->nodes[i];
        JsResult_Bytes(node->name.bytes, node->name.length);
        JsResult_U32(node->parent);
        JsResult_U32(node->depth);
        for (int kind = 0; kind < RP_ANI_NODE_TRACKS; kind++) {
            const RpAniTrack *track = &node->tracks[kind];
            JsResult_U32(track->count);
            for (uint32_t key = 0; key < track->count; key++)
                JsResult_U32(track->keys[key].time);
        }
    }
    return JsResult_End();
}

/* Returns the first node behind the node `after` that has the name, or -1; an `after` of -1 begins
 * at the root. */
JS_EXPORT(JsAni_Find) int32_t JsAni_Find(const JsAni *ani, const char *name, int32_t after) {
    return (int32_t)RpAni_FindNode(&ani->ani, name, (uint32_t)after);
}

/* Writes the local and the world matrices and the visibility of all nodes. The caller puts the
 * matrix above the root into js_numbers. */
JS_EXPORT(JsAni_Sample) RpStatus JsAni_Sample(const JsAni *ani, int32_t time, uint32_t policy) {
    const uint32_t count = ani->ani.node_count;
    float(*local)[16] = calloc((size_t)count + 1, sizeof *local);
    float(*world)[16] = calloc((size_t)count + 1, sizeof *world);
    uint8_t *visible = calloc((size_t)count + 1, 1);
    JsResult_Begin();
    if (local && world && visible) {
        RpAni_Sample(&ani->ani, time, (RpAniPolicy)policy, NULL, js_numbers, local, world, visible);
        JsResult_Floats(local[0], 16 * (size_t)count);
        JsResult_Floats(world[0], 16 * (size_t)count);
        RpBuffer_Append(&js_result, visible, count);
    } else {
        js_result.failed = true;
    }
    free(local);
    free(world);
    free(visible);
    return JsResult_End();
}

/* Writes of each of translation, rotation and scale whether the node has it at this time, and its
 * numbers. */
JS_EXPORT(JsAni_Parts)
RpStatus JsAni_Parts(const JsAni *ani, uint32_t node, float time, uint32_t policy) {
    RpAniParts parts;
    RpAniCursor cursor;
    if (node >= ani->ani.node_count)
        return Js_Invalid("there is no such node", "an index below the number of nodes");
    memset(&cursor, 0, sizeof cursor);
    RpAni_SampleParts(&ani->ani, node, time, (RpAniPolicy)policy, &cursor, &parts);
    JsResult_Begin();
    JsResult_U32(parts.translates);
    JsResult_Floats(parts.translation, 3);
    JsResult_U32(parts.rotates);
    JsResult_Floats(parts.rotation, 4);
    JsResult_U32(parts.scales);
    JsResult_Floats(parts.scale, 3);
    return JsResult_End();
}

/* Turns the base in js_numbers into the camera. Returns an RpAniCameraResult. */
JS_EXPORT(JsAni_Camera) uint32_t JsAni_Camera(const JsAni *ani, float time, uint32_t policy) {
    RpAniCameraCursor cursor;
    memset(&cursor, 0, sizeof cursor);
    return RpAni_SampleCamera(&ani->ani, time, (RpAniPolicy)policy, &cursor, js_numbers);
}

JS_EXPORT(JsAni_Check) RpStatus JsAni_Check(const JsAni *ani) {
    const RpFindingSink sink = JsResult_Findings();
    JsResult_Begin();
    const RpStatus status =
        RpAni_Check(ani->image->bytes, ani->image->size, ani->form, NULL, &sink, &js_error);
    JsResult_U32(0);
    return status == RP_NO_MEMORY ? status : JsResult_End();
}

JS_EXPORT(JsAni_Dump) RpStatus JsAni_Dump(const JsAni *ani) {
    JsResult_Begin();
    return RpAni_Dump(&ani->ani, &js_result, &js_error);
}

JS_EXPORT(JsAni_Export)
RpStatus JsAni_Export(const JsAni *ani, uint32_t policy, uint32_t step) {
    const RpAniGltfOptions options = {.policy = (RpAniPolicy)policy, .step = step};
    JsResult_Begin();
    return RpAni_ExportGltf(&ani->ani, &options, &js_result, &js_error);
}
