/* Prints random runs of sequences and objects for reference.py: the inputs, and everything that
 * comes out of each step, as bits.
 *
 *   print_ac_runs [SEED [RUNS]]
 *
 *   RUN | ANIMATION bytes | TABLE bytes | STATE nodes | words
 *   op | status result | offset | events | ended | words */
#include "random_ac.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 96, STEPS = 40, MOST_WORDS = 2048, MOST_TEXT = 1 << 20 };

static RandomAc source;
static RandomAcWorld world;
static RpSequenceNode nodes[NODES];
static RpMotion object;
static RpAcFrame offset;
static bool has_offset;
static char events[MOST_TEXT], ended[MOST_TEXT], op[256];

/* ---- what happens ---------------------------------------------------------------------------- */

static void Add(char *text, const char *item) {
    const size_t length = strlen(text);
    if (length + strlen(item) + 2 > MOST_TEXT)
        abort();
    memcpy(text + length, item, strlen(item) + 1);
}

static void TakeEvent(void *context, const RpSequenceEvent *event) {
    char item[64];
    (void)context;
    if (!event->hook)
        snprintf(item, sizeof item, " DONE");
    else
        snprintf(item, sizeof item, " %08" PRIx32 ":%" PRIu32 ":%d:%" PRId32, event->animation->id,
                 event->frame, (int)(event->hook - event->animation->hooks), event->direction);
    Add(events, item);
}

static void TakeEnd(void *context, uint32_t motion, bool success) {
    char item[32];
    (void)context;
    snprintf(item, sizeof item, " %08" PRIx32 ":%d", motion, success);
    Add(ended, item);
}

/* ---- printing -------------------------------------------------------------------------------- */

static void PrintBytes(const char *what, const RpBuffer *image) {
    printf("%s ", what);
    for (size_t i = 0; i < image->size; i++)
        printf("%02x", image->bytes[i]);
    puts("");
}

static uint32_t Bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

static void PrintOffset(void) {
    for (int i = 0; i < 3; i++)
        printf("%08" PRIx32 " ", Bits(offset.origin[i]));
    for (int i = 0; i < 4; i++)
        printf("%08" PRIx32 " ", Bits(offset.q[i]));
}

static void PrintWords(void) {
    uint32_t words[MOST_WORDS];
    const uint32_t count = RpMotion_StateWords(&object);
    if (count > MOST_WORDS)
        abort();
    RpMotion_Save(&object, words);
    for (uint32_t i = 0; i < count; i++)
        printf(" %08" PRIx32, words[i]);
    puts("");
}

static void PrintStep(RpStatus status, int64_t result) {
    printf("%s|%d %" PRId64 "|", op, (int)status, result);
    if (has_offset)
        PrintOffset();
    printf("|%s|%s|", events, ended);
    PrintWords();
    events[0] = ended[0] = 0;
    has_offset = false;
}

static void Op(const char *name) {
    snprintf(op, sizeof op, "%s", name);
}

