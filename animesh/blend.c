/* AniMesh 0x10012560 (seed 000 section 4, facts/animesh.md E.5), in the order of operations of
 * docs/reference/arithmetic.md. */
#include "animesh/column.h"
#include "animesh/lerp.h"
#include "animesh/sample.h"
#include "ngi32/reading.h"
#include "ngi32/sums.h"

typedef struct Pose {
    float quaternion[4];
    float position[3];
} Pose;

static const float zero = 0.0f, one = 1.0f;

/* Compares through the x87 unit, because an SSE comparison would obey the denormals-are-zero bit of
 * MXCSR. */
static bool Less(float a, float b) {
    return X87_Less(X87_Load(&a), X87_Load(&b));
}

static bool NotNegative(float t) {
    return X87_LessOrEqual(X87_Load(&zero), X87_Load(&t));
}

typedef X87 (*Combine)(X87, X87);

static inline X87 SquareOf(Combine combine, const float *a, const float *b) {
    X87 component = combine(X87_Load(a), X87_Load(b));
    return X87_Mul(component, component);
}

/* Returns the squared length of the sum or of the difference of two quaternions without rounding it
 * to memory: the original keeps it on the x87 stack. */
static inline X87 SquaredLength(int order, Combine combine, const float a[4], const float b[4]) {
    X87 w = SquareOf(combine, &a[0], &b[0]), x = SquareOf(combine, &a[1], &b[1]);
    X87 y = SquareOf(combine, &a[2], &b[2]), z = SquareOf(combine, &a[3], &b[3]);
    return X87_Sum4(order, w, x, y, z);
}

static void TurnToNearerSide(const PoseContext *context, const float a[4], float b[4]) {
    int order = Reading_Choice(context->arithmetic, READING_FLIP_SUM);
    X87 sum = SquaredLength(order, X87_Add, a, b);
    if (!X87_Less(sum, SquaredLength(order, X87_Sub, a, b)))
        return;
    for (int i = 0; i < 4; i++)
        X87_Store(X87_Neg(X87_Load(&b[i])), &b[i]);
}

static void PoseMatrix(const PoseContext *context, const Pose *pose, float matrix[16]) {
    context->math->to_matrix(context, pose->quaternion, matrix);
    Matrix_SetColumn(matrix, TRANSLATION_COLUMN, pose->position);
}

static void BlendSides(const PoseContext *context, const Pose *a, Pose *b, float weight,
                       float matrix[16]) {
    Pose pose;
    TurnToNearerSide(context, a->quaternion, b->quaternion);
    context->math->blend(context, a->quaternion, b->quaternion, weight, pose.quaternion);
    bool delta = Reading_IsAlternative(context->arithmetic, READING_BLEND_LERP);
    for (int i = 0; i < 3; i++)
        (delta ? Lerp_ByDelta : Lerp_ByWeights)(&a->position[i], &b->position[i], X87_Load(&weight),
                                                &pose.position[i]);
    PoseMatrix(context, &pose, matrix);
}

void Pose_Blend(const PoseContext *context, uint32_t node, float t_a, float t_b, float weight,
                float matrix[16]) {
    bool has_a = Less(weight, one) && NotNegative(t_a);
    bool has_b = Less(zero, weight) && NotNegative(t_b);
    Pose a, b;
    if (has_a)
        Pose_Sample(context, node, t_a, a.quaternion, a.position);
    if (has_b)
        Pose_Sample(context, node, t_b, b.quaternion, b.position);
    if (has_a && has_b) {
        BlendSides(context, &a, &b, weight, matrix);
    } else if (has_a || has_b) {
        PoseMatrix(context, has_a ? &a : &b, matrix);
    } else {
        Matrix_SetIdentity(matrix);
        if (context->counters)
            context->counters->undefined++;
    }
}
