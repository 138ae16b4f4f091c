/* Makes keys fewer within a tolerance, or sets one every so many frames. */
#include "core/arithmetic/trig.h"
#include "formats/msh/make/track.h"
#include "ngi32/processor/modes.h"

#include <inttypes.h>
#include <math.h>

/* ---- how far apart two poses are ------------------------------------------------------------- */

typedef struct Placed {
    float quaternion[4], position[3];
} Placed;

typedef struct Tolerance {
    double position, degrees;
} Tolerance;

/* Differences that float arithmetic alone can cause: relative to the positions from which a pose is
 * computed, and as an angle for the components of a quaternion. */
#define POSITION_NOISE 4e-7
#define DEGREES_NOISE  1e-4

static double Length(const float *numbers, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)numbers[i] * numbers[i];
    return sqrt(sum);
}

/* Returns the angle between two rotations. The lengths and signs of the quaternions do not matter,
 * and zeros stand for the identity. The angle is computed from the chord, which is precise even
 * where the cosine is 1. */
static double DegreesBetween(const float a[4], const float b[4]) {
    static const float identity[4] = {1, 0, 0, 0};
    double length_a = Length(a, 4), length_b = Length(b, 4), nearer = 0, farther = 0;
    if (length_a == 0 || length_b == 0)
        return length_a == length_b ? 0
               : length_a == 0      ? DegreesBetween(identity, b)
                                    : DegreesBetween(a, identity);
    for (int i = 0; i < 4; i++) {
        double x = a[i] / length_a, y = b[i] / length_b;
        nearer += (x - y) * (x - y);
        farther += (x + y) * (x + y);
    }
    const double pi = 3.14159265358979323846, sine = fmin(1, sqrt(fmin(nearer, farther)) / 2);
    return 4 * (pi / 2 - Trig_Acos(sine)) * (180 / pi);
}

/* `size` is the size of the numbers from which the positions were computed. */
static bool AreNear(const Placed *a, const Placed *b, double size, const Tolerance *tolerance) {
    float apart[3];
    for (int i = 0; i < 3; i++)
        apart[i] = a->position[i] - b->position[i];
    return Length(apart, 3) <= tolerance->position + POSITION_NOISE * size &&
           DegreesBetween(a->quaternion, b->quaternion) <= tolerance->degrees + DEGREES_NOISE;
}

/* ---- dropping keys --------------------------------------------------------------------------- */

enum { STEPS = 8 }; /* poses that are compared in each frame */

typedef struct Simplify {
    const RpMshTrack *track;
    Tolerance tolerance;
} Simplify;

static void PoseOfKey(const RpMshKey *key, Placed *pose) {
    for (int i = 0; i < 4; i++) /* w comes first, as in memory */
        pose->quaternion[(i + 1) % 4] = (float)key->rotation[i] * (1.0F / 32767.0F);
    memcpy(pose->position, key->position, sizeof pose->position);
}

/* Returns whether the keys strictly between two may be left out. */
static bool MayDropBetween(const Simplify *simplify, uint32_t left, uint32_t right) {
    const RpMshKey *keys = simplify->track->keys;
    const double start = keys[left].time, length = (double)keys[right].time - start;
    Placed from, to;
    PoseOfKey(&keys[left], &from);
    PoseOfKey(&keys[right], &to);
    const double size = Length(from.position, 3) + Length(to.position, 3);
    for (double step = 1; step < length * STEPS; step++) {
        Placed original, candidate;
        Track_Sample(simplify->track, (float)(start + step / STEPS), original.quaternion,
                     original.position);
        /* The game would show this pose if there were no keys between the two. */
        float alpha = (float)(step / STEPS / length);
        RpQuaternion_Interpolate(&(RpArithmetic){.build = RP_BUILD_SSE}, from.quaternion,
                                 to.quaternion, alpha, candidate.quaternion);
        for (int i = 0; i < 3; i++)
            candidate.position[i] = from.position[i] + (to.position[i] - from.position[i]) * alpha;
        if (!AreNear(&original, &candidate, size, &simplify->tolerance))
            return false;
    }
    return true;
}

