/* Gives an object any commands over any motion table, and restores it from any words. The result is
 * an answer or a limit, and after each step a sound list.
 *
 *   u16 size of the table | the table | records of 8 bytes: kind, 3 bytes, u32
 *
 * The library has an animation for every id, made from its low byte. */
#include "fuzz.h"
#include "retropose/sequencer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NODES = 24,
    RECORD = 8,
    MOST_RECORDS = 200,
    MOST_WORDS = 1024,
    ANIMATIONS = 8,
    FRAMES = 6,
    MOST_HANGS = 3
};

/* ---- the library ----------------------------------------------------------------------------- */

static RpAcAnimation animations[ANIMATIONS];

static void MakeAnimations(void) {
    static RpAcFrame frames[FRAMES];
    static RpAcHook hooks[FRAMES];
    static uint32_t first[FRAMES + 1];
    for (uint32_t i = 0; i < FRAMES; i++) {
        RpAcFrame_Identity(&frames[i]);
        frames[i].origin[0] = (float)i;
        hooks[i].direction = (int32_t)(i % 3) - 1;
        hooks[i].type = i;
        first[i + 1] = i + 1;
    }
    for (uint32_t i = 0; i < ANIMATIONS; i++)
        animations[i] = (RpAcAnimation){.id = 0x03000000 + i,
                                        .part_count = 1,
                                        /* 0 makes an animation without position frames */
                                        .frame_count = i % (FRAMES + 1),
                                        .pos_frames = i % 2 ? frames : NULL,
                                        .part_frames = frames,
                                        .first_hook = first,
                                        .hooks = hooks,
                                        .hook_count = i % (FRAMES + 1)};
}

static const RpAcAnimation *Find(void *context, uint32_t id) {
    (void)context;
    return &animations[id % ANIMATIONS];
}

/* ---- soundness ------------------------------------------------------------------------------- */

static void IsSound(const RpMotion *object) {
    const RpSequence *sequence = &object->sequence;
    bool has_current = false, has_first = false;
    uint32_t count = 0, unused = 0;
    for (uint16_t i = sequence->head; i != RP_AC_NO_NODE; i = sequence->nodes[i].next, count++) {
        Insist(i < sequence->capacity && count < sequence->capacity);
        has_current = has_current || i == sequence->current;
        has_first = has_first || i == sequence->first_cyclic;
    }
    for (uint16_t i = sequence->unused; i != RP_AC_NO_NODE; i = sequence->nodes[i].next)
        Insist(++unused <= sequence->capacity);
    Insist(count == sequence->count && count + unused == sequence->capacity);
    Insist(has_current == (count > 0) && has_first == (count > 0));
    Insist(count > 0 || sequence->current == RP_AC_NO_NODE);
    Insist(object->modifier_count <= RP_AC_MOST_MODIFIERS);
    Insist(object->action_count <= RP_AC_MOST_ACTIONS);
    Insist(object->pending_count <= RP_AC_MOST_PENDING);
}

static bool Same(const uint32_t *a, const uint32_t *b, uint32_t count) {
    return memcmp(a, b, 4 * (size_t)count) == 0;
}

/* Checks that what is saved can be restored and is the same then. */
static void SaveAndRestore(RpMotion *object) {
    static uint32_t words[MOST_WORDS], again[MOST_WORDS];
    static RpSequenceNode nodes[NODES];
    RpMotion other;
    const uint32_t count = RpMotion_StateWords(object);
    Insist(count <= MOST_WORDS);
    RpMotion_Save(object, words);
    RpMotion_Init(&other, object->table, nodes, NODES, &object->sequence.library);
    Insist(RpMotion_Restore(&other, words, count, NULL) == RP_OK);
    Insist(RpMotion_StateWords(&other) == count);
    RpMotion_Save(&other, again);
    Insist(Same(words, again, count));
}

/* ---- commands -------------------------------------------------------------------------------- */

static float SpeedOf(const uint8_t *record) {
    static const float speeds[] = {1, 0, -1, 0.5f, 3e38f, -0.0f, 0.0001f, 0};
    float any;
    uint8_t bits[4] = {0, record[1], record[2], record[3]};
    memcpy(&any, bits, 4);
    return record[1] & 8 ? any : speeds[record[1] % 8];
}

