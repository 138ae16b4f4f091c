/* The camera: facts/lego-ani.md B.7. Vectors are variables in memory, so that their elements are
 * binary32 in both policies. Lengths, and products within a cross product, are not. */
#include "core/arithmetic/trig.h"
#include "siblings/isle/ani_arithmetic.h"
#include "siblings/isle/ani_matrix.h"
#include "siblings/isle/ani_track.h"

#include <string.h>

static const RpAniTrack *TrackOf(const RpAni *ani, RpAniTrackKind kind) {
    return &ani->camera[kind - RP_ANI_NODE_TRACKS];
}

static uint32_t *CursorOf(RpAniCameraCursor *cursor, RpAniTrackKind kind) {
    return cursor ? &cursor->key[kind - RP_ANI_NODE_TRACKS] : NULL;
}

/* The game adds the point to a fresh matrix, that is, to zero. This is done here as well, so that
 * -0 becomes 0. */
static void Point(const RpAni *ani, RpAniTrackKind kind, float time, RpAniPolicy policy,
                  RpAniCameraCursor *cursor, float point[3]) {
    float value[3] = {0, 0, 0};
    Ani_TrackTranslation(TrackOf(ani, kind), time, policy, CursorOf(cursor, kind), value);
    for (int i = 0; i < 3; i++)
        point[i] = Round(0.0 + (double)value[i]);
}

/* Returns false if the vector has no length to divide by. */
static bool Unitise(float v[3], RpAniPolicy policy) {
    double square = 0;
    for (int i = 0; i < 3; i++)
        square = Keep(policy, square + Keep(policy, (double)v[i] * v[i]));
    const double length = Keep(policy, SquareRoot(square));
    if (!(length > 0))
        return false;
    for (int i = 0; i < 3; i++)
        v[i] = Round(v[i] / length);
    return true;
}

static float CrossElement(float a, float b, float c, float d, RpAniPolicy policy) {
    return Round(Keep(policy, (double)a * b) - Keep(policy, (double)c * d));
}

static void Cross(const float a[3], const float b[3], RpAniPolicy policy, float c[3]) {
    c[0] = CrossElement(a[1], b[2], a[2], b[1], policy);
    c[1] = CrossElement(a[2], b[0], a[0], b[2], policy);
    c[2] = CrossElement(a[0], b[1], a[1], b[0], policy);
}

RpAniCameraResult RpAni_SampleCamera(const RpAni *ani, float time, RpAniPolicy policy,
                                     RpAniCameraCursor *cursor, float matrix[16]) {
    static const float up[3] = {0, 1, 0};
    float goal[3], eye[3], x[3], y[3], z[3], place[3], view[16], base[16];
    if (TrackOf(ani, RP_ANI_TARGET)->count == 0)
        return RP_ANI_CAMERA_WITHOUT_GOAL;
    Point(ani, RP_ANI_TARGET, time, policy, cursor, goal);
    Point(ani, RP_ANI_EYE, time, policy, cursor, eye);
    for (int i = 0; i < 3; i++)
        z[i] = Round((double)goal[i] - eye[i]);
    if (!Unitise(z, policy))
        return RP_ANI_CAMERA_AT_TARGET;
    Cross(up, z, policy, x);
    if (!Unitise(x, policy))
        return RP_ANI_CAMERA_UPRIGHT;
    Cross(z, x, policy, y); /* The game does not bring this vector to length 1. */
    Ani_Identity(view);
    memcpy(&view[0], x, sizeof x);
    memcpy(&view[4], y, sizeof y);
    memcpy(&view[8], z, sizeof z);
    for (int i = 0; i < 3; i++) {
        place[i] = Round((double)matrix[12 + i] + eye[i]);
        matrix[12 + i] = 0;
    }

    /* The camera rolls by the angle of the earlier key. The game does not blend angles. */
    const RpAniTrack *roll = TrackOf(ani, RP_ANI_ROLL);
    uint32_t key;
    if (RpAniTrack_Find(roll, time, CursorOf(cursor, RP_ANI_ROLL), &key) != 0) {
        const float angle = roll->keys[key].value[0];
        const float sine = Round(Trig_Sin(angle)), cosine = Round(Trig_Cos(angle));
        for (int row = 0; row < 4; row++) {
            float *m = &matrix[4 * row];
            const float c0 = m[0], c1 = m[1];
            m[0] = Round(Keep(policy, (double)c0 * cosine) - Keep(policy, (double)c1 * sine));
            m[1] = Round(Keep(policy, (double)c1 * cosine) + Keep(policy, (double)c0 * sine));
        }
    }

    memcpy(base, matrix, sizeof base);
    RpAni_Multiply(base, view, policy, matrix);
    memcpy(&matrix[12], place, sizeof place);
    return RP_ANI_CAMERA_MOVED;
}
