/* Many interpolations, and poses of a whole skeleton, by the x87 and by each width of vectors that
 * this processor has, side by side in one run:
 *
 *   bench_many [rounds] > many.csv
 *
 * A skeleton has 64 joints with 121 keys each, and gets local and model matrices. The x87's steps
 * are timed under an MXCSR that rounds toward zero, where the exact core refuses. Each repetition
 * times all of them, one after the other and in changing order. A time is of one interpolation or
 * joint. Nothing is asserted. */
#include "animesh/pose_many.h"
#include "cli/bench/measure/bench_inputs.h"
#include "cli/bench/measure/benches.h"
#include "cli/bench/measure/timing.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPETITIONS    31
#define DEFAULT_ROUNDS 100
#define MOST_VARIANTS  8

static ExactRotations q0, q1;
static float fractions[EXACT_MANY], times[EXACT_MANY];
static RpSkeleton skeleton;
static RpClip *clip; /* clip of the skeleton */
static const RpArithmetic settings = {.control_word = RP_THREADS_CONTROL_WORD};
static volatile float sink;

/* If `width` is null, the x87 computes all of them, one after the other. */
typedef void (*Subject)(const ExactWidth *width, int round);

/* ---- what is timed: EXACT_MANY of each ------------------------------------------------------- */

static void Interpolate(const ExactWidth *width, int round) {
    ExactRotations result;
    (void)round;
    if (width) {
        width->interpolate(&q0, &q1, fractions, EXACT_MANY, EXACT_SEQUENTIAL, &result);
        sink = result.number[0][0];
        return;
    }
    for (int i = 0; i < EXACT_MANY; i++) {
        const float a[4] = {q0.number[0][i], q0.number[1][i], q0.number[2][i], q0.number[3][i]};
        const float b[4] = {q1.number[0][i], q1.number[1][i], q1.number[2][i], q1.number[3][i]};
        float one[4];
        RpQuaternion_Interpolate(&settings, a, b, fractions[i], one);
        sink = one[0];
    }
}

/* The public function, with the numbers of each rotation side by side. */
static void InterpolateMany(const ExactWidth *width, int round) {
    static float a[EXACT_MANY][4], b[EXACT_MANY][4], result[EXACT_MANY][4];
    (void)width;
    if (round == 0)
        for (int i = 0; i < EXACT_MANY; i++)
            for (int k = 0; k < 4; k++) {
                a[i][k] = q0.number[k][i];
                b[i][k] = q1.number[k][i];
            }
    RpQuaternion_InterpolateMany(&settings, EXACT_MANY, (const float(*)[4])a, (const float(*)[4])b,
                                 fractions, result);
    sink = result[0][0];
}

/* `of` is the skeleton's clip, or null to pose without a clip. */
static void Pose(const ExactWidth *width, const RpClip *of, float t_a, float t_b, float weight) {
    static float local[EXACT_MANY][16], model[EXACT_MANY][16];
    PoseContext context = Pose_Context(&skeleton, &settings, NULL);
    context.clip = of;
    const RpPoseTimes when = {t_a, t_b, weight};
    Pose_Skeletons(&context, width, 1, &when, 0, local, model, NULL);
    sink = model[EXACT_MANY - 1][0];
}

/* Poses at successive times of a game that draws 60 frames a second. A frame of the animation takes
 * a twentieth of a second. */
static void Forward(const ExactWidth *width, int round) {
    Pose(width, NULL, (float)(round % (3 * BENCH_FRAMES)) / 3, -1, 0);
}

static void Random(const ExactWidth *width, int round) {
    Pose(width, NULL, times[round % EXACT_MANY], -1, 0);
}

/* With and without a clip, the x87 takes the same time: it uses only the parents of a clip, and
 * reads everything else from the skeleton. */
static void PreparedForward(const ExactWidth *width, int round) {
    Pose(width, clip, (float)(round % (3 * BENCH_FRAMES)) / 3, -1, 0);
}

static void PreparedRandom(const ExactWidth *width, int round) {
    Pose(width, clip, times[round % EXACT_MANY], -1, 0);
}

