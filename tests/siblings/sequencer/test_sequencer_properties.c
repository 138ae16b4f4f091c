/* Tests what holds for any sequence and any object, under random updates and commands: more than a
 * million steps. */
#include "random_object.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = RANDOM_NODES, MOST_WORDS = 2048, MOST_EVENTS = 1 << 16, OBJECTS = 4000 };
#define EXPECTED_DIGEST UINT64_C(0x89ADE1D742D7554C)

static RandomAc source;
static RandomAcWorld world;
static unsigned steps_taken;

AROUND(BeforeEach) {
    source.state = 6;
}

/* ---- splitting a tick: sums of dyadic numbers are exact -------------------------------------- */

typedef struct Log {
    uint32_t count;
    struct {
        const RpAcHook *hook;
        int32_t direction;
    } events[MOST_EVENTS];
    bool with_done;
} Log;

static void TakeEvent(void *context, const RpSequenceEvent *event) {
    Log *log = context;
    if (!event->hook && !log->with_done)
        return;
    assert_true(log->count < MOST_EVENTS);
    log->events[log->count].hook = event->hook;
    log->events[log->count++].direction = event->direction;
}

static void SameEvents(const Log *a, const Log *b) {
    assert_int_equal(a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++) {
        assert_ptr_equal(a->events[i].hook, b->events[i].hook);
        assert_int_equal(a->events[i].direction, b->events[i].direction);
    }
}

static void AppendDyadic(RpSequence *sequence, RandomAc *random) {
    static const float rates[] = {32, 16, 64, 8, -32, -16, -4, 128};
    RpAcAnimRef ref;
    do
        ref = RandomAc_Ref(random);
    while (ref.animation < 0x03000001 || ref.animation > 0x03000000 + RANDOM_ANIMATIONS);
    ref.framerate = rates[RandomAc_Below(random, 8)];
    assert_int_equal(RpSequence_Append(sequence, &ref, NULL), RP_OK);
}

static void MakeDyadic(RpSequence *sequence, RpSequenceNode *nodes, RandomAc *random) {
    const RpAcLibrary library = RandomAcWorld_Library(&world);
    const uint32_t count = 1 + RandomAc_Below(random, 4);
    const float velocity[3] = {1, -2, 0.5f}, omega[3] = {0, 1, 0.25f};
    RpSequence_Init(sequence, nodes, NODES, &library);
    if (RandomAc_Chance(random, 50))
        sequence->quirks &= RandomAc_Below(random, RP_AC_QUIRKS + 1);
    for (uint32_t i = 0; i < count; i++)
        AppendDyadic(sequence, random);
    RpSequence_SetPhysics(sequence, velocity, omega);
}

static void Split(uint32_t ticks) {
    static RpSequenceNode whole_nodes[NODES], split_nodes[NODES];
    static Log whole_log, split_log;
    RpSequence whole, split;
    RandomAc same = source;
    RpAcFrame whole_offset, split_offset;
    MakeDyadic(&whole, whole_nodes, &source);
    MakeDyadic(&split, split_nodes, &same);
    /* Under quirk DONE_BY_HEAD the list's head decides which ends the later passes of an update
     * report, and splitting the time moves the head. AnimDone is therefore only compared without
     * that quirk. */
    whole_log.with_done = split_log.with_done = !(whole.quirks & RP_AC_QUIRK_DONE_BY_HEAD);
    whole_log.count = split_log.count = 0;
    RpAcFrame_Identity(&whole_offset);
    RpAcFrame_Identity(&split_offset);
    const double sign = whole.count == 1 && RandomAc_Chance(&source, 40) ? -1 : 1;
    for (uint32_t i = 0; i < ticks; i++) {
        const uint32_t pieces = 1 + RandomAc_Below(&source, 40);
        uint32_t units = 0;
        for (uint32_t piece = 0; piece < pieces; piece++, steps_taken++) {
            const uint32_t some = RandomAc_Below(&source, 100);
            units += some;
            assert_int_equal(RpSequence_Update(&split, sign * some / 4096, &split_offset, TakeEvent,
                                               &split_log, NULL),
                             RP_OK);
        }
        assert_int_equal(RpSequence_Update(&whole, sign * units / 4096, &whole_offset, TakeEvent,
                                           &whole_log, NULL),
                         RP_OK);
        assert_true(whole.frame_number == split.frame_number);
        assert_memory_equal(&whole_offset, &split_offset, sizeof whole_offset);
    }
    SameEvents(&whole_log, &split_log);
}

