/* The x87 and the SSE build of the costly functions, and the x87's own steps where the exact core
 * (docs/reference/exact.md) takes their place, side by side in one run.
 *
 *   bench_builds [calls] > builds.csv
 *
 * The x87's steps are timed under an MXCSR that rounds toward zero: the generic build does not mind
 * and gives the same bits, but the core refuses. Each repetition times all three, one after the
 * other and in changing order, so that a change of the machine's speed meets all; the median of the
 * repetitions is printed. Nothing is asserted. The game's control word is in force inside the timed
 * loops only: at 24 bits of precision the arithmetic of a clock would be wrong. */
#include "animesh/records.h"
#include "retropose/pose.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define REPETITIONS   31
#define DEFAULT_CALLS 20000
#define INPUTS        256 /* of each kind; used in turn */
#define KEYS          121
#define KEY_DISTANCE  4
#define FRAMES        ((KEYS - 1) * KEY_DISTANCE + 1)

static float quaternions[INPUTS][4], segments[INPUTS][6], times[INPUTS], fractions[INPUTS];
static uint8_t node[NODE_BYTES], keys[KEYS * KEY_BYTES], frame_map[FRAMES * MAP_WORD_BYTES];
static RpSkeleton model;
static volatile float sink;

/* ---- inputs ---------------------------------------------------------------------------------- */

static uint64_t seed = 1;

/* Gives a number in [-1, 1) from the top bits of Knuth's MMIX generator. */
static float Draw(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (float)((int32_t)(seed >> 40) - 0x800000) * 0x1p-23F;
}

static void PutU16(uint8_t *bytes, unsigned value) {
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
}

/* Draws a quaternion near (1, 0, 0, 0), because neighbouring keys are less than a right angle
 * apart. */
static void DrawQuaternion(float q[4]) {
    q[0] = 0.9F;
    for (int i = 1; i < 4; i++)
        q[i] = 0.25F * Draw();
}

static void MakeModel(void) {
    for (unsigned k = 0; k < KEYS; k++) {
        uint8_t *key = keys + KEY_BYTES * k;
        const float values[4] = {Draw(), Draw(), Draw(), (float)(k * KEY_DISTANCE)};
        float q[4];
        memcpy(key, values, sizeof values);
        DrawQuaternion(q);
        for (int i = 0; i < 4; i++)
            PutU16(key + KEY_AT_rotation + 2 * i,
                   (unsigned)(int)(q[(i + 1) % 4] * 32767.0F) & 0xFFFF);
    }
    for (unsigned f = 0; f < FRAMES; f++)
        PutU16(frame_map + MAP_WORD_BYTES * f, f / KEY_DISTANCE);
    memset(node, 0xFF, sizeof node);
    PutU16(node + NODE_AT_map_start, 0);
    PutU16(node + NODE_AT_fallback, KEYS - 1);
    model = (RpSkeleton){node, sizeof node, keys, sizeof keys, frame_map, sizeof frame_map, FRAMES};
}

static void MakeInputs(void) {
    for (int i = 0; i < INPUTS; i++) {
        DrawQuaternion(quaternions[i]);
        for (int k = 0; k < 6; k++) /* from above to below the plane z = 0 */
            segments[i][k] = Draw() + (k == 2 ? 2.0F : k == 5 ? -2.0F : 0.0F);
        times[i] = (Draw() + 1.0F) * 0.5F * (FRAMES - 1);
        fractions[i] = (Draw() + 1.0F) * 0.5F;
    }
    MakeModel();
}

/* ---- what is timed --------------------------------------------------------------------------- */

typedef struct Variant {
    RpBuild build;
    uint32_t mxcsr;
} Variant;

typedef void (*Subject)(Variant variant, int i);

static void ToMatrix(Variant variant, int i) {
    float matrix[16];
    RpQuaternion_ToMatrix(variant.build, NULL, quaternions[i], matrix);
    sink = matrix[0];
}

static void Interpolate(Variant variant, int i) {
    float result[4];
    RpQuaternion_Interpolate(variant.build, NULL, quaternions[i], quaternions[(i + 1) % INPUTS],
                             fractions[i], result);
    sink = result[0];
}

