/* Blends a node's pose between two times, as AniMesh 0x10012560 does (seed 000 section 4,
 * facts/animesh.md E.5), in the order of operations of docs/reference/arithmetic.md. */
#include "animesh/column.h"
#include "animesh/float_bits.h"
#include "animesh/lerp.h"
#include "animesh/sample.h"
#include "ngi32/exact/slerp.h"
#include "ngi32/processor/scope.h"
#include "ngi32/reading.h"
#include "ngi32/sums.h"

typedef ExactPose Pose;

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

/* ---- two sides ------------------------------------------------------------------------------- */

static void BlendInSteps(const PoseContext *context, const Pose *a, Pose *b, float weight,
                         Pose *pose) {
    const ArithmeticScope scope = Arithmetic_Enter(context->arithmetic);
    TurnToNearerSide(context, a->quaternion, b->quaternion);
    context->math->blend(context, a->quaternion, b->quaternion, weight, pose->quaternion);
    bool delta = Reading_IsAlternative(context->arithmetic, READING_BLEND_LERP);
    for (int i = 0; i < 3; i++)
        (delta ? Lerp_ByDelta : Lerp_ByWeights)(&a->position[i], &b->position[i], X87_Load(&weight),
                                                &pose->position[i]);
    Arithmetic_Leave(scope);
}

bool Pose_BlendsExactly(const RpArithmetic *arithmetic) {
    return Reading_IsServed(arithmetic, OF_BLEND);
}

/* Returns false when a part of the blend is left to the x87. Nothing has then been written or
 * counted. */
static bool BlendByCore(const PoseContext *context, const Pose *a, const Pose *b, float weight,
                        Pose *pose) {
    ExactSum order;
    if (!Pose_BlendsExactly(context->arithmetic) || !Pose_IsByCore(context, &order) ||
        !Exact_BlendPoses(order, a, b, &weight, pose))
        return false;
    if (context->counters)
        context->counters->by_core++;
    return true;
}

/* ---- which sides ----------------------------------------------------------------------------- */

typedef struct Sides {
    bool has_a, has_b;
} Sides;

static Sides SidesOf(float t_a, float t_b, float weight) {
    return (Sides){.has_a = Less(weight, one) && NotNegative(t_a),
                   .has_b = Less(zero, weight) && NotNegative(t_b)};
}

static Sides FindSides(const PoseContext *context, float t_a, float t_b, float weight) {
    const bool are_normal = Bits_AreNormal(Float_BitsOf(&t_a)) &&
                            Bits_AreNormal(Float_BitsOf(&t_b)) &&
                            Bits_AreNormal(Float_BitsOf(&weight));
    if (are_normal) /* no comparison of these can cause a fault */
        return SidesOf(t_a, t_b, weight);
    const ArithmeticScope scope = Arithmetic_Enter(context->arithmetic);
    const Sides sides = SidesOf(t_a, t_b, weight);
    Arithmetic_Leave(scope);
    return sides;
}

void Pose_Blend(const PoseContext *context, uint32_t node, float t_a, float t_b, float weight,
                float matrix[16]) {
    const Sides sides = FindSides(context, t_a, t_b, weight);
    Pose a, b, pose;
    if (sides.has_a)
        Pose_Sample(context, node, t_a, a.quaternion, a.position);
    if (sides.has_b)
        Pose_Sample(context, node, t_b, b.quaternion, b.position);
    if (sides.has_a && sides.has_b) {
        if (!BlendByCore(context, &a, &b, weight, &pose))
            BlendInSteps(context, &a, &b, weight, &pose);
        PoseMatrix(context, &pose, matrix);
    } else if (sides.has_a || sides.has_b) {
        PoseMatrix(context, sides.has_a ? &a : &b, matrix);
    } else {
        Matrix_SetIdentity(matrix);
        if (context->counters)
            context->counters->undefined++;
    }
}