static bool StaysAtFirst(const Simplify *simplify) {
    const RpMshTrack *track = simplify->track;
    const double length = track->keys[track->key_count - 1].time;
    Placed first;
    PoseOfKey(&track->keys[0], &first);
    for (double step = 1; step <= length * STEPS; step++) {
        Placed original;
        Track_Sample(track, (float)(step / STEPS), original.quaternion, original.position);
        if (!AreNear(&original, &first, 2 * Length(first.position, 3), &simplify->tolerance))
            return false;
    }
    return true;
}

RpStatus RpMshAnimation_Simplify(RpMshAnimation *animation, double position, double degrees,
                                 uint32_t *dropped, RpError *error) {
    MODES_OF_C();
    Retrack retrack;
    uint32_t before = 0, after = 0, frame_count = animation->frame_count;
    if (!(position >= 0) || !(degrees >= 0))
        return Make_Refuse(error, RP_INVALID, "bad tolerance", "timeline of",
                           animation->frame_count, "two numbers from 0 up", "%g, %g", position,
                           degrees);
    RpStatus status = Retrack_Begin(&retrack, animation, error);
    for (uint32_t n = 0; status == RP_OK && n < animation->node_count; n++) {
        Simplify simplify = {.track = &animation->tracks[n],
                             .tolerance = {.position = position, .degrees = degrees}};
        status = Track_Check(simplify.track, error);
        if (status != RP_OK)
            break;
        const RpMshTrack *track = simplify.track;
        KeyList *list = &retrack.lists[n];
        before += track->key_count;
        KeyList_Add(list, &track->keys[0], 0);
        if (track->key_count == 1 || StaysAtFirst(&simplify))
            continue;
        for (uint32_t key = 0; key + 1 < track->key_count;) {
            /* Find the farthest key that can follow `key`. The steps of the search are doubled
             * first and then halved. */
            const uint32_t last = track->key_count - 1;
            uint32_t good = key + 1, stride = 1, bad = last + 1;
            while (good < last && bad > last) {
                uint32_t next = good + stride > last ? last : good + stride;
                if (MayDropBetween(&simplify, key, next))
                    good = next;
                else
                    bad = next;
                stride *= 2;
            }
            while (bad <= last && bad - good > 1) {
                uint32_t middle = good + (bad - good) / 2;
                if (MayDropBetween(&simplify, key, middle))
                    good = middle;
                else
                    bad = middle;
            }
            key = good;
            KeyList_Add(list, &track->keys[key], track->keys[key].time);
        }
    }
    if (status == RP_OK)
        Retrack_Settle(&retrack, &frame_count);
    for (uint32_t n = 0; status == RP_OK && n < animation->node_count; n++)
        after += retrack.lists[n].count;
    status = Retrack_End(&retrack, frame_count, status, error);
    if (dropped && status == RP_OK)
        *dropped = before > after ? before - after : 0;
    return status;
}

/* ---- resampling ------------------------------------------------------------------------------ */

RpStatus RpMshAnimation_Resample(RpMshAnimation *animation, uint32_t step, RpError *error) {
    MODES_OF_C();
    Retrack retrack;
    uint32_t frame_count = animation->frame_count;
    if (step == 0)
        return Make_Refuse(error, RP_INVALID, "bad step", "timeline of", animation->frame_count,
                           "1 frame or more", "0");
    RpStatus status = Retrack_Begin(&retrack, animation, error);
    for (uint32_t n = 0; status == RP_OK && n < animation->node_count; n++) {
        const RpMshTrack *track = &animation->tracks[n];
        const double last = ceil((double)track->keys[track->key_count - 1].time);
        KeyList *list = &retrack.lists[n];
        if (track->key_count == 1) {
            KeyList_Add(list, &track->keys[0], 0);
        } else if (last / step + 2 > MAKE_MAX_KEYS) {
            status = Make_Refuse(error, RP_INVALID, "too many keys", "node", n,
                                 "at most 65535 keys in a model", "%g frames", last + 1);
        } else {
            status = Track_Check(track, error);
            for (double frame = 0; status == RP_OK && frame < last; frame += step) {
                RpMshKey key = Track_SampleKey(track, (float)frame);
                KeyList_Add(list, &key, frame);
            }
            if (status == RP_OK)
                KeyList_Add(list, &track->keys[track->key_count - 1], last);
        }
        if (status == RP_OK && list->count > 0 &&
            list->keys[list->count - 1].time >= (float)frame_count)
            frame_count = (uint32_t)list->keys[list->count - 1].time + 1;
    }
    return Retrack_End(&retrack, frame_count, status, error);
}
