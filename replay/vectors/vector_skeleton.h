/* Makes small skeletons for vectors. They consist of whole numbers, so that they are the same
 * everywhere. */
#ifndef RETROPOSE_REPLAY_VECTORS_VECTOR_SKELETON_H
#define RETROPOSE_REPLAY_VECTORS_VECTOR_SKELETON_H

#include "replay/scenario/values.h"
#include "replay/vectors/vector_text.h"
#include "retropose/pose.h"

#include "animesh/records.h"

enum { VECTOR_NODES = 6, VECTOR_KEYS_A_NODE = 5, VECTOR_FRAMES = 24 };

typedef struct VectorSkeleton {
    uint8_t nodes[VECTOR_NODES * NODE_BYTES];
    uint8_t keys[VECTOR_NODES * VECTOR_KEYS_A_NODE * KEY_BYTES];
    uint8_t map[VECTOR_NODES * VECTOR_FRAMES * MAP_WORD_BYTES];
    RpSkeleton streams; /* views the three arrays */
} VectorSkeleton;

/* Where the key times of a skeleton are. */
typedef enum VectorTimes {
    VECTOR_TIMES_WHOLE,      /* at frames, as in the game's files */
    VECTOR_TIMES_FRACTIONAL, /* between frames */
    VECTOR_TIMES_DENSE       /* at every frame */
} VectorTimes;

void VectorSkeleton_Make(Random *random, VectorTimes times, VectorSkeleton *skeleton);
/* Writes the streams as members of a case. */
void VectorSkeleton_Put(const VectorSkeleton *skeleton, VectorText *text);

#endif
