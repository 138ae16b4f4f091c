/* Poses models, with retropose/pose.h. */
#include "bindings/js/binding.h"

#include <stdlib.h>

/* Poses `count` instances. `matrices` has room for all nodes of each of them. The first call
 * prepares the model's clip. */
JS_EXPORT(JsPose_Many)
RpStatus JsPose_Many(JsModel *model, uint32_t count, const RpPoseTimes *times, bool local,
                     bool zero_root, float (*matrices)[16]) {
    RpStatus status = RP_OK;
    if (!model->clip)
        status =
            RpClip_Prepare(&model->skeleton, &model->arithmetic, NULL, &model->clip, &js_error);

    /* RP_INVALID means that a parent does not precede its child. Here this is a fault of the file.
     */
    if (status == RP_INVALID)
        js_error.status = RP_CORRUPT;
    if (!status)
        RpClip_Pose(model->clip, &model->arithmetic, count, times, zero_root,
                    local ? matrices : NULL, local ? NULL : matrices, NULL);
    return status;
}

/* Poses `count` nodes, beginning with `first`, at one time. Writes w, x, y, z and the position of
 * each. */
JS_EXPORT(JsPose_Samples)
void JsPose_Samples(const JsModel *model, uint32_t first, uint32_t count, float time,
                    float (*samples)[7]) {
    for (uint32_t i = 0; i < count; i++)
        RpPose_Sample(&model->skeleton, &model->arithmetic, first + i, time, samples[i],
                      samples[i] + 4, NULL);
}

JS_EXPORT(JsPose_Parents) void JsPose_Parents(const JsModel *model, int32_t *parents) {
    const uint32_t count = RpSkeleton_NodeCount(&model->skeleton);
    for (uint32_t i = 0; i < count; i++)
        parents[i] = RpSkeleton_Parent(&model->skeleton, i);
}

/* Writes the index of the first key and the number of keys, which is 0 for a node without a track;
 * then the time, position and rotation of each key. */
JS_EXPORT(JsPose_Track) RpStatus JsPose_Track(const JsModel *model, uint32_t node) {
    uint32_t first = 0, last = 0;
    RpMshKey key;
    JsResult_Begin();
    const bool found = RpMsh_Track(&model->msh, node, &first, &last) && last >= first;
    JsResult_U32(first);
    JsResult_U32(found ? last - first + 1 : 0);
    for (uint32_t i = first; found && i <= last; i++) {
        float rotation[4];
        RpMsh_Key(&model->msh, i, &key);
        RpMsh_DecodeRotation(key.rotation, &model->arithmetic.readings, rotation);
        JsResult_Floats(&key.time, 1);
        JsResult_Floats(key.position, 3);
        JsResult_Floats(rotation, 4);
    }
    return JsResult_End();
}