/* The public function. */
static void Skeleton(const ExactWidth *width, int round) {
    static float local[EXACT_MANY][16], model[EXACT_MANY][16];
    (void)width;
    RpPose_Skeleton(&skeleton, &settings, times[round % EXACT_MANY], -1, 0, 0, local, model, NULL,
                    NULL);
    sink = model[EXACT_MANY - 1][0];
}

static void TwoTimes(const ExactWidth *width, int round) {
    Pose(width, NULL, times[round % EXACT_MANY], times[(round + 1) % EXACT_MANY],
         fractions[round % EXACT_MANY]);
}

static void PreparedTwoTimes(const ExactWidth *width, int round) {
    Pose(width, clip, times[round % EXACT_MANY], times[(round + 1) % EXACT_MANY],
         fractions[round % EXACT_MANY]);
}

/* Poses small skeletons, each at its own time: all of them in one call, and each in a call of its
 * own. */
enum { SMALL = 4 };
static RpSkeleton small;
static RpClip *small_clip;

static void PoseSmall(const ExactWidth *width, const RpClip *of, int round) {
    static float local[EXACT_MANY][16], model[EXACT_MANY][16];
    PoseContext context = Pose_Context(&small, &settings, NULL);
    context.clip = of;
    RpPoseTimes when[EXACT_MANY / SMALL];
    for (int i = 0; i < EXACT_MANY / SMALL; i++)
        when[i] = (RpPoseTimes){times[(round + i) % EXACT_MANY], -1, 0};
    Pose_Skeletons(&context, width, EXACT_MANY / SMALL, when, 0, local, model, NULL);
    sink = model[EXACT_MANY - 1][0];
}

static void SmallTogether(const ExactWidth *width, int round) {
    PoseSmall(width, NULL, round);
}

static void PreparedSmallTogether(const ExactWidth *width, int round) {
    PoseSmall(width, small_clip, round);
}

