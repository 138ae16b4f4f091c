#include "siblings/isle/ani_track.h"

#include "core/arithmetic/trig.h"
#include "siblings/isle/ani_arithmetic.h"

#include <string.h>

/* ---- key search ------------------------------------------------------------------------------ */

static float TimeOf(const RpAniTrack *track, uint32_t key) {
    return (float)track->keys[key].time; /* exact, because times have 24 bits */
}

/* Searches as the original does: forward from where the last search stopped, or from the start if
 * the time lies before that key. */
static uint32_t FindForward(const RpAniTrack *track, float time, uint32_t from) {
    uint32_t key = from < track->count && TimeOf(track, from) <= time ? from : 0;
    while (key + 1 < track->count && time >= TimeOf(track, key + 1))
        key++;
    return key;
}

/* facts/lego-ani.md B.1 */
uint32_t RpAniTrack_Find(const RpAniTrack *track, float time, uint32_t *cursor, uint32_t *key) {
    const uint32_t count = track->count;
    *key = 0;
    if (count == 0 || time < TimeOf(track, 0))
        return 0;
    if (time > TimeOf(track, count - 1)) {
        *key = count - 1;
        return 1;
    }
    if (cursor) {
        *cursor = *key = FindForward(track, time, *cursor);
    } else if (!track->ordered) {
        *key = FindForward(track, time, 0);
    } else {
        /* No key below `low` is later than `time`; every key from `high` on is. */
        uint32_t low = 0, high = count;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (time >= TimeOf(track, middle))
                low = middle + 1;
            else
                high = middle;
        }
        *key = low > 0 ? low - 1 : 0;
    }
    if (time == TimeOf(track, *key))
        return 1;
    return *key + 1 < count ? 2 : 0;
}

/* ---- scalars: B.2 ---------------------------------------------------------------------------- */

static void Blend(const RpAniKey *from, float time, RpAniPolicy policy, float value[3]) {
    const RpAniKey *to = from + 1;
    const double elapsed = Keep(policy, (double)time - from->time);
    const double span = Keep(policy, (double)to->time - from->time);
    for (int i = 0; i < 3; i++) {
        const double difference = Keep(policy, (double)to->value[i] - from->value[i]);
        const double part = Keep(policy, Keep(policy, difference * elapsed) / span);
        value[i] = Round(from->value[i] + part);
    }
}

/* A pair of keys is active if one of the two is. */
static bool IsActive(const RpAniKey *from, uint32_t found) {
    return from->active || (found == 2 && from[1].active);
}

bool Ani_TrackTranslation(const RpAniTrack *track, float time, RpAniPolicy policy, uint32_t *cursor,
                          float value[3]) {
    uint32_t key;
    const uint32_t found = RpAniTrack_Find(track, time, cursor, &key);
    if (found == 0 || !IsActive(&track->keys[key], found))
        return false;
    const RpAniKey *from = &track->keys[key];
    if (found == 1)
        memcpy(value, from->value, 3 * sizeof *value);
    else
        Blend(from, time, policy, value);
    return true;
}

bool Ani_TrackScale(const RpAniTrack *track, float time, RpAniPolicy policy, uint32_t *cursor,
                    float value[3]) {
    uint32_t key;
    const uint32_t found = RpAniTrack_Find(track, time, cursor, &key);
    if (found == 0)
        return false;
    const RpAniKey *from = &track->keys[key];
    if (found == 1)
        memcpy(value, from->value, 3 * sizeof *value);
    else
        Blend(from, time, policy, value);
    return true;
}

/* ---- rotations: B.3, B.4. Quaternions are w x y z. ------------------------------------------- */

bool Ani_TrackRotation(const RpAniTrack *track, float time, RpAniPolicy policy, uint32_t *cursor,
                       float value[4]) {
    uint32_t key;
    const uint32_t found = RpAniTrack_Find(track, time, cursor, &key);
    if (found == 0 || !IsActive(&track->keys[key], found))
        return false;
    const RpAniKey *from = &track->keys[key], *to = from + 1;
    if (found == 1 || to->flags & RP_ANI_HOLD) {
        memcpy(value, from->value, 4 * sizeof *value);
        return true;
    }

    const float *s = from->value;
    float end[4];
    for (int i = 0; i < 4; i++)
        end[i] = to->flags & RP_ANI_NEGATE ? -to->value[i] : to->value[i];
    const double elapsed = Keep(policy, (double)time - from->time);
    const double span = Keep(policy, (double)to->time - from->time);
    const float alpha = Round(elapsed / span);
    const double x = Keep(policy, (double)s[1] * end[1]), y = Keep(policy, (double)s[2] * end[2]);
    const double z = Keep(policy, (double)s[3] * end[3]), w = Keep(policy, (double)s[0] * end[0]);
    const double dot = Keep(policy, Keep(policy, x + z) + Keep(policy, y + w));

    /* From here on scalars are binary64 under both policies. The original's branch for opposite
     * rotations blends x, y and z towards a perpendicular quaternion and leaves the start's z in
     * w. */
    if (!(dot + 1.0 > 0.00001)) {
        static const double quarter = 1.570796326794895; /* the original's literal, not pi/2 */
        const double a = Trig_Sin((1.0 - alpha) * quarter), b = Trig_Sin(alpha * quarter);
        const double p[3] = {-(double)s[2], s[1], -(double)s[0]};
        for (int i = 0; i < 3; i++)
            value[1 + i] = Round(s[1 + i] * a + p[i] * b);
        value[0] = s[3];
        return true;
    }

    /* Nearly equal rotations are blended linearly, and the result is not normalised. */
    double a = 1.0 - alpha, b = alpha;
    if (1.0 - dot > 0.00001) {
        const double angle = Trig_Acos(dot), sine = Trig_Sin(angle);
        a = Trig_Sin((1.0 - alpha) * angle) / sine;
        b = Trig_Sin(alpha * angle) / sine;
    }
    for (int i = 0; i < 4; i++)
        value[i] = Round(s[i] * a + end[i] * b);
    return true;
}
