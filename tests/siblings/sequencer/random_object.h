/* An object that random ticks and commands move, and a digest of everything that comes out of them.
 */
#ifndef RETROPOSE_TESTS_SIBLINGS_SEQUENCER_RANDOM_OBJECT_H
#define RETROPOSE_TESTS_SIBLINGS_SEQUENCER_RANDOM_OBJECT_H

#include "random_ac.h"

enum { RANDOM_NODES = 96, RANDOM_DIGEST_STEPS = 100000 };

typedef struct RandomObject {
    RpMotion motion;
    RpSequenceNode nodes[RANDOM_NODES];
    RandomAc random;
    uint64_t digest;
} RandomObject;

/* Begins the object of a seed in a world, which must outlive it and uses some of the quirks. At
 * most RANDOM_NODES are its capacity. */
void RandomObject_Begin(RandomObject *object, RandomAcWorld *world, uint64_t seed,
                        uint16_t capacity);
RpStatus RandomObject_Step(RandomObject *object);
/* Adds the saved state to the object's digest. */
void RandomObject_AddState(RandomObject *object);
/* Returns the digest of all bits of RANDOM_DIGEST_STEPS steps, which no compiler and no processor
 * changes. */
uint64_t RandomObject_Digest(void);

#endif