static void SmallEach(const ExactWidth *width, int round) {
    static float local[SMALL][16], model[SMALL][16];
    const PoseContext context = Pose_Context(&small, &settings, NULL);
    for (int i = 0; i < EXACT_MANY / SMALL; i++) {
        const RpPoseTimes when = {times[(round + i) % EXACT_MANY], -1, 0};
        Pose_Skeletons(&context, width, 1, &when, 0, local, model, NULL);
    }
    sink = model[SMALL - 1][0];
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* If `is_public` is set, the function itself chooses the widest vectors. */
static void Compare(BenchTable *table, const char *name, Subject subject, bool is_public,
                    int rounds) {
    const ExactWidth *variants[MOST_VARIANTS] = {NULL, Exact_Width()};
    double elapsed[MOST_VARIANTS][REPETITIONS];
    BenchWay ways[MOST_VARIANTS];
    int count = is_public ? 2 : 1;
    const int runs = BenchTable_Runs(table, REPETITIONS);
    if (!BenchTable_Wants(table, name, EXACT_MANY))
        return;
    for (const ExactWidth *const *width = Exact_Widths(); *width && !is_public; width++)
        variants[count++] = *width;
    for (int r = -1; r < runs; r++) /* the first round is for warming up */
        for (int k = 0; k < count; k++) {
            const int v = (k + r + 1) % count;
            const int64_t start = Bench_ProcessNanoseconds();
            const uint32_t before =
                Bench_SwapMxcsr(variants[v] ? BENCH_MXCSR_STANDARD : BENCH_MXCSR_TOWARD_ZERO);
            const uint16_t word = RpFpu_SetControlWord();
            for (int i = 0; i < rounds; i++)
                subject(variants[v], i);
            RpFpu_Restore(word);
            Bench_SwapMxcsr(before);
            elapsed[v][r < 0 ? 0 : r] =
                (double)(Bench_ProcessNanoseconds() - start) / ((double)rounds * EXACT_MANY);
        }
    for (int v = 0; v < count; v++)
        ways[v] = (BenchWay){variants[v] ? variants[v]->name : "x87", elapsed[v], runs};
    BenchTable_Ways(table, name, EXACT_MANY, ways, count);
}

/* On some processors, SSE code is slow while the upper halves of vector registers are in use. So
 * ordinary code is timed alone and after the code of each width. Only its own time counts. */
static void CompareAfterwards(BenchTable *table, int rounds) {
    const ExactWidth *variants[MOST_VARIANTS] = {NULL};
    double elapsed[MOST_VARIANTS][REPETITIONS];
    BenchWay ways[MOST_VARIANTS];
    int count = 1;
    const int runs = BenchTable_Runs(table, REPETITIONS);
    if (!BenchTable_Wants(table, "SSE code afterwards", 256))
        return;
    for (const ExactWidth *const *width = Exact_Widths(); *width; width++)
        variants[count++] = *width;
    for (int r = 0; r < runs; r++)
        for (int k = 0; k < count; k++) {
            const int v = (k + r) % count;
            elapsed[v][r] = 0;
            for (int i = 0; i < rounds; i++) {
                if (variants[v])
                    Interpolate(variants[v], i);
                /* Ordinary code of SSE, such as the rest of a game has: a chain of operations that
                 * takes about a microsecond. */
                const int64_t start = Bench_Nanoseconds();
                float number = fractions[0];
                for (int step = 0; step < 256; step++)
                    number = number * 0.75f + fractions[step % EXACT_MANY];
                sink = number;
                elapsed[v][r] += (double)(Bench_Nanoseconds() - start) / rounds;
            }
        }
    for (int v = 0; v < count; v++)
        ways[v] = (BenchWay){variants[v] ? variants[v]->name : "alone", elapsed[v], runs};
    BenchTable_Ways(table, "SSE code afterwards", 256, ways, count);
}

void Bench_Widths(char *text, size_t size) {
    Text names = Text_Begin(text, size);
    for (const ExactWidth *const *width = Exact_Widths(); *width; width++) {
        Text_Append(&names, names.length > 0 ? ", " : "");
        Text_Append(&names, (*width)->name);
    }
}

static bool Run(BenchTable *table, long rounds, bool given) {
    (void)given;
    Bench_Restart();
    for (int i = 0; i < EXACT_MANY; i++) {
        float a[4], b[4];
        Bench_DrawQuaternion(a);
        Bench_DrawQuaternion(b);
        for (int k = 0; k < 4; k++) {
            q0.number[k][i] = a[k];
            q1.number[k][i] = b[k];
        }
        fractions[i] = (Bench_Draw() + 1) / 2;
        times[i] = (Bench_Draw() + 1) / 2 * (BENCH_FRAMES - 1);
    }
    skeleton = Bench_MakeSkeleton(EXACT_MANY);
    small = skeleton; /* its first nodes */
    small.node_bytes = skeleton.node_bytes / EXACT_MANY * SMALL;
    small.key_bytes = skeleton.key_bytes / EXACT_MANY * SMALL;
    if (RpClip_Prepare(&skeleton, NULL, NULL, &clip, NULL) != RP_OK ||
        RpClip_Prepare(&small, NULL, NULL, &small_clip, NULL) != RP_OK)
        return false;
    Compare(table, "interpolation", Interpolate, false, (int)rounds);
    Compare(table, "RpQuaternion_InterpolateMany", InterpolateMany, true, (int)rounds);
    Compare(table, "joint forward", Forward, false, (int)rounds);
    Compare(table, "joint at random times", Random, false, (int)rounds);
    Compare(table, "joint of a prepared clip forward", PreparedForward, false, (int)rounds);
    Compare(table, "joint of a prepared clip at random times", PreparedRandom, false, (int)rounds);
    Compare(table, "RpPose_Skeleton a joint at random times", Skeleton, true, (int)rounds);
    Compare(table, "joint between two times", TwoTimes, false, (int)rounds);
    Compare(table, "joint of a prepared clip between two times", PreparedTwoTimes, false,
            (int)rounds);
    Compare(table, "joint of skeletons of 4 together", SmallTogether, false, (int)rounds);
    Compare(table, "joint of prepared clips of 4 together", PreparedSmallTogether, false,
            (int)rounds);
    Compare(table, "joint of skeletons of 4 each alone", SmallEach, false, (int)rounds);
    CompareAfterwards(table, (int)rounds);
    BenchTable_Amount(table, "memory of a prepared clip", BENCH_KEYS * EXACT_MANY, "ours", "bytes",
                      (double)RpClip_Bytes(clip));
    RpClip_Free(clip);
    RpClip_Free(small_clip);
    return true;
}

const Bench bench_many = {"many", "rounds", DEFAULT_ROUNDS, 1, 1000000, Run};
