#include "replay/composed/random_skeleton.h"

#include "core/bytes.h"
#include "formats/synthetic/synthetic_streams.h"

#include <math.h>
#include <string.h>

/* Puts a number as an integer, because a compiler may move a `float` through the x87, which makes a
 * signalling NaN quiet. */
static void PutBits(float *to, uint32_t bits) {
    *(volatile uint32_t *)(void *)to = bits;
}

/* Draws a number from -1 to 1. */
static float Draw(Random *random) {
    return (float)(int32_t)Random_Next(random) * 0x1p-31f;
}

/* `strange` models have numbers of every class in their keys, and nodes that lead out of streams.
 */
void RandomSkeleton_Make(Random *random, bool strange, RandomSkeleton *model) {
    const uint32_t nodes = 1 + Random_Below(random, SKELETON_MOST_NODES);
    const uint32_t frames = 1 + Random_Below(random, SKELETON_MOST_FRAMES);
    RpSkeleton *skeleton = &model->skeleton;
    memset(model, 0, sizeof *model);
    *skeleton = (RpSkeleton){
        .nodes = model->nodes, .keys = model->keys, .frame_map = model->map, .frame_count = frames};
    for (uint32_t n = 0; n < nodes; n++) {
        const uint32_t first = skeleton->key_bytes / KEY_BYTES;
        const uint32_t count = 1 + Random_Below(random, SKELETON_MOST_KEYS / nodes);
        const uint32_t last = first + count - 1;
        int16_t rotation[4] = {0, 0, 0, 32767};
        float time = 0;
        for (uint32_t k = 0; k < count; k++) {
            /* A key like those of the game's models, turned a little from the one before. */
            float numbers[3] = {ldexpf(Draw(random), (int)Random_Below(random, 8)), Draw(random),
                                Draw(random)};
            double length = 0;
            for (int i = 0; i < 4; i++) {
                const int turned = rotation[i] + (int)Random_Below(random, 12000) - 6000;
                rotation[i] = (int16_t)(turned > 32767 ? 32767 : turned < -32767 ? -32767 : turned);
                length += (double)rotation[i] * rotation[i];
            }
            for (int i = 0; i < 4 && length > 0; i++)
                rotation[i] = (int16_t)(rotation[i] * (32767 / sqrt(length)) * 0.9999);
            RpMshKey key = {.time = time};
            memcpy(key.position, numbers, sizeof key.position);
            memcpy(key.rotation, rotation, sizeof key.rotation);
            SyntheticSkeleton_AddKey(skeleton, &key);
            time += (float)(1 + Random_Below(random, 2 * frames / count + 1));
        }
        SyntheticSkeleton_AddFrames(skeleton, first, last);
        const uint32_t parent =
            n == 0 || Random_Below(random, 20) == 0 ? NO_INDEX : Random_Below(random, n);
        const uint32_t map_start = Random_Below(random, 10) ? n * frames : NO_INDEX;
        SyntheticSkeleton_AddNode(skeleton, 0, parent, map_start, last);
    }
    const uint32_t keys = skeleton->key_bytes / KEY_BYTES;
    for (uint32_t i = 0; strange && i < 1 + Random_Below(random, 4); i++) {
        uint8_t *node = model->nodes + (size_t)Random_Below(random, nodes) * NODE_BYTES;
        uint8_t *key = model->keys + (size_t)Random_Below(random, keys) * KEY_BYTES;
        const uint32_t special = Value_Special(random);
        switch (Random_Below(random, 6)) {
        case 0: /* anywhere, or so that one of the frames is the first behind the map */
            Bytes_PutU16(node + NODE_AT_map_start,
                         Random_Below(random, 2) ? Random_Below(random, 0x10000)
                                                 : nodes * frames - Random_Below(random, frames));
            break;
        case 1:
            Bytes_PutU16(node + NODE_AT_fallback, Random_Below(random, 0x10000));
            break;
        case 2: /* a rotation of any length, down to none */
            memset(key + KEY_AT_rotation, (int)Random_Below(random, 2) * 0x81, 8);
            break;
        default:
            memcpy(key + 4 * Random_Below(random, 4), &special, sizeof special);
        }
    }
}

/* Draws a time, mostly between keys, but also at keys, beside them, beyond the last one, negative,
 * and special. */
static float DrawTime(Random *random, const RpSkeleton *skeleton) {
    const float frames = (float)skeleton->frame_count;
    float t = frames * fabsf(Draw(random));
    switch (Random_Below(random, 12)) {
    case 0:
        return floorf(t);
    case 1:
        return nextafterf(floorf(t), 1e9f);
    case 2:
        return nextafterf(floorf(t), -1);
    case 3:
        return -t;
    case 4:
        /* A time beyond all keys, also around 2^31 and 2^32, where a frame no longer fits
         * into an integer. */
        switch (Random_Below(random, 4)) {
        case 0:
            return t * 0x1p20f;
        case 1:
            return t * 0x1p40f;
        default:
            return ldexpf(1, 31 + (int)Random_Below(random, 2)) +
                   ldexpf((float)((int)Random_Below(random, 5) - 2), 8);
        }
    case 5:
        PutBits(&t, Value_Special(random));
        return t;
    default:
        return t;
    }
}

SkeletonTimes SkeletonTimes_Draw(Random *random, const RpSkeleton *skeleton) {
    SkeletonTimes times = {DrawTime(random, skeleton), -1, 0};
    const uint32_t kind = Random_Below(random, 4);
    if (kind > 0) {
        times.b = DrawTime(random, skeleton);
        times.weight = fabsf(Draw(random));
    }
    if (kind == 3)
        switch (Random_Below(random, 6)) {
        case 0:
            times.weight = nextafterf(1, 0);
            break;
        case 1:
            times.weight = nextafterf(0, 1);
            break;
        case 2:
            times.weight = 0x1p-40f;
            break;
        case 3:
            times.weight = nextafterf(0x1p-40f, 0);
            break;
        case 4:
            times.weight = (float)Random_Below(random, 3) - 1;
            break;
        default:
            PutBits(&times.weight, Value_Special(random));
        }
    return times;
}