TEST(SplittingATickChangesNothing) {
    for (int run = 0; run < 100; run++) {
        assert_true(RandomAcWorld_Make(&world, &source));
        for (int i = 0; i < 40; i++)
            Split(6);
        RandomAcWorld_Free(&world);
    }
}

/* ---- invariants ------------------------------------------------------------------------------ */

static void IsSound(const RpSequence *sequence) {
    bool seen[NODES] = {false}, has_current = false, has_first = false;
    uint32_t count = 0, unused = 0;
    uint16_t before = RP_AC_NO_NODE;
    for (uint16_t i = sequence->head; i != RP_AC_NO_NODE; i = sequence->nodes[i].next) {
        const RpSequenceNode *node = &sequence->nodes[i];
        assert_true(i < sequence->capacity && !seen[i]);
        seen[i] = true;
        assert_int_equal(node->previous, before);
        assert_true(0 <= node->low && node->low <= node->high);
        assert_true((uint32_t)node->high < node->animation->frame_count);
        has_current = has_current || i == sequence->current;
        has_first = has_first || i == sequence->first_cyclic;
        before = i;
        count++;
    }
    assert_int_equal(sequence->tail, before);
    assert_int_equal(sequence->count, count);
    for (uint16_t i = sequence->unused; i != RP_AC_NO_NODE; i = sequence->nodes[i].next, unused++) {
        assert_true(i < sequence->capacity && !seen[i]);
        seen[i] = true;
    }
    assert_int_equal(count + unused, sequence->capacity);
    assert_true(has_current == (count > 0) && has_first == (count > 0));
    assert_true(count > 0 ||
                (sequence->current == RP_AC_NO_NODE && sequence->first_cyclic == RP_AC_NO_NODE));
    if (count > 0) {
        const RpSequenceNode *node = &sequence->nodes[sequence->current];
        assert_true(sequence->frame_number >= node->low);
        assert_true(sequence->frame_number < (double)node->high + 1);
    }
}

/* ---- random objects -------------------------------------------------------------------------- */

static void BeginObject(RandomObject *object, uint64_t seed, uint16_t capacity) {
    RandomObject_Begin(object, &world, seed, capacity);
}

static RpStatus StepObject(RandomObject *object) {
    steps_taken++;
    return RandomObject_Step(object);
}

TEST(ListsStaySoundAndLimitsChangeNothing) {
    static RandomObject object;
    static uint32_t before[MOST_WORDS], after[MOST_WORDS];
    unsigned limits = 0;
    for (int run = 0; run < 300; run++) {
        assert_true(RandomAcWorld_Make(&world, &source));
        BeginObject(&object, (uint64_t)run, (uint16_t)(run % 4 ? NODES : 1 + run % 7));
        for (int step = 0; step < 1000; step++) {
            const uint32_t count = RpMotion_StateWords(&object.motion);
            assert_true(count <= MOST_WORDS);
            RpMotion_Save(&object.motion, before);
            const RpStatus status = StepObject(&object);
            IsSound(&object.motion.sequence);
            if (!status)
                continue;
            limits++;
            assert_true(status == RP_NO_MEMORY || status == RP_UNSUPPORTED || status == RP_INVALID);
            assert_int_equal(RpMotion_StateWords(&object.motion), count);
            RpMotion_Save(&object.motion, after);
            assert_memory_equal(before, after, 4 * count);
        }
        RandomAcWorld_Free(&world);
    }
    assert_true(limits > 1000);
}

/* ---- saving ---------------------------------------------------------------------------------- */

/* Restores into an object that played something else and has its nodes in another order. */
static void Swap(const RandomObject *from, RandomObject *to, uint64_t seed) {
    uint32_t words[MOST_WORDS];
    RpMotion_Save(&from->motion, words);
    BeginObject(to, seed, NODES);
    for (int i = 0; i < 3; i++)
        StepObject(to);
    steps_taken -= 3;
    assert_int_equal(RpMotion_Restore(&to->motion, words, RpMotion_StateWords(&from->motion), NULL),
                     RP_OK);
    IsSound(&to->motion.sequence);
    to->random = from->random;
    to->digest = from->digest;
}

