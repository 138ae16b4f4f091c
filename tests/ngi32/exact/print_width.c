/* Prints the widest vectors that the exact core uses on this processor, or "x87", and a digest of
 * interpolations and of the matrices of skeletons, all of which the core can decide. Every
 * processor has to give the same digest. The exit code is 1 if a width that this processor has
 * gives other bits, or if the core refuses a call. QEMU's sines have 53 bits, which is only enough
 * for calls that the core does not refuse. */
#include "core/hash.h"
#include "ngi32/exact/force.h"
#include "ngi32/exact/many.h"
#include "replay/composed/random_pair.h"
#include "replay/composed/random_skeleton.h"

#include <stdio.h>
#include <string.h>

enum { BATCHES = 40, MODELS = 6 };

static void DrawPairs(Random *random, float (*q0)[4], float (*q1)[4], float *t) {
    for (int i = 0; i < EXACT_MANY; i++) {
        RandomPair pair;
        do
            RandomPair_Make(random, &pair);
        while (!(pair.t >= 0.05f && pair.t <= 0.95f));
        memcpy(q0[i], pair.q0, sizeof pair.q0);
        memcpy(q1[i], pair.q1, sizeof pair.q1);
        t[i] = pair.t;
    }
}

/* Compares each width that this processor has with the public function. Returns how many numbers
 * are different or refused. */
static int CompareWidths(const float (*q0)[4], const float (*q1)[4], const float *t,
                         const float (*expected)[4]) {
    ExactRotations a, b, result;
    int different = 0;
    for (int i = 0; i < EXACT_MANY; i++)
        for (int k = 0; k < 4; k++) {
            a.number[k][i] = q0[i][k];
            b.number[k][i] = q1[i][k];
        }
    for (const ExactWidth *const *width = Exact_Widths(); *width; width++) {
        const uint32_t before = Exact_Enter();
        const uint64_t refused =
            (*width)->interpolate(&a, &b, t, EXACT_MANY, EXACT_SEQUENTIAL, &result);
        const bool valid = Exact_Leave(before);
        for (int i = 0; i < EXACT_MANY; i++)
            for (int k = 0; k < 4; k++)
                different += !valid || (refused >> i & 1) ||
                             memcmp(&result.number[k][i], &expected[i][k], sizeof(float)) != 0;
    }
    return different;
}

static uint64_t DigestOfPairs(bool by_core, int *different) {
    Random random = Random_Start("widths", 1, 0);
    uint64_t digest = HASH_FNV64_BEGIN;
    for (int batch = 0; batch < BATCHES; batch++) {
        float q0[EXACT_MANY][4], q1[EXACT_MANY][4], t[EXACT_MANY], result[EXACT_MANY][4];
        DrawPairs(&random, q0, q1, t);
        RpQuaternion_InterpolateMany(NULL, EXACT_MANY, (const float(*)[4])q0, (const float(*)[4])q1,
                                     t, result);
        digest = Hash_Fnv64(digest, result, sizeof result);
        if (by_core)
            *different += CompareWidths((const float(*)[4])q0, (const float(*)[4])q1, t,
                                        (const float(*)[4])result);
    }
    return digest;
}

static uint64_t DigestOfPoses(uint64_t digest, RpPoseCounters *counters) {
    static RandomSkeleton model;
    static float local[SKELETON_MOST_NODES][16], space[SKELETON_MOST_NODES][16];
    Random random = Random_Start("widths", 1, 1);
    for (int i = 0; i < MODELS; i++) {
        RandomSkeleton_Make(&random, false, &model);
        const float t = (float)i + 0.3f;
        RpPose_Skeleton(&model.skeleton, NULL, t, t + 3, 0.25f, 0, local, space, counters, NULL);
        const uint32_t nodes = RpSkeleton_NodeCount(&model.skeleton);
        digest = Hash_Fnv64(digest, local, nodes * sizeof *local);
        digest = Hash_Fnv64(digest, space, nodes * sizeof *space);
    }
    return digest;
}

int main(void) {
    const bool by_core = Exact_IsInForce(NULL);
    RpPoseCounters counters = {0};
    int different = 0;
    const uint64_t digest = DigestOfPoses(DigestOfPairs(by_core, &different), &counters);
    printf("%s %016llx\n", by_core ? Exact_Width()->name : "x87", (unsigned long long)digest);
    return different != 0 || counters.refused != 0;
}
