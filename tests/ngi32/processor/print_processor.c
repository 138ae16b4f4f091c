/* Prints the features that this processor reports, the builds that g_FastProc gets on it, and
 * whether the exact core serves them. A slerp by each build shows that none meets an instruction
 * that the processor does not have. */
#include "ngi32/exact/force.h"
#include "tests/of_thread.h"

#include "retropose/fastproc.h"

#include <stdio.h>

int main(void) {
    RpProcessor processor;
    static const float q0[4] = {1, 0, 0, 0}, q1[4] = {0.6F, 0.8F, 0, 0};
    float result[4];
    RpProcessor_Detect(&processor);
    const RpBuild build = RpProcessor_Build(&processor);
    RpFpu_SetControlWord();
    const bool is_exact = Exact_IsInForce(OF_THREAD(RP_BUILD_GENERIC));
    RpQuaternion_Interpolate(OF_THREAD(build), q0, q1, 0.25F, result);
    printf("sse %d, 3dnow %d, fxch %d, mmx %d: %s, %s\n", processor.sse, processor.amd3dnow,
           processor.fxch, processor.mmx, RpBuild_Name(build), is_exact ? "core" : "x87");
    return result[0] < 0.97F || result[0] > 0.98F;
}
