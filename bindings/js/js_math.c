/* The mathematics of Ngi32.dll (retropose/fastproc.h), and poses of streams that are not in a file
 * (retropose/pose.h), under js_settings. Inputs and results are in js_numbers unless a parameter
 * holds them. */
#include "bindings/js/binding.h"

/* js_numbers holds q0, q1 and t. The result replaces q0. */
JS_EXPORT(JsMath_Slerp) void JsMath_Slerp(void) {
    RpQuaternion_Interpolate(&js_settings, js_numbers, js_numbers + 4, js_numbers[8], js_numbers);
}

JS_EXPORT(JsMath_ToMatrix) void JsMath_ToMatrix(void) {
    RpQuaternion_ToMatrix(&js_settings, js_numbers, js_numbers + 4);
}

/* js_numbers holds two matrices. The product is written behind them. */
JS_EXPORT(JsMath_PoseProduct) void JsMath_PoseProduct(void) {
    RpMatrix_PoseProduct(&js_settings, js_numbers, js_numbers + 16, js_numbers + 32);
}

JS_EXPORT(JsMath_ReciprocalSquareRoot) float JsMath_ReciprocalSquareRoot(float x) {
    return (float)RpScalar_ReciprocalSquareRoot(&js_settings, x);
}

JS_EXPORT(JsMath_SineCosine) void JsMath_SineCosine(float angle) {
    RpScalar_SineCosine(&js_settings, angle, &js_numbers[0], &js_numbers[1]);
}

static RpSkeleton Skeleton(const uint8_t *streams, uint32_t nodes, uint32_t keys, uint32_t map,
                           uint32_t frame_count) {
    return (RpSkeleton){.nodes = streams,
                        .node_bytes = nodes,
                        .keys = streams + nodes,
                        .key_bytes = keys,
                        .frame_map = streams + nodes + keys,
                        .frame_map_bytes = map,
                        .frame_count = frame_count};
}

/* The three streams lie one behind the other. Writes the rotation (w, x, y, z) and the position to
 * js_numbers. */
JS_EXPORT(JsMath_Sample)
void JsMath_Sample(const uint8_t *streams, uint32_t nodes, uint32_t keys, uint32_t map,
                   uint32_t frame_count, uint32_t node, float time) {
    const RpSkeleton skeleton = Skeleton(streams, nodes, keys, map, frame_count);
    RpPose_Sample(&skeleton, &js_settings, node, time, js_numbers, js_numbers + 4, NULL);
}

/* Writes the matrix to js_numbers. */
JS_EXPORT(JsMath_Blend)
void JsMath_Blend(const uint8_t *streams, uint32_t nodes, uint32_t keys, uint32_t map,
                  uint32_t frame_count, uint32_t node, float time_a, float time_b, float weight) {
    const RpSkeleton skeleton = Skeleton(streams, nodes, keys, map, frame_count);
    RpPose_Blend(&skeleton, &js_settings, node, time_a, time_b, weight, js_numbers, NULL);
}

/* Writes the matrices of all nodes to `matrices`. */
JS_EXPORT(JsMath_Pose)
RpStatus JsMath_Pose(const uint8_t *streams, uint32_t nodes, uint32_t keys, uint32_t map,
                     uint32_t frame_count, float time_a, float time_b, float weight, bool local,
                     bool zero_root, float (*matrices)[16]) {
    const RpSkeleton skeleton = Skeleton(streams, nodes, keys, map, frame_count);
    return RpPose_Skeleton(&skeleton, &js_settings, time_a, time_b, weight, zero_root,
                           local ? matrices : NULL, local ? NULL : matrices, NULL, &js_error);
}
