/* Computes the matrices of nodes from their tracks: facts/lego-ani.md B.5 and B.6. */
#include "siblings/isle/ani_arithmetic.h"
#include "siblings/isle/ani_matrix.h"
#include "siblings/isle/ani_track.h"

#include <string.h>

void Ani_Identity(float matrix[16]) {
    for (int i = 0; i < 16; i++)
        matrix[i] = i % 5 == 0 ? 1.0f : 0.0f;
}

/* Each partial sum is stored in binary32 under both policies. */
void RpAni_Multiply(const float a[16], const float b[16], RpAniPolicy policy, float c[16]) {
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++) {
            float sum = 0;
            for (int k = 0; k < 4; k++)
                sum = Round(sum + Keep(policy, (double)a[4 * row + k] * b[4 * k + column]));
            c[4 * row + column] = sum;
        }
}

/* facts/lego-ani.md B.5. A quaternion without length leaves the matrix as it is. */
static void Rotate(const float q[4], RpAniPolicy policy, float matrix[16]) {
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double xy = Keep(policy, Keep(policy, y * y) + Keep(policy, x * x));
    const double xyz = Keep(policy, xy + Keep(policy, z * z));
    const double length = Keep(policy, xyz + Keep(policy, w * w));
    if (!(length > 0))
        return;
    const double s = Keep(policy, 2.0 / length);
    const double xs = Keep(policy, x * s), ys = Keep(policy, y * s), zs = Keep(policy, z * s);
    const double wx = Keep(policy, w * xs), wy = Keep(policy, w * ys), wz = Keep(policy, w * zs);
    const double xx = Keep(policy, x * xs), xys = Keep(policy, x * ys), xz = Keep(policy, x * zs);
    const double yy = Keep(policy, y * ys), yz = Keep(policy, y * zs), zz = Keep(policy, z * zs);
    const float rotation[16] = {Round(1.0 - Keep(policy, yy + zz)),
                                Round(xys - wz),
                                Round(xz + wy),
                                0,
                                Round(xys + wz),
                                Round(1.0 - Keep(policy, xx + zz)),
                                Round(yz - wx),
                                0,
                                Round(xz - wy),
                                Round(yz + wx),
                                Round(1.0 - Keep(policy, xx + yy)),
                                0,
                                0,
                                0,
                                0,
                                1};
    memcpy(matrix, rotation, sizeof rotation);
}

static uint32_t *CursorOf(RpAniCursor *cursor, RpAniTrackKind kind) {
    return cursor ? &cursor->key[kind] : NULL;
}

void RpAni_SampleParts(const RpAni *ani, uint32_t node, float time, RpAniPolicy policy,
                       RpAniCursor *cursor, RpAniParts *parts) {
    const RpAniTrack *tracks = ani->nodes[node].tracks;
    *parts = (RpAniParts){.rotation = {1, 0, 0, 0}, .scale = {1, 1, 1}};
    parts->scales = Ani_TrackScale(&tracks[RP_ANI_SCALE], time, policy,
                                   CursorOf(cursor, RP_ANI_SCALE), parts->scale);
    parts->rotates = Ani_TrackRotation(&tracks[RP_ANI_ROTATION], time, policy,
                                       CursorOf(cursor, RP_ANI_ROTATION), parts->rotation);
    parts->translates =
        Ani_TrackTranslation(&tracks[RP_ANI_TRANSLATION], time, policy,
                             CursorOf(cursor, RP_ANI_TRANSLATION), parts->translation);
}

/* The product with a rotation is formed whenever the tracks have keys, even if none of the keys is
 * active. */
void RpAni_SampleLocal(const RpAni *ani, uint32_t node, float time, RpAniPolicy policy,
                       RpAniCursor *cursor, float local[16]) {
    const RpAniTrack *tracks = ani->nodes[node].tracks;
    RpAniParts parts;
    RpAni_SampleParts(ani, node, time, policy, cursor, &parts);
    Ani_Identity(local);
    for (int row = 0; parts.scales && row < 4; row++)
        for (int column = 0; column < 3; column++)
            local[4 * row + column] = Round((double)local[4 * row + column] * parts.scale[column]);
    if (tracks[RP_ANI_SCALE].count > 0 && tracks[RP_ANI_ROTATION].count > 0) {
        float scaled[16], rotation[16];
        memcpy(scaled, local, sizeof scaled);
        Ani_Identity(rotation);
        if (parts.rotates)
            Rotate(parts.rotation, policy, rotation);
        RpAni_Multiply(scaled, rotation, policy, local);
    } else if (parts.rotates) {
        Rotate(parts.rotation, policy, local);
    }
    for (int i = 0; parts.translates && i < 3; i++)
        local[12 + i] = Round((double)local[12 + i] + parts.translation[i]);
}

uint8_t RpAni_SampleVisible(const RpAni *ani, uint32_t node, float time, RpAniCursor *cursor) {
    const RpAniTrack *track = &ani->nodes[node].tracks[RP_ANI_MORPH];
    uint32_t key;
    return RpAniTrack_Find(track, time, CursorOf(cursor, RP_ANI_MORPH), &key) > 0
               ? track->keys[key].visible
               : 1;
}

void RpAni_Sample(const RpAni *ani, int32_t time, RpAniPolicy policy, RpAniCursor *cursors,
                  const float parent[16], float (*local)[16], float (*world)[16],
                  uint8_t *visible) {
    const float at = (float)time;
    float identity[16];
    Ani_Identity(identity);
    for (uint32_t i = 0; i < ani->node_count; i++) {
        RpAniCursor *cursor = cursors ? &cursors[i] : NULL;
        if (local)
            RpAni_SampleLocal(ani, i, at, policy, cursor, local[i]);
        if (local && world) {
            const uint32_t above = ani->nodes[i].parent;
            const float *base = above != RP_ANI_NO_NODE ? world[above] : parent;
            RpAni_Multiply(local[i], base ? base : identity, policy, world[i]);
        }
        if (visible)
            visible[i] = RpAni_SampleVisible(ani, i, at, cursor);
    }
}
