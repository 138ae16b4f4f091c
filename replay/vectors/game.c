/* Makes x87.json: what functions of the game compute under its control word. */
#include "replay/vectors/vectors.h"

#include "animesh/sample.h"
#include "ngi32/exact/keys.h"
#include "ngi32/processor/scope.h"
#include "ngi32/processor/state.h"
#include "replay/vectors/vector_skeleton.h"
#include "retropose/fastproc.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SEED = 2001, SLERPS = 1024, TURNS = 128, ROOTS = 128, SKELETONS = 6 };
enum { SAMPLES = 96, BLENDS = 48, POSES = 8 }; /* numbers of cases for each skeleton */

typedef struct Game {
    VectorText text;
    RpArithmetic core, x87;
    RpPoseCounters counters; /* count what the x87's steps computed */
    RpError *error;
    RpStatus status;
} Game;

/* ---- the two ways ---------------------------------------------------------------------------- */

typedef struct Thread {
    uint16_t word;
    uint32_t mxcsr;
} Thread;

/* Makes the exact core leave everything to the steps of the x87. It does so by an MXCSR that the
 * core refuses and that the x87's steps do not look at. `game->x87` takes the thread as it is. */
static Thread EnterX87(void) {
    const Thread before = {State_ControlWord(), State_HasSse() ? State_Mxcsr() : 0};
    State_SetControlWord(0x007F);
    if (State_HasSse())
        State_SetMxcsr(MXCSR_STANDARD | MXCSR_ROUNDING);
    return before;
}

static void LeaveX87(Thread before) {
    State_SetControlWord(before.word);
    if (State_HasSse())
        State_SetMxcsr(before.mxcsr);
}

static bool Same(Game *game, const char *section, uint32_t number, const void *a, const void *b,
                 size_t size) {
    char where[64];
    if (memcmp(a, b, size) == 0)
        return true;
    snprintf(where, sizeof where, "%s %" PRIu32, section, number);
    game->status = RpError_Set(game->error, RP_CORRUPT, RP_NOWHERE,
                               "the exact core and the x87 differ", where, "the same bits", "");
    return false;
}

static float FloatOf(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void PutFrame(Game *game, uint32_t number, float t) {
    const Thread thread = EnterX87();
    const uint32_t frame = Pose_FrameAt(t);
    LeaveX87(thread);
    uint32_t by_core = frame;
    if (!Exact_FrameAt(&t, &by_core))
        by_core = frame;
    Same(game, "frame_index", number, &frame, &by_core, sizeof frame);
    VectorText_Case(&game->text);
    VectorText_Floats(&game->text, "t", &t, 1);
    VectorText_Number(&game->text, "frame", frame);
    VectorText_EndCase(&game->text);
}

/* Puts halves, which show the rounding to even; their neighbours; and times whose frames 32 or 64
 * bits cannot hold. */
static void PutFrames(Game *game) {
    static const uint32_t words[] = {
        0x4AFFFFFF, 0x4B000000, 0x4B800000, /* 2^23 - 0.5, 2^23, 2^24 */
        0x4EFFFFFF, 0x4F000000, 0x4F7FFFFF, /* below and at 2^31, below 2^32 */
        0x4F800000, 0x4F800003, 0x50000001, /* 2^32, 2^32 + 1536, above 2^33 */
        0x5EFFFFFF, 0x5F000000, 0x7F7FFFFF, /* below and at 2^63, the largest number */
        0xCF000000, 0xCF800001, 0xDF000000, 0xDF000001, 0x80000000, 0x00000001, 0x80000001};
    uint32_t number = 0;
    VectorText_Section(&game->text, "frame_index");
    for (int32_t halves = -5; halves <= 17; halves++)
        for (int32_t step = -1; step <= 1; step++)
            PutFrame(game, number++, FloatOf(Float_Step(Float_FromInteger(halves, -1), step)));
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++)
        PutFrame(game, number++, FloatOf(words[i]));
    VectorText_EndSection(&game->text);
}

/* ---- slerps ---------------------------------------------------------------------------------- */

