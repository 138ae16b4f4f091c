/* Prints the values of an animation every STEP ms, from before its start to after its end, in both
 * policies, as the bits of its floats:
 *
 *     print_samples FILE STEP
 *     S 100 3 VISIBLE LOCAL[16] WORLD[16]
 *     S 100 camera RESULT MATRIX[16]
 *
 * reference.py computes the same independently and compares. */
#include "synthetic.h"
#include "tests/owned.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void PrintMatrix(const float matrix[16]) {
    for (int i = 0; i < 16; i++) {
        uint32_t bits;
        memcpy(&bits, &matrix[i], sizeof bits);
        printf(" %08" PRIx32, bits);
    }
}

static void PrintTime(const RpAni *ani, int32_t time, RpAniPolicy policy, float (*local)[16],
                      float (*world)[16], uint8_t *visible) {
    const char *name = RpAniPolicy_Name(policy);
    float camera[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    RpAni_Sample(ani, time, policy, NULL, NULL, local, world, visible);
    for (uint32_t i = 0; i < ani->node_count; i++) {
        printf("%s %" PRId32 " %" PRIu32 " %u", name, time, i, visible[i]);
        PrintMatrix(local[i]);
        PrintMatrix(world[i]);
        printf("\n");
    }
    if (ani->has_camera) {
        printf("%s %" PRId32 " camera %d", name, time,
               (int)RpAni_SampleCamera(ani, (float)time, policy, NULL, camera));
        PrintMatrix(camera);
        printf("\n");
    }
}

static void PrintAll(const RpAni *ani, int32_t step) {
    HEAP float(*local)[16] = malloc(ani->node_count * sizeof *local);
    HEAP float(*world)[16] = malloc(ani->node_count * sizeof *world);
    HEAP uint8_t *visible = malloc(ani->node_count);
    for (int policy = 0; local && world && visible && policy < RP_ANI_POLICIES; policy++)
        for (int32_t time = -50; time <= ani->duration + 100; time += step)
            PrintTime(ani, time, (RpAniPolicy)policy, local, world, visible);
}

int main(int count, char **words) {
    static uint8_t image[1 << 20];
    OWNED(RpAni) ani = {0};
    RpError error;
    char text[512];
    const int32_t step = count == 3 ? (int32_t)strtol(words[2], NULL, 10) : 0;
    FILE *file = step > 0 ? fopen(words[1], "rb") : NULL;
    if (!file)
        return 2;
    const size_t size = fread(image, 1, sizeof image, file);
    fclose(file);
    if (RpAni_Read(image, size, RP_ANI_FILE, RP_STRICT, NULL, &ani, &error)) {
        RpError_Format(&error, text, sizeof text);
        fprintf(stderr, "%s\n", text);
        return 1;
    }
    PrintAll(&ani, step);
    return 0;
}