TEST(SavingIsInvisible) {
    static RandomObject straight, swapped[2];
    for (int run = 0; run < 100; run++) {
        assert_true(RandomAcWorld_Make(&world, &source));
        BeginObject(&straight, (uint64_t)run, NODES);
        BeginObject(&swapped[0], (uint64_t)run, NODES);
        for (int step = 0; step < 1000; step++) {
            StepObject(&straight);
            StepObject(&swapped[step % 2]);
            assert_true(straight.digest == swapped[step % 2].digest);
            Swap(&swapped[step % 2], &swapped[1 - step % 2], (uint64_t)step);
        }
        RandomObject_AddState(&straight);
        RandomObject_AddState(&swapped[0]);
        assert_true(straight.digest == swapped[0].digest);
        RandomAcWorld_Free(&world);
    }
}

/* ---- displacement ---------------------------------------------------------------------------- */

static RpAcAnimation *MakePlain(RpSequence *sequence, RpSequenceNode *nodes, float framerate) {
    RpAcAnimation *animation = NULL;
    const RpAcLibrary library = RandomAcWorld_Library(&world);
    for (int i = 0; !animation && i < RANDOM_ANIMATIONS; i++)
        if (world.animations[i].pos_frames && world.animations[i].frame_count > 2)
            animation = &world.animations[i];
    if (!animation)
        return NULL;
    for (uint32_t i = 0; i < animation->frame_count; i++) {
        RpAcFrame_Identity(&animation->pos_frames[i]);
        animation->pos_frames[i].origin[1] = (float)(1 + RandomAc_Below(&source, 1000));
    }
    const RpAcAnimRef ref = {animation->id, (int32_t)RandomAc_Below(&source, 2), -1, framerate};
    RpSequence_Init(sequence, nodes, NODES, &library);
    assert_int_equal(RpSequence_Append(sequence, &ref, NULL), RP_OK);
    return animation;
}

/* Adds each frame of [low, end) once. */
static double Sum(const RpAcAnimation *animation, int32_t low, int32_t end) {
    double sum = 0;
    for (int32_t i = low; i < end; i++)
        sum += (double)animation->pos_frames[i].origin[1];
    return sum;
}

/* Returns the displacement of a loop. With the quirk, `low` takes the place of `high` in a run
 * forwards. In a run backwards each frame counts. */
static double LoopOf(const RpAcAnimation *animation, const RpSequenceNode *node, uint32_t quirks) {
    const double all = Sum(animation, node->low, node->high + 1);
    if (node->framerate < 0)
        return -all;
    return quirks & RP_AC_QUIRK_BOUNDARY ? all + Sum(animation, node->low, node->low + 1) -
                                               Sum(animation, node->high, node->high + 1)
                                         : all;
}

TEST(WholeLoopsMoveByTheSumOfTheirFrames) {
    static RpSequenceNode nodes[NODES];
    RpSequence sequence;
    unsigned runs = 0;
    for (int run = 0; run < 400; run++) {
        assert_true(RandomAcWorld_Make(&world, &source));
        const RpAcAnimation *animation = MakePlain(&sequence, nodes, run % 2 ? 32 : -32);
        if (animation) {
            if (run % 4 < 2)
                sequence.quirks &= ~(uint32_t)RP_AC_QUIRK_BOUNDARY;
            const RpSequenceNode node = nodes[sequence.current];
            const uint32_t loops = 1 + RandomAc_Below(&source, 5);
            uint32_t units = loops * (uint32_t)(node.high - node.low + 1) * 128;
            /* A run backwards starts below the last frame's end by epsilon. A run that begins there
             * also ends there, but its loop is only over when the cursor has gone beyond `low`. */
            RpAcFrame offset;
            RpAcFrame_Identity(&offset);
            while (units > 0) {
                const uint32_t some = 1 + RandomAc_Below(&source, units < 300 ? units : 300);
                units -= some;
                steps_taken++;
                assert_int_equal(
                    RpSequence_Update(&sequence, some / 4096.0, &offset, NULL, NULL, NULL), RP_OK);
            }
            assert_true((double)offset.origin[1] ==
                        loops * LoopOf(animation, &node, sequence.quirks));
            runs++;
        }
        RandomAcWorld_Free(&world);
    }
    assert_true(runs > 100);
}

typedef struct Crossed {
    double sum;
} Crossed;

static void SumCrossed(void *context, const RpSequenceEvent *event) {
    Crossed *crossed = context;
    if (event->hook)
        crossed->sum +=
            event->direction * (double)event->animation->pos_frames[event->frame].origin[1];
}

/* This holds at any time, not only after whole loops, because the hooks tell which frames were
 * left. */