static void DrawPair(Random *random, float q0[4], float q1[4]) {
    int32_t from[4], to[4];
    uint32_t bits[4];
    Quaternion_Unit(random, from);
    const uint32_t direction = Random_Below(random, 3);
    Quaternion_Turned(from, direction, Quaternion_Sine(random), to);
    if (Random_OneIn(random, 3))
        for (int i = 0; i < 4; i++)
            to[i] = -to[i];
    Float_FromFixed30(from, 4, bits);
    memcpy(q0, bits, sizeof bits);
    Float_FromFixed30(to, 4, bits);
    memcpy(q1, bits, sizeof bits);
}

/* Draws a number from 0 to 1, often at an end or next to one. */
static float DrawFraction(Random *random) {
    static const uint32_t ends[] = {0, 0x3F800000, 0x3F7FFFFF, 0x33800000, 0x3F000000, 0x3EFFFFFF};
    if (Random_OneIn(random, 8))
        return FloatOf(ends[Random_Below(random, sizeof ends / sizeof *ends)]);
    return FloatOf(Float_FromInteger(Random_Below(random, 1 << 24), -24));
}

static void PutSlerps(Game *game) {
    VectorText_Section(&game->text, "slerp");
    for (uint32_t i = 0; i < SLERPS; i++) {
        Random random = Random_Start("vectors slerp", SEED, i);
        float q0[4], q1[4], out[4], by_x87[4];
        DrawPair(&random, q0, q1);
        const float t = DrawFraction(&random);
        RpQuaternion_Interpolate(&game->core, q0, q1, t, out);
        const Thread thread = EnterX87();
        RpQuaternion_Interpolate(&game->x87, q0, q1, t, by_x87);
        LeaveX87(thread);
        Same(game, "slerp", i, out, by_x87, sizeof out);
        VectorText_Case(&game->text);
        VectorText_Floats(&game->text, "q0", q0, 4);
        VectorText_Floats(&game->text, "q1", q1, 4);
        VectorText_Floats(&game->text, "t", &t, 1);
        VectorText_Floats(&game->text, "out", out, 4);
        VectorText_EndCase(&game->text);
    }
    VectorText_EndSection(&game->text);
}

/* ---- one argument, and matrices -------------------------------------------------------------- */

static void PutSineCosines(Game *game) {
    VectorText_Section(&game->text, "sine_cosine");
    for (uint32_t i = 0; i < TURNS; i++) {
        Random random = Random_Start("vectors sine_cosine", SEED, i);
        const int exponent = (int)Random_Below(&random, 24) - 40;
        const float angle =
            FloatOf(Float_FromInteger(Random_Between(&random, -(1 << 24), 1 << 24), exponent));
        float out[2], by_x87[2];
        RpScalar_SineCosine(&game->core, angle, &out[0], &out[1]);
        const Thread thread = EnterX87();
        RpScalar_SineCosine(&game->x87, angle, &by_x87[0], &by_x87[1]);
        LeaveX87(thread);
        Same(game, "sine_cosine", i, out, by_x87, sizeof out);
        VectorText_Case(&game->text);
        VectorText_Floats(&game->text, "angle", &angle, 1);
        VectorText_Floats(&game->text, "sine", &out[0], 1);
        VectorText_Floats(&game->text, "cosine", &out[1], 1);
        VectorText_EndCase(&game->text);
    }
    VectorText_EndSection(&game->text);
}

static void PutRoots(Game *game) {
    VectorText_Section(&game->text, "reciprocal_root");
    for (uint32_t i = 0; i < ROOTS; i++) {
        Random random = Random_Start("vectors reciprocal_root", SEED, i);
        const int exponent = (int)Random_Below(&random, 60) - 50;
        const float x = FloatOf(Float_FromInteger(1 + Random_Below(&random, 1 << 24), exponent));
        const float out = (float)RpScalar_ReciprocalSquareRoot(&game->core, x);
        const Thread thread = EnterX87();
        const float by_x87 = (float)RpScalar_ReciprocalSquareRoot(&game->x87, x);
        LeaveX87(thread);
        Same(game, "reciprocal_root", i, &out, &by_x87, sizeof out);
        VectorText_Case(&game->text);
        VectorText_Floats(&game->text, "x", &x, 1);
        VectorText_Floats(&game->text, "out", &out, 1);
        VectorText_EndCase(&game->text);
    }
    VectorText_EndSection(&game->text);
}