static void OpWord(uint32_t word) {
    const size_t length = strlen(op);
    snprintf(op + length, sizeof op - length, " %08" PRIx32, word);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void OpTime(double quantum) {
    uint64_t bits;
    const size_t length = strlen(op);
    memcpy(&bits, &quantum, 8);
    snprintf(op + length, sizeof op - length, " %016" PRIx64, bits);
    has_offset = RandomAc_Chance(&source, 90);
    if (!has_offset)
        return;
    RpAcFrame_Identity(&offset);
    if (RandomAc_Chance(&source, 50)) {
        const float turn[3] = {1, -0.5f, 2};
        RpAcFrame_Rotate(&offset, turn);
        offset.origin[1] = 7;
    }
    for (int i = 0; i < 7; i++)
        OpWord(Bits(i < 3 ? offset.origin[i] : offset.q[i - 3]));
}

static void Update(bool tick) {
    const double quantum = RandomAc_Quantum(&source);
    Op(tick ? "tick" : "update");
    OpTime(quantum);
    RpAcFrame *moved = has_offset ? &offset : NULL;
    PrintStep(tick ? RpMotion_Tick(&object, quantum, moved, TakeEvent, NULL, NULL)
                   : RpSequence_Update(&object.sequence, quantum, moved, TakeEvent, NULL, NULL),
              0);
}

static void Append(void) {
    const RpAcAnimRef ref = RandomAc_Ref(&source);
    Op("append");
    OpWord(ref.animation);
    OpWord((uint32_t)ref.low);
    OpWord((uint32_t)ref.high);
    OpWord(Bits(ref.framerate));
    const RpStatus status = RpSequence_Append(&object.sequence, &ref, NULL);
    PrintStep(status == RP_NOT_FOUND ? RP_OK : status, status == RP_NOT_FOUND);
}

static void Physics(void) {
    static const char *const names[] = {"set", "combine", "subtract"};
    static void (*const calls[])(RpSequence *, const float[3], const float[3]) = {
        RpSequence_SetPhysics, RpSequence_CombinePhysics, RpSequence_SubtractPhysics};
    const uint32_t which = RandomAc_Below(&source, 3);
    float values[6];
    Op(names[which]);
    for (int i = 0; i < 6; i++) {
        values[i] = RandomAc_Chance(&source, 50) ? RandomAc_Float(&source, -4, 4) : 0;
        OpWord(Bits(values[i]));
    }
    calls[which](&object.sequence, values, values + 3);
    PrintStep(RP_OK, 0);
}

static void Surgery(void) {
    RpSequence *sequence = &object.sequence;
    RpStatus status = RP_OK;
    const uint32_t count = RandomAc_Below(&source, 4);
    const float factor = RandomAc_Chance(&source, 90) ? RandomAc_Float(&source, 0, 2) : -1;
    switch (RandomAc_Below(&source, 8)) {
    case 0:
        Op("cyclic");
        RpSequence_RemoveCyclic(sequence);
        break;
    case 1:
        Op("links");
        OpWord(count);
        RpSequence_RemoveLinks(sequence, count);
        break;
    case 2:
        Op("all-links");
        RpSequence_RemoveAllLinks(sequence);
        break;
    case 3:
        Op("multiply");
        OpWord(Bits(factor));
        status = RpSequence_MultiplyFramerate(sequence, factor, NULL);
        break;
    case 4:
        Op("placement");
        OpWord(world.animations[count].id);
        OpWord(2);
        RpSequence_SetPlacement(sequence, &world.animations[count], 2);
        break;
    case 5:
        Op("hooks");
        sequence->has_hooks = RandomAc_Chance(&source, 70);
        OpWord(sequence->has_hooks);
        break;
    case 6:
        Op("clear-physics");
        RpSequence_ClearPhysics(sequence);
        break;
    default:
        Op(count ? "clear-animations" : "clear");
        (count ? RpSequence_ClearAnimations : RpSequence_Clear)(sequence);
    }
    PrintStep(status, 0);
}

static void StepOfSequence(void) {
    const uint32_t choice = RandomAc_Below(&source, 100);
    if (choice < 60)
        Update(false);
    else if (choice < 82)
        Append();
    else if (choice < 90)
        Physics();
    else
        Surgery();
}

static void Perform(void) {
    static const RpAcCommand kinds[] = {RP_AC_DO, RP_AC_DO,   RP_AC_DO,   RP_AC_DO,      RP_AC_DO,
                                        RP_AC_DO, RP_AC_STOP, RP_AC_STOP, RP_AC_STOP_ALL};
    const RpAcCommand kind = kinds[RandomAc_Below(&source, sizeof kinds / sizeof *kinds)];
    uint32_t id = RandomAc_Motion(&source), result = 0;
    const float speed = RandomAc_Speed(&source);
    if (kind == RP_AC_STOP && RandomAc_Chance(&source, 40))
        id = object.substate;
    Op("perform");
    OpWord(kind);
    OpWord(id);
    OpWord(Bits(speed));
    const RpStatus status = RpMotion_Perform(&object, kind, id, speed, &result, NULL);
    PrintStep(status, result);
}

/* Runs the state machine without the queue. */
static void Alone(void) {
    const uint32_t id = RandomAc_Motion(&source);
    const float speed = RandomAc_Speed(&source);
    const bool stop = RandomAc_Chance(&source, 50);
    bool done = false;
    uint32_t animations = 0;
    RpStatus status;
    if (RandomAc_Chance(&source, 60)) {
        Op("get");
        OpWord(id);
        OpWord(Bits(speed));
        Add(op, stop ? " 1" : " 0");
        status = RpMotion_GetSequence(&object, id, speed, stop, &done, &animations, NULL);
    } else {
        Op("stop");
        OpWord(id);
        status = RpMotion_Stop(&object, id, &done, &animations, NULL);
    }
    PrintStep(status, done ? (int64_t)animations : -1);
}

static void World(void) {
    static const char *const names[] = {"enter", "exit", "completed", "done"};
    static void (*const calls[])(RpMotion *) = {RpMotion_EnterWorld, RpMotion_ExitWorld,
                                                RpMotion_CheckCompleted};
    const uint32_t which = RandomAc_Below(&source, 4), success = RandomAc_Below(&source, 2);
    Op(names[which]);
    if (which < 3) {
        calls[which](&object);
    } else {
        OpWord(success);
        RpMotion_AnimationDone(&object, success);
    }
    PrintStep(RP_OK, 0);
}

static void Start(void) {
    Op("start");
    const RpStatus status = RpMotion_Start(&object, NULL);
    PrintStep(status == RP_NOT_FOUND ? RP_OK : status, status == RP_NOT_FOUND);
}

static void StepOfObject(void) {
    const uint32_t choice = RandomAc_Below(&source, 100);
    if (choice < 45)
        Update(true);
    else if (choice < 90)
        Perform();
    else if (choice < 95)
        Alone();
    else if (choice < 99)
        World();
    else
        Start();
}

/* Chooses all quirks, all but one, or any. */
static uint32_t Quirks(uint32_t run) {
    if (run % 12 < 8)
        return RP_AC_QUIRKS & ~(1u << run % 12);
    return run % 12 < 11 ? RP_AC_QUIRKS : RandomAc_Below(&source, RP_AC_QUIRKS + 1);
}

static void Run(uint32_t run) {
    const uint16_t capacity = RandomAc_Chance(&source, 5) ? 4 : NODES;
    if (!RandomAcWorld_Make(&world, &source))
        abort();
    puts("RUN");
    for (int i = 0; i < RANDOM_ANIMATIONS; i++)
        PrintBytes("ANIMATION", &world.images[i]);
    PrintBytes("TABLE", &world.table_image);
    const RpAcLibrary library = RandomAcWorld_Library(&world);
    RpMotion_Init(&object, &world.table, nodes, capacity, &library);
    object.motion_done = TakeEnd;
    object.sequence.quirks = Quirks(run);
    printf("STATE %d |", capacity);
    PrintWords();
    const bool sequence_alone = run % 3 == 0;
    if (!sequence_alone)
        Start();
    for (int step = 0; step < STEPS; step++)
        (sequence_alone ? StepOfSequence : StepOfObject)();
    RandomAcWorld_Free(&world);
}

int main(int count, char **words) {
    source.state = count > 1 ? strtoull(words[1], NULL, 0) : 1;
    const uint32_t runs = count > 2 ? (uint32_t)strtoul(words[2], NULL, 0) : 600;
    for (uint32_t run = 0; run < runs; run++)
        Run(run);
    return 0;
}
