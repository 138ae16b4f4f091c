/* Makes random skeletons, whole and damaged, and draws times to pose them at. */
#ifndef RETROPOSE_REPLAY_COMPOSED_RANDOM_SKELETON_H
#define RETROPOSE_REPLAY_COMPOSED_RANDOM_SKELETON_H

#include "animesh/records.h"
#include "animesh/streams.h"
#include "replay/scenario/values.h"
#include "retropose/pose.h"

enum { SKELETON_MOST_NODES = 150, SKELETON_MOST_KEYS = 600, SKELETON_MOST_FRAMES = 64 };

typedef struct RandomSkeleton {
    uint8_t nodes[SKELETON_MOST_NODES * NODE_BYTES], keys[SKELETON_MOST_KEYS * KEY_BYTES];
    uint8_t map[SKELETON_MOST_NODES * SKELETON_MOST_FRAMES * MAP_WORD_BYTES];
    RpSkeleton skeleton;
} RandomSkeleton;

typedef struct SkeletonTimes {
    float a, b, weight;
} SkeletonTimes;

/* `strange` skeletons have numbers of every class in their keys, and nodes that lead out of
 * streams. */
void RandomSkeleton_Make(Random *random, bool strange, RandomSkeleton *model);
/* Draws one time, or two and a weight. They are mostly between keys, but also at keys, beside them,
 * beyond the last one, negative, and numbers of every class. */
SkeletonTimes SkeletonTimes_Draw(Random *random, const RpSkeleton *skeleton);

#endif
