/* Models of any bytes: an error, or poses that stay inside the streams. */
#include "retropose/pose.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void PoseAll(const RpModel *model) {
    static const float times[] = {-1.0f, 0.0f, 0.5f, 1.0f, 7.25f, 4294967296.0f, 1e30f};
    static const RpPoseSettings settings;
    RpPoseCounters counters = {0, 0};
    float quaternion[4], position[3], matrix[16];
    uint32_t nodes = RpModel_NodeCount(model);
    for (uint32_t node = 0; node <= nodes && node < 64; node++) /* one past the last, too */
        for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
            RpPose_Sample(model, &settings, node, times[i], quaternion, position, &counters);
            RpPose_Blend(model, &settings, node, times[i], 2.0f, 0.5f, matrix, &counters);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    RpModel model;
    RpError error;
    if (RpModel_FromNRes(bytes, size, &model, &error) == RP_OK)
        PoseAll(&model);
    return 0;
}
