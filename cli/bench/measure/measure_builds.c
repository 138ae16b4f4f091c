/* The x87 and the SSE build of the costly functions, and the x87's own steps where the exact core
 * (docs/reference/exact.md) takes their place, side by side in one run.
 *
 *   bench_builds [calls] > builds.csv         (or some of it: retropose bench)
 *
 * The x87's steps are timed under an MXCSR that rounds toward zero: the generic build does not mind
 * and gives the same bits, but the core refuses. Each repetition times all three, one after the
 * other and in changing order, so that a change of the machine's speed meets all; the median of the
 * repetitions is printed. Nothing is asserted. The game's control word is in force inside the timed
 * loops only: at 24 bits of precision the arithmetic of a clock would be wrong. */
#include "cli/bench/measure/bench_inputs.h"
#include "cli/bench/measure/benches.h"
#include "cli/bench/measure/timing.h"
#include "retropose/pose.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define REPETITIONS   31
#define DEFAULT_CALLS 20000
#define INPUTS        256 /* of each kind; used one after the other */

static float quaternions[INPUTS][4], segments[INPUTS][6], times[INPUTS], fractions[INPUTS];
static RpSkeleton model;
static volatile float sink;

/* ---- what is timed --------------------------------------------------------------------------- */

typedef struct Variant {
    RpArithmetic arithmetic;
    uint32_t mxcsr;
} Variant;

typedef void (*Subject)(const RpArithmetic *arithmetic, int i);

static void ToMatrix(const RpArithmetic *arithmetic, int i) {
    float matrix[16];
    RpQuaternion_ToMatrix(arithmetic, quaternions[i], matrix);
    sink = matrix[0];
}

static void Interpolate(const RpArithmetic *arithmetic, int i) {
    float result[4];
    RpQuaternion_Interpolate(arithmetic, quaternions[i], quaternions[(i + 1) % INPUTS],
                             fractions[i], result);
    sink = result[0];
}

static void Product(const RpArithmetic *arithmetic, int i) {
    static float matrices[2][16];
    float *a = matrices[i & 1], *b = matrices[~i & 1];
    a[i % 16] = fractions[i];
    float product[16];
    RpMatrix_Product(arithmetic, a, b, product);
    sink = product[0];
}

static void Plane(const RpArithmetic *arithmetic, int i) {
    static const float plane[4] = {0, 0, 1, 0};
    float hit[3];
    if (RpSegment_Plane(arithmetic, segments[i], segments[i] + 3, plane, hit))
        sink = hit[0];
}

/* There is no SSE build of this function. Its column repeats the generic build. */
static void SineCosine(const RpArithmetic *arithmetic, int i) {
    float sine, cosine;
    RpScalar_SineCosine(arithmetic, segments[i][0] * 3, &sine, &cosine);
    sink = sine + cosine;
}

static void ReciprocalRoot(const RpArithmetic *arithmetic, int i) {
    sink = (float)RpScalar_ReciprocalSquareRoot(arithmetic, fractions[i]);
}

static void Sample(const RpArithmetic *arithmetic, int i) {
    float quaternion[4], position[3];
    RpPose_Sample(&model, arithmetic, 0, times[i], quaternion, position, NULL);
    sink = quaternion[0];
}

static void Blend(const RpArithmetic *arithmetic, int i) {
    float matrix[16];
    RpPose_Blend(&model, arithmetic, 0, times[i], times[(i + 1) % INPUTS], fractions[i], matrix,
                 NULL);
    sink = matrix[0];
}

/* ---- measuring ------------------------------------------------------------------------------- */

static void Compare(BenchTable *table, const char *name, Subject subject, int calls) {
    enum { VARIANTS = 3 };
    const RpArithmetic generic = {RP_BUILD_GENERIC, .control_word = RP_THREADS_CONTROL_WORD};
    const RpArithmetic sse = {RP_BUILD_SSE, .control_word = RP_THREADS_CONTROL_WORD};
    const Variant variants[VARIANTS] = {{generic, BENCH_MXCSR_TOWARD_ZERO},
                                        {generic, BENCH_MXCSR_STANDARD},
                                        {sse, BENCH_MXCSR_STANDARD}};
    const int runs = BenchTable_Runs(table, REPETITIONS);
    double elapsed[VARIANTS][REPETITIONS];
    BenchWay ways[VARIANTS] = {
        {"x87", elapsed[0], runs}, {"generic", elapsed[1], runs}, {"sse", elapsed[2], runs}};
    if (!BenchTable_Wants(table, name, (uint64_t)calls))
        return;
    for (int r = -1; r < runs; r++) /* the first round is for warming up */
        for (int k = 0; k < VARIANTS; k++) {
            const int v = (k + r + 1) % VARIANTS;
            const int64_t start = Bench_ProcessNanoseconds();
            const uint32_t before = Bench_SwapMxcsr(variants[v].mxcsr);
            const uint16_t word = RpFpu_SetControlWord();
            for (int i = 0; i < calls; i++)
                subject(&variants[v].arithmetic, i % INPUTS);
            RpFpu_Restore(word);
            Bench_SwapMxcsr(before);
            elapsed[v][r < 0 ? 0 : r] = (double)(Bench_ProcessNanoseconds() - start) / calls;
        }
    BenchTable_Ways(table, name, (uint64_t)calls, ways, VARIANTS);
}

static bool Run(BenchTable *table, long calls, bool given) {
    (void)given;
    Bench_Restart();
    for (int i = 0; i < INPUTS; i++) {
        Bench_DrawQuaternion(quaternions[i]);
        for (int k = 0; k < 6; k++) /* from above to below the plane z = 0 */
            segments[i][k] = Bench_Draw() + (k == 2 ? 2.0F : k == 5 ? -2.0F : 0.0F);
        times[i] = (Bench_Draw() + 1.0F) * 0.5F * (BENCH_FRAMES - 1);
        fractions[i] = (Bench_Draw() + 1.0F) * 0.5F;
    }
    model = Bench_MakeSkeleton(1);
    Compare(table, "ngiGetSinCos", SineCosine, (int)calls);
    Compare(table, "slot11", ReciprocalRoot, (int)calls);
    Compare(table, "slot14", ToMatrix, (int)calls);
    Compare(table, "slot17", Interpolate, (int)calls);
    Compare(table, "slot23", Product, (int)calls);
    Compare(table, "slot45", Plane, (int)calls);
    Compare(table, "Sample", Sample, (int)calls);
    Compare(table, "Blend", Blend, (int)calls);
    return true;
}

const Bench bench_builds = {"builds", "calls per repetition", DEFAULT_CALLS, 1, 100000000, Run};
