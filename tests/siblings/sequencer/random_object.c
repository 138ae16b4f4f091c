#include "random_object.h"

#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 2048, RUNS = 100 };

static void Mix(uint64_t *digest, uint64_t word) {
    *digest = Hash_Fnv64Step(*digest, word);
}

static void MixEvent(void *context, const RpSequenceEvent *event) {
    uint64_t *digest = context;
    Mix(digest, event->hook ? (uint64_t)(event->hook - event->animation->hooks) : UINT64_MAX);
    Mix(digest, event->animation->id);
    Mix(digest, event->frame);
    Mix(digest, (uint32_t)event->direction);
}

static void MixEnd(void *context, uint32_t motion, bool success) {
    Mix(context, motion);
    Mix(context, success);
}

static void MixState(uint64_t *digest, const RpMotion *object) {
    uint32_t words[MOST_WORDS];
    const uint32_t count = RpMotion_StateWords(object);
    if (count > MOST_WORDS)
        abort();
    RpMotion_Save(object, words);
    for (uint32_t i = 0; i < count; i++)
        Mix(digest, words[i]);
}

static void MixFrame(uint64_t *digest, const RpAcFrame *frame) {
    uint32_t words[7];
    memcpy(words, frame->origin, 12);
    memcpy(words + 3, frame->q, 16);
    for (int i = 0; i < 7; i++)
        Mix(digest, words[i]);
}

void RandomObject_Begin(RandomObject *object, RandomAcWorld *world, uint64_t seed,
                        uint16_t capacity) {
    const RpAcLibrary library = RandomAcWorld_Library(world);
    memset(object, 0, sizeof *object);
    object->random.state = seed * 977;
    object->digest = HASH_FNV64_BEGIN;
    RpMotion_Init(&object->motion, &world->table, object->nodes, capacity, &library);
    object->motion.motion_done = MixEnd;
    object->motion.context = &object->digest;
    if (RandomAc_Chance(&object->random, 40))
        object->motion.sequence.quirks = RandomAc_Below(&object->random, RP_AC_QUIRKS + 1);
    RpMotion_Start(&object->motion, NULL);
}

RpStatus RandomObject_Step(RandomObject *object) {
    static const RpAcCommand kinds[] = {RP_AC_DO, RP_AC_DO, RP_AC_DO, RP_AC_STOP, RP_AC_STOP_ALL};
    RandomAc *random = &object->random;
    RpAcFrame offset;
    uint32_t result = 0;
    RpStatus status = RP_OK;
    RpAcFrame_Identity(&offset);
    if (RandomAc_Chance(random, 60)) {
        status = RpMotion_Tick(&object->motion, RandomAc_Quantum(random), &offset, MixEvent,
                               &object->digest, NULL);
    } else if (RandomAc_Chance(random, 95)) {
        const RpAcCommand kind = kinds[RandomAc_Below(random, 5)];
        const uint32_t id = RandomAc_Motion(random);
        status = RpMotion_Perform(&object->motion, kind, id, RandomAc_Speed(random), &result, NULL);
        if (status)
            result = 0;
    } else {
        (RandomAc_Chance(random, 50) ? RpMotion_EnterWorld : RpMotion_ExitWorld)(&object->motion);
    }
    Mix(&object->digest, result);
    Mix(&object->digest, status);
    MixFrame(&object->digest, &offset);
    return status;
}

void RandomObject_AddState(RandomObject *object) {
    MixState(&object->digest, &object->motion);
}

uint64_t RandomObject_Digest(void) {
    static RandomObject object;
    static RandomAcWorld world;
    RandomAc source = {6};
    uint64_t digest = HASH_FNV64_BEGIN;
    for (int run = 0; run < RUNS; run++) {
        if (!RandomAcWorld_Make(&world, &source))
            abort();
        RandomObject_Begin(&object, &world, (uint64_t)run, RANDOM_NODES);
        for (int step = 0; step < RANDOM_DIGEST_STEPS / RUNS; step++)
            RandomObject_Step(&object);
        Mix(&digest, object.digest);
        MixState(&digest, &object.motion);
        RandomAcWorld_Free(&world);
    }
    return digest;
}