/* Puts a matrix of each quaternion, and its product with that of the case before. */
static void PutMatrices(Game *game) {
    float before[16], matrix[16], product[16], by_x87[2][16], q[4], other[4];
    VectorText_Section(&game->text, "matrix");
    RpQuaternion_ToMatrix(&game->core, (const float[4]){1, 0, 0, 0}, before);
    for (uint32_t i = 0; i < TURNS; i++) {
        Random random = Random_Start("vectors matrix", SEED, i);
        DrawPair(&random, q, other);
        RpQuaternion_ToMatrix(&game->core, q, matrix);
        for (int row = 0; row < 3; row++)
            matrix[4 * row + 3] =
                FloatOf(Float_FromInteger(Random_Between(&random, -(1 << 20), 1 << 20), -8));
        RpMatrix_Product(&game->core, before, matrix, product);
        const Thread thread = EnterX87();
        RpQuaternion_ToMatrix(&game->x87, q, by_x87[0]);
        for (int row = 0; row < 3; row++)
            by_x87[0][4 * row + 3] = matrix[4 * row + 3];
        RpMatrix_Product(&game->x87, before, by_x87[0], by_x87[1]);
        LeaveX87(thread);
        Same(game, "matrix", i, matrix, by_x87[0], sizeof matrix);
        Same(game, "matrix", i, product, by_x87[1], sizeof product);
        VectorText_Case(&game->text);
        VectorText_Floats(&game->text, "before", before, 16);
        VectorText_Floats(&game->text, "q", q, 4);
        VectorText_Floats(&game->text, "translation",
                          (const float[3]){matrix[3], matrix[7], matrix[11]}, 3);
        VectorText_Floats(&game->text, "matrix", matrix, 16);
        VectorText_Floats(&game->text, "product", product, 16);
        VectorText_EndCase(&game->text);
        memcpy(before, matrix, sizeof before);
    }
    VectorText_EndSection(&game->text);
}

/* ---- skeletons ------------------------------------------------------------------------------- */

/* Draws a time, mostly within the animation: at frames, at odd halves, at quarters, or anywhere.
 * Sometimes it is outside. */
static float DrawTime(Random *random) {
    static const uint32_t far_away[] = {0xBF000000, 0xBF800000, 0x41C00000, 0x41BC0000,
                                        0x4F000000, 0x4F800003, 0x5F000000};
    switch (Random_Below(random, 8)) {
    case 0:
        return FloatOf(far_away[Random_Below(random, sizeof far_away / sizeof *far_away)]);
    case 1:
        return (float)Random_Below(random, VECTOR_FRAMES);
    case 2:
        return (float)Random_Below(random, VECTOR_FRAMES) + 0.5F;
    case 3:
        return FloatOf(Float_FromInteger(Random_Below(random, 4 * VECTOR_FRAMES), -2));
    default:
        return FloatOf(Float_FromInteger(Random_Below(random, VECTOR_FRAMES << 16), -16));
    }
}

static void PutSample(Game *game, const RpSkeleton *skeleton, uint32_t which, uint32_t number) {
    Random random = Random_Start("vectors sample", SEED, number);
    float out[7], by_x87[7];
    const uint32_t node = Random_Below(&random, VECTOR_NODES);
    const float t = DrawTime(&random);
    RpPose_Sample(skeleton, &game->core, node, t, out, out + 4, NULL);
    const Thread thread = EnterX87();
    RpPose_Sample(skeleton, &game->x87, node, t, by_x87, by_x87 + 4, &game->counters);
    LeaveX87(thread);
    Same(game, "sample", number, out, by_x87, sizeof out);
    VectorText_Case(&game->text);
    VectorText_Number(&game->text, "skeleton", which);
    VectorText_Number(&game->text, "node", node);
    VectorText_Floats(&game->text, "t", &t, 1);
    VectorText_Floats(&game->text, "quaternion", out, 4);
    VectorText_Floats(&game->text, "position", out + 4, 3);
    VectorText_EndCase(&game->text);
}

/* Puts a blend in which at least one side counts, because it is not known what the game computes
 * otherwise. */
