/* Prints where one node of a model is, half frame by half frame.
 *
 *   sample_curve [MODEL.msh [NODE]]
 *
 * Without a model, it takes node 0 of a tiny one that it makes itself. */
#include <retropose/pose.h>

#include "model_image.h"

#include <stdio.h>
#include <stdlib.h>

static void PrintCurve(const RpSkeleton *skeleton, uint32_t node) {
    /* These settings give what the game gets on any processor with SSE, by the default reading of
     * the format. */
    const RpArithmetic settings = {.build = RP_BUILD_SSE};
    RpPoseCounters counters = {0};

    printf("node %u of %u, %u frames\n", (unsigned)node, (unsigned)RpSkeleton_NodeCount(skeleton),
           (unsigned)skeleton->frame_count);
    puts(" frame        w        x        y        z    position");
    for (uint32_t half = 0; half + 1 < 2 * skeleton->frame_count; half++) {
        float time = (float)half * 0.5f, q[4], p[3];
        RpPose_Sample(skeleton, &settings, node, time, q, p, &counters);
        printf("%6.1f %8.4f %8.4f %8.4f %8.4f    (%.4f, %.4f, %.4f)\n", (double)time, (double)q[0],
               (double)q[1], (double)q[2], (double)q[3], (double)p[0], (double)p[1], (double)p[2]);
    }
    if (counters.out_of_bounds)
        printf("damaged: %llu reads outside the model\n",
               (unsigned long long)counters.out_of_bounds);
}

int main(int argc, char **argv) {
    size_t size;
    uint8_t *image = argc > 1 ? ModelImage_Read(argv[1], &size) : ModelImage_Tiny(&size);
    if (!image) {
        fputs("cannot read the model\n", stderr);
        return 2;
    }

    RpSkeleton skeleton; /* borrows the image */
    RpError error;
    if (RpSkeleton_FromNRes(image, size, &skeleton, &error) != RP_OK) {
        char text[512];
        RpError_Format(&error, text, sizeof text);
        fprintf(stderr, "%s\n", text);
        free(image);
        return 1;
    }

    PrintCurve(&skeleton, argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0);
    free(image);
    return 0;
}