static void Product(Variant variant, int i) {
    static float matrices[2][16];
    float *a = matrices[i & 1], *b = matrices[~i & 1];
    a[i % 16] = fractions[i];
    float product[16];
    RpMatrix_Product(variant.build, NULL, a, b, product);
    sink = product[0];
}

static void Plane(Variant variant, int i) {
    static const float plane[4] = {0, 0, 1, 0};
    float hit[3];
    if (RpSegment_Plane(variant.build, NULL, segments[i], segments[i] + 3, plane, hit))
        sink = hit[0];
}

static void Sample(Variant variant, int i) {
    RpPoseSettings settings = {.build = variant.build};
    float quaternion[4], position[3];
    RpPose_Sample(&model, &settings, 0, times[i], quaternion, position, NULL);
    sink = quaternion[0];
}

static void Blend(Variant variant, int i) {
    RpPoseSettings settings = {.build = variant.build};
    float matrix[16];
    RpPose_Blend(&model, &settings, 0, times[i], times[(i + 1) % INPUTS], fractions[i], matrix,
                 NULL);
    sink = matrix[0];
}

/* ---- measuring ------------------------------------------------------------------------------- */

static int64_t Nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#define MXCSR_STANDARD    0x1F80
#define MXCSR_TOWARD_ZERO 0x7F80

static uint32_t Mxcsr_Swap(uint32_t wanted) {
    uint32_t before;
    __asm__ volatile("stmxcsr %0" : "=m"(before));
    __asm__ volatile("ldmxcsr %0" : : "m"(wanted));
    return before;
}

static int64_t Time(Subject subject, Variant variant, int calls) {
    const int64_t start = Nanoseconds();
    const uint32_t before = Mxcsr_Swap(variant.mxcsr);
    const uint16_t word = RpFpu_SetControlWord();
    for (int i = 0; i < calls; i++)
        subject(variant, i % INPUTS);
    RpFpu_Restore(word);
    Mxcsr_Swap(before);
    return Nanoseconds() - start;
}

static int Order(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void Compare(const char *name, Subject subject, int calls) {
    enum { X87, GENERIC, SSE, VARIANTS };
    const Variant variants[VARIANTS] = {{RP_BUILD_GENERIC, MXCSR_TOWARD_ZERO},
                                        {RP_BUILD_GENERIC, MXCSR_STANDARD},
                                        {RP_BUILD_SSE, MXCSR_STANDARD}};
    int64_t elapsed[VARIANTS][REPETITIONS];
    double median[VARIANTS];
    for (int r = -1; r < REPETITIONS; r++) /* the first round is for warming up */
        for (int k = 0; k < VARIANTS; k++) {
            const int v = (k + r + 1) % VARIANTS;
            elapsed[v][r < 0 ? 0 : r] = Time(subject, variants[v], calls);
        }
    for (int v = 0; v < VARIANTS; v++) {
        qsort(elapsed[v], REPETITIONS, sizeof **elapsed, Order);
        median[v] = (double)elapsed[v][REPETITIONS / 2] / calls;
    }
    printf("%s,%.1f,%.1f,%.1f,%.2f,%.2f\n", name, median[X87], median[GENERIC], median[SSE],
           median[X87] / median[GENERIC], median[X87] / median[SSE]);
}

int main(int argc, char **argv) {
    const long calls = argc > 1 ? strtol(argv[1], NULL, 10) : DEFAULT_CALLS;
    if (calls < 1 || calls > 100000000) {
        fprintf(stderr, "usage: bench_builds [calls per repetition]\n");
        return 2;
    }
    MakeInputs();
    printf("function,x87_ns,generic_ns,sse_ns,x87_over_generic,x87_over_sse\n");
    Compare("slot14", ToMatrix, (int)calls);
    Compare("slot17", Interpolate, (int)calls);
    Compare("slot23", Product, (int)calls);
    Compare("slot45", Plane, (int)calls);
    Compare("Sample", Sample, (int)calls);
    Compare("Blend", Blend, (int)calls);
    return 0;
}
