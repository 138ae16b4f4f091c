/* Blends two poses of a whole model and prints each node's matrix in model space.
 *
 *   blend_skeleton [MODEL.msh [FRAME_A FRAME_B WEIGHT]]
 *
 * Without a model, it takes a tiny one that it makes itself. Without frames, it blends the first
 * and the last frame half and half. */
#include <retropose/pose.h>

#include "model_image.h"

#include <stdio.h>
#include <stdlib.h>

typedef float Matrix[16]; /* row-major, for column vectors: the translation is in 3, 7, 11 */

static void PrintMatrices(const RpSkeleton *skeleton, Matrix *matrices) {
    for (uint32_t node = 0; node < RpSkeleton_NodeCount(skeleton); node++) {
        printf("node %u, parent %d\n", (unsigned)node, (int)RpSkeleton_Parent(skeleton, node));
        for (int row = 0; row < 4; row++) {
            const float *m = &matrices[node][4 * row];
            printf("  %8.4f %8.4f %8.4f %8.4f\n", (double)m[0], (double)m[1], (double)m[2],
                   (double)m[3]);
        }
    }
}

static int Report(const RpError *error) {
    char text[512];
    RpError_Format(error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 1;
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
        free(image);
        return Report(&error);
    }

    float from = argc > 4 ? strtof(argv[2], NULL) : 0.0f;
    float to = argc > 4 ? strtof(argv[3], NULL) : (float)(skeleton.frame_count - 1);
    float weight = argc > 4 ? strtof(argv[4], NULL) : 0.5f;
    Matrix *matrices = calloc(RpSkeleton_NodeCount(&skeleton) + 1u, sizeof *matrices);
    if (!matrices) {
        free(image);
        return 2;
    }

    /* These settings give what the game gets on any processor with SSE, by the default reading of
     * the format. */
    const RpArithmetic settings = {.build = RP_BUILD_SSE};
    RpStatus status = RpPose_Skeleton(&skeleton, &settings, from, to, weight, /* zero_root */ 0,
                                      NULL, matrices, NULL, &error);
    if (status == RP_OK)
        PrintMatrices(&skeleton, matrices);
    free(matrices);
    free(image);
    return status == RP_OK ? 0 : Report(&error);
}