static RpStatus Step(RpMotion *object, const uint8_t *record) {
    RpAcFrame offset;
    uint32_t id, result;
    RpAcFrame_Identity(&offset);
    memcpy(&id, record + 4, 4);
    switch (record[0] % 12) {
    case 0:
        return RpMotion_Start(object, NULL);
    case 1:
        return RpMotion_Perform(object, RP_AC_STOP, id, SpeedOf(record), &result, NULL);
    case 2:
        return RpMotion_Perform(object, RP_AC_STOP_ALL, id, SpeedOf(record), &result, NULL);
    case 3:
        return RpMotion_Perform(object, RP_AC_STOP, object->substate, 1, &result, NULL);
    case 4:
        RpMotion_EnterWorld(object);
        return RP_OK;
    case 5:
        RpMotion_ExitWorld(object);
        return RP_OK;
    case 6:
        object->sequence.quirks = record[1];
        return RP_OK;
    case 7:
    case 8:
        return RpMotion_Tick(object, (double)(int8_t)record[1] / 64, &offset, NULL, NULL, NULL);
    default:
        return RpMotion_Perform(object, RP_AC_DO, id, SpeedOf(record), &result, NULL);
    }
}

/* Restores any words. They are refused without a change, or they give a sound object. */
static void RestoreAny(RpMotion *object, const uint8_t *bytes, size_t size) {
    static uint32_t words[MOST_WORDS], before[MOST_WORDS], after[MOST_WORDS];
    const uint32_t own = RpMotion_StateWords(object);
    size_t count = size / 4 < MOST_WORDS ? size / 4 : MOST_WORDS;
    RpMotion_Save(object, before);
    if (size % 2) { /* uses the object's own words with some of them changed */
        memcpy(words, before, sizeof words);
        for (size_t i = 0; i + 5 <= size; i += 5)
            memcpy(&words[bytes[i] % own], bytes + i + 1, 4);
        count = own;
    } else {
        memcpy(words, bytes, count * 4);
    }
    if (RpMotion_Restore(object, words, (uint32_t)count, NULL)) {
        Insist(RpMotion_StateWords(object) == own);
        RpMotion_Save(object, after);
        Insist(Same(before, after, own));
    }
    IsSound(object);
}

static void Play(const RpAcMotionTable *table, const uint8_t *bytes, size_t size) {
    static RpSequenceNode nodes[NODES];
    static uint32_t before[MOST_WORDS], after[MOST_WORDS];
    const RpAcLibrary library = {Find, NULL};
    RpMotion object;
    unsigned hangs = 0;
    RpMotion_Init(&object, table, nodes, NODES, &library);
    RpMotion_Start(&object, NULL);
    for (size_t i = 0; i < MOST_RECORDS && (i + 1) * RECORD <= size; i++) {
        const uint32_t count = RpMotion_StateWords(&object);
        RpMotion_Save(&object, before);
        /* A start without a default state has emptied the lists, as it does in the retail game. */
        const RpStatus status = Step(&object, bytes + i * RECORD);
        IsSound(&object);
        if (status && status != RP_NOT_FOUND) {
            Insist(RpMotion_StateWords(&object) == count);
            RpMotion_Save(&object, after);
            Insist(Same(before, after, count));
        }
        /* each of them takes all the steps that it may */
        if (status == RP_UNSUPPORTED && ++hangs == MOST_HANGS)
            return;
    }
    SaveAndRestore(&object);
    RestoreAny(&object, bytes, size);
    for (size_t i = 0; i < 20 && (i + 1) * RECORD <= size; i++) {
        Step(&object, bytes + i * RECORD);
        IsSound(&object);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    OWNED(RpAcMotionTable) table = {0};
    if (size < 2)
        return 0;
    MakeAnimations();
    size_t table_size = (size_t)(bytes[0] | bytes[1] << 8);
    if (table_size > size - 2)
        table_size = size - 2;
    if (RpAcMotionTable_Read(bytes + 2, table_size, RP_TOLERANT, NULL, &table, NULL))
        return 0;
    Play(&table, bytes + 2 + table_size, size - 2 - table_size);
    return 0;
}
