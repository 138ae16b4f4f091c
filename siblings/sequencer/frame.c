/* Frames: facts/ac-sequencer.md B.10. The client keeps rotation matrices and frames in binary32 and
 * computes in wider registers. Here every step is binary64, and what the client stores is
 * rounded. */
#include "core/arithmetic/binary64.h"
#include "core/arithmetic/trig.h"
#include "retropose/sequencer.h"

#include <math.h>
#include <string.h>

#define NORM_TOLERANCE 0.001 /* 5 * RP_AC_EPSILON */

void RpAcFrame_Identity(RpAcFrame *frame) {
    *frame = (RpAcFrame){{0, 0, 0}, {1, 0, 0, 0}};
}

static double SquaredLength(const float *values, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)values[i] * values[i];
    return sum;
}

static bool HasNoNaN(const float *values, int count) {
    for (int i = 0; i < count; i++)
        if (isnan(values[i]))
            return false;
    return true;
}

bool RpAcFrame_IsValid(const RpAcFrame *frame) {
    return HasNoNaN(frame->origin, 3) && HasNoNaN(frame->q, 4) &&
           fabs(SquaredLength(frame->q, 4) - 1) <= NORM_TOLERANCE;
}

bool RpAcFrame_SetRotation(RpAcFrame *frame, const float q[4]) {
    RpAcFrame turned = {{0, 0, 0}, {0, 0, 0, 0}};
    const double scale = 1 / SquareRoot(SquaredLength(q, 4));
    for (int i = 0; i < 4; i++)
        turned.q[i] = Round(q[i] * scale);
    if (!RpAcFrame_IsValid(&turned))
        return false;
    memcpy(frame->q, turned.q, sizeof frame->q);
    return true;
}

/* Writes the Hamilton product. */
static void Multiply(const float a[4], const float b[4], float product[4]) {
    const double aw = a[0], ax = a[1], ay = a[2], az = a[3];
    const double bw = b[0], bx = b[1], by = b[2], bz = b[3];
    const float result[4] = {
        Round(aw * bw - ax * bx - ay * by - az * bz), Round(aw * bx + ax * bw + ay * bz - az * by),
        Round(aw * by - ax * bz + ay * bw + az * bx), Round(aw * bz + ax * by - ay * bx + az * bw)};
    memcpy(product, result, sizeof result);
}

static void ToOuterSpace(const float q[4], const float local[3], double outer[3]) {
    float m[3][3];

    /* The matrix that the client caches, for column vectors. */
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    m[0][0] = Round(1 - 2 * (y * y + z * z));
    m[0][1] = Round(2 * (x * y - w * z));
    m[0][2] = Round(2 * (x * z + w * y));
    m[1][0] = Round(2 * (x * y + w * z));
    m[1][1] = Round(1 - 2 * (x * x + z * z));
    m[1][2] = Round(2 * (y * z - w * x));
    m[2][0] = Round(2 * (x * z - w * y));
    m[2][1] = Round(2 * (y * z + w * x));
    m[2][2] = Round(1 - 2 * (x * x + y * y));

    for (int i = 0; i < 3; i++)
        outer[i] =
            (double)m[i][0] * local[0] + (double)m[i][1] * local[1] + (double)m[i][2] * local[2];
}

void RpAcFrame_CombineScaled(RpAcFrame *frame, const RpAcFrame *by, const float scale[3]) {
    float q[4], local[3];
    double moved[3];
    for (int i = 0; i < 3; i++)
        local[i] = Round((double)by->origin[i] * scale[i]);
    ToOuterSpace(frame->q, local, moved);
    for (int i = 0; i < 3; i++)
        frame->origin[i] = Round(frame->origin[i] + moved[i]);
    Multiply(frame->q, by->q, q);
    RpAcFrame_SetRotation(frame, q);
}

void RpAcFrame_Combine(RpAcFrame *frame, const RpAcFrame *by) {
    static const float one[3] = {1, 1, 1};
    RpAcFrame_CombineScaled(frame, by, one);
}

/* The new rotation is computed first, because the distance by which the origin moves back is turned
 * by it. */
void RpAcFrame_Subtract(RpAcFrame *frame, const RpAcFrame *by) {
    const float back[4] = {by->q[0], -by->q[1], -by->q[2], -by->q[3]};
    float q[4];
    double moved[3];
    Multiply(frame->q, back, q);
    RpAcFrame_SetRotation(frame, q);
    ToOuterSpace(frame->q, by->origin, moved);
    for (int i = 0; i < 3; i++)
        frame->origin[i] = Round(frame->origin[i] - moved[i]);
}

void RpAcFrame_RotateGlobally(RpAcFrame *frame, const float omega[3]) {
    const double square = SquaredLength(omega, 3), epsilon = RP_AC_EPSILON;
    if (!(square >= epsilon * epsilon))
        return;
    const double angle = SquareRoot(square), sine = Trig_Sin(angle / 2);
    const float turn[4] = {Round(Trig_Cos(angle / 2)), Round(omega[0] / angle * sine),
                           Round(omega[1] / angle * sine), Round(omega[2] / angle * sine)};
    float q[4];
    Multiply(turn, frame->q, q);
    RpAcFrame_SetRotation(frame, q);
}

void RpAcFrame_Rotate(RpAcFrame *frame, const float omega[3]) {
    double outer[3];
    ToOuterSpace(frame->q, omega, outer);
    const float turned[3] = {Round(outer[0]), Round(outer[1]), Round(outer[2])};
    RpAcFrame_RotateGlobally(frame, turned);
}

/* ---- between two frames: facts/ac-sequencer.md F.4 ------------------------------------------- */

static bool IsWeight(double weight) {
    return weight >= 0 && weight <= 1;
}

void RpAcFrame_Interpolate(const RpAcFrame *from, const RpAcFrame *to, float weight,
                           RpAcFrame *result) {
    const RpAcFrame a = *from, b = *to;
    double dot = 0, weights[2];
    float q[4];
    for (int i = 0; i < 4; i++)
        dot += (double)a.q[i] * b.q[i];
    const double side = dot < 0 ? -1 : 1, cosine = dot * side;
    weights[0] = 1 - (double)weight;
    weights[1] = weight;
    if (!(1 - cosine <= (double)RP_AC_EPSILON)) {
        const double angle = Trig_Acos(cosine), sine = Trig_Sin(angle);
        const double bent[2] = {Trig_Sin((1 - (double)weight) * angle) / sine,
                                Trig_Sin(weight * angle) / sine};
        if (IsWeight(bent[0]) && IsWeight(bent[1]))
            memcpy(weights, bent, sizeof bent);
    }
    for (int i = 0; i < 3; i++)
        result->origin[i] = Round(a.origin[i] + ((double)b.origin[i] - a.origin[i]) * weight);
    for (int i = 0; i < 4; i++)
        q[i] = Round(a.q[i] * weights[0] + b.q[i] * side * weights[1]);
    memcpy(result->q, a.q, sizeof result->q);
    RpAcFrame_SetRotation(result, q);
}