TEST(DisplacementIsTheSumOfTheFramesThatHooksTell) {
    static RpSequenceNode nodes[NODES];
    RpSequence sequence;
    unsigned runs = 0;
    for (int run = 0; run < 200; run++) {
        assert_true(RandomAcWorld_Make(&world, &source));
        RpAcAnimation *animation = MakePlain(&sequence, nodes, RandomAc_Float(&source, -50, 50));
        if (animation && animation->hook_count >= animation->frame_count) {
            for (uint32_t i = 0; i <= animation->frame_count; i++) /* one hook a frame */
                animation->first_hook[i] = i;
            for (uint32_t i = 0; i < animation->frame_count; i++) {
                animation->hooks[i].type = 0;
                animation->hooks[i].direction = RP_AC_BOTH;
            }
            sequence.quirks &= ~(uint32_t)RP_AC_QUIRK_BOUNDARY;
            RpAcFrame offset;
            Crossed crossed = {0};
            RpAcFrame_Identity(&offset);
            for (int i = 0; i < 200; i++, steps_taken++) {
                const double quantum = RandomAc_Quantum(&source);
                assert_int_equal(
                    RpSequence_Update(&sequence, quantum, &offset, SumCrossed, &crossed, NULL),
                    RP_OK);
                assert_true((double)offset.origin[1] == crossed.sum);
            }
            runs++;
        }
        RandomAcWorld_Free(&world);
    }
    assert_true(runs > 50);
}

/* ---- hangs ----------------------------------------------------------------------------------- */

TEST(NothingHangs) {
    static const double quanta[] = {1e4, 1e9, 1e300, -1e4, -1e300, 5e-324, -0.0, 1e-300};
    static RandomObject object;
    static uint32_t before[MOST_WORDS], after[MOST_WORDS];
    unsigned refused = 0;
    for (int run = 0; run < 60; run++) {
        assert_true(RandomAcWorld_Make(&world, &source));
        BeginObject(&object, (uint64_t)run, NODES);
        for (int step = 0; step < 5; step++)
            StepObject(&object);
        RpAcFrame offset, untouched;
        RpAcFrame_Identity(&offset);
        untouched = offset;
        RpMotion_Save(&object.motion, before);
        const uint32_t count = RpMotion_StateWords(&object.motion);
        if (RpMotion_Tick(&object.motion, quanta[run % 8], &offset, NULL, NULL, NULL)) {
            RpMotion_Save(&object.motion, after);
            assert_int_equal(RpMotion_StateWords(&object.motion), count);
            assert_memory_equal(before, after, 4 * count);
            assert_memory_equal(&offset, &untouched, sizeof offset);
            refused++;
        }
        IsSound(&object.motion.sequence);
        RandomAcWorld_Free(&world);
    }
    assert_true(refused > 5);
}

/* ---- many objects ---------------------------------------------------------------------------- */

TEST(ObjectsThatShareALibraryDoNotDisturbEachOther) {
    static RandomObject alone;
    HEAP RandomObject *objects = calloc(OBJECTS, sizeof *objects);
    assert_non_null(objects);
    assert_true(RandomAcWorld_Make(&world, &source));
    for (int i = 0; i < OBJECTS; i++)
        BeginObject(&objects[i], (uint64_t)i, NODES);
    for (int step = 0; step < 60; step++)
        for (int i = 0; i < OBJECTS; i++)
            StepObject(&objects[i]);
    for (int i = 0; i < OBJECTS; i += 4) {
        BeginObject(&alone, (uint64_t)i, NODES);
        for (int step = 0; step < 60; step++)
            StepObject(&alone);
        assert_true(alone.digest == objects[i].digest);
    }
    RandomAcWorld_Free(&world);
}

/* ---- the same everywhere --------------------------------------------------------------------- */

/* reference.py shows that the bits are right; this test shows that no compiler and no processor
 * changes them. */
TEST(EveryBuildGivesTheSameBits) {
    const uint64_t digest = RandomObject_Digest();
    steps_taken += RANDOM_DIGEST_STEPS;
    if (digest != EXPECTED_DIGEST)
        print_message("the digest is 0x%08X%08X\n", (unsigned)(digest >> 32), (unsigned)digest);
    assert_true(digest == EXPECTED_DIGEST);
}

TEST(AMillionStepsWereTaken) {
    print_message("%u steps\n", steps_taken);
    assert_true(steps_taken >= 1000000);
}
