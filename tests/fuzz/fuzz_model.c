/* Reads models of any bytes, and good models with some bytes changed or cut off. The result is an
 * error, or poses that stay inside the streams. */
#include "fuzz.h"
#include "replay/scenario/synthetic_model.h"
#include "retropose/pose.h"

#include <stdlib.h>
#include <string.h>

static void PoseAll(const RpSkeleton *model) {
    static const float times[] = {-1.0f, 0.0f, 0.5f, 1.0f, 7.25f, 4294967296.0f, 1e30f};
    static const RpArithmetic settings;
    RpPoseCounters counters = {0};
    float quaternion[4], position[3], matrix[16];
    uint32_t nodes = RpSkeleton_NodeCount(model);
    /* also tries the number after the last node */
    for (uint32_t node = 0; node <= nodes && node < 16; node++)
        for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
            RpPose_Sample(model, &settings, node, times[i], quaternion, position, &counters);
            RpPose_Blend(model, &settings, node, times[i], 2.0f, 0.5f, matrix, &counters);
        }
}

/* Poses a copy in a block of its own, so that a read beyond its end is noticed. */
static void PoseCopy(const uint8_t *bytes, size_t size) {
    RpSkeleton model;
    RpError error;
    HEAP uint8_t *copy = Fuzz_Copy(bytes, size);
    if (RpSkeleton_FromNRes(copy, size, &model, &error) == RP_OK)
        PoseAll(&model);
}

/* Each change is two bytes for the place and one for the value. The first two bytes of the input
 * cut the image. */
static void ChangeAndPose(const uint8_t *changes, size_t size) {
    static const ModelSpec spec = {.name = "fuzzed",
                                   .nodes = 5,
                                   .animated = 3,
                                   .frame_count = 9,
                                   .keys_per_node = 4,
                                   .slots = 2,
                                   .optional = MODEL_RES15};
    OWNED(ModelImage) image = {0};
    RpError error;
    if (size < 2 || ModelImage_Make(&spec, &image, &error))
        return;
    size_t cut = (size_t)(changes[0] | changes[1] << 8);
    for (size_t i = 2; i + 3 <= size; i += 3)
        image.bytes[(size_t)(changes[i] | changes[i + 1] << 8) % image.size] = changes[i + 2];
    PoseCopy(image.bytes, cut < image.size ? cut : image.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    PoseCopy(bytes, size);
    ChangeAndPose(bytes, size);
    return 0;
}