static void PutBlend(Game *game, const RpSkeleton *skeleton, uint32_t which, uint32_t number) {
    Random random = Random_Start("vectors blend", SEED, number);
    float out[16], by_x87[16];
    const uint32_t node = Random_Below(&random, VECTOR_NODES);
    float t_a = DrawTime(&random), t_b = DrawTime(&random);
    const float weight = DrawFraction(&random);
    if (!(weight < 1 && t_a >= 0) && !(weight > 0 && t_b >= 0))
        t_a = t_b = 1.25F;
    RpPose_Blend(skeleton, &game->core, node, t_a, t_b, weight, out, NULL);
    const Thread thread = EnterX87();
    RpPose_Blend(skeleton, &game->x87, node, t_a, t_b, weight, by_x87, &game->counters);
    LeaveX87(thread);
    Same(game, "blend", number, out, by_x87, sizeof out);
    VectorText_Case(&game->text);
    VectorText_Number(&game->text, "skeleton", which);
    VectorText_Number(&game->text, "node", node);
    VectorText_Floats(&game->text, "t_a", &t_a, 1);
    VectorText_Floats(&game->text, "t_b", &t_b, 1);
    VectorText_Floats(&game->text, "weight", &weight, 1);
    VectorText_Floats(&game->text, "matrix", out, 16);
    VectorText_EndCase(&game->text);
}

static void PutPose(Game *game, const RpSkeleton *skeleton, uint32_t which, uint32_t number) {
    Random random = Random_Start("vectors pose", SEED, number);
    float out[VECTOR_NODES][16], by_x87[VECTOR_NODES][16];
    float t = DrawTime(&random);
    if (!(t >= 0))
        t = 0;
    const bool zero_root = Random_OneIn(&random, 2);
    RpPose_Skeleton(skeleton, &game->core, t, -1, 0, zero_root, NULL, out, NULL, NULL);
    const Thread thread = EnterX87();
    RpPose_Skeleton(skeleton, &game->x87, t, -1, 0, zero_root, NULL, by_x87, &game->counters, NULL);
    LeaveX87(thread);
    Same(game, "pose", number, out, by_x87, sizeof out);
    VectorText_Case(&game->text);
    VectorText_Number(&game->text, "skeleton", which);
    VectorText_Floats(&game->text, "t", &t, 1);
    VectorText_Number(&game->text, "zero_root", zero_root);
    VectorText_Floats(&game->text, "matrices", &out[0][0], VECTOR_NODES * 16);
    VectorText_EndCase(&game->text);
}

typedef void Put(Game *game, const RpSkeleton *skeleton, uint32_t which, uint32_t number);

static void PutOfEach(Game *game, const char *name, const VectorSkeleton *skeletons, Put *put,
                      uint32_t count) {
    VectorText_Section(&game->text, name);
    for (uint32_t i = 0; i < SKELETONS * count; i++) {
        const RpSkeleton skeleton = skeletons[i / count].streams;
        put(game, &skeleton, i / count, i);
    }
    VectorText_EndSection(&game->text);
}

static void PutSkeletons(Game *game) {
    VectorSkeleton skeletons[SKELETONS];
    VectorText_Section(&game->text, "skeletons");
    for (uint32_t i = 0; i < SKELETONS; i++) {
        Random random = Random_Start("vectors skeleton", SEED, i);
        VectorSkeleton_Make(&random, (VectorTimes)(i % 3), &skeletons[i]);
        VectorText_Case(&game->text);
        VectorSkeleton_Put(&skeletons[i], &game->text);
        VectorText_EndCase(&game->text);
    }
    VectorText_EndSection(&game->text);
    PutOfEach(game, "sample", skeletons, PutSample, SAMPLES);
    PutOfEach(game, "blend", skeletons, PutBlend, BLENDS);
    PutOfEach(game, "pose", skeletons, PutPose, POSES);
}

RpStatus Vectors_OfGame(RpBuffer *json, RpError *error) {
    Game game = {.x87 = {.control_word = RP_THREADS_CONTROL_WORD}, .error = error};
    game.text = VectorText_Begin(json, "x87");
    PutFrames(&game);
    PutSlerps(&game);
    PutSineCosines(&game);
    PutRoots(&game);
    PutMatrices(&game);
    PutSkeletons(&game);
    const RpStatus status = VectorText_End(&game.text, error);
    if (game.counters.by_core > 0)
        return RpError_Set(error, RP_CORRUPT, RP_NOWHERE, "the exact core was compared with itself",
                           "", "steps of the x87", "");
    return game.status ? game.status : status;
}
